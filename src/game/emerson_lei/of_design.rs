//! The game of a design with properties of any kind.
//!
//! What is safe is judged as in any other game, step by step: an assertion has to hold in each
//! step up to which the safe assumptions have held, that step included. The rest is a
//! condition on infinite runs: if no safe assumption breaks and the others are kept, the
//! other assertions are.

use super::build::{BuildError, Builder, Memory};
use super::condition::{Condition, Settled};
use super::solve::{Player, Solver};
use super::tree::Tree;
use crate::bdd::{Bdd, Result as Solved};
use crate::design::{Design, Literal, Reset};
use crate::expr::Role;
use crate::game::objective::{Builder as SafeBuilder, ObjectiveError};
use crate::game::{Arena, Game, Objective};
use crate::spec::ltl::Order;
use crate::spec::{Class, Spec, automaton};

/// An arena whose goals are the colours of a condition.
#[derive(Clone)]
pub struct EmersonLeiArena {
    pub arena: Arena,
    tree: Tree,
}

impl EmersonLeiArena {
    pub fn new(design: Design, spec: &Spec) -> Result<EmersonLeiArena, ObjectiveError> {
        let first_of_ours = design.len();
        let (mut safe, conjuncts) = SafeBuilder::new(design, spec);
        let (steps, runs): (Vec<_>, Vec<_>) = conjuncts
            .into_iter()
            .filter(|conjunct| conjunct.role != Role::Cover)
            .partition(|conjunct| conjunct.class == Class::Safety);
        let formulas = safe.formulas.clone();
        for conjunct in &steps {
            safe.add(conjunct)?;
        }
        let safe = safe.finish()?;
        let limits = automaton::Limits::default();
        let mut builder = Builder::new(safe.design, formulas, Memory::Conditions, limits);
        let mut assumed = Vec::new();
        let mut asserted = Vec::new();
        for conjunct in &runs {
            let condition = builder
                .formula(conjunct.formula)
                .map_err(|error| not_supported(&conjunct.name, error))?;
            match conjunct.role {
                Role::Assume => assumed.push(condition.negated()),
                _ => asserted.push(condition),
            }
        }
        let mut design = builder.design;
        let Objective {
            assumption,
            guarantee,
            ..
        } = safe.objective;
        let kept = held_so_far(&mut design, assumption);
        let broken = Condition::Event(Settled {
            literal: !kept,
            stays: true,
        });
        let invariant = Condition::invariant(design.or(guarantee, !kept));
        let mut run = assumed;
        run.push(broken);
        run.push(Condition::And(asserted));
        let whole = Condition::And(vec![invariant, Condition::Or(run)]);
        let objective = whole.finish(&mut design);
        for id in design.latches().to_vec() {
            if id.index() >= first_of_ours {
                design.set_hidden(id, true);
            }
        }
        let Some(tree) = Tree::new(&objective.colours, false) else {
            let property = runs.first().map(|one| one.name.clone());
            return Err(ObjectiveError::NotSupported {
                property: property.unwrap_or_default(),
                reason: "the condition of all properties together is too big".to_string(),
            });
        };
        Ok(EmersonLeiArena {
            arena: Arena {
                design,
                objective: Objective {
                    assumption: !objective.won,
                    guarantee: objective.invariant,
                    assumed_recurrences: Vec::new(),
                    goals: objective.colours.literals(),
                },
                automaton_choices: Vec::new(),
            },
            tree,
        })
    }

    /// The rigid choices with which the system wins from all initial states; `one` or `zero`
    /// if there are none to make.
    pub fn good_choices(&self, game: &Game) -> Solved<Bdd> {
        let solver = Solver {
            game,
            player: Player::System,
            order: Order::Mealy,
            tree: &self.tree,
        };
        solver.good_choices()
    }
}

/// Whether a condition has held in all steps so far, this one included.
fn held_so_far(design: &mut Design, condition: Literal) -> Literal {
    if condition == Literal::TRUE {
        return condition;
    }
    let latch = design.add_latch(Reset::One);
    let held = design.and(latch.literal(), condition);
    design.set_next(latch, held);
    held
}

fn not_supported(property: &str, error: BuildError) -> ObjectiveError {
    let reason = match error {
        BuildError::Diagnostic(diagnostic) => return ObjectiveError::Diagnostic(diagnostic),
        BuildError::Monitor(error) => error.to_string(),
        BuildError::TooManyCases => "it falls apart into too many cases".to_string(),
    };
    ObjectiveError::NotSupported {
        property: property.to_string(),
        reason,
    }
}
