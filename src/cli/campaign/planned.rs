//! From a plan to jobs: the files that patterns mean are found, command lines are read as if they
//! had been typed, and the files that they name get digests.

use super::find::find;
use crate::campaign::job::FORM;
use crate::campaign::{FileDigest, Job, Plan, PlanError, Planned, sha256};
use crate::cli::arguments::{Arguments, Command};
use crate::cli::context::{Context, Failure};
use crate::cli::input::{Format, InputFile, explain, is_readable, read, read_bytes};
use crate::cli::options::DesignOptions;
use crate::cli::project_file;
use crate::cli::usage;
use crate::cli::values::InputPath;
use crate::limits::Limits;
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId, Span};
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A plan with its jobs.
pub struct PlannedCampaign {
    pub jobs: Vec<Job>,
    /// Where the results go unless the command line says so.
    pub results: PathBuf,
}

/// Reads a plan.
pub fn plan(path: &Path, context: &mut Context) -> Result<PlannedCampaign, Failure> {
    let input = InputFile {
        path: InputPath::File(path.to_path_buf()),
        format: Format::Properties,
    };
    let file = read(&input, context)?;
    let text = context.sources.file(file).text.clone();
    let plan = Plan::parse(&text).map_err(|error| wrong(file, error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let home = home(folder)?;
    let limits = context.limits.clone();
    let commands = plan.commands(&|pattern| find(Path::new(&home), pattern, &limits));
    let commands = commands.map_err(|error| wrong(file, error))?;
    let mut digests = Digests::default();
    let mut jobs = Vec::with_capacity(commands.len());
    for planned in commands {
        limits.check()?;
        let pages = plan.pages;
        jobs.push(job(planned, &home, pages, file, &mut digests, &limits)?);
    }
    let results = match plan.results() {
        Some(results) => folder.join(results),
        None => path.with_extension("results"),
    };
    Ok(PlannedCampaign { jobs, results })
}

/// The folder of a plan by its whole name, which is the same wherever a campaign is started.
fn home(folder: &Path) -> Result<String, Diagnostic> {
    let folder = Path::new(".").join(folder);
    let problem = |why: String| {
        let message = format!("cannot work in `{}`: {why}", folder.display());
        Diagnostic::error(frame::FILE_UNREADABLE, message)
    };
    let home = folder
        .canonicalize()
        .map_err(|error| problem(explain(&error)))?;
    let home = home.into_os_string().into_string();
    home.map_err(|_| problem("its name is no text".to_string()))
}

/// The command line of a job, read; refused if it writes files, or asks for what a campaign does
/// in its own way.
pub fn arguments(job: &Job) -> Result<Arguments, Diagnostic> {
    parsed(&job.name, &job.arguments).map_err(|wrong| wrong.0)
}

/// What is wrong with a command line, and the words that may be.
type Wrong = Box<(Diagnostic, Vec<String>)>;

/// Options that a campaign would leave out in silence: what a job prints is not shown, and its
/// verdict is judged by the plan.
const OVERRULED: [(&str, &str, Option<&str>); 6] = [
    ("expect", "--expect", None),
    ("format", "--format", None),
    ("color", "--color", None),
    ("quiet", "--quiet", Some("-q")),
    ("verbose", "--verbose", Some("-v")),
    ("force", "--force", None),
];

/// A command line, read.
fn parsed(name: &str, words: &[String]) -> Result<Arguments, Wrong> {
    let words: Vec<OsString> = std::iter::once("respin")
        .chain(words.iter().map(String::as_str))
        .map(OsString::from)
        .collect();
    let parsed = usage::parse(&words).and_then(|found| {
        let arguments = Arguments::from_arg_matches(&found)?;
        Ok((arguments, found))
    });
    let (arguments, found) = parsed.map_err(|error| {
        let said = usage::diagnostic(&error);
        let message = format!("{name}: {}", said.message);
        let diagnostic = Diagnostic::error(frame::BAD_PLAN, message)
            .help("options are those of the command line: `respin help COMMAND` lists them");
        Box::new((diagnostic, usage::wrong_words(&error)))
    })?;
    if let Some(wrong) = overruled(name, &found) {
        return Err(wrong);
    }
    let written = match &arguments.command {
        Command::Verify(one) => vec![
            ("--vcd", &one.traces.vcd),
            ("--witness", &one.traces.witness),
            ("--certificate", &one.traces.certificate),
            ("--workdir", &one.workdir.workdir),
            ("--html", &one.page.html),
        ],
        Command::Repair(one) => {
            let faults = one.components.faults.filter(|faults| *faults > 1);
            if let (Some(faults), true) = (faults, one.part.is_some() || one.split.is_some()) {
                let message = format!(
                    "{name}: parts of a repair look at one place at a time, and `--faults \
                     {faults}` asks for more"
                );
                let diagnostic = Diagnostic::error(frame::BAD_PLAN, message)
                    .help("leave out `split`, or say `--faults 1`");
                return Err(Box::new((diagnostic, vec!["--faults".to_string()])));
            }
            let flag = one.write.then_some("--write");
            let written = [
                ("--vcd", &one.vcd),
                ("--output", &one.output.output),
                ("--workdir", &one.workdir.workdir),
                ("--html", &one.page.html),
            ];
            return refused(name, flag, &written).map_or(Ok(arguments), Err);
        }
        Command::Mutate(mutate) => vec![("--html", &mutate.page.html)],
        Command::Check(check) => vec![("--html", &check.page.html)],
        Command::Explain(one) => vec![
            ("--vcd", &one.explain.vcd),
            ("--dot", &one.explain.dot),
            ("--svg", &one.explain.svg),
            ("--html", &one.page.html),
        ],
        _ => Vec::new(),
    };
    refused(name, None, &written).map_or(Ok(arguments), Err)
}

/// What is said of a job with an option that would mean nothing.
fn overruled(name: &str, found: &ArgMatches) -> Option<Wrong> {
    let (_, own) = found.subcommand()?;
    let is_typed = |id: &str| {
        let is_known = own.try_contains_id(id).is_ok();
        is_known && own.value_source(id) == Some(ValueSource::CommandLine)
    };
    let (id, long, short) = OVERRULED.into_iter().find(|(id, ..)| is_typed(id))?;
    let (why, help) = match id {
        "expect" => (
            "says nothing to a campaign, which judges verdicts by its plan",
            "give the set the key `expect`, such as `expect = \"fail\"`",
        ),
        "force" => (
            "overwrites a file, and jobs write none but results",
            "leave it out: results are kept and replaced by themselves",
        ),
        _ => (
            "says how a result is printed, and jobs print nothing",
            "the results folder has the report as a page, JSON, SARIF and JUnit",
        ),
    };
    let message = format!("{name}: `{long}` {why}");
    let diagnostic = Diagnostic::error(frame::BAD_PLAN, message).help(help);
    let words = std::iter::once(long).chain(short).map(str::to_string);
    Some(Box::new((diagnostic, words.collect())))
}

/// What is said of a job that writes a file, with the option that says so.
fn refused(name: &str, flag: Option<&str>, written: &[(&str, &Option<PathBuf>)]) -> Option<Wrong> {
    let mut written = written.iter();
    let option = written.find_map(|(option, path)| path.is_some().then_some(*option));
    let option = flag.or(option)?;
    let message = format!("{name}: `{option}` writes a file, and jobs write none but results");
    let diagnostic = Diagnostic::error(frame::BAD_PLAN, message)
        .help("each result has a page and JSON in the results folder");
    Some(Box::new((diagnostic, vec![option.to_string()])))
}

/// A job of the plan in this file.
fn job(
    planned: Planned,
    home: &str,
    pages: bool,
    plan: FileId,
    digests: &mut Digests,
    limits: &Limits,
) -> Result<Job, Failure> {
    let placed = |diagnostic: Diagnostic, words: &[String]| -> Diagnostic {
        let origin = planned.origin(words);
        diagnostic.at(Span::new(plan, origin.start, origin.end), "here")
    };
    let arguments =
        parsed(&planned.name, &planned.arguments).map_err(|wrong| placed(wrong.0, &wrong.1))?;
    let directory = planned.directory.as_deref().unwrap_or_default();
    let directory = Path::new(home).join(directory);
    let mut inputs = Vec::new();
    for path in named(&arguments) {
        let InputPath::File(path) = path else {
            let message = format!("{}: a job cannot read standard input", planned.name);
            let diagnostic = Diagnostic::error(frame::BAD_PLAN, message);
            return Err(placed(diagnostic, &["-".to_string()]).into());
        };
        let digest = digests.of(&path, Some(&directory), limits);
        inputs.push(digest.map_err(|failure| match failure {
            Failure::Diagnostics(found) => {
                let word = [path.to_string_lossy().into_owned()];
                let found = found.into_iter().map(|one| match one.labels.is_empty() {
                    true => placed(one, &word),
                    false => one,
                });
                Failure::Diagnostics(found.collect())
            }
            stopped => stopped,
        })?);
    }
    let job = Job {
        form: FORM,
        key: String::new(),
        name: planned.name,
        set: planned.set,
        whole: planned.whole,
        home: Some(home.to_string()),
        directory: planned.directory,
        arguments: planned.arguments,
        inputs,
        expected: planned.expected,
        page: pages,
    };
    Ok(job.keyed())
}

/// The files that a command line names.
pub fn named(arguments: &Arguments) -> Vec<InputPath> {
    let of_design = |design: &DesignOptions| -> Vec<InputPath> {
        let lists = design.file_lists.iter().cloned().map(InputPath::File);
        let files = design
            .designs
            .iter()
            .chain(&design.specs)
            .chain(&design.reference);
        let mut files: Vec<InputPath> = files.cloned().chain(lists).collect();
        if design.designs.is_empty() && design.file_lists.is_empty() {
            files.push(InputPath::File(project_file::NAME.into()));
        }
        files
    };
    let recorded = |traces: &[PathBuf]| -> Vec<InputPath> {
        traces.iter().cloned().map(InputPath::File).collect()
    };
    match &arguments.command {
        Command::Verify(one) => [of_design(&one.design), recorded(&one.recorded.traces)].concat(),
        Command::Repair(one) => [of_design(&one.design), recorded(&one.recorded.traces)].concat(),
        Command::Mutate(mutate) => of_design(&mutate.design),
        Command::Check(check) => vec![check.spec.spec.clone()],
        Command::Explain(explain) => vec![explain.spec.spec.clone()],
        _ => Vec::new(),
    }
}

/// Digests of files, each of which is read once.
#[derive(Default)]
pub struct Digests {
    known: HashMap<PathBuf, String>,
}

impl Digests {
    /// The digest of a file as a job names it.
    pub fn of(
        &mut self,
        path: &Path,
        directory: Option<&Path>,
        limits: &Limits,
    ) -> Result<FileDigest, Failure> {
        let full = match directory {
            Some(directory) => directory.join(path),
            None => path.to_path_buf(),
        };
        let sha256 = match self.known.get(&full) {
            Some(digest) => digest.clone(),
            None => {
                let name = path.display().to_string();
                let digest = sha256(&read_bytes(&full, &name, limits)?);
                self.known.insert(full, digest.clone());
                digest
            }
        };
        Ok(FileDigest {
            path: path.to_string_lossy().into_owned(),
            sha256,
        })
    }

    /// Whether all files are as they were.
    pub fn are_unchanged(
        &mut self,
        files: &[FileDigest],
        directory: Option<&Path>,
        limits: &Limits,
    ) -> bool {
        files.iter().all(|file| {
            if file.is_missing() {
                let folder = directory.unwrap_or(Path::new(""));
                return !is_readable(&folder.join(&file.path));
            }
            let now = self.of(Path::new(&file.path), directory, limits);
            now.is_ok_and(|now| now.sha256 == file.sha256)
        })
    }
}

fn wrong(file: FileId, error: PlanError) -> Diagnostic {
    let diagnostic = Diagnostic::error(frame::BAD_PLAN, error.message);
    let diagnostic = match error.span {
        Some(span) => diagnostic.at(Span::new(file, span.start, span.end), "here"),
        None => diagnostic.at(Span::new(file, 0, 0), "in this plan"),
    };
    diagnostic.help(
        "a plan has `results`, `pages`, `[limits]` and for each set `[[set]]` with `name`, \
         `command`, `designs` or `specifications`, `except`, `properties`, `options`, `matrix`, \
         `split`, `limits` and `expect`",
    )
}
