//! What the operators of TLSF give: arithmetic, sets, connectives, and counted steps.

use super::evaluate::{Evaluator, MOST_PARTS, Result};
use super::tree::{Big, Binary, Binder, Bounded, Connective, ExprId, Unary, Values};
use super::value::{Connection, Form, Node, Value, temporal};
use crate::expr::TemporalUnary;
use crate::source::Diagnostic;
use crate::source::codes::specification as codes;
use std::collections::BTreeSet;
use std::rc::Rc;

impl<'f> Evaluator<'f> {
    pub(super) fn range(
        &mut self,
        first: ExprId,
        second: ExprId,
        last: ExprId,
        id: ExprId,
    ) -> Result<Value> {
        let (start, next) = (self.number(first)?, self.number(second)?);
        let end = self.number(last)?;
        let step = i128::from(next) - i128::from(start);
        if step == 0 {
            return Err(
                Diagnostic::error(codes::WRONG_RANGE, "this range never gets further")
                    .at(self.span(id), "its first two elements are equal")
                    .help("let the second element be the next one: `{0, 1 .. n}`"),
            );
        }
        let mut set = BTreeSet::new();
        let mut element = i128::from(start);
        let goes_on = |element: i128| {
            if step > 0 {
                element <= i128::from(end)
            } else {
                element >= i128::from(end)
            }
        };
        while goes_on(element) {
            self.limits.poll()?;
            if set.len() >= MOST_PARTS {
                return Err(self.too_large(id, "this set has too many elements"));
            }
            // Between two numbers of 64 bits, so it is one.
            set.insert(Value::Number(element as i64));
            element += step;
        }
        Ok(Value::Set(Rc::new(set)))
    }

    pub(super) fn unary(&mut self, operator: Unary, operand: ExprId) -> Result<Value> {
        let temporal = match operator {
            Unary::SizeOf => {
                return match self.value(operand)? {
                    Value::Bus(bus) => Ok(Value::Number(self.signals.width(bus) as i64)),
                    other => Err(self.wrong(operand, "a bus", &other)),
                };
            }
            Unary::Size => return Ok(Value::Number(self.set(operand)?.len() as i64)),
            Unary::Min | Unary::Max => {
                let set = self.set(operand)?;
                let extreme = match operator {
                    Unary::Min => set.first(),
                    _ => set.last(),
                };
                return match extreme {
                    Some(Value::Number(number)) => Ok(Value::Number(*number)),
                    Some(other) => Err(self.wrong(operand, "a set of numbers", other)),
                    None => Err(Diagnostic::error(
                        codes::NO_RESULT,
                        "an empty set has no smallest and no largest element",
                    )
                    .at(self.span(operand), "this set is empty")
                    .help("ask `SIZE` first")),
                };
            }
            Unary::Not => {
                return match self.value(operand)? {
                    Value::Boolean(value) => Ok(Value::Boolean(!value)),
                    other => {
                        let node = self.as_formula(operand, other)?;
                        Ok(Value::Formula(self.syntax.not(node)))
                    }
                };
            }
            Unary::Next => TemporalUnary::Next,
            Unary::Finally => TemporalUnary::Finally,
            Unary::Globally => TemporalUnary::Globally,
        };
        let node = self.formula(operand)?;
        Ok(Value::Formula(
            self.syntax.node(Form::Unary(temporal, node)),
        ))
    }

    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: ExprId,
        right: ExprId,
        id: ExprId,
    ) -> Result<Value> {
        match operator {
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Modulo => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                let found = arithmetic(operator, left, right);
                found.map(Value::Number).ok_or_else(|| {
                    let message = match right {
                        0 => "a division by zero has no result",
                        _ => "this number is too large",
                    };
                    Diagnostic::error(codes::NO_RESULT, message)
                        .at(self.span(id), format!("{left} and {right}"))
                        .help("correct the expression, or the parameters")
                })
            }
            Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Ok(Value::Boolean(match operator {
                    Binary::Less => left < right,
                    Binary::LessEqual => left <= right,
                    Binary::Greater => left > right,
                    _ => left >= right,
                }))
            }
            Binary::Without | Binary::Intersection | Binary::Union => {
                let (left, right) = (self.set(left)?, self.set(right)?);
                let elements: BTreeSet<Value> = match operator {
                    Binary::Without => left.difference(&right).cloned().collect(),
                    Binary::Intersection => left.intersection(&right).cloned().collect(),
                    _ => left.union(&right).cloned().collect(),
                };
                Ok(Value::Set(Rc::new(elements)))
            }
            Binary::Element => {
                let element = self.value(left)?;
                Ok(Value::Boolean(self.set(right)?.contains(&element)))
            }
            Binary::Equal | Binary::NotEqual => {
                let equal = self.equal(left, right, id)?;
                match (operator, equal) {
                    (Binary::Equal, value) => Ok(value),
                    (_, Value::Boolean(value)) => Ok(Value::Boolean(!value)),
                    (_, value) => {
                        let node = self.as_formula(id, value)?;
                        Ok(Value::Formula(self.syntax.not(node)))
                    }
                }
            }
            Binary::Implies => match self.value(left)? {
                Value::Boolean(false) => Ok(Value::Boolean(true)),
                Value::Boolean(true) => {
                    let value = self.value(right)?;
                    self.logical(right, value)
                }
                other => self.connected(Connection::Implies, left, other, right),
            },
            Binary::Equivalent => match (self.value(left)?, self.value(right)?) {
                (Value::Boolean(left), Value::Boolean(right)) => Ok(Value::Boolean(left == right)),
                (first, second) => {
                    let (first, second) = (
                        self.as_formula(left, first)?,
                        self.as_formula(right, second)?,
                    );
                    let form = Form::Connected(Connection::Equivalent, first, second);
                    Ok(Value::Formula(self.syntax.node(form)))
                }
            },
            Binary::Matches => {
                let value = self.value(left)?;
                let node = self.as_formula(left, value)?;
                Ok(Value::Boolean(self.matches(node, right)?))
            }
            Binary::Until | Binary::WeakUntil | Binary::Release => {
                let (left, right) = (self.formula(left)?, self.formula(right)?);
                let form = temporal(operator).map(|operator| Form::Binary(operator, left, right));
                Ok(Value::Formula(
                    self.syntax.node(form.unwrap_or(Form::Constant(true))),
                ))
            }
        }
    }

    /// A truth value or a formula as it is.
    fn logical(&mut self, id: ExprId, value: Value) -> Result<Value> {
        match value {
            Value::Boolean(_) | Value::Formula(_) => Ok(value),
            other => Err(self.wrong(id, "a formula", &other)),
        }
    }

    fn connected(
        &mut self,
        connection: Connection,
        left: ExprId,
        value: Value,
        right: ExprId,
    ) -> Result<Value> {
        let first = self.as_formula(left, value)?;
        let second = self.formula(right)?;
        let form = Form::Connected(connection, first, second);
        Ok(Value::Formula(self.syntax.node(form)))
    }

    /// Operands that decide a conjunction or disjunction of conditions end it, so that a bound
    /// can be asked before a bit of a bus is.
    pub(super) fn chain(&mut self, connective: Connective, operands: &[ExprId]) -> Result<Value> {
        let deciding = connective == Connective::Or;
        let mut values = Vec::with_capacity(operands.len());
        for operand in operands {
            let value = self.value(*operand)?;
            if value == Value::Boolean(deciding) {
                return Ok(value);
            }
            values.push(self.logical(*operand, value)?);
        }
        Ok(self.joined(Connection::of(connective), &values))
    }

    /// Truth values and formulas, joined.
    fn joined(&mut self, connection: Connection, values: &[Value]) -> Value {
        let neutral = connection == Connection::And;
        let mut nodes = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Value::Formula(node) => nodes.push(*node),
                Value::Boolean(value) if *value != neutral => return Value::Boolean(!neutral),
                _ => {}
            }
        }
        if nodes.is_empty() {
            Value::Boolean(neutral)
        } else {
            Value::Formula(self.syntax.join(connection, &nodes))
        }
    }

    pub(super) fn next(&mut self, body: Node, times: usize) -> Result<Node> {
        let mut found = body;
        for _ in 0..times {
            self.limits.poll()?;
            found = self.syntax.node(Form::Unary(TemporalUnary::Next, found));
        }
        Ok(found)
    }

    pub(super) fn within(
        &mut self,
        operator: Bounded,
        first: ExprId,
        last: ExprId,
        body: ExprId,
    ) -> Result<Value> {
        let (from, to) = (self.count(first)?, self.number(last)?);
        let to = match usize::try_from(to) {
            Ok(to) if to >= from => self.count(last).map(|_| to)?,
            _ if operator == Bounded::Globally => return Ok(Value::Boolean(true)),
            _ => {
                return Err(Diagnostic::error(
                    codes::WRONG_RANGE,
                    format!("there is no step between {from} and {to}"),
                )
                .at(self.span(first).to(self.span(last)), "this range is empty")
                .help("write the smaller number first"));
            }
        };
        let connection = match operator {
            Bounded::Finally => Connection::Or,
            Bounded::Globally => Connection::And,
        };
        let body = self.formula(body)?;
        let mut within = body;
        for _ in from..to {
            let later = self.next(within, 1)?;
            within = self.syntax.join(connection, &[body, later]);
        }
        Ok(Value::Formula(self.next(within, from)?))
    }

    pub(super) fn big(
        &mut self,
        operator: Big,
        binders: &'f [Binder],
        body: ExprId,
        id: ExprId,
    ) -> Result<Value> {
        let mut values = Vec::new();
        let length = self.locals.len();
        let outcome = self.bind(binders, body, &mut values);
        self.locals.truncate(length);
        outcome?;
        match operator {
            Big::And | Big::Or => {
                let connection = match operator {
                    Big::And => Connection::And,
                    _ => Connection::Or,
                };
                for value in &values {
                    self.logical(body, value.clone())?;
                }
                Ok(self.joined(connection, &values))
            }
            Big::Sum | Big::Product => {
                let step = match operator {
                    Big::Sum => Binary::Add,
                    _ => Binary::Multiply,
                };
                let mut result = i64::from(operator == Big::Product);
                for value in values {
                    let Value::Number(number) = value else {
                        return Err(self.wrong(body, "a number", &value));
                    };
                    result = arithmetic(step, result, number).ok_or_else(|| {
                        Diagnostic::error(codes::NO_RESULT, "this number is too large")
                            .at(self.span(id), "the sum or product")
                            .help("correct the expression, or the parameters")
                    })?;
                }
                Ok(Value::Number(result))
            }
            Big::Union | Big::Intersection => {
                let mut result: Option<BTreeSet<Value>> = None;
                for value in values {
                    self.limits.check()?;
                    let Value::Set(set) = value else {
                        return Err(self.wrong(body, "a set", &value));
                    };
                    result = Some(match (result, operator) {
                        (None, _) => (*set).clone(),
                        (Some(before), Big::Union) => before.union(&set).cloned().collect(),
                        (Some(before), _) => before.intersection(&set).cloned().collect(),
                    });
                }
                match result {
                    Some(result) => Ok(Value::Set(Rc::new(result))),
                    None if operator == Big::Union => Ok(Value::Set(Rc::default())),
                    None => Err(Diagnostic::error(
                        codes::NO_RESULT,
                        "an intersection of no sets has no result",
                    )
                    .at(self.span(id), "its variables have no values")
                    .help("give the variables values")),
                }
            }
        }
    }

    /// The values of the body for all values of the variables.
    fn bind(&mut self, binders: &'f [Binder], body: ExprId, values: &mut Vec<Value>) -> Result<()> {
        let Some((binder, rest)) = binders.split_first() else {
            values.push(self.value(body)?);
            return Ok(());
        };
        let mut each = |evaluator: &mut Self, value: Value| {
            evaluator.locals.push((binder.name, value));
            let outcome = evaluator.bind(rest, body, values);
            evaluator.locals.pop();
            outcome
        };
        match &binder.values {
            Values::Of(set) => {
                for value in self.set(*set)?.iter() {
                    each(self, value.clone())?;
                }
            }
            Values::Between {
                first,
                after,
                last,
                before,
            } => {
                let from = self.number(*first)?.saturating_add(i64::from(*after));
                let to = self.number(*last)?.saturating_sub(i64::from(*before));
                for number in from..=to {
                    each(self, Value::Number(number))?;
                }
            }
        }
        Ok(())
    }
}

/// Division rounds down, as the language says.
fn arithmetic(operator: Binary, left: i64, right: i64) -> Option<i64> {
    match operator {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide => {
            let (quotient, rest) = (left.checked_div(right)?, left.checked_rem(right)?);
            Some(quotient - i64::from(rest != 0 && (rest < 0) != (right < 0)))
        }
        _ => {
            let rest = left.checked_rem(right)?;
            Some(if rest != 0 && (rest < 0) != (right < 0) {
                rest + right
            } else {
                rest
            })
        }
    }
}
