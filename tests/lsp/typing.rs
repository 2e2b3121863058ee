//! Diagnostics as a text is typed.

use crate::client::Client;
use crate::{folder, places, write};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A text with a mistake, and without it.
fn check_format(name: &str, wrong: &str, place: (&str, u64, u64), right: &str) {
    let path = folder("formats").join(name);
    let mut client = Client::new();
    client.open(&path, wrong);
    let (code, line, column) = place;
    let found = client.diagnostics(&path);
    assert_eq!(
        places(&found),
        [(code.to_string(), line, column)],
        "{found:#?}"
    );
    assert_eq!(found[0]["severity"], json!(1));
    client.replace(&path, right);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new(), "{name}");
}

#[test]
fn every_language_has_diagnostics_where_they_belong() {
    check_format(
        "a.sv",
        "module m(input clk, input a, output y);\n  assign y = b;\nendmodule\n",
        ("R0307", 1, 13),
        "module m(input clk, input a, output y);\n  assign y = a;\nendmodule\n",
    );
    check_format(
        "a.ltl",
        "assert live: G (a -> );\n",
        ("R0204", 0, 21),
        "assert live: G (a -> F b);\n",
    );
    check_format(
        "a.spectra",
        "module M\nenv boolean a;\nsys boolean b;\ngar G (b = c);\n",
        ("R0401", 3, 11),
        "module M\nenv boolean a;\nsys boolean b;\ngar G (b = a);\n",
    );
    let tlsf = |formula: &str| {
        format!(
            "INFO {{\n  TITLE: \"t\"\n  DESCRIPTION: \"d\"\n  SEMANTICS: Mealy\n  TARGET: Mealy\n}}\n\
             MAIN {{\n  INPUTS {{ a; }}\n  OUTPUTS {{ b; }}\n  GUARANTEE {{ {formula}; }}\n}}\n"
        )
    };
    check_format(
        "a.tlsf",
        &tlsf("G (a <-> c)"),
        ("R0401", 9, 23),
        &tlsf("G (a <-> b)"),
    );
    check_format(
        "a.structuredslugs",
        "[INPUT]\na\n[OUTPUT]\nb\n[SYS_TRANS]\nb <-> c\n",
        ("R0401", 5, 6),
        "[INPUT]\na\n[OUTPUT]\nb\n[SYS_TRANS]\nb <-> a\n",
    );
}

/// A design of many lines, one register in each; line `broken` has a mistake.
fn long_design(lines: usize) -> String {
    let mut text = String::from("module long(input clk, input [7:0] a, output [7:0] y);\n");
    let registers = (lines - 4) / 2;
    for number in 0..registers {
        text.push_str(&format!("  reg [7:0] r{number} = 0;\n"));
    }
    text.push_str("  always @(posedge clk) r0 <= a;\n");
    for number in 1..registers {
        let before = number - 1;
        text.push_str(&format!(
            "  always @(posedge clk) r{number} <= r{before} + 8'd1;\n"
        ));
    }
    text.push_str(&format!("  assign y = r{};\nendmodule\n", registers - 1));
    text
}

/// The versions of the diagnostics that came for a text.
fn versions(client: &Client, path: &Path) -> Vec<i64> {
    let uri = crate::client::uri(path);
    let seen = client.seen.iter();
    let of_path = seen.filter(|one| one["params"]["uri"] == json!(uri));
    of_path
        .filter_map(|one| one["params"]["version"].as_i64())
        .collect()
}

/// 100 edits, each of which makes or mends a mistake. How long they take is measured by
/// `benches/lsp/run`.
#[test]
fn each_edit_of_a_long_text_gets_its_own_diagnostics() {
    let path = folder("edits").join("long.v");
    let lines = 200;
    let text = long_design(lines);
    let mut client = Client::new();
    client.open(&path, &text);
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    let first = (lines - 4) / 2 + 2;
    for number in 0..50 {
        // `r7 + 8'd1` becomes `q7 + 8'd1`, and is mended.
        let line = first + number;
        let shown: Vec<&str> = text.lines().collect();
        let column = shown[line].find("<= r").expect("a register") + 3;
        let version = client.edit(&path, line, (column, column + 1), "q");
        let found = client.diagnostics(&path);
        let expected = ("R0307".to_string(), line as u64, column as u64);
        assert_eq!(places(&found), [expected], "version {version}");
        client.edit(&path, line, (column, column + 1), "r");
        assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    }
    let found = versions(&client, &path);
    let expected: Vec<i64> = (1..=101).collect();
    assert_eq!(found, expected);
}

#[test]
fn diagnostics_of_older_texts_never_come() {
    let path = folder("flood").join("long.v");
    let text = long_design(400);
    let mut client = Client::new();
    client.open(&path, &text);
    for number in 0..40 {
        let (from, to) = if number % 2 == 0 {
            ("r", "q")
        } else {
            ("q", "r")
        };
        let shown: Vec<String> = client.text(&path).lines().map(str::to_string).collect();
        let line = 205;
        let column = shown[line].find(&format!("<= {from}")).expect("a register") + 3;
        client.edit(&path, line, (column, column + 1), to);
        if number % 7 == 0 {
            client.diagnostics(&path);
        }
    }
    assert_eq!(client.diagnostics(&path), Vec::<Value>::new());
    let found = versions(&client, &path);
    assert!(found.is_sorted() && found.last() == Some(&41), "{found:?}");
    // Nothing comes after the last version.
    client.request("no/such/method", Value::Null);
    assert_eq!(versions(&client, &path), found);
}

#[test]
fn columns_are_those_that_were_agreed_on() {
    let folder = folder("columns");
    let path = folder.join("a.spectra");
    let text = "module M\r\nenv boolean a;\r\nsys boolean b;\r\ngar /* 𝄞é */ G (b = c);\r\n";
    let check = |encodings: Value, word: &str, column: u64| {
        let general = json!({ "positionEncodings": encodings });
        let params = json!({ "capabilities": { "general": general } });
        let mut client = Client::initialized(&[], params);
        assert_eq!(client.capabilities["positionEncoding"], json!(word));
        client.open(&path, text);
        let found = client.diagnostics(&path);
        assert_eq!(places(&found), [("R0401".to_string(), 3, column)]);
        // An edit in the same columns mends it.
        let at = json!({ "line": 3, "character": column });
        let end = json!({ "line": 3, "character": column + 1 });
        let change = json!({ "range": { "start": at, "end": end }, "text": "a" });
        let document = json!({ "uri": crate::client::uri(&path), "version": 2 });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        client.notify("textDocument/didChange", params);
        let found = client.diagnostics_where(&path, |one| one["version"] == json!(2));
        assert_eq!(found, Vec::<Value>::new());
    };
    check(json!(["utf-16"]), "utf-16", 21);
    check(json!(["utf-16", "utf-8"]), "utf-8", 24);
    check(Value::Null, "utf-16", 21);
}

/// A project of two files and a property file.
fn project(test: &str) -> (PathBuf, PathBuf, PathBuf) {
    let folder = folder(test);
    write(
        &folder,
        "respin.toml",
        "top = \"top\"\nfiles = [\"top.v\", \"unit.v\"]\nproperties = [\"top.ltl\"]\n",
    );
    let top = "`include \"widths.vh\"\nmodule top(input clk, input [`WIDTH-1:0] a, output [3:0] y);\n  \
        unit #(.STEP(3)) u(.clk(clk), .d(a), .q(y));\nendmodule\n";
    let unit = "module unit #(parameter STEP = 1)(input clk, input [3:0] d, output reg [3:0] q);\n  \
        initial q = 0;\n  always @(posedge clk) q <= d + STEP;\nendmodule\n";
    write(&folder, "widths.vh", "`define WIDTH 4\n");
    let top = write(&folder, "top.v", top);
    let unit = write(&folder, "unit.v", unit);
    let properties = write(
        &folder,
        "top.ltl",
        "assert moves: G (Y true -> y == Y a + 3);\n",
    );
    (top, unit, properties)
}

#[test]
fn files_of_a_project_are_seen_as_the_editor_has_them() {
    let (top, unit, properties) = project("project");
    write(
        top.parent().expect("a folder"),
        "top.ltl",
        "assert small: G (y < 16);\n",
    );
    let mut client = Client::new();
    client.open_file(&top);
    assert_eq!(client.diagnostics(&top), Vec::<Value>::new());
    client.open_file(&unit);
    assert_eq!(client.diagnostics(&unit), Vec::<Value>::new());
    // A port gets another name, and is not saved: the other file is wrong now.
    let renamed = client
        .text(&unit)
        .replace("d +", "data +")
        .replace("] d,", "] data,");
    client.replace(&unit, &renamed);
    let found = client.diagnostics_where(&top, |one| one["diagnostics"] != json!([]));
    assert_eq!(places(&found)[0].1, 2, "{found:#?}");
    // The property file is read with the design.
    client.open(&properties, "assert small: G (z < 16);\n");
    client.replace(&unit, &renamed.replace("data", "d"));
    let found = client.diagnostics_where(&properties, |one| one["diagnostics"] != json!([]));
    assert_eq!(places(&found)[0].1, 0, "{found:#?}");
    // A text that is closed counts as it is on the disk.
    client.notify(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": crate::client::uri(&properties) } }),
    );
    let found = client.diagnostics_where(&properties, |one| one["diagnostics"] == json!([]));
    assert_eq!(found, Vec::<Value>::new());
}

#[test]
fn an_import_that_is_edited_matters_to_who_imports_it() {
    let folder = folder("imports");
    let library = write(&folder, "lib.spectra", "predicate p(boolean x) { !x }\n");
    let main = "import \"lib.spectra\"\nmodule M\nenv boolean a;\nsys boolean b;\ngar G p(b);\n";
    let main = write(&folder, "main.spectra", main);
    let mut client = Client::new();
    client.open_file(&main);
    assert_eq!(client.diagnostics(&main), Vec::<Value>::new());
    client.open_file(&library);
    client.replace(&library, "predicate other(boolean x) { !x }\n");
    let found = client.diagnostics_where(&main, |one| one["diagnostics"] != json!([]));
    assert_eq!(places(&found)[0].1, 4, "{found:#?}");
}

#[test]
fn a_diagnostic_names_other_places_and_offers_what_its_help_says() {
    let folder = folder("related");
    let path = folder.join("a.v");
    let mut client = Client::new();
    let text = "module m(input a, output y);\n  assign y = a;\nendmodule\nmodule m;\nendmodule\n";
    client.open(&path, text);
    let found = client.diagnostics(&path);
    let related = &found[0]["relatedInformation"];
    assert_eq!(
        related[0]["location"]["range"]["start"]["line"],
        json!(0),
        "{found:#?}"
    );
    // A warning whose help is an edit.
    let text =
        "module m(input clk, input a, b, output reg y);\n  always @(a) y = a & b;\nendmodule\n";
    client.replace(&path, text);
    let found = client.diagnostics(&path);
    let actions = client.actions(&path, &found[0]);
    assert_eq!(actions.len(), 1, "{found:#?}");
    client.apply(&actions[0]);
    assert_eq!(
        client.diagnostics(&path),
        Vec::<Value>::new(),
        "{}",
        client.text(&path)
    );
}
