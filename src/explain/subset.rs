//! Sets of numbers below a fixed bound.

/// A set of numbers; two sets that are compared have the same bound.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Subset {
    words: Vec<u64>,
}

impl Subset {
    /// The empty set of numbers below `bound`.
    pub fn new(bound: usize) -> Subset {
        Subset {
            words: vec![0; bound.div_ceil(64)],
        }
    }

    pub fn of(bound: usize, members: impl IntoIterator<Item = usize>) -> Subset {
        let mut set = Subset::new(bound);
        for member in members {
            set.insert(member);
        }
        set
    }

    pub fn insert(&mut self, member: usize) {
        self.words[member / 64] |= 1 << (member % 64);
    }

    pub fn remove(&mut self, member: usize) {
        self.words[member / 64] &= !(1 << (member % 64));
    }

    pub fn contains(&self, member: usize) -> bool {
        self.words[member / 64] >> (member % 64) & 1 == 1
    }

    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// In growing order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = self.words.iter().enumerate();
        bits.flat_map(|(index, word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| index * 64 + bit)
        })
    }

    pub fn is_subset_of(&self, other: &Subset) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        words.all(|(own, other)| own & !other == 0)
    }

    pub fn intersects(&self, other: &Subset) -> bool {
        let mut words = self.words.iter().zip(&other.words);
        words.any(|(own, other)| own & other != 0)
    }

    pub fn union(&self, other: &Subset) -> Subset {
        self.combine(other, |own, other| own | other)
    }

    pub fn minus(&self, other: &Subset) -> Subset {
        self.combine(other, |own, other| own & !other)
    }

    pub fn intersection(&self, other: &Subset) -> Subset {
        self.combine(other, |own, other| own & other)
    }

    fn combine(&self, other: &Subset, operation: impl Fn(u64, u64) -> u64) -> Subset {
        let words = self.words.iter().zip(&other.words);
        Subset {
            words: words.map(|(own, other)| operation(*own, *other)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order() {
        let set = Subset::of(200, [150, 3, 64]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 150]);
        assert_eq!(set.len(), 3);
    }

    #[test]
    fn differences_and_unions_are_those_of_sets() {
        let left = Subset::of(100, [1, 70, 99]);
        let right = Subset::of(100, [70, 2]);
        assert_eq!(left.minus(&right), Subset::of(100, [1, 99]));
        assert_eq!(left.union(&right), Subset::of(100, [1, 2, 70, 99]));
        assert_eq!(left.intersection(&right), Subset::of(100, [70]));
        assert!(left.intersects(&right) && !left.is_subset_of(&right));
    }
}
