//! The same design through our front end for Verilog, through Yosys and its JSON, and through
//! JSON that we wrote: equal circuits, which ABC proves.

use super::{folder, verdict, yosys};
use respin::design::aiger::AigerFile;
use respin::design::reserved::CONDITION_PREFIX;
use respin::design::yosys_json::{self, YosysNetlist};
use respin::design::{Design, InputKind, Literal, NodeId, Reset, verilog};
use respin::expr::{Expr, ExprKind, PropertyBody, PropertyItem, Role};
use respin::source::Sources;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::process::Command;

fn of_source(path: &Path, top: Option<&str>) -> Design {
    let mut sources = Sources::default();
    let text = std::fs::read_to_string(path).expect("a design");
    let file = sources.add("design.v", text);
    let tree = verilog::parse(&sources, &[file], &|_, _| None, &[]).expect("Verilog");
    let options = verilog::Options {
        top: top.map(str::to_string),
        allows_latches: true,
        ..verilog::Options::default()
    };
    verilog::elaborate(&tree, &options)
        .expect("a design")
        .design
}

fn of_json(text: &str) -> YosysNetlist {
    let mut sources = Sources::default();
    let file = sources.add("design.json", text);
    yosys_json::read(text, file, None, &mut |_| None)
        .unwrap_or_else(|problem| panic!("{problem:?}"))
}

fn is_unknown(name: &str) -> bool {
    name.starts_with("unknown$") || name.starts_with("anyseq$")
}

/// A copy inside of another design; inputs are found by name. What is free starts with zero.
fn copy(
    from: &Design,
    into: &mut Design,
    inputs: &HashMap<String, Literal>,
) -> HashMap<String, Literal> {
    let mut known: HashMap<NodeId, Literal> = HashMap::new();
    known.insert(
        Literal::TRUE.node(),
        Literal::FALSE.complement_if(!Literal::TRUE.is_complemented()),
    );
    let map = |known: &HashMap<NodeId, Literal>, literal: Literal| {
        known[&literal.node()].complement_if(literal.is_complemented())
    };
    for id in from.inputs() {
        let name = from.name(*id).unwrap_or_default();
        known.insert(*id, inputs.get(name).copied().unwrap_or(Literal::FALSE));
    }
    let mut latches = Vec::new();
    for id in from.latches() {
        let latch = from.latch(*id).expect("a latch");
        let inverted = latch.reset == Reset::One;
        let copy = into.add_latch(Reset::Zero);
        known.insert(*id, copy.literal().complement_if(inverted));
        latches.push((copy, latch.next, inverted));
    }
    for id in from.topological_order().expect("no loops") {
        if let Some((left, right)) = from.gate(id) {
            let gate = into.and(map(&known, left), map(&known, right));
            known.insert(id, gate);
        }
    }
    for (copy, next, inverted) in latches {
        into.set_next(copy, map(&known, next).complement_if(inverted));
    }
    from.outputs()
        .iter()
        .map(|output| {
            (
                output.name.clone().expect("a name"),
                map(&known, output.literal),
            )
        })
        .filter(|(name, _)| !name.starts_with(CONDITION_PREFIX))
        .collect()
}

/// Whether ABC proves that two designs have the same outputs on all runs.
fn are_equal(name: &str, left: &Design, right: &Design, folder: &Path) -> bool {
    let names = |design: &Design| -> BTreeSet<String> {
        let names = design.inputs().iter().filter_map(|id| design.name(*id));
        names
            .filter(|name| !is_unknown(name))
            .map(str::to_string)
            .collect()
    };
    let mut product = Design::new();
    let mut inputs = HashMap::new();
    for name in names(left).union(&names(right)) {
        let id = product.add_input(InputKind::Environment);
        product.set_name(id, name.clone());
        inputs.insert(name.clone(), id.literal());
    }
    let ours = copy(left, &mut product, &inputs);
    let theirs = copy(right, &mut product, &inputs);
    let keys = |map: &HashMap<String, Literal>| map.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&ours), keys(&theirs), "{name}: outputs");
    let mut same = Literal::TRUE;
    for (output, literal) in &ours {
        let equal = product.equal(*literal, theirs[output]);
        same = product.and(same, equal);
    }
    let item = PropertyItem {
        role: Role::Assert,
        name: None,
        span: None,
        body: PropertyBody::Invariant(Expr {
            kind: ExprKind::Net(same.code()),
            span: None,
        }),
    };
    let file = AigerFile::from_design(product, &[item]).expect("a file");
    let path = folder.join(format!("{name}.aig"));
    std::fs::write(&path, file.to_binary().expect("bytes")).expect("a written file");
    let script = format!("read {}; fold; scorr; pdr", path.display());
    let output = Command::new("berkeley-abc").args(["-c", &script]).output();
    let output = output.expect("berkeley-abc is installed; tests/run does it");
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
fn designs_are_the_same_through_yosys() {
    let folder = folder("equal");
    let hdl = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl");
    let mut designs: Vec<_> = std::fs::read_dir(&hdl)
        .expect("examples")
        .flatten()
        .collect();
    designs.sort_by_key(|entry| entry.file_name());
    let mut compared = 0;
    for entry in designs {
        let path = entry.path().join("fixed.v");
        let Ok(expected) = std::fs::read_to_string(entry.path().join("expected")) else {
            continue;
        };
        if !path.is_file() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let top = expected
            .split_whitespace()
            .skip_while(|word| *word != "--top")
            .nth(1);
        let chosen = match top {
            Some(top) => format!("-top {top}"),
            None => "-auto-top".to_string(),
        };
        let words = format!(
            "read_verilog -sv {}; hierarchy -check {chosen}; prep -flatten; memory_map; opt_clean; \
             setundef -zero -init; setundef -zero -undriven; write_json {name}.json; \
             techmap; simplemap; opt_clean; write_json {name}-gates.json; \
             aigmap; opt_clean; write_json {name}-aig.json",
            path.display()
        );
        yosys(&["-q", "-p", &words], &folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        let ours = of_source(&path, top);
        for level in ["", "-gates", "-aig"] {
            let text = std::fs::read_to_string(folder.join(format!("{name}{level}.json")));
            let theirs = of_json(&text.expect("a netlist"));
            let case = format!("{name}{level}");
            assert!(are_equal(&case, &ours, &theirs.design, &folder), "{case}");
            if level == "-gates" {
                // What we write is read by us and by Yosys, and is the same circuit.
                let written = yosys_json::write(
                    &theirs.design,
                    &theirs.properties,
                    &theirs.interface,
                    &|_| None,
                );
                let written = written.expect("a netlist");
                let again = of_json(&written);
                assert!(are_equal(
                    &format!("{case}-again"),
                    &ours,
                    &again.design,
                    &folder
                ));
                let twice =
                    yosys_json::write(&again.design, &again.properties, &again.interface, &|_| {
                        None
                    });
                assert_eq!(
                    of_json(&twice.expect("a netlist")).interface,
                    theirs.interface
                );
                let file = folder.join("written.json");
                std::fs::write(&file, written).expect("a written file");
                yosys(
                    &[
                        "-q",
                        "-p",
                        "read_json written.json; check -assert; opt_clean; write_json back.json",
                    ],
                    &folder,
                )
                .unwrap_or_else(|error| panic!("{case}: {error}"));
                let text = std::fs::read_to_string(folder.join("back.json")).expect("a netlist");
                assert!(are_equal(
                    &format!("{case}-back"),
                    &ours,
                    &of_json(&text).design,
                    &folder
                ));
            }
        }
        compared += 1;
    }
    assert!(compared >= 50, "{compared} designs");
}

/// A register of the global clock moves in each step, and one of another clock at its edges.
const GLOBAL_CLOCK: &str = "module m(input clk, input [1:0] x, output reg [1:0] q, p);
  (* gclk *) reg g;
  initial begin q = 0; p = 0; end
  always @(posedge g) q <= q + x;
  always @(posedge clk) p <= q ^ x;
endmodule
";

#[test]
fn the_global_clock_is_that_of_yosys() {
    let folder = folder("global-clock");
    std::fs::write(folder.join("m.v"), GLOBAL_CLOCK).expect("a design");
    let script = "read_verilog -sv m.v; prep -flatten; clk2fflogic; simplemap; techmap; \
                  setundef -zero -init; setundef -zero -undriven; opt_clean; aigmap; \
                  write_aiger -symbols m.aig";
    yosys(&["-q", "-p", script], &folder).expect("a circuit");
    let words = ["verify", "-q", "m.v", "--reference", "m.aig"];
    assert_eq!(verdict(&words, &folder), "PASS");
}
