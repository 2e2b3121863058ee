//! `respin help-code`: says what a diagnostic means and how to fix it.

use crate::cli::arguments::HelpCodeArguments;
use crate::cli::context::Failure;
use crate::report::Report;
use crate::source::codes::{self, frame};
use crate::source::{Code, Diagnostic};

pub fn help_code(request: &HelpCodeArguments) -> Result<Report, Failure> {
    let Some(text) = &request.code else {
        return Ok(Report::done(list()));
    };
    let unknown = |message: String| {
        Diagnostic::error(frame::CODE_UNKNOWN, message)
            .help("`respin help-code` without a code lists all of them")
    };
    let code: Code = text
        .parse()
        .map_err(|error| unknown(format!("`{text}` is no code: {error}")))?;
    let entry =
        codes::find(code).ok_or_else(|| unknown(format!("there is no diagnostic {code}")))?;
    Ok(Report::done(format!(
        "{}: {}\n\n{}",
        entry.code, entry.title, entry.explanation
    )))
}

fn list() -> String {
    codes::all()
        .map(|entry| format!("{}  {}\n", entry.code, entry.title))
        .collect()
}
