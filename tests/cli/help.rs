//! Help of every command.

use super::{COMMANDS, run, stdout};

fn check_order(text: &str, headings: &[&str]) {
    let places: Vec<Option<usize>> = headings
        .iter()
        .map(|heading| text.find(&format!("\n{heading}:\n")))
        .collect();
    assert!(
        places.is_sorted() && !places.contains(&None),
        "{headings:?} at {places:?} in\n{text}"
    );
}

#[test]
fn input_comes_before_processing_before_output() {
    for command in &COMMANDS[..12] {
        let help = run(&format!("{command} --help"));
        let headings = ["Input", "Processing", "Output", "General"];
        check_order(stdout(&help), &headings);
    }
}

#[test]
fn a_command_without_input_has_the_other_headings() {
    let help = run("man --help");
    check_order(stdout(&help), &["Processing", "Output", "General"]);
}

#[test]
fn files_come_first_in_the_help() {
    let help = run("verify -h");
    let text = stdout(&help);
    assert!(text.contains("\nInput:\n  [DESIGN]..."), "{text}");
}

#[test]
fn every_command_is_in_the_list() {
    let help = run("--help");
    for command in COMMANDS {
        assert!(
            stdout(&help).contains(&format!("\n  {command} ")),
            "{command}"
        );
    }
}

#[test]
fn help_is_a_success() {
    assert_eq!(run("repair --help").status.code(), Some(0));
}
