//! Two faults that recorded runs show only together: neither place alone mends a difference.
//!
//! Pairs of places are opened at once, and edits at both are solved for (`solved/joint`). A
//! mistake is often made twice in the same way, so places with like texts come first.

use super::super::edits::overlap;
use super::super::sketched;
use super::super::solved::{OpenSketch, Solving};
use super::super::{RepairError, Watch, say};
use super::{Scored, Search};
use crate::design::ComponentKind;
use crate::design::verilog::edits::SourceEdit;
use crate::design::verilog::edits::sketch::Sketch;
use crate::source::Span;
use std::collections::{BTreeSet, HashMap};

/// Pairs of places that are solved for, and those after which what was found is tried.
const MOST_PAIRS: usize = 200;
const AT_ONCE: usize = 8;
/// Solutions of one pair that are tried.
const MOST_ALIKE: usize = 3;

type Place = (Span, ComponentKind);

impl Search<'_> {
    /// Solves for edits at two places, and tries them. `alone` are edits at places that may be
    /// the only fault.
    pub(super) fn joint(
        &mut self,
        all: &[SourceEdit],
        alone: &[&SourceEdit],
        level: &mut Vec<Scored>,
        watch: &mut Watch,
    ) -> Result<(), RepairError> {
        if self.trials.is_none() || !self.options.depends_on.is_empty() {
            return Ok(());
        }
        let mut sketches: HashMap<Place, Vec<Sketch>> = HashMap::new();
        for sketch in sketched::allowed(self.subject.front_end(), all) {
            if let Some(within) = sketch.within {
                sketches.entry(within).or_default().push(sketch);
            }
        }
        let mut pairs = self.places.pairs(alone)?;
        pairs.retain(|[one, other]| {
            sketches.contains_key(one) && sketches.contains_key(other) && !meet(one.0, other.0)
        });
        pairs.sort_by_cached_key(|pair| self.unlikeness(pair));
        pairs.truncate(MOST_PAIRS);
        say(
            watch,
            &format!("solving for {} pairs of places", pairs.len()),
        );
        for some in pairs.chunks(AT_ONCE) {
            let mut found = Vec::new();
            for pair in some {
                if self.options.limits.check().is_err() {
                    break;
                }
                let places = pair.map(|place| sketches[&place].as_slice());
                found.extend(self.edits_at(places)?);
            }
            found.sort_by_key(|edits| edits.iter().map(|edit| edit.cost).sum::<u32>());
            for edits in &found {
                level.extend(self.attempt(edits.iter().collect(), usize::MAX)?);
            }
            if self.is_enough() {
                break;
            }
        }
        Ok(())
    }

    /// Edits at two places that mend all runs.
    fn edits_at(&mut self, places: [&[Sketch]; 2]) -> Result<Vec<Vec<SourceEdit>>, RepairError> {
        let mut found = Vec::new();
        let Some(trials) = self.trials.as_mut() else {
            return Ok(found);
        };
        let sketches = places.concat();
        let open = OpenSketch::recorded(&sketches, &[], &mut **trials, self.recordings)?;
        let Some((open, bindings)) = open else {
            return Ok(found);
        };
        let count = places[0].len();
        let groups = [(0..count).collect(), (count..sketches.len()).collect()];
        let mut solving = Solving::new(&open, &self.options.limits);
        solving.one_for_each(&groups);
        for (recording, binding) in self.recordings.iter().zip(&bindings) {
            solving.show(recording, binding, usize::MAX);
        }
        while found.len() < MOST_ALIKE {
            let Some((edits, values)) = solving.edits(&groups, &self.subject.sources) else {
                break;
            };
            solving.leave_out_all(&values);
            let overlaps = edits.len() == 2 && overlap(&edits[0], &edits[1]);
            if !overlaps && !edits.is_empty() {
                found.push(edits);
            }
        }
        Ok(found)
    }

    /// How many words only one of two places has; those of one kind are more alike.
    fn unlikeness(&self, pair: &[Place; 2]) -> (bool, usize, [Span; 2]) {
        let words = pair.map(|(span, _)| {
            let text = self.subject.sources.text(span);
            let is_word = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '_';
            let words = text.split(move |symbol| !is_word(symbol));
            words.collect::<BTreeSet<&str>>()
        });
        let unlike = words[0].symmetric_difference(&words[1]).count();
        (pair[0].1 != pair[1].1, unlike, pair.map(|(span, _)| span))
    }
}

/// Whether two texts overlap.
fn meet(one: Span, other: Span) -> bool {
    one.file == other.file && one.start < other.end && other.start < one.end
}
