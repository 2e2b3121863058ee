//! `respin explain`: says why nothing satisfies a specification, or what its verdict rests on.
//!
//! Each part is explained with the time that is left; what is not ready is named. What is
//! shown was confirmed: cores by fresh games, plays by claims that `certify` has checked.

use super::ltl;
use crate::bdd;
use crate::certify::gr1::Flaw;
use crate::cli::context::{Context, Failure};
use crate::cli::explanation as convert;
use crate::cli::options::{ExplainPart, MinimizerName};
use crate::cli::output::{check_output_path, write_file};
use crate::cli::request::ExplainRequest;
use crate::cli::specification::read_spec;
use crate::explain::ltl::{Lookahead, lookahead};
use crate::explain::separation::{Scope, Separation, relevant_part};
use crate::explain::{
    Bounds, Counterstrategy, Forced, Minimizer, Narrator, Oracle, Semantics, Story, Subset,
    all_explanations, certificate, core, countertrace, diagnose, forcing, graph, helpful, hold,
};
use crate::game::gr1::{Gr1Game, Selection};
use crate::load::{AnySpec, LoadedGr1};
use crate::report::explanation as report;
use crate::report::{Body, Explanation, Report, Verdict, vcd};
use crate::source::codes::{explanation as codes, frame};
use crate::source::{Diagnostic, Severity, Sources};
use crate::spec::gr1::{ConstraintId, Gr1};
use crate::spec::ltl::LtlSpec;
use std::time::{Duration, Instant};

/// Graphs of plays are cut here.
const NODES: usize = 1000;
/// Whether knowing inputs in advance would help is asked for so many bits, and so long.
const FEW_BITS: usize = 10;
const LOOKING_AHEAD: Duration = Duration::from_secs(2);
/// So many explanations with activation variables are enough.
const EXPLANATIONS: usize = 1000;

pub fn explain(request: &ExplainRequest, context: &mut Context) -> Result<Report, Failure> {
    let options = &request.options;
    for path in [&options.vcd, &options.dot].into_iter().flatten() {
        check_output_path(path, options.force, [&request.spec.file])?;
    }
    if options.vcd.is_some() && options.vcd == options.dot {
        let message = "`--vcd` and `--dot` name the same file";
        return Err(Diagnostic::error(frame::BAD_USAGE, message).into());
    }
    let read = match read_spec(&request.spec, context)? {
        AnySpec::Gr1(read) => read,
        AnySpec::Ltl(read) => return ltl::explain(&read, request, context),
    };
    let limits = context.limits.for_diagrams();
    let game = match Gr1Game::new(&read.spec, limits.clone()) {
        Ok(game) => game,
        Err(error) => return Ok(Report::verdict(Verdict::Unknown).because(error.to_string())),
    };
    let minimizer = match options.minimizer {
        MinimizerName::Ddmin => Minimizer::DeltaDebugging,
        MinimizerName::Linmin => Minimizer::Linear,
        MinimizerName::Quickxplain => Minimizer::QuickXplain,
    };
    let mut work = Work {
        oracle: Oracle::new(&game, read.semantics),
        game: &game,
        read: &read,
        minimizer,
        request,
        explanation: Explanation::default(),
        diagnostics: Vec::new(),
        notes: Vec::new(),
        limits,
    };
    context.progress.status(|| "looking for a core".to_string());
    let found = core(&mut work.oracle, minimizer, true);
    let mut report = match &found {
        Ok(Some(core)) => {
            context
                .progress
                .status(|| "explaining the conflict".to_string());
            work.unrealizable(core, &context.sources)?;
            Report::verdict(Verdict::Unrealizable)
                .because("no system can satisfy the specification")
        }
        Ok(None) => {
            context
                .progress
                .status(|| "looking for the assumptions that matter".to_string());
            work.realizable(&context.sources);
            Report::verdict(Verdict::Realizable).because("a system can satisfy the specification")
        }
        Err(error) => Report::verdict(Verdict::Unknown).because(error.to_string()),
    };
    if work.wants(ExplainPart::Separation) {
        context
            .progress
            .status(|| "asking whether assumptions can be made to fail".to_string());
        work.separation(&context.sources)?;
    }
    if let (true, Ok(found)) = (options.all_explanations, &found) {
        work.all_explanations(found.is_none(), &context.sources);
    }
    work.explanation.checks = work.oracle.statistics.checks();
    report.body = Body::Explain(work.explanation);
    report.diagnostics.extend(work.diagnostics);
    report.notes.extend(work.notes);
    Ok(report)
}

struct Work<'a> {
    game: &'a Gr1Game,
    read: &'a LoadedGr1,
    oracle: Oracle<'a>,
    minimizer: Minimizer,
    request: &'a ExplainRequest,
    explanation: Explanation,
    diagnostics: Vec<Diagnostic>,
    notes: Vec<String>,
    limits: bdd::Limits,
}

/// A part that needs more time than there is.
type Part<T> = Result<T, bdd::Error>;

impl Work<'_> {
    fn wants(&self, part: ExplainPart) -> bool {
        let only = &self.request.options.only;
        only.is_empty() || only.contains(&part)
    }

    fn missing(&mut self, what: &str, error: bdd::Error) {
        self.explanation.missing.push(convert::missing(what, error));
    }

    fn unrealizable(&mut self, core: &Subset, sources: &Sources) -> Result<(), Failure> {
        if self.wants(ExplainPart::Core) {
            let explained = self.core(core, sources)?;
            self.explanation.core = Some(explained);
        }
        if self.wants(ExplainPart::Countertrace) || self.wants(ExplainPart::Counterstrategy) {
            match self.plays(core) {
                Ok(Ok(())) => {}
                Ok(Err(failure)) => return Err(failure),
                Err(error) => self.missing("The counterstrategy", error),
            }
        }
        if self.wants(ExplainPart::Fix) {
            match self.fix(sources) {
                Ok(fix) => self.explanation.fix = Some(fix),
                Err(error) => self.missing("The minimal fix", error),
            }
        }
        if self.wants(ExplainPart::Diagnoses) {
            let bounds = if self.request.options.all {
                Bounds {
                    diagnoses: usize::MAX,
                    size: usize::MAX,
                    conflicts: usize::MAX,
                }
            } else {
                Bounds {
                    diagnoses: 20,
                    size: 2,
                    conflicts: 20,
                }
            };
            let components = self.oracle.whole();
            let found = diagnose(&mut self.oracle, self.minimizer, &components, bounds);
            let convert_all = |sets: &[Subset]| -> Vec<Vec<report::Item>> {
                let sets = sets.iter();
                sets.map(|set| convert::items(&self.oracle, set, sources))
                    .collect()
            };
            self.explanation.diagnoses = Some(report::Diagnoses {
                conflicts: convert_all(&found.conflicts),
                diagnoses: convert_all(&found.diagnoses),
                limit: convert::limit(found.unfinished),
            });
        }
        Ok(())
    }

    fn core(&mut self, core: &Subset, sources: &Sources) -> Result<report::Core, Failure> {
        let spec = self.oracle.spec();
        let items = convert::items(&self.oracle, core, sources);
        let mut diagnostic = Diagnostic::new(
            Severity::Note,
            codes::CONFLICT,
            "no system can keep these guarantees together",
        );
        for element in self.oracle.elements_of(core) {
            if let crate::explain::Element::Guarantee(id) = element {
                let constraint = spec.constraint(id);
                if let Some(span) = constraint.span {
                    diagnostic = diagnostic.at(span, format!("`{}`", constraint.name));
                }
            }
        }
        self.diagnostics.push(diagnostic);
        let assumptions =
            helpful::conflict_assumptions(&mut self.oracle, self.minimizer, core, core);
        let assumptions = match assumptions {
            Ok(found) => convert::items(&self.oracle, &found, sources),
            Err(error) => {
                self.missing("Which assumptions the core needs", error);
                Vec::new()
            }
        };
        let confirmed = match self.confirm(core) {
            Ok(true) => true,
            Ok(false) => {
                return Err(not_confirmed(&Flaw("the core is not minimal".to_string())).into());
            }
            Err(_) => false,
        };
        Ok(report::Core {
            items,
            guarantees: self.oracle.guarantees().len(),
            outputs: self.oracle.outputs().len(),
            assumptions,
            confirmed,
        })
    }

    /// Whether fresh games agree: the core is unrealizable, and nothing in it is for nothing.
    fn confirm(&self, core: &Subset) -> Part<bool> {
        let game = Gr1Game::new(self.oracle.spec(), self.limits.clone())?;
        let is_unrealizable = |set: &Subset| -> Part<bool> {
            let mut fresh = Oracle::new(&game, self.read.semantics);
            fresh.approximations = false;
            fresh.conflicts(set)
        };
        if !is_unrealizable(core)? {
            return Ok(false);
        }
        for member in core.iter() {
            let mut rest = core.clone();
            rest.remove(member);
            if is_unrealizable(&rest)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The counterstrategy of the core, and a countertrace if there is one.
    fn plays(&mut self, core: &Subset) -> Part<Result<(), Failure>> {
        let spec = self.oracle.spec();
        let selection = self.oracle.selection(core);
        let rules = self.oracle.rules(core)?;
        let Some(strategy) = Counterstrategy::new(rules)? else {
            let flaw = Flaw("the core is realizable".to_string());
            return Ok(Err(not_confirmed(&flaw).into()));
        };
        // Claims are about strict semantics.
        let is_strict = self.read.semantics == Semantics::Strict;
        if is_strict {
            let checked = certificate::check_counterplay(
                self.game,
                strategy.rules(),
                strategy.counterplay(),
            )?;
            if let Err(flaw) = checked {
                return Ok(Err(not_confirmed(&flaw).into()));
            }
        }
        let whole = self.game.rules(&Selection::everything(spec))?;
        let trace = countertrace(&strategy, is_strict.then_some(&whole))?;
        let needs_whole = trace.as_ref().is_some_and(|trace| trace.needs_whole);
        let narrator = match needs_whole {
            true => Narrator::new(self.game, &Selection::everything(spec), &strategy)?,
            false => Narrator::new(self.game, &selection, &strategy)?,
        };
        let mut shown: Option<Story> = None;
        if let Some(trace) = &trace {
            if is_strict && let Err(flaw) = certificate::check_countertrace(self.game, trace)? {
                return Ok(Err(not_confirmed(&flaw).into()));
            }
            let play = narrator.trace(trace)?;
            if self.wants(ExplainPart::Countertrace) {
                self.explanation.countertrace = Some(convert::play(spec, &play));
            }
            shown = Some(play);
        }
        if trace.is_none() && self.wants(ExplainPart::Countertrace) {
            self.explanation.countertrace = self.held_trace(core)?;
            if self.explanation.countertrace.is_none() {
                let sentence = self.look_ahead(spec, is_strict).sentence();
                self.explanation.missing.push(sentence);
            }
        }
        let plays = graph(&strategy, &selection.released, NODES)?;
        if self.wants(ExplainPart::Counterstrategy) {
            let own = match trace.is_none() {
                true => narrator.play(&plays)?,
                false => None,
            };
            self.explanation.counterstrategy = Some(report::Counterstrategy {
                states: plays.nodes.len(),
                truncated: plays.truncated,
                play: own.as_ref().map(|play| convert::play(spec, play)),
                machine: None,
                certified: is_strict,
            });
            shown = shown.or(own);
        }
        let options = &self.request.options;
        if let (Some(path), Some(play)) = (&options.vcd, &shown) {
            let trace = convert::trace(spec, play);
            let title = format!("{} fails {}", spec.name, trace.shape());
            if let Err(problem) =
                write_file(path, vcd::vcd(&trace, &title).as_bytes(), options.force)
            {
                return Ok(Err(problem.into()));
            }
            self.notes.push(format!("wrote {}", path.display()));
        }
        if let Some(path) = &options.dot {
            let ids = |list: &[crate::game::gr1::Recurrence]| -> Vec<Option<ConstraintId>> {
                list.iter().map(|one| one.constraint).collect()
            };
            let rules = strategy.rules();
            let text = convert::dot(spec, &plays, &ids(&rules.goals), &ids(&rules.assumed));
            if let Err(problem) = write_file(path, text.as_bytes(), options.force) {
                return Ok(Err(problem.into()));
            }
            self.notes.push(format!("wrote {}", path.display()));
        }
        Ok(Ok(()))
    }

    /// Whether a small specification is realizable for systems that know inputs in advance.
    fn look_ahead(&self, spec: &Gr1, is_strict: bool) -> Lookahead {
        let bits: usize = spec.variables.iter().map(|one| one.domain.bits()).sum();
        match LtlSpec::from_gr1(spec) {
            Ok(same) if bits <= FEW_BITS => {
                let same = LtlSpec { is_strict, ..same };
                let end = Instant::now() + LOOKING_AHEAD;
                let limits = bdd::Limits {
                    deadline: Some(self.limits.deadline.map_or(end, |own| own.min(end))),
                    ..self.limits.clone()
                };
                lookahead(&same, &limits)
            }
            _ => Lookahead::Unknown,
        }
    }

    /// A countertrace for systems that leave the outputs outside of the core alone.
    fn held_trace(&mut self, core: &Subset) -> Part<Option<report::Play>> {
        let Some(held) = hold(&self.oracle, core)? else {
            return Ok(None);
        };
        let rules = held.game.rules(&held.selection)?;
        let Some(strategy) = Counterstrategy::new(rules)? else {
            return Ok(None);
        };
        let Some(trace) = countertrace(&strategy, None)? else {
            return Ok(None);
        };
        let spec = held.game.spec();
        let story = Narrator::new(&held.game, &held.selection, &strategy)?.trace(&trace)?;
        let mut play = convert::play(spec, &held.without_held(story));
        if !held.values.is_empty() {
            play.condition = Some(convert::held(spec, &held.values));
        }
        Ok(Some(play))
    }

    fn fix(&mut self, sources: &Sources) -> Part<report::Fix> {
        let removed = helpful::minimal_fix(&mut self.oracle, self.minimizer)?;
        let rest = self.oracle.whole().minus(&removed);
        let assumptions = helpful::sufficient(&mut self.oracle, self.minimizer, &rest)?;
        Ok(report::Fix {
            removed: convert::items(&self.oracle, &removed, sources),
            assumptions: convert::items(&self.oracle, &assumptions, sources),
        })
    }

    fn realizable(&mut self, sources: &Sources) {
        if !self.wants(ExplainPart::Assumptions) {
            return;
        }
        match self.assumptions(sources) {
            Ok(found) => self.explanation.assumptions = Some(found),
            Err(error) => self.missing("Which assumptions suffice", error),
        }
    }

    fn assumptions(&mut self, sources: &Sources) -> Part<report::Assumptions> {
        let whole = self.oracle.whole();
        let sufficient = helpful::sufficient(&mut self.oracle, self.minimizer, &whole)?;
        let needed = helpful::needing_guarantees(&mut self.oracle, self.minimizer, &sufficient)?;
        let unhelpful = helpful::unhelpful_assumptions(&mut self.oracle)?;
        let items = |set: &Subset| convert::items(&self.oracle, set, sources);
        Ok(report::Assumptions {
            sufficient: items(&sufficient),
            needed_by: items(&needed),
            unhelpful: items(&unhelpful),
            total: self.oracle.lacks().len(),
        })
    }

    fn separation(&mut self, sources: &Sources) -> Result<(), Failure> {
        match separate(&self.read.spec, &self.limits, sources) {
            Ok(Ok((found, diagnostic))) => {
                self.diagnostics.extend(diagnostic);
                self.explanation.separation = Some(found);
                Ok(())
            }
            Ok(Err(failure)) => Err(failure),
            Err(error) => {
                self.missing("Whether assumptions are well-separated", error);
                Ok(())
            }
        }
    }

    fn all_explanations(&mut self, realizable: bool, sources: &Sources) {
        match all_explanations(&self.oracle, realizable, EXPLANATIONS) {
            Ok(sets) => {
                let sets = sets.iter();
                let sets = sets.map(|set| convert::items(&self.oracle, set, sources));
                self.explanation.all = Some(sets.collect());
            }
            Err(error) => self.missing("The list of all explanations", error),
        }
    }
}

fn not_confirmed(flaw: &Flaw) -> Diagnostic {
    let message = format!("an explanation was not confirmed: {}", flaw.0);
    Diagnostic::error(codes::NOT_CONFIRMED, message)
        .help("please report it with the specification; `respin check` gives the verdict")
}

/// Which cases of non-separation there are, with what forces them.
fn separate(
    spec: &Gr1,
    limits: &bdd::Limits,
    sources: &Sources,
) -> Part<Result<(report::Separation, Option<Diagnostic>), Failure>> {
    let part = relevant_part(spec, Scope::Environment);
    let game = Gr1Game::new(&part, limits.clone())?;
    let mut separation = Separation::new(&game)?;
    let cases = separation.cases()?;
    let mut found = report::Separation {
        cases: cases.iter().map(|case| convert::case(*case)).collect(),
        with_guarantees: None,
        core: Vec::new(),
        safety_core: Vec::new(),
        trace: Vec::new(),
        forcing: Vec::new(),
        conclusion: None,
        certified: false,
    };
    if cases.is_empty() {
        return Ok(Ok((found, None)));
    }
    let items = |ids: Option<Vec<ConstraintId>>| -> Vec<report::Item> {
        let ids = ids.unwrap_or_default();
        ids.iter()
            .map(|id| convert::constraint(spec, *id, sources))
            .collect()
    };
    let core = separation.core(true)?;
    let mut diagnostic = Diagnostic::new(
        Severity::Note,
        codes::NOT_WELL_SEPARATED,
        "a system can make these assumptions fail",
    );
    for id in core.iter().flatten() {
        let constraint = spec.constraint(*id);
        if let Some(span) = constraint.span {
            diagnostic = diagnostic.at(span, format!("`{}`", constraint.name));
        }
    }
    found.core = items(core);
    found.safety_core = items(separation.core(false)?);
    let justice = found.safety_core.is_empty();
    let forced = Forced::new(separation.rules(), justice)?;
    if let Some((path, state)) = separation.trace_to(forced.states())? {
        if let Some(forcing) = forcing(&game, separation.rules(), &forced, &state)? {
            found.conclusion = Some(convert::forced_end(spec, &forcing));
            found.forcing = convert::states(spec, &forcing.states);
            let start = forcing.states.first().map(Vec::as_slice);
            let checked = certificate::check_forced(&game, separation.rules(), &forced, start)?;
            if let Err(flaw) = checked {
                return Ok(Err(not_confirmed(&flaw).into()));
            }
            found.certified = true;
        }
        found.trace = convert::states(spec, &path);
    }
    let guarded = relevant_part(spec, Scope::Guarantees);
    let guarded_game = Gr1Game::new(&guarded, limits.clone())?;
    let guarded = Separation::new(&guarded_game)?.cases()?;
    found.with_guarantees = Some(guarded.into_iter().map(convert::case).collect());
    Ok(Ok((found, Some(diagnostic))))
}
