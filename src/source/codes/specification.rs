//! The codes of specifications in Spectra, slugs, TLSF and HOA: R0400 to R0499.

codes! {
    UNEXPECTED_TEXT = 400, "unexpected text in a specification",
"The text does not fit the language at this place.

Example:
    env boolean request
    gar alw request -> grant;       (the `;` of the first line is missing)

To fix: the message says what was expected.
";

    UNKNOWN_NAME = 401, "unknown name in a specification",
"Nothing of this name is declared: no variable, value, definition, predicate,
pattern or type.

Example:
    sys {STOP, GO} motor;
    gar ini motr = STOP;

To fix: correct the name, or declare it.
";

    WRONG_TYPE = 402, "wrong type in a specification",
"Logic needs Booleans, arithmetic and order need integers, and `=` compares two
values of one kind.

Example:
    sys Int(0..3) count;
    gar alw count -> next(count) = 0;

To fix: say what is meant, for example `count != 0`.
";

    MISPLACED_NEXT = 403, "a next value where there is none",
"`next` may stand in requirements on steps and on what recurs, not where a
variable's first value is said, not inside another `next`, not inside an
operator about the past other than `PREV`, and not inside a regular expression.
A requirement on the first state with `next` is read as one on the first step,
with this code as a warning.

Example:
    gar ini next(ready);

To fix: leave `next` away, or make it a requirement on steps with `trans`.
";

    REPEATED_DECLARATION = 404, "name declared twice",
"Two declarations of a specification have the same name.

Example:
    env boolean stop;
    sys {stop, go} motor;
    sys boolean stop;

To fix: rename or remove one of them.
";

    NOT_A_VALUE = 405, "not a value of the variable",
"A variable is compared with a value that it never has.

Example:
    sys {STOP, GO} motor;
    gar ini motor = HALT;

To fix: use one of the values in the declaration, or add this one to it.
";

    WRONG_RANGE = 406, "empty or too large range",
"A range has a first and a last value, in this order, and at most 2^32 values;
an array has at least one place, and a defined one as many values as its sizes
say; what is repeated is repeated at least as often as at most.

Example:
    sys Int(5..1) count;

To fix: write the smaller number first.
";

    NOT_SUPPORTED = 407, "part of a language that is not supported",
"The file says something that cannot be taken into account, and leaving it out
would change the answer.

Example:
    gar GE grant;                   (a grant stays possible)

To fix: the message says what to write instead.
";

    WRONG_ARGUMENTS = 408, "wrong number of arguments",
"A predicate or pattern is used with more or fewer arguments than it has
parameters, or a name is used with arguments that has none.

Example:
    predicate both(boolean a, boolean b): a & b;
    gar alw both(x);

To fix: give one argument for each parameter.
";

    WRONG_PLACE = 409, "not possible at this place",
"A pattern or `regexp(...)` is a whole requirement and cannot be part of an
expression; an array is used element by element, or as a whole argument; an
imported file has no variables and no requirements.

Example:
    gar alw request -> respondsTo(request, grant);

To fix: make the pattern a requirement of its own: `gar respondsTo(a, b);`.
";

    CYCLIC = 410, "declaration in terms of itself",
"A definition, predicate or type stands for its text, so it cannot use itself,
directly or through others.

Example:
    define busy := full | waiting;
    define waiting := request & busy;

To fix: break the circle.
";

    NOT_CONSTANT = 411, "not a constant",
"Bounds of ranges, sizes of arrays and the like are known before the first step.

Example:
    sys Int(0..3) size;
    sys boolean[size] flags;

To fix: use a number or a definition that is one.
";

    NOT_GR1 = 412, "not a GR(1) property",
"Strict semantics, Spectra and slugs are for GR(1) properties: conditions on the
first state, invariants over two neighbouring steps, conditions that hold again
and again, and responses. Operators about the past may stand in all of them.

Example:
    assert handshake: G (request -> (request U grant));

To fix: say it with these forms, if need be with an output that remembers what
has happened: `G (request & !grant -> X request)` and `G (request -> F grant)`.
";

    TOO_MANY_CASES = 413, "too many cases to be written out",
"The format has Boolean variables only, so a comparison of words is written as
the list of values for which it holds, and this list would be too long.

Example:
    gar trans next(x) = y * z;      (with three numbers of 16 bits)

To fix: use smaller ranges, or convert to a format that has numbers.
";

    NO_CASE = 414, "no case of a definition applies",
"A function of TLSF is defined by cases, and for these arguments no condition is
true.

Example:
    double(x) =
      x > 0 : 2 * x;
    INPUTS { bus[double(0)]; }

To fix: add a case, or `otherwise : ...`.
";

    TOO_LARGE = 415, "specification too large",
"The parameters and definitions of a specification stand for more text than can
be written out, or for text without an end; or a regular expression has more
than a thousand states.

Example:
    count(n) = 1 + count(n + 1);

To fix: let a recursive definition come to a case without recursion, or use
smaller parameters.
";

    NO_RESULT = 416, "a calculation has no result",
"A division by zero, a number beyond 64 bits, the smallest element of an empty
set, or the intersection of no sets.

Example:
    INPUTS { bus[n / 0]; }

To fix: correct the expression, or the parameters that it uses.
";

    WITHOUT_EFFECT = 417, "something that the verdict does not depend on",
"A warning. Weights grade controllers, and tests of regular expressions ask
about words, so neither says anything about plays; a pattern says itself when it
holds, so `G` before it adds nothing. The rest of the file is read as it is.

Example:
    weight 3 grant;

To fix: nothing has to be done; leave it out if no other tool needs it.
";

    UNDECLARED_NUMBER = 420, "number that the header does not declare",
"States, propositions and acceptance sets of an automaton in HOA are numbers from
0 on, and the header says how many there are.

Example:
    AP: 2 \"a\" \"b\"
    ...
    State: 0
    [0 & 2] 1

To fix: correct the number, or what the header says.
";
}
