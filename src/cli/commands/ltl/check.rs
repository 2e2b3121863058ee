//! Whether any system can satisfy a specification in LTL.

use super::{decide, verdict};
use crate::bdd;
use crate::cli::commands::check::{explain_vacuity, extra};
use crate::cli::context::{Context, Failure};
use crate::explain::ltl::Oracle;
use crate::load::LoadedLtl;
use crate::report::specification::Satisfiable;
use crate::report::{Body, Report};
use crate::spec::ltl::{LtlSpec, Part, Section};
use crate::synth::ltl::{self, Certificate};
use std::time::Instant;

pub fn check(read: &LoadedLtl, context: &mut Context) -> Result<Report, Failure> {
    let start = Instant::now();
    let mut report = match decide(&read.spec, context)? {
        Err(unknown) => unknown,
        Ok(answer) => Report::verdict(verdict(&answer)).because(match answer.realizable {
            true => "a system can satisfy the specification; a controller was certified",
            false => "no system can satisfy the specification; a counterstrategy was certified",
        }),
    };
    context
        .progress
        .status(|| "asking whether each side can be kept".to_string());
    let mut summary = read.summary();
    summary.satisfiable = satisfiable(&read.spec, &extra(&context.limits.for_diagrams(), start));
    explain_vacuity(&mut report, summary.satisfiable);
    let limits = extra(&context.limits.for_diagrams(), start);
    let mut oracle = Oracle::new(&read.spec, limits);
    summary.unhelpful = oracle.unhelpful().ok().map(|places| {
        let parts = places.into_iter().map(|place| &oracle.spec.parts[place]);
        parts.map(|part| part.name.clone()).collect()
    });
    Ok(report.with(Body::Check(summary)))
}

/// A side can be kept if a system could keep it that sets all signals.
fn satisfiable(spec: &LtlSpec, limits: &bdd::Limits) -> Satisfiable {
    let is_assumed = |section: Section| {
        matches!(
            section,
            Section::Initially | Section::Require | Section::Assume
        )
    };
    let ask = |wanted: &dyn Fn(Section) -> bool| -> Option<bool> {
        let mut alone = LtlSpec {
            outputs: spec.inputs.iter().chain(&spec.outputs).cloned().collect(),
            formulas: spec.formulas.clone(),
            observer: spec.observer.clone(),
            ..LtlSpec::default()
        };
        let parts = spec.parts.iter().filter(|part| wanted(part.section));
        alone.parts = parts
            .map(|part| Part {
                section: match part.section {
                    Section::Require | Section::Assert => Section::Assert,
                    _ => Section::Guarantee,
                },
                ..part.clone()
            })
            .collect();
        let options = ltl::Options {
            limits: limits.clone(),
            ..ltl::Options::default()
        };
        let answer = ltl::solve(&alone, &options, &mut |_| {}).ok()?;
        (answer.certificate == Certificate::Checked).then_some(answer.realizable)
    };
    let both = ask(&|_| true);
    if both == Some(true) {
        return Satisfiable {
            assumptions: both,
            guarantees: both,
            both,
        };
    }
    Satisfiable {
        assumptions: ask(&is_assumed),
        guarantees: ask(&|section| !is_assumed(section)),
        both,
    }
}
