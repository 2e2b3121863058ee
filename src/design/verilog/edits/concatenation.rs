//! Template: a part of a concatenation that is missing, or one too many.

use super::expression::Context;
use super::{Kind, Lister, cost};
use crate::expr::Expr;
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
}
