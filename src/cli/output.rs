//! Where results go: standard output, standard error, and files that were asked for.

use super::context::Context;
use super::input::{InputFile, explain};
use super::options::{OutputFormat, OutputOptions};
use super::values::InputPath;
use crate::design::aiger::{AigerFile, Form};
use crate::report::Report;
use crate::report::junit::junit;
use crate::report::sarif::sarif;
use crate::source::{Diagnostic, Sources, codes::frame, render::render};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Prints a report and returns the exit code.
pub fn publish(report: &Report, command: Option<&str>, context: &mut Context) -> u8 {
    context.progress.clear();
    let settings = context.settings;
    let exit_code = report.exit_code(settings.expected);
    let text = match settings.format {
        OutputFormat::Sarif => {
            sarif(report, command, exit_code, &context.sources).map_err(|error| {
                Diagnostic::error(frame::INTERNAL_ERROR, format!("no SARIF: {error}"))
            })
        }
        OutputFormat::Junit => Ok(junit(report, command, &context.moment())),
        OutputFormat::Json => report
            .json(command, &context.sources)
            .map_err(|error| Diagnostic::error(frame::INTERNAL_ERROR, format!("no JSON: {error}"))),
        OutputFormat::Text => {
            print_diagnostics(&report.diagnostics, &context.sources, settings.color);
            Ok(report.text())
        }
    };
    let kept = match &context.workdir {
        Some(workdir) => workdir.write(report, command, exit_code, context),
        None => Ok(()),
    };
    match kept.and(text).and_then(|text| print(&text)) {
        Ok(()) => exit_code,
        Err(diagnostic) => {
            print_diagnostics(&[diagnostic], &context.sources, settings.color);
            Report::error(vec![]).exit_code(None)
        }
    }
}

/// Writes to standard output. A reader that has seen enough, as in `respin ... | head -1`, is
/// no error.
pub fn print(text: &str) -> Result<(), Diagnostic> {
    let mut stdout = io::stdout().lock();
    let result = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(unwritable("standard output", &error))
        }
        _ => Ok(()),
    }
}

/// Errors that cannot be shown leave the exit code to tell of them.
pub fn print_diagnostics(diagnostics: &[Diagnostic], sources: &Sources, color: bool) {
    let mut stderr = io::stderr().lock();
    for (index, diagnostic) in diagnostics.iter().enumerate() {
        if index > 0 {
            let _ = stderr.write_all(b"\n");
        }
        let _ = stderr.write_all(render(diagnostic, sources, color).as_bytes());
    }
}

/// Refuses an output that must not be written, before any work is done for it.
pub fn check_output<'a>(
    options: &OutputOptions,
    inputs: impl IntoIterator<Item = &'a InputFile>,
) -> Result<(), Diagnostic> {
    match &options.output {
        Some(path) => check_output_path(path, options.force, inputs),
        None => Ok(()),
    }
}

/// The same for one of several outputs.
pub fn check_output_path<'a>(
    path: &Path,
    force: bool,
    inputs: impl IntoIterator<Item = &'a InputFile>,
) -> Result<(), Diagnostic> {
    if path == Path::new("-") {
        let message = "`-` is no name for an output";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("`/dev/stdout` is standard output, `./-` a file of that name"));
    }
    let Ok(output) = fs::canonicalize(path) else {
        return Ok(());
    };
    let is_output = |input: &InputFile| match &input.path {
        InputPath::File(input) => fs::canonicalize(input).is_ok_and(|input| input == output),
        InputPath::Stdin => false,
    };
    if inputs.into_iter().any(is_output) {
        let message = format!("`{}` is an input of this run", path.display());
        return Err(Diagnostic::error(frame::OUTPUT_EXISTS, message)
            .help("choose another name for the output"));
    }
    if !force && output.is_file() {
        return Err(exists(path));
    }
    Ok(())
}

/// Writes a file. One that exists stays as it is unless `force` is given; devices are written
/// in any case.
pub fn write_file(path: &Path, contents: &[u8], force: bool) -> Result<(), Diagnostic> {
    let replaces = force || fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    let mut options = OpenOptions::new();
    if replaces {
        options.write(true).create(true).truncate(true);
    } else {
        options.write(true).create_new(true);
    }
    let result = options
        .open(path)
        .and_then(|mut file| file.write_all(contents));
    result.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => unwritable(&format!("`{}`", path.display()), &error),
    })
}

/// Writes a file anew: all of it or nothing, also if the machine stops in between.
pub fn replace_file(path: &Path, contents: &[u8]) -> Result<(), Diagnostic> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".respin-{}", std::process::id()));
    let scratch = path.with_file_name(name);
    let result = fs::write(&scratch, contents)
        .and_then(|()| fs::set_permissions(&scratch, fs::metadata(path)?.permissions()))
        .and_then(|()| fs::rename(&scratch, fs::canonicalize(path)?));
    result.map_err(|error| {
        let _ = fs::remove_file(&scratch);
        unwritable(&format!("`{}`", path.display()), &error)
    })
}

/// The form that the extension of a file asks for; without one it is the form of the input,
/// except that standard output gets text.
pub fn circuit_form(output: Option<&Path>) -> Form {
    let extension = output.and_then(|path| path.extension()?.to_str());
    match (output, extension) {
        (None, _) | (_, Some("aag")) => Form::Ascii,
        (_, Some("aig")) => Form::Binary,
        _ => Form::AsRead,
    }
}

/// A circuit in that form.
pub fn circuit_bytes(circuit: &AigerFile, output: Option<&Path>) -> Result<Vec<u8>, Diagnostic> {
    circuit.bytes(circuit_form(output))
}

/// Makes a directory and those above it.
pub fn create_directory(path: &Path) -> Result<(), Diagnostic> {
    fs::create_dir_all(path).map_err(|error| unwritable(&format!("`{}`", path.display()), &error))
}

fn exists(path: &Path) -> Diagnostic {
    let message = format!("`{}` exists already, and was left as it is", path.display());
    Diagnostic::error(frame::OUTPUT_EXISTS, message)
        .help("choose another name, or give `--force` to overwrite it")
}

pub(super) fn unwritable(what: &str, error: &io::Error) -> Diagnostic {
    let message = format!("cannot write {what}: {}", explain(error));
    Diagnostic::error(frame::OUTPUT_UNWRITABLE, message)
        .help("check that the directory exists, that you may write there, and that there is room")
}
