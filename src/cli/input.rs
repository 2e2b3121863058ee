//! Files that users name: their formats, and reading them.

pub use crate::load::Format;

use super::context::{Context, Failure};
use super::values::InputPath;
use crate::limits::{Limits, Stop};
use crate::load::{Reader, normal_path};
use crate::source::{Diagnostic, FileId, LONGEST_FILE, Span, codes::frame};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// What an input is to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Design,
    /// The properties of a design.
    Properties,
    Specification,
    /// A specification, or a circuit with open inputs.
    Game,
}

/// An input whose format is settled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    pub path: InputPath,
    pub format: Format,
}

impl Purpose {
    fn accepts(self, format: Format) -> bool {
        let is_design = format.is_design();
        match self {
            Purpose::Design => is_design,
            Purpose::Properties => format == Format::Properties,
            Purpose::Specification => !is_design,
            Purpose::Game => !is_design || format == Format::Aiger,
        }
    }

    fn description(self) -> &'static str {
        match self {
            Purpose::Design => "a design (Verilog, AIGER or Yosys JSON)",
            Purpose::Properties => "a property file",
            Purpose::Specification => {
                "a specification (Spectra, TLSF, slugs, HOA or a property file)"
            }
            Purpose::Game => {
                "a specification (Spectra, TLSF, slugs, HOA, a property file, or AIGER with \
                 `controllable_` inputs)"
            }
        }
    }
}

impl InputFile {
    /// Settles the format: what the user said, else what the extension says.
    pub fn new(
        path: InputPath,
        from: Option<Format>,
        purpose: Purpose,
    ) -> Result<InputFile, Diagnostic> {
        let Some(format) = from.or_else(|| guess_format(&path, purpose)) else {
            return Err(format_unknown(&path));
        };
        if !purpose.accepts(format) {
            let message = format!(
                "`{}` is {}, and {} is needed here",
                path.name(),
                format.description(),
                purpose.description()
            );
            return Err(Diagnostic::error(frame::FORMAT_UNSUITABLE, message)
                .help("`respin verify` checks designs, `respin check` checks specifications"));
        }
        Ok(InputFile { path, format })
    }
}

fn guess_format(path: &InputPath, purpose: Purpose) -> Option<Format> {
    match path {
        InputPath::File(path) => Format::of_extension(path.extension()?.to_str()?),
        // Only one format can be meant, and `--from` speaks of the design.
        InputPath::Stdin if purpose == Purpose::Properties => Some(Format::Properties),
        InputPath::Stdin => None,
    }
}

fn format_unknown(path: &InputPath) -> Diagnostic {
    if let InputPath::File(path) = path
        && path.is_dir()
    {
        let message = format!("`{}` is a folder", path.display());
        return Diagnostic::error(frame::FORMAT_UNKNOWN, message)
            .help("name the files that are meant");
    }
    let message = match path {
        InputPath::Stdin => "the format of standard input is not known".to_string(),
        InputPath::File(path) => match path.extension() {
            Some(extension) => format!(
                "the format of `{}` is not known: no format has the extension `.{}`",
                path.display(),
                extension.display()
            ),
            None => format!(
                "the format of `{}` is not known: the name has no extension",
                path.display()
            ),
        },
    };
    Diagnostic::error(frame::FORMAT_UNKNOWN, message)
        .note("known extensions are .v .sv .aag .aig .json .ltl .props .spectra .tlsf .slugsin .structuredslugs .hoa")
        .help("say the format with `--from FORMAT`")
}

/// Reads inputs into `context.sources`. All that cannot be read are reported at once.
pub fn read_all<'a>(
    inputs: impl IntoIterator<Item = &'a InputFile>,
    context: &mut Context,
) -> Result<Vec<FileId>, Failure> {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for input in inputs {
        match read(input, context) {
            Ok(file) => files.push(file),
            Err(Failure::Diagnostics(diagnostics)) => problems.extend(diagnostics),
            Err(stopped) => return Err(stopped),
        }
    }
    if problems.is_empty() {
        Ok(files)
    } else {
        Err(problems.into())
    }
}

/// Reads one input into `context.sources`.
pub fn read(input: &InputFile, context: &mut Context) -> Result<FileId, Failure> {
    let name = input.path.name();
    context.progress.log(|| format!("reading {name}"));
    let bytes = match &input.path {
        InputPath::Stdin => read_patiently(|| Ok(Box::new(io::stdin())), &context.limits),
        InputPath::File(path) => match context.texts.get(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => read_file(path, &context.limits)
                .inspect_err(|problem| context.missing.add_unless_read(path, problem)),
        },
    };
    let bytes = bytes.map_err(|problem| problem.failure(&name))?;
    context
        .progress
        .log_detail(|| format!("{name}: {} bytes", bytes.len()));

    // The two forms of AIGER share a name on standard input; the header tells them apart.
    if input.format == Format::Aiger && !bytes.starts_with(b"aag") {
        return Ok(context.sources.add_binary(name, bytes));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(context.sources.add(name, text)),
        Err(error) => Err(not_utf8(name, &error, context).into()),
    }
}

/// Texts that count in place of what the disk has: those that stand inside of another file,
/// and those that an editor has not saved. However a path leads to a file, it finds its text.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    files: HashMap<PathBuf, String>,
}

impl Texts {
    pub fn insert(&mut self, path: &Path, text: String) {
        self.files.insert(Texts::key(path), text);
    }

    pub fn get(&self, path: &Path) -> Option<&String> {
        match self.files.is_empty() {
            true => None,
            false => self.files.get(&Texts::key(path)),
        }
    }

    fn key(path: &Path) -> PathBuf {
        let found = path.canonicalize().or_else(|_| std::path::absolute(path));
        normal_path(&found.unwrap_or_else(|_| path.to_path_buf()))
    }
}

/// The files that were looked for and could not be read: an answer depends on them as on those
/// that were read.
#[derive(Clone, Debug, Default)]
pub struct Missing {
    names: RefCell<BTreeSet<String>>,
}

impl Missing {
    pub fn add(&self, path: &Path) {
        let name = path.to_string_lossy().into_owned();
        self.names.borrow_mut().insert(name);
    }

    fn add_unless_read(&self, path: &Path, problem: &ReadProblem) {
        if matches!(problem, ReadProblem::Io(_)) {
            self.add(path);
        }
    }

    /// In the order of their names.
    pub fn names(&self) -> Vec<String> {
        self.names.borrow().iter().cloned().collect()
    }
}

/// Whether there is a file that can be read.
pub fn is_readable(path: &Path) -> bool {
    path.is_file() && File::open(path).is_ok()
}

/// Reads what imports and includes name from the disk.
pub struct Disk<'a> {
    pub limits: &'a Limits,
    pub texts: &'a Texts,
    pub missing: &'a Missing,
}

impl Reader for Disk<'_> {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Failure> {
        if let Some(text) = self.texts.get(path) {
            return Ok(text.clone().into_bytes());
        }
        read_file(path, self.limits)
            .inspect_err(|problem| self.missing.add_unless_read(path, problem))
            .map_err(|problem| problem.failure(&path.display().to_string()))
    }

    fn identity(&self, path: &Path) -> PathBuf {
        path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
    }

    fn exists(&self, path: &Path) -> bool {
        let exists = path.is_file() || self.texts.get(path).is_some();
        if !exists {
            self.missing.add(path);
        }
        exists
    }
}

/// The bytes of a file that is neither a design nor a specification, with the name that messages
/// use for it.
pub fn read_bytes(path: &Path, name: &str, limits: &Limits) -> Result<Vec<u8>, Failure> {
    read_file(path, limits).map_err(|problem| problem.failure(name))
}

/// The text of a file that is no specification: moves, inputs, a trace.
pub fn read_text(path: &Path, limits: &Limits) -> Result<String, Failure> {
    let name = path.display().to_string();
    let bytes = read_file(path, limits).map_err(|problem| problem.failure(&name))?;
    String::from_utf8(bytes).map_err(|_| {
        let message = format!("`{name}` is not valid UTF-8");
        Diagnostic::error(frame::NOT_UTF8, message).into()
    })
}

fn not_utf8(name: String, error: &FromUtf8Error, context: &mut Context) -> Diagnostic {
    let offset = error.utf8_error().valid_up_to();
    let message = format!("`{name}` is not valid UTF-8");
    // Up to the byte in question the offsets are those of the file, so its line can be shown.
    let shown = String::from_utf8_lossy(error.as_bytes());
    let file = context.sources.add(name, shown);
    Diagnostic::error(frame::NOT_UTF8, message)
        .at(
            Span::new(file, offset, offset),
            format!("byte {offset} is the first that does not fit"),
        )
        .help("convert the file, for example with `iconv -f LATIN1 -t UTF-8`")
}

enum ReadProblem {
    Io(io::Error),
    TooLong,
    Stopped(Stop),
}

impl ReadProblem {
    fn failure(self, name: &str) -> Failure {
        match self {
            ReadProblem::Stopped(stop) => Failure::Stopped(stop),
            ReadProblem::TooLong => too_long(name).into(),
            ReadProblem::Io(error) => unreadable(name, &error).into(),
        }
    }
}

fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, ReadProblem> {
    let metadata = fs::metadata(path).map_err(ReadProblem::Io)?;
    if metadata.is_dir() {
        return Err(ReadProblem::Io(io::ErrorKind::IsADirectory.into()));
    }
    if !metadata.is_file() {
        let path = path.to_owned();
        return read_patiently(move || Ok(Box::new(File::open(path)?)), limits);
    }
    if metadata.len() > LONGEST_FILE {
        return Err(ReadProblem::TooLong);
    }
    read_to_end(File::open(path).map_err(ReadProblem::Io)?, limits)
}

/// Reads what may never end, such as a terminal or a pipe, and still keeps the limits: a read
/// that waits cannot be called back, so it waits on a thread of its own.
fn read_patiently(
    open: impl FnOnce() -> io::Result<Box<dyn Read>> + Send + 'static,
    limits: &Limits,
) -> Result<Vec<u8>, ReadProblem> {
    const INTERVAL: Duration = Duration::from_millis(20);
    let (sender, receiver) = mpsc::channel();
    let own = limits.clone();
    thread::Builder::new()
        .name("reader".to_string())
        .spawn(move || {
            let result = open().map_err(ReadProblem::Io);
            let result = result.and_then(|reader| read_to_end(reader, &own));
            // Nobody listens any more if a limit was reached meanwhile.
            let _ = sender.send(result);
        })
        .map_err(ReadProblem::Io)?;
    loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(result) => return result,
            Err(RecvTimeoutError::Timeout) => limits.look().map_err(ReadProblem::Stopped)?,
            Err(RecvTimeoutError::Disconnected) => {
                let error = io::Error::other("the reader stopped unexpectedly");
                return Err(ReadProblem::Io(error));
            }
        }
    }
}

/// All that is there, in pieces: some files are longer than the memory, and some never end.
fn read_to_end(mut reader: impl Read, limits: &Limits) -> Result<Vec<u8>, ReadProblem> {
    const PIECE: u64 = 1 << 20;
    let mut bytes = Vec::new();
    loop {
        let piece = reader.by_ref().take(PIECE).read_to_end(&mut bytes);
        if piece.map_err(ReadProblem::Io)? == 0 {
            return Ok(bytes);
        }
        limits.check().map_err(ReadProblem::Stopped)?;
        if bytes.len() as u64 > LONGEST_FILE {
            return Err(ReadProblem::TooLong);
        }
    }
}

fn too_long(name: &str) -> Diagnostic {
    let message = format!("`{name}` is longer than 4 GiB");
    Diagnostic::error(frame::FILE_TOO_LONG, message)
        .help("give the part of the design that the property talks about")
}

fn unreadable(name: &str, error: &io::Error) -> Diagnostic {
    let message = format!("cannot read `{name}`: {}", explain(error));
    let diagnostic = Diagnostic::error(frame::FILE_UNREADABLE, message);
    if error.kind() == io::ErrorKind::NotFound {
        diagnostic.help("relative names count from the directory that the command runs in")
    } else {
        diagnostic
    }
}

/// The system's words for what most often goes wrong are not the user's.
pub fn explain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or directory".to_string(),
        io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        io::ErrorKind::IsADirectory => "it is a directory".to_string(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Code;

    fn check_format(
        name: &str,
        from: Option<Format>,
        purpose: Purpose,
        expected: Result<Format, Code>,
    ) {
        let path = match name {
            "-" => InputPath::Stdin,
            name => InputPath::File(name.into()),
        };
        let format = InputFile::new(path, from, purpose)
            .map(|input| input.format)
            .map_err(|diagnostic| diagnostic.code);
        assert_eq!(format, expected, "{name} with {from:?} as {purpose:?}");
    }

    #[test]
    fn the_extension_decides_the_format_of_a_design() {
        for (name, format) in [
            ("a.v", Format::Verilog),
            ("a.sv", Format::Verilog),
            ("A.SV", Format::Verilog),
            ("a.aag", Format::Aiger),
            ("a.aig", Format::Aiger),
            ("a.json", Format::YosysJson),
        ] {
            check_format(name, None, Purpose::Design, Ok(format));
        }
    }

    #[test]
    fn the_extension_decides_the_format_of_a_specification() {
        for (name, format) in [
            ("a.ltl", Format::Properties),
            ("a.props", Format::Properties),
            ("a.spectra", Format::Spectra),
            ("a.tlsf", Format::Tlsf),
            ("a.slugsin", Format::Slugs),
            ("a.structuredslugs", Format::StructuredSlugs),
        ] {
            check_format(name, None, Purpose::Specification, Ok(format));
        }
    }

    #[test]
    fn from_outranks_the_extension() {
        let from = Some(Format::Tlsf);
        check_format("a.spectra", from, Purpose::Specification, Ok(Format::Tlsf));
        check_format("a", from, Purpose::Specification, Ok(Format::Tlsf));
    }

    #[test]
    fn standard_input_has_a_format_only_where_one_is_possible() {
        check_format("-", None, Purpose::Properties, Ok(Format::Properties));
        let unknown = Err(frame::FORMAT_UNKNOWN);
        check_format("-", None, Purpose::Design, unknown);
        check_format("-", None, Purpose::Specification, unknown);
    }

    #[test]
    fn a_folder_is_called_one() {
        let folder = InputPath::File(std::env::temp_dir());
        let refused = InputFile::new(folder, None, Purpose::Design);
        let refused = refused.expect_err("folders have no format");
        assert!(
            refused.message.ends_with("is a folder"),
            "{}",
            refused.message
        );
    }

    #[test]
    fn an_unknown_extension_is_refused() {
        check_format("a.txt", None, Purpose::Design, Err(frame::FORMAT_UNKNOWN));
        check_format("a", None, Purpose::Design, Err(frame::FORMAT_UNKNOWN));
    }

    #[test]
    fn a_format_that_the_command_does_not_read_is_refused() {
        let unsuitable = Err(frame::FORMAT_UNSUITABLE);
        check_format("a.v", None, Purpose::Specification, unsuitable);
        check_format("a.spectra", None, Purpose::Design, unsuitable);
        check_format("a.spectra", None, Purpose::Properties, unsuitable);
    }
}
