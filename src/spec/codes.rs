//! What can be wrong with a property file or with a property. The text of formulas has its
//! own codes, in `expr::codes`.

use crate::expr::codes::CodeEntry;
use crate::source::Code;

pub const UNKNOWN_STATEMENT: Code = Code(220);
pub const MISSING_SEMICOLON: Code = Code(221);
pub const INCOMPLETE_STATEMENT: Code = Code(222);
pub const CYCLIC_DEFINITION: Code = Code(223);
pub const REPEATED_DEFINITION: Code = Code(224);
pub const REPEATED_NAME: Code = Code(225);
pub const NO_PROPERTY: Code = Code(226);
pub const EXPANSION_TOO_BIG: Code = Code(227);
pub const MISUSED_DEFINITION: Code = Code(228);
pub const NEGATED_COMPARISON: Code = Code(229);
pub const MONITOR_TOO_BIG: Code = Code(240);
pub const NO_MONITOR: Code = Code(241);
pub const FUTURE_INSIDE_PAST: Code = Code(242);

/// The codes of this folder.
pub const TABLE: &[CodeEntry] = &[
    (
        UNKNOWN_STATEMENT,
        "unknown statement",
        "Each statement of a property file starts with `define`, `assume`, `assert` or \
         `guarantee` and ends with `;`.",
    ),
    (
        MISSING_SEMICOLON,
        "missing `;`",
        "Each statement of a property file ends with `;`.",
    ),
    (
        INCOMPLETE_STATEMENT,
        "incomplete statement",
        "A definition looks like `define busy := state != IDLE;`, a property like \
         `assert mutex: G !(gnt[0] & gnt[1]);`.",
    ),
    (
        CYCLIC_DEFINITION,
        "definition in terms of itself",
        "A definition stands for its text, so it cannot use itself, directly or through others.",
    ),
    (
        REPEATED_DEFINITION,
        "name defined twice",
        "Rename or remove one of the definitions.",
    ),
    (
        REPEATED_NAME,
        "two properties of one name",
        "Reports and `--property` refer to properties by name. Rename one, or leave names out.",
    ),
    (
        NO_PROPERTY,
        "no property in the file",
        "A file without `assume`, `assert` or `guarantee` says nothing about the design.",
    ),
    (
        EXPANSION_TOO_BIG,
        "definitions expand to too much",
        "Definitions that use others several times grow exponentially once they are expanded.",
    ),
    (
        MISUSED_DEFINITION,
        "definition used as something it is not",
        "A definition can stand wherever its text in parentheses could: it has no arguments, and \
         it can be indexed only if it is another name for a signal.",
    ),
    (
        NEGATED_COMPARISON,
        "`!` in front of a comparison",
        "As in Verilog, `!a == b` compares `!a` with `b`. Write `!(a == b)` to negate the \
         comparison, or `(!a) == b` to confirm.",
    ),
    (
        MONITOR_TOO_BIG,
        "monitor too big",
        "The deterministic monitor of this property has more states than allowed. Split the \
         property, or use fewer nested `X` and `U`.",
    ),
    (
        NO_MONITOR,
        "no monitor of this kind",
        "The property does not have the shape that this translation handles.",
    ),
    (
        FUTURE_INSIDE_PAST,
        "future operator inside a past operator",
        "A past operator is turned into a small circuit, which cannot see the future. Rewrite the \
         property so that the operand of `Y`, `O`, `H` or `S` has no `X`, `F`, `G` or `U`.",
    ),
];
