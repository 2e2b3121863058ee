//! `respin repair` for Verilog: corrections are edits of the user's text.

use super::repair::{check, nothing_to_repair, properties};
use super::verify::judge_assumptions;
use crate::bdd;
use crate::certify::{self, Keeping, Problem};
use crate::cli::context::{Context, Failure};
use crate::cli::design::{LoadedDesign, VerilogDesign, reload_verilog};
use crate::cli::output::{replace_file, write_file};
use crate::cli::request::RepairRequest;
use crate::cli::values::InputPath;
use crate::design::aiger::AigerFile;
use crate::design::verilog::edits::{self, EditKind, SourceEdit};
use crate::design::verilog::{self, Elaborated};
use crate::design::{Component, ComponentId, ComponentKind, Netlist, NodeId};
use crate::repair::RepairError;
use crate::repair::replay::{self, Stimulus};
use crate::repair::source::{self, Found, Judgement, NamedRun, SourceRepair};
use crate::report::{Correction, Edit, Ending, Report, Verdict, diff};
use crate::source::record::PlaceRecord;
use crate::source::{Diagnostic, Sources, Span};
use std::collections::HashSet;

/// Corrections after which dearer edits are not tried any more.
const ENOUGH: usize = 4;
/// Corrections that are listed for people.
const MOST_LISTED: usize = 8;

pub fn repair_verilog(
    request: &RepairRequest,
    loaded: &LoadedDesign,
    verilog: &VerilogDesign,
    context: &mut Context,
) -> Result<Report, Failure> {
    let problem = Problem::new(&loaded.design, &loaded.spec)?;
    let checked = check(&problem, context)?;
    let mut report = Report::verdict(Verdict::Unknown);
    report.diagnostics = loaded.warnings.clone();
    report.notes = loaded.notes.clone();
    report.properties = properties(&checked, loaded, &context.sources);
    let keeping = problem.assumptions(&context.limits.for_diagrams())?;
    if let (Some(reason), true) = (nothing_to_repair(&checked), loaded.latches.is_empty()) {
        report.ending = Ending::Verdict(Verdict::Pass);
        return Ok(judge_assumptions(report.because(reason), &keeping, loaded));
    }

    let mut runs = source::random_runs(&loaded.design, &loaded.spec).map_err(failure)?;
    for (_, verdict) in &checked {
        if let certify::Verdict::Fails(trace) = verdict {
            runs.push(named_run(&loaded.design, trace));
        }
    }
    let tree = verilog.project.parse(&context.sources)?;
    let open = verilog::elaborate(
        &tree,
        &verilog::Options {
            components: true,
            ..verilog.options.clone()
        },
    )?;
    let edits = edits::list(&tree, &open, &context.sources);
    context
        .progress
        .log(|| format!("{} edits, {} runs", edits.len(), runs.len()));
    let netlist = netlist_of(&open)?;
    let ruled_out = ruled_out(&netlist, &open, loaded, &runs)?;
    context.progress.log(|| {
        format!(
            "{} of {} places ruled out",
            ruled_out.len(),
            open.components.len()
        )
    });
    let options = verilog::Options {
        allows_latches: false,
        ..verilog.options.clone()
    };
    let sources = context.sources.clone();
    let search = source::Problem {
        sources: &sources,
        project: &verilog.project,
        options: &options,
        spec: &loaded.spec,
        limits: context.limits.for_diagrams(),
        ruled_out,
        enough: ENOUGH + request.correction.reject.len(),
    };
    let candidates: Vec<Vec<&SourceEdit>> = edits.iter().map(|edit| vec![edit]).collect();
    let found = source::search(
        &search,
        &candidates,
        &loaded.design,
        &mut runs,
        &mut |texts| certificate(loaded, verilog, &options, texts, &keeping, context),
    )
    .map_err(failure)?;
    context.progress.log(|| {
        format!(
            "{} edits tried, {} certified or refuted",
            found.tried, found.certified
        )
    });
    conclude(report, request, found, context)
}

/// What the environment does in a counterexample, by names.
fn named_run(design: &crate::design::Design, trace: &certify::Trace) -> NamedRun {
    let ones = |nodes: &[NodeId], values: &[bool]| {
        let pairs = nodes.iter().zip(values).filter(|(_, value)| **value);
        pairs
            .filter_map(|(id, _)| design.name(*id).map(str::to_string))
            .collect()
    };
    NamedRun {
        initial: ones(design.latches(), &trace.initial),
        inputs: trace
            .inputs
            .iter()
            .map(|step| ones(design.inputs(), step))
            .collect(),
        loop_start: trace.loop_start,
    }
}

/// The design with its right-hand sides and conditions as components.
fn netlist_of(open: &Elaborated) -> Result<Netlist, Diagnostic> {
    let mut file = AigerFile::from_design(open.design.clone(), &[])?;
    file.outputs_are_plain = true;
    let components = open
        .components
        .iter()
        .map(|recorded| {
            let bits: Vec<NodeId> = recorded.instances.iter().flatten().copied().collect();
            let component = Component {
                kind: recorded.kind,
                name: String::new(),
                span: Some(recorded.span),
                scope: recorded.scope.clone(),
                width: bits.len(),
            };
            (component, bits)
        })
        .collect();
    Ok(Netlist::with_components(file, components))
}

/// The components that no choice of values saves from a failing run.
fn ruled_out(
    netlist: &Netlist,
    open: &Elaborated,
    loaded: &LoadedDesign,
    runs: &[NamedRun],
) -> Result<HashSet<(Span, ComponentKind)>, Failure> {
    let design = &open.design;
    let nodes = |list: &[NodeId], names: &HashSet<String>| {
        let named = list.iter().filter(|id| {
            let name = design.name(**id).unwrap_or_default();
            names.contains(name)
        });
        named.copied().collect()
    };
    let stimuli: Vec<Stimulus> = runs
        .iter()
        .filter(|run| run.loop_start.is_none())
        .map(|run| Stimulus {
            initial: nodes(design.latches(), &run.initial),
            inputs: run
                .inputs
                .iter()
                .map(|names| nodes(design.inputs(), names))
                .collect(),
        })
        .collect();
    let locations: Vec<Vec<ComponentId>> = netlist.component_ids().map(|id| vec![id]).collect();
    let alive = match replay::survivors(netlist, &loaded.spec, &locations, &stimuli) {
        Ok(alive) => alive,
        Err(RepairError::NotSupported { .. }) => return Ok(HashSet::new()),
        Err(error) => return Err(failure(error)),
    };
    let dead = open
        .components
        .iter()
        .zip(alive)
        .filter(|(_, alive)| !alive);
    Ok(dead.map(|(one, _)| (one.span, one.kind)).collect())
}

/// Reads an edited text as if it had come from a user, and checks it.
fn certificate(
    loaded: &LoadedDesign,
    verilog: &VerilogDesign,
    options: &verilog::Options,
    sources: &Sources,
    before: &Keeping,
    context: &Context,
) -> Result<Judgement, RepairError> {
    let first = |diagnostics: Vec<Diagnostic>| match diagnostics.into_iter().next() {
        Some(diagnostic) => RepairError::from(diagnostic),
        None => RepairError::Limit(bdd::Error::Interrupted),
    };
    let patched = reload_verilog(loaded, verilog, options, sources).map_err(first)?;
    let problem = Problem::new(&patched.design, &patched.spec).map_err(first)?;
    let options = certify::Options {
        limits: context.limits.for_diagrams(),
        semantics: certify::Semantics::Strict,
    };
    for property in problem.asserted() {
        match problem.check(property, &options)? {
            certify::Verdict::Holds => {}
            certify::Verdict::Fails(trace) => {
                return Ok(Judgement::Refuted(vec![named_run(&patched.design, &trace)]));
            }
            certify::Verdict::Unknown(error) => return Ok(Judgement::Unknown(error)),
        }
    }
    let after = problem.assumptions(&options.limits)?;
    let worth = |keeping: &Keeping| match keeping {
        Keeping::NothingAssumed | Keeping::Possible | Keeping::Unknown(_) => 2,
        Keeping::DeadEnds(_) => 1,
        Keeping::Impossible => 0,
    };
    Ok(match after {
        Keeping::Unknown(error) => Judgement::Unknown(error),
        after if worth(&after) < worth(before) => Judgement::Vacuous,
        _ => Judgement::Proved,
    })
}

fn failure(error: RepairError) -> Failure {
    super::repair::failure(error)
}

fn conclude(
    mut report: Report,
    request: &RepairRequest,
    found: Found,
    context: &mut Context,
) -> Result<Report, Failure> {
    let rejected = &request.correction.reject;
    let offered: Vec<(usize, &SourceRepair)> = found
        .repairs
        .iter()
        .enumerate()
        .map(|(index, repair)| (index + 1, repair))
        .filter(|(number, _)| !rejected.contains(&(*number as u32)))
        .collect();
    let good = offered.iter().filter(|(_, repair)| !repair.vacuous);
    let Some((_, best)) = good.clone().next() else {
        report.reason = Some(match found.stopped {
            Some(error) => format!("no repair was found before the end: {error}"),
            None => "no small edit of the text is a correction".to_string(),
        });
        return Ok(report);
    };
    report.ending = Ending::Verdict(Verdict::Repaired);
    let count = good.clone().count();
    report.reason = Some(match count {
        1 => "1 correction".to_string(),
        count => format!("{count} corrections"),
    });
    for (number, repair) in offered.iter().take(MOST_LISTED) {
        report
            .corrections
            .push(correction(*number, repair, &context.sources));
    }
    deliver(&mut report, request, best, context)?;
    Ok(report)
}

fn kind_word(kind: EditKind) -> &'static str {
    match kind {
        EditKind::Literal => "literal",
        EditKind::Operator => "operator",
        EditKind::Signal => "signal",
        EditKind::Negation => "negation",
        EditKind::Condition => "condition",
        EditKind::Value => "right-hand side",
        EditKind::Target => "target",
        EditKind::Assignment => "kind of assignment",
        EditKind::Branch => "missing branch",
        EditKind::Reset => "reset value",
    }
}

/// The lines of a text that a change touches, before and after it.
fn correction(number: usize, repair: &SourceRepair, sources: &Sources) -> Correction {
    let mut all = Vec::new();
    for edit in &repair.edits {
        let span = edit.place();
        let place = PlaceRecord::new(span, sources);
        let before: String = sources.text(span).to_string();
        let (before, after) = match before.is_empty() {
            true => (
                "(nothing)".to_string(),
                edit.changes[0].1.trim().to_string(),
            ),
            false => (before, edit.changes[0].1.clone()),
        };
        all.push(Edit {
            component: String::new(),
            kind: kind_word(edit.kind),
            place: Some(place),
            before: vec![before],
            after: vec![after],
        });
    }
    let also = repair
        .also
        .iter()
        .map(|edits| {
            let texts: Vec<String> = edits
                .iter()
                .map(|edit| {
                    let place = PlaceRecord::new(edit.place(), sources);
                    format!("{}: {}", place.text(), edit.changes[0].1.trim())
                })
                .collect();
            texts.join(" and ")
        })
        .collect();
    Correction {
        number,
        edits: all,
        also,
        added_registers: 0,
        vacuous: repair.vacuous,
    }
}

fn deliver(
    report: &mut Report,
    request: &RepairRequest,
    best: &SourceRepair,
    context: &mut Context,
) -> Result<(), Failure> {
    let mut text = String::new();
    for (file, after) in &best.texts {
        let source = context.sources.file(*file);
        text.push_str(&diff::unified(&source.name, &source.text, after));
    }
    report.diff = Some(text);
    if let Some(path) = &request.output.output {
        let mut all = String::new();
        for after in best.texts.values() {
            all.push_str(after);
        }
        write_file(path, all.as_bytes(), request.output.force)?;
        report.notes.push(format!("wrote {}", path.display()));
    }
    if request.write {
        context.limits.check()?;
        for (file, after) in &best.texts {
            let name = context.sources.file(*file).name.clone();
            let is_input =
                request.design.designs.iter().any(
                    |input| matches!(&input.path, InputPath::Stdin if input.path.name() == name),
                );
            if !is_input {
                replace_file(std::path::Path::new(&name), after.as_bytes())?;
                report.notes.push(format!("edited {name}"));
            }
        }
    }
    Ok(())
}
