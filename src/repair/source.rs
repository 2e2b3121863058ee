//! Corrections of a text, by candidates and counterexamples.
//!
//! A front end lists edits, the cheapest first. Each is applied and the text read again, and
//! the design is run on the inputs of all counterexamples so far; most edits fail there. One
//! that survives goes to the certifier: what it proves is a correction, and what it refutes
//! gives one more run. This finds what a person would write, words and all; which places can
//! be corrected at all is for the games to say.

use super::RepairError;
use crate::bdd;
use crate::design::verilog;
use crate::design::verilog::edits::SourceEdit;
use crate::design::{ComponentKind, Design, InputKind, Literal, NodeId, Simulator, elaborate_atom};
use crate::expr::{Expr, Role};
use crate::game::Arena;
use crate::source::{FileId, Sources, Span};
use crate::spec::{Atom, AtomId, Lasso, Spec};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Runs that are kept: one word of the simulator.
const MOST_RUNS: usize = 64;
/// Cycles of a random run, and how many words of them.
const RANDOM_CYCLES: usize = 48;
const RANDOM_ROUNDS: usize = 12;
/// What a correction costs more for each condition that never changes any more.
const SILENCED: u32 = 4;
/// Rounds of a loop before a run that does not repeat is left to the certifier.
const MOST_ROUNDS: usize = 64;

/// What the environment does, by the names of signals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRun {
    /// Latches that it starts at 1.
    pub initial: HashSet<String>,
    /// In each cycle the inputs that are 1.
    pub inputs: Vec<HashSet<String>>,
    /// The cycle that follows the last one, in a run that goes on for ever.
    pub loop_start: Option<usize>,
}

/// What a certifier says of a text.
pub enum Judgement {
    Proved,
    Vacuous,
    Refuted(Vec<NamedRun>),
    /// It is no design any more.
    Unreadable,
    Unknown(bdd::Error),
}

/// A certified correction.
#[derive(Clone, Debug)]
pub struct SourceRepair {
    pub edits: Vec<SourceEdit>,
    pub texts: BTreeMap<FileId, String>,
    pub cost: u32,
    /// How many values of outputs differ from those of the design as it was, on random runs,
    /// and how many were compared.
    pub difference: usize,
    pub compared: usize,
    pub vacuous: bool,
    pub added_registers: usize,
    /// Other edits that behave alike.
    pub also: Vec<Vec<SourceEdit>>,
    behaviour: u64,
}

impl SourceRepair {
    /// Takes an edit with the same effect; the plainer one is shown.
    fn add_alike(&mut self, edits: Vec<SourceEdit>, texts: BTreeMap<FileId, String>) {
        let strange =
            |edits: &[SourceEdit]| -> usize { edits.iter().map(|edit| edit.new_signals).sum() };
        if strange(&edits) < strange(&self.edits) {
            self.also
                .insert(0, std::mem::replace(&mut self.edits, edits));
            self.texts = texts;
        } else {
            self.also.push(edits);
        }
    }

    /// A correction that was found by other means.
    pub fn new(
        edits: Vec<SourceEdit>,
        texts: BTreeMap<FileId, String>,
        vacuous: bool,
    ) -> SourceRepair {
        SourceRepair {
            cost: edits.iter().map(|edit| edit.cost).sum(),
            edits,
            texts,
            difference: 0,
            compared: 0,
            vacuous,
            added_registers: 0,
            also: Vec::new(),
            behaviour: 0,
        }
    }
}

impl Found {
    /// Adds what a later search found.
    pub fn absorb(&mut self, other: Found) {
        self.repairs.extend(other.repairs);
        self.tried += other.tried;
        self.certified += other.certified;
        self.unproved += other.unproved;
        self.stopped = self.stopped.or(other.stopped);
    }
}

/// The text that is to be corrected.
pub struct Problem<'a> {
    pub sources: &'a Sources,
    /// The design of an edited text; none if it is not one.
    pub read: &'a dyn Fn(&Sources) -> Option<Design>,
    pub spec: &'a Spec,
    pub limits: bdd::Limits,
    /// Components that another value cannot help.
    pub ruled_out: HashSet<(Span, ComponentKind)>,
    /// Stop when so many corrections were found, and the next edits are dearer.
    pub enough: usize,
}

/// What the search found.
#[derive(Default)]
pub struct Found {
    pub repairs: Vec<SourceRepair>,
    /// How many edits were tried, and how many of them went to the certifier.
    pub tried: usize,
    pub certified: usize,
    pub stopped: Option<bdd::Error>,
    pub unproved: usize,
}

type Certifier<'a> = dyn FnMut(&Sources) -> Result<Judgement, RepairError> + 'a;

/// Tries edits one by one, in sets if several are to be made at once.
pub fn search(
    problem: &Problem,
    candidates: &[Vec<&SourceEdit>],
    original: &Design,
    runs: &mut Vec<NamedRun>,
    certify: &mut Certifier,
) -> Result<Found, RepairError> {
    let mut found = Found::default();
    let mut judge = Judge::new(problem.spec);
    judge.set_runs(runs);
    let Some(observed) = judge.observed(original) else {
        return Ok(found);
    };
    let before = Behaviour::of(&observed, &judge)?;
    let ports = ports_of(original);
    let mut dearest = u32::MAX;
    for edits in candidates {
        let cost = edits.iter().map(|edit| edit.cost).sum();
        if cost > dearest {
            break;
        }
        if edits.iter().any(|edit| {
            edit.within
                .is_some_and(|within| problem.ruled_out.contains(&within))
        }) {
            continue;
        }
        if let Err(error) = problem.limits.check() {
            found.stopped = Some(error);
            break;
        }
        found.tried += 1;
        let owned: Vec<SourceEdit> = edits.iter().map(|edit| (*edit).clone()).collect();
        let texts = verilog::edits::apply(&owned, problem.sources);
        let sources = problem.sources.with_texts(&texts);
        let Some(design) = (problem.read)(&sources) else {
            continue;
        };
        let Some(observed) = judge.observed(&design) else {
            continue;
        };
        if !judge.survives(&observed, runs)? || ports_of(&design) != ports {
            continue;
        }
        let behaviour = Behaviour::of(&observed, &judge)?;
        let alike = found
            .repairs
            .iter_mut()
            .find(|known| known.behaviour == behaviour.hash);
        if let Some(known) = alike {
            known.add_alike(owned, texts);
            continue;
        }
        found.certified += 1;
        let vacuous = match certify(&sources)? {
            Judgement::Proved => false,
            Judgement::Vacuous => true,
            Judgement::Refuted(more) => {
                add_runs(runs, more);
                judge.set_runs(runs);
                continue;
            }
            Judgement::Unreadable => continue,
            Judgement::Unknown(bdd::Error::Interrupted) => {
                found.stopped = Some(bdd::Error::Interrupted);
                break;
            }
            Judgement::Unknown(_) => {
                found.unproved += 1;
                continue;
            }
        };
        // What keeps a property by never coming to its condition is not what was meant.
        let silenced = behaviour.silenced(&before);
        found.repairs.push(SourceRepair {
            edits: owned,
            texts,
            cost: cost + SILENCED * silenced,
            difference: behaviour.difference(&before),
            compared: 64 * behaviour.words.len(),
            vacuous,
            added_registers: 0,
            also: Vec::new(),
            behaviour: behaviour.hash,
        });
        let good = found
            .repairs
            .iter()
            .filter(|one| !one.vacuous && one.cost <= cost);
        if good.count() >= problem.enough {
            dearest = dearest.min(cost);
        }
    }
    found
        .repairs
        .sort_by_key(|repair| (repair.vacuous, repair.cost, repair.difference));
    Ok(found)
}

/// The newest runs push out the oldest.
fn add_runs(runs: &mut Vec<NamedRun>, more: Vec<NamedRun>) {
    for run in more {
        if !runs.contains(&run) {
            runs.push(run);
        }
    }
    let excess = runs.len().saturating_sub(MOST_RUNS);
    runs.drain(..excess);
}

/// The names of inputs and outputs: no edit changes what others connect to.
fn ports_of(design: &Design) -> Vec<String> {
    let inputs = design.inputs().iter();
    let inputs = inputs.filter_map(|id| design.name(*id)).map(str::to_string);
    let outputs = design.outputs().iter().filter_map(|one| one.name.clone());
    let known = |name: &String| !name.starts_with("unknown$");
    inputs.filter(known).chain(outputs).collect()
}

/// Judges designs on runs. The monitors of the properties are made once, over atoms that are
/// inputs of a design of their own; what an atom is in an edited design is found out for each.
struct Judge<'a> {
    spec: &'a Spec,
    /// The conditions of the specification.
    atoms: Vec<(AtomId, &'a Expr)>,
    /// Monitors over one input for each atom, in the same order; none if the properties have
    /// no deterministic ones.
    monitors: Option<Arena>,
    /// The runs that break an invariant, as words of the simulator.
    words: Vec<Words>,
}

/// Up to 64 runs side by side.
struct Words {
    initial: HashMap<String, u64>,
    /// For each cycle the values of inputs, and the runs that have not ended.
    cycles: Vec<(HashMap<String, u64>, u64)>,
}

impl Words {
    fn new(runs: &[&NamedRun]) -> Words {
        let longest = runs.iter().map(|run| run.inputs.len()).max().unwrap_or(0);
        let mut words = Words {
            initial: HashMap::new(),
            cycles: vec![(HashMap::new(), 0); longest],
        };
        for (lane, run) in runs.iter().enumerate() {
            let bit = 1u64 << lane;
            for name in &run.initial {
                *words.initial.entry(name.clone()).or_default() |= bit;
            }
            for (inputs, (values, running)) in run.inputs.iter().zip(&mut words.cycles) {
                *running |= bit;
                for name in inputs {
                    *values.entry(name.clone()).or_default() |= bit;
                }
            }
        }
        words
    }
}

impl<'a> Judge<'a> {
    fn new(spec: &'a Spec) -> Judge<'a> {
        let mut atoms = Vec::new();
        for id in spec.formulas.atom_ids() {
            if let Atom::Condition(expr) = spec.formulas.atom(id) {
                atoms.push((id, expr));
            }
        }
        let (abstracted, names) = spec.with_named_atoms("atom");
        let mut design = Design::new();
        for name in names {
            let id = design.add_input(InputKind::Environment);
            design.set_name(id, name);
        }
        Judge {
            spec,
            atoms,
            monitors: Arena::new(design, &abstracted).ok(),
            words: Vec::new(),
        }
    }

    fn set_runs(&mut self, runs: &[NamedRun]) {
        let finite: Vec<&NamedRun> = runs.iter().filter(|run| run.loop_start.is_none()).collect();
        self.words = finite.chunks(64).map(Words::new).collect();
    }

    /// The design with its atoms; none if one of them means nothing there.
    fn observed(&self, design: &Design) -> Option<Observed> {
        let mut design = design.clone();
        let mut atoms = Vec::new();
        for (_, expr) in &self.atoms {
            atoms.push(elaborate_atom(&mut design, expr).ok()?);
        }
        Some(Observed { design, atoms })
    }

    /// Whether a design keeps its properties on all of these runs, as far as they show.
    fn survives(&self, observed: &Observed, runs: &[NamedRun]) -> Result<bool, RepairError> {
        for words in &self.words {
            if !self.keeps_invariants(observed, words)? {
                return Ok(false);
            }
        }
        for run in runs.iter().filter(|run| run.loop_start.is_some()) {
            if !survives_lasso(self.spec, &self.atoms, observed, run)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn keeps_invariants(&self, observed: &Observed, words: &Words) -> Result<bool, RepairError> {
        let Some(monitors) = &self.monitors else {
            return Ok(true);
        };
        let design = &observed.design;
        let mut simulator = Simulator::new(design)?;
        let mut watching = Simulator::new(&monitors.design)?;
        let names: HashMap<NodeId, &str> = design.names().collect();
        let value = |values: &HashMap<String, u64>, id: NodeId| {
            let name = names.get(&id).copied().unwrap_or_default();
            values.get(name).copied().unwrap_or(0)
        };
        simulator.start(|id| value(&words.initial, id));
        watching.start(|_| 0);
        let mut alive = u64::MAX;
        for (values, running) in &words.cycles {
            simulator.settle(|id| value(values, id));
            let mut atoms = observed.atoms.iter();
            watching.settle(|_| atoms.next().map_or(0, |atom| simulator.value(*atom)));
            alive &= running & watching.value(monitors.objective.assumption);
            if alive & !watching.value(monitors.objective.guarantee) != 0 {
                return Ok(false);
            }
            simulator.advance();
            watching.advance();
        }
        Ok(true)
    }
}

/// A design with the conditions of the properties.
struct Observed {
    design: Design,
    atoms: Vec<Literal>,
}

/// Whether a run that goes on for ever keeps the properties, by their definition.
fn survives_lasso(
    spec: &Spec,
    atoms: &[(AtomId, &Expr)],
    observed: &Observed,
    run: &NamedRun,
) -> Result<bool, RepairError> {
    let Some(loop_start) = run.loop_start else {
        return Ok(true);
    };
    let design = &observed.design;
    let mut simulator = Simulator::new(design)?;
    let set = |names: &HashSet<String>, id: NodeId| {
        let name = design.name(id).unwrap_or_default();
        if names.contains(name) { u64::MAX } else { 0 }
    };
    simulator.start(|id| set(&run.initial, id));
    let mut steps: Vec<Vec<bool>> = Vec::new();
    let mut seen: HashMap<Vec<bool>, usize> = HashMap::new();
    let mut cycle = 0;
    for _ in 0..MOST_ROUNDS * run.inputs.len() {
        if cycle == loop_start {
            let latches = design.latches().iter();
            let state = latches
                .map(|id| simulator.value(id.literal()) & 1 == 1)
                .collect();
            if let Some(first) = seen.insert(state, steps.len()) {
                let cycle = steps.split_off(first);
                let Some(lasso) = Lasso::new(steps, cycle) else {
                    return Ok(true);
                };
                return Ok(keeps(spec, &lasso));
            }
        }
        simulator.settle(|id| set(&run.inputs[cycle], id));
        let mut step = vec![false; atoms.last().map_or(0, |(id, _)| id.index() + 1)];
        for ((id, _), literal) in atoms.iter().zip(&observed.atoms) {
            step[id.index()] = simulator.value(*literal) & 1 == 1;
        }
        steps.push(step);
        simulator.advance();
        cycle += 1;
        if cycle == run.inputs.len() {
            cycle = loop_start;
        }
    }
    Ok(true)
}

fn keeps(spec: &Spec, lasso: &Lasso) -> bool {
    let holds = |role: Role| {
        let properties = spec.properties.iter().filter(move |one| one.role == role);
        properties
            .into_iter()
            .all(|one| lasso.satisfies(&spec.formulas, one.formula))
    };
    !holds(Role::Assume) || holds(Role::Assert)
}

/// What a design does on fixed random inputs, while the assumptions hold.
struct Behaviour {
    hash: u64,
    /// The values of outputs in each cycle.
    words: Vec<u64>,
    /// For each atom whether it was ever true, and ever false.
    values: Vec<(bool, bool)>,
}

impl Behaviour {
    fn of(observed: &Observed, judge: &Judge) -> Result<Behaviour, RepairError> {
        let design = &observed.design;
        let mut simulator = Simulator::new(design)?;
        let mut watching = match &judge.monitors {
            Some(monitors) => Some((Simulator::new(&monitors.design)?, monitors)),
            None => None,
        };
        let mut hasher = DefaultHasher::new();
        let mut words = Vec::new();
        let mut values = vec![(false, false); observed.atoms.len()];
        for round in 0..4u64 {
            let random = |id: NodeId, cycle: usize| {
                let name = design.name(id).unwrap_or_default();
                random_word(name, round, cycle as u64)
            };
            simulator.start(|id| random(id, usize::MAX));
            if let Some((watching, _)) = &mut watching {
                watching.start(|_| 0);
            }
            let mut alive = u64::MAX;
            for cycle in 0..RANDOM_CYCLES {
                simulator.settle(|id| random(id, cycle));
                if let Some((watching, monitors)) = &mut watching {
                    let mut atoms = observed.atoms.iter();
                    watching.settle(|_| atoms.next().map_or(0, |atom| simulator.value(*atom)));
                    alive &= watching.value(monitors.objective.assumption);
                    watching.advance();
                }
                for output in design.outputs() {
                    let word = simulator.value(output.literal) & alive;
                    word.hash(&mut hasher);
                    words.push(word);
                }
                for id in design.latches() {
                    if !design.is_hidden(*id) {
                        (simulator.value(id.literal()) & alive).hash(&mut hasher);
                    }
                }
                for (atom, (seen, missed)) in observed.atoms.iter().zip(&mut values) {
                    let value = simulator.value(*atom);
                    (value & alive).hash(&mut hasher);
                    *seen |= value & alive != 0;
                    *missed |= !value & alive != 0;
                }
                simulator.advance();
            }
        }
        Ok(Behaviour {
            hash: hasher.finish(),
            words,
            values,
        })
    }

    /// How many conditions of the properties can no longer be true, or no longer false.
    fn silenced(&self, before: &Behaviour) -> u32 {
        let pairs = self.values.iter().zip(&before.values);
        pairs
            .map(|(now, before)| (before.0 && !now.0) as u32 + (before.1 && !now.1) as u32)
            .sum()
    }

    fn difference(&self, other: &Behaviour) -> usize {
        let pairs = self.words.iter().zip(&other.words);
        pairs
            .map(|(left, right)| (left ^ right).count_ones() as usize)
            .sum()
    }
}

/// A random word that depends on these alone; in some rounds mostly zeros or ones.
fn random_word(name: &str, round: u64, cycle: u64) -> u64 {
    let draw = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        (name, round, cycle, salt).hash(&mut hasher);
        hasher.finish()
    };
    match round % 4 {
        0 | 1 => draw(0),
        2 => draw(0) & draw(1),
        _ => draw(0) | draw(1),
    }
}

/// Runs of a design that break an invariant while the assumption holds.
pub fn random_runs(design: &Design, spec: &Spec) -> Result<Vec<NamedRun>, RepairError> {
    let Ok(arena) = Arena::new(design.clone(), spec) else {
        return Ok(Vec::new());
    };
    let design = &arena.design;
    let mut simulator = Simulator::new(design)?;
    let mut found: Vec<NamedRun> = Vec::new();
    for round in 0..RANDOM_ROUNDS as u64 {
        let random = |id: NodeId, cycle: usize| {
            random_word(design.name(id).unwrap_or_default(), round, cycle as u64)
        };
        simulator.start(|id| random(id, usize::MAX));
        let mut alive = u64::MAX;
        for cycle in 0..RANDOM_CYCLES {
            simulator.settle(|id| random(id, cycle));
            alive &= simulator.value(arena.objective.assumption);
            let failing = alive & !simulator.value(arena.objective.guarantee);
            for lane in (0..64).filter(|lane| failing >> lane & 1 == 1).take(4) {
                let ones = |nodes: &[NodeId], cycle: usize| {
                    let set = nodes
                        .iter()
                        .filter(|id| random(**id, cycle) >> lane & 1 == 1);
                    set.filter_map(|id| design.name(*id).map(str::to_string))
                        .collect()
                };
                found.push(NamedRun {
                    initial: ones(design.latches(), usize::MAX),
                    inputs: (0..=cycle).map(|at| ones(design.inputs(), at)).collect(),
                    loop_start: None,
                });
            }
            alive &= !failing;
            simulator.advance();
        }
    }
    found.sort_by_key(|run| run.inputs.len());
    found.truncate(MOST_RUNS / 2);
    Ok(found)
}
