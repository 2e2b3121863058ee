//! Monitors against the meaning of their formulas on runs.

use crate::support::{Shape, check_formulas, check_random, source, with_atoms};
use respin::spec::automaton::{
    Acceptance, Limits, Monitor, MonitorError, buchi_monitor, cosafety_monitor, monitor_for,
    safety_monitor,
};
use respin::spec::past::PastCircuit;
use respin::spec::property_file::parse_formula;
use respin::spec::simplify::simplify;
use respin::spec::{FormulaId, Formulas, Lasso};

type Translate = fn(&mut Formulas, FormulaId, &Limits) -> Result<Monitor, MonitorError>;

fn compare(
    formulas: &mut Formulas,
    formula: FormulaId,
    lasso: &Lasso,
    translate: Translate,
) -> Option<String> {
    let monitor = match translate(formulas, formula, &Limits::default()) {
        Ok(monitor) => monitor,
        Err(error) => return Some(format!("no monitor: {error}")),
    };
    let (wanted, found) = (
        lasso.satisfies(formulas, formula),
        monitor.accepts(formulas, lasso),
    );
    (wanted != found).then(|| {
        format!(
            "holds: {wanted}, monitor: {found}\n{}",
            monitor.text(formulas)
        )
    })
}

/// `G p` for a random co-safe `p`.
fn always(formulas: &mut Formulas, formula: FormulaId) -> FormulaId {
    formulas.globally(formula)
}

#[test]
fn safety_monitors_accept_what_satisfies_the_formula() {
    check_random(4000, &Shape::safety(5), &|formulas, formula, lasso| {
        compare(formulas, formula, lasso, safety_monitor)
    });
}

#[test]
fn cosafety_monitors_accept_what_satisfies_the_formula() {
    check_random(4000, &Shape::cosafety(5), &|formulas, formula, lasso| {
        compare(formulas, formula, lasso, cosafety_monitor)
    });
}

#[test]
fn buchi_monitors_accept_what_satisfies_the_formula() {
    check_random(4000, &Shape::cosafety(3), &|formulas, formula, lasso| {
        let formula = always(formulas, formula);
        compare(formulas, formula, lasso, buchi_monitor)
    });
}

#[test]
fn delayed_buchi_monitors_accept_what_satisfies_the_formula() {
    check_random(3000, &Shape::cosafety(2), &|formulas, formula, lasso| {
        let formula = always(formulas, formula);
        let formula = formulas.next(formula);
        let formula = formulas.next(formula);
        compare(formulas, formula, lasso, buchi_monitor)
    });
}

#[test]
fn monitors_of_simplified_formulas_accept_what_satisfies_the_original() {
    check_random(3000, &Shape::safety(4), &|formulas, formula, lasso| {
        let simple = simplify(formulas, formula);
        let monitor = match monitor_for(formulas, simple, &Limits::default()) {
            Ok(monitor) => monitor,
            Err(error) => return Some(format!("no monitor: {error}")),
        };
        let wanted = lasso.satisfies(formulas, formula);
        (wanted != monitor.accepts(formulas, lasso)).then(|| format!("holds: {wanted}"))
    });
}

#[test]
fn monitors_with_a_circuit_follow_formulas_about_the_past() {
    check_random(3000, &Shape::past(3), &|formulas, formula, lasso| {
        let formula = formulas.globally(formula);
        let mut past = PastCircuit::new();
        let without = past.eliminate(formulas, formula).expect("past only");
        let extended = past.extend(lasso);
        let monitor = match safety_monitor(formulas, without, &Limits::default()) {
            Ok(monitor) => monitor,
            Err(error) => return Some(format!("no monitor: {error}")),
        };
        let wanted = lasso.satisfies(formulas, formula);
        (wanted != monitor.accepts(formulas, &extended)).then(|| format!("holds: {wanted}"))
    });
}

fn check_guards(
    formulas: &mut Formulas,
    formula: FormulaId,
    translate: Translate,
) -> Option<String> {
    let monitor = translate(formulas, formula, &Limits::default()).ok()?;
    let state = monitor.check(formulas, &Limits::default()).err()?;
    Some(format!("state {state} of\n{}", monitor.text(formulas)))
}

#[test]
fn safety_monitors_are_deterministic_and_complete() {
    check_formulas(3000, &Shape::safety(5), &|formulas, formula| {
        check_guards(formulas, formula, safety_monitor)
    });
}

#[test]
fn cosafety_monitors_are_deterministic_and_complete() {
    check_formulas(3000, &Shape::cosafety(5), &|formulas, formula| {
        check_guards(formulas, formula, cosafety_monitor)
    });
}

#[test]
fn buchi_monitors_are_deterministic_and_complete() {
    check_formulas(3000, &Shape::cosafety(3), &|formulas, formula| {
        let formula = always(formulas, formula);
        check_guards(formulas, formula, buchi_monitor)
    });
}

#[test]
fn a_broken_monitor_does_not_pass_the_check() {
    let (mut formulas, atoms) = with_atoms(2);
    let formula = formulas.globally(atoms[0]);
    let mut monitor =
        safety_monitor(&mut formulas, formula, &Limits::default()).expect("a small monitor");
    monitor.states[0][0].guard = atoms[1];
    assert_eq!(monitor.check(&formulas, &Limits::default()), Err(0));
}

#[test]
fn what_is_lost_or_won_stays_so() {
    check_formulas(3000, &Shape::safety(5), &|formulas, formula| {
        let monitor = safety_monitor(formulas, formula, &Limits::default()).ok()?;
        let Acceptance::Safety { bad: Some(bad) } = monitor.acceptance else {
            return None;
        };
        let leaves = monitor
            .successors(bad)
            .into_iter()
            .any(|state| state != bad);
        leaves.then(|| "the bad state has an exit".to_string())
    });
}

fn monitor_of(text: &str) -> (Formulas, Result<Monitor, MonitorError>) {
    let (mut formulas, _) = with_atoms(3);
    let (_, file) = source(text);
    let formula = parse_formula(&mut formulas, file, text).expect("a formula");
    let formula = simplify(&mut formulas, formula);
    let monitor = monitor_for(&mut formulas, formula, &Limits::default());
    (formulas, monitor)
}

#[test]
fn common_formulas_have_small_monitors() {
    // Each line: formula, states of its monitor.
    let cases = [
        ("G a", 2),
        ("F a", 2),
        ("G (a -> X b)", 3),
        ("a W b", 3),
        ("a U b", 3),
        ("G F a", 1),
        ("G (a -> F b)", 2),
        ("G (a -> (b U c))", 3),
        ("G (a -> X F b)", 2),
        ("G F (a & X b)", 2),
        ("true", 1),
        ("false", 1),
        ("X (a && !a)", 1),
    ];
    for (text, states) in cases {
        let (formulas, monitor) = monitor_of(text);
        let monitor = monitor.expect("a small monitor");
        assert_eq!(
            monitor.states.len(),
            states,
            "`{text}`\n{}",
            monitor.text(&formulas)
        );
    }
}

#[test]
fn monitors_print_for_people() {
    let (formulas, monitor) = monitor_of("G (a -> F b)");
    assert_eq!(
        monitor.expect("a small monitor").text(&formulas),
        "Büchi\n\
         0 -> 0 accepting if !a || b\n\
         0 -> 1 if a && !b\n\
         1 -> 0 accepting if b\n\
         1 -> 1 if !b\n"
    );
}

#[test]
fn the_limit_on_states_is_kept() {
    let (mut formulas, _) = with_atoms(3);
    let text = "G (a -> X X X X X X X X X X X X F b)";
    let (_, file) = source(text);
    let formula = parse_formula(&mut formulas, file, text).expect("a formula");
    let limits = Limits {
        states: 100,
        ..Limits::default()
    };
    assert_eq!(
        buchi_monitor(&mut formulas, formula, &limits),
        Err(MonitorError::TooManyStates(100))
    );
}

#[test]
fn wide_disjunctions_have_monitors() {
    let names: Vec<String> = (0..3000).map(|index| format!("s{index}")).collect();
    let text = format!("G ({})", names.join(" || "));
    let mut formulas = Formulas::new();
    let (_, file) = source(&text);
    let formula = parse_formula(&mut formulas, file, &text).expect("a formula");
    let monitor = safety_monitor(&mut formulas, formula, &Limits::default());
    assert_eq!(monitor.map(|monitor| monitor.states.len()), Ok(2));
}

#[test]
fn formulas_of_other_classes_are_refused() {
    use respin::spec::Class;
    let cases = [
        ("F G a", Class::Persistence),
        ("G F a -> G F b", Class::Reactivity),
        ("G (F a | F G b)", Class::Reactivity),
    ];
    for (text, class) in cases {
        let (_, monitor) = monitor_of(text);
        assert_eq!(monitor, Err(MonitorError::NotSupported(class)), "`{text}`");
    }
}

#[test]
fn past_operators_have_to_be_eliminated_first() {
    let (_, monitor) = monitor_of("G (a -> Y b)");
    assert_eq!(monitor, Err(MonitorError::HasPast));
}
