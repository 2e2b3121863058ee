//! Replays a recorded run on a design, and says whether it shows every recorded value.
//!
//! Values are three: 0, 1 and unknown. A register without an initial value is unknown until it
//! is written, and so is an input that was not driven. (If every output has a value in every
//! cycle, the run was recorded by a simulator with two values, where such registers start
//! with 0, and so they do here.) A recorded value fits if the design shows it whatever the
//! unknown values are. Evaluation is gate by gate, where the conjunction with 0 is 0; a
//! multiplexer whose branches agree shows their value also if its condition is unknown.
//!
//! An unknown output where a value was recorded is looked at again (`draws`): a simulator with
//! four values takes an unknown condition for false, which gates cannot tell. It fits if at
//! least half of 64 drawn choices of all unknown values show every recorded value; how many do
//! is part of the answer. So a register that a reset forgets is a difference, and a comparison
//! with a register that happens before its reset is none.
//!
//! Only gates whose inputs changed are evaluated, level by level, so that a cycle costs as
//! much as happens in it. What is kept true: after each level every gate up to it has the
//! value of its inputs, and a register whose next value did not change keeps its own.

use super::{Certified, Evidence, draws};
use crate::design::{Design, Literal, Node, NodeId, NodeSet, Patch, Reach, Reset};
use crate::limits::{Limits, Stop};
use crate::run::Run;
use crate::source::Diagnostic;
use crate::subject::Subject;
use crate::trace::{Binding, Column, Recording, digits};
use std::ops::Deref;

/// The values that a bit may have, as a set: bit 0 for zero, bit 1 for one.
pub type Possible = u8;
pub const ZERO: Possible = 1;
pub const ONE: Possible = 2;
pub const UNKNOWN: Possible = 3;

const NOT: [Possible; 4] = [0, ONE, ZERO, UNKNOWN];
/// Cycles between two looks at the limits.
const POLLED: usize = 64;

/// A design shows every recorded value.
///
/// Checked: the simulator has replayed every cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fits {
    /// The files, each with how many cycles and compared values it has.
    pub recordings: Vec<Replayed>,
}

/// A recorded run that was replayed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    pub name: String,
    pub cycles: usize,
    pub values: usize,
    /// How many of the drawn choices of unknown values show all values; all do if nothing is
    /// said.
    pub draws: Option<u32>,
}

/// A value of a recorded run that a design does not show.
///
/// Checked: the simulator has replayed all cycles up to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Differs {
    pub recording: String,
    /// In the numbering of the file.
    pub cycle: usize,
    pub signal: String,
    /// As numbers of Verilog.
    pub expected: String,
    pub actual: String,
    /// The nearest signals that brought the value about.
    pub causes: Vec<Cause>,
    /// The last cycles, as the design shows them.
    pub run: Run,
}

/// A signal that a wrong value depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    pub cycle: usize,
    pub signal: String,
    pub value: String,
    pub kind: CauseKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CauseKind {
    Input,
    Register,
    /// A register that was never written before.
    NeverWritten,
    Wire,
}

/// A patch with which a design shows every recorded value. Nothing is known beyond these, so
/// this is no proof of a repair.
///
/// Checked: the patched files were read again, and every run was replayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plausible {
    pub patch: Patch,
    pub fits: Fits,
}

/// A patch that may be shown and written: proved, or fitting recorded runs.
#[derive(Clone, Copy, Debug)]
pub enum Offered<'a> {
    Proved(&'a Certified<Patch>),
    Fitting(&'a Certified<Plausible>),
}

impl Deref for Offered<'_> {
    type Target = Patch;

    fn deref(&self) -> &Patch {
        match self {
            Offered::Proved(patch) => patch,
            Offered::Fitting(plausible) => &plausible.patch,
        }
    }
}

/// Reads a patched design again and replays all runs; nothing if one does not fit.
pub fn plausible(
    subject: &Subject,
    patch: Patch,
    recordings: &[Recording],
    limits: &Limits,
) -> Result<Option<Certified<Plausible>>, Diagnostic> {
    let Ok(reading) = subject.front_end().without_reset(Some(&patch)) else {
        return Ok(None);
    };
    let fits = fits_all(&reading.design, recordings, limits)?;
    Ok(fits.map(|fits| {
        let fits = fits.into_answer();
        Certified::new(Plausible { patch, fits }, Evidence::Replayed)
    }))
}

/// Whether a design fits one recorded run.
pub enum Replay {
    Fits(Certified<Fits>),
    Differs(Box<Certified<Differs>>),
}

/// The first difference of a replay, in the numbering of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    pub cycle: usize,
    /// The index of the column.
    pub column: usize,
}

/// Replays one run.
pub fn replay(
    design: &Design,
    recording: &Recording,
    limits: &Limits,
) -> Result<Replay, Diagnostic> {
    Ok(match judge(design, recording, limits)? {
        Ok(replayed) => {
            let recordings = vec![replayed];
            Replay::Fits(Certified::new(Fits { recordings }, Evidence::Replayed))
        }
        Err(difference) => {
            let differs = super::causes::explained(design, recording, difference, limits)?;
            Replay::Differs(Box::new(Certified::new(differs, Evidence::Replayed)))
        }
    })
}

/// Replays all runs; nothing if one of them does not fit.
pub fn fits_all(
    design: &Design,
    recordings: &[Recording],
    limits: &Limits,
) -> Result<Option<Certified<Fits>>, Diagnostic> {
    let mut replayed = Vec::new();
    for recording in recordings {
        match judge(design, recording, limits)? {
            Ok(one) => replayed.push(one),
            Err(_) => return Ok(None),
        }
    }
    let recordings = replayed;
    Ok(Some(Certified::new(
        Fits { recordings },
        Evidence::Replayed,
    )))
}

/// The run if it fits, else its first difference.
fn judge(
    design: &Design,
    recording: &Recording,
    limits: &Limits,
) -> Result<Result<Replayed, Difference>, Diagnostic> {
    let mut machine = Machine::new(design, recording)?;
    let found = machine.run(limits, |_, _| {})?;
    let mut draws = None;
    if let Some(difference) = found {
        if !machine.is_unknown(difference) {
            return Ok(Err(difference));
        }
        match draws::fitting(design, recording, limits)? {
            Ok(fitting) => draws = Some(fitting),
            Err(difference) => return Ok(Err(difference)),
        }
    }
    Ok(Ok(Replayed {
        name: recording.name.clone(),
        cycles: recording.cycles(),
        values: recording.compared_values(),
        draws,
    }))
}

/// A design that follows a recording.
pub struct Machine<'a> {
    design: &'a Design,
    recording: &'a Recording,
    binding: Binding,
    pub values: Vec<Possible>,
    /// What reads a node, for each node: gates, then registers.
    readers: Lists<u32>,
    stored: Lists<u32>,
    /// The bits of a row that a node is compared with, complemented or not.
    watched: Lists<(u32, bool)>,
    level: Vec<u32>,
    /// For a gate that is the upper part of a multiplexer, its parts.
    choice: Vec<Option<Box<[Literal; 3]>>>,
    queue: Vec<Vec<u32>>,
    is_queued: Vec<bool>,
    /// Registers whose next value changed.
    pending: Vec<u32>,
    /// What the design shows of each compared bit: the value, and whether it is known.
    shown: (Vec<u64>, Vec<u64>),
    /// The compared bits of a row.
    mask: Vec<u64>,
}

/// A list for each node, one after the other.
struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    fn new(nodes: usize, pairs: &[(usize, T)]) -> Lists<T> {
        let mut starts = vec![0u32; nodes + 1];
        for (node, _) in pairs {
            starts[node + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let Some((_, first)) = pairs.first() else {
            let items = Vec::new();
            return Lists { starts, items };
        };
        let mut items = vec![*first; pairs.len()];
        for (node, item) in pairs {
            items[next[*node] as usize] = *item;
            next[*node] += 1;
        }
        Lists { starts, items }
    }

    fn range(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }
}

impl<'a> Machine<'a> {
    /// Only what compared values depend on is replayed.
    pub fn new(design: &'a Design, recording: &'a Recording) -> Result<Machine<'a>, Diagnostic> {
        design.check()?;
        let binding = recording.bind(design)?;
        let order = design
            .topological_order()
            .map_err(|found| found.diagnostic(design, |id| design.describe(id)))?;
        let roots = binding.compared.iter().map(|(literal, _)| *literal);
        let cone = design.cone(roots, Reach::Run);
        let mut readers = Vec::new();
        let mut level = vec![0u32; design.len()];
        let mut choice = vec![None; design.len()];
        for id in order.iter().filter(|id| cone.contains(**id)) {
            let Some((left, right)) = design.gate(*id) else {
                continue;
            };
            let index = id.index();
            let parts = choice_parts(design, left, right);
            let sides = parts.as_ref().map_or(&[][..], |parts| &parts[..]);
            for side in [left, right].iter().chain(sides) {
                let side = side.node().index();
                level[index] = level[index].max(level[side] + 1);
                readers.push((side, index as u32));
            }
            choice[index] = parts.map(Box::new);
        }
        let mut stored = Vec::new();
        for id in design.latches().iter().filter(|id| cone.contains(**id)) {
            if let Some(latch) = design.latch(*id) {
                stored.push((latch.next.node().index(), id.index() as u32));
            }
        }
        let compared = binding.compared.iter();
        let watched: Vec<(usize, (u32, bool))> = compared
            .map(|(literal, offset)| {
                let node = literal.node().index();
                (node, (*offset as u32, literal.is_complemented()))
            })
            .collect();
        let mut mask = vec![0; recording.words()];
        for (_, offset) in &binding.compared {
            mask[offset / 64] |= 1 << (offset % 64);
        }
        let levels = level.iter().copied().max().unwrap_or(0) as usize + 1;
        let words = recording.words();
        let mut machine = Machine {
            design,
            recording,
            values: vec![UNKNOWN; design.len()],
            readers: Lists::new(design.len(), &readers),
            stored: Lists::new(design.len(), &stored),
            watched: Lists::new(design.len(), &watched),
            level,
            choice,
            queue: vec![Vec::new(); levels],
            is_queued: vec![false; design.len()],
            pending: Vec::new(),
            shown: (vec![0; words], vec![0; words]),
            mask,
            binding,
        };
        machine.start(&order, &cone);
        Ok(machine)
    }

    /// Sets registers to their initial values, and all gates to what follows.
    fn start(&mut self, order: &[NodeId], cone: &NodeSet) {
        self.values[NodeId::CONSTANT.index()] = ZERO;
        let two_valued = self.recording.is_two_valued();
        let mut computed = Vec::new();
        for id in self.design.latches() {
            let Some(latch) = self.design.latch(*id) else {
                continue;
            };
            self.values[id.index()] = match latch.reset {
                _ if self.recording.starts_late() => UNKNOWN,
                Reset::Zero => ZERO,
                Reset::One => ONE,
                Reset::Free | Reset::Choice if two_valued => ZERO,
                Reset::Free | Reset::Choice => UNKNOWN,
                Reset::Computed(literal) => {
                    computed.push((*id, literal));
                    UNKNOWN
                }
            };
        }
        let gates = order.iter().filter(|id| cone.contains(**id));
        let gates: Vec<NodeId> = gates.copied().collect();
        for round in 0..2 {
            for id in &gates {
                if self.design.gate(*id).is_some() {
                    self.values[id.index()] = self.gate_value(id.index());
                }
            }
            if round == 0 {
                for (id, literal) in &computed {
                    self.values[id.index()] = self.value(*literal);
                }
            }
        }
        for node in 0..self.design.len() {
            self.show(node);
        }
        let latches = self.design.latches().iter();
        let latches = latches.filter(|id| cone.contains(**id));
        self.pending = latches.map(|id| id.index() as u32).collect();
    }

    pub fn value(&self, literal: Literal) -> Possible {
        let value = self.values[literal.node().index()];
        if literal.is_complemented() {
            NOT[value as usize]
        } else {
            value
        }
    }

    fn gate_value(&self, node: usize) -> Possible {
        let Some((left, right)) = self.design.gate(NodeId::from_index(node)) else {
            return self.values[node];
        };
        let (left, right) = (self.value(left), self.value(right));
        let value = (left & right & ONE) | ((left | right) & ZERO);
        if value != UNKNOWN {
            return value;
        }
        // The gate is the complement of a choice: if both branches agree, so does it.
        let Some(parts) = &self.choice[node] else {
            return value;
        };
        let branches = (self.value(parts[1]), self.value(parts[2]));
        if branches.0 == branches.1 && branches.0 != UNKNOWN {
            return NOT[branches.0 as usize];
        }
        value
    }

    /// Notes what the design shows of compared bits.
    fn show(&mut self, node: usize) {
        for place in self.watched.range(node) {
            let (offset, is_complemented) = self.watched.items[place];
            let (word, bit) = (offset as usize / 64, offset % 64);
            let value = self.values[node];
            let value = if is_complemented {
                NOT[value as usize]
            } else {
                value
            };
            self.shown.0[word] &= !(1 << bit);
            self.shown.1[word] &= !(1 << bit);
            self.shown.0[word] |= u64::from(value == ONE) << bit;
            self.shown.1[word] |= u64::from(value != UNKNOWN) << bit;
        }
    }

    fn set(&mut self, node: usize, value: Possible) {
        if self.values[node] == value {
            return;
        }
        self.values[node] = value;
        self.show(node);
        for place in self.readers.range(node) {
            let reader = self.readers.items[place];
            if !self.is_queued[reader as usize] {
                self.is_queued[reader as usize] = true;
                self.queue[self.level[reader as usize] as usize].push(reader);
            }
        }
        let stored = self.stored.range(node);
        self.pending.extend_from_slice(&self.stored.items[stored]);
    }

    /// Sets the inputs of a cycle, and all gates to what follows.
    pub fn settle(&mut self, cycle: usize) {
        let row = self.recording.row(cycle);
        for place in 0..self.binding.driven.len() {
            let (id, offset) = self.binding.driven[place];
            let value = match row.bit(offset) {
                Some(true) => ONE,
                Some(false) => ZERO,
                None => UNKNOWN,
            };
            self.set(id.index(), value);
        }
        for level in 0..self.queue.len() {
            let mut gates = std::mem::take(&mut self.queue[level]);
            for gate in gates.drain(..) {
                self.is_queued[gate as usize] = false;
                let value = self.gate_value(gate as usize);
                self.set(gate as usize, value);
            }
            self.queue[level] = gates;
        }
    }

    /// All registers take their next values.
    pub fn advance(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        let next = |machine: &Machine, latch: u32| {
            let id = NodeId::from_index(latch as usize);
            let next = machine.design.latch(id).map(|latch| latch.next);
            next.map_or(UNKNOWN, |next| machine.value(next))
        };
        let values: Vec<Possible> = pending.iter().map(|latch| next(self, *latch)).collect();
        for (latch, value) in pending.drain(..).zip(values) {
            self.set(latch as usize, value);
        }
    }

    /// The first column in which the design does not show what was recorded.
    fn difference(&self, cycle: usize) -> Option<usize> {
        let row = self.recording.row(cycle);
        let mut wrong = (0..self.mask.len()).filter_map(|word| {
            let differs = row.values[word] ^ self.shown.0[word] | !self.shown.1[word];
            let differs = differs & row.known[word] & self.mask[word];
            (differs != 0).then(|| word * 64 + differs.trailing_zeros() as usize)
        });
        let offset = wrong.next()?;
        let columns = &self.recording.columns;
        let holds = |one: &Column| (one.offset..one.offset + one.width).contains(&offset);
        columns.iter().position(holds)
    }

    /// Whether no bit of a column contradicts what was recorded: some are unknown.
    fn is_unknown(&self, difference: Difference) -> bool {
        let row = self.recording.row(difference.cycle);
        let wrong = |word: usize| {
            let differs = row.values[word] ^ self.shown.0[word];
            differs & self.shown.1[word] & row.known[word] & self.mask[word] != 0
        };
        !(0..self.mask.len()).any(wrong)
    }

    /// Replays up to the first difference. `watch` sees each cycle once it has settled.
    pub fn run(
        &mut self,
        limits: &Limits,
        mut watch: impl FnMut(usize, &Machine),
    ) -> Result<Option<Difference>, Stop> {
        for cycle in 0..self.recording.cycles() {
            if cycle % POLLED == 0 {
                limits.check()?;
            }
            self.settle(cycle);
            watch(cycle, self);
            if let Some(column) = self.difference(cycle) {
                return Ok(Some(Difference { cycle, column }));
            }
            self.advance();
        }
        Ok(None)
    }
}

/// The condition and both branches, if a gate is the complement of a choice between two.
fn choice_parts(design: &Design, left: Literal, right: Literal) -> Option<[Literal; 3]> {
    if !left.is_complemented() || !right.is_complemented() {
        return None;
    }
    let (first, second) = (design.gate(left.node())?, design.gate(right.node())?);
    for (condition, then) in [(first.0, first.1), (first.1, first.0)] {
        for (other, otherwise) in [(second.0, second.1), (second.1, second.0)] {
            if condition == !other {
                return Some([condition, then, otherwise]);
            }
        }
    }
    None
}

/// A value as a number of Verilog.
pub fn number(values: impl Iterator<Item = Possible>) -> String {
    let bit = |value: Possible| match value {
        ZERO => Some(false),
        ONE => Some(true),
        _ => None,
    };
    digits(&values.map(bit).collect::<Vec<_>>())
}

/// Whether a node is a register or an input, for those who explain values.
pub fn kind_of(design: &Design, id: NodeId) -> CauseKind {
    match design.node(id) {
        Node::Input(_) => CauseKind::Input,
        Node::Latch(_) => CauseKind::Register,
        _ => CauseKind::Wire,
    }
}
