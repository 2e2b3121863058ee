//! Evaluates the expressions of a TLSF file: numbers, sets, conditions, and formulas that are
//! written out.
//!
//! Enters: a file whose names have been checked, and the values of its parameters. Functions
//! are remembered with their arguments, so that `value(bus, 3)` is worked out once. Recursion
//! that does not end is found: by a call with the same arguments below itself, or by the
//! limits below. Invariant: `locals` holds the variables of the current call above `frame`,
//! and is as long after an evaluation as before it, except that a pattern which matched
//! leaves its variables there for the body of its case.

use super::signals::Signals;
use super::tree::{
    Big, Binary, Binder, Bounded, Connective, Definition, ExprId, File, Kind, Name, Unary, Values,
};
use super::value::{Connection, Form, Node, Syntax, Value, temporal};
use crate::expr::TemporalUnary;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Expressions that are evaluated, each time counted.
const MOST_STEPS: u64 = 10_000_000;
/// Expressions that are evaluated inside each other.
const DEEPEST: usize = 30_000;
/// Subformulas of the whole specification, and elements of one set.
const MOST_PARTS: usize = 5_000_000;
/// Sets in sets: whatever compares or drops one does so recursively.
const DEEPEST_SET: usize = 50;

/// What a name stands for outside of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Global {
    Parameter(usize),
    Definition(usize),
    EnumValue(usize, usize),
    Signal(usize),
}

pub struct Evaluator<'f> {
    pub file: &'f File,
    /// By the number of the name.
    pub globals: &'f [Option<Global>],
    pub parameters: Vec<Option<i64>>,
    pub signals: Signals,
    pub syntax: Syntax,
    locals: Vec<(Name, Value)>,
    frame: usize,
    /// `None` while the call is being evaluated.
    known: HashMap<(Global, Vec<Value>), Option<Value>>,
    steps: u64,
    depth: usize,
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl std::hash::Hash for Global {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        match self {
            Global::Parameter(index) => (0, *index, 0).hash(state),
            Global::Definition(index) => (1, *index, 0).hash(state),
            Global::EnumValue(index, value) => (2, *index, *value).hash(state),
            Global::Signal(index) => (3, *index, 0).hash(state),
        }
    }
}

impl<'f> Evaluator<'f> {
    pub fn new(file: &'f File, globals: &'f [Option<Global>]) -> Evaluator<'f> {
        Evaluator {
            file,
            globals,
            parameters: vec![None; file.parameters.len()],
            signals: Signals::default(),
            syntax: Syntax::default(),
            locals: Vec::new(),
            frame: 0,
            known: HashMap::new(),
            steps: 0,
            depth: 0,
        }
    }

    pub fn value(&mut self, id: ExprId) -> Result<Value> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.syntax.size() > MOST_PARTS {
            return Err(self.too_large(id, "the specification grows without end"));
        }
        if self.depth > DEEPEST {
            return Err(self.too_large(id, "definitions are used inside each other too deeply"));
        }
        self.depth += 1;
        let found = stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.value_here(id));
        self.depth -= 1;
        found
    }

    fn too_large(&self, id: ExprId, message: &str) -> Diagnostic {
        Diagnostic::error(codes::TOO_LARGE, message)
            .at(self.span(id), "while this was evaluated")
            .help("give recursive definitions a case that ends, or use smaller parameters")
    }

    fn span(&self, id: ExprId) -> Span {
        self.file.expr(id).span
    }

    fn value_here(&mut self, id: ExprId) -> Result<Value> {
        let file = self.file;
        match &file.expr(id).kind {
            Kind::Number(number) => Ok(Value::Number(*number)),
            Kind::Boolean(value) => Ok(Value::Boolean(*value)),
            Kind::Otherwise => Ok(Value::Boolean(true)),
            Kind::Any => Err(self.misplaced_any(id)),
            Kind::Name(name) => self.named(*name, id),
            Kind::Call(name, arguments) => self.call(*name, arguments, id),
            Kind::Index(name, index) => self.place(*name, *index, id),
            Kind::Set(elements) => {
                let mut set = BTreeSet::new();
                for element in elements {
                    set.insert(self.value(*element)?);
                }
                let set = Value::Set(Rc::new(set));
                if set.levels() > DEEPEST_SET {
                    return Err(self.too_large(id, "sets are nested too deeply"));
                }
                Ok(set)
            }
            Kind::Range(first, second, last) => self.range(*first, *second, *last, id),
            Kind::Unary(operator, operand) => self.unary(*operator, *operand),
            Kind::Binary(operator, left, right) => self.binary(*operator, *left, *right, id),
            Kind::Chain(connective, operands) => self.chain(*connective, operands),
            Kind::Big(operator, binders, body) => self.big(*operator, binders, *body, id),
            Kind::NextTimes(times, body) => {
                let times = self.count(*times)?;
                let body = self.formula(*body)?;
                Ok(Value::Formula(self.next(body, times)))
            }
            Kind::Within(operator, first, last, body) => {
                self.within(*operator, *first, *last, *body)
            }
        }
    }

    fn misplaced_any(&self, id: ExprId) -> Diagnostic {
        Diagnostic::error(
            codes::WRONG_PLACE,
            "`_` stands for anything in a pattern only",
        )
        .at(self.span(id), "not after `~`")
        .help("name what is meant")
    }

    fn local(&self, name: Name) -> Option<&Value> {
        let mut variables = self.locals[self.frame..].iter().rev();
        variables
            .find(|(other, _)| *other == name)
            .map(|(_, value)| value)
    }

    fn named(&mut self, name: Name, id: ExprId) -> Result<Value> {
        if let Some(value) = self.local(name) {
            return Ok(value.clone());
        }
        match self.globals[name.0 as usize] {
            Some(Global::Definition(_)) => self.call(name, &[], id),
            Some(Global::Parameter(index)) => self.parameter(index, id),
            Some(Global::EnumValue(enumeration, value)) => Ok(Value::Enum(enumeration, value)),
            Some(Global::Signal(index)) if index >= self.signals.count() => {
                let name = self.file.names.text(name);
                let message = format!("`{name}` is not known before the widths of all buses are");
                Err(Diagnostic::error(codes::NOT_CONSTANT, message)
                    .at(self.span(id), "used for the width of an earlier signal")
                    .help("let widths depend on parameters"))
            }
            Some(Global::Signal(index)) => match self.signals.atom(index) {
                Some(atom) => Ok(Value::Formula(self.syntax.node(Form::Atom(atom)))),
                None => Ok(Value::Bus(index)),
            },
            None => Err(self.unknown(name, id)),
        }
    }

    fn unknown(&self, name: Name, id: ExprId) -> Diagnostic {
        let name = self.file.names.text(name);
        Diagnostic::error(codes::UNKNOWN_NAME, format!("`{name}` is not known here"))
            .at(self.span(id), "used here")
            .help("declare it")
    }

    fn parameter(&mut self, index: usize, id: ExprId) -> Result<Value> {
        if let Some(value) = self.parameters[index] {
            return Ok(Value::Number(value));
        }
        let file = self.file;
        let value = self.definition(Global::Parameter(index), &file.parameters[index], &[], id)?;
        match value {
            Value::Number(number) => {
                self.parameters[index] = Some(number);
                Ok(value)
            }
            other => Err(Diagnostic::error(
                codes::WRONG_TYPE,
                format!("a parameter is a number, and this is {}", other.describe()),
            )
            .at(file.parameters[index].span, "of this parameter")
            .help("put everything else into DEFINITIONS")),
        }
    }

    fn call(&mut self, name: Name, arguments: &[ExprId], id: ExprId) -> Result<Value> {
        let file = self.file;
        let Some(Global::Definition(index)) = self.globals[name.0 as usize] else {
            return Err(self.unknown(name, id));
        };
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.value(*argument)?);
        }
        let definition = &file.definitions[index];
        self.definition(Global::Definition(index), definition, &values, id)
    }

    fn definition(
        &mut self,
        key: Global,
        definition: &'f Definition,
        arguments: &[Value],
        id: ExprId,
    ) -> Result<Value> {
        let key = (key, arguments.to_vec());
        let name = || format!("`{}`", self.file.names.text(definition.name));
        match self.known.get(&key) {
            Some(Some(value)) => return Ok(value.clone()),
            Some(None) => {
                let message = format!("{} is defined by itself", name());
                let error = Diagnostic::error(codes::CYCLIC, message);
                return Err(error
                    .at(
                        self.span(id),
                        "used here with the arguments it is defined for",
                    )
                    .at(definition.span, "defined here")
                    .help("let each use be nearer to a case without one"));
            }
            None => {}
        }
        self.known.insert(key.clone(), None);
        let (frame, length) = (self.frame, self.locals.len());
        self.frame = length;
        let parameters = definition.parameters.iter().copied();
        self.locals
            .extend(parameters.zip(arguments.iter().cloned()));
        let found = self.cases(definition, id);
        self.locals.truncate(length);
        self.frame = frame;
        let value = found?;
        self.known.insert(key, Some(value.clone()));
        Ok(value)
    }

    fn cases(&mut self, definition: &Definition, id: ExprId) -> Result<Value> {
        let file = self.file;
        let mut otherwise = None;
        let length = self.locals.len();
        for case in &definition.cases {
            let applies = match case.condition {
                None => true,
                Some(condition) if matches!(file.expr(condition).kind, Kind::Otherwise) => {
                    otherwise = otherwise.or(Some(case.body));
                    continue;
                }
                Some(condition) => self.condition(condition)?,
            };
            if applies {
                return self.value(case.body);
            }
            self.locals.truncate(length);
        }
        if let Some(body) = otherwise {
            return self.value(body);
        }
        let name = file.names.text(definition.name);
        Err(
            Diagnostic::error(codes::NO_CASE, format!("no case of `{name}` applies"))
                .at(self.span(id), "used here")
                .at(definition.span, "defined here")
                .help("add a case `otherwise : ...`"),
        )
    }

    /// A condition that is decided before the first step.
    pub fn condition(&mut self, id: ExprId) -> Result<bool> {
        match self.value(id)? {
            Value::Boolean(value) => Ok(value),
            Value::Formula(_) => Err(Diagnostic::error(
                codes::NOT_CONSTANT,
                "a case is chosen before the first step",
            )
            .at(self.span(id), "this depends on signals")
            .help("compare parameters, or write the choice as a formula: `(a -> b) && (!a -> c)`")),
            other => Err(self.wrong(id, "a condition", &other)),
        }
    }

    fn wrong(&self, id: ExprId, wanted: &str, found: &Value) -> Diagnostic {
        let message = format!("{wanted} is needed, and this is {}", found.describe());
        let error = Diagnostic::error(codes::WRONG_TYPE, message).at(self.span(id), "this");
        match found {
            Value::Bus(_) => error.help("name a place of the bus, as in `bus[0]`"),
            Value::Enum(..) => error.help("compare a signal with it, as in `signal == VALUE`"),
            Value::Number(_) => error.help("compare it with something"),
            _ => error.help(format!("write {wanted}")),
        }
    }

    pub fn number(&mut self, id: ExprId) -> Result<i64> {
        match self.value(id)? {
            Value::Number(number) => Ok(number),
            other => Err(self.wrong(id, "a number", &other)),
        }
    }

    /// A number that is not negative, of things that are about to be made.
    pub fn count(&mut self, id: ExprId) -> Result<usize> {
        let number = self.number(id)?;
        let found = usize::try_from(number).ok();
        found.filter(|count| *count <= MOST_PARTS).ok_or_else(|| {
            Diagnostic::error(
                codes::WRONG_RANGE,
                format!("{number} is no possible number"),
            )
            .at(self.span(id), format!("0 to {MOST_PARTS} are possible"))
            .help("correct the expression, or the parameters")
        })
    }

    fn set(&mut self, id: ExprId) -> Result<Rc<BTreeSet<Value>>> {
        match self.value(id)? {
            Value::Set(set) => Ok(set),
            other => Err(self.wrong(id, "a set", &other)),
        }
    }

    pub fn formula(&mut self, id: ExprId) -> Result<Node> {
        let value = self.value(id)?;
        self.as_formula(id, value)
    }

    fn as_formula(&mut self, id: ExprId, value: Value) -> Result<Node> {
        match value {
            Value::Formula(node) => Ok(node),
            Value::Boolean(value) => Ok(self.syntax.node(Form::Constant(value))),
            other => Err(self.wrong(id, "a formula", &other)),
        }
    }

    /// `bus[index]`
    fn place(&mut self, name: Name, index: ExprId, id: ExprId) -> Result<Value> {
        let bus = match self.named(name, id)? {
            Value::Bus(bus) => bus,
            other => {
                let text = self.file.names.text(name);
                let message = format!("`{text}` is {}, not a bus", other.describe());
                return Err(Diagnostic::error(codes::WRONG_TYPE, message)
                    .at(self.span(id), "a place of it")
                    .help("leave the index away, or declare a bus"));
            }
        };
        let place = self.number(index)?;
        let found = usize::try_from(place).ok();
        match found.and_then(|place| self.signals.place(bus, place)) {
            Some(atom) => Ok(Value::Formula(self.syntax.node(Form::Atom(atom)))),
            None => {
                let name = &self.signals.name(bus);
                let width = self.signals.width(bus);
                let message = format!("`{name}` has no place {place}");
                Err(Diagnostic::error(codes::NOT_A_VALUE, message)
                    .at(
                        self.span(id),
                        match width {
                            0 => "the bus is empty".to_string(),
                            _ => format!("its places are 0 to {}", width - 1),
                        },
                    )
                    .help("correct the index, or the bounds of its variable"))
            }
        }
    }

    fn range(&mut self, first: ExprId, second: ExprId, last: ExprId, id: ExprId) -> Result<Value> {
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
        let goes_on = |element: i128| match step > 0 {
            true => element <= i128::from(end),
            false => element >= i128::from(end),
        };
        while goes_on(element) {
            if set.len() >= MOST_PARTS {
                return Err(self.too_large(id, "this set has too many elements"));
            }
            // Between two numbers of 64 bits, so it is one.
            set.insert(Value::Number(element as i64));
            element += step;
        }
        Ok(Value::Set(Rc::new(set)))
    }

    fn unary(&mut self, operator: Unary, operand: ExprId) -> Result<Value> {
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

    fn binary(
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
    /// can be asked before a place of a bus is.
    fn chain(&mut self, connective: Connective, operands: &[ExprId]) -> Result<Value> {
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
        match nodes.is_empty() {
            true => Value::Boolean(neutral),
            false => Value::Formula(self.syntax.join(connection, &nodes)),
        }
    }

    fn next(&mut self, body: Node, times: usize) -> Node {
        (0..times).fold(body, |inner, _| {
            self.syntax.node(Form::Unary(TemporalUnary::Next, inner))
        })
    }

    fn within(
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
            let later = self.next(within, 1);
            within = self.syntax.join(connection, &[body, later]);
        }
        Ok(Value::Formula(self.next(within, from)))
    }

    fn big(
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
                let mut number = from;
                while number <= to {
                    each(self, Value::Number(number))?;
                    number += 1;
                }
            }
        }
        Ok(())
    }

    pub fn push_local(&mut self, name: Name, value: Value) {
        self.locals.push((name, value));
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
