//! The checker shares no method with what it checks.

use std::fs;
use std::path::Path;

#[test]
fn certify_uses_neither_the_solvers_nor_their_monitors() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/certify");
    let forbidden = [
        "game::",
        "repair::",
        "automaton",
        "monitor::",
        "progression",
        "normal_form",
        "simplify",
        "implication::",
        "class::",
        "conjuncts(",
        "spec::past",
        "PastCircuit",
    ];
    let mut folders = vec![folder];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("a source").path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    assert!(files.len() > 9, "all of certify");
    for path in files {
        let text = fs::read_to_string(&path).expect("a text");
        for word in forbidden {
            assert!(!text.contains(word), "{word} in {}", path.display());
        }
    }
}
