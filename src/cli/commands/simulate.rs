//! `respin simulate`: runs a controller of a realizable specification, and turns what it
//! should have done into a guarantee.
//!
//! The trace is printed one line for each step, in the form in which it can be edited.

use super::{controller, guide, ltl};
use crate::bdd;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_text;
use crate::cli::request::SimulateRequest;
use crate::cli::settings::{line, parse_line};
use crate::cli::specification::read_spec;
use crate::explain::{
    Element, Minimizer, Oracle, Semantics, Simulation, Template, TemplateStep, core,
};
use crate::game::gr1::Gr1Game;
use crate::load::AnySpec;
use crate::random::Random;
use crate::report::{Body, Report, Verdict};
use crate::source::{Diagnostic, codes::explanation as codes};
use crate::spec::gr1::{Gr1, Player, Value, VariableId};
use crate::synth::explicit::Judged;
use std::fmt::Write;

/// The word that marks where an edited trace goes on after its last step.
const LOOP: &str = "loop:";

pub fn simulate(request: &SimulateRequest, context: &mut Context) -> Result<Report, Failure> {
    let read = match read_spec(&request.spec, context)? {
        AnySpec::Gr1(read) => read,
        AnySpec::Ltl(read) => return ltl::simulate(&read, request, context),
    };
    if request.guided {
        let spec = read.strict();
        let (written, question) = match controller::certified(&spec, context)? {
            Ok(made) => made,
            Err(report) => return Ok(report),
        };
        let judged = Judged {
            design: &question.design,
            assumed: question.assumed,
            recurrences: &question.recurrences,
        };
        return guide::guided(&written.circuit, &judged, request.steps, request.seed);
    }
    let limits = context.limits.for_diagrams();
    let spec = read.strict();
    let result = match (&request.edited, &request.script) {
        (Some(path), _) => {
            let template = template(&spec, &read_text(path)?)?;
            judge(&spec, &template, limits)
        }
        (None, Some(path)) => {
            let text = read_text(path)?;
            let mut steps = Vec::new();
            for text in text.lines().filter(|line| !line.starts_with('#')) {
                steps.push(parse_line(&spec, text, &[Player::Environment])?);
            }
            run(&spec, Inputs::Script(steps), limits)
        }
        (None, None) => run(
            &spec,
            Inputs::Random {
                seed: request.seed,
                steps: request.steps,
            },
            limits,
        ),
    };
    match result {
        Ok(report) => Ok(report),
        Err(error) => Ok(Report::verdict(Verdict::Unknown).because(error.to_string())),
    }
}

enum Inputs {
    Random { seed: u64, steps: usize },
    Script(Vec<Vec<(VariableId, Value)>>),
}

fn run(spec: &Gr1, inputs: Inputs, limits: bdd::Limits) -> bdd::Result<Report> {
    let game = Gr1Game::new(spec, limits)?;
    let Some(mut simulation) = Simulation::new(&game)? else {
        return Ok(Report::verdict(Verdict::Unrealizable).because(
            "there is no controller to run; `respin explain` says why, `respin play` shows it",
        ));
    };
    let (seed, steps) = match &inputs {
        Inputs::Random { seed, steps } => (*seed, *steps),
        Inputs::Script(lines) => (0, lines.len()),
    };
    let mut random = Random::new(seed);
    let shown: Vec<VariableId> = spec
        .variable_ids()
        .filter(|id| !spec.variable(*id).is_auxiliary())
        .collect();
    let mut text = String::new();
    let mut bent = 0;
    for step in 0..steps {
        let wanted: Vec<(VariableId, Value)> = match &inputs {
            Inputs::Script(lines) => lines[step].clone(),
            Inputs::Random { .. } => random_inputs(spec, &mut random),
        };
        let find = |id: VariableId| {
            let mut wanted = wanted.iter();
            wanted
                .find(|(other, _)| *other == id)
                .map(|(_, value)| *value)
        };
        let goal = simulation.goal();
        let Some(values) = simulation.step(&find)? else {
            text.push_str("# the environment has no move that keeps its assumptions\n");
            break;
        };
        if let Inputs::Script(lines) = &inputs {
            let differs = |(id, value): &(VariableId, Value)| values[id.0 as usize] != *value;
            bent += usize::from(lines[step].iter().any(differs));
        }
        let pairs: Vec<(VariableId, Value)> = shown
            .iter()
            .map(|id| (*id, values[id.0 as usize]))
            .collect();
        let goal = goal.map(|id| format!("  # for {}", spec.constraint(id).name));
        let _ = writeln!(text, "{}{}", line(spec, &pairs), goal.unwrap_or_default());
    }
    let mut report = Report::verdict(Verdict::Realizable)
        .because("a run of a controller; edit it and give it to `--edited`");
    report.body = Body::Simulate(text);
    if bent > 0 {
        report.notes.push(format!(
            "in {bent} steps the given inputs would have broken an assumption, and were changed"
        ));
    }
    Ok(report)
}

fn random_inputs(spec: &Gr1, random: &mut Random) -> Vec<(VariableId, Value)> {
    let mut inputs = Vec::new();
    for id in spec.variable_ids() {
        if spec.variable(id).owner == Player::Environment {
            let values = spec.variable(id).domain.values();
            inputs.push((id, *random.pick(&values)));
        }
    }
    inputs
}

fn template(spec: &Gr1, text: &str) -> Result<Template, Diagnostic> {
    let mut template = Template::default();
    for text in text.lines() {
        if text.trim() == LOOP {
            template.loop_start = Some(template.steps.len());
            continue;
        }
        if text.trim().is_empty() || text.trim_start().starts_with('#') {
            continue;
        }
        let settings = parse_line(spec, text, &[Player::Environment, Player::System])?;
        let of = |player: Player| {
            let own = settings.iter().copied();
            own.filter(|(id, _)| spec.variable(*id).owner == player)
                .collect()
        };
        template.steps.push(TemplateStep {
            inputs: of(Player::Environment),
            outputs: of(Player::System),
        });
    }
    let has_loop = template
        .loop_start
        .is_some_and(|start| start >= template.steps.len());
    if template.steps.is_empty() || has_loop {
        let message = "the edited trace has no step, or none after `loop:`";
        return Err(Diagnostic::error(codes::BAD_SETTING, message)
            .help("give one line for each step, as `respin simulate` prints them"));
    }
    Ok(template)
}

/// Whether the specification allows what the trace asks for.
fn judge(spec: &Gr1, template: &Template, limits: bdd::Limits) -> bdd::Result<Report> {
    let (asked, _) = template.guarantee(spec);
    let game = Gr1Game::new(&asked, limits)?;
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let Some(core) = core(&mut oracle, Minimizer::DeltaDebugging, true)? else {
        return Ok(Report::verdict(Verdict::Realizable).because(
            "the specification allows the edited trace, but does not ask for it: it is incomplete",
        ));
    };
    let names: Vec<String> = oracle
        .elements_of(&core)
        .into_iter()
        .filter_map(|element| match element {
            Element::Guarantee(id) => Some(format!("`{}`", asked.constraint(id).name)),
            Element::Output(_) | Element::Lack(_) => None,
        })
        .collect();
    let mut report = Report::verdict(Verdict::Unrealizable).because(
        "the specification does not allow the edited trace: it is unsound if the trace is right",
    );
    report
        .notes
        .push(format!("what conflicts: {}", names.join(", ")));
    Ok(report)
}
