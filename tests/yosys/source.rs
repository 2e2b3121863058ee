//! Designs that only Yosys reads: their repair is still an edit of the source.

use super::{folder, respin, verdict};
use std::path::Path;

/// Delays, a `specify` block, and a real number, which is not for our own front end.
const DELAYED: &str = "`include \"delay.vh\"
module keep (input i, output o);
  assign o = i;
endmodule
module digit (clk, rst, up, n, carry);
  input clk, rst, up;
  output [3:0] n;
  output carry;
  reg [3:0] n;
  initial n = 0;
  wire [1:0] kept;
  localparam real UNUSED = 1;
  keep k [1:0] (n[1:0], kept);
  specify
    specparam t = 3;
  endspecify
  assign carry = up && n == `LAST;
  always @(posedge clk)
    if (rst) n <= #`TCQ 0;
    else if (up) begin
      if (n <= 4'd9) n <= #`TCQ n + 1; // one too far
      else n <= #(`TCQ) 4'd0;
    end
`ifdef FORMAL
  always @* assert (n <= `LAST);
`endif
endmodule
";

/// Wired gates beside such a number.
const WIRED: &str = "module keep (input i, output o);
  assign o = i;
endmodule
module half (input a, b, output s, c);
  wor either;
  assign either = a;
  assign either = b;
  assign c = a & b;
  assign s = either & !c;
endmodule
module adder (input a, b, cin, output s, cout);
  wire p, g, q;
  wire [1:0] kept;
  localparam real UNUSED = 1;
  keep k [1:0] ({a, b}, kept);
  half h1 (a, b, p, g);
  half h2 (p, cin, s, q);
  assign cout = g & q;
  always @* assert ({cout, s} == a + b + cin);
endmodule
";

/// The fault is the instance: no expression of the source could be edited to correct it.
const WITHOUT_EDIT: &str = "module inv (input x, output y);
  assign y = !x;
endmodule
module adder (input a, b, cin, output s, cout);
  inv u [0:0] (a, s);
  assign cout = a & b | a & cin | b & cin;
  always @* assert ({cout, s} == a + b + cin);
endmodule
";

/// The module is instantiated four times at once, and the assertion stands behind a
/// condition that must not be edited.
const ARRAY: &str = "module stage (input clk, input d, output reg q = 0);
  always @(posedge clk) q <= !d;
endmodule
module shift (input clk, input d, output [3:0] q);
  wire [3:0] from = {q[2:0], d};
  localparam real UNUSED = 1;
  stage c [3:0] (.clk(clk), .d(from), .q(q));
  reg past = 0, valid = 0;
  always @(posedge clk) begin past <= d; valid <= 1; end
  always @* if (valid) assert (q[0] == past);
endmodule
";

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a design");
}

/// Repairs in place, and gives the lines that differ.
fn repaired_lines(name: &str, text: &str, more: &[&str]) -> Vec<(String, String)> {
    let folder = folder(&format!("source-{name}"));
    let file = format!("{name}.sv");
    write(&folder, &file, text);
    write(&folder, "delay.vh", "`define TCQ 1\n`define LAST 4'd9\n");
    let words = [&["repair", file.as_str()], more].concat();
    let (output, problems, code) = respin(&words, &folder);
    assert_ne!(
        code, 0,
        "our own front end reads {name}:\n{output}\n{problems}"
    );
    assert!(problems.contains("--frontend yosys"), "{problems}");

    let words = [
        &["repair", "--frontend", "yosys", "--write", file.as_str()],
        more,
    ]
    .concat();
    let (output, problems, code) = respin(&words, &folder);
    assert!(output.starts_with("REPAIRED"), "{output}\n{problems}");
    assert_eq!(code, 0);
    assert_eq!(
        verdict(&["verify", "--frontend", "yosys", &file], &folder),
        "PASS"
    );
    let after = std::fs::read_to_string(folder.join(&file)).expect("the design");
    assert_eq!(after.lines().count(), text.lines().count(), "{after}");
    let pairs = text.lines().zip(after.lines());
    pairs
        .filter(|(before, after)| before != after)
        .map(|(before, after)| (before.trim().to_string(), after.trim().to_string()))
        .collect()
}

#[test]
fn an_operator_between_delays() {
    let lines = repaired_lines("delayed", DELAYED, &[]);
    let [(before, after)] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert!(before.starts_with("if (n <= 4'd9)"), "{before}");
    assert_eq!(after, "if (n < 4'd9) n <= #`TCQ n + 1; // one too far");
}

#[test]
fn an_operator_beside_wired_nets() {
    let lines = repaired_lines("wired", WIRED, &[]);
    let expected = ("assign cout = g & q;", "assign cout = g | q;");
    let found = lines.iter().map(|(one, two)| (one.as_str(), two.as_str()));
    assert_eq!(found.collect::<Vec<_>>(), [expected]);
}

#[test]
fn a_module_with_many_instances() {
    let lines = repaired_lines("array", ARRAY, &[]);
    let expected = (
        "always @(posedge clk) q <= !d;",
        "always @(posedge clk) q <= d;",
    );
    let found = lines.iter().map(|(one, two)| (one.as_str(), two.as_str()));
    assert_eq!(found.collect::<Vec<_>>(), [expected]);
}

#[test]
fn macros_and_directories_reach_yosys() {
    let folder = folder("source-options");
    std::fs::create_dir(folder.join("inc")).expect("a folder");
    write(&folder, "inc/width.vh", "localparam LAST = `LIMIT;\n");
    let text = "module m (input clk, output reg [3:0] n = 0);
`include \"width.vh\"
  always @(posedge clk) n <= #1 (n == LAST) ? 0 : n + 1;
  always @* assert (n <= `BOUND);
endmodule
";
    write(&folder, "m.sv", text);
    let words = [
        "repair",
        "--frontend",
        "yosys",
        "-D",
        "LIMIT=8",
        "-D",
        "BOUND=6",
        "-I",
        "inc",
        "m.sv",
        "-o",
        "fixed.sv",
    ];
    let (output, problems, code) = respin(&words, &folder);
    assert_eq!(code, 0, "{output}\n{problems}");
    let words = [
        "verify",
        "--frontend",
        "yosys",
        "-D",
        "LIMIT=8",
        "-D",
        "BOUND=6",
        "-I",
        "inc",
        "fixed.sv",
    ];
    assert_eq!(verdict(&words, &folder), "PASS");
    let included = std::fs::read_to_string(folder.join("inc/width.vh")).expect("the file");
    assert_eq!(included, "localparam LAST = `LIMIT;\n");

    // The value of a macro is any text, its name is not.
    let words = ["verify", "--frontend", "yosys", "-D", "two words=1", "m.sv"];
    let (_, problems, code) = respin(&words, &folder);
    assert_eq!(code, 2, "{problems}");
    assert!(problems.contains("`two words`"), "{problems}");
}

#[test]
fn without_an_edit_the_netlist_is_corrected_and_the_source_stays() {
    let folder = folder("source-none");
    write(&folder, "adder.v", WITHOUT_EDIT);
    let words = [
        "repair",
        "--frontend",
        "yosys",
        "--write",
        "adder.v",
        "--faults",
        "1",
    ];
    let (output, problems, code) = respin(&words, &folder);
    assert_eq!(code, 0, "{output}\n{problems}");
    assert!(output.starts_with("REPAIRED"), "{output}");
    assert!(output.contains("no edit of the source"), "{output}");
    assert!(output.contains("adder.v was not edited"), "{output}");
    let after = std::fs::read_to_string(folder.join("adder.v")).expect("the design");
    assert_eq!(after, WITHOUT_EDIT);

    let words = [
        "repair",
        "--frontend",
        "yosys",
        "adder.v",
        "-o",
        "fixed.json",
    ];
    let (output, problems, code) = respin(&words, &folder);
    assert_eq!(code, 0, "{output}\n{problems}");
    assert_eq!(verdict(&["verify", "fixed.json"], &folder), "PASS");
}
