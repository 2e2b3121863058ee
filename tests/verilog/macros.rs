//! What a macro stands for is not edited, and takes no new value: only its use as a whole.

use super::netlist::folder;
use respin::design::verilog::{self, Options, Project, edits};
use respin::source::{Sources, Span};
use std::process::Command;

/// Components and edits of a design, by their texts.
fn places(text: &str) -> (Vec<(String, String)>, Vec<String>) {
    let mut sources = Sources::new();
    let project = Project {
        files: vec![sources.add("design.v", text)],
        ..Project::default()
    };
    let options = Options {
        components: true,
        ..Options::default()
    };
    let tree = project.parse(&sources).expect("a design that we read");
    let open = verilog::elaborate(&tree, &options).expect("a design that we elaborate");
    let listed = edits::list(&tree, &open.modules, &open.checking_only, &sources);
    let text_of = |span: Span| sources.text(span).to_string();
    let components = open.components.iter();
    let components = components
        .map(|one| (format!("{:?}", one.kind), text_of(one.span)))
        .collect();
    let changes = listed.iter().flat_map(|edit| &edit.changes);
    let edited = changes.map(|(span, _)| text_of(*span)).collect();
    (components, edited)
}

fn module(macros: &str, body: &str) -> String {
    format!(
        "{macros}\nmodule m(input clk, input en, input [3:0] d, output reg [3:0] q);\n{body}\nendmodule\n"
    )
}

#[test]
fn the_condition_inside_of_a_macro_is_no_component() {
    let macros = "`define LIMIT 4'd9\n`define NEXT(q) ((q == `LIMIT) ? 4'd1 : q + 4'd1)";
    let text = module(macros, "always @(posedge clk) if (en) q <= `NEXT(q);");
    let (components, edited) = places(&text);
    let use_of = "`NEXT(q)".to_string();
    assert!(components.contains(&("Value".to_string(), use_of.clone())));
    assert!(!components.contains(&("Condition".to_string(), use_of.clone())));
    assert!(components.contains(&("Condition".to_string(), "en".to_string())));
    assert!(
        !edited.iter().any(|text| text.contains("NEXT")),
        "{edited:?}"
    );
}

#[test]
fn a_macro_that_is_a_condition_or_a_value_is_a_component() {
    let macros = "`define FULL (q == 4'd9)\n`define TOP d + 4'd1";
    let text = module(
        macros,
        "always @(posedge clk) if (`FULL) q <= `FULL ? d : `TOP; else q <= `TOP;",
    );
    let (components, _) = places(&text);
    for (kind, text) in [
        ("Condition".to_string(), "`FULL"),
        ("Value".to_string(), "`FULL ? d : `TOP"),
        ("Value".to_string(), "`TOP"),
    ] {
        assert!(
            components.contains(&(kind, text.to_string())),
            "{text}: {components:?}"
        );
    }
}

#[test]
fn statements_and_halves_of_them_are_no_components() {
    for (macros, body) in [
        ("`define SET q <= d + 4'd1;", "always @(posedge clk) `SET"),
        ("`define SET q <= d", "always @(posedge clk) `SET;"),
        ("`define SET if (en) q <= d;", "always @(posedge clk) `SET"),
        ("`define SET (en) q", "always @(posedge clk) if `SET <= d;"),
        (
            "`define SET case (d) 4'd1: q <= d; default: q <= 4'd2; endcase",
            "always @(posedge clk) `SET",
        ),
        (
            "`define SET assign",
            "reg [3:0] r; `SET r = d; always @(posedge clk) q <= r;",
        ),
        (
            "`define SET(v) always @(posedge clk) q <= en ? v : q;",
            "`SET(d)",
        ),
    ] {
        let (components, edited) = places(&module(macros, body));
        let of_macro = components.iter().find(|(_, text)| text.starts_with("`SET"));
        assert_eq!(of_macro, None, "{macros}");
        assert!(
            !edited.iter().any(|text| text.starts_with("`SET")),
            "{macros}: {edited:?}"
        );
    }
}

#[test]
fn operands_operators_and_literals_inside_of_a_macro_are_not_edited() {
    for text in [
        "!(en && d[0])",
        "d + 4'd3",
        "en ? d : 4'd3",
        "{d[2:0], en}",
        "d[1:0] == 2'd1 || en",
        "-d",
    ] {
        let macros = format!("`define TEXT {text}\n`define TEXTS ({text})");
        for name in ["TEXT", "TEXTS"] {
            let body = format!(
                "wire [3:0] w = `{name} & d; always @(posedge clk) if (`{name}) q <= `{name};"
            );
            let (_, edited) = places(&module(&macros, &body));
            assert!(
                !edited.iter().any(|one| one == &format!("`{name}")),
                "{text}: {edited:?}"
            );
        }
    }
}

#[test]
fn no_correction_of_a_condition_stands_in_the_place_of_a_macro() {
    let folder = folder("macros");
    let design = module(
        "`define NEXT(q) ((q == 4'd9) ? 4'd1 : q + 4'd1)",
        "initial q = 0; always @(posedge clk) if (en) q <= `NEXT(q);",
    );
    std::fs::write(folder.join("macro.v"), design).expect("a written file");
    let spec = "assert w: G ((en & q == 9) -> X (q == 0)); assert m: G (q <= 9); assert i: G ((en & q == 3) -> X q == 4);";
    std::fs::write(folder.join("macro.ltl"), spec).expect("a written file");
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["repair", "macro.v", "--spec", "macro.ltl"])
        .current_dir(&folder)
        .output()
        .expect("respin starts");
    let printed = String::from_utf8_lossy(&output.stdout);
    // Where the macro stands, a value was found, and no condition.
    assert!(printed.contains("rhs (macro.v:3:51)"), "{printed}");
    assert!(!printed.contains("condition (macro.v:3:51)"), "{printed}");
    assert!(printed.starts_with("REPAIRED"), "{printed}{output:?}");
}
