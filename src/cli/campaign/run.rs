//! One job: in this process (`respin campaign --job LINE --unsupervised`), or in a process that
//! is watched, so that there is a result whatever becomes of it.

use super::folder::Folder;
use super::planned::{Digests, arguments};
use crate::campaign::job::FORM;
use crate::campaign::{FileDigest, Job, JobResult, Sarif, sha256};
use crate::cli::arguments::{Arguments, Command};
use crate::cli::child::{self, Held, Problem};
use crate::cli::context::Context;
use crate::cli::output;
use crate::cli::watch::Watch;
use crate::limits::{Limits, Stop, processor_time};
use crate::report::sarif::sarif_value;
use crate::report::{Ending, Report};
use crate::source::codes::frame;
use crate::source::{Diagnostic, Sources};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What a process may take beyond the limits of its job, which it keeps by itself: time and
/// addresses, of which its stack reserves half a gigabyte.
const GRACE: Duration = Duration::from_secs(10);
const MORE_ADDRESSES: u64 = 2 << 30;

/// Runs the job of a line in this process and prints what its command prints; the exit code is
/// that of the command.
pub fn here(line: &str, results: Option<&Path>, parent: Option<i32>, watch: &Watch) -> u8 {
    // Nobody reads the result of a campaign that has ended, and the next one runs the job again.
    if !parent.is_none_or(child::end_with_parent) {
        return Report::interrupted().exit_code(None);
    }
    let failed = |diagnostic: Diagnostic| {
        output::print_diagnostics(&[diagnostic], &Sources::new(), false);
        Report::error(vec![]).exit_code(None)
    };
    let (job, folder) = match opened(line, results) {
        Ok(opened) => opened,
        Err(diagnostic) => return failed(diagnostic),
    };
    match in_this_process(&job, &folder, watch) {
        Ok(code) => code,
        Err(diagnostic) => failed(diagnostic),
    }
}

/// The job of a line, and the folder that its result goes to.
pub fn opened(line: &str, results: Option<&Path>) -> Result<(Job, Folder), Diagnostic> {
    let job = Job::parse(line).map_err(|problem| {
        Diagnostic::error(
            frame::BAD_JOB,
            format!("this is no job of a campaign: {problem}"),
        )
        .help("`respin campaign PLAN --list` prints the jobs of a plan, a line each")
    })?;
    let Some(results) = results else {
        let message = "`--job` needs the folder that its result goes to";
        return Err(Diagnostic::error(frame::BAD_USAGE, message).help("say `--results DIR`"));
    };
    let folder = Folder::create(results)?;
    // The job may run in another directory.
    let path = std::path::absolute(&folder.path).unwrap_or(folder.path);
    Ok((job, Folder { path }))
}

fn in_this_process(job: &Job, folder: &Folder, watch: &Watch) -> Result<u8, Diagnostic> {
    if let Some(folder) = job.folder() {
        std::env::set_current_dir(&folder).map_err(|error| {
            let message = format!("cannot work in `{}`: {error}", folder.display());
            Diagnostic::error(frame::FILE_UNREADABLE, message)
        })?;
    }
    let mut digests = Digests::default();
    if !digests.are_unchanged(&job.inputs, None, &Limits::default()) {
        let message = format!(
            "{}: a file is not the one that the job was planned with",
            job.name
        );
        return Err(Diagnostic::error(frame::BAD_JOB, message).help("plan the campaign again"));
    }
    let started = Instant::now();
    let command = job.command().to_string();
    let mut arguments = arguments(job)?;
    let page = job.page.then(|| folder.page(job));
    set_page(&mut arguments, page.clone());
    let words = std::iter::once("respin".to_string()).chain(job.arguments.iter().cloned());
    let (mut report, mut context) =
        crate::cli::answered(arguments, Some(&command), words.collect(), watch);
    if report.ending() == Ending::Interrupted {
        return Ok(output::publish(&report, Some(&command), &mut context));
    }
    if let Some(page) = &page {
        let written = format!("wrote {}", page.display());
        report.notes.retain(|note| *note != written);
    }
    let exit_code = report.exit_code(context.settings.expected);
    let mut read = job.inputs.clone();
    read.extend(read_files(&context));
    read.sort_unstable();
    read.dedup();
    let result = JobResult {
        read,
        page: page.is_some_and(|page| page.is_file()),
        processor_ms: processor_time().as_millis() as u64,
        wall_ms: started.elapsed().as_millis() as u64,
        ..result_of(job, &report, exit_code, &context.sources)?
    };
    folder.write_result(job, &result)?;
    Ok(output::publish(&report, Some(&command), &mut context))
}

/// The files that were read, with what was read of them, and those that were looked for and were
/// not there, since a new file would be another answer; texts that stand inside of another one are
/// no files.
fn read_files(context: &Context) -> Vec<FileDigest> {
    let files = context.sources.files();
    let files = files.filter(|file| {
        let path = Path::new(&file.name);
        path.is_file() && context.texts.get(path).is_none()
    });
    let digests = files.map(|file| FileDigest {
        path: file.name.clone(),
        sha256: sha256(file.bytes()),
    });
    let missing = context.missing.names().into_iter();
    digests.chain(missing.map(FileDigest::missing)).collect()
}

fn result_of(
    job: &Job,
    report: &Report,
    exit_code: u8,
    sources: &Sources,
) -> Result<JobResult, Diagnostic> {
    let problem =
        |error: serde_json::Error| Diagnostic::error(frame::INTERNAL_ERROR, error.to_string());
    let command = Some(job.command());
    let document = report.json_value(command, sources).map_err(problem)?;
    let found = sarif_value(report, command, exit_code, sources);
    Ok(JobResult {
        form: FORM,
        version: env!("CARGO_PKG_VERSION").to_string(),
        key: job.key.clone(),
        exit_code,
        processor_ms: 0,
        wall_ms: 0,
        read: job.inputs.clone(),
        page: false,
        report: document,
        sarif: Sarif::of(&found),
    })
}

/// Says where the page of the result goes.
fn set_page(arguments: &mut Arguments, page: Option<PathBuf>) {
    match &mut arguments.command {
        Command::Verify(verify) => {
            (verify.page.html, verify.traces.force) = (page, true);
        }
        Command::Repair(repair) => {
            (repair.page.html, repair.output.force) = (page, true);
        }
        Command::Mutate(mutate) => (mutate.page.html, mutate.force) = (page, true),
        Command::Check(check) => (check.page.html, check.force) = (page, true),
        Command::Explain(explain) => {
            (explain.page.html, explain.explain.force) = (page, true);
        }
        _ => {}
    }
}

/// What becomes of a job that is watched.
pub enum Watched {
    /// There is a result.
    Done(JobResult),
    /// The campaign was asked to stop; there is none.
    Stopped(Stop),
}

/// Runs a job in a process of its own. One that ends without a result, since it was killed or
/// did not notice that its limits were reached, gets one that says so.
pub fn watched(
    job: &Job,
    folder: &Folder,
    interrupt: &Arc<AtomicBool>,
) -> Result<Watched, Diagnostic> {
    let arguments = arguments(job)?;
    let program = std::env::current_exe().map_err(|error| {
        let message = format!("this program does not know where it stands: {error}");
        Diagnostic::error(frame::INTERNAL_ERROR, message)
    })?;
    // What was there is out of date or was wanted anew, whatever becomes of this process.
    folder.remove_result(job)?;
    let started = Instant::now();
    let (timeout, memory) = (arguments.global.timeout, arguments.global.memory);
    let limits = Limits::new(
        timeout.map(|timeout| timeout + GRACE),
        memory.map(|memory| memory.saturating_add(MORE_ADDRESSES)),
        interrupt.clone(),
    );
    let mut command = process::Command::new(program);
    command.args(["campaign", "--quiet", "--unsupervised"]);
    command.args(["--parent", &process::id().to_string(), "--results"]);
    command.arg(&folder.path).args(["--job", &job.line()]);
    let ended = child::run(&mut command, Held::AddressSpace, &limits);
    let mut digests = Digests::default();
    if let Some(result) = folder.result(job, &mut digests, &Limits::default()) {
        return Ok(Watched::Done(result));
    }
    let report = match ended {
        Err(Problem::Stopped(Stop::Interrupted)) => {
            return Ok(Watched::Stopped(Stop::Interrupted));
        }
        Err(Problem::Stopped(stop)) => Report::unknown(stop.reason()),
        Err(Problem::Io(error)) => {
            let message = format!("the process of a job cannot be started: {error}");
            return Err(Diagnostic::error(frame::INTERNAL_ERROR, message)
                .help("check how many processes this user may have, and give a smaller `--jobs`"));
        }
        Ok(finished) => match (finished.status.code(), finished.status.signal()) {
            (Some(3), _) => {
                let said = String::from_utf8_lossy(&finished.output).into_owned();
                Report::unknown(said.lines().nth(1).unwrap_or(Stop::OutOfTime.reason()))
            }
            (Some(130 | 143), _) => return Ok(Watched::Stopped(Stop::Interrupted)),
            (_, Some(signal)) => ended_by(&format!("signal {signal}")),
            (code, _) => {
                let said = String::from_utf8_lossy(&finished.problems).into_owned();
                let first = said.lines().find(|line| !line.is_empty());
                let code = code.map_or("without a code".to_string(), |code| format!("code {code}"));
                ended_by(&format!("{code}: {}", first.unwrap_or("it said nothing")))
            }
        },
    };
    let exit_code = report.exit_code(None);
    let result = JobResult {
        wall_ms: started.elapsed().as_millis() as u64,
        ..result_of(job, &report, exit_code, &Sources::new())?
    };
    folder.write_result(job, &result)?;
    Ok(Watched::Done(result))
}

fn ended_by(how: &str) -> Report {
    let message = format!("the process of the job ended by {how}");
    Report::error(vec![
        Diagnostic::error(frame::JOB_BROKE_DOWN, message).help(
            "give jobs a limit on memory in the plan, or run this one alone to see what it says",
        ),
    ])
}
