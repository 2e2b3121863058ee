//! Whole commands, each in a process of its own.

use super::child::observe;
use super::corpus;
use super::mutate;
use super::{MEMORY_MEGABYTES, MOST_PROCESSOR_SECONDS, MOST_RESIDENT, TIMEOUT_SECONDS};
use respin::load::Format;
use respin::random::Random;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const DESIGN_COMMANDS: [&str; 4] = ["verify", "repair", "verify --reset rst", "instrument"];
const SPEC_COMMANDS: [&str; 11] = [
    "check",
    "explain",
    "synth",
    "synth --to aiger",
    "simulate --steps 5",
    "convert --to properties",
    "convert --to spectra",
    "convert --to tlsf",
    "convert --to slugs",
    "convert --to structured-slugs",
    "convert --to hoa",
];

fn extension(format: Format) -> &'static str {
    match format {
        Format::Verilog => "sv",
        Format::Aiger => "aag",
        Format::YosysJson => "json",
        Format::Properties => "ltl",
        Format::Spectra => "spectra",
        Format::Tlsf => "tlsf",
        Format::Slugs => "slugsin",
        Format::StructuredSlugs => "structuredslugs",
        Format::Hoa => "hoa",
    }
}

pub fn run(seeds: &[u64]) {
    let corpus = corpus::all();
    let folder = format!("fuzz-{}", std::process::id());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut codes: BTreeMap<i32, usize> = BTreeMap::new();
    let (mut slowest, mut largest) = (0.0_f64, 0);
    for &seed in seeds {
        let mut random = Random::new(seed ^ 0x00c0_ffee);
        let format = *random.pick(&Format::ALL);
        let text = mutate::text(&mut random, &corpus, format);
        let name = format!("case.{}", extension(format));
        std::fs::write(folder.join(&name), &text).expect("a file");
        let command = if format.is_design() {
            *random.pick(&DESIGN_COMMANDS)
        } else {
            *random.pick(&SPEC_COMMANDS)
        };
        let names = match format {
            Format::Properties | Format::Hoa => "--ins a --outs b",
            _ => "",
        };
        let line = format!(
            "{command} {name} {names} --timeout {TIMEOUT_SECONDS} --memory {MEMORY_MEGABYTES}M"
        );
        let mut process = Command::new(env!("CARGO_BIN_EXE_respin"));
        process.args(line.split_whitespace()).current_dir(&folder);
        let observed = observe(&mut process, Duration::from_secs(120));
        let text = String::from_utf8_lossy(&text);
        let shown = || format!("seed {seed}: respin {line}\n{observed:#?}\n{text}");
        assert!(matches!(observed.code, Some(0..=3)), "{}", shown());
        assert!(!observed.problems.contains("R0001"), "{}", shown());
        assert!(observed.processor < MOST_PROCESSOR_SECONDS, "{}", shown());
        assert!(observed.resident < MOST_RESIDENT, "{}", shown());
        *codes.entry(observed.code.unwrap_or(-1)).or_default() += 1;
        slowest = slowest.max(observed.processor);
        largest = largest.max(observed.resident);
    }
    println!("commands by exit code: {codes:?}");
    println!(
        "slowest: {slowest:.2} s of processor time; most memory: {} MB",
        largest >> 20
    );
    let _ = std::fs::remove_dir_all(&folder);
}
