//! Functions of very many variables, on a small stack: recursion must bring its own.

use crate::bdd::{Bdd, Manager, Reordering, Variable};
use std::thread;
use std::time::Duration;

const VARIABLES: usize = 20_000;
const STACK: usize = 2 << 20;

struct Deep {
    manager: Manager,
    variables: Vec<Variable>,
    conjunction: Bdd,
    parity: Bdd,
}

impl Deep {
    fn new() -> Deep {
        let manager = Manager::new();
        manager.set_reordering(Reordering {
            automatic: false,
            time_limit: Some(Duration::from_millis(200)),
            ..Reordering::default()
        });
        let variables = manager.new_variables(VARIABLES).unwrap();
        let literals: Vec<_> = variables.iter().map(|&v| (v, true)).collect();
        let conjunction = manager.cube(&literals).unwrap();
        // From the bottom up, each step makes one node.
        let parity = variables.iter().rev().fold(manager.zero(), |parity, &v| {
            manager.literal(v).unwrap().xor(&parity).unwrap()
        });
        Deep {
            manager,
            variables,
            conjunction,
            parity,
        }
    }
}

/// Does the work in a thread with a small stack.
fn on_a_small_stack(work: impl FnOnce(Deep) + Send + 'static) {
    let thread = thread::Builder::new().stack_size(STACK);
    // The many small operations of the setup would each map a stack of their own.
    let build = || crate::stack::with_bytes(4 * 1024 * VARIABLES, Deep::new);
    let running = thread.spawn(move || work(build())).unwrap();
    running.join().unwrap();
}

#[test]
fn building_deep_functions() {
    let thread = thread::Builder::new().stack_size(STACK);
    let running = thread.spawn(|| Deep::new().parity.size()).unwrap();
    assert_eq!(running.join().unwrap(), VARIABLES);
}

#[test]
fn conjunction_of_deep_functions() {
    on_a_small_stack(|deep| {
        // The parity of an even number of ones is 0.
        assert!(deep.conjunction.and(&deep.parity).unwrap().is_zero());
    });
}

#[test]
fn exclusive_or_of_deep_functions() {
    on_a_small_stack(|deep| {
        let both = deep.parity.xor(&deep.conjunction).unwrap();
        assert_eq!(both.xor(&deep.parity).unwrap(), deep.conjunction);
    });
}

#[test]
fn if_then_else_of_deep_functions() {
    on_a_small_stack(|deep| {
        let Deep {
            conjunction,
            parity,
            ..
        } = deep;
        let disjunction = conjunction.ite(&parity.not(), &parity).unwrap();
        assert_eq!(disjunction, conjunction.or(&parity).unwrap());
    });
}

#[test]
fn implication_of_deep_functions() {
    on_a_small_stack(|deep| {
        assert!(deep.conjunction.is_subset_of(&deep.parity.not()).unwrap());
    });
}

#[test]
fn quantification_of_deep_functions() {
    on_a_small_stack(|deep| {
        let half: Vec<Variable> = deep.variables.iter().copied().step_by(2).collect();
        let set = deep.manager.set(&half).unwrap();
        assert_eq!(deep.conjunction.exists(&set).unwrap().size(), VARIABLES / 2);
    });
}

#[test]
fn relational_product_of_deep_functions() {
    on_a_small_stack(|deep| {
        let half: Vec<Variable> = deep.variables.iter().copied().step_by(2).collect();
        let set = deep.manager.set(&half).unwrap();
        let odd = deep.parity.not();
        let product = deep.conjunction.and_exists(&odd, &set).unwrap();
        assert_eq!(product.size(), VARIABLES / 2);
    });
}

#[test]
fn renaming_of_deep_functions() {
    on_a_small_stack(|deep| {
        let pairs: Vec<_> = (0..VARIABLES)
            .map(|index| (deep.variables[index], deep.variables[index ^ 1]))
            .collect();
        let exchanged = deep.manager.renaming(&pairs).unwrap();
        assert_eq!(deep.parity.compose(&exchanged).unwrap(), deep.parity);
    });
}

#[test]
fn composition_with_deep_functions() {
    on_a_small_stack(|deep| {
        let last = deep.variables[VARIABLES - 1];
        let pairs = [(last, deep.parity.clone())];
        let literal = deep.manager.literal(last).unwrap();
        let substitution = deep.manager.substitution(&pairs);
        assert_eq!(literal.compose(&substitution).unwrap(), deep.parity);
    });
}

#[test]
fn generalised_cofactor_of_deep_functions() {
    on_a_small_stack(|deep| {
        let result = deep.parity.constrain(&deep.conjunction).unwrap();
        assert!(result.is_zero());
    });
}

#[test]
fn minimisation_of_deep_functions() {
    on_a_small_stack(|deep| {
        let result = deep.parity.minimize(&deep.conjunction).unwrap();
        assert!(result.is_zero());
    });
}

#[test]
fn cover_of_a_deep_conjunction() {
    on_a_small_stack(|deep| assert_eq!(deep.conjunction.cover().unwrap().len(), 1));
}

#[test]
fn cover_of_a_deep_parity() {
    on_a_small_stack(|deep| {
        let cover = deep.parity.cover().unwrap();
        assert_eq!(*cover.function(), deep.parity);
    });
}

#[test]
fn text_of_deep_functions() {
    on_a_small_stack(|deep| {
        let name = |variable: Variable| format!("v{}", variable.index());
        let text = deep.manager.to_text(&[("p", &deep.parity)], name);
        let find = |name: &str| Some(deep.variables[name[1..].parse::<usize>().ok()?]);
        let read = deep.manager.from_text(&text, find).unwrap();
        assert_eq!(read, [("p".to_string(), deep.parity)]);
    });
}

#[test]
fn reordering_of_deep_functions() {
    on_a_small_stack(|deep| {
        deep.manager.reorder().unwrap();
        assert_eq!(deep.manager.check_consistency(), Ok(()));
    });
}

#[test]
fn count_of_a_deep_function() {
    on_a_small_stack(|deep| assert_eq!(deep.parity.density(), 0.5));
}

#[test]
fn drop_of_deep_functions() {
    on_a_small_stack(|deep| {
        let manager = deep.manager.clone();
        drop(deep);
        manager.collect_garbage();
        assert_eq!(manager.statistics().nodes, 0);
    });
}
