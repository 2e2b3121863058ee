//! Runs in Icarus Verilog and in our own simulator.
//!
//! A hundred instances of a design run side by side on random inputs; in each cycle all
//! inputs and outputs are printed shortly before the clock edge. Our simulator gets the same
//! inputs.

use super::netlist::{Case, Ours, run};
use respin::design::{Design, Simulator};
use std::collections::HashMap;
use std::path::Path;

pub const TRACES: usize = 100;
/// How long a reset is played before outputs are compared.
const RESET_CYCLES: usize = 2;

/// What the test bench has to know of the top module.
pub struct Ports {
    pub clock: Option<(String, bool)>,
    /// Driven to this value in the first cycles, which are not compared.
    pub reset: Option<(String, bool)>,
    /// Name and width.
    pub inputs: Vec<(String, usize)>,
    pub outputs: Vec<(String, usize)>,
}

impl Ports {
    pub fn of(ours: &Ours) -> Ports {
        let design = &ours.elaborated.design;
        let inputs = design.inputs().iter();
        let inputs = widths(inputs.filter_map(|id| design.name(*id)));
        let outputs = design.outputs().iter();
        let outputs = widths(outputs.filter_map(|output| output.name.as_deref()));
        // Wires that nothing drives are inputs of the netlist, not of the module.
        let is_port = |(name, _): &(String, usize)| ours.inputs.contains(name);
        Ports {
            clock: ours.clock.clone(),
            reset: None,
            inputs: inputs.into_iter().filter(is_port).collect(),
            outputs,
        }
    }
}

fn widths<'n>(names: impl Iterator<Item = &'n str>) -> Vec<(String, usize)> {
    let mut list: Vec<(String, usize)> = Vec::new();
    for name in names {
        let base = name.split('[').next().unwrap_or(name);
        match list.last_mut() {
            Some((last, width)) if last == base => *width += 1,
            _ => list.push((base.to_string(), 1)),
        }
    }
    list
}

fn test_bench(index: usize, case: &Case, ports: &Ports, cycles: usize) -> String {
    let mut text = format!("module bench_{index}(input bench_start, output reg bench_done);\n");
    let mut connections = Vec::new();
    let mut drives = String::new();
    let mut shown = Vec::new();
    for (name, width) in &ports.inputs {
        let total = width * TRACES;
        text.push_str(&format!("  reg [{}:0] {name};\n", total - 1));
        connections.push(format!(".{name}({name})"));
        let words = vec!["$random"; total.div_ceil(32)].join(", ");
        drives.push_str(&format!("      {name} = {{{words}}};\n"));
        shown.push(name.clone());
    }
    for (name, width) in &ports.outputs {
        text.push_str(&format!("  wire [{}:0] {name};\n", width * TRACES - 1));
        connections.push(format!(".{name}({name})"));
        shown.push(name.clone());
    }
    if let Some((name, active)) = &ports.reset {
        let value = if *active { "-1" } else { "0" };
        drives.push_str(&format!(
            "      if (bench_cycle < {RESET_CYCLES}) {name} = {value};\n"
        ));
    }
    let (clock, rising) = ports
        .clock
        .clone()
        .unwrap_or(("bench_clock".to_string(), true));
    if ports.clock.is_some() {
        connections.push(format!(".{clock}({clock})"));
    }
    let (before, after) = if rising { (0, 1) } else { (1, 0) };
    let print: String = shown
        .iter()
        .map(|name| format!("      $display(\"{name} %b\", {name});\n"))
        .collect();
    text.push_str(&format!(
        "  reg {clock} = {before};
  {top} dut [{last}:0] ({connections});
  integer bench_cycle;
  initial begin
    bench_done = 0;
    wait (bench_start);
    $display(\"design {index}\");
    for (bench_cycle = 0; bench_cycle < {cycles}; bench_cycle = bench_cycle + 1) begin
{drives}      #2 $display(\"cycle\");
{print}      #2 {clock} = {after};
      #2 {clock} = {before};
      #2;
    end
    bench_done = 1;
  end
endmodule
",
        top = case.top,
        last = TRACES - 1,
        connections = connections.join(", "),
    ));
    text
}

/// For each design `None`, or what is wrong; and how many printed bits were `x`.
pub fn compare(
    cases: &[Case],
    ours: &[Result<Ours, String>],
    ports: &[Option<Ports>],
    cycles: usize,
    folder: &Path,
) -> (Vec<Option<String>>, usize) {
    let mut text = String::from("`timescale 1ns/1ns\n");
    let mut bench = String::from("module bench;\n");
    let mut sequence = String::new();
    for (index, (case, ports)) in cases.iter().zip(ports).enumerate() {
        let Some(ports) = ports else {
            continue;
        };
        // Icarus 11 runs an `always_comb` that reads what it writes again and again.
        text.push_str(&case.text.replace("always_comb", "always @*"));
        text.push_str(&test_bench(index, case, ports, cycles));
        bench.push_str(&format!(
            "  reg start_{index} = 0;\n  wire done_{index};\n  \
             bench_{index} b{index}(start_{index}, done_{index});\n"
        ));
        sequence.push_str(&format!(
            "    start_{index} = 1;\n    wait (done_{index});\n"
        ));
    }
    bench.push_str(&format!(
        "  initial begin\n    #10;\n{sequence}    $finish;\n  end\nendmodule\n"
    ));
    text.push_str(&bench);
    std::fs::write(folder.join("bench.v"), text).expect("a written file");
    run(
        "iverilog",
        &["-g2012", "-s", "bench", "-o", "bench.vvp", "bench.v"],
        folder,
    );
    let printed = run("vvp", &["-n", "bench.vvp"], folder);
    let mut answers: Vec<Option<String>> = vec![None; cases.len()];
    let mut unknown = 0;
    for section in printed.split("design ").skip(1) {
        let (index, section) = section.split_once('\n').unwrap_or((section, ""));
        let index: usize = index.trim().parse().expect("the number of a design");
        if let (Ok(ours), Some(ports)) = (&ours[index], &ports[index]) {
            match replay(&ours.elaborated.design, ports, section, cycles) {
                Ok(count) => unknown += count,
                Err(message) => answers[index] = Some(message),
            }
        }
    }
    for (answer, ours) in answers.iter_mut().zip(ours) {
        if let Err(message) = ours {
            *answer = Some(message.clone());
        }
    }
    (answers, unknown)
}

/// One bit of a printed word for each of the traces: the leftmost is the last instance's
/// highest bit.
fn bits_of(line: &str, width: usize, place: usize) -> [Vec<char>; 2] {
    let digits: Vec<char> = line.chars().rev().collect();
    let one = |trace: usize| digits.get(trace * width + place).copied().unwrap_or('x');
    [(0..64).map(one).collect(), (64..TRACES).map(one).collect()]
}

fn word(bits: &[char]) -> u64 {
    let set = |(place, bit): (usize, &char)| u64::from(*bit == '1') << place;
    bits.iter().enumerate().map(set).sum()
}

/// Runs our simulator on printed inputs; the number of outputs that Icarus does not know.
fn replay(design: &Design, ports: &Ports, section: &str, cycles: usize) -> Result<usize, String> {
    let mut simulators: Vec<Simulator<'_>> = Vec::new();
    for _ in 0..2 {
        let mut simulator = Simulator::new(design).map_err(|problem| problem.message)?;
        simulator.start(|_| 0);
        simulators.push(simulator);
    }
    let mut unknown = 0;
    let mut seen = 0;
    for (cycle, block) in section.split("cycle\n").skip(1).enumerate() {
        seen += 1;
        let lines: HashMap<&str, &str> = block
            .lines()
            .filter_map(|line| line.split_once(' '))
            .collect();
        for (half, simulator) in simulators.iter_mut().enumerate() {
            let mut places: HashMap<&str, usize> = HashMap::new();
            simulator.settle(|id| {
                let name = design.name(id).unwrap_or_default();
                let base = name.split('[').next().unwrap_or(name);
                let Some((_, width)) = ports.inputs.iter().find(|(name, _)| name == base) else {
                    return 0;
                };
                let place = places.entry(base).or_insert(0);
                *place += 1;
                word(&bits_of(lines[base], *width, *place - 1)[half])
            });
            let skipped = ports.reset.is_some() && cycle < RESET_CYCLES;
            let mut places: HashMap<&str, usize> = HashMap::new();
            for output in design.outputs().iter().filter(|_| !skipped) {
                let name = output.name.as_deref().unwrap_or_default();
                let base = name.split('[').next().unwrap_or(name);
                let width = ports.outputs.iter().find(|(name, _)| name == base);
                let Some((_, width)) = width else {
                    continue;
                };
                let place = places.entry(base).or_insert(0);
                *place += 1;
                let printed = &bits_of(lines[base], *width, *place - 1)[half];
                let value = simulator.value(output.literal);
                for (trace, bit) in printed.iter().enumerate() {
                    let ours = value >> trace & 1 == 1;
                    match bit {
                        '0' | '1' if ours != (*bit == '1') => {
                            let trace = trace + 64 * half;
                            return Err(format!(
                                "trace {trace}, cycle {cycle}: {name} is {} and Icarus says {bit}",
                                u8::from(ours)
                            ));
                        }
                        '0' | '1' => {}
                        _ => unknown += 1,
                    }
                }
            }
            simulator.advance();
        }
    }
    match seen == cycles {
        true => Ok(unknown),
        false => Err(format!("Icarus printed {seen} cycles of {cycles}")),
    }
}
