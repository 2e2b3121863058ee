//! The codes of repair: R0600 to R0699.

codes! {
    NOT_CERTIFIED = 600, "a correction does not keep the properties",
"Each correction is written, read again and model-checked before it is offered.
This one failed, so the search made a mistake. Nothing was written.

Example:
    respin repair arbiter.aag --spec arbiter.ltl
                              (no mistake of yours)

To fix: please report it with the design and its properties. Meanwhile, other
components can be asked for with `--only` and `--except`.
";

    UNKNOWN_SIGNAL = 601, "a correction cannot read that",
"`--depends-on` lists the signals that a correction may read. A name in it is
neither an input, a latch nor a gate of the design, or belongs to a signal that
exists only for a property, which corrections never read.

Example:
    respin repair counter.aag --spec counter.ltl --depends-on coutn
                              (for `count`)

To fix: take the names from the symbol table of the file; a word such as
`count` stands for all its bits. Gates without a name are called `and8`, by
their literal.
";

    NO_SUCH_CORRECTION = 602, "there is no correction of that number",
"`--reject` leaves out corrections by the numbers of an earlier run, with the
same options otherwise. There are not that many.

Example:
    respin repair counter.aag --spec counter.ltl --reject 12
                              (where 3 corrections were listed)

To fix: run the command without `--reject` to see the numbers.
";

    NOT_CORRECT = 603, "a design whose mutants are wanted is not correct itself",
"`respin mutate` puts faults into a correct design and asks which of them the
properties notice. A property that the design itself breaks, or that could not
be decided, notices nothing.

Example:
    respin mutate faulty.v --spec properties.ltl

To fix: `respin verify` shows what fails, `respin repair` mends it; or name
the properties that count with `--property`.
";

    NO_MUTANTS = 604, "there is nothing to mutate, or nothing to notice it",
"Mutants are edits of the text of a design, and assertions have to notice them.
The design is no text, has no statement that could be edited, or nothing is
asserted.

Example:
    respin mutate counter.aag --spec counter.ltl

To fix: give the Verilog that the netlist was made of, and a property file
with `--spec`.
";
}
