//! Gates without repetitions: two circuits that are alike have the same term.

use crate::design::{Design, Literal, NodeId};
use crate::quick_hash::QuickMap;

/// A term or its complement: twice its number, plus one if complemented.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Term(u32);

impl Term {
    pub const FALSE: Term = Term(0);
    pub const TRUE: Term = Term(1);

    pub fn constant(value: bool) -> Term {
        Term(u32::from(value))
    }

    pub fn complement_if(self, complement: bool) -> Term {
        Term(self.0 ^ u32::from(complement))
    }

    fn is_complemented(self) -> bool {
        self.0 & 1 == 1
    }

    fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

impl std::ops::Not for Term {
    type Output = Term;

    fn not(self) -> Term {
        Term(self.0 ^ 1)
    }
}

#[derive(Default)]
pub(super) struct Terms {
    /// The operands of each term that is a conjunction.
    list: Vec<Option<(Term, Term)>>,
    gates: QuickMap<(Term, Term), Term>,
    variables: QuickMap<NodeId, Term>,
}

impl Terms {
    pub fn new() -> Terms {
        Terms {
            list: vec![None],
            ..Terms::default()
        }
    }

    fn push(&mut self, operands: Option<(Term, Term)>) -> Term {
        let term = Term((self.list.len() as u32) << 1);
        self.list.push(operands);
        term
    }

    /// The variable that stands for a node.
    pub fn variable(&mut self, id: NodeId) -> Term {
        if id == NodeId::CONSTANT {
            return Term::FALSE;
        }
        if let Some(term) = self.variables.get(&id) {
            return *term;
        }
        let term = self.push(None);
        self.variables.insert(id, term);
        term
    }

    /// A variable that stands for nothing else.
    pub fn fresh(&mut self) -> Term {
        self.push(None)
    }

    pub fn and(&mut self, left: Term, right: Term) -> Term {
        if left == Term::FALSE || right == Term::FALSE || left == !right {
            return Term::FALSE;
        }
        if left == Term::TRUE || left == right {
            return right;
        }
        if right == Term::TRUE {
            return left;
        }
        let operands = (left.min(right), left.max(right));
        if let Some(term) = self.gates.get(&operands) {
            return *term;
        }
        let term = self.push(Some(operands));
        self.gates.insert(operands, term);
        term
    }

    pub fn mux(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let chosen = self.and(condition, then);
        let rest = self.and(!condition, otherwise);
        !self.and(!chosen, !rest)
    }

    /// The conjuncts of a term.
    pub fn factors(&self, term: Term) -> Vec<Term> {
        let (mut found, mut pending) = (Vec::new(), vec![term]);
        while let Some(term) = pending.pop() {
            match self.list[term.index()] {
                Some((left, right)) if !term.is_complemented() => pending.extend([left, right]),
                _ => found.push(term),
            }
        }
        found
    }

    /// The term of a literal: nodes of `known` are what it says, gates are opened where `opens`
    /// says so, and all else is a variable. `None` if more than `most` gates are opened.
    pub fn of(
        &mut self,
        design: &Design,
        root: Literal,
        known: &mut QuickMap<NodeId, Term>,
        opens: impl Fn(NodeId) -> bool,
        most: usize,
    ) -> Option<Term> {
        let mut pending = vec![root.node()];
        let mut opened = 0;
        while let Some(&id) = pending.last() {
            if known.contains_key(&id) {
                pending.pop();
                continue;
            }
            let term = match design.gate(id).filter(|_| opens(id)) {
                None => self.variable(id),
                Some((left, right)) => {
                    let missing = [left.node(), right.node()];
                    let missing = missing.into_iter().filter(|one| !known.contains_key(one));
                    let before = pending.len();
                    pending.extend(missing);
                    if pending.len() > before {
                        opened += 1;
                        if opened > most {
                            return None;
                        }
                        continue;
                    }
                    let operand =
                        |one: Literal| known[&one.node()].complement_if(one.is_complemented());
                    let (left, right) = (operand(left), operand(right));
                    self.and(left, right)
                }
            };
            known.insert(id, term);
            pending.pop();
        }
        Some(known[&root.node()].complement_if(root.is_complemented()))
    }
}
