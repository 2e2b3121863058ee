//! Readers in this process: text, elaboration, and where that succeeds, printing and reading
//! again.

use super::corpus::{self, Seed};
use super::mutate;
use super::{MEMORY_MEGABYTES, MOST_PROCESSOR_SECONDS, MOST_RESIDENT, TIMEOUT_SECONDS};
use respin::design::Design;
use respin::design::aiger::{self, AigerFile, Form};
use respin::design::verilog::ResetPlay;
use respin::limits::{Limits, resident_bytes};
use respin::load::{self, AnySpec, DesignOptions, Failure, Format, Memory, Purpose, SpecOptions};
use respin::random::Random;
use respin::source::{FileId, Sources};
use respin::spec::{Spec, spectra, tlsf};
use rustix::time::{ClockId, clock_gettime};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// What became of the cases of one format.
#[derive(Debug, Default)]
struct Tally {
    cases: usize,
    read: usize,
    refused: usize,
    stopped: usize,
    slowest: f64,
}

/// What a case gives.
enum Outcome {
    Read,
    Refused,
    Stopped,
}

/// One case, made from its seed alone.
struct Case {
    format: Format,
    text: Vec<u8>,
    /// Chooses options.
    options: u64,
}

impl Case {
    fn new(seed: u64, seeds: &[Seed]) -> Case {
        let mut random = Random::new(seed);
        let format = *random.pick(&Format::ALL);
        let text = mutate::text(&mut random, seeds, format);
        let options = random.word();
        Case {
            format,
            text,
            options,
        }
    }
}

pub fn run(seeds: &[u64]) {
    let corpus = corpus::all();
    std::panic::set_hook(Box::new(|_| {}));
    let current: Arc<Mutex<(u64, Instant)>> = Arc::new(Mutex::new((0, Instant::now())));
    watch(current.clone());
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    let mut most_resident = 0;
    for &seed in seeds {
        *current.lock().expect("a seed") = (seed, Instant::now());
        let case = Case::new(seed, &corpus);
        let before = processor_seconds();
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&case)));
        let seconds = processor_seconds() - before;
        let Ok(outcome) = outcome else {
            report(seed, case);
        };
        let tally = tallies.entry(case.format.description()).or_default();
        tally.cases += 1;
        match outcome {
            Outcome::Read => tally.read += 1,
            Outcome::Refused => tally.refused += 1,
            Outcome::Stopped => tally.stopped += 1,
        }
        tally.slowest = tally.slowest.max(seconds);
        most_resident = most_resident.max(resident_bytes().unwrap_or(0));
        let shown = || String::from_utf8_lossy(&case.text).into_owned();
        assert!(
            seconds < MOST_PROCESSOR_SECONDS,
            "seed {seed}: {seconds} s\n{}",
            shown()
        );
        assert!(
            most_resident < MOST_RESIDENT,
            "seed {seed}: {most_resident} bytes\n{}",
            shown()
        );
    }
    let _ = std::panic::take_hook();
    println!("| format | cases | read | refused | stopped | slowest |\n|---|---|---|---|---|---|");
    for (format, tally) in &tallies {
        println!(
            "| {format} | {} | {} | {} | {} | {:.2} s |",
            tally.cases, tally.read, tally.refused, tally.stopped, tally.slowest
        );
    }
    println!("most memory: {} MB", most_resident >> 20);
}

/// Ends the process if a case does not end, with the seed that shows it.
fn watch(current: Arc<Mutex<(u64, Instant)>>) {
    const PATIENCE: Duration = Duration::from_secs(180);
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let (seed, since) = *current.lock().expect("a seed");
            if since.elapsed() > PATIENCE && since.elapsed() < PATIENCE * 2 {
                eprintln!("seed {seed} does not end");
                std::process::abort();
            }
        }
    });
}

/// Shows a case that panics, made smaller.
fn report(seed: u64, case: Case) -> ! {
    let panics = |text: &[u8]| {
        let case = Case {
            text: text.to_vec(),
            ..case
        };
        catch_unwind(AssertUnwindSafe(|| read(&case))).is_err()
    };
    let small = mutate::shrink(&case.text, panics);
    let smaller = Case {
        text: small.clone(),
        ..case
    };
    let payload = catch_unwind(AssertUnwindSafe(|| read(&smaller))).err();
    let message = payload.and_then(|payload| {
        let text = payload.downcast_ref::<String>().cloned();
        text.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string()))
    });
    let _ = std::panic::take_hook();
    panic!(
        "seed {seed}, {}: {}\n{}",
        case.format.description(),
        message.unwrap_or_default(),
        String::from_utf8_lossy(&small)
    );
}

fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn read(case: &Case) -> Outcome {
    let timeout = Duration::from_secs(TIMEOUT_SECONDS);
    let memory = MEMORY_MEGABYTES << 20;
    let limits = Limits::new(None, Some(memory), Arc::default()).with_processor_time(Some(timeout));
    let mut sources = Sources::within(limits);
    let is_binary = case.format == Format::Aiger && !case.text.starts_with(b"aag");
    let file = if is_binary {
        sources.add_binary("case.aig", case.text.clone())
    } else {
        sources.add("case", String::from_utf8_lossy(&case.text).into_owned())
    };
    let result = if case.format.is_design() {
        design(case, file, &mut sources)
    } else {
        specification(case, file, &mut sources)
    };
    match result {
        Ok(()) => Outcome::Read,
        Err(Failure::Stopped(_)) => Outcome::Stopped,
        Err(Failure::Diagnostics(diagnostics)) => {
            assert!(!diagnostics.is_empty(), "refused without a reason");
            for diagnostic in &diagnostics {
                // Showing it must not fail, either.
                respin::source::render::render(diagnostic, &sources, false);
            }
            Outcome::Refused
        }
    }
}

fn design(case: &Case, file: FileId, sources: &mut Sources) -> Result<(), Failure> {
    let reset = ResetPlay {
        again: false,
        signal: if case.options & 8 == 0 { "rst" } else { "a" }.to_string(),
        value: case.options & 16 == 0,
        cycles: 1 + (case.options >> 8) as u32 % 3,
    };
    let options = DesignOptions {
        purpose: match case.options % 3 {
            0 => Purpose::Verify,
            1 => Purpose::Repair,
            _ => Purpose::Instrument,
        },
        reset: (case.format == Format::Verilog && case.options & 4 == 0).then_some(reset),
        ..DesignOptions::default()
    };
    let subject = load::design(&[file], case.format, &[], &options, sources, &Memory::new())?;
    if subject.design.len() < 20_000 {
        design_again(&subject.design);
    }
    Ok(())
}

/// A design that was read is printed, and what is printed is read.
fn design_again(design: &Design) {
    let text = design.to_string();
    let again = Design::parse(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.to_string(), text, "printed and read again");
    // Circuits that AIGER cannot say are refused.
    if let Ok(file) = AigerFile::from_design(design.clone(), &[])
        && let Ok(bytes) = file.bytes(Form::Ascii)
    {
        let again = aiger::read(&bytes, None).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            again.bytes(Form::Ascii).ok(),
            Some(bytes),
            "written and read again"
        );
    }
}

fn specification(case: &Case, file: FileId, sources: &mut Sources) -> Result<(), Failure> {
    let has_names = matches!(case.format, Format::Properties | Format::Hoa);
    let names = |names: &str| names.split(',').map(str::to_string).collect();
    let options = SpecOptions {
        inputs: if has_names { names("a") } else { Vec::new() },
        outputs: if has_names { names("b") } else { Vec::new() },
        keeps_formulas: case.options & 1 == 0,
        ..SpecOptions::default()
    };
    let spec = load::spec(sources, file, case.format, &options, &Memory::new())?;
    let is_short = |text: &String| text.len() < 200_000;
    match spec {
        AnySpec::Gr1(loaded) => {
            let text = spectra::write(&loaded.spec);
            // Slugs has empty specifications, Spectra does not.
            if is_short(&text) && !loaded.spec.variables.is_empty() {
                let again = sources.add("again", text.clone());
                let read = spectra::parse(sources, again);
                // A limit may be reached by now.
                sources.limits().check()?;
                read.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
            }
        }
        AnySpec::Ltl(loaded) => {
            if let Some(text) = loaded.spec.property_file().filter(is_short) {
                let again = sources.add("again", text.clone());
                let read = Spec::new().read_property_file(sources, again);
                sources.limits().check()?;
                // A specification without requirements is no property file.
                if !loaded.spec.parts.is_empty() {
                    read.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
                }
            }
            let text = tlsf::write(&loaded.spec, &loaded.description, loaded.target);
            if let Some(text) = text.ok().filter(is_short) {
                let again = sources.add("again", text.clone());
                let read = tlsf::parse(sources, again, &[]);
                sources.limits().check()?;
                read.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
            }
        }
    }
    Ok(())
}
