//! Prints formulas with few parentheses, so that parsing the text gives the same id back.
//!
//! Connectives are printed as `&&` and `||`: between conditions whose widths are not known
//! `a & b` would be one Verilog expression, and `a && b` is the conjunction of two.

use super::formula::{Atom, Formula, FormulaId, Formulas};
use crate::expr::operator::{
    PRECEDENCE_PRIMARY, PRECEDENCE_TEMPORAL_BINARY, PRECEDENCE_TEMPORAL_UNARY, PRECEDENCE_UNARY,
};
use crate::expr::{BinaryOp, Dialect, printer};

enum Piece {
    Text(&'static str),
    /// In parentheses if it binds less tightly than this.
    Formula(FormulaId, u8),
}

impl Formulas {
    /// The text of a formula, as a property file has it.
    pub fn text(&self, root: FormulaId) -> String {
        let mut text = String::new();
        let mut pieces = vec![Piece::Formula(root, 0)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Formula(id, least) if self.text_precedence(id) < least => {
                    pieces.extend([Piece::Text(")"), Piece::Formula(id, 0), Piece::Text("(")]);
                }
                Piece::Formula(id, _) => self.print_node(id, &mut text, &mut pieces),
            }
        }
        text
    }

    fn print_node(&self, id: FormulaId, text: &mut String, pieces: &mut Vec<Piece>) {
        match self.get(id) {
            Formula::True => text.push_str("true"),
            Formula::False => text.push_str("false"),
            Formula::Atom(atom) => match self.atom(*atom) {
                Atom::Condition(expr) => text.push_str(&printer::print(expr, Dialect::Formula)),
                Atom::Past(past) => pieces.push(Piece::Formula(*past, 0)),
            },
            Formula::Not(operand) => {
                text.push('!');
                let least = match self.get(*operand) {
                    Formula::Unary(..) => PRECEDENCE_TEMPORAL_UNARY,
                    _ => PRECEDENCE_UNARY,
                };
                pieces.push(Piece::Formula(*operand, least));
            }
            Formula::And(operands) => {
                self.print_list(operands, BinaryOp::LogicalAnd, pieces);
            }
            Formula::Or(operands) => {
                self.print_list(operands, BinaryOp::LogicalOr, pieces);
            }
            Formula::Unary(operator, operand) => {
                text.push_str(operator.letter());
                text.push(' ');
                // `X a == b` would parse, but reads as if it compared `X a`; and `X &a` does
                // not say whether `X` is a signal.
                let least = match self.get(*operand) {
                    Formula::Unary(..) => PRECEDENCE_TEMPORAL_UNARY,
                    Formula::Not(_) => PRECEDENCE_UNARY,
                    _ => PRECEDENCE_PRIMARY,
                };
                pieces.push(Piece::Formula(*operand, least));
            }
            Formula::Binary(operator, left, right) => pieces.extend([
                Piece::Formula(*right, PRECEDENCE_TEMPORAL_BINARY),
                Piece::Text(" "),
                Piece::Text(operator.letter()),
                Piece::Text(" "),
                Piece::Formula(*left, PRECEDENCE_TEMPORAL_BINARY + 1),
            ]),
        }
    }

    /// Conditions first: `!a || F b` reads better than `F b || !a`, whatever was made first.
    pub fn in_reading_order(&self, operands: &[FormulaId]) -> Vec<FormulaId> {
        let mut operands = operands.to_vec();
        operands.sort_by_key(|operand| match self.get(*operand) {
            Formula::Atom(_) => (0, *operand),
            Formula::Not(inner) if matches!(self.get(*inner), Formula::Atom(_)) => (0, *inner),
            Formula::Not(inner) => (2, *inner),
            Formula::And(_) | Formula::Or(_) => (1, *operand),
            _ => (2, *operand),
        });
        operands
    }

    fn print_list(&self, operands: &[FormulaId], operator: BinaryOp, pieces: &mut Vec<Piece>) {
        let operands = self.in_reading_order(operands);
        for (index, operand) in operands.iter().enumerate().rev() {
            pieces.push(Piece::Formula(*operand, operator.precedence() + 1));
            if index > 0 {
                pieces.extend([
                    Piece::Text(" "),
                    Piece::Text(operator.symbol()),
                    Piece::Text(" "),
                ]);
            }
        }
    }

    fn text_precedence(&self, id: FormulaId) -> u8 {
        match self.get(id) {
            Formula::True | Formula::False => PRECEDENCE_PRIMARY,
            Formula::Atom(atom) => match self.atom(*atom) {
                Atom::Condition(expr) => {
                    let precedence = expr.precedence();
                    // Bitwise operators next to connectives are clearer in parentheses, and
                    // `|` under `&&` needs them.
                    if precedence < PRECEDENCE_TEMPORAL_BINARY {
                        1
                    } else {
                        precedence
                    }
                }
                Atom::Past(past) => self.text_precedence(*past),
            },
            Formula::Not(_) => PRECEDENCE_UNARY,
            Formula::And(_) => BinaryOp::LogicalAnd.precedence(),
            Formula::Or(_) => BinaryOp::LogicalOr.precedence(),
            Formula::Unary(..) => PRECEDENCE_TEMPORAL_UNARY,
            Formula::Binary(..) => PRECEDENCE_TEMPORAL_BINARY,
        }
    }
}
