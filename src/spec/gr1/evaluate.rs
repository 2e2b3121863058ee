//! What a term means on concrete values: the definition that encodings are tested against.

use super::{Comparison, Domain, Gr1, Symbol, Term, TermId, VariableId};
use std::collections::HashMap;

/// A value of any domain: 0 and 1 for Booleans, the number of the [`Symbol`] for enumerators.
pub type Value = i64;

impl Domain {
    /// All values, in order; they are encoded by their index in this list.
    pub fn values(&self) -> Vec<Value> {
        match self {
            Domain::Boolean => vec![0, 1],
            Domain::Enumeration(names) => names.iter().map(|name| name.value()).collect(),
            Domain::Range { first, last } => (*first..=*last).collect(),
        }
    }
}

impl Symbol {
    pub fn value(self) -> Value {
        Value::from(self.0)
    }
}

impl Gr1 {
    /// A value as the specification writes it.
    pub fn value_text(&self, domain: &Domain, value: Value) -> String {
        match domain {
            Domain::Boolean => (value != 0).to_string(),
            Domain::Range { .. } => value.to_string(),
            Domain::Enumeration(names) => {
                let name = names.iter().find(|name| name.value() == value);
                name.map_or(value.to_string(), |name| {
                    self.terms.symbol_name(*name).to_string()
                })
            }
        }
    }

    /// The value of a term, given those of the variables (and whether the next one is asked
    /// for). Arithmetic is that of the integers, as far as they fit.
    pub fn evaluate(
        &self,
        term: TermId,
        values: &mut dyn FnMut(VariableId, bool) -> Value,
    ) -> Value {
        let mut done: HashMap<TermId, Value> = HashMap::new();
        let mut pending = vec![(term, false)];
        while let Some((id, operands_done)) = pending.pop() {
            if done.contains_key(&id) {
                continue;
            }
            if !operands_done {
                pending.push((id, true));
                let operands = self.terms.operands(id);
                pending.extend(operands.into_iter().map(|operand| (operand, false)));
                continue;
            }
            let is_true = |operand: &TermId| done[operand] != 0;
            let value = match self.terms.get(id) {
                Term::Boolean(value) => Value::from(*value),
                Term::Integer(value) => *value,
                Term::Enumerator(symbol) => symbol.value(),
                Term::Variable { variable, primed } => values(*variable, *primed),
                Term::Not(operand) => Value::from(!is_true(operand)),
                Term::And(operands) => Value::from(operands.iter().all(is_true)),
                Term::Or(operands) => Value::from(operands.iter().any(is_true)),
                Term::Implies(left, right) => Value::from(!is_true(left) || is_true(right)),
                Term::Iff(left, right) => Value::from(is_true(left) == is_true(right)),
                Term::Compare(comparison, left, right) => {
                    Value::from(comparison.holds(done[left], done[right]))
                }
                Term::Arithmetic(operator, left, right) => operator
                    .apply(done[left], done[right])
                    .unwrap_or(Value::MAX),
            };
            done.insert(id, value);
        }
        done[&term]
    }
}

impl Comparison {
    /// The comparison that holds exactly if this one does not.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::NotEqual,
            Comparison::NotEqual => Comparison::Equal,
            Comparison::Less => Comparison::GreaterOrEqual,
            Comparison::LessOrEqual => Comparison::Greater,
            Comparison::Greater => Comparison::LessOrEqual,
            Comparison::GreaterOrEqual => Comparison::Less,
        }
    }
}
