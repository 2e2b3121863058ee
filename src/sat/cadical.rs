//! The solver of the crate `cadical`, with the feature of that name. It needs a C++ compiler.

use super::{Answer, Literal, Meter, Solver};
use cadical::Callbacks;
use std::rc::Rc;

/// What a conflict counts beside its propagations, which the crate does not tell: as many as a
/// part of the variables.
const CONFLICT: u64 = 20;
const VARIABLES: u64 = 10;

pub struct Cadical {
    solver: cadical::Solver<Watch>,
    meter: Rc<Meter>,
    variables: u32,
    /// Values and needed assumptions of the last answer, which the crate forgets with the next
    /// clause.
    values: Vec<bool>,
    core: Vec<Literal>,
}

/// Counts work while the solver is searching.
struct Watch {
    meter: Rc<Meter>,
    propagations: u64,
}

impl Callbacks for Watch {
    fn terminate(&mut self) -> bool {
        self.meter.is_over()
    }

    fn max_length(&self) -> i32 {
        i32::MAX
    }

    fn learn(&mut self, _: &[i32]) {
        self.meter.spend(CONFLICT + self.propagations);
    }
}

/// Variables are numbered from 1, and negated ones are negative.
fn number(literal: Literal) -> i32 {
    let variable = literal.variable() as i32 + 1;
    if literal.is_negated() {
        -variable
    } else {
        variable
    }
}

impl Solver for Cadical {
    fn new(meter: Rc<Meter>) -> Cadical {
        Cadical {
            solver: cadical::Solver::new(),
            meter,
            variables: 0,
            values: Vec::new(),
            core: Vec::new(),
        }
    }

    fn new_variable(&mut self) -> Literal {
        self.variables += 1;
        Literal::new(self.variables - 1, false)
    }

    /// The crate cannot be told what not to begin with.
    fn new_dependent(&mut self) -> Literal {
        self.new_variable()
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.solver.add_clause(clause.iter().copied().map(number));
    }

    fn solve(&mut self, assumptions: &[Literal]) -> Answer {
        if self.meter.is_over() {
            return Answer::Stopped;
        }
        self.solver.set_callbacks(Some(Watch {
            meter: self.meter.clone(),
            propagations: u64::from(self.variables) / VARIABLES,
        }));
        self.meter.spend(1);
        let answer = self
            .solver
            .solve_with(assumptions.iter().copied().map(number));
        self.core.clear();
        match answer {
            Some(true) => {
                let solver = &self.solver;
                let value = |variable| solver.value(variable as i32) == Some(true);
                self.values = (1..=self.variables).map(value).collect();
                self.meter.spend(u64::from(self.variables) / VARIABLES);
                Answer::Satisfiable
            }
            Some(false) => {
                let failed = |literal: &Literal| self.solver.failed(number(*literal));
                self.core = assumptions.iter().copied().filter(failed).collect();
                Answer::Unsatisfiable
            }
            None => Answer::Stopped,
        }
    }

    fn value(&self, literal: Literal) -> bool {
        let value = self.values.get(literal.variable() as usize);
        value.is_some_and(|value| *value != literal.is_negated())
    }

    fn is_in_core(&self, assumption: Literal) -> bool {
        self.core.contains(&assumption)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::sat::BatSat;

    fn clause(random: &mut Random, variables: usize, length: usize) -> Vec<Literal> {
        let literal = |random: &mut Random| {
            let variable = random.below(variables) as u32;
            Literal::new(variable, random.flip())
        };
        (0..length).map(|_| literal(random)).collect()
    }

    #[test]
    fn answers_are_those_of_the_other_solver() {
        let mut random = Random::new(7);
        let mut counts = [0, 0];
        for _ in 0..10 {
            let mut solver = Cadical::new(Meter::new(|| false));
            let mut other = BatSat::new(Meter::new(|| false));
            for _ in 0..60 {
                assert_eq!(solver.new_variable(), other.new_variable());
            }
            let mut clauses = Vec::new();
            for _ in 0..60 {
                for _ in 0..6 {
                    let clause = clause(&mut random, 60, 3);
                    solver.add_clause(&clause);
                    other.add_clause(&clause);
                    clauses.push(clause);
                }
                let assumed = clause(&mut random, 60, 4);
                let answer = solver.solve(&assumed);
                assert_eq!(answer, other.solve(&assumed));
                if answer == Answer::Satisfiable {
                    counts[0] += 1;
                    let holds = |literal: &Literal| solver.value(*literal);
                    assert!(assumed.iter().all(holds));
                    assert!(clauses.iter().all(|clause| clause.iter().any(holds)));
                } else {
                    counts[1] += 1;
                    let needed = |literal: &&Literal| solver.is_in_core(**literal);
                    let core: Vec<Literal> = assumed.iter().filter(needed).copied().collect();
                    assert_eq!(other.solve(&core), Answer::Unsatisfiable);
                }
            }
        }
        assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    }

    #[test]
    fn it_stops_when_the_meter_says_so_and_goes_on() {
        let mut random = Random::new(1);
        let meter = Meter::new(|| false);
        let mut solver = Cadical::new(meter.clone());
        for _ in 0..200 {
            solver.new_variable();
        }
        for _ in 0..860 {
            let clause = clause(&mut random, 200, 3);
            solver.add_clause(&clause);
        }
        meter.allow(200);
        assert_eq!(solver.solve(&[]), Answer::Stopped);
        meter.allow(u64::MAX);
        assert_ne!(solver.solve(&[]), Answer::Stopped);
    }
}
