//! `respin check`: asks whether any system can satisfy a specification.

use crate::cli::clock::Clock;
use crate::cli::context::{Context, Failure};
use crate::cli::page::Target;
use crate::cli::request::CheckRequest;
use crate::cli::specification::{read_spec, summary};
use crate::explain;
use crate::load::AnySpec;
use crate::report::answers::explain::{explain_vacuity, separation_words, verdict};
use crate::report::{Body, Report, specification};

pub fn check(request: &CheckRequest, context: &mut Context) -> Result<Report, Failure> {
    let clock = Clock::start();
    context.page = Target::asked(&request.page, request.force, [&request.spec.file], &[])?;
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
    summary.separation = found.separation.as_ref().map(separation_words);
    summary.unhelpful = found.unhelpful;
    summary.seconds = clock.seconds();
    Ok(report.with(Body::Check(summary)))
}
