//! Any formula by guesses about the long run: the Master Theorem of [esparza-kretinsky20].
//!
//! A word satisfies a formula exactly if there are a set X of its subformulas `a U b` and a
//! set Y of its subformulas `a W b` (with `F`, strong release, `G` and release counted in)
//! such that each of X holds again and again, given that those of Y hold for ever; each of Y
//! holds for ever from some time on, given that those of X hold again and again; and from
//! some time on what is left of the formula is true, given the same. With X given what is
//! left is a safety formula: [`stable_monitor`] tries it, and when it breaks tries again with
//! what is left by then, so the formula is true if that happens finitely often.
//!
//! Ours takes into Y only what occurs below the formulas of X, since the rest makes no
//! difference to them and the remaining formula says it itself; and into X only what occurs
//! below some `a W b`, since anything else has to happen once, and is then gone from what is
//! left.

use super::decision::{DecisionId, Decisions};
use super::explore::{Overflow, Steps, explore, merge_equal, reachable};
use super::monitor::{MonitorError, to_monitor};
use super::obligations::{BROKEN, KEPT, ObligationId};
use super::progression::Progression;
use super::{Acceptance, Limits, Monitor, TooBig};
use crate::expr::{TemporalBinary, TemporalUnary};
use crate::spec::formula::{FALSE, Formula, FormulaId, Formulas, TRUE};
use std::collections::{HashMap, HashSet};

/// More sets to guess than this are too many.
const MOST_GUESSES: usize = 1 << 10;

/// One way in which a formula can be true in the long run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// Subformulas that hold again and again.
    pub again: Vec<FormulaId>,
    /// `G F` of each of these has to hold; co-safe.
    pub recurring: Vec<FormulaId>,
    /// `F G` of each of these has to hold; safe.
    pub lasting: Vec<FormulaId>,
}

/// All guesses about a formula in negation normal form without past operators.
pub fn guesses(formulas: &mut Formulas, root: FormulaId) -> Result<Vec<Guess>, MonitorError> {
    let mut eventual: HashSet<FormulaId> = HashSet::new();
    for id in formulas.subformulas(root) {
        if is_lasting(formulas.get(id)) {
            let below = formulas.subformulas(id);
            let below = below.into_iter();
            eventual.extend(below.filter(|id| is_eventual(formulas.get(*id))));
        }
    }
    let mut eventual: Vec<FormulaId> = eventual.into_iter().collect();
    eventual.sort_unstable();
    if eventual.len() >= usize::BITS as usize || 1 << eventual.len() > MOST_GUESSES {
        return Err(MonitorError::TooBig);
    }
    let mut found = Vec::new();
    for chosen in subsets(&eventual) {
        let mut lasting: HashSet<FormulaId> = HashSet::new();
        for id in &chosen {
            let below = formulas.subformulas(*id);
            lasting.extend(below.into_iter().filter(|id| is_lasting(formulas.get(*id))));
        }
        let mut lasting: Vec<FormulaId> = lasting.into_iter().collect();
        lasting.sort_unstable();
        if lasting.len() >= usize::BITS as usize || 1 << lasting.len() > MOST_GUESSES {
            return Err(MonitorError::TooBig);
        }
        let again: HashSet<FormulaId> = chosen.iter().copied().collect();
        for kept in subsets(&lasting) {
            let kept_set: HashSet<FormulaId> = kept.iter().copied().collect();
            let recurring = chosen.iter();
            let recurring: Vec<FormulaId> = recurring
                .map(|id| without_lasting(formulas, *id, &kept_set))
                .collect();
            let lasting = kept.iter();
            let lasting: Vec<FormulaId> = lasting
                .map(|id| without_eventual(formulas, *id, &again))
                .collect();
            if recurring.contains(&FALSE) || lasting.contains(&FALSE) {
                continue;
            }
            found.push(Guess {
                again: chosen.clone(),
                recurring,
                lasting,
            });
            if found.len() > MOST_GUESSES {
                return Err(MonitorError::TooBig);
            }
        }
    }
    Ok(found)
}

fn subsets(of: &[FormulaId]) -> Vec<Vec<FormulaId>> {
    let number = 0..1usize << of.len();
    let subset = |number: usize| {
        let members = of.iter().enumerate();
        let members = members.filter(|(index, _)| number >> index & 1 == 1);
        members.map(|(_, id)| *id).collect()
    };
    number.map(subset).collect()
}

fn is_eventual(formula: &Formula) -> bool {
    use TemporalBinary::{StrongRelease, Until};
    matches!(
        formula,
        Formula::Unary(TemporalUnary::Finally, _) | Formula::Binary(Until | StrongRelease, ..)
    )
}

fn is_lasting(formula: &Formula) -> bool {
    use TemporalBinary::{Release, WeakUntil};
    matches!(
        formula,
        Formula::Unary(TemporalUnary::Globally, _) | Formula::Binary(WeakUntil | Release, ..)
    )
}

/// The formula, if those of `again` hold again and again and the other eventual ones do not:
/// a safety formula.
fn without_eventual(
    formulas: &mut Formulas,
    root: FormulaId,
    again: &HashSet<FormulaId>,
) -> FormulaId {
    rewrite(formulas, root, |formulas, id, formula| {
        let holds = again.contains(&id);
        match formula {
            Formula::Unary(TemporalUnary::Finally, _) => Some(formulas.constant(holds)),
            Formula::Binary(TemporalBinary::Until, left, right) => Some(if holds {
                formulas.binary(TemporalBinary::WeakUntil, left, right)
            } else {
                FALSE
            }),
            Formula::Binary(TemporalBinary::StrongRelease, left, right) => Some(if holds {
                formulas.binary(TemporalBinary::Release, left, right)
            } else {
                FALSE
            }),
            _ => None,
        }
    })
}

/// The formula, if those of `kept` hold from now on and the other lasting ones never do: a
/// co-safe formula.
fn without_lasting(
    formulas: &mut Formulas,
    root: FormulaId,
    kept: &HashSet<FormulaId>,
) -> FormulaId {
    rewrite(formulas, root, |formulas, id, formula| {
        let holds = kept.contains(&id);
        match formula {
            Formula::Unary(TemporalUnary::Globally, _) => Some(formulas.constant(holds)),
            Formula::Binary(TemporalBinary::WeakUntil, left, right) => Some(if holds {
                TRUE
            } else {
                formulas.binary(TemporalBinary::Until, left, right)
            }),
            Formula::Binary(TemporalBinary::Release, left, right) => Some(if holds {
                TRUE
            } else {
                formulas.binary(TemporalBinary::StrongRelease, left, right)
            }),
            _ => None,
        }
    })
}

/// Rewrites nodes from below; `change` sees a node with its operands rewritten, and its id
/// from before.
fn rewrite(
    formulas: &mut Formulas,
    root: FormulaId,
    change: impl Fn(&mut Formulas, FormulaId, Formula) -> Option<FormulaId>,
) -> FormulaId {
    let mut results: HashMap<FormulaId, FormulaId> = HashMap::new();
    for id in formulas.subformulas(root) {
        let formula = formulas.get(id).clone();
        let with_results = match formula {
            Formula::Unary(operator, operand) => Formula::Unary(operator, results[&operand]),
            Formula::Binary(operator, left, right) => {
                Formula::Binary(operator, results[&left], results[&right])
            }
            ref other => other.clone(),
        };
        let result = match change(formulas, id, with_results) {
            Some(result) => result,
            None => formulas.rebuild(&formula, |operand| results[&operand]),
        };
        results.insert(id, constant_folded(formulas, result));
    }
    results[&root]
}

/// Operators over constants, so that a guess that contradicts itself is seen at once.
fn constant_folded(formulas: &mut Formulas, id: FormulaId) -> FormulaId {
    use TemporalBinary::{Release, StrongRelease, Until, WeakUntil};
    match *formulas.get(id) {
        Formula::Unary(_, operand) if operand == TRUE || operand == FALSE => operand,
        Formula::Binary(operator, left, right) => match (operator, left, right) {
            (Until | WeakUntil | Release, _, TRUE) => TRUE,
            (Until | Release | StrongRelease, _, FALSE) => FALSE,
            (WeakUntil, _, FALSE) => formulas.globally(left),
            (StrongRelease, _, TRUE) => formulas.finally(left),
            (Until, TRUE, _) => formulas.finally(right),
            (WeakUntil, TRUE, _) => TRUE,
            (Until | WeakUntil, FALSE, _) => right,
            (Release | StrongRelease, TRUE, _) => right,
            (Release, FALSE, _) => formulas.globally(right),
            (StrongRelease, FALSE, _) => FALSE,
            _ => id,
        },
        _ => id,
    }
}

/// A state: what is left of the formula, and the safety formula that is being tried.
type Attempt = (ObligationId, ObligationId);

struct StableSteps<'a> {
    progression: Progression<'a>,
    formulas: &'a Formulas,
    /// The safety formula of each subformula.
    safe: HashMap<FormulaId, FormulaId>,
    outcomes: Vec<(Attempt, bool)>,
    leaves: HashMap<(Attempt, bool), u32>,
}

impl StableSteps<'_> {
    fn attempt(&mut self, left: ObligationId) -> Result<ObligationId, TooBig> {
        let obligations = &mut self.progression.obligations;
        let clauses = obligations.clauses(left).clone();
        let mut all = KEPT;
        for clause in clauses.iter() {
            let mut any = BROKEN;
            for element in clause.iter() {
                let safe = obligations.of_formula(self.formulas, self.safe[element])?;
                any = obligations.or(any, safe)?;
            }
            all = obligations.and(all, any)?;
        }
        Ok(all)
    }
}

impl Steps for StableSteps<'_> {
    type State = Attempt;

    fn decisions(&mut self) -> &mut Decisions {
        &mut self.progression.decisions
    }

    fn successor(&self, leaf: u32) -> (Attempt, bool) {
        self.outcomes[leaf as usize]
    }

    fn step(&mut self, state: &Attempt) -> Result<DecisionId, TooBig> {
        let left = self.progression.step(state.0)?;
        let tried = self.progression.step(state.1)?;
        let (joint, order) = self.progression.decisions.pairs(left, tried)?;
        let mut leaves = Vec::new();
        for (left, tried) in order {
            let outcome = if left == KEPT {
                ((KEPT, KEPT), false)
            } else if tried == BROKEN {
                ((left, self.attempt(left)?), true)
            } else {
                ((left, tried), false)
            };
            let next = self.outcomes.len() as u32;
            let leaf = *self.leaves.entry(outcome).or_insert(next);
            if leaf == next {
                self.outcomes.push(outcome);
            }
            leaves.push(leaf);
        }
        let decisions = &mut self.progression.decisions;
        decisions.map(joint, |pair| leaves[pair as usize])
    }
}

/// A monitor whose accepting transitions are those where an attempt breaks: what is left of
/// the formula is stable if they are taken finitely often.
pub fn stable_monitor(
    formulas: &mut Formulas,
    root: FormulaId,
    again: &[FormulaId],
    limits: &Limits,
) -> Result<Monitor, MonitorError> {
    let again: HashSet<FormulaId> = again.iter().copied().collect();
    let mut safe = HashMap::new();
    for id in formulas.subformulas(root) {
        safe.insert(id, without_eventual(formulas, id, &again));
    }
    let graph = {
        let mut steps = StableSteps {
            progression: Progression::new(formulas, limits),
            formulas,
            safe,
            outcomes: Vec::new(),
            leaves: HashMap::new(),
        };
        let build = |overflow: Overflow| match overflow {
            Overflow::States => MonitorError::TooManyStates(limits.states),
            Overflow::Diagrams => MonitorError::TooBig,
        };
        let start = |steps: &mut StableSteps<'_>| -> Result<Attempt, TooBig> {
            let left = steps.progression.start(root)?;
            Ok((left, steps.attempt(left)?))
        };
        let initial = start(&mut steps).map_err(|_| MonitorError::TooBig)?;
        let (graph, _) = explore(steps, initial, limits).map_err(build)?;
        let kinds = vec![0; graph.steps.len()];
        let (graph, _) = merge_equal(graph, &kinds).map_err(|_| MonitorError::TooBig)?;
        let (graph, _) = reachable(graph).map_err(|_| MonitorError::TooBig)?;
        graph
    };
    Ok(to_monitor(formulas, &graph, Acceptance::Buchi))
}
