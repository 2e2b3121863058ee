//! From the values that a replacement may take to a small function [JSGB11, Sec. 6.1].
//!
//! The relation says for each state and input which values of the choice are allowed. Bits
//! are settled one after the other; what the first leaves open, the next may use. Points
//! outside of the care set, which no play reaches, constrain nothing.

use super::function::{FEW, Table, cost, negation};
use super::support::{MOST_SIGNALS, cheapest_support};
use crate::bdd::{Bdd, Cover, Manager, Result, Variable};
use crate::design::{Function, Literal};

/// A signal that a correction may read.
#[derive(Clone)]
pub struct Signal {
    pub literal: Literal,
    /// Its value in terms of the state and the inputs.
    pub function: Bdd,
    /// How far it is from the component; at least 1.
    pub cost: usize,
}

/// Where a function must be true and where it must be false.
pub struct Requirement {
    pub on: Bdd,
    pub off: Bdd,
}

/// The values that a replacement may take.
#[derive(Clone)]
pub struct Relation {
    /// Over states, inputs and choices.
    pub allowed: Bdd,
    /// The states and inputs that matter.
    pub care: Bdd,
    pub choices: Vec<Variable>,
}

/// A function for each bit of the choice, and its value in terms of states and inputs.
pub struct Extraction {
    pub functions: Vec<Function>,
    pub values: Vec<Bdd>,
    /// The supports that were used, for [`extract`] to look for another one.
    pub supports: Vec<Vec<usize>>,
}

impl Extraction {
    pub fn cost(&self) -> usize {
        self.functions.iter().map(cost).sum()
    }
}

/// The cheapest functions over the signals, or `None` if these do not suffice. `excluded`
/// are supports of the first bit that were offered before.
pub fn extract(
    relation: &Relation,
    signals: &[Signal],
    excluded: &[Vec<usize>],
) -> Result<Option<Extraction>> {
    let manager = relation.allowed.manager();
    let mut allowed = relation.allowed.clone();
    let mut extraction = Extraction {
        functions: Vec::new(),
        values: Vec::new(),
        supports: Vec::new(),
    };
    for (bit, &choice) in relation.choices.iter().enumerate() {
        let others = manager.set(&relation.choices[bit + 1..])?;
        let can_be = |value: bool| allowed.cofactor(&[(choice, value)])?.exists(&others);
        let (can_be_true, can_be_false) = (can_be(true)?, can_be(false)?);
        let requirement = Requirement {
            on: can_be_true.minus(&can_be_false)?.and(&relation.care)?,
            off: can_be_false.minus(&can_be_true)?.and(&relation.care)?,
        };
        let excluded = if bit == 0 { excluded } else { &[] };
        let Some((support, function, value)) = function_for(&requirement, signals, excluded)?
        else {
            return Ok(None);
        };
        let literal = manager.literal(choice)?;
        allowed = allowed.and(&literal.iff(&value)?)?;
        extraction.functions.push(function);
        extraction.values.push(value);
        extraction.supports.push(support);
    }
    Ok(Some(extraction))
}

/// A cheap function that meets the requirement, its support and its value; `None` if the
/// signals do not suffice, or only with supports that are excluded.
pub fn function_for(
    requirement: &Requirement,
    signals: &[Signal],
    excluded: &[Vec<usize>],
) -> Result<Option<(Vec<usize>, Function, Bdd)>> {
    if let Some(support) = cheapest_support(requirement, signals, excluded)? {
        let (function, value) = function_over(requirement, signals, &support)?;
        return Ok(Some((support, function, value)));
    }
    // One function of many signals is offered, but no second one.
    if !excluded.is_empty() {
        return Ok(None);
    }
    let found = function_of_many(requirement, signals)?;
    Ok(found.map(|(function, value)| (Vec::new(), function, value)))
}

/// A function of latches and inputs, however many it needs: the others are dropped one by
/// one as long as the rest suffices.
fn function_of_many(
    requirement: &Requirement,
    signals: &[Signal],
) -> Result<Option<(Function, Bdd)>> {
    let manager = requirement.on.manager();
    let mut leaves: Vec<(Variable, Literal)> = Vec::new();
    for signal in signals {
        if let [(variable, true)] = signal.function.pick_cube().unwrap_or_default()[..]
            && signal.function == manager.literal(variable)?
        {
            leaves.push((variable, signal.literal));
        }
    }
    let Requirement { mut on, mut off } = Requirement {
        on: requirement.on.clone(),
        off: requirement.off.clone(),
    };
    let mut needed = on.support();
    needed.extend(off.support());
    needed.sort_unstable();
    needed.dedup();
    let is_readable = |variable: &Variable| leaves.iter().any(|(known, _)| known == variable);
    needed.sort_by_key(is_readable);
    for variable in needed {
        let set = manager.set(&[variable])?;
        let (without_on, without_off) = (on.exists(&set)?, off.exists(&set)?);
        if without_on.and(&without_off)?.is_zero() {
            (on, off) = (without_on, without_off);
        } else if !is_readable(&variable) {
            return Ok(None);
        }
    }
    let function_of = |cover: &Cover| {
        let literal = |(variable, value): &(Variable, bool)| {
            let known = leaves.iter().find(|(known, _)| known == variable);
            known.map(|(_, literal)| literal.complement_if(!value))
        };
        let cubes = cover
            .cubes()
            .map(|cube| cube.iter().filter_map(literal).collect());
        factor(cubes.collect())
    };
    let positive = function_of(&on.cover_up_to(&off.not())?);
    let negative = negation(function_of(&off.cover_up_to(&on.not())?));
    let function = if cost(&positive) <= cost(&negative) {
        positive
    } else {
        negative
    };
    let all: Vec<usize> = (0..signals.len()).collect();
    let value = value_of(&function, signals, &all, manager)?;
    Ok(Some((function, value)))
}

/// What the function must be in each combination of values of the chosen signals.
fn cells(
    requirement: &Requirement,
    signals: &[Signal],
    support: &[usize],
) -> Result<Vec<(usize, bool)>> {
    let mut found = Vec::new();
    let mut pending = vec![(requirement.on.clone(), requirement.off.clone(), 0, 0usize)];
    while let Some((on, off, next, point)) = pending.pop() {
        if on.is_zero() && off.is_zero() {
            continue;
        }
        let Some(&signal) = support.get(next) else {
            found.push((point, !on.is_zero()));
            continue;
        };
        let function = &signals[signal].function;
        pending.push((on.minus(function)?, off.minus(function)?, next + 1, point));
        pending.push((
            on.and(function)?,
            off.and(function)?,
            next + 1,
            point | 1 << next,
        ));
    }
    Ok(found)
}

/// A small function that meets the requirement, which the support must allow.
fn function_over(
    requirement: &Requirement,
    signals: &[Signal],
    support: &[usize],
) -> Result<(Function, Bdd)> {
    debug_assert!(support.len() <= MOST_SIGNALS);
    let cells = cells(requirement, signals, support)?;
    let literals: Vec<Literal> = support.iter().map(|&k| signals[k].literal).collect();
    if support.len() <= FEW {
        let mut table = Table {
            signals: support.len(),
            on: 0,
            off: 0,
        };
        for &(point, value) in &cells {
            if value {
                table.on |= 1 << point;
            } else {
                table.off |= 1 << point;
            }
        }
        if let Some(function) = table.smallest(&literals) {
            let value = value_of(&function, signals, support, requirement.on.manager())?;
            return Ok((function, value));
        }
    }
    let function = sum_of_products(&cells, &literals)?;
    let value = value_of(&function, signals, support, requirement.on.manager())?;
    Ok((function, value))
}

/// The cheaper of the factored covers of the function and of its negation.
fn sum_of_products(cells: &[(usize, bool)], literals: &[Literal]) -> Result<Function> {
    let manager = Manager::new();
    let variables = manager.new_variables(literals.len())?;
    let mut sets = [manager.zero(), manager.zero()];
    for &(point, value) in cells {
        let minterm: Vec<(Variable, bool)> = variables
            .iter()
            .enumerate()
            .map(|(k, v)| (*v, point >> k & 1 == 1))
            .collect();
        let set = &mut sets[value as usize];
        *set = set.or(&manager.cube(&minterm)?)?;
    }
    let [off, on] = sets;
    let positive = factored(&on.cover_up_to(&off.not())?, literals);
    let negative = negation(factored(&off.cover_up_to(&on.not())?, literals));
    Ok(if cost(&positive) <= cost(&negative) {
        positive
    } else {
        negative
    })
}

fn factored(cover: &Cover, literals: &[Literal]) -> Function {
    let cubes: Vec<Vec<Literal>> = cover
        .cubes()
        .map(|cube| {
            let literal = |(v, value): &(Variable, bool)| literals[v.index()].complement_if(!value);
            cube.iter().map(literal).collect()
        })
        .collect();
    factor(cubes)
}

/// Takes out the literal that most cubes share, again and again.
pub fn factor(cubes: Vec<Vec<Literal>>) -> Function {
    if cubes.is_empty() {
        return Function::Constant(false);
    }
    if cubes.iter().any(Vec::is_empty) {
        return Function::Constant(true);
    }
    let mut all: Vec<Literal> = cubes.iter().flatten().copied().collect();
    all.sort_unstable();
    let counts = all
        .chunk_by(|a, b| a == b)
        .map(|chunk| (chunk.len(), chunk[0]));
    let (count, shared) = counts
        .max_by_key(|(count, _)| *count)
        .unwrap_or((0, Literal::TRUE));
    if count <= 1 {
        return disjunction(cubes.into_iter().map(conjunction).collect());
    }
    let (with, without): (Vec<_>, Vec<_>) =
        cubes.into_iter().partition(|cube| cube.contains(&shared));
    let quotient = with
        .into_iter()
        .map(|cube| {
            cube.into_iter()
                .filter(|literal| *literal != shared)
                .collect()
        })
        .collect();
    let product = match factor(quotient) {
        Function::Constant(true) => Function::Signal(shared),
        Function::And(mut operands) => {
            operands.insert(0, Function::Signal(shared));
            Function::And(operands)
        }
        other => Function::And(vec![Function::Signal(shared), other]),
    };
    match factor(without) {
        Function::Constant(false) => product,
        Function::Or(mut operands) => {
            operands.insert(0, product);
            Function::Or(operands)
        }
        other => Function::Or(vec![product, other]),
    }
}

fn conjunction(literals: Vec<Literal>) -> Function {
    let mut operands: Vec<Function> = literals.into_iter().map(Function::Signal).collect();
    match operands.len() {
        1 => operands.remove(0),
        _ => Function::And(operands),
    }
}

fn disjunction(mut operands: Vec<Function>) -> Function {
    match operands.len() {
        1 => operands.remove(0),
        _ => Function::Or(operands),
    }
}

/// The function in terms of the state and the inputs.
fn value_of(
    function: &Function,
    signals: &[Signal],
    support: &[usize],
    manager: &Manager,
) -> Result<Bdd> {
    let value = |operand: &Function| value_of(operand, signals, support, manager);
    Ok(match function {
        Function::Constant(constant) => manager.constant(*constant),
        Function::Signal(literal) => {
            let known = support.iter().map(|&k| &signals[k]);
            let signal = known
                .into_iter()
                .find(|signal| signal.literal.node() == literal.node());
            let signal = signal.expect("functions are over signals of their support");
            if signal.literal == *literal {
                signal.function.clone()
            } else {
                signal.function.not()
            }
        }
        Function::Not(operand) => value(operand)?.not(),
        Function::And(operands) => {
            let mut result = manager.one();
            for operand in operands {
                result = result.and(&value(operand)?)?;
            }
            result
        }
        Function::Or(operands) => {
            let mut result = manager.zero();
            for operand in operands {
                result = result.or(&value(operand)?)?;
            }
            result
        }
        Function::Xor(left, right) => value(left)?.xor(&value(right)?)?,
        Function::Mux(condition, then, otherwise) => {
            value(condition)?.ite(&value(then)?, &value(otherwise)?)?
        }
    })
}
