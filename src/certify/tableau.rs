//! Formulas as circuits: the tableau of [CGH97], with memory and guesses as latches and
//! inputs, so that the product with a design is a netlist again.
//!
//! For a formula, taken with a sign, [`Tableau::value`] gives a literal that holds in a step
//! only if the formula does there. What it says of later steps is guessed by an input and
//! remembered by a latch: `a U b` is `b | a & guess`, and a promise made one step earlier has
//! to be kept now. A run that keeps all constraints, and all promises of something that has
//! to happen in the end (the fairness conditions), proves the formula; and for each run that
//! satisfies it some guesses do. Operators about the past are latches with a known start.
//!
//! Unlike the original, ours pushes negations to the atoms first, so promises are
//! implications and only `F`, `U` and strong release need fairness; and what is asked for in
//! all steps, or again and again, is a constraint or a fairness condition without any guess.

use super::parts::{Signed, is_about_the_past, signed_binary, signed_subformulas, signed_unary};
use crate::design::{Design, InputKind, Literal, Reset};
use crate::expr::{TemporalBinary, TemporalUnary};
use crate::spec::{AtomId, Formula, FormulaId, Formulas};
use std::collections::HashMap;

/// A design with what is asked of its runs.
pub(super) struct Product {
    pub design: Design,
    /// Holds in every step.
    pub constraint: Literal,
    /// Each holds again and again.
    pub fairness: Vec<Literal>,
}

pub(super) struct Tableau<'a> {
    formulas: &'a Formulas,
    /// The literal of each atom, by index.
    atoms: &'a HashMap<AtomId, Literal>,
    design: Design,
    /// Of formulas about the present and the past, which have one value.
    known: HashMap<FormulaId, Literal>,
    /// Of formulas that look ahead.
    guessed: HashMap<Signed, Literal>,
    /// The guesses of `guessed`.
    guesses: Vec<Literal>,
    constraints: Vec<Literal>,
    fairness: Vec<Literal>,
    /// Holds in the first step only.
    first: Option<Literal>,
    /// What held a step ago, by what holds now.
    yesterday: HashMap<Literal, Literal>,
}

impl<'a> Tableau<'a> {
    pub fn new(
        design: &Design,
        formulas: &'a Formulas,
        atoms: &'a HashMap<AtomId, Literal>,
    ) -> Tableau<'a> {
        Tableau {
            formulas,
            atoms,
            design: design.clone(),
            known: HashMap::new(),
            guessed: HashMap::new(),
            guesses: Vec::new(),
            constraints: Vec::new(),
            fairness: Vec::new(),
            first: None,
            yesterday: HashMap::new(),
        }
    }

    pub(super) fn formulas(&self) -> &'a Formulas {
        self.formulas
    }

    pub(super) fn design(&mut self) -> &mut Design {
        &mut self.design
    }

    /// Whether something is said of later steps that a run may guess in several ways.
    pub fn has_guesses(&self) -> bool {
        !self.guesses.is_empty()
    }

    pub fn finish(mut self) -> Product {
        let constraint = self.design.and_all(self.constraints);
        Product {
            design: self.design,
            constraint,
            fairness: self.fairness,
        }
    }

    /// Demands that a formula holds, from the first step on.
    pub fn require(&mut self, root: Signed) {
        let mut pending = vec![root];
        while let Some((id, positive)) = pending.pop() {
            match (self.formulas.get(id), positive) {
                (Formula::Not(operand), _) => pending.push((*operand, !positive)),
                (Formula::And(operands), true) | (Formula::Or(operands), false) => {
                    pending.extend(operands.iter().map(|id| (*id, positive)));
                }
                (Formula::Unary(TemporalUnary::Globally, operand), true)
                | (Formula::Unary(TemporalUnary::Finally, operand), false) => {
                    self.require_always((*operand, positive));
                }
                _ => {
                    let value = self.value((id, positive));
                    let first = self.first();
                    let constraint = self.design.or(!first, value);
                    self.constraints.push(constraint);
                }
            }
        }
    }

    /// Demands that a formula holds in each step.
    fn require_always(&mut self, root: Signed) {
        let mut pending = vec![root];
        while let Some((id, positive)) = pending.pop() {
            match (self.formulas.get(id), positive) {
                (Formula::Not(operand), _) => pending.push((*operand, !positive)),
                (Formula::And(operands), true) | (Formula::Or(operands), false) => {
                    pending.extend(operands.iter().map(|id| (*id, positive)));
                }
                (Formula::Unary(TemporalUnary::Globally, operand), true)
                | (Formula::Unary(TemporalUnary::Finally, operand), false) => {
                    pending.push((*operand, positive));
                }
                (Formula::Unary(TemporalUnary::Finally, operand), true)
                | (Formula::Unary(TemporalUnary::Globally, operand), false) => {
                    let value = self.value((*operand, positive));
                    self.fairness.push(value);
                }
                _ => {
                    let value = self.value((id, positive));
                    self.constraints.push(value);
                }
            }
        }
    }

    /// The truth of a formula about the present and the past.
    pub fn past(&mut self, formula: FormulaId) -> Literal {
        self.value((formula, true))
    }

    /// A literal that holds in the step in which the violation of a safe formula shows: all
    /// that its negation promised has happened. Where it is known when that is, nothing is
    /// guessed ([`ahead`](super::ahead)).
    pub fn violation(&mut self, safe: FormulaId) -> Literal {
        // Promises of assumptions may still be open then, so none may be shared.
        self.guessed.clear();
        self.guesses.clear();
        match self.formulas.get(safe) {
            Formula::Unary(TemporalUnary::Globally, operand)
                if is_about_the_past(self.formulas, *operand) =>
            {
                self.value((*operand, false))
            }
            _ => {
                if let Some(violation) = self.followed_violation(safe) {
                    return violation;
                }
                self.require((safe, false));
                if self.guesses.is_empty() {
                    return self.first();
                }
                let open = self.design.or_all(self.guesses.iter().copied());
                !open
            }
        }
    }

    /// The same for one of several formulas that share a product: what its negation demands
    /// of each step is remembered by a latch instead of being a constraint on all runs.
    pub fn separate_violation(&mut self, safe: FormulaId) -> Literal {
        let shared = std::mem::take(&mut self.constraints);
        let bad = self.violation(safe);
        let own = std::mem::replace(&mut self.constraints, shared);
        if own.is_empty() {
            return bad;
        }
        let kept = self.design.and_all(own);
        let kept_before = self.design.add_latch(Reset::One);
        let kept = self.design.and(kept_before.literal(), kept);
        self.design.set_next(kept_before, kept);
        self.design.and(bad, kept)
    }

    /// A literal that holds if another one held a step ago; not in the first step.
    pub(super) fn yesterday(&mut self, literal: Literal) -> Literal {
        if let Some(known) = self.yesterday.get(&literal) {
            return *known;
        }
        if literal == Literal::FALSE {
            return literal;
        }
        let latch = self.design.add_latch(Reset::Zero);
        self.design.set_next(latch, literal);
        self.yesterday.insert(literal, latch.literal());
        latch.literal()
    }

    pub(super) fn first(&mut self) -> Literal {
        if let Some(first) = self.first {
            return first;
        }
        let latch = self.design.add_latch(Reset::One);
        self.design.set_next(latch, Literal::FALSE);
        self.first = Some(latch.literal());
        latch.literal()
    }

    pub(super) fn value(&mut self, root: Signed) -> Literal {
        for signed in signed_subformulas(self.formulas, root) {
            self.build(signed);
        }
        self.get(root)
    }

    fn get(&self, (id, positive): Signed) -> Literal {
        match self.known.get(&id) {
            Some(literal) => literal.complement_if(!positive),
            // Operands were built before; what was not is nothing that holds.
            None => self
                .guessed
                .get(&(id, positive))
                .copied()
                .unwrap_or(Literal::FALSE),
        }
    }

    fn build(&mut self, (id, positive): Signed) {
        if self.known.contains_key(&id) || self.guessed.contains_key(&(id, positive)) {
            return;
        }
        let formula = self.formulas.get(id);
        let mut is_known = !formula.is_future();
        formula.for_each_operand(|operand| is_known &= self.known.contains_key(&operand));
        if is_known {
            let value = self.build_with_sign(formula, true);
            self.known.insert(id, value);
        } else {
            let value = self.build_with_sign(formula, positive);
            self.guessed.insert((id, positive), value);
        }
    }

    fn build_with_sign(&mut self, formula: &Formula, positive: bool) -> Literal {
        match formula {
            Formula::True => Literal::constant(positive),
            Formula::False => Literal::constant(!positive),
            Formula::Atom(atom) => {
                let literal = self.atoms.get(atom).copied().unwrap_or(Literal::FALSE);
                literal.complement_if(!positive)
            }
            Formula::Not(operand) => self.get((*operand, !positive)),
            Formula::And(operands) | Formula::Or(operands) => {
                let values: Vec<Literal> = operands
                    .iter()
                    .map(|id| self.get((*id, positive)))
                    .collect();
                if matches!(formula, Formula::And(_)) == positive {
                    self.design.and_all(values)
                } else {
                    self.design.or_all(values)
                }
            }
            Formula::Unary(operator, operand) => {
                let operand = self.get((*operand, positive));
                self.unary(signed_unary(*operator, positive), operand)
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (self.get((*left, positive)), self.get((*right, positive)));
                self.binary(signed_binary(*operator, positive), left, right)
            }
        }
    }

    fn unary(&mut self, operator: TemporalUnary, operand: Literal) -> Literal {
        match operator {
            TemporalUnary::Next => {
                let (guess, promised) = self.promise();
                self.keep(promised, operand);
                guess
            }
            TemporalUnary::Yesterday => self.memory(false, |_, _| operand).0,
            TemporalUnary::WeakYesterday => self.memory(true, |_, _| operand).0,
            TemporalUnary::Finally => self.binary(TemporalBinary::Until, Literal::TRUE, operand),
            TemporalUnary::Globally => {
                self.binary(TemporalBinary::Release, Literal::FALSE, operand)
            }
            TemporalUnary::Once => self.binary(TemporalBinary::Since, Literal::TRUE, operand),
            TemporalUnary::Historically => {
                self.binary(TemporalBinary::Trigger, Literal::FALSE, operand)
            }
        }
    }

    fn binary(&mut self, operator: TemporalBinary, left: Literal, right: Literal) -> Literal {
        // What `a U b` and `a R b` say here, given what they say in the neighbouring step.
        let until = |design: &mut Design, neighbour: Literal| {
            let kept = design.and(left, neighbour);
            design.or(right, kept)
        };
        let release = |design: &mut Design, neighbour: Literal| {
            let kept = design.or(left, neighbour);
            design.and(right, kept)
        };
        match operator {
            TemporalBinary::Since => self.memory(false, until).1,
            TemporalBinary::Trigger => self.memory(true, release).1,
            TemporalBinary::Until | TemporalBinary::WeakUntil => {
                let (guess, promised) = self.promise();
                let value = until(&mut self.design, guess);
                self.keep(promised, value);
                if operator == TemporalBinary::Until {
                    self.fulfil(promised, right);
                }
                value
            }
            TemporalBinary::Release | TemporalBinary::StrongRelease => {
                let (guess, promised) = self.promise();
                let value = release(&mut self.design, guess);
                self.keep(promised, value);
                if operator == TemporalBinary::StrongRelease {
                    let released = self.design.and(left, right);
                    self.fulfil(promised, released);
                }
                value
            }
        }
    }

    /// A latch and the value it takes next, made of its present one.
    fn memory(
        &mut self,
        start: bool,
        next: impl Fn(&mut Design, Literal) -> Literal,
    ) -> (Literal, Literal) {
        let reset = if start { Reset::One } else { Reset::Zero };
        let latch = self.design.add_latch(reset);
        let value = next(&mut self.design, latch.literal());
        self.design.set_next(latch, value);
        (latch.literal(), value)
    }

    /// A guess about the next step, and what was guessed about this one.
    fn promise(&mut self) -> (Literal, Literal) {
        let guess = self.design.add_input(InputKind::Environment).literal();
        self.guesses.push(guess);
        let latch = self.design.add_latch(Reset::Zero);
        self.design.set_next(latch, guess);
        (guess, latch.literal())
    }

    fn keep(&mut self, promised: Literal, value: Literal) {
        let kept = self.design.or(!promised, value);
        self.constraints.push(kept);
    }

    fn fulfil(&mut self, promised: Literal, happened: Literal) {
        let fair = self.design.or(!promised, happened);
        self.fairness.push(fair);
    }
}
