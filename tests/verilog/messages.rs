//! Whole messages: `tests/golden/verilog/NAME.txt` has a design, and behind a line of `=` what
//! is said about it. `UPDATE_GOLDEN=1 cargo test --test verilog messages` writes them anew;
//! read the difference before you keep it.

use super::netlist::elaborate_with;
use respin::design::verilog::Options;
use std::fs;
use std::path::Path;

const MARK: &str = "==========\n";

#[test]
fn messages_say_what_is_wrong_and_what_to_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/verilog");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the golden folder")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    paths.sort();
    assert!(paths.len() >= 10, "{} golden files", paths.len());
    for path in paths {
        let text = fs::read_to_string(&path).expect("a golden file");
        let design = text.split(MARK).next().unwrap_or_default();
        let said = match elaborate_with(design, &Options::default()) {
            Ok(_) => "accepted\n".to_string(),
            Err(said) => said,
        };
        let actual = format!("{design}{MARK}{}\n", said.trim_end());
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &actual).expect("the golden file is written");
        } else {
            assert_eq!(actual, text, "{}", path.display());
        }
    }
}
