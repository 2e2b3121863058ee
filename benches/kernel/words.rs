//! Words of functions, latches, and fixpoints: the building blocks of the cases.

use crate::diagrams::{Diagrams, Function};
use respin::bdd::{Substitution, Variable};

pub fn any_of<'a>(d: &Diagrams, functions: impl IntoIterator<Item = &'a Function>) -> Function {
    let mut result = d.zero();
    for function in functions {
        result = result | function;
    }
    result
}

pub fn at_most_one(d: &Diagrams, functions: &[Function]) -> Function {
    let (mut none, mut one) = (d.one(), d.zero());
    for function in functions {
        one = function.ite(&none, &one);
        none = none & !function;
    }
    none | one
}

// Words have the lowest bit first.

pub fn less(d: &Diagrams, a: &[Function], b: &[Function]) -> Function {
    let mut result = d.zero();
    for (x, y) in a.iter().zip(b) {
        result = (x ^ y).ite(y, &result);
    }
    result
}

pub fn equal(d: &Diagrams, a: &[Function], b: &[Function]) -> Function {
    let mut result = d.one();
    for (x, y) in a.iter().zip(b) {
        result = result & !(x ^ y);
    }
    result
}

pub fn equal_to(d: &Diagrams, word: &[Function], value: usize) -> Function {
    let mut result = d.one();
    for (bit, function) in word.iter().enumerate() {
        let set = bit < usize::BITS as usize && value >> bit & 1 == 1;
        result = if set {
            result & function
        } else {
            result & !function
        };
    }
    result
}

pub fn increment(word: &[Function], mut carry: Function) -> Vec<Function> {
    let mut result = Vec::new();
    for bit in word {
        result.push(bit ^ &carry);
        carry = bit & carry;
    }
    result
}

/// The sum, as wide as the first word, and the carry.
pub fn add(d: &Diagrams, a: &[Function], b: &[Function]) -> (Vec<Function>, Function) {
    let zero = d.zero();
    let mut carry = d.zero();
    let mut result = Vec::new();
    for (i, x) in a.iter().enumerate() {
        let y = b.get(i).unwrap_or(&zero);
        let half = x ^ y;
        result.push(&half ^ &carry);
        carry = (x & y) | (half & carry);
    }
    (result, carry)
}

pub fn select(condition: &Function, then: &[Function], otherwise: &[Function]) -> Vec<Function> {
    let bits = then.iter().zip(otherwise);
    bits.map(|(x, y)| condition.ite(x, y)).collect()
}

/// Whether a coordinate stays or changes by one, without going round.
pub fn moved(d: &Diagrams, old: &[Function], new: &[Function]) -> Function {
    let up = equal(d, new, &increment(old, d.one())) & !equal_to(d, new, 0);
    let down = equal(d, old, &increment(new, d.one())) & !equal_to(d, old, 0);
    equal(d, old, new) | up | down
}

/// Current and next variables of latches, in grouped pairs.
pub struct Latches {
    pub now: Vec<Variable>,
    pub then: Vec<Variable>,
}

impl Latches {
    pub fn new(d: &Diagrams, count: usize) -> Latches {
        let variables = d.variables(2 * count);
        Latches {
            now: variables.iter().copied().step_by(2).collect(),
            then: variables.iter().copied().skip(1).step_by(2).collect(),
        }
    }

    pub fn group(&self, d: &Diagrams) {
        for (&now, &then) in self.now.iter().zip(&self.then) {
            d.manager.group(&[now, then]);
        }
    }

    pub fn relation(&self, d: &Diagrams, functions: &[Function]) -> Function {
        let mut result = d.one();
        for (&variable, function) in self.then.iter().zip(functions) {
            result = result & !(d.literal(variable) ^ function);
        }
        result
    }

    pub fn to_next(&self, d: &Diagrams) -> Substitution {
        d.renaming(&self.now, &self.then)
    }

    pub fn to_now(&self, d: &Diagrams) -> Substitution {
        d.renaming(&self.then, &self.now)
    }
}

/// All states that the relation reaches, breadth first.
pub fn reach(
    d: &Diagrams,
    latches: &Latches,
    initial: Function,
    relation: &Function,
    inputs: &[Variable],
) -> Function {
    let quantified = d.set(&[inputs, &latches.now].concat());
    let to_now = latches.to_now(d);
    let (mut reached, mut frontier) = (initial.clone(), initial);
    while frontier != d.zero() {
        let image = frontier.and_exists(relation, &quantified).compose(&to_now);
        frontier = &image & !&reached;
        reached = reached | image;
    }
    reached
}

pub fn greatest(d: &Diagrams, step: impl FnMut(&Function) -> Function) -> Function {
    fixpoint(d.one(), step)
}

pub fn least(d: &Diagrams, step: impl FnMut(&Function) -> Function) -> Function {
    fixpoint(d.zero(), step)
}

fn fixpoint(start: Function, mut step: impl FnMut(&Function) -> Function) -> Function {
    let mut current = start;
    loop {
        let following = step(&current);
        if following == current {
            return current;
        }
        current = following;
    }
}
