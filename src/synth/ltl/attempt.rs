//! The stages on one part of a specification, in turns.
//!
//! Each stage gets a slice of time, and when none of them has an answer all get a longer one,
//! so that a stage that does not end costs as much again as the one that does.

use super::circuit::{Controller, Ports};
use super::{Failure, Options, Stage};
use crate::bdd::{self, Limits};
use crate::design::Design;
use crate::game::emerson_lei::build::{BuildError, Builder, Memory};
use crate::game::emerson_lei::condition::{Condition, Objective};
use crate::game::emerson_lei::solve::{Player, Solver};
use crate::game::emerson_lei::tree::Tree;
use crate::game::{Arena, Game};
use crate::spec::FormulaId;
use crate::spec::automaton;
use crate::spec::ltl::{Order, Requirements};
use std::time::{Duration, Instant};

/// The first slice; each round has one that is so many times as long.
const FIRST_SLICE: Duration = Duration::from_millis(1_000);
const GROWTH: u32 = 4;

pub struct Attempt<'a> {
    pub open: &'a Design,
    pub ports: &'a Ports,
    pub order: Order,
    pub options: &'a Options,
}

pub struct Solved {
    pub winner: Player,
    pub controller: Controller,
    pub stage: Stage,
}

/// A game that a stage may come back to.
struct Candidate {
    stage: Stage,
    player: Player,
    arena: Arena,
    tree: Tree,
    game: Option<Game>,
    is_over: bool,
}

impl Attempt<'_> {
    pub fn solve(
        &self,
        requirements: &Requirements,
        formulas: &[FormulaId],
        watch: &mut dyn FnMut(&str),
    ) -> Result<Solved, Failure> {
        let mut candidates = self.candidates(requirements, formulas, watch)?;
        let mut slice = FIRST_SLICE;
        loop {
            for place in 0..candidates.len() {
                if candidates[place].is_over {
                    continue;
                }
                self.options.limits.check()?;
                let lost = |player: Player| {
                    let exact = |one: &Candidate| one.stage != Stage::Strict;
                    let mut all = candidates.iter();
                    all.any(|one| exact(one) && one.player == player && one.is_over)
                };
                let (system_lost, environment_lost) =
                    (lost(Player::System), lost(Player::Environment));
                if system_lost && environment_lost {
                    let reason = "neither player wins: a solver has an error";
                    return Err(Failure::GaveUp(reason.to_string()));
                }
                let candidate = &mut candidates[place];
                let certain = match candidate.player {
                    Player::System => environment_lost,
                    Player::Environment => system_lost,
                };
                let mut limits = self.options.limits.clone();
                if !certain {
                    let end = Instant::now() + slice;
                    limits.deadline = Some(limits.deadline.map_or(end, |own| own.min(end)));
                }
                watch(&format!(
                    "{} game of the {}: {} leaves, depth {}",
                    candidate.stage,
                    match candidate.player {
                        Player::System => "system",
                        Player::Environment => "environment",
                    },
                    candidate.tree.leaves(),
                    candidate.tree.depth(),
                ));
                match self.play(candidate, &limits) {
                    Ok(Some(solved)) => return Ok(solved),
                    Ok(None) => candidate.is_over = true,
                    Err(bdd::Error::Deadline) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            if candidates.iter().all(|one| one.is_over) {
                let reason = "the stage that was asked for does not decide it";
                return Err(Failure::GaveUp(reason.to_string()));
            }
            slice *= GROWTH;
        }
    }

    fn play(&self, candidate: &mut Candidate, limits: &Limits) -> bdd::Result<Option<Solved>> {
        let game = match candidate.game.take() {
            Some(game) => game,
            None => Game::new(&candidate.arena, limits.clone())?,
        };
        game.manager().set_limits(limits.clone());
        let game = candidate.game.insert(game);
        let solver = Solver {
            game,
            player: candidate.player,
            order: self.order,
            tree: &candidate.tree,
        };
        let Some(plan) = solver.solve()? else {
            return Ok(None);
        };
        // It is won: what is left is worth all the time there is.
        game.manager().set_limits(self.options.limits.clone());
        Ok(Some(Solved {
            winner: candidate.player,
            controller: Controller::new(&solver, &plan, self.ports)?
                .smallest(&self.options.limits)?,
            stage: candidate.stage,
        }))
    }

    fn candidates(
        &self,
        requirements: &Requirements,
        formulas: &[FormulaId],
        watch: &mut dyn FnMut(&str),
    ) -> Result<Vec<Candidate>, Failure> {
        let (design, condition) = self.condition(requirements, formulas)?;
        let objective = |strictly: bool| -> (Design, Objective) {
            let mut design = design.clone();
            let condition = condition.clone();
            let objective = if strictly {
                condition.finish_strictly(&mut design)
            } else {
                condition.finish(&mut design)
            };
            (design, objective)
        };
        let exact = objective(false);
        let strict = objective(true);
        let colours = exact.1.colours.literals().len();
        watch(&format!(
            "{} latches, {colours} colours",
            design.latches().len()
        ));
        let mut found = Vec::new();
        let wanted = |stage: Stage| self.options.stage.is_none_or(|only| only == stage);
        let mut add = |stage: Stage, player: Player, (design, objective): &(Design, Objective)| {
            let negated = player == Player::Environment;
            if let (true, Some(tree)) = (wanted(stage), Tree::new(&objective.colours, negated)) {
                found.push(Candidate {
                    stage,
                    player,
                    arena: arena(design, objective),
                    tree,
                    game: None,
                    is_over: false,
                });
            }
        };
        if strict.1 != exact.1 || self.options.stage == Some(Stage::Strict) {
            add(Stage::Strict, Player::System, &strict);
        }
        add(Stage::EmersonLei, Player::System, &exact);
        add(Stage::EmersonLei, Player::Environment, &exact);
        if found.is_empty() {
            let reason = format!("a condition with {colours} colours is too big");
            return Err(Failure::GaveUp(reason));
        }
        Ok(found)
    }

    /// The condition of the formulas, with the memory that takes fewer latches.
    fn condition(
        &self,
        requirements: &Requirements,
        formulas: &[FormulaId],
    ) -> Result<(Design, Condition), Failure> {
        let mut best: Option<(Design, Condition)> = None;
        for memory in [Memory::Signals, Memory::Conditions] {
            let mut builder = Builder::new(
                self.open.clone(),
                requirements.formulas.clone(),
                memory,
                automaton::Limits::default(),
            );
            let mut parts = Vec::new();
            for formula in formulas {
                parts.push(builder.formula(*formula).map_err(given_up)?);
            }
            let latches = |design: &Design| design.latches().len();
            if best
                .as_ref()
                .is_none_or(|(design, _)| latches(&builder.design) < latches(design))
            {
                best = Some((builder.design, Condition::And(parts)));
            }
        }
        best.ok_or_else(|| Failure::GaveUp("there is no way to remember".to_string()))
    }
}

fn given_up(error: BuildError) -> Failure {
    match error {
        BuildError::Diagnostic(diagnostic) => Failure::Diagnostics(vec![*diagnostic]),
        BuildError::Monitor(error) => Failure::GaveUp(format!("no monitor: {error}")),
        BuildError::TooManyCases => {
            Failure::GaveUp("a formula falls apart into too many cases".to_string())
        }
    }
}

fn arena(design: &Design, objective: &Objective) -> Arena {
    Arena {
        design: design.without_redundant_latches(),
        objective: crate::game::Objective {
            assumption: !objective.won,
            guarantee: objective.invariant,
            assumed_recurrences: Vec::new(),
            goals: objective.colours.literals(),
        },
        automaton_choices: Vec::<crate::design::NodeId>::new(),
    }
}
