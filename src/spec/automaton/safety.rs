//! Safety by progression: the states are the obligations that are reached, and broken ones
//! are the trap [kupferman-vardi01]. Co-safety uses the same graph of the negation, whose trap
//! is then what has to be reached.

use super::decision::{DecisionId, Decisions};
use super::explore::{Graph, Overflow, Steps, close_trap, explore, merge_equal, reachable};
use super::obligations::{BROKEN, ObligationId};
use super::progression::Progression;
use super::{Limits, TooBig};
use crate::spec::formula::{FormulaId, Formulas};

struct SafetySteps<'a>(Progression<'a>);

impl Steps for SafetySteps<'_> {
    type State = ObligationId;

    fn decisions(&mut self) -> &mut Decisions {
        &mut self.0.decisions
    }

    fn step(&mut self, state: &ObligationId) -> Result<DecisionId, TooBig> {
        self.0.step(*state)
    }

    fn successor(&self, leaf: u32) -> (ObligationId, bool) {
        (leaf, leaf != BROKEN)
    }
}

/// The merged graph of a safety formula, and its trap.
pub fn safety_graph(
    formulas: &Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<(Graph, Option<usize>), Overflow> {
    let mut progression = Progression::new(formulas, limits);
    let initial = progression.start(formula)?;
    let (mut graph, states) = explore(SafetySteps(progression), initial, limits)?;
    let trap = states.iter().position(|state| *state == BROKEN);
    if let Some(trap) = trap {
        close_trap(&mut graph, trap)?;
    }
    // A state that was found to be lost has the same kind as the trap.
    let lost = trap.map(|trap| graph.steps[trap]);
    let kinds: Vec<usize> = graph
        .steps
        .iter()
        .map(|step| usize::from(lost == Some(*step)))
        .collect();
    let (graph, classes) = merge_equal(graph, &kinds)?;
    let (graph, numbers) = reachable(graph)?;
    let trap = trap.and_then(|trap| numbers[classes[trap]]);
    Ok((graph, trap))
}
