//! Benchmarks of the decision-diagram kernel.
//!
//! ```text
//! cargo bench --bench kernel                                   every case, in a process of its own
//! cargo bench --bench kernel -- CASE [--no-reordering] [--size N] [--json]
//! ```
//!
//! `benches/compare/run` runs the same cases on CUDD and compares.

mod cases;
#[path = "../support/cpu_time.rs"]
mod cpu_time;
mod diagrams;
mod words;

use cases::{CASES, Case};
use cpu_time::cpu_seconds;
use diagrams::{Diagrams, Function};
use respin::bdd::Bdd;
use serde_json::json;
use std::process::{Command, ExitCode};

struct Request {
    case: Option<String>,
    size: Option<usize>,
    reordering: bool,
    json: bool,
}

fn main() -> ExitCode {
    let request = match read_arguments() {
        Ok(request) => request,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match &request.case {
        None => run_all(),
        Some(name) => match CASES.iter().find(|(case, _, _)| case == name) {
            Some(case) => {
                run(case, &request);
                ExitCode::SUCCESS
            }
            None => {
                eprintln!("no case '{name}'");
                ExitCode::from(2)
            }
        },
    }
}

fn read_arguments() -> Result<Request, String> {
    let mut request = Request {
        case: None,
        size: None,
        reordering: true,
        json: false,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // Cargo passes this to every benchmark.
            "--bench" => {}
            "--no-reordering" => request.reordering = false,
            "--json" => request.json = true,
            "--size" => {
                let size = arguments.next().and_then(|text| text.parse().ok());
                request.size = Some(size.ok_or("--size needs a number")?);
            }
            _ if argument.starts_with('-') => return Err(format!("no option '{argument}'")),
            _ => request.case = Some(argument),
        }
    }
    Ok(request)
}

/// Peak memory belongs to a process, so each case has its own.
fn run_all() -> ExitCode {
    let Ok(program) = std::env::current_exe() else {
        return ExitCode::from(2);
    };
    for (name, _, _) in CASES {
        let finished = Command::new(&program).arg(name).status();
        if !finished.is_ok_and(|status| status.success()) {
            eprintln!("{name} failed");
            return ExitCode::from(1);
        }
    }
    ExitCode::SUCCESS
}

fn run(&(name, usual_size, case): &Case, request: &Request) {
    let size = request.size.unwrap_or(usual_size);
    let baseline = memory("VmRSS:");
    let start = cpu_seconds();
    let d = Diagrams::new(request.reordering);
    let results = case(&d, size);
    let seconds = cpu_seconds() - start;
    let statistics = d.manager.statistics();
    let start = cpu_seconds();
    d.manager.reorder_until_stable().expect("no limit is set");
    let final_sift = cpu_seconds() - start;
    let bytes = memory("VmHWM:") - baseline;
    let variables = d.manager.variable_count();
    let handles: Vec<&Bdd> = results.iter().map(|function| &function.0).collect();
    let nodes = d.manager.shared_size(&handles);
    if !request.json {
        println!(
            "{name:<20} {size:>4}  {seconds:>8.3} s  {:>7.1} MB  {nodes:>7} nodes  {:>3} reorderings {:>8.3} s",
            bytes as f64 / 1e6,
            statistics.reorderings,
            statistics.seconds_reordering,
        );
        return;
    }
    let counts: Vec<f64> = results
        .iter()
        .map(|function| count(function, variables))
        .collect();
    println!(
        "{}",
        json!({
            "case": name,
            "size": size,
            "reordering": request.reordering,
            "seconds": seconds,
            "final_sift_seconds": final_sift,
            "bytes": bytes,
            "nodes": nodes,
            "counts": counts,
            "variables": variables,
            "reorderings": statistics.reorderings,
            "seconds_reordering": statistics.seconds_reordering,
            "swaps": statistics.swaps,
            "collections": statistics.collections,
            "peak_nodes": statistics.peak_nodes,
            "cache_lookups": statistics.cache_lookups,
            "cache_hits": statistics.cache_hits,
        })
    );
}

/// The binary logarithm of the number of satisfying assignments; -1 if there are none.
fn count(function: &Function, variables: usize) -> f64 {
    function.0.count(variables).max(0.5).log2()
}

/// A field of the process's own status, in bytes; 0 where there is none.
fn memory(field: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(field));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok());
    kilobytes.unwrap_or(0) * 1024
}
