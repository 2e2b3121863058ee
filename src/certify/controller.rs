//! A circuit against a GR(1) specification, as a question for the model checker.
//!
//! The constraints are elaborated as gates over the ports of the circuit, with latches for the
//! step before: arithmetic is that of words in two's complement, as wide as it needs to be.
//! Nothing of the game's encoding is used. The specification means what it does under strict
//! semantics: until the environment breaks safety the system keeps its own, and if the
//! environment never does and its recurrences recur, so do the goals.

use crate::design::words::{self, Bits};
use crate::design::{Design, Literal, NodeId, Reset};
use crate::expr::{Expr, ExprKind, Role};
use crate::source::Diagnostic;
use crate::spec::gr1::{Arithmetic, Comparison, Domain, Gr1, Kind, Player, Side, Term, TermId};
use crate::spec::gr1::{VariableId, number_width};
use crate::spec::{FormulaId, Property, Spec};
use std::collections::HashMap;
use std::fmt;

/// Assumptions about the answer of the system are tried with all of them, if there are not
/// more than this.
const MOST_ANSWERS: u64 = 1 << 12;

/// The circuit with what is to be checked.
pub struct Question {
    pub design: Design,
    pub spec: Spec,
    /// Whether the environment keeps its safety in this step.
    pub assumed: Literal,
    /// Whether each recurrence of the environment holds in this step.
    pub recurrences: Vec<Literal>,
}

/// Why nothing can be asked.
#[derive(Clone, Debug, PartialEq)]
pub enum NoQuestion {
    /// The text cannot be read, or the circuit lacks a signal.
    Diagnostics(Vec<Diagnostic>),
    /// An assumption depends on too many answers of the system.
    TooManyAnswers,
}

impl fmt::Display for NoQuestion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoQuestion::Diagnostics(diagnostics) => Diagnostic::list(diagnostics, formatter),
            NoQuestion::TooManyAnswers => {
                formatter.write_str("an assumption has too many answers of the system")
            }
        }
    }
}

impl std::error::Error for NoQuestion {}

/// Variables are signals of the same name: numbers and Booleans as they are, values of an
/// enumeration by their index in it.
pub fn question(circuit: &Design, spec: &Gr1) -> Result<Question, NoQuestion> {
    let mut builder = Builder {
        design: circuit.clone(),
        spec,
        now: HashMap::new(),
        next: HashMap::new(),
    };
    let started = builder.design.add_latch(Reset::Zero);
    builder.design.set_next(started, Literal::TRUE);
    for id in spec.variable_ids() {
        builder.remember(id, circuit)?;
    }
    let first = builder.side(Side::Assumption, Kind::Initial)?;
    let later = builder.side(Side::Assumption, Kind::Safety)?;
    let assumed = builder.design.mux(started.literal(), later, first);
    let first = builder.side(Side::Guarantee, Kind::Initial)?;
    let later = builder.side(Side::Guarantee, Kind::Safety)?;
    let kept = builder.design.mux(started.literal(), later, first);
    let mut recurrences = [Side::Assumption, Side::Guarantee].map(|side| {
        let own: Vec<TermId> = spec
            .constraints
            .iter()
            .filter(|one| one.side == side && one.kind == Kind::Justice)
            .map(|one| one.term)
            .collect();
        own.into_iter()
            .map(|term| builder.term(term, &At::First))
            .collect::<Vec<Literal>>()
    });
    let goals = std::mem::take(&mut recurrences[1]);
    let assumed_recurrences = std::mem::take(&mut recurrences[0]);
    let design = builder.design;
    let asked = asked(assumed, kept, &assumed_recurrences, &goals);
    Ok(Question {
        design,
        spec: asked,
        assumed,
        recurrences: assumed_recurrences,
    })
}

/// Two invariants, and conditions that hold again and again, as properties.
fn asked(
    assumed: Literal,
    kept: Literal,
    assumed_again: &[Literal],
    kept_again: &[Literal],
) -> Spec {
    let mut asked = Spec::new();
    let atom = |asked: &mut Spec, literal: Literal| {
        asked.formulas.condition_atom(&Expr {
            kind: ExprKind::Net(literal.code()),
            span: None,
        })
    };
    let add = |asked: &mut Spec, role: Role, formula: FormulaId| {
        asked.properties.push(Property {
            role,
            name: format!("part_{}", asked.properties.len()),
            is_named: false,
            span: None,
            formula,
        });
    };
    for (role, literal) in [(Role::Assume, assumed), (Role::Assert, kept)] {
        let condition = atom(&mut asked, literal);
        let always = asked.formulas.globally(condition);
        add(&mut asked, role, always);
    }
    for (role, literals) in [(Role::Assume, assumed_again), (Role::Assert, kept_again)] {
        for literal in literals {
            let condition = atom(&mut asked, *literal);
            let eventually = asked.formulas.finally(condition);
            let again = asked.formulas.globally(eventually);
            add(&mut asked, role, again);
        }
    }
    asked
}

/// Which values variables have.
enum At<'a> {
    /// Only current ones: those of this step.
    First,
    /// Current ones are those of the last step, next ones those of this step; some are given.
    Step(&'a HashMap<(VariableId, bool), Bits>),
    /// Current ones are those of this step, and some are given.
    Given(&'a HashMap<(VariableId, bool), Bits>),
}

struct Builder<'a> {
    design: Design,
    spec: &'a Gr1,
    /// The signals of the step before.
    now: HashMap<VariableId, Bits>,
    /// The signals of this step.
    next: HashMap<VariableId, Bits>,
}

impl Builder<'_> {
    /// A variable as the circuit has it in this step, and in the last one.
    fn remember(&mut self, id: VariableId, circuit: &Design) -> Result<(), NoQuestion> {
        let bits = match self.element(id, circuit) {
            Some(bits) => bits,
            None => {
                let word = circuit.signal(&self.spec.variable(id).name);
                let word = word.map_err(|error| NoQuestion::Diagnostics(vec![error]))?;
                word.bits.clone()
            }
        };
        let before: Vec<NodeId> = bits
            .iter()
            .map(|bit| {
                let latch = self.design.add_latch(Reset::Zero);
                self.design.set_next(latch, *bit);
                latch
            })
            .collect();
        let before: Bits = before.iter().map(|id| id.literal()).collect();
        self.now.insert(id, before);
        self.next.insert(id, bits);
        Ok(())
    }

    /// The bits of an element of an array, where a circuit has the array as one word: the last
    /// index counts first, and the lowest element has the lowest bits.
    fn element(&self, id: VariableId, circuit: &Design) -> Option<Bits> {
        let variable = self.spec.variable(id);
        let (array, own) = indices(&variable.name)?;
        let others = self.spec.variables.iter();
        let elements: Vec<Vec<u64>> = others
            .filter_map(|other| indices(&other.name))
            .filter(|(other, all)| *other == array && all.len() == own.len())
            .map(|(_, all)| all)
            .collect();
        let mut number = 0;
        for (place, index) in own.iter().enumerate() {
            let size = elements
                .iter()
                .map(|all| all[place])
                .max()?
                .checked_add(1)?;
            number = size.checked_mul(number)?.checked_add(*index)?;
        }
        let width = match &variable.domain {
            Domain::Boolean => 1,
            Domain::Range { first, last } => number_width(*first, *last),
            Domain::Enumeration(names) => number_width(0, names.len() as i64 - 1),
        };
        let word = circuit.signal(array).ok()?;
        if word.bits.len() != elements.len() * width {
            return None;
        }
        let low = usize::try_from(number).ok()?.checked_mul(width)?;
        word.bits.get(low..low + width).map(<[Literal]>::to_vec)
    }

    /// All constraints of a side on the first state or on steps, domains included.
    fn side(&mut self, side: Side, kind: Kind) -> Result<Literal, NoQuestion> {
        let owner = match side {
            Side::Assumption => Player::Environment,
            Side::Guarantee => Player::System,
        };
        let mut all = Vec::new();
        for id in self.spec.variable_ids() {
            if self.spec.variable(id).owner == owner {
                all.push(self.in_domain(id));
            }
        }
        // What an assumption says of answers of the system binds the environment as far as
        // it goes: there has to be an answer with which all of these hold.
        let mut answered = Vec::new();
        for constraint in &self.spec.constraints {
            if constraint.side != side || constraint.kind != kind {
                continue;
            }
            let answers = side == Side::Assumption
                && self
                    .spec
                    .terms
                    .variables(constraint.term)
                    .iter()
                    .any(|(id, primed)| {
                        *primed == (kind == Kind::Safety)
                            && self.spec.variable(*id).owner == Player::System
                    });
            if answers {
                answered.push(constraint.term);
                continue;
            }
            let none = HashMap::new();
            let at = match kind {
                Kind::Safety => At::Step(&none),
                _ => At::First,
            };
            let literal = self.term(constraint.term, &at);
            all.push(literal);
        }
        if !answered.is_empty() {
            all.push(self.some_answer(&answered, kind == Kind::Safety)?);
        }
        Ok(self.design.and_all(all))
    }

    fn some_answer(&mut self, terms: &[TermId], primed: bool) -> Result<Literal, NoQuestion> {
        let mut asked: Vec<VariableId> = Vec::new();
        for term in terms {
            for (id, is_primed) in self.spec.terms.variables(*term) {
                let own = self.spec.variable(id).owner == Player::System;
                if own && is_primed == primed && !asked.contains(&id) {
                    asked.push(id);
                }
            }
        }
        let mut count = 1_u64;
        for id in &asked {
            count = count.saturating_mul(self.spec.variable(*id).domain.size());
        }
        if count > MOST_ANSWERS {
            return Err(NoQuestion::TooManyAnswers);
        }
        let mut answers = Vec::new();
        for number in 0..count {
            let mut rest = number;
            let mut given = HashMap::new();
            for id in &asked {
                let domain = &self.spec.variable(*id).domain;
                let code = rest % domain.size();
                rest /= domain.size();
                let value = match domain {
                    Domain::Range { first, .. } => first.wrapping_add(code as i64),
                    _ => code as i64,
                };
                let width = self.next[id].len();
                given.insert((*id, primed), words::constant(value as u64, width));
            }
            let at = if primed {
                At::Step(&given)
            } else {
                At::Given(&given)
            };
            let all: Vec<Literal> = terms.iter().map(|term| self.term(*term, &at)).collect();
            answers.push(self.design.and_all(all));
        }
        Ok(self.design.or_all(answers))
    }

    fn in_domain(&mut self, id: VariableId) -> Literal {
        let bits = self.next[&id].clone();
        match &self.spec.variable(id).domain {
            Domain::Boolean => Literal::TRUE,
            Domain::Range { first, last } => {
                let value = self.number(id, &bits);
                let above = self.compare(Comparison::GreaterOrEqual, &value, &constant(*first));
                let below = self.compare(Comparison::LessOrEqual, &value, &constant(*last));
                self.design.and(above, below)
            }
            Domain::Enumeration(names) => {
                let mut value = bits;
                value.push(Literal::FALSE);
                let last = constant(names.len() as i64 - 1);
                self.compare(Comparison::LessOrEqual, &value, &last)
            }
        }
    }

    /// A number in two's complement.
    fn number(&self, id: VariableId, bits: &[Literal]) -> Bits {
        let mut word = bits.to_vec();
        let is_signed =
            matches!(self.spec.variable(id).domain, Domain::Range { first, .. } if first < 0);
        if !is_signed {
            word.push(Literal::FALSE);
        }
        word
    }

    fn variable(&mut self, id: VariableId, primed: bool, at: &At<'_>) -> Bits {
        let (given, is_step) = match at {
            At::First => (None, false),
            At::Step(given) => (given.get(&(id, primed)), true),
            At::Given(given) => (given.get(&(id, primed)), false),
        };
        let bits = match given {
            Some(bits) => bits.clone(),
            None if is_step && !primed => self.now[&id].clone(),
            None => self.next[&id].clone(),
        };
        match &self.spec.variable(id).domain {
            Domain::Boolean => vec![bits[0]],
            Domain::Range { .. } => self.number(id, &bits),
            Domain::Enumeration(names) => {
                // Values of different enumerations are the same if their names are.
                let names = names.clone();
                let width = 34;
                let mut value = words::constant(0, width);
                for (code, name) in names.iter().enumerate() {
                    let own = words::constant(code as u64, bits.len());
                    let is_it = words::equal(&mut self.design, &bits, &own);
                    let symbol = words::constant(name.value() as u64, width);
                    value = words::mux(&mut self.design, is_it, &symbol, &value);
                }
                value
            }
        }
    }

    /// The value of a Boolean term.
    fn term(&mut self, term: TermId, at: &At<'_>) -> Literal {
        self.word(term, at)[0]
    }

    /// The value of a term; one bit for a Boolean, else a number in two's complement.
    fn word(&mut self, root: TermId, at: &At<'_>) -> Bits {
        let mut done: HashMap<TermId, Bits> = HashMap::new();
        let mut pending = vec![(root, false)];
        while let Some((id, operands_done)) = pending.pop() {
            if done.contains_key(&id) {
                continue;
            }
            if !operands_done {
                pending.push((id, true));
                let operands = self.spec.terms.operands(id);
                pending.extend(operands.into_iter().map(|operand| (operand, false)));
                continue;
            }
            let bit = |operand: &TermId| done[operand][0];
            let value = match self.spec.terms.get(id).clone() {
                Term::Boolean(value) => vec![Literal::constant(value)],
                Term::Integer(value) => constant(value),
                Term::Enumerator(symbol) => words::constant(symbol.value() as u64, 34),
                Term::Variable { variable, primed } => self.variable(variable, primed, at),
                Term::Not(operand) => vec![!bit(&operand)],
                Term::And(operands) => vec![self.design.and_all(operands.iter().map(bit))],
                Term::Or(operands) => vec![self.design.or_all(operands.iter().map(bit))],
                Term::Implies(left, right) => vec![self.design.or(!bit(&left), bit(&right))],
                Term::Iff(left, right) => vec![self.design.equal(bit(&left), bit(&right))],
                Term::Compare(comparison, left, right) => {
                    let (left, right) = (done[&left].clone(), done[&right].clone());
                    vec![self.compare(comparison, &left, &right)]
                }
                Term::Arithmetic(operator, left, right) => {
                    let (left, right) = (done[&left].clone(), done[&right].clone());
                    self.arithmetic(operator, &left, &right)
                }
            };
            done.insert(id, value);
        }
        done.remove(&root).unwrap_or_default()
    }

    fn compare(&mut self, comparison: Comparison, left: &[Literal], right: &[Literal]) -> Literal {
        let width = left.len().max(right.len());
        let left = words::resize(left, width, true);
        let right = words::resize(right, width, true);
        let design = &mut self.design;
        match comparison {
            Comparison::Equal => words::equal(design, &left, &right),
            Comparison::NotEqual => !words::equal(design, &left, &right),
            Comparison::Less => words::less_signed(design, &left, &right),
            Comparison::GreaterOrEqual => !words::less_signed(design, &left, &right),
            Comparison::Greater => words::less_signed(design, &right, &left),
            Comparison::LessOrEqual => !words::less_signed(design, &right, &left),
        }
    }

    fn arithmetic(&mut self, operator: Arithmetic, left: &[Literal], right: &[Literal]) -> Bits {
        let width = match operator {
            Arithmetic::Multiply => left.len() + right.len(),
            _ => left.len().max(right.len()) + 1,
        };
        let left = words::resize(left, width, true);
        let right = words::resize(right, width, true);
        let design = &mut self.design;
        match operator {
            Arithmetic::Add => words::add(design, &left, &right),
            Arithmetic::Subtract => words::subtract(design, &left, &right),
            Arithmetic::Multiply => words::multiply(design, &left, &right),
            Arithmetic::Divide | Arithmetic::Modulo => {
                let (quotient, rest) = words::divide_signed(design, &left, &right);
                let value = match operator {
                    Arithmetic::Divide => quotient,
                    _ => rest,
                };
                let zero = words::constant(0, width);
                let by_zero = words::equal(design, &right, &zero);
                words::mux(design, by_zero, &zero, &value)
            }
        }
    }
}

/// The array and the indices that a name has, as in `a[1][0]`.
fn indices(name: &str) -> Option<(&str, Vec<u64>)> {
    let (array, rest) = name.strip_suffix(']')?.split_once('[')?;
    let all = rest.split("][").map(|index| index.parse().ok());
    Some((array, all.collect::<Option<Vec<u64>>>()?))
}

/// A number in two's complement, as narrow as it can be.
fn constant(value: i64) -> Bits {
    let width = 65 - if value < 0 { !value } else { value }.leading_zeros() as usize;
    words::constant(value as u64, width)
}
