//! A TLSF file as it is written.
//!
//! Expressions stand in one list and refer to each other by index, operands before what is
//! made of them, so that none is too deep to be dropped or copied.

use crate::source::Span;
use crate::spec::ltl::{Order, Section};
use std::collections::HashMap;

/// A name of the file, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExprId(pub u32);

/// All names of a file.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<String>,
    numbers: HashMap<String, Name>,
}

impl Names {
    pub fn number(&mut self, text: &str) -> Name {
        if let Some(name) = self.numbers.get(text) {
            return *name;
        }
        let name = Name(self.texts.len() as u32);
        self.texts.push(text.to_string());
        self.numbers.insert(text.to_string(), name);
        name
    }

    pub fn text(&self, name: Name) -> &str {
        &self.texts[name.0 as usize]
    }

    pub fn count(&self) -> usize {
        self.texts.len()
    }
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Kind {
    Number(i64),
    Boolean(bool),
    /// `_` in a pattern.
    Any,
    /// The condition of the last case.
    Otherwise,
    Name(Name),
    Call(Name, Vec<ExprId>),
    /// A bit of a bus.
    Index(Name, ExprId),
    Set(Vec<ExprId>),
    /// First, second and last element.
    Range(ExprId, ExprId, ExprId),
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    /// Two or more operands of `&&` or `||`: chains are long in generated files.
    Chain(Connective, Vec<ExprId>),
    /// `&&[0 <= i < n, j IN S] body`
    Big(Big, Vec<Binder>, ExprId),
    /// `X[n] body`
    NextTimes(ExprId, ExprId),
    /// `F[first:last] body` and `G[first:last] body`
    Within(Bounded, ExprId, ExprId, ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    SizeOf,
    Size,
    Min,
    Max,
    Not,
    Next,
    Finally,
    Globally,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Multiply,
    Divide,
    Modulo,
    Add,
    Subtract,
    Without,
    Intersection,
    Union,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Element,
    Implies,
    Equivalent,
    WeakUntil,
    Until,
    Release,
    Matches,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connective {
    And,
    Or,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Big {
    And,
    Or,
    Sum,
    Product,
    Union,
    Intersection,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bounded {
    Finally,
    Globally,
}

/// A variable of a big operator, and its values.
#[derive(Clone, Debug)]
pub struct Binder {
    pub name: Name,
    pub values: Values,
}

#[derive(Clone, Debug)]
pub enum Values {
    Of(ExprId),
    Between {
        first: ExprId,
        /// Whether `first` itself is left out.
        after: bool,
        last: ExprId,
        before: bool,
    },
}

#[derive(Clone, Debug)]
pub struct Definition {
    pub name: Name,
    pub span: Span,
    pub parameters: Vec<Name>,
    pub cases: Vec<Case>,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub condition: Option<ExprId>,
    pub body: ExprId,
}

#[derive(Clone, Debug)]
pub struct Enumeration {
    pub name: Name,
    pub span: Span,
    pub width: usize,
    pub values: Vec<EnumValue>,
}

#[derive(Clone, Debug)]
pub struct EnumValue {
    pub name: Name,
    pub span: Span,
    /// Any of these; `None` is a bit that may have either value.
    pub codes: Vec<Vec<Option<bool>>>,
}

#[derive(Clone, Debug)]
pub struct SignalDeclaration {
    pub name: Name,
    pub span: Span,
    pub shape: Shape,
}

#[derive(Clone, Debug)]
pub enum Shape {
    Single,
    Bus(ExprId),
    /// Of an enumeration, with the span of its name.
    Typed(Name, Span),
}

#[derive(Clone, Debug)]
pub struct File {
    pub names: Names,
    pub expressions: Vec<Expr>,
    pub title: String,
    pub description: String,
    pub order: Order,
    pub is_strict: bool,
    pub target: Order,
    pub tags: Vec<String>,
    pub parameters: Vec<Definition>,
    pub definitions: Vec<Definition>,
    pub enumerations: Vec<Enumeration>,
    pub inputs: Vec<SignalDeclaration>,
    pub outputs: Vec<SignalDeclaration>,
    pub requirements: Vec<(Section, ExprId)>,
}

impl File {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.expressions[id.0 as usize]
    }
}
