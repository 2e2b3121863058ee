//! Why a design shows a wrong value: the nearest signals that brought it about.
//!
//! From the wrong bits back: a conjunction that is 1 is so because of both sides, one that is
//! 0 because of a side that is 0 (the one with fewer gates behind it), one that is unknown
//! because of its unknown sides; a register because of its next value in the cycle before.
//! Signals with names are told in the order in which this search meets them, breadth first and
//! the latest cycle first, so that the first ones are what a person would look at first. The
//! values are those of the replay that found the difference.

use super::recorded::{
    Cause, CauseKind, Difference, Differs, Machine, ONE, Possible, UNKNOWN, ZERO, kind_of, number,
};
use crate::design::{Design, Literal, Node, NodeId};
use crate::limits::Limits;
use crate::run::{Run, Signal, SignalKind};
use crate::source::Diagnostic;
use crate::trace::{Recording, digits};
use std::collections::{HashMap, HashSet, VecDeque};

/// Signals that are told.
const MOST_CAUSES: usize = 8;
/// Cycles before the difference that are looked at.
const WINDOW: usize = 32;
/// Nodes that are visited at most.
const MOST_VISITS: usize = 100_000;

/// The values of all nodes in the last cycles of a replay.
struct Window {
    first: usize,
    cycles: VecDeque<Vec<Possible>>,
}

impl Window {
    fn value(&self, cycle: usize, literal: Literal) -> Possible {
        let value = self.cycles[cycle - self.first][literal.node().index()];
        match (value, literal.is_complemented()) {
            (ZERO, true) => ONE,
            (ONE, true) => ZERO,
            (value, _) => value,
        }
    }
}

/// A difference with its values and causes.
pub(super) fn explained(
    design: &Design,
    recording: &Recording,
    difference: Difference,
    limits: &Limits,
) -> Result<Differs, Diagnostic> {
    let mut window = Window {
        first: 0,
        cycles: VecDeque::new(),
    };
    let begin = difference.cycle.saturating_sub(WINDOW);
    let mut machine = Machine::new(design, recording)?;
    for cycle in 0..=difference.cycle {
        limits.poll()?;
        machine.settle(cycle);
        if cycle >= begin {
            window.cycles.push_back(machine.snapshot());
        }
        machine.advance();
    }
    window.first = begin;
    let column = &recording.columns[difference.column];
    let word = design.signal(&column.name)?;
    let expected = recording.bits(difference.cycle, column);
    let actual = |bit: &Literal| window.value(difference.cycle, *bit);
    let mut wrong = Vec::new();
    for (bit, expected) in word.bits.iter().zip(&expected) {
        let fits = match expected {
            None => true,
            Some(true) => actual(bit) == ONE,
            Some(false) => actual(bit) == ZERO,
        };
        if !fits {
            wrong.push(bit.node());
        }
    }
    let causes = causes(design, &window, &wrong, difference.cycle, &column.name);
    let run = run(design, recording, &window, &causes);
    let in_file = |cause: Cause| Cause {
        cycle: cause.cycle + recording.first,
        ..cause
    };
    Ok(Differs {
        recording: recording.name.clone(),
        cycle: difference.cycle + recording.first,
        signal: column.name.clone(),
        expected: digits(&expected),
        actual: number(word.bits.iter().map(actual)),
        causes: causes.into_iter().map(in_file).collect(),
        run,
    })
}

/// The cycles of the window, with the columns of the recording and what the causes name.
fn run(design: &Design, recording: &Recording, window: &Window, causes: &[Cause]) -> Run {
    let columns = recording.columns.iter().map(|column| {
        let kind = if column.is_input {
            SignalKind::Input
        } else {
            SignalKind::Output
        };
        (column.name.as_str(), kind)
    });
    let named = causes.iter().map(|cause| {
        let kind = match cause.kind {
            CauseKind::Input => SignalKind::Input,
            CauseKind::Register | CauseKind::NeverWritten => SignalKind::Latch,
            CauseKind::Wire => SignalKind::Wire,
        };
        (cause.signal.as_str(), kind)
    });
    let mut signals: Vec<Signal> = Vec::new();
    for (name, kind) in columns.chain(named) {
        let (Ok(word), false) = (
            design.signal(name),
            signals.iter().any(|one| one.name == name),
        ) else {
            continue;
        };
        let in_cycle = |cycle: usize| -> Option<Vec<bool>> {
            let values = word.bits.iter().map(|bit| window.value(cycle, *bit));
            let known = |value| (value != UNKNOWN).then_some(value == ONE);
            values.map(known).collect()
        };
        let cycles = window.first..window.first + window.cycles.len();
        signals.push(Signal {
            name: name.to_string(),
            kind,
            width: word.bits.len(),
            relevant: true,
            values: cycles.map(in_cycle).collect(),
        });
    }
    Run {
        steps: window.cycles.len(),
        loop_start: None,
        signals,
    }
}

fn causes(
    design: &Design,
    window: &Window,
    wrong: &[NodeId],
    cycle: usize,
    shown: &str,
) -> Vec<Cause> {
    let size = sizes(design);
    let names = word_names(design);
    let mut seen: HashSet<(usize, NodeId)> = HashSet::new();
    let mut told: HashSet<(usize, String)> = HashSet::from([(cycle, shown.to_string())]);
    let mut causes = Vec::new();
    let mut pending: VecDeque<(usize, NodeId)> = wrong.iter().map(|id| (cycle, *id)).collect();
    while let Some((cycle, id)) = pending.pop_front() {
        if causes.len() >= MOST_CAUSES || seen.len() >= MOST_VISITS {
            break;
        }
        if !seen.insert((cycle, id)) {
            continue;
        }
        let name = names.get(&id);
        if let Some(name) = name.filter(|name| !told.contains(&(cycle, (*name).clone()))) {
            told.insert((cycle, name.clone()));
            let bits = design.signal(name).map(|word| word.bits.clone());
            let bits = bits.unwrap_or_else(|_| vec![id.literal()]);
            let value = number(bits.iter().map(|bit| window.value(cycle, *bit)));
            let is_first = cycle == 0 && window.value(cycle, id.literal()) == UNKNOWN;
            let kind = match kind_of(design, id) {
                CauseKind::Register if is_first => CauseKind::NeverWritten,
                kind => kind,
            };
            causes.push(Cause {
                cycle,
                signal: name.clone(),
                value,
                kind,
            });
        }
        match design.node(id) {
            Node::And(left, right) => {
                let sides = followed(window, cycle, id, (left, right), &size);
                // What happens in the same cycle is nearer than what happened before.
                for side in sides {
                    pending.push_front((cycle, side.node()));
                }
            }
            Node::Latch(latch) if cycle > window.first => {
                pending.push_back((cycle - 1, latch.next.node()));
            }
            Node::Latch(_) | Node::Input(_) | Node::Constant => {}
        }
    }
    causes
}

/// The sides that explain the value of a conjunction.
fn followed(
    window: &Window,
    cycle: usize,
    id: NodeId,
    (left, right): (Literal, Literal),
    size: &[u32],
) -> Vec<Literal> {
    let is = |side: &Literal, value: Possible| window.value(cycle, *side) == value;
    let sides = [left, right].into_iter();
    match window.value(cycle, id.literal()) {
        ONE => sides.collect(),
        ZERO => {
            let zeros = sides.filter(|side| is(side, ZERO));
            zeros
                .min_by_key(|side| size[side.node().index()])
                .into_iter()
                .collect()
        }
        _ => sides.filter(|side| is(side, UNKNOWN)).collect(),
    }
}

/// About how many gates are behind each node in a cycle, shared ones counted again.
fn sizes(design: &Design) -> Vec<u32> {
    let mut size = vec![0u32; design.len()];
    for id in design.topological_order().unwrap_or_default() {
        if let Some((left, right)) = design.gate(id) {
            let sides = [left, right].map(|side| size[side.node().index()]);
            size[id.index()] = sides[0].saturating_add(sides[1]).saturating_add(1);
        }
    }
    size
}

/// The words that nodes belong to, for those that people know.
fn word_names(design: &Design) -> HashMap<NodeId, String> {
    let known = design.names().filter(|(_, name)| !name.contains('$'));
    let named = known.map(|(id, name)| {
        let base = name.split('[').next().unwrap_or(name);
        let is_word = design.has_signal(base);
        (id, if is_word { base } else { name }.to_string())
    });
    named.collect()
}
