//! What the operands of an instruction stand for, with so many variables at hand.

use super::program::{Instruction, REGISTERS};
use crate::bdd::Variable;
use crate::random::Random;

pub struct Operands<'a> {
    pub values: &'a [u32],
    /// How many variables there are.
    variables: usize,
}

impl<'a> Operands<'a> {
    pub fn new(instruction: &'a Instruction, variables: usize) -> Operands<'a> {
        Operands {
            values: &instruction.operands,
            variables,
        }
    }

    pub fn register(&self, position: usize) -> usize {
        self.values
            .get(position)
            .map_or(0, |&value| value as usize % REGISTERS)
    }

    pub fn all(&self) -> Vec<Variable> {
        (0..self.variables)
            .map(|index| Variable(index as _))
            .collect()
    }

    pub fn variable(&self, position: usize) -> Variable {
        self.all()[self.values[position] as usize % self.variables]
    }

    pub fn set(&self, position: usize) -> u32 {
        self.values[position] & ((1u64 << self.variables) - 1) as u32
    }

    pub fn variables_of(&self, position: usize) -> Vec<Variable> {
        let set = self.set(position);
        let chosen = |variable: &Variable| set >> variable.index() & 1 != 0;
        self.all().into_iter().filter(chosen).collect()
    }

    pub fn random_cubes(&self, count: usize, seed: usize) -> Vec<Vec<(Variable, bool)>> {
        let random = &mut Random::new(self.values[seed] as u64);
        let mut cube = || {
            let mut variables = self.all();
            random.shuffle(&mut variables);
            variables.truncate(1 + random.below(4));
            variables
                .into_iter()
                .map(|v| (v, random.below(2) > 0))
                .collect()
        };
        // Many variables and many cubes would make functions that nothing can handle.
        let bound = if self.variables > 14 { 9 } else { 24 };
        (0..=self.values[count] % bound).map(|_| cube()).collect()
    }

    pub fn literals(&self, variables: usize, values: usize) -> Vec<(Variable, bool)> {
        let values = self.values[values];
        let chosen = self.variables_of(variables);
        let literal = |variable: Variable| (variable, values >> variable.index() & 1 != 0);
        chosen.into_iter().map(literal).collect()
    }
}

pub fn indices(literals: &[(Variable, bool)]) -> Vec<(usize, bool)> {
    literals
        .iter()
        .map(|(variable, value)| (variable.index(), *value))
        .collect()
}
