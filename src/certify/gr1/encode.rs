//! Terms as decision diagrams, by the values that they can have.
//!
//! A word is the list of its values, each with the assignments under which it has it. That
//! takes time in the number of values and no knowledge of arithmetic.

use super::Layout;
use crate::bdd::{Bdd, Error, Result, Variable};
use crate::spec::gr1::{Gr1, Term, TermId, Value, VariableId};
use crate::stack;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// Words with more values are out of reach of this encoding.
const MOST_VALUES: usize = 1 << 16;

pub(super) struct Encoder<'a> {
    spec: &'a Gr1,
    layout: &'a Layout,
    known: RefCell<HashMap<TermId, Bdd>>,
}

type Values = BTreeMap<Value, Bdd>;

impl<'a> Encoder<'a> {
    pub fn new(spec: &'a Gr1, layout: &'a Layout) -> Encoder<'a> {
        Encoder {
            spec,
            layout,
            known: RefCell::new(HashMap::new()),
        }
    }

    /// Where a variable has some value.
    pub fn valid(&self, variable: VariableId, primed: bool) -> Result<Bdd> {
        let bits = &self.layout.bits[variable.0 as usize];
        let size = self.spec.variable(variable).domain.size();
        if bits.len() < 64 && size == 1 << bits.len() {
            return Ok(self.layout.manager.one());
        }
        let mut any = self.layout.manager.zero();
        for value in self.variable(variable, primed)?.values() {
            any = any.or(value)?;
        }
        Ok(any)
    }

    fn variable(&self, variable: VariableId, primed: bool) -> Result<Values> {
        let domain = &self.spec.variable(variable).domain;
        if domain.size() > MOST_VALUES as u64 {
            return Err(Error::Nodes);
        }
        let bits = &self.layout.bits[variable.0 as usize];
        let mut found = Values::new();
        for (code, value) in domain.values().into_iter().enumerate() {
            let literals: Vec<(Variable, bool)> = bits
                .iter()
                .enumerate()
                .map(|(index, (now, next))| {
                    let bit = if primed { *next } else { *now };
                    (bit, code >> index & 1 == 1)
                })
                .collect();
            found.insert(value, self.layout.manager.cube(&literals)?);
        }
        Ok(found)
    }

    pub fn boolean(&self, term: TermId) -> Result<Bdd> {
        if let Some(known) = self.known.borrow().get(&term) {
            return Ok(known.clone());
        }
        let function = stack::recurse(|| self.build(term))?;
        self.known.borrow_mut().insert(term, function.clone());
        Ok(function)
    }

    fn build(&self, term: TermId) -> Result<Bdd> {
        let manager = &self.layout.manager;
        match self.spec.terms.get(term) {
            Term::Not(operand) => Ok(self.boolean(*operand)?.not()),
            Term::And(operands) => operands.iter().try_fold(manager.one(), |all, operand| {
                all.and(&self.boolean(*operand)?)
            }),
            Term::Or(operands) => operands.iter().try_fold(manager.zero(), |any, operand| {
                any.or(&self.boolean(*operand)?)
            }),
            Term::Implies(left, right) => self.boolean(*left)?.not().or(&self.boolean(*right)?),
            Term::Iff(left, right) => Ok(self.boolean(*left)?.xor(&self.boolean(*right)?)?.not()),
            Term::Compare(comparison, left, right) => {
                let (left, right) = (self.word(*left)?, self.word(*right)?);
                let mut holds = manager.zero();
                for (left, here) in &left {
                    let mut fitting = manager.zero();
                    for (right, there) in &right {
                        if comparison.holds(*left, *right) {
                            fitting = fitting.or(there)?;
                        }
                    }
                    holds = holds.or(&here.and(&fitting)?)?;
                }
                Ok(holds)
            }
            // Booleans are words of two values.
            _ => {
                let mut values = self.word(term)?;
                Ok(values.remove(&1).unwrap_or_else(|| manager.zero()))
            }
        }
    }

    fn word(&self, term: TermId) -> Result<Values> {
        let manager = &self.layout.manager;
        let single = |value: Value| Ok(Values::from([(value, manager.one())]));
        match self.spec.terms.get(term) {
            Term::Boolean(value) => single(Value::from(*value)),
            Term::Integer(value) => single(*value),
            Term::Enumerator(symbol) => single(symbol.value()),
            Term::Variable { variable, primed } => self.variable(*variable, *primed),
            Term::Arithmetic(operator, left, right) => {
                let (left, right) = (self.word(*left)?, self.word(*right)?);
                let mut found = Values::new();
                for (left, here) in &left {
                    for (right, there) in &right {
                        let both = here.and(there)?;
                        let value = operator.apply(*left, *right).unwrap_or(Value::MAX);
                        let before = found.remove(&value).unwrap_or_else(|| manager.zero());
                        found.insert(value, before.or(&both)?);
                        if found.len() > MOST_VALUES {
                            return Err(Error::Nodes);
                        }
                    }
                }
                Ok(found)
            }
            _ => {
                let holds = self.boolean(term)?;
                Ok(Values::from([(0, holds.not()), (1, holds)]))
            }
        }
    }
}
