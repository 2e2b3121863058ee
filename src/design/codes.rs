//! The diagnostics of this stage: R0100 to R0199.

use crate::source::Code;

pub const COMBINATIONAL_LOOP: Code = Code(100);
pub const LITERAL_OUT_OF_RANGE: Code = Code(101);
pub const RESET_NOT_KNOWN: Code = Code(102);
pub const STIMULUS_LENGTH: Code = Code(103);
pub const TEXT_FORM: Code = Code(104);

pub const AIGER_HEADER: Code = Code(110);
pub const AIGER_SYNTAX: Code = Code(111);
pub const AIGER_ENDS_EARLY: Code = Code(112);
pub const AIGER_LITERAL: Code = Code(113);
pub const AIGER_DEFINED_TWICE: Code = Code(114);
pub const AIGER_UNDEFINED: Code = Code(115);
pub const AIGER_SYMBOL: Code = Code(116);
pub const AIGER_TOO_LARGE: Code = Code(117);
pub const AIGER_NOT_EXPRESSIBLE: Code = Code(118);

pub const UNKNOWN_COMPONENT: Code = Code(130);
pub const NOT_A_COMPONENT: Code = Code(131);
pub const OVERLAPPING_HOLES: Code = Code(132);
pub const REPLACEMENT_SHAPE: Code = Code(133);
pub const REPLACEMENT_USES_HIDDEN: Code = Code(134);

pub const UNKNOWN_NAME: Code = Code(150);
pub const AMBIGUOUS_NAME: Code = Code(151);
pub const ATOM_UNSUPPORTED: Code = Code(152);
pub const UNKNOWN_DIGIT: Code = Code(153);
pub const INDEX_OUT_OF_RANGE: Code = Code(154);
pub const NOT_CONSTANT: Code = Code(155);
pub const WORD_TOO_WIDE: Code = Code(156);

/// Code, title, and what it means and how to fix it.
pub const TABLE: &[(Code, &str, &str)] = &[
    (
        COMBINATIONAL_LOOP,
        "combinational loop",
        "Gates feed each other within one clock cycle, so their values are not defined by \
         inputs and state. The message names the gates in the order in which the signal \
         flows. Break the loop with a latch, or correct the operand that closes it.",
    ),
    (
        LITERAL_OUT_OF_RANGE,
        "reference to a node that does not exist",
        "A gate, latch, output, word or property refers to a node that the design does not \
         have. The text form declares each node before or after its use, but always declares \
         it.",
    ),
    (
        RESET_NOT_KNOWN,
        "initial value that is not known at the start",
        "The initial value of a latch may be 0, 1, the environment's choice, or computed from \
         choices that the system makes before the first cycle. It may not depend on inputs, \
         and a latch whose value is chosen once has to keep it.",
    ),
    (
        STIMULUS_LENGTH,
        "wrong number of values for a simulation",
        "A run needs one value for each latch whose initial value is a choice, and in each \
         cycle one for each input.",
    ),
    (
        TEXT_FORM,
        "malformed text form of a design",
        "The text form has one statement to a line: `n1 = input \"name\"`, `n2 = choice`, \
         `n3 = latch reset 0 next !n4`, `n4 = and n1 !n2`, `output \"name\" = n4`, \
         `word \"name\" [1:0] = n4 n3`, `hidden n4`, `comment \"text\"`.",
    ),
    (
        AIGER_HEADER,
        "malformed AIGER header",
        "The first line is `aag M I L O A` or `aig M I L O A`, followed by up to four more \
         numbers B C J F: the largest variable, then how many inputs, latches, outputs, AND \
         gates, bad states, constraints, justice properties and fairness constraints there \
         are. M is at least I+L+A, and exactly that in binary files.",
    ),
    (
        AIGER_SYNTAX,
        "malformed line in an AIGER file",
        "Numbers are decimal and separated by single spaces, each line has as many as its \
         section asks for, and nothing else stands on it. The message says which line or \
         byte, and what was expected there.",
    ),
    (
        AIGER_ENDS_EARLY,
        "AIGER file ends early",
        "The header announces more lines or gates than the file has. Either the file was cut \
         off, or the header's counts are wrong.",
    ),
    (
        AIGER_LITERAL,
        "literal that cannot stand here",
        "Inputs, latches and gates are defined by even literals of at least 2. No literal \
         exceeds 2M+1. A latch's reset is 0, 1 or the latch itself. In binary files, a gate's \
         operands are smaller than the gate.",
    ),
    (
        AIGER_DEFINED_TWICE,
        "variable defined twice",
        "A variable is an input, a latch or an AND gate, and only one of them.",
    ),
    (
        AIGER_UNDEFINED,
        "literal without a definition",
        "The literal's variable is no input, latch or AND gate of the file. The definition \
         was lost, or the literal is a misprint.",
    ),
    (
        AIGER_SYMBOL,
        "malformed symbol table",
        "A symbol is `i`, `l`, `o`, `b`, `c`, `j` or `f`, the position in that section \
         counted from 0, a space and the name. Each is named at most once. A line with only \
         `c` begins the comments.",
    ),
    (
        AIGER_TOO_LARGE,
        "AIGER file too large",
        "Files of up to 4 GB and variables up to 2147483647 are supported. Binary files do \
         not list their inputs; a header that announces far more of them than the rest of \
         the file could use is taken for a broken one.",
    ),
    (
        AIGER_NOT_EXPRESSIBLE,
        "AIGER cannot express this",
        "AIGER has no choices of the system, only inputs called `controllable_...`, and no \
         initial values other than 0, 1 and uninitialised. `respin instrument` turns a design \
         with choices into such a file.",
    ),
    (
        UNKNOWN_COMPONENT,
        "no such component",
        "The component does not belong to this design.",
    ),
    (
        NOT_A_COMPONENT,
        "not something that can be repaired",
        "Components are gates and latches of the design itself. Logic that only a property \
         reads (bad, constraint, justice, fairness) says what is right, so it is never \
         repaired.",
    ),
    (
        OVERLAPPING_HOLES,
        "the same signal is repaired twice",
        "Two of the chosen components replace the same signal. Choose one of them, or \
         components without a common signal.",
    ),
    (
        REPLACEMENT_SHAPE,
        "replacement does not fit the component",
        "A replacement has one function for each bit of its component; a reset value is a \
         constant; and no function reads what it drives within the same cycle.",
    ),
    (
        REPLACEMENT_USES_HIDDEN,
        "replacement reads a signal that exists only for a property",
        "A corrected design must not depend on logic that observes it.",
    ),
    (
        UNKNOWN_NAME,
        "unknown signal",
        "No input, output, latch or word of the design has this name. Hierarchical names are \
         written with dots; AIGER files have the names of their symbol table only.",
    ),
    (
        AMBIGUOUS_NAME,
        "ambiguous signal",
        "Two signals with different values have this name.",
    ),
    (
        ATOM_UNSUPPORTED,
        "expression that is not supported here",
        "Atoms of properties are built from names and numbers with the operators of Verilog. \
         Division needs a constant divisor, and powers constant operands.",
    ),
    (
        UNKNOWN_DIGIT,
        "x or z in an expression",
        "A property is judged on values 0 and 1, so its numbers have no `x` or `z` digits.",
    ),
    (
        INDEX_OUT_OF_RANGE,
        "index out of range",
        "The index or range lies outside of the declared bits of the word.",
    ),
    (
        NOT_CONSTANT,
        "constant expected",
        "Bounds of a range and the count of a replication are constants.",
    ),
    (
        WORD_TOO_WIDE,
        "word too wide",
        "An expression has more bits than the supported maximum.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_in_our_range() {
        let codes: Vec<u16> = TABLE.iter().map(|(code, _, _)| code.0).collect();
        let ordered = codes.is_sorted_by(|left, right| left < right);
        assert!(ordered && codes.iter().all(|code| (100..200).contains(code)));
    }
}
