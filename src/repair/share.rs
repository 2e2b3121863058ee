//! Which places of a design a part of a repair looks at, so that one repair can be shared between
//! processes.
//!
//! The places of a source are the components and edits that may be wrong, by where they stand;
//! those of a netlist are its components. They are numbered from 1 in the order of the text, and
//! dealt to parts in turn: of `n` parts, the `k`-th has the places `k`, `n + k`, `2 n + k` and so
//! on. What is tried at one place alone (edits, constants that are solved for, edits joined in one
//! expression, the game of a component) is tried by the part that has it and by no other, so all
//! parts together try what a whole repair with one fault does. With as many parts as there are
//! places each part is one place: this is how a repair is ended that others have begun.

use super::RankedCorrection;
use crate::design::verilog::edits::SourceEdit;
use crate::design::verilog::edits::sketch::Sketch;
use crate::design::{Change, ComponentId, FrontEnd};
use crate::source::Span;
use std::collections::BTreeSet;

/// Some of all parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which ones, from 1.
    pub parts: BTreeSet<usize>,
    /// How many there are.
    pub of: usize,
}

impl Share {
    /// Whether the place with this number, from 1, is one of them.
    fn has(&self, number: usize) -> bool {
        let of = self.of.max(1);
        self.parts.contains(&((number - 1) % of + 1))
    }
}

/// What a part of a repair was about, and where it found something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartAnswer {
    pub share: Share,
    /// How many places were looked at, and how many there are.
    pub looked_at: usize,
    pub places: usize,
    /// The numbers of those where corrections are, vacuous ones included.
    pub found: Vec<usize>,
    /// Whether it was shown that no circuit with these ports keeps the properties, which is not
    /// about places.
    pub is_hopeless: bool,
}

/// Where something can be wrong, in the order of the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Text(Span),
    Component(ComponentId),
}

/// The places of a design, and which of them are looked at.
pub struct Division<'a> {
    front_end: &'a dyn FrontEnd,
    share: Option<&'a Share>,
    /// All of them, in order; nothing if all are looked at.
    places: Vec<Place>,
}

impl<'a> Division<'a> {
    /// The places of these edits and components, and of what can be solved for.
    pub fn new(
        front_end: &'a dyn FrontEnd,
        share: Option<&'a Share>,
        edits: &[SourceEdit],
        components: &[ComponentId],
    ) -> Division<'a> {
        let mut division = Division {
            front_end,
            share,
            places: Vec::new(),
        };
        if share.is_none() {
            return division;
        }
        let mut places: BTreeSet<Place> = edits.iter().map(of_edit).collect();
        places.extend(components.iter().map(|id| division.of_component(*id)));
        if front_end.is_source() && !edits.is_empty() {
            let sketches = super::sketched::allowed(front_end, edits);
            places.extend(sketches.iter().map(of_sketch));
        }
        division.places = places.into_iter().collect();
        division
    }

    /// Whether something is left out.
    pub fn is_part(&self) -> bool {
        self.share.is_some()
    }

    pub fn has_edit(&self, edit: &SourceEdit) -> bool {
        self.has(|| of_edit(edit))
    }

    pub fn has_sketch(&self, sketch: &Sketch) -> bool {
        self.has(|| of_sketch(sketch))
    }

    pub fn has_component(&self, id: ComponentId) -> bool {
        self.has(|| self.of_component(id))
    }

    fn has(&self, place: impl Fn() -> Place) -> bool {
        let Some(share) = self.share else {
            return true;
        };
        let number = self.number(&place());
        number.is_some_and(|number| share.has(number))
    }

    fn number(&self, place: &Place) -> Option<usize> {
        let found = self.places.binary_search(place).ok();
        found.map(|index| index + 1)
    }

    /// Where a component of a source stands; one that several instances have is one place.
    fn of_component(&self, id: ComponentId) -> Place {
        let component = &self.front_end.netlist().components()[id.0 as usize];
        match component.span {
            Some(span) if self.front_end.is_source() => Place::Text(span),
            _ => Place::Component(id),
        }
    }

    /// What this part was about; nothing if it was the whole.
    pub fn answer(&self, corrections: &[RankedCorrection]) -> Option<PartAnswer> {
        let mut found = BTreeSet::new();
        for one in corrections {
            match one.location.is_empty() || self.front_end.is_source() {
                true => found.extend(self.of_changes(&one.patch.changes)),
                false => {
                    let numbers = one.location.iter();
                    let numbers = numbers.map(|id| self.number(&self.of_component(*id)));
                    found.extend(numbers.flatten());
                }
            }
            for also in &one.also {
                found.extend(self.of_changes(&also.changes));
            }
        }
        self.answer_with(found)
    }

    /// The same for corrections that are known by their changes only.
    pub fn answer_of<'c>(
        &self,
        corrections: impl Iterator<Item = &'c Vec<Change>>,
    ) -> Option<PartAnswer> {
        let found = corrections.flat_map(|changes| self.of_changes(changes));
        self.answer_with(found.collect())
    }

    fn answer_with(&self, found: BTreeSet<usize>) -> Option<PartAnswer> {
        let share = self.share?;
        let numbers = 1..=self.places.len();
        Some(PartAnswer {
            share: share.clone(),
            looked_at: numbers.filter(|number| share.has(*number)).count(),
            places: self.places.len(),
            found: found.into_iter().collect(),
            is_hopeless: false,
        })
    }

    /// The numbers of the places that a correction changes. Where its text does not say which
    /// one it is, all of this part that it touches, or else all of this part.
    fn of_changes(&self, changes: &[Change]) -> Vec<usize> {
        let Some(share) = self.share else {
            return Vec::new();
        };
        let own = || (1..=self.places.len()).filter(|number| share.has(*number));
        let components = self.front_end.netlist().components();
        let mut numbers = Vec::new();
        for change in changes {
            if !self.front_end.is_source() {
                let named = components.iter().zip(0..);
                let named = named.filter(|(one, _)| one.name == change.component);
                let places = named.map(|(_, index)| Place::Component(ComponentId(index)));
                numbers.extend(places.filter_map(|place| self.number(&place)));
                continue;
            }
            let spans = change.within.map(|(span, _)| span).or(change.span);
            if let Some(number) = spans.and_then(|span| self.number(&Place::Text(span))) {
                numbers.push(number);
                continue;
            }
            let touches = |number: &usize| match (&self.places[number - 1], change.span) {
                (Place::Text(place), Some(span)) => {
                    place.file == span.file && place.start <= span.end && span.start <= place.end
                }
                _ => false,
            };
            let count = numbers.len();
            numbers.extend(own().filter(touches));
            if numbers.len() == count {
                return own().collect();
            }
        }
        numbers
    }
}

fn of_edit(edit: &SourceEdit) -> Place {
    Place::Text(edit.within.map_or_else(|| edit.place(), |(span, _)| span))
}

fn of_sketch(sketch: &Sketch) -> Place {
    Place::Text(sketch.within.map_or(sketch.span, |(span, _)| span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_in_one_part() {
        for of in 1..9 {
            for number in 1..40 {
                let parts = (1..=of).filter(|part| {
                    let share = Share {
                        parts: BTreeSet::from([*part]),
                        of,
                    };
                    share.has(number)
                });
                assert_eq!(parts.count(), 1, "{number} of {of}");
            }
        }
    }
}
