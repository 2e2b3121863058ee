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
use super::tree::{Definition, ExprId, File, Kind, Name};
use super::value::{Form, Node, Syntax, Value};
use crate::limits::Limits;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::stack;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Expressions that are evaluated, each time counted.
const MOST_STEPS: u64 = 10_000_000;
/// Expressions that are evaluated inside each other.
const DEEPEST: usize = 30_000;
/// Subformulas of the whole specification, and elements of one set.
pub(super) const MOST_PARTS: usize = 5_000_000;
/// Sets in sets: whatever compares or drops one does so recursively.
const DEEPEST_SET: usize = 50;

/// What a name stands for outside of functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Global {
    Parameter(usize),
    Definition(usize),
    EnumValue(usize, usize),
    Signal(usize),
}

pub struct Evaluator<'f> {
    pub file: &'f File,
    /// Polled for each expression, and for each formula that operators make.
    pub(super) limits: &'f Limits,
    /// By the number of the name.
    pub globals: &'f [Option<Global>],
    pub parameters: Vec<Option<i64>>,
    pub signals: Signals,
    pub syntax: Syntax,
    pub(super) locals: Vec<(Name, Value)>,
    frame: usize,
    /// `None` while the call is being evaluated.
    known: HashMap<(Global, Vec<Value>), Option<Value>>,
    steps: u64,
    depth: usize,
}

pub(super) type Result<T> = std::result::Result<T, Diagnostic>;

impl<'f> Evaluator<'f> {
    pub fn new(file: &'f File, globals: &'f [Option<Global>], limits: &'f Limits) -> Evaluator<'f> {
        Evaluator {
            file,
            limits,
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
        self.limits.poll()?;
        self.steps += 1;
        if self.steps > MOST_STEPS || self.syntax.size() > MOST_PARTS {
            return Err(self.too_large(id, "the specification grows without end"));
        }
        if self.depth > DEEPEST {
            return Err(self.too_large(id, "definitions are used inside each other too deeply"));
        }
        self.depth += 1;
        let found = stack::recurse(|| self.value_here(id));
        self.depth -= 1;
        found
    }

    pub(super) fn too_large(&self, id: ExprId, message: &str) -> Diagnostic {
        Diagnostic::error(codes::TOO_LARGE, message)
            .at(self.span(id), "while this was evaluated")
            .help("give recursive definitions a case that ends, or use smaller parameters")
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
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
            Kind::Index(name, index) => self.bus_bit(*name, *index, id),
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
                Ok(Value::Formula(self.next(body, times)?))
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

    pub(super) fn wrong(&self, id: ExprId, wanted: &str, found: &Value) -> Diagnostic {
        let message = format!("{wanted} is needed, and this is {}", found.describe());
        let error = Diagnostic::error(codes::WRONG_TYPE, message).at(self.span(id), "this");
        match found {
            Value::Bus(_) => error.help("name a bit of the bus, as in `bus[0]`"),
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

    pub(super) fn set(&mut self, id: ExprId) -> Result<Rc<BTreeSet<Value>>> {
        match self.value(id)? {
            Value::Set(set) => Ok(set),
            other => Err(self.wrong(id, "a set", &other)),
        }
    }

    /// A whole requirement: what patterns in it stand for ends with it.
    pub fn requirement(&mut self, id: ExprId) -> Result<Node> {
        let found = self.formula(id);
        self.locals.clear();
        found
    }

    pub fn formula(&mut self, id: ExprId) -> Result<Node> {
        let value = self.value(id)?;
        self.as_formula(id, value)
    }

    pub(super) fn as_formula(&mut self, id: ExprId, value: Value) -> Result<Node> {
        match value {
            Value::Formula(node) => Ok(node),
            Value::Boolean(value) => Ok(self.syntax.node(Form::Constant(value))),
            other => Err(self.wrong(id, "a formula", &other)),
        }
    }

    /// `bus[index]`
    fn bus_bit(&mut self, name: Name, index: ExprId, id: ExprId) -> Result<Value> {
        let bus = match self.named(name, id)? {
            Value::Bus(bus) => bus,
            other => {
                let text = self.file.names.text(name);
                let message = format!("`{text}` is {}, not a bus", other.describe());
                return Err(Diagnostic::error(codes::WRONG_TYPE, message)
                    .at(self.span(id), "a bit of it")
                    .help("leave the index away, or declare a bus"));
            }
        };
        let number = self.number(index)?;
        let found = usize::try_from(number).ok();
        match found.and_then(|number| self.signals.bit(bus, number)) {
            Some(atom) => Ok(Value::Formula(self.syntax.node(Form::Atom(atom)))),
            None => {
                let name = &self.signals.name(bus);
                let width = self.signals.width(bus);
                let message = format!("`{name}` has no bit {number}");
                Err(Diagnostic::error(codes::NOT_A_VALUE, message)
                    .at(
                        self.span(id),
                        match width {
                            0 => "the bus is empty".to_string(),
                            _ => format!("its bits are 0 to {}", width - 1),
                        },
                    )
                    .help("correct the index, or the bounds of its variable"))
            }
        }
    }

    pub fn push_local(&mut self, name: Name, value: Value) {
        self.locals.push((name, value));
    }
}
