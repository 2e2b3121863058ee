//! Circuits of Yosys and our own, and the proof by ABC that they behave alike.

use respin::design::aiger::{self, AigerFile};
use respin::design::verilog::syntax::{Direction, ItemKind};
use respin::design::verilog::{self, Elaborated, Options, Project};
use respin::design::{Design, InputKind, Literal, NodeId, Reset};
use respin::source::render::render;
use respin::source::{Diagnostic, Sources};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A design to compare.
pub struct Case {
    /// Also the name of its files.
    pub name: String,
    pub text: String,
    pub top: String,
}

pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("verilog-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the files");
    folder
}

/// A design as we read it.
pub struct Ours {
    pub elaborated: Elaborated,
    /// The inputs that the top module declares.
    pub inputs: Vec<String>,
}

pub fn elaborate_with(text: &str, options: &Options) -> Result<Ours, String> {
    let mut sources = Sources::new();
    let file = sources.add("design.v", text);
    let project = Project {
        files: vec![file],
        ..Project::default()
    };
    let said = |diagnostic: Diagnostic| render(&diagnostic, &sources, false);
    let tree = project.parse(&sources).map_err(said)?;
    let elaborated = verilog::elaborate(&tree, options).map_err(said)?;
    let mut inputs = Vec::new();
    for module in tree
        .modules
        .iter()
        .filter(|one| one.name.text == elaborated.top)
    {
        for item in &module.items {
            if let ItemKind::Declaration(declaration) = &item.kind
                && declaration.direction == Some(Direction::Input)
            {
                inputs.extend(declaration.names.iter().map(|one| one.name.text.clone()));
            }
        }
    }
    Ok(Ours { elaborated, inputs })
}

pub fn elaborate(case: &Case) -> Result<Ours, String> {
    let options = Options {
        top: Some(case.top.clone()),
        ..Options::default()
    };
    elaborate_with(&case.text, &options)
}

/// Runs a program and gives back what it printed; it must end well, and within two minutes.
pub fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new("timeout")
        .args(["120", program])
        .args(arguments)
        .current_dir(folder)
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => panic!("{program} cannot be run ({error}); tests/run installs it"),
    };
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{program} {arguments:?} in {}: {text}\n{errors}",
        folder.display()
    );
    text
}

/// Lets Yosys turn all designs into AIGER files, in one process.
pub fn synthesize(cases: &[Case], folder: &Path) {
    let mut script = String::new();
    for case in cases {
        let (name, top) = (&case.name, &case.top);
        let file = folder.join(format!("{name}.v"));
        std::fs::write(&file, &case.text).expect("a written file");
        script.push_str(&format!(
            "read_verilog -sv {name}.v\nprep -flatten -top {top}\nmemory_map\nasync2sync\n\
             dffunmap\ntechmap\nsetundef -zero -init\nsetundef -zero -undriven\nopt_clean\n\
             aigmap\nwrite_aiger -symbols {name}.yosys.aig\ndesign -reset\n"
        ));
    }
    std::fs::write(folder.join("script.ys"), script).expect("a written script");
    run("yosys", &["-q", "-s", "script.ys"], folder);
}

/// Copies a circuit into another one. Inputs are found by name and place; what is free starts
/// with zero.
fn copy(from: &Design, into: &mut Design, inputs: &HashMap<String, Literal>) -> Vec<Literal> {
    let mut known: HashMap<NodeId, Literal> = HashMap::new();
    known.insert(
        Literal::TRUE.node(),
        Literal::FALSE.complement_if(!Literal::TRUE.is_complemented()),
    );
    let map = |known: &HashMap<NodeId, Literal>, literal: Literal| {
        known[&literal.node()].complement_if(literal.is_complemented())
    };
    for (key, id) in keyed(from, from.inputs()) {
        known.insert(id, inputs.get(&key).copied().unwrap_or(Literal::FALSE));
    }
    let mut latches = Vec::new();
    for id in from.latches() {
        let Some(latch) = from.latch(*id) else {
            continue;
        };
        // ABC wants latches that start with zero.
        let inverted = latch.reset == Reset::One;
        let copy = into.add_latch(Reset::Zero);
        known.insert(*id, copy.literal().complement_if(inverted));
        latches.push((copy, latch.next, inverted));
    }
    for id in from.topological_order().expect("no loops") {
        if let Some((left, right)) = from.gate(id) {
            let (left, right) = (map(&known, left), map(&known, right));
            let gate = into.and(left, right);
            known.insert(id, gate);
        }
    }
    for (copy, next, inverted) in latches {
        into.set_next(copy, map(&known, next).complement_if(inverted));
    }
    from.outputs()
        .iter()
        .map(|output| map(&known, output.literal))
        .collect()
}

/// The word that a bit belongs to, and its place there, lowest first. The index in brackets is
/// left out, since programs count differently in ranges such as `[0:3]`.
fn keys<'n>(names: impl Iterator<Item = Option<&'n str>>) -> Vec<String> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    names
        .map(|name| {
            let name = name.unwrap_or("?");
            let base = name.split('[').next().unwrap_or(name).to_string();
            let place = seen.entry(base.clone()).or_insert(0);
            *place += 1;
            format!("{base}#{place}")
        })
        .collect()
}

fn keyed(design: &Design, nodes: &[NodeId]) -> Vec<(String, NodeId)> {
    let keys = keys(nodes.iter().map(|id| design.name(*id)));
    keys.into_iter().zip(nodes.iter().copied()).collect()
}

/// A circuit whose one output is true if the two differ.
fn miter(ours: &Design, theirs: &Design) -> Result<Design, String> {
    let mut design = Design::new();
    let mut inputs = HashMap::new();
    let named = |design: &Design| -> Vec<String> {
        let keys = keyed(design, design.inputs());
        keys.into_iter().map(|(key, _)| key).collect()
    };
    for key in named(ours).into_iter().chain(named(theirs)) {
        // What nobody knows is zero for Yosys.
        if key.starts_with("unknown$") || key.starts_with('?') {
            continue;
        }
        inputs
            .entry(key)
            .or_insert_with(|| design.add_input(InputKind::Environment).literal());
    }
    let left = copy(ours, &mut design, &inputs);
    let right = copy(theirs, &mut design, &inputs);
    let names =
        |design: &Design| keys(design.outputs().iter().map(|output| output.name.as_deref()));
    let (left_names, right_names) = (names(ours), names(theirs));
    let mut difference = Literal::FALSE;
    let other: HashMap<&String, Literal> = right_names.iter().zip(right).collect();
    for (name, literal) in left_names.iter().zip(left) {
        let Some(twin) = other.get(name) else {
            return Err(format!("Yosys has no output bit {name}"));
        };
        let differs = design.xor(literal, *twin);
        difference = design.or(difference, differs);
    }
    if left_names.len() != right_names.len() {
        return Err(format!(
            "{} output bits, and Yosys has {}",
            left_names.len(),
            right_names.len()
        ));
    }
    design.add_output(Some("difference".to_string()), difference, None);
    Ok(design)
}

/// Compares each design with what [`synthesize`] made of it: for each `None`, or what is
/// wrong.
pub fn prove(cases: &[Case], ours: &[Result<Ours, String>], folder: &Path) -> Vec<Option<String>> {
    let mut answers: Vec<Option<String>> = vec![None; cases.len()];
    let mut script = String::new();
    let mut asked = Vec::new();
    for (index, (case, ours)) in cases.iter().zip(ours).enumerate() {
        let ours = match ours {
            Ok(ours) => ours,
            Err(message) => {
                answers[index] = Some(message.clone());
                continue;
            }
        };
        let bytes = std::fs::read(folder.join(format!("{}.yosys.aig", case.name)));
        let theirs = aiger::read(&bytes.expect("what Yosys wrote"), None).expect("AIGER");
        match miter(&ours.elaborated.design, &theirs.design) {
            Err(message) => answers[index] = Some(message),
            Ok(design) => {
                let mut file = AigerFile::from_design(design, &[]).expect("AIGER");
                file.outputs_are_plain = true;
                let name = format!("{}.miter.aig", case.name);
                let bytes = file.to_binary().expect("AIGER");
                std::fs::write(folder.join(&name), bytes).expect("a written file");
                script.push_str(&format!(
                    "echo case-{index}\nread_aiger {name}\nstrash\nscorr\ndc2\npdr\n"
                ));
                asked.push(index);
            }
        }
    }
    std::fs::write(folder.join("script.abc"), script).expect("a written script");
    let text = run("berkeley-abc", &["-q", "source script.abc"], folder);
    for index in asked {
        let mark = format!("case-{index}\n");
        let answer = text.split(&mark).nth(1).unwrap_or_default();
        let answer = answer.split("case-").next().unwrap_or_default();
        if !answer.contains("Property proved") {
            answers[index] = Some(format!("not equal to Yosys: {}", answer.trim()));
        }
    }
    answers
}
