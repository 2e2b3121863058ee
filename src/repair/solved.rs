//! Values for the holes of a sketch, so that runs are mended.
//!
//! A place of the text is a sketch: which template stands there, and the constants in it, are
//! holes, and the same in all runs and steps. All that a run fixes is a constant, so that only
//! what depends on the place becomes clauses; one solver has all runs. It is asked for each
//! template, the cheapest first. Of the values that mend the runs those are taken that are close
//! to what was written, bit by bit. What comes out is an edit like any other: whoever asked
//! looks at it, proves or refutes it, and adds the run that refutes it [SKETCH].
//!
//! Several places may be open at once ([`joint`]): then each of them is a selector, too.

mod joint;

use super::RepairError;
use super::open::{Frames, OpenDesign};
use super::recorded_open;
use crate::bdd;
use crate::design::verilog::edits::SourceEdit;
use crate::design::verilog::edits::sketch::{Hole, HoleValues, Sketch};
use crate::design::verilog::open_constants::bit_name;
use crate::design::{Design, NodeId, Ones, Trials};
use crate::game::{Arena, Objective};
use crate::run::Run;
use crate::sat::{self, Answer, Meter, Solver};
use crate::source::Sources;
use crate::spec::Spec;
use crate::trace::{Binding, Recording};
use std::collections::HashMap;

/// Work of the solver for one place.
const WORK: u64 = 20_000_000;
/// Gates to fold for one place, so that of long runs only the first cycles count.
const EFFORT: usize = 40_000_000;
/// Variables of the solver for one recorded run, which is cut off where there are more.
const MOST_VARIABLES: usize = 1_000_000;

/// A design with places open, and what is asked of it.
pub struct OpenSketch {
    pub sketches: Vec<Sketch>,
    open: OpenDesign,
    objective: Option<Objective>,
    /// The latches of holes, by their names.
    latches: HashMap<String, NodeId>,
}

impl OpenSketch {
    /// For properties. `None` if the place cannot be opened.
    pub fn new(
        sketch: &Sketch,
        trials: &mut dyn Trials,
        spec: &Spec,
    ) -> Result<Option<OpenSketch>, RepairError> {
        let sketches = std::slice::from_ref(sketch);
        let Some((sketches, design)) = opened(sketches, &[], trials) else {
            return Ok(None);
        };
        let arena = Arena::new(design, spec)?;
        let roots = [arena.objective.assumption, arena.objective.guarantee];
        Ok(Some(OpenSketch {
            latches: latches(&arena.design),
            open: OpenDesign::of_sketch(arena.design, &roots)?,
            objective: Some(arena.objective),
            sketches,
        }))
    }

    /// For recorded runs, with some edits made.
    pub fn recorded(
        sketches: &[Sketch],
        edits: &[SourceEdit],
        trials: &mut dyn Trials,
        recordings: &[Recording],
    ) -> Result<Option<(OpenSketch, Vec<Binding>)>, RepairError> {
        let Some((sketches, design)) = opened(sketches, edits, trials) else {
            return Ok(None);
        };
        let bindings = recordings.iter().map(|one| one.bind(&design).ok());
        let Some(bindings) = bindings.collect::<Option<Vec<Binding>>>() else {
            return Ok(None);
        };
        let roots = bindings.iter().flat_map(|binding| &binding.compared);
        let roots: Vec<_> = roots.map(|(literal, _)| *literal).collect();
        let open = OpenSketch {
            latches: latches(&design),
            open: OpenDesign::of_sketch(design, &roots)?,
            objective: None,
            sketches,
        };
        Ok(Some((open, bindings)))
    }

    /// A run as nodes of this design; `None` if it does not end.
    pub fn ones_of(&self, run: &Run) -> Option<Ones> {
        let is_finite = run.loop_start.is_none();
        is_finite.then(|| self.open.design.ones_of(run))
    }
}

/// The design with places open; without what closes a loop, if something does.
fn opened(
    sketches: &[Sketch],
    edits: &[SourceEdit],
    trials: &mut dyn Trials,
) -> Option<(Vec<Sketch>, Design)> {
    let is_sound = |design: &Design| design.checked_order().is_ok();
    if let Some(design) = trials.sketched(edits, sketches).filter(is_sound) {
        return Some((sketches.to_vec(), design));
    }
    let restricted: Vec<Sketch> = sketches.iter().map(Sketch::restricted).collect();
    let design = trials.sketched(edits, &restricted).filter(is_sound)?;
    Some((restricted, design))
}

fn latches(design: &Design) -> HashMap<String, NodeId> {
    let latches = design.latches().iter();
    let named = latches.filter_map(|id| Some((design.name(*id)?.to_string(), *id)));
    named
        .filter(|(name, _)| name.starts_with("hole$"))
        .collect()
}

/// The question for some places, to which runs are added.
pub struct Solving<'a> {
    place: &'a OpenSketch,
    frames: Frames<'a>,
    meter: std::rc::Rc<Meter>,
    is_refuted: bool,
    effort: usize,
}

impl<'a> Solving<'a> {
    pub fn new(place: &'a OpenSketch, limits: &bdd::Limits) -> Solving<'a> {
        let stop = limits.clone();
        let meter = Meter::new(move || stop.check().is_err());
        meter.allow(WORK);
        Solving {
            frames: Frames::new(&place.open, meter.clone()),
            place,
            meter,
            is_refuted: false,
            effort: 0,
        }
    }

    /// Asks for values that keep the properties on a run.
    pub fn keep(&mut self, run: &Ones) {
        let Some(objective) = &self.place.objective else {
            return;
        };
        self.effort += self.place.open.gates() * run.inputs.len();
        if self.effort > EFFORT {
            return;
        }
        let frames = &mut self.frames;
        frames.start(|id| Some(run.initial.contains(&id)));
        let mut alive = frames.truth;
        for inputs in &run.inputs {
            if self.meter.is_over() {
                return;
            }
            frames.settle(|id| Some(inputs.contains(&id)));
            alive = frames.and(alive, frames.value(objective.assumption));
            if alive == !frames.truth {
                break;
            }
            let guarantee = frames.value(objective.guarantee);
            frames.solver.add_clause(&[!alive, guarantee]);
            frames.advance();
        }
    }

    /// Asks for values with which a recorded run shows its first cycles.
    pub fn show(&mut self, recording: &Recording, binding: &Binding, cycles: usize) {
        let gates = self.place.open.gates().max(1);
        let left = EFFORT.saturating_sub(self.effort) / gates;
        let cycles = recording.cycles().min(cycles).min(left);
        self.effort += gates * cycles;
        let frames = &mut self.frames;
        let most = frames.variables() + MOST_VARIABLES;
        self.is_refuted |= !recorded_open::show(frames, recording, binding, cycles, most);
    }

    /// Whether the search for this place has used what it may use.
    pub fn is_over(&self) -> bool {
        self.is_refuted || self.meter.is_over()
    }

    /// The edit of a template of the only place that mends all runs, and its values.
    pub fn edit(
        &mut self,
        template: usize,
        sources: &Sources,
    ) -> Option<(Option<SourceEdit>, HoleValues)> {
        let sketch = &self.place.sketches[0];
        if self.is_over() || !sketch.has(template) {
            return None;
        }
        let mut assumed = self.equals(sketch.mode, template + 1);
        if self.frames.solver.solve(&assumed) != Answer::Satisfiable {
            return None;
        }
        let mut values = self.values();
        self.come_close(sketch, template, &mut values, &mut assumed);
        Some((sketch.edit(template, &values, sources), values))
    }

    /// Choices stay as they are, and constants come close to what was written. What is decided
    /// of them is assumed from then on.
    fn come_close(
        &mut self,
        sketch: &Sketch,
        template: usize,
        values: &mut HoleValues,
        assumed: &mut Vec<sat::Literal>,
    ) {
        for hole in sketch.holes(template, values) {
            let wanted = sketch.wanted(template, hole);
            for (bit, literal) in self.bits(hole).into_iter().enumerate() {
                let is_one = match &wanted {
                    Some(wanted) => wanted.get(bit).copied().unwrap_or(false),
                    None => bit_of(values, hole, bit),
                };
                let literal = literal.negate_if(!is_one);
                assumed.push(literal);
                if bit_of(values, hole, bit) == is_one {
                    continue;
                }
                match self.frames.solver.solve(assumed) {
                    Answer::Satisfiable => *values = self.values(),
                    _ => {
                        assumed.pop();
                        assumed.push(!literal);
                    }
                }
            }
        }
    }

    /// Leaves out values of the only place that were found before.
    pub fn leave_out(&mut self, template: usize, values: &HoleValues) {
        let clause = self.others(&self.place.sketches[0], template, values);
        self.frames.solver.add_clause(&clause);
    }

    /// That a template has other values than these, or is not used.
    fn others(
        &mut self,
        sketch: &Sketch,
        template: usize,
        values: &HoleValues,
    ) -> Vec<sat::Literal> {
        let mut clause: Vec<sat::Literal> = Vec::new();
        let mode = self.equals(sketch.mode, template + 1);
        clause.extend(mode.iter().map(|literal| !*literal));
        for hole in sketch.holes(template, values) {
            for (bit, literal) in self.bits(hole).into_iter().enumerate() {
                let is_one = bit_of(values, hole, bit);
                clause.push(literal.negate_if(is_one));
            }
        }
        clause
    }

    /// The literals of a hole; those of bits that the design does not have are false.
    fn bits(&mut self, hole: Hole) -> Vec<sat::Literal> {
        let bits = (0..hole.width).map(|bit| {
            let latch = self.place.latches.get(&bit_name(hole.number, bit));
            match latch {
                Some(id) => self.frames.rigid(*id),
                None => !self.frames.truth,
            }
        });
        bits.collect()
    }

    fn equals(&mut self, hole: Hole, value: usize) -> Vec<sat::Literal> {
        let bits = self.bits(hole).into_iter().enumerate();
        bits.map(|(bit, literal)| literal.negate_if(value >> bit & 1 == 0))
            .collect()
    }

    /// What all holes are in the values that were found last.
    fn values(&mut self) -> HoleValues {
        let mut values = HoleValues::new();
        let latches: Vec<(String, NodeId)> = self
            .place
            .latches
            .iter()
            .map(|(name, id)| (name.clone(), *id))
            .collect();
        for (name, id) in latches {
            let inner = name.trim_start_matches("hole$").trim_end_matches(']');
            let Some((number, bit)) = inner.split_once('[') else {
                continue;
            };
            let (Ok(number), Ok(bit)) = (number.parse::<usize>(), bit.parse::<usize>()) else {
                continue;
            };
            let literal = self.frames.rigid(id);
            let bits = values.entry(number).or_default();
            if bits.len() <= bit {
                bits.resize(bit + 1, false);
            }
            bits[bit] = self.frames.solver.value(literal);
        }
        values
    }
}

/// A bit of the value of a hole; 0 if the design does not have it.
fn bit_of(values: &HoleValues, hole: Hole, bit: usize) -> bool {
    let bits = values.get(&hole.number);
    bits.and_then(|bits| bits.get(bit))
        .copied()
        .unwrap_or(false)
}

#[cfg(test)]
mod tests;
