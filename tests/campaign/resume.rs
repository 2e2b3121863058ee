//! Results that are there are kept; what is no result, or is out of date, is run again.

use super::{check_same, folder, read, respin, stderr, stdout, write};
use std::path::{Path, PathBuf};

const INCLUDED: &str = "assign y = a;\n";

/// Three designs, one of which includes a file; one fails.
fn project(name: &str) -> PathBuf {
    let folder = folder(name);
    for (file, body) in [
        ("one.v", "`include \"body.vh\"\n"),
        ("two.v", "assign y = a;\n"),
        ("three.v", "assign y = !a;\n"),
    ] {
        let text = format!("module m(input a, output y);\n{body}endmodule\n");
        write(&folder.join(file), &text);
    }
    write(&folder.join("body.vh"), INCLUDED);
    write(&folder.join("p.ltl"), "assert same: G (y == a);\n");
    write(
        &folder.join("plan.toml"),
        "[[set]]\ndesigns = [\"*.v\"]\nproperties = [\"p.ltl\"]\n",
    );
    folder
}

fn run(folder: &Path, more: &[&str]) -> String {
    let arguments = [
        &["campaign", "plan.toml", "--no-times", "--jobs", "1"],
        more,
    ]
    .concat();
    let output = respin(folder, &arguments);
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

/// The names of the jobs that would be run.
fn pending(folder: &Path) -> Vec<String> {
    let lines = run(folder, &["--list", "pending"]);
    let name = |line: &str| -> String {
        let job: serde_json::Value = serde_json::from_str(line).expect("a job");
        job["name"].as_str().unwrap_or_default().to_string()
    };
    lines.lines().map(name).collect()
}

/// The result files, with the verdicts in them.
fn results(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("plan.results/results")).expect("results");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

#[test]
fn what_was_done_is_not_done_again() {
    let folder = project("kept");
    assert_eq!(pending(&folder).len(), 3);
    let first = run(&folder, &[]);
    assert!(
        first.starts_with("FAIL\n2 of 3 jobs are as wanted, 1 not\n"),
        "{first}"
    );
    assert!(pending(&folder).is_empty());
    let before: Vec<_> = results(&folder)
        .iter()
        .map(|path| path.metadata().unwrap().modified().unwrap())
        .collect();
    assert_eq!(run(&folder, &[]), first);
    let after: Vec<_> = results(&folder)
        .iter()
        .map(|path| path.metadata().unwrap().modified().unwrap())
        .collect();
    assert_eq!(before, after);
}

#[test]
fn a_file_that_was_cut_short_or_belongs_to_another_job_is_no_result() {
    let folder = project("cut");
    run(&folder, &[]);
    let files = results(&folder);
    let whole = read(&files[0]);
    write(&files[0], &whole[..whole.len() / 2]);
    assert_eq!(pending(&folder).len(), 1);
    write(&files[0], "");
    assert_eq!(pending(&folder).len(), 1);
    write(&files[0], &read(&files[1]));
    assert_eq!(pending(&folder).len(), 1);
    write(&files[0], &whole.replace("PASS", "FAIL"));
    assert!(pending(&folder).len() <= 1);
    write(&files[0], &whole);
    assert!(pending(&folder).is_empty());
    std::fs::remove_file(&files[2]).expect("a file");
    assert_eq!(pending(&folder).len(), 1);
    let text = run(&folder, &[]);
    assert!(text.contains("2 results were there already"), "{text}");
}

#[test]
fn whatever_was_read_counts_and_not_only_what_was_named() {
    let folder = project("included");
    run(&folder, &[]);
    write(&folder.join("body.vh"), "assign y = ~a;\n");
    assert_eq!(pending(&folder), ["verify: one.v"]);
    let text = run(&folder, &[]);
    assert!(
        text.starts_with("FAIL\n1 of 3 jobs are as wanted, 2 not\n"),
        "{text}"
    );
    write(
        &folder.join("two.v"),
        "module m(input a, output y); assign y = a & a; endmodule\n",
    );
    assert_eq!(pending(&folder), ["verify: two.v"]);
}

/// A file that was looked for is there later: each of these makes a job out of date.
#[test]
fn what_was_missing_counts_as_well() {
    let folder = folder("missing");
    let module = |body: &str| format!("module m(input a, output y);\n{body}\nendmodule\n");
    write(&folder.join("include.v"), &module("`include \"later.vh\""));
    let memory = "reg words [0:0]; initial $readmemb(\"later.mem\", words);\n\
                  assign y = a & words[0];";
    write(&folder.join("memory.v"), &module(memory));
    write(&folder.join("list.f"), "later.v\n");
    write(&folder.join("nearer.v"), &module("`include \"both.vh\""));
    for directory in ["near", "far"] {
        std::fs::create_dir(folder.join(directory)).expect("a folder");
    }
    write(&folder.join("far/both.vh"), INCLUDED);
    write(&folder.join("p.ltl"), "assert same: G (y == a);\n");
    let designs = "[\"include.v\", \"memory.v\", \"list.f\", \"nearer.v\"]";
    let options = "[\"-I\", \"near\", \"-I\", \"far\"]";
    let plan =
        format!("[[set]]\ndesigns = {designs}\nproperties = [\"p.ltl\"]\noptions = {options}\n");
    write(&folder.join("plan.toml"), &plan);
    let text = run(&folder, &[]);
    assert!(
        text.contains("1 of 4 jobs are as wanted, 3 in error"),
        "{text}"
    );
    assert!(pending(&folder).is_empty());
    for (file, contents, job) in [
        ("later.vh", INCLUDED, "include.v"),
        ("later.mem", "1\n", "memory.v"),
        ("later.v", &module(INCLUDED), "list.f"),
        ("near/both.vh", INCLUDED, "nearer.v"),
    ] {
        write(&folder.join(file), contents);
        assert_eq!(pending(&folder), [format!("verify: {job}")]);
        run(&folder, &[]);
        assert!(pending(&folder).is_empty());
    }
    let text = run(&folder, &[]);
    assert!(
        text.starts_with("PASS\nall 4 jobs are as wanted\n"),
        "{text}"
    );
}

/// Names in a plan, in its options and in lists are seen from its folder, those on the command
/// line from where it is typed.
#[test]
fn a_campaign_may_start_anywhere() {
    let home = folder("anywhere");
    for directory in ["plans", "plans/inc", "plans/ip", "elsewhere"] {
        std::fs::create_dir(home.join(directory)).expect("a folder");
    }
    let plans = home.join("plans");
    let design = "module m(input a, output y);\n`include \"body.vh\"\nendmodule\n";
    write(&plans.join("one.v"), design);
    write(&plans.join("all.f"), "one.v\n");
    write(&plans.join("inc/body.vh"), "assign y = !a;\n");
    write(&plans.join("p.ltl"), "assert same: G (y == a);\n");
    write(
        &plans.join("ip/own.v"),
        "module m(input a, output y); assign y = !a; endmodule\n",
    );
    let project = "files = [\"own.v\"]\nproperties = [\"../p.ltl\"]\n";
    write(&plans.join("ip/respin.toml"), project);
    write(
        &plans.join("plan.toml"),
        "results = \"out\"\n[[set]]\nname = \"files\"\ndesigns = [\"o*.v\", \"all.f\"]\n\
         properties = [\"{folder}/p.ltl\"]\noptions = [\"-I\", \"inc\"]\n\
         [[set]]\nname = \"project\"\ndesigns = [\"ip/respin.toml\"]\n",
    );
    let start = |place: &str, arguments: &[&str]| {
        let output = respin(
            &home.join(place),
            &[&["campaign", "--no-times"], arguments].concat(),
        );
        assert_eq!(stderr(&output), "");
        stdout(&output)
    };
    let text = start("plans", &["plan.toml"]);
    assert!(text.contains("0 of 3 jobs are as wanted, 3 not"), "{text}");
    assert!(text.contains("files: one.v"), "{text}");
    assert!(text.contains("wrote out/report.html"), "{text}");
    for (place, plan) in [("", "plans/plan.toml"), ("elsewhere", "../plans/plan.toml")] {
        assert_eq!(start(place, &[plan, "--list", "pending"]), "");
        let listed = start(place, &[plan, "--list"]);
        assert_eq!(listed, start("plans", &["plan.toml", "--list"]));
        // Each line is a whole job, wherever it is run.
        let line = listed.lines().next().expect("a job");
        let text = start(place, &["--job", line, "--results", "own"]);
        assert!(text.starts_with("FAIL\n"), "{text}");
    }
    let more = [
        "../plans/plan.toml",
        "--results",
        "own",
        "--compare",
        "../plans/out",
    ];
    let text = start("elsewhere", &more);
    assert!(text.contains("the same answers"), "{text}");
    // Programs that show places see files from where the campaign was started.
    let places = read(&home.join("elsewhere/own/report.sarif"));
    for file in ["p.ltl", "ip/../p.ltl"] {
        let uri = format!("\"uri\": \"../plans/{file}\"");
        assert!(places.contains(&uri), "{places}");
    }
}

#[test]
fn some_results_can_be_wanted_anew() {
    let folder = project("anew");
    run(&folder, &[]);
    for (which, kept) in [("all", 0), ("no", 2), ("unknown", 3), ("errors", 3)] {
        let text = run(&folder, &["--rerun", which, "--list", "pending"]);
        assert_eq!(3 - text.lines().count(), kept, "{which}");
    }
}

#[test]
fn nothing_is_run_to_merge() {
    let folder = project("merge");
    let text = run(&folder, &["--merge"]);
    assert!(
        text.starts_with("UNKNOWN\n0 of 3 jobs are as wanted, 3 not run\n"),
        "{text}"
    );
    assert!(results(&folder).is_empty());
}

#[test]
fn an_earlier_campaign_is_compared_with() {
    let folder = project("compare");
    run(&folder, &["--results", "before"]);
    write(
        &folder.join("two.v"),
        "module m(input a, output y); assign y = 0; endmodule\n",
    );
    write(
        &folder.join("three.v"),
        "module m(input a, output y); assign y = a; endmodule\n",
    );
    let text = run(&folder, &["--results", "after", "--compare", "before"]);
    assert!(
        text.contains("new failure verify: two.v  PASS -> FAIL"),
        "{text}"
    );
    assert!(
        text.contains("fixed       verify: three.v  FAIL -> PASS"),
        "{text}"
    );
    assert!(!text.contains("verify: one.v"), "{text}");
    let output = respin(&folder, &["campaign", "plan.toml", "--compare", "p.ltl"]);
    assert_eq!(output.status.code(), Some(2));
}

/// Ctrl-C in the middle, then the same command again.
#[test]
fn an_interrupted_campaign_goes_on() {
    let folder = project("interrupted");
    for number in 0..12 {
        let name = format!("more{number}.v");
        write(
            &folder.join(name),
            "module m(input a, output y); assign y = a; endmodule\n",
        );
    }
    run(&folder, &["--results", "whole"]);
    let mut child = std::process::Command::new(super::RESPIN)
        .args([
            "campaign",
            "plan.toml",
            "--no-times",
            "--jobs",
            "2",
            "--results",
            "parts",
        ])
        .current_dir(&folder)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("respin runs");
    // Until there is a first result.
    let results = folder.join("parts/results");
    while std::fs::read_dir(&results).map_or(0, |entries| entries.flatten().count()) < 2 {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.is_ok_and(|status| status.success()));
    let status = child.wait().expect("an end");
    assert!(matches!(status.code(), Some(130 | 1)), "{status}");
    run(&folder, &["--results", "parts"]);
    check_same(&folder.join("whole"), &folder.join("parts"));
}
