//! Small games whose outcome is known.

use super::{is_won, properties};
use respin::certify::{self, Options, Verdict};
use respin::design::{Design, InputKind, Literal, Reset};
use respin::game::Arena;

/// A latch `a` that starts at 1, and what it becomes, given an input.
fn design(next: impl Fn(&mut Design, Literal, Literal) -> Literal) -> Design {
    let mut design = Design::new();
    let input = design.add_input(InputKind::Environment);
    design.set_name(input, "input");
    let a = design.add_latch(Reset::One);
    design.set_name(a, "a");
    let next = next(&mut design, a.literal(), input.literal());
    design.set_next(a, next);
    design
}

/// The environment may clear `a` once and for good, as in Fig. 7 of [JSGB11].
fn figure_7() -> Design {
    design(|design, a, input| design.and(a, !input))
}

fn check(design: Design, text: &str, expected: bool) {
    let arena = Arena::nondeterministic(design, &properties(text)).expect("an arena");
    assert!(!arena.automaton_choices.is_empty(), "{text}: no guess");
    assert_eq!(is_won(&arena), expected, "{text}");
}

const STABLE: &str = "assert F G a | F G !a;";

#[test]
fn figure_7_is_lost_though_the_property_holds() {
    let verdicts = certify::check(&figure_7(), &properties(STABLE), &Options::default());
    assert_eq!(verdicts.expect("verdicts")[0].1, Verdict::Holds);
    check(figure_7(), STABLE, false);
}

#[test]
fn figure_7_is_won_where_nothing_changes() {
    check(design(|_, a, _| a), STABLE, true);
}

#[test]
fn figure_7_is_won_by_a_deterministic_condition() {
    let arena = Arena::new(figure_7(), &properties(STABLE)).expect("a GR(1) condition");
    assert!(is_won(&arena));
}

#[test]
fn a_promise_that_time_keeps_is_won() {
    // The system promises once it has seen `a` go.
    let text = "assert F (!a & G !a) | G a;";
    check(design(|_, _, _| Literal::FALSE), text, true);
}

#[test]
fn what_the_environment_can_undo_is_lost() {
    check(design(|_, _, input| input), STABLE, false);
}

#[test]
fn an_assumption_without_a_monitor_excuses() {
    // The assumption is broken whatever the environment does.
    let gone = || design(|_, _, _| Literal::FALSE);
    check(gone(), "assert F G input;", false);
    check(gone(), "assert F G input; assume F G a;", true);
}

#[test]
fn a_safe_assertion_is_not_excused() {
    let text = "assert G a; assume F G !input;";
    let arena = Arena::nondeterministic(figure_7(), &properties(text)).expect("an arena");
    assert!(!is_won(&arena));
}

#[test]
fn guesses_are_hidden_from_corrections() {
    let arena = Arena::nondeterministic(figure_7(), &properties(STABLE)).expect("an arena");
    assert!(
        arena
            .automaton_choices
            .iter()
            .all(|id| arena.design.is_hidden(*id)
                && arena.design.input_kind(*id) == Some(InputKind::Choice))
    );
}

#[test]
fn a_deterministic_property_needs_no_guess() {
    let text = "assert G (input -> X !a); assert G F !a; assume G F input;";
    let arena = Arena::nondeterministic(figure_7(), &properties(text)).expect("an arena");
    assert!(arena.automaton_choices.is_empty());
}
