//! Specifications of all formats, from texts in memory.

use super::{AnySpec, Failure, Format, Memory, Reader, SpecOptions, spec};
use crate::source::{Code, Sources, codes};
use crate::spec::Semantics;
use std::cell::Cell;
use std::path::{Path, PathBuf};

fn load(
    name: &str,
    text: &str,
    options: &SpecOptions,
    files: &dyn Reader,
) -> (Sources, Result<AnySpec, Failure>) {
    let mut sources = Sources::new();
    let file = sources.add(name, text);
    let extension = name.rsplit('.').next().unwrap_or_default();
    let format = Format::of_extension(extension).expect("the test knows its format");
    let loaded = spec(&mut sources, file, format, options, files);
    (sources, loaded)
}

struct Counting {
    files: Memory,
    reads: Cell<usize>,
}

impl Reader for Counting {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Failure> {
        self.reads.set(self.reads.get() + 1);
        self.files.read(path)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        self.files.identity(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.exists(path)
    }
}

fn owners(inputs: &[&str], outputs: &[&str]) -> SpecOptions {
    let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
    SpecOptions {
        inputs: owned(inputs),
        outputs: owned(outputs),
        ..SpecOptions::default()
    }
}

fn check_gr1(name: &str, text: &str, options: &SpecOptions, semantics: Semantics) {
    match load(name, text, options, &Memory::new()).1 {
        Ok(AnySpec::Gr1(loaded)) => assert_eq!(loaded.semantics, semantics, "{name}"),
        Ok(AnySpec::Ltl(_)) => panic!("{name} is GR(1)"),
        Err(failure) => panic!("{name}: {failure:?}"),
    }
}

fn check_refused(name: &str, text: &str, options: &SpecOptions, code: Code) {
    match load(name, text, options, &Memory::new()).1 {
        Err(Failure::Diagnostics(errors)) => assert_eq!(errors[0].code, code, "{name}"),
        _ => panic!("{name} is refused"),
    }
}

const SPECTRA: &str = "module M env boolean a; sys boolean b; gar g: G (b = a);";
const SLUGS: &str = "[INPUT]\na\n[OUTPUT]\nb\n[SYS_TRANS]\n| b ! a\n";
const STRUCTURED: &str = "[INPUT]\na\n[OUTPUT]\nb\n[SYS_TRANS]\nb <-> a\n";
const TLSF: &str = "INFO { TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: Mealy TARGET: Mealy } \
    GLOBAL { PARAMETERS { n = 1; } } MAIN { INPUTS { a; } OUTPUTS { b[n]; } GUARANTEE { G (a <-> b[0]); } }";

#[test]
fn each_format_of_gr1_has_its_usual_semantics() {
    let plain = SpecOptions::default();
    check_gr1("a.spectra", SPECTRA, &plain, Semantics::Strict);
    check_gr1("a.slugsin", SLUGS, &plain, Semantics::Strict);
    check_gr1("a.structuredslugs", STRUCTURED, &plain, Semantics::Strict);
    let names = owners(&["a"], &["b"]);
    check_gr1(
        "a.ltl",
        "assert G (a -> b);",
        &names,
        Semantics::Implication,
    );
    let asked = SpecOptions {
        semantics: Some(Semantics::Implication),
        ..SpecOptions::default()
    };
    check_gr1("a.spectra", SPECTRA, &asked, Semantics::Implication);
}

#[test]
fn formulas_beyond_gr1_stay_formulas() {
    let names = owners(&["a"], &["b"]);
    let (_, loaded) = load("a.ltl", "assert F (G (a <-> b));", &names, &Memory::new());
    assert!(matches!(loaded, Ok(AnySpec::Ltl(_))));
    let kept = SpecOptions {
        keeps_formulas: true,
        ..names
    };
    let (_, loaded) = load("a.ltl", "assert G (a -> b);", &kept, &Memory::new());
    assert!(matches!(loaded, Ok(AnySpec::Ltl(_))));
}

#[test]
fn tlsf_takes_parameters_and_no_other_format_does() {
    let wider = SpecOptions {
        parameters: vec![("n".to_string(), 3)],
        ..SpecOptions::default()
    };
    match load("a.tlsf", TLSF, &wider, &Memory::new()).1 {
        Ok(AnySpec::Ltl(loaded)) => assert_eq!(loaded.spec.outputs.len(), 3),
        Ok(AnySpec::Gr1(_)) => panic!("TLSF is LTL"),
        Err(failure) => panic!("{failure:?}"),
    }
    check_refused("a.spectra", SPECTRA, &wider, codes::frame::BAD_USAGE);
}

#[test]
fn a_specification_in_ltl_that_is_gr1_becomes_it() {
    match load("a.tlsf", TLSF, &SpecOptions::default(), &Memory::new()).1 {
        Ok(AnySpec::Ltl(loaded)) => assert!(loaded.as_gr1().is_ok()),
        _ => panic!("TLSF is LTL"),
    }
}

#[test]
fn a_property_file_needs_to_know_whose_its_names_are() {
    let plain = SpecOptions::default();
    check_refused("a.ltl", "assert G a;", &plain, codes::frame::BAD_USAGE);
    let names = owners(&["a"], &[]);
    check_refused("a.spectra", SPECTRA, &names, codes::frame::BAD_USAGE);
}

#[test]
fn a_design_is_no_specification() {
    let plain = SpecOptions::default();
    check_refused(
        "a.v",
        "module m; endmodule",
        &plain,
        codes::frame::BAD_USAGE,
    );
}

#[test]
fn imports_count_from_the_directory_of_the_file_that_has_them() {
    let main = "import \"parts/first.spectra\" module M env boolean a; sys boolean b; gar G p();";
    let files = Memory::new()
        .with(
            "specs/parts/first.spectra",
            "import \"../second.spectra\"\npredicate p() { q() }",
        )
        .with(
            "specs/second.spectra",
            "import \"parts/first.spectra\"\npredicate q() { true }",
        );
    let files = Counting {
        files,
        reads: Cell::new(0),
    };
    let plain = SpecOptions::default();
    if let Err(failure) = load("specs/main.spectra", main, &plain, &files).1 {
        panic!("{failure:?}");
    }
    // Each file once, although the second one asks for the first again.
    assert_eq!(files.reads.get(), 2);
}

#[test]
fn an_import_that_cannot_be_read_is_shown_where_it_stands() {
    let text = "import \"gone.spectra\" module M sys boolean b;";
    let (sources, loaded) = load("a.spectra", text, &SpecOptions::default(), &Memory::new());
    let Err(Failure::Diagnostics(errors)) = loaded else {
        panic!("there is no such file");
    };
    assert_eq!(errors[0].code, codes::frame::FILE_UNREADABLE);
    let span = errors[0].labels[0].span;
    let shown = &sources.file(span.file).text[span.start as usize..span.end as usize];
    assert!(shown.contains("gone.spectra"), "{shown}");
}

/// The places of what is complained about, as texts.
#[track_caller]
fn check_mistakes(name: &str, text: &str, options: &SpecOptions, expected: &[&str]) {
    let (sources, loaded) = load(name, text, options, &Memory::new());
    let Err(Failure::Diagnostics(errors)) = loaded else {
        panic!("{name} is wrong");
    };
    let shown = errors.iter().map(|error| {
        let span = error.labels[0].span;
        &sources.file(span.file).text[span.start as usize..span.end as usize]
    });
    assert_eq!(shown.collect::<Vec<&str>>(), expected, "{errors:?}");
}

#[test]
fn what_is_used_twice_is_complained_about_once() {
    let plain = SpecOptions::default();
    let uses = "env boolean a; sys boolean b;";
    let define = format!(
        "module M {uses} define d := wrong; define other := wrong;
         gar alw d -> b; gar alw b -> d; gar alwEv other;"
    );
    check_mistakes("a.spectra", &define, &plain, &["wrong", "wrong"]);
    let predicate =
        format!("module M {uses} predicate p(boolean v): v & wrong; gar alw p(a); gar alw p(b);");
    check_mistakes("a.spectra", &predicate, &plain, &["wrong"]);
    let pattern = format!(
        "module M {uses} pattern q(x) {{ alwEv x & wrong; }} gar q(a); gar q(b); gar alw amiss;"
    );
    check_mistakes("a.spectra", &pattern, &plain, &["wrong", "amiss"]);
    let properties = "define d := wrong; assert x: G (d -> a); assert y: G (d -> b); \
        assert z: G F amiss;";
    check_mistakes(
        "a.ltl",
        properties,
        &owners(&["a"], &["b"]),
        &["wrong", "amiss"],
    );
}
