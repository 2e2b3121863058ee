//! What a Spectra file says, as it is written.

use crate::source::{Diagnostic, Span};
use crate::spec::gr1::{Arithmetic, Comparison, Kind, Player, Side};

#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExpressionKind {
    Boolean(bool),
    Integer(i64),
    /// A variable, constant, definition or parameter; with the indices in an array.
    Reference(String, Vec<Expression>),
    /// `array.all` and the like.
    Aggregate(String, Aggregate),
    Call(String, Vec<Expression>),
    Next(Box<Expression>),
    Not(Box<Expression>),
    Negate(Box<Expression>),
    Previous(Box<Expression>),
    Once(Box<Expression>),
    Historically(Box<Expression>),
    Since(Box<Expression>, Box<Expression>),
    Triggered(Box<Expression>, Box<Expression>),
    And(Vec<Expression>),
    Or(Vec<Expression>),
    Xor(Box<Expression>, Box<Expression>),
    Implies(Box<Expression>, Box<Expression>),
    Iff(Box<Expression>, Box<Expression>),
    Compare(Comparison, Box<Expression>, Box<Expression>),
    Arithmetic(Arithmetic, Box<Expression>, Box<Expression>),
    IfThenElse(Box<Expression>, Box<Expression>, Box<Expression>),
    In(Box<Expression>, bool, Vec<Member>),
    /// Matches of a regular expression, one after the other; a whole requirement only.
    Matches(Box<Regexp>),
    Quantified {
        all: bool,
        variable: Name,
        domain: Type,
        body: Box<Expression>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    All,
    Any,
    Sum,
    Product,
    Least,
    Greatest,
}

/// A member of `x in {...}`.
#[derive(Clone, Debug)]
pub enum Member {
    Value(Expression),
    Range(i64, i64),
}

#[derive(Clone, Debug)]
pub struct Regexp {
    pub kind: RegexpKind,
    pub span: Span,
}

/// What words of steps a regular expression matches.
#[derive(Clone, Debug)]
pub enum RegexpKind {
    /// No step at all.
    Empty,
    /// One step in which the condition holds.
    Condition(Expression),
    /// A `regexp` of the file.
    Name(String),
    Sequence(Box<Regexp>, Box<Regexp>),
    Either(Box<Regexp>, Box<Regexp>),
    Both(Box<Regexp>, Box<Regexp>),
    Complement(Box<Regexp>),
    Repeat {
        body: Box<Regexp>,
        least: Expression,
        /// Without it, any number.
        most: Option<Expression>,
    },
}

#[derive(Clone, Debug)]
pub struct Type {
    pub kind: TypeKind,
    pub dimensions: Vec<Expression>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Boolean,
    Range(Box<Expression>, Box<Expression>),
    Enumeration(Vec<Name>),
    Named(String),
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Name,
    /// Patterns have none.
    pub domain: Option<Type>,
}

/// A line of a pattern or a monitor.
#[derive(Clone, Debug)]
pub struct Line {
    pub kind: Kind,
    /// Whether it is a safety constraint written with `alw`.
    pub is_invariant: bool,
    pub expression: Expression,
}

#[derive(Clone, Debug)]
pub struct Pattern {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub variables: Vec<(Type, Name)>,
    pub lines: Vec<Line>,
}

#[derive(Clone, Debug)]
pub struct Monitor {
    pub name: Name,
    pub domain: Type,
    pub lines: Vec<Line>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    Keep,
    Forbid,
    Wrap,
}

#[derive(Clone, Debug)]
pub struct Counter {
    pub name: Name,
    pub first: Expression,
    pub last: Expression,
    pub initial: Vec<Expression>,
    pub reset: Vec<Expression>,
    pub up: Vec<Expression>,
    pub down: Vec<Expression>,
    pub overflow: Overflow,
    pub underflow: Overflow,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Requirement {
    pub side: Side,
    pub name: Option<Name>,
    /// A requirement with parameters stands for one of each of their values.
    pub parameters: Vec<Parameter>,
    pub body: RequirementBody,
    /// The body as text.
    pub written: String,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum RequirementBody {
    Line(Line),
    /// What follows on a match of the first is a match of the second.
    Trigger(Box<Regexp>, Box<Regexp>),
}

#[derive(Clone, Debug)]
pub enum DefinedBody {
    Single(Expression),
    /// With the sizes that are written behind the name.
    Array(Vec<Expression>, ArrayBody),
}

#[derive(Clone, Debug)]
pub enum ArrayBody {
    Cell(Expression),
    Row(Vec<ArrayBody>),
}

#[derive(Clone, Debug)]
pub enum Declaration {
    Variable {
        owner: Option<Player>,
        domain: Type,
        name: Name,
    },
    Type(Name, Type),
    Define(Name, DefinedBody),
    Predicate {
        name: Name,
        parameters: Vec<Parameter>,
        body: Expression,
    },
    Regexp(Name, Box<Regexp>),
    Pattern(Pattern),
    Monitor(Monitor),
    Counter(Box<Counter>),
    Requirement(Requirement),
}

#[derive(Clone, Debug, Default)]
pub struct File {
    pub name: String,
    pub imports: Vec<Name>,
    pub declarations: Vec<Declaration>,
    /// What was read and has no effect.
    pub warnings: Vec<Diagnostic>,
}
