//! A specification with Boolean variables only, for formats that know no others.
//!
//! A word becomes the bits of its value's index in the domain, `name@0` the lowest. Of each
//! comparison all values of its variables are tried, so its size is the product of their
//! domains. Codes that stand for no value are excluded by constraints of the owner.

use super::{Constraint, Domain, Gr1, Kind, Player, Side, Term, TermId, Terms, Value, VariableId};
use crate::stack;
use std::collections::{BTreeSet, HashMap};

/// Comparisons over more values are refused.
const MOST_CASES: u64 = 1 << 20;

/// A comparison has too many cases to be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyCases {
    pub constraint: usize,
}

impl Gr1 {
    /// The same specification over Boolean variables.
    pub fn booleans(&self) -> Result<Gr1, TooManyCases> {
        let mut result = Gr1 {
            name: self.name.clone(),
            definitions: self.definitions.clone(),
            ..Gr1::default()
        };
        let mut bits: Vec<Vec<VariableId>> = Vec::new();
        for variable in &self.variables {
            let count = variable.domain.bits();
            let own = (0..count).map(|index| {
                let id = VariableId(result.variables.len() as u32);
                let mut bit = variable.clone();
                bit.domain = Domain::Boolean;
                if variable.domain != Domain::Boolean {
                    bit.name = format!("{}@{index}", variable.name);
                }
                result.variables.push(bit);
                id
            });
            bits.push(own.collect());
        }
        for id in self.variable_ids() {
            self.exclude_codes(id, &bits, &mut result);
        }
        let mut translation = Translation {
            spec: self,
            bits,
            terms: std::mem::take(&mut result.terms),
            known: HashMap::new(),
        };
        for (index, constraint) in self.constraints.iter().enumerate() {
            let term = translation
                .boolean(constraint.term)
                .ok_or(TooManyCases { constraint: index })?;
            result.constraint_names.insert(constraint.name.clone());
            result.constraints.push(Constraint {
                term,
                ..constraint.clone()
            });
        }
        result.terms = translation.terms;
        Ok(result)
    }

    fn exclude_codes(&self, id: VariableId, bits: &[Vec<VariableId>], result: &mut Gr1) {
        let variable = self.variable(id);
        let own = &bits[id.0 as usize];
        let size = variable.domain.size();
        if own.is_empty() || size == 1 << own.len() {
            return;
        }
        let side = match variable.owner {
            Player::Environment => Side::Assumption,
            Player::System => Side::Guarantee,
        };
        for (kind, primed) in [(Kind::Initial, false), (Kind::Safety, true)] {
            let valid = at_most(&mut result.terms, own, size - 1, primed);
            match variable.definition {
                Some(definition) => {
                    result.define(definition, kind, valid, variable.span);
                }
                None => {
                    let name = Some(format!("values_of_{}", variable.name));
                    result.add_constraint(name, side, kind, valid, variable.span);
                }
            }
        }
    }
}

/// The number that the bits form is not greater than the limit.
fn at_most(terms: &mut Terms, bits: &[VariableId], limit: u64, primed: bool) -> TermId {
    let mut holds = terms.boolean(true);
    for (index, bit) in bits.iter().enumerate() {
        let bit = if primed {
            terms.next(*bit)
        } else {
            terms.now(*bit)
        };
        let clear = terms.not(bit);
        holds = if limit >> index & 1 == 1 {
            terms.or([clear, holds])
        } else {
            terms.and([clear, holds])
        };
    }
    holds
}

struct Translation<'a> {
    spec: &'a Gr1,
    bits: Vec<Vec<VariableId>>,
    terms: Terms,
    known: HashMap<TermId, TermId>,
}

impl Translation<'_> {
    fn boolean(&mut self, term: TermId) -> Option<TermId> {
        if let Some(known) = self.known.get(&term) {
            return Some(*known);
        }
        let new = stack::recurse(|| self.build(term))?;
        self.known.insert(term, new);
        Some(new)
    }

    fn build(&mut self, term: TermId) -> Option<TermId> {
        Some(match self.spec.terms.get(term).clone() {
            Term::Boolean(value) => self.terms.boolean(value),
            Term::Variable { variable, primed } => {
                let bit = self.bits[variable.0 as usize][0];
                if primed {
                    self.terms.next(bit)
                } else {
                    self.terms.now(bit)
                }
            }
            Term::Not(operand) => {
                let operand = self.boolean(operand)?;
                self.terms.not(operand)
            }
            Term::And(operands) => {
                let operands: Option<Vec<_>> = operands
                    .iter()
                    .map(|operand| self.boolean(*operand))
                    .collect();
                self.terms.and(operands?)
            }
            Term::Or(operands) => {
                let operands: Option<Vec<_>> = operands
                    .iter()
                    .map(|operand| self.boolean(*operand))
                    .collect();
                self.terms.or(operands?)
            }
            Term::Implies(left, right) => {
                let (left, right) = (self.boolean(left)?, self.boolean(right)?);
                self.terms.implies(left, right)
            }
            Term::Iff(left, right) => {
                let (left, right) = (self.boolean(left)?, self.boolean(right)?);
                self.terms.iff(left, right)
            }
            Term::Compare(..) | Term::Integer(_) | Term::Enumerator(_) | Term::Arithmetic(..) => {
                self.cases(term)?
            }
        })
    }

    /// A comparison as the disjunction of the assignments under which it holds.
    fn cases(&mut self, term: TermId) -> Option<TermId> {
        let variables: BTreeSet<(VariableId, bool)> = self.spec.terms.variables(term);
        let variables: Vec<(VariableId, bool)> = variables.into_iter().collect();
        let domains: Vec<Vec<Value>> = {
            let sizes = variables
                .iter()
                .map(|(id, _)| self.spec.variable(*id).domain.size());
            let product = sizes.fold(1u64, u64::saturating_mul);
            if product > MOST_CASES {
                return None;
            }
            let ids = variables.iter();
            ids.map(|(id, _)| self.spec.variable(*id).domain.values())
                .collect()
        };
        Some(self.split(term, &variables, &domains, &mut Vec::new()))
    }

    fn split(
        &mut self,
        term: TermId,
        variables: &[(VariableId, bool)],
        domains: &[Vec<Value>],
        chosen: &mut Vec<Value>,
    ) -> TermId {
        let depth = chosen.len();
        if depth == variables.len() {
            let value = self.spec.evaluate(term, &mut |id, primed| {
                let index = variables.iter().position(|one| *one == (id, primed));
                index.map_or(0, |index| chosen[index])
            });
            return self.terms.boolean(value != 0);
        }
        let mut any = Vec::new();
        let mut results = Vec::new();
        for (code, value) in domains[depth].iter().enumerate() {
            chosen.push(*value);
            let rest = self.split(term, variables, domains, chosen);
            chosen.pop();
            results.push(rest);
            let here = self.has_code(variables[depth], code);
            any.push(self.terms.and([here, rest]));
        }
        // A variable that makes no difference is left out.
        match results.split_first() {
            Some((first, others)) if others.iter().all(|other| other == first) => *first,
            _ => self.terms.or(any),
        }
    }

    fn has_code(&mut self, (id, primed): (VariableId, bool), code: usize) -> TermId {
        let bits = self.bits[id.0 as usize].clone();
        let mut literals = Vec::new();
        for (index, bit) in bits.into_iter().enumerate() {
            let bit = if primed {
                self.terms.next(bit)
            } else {
                self.terms.now(bit)
            };
            literals.push(if code >> index & 1 == 1 {
                bit
            } else {
                self.terms.not(bit)
            });
        }
        self.terms.and(literals)
    }
}
