//! Template: a branch that is missing: `else`, `default`, or a value at the top of a
//! combinational block.

use super::enumeration::is_one_of;
use super::statement::{Surroundings, assigned};
use super::{Kind, Lister, cost};
use crate::design::verilog::VisibleKind;
use crate::design::verilog::syntax::*;
use crate::source::Span;
use std::collections::BTreeSet;

impl Lister<'_> {
    /// A value for each signal at the top of a combinational block, before any branch.
    pub(super) fn missing_first_values(&mut self, always: &Always, around: &Surroundings) {
        let StatementKind::Block { statements, .. } = &always.body.kind else {
            return;
        };
        let Some(first) = statements.first() else {
            return;
        };
        let before = Span {
            end: first.span.start,
            ..first.span
        };
        let indent = self.indent_of(first.span);
        for target in &around.targets {
            for value in self.branch_values(target) {
                let text = format!("{target} = {value};\n{indent}");
                self.replace(before, text, Kind::MissingDefault, cost::BRANCH + 1);
            }
        }
    }

    pub(super) fn missing_else(
        &mut self,
        statement: &Statement,
        then: &Statement,
        around: Option<&Surroundings>,
    ) {
        let Some(around) = around else {
            return;
        };
        let mut targets = BTreeSet::new();
        assigned(then, &mut targets);
        let after = Span {
            start: statement.span.end,
            ..statement.span
        };
        let operator = around.assignment_operator();
        let indent = self.indent_of(statement.span);
        for target in &targets {
            for value in self.branch_values(target) {
                let text = format!("\n{indent}else\n{indent}    {target} {operator} {value};");
                self.replace(after, text, Kind::MissingElse, cost::BRANCH);
            }
        }
    }

    pub(super) fn missing_default(
        &mut self,
        items: &[CaseItem],
        end: Span,
        around: Option<&Surroundings>,
    ) {
        let Some(around) = around else {
            return;
        };
        let mut targets = BTreeSet::new();
        for item in items {
            assigned(&item.body, &mut targets);
        }
        let before = Span {
            end: end.start,
            ..end
        };
        let operator = around.assignment_operator();
        let indent = self.indent_of(end);
        for target in &targets {
            for value in self.branch_values(target) {
                let text = format!("    default: {target} {operator} {value};\n{indent}");
                self.replace(before, text, Kind::MissingDefault, cost::BRANCH);
            }
        }
        if targets.len() > 1 {
            // All at once, each with its first value.
            let assignments: Vec<String> = targets
                .iter()
                .filter_map(|target| {
                    let value = self.branch_values(target).into_iter().next()?;
                    Some(format!("{target} {operator} {value};"))
                })
                .collect();
            let text = format!("    default: begin {} end\n{indent}", assignments.join(" "));
            self.replace(before, text, Kind::MissingDefault, cost::BRANCH + 2);
        }
    }

    /// What a missing branch may assign: a constant, or a signal of the same width.
    pub(super) fn branch_values(&self, target: &str) -> Vec<String> {
        let Some(own) = self.visible(target) else {
            return Vec::new();
        };
        if let Some(family) = &own.family {
            let names = self.names.iter().filter(|name| is_one_of(name, family));
            return names
                .filter(|name| name.name != own.name)
                .map(|name| name.name.clone())
                .collect();
        }
        let mut values = self.constant_texts(own.width);
        let signals = self.names.iter().filter(|name| {
            name.width == own.width
                && name.name != own.name
                && !matches!(name.kind, VisibleKind::Constant(_) | VisibleKind::Array)
        });
        values.extend(signals.map(|name| name.name.clone()));
        values
    }
}
