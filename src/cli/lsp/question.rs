//! What the server asks, and what it is told: the language between the server and the process
//! that looks into texts for it.

use super::position::{Encoding, Position, Range};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A question about a file, with all that is needed to answer it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    pub encoding: Encoding,
    /// Texts of the editor, which count in place of what the disk has.
    pub texts: Vec<(PathBuf, String)>,
    pub file: PathBuf,
    pub ask: Ask,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ask {
    /// What is wrong with the text, as far as reading tells.
    Read,
    /// Whether the properties hold, or a system exists.
    Verdict,
    /// What could be done about it.
    Remedies,
    Hover(Position),
    Definition(Position),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The project file that says what the design consists of.
    pub project: Option<PathBuf>,
    /// All files that the answer depends on.
    pub read: Vec<PathBuf>,
    pub findings: Vec<Finding>,
    /// The verdict with its reason, in a line.
    pub verdict: Option<String>,
    /// Whether a remedy is worth looking for.
    pub is_bad: bool,
    /// What a person may want to know and no place has.
    pub log: Vec<String>,
    /// Markdown.
    pub hover: Option<(Range, String)>,
    pub definitions: Vec<Place>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    pub file: PathBuf,
    pub range: Range,
}

/// As the protocol numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Weight {
    Error = 1,
    Warning = 2,
    Information = 3,
}

/// Something to be said of a place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub place: Place,
    pub weight: Weight,
    pub code: Option<String>,
    pub message: String,
    pub related: Vec<(Place, String)>,
    pub fixes: Vec<Fix>,
}

/// Edits that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<(Place, String)>,
    pub is_preferred: bool,
}
