//! The atoms of properties: expressions over the names of a finished design. What Verilog
//! reads as `x` beyond the end of a word reads as 0 here.

use super::{Elaborator, Named, Names, locate};
use crate::design::literal::Literal;
use crate::design::netlist::{Design, Word};
use crate::design::words::{self, Bits};
use crate::expr::{Digit, Expr, ExprKind, Number};
use crate::source::Diagnostic;

/// More indices in a row than any name has.
const LONGEST_INDEX_CHAIN: usize = 16;

/// The truth of an expression: whether any bit of it is set. On an error the design is as it
/// was.
pub fn elaborate_atom(design: &mut Design, expr: &Expr) -> Result<Literal, Diagnostic> {
    let (bits, _) = elaborate_word(design, expr)?;
    Ok(words::reduce_or(design, &bits))
}

/// The value of an expression with the width and sign it has by itself.
pub fn elaborate_word(design: &mut Design, expr: &Expr) -> Result<(Bits, bool), Diagnostic> {
    let length = design.len();
    let result = Elaborator::new(design, &mut FinishedDesign).self_determined(expr);
    if result.is_err() {
        design.truncate(length);
    }
    result
}

/// The names that a design has.
struct FinishedDesign;

impl Names for FinishedDesign {
    fn named(&mut self, design: &mut Design, expr: &Expr) -> Result<Option<Named>, Diagnostic> {
        let word = word_named(design, expr)?;
        Ok(word.map(|word| Named::Word(word.clone(), Vec::new())))
    }
}

/// The word of a design that an expression names, if it is a name at all.
pub(super) fn word_named<'d>(
    design: &'d Design,
    expr: &Expr,
) -> Result<Option<&'d Word>, Diagnostic> {
    let Some(name) = flat_name(expr) else {
        return Ok(None);
    };
    match (design.signal(&name), &expr.kind) {
        (Ok(word), _) => Ok(Some(word)),
        // `a[0]` where that text is no name itself is a bit of a word.
        (Err(_), ExprKind::Index(..)) if !design.has_signal(&name) => Ok(None),
        (Err(diagnostic), _) => Err(locate(diagnostic, expr)),
    }
}

/// A name with constant indices, as text: `u0.state`, `memory[3][0]`.
fn flat_name(expr: &Expr) -> Option<String> {
    let mut indices = Vec::new();
    let mut base = expr;
    while let ExprKind::Index(inner, index) = &base.kind {
        let ExprKind::Number(number) = &index.kind else {
            return None;
        };
        if indices.len() == LONGEST_INDEX_CHAIN {
            return None;
        }
        indices.push(number_value(number)?);
        base = inner;
    }
    let ExprKind::Name(path) = &base.kind else {
        return None;
    };
    let mut name = path.join(".");
    for index in indices.iter().rev() {
        name.push_str(&format!("[{index}]"));
    }
    Some(name)
}

fn number_value(number: &Number) -> Option<u64> {
    let mut value = 0;
    for (index, digit) in number.bits.iter().enumerate() {
        match digit {
            Digit::Zero => {}
            Digit::One if index < 63 => value |= 1 << index,
            _ => return None,
        }
    }
    Some(value)
}
