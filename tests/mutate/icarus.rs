//! Runs of survivors of `hdl/`, played on the mutant and on the original.

use super::{folder, list, mutation, patched, read, root, simulated, write};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// The options of a design, as its folder says.
fn options(design: &Path) -> Vec<String> {
    let expected = read(&design.join("expected"));
    let line = expected
        .lines()
        .find_map(|line| line.strip_prefix("options:"));
    line.unwrap_or_default()
        .split_whitespace()
        .map(str::to_string)
        .collect()
}

fn value_of<'a>(options: &'a [String], name: &str) -> Option<&'a str> {
    let position = options.iter().position(|word| word == name)?;
    options.get(position + 1).map(String::as_str)
}

/// A name without its range.
fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

/// Whether a line has both words.
fn declares(source: &str, kind: &str, name: &str) -> bool {
    let is_of_name = |one: char| one.is_alphanumeric() || one == '_';
    source.lines().any(|line| {
        let words: Vec<&str> = line.split(|one| !is_of_name(one)).collect();
        words.contains(&kind) && words.contains(&name)
    })
}

/// The module that no other one has an instance of.
fn top_of(source: &str) -> String {
    let is_of_name = |one: char| one.is_alphanumeric() || one == '_';
    let code = source.lines().map(|line| line.split("//").next());
    let code: Vec<&str> = code.flatten().collect();
    let words = || {
        code.iter()
            .flat_map(|line| line.split(|one| !is_of_name(one)))
    };
    let pairs = words().zip(words().skip(1));
    let mut modules = pairs.filter(|(word, _)| *word == "module");
    let top = modules.find(|(_, name)| words().filter(|word| word == name).count() == 1);
    top.map(|(_, name)| name.to_string()).expect("a module")
}

/// A test bench that plays the inputs of a run and prints the outputs of its last step.
fn bench(run: &Value, source: &str, options: &[String], outputs: &[&str]) -> String {
    let reset = value_of(options, "--reset")
        .map(|text| text.split(['=', ':']).next().unwrap_or(text).to_string());
    let top = value_of(options, "--top").map_or_else(|| top_of(source), str::to_string);
    let steps = run["steps"].as_u64().expect("steps") as usize;
    let signals = list(&run["signals"]);
    let named = |signal: &Value| base(signal["name"].as_str().unwrap_or_default()).to_string();
    let is_driven = |signal: &&Value| {
        let name = named(signal);
        // A mutant may leave other signals without a driver, which are inputs in its runs.
        let is_port = declares(source, "input", &name);
        is_port && (signal["kind"] == "input" || Some(&name) == reset.as_ref())
    };
    let driven: Vec<&Value> = signals.iter().filter(is_driven).collect();
    let clock = source.split("posedge ").nth(1).unwrap_or("clk");
    let clock: String = clock
        .chars()
        .take_while(|one| one.is_alphanumeric() || *one == '_')
        .collect();
    let mut text = String::from("module bench;\n");
    let mut ports = Vec::new();
    if source.contains("posedge ") {
        let _ = writeln!(text, "reg {clock} = 0;");
        ports.push(format!(".{clock}({clock})"));
    }
    for signal in &driven {
        let name = named(signal);
        let _ = writeln!(
            text,
            "reg [{}:0] {name};",
            signal["width"].as_u64().unwrap_or(1) - 1
        );
        ports.push(format!(".{name}({name})"));
    }
    for output in outputs {
        let _ = writeln!(text, "wire [63:0] {output};");
        ports.push(format!(".{output}({output})"));
    }
    let _ = writeln!(text, "{top} dut({});\ninitial begin", ports.join(", "));
    // Registers without an initial value start as the run says.
    for signal in signals
        .iter()
        .filter(|one| one["kind"] == "latch" || one["kind"] == "output")
    {
        let name = named(signal);
        let is_free = |line: &&str| !line.contains('=') && declares(line, "reg", &name);
        let is_register = source.lines().any(|line| is_free(&line));
        if let (Some(value), true) = (signal["values"][0].as_str(), is_register) {
            let whole = signal["name"].as_str().unwrap_or_default();
            if !whole.contains(['.', '$']) && whole.matches('[').count() <= 1 {
                let _ = writeln!(text, "dut.{name} = {}'b{value};", value.len());
            }
        }
    }
    for step in 0..steps {
        for signal in &driven {
            if let Some(value) = signal["values"][step].as_str() {
                let _ = writeln!(text, "{} = {}'b{value};", named(signal), value.len());
            }
        }
        text.push_str("#1;\n");
        if step + 1 == steps {
            for output in outputs {
                let _ = writeln!(text, "$display(\"{output} %b\", {output});");
            }
        } else if source.contains("posedge ") {
            let _ = writeln!(text, "{clock} = 1; #1; {clock} = 0; #1;");
        }
    }
    text.push_str("end\nendmodule\n");
    text
}

/// What is shown of an output: the lowest bits are its own, and those above are not connected.
fn shown<'a>(printed: &'a str, output: &str, width: usize) -> &'a str {
    let mut lines = printed.lines();
    let bits = lines.find_map(|line| line.strip_prefix(&format!("{output} ")));
    bits.and_then(|bits| bits.get(bits.len().checked_sub(width)?..))
        .unwrap_or_default()
}

/// Whether a value is the one that was said, but for bits that are unknown.
fn fits(shown: &str, said: &str) -> bool {
    let mut bits = shown.chars().zip(said.chars());
    shown.len() == said.len() && bits.all(|(shown, said)| shown == said || "xz".contains(shown))
}

/// Survivors that were played.
#[derive(Default)]
struct Played {
    all: usize,
    /// Those on which the simulator shows unknown bits, where a mutant reads past the end of a
    /// word or drives nothing: its value is free here.
    unknown: usize,
}

/// Plays survivors of a design, at most so many. Property sets of `hdl/` leave few, so the weaker
/// ones of a single property are played, too.
fn check(design: &Path, property: Option<&str>, more: &[&str], most: usize) -> Played {
    let name = design
        .file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned();
    let folder = folder(&format!("icarus-{name}"));
    for file in ["fixed.v", "properties.ltl"] {
        write(&folder.join(file), &read(&design.join(file)));
    }
    let options = options(design);
    let mut arguments = vec!["fixed.v", "--spec", "properties.ltl"];
    arguments.extend(options.iter().map(String::as_str));
    arguments.extend(property.iter().flat_map(|name| ["--property", *name]));
    arguments.extend(more);
    let mutation = mutation(&folder, &arguments);
    let survivors = list(&mutation["mutants"])
        .iter()
        .filter(|one| one["fate"] == "survived");
    let survivors: Vec<&Value> = survivors.collect();
    let step = survivors.len().div_ceil(most).max(1);
    let mut played = Played::default();
    for mutant in survivors.iter().step_by(step) {
        let diff = mutant["diff"].as_str().expect("a diff");
        patched(&folder, "fixed.v", diff);
        let differs = list(&mutant["differs"]);
        assert!(!differs.is_empty(), "{mutant:#}");
        let outputs: Vec<&str> = differs
            .iter()
            .filter_map(|one| one["output"].as_str())
            .collect();
        let mut is_definite = true;
        for (file, key) in [("fixed.v", "original"), ("mutant.v", "mutant")] {
            let source = read(&folder.join(file));
            let bench = bench(&mutant["trace"], &source, &options, &outputs);
            write(&folder.join("bench.v"), &bench);
            let printed = simulated(&folder, &["bench.v", file]);
            for one in differs {
                let text = |key: &str| one[key].as_str().expect("a text");
                let (output, value) = (text("output"), text(key));
                let shown = shown(&printed, output, value.len());
                let is_right = match key {
                    "mutant" => fits(shown, value),
                    _ => shown == value,
                };
                assert!(
                    is_right,
                    "{name} {file}: {output} should be {value}, and Icarus prints\n{printed}{diff}"
                );
                is_definite &= shown == value;
            }
        }
        played.all += 1;
        played.unknown += usize::from(!is_definite);
    }
    played
}

/// The name of the first assertion of a design.
fn first_property(design: &Path) -> String {
    let text = read(&design.join("properties.ltl"));
    let names = text.lines().filter_map(|line| line.strip_prefix("assert "));
    let name = names.filter_map(|rest| rest.split(':').next()).next();
    name.expect("an assertion").trim().to_string()
}

#[test]
fn icarus_sees_survivors_differ() {
    let home = root().join("hdl");
    if std::env::var_os("RESPIN_CASES").is_none() {
        let kinds = ["--components", "literal,operator"];
        let some = [("fifo-level", "full"), ("traffic-light", "safe")];
        for (name, property) in some {
            let played = check(&home.join(name), Some(property), &kinds, 4);
            let definite = played.all - played.unknown;
            assert!(definite >= 3, "{name}: {definite} runs were played");
        }
        return;
    }
    let (mut all, mut unknown) = (0, 0);
    for name in TWENTY {
        let design = home.join(name);
        let strong = check(&design, None, &[], usize::MAX);
        let weak = check(&design, Some(&first_property(&design)), &[], 40);
        println!(
            "{name}: {} survivors played, {} of the first property alone",
            strong.all, weak.all
        );
        all += strong.all + weak.all;
        unknown += strong.unknown + weak.unknown;
    }
    println!("{all} survivors of twenty designs, {unknown} of them with unknown bits");
    assert!(10 * unknown < all, "too few of them are confirmed");
}

/// The designs whose mutants are measured; `benches/mutate/run` has the same.
const TWENTY: [&str; 20] = [
    "arbiter-double-grant",
    "axis-packet",
    "bcd-adder",
    "clock-enable",
    "countdown-reset",
    "crc",
    "credit-counter",
    "debouncer",
    "decade-counter",
    "edge-detector",
    "fifo-level",
    "gray-counter",
    "lfsr",
    "majority-voter",
    "parity-checker",
    "pwm",
    "sequence-detector",
    "traffic-light",
    "updown-counter",
    "vending-machine",
];
