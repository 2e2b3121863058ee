//! All files of the benchmark collection, and all instances of its templates.

use crate::support::read;
use std::path::{Path, PathBuf};

/// `None` if there is no collection, which is said.
pub fn folder() -> Option<PathBuf> {
    let root = std::env::var("RESPIN_BENCH").unwrap_or_else(|_| "../shared/bench".to_string());
    let folder = Path::new(&root).join("tlsf");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("not tested: there is no {}", folder.display());
    None
}

pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths
}

#[test]
fn all_files_are_read() {
    let Some(folder) = folder() else { return };
    for path in files(&folder, "tlsf") {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let document =
            read(&text, &[]).unwrap_or_else(|errors| panic!("{}: {errors:#?}", path.display()));
        assert!(!document.spec.parts.is_empty(), "{}", path.display());
        let signals = document.spec.inputs.len() + document.spec.outputs.len();
        assert!(signals > 0, "{}", path.display());
    }
}

#[test]
fn all_instances_of_templates_are_read() {
    let Some(folder) = folder() else { return };
    let mut instances = 0;
    for path in files(&folder.join("parametric"), "tlsf") {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let table = std::fs::read_to_string(path.with_extension("csv")).expect("a table");
        let mut lines = table.lines();
        let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let row: Vec<&str> = line.split(',').collect();
            let parameters: Vec<(&str, i64)> = header
                .iter()
                .zip(&row)
                .filter(|(name, _)| !matches!(**name, "refsize" | "status"))
                .map(|(name, value)| (*name, value.trim().parse().expect("a number")))
                .collect();
            let document = read(&text, &parameters)
                .unwrap_or_else(|errors| panic!("{}: {line}: {errors:#?}", path.display()));
            assert!(
                !document.spec.parts.is_empty(),
                "{}: {line}",
                path.display()
            );
            instances += 1;
        }
    }
    assert!(instances > 100, "only {instances} instances");
}
