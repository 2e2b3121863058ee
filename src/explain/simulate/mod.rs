//! Running a controller of a realizable specification, and judging what it should have done.

mod edited;
mod guided;
mod strategy;
mod template;

pub use edited::{Breach, Edited, judge_edited};
pub use strategy::Simulation;
pub use template::{Template, TemplateStep};

use super::play::{Duties, FormulasToKeep};
use super::settings::{parse_line, parse_ports};
use super::{Recording, told};
use crate::bdd::Limits;
use crate::certify::{Certified, Realizability, Realizable, Unrealizable};
use crate::game::gr1::{Gr1Game, Selection};
use crate::load::{AnySpec, LoadedGr1, LoadedLtl};
use crate::random::Random;
use crate::source::{Diagnostic, codes::frame};
use crate::spec::gr1::{Gr1, Player, Value, VariableId};
use crate::synth::circuit::Circuit;
use crate::synth::run::Runner;
use crate::synth::written::{self, Answer, Winner, synth, winner_of_ltl};
use crate::synth::{self, Unknown, Watch};
use std::collections::HashSet;

/// Where the inputs of a simulation come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Inputs {
    Random {
        seed: u64,
        steps: usize,
    },
    /// Chosen while it runs: some that help what is assumed to recur, or lead to new states.
    Guided {
        seed: u64,
        steps: usize,
    },
    /// One line of settings for each step.
    Script(String),
}

/// A run of a controller.
pub struct Simulated {
    pub verdict: Certified<Realizable>,
    pub recording: Recording,
    /// Why it is shorter than asked for.
    pub end: Option<SimulationEnd>,
    pub notes: Vec<String>,
}

/// Why a simulation ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SimulationEnd {
    /// The environment has no move that keeps its assumptions.
    NoInput,
    /// No input that was tried keeps them.
    NoInputFound,
}

impl Simulated {
    fn new(verdict: Certified<Realizable>, ran: Ran) -> Simulated {
        Simulated {
            verdict,
            recording: ran.recording,
            end: ran.end,
            notes: ran.notes,
        }
    }
}

/// What the run of a controller came to.
#[derive(Default)]
struct Ran {
    recording: Recording,
    end: Option<SimulationEnd>,
    notes: Vec<String>,
}

pub enum SimulationAnswer {
    Ran(Simulated),
    Unrealizable(Certified<Unrealizable>),
    Unknown(Unknown),
}

/// Runs a controller. Specifications in LTL have no random inputs: these are guided.
pub fn simulate(
    spec: &AnySpec,
    inputs: &Inputs,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<SimulationAnswer, Vec<Diagnostic>> {
    match (spec, inputs) {
        (AnySpec::Gr1(loaded), Inputs::Guided { seed, steps }) => {
            guided_gr1(loaded, *seed, *steps, limits, watch)
        }
        (AnySpec::Gr1(loaded), Inputs::Random { seed, steps }) => {
            let inputs = Gr1Inputs::Random(Random::new(*seed), *steps);
            of_gr1(&loaded.strict(), inputs, limits)
        }
        (AnySpec::Gr1(loaded), Inputs::Script(text)) => {
            let spec = loaded.strict();
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            let steps: Result<Vec<_>, Diagnostic> = lines
                .map(|line| parse_line(&spec, line, &[Player::Environment]))
                .collect();
            let inputs = Gr1Inputs::Script(steps.map_err(|error| vec![error])?);
            of_gr1(&spec, inputs, limits)
        }
        (AnySpec::Ltl(loaded), inputs) => of_ltl(loaded, inputs, limits, watch),
    }
}

fn guided_gr1(
    loaded: &LoadedGr1,
    seed: u64,
    steps: usize,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<SimulationAnswer, Vec<Diagnostic>> {
    let options = written::Options {
        limits: limits.clone(),
        ..written::Options::default()
    };
    let spec = AnySpec::Gr1(Box::new(loaded.clone()));
    let made = match synth(&spec, &options, watch)? {
        Answer::Realizable(made) => made,
        Answer::Unrealizable(verdict) => return Ok(SimulationAnswer::Unrealizable(verdict)),
        Answer::Unknown(unknown) => return Ok(SimulationAnswer::Unknown(unknown)),
    };
    let duties = Duties::of_assumptions(&made.controller.judged);
    let run = guided::guided(&made.circuit, duties, steps, seed);
    let ran = run.map_err(|error| vec![error])?;
    let verdict = made.controller.realizable(spec.name());
    Ok(SimulationAnswer::Ran(Simulated::new(verdict, ran)))
}

fn of_ltl(
    loaded: &LoadedLtl,
    inputs: &Inputs,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<SimulationAnswer, Vec<Diagnostic>> {
    let (circuit, verdict) = match winner_of_ltl(&loaded.spec, limits, watch)? {
        Winner::System(circuit, verdict) => (circuit, verdict),
        Winner::Environment(_, verdict) => return Ok(SimulationAnswer::Unrealizable(verdict)),
        Winner::Unknown(unknown) => return Ok(SimulationAnswer::Unknown(unknown)),
    };
    let assumptions = FormulasToKeep::new(&loaded.spec, &circuit, true)?;
    let duties = Duties::of_formulas(&assumptions);
    let run = match inputs {
        Inputs::Script(script) => scripted(&circuit, duties, script),
        Inputs::Random { seed, steps } | Inputs::Guided { seed, steps } => {
            guided::guided(&circuit, duties, *steps, *seed)
        }
    };
    let ran = run.map_err(|error| vec![error])?;
    Ok(SimulationAnswer::Ran(Simulated::new(verdict, ran)))
}

/// A run with given inputs, one line for each step. What they break is said and not mended.
fn scripted(circuit: &Circuit, mut duties: Duties<'_>, script: &str) -> Result<Ran, Diagnostic> {
    let mut runner = Runner::new(circuit, duties.judged())?;
    let mut recording = Recording::of_circuit(circuit, true);
    let mut notes = Vec::new();
    let mut known = HashSet::new();
    for given in script.lines().filter(|line| !line.starts_with('#')) {
        let bits = parse_ports(circuit, given)?;
        recording.add(&runner.look(&|port, bit| bits[port][bit]));
        let kept = duties.kept(&runner).into_iter().enumerate();
        let broken = kept.filter(|(_, lanes)| lanes & 1 == 0);
        let broken: Vec<usize> = broken.map(|(duty, _)| duty).collect();
        let new: Vec<usize> = (broken.into_iter())
            .filter(|duty| known.insert(*duty))
            .collect();
        if !new.is_empty() {
            notes.push(format!(
                "in step {} the given inputs break {}",
                runner.steps,
                duties.broken(&new)
            ));
        }
        duties.step(&runner);
        runner.advance();
    }
    Ok(Ran {
        recording,
        notes,
        ..Ran::default()
    })
}

enum Gr1Inputs {
    Random(Random, usize),
    Script(Vec<Vec<(VariableId, Value)>>),
}

impl Gr1Inputs {
    fn steps(&self) -> usize {
        match self {
            Gr1Inputs::Random(_, steps) => *steps,
            Gr1Inputs::Script(lines) => lines.len(),
        }
    }

    fn wanted(&mut self, spec: &Gr1, step: usize) -> Vec<(VariableId, Value)> {
        match self {
            Gr1Inputs::Random(random, _) => spec
                .variable_ids()
                .filter(|id| spec.variable(*id).owner == Player::Environment)
                .map(|id| (id, *random.pick(&spec.variable(id).domain.values())))
                .collect(),
            Gr1Inputs::Script(lines) => lines[step].clone(),
        }
    }
}

fn of_gr1(
    spec: &Gr1,
    inputs: Gr1Inputs,
    limits: &Limits,
) -> Result<SimulationAnswer, Vec<Diagnostic>> {
    let ran = || -> Result<Result<SimulationAnswer, Vec<Diagnostic>>, Unknown> {
        let game = Gr1Game::new(spec, limits.clone())?;
        let rules = game.rules(&Selection::everything(spec))?;
        let solution = rules.solve()?;
        let verdict = match synth::gr1::certified(&game, &rules, &solution)? {
            Ok(Realizability::Realizable(verdict)) => verdict,
            Ok(Realizability::Unrealizable(verdict)) => {
                return Ok(Ok(SimulationAnswer::Unrealizable(verdict)));
            }
            Err(flaw) => return Ok(Err(unconfirmed(&flaw.0))),
        };
        let simulation = Simulation::new(&game, rules, solution);
        let ran = run(spec, simulation, inputs)?;
        Ok(Ok(SimulationAnswer::Ran(Simulated::new(verdict, ran))))
    };
    match ran() {
        Ok(answer) => answer,
        Err(unknown) => Ok(SimulationAnswer::Unknown(unknown)),
    }
}

/// A run of the winning strategy.
fn run(spec: &Gr1, mut simulation: Simulation<'_>, mut inputs: Gr1Inputs) -> Result<Ran, Unknown> {
    let is_script = matches!(inputs, Gr1Inputs::Script(_));
    let mut end = None;
    let mut states: Vec<Vec<Value>> = Vec::new();
    let mut goals = Vec::new();
    let mut bent = 0;
    for step in 0..inputs.steps() {
        let wanted = inputs.wanted(spec, step);
        let find = |id: VariableId| {
            let mut wanted = wanted.iter();
            wanted
                .find(|(other, _)| *other == id)
                .map(|(_, value)| *value)
        };
        let goal = simulation.goal();
        let Some(values) = simulation.step(&find)? else {
            end = Some(SimulationEnd::NoInput);
            break;
        };
        let differs = |(id, value): &(VariableId, Value)| values[id.0 as usize] != *value;
        bent += usize::from(is_script && wanted.iter().any(differs));
        states.push(values);
        goals.push(goal.map(|id| spec.constraint(id).name.clone()));
    }
    let shown: Vec<VariableId> = spec
        .variable_ids()
        .filter(|id| !spec.variable(*id).is_auxiliary())
        .collect();
    let (run, meanings) = told::run(spec, &shown, states.len(), &|id, step| {
        states[step].get(id.0 as usize).copied()
    });
    let note = format!(
        "in {bent} steps the given inputs would have broken an assumption, and were changed"
    );
    Ok(Ran {
        recording: Recording {
            run,
            meanings,
            goals,
        },
        end,
        notes: (bent > 0).then_some(note).into_iter().collect(),
    })
}

fn unconfirmed(flaw: &str) -> Vec<Diagnostic> {
    let message = format!("a verdict was not confirmed: {flaw}");
    vec![Diagnostic::error(frame::INTERNAL_ERROR, message)]
}
