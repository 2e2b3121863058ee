//! Whether some run keeps all constraints and meets each fairness condition again and again.
//!
//! The states from which such a run exists are the greatest fixpoint of [EL86]: as long as
//! something changes, keep only the states from which, for each condition, a path inside the
//! set leads to a step that meets it and stays in the set. Ours has conditions on steps
//! rather than states, starts from all states, and takes the reachable ones as a bound as
//! soon as they are known: both are computed in turns with a growing allowance of nodes, so
//! that a design whose reachable states are hard to compute is still checked if the fixpoint
//! alone is easy, and the other way round. At every moment the set holds all states of fair
//! runs, so there is none once it has no initial state.

use super::machine::{Machine, State, Step};
use super::reach::{Budget, Rings};
use super::tableau::Product;
use super::unfair::Layers;
use crate::bdd::{Bdd, Result};

/// An infinite run: the steps, and where the last one leads back to.
pub(super) struct FairRun {
    pub steps: Vec<Step>,
    pub loop_start: usize,
}

/// The search for the states of fair runs. When a limit ends it, it can go on with what it
/// has.
pub(super) struct FairSearch {
    conditions: Vec<Bdd>,
    /// All states of fair runs, and perhaps others.
    fair: Bdd,
    reachable: Rings,
    all_reached: bool,
    budget: Budget,
    /// What the set was before the present pass over the conditions.
    before: Bdd,
    /// The approaches of this pass to the conditions so far; the last one may be unfinished.
    approaches: Vec<Rings>,
    last_is_finished: bool,
    /// What the set was after each step that made it smaller, and the index of the condition
    /// that the states taken out cannot meet.
    layers: Vec<(Bdd, usize)>,
}

impl FairSearch {
    /// Without conditions any infinite run is fair.
    pub fn new(machine: &Machine, fairness: &[Bdd]) -> FairSearch {
        let any = [machine.one()];
        let conditions = if fairness.is_empty() { &any } else { fairness };
        FairSearch {
            conditions: conditions.to_vec(),
            fair: machine.one(),
            reachable: Rings::forward(machine.initial.clone()),
            all_reached: false,
            budget: Budget::new(),
            before: machine.one(),
            approaches: Vec::new(),
            last_is_finished: true,
            layers: Vec::new(),
        }
    }

    /// All states of fair runs; if none of these is initial, perhaps too many.
    pub fn run(&mut self, machine: &mut Machine) -> Result<Bdd> {
        while !self.turn(machine)? {
            self.budget.grow();
        }
        Ok(self.fair.clone())
    }

    /// A turn of either computation; true once the fixpoint is reached.
    fn turn(&mut self, machine: &mut Machine) -> Result<bool> {
        let budget = self.budget;
        if !self.all_reached {
            let reachable = &mut self.reachable;
            let turn = budget.spend(machine, |machine| {
                while reachable.grow(machine)? {}
                Ok(())
            })?;
            if turn.is_some() {
                self.fair = self.fair.and(&self.reachable.all)?;
                self.begin_pass();
                self.all_reached = true;
            }
        }
        let turn = budget.spend(machine, |machine| self.shrink(machine))?;
        Ok(turn.is_some())
    }

    fn begin_pass(&mut self) {
        self.before = self.fair.clone();
        self.approaches.clear();
        self.last_is_finished = true;
    }

    /// Goes on towards the fixpoint. When a limit ends it, the set is still a bound.
    fn shrink(&mut self, machine: &Machine) -> Result<()> {
        loop {
            if self.last_is_finished {
                if self.approaches.len() == self.conditions.len() {
                    if self.fair == self.before {
                        return Ok(());
                    }
                    self.begin_pass();
                }
                let condition = &self.conditions[self.approaches.len()];
                let rings = approach(machine, &self.fair, condition)?;
                self.approaches.push(rings);
                self.last_is_finished = false;
            }
            let Some(rings) = self.approaches.last_mut() else {
                return Ok(());
            };
            complete(machine, &self.fair, rings)?;
            let is_over = rings.all.is_disjoint_from(&machine.initial)?;
            if rings.all != self.fair {
                self.fair = rings.all.clone();
                let condition = self.approaches.len() - 1;
                self.layers.push((self.fair.clone(), condition));
            }
            self.last_is_finished = true;
            if is_over {
                return Ok(());
            }
        }
    }

    /// Why no initial state is in the set, if none is.
    pub fn layers(&self, machine: &Machine, product: &Product) -> Layers {
        let mut sets: Vec<Bdd> = self.layers.iter().map(|(set, _)| set.clone()).collect();
        sets.push(match self.all_reached {
            true => self.reachable.all.clone(),
            false => machine.one(),
        });
        Layers {
            sets: machine.claim(product, &sets),
            conditions: self
                .layers
                .iter()
                .map(|(_, condition)| *condition)
                .collect(),
        }
    }

    /// A fair run from an initial state, once the search has come to its end; `None` if there
    /// is none.
    pub fn fair_run(&self, machine: &Machine) -> Result<Option<FairRun>> {
        let start = self.fair.and(&machine.initial)?;
        let Some(start) = machine.pick_state(&start) else {
            return Ok(None);
        };
        let fair = &self.fair;
        let mut walk = Walk {
            machine,
            steps: Vec::new(),
            state: start,
        };
        loop {
            // All conditions once, from here on.
            let loop_start = walk.steps.len();
            // Those of the last pass are about the set that it has found no more to take from.
            for (condition, rings) in self.conditions.iter().zip(&self.approaches) {
                let met = |step: &Step| machine.step_is_in(condition, step);
                if !walk.steps[loop_start..].iter().any(met) {
                    walk.meet(condition, rings, fair)?;
                }
            }
            // The way back, if there is one: otherwise the walk has left a component of the
            // graph for good, which can happen only so often.
            let Some(first) = walk.steps.get(loop_start) else {
                return Ok(None);
            };
            let target = first.state.clone();
            if walk.return_to(&target, fair)? {
                return Ok(Some(FairRun {
                    steps: walk.steps,
                    loop_start,
                }));
            }
        }
    }
}

/// The states inside a set with a step that meets the condition and stays in the set: the
/// first ring around them.
fn approach(machine: &Machine, inside: &Bdd, condition: &Bdd) -> Result<Rings> {
    let meeting = condition.and(&machine.steps_into(inside)?)?;
    let start = machine.states_with(&meeting)?.and(inside)?;
    Ok(Rings::backward(start))
}

/// Adds the states inside a set from which a path inside it leads to the first ring, in rings
/// by the length of the path.
fn complete(machine: &Machine, inside: &Bdd, rings: &mut Rings) -> Result<()> {
    loop {
        let ring = machine
            .before(rings.outermost())?
            .and(inside)?
            .minus(&rings.all)?;
        if ring.is_zero() {
            return Ok(());
        }
        rings.all = rings.all.or(&ring)?;
        rings.rings.push(ring);
    }
}

struct Walk<'a> {
    machine: &'a Machine,
    steps: Vec<Step>,
    state: State,
}

impl Walk<'_> {
    /// Takes a step that is one of `steps` and leads into `targets`.
    fn go(&mut self, steps: &Bdd, targets: &Bdd) -> Result<bool> {
        let Some((step, next)) = self.machine.step_from(&self.state, steps, targets)? else {
            return Ok(false);
        };
        self.steps.push(step);
        self.state = next;
        Ok(true)
    }

    fn meet(&mut self, condition: &Bdd, rings: &Rings, fair: &Bdd) -> Result<()> {
        self.descend(&rings.rings)?;
        self.go(condition, fair)?;
        Ok(())
    }

    /// Goes from the ring of the present state to the innermost one.
    fn descend(&mut self, rings: &[Bdd]) -> Result<()> {
        let here = |ring: &Bdd| self.machine.contains(ring, &self.state);
        let index = rings.iter().position(here).unwrap_or(0);
        for ring in rings[..index].iter().rev() {
            self.go(&self.machine.one(), ring)?;
        }
        Ok(())
    }

    /// Goes to a state inside a set; false, and no step, if no path leads there.
    fn return_to(&mut self, target: &[bool], inside: &Bdd) -> Result<bool> {
        let machine = self.machine;
        let target = machine.state_set(target)?;
        let mut rings = Rings::backward(target);
        while !machine.contains(&rings.all, &self.state) {
            let ring = machine
                .before(rings.outermost())?
                .and(inside)?
                .minus(&rings.all)?;
            if ring.is_zero() {
                return Ok(false);
            }
            rings.all = rings.all.or(&ring)?;
            rings.rings.push(ring);
        }
        self.descend(&rings.rings)?;
        Ok(true)
    }
}
