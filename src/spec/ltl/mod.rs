//! A specification in any linear temporal logic: whose the signals are, and what each side
//! has to keep.
//!
//! The sections are those of TLSF 1.1 \[JKS16\], since they are the finest that any format has;
//! a property file has only [`Section::Assume`] and [`Section::Guarantee`]. Read as a whole
//! it means
//!
//! ```text
//! INITIALLY -> PRESET & (G REQUIRE & ASSUME -> G ASSERT & GUARANTEE)
//! ```
//!
//! or, if strict,
//!
//! ```text
//! INITIALLY -> PRESET & (ASSERT W !REQUIRE) & (G REQUIRE & ASSUME -> GUARANTEE)
//! ```

mod convert;
mod observer;
mod requirement;

pub use convert::delayed;
pub use observer::{Observer, no_formula};
pub use requirement::{Given, Requirement, Requirements};

use super::formula::{FormulaId, Formulas};
use super::tlsf;
use crate::source::Span;
use std::collections::HashMap;

/// A specification whose atoms are the names of its signals, and of what its observer says.
#[derive(Clone, Debug, Default)]
pub struct LtlSpec {
    pub title: String,
    /// Set by the environment.
    pub inputs: Vec<String>,
    /// Set by the system.
    pub outputs: Vec<String>,
    pub formulas: Formulas,
    pub parts: Vec<Part>,
    pub order: Order,
    pub is_strict: bool,
    /// What formulas may name beside the signals.
    pub observer: Observer,
    pub notation: Notation,
}

/// How the file that a specification is from writes formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// As property files do.
    #[default]
    Properties,
    /// As TLSF does.
    Tlsf {
        /// How signals are written that have other names there: `grant_3` as `grant[3]`.
        signals: HashMap<String, String>,
        /// The names of parts that stand for the type of a signal, and are written nowhere.
        implied: Vec<String>,
    },
}

/// A formula that one side has to keep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub section: Section,
    /// Unique in its specification.
    pub name: String,
    pub span: Option<Span>,
    /// As it was written: without the `G` that [`Section::Require`] and [`Section::Assert`]
    /// put around it.
    pub formula: FormulaId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Section {
    Initially,
    Preset,
    Require,
    Assume,
    Assert,
    Guarantee,
}

impl Section {
    /// In the order in which they are written.
    pub const ALL: [Section; 6] = [
        Section::Initially,
        Section::Preset,
        Section::Require,
        Section::Assume,
        Section::Assert,
        Section::Guarantee,
    ];

    /// Whether the environment has to keep it.
    pub fn is_assumption(self) -> bool {
        matches!(
            self,
            Section::Initially | Section::Require | Section::Assume
        )
    }
}

/// Who moves first in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The environment: outputs may depend on the inputs of the same step.
    #[default]
    Mealy,
    /// The system.
    Moore,
}

impl LtlSpec {
    /// A formula as the file of the specification would have it.
    pub fn text(&self, formula: FormulaId) -> String {
        let written = match &self.notation {
            Notation::Properties => None,
            Notation::Tlsf { signals, .. } => tlsf::formula_text(self, signals, formula).ok(),
        };
        written.unwrap_or_else(|| self.formulas.text(formula))
    }

    /// Whether a part, or a conjunct `NAME/1` of one, is written in the file.
    pub fn is_written(&self, part: &Part) -> bool {
        let stem = part.name.split('/').next().unwrap_or_default();
        match &self.notation {
            Notation::Properties => true,
            Notation::Tlsf { implied, .. } => !implied.iter().any(|name| name == stem),
        }
    }

    /// The same specification with some of its parts only, by their indices.
    pub fn with_parts(&self, parts: &[usize]) -> LtlSpec {
        let parts = parts.iter().map(|index| self.parts[*index].clone());
        LtlSpec {
            parts: parts.collect(),
            ..self.clone()
        }
    }
}
