//! What reordering must achieve, and what it must respect.

use super::differential::compare;
use crate::bdd::{Bdd, Error, Limits, Manager, Reordering, Variable};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn manager_without_reordering() -> Manager {
    let manager = Manager::new();
    manager.set_reordering(Reordering {
        automatic: false,
        ..Reordering::default()
    });
    manager
}

/// `x1 <-> y1 & ... & xn <-> yn`
fn equality(manager: &Manager, xs: &[Variable], ys: &[Variable]) -> Bdd {
    let pairs = xs.iter().zip(ys).rev();
    pairs.fold(manager.one(), |all, (&x, &y)| {
        let (x, y) = (manager.literal(x).unwrap(), manager.literal(y).unwrap());
        all.and(&x.iff(&y).unwrap()).unwrap()
    })
}

/// Two words in the order x1 ... xn y1 ... yn, which is the worst for their equality, and
/// the equality.
fn apart(manager: &Manager, width: usize) -> (Vec<Variable>, Vec<Variable>, Bdd) {
    let xs = manager.new_variables(width).unwrap();
    let ys = manager.new_variables(width).unwrap();
    let function = equality(manager, &xs, &ys);
    (xs, ys, function)
}

fn adjacent(manager: &Manager, group: &[Variable]) -> bool {
    let first = manager.level(group[0]);
    let mut places = group.iter().zip(first..);
    places.all(|(&variable, level)| manager.level(variable) == level)
}

#[test]
fn the_worst_order_of_an_equality_is_exponential() {
    let manager = manager_without_reordering();
    let (_, _, function) = apart(&manager, 12);
    // The test below would show nothing if it began small.
    assert!(function.size() > 1 << 12);
}

#[test]
fn sifting_finds_the_best_order_of_an_equality() {
    let manager = manager_without_reordering();
    let (_, _, function) = apart(&manager, 12);
    manager.reorder_until_stable().unwrap();
    // Three nodes a pair, but the last y is its own complement.
    assert_eq!(function.size(), 3 * 12 - 1);
}

#[test]
fn automatic_reordering_keeps_an_equality_small() {
    let manager = Manager::new();
    manager.set_reordering(Reordering {
        first_at: 500,
        ..Reordering::default()
    });
    let (_, _, function) = apart(&manager, 16);
    assert!(function.size() < 500, "{} nodes", function.size());
}

/// Words whose pairs `x y` are grouped, with the pairs in an order that is bad for the
/// equality of each x with the y of another pair.
fn grouped(manager: &Manager, width: usize) -> (Vec<Vec<Variable>>, Bdd) {
    let variables = manager.new_variables(2 * width).unwrap();
    let groups: Vec<Vec<Variable>> = variables.chunks(2).map(<[_]>::to_vec).collect();
    for group in &groups {
        manager.group(group);
    }
    let half = width / 2;
    let (left, right) = variables.split_at(2 * half);
    (groups, equality(manager, left, &right[..2 * half]))
}

#[test]
fn group_sifting_finds_the_best_order_of_groups() {
    let manager = manager_without_reordering();
    let (_, function) = grouped(&manager, 12);
    manager.reorder_until_stable().unwrap();
    // Two groups next to each other, a b a' b': below a and b, four values are open.
    assert_eq!(function.size(), 6 * (1 + 2 + 4 + 2) - 1);
}

#[test]
fn group_sifting_keeps_groups_together() {
    let manager = manager_without_reordering();
    let (groups, _function) = grouped(&manager, 12);
    manager.reorder_until_stable().unwrap();
    assert!(groups.iter().all(|group| adjacent(&manager, group)));
}

#[test]
fn group_sifting_moves_groups_at_all() {
    let manager = manager_without_reordering();
    let (_, _function) = grouped(&manager, 12);
    let before = manager.order();
    manager.reorder().unwrap();
    assert_ne!(manager.order(), before);
}

/// Whether the words ascend; each is given by its digits, the lowest first.
#[cfg(not(feature = "cudd"))]
fn ascending(manager: &Manager, words: &[Vec<Variable>]) -> Bdd {
    let less = |a: &[Variable], b: &[Variable]| {
        a.iter().zip(b).fold(manager.zero(), |less, (&x, &y)| {
            let (x, y) = (manager.literal(x).unwrap(), manager.literal(y).unwrap());
            x.xor(&y).unwrap().ite(&y, &less).unwrap()
        })
    };
    words.windows(2).fold(manager.one(), |all, pair| {
        all.and(&less(&pair[0], &pair[1])).unwrap()
    })
}

/// CUDD has no search by runs.
#[cfg(not(feature = "cudd"))]
#[test]
fn sifting_until_stable_moves_what_only_moves_together() {
    const WORDS: usize = 4;
    const DIGITS: usize = 8;
    let manager = manager_without_reordering();
    // From the top: the highest digits of all words, then the second highest, ...
    let variables = manager.new_variables(WORDS * DIGITS).unwrap();
    let words: Vec<Vec<Variable>> = (0..WORDS)
        .map(|word| {
            variables
                .iter()
                .rev()
                .skip(word)
                .step_by(WORDS)
                .copied()
                .collect()
        })
        .collect();
    let function = ascending(&manager, &words);
    manager.reorder_until_stable().unwrap();
    let best = function.size();

    // The second digit goes below the sixth.
    let mut misplaced = variables.clone();
    misplaced[WORDS..6 * WORDS].rotate_left(WORDS);
    manager.set_order(&misplaced).unwrap();
    let mut size = usize::MAX;
    while function.size() < size {
        size = function.size();
        manager.reorder().unwrap();
    }
    // Otherwise the rest would show nothing.
    assert!(size > best + best / 10, "{size} nodes, at best {best}");
    manager.reorder_until_stable().unwrap();
    assert!(function.size() <= best, "{} nodes", function.size());
}

#[test]
fn variables_that_never_meet_stay_out_of_each_others_way() {
    let manager = manager_without_reordering();
    let (_, _, one) = apart(&manager, 6);
    let (_, _, other) = apart(&manager, 6);
    manager.reorder_until_stable().unwrap();
    assert_eq!(manager.shared_size(&[&one, &other]), 2 * (3 * 6 - 1));
}

#[test]
fn reordering_never_makes_diagrams_larger() {
    let manager = manager_without_reordering();
    let (xs, ys, _) = apart(&manager, 8);
    let mut order = Vec::new();
    for (x, y) in xs.iter().zip(&ys) {
        order.extend([*x, *y]);
    }
    manager.set_order(&order).unwrap();
    let function = equality(&manager, &xs, &ys);
    let before = function.size();
    manager.reorder().unwrap();
    assert!(function.size() <= before);
}

/// A function with so many nodes that sifting it takes a while.
fn large(manager: &Manager) -> Bdd {
    let (_, _, function) = apart(manager, 15);
    function
}

#[test]
fn a_reordering_ends_when_its_time_is_over() {
    let manager = manager_without_reordering();
    let _function = large(&manager);
    manager.set_reordering(Reordering {
        time_limit: Some(Duration::from_millis(1)),
        ..manager.reordering()
    });
    let start = Instant::now();
    manager.reorder().unwrap();
    // Far below what a whole reordering takes, and far above what one collection does.
    let taken = start.elapsed();
    assert!(taken < Duration::from_millis(150), "{taken:?}");
}

#[test]
fn a_reordering_out_of_time_is_no_error() {
    let manager = manager_without_reordering();
    let _function = large(&manager);
    manager.set_reordering(Reordering {
        time_limit: Some(Duration::ZERO),
        ..manager.reordering()
    });
    assert_eq!(manager.reorder(), Ok(()));
}

#[test]
fn a_reordering_past_the_deadline_is_an_error() {
    let manager = manager_without_reordering();
    let _function = large(&manager);
    manager.set_limits(Limits {
        deadline: Some(Instant::now()),
        ..Limits::default()
    });
    assert_eq!(manager.reorder(), Err(Error::Deadline));
}

#[test]
fn an_interrupted_reordering_is_an_error() {
    let manager = manager_without_reordering();
    let _function = large(&manager);
    manager.set_limits(Limits {
        interrupt: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    });
    assert_eq!(manager.reorder(), Err(Error::Interrupted));
}

#[test]
fn an_operation_ends_after_its_look_ups() {
    let manager = manager_without_reordering();
    let (xs, ys, function) = apart(&manager, 12);
    let others = equality(&manager, &ys[1..], &xs[1..]).not();
    let before = manager.statistics().cache_lookups;
    manager.set_limits(Limits {
        lookups: Some(before + 100),
        ..Limits::default()
    });
    assert_eq!(function.xor(&others).err(), Some(Error::Effort));
    manager.set_limits(Limits::default());
    let parts = function.xor(&others).unwrap();
    assert_eq!(parts.xor(&others), Ok(function));
}

#[test]
fn a_manager_without_nodes_is_stable() {
    let manager = Manager::new();
    assert_eq!(manager.reorder_until_stable(), Ok(()));
}

#[test]
fn reordering_on_request_does_not_put_off_automatic_reordering() {
    let manager = Manager::new();
    manager.set_reordering(Reordering {
        first_at: 500,
        ..Reordering::default()
    });
    for _ in 0..200 {
        manager.reorder().unwrap();
    }
    let (_, _, function) = apart(&manager, 16);
    assert!(function.size() < 500, "{} nodes", function.size());
}

#[test]
fn a_composition_larger_than_every_threshold_comes_to_an_end() {
    let program = "variables 13 of 13
        sum r5 22 459399
        sum r4 17 558881
        substitution 1 r3 {1001000010}
        xor r0 r2 r0
        compose r0 r5 1";
    let program = program.parse().unwrap();
    assert!(compare(&program, Manager::new()).is_ok());
}

#[test]
fn an_operation_larger_than_every_threshold_comes_to_an_end() {
    let manager = Manager::new();
    manager.set_reordering(Reordering {
        first_at: 1,
        ..Reordering::default()
    });
    let variables = manager.new_variables(24).unwrap();
    let scrambled = |step: usize| {
        (0..12).fold(manager.zero(), |sum, index| {
            let left = manager.literal(variables[index]).unwrap();
            let right = manager.literal(variables[(index * step + 3) % 12 + 12]);
            sum.xor(&left.and(&right.unwrap()).unwrap()).unwrap()
        })
    };
    let (f, g) = (scrambled(5), scrambled(7));
    manager.set_limits(Limits {
        deadline: Some(Instant::now() + Duration::from_secs(20)),
        ..Limits::default()
    });
    assert!(f.and(&g).is_ok());
}
