//! The plugin for Yosys, built with `yosys-config --build` and run on three designs.

use super::liveness::LIVE;
use super::{folder, verdict, yosys};
use std::path::{Path, PathBuf};
use std::process::Command;

fn plugin(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("flows/yosys-plugin/respin.cc");
    let output = Command::new("yosys-config")
        .args(["--build", "respin.so"])
        .arg(source)
        .current_dir(folder)
        .output()
        .expect("yosys-dev is installed; tests/run does it");
    let problems = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{problems}");
    folder.join("respin.so")
}

fn run(plugin: &Path, script: &str, folder: &Path) -> Result<String, String> {
    let plugin = plugin.display().to_string();
    let program = env!("CARGO_BIN_EXE_respin");
    let script = script.replace("respin -", &format!("respin -exe {program} -"));
    yosys(&["-m", &plugin, "-p", &script], folder)
}

const COUNTER: &str = "module counter (input clk, input rst, input en, output reg [3:0] q);
  always @(posedge clk)
    if (rst) q <= 0;
    else if (en) q <= (q == 4'd10) ? 4'd0 : q + 4'd1;
  initial assume (rst);
  always @(posedge clk) if (!$initstate) begin
    assume (!rst);
    range: assert (q <= 9);
  end
endmodule
";

/// With a hierarchy and a memory.
const FIFO: &str = "module pointer (input clk, input step, output reg [1:0] value);
  initial value = 0;
  always @(posedge clk) if (step) value <= value + 2'd1;
endmodule
module fifo (input clk, input push, input pop, input d, output q, output empty, output full);
  wire [1:0] head, tail;
  reg [2:0] level = 0;
  reg mem [0:3];
  assign empty = level == 0;
  assign full = level == 4;
  wire do_push = push && !full, do_pop = pop || !empty;
  pointer write (clk, do_push, head);
  pointer read (clk, do_pop, tail);
  always @(posedge clk) begin
    if (do_push) mem[head] <= d;
    level <= level + do_push - do_pop;
  end
  assign q = mem[tail];
  always @* assert (level <= 4);
  always @* if (empty) assert (head == tail);
endmodule
";

#[test]
fn the_plugin_verifies_and_repairs() {
    let folder = folder("plugin");
    let plugin = plugin(&folder);
    let live = LIVE.replace("2'd@", "2'd0");
    for (name, text) in [
        ("counter", COUNTER),
        ("live", live.as_str()),
        ("fifo", FIFO),
    ] {
        std::fs::write(folder.join(format!("{name}.sv")), text).expect("a design");
        let read = format!("read_verilog -sv -formal {name}.sv; prep -top {name}");
        let log = run(&plugin, &format!("{read}; respin -verify"), &folder);
        let log = log.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(log.contains("respin: the answer is FAIL."), "{name}: {log}");
        let failed = run(&plugin, &format!("{read}; respin -verify -assert"), &folder);
        assert!(failed.is_err(), "{name}: -assert");
        let script = format!(
            "{read}; respin -repair -assert; check -assert; write_json {name}.json; respin -verify -assert"
        );
        let log = run(&plugin, &script, &folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            log.contains(&format!("Replaced module {name} by the repaired one.")),
            "{name}: {log}"
        );
        assert!(
            log.contains(&format!("{name}.sv:")),
            "{name}: the line of the source is not in the log"
        );
        let file = format!("{name}.json");
        assert_eq!(verdict(&["verify", "-q", &file], &folder), "PASS", "{name}");
    }
}

#[test]
fn the_plugin_checks_specifications_and_refuses_nonsense() {
    let folder = folder("plugin-check");
    let plugin = plugin(&folder);
    std::fs::write(
        folder.join("a.spectra"),
        "spec A\nenv boolean a;\nsys boolean b;\ngar always a <-> b;\n",
    )
    .expect("a specification");
    let log = run(&plugin, "respin -check a.spectra -assert", &folder).expect("an answer");
    assert!(log.contains("the answer is REALIZABLE"), "{log}");
    assert!(run(&plugin, "respin -spec a.spectra", &folder).is_err());
    std::fs::write(
        folder.join("a.sv"),
        "module a (input clk, input x, output reg y); always @(posedge clk) y <= x; endmodule\n",
    )
    .expect("a design");
    let error =
        run(&plugin, "read_verilog a.sv; respin -top a -verify", &folder).expect_err("processes");
    assert!(error.contains("processes"), "{error}");
}
