//! Local variables of properties and sequences (IEEE 1800-2017, 16.10): `(a, v = x) ##1 b |-> c == v`.
//!
//! A variable is a value that the environment chooses once, and its assignment is the condition
//! that the chosen value is the one that is assigned. A property that asks something of every
//! match of an antecedent then says the same for all choices together: the match with the value
//! `x` is the one in whose choice the condition holds. That needs one assignment of each
//! variable, in an antecedent, where every match counts; elsewhere it is refused. A cover asks
//! for one match, and for one choice.

use super::codes;
use super::declare::Declarer;
use super::frame::Frame;
use super::scope::{Constant, Entry, ScopeId};
use super::syntax::PropertyDeclaration;
use crate::design::expression::{Elaborator, Names};
use crate::design::netlist::Design;
use crate::design::words;
use crate::expr::{Expr, ExprKind, Role, Sva, SvaKind};
use crate::source::{Diagnostic, Span};

/// An assignment to a local variable.
pub struct Capture {
    /// The name of its condition.
    condition: String,
    /// The scope of the use of the property, and the variable.
    variable: (ScopeId, String),
    span: Option<Span>,
}

impl<'s> Frame<'_, 's> {
    /// Gives the local variables of a property that is used in a scope their values.
    pub(super) fn add_local_variables(
        &mut self,
        design: &mut Design,
        declaration: &'s PropertyDeclaration,
        (home, inner): (ScopeId, ScopeId),
    ) -> Result<(), Diagnostic> {
        for variable in &declaration.variables {
            let Some(written) = &variable.data_type else {
                continue;
            };
            let data = Declarer::new(design, self.tables).data_type(written, home)?;
            let bits = self.free(design, data.width(), true).unwrap_or_default();
            let entry = Entry::Constant(Constant { bits, data });
            let entries = &mut self.tables.scopes[inner.0].entries;
            entries.insert(variable.name.text.clone(), entry);
        }
        Ok(())
    }

    /// The condition that a local variable has the value that is assigned to it.
    pub(super) fn capture(
        &mut self,
        design: &mut Design,
        variable: &Expr,
        value: &Expr,
        span: Option<Span>,
    ) -> Result<Sva<u32>, Diagnostic> {
        let name = match &variable.kind {
            ExprKind::Name(path) => path.join("."),
            _ => String::new(),
        };
        let own = self.tables.scope(self.scope).entries.get(&name);
        let Some(Entry::Constant(constant)) = own.cloned() else {
            let message = format!("`{name}` is no local variable of this property");
            let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message);
            return Err(diagnostic.at_optional(variable.span, "assigned here"));
        };
        let width = constant.data.width();
        let bits = Elaborator::new(design, self).assigned(value, width)?;
        let holds = words::equal(design, &bits, &constant.bits);
        let condition = self.watch(holds, span);
        let key = (self.scope, name);
        let captures = &mut self.tables.asserted.captures;
        let first = captures.iter().find(|one| one.variable == key);
        if let Some(first) = first {
            let message = format!("`{}` is assigned in two places", key.1);
            let diagnostic = Diagnostic::error(codes::UNSUPPORTED, message);
            let diagnostic = diagnostic.at_optional(span, "here");
            let diagnostic = diagnostic.at_optional(first.span, "and here");
            return Err(diagnostic.help("use a variable for each"));
        }
        if let ExprKind::Name(path) = &condition.kind {
            captures.push(Capture {
                condition: path.join("."),
                variable: key,
                span,
            });
        }
        Ok(Sva::condition(condition))
    }
}

/// Refuses local variables where not every match counts.
pub fn check(captures: &[Capture], role: Role, property: &Sva<u32>) -> Result<(), Diagnostic> {
    let checker = Checker { captures };
    let Some(span) = checker.capture_in(property) else {
        return Ok(());
    };
    let problem = match role {
        Role::Assume => Some((span, "an assumption with a local variable is not supported")),
        Role::Assert => checker.property(property).map(|span| {
            let message =
                "a local variable that is assigned outside of an antecedent is not supported";
            (span, message)
        }),
        Role::Cover => checker.sequence(property).map(|span| {
            let message = "a local variable in a cover that is no plain sequence is not supported";
            (span, message)
        }),
    };
    let Some((span, message)) = problem else {
        return Ok(());
    };
    let diagnostic = Diagnostic::error(codes::UNSUPPORTED, message);
    let help = "assign it once, left of `|->` or `|=>`, or use a register of the design";
    Err(diagnostic.at_optional(span, "here").help(help))
}

/// Each function gives the place of an assignment that is not allowed.
struct Checker<'c> {
    captures: &'c [Capture],
}

impl Checker<'_> {
    fn capture_in(&self, tree: &Sva<u32>) -> Option<Option<Span>> {
        if let SvaKind::Condition(condition) = &tree.kind {
            let name = condition.to_string();
            let mut captures = self.captures.iter();
            return captures
                .find(|one| one.condition == name)
                .map(|one| one.span);
        }
        let mut parts = tree.operands().into_iter();
        parts.find_map(|part| self.capture_in(part))
    }

    /// A property that holds for each value of the variables.
    fn property(&self, tree: &Sva<u32>) -> Option<Option<Span>> {
        match &tree.kind {
            SvaKind::Implication {
                antecedent,
                consequent,
                ..
            } => self
                .sequence(antecedent)
                .or_else(|| self.property(consequent)),
            SvaKind::Always(_, inner) | SvaKind::Nexttime(_, inner) => self.property(inner),
            SvaKind::And(left, right) => self.property(left).or_else(|| self.property(right)),
            SvaKind::If {
                then, otherwise, ..
            } => {
                let otherwise = otherwise.as_ref();
                let otherwise = || otherwise.and_then(|inner| self.property(inner));
                self.property(then).or_else(otherwise)
            }
            _ => self.capture_in(tree),
        }
    }

    /// A sequence of which every match counts.
    fn sequence(&self, tree: &Sva<u32>) -> Option<Option<Span>> {
        match &tree.kind {
            SvaKind::Condition(_) => None,
            SvaKind::Delay(left, _, right) => {
                let left = left.as_ref().and_then(|left| self.sequence(left));
                left.or_else(|| self.sequence(right))
            }
            SvaKind::Throughout(condition, inner) => {
                self.capture_in(condition).or_else(|| self.sequence(inner))
            }
            _ => self.capture_in(tree),
        }
    }
}
