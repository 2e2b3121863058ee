//! From formulas to deterministic monitors on a netlist, and the condition over them.
//!
//! A formula is taken apart as far as Boolean operators go: conjuncts, disjuncts, also those
//! under `G` and `F`, and subformulas such as `G F a`, whose truth does not depend on the
//! step, are asked for once and replaced by either constant [esparza-rubio22]. What is left
//! gets an explicit monitor: safety, co-safety and recurrence as in `spec::automaton`, and
//! anything else by `spec::automaton::stable`.
//!
//! No monitor has to look ahead: `X` is pushed down to subformulas without other operators,
//! and everything is judged late by as many steps as the deepest of them is, which only takes
//! latches that remember. Which values are remembered, those of single signals or those of
//! whole conditions, is a question of what gives fewer latches, and [`Memory`] says which.

use super::condition::{Condition, Settled};
use crate::design::{Design, Literal, NodeId, Reset, elaborate_atom};
use crate::expr::{Expr, ExprKind, TemporalBinary, TemporalUnary};
use crate::source::Diagnostic;
use crate::spec::automaton::stable::{Guess, guesses, stable_monitor};
use crate::spec::automaton::{Acceptance, Limits, Monitor, MonitorError, monitor_for};
use crate::spec::class::classes;
use crate::spec::formula::{FALSE, TRUE};
use crate::spec::normal_form::negate;
use crate::spec::simplify::simplify;
use crate::spec::{Atom, AtomId, Formula, FormulaId, Formulas};
use TemporalUnary::{Finally, Globally, Next};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Whose earlier values are kept in latches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    Signals,
    Conditions,
    /// What a conjunction or disjunction says of one step is one value: of
    /// `G (a & b -> X X c)` only whether `a & b` held is kept, and not what `a` and `b` were.
    Steps,
}

impl Memory {
    pub const ALL: [Memory; 3] = [Memory::Signals, Memory::Conditions, Memory::Steps];
}

/// How deep formulas are taken apart before that is given up.
const MOST_SPLITS: usize = 200;

#[derive(Clone)]
pub struct Builder {
    pub design: Design,
    formulas: Formulas,
    memory: Memory,
    limits: Limits,
    atoms: HashMap<AtomId, Literal>,
    values: HashMap<(FormulaId, usize), Literal>,
    delayed: HashMap<(Literal, usize), Literal>,
    started: Vec<Literal>,
    known: HashMap<FormulaId, Condition>,
    made_up: usize,
    splits: usize,
}

/// Why there is no condition.
#[derive(Clone, Debug, PartialEq)]
pub enum BuildError {
    Diagnostic(Box<Diagnostic>),
    Monitor(MonitorError),
    /// Taking it apart leads to too many cases.
    TooManyCases,
}

impl fmt::Display for BuildError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Diagnostic(diagnostic) => write!(formatter, "{diagnostic}"),
            BuildError::Monitor(error) => write!(formatter, "no deterministic monitor: {error}"),
            BuildError::TooManyCases => write!(formatter, "the formula has too many cases"),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<Diagnostic> for BuildError {
    fn from(diagnostic: Diagnostic) -> BuildError {
        BuildError::Diagnostic(Box::new(diagnostic))
    }
}

impl From<MonitorError> for BuildError {
    fn from(error: MonitorError) -> BuildError {
        BuildError::Monitor(error)
    }
}

type Result<T> = std::result::Result<T, BuildError>;

impl Builder {
    /// For formulas whose atoms are signals of the design.
    pub fn new(design: Design, formulas: Formulas, memory: Memory, limits: Limits) -> Builder {
        Builder {
            design,
            formulas,
            memory,
            limits,
            atoms: HashMap::new(),
            values: HashMap::new(),
            delayed: HashMap::new(),
            started: vec![Literal::TRUE],
            known: HashMap::new(),
            made_up: 0,
            splits: 0,
        }
    }

    pub(in crate::game) fn formulas(&mut self) -> &mut Formulas {
        &mut self.formulas
    }

    pub(in crate::game) fn simplified(&mut self, formula: FormulaId) -> FormulaId {
        simplify(&mut self.formulas, formula)
    }

    /// The condition that a formula holds. It has no future operator below a past one.
    pub fn formula(&mut self, formula: FormulaId) -> Result<Condition> {
        let formula = simplify(&mut self.formulas, formula);
        self.condition(formula)
    }

    fn condition(&mut self, id: FormulaId) -> Result<Condition> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let condition = self.take_apart(id)?;
        self.known.insert(id, condition.clone());
        Ok(condition)
    }

    fn negation(&mut self, id: FormulaId) -> Result<Condition> {
        let negated = negate(&mut self.formulas, id);
        let negated = simplify(&mut self.formulas, negated);
        Ok(self.condition(negated)?.negated())
    }

    fn take_apart(&mut self, id: FormulaId) -> Result<Condition> {
        if id == TRUE || id == FALSE {
            return Ok(Condition::constant(id == TRUE));
        }
        if let Some(depth) = self.depth(id) {
            let value = self.value(id, depth)?;
            let now = self.started(depth);
            let later = self.started(depth + 1);
            let only_now = self.design.and(now, !later);
            return Ok(Condition::invariant(self.design.or(!only_now, value)));
        }
        match self.formulas.get(id).clone() {
            Formula::And(operands) => self.join(&operands, true),
            Formula::Or(operands) => self.join(&operands, false),
            Formula::Unary(Globally, body) => self.globally(id, body),
            Formula::Unary(Finally, _) => self.negation(id),
            Formula::Binary(TemporalBinary::WeakUntil, left, right)
                if self.depth(left).is_some() && self.depth(right).is_some() =>
            {
                self.weak_until(left, right)
            }
            Formula::Unary(Next, body) => match self.formulas.get(body).clone() {
                Formula::And(operands) | Formula::Or(operands) => {
                    let is_and = matches!(self.formulas.get(body), Formula::And(_));
                    let next = operands.iter();
                    let next: Vec<FormulaId> = next.map(|id| self.formulas.next(*id)).collect();
                    self.join(&next, is_and)
                }
                _ => self.by_monitor(id),
            },
            _ => self.by_monitor(id),
        }
    }

    /// A conjunction or disjunction. What is decided in the first steps is one operand.
    fn join(&mut self, operands: &[FormulaId], is_and: bool) -> Result<Condition> {
        let (bounded, others): (Vec<FormulaId>, Vec<FormulaId>) = operands
            .iter()
            .partition(|operand| self.depth(**operand).is_some());
        let mut parts = Vec::new();
        if !bounded.is_empty() {
            let bounded = if is_and {
                self.formulas.and(bounded)
            } else {
                self.formulas.or(bounded)
            };
            parts.push(self.condition(bounded)?);
        }
        for operand in others {
            parts.push(self.condition(operand)?);
        }
        Ok(if is_and {
            Condition::And(parts)
        } else {
            Condition::Or(parts)
        })
    }

    /// `left W right` of two conditions: one latch says whether it was released.
    fn weak_until(&mut self, left: FormulaId, right: FormulaId) -> Result<Condition> {
        let depth = self.depth(left).max(self.depth(right)).unwrap_or(0);
        let (left, right) = (self.value(left, depth)?, self.value(right, depth)?);
        let started = self.started(depth);
        let right = self.design.and(started, right);
        let latch = self.add_latch(false);
        let released = self.design.or(latch.literal(), right);
        self.design.set_next(latch, released);
        let kept = self.design.or(released, left);
        Ok(Condition::invariant(self.design.or(!started, kept)))
    }

    fn globally(&mut self, id: FormulaId, body: FormulaId) -> Result<Condition> {
        if let Some(depth) = self.depth(body) {
            if let Some(value) = self.triggered(body, depth)? {
                return Ok(Condition::invariant(value));
            }
            let value = self.value(body, depth)?;
            let started = self.started(depth);
            return Ok(Condition::invariant(self.design.or(!started, value)));
        }
        match self.formulas.get(body).clone() {
            Formula::And(operands) => {
                let mut parts = Vec::new();
                for operand in operands.iter() {
                    let part = self.formulas.globally(*operand);
                    parts.push(self.formula(part)?);
                }
                Ok(Condition::And(parts))
            }
            Formula::Unary(Finally, event) => self.recurrence(id, event),
            _ => self.by_monitor(id),
        }
    }

    /// What a disjunction such as `!(a & b) | X X c` was so many steps ago, and true before it
    /// was asked for: latches that remember whether `!(a & b)` held start with a yes, so that
    /// none has to tell how many steps have passed.
    fn triggered(&mut self, body: FormulaId, depth: usize) -> Result<Option<Literal>> {
        let Formula::Or(operands) = self.formulas.get(body).clone() else {
            return Ok(None);
        };
        if self.memory != Memory::Steps || depth == 0 {
            return Ok(None);
        }
        let (first, later): (Vec<FormulaId>, Vec<FormulaId>) = operands
            .iter()
            .partition(|operand| self.depth(**operand) == Some(0));
        if first.is_empty() {
            return Ok(None);
        }
        let (first, later) = (self.formulas.or(first), self.formulas.or(later));
        let first = self.value(first, 0)?;
        let first = self.delay_from(first, depth, true);
        let later = self.value(later, depth)?;
        Ok(Some(self.design.or(first, later)))
    }

    /// `G F event`.
    fn recurrence(&mut self, id: FormulaId, event: FormulaId) -> Result<Condition> {
        if let Some(depth) = self.depth(event) {
            return Ok(Condition::Recurrence(self.value(event, depth)?));
        }
        if let Formula::Or(operands) = self.formulas.get(event).clone() {
            let mut parts = Vec::new();
            for operand in operands.iter() {
                let part = self.formulas.finally(*operand);
                let part = self.formulas.globally(part);
                parts.push(self.formula(part)?);
            }
            return Ok(Condition::Or(parts));
        }
        if classes(&mut self.formulas, event).cosafety {
            return self.by_monitor(id);
        }
        if let Some(split) = self.split_step_free(id)? {
            return Ok(split);
        }
        // A lasting subformula is true from some time on, or again and again only because it
        // is released.
        let below = self.formulas.subformulas(event);
        let lasting = below
            .into_iter()
            .rev()
            .find_map(|part| match *self.formulas.get(part) {
                Formula::Unary(Globally, kept) => Some((part, kept, None)),
                Formula::Binary(TemporalBinary::WeakUntil, left, right) => {
                    Some((part, left, Some((TemporalBinary::Until, left, right))))
                }
                Formula::Binary(TemporalBinary::Release, left, right) => Some((
                    part,
                    right,
                    Some((TemporalBinary::StrongRelease, left, right)),
                )),
                _ => None,
            });
        let Some((part, kept, released)) = lasting else {
            return self.by_monitor(id);
        };
        self.count_split()?;
        let released = match released {
            Some((operator, left, right)) => self.formulas.binary(operator, left, right),
            None => FALSE,
        };
        let with_released = self.replaced(id, part, released);
        let with_true = self.replaced(id, part, TRUE);
        let kept = self.formulas.globally(kept);
        let kept = self.formulas.finally(kept);
        let with_released = self.formula(with_released)?;
        let with_true = self.formula(with_true)?;
        let kept = self.formula(kept)?;
        Ok(Condition::Or(vec![
            with_released,
            Condition::And(vec![kept, with_true]),
        ]))
    }

    fn count_split(&mut self) -> Result<()> {
        self.splits += 1;
        if self.splits > MOST_SPLITS {
            return Err(BuildError::TooManyCases);
        }
        Ok(())
    }

    /// Asks once for a proper subformula whose truth does not depend on the step.
    fn split_step_free(&mut self, id: FormulaId) -> Result<Option<Condition>> {
        let below = self.formulas.subformulas(id);
        let found = below.into_iter().rev().find(|part| {
            let inner = match *self.formulas.get(*part) {
                Formula::Unary(Globally, inner) => (Finally, inner),
                Formula::Unary(Finally, inner) => (Globally, inner),
                _ => return false,
            };
            let is_pair = matches!(*self.formulas.get(inner.1),
                Formula::Unary(operator, _) if operator == inner.0);
            is_pair && *part != id
        });
        let Some(part) = found else {
            return Ok(None);
        };
        self.count_split()?;
        let with_true = self.replaced(id, part, TRUE);
        let with_false = self.replaced(id, part, FALSE);
        let holds = self.formula(part)?;
        let with_true = self.formula(with_true)?;
        let with_false = self.formula(with_false)?;
        Ok(Some(Condition::Or(vec![
            Condition::And(vec![holds, with_true]),
            with_false,
        ])))
    }

    fn replaced(&mut self, root: FormulaId, part: FormulaId, by: FormulaId) -> FormulaId {
        let mut results: HashMap<FormulaId, FormulaId> = HashMap::new();
        for id in self.formulas.subformulas(root) {
            let result = if id == part {
                by
            } else {
                let formula = self.formulas.get(id).clone();
                self.formulas.rebuild(&formula, |operand| results[&operand])
            };
            results.insert(id, result);
        }
        results[&root]
    }

    /// A formula that is not taken apart any further.
    fn by_monitor(&mut self, id: FormulaId) -> Result<Condition> {
        if let Some(split) = self.split_step_free(id)? {
            return Ok(split);
        }
        let found = classes(&mut self.formulas, id);
        if found.safety || found.cosafety || self.is_plain_recurrence(id) {
            return self.monitored(id);
        }
        let negated = negate(&mut self.formulas, id);
        if self.is_plain_recurrence(negated) {
            return Ok(self.monitored(negated)?.negated());
        }
        if let Some(split) = self.split_binary(id)? {
            return Ok(split);
        }
        self.stable(id)
    }

    /// `a W b` as `G a | a U b`, and `a U b` as `a W b & F b`, where that leads to classes
    /// with monitors.
    fn split_binary(&mut self, id: FormulaId) -> Result<Option<Condition>> {
        use TemporalBinary::{Release, StrongRelease, Until, WeakUntil};
        let Formula::Binary(operator, left, right) = *self.formulas.get(id) else {
            return Ok(None);
        };
        let (other, alone) = match operator {
            WeakUntil => (Until, left),
            Release => (StrongRelease, right),
            Until => (WeakUntil, right),
            StrongRelease => (Release, left),
            _ => return Ok(None),
        };
        let is_weak = matches!(operator, WeakUntil | Release);
        let other = self.formulas.binary(other, left, right);
        let found = classes(&mut self.formulas, other);
        if !(if is_weak {
            found.cosafety
        } else {
            found.safety
        }) {
            return Ok(None);
        }
        self.count_split()?;
        let alone = match operator {
            WeakUntil | Release => self.formulas.globally(alone),
            // A strong release needs both at once.
            StrongRelease => {
                let both = self.formulas.and([left, right]);
                self.formulas.finally(both)
            }
            _ => self.formulas.finally(alone),
        };
        let parts = vec![self.formula(alone)?, self.formula(other)?];
        Ok(Some(if is_weak {
            Condition::Or(parts)
        } else {
            Condition::And(parts)
        }))
    }

    /// `G p` with `p` co-safe, perhaps after some steps.
    fn is_plain_recurrence(&mut self, id: FormulaId) -> bool {
        let mut current = id;
        loop {
            match *self.formulas.get(current) {
                Formula::Unary(Next, operand) => current = operand,
                Formula::Unary(Globally, body) => {
                    return classes(&mut self.formulas, body).cosafety;
                }
                _ => return false,
            }
        }
    }

    fn monitored(&mut self, id: FormulaId) -> Result<Condition> {
        let (formula, delay) = self.without_next(id)?;
        let monitor = monitor_for(&mut self.formulas, formula, &self.limits)?;
        let signals = self.add_monitor(&monitor, delay)?;
        Ok(match monitor.acceptance {
            Acceptance::Safety { .. } => Condition::Invariant(Settled {
                literal: !signals.breaking,
                stays: true,
            }),
            Acceptance::CoSafety { .. } => Condition::Event(Settled {
                literal: signals.accepting,
                stays: true,
            }),
            Acceptance::Buchi => Condition::Recurrence(signals.accepting),
        })
    }

    /// Any formula, by guesses about the long run: those about its negation if they are
    /// fewer.
    fn stable(&mut self, id: FormulaId) -> Result<Condition> {
        let (formula, delay) = self.without_next(id)?;
        let negated = negate(&mut self.formulas, formula);
        let own = guesses(&mut self.formulas, formula);
        let others = guesses(&mut self.formulas, negated);
        let parts = |guesses: &[Guess]| -> usize {
            let parts = guesses.iter();
            let parts = parts.map(|guess| 1 + guess.recurring.len() + guess.lasting.len());
            parts.sum()
        };
        match (own, others) {
            (Ok(own), Ok(others)) if parts(&others) < parts(&own) => {
                Ok(self.guessed(negated, delay, others)?.negated())
            }
            (Err(_), Ok(others)) => Ok(self.guessed(negated, delay, others)?.negated()),
            (own, _) => self.guessed(formula, delay, own?),
        }
    }

    fn guessed(
        &mut self,
        formula: FormulaId,
        delay: usize,
        guesses: Vec<Guess>,
    ) -> Result<Condition> {
        let mut monitors: HashMap<Vec<FormulaId>, Literal> = HashMap::new();
        let mut cases = Vec::new();
        for guess in guesses {
            self.count_split()?;
            let breaking = match monitors.get(&guess.again) {
                Some(breaking) => *breaking,
                None => {
                    let monitor =
                        stable_monitor(&mut self.formulas, formula, &guess.again, &self.limits)?;
                    let signals = self.add_monitor(&monitor, delay)?;
                    monitors.insert(guess.again.clone(), signals.accepting);
                    signals.accepting
                }
            };
            let mut parts = vec![Condition::Absence(breaking)];
            for recurring in guess.recurring {
                let part = self.formulas.finally(recurring);
                let part = self.formulas.globally(part);
                parts.push(self.formula(part)?);
            }
            for lasting in guess.lasting {
                let part = self.formulas.globally(lasting);
                let part = self.formulas.finally(part);
                parts.push(self.formula(part)?);
            }
            cases.push(Condition::And(parts));
        }
        Ok(Condition::Or(cases))
    }

    /// The formula judged late, without `X`, over atoms that stand for values of this
    /// builder's; and by how many steps.
    pub(in crate::game) fn without_next(&mut self, root: FormulaId) -> Result<(FormulaId, usize)> {
        let delay = self.lateness(root);
        let formula = self.late(root, 0, delay, &mut HashMap::new())?;
        Ok((formula, delay))
    }

    /// How many steps after the one in which a formula is asked for its maximal parts
    /// without other operators than `X` look, at most.
    fn lateness(&self, root: FormulaId) -> usize {
        let mut late: HashMap<FormulaId, usize> = HashMap::new();
        for id in self.formulas.subformulas(root) {
            let formula = self.formulas.get(id);
            let mut most = 0;
            if !formula.is_past() {
                formula.for_each_operand(|operand| most = most.max(late[&operand]));
                most += usize::from(matches!(formula, Formula::Unary(Next, _)));
            }
            late.insert(id, most);
        }
        late[&root]
    }

    fn late(
        &mut self,
        id: FormulaId,
        steps: usize,
        delay: usize,
        known: &mut HashMap<(FormulaId, usize), FormulaId>,
    ) -> Result<FormulaId> {
        if let Some(result) = known.get(&(id, steps)) {
            return Ok(*result);
        }
        let result = if id == TRUE || id == FALSE {
            id
        } else if self.depth(id).is_some() {
            let literal = self.value(id, delay - steps)?;
            self.atom_for(literal)
        } else {
            match self.formulas.get(id).clone() {
                Formula::Unary(Next, operand) => self.late(operand, steps + 1, delay, known)?,
                formula => {
                    let mut operands = Vec::new();
                    formula.for_each_operand(|operand| operands.push(operand));
                    let mut results = HashMap::new();
                    for operand in operands {
                        results.insert(operand, self.late(operand, steps, delay, known)?);
                    }
                    self.formulas.rebuild(&formula, |operand| results[&operand])
                }
            }
        };
        known.insert((id, steps), result);
        Ok(result)
    }

    /// A formula that is true where a literal is.
    fn atom_for(&mut self, literal: Literal) -> FormulaId {
        if let Some(value) = literal.as_constant() {
            return self.formulas.constant(value);
        }
        let positive = literal.complement_if(literal.is_complemented());
        let known = self.atoms.iter().find(|(_, own)| **own == positive);
        let atom = match known.map(|(atom, _)| *atom) {
            Some(atom) => self.formulas.of_atom(atom),
            None => {
                self.made_up += 1;
                // No signal has an empty part in its name.
                let name = vec![String::new(), self.made_up.to_string()];
                let expr = Expr {
                    kind: ExprKind::Name(name),
                    span: None,
                };
                let formula = self.formulas.condition_atom(&expr);
                if let Formula::Atom(atom) = *self.formulas.get(formula) {
                    self.atoms.insert(atom, positive);
                }
                formula
            }
        };
        if literal.is_complemented() {
            self.formulas.not(atom)
        } else {
            atom
        }
    }

    /// How far a formula looks ahead, if it has no future operator but `X`.
    fn depth(&self, root: FormulaId) -> Option<usize> {
        let mut depths: HashMap<FormulaId, usize> = HashMap::new();
        for id in self.formulas.subformulas(root) {
            let formula = self.formulas.get(id);
            let mut depth = 0;
            if !formula.is_past() {
                formula.for_each_operand(|operand| depth = depth.max(depths[&operand]));
                match formula {
                    Formula::Unary(Next, _) => depth += 1,
                    Formula::Unary(..) | Formula::Binary(..) => return None,
                    _ => {}
                }
            }
            depths.insert(id, depth);
        }
        Some(depths[&root])
    }

    /// What a formula without other future operators than `X` was so many steps ago; at
    /// least as many as it looks ahead.
    pub(in crate::game) fn value(&mut self, root: FormulaId, ago: usize) -> Result<Literal> {
        if let Some(literal) = self.values.get(&(root, ago)) {
            return Ok(*literal);
        }
        let depth = self.depth(root).unwrap_or(0);
        let formula = self.formulas.get(root).clone();
        let literal = match formula {
            Formula::Unary(Next, operand) => self.value(operand, ago - 1)?,
            Formula::And(_) | Formula::Or(_)
                if self.memory == Memory::Conditions && ago > depth =>
            {
                let value = self.value(root, depth)?;
                self.delay(value, ago - depth)
            }
            Formula::And(operands) | Formula::Or(operands) if self.memory == Memory::Steps => {
                self.value_by_steps(root, &operands, ago)?
            }
            Formula::And(operands) => {
                let mut all = Literal::TRUE;
                for operand in operands.iter() {
                    let value = self.value(*operand, ago)?;
                    all = self.design.and(all, value);
                }
                all
            }
            Formula::Or(operands) => {
                let mut any = Literal::FALSE;
                for operand in operands.iter() {
                    let value = self.value(*operand, ago)?;
                    any = self.design.or(any, value);
                }
                any
            }
            Formula::Not(operand) => !self.value(operand, ago)?,
            Formula::True => Literal::TRUE,
            Formula::False => Literal::FALSE,
            Formula::Atom(atom) => {
                let literal = self.atom(atom)?;
                self.delay(literal, ago)
            }
            Formula::Unary(..) | Formula::Binary(..) => {
                let literal = self.past(&formula)?;
                self.delay(literal, ago)
            }
        };
        self.values.insert((root, ago), literal);
        Ok(literal)
    }

    /// The same of a conjunction or disjunction, with one value for all operands that look
    /// equally far ahead.
    fn value_by_steps(
        &mut self,
        root: FormulaId,
        operands: &[FormulaId],
        ago: usize,
    ) -> Result<Literal> {
        let is_and = matches!(self.formulas.get(root), Formula::And(_));
        let mut by_depth: BTreeMap<usize, Vec<Literal>> = BTreeMap::new();
        for operand in operands {
            let depth = self.depth(*operand).unwrap_or(0);
            let value = self.value(*operand, depth)?;
            by_depth.entry(depth).or_default().push(value);
        }
        let mut values = Vec::new();
        for (depth, own) in by_depth {
            let value = if is_and {
                self.design.and_all(own)
            } else {
                self.design.or_all(own)
            };
            values.push(self.delay(value, ago - depth));
        }
        Ok(if is_and {
            self.design.and_all(values)
        } else {
            self.design.or_all(values)
        })
    }

    fn atom(&mut self, atom: AtomId) -> Result<Literal> {
        if let Some(literal) = self.atoms.get(&atom) {
            return Ok(*literal);
        }
        let literal = match self.formulas.atom(atom).clone() {
            Atom::Condition(expr) => elaborate_atom(&mut self.design, &expr)?,
            Atom::Past(past) => self.value(past, 0)?,
        };
        self.atoms.insert(atom, literal);
        Ok(literal)
    }

    /// The present truth of a past operator.
    fn past(&mut self, formula: &Formula) -> Result<Literal> {
        use TemporalBinary::Trigger;
        use TemporalUnary::{Historically, Once, WeakYesterday};
        match *formula {
            Formula::Unary(operator, operand) => {
                let operand = self.value(operand, 0)?;
                let starts_high = matches!(operator, WeakYesterday | Historically);
                let latch = self.add_latch(starts_high);
                let design = &mut self.design;
                let (value, next) = match operator {
                    Once => {
                        let value = design.or(operand, latch.literal());
                        (value, value)
                    }
                    Historically => {
                        let value = design.and(operand, latch.literal());
                        (value, value)
                    }
                    _ => (latch.literal(), operand),
                };
                self.design.set_next(latch, next);
                Ok(value)
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (self.value(left, 0)?, self.value(right, 0)?);
                let latch = self.add_latch(operator == Trigger);
                let design = &mut self.design;
                let value = if operator == Trigger {
                    let kept = design.or(left, latch.literal());
                    design.and(right, kept)
                } else {
                    let kept = design.and(left, latch.literal());
                    design.or(right, kept)
                };
                self.design.set_next(latch, value);
                Ok(value)
            }
            _ => Ok(Literal::FALSE),
        }
    }

    pub(in crate::game) fn add_latch(&mut self, starts_high: bool) -> NodeId {
        let reset = if starts_high { Reset::One } else { Reset::Zero };
        self.design.add_latch(reset)
    }

    /// What a literal was so many steps ago; before the first step, anything.
    fn delay(&mut self, literal: Literal, steps: usize) -> Literal {
        self.delay_from(literal, steps, literal.is_complemented())
    }

    /// The same, with a value before the first step.
    fn delay_from(&mut self, literal: Literal, steps: usize, start: bool) -> Literal {
        if steps == 0 || literal.as_constant().is_some() {
            return literal;
        }
        // Both values of a signal share the latches that are 0 before the first step.
        let low = literal.complement_if(start);
        let found = match self.delayed.get(&(low, steps)) {
            Some(found) => *found,
            None => {
                let before = self.delay_from(low, steps - 1, false);
                let latch = self.add_latch(false);
                self.design.set_next(latch, before);
                self.delayed.insert((low, steps), latch.literal());
                latch.literal()
            }
        };
        found.complement_if(start)
    }

    /// Whether so many steps have passed.
    pub(in crate::game) fn started(&mut self, steps: usize) -> Literal {
        while self.started.len() <= steps {
            let before = self.started[self.started.len() - 1];
            let latch = self.add_latch(false);
            self.design.set_next(latch, before);
            self.started.push(latch.literal());
        }
        self.started[steps]
    }

    /// A monitor as latches that number its state; it moves when the delay is over.
    fn add_monitor(&mut self, monitor: &Monitor, delay: usize) -> Result<Signals> {
        let width = monitor.states.len().next_power_of_two().trailing_zeros() as usize;
        let latches: Vec<NodeId> = (0..width).map(|_| self.add_latch(false)).collect();
        let bad = match monitor.acceptance {
            Acceptance::Safety { bad } => bad,
            Acceptance::CoSafety { .. } | Acceptance::Buchi => None,
        };
        let mut next = vec![Literal::FALSE; width];
        let mut accepting = Literal::FALSE;
        let mut breaking = Literal::FALSE;
        for (state, transitions) in monitor.states.iter().enumerate() {
            let bits = latches.iter().enumerate();
            let bits = bits.map(|(bit, id)| id.literal().complement_if(state >> bit & 1 == 0));
            let here = self.design.and_all(bits);
            for transition in transitions {
                let guard = self.value(transition.guard, 0)?;
                let taken = self.design.and(here, guard);
                for (bit, next) in next.iter_mut().enumerate() {
                    if transition.successor >> bit & 1 == 1 {
                        *next = self.design.or(*next, taken);
                    }
                }
                if transition.accepting {
                    accepting = self.design.or(accepting, taken);
                }
                if Some(transition.successor) == bad {
                    breaking = self.design.or(breaking, taken);
                }
            }
        }
        let started = self.started(delay);
        for (latch, next) in latches.into_iter().zip(next) {
            let next = self.design.and(started, next);
            self.design.set_next(latch, next);
        }
        Ok(Signals {
            accepting: self.design.and(started, accepting),
            breaking: self.design.and(started, breaking),
        })
    }
}

struct Signals {
    accepting: Literal,
    breaking: Literal,
}
