//! Why nothing satisfies a specification in LTL, or which of its assumptions matter.
//!
//! Guarantees are taken apart into conjuncts. Each answer rests on certified verdicts: a core
//! is unrealizable and each member is needed, a counterstrategy wins against the core and so
//! against the whole, and a countertrace is a counterstrategy that looks at nothing.

use super::{decide, verdict};
use crate::bdd;
use crate::cli::context::{Context, Failure};
use crate::cli::explanation::missing;
use crate::cli::options::{ExplainPart, MinimizerName};
use crate::cli::output::write_file;
use crate::cli::request::ExplainRequest;
use crate::design::{Design, Literal};
use crate::explain::Minimizer;
use crate::explain::ltl::{Lookahead, Oracle, Run, countertrace, is_assumed, lookahead, run};
use crate::load::LoadedLtl;
use crate::report::explanation as report;
use crate::report::{Body, Explanation, Report, vcd};
use crate::run::{self, Signal, SignalKind};
use crate::source::codes::explanation as codes;
use crate::source::record::PlaceRecord;
use crate::source::{Diagnostic, Severity, Sources};
use crate::spec::ltl::{LtlSpec, Order, Section};
use crate::synth::circuit::Circuit;
use crate::synth::explicit::{Bounds, Explicit, Judged, explicit};
use crate::synth::ltl::Failure as Unsolved;
use std::collections::HashMap;

pub fn explain(
    read: &LoadedLtl,
    request: &ExplainRequest,
    context: &mut Context,
) -> Result<Report, Failure> {
    let answer = match decide(&read.spec, context)? {
        Ok(answer) => answer,
        Err(unknown) => return Ok(unknown),
    };
    let limits = context.limits.for_diagrams();
    let minimizer = match request.options.minimizer {
        MinimizerName::Ddmin => Minimizer::DeltaDebugging,
        MinimizerName::Linmin => Minimizer::Linear,
        MinimizerName::Quickxplain => Minimizer::QuickXplain,
    };
    let mut work = Work {
        oracle: Oracle::new(&read.spec, limits.clone()),
        minimizer,
        request,
        limits,
        explanation: Explanation::default(),
        diagnostics: Vec::new(),
        notes: Vec::new(),
    };
    let mut report = Report::verdict(verdict(&answer));
    if answer.realizable {
        report = report.because("a system can satisfy the specification");
        context
            .progress
            .status(|| "looking for the assumptions that matter".to_string());
        work.realizable(&context.sources);
    } else {
        report = report.because("no system can satisfy the specification");
        context.progress.status(|| "looking for a core".to_string());
        work.unrealizable(&answer.circuit, &context.sources)?;
    }
    work.refuse();
    work.explanation.checks = work.oracle.checks;
    report.body = Body::Explain(work.explanation);
    report.diagnostics.extend(work.diagnostics);
    report.notes.extend(work.notes);
    Ok(report)
}

struct Work<'a> {
    oracle: Oracle,
    minimizer: Minimizer,
    request: &'a ExplainRequest,
    limits: bdd::Limits,
    explanation: Explanation,
    diagnostics: Vec<Diagnostic>,
    notes: Vec<String>,
}

impl Work<'_> {
    fn wants(&self, part: ExplainPart) -> bool {
        let only = &self.request.options.only;
        only.is_empty() || only.contains(&part)
    }

    fn missing(&mut self, what: &str, error: bdd::Error) {
        self.explanation.missing.push(missing(what, error));
    }

    /// What was asked for by name and is not there.
    fn refuse(&mut self) {
        let only = &self.request.options.only;
        for (part, name) in [
            (ExplainPart::Diagnoses, "Diagnoses"),
            (ExplainPart::Separation, "Well-separation"),
        ] {
            if only.contains(&part) {
                let sentence = format!("{name} are only there for GR(1) specifications.");
                self.explanation.missing.push(sentence);
            }
        }
        if self.request.options.all_explanations {
            let sentence = "All explanations at once are only there for GR(1) specifications.";
            self.explanation.missing.push(sentence.to_string());
        }
    }

    fn realizable(&mut self, sources: &Sources) {
        if !self.wants(ExplainPart::Assumptions) || self.oracle.places(true).is_empty() {
            return;
        }
        let found = self.oracle.sufficient(self.minimizer);
        let found = found.and_then(|sufficient| Ok((sufficient, self.oracle.unhelpful()?)));
        match found {
            Ok((sufficient, unhelpful)) => {
                self.explanation.assumptions = Some(report::Assumptions {
                    total: self.oracle.places(true).len(),
                    sufficient: self.items(&sufficient, sources),
                    needed_by: Vec::new(),
                    unhelpful: self.items(&unhelpful, sources),
                });
            }
            Err(error) => self.missing("The assumptions that suffice", error),
        }
    }

    fn unrealizable(&mut self, whole: &Design, sources: &Sources) -> Result<(), Failure> {
        let core = match self.oracle.core(self.minimizer) {
            Ok(core) => Some(core),
            Err(error) => {
                self.missing("A core", error);
                None
            }
        };
        let mut places = self.oracle.places(true);
        places.extend(core.clone().unwrap_or_else(|| self.oracle.places(false)));
        let spec = self.oracle.only(&places);
        let strategy = match self.oracle.solve(&places) {
            Ok(answer) if !answer.realizable => answer.circuit,
            // The one for the whole specification is as good, if larger.
            _ => whole.clone(),
        };
        if let Some(core) = core
            && self.wants(ExplainPart::Core)
        {
            self.core(&core, sources);
        }
        if self.wants(ExplainPart::Countertrace) || self.wants(ExplainPart::Counterstrategy) {
            self.plays(&spec, &strategy)?;
        }
        if self.wants(ExplainPart::Fix) {
            match self.oracle.fix() {
                Ok(removed) => {
                    self.explanation.fix = Some(report::Fix {
                        removed: self.items(&removed, sources),
                        assumptions: self.items(&self.oracle.places(true), sources),
                    });
                }
                Err(error) => self.missing("The minimal fix", error),
            }
        }
        Ok(())
    }

    fn core(&mut self, core: &[usize], sources: &Sources) {
        let mut diagnostic = Diagnostic::new(
            Severity::Note,
            codes::CONFLICT,
            "no system can keep these guarantees together",
        );
        for place in core {
            let part = &self.oracle.spec.parts[*place];
            if let Some(span) = part.span {
                diagnostic = diagnostic.at(span, format!("`{}`", part.name));
            }
        }
        self.diagnostics.push(diagnostic);
        self.explanation.core = Some(report::Core {
            items: self.items(core, sources),
            guarantees: self.oracle.places(false).len(),
            outputs: 0,
            assumptions: self.items(&self.oracle.places(true), sources),
            confirmed: !self.oracle.is_unsure,
        });
    }

    fn items(&self, places: &[usize], sources: &Sources) -> Vec<report::Item> {
        let spec = &self.oracle.spec;
        let parts = places.iter().map(|place| &spec.parts[*place]);
        parts
            .map(|part| {
                let text = short(spec.formulas.text(part.formula));
                report::Item {
                    kind: if is_assumed(part.section) {
                        report::ItemKind::Assumption
                    } else {
                        report::ItemKind::Guarantee
                    },
                    name: part.name.clone(),
                    text: match part.section {
                        Section::Require | Section::Assert => format!("G ({text})"),
                        _ => text,
                    },
                    place: part.span.map(|span| PlaceRecord::new(span, sources)),
                }
            })
            .collect()
    }

    fn plays(&mut self, spec: &LtlSpec, strategy: &Design) -> Result<(), Failure> {
        let mut shown = None;
        let mut conclusion = Vec::new();
        if self.wants(ExplainPart::Countertrace) {
            match countertrace(spec, strategy, &self.limits) {
                Ok(Some(trace)) => {
                    let mut play = play(spec, &trace, false);
                    play.conclusion
                        .push("Certified: no outputs keep the guarantees with it".to_string());
                    self.explanation.countertrace = Some(play);
                    shown = Some(trace);
                }
                Ok(None) => {
                    let ahead = lookahead(spec, &self.limits);
                    match ahead {
                        Lookahead::Wins(_) => conclusion.push(ahead.sentence()),
                        Lookahead::Unknown => self.explanation.missing.push(ahead.sentence()),
                    }
                }
                Err(Unsolved::Limit(error)) => self.missing("A countertrace", error),
                Err(Unsolved::Diagnostics(diagnostics)) => return Err(diagnostics.into()),
                Err(Unsolved::GaveUp(reason)) => self.explanation.missing.push(reason),
            }
        }
        let circuit = Circuit::of_bits("counterstrategy", strategy.clone());
        let judged = Judged {
            design: strategy,
            assumed: Literal::TRUE,
            recurrences: &[],
        };
        let machine = explicit(&circuit, &judged, Bounds::default())?;
        if self.wants(ExplainPart::Counterstrategy) {
            let own = match &shown {
                Some(_) => None,
                None => run(spec, strategy, 0)?,
            };
            let mut told = own.as_ref().map(|own| play(spec, own, true));
            match &mut told {
                Some(play) => play.conclusion.extend(conclusion),
                None => self
                    .explanation
                    .missing
                    .extend(conclusion.iter().map(|one| format!("{one}."))),
            }
            self.explanation.counterstrategy = Some(report::Counterstrategy {
                states: machine.states.len(),
                truncated: machine.limit.is_some(),
                play: told,
                machine: listed(spec, &machine),
                certified: true,
            });
            shown = shown.or(own);
        }
        self.files(spec, &machine, shown)
    }

    fn files(
        &mut self,
        spec: &LtlSpec,
        machine: &Explicit,
        shown: Option<Run>,
    ) -> Result<(), Failure> {
        let options = &self.request.options;
        if let (Some(path), Some(run)) = (&options.vcd, &shown) {
            let trace = trace(spec, run);
            let title = format!("{} fails {}", spec.title, trace.shape());
            write_file(path, vcd::vcd(&trace, &title).as_bytes(), options.force)?;
            self.notes.push(format!("wrote {}", path.display()));
        }
        if let Some(path) = &options.dot {
            let text = machine.dot("counterstrategy");
            write_file(path, text.as_bytes(), options.force)?;
            self.notes.push(format!("wrote {}", path.display()));
        }
        Ok(())
    }
}

/// Formulas may be pages long.
fn short(text: String) -> String {
    const LONG: usize = 200;
    match text.char_indices().nth(LONG) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}

fn play(spec: &LtlSpec, run: &Run, with_outputs: bool) -> report::Play {
    let settings = |names: &[String], values: &[bool]| -> Vec<report::Setting> {
        let pairs = names.iter().zip(values);
        pairs
            .map(|(name, value)| report::Setting {
                name: name.clone(),
                value: Some(value.to_string()),
            })
            .collect()
    };
    let steps = run.inputs.iter().zip(&run.outputs);
    let steps = steps.map(|(inputs, outputs)| report::Step {
        inputs: settings(&spec.inputs, inputs),
        outputs: match with_outputs {
            true => settings(&spec.outputs, outputs),
            false => Vec::new(),
        },
        reasons: Vec::new(),
    });
    let mut conclusion = Vec::new();
    if with_outputs {
        let broken = run.broken(spec).into_iter().map(|place| &spec.parts[place]);
        let broken = broken.filter(|part| !is_assumed(part.section));
        let names: Vec<String> = broken.map(|part| format!("`{}`", part.name)).collect();
        if !names.is_empty() {
            conclusion.push(format!("This play breaks {}", names.join(", ")));
        }
    }
    report::Play {
        condition: None,
        steps: steps.collect(),
        loop_start: Some(run.loop_start),
        conclusion,
    }
}

/// A machine that is small enough to be read.
fn listed(spec: &LtlSpec, machine: &Explicit) -> Option<report::Machine> {
    const MOST_STATES: usize = 50;
    const MOST_TRANSITIONS: usize = 400;
    let is_small = machine.limit.is_none()
        && machine.states.len() <= MOST_STATES
        && machine.transitions.len() <= MOST_TRANSITIONS;
    if !is_small || spec.order == Order::Moore {
        return None;
    }
    let settings = |names: &[String], values: &[String]| -> Vec<report::Setting> {
        let pairs = names.iter().zip(values);
        pairs
            .map(|(name, value)| report::Setting {
                name: name.clone(),
                value: Some(value.clone()),
            })
            .collect()
    };
    let mut states: Vec<report::MachineState> = machine
        .states
        .iter()
        .map(|_| report::MachineState {
            inputs: Vec::new(),
            next: Vec::new(),
        })
        .collect();
    for transition in &machine.transitions {
        let state = &mut states[transition.from];
        // The environment moves first: what it plays does not depend on the outputs.
        state.inputs = settings(&machine.outputs, &transition.outputs);
        let outputs = settings(&machine.inputs, &transition.inputs);
        state.next.push((outputs, transition.to));
    }
    for state in &mut states {
        leave_out_irrelevant(&mut state.next);
    }
    Some(report::Machine { states })
}

/// Drops outputs that do not matter for where a state leads.
fn leave_out_irrelevant(next: &mut Vec<(Vec<report::Setting>, usize)>) {
    let count = next.first().map_or(0, |(outputs, _)| outputs.len());
    for place in (0..count).rev() {
        let mut targets: HashMap<Vec<Option<String>>, usize> = HashMap::new();
        let matters = next.iter().any(|(outputs, to)| {
            let others = outputs.iter().enumerate().filter(|(own, _)| *own != place);
            let key = others.map(|(_, setting)| setting.value.clone()).collect();
            *targets.entry(key).or_insert(*to) != *to
        });
        if !matters {
            for (outputs, _) in next.iter_mut() {
                outputs.remove(place);
            }
            let mut seen: Vec<(Vec<report::Setting>, usize)> = Vec::new();
            next.retain(|one| match seen.contains(one) {
                true => false,
                false => {
                    seen.push(one.clone());
                    true
                }
            });
        }
    }
}

fn trace(spec: &LtlSpec, run: &Run) -> run::Run {
    let column = |names: &[String], steps: &[Vec<bool>], kind: SignalKind| -> Vec<Signal> {
        let names = names.iter().enumerate();
        names
            .map(|(place, name)| Signal {
                name: name.clone(),
                kind,
                width: 1,
                relevant: true,
                values: steps.iter().map(|step| Some(vec![step[place]])).collect(),
            })
            .collect()
    };
    let mut signals = column(&spec.inputs, &run.inputs, SignalKind::Input);
    signals.extend(column(&spec.outputs, &run.outputs, SignalKind::Output));
    run::Run {
        steps: run.inputs.len(),
        loop_start: Some(run.loop_start),
        signals,
    }
}
