//! `respin convert`: translates a specification to another format.
//!
//! What is written means the same under strict semantics. A specification that means the
//! implication is translated to a strict one that does.

use crate::cli::context::{Context, Failure};
use crate::cli::options::SpecFormat;
use crate::cli::output::{check_output, write_file};
use crate::cli::request::ConvertRequest;
use crate::cli::specification::read_specification;
use crate::report::{Ending, Report};
use crate::source::Diagnostic;
use crate::source::codes::{frame, specification as codes};
use crate::spec::gr1::{Gr1, TooManyCases};
use crate::spec::{slugs, spectra};

pub fn convert(request: &ConvertRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, [&request.spec.file])?;
    let read = read_specification(&request.spec, context)?;
    let spec = read.strict();
    let text = match request.format {
        SpecFormat::Spectra => Ok(spectra::write(&spec)),
        SpecFormat::Slugs => slugs::write_prefix(&spec),
        SpecFormat::StructuredSlugs => slugs::write_structured(&spec),
        SpecFormat::Properties => spec.write_properties(),
        SpecFormat::Tlsf => {
            let message = "specifications cannot be written as TLSF yet";
            return Err(Diagnostic::error(frame::COMMAND_NOT_AVAILABLE, message)
                .help("write `--to properties`, `spectra`, `slugs` or `structured-slugs`")
                .into());
        }
    };
    let text = text.map_err(|error| too_many_cases(&spec, &error))?;
    match &request.output.output {
        None => Ok(Report::done(text)),
        Some(path) => {
            write_file(path, text.as_bytes(), request.output.force)?;
            let mut report = Report::done(String::new());
            report.ending = Ending::Done;
            report.notes.push(format!("wrote {}", path.display()));
            Ok(report)
        }
    }
}

fn too_many_cases(spec: &Gr1, error: &TooManyCases) -> Diagnostic {
    let constraint = &spec.constraints[error.constraint];
    let diagnostic = Diagnostic::error(
        codes::TOO_MANY_CASES,
        format!("`{}` has too many cases to be written out", constraint.name),
    )
    .help("use smaller ranges, or a format with numbers such as Spectra");
    match constraint.span {
        Some(span) => diagnostic.at(span, "a comparison in this"),
        None => diagnostic,
    }
}
