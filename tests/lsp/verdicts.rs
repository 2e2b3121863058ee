//! The verdict when a text is saved, and what can be done about it.

use crate::client::{Client, uri};
use crate::{folder, places, root, write};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The FIFO of `hdl/`, whose level counter is wrong, as a project.
fn fifo(test: &str) -> (PathBuf, PathBuf) {
    let folder = folder(test);
    let copy = |name: &str| {
        let from = root().join("hdl/fifo-level").join(name);
        let text = std::fs::read_to_string(from).expect("an example");
        write(&folder, name, &text)
    };
    let project =
        "files = [\"faulty.v\"]\nproperties = [\"properties.ltl\"]\nreset = \"rst_n=0\"\n";
    write(&folder, "respin.toml", project);
    (copy("faulty.v"), copy("properties.ltl"))
}

fn is_error(one: &Value) -> bool {
    one["severity"] == json!(1)
}

#[test]
fn a_correction_is_found_applied_and_holds() {
    let (design, properties) = fifo("correction");
    let mut client = Client::new();
    client.open_file(&design);
    assert_eq!(client.diagnostics(&design), Vec::<Value>::new());
    client.save(&design);
    // The property that fails is underlined in its own file, which is not even open.
    let found = client.diagnostics_where(&properties, |one| one["diagnostics"] != json!([]));
    let errors: Vec<Value> = found.into_iter().filter(is_error).collect();
    assert_eq!(places(&errors), [(String::new(), 1, 0)], "{errors:#?}");
    let message = errors[0]["message"].as_str().expect("a text");
    assert!(
        message.starts_with("`push0` fails in step 2\n"),
        "{message}"
    );
    // The correction stands where the fault is.
    let found = client.diagnostics_where(&design, |one| one["diagnostics"] != json!([]));
    let correction = found.iter().find(|one| {
        let message = one["message"].as_str().unwrap_or_default();
        message.starts_with("correction 1: ")
    });
    let correction = correction.expect("a correction");
    assert_eq!(correction["range"]["start"]["line"], json!(24));
    let actions = client.actions(&design, correction);
    assert_eq!(actions[0]["isPreferred"], json!(true));
    client.apply(&actions[0]);
    assert!(
        client
            .text(&design)
            .contains("2'b10: level <= level + 2'd1;")
    );
    assert_eq!(client.diagnostics(&design), Vec::<Value>::new());
    client.save(&design);
    client.log("PASS");
    // What was said of the property file is taken back.
    let last = client
        .seen
        .iter()
        .rfind(|one| one["params"]["uri"] == json!(uri(&properties)));
    let last = &last.expect("diagnostics")["params"]["diagnostics"];
    let left = last
        .as_array()
        .expect("a list")
        .iter()
        .filter(|one| is_error(one))
        .count();
    assert_eq!(left, 0, "{last:#?}");
}

#[test]
fn assertions_of_a_file_alone_are_judged_as_well() {
    let folder = folder("alone");
    let text = "module m(input clk, input a, output reg b);\n  initial b = 0;\n  \
        always @(posedge clk) b <= !a;\n  \
        copies: assert property (@(posedge clk) a |=> b);\nendmodule\n";
    let path = write(&folder, "m.sv", text);
    let mut client = Client::new();
    client.open_file(&path);
    client.diagnostics(&path);
    client.save(&path);
    let found = client.diagnostics_where(&path, |one| one["diagnostics"] != json!([]));
    let errors: Vec<Value> = found.into_iter().filter(is_error).collect();
    assert_eq!(places(&errors)[0].1, 3, "{errors:#?}");
    // What asserts nothing has no verdict, and nothing to complain about.
    client.replace(
        &path,
        "module m(input a, output b);\n  assign b = a;\nendmodule\n",
    );
    client.diagnostics(&path);
    client.save(&path);
    let params = json!({ "command": "respin.verdict", "arguments": [uri(&path)] });
    client.request("workspace/executeCommand", params);
    client.wait(|one| one["params"]["value"]["kind"] == "end");
    let last = client
        .seen
        .iter()
        .rfind(|one| one["params"]["uri"] == json!(uri(&path)));
    assert_eq!(
        last.expect("diagnostics")["params"]["diagnostics"],
        json!([])
    );
}

/// Saves a specification, and applies an action after which it is realizable.
fn check_remedy(name: &str, text: &str, core: &[u64], title: &str) {
    let path = write(&folder("remedies"), name, text);
    let mut client = Client::new();
    client.open_file(&path);
    client.diagnostics(&path);
    client.save(&path);
    client.log("UNREALIZABLE");
    let is_core = |one: &Value| one["code"] == json!("R0700") && is_error(one);
    let found = client.diagnostics_where(&path, |one| {
        let all = one["diagnostics"].as_array().expect("a list");
        all.iter().any(is_core)
    });
    let found: Vec<Value> = found.into_iter().filter(is_core).collect();
    let lines: Vec<u64> = places(&found).iter().map(|one| one.1).collect();
    assert_eq!(lines, core, "{found:#?}");
    let actions = client.actions(&path, &found[0]);
    let titles: Vec<&str> = actions
        .iter()
        .filter_map(|one| one["title"].as_str())
        .collect();
    let index = titles.iter().position(|one| one.starts_with(title));
    let index = index.unwrap_or_else(|| panic!("{title} is none of {titles:#?}"));
    client.apply(&actions[index]);
    assert_eq!(
        client.diagnostics(&path),
        Vec::<Value>::new(),
        "{}",
        client.text(&path)
    );
    client.save(&path);
    let verdict = client.log("REALIZABLE: ");
    assert!(
        !verdict.contains("UNREALIZABLE"),
        "{verdict}\n{}",
        client.text(&path)
    );
}

const COPY: &str = "module DelayedCopy\nenv boolean e;\nsys boolean s;\nasm startsHigh: ini e;\n\
    asm constant: G next(e) = e;\nasm high: GF e;\ngar outputStartsHigh:\n  ini s;\n\
    gar copies:\n  G next(s) = e;\ngar differs:\n  GF (!s & e);\n";

#[test]
fn a_guarantee_of_the_core_is_dropped() {
    check_remedy("copy.spectra", COPY, &[8, 10], "respin: drop differs");
}

#[test]
fn a_guarantee_of_the_core_is_weakened() {
    check_remedy("copy.spectra", COPY, &[8, 10], "respin: weaken copies to ");
}

#[test]
fn an_assumption_is_added() {
    let text = "module Grant\nenv boolean request;\nenv boolean ready;\nsys boolean grant;\n\
        gar only: G (grant -> ready);\ngar served: GF grant;\n";
    check_remedy("grant.spectra", text, &[4, 5], "respin: assume `");
}

const AHEAD: &str = "INFO {\n  TITLE: \"t\"\n  DESCRIPTION: \"d\"\n  SEMANTICS: Mealy\n  \
    TARGET: Mealy\n}\nMAIN {\n  INPUTS { a; }\n  OUTPUTS { b; }\n  GUARANTEE {\n    \
    G (b <-> X a);\n    G F b;\n  }\n}\n";

#[test]
fn a_formula_of_tlsf_is_dropped() {
    check_remedy("t.tlsf", AHEAD, &[10, 11], "respin: drop ");
}

#[test]
fn a_formula_of_tlsf_is_weakened() {
    let text = AHEAD.replace("b <-> X a", "a -> b").replace("F b", "F !b");
    check_remedy("t.tlsf", &text, &[10, 11], "respin: weaken guarantee_2 to ");
}

#[test]
fn a_section_of_tlsf_is_added() {
    let text = AHEAD.replace("X a", "a");
    check_remedy(
        "t.tlsf",
        &text,
        &[10, 11],
        "respin: assume `ASSUME { G F a; }`",
    );
}

/// A program that answers as ours does, but sleeps over verdicts and leaves its number.
#[test]
fn a_change_ends_the_verdict_that_is_under_way() {
    let (design, _) = fifo("cancelled");
    let folder = design.parent().expect("a folder").to_path_buf();
    let script = format!(
        "#!/bin/sh\ncat > {folder}/question.$$\nif grep -q '\"ask\":\"Verdict\"' {folder}/question.$$\n\
         then echo $$ > {folder}/sleeper.new; mv {folder}/sleeper.new {folder}/sleeper; exec sleep 600\n\
         else exec {program} \"$@\" < {folder}/question.$$\nfi\n",
        folder = folder.display(),
        program = env!("CARGO_BIN_EXE_respin"),
    );
    let program = crate::hostile::program(&folder, &script);
    let params = json!({ "capabilities": { "window": { "workDoneProgress": true } } });
    let mut client = Client::initialized(&["--analysis", &program], params);
    client.open_file(&design);
    client.diagnostics(&design);
    client.save(&design);
    let begun = client.wait(|one| one["params"]["value"]["kind"] == "begin");
    let token = begun["params"]["token"].clone();
    let sleeper = folder.join("sleeper");
    crate::hostile::until("the verdict begins", || sleeper.exists());
    let number = std::fs::read_to_string(&sleeper).expect("a number");
    let process = PathBuf::from("/proc").join(number.trim());
    assert!(process.exists());
    let text = client.text(&design).to_string();
    client.replace(&design, &format!("// more\n{text}"));
    let ended = client.wait(|one| one["params"]["value"]["kind"] == "end");
    assert_eq!(ended["params"]["token"], token);
    assert_eq!(client.diagnostics(&design), Vec::<Value>::new());
    crate::hostile::until("the process is gone", || !process.exists());
    // The user ends the next one.
    client.save(&design);
    let begun = client.wait(|one| one["params"]["value"]["kind"] == "begin");
    client.notify(
        "window/workDoneProgress/cancel",
        json!({ "token": begun["params"]["token"] }),
    );
    client.wait(|one| one["params"]["value"]["kind"] == "end");
    // And nothing is left running once the server has gone.
    client.notify("exit", Value::Null);
    client.exit_status();
}

#[test]
fn settings_switch_verdicts_off() {
    let (design, _) = fifo("settings");
    let options = json!({ "verdictOnSave": false });
    let params = json!({ "capabilities": {}, "initializationOptions": options });
    let mut client = Client::initialized(&[], params);
    client.open_file(&design);
    client.diagnostics(&design);
    client.save(&design);
    client.request("no/such/method", Value::Null);
    let text = client.text(&design).to_string();
    client.replace(&design, &format!("{text}\n"));
    client.diagnostics(&design);
    let said = client
        .seen
        .iter()
        .any(|one| one["method"] == "window/logMessage");
    assert!(!said, "no verdict was asked for");
}
