//! `respin synth`: writes a controller that satisfies a specification.
//!
//! Here the specification is an AIGER file whose `controllable_...` inputs are the system's;
//! `controller` has the others. No verdict rests on the solver alone: a controller is written, read again from
//! its bytes and model-checked; and where there is none, the environment's strategy is put
//! into the design, and it is model-checked that each run then breaks a property.

use super::controller;
use crate::bdd;
use crate::certify::{self, Problem};
use crate::cli::context::{Context, Failure};
use crate::cli::input::{Format, read};
use crate::cli::options::{ControllerFormat, Semantics};
use crate::cli::output::{check_output, circuit_bytes, write_file};
use crate::cli::request::SynthRequest;
use crate::design::aiger::{self, AigerFile};
use crate::design::{Design, Literal};
use crate::expr::{Expr, ExprKind, Role, TemporalBinary};
use crate::game::Winner;
use crate::report::{Ending, Report, Verdict};
use crate::source::codes::{certify as certify_codes, frame, game as codes};
use crate::source::{Diagnostic, FileId};
use crate::spec::{FormulaId, Property, Spec};
use crate::synth::{self, Answer, SynthError};

pub fn synth(request: &SynthRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, [&request.spec.file])?;
    if request.spec.file.format != Format::Aiger {
        return controller::synth(request, context);
    }
    let id = read(&request.spec.file, context)?;
    refuse_options(request)?;
    let file = read_game(id, request.spec.semantics, context)?;
    let limits = context.limits.for_diagrams();

    context.progress.log(|| "solving the game".to_string());
    let mut steps = 0;
    let progress = &mut context.progress;
    let solved = synth::solve(&file, &limits, &mut |round| {
        steps = round;
        progress.status(|| format!("solving the game: {round} steps ahead"));
    });
    let solved = match solved {
        Ok(solved) => solved,
        Err(SynthError::Limit(error)) => return Ok(unsolved(error, steps)),
        Err(error) => return Err(failure(error, &file)),
    };
    let winner = solved.winner();
    context.progress.log(|| match winner {
        Winner::System => "the system wins; making a controller".to_string(),
        Winner::Environment => "the environment wins; making its strategy".to_string(),
    });
    let answer = match solved.answer() {
        Ok(answer) => answer,
        Err(SynthError::Limit(error)) => {
            return Ok(uncertified(winner, "no strategy was made", error));
        }
        Err(error) => return Err(failure(error, &file)),
    };
    drop(solved);
    let options = certify::Options {
        limits,
        semantics: certify::Semantics::Strict,
    };
    match answer {
        Answer::Realizable(controller) => {
            let bytes = circuit_bytes(&controller, request.output.output.as_deref())?;
            context
                .progress
                .log(|| "certifying the controller".to_string());
            context.progress.status(|| "certifying".to_string());
            let written = aiger::read(&bytes, None)?;
            if let Some(error) = certify_controller(&written, &options)? {
                return Ok(uncertified(
                    winner,
                    "the controller was not certified",
                    error,
                ));
            }
            publish(request, &file.design, &written.design, bytes)
        }
        Answer::Unrealizable(refutation) => {
            context
                .progress
                .log(|| "certifying the counterstrategy".to_string());
            context.progress.status(|| "certifying".to_string());
            if let Some(error) = certify_refutation(&file, &refutation.design, &options)? {
                let what = "the environment's strategy was not certified";
                return Ok(uncertified(winner, what, error));
            }
            let reason = "whatever the system does, the environment can break a property";
            let mut report = Report::verdict(Verdict::Unrealizable).because(reason);
            if let Some(path) = &request.output.output {
                let path = path.display();
                let note = format!("there is no controller, so {path} was not written");
                report.notes.push(note);
            }
            Ok(report)
        }
    }
}

/// Nothing that was asked for is left out in silence.
fn refuse_options(request: &SynthRequest) -> Result<(), Diagnostic> {
    let refuse =
        |message: &str, help: &str| Err(Diagnostic::error(frame::BAD_USAGE, message).help(help));
    if !request.spec.inputs.is_empty() || !request.spec.outputs.is_empty() {
        return refuse(
            "`--ins` and `--outs` are for property files, and the specification is AIGER",
            "inputs that are called `controllable_...` are the system's",
        );
    }
    match request.format {
        None | Some(ControllerFormat::Aiger) => Ok(()),
        Some(ControllerFormat::Verilog | ControllerFormat::Dot | ControllerFormat::Json) => refuse(
            "a controller of an AIGER game is written as AIGER only, so far",
            "leave out `--to`, or give `--to aiger`",
        ),
    }
}

fn read_game(
    id: FileId,
    semantics: Option<Semantics>,
    context: &Context,
) -> Result<AigerFile, Diagnostic> {
    let file = aiger::read(context.sources.file(id).bytes(), Some(id))?;
    file.design.check()?;
    if file
        .properties()
        .iter()
        .all(|item| item.role == Role::Assume)
    {
        let message = "the file has neither bad signals nor outputs, so every controller will do";
        return Err(Diagnostic::error(certify_codes::NOTHING_TO_CHECK, message)
            .help("list what must not happen as an output or in the bad section"));
    }
    let assumes = !file.constraints.is_empty() || !file.fairness.is_empty();
    if semantics == Some(Semantics::Implication) && assumes {
        let message = "`--semantics implication` is not available yet for AIGER games";
        let diagnostic = Diagnostic::error(frame::COMMAND_NOT_AVAILABLE, message);
        return Err(diagnostic.help("the game is strict: who breaks an invariant first loses"));
    }
    Ok(file)
}

fn spec_of(file: &AigerFile) -> Result<Spec, Vec<Diagnostic>> {
    let mut items = file.properties();
    // Whoever has no symbol is still known by the place in the file.
    let bad = if file.outputs_are_bad() {
        file.design.outputs().len()
    } else {
        file.bad.len()
    };
    let names = (0..bad).map(|place| format!("b{place}"));
    let names = names.chain((0..file.justice.len()).map(|place| format!("j{place}")));
    for (item, name) in items.iter_mut().zip(names) {
        item.name.get_or_insert(name);
    }
    let mut spec = Spec::new();
    spec.add_items(&items)?;
    Ok(spec)
}

fn failure(error: SynthError, file: &AigerFile) -> Failure {
    match error {
        SynthError::Diagnostic(diagnostic) => (*diagnostic).into(),
        SynthError::Limit(error) => {
            Diagnostic::error(frame::INTERNAL_ERROR, error.to_string()).into()
        }
        SynthError::SeveralJustice => {
            let message = "several justice properties at once cannot be solved yet";
            let mut diagnostic = Diagnostic::error(codes::OBJECTIVE_NOT_SUPPORTED, message)
                .help("a controller for all of them must be one for each: solve them one by one");
            for span in file.justice.iter().filter_map(|one| one.span) {
                diagnostic = diagnostic.at(span, "this property");
            }
            diagnostic.into()
        }
    }
}

/// What is known when a limit was reached.
fn unknown(error: bdd::Error, reason: String) -> Report {
    let mut report = Report::verdict(Verdict::Unknown).because(reason);
    if error == bdd::Error::Interrupted {
        report.ending = Ending::Interrupted;
    }
    report
}

fn unsolved(error: bdd::Error, steps: usize) -> Report {
    let mut report = unknown(error, error.to_string());
    report.notes.push(match steps {
        0 => "not even one step was looked ahead".to_string(),
        1 => "the environment cannot win in one step".to_string(),
        steps => format!("the environment cannot win within {steps} steps"),
    });
    report
}

fn uncertified(winner: Winner, what: &str, error: bdd::Error) -> Report {
    let found = match winner {
        Winner::System => "the solver says REALIZABLE",
        Winner::Environment => "the solver says UNREALIZABLE",
    };
    unknown(error, format!("{found}, but {what}: {error}"))
}

/// `None` if all is well, else the limit that was reached.
fn certify_controller(
    written: &AigerFile,
    options: &certify::Options,
) -> Result<Option<bdd::Error>, Vec<Diagnostic>> {
    let results = certify::check(&written.design, &spec_of(written)?, options)?;
    judge(results, "a controller that was made breaks a property")
}

/// Each run has to break a property before an assumption, or to keep all assumptions for
/// ever and visit all of a justice property again and again.
fn certify_refutation(
    file: &AigerFile,
    design: &Design,
    options: &certify::Options,
) -> Result<Option<bdd::Error>, Vec<Diagnostic>> {
    let mut spec = Spec::new();
    let atom = |spec: &mut Spec, literal: Literal| {
        let net = Expr {
            kind: ExprKind::Net(literal.code()),
            span: None,
        };
        crate::spec::atoms::condition(&mut spec.formulas, &net)
    };
    let outputs = file.design.outputs().iter().map(|output| output.literal);
    let bad: Vec<Literal> = if file.outputs_are_bad() {
        outputs.collect()
    } else {
        file.bad.iter().map(|bad| bad.literal).collect()
    };
    let bad: Vec<FormulaId> = bad.iter().map(|one| atom(&mut spec, *one)).collect();
    let kept: Vec<FormulaId> = file
        .constraints
        .iter()
        .map(|one| atom(&mut spec, one.literal))
        .collect();
    let fair: Vec<FormulaId> = file
        .fairness
        .iter()
        .map(|one| atom(&mut spec, one.literal))
        .collect();
    let mut ways = Vec::new();
    for justice in &file.justice {
        let visited = justice.literals.iter();
        let mut again: Vec<FormulaId> = visited.map(|one| atom(&mut spec, *one)).collect();
        again.extend(&fair);
        let formulas = &mut spec.formulas;
        let mut all: Vec<FormulaId> = Vec::new();
        for one in again {
            let eventually = formulas.finally(one);
            all.push(formulas.globally(eventually));
        }
        let kept = formulas.and(kept.clone());
        all.push(formulas.globally(kept));
        ways.push(formulas.and(all));
    }
    let formulas = &mut spec.formulas;
    let bad = formulas.or(bad);
    let kept = formulas.and(kept);
    let broken = formulas.and([kept, bad]);
    ways.push(formulas.binary(TemporalBinary::Until, kept, broken));
    let formula = formulas.or(ways);
    spec.properties.push(Property {
        role: Role::Assert,
        name: "broken".to_string(),
        is_named: true,
        span: None,
        formula,
    });
    let problem = Problem::new(design, &spec)?;
    let verdict = problem.check(0, options).map_err(|error| vec![error])?;
    judge(
        vec![(0, verdict)],
        "a strategy of the environment does not win",
    )
}

fn judge(
    results: Vec<(usize, certify::Verdict)>,
    wrong: &str,
) -> Result<Option<bdd::Error>, Vec<Diagnostic>> {
    let mut limit = None;
    for (_, verdict) in results {
        match verdict {
            certify::Verdict::Holds => {}
            certify::Verdict::Unknown(error) => limit = Some(error),
            certify::Verdict::Fails(_) => {
                return Err(vec![Diagnostic::error(frame::INTERNAL_ERROR, wrong)]);
            }
        }
    }
    Ok(limit)
}

fn publish(
    request: &SynthRequest,
    game: &Design,
    controller: &Design,
    bytes: Vec<u8>,
) -> Result<Report, Failure> {
    let added = controller.gates().count() - game.gates().count();
    let gates = match added {
        1 => "1 gate".to_string(),
        added => format!("{added} gates"),
    };
    let reason = format!("a controller of {gates} was made and certified");
    let mut report = Report::verdict(Verdict::Realizable).because(reason);
    match &request.output.output {
        Some(path) => {
            write_file(path, &bytes, request.output.force)?;
            report.notes.push(format!("wrote {}", path.display()));
        }
        None => report.output = Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
    Ok(report)
}
