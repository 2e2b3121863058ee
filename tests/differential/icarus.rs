//! Runs of a design in Icarus Verilog, seen at its outputs shortly before each edge of the clock.

use super::judges::run;
use std::fmt::Write;
use std::path::Path;

/// A port of a module.
pub struct Port {
    pub name: String,
    pub width: usize,
}

/// The inputs of a module as its header lists them, without the clock.
pub fn inputs(text: &str, top: &str) -> Vec<Port> {
    let module = text.split(&format!("module {top} ")).nth(1);
    let header = module.and_then(|module| module.split(");\n").next());
    let lines = header.unwrap_or_default().lines();
    let inputs = lines.filter_map(|line| line.trim().strip_prefix("input "));
    let ports = inputs.map(|port| {
        let port = port.trim_end_matches(',');
        let name = port.split_whitespace().last().unwrap_or_default();
        Port {
            name: name.to_string(),
            width: width(port),
        }
    });
    ports.filter(|port| port.name != "clk").collect()
}

/// The number of bits of `[left:right]` in a declaration.
fn width(declaration: &str) -> usize {
    let Some((_, rest)) = declaration.split_once('[') else {
        return 1;
    };
    let range = rest.split(']').next().and_then(|text| text.split_once(':'));
    let (left, right) = range.expect("a range");
    let index = |text: &str| text.parse::<usize>().expect("an index");
    index(left).abs_diff(index(right)) + 1
}

/// What sets the inputs.
pub enum Drive<'a> {
    /// So many runs side by side, of so many steps; resets are rare.
    Random {
        runs: usize,
        steps: usize,
        seed: u64,
    },
    /// For each step the digits of each input.
    Given(&'a [Vec<String>]),
}

/// The values of the outputs `out_a` and so on in each step of each run, in the order of
/// `outputs`, lowest bit first.
pub fn observe(
    text: &str,
    top: &str,
    outputs: &[&str],
    drive: &Drive<'_>,
    folder: &Path,
) -> Result<Vec<Vec<u8>>, String> {
    let ports = inputs(text, top);
    let (runs, steps) = match drive {
        Drive::Random { runs, steps, .. } => (*runs, *steps),
        Drive::Given(inputs) => (1, inputs.len()),
    };
    // Icarus 11 runs an `always_comb` that reads what it writes again and again.
    let mut bench = text.replace("always_comb", "always @*");
    bench += &test_bench(&ports, top, outputs, drive, runs, steps);
    std::fs::write(folder.join("bench.v"), bench).expect("a written file");
    let arguments = ["-g2012", "-s", "bench", "-o", "bench.vvp", "bench.v"];
    run("iverilog", &arguments, folder)?;
    let printed = run("vvp", &["-n", "bench.vvp"], folder)?;
    let mut words = vec![Vec::new(); runs];
    for line in printed.lines() {
        let columns: Vec<&str> = line.split_whitespace().collect();
        if columns.len() != outputs.len() {
            return Err(format!("Icarus: {line}"));
        }
        for (run, word) in words.iter_mut().enumerate() {
            let mut values = 0;
            for (place, column) in columns.iter().enumerate() {
                // The leftmost digit is the last instance's.
                match column.as_bytes().get(runs - 1 - run) {
                    Some(b'1') => values |= 1 << place,
                    Some(b'0') => {}
                    _ => return Err(format!("Icarus does not know {}: {line}", outputs[place])),
                }
            }
            word.push(values);
        }
    }
    match words.iter().all(|word| word.len() == steps) {
        true => Ok(words),
        false => Err(format!("Icarus printed\n{printed}")),
    }
}

fn test_bench(
    ports: &[Port],
    top: &str,
    outputs: &[&str],
    drive: &Drive<'_>,
    runs: usize,
    steps: usize,
) -> String {
    let mut text = "module bench;\n  reg clk = 0;\n  integer step, seed, place;\n".to_string();
    let mut connections = vec![".clk(clk)".to_string()];
    let mut drives = String::new();
    for (number, port) in ports.iter().enumerate() {
        let Port { name, width } = port;
        let total = runs * width;
        let _ = writeln!(text, "  reg [{}:0] {name};", total - 1);
        connections.push(format!(".{name}({name})"));
        match drive {
            Drive::Random { .. } => {
                let words = vec!["$random(seed)"; total.div_ceil(32)].join(", ");
                let value = match name.as_str() {
                    // Once in eight steps.
                    "rst" => format!("{{{words}}} & {{{words}}} & {{{words}}}"),
                    "rst_n" => format!("{{{words}}} | {{{words}}} | {{{words}}}"),
                    _ => format!("{{{words}}}"),
                };
                let _ = writeln!(drives, "      {name} = {value};");
            }
            Drive::Given(inputs) => {
                let _ = writeln!(drives, "      case (step)");
                for (step, values) in inputs.iter().enumerate() {
                    let digits = &values[number];
                    let _ = writeln!(drives, "        {step}: {name} = {width}'b{digits};");
                }
                drives.push_str("      endcase\n");
            }
        }
    }
    for output in outputs {
        let _ = writeln!(text, "  wire [{}:0] out_{output};", runs - 1);
        connections.push(format!(".out_{output}(out_{output})"));
    }
    let seed = match drive {
        Drive::Random { seed, .. } => *seed,
        Drive::Given(_) => 0,
    };
    let shown: Vec<String> = outputs
        .iter()
        .map(|output| format!("out_{output}"))
        .collect();
    let _ = write!(
        text,
        "  {top} dut [{last}:0] ({connections});
  initial begin
    seed = {seed};
    for (step = 0; step < {steps}; step = step + 1) begin
{drives}      #2 $display(\"{format}\", {shown});
      #2 clk = 1;
      #2 clk = 0;
      #2;
    end
    $finish;
  end
endmodule
",
        last = runs - 1,
        connections = connections.join(", "),
        format = vec!["%b"; outputs.len()].join(" "),
        shown = shown.join(", "),
    );
    text
}
