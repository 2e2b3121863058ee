//! What names mean, and where they are declared.

use crate::client::{Client, uri};
use crate::{folder, write};
use serde_json::{Value, json};
use std::path::Path;

/// Hovers over a part of a text: what is said has these words.
fn check_hover(client: &mut Client, path: &Path, part: &str, inside: usize, words: &[&str]) {
    let found = client.about("textDocument/hover", path, part, inside);
    let text = found["contents"]["value"].as_str().unwrap_or_default();
    for word in words {
        assert!(text.contains(word), "`{part}`: {word} is not in\n{text}");
    }
}

/// Goes to the definition of a part of a text: another part, of this or another file.
fn check_definition(client: &mut Client, path: &Path, part: (&str, usize), to: (&Path, &str)) {
    let found = client.about("textDocument/definition", path, part.0, part.1);
    let (file, target) = to;
    let text = std::fs::read_to_string(file).expect("a file");
    let offset = text.find(target).expect("the part is there");
    let line = text[..offset].matches('\n').count();
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let place = json!({ "line": line, "character": offset - start });
    assert_eq!(found[0]["uri"], json!(uri(file)), "{part:?}: {found}");
    assert_eq!(found[0]["range"]["start"], place, "{part:?}: {found}");
}

#[test]
fn names_of_a_design() {
    let folder = folder("names");
    write(
        &folder,
        "respin.toml",
        "files = [\"top.v\", \"unit.v\"]\nproperties = [\"top.ltl\"]\n",
    );
    let header = write(&folder, "widths.vh", "`define WIDTH 4\n");
    let top = write(
        &folder,
        "top.v",
        "`include \"widths.vh\"\nmodule top(input clk, input [`WIDTH-1:0] a, output [3:0] y);\n  \
         localparam HALF = 1 << 2;\n  wire signed [6:0] level = HALF;\n  \
         unit #(.STEP(3)) u(.clk(clk), .d(a), .q(y));\nendmodule\n",
    );
    let unit = write(
        &folder,
        "unit.v",
        "module unit #(parameter STEP = 1)(input clk, input [3:0] d, output reg [3:0] q);\n  \
         reg [2:0] level = 0;\n  initial q = 0;\n  \
         always @(posedge clk) begin q <= d + STEP; level <= level + 1; end\nendmodule\n",
    );
    let properties = write(
        &folder,
        "top.ltl",
        "define small := y < 15;\nassert always: G (small | y == 15 | level == 0);\n",
    );
    let mut client = Client::new();
    for path in [&top, &unit, &properties] {
        client.open_file(path);
        client.diagnostics(path);
    }
    check_hover(
        &mut client,
        &top,
        ".d(a)",
        3,
        &["input of 4 bits", "in module `top`"],
    );
    check_hover(
        &mut client,
        &top,
        "= HALF",
        3,
        &["localparam HALF = 1 << 2;", "value 4"],
    );
    check_hover(&mut client, &top, "level", 1, &["7 bits, signed"]);
    check_hover(
        &mut client,
        &top,
        "`WIDTH-1",
        2,
        &["`define WIDTH 4", "macro"],
    );
    check_hover(
        &mut client,
        &unit,
        "level <=",
        1,
        &["register of 3 bits", "in module `unit`"],
    );
    check_hover(
        &mut client,
        &unit,
        "+ STEP",
        3,
        &["parameter STEP = 1", "value 3"],
    );
    check_hover(
        &mut client,
        &properties,
        "level",
        1,
        &["7 bits, signed", "in module `top`"],
    );
    check_definition(&mut client, &top, (".d(a)", 3), (&top, "a, output"));
    check_definition(&mut client, &top, ("unit #", 1), (&unit, "unit #"));
    check_definition(&mut client, &top, ("`WIDTH-1", 2), (&header, "WIDTH"));
    check_definition(&mut client, &unit, ("level <=", 0), (&unit, "level = 0"));
    check_definition(
        &mut client,
        &properties,
        ("(small", 2),
        (&properties, "small"),
    );
    check_definition(&mut client, &properties, ("y == 15", 0), (&top, "y);"));
    let nothing = client.about("textDocument/definition", &top, "endmodule", 1);
    assert_eq!(nothing, json!([]));
    let nothing = client.about("textDocument/hover", &top, "endmodule", 1);
    assert_eq!(nothing, Value::Null);
}

#[test]
fn names_of_specifications() {
    let folder = folder("spec-names");
    let library = write(&folder, "lib.spectra", "predicate idle(boolean x) { !x }\n");
    let path = write(
        &folder,
        "a.spectra",
        "import \"lib.spectra\"\nmodule M\nenv {RED, GREEN} light;\nsys boolean go;\n\
         gar onlyGreen: G (go -> light = GREEN);\ngar G idle(go);\n",
    );
    let mut client = Client::new();
    client.open_file(&path);
    client.diagnostics(&path);
    check_hover(
        &mut client,
        &path,
        "light = ",
        1,
        &["env {RED, GREEN} light;", "environment"],
    );
    check_definition(&mut client, &path, ("light = ", 1), (&path, "light;"));
    check_definition(&mut client, &path, ("= GREEN", 3), (&path, "GREEN}"));
    check_definition(&mut client, &path, ("idle(go)", 1), (&library, "idle"));
    // Where the text is wrong elsewhere, its own names are still known.
    let text = client.text(&path).replace("gar G idle(go);", "gar G ((;");
    client.replace(&path, &text);
    assert!(!client.diagnostics(&path).is_empty());
    check_definition(&mut client, &path, ("light = ", 1), (&path, "light;"));
}

#[test]
fn a_diagnostic_is_explained() {
    let path = folder("codes").join("a.v");
    let mut client = Client::new();
    client.open(&path, "module m(output y);\n  assign y = b;\nendmodule\n");
    client.diagnostics(&path);
    check_hover(&mut client, &path, "b;", 0, &["**R0307: ", "To fix:"]);
}
