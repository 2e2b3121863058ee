//! Answers of `respin verify`, judged by other programs: z3 and ABC look at certificates, and
//! Icarus Verilog plays failing runs.

use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Counts to 5 and begins again while `go`; 6, which is never reached, would lead to 7.
const COUNTER: &str = "aag 25 1 3 0 21 1
2
4 39
6 45
8 51
12
10 6 4
12 10 8
14 8 4
16 14 7
18 7 4
20 6 5
22 21 19
24 23 17
26 11 8
28 10 9
30 29 27
32 31 17
34 5 2
36 4 3
38 37 35
40 24 2
42 6 3
44 43 41
46 32 2
48 8 3
50 49 47
";

const RING: &str = "
module ring(input clk, input turn, output reg [3:0] place, output reg [2:0] count);
  initial begin place = 1; count = 0; end
  always @(posedge clk) begin
    if (turn) place <= {place[2:0], place[3]};
    if (turn && count != 6) count <= count + 1;
  end
  assert property (@(posedge clk) place != 0);
  assert property (@(posedge clk) count != 7);
  assert property (@(posedge clk) turn |=> $past(place) != place);
endmodule
";

const QUEUE: &str = "
module queue(input clk, input rst, input push, input pop, output full, output empty);
  reg [2:0] head, tail, size;
  initial begin head = 0; tail = 0; size = 0; end
  assign full = size == 4;
  assign empty = size == 0;
  always @(posedge clk)
    if (rst) begin head <= 0; tail <= 0; size <= 0; end
    else begin
      if (push && !full) tail <= tail + 1;
      if (pop && !empty) head <= head + 1;
      if (push && !full && !(pop && !empty)) size <= size + 1;
      if (pop && !empty && !(push && !full)) size <= size - 1;
    end
  assert property (@(posedge clk) disable iff (rst) size <= 4);
  assert property (@(posedge clk) disable iff (rst) tail - head == size);
endmodule
";

/// What is computed in two stages: clauses would have to list all words, so it is proved by
/// induction over several steps.
const PARITY: &str = "module parity(input clk, input [11:0] data, output reg odd);
  reg [11:0] first = 0, second = 0, third = 0;
  reg low = 0, high = 0;
  initial odd = 0;
  always @(posedge clk) begin
    first <= data; second <= first; third <= second;
    low <= ^first[5:0]; high <= ^first[11:6];
    odd <= low ^ high;
  end
  assert property (@(posedge clk) odd == ^third);
endmodule
";

/// An empty folder for a test.
fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("judges")
        .join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

/// What a program prints.
fn printed(program: &str, arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("{program} is needed, tests/run installs it: {error}"));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The certificate of a design, whose text is written to the same folder, by an engine.
fn certificate(folder: &Path, design: (&str, &str), engine: &str, certificate: &str) -> String {
    fs::write(folder.join(design.0), design.1).expect("a design");
    let arguments = [
        "verify",
        design.0,
        "--engine",
        engine,
        "--certificate",
        certificate,
    ];
    let said = printed(env!("CARGO_BIN_EXE_respin"), &arguments, folder);
    assert!(said.starts_with("PASS"), "{said}");
    fs::read_to_string(folder.join(certificate)).expect("a certificate")
}

/// What z3 answers to the questions of a script.
fn answers(folder: &Path, script: &str) -> Vec<String> {
    fs::write(folder.join("asked.smt2"), script).expect("a script");
    let said = printed("z3", &["asked.smt2"], folder);
    said.lines().map(str::to_string).collect()
}

/// The script with another invariant, before and after a step.
fn with_invariant(script: &str, invariant: &str) -> String {
    let begin = script.find("(define-fun invariant ").expect("an invariant");
    let end = script.find("; 1. an initial state").expect("a question");
    let definitions = ["invariant", "invariant-next"]
        .map(|name| format!("(define-fun {name} () Bool {invariant})\n"))
        .concat();
    format!("{}{definitions}{}", &script[..begin], &script[end..])
}

#[test]
fn z3_accepts_scripts_and_refuses_wrong_invariants() {
    for (design, engine) in [
        (("counter.aag", COUNTER), "auto"),
        (("counter.aag", COUNTER), "bdd"),
        (("ring.sv", RING), "auto"),
        (("ring.sv", RING), "bdd"),
        (("queue.sv", QUEUE), "auto"),
        (("queue.sv", QUEUE), "bdd"),
        (("parity.sv", PARITY), "auto"),
    ] {
        let folder = scratch(&format!("z3-{engine}-{}", design.0));
        let script = certificate(&folder, design, engine, "proof.smt2");
        assert_eq!(answers(&folder, &script), ["unsat"; 3], "{}", design.0);
        // It says too little: a step within it is bad.
        let all = answers(&folder, &with_invariant(&script, "true"));
        assert_eq!(all, ["unsat", "unsat", "sat"], "{}", design.0);
        // It says too much: no initial state is in it.
        let none = answers(&folder, &with_invariant(&script, "false"));
        assert_eq!(none, ["sat", "unsat", "unsat"], "{}", design.0);
    }
}

/// An ASCII circuit with one bad literal.
struct Circuit {
    inputs: Vec<usize>,
    /// Latch, next value, reset.
    latches: Vec<[usize; 3]>,
    bad: usize,
    constraint: usize,
    gates: Vec<[usize; 3]>,
}

impl Circuit {
    fn read(text: &str) -> Circuit {
        let mut lines = text.lines().map(|line| -> Vec<usize> {
            let words = line.split_whitespace();
            words.filter_map(|word| word.parse().ok()).collect()
        });
        let header = lines.next().expect("a header");
        let mut take = |count: usize| -> Vec<Vec<usize>> { lines.by_ref().take(count).collect() };
        let inputs = take(header[1]).iter().map(|line| line[0]).collect();
        let latches = take(header[2]);
        let latches = latches.iter().map(|line| {
            let reset = line.get(2).copied().unwrap_or(0);
            [line[0], line[1], reset]
        });
        let latches = latches.collect();
        assert_eq!(header[5], 1, "one bad literal");
        let bad = take(1)[0][0];
        let constraints = header.get(6).copied().unwrap_or(0);
        let constraint = take(constraints).first().map_or(1, |line| line[0]);
        let gates = take(header[4]);
        let gates = gates.iter().map(|line| [line[0], line[1], line[2]]);
        Circuit {
            inputs,
            latches,
            bad,
            constraint,
            gates: gates.collect(),
        }
    }

    /// Its gates in BLIF, with signals that begin with `prefix`. Latches and inputs are left
    /// to be driven.
    fn gates(&self, prefix: &str) -> String {
        let mut text = format!(".names {prefix}0\n");
        for [gate, left, right] in &self.gates {
            let (left, right) = (signal(prefix, *left), signal(prefix, *right));
            let _ = writeln!(
                text,
                ".names {} {} {prefix}{gate}\n{}{} 1",
                left.0, right.0, left.1, right.1
            );
        }
        text
    }
}

/// The signal of a literal, and the value that makes the literal true.
fn signal(prefix: &str, literal: usize) -> (String, u8) {
    (
        format!("{prefix}{}", literal & !1),
        u8::from(literal & 1 == 0),
    )
}

/// A gate in BLIF that is true if all these literals are.
fn all(name: &str, literals: &[(String, u8)]) -> String {
    let names: Vec<&str> = literals.iter().map(|(name, _)| name.as_str()).collect();
    let values: String = literals
        .iter()
        .map(|(_, value)| value.to_string())
        .collect();
    format!(".names {} {name}\n{values} 1\n", names.join(" "))
}

/// A signal that has the value of a literal.
fn copy(name: &str, (signal, value): (String, u8)) -> String {
    format!(".names {signal} {name}\n{value} 1\n")
}

/// What makes a witness wrong, as outputs of a circuit without latches: it is bad at first;
/// it becomes bad; it is not bad where the design is; it moves or starts in another way.
fn violations(design: &Circuit, witness: &Circuit) -> String {
    let not = |(name, value): (String, u8)| (name, 1 - value);
    let mut text = String::new();
    let mut leaves = Vec::new();
    for (time, circuit) in [
        ("d", design),
        ("i", witness),
        ("n", witness),
        ("t", witness),
    ] {
        text.push_str(&circuit.gates(time));
    }
    // The same inputs and state for the design, for a witness at any time, and, for inputs
    // only, at first; other inputs in the next step.
    for input in &witness.inputs {
        leaves.extend([format!("x{input}"), format!("y{input}")]);
        for (time, leaf) in [("n", "x"), ("i", "x"), ("t", "y")] {
            text.push_str(&copy(
                &format!("{time}{input}"),
                (format!("{leaf}{input}"), 1),
            ));
        }
    }
    let mut differs = Vec::new();
    for [latch, next, reset] in &witness.latches {
        leaves.push(format!("x{latch}"));
        text.push_str(&copy(&format!("n{latch}"), (format!("x{latch}"), 1)));
        text.push_str(&copy(&format!("t{latch}"), signal("n", *next)));
        let start = match reset {
            reset if reset == latch => (format!("x{latch}"), 1),
            reset => signal("i", *reset),
        };
        text.push_str(&copy(&format!("i{latch}"), start));
    }
    for (own, other) in design.inputs.iter().zip(&witness.inputs) {
        text.push_str(&copy(&format!("d{own}"), (format!("x{other}"), 1)));
    }
    for (own, other) in design.latches.iter().zip(&witness.latches) {
        text.push_str(&copy(
            &format!("d{}", own[0]),
            (format!("x{}", other[0]), 1),
        ));
        assert_eq!(own[2], other[2], "the same initial value");
        let name = format!("differs{}", own[0]);
        let (left, right) = (signal("d", own[1]), signal("n", other[1]));
        let _ = writeln!(
            text,
            ".names {} {} {name}\n{}{} 1\n{}{} 1",
            left.0,
            right.0,
            left.1,
            1 - right.1,
            1 - left.1,
            right.1
        );
        differs.push(name);
    }
    let holds = |time: &str| {
        [
            signal(time, witness.constraint),
            not(signal(time, witness.bad)),
        ]
    };
    let now = holds("n");
    let bad = |time: &str| [signal(time, witness.constraint), signal(time, witness.bad)];
    text.push_str(&all("starts", &bad("i")));
    text.push_str(&all("becomes", &[&now[..], &bad("t")].concat()));
    let hidden = [&now[..], &[signal("d", design.bad)]].concat();
    text.push_str(&all("hides", &hidden));
    format!(
        ".model witness\n.inputs {}\n.outputs starts becomes hides {}\n{text}.end\n",
        leaves.join(" "),
        differs.join(" ")
    )
}

/// Whether ABC finds nothing wrong with a witness.
fn abc_accepts(folder: &Path, design: &Circuit, witness: &Circuit) -> bool {
    fs::write(folder.join("asked.blif"), violations(design, witness)).expect("a circuit");
    let said = printed(
        "berkeley-abc",
        &["-c", "read_blif asked.blif; strash; orpos; iprove"],
        folder,
    );
    let last = said.lines().last().unwrap_or_default();
    match last.split_whitespace().next() {
        Some("UNSATISFIABLE") => true,
        Some("SATISFIABLE") => false,
        _ => panic!("{said}"),
    }
}

#[test]
fn abc_accepts_a_witness_circuit_and_refuses_wrong_ones() {
    let folder = scratch("abc");
    for engine in ["auto", "bdd"] {
        let text = certificate(&folder, ("counter.aag", COUNTER), engine, "proof.aag");
        check_by_abc(&folder, &text);
        fs::remove_file(folder.join("proof.aag")).expect("a certificate");
    }
}

fn check_by_abc(folder: &Path, text: &str) {
    let design = Circuit::read(COUNTER);
    let mut witness = Circuit::read(text);
    assert!(abc_accepts(folder, &design, &witness));
    let right = witness.bad;
    // What is left without the invariant is not kept by each step.
    witness.bad = design.bad;
    assert!(!abc_accepts(folder, &design, &witness), "not inductive");
    witness.bad = 0;
    assert!(!abc_accepts(folder, &design, &witness), "never bad");
    witness.bad = 1;
    assert!(!abc_accepts(folder, &design, &witness), "bad at first");
    witness.bad = right;
    let next = &mut witness.latches[0][1];
    *next ^= 1;
    assert!(!abc_accepts(folder, &design, &witness), "another circuit");
}

/// Modules with a signal `ok`, which is what their only assertion says.
const FAILING: [(&str, &str); 4] = [
    (
        "late",
        "module late(input clk, input up, output reg [2:0] count);
           initial count = 0;
           always @(posedge clk) if (up) count <= count + 1;
           wire ok = count != 5;
           assert property (@(posedge clk) ok);
         endmodule",
    ),
    (
        "inputs",
        "module inputs(input clk, input [3:0] a, input [3:0] b, output reg [4:0] sum);
           initial sum = 0;
           always @(posedge clk) sum <= a + b;
           wire ok = sum != 5'd19 || a != b;
           assert property (@(posedge clk) ok);
         endmodule",
    ),
    (
        "arbiter",
        "module arbiter(input clk, input rst, input [1:0] request, output reg [1:0] grant);
           reg last;
           initial begin grant = 0; last = 0; end
           always @(posedge clk)
             if (rst) begin grant <= 0; last <= 0; end
             else begin
               grant <= last ? request : request & ~{request[0], 1'b0};
               last <= request[1] & ~request[0];
             end
           wire ok = grant != 2'b11;
           assert property (@(posedge clk) ok);
         endmodule",
    ),
    (
        "signed_sum",
        "module signed_sum(input clk, input signed [3:0] step, output reg signed [5:0] level);
           initial level = 0;
           always @(posedge clk)
             if (level + step < 20) level <= level + step;
           wire ok = level > -20;
           assert property (@(posedge clk) ok);
         endmodule",
    ),
];

/// A test bench that plays a run and prints the steps in which `ok` is not true.
fn bench(module: &str, run: &Value) -> String {
    let signals = run["signals"].as_array().expect("signals");
    let steps = run["steps"].as_u64().expect("steps");
    let name = |one: &Value| {
        let name = one["name"].as_str().expect("a name");
        name.split('[').next().unwrap_or(name).to_string()
    };
    let value = |one: &Value, step: u64| {
        let value = one["values"][step as usize].as_str().expect("a value");
        // An input that does not matter has any value.
        value.replace(['-', 'x'], "0")
    };
    let inputs: Vec<&Value> = signals
        .iter()
        .filter(|one| one["kind"] == "input")
        .collect();
    let mut text = "module bench;\n  reg clk = 0; reg rst = 0;\n".to_string();
    let mut connected = vec![".clk(clk)".to_string()];
    let has_reset = FAILING
        .iter()
        .any(|(own, source)| *own == module && source.contains("input rst"));
    if has_reset {
        connected.push(".rst(rst)".to_string());
    }
    for one in inputs.iter().filter(|one| name(one) != "rst") {
        let _ = writeln!(
            text,
            "  reg [{}:0] {};",
            one["width"].as_u64().unwrap() - 1,
            name(one)
        );
        connected.push(format!(".{0}({0})", name(one)));
    }
    let _ = writeln!(
        text,
        "  {module} dut({});\n  initial begin #1;",
        connected.join(", ")
    );
    for step in 0..steps {
        for one in &inputs {
            let width = one["width"].as_u64().expect("a width");
            let _ = writeln!(text, "    {} = {width}'b{};", name(one), value(one, step));
        }
        let _ = writeln!(text, "    #1 if (dut.ok !== 1) $display(\"FAILS {step}\");");
        text.push_str("    clk = 1; #1 clk = 0; #1;\n");
    }
    text.push_str("    $display(\"END\"); $finish;\n  end\nendmodule\n");
    text
}

/// Initial values are played, since all registers have one: nothing is forced from outside.
#[test]
fn failing_runs_fail_in_icarus_verilog_in_their_last_step_and_not_before() {
    for (module, source) in FAILING {
        let folder = scratch(&format!("icarus-{module}"));
        fs::write(folder.join("design.sv"), source).expect("a design");
        for engine in ["auto", "bdd", "sat"] {
            let arguments = [
                "verify",
                "design.sv",
                "--engine",
                engine,
                "--format",
                "json",
            ];
            let said = printed(env!("CARGO_BIN_EXE_respin"), &arguments, &folder);
            let report: Value = serde_json::from_str(&said).expect("a report");
            assert_eq!(report["verdict"], "FAIL", "{module} by {engine}");
            let run = &report["properties"][0]["trace"];
            // A simulator without assertions: the condition is all that it has to judge.
            let plain: Vec<&str> = source
                .lines()
                .filter(|line| !line.contains("assert property"))
                .collect();
            let text = format!("{}\n{}", plain.join("\n"), bench(module, run));
            fs::write(folder.join("bench.sv"), text).expect("a bench");
            let built = ["-g2012", "-s", "bench", "-o", "bench.vvp", "bench.sv"];
            let problems = printed("iverilog", &built, &folder);
            let played = printed("vvp", &["-n", "bench.vvp"], &folder);
            let steps = run["steps"].as_u64().expect("steps");
            let expected = format!("FAILS {}\nEND\n", steps - 1);
            assert_eq!(played, expected, "{module} by {engine}: {problems}");
        }
    }
}
