//! What is written is read again with the same meaning.

use crate::collection::{files, folder};
use crate::support::{check_part, read, with_guarantee, with_info};
use respin::source::Sources;
use respin::spec::Formulas;
use respin::spec::Spec;
use respin::spec::gr1::{Kind, Side};
use respin::spec::ltl::{LtlSpec, Order, Section};
use respin::spec::{FormulaId, spectra, tlsf};
use respin::synth::ltl;
use std::collections::HashMap;

/// A formula of one list in another.
fn moved(from: &Formulas, root: FormulaId, to: &mut Formulas) -> FormulaId {
    let mut known: HashMap<FormulaId, FormulaId> = HashMap::new();
    for id in from.subformulas(root) {
        let formula = from.get(id);
        let new = match formula {
            respin::spec::Formula::Atom(atom) => match from.atom(*atom) {
                respin::spec::Atom::Condition(expr) => to.condition_atom(expr),
                respin::spec::Atom::Past(_) => panic!("no past in TLSF"),
            },
            _ => to.rebuild(formula, |operand| known[&operand]),
        };
        known.insert(id, new);
    }
    known[&root]
}

fn check_same(name: &str, first: &LtlSpec, second: &LtlSpec) {
    assert_eq!(first.inputs, second.inputs, "{name}");
    assert_eq!(first.outputs, second.outputs, "{name}");
    assert_eq!(
        (first.order, first.is_strict),
        (second.order, second.is_strict),
        "{name}"
    );
    let mut formulas = first.formulas.clone();
    // Sections are written in a fixed order.
    for section in Section::ALL {
        let own = |spec: &LtlSpec| -> Vec<FormulaId> {
            let parts = spec.parts.iter().filter(|part| part.section == section);
            parts.map(|part| part.formula).collect()
        };
        let expected = own(first);
        let found: Vec<FormulaId> = own(second)
            .into_iter()
            .map(|id| moved(&second.formulas, id, &mut formulas))
            .collect();
        assert_eq!(found, expected, "{name}: {section:?}");
    }
}

fn check(name: &str, spec: &LtlSpec) {
    let text = tlsf::write(spec, "a \"description\"", Order::Moore).expect("a text");
    let again = read(&text, &[]).unwrap_or_else(|errors| panic!("{name}: {errors:#?}\n{text}"));
    assert_eq!(again.description, "a \"description\"");
    assert_eq!(again.target, Order::Moore);
    check_same(name, spec, &again.spec);
}

#[test]
fn all_files_survive_being_written() {
    let Some(folder) = folder() else { return };
    for path in files(&folder, "tlsf") {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let spec = read(&text, &[]).expect("a specification").spec;
        check(&path.display().to_string(), &spec);
    }
}

#[test]
fn operators_survive_being_written() {
    for formula in [
        "a U (b W (c R a))",
        "(a U b) W c",
        "a <-> (b <-> c)",
        "!(a <-> !b)",
        "!(a && b) <-> (G a <-> X b)",
        "(a -> b) U c",
        "G F a || !X X b",
        "true",
        "false",
        "(a || b) && (!a || !b)",
        "(a || !b) && (!a || b) && c",
    ] {
        check(
            formula,
            &read(&with_guarantee("", formula), &[]).unwrap().spec,
        );
    }
}

#[test]
fn names_of_other_languages_are_spelled_anew() {
    let spec = LtlSpec {
        inputs: vec!["a[0]".into(), "G".into(), "9x".into()],
        outputs: vec!["a_0_".into()],
        ..LtlSpec::default()
    };
    let text = tlsf::write(&spec, "", Order::Mealy).expect("a text");
    let again = read(&text, &[]).expect("a specification").spec;
    assert_eq!(again.inputs.len(), 3);
    assert_eq!(again.outputs, ["a_0_"]);
}

fn gr1_of(text: &str) -> Result<(respin::spec::gr1::Gr1, bool), ()> {
    read(text, &[]).unwrap().spec.to_gr1().map_err(|_| ())
}

#[test]
fn gr1_requirements_become_gr1_constraints() {
    let text = with_info(
        "MAIN { INPUTS { a; } OUTPUTS { b; } INITIALLY { !a; } REQUIRE { a -> X !a; }
         ASSUME { G F a; } ASSERT { b -> X !b; } GUARANTEE { G F b; G (a -> F b); } }",
    );
    let (spec, is_strict) = gr1_of(&text).expect("GR(1)");
    assert!(!is_strict);
    assert_eq!(spec.of(Side::Assumption, Kind::Initial).count(), 1);
    assert_eq!(spec.of(Side::Assumption, Kind::Safety).count(), 1);
    assert_eq!(spec.of(Side::Assumption, Kind::Justice).count(), 1);
    assert_eq!(spec.of(Side::Guarantee, Kind::Safety).count(), 1);
    assert_eq!(spec.of(Side::Guarantee, Kind::Justice).count(), 2);
}

#[test]
fn what_strict_sections_cannot_say_as_a_game_is_refused() {
    let strict = |main: &str| {
        format!(
            "INFO {{ TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy,Strict TARGET: Mealy }}
             MAIN {{ INPUTS {{ a; }} OUTPUTS {{ b; }} {main} }}"
        )
    };
    let (_, is_strict) = gr1_of(&strict(
        "REQUIRE { a -> X a; } PRESET { b; } ASSERT { b || a; } GUARANTEE { G F b; }",
    ))
    .expect("GR(1)");
    assert!(is_strict);
    // Safety outside of its section, and assumptions about answers.
    assert!(gr1_of(&strict("REQUIRE { a; } GUARANTEE { G b; }")).is_err());
    assert!(gr1_of(&strict("REQUIRE { X b; } GUARANTEE { G F b; }")).is_err());
    assert!(
        gr1_of(&strict(
            "INITIALLY { b; } REQUIRE { a; } GUARANTEE { G F b; }"
        ))
        .is_err()
    );
}

fn realizable(spec: &LtlSpec) -> bool {
    let answer = ltl::solve(spec, &ltl::Options::default(), &mut |_| {}).expect("an answer");
    assert!(answer.certified().is_some());
    answer.realizable
}

#[test]
fn gr1_specifications_mean_the_same_in_six_sections() {
    let cases = [
        (
            "env boolean a; sys boolean b; gar alw b <-> PREV(a); gar alwEv b; asm alwEv a;",
            true,
        ),
        (
            "env boolean a; sys boolean b; gar alw next(b) <-> next(a); gar alwEv b;",
            false,
        ),
        (
            "env {UP, DOWN, OFF} a; sys Int(1..3) b; gar ini b = 2; gar trans a = DOWN -> next(b) = 3;",
            true,
        ),
        (
            "env boolean a; sys boolean b; asm trans a -> !next(a); gar trans next(a) -> b;",
            true,
        ),
        (
            "env boolean a; sys boolean b; asm ini a; gar alw !a;",
            false,
        ),
        // The environment would break its safety first.
        (
            "env boolean a; sys boolean b; asm trans false; gar trans false;",
            true,
        ),
    ];
    for (text, expected) in cases {
        let mut sources = Sources::new();
        let file = sources.add("test.spectra", format!("module T\n{text}"));
        let spec = spectra::parse(&sources, file).unwrap_or_else(|errors| panic!("{errors:?}"));
        let ltl = LtlSpec::from_gr1(&spec).expect("few cases");
        assert!(ltl.is_strict);
        assert_eq!(realizable(&ltl), expected, "{text}");
        let text = tlsf::write(&ltl, "", Order::Mealy).expect("a text");
        check_same(&text, &ltl, &read(&text, &[]).expect("TLSF").spec);
    }
}

#[test]
fn a_property_file_says_what_sections_do() {
    let cases = [
        // Inputs are seen one step later by a system that moves first.
        ("Moore", "GUARANTEE { G (b <-> a); }", false),
        ("Mealy", "GUARANTEE { G (b <-> a); }", true),
        ("Moore", "GUARANTEE { G (X b <-> a); }", true),
        // The first step counts whatever is assumed of later ones.
        ("Mealy", "PRESET { a; } ASSUME { G F b; }", false),
        ("Mealy", "GUARANTEE { a; } ASSUME { G F b; }", true),
        ("Mealy,Strict", "REQUIRE { X !b; } ASSERT { b; }", true),
    ];
    for (semantics, main, expected) in cases {
        let text = format!(
            "INFO {{ TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: {semantics} TARGET: Mealy }}
             MAIN {{ INPUTS {{ a; }} OUTPUTS {{ b; }} {main} }}"
        );
        let spec = read(&text, &[]).unwrap().spec;
        assert_eq!(realizable(&spec), expected, "{semantics} {main}");
        let written = spec.property_file().expect("short");
        let mut sources = Sources::new();
        let file = sources.add("written.ltl", written.as_str());
        let mut properties = Spec::new();
        properties
            .add_property_file(file, &written)
            .expect("a property file");
        let again = LtlSpec::from_properties(&properties, &spec.inputs, &spec.outputs).unwrap();
        assert_eq!(realizable(&again), expected, "{written}");
    }
}

#[test]
fn sections_of_the_language_are_those_of_the_formula() {
    // One section each against the formula that the page on semantics gives.
    let text = with_info(
        "MAIN { INPUTS { a; } OUTPUTS { b; } INITIALLY { a; } PRESET { b; } REQUIRE { X a; }
         ASSUME { F a; } ASSERT { X b; } GUARANTEE { F b; } }",
    );
    let mut spec = read(&text, &[]).unwrap().spec;
    let mut whole = spec.requirements();
    let formula = whole.formula();
    spec.formulas = whole.formulas;
    spec.parts[0].section = Section::Guarantee;
    spec.parts[0].formula = formula;
    check_part(
        &spec,
        Section::Guarantee,
        0,
        "(a -> b) && ((a && G X a && F a) -> G X b) && ((a && G X a && F a) -> F b)",
    );
}
