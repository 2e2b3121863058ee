//! Sequences and properties by the definitions of IEEE 1800-2017, annex F, on single runs.
//!
//! A word is a lasso of letters; besides values there are the letters `Top`, which satisfies
//! every condition, and `Bottom`, which satisfies none. A weak sequence holds if each prefix,
//! followed by `Top` for ever, has a match; `disable iff` cuts the word off in the same way;
//! negation swaps the two letters.

use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter {
    /// The values of `a`, `b`, `c` and `d`, lowest bit first.
    Values(u8),
    Top,
    Bottom,
}

#[derive(Clone, Debug)]
pub struct Word {
    pub letters: Vec<Letter>,
    pub loop_start: usize,
}

/// A condition over the signals.
pub type Condition = fn(u8) -> bool;

#[derive(Clone)]
pub enum Sequence {
    Is(Condition),
    /// `left ##[low:high] right`
    Delay(Option<Box<Sequence>>, usize, Option<usize>, Box<Sequence>),
    Repeat(Box<Sequence>, usize, Option<usize>),
    Goto(Condition, usize, Option<usize>),
    Times(Condition, usize, Option<usize>),
    Throughout(Condition, Box<Sequence>),
    Within(Box<Sequence>, Box<Sequence>),
    Intersect(Box<Sequence>, Box<Sequence>),
    And(Box<Sequence>, Box<Sequence>),
    Or(Box<Sequence>, Box<Sequence>),
    FirstMatch(Box<Sequence>),
}

#[derive(Clone)]
pub enum Property {
    Weak(Sequence),
    Strong(Sequence),
    Not(Box<Property>),
    And(Box<Property>, Box<Property>),
    Or(Box<Property>, Box<Property>),
    /// `|->`
    Implication(Sequence, Box<Property>),
    /// `#-#`
    Followed(Sequence, Box<Property>),
    Next(usize, Box<Property>),
    Always(usize, Option<usize>, Box<Property>),
    Eventually(usize, Option<usize>, Box<Property>),
    /// Left, right, strong, inclusive.
    Until(Box<Property>, Box<Property>, bool, bool),
    Disable(Condition, Box<Property>),
}

/// Steps after which a match of these small sequences has ended or never does.
const HORIZON: usize = 40;

impl Word {
    fn at(&self, time: usize) -> Letter {
        self.letters[self.place(time)]
    }

    fn place(&self, time: usize) -> usize {
        let length = self.letters.len();
        match time < length {
            true => time,
            false => self.loop_start + (time - self.loop_start) % (length - self.loop_start),
        }
    }

    fn satisfies(&self, time: usize, condition: Condition) -> bool {
        match self.at(time) {
            Letter::Values(values) => condition(values),
            Letter::Top => true,
            Letter::Bottom => false,
        }
    }

    fn swapped(&self) -> Word {
        let swap = |letter: &Letter| match letter {
            Letter::Top => Letter::Bottom,
            Letter::Bottom => Letter::Top,
            other => *other,
        };
        Word {
            letters: self.letters.iter().map(swap).collect(),
            loop_start: self.loop_start,
        }
    }

    /// The letters from `start` to before `end`, then one letter for ever.
    fn cut(&self, start: usize, end: usize, last: Letter) -> Word {
        let mut letters: Vec<Letter> = (start..end).map(|time| self.at(time)).collect();
        letters.push(last);
        Word {
            loop_start: letters.len() - 1,
            letters,
        }
    }
}

/// The times just after matches that start at a time, up to the horizon. An empty match
/// ends where it starts.
fn ends(word: &Word, sequence: &Sequence, start: usize, limit: usize) -> BTreeSet<usize> {
    if start > limit {
        return BTreeSet::new();
    }
    let none: Condition = |_| true;
    match sequence {
        Sequence::Is(condition) => match word.satisfies(start, *condition) {
            true => BTreeSet::from([start + 1]),
            false => BTreeSet::new(),
        },
        Sequence::Delay(left, low, high, right) => {
            let befores = match left {
                Some(left) => ends(word, left, start, limit),
                // Without a left side the delay counts from a step before the first.
                None => BTreeSet::from([start + 1]),
            };
            let first = left.is_some();
            let mut found = BTreeSet::new();
            for before in befores {
                let most = high.unwrap_or(limit + 1);
                for delay in *low..=most {
                    // `##1` starts where the left side ended, `##0` one step earlier.
                    let Some(next) = (before + delay).checked_sub(1) else {
                        continue;
                    };
                    if next > limit {
                        break;
                    }
                    let is_empty = first && before == start;
                    if delay == 0 && is_empty {
                        continue;
                    }
                    // The steps in between may be anything, but they are steps.
                    let between = before..next.max(before);
                    if !between.clone().all(|time| word.satisfies(time, none)) {
                        continue;
                    }
                    if !first && !(start..next).all(|time| word.satisfies(time, none)) {
                        continue;
                    }
                    let after = ends(word, right, next, limit);
                    // `##0` takes a step from the right side, too.
                    found.extend(after.into_iter().filter(|end| delay > 0 || *end > next));
                }
            }
            found
        }
        Sequence::Repeat(inner, low, high) => {
            let mut found = BTreeSet::new();
            let mut present = BTreeSet::from([start]);
            let most = high.unwrap_or(limit + 2);
            for count in 0..=most {
                if count >= *low {
                    found.extend(present.iter().copied());
                }
                let mut next = BTreeSet::new();
                for time in &present {
                    next.extend(ends(word, inner, *time, limit));
                }
                if next.is_empty() {
                    break;
                }
                present = next;
            }
            found
        }
        Sequence::Goto(condition, low, high) => {
            counted(word, *condition, *low, *high, start, limit)
        }
        Sequence::Times(condition, low, high) => {
            let mut found = BTreeSet::new();
            for end in counted(word, *condition, *low, *high, start, limit) {
                found.insert(end);
                let mut time = end;
                while time <= limit && fails(word, time, *condition) {
                    time += 1;
                    found.insert(time);
                }
            }
            found
        }
        Sequence::Throughout(condition, inner) => {
            let holds = |end: &usize| (start..*end).all(|time| word.satisfies(time, *condition));
            ends(word, inner, start, limit)
                .into_iter()
                .filter(holds)
                .collect()
        }
        Sequence::Within(inner, outer) => {
            let covers = |end: &usize| {
                (start..=*end).any(|from| ends(word, inner, from, limit).iter().any(|to| to <= end))
            };
            ends(word, outer, start, limit)
                .into_iter()
                .filter(covers)
                .collect()
        }
        Sequence::Intersect(left, right) => {
            let right = ends(word, right, start, limit);
            let left = ends(word, left, start, limit);
            left.intersection(&right).copied().collect()
        }
        Sequence::And(left, right) => {
            let right = ends(word, right, start, limit);
            let mut found = BTreeSet::new();
            for one in ends(word, left, start, limit) {
                found.extend(right.iter().map(|other| one.max(*other)));
            }
            found
        }
        Sequence::Or(left, right) => {
            let mut found = ends(word, left, start, limit);
            found.extend(ends(word, right, start, limit));
            found
        }
        Sequence::FirstMatch(inner) => {
            let all = ends(word, inner, start, limit);
            all.first().copied().into_iter().collect()
        }
    }
}

/// Whether the negation of a condition is satisfied.
fn fails(word: &Word, time: usize, condition: Condition) -> bool {
    match word.at(time) {
        Letter::Values(values) => !condition(values),
        Letter::Top => true,
        Letter::Bottom => false,
    }
}

/// After the last of so many steps in which a condition holds, none of them between.
fn counted(
    word: &Word,
    condition: Condition,
    low: usize,
    high: Option<usize>,
    start: usize,
    limit: usize,
) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    // A letter may satisfy a condition and its negation: all ways are followed.
    let mut present = BTreeSet::from([(start, 0)]);
    if low == 0 {
        found.insert(start);
    }
    while let Some((time, count)) = present.pop_first() {
        if time > limit {
            continue;
        }
        if word.satisfies(time, condition) && high.is_none_or(|high| count < high) {
            if count + 1 >= low {
                found.insert(time + 1);
            }
            present.insert((time + 1, count + 1));
        }
        if fails(word, time, condition) {
            present.insert((time + 1, count));
        }
    }
    found
}

/// Whether a word, from a time on, has a property.
pub fn holds(word: &Word, property: &Property, start: usize) -> bool {
    let start = word.place(start);
    let round = word.letters.len() + 1;
    match property {
        Property::Strong(sequence) => ends(word, sequence, start, start + HORIZON)
            .iter()
            .any(|end| *end > start),
        Property::Weak(sequence) => {
            let cut = word.cut(start, start + HORIZON, Letter::Top);
            ends(&cut, sequence, 0, HORIZON + 12)
                .iter()
                .any(|end| *end > 0)
        }
        Property::Not(inner) => !holds(&word.swapped(), inner, start),
        Property::And(left, right) => holds(word, left, start) && holds(word, right, start),
        Property::Or(left, right) => holds(word, left, start) || holds(word, right, start),
        Property::Implication(sequence, inner) => {
            let swapped = word.swapped();
            let ends = ends(&swapped, sequence, start, start + HORIZON);
            let mut ends = ends.into_iter().filter(|end| *end > start);
            ends.all(|end| holds(word, inner, end - 1))
        }
        Property::Followed(sequence, inner) => {
            let ends = ends(word, sequence, start, start + HORIZON);
            let mut ends = ends.into_iter().filter(|end| *end > start);
            ends.any(|end| holds(word, inner, end - 1))
        }
        Property::Next(steps, inner) => holds(word, inner, start + steps),
        Property::Always(low, high, inner) => {
            let high = high.unwrap_or(low + round);
            (*low..=high).all(|steps| holds(word, inner, start + steps))
        }
        Property::Eventually(low, high, inner) => {
            let high = high.unwrap_or(low + round);
            (*low..=high).any(|steps| holds(word, inner, start + steps))
        }
        Property::Until(left, right, strong, inclusive) => {
            for steps in 0..=round {
                let left = holds(word, left, start + steps);
                let right = holds(word, right, start + steps);
                if right && (left || !inclusive) {
                    return true;
                }
                if !left {
                    return false;
                }
            }
            !strong
        }
        Property::Disable(condition, inner) => {
            if holds(word, inner, start) {
                return true;
            }
            let times = start..start + round;
            times
                .filter(|time| word.satisfies(*time, *condition))
                .any(|time| holds(&word.cut(start, time, Letter::Top), inner, 0))
        }
    }
}
