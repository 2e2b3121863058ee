//! Orders that are asked for, and groups.

use crate::bdd::{Bdd, Limits, Manager, Variable};
use crate::random::Random;
use std::time::{Duration, Instant};

#[test]
fn an_order_is_set() {
    let manager = Manager::new();
    let mut order = manager.new_variables(5).unwrap();
    order.reverse();
    manager.set_order(&order).unwrap();
    assert_eq!(manager.order(), order);
}

#[test]
#[should_panic(expected = "each variable once")]
fn an_order_with_a_missing_variable_is_refused() {
    let manager = Manager::new();
    let variables = manager.new_variables(3).unwrap();
    let _ = manager.set_order(&variables[1..]);
}

#[test]
#[should_panic(expected = "group")]
fn an_order_that_tears_a_group_apart_is_refused() {
    let manager = Manager::new();
    let v = manager.new_variables(3).unwrap();
    manager.group(&v[..2]);
    let _ = manager.set_order(&[v[0], v[2], v[1]]);
}

#[test]
#[should_panic(expected = "neighbouring")]
fn a_group_of_variables_apart_is_refused() {
    let manager = Manager::new();
    let v = manager.new_variables(3).unwrap();
    manager.group(&[v[0], v[2]]);
}

#[test]
#[should_panic(expected = "neighbouring")]
fn a_group_of_variables_apart_is_refused_also_if_one_is_named_twice() {
    let manager = Manager::new();
    let v = manager.new_variables(3).unwrap();
    manager.group(&[v[0], v[0], v[2]]);
}

#[test]
#[should_panic(expected = "another group")]
fn a_group_that_takes_a_variable_out_of_another_is_refused() {
    let manager = Manager::new();
    let v = manager.new_variables(3).unwrap();
    manager.group(&v[..2]);
    manager.group(&v[1..]);
}

#[test]
fn a_group_may_grow() {
    let manager = Manager::new();
    let v = manager.new_variables(3).unwrap();
    manager.group(&v[..2]);
    manager.group(&v);
    manager.set_order(&[v[0], v[1], v[2]]).unwrap();
    assert_eq!(manager.order(), v);
}

/// A manager with groups of three, and functions that make it slow to bring them into
/// another order.
fn manager_with_groups() -> (Manager, Vec<Vec<Variable>>, Vec<Bdd>) {
    let manager = Manager::new();
    let variables = manager.new_variables(30).unwrap();
    let groups: Vec<Vec<Variable>> = variables.chunks(3).map(<[_]>::to_vec).collect();
    for group in &groups {
        manager.group(group);
    }
    let random = &mut Random::new(3);
    let functions = (0..8).map(|_| {
        (0..6).fold(manager.zero(), |sum, _| {
            let mut literals: Vec<(Variable, bool)> = Vec::new();
            for _ in 0..4 {
                let variable = variables[random.below(variables.len())];
                if literals.iter().all(|(other, _)| *other != variable) {
                    literals.push((variable, random.below(2) > 0));
                }
            }
            sum.xor(&manager.cube(&literals).unwrap()).unwrap()
        })
    });
    let functions = functions.collect();
    (manager, groups, functions)
}

#[test]
fn an_order_given_up_at_any_moment_leaves_groups_whole() {
    let (manager, groups, _functions) = manager_with_groups();
    let random = &mut Random::new(5);
    let torn = (0..400).any(|microseconds| {
        let mut blocks = groups.clone();
        random.shuffle(&mut blocks);
        manager.set_limits(Limits {
            deadline: Some(Instant::now() + Duration::from_micros(microseconds)),
            ..Limits::default()
        });
        let _ = manager.set_order(&blocks.concat());
        groups.iter().any(|group| {
            let first = manager.level(group[0]);
            (group.iter().zip(first..)).any(|(&v, level)| manager.level(v) != level)
        })
    });
    assert!(!torn);
}

#[test]
fn a_reordering_given_up_at_any_moment_leaves_groups_whole() {
    let (manager, groups, _functions) = manager_with_groups();
    let random = &mut Random::new(7);
    let torn = (0..400).any(|microseconds| {
        let mut blocks = groups.clone();
        random.shuffle(&mut blocks);
        manager.set_limits(Limits::default());
        manager.set_order(&blocks.concat()).unwrap();
        manager.set_limits(Limits {
            deadline: Some(Instant::now() + Duration::from_micros(microseconds)),
            ..Limits::default()
        });
        let _ = manager.reorder();
        groups.iter().any(|group| {
            let first = manager.level(group[0]);
            (group.iter().zip(first..)).any(|(&v, level)| manager.level(v) != level)
        })
    });
    assert!(!torn);
}
