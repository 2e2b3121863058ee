//! Recurrence: `G p` with `p` co-safe, as in `G F a`, `G (a -> F b)`, `G (a -> (b U c))`.
//!
//! Each step starts one more obligation `p`, and each of them has to be kept after finitely
//! many steps. Two sets of obligations are carried along, those that are waited for and
//! those that came later; when the first is empty the transition is accepting and the
//! second takes its place. This is the breakpoint construction [miyano-hayashi84] on
//! progression, and it is deterministic because progression is. An obligation that is
//! already waited for is not added to the later ones: keeping it once keeps both.

use super::decision::{DecisionId, Decisions};
use super::explore::{Graph, Overflow, Steps, explore, merge_equal, reachable};
use super::obligations::{BROKEN, KEPT, ObligationId};
use super::progression::Progression;
use super::{Limits, TooBig};
use crate::spec::formula::{FormulaId, Formulas};
use std::collections::HashMap;

/// A state of the breakpoint construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Breakpoint {
    /// Steps before the first obligation starts.
    delay: usize,
    waited_for: ObligationId,
    later: ObligationId,
}

struct BuchiSteps<'a> {
    progression: Progression<'a>,
    body: FormulaId,
    /// By leaf.
    outcomes: Vec<(Breakpoint, bool)>,
    leaves: HashMap<(Breakpoint, bool), u32>,
}

impl Steps for BuchiSteps<'_> {
    type State = Breakpoint;

    fn decisions(&mut self) -> &mut Decisions {
        &mut self.progression.decisions
    }

    fn successor(&self, leaf: u32) -> (Breakpoint, bool) {
        self.outcomes[leaf as usize]
    }

    fn step(&mut self, state: &Breakpoint) -> Result<DecisionId, TooBig> {
        if state.delay > 0 {
            let next = Breakpoint {
                delay: state.delay - 1,
                ..*state
            };
            let leaf = self.leaf(next, true);
            return self.progression.decisions.leaf(leaf);
        }
        let waited_for = self.progression.step(state.waited_for)?;
        let old = self.progression.step(state.later)?;
        let new = self.progression.diagram(self.body)?;
        let later = self.progression.and(old, new)?;
        let idle = state.waited_for == KEPT;
        let (joint, order) = self.progression.decisions.pairs(waited_for, later)?;
        let mut leaves = Vec::new();
        for (first, second) in order {
            let (next, accepting) = self.outcome(idle, first, second)?;
            leaves.push(self.leaf(next, accepting));
        }
        let decisions = &mut self.progression.decisions;
        decisions.map(joint, |pair| leaves[pair as usize])
    }
}

impl BuchiSteps<'_> {
    /// What follows when these are left of the obligations waited for and of the later ones.
    fn outcome(
        &mut self,
        idle: bool,
        waited_for: ObligationId,
        later: ObligationId,
    ) -> Result<(Breakpoint, bool), TooBig> {
        let state = |waited_for, later| Breakpoint {
            delay: 0,
            waited_for,
            later,
        };
        if waited_for == BROKEN || later == BROKEN {
            return Ok((state(BROKEN, KEPT), false));
        }
        if idle {
            // Nothing was waited for: the obligations that start now are, at once.
            return Ok((state(later, KEPT), later == KEPT));
        }
        if waited_for == KEPT {
            return Ok((state(later, KEPT), true));
        }
        let later = self.progression.obligations.without(later, waited_for)?;
        Ok((state(waited_for, later), false))
    }

    fn leaf(&mut self, state: Breakpoint, accepting: bool) -> u32 {
        let next = self.outcomes.len() as u32;
        let leaf = *self.leaves.entry((state, accepting)).or_insert(next);
        if leaf == next {
            self.outcomes.push((state, accepting));
        }
        leaf
    }
}

/// The merged graph of `G body`, which starts after `delay` steps.
pub fn buchi_graph(
    formulas: &Formulas,
    body: FormulaId,
    delay: usize,
    limits: &Limits,
) -> Result<Graph, Overflow> {
    let steps = BuchiSteps {
        progression: Progression::new(formulas, limits),
        body,
        outcomes: Vec::new(),
        leaves: HashMap::new(),
    };
    let initial = Breakpoint {
        delay,
        waited_for: KEPT,
        later: KEPT,
    };
    let (graph, _) = explore(steps, initial, limits)?;
    let kinds = vec![0; graph.steps.len()];
    let (graph, _) = merge_equal(graph, &kinds)?;
    let (graph, _) = reachable(graph)?;
    Ok(graph)
}
