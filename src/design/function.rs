//! Boolean functions over the nodes of a design: what a repair puts in a hole.

use std::fmt;

use super::literal::Literal;
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
        stacker::maybe_grow(128 << 10, 1 << 20, || match self {
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

    /// Adds gates for the function.
    pub fn build(&self, design: &mut Design) -> Literal {
        stacker::maybe_grow(128 << 10, 1 << 20, || match self {
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
