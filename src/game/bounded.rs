//! A formula that must not hold, as counters on a netlist [schewe-finkbeiner07], \[filiot11\].
//!
//! A nondeterministic Büchi automaton of the formula, read as a universal co-Büchi automaton
//! of its negation: on each run over a word, accepting edges may be taken only finitely often.
//! If a strategy sees to that, it sees to it with some bound; and whether all runs have kept a
//! bound so far is a question of one counter for each state, the largest of its runs. So the
//! player that has to avoid the formula plays a safety game, and wins it for large bounds if
//! it can win at all. That it loses for one bound means nothing.
//!
//! Ours follows the automaton on latches: one for each state and each number up to the bound,
//! which says whether some run is there that has counted so far or more. They are ordered by
//! implication, and a player that wins wins with fewer of them set. A run counts anew when it
//! comes to another strongly connected component, since it stays in one of them in the end;
//! where no edge of a component is accepting, nothing is counted; and a state in which
//! everything is accepted is lost at once.
//!
//! Where there are deterministic monitors already, it is their condition that is counted: a
//! case to be avoided, "these colours again and again and those only finitely often", is an
//! automaton that waits for the last one of those and then for these in turn. Of its runs the
//! one that began after the last of those is ahead of all others, so there is one counter for
//! each case.

use super::emerson_lei::build::{BuildError, Builder};
use super::emerson_lei::condition::{Colours, Objective};
use super::emerson_lei::explicit::long_run;
use super::emerson_lei::solve::Player;
use crate::design::{Design, Literal, NodeId, Reset};
use crate::graph::components;
use crate::spec::FormulaId;
use crate::spec::automaton::buchi::buchi;
use crate::spec::automaton::omega::{Automaton, Case};
use crate::spec::automaton::{Limits, MonitorError};
use crate::spec::formula::TRUE;

/// The automaton of a formula, judged some steps late over what a builder remembers.
#[derive(Clone, Debug)]
pub struct Universal {
    automaton: Automaton,
    delay: usize,
}

impl Universal {
    pub fn states(&self) -> usize {
        self.automaton.states.len()
    }
}

impl Builder {
    /// The automaton of a formula that is not to hold.
    pub fn universal(
        &mut self,
        formula: FormulaId,
        limits: &Limits,
    ) -> Result<Universal, BuildError> {
        let formula = self.simplified(formula);
        let (formula, delay) = self.without_next(formula)?;
        let too_big = |_| BuildError::Monitor(MonitorError::TooManyStates(limits.states));
        let automaton = buchi(self.formulas(), formula, limits).map_err(too_big)?;
        Ok(Universal { automaton, delay })
    }

    /// Adds counters up to a bound; the literal holds in a step in which a run exceeds it.
    pub fn exceeded(&mut self, universal: &Universal, bound: usize) -> Result<Literal, BuildError> {
        let automaton = &universal.automaton;
        let successors: Vec<Vec<usize>> = automaton
            .states
            .iter()
            .map(|edges| edges.iter().map(|edge| edge.successor).collect())
            .collect();
        let component = components(&successors);
        let count = automaton.states.len();
        let mut counts = vec![false; count];
        let mut is_lost = vec![false; count];
        for (state, edges) in automaton.states.iter().enumerate() {
            for edge in edges {
                let accepting = !edge.marks.is_empty();
                if accepting && component[state] == component[edge.successor] {
                    counts[component[state]] = true;
                    is_lost[state] |= edge.successor == state && edge.guard == TRUE;
                }
            }
        }
        if automaton.start.iter().any(|state| is_lost[*state]) {
            return Ok(Literal::TRUE);
        }
        let levels = |state: usize| match (is_lost[state], counts[component[state]]) {
            (true, _) => 0,
            (false, true) => bound + 1,
            (false, false) => 1,
        };
        let starts = |state: usize, level: usize| level == 0 && automaton.start.contains(&state);
        let mut latches: Vec<Vec<NodeId>> = Vec::new();
        for state in 0..count {
            let own = (0..levels(state)).map(|level| self.add_latch(starts(state, level)));
            latches.push(own.collect());
        }
        let mut next: Vec<Vec<Literal>> = latches
            .iter()
            .map(|own| vec![Literal::FALSE; own.len()])
            .collect();
        let mut exceeded = Literal::FALSE;
        for (state, edges) in automaton.states.iter().enumerate() {
            if is_lost[state] {
                continue;
            }
            for edge in edges {
                let guard = self.value(edge.guard, 0)?;
                let to = edge.successor;
                let design = &mut self.design;
                if is_lost[to] {
                    let taken = design.and(latches[state][0].literal(), guard);
                    exceeded = design.or(exceeded, taken);
                    continue;
                }
                if component[state] != component[to] {
                    let taken = design.and(latches[state][0].literal(), guard);
                    next[to][0] = design.or(next[to][0], taken);
                    continue;
                }
                let step = usize::from(!edge.marks.is_empty());
                for level in 0..levels(to) {
                    let from = latches[state][level.saturating_sub(step)];
                    let taken = design.and(from.literal(), guard);
                    next[to][level] = design.or(next[to][level], taken);
                }
                if step == 1 {
                    let taken = design.and(latches[state][bound].literal(), guard);
                    exceeded = design.or(exceeded, taken);
                }
            }
        }
        let started = self.started(universal.delay);
        for (state, (latches, next)) in latches.into_iter().zip(next).enumerate() {
            for (level, (latch, next)) in latches.into_iter().zip(next).enumerate() {
                let first = Literal::constant(starts(state, level));
                let next = self.design.mux(started, next, first);
                self.design.set_next(latch, next);
            }
        }
        Ok(self.design.and(started, exceeded))
    }
}

/// More cases than this would be too many counters, unless there is nothing else to try.
pub const MOST_CASES: usize = 60;

/// The safety game in which a player keeps its side of an objective, and each case in which
/// it would lose in the long run happens at most so often; nothing if there are none, or more
/// than `most`.
pub fn counted(
    design: &Design,
    objective: &Objective,
    player: Player,
    bound: usize,
    most: usize,
) -> Option<(Design, Objective)> {
    let mut design = design.clone();
    let condition = long_run(&objective.colours, &mut 0);
    let avoided = match player {
        Player::System => condition.negated(),
        Player::Environment => condition,
    };
    let cases = avoided.cases().ok()?;
    if cases.is_empty() || cases.len() > most {
        return None;
    }
    let colours = objective.colours.literals();
    let mut exceeded = Literal::FALSE;
    for case in &cases {
        let own = count_case(&mut design, &colours, case, bound);
        exceeded = design.or(exceeded, own);
    }
    let objective = match player {
        Player::System => Objective {
            won: objective.won,
            invariant: design.and(objective.invariant, !exceeded),
            colours: Colours::Constant(true),
        },
        Player::Environment => Objective {
            won: design.or(objective.won, exceeded),
            invariant: objective.invariant,
            colours: Colours::Constant(false),
        },
    };
    Some((design, objective))
}

/// Adds the counter of a case; the literal holds in a step in which it exceeds the bound.
fn count_case(design: &mut Design, colours: &[Literal], case: &Case, bound: usize) -> Literal {
    let wanted: Vec<Literal> = case.inf.iter().map(|colour| colours[*colour]).collect();
    let ends = design.or_all(case.fin.iter().map(|colour| colours[*colour]));
    // Which of the wanted ones has been seen in this round, as a chain: each after those
    // before it. The last one ends the round.
    let seen: Vec<NodeId> = (1..wanted.len())
        .map(|_| design.add_latch(Reset::Zero))
        .collect();
    let mut before = Literal::TRUE;
    let mut now = Vec::new();
    for (index, wanted) in wanted.iter().enumerate() {
        let known = match seen.get(index) {
            Some(latch) => design.or(latch.literal(), *wanted),
            None => *wanted,
        };
        before = design.and(before, known);
        now.push(before);
    }
    let round = design.and(before, !ends);
    for (latch, now) in seen.iter().zip(now) {
        let on = design.and(now, !before);
        let next = design.and(on, !ends);
        design.set_next(*latch, next);
    }
    let counts: Vec<NodeId> = (0..bound).map(|_| design.add_latch(Reset::Zero)).collect();
    let mut last = Literal::TRUE;
    for latch in counts {
        let counted = design.and(round, last);
        let kept = design.and(latch.literal(), !ends);
        let next = design.or(kept, counted);
        design.set_next(latch, next);
        last = latch.literal();
    }
    design.and(round, last)
}
