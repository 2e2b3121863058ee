//! Counts and densities where floating point is short of digits or of range.

use crate::bdd::{Bdd, Manager};

/// The conjunction of so many literals, all with this value.
fn conjunction(manager: &Manager, count: usize, value: bool) -> Bdd {
    let variables = manager.new_variables(count).unwrap();
    let literals: Vec<_> = variables.into_iter().map(|v| (v, value)).collect();
    manager.cube(&literals).unwrap()
}

#[test]
fn one_assignment_of_many_positive_variables_counts() {
    assert_eq!(conjunction(&Manager::new(), 2_000, true).count(2_000), 1.0);
}

#[test]
fn one_assignment_of_many_negative_variables_counts() {
    assert_eq!(conjunction(&Manager::new(), 2_000, false).count(2_000), 1.0);
}

#[test]
fn a_count_is_exact_next_to_a_power_of_two() {
    let all_but_one = conjunction(&Manager::new(), 53, true).not();
    assert_eq!(all_but_one.count(53), 2f64.powi(53) - 1.0);
}

#[test]
fn nothing_counts_zero_however_many_variables_there_are() {
    assert_eq!(Manager::new().zero().count(5_000), 0.0);
}

#[test]
fn a_count_out_of_range_is_infinite() {
    assert_eq!(Manager::new().one().count(5_000), f64::INFINITY);
}

#[test]
fn a_count_in_range_is_finite_though_its_share_is_not() {
    let manager = Manager::new();
    assert_eq!(
        conjunction(&manager, 4_000, false).count(4_100),
        2f64.powi(100)
    );
}

#[test]
fn an_exact_count_has_all_digits() {
    let all_but_one = conjunction(&Manager::new(), 127, true).not();
    assert_eq!(all_but_one.count_exactly(127), Some((1 << 127) - 1));
}

#[test]
fn an_exact_count_that_does_not_fit_is_none() {
    assert_eq!(Manager::new().one().count_exactly(128), None);
}

#[test]
fn the_density_of_a_conjunction_keeps_its_digits() {
    let cube = conjunction(&Manager::new(), 1_000, false);
    assert_eq!(cube.density(), 2f64.powi(-1_000));
}
