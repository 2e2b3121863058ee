//! From the answers of the library to reports on them.
//!
//! Reports stand after the stages whose answers they tell, so this may name those stages; the
//! model of a report and its renderers do not.

pub mod explain;
pub mod mutate;
pub mod recorded;
pub mod repair;
pub mod verify;

/// Names that are listed one by one in a sentence.
const MOST_NAMED: usize = 8;

/// The first few of a list.
fn shortened(mut names: Vec<String>) -> String {
    if names.len() > MOST_NAMED {
        names.truncate(MOST_NAMED);
        names.push("...".to_string());
    }
    names.join(", ")
}
