//! Boolean functions over the nodes of a design: what a repair puts in a hole.

use crate::stack;
use std::fmt;

use super::literal::{Literal, NodeId};
use super::netlist::Design;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    Constant(bool),
    Signal(Literal),
    Not(Box<Function>),
    And(Vec<Function>),
    Or(Vec<Function>),
    Xor(Box<Function>, Box<Function>),
    /// Condition, value if it holds, value if not.
    Mux(Box<Function>, Box<Function>, Box<Function>),
}

impl Function {
    /// Calls `visit` for every literal that the function reads.
    pub fn signals(&self, visit: &mut impl FnMut(Literal)) {
        stack::recurse(|| match self {
            Function::Constant(_) => {}
            Function::Signal(literal) => visit(*literal),
            Function::Not(operand) => operand.signals(visit),
            Function::And(operands) | Function::Or(operands) => {
                for operand in operands {
                    operand.signals(visit);
                }
            }
            Function::Xor(left, right) => {
                left.signals(visit);
                right.signals(visit);
            }
            Function::Mux(condition, then, otherwise) => {
                condition.signals(visit);
                then.signals(visit);
                otherwise.signals(visit);
            }
        });
    }

    /// The same function of other signals.
    pub fn with_signals(&self, change: &mut dyn FnMut(Literal) -> Literal) -> Function {
        stack::recurse(|| match self {
            Function::Constant(value) => Function::Constant(*value),
            Function::Signal(literal) => {
                let literal = change(*literal);
                match literal.as_constant() {
                    Some(value) => Function::Constant(value),
                    None => Function::Signal(literal),
                }
            }
            Function::Not(operand) => Function::Not(Box::new(operand.with_signals(change))),
            Function::And(operands) => {
                let operands = operands.iter().map(|operand| operand.with_signals(change));
                Function::And(operands.collect())
            }
            Function::Or(operands) => {
                let operands = operands.iter().map(|operand| operand.with_signals(change));
                Function::Or(operands.collect())
            }
            Function::Xor(left, right) => {
                let left = left.with_signals(change);
                Function::Xor(Box::new(left), Box::new(right.with_signals(change)))
            }
            Function::Mux(condition, then, otherwise) => {
                let condition = Box::new(condition.with_signals(change));
                let then = Box::new(then.with_signals(change));
                Function::Mux(condition, then, Box::new(otherwise.with_signals(change)))
            }
        })
    }

    /// As an expression over names, with the operators of Verilog.
    pub fn text(&self, name: &dyn Fn(NodeId) -> String) -> String {
        let operand = |function: &Function| match function {
            Function::And(operands) | Function::Or(operands) if operands.len() > 1 => {
                format!("({})", function.text(name))
            }
            Function::Xor(..) | Function::Mux(..) => format!("({})", function.text(name)),
            _ => function.text(name),
        };
        let list = |operands: &[Function], sign: &str| {
            let texts: Vec<String> = operands.iter().map(operand).collect();
            texts.join(sign)
        };
        stack::recurse(|| match self {
            Function::Constant(value) => u8::from(*value).to_string(),
            Function::Signal(literal) => {
                let sign = if literal.is_complemented() { "!" } else { "" };
                format!("{sign}{}", name(literal.node()))
            }
            Function::Not(inner) => match &**inner {
                Function::Not(_) => format!("!({})", inner.text(name)),
                inner => format!("!{}", operand(inner)),
            },
            Function::And(operands) if operands.is_empty() => "1".to_string(),
            Function::Or(operands) if operands.is_empty() => "0".to_string(),
            Function::And(operands) => list(operands, " & "),
            Function::Or(operands) => list(operands, " | "),
            Function::Xor(left, right) => format!("{} ^ {}", operand(left), operand(right)),
            Function::Mux(condition, then, otherwise) => format!(
                "{} ? {} : {}",
                operand(condition),
                operand(then),
                operand(otherwise)
            ),
        })
    }

    /// Adds gates for the function.
    pub fn build(&self, design: &mut Design) -> Literal {
        stack::recurse(|| match self {
            Function::Constant(value) => Literal::constant(*value),
            Function::Signal(literal) => *literal,
            Function::Not(operand) => !operand.build(design),
            Function::And(operands) => {
                let mut result = Literal::TRUE;
                for operand in operands {
                    let literal = operand.build(design);
                    result = design.and(result, literal);
                }
                result
            }
            Function::Or(operands) => {
                let mut result = Literal::FALSE;
                for operand in operands {
                    let literal = operand.build(design);
                    result = design.or(result, literal);
                }
                result
            }
            Function::Xor(left, right) => {
                let (left, right) = (left.build(design), right.build(design));
                design.xor(left, right)
            }
            Function::Mux(condition, then, otherwise) => {
                let condition = condition.build(design);
                let (then, otherwise) = (then.build(design), otherwise.build(design));
                design.mux(condition, then, otherwise)
            }
        })
    }
}

/// With the indices of nodes; whoever shows it to a user has names for them.
impl fmt::Display for Function {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let list = |formatter: &mut fmt::Formatter, operands: &[Function], sign: &str| {
            write!(formatter, "(")?;
            for (index, operand) in operands.iter().enumerate() {
                let separator = if index == 0 { "" } else { sign };
                write!(formatter, "{separator}{operand}")?;
            }
            write!(formatter, ")")
        };
        match self {
            Function::Constant(value) => write!(formatter, "{}", u8::from(*value)),
            Function::Signal(literal) => write!(formatter, "{literal}"),
            Function::Not(operand) => write!(formatter, "!{operand}"),
            Function::And(operands) if operands.is_empty() => write!(formatter, "1"),
            Function::Or(operands) if operands.is_empty() => write!(formatter, "0"),
            Function::And(operands) => list(formatter, operands, " & "),
            Function::Or(operands) => list(formatter, operands, " | "),
            Function::Xor(left, right) => write!(formatter, "({left} ^ {right})"),
            Function::Mux(condition, then, otherwise) => {
                write!(formatter, "({condition} ? {then} : {otherwise})")
            }
        }
    }
}
