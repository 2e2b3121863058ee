//! Features of the language one by one: what Yosys proves and Icarus shows to be the same, and
//! what an `x` means to us.

use super::features::{FEATURES, With};
use super::netlist::{Case, elaborate_with, folder, prove, rename_modules, synthesize};
use super::simulation::{Ports, compare};
use respin::design::verilog::Options;
use respin::design::{InputKind, Simulator};

const CYCLES: usize = 12;

#[test]
fn features_mean_what_they_mean_to_yosys_and_icarus() {
    let options = Options::default();
    let mut problems = Vec::new();
    let (mut proved, mut simulated) = (Vec::new(), Vec::new());
    let (mut read, mut run, mut ports) = (Vec::new(), Vec::new(), Vec::new());
    for (number, (name, with, text)) in FEATURES.iter().enumerate() {
        let ours = || elaborate_with(text, &options);
        let first = match ours() {
            Ok(first) => first,
            Err(message) => {
                problems.push(format!("{name}: {message}"));
                continue;
            }
        };
        let mut case = Case {
            name: name.to_string(),
            text: text.to_string() + "\n",
            top: String::new(),
        };
        rename_modules(&mut case, &first, number);
        if !matches!(with, With::Yosys) {
            ports.push(Some(Ports::of(&first)));
            run.push(ours());
            simulated.push(case.clone());
        }
        if !matches!(with, With::Icarus) {
            read.push(Ok(first));
            proved.push(case);
        }
    }
    let folder = folder("features");
    synthesize(&proved, &folder);
    let proofs = prove(&proved, &read, &folder);
    let (runs, unknown) = compare(&simulated, &run, &ports, CYCLES, &folder);
    for (case, problem) in proved.iter().zip(proofs) {
        problems.extend(problem.map(|problem| format!("{}: {problem}", case.name)));
    }
    for (case, problem) in simulated.iter().zip(runs) {
        problems.extend(problem.map(|problem| format!("{}: {problem}", case.name)));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert_eq!(unknown, 0, "the examples have no `x`");
}

/// The values that the only output word can have when all declared inputs are zero.
fn possible(text: &str) -> Vec<u64> {
    let ours = elaborate_with(text, &Options::default()).unwrap_or_else(|said| panic!("{said}"));
    let design = &ours.elaborated.design;
    let free: Vec<_> = design
        .inputs()
        .iter()
        .filter(|id| {
            let name = design.name(**id).unwrap_or_default();
            let name = name.split('[').next().unwrap_or_default().to_string();
            !ours.inputs.contains(&name)
        })
        .copied()
        .collect();
    for id in &free {
        assert_eq!(design.input_kind(*id), Some(InputKind::Environment));
    }
    assert!(free.len() <= 10, "{} unknown bits", free.len());
    let mut simulator = Simulator::new(design).expect("a design");
    let mut values = Vec::new();
    for choice in 0..1u64 << free.len() {
        simulator.start(|_| 0);
        simulator.settle(|id| {
            let place = free.iter().position(|one| *one == id);
            place.map_or(0, |place| choice >> place & 1)
        });
        let bits = design.outputs().iter().enumerate();
        let value = bits.map(|(place, output)| (simulator.value(output.literal) & 1) << place);
        values.push(value.sum());
    }
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn an_x_is_the_choice_of_the_environment() {
    let text = "module m(input a, output [1:0] y); assign y = a ? 2'd0 : 2'bx1; endmodule";
    assert_eq!(possible(text), [1, 3]);
    let text = "module m(input [1:0] a, output reg [1:0] y);
        always @* case (a) 2'd1: y = 0; default: y = 'x; endcase endmodule";
    assert_eq!(possible(text), [0, 1, 2, 3]);
    let text = "module m(input a, output [1:0] y); assign y = {2{1'bz}}; endmodule";
    assert_eq!(possible(text), [0, 3]);
}

#[test]
fn each_x_is_chosen_by_itself() {
    let text = "module m(input a, output y); assign y = 1'bx ^ 1'bx; endmodule";
    assert_eq!(possible(text), [0, 1]);
    let text = "module m(input a, output y); wire t = 1'bx; assign y = t ^ t; endmodule";
    assert_eq!(possible(text), [0]);
}

#[test]
fn a_read_outside_of_a_word_is_the_choice_of_the_environment() {
    let text = "module m(input [2:0] a, output y); assign y = a[3]; endmodule";
    assert_eq!(possible(text), [0, 1]);
    let text = "module m(input [2:0] a, output [1:0] y); assign y = a[3:2]; endmodule";
    assert_eq!(possible(text), [0, 2]);
    let text = "module m(input [2:0] a, input [1:0] i, output y);
        wire [1:0] j = ~i; assign y = a[j]; endmodule";
    assert_eq!(possible(text), [0, 1]);
    let text = "module m(input [2:0] a, input [1:0] i, output [1:0] y);
        wire [1:0] j = ~i; assign y = a[j +: 2]; endmodule";
    assert_eq!(possible(text), [0, 1, 2, 3]);
    let text = "module m(input [2:0] a, input [1:0] i, output [1:0] y);
        wire [1:0] j = ~i ^ 1; assign y = a[j +: 2]; endmodule";
    assert_eq!(possible(text), [0, 2]);
    let text = "module m(input clk, input [1:0] i, output [1:0] y); reg [1:0] r [0:2];
        initial begin r[0] = 0; r[1] = 0; r[2] = 0; end
        always @(posedge clk) r[0] <= 1; wire [1:0] j = ~i; assign y = r[j]; endmodule";
    assert_eq!(possible(text), [0, 1, 2, 3]);
}

#[test]
fn what_nothing_drives_is_the_choice_of_the_environment() {
    let text =
        "module m(input a, output [1:0] y); wire [1:0] t; assign t[0] = a; assign y = t; endmodule";
    assert_eq!(possible(text), [0, 2]);
    let ours = elaborate_with(text, &Options::default()).unwrap_or_else(|said| panic!("{said}"));
    assert_eq!(ours.elaborated.warnings.len(), 1);
    assert_eq!(ours.elaborated.warnings[0].code.to_string(), "R0320");
}

#[test]
fn a_write_outside_of_a_word_does_nothing() {
    let text = "module m(input [1:0] i, output reg [2:0] y);
        reg [1:0] j; always @* begin j = ~i; y = 0; y[j] = 1; end endmodule";
    assert_eq!(possible(text), [0]);
    let text = "module m(input [1:0] i, output reg [2:0] y);
        reg [1:0] j; always @* begin j = ~i ^ 1; y = 0; y[j +: 2] = 3; end endmodule";
    assert_eq!(possible(text), [4]);
}

/// The output word for each value of all inputs together.
fn table(text: &str) -> Vec<u64> {
    let ours = elaborate_with(text, &Options::default()).unwrap_or_else(|said| panic!("{said}"));
    let design = &ours.elaborated.design;
    assert!(design.latches().is_empty() && design.inputs().len() <= 10);
    let mut simulator = Simulator::new(design).expect("a design");
    let mut values = Vec::new();
    for choice in 0..1u64 << design.inputs().len() {
        simulator.settle(|id| {
            let place = design.inputs().iter().position(|one| *one == id);
            place.map_or(0, |place| choice >> place & 1)
        });
        let bits = design.outputs().iter().enumerate();
        let value = bits.map(|(place, output)| (simulator.value(output.literal) & 1) << place);
        values.push(value.sum());
    }
    values
}

#[test]
fn what_others_do_not_read_means_the_same_said_otherwise() {
    let pairs = [
        (
            "output logic [1:0] y); always_comb unique if (a == 0) y = 1; else y = a[1:0];",
            "output [1:0] y); assign y = a == 0 ? 1 : a[1:0];",
        ),
        (
            "output logic [1:0] y); always_comb priority case (a) 0: y = 1; default: y = 2; endcase",
            "output [1:0] y); assign y = a == 0 ? 1 : 2;",
        ),
        (
            "output [4:0] y); assign y = ~a;",
            "output [4:0] y); wire [4:0] t = a; assign y = ~t;",
        ),
        // A select is unsigned, also one of a whole signed word.
        (
            "output [3:0] y); wire signed [1:0] s = a; assign y = a << s[1:0];",
            "output [3:0] y); assign y = a << a[1:0];",
        ),
        // A connection is an assignment to the port, with its width.
        (
            "output [4:0] y); part u(~a, y);",
            "output [4:0] y); assign y = {1'b1, ~a};",
        ),
        // A parameter without a type has that of its value.
        (
            "output [4:0] y); typedef struct packed {logic [3:0] h; logic l;} t; \
             localparam t K = 5'b10110; localparam L = K; assign y = {L.l, a ^ L.h};",
            "output [4:0] y); assign y = {1'b0, a ^ 4'b1011};",
        ),
    ];
    let part = "module part(input [4:0] a, output [4:0] y); assign y = a; endmodule\n";
    for (left, right) in pairs {
        let used = |text: &str| if text.contains("part") { part } else { "" };
        let module = |text: &str| format!("{}module m(input [3:0] a, {text} endmodule", used(text));
        assert_eq!(
            table(&module(left)),
            table(&module(right)),
            "{left}\n{right}"
        );
    }
}
