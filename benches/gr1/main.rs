//! Verdicts on the collection of GR(1) specifications: `cargo bench --bench gr1 -- [PART]...`
//!
//! Answers each file whose path contains all the given parts, compares the verdict with the
//! folder it is in, and prints the CPU seconds for reading, encoding, solving and certifying.
//! `--limit SECONDS` is the time for one file, 600 unless said.

#[path = "../support/cpu_time.rs"]
mod cpu_time;
#[path = "../support/specifications.rs"]
mod specifications;

use cpu_time::cpu_seconds;
use respin::bdd::Limits;
use respin::game::gr1::{Gr1Game, Selection};
use respin::source::Sources;
use respin::spec::spectra;
use respin::synth::gr1;
use specifications::Specifications;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let specifications = Specifications::of_arguments(600.0);
    let (root, limit) = (&specifications.root, specifications.limit);
    let mut files = Vec::new();
    collect(root, &mut files);
    if files.is_empty() {
        eprintln!("no specifications in {}: set RESPIN_BENCH", root.display());
        return ExitCode::FAILURE;
    }
    println!("  read  encode   solve certify  verdict       file");
    let (mut right, mut quick, mut count) = (0, 0, 0);
    for (file, name) in specifications.wanted(files) {
        count += 1;
        let start = cpu_seconds();
        let outcome = answer(&file, limit);
        let total = cpu_seconds() - start;
        let expected = name.contains("/realizable/")
            || name.starts_with("syntech15") && !name.contains("/unrealizable/");
        let (times, verdict) = match outcome {
            Ok((times, realizable)) if realizable == expected => {
                right += 1;
                quick += usize::from(total <= 20.0);
                let word = if realizable {
                    "REALIZABLE"
                } else {
                    "UNREALIZABLE"
                };
                (times, word.to_string())
            }
            Ok((times, _)) => (times, "WRONG".to_string()),
            Err((times, error)) => (times, error),
        };
        let times: Vec<String> = times.iter().map(|time| format!("{time:7.2}")).collect();
        println!("{} {verdict:13} {name}", times.join(" "));
    }
    println!("{right} of {count} as expected, {quick} within 20 s");
    if right == count {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "spectra")
        {
            files.push(path);
        }
    }
}

type Times = [f64; 4];

fn answer(file: &Path, limit: f64) -> Result<(Times, bool), (Times, String)> {
    let mut times = [0.0; 4];
    let mut last = cpu_seconds();
    let mut lap = |times: &mut Times, place: usize| {
        let now = cpu_seconds();
        times[place] = now - last;
        last = now;
    };
    let text = std::fs::read_to_string(file).map_err(|error| (times, error.to_string()))?;
    let mut sources = Sources::new();
    let id = sources.add(file.display().to_string(), text);
    let spec = spectra::parse(&sources, id).map_err(|errors| {
        let first = errors.first().map(|error| error.message.clone());
        (times, first.unwrap_or_default())
    })?;
    lap(&mut times, 0);
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_secs_f64(limit)),
        ..Limits::default()
    };
    let failed = |times: Times| move |error: respin::bdd::Error| (times, error.to_string());
    let game = Gr1Game::new(&spec, limits).map_err(failed(times))?;
    lap(&mut times, 1);
    let rules = game
        .rules_of_plays(&Selection::everything(&spec))
        .map_err(failed(times))?;
    let solution = rules.solve();
    lap(&mut times, 2);
    let solution = solution.map_err(failed(times))?;
    let certified = gr1::certified(&game, &rules, &solution);
    lap(&mut times, 3);
    match certified.map_err(failed(times))? {
        Ok(verdict) => Ok((times, verdict.is_realizable())),
        Err(flaw) => Err((times, flaw.0)),
    }
}
