//! What the verdict that there is no repair rests on.

use super::refutation::Refutation;
use super::{Certified, Evidence, NoRepair};

/// The environment wins even if all suspects are replaced at once, or against every circuit
/// with the same ports: its strategy was checked.
pub fn by_strategy(answer: NoRepair, _strategy: &Certified<Refutation>) -> Certified<NoRepair> {
    Certified::new(answer, Evidence::ClaimChecked)
}

/// Every place was looked at alone by one of these parts, each of which says so in a process of
/// its own.
pub fn by_parts(parts: usize, places: usize) -> Certified<NoRepair> {
    let statement = format!("each of {parts} parts has tried all that there is at its places");
    let answer = NoRepair {
        suspects: vec![format!("{places} places")],
        faults: 1,
    };
    Certified::new(answer, Evidence::Exhausted(statement))
}

/// Every replacement of the suspects was tried: by replaying failing runs with all values that
/// a suspect can have, or by a game in which it may have any.
pub fn by_exhaustion(answer: NoRepair, edits: usize, locations: usize) -> Certified<NoRepair> {
    let edits = match edits {
        0 => String::new(),
        1 => "1 edit was tried, and ".to_string(),
        count => format!("{count} edits were tried, and "),
    };
    let statement = match locations {
        1 => format!("{edits}the environment wins against every value of 1 location"),
        count => format!("{edits}the environment wins against every value of {count} locations"),
    };
    Certified::new(answer, Evidence::Exhausted(statement))
}
