//! `respin check`: asks whether any system can satisfy a specification.

use crate::cli::clock::Clock;
use crate::cli::context::{Context, Failure};
use crate::cli::explanation::verdict;
use crate::cli::request::SpecRequest;
use crate::cli::specification::{read_spec, summary};
use crate::explain;
use crate::explain::answer::{Satisfiable, WellSeparation};
use crate::load::AnySpec;
use crate::report::{Body, Report, specification};

pub fn check(request: &SpecRequest, context: &mut Context) -> Result<Report, Failure> {
    let clock = Clock::start();
    let spec = read_spec(&request.spec, context)?;
    context.limits.check()?;
    context.progress.log(|| "solving the game".to_string());
    let limits = context.limits.for_diagrams();
    let found = explain::check(&spec, &limits, &mut context.progress.watch())?;
    let (realizable, unrealizable) = match &spec {
        AnySpec::Gr1(_) => ("its strategy was", "the counterstrategy was"),
        AnySpec::Ltl(_) => ("a controller was", "a counterstrategy was"),
    };
    let mut report = verdict(
        &found.verdict,
        &format!("a system can satisfy the specification; {realizable} certified"),
        &format!("no system can satisfy the specification; {unrealizable} certified"),
    );
    explain_vacuity(&mut report, found.satisfiable);
    let mut summary = summary(&spec);
    summary.satisfiable = specification::Satisfiable {
        assumptions: found.satisfiable.assumptions,
        guarantees: found.satisfiable.guarantees,
        both: found.satisfiable.both,
    };
    summary.separation = found.separation.as_ref().map(separation);
    summary.unhelpful = found.unhelpful;
    summary.seconds = clock.seconds();
    Ok(report.with(Body::Check(summary)))
}

/// Whether the system can make assumptions fail, in a few words.
fn separation(found: &WellSeparation) -> String {
    if found.cases.is_empty() {
        return "well-separated".to_string();
    }
    let cases: Vec<String> = found.cases.iter().map(|case| case.text()).collect();
    let mut text = format!("not well-separated: {}", cases.join(" and "));
    if found.is_prevented {
        text.push_str(", but with the guarantees");
    }
    text
}

/// Says when the verdict rests on a side that contradicts itself.
fn explain_vacuity(report: &mut Report, satisfiable: Satisfiable) {
    if satisfiable.assumptions == Some(false) {
        let note = "the assumptions contradict themselves: no play keeps them all for ever";
        report.notes.push(note.to_string());
    }
    if satisfiable.guarantees == Some(false) {
        let note = "the guarantees contradict themselves: no play keeps them all for ever";
        report.notes.push(note.to_string());
    }
    let each = satisfiable.assumptions == Some(true) && satisfiable.guarantees == Some(true);
    if each && satisfiable.both == Some(false) {
        let note = "no play keeps both sides, although each can be kept alone";
        report.notes.push(note.to_string());
    }
}
