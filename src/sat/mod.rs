//! Satisfiability of clauses: incremental solvers behind one trait.
//!
//! Enters: clauses over variables. Leaves: for each question, which is a list of literals
//! that are assumed, either values that satisfy all clauses or a part of the assumptions that
//! no values satisfy. A crate does the work, which is named in `batsat.rs` only, or
//! with the feature `cadical` another one, named in `cadical.rs` only; for many small
//! questions about one circuit there is a solver of our own, [`Scoped`].

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod scoped;

pub use self::batsat::BatSat;
#[cfg(feature = "cadical")]
pub use self::cadical::Cadical;
pub use self::scoped::Scoped;

use std::cell::Cell;
use std::ops::Not;
use std::rc::Rc;

/// What all but IC3 use, and what checks its invariants.
#[cfg(not(feature = "cadical"))]
pub type DefaultSolver = BatSat;
#[cfg(feature = "cadical")]
pub type DefaultSolver = Cadical;

/// A variable or its negation: twice the index of the variable, plus one if negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    pub fn new(variable: u32, negated: bool) -> Literal {
        Literal(variable << 1 | u32::from(negated))
    }

    pub fn variable(self) -> u32 {
        self.0 >> 1
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn negate_if(self, negate: bool) -> Literal {
        Literal(self.0 ^ u32::from(negate))
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Satisfiable,
    Unsatisfiable,
    /// The meter stopped the search; the same question may be asked again.
    Stopped,
}

pub trait Solver {
    /// A solver without clauses, which stops when the meter says so.
    fn new(meter: Rc<Meter>) -> Self
    where
        Self: Sized;

    /// The positive literal of a new variable.
    fn new_variable(&mut self) -> Literal;

    /// The same for a variable that has a value as soon as some others have: the search does
    /// not begin with it.
    fn new_dependent(&mut self) -> Literal;

    fn add_clause(&mut self, clause: &[Literal]);

    /// Whether values exist that satisfy all clauses and these literals.
    fn solve(&mut self, assumptions: &[Literal]) -> Answer;

    /// After [`Answer::Satisfiable`]: the value of a literal.
    fn value(&self, literal: Literal) -> bool;

    /// After [`Answer::Unsatisfiable`]: whether an assumption was needed for it.
    fn is_in_core(&self, assumption: Literal) -> bool;
}

/// How much work solvers may do together, and whether somebody wants them to stop. Work is
/// counted in steps that do not depend on the machine, so that a search which takes turns
/// with another one takes the same turns each time.
pub struct Meter {
    used: Cell<u64>,
    allowed: Cell<u64>,
    polls: Cell<u32>,
    stop: Box<dyn Fn() -> bool>,
    stopped: Cell<bool>,
}

/// How often the meter is asked before it asks the clock.
const POLLS: u32 = 256;

impl Meter {
    /// `stop` says whether time, memory or patience is used up; it is asked now and then.
    pub fn new(stop: impl Fn() -> bool + 'static) -> Rc<Meter> {
        Rc::new(Meter {
            used: Cell::new(0),
            allowed: Cell::new(u64::MAX),
            polls: Cell::new(0),
            stop: Box::new(stop),
            stopped: Cell::new(false),
        })
    }

    /// Work that was done so far.
    pub fn used(&self) -> u64 {
        self.used.get()
    }

    /// Lets work go on until this much is used.
    pub fn allow(&self, until: u64) {
        self.allowed.set(until);
    }

    pub fn spend(&self, work: u64) {
        self.used.set(self.used.get().saturating_add(work));
    }

    /// Whether work has to stop for good, whatever is allowed.
    pub fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// The same as [`Meter::is_over`], with a look at the clock at once: for those whose steps
    /// take long and are few.
    pub fn is_over_by_the_clock(&self) -> bool {
        self.polls.set(POLLS - 1);
        self.is_over()
    }

    /// Whether work has to stop now.
    pub fn is_over(&self) -> bool {
        if self.stopped.get() || self.used.get() >= self.allowed.get() {
            return true;
        }
        let polls = self.polls.get() + 1;
        self.polls.set(polls % POLLS);
        if polls == POLLS && (self.stop)() {
            self.stopped.set(true);
        }
        self.stopped.get()
    }
}
