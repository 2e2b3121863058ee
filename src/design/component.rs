//! What may be wrong in a design, and what it looks like once it is open.
//!
//! A front end lists its components, elaborates the design with some of them open, and
//! renders the replacement that was found. In between, `repair` sees only these types.

use super::literal::Literal;
use crate::source::Span;

/// A position in the list of components of one front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ComponentId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    pub kind: ComponentKind,
    /// How the user knows it.
    pub name: String,
    pub span: Option<Span>,
    /// The instances around it, outermost first.
    pub scope: Vec<String>,
    /// How many bits a choice for it has.
    pub width: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ComponentKind {
    /// The function of a gate, or of a group of gates together.
    Gate,
    /// The next value of a latch.
    LatchNext,
    /// The initial value of a latch.
    LatchReset,
    /// The right-hand side of an assignment.
    Value,
    /// The condition of a statement or a choice, or the selector of a case.
    Condition,
    /// Whether the label of a case fits the selector.
    Label,
}

impl ComponentKind {
    pub fn timing(self) -> Timing {
        match self {
            ComponentKind::Gate
            | ComponentKind::LatchNext
            | ComponentKind::Value
            | ComponentKind::Condition
            | ComponentKind::Label => Timing::Dynamic,
            ComponentKind::LatchReset => Timing::Rigid,
        }
    }
}

/// When the system makes a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timing {
    /// In each cycle, knowing the state and the environment's inputs.
    Dynamic,
    /// Once, before any input and before the environment's initial values.
    Rigid,
}

/// A component in a design that was elaborated with it open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenHole {
    pub component: ComponentId,
    pub timing: Timing,
    /// The choice, least significant bit first: choice inputs if dynamic, otherwise latches
    /// that the system sets before the first cycle and that keep their value.
    pub choices: Vec<Literal>,
    /// What the component computed before it was opened, in the same order.
    pub originals: Vec<Literal>,
}
