//! Mistakes in what nothing uses.
//!
//! Definitions are replaced by their meaning where they are used, and looked at there. Here those
//! are looked at that were used nowhere, each with variables of its own for its parameters, in a
//! copy of the specification that is thrown away.

use super::elaborate::{Cells, Elaborator};
use super::operand::Operand;
use super::parser::Step;
use super::tree::*;
use super::trigger::Conditions;
use crate::source::Diagnostic;
use crate::source::codes::specification as codes;
use crate::spec::gr1::{Domain, Player, VariableId};
use std::collections::HashMap;

impl<'f> Elaborator<'f> {
    /// What is wrong with declarations that nothing uses.
    pub(super) fn examine_all(&mut self, file: &'f File, errors: &mut Vec<Diagnostic>) {
        let spec = self.spec.clone();
        for declaration in &file.declarations {
            let used = &self.used;
            let is_used = |name: &Name| used.contains(&name.text);
            let outcome = match declaration {
                Declaration::Type(_, domain) => self.domain(domain).map(|_| ()),
                Declaration::Define(name, DefinedBody::Single(body)) => {
                    let found = self.definition(&name.text, body, name.span);
                    found.map(|_| ())
                }
                Declaration::Define(name, DefinedBody::Array(sizes, body)) => {
                    let sizes = self.check_sizes(&name.text, sizes, body);
                    let cells = self.examine_cells(name, body);
                    self.both(sizes, cells).map(|_| ())
                }
                Declaration::Predicate {
                    name,
                    parameters,
                    body,
                } if !is_used(name) => self.examine_predicate(name, parameters, body),
                Declaration::Pattern(pattern) if !is_used(&pattern.name) => {
                    self.examine_pattern(pattern)
                }
                Declaration::Regexp(name, regexp) if !is_used(name) => {
                    let found = self.regexp(regexp, &mut Conditions::default());
                    found.map(|_| ())
                }
                _ => Ok(()),
            };
            self.conclude(outcome, errors);
        }
        self.spec = spec;
    }

    fn examine_cells(&mut self, name: &Name, body: &'f ArrayBody) -> Step<()> {
        match body {
            ArrayBody::Row(cells) => {
                self.each(cells, |this, cell| this.examine_cells(name, cell))?;
            }
            ArrayBody::Cell(expression) => {
                self.enter(&name.text, name.span)?;
                let outcome = self.operand(expression);
                self.active.pop();
                outcome?;
            }
        }
        Ok(())
    }

    fn examine_predicate(
        &mut self,
        name: &Name,
        parameters: &'f [Parameter],
        body: &'f Expression,
    ) -> Step<()> {
        let scope = self.any_values(parameters)?;
        self.enter(&name.text, name.span)?;
        self.scopes = vec![scope];
        let outcome = self.operand(body);
        self.whatever_the_values(outcome).map(|_| ())
    }

    fn examine_pattern(&mut self, pattern: &'f Pattern) -> Step<()> {
        let scope = self.any_values(&pattern.parameters)?;
        let local = self.each(&pattern.variables, |this, (domain, name)| {
            let (single, _) = this.domain(domain)?;
            Ok((name.text.clone(), this.any_cells(name, single, Vec::new())))
        })?;
        self.local = local.into_iter().collect();
        self.scopes = vec![scope];
        let outcome = self.each(&pattern.lines, |this, line| this.boolean(&line.expression));
        self.whatever_the_values(outcome).map(|_| ())
    }

    /// Parameters as variables that may have any value; those of patterns are Boolean.
    fn any_values(&mut self, parameters: &'f [Parameter]) -> Step<HashMap<String, Operand>> {
        let scope = self.each(parameters, |this, parameter| {
            let (single, dimensions) = match &parameter.domain {
                Some(domain) => this.domain(domain)?,
                None => (Domain::Boolean, Vec::new()),
            };
            let is_single = dimensions.is_empty();
            let cells = this.any_cells(&parameter.name, single, dimensions);
            let operand = match cells.variables.as_slice() {
                [only] if is_single => this.variable(*only),
                _ => Operand::Array(cells),
            };
            Ok((parameter.name.text.clone(), operand))
        })?;
        Ok(scope.into_iter().collect())
    }

    fn any_cells(&mut self, name: &Name, domain: Domain, dimensions: Vec<usize>) -> Cells {
        let count: usize = dimensions.iter().product();
        let variables: Vec<VariableId> = (0..count)
            .map(|index| {
                let cell = format!("{}.{index}", name.text);
                let (owner, span) = (Player::System, Some(name.span));
                self.spec.add_variable(cell, owner, domain.clone(), span)
            })
            .collect();
        Cells {
            dimensions,
            variables,
        }
    }

    /// Leaves out what may be right for the values that a use would give.
    fn whatever_the_values<T>(&mut self, outcome: Step<T>) -> Step<Option<T>> {
        let depends = |error: &Diagnostic| {
            let codes = [
                codes::NOT_CONSTANT,
                codes::WRONG_RANGE,
                codes::MISPLACED_NEXT,
            ];
            codes.contains(&error.code)
        };
        self.forget(&depends);
        match outcome {
            Err(error) if depends(&error) => Ok(None),
            outcome => outcome.map(Some),
        }
    }
}
