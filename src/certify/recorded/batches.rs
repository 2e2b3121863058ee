//! Replays a recorded run 64 cycles at a time, one bit of a word for each cycle.
//!
//! Gates and registers that do not depend on themselves are evaluated for all cycles of a batch
//! at once: a register has the word of its next value, shifted by one cycle. What depends on
//! itself, such as a counter, is a strongly connected component of the graph of who reads whom,
//! and goes cycle by cycle; only what others read of it is put into words. Components are
//! evaluated in an order in which what one reads comes before it. Values are those of
//! [`Machine`], which evaluates cycle by cycle and gives the values that explain a difference.

use super::{Difference, IS_UNKNOWN, Machine, complement};
use crate::graph::components;
use crate::limits::{Limits, Stop};
use crate::trace::Column;

/// Cycles of a batch: bits of a word.
const CYCLES: usize = 64;

/// The values of a bit in the cycles of a batch: where it can be 1, and where it is 1.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Word {
    can: u64,
    is: u64,
}

impl Word {
    const ZERO: Word = Word { can: 0, is: 0 };

    fn complement_if(self, complemented: bool) -> Word {
        match complemented {
            true => Word {
                can: !self.is,
                is: !self.can,
            },
            false => self,
        }
    }

    /// The value of one cycle.
    fn rails(self, lane: usize) -> u8 {
        (self.can >> lane & 1) as u8 | ((self.is >> lane & 1) as u8) << 1
    }

    fn set(&mut self, lane: usize, rails: u8) {
        self.can |= u64::from(rails & 1) << lane;
        self.is |= u64::from(rails >> 1) << lane;
    }
}

/// What is evaluated next: the index of a gate or of a register, or what depends on itself.
enum Step {
    Gate(usize),
    Register(usize),
    Loop(Loop),
}

struct Loop {
    /// Both operands of a gate, and the gate.
    gates: Vec<(u32, u32, usize)>,
    registers: Vec<usize>,
    /// Positions outside that it reads, and those of its own that are read outside.
    read: Vec<usize>,
    shown: Vec<usize>,
}

/// A replay in batches.
pub(super) struct Batches<'m, 'a> {
    machine: &'m mut Machine<'a>,
    plan: Vec<Step>,
    /// By position.
    words: Vec<Word>,
    /// What each register has in the first cycle of the batch.
    state: Vec<u8>,
    /// By position: what a loop evaluates in one cycle if nothing is unknown.
    bits: Vec<u8>,
}

/// The first difference of a run, and whether a value is known there that is not the recorded
/// one; if not, some are unknown.
pub(super) struct Found {
    pub difference: Difference,
    pub is_known: bool,
}

impl<'m, 'a> Batches<'m, 'a> {
    /// `machine` is at the beginning of the run; its values are used up.
    pub fn new(machine: &'m mut Machine<'a>) -> Batches<'m, 'a> {
        let registers = machine.registers.iter();
        let state = registers.map(|(place, _)| machine.rails[2 * *place as usize]);
        let mut words = vec![Word::ZERO; machine.rails.len() / 2];
        // Inputs that are not driven stay unknown.
        words[1..].fill(Word {
            can: u64::MAX,
            is: 0,
        });
        Batches {
            state: state.collect(),
            bits: vec![0; words.len()],
            plan: plan(machine),
            words,
            machine,
        }
    }

    /// Replays up to the first difference.
    pub fn run(&mut self, limits: &Limits) -> Result<Option<Found>, Stop> {
        let cycles = self.machine.recording.cycles();
        for first in (0..cycles).step_by(CYCLES) {
            limits.check()?;
            let count = CYCLES.min(cycles - first);
            self.drive(first, count);
            self.evaluate(count);
            if let Some(found) = self.difference(first, count) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The recorded values of a bit of rows, and where there are any.
    fn recorded(&self, offset: usize, first: usize, count: usize) -> (u64, u64) {
        let (word, bit) = (offset / 64, offset % 64);
        let (mut values, mut known) = (0, 0);
        for lane in 0..count {
            let row = self.machine.recording.row(first + lane);
            values |= (row.values[word] >> bit & 1) << lane;
            known |= (row.known[word] >> bit & 1) << lane;
        }
        (values, known)
    }

    fn drive(&mut self, first: usize, count: usize) {
        for index in 0..self.machine.driven.len() {
            let (place, offset) = self.machine.driven[index];
            let (values, known) = self.recorded(offset, first, count);
            self.words[place as usize] = Word {
                can: values | !known,
                is: values & known,
            };
        }
    }

    fn evaluate(&mut self, count: usize) {
        for index in 0..self.plan.len() {
            match &self.plan[index] {
                Step::Gate(gate) => {
                    let place = self.machine.first_gate + *gate;
                    self.words[place] = self.gate(*gate);
                }
                Step::Register(slot) => {
                    let slot = *slot;
                    let (place, next) = self.machine.registers[slot];
                    let next = self.word(next);
                    let mut word = Word {
                        can: next.can << 1,
                        is: next.is << 1,
                    };
                    word.set(0, self.state[slot]);
                    self.words[place as usize] = word;
                    self.state[slot] = next.rails(count - 1);
                }
                Step::Loop(turning) if self.is_known(turning, count) => {
                    self.turn_known(index, count);
                }
                Step::Loop(_) => self.turn(index, count),
            }
        }
    }

    fn word(&self, code: u32) -> Word {
        self.words[code as usize / 2].complement_if(code % 2 == 1)
    }

    fn gate(&self, gate: usize) -> Word {
        let (left, right) = self.machine.gates[gate];
        let (left, right) = (self.word(left), self.word(right));
        let mut value = Word {
            can: left.can & right.can,
            is: left.is & right.is,
        };
        let unknown = value.can & !value.is;
        if unknown != 0
            && let Some((then, otherwise)) = self.machine.branches.get(&(gate as u32))
        {
            let (then, otherwise) = (self.word(*then), self.word(*otherwise));
            let differs = (then.can ^ otherwise.can) | (then.is ^ otherwise.is);
            let (chosen, equal) = (then.complement_if(true), unknown & !differs);
            value.can = value.can & !equal | chosen.can & equal;
            value.is = value.is & !equal | chosen.is & equal;
        }
        value
    }

    /// Whether nothing that a loop reads in the first cycles of the batch is unknown.
    fn is_known(&self, turning: &Loop, count: usize) -> bool {
        let cycles = u64::MAX >> (CYCLES - count);
        let is_known = |word: &Word| word.can & !word.is & cycles == 0;
        let mut registers = turning.registers.iter();
        turning
            .read
            .iter()
            .all(|place| is_known(&self.words[*place]))
            && registers.all(|slot| self.state[*slot] != IS_UNKNOWN)
    }

    /// The same as [`turn`](Batches::turn) with two values, which is quicker.
    fn turn_known(&mut self, index: usize, count: usize) {
        let Step::Loop(turning) = &self.plan[index] else {
            return;
        };
        let (machine, bits) = (&*self.machine, &mut self.bits[..]);
        for place in &turning.shown {
            self.words[*place] = Word::ZERO;
        }
        let value = |bits: &[u8], code: u32| bits[code as usize / 2] ^ (code % 2) as u8;
        for lane in 0..count {
            for place in &turning.read {
                bits[*place] = (self.words[*place].is >> lane & 1) as u8;
            }
            for slot in &turning.registers {
                bits[machine.registers[*slot].0 as usize] = self.state[*slot] & 1;
            }
            for (left, right, gate) in &turning.gates {
                bits[machine.first_gate + *gate] = value(bits, *left) & value(bits, *right);
            }
            for place in &turning.shown {
                self.words[*place].set(lane, 3 * bits[*place]);
            }
            for slot in &turning.registers {
                self.state[*slot] = 3 * value(bits, machine.registers[*slot].1);
            }
        }
    }

    /// Evaluates what depends on itself, cycle by cycle.
    fn turn(&mut self, index: usize, count: usize) {
        let Step::Loop(turning) = &self.plan[index] else {
            return;
        };
        let machine = &mut *self.machine;
        for place in &turning.shown {
            self.words[*place] = Word::ZERO;
        }
        for lane in 0..count {
            for place in &turning.read {
                let value = self.words[*place].rails(lane);
                machine.rails[2 * *place] = value;
                machine.rails[2 * *place + 1] = complement(value);
            }
            for slot in &turning.registers {
                let place = machine.registers[*slot].0 as usize;
                machine.rails[2 * place] = self.state[*slot];
                machine.rails[2 * place + 1] = complement(self.state[*slot]);
            }
            for (left, right, gate) in &turning.gates {
                let mut value = machine.rails[*left as usize] & machine.rails[*right as usize];
                if value == IS_UNKNOWN {
                    value = machine.chosen(*gate);
                }
                let place = 2 * (*gate + machine.first_gate);
                machine.rails[place] = value;
                machine.rails[place + 1] = complement(value);
            }
            for place in &turning.shown {
                self.words[*place].set(lane, machine.rails[2 * *place]);
            }
            for slot in &turning.registers {
                let next = machine.registers[*slot].1;
                self.state[*slot] = machine.rails[next as usize];
            }
        }
    }

    fn difference(&self, first: usize, count: usize) -> Option<Found> {
        let machine = &*self.machine;
        let mut lane = count;
        let mut column = 0;
        let mut is_known = false;
        for (literal, offset) in &machine.compared {
            let shown = self.word(*literal);
            let (values, known) = self.recorded(*offset, first, count);
            let wrong = known & (values & !shown.is | !values & shown.can);
            let contradicting = known & (values & !shown.can | !values & shown.is);
            let own = wrong.trailing_zeros() as usize;
            if own < lane {
                lane = own;
                let columns = &machine.recording.columns;
                let holds = |one: &Column| (one.offset..one.offset + one.width).contains(offset);
                column = columns.iter().position(holds).unwrap_or(0);
                is_known = false;
            }
            is_known |= lane < count && contradicting >> lane & 1 == 1;
        }
        (lane < count).then_some(Found {
            difference: Difference {
                cycle: first + lane,
                column,
            },
            is_known,
        })
    }
}

/// In which order gates and registers are evaluated.
fn plan(machine: &Machine) -> Vec<Step> {
    let count = machine.rails.len() / 2;
    let place = |code: u32| code as usize / 2;
    let mut reads: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (gate, (left, right)) in machine.gates.iter().enumerate() {
        let branches = machine.branches.get(&(gate as u32));
        let more = branches.map(|(then, otherwise)| [place(*then), place(*otherwise)]);
        let reads = &mut reads[machine.first_gate + gate];
        reads.extend([place(*left), place(*right)]);
        reads.extend(more.into_iter().flatten());
    }
    let mut slots = vec![None; count];
    for (slot, (own, next)) in machine.registers.iter().enumerate() {
        reads[*own as usize].push(place(*next));
        slots[*own as usize] = Some(slot);
    }
    let component = components(&reads);
    let number = component.iter().max().map_or(0, |most| most + 1);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); number];
    for (place, component) in component.iter().enumerate() {
        members[*component].push(place);
    }
    let mut is_read_outside = vec![false; count];
    for (place, reads) in reads.iter().enumerate() {
        for read in reads {
            is_read_outside[*read] |= component[*read] != component[place];
        }
    }
    for (literal, _) in &machine.compared {
        is_read_outside[place(*literal)] = true;
    }
    let mut plan = Vec::new();
    for members in members {
        let first = members[0];
        let turns = members.len() > 1 || reads[first].contains(&first);
        match slots[first] {
            _ if turns => {
                let own = component[first];
                let read = members.iter().flat_map(|member| &reads[*member]);
                let read = read.copied().filter(|read| component[*read] != own);
                let mut read: Vec<usize> = read.collect();
                read.sort_unstable();
                read.dedup();
                let gates = members.iter();
                let gates = gates.filter_map(|place| place.checked_sub(machine.first_gate));
                let shown = members.iter().filter(|place| is_read_outside[**place]);
                plan.push(Step::Loop(Loop {
                    gates: gates
                        .map(|gate| (machine.gates[gate].0, machine.gates[gate].1, gate))
                        .collect(),
                    registers: members.iter().filter_map(|place| slots[*place]).collect(),
                    shown: shown.copied().collect(),
                    read,
                }));
            }
            Some(slot) => plan.push(Step::Register(slot)),
            None if first >= machine.first_gate => {
                plan.push(Step::Gate(first - machine.first_gate));
            }
            None => {}
        }
    }
    plan
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::recorded::{IS_ONE, IS_ZERO, ONE, ZERO};
    use crate::design::{Design, InputKind, Literal, Reset};
    use crate::random::Random;
    use crate::trace::Recording;

    const INPUTS: usize = 4;
    const LATCHES: usize = 8;
    const GATES: usize = 40;
    const OUTPUTS: usize = 3;

    fn random_design(random: &mut Random) -> Design {
        let mut design = Design::new();
        let mut literals = vec![Literal::TRUE];
        for index in 0..INPUTS {
            let input = design.add_input(InputKind::Environment);
            design.set_name(input, format!("i{index}"));
            literals.push(input.literal());
        }
        let resets = [Reset::Zero, Reset::One, Reset::Free];
        let latches = (0..LATCHES).map(|_| design.add_latch(*random.pick(&resets)));
        let latches: Vec<_> = latches.collect();
        literals.extend(latches.iter().map(|latch| latch.literal()));
        let mut pick = |literals: &[Literal]| {
            let literal = *random.pick(literals);
            literal.complement_if(random.flip())
        };
        for index in 0..GATES {
            let (left, right) = (pick(&literals), pick(&literals));
            let gate = match index % 3 {
                0 => design.and(left, right),
                1 => design.xor(left, right),
                _ => {
                    let condition = pick(&literals);
                    design.mux(condition, left, right)
                }
            };
            literals.push(gate);
        }
        for latch in latches {
            let next = pick(&literals);
            design.set_next(latch, next);
        }
        for index in 0..OUTPUTS {
            let output = pick(&literals[1..]);
            design.add_output(Some(format!("o{index}")), output, None);
        }
        design
    }

    /// Random inputs with what the design answers, where that is known; now and then a value is
    /// wrong, or recorded where the design shows none.
    fn random_run(design: &Design, random: &mut Random) -> Recording {
        let names = (0..INPUTS).map(|index| (format!("i{index}"), true));
        let outputs = (0..OUTPUTS).map(|index| (format!("o{index}"), false));
        let columns = names.chain(outputs).enumerate();
        let columns = columns.map(|(offset, (name, is_input))| Column {
            name,
            width: 1,
            is_input,
            offset,
        });
        let columns: Vec<Column> = columns.collect();
        let cycles = 1 + random.below(200);
        let mut inputs = Recording::with_columns(columns.clone());
        for _ in 0..cycles {
            let known = match random.below(20) {
                0 => random.word(),
                _ => u64::MAX,
            };
            inputs.push_row(&[random.word() & 15], &[known & 15]);
        }
        let mut machine = Machine::new(design, &inputs).expect("a run");
        let mut recording = Recording::with_columns(columns);
        let wrong = random.below(400);
        let guessed = random.below(400);
        for cycle in 0..cycles {
            machine.settle(cycle);
            let shown = machine.snapshot();
            let row = inputs.row(cycle);
            let (mut values, mut known) = (row.values[0], row.known[0]);
            for index in 0..OUTPUTS {
                let literal = design.outputs()[index].literal;
                let bit = 1 << (INPUTS + index);
                let mut value = match shown[literal.node().index()] {
                    ZERO => Some(literal.is_complemented()),
                    ONE => Some(!literal.is_complemented()),
                    _ if cycle == guessed => Some(random.flip()),
                    _ => None,
                };
                if cycle == wrong && index == 1 {
                    value = value.map(|value| !value);
                }
                known |= if value.is_some() { bit } else { 0 };
                values |= if value == Some(true) { bit } else { 0 };
            }
            recording.push_row(&[values], &[known]);
            machine.advance();
        }
        recording
    }

    /// The first difference, cycle by cycle and bit by bit.
    fn first_difference(machine: &mut Machine) -> Option<(Difference, bool)> {
        for cycle in 0..machine.recording.cycles() {
            machine.settle(cycle);
            let row = machine.recording.row(cycle);
            let mut column = None;
            let mut is_known = false;
            for (literal, offset) in &machine.compared {
                let (shown, expected) = (machine.rails[*literal as usize], row.bit(*offset));
                let fits = match expected {
                    None => true,
                    Some(value) => shown == if value { IS_ONE } else { IS_ZERO },
                };
                if !fits {
                    column.get_or_insert(*offset);
                    is_known |= shown != IS_UNKNOWN;
                }
            }
            if let Some(column) = column {
                return Some((Difference { cycle, column }, is_known));
            }
            machine.advance();
        }
        None
    }

    #[test]
    fn batches_find_the_same_difference_as_single_cycles() {
        let mut found = [0; 2];
        for seed in 0..1_000 {
            let mut random = Random::new(seed);
            let design = random_design(&mut random);
            let recording = random_run(&design, &mut random);
            let mut machine = Machine::new(&design, &recording).expect("a machine");
            let expected = first_difference(&mut machine);
            let limits = Limits::default();
            let mut machine = Machine::new(&design, &recording).expect("a machine");
            let batch = Batches::new(&mut machine).run(&limits).expect("no limit");
            let batch = batch.map(|one| (one.difference, one.is_known));
            assert_eq!(batch, expected, "seed {seed}");
            found[usize::from(batch.is_some())] += 1;
        }
        // Runs of both kinds were compared.
        assert!(found.iter().all(|count| *count > 100), "{found:?}");
    }
}
