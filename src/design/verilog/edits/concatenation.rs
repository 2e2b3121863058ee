//! Template: a part of a concatenation that is missing, or one too many; the bit that a shifted
//! word loses in place of a constant, so that it is rotated.

use super::expression::Context;
use super::{Kind, Lister, cost};
use crate::expr::{Expr, ExprKind};
use crate::source::Span;

impl Lister<'_> {
    pub(super) fn parts(&mut self, span: Span, items: &[Expr], context: Context) {
        let mut texts: Vec<String> = Vec::new();
        for item in items {
            let Some(item) = item.span else {
                return;
            };
            texts.push(self.text(item).to_string());
        }
        for pair in items.windows(2) {
            self.rotated(&pair[0], &pair[1], context);
            self.rotated(&pair[1], &pair[0], context);
        }
        let kind = Kind::Operand;
        if items.len() > 1 {
            for left_out in 0..items.len() {
                let mut rest = texts.clone();
                rest.remove(left_out);
                let text = format!("{{{}}}", rest.join(", "));
                self.edit(span, text, kind, cost::DROP + 1, context);
            }
        }
        let width: Option<usize> = items.iter().map(|item| self.width(item)).sum();
        let missing = match (context.target_width.filter(|_| context.is_whole), width) {
            (Some(target), Some(width)) if target > width => target - width,
            _ => return,
        };
        let mut added = self.signals_of(missing);
        added.push(format!("{missing}'b{}", "0".repeat(missing.min(64))));
        for part in added {
            for at in 0..=texts.len() {
                let mut more = texts.clone();
                more.insert(at, part.clone());
                let text = format!("{{{}}}", more.join(", "));
                self.edit(span, text, kind, cost::EXTRA_OPERAND, context);
            }
        }
    }

    /// The bits next to a range of a word, in place of a constant bit beside it.
    fn rotated(&mut self, range: &Expr, bit: &Expr, context: Context) {
        let (ExprKind::Range(base, left, right), ExprKind::Number(number)) =
            (&range.kind, &bit.kind)
        else {
            return;
        };
        let (Some(base), Some(left), Some(right), Some(span)) =
            (base.span, left.span, right.span, bit.span)
        else {
            return;
        };
        if number.width != Some(1) {
            return;
        }
        let (above, below) = (one_more(self.text(left)), one_less(self.text(right)));
        for index in [Some(above), below].into_iter().flatten() {
            let text = format!("{}[{index}]", self.text(base));
            self.edit(span, text, Kind::Signal, cost::ROTATION, context);
        }
    }
}

/// The number after an expression, as a person writes it.
fn one_more(text: &str) -> String {
    if let Ok(number) = text.parse::<u32>() {
        return (number.saturating_add(1)).to_string();
    }
    match text
        .strip_suffix('2')
        .filter(|rest| rest.trim_end().ends_with('-'))
    {
        Some(rest) => format!("{rest}1"),
        None => format!("{text}+1"),
    }
}

/// The number before one, unless it is 0 or no number.
fn one_less(text: &str) -> Option<String> {
    let number = text.parse::<u32>().ok()?;
    Some(number.checked_sub(1)?.to_string())
}

#[cfg(test)]
mod tests {
    use super::{one_less, one_more};

    #[test]
    fn neighbours_of_bounds_are_written_as_people_do() {
        let above = ["6", "WIDTH-2", "WIDTH - 2", "W-12", "last"].map(one_more);
        assert_eq!(above, ["7", "WIDTH-1", "WIDTH - 1", "W-12+1", "last+1"]);
        let below = ["1", "0", "low"].map(one_less);
        assert_eq!(below, [Some("0".to_string()), None, None]);
    }
}
