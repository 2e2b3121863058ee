//! `respin convert`: translates a specification to another format.
//!
//! A GR(1) specification is written so that it means the same under strict semantics; one
//! that means the implication is translated to a strict one that does. A specification in any
//! LTL is written as TLSF or as a property file; the other formats take it if it is GR(1).
//! Any specification can become an automaton, and an automaton another one, but no formula.

use crate::cli::context::{Context, Failure};
use crate::cli::options::{AutomatonKind, SpecFormat};
use crate::cli::output::{check_output, write_file};
use crate::cli::request::ConvertRequest;
use crate::cli::specification::{read_formulas, read_spec};
use crate::load::{AnySpec, LoadedLtl};
use crate::report::Report;
use crate::source::Diagnostic;
use crate::source::codes::{frame, specification as codes};
use crate::spec::automaton::{self, hoa};
use crate::spec::gr1::{Gr1, TooManyCases};
use crate::spec::ltl::{LtlSpec, Order, no_formula};
use crate::spec::tlsf::{self, Unwritable};
use crate::spec::{slugs, spectra};
use crate::synth::ltl::{self, automaton::Kind};

pub fn convert(request: &ConvertRequest, context: &mut Context) -> Result<Report, Failure> {
    check_output(&request.output, [&request.spec.file])?;
    if request.automaton.is_some() && request.format != SpecFormat::Hoa {
        let message = "`--automaton` is for automata, and this format has none";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("write `--to hoa`, or leave it out")
            .into());
    }
    let kind = match request.automaton {
        Some(AutomatonKind::Nondeterministic) => Kind::Nondeterministic,
        Some(AutomatonKind::Deterministic) | None => Kind::Deterministic,
    };
    let read = match request.format {
        SpecFormat::Hoa => read_formulas(&request.spec, context)?,
        _ => read_spec(&request.spec, context)?,
    };
    let text = match read {
        AnySpec::Gr1(read) => from_gr1(&read.strict(), request.format, kind)?,
        AnySpec::Ltl(read) => from_ltl(&read, request.format, kind)?,
    };
    match &request.output.output {
        None => Ok(Report::done(text)),
        Some(path) => {
            write_file(path, text.as_bytes(), request.output.force)?;
            let mut report = Report::done(String::new());
            report.notes.push(format!("wrote {}", path.display()));
            Ok(report)
        }
    }
}

fn from_gr1(spec: &Gr1, format: SpecFormat, kind: Kind) -> Result<String, Failure> {
    let text = match format {
        SpecFormat::Spectra => Ok(spectra::write(spec)),
        SpecFormat::Slugs => slugs::write_prefix(spec),
        SpecFormat::StructuredSlugs => slugs::write_structured(spec),
        SpecFormat::Properties => spec.write_properties(),
        SpecFormat::Tlsf | SpecFormat::Hoa => {
            let ltl = LtlSpec::from_gr1(spec).map_err(|error| too_many_cases(spec, &error))?;
            return match format {
                SpecFormat::Hoa => to_hoa(&ltl, kind),
                _ => Ok(tlsf::write(&ltl, "", Order::Mealy).map_err(unwritable)?),
            };
        }
    };
    Ok(text.map_err(|error| too_many_cases(spec, &error))?)
}

/// Formats that are GR(1) take what is.
fn from_ltl(read: &LoadedLtl, format: SpecFormat, kind: Kind) -> Result<String, Failure> {
    if let (true, Some(error)) = (format != SpecFormat::Hoa, no_formula(&read.spec)) {
        return Err(error.into());
    }
    match format {
        SpecFormat::Hoa => to_hoa(&read.spec, kind),
        SpecFormat::Tlsf => {
            let text = tlsf::write(&read.spec, &read.description, read.target);
            Ok(text.map_err(unwritable)?)
        }
        SpecFormat::Properties => Ok(read.spec.property_file().ok_or_else(too_long)?),
        SpecFormat::Spectra | SpecFormat::Slugs | SpecFormat::StructuredSlugs => {
            from_gr1(&read.as_gr1()?.strict(), format, kind)
        }
    }
}

fn to_hoa(spec: &LtlSpec, kind: Kind) -> Result<String, Failure> {
    let limits = automaton::Limits::default();
    match ltl::automaton::automaton(spec, kind, &limits) {
        Ok(automaton) => Ok(hoa::write(&automaton, &limits)),
        Err(ltl::Failure::Diagnostics(diagnostics)) => Err(diagnostics.into()),
        Err(ltl::Failure::Limit(error)) => Err(not_made(&error.to_string()).into()),
        Err(ltl::Failure::GaveUp(reason)) => Err(not_made(&reason).into()),
    }
}

fn not_made(reason: &str) -> Diagnostic {
    let message = format!("the automaton was not made: {reason}");
    Diagnostic::error(codes::TOO_LARGE, message).help("use smaller parameters")
}

fn too_long() -> Diagnostic {
    let message = "the formulas are too long to be written out";
    Diagnostic::error(codes::TOO_MANY_CASES, message).help("use smaller parameters")
}

fn unwritable(problem: Unwritable) -> Diagnostic {
    match problem {
        Unwritable::TooLong => too_long(),
        Unwritable::Past => {
            let message = "TLSF has no operators about the past";
            Diagnostic::error(codes::NOT_SUPPORTED, message)
                .help("remember what was in an output, or write `--to properties`")
        }
        Unwritable::Condition(text) => {
            let message = format!("`{text}` is a condition on words, and TLSF has bits only");
            Diagnostic::error(codes::NOT_SUPPORTED, message)
                .help("say it with single bits, or write `--to properties`")
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
    diagnostic.at_optional(constraint.span, "a comparison in this")
}
