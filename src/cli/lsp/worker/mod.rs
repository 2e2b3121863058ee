//! The process that answers one question of the server: it reads texts, works, and is gone.
//!
//! Enters: a [`Question`] on standard input. Leaves: an [`Answer`] on standard output. The
//! question is answered by the same requests that a command line makes, with texts of the editor
//! in place of what the disk has, so that an editor never says anything else than a command.

mod declared;
mod findings;
mod read;
mod remedies;
mod symbols;
mod verdict;

use super::documents::format_of;
use super::question::{Answer, Ask, Question};
use crate::cli::arguments::{Arguments, Command};
use crate::cli::context::{Context, Failure};
use crate::cli::input::Texts;
use crate::cli::options::OutputFormat;
use crate::cli::watch::Watch;
use crate::cli::{commands, crash, project_file, usage};
use crate::cli::{request::Request, values::InputPath};
use crate::limits::Limits;
use crate::load::{Format, normal_path};
use crate::report::Report;
use crate::source::codes::frame;
use crate::source::{Diagnostic, Sources};
use clap::FromArgMatches;
use findings::Findings;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a verdict takes at most if nothing else is said.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// Answers the question on standard input.
pub fn answer(watch: &Watch) -> u8 {
    let mut input = Vec::new();
    let question: Option<Question> = match std::io::stdin().read_to_end(&mut input) {
        Ok(_) => serde_json::from_slice(&input).ok(),
        Err(_) => None,
    };
    let Some(question) = question else {
        return 2;
    };
    let answered = crash::guard(|| Desk::new(question, watch).answer());
    let answer = answered.unwrap_or_else(|failure| Answer {
        log: vec![failure.to_string()],
        ..Answer::default()
    });
    let Ok(text) = serde_json::to_vec(&answer) else {
        return 2;
    };
    let mut output = std::io::stdout();
    match output.write_all(&text).and_then(|()| output.flush()) {
        Ok(()) => 0,
        Err(_) => 2,
    }
}

/// A question with what is needed to answer it.
struct Desk<'a> {
    question: Question,
    watch: &'a Watch,
    texts: Texts,
    /// The directory from which names count.
    here: PathBuf,
}

/// A command line that was understood, and what goes with it.
struct Task {
    request: Request,
    context: Context,
    /// The project file that says what the design is.
    project: Option<PathBuf>,
}

impl<'a> Desk<'a> {
    fn new(question: Question, watch: &'a Watch) -> Desk<'a> {
        let mut texts = Texts::default();
        for (path, text) in &question.texts {
            texts.insert(path, text.clone());
        }
        Desk {
            question,
            watch,
            texts,
            here: std::env::current_dir().unwrap_or_default(),
        }
    }

    fn answer(&self) -> Result<Answer, Failure> {
        let Some(format) = format_of(&self.question.file) else {
            return Ok(Answer::default());
        };
        match self.question.ask {
            Ask::Read => self.read(format),
            Ask::Verdict => self.verdict(format),
            Ask::Remedies => self.remedies(format),
            Ask::Hover(position) => self.hover(format, position),
            Ask::Definition(position) => self.definition(format, position),
        }
    }

    /// The name of the file that was asked about, from here.
    fn name(&self) -> PathBuf {
        let file = &self.question.file;
        file.strip_prefix(&self.here).unwrap_or(file).to_path_buf()
    }

    /// Understands a command line about the file that was asked about.
    fn task(&self, words: &[&str]) -> Result<Task, Failure> {
        let file = self.name().into_os_string();
        let words = [&["respin"], words]
            .concat()
            .into_iter()
            .map(OsString::from);
        self.understand(words.chain([file]).collect(), None)
    }

    /// The same for the design of the project that the file is part of; `None` if there is no
    /// project, or if the file is no part of it.
    fn project_task(&self, command: &str) -> Result<Option<Task>, Failure> {
        let words = ["respin", command].map(OsString::from).to_vec();
        let (arguments, mut context) = self.parse(&words)?;
        let mut arguments = arguments;
        match project_file::expand(&mut arguments, &mut context) {
            Ok(()) => {}
            Err(Failure::Diagnostics(found))
                if found.iter().all(|one| one.code == frame::BAD_USAGE) =>
            {
                return Ok(None);
            }
            Err(failure) => return Err(failure),
        }
        if !self.is_part(&arguments) {
            return Ok(None);
        }
        let mut files = context.sources.ids();
        let project = files
            .next()
            .map(|file| context.sources.file(file).name.clone());
        let project = project.map(|name| self.absolute(&name));
        let request = Request::new(arguments)?;
        Ok(Some(Task {
            request,
            context,
            project,
        }))
    }

    /// Whether a project names the file. A header is part of it if a design of the project is
    /// near, since no list names headers.
    fn is_part(&self, arguments: &Arguments) -> bool {
        let design = match &arguments.command {
            Command::Verify(verify) => &verify.design,
            Command::Repair(repair) => &repair.design,
            _ => return false,
        };
        let extension = self.question.file.extension();
        let is_header = extension.is_some_and(|one| one == "vh" || one == "svh");
        let mut files = design.designs.iter().chain(&design.specs);
        is_header
            || files.any(|one| match one {
                InputPath::File(path) => self.absolute(path) == self.question.file,
                InputPath::Stdin => false,
            })
    }

    fn understand(&self, words: Vec<OsString>, project: Option<PathBuf>) -> Result<Task, Failure> {
        let (arguments, context) = self.parse(&words)?;
        Ok(Task {
            request: Request::new(arguments)?,
            context,
            project,
        })
    }

    fn parse(&self, words: &[OsString]) -> Result<(Arguments, Context), Failure> {
        let wrong = |error: clap::Error| {
            Failure::from(Diagnostic::error(frame::BAD_USAGE, error.to_string()))
        };
        let matches = usage::parse(words).map_err(wrong)?;
        let arguments = Arguments::from_arg_matches(&matches).map_err(wrong)?;
        let mut context = Context::new(&arguments.global, self.watch.interrupt().clone());
        context.texts = self.texts.clone();
        // Text for people is printed as soon as it is known, and standard output is the answer's.
        context.settings.format = OutputFormat::Json;
        context.keeps_texts = true;
        Ok((arguments, context))
    }

    /// Does what a command does, within the limits that it has or the usual ones.
    fn perform(&self, task: &mut Task) -> Report {
        let context = &mut task.context;
        if context.limits.time_left().is_none() {
            let memory = context.limits.memory_bytes();
            let interrupt = context.limits.interrupt().clone();
            context.set_limits(Limits::new(Some(USUAL_TIME), memory, interrupt));
        }
        self.watch.over(context, None);
        let request = &task.request;
        let done = crash::guard(|| commands::execute(request, context));
        let mut report = done.unwrap_or_else(Report::from);
        report.diagnostics.splice(0..0, context.warnings.drain(..));
        report
    }

    /// Where a file of the sources is on the disk.
    fn absolute(&self, name: impl AsRef<Path>) -> PathBuf {
        normal_path(&self.here.join(name))
    }

    fn findings<'s>(&'s self, sources: &'s Sources) -> Findings<'s> {
        Findings {
            sources,
            encoding: self.question.encoding,
            here: &self.here,
            file: &self.question.file,
        }
    }

    /// The files that were read; texts that only the command line has are none.
    fn files(&self, sources: &Sources) -> Vec<PathBuf> {
        let names = sources.ids().map(|file| &sources.file(file).name);
        let paths = names.map(|name| self.absolute(name));
        let is_file = |path: &PathBuf| path.is_file() || self.texts.get(path).is_some();
        let mut files: Vec<PathBuf> = paths.filter(is_file).collect();
        files.push(self.question.file.clone());
        files.sort_unstable();
        files.dedup();
        files
    }
}

/// Whether a format is one of designs and their properties, and not of specifications.
fn is_of_design(format: Format) -> bool {
    matches!(format, Format::Verilog | Format::Properties)
}
