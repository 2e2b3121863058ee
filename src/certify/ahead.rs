//! Violations that show a known number of steps later, without guesses.
//!
//! If a formula looks ahead with `X` only, it holds in one of several cases, each of which shows
//! some steps later: `a & X (b & X c)` has one, which shows where `c` holds, `b` did a step ago
//! and `a` did two steps ago. Latches follow the cases from step to step.
//!
//! The tableau of [CGH97] guesses instead, and demands that guesses come true. A run may then
//! keep a guess open for as long as it likes, and this from any state, so that no number of
//! steps is enough for induction, even where the design forgets everything after two. What is
//! followed here is known after as many steps as the formula looks ahead.

use super::parts::{Signed, signed_subformulas};
use super::tableau::Tableau;
use crate::design::Literal;
use crate::expr::TemporalUnary;
use crate::spec::{Formula, FormulaId, Formulas};
use std::collections::HashMap;

/// With more of them, or further ahead, guesses need fewer latches.
const MOST_CASES: usize = 16;
const MOST_STEPS: usize = 64;

/// How many cases a formula has, and after how many steps they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cases {
    count: usize,
    pub earliest: usize,
    pub latest: usize,
}

/// The cases of a formula; none if it looks ahead with other operators, or has too many.
pub(super) fn cases(formulas: &Formulas, root: Signed) -> Option<Cases> {
    cases_of_all(formulas, root)?.get(&root).copied()
}

fn cases_of_all(formulas: &Formulas, root: Signed) -> Option<HashMap<Signed, Cases>> {
    let mut known: HashMap<Signed, Cases> = HashMap::new();
    for (id, positive) in signed_subformulas(formulas, root) {
        let formula = formulas.get(id);
        let sign = positive != matches!(formula, Formula::Not(_));
        let mut operands = Vec::new();
        formula.for_each_operand(|operand| operands.extend(known.get(&(operand, sign)).copied()));
        let is_disjunction = matches!(formula, Formula::Or(_)) == positive;
        let most = |which: fn(&Cases) -> usize| operands.iter().map(which).max().unwrap_or(0);
        let (count, earliest) = match formula {
            Formula::And(_) | Formula::Or(_) if is_disjunction => (
                operands.iter().map(|one| one.count).sum(),
                operands.iter().map(|one| one.earliest).min().unwrap_or(0),
            ),
            _ => (
                operands
                    .iter()
                    .fold(1, |all: usize, one| all.saturating_mul(one.count)),
                most(|one| one.earliest),
            ),
        };
        let mut own = Cases {
            count,
            earliest,
            latest: most(|one| one.latest),
        };
        if own.latest == 0 && !formula.is_future() {
            own.count = 1;
        }
        if matches!(formula, Formula::Unary(TemporalUnary::Next, _)) {
            own.earliest += 1;
            own.latest += 1;
        } else if formula.is_future() || (own.latest > 0 && is_temporal(formula)) {
            return None;
        }
        if own.count > MOST_CASES || own.latest > MOST_STEPS {
            return None;
        }
        known.insert((id, positive), own);
    }
    Some(known)
}

fn is_temporal(formula: &Formula) -> bool {
    matches!(formula, Formula::Unary(..) | Formula::Binary(..))
}

/// A literal that holds where a case shows, so many steps after the one that it is about.
struct Case {
    literal: Literal,
    steps: usize,
}

impl Tableau<'_> {
    /// A literal that holds in the step in which the violation of a safe formula shows, if that
    /// is so many steps later in each case.
    pub(super) fn followed_violation(&mut self, safe: FormulaId) -> Option<Literal> {
        let formulas = self.formulas();
        let (mut root, mut delay) = (safe, 0);
        while let Formula::Unary(TemporalUnary::Next, operand) = formulas.get(root) {
            (root, delay) = (*operand, delay + 1);
        }
        let always = match formulas.get(root) {
            Formula::Unary(TemporalUnary::Globally, operand) => Some(*operand),
            _ => None,
        };
        let violated = (always.unwrap_or(root), false);
        let known = cases_of_all(formulas, violated)?;
        let mut asked = match always {
            Some(_) => Literal::TRUE,
            None => self.first(),
        };
        for _ in 0..delay {
            asked = self.yesterday(asked);
        }
        let cases = Following {
            tableau: self,
            known,
        }
        .cases(violated, asked);
        let cases: Vec<Literal> = cases.into_iter().map(|case| case.literal).collect();
        Some(self.design().or_all(cases))
    }
}

struct Following<'t, 'a> {
    tableau: &'t mut Tableau<'a>,
    known: HashMap<Signed, Cases>,
}

impl Following<'_, '_> {
    /// The cases of a formula that is asked about in the steps in which a literal holds.
    fn cases(&mut self, (id, positive): Signed, asked: Literal) -> Vec<Case> {
        let formulas = self.tableau.formulas();
        if self.shows_at_once((id, positive)) {
            let value = self.tableau.value((id, positive));
            let literal = self.tableau.design().and(asked, value);
            return vec![Case { literal, steps: 0 }];
        }
        match formulas.get(id) {
            Formula::Not(operand) => self.cases((*operand, !positive), asked),
            Formula::Unary(_, operand) => {
                let asked = self.tableau.yesterday(asked);
                let mut cases = self.cases((*operand, positive), asked);
                cases.iter_mut().for_each(|case| case.steps += 1);
                cases
            }
            Formula::And(operands) | Formula::Or(operands) => {
                let is_disjunction = matches!(formulas.get(id), Formula::Or(_)) == positive;
                let operands = operands.iter().map(|operand| (*operand, positive));
                if is_disjunction {
                    operands
                        .flat_map(|operand| self.cases(operand, asked))
                        .collect()
                } else {
                    self.conjunction(operands.collect(), asked)
                }
            }
            // `cases_of_all` has found nothing else.
            _ => Vec::new(),
        }
    }

    fn shows_at_once(&self, formula: Signed) -> bool {
        self.known.get(&formula).is_some_and(|one| one.latest == 0)
    }

    /// Formulas that look ahead are asked about where the others hold.
    fn conjunction(&mut self, operands: Vec<Signed>, asked: Literal) -> Vec<Case> {
        let mut asked = asked;
        let (now, later): (Vec<Signed>, Vec<Signed>) = operands
            .into_iter()
            .partition(|one| self.shows_at_once(*one));
        for operand in now {
            let value = self.tableau.value(operand);
            asked = self.tableau.design().and(asked, value);
        }
        let mut all: Option<Vec<Case>> = None;
        for operand in later {
            let own = self.cases(operand, asked);
            all = Some(match all {
                None => own,
                Some(others) => {
                    let pairs = others
                        .iter()
                        .flat_map(|left| own.iter().map(move |right| (left, right)));
                    pairs.map(|(left, right)| self.both(left, right)).collect()
                }
            });
        }
        all.unwrap_or_default()
    }

    /// Both of two cases, where the later one shows.
    fn both(&mut self, left: &Case, right: &Case) -> Case {
        let steps = left.steps.max(right.steps);
        let mut waited = |case: &Case| {
            let waiting = case.steps..steps;
            waiting.fold(case.literal, |literal, _| self.tableau.yesterday(literal))
        };
        let (left, right) = (waited(left), waited(right));
        let literal = self.tableau.design().and(left, right);
        Case { literal, steps }
    }
}
