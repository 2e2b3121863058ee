//! Where a condition is taken apart into smaller atoms.
//!
//! A condition is true when it is not zero, as in Verilog. So `a && b`, `a || b`, `!a` and
//! `a | b` are connectives whatever the widths: a bitwise or is nonzero exactly if one of
//! its operands is. `a & b` is not: two words can both be nonzero and share no bit. It is
//! taken apart only where both operands are one bit wide, and stays one atom with Verilog's
//! meaning everywhere else; the same holds for `~`, `^` and `~^`.

use super::formula::{Atom, Formula, FormulaId, Formulas};
use crate::expr::{BinaryOp, Digit, Expr, ExprKind, UnaryOp};
use crate::stack;
use std::collections::HashMap;

/// Whether an expression is one bit wide, judged by its form alone. `false` means "not seen".
pub fn is_recognisably_one_bit(expr: &Expr) -> bool {
    is_one_bit(expr, &|_| false)
}

/// The formula of a condition, taken apart as far as its form allows.
pub fn condition(formulas: &mut Formulas, expr: &Expr) -> FormulaId {
    split_atom(formulas, expr, &|_| false)
}

/// The formula of a condition, taken apart where `is_one_bit_leaf` knows a signal, select or
/// call to be one bit wide. `game` calls this once the design has told it the widths.
pub fn split_atom(
    formulas: &mut Formulas,
    expr: &Expr,
    is_one_bit_leaf: &dyn Fn(&Expr) -> bool,
) -> FormulaId {
    // Front ends may hand over expressions deeper than the parser would accept.
    stack::recurse(|| split_here(formulas, expr, is_one_bit_leaf))
}

/// Replaces every atom of a formula by what [`split_atom`] makes of it.
pub fn split_atoms(
    formulas: &mut Formulas,
    root: FormulaId,
    is_one_bit_leaf: &dyn Fn(&Expr) -> bool,
) -> FormulaId {
    let mut results: HashMap<FormulaId, FormulaId> = HashMap::new();
    for id in formulas.subformulas(root) {
        let formula = formulas.get(id).clone();
        let result = match &formula {
            Formula::Atom(atom) => match formulas.atom(*atom).clone() {
                Atom::Condition(expr) => split_atom(formulas, &expr, is_one_bit_leaf),
                Atom::Past(_) => id,
            },
            Formula::And(_) => {
                let operands = formulas.as_written(id);
                formulas.written_and(operands.iter().map(|operand| results[operand]))
            }
            _ => formulas.rebuild(&formula, |operand| results[&operand]),
        };
        results.insert(id, result);
    }
    results[&root]
}

fn split_here(formulas: &mut Formulas, expr: &Expr, leaf: &dyn Fn(&Expr) -> bool) -> FormulaId {
    match &expr.kind {
        ExprKind::Number(number) if number.is_known() => {
            let nonzero = number.bits.contains(&Digit::One);
            formulas.constant(nonzero)
        }
        ExprKind::Unary(UnaryOp::LogicalNot, operand) => {
            let operand = split_atom(formulas, operand, leaf);
            formulas.not(operand)
        }
        ExprKind::Unary(UnaryOp::BitNot, operand) if is_one_bit(operand, leaf) => {
            let operand = split_atom(formulas, operand, leaf);
            formulas.not(operand)
        }
        ExprKind::Binary(operator, left, right) => {
            let splits = match operator {
                BinaryOp::LogicalAnd | BinaryOp::LogicalOr | BinaryOp::BitOr => true,
                BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitXnor => {
                    is_one_bit(left, leaf) && is_one_bit(right, leaf)
                }
                _ => false,
            };
            if !splits {
                return formulas.condition_atom(expr);
            }
            let left = split_atom(formulas, left, leaf);
            let right = split_atom(formulas, right, leaf);
            match operator {
                BinaryOp::LogicalAnd | BinaryOp::BitAnd => formulas.written_and([left, right]),
                BinaryOp::LogicalOr | BinaryOp::BitOr => formulas.or([left, right]),
                BinaryOp::BitXor => {
                    let same = formulas.iff(left, right);
                    formulas.not(same)
                }
                _ => formulas.iff(left, right),
            }
        }
        _ => formulas.condition_atom(expr),
    }
}

fn is_one_bit(expr: &Expr, leaf: &dyn Fn(&Expr) -> bool) -> bool {
    stack::recurse(|| match &expr.kind {
        ExprKind::Number(number) => number.width == Some(1),
        ExprKind::Unary(operator, operand) => match operator {
            UnaryOp::BitNot => is_one_bit(operand, leaf),
            UnaryOp::Plus | UnaryOp::Minus => false,
            _ => true,
        },
        ExprKind::Binary(operator, left, right) => match operator {
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::BitXnor => {
                is_one_bit(left, leaf) && is_one_bit(right, leaf)
            }
            _ => operator.gives_one_bit(),
        },
        ExprKind::Conditional(_, then, otherwise) => {
            is_one_bit(then, leaf) && is_one_bit(otherwise, leaf)
        }
        ExprKind::Call(name, arguments) => match name.as_str() {
            "$rose" | "$fell" | "$stable" | "$changed" | "$onehot" | "$onehot0" | "$isunknown" => {
                true
            }
            "$past" => arguments
                .first()
                .is_some_and(|first| is_one_bit(first, leaf)),
            _ => leaf(expr),
        },
        ExprKind::Net(_) => true,
        _ => leaf(expr),
    })
}
