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
#[derive(Clone)]
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
    /// The clock and whether its rising edge counts.
    pub clock: Option<(String, bool)>,
    /// All modules of the file.
    pub modules: Vec<String>,
}

pub fn elaborate_with(text: &str, options: &Options) -> Result<Ours, String> {
    let mut sources = Sources::new();
    let file = sources.add("design.v", text);
    let project = Project {
        files: vec![file],
        ..Project::default()
    };
    elaborate_project(&project, &sources, options)
}

/// The same for a file, with what it includes and reads.
pub fn elaborate_file(path: &Path, options: &Options) -> Result<Ours, String> {
    let mut sources = Sources::new();
    let mut add = |path: &Path| {
        let text = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).to_string();
        let name = path.display().to_string();
        let file = sources.add(name, text);
        let data = match verilog::computes_data_names(&sources, file) {
            true => verilog::strings(&sources, file),
            false => verilog::data_names(&sources, file),
        };
        let named = (verilog::included_names(&sources, file), data);
        (file, named)
    };
    let mut pending = vec![add(path)];
    let mut project = Project {
        files: vec![pending[0].0],
        ..Project::default()
    };
    while let Some((file, (includes, data))) = pending.pop() {
        let all = includes.into_iter().map(|name| (name, false));
        for (name, is_data) in all.chain(data.into_iter().map(|name| (name, true))) {
            let beside = path.with_file_name(&name);
            if !beside.is_file() || project.includes.len() > 16 {
                continue;
            }
            let (found, named) = add(&beside);
            if is_data {
                project.data.insert((file, name), found);
            } else {
                project.includes.insert((file, name), found);
                pending.push((found, named));
            }
        }
    }
    elaborate_project(&project, &sources, options)
}

fn elaborate_project(
    project: &Project,
    sources: &Sources,
    options: &Options,
) -> Result<Ours, String> {
    let said = |diagnostic: Diagnostic| render(&diagnostic, sources, false);
    let tree = project.parse(sources).map_err(said)?;
    let elaborated = verilog::elaborate(&tree, options).map_err(said)?;
    let mut inputs = Vec::new();
    let mut edges = Vec::new();
    let top = tree
        .modules
        .iter()
        .find(|one| one.name.text == elaborated.top);
    for item in top.into_iter().flat_map(|module| &module.items) {
        if let ItemKind::Declaration(declaration) = &item.kind
            && declaration.direction == Some(Direction::Input)
        {
            inputs.extend(declaration.names.iter().map(|one| one.name.text.clone()));
        }
    }
    for item in tree.modules.iter().flat_map(|module| &module.items) {
        if let ItemKind::Always(always) = &item.kind {
            edges.extend(
                always
                    .edges
                    .iter()
                    .map(|edge| (edge.signal.to_string(), edge.rising)),
            );
        }
    }
    // The clock is the only input of the module that is none of the netlist.
    let design = &elaborated.design;
    let names: Vec<&str> = design
        .inputs()
        .iter()
        .filter_map(|id| design.name(*id))
        .collect();
    let is_clock = |name: &&String| !names.iter().any(|other| split(other).0 == *name);
    let clock = inputs.iter().find(is_clock).map(|clock| {
        let edge = edges.iter().find(|(name, _)| name == clock);
        (clock.clone(), edge.is_none_or(|(_, rising)| *rising))
    });
    let modules = tree.modules.iter().map(|one| one.name.text.clone());
    let modules = modules.collect();
    Ok(Ours {
        elaborated,
        inputs,
        clock,
        modules,
    })
}

pub fn elaborate(case: &Case) -> Result<Ours, String> {
    let options = Options {
        top: Some(case.top.clone()),
        ..Options::default()
    };
    elaborate_with(&case.text, &options)
}

/// Gives the modules names that no other design of the same bench has.
pub fn rename_modules(case: &mut Case, ours: &Ours, number: usize) {
    for module in ours.modules.iter().filter(|module| !module.is_empty()) {
        let renamed = format!("{module}_{number}");
        case.text = replace_word(&case.text, module, &renamed);
    }
    case.top = format!("{}_{number}", ours.elaborated.top);
}

fn replace_word(text: &str, word: &str, with: &str) -> String {
    let is_part = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
    let mut output = String::new();
    let mut rest = text;
    while let Some(place) = rest.find(word) {
        let (before, behind) = (&rest[..place], &rest[place + word.len()..]);
        let whole = !before.ends_with(is_part) && !behind.starts_with(is_part);
        output.push_str(before);
        output.push_str(if whole { with } else { word });
        rest = behind;
    }
    output + rest
}

/// Runs a program and gives back what it printed; it must end well, and within ten minutes,
/// since machines are busy.
pub fn run(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new("timeout")
        .args(["600", program])
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
             dffunmap\nsimplemap\ntechmap\nsetundef -zero -init\nsetundef -zero -undriven\nopt_clean\n\
             aigmap\nwrite_aiger -symbols {name}.yosys.aig\ndesign -reset\n"
        ));
    }
    std::fs::write(folder.join("script.ys"), script).expect("a written script");
    run("yosys", &["-q", "-s", "script.ys"], folder);
}

/// Copies a circuit into another one. Inputs are found by name and place; what is free starts
/// with zero.
fn copy(
    from: &Design,
    origin: Origin,
    into: &mut Design,
    inputs: &HashMap<String, Literal>,
) -> Vec<Literal> {
    let mut known: HashMap<NodeId, Literal> = HashMap::new();
    known.insert(
        Literal::TRUE.node(),
        Literal::FALSE.complement_if(!Literal::TRUE.is_complemented()),
    );
    let map = |known: &HashMap<NodeId, Literal>, literal: Literal| {
        known[&literal.node()].complement_if(literal.is_complemented())
    };
    for (key, id) in keyed(from, origin) {
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

/// The word that each bit belongs to, and its place there, lowest first. Our names follow that
/// order, and their indices do not if a range is `[0:3]`; those of Yosys come in any order, and
/// their indices rise with the place.
fn keys<'n>(names: impl Iterator<Item = Option<&'n str>>, origin: Origin) -> Vec<String> {
    let names: Vec<(&str, usize)> = names.map(|name| split(name.unwrap_or("?"))).collect();
    let place = |position: usize| {
        let (base, index) = names[position];
        let others = names.iter().enumerate().filter(|(_, name)| name.0 == base);
        let before = others.filter(|(other, name)| match origin {
            Origin::Ours => *other < position,
            Origin::Yosys => name.1 < index,
        });
        format!("{base}#{}", before.count())
    };
    (0..names.len()).map(place).collect()
}

#[derive(Clone, Copy)]
enum Origin {
    Ours,
    Yosys,
}

/// `name[index]`
fn split(name: &str) -> (&str, usize) {
    let (base, index) = name.split_once('[').unwrap_or((name, "0"));
    let index = index.trim_end_matches(']').parse();
    (base, index.unwrap_or(0))
}

fn keyed(design: &Design, origin: Origin) -> Vec<(String, NodeId)> {
    let nodes = design.inputs();
    let keys = keys(nodes.iter().map(|id| design.name(*id)), origin);
    keys.into_iter().zip(nodes.iter().copied()).collect()
}

/// What unknown bits of ours are compared as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknowns {
    /// As Yosys takes them; what nothing drives is a bit of its own.
    Zero,
    /// The same, and what nothing drives is zero as well.
    AllZero,
    /// Inputs behind all others, of which the first one means nothing.
    Free,
}

/// A circuit whose one output is true if the two differ.
pub fn miter(ours: &Design, theirs: &Design, unknowns: Unknowns) -> Result<Design, String> {
    let mut design = Design::new();
    let mut inputs = HashMap::new();
    if unknowns == Unknowns::Free {
        // ABC asks for at least one.
        design.add_input(InputKind::Environment);
    }
    let known: Vec<String> = keyed(theirs, Origin::Yosys)
        .into_iter()
        .map(|(key, _)| key)
        .collect();
    let is_unknown = |key: &String| {
        let is_undriven = unknowns != Unknowns::Zero && !known.contains(key);
        key.starts_with("unknown$") || key.starts_with('?') || is_undriven
    };
    let own = keyed(ours, Origin::Ours).into_iter().map(|(key, _)| key);
    let all: Vec<String> = own.chain(known.iter().cloned()).collect();
    let (unknown, certain): (Vec<String>, Vec<String>) = all.into_iter().partition(is_unknown);
    let free = unknown.into_iter().filter(|_| unknowns == Unknowns::Free);
    for key in certain.into_iter().chain(free) {
        inputs
            .entry(key)
            .or_insert_with(|| design.add_input(InputKind::Environment).literal());
    }
    let left = copy(ours, Origin::Ours, &mut design, &inputs);
    let right = copy(theirs, Origin::Yosys, &mut design, &inputs);
    let names = |design: &Design, origin: Origin| {
        let outputs = design.outputs().iter();
        keys(outputs.map(|output| output.name.as_deref()), origin)
    };
    let (left_names, right_names) = (names(ours, Origin::Ours), names(theirs, Origin::Yosys));
    let mut difference = Literal::FALSE;
    let other: HashMap<&String, Literal> = right_names.iter().zip(right).collect();
    for (name, literal) in left_names.iter().zip(left) {
        let Some(twin) = other.get(name) else {
            return Err(format!("Yosys has no output bit {name}"));
        };
        let differs = design.xor(literal, *twin);
        difference = design.or(difference, differs);
    }
    // A bidirectional port that nothing drives is an output of theirs, which its input goes to.
    let is_through = |name: &&String| known.contains(*name) && !left_names.contains(name);
    let through = right_names.iter().filter(is_through).count();
    if left_names.len() + through != right_names.len() {
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
        match miter(&ours.elaborated.design, &theirs.design, Unknowns::Zero) {
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
        let mark = format!("case-{index} ");
        let answer = text.split(&mark).nth(1).unwrap_or_default();
        let answer = answer.split("case-").next().unwrap_or_default();
        if !answer.contains("Property proved") {
            answers[index] = Some(format!("not equal to Yosys: {}", answer.trim()));
        }
    }
    answers
}
