//! Files of the benchmark collection that are quick to answer, in all their formats.

use respin::bdd::Limits;
use respin::source::Sources;
use respin::spec::{slugs, spectra};
use respin::synth::gr1;
use std::path::{Path, PathBuf};

/// `None` if there is no collection, which is said.
fn files(folder: &str, extension: &str) -> Option<Vec<PathBuf>> {
    let root = std::env::var("RESPIN_BENCH").unwrap_or_else(|_| "../shared/bench".to_string());
    let folder = Path::new(&root).join(folder);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("not tested: there is no {}", folder.display());
        return None;
    };
    let paths = entries.flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    Some(paths)
}

fn check(path: &Path, expected: bool) {
    let mut sources = Sources::new();
    let text = std::fs::read_to_string(path).expect("a readable file");
    let file = sources.add(path.display().to_string(), text);
    let spec = match path.extension().and_then(|extension| extension.to_str()) {
        Some("slugsin") => slugs::parse_prefix(&sources, file),
        _ => spectra::parse(&sources, file),
    };
    let spec = spec.unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
    let answer = gr1::solve(&spec, Limits::default()).expect("no limits");
    let realizable = answer.map(|verdict| verdict.is_realizable());
    assert_eq!(realizable, Ok(expected), "{}", path.display());
}

#[test]
fn robots_are_realizable_as_labelled() {
    for path in files("gr1/syntech15", "spectra").unwrap_or_default() {
        check(&path, true);
    }
    for path in files("gr1/syntech15/unrealizable", "spectra").unwrap_or_default() {
        check(&path, false);
    }
}

#[test]
fn slugs_files_are_realizable_as_labelled() {
    for path in files("slugs", "slugsin").unwrap_or_default() {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_string();
        check(
            &path,
            !name.starts_with("specs_") && !name.contains("nrealizable"),
        );
    }
}
