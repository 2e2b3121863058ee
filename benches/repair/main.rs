//! What repair costs beside model checking [JSGB11, Sec. 7]: processor time of the search for
//! corrections, without their certification, over that of checking the repaired design.
//!
//! ```text
//! cargo bench --bench repair                  the table
//! cargo bench --bench repair -- --write       also into docs/benchmarks.md
//! cargo bench --bench repair -- NAME...       circuits whose names begin so
//! ```

mod circuits;
#[path = "../support/cpu_time.rs"]
mod cpu_time;
#[path = "../support/names.rs"]
mod names;

use circuits::Circuit;
use cpu_time::cpu_seconds;
use names::Wanted;
use respin::bdd::Limits;
use respin::certify::{self, AssumptionStatus, Experience, Judgement};
use respin::design::aiger::{AigerFile, AigerFrontEnd};
use respin::design::{ComponentKind, Literal, Node, Patch};
use respin::repair::GameOptions;
use respin::repair::games::by_games;
use respin::repair::replay::failing_runs;
use respin::source::Sources;
use respin::subject::Subject;
use std::fmt::Write;
use std::path::Path;
use std::rc::Rc;

/// Checks that take less tell nothing.
const LEAST_SECONDS: f64 = 0.2;

struct Row {
    name: String,
    latches: usize,
    gates: usize,
    suspects: usize,
    corrected: usize,
    repair_seconds: f64,
    verify_seconds: f64,
}

fn main() {
    let wanted = Wanted::of_arguments();
    let worker = || {
        let mut rows = Vec::new();
        for circuit in circuits::all()
            .iter()
            .filter(|circuit| wanted.has(&circuit.name))
        {
            let row = measure(circuit);
            eprintln!("{}", line(&row));
            rows.push(row);
        }
        table(&rows)
    };
    // Deep diagrams need a deep stack.
    let text = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(512 << 20);
        let handle = thread.spawn_scoped(scope, worker).expect("a thread");
        handle.join().expect("the benchmark ends")
    });
    println!("{text}");
    if wanted.write {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/benchmarks.md");
        let page = std::fs::read_to_string(&path).expect("the page is there");
        std::fs::write(&path, replaced(&page, &text)).expect("the page is written");
    }
}

/// An inverter at an operand of a gate, the first one in a fixed order that simulation
/// notices.
fn broken(circuit: &Circuit) -> AigerFile {
    let netlist = circuit.file.netlist();
    let gates: Vec<_> = netlist
        .components()
        .iter()
        .zip(netlist.component_ids())
        .filter(|(component, _)| component.kind == ComponentKind::Gate)
        .collect();
    let real: Vec<_> = circuit
        .file
        .design
        .gates()
        .filter(|id| !netlist.design().is_hidden(*id))
        .collect();
    assert!(!gates.is_empty());
    for step in 0..real.len() {
        let id = real[(step * 7919 + real.len() / 3) % real.len()];
        let mut file = circuit.file.clone();
        let Some((left, right)) = file.design.gate(id) else {
            continue;
        };
        if right == Literal::TRUE {
            continue;
        }
        file.design.replace(id, Node::And(left, !right));
        let spec = circuit.spec(&file);
        let runs = failing_runs(&file.design, &spec);
        if runs.is_ok_and(|runs| !runs.is_empty()) {
            return file;
        }
    }
    panic!("{}: no gate matters", circuit.name);
}

fn measure(circuit: &Circuit) -> Row {
    let file = broken(circuit);
    let netlist = file.netlist();
    let suspects: Vec<_> = netlist
        .component_ids()
        .zip(netlist.components())
        .filter(|(_, component)| component.kind == ComponentKind::Gate)
        .map(|(id, _)| id)
        .collect();
    let count = suspects.len();
    let subject = subject(circuit, &file);
    let start = cpu_seconds();
    let (_, corrections) = by_games(&subject, &GameOptions::new(suspects)).expect("no limits");
    let whole = cpu_seconds() - start;
    let best = corrections
        .first()
        .expect("the broken gate can be repaired");
    // Certifying is part of the search, and is timed by doing it once more.
    let start = cpu_seconds();
    for one in &corrections {
        assert!(is_proved(&subject, &one.patch));
    }
    let certifying = cpu_seconds() - start;
    let start = cpu_seconds();
    assert!(is_proved(&subject, &best.patch));
    let verify_seconds = cpu_seconds() - start;
    Row {
        name: circuit.name.clone(),
        latches: file.design.latches().len(),
        gates: file.design.gates().count(),
        suspects: count,
        corrected: corrections.len(),
        repair_seconds: whole - certifying,
        verify_seconds,
    }
}

fn subject(circuit: &Circuit, file: &AigerFile) -> Subject {
    let mut sources = Sources::new();
    let bytes = file.to_bytes().expect("it can be written");
    let design = sources.add_binary("circuit", bytes);
    let properties = circuit.properties.iter();
    let properties: Vec<_> = properties
        .map(|text| sources.add("properties", text.clone()))
        .collect();
    let front_end = AigerFrontEnd::of_file(file.clone(), design, false);
    Subject::new(Rc::new(front_end), &properties, sources).expect("well-formed")
}

/// Checks a patched file as it is written.
fn is_proved(subject: &Subject, patch: &Patch) -> bool {
    let nothing = AssumptionStatus::NothingAssumed;
    let (experience, limits) = (Experience::default(), Limits::default());
    let judgement = certify::patch::patch(subject, patch.clone(), &nothing, &experience, &limits);
    !matches!(
        judgement.expect("no defect"),
        Judgement::Refuted(_) | Judgement::Unreadable(_) | Judgement::Unknown(_)
    )
}

fn line(row: &Row) -> String {
    format!(
        "| {} | {} | {} | {} | {} | {:.2} | {:.2} | {:.2} |",
        row.name,
        row.latches,
        row.gates,
        row.suspects,
        row.corrected,
        row.repair_seconds,
        row.verify_seconds,
        row.repair_seconds / row.verify_seconds
    )
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| circuit | latches | gates | suspects | corrections | repair s | verify s | ratio |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in rows {
        let _ = writeln!(text, "{}", line(row));
    }
    let telling = rows
        .iter()
        .filter(|row| row.verify_seconds >= LEAST_SECONDS);
    let mut ratios: Vec<f64> = telling
        .map(|row| row.repair_seconds / row.verify_seconds)
        .collect();
    ratios.sort_by(f64::total_cmp);
    let _ = match ratios.len() {
        0 => writeln!(text, "\nNo check took {LEAST_SECONDS} s."),
        count => writeln!(
            text,
            "\nMedian ratio {:.2} over the {count} circuits whose check takes at least \
             {LEAST_SECONDS} s; least {:.2}, worst {:.2}.",
            ratios[count / 2],
            ratios[0],
            ratios[count - 1]
        ),
    };
    text
}

fn replaced(page: &str, table: &str) -> String {
    const BEGIN: &str = "<!-- repair begin -->\n";
    const END: &str = "<!-- repair end -->";
    let start = page
        .find(BEGIN)
        .expect("the page has a place for the table")
        + BEGIN.len();
    let end = page.find(END).expect("the place has an end");
    format!("{}{table}{}", &page[..start], &page[end..])
}
