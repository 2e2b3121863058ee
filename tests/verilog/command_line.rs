//! Designs of several files through the program: file lists, includes, macros, the top module.

use super::netlist::folder;
use std::path::Path;
use std::process::Command;

/// The exit code and the first line of what the program prints, or its errors.
fn verify(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .arg("verify")
        .args(arguments)
        .args(["--spec", "property.ltl"])
        .current_dir(folder)
        .output()
        .expect("respin starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    let said = match printed.lines().next() {
        Some(line) => line.to_string(),
        None => String::from_utf8_lossy(&output.stderr).to_string(),
    };
    (output.status.code(), said)
}

fn prepared() -> std::path::PathBuf {
    let folder = folder("command-line");
    std::fs::create_dir_all(folder.join("headers")).expect("a folder");
    let files = [
        (
            "part.v",
            "module part #(parameter W = 1)(input [W-1:0] a, output [W-1:0] y);\n  assign y = a ^ `MASK;\nendmodule\n",
        ),
        (
            "top.v",
            "`include \"sizes.vh\"\nmodule top(input [`SIZE-1:0] a, output [`SIZE-1:0] y);\n  part #(.W(`SIZE)) u(a, y);\nendmodule\n",
        ),
        (
            "other.v",
            "module other(output y); assign y = 0; endmodule\n",
        ),
        ("headers/sizes.vh", "`define SIZE 3\n"),
        ("property.ltl", "assert inverted: G (y == ~a);\n"),
        (
            "files.f",
            "// the design\n+define+MASK=7 +incdir+headers\ntop.v part.v\n",
        ),
        ("outer.f", "-f files.f /* and nothing else */\n"),
        ("endless.f", "-f endless.f\n"),
        ("unknown.f", "top.v -y lib\n"),
        ("nothing.f", "# nothing\n"),
    ];
    for (name, text) in files {
        std::fs::write(folder.join(name), text).expect("a written file");
    }
    folder
}

#[test]
fn designs_of_several_files_are_read() {
    let folder = prepared();
    let check = |line: &str, code: i32, text: &str| {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let (found, said) = verify(&folder, &arguments);
        assert_eq!(found, Some(code), "{line}: {said}");
        assert!(said.contains(text), "{line}: {said}");
    };
    check("top.v part.v -D MASK=7 -I headers", 0, "PASS");
    check("part.v top.v -DMASK=3'd7 -Iheaders", 0, "PASS");
    check("top.v part.v -D MASK=5 -I headers", 1, "FAIL");
    check("-f files.f", 0, "PASS");
    check("-f outer.f", 0, "PASS");
    check("-f files.f other.v --top top", 0, "PASS");
    check("-f files.f other.v", 2, "R0311");
    check("-f files.f --top tops", 2, "R0311");
    check("top.v part.v -D MASK=7", 2, "R0305");
    check("top.v part.v -I headers", 2, "R0304");
    check("top.v -D MASK=7 -I headers", 2, "R0309");
    check("-f endless.f", 2, "without end");
    check("-f unknown.f", 2, "`-y` is not known");
    check("-f nothing.f", 2, "name no file");
    check("-f missing.f", 2, "missing.f");
}

/// Whatever line 4 says, the environment can ask for `open` until `timer` is 3.
#[test]
fn a_lost_game_is_shown_as_a_run() {
    let folder = folder("lost");
    let design = "\
module door(input clk, rst, req, output reg open, output reg [1:0] timer);
  always @(posedge clk)
    if (rst) begin open <= 0; timer <= 0; end
    else begin open <= req & !timer[1]; timer <= open ? timer + 1 : 0; end
endmodule
";
    std::fs::write(folder.join("door.v"), design).expect("a written file");
    let properties = "assert never: G (timer != 3);\nassert served: G (req -> X open);\n";
    std::fs::write(folder.join("door.ltl"), properties).expect("a written file");
    let line = "repair door.v --spec door.ltl --reset rst --only door.v:4:24 --format json";
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(line.split_whitespace())
        .current_dir(&folder)
        .output()
        .expect("respin starts");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["verdict"], "NO REPAIR", "{document}");
    let signals = document["counterplay"]["trace"]["signals"].as_array();
    let signals = signals.expect("a run of the environment's strategy");
    let kind = |name: &str| {
        let named = |signal: &&serde_json::Value| signal["name"] == name;
        signals
            .iter()
            .find(named)
            .map(|signal| signal["kind"].clone())
    };
    assert_eq!(kind("req"), Some("input".into()), "{document}");
    assert_eq!(kind("door.v:4:24"), Some("suspect".into()), "{document}");
}

/// `y` has to be late by one step more than `q`: no function of the signals there are says so.
#[test]
fn registers_are_added_if_they_may_be() {
    let folder = folder("state");
    let design = "\
module late(input clk, rst, a, output y);
  reg q;
  always @(posedge clk) if (rst) q <= 0; else q <= a;
  assign y = q;  // stays
endmodule
";
    std::fs::write(folder.join("late.v"), design).expect("a written file");
    let properties = "assert high: G (a -> X X y);\nassert low: G (!a -> X X !y);\n";
    std::fs::write(folder.join("late.ltl"), properties).expect("a written file");
    let run = |line: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(line.split_whitespace())
            .args(["--spec", "late.ltl", "--reset", "rst"])
            .current_dir(&folder)
            .output()
            .expect("respin starts");
        String::from_utf8_lossy(&output.stdout).to_string()
    };
    let without = run("repair late.v");
    assert!(without.starts_with("UNKNOWN\n"), "{without}");
    assert!(
        without.contains("added registers only: late.v:3, late.v:4"),
        "{without}"
    );
    let with = run("repair late.v --allow-state --force -o repaired.v");
    assert!(with.starts_with("REPAIRED\n"), "{with}");
    let checked = run("verify repaired.v");
    assert!(checked.starts_with("PASS\n"), "{with}\n{checked}");
    let text = std::fs::read_to_string(folder.join("repaired.v")).expect("a file");
    assert!(text.contains("// stays"), "{text}");
    for (tool, arguments) in [
        ("iverilog", "-t null repaired.v"),
        ("verilator", "--lint-only -Wno-fatal repaired.v"),
        ("yosys", "-q -p prep repaired.v"),
    ] {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        super::netlist::run(tool, &arguments, &folder);
    }
}

/// A folder of its own with a design and a property.
fn with_design(name: &str, design: &str, property: &str) -> std::path::PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("m.v"), design).expect("a design");
    std::fs::write(folder.join("property.ltl"), property).expect("a property");
    folder
}

#[test]
fn parameters_of_the_top_module_are_set() {
    let design = "module m #(parameter W = 2, parameter [7:0] K = 1)(output [W-1:0] y);
        assign y = K; endmodule\n";
    for front_end in ["own", "yosys"] {
        let folder = with_design("parameters", design, "assert all: G (y == 4'd9);\n");
        let words = ["m.v", "--top", "m", "--frontend", front_end];
        let set = [&words[..], &["--chparam", "W=4", "--chparam", "K=8'h09"]].concat();
        assert_eq!(verify(&folder, &words).0, Some(1), "{front_end}");
        assert_eq!(verify(&folder, &set).0, Some(0), "{front_end}");
    }
    let folder = with_design("parameters", design, "assert all: G (y == 1);\n");
    let (code, said) = verify(&folder, &["m.v", "--chparam", "V=4"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("has no parameter `V`"), "{said}");
}

#[test]
fn registers_start_with_any_value_unless_zero_is_said() {
    let design = "module m(input clk, output reg y, output k); (* anyconst *) reg c;
        always @(posedge clk) y <= 1; assign k = c; endmodule\n";
    let property = "assert starts: !y;\nassert free: G k;\n";
    let folder = with_design("initial-values", design, property);
    let verdicts = |words: &[&str]| {
        let names = ["starts", "free"];
        names.map(|name| verify(&folder, &[words, &["--property", name]].concat()).0)
    };
    assert_eq!(verdicts(&["m.v"]), [Some(1), Some(1)]);
    // What the environment chooses is no initial value.
    assert_eq!(verdicts(&["m.v", "--init", "zero"]), [Some(0), Some(1)]);
}

#[test]
fn memories_are_read_from_files() {
    let design = "module m(input [1:0] i, output [7:0] y); reg [7:0] w [0:3];
        initial $readmemh(\"w.hex\", w); assign y = w[i]; endmodule\n";
    let property = "assert first: G (i == 0 -> y == 8'h1f);\n\
                    assert last: G (i == 3 -> y == 8'ha5);\n\
                    assert middle: G (i == 1 -> y == 8'h02);\n";
    let folder = with_design("memories", design, property);
    std::fs::write(folder.join("w.hex"), "1F 2 // two\n@3 a_5\n").expect("a data file");
    assert_eq!(verify(&folder, &["m.v"]).0, Some(0));
    std::fs::write(folder.join("w.hex"), "1F 2 3 4 5\n").expect("a data file");
    let (code, said) = verify(&folder, &["m.v"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("a word for the address 4"), "{said}");
}

#[test]
fn a_test_bench_beside_the_design_does_not_stop_the_run() {
    let folder = folder("test-bench");
    std::fs::write(
        folder.join("property.ltl"),
        "assert inverted: G (y == ~a);\n",
    )
    .expect("a file");
    let design = "module m(input a, output y);\n  assign y = !a;\nendmodule\n";
    let said = |bench: &str, top: &[&str]| {
        let text = format!("{design}{bench}");
        std::fs::write(folder.join("design.v"), text).expect("a written file");
        let output = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(["verify", "design.v", "--spec", "property.ltl"])
            .args(top)
            .current_dir(&folder)
            .output()
            .expect("respin starts");
        let printed = String::from_utf8_lossy(&output.stdout);
        let problems = String::from_utf8_lossy(&output.stderr).to_string();
        (printed.lines().next().unwrap_or("").to_string(), problems)
    };
    let bench = |statement: &str| {
        format!("module test;\n  reg a = 0; wire y;\n  m u(a, y);\n  {statement}\nendmodule\n")
    };
    for statement in [
        "always #5 a = !a;",
        "always begin #5 a = 1; #5 a = 0; end",
        "initial forever #5 a = !a;",
        "initial begin fork a = 1; join_none wait (a); repeat (10) @(posedge a); $finish; end",
        "event e; initial -> e;",
        "class k; rand int x; endclass k c; initial begin c = new; assert (c.randomize()); end",
        "initial begin force u.y = 1; release u.y; end",
    ] {
        let (verdict, problems) = said(&bench(statement), &[]);
        assert_eq!(verdict, "PASS", "{statement}: {problems}");
        assert!(problems.contains("R0330"), "{statement}: {problems}");
        assert!(problems.contains("design.v:7:"), "{statement}: {problems}");
    }
    // What has ports may be the design, unless another one is named.
    let other = "module n(input b);\n  initial fork join\nendmodule\n";
    let (verdict, problems) = said(other, &[]);
    assert!(
        verdict.is_empty() && problems.contains("R0301"),
        "{problems}"
    );
    let (verdict, problems) = said(other, &["--top", "m"]);
    assert_eq!(verdict, "PASS", "{problems}");
    let (verdict, problems) = said(other, &["--top", "n"]);
    assert!(
        verdict.is_empty() && problems.contains("R0301"),
        "{problems}"
    );
    let used = "module n(input b);\n  initial fork join\nendmodule\n\
                module k(input a, output y);\n  n u(a);\n  assign y = !a;\nendmodule\n";
    let (verdict, problems) = said(used, &["--top", "k"]);
    assert!(
        verdict.is_empty() && problems.contains("R0301"),
        "{problems}"
    );
}
