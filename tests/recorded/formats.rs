//! The same run in all formats gives the same answer, whoever wrote it.

use crate::{Folder, TOTAL, broken, check};

/// A test bench that records what it drives just before each edge as CSV, beside a waveform.
const BENCH: &str = "\
module tb;
  reg clk = 0, rst = 1, en = 0;
  reg [3:0] step = 3;
  wire [7:0] sum;
  wire big;
  integer i, file;
  total dut(.clk(clk), .rst(rst), .en(en), .step(step), .sum(sum), .big(big));
  always #5 clk = ~clk;
  initial begin
    file = $fopen(`TABLE);
    $fwrite(file, \"rst,en,step,sum,big\\n\");
    $dumpfile(`DUMP);
    $dumpvars(0, tb);
    for (i = 0; i < 40; i = i + 1) begin
      #4 $fwrite(file, \"%0d,%0d,%0d,%0d,%0d\\n\", rst, en, step, sum, big);
      @(posedge clk);
      #1 rst = 0; en = (i % 3) != 0; step = i;
      @(negedge clk);
    end
    $fclose(file);
    $finish;
  end
endmodule
";

fn recorded_by_icarus() -> Folder {
    let folder = Folder::new(&[("total.v", TOTAL), ("broken.v", &broken()), ("tb.v", BENCH)]);
    for (dump, option) in [("run.vcd", "-vcd"), ("run.fst", "-fst")] {
        let macros = format!("-DDUMP=\"{dump}\" -DTABLE=\"run.csv\"");
        folder.run(&format!("iverilog {macros} -o sim tb.v total.v"));
        folder.run(&format!("vvp sim {option}"));
    }
    folder
}

#[test]
fn csv_vcd_and_fst_of_icarus_give_the_same_answer() {
    let folder = recorded_by_icarus();
    for file in ["run.csv", "run.vcd", "run.fst"] {
        let line = format!("verify total.v --trace {file}");
        check(&folder, &line, 0, &["PASS", " in 40 cycles"]);
        let line = format!("verify broken.v --trace {file}");
        let difference = "in cycle 3, sum is 255, and 1 was recorded";
        check(&folder, &line, 1, &["FAIL", difference, "en is 1 (input)"]);
    }
}

#[test]
fn all_runs_can_be_given_at_once() {
    let folder = recorded_by_icarus();
    let line = "verify total.v --trace run.csv --trace run.vcd --trace run.fst";
    check(&folder, line, 0, &["all 3 recorded runs fit"]);
    let line = "repair broken.v --trace run.fst --trace run.csv";
    check(
        &folder,
        line,
        0,
        &["PLAUSIBLE", "+    else if (en) sum <= sum + step;"],
    );
}

#[test]
fn the_scope_is_found_or_named() {
    let folder = recorded_by_icarus();
    for scope in ["tb", "tb.dut"] {
        let line = format!("verify total.v --trace run.vcd --trace-scope {scope}");
        check(&folder, &line, 0, &["PASS"]);
    }
    let line = "verify total.v --trace run.vcd --trace-scope tb.dud";
    check(&folder, line, 2, &["R0902", "tb.dut"]);
}

#[test]
fn a_part_of_a_run_starts_with_unknown_registers() {
    let folder = recorded_by_icarus();
    let line = "verify total.v --trace run.vcd --trace-to 9";
    check(&folder, line, 0, &["in 10 cycles"]);
    // After the reset nothing says what the sum is.
    let line = "verify total.v --trace run.vcd --trace-from 5";
    check(&folder, line, 1, &["in cycle 5, sum is x"]);
}

#[test]
fn inner_signals_are_compared_if_asked_for() {
    let folder = recorded_by_icarus();
    let inner = "module top(input clk, input rst, input en, input [3:0] step,
      output [7:0] sum, output big);
      total dut(.clk(clk), .rst(rst), .en(en), .step(step), .sum(sum), .big(big));
    endmodule\n";
    std::fs::write(folder.path("top.v"), inner).unwrap();
    let line = "verify top.v total.v --trace run.vcd --trace-scope tb --trace-signals dut.sum";
    // As many values again for one more signal, but for the first cycle.
    check(&folder, line, 0, &["PASS", "117 values in 40 cycles"]);
}

#[test]
fn waveforms_of_verilator_are_read() {
    for (option, file) in [("--trace", "run.vcd"), ("--trace-fst", "run.fst")] {
        let folder = Folder::new(&[("total.v", TOTAL), ("broken.v", &broken()), ("tb.v", BENCH)]);
        let macros = format!("-DDUMP=\"{file}\" -DTABLE=\"run.csv\"");
        let build = format!(
            "verilator --binary --timing -Wno-fatal {option} {macros} --top-module tb tb.v total.v"
        );
        folder.run(&build);
        folder.run("./obj_dir/Vtb");
        for run in [file, "run.csv"] {
            let line = format!("verify total.v --trace {run}");
            check(&folder, &line, 0, &["PASS", "in 40 cycles"]);
            let line = format!("verify broken.v --trace {run}");
            check(
                &folder,
                &line,
                1,
                &["in cycle 3, sum is 255, and 1 was recorded"],
            );
        }
    }
}

#[test]
fn a_clock_that_moves_in_a_table_is_sampled() {
    let table =
        "clk,rst,en,step,sum\n0,1,0,0,x\n1,1,0,0,0\n0,0,1,7,0\n1,0,1,7,7\n0,0,0,0,7\n1,0,0,0,7\n";
    let folder = Folder::new(&[("total.v", TOTAL), ("run.csv", table)]);
    check(
        &folder,
        "verify total.v --trace run.csv",
        0,
        &["2 values in 3 cycles"],
    );
}

#[test]
fn a_design_without_registers_has_a_cycle_for_each_moment() {
    let dump = "$timescale 1ns $end\n$scope module both $end\n$var wire 1 ! a $end\n\
        $var wire 1 \" b $end\n$var wire 1 # y $end\n$upscope $end\n$enddefinitions $end\n\
        #0\n0!\n1\"\n0#\n#5\n1!\n1#\n#9\n0\"\n0#\n";
    let good = "module both(input a, input b, output y); assign y = a & b; endmodule";
    let bad = good.replace("a & b", "a | b");
    let folder = Folder::new(&[("good.v", good), ("bad.v", &bad), ("run.vcd", dump)]);
    check(
        &folder,
        "verify good.v --trace run.vcd",
        0,
        &["3 values in 3 cycles"],
    );
    let text = ["in cycle 0, y is 1, and 0 was recorded"];
    check(&folder, "verify bad.v --trace run.vcd", 1, &text);
}
