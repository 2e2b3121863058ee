//! Which places can make a design show what was recorded, by satisfiability [SVAV05].
//!
//! As in [`open`](super::open), a place may have any values in each cycle, and all that a run
//! fixes is a constant. What was not recorded is open as well: inputs that were not driven, and
//! registers before they are written. So a place that is refuted cannot be the only fault, and
//! one that is not may be. This orders edits; no edit is left out because of it.

use super::RepairError;
use super::locate::Location;
use super::open::{Frames, OpenDesign};
use crate::bdd;
use crate::certify::recorded::Replay;
use crate::design::verilog::edits::SourceEdit;
use crate::design::verilog::edits::sketch::Sketch;
use crate::design::{ComponentId, ComponentKind, Literal, Netlist, NodeId};
use crate::sat::{Answer, Meter, Solver};
use crate::source::Span;
use crate::subject::Subject;
use crate::trace::{Binding, Recording};
use std::collections::HashMap;

/// Gates to fold for one place, so that of long runs only the first cycles count, and for all
/// places of one question.
const EFFORT: usize = 30_000_000;
const TOTAL_EFFORT: usize = 400_000_000;
/// Work of the solver for one question.
const WORK: u64 = 2_000_000;

struct RecordedOpening<'a> {
    netlist: &'a Netlist,
    recordings: &'a [Recording],
    limits: &'a bdd::Limits,
    effort: usize,
}

impl<'a> RecordedOpening<'a> {
    fn new(
        netlist: &'a Netlist,
        recordings: &'a [Recording],
        limits: &'a bdd::Limits,
    ) -> RecordedOpening<'a> {
        RecordedOpening {
            netlist,
            recordings,
            limits,
            effort: 0,
        }
    }

    /// How likely it is that a location alone is to blame: 0 if other values there may make the
    /// design show every recorded value, 1 if they may mend the first difference of each run,
    /// else 2. Only what a solver has refuted is not 0.
    fn rank(&mut self, location: &Location, first: &[usize]) -> Result<usize, RepairError> {
        // Places that overlap cannot be asked about together.
        let Ok(opened) = self.netlist.elaborate(location) else {
            return Ok(0);
        };
        let bindings = self.recordings.iter();
        let bindings = bindings.map(|one| one.bind(&opened.design).ok());
        let Some(bindings) = bindings.collect::<Option<Vec<Binding>>>() else {
            return Ok(0);
        };
        let roots = bindings.iter().flat_map(|binding| &binding.compared);
        let roots: Vec<Literal> = roots.map(|(literal, _)| *literal).collect();
        let open = OpenDesign::new(self.netlist, opened.design, opened.holes, &roots)?;
        let whole = vec![usize::MAX; first.len()];
        // Most places are refuted by the first difference, which takes fewer cycles.
        for (rank, horizons) in [(2, first), (1, whole.as_slice())] {
            for (index, cycles) in horizons.iter().enumerate() {
                if !self.may_show(&open, index, &bindings[index], *cycles) {
                    return Ok(rank);
                }
            }
        }
        Ok(0)
    }

    /// Whether a place may show what one run recorded in its first cycles.
    fn may_show(
        &mut self,
        open: &OpenDesign,
        index: usize,
        binding: &Binding,
        cycles: usize,
    ) -> bool {
        if self.effort > TOTAL_EFFORT || self.limits.check().is_err() {
            return true;
        }
        let recording = &self.recordings[index];
        let most = EFFORT / open.gates().max(1);
        let cycles = recording.cycles().min(cycles).min(most);
        self.effort += open.gates() * cycles + open.design.len();
        let stop = self.limits.clone();
        let meter = Meter::new(move || stop.check().is_err());
        meter.allow(WORK);
        may_show(Frames::new(open, meter), recording, binding, cycles)
    }
}

/// The ranks of places beside those of a set of edits, each asked about once.
struct Ranks<'a, 'p> {
    places: &'a Places<'p>,
    opening: RecordedOpening<'p>,
    /// The places of the set; `None` if one of them is not known.
    beside: Option<Location>,
    known: HashMap<Location, usize>,
}

impl<'a, 'p> Ranks<'a, 'p> {
    fn beside(set: &[SourceEdit], places: &'a Places<'p>) -> Ranks<'a, 'p> {
        let locations = set.iter().map(|edit| places.location(edit));
        let locations: Option<Vec<Location>> = locations.collect();
        Ranks {
            places,
            opening: RecordedOpening::new(places.netlist, places.recordings, places.limits),
            beside: locations.map(|locations| locations.concat()),
            known: HashMap::new(),
        }
    }

    /// The rank of the place of an edit; 0 if nothing is known of it.
    fn of(&mut self, edit: &SourceEdit) -> Result<usize, RepairError> {
        let (Some(own), Some(beside)) = (self.places.location(edit), &self.beside) else {
            return Ok(0);
        };
        if let Some(rank) = self.known.get(&own) {
            return Ok(*rank);
        }
        let mut location = [own.as_slice(), beside].concat();
        location.sort_unstable();
        location.dedup();
        let rank = self.opening.rank(&location, &self.places.first)?;
        self.known.insert(own, rank);
        Ok(rank)
    }
}

/// The places of a source, and which of them recorded runs speak against.
pub struct Places<'a> {
    netlist: &'a Netlist,
    recordings: &'a [Recording],
    limits: &'a bdd::Limits,
    /// The components of a text; none if runs cannot be asked about them.
    components: HashMap<(Span, ComponentKind), ComponentId>,
    /// Items of the text with the components in them. An edit that is inside of no component
    /// changes what such an item assigns: all that its conditions and values can bring about.
    items: Vec<(Span, Location)>,
    /// For each run the cycles up to its first difference.
    first: Vec<usize>,
}

impl<'a> Places<'a> {
    /// `before` is what each run shows of the design as it is.
    pub fn new(
        subject: &'a Subject,
        recordings: &'a [Recording],
        before: &[Replay],
        limits: &'a bdd::Limits,
    ) -> Places<'a> {
        let front_end = subject.front_end();
        let netlist = front_end.netlist();
        let components = netlist.component_ids().zip(netlist.components());
        // A reset that is played is no input that a run could drive.
        let is_played = front_end.reading().reset_steps > 0;
        let components = components.filter(|_| !is_played);
        let components: HashMap<(Span, ComponentKind), ComponentId> = components
            .filter_map(|(id, one)| Some(((one.span?, one.kind), id)))
            .collect();
        let item = |item: Span| {
            let inside = components
                .iter()
                .filter(|((span, _), _)| contains(item, *span));
            let mut location: Location = inside.map(|(_, id)| *id).collect();
            location.sort_unstable();
            (item, location)
        };
        let first = recordings.iter().zip(before);
        Places {
            netlist,
            recordings,
            limits,
            items: front_end.items().into_iter().map(item).collect(),
            components,
            first: first
                .map(|(recording, replay)| match replay {
                    Replay::Fits(_) => recording.cycles(),
                    Replay::Differs(differs) => differs.cycle + 1 - recording.first,
                })
                .collect(),
        }
    }

    /// Edits beside a set of others, in three parts: those in places that can, with those of
    /// the set, mend the runs, or of which nothing is known; those that can mend the first
    /// differences; and the rest.
    pub fn in_order<'e>(
        &self,
        set: &[SourceEdit],
        edits: &[&'e SourceEdit],
    ) -> Result<[Vec<&'e SourceEdit>; 3], RepairError> {
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        let mut ranks = Ranks::beside(set, self);
        for edit in edits {
            parts[ranks.of(edit)?].push(*edit);
        }
        Ok(parts)
    }

    /// Places that can, with those of a set of edits, mend the runs, and those that can mend the
    /// first differences.
    pub fn sketches(
        &self,
        set: &[SourceEdit],
        sketches: Vec<Sketch>,
    ) -> Result<[Vec<Sketch>; 2], RepairError> {
        let mut parts = [Vec::new(), Vec::new()];
        let mut ranks = Ranks::beside(set, self);
        for sketch in sketches {
            if let Some(part) = parts.get_mut(ranks.of(&sketch.placeholder())?) {
                part.push(sketch);
            }
        }
        Ok(parts)
    }

    /// For each run the cycles up to its first difference.
    pub fn first(&self) -> &[usize] {
        &self.first
    }

    /// The components whose values an edit may change; `None` if that is not known.
    fn location(&self, edit: &SourceEdit) -> Option<Location> {
        if let Some(within) = edit.within {
            return self.components.get(&within).map(|id| vec![*id]);
        }
        let mut items = self.items.iter();
        let (_, location) = items.find(|(item, _)| {
            let mut changes = edit.changes.iter();
            changes.all(|(span, _)| contains(*item, *span))
        })?;
        (!location.is_empty()).then(|| location.clone())
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

/// Whether some values show the recorded ones in the first cycles.
fn may_show(mut frames: Frames, recording: &Recording, binding: &Binding, cycles: usize) -> bool {
    let may_show = show(&mut frames, recording, binding, cycles);
    may_show && frames.solver.solve(&[]) != Answer::Unsatisfiable
}

/// Asks for the values that a run recorded in its first cycles; false if no values show them.
pub(super) fn show(
    frames: &mut Frames,
    recording: &Recording,
    binding: &Binding,
    cycles: usize,
) -> bool {
    let driven: HashMap<NodeId, usize> = binding.driven.iter().copied().collect();
    if recording.starts_late() {
        frames.start_anywhere();
    } else {
        let is_zero = recording.is_two_valued();
        frames.start(|_| is_zero.then_some(false));
    }
    for cycle in 0..cycles {
        let row = recording.row(cycle);
        frames.settle(|id| driven.get(&id).and_then(|at| row.bit(*at)));
        for (literal, offset) in &binding.compared {
            let Some(expected) = row.bit(*offset) else {
                continue;
            };
            let shown = frames.value(*literal).negate_if(!expected);
            if shown == !frames.truth {
                return false;
            }
            if shown != frames.truth {
                frames.solver.add_clause(&[shown]);
            }
        }
        frames.advance();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Design, InputKind, Reach, Reading, Reset};
    use crate::random::Random;
    use crate::source::Sources;
    use crate::trace::{Format, Interface, Options};
    use std::collections::BTreeMap;

    const STEPS: usize = 4;

    /// A small circuit, and a run of it that may have been recorded from another one.
    struct Case {
        design: Design,
        shown: Literal,
        inputs: Vec<[bool; 2]>,
        /// `None` where nothing is compared.
        expected: Vec<Option<bool>>,
    }

    impl Case {
        fn random(seed: u64) -> Case {
            let mut random = Random::new(seed);
            let mut design = Design::new();
            let mut leaves = Vec::new();
            for name in ["a", "b"] {
                let id = design.add_input(InputKind::Environment);
                design.set_name(id, name);
                leaves.push(id);
            }
            let resets = [Reset::Zero, Reset::One];
            let latches: Vec<NodeId> = (0..3)
                .map(|_| design.add_latch(*random.pick(&resets)))
                .collect();
            leaves.extend(&latches);
            let draw = |random: &mut Random, nodes: &[NodeId]| {
                Literal::new(*random.pick(nodes), random.flip())
            };
            for _ in 0..7 {
                let (left, right) = (draw(&mut random, &leaves), draw(&mut random, &leaves));
                leaves.push(design.add_gate(left, right));
            }
            for latch in latches {
                let next = draw(&mut random, &leaves);
                design.set_next(latch, next);
            }
            let shown = draw(&mut random, &leaves[leaves.len() - 4..]);
            design.add_output(Some("y".to_string()), shown, None);
            Case {
                shown,
                inputs: (0..STEPS).map(|_| [random.flip(), random.flip()]).collect(),
                expected: (0..STEPS)
                    .map(|_| (!random.chance(20)).then(|| random.flip()))
                    .collect(),
                design,
            }
        }

        fn recording(&self) -> Recording {
            let mut text = String::from("a,b,y\n");
            for (inputs, expected) in self.inputs.iter().zip(&self.expected) {
                let digit = |bit: bool| if bit { "1" } else { "0" };
                let expected = expected.map_or("x", digit);
                text += &format!("{},{},{expected}\n", digit(inputs[0]), digit(inputs[1]));
            }
            let mut sources = Sources::new();
            let file = sources.add("run.csv", text);
            let reading = Reading {
                design: self.design.clone(),
                clock: Some(("clk".to_string(), true)),
                ..Reading::default()
            };
            let interface = Interface::of(&reading);
            Recording::read(file, Format::Csv, &interface, &Options::default(), &sources)
                .unwrap_or_else(|problem| panic!("{}", problem.message))
        }

        /// Whether a gate with these values, one for each step, shows the first cycles.
        fn shows(&self, open: NodeId, values: usize, cycles: usize) -> bool {
            let design = &self.design;
            let mut state: HashMap<NodeId, bool> = HashMap::new();
            for id in design.latches() {
                state.insert(*id, design.latch(*id).unwrap().reset == Reset::One);
            }
            for step in 0..cycles {
                let mut now = state.clone();
                now.insert(NodeId::CONSTANT, false);
                now.extend(design.inputs().iter().copied().zip(self.inputs[step]));
                let read = |now: &HashMap<NodeId, bool>, literal: Literal| {
                    now[&literal.node()] != literal.is_complemented()
                };
                for id in design.gates() {
                    let (left, right) = design.gate(id).unwrap();
                    let computed = read(&now, left) && read(&now, right);
                    let value = if id == open {
                        values >> step & 1 == 1
                    } else {
                        computed
                    };
                    now.insert(id, value);
                }
                if self.expected[step].is_some_and(|expected| read(&now, self.shown) != expected) {
                    return false;
                }
                for id in design.latches() {
                    state.insert(*id, read(&now, design.latch(*id).unwrap().next));
                }
            }
            true
        }
    }

    #[test]
    fn places_that_may_show_a_run_are_those_that_a_search_over_all_values_finds() {
        let mut seen = [0; 3];
        for seed in 0..300 {
            let case = Case::random(seed);
            let design = &case.design;
            let all = design.cone(design.gates().map(|id| id.literal()), Reach::Run);
            let netlist = Netlist::of_gates(design.clone(), &all, BTreeMap::new());
            let limits = bdd::Limits::default();
            let recordings = [case.recording()];
            let mut opening = RecordedOpening::new(&netlist, &recordings, &limits);
            let first = 2;
            for (index, gate) in design.gates().enumerate() {
                let location = vec![ComponentId(index as u32)];
                let found = opening.rank(&location, &[first]).unwrap();
                let mut values = 0..1usize << STEPS;
                let expected = if values.clone().any(|one| case.shows(gate, one, STEPS)) {
                    0
                } else if values.any(|one| case.shows(gate, one, first)) {
                    1
                } else {
                    2
                };
                assert_eq!(found, expected, "seed {seed}, gate {index}");
                seen[expected] += 1;
            }
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    }
}
