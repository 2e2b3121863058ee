//! Plays of a user against a specification's winner: the system against the counterstrategy,
//! or the environment against a controller.
//!
//! A [`Play`] is a state machine without input and output. Whoever shows it prints what
//! [`Play::prompt`] says, reads a line, and gives it to [`Play::answer`]; or draws what
//! [`Play::view`] has. A play is a function of its moves: who wants to go back begins again
//! with [`Play::restart`] and makes fewer of them.

mod against_circuit;
mod against_counterstrategy;
mod completion;
mod diagnostic_game;
mod duties;
mod outlook;
mod view;

pub use completion::{Candidate, Completion, complete};
pub use diagnostic_game::{DiagnosticGame, Outcome, Standing};
pub(super) use duties::{Duties, FormulasToKeep};
pub(super) use outlook::Outlook;
pub use view::{Choice, Forced, View};

use super::ltl::{Against, Oracle};
use super::{Minimizer, Recording};
use crate::bdd::{self, Limits};
use crate::certify::Realizability;
use crate::load::{AnySpec, LoadedGr1, LoadedLtl};
use crate::source::{Diagnostic, codes::frame};
use crate::spec::ltl::Order;
use crate::synth::circuit::Circuit;
use crate::synth::written::{self, Answer, Winner, synth, winner_of_ltl};
use crate::synth::{self, Event, Unknown, Watch};
use against_circuit::CircuitPlay;

/// What a user has to say in a play, and what becomes of it.
pub trait Play {
    /// Who the user is, and what they have to keep.
    fn greeting(&self) -> String;

    /// What the user sets: `inputs` or `outputs`.
    fn asked(&self) -> &'static str;

    /// What the user should know before the next move.
    fn prompt(&mut self) -> bdd::Result<Vec<String>>;

    /// Makes the user's move, a line of settings. A line that cannot be read changes nothing.
    fn answer(&mut self, line: &str) -> bdd::Result<Result<Turn, Diagnostic>>;

    /// The steps that were made.
    fn recording(&self) -> Recording;

    /// What the user can set now; nothing once the play is over. What is known of the values
    /// is left out.
    fn choices(&self) -> Vec<Choice>;

    /// What the user can set, and what is known of it, as plain data. Which values lose at
    /// once is looked for only if `marks` says so.
    fn view(&mut self, marks: bool) -> bdd::Result<View>;

    /// Begins again.
    fn restart(&mut self) -> Shown;
}

/// What became of a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub lines: Vec<String>,
    pub end: End,
}

/// How a play goes on after a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    GoesOn,
    Over,
    /// The move was not made, since it loses; another one can be. The sentence says so.
    MayTryAgain(String),
}

/// What became of a play.
pub enum Played {
    /// The play was shown to the user; says who wins the specification, and what was played.
    Shown(Realizability, Recording),
    Unknown(Unknown),
}

/// What can be told of a play unless a limit is reached.
pub type Reached<T> = bdd::Result<T>;

/// Whether a play could be shown: a limit may be reached, or a move may be wrong.
pub type Shown = Reached<Result<(), Diagnostic>>;

/// Shows a play of a specification to a user.
pub type User<'u> = dyn FnMut(&mut dyn Play) -> Shown + 'u;

/// Lets a user play against the winner of a specification.
pub fn play(
    spec: &AnySpec,
    limits: &Limits,
    watch: &mut Watch<'_>,
    user: &mut User<'_>,
) -> Result<Played, Vec<Diagnostic>> {
    match spec {
        AnySpec::Gr1(loaded) => of_gr1(loaded, limits, watch, user),
        AnySpec::Ltl(loaded) => of_ltl(loaded, limits, watch, user),
    }
}

fn of_gr1(
    loaded: &LoadedGr1,
    limits: &Limits,
    watch: &mut Watch<'_>,
    user: &mut User<'_>,
) -> Result<Played, Vec<Diagnostic>> {
    watch(Event::Stage("solving the game"));
    let verdict = match synth::gr1::solve(&loaded.strict(), limits.clone()) {
        Ok(Ok(verdict)) => verdict,
        Ok(Err(flaw)) => {
            let message = format!("a verdict was not confirmed: {}", flaw.0);
            return Err(vec![Diagnostic::error(frame::INTERNAL_ERROR, message)]);
        }
        Err(error) => return Ok(Played::Unknown(Unknown::limit(error))),
    };
    if !verdict.is_realizable() {
        let shown = against_counterstrategy::show(loaded, limits, user);
        return finished(shown, verdict);
    }
    let options = written::Options {
        limits: limits.clone(),
        ..written::Options::default()
    };
    match synth(&AnySpec::Gr1(Box::new(loaded.clone())), &options, watch)? {
        Answer::Realizable(made) => {
            let duties = Duties::of_assumptions(&made.controller.judged);
            let mut play = CircuitPlay::new(&made.circuit, duties, true, false)
                .map_err(|error| vec![error])?;
            let shown = user(&mut play);
            finished(shown.map(|shown| shown.map(|()| play.recording())), verdict)
        }
        Answer::Unrealizable(_) => {
            let message = "the specification is realizable, and has no controller";
            Err(vec![Diagnostic::error(frame::INTERNAL_ERROR, message)])
        }
        Answer::Unknown(unknown) => Ok(Played::Unknown(unknown)),
    }
}

fn of_ltl(
    loaded: &LoadedLtl,
    limits: &Limits,
    watch: &mut Watch<'_>,
    user: &mut User<'_>,
) -> Result<Played, Vec<Diagnostic>> {
    let spec = &loaded.spec;
    let environment_first = spec.order == Order::Mealy;
    let (circuit, verdict) = match winner_of_ltl(spec, limits, watch)? {
        Winner::System(circuit, verdict) => (circuit, Realizability::Realizable(verdict)),
        Winner::Environment(circuit, verdict) => (circuit, Realizability::Unrealizable(verdict)),
        Winner::Unknown(unknown) => return Ok(Played::Unknown(unknown)),
    };
    let is_controller = verdict.is_realizable();
    let circuit_first = is_controller != environment_first;
    let (spec, circuit) = match is_controller {
        true => (spec.clone(), circuit),
        false => {
            watch(Event::Stage("looking for a core"));
            let against = Against::core(
                &mut Oracle::new(spec, limits.clone()),
                Minimizer::default(),
                circuit.design,
                Some(verdict.clone()),
            );
            let circuit = Circuit::of_bits(&spec.title, against.circuit);
            (against.spec, circuit)
        }
    };
    let own = FormulasToKeep::new(&spec, &circuit, is_controller)?;
    let duties = Duties::of_formulas(&own);
    let mut play = CircuitPlay::new(&circuit, duties, is_controller, circuit_first)
        .map_err(|error| vec![error])?;
    let shown = user(&mut play);
    finished(shown.map(|shown| shown.map(|()| play.recording())), verdict)
}

fn finished(
    shown: Result<Result<Recording, Diagnostic>, impl Into<Unknown>>,
    verdict: Realizability,
) -> Result<Played, Vec<Diagnostic>> {
    match shown {
        Ok(Ok(recording)) => Ok(Played::Shown(verdict, recording)),
        Ok(Err(diagnostic)) => Err(vec![diagnostic]),
        Err(unknown) => Ok(Played::Unknown(unknown.into())),
    }
}
