//! Recorded runs that users name.

use super::context::{Context, Failure};
use super::input::read_bytes;
use super::options::RecordedOptions;
use crate::design::Reading;
use crate::source::Diagnostic;
use crate::source::codes::frame;
use crate::trace::{Format, Interface, Options, Recording};
use std::path::PathBuf;

/// Which runs are replayed, and how they are read.
#[derive(Clone, Debug, Default)]
pub struct RecordedInput {
    pub files: Vec<(PathBuf, Format)>,
    pub options: Options,
}

impl RecordedInput {
    /// Settles the formats; options without a run are a mistake.
    pub fn new(options: RecordedOptions) -> Result<RecordedInput, Diagnostic> {
        let mut files = Vec::new();
        for path in options.traces {
            let extension = path.extension().and_then(|one| one.to_str());
            let Some(format) = extension.and_then(Format::of_extension) else {
                let message = format!("`{}` is no recorded run by its name", path.display());
                return Err(Diagnostic::error(frame::FORMAT_UNKNOWN, message)
                    .help("recorded runs are .csv, .vcd or .fst files"));
            };
            files.push((path, format));
        }
        let given = Options {
            scope: options.trace_scope,
            clock: options.clock,
            from: options.trace_from.unwrap_or(0),
            to: options.trace_to,
            signals: options.trace_signals,
        };
        if files.is_empty() && given != Options::default() {
            let message = "an option for recorded runs was given, and no run";
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("name recorded runs with `--trace FILE`"));
        }
        Ok(RecordedInput {
            files,
            options: given,
        })
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// Reads all runs for a design.
pub fn read(
    input: &RecordedInput,
    reading: &Reading,
    context: &mut Context,
) -> Result<Vec<Recording>, Failure> {
    let interface = Interface::of(reading);
    let mut recordings = Vec::new();
    for (path, format) in &input.files {
        let name = path.display().to_string();
        context.progress.log(|| format!("reading {name}"));
        let bytes = read_bytes(path, &name, &context.limits)?;
        let file = match (format, String::from_utf8(bytes)) {
            (Format::Csv | Format::Vcd, Ok(text)) => context.sources.add(name, text),
            (Format::Csv, Err(_)) => {
                let message = format!("`{name}` is not valid UTF-8");
                return Err(Diagnostic::error(frame::NOT_UTF8, message).into());
            }
            (_, Ok(text)) => context.sources.add_binary(name, text.into_bytes()),
            (_, Err(error)) => context.sources.add_binary(name, error.into_bytes()),
        };
        let sources = &context.sources;
        let recording = Recording::read(file, *format, &interface, &input.options, sources)?;
        let cycles = recording.cycles();
        context.progress.log_detail(|| format!("{cycles} cycles"));
        recordings.push(recording);
    }
    Ok(recordings)
}
