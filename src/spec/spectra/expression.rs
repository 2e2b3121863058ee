//! What expressions mean.

use super::array::no_array;
use super::elaborate::{Elaborator, Entity};
use super::operand::{Operand, Word, WordKind};
use super::parser::Step;
use super::tree::*;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::spec::gr1::{Arithmetic, Comparison, Domain, Past, Symbol, TermId};
use crate::stack;
use std::collections::HashMap;

impl<'f> Elaborator<'f> {
    pub(super) fn operand(&mut self, expression: &Expression) -> Step<Operand> {
        self.limits.poll()?;
        self.stop_at_many_mistakes()?;
        stack::recurse(|| self.operand_of(expression))
    }

    fn operand_of(&mut self, expression: &Expression) -> Step<Operand> {
        use ExpressionKind as E;
        let span = expression.span;
        let term = match &expression.kind {
            E::Boolean(value) => self.spec.terms.boolean(*value),
            E::Integer(value) => return Ok(Operand::integer(&mut self.spec, *value)),
            E::Reference(name, indices) => return self.reference(name, indices, span),
            E::Aggregate(name, aggregate) => return self.aggregate(name, *aggregate, span),
            E::Call(name, arguments) => return self.call(name, arguments, span),
            E::Next(operand) => return self.next(operand, span),
            E::Not(operand) => {
                let operand = self.boolean(operand)?;
                self.spec.terms.not(operand)
            }
            E::Negate(operand) => return self.negated(operand),
            E::Previous(operand) => self.previous(operand, span)?,
            E::Once(operand) => self.past(Past::Once, operand, span)?,
            E::Historically(operand) => self.past(Past::Historically, operand, span)?,
            E::Since(left, right) => {
                let (left, right) = (self.past_operand(left), self.past_operand(right));
                let (left, right) = self.both(left, right)?;
                self.spec.past(Past::Since(left, right), Some(span))
            }
            E::Triggered(left, right) => {
                // The dual of since.
                let (left, right) = (self.past_operand(left), self.past_operand(right));
                let (left, right) = self.both(left, right)?;
                let (left, right) = (self.spec.terms.not(left), self.spec.terms.not(right));
                let since = self.spec.past(Past::Since(left, right), Some(span));
                self.spec.terms.not(since)
            }
            E::And(operands) => {
                let operands = self.booleans(operands)?;
                self.spec.terms.and(operands)
            }
            E::Or(operands) => {
                let operands = self.booleans(operands)?;
                self.spec.terms.or(operands)
            }
            E::Xor(left, right) => {
                let (left, right) = (self.boolean(left), self.boolean(right));
                let (left, right) = self.both(left, right)?;
                self.spec.terms.xor(left, right)
            }
            E::Implies(left, right) => {
                let (left, right) = (self.boolean(left), self.boolean(right));
                let (left, right) = self.both(left, right)?;
                self.spec.terms.implies(left, right)
            }
            E::Iff(left, right) => {
                let (left, right) = (self.boolean(left), self.boolean(right));
                let (left, right) = self.both(left, right)?;
                self.spec.terms.iff(left, right)
            }
            E::Compare(comparison, left, right) => {
                let (left, right) = (self.operand(left), self.operand(right));
                let (left, right) = self.both(left, right)?;
                self.compare(*comparison, left, right, span)?
            }
            E::Arithmetic(operator, left, right) => {
                let (left, right) = (self.integer_word(left), self.integer_word(right));
                let (left, right) = self.both(left, right)?;
                let word = left.arithmetic(&mut self.spec, *operator, &right);
                return Ok(Operand::Word(word));
            }
            E::IfThenElse(condition, then, otherwise) => {
                let condition = self.boolean(condition);
                let (then, otherwise) = (self.operand(then), self.operand(otherwise));
                let values = self.both(then, otherwise);
                let (condition, (then, otherwise)) = self.both(condition, values)?;
                let kinds = (then.describe(), otherwise.describe());
                let chosen = then.choose(&mut self.spec, condition, otherwise);
                return chosen.ok_or_else(|| different_kinds(kinds.0, kinds.1, span));
            }
            E::In(left, negated, members) => self.is_in(left, *negated, members, span)?,
            E::Matches(_) => {
                return Err(Diagnostic::error(
                    codes::WRONG_PLACE,
                    "a regular expression is used inside an expression",
                )
                .at(span, "it says itself which steps it is about")
                .help("write `G regexp(...)` or `GF regexp(...)` as a requirement of its own"));
            }
            E::Quantified {
                all,
                variable,
                domain,
                body,
            } => self.quantified(*all, variable, domain, body)?,
        };
        Ok(Operand::Boolean(term))
    }

    /// `-a`, as `0 - a` in each case.
    fn negated(&mut self, operand: &Expression) -> Step<Operand> {
        let word = self.integer_word(operand)?;
        let zero = self.spec.terms.integer(0);
        let mut cases = Vec::new();
        for (guard, value) in word.cases {
            let terms = &mut self.spec.terms;
            cases.push((guard, terms.arithmetic(Arithmetic::Subtract, zero, value)));
        }
        let kind = WordKind::Integer;
        Ok(Operand::Word(Word { kind, cases }))
    }

    /// `PREV(a)`; with next values in `a`, it is about the step that led here.
    fn previous(&mut self, operand: &Expression, span: Span) -> Step<TermId> {
        let operand = self.boolean(operand)?;
        Ok(self.spec.past(Past::Previous(operand), Some(span)))
    }

    /// A past operator with one operand, as an auxiliary variable.
    fn past(
        &mut self,
        operator: fn(TermId) -> Past,
        operand: &Expression,
        span: Span,
    ) -> Step<TermId> {
        let operand = self.past_operand(operand)?;
        Ok(self.spec.past(operator(operand), Some(span)))
    }

    /// A conjunction or disjunction over the values of a domain.
    fn quantified(
        &mut self,
        all: bool,
        variable: &Name,
        domain: &Type,
        body: &Expression,
    ) -> Step<TermId> {
        let mut parts = Vec::new();
        for (_, value) in self.values(domain)? {
            self.scopes
                .push(HashMap::from([(variable.text.clone(), value)]));
            let part = self.boolean(body);
            self.scopes.pop();
            parts.push(part?);
        }
        Ok(if all {
            self.spec.terms.and(parts)
        } else {
            self.spec.terms.or(parts)
        })
    }

    /// Whether an operand is one of some members.
    fn is_in(
        &mut self,
        left: &Expression,
        negated: bool,
        members: &[Member],
        span: Span,
    ) -> Step<TermId> {
        let left = self.operand(left);
        let values = self.each(members, |this, member| match member {
            Member::Value(value) => this.operand(value).map(Some),
            Member::Range(..) => Ok(None),
        });
        let (left, values) = self.both(left, values)?;
        let pairs = members.iter().zip(values);
        let any = self.each(pairs, |this, (member, value)| {
            this.member(&left, member, value, span)
        })?;
        let any = self.spec.terms.or(any);
        Ok(if negated {
            self.spec.terms.not(any)
        } else {
            any
        })
    }

    fn booleans(&mut self, operands: &[Expression]) -> Step<Vec<TermId>> {
        self.each(operands, |this, operand| this.boolean(operand))
    }

    fn past_operand(&mut self, operand: &Expression) -> Step<TermId> {
        let term = self.boolean(operand)?;
        if self.spec.terms.has_primed(term) {
            return Err(Diagnostic::error(
                codes::MISPLACED_NEXT,
                "an operator about the past cannot speak of next values",
            )
            .at(operand.span, "there is a `next` in this")
            .help("only `PREV` can: it is then about the step that led to this state"));
        }
        Ok(term)
    }

    fn next(&mut self, operand: &Expression, span: Span) -> Step<Operand> {
        let twice = |_| {
            Diagnostic::error(codes::MISPLACED_NEXT, "`next` inside `next`")
                .at(span, "this is two steps ahead")
                .help("remember a value in a variable of the system to look further")
        };
        match self.operand(operand)? {
            Operand::Boolean(term) => {
                let term = self.spec.terms.primed(term).map_err(twice)?;
                Ok(Operand::Boolean(term))
            }
            Operand::Word(word) => {
                let mut cases = Vec::new();
                for (guard, value) in word.cases {
                    let guard = self.spec.terms.primed(guard).map_err(twice)?;
                    cases.push((guard, self.spec.terms.primed(value).map_err(twice)?));
                }
                let kind = word.kind;
                Ok(Operand::Word(Word { kind, cases }))
            }
            array => Err(different_kinds("`next`", array.describe(), span)),
        }
    }

    /// Whether an operand is a member, which has this value or is a range.
    fn member(
        &mut self,
        left: &Operand,
        member: &Member,
        value: Option<Operand>,
        span: Span,
    ) -> Step<TermId> {
        match (member, value) {
            (_, Some(value)) => self.compare(Comparison::Equal, left.clone(), value, span),
            (Member::Value(value), None) => {
                let value = self.operand(value)?;
                self.compare(Comparison::Equal, left.clone(), value, span)
            }
            (Member::Range(first, last), None) => {
                let first = Operand::integer(&mut self.spec, *first);
                let last = Operand::integer(&mut self.spec, *last);
                let parts = [
                    self.compare(Comparison::GreaterOrEqual, left.clone(), first, span)?,
                    self.compare(Comparison::LessOrEqual, left.clone(), last, span)?,
                ];
                Ok(self.spec.terms.and(parts))
            }
        }
    }

    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        left: Operand,
        right: Operand,
        span: Span,
    ) -> Step<TermId> {
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let (left, right) = self.numbers_as_names(left, right);
        match (left, right) {
            (Operand::Boolean(left), Operand::Boolean(right)) if is_equality => {
                Ok(match comparison {
                    Comparison::Equal => self.spec.terms.iff(left, right),
                    _ => self.spec.terms.xor(left, right),
                })
            }
            (Operand::Word(left), Operand::Word(right)) if left.kind == right.kind => {
                if left.kind == WordKind::Enumerator {
                    self.check_names(&left, &right, span)?;
                    self.check_names(&right, &left, span)?;
                    if !is_equality {
                        return self.ordered(comparison, &left, &right, span);
                    }
                }
                // A disjunction over cases, so the negation is outside.
                Ok(match comparison {
                    Comparison::NotEqual => {
                        let equal = left.compare(&mut self.spec, Comparison::Equal, &right);
                        self.spec.terms.not(equal)
                    }
                    _ => left.compare(&mut self.spec, comparison, &right),
                })
            }
            (left, right) => Err(different_kinds(left.describe(), right.describe(), span)),
        }
    }

    /// `<` and the like on enumerations: values are in the order of their declaration.
    fn ordered(
        &mut self,
        comparison: Comparison,
        left: &Word,
        right: &Word,
        span: Span,
    ) -> Step<TermId> {
        let orders = (left.order(&self.spec), right.order(&self.spec));
        let is_one = |word: &Word| word.symbol(&self.spec).is_some();
        let order = match orders {
            (Some(order), Some(other)) if order == other => order,
            (Some(order), None) if is_one(right) => order,
            (None, Some(order)) if is_one(left) => order,
            _ => {
                let text = comparison.text();
                let message = format!("`{text}` needs values of one enumeration, in one order");
                return Err(Diagnostic::error(codes::WRONG_TYPE, message)
                    .at(span, "compared here")
                    .help("compare variables of the same type, or one of them with a value"));
            }
        };
        let mut holds = Vec::new();
        for (index, symbol) in order.iter().enumerate() {
            let later = order.iter().enumerate();
            let allowed = later.filter(|(other, _)| comparison.holds(index as i64, *other as i64));
            let mut any = Vec::new();
            for (_, other) in allowed {
                any.push(self.is_symbol(right, *other));
            }
            let here = self.is_symbol(left, *symbol);
            let any = self.spec.terms.or(any);
            holds.push(self.spec.terms.and([here, any]));
        }
        Ok(self.spec.terms.or(holds))
    }

    fn is_symbol(&mut self, word: &Word, symbol: Symbol) -> TermId {
        let value = self.spec.terms.enumerator(symbol);
        let always = self.spec.terms.boolean(true);
        let value = Word {
            kind: WordKind::Enumerator,
            cases: vec![(always, value)],
        };
        word.compare(&mut self.spec, Comparison::Equal, &value)
    }

    /// An enumeration may have numbers for names.
    fn numbers_as_names(&mut self, left: Operand, right: Operand) -> (Operand, Operand) {
        let is_names = |operand: &Operand| matches!(operand, Operand::Word(word) if word.kind == WordKind::Enumerator);
        if is_names(&left) == is_names(&right) {
            return (left, right);
        }
        let mut convert = |operand: Operand| match operand.constant(&self.spec) {
            Some(number) => {
                let symbol = self.spec.terms.symbol(&number.to_string());
                Operand::enumerator(&mut self.spec, symbol)
            }
            None => operand,
        };
        (convert(left), convert(right))
    }

    fn check_names(&self, constant: &Word, other: &Word, span: Span) -> Step<()> {
        let (Some(symbol), Some(names)) = (constant.symbol(&self.spec), other.names(&self.spec))
        else {
            return Ok(());
        };
        if names.contains(&symbol) {
            return Ok(());
        }
        let names: Vec<&str> = names
            .iter()
            .map(|name| self.spec.terms.symbol_name(*name))
            .collect();
        Err(Diagnostic::error(
            codes::NOT_A_VALUE,
            format!(
                "`{}` is not a value of this variable",
                self.spec.terms.symbol_name(symbol)
            ),
        )
        .at(span, "this is never equal")
        .help(format!("its values are {}", names.join(", "))))
    }

    fn reference(&mut self, name: &str, indices: &[Expression], span: Span) -> Step<Operand> {
        let bound = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        if let Some(operand) = bound {
            return match (operand.clone(), indices) {
                (operand, []) => Ok(operand),
                (Operand::Array(cells), indices) => self.cell(name, &cells, indices, span),
                _ => Err(no_array(name, span)),
            };
        }
        if let Some(cells) = self.local.get(name).cloned() {
            return self.cell(name, &cells, indices, span);
        }
        match self.names.get(name).cloned() {
            Some((Entity::Variable(cells), _)) => self.cell(name, &cells, indices, span),
            Some((Entity::Define(DefinedBody::Single(body)), _)) => {
                if !indices.is_empty() {
                    return Err(no_array(name, span));
                }
                self.definition(name, body, span)
            }
            Some((Entity::Define(DefinedBody::Array(sizes, body)), _)) => {
                self.check_sizes(name, sizes, body)?;
                self.defined_cell(name, body, indices, span)
            }
            Some((Entity::Predicate(..) | Entity::Pattern(_), _)) => Err(Diagnostic::error(
                codes::WRONG_ARGUMENTS,
                format!("`{name}` needs arguments"),
            )
            .at(span, "used without arguments")
            .help(format!("write `{name}(...)`"))),
            Some((Entity::Regexp(_), _)) => Err(Diagnostic::error(
                codes::WRONG_PLACE,
                format!("`{name}` is a regular expression, not a value"),
            )
            .at(span, "used as a value")
            .help(format!("write `G regexp({name})`, or use it in a trigger"))),
            Some((Entity::Type(_), _)) => Err(Diagnostic::error(
                codes::WRONG_PLACE,
                format!("`{name}` is a type, not a value"),
            )
            .at(span, "used as a value")
            .help("use a variable of this type, or one of its values")),
            None => match self.spec.terms.find_symbol(name) {
                Some(symbol) if indices.is_empty() => {
                    Ok(Operand::enumerator(&mut self.spec, symbol))
                }
                _ => {
                    let unknown = self.unknown(name, span, "name");
                    Err(self.with_those_of(indices, unknown))
                }
            },
        }
    }

    fn call(&mut self, name: &str, arguments: &[Expression], span: Span) -> Step<Operand> {
        match self.names.get(name).cloned() {
            Some((Entity::Predicate(parameters, body), _)) => {
                let scope = self.bind(name, parameters, arguments, span)?;
                self.enter(name, span)?;
                let outer = std::mem::replace(&mut self.scopes, vec![scope]);
                let outcome = self.operand(body);
                self.scopes = outer;
                self.active.pop();
                outcome
            }
            Some((Entity::Pattern(_), _)) => Err(Diagnostic::error(
                codes::WRONG_PLACE,
                format!("the pattern `{name}` is used inside an expression"),
            )
            .at(span, "a pattern is a requirement of its own")
            .help(format!("write `asm {name}(...);` or `gar {name}(...);`"))),
            Some(_) => Err(Diagnostic::error(
                codes::WRONG_ARGUMENTS,
                format!("`{name}` has no arguments"),
            )
            .at(span, "used with arguments")
            .help(format!("write `{name}`"))),
            None => {
                let unknown = self.unknown(name, span, "predicate or pattern");
                Err(self.with_those_of(arguments, unknown))
            }
        }
    }

    /// The parameters of a predicate or pattern with the values of the arguments.
    pub(super) fn bind(
        &mut self,
        name: &str,
        parameters: &[Parameter],
        arguments: &[Expression],
        span: Span,
    ) -> Step<HashMap<String, Operand>> {
        if parameters.len() != arguments.len() {
            let wrong = Diagnostic::error(
                codes::WRONG_ARGUMENTS,
                format!(
                    "`{name}` has {} parameters, but {} arguments are given",
                    parameters.len(),
                    arguments.len()
                ),
            )
            .at(span, "used here")
            .help("give one argument for each parameter");
            return Err(self.with_those_of(arguments, wrong));
        }
        let pairs = parameters.iter().zip(arguments);
        let scope = self.each(pairs, |this, (parameter, argument)| {
            let operand = this.argument(argument)?;
            if let Some(domain) = &parameter.domain {
                this.check_argument(&operand, domain, argument.span)?;
            }
            Ok((parameter.name.text.clone(), operand))
        });
        Ok(scope?.into_iter().collect())
    }
}

impl Elaborator<'_> {
    /// A mistake, beside which those in some arguments are noted.
    fn with_those_of(&mut self, arguments: &[Expression], error: Diagnostic) -> Diagnostic {
        for argument in arguments {
            if let Err(other) = self.argument(argument) {
                self.note(other);
            }
        }
        error
    }

    /// A value, or an array as a whole.
    fn argument(&mut self, argument: &Expression) -> Step<Operand> {
        if let ExpressionKind::Reference(name, indices) = &argument.kind
            && indices.is_empty()
            && !self.scopes.iter().any(|scope| scope.contains_key(name))
            && let Some((Entity::Variable(cells), _)) = self.names.get(name)
            && !cells.dimensions.is_empty()
        {
            return Ok(Operand::Array(cells.clone()));
        }
        self.operand(argument)
    }

    fn check_argument(&mut self, operand: &Operand, domain: &Type, span: Span) -> Step<()> {
        let (values, dimensions) = self.domain(domain)?;
        let wanted = match values {
            Domain::Boolean => "Boolean",
            Domain::Range { .. } => "integer",
            Domain::Enumeration(_) => "enumeration",
        };
        let Operand::Array(cells) = operand else {
            let wanted = if dimensions.is_empty() {
                wanted
            } else {
                "array"
            };
            return if operand.describe() == wanted {
                Ok(())
            } else {
                Err(different_kinds(wanted, operand.describe(), span))
            };
        };
        if cells.dimensions != dimensions {
            return Err(Diagnostic::error(
                codes::WRONG_ARGUMENTS,
                "the array has other sizes than the parameter",
            )
            .at(span, "this argument")
            .help("give an array with as many elements in each dimension"));
        }
        let element = cells.variables.first().map(|id| self.variable(*id));
        match element.map(|element| element.describe()) {
            Some(found) if found != wanted => Err(different_kinds(wanted, found, span)),
            _ => Ok(()),
        }
    }
}

pub(super) fn different_kinds(left: &str, right: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::WRONG_TYPE,
        format!("{left} and {right} do not fit together"),
    )
    .at(span, "used together here")
    .help("both have to be Boolean, integer, or enumeration")
}
