//! `respin campaign`: runs the jobs of a plan that have no result yet, and merges all results.

use crate::campaign::merge::{compared, merged, of_report, record};
use crate::campaign::split::{conclusion, groups};
use crate::campaign::{Job, JobResult};
use crate::cli::arguments::{CampaignArguments, Listed, Rerun};
use crate::cli::campaign::folder::Folder;
use crate::cli::campaign::planned::{self, Digests, PlannedCampaign};
use crate::cli::campaign::pool;
use crate::cli::campaign::run::{Watched, opened, watched};
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_text;
use crate::cli::workdir::timestamp;
use crate::limits::Stop;
use crate::report::Report;
use crate::report::campaign::{CampaignReport, JobAnswer};
use crate::report::html::Page;
use crate::report::junit::{Moment, junit};
use crate::report::sarif::sarif;
use crate::source::codes::frame;
use crate::source::{Diagnostic, Sources};
use std::path::Path;
use std::thread::available_parallelism;

pub fn campaign(request: &CampaignArguments, context: &mut Context) -> Result<Report, Failure> {
    if let Some(line) = &request.job {
        return one(line, request, context);
    }
    let Some(plan) = &request.plan else {
        let message = "a campaign needs a plan";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help("say `respin campaign PLAN.toml`; docs/campaigns.md has examples")
            .into());
    };
    let PlannedCampaign { jobs, results } = planned::plan(plan, context)?;
    if request.list == Some(Listed::All) {
        return Ok(Report::done(lines(jobs.iter())));
    }
    let earlier = match &request.compare {
        Some(path) => Some(earlier(path, context)?),
        None => None,
    };
    let folder = Folder::create(request.results.as_ref().unwrap_or(&results))?;
    let mut work = Jobs::known(jobs, &folder, request, context);
    let mut conclusions = work.conclusions(&folder, request, context);
    if request.list == Some(Listed::Pending) {
        let pending = work.pending().into_iter().map(|index| &work.jobs[index]);
        let last = conclusions.pending().into_iter();
        let last = last.map(|index| &conclusions.jobs[index]);
        return Ok(Report::done(lines(pending.chain(last))));
    }
    folder.write("jobs.jsonl", &lines(work.jobs.iter()))?;
    let mut stopped = None;
    let mut notes = Vec::new();
    if !request.merge {
        let resumed = work.jobs.len() - work.pending().len();
        if resumed > 0 && resumed < work.jobs.len() {
            notes.push(format!("{resumed} results were there already"));
        }
        stopped = work.run(request, &folder, context)?;
        if stopped.is_none() {
            conclusions = work.conclusions(&folder, request, context);
            stopped = conclusions.run(request, &folder, context)?;
        }
    }
    if stopped == Some(Stop::Interrupted) {
        let count = work.jobs.len();
        let done = count - work.pending().len();
        let mut report = Report::interrupted();
        report.notes.push(format!(
            "{done} of {count} jobs have results; the same command goes on from there"
        ));
        return Ok(report);
    }
    let all = work.jobs.iter().chain(&conclusions.jobs);
    folder.write("jobs.jsonl", &lines(all))?;
    let shown = plan.display().to_string();
    let concluded = conclusions.jobs.into_iter().zip(conclusions.found);
    let home = plan.parent().unwrap_or(Path::new(""));
    let mut body = merged(
        &shown,
        &home.to_string_lossy(),
        &work.jobs,
        &work.found,
        &concluded.collect(),
        !request.no_times,
    );
    body.comparison = earlier.map(|earlier| compared(&body, &earlier));
    let mut report = Report::campaign(body);
    if let Some(stop) = stopped {
        report
            .notes
            .push(format!("not all jobs were run: {}", stop.reason()));
    }
    write(&report, &shown, request.no_times, &folder, context)?;
    report.notes.extend(notes);
    let page = folder.path.join("report.html");
    report
        .notes
        .push(format!("wrote {} and more beside it", page.display()));
    Ok(report)
}

/// Jobs, and the results that some of them have.
struct Jobs {
    jobs: Vec<Job>,
    found: Vec<Option<JobResult>>,
}

impl Jobs {
    /// With the results that are there, but for those that are wanted anew.
    fn known(
        jobs: Vec<Job>,
        folder: &Folder,
        request: &CampaignArguments,
        context: &Context,
    ) -> Jobs {
        let mut digests = Digests::default();
        let results = jobs.iter().map(|job| {
            let result = folder.result(job, &mut digests, &context.limits)?;
            (!is_wanted_anew(job, &result, request)).then_some(result)
        });
        let found = results.collect();
        Jobs { jobs, found }
    }

    /// The jobs that put together what parts of repairs have found, as far as these are done.
    fn conclusions(&self, folder: &Folder, request: &CampaignArguments, context: &Context) -> Jobs {
        let groups = groups(&self.jobs).into_iter();
        let jobs =
            groups.filter_map(|group| conclusion(&self.jobs[group.clone()], &self.found[group]));
        Jobs::known(jobs.collect(), folder, request, context)
    }

    fn pending(&self) -> Vec<usize> {
        let indices = 0..self.jobs.len();
        indices
            .filter(|index| self.found[*index].is_none())
            .collect()
    }

    /// Runs those without results; says why not all were run.
    fn run(
        &mut self,
        request: &CampaignArguments,
        folder: &Folder,
        context: &mut Context,
    ) -> Result<Option<Stop>, Failure> {
        let mut pending = self.pending();
        if pending.is_empty() {
            return Ok(None);
        }
        let jobs = &self.jobs;
        // One result serves all jobs with its key.
        let mut keys = std::collections::HashSet::new();
        pending.retain(|index| keys.insert(&jobs[*index].key));
        let processes = request.jobs.map_or_else(processors, |jobs| jobs as usize);
        let (limits, progress) = (context.limits.clone(), &mut context.progress);
        let ran = pool::run(jobs, &pending, processes, folder, &limits, progress)?;
        for (index, result) in ran.results {
            let key = &jobs[index].key;
            let own = (0..jobs.len()).filter(|other| jobs[*other].key == *key);
            for other in own {
                self.found[other] = Some(result.clone());
            }
        }
        Ok(ran.stopped)
    }
}

/// Whether a job is run again although it has a result: since that was asked for, or since the
/// result only says that its process was ended, which may not happen another time.
fn is_wanted_anew(job: &Job, result: &JobResult, request: &CampaignArguments) -> bool {
    let kind = match record(job, Some(result), false).answer {
        JobAnswer::No => Rerun::No,
        JobAnswer::Unknown => Rerun::Unknown,
        JobAnswer::Error => Rerun::Errors,
        _ => Rerun::All,
    };
    let code = frame::JOB_BROKE_DOWN.to_string();
    let diagnostics = result.report["diagnostics"].as_array();
    let mut diagnostics = diagnostics.into_iter().flatten();
    let is_broken = diagnostics.any(|one| one["code"].as_str() == Some(code.as_str()));
    let is_retried = is_broken && !request.merge;
    is_retried || request.rerun.contains(&Rerun::All) || request.rerun.contains(&kind)
}

/// One job, in a process that is watched.
fn one(line: &str, request: &CampaignArguments, context: &mut Context) -> Result<Report, Failure> {
    let (job, folder) = opened(line, request.results.as_deref())?;
    let known = folder.result(&job, &mut Digests::default(), &context.limits);
    let result = match known.filter(|result| !is_wanted_anew(&job, result, request)) {
        Some(result) => result,
        None => match watched(&job, &folder, context.limits.interrupt())? {
            Watched::Done(result) => result,
            Watched::Stopped(stop) => return Err(stop.into()),
        },
    };
    let home = job.home.clone().unwrap_or_default();
    let body = merged(
        &job.name.clone(),
        &home,
        &[job],
        &[Some(result)],
        &Vec::new(),
        !request.no_times,
    );
    Ok(Report::campaign(body))
}

fn lines<'a>(jobs: impl Iterator<Item = &'a Job>) -> String {
    jobs.map(|job| job.line() + "\n").collect()
}

fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// The report of an earlier campaign: its folder, or the JSON.
fn earlier(path: &Path, context: &Context) -> Result<CampaignReport, Failure> {
    let file = match path.is_dir() {
        true => path.join("report.json"),
        false => path.to_path_buf(),
    };
    let text = read_text(&file, &context.limits)?;
    of_report(&text).ok_or_else(|| {
        let message = format!("`{}` is not the report of a campaign", file.display());
        Diagnostic::error(frame::BAD_JOB, message)
            .help("`--compare` takes a results folder, or the `report.json` in it")
            .into()
    })
}

/// The report in all formats.
fn write(
    report: &Report,
    plan: &str,
    no_times: bool,
    folder: &Folder,
    context: &Context,
) -> Result<(), Diagnostic> {
    let command = Some("campaign");
    let none = Sources::new();
    let problem =
        |error: serde_json::Error| Diagnostic::error(frame::INTERNAL_ERROR, error.to_string());
    folder.write(
        "report.json",
        &report.json(command, &none).map_err(problem)?,
    )?;
    let code = report.exit_code(context.settings.expected);
    folder.write(
        "report.sarif",
        &sarif(report, command, code, &none).map_err(problem)?,
    )?;
    let moment = match no_times {
        true => Moment {
            timestamp: timestamp(0),
            seconds: 0.0,
        },
        false => context.moment(),
    };
    folder.write("report.xml", &junit(report, command, &moment))?;
    let typed = ["respin", "campaign", plan].map(str::to_string);
    let page = Page {
        command: "campaign",
        typed: &typed,
        sources: &none,
    };
    folder.write("report.html", &page.html(report))
}
