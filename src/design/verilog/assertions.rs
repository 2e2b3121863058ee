//! Assertions of a source: conditions become signals of the design, and what they mean in
//! time is handed on.
//!
//! A condition of an assertion is evaluated where it stands, by the rules of its scope, and
//! becomes a hidden word of the design; the [`PropertyItem`] only has its name. So a later
//! reading of an edited text gives the same properties over the same names. An immediate
//! assertion says that its condition holds whenever the statement is reached: in a clocked
//! block with the values before the edge, in a combinational one with those of the step.

use super::codes;
use super::declare::{Declarer, simple_name};
use super::frame::{Assertions, Frame, Values};
use super::locals::{self, Capture};
use super::process::Clock;
use super::sampled::hidden_latch;
use super::scope::{Constant, Entry, ScopeId, SignalId, SignalKind};
use super::syntax::*;
use super::types::Type;
use crate::design::expression::{Elaborator, Names};
use crate::design::literal::Literal;
use crate::design::netlist::{Design, Reset};
use crate::design::reserved::CONDITION_PREFIX;
use crate::design::words::{self, Bits};
use crate::expr::{
    CAPTURE, Expr, ExprKind, PropertyBody, PropertyItem, Role, Sva, SvaKind, SvaRange,
};
use crate::quick_hash::QuickMap;
use crate::source::{Diagnostic, Span};
use crate::stack;
use std::collections::HashMap;

/// Named properties inside each other.
const DEEPEST: usize = 64;
/// The largest number of steps in a range.
const MOST_STEPS: i64 = 1000;

/// For a literal and the clock that counts, if it is known, the literal of its earlier value.
pub type Pasts = HashMap<(Literal, Option<(Literal, bool)>), Literal>;

/// What assertions have added to a design.
#[derive(Default)]
pub struct Asserted {
    pub items: Vec<PropertyItem>,
    /// The conditions, each with its name.
    pub conditions: Vec<(String, Literal)>,
    pub clocks: Vec<Clock>,
    /// For each item the clocks that it is judged with, and whether these count when they rise;
    /// none if it is judged in every step.
    pub item_clocks: Vec<Vec<(Literal, bool)>>,
    /// How many conditions others have given names before.
    before: usize,
    /// Conditions by the scope and text of what was written.
    known: HashMap<(ScopeId, String), String>,
    /// The latches that have values of the step before.
    pub(super) past: Pasts,
    pub(super) first_step: Option<Literal>,
    /// Local variables that have a value, and the conditions that say so.
    pub(super) captures: Vec<Capture>,
}

impl Asserted {
    /// For a design in which so many conditions have names.
    pub fn behind(before: usize) -> Asserted {
        Asserted {
            before,
            ..Asserted::default()
        }
    }

    /// Gives a condition a name by which properties can speak of it.
    pub fn watch(&mut self, literal: Literal, span: Option<Span>) -> Expr {
        let number = self.before + self.conditions.len();
        let name = format!("{CONDITION_PREFIX}{number}");
        self.conditions.push((name.clone(), literal));
        named(name, span)
    }

    /// What a name that was given so stands for.
    pub fn condition(&self, expr: &Expr) -> Option<Literal> {
        let ExprKind::Name(path) = &expr.kind else {
            return None;
        };
        let mut conditions = self.conditions.iter();
        let found = conditions.find(|(name, _)| path.first() == Some(name));
        found.map(|(_, literal)| *literal)
    }
}

/// What a scope says of all properties in it.
#[derive(Clone, Copy, Default)]
pub struct Defaults<'s> {
    pub clock: Option<&'s Edge>,
    pub disable: Option<&'s Expr>,
}

impl<'s> Frame<'_, 's> {
    pub fn assertion(
        &mut self,
        design: &mut Design,
        assertion: &'s Assertion,
    ) -> Result<(), Diagnostic> {
        match self.assertions {
            Assertions::Collected => {}
            Assertions::Ignored => return Ok(()),
            Assertions::Refused => {
                return Err(Diagnostic::error(
                    codes::UNSUPPORTED,
                    "an assertion inside of a function or task is not supported",
                )
                .at(assertion.span, "here")
                .help("move it to the block that calls it"));
            }
        }
        // Nothing that an assertion computes is a suspect.
        let recording = std::mem::replace(&mut self.tables.components.is_on, false);
        let clocks = self.tables.asserted.clocks.len();
        let result = match &assertion.body {
            AssertionBody::Immediate(condition) => {
                self.immediate(design, assertion.role, condition)
            }
            AssertionBody::Concurrent(spec) => self.concurrent(design, spec),
        };
        self.tables.components.is_on = recording;
        let body = result?;
        if let PropertyBody::Concurrent { property, .. } = &body {
            locals::check(&self.tables.asserted.captures, assertion.role, property)?;
        }
        let own = self.tables.asserted.clocks[clocks..].iter();
        let mut clocks: Vec<_> = own.map(|clock| (clock.literal, clock.rising)).collect();
        if clocks.is_empty() {
            clocks.extend(self.edge);
        }
        self.tables.asserted.item_clocks.push(clocks);
        let name = assertion.label.as_ref();
        let name = name.map(|label| self.tables.full_name(self.scope, &label.text));
        self.tables.asserted.items.push(PropertyItem {
            role: assertion.role,
            name,
            span: Some(assertion.span),
            body,
        });
        Ok(())
    }

    fn immediate(
        &mut self,
        design: &mut Design,
        role: Role,
        condition: &Expr,
    ) -> Result<PropertyBody, Diagnostic> {
        let reached = design.and_all(self.path.clone());
        let truth = if self.constants_only {
            let now = self.initial_values(design);
            let mut inner = self.for_properties();
            inner.values.now = now;
            Elaborator::new(design, &mut inner).truth(condition)?
        } else {
            Elaborator::new(design, self).truth(condition)?
        };
        let mut holds = match role {
            Role::Cover => design.and(reached, truth),
            Role::Assert | Role::Assume => design.or(!reached, truth),
        };
        if self.constants_only {
            holds = self.at_first(design, holds);
        }
        Ok(PropertyBody::Invariant(self.watch(holds, condition.span)))
    }

    /// What signals are at this statement of an `initial` block. What the block assigns later
    /// still has the value before it, which is unknown if nothing was said.
    fn initial_values(&mut self, design: &mut Design) -> QuickMap<SignalId, Bits> {
        let mut now = self.values.now.clone();
        for id in self.tables.initial_targets.clone() {
            let own = self.tables.signal(id).bits.clone();
            let mut bits = now.remove(&id).unwrap_or_else(|| own.clone());
            for (index, bit) in bits.iter_mut().enumerate() {
                if own.get(index) == Some(bit) {
                    *bit = match self.tables.signal(id).initial[index] {
                        Some(value) => Literal::constant(value),
                        None => self.unknown(design).unwrap_or(*bit),
                    };
                }
            }
            now.insert(id, bits);
        }
        now
    }

    /// What a literal is in the first step, for ever: properties may start later.
    fn at_first(&mut self, design: &mut Design, literal: Literal) -> Literal {
        if literal.as_constant().is_some() {
            return literal;
        }
        let first = self.first_step(design);
        let number = self.tables.asserted.conditions.len();
        let kept = hidden_latch(design, Reset::Zero, format!("initial${number}"));
        let value = design.mux(first, literal, kept.literal());
        design.set_next(kept, value);
        value
    }

    /// A frame for what is sampled: no assignments of the block, only its loop variables.
    fn for_properties(&mut self) -> Frame<'_, 's> {
        let tables = &mut *self.tables;
        let kept = self.values.now.iter();
        let kept = kept.filter(|(id, _)| tables.signal(**id).kind == SignalKind::Local);
        let now = kept.map(|(id, bits)| (*id, bits.clone())).collect();
        Frame {
            scope: self.scope,
            values: Values {
                now,
                ..Values::default()
            },
            constants_only: false,
            reads_initial: false,
            path: Vec::new(),
            assertions: Assertions::Collected,
            held: QuickMap::default(),
            edge: self.edge,
            tables,
        }
    }

    /// Gives a condition a name by which properties can speak of it.
    pub(super) fn watch(&mut self, literal: Literal, span: Option<Span>) -> Expr {
        self.tables.asserted.watch(literal, span)
    }

    fn concurrent(
        &mut self,
        design: &mut Design,
        spec: &'s PropertySpec,
    ) -> Result<PropertyBody, Diagnostic> {
        let reached = self.path.clone();
        let once = self.constants_only;
        let mut inner = self.for_properties();
        let (mut property, disable) = inner.property(design, spec)?;
        if !reached.is_empty() {
            let reached = design.and_all(reached);
            let condition = inner.watch(reached, property.span);
            property = Sva {
                span: property.span,
                kind: SvaKind::Implication {
                    antecedent: Box::new(Sva::condition(condition)),
                    overlapping: true,
                    consequent: Box::new(property),
                },
            };
        }
        Ok(PropertyBody::Concurrent {
            property,
            disable,
            once,
            ticks: None,
        })
    }

    /// A whole property with what disables it; named ones are opened.
    fn property(
        &mut self,
        design: &mut Design,
        spec: &'s PropertySpec,
    ) -> Result<(Sva<u32>, Option<Expr>), Diagnostic> {
        let home = self.scope;
        let defaults = self.defaults();
        let mut spec = spec;
        let mut has_clock = false;
        let mut disable = defaults.disable.map(|condition| (condition, home));
        for _ in 0..DEEPEST {
            if let Some(clock) = &spec.clock {
                self.clock(design, clock)?;
                has_clock = true;
            }
            if let Some(condition) = &spec.disable {
                disable = Some((condition, self.scope));
            }
            let SvaKind::Condition(expr) = &spec.body.kind else {
                break;
            };
            match self.instance(design, expr)? {
                Some((declaration, scope)) => {
                    self.scope = scope;
                    spec = &declaration.spec;
                }
                None => break,
            }
        }
        if let (false, Some(clock)) = (has_clock, defaults.clock) {
            let scope = std::mem::replace(&mut self.scope, home);
            self.clock(design, clock)?;
            self.scope = scope;
        }
        let scope = self.scope;
        let disable = match disable {
            None => None,
            Some((condition, own)) => {
                self.scope = own;
                Some(self.condition_named(design, condition)?)
            }
        };
        self.scope = scope;
        let property = self.translate(design, &spec.body, 0)?;
        self.scope = home;
        Ok((property, disable))
    }

    fn defaults(&self) -> Defaults<'s> {
        let mut found = Defaults::default();
        let mut current = Some(self.scope);
        while let Some(id) = current {
            if let Some(own) = self.tables.defaults.get(&id) {
                found.clock = found.clock.or(own.clock);
                found.disable = found.disable.or(own.disable);
            }
            let scope = self.tables.scope(id);
            current = scope.parent.filter(|_| !scope.is_module);
        }
        found
    }

    fn clock(&mut self, design: &mut Design, edge: &Edge) -> Result<(), Diagnostic> {
        let literal = Elaborator::new(design, self).truth(&edge.signal)?;
        self.tables.asserted.clocks.push(Clock {
            literal,
            rising: edge.rising,
            span: edge.span,
        });
        self.edge = Some((literal, edge.rising));
        Ok(())
    }

    /// A named property or sequence that an expression uses, with a scope for its arguments.
    fn instance(
        &mut self,
        design: &mut Design,
        expr: &Expr,
    ) -> Result<Option<(&'s PropertyDeclaration, ScopeId)>, Diagnostic> {
        let (name, given): (&str, &[Expr]) = match &expr.kind {
            ExprKind::Name(path) => match path.as_slice() {
                [name] => (name, &[]),
                _ => return Ok(None),
            },
            ExprKind::Call(name, given) => (name, given),
            _ => return Ok(None),
        };
        let (declaration, home) = match self.tables.lookup(self.scope, name) {
            Some(Entry::Property(declaration, home)) => (*declaration, *home),
            Some(Entry::Given(declaration, scope)) if given.is_empty() => {
                return Ok(Some((*declaration, *scope)));
            }
            _ => return Ok(None),
        };
        let arguments = &declaration.arguments;
        let missing = arguments.iter().skip(given.len());
        let missing = missing.filter(|argument| argument.default.is_none());
        if given.len() > arguments.len() || missing.count() > 0 {
            let message = format!(
                "`{name}` has {} arguments, and {} are given",
                arguments.len(),
                given.len()
            );
            let diagnostic = Diagnostic::error(codes::HIERARCHY, message);
            return Err(diagnostic.at_optional(expr.span, "used here"));
        }
        let mut values = Vec::new();
        // Sequences and properties that are given.
        let mut named = Vec::new();
        for (argument, declared) in given.iter().zip(arguments) {
            if let Some(entry) = self.given_property(design, argument)? {
                named.push((declared.name.text.clone(), entry));
                values.push((vec![Literal::FALSE], false));
                continue;
            }
            values.push(Elaborator::new(design, self).self_determined(argument)?);
        }
        let inner = self.tables.add_scope(home, name, false);
        // Defaults mean what they mean where the property stands.
        let outside = std::mem::replace(&mut self.scope, home);
        for argument in arguments.iter().skip(given.len()) {
            if let Some(default) = &argument.default {
                values.push(Elaborator::new(design, self).self_determined(default)?);
            }
        }
        self.scope = outside;
        for (argument, (mut bits, signed)) in arguments.iter().zip(values) {
            let data = match &argument.data_type {
                Some(written) => Declarer::new(design, self.tables).data_type(written, home)?,
                None => Type::vector(bits.len(), signed),
            };
            bits = words::resize(&bits, data.width(), signed);
            let entry = Entry::Constant(Constant { bits, data });
            let entries = &mut self.tables.scopes[inner.0].entries;
            entries.insert(argument.name.text.clone(), entry);
        }
        self.tables.scopes[inner.0].entries.extend(named);
        self.add_local_variables(design, declaration, (home, inner))?;
        Ok(Some((declaration, inner)))
    }

    /// The sequence or property that an argument is: by its name, with arguments of its own, or
    /// written where it is given.
    fn given_property(
        &mut self,
        design: &mut Design,
        argument: &Expr,
    ) -> Result<Option<Entry<'s>>, Diagnostic> {
        if let Some(name) = simple_name(argument) {
            let found = self.tables.lookup(self.scope, name).cloned();
            return Ok(found.and_then(|entry| match entry {
                Entry::Property(declaration, _) if declaration.is_argument() => {
                    Some(Entry::Given(declaration, self.scope))
                }
                Entry::Property(..) | Entry::Given(..) => Some(entry),
                _ => None,
            }));
        }
        let Some((declaration, scope)) = self.instance(design, argument)? else {
            return Ok(None);
        };
        // Where it is used twice, each use has variables of its own.
        if !declaration.variables.is_empty() {
            let what = "an argument that has local variables and arguments of its own";
            let diagnostic =
                Diagnostic::error(codes::UNSUPPORTED, format!("{what} is not supported"));
            return Err(diagnostic
                .at_optional(argument.span, "this argument")
                .help("write its text where it is used"));
        }
        Ok(Some(Entry::Given(declaration, scope)))
    }

    /// A condition as a name; the same text in the same scope is the same condition.
    fn condition_named(&mut self, design: &mut Design, expr: &Expr) -> Result<Expr, Diagnostic> {
        let is_plain = self.values.now.is_empty();
        let key = (self.scope, expr.to_string());
        if let (true, Some(name)) = (is_plain, self.tables.asserted.known.get(&key)) {
            return Ok(named(name.clone(), expr.span));
        }
        let truth = Elaborator::new(design, self).truth(expr)?;
        let watched = self.watch(truth, expr.span);
        if let (true, ExprKind::Name(path)) = (is_plain, &watched.kind) {
            self.tables.asserted.known.insert(key, path[0].clone());
        }
        Ok(watched)
    }

    fn bound(&mut self, design: &mut Design, expr: &Expr) -> Result<u32, Diagnostic> {
        let value = Elaborator::new(design, self).constant(expr, "a number of steps")?;
        match u32::try_from(value) {
            Ok(steps) if value <= MOST_STEPS => Ok(steps),
            _ => {
                let message = format!("{value} steps are not between 0 and {MOST_STEPS}");
                let diagnostic = Diagnostic::error(codes::TOO_BIG, message);
                Err(diagnostic.at_optional(expr.span, "here"))
            }
        }
    }

    fn is_unbounded(&self, expr: &Expr) -> bool {
        let name = simple_name(expr);
        let entry = name.and_then(|name| self.tables.lookup(self.scope, name));
        matches!(entry, Some(Entry::Unbounded))
    }

    fn range(
        &mut self,
        design: &mut Design,
        range: &SvaRange<Expr>,
    ) -> Result<SvaRange<u32>, Diagnostic> {
        let low = self.bound(design, &range.low)?;
        let high = match &range.high {
            Some(high) if !self.is_unbounded(high) => Some(self.bound(design, high)?),
            _ => None,
        };
        if high.is_some_and(|high| high < low) {
            let message = "this range ends before it starts";
            let diagnostic = Diagnostic::error(codes::SYNTAX, message);
            return Err(diagnostic.at_optional(range.low.span, "here"));
        }
        Ok(SvaRange { low, high })
    }

    /// The same tree with names for conditions and numbers for bounds.
    fn translate(
        &mut self,
        design: &mut Design,
        tree: &'s Sva<Expr>,
        depth: usize,
    ) -> Result<Sva<u32>, Diagnostic> {
        if depth > DEEPEST * 4 {
            let diagnostic = Diagnostic::error(codes::LOOP, "this property uses itself");
            return Err(diagnostic.at_optional(tree.span, "again and again"));
        }
        stack::recurse(|| self.translate_kind(design, tree, depth))
    }

    fn translate_kind(
        &mut self,
        design: &mut Design,
        tree: &'s Sva<Expr>,
        depth: usize,
    ) -> Result<Sva<u32>, Diagnostic> {
        let mut inner = |frame: &mut Self, one: &'s Sva<Expr>| -> Result<_, Diagnostic> {
            Ok(Box::new(frame.translate(design, one, depth + 1)?))
        };
        use SvaKind as Kind;
        let kind = match &tree.kind {
            Kind::Condition(expr) => return self.leaf(design, expr, depth),
            Kind::Delay(left, range, right) => {
                let left = match left {
                    Some(left) => Some(inner(self, left)?),
                    None => None,
                };
                let right = inner(self, right)?;
                Kind::Delay(left, self.range(design, range)?, right)
            }
            Kind::Repeat(one, repetition, range) => {
                let one = inner(self, one)?;
                Kind::Repeat(one, *repetition, self.range(design, range)?)
            }
            Kind::Throughout(left, right) => {
                Kind::Throughout(inner(self, left)?, inner(self, right)?)
            }
            Kind::Within(left, right) => Kind::Within(inner(self, left)?, inner(self, right)?),
            Kind::Intersect(left, right) => {
                Kind::Intersect(inner(self, left)?, inner(self, right)?)
            }
            Kind::FirstMatch(one) => Kind::FirstMatch(inner(self, one)?),
            Kind::Strong(one) => Kind::Strong(inner(self, one)?),
            Kind::Weak(one) => Kind::Weak(inner(self, one)?),
            Kind::Not(one) => Kind::Not(inner(self, one)?),
            Kind::And(left, right) => Kind::And(inner(self, left)?, inner(self, right)?),
            Kind::Or(left, right) => Kind::Or(inner(self, left)?, inner(self, right)?),
            Kind::Implies(left, right) => Kind::Implies(inner(self, left)?, inner(self, right)?),
            Kind::Iff(left, right) => Kind::Iff(inner(self, left)?, inner(self, right)?),
            Kind::Implication {
                antecedent,
                overlapping,
                consequent,
            } => Kind::Implication {
                antecedent: inner(self, antecedent)?,
                overlapping: *overlapping,
                consequent: inner(self, consequent)?,
            },
            Kind::FollowedBy {
                antecedent,
                overlapping,
                consequent,
            } => Kind::FollowedBy {
                antecedent: inner(self, antecedent)?,
                overlapping: *overlapping,
                consequent: inner(self, consequent)?,
            },
            Kind::Until {
                left,
                right,
                strong,
                inclusive,
            } => Kind::Until {
                left: inner(self, left)?,
                right: inner(self, right)?,
                strong: *strong,
                inclusive: *inclusive,
            },
            Kind::Always(range, one) | Kind::Eventually(range, one) => {
                let one = inner(self, one)?;
                let range = match range {
                    Some(range) => Some(self.range(design, range)?),
                    None => None,
                };
                match &tree.kind {
                    Kind::Always(..) => Kind::Always(range, one),
                    _ => Kind::Eventually(range, one),
                }
            }
            Kind::Nexttime(steps, one) => {
                let one = inner(self, one)?;
                Kind::Nexttime(self.bound(design, steps)?, one)
            }
            Kind::Abort {
                accepts,
                condition,
                property,
            } => Kind::Abort {
                accepts: *accepts,
                property: inner(self, property)?,
                condition: self.condition_named(design, condition)?,
            },
            Kind::If {
                condition,
                then,
                otherwise,
            } => {
                let then = inner(self, then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => Some(inner(self, otherwise)?),
                    None => None,
                };
                Kind::If {
                    condition: self.condition_named(design, condition)?,
                    then,
                    otherwise,
                }
            }
        };
        Ok(Sva {
            kind,
            span: tree.span,
        })
    }

    fn leaf(
        &mut self,
        design: &mut Design,
        expr: &'s Expr,
        depth: usize,
    ) -> Result<Sva<u32>, Diagnostic> {
        if let ExprKind::Call(name, parts) = &expr.kind
            && let (CAPTURE, [variable, value]) = (name.as_str(), parts.as_slice())
        {
            return self.capture(design, variable, value, expr.span);
        }
        let Some((declaration, scope)) = self.instance(design, expr)? else {
            return Ok(Sva::condition(self.condition_named(design, expr)?));
        };
        if let Some(disable) = &declaration.spec.disable {
            let diagnostic = Diagnostic::error(
                codes::UNSUPPORTED,
                "`disable iff` inside of another property is not supported",
            );
            let diagnostic = match (disable.span, expr.span) {
                (Some(span), Some(used)) => diagnostic.at(span, "here").at(used, "used here"),
                _ => diagnostic,
            };
            return Err(diagnostic.help("say it in the outermost property"));
        }
        let outer = std::mem::replace(&mut self.scope, scope);
        if let Some(clock) = &declaration.spec.clock {
            self.clock(design, clock)?;
        }
        let inner = self.translate(design, &declaration.spec.body, depth + 1);
        self.scope = outer;
        let mut inner = inner?;
        inner.span = expr.span;
        Ok(inner)
    }
}

fn named(name: String, span: Option<Span>) -> Expr {
    Expr {
        kind: ExprKind::Name(vec![name]),
        span,
    }
}
