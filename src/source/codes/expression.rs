//! The codes of the text of expressions and formulas: R0200 to R0219.

codes! {
    UNEXPECTED_CHARACTER = 200, "unexpected character",
"A character that no expression or formula contains.

Example:
    assert mutex: G ¬(a ∧ b);

To fix: logical symbols have a plain spelling, which the message gives:
`G !(a & b)`.
";

    UNTERMINATED_COMMENT = 201, "unterminated comment",
"A `/*` without its `*/`.

Example:
    /* requests /* and grants */ assert live: G F gnt;

To fix: close the comment. Comments do not nest.
";

    MALFORMED_NUMBER = 202, "malformed number",
"Numbers are written as in Verilog.

Example:
    assert start: state == 2'd;

To fix: write for example `12`, `4'b1010`, `8'hFF` or `8'sd5`.
";

    NUMBER_TOO_BIG = 203, "number does not fit its width",
"Verilog drops the leading digits in silence. In a source they are dropped, and
this is a warning; in a property file it is an error.

Example:
    assert full: G (count != 4'd16);

To fix: widen the number or correct its value, here `5'd16`.
";

    EXPECTED_OPERAND = 204, "operand missing",
"An operator, a bracket or the end of the text stands where a signal, a number
or a formula should.

Example:
    assert live: G (req -> );

To fix: add what is missing, or remove the operator.
";

    EXPECTED_OPERATOR = 205, "operator missing",
"Two operands follow each other with nothing between them.

Example:
    assert live: G (req F gnt);

To fix: write the operator, here `req -> F gnt`. A name in front of a property
is followed by a colon.
";

    UNCLOSED_BRACKET = 206, "bracket is never closed",
"The text ends, or another bracket closes, before this bracket does.

Example:
    assert mutex: G !(a & b;

To fix: close the bracket that the message points at.
";

    UNMATCHED_BRACKET = 207, "closing bracket without an opening one",
"A bracket closes that was never opened.

Example:
    assert mutex: G !a & b);

To fix: remove the bracket, or add the one that opens it.
";

    NESTED_TOO_DEEPLY = 208, "expression nested too deeply",
"An expression may have 1000 levels; each operator of a chain such as
`a + b + c` is one. Boolean connectives (`&&`, `||`, `->`) between conditions
are not limited.

Example:
    A sum of 2000 signals, written by a script.

To fix: let the design compute the value and name the result, or split the
condition with `&&`.
";

    ASSIGNMENT_FOR_EQUALITY = 209, "`=` where `==` is meant",
"`=` assigns; a comparison is written `==`.

Example:
    assert idle: state = 0;

To fix: write `state == 0`.
";

    FOREIGN_OPERATOR = 210, "operator of another language",
"Other languages have other notations for implication, equivalence and temporal
operators.

Example:
    assert live: [] (req => <> gnt);

To fix: the message gives the spelling that is understood here; this formula is
`G (req -> F gnt)`.
";

    OPERATOR_OR_SIGNAL = 211, "operator or signal",
"A name such as `G` or `next` can be a temporal operator or a signal, and what
follows does not decide it.

Example:
    assert ready: G & a;

To fix: write `G (&a)` for the operator, `(G) & a` or `\\G & a` for the signal.
";

    AMBIGUOUS_CONNECTIVES = 212, "`&&` next to `|`",
"Verilog reads `a && b | c` as `a && (b | c)`; in temporal logic the same text
usually means `(a && b) | c`.

Example:
    assert one: G (a && b | c);

To fix: say with parentheses which one is meant.
";

    SELECT_OF_EXPRESSION = 213, "select of something that is not a signal",
"Only names and selects of names can be indexed in Verilog.

Example:
    assert low: G !(a + b)[0];

To fix: name the value in the design and index that, or mask it:
`((a + b) & 1) == 0`.
";

    UNSUPPORTED_LITERAL = 214, "unsupported literal",
"Strings, real numbers, `'1` and text macros have no meaning in an expression
here.

Example:
    assert full: G (count != '1);

To fix: write the number with its width, here `8'hFF`.
";

    TEMPORAL_IN_EXPRESSION = 215, "temporal operator inside an expression",
"Temporal operators and `->` apply to conditions, not to values: `X (a == b)`
is a formula, `a == X b` is not.

Example:
    assert kept: G (a == X b);

To fix: apply the operator to the whole condition, or look back instead:
`$past(a)` is the value of `a` one step ago.
";
}
