//! The stages on one part of a specification, in turns.
//!
//! Each stage gets a slice of time, and when none of them has an answer all get a longer one,
//! so that a stage that does not end costs as much again as the one that does. What is too big
//! for a stage is known in advance, by numbers of nodes, cases and states. As long as there is
//! time left that somebody gave, these grow when no stage has come to an answer.

use super::circuit::{Controller, Ports};
use super::{Failure, Options, Stage};
use crate::bdd::{self, Limits};
use crate::design::{Design, Literal};
use crate::game::bounded::{MOST_CASES, Universal, counted};
use crate::game::emerson_lei::build::{BuildError, Builder, Memory};
use crate::game::emerson_lei::condition::{Colours, Condition, Objective};
use crate::game::emerson_lei::solve::{Player, Solver};
use crate::game::emerson_lei::tree::{MOST_NODES, Tree};
use crate::game::{Arena, Game};
use crate::spec::FormulaId;
use crate::spec::automaton;
use crate::spec::ltl::{Order, Requirements};
use std::time::Duration;

/// The first slice; each round has one that is so many times as long.
const FIRST_SLICE: Duration = Duration::from_millis(1_000);
const GROWTH: u32 = 4;

/// The largest bound that is tried unless said.
const MOST_BOUND: usize = 64;
/// By how much stages get larger games when all have given up, and how often.
const MORE_ROOM: usize = 4;
const MOST_ROOM: usize = 64;

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
    play: Play,
    is_over: bool,
}

/// What a stage plays.
enum Play {
    Ready(Box<Ready>),
    /// The formula that the player must not let come true.
    Bounded(FormulaId),
    Counting(Box<Counting>),
}

/// A game, made when it is first played.
struct Ready {
    arena: Arena,
    tree: Tree,
    game: Option<Game>,
}

/// Games with larger and larger bounds.
struct Counting {
    counted: Counted,
    bound: usize,
    ready: Ready,
}

/// What is counted.
enum Counted {
    /// Accepting edges of an automaton.
    Edges(Box<Builder>, Universal),
    /// Cases of a condition on monitors.
    Cases(Design, Objective),
}

/// How large games may be, as a multiple of what is usual.
#[derive(Clone, Copy)]
struct Room(usize);

impl Room {
    /// Nodes of a tree of colours.
    fn nodes(self) -> usize {
        MOST_NODES * self.0
    }

    /// Cases that get a counter.
    fn cases(self) -> usize {
        MOST_CASES * self.0
    }

    fn bound(self, asked: Option<usize>) -> usize {
        asked.unwrap_or(MOST_BOUND * self.0)
    }

    /// Automata with more states would be too many counters. No limit of time is looked at
    /// while one is made, so they do not grow as far as the rest.
    fn counters(self) -> automaton::Limits {
        let times = self.0.min(MORE_ROOM);
        automaton::Limits {
            states: 400 * times,
            nodes: 100_000 * times,
            clauses: 200 * times,
        }
    }
}

impl Attempt<'_> {
    pub fn solve(
        &self,
        requirements: &Requirements,
        formulas: &[FormulaId],
        watch: &mut dyn FnMut(&str),
    ) -> Result<Solved, Failure> {
        let mut room = Room(1);
        loop {
            let result = self.solve_within(room, requirements, formulas, watch);
            let limits = &self.options.limits;
            let whole = limits.run.as_ref().and_then(|run| run.time_left());
            let is_timed = limits.deadline.is_some() || whole.is_some();
            let may_go_on = self.options.stage.is_none() && is_timed && room.0 < MOST_ROOM;
            match result {
                Err(Failure::GaveUp(reason)) if may_go_on => {
                    watch(&reason);
                    room = Room(MORE_ROOM * room.0);
                }
                result => return result,
            }
        }
    }

    fn solve_within(
        &self,
        room: Room,
        requirements: &Requirements,
        formulas: &[FormulaId],
        watch: &mut dyn FnMut(&str),
    ) -> Result<Solved, Failure> {
        let mut requirements = requirements.clone();
        let mut candidates = self.candidates(room, &mut requirements, formulas, watch)?;
        let mut slice = FIRST_SLICE;
        loop {
            for index in 0..candidates.len() {
                if candidates[index].is_over {
                    continue;
                }
                self.options.limits.check()?;
                // The other stages say nothing when they lose.
                let lost = |player: Player| {
                    let mut all = candidates.iter();
                    all.any(|one| {
                        one.stage == Stage::EmersonLei && one.player == player && one.is_over
                    })
                };
                let (system_lost, environment_lost) =
                    (lost(Player::System), lost(Player::Environment));
                if system_lost && environment_lost {
                    let reason = "neither player wins: a solver has an error";
                    return Err(Failure::GaveUp(reason.to_string()));
                }
                let candidate = &mut candidates[index];
                let (may_win, certain) = match candidate.player {
                    Player::System => (!system_lost, environment_lost),
                    Player::Environment => (!environment_lost, system_lost),
                };
                if !may_win {
                    candidate.is_over = true;
                    continue;
                }
                let mut limits = self.options.limits.clone();
                let is_exact = candidate.stage == Stage::EmersonLei;
                if !(certain && is_exact) {
                    // By processor time: which stage answers must not depend on who else is busy.
                    limits = limits.within_processor_time(slice);
                }
                match self.turn(room, &requirements, candidate, &limits, watch) {
                    Ok(Some(solved)) => return Ok(solved),
                    Ok(None) => candidate.is_over = true,
                    Err(bdd::Error::Deadline) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            if candidates.iter().all(|one| one.is_over) {
                let reason = match self.options.stage {
                    Some(_) => "the stage that was asked for does not decide it",
                    None => "the game is too big for each of the stages",
                };
                return Err(Failure::GaveUp(reason.to_string()));
            }
            slice *= GROWTH;
        }
    }

    /// One turn of a candidate: nothing if it has come to its end without an answer.
    fn turn(
        &self,
        room: Room,
        requirements: &Requirements,
        candidate: &mut Candidate,
        limits: &Limits,
        watch: &mut dyn FnMut(&str),
    ) -> bdd::Result<Option<Solved>> {
        let (stage, player) = (candidate.stage, candidate.player);
        let whose = match player {
            Player::System => "system",
            Player::Environment => "environment",
        };
        if let Play::Bounded(formula) = candidate.play {
            match self.counting(room, requirements, player, formula) {
                Some(counting) => candidate.play = Play::Counting(Box::new(counting)),
                None => {
                    watch(&format!(
                        "{stage} game of the {whose}: the automaton is too big"
                    ));
                    return Ok(None);
                }
            }
        }
        match &mut candidate.play {
            Play::Bounded(_) => Ok(None),
            Play::Ready(ready) => {
                let (leaves, depth) = (ready.tree.leaves(), ready.tree.depth());
                watch(&format!(
                    "{stage} game of the {whose}: {leaves} leaves, depth {depth}"
                ));
                self.play(ready, stage, player, limits)
            }
            Play::Counting(counting) => loop {
                let what = match &counting.counted {
                    Counted::Edges(_, universal) => format!("{} states", universal.states()),
                    Counted::Cases(_, objective) => {
                        format!("{} colours", objective.colours.literals().len())
                    }
                };
                let bound = counting.bound;
                watch(&format!(
                    "{stage} game of the {whose}: {what}, up to {bound}"
                ));
                if let Some(solved) = self.play(&mut counting.ready, stage, player, limits)? {
                    return Ok(Some(solved));
                }
                let most = room.bound(self.options.bound);
                if 2 * counting.bound > most || !counting.increase(player, room) {
                    return Ok(None);
                }
            },
        }
    }

    fn play(
        &self,
        ready: &mut Ready,
        stage: Stage,
        player: Player,
        limits: &Limits,
    ) -> bdd::Result<Option<Solved>> {
        let game = match ready.game.take() {
            Some(game) => game,
            None => Game::new(&ready.arena, limits.clone())?,
        };
        game.manager().set_limits(limits.clone());
        let game = ready.game.insert(game);
        let solver = Solver {
            game,
            player,
            order: self.order,
            tree: &ready.tree,
        };
        let Some(plan) = solver.solve()? else {
            return Ok(None);
        };
        // It is won: what is left is worth all the time there is.
        game.manager().set_limits(self.options.limits.clone());
        Ok(Some(Solved {
            winner: player,
            controller: Controller::new(&solver, &plan, self.ports, &self.options.limits)?
                .smallest(&self.options.limits)?,
            stage,
        }))
    }

    fn candidates(
        &self,
        room: Room,
        requirements: &mut Requirements,
        formulas: &[FormulaId],
        watch: &mut dyn FnMut(&str),
    ) -> Result<Vec<Candidate>, Failure> {
        let wanted = |stage: Stage| self.options.stage.is_none_or(|only| only == stage);
        let mut found = Vec::new();
        if self.options.stage != Some(Stage::BoundedAutomaton) {
            match self.exact_candidates(room, requirements, formulas, watch) {
                Ok(candidates) => found.extend(candidates),
                Err(Failure::GaveUp(reason)) if wanted(Stage::BoundedAutomaton) => watch(&reason),
                Err(failure) => return Err(failure),
            }
        }
        if wanted(Stage::BoundedAutomaton) {
            let whole = requirements.formulas.and(formulas.iter().copied());
            let negated = requirements.formulas.not(whole);
            for (player, avoided) in [(Player::System, negated), (Player::Environment, whole)] {
                found.push(Candidate {
                    stage: Stage::BoundedAutomaton,
                    player,
                    play: Play::Bounded(avoided),
                    is_over: false,
                });
            }
        }
        Ok(found)
    }

    fn exact_candidates(
        &self,
        room: Room,
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
            let ready = wanted(stage).then(|| Ready::new(design, objective, player, room));
            if let Some(ready) = ready.flatten() {
                found.push(Candidate {
                    stage,
                    player,
                    play: Play::Ready(Box::new(ready)),
                    is_over: false,
                });
            }
        };
        if strict.1 != exact.1 || self.options.stage == Some(Stage::Strict) {
            add(Stage::Strict, Player::System, &strict);
        }
        add(Stage::EmersonLei, Player::System, &exact);
        add(Stage::EmersonLei, Player::Environment, &exact);
        if wanted(Stage::BoundedCondition) {
            for (player, (design, objective)) in
                [(Player::System, strict), (Player::Environment, exact)]
            {
                let counted = Counted::Cases(design, objective);
                if let Some(counting) = Counting::new(counted, player, room) {
                    found.push(Candidate {
                        stage: Stage::BoundedCondition,
                        player,
                        play: Play::Counting(Box::new(counting)),
                        is_over: false,
                    });
                }
            }
        }
        if found.is_empty() {
            let reason = match self.options.stage {
                Some(_) => "the stage that was asked for has no game".to_string(),
                None => format!("a condition with {colours} colours is too big"),
            };
            return Err(Failure::GaveUp(reason));
        }
        Ok(found)
    }

    /// The first game of a player that has to avoid a formula; nothing if the automaton of
    /// the formula is too big.
    fn counting(
        &self,
        room: Room,
        requirements: &Requirements,
        player: Player,
        avoided: FormulaId,
    ) -> Option<Counting> {
        let mut builder = Builder::new(
            self.open.clone(),
            requirements.formulas.clone(),
            Memory::Signals,
            automaton::Limits::default(),
        );
        let universal = builder.universal(avoided, &room.counters()).ok()?;
        Counting::new(Counted::Edges(Box::new(builder), universal), player, room)
    }

    /// The condition of the formulas, with the memory that takes fewer latches.
    fn condition(
        &self,
        requirements: &Requirements,
        formulas: &[FormulaId],
    ) -> Result<(Design, Condition), Failure> {
        let mut best: Option<(Design, Condition)> = None;
        for memory in Memory::ALL {
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

impl Ready {
    /// Nothing if the condition has too many cases.
    fn new(design: &Design, objective: &Objective, player: Player, room: Room) -> Option<Ready> {
        let negated = player == Player::Environment;
        Some(Ready {
            arena: arena(design, objective),
            tree: Tree::within(&objective.colours, negated, room.nodes())?,
            game: None,
        })
    }
}

impl Counting {
    fn new(counted: Counted, player: Player, room: Room) -> Option<Counting> {
        let bound = 1;
        Some(Counting {
            ready: counted.ready(bound, player, room)?,
            counted,
            bound,
        })
    }

    /// The game with twice the bound; whether there is one.
    fn increase(&mut self, player: Player, room: Room) -> bool {
        self.bound *= 2;
        match self.counted.ready(self.bound, player, room) {
            Some(ready) => {
                self.ready = ready;
                true
            }
            None => false,
        }
    }
}

impl Counted {
    /// The safety game of a bound.
    fn ready(&self, bound: usize, player: Player, room: Room) -> Option<Ready> {
        match self {
            Counted::Edges(builder, universal) => {
                let mut builder = builder.clone();
                let exceeded = builder.exceeded(universal, bound).ok()?;
                let objective = match player {
                    Player::System => Objective {
                        won: Literal::FALSE,
                        invariant: !exceeded,
                        colours: Colours::Constant(true),
                    },
                    Player::Environment => Objective {
                        won: exceeded,
                        invariant: Literal::TRUE,
                        colours: Colours::Constant(false),
                    },
                };
                Ready::new(&builder.design, &objective, player, room)
            }
            Counted::Cases(design, objective) => {
                let (design, objective) = counted(design, objective, player, bound, room.cases())?;
                Ready::new(&design, &objective, player, room)
            }
        }
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
