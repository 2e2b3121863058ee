//! From a word-level expression to literals of a netlist.
//!
//! The rules are Verilog's (IEEE 1800-2017, 11.6 to 11.8): widths and signs go up from the
//! operands to the nearest expression that determines them (a comparison, a concatenation, an
//! index, the expression itself), and then down again to the leaves, which are extended
//! there. Hence two passes over the expression: [`Elaborator::measure`] and
//! [`Elaborator::build`]. Every value is 0 or 1, so `===` is `==`.
//!
//! What names, calls and unknown digits mean is left to [`Names`]: the atoms of properties
//! see the finished design ([`atom`]), expressions of a Verilog file see their scope.

mod atom;
mod build;
mod extended;
mod measure;
pub(super) mod select;
mod shared_atoms;

pub use atom::{elaborate_atom, elaborate_word};
pub(super) use build::is_pattern;
pub(super) use extended::{all_bits, is_unbounded};
pub(super) use select::{index_at, index_equals, packed_width, position_of};
pub use shared_atoms::SharedAtoms;

use crate::quick_hash::QuickMap;

use super::codes;
use super::literal::Literal;
use super::netlist::{Design, Word};
use super::words::{self, Bits};
use crate::expr::{Expr, ExprKind};
use crate::limits::Stop;
use crate::source::{Code, Diagnostic};
use std::rc::Rc;

/// The widest expression; more is a misprint rather than a signal.
pub(super) const WIDEST: usize = 1 << 16;

/// What an expression may refer to where it stands.
pub(super) trait Names {
    /// What a name stands for, or an index of one if that as a whole is a name; `None` for
    /// any other index.
    fn named(&mut self, design: &mut Design, expr: &Expr) -> Result<Option<Named>, Diagnostic>;

    /// The shape of what a name stands for, whether or not it has a value here; `None` if that
    /// makes no difference.
    fn shape(&mut self, _design: &mut Design, _expr: &Expr) -> Result<Option<Named>, Diagnostic> {
        Ok(None)
    }

    /// Fails when a limit of the run is reached; asked for each part of an expression.
    fn poll(&self) -> Result<(), Stop> {
        Ok(())
    }

    /// What a message about an unknown system function says of those that are known.
    fn known_functions(&self) -> &'static str {
        "supported are $signed, $unsigned, $bits, $clog2, $countones, $onehot and $onehot0; \
         the past is written with `prev`, `once`, `historically` and `since`"
    }

    /// Whether unknown bits have a representation.
    fn has_unknown(&self) -> bool {
        false
    }

    /// A new such bit, for a digit `x` or what lies beyond a word; `None` if there are none.
    fn unknown(&mut self, _design: &mut Design) -> Option<Literal> {
        None
    }

    /// Told that such a bit stands for a digit `z`.
    fn note_high_impedance(&mut self, _literal: Literal) {}

    /// Whether a literal is such a bit.
    fn is_unknown(&self, _literal: Literal) -> bool {
        false
    }

    /// A bit beyond the end of a word or array with this name.
    fn beyond(&mut self, design: &mut Design, _name: &str) -> Option<Literal> {
        self.unknown(design)
    }

    /// Told of a select outside of what is declared, with the index that says where.
    fn outside(&mut self, _index: &Expr, _problem: &Diagnostic) {}

    /// The sizes of the arguments and of the result, if there is such a function.
    fn function(
        &mut self,
        _design: &mut Design,
        _expr: &Expr,
        _name: &str,
    ) -> Result<Option<Signature>, Diagnostic> {
        Ok(None)
    }

    /// Calls a function that exists.
    fn call(
        &mut self,
        _design: &mut Design,
        expr: &Expr,
        name: &str,
        _arguments: Vec<Bits>,
    ) -> Result<Bits, Diagnostic> {
        Err(unsupported_call(expr, name, self.known_functions()))
    }

    /// Bits that the environment chooses, once (`$anyconst`) or in each step (`$anyseq`); `None`
    /// where there are none.
    fn free(&mut self, _design: &mut Design, _width: usize, _is_constant: bool) -> Option<Bits> {
        None
    }

    /// The size of a type, for casts.
    fn type_size(&mut self, _name: &[String]) -> Option<Size> {
        None
    }

    /// The value of a pattern `type'{...}` for the type of this name; `None` if there is none.
    fn pattern_of(
        &mut self,
        _design: &mut Design,
        _name: &[String],
        _pattern: &Expr,
    ) -> Result<Option<Bits>, Diagnostic> {
        Ok(None)
    }

    /// What stands for a name or call that is short for another expression.
    fn expansion(
        &mut self,
        _design: &mut Design,
        _expr: &Expr,
    ) -> Result<Option<Expr>, Diagnostic> {
        Ok(None)
    }

    /// Told of the condition of a choice `?:`; what it gives back is used in its place.
    fn condition(&mut self, _design: &mut Design, _expr: &Expr, literal: Literal) -> Literal {
        literal
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Named {
    /// A word. With inner ranges, its own range counts elements and not bits.
    Word(Word, Vec<(i64, i64)>),
    Array {
        left: i64,
        right: i64,
        /// The element with the index `right` comes first.
        elements: Vec<Named>,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub arguments: Vec<Size>,
    /// Which arguments are only written.
    pub outputs: Vec<bool>,
    pub result: Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub width: usize,
    pub signed: bool,
}

impl Size {
    pub const BIT: Size = Size {
        width: 1,
        signed: false,
    };
    /// What Verilog calls an integer.
    pub const INTEGER: Size = Size {
        width: 32,
        signed: true,
    };

    pub fn join(self, other: Size) -> Size {
        Size {
            width: self.width.max(other.width),
            signed: self.signed && other.signed,
        }
    }
}

pub(super) struct Elaborator<'a, N: Names> {
    pub design: &'a mut Design,
    pub names: &'a mut N,
    /// The measured expressions, by address: the tree outlives the elaborator and does not
    /// move, and a second tree with sizes would have to be dropped recursively.
    sizes: QuickMap<*const Expr, Size>,
    /// What selects and names stand for, so that their gates are made once.
    references: QuickMap<*const Expr, Named>,
    /// What names and calls are short for; boxed, so that these do not move either.
    expansions: QuickMap<*const Expr, Rc<Expr>>,
    /// What is wrong with selects, to be said once one is read: branches that a constant rules
    /// out are measured, and never read.
    wrong: QuickMap<*const Expr, Wrong>,
    /// Whether a constant operand of `&&` or `||` decides, so that what is built is not read.
    is_unread: bool,
}

/// What is wrong with a select.
enum Wrong {
    /// It has no meaning.
    Refused(Diagnostic),
    /// Bits of it, or all, do not exist.
    Outside(Diagnostic),
}

pub(super) fn error(expr: &Expr, code: Code, message: impl Into<String>) -> Diagnostic {
    locate(Diagnostic::error(code, message), expr)
}

pub(super) fn locate(diagnostic: Diagnostic, expr: &Expr) -> Diagnostic {
    diagnostic.at_optional(expr.span, "")
}

impl<'a, N: Names> Elaborator<'a, N> {
    pub fn new(design: &'a mut Design, names: &'a mut N) -> Elaborator<'a, N> {
        Elaborator {
            design,
            names,
            sizes: QuickMap::default(),
            references: QuickMap::default(),
            expansions: QuickMap::default(),
            wrong: QuickMap::default(),
            is_unread: false,
        }
    }

    /// The value with the width and sign that the expression has by itself.
    pub fn self_determined(&mut self, expr: &Expr) -> Result<(Bits, bool), Diagnostic> {
        let size = self.measure(expr)?;
        let bits = self.build(expr, size)?;
        Ok((bits, size.signed))
    }

    /// The value as an assignment to a target of this width takes it.
    pub fn assigned(&mut self, expr: &Expr, width: usize) -> Result<Bits, Diagnostic> {
        let size = self.measure(expr)?;
        let context = Size {
            width: size.width.max(width),
            ..size
        };
        let bits = self.build(expr, context)?;
        Ok(words::resize(&bits, width, size.signed))
    }

    /// The expression that a name or call is short for, kept as long as the elaborator is.
    fn expansion(&mut self, expr: &Expr) -> Result<Option<Rc<Expr>>, Diagnostic> {
        if !matches!(expr.kind, ExprKind::Name(_) | ExprKind::Call(..)) {
            return Ok(None);
        }
        let key = std::ptr::from_ref(expr);
        if let Some(known) = self.expansions.get(&key) {
            return Ok(Some(known.clone()));
        }
        let Some(expanded) = self.names.expansion(self.design, expr)? else {
            return Ok(None);
        };
        let expanded = Rc::new(expanded);
        self.expansions.insert(key, expanded.clone());
        Ok(Some(expanded))
    }

    /// The value of a measured expression at its own width.
    fn own(&mut self, expr: &Expr) -> Result<Bits, Diagnostic> {
        let size = self.size_of(expr)?;
        self.build(expr, size)
    }

    pub fn truth(&mut self, expr: &Expr) -> Result<Literal, Diagnostic> {
        let bits = self.own(expr)?;
        Ok(words::reduce_or(self.design, &bits))
    }

    fn size_of(&mut self, expr: &Expr) -> Result<Size, Diagnostic> {
        match self.sizes.get(&std::ptr::from_ref(expr)) {
            Some(size) => Ok(*size),
            None => self.measure(expr),
        }
    }

    pub fn constant(&mut self, expr: &Expr, what: &str) -> Result<i64, Diagnostic> {
        let (bits, signed) = self.self_determined(expr)?;
        words::constant_value(&bits, signed).ok_or_else(|| {
            error(
                expr,
                codes::NOT_CONSTANT,
                format!("{what} must be a constant"),
            )
        })
    }

    pub fn width_constant(&mut self, expr: &Expr, what: &str) -> Result<usize, Diagnostic> {
        let value = self.constant(expr, what)?;
        match usize::try_from(value) {
            Ok(width) if (1..=WIDEST).contains(&width) => Ok(width),
            _ => {
                let message = format!("{what} must be between 1 and {WIDEST}, not {value}");
                Err(error(expr, codes::WORD_TOO_WIDE, message))
            }
        }
    }
}

/// Functions that no circuit computes.
const OF_SIMULATORS: [&str; 14] = [
    "$random",
    "$urandom",
    "$urandom_range",
    "$time",
    "$stime",
    "$realtime",
    "$simtime",
    "$fopen",
    "$feof",
    "$fgetc",
    "$fscanf",
    "$sformatf",
    "$test$plusargs",
    "$value$plusargs",
];

pub(super) fn unsupported_call(expr: &Expr, name: &str, known: &str) -> Diagnostic {
    if OF_SIMULATORS.contains(&name) {
        let message = format!("`{name}` is for simulators, and nothing that a circuit computes");
        return error(expr, codes::ATOM_UNSUPPORTED, message)
            .help("use an input or `$anyseq` for a value that is not known");
    }
    let message = format!("`{name}` with these arguments is not supported");
    error(expr, codes::ATOM_UNSUPPORTED, message).help(known)
}
