//! The solver of the crate `batsat`, a MiniSat [ES03] in Rust.

use super::{Answer, Literal, Meter, Solver};
use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, Var, lbool};
use std::rc::Rc;

/// What a conflict counts beside its propagations: analysing it takes about as long.
const CONFLICT: u64 = 20;
/// Before anything is known, a conflict is taken to need a propagation for each of so many
/// variables.
const VARIABLES: u64 = 10;

pub struct BatSat {
    solver: batsat::Solver<Watch>,
    clause: Vec<Lit>,
    assumptions: Vec<Lit>,
}

/// Counts work while the solver is searching. How many propagations there were is known
/// afterwards only; until then conflicts tell.
struct Watch {
    meter: Rc<Meter>,
    /// Propagations for a conflict, as seen before.
    propagations: u64,
    /// What was charged for them since the search began.
    charged: u64,
}

impl Callbacks for Watch {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if kind == ClauseKind::Learnt {
            self.meter.spend(CONFLICT + self.propagations);
            self.charged += self.propagations;
        }
    }

    fn stop(&self) -> bool {
        self.meter.is_over()
    }
}

fn lit(literal: Literal) -> Lit {
    Lit::new(
        Var::unsafe_from_idx(literal.variable()),
        !literal.is_negated(),
    )
}

impl Solver for BatSat {
    fn new(meter: Rc<Meter>) -> BatSat {
        let watch = Watch {
            meter,
            propagations: 0,
            charged: 0,
        };
        BatSat {
            solver: batsat::Solver::new(batsat::SolverOpts::default(), watch),
            clause: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    fn new_variable(&mut self) -> Literal {
        Literal::new(self.solver.new_var_default().idx(), false)
    }

    fn new_dependent(&mut self) -> Literal {
        Literal::new(self.solver.new_var(lbool::UNDEF, false).idx(), false)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.clause.clear();
        self.clause.extend(clause.iter().copied().map(lit));
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self, assumptions: &[Literal]) -> Answer {
        self.assumptions.clear();
        self.assumptions
            .extend(assumptions.iter().copied().map(lit));
        let propagations = self.solver.num_propagations();
        let conflicts = self.solver.num_conflicts();
        let guess = u64::from(self.solver.num_vars()) / VARIABLES;
        let watch = self.solver.cb_mut();
        watch.charged = 0;
        if watch.propagations == 0 {
            watch.propagations = guess;
        }
        let answer = self.solver.solve_limited(&self.assumptions);
        let propagations = self.solver.num_propagations() - propagations;
        let conflicts = self.solver.num_conflicts() - conflicts;
        let watch = self.solver.cb_mut();
        watch
            .meter
            .spend(1 + propagations.saturating_sub(watch.charged));
        if let Some(rate) = propagations.checked_div(conflicts) {
            watch.propagations = watch.propagations.midpoint(rate).max(1);
        }
        if answer == lbool::TRUE {
            Answer::Satisfiable
        } else if answer == lbool::FALSE {
            Answer::Unsatisfiable
        } else {
            Answer::Stopped
        }
    }

    fn value(&self, literal: Literal) -> bool {
        self.solver.value_lit(lit(literal)) == lbool::TRUE
    }

    fn is_in_core(&self, assumption: Literal) -> bool {
        self.solver.unsat_core_contains_var(lit(assumption).var())
    }
}
