//! What `==` and `~` mean: numbers, sets and enumerations are compared, buses become formulas,
//! and formulas are matched by their syntax.

use super::evaluate::Evaluator;
use super::tree::{Binary, Connective, ExprId, Kind, Unary};
use super::value::{Connection, Form, Node, Value, temporal};
use crate::expr::TemporalUnary;
use crate::source::Diagnostic;
use crate::source::codes::specification as codes;

impl Evaluator<'_> {
    pub(super) fn equal(
        &mut self,
        left: ExprId,
        right: ExprId,
        id: ExprId,
    ) -> Result<Value, Diagnostic> {
        let (first, second) = (self.value(left)?, self.value(right)?);
        match (&first, &second) {
            (Value::Number(_), Value::Number(_))
            | (Value::Boolean(_), Value::Boolean(_))
            | (Value::Set(_), Value::Set(_))
            | (Value::Enum(..), Value::Enum(..)) => Ok(Value::Boolean(first == second)),
            // Whether two names or two values are meant is not clear: the reference tool
            // compares names.
            (Value::Formula(_), Value::Formula(_)) => Err(self.not_comparable(&first, &second, id)),
            _ => {
                let (Some(one), Some(other)) = (self.bits(&first), self.bits(&second)) else {
                    return Err(self.not_comparable(&first, &second, id));
                };
                if one.len() != other.len() {
                    let message = format!("{} bits are compared with {}", one.len(), other.len());
                    return Err(Diagnostic::error(codes::WRONG_TYPE, message)
                        .at(self.file.expr(id).span, "in this comparison")
                        .help("compare buses of the same width, and values of their type"));
                }
                Ok(match (&first, &second) {
                    (Value::Enum(enumeration, value), _) => {
                        self.has_code(&other, *enumeration, *value)
                    }
                    (_, Value::Enum(enumeration, value)) => {
                        self.has_code(&one, *enumeration, *value)
                    }
                    _ => {
                        let same: Vec<Node> = one
                            .into_iter()
                            .zip(other)
                            .map(|(left, right)| {
                                let form = Form::Connected(Connection::Equivalent, left, right);
                                self.syntax.node(form)
                            })
                            .collect();
                        Value::Formula(self.syntax.join(Connection::And, &same))
                    }
                })
            }
        }
    }

    fn not_comparable(&self, first: &Value, second: &Value, id: ExprId) -> Diagnostic {
        let message = format!(
            "{} cannot be compared with {}",
            first.describe(),
            second.describe()
        );
        let error = Diagnostic::error(codes::WRONG_TYPE, message)
            .at(self.file.expr(id).span, "in this comparison");
        match (first, second) {
            (Value::Formula(_) | Value::Boolean(_), Value::Formula(_) | Value::Boolean(_)) => {
                error.help("formulas are compared with `<->`, and their syntax with `~`")
            }
            _ => error.help("compare two values of one kind"),
        }
    }

    /// The bits of a bus or a signal; those of a value are never looked at.
    fn bits(&mut self, value: &Value) -> Option<Vec<Node>> {
        match value {
            Value::Bus(bus) => {
                let atoms = self.signals.atoms_of(*bus);
                Some(
                    atoms
                        .map(|atom| self.syntax.node(Form::Atom(atom)))
                        .collect(),
                )
            }
            Value::Formula(node) if matches!(self.syntax.form(*node), Form::Atom(_)) => {
                Some(vec![*node])
            }
            Value::Enum(enumeration, _) => {
                let width = self.file.enumerations[*enumeration].width;
                Some(vec![self.syntax.node(Form::Constant(true)); width])
            }
            _ => None,
        }
    }

    /// Whether bits have one of the codes of a value.
    fn has_code(&mut self, bits: &[Node], enumeration: usize, value: usize) -> Value {
        let codes = &self.file.enumerations[enumeration].values[value].codes;
        let alternatives: Vec<Node> = codes
            .iter()
            .map(|code| {
                let mut literals = Vec::new();
                for (bit, wanted) in bits.iter().zip(code) {
                    match wanted {
                        None => {}
                        Some(true) => literals.push(*bit),
                        Some(false) => literals.push(self.syntax.not(*bit)),
                    }
                }
                self.syntax.join(Connection::And, &literals)
            })
            .collect();
        Value::Formula(self.syntax.join(Connection::Or, &alternatives))
    }

    /// The signal has a value of its enumeration.
    pub fn has_some_code(&mut self, signal: usize, enumeration: usize) -> Node {
        let atoms = self.signals.atoms_of(signal);
        let bits: Vec<Node> = atoms
            .map(|atom| self.syntax.node(Form::Atom(atom)))
            .collect();
        let count = self.file.enumerations[enumeration].values.len();
        let mut values = Vec::new();
        for value in 0..count {
            if let Value::Formula(node) = self.has_code(&bits, enumeration, value) {
                values.push(node);
            }
        }
        self.syntax.join(Connection::Or, &values)
    }

    /// Whether a formula has the form of a pattern; its names are then what they stand for.
    pub(super) fn matches(&mut self, node: Node, pattern: ExprId) -> Result<bool, Diagnostic> {
        let file = self.file;
        // Pairs that still have to match.
        let mut pending = vec![(node, pattern)];
        while let Some((node, pattern)) = pending.pop() {
            let form = self.syntax.form(node);
            let fits = match (&file.expr(pattern).kind, form) {
                (Kind::Any, _) => true,
                (Kind::Name(name), _) => {
                    let value = match form {
                        Form::Constant(value) => Value::Boolean(value),
                        _ => Value::Formula(node),
                    };
                    self.push_local(*name, value);
                    true
                }
                (Kind::Boolean(wanted), Form::Constant(value)) => *wanted == value,
                (Kind::Unary(operator, inner), Form::Not(operand)) => {
                    pending.push((operand, *inner));
                    *operator == Unary::Not
                }
                (Kind::Unary(operator, inner), Form::Unary(found, operand)) => {
                    pending.push((operand, *inner));
                    let wanted = match operator {
                        Unary::Next => Some(TemporalUnary::Next),
                        Unary::Finally => Some(TemporalUnary::Finally),
                        Unary::Globally => Some(TemporalUnary::Globally),
                        _ => None,
                    };
                    wanted == Some(found)
                }
                (Kind::Binary(operator, left, right), Form::Binary(found, first, second)) => {
                    pending.extend([(second, *right), (first, *left)]);
                    temporal(*operator) == Some(found)
                }
                (Kind::Binary(operator, left, right), Form::Connected(found, first, second)) => {
                    pending.extend([(second, *right), (first, *left)]);
                    let wanted = match operator {
                        Binary::Implies => Some(Connection::Implies),
                        Binary::Equivalent => Some(Connection::Equivalent),
                        _ => None,
                    };
                    wanted == Some(found)
                }
                (Kind::Chain(connective, operands), Form::Connected(..)) => {
                    match self.chain_parts(node, *connective, operands.len()) {
                        Some(parts) => {
                            pending.extend(parts.into_iter().zip(operands.iter().copied()).rev());
                            true
                        }
                        None => false,
                    }
                }
                _ => false,
            };
            if !fits {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A conjunction or disjunction, grouped to the left, as this many operands.
    fn chain_parts(
        &self,
        mut node: Node,
        connective: Connective,
        count: usize,
    ) -> Option<Vec<Node>> {
        let mut parts = Vec::with_capacity(count);
        for _ in 1..count {
            match self.syntax.form(node) {
                Form::Connected(found, left, right) if found == Connection::of(connective) => {
                    parts.push(right);
                    node = left;
                }
                _ => return None,
            }
        }
        parts.push(node);
        parts.reverse();
        Some(parts)
    }
}
