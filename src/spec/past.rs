//! Turns past operators into latches.
//!
//! A formula about the past has a value in every step that depends on the steps so far, and
//! the value of each of its operators follows from the previous one: `a S b` holds if `b`
//! does, or if `a` does and `a S b` held one step earlier. One latch per operator remembers
//! that [havelund-rosu02]. Maximal past subformulas become atoms that stand for the outputs of
//! the circuit, and what is left has future operators only.

use super::codes;
use super::formula::{Atom, AtomId, Formula, FormulaId, Formulas};
use super::lasso::Lasso;
use crate::expr::{Circuit, Signal, TemporalBinary, TemporalUnary};
use crate::source::{Diagnostic, Span};
use std::collections::HashMap;

/// A circuit that follows the past, shared by all formulas it was asked to serve.
#[derive(Clone, Debug, Default)]
pub struct PastCircuit {
    circuit: Circuit,
    /// Of every subformula that is about the past or the present.
    signals: HashMap<FormulaId, Signal>,
    outputs: Vec<(AtomId, Signal)>,
    /// The atom behind each input of the circuit.
    inputs: Vec<AtomId>,
}

/// A past operator, of which an operand looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FutureInsidePast {
    pub past: FormulaId,
}

impl FutureInsidePast {
    pub fn diagnostic(&self, formulas: &Formulas, name: &str, span: Option<Span>) -> Diagnostic {
        let error = Diagnostic::error(
            codes::FUTURE_INSIDE_PAST,
            format!("`{name}` has a future operator inside a past operator"),
        )
        .note(format!("in `{}`", formulas.text(self.past)))
        .help("rewrite it so that past operators apply only to the past and the present");
        error.at_optional(span, "this property")
    }
}

impl PastCircuit {
    pub fn new() -> PastCircuit {
        PastCircuit::default()
    }

    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The atoms that stand for outputs of the circuit.
    pub fn outputs(&self) -> &[(AtomId, Signal)] {
        &self.outputs
    }

    /// An equivalent formula without past operators, given the outputs of the circuit.
    pub fn eliminate(
        &mut self,
        formulas: &mut Formulas,
        root: FormulaId,
    ) -> Result<FormulaId, FutureInsidePast> {
        let mut results: HashMap<FormulaId, FormulaId> = HashMap::new();
        let mut looks_ahead: HashMap<FormulaId, bool> = HashMap::new();
        for id in formulas.subformulas(root) {
            let formula = formulas.get(id).clone();
            let mut ahead = formula.is_future();
            formula.for_each_operand(|operand| ahead |= looks_ahead[&operand]);
            looks_ahead.insert(id, ahead);
            let result = if formula.is_past() {
                if ahead {
                    return Err(FutureInsidePast { past: id });
                }
                let atom = formulas.past_atom(id);
                formulas.of_atom(atom)
            } else {
                formulas.rebuild(&formula, |operand| results[&operand])
            };
            results.insert(id, result);
        }
        let result = results[&root];
        for atom in formulas.atoms_of(result) {
            if let Atom::Past(past) = *formulas.atom(atom) {
                self.serve(formulas, atom, past);
            }
        }
        Ok(result)
    }

    fn serve(&mut self, formulas: &Formulas, atom: AtomId, past: FormulaId) {
        if self.outputs.iter().any(|(known, _)| *known == atom) {
            return;
        }
        for id in formulas.subformulas(past) {
            if let Formula::Atom(atom) = formulas.get(id)
                && let Atom::Past(inner) = *formulas.atom(*atom)
            {
                self.serve(formulas, *atom, inner);
            }
            if !self.signals.contains_key(&id) {
                let signal = self.signal(formulas, id);
                self.signals.insert(id, signal);
            }
        }
        self.outputs.push((atom, self.signals[&past]));
    }

    fn signal(&mut self, formulas: &Formulas, id: FormulaId) -> Signal {
        let circuit = &mut self.circuit;
        let signals = &self.signals;
        match formulas.get(id) {
            Formula::True => circuit.constant(true),
            Formula::False => circuit.constant(false),
            Formula::Atom(atom) => match formulas.atom(*atom) {
                Atom::Condition(condition) => {
                    let known = circuit.inputs().len();
                    let signal = circuit.input(condition);
                    if circuit.inputs().len() > known {
                        self.inputs.push(*atom);
                    }
                    signal
                }
                Atom::Past(past) => signals[past],
            },
            Formula::Not(operand) => circuit.not(signals[operand]),
            Formula::And(operands) => circuit.and(operands.iter().map(|id| signals[id])),
            Formula::Or(operands) => circuit.or(operands.iter().map(|id| signals[id])),
            Formula::Unary(operator, operand) => {
                let operand = signals[operand];
                let name = format!("{}{}", operator.word(), circuit.latches().len());
                match operator {
                    TemporalUnary::Once => {
                        let latch = circuit.latch(name, false);
                        let value = circuit.or([operand, latch]);
                        circuit.set_next(latch, value);
                        value
                    }
                    TemporalUnary::Historically => {
                        let latch = circuit.latch(name, true);
                        let value = circuit.and([operand, latch]);
                        circuit.set_next(latch, value);
                        value
                    }
                    // Future operators do not get here: `eliminate` has refused them.
                    _ => {
                        let weak = *operator == TemporalUnary::WeakYesterday;
                        let latch = circuit.latch(name, weak);
                        circuit.set_next(latch, operand);
                        latch
                    }
                }
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (signals[left], signals[right]);
                let name = format!("{}{}", operator.word(), circuit.latches().len());
                let triggers = *operator == TemporalBinary::Trigger;
                let latch = circuit.latch(name, triggers);
                let value = if triggers {
                    let kept = circuit.or([left, latch]);
                    circuit.and([right, kept])
                } else {
                    let kept = circuit.and([left, latch]);
                    circuit.or([right, kept])
                };
                circuit.set_next(latch, value);
                value
            }
        }
    }

    /// The same run with the values of the circuit's outputs added. The cycle gets longer
    /// where the latches need several passes to repeat.
    pub fn extend(&self, lasso: &Lasso) -> Lasso {
        let mut seen: HashMap<(usize, Vec<bool>), usize> = HashMap::new();
        let mut steps = Vec::new();
        let mut state = self.circuit.initial_state();
        let mut position = 0;
        loop {
            if let Some(start) = seen.get(&(position, state.clone())) {
                let cycle = steps.split_off(*start);
                // The cycle holds at least the step that led back here.
                return Lasso::new(steps, cycle).unwrap_or_else(|| lasso.clone());
            }
            seen.insert((position, state.clone()), steps.len());
            let inputs: Vec<bool> = self
                .inputs
                .iter()
                .map(|atom| lasso.holds(*atom, position))
                .collect();
            let values = self.circuit.evaluate(&state, &inputs);
            let mut step = lasso.step(position).clone();
            for (atom, signal) in &self.outputs {
                if step.len() <= atom.index() {
                    step.resize(atom.index() + 1, false);
                }
                step[atom.index()] = values[signal.index()];
            }
            steps.push(step);
            state = self.circuit.next_state(&values);
            position = lasso.successor(position);
        }
    }
}
