//! Which places recorded runs cannot be about, by simulation with unknown values.
//!
//! All that a place computes is made unknown, and the runs are simulated with three values. What
//! is known then is so whatever stands at the place, and if a known value is not the recorded
//! one, no change of the place alone mends the run. This is weaker than the question to a solver
//! in [`recorded_open`](super::recorded_open), since an unknown value that meets its complement
//! stays unknown, but 64 places are simulated side by side, in the bits of words: all places
//! together take less than a few of these questions.

use super::RepairError;
use super::locate::Location;
use crate::bdd;
use crate::design::{ComponentId, Design, Literal, Netlist, NodeId, Reset, Site};
use crate::source::Diagnostic;
use crate::trace::{Binding, Recording, Row};
use std::collections::HashSet;

/// Places that are simulated at once: bits of a word.
const LANES: usize = 64;
/// Gates to evaluate for each word of places; of longer runs only the first cycles count.
const EFFORT: usize = 200_000_000;
/// Components of which pairs are looked at.
const MOST_TOUCHING: usize = 150;

/// For each location and each run the first cycle that shows a wrong value whatever stands at
/// the location; `usize::MAX` if there is none.
pub(super) fn refuted(
    netlist: &Netlist,
    recordings: &[Recording],
    locations: &[Location],
    limits: &bdd::Limits,
) -> Result<Vec<Vec<usize>>, RepairError> {
    let design = netlist.design();
    let bindings = recordings.iter().map(|one| one.bind(design).ok());
    let unknown = vec![vec![usize::MAX; recordings.len()]; locations.len()];
    let Some(bindings) = bindings.collect::<Option<Vec<Binding>>>() else {
        return Ok(unknown);
    };
    let order: Vec<NodeId> = design.checked_order()?;
    let mut found = Vec::new();
    for some in locations.chunks(LANES) {
        let mut lanes = Lanes::new(netlist, &order, some);
        let mut effort = EFFORT;
        let mut wrong = vec![Vec::new(); some.len()];
        for (recording, binding) in recordings.iter().zip(&bindings) {
            let first = lanes.first_wrong(recording, binding, &mut effort, limits);
            for (lane, wrong) in wrong.iter_mut().enumerate() {
                wrong.push(first[lane]);
            }
        }
        found.extend(wrong);
    }
    Ok(found)
}

/// Pairs of components that may mend the first differences together, where neither is refuted
/// by another value: those first that may mend the whole runs. Only components that a wrong
/// value of a first difference depends on are looked at; `alone` are those that may be the only
/// fault, which need no second one.
pub(super) fn pairs(
    netlist: &Netlist,
    recordings: &[Recording],
    components: &[ComponentId],
    alone: &HashSet<ComponentId>,
    first: &[usize],
    limits: &bdd::Limits,
) -> Result<Vec<Location>, RepairError> {
    let mut touching = touching(netlist, recordings, components, first, limits)?;
    touching.retain(|id| !alone.contains(id));
    touching.truncate(MOST_TOUCHING);
    let mut pairs: Vec<Location> = Vec::new();
    for (count, second) in touching.iter().enumerate() {
        pairs.extend(touching[..count].iter().map(|first| vec![*first, *second]));
    }
    let refuted = refuted(netlist, recordings, &pairs, limits)?;
    let mut parts = [Vec::new(), Vec::new()];
    for (pair, wrong) in pairs.into_iter().zip(&refuted) {
        if wrong.iter().all(|cycle| *cycle == usize::MAX) {
            parts[0].push(pair);
        } else if wrong.iter().zip(first).all(|(wrong, first)| wrong >= first) {
            parts[1].push(pair);
        }
    }
    Ok(parts.concat())
}

/// The components with which some wrong value of a first difference becomes unknown.
fn touching(
    netlist: &Netlist,
    recordings: &[Recording],
    components: &[ComponentId],
    first: &[usize],
    limits: &bdd::Limits,
) -> Result<Vec<ComponentId>, RepairError> {
    let design = netlist.design();
    let order: Vec<NodeId> = design.checked_order()?;
    let mut touching = Vec::new();
    for some in components.chunks(LANES - 1) {
        let mut locations: Vec<Location> = some.iter().map(|id| vec![*id]).collect();
        // The last lane is the design as it is.
        locations.push(Location::new());
        let mut lanes = Lanes::new(netlist, &order, &locations);
        let mut touched = 0;
        for (recording, first) in recordings.iter().zip(first) {
            let Ok(binding) = recording.bind(design) else {
                return Ok(Vec::new());
            };
            touched |= lanes.touched(recording, &binding, *first, limits);
        }
        let some = some.iter().enumerate();
        let some = some.filter(|(lane, _)| touched >> lane & 1 == 1);
        touching.extend(some.map(|(_, id)| *id));
    }
    Ok(touching)
}

/// A value in 64 simulations: where it can be 0, and where it can be 1.
#[derive(Clone, Copy)]
struct Rails {
    zero: u64,
    one: u64,
}

impl Rails {
    const UNKNOWN: Rails = Rails {
        zero: u64::MAX,
        one: u64::MAX,
    };

    fn known(value: bool) -> Rails {
        match value {
            true => Rails {
                zero: 0,
                ..Rails::UNKNOWN
            },
            false => Rails {
                one: 0,
                ..Rails::UNKNOWN
            },
        }
    }

    fn of(value: Option<bool>) -> Rails {
        value.map_or(Rails::UNKNOWN, Rails::known)
    }

    fn or_unknown(self, lanes: u64) -> Rails {
        Rails {
            zero: self.zero | lanes,
            one: self.one | lanes,
        }
    }
}

/// Runs of one design, in each of which another location computes unknown values.
pub(super) struct Lanes<'a> {
    design: &'a Design,
    gates: Vec<(NodeId, Literal, Literal)>,
    values: Vec<Rails>,
    /// For each node the lanes in which its value, its next value and its reset are unknown.
    open: Vec<u64>,
    open_next: Vec<u64>,
    open_reset: Vec<u64>,
    lanes: usize,
}

impl<'a> Lanes<'a> {
    /// One run of a design as it is.
    pub fn of_design(design: &'a Design) -> Result<Lanes<'a>, Diagnostic> {
        Ok(Lanes::closed(design, &design.checked_order()?))
    }

    fn closed(design: &'a Design, order: &[NodeId]) -> Lanes<'a> {
        let gate = |id: &NodeId| {
            let (left, right) = design.gate(*id)?;
            Some((*id, left, right))
        };
        Lanes {
            design,
            gates: order.iter().filter_map(gate).collect(),
            values: vec![Rails::UNKNOWN; design.len()],
            open: vec![0; design.len()],
            open_next: vec![0; design.len()],
            open_reset: vec![0; design.len()],
            lanes: 1,
        }
    }

    fn new(netlist: &'a Netlist, order: &[NodeId], locations: &[Location]) -> Lanes<'a> {
        let mut lanes = Lanes::closed(netlist.design(), order);
        lanes.lanes = locations.len();
        for (lane, location) in locations.iter().enumerate() {
            let sites = location.iter().flat_map(|id| netlist.sites(*id));
            for site in sites {
                let (nodes, id) = match site {
                    Site::Gate(id) => (&mut lanes.open, id),
                    Site::Next(id) => (&mut lanes.open_next, id),
                    Site::Reset(id) => (&mut lanes.open_reset, id),
                };
                nodes[id.index()] |= 1 << lane;
            }
        }
        lanes
    }

    /// The lanes in which a value is unknown that the last lane shows wrong in the last of some
    /// cycles.
    fn touched(
        &mut self,
        recording: &Recording,
        binding: &Binding,
        cycles: usize,
        limits: &bdd::Limits,
    ) -> u64 {
        let driven = self.driven(binding);
        let mut touched = 0;
        self.start(recording);
        for cycle in 0..cycles
            .min(recording.cycles())
            .min(EFFORT / self.gates.len().max(1))
        {
            if limits.check().is_err() {
                break;
            }
            let row = recording.row(cycle);
            self.settle(|id| driven[id.index()].and_then(|at| row.bit(at)));
            if cycle + 1 == cycles {
                for (literal, offset) in &binding.compared {
                    let wrong = self.wrong_at(*literal, row.bit(*offset));
                    if wrong >> (self.lanes - 1) & 1 == 1 {
                        touched |= !wrong;
                    }
                }
            }
            self.advance();
        }
        touched
    }

    /// For each node the bit of a row that drives it.
    fn driven(&self, binding: &Binding) -> Vec<Option<usize>> {
        let mut driven: Vec<Option<usize>> = vec![None; self.design.len()];
        for (id, offset) in &binding.driven {
            driven[id.index()] = Some(*offset);
        }
        driven
    }

    /// For each lane the first cycle of a run in which a known value is wrong.
    fn first_wrong(
        &mut self,
        recording: &Recording,
        binding: &Binding,
        effort: &mut usize,
        limits: &bdd::Limits,
    ) -> Vec<usize> {
        let mut first = vec![usize::MAX; self.lanes];
        let mut pending = u64::MAX >> (LANES - self.lanes.clamp(1, LANES));
        let driven = self.driven(binding);
        self.start(recording);
        for cycle in 0..recording.cycles() {
            let Some(left) = effort.checked_sub(self.gates.len()) else {
                break;
            };
            *effort = left;
            if pending == 0 || limits.check().is_err() {
                break;
            }
            let row = recording.row(cycle);
            self.settle(|id| driven[id.index()].and_then(|at| row.bit(at)));
            let wrong = self.wrong(binding, &row) & pending;
            for (lane, first) in first.iter_mut().enumerate() {
                if wrong >> lane & 1 == 1 {
                    *first = cycle;
                }
            }
            pending &= !wrong;
            self.advance();
        }
        first
    }

    /// The lanes in which some known value is not the recorded one.
    fn wrong(&self, binding: &Binding, row: &Row<'_>) -> u64 {
        let compared = binding.compared.iter();
        compared.fold(0, |wrong, (literal, offset)| {
            wrong | self.wrong_at(*literal, row.bit(*offset))
        })
    }

    fn wrong_at(&self, literal: Literal, expected: Option<bool>) -> u64 {
        let shown = self.value(literal);
        match expected {
            Some(true) => !shown.one,
            Some(false) => !shown.zero,
            None => 0,
        }
    }

    fn start(&mut self, recording: &Recording) {
        let initial = recording.initial(self.design);
        self.start_with(recording.starts_late(), initial);
    }

    /// Sets registers to their initial values, those without one to what `free` says; all are
    /// unknown in a run that starts late.
    pub fn start_with(&mut self, starts_late: bool, free: impl Fn(NodeId) -> Option<bool>) {
        let mut computed = Vec::new();
        for id in self.design.latches() {
            let Some(latch) = self.design.latch(*id) else {
                continue;
            };
            let value = match latch.reset {
                _ if starts_late => Rails::UNKNOWN,
                Reset::Zero => Rails::known(false),
                Reset::One => Rails::known(true),
                Reset::Free | Reset::Choice => Rails::of(free(*id)),
                Reset::Computed(literal) => {
                    computed.push((*id, literal));
                    Rails::UNKNOWN
                }
            };
            self.set(*id, value.or_unknown(self.open_reset[id.index()]));
        }
        if !computed.is_empty() {
            // Computed resets read no input and no other computed latch.
            self.settle(|_| None);
            for (id, literal) in computed {
                let value = self.value(literal);
                self.set(id, value.or_unknown(self.open_reset[id.index()]));
            }
        }
    }

    pub fn settle(&mut self, input: impl Fn(NodeId) -> Option<bool>) {
        self.set(NodeId::CONSTANT, Rails::known(false));
        for id in self.design.inputs() {
            self.set(*id, Rails::of(input(*id)));
        }
        for index in 0..self.gates.len() {
            let (id, left, right) = self.gates[index];
            let (left, right) = (self.value(left), self.value(right));
            let value = Rails {
                zero: left.zero | right.zero,
                one: left.one & right.one,
            };
            self.set(id, value);
        }
    }

    pub fn advance(&mut self) {
        let latches = self.design.latches().iter();
        let next = latches.filter_map(|id| {
            let next = self.value(self.design.latch(*id)?.next);
            Some((*id, next.or_unknown(self.open_next[id.index()])))
        });
        for (id, value) in next.collect::<Vec<(NodeId, Rails)>>() {
            self.set(id, value);
        }
    }

    /// The value in the first lane; `None` if it is unknown.
    pub fn known(&self, literal: Literal) -> Option<bool> {
        let Rails { zero, one } = self.value(literal);
        (zero & one & 1 == 0).then_some(one & 1 == 1)
    }

    fn set(&mut self, id: NodeId, value: Rails) {
        self.values[id.index()] = value.or_unknown(self.open[id.index()]);
    }

    fn value(&self, literal: Literal) -> Rails {
        let Rails { zero, one } = self.values[literal.node().index()];
        match literal.is_complemented() {
            true => Rails {
                zero: one,
                one: zero,
            },
            false => Rails { zero, one },
        }
    }
}
