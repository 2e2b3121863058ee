//! A run: the values of signals in each step.
//!
//! One type for everything that happens step by step: counterexamples, the inputs that a
//! design is replayed on, countertraces and plays of specifications, witnesses. It is plain
//! data; which stage made it, and what it shows, is said elsewhere.

use serde::Serialize;
use serde::ser::{SerializeSeq, Serializer};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Run {
    /// How many steps there are.
    pub steps: usize,
    /// The step that follows the last one, in an infinite run.
    pub loop_start: Option<usize>,
    pub signals: Vec<Signal>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Signal {
    pub name: String,
    pub kind: SignalKind,
    pub width: usize,
    /// Whether the property depends on it; tables leave out the others.
    pub relevant: bool,
    /// One for each step; `None` where the run is the same for every value.
    #[serde(serialize_with = "serialize_values")]
    #[cfg_attr(test, schemars(schema_with = "values_schema"))]
    pub values: Vec<Option<Bits>>,
}

/// The bits of a value, least significant first.
pub type Bits = Vec<bool>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SignalKind {
    Input,
    /// What a suspect of a repair is replaced by.
    Suspect,
    Latch,
    Output,
    Wire,
    /// An expression of a property; not a signal of the design.
    Condition,
}

impl Run {
    /// The signal with a name.
    pub fn signal(&self, name: &str) -> Option<&Signal> {
        self.signals.iter().find(|signal| signal.name == name)
    }

    /// How the run goes on, in a few words.
    pub fn shape(&self) -> String {
        let last = self.steps.saturating_sub(1);
        match self.loop_start {
            None => format!("in step {last}"),
            Some(start) if start == last => format!("in a run that repeats step {last} for ever"),
            Some(start) => format!("in a run that repeats steps {start} to {last} for ever"),
        }
    }
}

impl Signal {
    /// Whether the lowest bit is 1 in a step.
    pub fn is_one(&self, step: usize) -> bool {
        let bits = self.values.get(step).and_then(Option::as_ref);
        bits.and_then(|bits| bits.first()) == Some(&true)
    }

    /// The digits of a step, most significant first; `x` where no value is given.
    pub fn digits(&self, step: usize) -> String {
        match self.values.get(step) {
            Some(Some(bits)) => binary(bits),
            _ => "x".repeat(self.width),
        }
    }
}

impl SignalKind {
    pub fn word(self) -> &'static str {
        match self {
            SignalKind::Input => "input",
            SignalKind::Suspect => "suspect",
            SignalKind::Latch => "latch",
            SignalKind::Output => "output",
            SignalKind::Wire => "wire",
            SignalKind::Condition => "condition",
        }
    }
}

/// The digits of a value, most significant first.
pub fn binary(bits: &[bool]) -> String {
    let digit = |bit: &bool| if *bit { '1' } else { '0' };
    bits.iter().rev().map(digit).collect()
}

/// The schema of what `serialize_values` writes.
#[cfg(test)]
fn values_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": "array",
        "items": {
            "type": ["string", "null"],
            "pattern": "^[01]*$",
            "description": "In binary, most significant digit first.",
        },
    })
}

fn serialize_values<S: Serializer>(
    values: &[Option<Bits>],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(values.len()))?;
    for bits in values {
        list.serialize_element(&bits.as_deref().map(binary))?;
    }
    list.end()
}
