//! `let`: an expression with a name, and maybe arguments (IEEE 1800-2017, 11.12).
//!
//! A use stands for the expression in parentheses, with what is given in the place of the
//! arguments, so that width and sign are those of the place of the use. Names of the expression
//! mean what they mean where it was declared; a use where one of them means something else is
//! refused.

use super::codes;
use super::declare::Declarer;
use super::frame::Frame;
use super::scope::{Entry, ScopeId};
use super::syntax::{PropertyArgument, PropertyDeclaration};
use crate::design::netlist::Design;
use crate::expr::{CAST, Expr, ExprKind, Number, SvaKind};
use crate::source::{Diagnostic, Span};
use crate::stack;
use std::collections::HashMap;

/// Where a `let` stands and where it is used.
#[derive(Clone, Copy)]
struct Place {
    home: ScopeId,
    /// Its own name.
    own: Span,
    used: Option<Span>,
}

impl<'s> Frame<'_, 's> {
    /// What a name or call is short for, if it is.
    pub(super) fn expanded(
        &mut self,
        design: &mut Design,
        expr: &Expr,
    ) -> Result<Option<Expr>, Diagnostic> {
        let (name, given): (&str, &[Expr]) = match &expr.kind {
            ExprKind::Name(path) if path.len() == 1 => (&path[0], &[]),
            ExprKind::Call(name, given) => (name, given),
            _ => return Ok(None),
        };
        let Some((declaration, home)) = self.let_of(name) else {
            return Ok(None);
        };
        // What is declared before a use cannot lead back to it.
        let declared = declaration.name.span;
        let is_later = |used: Span| used.file == declared.file && used.start < declared.start;
        if let Some(span) = expr.span.filter(|used| is_later(*used)) {
            let message = format!("`{name}` is declared behind its use");
            return Err(Diagnostic::error(codes::UNKNOWN_NAME, message)
                .at(span, "used here")
                .at(declared, "declared here"));
        }
        let SvaKind::Condition(body) = &declaration.spec.body.kind else {
            return Ok(None);
        };
        let values = self.let_arguments(design, declaration, home, given, expr.span)?;
        let place = Place {
            home,
            own: declared,
            used: expr.span,
        };
        self.substituted(body, &values, place).map(Some)
    }

    fn let_of(&self, name: &str) -> Option<(&'s PropertyDeclaration, ScopeId)> {
        let entry = match name.split_once("::") {
            None => self.tables.lookup(self.scope, name)?,
            Some((package, name)) => {
                let package = self.tables.packages.get(package)?;
                self.tables.scope(*package).entries.get(name)?
            }
        };
        match entry {
            Entry::Let(declaration, home) => Some((declaration, *home)),
            _ => None,
        }
    }

    /// The expressions that stand for the arguments.
    fn let_arguments(
        &mut self,
        design: &mut Design,
        declaration: &'s PropertyDeclaration,
        home: ScopeId,
        given: &[Expr],
        span: Option<Span>,
    ) -> Result<HashMap<String, Expr>, Diagnostic> {
        let arguments = &declaration.arguments;
        let mut values = HashMap::new();
        for (position, argument) in arguments.iter().enumerate() {
            let value = given.get(position).or(argument.default.as_ref());
            let Some(value) = value.filter(|_| given.len() <= arguments.len()) else {
                let message = format!(
                    "`{}` has {} arguments, and {} are given",
                    declaration.name.text,
                    arguments.len(),
                    given.len()
                );
                let diagnostic = Diagnostic::error(codes::HIERARCHY, message);
                return Err(diagnostic.at_optional(span, "used here"));
            };
            let value = self.converted(design, argument, home, value.clone())?;
            values.insert(argument.name.text.clone(), value);
        }
        Ok(values)
    }

    /// What is given for an argument, as its type has it.
    fn converted(
        &mut self,
        design: &mut Design,
        argument: &'s PropertyArgument,
        home: ScopeId,
        value: Expr,
    ) -> Result<Expr, Diagnostic> {
        let Some(written) = &argument.data_type else {
            return Ok(value);
        };
        let data = Declarer::new(design, self.tables).data_type(written, home)?;
        let span = value.span;
        let call = |name: &str, arguments: Vec<Expr>| Expr {
            kind: ExprKind::Call(name.to_string(), arguments),
            span,
        };
        let width = Expr {
            kind: ExprKind::Number(Number::decimal(data.width() as u64)),
            span,
        };
        let resized = call(CAST, vec![width, value]);
        let sign = if data.signed { "$signed" } else { "$unsigned" };
        Ok(call(sign, vec![resized]))
    }

    /// A copy of an expression with other expressions for some names.
    fn substituted(
        &self,
        expr: &Expr,
        values: &HashMap<String, Expr>,
        place: Place,
    ) -> Result<Expr, Diagnostic> {
        let one = |expr: &Expr| self.substituted(expr, values, place);
        let boxed = |expr: &Expr| one(expr).map(Box::new);
        let all = |exprs: &[Expr]| exprs.iter().map(one).collect::<Result<Vec<Expr>, _>>();
        let kind = stack::recurse(|| {
            Ok(match &expr.kind {
                ExprKind::Name(path) => {
                    if let ([_], Some(value)) = (path.as_slice(), values.get(&path[0])) {
                        return Ok::<ExprKind, Diagnostic>(value.kind.clone());
                    }
                    self.refuse_other_meaning(&path[0], place, expr)?;
                    expr.kind.clone()
                }
                ExprKind::Member(base, name) => ExprKind::Member(boxed(base)?, name.clone()),
                ExprKind::Number(_) | ExprKind::Net(_) | ExprKind::AllOnes => expr.kind.clone(),
                ExprKind::Index(base, index) => ExprKind::Index(boxed(base)?, boxed(index)?),
                ExprKind::Range(base, left, right) => {
                    ExprKind::Range(boxed(base)?, boxed(left)?, boxed(right)?)
                }
                ExprKind::IndexedRange {
                    base,
                    start,
                    width,
                    down,
                } => ExprKind::IndexedRange {
                    base: boxed(base)?,
                    start: boxed(start)?,
                    width: boxed(width)?,
                    down: *down,
                },
                ExprKind::Unary(operator, operand) => ExprKind::Unary(*operator, boxed(operand)?),
                ExprKind::Binary(operator, left, right) => {
                    ExprKind::Binary(*operator, boxed(left)?, boxed(right)?)
                }
                ExprKind::Conditional(condition, then, otherwise) => {
                    ExprKind::Conditional(boxed(condition)?, boxed(then)?, boxed(otherwise)?)
                }
                ExprKind::Concat(parts) => ExprKind::Concat(all(parts)?),
                ExprKind::Replicate(count, parts) => {
                    ExprKind::Replicate(boxed(count)?, all(parts)?)
                }
                ExprKind::Call(name, arguments) => {
                    if self.tables.lookup(place.home, name).is_some() {
                        self.refuse_other_meaning(name, place, expr)?;
                    }
                    ExprKind::Call(name.clone(), all(arguments)?)
                }
            })
        })?;
        // Nothing of it is edited or suspected: it has the place of its use.
        Ok(Expr {
            kind,
            span: place.used,
        })
    }

    fn refuse_other_meaning(
        &self,
        name: &str,
        place: Place,
        expr: &Expr,
    ) -> Result<(), Diagnostic> {
        let Place { home, own, used } = place;
        let meant = self.tables.lookup(home, name);
        let here = self.tables.lookup(self.scope, name);
        if let Some(Entry::Let(meant, _)) = meant
            && (meant.name.span.file, meant.name.span.start) >= (own.file, own.start)
        {
            let message = format!("`{name}` is used in its own declaration, or before it");
            let diagnostic = Diagnostic::error(codes::LOOP, message);
            let diagnostic = diagnostic.at_optional(expr.span, "used here");
            return Err(diagnostic.at(meant.name.span, "declared here"));
        }
        let is_same = match (meant, here) {
            (Some(Entry::Signal(meant)), Some(Entry::Signal(here))) => meant == here,
            (Some(Entry::Constant(meant)), Some(Entry::Constant(here))) => meant.bits == here.bits,
            (Some(Entry::Type(meant)), Some(Entry::Type(here))) => meant.width() == here.width(),
            (Some(Entry::Routine(meant, _)), Some(Entry::Routine(here, _))) => {
                std::ptr::eq(*meant, *here)
            }
            (Some(Entry::Let(meant, _)), Some(Entry::Let(here, _))) => std::ptr::eq(*meant, *here),
            (Some(Entry::Scope(meant)), Some(Entry::Scope(here))) => meant == here,
            // What is not declared at all is said where it is read.
            (None, None) => true,
            _ => false,
        };
        if is_same {
            return Ok(());
        }
        let message = format!("`{name}` of this `let` means something else where it is used");
        let diagnostic = Diagnostic::error(codes::UNSUPPORTED, message);
        let diagnostic = diagnostic.at_optional(used, "used here");
        let diagnostic = diagnostic.at_optional(expr.span, "read there");
        Err(diagnostic.help("give it as an argument"))
    }
}
