//! Runs in Verilator and in our own simulator, for modules that Icarus cannot read.
//!
//! All modules of a batch have the same inputs and are one program, which plays a hundred runs
//! from a file of stimuli. A module with one clock shows its outputs before each rising edge of
//! it. One with several clocks shows them in each step, and in a step either data, or the input
//! that gates a clock, or clocks change: simulators order what happens at the same time, and a
//! step does not.

use super::netlist::{Case, Ours, run};
use super::simulation::TRACES;
use respin::design::{Design, Simulator};
use respin::random::Random;
use std::fmt::Write;
use std::path::Path;

/// The inputs of each module, with their widths.
pub const INPUTS: [(&str, usize); 7] = [
    ("clk", 1),
    ("clk2", 1),
    ("en", 1),
    ("a", 1),
    ("b", 1),
    ("x", 8),
    ("y", 8),
];
const CLOCKS: std::ops::Range<usize> = 0..2;
const GATE: std::ops::Range<usize> = 2..3;
const DATA: std::ops::Range<usize> = 3..7;
const CYCLES: usize = 10;
const STEPS: usize = 30;

/// Values of the inputs.
type Step = [u8; INPUTS.len()];

/// The steps of one run: the first ones of a module with one clock, the others of one with
/// several.
fn stimuli(seed: u64) -> (Vec<Step>, Vec<Step>) {
    let mut random = Random::new(seed);
    let mut draw = |step: &mut Step, which: std::ops::Range<usize>| {
        for index in which {
            step[index] = (random.word() & ((1 << INPUTS[index].1) - 1)) as u8;
        }
    };
    let mut cycles = vec![Step::default(); CYCLES];
    for step in &mut cycles {
        draw(step, GATE.start..DATA.end);
    }
    let mut steps = vec![Step::default()];
    while steps.len() < STEPS {
        let mut step = steps[steps.len() - 1];
        match steps.len() % 4 {
            0 => draw(&mut step, DATA),
            2 => draw(&mut step, GATE),
            _ => draw(&mut step, CLOCKS),
        }
        steps.push(step);
    }
    (cycles, steps)
}

fn outputs_of(ours: &Ours) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for output in ours.elaborated.design.outputs() {
        let name = output.name.as_deref().unwrap_or_default();
        let base = name.split('[').next().unwrap_or(name);
        if names.last().map(String::as_str) != Some(base) {
            names.push(base.to_string());
        }
    }
    names
}

fn has_several_clocks(ours: &Ours) -> bool {
    let design = &ours.elaborated.design;
    ours.elaborated.clock.is_none() && !design.latches().is_empty()
}

/// The modules side by side, and the program that plays the runs.
fn write_program(cases: &[Case], ours: &[Option<&Ours>], folder: &Path) {
    let ports: Vec<String> = INPUTS
        .iter()
        .map(|(name, width)| format!("input logic [{}:0] {name}", width - 1))
        .collect();
    let connections: Vec<String> = INPUTS.iter().map(|(name, _)| format!(".{name}")).collect();
    let (mut header, mut body, mut texts) = (ports.join(", "), String::new(), String::new());
    let mut shown = [String::new(), String::new()];
    for (case, ours) in cases.iter().zip(ours) {
        let Some(ours) = ours else {
            continue;
        };
        texts.push_str(&lets_as_macros(&case.text));
        let mut connections = connections.clone();
        for name in outputs_of(ours) {
            let port = format!("{}_{name}", case.name);
            let _ = write!(header, ", output logic [7:0] {port}");
            connections.push(format!(".{name}({port})"));
            let several = usize::from(has_several_clocks(ours));
            let _ = writeln!(shown[several], "  printf(\" %02x\", bench->{port});");
        }
        let _ = writeln!(
            body,
            "  {} u_{}({});",
            case.top,
            case.name,
            connections.join(", ")
        );
    }
    let bench = format!("{texts}module bench({header});\n{body}endmodule\n");
    std::fs::write(folder.join("bench.sv"), bench).expect("a written file");
    let set: String = INPUTS
        .iter()
        .map(|(name, _)| format!("  scanf(\"%u\", &value); bench->{name} = value;\n"))
        .collect();
    let [cycle, step] = shown;
    let program = format!(
        "#include \"Vbench.h\"
#include <cstdio>
static void set(Vbench *bench) {{
  unsigned value = 0;
{set}}}
static void show_cycle(Vbench *bench) {{
{cycle}  printf(\"\\n\");
}}
static void show_step(Vbench *bench) {{
{step}  printf(\"\\n\");
}}
int main() {{
  for (int run = 0; run < {TRACES}; run++) {{
    Vbench *bench = new Vbench;
    bench->eval();
    for (int cycle = 0; cycle < {CYCLES}; cycle++) {{
      set(bench); bench->clk = 0; bench->eval(); show_cycle(bench);
      bench->clk = 1; bench->eval(); bench->clk = 0; bench->eval();
    }}
    delete bench;
    bench = new Vbench;
    bench->eval();
    for (int step = 0; step < {STEPS}; step++) {{
      set(bench); bench->eval(); show_step(bench);
    }}
    delete bench;
  }}
}}
"
    );
    std::fs::write(folder.join("bench.cpp"), program).expect("a written file");
}

/// Verilator 5.006 does not know `let`, whose uses stand for its text like those of a macro.
fn lets_as_macros(text: &str) -> String {
    let mut output = String::new();
    for line in text.lines() {
        let declaration = line.trim_start().strip_prefix("let ");
        let Some((declared, rest)) = declaration.and_then(|line| line.split_once(';')) else {
            let _ = writeln!(output, "{line}");
            continue;
        };
        let (head, body) = declared.split_once(") = ").expect("arguments and a body");
        let (name, _) = head.split_once('(').expect("arguments");
        let rest = rest.replace(&format!("{name}("), &format!("`{name}("));
        let _ = writeln!(output, "`define {head}) ({body})\n{rest}\n`undef {name}");
    }
    output
}

/// For each module `None`, or what is wrong.
pub fn compare(
    cases: &[Case],
    ours: &[Result<Ours, String>],
    folder: &Path,
) -> Vec<Option<String>> {
    let read: Vec<Option<&Ours>> = ours.iter().map(|ours| ours.as_ref().ok()).collect();
    write_program(cases, &read, folder);
    let runs: Vec<(Vec<Step>, Vec<Step>)> = (0..TRACES as u64).map(stimuli).collect();
    let mut text = String::new();
    for (cycles, steps) in &runs {
        for step in cycles.iter().chain(steps) {
            let values: Vec<String> = step.iter().map(u8::to_string).collect();
            let _ = writeln!(text, "{}", values.join(" "));
        }
    }
    std::fs::write(folder.join("stimuli.txt"), text).expect("a written file");
    let options = [
        "--cc",
        "--exe",
        "--build",
        "-Wno-fatal",
        "-Wno-lint",
        "-Wno-style",
        "-O0",
        "-CFLAGS",
        "-O0",
        "--top-module",
        "bench",
        "bench.sv",
        "bench.cpp",
    ];
    run("verilator", &options, folder);
    let printed = run("sh", &["-c", "obj_dir/Vbench < stimuli.txt"], folder);
    let lines: Vec<Vec<u8>> = printed.lines().map(values_of).collect();
    assert_eq!(lines.len(), TRACES * (CYCLES + STEPS), "steps of all runs");
    let mut places = [0, 0];
    let answer = |ours: &Result<Ours, String>| {
        let ours = match ours {
            Ok(ours) => ours,
            Err(message) => return Some(message.clone()),
        };
        let several = has_several_clocks(ours);
        let outputs = outputs_of(ours);
        let first = places[usize::from(several)];
        places[usize::from(several)] += outputs.len();
        let (start, length) = match several {
            false => (0, CYCLES),
            true => (CYCLES, STEPS),
        };
        let stimulus = |run: usize, step: usize| match several {
            false => runs[run].0[step],
            true => runs[run].1[step],
        };
        let seen = |run: usize, step: usize, output: usize| {
            lines[run * (CYCLES + STEPS) + start + step][first + output]
        };
        replay(&ours.elaborated.design, &outputs, length, stimulus, seen).err()
    };
    ours.iter().map(answer).collect()
}

fn values_of(line: &str) -> Vec<u8> {
    let values = line.split_whitespace();
    values
        .map(|value| u8::from_str_radix(value, 16).expect("a hexadecimal number"))
        .collect()
}

/// Plays all runs in our simulator, 64 at a time, and compares each output in each step.
fn replay(
    design: &Design,
    outputs: &[String],
    length: usize,
    stimulus: impl Fn(usize, usize) -> Step,
    seen: impl Fn(usize, usize, usize) -> u8,
) -> Result<(), String> {
    for start in (0..TRACES).step_by(64) {
        let runs = start..TRACES.min(start + 64);
        let mut simulator = Simulator::new(design).map_err(|problem| problem.message)?;
        simulator.start(|_| 0);
        for step in 0..length {
            simulator.settle(|id| {
                let name = design.name(id).unwrap_or_default();
                let Some((input, bit)) = place_of(name) else {
                    return 0;
                };
                let lane = |run: usize| u64::from(stimulus(run, step)[input] >> bit & 1);
                runs.clone().map(|run| lane(run) << (run - start)).sum()
            });
            for output in design.outputs() {
                let name = output.name.as_deref().unwrap_or_default();
                let (base, bit) = base_and_bit(name);
                let position = outputs.iter().position(|one| one == base);
                let position = position.expect("an output");
                let value = simulator.value(output.literal);
                for run in runs.clone() {
                    let ours = value >> (run - start) & 1;
                    let theirs = u64::from(seen(run, step, position) >> bit & 1);
                    if ours != theirs {
                        return Err(format!(
                            "run {run}, step {step}: {name} is {ours} and Verilator says {theirs}"
                        ));
                    }
                }
            }
            simulator.advance();
        }
    }
    Ok(())
}

fn base_and_bit(name: &str) -> (&str, usize) {
    match name.split_once('[') {
        Some((base, bit)) => (base, bit.trim_end_matches(']').parse().expect("a bit")),
        None => (name, 0),
    }
}

/// The input that a node is a bit of, and which one; none for values that nobody drives.
fn place_of(name: &str) -> Option<(usize, usize)> {
    let (base, bit) = match name.contains('$') {
        true => return None,
        false => base_and_bit(name),
    };
    let input = INPUTS.iter().position(|(input, _)| *input == base)?;
    Some((input, bit))
}
