//! The codes of property files and properties: R0220 to R0299.

codes! {
    UNKNOWN_STATEMENT = 220, "unknown statement",
"Each statement of a property file starts with `define`, `assume`, `assert` or
`guarantee` and ends with `;`.

Example:
    always !(a & b);

To fix: say what the formula is: `assert mutex: always !(a & b);`.
";

    MISSING_SEMICOLON = 221, "missing `;`",
"Each statement of a property file ends with `;`.

Example:
    assume fair: G F tick
    assert live: G (req -> F gnt);

To fix: write `;` where the message points.
";

    INCOMPLETE_STATEMENT = 222, "incomplete statement",
"A part of the statement is missing.

Example:
    define state != IDLE;

To fix: a definition looks like `define busy := state != IDLE;`, a property
like `assert mutex: G !(gnt[0] & gnt[1]);`.
";

    CYCLIC_DEFINITION = 223, "definition in terms of itself",
"A definition stands for its text, so it cannot use itself, directly or through
others.

Example:
    define busy := full | waiting;
    define waiting := req & busy;

To fix: break the circle. What depends on the past is written with operators
such as `since` and `prev`.
";

    REPEATED_DEFINITION = 224, "name defined twice",
"Two definitions have the same name.

Example:
    define busy := state != IDLE;
    define busy := count > 0;

To fix: rename or remove one of the definitions.
";

    REPEATED_NAME = 225, "two properties of one name",
"Reports and `--property` refer to properties by name.

Example:
    assert live: G F gnt[0];
    assert live: G F gnt[1];

To fix: rename one, or leave names out.
";

    NO_PROPERTY = 226, "no property in the file",
"A file without `assume`, `assert` or `guarantee` says nothing about the design.

Example:
    define busy := state != IDLE;       (and nothing else)

To fix: add a property, or leave out the file.
";

    EXPANSION_TOO_BIG = 227, "definitions expand to too much",
"Definitions that use others several times grow exponentially once they are
expanded.

Example:
    define b := a ^ a;
    define c := b ^ b;                  (and so on, forty times)

To fix: let the design compute the value and use its name.
";

    MISUSED_DEFINITION = 228, "definition used as something it is not",
"A definition can stand wherever its text in parentheses could: it has no
arguments, and it can be indexed only if it is another name for a signal.

Example:
    define busy := state != IDLE;
    assert low: G !busy[0];

To fix: use the definition as a whole, or define another name for the signal
itself.
";

    NEGATED_COMPARISON = 229, "`!` in front of a comparison",
"As in Verilog, `!a == b` compares `!a` with `b`.

Example:
    assert moving: G (!state == IDLE);

To fix: write `!(state == IDLE)` to negate the comparison, or
`(!state) == IDLE` to confirm.
";

    MONITOR_TOO_BIG = 240, "monitor too big",
"The deterministic monitor of this property has more states than allowed.

Example:
    assert window: G (a -> X X X X X X X X X X X X X X X X X X b);

To fix: split the property, or use fewer nested `X` and `U`.
";

    NO_MONITOR = 241, "no monitor of this kind",
"The property does not have the shape that this translation handles.

Example:
    assert stable: F G idle;            (no deterministic Büchi monitor has it)

To fix: split the property into parts, or state it as something that happens
again and again.
";

    FUTURE_INSIDE_PAST = 242, "future operator inside a past operator",
"A past operator is turned into a small circuit, which cannot see the future.

Example:
    assert odd: G O F req;

To fix: rewrite the property so that the operand of `Y`, `O`, `H` or `S` has no
`X`, `F`, `G` or `U`. `respin verify` takes such properties as they are.
";

    NEVER_FAILS = 243, "a property that never fails",
"A sequence in an assertion is weak: it fails when no match is possible any
more, and one that may wait for ever never comes to that.

Example:
    assert property (@(posedge clk) req |-> ##[1:$] ack);

To fix: write `req |-> s_eventually ack` or `req |-> strong(##[1:$] ack)`, or
give the delay an end: `##[1:8]`.
";

    EMPTY_MATCH = 244, "a sequence that matches nothing at all",
"A sequence in the place of a property, and one before `|->`, takes at least
one step.

Example:
    assert property (@(posedge clk) busy[*0:3] |-> ready);

To fix: let it repeat at least once: `busy[*1:3]`.
";

    NOT_A_SEQUENCE = 245, "a property where a sequence is needed",
"Before `|->` and `|=>`, beside `##` and under repetitions stand sequences;
`throughout`, `[->n]` and `[=n]` take conditions in one step.

Example:
    assert property (@(posedge clk) (s_eventually a) |-> b);

To fix: use conditions and delays there, or turn the property round.
";

    SEQUENCE_UNSUPPORTED = 246, "a sequence that is not supported",
"A sequence of several steps that repeats without an end has no temporal
formula, and `first_match` is not supported.

Example:
    assert property (@(posedge clk) (a ##1 b)[*1:$] |-> c);

To fix: repeat it a limited number of times, or a condition in its place.
";

    SEQUENCE_TOO_BIG = 247, "a sequence with too many steps",
"The ranges of the sequence multiply to too many states.

Example:
    assert property (@(posedge clk) (a ##[1:900] b)[*1:900] |-> c);

To fix: use smaller ranges, or a counter in the design.
";

    NEVER_MATCHES = 248, "a sequence that never matches",
"The sequence has no match of any length, whatever the conditions are. The
standard does not allow such a sequence in a property.

Example:
    assert property (@(posedge clk) (a ##1 b) intersect (c ##2 d) |-> e);

To fix: give both sides a common length: `(a ##[1:2] b) intersect (c ##2 d)`.
";
}
