//! Whether a bad step can be reached, by breadth-first search from both ends.
//!
//! Rings of states are kept: those that the initial states reach in exactly 0, 1, 2, ...
//! steps and no fewer, and those that need 0, 1, 2, ... steps to a bad one. Each turn adds a
//! ring on the side whose last one is smaller. The first time that the outermost rings of
//! the two sides meet gives a shortest counterexample; when a side finds nothing new, there
//! is none. Some designs are easy backward and hopeless forward, and some the other way
//! round, so a turn may use only so many nodes: a side that needs more waits until the other
//! one does, too, and then both get more.

use super::machine::{Machine, State, Step};
use crate::bdd::{Bdd, Error, Result};

/// How many nodes a turn may add at first, and how the allowance grows. Past the last one
/// only the limits of the user count.
const FIRST_BUDGET: usize = 50_000;
const BUDGET_GROWTH: usize = 4;
const LAST_BUDGET: usize = 100_000_000;

/// Turns that use a limited number of nodes.
#[derive(Clone, Copy)]
pub(super) struct Budget(Option<usize>);

impl Budget {
    pub fn new() -> Budget {
        Budget(Some(FIRST_BUDGET))
    }

    pub fn grow(&mut self) {
        self.0 = match self.0 {
            Some(nodes) if nodes < LAST_BUDGET => Some(nodes * BUDGET_GROWTH),
            _ => None,
        };
    }

    /// Runs a turn; `None` if it needs more.
    pub fn spend<T>(
        &self,
        machine: &mut Machine,
        turn: impl FnOnce(&mut Machine) -> Result<T>,
    ) -> Result<Option<T>> {
        machine.set_budget(self.0);
        let result = turn(machine);
        machine.set_budget(None);
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Error::Nodes) if self.0.is_some() => Ok(None),
            Err(error) => {
                if error == Error::Effort {
                    machine.interrupt();
                }
                Err(error)
            }
        }
    }
}

/// Rings around a set of states, in one direction.
pub(super) struct Rings {
    pub rings: Vec<Bdd>,
    /// The union of the rings.
    pub all: Bdd,
    forward: bool,
    /// Nothing is left to add.
    is_complete: bool,
}

impl Rings {
    pub fn forward(start: Bdd) -> Rings {
        Rings {
            rings: vec![start.clone()],
            all: start,
            forward: true,
            is_complete: false,
        }
    }

    pub fn backward(start: Bdd) -> Rings {
        Rings {
            forward: false,
            ..Rings::forward(start)
        }
    }

    pub fn outermost(&self) -> &Bdd {
        self.rings.last().unwrap_or(&self.all)
    }

    /// Adds a ring; false if nothing is left to add.
    pub fn grow(&mut self, machine: &mut Machine) -> Result<bool> {
        // Any set between the ring and all that is known gives the same new states.
        let known_inside = self.all.minus(self.outermost())?;
        let start = self.outermost().minimize(&known_inside.not())?;
        let found = if self.forward {
            machine.after(&start)?
        } else {
            machine.before(&start)?
        };
        let new = found.minus(&self.all)?;
        if new.is_zero() {
            self.is_complete = true;
            return Ok(false);
        }
        self.all = self.all.or(&new)?;
        self.rings.push(new);
        Ok(true)
    }
}

/// The search for a shortest run to one kind of bad step. When a limit ends it, it can go on
/// with the rings that it has. Rings around the initial states are no part of it: searches
/// for several kinds of bad steps share them, and go on with what another one has added.
pub(super) struct BadSearch {
    bad: Bdd,
    backward: Rings,
    /// How many forward rings were compared with the outermost backward one. Shorter runs
    /// than those that this leaves out do not exist.
    compared: usize,
    budget: Budget,
    forward_waits: bool,
    backward_waits: bool,
}

impl BadSearch {
    /// `None` if there is nothing to search: no state is initial, or none has a bad step. All
    /// states, or none, are such as [`closed`](BadSearch::closed) gives then.
    pub fn new(machine: &Machine, bad: &Bdd) -> Result<Option<BadSearch>> {
        let ends = machine.states_with(bad)?;
        if ends.is_zero() || machine.initial.is_zero() {
            return Ok(None);
        }
        Ok(Some(BadSearch {
            bad: bad.clone(),
            backward: Rings::backward(ends),
            compared: 0,
            budget: Budget::new(),
            forward_waits: false,
            backward_waits: false,
        }))
    }

    pub fn run(&mut self, machine: &mut Machine, forward: &mut Rings) -> Result<Option<Vec<Step>>> {
        loop {
            while let Some(ring) = forward.rings.get(self.compared) {
                let meeting = ring.and(self.backward.outermost())?;
                if let Some(state) = machine.pick_state(&meeting) {
                    let before = &forward.rings[..self.compared];
                    return path(machine, before, &self.backward, &self.bad, state).map(Some);
                }
                self.compared += 1;
            }
            if forward.is_complete {
                return Ok(None);
            }
            let goes_forward = self.picks_forward(forward);
            let grown = if goes_forward {
                let side = |machine: &mut Machine| forward.grow(machine);
                self.budget.spend(machine, side)?
            } else {
                let backward = &mut self.backward;
                let side = |machine: &mut Machine| backward.grow(machine);
                self.budget.spend(machine, side)?
            };
            match grown {
                // A run that meets the new ring further inside would have been found before.
                Some(true) if !goes_forward => self.compared = forward.rings.len() - 1,
                Some(true) => {}
                Some(false) => return Ok(None),
                None if goes_forward => self.forward_waits = true,
                None => self.backward_waits = true,
            }
        }
    }

    /// Once the search has found nothing: states that no step leaves, and none of which has a
    /// bad step.
    pub fn closed(&self, forward: &Rings) -> Bdd {
        if forward.is_complete {
            forward.all.clone()
        } else {
            self.backward.all.not()
        }
    }

    /// How many rings there are on both sides, beside the first ones.
    pub fn steps(&self, forward: &Rings) -> usize {
        forward.rings.len() + self.backward.rings.len() - 2
    }

    /// Which side adds the next ring. If both need more than they may use, both get more.
    fn picks_forward(&mut self, forward: &Rings) -> bool {
        let smaller_forward = forward.outermost().size() <= self.backward.outermost().size();
        match (self.forward_waits, self.backward_waits) {
            (true, true) => {
                self.budget.grow();
                (self.forward_waits, self.backward_waits) = (false, false);
                smaller_forward
            }
            (true, false) => false,
            (false, true) => true,
            (false, false) => smaller_forward,
        }
    }
}

/// `forward` are the rings before the one in which the sides meet.
fn path(
    machine: &Machine,
    forward: &[Bdd],
    backward: &Rings,
    bad: &Bdd,
    meeting: State,
) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut state = meeting.clone();
    for ring in forward.iter().rev() {
        // A ring consists of successors of the one before it.
        let Some(step) = machine.step_to(ring, &state)? else {
            break;
        };
        state = step.state.clone();
        steps.push(step);
    }
    steps.reverse();
    let mut state = meeting;
    for ring in backward.rings.iter().rev().skip(1) {
        let Some((step, next)) = machine.step_from(&state, &machine.one(), ring)? else {
            break;
        };
        steps.push(step);
        state = next;
    }
    if let Some((step, _)) = machine.step_from(&state, bad, &machine.one())? {
        steps.push(step);
    }
    Ok(steps)
}
