//! A second opinion on the syntax of SystemVerilog: the parser `sv-parser`, which follows the
//! grammar of IEEE 1800-2017 rule by rule and shares nothing with ours.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Its functions call each other very deeply.
const STACK: usize = 1 << 30;

/// What is not legal in a text, if anything.
pub fn mistake(text: &str) -> Option<String> {
    let text = text.to_string();
    let parse = move || {
        let includes: [PathBuf; 0] = [];
        let path = Path::new("text.sv");
        let parsed = sv_parser::parse_sv_str(&text, path, &HashMap::new(), &includes, false, false);
        parsed.err().map(|error| format!("{error:?}"))
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(parse);
    let answer = thread.expect("a thread").join();
    answer.unwrap_or_else(|_| Some("the parser gave up".to_string()))
}

/// Fails unless a text is legal.
pub fn check(name: &str, text: &str) {
    if let Some(mistake) = mistake(text) {
        panic!("{name} is not legal SystemVerilog: {mistake}\n{text}");
    }
}
