//! How operators are written, how tightly they bind, and how they group.
//!
//! One table serves Verilog expressions and temporal formulas, because the atoms of a
//! formula are expressions and only the whole text tells where an atom ends. Verilog's
//! own operators keep Verilog's order; the temporal ones sit between the comparisons and
//! the Boolean connectives:
//!
//! ```text
//! tightest   ! ~ + - & | ^ (unary)
//!            **    * / %    + -    << >> <<< >>>    < <= > >=    == != === !==
//!            G F X Y Z O H not            (unary: `G a == b` is `G (a == b)`)
//!            U W R M S T                  (right to left)
//!            &    ^ ~^    |    && and    || or    ?:
//! loosest    ->    <->                    (right to left)
//! ```

use super::{BinaryOp, UnaryOp, WILDCARD_EQUAL, WILDCARD_NOT_EQUAL};

/// What a text may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// A Verilog expression.
    Verilog,
    /// An expression in a Verilog file, which has more tokens around it.
    Source,
    /// A temporal formula whose atoms are Verilog expressions; `--` starts a comment.
    Formula,
}

/// A temporal operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TemporalUnary {
    Next,
    Finally,
    Globally,
    /// There is a previous step, and the operand holds there.
    Yesterday,
    /// The operand holds in the previous step, if there is one.
    WeakYesterday,
    Once,
    Historically,
}

/// A temporal operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TemporalBinary {
    Until,
    WeakUntil,
    /// The right operand holds up to and including the step where the left one does, or forever.
    Release,
    /// As `Release`, and the left operand does hold at some time.
    StrongRelease,
    Since,
    /// The mirror image of `Release` in the past.
    Trigger,
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Prefix {
    Verilog(UnaryOp),
    Temporal(TemporalUnary),
    /// The word `not`: logical negation that binds as the temporal operators do.
    Not,
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Infix {
    Verilog(BinaryOp),
    Temporal(TemporalBinary),
    Implies,
    Iff,
    /// `->` and `<->` between the values of a Verilog file.
    LogicalImplies,
    LogicalIff,
    /// `~&` and `~|` between two operands, which Yosys has.
    Negated(BinaryOp),
    /// `==?`, or `!=?`: unknown digits on the right match anything.
    Wildcard(bool),
}

pub const PRECEDENCE_PRIMARY: u8 = 160;
pub const PRECEDENCE_UNARY: u8 = 150;
pub const PRECEDENCE_TEMPORAL_UNARY: u8 = 80;
pub const PRECEDENCE_TEMPORAL_BINARY: u8 = 70;
pub const PRECEDENCE_CONDITIONAL: u8 = 30;

impl TemporalUnary {
    pub const ALL: [TemporalUnary; 7] = [
        TemporalUnary::Next,
        TemporalUnary::Finally,
        TemporalUnary::Globally,
        TemporalUnary::Yesterday,
        TemporalUnary::WeakYesterday,
        TemporalUnary::Once,
        TemporalUnary::Historically,
    ];

    pub fn letter(self) -> &'static str {
        match self {
            TemporalUnary::Next => "X",
            TemporalUnary::Finally => "F",
            TemporalUnary::Globally => "G",
            TemporalUnary::Yesterday => "Y",
            TemporalUnary::WeakYesterday => "Z",
            TemporalUnary::Once => "O",
            TemporalUnary::Historically => "H",
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            TemporalUnary::Next => "next",
            TemporalUnary::Finally => "eventually",
            TemporalUnary::Globally => "always",
            TemporalUnary::Yesterday => "prev",
            TemporalUnary::WeakYesterday => "weak_prev",
            TemporalUnary::Once => "once",
            TemporalUnary::Historically => "historically",
        }
    }

    pub fn from_text(text: &str) -> Option<TemporalUnary> {
        TemporalUnary::ALL
            .into_iter()
            .find(|operator| operator.letter() == text || operator.word() == text)
    }

    /// Whether the operator looks back.
    pub fn is_past(self) -> bool {
        matches!(
            self,
            TemporalUnary::Yesterday
                | TemporalUnary::WeakYesterday
                | TemporalUnary::Once
                | TemporalUnary::Historically
        )
    }

    /// The operator that negation turns this one into.
    pub fn dual(self) -> TemporalUnary {
        match self {
            TemporalUnary::Next => TemporalUnary::Next,
            TemporalUnary::Finally => TemporalUnary::Globally,
            TemporalUnary::Globally => TemporalUnary::Finally,
            TemporalUnary::Yesterday => TemporalUnary::WeakYesterday,
            TemporalUnary::WeakYesterday => TemporalUnary::Yesterday,
            TemporalUnary::Once => TemporalUnary::Historically,
            TemporalUnary::Historically => TemporalUnary::Once,
        }
    }
}

impl TemporalBinary {
    pub const ALL: [TemporalBinary; 6] = [
        TemporalBinary::Until,
        TemporalBinary::WeakUntil,
        TemporalBinary::Release,
        TemporalBinary::StrongRelease,
        TemporalBinary::Since,
        TemporalBinary::Trigger,
    ];

    pub fn letter(self) -> &'static str {
        match self {
            TemporalBinary::Until => "U",
            TemporalBinary::WeakUntil => "W",
            TemporalBinary::Release => "R",
            TemporalBinary::StrongRelease => "M",
            TemporalBinary::Since => "S",
            TemporalBinary::Trigger => "T",
        }
    }

    pub fn word(self) -> &'static str {
        match self {
            TemporalBinary::Until => "until",
            TemporalBinary::WeakUntil => "weak_until",
            TemporalBinary::Release => "release",
            TemporalBinary::StrongRelease => "strong_release",
            TemporalBinary::Since => "since",
            TemporalBinary::Trigger => "trigger",
        }
    }

    pub fn from_text(text: &str) -> Option<TemporalBinary> {
        TemporalBinary::ALL
            .into_iter()
            .find(|operator| operator.letter() == text || operator.word() == text)
    }

    /// Whether the operator looks back.
    pub fn is_past(self) -> bool {
        matches!(self, TemporalBinary::Since | TemporalBinary::Trigger)
    }

    /// The operator that negation turns this one into.
    pub fn dual(self) -> TemporalBinary {
        match self {
            TemporalBinary::Until => TemporalBinary::Release,
            TemporalBinary::Release => TemporalBinary::Until,
            TemporalBinary::WeakUntil => TemporalBinary::StrongRelease,
            TemporalBinary::StrongRelease => TemporalBinary::WeakUntil,
            TemporalBinary::Since => TemporalBinary::Trigger,
            TemporalBinary::Trigger => TemporalBinary::Since,
        }
    }
}

impl UnaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            UnaryOp::LogicalNot => "!",
            UnaryOp::BitNot => "~",
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::ReduceAnd => "&",
            UnaryOp::ReduceNand => "~&",
            UnaryOp::ReduceOr => "|",
            UnaryOp::ReduceNor => "~|",
            UnaryOp::ReduceXor => "^",
            UnaryOp::ReduceXnor => "~^",
        }
    }

    pub fn from_symbol(symbol: &str) -> Option<UnaryOp> {
        Some(match symbol {
            "!" => UnaryOp::LogicalNot,
            "~" => UnaryOp::BitNot,
            "+" => UnaryOp::Plus,
            "-" => UnaryOp::Minus,
            "&" => UnaryOp::ReduceAnd,
            "~&" => UnaryOp::ReduceNand,
            "|" => UnaryOp::ReduceOr,
            "~|" => UnaryOp::ReduceNor,
            "^" => UnaryOp::ReduceXor,
            "~^" | "^~" => UnaryOp::ReduceXnor,
            _ => return None,
        })
    }
}

impl BinaryOp {
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Modulo => "%",
            BinaryOp::Power => "**",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::ArithmeticShiftLeft => "<<<",
            BinaryOp::ArithmeticShiftRight => ">>>",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::CaseEqual => "===",
            BinaryOp::CaseNotEqual => "!==",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::BitXnor => "~^",
            BinaryOp::LogicalAnd => "&&",
            BinaryOp::LogicalOr => "||",
        }
    }

    pub fn from_symbol(symbol: &str) -> Option<BinaryOp> {
        Some(match symbol {
            "+" => BinaryOp::Add,
            "-" => BinaryOp::Subtract,
            "*" => BinaryOp::Multiply,
            "/" => BinaryOp::Divide,
            "%" => BinaryOp::Modulo,
            "**" => BinaryOp::Power,
            "<<" => BinaryOp::ShiftLeft,
            ">>" => BinaryOp::ShiftRight,
            "<<<" => BinaryOp::ArithmeticShiftLeft,
            ">>>" => BinaryOp::ArithmeticShiftRight,
            "<" => BinaryOp::Less,
            "<=" => BinaryOp::LessEqual,
            ">" => BinaryOp::Greater,
            ">=" => BinaryOp::GreaterEqual,
            "==" => BinaryOp::Equal,
            "!=" => BinaryOp::NotEqual,
            "===" => BinaryOp::CaseEqual,
            "!==" => BinaryOp::CaseNotEqual,
            "&" => BinaryOp::BitAnd,
            "|" => BinaryOp::BitOr,
            "^" => BinaryOp::BitXor,
            "~^" | "^~" => BinaryOp::BitXnor,
            "&&" => BinaryOp::LogicalAnd,
            "||" => BinaryOp::LogicalOr,
            _ => return None,
        })
    }

    pub fn precedence(self) -> u8 {
        match self {
            BinaryOp::Power => 140,
            BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => 130,
            BinaryOp::Add | BinaryOp::Subtract => 120,
            BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::ArithmeticShiftLeft
            | BinaryOp::ArithmeticShiftRight => 110,
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                100
            }
            BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::CaseEqual | BinaryOp::CaseNotEqual => {
                90
            }
            BinaryOp::BitAnd => 60,
            BinaryOp::BitXor | BinaryOp::BitXnor => 50,
            BinaryOp::BitOr => 45,
            BinaryOp::LogicalAnd => 40,
            BinaryOp::LogicalOr => 35,
        }
    }

    /// Whether the result is one bit whatever the widths of the operands.
    pub fn gives_one_bit(self) -> bool {
        matches!(
            self,
            BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::CaseEqual
                | BinaryOp::CaseNotEqual
                | BinaryOp::LogicalAnd
                | BinaryOp::LogicalOr
        )
    }
}

impl Prefix {
    pub fn precedence(self) -> u8 {
        match self {
            Prefix::Verilog(_) => PRECEDENCE_UNARY,
            Prefix::Temporal(_) | Prefix::Not => PRECEDENCE_TEMPORAL_UNARY,
        }
    }
}

impl Infix {
    pub fn precedence(self) -> u8 {
        match self {
            Infix::Verilog(operator) | Infix::Negated(operator) => operator.precedence(),
            Infix::Temporal(_) => PRECEDENCE_TEMPORAL_BINARY,
            Infix::Implies | Infix::LogicalImplies => 20,
            Infix::Iff | Infix::LogicalIff => 10,
            Infix::Wildcard(_) => BinaryOp::Equal.precedence(),
        }
    }

    /// Whether `a op b op c` is `a op (b op c)`.
    pub fn groups_right(self) -> bool {
        !matches!(
            self,
            Infix::Verilog(_) | Infix::Wildcard(_) | Infix::Negated(_)
        )
    }

    pub fn symbol(self) -> &'static str {
        match self {
            Infix::Verilog(operator) => operator.symbol(),
            Infix::Temporal(operator) => operator.letter(),
            Infix::Negated(BinaryOp::BitAnd) => "~&",
            Infix::Negated(_) => "~|",
            Infix::Implies | Infix::LogicalImplies => "->",
            Infix::Iff | Infix::LogicalIff => "<->",
            Infix::Wildcard(true) => WILDCARD_EQUAL,
            Infix::Wildcard(false) => WILDCARD_NOT_EQUAL,
        }
    }
}

/// Words that open a statement of a property file; Verilog reserves most of them too.
pub const STATEMENT_WORDS: [&str; 4] = ["define", "assume", "assert", "guarantee"];

/// Whether a plain name of this spelling could be read as something else in a formula.
pub fn is_formula_word(text: &str) -> bool {
    TemporalUnary::from_text(text).is_some()
        || TemporalBinary::from_text(text).is_some()
        || STATEMENT_WORDS.contains(&text)
        || matches!(text, "not" | "and" | "or" | "true" | "false")
}
