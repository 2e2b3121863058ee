//! Controllers as other programs read them: automata, and pictures.

use super::{folder, home, respin, root, succeeds};
use std::path::Path;
use std::process::{Command, Stdio};

/// A word on both sides, and inputs that are assumed not to come.
const FOLLOW: &str = "module Follow\nenv Int(0..2) level;\nsys {LOW, HIGH} lamp;\n\
    asm trans next(level) <= level + 1;\ngar alw lamp = HIGH <-> level = 2;\n";

/// Has a controller judged, whose outputs these are; whether it answers all inputs.
#[track_caller]
fn check(spec: &[&str], outputs: &str, answers_all: bool) {
    let folder = folder(&format!("automaton_{outputs}"));
    std::fs::write(folder.join("follow.spectra"), FOLLOW).expect("a specification");
    let line: Vec<&str> = [&["synth"], spec, &["--to", "hoa"]].concat();
    let (text, code) = respin(&line, &folder);
    assert_eq!(code, 0, "{text}");
    let file = folder.join("controller.hoa");
    std::fs::write(&file, text).expect("an automaton");
    let python = home("RESPIN_RESULTS", "results").join("bin/python");
    let said = succeeds(
        Command::new(python)
            .arg(root().join("tests/results/automaton.py"))
            .arg(outputs)
            .arg(&file),
    );
    let expected = match answers_all {
        true => "answers all inputs\n",
        false => "answers some inputs\n",
    };
    assert_eq!(said, expected, "{spec:?}");
}

fn example(name: &str) -> String {
    root().join("specs").join(name).display().to_string()
}

#[test]
fn automata_are_machines_by_the_grammar_of_the_format() {
    let robin = example("round_robin.tlsf");
    check(&[&robin, "-p", "n=3"], "grant_0,grant_1,grant_2", true);
    let philosophers = example("dining_philosophers_unpoisoned.spectra");
    check(&[&philosophers], "eats0,eats1", true);
    check(&["follow.spectra"], "lamp", false);
}

/// The picture that Graphviz makes of what a command prints.
fn drawn(line: &[&str], folder: &Path) -> String {
    let (text, code) = respin(line, folder);
    assert_eq!(code, 0, "{text}");
    let file = folder.join("controller.dot");
    std::fs::write(&file, text).expect("a graph");
    let input = std::fs::File::open(&file).expect("a graph");
    succeeds(Command::new("dot").arg("-Tsvg").stdin(Stdio::from(input)))
}

#[test]
fn graphviz_draws_what_stands_on_standard_output() {
    let folder = folder("graph");
    let picture = drawn(
        &["synth", &example("round_robin.tlsf"), "--to", "dot"],
        &folder,
    );
    let titles = picture.matches("class=\"node\"").count();
    assert!(titles >= 3, "{titles} nodes in {picture}");
    assert!(picture.contains("grant_1"), "{picture}");
}
