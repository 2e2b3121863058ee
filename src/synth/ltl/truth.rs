//! Truth values of formulas in all steps of a run that ends in a loop, one bit for each step.

/// The steps of a run up to where it repeats.
pub const MOST_STEPS: usize = WORDS * 64;
const WORDS: usize = 8;

/// A truth value for each step; those behind the last have no meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth([u64; WORDS]);

impl Truth {
    pub fn constant(value: bool) -> Truth {
        Truth([u64::from(value).wrapping_neg(); WORDS])
    }

    pub fn at(self, step: usize) -> bool {
        self.0[step / 64] >> (step % 64) & 1 == 1
    }

    pub fn set(&mut self, step: usize, value: bool) {
        let bit = 1 << (step % 64);
        if value {
            self.0[step / 64] |= bit;
        } else {
            self.0[step / 64] &= !bit;
        }
    }

    pub fn not(self) -> Truth {
        Truth(self.0.map(|word| !word))
    }

    pub fn and(self, other: Truth) -> Truth {
        let mut result = self;
        for (word, other) in result.0.iter_mut().zip(other.0) {
            *word &= other;
        }
        result
    }

    pub fn or(self, other: Truth) -> Truth {
        let mut result = self;
        for (word, other) in result.0.iter_mut().zip(other.0) {
            *word |= other;
        }
        result
    }

    /// What holds so many steps later; false behind the end.
    fn later(self, distance: usize) -> Truth {
        let (words, bits) = (distance / 64, distance % 64);
        let mut result = Truth::constant(false);
        for index in 0..WORDS - words {
            let own = self.0[index + words] >> bits;
            let next = self.0.get(index + words + 1).copied().unwrap_or(0);
            // Shifting by a whole word is not defined.
            let carried = if bits == 0 { 0 } else { next << (64 - bits) };
            result.0[index] = own | carried;
        }
        result
    }
}

/// Steps `0..length`, of which `start` follows the last.
#[derive(Clone, Copy)]
pub struct Shape {
    pub length: usize,
    pub start: usize,
}

impl Shape {
    pub fn next(self, value: Truth) -> Truth {
        let mut result = value.later(1);
        result.set(self.length - 1, value.at(self.start));
        result
    }

    /// `left` until `right`; `outside` is what holds if neither ever ends it.
    pub fn until(self, left: Truth, right: Truth, outside: bool) -> Truth {
        let once = self.until_once(left, right, outside);
        // What the first pass found for the start of the loop is what follows the last step.
        self.until_once(left, right, once.at(self.start))
    }

    /// The same on the steps up to the last, with what holds after it.
    fn until_once(self, mut left: Truth, right: Truth, after: bool) -> Truth {
        let last = self.length - 1;
        let mut value = right;
        value.set(last, right.at(last) || left.at(last) && after);
        // Nothing is carried over the end.
        left.set(last, false);
        // `value` is right for what is decided within 1, 2, 4, ... steps.
        let mut distance = 1;
        if self.length <= 64 {
            // Nearly all runs are this short.
            let (value, left) = (&mut value.0[0], &mut left.0[0]);
            while distance < self.length {
                *value |= *left & (*value >> distance);
                *left &= *left >> distance;
                distance *= 2;
            }
        }
        while distance < self.length {
            value = value.or(left.and(value.later(distance)));
            left = left.and(left.later(distance));
            distance *= 2;
        }
        value
    }
}
