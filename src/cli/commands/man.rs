//! `respin man`: writes the manual pages.

use crate::cli::arguments::{Arguments, ManArguments};
use crate::cli::context::Failure;
use crate::cli::output::{create_directory, write_file};
use crate::report::Report;
use crate::source::{Diagnostic, codes::frame};
use clap::{Command, CommandFactory};
use clap_mangen::Man;

pub fn man(request: &ManArguments) -> Result<Report, Failure> {
    // Only a built command hands its global options down to its subcommands.
    let mut command = Arguments::command();
    command.build();
    let Some(directory) = &request.out_dir else {
        let page = page(&command)?;
        return Ok(Report::done(String::from_utf8_lossy(&page)));
    };

    create_directory(directory)?;
    let described = command
        .get_subcommands()
        .filter(|subcommand| subcommand.get_name() != "help");
    let mut written = String::new();
    for command in std::iter::once(&command).chain(described) {
        let path = directory.join(Man::new(command.clone()).get_filename());
        write_file(&path, &page(command)?, request.force)?;
        written.push_str(&format!("{}\n", path.display()));
    }
    Ok(Report::done(written))
}

fn page(command: &Command) -> Result<Vec<u8>, Diagnostic> {
    let mut page = Vec::new();
    Man::new(command.clone())
        .render(&mut page)
        .map_err(|error| {
            let message = format!("the page of `{}`: {error}", command.get_name());
            Diagnostic::error(frame::INTERNAL_ERROR, message)
        })?;
    Ok(page)
}
