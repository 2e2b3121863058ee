//! Where results go: standard output, standard error, and files that were asked for.

use super::context::{Context, Settings};
use super::input::{InputFile, explain};
use super::options::{OutputFormat, OutputOptions};
use super::values::InputPath;
use crate::design::aiger::{AigerFile, Form};
use crate::report::junit::{Moment, junit};
use crate::report::sarif::sarif;
use crate::report::{Report, Verdict};
use crate::source::{Diagnostic, Sources, codes::frame, render::render};
use std::fs::{self, Permissions};
use std::io::{self, IsTerminal, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// Held while a file is being written.
static WRITING: Mutex<()> = Mutex::new(());

/// Waits until no file is being written, but not for ever; from then on none will be.
pub fn finish_writing(patience: Duration) {
    let start = Instant::now();
    while start.elapsed() < patience {
        match WRITING.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(1)),
            // Never unlocked again.
            locked => return std::mem::forget(locked),
        }
    }
}

/// The text of a report that is not complete, as far as it was printed. Whoever ends the run
/// from outside shares it, so that nothing is said twice or denied.
#[derive(Clone, Debug, Default)]
pub struct Shown(Arc<Mutex<Option<(String, u8)>>>);

impl Shown {
    /// Prints what a report has beyond what was printed.
    pub(super) fn extend(&self, report: &Report, expected: Option<Verdict>) {
        let mut shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = printable(report);
        let before = shown.as_ref().map_or("", |(before, _)| before);
        let Some(more) = text.strip_prefix(before) else {
            return;
        };
        // What cannot be printed now cannot be printed at the end, where that is an error.
        if print(more).is_ok() {
            *shown = Some((text, report.exit_code(expected)));
        }
    }

    /// What is left to be printed of a text.
    fn rest<'t>(&self, text: &'t str) -> &'t str {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = shown.as_ref().map_or("", |(before, _)| before);
        text.strip_prefix(before).unwrap_or(text)
    }

    /// The exit code of what was printed, if anything was.
    pub(super) fn exit_code(&self) -> Option<u8> {
        let shown = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shown.as_ref().map(|(_, code)| *code)
    }
}

/// Prints a report and returns the exit code.
pub fn publish(report: &Report, command: Option<&str>, context: &mut Context) -> u8 {
    context.progress.clear();
    let settings = context.settings;
    let exit_code = report.exit_code(settings.expected);
    let moment = context.moment();
    let text = rendered(report, command, settings, &context.sources, &moment);
    if settings.format == OutputFormat::Text {
        print_diagnostics(&report.diagnostics, &context.sources, settings.color);
        if report.is_for_programs {
            print_beside(report);
        }
    }
    let kept = match &context.workdir {
        Some(workdir) => workdir.write(report, command, exit_code, context),
        None => Ok(()),
    };
    context.is_printing.store(true, Ordering::Relaxed);
    match kept
        .and(text)
        .and_then(|text| print(context.shown.rest(&text)))
    {
        Ok(()) => exit_code,
        Err(diagnostic) => {
            print_diagnostics(&[diagnostic], &context.sources, settings.color);
            Report::error(vec![]).exit_code(None)
        }
    }
}

/// What goes to standard output.
pub fn rendered(
    report: &Report,
    command: Option<&str>,
    settings: Settings,
    sources: &Sources,
    moment: &Moment,
) -> Result<String, Diagnostic> {
    let problem = |what: &str, error: serde_json::Error| {
        Diagnostic::error(frame::INTERNAL_ERROR, format!("no {what}: {error}"))
    };
    match settings.format {
        OutputFormat::Sarif => {
            let exit_code = report.exit_code(settings.expected);
            sarif(report, command, exit_code, sources).map_err(|error| problem("SARIF", error))
        }
        OutputFormat::Junit => Ok(junit(report, command, moment)),
        OutputFormat::Json => {
            let json = report.json(command, sources);
            json.map_err(|error| problem("JSON", error))
        }
        OutputFormat::Text => match report.body.exact_text() {
            Some(text) if report.is_for_programs => Ok(match io::stdout().is_terminal() {
                true => without_controls(text),
                false => text.to_string(),
            }),
            None if report.is_for_programs => Ok(String::new()),
            _ => Ok(printable(report)),
        },
    }
}

/// What people are told beside a text that another program reads. It cannot be told if there
/// is no standard error, and the exit code still has the verdict.
fn print_beside(report: &Report) {
    let text = without_controls(&report.text());
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// The text of a report without what a terminal would obey: names and lines of a source can
/// have anything in them. What is meant for a program, such as a diff, is left as it is unless
/// it is shown on a terminal.
fn printable(report: &Report) -> String {
    let text = report.text();
    let exact = report.body.exact_text();
    let exact = exact.filter(|_| !io::stdout().is_terminal());
    match exact.and_then(|exact| Some((text.rfind(exact)?, exact))) {
        Some((start, exact)) => {
            let (before, after) = (&text[..start], &text[start + exact.len()..]);
            format!(
                "{}{exact}{}",
                without_controls(before),
                without_controls(after)
            )
        }
        None => without_controls(&text),
    }
}

/// Writes control characters, and those that change the direction of a line, as `\u{1b}`.
pub fn without_controls(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let is_line_end = character == '\r' && characters.peek() == Some(&'\n');
        let changes_direction = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        let is_obeyed = character.is_control() && !matches!(character, '\n' | '\t');
        if (is_obeyed || changes_direction) && !is_line_end {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
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
        // Colors are control characters, and ours: the renderer replaces those of a source.
        let text = render(diagnostic, sources, color);
        let text = if color { text } else { without_controls(&text) };
        let _ = stderr.write_all(text.as_bytes());
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

/// Writes a file, all of it or nothing. One that exists stays as it is unless `force` is given;
/// devices are written in any case.
pub fn write_file(path: &Path, contents: &[u8], force: bool) -> Result<(), Diagnostic> {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let known = fs::metadata(path);
    let result = match &known {
        Ok(metadata) if !metadata.is_file() => fs::write(path, contents),
        Ok(_) if !force => Err(io::ErrorKind::AlreadyExists.into()),
        Ok(metadata) => {
            fs::canonicalize(path).and_then(|path| replace(&path, contents, metadata.permissions()))
        }
        Err(_) => create(path, contents),
    };
    result.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => unwritable(&format!("`{}`", path.display()), &error),
    })
}

/// Writes a file anew: all of it or nothing, also if the machine stops in between. What links
/// to it still does, and it may be read by whom it was.
pub fn replace_file(path: &Path, contents: &[u8]) -> Result<(), Diagnostic> {
    let _writing = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let result = fs::canonicalize(path).and_then(|path| {
        let metadata = fs::metadata(&path)?;
        replace(&path, contents, metadata.permissions())
    });
    result.map_err(|error| unwritable(&format!("`{}`", path.display()), &error))
}

fn replace(path: &Path, contents: &[u8], permissions: Permissions) -> io::Result<()> {
    let scratch = scratch(path, contents)?;
    let owner = fs::metadata(path)?;
    // Only root may give files away; others keep those that they replace.
    let _ = chown(scratch.path(), Some(owner.uid()), Some(owner.gid()));
    scratch.as_file().set_permissions(permissions)?;
    scratch.as_file().sync_all()?;
    scratch.persist(path)?;
    Ok(())
}

/// A file that does not exist yet; what is there by now is left as it is.
fn create(path: &Path, contents: &[u8]) -> io::Result<()> {
    scratch(path, contents)?.persist_noclobber(path)?;
    Ok(())
}

/// A file beside another one, with a name that nobody else has, as readable as new files are.
fn scratch(path: &Path, contents: &[u8]) -> io::Result<NamedTempFile> {
    let directory = path.parent().filter(|one| !one.as_os_str().is_empty());
    let mut scratch = tempfile::Builder::new()
        .prefix(".respin-")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(directory.unwrap_or(Path::new(".")))?;
    scratch.write_all(contents)?;
    Ok(scratch)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        assert_eq!(without_controls("a\x1b[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(without_controls("\u{202e}x\u{2066}"), "\\u{202e}x\\u{2066}");
        assert_eq!(without_controls("\u{9b}1m"), "\\u{9b}1m");
    }

    #[test]
    fn lines_and_other_letters_stay() {
        for text in ["a\tb\r\nc\n", "Prüfung ≥ 3"] {
            assert_eq!(without_controls(text), text);
        }
        assert_eq!(without_controls("over\rwritten"), "over\\u{d}written");
    }
}
