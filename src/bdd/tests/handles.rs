//! Handles and their manager.

use crate::bdd::Manager;

#[test]
fn a_handle_outlives_its_manager() {
    let manager = Manager::new();
    let variable = manager.new_variable().unwrap();
    let literal = manager.literal(variable).unwrap();
    drop(manager);
    assert!(literal.evaluate(|_| true));
}

#[cfg(not(feature = "cudd"))]
#[test]
fn a_dropped_handle_gives_its_nodes_back() {
    let manager = Manager::new();
    let variable = manager.new_variable().unwrap();
    drop(manager.literal(variable).unwrap());
    manager.collect_garbage();
    assert_eq!(manager.statistics().nodes, 0);
}

#[test]
fn a_clone_keeps_the_nodes() {
    let manager = Manager::new();
    let variable = manager.new_variable().unwrap();
    let literal = manager.literal(variable).unwrap();
    let clone = literal.clone();
    drop(literal);
    manager.collect_garbage();
    assert!(clone.evaluate(|_| true));
}

#[test]
fn functions_of_different_managers_are_not_equal() {
    assert_ne!(Manager::new().one(), Manager::new().one());
}

#[test]
#[should_panic(expected = "different managers")]
fn an_operation_on_functions_of_different_managers_is_refused() {
    let _ = Manager::new().one().and(&Manager::new().one());
}

#[test]
#[should_panic(expected = "different managers")]
fn a_substitution_of_another_manager_is_refused() {
    let (manager, other) = (Manager::new(), Manager::new());
    let variable = other.new_variable().unwrap();
    let substitution = other.substitution(&[(variable, other.one())]);
    let _ = manager.one().compose(&substitution);
}

#[test]
#[should_panic(expected = "different managers")]
fn an_image_of_another_manager_is_refused() {
    let (manager, other) = (Manager::new(), Manager::new());
    let variable = manager.new_variable().unwrap();
    manager.substitution(&[(variable, other.one())]);
}

#[test]
fn the_last_image_of_a_variable_counts() {
    let manager = Manager::new();
    let variable = manager.new_variable().unwrap();
    let pairs = [(variable, manager.one()), (variable, manager.zero())];
    let substitution = manager.substitution(&pairs);
    let literal = manager.literal(variable).unwrap();
    assert!(literal.compose(&substitution).unwrap().is_zero());
}

#[test]
fn a_substitution_leaves_later_variables_alone() {
    let manager = Manager::new();
    let variable = manager.new_variable().unwrap();
    let substitution = manager.substitution(&[(variable, manager.one())]);
    let later = manager.new_variable().unwrap();
    let literal = manager.literal(later).unwrap();
    assert_eq!(literal.compose(&substitution).unwrap(), literal);
}

#[test]
fn a_cube_with_both_values_of_a_variable_is_zero() {
    let manager = Manager::new();
    let variable = manager.new_variable().unwrap();
    let cube = manager.cube(&[(variable, true), (variable, false)]);
    assert!(cube.unwrap().is_zero());
}
