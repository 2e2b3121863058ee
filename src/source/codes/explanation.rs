//! The codes of explanations: R0700 to R0799.

codes! {
    CONFLICT = 700, "guarantees that cannot be kept together",
"No system can keep these guarantees against an environment that keeps all
assumptions. Each of them is needed for that: without any one of them, the rest
of them can be kept.

Example:
    gar feeds:    GF (!hungry | eats);
    gar noPoison: G (poisoned -> !eats);

To fix: weaken one of them, or assume something about the environment that
keeps it from doing what the countertrace or the counterstrategy shows.
`respin explain` lists diagnoses: what to change to get rid of all conflicts.
";

    NOT_WELL_SEPARATED = 701, "assumptions that the system can make fail",
"A system can bring about a state from which the environment cannot keep these
assumptions any more. It then owes nothing, so a controller may do that instead
of keeping its guarantees.

Example:
    asm found:   GF atStation;
    asm stopped: G (motor = STOP -> next(atStation) = atStation);

To fix: weaken an assumption where the system has brought about its failure,
for example `GF (atStation | motor = STOP)`, or add a guarantee that keeps the
system from it.
";

    NOT_CONFIRMED = 702, "a part of an explanation was not confirmed",
"Explanations are checked by other code than has found them. This part failed, so
the program has made a mistake. The part is left out; all others are confirmed.

Example:
    respin explain arbiter.spectra      (no mistake of yours)

To fix: please report it with the specification. `respin check` gives the
verdict, which does not depend on explanations.
";

    BAD_SETTING = 703, "a move or a trace cannot be read",
"Moves and traces have one line for each step, with a name, `=` and a value for
each variable that is set, separated by blanks. `#` starts a comment, and `?`
leaves a value open.

Example:
    grant=maybe                         (for a Boolean)

To fix: the message says which names or values there are.
";
}
