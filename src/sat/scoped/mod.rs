//! A solver for many small questions about parts of one large set of clauses.
//!
//! Conflict-driven learning as in MiniSat [ES03], with the two changes for IC3 of [SYC25]. Each
//! question names the variables that it is about, its scope: only these get values, so that
//! gates which the question does not depend on cost nothing. And each question may have a
//! clause of its own, which is forgotten after it with all that was learnt from it, so that
//! questions leave nothing behind.
//!
//! If the answer is that there are values, they satisfy all clauses within the scope. Clauses
//! with a variable outside of it may be broken in every continuation, unless the variables
//! outside are those of gates that nothing in the scope depends on. Who asks has to know that
//! this does no harm. If the answer is that there are none, there are none for all variables.
//!
//! Kept true: on level 0 everything is propagated, within the scope or not; the two watched
//! literals of a clause come first, and are not false unless the other one is true, or is
//! outside of the scope and has no value.

mod analyze;
mod clauses;
mod order;
#[cfg(test)]
mod tests;

use super::{Answer, Literal, Meter, Solver};
use clauses::{ClauseId, Clauses};
use order::Order;
use std::rc::Rc;

/// What a conflict counts beside its propagations: analysing it takes about as long.
const CONFLICT: u64 = 20;
/// So many variables of a scope count as one propagation.
const SCOPE: u64 = 4;
/// Conflicts until the first restart.
const RESTART: u64 = 100;
/// Decisions between two looks at the meter, if there are no conflicts.
const DECISIONS: u64 = 1_000;
/// Clauses that were learnt and are kept: at first, and how many more each time.
const LEARNT: usize = 2_000;
const MORE_LEARNT: usize = 300;
/// Clauses in which so few levels meet are kept for ever.
const FEW_LEVELS: u32 = 2;

pub struct Scoped {
    meter: Rc<Meter>,
    clauses: Clauses,
    given: Vec<ClauseId>,
    learnt: Vec<ClauseId>,
    most_learnt: usize,
    /// By literal: the clauses that have to be looked at when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// By literal.
    values: Vec<Value>,
    variables: Vec<Variable>,
    /// Which variables the present question is about: those with its number.
    scopes: Vec<u32>,
    scope: u32,
    in_scope: Vec<u32>,
    order: Order,
    trail: Vec<Literal>,
    /// Where levels begin in the trail.
    levels: Vec<usize>,
    /// How much of the trail was propagated.
    head: usize,
    /// Makes the clause of a single question count.
    active: Literal,
    core: Vec<Literal>,
    /// No values satisfy the clauses.
    is_contradictory: bool,
    /// None satisfy the clause of the present question beside them.
    is_refuted: bool,
    propagations: u64,
    analysis: analyze::Scratch,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseId,
    /// Some literal of the clause: if it is true, the clause need not be looked at.
    blocker: Literal,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    True,
    False,
}

#[derive(Clone, Copy)]
struct Variable {
    reason: ClauseId,
    level: u32,
    /// The value that it had last.
    phase: bool,
    /// Whether a search may begin with it.
    is_free: bool,
}

impl Solver for Scoped {
    fn new(meter: Rc<Meter>) -> Scoped {
        let mut solver = Scoped {
            meter,
            clauses: Clauses::default(),
            given: Vec::new(),
            learnt: Vec::new(),
            most_learnt: LEARNT,
            watches: Vec::new(),
            values: Vec::new(),
            variables: Vec::new(),
            scopes: Vec::new(),
            scope: 0,
            in_scope: Vec::new(),
            order: Order::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            head: 0,
            active: Literal::new(0, false),
            core: Vec::new(),
            is_contradictory: false,
            is_refuted: false,
            propagations: 0,
            analysis: analyze::Scratch::default(),
        };
        solver.active = solver.add_variable(false);
        solver
    }

    fn new_variable(&mut self) -> Literal {
        self.add_variable(true)
    }

    fn new_dependent(&mut self) -> Literal {
        self.add_variable(false)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.go_back(0);
        let mut literals = clause.to_vec();
        literals.sort_unstable();
        literals.dedup();
        let is_true = |literal: &Literal| self.value_of(*literal) == Value::True;
        let mut pairs = literals.windows(2);
        if literals.iter().any(is_true) || pairs.any(|pair| pair[0] == !pair[1]) {
            return;
        }
        literals.retain(|literal| self.value_of(*literal) == Value::None);
        match literals.as_slice() {
            [] => self.is_contradictory = true,
            [only] => self.set(*only, ClauseId::NONE),
            literals => {
                let id = self.clauses.add(literals, 0, false);
                self.given.push(id);
                self.watch(id);
            }
        }
    }

    fn solve(&mut self, assumptions: &[Literal]) -> Answer {
        self.begin_scope();
        self.include_all();
        self.solve_within(assumptions, None)
    }

    /// Until anything else is done; false for a variable that has no value.
    fn value(&self, literal: Literal) -> bool {
        self.value_of(literal) == Value::True
    }

    fn is_in_core(&self, assumption: Literal) -> bool {
        self.core.contains(&assumption)
    }
}

impl Scoped {
    fn add_variable(&mut self, is_free: bool) -> Literal {
        let literal = Literal::new(self.variables.len() as u32, false);
        self.variables.push(Variable {
            reason: ClauseId::NONE,
            level: 0,
            phase: false,
            is_free,
        });
        self.values.extend([Value::None; 2]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.scopes.push(0);
        self.order.add_variable();
        self.analysis.add_variable();
        literal
    }

    /// The next question is about the variables that are named from now on.
    pub fn begin_scope(&mut self) {
        self.go_back(0);
        self.scope += 1;
        self.in_scope.clear();
    }

    /// The next question is about this variable, too. Says whether that is new.
    pub fn include(&mut self, variable: u32) -> bool {
        let scope = &mut self.scopes[variable as usize];
        let is_new = *scope != self.scope;
        if is_new {
            *scope = self.scope;
            self.in_scope.push(variable);
        }
        is_new
    }

    /// The next question is about all variables.
    pub fn include_all(&mut self) {
        for variable in 0..self.variables.len() as u32 {
            self.include(variable);
        }
    }

    /// Whether the variables of the scope have values that satisfy all clauses within it, these
    /// literals, and a clause that counts for this question alone. All of them have to be in
    /// the scope.
    pub fn solve_within(&mut self, assumptions: &[Literal], clause: Option<&[Literal]>) -> Answer {
        self.go_back(0);
        self.core.clear();
        self.is_refuted = false;
        self.include(self.active.variable());
        if self.learnt.len() > self.most_learnt {
            self.forget_half();
        }
        if self.clauses.is_wasteful() {
            self.tidy();
        }
        let mut assumed = Vec::with_capacity(assumptions.len() + 1);
        let mut temporary = None;
        if let Some(clause) = clause {
            assumed.push(self.active);
            let mut literals = clause.to_vec();
            literals.push(!self.active);
            // Watched literals must not be false.
            literals.sort_by_key(|literal| self.value_of(*literal) == Value::False);
            let id = self.clauses.add(&literals, 0, true);
            if literals.len() == 1 || self.value_of(literals[1]) == Value::False {
                // Nothing but the activity is left: no values satisfy the clause.
                self.clauses.remove(id);
                return Answer::Unsatisfiable;
            }
            self.watch(id);
            temporary = Some(id);
        }
        assumed.extend(assumptions);
        // Naming the variables is work, too.
        self.propagations += self.in_scope.len() as u64 / SCOPE;
        self.order.clear();
        for &variable in &self.in_scope {
            if self.variables[variable as usize].is_free {
                self.order.insert(variable);
            }
        }
        let answer = self.search(&assumed);
        if let Some(id) = temporary {
            self.clauses.remove(id);
            let clauses = &mut self.clauses;
            self.learnt.retain(|id| {
                let goes = clauses.is_temporary(*id);
                if goes {
                    clauses.remove(*id);
                }
                !goes
            });
        }
        answer
    }

    fn value_of(&self, literal: Literal) -> Value {
        self.values[literal.0 as usize]
    }

    fn watch(&mut self, id: ClauseId) {
        let (first, second) = (self.clauses.literal(id, 0), self.clauses.literal(id, 1));
        for (own, other) in [(first, second), (second, first)] {
            self.watches[own.0 as usize].push(Watch {
                clause: id,
                blocker: other,
            });
        }
    }

    fn set(&mut self, literal: Literal, reason: ClauseId) {
        self.values[literal.0 as usize] = Value::True;
        self.values[(!literal).0 as usize] = Value::False;
        let variable = &mut self.variables[literal.variable() as usize];
        variable.reason = reason;
        variable.level = self.levels.len() as u32;
        self.trail.push(literal);
    }

    /// Takes back all levels but the first ones.
    fn go_back(&mut self, level: usize) {
        let Some(&begin) = self.levels.get(level) else {
            return;
        };
        for literal in self.trail.drain(begin..) {
            self.values[literal.0 as usize] = Value::None;
            self.values[(!literal).0 as usize] = Value::None;
            let index = literal.variable() as usize;
            let variable = &mut self.variables[index];
            variable.phase = !literal.is_negated();
            if variable.is_free {
                self.order.insert(literal.variable());
            }
        }
        self.levels.truncate(level);
        self.head = begin;
    }

    fn search(&mut self, assumed: &[Literal]) -> Answer {
        let (mut restarts, mut conflicts, mut decisions) = (0, 0, 0);
        let mut until_restart = RESTART * luby(restarts);
        loop {
            let conflict = self.propagate();
            if self.is_contradictory || self.is_refuted {
                return Answer::Unsatisfiable;
            }
            if let Some(conflict) = conflict {
                if self.levels.is_empty() {
                    self.is_contradictory = true;
                    return Answer::Unsatisfiable;
                }
                conflicts += 1;
                self.learn(conflict);
                self.order.decay();
                if self.has_to_stop(CONFLICT) {
                    self.go_back(0);
                    return Answer::Stopped;
                }
                if conflicts >= until_restart {
                    (restarts, conflicts) = (restarts + 1, 0);
                    until_restart = RESTART * luby(restarts);
                    self.go_back(0);
                    if self.learnt.len() > self.most_learnt {
                        self.forget_half();
                    }
                }
                continue;
            }
            match self.next_assumption(assumed) {
                Err(failed) => {
                    self.explain(failed);
                    self.has_to_stop(1);
                    return Answer::Unsatisfiable;
                }
                Ok(Some(literal)) => self.decide(literal),
                Ok(None) => {
                    let Some(literal) = self.choose() else {
                        self.has_to_stop(1);
                        return Answer::Satisfiable;
                    };
                    decisions += 1;
                    if decisions == DECISIONS {
                        decisions = 0;
                        if self.has_to_stop(1) {
                            self.go_back(0);
                            return Answer::Stopped;
                        }
                    }
                    self.decide(literal);
                }
            }
        }
    }

    /// Charges what was done, and says whether somebody wants the search to end.
    fn has_to_stop(&mut self, more: u64) -> bool {
        self.meter
            .spend(more + std::mem::take(&mut self.propagations));
        self.meter.is_over()
    }

    fn decide(&mut self, literal: Literal) {
        self.levels.push(self.trail.len());
        self.set(literal, ClauseId::NONE);
    }

    /// The next assumption that has no value yet, one level for each; the error is one that is
    /// false.
    fn next_assumption(&mut self, assumed: &[Literal]) -> Result<Option<Literal>, Literal> {
        while let Some(&literal) = assumed.get(self.levels.len()) {
            match self.value_of(literal) {
                Value::True => self.levels.push(self.trail.len()),
                Value::False => return Err(literal),
                Value::None => return Ok(Some(literal)),
            }
        }
        Ok(None)
    }

    fn choose(&mut self) -> Option<Literal> {
        loop {
            let variable = self.order.take()?;
            let positive = Literal::new(variable, false);
            let is_asked = self.scopes[variable as usize] == self.scope;
            if is_asked && self.value_of(positive) == Value::None {
                let phase = self.variables[variable as usize].phase;
                return Some(positive.negate_if(!phase));
            }
        }
    }

    /// Sets what follows; gives back a clause that is false then.
    fn propagate(&mut self) -> Option<ClauseId> {
        while let Some(&literal) = self.trail.get(self.head) {
            self.head += 1;
            self.propagations += 1;
            let falsified = !literal;
            let mut watches = std::mem::take(&mut self.watches[falsified.0 as usize]);
            let conflict = self.look_at(falsified, &mut watches);
            self.watches[falsified.0 as usize] = watches;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }

    /// Whether a literal makes a clause that has no true one harmless: it has no value, and
    /// will not get one.
    fn is_outside(&self, literal: Literal) -> bool {
        !self.levels.is_empty()
            && self.value_of(literal) == Value::None
            && self.scopes[literal.variable() as usize] != self.scope
    }

    /// Looks at the clauses that watch a literal which has become false.
    fn look_at(&mut self, falsified: Literal, watches: &mut Vec<Watch>) -> Option<ClauseId> {
        let (mut read, mut kept) = (0, 0);
        let mut conflict = None;
        'watches: while read < watches.len() {
            let watch = watches[read];
            read += 1;
            if self.value_of(watch.blocker) == Value::True || self.is_outside(watch.blocker) {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let id = watch.clause;
            if self.clauses.is_removed(id) {
                continue;
            }
            let numbers = self.clauses.numbers_mut(id);
            if numbers[0] == falsified.0 {
                numbers.swap(0, 1);
            }
            let first = Literal(numbers[0]);
            watches[kept] = Watch {
                clause: id,
                blocker: first,
            };
            if first != watch.blocker
                && (self.values[first.0 as usize] == Value::True || self.is_outside(first))
            {
                kept += 1;
                continue;
            }
            let numbers = self.clauses.numbers_mut(id);
            for index in 2..numbers.len() {
                if self.values[numbers[index] as usize] != Value::False {
                    numbers.swap(1, index);
                    self.watches[numbers[1] as usize].push(watches[kept]);
                    continue 'watches;
                }
            }
            kept += 1;
            if self.value_of(first) == Value::False {
                conflict = Some(id);
                break;
            }
            // Later questions have other clauses, so this is no fact.
            if self.levels.is_empty() && first == !self.active {
                self.is_refuted = true;
                continue;
            }
            self.set(first, id);
        }
        watches.copy_within(read.., kept);
        let rest = watches.len() - read;
        watches.truncate(kept + rest);
        conflict
    }

    /// Forgets the half of what was learnt in which most levels meet. On level 0.
    fn forget_half(&mut self) {
        self.most_learnt += MORE_LEARNT;
        let clauses = &mut self.clauses;
        self.learnt.sort_by_key(|id| clauses.levels(*id));
        let kept = self.learnt.len() / 2;
        for id in &self.learnt[kept..] {
            if clauses.levels(*id) > FEW_LEVELS {
                clauses.remove(*id);
            }
        }
        self.learnt.retain(|id| !clauses.is_removed(*id));
    }

    /// Leaves out what was removed, and clauses that are true on level 0, between questions.
    fn tidy(&mut self) {
        if self.propagate().is_some() {
            self.is_contradictory = true;
            return;
        }
        let mut clauses = Clauses::default();
        for list in [&mut self.given, &mut self.learnt] {
            let mut moved = Vec::with_capacity(list.len());
            for &id in list.iter() {
                let is_true = |literal: Literal| self.values[literal.0 as usize] == Value::True;
                if !self.clauses.is_removed(id) && !self.clauses.literals(id).any(is_true) {
                    moved.push(self.clauses.move_to(id, &mut clauses));
                }
            }
            *list = moved;
        }
        self.clauses = clauses;
        for watches in &mut self.watches {
            watches.clear();
        }
        let all: Vec<ClauseId> = self.given.iter().chain(&self.learnt).copied().collect();
        for id in all {
            self.watch(id);
        }
    }
}

/// How long the searches between restarts are, after Luby: 1, 1, 2, 1, 1, 2, 4, ...
fn luby(index: u32) -> u64 {
    let mut index = index + 1;
    loop {
        let bits = u32::BITS - index.leading_zeros();
        if index == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}
