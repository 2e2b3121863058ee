//! The walk over statements: which template is tried where.

use super::missing_reset::is_reset_test;
use super::{Kind, Lister};
use crate::design::component::ComponentKind;
use crate::design::verilog::syntax::*;
use crate::expr::{Expr, ExprKind};
use crate::source::Span;
use crate::stack;
use std::collections::BTreeSet;

/// The block around a statement.
#[derive(Clone)]
pub(super) struct Surroundings {
    pub is_clocked: bool,
    /// Whether the statement stands in the branch of a reset.
    pub is_reset: bool,
    /// Signals that the block assigns.
    pub targets: Vec<String>,
}

impl Surroundings {
    /// How a statement that is added assigns.
    pub fn assignment_operator(&self) -> &'static str {
        if self.is_clocked { "<=" } else { "=" }
    }
}

impl Lister<'_> {
    pub(super) fn always(&mut self, always: &Always) {
        if self.only_checks(&always.body) {
            return;
        }
        let mut targets = BTreeSet::new();
        assigned(&always.body, &mut targets);
        let surroundings = Surroundings {
            is_clocked: !always.edges.is_empty(),
            is_reset: false,
            targets: targets
                .into_iter()
                .filter(|name| !self.checking.contains(name.as_str()))
                .collect(),
        };
        self.statement(&always.body, Some(&surroundings));
        self.other_assignments(always, &surroundings);
        if surroundings.is_clocked {
            self.all_nonblocking(always);
            self.missing_resets(always, &surroundings);
            self.events(always);
        } else {
            self.missing_first_values(always, &surroundings);
            self.forgotten_edge(always);
        }
    }

    pub(super) fn statement(&mut self, statement: &Statement, around: Option<&Surroundings>) {
        if self.only_checks(statement) {
            return;
        }
        stack::recurse(|| match &statement.kind {
            StatementKind::Assign { target, .. } if self.is_checking(target) => {}
            StatementKind::Assertion(_) => {}
            StatementKind::Block { statements, .. } => {
                for statement in statements {
                    self.statement(statement, around);
                }
                self.misplaced(statements);
            }
            StatementKind::Assign {
                target,
                value,
                blocking,
                operator,
                compound,
            } => {
                let is_reset = around.is_some_and(|around| around.is_reset);
                self.value(value, Some(target), is_reset.then_some(Kind::Reset));
                self.other_targets(target, value, around);
                if !compound {
                    self.other_assignment(*operator, *blocking, around);
                }
                if let ExprKind::Index(_, index) = &target.kind {
                    self.connection(index);
                }
                self.guards(statement, around);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.condition(condition);
                let resetting = around.filter(|one| one.is_clocked && is_reset_test(condition));
                match resetting {
                    Some(around) => {
                        let around = Surroundings {
                            is_reset: true,
                            ..around.clone()
                        };
                        self.statement(then, Some(&around));
                    }
                    None => self.statement(then, around),
                }
                match otherwise {
                    Some(otherwise) => {
                        self.statement(otherwise, around);
                        self.out_of_else(then, otherwise);
                        if resetting.is_none() {
                            self.missing_statements(&[then, otherwise]);
                        }
                    }
                    None => {
                        self.missing_else(statement, then, around);
                        if resetting.is_none() {
                            self.removed_guard(statement, then);
                        }
                    }
                }
            }
            StatementKind::Case {
                selector,
                items,
                end,
                ..
            } => self.case(selector, items, *end, around),
            StatementKind::For {
                start,
                condition,
                body,
                ..
            } => {
                if let StatementKind::Assign { value, .. } = &start.kind {
                    self.constant(value, Kind::Literal);
                }
                self.constant(condition, Kind::Literal);
                self.statement(body, around);
            }
            StatementKind::While(_, body)
            | StatementKind::DoWhile(body, _)
            | StatementKind::Repeat(_, body) => {
                self.statement(body, around);
            }
            StatementKind::Call(_, arguments) => {
                for argument in arguments {
                    self.connection(argument);
                }
            }
            StatementKind::Return(Some(value)) => self.value(value, None, None),
            StatementKind::Return(None)
            | StatementKind::Break
            | StatementKind::Continue
            | StatementKind::Nothing
            | StatementKind::ReadMemory(_)
            | StatementKind::SystemTask => {}
        });
    }

    fn case(
        &mut self,
        selector: &Expr,
        items: &[CaseItem],
        end: Span,
        around: Option<&Surroundings>,
    ) {
        self.label(selector, ComponentKind::Condition);
        let labels = items.iter().flat_map(|item| &item.labels);
        let spans = labels.clone().filter_map(|label| label.span);
        let known: Vec<String> = spans.map(|span| self.text(span).to_string()).collect();
        for label in labels {
            let first = self.edits.len();
            self.label(label, ComponentKind::Label);
            self.weigh_repeated(first, label.span, |text| {
                known.iter().any(|one| one == text)
            });
        }
        for item in items {
            self.statement(&item.body, around);
        }
        if items.iter().all(|item| !item.labels.is_empty()) {
            self.missing_default(items, end, around);
        }
        self.missing_items(selector, items, end, around);
        let bodies: Vec<&Statement> = items.iter().map(|item| &item.body).collect();
        self.missing_statements(&bodies);
    }
}

/// The names that statements assign.
pub(super) fn assigned(statement: &Statement, names: &mut BTreeSet<String>) {
    stack::recurse(|| match &statement.kind {
        StatementKind::Assign { target, .. } => {
            for part in target.assigned() {
                if let ExprKind::Name(path) = &part.kind {
                    names.insert(path.join("."));
                }
            }
        }
        StatementKind::Block { statements, .. } => {
            statements
                .iter()
                .for_each(|statement| assigned(statement, names));
        }
        StatementKind::If {
            then, otherwise, ..
        } => {
            assigned(then, names);
            if let Some(otherwise) = otherwise {
                assigned(otherwise, names);
            }
        }
        StatementKind::Case { items, .. } => {
            items.iter().for_each(|item| assigned(&item.body, names));
        }
        StatementKind::For { body, .. }
        | StatementKind::While(_, body)
        | StatementKind::DoWhile(body, _)
        | StatementKind::Repeat(_, body) => assigned(body, names),
        _ => {}
    });
}
