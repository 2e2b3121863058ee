//! Properties that arrive inside a design: AIGER's sections, assertions in Verilog.

use super::{Expr, Sva};
use crate::source::Span;

/// Who has to keep a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The design must keep it.
    Assert,
    /// The environment keeps it.
    Assume,
    /// Some run should show it.
    Cover,
}

/// A property as the front end found it. `spec` gives it its temporal meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyItem {
    pub role: Role,
    pub name: Option<String>,
    pub span: Option<Span>,
    pub body: PropertyBody,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyBody {
    /// Holds in every step: an immediate assertion, AIGER's `constraint`, a negated `bad`.
    Invariant(Expr),
    /// Holds again and again: AIGER's `fairness`.
    Recurrence(Expr),
    /// No run visits all of these infinitely often: AIGER's `justice`.
    NeverAllRecurring(Vec<Expr>),
    /// A concurrent assertion of SystemVerilog.
    Concurrent {
        property: Sva<u32>,
        /// `disable iff`: attempts during which this holds are given up.
        disable: Option<Expr>,
        /// Whether it is judged from the first step only, and not from every step.
        once: bool,
        /// The condition that is true in the steps that count, if these are not all steps: in a
        /// design with several clocks, the edges of the clock of the assertion.
        ticks: Option<Expr>,
    },
}
