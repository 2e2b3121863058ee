//! What can be wrong with the text of an expression or a formula.

use crate::source::Code;

/// A code, its title, and what to do about it.
pub type CodeEntry = (Code, &'static str, &'static str);

pub const UNEXPECTED_CHARACTER: Code = Code(200);
pub const UNTERMINATED_COMMENT: Code = Code(201);
pub const MALFORMED_NUMBER: Code = Code(202);
pub const NUMBER_TOO_BIG: Code = Code(203);
pub const EXPECTED_OPERAND: Code = Code(204);
pub const EXPECTED_OPERATOR: Code = Code(205);
pub const UNCLOSED_BRACKET: Code = Code(206);
pub const UNMATCHED_BRACKET: Code = Code(207);
pub const NESTED_TOO_DEEPLY: Code = Code(208);
pub const ASSIGNMENT_FOR_EQUALITY: Code = Code(209);
pub const FOREIGN_OPERATOR: Code = Code(210);
pub const OPERATOR_OR_SIGNAL: Code = Code(211);
pub const AMBIGUOUS_CONNECTIVES: Code = Code(212);
pub const SELECT_OF_EXPRESSION: Code = Code(213);
pub const UNSUPPORTED_LITERAL: Code = Code(214);
pub const TEMPORAL_IN_EXPRESSION: Code = Code(215);

/// The codes of this folder.
pub const TABLE: &[CodeEntry] = &[
    (
        UNEXPECTED_CHARACTER,
        "unexpected character",
        "A character that no expression or formula contains. Logical symbols such as the \
         typographic `and` have a plain spelling, which the message gives.",
    ),
    (
        UNTERMINATED_COMMENT,
        "unterminated comment",
        "A `/*` without its `*/`. Comments do not nest.",
    ),
    (
        MALFORMED_NUMBER,
        "malformed number",
        "Numbers are written as in Verilog: `12`, `4'b10x0`, `8'hFF`, `8'sd5`.",
    ),
    (
        NUMBER_TOO_BIG,
        "number does not fit its width",
        "Verilog would drop the leading digits in silence. Widen the number or correct its value.",
    ),
    (
        EXPECTED_OPERAND,
        "operand missing",
        "An operator, a bracket or the end of the text stands where a signal, a number or a \
         formula should.",
    ),
    (
        EXPECTED_OPERATOR,
        "operator missing",
        "Two operands follow each other with nothing between them.",
    ),
    (
        UNCLOSED_BRACKET,
        "bracket is never closed",
        "The text ends, or another bracket closes, before this bracket does.",
    ),
    (
        UNMATCHED_BRACKET,
        "closing bracket without an opening one",
        "Remove the bracket or add the one that opens it.",
    ),
    (
        NESTED_TOO_DEEPLY,
        "expression nested too deeply",
        "An expression may have 1000 levels; each operator of a chain such as `a + b + c` is one. \
         Boolean connectives (`&&`, `||`, `->`) between conditions are not limited.",
    ),
    (
        ASSIGNMENT_FOR_EQUALITY,
        "`=` where `==` is meant",
        "`=` assigns; a comparison is written `==`.",
    ),
    (
        FOREIGN_OPERATOR,
        "operator of another language",
        "Other notations for implication, equivalence or temporal operators; the message gives \
         the spelling that is understood here.",
    ),
    (
        OPERATOR_OR_SIGNAL,
        "operator or signal",
        "A name such as `G` or `next` can be a temporal operator or a signal, and what follows \
         does not decide it: write `G (&a)` for the operator, `(G) & a` or `\\G & a` for the signal.",
    ),
    (
        AMBIGUOUS_CONNECTIVES,
        "`&&` next to `|`",
        "Verilog reads `a && b | c` as `a && (b | c)`; in temporal logic the same text usually \
         means `(a && b) | c`. Parentheses decide.",
    ),
    (
        SELECT_OF_EXPRESSION,
        "select of something that is not a signal",
        "Only names and selects of names can be indexed in Verilog, not a parenthesised expression.",
    ),
    (
        UNSUPPORTED_LITERAL,
        "unsupported literal",
        "Strings, real numbers, `'1` and text macros have no meaning in an expression here.",
    ),
    (
        TEMPORAL_IN_EXPRESSION,
        "temporal operator inside an expression",
        "Temporal operators and `->` apply to conditions, not to values: `X (a == b)` is a formula, \
         `a == X b` is not. `$past(a)` is the value of `a` one step ago.",
    ),
];
