//! Immediate assertions, and simple concurrent ones, judged by Yosys and ABC.

use super::{folder, verdict};
use std::path::Path;
use std::process::Command;

struct Case {
    name: &'static str,
    /// The design; `@` is a text that is right or wrong.
    design: &'static str,
    /// What respin reads in addition, and what Yosys reads.
    ours: &'static str,
    theirs: &'static str,
    good: &'static str,
    bad: &'static str,
}

const HEAD: &str = "module m (input clk, input rst, input a, input b, input [3:0] w);
  reg seen = 0;
  always @(posedge clk) seen <= 1;
";

fn same(
    name: &'static str,
    design: &'static str,
    assertion: &'static str,
    good: &'static str,
    bad: &'static str,
) -> Case {
    Case {
        name,
        design,
        ours: assertion,
        theirs: assertion,
        good,
        bad,
    }
}

fn cases() -> Vec<Case> {
    let decade =
        "  reg [3:0] q = 0;\n  always @(posedge clk) if (a) q <= (q == @) ? 4'd0 : q + 4'd1;\n";
    vec![
        same(
            "clocked",
            decade,
            "  always @(posedge clk) assert (q <= 9);",
            "4'd9",
            "4'd11",
        ),
        same(
            "combinational",
            "  reg [3:0] y;\n",
            "  always @* begin y = w & @; assert (y < 8); end",
            "4'b0111",
            "4'b1011",
        ),
        same(
            "guarded",
            decade,
            "  always @(posedge clk) if (a && b) assert (q < 10);",
            "4'd9",
            "4'd10",
        ),
        same(
            "otherwise",
            decade,
            "  always @(posedge clk) if (q < 4'd8) ; else if (b) assert (q[3:1] == 3'b100); ",
            "4'd9",
            "4'd12",
        ),
        same(
            "in_a_case",
            decade,
            "  always @(posedge clk) case (q) 4'd10: assert (0); 4'd3, 4'd4: assert (q != 5); default: assert (q != 4'd15); endcase",
            "4'd9",
            "4'd12",
        ),
        same(
            "values_before_the_edge",
            "  reg [3:0] q = 0;\n",
            "  always @(posedge clk) begin q <= (q == 4'd5) ? 4'd0 : q + 4'd1; assert (q != @); end",
            "4'd6",
            "4'd5",
        ),
        same(
            "blocking",
            "  reg [3:0] t;\n",
            "  always @(posedge clk) begin t = w; t = t | @; assert (t != 0); end",
            "4'd1",
            "4'd0",
        ),
        same(
            "in_a_loop",
            "  integer i;\n  reg [3:0] q = 1;\n  always @(posedge clk) if (a) q <= {q[2:0], @};\n",
            "  always @(posedge clk) for (i = 0; i < 3; i = i + 1) assert (!(q[i] && q[i + 1]));",
            "q[3]",
            "1'b1",
        ),
        same(
            "past",
            decade,
            "  always @(posedge clk) if (seen && $past(a) && $past(q) != 9) assert (q == $past(q) + 4'd1);",
            "4'd9",
            "4'd8",
        ),
        same(
            "past_2",
            "  reg p = 0, r = 0;\n  always @(posedge clk) begin p <= a; r <= @; end\n  reg seen2 = 0;\n  always @(posedge clk) seen2 <= seen;\n",
            "  always @(posedge clk) if (seen2) assert (r == $past(a, 2));",
            "p",
            "a",
        ),
        same(
            "rose",
            "  reg p = 0, up = 0;\n  always @(posedge clk) begin p <= a; up <= @; end\n",
            "  always @(posedge clk) if (seen && $rose(p)) assert (up);",
            "a && !p",
            "a && p",
        ),
        same(
            "fell",
            "  reg p = 0, down = 0;\n  always @(posedge clk) begin p <= a; down <= @; end\n",
            "  always @(posedge clk) if (seen && $fell(p)) assert (down);",
            "p && !a",
            "p && a",
        ),
        same(
            "stable",
            "  reg [1:0] q = 0;\n  always @(posedge clk) if (a @ b) q <= q + 2'd1;\n",
            "  always @(posedge clk) if (seen && !$past(a)) assert ($stable(q));",
            "&&",
            "||",
        ),
        same(
            "initstate",
            "  reg [1:0] q = @;\n  always @(posedge clk) q <= q;\n",
            "  always @(posedge clk) if ($initstate) assert (q == 2);",
            "2",
            "1",
        ),
        same(
            "assumed",
            "  reg [3:0] q = 0;\n  always @(posedge clk) q <= w;\n",
            "  always @(posedge clk) begin assume (w < @); assert (q < 8); end",
            "8",
            "9",
        ),
        same(
            "assumed_first",
            "  reg [1:0] q;\n  always @(posedge clk) if (rst) q <= @; else if (a) q <= {q[0], q[1]};\n",
            "  initial assume (rst);\n  always @(posedge clk) if (seen) assert (q == 1 || q == 2);",
            "2'd1",
            "2'd3",
        ),
        same(
            "one_hot",
            "  reg [2:0] q = 1;\n  always @(posedge clk) if (a) q <= {q[1:0], @};\n",
            "  always @(posedge clk) assert ($onehot(q));",
            "q[2]",
            "1'b0",
        ),
        same(
            "one_hot_or_none",
            "  reg [2:0] q = 1;\n  always @(posedge clk) if (a) q <= {q[1:0], @};\n",
            "  always @(posedge clk) assert ($onehot0(q));",
            "1'b0",
            "b",
        ),
        same(
            "ones",
            "  reg [3:0] q = 4'b0101;\n  always @(posedge clk) q <= {q[2:0], @};\n",
            "  always @(posedge clk) assert ($countones(q) == 2);",
            "q[3]",
            "q[2]",
        ),
        same(
            "generated",
            "  reg [3:0] q = 4'b0001;\n  always @(posedge clk) q <= {q[2:0], @};\n  genvar i;\n",
            "  generate for (i = 0; i < 3; i = i + 1) begin : each always @(posedge clk) assert (!(q[i] && q[i + 1])); end endgenerate",
            "q[3]",
            "!q[3]",
        ),
        same(
            "at_module_scope",
            decade,
            "  assert property (q <= 9);",
            "4'd9",
            "4'd10",
        ),
        same(
            "in_an_instance",
            "  inner #(.LIMIT(4'd9)) u0 (clk, a);\nendmodule\nmodule inner #(parameter LIMIT = 3) (input clk, input a);\n  reg [3:0] q = 0;\n  always @(posedge clk) if (a) q <= (q == @) ? 4'd0 : q + 4'd1;\n",
            "  always @(posedge clk) assert (q <= LIMIT);",
            "LIMIT",
            "4'd12",
        ),
        same(
            "behind_formal",
            decade,
            "`ifdef FORMAL\n  always @(posedge clk) assert (q <= 9);\n`endif",
            "4'd9",
            "4'd14",
        ),
        same(
            "through_a_function",
            "  function parity(input [3:0] x); parity = ^x; endfunction\n  reg p = 0;\n  reg [3:0] q = 0;\n  always @(posedge clk) begin q <= w; p <= @; end\n",
            "  always @(posedge clk) assert (p == parity(q));",
            "^w",
            "|w",
        ),
        same(
            "signed",
            "  reg signed [3:0] q = 0;\n  always @(posedge clk) if (a && q < @) q <= q + 4'sd1; else if (b && q > -4'sd4) q <= q - 4'sd1;\n",
            "  always @(posedge clk) assert (q <= 4'sd3 && q >= -4'sd4);",
            "4'sd3",
            "4'sd4",
        ),
        Case {
            name: "overlapping",
            design: decade,
            ours: "  assert property (@(posedge clk) q[3] |-> q[2:1] == 0);",
            theirs: "  always @(posedge clk) if (q[3]) assert (q[2:1] == 0);",
            good: "4'd9",
            bad: "4'd10",
        },
        Case {
            name: "next_cycle",
            design: decade,
            ours: "  assert property (@(posedge clk) a && q == 9 |=> q == 0);",
            theirs: "  always @(posedge clk) if (seen && $past(a && q == 9)) assert (q == 0);",
            good: "4'd9",
            bad: "4'd8 + 4'd2",
        },
        Case {
            name: "disabled",
            design: "  reg [3:0] q = 0;\n  always @(posedge clk) if (rst) q <= 0; else if (a) q <= q + @;\n",
            ours: "  assert property (@(posedge clk) disable iff (rst) a |=> q != $past(q));",
            theirs: "  always @(posedge clk) if (seen && !rst && $past(!rst && a)) assert (q != $past(q));",
            good: "4'd1",
            bad: "w",
        },
        Case {
            name: "by_default",
            design: "  reg [3:0] q = 0;\n  always @(posedge clk) if (rst) q <= 0; else if (a) q <= q + @;\n",
            ours: "  default clocking @(posedge clk); endclocking\n  default disable iff (rst);\n  assert property (!a |=> $stable(q));\n  assert property (a |=> $changed(q));",
            theirs: "  always @(posedge clk) if (seen && !rst && $past(!rst)) begin if ($past(!a)) assert ($stable(q)); if ($past(a)) assert (!$stable(q)); end",
            good: "4'd1",
            bad: "{3'd0, b}",
        },
        Case {
            name: "two_steps",
            design: "  reg p = 0, r = 0;\n  always @(posedge clk) begin p <= a; r <= @; end\n",
            ours: "  assert property (@(posedge clk) a ##1 !a |-> ##1 r);",
            theirs: "  reg seen2 = 0; always @(posedge clk) begin seen2 <= seen; if (seen2 && $past(a, 2) && !$past(a)) assert (r); end",
            good: "p && !a",
            bad: "p && a",
        },
        Case {
            name: "with_a_message",
            design: decade,
            ours: "  always @(posedge clk) limit: assert (q <= 9) else $error(\"q is %d\", q);",
            theirs: "  always @(posedge clk) assert (q <= 9);",
            good: "4'd9",
            bad: "4'd13",
        },
        Case {
            name: "procedural_concurrent",
            design: decade,
            ours: "  always @(posedge clk) if (b) assert property (q == 9 && a |=> q == 0);",
            theirs: "  always @(posedge clk) if (seen && $past(b && q == 9 && a)) assert (q == 0);",
            good: "4'd9",
            bad: "4'd12",
        },
    ]
}

/// Whether Yosys and ABC prove all assertions of a text.
fn is_proved(text: &str, name: &str, folder: &Path) -> bool {
    let file = folder.join(format!("{name}.yosys.sv"));
    std::fs::write(&file, text).expect("a design is written");
    let script = format!(
        "read_verilog -sv -formal {name}.yosys.sv; prep -flatten -top m; async2sync; dffunmap; \
         techmap; opt_clean; setundef -undriven -anyseq; aigmap; write_aiger {name}.aig"
    );
    let output = Command::new("yosys")
        .args(["-q", "-p", &script])
        .current_dir(folder)
        .output()
        .expect("yosys is installed; tests/run does it");
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {problems}");
    let script = format!("read {name}.aig; undc; fold; pdr");
    let output = Command::new("berkeley-abc")
        .args(["-c", &script])
        .current_dir(folder)
        .output()
        .expect("berkeley-abc is installed; tests/run does it");
    let text = String::from_utf8_lossy(&output.stdout);
    match (
        text.contains("Property proved"),
        text.contains("was asserted in frame"),
    ) {
        (true, false) => true,
        (false, true) => false,
        _ => panic!("{name}: no verdict in\n{text}"),
    }
}

#[test]
fn immediate_assertions_are_judged_as_by_yosys() {
    let folder = folder("yosys");
    let cases = cases();
    assert!(cases.len() >= 30, "{} cases", cases.len());
    for case in &cases {
        for (text, expected) in [(case.good, "PASS"), (case.bad, "FAIL")] {
            let whole = |assertion: &str| {
                format!("{HEAD}{}{assertion}\nendmodule\n", case.design)
                    .replace("@(posedge clk)", "\u{1}")
                    .replace("@*", "\u{2}")
                    .replace('@', text)
                    .replace('\u{1}', "@(posedge clk)")
                    .replace('\u{2}', "@*")
            };
            let name = format!("{}_{}", case.name, expected.to_lowercase());
            let ours = verdict(&whole(case.ours), &name, &folder);
            let theirs = match is_proved(&whole(case.theirs), &name, &folder) {
                true => "PASS",
                false => "FAIL",
            };
            assert_eq!(theirs, expected, "{name}: the case is not what it says");
            assert_eq!(ours, theirs, "{name}");
        }
    }
}
