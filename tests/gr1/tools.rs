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
    let circuit = controller(&rules, &solution, &Limits::default(), true).expect("no limits");
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
