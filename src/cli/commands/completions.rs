//! `respin completions`: writes the completions of a shell.

use crate::cli::arguments::{Arguments, CompletionsArguments};
use crate::cli::context::Failure;
use crate::report::Report;
use clap::CommandFactory;

pub fn completions(request: &CompletionsArguments) -> Result<Report, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        request.shell,
        &mut Arguments::command(),
        "respin",
        &mut script,
    );
    Ok(Report::done(String::from_utf8_lossy(&script)))
}
