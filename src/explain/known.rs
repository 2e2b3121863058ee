//! What earlier answers say about other sets.
//!
//! A superset of a conflict is a conflict, and a part of a set without one has none. So only
//! the smallest conflicts and the largest sets without one are kept.

use super::subset::Subset;

#[derive(Default)]
pub(super) struct Known {
    conflicts: Vec<Subset>,
    harmless: Vec<Subset>,
    /// Sets in which the approximation sees no conflict, so it sees none in parts of them.
    unrefuted: Vec<Subset>,
}

impl Known {
    /// Whether a set conflicts, as far as that is known.
    pub fn verdict(&self, set: &Subset) -> Option<bool> {
        if self.conflicts.iter().any(|other| other.is_subset_of(set)) {
            Some(true)
        } else if self.is_harmless(set) {
            Some(false)
        } else {
            None
        }
    }

    pub fn is_harmless(&self, set: &Subset) -> bool {
        self.harmless.iter().any(|other| set.is_subset_of(other))
    }

    pub fn is_unrefuted(&self, set: &Subset) -> bool {
        self.unrefuted.iter().any(|other| set.is_subset_of(other))
    }

    pub fn add_conflict(&mut self, set: &Subset) {
        self.conflicts.retain(|other| !set.is_subset_of(other));
        self.conflicts.push(set.clone());
    }

    pub fn add_harmless(&mut self, set: &Subset) {
        add_largest(&mut self.harmless, set);
    }

    pub fn add_unrefuted(&mut self, set: &Subset) {
        add_largest(&mut self.unrefuted, set);
    }

    /// The smallest conflict within a set.
    pub fn conflict_within(&self, set: &Subset) -> Option<&Subset> {
        let within = self.conflicts.iter().filter(|one| one.is_subset_of(set));
        within.min_by_key(|one| one.len())
    }
}

fn add_largest(sets: &mut Vec<Subset>, set: &Subset) {
    sets.retain(|other| !other.is_subset_of(set));
    sets.push(set.clone());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(items: &[usize]) -> Subset {
        Subset::of(6, items.iter().copied())
    }

    #[test]
    fn answers_serve_for_larger_and_smaller_sets() {
        let mut known = Known::default();
        known.add_conflict(&set(&[0, 1, 2]));
        known.add_harmless(&set(&[2, 3]));
        assert_eq!(known.verdict(&set(&[0, 1, 2, 5])), Some(true));
        assert_eq!(known.verdict(&set(&[3])), Some(false));
        assert_eq!(known.verdict(&set(&[0, 1])), None);
        known.add_conflict(&set(&[0, 1]));
        assert_eq!(known.verdict(&set(&[0, 1])), Some(true));
        known.add_harmless(&set(&[2, 3, 4]));
        assert_eq!(known.verdict(&set(&[3, 4])), Some(false));
        // What is not seen is not harmless.
        known.add_unrefuted(&set(&[4, 5]));
        assert!(known.is_unrefuted(&set(&[5])));
        assert_eq!(known.verdict(&set(&[4, 5])), None);
    }

    #[test]
    fn the_smallest_conflict_is_the_one_to_go_on_with() {
        let mut known = Known::default();
        known.add_conflict(&set(&[0, 1, 2]));
        known.add_conflict(&set(&[3, 4]));
        assert_eq!(
            known.conflict_within(&set(&[0, 1, 2, 3, 4])),
            Some(&set(&[3, 4]))
        );
        assert_eq!(
            known.conflict_within(&set(&[0, 1, 2, 3])),
            Some(&set(&[0, 1, 2]))
        );
        assert_eq!(known.conflict_within(&set(&[0, 3])), None);
    }
}
