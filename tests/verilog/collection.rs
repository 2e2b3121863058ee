//! Files that others have written: which of those that Yosys reads we read, and whether both
//! make the same circuit of them.
//!
//! `RESPIN_YOSYS_TESTS` names a folder with Verilog files, such as the tests of Yosys itself;
//! `benches/language/run` fetches these and calls this. Nothing is copied. With `RESPIN_LEGAL`,
//! files that Icarus refuses are not counted.

use super::netlist::{Case, Ours, Unknowns, elaborate_file, folder, miter};
use respin::design::Design;
use respin::design::aiger::{self, AigerFile};
use respin::design::verilog::Options;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SECONDS: &str = "20";

/// What Yosys 0.23 makes something else of than Icarus, with which we agree: a set and a reset
/// at once, names that lead to a module beside, a slice that starts beyond its word.
const MISREAD: [(&str, &str); 3] = [
    ("simple/dff_different_styles.v", "dffsr2_sub"),
    ("sva/extnets.sv", "top"),
    ("various/dynamic_part_select/reversed.v", "reversed"),
];

#[derive(Default)]
struct Counts {
    /// Files that Yosys reads.
    files: usize,
    read: usize,
    equal: usize,
    undecided: Vec<String>,
    /// Modules that Yosys is known to read in another way than simulators.
    misread: Vec<String>,
    wrong: Vec<String>,
    refused: BTreeMap<String, Vec<String>>,
}

fn verilog_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let extension = path.extension().unwrap_or_default();
        if path.is_dir() {
            verilog_files(&path, found);
        } else if extension == "v" || extension == "sv" {
            found.push(path);
        }
    }
}

fn started(program: &str, arguments: &[&str], folder: &Path) -> Output {
    let output = Command::new("timeout")
        .args([SECONDS, program])
        .args(arguments)
        .current_dir(folder)
        .output();
    output
        .unwrap_or_else(|error| panic!("{program} cannot be run ({error}); tests/run installs it"))
}

/// The modules that nothing in the file instantiates, if Yosys reads the file.
fn tops_of_yosys(file: &Path, folder: &Path) -> Option<Vec<String>> {
    let list = folder.join("modules.txt");
    let _ = std::fs::remove_file(&list);
    let script = format!(
        "read_verilog -sv {}; prep; tee -q -o {} ls",
        file.display(),
        list.display()
    );
    let beside = file.parent().unwrap_or(folder);
    let output = started("yosys", &["-q", "-p", &script], beside);
    if !output.status.success() {
        return None;
    }
    let modules = std::fs::read_to_string(&list).unwrap_or_default();
    let names = modules.lines().filter_map(|line| line.strip_prefix("  "));
    let names: Vec<String> = names.map(|name| name.trim().to_string()).collect();
    Some(names)
}

/// What differs between our circuit and that of Yosys; `Err` if nobody could tell.
fn difference(
    case: &Case,
    ours: &Ours,
    file: &Path,
    folder: &Path,
) -> Result<Option<String>, String> {
    let several = ours.elaborated.clock.is_none() && !ours.elaborated.design.latches().is_empty();
    let clocks = if several {
        "clk2fflogic"
    } else {
        "async2sync\ndffunmap"
    };
    let script = format!(
        "read_verilog -sv {}\nprep -flatten -top {}\nmemory_map\n{clocks}\nsimplemap\ntechmap\n\
         setundef -zero -init\nsetundef -zero -undriven\nopt_clean\naigmap\n\
         write_aiger -symbols theirs.aig\n",
        file.display(),
        case.top
    );
    std::fs::write(folder.join("script.ys"), script).expect("a written script");
    let output = started("yosys", &["-q", "-s", "script.ys"], folder);
    if !output.status.success() {
        return Err("Yosys makes no circuit of it".to_string());
    }
    let bytes = std::fs::read(folder.join("theirs.aig")).map_err(|error| error.to_string())?;
    let theirs = aiger::read(&bytes, None).map_err(|_| "its circuit cannot be read".to_string())?;
    let design = match miter(&ours.elaborated.design, &theirs.design, Unknowns::AllZero) {
        Ok(design) => design,
        Err(message) => return Ok(Some(message)),
    };
    let certain = design.inputs().len();
    write_miter(design, folder)?;
    let text = asked_abc("read_aiger miter.aig; strash; scorr; dc2; pdr", folder);
    match (
        text.contains("Property proved"),
        text.contains("was asserted"),
    ) {
        (true, _) => Ok(None),
        (_, true) => {
            let is_real = differs_for_all(ours, &theirs.design, certain, folder)?;
            Ok(is_real.then(|| text.trim().to_string()))
        }
        _ => Err("ABC did not decide".to_string()),
    }
}

/// Whether circuits without state differ whatever unknown bits are: Yosys chooses a value for a
/// quotient by zero, for example.
fn differs_for_all(
    ours: &Ours,
    theirs: &Design,
    certain: usize,
    folder: &Path,
) -> Result<bool, String> {
    let design = miter(&ours.elaborated.design, theirs, Unknowns::Free)?;
    let parameters = certain + 1;
    if !design.latches().is_empty() || design.inputs().len() == parameters {
        return Ok(true);
    }
    write_miter(design, folder)?;
    let script = format!("read_aiger miter.aig; strash; qbf -P {parameters}");
    let text = asked_abc(&script, folder);
    match (
        text.contains("does not exist"),
        text.contains("Parameters:"),
    ) {
        (true, _) => Ok(false),
        (_, true) => Ok(true),
        _ => Err(format!("ABC did not decide: {}", text.trim())),
    }
}

fn write_miter(design: Design, folder: &Path) -> Result<(), String> {
    let mut file = AigerFile::from_design(design, &[]).map_err(|_| "no AIGER".to_string())?;
    file.outputs_are_plain = true;
    let bytes = file.to_binary().map_err(|_| "no AIGER".to_string())?;
    std::fs::write(folder.join("miter.aig"), bytes).expect("a written file");
    Ok(())
}

fn asked_abc(script: &str, folder: &Path) -> String {
    let output = started("berkeley-abc", &["-q", script], folder);
    String::from_utf8_lossy(&output.stdout).to_string()
}

/// Whether Icarus takes a file for legal, if it is asked.
fn is_legal(file: &Path, folder: &Path) -> bool {
    if std::env::var_os("RESPIN_LEGAL").is_none() {
        return true;
    }
    let name = file.display().to_string();
    let arguments = ["-g2012", "-t", "null", name.as_str()];
    let beside = file.parent().unwrap_or(folder);
    started("iverilog", &arguments, beside).status.success()
}

fn check(file: &Path, root: &Path, folder: &Path, counts: &mut Counts) {
    if !is_legal(file, folder) {
        return;
    }
    let Some(modules) = tops_of_yosys(file, folder) else {
        return;
    };
    let name = file
        .strip_prefix(root)
        .unwrap_or(file)
        .display()
        .to_string();
    counts.files += 1;
    let text = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).to_string();
    let one = Options::default();
    let mut tops = vec![None];
    if elaborate_file(file, &one).is_err_and(|said| said.contains("that could be the design")) {
        tops = modules.into_iter().map(Some).collect();
    }
    let mut is_read = true;
    for top in tops {
        let options = Options {
            top,
            allows_latches: true,
            ..Options::default()
        };
        let ours = match elaborate_file(file, &options) {
            Ok(ours) => ours,
            Err(said) if said.contains("to be the top") => continue,
            Err(said) => {
                is_read = false;
                let reason = said.lines().next().unwrap_or_default().to_string();
                counts.refused.entry(reason).or_default().push(name.clone());
                continue;
            }
        };
        let case = Case {
            name: name.clone(),
            text: text.clone(),
            top: ours.elaborated.top.clone(),
        };
        let place = format!("{name} ({})", case.top);
        match difference(&case, &ours, file, folder) {
            Ok(None) => counts.equal += 1,
            Ok(Some(_)) if MISREAD.contains(&(name.as_str(), case.top.as_str())) => {
                counts.misread.push(place);
            }
            Ok(Some(message)) => counts.wrong.push(format!("{place}: {message}")),
            Err(message) => counts.undecided.push(format!("{place}: {message}")),
        }
    }
    counts.read += usize::from(is_read);
}

#[test]
fn files_that_yosys_reads_are_read_alike() {
    let Some(root) = std::env::var_os("RESPIN_YOSYS_TESTS") else {
        println!("RESPIN_YOSYS_TESTS is not set; benches/language/run sets it");
        return;
    };
    let root = PathBuf::from(root);
    let mut files = Vec::new();
    verilog_files(&root, &mut files);
    files.sort();
    assert!(!files.is_empty(), "no Verilog files in {}", root.display());
    let folder = folder("collection");
    let mut counts = Counts::default();
    for file in &files {
        check(file, &root, &folder, &mut counts);
    }
    for (reason, names) in &counts.refused {
        println!(
            "refused {} times: {reason}\n    {}",
            names.len(),
            names.join(" ")
        );
    }
    for one in &counts.undecided {
        println!("undecided: {one}");
    }
    for one in &counts.misread {
        println!("misread by Yosys: {one}");
    }
    for one in &counts.wrong {
        println!("differs: {one}");
    }
    println!(
        "{} files that Yosys reads: {} read ({:.1} %); of their modules {} are equal, {} differ, \
         {} are misread by Yosys, {} were not decided",
        counts.files,
        counts.read,
        100.0 * counts.read as f64 / counts.files.max(1) as f64,
        counts.equal,
        counts.wrong.len(),
        counts.misread.len(),
        counts.undecided.len()
    );
    assert!(counts.wrong.is_empty(), "{}", counts.wrong.join("\n"));
}
