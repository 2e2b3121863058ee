//! Controllers for the realizable GR(1) specifications of the collection:
//! `cargo bench --bench controllers -- [PART]...`
//!
//! Makes a controller for each file whose path contains all the given parts, writes it as
//! Verilog, reads that again and model-checks it; prints CPU seconds for solving, making,
//! writing and reading, and certifying, and the size. `--limit SECONDS` is the time for one
//! file, 300 unless said.

#[path = "../support/cpu_time.rs"]
mod cpu_time;
#[path = "../support/specifications.rs"]
mod specifications;

use cpu_time::cpu_seconds;
use respin::bdd::Limits;
use respin::certify::Check;
use respin::game::gr1::{Gr1Game, Selection};
use respin::source::Sources;
use respin::spec::spectra;
use respin::synth::controller::controller;
use respin::synth::written::{Form, Written};
use specifications::Specifications;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn main() -> ExitCode {
    let specifications = Specifications::of_arguments(300.0);
    let (root, limit) = (&specifications.root, specifications.limit);
    let mut files = Vec::new();
    for folder in ["syntech15", "vmcai08/realizable"] {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten();
        let paths = entries.flatten().map(|entry| entry.path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|found| found == "spectra")));
    }
    if files.is_empty() {
        eprintln!("no specifications in {}: set RESPIN_BENCH", root.display());
        return ExitCode::FAILURE;
    }
    println!("  solve    make   write certify   gates  bits  file");
    let (mut certified, mut count) = (0, 0);
    for (file, name) in specifications.wanted(files) {
        count += 1;
        let mut times = Vec::new();
        let outcome = make(&file, limit, &mut times);
        let times: Vec<String> = times.iter().map(|time| format!("{time:7.2}")).collect();
        let times = times.join(" ");
        match outcome {
            Ok((gates, bits)) => {
                certified += 1;
                println!("{times} {gates:7} {bits:5}  {name}");
            }
            Err(error) => println!("{times} {error}  {name}"),
        }
    }
    println!("{certified} of {count} controllers certified");
    match certified == count {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn make(file: &PathBuf, limit: f64, times: &mut Vec<f64>) -> Result<(usize, usize), String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut sources = Sources::new();
    let id = sources.add(file.display().to_string(), text);
    let spec = spectra::parse(&sources, id).map_err(|errors| format!("{errors:?}"))?;
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_secs_f64(limit)),
        ..Limits::default()
    };
    let mut last = cpu_seconds();
    let mut lap = |times: &mut Vec<f64>| {
        let now = cpu_seconds();
        times.push(now - last);
        last = now;
    };
    let failed = |error: respin::bdd::Error| error.to_string();
    let game = Gr1Game::new(&spec, limits.clone()).map_err(failed)?;
    let rules = game.rules(&Selection::everything(&spec)).map_err(failed)?;
    let solution = rules.solve().map_err(failed)?;
    lap(times);
    if !solution.realizable {
        return Err("unrealizable".to_string());
    }
    let circuit = controller(&rules, &solution, &limits, true).map_err(failed)?;
    lap(times);
    let size = (circuit.gates(), circuit.registers());
    let written = Written::new(circuit, Form::Verilog).map_err(|error| error.message)?;
    lap(times);
    let check = written.certify_gr1(&spec, &limits);
    let check = check.map_err(|error| format!("{error:?}"))?;
    lap(times);
    match check {
        Check::Certified(_) => Ok(size),
        Check::NotShown(part) => Err(format!("it breaks {part}")),
        Check::Unknown(error) => Err(error.to_string()),
    }
}
