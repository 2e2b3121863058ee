//! Controllers as Verilog in the eyes of other tools.

use respin::bdd::Limits;
use respin::certify::Check;
use respin::game::gr1::{Gr1Game, Selection};
use respin::source::Sources;
use respin::spec::spectra;
use respin::synth::controller::controller;
use respin::synth::written::{Form, Written};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variables of all kinds, and names that Verilog reserves or that the writer would choose.
const ODD: &str = "module Odd
env Int(-2..3) level;
env {LOW, HIGH} wire;
sys Int(5..9) reg;
sys {A, B, C} clk;
sys boolean started;
sys boolean goal;
asm alwEv level = 3;
gar ini reg = 5;
gar trans next(reg) = 5 + (level + 2) mod 5;
gar alw wire = LOW -> clk != A;
gar alw wire = HIGH -> clk = A | started;
gar trans next(goal) <-> level > 0;
gar alwEv clk = C;
gar alwEv clk = B & !started;
";

/// Arrays of one and of two dimensions, of bits, numbers and names.
const ARRAYS: &str = "module Arrays
env boolean[3] request;
env {LOW, HIGH, OFF}[2] sensor;
sys boolean[3] grant;
sys Int(0..2)[2][2] level;
gar G grant[0] = request[0];
gar trans next(grant[1]) <-> request[2];
gar alw sensor[1] = HIGH -> level[1][0] = 2;
gar alw sensor[0] = OFF -> level[0][1] = 1;
gar alwEv level[1][1] = 2;
gar alwEv level[1][1] = 0;
";

/// As written with a reset port, and with words for arrays.
#[test]
fn arrays_are_words_and_the_reset_port_resets() {
    let mut sources = Sources::new();
    let file = sources.add("arrays.spectra", ARRAYS);
    let spec = spectra::parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:?}"));
    let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
    let rules = game
        .rules(&Selection::everything(&spec))
        .expect("no limits");
    let solution = rules.solve().expect("no limits");
    let mut circuit = controller(&rules, &solution, &Limits::default(), true).expect("no limits");
    circuit.reset_port = Some("rst".to_string());
    let mut written = Written::new(circuit, Form::Verilog).expect("a text");
    let text = String::from_utf8_lossy(&written.text.bytes).into_owned();
    for part in [
        "input  wire rst,",
        "input  wire [2:0] request,",
        "input  wire [3:0] sensor,",
        "output wire [7:0] level",
        "localparam [1:0] HIGH = 2'd1;",
        "assign grant[0] = request[0];",
        "if (rst) begin",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    assert!(!text.contains('\\'), "an escaped name in\n{text}");
    let is_certified = |written: &Written| {
        let check = written.certify_gr1(&spec, &Limits::default());
        check.is_ok_and(|check| matches!(check, Check::Certified(_)))
    };
    assert!(is_certified(&written), "{text}");
    // The element that a guarantee is about is where the language has it.
    let swapped = text.replace("assign level[5:4]", "assign level[9:9]");
    let swapped = swapped.replace("assign level[3:2]", "assign level[5:4]");
    let swapped = swapped.replace("assign level[9:9]", "assign level[3:2]");
    assert_ne!(swapped, text);
    written.text.bytes = swapped.into_bytes();
    assert!(!is_certified(&written));
    // A reset that leaves a register alone is none.
    let first = text.find("if (rst) begin\n").expect("a reset") + "if (rst) begin\n".len();
    let end = first + text[first..].find('\n').expect("a line") + 1;
    let incomplete = format!("{}{}", &text[..first], &text[end..]);
    written.text.bytes = incomplete.into_bytes();
    assert!(!is_certified(&written));
}

fn check(name: &str, text: &str, folder: &Path) {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let spec = spectra::parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:?}"));
    let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
    let rules = game
        .rules(&Selection::everything(&spec))
        .expect("no limits");
    let solution = rules.solve().expect("no limits");
    if !solution.realizable {
        return;
    }
    let mut circuit = controller(&rules, &solution, &Limits::default(), true).expect("no limits");
    circuit.reset_port = Some("restart".to_string());
    let written = Written::new(circuit, Form::Verilog);
    let written = written.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    let check = written.certify_gr1(&spec, &Limits::default());
    let check = check.expect("a question");
    assert!(matches!(check, Check::Certified(_)), "{name}");
    let path = folder.join("controller.v");
    std::fs::write(&path, &written.text.bytes).expect("a written file");
    let path = path.display().to_string();
    let yosys = format!("read_verilog {path}; prep -flatten");
    let tools: [(&str, Vec<&str>); 3] = [
        ("yosys", vec!["-q", "-p", &yosys]),
        ("iverilog", vec!["-g2001", "-Wall", "-t", "null", &path]),
        ("verilator", vec!["--lint-only", "-Wno-fatal", &path]),
    ];
    for (tool, arguments) in tools {
        let output = Command::new(tool).args(&arguments).output();
        let output = output.unwrap_or_else(|error| panic!("{tool} does not start: {error}"));
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {tool}: {log}");
    }
}

#[test]
fn other_tools_read_controllers() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("controllers");
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    check("odd.spectra", ODD, &folder);
    check("arrays.spectra", ARRAYS, &folder);
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    for entry in std::fs::read_dir(specs).expect("the examples").flatten() {
        let path = entry.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "spectra")
        {
            let text = std::fs::read_to_string(&path).expect("a readable file");
            check(&path.display().to_string(), &text, &folder);
        }
    }
}
