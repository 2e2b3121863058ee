//! Arrays, of variables and of definitions: single elements, and summaries.

use super::elaborate::{Cells, Elaborator, Entity};
use super::expression::different_kinds;
use super::operand::{Operand, WordKind};
use super::parser::Step;
use super::tree::*;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::spec::gr1::{Arithmetic, Comparison, TermId};

impl<'f> Elaborator<'f> {
    pub(super) fn cell(
        &mut self,
        name: &str,
        cells: &Cells,
        indices: &[Expression],
        span: Span,
    ) -> Step<Operand> {
        if indices.len() != cells.dimensions.len() {
            return Err(if cells.dimensions.is_empty() {
                no_array(name, span)
            } else {
                Diagnostic::error(
                    codes::WRONG_PLACE,
                    format!(
                        "`{name}` has {}, but {} given",
                        match cells.dimensions.len() {
                            1 => "1 dimension".to_string(),
                            count => format!("{count} dimensions"),
                        },
                        match indices.len() {
                            1 => "1 index is".to_string(),
                            count => format!("{count} indices are"),
                        }
                    ),
                )
                .at(span, "used here")
                .help("an array is used element by element, as in `a[0]`")
            });
        }
        // The conditions under which each cell is meant.
        let always = self.spec.terms.boolean(true);
        let mut chosen = vec![(always, 0usize)];
        let words = self.each(indices, |this, written| this.integer_word(written))?;
        for ((written, word), &size) in indices.iter().zip(words).zip(&cells.dimensions) {
            let constant = Operand::Word(word.clone()).constant(&self.spec);
            if let Some(constant) = constant {
                let index = usize::try_from(constant).ok().filter(|index| *index < size);
                let Some(index) = index else {
                    return Err(out_of_bounds(name, constant, size, written.span));
                };
                for entry in &mut chosen {
                    entry.1 = entry.1 * size + index;
                }
                continue;
            }
            let mut next = Vec::new();
            for (guard, before) in chosen {
                for index in 0..size {
                    let here = Operand::integer(&mut self.spec, index as i64);
                    let index_word = Operand::Word(word.clone());
                    let here = self.compare(Comparison::Equal, index_word, here, written.span)?;
                    let guard = self.spec.terms.and([guard, here]);
                    next.push((guard, before * size + index));
                }
            }
            chosen = next;
        }
        if let [(_, only)] = chosen.as_slice() {
            return Ok(self.variable(cells.variables[*only]));
        }
        let values = chosen
            .into_iter()
            .map(|(guard, index)| (guard, self.variable(cells.variables[index])))
            .collect();
        self.chosen(name, values, span)
    }

    /// One element of a defined array. Beyond its end there is no value: a
    /// comparison with it is false.
    pub(super) fn defined_cell(
        &mut self,
        name: &str,
        body: &'f ArrayBody,
        indices: &[Expression],
        span: Span,
    ) -> Step<Operand> {
        let always = self.spec.terms.boolean(true);
        let mut chosen = vec![(always, body)];
        let words = self.each(indices, |this, written| this.integer_word(written))?;
        for (written, word) in indices.iter().zip(words) {
            let word = Operand::Word(word);
            let constant = word.constant(&self.spec);
            let mut next = Vec::new();
            for (guard, body) in chosen {
                let ArrayBody::Row(cells) = body else {
                    return Err(no_array(name, span));
                };
                if let Some(constant) = constant {
                    let index = usize::try_from(constant).ok();
                    let Some(cell) = index.and_then(|index| cells.get(index)) else {
                        return Err(out_of_bounds(name, constant, cells.len(), written.span));
                    };
                    next.push((guard, cell));
                    continue;
                }
                for (index, cell) in cells.iter().enumerate() {
                    let here = Operand::integer(&mut self.spec, index as i64);
                    let here = self.compare(Comparison::Equal, word.clone(), here, written.span)?;
                    next.push((self.spec.terms.and([guard, here]), cell));
                }
            }
            chosen = next;
        }
        let mut found = Vec::new();
        for (guard, body) in chosen {
            let ArrayBody::Cell(expression) = body else {
                return Err(
                    Diagnostic::error(codes::WRONG_PLACE, format!("`{name}` is an array"))
                        .at(span, "used as a whole")
                        .help("an array is used element by element, as in `a[0]`"),
                );
            };
            found.push((guard, expression));
        }
        let found = self.each(found, |this, (guard, expression)| {
            this.enter(name, span)?;
            let scopes = std::mem::take(&mut this.scopes);
            let local = std::mem::take(&mut this.local);
            let outcome = this.operand(expression);
            this.scopes = scopes;
            this.local = local;
            this.active.pop();
            Ok((guard, outcome?))
        })?;
        self.chosen(name, found, span)
    }

    /// The value whose condition holds; at most one does.
    fn chosen(&mut self, name: &str, values: Vec<(TermId, Operand)>, span: Span) -> Step<Operand> {
        let mut result: Option<Operand> = None;
        for (guard, value) in values {
            let terms = &mut self.spec.terms;
            let guarded = match value {
                Operand::Boolean(value) => Operand::Boolean(terms.and([guard, value])),
                Operand::Word(mut word) => {
                    for case in &mut word.cases {
                        case.0 = terms.and([guard, case.0]);
                    }
                    Operand::Word(word)
                }
                Operand::Array(_) => return Err(no_array(name, span)),
            };
            result = Some(match (result, guarded) {
                (None, guarded) => guarded,
                (Some(Operand::Boolean(before)), Operand::Boolean(here)) => {
                    Operand::Boolean(self.spec.terms.or([before, here]))
                }
                (Some(Operand::Word(mut before)), Operand::Word(here))
                    if before.kind == here.kind =>
                {
                    before.cases.extend(here.cases);
                    Operand::Word(before)
                }
                (Some(before), here) => {
                    return Err(different_kinds(before.describe(), here.describe(), span));
                }
            });
        }
        result.ok_or_else(|| no_array(name, span))
    }

    /// Whether a defined array has the sizes that are written behind its name.
    pub(super) fn check_sizes(
        &mut self,
        name: &str,
        sizes: &[Expression],
        body: &ArrayBody,
    ) -> Step<()> {
        let Some((size, inner)) = sizes.split_first() else {
            return Ok(());
        };
        let wanted = self.constant(size)?;
        let wrong = |found: String| {
            Diagnostic::error(
                codes::WRONG_RANGE,
                format!("`{name}` should have {wanted} values here, and has {found}"),
            )
            .at(size.span, "this size")
            .help("write as many values in braces as the size says, one level for each size")
        };
        let ArrayBody::Row(cells) = body else {
            return Err(wrong("a single one".to_string()));
        };
        if usize::try_from(wanted) != Ok(cells.len()) {
            return Err(wrong(cells.len().to_string()));
        }
        let is_deeper = cells.iter().any(|cell| matches!(cell, ArrayBody::Row(_)));
        if inner.is_empty() && is_deeper {
            return Err(wrong("arrays".to_string()));
        }
        self.each(cells, |this, cell| this.check_sizes(name, inner, cell))?;
        Ok(())
    }

    pub(super) fn aggregate(
        &mut self,
        name: &str,
        aggregate: Aggregate,
        span: Span,
    ) -> Step<Operand> {
        let bound = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        let cells = match (bound, self.names.get(name)) {
            (Some(Operand::Array(cells)), _) => cells.clone(),
            (None, Some((Entity::Variable(cells), _))) => cells.clone(),
            (Some(_), _) | (None, Some(_)) => return Err(no_array(name, span)),
            (None, None) => return Err(self.unknown(name, span, "array")),
        };
        let mut result: Option<Operand> = None;
        for variable in cells.variables {
            let value = self.variable(variable);
            let Some(before) = result else {
                result = Some(value);
                continue;
            };
            let kinds = (before.describe(), value.describe());
            result = Some(match (aggregate, before, value) {
                (Aggregate::All, Operand::Boolean(before), Operand::Boolean(value)) => {
                    Operand::Boolean(self.spec.terms.and([before, value]))
                }
                (Aggregate::Any, Operand::Boolean(before), Operand::Boolean(value)) => {
                    Operand::Boolean(self.spec.terms.or([before, value]))
                }
                (Aggregate::Sum, Operand::Word(before), Operand::Word(value)) => {
                    Operand::Word(before.arithmetic(&mut self.spec, Arithmetic::Add, &value))
                }
                (Aggregate::Product, Operand::Word(before), Operand::Word(value)) => {
                    Operand::Word(before.arithmetic(&mut self.spec, Arithmetic::Multiply, &value))
                }
                (
                    Aggregate::Least | Aggregate::Greatest,
                    Operand::Word(before),
                    Operand::Word(value),
                ) if before.kind == WordKind::Integer => {
                    let comparison = match aggregate {
                        Aggregate::Least => Comparison::LessOrEqual,
                        _ => Comparison::GreaterOrEqual,
                    };
                    let keep = before.compare(&mut self.spec, comparison, &value);
                    let before = Operand::Word(before);
                    match before.choose(&mut self.spec, keep, Operand::Word(value)) {
                        Some(chosen) => chosen,
                        None => return Err(different_kinds(kinds.0, kinds.1, span)),
                    }
                }
                _ => {
                    return Err(Diagnostic::error(
                        codes::WRONG_TYPE,
                        "this summary is not possible for an array of this type",
                    )
                    .at(span, "used here")
                    .help("`.all` and `.any` are for Booleans, the others for integers"));
                }
            });
        }
        result.ok_or_else(|| no_array(name, span))
    }
}

pub(super) fn no_array(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(codes::WRONG_PLACE, format!("`{name}` is not an array"))
        .at(span, "used like one here")
        .help(format!("write `{name}` without an index"))
}

fn out_of_bounds(name: &str, index: i64, size: usize, span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NOT_A_VALUE,
        format!("`{name}` has no element {index}"),
    )
    .at(span, "outside of the array")
    .help(format!("indices are 0 to {}", size - 1))
}
