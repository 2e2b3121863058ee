//! The smallest expression for a partly specified function of few signals.
//!
//! Functions of up to [`FEW`] signals are truth tables in a machine word. Expressions are
//! enumerated by cost, each table once, until one fits between what must be true and what
//! may be: so the first one found is the cheapest. Negation costs nothing, as it does in
//! an and-inverter netlist and nearly so for a reader.

use crate::design::{Function, Literal};
use std::collections::HashMap;

/// How many signals a truth table has at the most.
pub const FEW: usize = 4;
/// Expressions with more operators are left to sums of products.
pub const MOST_OPERATORS: usize = 4;

/// What a function of a few signals must be: bit `k` stands for the point in which signal
/// `i` has the value of bit `i` of `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    pub signals: usize,
    pub on: u16,
    pub off: u16,
}

#[derive(Clone, Copy)]
enum Shape {
    Constant,
    Signal(usize),
    And(u16, u16),
    Or(u16, u16),
    Xor(u16, u16),
}

impl Table {
    fn fits(&self, table: u16) -> bool {
        self.on & !table == 0 && self.off & table == 0
    }

    /// The cheapest function that fits, over the given literals.
    pub fn smallest(&self, literals: &[Literal]) -> Option<Function> {
        self.smallest_ones(literals, 1).pop()
    }

    /// The functions that fit, the cheapest first, up to so many.
    pub fn smallest_ones(&self, literals: &[Literal], most: usize) -> Vec<Function> {
        let mut catalogue = Catalogue::new(self.signals);
        let mut found = Vec::new();
        for operators in 0..=MOST_OPERATORS {
            let level = catalogue.with_operators(operators).iter();
            found.extend(level.copied().filter(|table| self.fits(*table)));
            if found.len() >= most {
                break;
            }
        }
        found.truncate(most);
        let function = |table: u16| catalogue.function(table, literals);
        found.into_iter().map(function).collect()
    }
}

/// Functions of a few signals by the number of their operators, found as they are asked for.
pub struct Catalogue {
    signals: usize,
    /// How each table came about. A table and its complement always come together.
    known: HashMap<u16, Shape>,
    by_operators: Vec<Vec<u16>>,
}

impl Catalogue {
    /// Of at most [`FEW`] signals.
    pub fn new(signals: usize) -> Catalogue {
        let mut catalogue = Catalogue {
            signals,
            known: HashMap::new(),
            by_operators: Vec::new(),
        };
        let mut level = Vec::new();
        catalogue.learn(&mut level, 0, Shape::Constant);
        for signal in 0..signals {
            let table = signal_table(signal) & catalogue.mask();
            catalogue.learn(&mut level, table, Shape::Signal(signal));
        }
        catalogue.by_operators.push(level);
        catalogue
    }

    fn mask(&self) -> u16 {
        if self.signals == FEW {
            u16::MAX
        } else {
            (1 << (1 << self.signals)) - 1
        }
    }

    /// The tables for which this many operators are needed; none beyond
    /// [`MOST_OPERATORS`].
    pub fn with_operators(&mut self, operators: usize) -> &[u16] {
        while self.by_operators.len() <= operators.min(MOST_OPERATORS) {
            self.add_level();
        }
        self.by_operators.get(operators).map_or(&[], Vec::as_slice)
    }

    fn add_level(&mut self) {
        let mut level = Vec::new();
        let operators = self.by_operators.len();
        for left_operators in 0..operators.div_ceil(2) {
            let right_operators = operators - 1 - left_operators;
            for left in 0..self.by_operators[left_operators].len() {
                let left = self.by_operators[left_operators][left];
                for right in 0..self.by_operators[right_operators].len() {
                    let right = self.by_operators[right_operators][right];
                    self.learn(&mut level, left & right, Shape::And(left, right));
                    self.learn(&mut level, left | right, Shape::Or(left, right));
                    self.learn(&mut level, left ^ right, Shape::Xor(left, right));
                }
            }
        }
        self.by_operators.push(level);
    }

    fn learn(&mut self, level: &mut Vec<u16>, table: u16, shape: Shape) {
        let complement = !table & self.mask();
        if self.known.contains_key(&table) || self.known.contains_key(&complement) {
            return;
        }
        self.known.insert(table, shape);
        level.push(table);
        level.push(complement);
    }

    /// A table of the catalogue as an expression over these literals.
    pub fn function(&self, table: u16, literals: &[Literal]) -> Function {
        build(&self.known, table, self.mask(), literals)
    }
}

/// The table of a signal over all [`FEW`] signals.
fn signal_table(signal: usize) -> u16 {
    [0xaaaa, 0xcccc, 0xf0f0, 0xff00][signal]
}

fn build(known: &HashMap<u16, Shape>, table: u16, mask: u16, literals: &[Literal]) -> Function {
    let Some(shape) = known.get(&table) else {
        return negation(build(known, !table & mask, mask, literals));
    };
    let sub = |table: u16| build(known, table, mask, literals);
    match *shape {
        Shape::Constant => Function::Constant(false),
        Shape::Signal(signal) => Function::Signal(literals[signal]),
        Shape::And(left, right) => Function::And(vec![sub(left), sub(right)]),
        Shape::Or(left, right) => Function::Or(vec![sub(left), sub(right)]),
        Shape::Xor(left, right) => Function::Xor(Box::new(sub(left)), Box::new(sub(right))),
    }
}

/// The negation, without a negation around a constant, a signal or another negation.
pub fn negation(function: Function) -> Function {
    match function {
        Function::Constant(value) => Function::Constant(!value),
        Function::Signal(literal) => Function::Signal(!literal),
        Function::Not(operand) => *operand,
        other => Function::Not(Box::new(other)),
    }
}

/// How many operators and signals a reader has to take in.
pub fn cost(function: &Function) -> usize {
    match function {
        Function::Constant(_) => 0,
        Function::Signal(_) => 1,
        Function::Not(operand) => cost(operand) + 1,
        Function::And(operands) | Function::Or(operands) => {
            operands.iter().map(|operand| cost(operand) + 1).sum()
        }
        Function::Xor(left, right) => cost(left) + cost(right) + 1,
        Function::Mux(condition, then, otherwise) => {
            cost(condition) + cost(then) + cost(otherwise) + 1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Design, InputKind};

    fn evaluate(function: &Function, literals: &[Literal], point: usize) -> bool {
        let value = |literal: Literal| {
            let index = literals
                .iter()
                .position(|known| known.node() == literal.node());
            let index = index.expect("functions read only the given literals");
            (point >> index & 1 == 1)
                ^ (literal.is_complemented() != literals[index].is_complemented())
        };
        match function {
            Function::Constant(value) => *value,
            Function::Signal(literal) => value(*literal),
            Function::Not(operand) => !evaluate(operand, literals, point),
            Function::And(operands) => operands.iter().all(|f| evaluate(f, literals, point)),
            Function::Or(operands) => operands.iter().any(|f| evaluate(f, literals, point)),
            Function::Xor(left, right) => {
                evaluate(left, literals, point) != evaluate(right, literals, point)
            }
            Function::Mux(..) => unreachable!("not made here"),
        }
    }

    #[test]
    fn every_function_of_three_signals_has_a_fitting_expression() {
        let mut design = Design::new();
        let literals: Vec<Literal> = (0..3)
            .map(|_| design.add_input(InputKind::Environment).literal())
            .collect();
        let mut missing = 0;
        for on in 0..=255u16 {
            let table = Table {
                signals: 3,
                on,
                off: !on & 255,
            };
            match table.smallest(&literals) {
                None => missing += 1,
                Some(function) => {
                    let computed = (0..8).fold(0u16, |sum, point| {
                        sum | (evaluate(&function, &literals, point) as u16) << point
                    });
                    assert_eq!(computed, on, "{function}");
                }
            }
        }
        assert_eq!(missing, 0);
    }

    #[test]
    fn freedom_is_used() {
        let mut design = Design::new();
        let literals: Vec<Literal> = (0..2)
            .map(|_| design.add_input(InputKind::Environment).literal())
            .collect();
        let check = |on, off, expected: Function| {
            let table = Table {
                signals: 2,
                on,
                off,
            };
            assert_eq!(table.smallest(&literals), Some(expected));
        };
        check(0b1000, 0b0001, Function::Signal(literals[0]));
        check(0b1000, 0b0000, Function::Constant(true));
        check(0b0000, 0b0110, Function::Constant(false));
        check(
            0b0110,
            0b1001,
            Function::Xor(
                Box::new(Function::Signal(literals[0])),
                Box::new(Function::Signal(literals[1])),
            ),
        );
    }
}
