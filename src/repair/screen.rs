//! Screens edited designs on the runs of all counterexamples so far.
//!
//! Most edits fail there, and never come to the model checker. Surviving says nothing: what
//! is offered has been proved.

use super::RepairError;
use crate::design::{Design, InputKind, Literal, NodeId, SharedAtoms, Simulator, elaborate_atom};
use crate::expr::{Expr, Role};
use crate::game::Arena;
use crate::run::{Run, SignalKind};
use crate::source::Sources;
use crate::spec::{Atom, AtomId, Lasso, Spec};
use std::collections::HashMap;

/// Rounds of a loop before a run that does not repeat is left to the model checker.
const MOST_ROUNDS: usize = 64;

/// Judges designs on runs. The monitors of the properties are made once, over atoms that are
/// inputs of a design of their own; what an atom is in an edited design is found out for each.
pub struct Screen<'a> {
    spec: &'a Spec,
    /// The conditions of the specification, and the same for designs with the words of the
    /// original.
    atoms: Vec<(AtomId, &'a Expr)>,
    shared: Option<SharedAtoms>,
    /// Monitors over one input for each atom, in the same order; none if the properties have
    /// no deterministic ones.
    pub monitors: Option<Arena>,
    /// The runs that break an invariant, as words of the simulator.
    words: Vec<Words>,
    lassos: Vec<Lassos>,
}

/// Up to 64 runs side by side.
struct Words {
    initial: HashMap<String, u64>,
    /// The column of each input.
    columns: HashMap<String, usize>,
    /// For each cycle the values of inputs, by column, and the runs that have not ended.
    cycles: Vec<(Vec<u64>, u64)>,
}

impl Words {
    fn new(runs: &[&Run]) -> Words {
        let longest = runs.iter().map(|run| run.steps).max().unwrap_or(0);
        let mut columns = HashMap::new();
        let signals = runs.iter().flat_map(|run| &run.signals);
        for signal in signals.filter(|signal| signal.kind != SignalKind::Latch) {
            let next = columns.len();
            columns.entry(signal.name.clone()).or_insert(next);
        }
        let mut words = Words {
            initial: HashMap::new(),
            cycles: vec![(vec![0; columns.len()], 0); longest],
            columns,
        };
        for (lane, run) in runs.iter().enumerate() {
            let bit = 1u64 << lane;
            for (_, running) in words.cycles.iter_mut().take(run.steps) {
                *running |= bit;
            }
            for signal in &run.signals {
                if signal.kind == SignalKind::Latch {
                    if signal.is_one(0) {
                        *words.initial.entry(signal.name.clone()).or_default() |= bit;
                    }
                    continue;
                }
                let column = words.columns[&signal.name];
                for (step, (values, _)) in words.cycles.iter_mut().take(run.steps).enumerate() {
                    if signal.is_one(step) {
                        values[column] |= bit;
                    }
                }
            }
        }
        words
    }

    /// The column of each input of a design, in the order of its list.
    fn columns_of(&self, design: &Design) -> Vec<Option<usize>> {
        let inputs = design.inputs().iter();
        let name = |id: &NodeId| design.name(*id).unwrap_or_default();
        inputs
            .map(|id| self.columns.get(name(id)).copied())
            .collect()
    }

    /// The initial values of a latch.
    fn initial_of(&self, design: &Design, latch: NodeId) -> u64 {
        let name = design.name(latch).unwrap_or_default();
        self.initial.get(name).copied().unwrap_or(0)
    }
}

impl<'a> Screen<'a> {
    /// For designs that are edits of this one.
    pub fn new(spec: &'a Spec, original: &Design) -> Screen<'a> {
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
        let exprs: Vec<&Expr> = atoms.iter().map(|(_, expr)| *expr).collect();
        Screen {
            spec,
            shared: SharedAtoms::new(original, &exprs),
            atoms,
            monitors: Arena::new(design, &abstracted).ok(),
            words: Vec::new(),
            lassos: Vec::new(),
        }
    }

    /// The conditions as people know them: as they were written, if they were.
    pub fn conditions(&self, sources: &Sources) -> Vec<String> {
        let text = |expr: &Expr| match expr.span {
            Some(span) => sources.text(span).to_string(),
            None => expr.to_string(),
        };
        self.atoms.iter().map(|(_, expr)| text(expr)).collect()
    }

    pub fn set_runs(&mut self, runs: &[Run]) {
        let (finite, infinite): (Vec<&Run>, Vec<&Run>) =
            runs.iter().partition(|run| run.loop_start.is_none());
        self.words = finite.chunks(64).map(Words::new).collect();
        self.lassos = infinite.chunks(64).map(Lassos::new).collect();
    }

    /// The design with its atoms; none if one of them means nothing there.
    pub fn observed(&self, mut design: Design) -> Option<Observed> {
        let shared = self.shared.as_ref();
        let shared = shared.and_then(|shared| shared.in_design(&mut design));
        if let Some(atoms) = shared {
            return Some(Observed { design, atoms });
        }
        let mut atoms = Vec::new();
        for (_, expr) in &self.atoms {
            atoms.push(elaborate_atom(&mut design, expr).ok()?);
        }
        Some(Observed { design, atoms })
    }

    /// Whether a design keeps its properties on all runs that were set, as far as they show.
    pub fn survives(&self, observed: &Observed) -> Result<bool, RepairError> {
        for words in &self.words {
            if !self.keeps_invariants(observed, words)? {
                return Ok(false);
            }
        }
        for lassos in &self.lassos {
            if !lassos.survive(self, observed)? {
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
        let columns = words.columns_of(design);
        simulator.start(|id| words.initial_of(design, id));
        watching.start(|_| 0);
        let mut alive = u64::MAX;
        for (values, running) in &words.cycles {
            let mut next = columns.iter();
            simulator.settle(|_| next.next().copied().flatten().map_or(0, |one| values[one]));
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
pub struct Observed {
    pub design: Design,
    pub atoms: Vec<Literal>,
}

/// Runs that go on for ever, up to 64 side by side.
struct Lassos {
    words: Words,
    /// The steps of each, and where its loop begins.
    lanes: Vec<(usize, usize)>,
}

/// How far a lasso was followed in a design.
struct Lane {
    bit: u64,
    /// The step of the lasso that is next.
    cycle: usize,
    /// The values of atoms so far.
    steps: Vec<Vec<bool>>,
    /// States at the beginning of the loop, with the number of steps before them.
    seen: HashMap<Vec<bool>, usize>,
    is_followed: bool,
}

impl Lassos {
    fn new(runs: &[&Run]) -> Lassos {
        let lanes = runs.iter();
        Lassos {
            words: Words::new(runs),
            lanes: lanes
                .map(|run| (run.steps, run.loop_start.unwrap_or(0)))
                .collect(),
        }
    }

    /// Whether all of them keep the properties, by their definition. The state of a design at
    /// the beginning of the loop repeats sooner or later; then all is known of the run.
    fn survive(&self, screen: &Screen, observed: &Observed) -> Result<bool, RepairError> {
        let design = &observed.design;
        let mut simulator = Simulator::new(design)?;
        let columns = self.words.columns_of(design);
        simulator.start(|id| self.words.initial_of(design, id));
        let mut lanes: Vec<Lane> = (0..self.lanes.len()).map(Lane::new).collect();
        let longest = self.lanes.iter().map(|(steps, _)| *steps).max();
        let mut values = vec![0; self.words.columns.len()];
        for _ in 0..MOST_ROUNDS * longest.unwrap_or(0) {
            values.fill(0);
            for (lane, (steps, loop_start)) in lanes.iter_mut().zip(&self.lanes) {
                if !lane.is_followed {
                    continue;
                }
                if lane.cycle == *loop_start
                    && let Some(lasso) = lane.closed(&simulator, design)
                {
                    lane.is_followed = false;
                    if !keeps(screen.spec, &lasso) {
                        return Ok(false);
                    }
                    continue;
                }
                let (inputs, _) = &self.words.cycles[lane.cycle];
                for (value, input) in values.iter_mut().zip(inputs) {
                    *value |= input & lane.bit;
                }
                lane.cycle = if lane.cycle + 1 == *steps {
                    *loop_start
                } else {
                    lane.cycle + 1
                };
            }
            if lanes.iter().all(|lane| !lane.is_followed) {
                break;
            }
            let mut next = columns.iter();
            simulator.settle(|_| next.next().copied().flatten().map_or(0, |one| values[one]));
            for lane in lanes.iter_mut().filter(|lane| lane.is_followed) {
                lane.watch(&simulator, &screen.atoms, observed);
            }
            simulator.advance();
        }
        Ok(true)
    }
}

impl Lane {
    fn new(index: usize) -> Lane {
        Lane {
            bit: 1 << index,
            cycle: 0,
            steps: Vec::new(),
            seen: HashMap::new(),
            is_followed: true,
        }
    }

    /// The run as a whole, if it has been in this state before.
    fn closed(&mut self, simulator: &Simulator, design: &Design) -> Option<Lasso> {
        let latches = design.latches().iter();
        let state = latches
            .map(|id| simulator.value(id.literal()) & self.bit != 0)
            .collect();
        let first = self.seen.insert(state, self.steps.len())?;
        let cycle = self.steps.split_off(first);
        Lasso::new(std::mem::take(&mut self.steps), cycle)
    }

    fn watch(&mut self, simulator: &Simulator, atoms: &[(AtomId, &Expr)], observed: &Observed) {
        let mut step = vec![false; atoms.last().map_or(0, |(id, _)| id.index() + 1)];
        for ((id, _), literal) in atoms.iter().zip(&observed.atoms) {
            step[id.index()] = simulator.value(*literal) & self.bit != 0;
        }
        self.steps.push(step);
    }
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
