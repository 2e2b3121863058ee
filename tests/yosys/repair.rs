//! Verdicts and repairs of netlists.

use super::{folder, respin, verdict, yosys};

pub const COUNTER: &str =
    "module counter (input clk, input rst, input en, output reg [3:0] q, output wrap);
  assign wrap = en && q == 4'd9;
  always @(posedge clk)
    if (rst) q <= 0;
    else if (en) q <= (q == 4'd@) ? 4'd0 : q + 4'd1;
`ifdef FORMAL
  initial assume (rst);
  reg past_valid = 0;
  always @(posedge clk) past_valid <= 1;
  always @(posedge clk) begin
    if (past_valid) assume (!rst);
    if (past_valid && !$past(rst) && $past(wrap)) wraps: assert (q == 0);
    if (past_valid) range: assert (q <= 9);
    if (past_valid) top: cover (q == 9);
  end
`endif
endmodule
";

#[test]
fn verdicts_are_those_of_the_source() {
    let folder = folder("verdicts");
    for (digit, expected) in [("9", "PASS"), ("8", "FAIL"), ("11", "FAIL")] {
        std::fs::write(
            folder.join("counter.sv"),
            COUNTER.replace("4'd@", &format!("4'd{digit}")),
        )
        .expect("a design");
        assert_eq!(
            verdict(&["verify", "-q", "counter.sv"], &folder),
            expected,
            "{digit}"
        );
        for (name, more) in [
            ("words", ""),
            ("gates", "techmap; simplemap; opt_clean;"),
            ("aig", "techmap; opt_clean; aigmap;"),
        ] {
            let script = format!(
                "read_verilog -sv -formal counter.sv; prep -flatten; {more} write_json {name}.json"
            );
            yosys(&["-q", "-p", &script], &folder).expect("a netlist");
            let file = format!("{name}.json");
            assert_eq!(
                verdict(&["verify", "-q", &file], &folder),
                expected,
                "{digit} {name}"
            );
        }
    }
}

#[test]
fn a_repair_of_a_netlist_names_the_line_of_the_source() {
    let folder = folder("lines");
    let text = COUNTER.replace("4'd@", "4'd10");
    std::fs::write(folder.join("counter.sv"), text).expect("a design");
    let script = "read_verilog -sv -formal counter.sv; prep -flatten; write_json counter.json";
    yosys(&["-q", "-p", script], &folder).expect("a netlist");
    let words = [
        "repair",
        "counter.json",
        "-o",
        "fixed.json",
        "--format",
        "json",
    ];
    let (output, problems, code) = respin(&words, &folder);
    assert_eq!(code, 0, "{output}\n{problems}");
    let report: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(report["verdict"], "REPAIRED");
    let corrections = report["corrections"].as_array().expect("corrections");
    let lines: Vec<i64> = corrections
        .iter()
        .flat_map(|one| one["edits"].as_array().expect("edits"))
        .filter_map(|edit| edit["place"]["line"].as_i64())
        .collect();
    assert!(lines.contains(&5), "{lines:?}");
    assert!(lines.iter().all(|line| (2..=5).contains(line)), "{lines:?}");
    let file = corrections[0]["edits"][0]["place"]["file"].as_str();
    assert_eq!(file, Some("counter.sv"));
    // The corrected netlist is one for Yosys, too, and keeps its properties.
    assert_eq!(
        verdict(
            &["verify", "-q", "fixed.json", "--property", "range"],
            &folder
        ),
        "PASS"
    );
    let script = "read_json fixed.json; check -assert; delete t:$cover; techmap; opt_clean; aigmap; write_aiger fixed.aig";
    yosys(&["-q", "-p", script], &folder).expect("a netlist");
    let (output, _, _) = respin(&["verify", "-q", "fixed.aig"], &folder);
    assert!(output.starts_with("PASS"), "{output}");
}

#[test]
fn property_files_speak_of_netlists() {
    let folder = folder("files");
    let text = COUNTER
        .replace("4'd@", "4'd10")
        .replace("range: assert (q <= 9)", ";");
    std::fs::write(folder.join("counter.sv"), text).expect("a design");
    std::fs::write(folder.join("more.props"), "assert range: X G q <= 9;\n").expect("properties");
    let script = "read_verilog -sv -formal counter.sv; prep -flatten; write_json counter.json";
    yosys(&["-q", "-p", script], &folder).expect("a netlist");
    let words = [
        "repair",
        "counter.json",
        "--spec",
        "more.props",
        "-o",
        "fixed.json",
    ];
    let (output, problems, _) = respin(&words, &folder);
    assert!(output.starts_with("REPAIRED"), "{output}\n{problems}");
    let words = [
        "verify",
        "-q",
        "fixed.json",
        "--spec",
        "more.props",
        "--property",
        "range",
    ];
    assert_eq!(verdict(&words, &folder), "PASS");
}

#[test]
fn yosys_reads_what_we_do_not() {
    let folder = folder("frontend");
    // Real numbers are no part of the language that we read.
    let text = "module m (input clk, input [3:0] a, output [3:0] b);
  localparam real UNUSED = 1;
  assign b = a;
  always @* same: assert (a == b);
endmodule
";
    std::fs::write(folder.join("array.sv"), text).expect("a design");
    let (_, problems, code) = respin(&["verify", "-q", "array.sv"], &folder);
    assert_eq!(code, 2);
    assert!(problems.contains("--frontend yosys"), "{problems}");
    let words = ["verify", "-q", "--frontend", "yosys", "array.sv"];
    assert_eq!(verdict(&words, &folder), "PASS");
    std::fs::write(folder.join("broken.sv"), "module m (input a;\n").expect("a design");
    let (_, problems, code) = respin(
        &["verify", "-q", "--frontend", "yosys", "broken.sv"],
        &folder,
    );
    assert_eq!(code, 2);
    assert!(problems.contains("R0325"), "{problems}");
}
