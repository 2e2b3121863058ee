//! From properties to an arena: each conjunct becomes literals of the netlist.
//!
//! A conjunct that speaks of single steps is a literal as it stands; any other gets a
//! deterministic monitor, whose latches join the netlist, hidden from corrections. Safety
//! conjuncts end in the invariants, recurrence and co-safety conjuncts among the goals or
//! the assumed recurrences; a step breaks a safety conjunct when its monitor moves into
//! the state `bad`, not one step later.
//!
//! An assertion `GF a & GF b -> GF c`, also in the form of AIGER's justice, is a GR(1)
//! condition by itself. It is one of the game only if there is no other goal and no other
//! such assertion. What does not fit is [not supported](ObjectiveError::NotSupported): the
//! answer is then unknown, never "no".

use super::arena::{Arena, Objective};
use crate::design::{Design, Literal, NodeId, Reset, elaborate_atom};
use crate::expr::{Role, TemporalUnary};
use crate::source::Diagnostic;
use crate::spec::automaton::{Acceptance, Limits, Monitor, monitor_for};
use crate::spec::past::PastCircuit;
use crate::spec::{
    Atom, AtomId, Conjunct, Formula, FormulaId, Formulas, Spec, normal_form, simplify,
};
use std::collections::HashMap;
use std::fmt;

/// Why there is no arena.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectiveError {
    /// The input is wrong.
    Diagnostic(Box<Diagnostic>),
    /// A property that this method does not reach.
    NotSupported { property: String, reason: String },
}

impl fmt::Display for ObjectiveError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjectiveError::Diagnostic(diagnostic) => write!(formatter, "{diagnostic}"),
            ObjectiveError::NotSupported { property, reason } => {
                write!(formatter, "no game for property `{property}`: {reason}")
            }
        }
    }
}

impl std::error::Error for ObjectiveError {}

impl From<Diagnostic> for ObjectiveError {
    fn from(diagnostic: Diagnostic) -> ObjectiveError {
        ObjectiveError::Diagnostic(Box::new(diagnostic))
    }
}

impl Arena {
    /// The game in which the system has to keep the assertions of `spec` on the design,
    /// given its assumptions.
    pub fn new(design: Design, spec: &Spec) -> Result<Arena, ObjectiveError> {
        let (mut builder, conjuncts) = Builder::new(design, spec);
        for conjunct in &conjuncts {
            builder.add(conjunct)?;
        }
        builder.finish()
    }
}

/// A netlist to which conjuncts are added one by one.
pub(super) struct Builder {
    pub design: Design,
    pub formulas: Formulas,
    past: PastCircuit,
    atoms: HashMap<AtomId, Literal>,
    pub objective: Objective,
    /// The assertion that brings assumed recurrences of its own.
    implication: Option<String>,
    pub automaton_choices: Vec<NodeId>,
}

/// The part of an assertion that its own recurrences imply.
struct Implication {
    assumed: Vec<FormulaId>,
    rest: FormulaId,
}

impl Builder {
    /// With the conjuncts that are still to be added.
    pub fn new(design: Design, spec: &Spec) -> (Builder, Vec<Conjunct>) {
        let mut spec = spec.clone();
        let conjuncts = spec.conjuncts();
        let builder = Builder {
            design,
            formulas: spec.formulas,
            past: PastCircuit::new(),
            atoms: HashMap::new(),
            objective: Objective::invariant(Literal::TRUE),
            implication: None,
            automaton_choices: Vec::new(),
        };
        (builder, conjuncts)
    }

    pub fn add(&mut self, conjunct: &Conjunct) -> Result<(), ObjectiveError> {
        let formula = self.without_past(conjunct)?;
        match conjunct.role {
            Role::Cover => Ok(()),
            Role::Assume => self.add_assumption(conjunct, formula),
            Role::Assert => match self.implication(formula) {
                Some(implication) => self.add_implication(conjunct, implication),
                None => self.add_assertion(conjunct, formula),
            },
        }
    }

    /// The formula of a conjunct in terms of atoms that follow the past.
    pub fn without_past(&mut self, conjunct: &Conjunct) -> Result<FormulaId, ObjectiveError> {
        let formula = self
            .past
            .eliminate(&mut self.formulas, conjunct.formula)
            .map_err(|error| error.diagnostic(&self.formulas, &conjunct.name, conjunct.span))?;
        Ok(simplify::simplify(&mut self.formulas, formula))
    }

    pub fn add_assumption(
        &mut self,
        conjunct: &Conjunct,
        formula: FormulaId,
    ) -> Result<(), ObjectiveError> {
        match self.condition(conjunct, formula)? {
            Condition::Invariant(literal) => {
                self.objective.assumption = self.design.and(self.objective.assumption, literal);
            }
            Condition::Recurrence(literal) => self.objective.assumed_recurrences.push(literal),
        }
        Ok(())
    }

    pub fn add_assertion(
        &mut self,
        conjunct: &Conjunct,
        formula: FormulaId,
    ) -> Result<(), ObjectiveError> {
        match self.condition(conjunct, formula)? {
            Condition::Invariant(literal) => {
                self.objective.guarantee = self.design.and(self.objective.guarantee, literal);
            }
            Condition::Recurrence(literal) => self.objective.goals.push(literal),
        }
        Ok(())
    }

    fn add_implication(
        &mut self,
        conjunct: &Conjunct,
        implication: Implication,
    ) -> Result<(), ObjectiveError> {
        if let Some(other) = &self.implication {
            let reason = format!("together with `{other}` it is beyond GR(1)");
            return Err(not_supported(conjunct, reason));
        }
        self.implication = Some(conjunct.name.clone());
        for assumed in implication.assumed {
            let literal = self.literal(assumed)?;
            self.objective.assumed_recurrences.push(literal);
        }
        match self.condition(conjunct, implication.rest)? {
            Condition::Recurrence(literal) => self.objective.goals.push(literal),
            Condition::Invariant(literal) => {
                // The invariant may break if the recurrences do not happen, so it is a goal:
                // that it has held so far.
                let latch = self.add_latch(Reset::One);
                let kept = self.design.and(latch.literal(), literal);
                self.design.set_next(latch, kept);
                self.objective.goals.push(kept);
            }
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<Arena, ObjectiveError> {
        if let (Some(property), true) = (&self.implication, self.objective.goals.len() > 1) {
            return Err(ObjectiveError::NotSupported {
                property: property.clone(),
                reason: "together with the other liveness properties it is beyond GR(1)"
                    .to_string(),
            });
        }
        self.connect_past()?;
        Ok(Arena {
            design: self.design,
            objective: self.objective,
            automaton_choices: self.automaton_choices,
        })
    }

    /// Recognises `FG !a | FG !b | rest`, which is `GF a & GF b -> rest`.
    fn implication(&mut self, formula: FormulaId) -> Option<Implication> {
        let normal = normal_form::negation_normal_form(&mut self.formulas, formula);
        let mut operands = Vec::new();
        for operand in self.disjuncts(normal) {
            // F (G a | G b) is FG a | FG b, and simplification prefers the first.
            match self.operand(operand, TemporalUnary::Finally) {
                Some(inner) => {
                    for part in self.disjuncts(inner) {
                        operands.push(self.formulas.finally(part));
                    }
                }
                None => operands.push(operand),
            }
        }
        let mut assumed = Vec::new();
        let mut rest = Vec::new();
        for operand in operands {
            match self.persistent(operand) {
                Some(condition) => assumed.push(normal_form::negate(&mut self.formulas, condition)),
                None => rest.push(operand),
            }
        }
        if assumed.is_empty() {
            return None;
        }
        let rest = self.formulas.or(rest);
        Some(Implication { assumed, rest })
    }

    fn disjuncts(&self, formula: FormulaId) -> Vec<FormulaId> {
        match self.formulas.get(formula) {
            Formula::Or(operands) => operands.to_vec(),
            _ => vec![formula],
        }
    }

    /// The Boolean `p` of `FG p`.
    fn persistent(&self, formula: FormulaId) -> Option<FormulaId> {
        let inner = self.operand(formula, TemporalUnary::Finally)?;
        let condition = self.operand(inner, TemporalUnary::Globally)?;
        self.formulas.is_boolean(condition).then_some(condition)
    }

    fn operand(&self, formula: FormulaId, wanted: TemporalUnary) -> Option<FormulaId> {
        match self.formulas.get(formula) {
            Formula::Unary(operator, operand) if *operator == wanted => Some(*operand),
            _ => None,
        }
    }

    fn condition(
        &mut self,
        conjunct: &Conjunct,
        formula: FormulaId,
    ) -> Result<Condition, ObjectiveError> {
        if let Some(body) = self.operand(formula, TemporalUnary::Globally) {
            if self.formulas.is_boolean(body) {
                return Ok(Condition::Invariant(self.literal(body)?));
            }
            if let Some(event) = self.operand(body, TemporalUnary::Finally)
                && self.formulas.is_boolean(event)
            {
                return Ok(Condition::Recurrence(self.literal(event)?));
            }
        }
        let monitor = monitor_for(&mut self.formulas, formula, &Limits::default())
            .map_err(|error| not_supported(conjunct, error.to_string()))?;
        self.add_monitor(&monitor)
    }

    /// The monitor as latches that number its state.
    fn add_monitor(&mut self, monitor: &Monitor) -> Result<Condition, ObjectiveError> {
        let width = monitor.states.len().next_power_of_two().trailing_zeros() as usize;
        let latches: Vec<NodeId> = (0..width).map(|_| self.add_latch(Reset::Zero)).collect();
        let mut next = vec![Literal::FALSE; width];
        let mut accepting = Literal::FALSE;
        let mut breaking = Literal::FALSE;
        let bad = match monitor.acceptance {
            Acceptance::Safety { bad } => bad,
            Acceptance::CoSafety { .. } | Acceptance::Buchi => None,
        };
        for (state, transitions) in monitor.states.iter().enumerate() {
            let bits = latches.iter().enumerate();
            let bits = bits.map(|(bit, id)| id.literal().complement_if(state >> bit & 1 == 0));
            let here = self.design.and_all(bits);
            for transition in transitions {
                let guard = self.literal(transition.guard)?;
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
        for (latch, next) in latches.into_iter().zip(next) {
            self.design.set_next(latch, next);
        }
        Ok(match monitor.acceptance {
            Acceptance::Safety { .. } => Condition::Invariant(!breaking),
            Acceptance::CoSafety { .. } | Acceptance::Buchi => Condition::Recurrence(accepting),
        })
    }

    pub fn add_latch(&mut self, reset: Reset) -> NodeId {
        let latch = self.design.add_latch(reset);
        self.design.set_hidden(latch, true);
        latch
    }

    /// The literal of a formula without temporal operators.
    fn literal(&mut self, root: FormulaId) -> Result<Literal, ObjectiveError> {
        let mut literals: HashMap<FormulaId, Literal> = HashMap::new();
        for id in self.formulas.subformulas(root) {
            let literal = match self.formulas.get(id).clone() {
                Formula::True => Literal::TRUE,
                Formula::False => Literal::FALSE,
                Formula::Atom(atom) => self.atom(atom)?,
                Formula::Not(operand) => !literals[&operand],
                Formula::And(operands) => self
                    .design
                    .and_all(operands.iter().map(|operand| literals[operand])),
                Formula::Or(operands) => self
                    .design
                    .or_all(operands.iter().map(|operand| literals[operand])),
                Formula::Unary(..) | Formula::Binary(..) => {
                    unreachable!("guards and conditions have no temporal operators")
                }
            };
            literals.insert(id, literal);
        }
        Ok(literals[&root])
    }

    pub fn atom(&mut self, atom: AtomId) -> Result<Literal, ObjectiveError> {
        if let Some(literal) = self.atoms.get(&atom) {
            return Ok(*literal);
        }
        let literal = match self.formulas.atom(atom).clone() {
            Atom::Condition(expr) => elaborate_atom(&mut self.design, &expr)?,
            // A latch of its own for now: the circuit is complete only when all formulas
            // are known. See `connect_past`.
            Atom::Past(_) => {
                let buffer = self.design.add_gate(Literal::TRUE, Literal::TRUE);
                self.design.set_hidden(buffer, true);
                buffer.literal()
            }
        };
        self.atoms.insert(atom, literal);
        Ok(literal)
    }

    /// Adds the circuit that follows the past, and lets its outputs drive their atoms.
    fn connect_past(&mut self) -> Result<(), ObjectiveError> {
        let circuit = self.past.circuit().clone();
        let signals = self.design.add_circuit(&circuit)?;
        for (atom, signal) in self.past.outputs().to_vec() {
            if let Some(buffer) = self.atoms.get(&atom) {
                let value = signals[signal.index()];
                self.design.drive(buffer.node(), value, usize::MAX);
            }
        }
        Ok(())
    }
}

/// What a conjunct asks of single steps.
enum Condition {
    /// Holds in every step.
    Invariant(Literal),
    /// Holds again and again.
    Recurrence(Literal),
}

fn not_supported(conjunct: &Conjunct, reason: String) -> ObjectiveError {
    ObjectiveError::NotSupported {
        property: conjunct.name.clone(),
        reason,
    }
}
