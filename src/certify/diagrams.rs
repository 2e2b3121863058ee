//! The search for bad steps with decision diagrams, as far as it got.
//!
//! Bad steps that depend on the same latches and inputs have one machine, and share the rings
//! of states around the initial ones: when these are complete, all of them are decided. That
//! there is none is a claim, as it is when the solver says so: some states are never left, and
//! [`closed`](super::closed) checks that without the diagrams that have found them.

use super::claim::StateSets;
use super::engines::{Found, Outcome, Search, Watch};
use super::experience::{Experience, KnownOrder};
use super::live::wrong;
use super::machine::{Machine, Order};
use super::proof::Reason;
use super::reach::{BadSearch, Rings};
use super::{Failure, closed};
use crate::bdd::{Bdd, Error, Limits};
use crate::design::{Literal, NodeId};
use std::collections::HashMap;
use std::rc::Rc;

/// After so many in one group had to stop, the others would have to, too.
const FUTILE: usize = 2;

pub(super) struct Diagrams {
    groups: Vec<Group>,
}

/// What a turn has come to.
#[derive(Default)]
pub(super) struct Turn {
    /// What need not be looked for any more.
    pub decided: Vec<usize>,
    /// How much work was allowed in all.
    pub used: u64,
}

/// Bad steps that depend on the same.
#[derive(Default)]
struct Group {
    members: Vec<usize>,
    machine: Option<(Machine, HashMap<usize, Bdd>, Rings)>,
    searches: HashMap<usize, BadSearch>,
    /// States that no step leaves, as was checked.
    closed: Option<(Bdd, Rc<StateSets>)>,
    is_started: Vec<usize>,
}

impl Diagrams {
    /// From the latches and inputs that each kind of bad steps depends on.
    pub fn new(leaves: Vec<Vec<NodeId>>) -> Diagrams {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: HashMap<Vec<NodeId>, usize> = HashMap::new();
        for (index, leaves) in leaves.into_iter().enumerate() {
            let group = *known.entry(leaves).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Group::default());
            }
            groups[group].members.push(index);
        }
        Diagrams { groups }
    }

    /// The order that the largest of the machines has come to.
    pub fn known_order(&self, search: &Search) -> Option<KnownOrder> {
        let machines = self
            .groups
            .iter()
            .filter_map(|group| group.machine.as_ref());
        let orders = machines.filter_map(|(machine, ..)| machine.known_order(search.product));
        orders.max_by_key(|order| order.nodes)
    }

    /// Looks for those that are open, with so much work for each.
    pub fn turn(
        &mut self,
        search: &Search,
        open: &[usize],
        work: u64,
        watch: &mut impl Watch,
    ) -> Result<Turn, Failure> {
        let mut turn = Turn::default();
        for group in &mut self.groups {
            group.members.retain(|index| open.contains(index));
            let mut stopped = 0;
            for index in group.members.clone() {
                if turn.decided.contains(&index) {
                    continue;
                }
                if stopped == FUTILE {
                    break;
                }
                if !group.is_started.contains(&index) {
                    group.is_started.push(index);
                    watch.starting(index);
                }
                turn.used = turn.used.saturating_add(work);
                match group.search(search, index, work) {
                    Ok(outcome) => {
                        search.learn(&outcome, work);
                        turn.decided.push(index);
                        turn.decided.extend(watch.decided(index, outcome)?);
                    }
                    Err(Failure::Limit(Error::Effort)) => stopped += 1,
                    // Others may need fewer nodes.
                    Err(Failure::Limit(error @ (Error::Nodes | Error::Variables))) => {
                        turn.decided.push(index);
                        watch.decided(index, Outcome::Unknown(error))?;
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(turn)
    }
}

/// A machine in the usual order, or in one that has served a similar design.
fn machine(
    search: &Search,
    literals: &[Literal],
    limits: &Limits,
) -> Result<(Machine, Vec<Bdd>), Error> {
    let product = search.product;
    let known = search.experience.and_then(Experience::order);
    let Some(known) = known else {
        return Machine::new(product, literals, &[], limits);
    };
    let nodes = known.leaves.iter().map(|leaf| leaf.node(&product.design));
    let order = Order {
        proposed: &nodes.flatten().collect::<Vec<NodeId>>(),
        until: Some(known.nodes),
    };
    Machine::within(product, literals, &[], order, limits)
}

impl Group {
    /// Ends with [`Error::Effort`] if the work was not enough; what was found so far stays.
    fn search(&mut self, search: &Search, index: usize, work: u64) -> Result<Outcome, Failure> {
        if self.machine.is_none() {
            let limits = Limits {
                work: Some(work.saturating_mul(self.members.len() as u64)),
                ..search.limits.clone()
            };
            let literals = self.members.iter().map(|index| search.bad[*index]);
            let literals: Vec<_> = literals.collect();
            let (machine, functions) = machine(search, &literals, &limits)?;
            let functions = self.members.iter().copied().zip(functions).collect();
            let forward = Rings::forward(machine.initial.clone());
            self.machine = Some((machine, functions, forward));
        }
        let Some((machine, functions, forward)) = &mut self.machine else {
            return Err(Failure::Limit(Error::Effort));
        };
        machine.allow(work);
        let own = match self.searches.entry(index) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(entry) => {
                match BadSearch::new(machine, &functions[&index])? {
                    Some(search) => entry.insert(search),
                    None if machine.initial.is_zero() => {
                        let none = machine.one().not();
                        return self.confirmed(search, index, &none, 0);
                    }
                    None => {
                        let all = machine.one();
                        return self.confirmed(search, index, &all, 0);
                    }
                }
            }
        };
        let found = own.run(machine, forward)?;
        let steps = own.steps(forward);
        let Some(run) = found else {
            let closed = own.closed(forward);
            return self.confirmed(search, index, &closed, steps);
        };
        self.searches.remove(&index);
        let trace = search.trace(index, machine.input_run(&run))?;
        Ok(Outcome::Reached(
            trace,
            Found::Diagrams { steps: run.len() },
        ))
    }

    /// That bad steps are unreachable because no step leaves some states, which is checked.
    fn confirmed(
        &mut self,
        search: &Search,
        index: usize,
        closed: &Bdd,
        steps: usize,
    ) -> Result<Outcome, Failure> {
        let Search {
            product,
            bad,
            limits,
            ..
        } = search;
        let known = self.closed.as_ref();
        let known = known.filter(|(set, _)| set == closed);
        let claim = match (known, &self.machine) {
            (Some((_, claim)), _) => claim.clone(),
            (None, Some((machine, ..))) => {
                let claim = Rc::new(machine.claim(product, std::slice::from_ref(closed)));
                if !closed::is_closed(product, &claim, limits)? {
                    return Err(Failure::from(wrong("states that were found are left")));
                }
                self.closed = Some((closed.clone(), claim.clone()));
                claim
            }
            (None, None) => return Err(Failure::Limit(Error::Effort)),
        };
        if !closed::excludes(product, &claim, bad[index], limits)? {
            let message = "states that were found have a bad step";
            return Err(Failure::from(wrong(message)));
        }
        self.searches.remove(&index);
        let found = Found::Diagrams { steps };
        Ok(Outcome::Unreachable(Reason::States(claim), found))
    }
}
