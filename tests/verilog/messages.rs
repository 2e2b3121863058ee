//! Whole messages: `tests/golden/verilog/NAME.txt` has a design, and behind a line of `=` what
//! is said about it.

use super::netlist::elaborate_with;
use crate::golden;
use respin::design::verilog::Options;

const MARK: &str = "==========\n";

#[test]
fn messages_say_what_is_wrong_and_what_to_do() {
    let paths = golden::files(&golden::folder("verilog"));
    assert!(paths.len() >= 10, "{} golden files", paths.len());
    for path in paths {
        let text = golden::read(&path);
        let design = text.split(MARK).next().unwrap_or_default();
        let said = match elaborate_with(design, &Options::default()) {
            Ok(_) => "accepted\n".to_string(),
            Err(said) => said,
        };
        let actual = format!("{design}{MARK}{}\n", said.trim_end());
        golden::check(&path, &actual);
    }
}
