//! The merged report depends on the plan and on the inputs, and on nothing else.

use super::{RESPIN, check_same, folder, read, respin, root, stderr, stdout, write};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Kinds of components, for jobs with the same design.
const KINDS: [&str; 16] = [
    "rhs",
    "condition",
    "case-item",
    "literal",
    "operator",
    "operand",
    "signal",
    "negation",
    "target",
    "assignment-kind",
    "reset",
    "missing-else",
    "missing-default",
    "missing-reset",
    "missing-statement",
    "placement",
];

/// A plan over `hdl/`: designs with the options that they expect, times kinds of components.
fn plan(folder: &Path, most: usize) -> PathBuf {
    let mut designs: Vec<PathBuf> = std::fs::read_dir(root().join("hdl"))
        .expect("hdl")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("fixed.v").is_file())
        .collect();
    designs.sort();
    let wanted = most.div_ceil(KINDS.len()).max(1);
    let kinds = most.div_ceil(wanted.min(designs.len())).min(KINDS.len());
    let mut text = String::from("pages = false\n[limits]\nwork = 100000\nmemory = \"1G\"\n");
    for design in designs.iter().take(wanted) {
        let expected = read(&design.join("expected"));
        let options = expected
            .lines()
            .find_map(|line| line.strip_prefix("options:"));
        let options: Vec<String> = options
            .unwrap_or_default()
            .split_whitespace()
            .map(|word| format!("{word:?}"))
            .collect();
        let name = design.file_name().expect("a name").to_string_lossy();
        let _ = write!(
            text,
            "[[set]]\nname = {name:?}\ncommand = \"repair\"\ndesigns = [{:?}]\nproperties = [{:?}]\n\
             options = [{}]\nmatrix = {{ components = {:?} }}\n",
            design.join("faulty.v"),
            design.join("properties.ltl"),
            options.join(", "),
            &KINDS[..kinds]
        );
    }
    let path = folder.join("plan.toml");
    write(&path, &text);
    path
}

fn jobs() -> usize {
    let jobs = std::env::var("RESPIN_JOBS").ok();
    jobs.map_or(20, |jobs| jobs.parse().expect("RESPIN_JOBS is a number"))
}

#[test]
fn equal_whoever_runs_the_jobs() {
    let folder = folder("equal");
    plan(&folder, jobs());
    let run = |results: &str, more: &[&str]| {
        let arguments = ["campaign", "plan.toml", "--no-times", "--results", results];
        let output = respin(&folder, &[&arguments, more].concat());
        assert_eq!(stderr(&output), "");
        stdout(&output)
    };
    let first = run("one", &["--jobs", "1"]);
    assert!(first.contains(" jobs are as wanted"), "{first}");
    run("two", &["--jobs", "2"]);
    check_same(&folder.join("one"), &folder.join("two"));
    // A line at a time, the last first, some of them twice, as on other machines.
    let lines = run("lines", &["--list"]);
    let mut lines: Vec<&str> = lines.lines().rev().collect();
    lines.truncate(lines.len().min(40));
    lines.extend(lines[..lines.len() / 3].to_vec());
    for line in lines {
        let output = respin(&folder, &["campaign", "--job", line, "--results", "lines"]);
        assert!(
            matches!(output.status.code(), Some(0 | 1 | 3)),
            "{}",
            stderr(&output)
        );
    }
    run("lines", &[]);
    check_same(&folder.join("one"), &folder.join("lines"));
}

/// Work is no time: where it is over, it is over in every run.
#[test]
fn equal_where_work_is_limited() {
    let folder = folder("work");
    let path = plan(&folder, 4);
    write(&path, &read(&path).replace("work = 100000", "work = 12"));
    for results in ["first", "second"] {
        let arguments = ["campaign", "plan.toml", "--no-times", "--results", results];
        let text = stdout(&respin(&folder, &arguments));
        assert!(text.starts_with("UNKNOWN\n"), "{text}");
        assert!(text.contains("the work limit was reached"), "{text}");
    }
    check_same(&folder.join("first"), &folder.join("second"));
}

/// A campaign with one job that takes long.
fn long_job(name: &str) -> PathBuf {
    let folder = folder(name);
    let design = root().join("hdl/processor");
    let plan = format!(
        "[[set]]\ncommand = \"repair\"\ndesigns = [{:?}]\nproperties = [{:?}]\n\
         options = [\"--reset\", \"rst\"]\n",
        design.join("faulty.v"),
        design.join("properties.ltl")
    );
    write(&folder.join("plan.toml"), &plan);
    folder
}

/// A running campaign, and the process of its job.
fn running(folder: &Path) -> (Child, String) {
    let child = Command::new(RESPIN)
        .args(["campaign", "plan.toml"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("respin runs");
    let job = loop {
        if let Some(job) = child_of(child.id()) {
            break job;
        }
        std::thread::sleep(MOMENT);
    };
    (child, job)
}

fn kill(signal: &str, process: &str) {
    let killed = Command::new("kill").args([signal, process]).status();
    assert!(killed.is_ok_and(|status| status.success()));
}

/// A process that somebody else kills is told of, and its job is run again.
#[test]
fn a_process_that_is_killed_is_an_error_of_its_job() {
    let folder = long_job("killed");
    for (signal, number) in [("-KILL", 9), ("-USR1", 10)] {
        let (child, job) = running(&folder);
        kill(signal, &job);
        let text = stdout(&child.wait_with_output().expect("an end"));
        assert!(text.starts_with("FAIL\n"), "{text}");
        // Of this process, and not of the one before.
        let said = format!("R0024: the process of the job ended by signal {number}");
        assert!(text.contains(&said), "{text}");
        let pending = ["campaign", "plan.toml", "--list", "pending"];
        assert_eq!(stdout(&respin(&folder, &pending)).lines().count(), 1);
        let merged = stdout(&respin(&folder, &["campaign", "plan.toml", "--merge"]));
        assert!(merged.contains(&said), "{merged}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_job_ends_with_its_campaign() {
    let folder = long_job("orphan");
    let (mut child, job) = running(&folder);
    // Until the job is at work, so that it has told the system.
    while ticks(&job) <= 10 {
        assert!(!state(&job).is_empty(), "the job has ended");
        std::thread::sleep(MOMENT);
    }
    child.kill().expect("a campaign that runs");
    child.wait().expect("an end");
    let start = std::time::Instant::now();
    // Whoever inherits it may leave it unburied.
    while !matches!(state(&job).as_str(), "" | "Z" | "X") {
        assert!(start.elapsed().as_secs() < 30, "the job lives on");
        std::thread::sleep(MOMENT);
    }
}

const MOMENT: std::time::Duration = std::time::Duration::from_millis(2);

/// What the system tells of a process behind its name, which stands in parentheses and may have
/// spaces.
fn fields(process: &str) -> Vec<String> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let rest = stat.rsplit(')').next().unwrap_or_default();
    rest.split_whitespace().map(str::to_string).collect()
}

/// A letter for what a process does; nothing if there is none.
fn state(process: &str) -> String {
    fields(process).first().cloned().unwrap_or_default()
}

/// The processor time of a process.
fn ticks(process: &str) -> u64 {
    let fields = fields(process);
    fields
        .get(11)
        .map_or(0, |ticks| ticks.parse().expect("a number"))
}

/// The first process that another one has started.
fn child_of(parent: u32) -> Option<String> {
    let entries = std::fs::read_dir("/proc").expect("processes");
    entries.flatten().find_map(|entry| {
        let process = entry.file_name().to_string_lossy().into_owned();
        let is_child = fields(&process).get(1) == Some(&parent.to_string());
        is_child.then_some(process)
    })
}

#[test]
fn the_page_links_to_results_that_are_there() {
    let folder = folder("page");
    let path = plan(&folder, 3);
    write(&path, &read(&path).replace("pages = false", "pages = true"));
    respin(&folder, &["campaign", "plan.toml"]);
    let results = folder.join("plan.results");
    let page = read(&results.join("report.html"));
    let links: Vec<&str> = page
        .split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .collect();
    let links: Vec<&&str> = links
        .iter()
        .filter(|link| link.ends_with(".html") || link.ends_with(".json"))
        .collect();
    assert!(links.len() >= 6, "{links:?}");
    for link in links {
        assert!(results.join(link).is_file(), "{link}");
    }
}
