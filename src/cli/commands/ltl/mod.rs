//! The commands for specifications in any LTL.

mod play;

pub use play::{play, simulate};

use crate::bdd;
use crate::cli::context::{Context, Failure};
use crate::report::{Ending, Report, Verdict};
use crate::source::{Diagnostic, codes::frame};
use crate::spec::ltl::LtlSpec;
use crate::synth::ltl::{self, Answer, Certificate};

/// Who wins, certified; or the report that says why that is not known.
pub fn decide(spec: &LtlSpec, context: &mut Context) -> Result<Result<Answer, Report>, Failure> {
    context.limits.check()?;
    let options = ltl::Options {
        limits: context.limits.for_diagrams(),
        ..ltl::Options::default()
    };
    context.progress.log(|| "solving the game".to_string());
    let progress = &mut context.progress;
    let solved = ltl::solve(spec, &options, &mut |doing| {
        progress.log_detail(|| doing.to_string());
        progress.status(|| doing.to_string());
    });
    match solved {
        Ok(answer) => match &answer.certificate {
            Certificate::Checked => Ok(Ok(answer)),
            Certificate::Unchecked(error) => {
                let word = verdict(&answer);
                let reason = format!("the solver says {word}, but that was not certified: {error}");
                Ok(Err(unknown(Some(*error), reason)))
            }
            Certificate::Flawed(part) => {
                let message = format!("a verdict was not confirmed: {part}");
                Err(Diagnostic::error(frame::INTERNAL_ERROR, message).into())
            }
        },
        Err(ltl::Failure::Diagnostics(diagnostics)) => Err(diagnostics.into()),
        Err(ltl::Failure::Limit(error)) => Ok(Err(unknown(Some(error), error.to_string()))),
        Err(ltl::Failure::GaveUp(reason)) => Ok(Err(unknown(None, reason))),
    }
}

pub fn verdict(answer: &Answer) -> Verdict {
    match answer.realizable {
        true => Verdict::Realizable,
        false => Verdict::Unrealizable,
    }
}

fn unknown(error: Option<bdd::Error>, reason: String) -> Report {
    let mut report = Report::verdict(Verdict::Unknown).because(reason);
    if error == Some(bdd::Error::Interrupted) {
        report.ending = Ending::Interrupted;
    }
    report
}
