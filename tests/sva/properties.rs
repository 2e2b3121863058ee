//! Random sequences and properties, as they are written and as the evaluator reads them.

use super::evaluator::{Condition, Property, Sequence};
use respin::random::Random;
use std::ops::{Deref, DerefMut};

/// A text, and when it is true.
pub type Named = (&'static str, Condition);

/// Random numbers, and the conditions that properties are made of.
pub struct Draw {
    pub random: Random,
    pub conditions: &'static [Named],
}

impl Deref for Draw {
    type Target = Random;

    fn deref(&self) -> &Random {
        &self.random
    }
}

impl DerefMut for Draw {
    fn deref_mut(&mut self) -> &mut Random {
        &mut self.random
    }
}

fn condition(random: &mut Draw) -> (String, Condition) {
    let conditions = random.conditions;
    let (text, condition) = *random.pick(conditions);
    (text.to_string(), condition)
}

/// A range as it is written, and its ends.
fn range(random: &mut Draw, least: usize) -> (String, usize, Option<usize>) {
    let low = least + random.below(2);
    match random.below(4) {
        0 => (format!("{low}:$"), low, None),
        1 => (format!("{low}"), low, Some(low)),
        _ => {
            let high = low + random.below(3);
            (format!("{low}:{high}"), low, Some(high))
        }
    }
}

fn sequence(random: &mut Draw, depth: u64) -> (String, Sequence) {
    if depth == 0 || random.below(4) == 0 {
        let (text, condition) = condition(random);
        return (text, Sequence::Is(condition));
    }
    let below = depth - 1;
    match random.below(10) {
        0 | 1 => {
            let (left, one) = sequence(random, below);
            let (right, two) = sequence(random, below);
            let (text, low, high) = range(random, 0);
            let delay = Sequence::Delay(Some(Box::new(one)), low, high, Box::new(two));
            (format!("(({left}) ##[{text}] ({right}))"), delay)
        }
        2 => {
            let (right, inner) = sequence(random, below);
            let (text, low, high) = range(random, 0);
            let delay = Sequence::Delay(None, low, high, Box::new(inner));
            (format!("(##[{text}] ({right}))"), delay)
        }
        3 => {
            let (text, condition) = condition(random);
            let (count, low, high) = range(random, 0);
            let repeat = Sequence::Repeat(Box::new(Sequence::Is(condition)), low, high);
            (format!("(({text})[*{count}])"), repeat)
        }
        4 => {
            let (text, inner) = sequence(random, below);
            let low = random.below(2);
            let high = low + 1;
            let repeat = Sequence::Repeat(Box::new(inner), low, Some(high));
            (format!("(({text})[*{low}:{high}])"), repeat)
        }
        5 => {
            let (text, condition) = condition(random);
            let (count, low, high) = range(random, 1);
            match random.below(2) {
                0 => (
                    format!("(({text})[->{count}])"),
                    Sequence::Goto(condition, low, high),
                ),
                _ => (
                    format!("(({text})[={count}])"),
                    Sequence::Times(condition, low, high),
                ),
            }
        }
        6 => {
            let (text, condition) = condition(random);
            let (right, inner) = sequence(random, below);
            let throughout = Sequence::Throughout(condition, Box::new(inner));
            (format!("(({text}) throughout ({right}))"), throughout)
        }
        other => {
            let (left, one) = sequence(random, below);
            let (right, two) = sequence(random, below);
            let (one, two) = (Box::new(one), Box::new(two));
            match other {
                7 => (
                    format!("(({left}) intersect ({right}))"),
                    Sequence::Intersect(one, two),
                ),
                8 => (format!("(({left}) and ({right}))"), Sequence::And(one, two)),
                _ => (format!("(({left}) or ({right}))"), Sequence::Or(one, two)),
            }
        }
    }
}

/// A property; the deeper, the longer.
pub fn property(random: &mut Draw, depth: u64) -> (String, Property) {
    if depth == 0 {
        let (text, condition) = condition(random);
        return (text, Property::Weak(Sequence::Is(condition)));
    }
    let below = depth - 1;
    let inner = |random: &mut Draw| {
        let (text, property) = property(random, below);
        (format!("({text})"), Box::new(property))
    };
    match random.below(14) {
        0 | 1 => {
            let (text, sequence) = sequence(random, depth);
            match random.below(2) {
                0 => (format!("weak({text})"), Property::Weak(sequence)),
                _ => (format!("strong({text})"), Property::Strong(sequence)),
            }
        }
        2 | 3 => {
            let (left, sequence) = sequence(random, depth);
            let (right, property) = inner(random);
            (
                format!("({left}) |-> {right}"),
                Property::Implication(sequence, property),
            )
        }
        4 => {
            let (left, sequence) = sequence(random, depth);
            let (right, property) = inner(random);
            (
                format!("({left}) #-# {right}"),
                Property::Followed(sequence, property),
            )
        }
        5 => {
            let (text, property) = inner(random);
            (format!("not {text}"), Property::Not(property))
        }
        6 => {
            let (left, one) = inner(random);
            let (right, two) = inner(random);
            match random.below(2) {
                0 => (format!("{left} and {right}"), Property::And(one, two)),
                _ => (format!("{left} or {right}"), Property::Or(one, two)),
            }
        }
        7 | 8 => {
            let (left, one) = inner(random);
            let (right, two) = inner(random);
            let (strong, inclusive) = (random.flip(), random.flip());
            let word = match (strong, inclusive) {
                (false, false) => "until",
                (true, false) => "s_until",
                (false, true) => "until_with",
                (true, true) => "s_until_with",
            };
            (
                format!("{left} {word} {right}"),
                Property::Until(one, two, strong, inclusive),
            )
        }
        9 => {
            let (text, property) = inner(random);
            (
                format!("always {text}"),
                Property::Always(0, None, property),
            )
        }
        10 => {
            let (text, property) = inner(random);
            (
                format!("s_eventually {text}"),
                Property::Eventually(0, None, property),
            )
        }
        11 => {
            let (text, property) = inner(random);
            (format!("nexttime {text}"), Property::Next(1, property))
        }
        12 => {
            let (when, condition) = condition(random);
            let (text, property) = inner(random);
            (
                format!("accept_on ({when}) {text}"),
                Property::Disable(condition, property),
            )
        }
        _ => {
            let (when, condition) = condition(random);
            let (text, property) = inner(random);
            let negated = Box::new(Property::Not(property));
            let accepted = Box::new(Property::Disable(condition, negated));
            (
                format!("sync_reject_on ({when}) {text}"),
                Property::Not(accepted),
            )
        }
    }
}
