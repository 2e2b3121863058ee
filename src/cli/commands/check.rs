//! `respin check`: asks whether any system can satisfy a specification.
//!
//! The verdict is printed as soon as it is certified, and what is found after it line by line.

use crate::certify::{Evidence, Realizability};
use crate::cli::clock::Clock;
use crate::cli::context::{Context, Failure};
use crate::cli::options::CheckPart;
use crate::cli::page::Target;
use crate::cli::request::CheckRequest;
use crate::cli::specification::{read_spec, summary};
use crate::explain::answer::{self, CheckAnswer, CheckEvent, CheckOptions};
use crate::load::AnySpec;
use crate::report::answers::explain::{explain_vacuity, separation_words, verdict};
use crate::report::specification::{self, CheckedPart, Specification};
use crate::report::{Body, Report};
use crate::{explain, report};

pub fn check(request: &CheckRequest, context: &mut Context) -> Result<Report, Failure> {
    let clock = Clock::start();
    context.page = Target::asked(&request.page, request.force, [&request.spec.file], &[])?;
    let spec = read_spec(&request.spec, context)?;
    context.limits.check()?;
    context.progress.log(|| "solving the game".to_string());
    let options = CheckOptions {
        only: request.only.iter().map(|part| asked(*part)).collect(),
        limits: context.limits.for_diagrams(),
    };
    let mut parts = Vec::new();
    let found = explain::check(&spec, &options, &mut |event| match event {
        CheckEvent::Doing(doing) => context.progress.watch()(doing),
        CheckEvent::Found(part, found) => {
            parts.push(reported(part));
            let mut body = body(&spec, found, &parts);
            body.is_partial = true;
            context.show(&verdict_of(found).with(Body::Check(body)));
        }
    })?;
    let mut report = verdict_of(&found);
    explain_vacuity(&mut report, found.satisfiable);
    let mut body = body(&spec, &found, &parts);
    body.seconds = clock.seconds();
    body.wall_seconds = clock.wall_seconds();
    Ok(report.with(Body::Check(body)))
}

fn asked(part: CheckPart) -> answer::CheckPart {
    match part {
        CheckPart::Verdict => answer::CheckPart::Verdict,
        CheckPart::Satisfiable => answer::CheckPart::Satisfiable,
        CheckPart::Separation => answer::CheckPart::Separation,
        CheckPart::Unhelpful => answer::CheckPart::Unhelpful,
    }
}

fn reported(part: answer::CheckPart) -> CheckedPart {
    match part {
        answer::CheckPart::Verdict => CheckedPart::Verdict,
        answer::CheckPart::Satisfiable => CheckedPart::Satisfiable,
        answer::CheckPart::Separation => CheckedPart::Separation,
        answer::CheckPart::Unhelpful => CheckedPart::Unhelpful,
    }
}

fn verdict_of(found: &CheckAnswer) -> Report {
    let evidence = match &found.verdict {
        answer::Verdict::Certified(Realizability::Realizable(verdict)) => Some(verdict.evidence()),
        answer::Verdict::Certified(Realizability::Unrealizable(verdict)) => {
            Some(verdict.evidence())
        }
        answer::Verdict::Limit(..) | answer::Verdict::GaveUp(_) => None,
    };
    let (realizable, unrealizable) = match evidence {
        Some(Evidence::ModelChecked) => ("a controller was", "a counterstrategy was"),
        _ => ("its strategy was", "the counterstrategy was"),
    };
    verdict(
        &found.verdict,
        &format!("a system can satisfy the specification; {realizable} certified"),
        &format!("no system can satisfy the specification; {unrealizable} certified"),
    )
}

/// What is known of a specification by now.
fn body(spec: &AnySpec, found: &CheckAnswer, parts: &[CheckedPart]) -> Specification {
    report::Specification {
        satisfiable: specification::Satisfiable {
            assumptions: found.satisfiable.assumptions,
            guarantees: found.satisfiable.guarantees,
            both: found.satisfiable.both,
        },
        separation: found.separation.as_ref().map(separation_words),
        unhelpful: found.unhelpful.clone(),
        parts: parts.to_vec(),
        ..summary(spec)
    }
}
