//! What designs do on fixed random inputs: how much an edit changes, what it puts to sleep,
//! and which edits look alike.
//!
//! The inputs are drawn once, for the design as it is, so that they keep the assumptions where
//! a second draw can help; every edited design then gets the same ones. What an edit changes
//! is measured on runs that kept all properties before: elsewhere a change is asked for. Where
//! hardly any run passes, what happened before the failure counts instead; where all failures
//! are loops, so many first steps as lead to one, because no finite run shows which are at fault.
//!
//! A sample orders work and words; it never vouches for an answer.

use super::RepairError;
use super::screen::{Observed, Screen};
use crate::design::reserved::{self, RUNNING};
use crate::design::reserved::{RESET_FREE, RESET_PREFIX};
use crate::design::{Design, Literal, NodeId, Reach, Simulator};
use crate::random::{Random, hash, hash_words};
use std::collections::{HashMap, HashSet};

/// A reset that may come again does so in one of two to the power of this many cycles.
const RARE_RESETS: usize = 5;
/// Cycles of a random run.
pub const CYCLES: usize = 48;
/// Rounds of 64 runs each.
const ROUNDS: usize = 4;
/// How often the inputs of a step are drawn before a run that keeps no assumption ends.
const DRAWS: u64 = 6;
/// A signal that is stilled counts as much as this many conditions: more than the largest change
/// of behaviour, since to stop an output changes little.
const STILLED: u32 = 5;
/// Runs that have to pass before they alone count.
const ENOUGH_PASSING: u32 = 24;

/// Inputs and free initial values of all random runs.
pub struct Stimuli {
    /// For each round the words of each input, cycle by cycle.
    inputs: Vec<HashMap<String, Vec<u64>>>,
}

/// What a design does on random inputs, while the assumptions hold.
pub struct Behaviour {
    /// Equal for designs that do the same here.
    pub hash: u64,
    /// The values of outputs in each cycle.
    words: Vec<u64>,
    outputs: usize,
    /// For each cycle of each round the runs that keep the assumptions, and those that also
    /// kept all invariants so far.
    alive: Vec<u64>,
    kept: Vec<u64>,
    /// For each round what happened in which runs, in steps that are kept.
    atoms: Vec<Seen>,
    signals: Vec<Seen>,
    /// Whether a signal changed at all, also in steps after a failure.
    stirred: Vec<bool>,
    names: Vec<String>,
    /// Inputs, as words, on which an output depends.
    read: HashSet<String>,
    /// Words with a bit that is no constant. A register that nothing assigns is none of them.
    variable: HashSet<String>,
}

/// The runs of each round in which something was seen.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// An atom was true, or a signal rose.
    up: [u64; ROUNDS],
    /// An atom was false, or a signal fell.
    down: [u64; ROUNDS],
}

/// What an edit did to the design besides keeping the properties.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effect {
    /// What happened in passing runs before and never happens any more, in words.
    pub disabled: Vec<String>,
    /// Conditions of properties that do not take both values any more, and signals that changed
    /// in failing runs only and never do so any more.
    pub silenced: u32,
    /// Inputs on which no output depends any more, and those on which one does for the first time.
    pub unread: u32,
    pub newly_read: u32,
    /// Values of outputs that differ on runs that passed before, and how many were compared.
    pub difference: usize,
    pub compared: usize,
    /// Steps of these runs in which some output differs, and how many there are. A wide word
    /// that is wrong all the time has many bits that seldom change.
    pub changed_steps: usize,
    pub steps: usize,
    /// Whether these runs pass to their end; otherwise steps before a failure were compared.
    pub whole_runs: bool,
}

impl Stimuli {
    /// Draws inputs for the design as it is.
    pub fn new(observed: &Observed, screen: &Screen) -> Result<Stimuli, RepairError> {
        let design = &observed.design;
        let mut simulator = Simulator::new(design)?;
        let mut watching = match &screen.monitors {
            Some(monitors) => Some((Simulator::new(&monitors.design)?, monitors)),
            None => None,
        };
        let names: Vec<&str> = design
            .inputs()
            .iter()
            .map(|id| design.name(*id).unwrap_or_default())
            .collect();
        let mut inputs = Vec::new();
        for round in 0..ROUNDS {
            let mut drawn: HashMap<String, Vec<u64>> = HashMap::new();
            simulator.start(|id| initial_word(design, id, round));
            if let Some((watching, _)) = &mut watching {
                watching.start(|_| 0);
            }
            let mut alive = u64::MAX;
            for cycle in 0..CYCLES {
                let draw = |name: &str, again: u64| random_word(name, round, cycle, again);
                let mut words: Vec<u64> = names.iter().map(|name| draw(name, 0)).collect();
                for again in 1..=DRAWS {
                    let mut next = words.iter();
                    simulator.settle(|_| next.next().copied().unwrap_or(0));
                    let Some((watching, monitors)) = &mut watching else {
                        break;
                    };
                    let mut atoms = observed.atoms.iter();
                    watching.settle(|_| atoms.next().map_or(0, |atom| simulator.value(*atom)));
                    let broken = alive & !watching.value(monitors.objective.assumption);
                    if broken == 0 || again == DRAWS {
                        alive &= !broken;
                        watching.advance();
                        break;
                    }
                    for (word, name) in words.iter_mut().zip(&names) {
                        *word = *word & !broken | draw(name, again) & broken;
                    }
                }
                simulator.advance();
                for (name, word) in names.iter().zip(words) {
                    drawn.entry(name.to_string()).or_default().push(word);
                }
            }
            inputs.push(drawn);
        }
        Ok(Stimuli { inputs })
    }
}

impl Behaviour {
    pub fn of(
        observed: &Observed,
        screen: &Screen,
        stimuli: &Stimuli,
    ) -> Result<Behaviour, RepairError> {
        let design = &observed.design;
        let mut simulator = Simulator::new(design)?;
        let mut watching = match &screen.monitors {
            Some(monitors) => Some((Simulator::new(&monitors.design)?, monitors)),
            None => None,
        };
        let watched = watched_signals(design);
        let outputs = outputs_of(design);
        let running = design.signal(RUNNING).ok().map(|word| word.bits[0]);
        let reset = design.inputs().iter();
        let reset = reset
            .copied()
            .find(|id| design.name(*id) == Some(RESET_FREE));
        let mut signature: Vec<u64> = Vec::new();
        let mut behaviour = Behaviour::unseen(observed, outputs.len(), &watched);
        for (round, drawn) in stimuli.inputs.iter().enumerate() {
            let inputs: Vec<Option<&Vec<u64>>> = design
                .inputs()
                .iter()
                .map(|id| drawn.get(design.name(*id).unwrap_or_default()))
                .collect();
            simulator.start(|id| initial_word(design, id, round));
            if let Some((watching, _)) = &mut watching {
                watching.start(|_| 0);
            }
            let (mut alive, mut kept) = (u64::MAX, u64::MAX);
            let mut before: Vec<u64> = Vec::new();
            let mut was_running = 0;
            for cycle in 0..CYCLES {
                let mut next = inputs.iter();
                simulator.settle(|_| next.next().copied().flatten().map_or(0, |one| one[cycle]));
                if let Some((watching, monitors)) = &mut watching {
                    let mut atoms = observed.atoms.iter();
                    watching.settle(|_| atoms.next().map_or(0, |atom| simulator.value(*atom)));
                    alive &= watching.value(monitors.objective.assumption);
                    kept &= alive & watching.value(monitors.objective.guarantee);
                    watching.advance();
                }
                behaviour.alive.push(alive);
                behaviour.kept.push(kept);
                for output in &outputs {
                    let word = simulator.value(*output) & alive;
                    signature.push(word);
                    behaviour.words.push(word);
                }
                for id in design.latches() {
                    if !design.is_hidden(*id) {
                        signature.push(simulator.value(id.literal()) & alive);
                    }
                }
                // Properties ask for nothing while a reset is played, and what only a reset that
                // comes again brings about does not count as alive.
                let is_reset = reset.map_or(0, |id| simulator.value(id.literal()));
                let is_running = running.map_or(u64::MAX, |bit| simulator.value(bit)) & !is_reset;
                for (atom, seen) in observed.atoms.iter().zip(&mut behaviour.atoms) {
                    let value = simulator.value(*atom);
                    signature.push(value & alive);
                    seen.up[round] |= value & kept & is_running;
                    seen.down[round] |= !value & kept & is_running;
                }
                let now: Vec<u64> = watched
                    .iter()
                    .flat_map(|(_, bits)| bits.iter().map(|bit| simulator.value(*bit)))
                    .collect();
                if !before.is_empty() {
                    let running = was_running & is_running;
                    let counts = (kept & running, alive & running);
                    behaviour.see_changes(round, &watched, (&before, &now), counts);
                }
                before = now;
                was_running = is_running;
                simulator.advance();
            }
        }
        behaviour.hash = hash_words(&signature);
        Ok(behaviour)
    }

    /// What is known before the first step.
    fn unseen(
        observed: &Observed,
        outputs: usize,
        watched: &[(String, Vec<Literal>)],
    ) -> Behaviour {
        Behaviour {
            hash: 0,
            words: Vec::new(),
            outputs,
            alive: Vec::new(),
            kept: Vec::new(),
            atoms: vec![Seen::default(); observed.atoms.len()],
            signals: vec![Seen::default(); watched.len()],
            stirred: vec![false; watched.len()],
            names: watched.iter().map(|(name, _)| name.clone()).collect(),
            read: inputs_read(&observed.design),
            variable: variable_words(&observed.design),
        }
    }

    /// Notes which bits of the watched signals rise and fall from one step to the next, on
    /// the runs that count, and which change at all on runs that are alive.
    fn see_changes(
        &mut self,
        round: usize,
        watched: &[(String, Vec<Literal>)],
        (before, now): (&[u64], &[u64]),
        (counted, alive): (u64, u64),
    ) {
        let mut pairs = before.iter().zip(now);
        let signals = self.signals.iter_mut().zip(&mut self.stirred);
        for ((_, bits), (seen, stirred)) in watched.iter().zip(signals) {
            for (old, new) in pairs.by_ref().take(bits.len()) {
                seen.up[round] |= !old & new & counted;
                seen.down[round] |= old & !new & counted;
                *stirred |= (old ^ new) & alive != 0;
            }
        }
    }

    /// How many signals changed in failing runs only and never change here. Where the fault is
    /// all that moves an output, to stop it keeps the properties and is seldom what was meant.
    fn stilled(&self, before: &Behaviour, lived: &dyn Fn(&[u64; ROUNDS]) -> bool) -> u32 {
        let mut stilled = 0;
        for (index, name) in before.names.iter().enumerate() {
            let seen = &before.signals[index];
            if !before.stirred[index] || lived(&seen.up) || lived(&seen.down) {
                continue;
            }
            let stirs = match self.names.iter().position(|one| one == name) {
                Some(index) => self.stirred[index],
                None => self.variable.contains(name) || name.contains('.'),
            };
            stilled += u32::from(!stirs);
        }
        stilled
    }

    /// The runs of a round that pass to their end; none if they are too few to count.
    fn passing(&self) -> Option<[u64; ROUNDS]> {
        let mut passing = [0; ROUNDS];
        for (round, lanes) in passing.iter_mut().enumerate() {
            *lanes = self.kept[(round + 1) * CYCLES - 1];
        }
        let count: u32 = passing.iter().map(|lanes| lanes.count_ones()).sum();
        (count >= ENOUGH_PASSING).then_some(passing)
    }

    /// What this design, which keeps the properties, does otherwise than the one before.
    /// `conditions` are the conditions of the properties as people write them, `cycles` how many
    /// first ones of each run are compared.
    pub fn effect(&self, before: &Behaviour, conditions: &[String], cycles: usize) -> Effect {
        let passing = before.passing();
        let lanes = passing.unwrap_or([u64::MAX; ROUNDS]);
        let lived = |seen: &[u64; ROUNDS]| seen.iter().zip(&lanes).any(|(one, of)| one & of != 0);
        let lives = |seen: &[u64; ROUNDS]| seen.iter().any(|one| *one != 0);
        let mut effect = Effect {
            whole_runs: passing.is_some() && cycles >= CYCLES,
            unread: before.read.difference(&self.read).count() as u32,
            newly_read: self.read.difference(&before.read).count() as u32,
            ..Effect::default()
        };
        for ((now, before), text) in self.atoms.iter().zip(&before.atoms).zip(conditions) {
            let never = lived(&before.up) && !lives(&now.up);
            let always = lived(&before.down) && !lives(&now.down);
            effect.silenced += never as u32 + always as u32;
            if never {
                effect.disabled.push(format!("`{text}` never holds"));
            }
        }
        for (name, now) in self.names.iter().zip(&self.signals) {
            let Some(known) = before.names.iter().position(|one| one == name) else {
                continue;
            };
            let before = &before.signals[known];
            let rises = lives(&now.up) || !lived(&before.up);
            let falls = lives(&now.down) || !lived(&before.down);
            effect.disabled.extend(match (rises, falls) {
                (true, true) => None,
                (false, false) => Some(format!("`{name}` never changes")),
                (true, false) => Some(format!("`{name}` never goes back to 0")),
                (false, true) => Some(format!("`{name}` never goes to 1")),
            });
        }
        effect.silenced += STILLED * self.stilled(before, &lived);
        for (name, before) in before.names.iter().zip(&before.signals) {
            // What is in an instance may be gone because there are fewer instances.
            let is_gone = !self.variable.contains(name) && !name.contains('.');
            if is_gone && (lived(&before.up) || lived(&before.down)) {
                effect.disabled.push(format!("`{name}` never changes"));
            }
        }
        let compared = self.alive.iter().enumerate();
        for (at, alive) in compared.filter(|(at, _)| at % CYCLES < cycles) {
            let counted = match passing {
                Some(passing) => passing[at / CYCLES],
                None => before.kept[at],
            };
            let counted = counted & alive;
            let outputs = at * self.outputs..(at + 1) * self.outputs;
            let pairs = self.words[outputs.clone()]
                .iter()
                .zip(&before.words[outputs]);
            let mut changed = 0;
            for (now, before) in pairs {
                let differs = (now ^ before) & counted;
                changed |= differs;
                effect.difference += differs.count_ones() as usize;
                effect.compared += counted.count_ones() as usize;
            }
            effect.changed_steps += changed.count_ones() as usize;
            effect.steps += counted.count_ones() as usize;
        }
        effect
    }
}

/// Registers and outputs, as words, that the user knows.
fn watched_signals(design: &Design) -> Vec<(String, Vec<Literal>)> {
    let is_register = |bit: &Literal| is_register(design, bit.node());
    let is_output = |name: &str| {
        let known = design
            .outputs()
            .iter()
            .filter_map(|one| one.name.as_deref());
        known
            .into_iter()
            .any(|output| output.split('[').next() == Some(name))
    };
    let words = design
        .words()
        .iter()
        .filter(|word| !word.name.contains('$'));
    words
        .filter(|word| word.bits.iter().all(is_register) || is_output(&word.name))
        .map(|word| (word.name.clone(), word.bits.clone()))
        .collect()
}

/// The inputs on which the user's outputs depend, as words.
fn inputs_read(design: &Design) -> HashSet<String> {
    let cone = design.cone(outputs_of(design), Reach::Run);
    let inputs = design.inputs().iter().filter(|id| cone.contains(**id));
    let names = inputs.filter_map(|id| design.name(*id));
    // What is read past the end of a word is no input that anybody declared.
    let is_user = |name: &&str| !reserved::is_reserved(name) && !name.starts_with("unknown$");
    let names = names.filter(is_user);
    let word = |name: &str| name.split('[').next().unwrap_or(name).to_string();
    names.map(word).collect()
}

/// Words with a bit that is no constant.
fn variable_words(design: &Design) -> HashSet<String> {
    let is_variable = |bit: &Literal| !is_constant(design, *bit);
    let words = design.words().iter();
    words
        .filter(|word| word.bits.iter().any(is_variable))
        .map(|word| word.name.clone())
        .collect()
}

/// Whether a literal is a constant, also behind the buffer of a signal that nothing drives.
fn is_constant(design: &Design, mut literal: Literal) -> bool {
    for _ in 0..MOST_GATES {
        let Some((left, right)) = design.gate(literal.node()) else {
            break;
        };
        literal = match (left.as_constant(), right.as_constant()) {
            (Some(false), _) | (_, Some(false)) => return true,
            (Some(true), _) => right,
            (_, Some(true)) => left,
            (None, None) => break,
        };
    }
    literal.as_constant().is_some()
}

/// Gates between a register and the signal that the user knows.
const MOST_GATES: usize = 16;

/// Whether a node is a register, or one with a reset that comes in between: nothing else but the
/// reset is read.
fn is_register(design: &Design, node: NodeId) -> bool {
    let mut register = None;
    let mut pending = vec![node];
    for _ in 0..2 * MOST_GATES {
        let Some(id) = pending.pop() else {
            return register.is_some_and(|id| design.latch(id).is_some());
        };
        if let Some((left, right)) = design.gate(id) {
            pending.extend([left.node(), right.node()]);
        } else if id != NodeId::CONSTANT && !is_of_reset(design, id) {
            if register.is_some_and(|known| known != id) {
                return false;
            }
            register = Some(id);
        }
    }
    false
}

/// Whether a node is there for the play of a reset.
fn is_of_reset(design: &Design, id: NodeId) -> bool {
    design.is_hidden(id)
        && design
            .name(id)
            .is_some_and(|name| name.starts_with(RESET_PREFIX))
}

/// Outputs that are the user's.
fn outputs_of(design: &Design) -> Vec<Literal> {
    let is_reserved = |name: &String| reserved::is_reserved(name);
    let outputs = design.outputs().iter();
    outputs
        .filter(|one| !one.name.as_ref().is_some_and(is_reserved))
        .map(|one| one.literal)
        .collect()
}

fn initial_word(design: &Design, id: NodeId, round: usize) -> u64 {
    random_word(design.name(id).unwrap_or_default(), round, usize::MAX, 0)
}

/// A random word that depends on these alone; in some rounds mostly zeros or ones.
fn random_word(name: &str, round: usize, cycle: usize, again: u64) -> u64 {
    let key = name
        .bytes()
        .chain((round as u64).to_le_bytes())
        .chain((cycle as u64).to_le_bytes())
        .chain(again.to_le_bytes());
    let mut random = Random::new(hash(key));
    // A design that is always reset shows little.
    if name == RESET_FREE {
        return (0..RARE_RESETS).fold(u64::MAX, |word, _| word & random.word());
    }
    match round % ROUNDS {
        0 | 1 => random.word(),
        2 => random.word() & random.word(),
        _ => random.word() | random.word(),
    }
}
