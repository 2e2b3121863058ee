//! Which places can mend failing runs, by satisfiability [SVAV05].
//!
//! A place is opened: in each step its bits may have any values. A failing run fixes all
//! inputs, so that nearly every gate of the unrolled design is a constant, and only what
//! depends on the place becomes clauses. If no values keep the invariants on some run, no
//! change of the place is a repair. If some do, the steps and bits that have to differ from
//! what the place computes now say how much of the run a change there would have to explain.
//!
//! Ours asks for each place on its own instead of for a smallest set of selectors: places are
//! texts, a few dozen of them, and the answer for each is what the table of places shows.
//! Nothing here is an answer by itself. A place is put aside only where a solver has refuted
//! all of its values; where it gave up, the place stays.

use super::RepairError;
use super::locate::Location;
use crate::bdd;
use crate::design::{
    Design, InputKind, Literal, Netlist, Node, NodeId, Ones, OpenHole, Reach, Reset, Timing,
};
use crate::game::{Arena, Objective};
use crate::quick_hash::QuickMap;
use crate::run::Run;
use crate::sat::{self, Answer, DefaultSolver, Meter, Solver};
use crate::spec::Spec;
use std::collections::HashMap;
use std::rc::Rc;

/// Gates to fold, over all places and runs of one call, before the rest is left undecided.
const EFFORT: usize = 300_000_000;
/// Work of the solver for one question, for each gate of a step, and at most. A place that is not
/// put aside has its edits tried, and a look at those takes time with the gates as well.
const WORK_FOR_GATE: u64 = 100;
const MOST_WORK: u64 = 2_000_000;

/// What can be said of one place and one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    /// No values keep the invariants.
    Impossible,
    /// Some do that differ from the present ones in so many steps and bits; none of these can
    /// be left out.
    Possible { steps: usize, bits: usize },
    /// The solver gave up, or the run does not end.
    Undecided,
}

/// A netlist whose places are opened, one after the other.
pub struct Opening<'a> {
    netlist: &'a Netlist,
    spec: &'a Spec,
    runs: Vec<Option<Ones>>,
    limits: &'a bdd::Limits,
    effort: usize,
}

impl<'a> Opening<'a> {
    pub fn new(
        netlist: &'a Netlist,
        spec: &'a Spec,
        runs: &[Run],
        limits: &'a bdd::Limits,
    ) -> Opening<'a> {
        // That a run goes on for ever in the wrong way is not seen in finitely many steps.
        let ones = |run: &Run| {
            let is_finite = run.loop_start.is_none();
            is_finite.then(|| netlist.design().ones_of(run))
        };
        Opening {
            netlist,
            spec,
            runs: runs.iter().map(ones).collect(),
            limits,
            effort: 0,
        }
    }

    /// Whether a location may mend every run: false only if it was refuted for one of them.
    pub fn may_mend_all(&mut self, location: &Location) -> Result<bool, RepairError> {
        let open = OpenArena::new(self.netlist, self.spec, location)?;
        let mut runs = 0..self.runs.len();
        Ok(runs.all(|index| self.ask(&open, index, Detail::Whether) != Mending::Impossible))
    }

    /// What can be said of a location and each run.
    pub fn mending(&mut self, location: &Location) -> Result<Vec<Mending>, RepairError> {
        let open = OpenArena::new(self.netlist, self.spec, location)?;
        let runs = 0..self.runs.len();
        let asked = runs.map(|index| self.ask(&open, index, Detail::HowMuch));
        Ok(asked.collect())
    }

    fn ask(&mut self, open: &OpenArena, index: usize, detail: Detail) -> Mending {
        let Some(run) = &self.runs[index] else {
            return Mending::Undecided;
        };
        // Who asks notices the limit by itself; nothing may be ruled out because of it.
        if self.effort > EFFORT || self.limits.check().is_err() {
            return Mending::Undecided;
        }
        let gates = open.open.gates();
        self.effort += gates * run.inputs.len();
        let stop = self.limits.clone();
        let meter = Meter::new(move || stop.check().is_err());
        meter.allow(MOST_WORK.min(WORK_FOR_GATE * gates as u64));
        open.mend(run, detail, meter)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    Whether,
    HowMuch,
}

/// The design with a location open, and what its properties ask for.
struct OpenArena {
    open: OpenDesign,
    objective: Objective,
}

impl OpenArena {
    fn new(netlist: &Netlist, spec: &Spec, location: &Location) -> Result<OpenArena, RepairError> {
        let opened = netlist.elaborate(location)?;
        let arena = Arena::new(opened.design, spec)?;
        let roots = [arena.objective.assumption, arena.objective.guarantee];
        Ok(OpenArena {
            open: OpenDesign::new(netlist, arena.design, opened.holes, &roots)?,
            objective: arena.objective,
        })
    }

    /// What can be said of one run.
    fn mend(&self, run: &Ones, detail: Detail, meter: Rc<Meter>) -> Mending {
        let objective = &self.objective;
        let mut frames = Frames::new(&self.open, meter);
        frames.start(|id| Some(run.initial.contains(&id)));
        let mut alive = frames.truth;
        for inputs in &run.inputs {
            if frames.meter.is_over() {
                return Mending::Undecided;
            }
            frames.settle(|id| Some(inputs.contains(&id)));
            frames.note_changes();
            alive = frames.and(alive, frames.value(objective.assumption));
            // A run that keeps no assumption any more asks for nothing.
            if alive == !frames.truth {
                break;
            }
            let guarantee = frames.value(objective.guarantee);
            if alive == frames.truth && guarantee == !frames.truth {
                return Mending::Impossible;
            }
            frames.solver.add_clause(&[!alive, guarantee]);
            frames.advance();
        }
        match frames.solver.solve(&[]) {
            Answer::Unsatisfiable => Mending::Impossible,
            Answer::Stopped => Mending::Undecided,
            Answer::Satisfiable if detail == Detail::Whether => {
                Mending::Possible { steps: 0, bits: 0 }
            }
            Answer::Satisfiable => frames.how_much(),
        }
    }
}

/// A design with a location open.
pub(super) struct OpenDesign {
    pub design: Design,
    holes: Vec<OpenHole>,
    /// The gates that count, operands first.
    order: Vec<OpenGate>,
    /// For latches whose free initial value has moved, where a run has it.
    moved: HashMap<NodeId, NodeId>,
}

impl OpenDesign {
    /// A design that was elaborated with these holes; only what the roots depend on counts.
    pub(super) fn new(
        netlist: &Netlist,
        design: Design,
        holes: Vec<OpenHole>,
        roots: &[Literal],
    ) -> Result<OpenDesign, RepairError> {
        let originals = holes.iter().flat_map(|hole| &hole.originals);
        let roots: Vec<Literal> = originals.chain(roots).copied().collect();
        Ok(OpenDesign {
            order: gates_behind(&design, &roots)?,
            moved: moved_latches(netlist.design(), &design),
            holes,
            design,
        })
    }

    /// A design that has no holes but latches that keep what is chosen for them.
    pub(super) fn of_sketch(design: Design, roots: &[Literal]) -> Result<OpenDesign, RepairError> {
        Ok(OpenDesign {
            order: gates_behind(&design, roots)?,
            moved: HashMap::new(),
            holes: Vec::new(),
            design,
        })
    }

    /// How many gates one step has.
    pub(super) fn gates(&self) -> usize {
        self.order.len()
    }
}

/// A gate with its operands.
type OpenGate = (NodeId, Literal, Literal);

/// The gates that some literals depend on in a run, operands first.
fn gates_behind(design: &Design, roots: &[Literal]) -> Result<Vec<OpenGate>, RepairError> {
    let cone = design.cone(roots.iter().copied(), Reach::Run);
    let gate = |id: NodeId| {
        let (left, right) = design.gate(id).filter(|_| cone.contains(id))?;
        Some((id, left, right))
    };
    let order = design.checked_order()?;
    Ok(order.into_iter().filter_map(gate).collect())
}

/// With a reset open, the environment's initial value is in a latch of its own.
fn moved_latches(source: &Design, design: &Design) -> HashMap<NodeId, NodeId> {
    let added = design.latches().iter();
    let added = added.filter(|id| id.index() >= source.len());
    let origin = |id: &NodeId| {
        let name = design.name(*id)?.strip_prefix("initial_")?;
        let mut latches = source.latches().iter();
        let latch = latches.find(|latch| source.name(**latch) == Some(name))?;
        Some((*id, *latch))
    };
    added.filter_map(origin).collect()
}

/// One run step by step, as clauses where it depends on the place.
pub(super) struct Frames<'a> {
    open: &'a OpenDesign,
    pub solver: DefaultSolver,
    meter: Rc<Meter>,
    /// The literal that is always true.
    pub truth: sat::Literal,
    known: QuickMap<(sat::Literal, sat::Literal), sat::Literal>,
    /// How many variables the solver has.
    variables: usize,
    /// What the nodes are in the present step.
    values: Vec<sat::Literal>,
    /// For each step the bits of the place that differ from what it computes.
    changed: Vec<Vec<sat::Literal>>,
    /// What is chosen once, for all runs.
    rigid: HashMap<NodeId, sat::Literal>,
}

impl<'a> Frames<'a> {
    pub(super) fn design(&self) -> &'a Design {
        &self.open.design
    }

    pub(super) fn new(open: &'a OpenDesign, meter: Rc<Meter>) -> Frames<'a> {
        let mut solver = DefaultSolver::new(meter.clone());
        let truth = solver.new_variable();
        solver.add_clause(&[truth]);
        Frames {
            open,
            solver,
            meter,
            truth,
            known: QuickMap::default(),
            variables: 1,
            values: vec![!truth; open.design.len()],
            changed: Vec::new(),
            rigid: HashMap::new(),
        }
    }

    /// What is chosen for a latch before any run begins.
    pub(super) fn rigid(&mut self, id: NodeId) -> sat::Literal {
        let solver = &mut self.solver;
        *self
            .rigid
            .entry(id)
            .or_insert_with(|| solver.new_variable())
    }

    /// Sets the latches for the first step; `initial` is asked for those whose value is the
    /// environment's, and leaves it open by `None`.
    pub(super) fn start(&mut self, mut initial: impl FnMut(NodeId) -> Option<bool>) {
        let design = &self.open.design;
        let mut computed = Vec::new();
        for id in design.latches() {
            let Some(latch) = design.latch(*id) else {
                continue;
            };
            self.values[id.index()] = match latch.reset {
                Reset::Zero => !self.truth,
                Reset::One => self.truth,
                Reset::Free => {
                    let value = initial(*self.open.moved.get(id).unwrap_or(id));
                    self.constant_or_free(value)
                }
                Reset::Choice => self.rigid(*id),
                Reset::Computed(literal) => {
                    computed.push((*id, literal));
                    !self.truth
                }
            };
        }
        if !computed.is_empty() {
            // Computed resets read no input and no other computed latch.
            self.evaluate();
            let values = computed.iter().map(|(id, from)| (*id, self.value(*from)));
            for (id, value) in values.collect::<Vec<_>>() {
                self.values[id.index()] = value;
            }
        }
    }

    /// Lets every latch have any value in the first step.
    pub(super) fn start_anywhere(&mut self) {
        let design = &self.open.design;
        for id in design.latches() {
            let is_rigid = design
                .latch(*id)
                .is_some_and(|one| one.reset == Reset::Choice);
            self.values[id.index()] = match is_rigid {
                true => self.rigid(*id),
                false => self.solver.new_variable(),
            };
        }
    }

    /// Sets the inputs of a step; `None` leaves one open, as those of the place are.
    pub(super) fn settle(&mut self, input: impl Fn(NodeId) -> Option<bool>) {
        let design = &self.open.design;
        for id in design.inputs() {
            let value = match design.input_kind(*id) {
                Some(InputKind::Choice) => None,
                _ => input(*id),
            };
            self.values[id.index()] = self.constant_or_free(value);
        }
        self.evaluate();
    }

    fn evaluate(&mut self) {
        let open = self.open;
        for (id, left, right) in &open.order {
            let gate = self.and(self.value(*left), self.value(*right));
            self.values[id.index()] = gate;
        }
    }

    pub(super) fn advance(&mut self) {
        let design = &self.open.design;
        let next = |id: &NodeId| match design.node(*id) {
            Node::Latch(latch) => self.value(latch.next),
            _ => !self.truth,
        };
        let next: Vec<sat::Literal> = design.latches().iter().map(next).collect();
        for (id, value) in design.latches().iter().zip(next) {
            self.values[id.index()] = value;
        }
    }

    /// Remembers where the place differs in this step from what it computes.
    fn note_changes(&mut self) {
        let is_first = self.changed.is_empty();
        let mut changed = Vec::new();
        for hole in &self.open.holes {
            if hole.timing == Timing::Rigid && !is_first {
                continue;
            }
            for (choice, original) in hole.choices.iter().zip(&hole.originals) {
                let (one, other) = (self.value(*choice), self.value(*original));
                let both = self.and(one, other);
                let neither = self.and(!one, !other);
                changed.push(self.and(!both, !neither));
            }
        }
        self.changed.push(changed);
    }

    /// Takes back changes, step by step and then bit by bit, as long as the run stays mended.
    fn how_much(mut self) -> Mending {
        let steps = std::mem::take(&mut self.changed);
        let any: Vec<sat::Literal> = steps.iter().map(|bits| self.any(bits)).collect();
        let mut assumed = Vec::new();
        let needed = self.needed(&any, &mut assumed);
        let bits = needed.iter().flat_map(|step| steps[*step].iter().copied());
        let bits: Vec<sat::Literal> = bits.collect();
        Mending::Possible {
            steps: needed.len(),
            bits: self.needed(&bits, &mut assumed).len(),
        }
    }

    /// The changes that cannot be taken back, by their indices. That the others are is assumed
    /// from then on.
    fn needed(&mut self, changes: &[sat::Literal], assumed: &mut Vec<sat::Literal>) -> Vec<usize> {
        if self.solver.solve(assumed) != Answer::Satisfiable {
            return (0..changes.len()).collect();
        }
        let (open, unchanged): (Vec<usize>, Vec<usize>) =
            (0..changes.len()).partition(|index| self.solver.value(changes[*index]));
        assumed.extend(unchanged.iter().map(|index| !changes[*index]));
        // Most changes are not needed, so that many are taken back at once.
        let mut needed = Vec::new();
        let mut pending = vec![open];
        while let Some(mut some) = pending.pop() {
            let before = assumed.len();
            assumed.extend(some.iter().map(|index| !changes[*index]));
            if some.is_empty() || self.solver.solve(assumed) == Answer::Satisfiable {
                continue;
            }
            assumed.truncate(before);
            if some.len() == 1 {
                needed.extend(some);
                continue;
            }
            let second = some.split_off(some.len() / 2);
            pending.extend([second, some]);
        }
        needed
    }

    fn constant_or_free(&mut self, value: Option<bool>) -> sat::Literal {
        match value {
            Some(value) => self.truth.negate_if(!value),
            None => {
                self.variables += 1;
                self.solver.new_variable()
            }
        }
    }

    /// How many variables the solver has for values and gates.
    pub(super) fn variables(&self) -> usize {
        self.variables
    }

    pub(super) fn value(&self, literal: Literal) -> sat::Literal {
        self.values[literal.node().index()].negate_if(literal.is_complemented())
    }

    pub(super) fn any(&mut self, literals: &[sat::Literal]) -> sat::Literal {
        let none = literals
            .iter()
            .fold(self.truth, |none, literal| self.and(none, !*literal));
        !none
    }

    pub(super) fn and(&mut self, left: sat::Literal, right: sat::Literal) -> sat::Literal {
        let (truth, first, second) = (self.truth, left.min(right), left.max(right));
        if first == !truth || second == !truth || first == !second {
            return !truth;
        }
        if first == truth || first == second {
            return second;
        }
        let key = (first, second);
        if let Some(gate) = self.known.get(&key) {
            return *gate;
        }
        self.variables += 1;
        let gate = self.solver.new_variable();
        self.solver.add_clause(&[!gate, first]);
        self.solver.add_clause(&[!gate, second]);
        self.solver.add_clause(&[gate, !first, !second]);
        self.known.insert(key, gate);
        gate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::ComponentId;
    use crate::expr::{Expr, ExprKind, Role};
    use crate::random::Random;
    use crate::repair::random_circuit::{RandomCircuit, STEPS};
    use crate::spec::{Property, atoms};
    use std::collections::BTreeMap;

    /// A small circuit whose output should be 1 in every step.
    struct Case(RandomCircuit);

    impl Case {
        fn spec(&self) -> Spec {
            let mut spec = Spec::default();
            let net = Expr {
                kind: ExprKind::Net(self.0.shown.code()),
                span: None,
            };
            let condition = atoms::condition(&mut spec.formulas, &net);
            spec.properties.push(Property {
                role: Role::Assert,
                name: "kept".to_string(),
                is_named: true,
                span: None,
                formula: spec.formulas.globally(condition),
            });
            spec
        }

        /// The steps that differ from the original, if these values of gates, in each step,
        /// keep the guarantee.
        fn changes(&self, open: &[NodeId], values: usize) -> Option<usize> {
            let steps = self.0.run(open, values);
            let is_kept = steps.iter().all(|step| step.shown);
            is_kept.then(|| steps.iter().filter(|step| step.is_changed).count())
        }
    }

    /// Compares what the solver says of gates with a search over all of their values.
    fn check(seed: u64, gates: usize, seen: &mut [usize; 3]) {
        let case = Case(RandomCircuit::new(&mut Random::new(seed)));
        let (design, spec) = (&case.0.design, case.spec());
        let is_one = |id: NodeId, step: usize| {
            let index = design.inputs().iter().position(|one| *one == id);
            index.is_some_and(|index| case.0.inputs[step][index])
        };
        let run = design.stimulus(STEPS, None, |_| false, is_one);
        let all = design.cone(design.gates().map(|id| id.literal()), Reach::Run);
        let netlist = Netlist::of_gates(design.clone(), &all, BTreeMap::new());
        let limits = bdd::Limits::default();
        let runs = [run];
        let mut opening = Opening::new(&netlist, &spec, &runs, &limits);
        let nodes: Vec<NodeId> = design.gates().collect();
        for first in 0..nodes.len() {
            let indices: Vec<usize> = (0..gates)
                .map(|gate| (first + gate) % nodes.len())
                .collect();
            let open: Vec<NodeId> = indices.iter().map(|index| nodes[*index]).collect();
            let location = indices.iter().map(|index| ComponentId(*index as u32));
            let location: Location = location.collect();
            let values = 0..1usize << (STEPS * gates);
            let fewest = values
                .filter_map(|values| case.changes(&open, values))
                .min();
            let found = opening.mending(&location).unwrap()[0];
            match (fewest, found) {
                (None, Mending::Impossible) => seen[0] += 1,
                // Nothing can be left out, though another choice may be smaller.
                (Some(0), Mending::Possible { steps: 0, bits: 0 }) => seen[1] += 1,
                (Some(fewest), Mending::Possible { steps, bits })
                    if 0 < fewest && fewest <= steps && steps <= bits =>
                {
                    seen[2] += 1;
                }
                (fewest, found) => panic!("seed {seed}, {open:?}: {found:?}, not {fewest:?}"),
            }
            let may_mend = opening.may_mend_all(&location).unwrap();
            assert_eq!(may_mend, fewest.is_some(), "seed {seed}, {open:?}");
        }
    }

    #[test]
    fn the_solver_agrees_with_all_values_of_single_gates_and_of_pairs() {
        let mut seen = [0; 3];
        for seed in 0..150 {
            check(seed, 1, &mut seen);
            check(1_000 + seed, 2, &mut seen);
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
    }
}
