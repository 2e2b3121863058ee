//! Patterns, monitors and counters: variables with a life of their own.
//!
//! What says how such a variable starts or moves is its definition; what else a pattern says
//! is a constraint of the side on which it is used.

use super::elaborate::{Cells, Elaborator, Entity};
use super::parser::Step;
use super::tree::*;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::spec::gr1::{Arithmetic, Comparison, DefinitionId, Domain, Kind, TermId, VariableId};
use std::collections::HashMap;

impl<'f> Elaborator<'f> {
    /// A requirement that is a pattern.
    pub(super) fn pattern(
        &mut self,
        pattern: &'f Pattern,
        arguments: &[Expression],
        use_line: &Line,
        requirement: &Requirement,
        name: Option<String>,
    ) -> Step<()> {
        let span = use_line.expression.span;
        self.used.insert(pattern.name.text.clone());
        let allowed = self.check_use(pattern, use_line.kind, span);
        let scope = self.bind(&pattern.name.text, &pattern.parameters, arguments, span);
        let (_, scope) = self.both(allowed, scope)?;
        let texts: Vec<String> = arguments
            .iter()
            .zip(&pattern.parameters)
            .map(|(_, parameter)| match &scope[&parameter.name.text] {
                super::operand::Operand::Boolean(term) => self.spec.term_in_words(*term),
                _ => parameter.name.text.clone(),
            })
            .collect();
        let description = format!("{}({})", pattern.name.text, texts.join(", "));
        let is_built_in = self.library.iter().any(|one| std::ptr::eq(one, pattern));
        let mut own = Vec::new();
        let mut definition = None;
        let mut local = HashMap::new();
        for (domain, variable) in &pattern.variables {
            let definition = *definition.get_or_insert_with(|| {
                let made = self.spec.add_definition(description.clone(), Some(span));
                self.spec.set_written(made, &description);
                made
            });
            let (single, dimensions) = self.domain(domain)?;
            if !dimensions.is_empty() {
                return Err(Diagnostic::error(
                    codes::WRONG_PLACE,
                    "a variable of a pattern cannot be an array",
                )
                .at(domain.span, "this type")
                .help("use several variables"));
            }
            let stem = format!("{}_{}", pattern.name.text, variable.text);
            let id = self
                .spec
                .add_auxiliary(&stem, definition, single, Some(span));
            own.push(id);
            local.insert(
                variable.text.clone(),
                Cells {
                    dimensions: Vec::new(),
                    variables: vec![id],
                },
            );
        }
        let scopes = std::mem::replace(&mut self.scopes, vec![scope]);
        let outer = std::mem::replace(&mut self.local, local);
        let outcome = self.each(&pattern.lines, |this, line| {
            let term = this.boolean(&line.expression)?;
            match definition {
                Some(definition) if this.determines(term, line, &own) => {
                    this.define_line(definition, line, term, span)
                }
                _ => this.constrain(line, term, requirement, name.clone()),
            }
        });
        self.scopes = scopes;
        self.local = outer;
        self.written.extend(definition.filter(|_| !is_built_in));
        outcome.map(|_| ())
    }

    /// A pattern stands alone. As in the language's own tool, it is what it is with `G` before
    /// it or without.
    fn check_use(&mut self, pattern: &Pattern, kind: Kind, span: Span) -> Step<()> {
        let message = format!("`{}` says itself when it holds", pattern.name.text);
        match kind {
            Kind::Initial => Ok(()),
            Kind::Safety => {
                let warning = Diagnostic::warning(codes::WITHOUT_EFFECT, message)
                    .at(span, "`G` before it adds nothing")
                    .help("leave `G`, `trans` or `alw` away before it");
                self.spec.warnings.push(warning);
                Ok(())
            }
            Kind::Justice => Err(Diagnostic::error(codes::WRONG_PLACE, message)
                .at(span, "a pattern is a requirement of its own")
                .help("leave `GF` or `alwEv` away before it")),
        }
    }

    /// Whether a constraint says how one of the variables starts or moves.
    fn determines(&self, term: TermId, line: &Line, own: &[VariableId]) -> bool {
        let is_step =
            line.kind == Kind::Safety && (!line.is_invariant || self.spec.terms.has_primed(term));
        let variables = self.spec.terms.variables(term);
        variables.iter().any(|(variable, primed)| {
            own.contains(variable) && *primed == is_step && line.kind != Kind::Justice
        })
    }

    /// One line as a part of a definition. `alw` without next values is about states: the
    /// first one, and each one that a step leads to.
    fn define_line(
        &mut self,
        definition: DefinitionId,
        line: &Line,
        term: TermId,
        span: Span,
    ) -> Step<()> {
        self.check_next(term, line.kind, line.expression.span)?;
        let mut later = term;
        if line.is_invariant && !self.spec.terms.has_primed(term) {
            let span = Some(span);
            self.spec.define(definition, Kind::Initial, term, span);
            later = self.spec.terms.primed(term).unwrap_or(term);
        }
        self.spec.define(definition, line.kind, later, Some(span));
        Ok(())
    }

    pub(super) fn declare_monitor(&mut self, monitor: &'f Monitor) -> Step<()> {
        let (single, dimensions) = self.domain(&monitor.domain)?;
        if !dimensions.is_empty() {
            return Err(
                Diagnostic::error(codes::WRONG_PLACE, "a monitor cannot be an array")
                    .at(monitor.domain.span, "this type")
                    .help("use several monitors"),
            );
        }
        let description = format!("monitor {}", monitor.name.text);
        self.declare_defined(&monitor.name, single, description)
    }

    fn declare_defined(&mut self, name: &Name, domain: Domain, description: String) -> Step<()> {
        let cells = Cells {
            dimensions: Vec::new(),
            variables: Vec::new(),
        };
        self.declare(name, Entity::Variable(cells))?;
        let definition = self.spec.add_definition(description, Some(name.span));
        self.spec.set_declared(definition);
        self.written.push(definition);
        let id = self
            .spec
            .add_auxiliary(&name.text, definition, domain, Some(name.span));
        let cells = Cells {
            dimensions: Vec::new(),
            variables: vec![id],
        };
        let entity = (Entity::Variable(cells), name.span);
        self.names.insert(name.text.clone(), entity);
        Ok(())
    }

    /// The variable of a monitor or a counter, with its definition.
    fn defined_variable(&self, name: &Name) -> Option<(VariableId, DefinitionId)> {
        let (Entity::Variable(cells), _) = self.names.get(&name.text)? else {
            return None;
        };
        let id = *cells.variables.first()?;
        Some((id, self.spec.variable(id).definition?))
    }

    pub(super) fn monitor(&mut self, monitor: &'f Monitor) -> Step<()> {
        let Some((_, definition)) = self.defined_variable(&monitor.name) else {
            return Ok(());
        };
        let outcome = self.each(&monitor.lines, |this, line| {
            let term = this.boolean(&line.expression)?;
            if line.kind == Kind::Justice {
                return Err(Diagnostic::error(
                    codes::WRONG_PLACE,
                    "a monitor only watches, so nothing has to recur in it",
                )
                .at(line.expression.span, "required here")
                .help("make it a requirement outside of the monitor"));
            }
            this.define_line(definition, line, term, line.expression.span)
        });
        outcome.map(|_| ())
    }

    pub(super) fn declare_counter(&mut self, counter: &'f Counter) -> Step<()> {
        let domain = self.range(&counter.first, &counter.last, counter.name.span)?;
        let description = format!("counter {}", counter.name.text);
        self.declare_defined(&counter.name, domain, description)
    }

    pub(super) fn counter(&mut self, counter: &'f Counter) -> Step<()> {
        let Some((id, definition)) = self.defined_variable(&counter.name) else {
            return Ok(());
        };
        let Domain::Range { first, last } = self.spec.variable(id).domain else {
            return Ok(());
        };
        let span = Some(counter.span);
        let initial = self.each(&counter.initial, |this, expression| {
            let term = this.boolean(expression)?;
            this.check_next(term, Kind::Initial, expression.span)?;
            this.spec.define(definition, Kind::Initial, term, span);
            Ok(())
        });
        if counter.initial.is_empty() {
            let now = self.spec.terms.now(id);
            let term = self.equals(now, first);
            self.spec.define(definition, Kind::Initial, term, span);
        }
        let moves = self.each([&counter.reset, &counter.up, &counter.down], |this, one| {
            this.any(one)
        });
        let (_, moves) = self.both(initial, moves)?;
        let (reset, up, down) = (moves[0], moves[1], moves[2]);
        let terms = &mut self.spec.terms;
        let (not_reset, not_up, not_down) = (terms.not(reset), terms.not(up), terms.not(down));
        let rises = terms.and([not_reset, up, not_down]);
        let falls = terms.and([not_reset, down, not_up]);
        let moves = terms.or([reset, rises, falls]);
        let stays = terms.not(moves);
        let now = terms.now(id);
        let next = terms.next(id);
        let kept = terms.compare(Comparison::Equal, next, now);
        let back = self.equals(next, first);
        let steps = [
            self.step(id, 1, last, counter.overflow, first),
            self.step(id, -1, first, counter.underflow, last),
        ];
        let terms = &mut self.spec.terms;
        let parts = [
            terms.implies(reset, back),
            terms.implies(rises, steps[0]),
            terms.implies(falls, steps[1]),
            terms.implies(stays, kept),
        ];
        for part in parts {
            self.spec.define(definition, Kind::Safety, part, span);
        }
        Ok(())
    }

    /// One step up or down; at `end`, what `overflow` says.
    fn step(
        &mut self,
        id: VariableId,
        change: i64,
        end: i64,
        overflow: Overflow,
        around: i64,
    ) -> TermId {
        let now = self.spec.terms.now(id);
        let next = self.spec.terms.next(id);
        let at_end = self.equals(now, end);
        let terms = &mut self.spec.terms;
        let change = terms.integer(change);
        let changed = terms.arithmetic(Arithmetic::Add, now, change);
        let moved = terms.compare(Comparison::Equal, next, changed);
        let kept = terms.compare(Comparison::Equal, next, now);
        let beyond = match overflow {
            Overflow::Keep => kept,
            Overflow::Forbid => terms.boolean(false),
            Overflow::Wrap => self.equals(next, around),
        };
        let terms = &mut self.spec.terms;
        let inside = terms.not(at_end);
        let parts = [terms.implies(at_end, beyond), terms.implies(inside, moved)];
        terms.and(parts)
    }

    fn equals(&mut self, left: TermId, value: i64) -> TermId {
        let value = self.spec.terms.integer(value);
        self.spec.terms.compare(Comparison::Equal, left, value)
    }

    fn any(&mut self, expressions: &[Expression]) -> Step<TermId> {
        let any = self.each(expressions, |this, expression| this.boolean(expression))?;
        Ok(self.spec.terms.or(any))
    }
}

/// Where built-in patterns come from.
pub(super) fn library_span(span: Span, patterns: &mut [Pattern]) {
    for pattern in patterns {
        pattern.name.span = span;
    }
}
