//! What may be assigned to an enumeration: its values, its signals, and `?:` of these. Of the
//! edits of a right-hand side, those are left out that would put anything else there, which
//! other tools refuse (`design/verilog/enumerations.rs` looks at every edited text as a whole).

use super::{Lister, SourceEdit};
use crate::design::verilog::enumerations::{Typed, typed};
use crate::design::verilog::{VisibleKind, VisibleName};
use crate::expr::build::parse_in_source;
use crate::expr::token::{TokenKind, tokenize};
use crate::expr::{CAST, Dialect, Expr, ExprKind};
use crate::source::{Cursor, Span};

impl Lister<'_> {
    /// The enumeration that a target takes values of.
    pub(super) fn family_of(&self, target: &Expr) -> Option<String> {
        match &target.kind {
            ExprKind::Name(path) => {
                let [name] = path.as_slice() else {
                    return None;
                };
                let known = self.visible(name);
                let known = known.filter(|one| one.kind != VisibleKind::Array);
                known.and_then(|one| one.family.clone())
            }
            ExprKind::Index(base, _) => {
                let ExprKind::Name(path) = &base.kind else {
                    return None;
                };
                let [name] = path.as_slice() else {
                    return None;
                };
                let known = self.visible(name);
                let known = known.filter(|one| one.kind == VisibleKind::Array);
                known.and_then(|one| one.family.clone())
            }
            _ => None,
        }
    }

    /// Leaves out edits of a right-hand side, from one on, that give an enumeration what is no
    /// value of it.
    pub(super) fn keep_enumerated(&mut self, first: usize, value: &Expr, target: &Expr) {
        let (Some(family), Some(span)) = (self.family_of(target), value.span) else {
            return;
        };
        // What is written as it is in a text that only some tools take is not for us to judge.
        if !self.is_value_of(value, &family) {
            return;
        }
        let listed = self.edits.split_off(first);
        let kept = listed.into_iter().filter(|edit| {
            let edited = self.edited_value(edit, span);
            edited.is_none_or(|edited| self.is_value_of(&edited, &family))
        });
        let kept: Vec<SourceEdit> = kept.collect();
        self.edits.extend(kept);
    }

    /// A right-hand side after an edit; `None` if it cannot be read alone.
    fn edited_value(&self, edit: &SourceEdit, span: Span) -> Option<Expr> {
        let text = self.sources.text_after(span, &edit.changes)?;
        let tokens = tokenize(span.file, &text, Dialect::Source);
        let mut cursor = Cursor::new(&tokens);
        let value = parse_in_source(&mut cursor).ok()?;
        (cursor.peek().kind == TokenKind::End).then_some(value)
    }

    /// Whether an expression has the type of an enumeration, or one that is not told here.
    pub(super) fn is_value_of(&self, expr: &Expr, family: &str) -> bool {
        match typed(expr) {
            Typed::Choice(then, otherwise) => {
                self.is_value_of(then, family) && self.is_value_of(otherwise, family)
            }
            Typed::Call(CAST, items) => matches!(&items[0].kind, ExprKind::Name(_)),
            Typed::Call(name, _) => !matches!(name, "$signed" | "$unsigned"),
            Typed::Reference => match &expr.kind {
                ExprKind::Name(path) => match path.as_slice() {
                    [name] => {
                        let known = self.visible(name);
                        known.is_none_or(|one| is_one_of(one, family))
                    }
                    _ => true,
                },
                ExprKind::Index(base, _) if matches!(base.kind, ExprKind::Name(_)) => {
                    self.family_of(expr).is_some_and(|own| own == family)
                }
                _ => true,
            },
            Typed::Unknown => true,
            Typed::Bits => false,
        }
    }

    /// The constants that a signal may be given: the values of its enumeration, or all of its
    /// width.
    pub(super) fn constants_for(&self, family: Option<&str>, width: usize) -> Vec<String> {
        let Some(family) = family else {
            return self.constant_texts(width);
        };
        let is_value = |one: &&VisibleName| {
            matches!(one.kind, VisibleKind::Constant(_)) && is_one_of(one, family)
        };
        let values = self.names.iter().filter(is_value);
        values.map(|one| one.name.clone()).collect()
    }
}

/// Whether a name is a value or a signal of an enumeration.
pub(super) fn is_one_of(name: &VisibleName, family: &str) -> bool {
    name.family.as_deref() == Some(family) && name.kind != VisibleKind::Array
}
