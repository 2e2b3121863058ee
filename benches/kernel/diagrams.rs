//! What the cases need of a manager, with operators and without errors: no limit is set,
//! so none can end an operation.

use respin::bdd::{Bdd, Manager, Reordering, Substitution, Variable, VariableSet};
use std::ops::{BitAnd, BitOr, BitXor, Not};

const NO_LIMIT: &str = "no limit is set";

pub struct Diagrams {
    pub manager: Manager,
}

#[derive(Clone, PartialEq)]
pub struct Function(pub Bdd);

impl Diagrams {
    pub fn new(reordering: bool) -> Diagrams {
        let manager = Manager::new();
        manager.set_reordering(Reordering {
            automatic: reordering,
            ..Reordering::default()
        });
        Diagrams { manager }
    }

    pub fn one(&self) -> Function {
        Function(self.manager.one())
    }

    pub fn zero(&self) -> Function {
        Function(self.manager.zero())
    }

    pub fn variables(&self, count: usize) -> Vec<Variable> {
        self.manager.new_variables(count).expect(NO_LIMIT)
    }

    pub fn literal(&self, variable: Variable) -> Function {
        Function(self.manager.literal(variable).expect(NO_LIMIT))
    }

    pub fn literals(&self, variables: &[Variable]) -> Vec<Function> {
        variables
            .iter()
            .map(|&variable| self.literal(variable))
            .collect()
    }

    pub fn set(&self, variables: &[Variable]) -> VariableSet {
        self.manager.set(variables).expect(NO_LIMIT)
    }

    pub fn renaming(&self, from: &[Variable], to: &[Variable]) -> Substitution {
        let pairs: Vec<_> = from.iter().copied().zip(to.iter().copied()).collect();
        self.manager.renaming(&pairs).expect(NO_LIMIT)
    }

    pub fn substitution(&self, variables: &[Variable], images: &[Function]) -> Substitution {
        let images = images.iter().map(|image| image.0.clone());
        let pairs: Vec<_> = variables.iter().copied().zip(images).collect();
        self.manager.substitution(&pairs)
    }
}

impl Function {
    pub fn ite(&self, then: &Function, otherwise: &Function) -> Function {
        Function(self.0.ite(&then.0, &otherwise.0).expect(NO_LIMIT))
    }

    pub fn forall(&self, variables: &VariableSet) -> Function {
        Function(self.0.forall(variables).expect(NO_LIMIT))
    }

    pub fn and_exists(&self, other: &Function, variables: &VariableSet) -> Function {
        Function(self.0.and_exists(&other.0, variables).expect(NO_LIMIT))
    }

    pub fn or_forall(&self, other: &Function, variables: &VariableSet) -> Function {
        Function(self.0.or_forall(&other.0, variables).expect(NO_LIMIT))
    }

    pub fn compose(&self, substitution: &Substitution) -> Function {
        Function(self.0.compose(substitution).expect(NO_LIMIT))
    }
}

impl Not for &Function {
    type Output = Function;

    fn not(self) -> Function {
        Function(self.0.not())
    }
}

impl Not for Function {
    type Output = Function;

    fn not(self) -> Function {
        Function(self.0.not())
    }
}

/// An operator on functions and on references to them.
macro_rules! operator {
    ($trait:ident, $method:ident, $operation:ident) => {
        operator!($trait, $method, $operation, Function, Function);
        operator!($trait, $method, $operation, Function, &Function);
        operator!($trait, $method, $operation, &Function, Function);
        operator!($trait, $method, $operation, &Function, &Function);
    };
    ($trait:ident, $method:ident, $operation:ident, $left:ty, $right:ty) => {
        impl $trait<$right> for $left {
            type Output = Function;

            fn $method(self, other: $right) -> Function {
                Function(self.0.$operation(&other.0).expect(NO_LIMIT))
            }
        }
    };
}

operator!(BitAnd, bitand, and);
operator!(BitOr, bitor, or);
operator!(BitXor, bitxor, xor);
