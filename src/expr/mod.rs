//! Word-level expressions as users write them, and the properties made of them.
//!
//! This is what `design` and `spec` share: a front end of `design` returns
//! [`PropertyItem`]s whose atoms are [`Expr`]s, `spec` gives them their temporal meaning,
//! and `game` hands the atoms back to the design to elaborate. Names are not resolved and
//! widths are not known here.
//!
//! [`parse_expression`] and `Display` go between text and [`Expr`]. The parser under them
//! also reads temporal formulas, because a formula's atoms are expressions and only the
//! whole text tells where one ends; what the formulas mean is left to `spec`.

pub mod build;
pub mod circuit;
pub mod keywords;
pub mod mistake;
pub mod number;
pub mod operator;
pub mod parser;
pub mod printer;
pub mod property;
pub mod suggest;
pub mod sva;
pub mod token;
pub mod tree;

pub use crate::source::codes::expression as codes;
pub use build::parse_expression;
pub use circuit::{Circuit, Gate, Latch, Signal};
pub use operator::{Dialect, TemporalBinary, TemporalUnary};
pub use property::{PropertyBody, PropertyItem, Role};
pub use sva::{Repetition, Sva, SvaKind, SvaRange};

use crate::source::Span;

/// The function that a cast calls.
pub const CAST: &str = "'";

/// Operators of a Verilog file that are calls here, since only its front end knows them:
/// `a ==? b` and `a !=? b`.
pub const WILDCARD_EQUAL: &str = "==?";
pub const WILDCARD_NOT_EQUAL: &str = "!=?";
/// `a inside {b, [c:d]}`: what is looked for, then where; a range is a call of [`VALUE_RANGE`].
pub const INSIDE: &str = "inside";
pub const VALUE_RANGE: &str = "[:]";
/// A bound that there is none of: of a range in such a list, and as the value of a parameter.
pub const UNBOUNDED: &str = "$";
/// `'{...}`: values in their order, or calls of [`PATTERN_KEY`] with a key and its value; the
/// key `default` is the name of that spelling.
pub const PATTERN: &str = "'{";
pub const PATTERN_KEY: &str = "'{:";
/// `{>>{a, b}}`, and `{<<n{a, b}}` with the size of a slice first.
pub const STREAM_RIGHT: &str = "{>>";
pub const STREAM_LEFT: &str = "{<<";
/// `(sequence, variable = value)`: the assignment to a local variable of a property, as a
/// condition at the end of the sequence.
pub const CAPTURE: &str = "(,=)";

/// An expression with the text it stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Option<Span>,
}

impl Expr {
    /// What an assignment to it assigns: names and members, without the indices behind them, of
    /// each part of a concatenation. What cannot be assigned is in it as it is.
    pub fn assigned(&self) -> Vec<&Expr> {
        let (mut found, mut pending) = (Vec::new(), vec![self]);
        while let Some(target) = pending.pop() {
            match &target.kind {
                ExprKind::Index(base, _)
                | ExprKind::Range(base, ..)
                | ExprKind::IndexedRange { base, .. } => pending.push(base),
                ExprKind::Concat(parts) => pending.extend(parts.iter().rev()),
                _ => found.push(target),
            }
        }
        found
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    Number(Number),
    /// A hierarchical name, outermost scope first: `u0.state`.
    Name(Vec<String>),
    /// `lane[i].busy`: a name in a scope whose index is a constant expression. Only in a
    /// Verilog file.
    Member(Box<Expr>, String),
    /// A literal of the netlist itself. Only front ends without a source language make it.
    Net(u32),
    /// `'1`: ones in whatever width the context has. Only in a Verilog file.
    AllOnes,
    /// `base[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `base[left:right]`
    Range(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `base[start +: width]`, or `-:` when `down`
    IndexedRange {
        base: Box<Expr>,
        start: Box<Expr>,
        width: Box<Expr>,
        down: bool,
    },
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? then : otherwise`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Concat(Vec<Expr>),
    Replicate(Box<Expr>, Vec<Expr>),
    /// A system or user function: `$signed(a)`, `$past(a, 2)`. A cast `4'(a)` is a call of
    /// [`CAST`] with the width or type first.
    Call(String, Vec<Expr>),
}

/// A Verilog number; digits are least significant bit first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// The width that was written; `None` for `12` and `'h3`, which are at least 32 bits wide.
    pub width: Option<u32>,
    pub signed: bool,
    pub bits: Vec<Digit>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digit {
    Zero,
    One,
    X,
    Z,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    LogicalNot,
    BitNot,
    Plus,
    Minus,
    ReduceAnd,
    ReduceNand,
    ReduceOr,
    ReduceNor,
    ReduceXor,
    ReduceXnor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Power,
    ShiftLeft,
    ShiftRight,
    ArithmeticShiftLeft,
    ArithmeticShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    CaseEqual,
    CaseNotEqual,
    BitAnd,
    BitOr,
    BitXor,
    BitXnor,
    LogicalAnd,
    LogicalOr,
}
