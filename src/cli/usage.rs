//! Command lines that clap refuses, and those that it answers itself.

use super::arguments::Arguments;
use super::context::use_color;
use super::options::OutputFormat;
use super::output::{print, print_diagnostics};
use crate::report::Report;
use crate::source::{Diagnostic, Sources, codes::frame};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, CommandFactory, Error, ValueEnum};
use std::ffi::OsString;
use std::io::{IsTerminal, Write};

pub fn parse(arguments: &[OsString]) -> Result<ArgMatches, Error> {
    Arguments::command().try_get_matches_from(arguments)
}

/// Prints help, the version, or what is wrong; returns the exit code.
pub fn publish(error: &Error, arguments: &[OsString]) -> u8 {
    let result = if !error.use_stderr() {
        let color = wanted_color(arguments, std::io::stdout().is_terminal());
        print(&styled(error, color))
    } else if wanted(arguments, "--format") == Some(OutputFormat::Json) {
        let report = Report::error(vec![diagnostic(error)]);
        match report.json(None, &Sources::new()) {
            Ok(json) => print(&json),
            Err(_) => Ok(()),
        }
    } else {
        let mut stderr = std::io::stderr().lock();
        let color = wanted_color(arguments, stderr.is_terminal());
        let _ = stderr.write_all(styled(error, color).as_bytes());
        Ok(())
    };
    match result {
        Ok(()) => u8::try_from(error.exit_code()).unwrap_or(2),
        Err(diagnostic) => {
            print_diagnostics(&[diagnostic], &Sources::new(), false);
            2
        }
    }
}

fn styled(error: &Error, color: bool) -> String {
    if color {
        error.render().ansi().to_string()
    } else {
        error.render().to_string()
    }
}

/// The first paragraph of clap's text is the message; tips become notes, the usage is left out.
pub(super) fn diagnostic(error: &Error) -> Diagnostic {
    let code = match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => frame::BAD_OPTION_VALUE,
        _ => frame::BAD_USAGE,
    };
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(str::trim);
    let first = match error.kind() {
        // Its text is the help, which says nothing of what is wrong.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing",
        _ => paragraphs.next().unwrap_or_default(),
    };
    let message = first.strip_prefix("error: ").unwrap_or(first);
    let mut diagnostic = Diagnostic::error(code, message).help("see `respin --help`");
    for tip in paragraphs.filter_map(|paragraph| paragraph.strip_prefix("tip: ")) {
        diagnostic = diagnostic.note(tip);
    }
    diagnostic
}

/// The words of a command line that are wrong, as far as there are some: the value, the option.
pub fn wrong_words(error: &Error) -> Vec<String> {
    let said = |kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) if !text.is_empty() => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => texts.first().cloned(),
        _ => None,
    };
    let option = said(ContextKind::InvalidArg);
    // An option is named with what it takes.
    let option = option.and_then(|option| option.split(' ').next().map(str::to_string));
    let words = [said(ContextKind::InvalidValue), option];
    words.into_iter().flatten().collect()
}

fn wanted_color(arguments: &[OsString], is_terminal: bool) -> bool {
    let when = wanted(arguments, "--color").unwrap_or_default();
    use_color(when, is_terminal)
}

/// What an option says on a line that could not be read as a whole.
fn wanted<T: ValueEnum>(arguments: &[OsString], option: &str) -> Option<T> {
    let mut words = arguments
        .iter()
        .filter_map(|word| word.to_str())
        .take_while(|word| *word != "--");
    let mut value = None;
    while let Some(word) = words.next() {
        match word.strip_prefix(option) {
            Some("") => value = words.next(),
            Some(rest) => value = rest.strip_prefix('=').or(value),
            None => {}
        }
    }
    T::from_str(value?, true).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_format(line: &str, expected: Option<OutputFormat>) {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        assert_eq!(wanted(&arguments, "--format"), expected, "{line}");
    }

    fn check_diagnostic(line: &str, expected_code: crate::source::Code, expected_message: &str) {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let diagnostic = diagnostic(&parse(&arguments).unwrap_err());
        assert_eq!(
            (diagnostic.code, diagnostic.message.as_str()),
            (expected_code, expected_message)
        );
    }

    #[test]
    fn the_format_is_found_on_a_line_that_cannot_be_read() {
        check_format("respin --format json nonsense", Some(OutputFormat::Json));
        check_format("respin nonsense --format=json", Some(OutputFormat::Json));
    }

    #[test]
    fn a_format_that_is_not_there_is_not_found() {
        check_format("respin nonsense", None);
        check_format("respin --format yaml", None);
        check_format("respin --format", None);
        check_format("respin check -- --format json", None);
    }

    #[test]
    fn a_bad_value_has_its_own_code() {
        check_diagnostic(
            "respin man --timeout soon",
            frame::BAD_OPTION_VALUE,
            "invalid value 'soon' for '--timeout <SECONDS>': \
             expected a time such as 90, 1.5s, 2m or 1h",
        );
    }

    #[test]
    fn an_unknown_option_is_wrong_usage() {
        check_diagnostic(
            "respin man --nonsense",
            frame::BAD_USAGE,
            "unexpected argument '--nonsense' found",
        );
    }

    #[test]
    fn no_command_is_wrong_usage() {
        check_diagnostic("respin", frame::BAD_USAGE, "a command is missing");
    }
}
