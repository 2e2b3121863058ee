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

/// A test bench that plays the inputs of a run and prints the outputs of its last step.
fn bench(run: &Value, source: &str, options: &[String], outputs: &[&str]) -> String {
    let reset = value_of(options, "--reset")
        .map(|text| text.split(['=', ':']).next().unwrap_or(text).to_string());
    let first = source.split("module ").nth(1).unwrap_or_default();
    let first: String = first
        .chars()
        .take_while(|one| one.is_alphanumeric() || *one == '_')
        .collect();
    let top = value_of(options, "--top").map_or(first, str::to_string);
    let steps = run["steps"].as_u64().expect("steps") as usize;
    let signals = list(&run["signals"]);
    let named = |signal: &Value| base(signal["name"].as_str().unwrap_or_default()).to_string();
    let is_driven = |signal: &&Value| {
        let name = named(signal);
        let is_port = !name.contains(['.', '$']);
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
        let is_register = source.lines().any(|line| {
            let words: Vec<&str> = line
                .split(|one: char| !(one.is_alphanumeric() || one == '_'))
                .collect();
            words.contains(&"reg") && words.contains(&name.as_str())
        });
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

/// Whether an output is shown as it was said: the lowest bits are its own, and those above are
/// not connected.
fn shows(printed: &str, output: &str, value: &str) -> bool {
    let line = printed
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{output} ")));
    line.is_some_and(|bits| bits.ends_with(value))
}

/// Plays survivors of a design, at most so many; how many. Property sets of `hdl/` leave few, so
/// the weaker ones of a single property are played, too.
fn check(design: &Path, property: Option<&str>, more: &[&str], most: usize) -> usize {
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
    let mut played = 0;
    for mutant in survivors.iter().step_by(step) {
        let diff = mutant["diff"].as_str().expect("a diff");
        patched(&folder, "fixed.v", diff);
        let differs = list(&mutant["differs"]);
        assert!(!differs.is_empty(), "{mutant:#}");
        let outputs: Vec<&str> = differs
            .iter()
            .filter_map(|one| one["output"].as_str())
            .collect();
        for (file, key) in [("fixed.v", "original"), ("mutant.v", "mutant")] {
            let source = read(&folder.join(file));
            let bench = bench(&mutant["trace"], &source, &options, &outputs);
            write(&folder.join("bench.v"), &bench);
            let printed = simulated(&folder, &["bench.v", file]);
            for one in differs {
                let text = |key: &str| one[key].as_str().expect("a text");
                let (output, value) = (text("output"), text(key));
                assert!(
                    shows(&printed, output, value),
                    "{name} {file}: {output} should be {value}, and Icarus prints\n{printed}{diff}"
                );
            }
        }
        played += 1;
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
            assert!(played >= 3, "{name}: {played} runs were played");
        }
        return;
    }
    let mut all = 0;
    for name in TWENTY {
        let design = home.join(name);
        let strong = check(&design, None, &[], usize::MAX);
        let weak = check(&design, Some(&first_property(&design)), &[], 40);
        println!("{name}: {strong} survivors played, {weak} of the first property alone");
        all += strong + weak;
    }
    println!("{all} survivors of twenty designs");
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
