//! The random programs find faults: each kind that is planted in the kernel is noticed,
//! and what is left after shrinking is short.

use super::differential::{compare, program};
use super::program::Program;
use super::shrink::shrink;
use crate::bdd::Manager;
use crate::bdd::kernel::Fault;

fn fails(program: &Program, fault: Fault) -> bool {
    let manager = Manager::new();
    manager.kernel_mut().plant(fault);
    compare(program, manager).is_err()
}

/// The first random program that finds the fault.
fn find(fault: Fault) -> Option<Program> {
    let programs = (0..2_000).map(program);
    programs.into_iter().find(|program| fails(program, fault))
}

#[test]
fn a_wrong_complement_is_found() {
    assert!(find(Fault::WrongComplement).is_some());
}

#[test]
fn a_stale_computed_result_is_found() {
    assert!(find(Fault::StaleCache).is_some());
}

#[test]
fn a_forgotten_protection_is_found() {
    assert!(find(Fault::ForgottenProtection).is_some());
}

#[test]
fn a_node_freed_too_early_is_found() {
    assert!(find(Fault::EarlyFree).is_some());
}

#[test]
fn a_node_that_is_never_freed_is_found() {
    assert!(find(Fault::NoFree).is_some());
}

#[test]
fn a_shrunk_program_needs_each_of_its_instructions() {
    let fault = Fault::StaleCache;
    let found = find(fault).expect("a program that finds the fault");
    let shrunk = shrink(found, |program| fails(program, fault));
    let needless = (0..shrunk.instructions.len()).filter(|&index| {
        let mut shorter = shrunk.clone();
        shorter.instructions.remove(index);
        fails(&shorter, fault)
    });
    assert_eq!(
        needless.collect::<Vec<_>>(),
        Vec::<usize>::new(),
        "{shrunk}"
    );
}

#[test]
fn a_shrunk_program_still_fails() {
    let faults = [
        Fault::WrongComplement,
        Fault::StaleCache,
        Fault::ForgottenProtection,
        Fault::EarlyFree,
        Fault::NoFree,
    ];
    let lost = faults.into_iter().filter(|&fault| {
        let found = find(fault).expect("a program that finds the fault");
        !fails(&shrink(found, |program| fails(program, fault)), fault)
    });
    assert_eq!(lost.collect::<Vec<_>>(), Vec::<Fault>::new());
}
