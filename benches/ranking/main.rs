//! Whether the first suggestion is the author's fix: the place of the first correction that
//! shows the same outputs as the fixed design on every run, in the designs of `hdl/` and of
//! the collection's `sva/repair`.
//!
//! ```text
//! cargo bench --bench ranking                 one line for each design, and the shares
//! cargo bench --bench ranking -- --write      the shares also into docs/benchmarks.md
//! cargo bench --bench ranking -- NAME...      designs whose names begin so
//! ```
//!
//! A correction is the author's if its text is, or if the model checker proves within a limit
//! of its own that both show the same outputs. What is not proved counts as another one.

#[path = "../support/cpu_time.rs"]
mod cpu_time;
#[path = "../support/names.rs"]
mod names;

use cpu_time::cpu_seconds;
use names::Wanted;
use respin::bdd::Limits;
use respin::certify::patch::shows_the_same;
use respin::design::verilog::ResetPlay;
use respin::load::{DesignOptions, design_from_texts};
use respin::repair::{Options, Outcome, SuspectFilter, repair};
use respin::subject::Subject;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Of a repair, unless `RESPIN_SECONDS` says otherwise, and of one comparison.
const REPAIR_SECONDS: u64 = 30;
const COMPARISON_SECONDS: u64 = 20;
/// Corrections that are compared.
const MOST_COMPARED: usize = 12;

const PAGE: &str = "docs/benchmarks.md";
const BEGIN: &str = "<!-- ranking begin -->\n";
const END: &str = "<!-- ranking end -->\n";

/// A faulty design, its properties if they stand in a file of their own, and the fix.
struct Case {
    collection: &'static str,
    name: String,
    faulty: PathBuf,
    fixed: PathBuf,
    properties: Option<PathBuf>,
    options: Vec<String>,
}

struct Row {
    collection: &'static str,
    name: String,
    is_repaired: bool,
    /// From 1; none if no correction is the author's.
    place: Option<usize>,
    corrections: usize,
    seconds: f64,
    /// Why there is no repair, or what comes first.
    remark: String,
}

fn main() {
    let wanted = Wanted::of_arguments();
    let mut cases = examples();
    cases.extend(collection());
    let mut rows = Vec::new();
    for case in cases.iter().filter(|case| wanted.has(&case.name)) {
        let row = measure(case);
        let place = match (row.is_repaired, row.place) {
            (false, _) => "-".to_string(),
            (true, None) => "no".to_string(),
            (true, Some(place)) => place.to_string(),
        };
        println!(
            "{:5} {:24} author's fix {place:>3} of {:2}  {:6.2} s  {}",
            row.collection, row.name, row.corrections, row.seconds, row.remark
        );
        rows.push(row);
    }
    let table = table(&rows);
    print!("\n{table}");
    if wanted.write {
        let text = std::fs::read_to_string(PAGE).expect("the page of benchmarks");
        let (before, rest) = text.split_once(BEGIN).expect("where the table begins");
        let (_, after) = rest.split_once(END).expect("where the table ends");
        let text = format!("{before}{BEGIN}{table}{END}{after}");
        std::fs::write(PAGE, text).expect("the page is written");
    }
}

/// The folders of `hdl/`, each as its `expected` says.
fn examples() -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in sorted(Path::new("hdl")) {
        let (faulty, fixed) = (folder.join("faulty.v"), folder.join("fixed.v"));
        let Ok(expected) = std::fs::read_to_string(folder.join("expected")) else {
            continue;
        };
        if !fixed.exists() {
            continue;
        }
        let mut options = Vec::new();
        for (key, value) in expected.lines().filter_map(|line| line.split_once(':')) {
            let words = value.split_whitespace();
            match key {
                "options" => options.extend(words.map(str::to_string)),
                "suspects" => options.extend(
                    words.flat_map(|lines| ["--only".to_string(), format!("faulty.v:{lines}")]),
                ),
                _ => {}
            }
        }
        cases.push(Case {
            collection: "hdl",
            name: name_of(&folder),
            faulty,
            fixed,
            properties: Some(folder.join("properties.ltl")),
            options,
        });
    }
    cases
}

/// The designs with assertions of the collection; none if it is not there.
fn collection() -> Vec<Case> {
    let root = std::env::var("RESPIN_BENCH").unwrap_or("../shared/bench".to_string());
    let folder = Path::new(&root).join("sva").join("repair");
    let Ok(list) = std::fs::read_to_string(folder.join("options.csv")) else {
        eprintln!("{} is absent", folder.display());
        return Vec::new();
    };
    let rows = list.lines().skip(1).filter_map(|row| row.split_once(','));
    rows.map(|(file, options)| {
        let stem = file.trim_end_matches(".sv");
        Case {
            collection: "sva",
            name: stem.to_string(),
            faulty: folder.join(file),
            fixed: folder.join(format!("{stem}.gold.sv")),
            properties: None,
            options: options.split_whitespace().map(str::to_string).collect(),
        }
    })
    .collect()
}

fn measure(case: &Case) -> Row {
    let mut row = Row {
        collection: case.collection,
        name: case.name.clone(),
        is_repaired: false,
        place: None,
        corrections: 0,
        seconds: 0.0,
        remark: String::new(),
    };
    let subject = match read(case, &case.faulty) {
        Ok(subject) => subject,
        Err(error) => {
            row.remark = format!("not read: {error}");
            return row;
        }
    };
    let options = Options {
        suspects: SuspectFilter {
            only: values(&case.options, "--only"),
            ..SuspectFilter::default()
        },
        limits: within(repair_seconds()),
        ..Options::default()
    };
    let start = cpu_seconds();
    let answer = match repair(&subject, &options, &mut |_| {}) {
        Ok(answer) => answer,
        Err(error) => {
            row.remark = format!("no answer: {error}");
            return row;
        }
    };
    row.seconds = cpu_seconds() - start;
    let repairs: Vec<_> = answer.repairs().collect();
    row.corrections = repairs.len();
    row.is_repaired = !repairs.is_empty();
    match (&answer.outcome, repairs.first()) {
        (_, Some(first)) => row.remark = first.patch.changes[0].after.join(" ").trim().to_string(),
        (Outcome::Unknown(reason), None) => row.remark = format!("{reason:?}"),
        (Outcome::NothingToRepair(_), None) => row.remark = "passes as it is".to_string(),
        (_, None) => row.remark = "no repair".to_string(),
    }
    if !row.is_repaired {
        return row;
    }
    let fixed = match read(case, &case.fixed) {
        Ok(fixed) => fixed,
        Err(error) => {
            row.remark = format!("the fixed design is not read: {error}");
            return row;
        }
    };
    let wanted = words(&text_of(&case.fixed));
    let is_fix = |one: &&respin::repair::RankedCorrection| {
        let patched = subject.reread(&one.patch).expect("a certified patch");
        let mut texts = one
            .patch
            .files
            .keys()
            .filter_map(|file| one.patch.text(*file));
        if texts.all(|text| words(text) == wanted) {
            return true;
        }
        let is_same = |limits| shows_the_same(&patched, &fixed, limits);
        is_same(&within(COMPARISON_SECONDS)).unwrap_or(false)
    };
    let place = repairs.iter().take(MOST_COMPARED).position(is_fix);
    row.place = place.map(|place| place + 1);
    row
}

fn read(case: &Case, path: &Path) -> Result<Subject, respin::load::Failure> {
    let design = text_of(path);
    let name = name_of(path);
    let properties = case.properties.as_deref().map(text_of);
    let properties: Vec<(&str, &str)> = properties
        .iter()
        .map(|text| ("properties.ltl", text.as_str()))
        .collect();
    let reset = values(&case.options, "--reset").pop().map(|text| {
        let (signal, value) = text.split_once('=').unwrap_or((&text, "1"));
        ResetPlay {
            again: false,
            signal: signal.to_string(),
            value: value == "1",
            cycles: 1,
        }
    });
    let options = DesignOptions {
        top: values(&case.options, "--top").pop(),
        reset,
        ..DesignOptions::default()
    };
    design_from_texts(&[(&name, &design)], &properties, &options)
}

fn text_of(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file of the collection")
}

/// A text without comments and blanks.
fn words(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines
        .flat_map(|line| line.chars())
        .filter(|symbol| !symbol.is_whitespace())
        .collect()
}

fn repair_seconds() -> u64 {
    let given = std::env::var("RESPIN_SECONDS").ok();
    given
        .and_then(|text| text.parse().ok())
        .unwrap_or(REPAIR_SECONDS)
}

/// How often the author's fix comes first, in the first three, and later.
fn table(rows: &[Row]) -> String {
    let mut text = "| collection | designs | repaired | author's fix first | in the first three | \
                    CPU s |\n|---|--:|--:|--:|--:|--:|\n"
        .to_string();
    for collection in ["hdl", "sva", "all"] {
        let of = || {
            rows.iter()
                .filter(|row| collection == "all" || row.collection == collection)
        };
        let repaired = of().filter(|row| row.is_repaired).count();
        let up_to = |most: usize| {
            let count = of()
                .filter(|row| row.place.is_some_and(|place| place <= most))
                .count();
            format!(
                "{count} ({:.0}%)",
                100.0 * count as f64 / repaired.max(1) as f64
            )
        };
        let seconds: f64 = of().map(|row| row.seconds).sum();
        text += &format!(
            "| {collection} | {} | {repaired} | {} | {} | {seconds:.1} |\n",
            of().count(),
            up_to(1),
            up_to(3)
        );
    }
    text
}

/// The values of an option.
fn values(options: &[String], wanted: &str) -> Vec<String> {
    let pairs = options.windows(2).filter(|pair| pair[0] == wanted);
    pairs.map(|pair| pair[1].clone()).collect()
}

fn within(seconds: u64) -> Limits {
    Limits {
        deadline: Some(Instant::now() + Duration::from_secs(seconds)),
        ..Limits::default()
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str());
    name.unwrap_or_default().to_string()
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    paths.sort();
    paths
}
