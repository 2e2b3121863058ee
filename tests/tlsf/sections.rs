//! What the sections and entries of a file become.

use crate::support::{check_part, read, with_info};
use respin::spec::ltl::{Order, Section};

fn info(entries: &str) -> String {
    format!(
        "INFO {{ {entries} }} MAIN {{ INPUTS {{ a; }} OUTPUTS {{ b; }} GUARANTEE {{ a -> b; }} }}"
    )
}

#[test]
fn entries_of_info_arrive() {
    let text = info(
        "TITLE: \"A \\\"quoted\\\" title\" DESCRIPTION: \"two\nlines\" SEMANTICS: Moore,Strict \
         TARGET: Moore TAGS: one, two_2",
    );
    let document = read(&text, &[]).unwrap();
    assert_eq!(document.spec.title, "A \"quoted\" title");
    assert_eq!(document.description, "two\nlines");
    assert_eq!(document.spec.order, Order::Moore);
    assert!(document.spec.is_strict);
    assert_eq!(document.target, Order::Moore);
    assert_eq!(document.tags, ["one", "two_2"]);
}

#[test]
fn semantics_in_all_forms() {
    let forms = [
        ("Mealy", Order::Mealy, false),
        ("Moore", Order::Moore, false),
        ("Mealy,Strict", Order::Mealy, true),
        ("Strict, Mealy", Order::Mealy, true),
        ("Moore , Strict", Order::Moore, true),
        ("Strict,Moore", Order::Moore, true),
    ];
    for (form, order, strict) in forms {
        let text = info(&format!(
            "TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: {form} TARGET: Mealy"
        ));
        let spec = read(&text, &[]).unwrap().spec;
        assert_eq!((spec.order, spec.is_strict), (order, strict), "{form}");
    }
}

#[test]
fn each_section_keeps_its_formulas_as_written() {
    let names = [
        ("INITIALLY", Section::Initially),
        ("PRESET", Section::Preset),
        ("REQUIRE", Section::Require),
        ("REQUIREMENTS", Section::Require),
        ("ASSUME", Section::Assume),
        ("ASSUMPTIONS", Section::Assume),
        ("ASSERT", Section::Assert),
        ("INVARIANTS", Section::Assert),
        ("GUARANTEE", Section::Guarantee),
        ("GUARANTEES", Section::Guarantee),
    ];
    for (word, section) in names {
        let text = with_info(&format!(
            "MAIN {{ INPUTS {{ a; }} OUTPUTS {{ b; }} {word} {{ a -> X b; F a; }} }}"
        ));
        let spec = read(&text, &[]).unwrap().spec;
        assert_eq!(spec.parts.len(), 2, "{word}");
        check_part(&spec, section, 0, "a -> X b");
        check_part(&spec, section, 1, "F a");
        assert!(spec.parts.iter().all(|part| part.span.is_some()));
    }
}

#[test]
fn parts_have_names_of_their_own() {
    let text = with_info(
        "MAIN { INPUTS { a; } OUTPUTS { b; } ASSERT { a; b; } ASSUME { a; } INVARIANTS { a; } }",
    );
    let spec = read(&text, &[]).unwrap().spec;
    let names: Vec<&str> = spec.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["assert_1", "assert_2", "assume_1", "assert_3"]);
}

#[test]
fn a_file_may_have_no_inputs_outputs_or_requirements() {
    let spec = read(&with_info("MAIN { }"), &[]).unwrap().spec;
    assert!(spec.inputs.is_empty() && spec.outputs.is_empty() && spec.parts.is_empty());
}
