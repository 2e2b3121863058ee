//! Whether a system can keep the properties of a file with open inputs, and how.
//!
//! Enters: an AIGER file whose `controllable_...` inputs are the system's. Leaves: either
//! the file with logic in their place ([`controller`](Answer::Realizable)), or the design
//! with logic in place of the environment's inputs, such that the properties break whatever
//! the system does ([`Refutation`]). Neither is certified here: `certify` shares nothing
//! with this stage, and the command calls it.

pub mod circuit;
mod clusters;
pub mod controller;
pub mod explicit;
mod functions;
mod gates;
pub mod gr1;
pub mod ltl;
mod player;
pub mod run;
pub mod verilog;
mod visited;
pub mod written;

use crate::bdd::{self, Bdd};
use crate::design::aiger::AigerFile;
use crate::design::{Design, InputKind, Literal, Node, NodeId, Reset};
use crate::game::{Arena, Counterstrategy, Game, Objective, Solution, Strategy, Winner};
use crate::source::Diagnostic;
use player::{Turn, drive};

/// Up to this many latches it is tried to find the states that a controller visits, and that
/// is worth so many look-ups of the computed table.
const FEW_LATCHES: usize = 100;
const EFFORT: u64 = 5_000_000;

pub enum Answer {
    Realizable(Box<AigerFile>),
    Unrealizable(Box<Refutation>),
}

/// The environment's way to win.
pub struct Refutation {
    /// The design of the file with the environment's inputs driven, and with the inputs that
    /// were the system's left to anybody. Literals of the file mean the same here.
    pub design: Design,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum SynthError {
    Diagnostic(Box<Diagnostic>),
    /// Several justice properties: each is a GR(1) condition, but not all together.
    SeveralJustice,
    Limit(bdd::Error),
}

impl From<Diagnostic> for SynthError {
    fn from(diagnostic: Diagnostic) -> SynthError {
        SynthError::Diagnostic(Box::new(diagnostic))
    }
}

impl From<bdd::Error> for SynthError {
    fn from(error: bdd::Error) -> SynthError {
        SynthError::Limit(error)
    }
}

/// A game that was solved; strategies are made when they are asked for.
pub struct Solved<'a> {
    file: &'a AigerFile,
    arena: Arena,
    game: Game,
    solution: Solution,
}

/// Solves the game of a file. `watch` is told each time that so many steps have been looked
/// ahead in which the environment cannot win yet.
pub fn solve<'a>(
    file: &'a AigerFile,
    limits: &bdd::Limits,
    watch: &mut dyn FnMut(usize),
) -> Result<Solved<'a>, SynthError> {
    let arena = arena(file)?;
    let swept = Arena {
        design: arena.design.without_redundant_latches(),
        ..arena.clone()
    };
    let game = Game::new(&swept, limits.clone())?;
    let solution = game.solve_watched(watch)?;
    Ok(Solved {
        file,
        arena,
        game,
        solution,
    })
}

/// What the sections of a file ask of the players. To violate a justice property is to visit
/// all of it, and all of fairness, again and again: so these are what the environment has to
/// do, and the system's goal is one that it never reaches.
fn arena(file: &AigerFile) -> Result<Arena, SynthError> {
    let mut design = file.design.clone();
    let outputs = file.design.outputs().iter().map(|output| output.literal);
    let bad: Vec<Literal> = if file.outputs_are_bad() {
        outputs.collect()
    } else {
        file.bad.iter().map(|bad| bad.literal).collect()
    };
    let constraints = file.constraints.iter().map(|one| one.literal);
    let mut objective = Objective::invariant(design.and_all(bad.iter().map(|bad| !*bad)));
    objective.assumption = design.and_all(constraints);
    match file.justice.as_slice() {
        [] => {}
        [justice] => {
            let fairness = file.fairness.iter().map(|one| one.literal);
            objective.assumed_recurrences = justice.literals.clone();
            objective.assumed_recurrences.extend(fairness);
            objective.goals = vec![Literal::FALSE];
        }
        _ => return Err(SynthError::SeveralJustice),
    }
    Ok(Arena {
        design,
        objective,
        automaton_choices: Vec::new(),
    })
}

impl Solved<'_> {
    pub fn winner(&self) -> Winner {
        self.solution.winner()
    }

    /// The winner's strategy as a circuit.
    pub fn answer(&self) -> Result<Answer, SynthError> {
        match self.winner() {
            Winner::System => Ok(Answer::Realizable(Box::new(self.controller()?))),
            Winner::Environment => Ok(Answer::Unrealizable(Box::new(self.refutation()?))),
        }
    }

    /// The file with gates in place of the system's inputs.
    fn controller(&self) -> Result<AigerFile, SynthError> {
        let strategy = self.game.strategy(&self.solution)?;
        let care = self.visited(&strategy)?;
        let care = self.game.decisions(&care)?;
        // There is one goal at most, so no turns to take.
        let turns: Vec<Turn> = strategy
            .moves
            .iter()
            .map(|moves| Turn {
                moves,
                care: care.clone(),
                done: Literal::TRUE,
            })
            .collect();
        let mut file = self.file.clone();
        let inputs = inputs_of(&file.design, InputKind::Choice);
        drive(&mut file.design, &self.game, &inputs, &turns)?;
        file.layout.forget_symbols();
        Ok(file)
    }

    /// The states that plays visit if the system keeps to the strategy, or all from which it
    /// wins if finding out takes long. The fewer they are, the simpler the controller is.
    fn visited(&self, strategy: &Strategy) -> Result<Bdd, SynthError> {
        let winning = &self.solution.winning;
        let [moves] = strategy.moves.as_slice() else {
            return Ok(winning.clone());
        };
        if self.game.state().len() > FEW_LATCHES {
            return Ok(winning.clone());
        }
        let start = self.game.initial()?;
        let steps = moves.and(self.game.assumption())?;
        let visited = self
            .game
            .image()?
            .reachable_within(&start, &steps, EFFORT)?;
        Ok(visited.unwrap_or_else(|| winning.clone()))
    }

    fn refutation(&self) -> Result<Refutation, SynthError> {
        let design = refutation(&self.arena, &self.game)?;
        Ok(Refutation { design })
    }
}

/// The design of a game that the environment wins, with its strategy in place of its inputs
/// and with the system's choices left to anybody.
pub fn refutation(arena: &Arena, game: &Game) -> Result<Design, SynthError> {
    let Some(counterstrategy) = game.counterstrategy()? else {
        let message = "the two fixpoints of a game disagree";
        let code = crate::source::codes::frame::INTERNAL_ERROR;
        return Err(Diagnostic::error(code, message).into());
    };
    let assumed = &arena.objective.assumed_recurrences;
    let care = counterstrategy.winning.and(game.care())?;
    let turns: Vec<Turn> = counterstrategy
        .moves
        .iter()
        .enumerate()
        .map(|(place, moves)| Turn {
            moves,
            care: care.clone(),
            done: assumed.get(place).copied().unwrap_or(Literal::TRUE),
        })
        .collect();
    let mut design = arena.design.clone();
    choose_start(&mut design, game, &counterstrategy)?;
    let inputs = inputs_of(&design, InputKind::Environment);
    drive(&mut design, game, &inputs, &turns)?;
    for id in inputs_of(&design, InputKind::Choice) {
        design.replace(id, Node::Input(InputKind::Environment));
    }
    Ok(design)
}

/// Lets the latches that start as the environment likes start where it wins.
fn choose_start(
    design: &mut Design,
    game: &Game,
    counterstrategy: &Counterstrategy,
) -> Result<(), SynthError> {
    let start = game.initial()?.and(&counterstrategy.winning)?;
    let values = start.pick_cube().unwrap_or_default();
    for id in design.latches().to_vec() {
        let is_free = design.latch(id).map(|latch| latch.reset) == Some(Reset::Free);
        if is_free {
            let own = values
                .iter()
                .find(|(variable, _)| game.variable(id) == Some(*variable));
            let reset = match own {
                Some((_, true)) => Reset::One,
                _ => Reset::Zero,
            };
            design.set_reset(id, reset);
        }
    }
    Ok(())
}

fn inputs_of(design: &Design, kind: InputKind) -> Vec<NodeId> {
    let inputs = design.inputs().iter().copied();
    inputs
        .filter(|id| design.input_kind(*id) == Some(kind))
        .collect()
}
