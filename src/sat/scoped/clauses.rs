//! Clauses one after the other in one list of numbers.

use super::super::Literal;

/// Where a clause begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseId(u32);

impl ClauseId {
    /// Of what has no clause.
    pub const NONE: ClauseId = ClauseId(u32::MAX);
}

/// Each clause is its length, its marks, how many levels met when it was learnt, and then its
/// literals.
const HEAD: usize = 3;
const REMOVED: u32 = 1;
const TEMPORARY: u32 = 2;

#[derive(Default)]
pub struct Clauses {
    numbers: Vec<u32>,
    /// How many numbers belong to clauses that were removed.
    removed: usize,
}

impl Clauses {
    pub fn add(&mut self, literals: &[Literal], levels: u32, is_temporary: bool) -> ClauseId {
        let id = ClauseId(self.numbers.len() as u32);
        let marks = if is_temporary { TEMPORARY } else { 0 };
        let head = [literals.len() as u32, marks, levels];
        self.numbers.extend(head);
        self.numbers
            .extend(literals.iter().map(|literal| literal.0));
        id
    }

    pub fn length(&self, id: ClauseId) -> usize {
        self.numbers[id.0 as usize] as usize
    }

    pub fn literal(&self, id: ClauseId, index: usize) -> Literal {
        Literal(self.numbers[id.0 as usize + HEAD + index])
    }

    pub fn literals(&self, id: ClauseId) -> impl Iterator<Item = Literal> + '_ {
        let begin = id.0 as usize + HEAD;
        let numbers = &self.numbers[begin..begin + self.length(id)];
        numbers.iter().map(|number| Literal(*number))
    }

    /// The literals as numbers, to be put into another order.
    pub fn numbers_mut(&mut self, id: ClauseId) -> &mut [u32] {
        let begin = id.0 as usize + HEAD;
        let end = begin + self.length(id);
        &mut self.numbers[begin..end]
    }

    pub fn levels(&self, id: ClauseId) -> u32 {
        self.numbers[id.0 as usize + 2]
    }

    pub fn is_removed(&self, id: ClauseId) -> bool {
        self.numbers[id.0 as usize + 1] & REMOVED != 0
    }

    /// Whether the clause counts for one question only.
    pub fn is_temporary(&self, id: ClauseId) -> bool {
        self.numbers[id.0 as usize + 1] & TEMPORARY != 0
    }

    /// The clause no longer counts. Who watches it finds out.
    pub fn remove(&mut self, id: ClauseId) {
        if !self.is_removed(id) {
            self.numbers[id.0 as usize + 1] |= REMOVED;
            self.removed += HEAD + self.length(id);
        }
    }

    /// Whether more than half of the numbers are of removed clauses.
    pub fn is_wasteful(&self) -> bool {
        self.removed > 10_000 && self.removed > self.numbers.len() / 2
    }

    /// Moves a clause to another list.
    pub fn move_to(&self, id: ClauseId, other: &mut Clauses) -> ClauseId {
        let literals: Vec<Literal> = self.literals(id).collect();
        other.add(&literals, self.levels(id), self.is_temporary(id))
    }
}
