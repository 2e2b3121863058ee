//! Files that import others.

use respin::source::codes::specification as codes;
use respin::source::{Diagnostic, FileId, Sources};
use respin::spec::gr1::Gr1;
use respin::spec::spectra::{Import, parse_with_imports};
use std::collections::HashMap;

/// Reads the first of some files, with the others at hand.
fn read(files: &[(&str, &str)]) -> Result<Gr1, Vec<Diagnostic>> {
    let mut sources = Sources::new();
    let mut known: HashMap<&str, FileId> = HashMap::new();
    let main = sources.add(files[0].0, files[0].1);
    known.insert(files[0].0, main);
    let mut load = |sources: &mut Sources, import: &Import| {
        let Some((name, text)) = files.iter().find(|(name, _)| *name == import.name) else {
            let error = Diagnostic::error(codes::UNKNOWN_NAME, "no such file");
            return Err(error.at(import.span, "imported here"));
        };
        Ok(*known
            .entry(*name)
            .or_insert_with(|| sources.add(*name, *text)))
    };
    parse_with_imports(&mut sources, main, &mut load)
}

#[test]
fn names_of_imported_files_can_be_used() {
    let spec = read(&[
        (
            "main.spectra",
            "import \"a.spectra\" import 'b.spectra' spec Main
             env Level x; sys Level y;
             gar alw y = top; gar alw below(y, x); gar never(x = top);
             gar trig seen |=> [y = 0];",
        ),
        (
            "a.spectra",
            "import \"b.spectra\" spec A
             predicate below(Level one, Level other): one <= other + top;
             pattern never(p) { alw !p; } regexp seen := true* [top = 3];",
        ),
        // Both import this one, and it imports the first back.
        (
            "b.spectra",
            "import \"main.spectra\" spec B define top := 3; type Level = Int(0..top);",
        ),
    ]);
    let spec = spec.unwrap_or_else(|errors| panic!("{errors:?}"));
    assert_eq!(spec.name, "Main");
    assert_eq!(spec.variables[0].domain.size(), 4);
}

#[test]
fn the_library_needs_no_file_and_a_copy_wins() {
    let main = "import \"DwyerPatterns.spectra\" spec Main
        env boolean x; sys boolean y; gar S_responds_to_P_globally(y, x);";
    let built_in = read(&[("main.spectra", main)]).expect("the library is built in");
    assert_eq!(built_in.definitions.len(), 1);
    let copy = "spec DwyerPatterns pattern S_responds_to_P_globally(s, p) { alwEv s; }";
    let files = [("main.spectra", main), ("DwyerPatterns.spectra", copy)];
    let own = read(&files).expect("a copy");
    assert_eq!(own.definitions.len(), 0);
}

#[test]
fn imported_files_have_no_variables_and_requirements() {
    let errors = read(&[
        (
            "main.spectra",
            "import \"a.spectra\" spec Main sys boolean y; gar alwEv y;",
        ),
        ("a.spectra", "spec A env boolean x; asm alwEv x;"),
    ]);
    let errors = errors.expect_err("a variable, and a requirement");
    let found: Vec<_> = errors.iter().map(|error| error.code).collect();
    assert_eq!(found, [codes::WRONG_PLACE]);
}

#[test]
fn missing_files_and_double_names_are_errors() {
    let main = "import \"a.spectra\" spec Main define n := 1; sys Int(0..n) y;";
    let errors = read(&[("main.spectra", main)]).expect_err("no such file");
    assert_eq!(errors[0].code, codes::UNKNOWN_NAME);
    let files = [
        ("main.spectra", main),
        ("a.spectra", "spec A define n := 2;"),
    ];
    let errors = read(&files).expect_err("two definitions");
    assert_eq!(errors[0].code, codes::REPEATED_DECLARATION);
    assert_eq!(errors[0].labels.len(), 2);
}
