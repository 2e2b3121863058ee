//! Screens edited designs on the runs of all counterexamples so far.
//!
//! Most edits fail there, and never come to the model checker. Surviving says nothing: what
//! is offered has been proved.

use super::RepairError;
use crate::design::{Design, InputKind, Literal, NodeId, Simulator, elaborate_atom};
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
    /// The conditions of the specification.
    atoms: Vec<(AtomId, &'a Expr)>,
    /// Monitors over one input for each atom, in the same order; none if the properties have
    /// no deterministic ones.
    pub monitors: Option<Arena>,
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
    fn new(runs: &[&Run]) -> Words {
        let longest = runs.iter().map(|run| run.steps).max().unwrap_or(0);
        let mut words = Words {
            initial: HashMap::new(),
            cycles: vec![(HashMap::new(), 0); longest],
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
                for (step, (values, _)) in words.cycles.iter_mut().take(run.steps).enumerate() {
                    if signal.is_one(step) {
                        *values.entry(signal.name.clone()).or_default() |= bit;
                    }
                }
            }
        }
        words
    }
}

impl<'a> Screen<'a> {
    pub fn new(spec: &'a Spec) -> Screen<'a> {
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
        Screen {
            spec,
            atoms,
            monitors: Arena::new(design, &abstracted).ok(),
            words: Vec::new(),
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
        let finite: Vec<&Run> = runs.iter().filter(|run| run.loop_start.is_none()).collect();
        self.words = finite.chunks(64).map(Words::new).collect();
    }

    /// The design with its atoms; none if one of them means nothing there.
    pub fn observed(&self, design: &Design) -> Option<Observed> {
        let mut design = design.clone();
        let mut atoms = Vec::new();
        for (_, expr) in &self.atoms {
            atoms.push(elaborate_atom(&mut design, expr).ok()?);
        }
        Some(Observed { design, atoms })
    }

    /// Whether a design keeps its properties on all of these runs, as far as they show.
    pub fn survives(&self, observed: &Observed, runs: &[Run]) -> Result<bool, RepairError> {
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
pub struct Observed {
    pub design: Design,
    pub atoms: Vec<Literal>,
}

/// Whether a run that goes on for ever keeps the properties, by their definition.
fn survives_lasso(
    spec: &Spec,
    atoms: &[(AtomId, &Expr)],
    observed: &Observed,
    run: &Run,
) -> Result<bool, RepairError> {
    let Some(loop_start) = run.loop_start else {
        return Ok(true);
    };
    let design = &observed.design;
    let mut simulator = Simulator::new(design)?;
    let ones = design.ones_of(run);
    let word = |is_one: bool| if is_one { u64::MAX } else { 0 };
    simulator.start(|id| word(ones.initial.contains(&id)));
    let mut steps: Vec<Vec<bool>> = Vec::new();
    let mut seen: HashMap<Vec<bool>, usize> = HashMap::new();
    let mut cycle = 0;
    for _ in 0..MOST_ROUNDS * run.steps {
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
        simulator.settle(|id| word(ones.inputs[cycle].contains(&id)));
        let mut step = vec![false; atoms.last().map_or(0, |(id, _)| id.index() + 1)];
        for ((id, _), literal) in atoms.iter().zip(&observed.atoms) {
            step[id.index()] = simulator.value(*literal) & 1 == 1;
        }
        steps.push(step);
        simulator.advance();
        cycle += 1;
        if cycle == run.steps {
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
