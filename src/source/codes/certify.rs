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

    COVER_NOT_CHECKED = 801, "cover statements are not checked yet",
"A cover statement asks for a run that shows something. Only assertions are
decided here, and a statement that is left out in silence would look as if it
had been checked.

Example:
    cover property (state == DONE);

To fix: assert the negation, as in `assert never_done: G (state != DONE);`.
If it fails, its counterexample is the run that you are looking for.
";
}
