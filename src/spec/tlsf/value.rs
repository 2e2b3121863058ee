//! What expressions of TLSF stand for once all parameters are known.
//!
//! Formulas keep their syntax here, since functions may match it; only finished requirements
//! become [`Formulas`], where equal formulas are one.

use super::tree::{Binary, Connective};
use crate::expr::{Expr, ExprKind, TemporalBinary, TemporalUnary};
use crate::limits::{Limits, Stop};
use crate::spec::formula::{self, FormulaId, Formulas};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Number(i64),
    Boolean(bool),
    Formula(Node),
    Set(Rc<BTreeSet<Value>>),
    /// Enumeration and value, by index.
    Enum(usize, usize),
    /// A bus, by index.
    Bus(usize),
}

impl Value {
    pub fn describe(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Boolean(_) => "true or false",
            Value::Formula(_) => "a formula",
            Value::Set(_) => "a set",
            Value::Enum(..) => "a value of an enumeration",
            Value::Bus(_) => "a bus",
        }
    }

    /// How many sets are inside each other.
    pub fn levels(&self) -> usize {
        match self {
            Value::Set(set) => 1 + set.iter().map(Value::levels).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// A formula of a [`Syntax`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    Constant(bool),
    /// A signal, or a bit of a bus.
    Atom(u32),
    Not(Node),
    Unary(TemporalUnary, Node),
    Connected(Connection, Node, Node),
    Binary(TemporalBinary, Node, Node),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connection {
    And,
    Or,
    Implies,
    Equivalent,
}

impl Connection {
    pub fn of(connective: Connective) -> Connection {
        match connective {
            Connective::And => Connection::And,
            Connective::Or => Connection::Or,
        }
    }
}

pub fn temporal(operator: Binary) -> Option<TemporalBinary> {
    match operator {
        Binary::Until => Some(TemporalBinary::Until),
        Binary::WeakUntil => Some(TemporalBinary::WeakUntil),
        Binary::Release => Some(TemporalBinary::Release),
        _ => None,
    }
}

/// All formulas as they were written, each once, operands first.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    forms: Vec<Form>,
    nodes: HashMap<Form, Node>,
}

impl Syntax {
    pub fn node(&mut self, form: Form) -> Node {
        if let Some(node) = self.nodes.get(&form) {
            return *node;
        }
        let node = Node(self.forms.len() as u32);
        self.forms.push(form);
        self.nodes.insert(form, node);
        node
    }

    pub fn form(&self, node: Node) -> Form {
        self.forms[node.0 as usize]
    }

    pub fn size(&self) -> usize {
        self.forms.len()
    }

    pub fn not(&mut self, node: Node) -> Node {
        self.node(Form::Not(node))
    }

    /// The operands one after the other, grouped to the left.
    pub fn join(&mut self, connection: Connection, operands: &[Node]) -> Node {
        let neutral = connection == Connection::And;
        let Some((first, rest)) = operands.split_first() else {
            return self.node(Form::Constant(neutral));
        };
        rest.iter().fold(*first, |left, right| {
            self.node(Form::Connected(connection, left, *right))
        })
    }
}

/// Turns syntax into formulas.
pub struct Lowering<'s> {
    syntax: &'s Syntax,
    /// The names of the atoms.
    atoms: &'s [String],
    done: HashMap<Node, FormulaId>,
}

impl<'s> Lowering<'s> {
    pub fn new(syntax: &'s Syntax, atoms: &'s [String]) -> Lowering<'s> {
        Lowering {
            syntax,
            atoms,
            done: HashMap::new(),
        }
    }

    pub fn lower(
        &mut self,
        formulas: &mut Formulas,
        root: Node,
        limits: &Limits,
    ) -> Result<FormulaId, Stop> {
        let mut pending = vec![root];
        while let Some(node) = pending.last().copied() {
            limits.poll()?;
            if self.done.contains_key(&node) {
                pending.pop();
                continue;
            }
            let operands = self.operands(node);
            let before = pending.len();
            pending.extend(
                operands
                    .iter()
                    .filter(|operand| !self.done.contains_key(operand)),
            );
            if pending.len() == before {
                let formula = self.build(formulas, node, &operands);
                self.done.insert(node, formula);
                pending.pop();
            }
        }
        Ok(self.done[&root])
    }

    /// What a formula is made of. Chains of one connective are taken apart at once: a file
    /// may join a hundred thousand parts, and joining them one by one would copy them each
    /// time.
    fn operands(&self, node: Node) -> Vec<Node> {
        let connection = match self.syntax.form(node) {
            Form::Constant(_) | Form::Atom(_) => return Vec::new(),
            Form::Not(operand) | Form::Unary(_, operand) => return vec![operand],
            Form::Binary(_, left, right) => return vec![left, right],
            Form::Connected(connection, left, right) => match connection {
                Connection::And | Connection::Or => connection,
                Connection::Implies | Connection::Equivalent => return vec![left, right],
            },
        };
        let mut seen = HashSet::from([node]);
        let mut pending = vec![node];
        let mut operands = Vec::new();
        while let Some(part) = pending.pop() {
            match self.syntax.form(part) {
                Form::Connected(same, left, right) if same == connection => {
                    pending.extend([right, left].into_iter().filter(|side| seen.insert(*side)));
                }
                _ => operands.push(part),
            }
        }
        operands
    }

    fn build(&self, formulas: &mut Formulas, node: Node, operands: &[Node]) -> FormulaId {
        let done = |operand: &Node| self.done[operand];
        match self.syntax.form(node) {
            Form::Constant(value) => formulas.constant(value),
            Form::Atom(atom) => {
                let name = self.atoms[atom as usize].clone();
                formulas.condition_atom(&Expr {
                    kind: ExprKind::Name(vec![name]),
                    span: None,
                })
            }
            Form::Not(operand) => formulas.not(done(&operand)),
            Form::Unary(operator, operand) => unary(formulas, operator, done(&operand)),
            Form::Binary(operator, left, right) => {
                binary(formulas, operator, done(&left), done(&right))
            }
            Form::Connected(connection, left, right) => match connection {
                Connection::And => formulas.written_and(operands.iter().map(done)),
                Connection::Or => formulas.or(operands.iter().map(done)),
                Connection::Implies => formulas.implies(done(&left), done(&right)),
                Connection::Equivalent => formulas.iff(done(&left), done(&right)),
            },
        }
    }
}

/// Constants are no business of a later stage.
fn unary(formulas: &mut Formulas, operator: TemporalUnary, operand: FormulaId) -> FormulaId {
    match operand {
        formula::TRUE | formula::FALSE => operand,
        _ => formulas.unary(operator, operand),
    }
}

fn binary(
    formulas: &mut Formulas,
    operator: TemporalBinary,
    left: FormulaId,
    right: FormulaId,
) -> FormulaId {
    match (operator, left, right) {
        (_, _, formula::TRUE | formula::FALSE)
            if matches!(operator, TemporalBinary::Until | TemporalBinary::Release) =>
        {
            right
        }
        (TemporalBinary::WeakUntil, _, formula::TRUE) => formula::TRUE,
        (TemporalBinary::WeakUntil, _, formula::FALSE) => {
            unary(formulas, TemporalUnary::Globally, left)
        }
        _ => formulas.binary(operator, left, right),
    }
}
