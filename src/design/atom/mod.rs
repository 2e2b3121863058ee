//! From an expression over the names of a design to literals of its netlist.
//!
//! The rules are Verilog's (IEEE 1800-2017, 11.6 to 11.8): widths and signs go up from the
//! operands to the nearest place that determines them (a comparison, a concatenation, an
//! index, the atom itself), and then down again to the leaves, which are extended there.
//! Hence two passes over the expression: [`Elaborator::measure`] and
//! [`Elaborator::build`]. Every value is 0 or 1, so `===` is `==`, and what Verilog reads
//! as `x` beyond the end of a word reads as 0.

mod build;
mod measure;

use std::collections::HashMap;

use super::codes;
use super::literal::Literal;
use super::netlist::{Design, Word};
use super::words::{self, Bits};
use crate::expr::{Digit, Expr, ExprKind, Number};
use crate::source::{Code, Diagnostic};

/// The widest expression; more is a misprint rather than a property.
const WIDEST: usize = 1 << 16;
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
    let mut elaborator = Elaborator {
        design,
        sizes: HashMap::new(),
    };
    let result = elaborator.self_determined(expr);
    if result.is_err() {
        design.truncate(length);
    }
    result
}

#[derive(Clone, Copy)]
struct Size {
    width: usize,
    signed: bool,
}

impl Size {
    const BIT: Size = Size {
        width: 1,
        signed: false,
    };
    /// What Verilog calls an integer.
    const INTEGER: Size = Size {
        width: 32,
        signed: true,
    };

    fn join(self, other: Size) -> Size {
        Size {
            width: self.width.max(other.width),
            signed: self.signed && other.signed,
        }
    }
}

struct Elaborator<'design> {
    design: &'design mut Design,
    /// The measured expressions, by address: the tree outlives the elaborator and does not
    /// move, and a second tree with sizes would have to be dropped recursively.
    sizes: HashMap<*const Expr, Size>,
}

fn error(expr: &Expr, code: Code, message: impl Into<String>) -> Diagnostic {
    locate(Diagnostic::error(code, message), expr)
}

fn locate(diagnostic: Diagnostic, expr: &Expr) -> Diagnostic {
    match expr.span {
        Some(span) => diagnostic.at(span, ""),
        None => diagnostic,
    }
}

impl Elaborator<'_> {
    fn self_determined(&mut self, expr: &Expr) -> Result<(Bits, bool), Diagnostic> {
        let size = self.measure(expr)?;
        let bits = self.build(expr, size)?;
        Ok((bits, size.signed))
    }

    /// The value of a measured expression at its own width.
    fn own(&mut self, expr: &Expr) -> Result<Bits, Diagnostic> {
        let size = self.size_of(expr)?;
        self.build(expr, size)
    }

    fn truth(&mut self, expr: &Expr) -> Result<Literal, Diagnostic> {
        let bits = self.own(expr)?;
        Ok(words::reduce_or(self.design, &bits))
    }

    fn size_of(&mut self, expr: &Expr) -> Result<Size, Diagnostic> {
        match self.sizes.get(&std::ptr::from_ref(expr)) {
            Some(size) => Ok(*size),
            None => self.measure(expr),
        }
    }

    fn constant(&mut self, expr: &Expr, what: &str) -> Result<i64, Diagnostic> {
        let (bits, signed) = self.self_determined(expr)?;
        words::constant_value(&bits, signed).ok_or_else(|| {
            error(
                expr,
                codes::NOT_CONSTANT,
                format!("{what} must be a constant"),
            )
        })
    }

    fn width_constant(&mut self, expr: &Expr, what: &str) -> Result<usize, Diagnostic> {
        let value = self.constant(expr, what)?;
        match usize::try_from(value) {
            Ok(width) if (1..=WIDEST).contains(&width) => Ok(width),
            _ => {
                let message = format!("{what} must be between 1 and {WIDEST}, not {value}");
                Err(error(expr, codes::WORD_TOO_WIDE, message))
            }
        }
    }

    /// What a base of an index or range stands for.
    fn signal(&self, expr: &Expr) -> Result<Word, Diagnostic> {
        let Some(name) = flat_name(expr) else {
            let message = "only a name can be indexed";
            return Err(error(expr, codes::ATOM_UNSUPPORTED, message));
        };
        let found = self.design.signal(&name);
        found
            .cloned()
            .map_err(|diagnostic| locate(diagnostic, expr))
    }

    /// `a[0]` where that text itself is a name: an element of an array, or a bit of a word
    /// whose other bits are gone.
    fn bit_signal(&self, expr: &Expr) -> Option<Word> {
        let name = flat_name(expr)?;
        if !self.design.has_signal(&name) {
            return None;
        }
        self.design.signal(&name).ok().cloned()
    }
}

fn unsupported_call(expr: &Expr, name: &str) -> Diagnostic {
    let message = format!("`{name}` with these arguments is not supported in an atom");
    error(expr, codes::ATOM_UNSUPPORTED, message).help(
        "supported are $signed, $unsigned, $bits, $clog2, $countones, $onehot and $onehot0; \
         the past is written with `prev`, `once`, `historically` and `since`",
    )
}

/// Where `[left:right]` begins in a word's bits, and how many it has.
fn range_of(word: &Word, left: i64, right: i64, expr: &Expr) -> Result<(usize, usize), Diagnostic> {
    let ascending = word.left < word.right;
    let (offset, last) = if ascending {
        (word.right.checked_sub(right), word.right.checked_sub(left))
    } else {
        (right.checked_sub(word.right), left.checked_sub(word.right))
    };
    match (offset.map(usize::try_from), last.map(usize::try_from)) {
        (Some(Ok(offset)), Some(Ok(last))) if offset <= last && last < word.bits.len() => {
            Ok((offset, last - offset + 1))
        }
        _ => {
            let wanted = if left == right {
                format!("[{left}]")
            } else {
                format!("[{left}:{right}]")
            };
            let message = format!(
                "{wanted} is outside of `{}`, which is [{}:{}]",
                word.name, word.left, word.right
            );
            Err(error(expr, codes::INDEX_OUT_OF_RANGE, message))
        }
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
