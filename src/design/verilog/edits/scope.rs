//! What an edit can be made of at its location: the names of the module that fit, their
//! widths, and texts as a person would write them.

use super::{Lister, cost};
use crate::design::verilog::{VisibleKind, VisibleName};
use crate::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::source::Span;
use std::collections::{BTreeMap, HashMap};

impl Lister<'_> {
    pub(super) fn visible(&self, name: &str) -> Option<&VisibleName> {
        self.names.iter().find(|visible| visible.name == name)
    }

    /// Signals of a width.
    pub(super) fn signals_of(&self, width: usize) -> Vec<String> {
        let signals = self.names.iter().filter(|name| {
            name.width == width
                && !matches!(name.kind, VisibleKind::Constant(_) | VisibleKind::Array)
        });
        signals.map(|name| name.name.clone()).collect()
    }

    /// Named constants of a width.
    pub(super) fn constants_of(&self, width: usize) -> Vec<String> {
        let constants = self
            .names
            .iter()
            .filter(|name| name.width == width && matches!(name.kind, VisibleKind::Constant(_)));
        constants.map(|name| name.name.clone()).collect()
    }

    /// Constants of a width as a person writes them.
    pub(super) fn constant_texts(&self, width: usize) -> Vec<String> {
        let mut texts = if width < 32 {
            self.constants_of(width)
        } else {
            Vec::new()
        };
        match width {
            1 => texts.extend(["1'b0".to_string(), "1'b1".to_string()]),
            2..=4 => texts.extend((0..1 << width).map(|value| self.sized(width, value))),
            _ => texts.extend([self.sized(width, 0), format!("{{{width}{{1'b1}}}}")]),
        }
        texts
    }

    /// A number of a width in the base that its file uses most for that width.
    pub(super) fn sized(&self, width: usize, value: u64) -> String {
        let digits = width.div_ceil(4);
        match self.bases.get(&width) {
            Some('b') => format!("{width}'b{value:0>width$b}"),
            Some('h') => format!("{width}'h{value:0>digits$x}"),
            _ => format!("{width}'d{value}"),
        }
    }

    /// The cost of reading a signal. A reset is seldom meant as data.
    pub(super) fn signal_cost(&self, name: &str, cost: u32) -> u32 {
        if looks_like_reset(name) {
            cost + cost::RESET_AS_DATA
        } else {
            cost
        }
    }

    /// The width of an expression, where the text itself shows it.
    pub(super) fn width(&self, expr: &Expr) -> Option<usize> {
        match &expr.kind {
            ExprKind::Number(number) => number.width.map(|width| width as usize),
            ExprKind::Name(path) => match path.as_slice() {
                [name] => self
                    .visible(name)
                    .filter(|visible| visible.kind != VisibleKind::Array)
                    .map(|visible| visible.width),
                _ => None,
            },
            ExprKind::Index(base, _) => match &base.kind {
                ExprKind::Name(path) => match path.as_slice() {
                    [name] => self.visible(name).map(|visible| match visible.kind {
                        VisibleKind::Array => visible.width,
                        _ => 1,
                    }),
                    _ => None,
                },
                _ => Some(1),
            },
            ExprKind::Range(_, left, right) => match (&left.kind, &right.kind) {
                (ExprKind::Number(left), ExprKind::Number(right)) => {
                    let width = left.value()?.abs_diff(right.value()?) + 1;
                    usize::try_from(width).ok()
                }
                _ => None,
            },
            ExprKind::IndexedRange { width, .. } => match &width.kind {
                ExprKind::Number(width) => usize::try_from(width.value()?).ok(),
                _ => None,
            },
            ExprKind::Unary(UnaryOp::BitNot | UnaryOp::Minus | UnaryOp::Plus, operand) => {
                self.width(operand)
            }
            ExprKind::Unary(..) => Some(1),
            ExprKind::Binary(operator, ..) if operator.gives_one_bit() => Some(1),
            ExprKind::Binary(
                BinaryOp::ShiftLeft
                | BinaryOp::ShiftRight
                | BinaryOp::ArithmeticShiftLeft
                | BinaryOp::ArithmeticShiftRight
                | BinaryOp::Power,
                left,
                _,
            ) => self.width(left),
            ExprKind::Binary(_, left, right) | ExprKind::Conditional(_, left, right) => {
                Some(self.width(left)?.max(self.width(right)?))
            }
            ExprKind::Concat(items) => items.iter().map(|item| self.width(item)).sum(),
            _ => None,
        }
    }

    /// The text of an expression, in parentheses if it is more than one operand.
    pub(super) fn operand_text(&self, expr: &Expr, span: Span) -> String {
        let text = self.text(span);
        match expr.kind {
            ExprKind::Binary(..) | ExprKind::Conditional(..) | ExprKind::Unary(..)
                if !text.starts_with('(') || !is_grouped(text) =>
            {
                format!("({text})")
            }
            _ => text.to_string(),
        }
    }

    /// The blanks at the start of the line where a span starts.
    pub(super) fn indent_of(&self, span: Span) -> String {
        let text = &self.sources.file(span.file).text;
        let start = text[..span.start as usize]
            .rfind('\n')
            .map_or(0, |newline| newline + 1);
        let line = &text[start..];
        let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
        line[..blank].to_string()
    }
}

/// For each width the base in which a text writes most numbers of it.
pub(super) fn bases_of(text: &str) -> HashMap<usize, char> {
    let mut counts: BTreeMap<(usize, char), usize> = BTreeMap::new();
    for (at, _) in text.match_indices('\'') {
        let before = &text[..at];
        let digits = before.len()
            - before
                .trim_end_matches(|one: char| one.is_ascii_digit())
                .len();
        let Ok(width) = before[at - digits..].parse() else {
            continue;
        };
        if let Some(base @ ('b' | 'h' | 'd')) = text[at + 1..].chars().next() {
            *counts.entry((width, base)).or_default() += 1;
        }
    }
    let mut bases: HashMap<usize, (char, usize)> = HashMap::new();
    for ((width, base), count) in counts {
        let known = bases.entry(width).or_insert((base, count));
        // Of bases that are used as often, the decimal one.
        if count > known.1 || count == known.1 && base == 'd' {
            *known = (base, count);
        }
    }
    bases
        .into_iter()
        .map(|(width, (base, _))| (width, base))
        .collect()
}

pub(super) fn looks_like_reset(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("rst") || name.contains("reset") || name == "clear" || name == "clr"
}

/// Whether the parentheses at both ends of a text belong together.
fn is_grouped(text: &str) -> bool {
    let mut depth = 0;
    for (index, symbol) in text.char_indices() {
        match symbol {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return index + 1 == text.len();
                }
            }
            _ => {}
        }
    }
    false
}
