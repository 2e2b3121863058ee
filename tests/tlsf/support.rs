//! Reading TLSF in tests.

use respin::source::{Code, Diagnostic, Sources};
use respin::spec::ltl::{LtlSpec, Section};
use respin::spec::property_file::parse_property_file;
use respin::spec::tlsf::{self, Document};

pub fn read(text: &str, parameters: &[(&str, i64)]) -> Result<Document, Vec<Diagnostic>> {
    let mut sources = Sources::new();
    let file = sources.add("test.tlsf", text);
    let parameters: Vec<(String, i64)> = parameters
        .iter()
        .map(|(name, value)| (name.to_string(), *value))
        .collect();
    tlsf::parse(&sources, file, &parameters)
}

pub fn codes(errors: &[Diagnostic]) -> Vec<Code> {
    errors.iter().map(|error| error.code).collect()
}

/// A file with these sections after INFO.
pub fn with_info(sections: &str) -> String {
    format!("INFO {{ TITLE: \"t\" DESCRIPTION: \"d\" SEMANTICS: Mealy TARGET: Mealy }} {sections}")
}

/// A file with these definitions and one guarantee, over inputs `a b c` and buses `v[3]`,
/// `w[3]`.
pub fn with_guarantee(global: &str, guarantee: &str) -> String {
    with_info(&format!(
        "GLOBAL {{ {global} }} MAIN {{ INPUTS {{ a; b; c; v[3]; }} OUTPUTS {{ w[3]; }} \
         GUARANTEE {{ {guarantee}; }} }}"
    ))
}

/// The formula of one part is the one that a property file writes like this.
pub fn check_part(spec: &LtlSpec, section: Section, index: usize, expected: &str) {
    let mut parts = spec.parts.iter().filter(|part| part.section == section);
    let part = parts.nth(index).expect("too few parts");
    let mut sources = Sources::new();
    let file = sources.add("expected", String::new());
    let mut formulas = spec.formulas.clone();
    let text = format!("assert {expected};");
    let parsed = parse_property_file(&mut formulas, file, &text)
        .unwrap_or_else(|errors| panic!("{expected}: {errors:?}"));
    let found = formulas.text(part.formula);
    assert_eq!(
        part.formula, parsed.properties[0].formula,
        "{found}\n{expected}"
    );
}

/// A guarantee over the signals of [`with_guarantee`] means the formula of a property file.
pub fn check(global: &str, guarantee: &str, expected: &str) {
    let text = with_guarantee(global, guarantee);
    let document = read(&text, &[]).unwrap_or_else(|errors| panic!("{guarantee}: {errors:#?}"));
    check_part(&document.spec, Section::Guarantee, 0, expected);
}
