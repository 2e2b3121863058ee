//! What only serves assertions. It is taken to be right, and is not edited.

use super::Lister;
use crate::design::verilog::observers::outputs;
use crate::design::verilog::syntax::*;
use crate::expr::{Expr, ExprKind};
use crate::stack;

impl Lister<'_> {
    /// Whether only assertions depend on the target of an assignment.
    pub(super) fn is_checking(&self, target: &Expr) -> bool {
        match &target.kind {
            ExprKind::Name(path) => path
                .first()
                .is_some_and(|name| self.checking.contains(name.as_str())),
            ExprKind::Index(base, _)
            | ExprKind::Range(base, ..)
            | ExprKind::IndexedRange { base, .. } => self.is_checking(base),
            ExprKind::Concat(parts) => parts.iter().all(|part| self.is_checking(part)),
            _ => false,
        }
    }

    /// Whether an instance has no output that anything but assertions depends on. Instances of
    /// modules that are not known are taken for parts of the design.
    pub(super) fn only_observes(&self, module: &str, instance: &SingleInstance) -> bool {
        let Some(module) = self.tree.modules.iter().find(|one| one.name.text == module) else {
            return false;
        };
        let target = |port: &str| {
            let mut connections = instance.connections.iter().enumerate();
            let (_, connection) = connections.find(|(position, one)| match &one.name {
                Some(name) => name.text == port,
                None => module
                    .ports
                    .get(*position)
                    .is_some_and(|own| own.text == port),
            })?;
            Some(&connection.value)
        };
        let is_observing = |port: &str| match target(port) {
            Some(ConnectionValue::Expression(value)) => self.is_checking(value),
            Some(ConnectionValue::Open) => true,
            // `.*`, and ports that are not listed.
            _ => self.checking.contains(port),
        };
        outputs(module).all(is_observing)
    }

    /// Whether a statement asserts something and does nothing else: its conditions say when
    /// it is asserted.
    pub(super) fn only_checks(&self, statement: &Statement) -> bool {
        let mut asserts = false;
        self.has_no_effect(statement, &mut asserts) && asserts
    }

    fn has_no_effect(&self, statement: &Statement, asserts: &mut bool) -> bool {
        stack::recurse(|| match &statement.kind {
            StatementKind::Nothing | StatementKind::SystemTask => true,
            StatementKind::Assertion(_) => {
                *asserts = true;
                true
            }
            StatementKind::Block { statements, .. } => statements
                .iter()
                .all(|statement| self.has_no_effect(statement, asserts)),
            StatementKind::If {
                then, otherwise, ..
            } => {
                self.has_no_effect(then, asserts)
                    && otherwise
                        .as_ref()
                        .is_none_or(|statement| self.has_no_effect(statement, asserts))
            }
            StatementKind::Case { items, .. } => items
                .iter()
                .all(|item| self.has_no_effect(&item.body, asserts)),
            StatementKind::For { body, .. }
            | StatementKind::While(_, body)
            | StatementKind::DoWhile(body, _)
            | StatementKind::Repeat(_, body) => self.has_no_effect(body, asserts),
            StatementKind::Assign { target, .. } => self.is_checking(target),
            StatementKind::Call(..)
            | StatementKind::Return(_)
            | StatementKind::Break
            | StatementKind::Continue => false,
        })
    }
}
