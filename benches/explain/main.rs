//! Explanations on the collection of GR(1) specifications, beside the papers' figures:
//! `cargo bench --bench explain -- sttt13|vmcai08|separation [PART]... [--limit SECONDS] [--write]`
//!
//! `sttt13` is Table 1 of [KHB11] (and the checks per core of its conference version),
//! `vmcai08` is Table 1 of [CRST08], `separation` is Sec. 7.2 of [MR16] on `syntech15`. Each
//! row has `--limit` CPU seconds, 60 unless said, or 600 for the largest; what is not ready by
//! then is a `?`. With `--write` each row goes into docs/benchmarks.md as soon as it is known;
//! rows of other specifications stay. The counts of `separation` are written for all files only.

#[path = "../support/cpu_time.rs"]
mod cpu_time;
mod separation;
mod sttt13;
mod support;
mod vmcai08;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut limit = None;
    let mut write = false;
    let mut words = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--write" => write = true,
            "--limit" => {
                limit = arguments.next().and_then(|text| text.parse().ok());
            }
            word => words.push(word.to_string()),
        }
    }
    let table = if words.is_empty() {
        String::new()
    } else {
        words.remove(0)
    };
    let run = match table.as_str() {
        "sttt13" => sttt13::run,
        "vmcai08" => vmcai08::run,
        "separation" => separation::run,
        _ => {
            eprintln!("name a table: sttt13, vmcai08 or separation");
            return ExitCode::FAILURE;
        }
    };
    let all = support::files(match table.as_str() {
        "separation" => "syntech15",
        other => other,
    });
    let files: Vec<_> = all
        .iter()
        .filter(|file| {
            let name = file.display().to_string();
            words.iter().all(|word| name.contains(word))
        })
        .cloned()
        .collect();
    if files.is_empty() {
        eprintln!("no such specifications: set RESPIN_BENCH");
        return ExitCode::FAILURE;
    }
    if write && table == "separation" && !words.is_empty() {
        eprintln!("the counts of `separation` are those of all files: --write takes no parts");
        return ExitCode::FAILURE;
    }
    let start = cpu_time::cpu_seconds();
    let mut page = support::Page::new(&table, write, &all);
    run(&files, limit, &mut page);
    println!("{:.0} CPU seconds in all", cpu_time::cpu_seconds() - start);
    ExitCode::SUCCESS
}
