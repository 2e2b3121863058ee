//! Verdicts on the collection of LTL specifications: `cargo bench --bench ltl -- [PART]...`
//!
//! Solves each file of the collection, and each template at each row of its table, whose name
//! contains all the given parts; compares with what is known; prints the stage, CPU seconds,
//! the size of the circuit and whether it was certified. `--limit SECONDS` is the processor
//! time for one specification, 20 unless said; `--verbose` shows what is tried.

#[path = "../support/cpu_time.rs"]
mod cpu_time;

use cpu_time::cpu_seconds;
use respin::bdd::Limits;
use respin::certify::RealizabilityCheck;
use respin::source::Sources;
use respin::spec::tlsf;
use respin::synth::ltl::{Answer, Failure, Options, solve};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

struct Case {
    name: String,
    file: PathBuf,
    parameters: Vec<(String, i64)>,
    expected: String,
    reference: Option<f64>,
    ltlsynt: Option<String>,
}

fn main() -> ExitCode {
    let mut limit = 20.0;
    let mut verbose = false;
    let mut parts = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--bench" => {}
            "--verbose" => verbose = true,
            "--limit" => {
                let seconds = arguments.next().and_then(|text| text.parse().ok());
                limit = seconds.unwrap_or(limit);
            }
            part => parts.push(part.to_string()),
        }
    }
    let root = std::env::var("RESPIN_BENCH").unwrap_or_else(|_| "../shared/bench".to_string());
    let root = Path::new(&root).join("tlsf");
    let mut cases = collection(&root);
    cases.extend(templates(&root));
    if cases.is_empty() {
        eprintln!("no specifications in {}: set RESPIN_BENCH", root.display());
        return ExitCode::FAILURE;
    }
    println!("CPU s  stage        ANDs latches  /ref  verdict");
    let mut summary = Summary::default();
    for case in cases {
        if parts.iter().all(|part| case.name.contains(part)) {
            summary.add(&case, limit, verbose);
        }
    }
    summary.print();
    if summary.wrong == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

#[derive(Default)]
struct Summary {
    count: usize,
    answered: usize,
    quick: usize,
    beyond: usize,
    uncertified: usize,
    wrong: usize,
    ratios: Vec<f64>,
}

impl Summary {
    fn add(&mut self, case: &Case, limit: f64, verbose: bool) {
        self.count += 1;
        let start = cpu_seconds();
        let outcome = answer(case, limit, verbose);
        let total = cpu_seconds() - start;
        let name = &case.name;
        let answer = match outcome {
            Ok(answer) => answer,
            Err(reason) => {
                println!("{total:6.2} {reason:45} {name}");
                return;
            }
        };
        let word = if answer.realizable {
            "realizable"
        } else {
            "unrealizable"
        };
        let known = matches!(case.expected.as_str(), "realizable" | "unrealizable");
        let mut note = String::new();
        if known && case.expected != word {
            self.wrong += 1;
            note.push_str(" WRONG");
        }
        match &answer.check {
            RealizabilityCheck::Certified(_) => {}
            RealizabilityCheck::Unknown(error) => {
                self.uncertified += 1;
                note.push_str(&format!(" uncertified ({error})"));
            }
            RealizabilityCheck::NotShown(text) => {
                self.wrong += 1;
                note.push_str(&format!(" FLAWED {text}"));
            }
        }
        self.answered += 1;
        if total <= 20.0 && answer.certified().is_some() {
            self.quick += 1;
            let gave_up = |other: &String| !other.ends_with("REALIZABLE");
            self.beyond += usize::from(case.ltlsynt.as_ref().is_some_and(gave_up));
        }
        let (ands, latches) = (
            answer.circuit.gates().count(),
            answer.circuit.latches().len(),
        );
        let mut ratio = String::new();
        if let (Some(reference), true) = (case.reference, answer.realizable) {
            let own = (ands + latches) as f64 / reference;
            self.ratios.push(own);
            ratio = format!("{own:.2}");
        }
        println!(
            "{total:6.2} {:12} {ands:5} {latches:6} {ratio:>6}  {word:13} {name}{note}",
            answer.stage.to_string()
        );
    }

    fn print(&mut self) {
        println!(
            "{} of {} answered, {} certified within 20 s, {} of these where ltlsynt gave up; \
             {} not certified, {} wrong",
            self.answered, self.count, self.quick, self.beyond, self.uncertified, self.wrong
        );
        self.ratios.sort_by(f64::total_cmp);
        if let Some(median) = self.ratios.get(self.ratios.len() / 2) {
            let count = self.ratios.len();
            println!("median size / reference {median:.2} of {count}");
        }
    }
}

fn answer(case: &Case, limit: f64, verbose: bool) -> Result<Answer, String> {
    let text = std::fs::read_to_string(&case.file).map_err(|error| error.to_string())?;
    let mut sources = Sources::new();
    let file = sources.add(case.file.display().to_string(), text);
    let document = tlsf::parse(&sources, file, &case.parameters)
        .map_err(|errors| format!("not read: {}", errors[0].message))?;
    // Processor time, so that what else the machine does makes no difference.
    let interrupt = Arc::new(AtomicBool::new(false));
    let raised = interrupt.clone();
    let last = cpu_seconds() + limit;
    let watcher = std::thread::spawn(move || {
        while !raised.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
            if cpu_seconds() > last {
                raised.store(true, Ordering::Relaxed);
            }
        }
    });
    let options = Options {
        limits: Limits {
            interrupt: Some(interrupt.clone()),
            ..Limits::default()
        },
        polish: Duration::from_secs(1),
        ..Options::default()
    };
    let start = cpu_seconds();
    let mut watch = |text: &str| {
        if verbose {
            eprintln!("  {:6.2} {text}", cpu_seconds() - start);
        }
    };
    let solved = solve(&document.spec, &options, &mut watch);
    interrupt.store(true, Ordering::Relaxed);
    let _ = watcher.join();
    solved.map_err(|failure| match failure {
        Failure::Limit(error) => format!("gave up: {error}"),
        Failure::GaveUp(reason) => format!("gave up: {reason}"),
        Failure::Diagnostics(errors) => format!("not read: {}", errors[0].message),
    })
}

/// The single files, with what is known of them.
fn collection(root: &Path) -> Vec<Case> {
    let table = std::fs::read_to_string(root.join("expected.csv")).unwrap_or_default();
    let mut cases = Vec::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        if let [file, expected, ltlsynt, ..] = fields.as_slice() {
            cases.push(Case {
                name: file.to_string(),
                file: root.join(file),
                parameters: Vec::new(),
                expected: expected.to_string(),
                reference: None,
                ltlsynt: Some(ltlsynt.to_string()),
            });
        }
    }
    cases
}

/// The templates, at each row of their tables.
fn templates(root: &Path) -> Vec<Case> {
    let folder = root.join("parametric");
    let mut tables: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    tables.retain(|path| path.extension().is_some_and(|extension| extension == "csv"));
    tables.sort();
    let mut cases = Vec::new();
    for table in tables {
        let text = std::fs::read_to_string(&table).unwrap_or_default();
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let mut rows = Vec::new();
        for line in lines {
            let mut parameters = Vec::new();
            let mut expected = String::new();
            let mut reference = None;
            for (column, field) in header.iter().zip(line.split(',')) {
                match *column {
                    "status" => expected = field.to_string(),
                    "refsize" => reference = field.parse().ok().filter(|size| *size > 0.0),
                    name => parameters.push((name.to_string(), field.parse().unwrap_or(0))),
                }
            }
            let values: Vec<String> = parameters
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let stem = table.file_stem().unwrap_or_default().to_string_lossy();
            rows.push(Case {
                name: format!("parametric/{stem} {}", values.join(" ")),
                file: table.with_extension("tlsf"),
                parameters,
                expected,
                reference,
                ltlsynt: None,
            });
        }
        rows.sort_by_key(|case| {
            case.parameters
                .iter()
                .map(|(_, value)| *value)
                .collect::<Vec<_>>()
        });
        cases.extend(rows);
    }
    cases
}
