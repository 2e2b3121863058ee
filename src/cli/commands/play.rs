//! `respin play`: the user plays the system against the counterstrategy, or the environment
//! against a controller.
//!
//! Moves come from a file, or line by line from standard input; then the dialogue is on
//! standard error, and standard output has the verdict and the whole play.

use super::against::{Moves, Transcript};
use super::{controller, ltl};
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_text;
use crate::cli::request::PlayRequest;
use crate::cli::settings::{line, parse_line};
use crate::cli::specification::read_spec;
use crate::explain::{
    Counterstrategy, Minimizer, Narrator, Oracle, Outcome, Play, Semantics, core,
};
use crate::game::gr1::Gr1Game;
use crate::load::AnySpec;
use crate::report::{Body, Report, Verdict};
use crate::source::Diagnostic;
use crate::spec::gr1::{ConstraintId, Gr1, Player};

pub fn play(request: &PlayRequest, context: &mut Context) -> Result<Report, Failure> {
    let read = match read_spec(&request.spec, context)? {
        AnySpec::Gr1(read) => read,
        AnySpec::Ltl(read) => return ltl::play(&read, request, context),
    };
    let moves = match &request.moves {
        Some(path) => Some(read_text(path)?),
        None => None,
    };
    let stopped =
        |error: crate::bdd::Error| Ok(Report::verdict(Verdict::Unknown).because(error.to_string()));
    let game = match Gr1Game::new(&read.spec, context.limits.for_diagrams()) {
        Ok(game) => game,
        Err(error) => return stopped(error),
    };
    let mut source = Moves::new(moves.clone(), "outputs");
    match run(&game, read.semantics, &mut source) {
        Ok(Ok(Some(report))) => Ok(report),
        Ok(Ok(None)) => controller::play(&read, Moves::new(moves, "inputs"), context),
        Ok(Err(failure)) => Err(failure),
        Err(error) => stopped(error),
    }
}

/// `None` if the environment does not win.
fn run(
    game: &Gr1Game,
    semantics: Semantics,
    moves: &mut Moves,
) -> crate::bdd::Result<Result<Option<Report>, Failure>> {
    let spec = game.spec();
    let mut oracle = Oracle::new(game, semantics);
    let Some(core) = core(&mut oracle, Minimizer::DeltaDebugging, true)? else {
        return Ok(Ok(None));
    };
    let selection = oracle.selection(&core);
    let Some(strategy) = Counterstrategy::new(oracle.rules(&core)?)? else {
        return Ok(Ok(Some(
            Report::verdict(Verdict::Unknown).because("the core is realizable"),
        )));
    };
    let narrator = Narrator::new(game, &selection, &strategy)?;
    let Some(mut play) = Play::new(&narrator)? else {
        return Ok(Ok(Some(
            Report::verdict(Verdict::Unknown).because("no first input wins"),
        )));
    };
    let mut transcript = Transcript {
        text: String::new(),
        spoken: moves.is_terminal(),
    };
    let guarantees: Vec<ConstraintId> = spec
        .constraint_ids()
        .filter(|id| {
            oracle
                .number(crate::explain::Element::Guarantee(*id))
                .is_some()
        })
        .filter(|id| selection.has(*id))
        .collect();
    transcript.say(&format!(
        "You are the system, and have to keep {}.",
        list(spec, &guarantees)
    ));
    while !play.is_over() {
        transcript.say(&format!(
            "step {}: {}",
            play.steps(),
            line(spec, &play.input())
        ));
        if let Some(standing) = play.standing()? {
            let works = standing
                .assumption
                .map_or("nothing that has to recur".to_string(), |id| {
                    format!("`{}`", spec.constraint(id).name)
                });
            let prevents = match standing.goal {
                Some(id) => format!("prevents `{}`", spec.constraint(id).name),
                None => "forces a violation".to_string(),
            };
            transcript.say(&format!(
                "  the environment works for {works} and {prevents}; iterate {}",
                standing.iterate
            ));
        }
        let forced: Vec<_> = play
            .outputs()?
            .into_iter()
            .filter_map(|(id, value)| Some((id, value?)))
            .collect();
        if !forced.is_empty() {
            transcript.say(&format!("  forced: {}", line(spec, &forced)));
        }
        let Some(text) = moves.next() else {
            transcript.say("The play was left.");
            break;
        };
        if text.trim() == "quit" {
            transcript.say("The play was left.");
            break;
        }
        let given = match parse_line(spec, &text, &[Player::System]) {
            Ok(given) => given,
            Err(problem) if moves.is_terminal() => {
                transcript.say(&say_problem(&problem));
                continue;
            }
            Err(problem) => return Ok(Err(problem.into())),
        };
        transcript.say(&format!("  you: {}", line(spec, &given)));
        let end = match play.answer(&given)? {
            Outcome::GoesOn => None,
            Outcome::Broken(ids) => {
                Some(format!("You have lost: that breaks {}.", list(spec, &ids)))
            }
            Outcome::Stuck(ids) => Some(format!(
                "You have lost: after {} no answer keeps {}.",
                line(spec, &play.input()),
                list(spec, &ids)
            )),
            Outcome::Repeats { step, goal } => {
                let goal = goal.map_or("some goal".to_string(), |id| {
                    format!("`{}`", spec.constraint(id).name)
                });
                transcript.say(&format!(
                    "  The play is where it was after step {step}; going on like this, you lose \
                     {goal}."
                ));
                None
            }
        };
        if let Some(sentence) = end {
            transcript.say(&sentence);
        }
    }
    let mut report = Report::verdict(Verdict::Unrealizable)
        .because("the environment wins, whatever the system does");
    report.body = Body::Play(transcript.text);
    Ok(Ok(Some(report)))
}

fn say_problem(problem: &Diagnostic) -> String {
    match &problem.help {
        Some(help) => format!("{}; {help}", problem.message),
        None => problem.message.clone(),
    }
}

fn list(spec: &Gr1, ids: &[ConstraintId]) -> String {
    let names: Vec<String> = ids
        .iter()
        .map(|id| format!("`{}`", spec.constraint(*id).name))
        .collect();
    names.join(", ")
}
