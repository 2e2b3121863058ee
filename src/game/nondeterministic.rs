//! The product with a nondeterministic automaton, whose choices are the system's
//! [JSGB11, Sec. 5.1].
//!
//! A conjunct that has a deterministic monitor gets it, as in [`Arena::new`]. For any other,
//! the system says in each step what it promises of the next one: the tableau of [CGH97],
//! declarative and in negation normal form. `a U b` is `b | a & promise`, and `a R b` is
//! `b & (a | promise)`; a promise is a choice input, and a hidden latch remembers it. The
//! guarantee is that a promise is kept one step later, and that the formula itself holds in
//! the first step; `U`, `F` and strong release each give a goal, that nothing is promised or
//! what was promised happens. Promises are implications: the system need not promise what
//! will happen anyway.
//!
//! A play that is won satisfies the formulas, so a win is a win. The system sees the past
//! only, though, and may have to promise before it can know (Fig. 7 there); so a loss means
//! that nothing is known. Assumptions that have no deterministic monitor go into the
//! assertions: `assumption -> assertion`. A safe assertion stays as it is, because nothing
//! but a safe assumption excuses it.

use super::arena::Arena;
use super::objective::{Builder, ObjectiveError};
use crate::design::{Design, InputKind, Literal, Reset};
use crate::expr::{Role, TemporalBinary, TemporalUnary};
use crate::spec::class::classes;
use crate::spec::normal_form::{negate, negation_normal_form};
use crate::spec::{Conjunct, Formula, FormulaId, Spec};
use std::collections::HashMap;

impl Arena {
    /// The game in which the system has to keep the assertions of `spec`, given its
    /// assumptions, and also chooses the run of the automaton that judges it. There is an
    /// arena for every specification. If the system wins it, it wins that of [`Arena::new`];
    /// if it loses, the question stays open.
    pub fn nondeterministic(design: Design, spec: &Spec) -> Result<Arena, ObjectiveError> {
        let (builder, conjuncts) = Builder::new(design, spec);
        let mut tableau = Tableau {
            builder,
            values: HashMap::new(),
            first: None,
        };
        let with_role = |role: Role| conjuncts.iter().filter(move |c| c.role == role);
        let mut excuses = Vec::new();
        for assumption in with_role(Role::Assume) {
            let formula = tableau.builder.without_past(assumption)?;
            let added = tableau.builder.add_assumption(assumption, formula);
            if !was_supported(added)? {
                excuses.push(negate(&mut tableau.builder.formulas, formula));
            }
        }
        for assertion in with_role(Role::Assert) {
            tableau.add_assertion(assertion, &excuses)?;
        }
        tableau.builder.finish()
    }
}

/// Whether there was a deterministic monitor; if not, nothing was added.
fn was_supported(added: Result<(), ObjectiveError>) -> Result<bool, ObjectiveError> {
    match added {
        Ok(()) => Ok(true),
        Err(ObjectiveError::NotSupported { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

struct Tableau {
    builder: Builder,
    /// A literal for each formula that holds in a step only if the formula does, provided
    /// that all promises are kept and come true.
    values: HashMap<FormulaId, Literal>,
    /// Holds in the first step only.
    first: Option<Literal>,
}

impl Tableau {
    fn add_assertion(
        &mut self,
        assertion: &Conjunct,
        excuses: &[FormulaId],
    ) -> Result<(), ObjectiveError> {
        let formula = self.builder.without_past(assertion)?;
        let is_safe = classes(&mut self.builder.formulas, formula).safety;
        if is_safe || excuses.is_empty() {
            let added = self.builder.add_assertion(assertion, formula);
            if was_supported(added)? {
                return Ok(());
            }
        }
        let formulas = &mut self.builder.formulas;
        let whole = if is_safe {
            formula
        } else {
            formulas.or(excuses.iter().copied().chain([formula]))
        };
        let whole = negation_normal_form(formulas, whole);
        let holds = match *formulas.get(whole) {
            // No promise is needed for what is asked in every step.
            Formula::Unary(TemporalUnary::Globally, body) => self.value(body)?,
            _ => {
                let value = self.value(whole)?;
                let first = self.first();
                self.builder.design.or(!first, value)
            }
        };
        self.guarantee(holds);
        Ok(())
    }

    fn guarantee(&mut self, holds: Literal) {
        let Builder {
            design, objective, ..
        } = &mut self.builder;
        objective.guarantee = design.and(objective.guarantee, holds);
    }

    fn first(&mut self) -> Literal {
        let builder = &mut self.builder;
        *self.first.get_or_insert_with(|| {
            let latch = builder.add_latch(Reset::One);
            builder.design.set_next(latch, Literal::FALSE);
            latch.literal()
        })
    }

    /// For a formula in negation normal form without past operators.
    fn value(&mut self, root: FormulaId) -> Result<Literal, ObjectiveError> {
        for id in self.builder.formulas.subformulas(root) {
            if !self.values.contains_key(&id) {
                let value = self.build(id)?;
                self.values.insert(id, value);
            }
        }
        Ok(self.values[&root])
    }

    fn build(&mut self, id: FormulaId) -> Result<Literal, ObjectiveError> {
        let formula = self.builder.formulas.get(id).clone();
        let operand = |id: &FormulaId| self.values[id];
        Ok(match &formula {
            Formula::True => Literal::TRUE,
            Formula::False => Literal::FALSE,
            Formula::Atom(atom) => self.builder.atom(*atom)?,
            Formula::Not(atom) => !operand(atom),
            Formula::And(operands) => {
                let operands: Vec<Literal> = operands.iter().map(operand).collect();
                self.builder.design.and_all(operands)
            }
            Formula::Or(operands) => {
                let operands: Vec<Literal> = operands.iter().map(operand).collect();
                self.builder.design.or_all(operands)
            }
            Formula::Unary(operator, inner) => {
                let inner = operand(inner);
                self.unary(*operator, inner)
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (operand(left), operand(right));
                self.binary(*operator, left, right)
            }
        })
    }

    fn unary(&mut self, operator: TemporalUnary, operand: Literal) -> Literal {
        match operator {
            TemporalUnary::Next => {
                let (promise, promised) = self.promise();
                self.keep(promised, operand);
                promise
            }
            TemporalUnary::Finally => self.binary(TemporalBinary::Until, Literal::TRUE, operand),
            _ => self.binary(TemporalBinary::Release, Literal::FALSE, operand),
        }
    }

    fn binary(&mut self, operator: TemporalBinary, left: Literal, right: Literal) -> Literal {
        let (promise, promised) = self.promise();
        let design = &mut self.builder.design;
        let (value, fulfilled) = match operator {
            TemporalBinary::Until | TemporalBinary::WeakUntil => {
                let continues = design.and(left, promise);
                (design.or(right, continues), right)
            }
            _ => {
                let released = design.and(left, right);
                let continues = design.and(right, promise);
                (design.or(released, continues), released)
            }
        };
        self.keep(promised, value);
        if matches!(
            operator,
            TemporalBinary::Until | TemporalBinary::StrongRelease
        ) {
            let goal = self.builder.design.or(!promised, fulfilled);
            self.builder.objective.goals.push(goal);
        }
        value
    }

    /// What is promised of the next step, and what was promised of this one.
    fn promise(&mut self) -> (Literal, Literal) {
        let choice = self.builder.design.add_input(InputKind::Choice);
        self.builder.design.set_hidden(choice, true);
        self.builder.automaton_choices.push(choice);
        let latch = self.builder.add_latch(Reset::Zero);
        self.builder.design.set_next(latch, choice.literal());
        (choice.literal(), latch.literal())
    }

    fn keep(&mut self, promised: Literal, value: Literal) {
        let kept = self.builder.design.or(!promised, value);
        self.guarantee(kept);
    }
}
