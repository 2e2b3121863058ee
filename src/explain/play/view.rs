//! What a user can do in a step of a play, as plain data, for whoever draws it.

use crate::synth::circuit::Meaning;
use serde::Serialize;

/// Values that are listed one by one.
const MOST_VALUES: i64 = 64;

/// A step that waits for the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct View {
    pub step: usize,
    /// What the other player has set in this step already, by name.
    pub shown: Vec<(String, String)>,
    /// What the user sets; nothing once the play is over.
    pub choices: Vec<Choice>,
    /// Whether all is known of what loses at once.
    pub is_marked: bool,
    /// What the other player is about, or what cannot be told.
    pub hint: Option<String>,
}

/// A variable that the user sets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Choice {
    pub name: String,
    pub values: Vec<String>,
    /// Whether there are more values than those.
    pub is_cut: bool,
    pub forced: Option<Forced>,
    /// Values with which the user loses at once, whatever else is set.
    pub losing: Vec<String>,
}

impl Choice {
    /// A variable of which nothing but its values is known.
    pub fn new(name: &str, meaning: &Meaning) -> Choice {
        let (values, is_cut) = values(meaning);
        Choice {
            name: name.to_string(),
            values,
            is_cut,
            ..Choice::default()
        }
    }
}

/// The only value that does not lose at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Forced {
    pub value: String,
    /// The constraints that leave no other.
    pub because: Vec<String>,
}

/// The first values of a port, as a specification writes them, and whether there are more.
fn values(meaning: &Meaning) -> (Vec<String>, bool) {
    match meaning {
        Meaning::Boolean => (vec!["false".to_string(), "true".to_string()], false),
        Meaning::Names(names) => {
            let most = MOST_VALUES as usize;
            let shown = names.iter().take(most).cloned().collect();
            (shown, names.len() > most)
        }
        Meaning::Number { first, last } => {
            let end = (*last).min(first.saturating_add(MOST_VALUES - 1));
            let shown = (*first..=end).map(|value| value.to_string());
            (shown.collect(), end < *last)
        }
    }
}
