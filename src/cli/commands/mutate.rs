//! `respin mutate`: puts small faults into a correct design, and asks which of them its
//! properties notice.

use crate::cli::context::{Context, Failure};
use crate::cli::design::load;
use crate::cli::page::Target;
use crate::cli::request::MutateRequest;
use crate::load::Purpose;
use crate::mutate::{self, Options};
use crate::report::Report;
use crate::report::answers::mutate::report;
use crate::source::Diagnostic;
use crate::source::codes::frame;
use crate::spec::Semantics;

pub fn mutate(request: &MutateRequest, context: &mut Context) -> Result<Report, Failure> {
    if !request.design.references.is_empty() {
        let message = "`--reference` says what a design is equal to, and mutants are not";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("give properties: mutants are compared with the design itself")
            .into());
    }
    context.page = Target::asked(&request.page, request.force, request.design.files(), &[])?;
    let subject = load(&request.design, Purpose::Repair, context)?;
    let options = Options {
        properties: request.properties.clone(),
        kinds: request.kinds.clone(),
        part: request.part,
        semantics: request.semantics.unwrap_or(Semantics::Strict),
        limits: context.limits.for_diagrams(),
    };
    let progress = &mut context.progress;
    let answer = mutate::mutate(&subject, &options, &mut |done, count| {
        progress.status(|| format!("{done} of {count} mutants"));
    })?;
    let mut report = report(&answer, &subject);
    if answer.is_interrupted() {
        report = report.and_interrupted();
    }
    report.notes.extend(subject.notes.iter().cloned());
    Ok(report)
}
