//! Template: an item that a case statement lacks, for a named constant without one.

use super::statement::{Surroundings, assigned};
use super::{Kind, Lister, cost};
use crate::design::verilog::VisibleKind;
use crate::design::verilog::syntax::*;
use crate::expr::{Expr, ExprKind};
use crate::source::Span;
use std::collections::BTreeSet;

/// Named constants that get an item.
const MOST_ITEMS: usize = 4;

impl Lister<'_> {
    /// `NAME: target <= value;` for each constant that no label names.
    pub(super) fn missing_items(
        &mut self,
        selector: &Expr,
        items: &[CaseItem],
        end: Span,
        around: Option<&Surroundings>,
    ) {
        let ExprKind::Name(path) = &selector.kind else {
            return;
        };
        let (Some(around), [name]) = (around, path.as_slice()) else {
            return;
        };
        let Some(own) = self.visible(name).cloned() else {
            return;
        };
        let labels: BTreeSet<&str> = items
            .iter()
            .flat_map(|item| &item.labels)
            .filter_map(|label| Some(self.text(label.span?)))
            .collect();
        let names = self.names.iter().filter(|one| {
            matches!(one.kind, VisibleKind::Constant(_))
                && one.width == own.width
                && one.family == own.family
                && !labels.contains(one.name.as_str())
        });
        let names: Vec<String> = names.map(|one| one.name.clone()).collect();
        if names.len() > MOST_ITEMS || labels.is_empty() {
            return;
        }
        let mut targets = BTreeSet::new();
        for item in items {
            assigned(&item.body, &mut targets);
        }
        // A `default` stays the last one.
        let default = items.iter().find(|item| item.labels.is_empty());
        let start = default.map_or(end.start, |item| self.start_of_default(item, end));
        let before = Span {
            start,
            end: start,
            ..end
        };
        let operator = around.assignment_operator();
        let indent = self.indent_of(before);
        for label in &names {
            for target in &targets {
                for value in self.branch_values(target) {
                    let text = format!("{label}: {target} {operator} {value};\n{indent}");
                    self.replace(before, text, Kind::CaseItem, cost::BRANCH + 2);
                }
            }
        }
    }

    /// Where the word `default` stands.
    fn start_of_default(&self, item: &CaseItem, end: Span) -> u32 {
        let text = &self.sources.file(end.file).text[..item.body.span.start as usize];
        text.rfind("default")
            .map_or(end.start, |start| start as u32)
    }
}
