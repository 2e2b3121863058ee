//! Runs of a design that show something, replayed before anybody sees them.

use super::finite::is_possible;
use crate::design::{Design, Literal, NodeSet, Reach, Run};
use crate::source::{Diagnostic, codes::frame};
use crate::spec::{AtomId, FormulaId, Formulas, Lasso};
use std::collections::HashMap;

/// Longer runs are not searched for a shorter one inside them.
const LONGEST_TO_SHORTEN: usize = 64;

/// A run of a design, from its first step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The values of [`Design::latches`] in the first step.
    pub initial: Vec<bool>,
    /// For each step a value for each of [`Design::inputs`].
    pub inputs: Vec<Vec<bool>>,
    /// In an infinite run, the step that follows the last one. All latches that the
    /// assumptions and the violated assertion depend on have the same value again then;
    /// others need not, see [`Trace::with_whole_state`].
    pub loop_start: Option<usize>,
}

impl Trace {
    /// From the values of those initial latches and inputs that matter; all others are 0.
    pub(super) fn new(
        design: &Design,
        chosen: &[bool],
        inputs: Vec<Vec<bool>>,
        loop_start: Option<usize>,
    ) -> Result<Trace, Diagnostic> {
        let first = inputs.get(..1).unwrap_or_default();
        let run = design.run(chosen, first)?;
        let latches = design.latches().iter();
        let initial = latches
            .map(|id| !run.is_empty() && run.value(0, id.literal()))
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

    /// The values of all nodes of the design in each step.
    pub fn run(&self, design: &Design) -> Result<Run, Diagnostic> {
        self.run_for(design, 0)
    }

    /// The same, and some more steps round the loop.
    fn run_for(&self, design: &Design, more: usize) -> Result<Run, Diagnostic> {
        let mut stimulus = self.inputs.clone();
        for _ in 0..more {
            let Some(start) = self.loop_start else { break };
            let round = self.inputs.len().saturating_sub(start).max(1);
            let position = start + (stimulus.len() - start) % round;
            stimulus.push(self.inputs[position].clone());
        }
        let chosen: Vec<bool> = design
            .latches()
            .iter()
            .zip(&self.initial)
            .filter(|(id, _)| design.chosen_latches().any(|chosen| chosen == **id))
            .map(|(_, value)| *value)
            .collect();
        design.run(&chosen, &stimulus)
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
        let run = self.run_for(design, most.saturating_sub(self.len()))?;
        let mut seen: HashMap<Vec<bool>, usize> = HashMap::new();
        for at in (start..run.len()).step_by(round) {
            let state: Vec<bool> = design
                .latches()
                .iter()
                .map(|id| run.value(at, id.literal()))
                .collect();
            if let Some(earlier) = seen.insert(state, at) {
                let inputs = (0..at).map(|at| self.inputs_at(at).to_vec()).collect();
                return Ok(Some(Trace {
                    inputs,
                    loop_start: Some(earlier),
                    ..self.clone()
                }));
            }
        }
        Ok(None)
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
        let run = trace.run(self.design)?;
        let holds = |atom: AtomId, at: usize| self.holds(&run, atom, at);
        let possible = |formula: FormulaId| is_possible(self.formulas, formula, run.len(), holds);
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
        let run = trace.run_for(self.design, 1)?;
        let formulas = assumptions.iter().chain([&violated]);
        let cone = self.design.cone(self.literals(formulas), Reach::Run);
        let Some(start) = trace.loop_start.filter(|start| *start < trace.len()) else {
            return Err(wrong_trace("it has no loop"));
        };
        if self.state(&run, &cone, start) != self.state(&run, &cone, trace.len()) {
            return Err(wrong_trace(
                "it does not come back to where its loop starts",
            ));
        }
        let judged = |start: usize, end: usize| {
            let steps = |from: usize, to: usize| (from..to).map(|at| self.step(&run, at)).collect();
            let Some(lasso) = Lasso::new(steps(0, start), steps(start, end)) else {
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
        let states: Vec<Vec<bool>> = (0..=trace.len())
            .map(|at| self.state(&run, &cone, at))
            .collect();
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

    fn holds(&self, run: &Run, atom: AtomId, at: usize) -> bool {
        self.atoms
            .get(&atom)
            .is_some_and(|literal| run.value(at, *literal))
    }

    fn step(&self, run: &Run, at: usize) -> Vec<bool> {
        self.formulas
            .atom_ids()
            .map(|atom| self.holds(run, atom, at))
            .collect()
    }

    /// The latches that the atoms depend on.
    fn state(&self, run: &Run, cone: &NodeSet, at: usize) -> Vec<bool> {
        let latches = self
            .design
            .latches()
            .iter()
            .filter(|id| cone.contains(**id));
        latches.map(|id| run.value(at, id.literal())).collect()
    }
}

/// What was found does not stand up to being replayed: a defect of ours.
fn wrong_trace(reason: &str) -> Diagnostic {
    let message = format!("a counterexample that was found does not replay: {reason}");
    Diagnostic::error(frame::INTERNAL_ERROR, message)
        .note("no verdict is given, because this one cannot be trusted")
}
