//! Repairs by recorded runs: they fit, say that they prove nothing, and are told apart.

use crate::{Folder, TOTAL, broken, check};
use std::fs;

const RUN: &str = "rst,en,step,sum,big\n1,0,0,x,x\n0,1,5,0,0\n0,1,3,5,0\n0,0,9,8,0\n0,0,0,8,0\n";

#[test]
fn a_correction_that_fits_is_plausible_and_not_repaired() {
    let folder = Folder::new(&[("total.v", &broken()), ("run.csv", RUN)]);
    let parts = [
        "PLAUSIBLE",
        "fits every recorded value (8 values in 5 cycles); not proved beyond",
        "+    else if (en) sum <= sum + step;",
    ];
    let text = check(
        &folder,
        "repair total.v --trace run.csv -o fixed.v",
        0,
        &parts,
    );
    assert!(!text.contains("REPAIRED"), "{text}");
    check(&folder, "verify fixed.v --trace run.csv", 0, &["PASS"]);
    let line = "repair total.v --trace run.csv --expect plausible";
    check(&folder, line, 0, &["PLAUSIBLE"]);
}

#[test]
fn a_design_that_fits_needs_no_repair() {
    let folder = Folder::new(&[("total.v", TOTAL), ("run.csv", RUN)]);
    let parts = ["PASS", "shows every recorded value as it is"];
    check(&folder, "repair total.v --trace run.csv", 0, &parts);
}

#[test]
fn runs_that_pass_are_constraints_as_well() {
    let design = "module m(input a, input b, output y); assign y = a; endmodule";
    let failing = "a,b,y\n1,0,0\n";
    let passing = "a,b,y\n1,1,1\n0,1,0\n";
    let folder = Folder::new(&[
        ("m.v", design),
        ("fail.csv", failing),
        ("pass.csv", passing),
    ]);
    let line = "repair m.v --trace fail.csv --trace pass.csv";
    let text = check(&folder, line, 0, &["PLAUSIBLE", "assign y = a && b;"]);
    assert!(
        !text.contains("should be   module m(input a, input b, output y); assign y = b;"),
        "{text}"
    );
    for number in 1..=4 {
        let line = format!("{line} --pick {number} -o fixed{number}.v");
        if folder.respin(&line).0 == 0 {
            let line = format!("verify fixed{number}.v --trace fail.csv --trace pass.csv");
            check(&folder, &line, 0, &["all 2 recorded runs fit"]);
        }
    }
}

#[test]
fn alternatives_are_told_apart() {
    let design = "module m(input a, input b, output y); assign y = a & b; endmodule";
    let folder = Folder::new(&[("m.v", design), ("run.csv", "a,b,y\n1,0,1\n")]);
    let parts = [
        "PLAUSIBLE",
        "corrections 1 and 2 differ after these inputs:",
        "initial begin",
    ];
    let text = check(&folder, "repair m.v --trace run.csv", 0, &parts);
    // The inputs that were printed really give two answers.
    let (_, rest) = text.split_once("differ after these inputs:\n").unwrap();
    let mut lines = rest.lines().map(str::trim);
    let names = lines.next().unwrap();
    let values = lines.next().unwrap();
    let shown = lines.next().unwrap();
    assert!(shown.starts_with("then y is"), "{text}");
    let first = &shown["then y is ".len()..][..1];
    let table = format!("{names},y\n{values},{first}\n");
    fs::write(folder.path("apart.csv"), table).unwrap();
    for (number, code) in [(1, 0), (2, 1)] {
        let line = format!("repair m.v --trace run.csv --pick {number} -o {number}.v");
        check(&folder, &line, 0, &["PLAUSIBLE"]);
        check(
            &folder,
            &format!("verify {number}.v --trace apart.csv"),
            code,
            &[],
        );
    }
}

#[test]
fn with_properties_a_correction_is_proved() {
    let spec = "assert holds: G (!rst & !en -> X (sum == 0) | sum != 0);\n";
    let folder = Folder::new(&[("total.v", &broken()), ("run.csv", RUN), ("p.ltl", spec)]);
    let line = "repair total.v --trace run.csv --spec p.ltl";
    check(
        &folder,
        line,
        0,
        &["REPAIRED", "+    else if (en) sum <= sum + step;"],
    );
    let line = "verify total.v --trace run.csv --spec p.ltl";
    check(
        &folder,
        line,
        1,
        &["FAIL", "the assertion holds, the recorded run does not fit"],
    );
}

#[test]
fn several_faults_are_mended_together() {
    let decoder = "module d(input [1:0] s, input en, output reg [3:0] y);
  always @* begin
    case (s)
      2'd0: y = 4'b0010;
      2'd1: y = 4'b0010;
      2'd2: y = 4'b0110;
      default: y = 4'b1001;
    endcase
    if (en) y = 4'b0000;
  end
endmodule
";
    let run = "s,en,y\n0,1,1\n1,1,2\n2,1,4\n3,1,8\n0,0,0\n3,0,0\n";
    let folder = Folder::new(&[("d.v", decoder), ("run.csv", run)]);
    check(
        &folder,
        "repair d.v --trace run.csv -o fixed.v",
        0,
        &["PLAUSIBLE", "   + "],
    );
    check(&folder, "verify fixed.v --trace run.csv", 0, &["PASS"]);
}

#[test]
fn what_cannot_fit_is_unknown() {
    let design =
        "module m(input clk, input a, output reg y); always @(posedge clk) y <= a; endmodule";
    let run = "a,y\n0,1\n0,0\n0,1\n0,0\n0,0\n0,1\n";
    let folder = Folder::new(&[("m.v", design), ("run.csv", run)]);
    check(
        &folder,
        "repair m.v --trace run.csv --timeout 20",
        3,
        &["UNKNOWN"],
    );
}

/// The flag is set only while the counter does not move: its `if` belongs outside of the chain.
const CHAINED: &str = "module m(input clk, input rst, input en, output reg [1:0] n, output reg f);
  always @(posedge clk) begin
    if (rst) begin
      n <= 2'd0;
      f <= 1'b0;
    end
    else if (en) begin
      n <= n + 2'd1;
    end
    else if (n == 2'd3) begin
      f <= 1'b1;
    end
  end
endmodule
";
const CHAINED_RUN: &str =
    "rst,en,n,f\n1,0,x,x\n0,1,0,0\n0,1,1,0\n0,1,2,0\n0,1,3,0\n0,1,0,1\n0,0,1,1\n";

#[test]
fn an_if_is_taken_out_of_the_else_before_it() {
    let folder = Folder::new(&[("m.v", CHAINED), ("run.csv", CHAINED_RUN)]);
    let line = "repair m.v --trace run.csv --components placement -o fixed.v";
    check(&folder, line, 0, &["PLAUSIBLE"]);
    let fixed = fs::read_to_string(folder.path("fixed.v")).expect("the correction is written");
    assert_eq!(fixed.matches("else").count(), 1, "{fixed}");
    check(&folder, "verify fixed.v --trace run.csv", 0, &["PASS"]);
}

#[test]
fn edits_come_first_where_the_runs_can_be_mended() {
    let folder = Folder::new(&[("m.v", CHAINED), ("run.csv", CHAINED_RUN)]);
    let output = folder.respin("repair m.v --trace run.csv -v");
    let told = output.2.lines().find_map(|line| {
        let (likely, rest) = line.split_once(" of ")?;
        let all = rest.strip_suffix(" edits are where runs can be mended")?;
        Some((likely.parse::<usize>().ok()?, all.parse::<usize>().ok()?))
    });
    let (likely, all) = told.unwrap_or_else(|| panic!("{}", output.2));
    assert!(0 < likely && likely < all, "{likely} of {all}");
}

/// A block that waits for any change of its clock, and a run that has a column for the clock.
#[test]
fn an_edge_that_a_list_forgets_is_added() {
    let design = "module m(input clk, input rst, input [3:0] a, output reg [3:0] y);
  always @(clk) begin
    if (rst) y <= 4'd0;
    else if (a[0]) y <= y + 4'd1;
  end
endmodule
";
    let run = "clk,rst,a,y\n1,1,1,x\n1,0,2,0\n1,0,3,0\n1,0,5,1\n1,0,8,2\n1,0,0,2\n";
    let folder = Folder::new(&[("m.v", design), ("run.csv", run)]);
    let line = "repair m.v --trace run.csv -o fixed.v";
    check(&folder, line, 0, &["PLAUSIBLE", "always @(posedge clk)"]);
    check(&folder, "verify fixed.v --trace run.csv", 0, &["PASS"]);
}

#[test]
fn the_bound_of_a_generate_loop_is_edited() {
    let design = "module m(input clk, input [3:0] a, output reg [3:0] y);
  wire [3:0] turned;
  genvar i;
  generate for (i = 0; i < 3; i = i + 1) begin : bits
    assign turned[i] = a[3 - i];
  end endgenerate
  always @(posedge clk) y <= turned;
endmodule
";
    let run = "a,y\n1,x\n2,8\n3,4\n5,12\n8,10\n0,1\n";
    let folder = Folder::new(&[("m.v", design), ("run.csv", run)]);
    check(
        &folder,
        "repair m.v --trace run.csv",
        0,
        &["PLAUSIBLE", "i <= 3"],
    );
}

/// Neither condition alone can mend the first difference: both outputs are wrong in one cycle.
#[test]
fn two_faults_that_show_only_together_are_mended() {
    let design = "module m(input clk, input rst, input go, input full, input done, output reg p, output reg q);
  always @(posedge clk)
    if (rst) p <= 1'b0;
    else if (~p && go) p <= 1'b1;
    else p <= 1'b0;
  always @(posedge clk)
    if (rst) q <= 1'b0;
    else if (~q && go) q <= 1'b1;
    else q <= 1'b0;
endmodule
";
    let fixed = design.replace("~p && go", "~p && go && (!full || done)");
    let fixed = fixed.replace("~q && go", "~q && go && (!full || done)");
    let mut run = String::from("rst,go,full,done,p,q\n1,0,0,0,x,x\n");
    let mut state = 0;
    for (go, full, done) in [
        (1, 0, 0),
        (1, 0, 1),
        (1, 1, 0),
        (1, 1, 1),
        (0, 1, 1),
        (1, 1, 0),
        (1, 0, 0),
        (0, 0, 0),
        (1, 1, 0),
        (1, 1, 1),
        (1, 1, 1),
    ] {
        run += &format!("0,{go},{full},{done},{state},{state}\n");
        state = i32::from(state == 0 && go == 1 && (full == 0 || done == 1));
    }
    let folder = Folder::new(&[("m.v", design), ("golden.v", &fixed), ("run.csv", &run)]);
    check(&folder, "verify golden.v --trace run.csv", 0, &["PASS"]);
    let line = "repair m.v --trace run.csv -o fixed.v";
    check(&folder, line, 0, &["PLAUSIBLE", "   + "]);
    check(&folder, "verify fixed.v --trace run.csv", 0, &["PASS"]);
}
