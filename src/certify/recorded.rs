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
//! A whole run is replayed 64 cycles at a time ([`batches`]); a [`Machine`] goes cycle by cycle,
//! for those who look at single values. There, gates stand in topological order, and blocks of
//! them are evaluated if anything has changed that one of them reads. What is kept true: a gate
//! of a block that is not dirty has the value that follows from what it reads.

mod batches;

use super::{Certified, Evidence, draws};
use crate::design::{Design, Literal, Node, NodeId, Patch, Reach, Reset};
use crate::limits::Limits;
use crate::run::Run;
use crate::source::Diagnostic;
use crate::subject::Subject;
use crate::trace::{Recording, digits};
use batches::Batches;
use std::collections::HashMap;
use std::ops::Deref;

/// The values that a bit may have, as a set: bit 0 for zero, bit 1 for one.
pub type Possible = u8;
pub const ZERO: Possible = 1;
pub const ONE: Possible = 2;
pub const UNKNOWN: Possible = 3;

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
    let found = Batches::new(&mut machine).run(limits)?;
    let mut draws = None;
    if let Some(found) = found {
        if found.is_known {
            return Ok(Err(found.difference));
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

/// A design that follows a recording. Only what compared values depend on is replayed.
///
/// A value is two bits, "can be 1" and "is 1": so a conjunction is one `&`, and both
/// polarities of each node are kept, so that a complement is a look-up.
pub struct Machine<'a> {
    design: &'a Design,
    recording: &'a Recording,
    /// Inputs, each with its bit in a row; compared literals, each with its bit in a row.
    driven: Vec<(u32, usize)>,
    compared: Vec<(u32, usize)>,
    /// Where each node is in the order of evaluation; [`NOWHERE`] if nothing depends on it.
    position: Vec<u32>,
    /// By position and polarity.
    rails: Vec<u8>,
    /// The first position of a gate: before it are the constant, inputs and registers.
    first_gate: usize,
    gates: Vec<(u32, u32)>,
    /// For a gate that is the complement of a choice, both branches; by the index of the gate.
    branches: HashMap<u32, (u32, u32)>,
    /// Registers with their next values, and where these are gathered.
    registers: Vec<(u32, u32)>,
    next: Vec<u8>,
    /// For each block of positions, the blocks that read it.
    readers: Vec<Vec<u32>>,
    is_dirty: Vec<bool>,
}

const NOWHERE: u32 = u32::MAX;
/// Positions that are evaluated together, if anything that one of them reads has changed.
const BLOCK: usize = 32;
/// Both bits of 0, 1 and an unknown value.
const IS_ZERO: u8 = 0;
const IS_ONE: u8 = 3;
const IS_UNKNOWN: u8 = 1;

fn complement(rails: u8) -> u8 {
    let flipped = rails ^ 3;
    (flipped >> 1 | flipped << 1) & 3
}

impl<'a> Machine<'a> {
    pub fn new(design: &'a Design, recording: &'a Recording) -> Result<Machine<'a>, Diagnostic> {
        design.check()?;
        let binding = recording.bind(design)?;
        let order = design
            .topological_order()
            .map_err(|found| found.diagnostic(design, |id| design.describe(id)))?;
        let roots = binding.compared.iter().map(|(literal, _)| *literal);
        let cone = design.cone(roots, Reach::Run);
        let mut position = vec![NOWHERE; design.len()];
        let leaves = std::iter::once(NodeId::CONSTANT)
            .chain(design.inputs().iter().copied())
            .chain(design.latches().iter().copied());
        let mut count = 0;
        for id in leaves.filter(|id| cone.contains(*id) || *id == NodeId::CONSTANT) {
            position[id.index()] = count;
            count += 1;
        }
        let first_gate = count as usize;
        let mut gates = Vec::new();
        let mut branches = HashMap::new();
        for id in order.into_iter().filter(|id| cone.contains(*id)) {
            let Some((left, right)) = design.gate(id) else {
                continue;
            };
            position[id.index()] = count;
            if let Some([_, then, otherwise]) = choice_parts(design, left, right) {
                let sides = (code(&position, then), code(&position, otherwise));
                branches.insert(gates.len() as u32, sides);
            }
            gates.push((code(&position, left), code(&position, right)));
            count += 1;
        }
        let latches = design.latches().iter().filter(|id| cone.contains(**id));
        let registers: Vec<(u32, u32)> = latches
            .filter_map(|id| {
                let next = design.latch(*id)?.next;
                Some((position[id.index()], code(&position, next)))
            })
            .collect();
        let driven = binding.driven.iter();
        let driven = driven.map(|(id, offset)| (position[id.index()], *offset));
        let compared = binding.compared.iter();
        let compared = compared.map(|(literal, offset)| (code(&position, *literal), *offset));
        let blocks = (count as usize).div_ceil(BLOCK);
        let mut machine = Machine {
            design,
            recording,
            driven: driven.filter(|(place, _)| *place != NOWHERE).collect(),
            compared: compared.collect(),
            rails: vec![IS_UNKNOWN; 2 * count as usize],
            readers: readers(&gates, &branches, first_gate, blocks),
            is_dirty: vec![true; blocks],
            next: vec![IS_UNKNOWN; registers.len()],
            position,
            first_gate,
            gates,
            branches,
            registers,
        };
        machine.start();
        Ok(machine)
    }

    /// Sets registers to their initial values.
    fn start(&mut self) {
        let initial = self.recording.initial(self.design);
        self.set(0, IS_ZERO);
        let mut computed = Vec::new();
        for id in self.design.latches() {
            let place = self.position[id.index()];
            let Some(latch) = self.design.latch(*id).filter(|_| place != NOWHERE) else {
                continue;
            };
            let value = match latch.reset {
                _ if self.recording.starts_late() => IS_UNKNOWN,
                Reset::Zero => IS_ZERO,
                Reset::One => IS_ONE,
                Reset::Free | Reset::Choice => match initial(*id) {
                    Some(true) => IS_ONE,
                    Some(false) => IS_ZERO,
                    None => IS_UNKNOWN,
                },
                Reset::Computed(literal) => {
                    computed.push((place, code(&self.position, literal)));
                    IS_UNKNOWN
                }
            };
            self.set(place as usize, value);
        }
        if !computed.is_empty() {
            // They read no input and no other computed register.
            self.evaluate();
            for (place, literal) in computed {
                let value = self.rails[literal as usize];
                self.set(place as usize, value);
            }
        }
    }

    fn set(&mut self, place: usize, value: u8) {
        if self.rails[2 * place] != value {
            self.rails[2 * place] = value;
            self.rails[2 * place + 1] = complement(value);
            for reader in &self.readers[place / BLOCK] {
                self.is_dirty[*reader as usize] = true;
            }
        } else {
            self.rails[2 * place + 1] = complement(value);
        }
    }

    /// Evaluates all gates of blocks that read something that has changed.
    fn evaluate(&mut self) {
        for block in self.first_gate / BLOCK..self.is_dirty.len() {
            if !self.is_dirty[block] {
                continue;
            }
            self.is_dirty[block] = false;
            let start = (block * BLOCK).max(self.first_gate) - self.first_gate;
            let end = ((block + 1) * BLOCK - self.first_gate).min(self.gates.len());
            let mut changed = 0;
            for gate in start..end {
                let (left, right) = self.gates[gate];
                let mut value = self.rails[left as usize] & self.rails[right as usize];
                if value == IS_UNKNOWN {
                    value = self.chosen(gate);
                }
                let place = 2 * (gate + self.first_gate);
                changed |= self.rails[place] ^ value;
                self.rails[place] = value;
                self.rails[place + 1] = complement(value);
            }
            if changed != 0 {
                for reader in &self.readers[block] {
                    self.is_dirty[*reader as usize] = true;
                }
                // Its own gates are up to date: they are evaluated in order.
                self.is_dirty[block] = false;
            }
        }
    }

    /// What an unknown gate is if it is a choice between equal branches.
    fn chosen(&self, gate: usize) -> u8 {
        let Some((then, otherwise)) = self.branches.get(&(gate as u32)) else {
            return IS_UNKNOWN;
        };
        let (then, otherwise) = (self.rails[*then as usize], self.rails[*otherwise as usize]);
        if then == otherwise {
            complement(then)
        } else {
            IS_UNKNOWN
        }
    }

    /// The values of all nodes; what nothing depends on is unknown.
    pub fn snapshot(&self) -> Vec<Possible> {
        let positions = self.position.iter();
        let value = |place: &u32| match self.rails.get(2 * *place as usize) {
            Some(&IS_ZERO) => ZERO,
            Some(&IS_ONE) => ONE,
            _ => UNKNOWN,
        };
        positions.map(value).collect()
    }

    /// Sets the inputs of a cycle, and all gates to what follows.
    pub fn settle(&mut self, cycle: usize) {
        let row = self.recording.row(cycle);
        for index in 0..self.driven.len() {
            let (place, offset) = self.driven[index];
            let value = match row.bit(offset) {
                Some(true) => IS_ONE,
                Some(false) => IS_ZERO,
                None => IS_UNKNOWN,
            };
            self.set(place as usize, value);
        }
        self.evaluate();
    }

    /// All registers take their next values.
    pub fn advance(&mut self) {
        for (slot, (_, next)) in self.registers.iter().enumerate() {
            self.next[slot] = self.rails[*next as usize];
        }
        for slot in 0..self.registers.len() {
            let (place, value) = (self.registers[slot].0 as usize, self.next[slot]);
            if self.rails[2 * place] != value {
                self.set(place, value);
            }
        }
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

/// A literal by position and polarity.
fn code(position: &[u32], literal: Literal) -> u32 {
    let place = position[literal.node().index()];
    2 * place + u32::from(literal.is_complemented())
}

/// For each block of positions, the blocks with gates that read one of them.
fn readers(
    gates: &[(u32, u32)],
    branches: &HashMap<u32, (u32, u32)>,
    first_gate: usize,
    blocks: usize,
) -> Vec<Vec<u32>> {
    let mut readers = vec![Vec::new(); blocks];
    for (gate, (left, right)) in gates.iter().enumerate() {
        let own = ((gate + first_gate) / BLOCK) as u32;
        let more = branches.get(&(gate as u32)).copied();
        let more = more
            .into_iter()
            .flat_map(|(then, otherwise)| [then, otherwise]);
        for side in [*left, *right].into_iter().chain(more) {
            let list: &mut Vec<u32> = &mut readers[side as usize / 2 / BLOCK];
            // Gates of one block come one after the other.
            if list.last() != Some(&own) {
                list.push(own);
            }
        }
    }
    for list in &mut readers {
        list.dedup();
    }
    readers
}

/// Whether a node is a register or an input, for those who explain values.
pub fn kind_of(design: &Design, id: NodeId) -> CauseKind {
    match design.node(id) {
        Node::Input(_) => CauseKind::Input,
        Node::Latch(_) => CauseKind::Register,
        _ => CauseKind::Wire,
    }
}
