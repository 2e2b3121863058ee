//! Which places can make a design show what was recorded, by satisfiability [SVAV05].
//!
//! As in [`open`](super::open), a place may have any values in each cycle, and all that a run
//! fixes is a constant. What was not recorded is open as well: inputs that were not driven, and
//! registers before they are written. So a place that is refuted cannot be the only fault, and
//! one that is not may be. This orders edits; no edit is left out because of it.

use super::RepairError;
use super::locate::Location;
use super::open::{Frames, OpenDesign};
use super::recorded_reach;
use crate::bdd;
use crate::certify::recorded::Replay;
use crate::design::verilog::edits::SourceEdit;
use crate::design::verilog::edits::sketch::Sketch;
use crate::design::{ComponentId, ComponentKind, Literal, Netlist, NodeId};
use crate::sat::{Answer, Meter, Solver};
use crate::source::Span;
use crate::subject::Subject;
use crate::trace::{Binding, Recording};
use std::collections::{HashMap, HashSet};

/// Gates to fold for one place, so that of long runs only the first cycles count, and for all
/// places of one question.
const EFFORT: usize = 30_000_000;
const TOTAL_EFFORT: usize = 400_000_000;
/// Variables of the solver for one place; a run is cut off where there are more.
const MOST_VARIABLES: usize = 100_000;
/// What one of them costs, in gates to fold.
const VARIABLE: usize = 100;
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
    /// else 2. `refuted` has for each run the first cycle that is wrong whatever they are. Only
    /// what was refuted, by that or by a solver, is not 0.
    fn rank(
        &mut self,
        location: &Location,
        first: &[usize],
        refuted: &[usize],
    ) -> Result<usize, RepairError> {
        let mut early = refuted.iter().zip(first);
        if early.any(|(wrong, first)| wrong < first) {
            return Ok(2);
        }
        let is_refuted = refuted.iter().any(|wrong| *wrong != usize::MAX);
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
            if rank == 1 && is_refuted {
                return Ok(1);
            }
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
        let mut frames = Frames::new(open, meter);
        let may_show = show(&mut frames, recording, binding, cycles, MOST_VARIABLES)
            && frames.solver.solve(&[]) != Answer::Unsatisfiable;
        self.effort += VARIABLE * frames.variables();
        may_show
    }
}

/// The ranks of places beside those of a set of edits, each asked about once.
struct Ranks<'a, 'p> {
    places: &'a Places<'p>,
    opening: RecordedOpening<'p>,
    /// The places of the set; `None` if one of them is not known.
    beside: Option<Location>,
    known: HashMap<Location, usize>,
    /// For each location and run the first cycle that is wrong whatever the location computes.
    refuted: HashMap<Location, Vec<usize>>,
}

impl<'a, 'p> Ranks<'a, 'p> {
    /// `edits` are those that will be asked about.
    fn beside<'e>(
        set: &[SourceEdit],
        edits: impl Iterator<Item = &'e SourceEdit>,
        places: &'a Places<'p>,
    ) -> Result<Ranks<'a, 'p>, RepairError> {
        let beside = set.iter().map(|edit| places.location(edit));
        let beside: Option<Vec<Location>> = beside.collect();
        let beside = beside.map(|locations| locations.concat());
        let own: HashSet<Location> = edits.filter_map(|edit| places.location(edit)).collect();
        let mut all: Vec<Location> = match &beside {
            Some(beside) => own.iter().map(|own| united(own, beside)).collect(),
            None => Vec::new(),
        };
        all.sort_unstable();
        all.dedup();
        let refuted =
            recorded_reach::refuted(places.netlist, places.recordings, &all, places.limits)?;
        Ok(Ranks {
            places,
            opening: RecordedOpening::new(places.netlist, places.recordings, places.limits),
            beside,
            known: HashMap::new(),
            refuted: all.into_iter().zip(refuted).collect(),
        })
    }

    /// The rank of the place of an edit; 0 if nothing is known of it.
    fn of(&mut self, edit: &SourceEdit) -> Result<usize, RepairError> {
        let (Some(own), Some(beside)) = (self.places.location(edit), &self.beside) else {
            return Ok(0);
        };
        if let Some(rank) = self.known.get(&own) {
            return Ok(*rank);
        }
        let location = united(&own, beside);
        let refuted = self.refuted.get(&location).map_or(&[][..], |one| one);
        let rank = self.opening.rank(&location, &self.places.first, refuted)?;
        self.known.insert(own, rank);
        Ok(rank)
    }
}

/// All components of two locations.
fn united(one: &[ComponentId], other: &[ComponentId]) -> Location {
    let mut location = [one, other].concat();
    location.sort_unstable();
    location.dedup();
    location
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
    /// `before` is what each run shows of the design as it is; `plays_reset` says whether runs
    /// are about designs in which the reset is played.
    pub fn new(
        subject: &'a Subject,
        recordings: &'a [Recording],
        before: &[Replay],
        plays_reset: bool,
        limits: &'a bdd::Limits,
    ) -> Places<'a> {
        let front_end = subject.front_end();
        let netlist = front_end.netlist();
        let components = netlist.component_ids().zip(netlist.components());
        // A reset that is played is no input that a run could drive.
        let is_played = !plays_reset && front_end.reading().reset_steps > 0;
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
        let mut ranks = Ranks::beside(set, edits.iter().copied(), self)?;
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
        let placeholders: Vec<SourceEdit> = sketches.iter().map(Sketch::placeholder).collect();
        let mut ranks = Ranks::beside(set, placeholders.iter(), self)?;
        for (sketch, placeholder) in sketches.into_iter().zip(&placeholders) {
            if let Some(part) = parts.get_mut(ranks.of(placeholder)?) {
                part.push(sketch);
            }
        }
        Ok(parts)
    }

    /// Pairs of places, each with what kind it is, that may mend the runs together. `alone` are
    /// edits at places that may be the only fault.
    pub fn pairs(
        &self,
        alone: &[&SourceEdit],
    ) -> Result<Vec<[(Span, ComponentKind); 2]>, RepairError> {
        let alone = alone
            .iter()
            .filter_map(|edit| self.components.get(&edit.within?));
        let alone: HashSet<ComponentId> = alone.copied().collect();
        let mut components: Vec<ComponentId> = self.components.values().copied().collect();
        components.sort_unstable();
        let pairs = recorded_reach::pairs(
            self.netlist,
            self.recordings,
            &components,
            &alone,
            &self.first,
            self.limits,
        )?;
        let known = self.components.iter().map(|(place, id)| (*id, *place));
        let known: HashMap<ComponentId, (Span, ComponentKind)> = known.collect();
        let pairs = pairs.iter().filter_map(|pair| {
            let places = [known.get(pair.first()?)?, known.get(pair.last()?)?];
            Some(places.map(|place| *place))
        });
        Ok(pairs.collect())
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

/// Asks for the values that a run recorded in its first cycles, as long as there are not more
/// than so many variables; false if no values show them.
pub(super) fn show(
    frames: &mut Frames,
    recording: &Recording,
    binding: &Binding,
    cycles: usize,
    variables: usize,
) -> bool {
    let driven: HashMap<NodeId, usize> = binding.driven.iter().copied().collect();
    if recording.starts_late() {
        frames.start_anywhere();
    } else {
        let initial = recording.initial(frames.design());
        frames.start(initial);
    }
    for cycle in 0..cycles {
        if frames.variables() > variables {
            break;
        }
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
mod tests;
