//! Runs of a design that show something, replayed before anybody sees them.

use super::finite::is_possible;
use crate::design::{Design, Literal, NodeId, Reach, Simulator};
use crate::run::Run;
use crate::source::{Diagnostic, codes::frame};
use crate::spec::{AtomId, FormulaId, Formulas, Lasso};
use std::collections::HashMap;

/// Longer runs are not searched for a shorter one inside them.
const LONGEST_TO_SHORTEN: usize = 64;

/// A run of a design, from its first step. Only this stage makes one, and it has replayed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The values of [`Design::latches`] in the first step.
    pub(super) initial: Vec<bool>,
    /// For each step a value for each of [`Design::inputs`].
    pub(super) inputs: Vec<Vec<bool>>,
    /// In an infinite run, the step that follows the last one. All latches that the
    /// assumptions and the violated assertion depend on have the same value again then;
    /// others need not, see [`Trace::with_whole_state`].
    pub(super) loop_start: Option<usize>,
}

impl Trace {
    /// From the values of those initial latches and inputs that matter; all others are 0.
    pub(super) fn new(
        design: &Design,
        chosen: &[bool],
        inputs: Vec<Vec<bool>>,
        loop_start: Option<usize>,
    ) -> Result<Trace, Diagnostic> {
        let mut simulator = Simulator::new(design)?;
        let mut chosen = chosen.iter();
        simulator.start(|_| {
            if chosen.next() == Some(&true) {
                u64::MAX
            } else {
                0
            }
        });
        let latches = design.latches().iter();
        let initial = latches
            .map(|id| simulator.value(id.literal()) & 1 == 1)
            .collect();
        Ok(Trace {
            initial,
            inputs,
            loop_start,
        })
    }

    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.inputs.is_empty()
    }

    /// The values of [`Design::latches`] in the first step.
    pub fn initial(&self) -> &[bool] {
        &self.initial
    }

    /// For each step a value for each of [`Design::inputs`].
    pub fn inputs(&self) -> &[Vec<bool>] {
        &self.inputs
    }

    pub fn is_infinite(&self) -> bool {
        self.loop_start.is_some()
    }

    /// In an infinite run, the step that follows the last one.
    pub fn loop_start(&self) -> Option<usize> {
        self.loop_start
    }

    /// What the environment does, by the names of latches and inputs.
    pub fn stimulus(&self, design: &Design) -> Run {
        let index = |nodes: &[NodeId]| -> HashMap<NodeId, usize> {
            nodes.iter().copied().zip(0..).collect()
        };
        let (latches, inputs) = (index(design.latches()), index(design.inputs()));
        design.stimulus(
            self.len(),
            self.loop_start,
            |id| self.initial[latches[&id]],
            |id, step| self.inputs[step][inputs[&id]],
        )
    }

    /// The values of some literals in each step.
    pub fn values(
        &self,
        design: &Design,
        literals: &[Literal],
    ) -> Result<Vec<Vec<bool>>, Diagnostic> {
        self.values_for(design, literals, self.len())
    }

    /// The same for more steps, round the loop.
    fn values_for(
        &self,
        design: &Design,
        literals: &[Literal],
        steps: usize,
    ) -> Result<Vec<Vec<bool>>, Diagnostic> {
        let mut values = Vec::new();
        self.simulate(design, |simulator| {
            if values.len() == steps {
                return false;
            }
            let value = |literal: &Literal| simulator.value(*literal) & 1 == 1;
            values.push(literals.iter().map(value).collect());
            true
        })?;
        Ok(values)
    }

    /// Goes through the steps, and on round the loop, as long as the visitor says so.
    fn simulate(
        &self,
        design: &Design,
        mut visit: impl FnMut(&Simulator) -> bool,
    ) -> Result<(), Diagnostic> {
        let word = |value: Option<&bool>| if value == Some(&true) { u64::MAX } else { 0 };
        let latches = design.latches().iter().zip(&self.initial);
        let initial: HashMap<NodeId, &bool> = latches.map(|(id, value)| (*id, value)).collect();
        let mut simulator = Simulator::new(design)?;
        simulator.start(|id| word(initial.get(&id).copied()));
        let mut at = 0;
        while at < self.len() || self.loop_start.is_some() && !self.is_empty() {
            let mut inputs = self.inputs_at(at).iter();
            simulator.settle(|_| word(inputs.next()));
            if !visit(&simulator) {
                break;
            }
            simulator.advance();
            at += 1;
        }
        Ok(())
    }

    /// The same run, written so that the whole state of the design repeats and not only the
    /// part that the properties see; `None` if that needs more than `most` steps. A trace
    /// without a loop is given back as it is.
    pub fn with_whole_state(
        &self,
        design: &Design,
        most: usize,
    ) -> Result<Option<Trace>, Diagnostic> {
        let Some(start) = self.loop_start else {
            return Ok(Some(self.clone()));
        };
        let round = self.len().saturating_sub(start).max(1);
        let mut seen: HashMap<Vec<bool>, usize> = HashMap::new();
        let mut found = None;
        let mut at = 0;
        self.simulate(design, |simulator| {
            if at >= start && (at - start).is_multiple_of(round) {
                let value = |id: &NodeId| simulator.value(id.literal()) & 1 == 1;
                let state = design.latches().iter().map(value).collect();
                found = seen.insert(state, at).map(|earlier| (earlier, at));
            }
            at += 1;
            found.is_none() && at <= most
        })?;
        Ok(found.map(|(earlier, end)| Trace {
            initial: self.initial.clone(),
            inputs: (0..end).map(|at| self.inputs_at(at).to_vec()).collect(),
            loop_start: Some(earlier),
        }))
    }

    /// The inputs of a step, also of one that lies past the first round of the loop.
    fn inputs_at(&self, at: usize) -> &[bool] {
        match self.loop_start {
            Some(start) if at >= self.len() => {
                let round = self.len().saturating_sub(start).max(1);
                &self.inputs[start + (at - start) % round]
            }
            _ => self.inputs.get(at).map_or(&[], Vec::as_slice),
        }
    }
}

/// What a trace is judged by.
pub(super) struct Judge<'a> {
    /// With the gates of the atoms.
    pub design: &'a Design,
    pub formulas: &'a Formulas,
    pub atoms: &'a HashMap<AtomId, Literal>,
}

impl Judge<'_> {
    /// Confirms that a finite run keeps the safe assumptions, and violates a safe formula in
    /// its last step if one is given.
    pub fn confirm_prefix(
        &self,
        trace: &Trace,
        assumptions: &[FormulaId],
        violated: Option<FormulaId>,
    ) -> Result<(), Diagnostic> {
        let steps = self.steps(trace, assumptions.iter().chain(violated.as_ref()))?;
        let holds = |atom: AtomId, at: usize| steps[at][atom.index()];
        let possible = |formula: FormulaId| is_possible(self.formulas, formula, steps.len(), holds);
        if trace.is_empty() {
            return Err(wrong_trace("it has no step"));
        }
        if !assumptions.iter().all(|assumption| possible(*assumption)) {
            return Err(wrong_trace("it does not keep the assumptions"));
        }
        match violated {
            Some(formula) if possible(formula) => Err(wrong_trace("it violates nothing")),
            _ => Ok(()),
        }
    }

    /// Confirms that an infinite run keeps the assumptions and violates a formula, and gives
    /// back a shorter one if there is one inside it.
    pub fn confirm_lasso(
        &self,
        trace: Trace,
        assumptions: &[FormulaId],
        violated: FormulaId,
    ) -> Result<Trace, Diagnostic> {
        let Some(start) = trace.loop_start.filter(|start| *start < trace.len()) else {
            return Err(wrong_trace("it has no loop"));
        };
        let formulas = || assumptions.iter().chain([&violated]);
        let steps = self.steps(&trace, formulas())?;
        // One more than there are steps: the last one is that after the first round.
        let states = self.states(&trace, formulas())?;
        if states[start] != states[trace.len()] {
            return Err(wrong_trace(
                "it does not come back to where its loop starts",
            ));
        }
        let judged = |start: usize, end: usize| {
            let Some(lasso) = Lasso::new(steps[..start].to_vec(), steps[start..end].to_vec())
            else {
                return false;
            };
            let keeps = |formula: &FormulaId| lasso.satisfies(self.formulas, *formula);
            assumptions.iter().all(keeps) && !keeps(&violated)
        };
        if !judged(start, trace.len()) {
            return Err(wrong_trace("it does not show what it should"));
        }
        if trace.len() > LONGEST_TO_SHORTEN {
            return Ok(trace);
        }
        for end in 1..=trace.len() {
            for start in (0..end).rev() {
                if states[start] == states[end] && judged(start, end) {
                    let inputs = trace.inputs[..end].to_vec();
                    return Ok(Trace {
                        inputs,
                        loop_start: Some(start),
                        ..trace
                    });
                }
            }
        }
        Ok(trace)
    }

    /// The literals of all atoms of some formulas.
    pub fn literals<'f>(&self, formulas: impl Iterator<Item = &'f FormulaId>) -> Vec<Literal> {
        let atoms = formulas.flat_map(|formula| self.formulas.atoms_of(*formula));
        atoms
            .filter_map(|atom| self.atoms.get(&atom).copied())
            .collect()
    }

    /// The truth of the atoms of some formulas in each step, by their index; others are false.
    fn steps<'f>(
        &self,
        trace: &Trace,
        formulas: impl Iterator<Item = &'f FormulaId>,
    ) -> Result<Vec<Vec<bool>>, Diagnostic> {
        let mut atoms: Vec<AtomId> = formulas
            .flat_map(|formula| self.formulas.atoms_of(*formula))
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        let literal = |atom: &AtomId| self.atoms.get(atom).copied().unwrap_or(Literal::FALSE);
        let literals: Vec<Literal> = atoms.iter().map(literal).collect();
        let values = trace.values(self.design, &literals)?;
        let count = self.formulas.atoms().len();
        let spread = |values: Vec<bool>| {
            let mut step = vec![false; count];
            for (atom, value) in atoms.iter().zip(values) {
                step[atom.index()] = value;
            }
            step
        };
        Ok(values.into_iter().map(spread).collect())
    }

    /// The latches that some formulas depend on, in each step and in the one that follows.
    fn states<'f>(
        &self,
        trace: &Trace,
        formulas: impl Iterator<Item = &'f FormulaId>,
    ) -> Result<Vec<Vec<bool>>, Diagnostic> {
        let cone = self.design.cone(self.literals(formulas), Reach::Run);
        let latches = self.design.latches().iter();
        let seen: Vec<Literal> = latches
            .filter(|id| cone.contains(**id))
            .map(|id| id.literal())
            .collect();
        trace.values_for(self.design, &seen, trace.len() + 1)
    }
}

/// What was found does not stand up to being replayed: a defect of ours.
fn wrong_trace(reason: &str) -> Diagnostic {
    let message = format!("a counterexample that was found does not replay: {reason}");
    Diagnostic::error(frame::INTERNAL_ERROR, message)
        .note("no verdict is given, because this one cannot be trusted")
}
