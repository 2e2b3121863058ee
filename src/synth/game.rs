//! Whether a system can keep the properties of an AIGER file with open inputs, and how.
//!
//! Inputs called `controllable_...` are the system's. If it wins, logic takes the place of
//! these inputs, and the file is written, read again from its bytes and model-checked. If the
//! environment wins, its strategy takes the place of the others, and it is model-checked that
//! each run then breaks a property.

use super::player::{Turn, drive, inputs_of, state_sets};
use super::{Event, SynthError, Unknown, Watch, ranked_refutation};
use crate::bdd::{self, Bdd, Limits};
use crate::certify::{self, Certified, Check, Controller, Refutation, StateSets};
use crate::design::aiger::{AigerFile, Form};
use crate::design::{InputKind, Literal};
use crate::expr::Role;
use crate::game::{self, Arena, Budget, Game, Objective, Solution, Strategy, Winner};
use crate::source::Diagnostic;
use crate::source::codes::{certify as certify_codes, frame, game as codes};

/// Up to this many latches it is tried to find the states that a controller visits, and that
/// is worth so much work of the manager, and so many nodes: a single step may be as large as
/// all others together.
const FEW_LATCHES: usize = 100;
const EFFORT: u64 = 5_000_000;
const NODES: usize = 500_000;

/// How the controller is written, and what limits the work.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    pub form: Form,
}

/// Who wins, with a certified strategy.
pub enum Answer {
    Realizable {
        controller: Box<Certified<Controller>>,
        /// How many gates take the place of the system's inputs.
        gates: usize,
    },
    Unrealizable(Box<Certified<Refutation>>),
    Unknown(Unknown),
}

/// Solves the game of a file, and makes and certifies the winner's strategy.
pub fn solve(
    file: &AigerFile,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Answer, Vec<Diagnostic>> {
    check_game(file).map_err(|error| vec![error])?;
    watch(Event::Stage("solving the game"));
    let mut steps = 0;
    let solved = Solved::new(file, &options.limits, &mut |ahead| {
        steps = ahead;
        watch(Event::Status(&format!(
            "solving the game: {ahead} steps ahead"
        )));
    });
    let solved = match solved {
        Ok(solved) => solved,
        Err(SynthError::Limit(error)) => return Ok(Answer::Unknown(unsolved(error, steps))),
        Err(SynthError::Diagnostic(diagnostic)) => return Err(vec![*diagnostic]),
    };
    match solved.solution.winner() {
        Winner::System => solved.realizable(options, watch),
        Winner::Environment => solved.unrealizable(options, watch),
    }
}

/// Refuses files that no game can be made of.
fn check_game(file: &AigerFile) -> Result<(), Diagnostic> {
    file.design.check()?;
    let properties = file.properties();
    if properties.iter().all(|item| item.role == Role::Assume) {
        let message = "the file has neither bad signals nor outputs, so every controller will do";
        return Err(Diagnostic::error(certify_codes::NOTHING_TO_CHECK, message)
            .help("list what must not happen as an output or in the bad section"));
    }
    if file.justice.len() > 1 {
        let message = "several justice properties at once cannot be solved yet";
        let mut diagnostic = Diagnostic::error(codes::OBJECTIVE_NOT_SUPPORTED, message)
            .help("a controller for all of them must be one for each: solve them one by one");
        for span in file.justice.iter().filter_map(|one| one.span) {
            diagnostic = diagnostic.at(span, "this property");
        }
        return Err(diagnostic);
    }
    Ok(())
}

fn unsolved(error: bdd::Error, steps: usize) -> Unknown {
    let note = match steps {
        0 => "not even one step was looked ahead".to_string(),
        1 => "the environment cannot win in one step".to_string(),
        steps => format!("the environment cannot win within {steps} steps"),
    };
    Unknown {
        notes: vec![note],
        ..Unknown::limit(error)
    }
}

/// What is wrong is ours: the solver's answer does not stand the check.
fn internal(message: &str) -> Vec<Diagnostic> {
    vec![Diagnostic::error(frame::INTERNAL_ERROR, message)]
}

/// What the sections of a file ask of the players. To violate a justice property is to visit
/// all of it, and all of fairness, again and again: so these are what the environment has to
/// do, and the system's goal is one that it never reaches.
fn arena(file: &AigerFile, guarantee: &[Literal]) -> Arena {
    let mut design = file.design.clone();
    let mut objective = Objective::invariant(design.and_all(guarantee.iter().copied()));
    let constraints = file.constraints.iter().map(|one| one.literal);
    objective.assumption = design.and_all(constraints);
    // `check_game` has refused files with several of them.
    if let Some(justice) = file.justice.first() {
        let fairness = file.fairness.iter().map(|one| one.literal);
        objective.assumed_recurrences = justice.literals.clone();
        objective.assumed_recurrences.extend(fairness);
        objective.goals = vec![Literal::FALSE];
    }
    Arena {
        design,
        objective,
        automaton_choices: Vec::new(),
    }
}

/// What must never be false.
fn guarantee(file: &AigerFile) -> Vec<Literal> {
    if file.outputs_are_bad() {
        let outputs = file.design.outputs().iter();
        outputs.map(|output| !output.literal).collect()
    } else {
        file.bad.iter().map(|bad| !bad.literal).collect()
    }
}

/// A game that was solved.
struct Solved<'a> {
    file: &'a AigerFile,
    /// The file with gates for the system's inputs that are [defined](crate::game::defined).
    defined: AigerFile,
    /// Whether sets of states of the game say the same of the file as it was given.
    is_exact: bool,
    /// The game of `defined`.
    arena: Arena,
    game: Game,
    solution: Solution,
    limits: Limits,
}

impl<'a> Solved<'a> {
    fn new(
        file: &'a AigerFile,
        limits: &Limits,
        watch: &mut dyn FnMut(usize),
    ) -> Result<Solved<'a>, SynthError> {
        let mut defined = file.clone();
        let mut conjuncts = guarantee(file);
        let mut is_exact = true;
        if file.constraints.is_empty()
            && let Some(found) = game::defined(&file.design, &conjuncts)
        {
            defined.design = found.design;
            conjuncts = found.guarantee;
            is_exact = !found.is_delayed;
        }
        let arena = arena(&defined, &conjuncts);
        let swept = Arena {
            design: arena.design.without_redundant_latches(),
            ..arena.clone()
        };
        let game = Game::arranged(&swept, limits.clone())?;
        let solution = game.solve_watched(watch)?;
        Ok(Solved {
            file,
            defined,
            is_exact,
            arena,
            game,
            solution,
            limits: limits.clone(),
        })
    }

    fn realizable(
        self,
        options: &Options,
        watch: &mut Watch<'_>,
    ) -> Result<Answer, Vec<Diagnostic>> {
        watch(Event::Stage("the system wins; making a controller"));
        let unknown =
            |what: &str, error| Ok(Answer::Unknown(Unknown::uncertified(true, what, error)));
        let (written, claim) = match self.controller() {
            Ok(made) => made,
            Err(error) => return unknown("no strategy was made", error),
        };
        let before = self.file.design.gates().count();
        // The solver's memory may be needed for the check.
        drop(self);
        let bytes = written.bytes(options.form).map_err(|error| vec![error])?;
        watch(Event::Stage("certifying the controller"));
        match certify::game_controller(bytes, claim.as_ref(), &options.limits)? {
            Check::Certified(controller) => Ok(Answer::Realizable {
                gates: controller.design.gates().count().saturating_sub(before),
                controller: Box::new(controller),
            }),
            Check::Unknown(error) => unknown("the controller was not certified", error),
            Check::NotShown(_) => Err(internal("a controller that was made breaks a property")),
        }
    }

    fn unrealizable(
        self,
        options: &Options,
        watch: &mut Watch<'_>,
    ) -> Result<Answer, Vec<Diagnostic>> {
        watch(Event::Stage("the environment wins; making its strategy"));
        let unknown =
            |what: &str, error| Ok(Answer::Unknown(Unknown::uncertified(false, what, error)));
        // A system that does not keep to a definition has lost, whatever comes then.
        let whole = arena(self.file, &guarantee(self.file));
        let (design, ranking) = match ranked_refutation(&whole, &self.game, &self.solution) {
            Ok((design, ranking)) => (design, ranking.filter(|_| self.is_exact)),
            Err(SynthError::Limit(error)) => return unknown("no strategy was made", error),
            Err(SynthError::Diagnostic(diagnostic)) => return Err(vec![*diagnostic]),
        };
        let file = self.file;
        drop(self);
        watch(Event::Stage("certifying the counterstrategy"));
        let spec = certify::properties_of_game(file)?;
        let (open, limits) = (&file.design, &options.limits);
        let check = match &ranking {
            Some(ranking) => certify::ranked_refutation_of(open, &design, &spec, ranking, limits)?,
            None => certify::refutation_of(open, &design, &spec, limits)?,
        };
        match check {
            Check::Certified(refutation) => Ok(Answer::Unrealizable(Box::new(refutation))),
            Check::Unknown(error) => unknown("the environment's strategy was not certified", error),
            Check::NotShown(_) => Err(internal("a strategy of the environment does not win")),
        }
    }

    /// The file with gates in place of the system's inputs, and states that are not left. For
    /// a goal that has to be reached the latter would not be enough.
    fn controller(&self) -> bdd::Result<(AigerFile, Option<StateSets>)> {
        let strategy = self.game.strategy(&self.solution)?;
        let visited = self.visited(&strategy)?;
        let care = self.game.decisions(&visited)?;
        let is_safety = self.arena.objective.goals.is_empty();
        let claim = (is_safety && self.is_exact).then(|| {
            let left = InputKind::Environment;
            state_sets(&self.defined.design, &self.game, &[visited], left)
        });
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
        let mut file = self.defined.clone();
        let inputs = inputs_of(&file.design, InputKind::Choice);
        drive(&mut file.design, &self.game, &inputs, &turns)?;
        file.layout.forget_symbols();
        Ok((file, claim))
    }

    /// The states that plays visit if the system keeps to the strategy, or all from which it
    /// wins if finding out takes long. The fewer they are, the simpler the controller is.
    fn visited(&self, strategy: &Strategy) -> bdd::Result<Bdd> {
        let winning = &self.solution.winning;
        let [moves] = strategy.moves.as_slice() else {
            return Ok(winning.clone());
        };
        if self.game.state().len() > FEW_LATCHES {
            return Ok(winning.clone());
        }
        let start = self.game.initial()?;
        let steps = moves.and(self.game.assumption())?;
        let budget = Budget {
            work: Some(EFFORT),
            ..Budget::of_nodes(NODES)
        };
        let visited = budget.search(winning.manager(), &self.limits, || {
            let image = self.game.image()?;
            image.reachable_within(&start, &steps, EFFORT)
        });
        Ok(visited?.unwrap_or_else(|| winning.clone()))
    }
}
