//! Failing runs, and which suspects could have avoided them.
//!
//! A location that loses against one fixed sequence of inputs loses the game. So runs of
//! the faulty design that break an invariant are collected by simulation, and replayed with
//! each location open: as long as some choice keeps the invariant, the location stays. This
//! is consistency-based diagnosis [JSGB11, Sec. 7.3]; it never rules out a location that
//! wins, and it is cheap beside a game. The properties must have deterministic monitors.

use super::RepairError;
use super::locate::Location;
use crate::design::{ComponentId, Design, InputKind, Netlist, NodeId, Reset, Simulator, Timing};
use crate::game::Arena;
use crate::quick_hash::QuickMap;
use crate::random::Random;
use crate::run::Run;
use crate::spec::Spec;
use std::collections::HashSet;

/// Cycles of a simulated run.
const LENGTH: usize = 64;
/// Rounds of 64 runs each.
const ROUNDS: usize = 24;
/// Failing runs that are kept, the shortest ones.
const MOST_RUNS: usize = 48;
/// A location with more states than this after a cycle is left to the game.
const MOST_STATES: usize = 256;
/// With more bits to choose in each cycle, a location is left to the game.
pub const MOST_BITS: usize = 6;
/// Gates to evaluate, for 64 runs at once, before the remaining runs are left out.
const EFFORT: usize = 400_000_000;

/// Runs of the design as it is that break an invariant while the assumption holds, found
/// by simulation with a fixed seed. There may be failing runs though none is found.
pub fn failing_runs(design: &Design, spec: &Spec) -> Result<Vec<Run>, RepairError> {
    let arena = Arena::new(design.clone(), spec)?;
    let mut simulator = Simulator::new(&arena.design)?;
    let mut random = Random::new(1);
    let mut found: Vec<Run> = Vec::new();
    for round in 0..ROUNDS {
        let mut initial: QuickMap<NodeId, u64> = QuickMap::default();
        simulator.start(|id| *initial.entry(id).or_insert_with(|| random.word()));
        let mut history: Vec<QuickMap<NodeId, u64>> = Vec::new();
        let mut running = u64::MAX;
        while history.len() < LENGTH && running != 0 {
            let mut now = QuickMap::default();
            // In later rounds inputs are mostly 0 or mostly 1.
            simulator.settle(|id| {
                let word = sparse_word(&mut random, 1 + (round + id.index()) % 3);
                let word = if (round / 3 + id.index()) % 2 == 1 {
                    !word
                } else {
                    word
                };
                *now.entry(id).or_insert(word)
            });
            history.push(now);
            running &= simulator.value(arena.objective.assumption);
            let failing = running & !simulator.value(arena.objective.guarantee);
            // The shortest are kept, and those of earlier steps are shorter.
            let shorter = found.iter().filter(|run| run.steps <= history.len());
            let wanted = MOST_RUNS.saturating_sub(shorter.count());
            for lane in (0..64).filter(|lane| failing >> lane & 1 == 1).take(wanted) {
                let is_one = |values: &QuickMap<NodeId, u64>, id: NodeId| {
                    values.get(&id).is_some_and(|word| word >> lane & 1 == 1)
                };
                found.push(design.stimulus(
                    history.len(),
                    None,
                    |id| is_one(&initial, id),
                    |id, step| is_one(&history[step], id),
                ));
            }
            running &= !failing;
            simulator.advance();
        }
        found.sort_by_key(|run| run.steps);
        found.dedup();
        found.truncate(MOST_RUNS);
    }
    Ok(found)
}

/// For each location whether some choice survives every run.
pub fn survivors(
    netlist: &Netlist,
    spec: &Spec,
    locations: &[Location],
    runs: &[Run],
) -> Result<Vec<bool>, RepairError> {
    let mut replay = Replay::new(netlist, spec, locations)?;
    let mut alive = vec![true; locations.len()];
    // Liveness is for the game.
    for run in runs.iter().filter(|run| run.loop_start.is_none()) {
        if replay.effort > EFFORT {
            break;
        }
        replay.run(run, &mut alive)?;
    }
    Ok(alive)
}

struct Replay<'a> {
    netlist: &'a Netlist,
    locations: &'a [Location],
    arena: Arena,
    suspects: Vec<ComponentId>,
    diagnosis: Vec<Vec<NodeId>>,
    dynamic: Vec<Vec<NodeId>>,
    rigid: Vec<Vec<NodeId>>,
    effort: usize,
}

/// The values of the latches of the arena's design, by their order.
type State = Vec<u64>;

/// One lane of the simulator.
struct Lane {
    location: usize,
    state: State,
    choice: usize,
}

impl<'a> Replay<'a> {
    fn new(
        netlist: &'a Netlist,
        spec: &Spec,
        locations: &'a [Location],
    ) -> Result<Replay<'a>, RepairError> {
        let mut suspects: Vec<ComponentId> = locations.iter().flatten().copied().collect();
        suspects.sort_unstable();
        suspects.dedup();
        let faults = locations.iter().map(Vec::len).max().unwrap_or(1);
        let diagnosable = netlist.instrument(&suspects, faults)?;
        Ok(Replay {
            netlist,
            locations,
            arena: Arena::new(diagnosable.design, spec)?,
            suspects,
            diagnosis: diagnosable.diagnosis,
            dynamic: diagnosable.dynamic_choices,
            rigid: diagnosable.rigid_choices,
            effort: 0,
        })
    }

    /// How many bits of the timing each component of a location chooses.
    fn widths(&self, location: usize, timing: Timing) -> Vec<usize> {
        let width = |id: &ComponentId| {
            let component = &self.netlist.components()[id.0 as usize];
            if component.kind.timing() == timing {
                component.width
            } else {
                0
            }
        };
        self.locations[location].iter().map(width).collect()
    }

    /// The variable values that a number means, for the choices of a location.
    fn choice_of(&self, lane: &Lane, timing: Timing, id: NodeId) -> bool {
        let choices = match timing {
            Timing::Dynamic => &self.dynamic,
            Timing::Rigid => &self.rigid,
        };
        let mut first = 0;
        for (fault, width) in self.widths(lane.location, timing).into_iter().enumerate() {
            let bit = choices[fault].iter().position(|choice| *choice == id);
            if let Some(bit) = bit.filter(|bit| *bit < width) {
                return lane.choice >> (first + bit) & 1 == 1;
            }
            first += width;
        }
        false
    }

    /// Which location is open, as the diagnosis latches say it. A location with fewer
    /// components than there are faults names its last one again.
    fn diagnosis_of(&self, location: usize, id: NodeId) -> bool {
        let components = &self.locations[location];
        self.diagnosis.iter().enumerate().any(|(fault, bits)| {
            let component = components.get(fault).or(components.last());
            let number = component.and_then(|id| self.suspects.binary_search(id).ok());
            let bit = bits.iter().position(|bit| *bit == id);
            matches!((number, bit), (Some(number), Some(bit)) if number >> bit & 1 == 1)
        })
    }

    /// Rules out those locations that this run defeats.
    fn run(&mut self, run: &Run, alive: &mut [bool]) -> Result<(), RepairError> {
        let design = self.arena.design.clone();
        let mut simulator = Simulator::new(&design)?;
        let run = self.netlist.design().ones_of(run);
        // States of locations that are still in question; others survive this run.
        let mut states = self.first_states(&run.initial, &mut simulator, alive);
        for inputs in &run.inputs {
            let mut lanes = Vec::new();
            for (location, states) in states.drain() {
                let bits: usize = self.widths(location, Timing::Dynamic).iter().sum();
                if states.len() > MOST_STATES {
                    continue;
                }
                for state in states {
                    lanes.extend((0..1usize << bits).map(|choice| Lane {
                        location,
                        state: state.clone(),
                        choice,
                    }));
                }
            }
            let asked: HashSet<usize> = lanes.iter().map(|lane| lane.location).collect();
            let mut survived: HashSet<usize> = HashSet::new();
            for lanes in lanes.chunks(64) {
                self.effort += design.len();
                survived.extend(self.step(lanes, inputs, &mut simulator, &mut states));
            }
            for location in asked {
                if survived.contains(&location) {
                    states.remove(&location);
                } else if !states.contains_key(&location) {
                    alive[location] = false;
                }
            }
        }
        Ok(())
    }

    /// The states in which locations that are alive may start, one for each of their reset
    /// values. Locations with too many choices are left out.
    fn first_states(
        &self,
        initial: &HashSet<NodeId>,
        simulator: &mut Simulator,
        alive: &[bool],
    ) -> QuickMap<usize, HashSet<State>> {
        let design = &self.arena.design;
        let mut states: QuickMap<usize, HashSet<State>> = QuickMap::default();
        let mut starts = Vec::new();
        for location in (0..self.locations.len()).filter(|location| alive[*location]) {
            let bits: usize = self.widths(location, Timing::Dynamic).iter().sum();
            let rigid: usize = self.widths(location, Timing::Rigid).iter().sum();
            if bits > MOST_BITS || rigid > MOST_BITS {
                continue;
            }
            states.insert(location, HashSet::new());
            starts.extend((0..1usize << rigid).map(|choice| Lane {
                location,
                state: State::new(),
                choice,
            }));
        }
        for lanes in starts.chunks(64) {
            let word = |bit: &dyn Fn(&Lane) -> bool| gather(lanes, bit);
            simulator.start(|id| {
                let latch = design.latch(id);
                if latch.is_some_and(|latch| latch.reset == Reset::Choice) {
                    word(&|lane| {
                        self.diagnosis_of(lane.location, id)
                            || self.choice_of(lane, Timing::Rigid, id)
                    })
                } else if initial.contains(&self.origin(id)) {
                    u64::MAX
                } else {
                    0
                }
            });
            for (position, lane) in lanes.iter().enumerate() {
                let state = scatter(design, position, |id| simulator.value(id.literal()));
                states.entry(lane.location).or_default().insert(state);
            }
        }
        states
    }

    /// One step of up to 64 lanes: adds the states that they lead to, and returns the locations
    /// for which an assumption is broken, so that nothing more is asked of them.
    fn step(
        &self,
        lanes: &[Lane],
        inputs: &HashSet<NodeId>,
        simulator: &mut Simulator,
        states: &mut QuickMap<usize, HashSet<State>>,
    ) -> Vec<usize> {
        let design = &self.arena.design;
        let mut survived = Vec::new();
        let mut slot = 0;
        simulator.resume(|_| {
            slot += 1;
            gather(lanes, &|lane| bit_of(&lane.state, slot - 1))
        });
        simulator.settle(|id| match design.input_kind(id) {
            Some(InputKind::Choice) => {
                gather(lanes, &|lane| self.choice_of(lane, Timing::Dynamic, id))
            }
            _ if inputs.contains(&id) => u64::MAX,
            _ => 0,
        });
        let kept = simulator.value(self.arena.objective.guarantee);
        let excused = !simulator.value(self.arena.objective.assumption);
        for (position, lane) in lanes.iter().enumerate() {
            if excused >> position & 1 == 1 {
                survived.push(lane.location);
            } else if kept >> position & 1 == 1 {
                let next = |id: NodeId| match design.latch(id) {
                    Some(latch) => simulator.value(latch.next),
                    None => 0,
                };
                let state = scatter(design, position, next);
                states.entry(lane.location).or_default().insert(state);
            }
        }
        survived
    }

    /// The latch of the source whose free initial value a latch of the arena has: with a
    /// reset as suspect, the value has moved into a latch of its own.
    fn origin(&self, id: NodeId) -> NodeId {
        let source = &self.netlist.design();
        if id.index() < source.len() {
            return id;
        }
        let name = self
            .arena
            .design
            .name(id)
            .and_then(|name| name.strip_prefix("initial_"));
        let named = source
            .latches()
            .iter()
            .find(|latch| source.name(**latch) == name);
        named.copied().unwrap_or(id)
    }
}

/// The word whose bits are those of the lanes.
fn gather(lanes: &[Lane], bit: &dyn Fn(&Lane) -> bool) -> u64 {
    let bits = lanes.iter().enumerate();
    bits.fold(0, |word, (position, lane)| {
        word | (bit(lane) as u64) << position
    })
}

/// The state of one lane.
fn scatter(
    design: &crate::design::Design,
    position: usize,
    mut word: impl FnMut(NodeId) -> u64,
) -> State {
    let latches = design.latches();
    let mut state = vec![0; latches.len().div_ceil(64)];
    for (slot, id) in latches.iter().enumerate() {
        state[slot / 64] |= (word(*id) >> position & 1) << (slot % 64);
    }
    state
}

fn bit_of(state: &State, slot: usize) -> bool {
    state[slot / 64] >> (slot % 64) & 1 == 1
}

/// Each bit is 1 with probability 1 in 2 to the power of `halvings`.
fn sparse_word(random: &mut Random, halvings: usize) -> u64 {
    (0..halvings).fold(u64::MAX, |word, _| word & random.word())
}
