//! Template: another name of the same width and kind in place of a name.

use super::expression::Context;
use super::{Kind, Lister, SourceEdit, cost};
use crate::design::verilog::{VisibleKind, VisibleName};
use crate::source::Span;

impl Lister<'_> {
    pub(super) fn other_names(&mut self, span: Span, name: &str, context: Context) {
        let Some(own) = self.visible(name).cloned() else {
            return;
        };
        if let VisibleKind::Constant(_) = own.kind {
            self.other_constants(span, &own, context);
        } else if !context.is_constant {
            self.other_signals(span, name, context);
        }
    }

    /// Constants of the same width and enumeration, and one more or one less.
    fn other_constants(&mut self, span: Span, own: &VisibleName, context: Context) {
        let others: Vec<String> = self
            .names
            .iter()
            .filter(|other| matches!(other.kind, VisibleKind::Constant(_)))
            .filter(|other| other.width == own.width && other.family == own.family)
            .filter(|other| other.name != own.name)
            .map(|other| other.name.clone())
            .collect();
        for other in others {
            // A constant in the place of another is a wrong name as well.
            let changes = vec![(span, other)];
            let kind = context.kind.unwrap_or(Kind::Literal);
            self.push(SourceEdit {
                within: context.within,
                template: Kind::Signal,
                ..SourceEdit::new(kind, changes, cost::CONSTANT_NAME)
            });
        }
        // The values of an enumeration are no numbers.
        if own.family.is_some() {
            return;
        }
        let name = &own.name;
        for shift in ["+ 1", "- 1"] {
            let text = if context.is_whole {
                format!("{name} {shift}")
            } else {
                format!("({name} {shift})")
            };
            self.edit(span, text, Kind::Literal, cost::LITERAL, context);
        }
    }

    /// Signals that may be read in place of one; arrays in place of arrays only.
    pub(super) fn other_signals(&mut self, span: Span, name: &str, context: Context) {
        let Some(own) = self.visible(name).cloned() else {
            return;
        };
        let others: Vec<(String, u32)> = self
            .names
            .iter()
            .filter(|other| other.width == own.width && other.name != own.name)
            .filter(|other| match (own.kind, other.kind) {
                (VisibleKind::Array, kind) | (kind, VisibleKind::Array) => {
                    kind == VisibleKind::Array
                }
                (_, VisibleKind::Constant(_)) => own.family.is_some() && own.family == other.family,
                _ => true,
            })
            .map(|other| {
                let similar = shares_letters(&other.name, name);
                let cost = cost::SIGNAL - similar as u32;
                (other.name.clone(), self.signal_cost(&other.name, cost))
            })
            .collect();
        for (other, cost) in others {
            self.edit(span, other, Kind::Signal, cost, context);
        }
    }
}

/// Whether half of the longer name is a common start or end: such names are easily confused.
fn shares_letters(left: &str, right: &str) -> bool {
    let common = left
        .bytes()
        .zip(right.bytes())
        .take_while(|(left, right)| left == right)
        .count();
    let common_end = left
        .bytes()
        .rev()
        .zip(right.bytes().rev())
        .take_while(|(left, right)| left == right)
        .count();
    2 * common.max(common_end) >= left.len().max(right.len())
}
