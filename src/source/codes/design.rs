//! The codes of designs: R0100 to R0199.

codes! {
    COMBINATIONAL_LOOP = 100, "combinational loop",
"Gates feed each other within one clock cycle, so their values are not defined
by inputs and state. The message names the gates in the order in which the
signal flows.

Example:
    aag 2 0 0 1 2
    2
    2 4 4
    4 2 2

To fix: break the loop with a latch, or correct the operand that closes it.
";

    LITERAL_OUT_OF_RANGE = 101, "reference to a node that does not exist",
"A gate, latch, output, word or property refers to a node that the design does
not have.

Example:
    n1 = input
    n2 = and n1 n7              (there is no n7)

To fix: declare the node, before or after its use, or correct its number.
";

    RESET_NOT_KNOWN = 102, "initial value that is not known at the start",
"The initial value of a latch may be 0, 1, the environment's choice, or computed
from choices that the system makes before the first cycle. It may not depend
on inputs, and a latch whose value is chosen once has to keep it.

Example:
    n1 = input
    n2 = latch reset n1 next n2

To fix: give the latch a constant, or let it take the input's value in the
first cycle.
";

    STIMULUS_LENGTH = 103, "wrong number of values for a simulation",
"A run needs one value for each latch whose initial value is a choice, and in
each cycle one for each input.

Example:
    Two inputs, and a cycle with the single value `1`.

To fix: give as many values as the message asks for, in the order in which the
design lists its latches and inputs.
";

    TEXT_FORM = 104, "malformed text form of a design",
"The text form has one statement to a line:
    n1 = input \"name\"
    n2 = choice
    n3 = latch reset 0 next !n4
    n4 = and n1 !n2
    output \"name\" = n4
    word \"name\" [1:0] = n4 n3
    hidden n4
    comment \"text\"

Example:
    n4 = or n1 n2

To fix: write the line in one of these forms; here `n4 = and !n1 !n2`, and
`!n4` where it is used.
";

    AIGER_HEADER = 110, "malformed AIGER header",
"The first line is `aag M I L O A` or `aig M I L O A`, followed by up to four
more numbers B C J F: the largest variable, then how many inputs, latches,
outputs, AND gates, bad states, constraints, justice properties and fairness
constraints there are. M is at least I+L+A, and exactly that in binary files.

Example:
    aag 2 1 0 1                 (the number of AND gates is missing)

To fix: correct the header. If another tool wrote it, check that the file was
not cut off or edited.
";

    AIGER_SYNTAX = 111, "malformed line in an AIGER file",
"Numbers are decimal and separated by single spaces, each line has as many as
its section asks for, and nothing else stands on it. The message says which
line or byte, and what was expected there.

Example:
    aag 1 1 0 1 0
    2,
    2

To fix: correct the line. Comments may stand only at the end of the file, after
a line with a single `c`.
";

    AIGER_ENDS_EARLY = 112, "AIGER file ends early",
"The header announces more lines or gates than the file has.

Example:
    aag 2 2 0 0 0
    2

To fix: either the file was cut off, for example while it was copied, or the
header's counts are wrong.
";

    AIGER_LITERAL = 113, "literal that cannot stand here",
"Inputs, latches and gates are defined by even literals of at least 2. No
literal exceeds 2M+1. A latch's reset is 0, 1 or the latch itself. In binary
files, a gate's operands are smaller than the gate.

Example:
    aag 1 1 0 0 0
    3                           (an input is not negated)

To fix: correct the literal; twice the variable, plus one if it is negated.
";

    AIGER_DEFINED_TWICE = 114, "variable defined twice",
"A variable is an input, a latch or an AND gate, and only one of them.

Example:
    aag 1 1 1 0 0
    2
    2 2

To fix: give one of them a variable of its own.
";

    AIGER_UNDEFINED = 115, "literal without a definition",
"The literal's variable is no input, latch or AND gate of the file.

Example:
    aag 3 1 0 1 0
    2
    6                           (nothing defines variable 3)

To fix: the definition was lost, or the literal is a misprint.
";

    AIGER_SYMBOL = 116, "malformed symbol table",
"A symbol is `i`, `l`, `o`, `b`, `c`, `j` or `f`, the position in that section
counted from 0, a space and the name. Each is named at most once. A line with
only `c` begins the comments.

Example:
    aag 1 1 0 0 0
    2
    i1 request                  (the only input is i0)

To fix: correct the position, or put a line `c` in front of what is meant as a
comment.
";

    AIGER_TOO_LARGE = 117, "AIGER file too large",
"Files of up to 4 GB and variables up to 2147483647 are supported. Binary files
do not list their inputs; a header that announces far more of them than the
rest of the file could use is taken for a broken one.

Example:
    aig 4000000000 4000000000 0 0 0

To fix: check the header. Of a real circuit of that size, give the part that
the property talks about.
";

    AIGER_NOT_EXPRESSIBLE = 118, "AIGER cannot express this",
"AIGER has no choices of the system, only inputs called `controllable_...`, no
initial values other than 0, 1 and uninitialised, and no properties other than
invariants, fairness and justice.

Example:
    A latch whose initial value is being repaired.

To fix: `respin instrument` turns a design with choices into a file of the
synthesis competition.
";

    UNKNOWN_COMPONENT = 130, "no such component",
"The component does not belong to this design.

Example:
    A list of components that was made before the design was edited.

To fix: list the components again.
";

    NOT_A_COMPONENT = 131, "not something that can be repaired",
"Components are gates and latches of the design itself. Logic that only a
property reads (bad, constraint, justice, fairness) says what is right, so it
is never repaired.

Example:
    The gate that computes a bad signal of an AIGER file.

To fix: choose a component of the circuit. If the property is what is wrong,
correct it in its file.
";

    OVERLAPPING_HOLES = 132, "the same signal is repaired twice",
"Two of the chosen components replace the same signal.

Example:
    A latch's next value, and the gate that drives it and nothing else.

To fix: choose one of them, or components without a common signal.
";

    REPLACEMENT_SHAPE = 133, "replacement does not fit the component",
"A replacement has one function for each bit of its component; a reset value is
a constant; and no function reads what it drives within the same cycle.

Example:
    A function of one bit for a word of four.

To fix: give one function for each bit, over signals that do not depend on the
component itself within the cycle.
";

    REPLACEMENT_USES_HIDDEN = 134, "replacement reads what only a property uses",
"A corrected design must not depend on logic that observes it.

Example:
    A gate that is replaced by the negation of a bad signal.

To fix: use signals of the circuit itself.
";

    UNKNOWN_NAME = 150, "unknown signal",
"No input, output, latch or word of the design has this name. Hierarchical
names are written with dots; AIGER files have the names of their symbol table
only.

Example:
    assert mutex: G !(gnt0 & gnt1);     (the signals are gnt[0] and gnt[1])

To fix: use a name of the design; the message suggests similar ones. A name
that has a meaning in formulas is written with a backslash, as in `\\next `.
";

    AMBIGUOUS_NAME = 151, "ambiguous signal",
"Two signals with different values have this name.

Example:
    An AIGER file whose symbol table calls both an input and a latch `busy`.

To fix: rename one of them in the design.
";

    ATOM_UNSUPPORTED = 152, "expression that is not supported here",
"Atoms of properties are built from names and numbers with the operators of
Verilog. Division needs a constant divisor, and powers constant operands.

Example:
    assert ratio: G (total / count == 2);

To fix: say the same without it, here `G (total - 2 * count < count)`, or let
the design compute it and name the result.
";

    UNKNOWN_DIGIT = 153, "x or z in an expression",
"A property is judged on values 0 and 1, so its numbers have no `x` or `z`
digits.

Example:
    assert reset: G (state != 2'bx1);

To fix: compare the bits that matter, here `G !state[0]`.
";

    INDEX_OUT_OF_RANGE = 154, "index out of range",
"The index or range lies outside of the declared bits of the word. In a property
file this is an error; in a source, where such bits are unknown, a warning if
the index is a constant. The environment then picks their values, and a trace
shows them as inputs `unknown$0`, `unknown$1` and so on.

Example:
    assert small: G !count[8];          (count is [7:0])

To fix: use an index that the word has; the message gives its range.
";

    NOT_CONSTANT = 155, "constant expected",
"Bounds of a range and the count of a replication are constants.

Example:
    assert part: G (data[high:0] == 0);

To fix: write a number, or select with a constant width: `data[low +: 4]`.
";

    WORD_TOO_WIDE = 156, "word too wide",
"An expression has more bits than the supported maximum.

Example:
    assert wide: G ({100000{a}} != 0);

To fix: an expression of this width is almost always a misprint.
";

    RANGE_DIRECTION = 157, "a range in the wrong direction",
"The bounds of a range stand in the order in which those of the declaration do,
the most significant bit first (IEEE 1800-2017, 11.5.1). Icarus Verilog refuses
a range the other way round. It may come from a parameter at the end of its
range: with `W` = 1, `[W-2:0]` is `[-1:0]`. In a branch that a constant rules
out it does not matter.

Example:
    assign y = a[0:1];                  (a is [3:0])

To fix: swap the bounds, `a[1:0]`, or keep the range out of the design with
`generate if`.
";
}
