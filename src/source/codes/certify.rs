//! The codes of certification: R0800 to R0899.

codes! {
    OPEN_CHOICE = 800, "a choice is still open",
"A design is checked as it will run, so nothing in it may be left to decide:
no hole of a repair, and no input that a synthesis file calls
`controllable_...`.

Example:
    aag 1 1 0 1 0
    2
    2
    i0 controllable_grant

To fix: rename the input if it is an ordinary one; otherwise fill in the
choice, for example with `respin repair`, and check the result.
";

    COVER_NOT_CHECKED = 801, "cover statements are not checked by repair",
"A cover statement asks for a run that shows something. `respin verify` looks
for one; `respin repair` keeps assertions and does not look whether there still
is one.

Example:
    cover property (state == DONE);

To fix: run `respin verify` on the corrected design.
";

    NOTHING_TO_CHECK = 802, "there is nothing to check",
"Neither the design nor a property file asserts anything, so there is no
question to answer. Assumptions alone say what the environment does, and
nothing about the design.

Example:
    respin verify arbiter.aag --spec environment.props
                              (a file with `assume` only)

To fix: add an assertion, such as `assert mutex: G !(gnt[0] & gnt[1]);`, or
the property file that has it. In AIGER, bad and justice signals are
assertions, and so are outputs if there are none of these.
";

    UNKNOWN_PROPERTY = 803, "no assertion of this name",
"`--property` chooses assertions by their names, and none has this one. What
has no name in its file is called by its place: `b0` and `j0` in AIGER,
`assert_1` in a property file.

Example:
    respin verify arbiter.aag --property mutx

To fix: `respin verify` without `--property` lists all names.
";

    NO_WITNESS = 804, "a witness cannot be written",
"A witness of AIGER says what is known of the properties of an AIGER file, and
shows a run for those that fail. It has no place for assertions of a property
file; and an infinite run ends in it when the whole state of the circuit
repeats, which may take too many steps if parts of the circuit that no
property looks at count for a long time.

Example:
    respin verify arbiter.aag --spec arbiter.props --property live
                              --witness arbiter.wit

To fix: check properties of the AIGER file itself, or write the counterexample
with `--vcd`.
";

    VACUOUS = 805, "the assumptions cannot be kept",
"An assertion is violated only by runs that keep the assumptions. If no run
does, every assertion holds, whatever the design; if some steps lead to where
no input keeps them any more, what could happen afterwards is not looked at.
Such a verdict says less than it seems.

Example:
    assume quiet: G !req;
    assume busy:  G F req;      (contradicts `quiet`)

To fix: leave out assumptions one by one until some run keeps the rest. An
assumption about signals that the design drives is often the culprit: it
belongs among the assertions.
";

    NEVER_HAPPENS = 806, "the antecedent of a property never happens",
"The property is an implication, and no run that keeps the assumptions makes its
left side true: this was proved. So it holds whatever its right side says, and
the verdict says less than it seems. Often a fault of the design keeps the
antecedent from happening.

Example:
    assert property (@(posedge clk) count == 3 |=> done);
                              (where `count` never gets to 3)

To fix: correct the property, or the design. `--strict` makes this a failure.
";

    TAUTOLOGY = 807, "a property that every design keeps",
"The property holds whatever values the signals have, so it says nothing of the
design. `--strict` makes this a failure.

Example:
    assert property (@(posedge clk) full || !full);

To fix: say what is meant, or leave it out.
";

    NO_CERTIFICATE = 808, "a certificate cannot be written",
"A certificate is an invariant: clauses that hold at first, that each step keeps,
and with which no property fails. There is one if all properties that are
checked hold, and each of them says what must not happen in finitely many steps.
As assertions it can be written only if all state it is about has a name in the
design.

Example:
    respin verify counter.v --certificate proof.smt2

To fix: choose properties with `--property`, or another form: `.aag` and `.aig`
for a witness circuit, `.smt2` for a script, `.sv` or `.sva` for assertions.
";
}
