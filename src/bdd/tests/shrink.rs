//! Makes a failing program small: fewer instructions, fewer variables, smaller operands.

use super::program::Program;
use std::time::{Duration, Instant};

/// A small program is nice to have, but not at any price.
const PATIENCE: Duration = Duration::from_secs(60);

/// A program that still fails, from which nothing can be left out.
pub fn shrink(program: Program, fails: impl Fn(&Program) -> bool) -> Program {
    let start = Instant::now();
    let fails = |program: &Program| start.elapsed() < PATIENCE && fails(program);
    let mut smallest = program;
    loop {
        let before = smallest.clone();
        smallest = without_instructions(smallest, &fails);
        smallest = with_fewer_variables(smallest, &fails);
        smallest = with_smaller_operands(smallest, &fails);
        if smallest == before {
            return smallest;
        }
    }
}

/// Leaves out longer and then shorter runs of instructions, from the end.
fn without_instructions(program: Program, fails: &impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program;
    let mut length = smallest.instructions.len().div_ceil(2).max(1);
    loop {
        let mut end = smallest.instructions.len();
        while end > 0 {
            let start = end.saturating_sub(length);
            let mut shorter = smallest.clone();
            shorter.instructions.drain(start..end);
            if fails(&shorter) {
                smallest = shorter;
            }
            end = start;
        }
        if length == 1 {
            return smallest;
        }
        length = length.div_ceil(2);
    }
}

fn with_fewer_variables(program: Program, fails: &impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program;
    while smallest.variables > 1 {
        let mut smaller = smallest.clone();
        smaller.variables -= 1;
        smaller.initial = smaller.initial.min(smaller.variables);
        if !fails(&smaller) {
            break;
        }
        smallest = smaller;
    }
    smallest
}

fn with_smaller_operands(program: Program, fails: &impl Fn(&Program) -> bool) -> Program {
    let mut smallest = program;
    for instruction in 0..smallest.instructions.len() {
        for operand in 0..smallest.instructions[instruction].operands.len() {
            let value = smallest.instructions[instruction].operands[operand];
            let bits = (0..32).map(|bit| value & !(1 << bit));
            for smaller_value in std::iter::once(0).chain(bits.rev()) {
                let current = smallest.instructions[instruction].operands[operand];
                let smaller_value = smaller_value & current;
                if smaller_value == current {
                    continue;
                }
                let mut smaller = smallest.clone();
                smaller.instructions[instruction].operands[operand] = smaller_value;
                if fails(&smaller) {
                    smallest = smaller;
                }
            }
        }
    }
    smallest
}
