//! Values of expressions while a file is being elaborated.
//!
//! Terms have no conditional, so a word that depends on a condition (`ite`, an array at a
//! computed index) is a list of cases; a comparison of such words is a disjunction over them.

use super::elaborate::Cells;
use crate::spec::gr1::{Arithmetic, Comparison, Domain, Gr1, Symbol, Term, TermId};

#[derive(Clone, Debug)]
pub(super) enum Operand {
    Boolean(TermId),
    Word(Word),
    /// A whole array, as an argument.
    Array(Cells),
}

#[derive(Clone, Debug)]
pub(super) struct Word {
    pub kind: WordKind,
    /// Conditions that exclude each other, and the value under each.
    pub cases: Vec<(TermId, TermId)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordKind {
    Integer,
    Enumerator,
}

impl Operand {
    pub fn integer(spec: &mut Gr1, value: i64) -> Operand {
        let value = spec.terms.integer(value);
        Operand::single(spec, WordKind::Integer, value)
    }

    pub fn enumerator(spec: &mut Gr1, symbol: Symbol) -> Operand {
        let value = spec.terms.enumerator(symbol);
        Operand::single(spec, WordKind::Enumerator, value)
    }

    pub fn single(spec: &mut Gr1, kind: WordKind, value: TermId) -> Operand {
        let always = spec.terms.boolean(true);
        Operand::Word(Word {
            kind,
            cases: vec![(always, value)],
        })
    }

    pub fn describe(&self) -> &'static str {
        match self {
            Operand::Boolean(_) => "Boolean",
            Operand::Word(word) => match word.kind {
                WordKind::Integer => "integer",
                WordKind::Enumerator => "enumeration",
            },
            Operand::Array(_) => "array",
        }
    }

    /// The number, if it is one in all cases.
    pub fn constant(&self, spec: &Gr1) -> Option<i64> {
        let Operand::Word(word) = self else {
            return None;
        };
        match (word.cases.as_slice(), word.cases.len()) {
            ([(_, value)], 1) => match spec.terms.get(*value) {
                Term::Integer(value) => Some(*value),
                _ => None,
            },
            _ => None,
        }
    }

    /// `if condition then self else other`; `None` if they are of different kinds.
    pub fn choose(self, spec: &mut Gr1, condition: TermId, other: Operand) -> Option<Operand> {
        let terms = &mut spec.terms;
        let otherwise = terms.not(condition);
        match (self, other) {
            (Operand::Boolean(then), Operand::Boolean(or_else)) => {
                let parts = [
                    terms.implies(condition, then),
                    terms.implies(otherwise, or_else),
                ];
                Some(Operand::Boolean(terms.and(parts)))
            }
            (Operand::Word(then), Operand::Word(or_else)) if then.kind == or_else.kind => {
                let mut cases = Vec::new();
                for (guard, value) in then.cases {
                    cases.push((terms.and([condition, guard]), value));
                }
                for (guard, value) in or_else.cases {
                    cases.push((terms.and([otherwise, guard]), value));
                }
                Some(Operand::Word(Word {
                    kind: then.kind,
                    cases,
                }))
            }
            _ => None,
        }
    }
}

impl Word {
    pub fn compare(&self, spec: &mut Gr1, comparison: Comparison, other: &Word) -> TermId {
        let mut holds = Vec::new();
        for (left_guard, left) in &self.cases {
            for (right_guard, right) in &other.cases {
                let compared = spec.terms.compare(comparison, *left, *right);
                holds.push(spec.terms.and([*left_guard, *right_guard, compared]));
            }
        }
        spec.terms.or(holds)
    }

    pub fn arithmetic(&self, spec: &mut Gr1, operator: Arithmetic, other: &Word) -> Word {
        let mut cases = Vec::new();
        for (left_guard, left) in &self.cases {
            for (right_guard, right) in &other.cases {
                let guard = spec.terms.and([*left_guard, *right_guard]);
                cases.push((guard, spec.terms.arithmetic(operator, *left, *right)));
            }
        }
        Word {
            kind: WordKind::Integer,
            cases,
        }
    }

    /// The order of the values, if it is an enumeration and the same one in all cases.
    pub fn order(&self, spec: &Gr1) -> Option<Vec<Symbol>> {
        let mut order: Option<&Vec<Symbol>> = None;
        for (_, value) in &self.cases {
            let Term::Variable { variable, .. } = spec.terms.get(*value) else {
                continue;
            };
            let Domain::Enumeration(names) = &spec.variable(*variable).domain else {
                return None;
            };
            if order.is_some_and(|order| order != names) {
                return None;
            }
            order = Some(names);
        }
        order.cloned()
    }

    /// The values that an enumeration may have, and `None` for a single constant.
    pub fn names(&self, spec: &Gr1) -> Option<Vec<Symbol>> {
        let mut found = Vec::new();
        for (_, value) in &self.cases {
            let Term::Variable { variable, .. } = spec.terms.get(*value) else {
                return None;
            };
            if let Domain::Enumeration(names) = &spec.variable(*variable).domain {
                found.extend(names.iter().copied());
            }
        }
        Some(found)
    }

    /// The constant, if it is one.
    pub fn symbol(&self, spec: &Gr1) -> Option<Symbol> {
        match self.cases.as_slice() {
            [(_, value)] => match spec.terms.get(*value) {
                Term::Enumerator(symbol) => Some(*symbol),
                _ => None,
            },
            _ => None,
        }
    }
}
