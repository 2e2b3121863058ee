//! What may be wrong in a design: one list of kinds for the command line, for reports, and for
//! the expectations of examples.
//!
//! Kinds with a game take any value in each step, so that a lost game rules out all that could
//! stand there. The other kinds are edits of a text: that none of them is a correction shows
//! no more than that.

use super::component::ComponentKind;
use serde::Serialize;

/// What is wrong, or what a correction changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub enum Kind {
    Rhs,
    Condition,
    CaseItem,
    Gate,
    Latch,
    Literal,
    Operator,
    Operand,
    Signal,
    Negation,
    Target,
    AssignmentKind,
    Reset,
    MissingElse,
    MissingDefault,
    MissingReset,
    MissingStatement,
    Placement,
    Sensitivity,
    Parameter,
    Connection,
    Registers,
    AddedFunction,
}

impl Kind {
    pub const ALL: [Kind; 23] = [
        Kind::Rhs,
        Kind::Condition,
        Kind::CaseItem,
        Kind::Gate,
        Kind::Latch,
        Kind::Literal,
        Kind::Operator,
        Kind::Operand,
        Kind::Signal,
        Kind::Negation,
        Kind::Target,
        Kind::AssignmentKind,
        Kind::Reset,
        Kind::MissingElse,
        Kind::MissingDefault,
        Kind::MissingReset,
        Kind::MissingStatement,
        Kind::Placement,
        Kind::Sensitivity,
        Kind::Parameter,
        Kind::Connection,
        Kind::Registers,
        Kind::AddedFunction,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Kind::Rhs => "rhs",
            Kind::Condition => "condition",
            Kind::CaseItem => "case-item",
            Kind::Gate => "gate",
            Kind::Latch => "latch",
            Kind::Literal => "literal",
            Kind::Operator => "operator",
            Kind::Operand => "operand",
            Kind::Signal => "signal",
            Kind::Negation => "negation",
            Kind::Target => "target",
            Kind::AssignmentKind => "assignment-kind",
            Kind::Reset => "reset",
            Kind::MissingElse => "missing-else",
            Kind::MissingDefault => "missing-default",
            Kind::MissingReset => "missing-reset",
            Kind::MissingStatement => "missing-statement",
            Kind::Placement => "placement",
            Kind::Sensitivity => "sensitivity",
            Kind::Parameter => "parameter",
            Kind::Connection => "connection",
            Kind::Registers => "registers",
            Kind::AddedFunction => "added-function",
        }
    }

    /// Other spellings that are understood.
    pub fn aliases(self) -> &'static [&'static str] {
        match self {
            Kind::Rhs => &["assignment", "right-hand-side", "value"],
            Kind::CaseItem => &["label"],
            Kind::AssignmentKind => &["kind-of-assignment"],
            Kind::Reset => &["reset-value"],
            Kind::MissingElse => &["missing-branch"],
            Kind::Registers => &["new-registers"],
            _ => &[],
        }
    }

    /// What it is, for a list of kinds.
    pub fn description(self) -> &'static str {
        match self {
            Kind::Rhs => "The right-hand side of an assignment",
            Kind::Condition => "A condition of `if` or `?:`, or what a `case` selects by",
            Kind::CaseItem => "The label of a case item",
            Kind::Gate => "A gate of a netlist",
            Kind::Latch => "The next value of a latch",
            Kind::Literal => "A literal, or a named constant",
            Kind::Operator => "An operator, or the order of its operands",
            Kind::Operand => "An operand that is missing or too many",
            Kind::Signal => "A name, replaced by another of its width",
            Kind::Negation => "A negation, added or removed",
            Kind::Target => "The target of an assignment",
            Kind::AssignmentKind => "`=` for `<=`, or the other way round",
            Kind::Reset => "The value of a register after reset",
            Kind::MissingElse => "An `else` that is missing",
            Kind::MissingDefault => "A `default`, or a first value, that is missing",
            Kind::MissingReset => "A register that the reset forgets",
            Kind::MissingStatement => "A statement that is missing in a branch",
            Kind::Placement => "A statement that stands in the wrong branch",
            Kind::Sensitivity => "The events that a block waits for",
            Kind::Parameter => "The value of a parameter at an instance",
            Kind::Connection => "What is connected to a port",
            Kind::Registers => "Registers that are added",
            Kind::AddedFunction => "A function that is added, for a long value",
        }
    }

    /// Whether a game answers for whatever could stand there.
    pub fn has_game(self) -> bool {
        matches!(
            self,
            Kind::Rhs | Kind::Condition | Kind::CaseItem | Kind::Gate | Kind::Latch
        )
    }
}

impl ComponentKind {
    /// How users know it.
    pub fn kind(self) -> Kind {
        match self {
            ComponentKind::Gate => Kind::Gate,
            ComponentKind::LatchNext => Kind::Latch,
            ComponentKind::LatchReset => Kind::Reset,
            ComponentKind::Value => Kind::Rhs,
            ComponentKind::Condition => Kind::Condition,
            ComponentKind::Label => Kind::CaseItem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_has_the_words() {
        for kind in Kind::ALL {
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{}\"", kind.word()));
        }
    }

    #[test]
    fn no_spelling_means_two_kinds() {
        let spellings = Kind::ALL.iter().flat_map(|kind| {
            let aliases = kind.aliases().iter().copied();
            std::iter::once(kind.word()).chain(aliases)
        });
        let mut spellings: Vec<&str> = spellings.collect();
        let count = spellings.len();
        spellings.sort_unstable();
        spellings.dedup();
        assert_eq!(spellings.len(), count);
    }
}
