//! Whether definitions can always be kept.
//!
//! Past operators and patterns of the library determine their variables, whatever the others
//! do, so they take part in no conflict. What a file writes in a monitor, a counter or a
//! pattern of its own may say anything, also what nobody can keep. Such parts are requirements
//! like all others: a core may name them, and a fix may do without them.

use super::{DefinitionId, Domain, Gr1, Kind, Side, Term, TermId, Value, VariableId};

/// A definition with more cases than this counts as one that may not be kept: a core is then
/// asked about more than it needs to be, and stays right.
const MOST_CASES: u64 = 1 << 13;

/// A variable, and whether its next value is meant.
type Place = (VariableId, bool);
/// Values of some of them.
type Values = [(Place, Value)];

impl Gr1 {
    /// Makes the parts of a definition candidates of cores, unless they can always be kept. A
    /// definition that an assumption needs is none: who gives it up changes what is assumed.
    pub fn admit_to_cores(&mut self, definition: DefinitionId) {
        let is_assumed = self.constraints.iter().any(|constraint| {
            constraint.side == Side::Assumption
                && self.definitions_of(constraint.term).contains(&definition)
        });
        if is_assumed || self.can_always_be_kept(definition) {
            return;
        }
        let description = self.definition(definition).description.clone();
        let mut number = 0;
        for index in 0..self.constraints.len() {
            if self.constraints[index].definition != Some(definition) {
                continue;
            }
            number += 1;
            let name = self.unused_constraint_name(format!("{description}/{number}"));
            self.constraint_names.insert(name.clone());
            self.constraints[index].name = name;
            self.constraints[index].is_candidate = true;
        }
    }

    /// Whether its variables have a first value for all first values of the others, and a next
    /// value for all that the others and they themselves do. `false` if there are many cases.
    fn can_always_be_kept(&self, definition: DefinitionId) -> bool {
        let own: Vec<VariableId> = self
            .variable_ids()
            .filter(|id| self.variable(*id).definition == Some(definition))
            .collect();
        let parts = |kind: Kind| -> Vec<TermId> {
            let parts = self.constraints.iter();
            parts
                .filter(|part| part.definition == Some(definition) && part.kind == kind)
                .map(|part| part.term)
                .collect()
        };
        [(Kind::Initial, false), (Kind::Safety, true)]
            .into_iter()
            .all(|(kind, primed)| {
                let chosen: Vec<Place> = own.iter().map(|id| (*id, primed)).collect();
                self.can_be_kept(&parts(kind), &chosen)
            })
    }

    /// Whether for all values of the other variables some values of the chosen ones keep all
    /// terms.
    fn can_be_kept(&self, terms: &[TermId], chosen: &[Place]) -> bool {
        if let ([term], [place]) = (terms, chosen)
            && self.assigns(*term, *place)
        {
            return true;
        }
        let mut others: Vec<Place> = Vec::new();
        for term in terms {
            others.extend(self.terms.variables(*term));
        }
        others.sort_unstable();
        others.dedup();
        others.retain(|place| !chosen.contains(place));
        let all = others.iter().chain(chosen);
        let cases = all
            .map(|place| self.variable(place.0).domain.size())
            .try_fold(1u64, |product, size| product.checked_mul(size));
        if cases.is_none_or(|cases| cases > MOST_CASES) {
            return false;
        }
        self.for_values(&others, &mut Vec::new(), true, &mut |given| {
            self.for_values(chosen, &mut given.to_vec(), false, &mut |values| {
                let mut value = |id: VariableId, primed: bool| -> Value {
                    let known = values.iter().find(|(place, _)| *place == (id, primed));
                    known.map_or(0, |(_, value)| *value)
                };
                terms
                    .iter()
                    .all(|term| self.evaluate(*term, &mut value) != 0)
            })
        })
    }

    /// Whether a test holds for all values of some variables, or for one choice of them.
    fn for_values(
        &self,
        places: &[Place],
        given: &mut Vec<(Place, Value)>,
        all: bool,
        test: &mut dyn FnMut(&Values) -> bool,
    ) -> bool {
        let Some((place, rest)) = places.split_first() else {
            return test(given);
        };
        for value in self.variable(place.0).domain.values() {
            given.push((*place, value));
            let holds = self.for_values(rest, given, all, test);
            given.pop();
            if holds != all {
                return holds;
            }
        }
        all
    }

    /// Whether a term gives a Boolean variable a value that does not depend on it.
    fn assigns(&self, term: TermId, place: Place) -> bool {
        let is_place = |term: TermId| {
            let (variable, primed) = place;
            *self.terms.get(term) == Term::Variable { variable, primed }
        };
        let is_free = |term: TermId| !self.terms.variables(term).contains(&place);
        let is_boolean = self.variable(place.0).domain == Domain::Boolean;
        match *self.terms.get(term) {
            Term::Not(operand) => is_place(operand),
            Term::Iff(left, right) => {
                is_place(left) && is_free(right) || is_place(right) && is_free(left)
            }
            _ => is_boolean && is_place(term),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::limits::Limits;
    use crate::source::Sources;
    use crate::spec::spectra;

    /// The names of the candidates that are no requirements.
    fn admitted(text: &str) -> Vec<String> {
        let mut sources = Sources::within(Limits::default());
        let file = sources.add("t.spectra", text);
        let spec = spectra::parse(&sources, file).expect("a specification without mistakes");
        let parts = spec.constraints.iter();
        parts
            .filter(|one| one.definition.is_some() && one.is_candidate)
            .map(|one| one.name.clone())
            .collect()
    }

    #[test]
    fn what_determines_its_variable_is_no_candidate() {
        let text = "module M env boolean a; sys boolean s;
            monitor boolean m { ini !m; trans next(m) <-> (a | m); }
            monitor {A, B} p { ini p = A; trans a -> next(p) = B; trans !a -> next(p) = p; }
            counter c(0..3) { inc: a; reset: s; }
            gar alwEv m & p = A & c = 0 & PREV(a);";
        assert!(admitted(text).is_empty());
    }

    #[test]
    fn what_may_not_be_kept_is_a_candidate() {
        let text = "module M env boolean a;
            monitor boolean m { alw m <-> a; alw !m; }
            gar alwEv m;";
        let parts: Vec<String> = (1..=4).map(|part| format!("monitor m/{part}")).collect();
        assert_eq!(admitted(text), parts);
        let text = "module M env boolean a;
            counter c(0..3) { inc: a; overflow: false; }
            gar alwEv c = 0;";
        assert_eq!(admitted(text).len(), 5);
    }

    #[test]
    fn what_an_assumption_needs_is_no_candidate() {
        let text = "module M env boolean a;
            monitor boolean m { alw m <-> a; alw !m; }
            asm alwEv m;";
        assert!(admitted(text).is_empty());
    }
}
