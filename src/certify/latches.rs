//! Whether latches that combinational blocks infer are ever open.
//!
//! A block that leaves a signal unassigned in cases that no run reaches is combinational logic.
//! That is a claim about all runs, so it is model-checked like a property.

use super::{Options, Problem, Semantics, Verdict};
use crate::bdd::{self, Limits};
use crate::source::Diagnostic;
use crate::subject::Subject;

/// What is known of the inferred latches of a design.
pub enum LatchStatus {
    /// None is ever open; with a warning for each.
    Closed(Vec<Diagnostic>),
    /// Some are, or may be; with an error for each.
    Open(Vec<Diagnostic>),
    /// A limit was reached first.
    Unknown(bdd::Error),
}

/// Checks that no run which keeps the assumptions opens a latch, once properties count.
pub fn latches(subject: &Subject, limits: &Limits) -> Result<LatchStatus, Diagnostic> {
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
        ..Options::default()
    };
    for latch in &subject.latches {
        let (spec, property) = subject.asserting_never(&latch.held);
        let Ok(problem) = Problem::new(&subject.design, &spec) else {
            open.push(latch.error());
            continue;
        };
        match problem.check(property, &options)? {
            Verdict::Holds => closed.push(latch.warning()),
            Verdict::Fails(_) => open.push(latch.error()),
            Verdict::Unknown(error) => return Ok(LatchStatus::Unknown(error)),
        }
    }
    Ok(if open.is_empty() {
        LatchStatus::Closed(closed)
    } else {
        LatchStatus::Open(open)
    })
}
