//! One repair as jobs on this machine (`repair --split`): each looks at a part of the places in a
//! process of its own. What they find is where this process has to look.

use super::folder::Folder;
use super::planned::{Digests, named};
use super::pool;
use crate::campaign::Job;
use crate::campaign::job::FORM;
use crate::campaign::split::{conclusion, without_correction};
use crate::cli::arguments::Arguments;
use crate::cli::context::{Context, Failure};
use crate::cli::usage;
use crate::cli::values::{self, InputPath};
use crate::limits::Stop;
use crate::repair::Share;
use crate::report::Verdict;
use crate::source::Diagnostic;
use crate::source::codes::frame;
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::path::Path;
use std::thread::available_parallelism;

/// Options that are for this process: where results go, how they are shown, and how many parts
/// there are.
const OWN: [&str; 14] = [
    "split", "write", "output", "force", "html", "vcd", "workdir", "format", "color", "expect",
    "quiet", "verbose", "pick", "part",
];

/// What parts have found.
pub struct Shared {
    /// How many there were.
    pub parts: usize,
    /// The places where there are corrections; none if no part has one.
    pub share: Share,
    /// What follows from parts of which none has a correction, and why.
    pub without: Option<(Verdict, String)>,
}

/// Runs the parts of the repair that was typed. Results are left in a folder, or in one that is
/// gone afterwards.
pub fn shared(
    parts: usize,
    workdir: Option<&Path>,
    context: &mut Context,
) -> Result<Shared, Failure> {
    let scratch;
    let path = match workdir {
        Some(workdir) => workdir.join("parts"),
        None => {
            scratch = tempfile::Builder::new().prefix("respin-split-").tempdir();
            let scratch = scratch.as_ref().map_err(|error| {
                let message = format!("a folder for the parts cannot be made: {error}");
                Diagnostic::error(frame::OUTPUT_UNWRITABLE, message)
                    .help("`--workdir DIR` names another place")
            })?;
            scratch.path().join("parts")
        }
    };
    let folder = Folder::create(&path)?;
    let jobs = jobs(parts, context)?;
    let pending: Vec<usize> = (0..jobs.len()).collect();
    let processes = available_parallelism().map_or(1, usize::from);
    let (limits, progress) = (context.limits.clone(), &mut context.progress);
    let ran = pool::run(&jobs, &pending, processes, &folder, &limits, progress)?;
    if let Some(stop) = ran.stopped {
        return Err(stop.into());
    }
    let mut results = vec![None; jobs.len()];
    for (index, result) in ran.results {
        results[index] = Some(result);
    }
    if results.iter().any(Option::is_none) {
        return Err(Stop::Interrupted.into());
    }
    let last = conclusion(&jobs, &results);
    let share = last.as_ref().and_then(|job| job.arguments.last());
    let share = share.and_then(|text| values::share(text).ok());
    let none = Share {
        parts: std::collections::BTreeSet::new(),
        of: 1,
    };
    Ok(Shared {
        parts,
        without: match share {
            Some(_) => None,
            None => without_correction(&jobs, &results),
        },
        share: share.unwrap_or(none),
    })
}

/// A job for each part.
fn jobs(parts: usize, context: &Context) -> Result<Vec<Job>, Failure> {
    let arguments = typed(&context.words);
    let words = std::iter::once("respin".to_string()).chain(arguments.iter().cloned());
    let words: Vec<OsString> = words.map(OsString::from).collect();
    let parsed = usage::parse(&words).and_then(|found| Arguments::from_arg_matches(&found));
    let parsed = parsed.map_err(|error| usage::diagnostic(&error))?;
    let mut inputs = Vec::new();
    let mut digests = Digests::default();
    for path in named(&parsed) {
        let InputPath::File(path) = path else {
            let message = "the parts of a repair cannot read standard input";
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("give the name of a file, or leave out `--split`")
                .into());
        };
        // A project file may stand in a folder above.
        if path.exists() {
            inputs.push(digests.of(&path, None, &context.limits)?);
        }
    }
    let name = "repair".to_string();
    let job = |part: usize| {
        let mut arguments = arguments.clone();
        arguments.extend(["--part".to_string(), format!("{part}/{parts}")]);
        let job = Job {
            form: FORM,
            key: String::new(),
            name: format!("part {part} of {parts}"),
            set: name.clone(),
            whole: Some(name.clone()),
            home: None,
            directory: None,
            arguments,
            inputs: inputs.clone(),
            expected: None,
            page: false,
        };
        job.keyed()
    };
    Ok((1..=parts).map(job).collect())
}

/// The command line that was typed, without what is for this process; the command comes first.
fn typed(words: &[String]) -> Vec<String> {
    let mut whole = Arguments::command();
    whole.build();
    let command = whole.find_subcommand("repair").unwrap_or(&whole);
    let mut kept = vec!["repair".to_string()];
    let mut is_named = false;
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word.clone());
            kept.extend(words.cloned());
            break;
        }
        let option = command.get_arguments().find(|option| {
            let long = word.strip_prefix("--").map(|rest| rest.split('=').next());
            let short = word.strip_prefix('-').and_then(|rest| rest.chars().next());
            match long {
                Some(name) => option.get_long() == name,
                None => word.len() > 1 && short.is_some() && option.get_short() == short,
            }
        });
        let Some(option) = option else {
            // The first word that belongs to no option is the command itself.
            if is_named || word.starts_with('-') || word != "repair" {
                kept.push(word.clone());
            }
            is_named |= word == "repair";
            continue;
        };
        let has_value = match word.starts_with("--") {
            true => word.contains('='),
            false => word.len() > 2,
        };
        let value = match option.get_action().takes_values() && !has_value {
            true => words.next(),
            false => None,
        };
        if !OWN.contains(&option.get_id().as_str()) {
            kept.push(word.clone());
            kept.extend(value.cloned());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let words: Vec<String> = line.split(' ').map(str::to_string).collect();
        assert_eq!(typed(&words).join(" "), expected);
    }

    #[test]
    fn what_is_for_this_process_is_left_out() {
        check(
            "respin repair a.v --spec p.ltl --split 4 --write --format=json -I inc",
            "repair a.v --spec p.ltl -I inc",
        );
        check(
            "respin --color never repair --html x.html a.v -o out.v --reset rst=0",
            "repair a.v --reset rst=0",
        );
        check(
            "respin -q --timeout 9 repair a.v -oout.v",
            "repair --timeout 9 a.v",
        );
    }

    #[test]
    fn values_and_files_that_look_like_options_are_kept() {
        check(
            "respin repair --keep --write a.v",
            "repair --keep --write a.v",
        );
        check("respin repair repair --split=2", "repair repair");
        check("respin repair --split 2 -- --write", "repair -- --write");
    }
}
