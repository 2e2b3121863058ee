//! The command line: the only place that reads files, prints, and knows exit codes.
//!
//! Enters: the arguments of the process. Leaves: text on standard output, diagnostics on
//! standard error, files that were asked for, and an exit code.
//!
//! - `arguments`, `options`, `values`: what may be typed, as clap knows it;
//! - `request`: what is to be done; raw arguments end there;
//! - `commands`: one function for each command, from reading to report;
//! - `context`: what commands share: sources, limits, progress;
//! - `input`, `output`, `editable`: files and streams, and which files may be edited; `design`: a design with its properties, read;
//! - `project_file`: the design that `respin.toml` names; `sby`: projects of SymbiYosys;
//! - `recorded`: runs that were recorded, read for a design;
//! - `file_list`: what `-f` names, in the place of it;
//! - `clock`: processor time; `specification`: a specification of any format;
//! - `yosys`: designs that Yosys has read; `child`: programs that are started;
//! - `workdir`: a directory with all results; `page`: the result as a page;
//! - `line_editor`: lines that are typed on a terminal;
//! - `serve`: a play in a browser; `lsp`: a server for editors;
//! - `campaign`: plans, jobs and their processes;
//! - `usage`: lines that clap refuses; `crash`: panics;
//! - `watch`: what ends a run that does not end by itself.

pub mod arguments;
mod campaign;
mod child;
mod clock;
pub mod commands;
pub mod context;
pub mod crash;
pub mod design;
pub mod editable;
mod file_list;
pub mod input;
mod line_editor;
mod lsp;
pub mod options;
pub mod output;
pub mod page;
pub mod progress;
mod project_file;
pub mod recorded;
pub mod request;
pub mod sby;
mod serve;
mod specification;
pub mod usage;
pub mod values;
mod watch;
pub mod workdir;
mod yosys;

pub use crate::limits::{Limits, Stop};
pub use context::{Context, Failure};
pub use progress::Progress;
pub use watch::Watch;

use crate::report::{Report, WORK_IS_DONE};
use arguments::{Arguments, Command};
use clap::FromArgMatches;
use request::Request;
use std::ffi::OsString;

/// Runs one command line, the program's name first, and returns the exit code. `watch` is told
/// what the run may use, and can make it end early.
pub fn run(words: &[OsString], watch: &Watch) -> u8 {
    let matches = match usage::parse(words) {
        Ok(matches) => matches,
        Err(error) => return usage::publish(&error, words),
    };
    let arguments = match Arguments::from_arg_matches(&matches) {
        Ok(arguments) => arguments,
        Err(error) => return usage::publish(&error, words),
    };
    if let Command::Lsp(lsp) = &arguments.command {
        return lsp::run(lsp, watch);
    }
    let command = matches.subcommand_name();
    if let Command::Campaign(campaign) = &arguments.command
        && let (Some(line), true) = (&campaign.job, campaign.unsupervised)
    {
        let results = campaign.results.as_deref();
        return campaign::run::here(line, results, campaign.parent, watch);
    }
    let words = words.iter().map(|word| word.to_string_lossy().into_owned());
    let (report, mut context) = answered(arguments, command, words.collect(), watch);
    output::publish(&report, command, &mut context)
}

/// What a command line comes to, and all that was read for it; the page that it asks for is
/// written.
fn answered(
    arguments: Arguments,
    command: Option<&str>,
    words: Vec<String>,
    watch: &Watch,
) -> (Report, Context) {
    let mut context = Context::new(&arguments.global, watch.interrupt().clone());
    context.words = words;
    watch.over(&context, command);
    let result = crash::guard(|| {
        let mut arguments = arguments;
        context.editable.named(&arguments);
        project_file::expand(&mut arguments, &mut context)?;
        sby::expand(&mut arguments, &mut context)?;
        watch.over(&context, command);
        file_list::expand(&mut arguments, &mut context)?;
        let request = Request::new(arguments)?;
        commands::execute(&request, &mut context)
    });
    let mut report = result.unwrap_or_else(Report::from);
    report.diagnostics.splice(0..0, context.warnings.drain(..));
    if context.limits.is_out_of_work() {
        report.notes.push(WORK_IS_DONE.to_string());
    }
    page::write(&mut report, command, &context);
    (report, context)
}
