//! `respin repair` for Verilog: corrections are edits of the user's text.
//!
//! Small edits are tried first, by candidates and counterexamples. Where they find nothing,
//! or if every place is asked for, the game says for each right-hand side and condition
//! whether another value could help, and what it would have to be.

mod games;
mod loss;
mod report;

use super::repair::{
    check, failing_traces, failure, nothing_to_repair, properties, takes_runs_away,
};
use super::verify::judge_assumptions;
use crate::certify::{self, AssumptionStatus, Problem};
use crate::cli::components::{select_edits, select_values, verilog_netlist};
use crate::cli::context::{Context, Failure};
use crate::cli::design::{LoadedDesign, VerilogDesign, reload_verilog};
use crate::cli::output::{check_output_path, write_file};
use crate::cli::request::RepairRequest;
use crate::cli::trace::describe;
use crate::design::suggest::did_you_mean;
use crate::design::verilog::edits::{self, EditKind, SourceEdit};
use crate::design::verilog::{self, Elaborated, SourceTree, VisibleKind, VisibleName};
use crate::design::{ComponentId, ComponentKind, Netlist, NodeId};
use crate::repair::RepairError;
use crate::repair::replay::{self, Stimulus};
use crate::repair::source::{self, Found, Judgement, NamedRun};
use crate::report::{Ending, Report, Verdict, vcd};
use crate::source::codes::repair as repair_codes;
use crate::source::{Diagnostic, Sources, Span};
use std::collections::HashSet;

/// Corrections after which dearer edits are not tried any more.
const ENOUGH: usize = 4;
/// Edits inside of one expression that are joined cost at most this together.
const DEAREST_JOINT: u32 = 28;
/// Edits at two places that are joined cost at most this each, and so many are tried.
const DEAREST_PAIR: u32 = 13;
const MOST_PAIRS: usize = 40_000;

/// The text that is to be corrected, and what is known of it.
struct Task<'a> {
    request: &'a RepairRequest,
    loaded: &'a LoadedDesign,
    verilog: &'a VerilogDesign,
    /// How edited texts are read: a latch is an error in them.
    options: verilog::Options,
    /// The design with its components, and the same as a netlist.
    open: &'a Elaborated,
    tree: &'a SourceTree,
    netlist: &'a Netlist,
    sources: Sources,
    /// Whether the assumptions can be kept as the design is.
    keeping: &'a AssumptionStatus,
}

pub fn repair_verilog(
    request: &RepairRequest,
    loaded: &LoadedDesign,
    verilog: &VerilogDesign,
    context: &mut Context,
) -> Result<Report, Failure> {
    refuse(request)?;
    let problem = Problem::new(&loaded.design, &loaded.spec)?;
    let checked = check(&problem, context)?;
    let mut report = Report::verdict(Verdict::Unknown);
    report.diagnostics = loaded.warnings.clone();
    report.notes = loaded.notes.clone();
    let body = report.body.repair_mut();
    body.properties = properties(&checked, loaded, &context.sources);
    body.traces = failing_traces(&problem, &checked, loaded, context)?;
    for (name, span) in &loaded.latches {
        let message = format!("`{name}` is not assigned in every case: this is a latch");
        report.diagnostics.push(
            Diagnostic::warning(verilog::codes::LATCH, message)
                .at(*span, "in this block")
                .help("a correction has none"),
        );
    }
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
    let (tree, edits, open) = opened(loaded, verilog, &context.sources)?;
    let netlist = verilog_netlist(&open, &context.sources)?;
    let task = Task {
        request,
        loaded,
        verilog,
        options: verilog::Options {
            allows_latches: false,
            ..verilog.options.clone()
        },
        open: &open,
        tree: &tree,
        netlist: &netlist,
        sources: context.sources.clone(),
        keeping: &keeping,
    };
    let components = netlist.components();
    let edits = select_edits(&request.components, edits, components, &context.sources)?;
    let edits = readable_only(edits, request, &open, &context.sources)?;
    let suspects = select_values(&request.components, &netlist, &context.sources);
    let alive = task.alive(&suspects, &runs)?;
    context.progress.log(|| {
        let (edits, runs) = (edits.len(), runs.len());
        let (alive, all) = (alive.len(), suspects.len());
        format!("{edits} edits, {runs} failing runs, {alive} of {all} places can avoid them")
    });
    context
        .progress
        .status(|| format!("trying {} edits", edits.len()));
    let found = task.small_edits(&edits, &alive, &mut runs, context)?;
    context.progress.log(|| {
        let (tried, certified) = (found.tried, found.certified);
        format!("{tried} edits tried, {certified} certified or refuted")
    });
    let has_repair = found.repairs.iter().any(|repair| !repair.vacuous);
    let exact = match (has_repair && !request.correction.every_place, found.stopped) {
        (false, None) => Some(task.play(&suspects, &alive, &found, context)?),
        _ => None,
    };
    let failing = checked
        .iter()
        .find_map(|(property, verdict)| match verdict {
            certify::Verdict::Fails(trace) => Some((*property, trace)),
            _ => None,
        });
    let report = task.conclude(
        report,
        found,
        exact,
        failing.map(|(_, trace)| trace),
        context,
    )?;
    let report = match verilog.yosys {
        // Cells are looked at next.
        Some(_) => report,
        None => task.explain_loss(report, &suspects, context)?,
    };
    if let (Some(path), Some((property, trace))) = (&request.vcd, failing) {
        let trace = describe(&problem, &loaded.spec, property, trace)?;
        let name = &loaded.spec.properties[property].name;
        let title = format!("{name} fails {}", trace.shape());
        write_file(
            path,
            vcd::vcd(&trace, &title).as_bytes(),
            request.output.force,
        )?;
    }
    Ok(report)
}

/// The text as a tree, its edits, and the design with the components among them.
fn opened(
    loaded: &LoadedDesign,
    verilog: &VerilogDesign,
    sources: &Sources,
) -> Result<(SourceTree, Vec<SourceEdit>, Elaborated), Diagnostic> {
    let Some(netlist) = &loaded.yosys else {
        let tree = verilog.project.parse(sources)?;
        let options = verilog::Options {
            components: true,
            ..verilog.options.clone()
        };
        let open = verilog::elaborate(&tree, &options)?;
        let edits = edits::list(&tree, &open.modules, &open.checking_only, sources);
        return Ok((tree, edits, open));
    };
    // What Yosys has read is edited where our own front end can read it, too.
    let tree = verilog.project.parse_around(sources).unwrap_or_default();
    let top = &netlist.interface.module;
    let names = edits::names::visible(&tree, &netlist.file.design, top);
    let mut edits = edits::list(&tree, &names, &HashSet::new(), sources);
    let is_ours = |span: &Span| verilog.project.files.contains(&span.file);
    edits.retain(|edit| edit.changes.iter().all(|(span, _)| is_ours(span)));
    let places = edits.iter().filter_map(|edit| edit.within).collect();
    let open = netlist.elaborated(&places, names, sources);
    Ok((tree, edits, open))
}

/// Nothing that was asked for is left out in silence.
fn refuse(request: &RepairRequest) -> Result<(), Failure> {
    if let Some(path) = &request.vcd {
        let repaired = report::repaired_path(path);
        for path in [path, &repaired] {
            check_output_path(path, request.output.force, request.design.files())?;
        }
    }
    Ok(())
}

impl Task<'_> {
    /// The suspects that some choice of values saves from every failing run.
    fn alive(
        &self,
        suspects: &[ComponentId],
        runs: &[NamedRun],
    ) -> Result<Vec<ComponentId>, Failure> {
        let design = &self.open.design;
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
        let locations: Vec<Vec<ComponentId>> = suspects.iter().map(|id| vec![*id]).collect();
        let spec = &self.loaded.spec;
        let alive = match replay::survivors(self.netlist, spec, &locations, &stimuli) {
            Ok(alive) => alive,
            Err(RepairError::NotSupported { .. }) => return Ok(suspects.to_vec()),
            Err(error) => return Err(failure(error)),
        };
        let pairs = suspects.iter().zip(alive).filter(|(_, alive)| *alive);
        Ok(pairs.map(|(id, _)| *id).collect())
    }

    /// Corrections by one edit; if there are none, by two in one expression, then by two.
    fn small_edits(
        &self,
        edits: &[SourceEdit],
        alive: &[ComponentId],
        runs: &mut Vec<NamedRun>,
        context: &mut Context,
    ) -> Result<Found, Failure> {
        let components = self.netlist.components();
        let is_alive: HashSet<(Span, ComponentKind)> = alive
            .iter()
            .map(|id| &components[id.0 as usize])
            .filter_map(|one| Some((one.span?, one.kind)))
            .collect();
        let ruled_out = components
            .iter()
            .filter_map(|one| Some((one.span?, one.kind)))
            .filter(|place| !is_alive.contains(place))
            .collect();
        let read = |sources: &Sources| match &self.verilog.yosys {
            Some(_) => Some(self.reload(sources).ok()?.design),
            None => {
                let tree = self.verilog.project.parse(sources).ok()?;
                Some(verilog::elaborate(&tree, &self.options).ok()?.design)
            }
        };
        let search = source::Problem {
            sources: &self.sources,
            read: &read,
            spec: &self.loaded.spec,
            limits: context.limits.for_diagrams(),
            ruled_out,
            enough: ENOUGH + self.request.correction.reject.len(),
        };
        let single: Vec<Vec<&SourceEdit>> = edits.iter().map(|edit| vec![edit]).collect();
        let most = self.request.components.faults.unwrap_or(2);
        let mut total = Found::default();
        for stage in 0..3 {
            let candidates = match stage {
                0 => single.clone(),
                1 => joint_edits(edits),
                _ if most > 1 => pairs_of_edits(edits),
                _ => break,
            };
            let search = source::Problem {
                // Two faults can be where one alone cannot be.
                ruled_out: match stage {
                    2 => HashSet::new(),
                    _ => search.ruled_out.clone(),
                },
                limits: search.limits.clone(),
                ..search
            };
            let found = source::search(
                &search,
                &candidates,
                &self.loaded.design,
                runs,
                &mut |sources| self.judge(sources, context),
            )
            .map_err(failure)?;
            total.absorb(found);
            let has_repair = total.repairs.iter().any(|repair| !repair.vacuous);
            if has_repair || total.stopped.is_some() {
                break;
            }
        }
        Ok(total)
    }

    fn reload(&self, sources: &Sources) -> Result<LoadedDesign, Vec<Diagnostic>> {
        reload_verilog(self.loaded, self.verilog, &self.options, sources)
    }

    /// Reads an edited text as if it had come from a user, and checks it.
    fn judge(&self, sources: &Sources, context: &Context) -> Result<Judgement, RepairError> {
        let Ok(patched) = self.reload(sources) else {
            return Ok(Judgement::Unreadable);
        };
        let Ok(problem) = Problem::new(&patched.design, &patched.spec) else {
            return Ok(Judgement::Unreadable);
        };
        let options = certify::Options {
            limits: context.limits.for_diagrams(),
            semantics: certify::Semantics::Strict,
        };
        for property in problem.asserted() {
            match problem.check(property, &options)? {
                certify::Verdict::Holds => {}
                certify::Verdict::Fails(trace) => {
                    let run = named_run(&patched.design, &trace);
                    return Ok(Judgement::Refuted(vec![run]));
                }
                certify::Verdict::Unknown(error) => return Ok(Judgement::Unknown(error)),
            }
        }
        let after = problem.assumptions(&options.limits)?;
        Ok(match after {
            AssumptionStatus::Unknown(error) => Judgement::Unknown(error),
            after if takes_runs_away(self.keeping, &after) => Judgement::Vacuous,
            _ => Judgement::Proved,
        })
    }
}

/// Leaves out edits that read what `--depends-on` does not allow.
fn readable_only(
    edits: Vec<SourceEdit>,
    request: &RepairRequest,
    open: &Elaborated,
    sources: &Sources,
) -> Result<Vec<SourceEdit>, Vec<Diagnostic>> {
    let allowed = &request.correction.depends_on;
    if allowed.is_empty() {
        return Ok(edits);
    }
    let names: Vec<&VisibleName> = open.modules.values().flatten().collect();
    let base = |name: &String| name.split('[').next().unwrap_or(name).to_string();
    let mut errors = Vec::new();
    for wanted in allowed {
        if names.iter().all(|name| name.name != base(wanted)) {
            let message = format!("`--depends-on {wanted}` is no signal of the design");
            let known = names.iter().map(|name| name.name.as_str());
            let diagnostic = Diagnostic::error(repair_codes::UNKNOWN_SIGNAL, message);
            errors.push(match did_you_mean(wanted, known) {
                Some(help) => diagnostic.help(help),
                None => diagnostic.help("name signals as their module does"),
            });
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let is_constant = |name: &String| {
        let known = names.iter().find(|one| one.name == *name);
        known.is_some_and(|one| matches!(one.kind, VisibleKind::Constant(_)))
    };
    let is_readable = |edit: &SourceEdit| {
        let new = edit.new_names(sources);
        edit.kind == EditKind::Target
            || new
                .iter()
                .all(|name| is_constant(name) || allowed.iter().any(|one| base(one) == *name))
    };
    Ok(edits.into_iter().filter(is_readable).collect())
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

/// Two edits of one expression.
fn joint_edits(edits: &[SourceEdit]) -> Vec<Vec<&SourceEdit>> {
    pairs(edits, |first, second| {
        first.within.is_some()
            && first.within == second.within
            && first.cost + second.cost <= DEAREST_JOINT
    })
}

/// Two small edits, wherever they are.
fn pairs_of_edits(edits: &[SourceEdit]) -> Vec<Vec<&SourceEdit>> {
    let mut pairs = pairs(edits, |first, second| {
        first.within != second.within && first.cost.max(second.cost) <= DEAREST_PAIR
    });
    pairs.truncate(MOST_PAIRS);
    pairs
}

fn pairs(
    edits: &[SourceEdit],
    accept: impl Fn(&SourceEdit, &SourceEdit) -> bool,
) -> Vec<Vec<&SourceEdit>> {
    let mut found = Vec::new();
    for (index, second) in edits.iter().enumerate() {
        for first in &edits[..index] {
            if accept(first, second) && !overlap(first, second) {
                found.push(vec![first, second]);
            }
        }
    }
    found.sort_by_key(|pair: &Vec<&SourceEdit>| pair.iter().map(|edit| edit.cost).sum::<u32>());
    found
}

fn overlap(first: &SourceEdit, second: &SourceEdit) -> bool {
    first.changes.iter().any(|(left, _)| {
        second.changes.iter().any(|(right, _)| {
            left.file == right.file && left.start <= right.end && right.start <= left.end
        })
    })
}
