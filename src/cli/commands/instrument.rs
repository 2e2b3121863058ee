//! `respin instrument`: writes the repair game of a design as a circuit.
//!
//! The result is a file of the synthesis competition: `controllable_...` inputs say which
//! component is replaced, and by what. The first is said once, in a cycle that is put in
//! front of the others ([`AigerFile::synthesis_game`]). The environment sets inputs in that
//! cycle, too, and the system sees them; but nothing else does, so that knowing them is of
//! no use, and a choice made there is one that is made before any input.

use crate::cli::context::{Context, Failure};
use crate::cli::design::load;
use crate::cli::input::Format;
use crate::cli::options::{CircuitFormat, Semantics};
use crate::cli::output::{check_output, write_file};
use crate::cli::request::InstrumentRequest;
use crate::design::aiger::{self, AigerFile, Signal};
use crate::design::{ComponentKind, Literal};
use crate::expr::Role;
use crate::game::{Arena, ObjectiveError};
use crate::load::Purpose;
use crate::report::Report;
use crate::source::Diagnostic;
use crate::source::codes::{certify, design, frame, game as codes};
use crate::spec::Spec;
use crate::subject::Subject;

pub fn instrument(request: &InstrumentRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, request.design.files())?;
    let loaded = load(&request.design, Purpose::Instrument, context)?;
    refuse_options(request)?;
    let asserts = |role: Role| loaded.spec.properties.iter().any(|one| one.role == role);
    if !asserts(Role::Assert) {
        let message = "neither the design nor a property file asserts anything";
        let diagnostic = Diagnostic::error(certify::NOTHING_TO_CHECK, message);
        return Err(diagnostic.help("give a property file with `--spec`").into());
    }
    // Of a source that Yosys has read, the cells are what can be replaced.
    let loaded = match loaded.as_netlist() {
        Some(netlist) => netlist?,
        None => loaded,
    };
    let netlist = loaded.front_end().netlist();
    let suspects = request
        .components
        .filter()
        .components(netlist, &loaded.sources)?;
    let faults = request.components.faults.unwrap_or(1) as usize;
    let diagnosable = netlist.instrument(&suspects, faults)?;
    let is_aiger = request.design.designs[0].format == Format::Aiger;
    let mut file = with_properties(&loaded, is_aiger, diagnosable.design)?;
    file.layout.forget_symbols();
    let mut game = file.synthesis_game()?;
    for (number, suspect) in suspects.iter().enumerate() {
        let component = &netlist.components()[suspect.0 as usize];
        let kind = match component.kind {
            ComponentKind::Gate => "gate",
            ComponentKind::LatchNext => "next value of",
            ComponentKind::LatchReset => "initial value of",
            ComponentKind::Value => "value",
            ComponentKind::Condition => "condition",
            ComponentKind::Label => "label",
        };
        game.design
            .add_comment(format!("diagnosis {number}: {kind} {}", component.name));
    }
    let path = request.output.output.as_deref();
    let extension = path.and_then(|path| path.extension()?.to_str());
    let bytes = match (path, extension) {
        (None, _) | (_, Some("aag")) => game.to_ascii()?,
        (_, Some("aig")) => game.to_binary()?,
        _ => game.to_bytes()?,
    };
    let mut report = match path {
        Some(path) => {
            write_file(path, &bytes, request.output.force)?;
            let mut report = Report::done("");
            let count = suspects.len();
            let components = if count == 1 {
                "component"
            } else {
                "components"
            };
            let line = format!("wrote {} with {count} {components} open", path.display());
            report.notes.push(line);
            report
        }
        None => Report::done(String::from_utf8_lossy(&bytes).into_owned()),
    };
    report.diagnostics = loaded.warnings;
    Ok(report)
}

/// Nothing that was asked for is left out in silence.
fn refuse_options(request: &InstrumentRequest) -> Result<(), Diagnostic> {
    if request.format == Some(CircuitFormat::Verilog) {
        let message = "the game is written as AIGER only, so far";
        let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
        return Err(diagnostic.help("leave out `--to`, or give `--to aiger`"));
    }
    if request.semantics == Some(Semantics::Implication) {
        let message = "`--semantics implication` has no form in AIGER";
        let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
        return Err(diagnostic.help("in AIGER, a constraint that breaks ends what counts"));
    }
    Ok(())
}

/// The properties of the file itself keep their sections. Those of property files become
/// literals, with monitors where they need some.
fn with_properties(
    loaded: &Subject,
    is_aiger: bool,
    design: crate::design::Design,
) -> Result<AigerFile, Failure> {
    let own = loaded.property_names.len();
    let mut others = Spec {
        formulas: loaded.spec.formulas.clone(),
        properties: loaded.spec.properties[own..].to_vec(),
    };
    let asserted_elsewhere = others.properties.iter().any(|one| one.role == Role::Assert);
    let mut file = match loaded.front_end().files() {
        [only] if is_aiger => aiger::read(loaded.sources.file(*only).bytes(), Some(*only))?,
        _ => AigerFile::from_design(loaded.design.clone(), &[])?,
    };
    file.outputs_are_plain = !is_aiger || asserted_elsewhere;
    if file.outputs_are_bad() && !asserted_elsewhere {
        let outputs = file.design.outputs().iter();
        file.bad = outputs
            .map(|output| Signal {
                name: output.name.clone(),
                literal: output.literal,
                span: output.span,
            })
            .collect();
    }
    others.properties.retain(|one| one.role != Role::Cover);
    let arena = Arena::new(design, &others).map_err(|error| objective_failure(error, &others))?;
    let objective = &arena.objective;
    if !objective.goals.is_empty() {
        return Err(not_expressible(&others).into());
    }
    let signal = |name: &str, literal: Literal| Signal {
        name: Some(name.to_string()),
        literal,
        span: None,
    };
    // Without any bad signal, outputs would count as bad.
    if objective.guarantee != Literal::TRUE || file.outputs_are_bad() {
        file.bad.push(signal("broken", !objective.guarantee));
    }
    if objective.assumption != Literal::TRUE {
        file.constraints
            .push(signal("assumed", objective.assumption));
    }
    for (place, literal) in objective.assumed_recurrences.iter().enumerate() {
        file.fairness
            .push(signal(&format!("fair{place}"), *literal));
    }
    file.design = arena.design;
    Ok(file)
}

fn objective_failure(error: ObjectiveError, spec: &Spec) -> Failure {
    match error {
        ObjectiveError::Diagnostic(diagnostic) => (*diagnostic).into(),
        ObjectiveError::NotSupported { property, reason } => {
            let message = format!("no game can be built for `{property}` yet: {reason}");
            let diagnostic = Diagnostic::error(codes::OBJECTIVE_NOT_SUPPORTED, message);
            let known = spec.properties.iter().find(|one| one.name == property);
            match known.and_then(|one| one.span) {
                Some(span) => diagnostic.at(span, "this property").into(),
                None => diagnostic.into(),
            }
        }
    }
}

/// A run violates `G F p` if `p` stays false from some step on, and justice has no such form.
fn not_expressible(spec: &Spec) -> Diagnostic {
    let message = "an assertion that something happens again and again has no form in AIGER";
    let mut diagnostic = Diagnostic::error(design::AIGER_NOT_EXPRESSIBLE, message)
        .note("justice is violated by runs that do something again and again, not by others")
        .help("assert a bound on the time instead, or leave the assertion out");
    let asserted = spec
        .properties
        .iter()
        .filter(|one| one.role == Role::Assert);
    for span in asserted.filter_map(|one| one.span) {
        diagnostic = diagnostic.at(span, "asserted here");
    }
    diagnostic
}
