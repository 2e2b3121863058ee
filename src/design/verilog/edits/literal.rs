//! Template: another value of a literal, written as the literal was, or a name in its place.

use super::expression::Context;
use super::{Kind, Lister, cost};
use crate::expr::{Digit, Expr, ExprKind, Number};
use crate::source::Span;

/// Literals and right-hand sides up to this width get every value.
pub(super) const ALL_VALUES: usize = 4;

impl Lister<'_> {
    pub(super) fn literal(&mut self, span: Span, number: &Number, context: Context) {
        let text = self.text(span).to_string();
        if text.starts_with('"') {
            return;
        }
        if !number.is_known() {
            self.wildcards(span, &text, context);
            return;
        }
        self.sketch_literal(span, number, context);
        let Some(value) = number.value().and_then(|value| i64::try_from(value).ok()) else {
            return;
        };
        let width = number.width.map(|width| width as usize);
        let used_width = context.target_width.filter(|_| context.is_whole).or(width);
        let limit = match width.into_iter().chain(used_width).min() {
            Some(width) if width < 62 => 1i64 << width,
            _ => i64::MAX,
        };
        for (value, cost) in other_values(value, width, limit, context.is_constant) {
            if (0..limit).contains(&value)
                && let Some(text) = number_text(&text, number, value)
            {
                self.edit(span, text, Kind::Literal, cost, context);
            }
        }
        if let Some(width) = width {
            self.names_for_literal(span, width, context);
        }
    }

    /// Constants and signals of the literal's width.
    fn names_for_literal(&mut self, span: Span, width: usize, context: Context) {
        for name in self.constants_of(width) {
            self.edit(span, name, Kind::Literal, cost::LITERAL, context);
        }
        if context.is_constant {
            return;
        }
        let around = context.within.map(|(span, _)| self.text(span).to_string());
        for name in self.signals_of(width) {
            // A signal that is read already would give `a - a`, which is a constant and is
            // listed as one.
            if around.as_ref().is_some_and(|text| text.contains(&name)) {
                continue;
            }
            let cost = self.signal_cost(&name, cost::OFFSET);
            self.edit(span, name, Kind::Signal, cost, context);
        }
    }

    /// Other digits of a label such as `4'b01??`.
    fn wildcards(&mut self, span: Span, text: &str, context: Context) {
        let Some(start) = text.find(['b', 'B']) else {
            return;
        };
        for (offset, digit) in text.char_indices().skip(start + 1) {
            for other in ['0', '1', '?'] {
                if digit != '_' && digit != other {
                    let mut changed = text.to_string();
                    changed.replace_range(offset..offset + digit.len_utf8(), &other.to_string());
                    self.edit(span, changed, Kind::Literal, cost::NEIGHBOUR, context);
                }
            }
        }
    }

    /// `[3:1]` may be `[2:0]`.
    pub(super) fn shifted_range(&mut self, left: &Expr, right: &Expr, context: Context) {
        let (ExprKind::Number(high), ExprKind::Number(low)) = (&left.kind, &right.kind) else {
            return;
        };
        let (Some(left_span), Some(right_span)) = (left.span, right.span) else {
            return;
        };
        let (Some(high), Some(low)) = (high.value(), low.value()) else {
            return;
        };
        for (high, low) in [
            (high.wrapping_add(1), low.wrapping_add(1)),
            (high.wrapping_sub(1), low.wrapping_sub(1)),
        ] {
            if high < 1 << 20 && low < 1 << 20 {
                let changes = vec![(left_span, high.to_string()), (right_span, low.to_string())];
                self.edit_together(changes, Kind::Literal, cost::LITERAL, context);
            }
        }
    }
}

/// Values near a value, and all of them for a small width; those outside of `0..limit` are
/// left out by the caller.
fn other_values(
    value: i64,
    width: Option<usize>,
    limit: i64,
    is_constant: bool,
) -> Vec<(i64, u32)> {
    let mut values: Vec<(i64, u32)> = vec![
        (value.saturating_add(1), cost::NEIGHBOUR),
        (value.saturating_sub(1), cost::NEIGHBOUR),
        (0, cost::LITERAL),
        (1, cost::LITERAL),
        (value.saturating_mul(2), cost::LITERAL),
        (value / 2, cost::LITERAL),
        (value.saturating_add(2), cost::LITERAL),
        (value.saturating_sub(2), cost::LITERAL),
    ];
    let listed_width = width.or((!is_constant).then_some(ALL_VALUES));
    if let Some(width) = listed_width.filter(|width| *width <= ALL_VALUES) {
        values.extend((0..1i64 << width).map(|value| (value, cost::LITERAL)));
    }
    if width.is_some() && limit < i64::MAX {
        values.push((limit - 1, cost::LITERAL));
        let mut bit = 1;
        while (1..limit).contains(&bit) {
            values.push((value ^ bit, cost::LITERAL));
            bit <<= 1;
        }
    }
    values
}

/// Another value written as the number was.
pub(super) fn number_text(text: &str, number: &Number, value: i64) -> Option<String> {
    let Some(quote) = text.find('\'') else {
        // A plain decimal; the name of a macro or parameter is not one.
        return text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'_')
            .then(|| value.to_string());
    };
    let rest = &text[quote + 1..];
    let sign = rest.starts_with(['s', 'S']) as usize;
    let base = rest[sign..].chars().next()?;
    let head = &text[..quote + 1 + sign + base.len_utf8()];
    let written = rest[sign + base.len_utf8()..].trim();
    let count = written.bytes().filter(|byte| *byte != b'_').count();
    // In all bases but the decimal one, as many digits as there were: leading zeros stay.
    let digits = match base.to_ascii_lowercase() {
        'd' => value.to_string(),
        'h' if written.contains(|digit: char| digit.is_ascii_uppercase()) => {
            format!("{value:0>count$X}")
        }
        'h' => format!("{value:0>count$x}"),
        'o' => format!("{value:0>count$o}"),
        'b' => format!("{value:0>count$b}"),
        _ => return None,
    };
    debug_assert!(number.bits.iter().all(|digit| *digit != Digit::X));
    Some(format!("{head}{}", grouped_like(written, &digits)))
}

/// Digits with underscores where a text has them, counted from the right.
fn grouped_like(written: &str, digits: &str) -> String {
    let mut pattern = written.chars().rev().skip_while(|symbol| *symbol == '_');
    let mut text = Vec::new();
    for digit in digits.chars().rev() {
        let mut symbol = pattern.next();
        while symbol == Some('_') {
            text.push('_');
            symbol = pattern.next();
        }
        text.push(digit);
    }
    text.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::parse_expression;
    use crate::source::Sources;

    /// Another value of a literal keeps base, width, case, leading zeros and underscores.
    #[test]
    fn another_value_is_written_as_the_literal_was() {
        let cases = [
            ("8'b0000_0101", 6, "8'b0000_0110"),
            ("16'hFF_0A", 0xff0b, "16'hFF_0B"),
            ("12'h0ab", 1, "12'h001"),
            ("10'd1_000", 999, "10'd999"),
            ("4'sd3", 4, "4'sd4"),
            ("7", 8, "8"),
        ];
        for (text, value, expected) in cases {
            let file = Sources::new().add("literal", text);
            let parsed = parse_expression(file, text).expect("a literal");
            let ExprKind::Number(number) = parsed.kind else {
                panic!("{text} is no number");
            };
            let written = number_text(text, &number, value);
            assert_eq!(written.as_deref(), Some(expected), "{text}");
        }
    }
}
