//! Strict specifications that are GR(1): `check` decides them by the GR(1) game, and the exact
//! game of their formulas says the same.

use crate::seed::given_seed;
use respin::certify::{Evidence, Realizability};
use respin::explain::answer::{CheckOptions, CheckPart, Verdict};
use respin::random::Random;
use respin::synth::ltl::{Options, Stage, solve};
use respin::{AnySpec, SpecOptions, check, spec_from_text};

/// A Boolean formula over some names.
fn formula(random: &mut Random, names: &[&str], depth: usize) -> String {
    if depth == 0 {
        let sign = if random.below(2) == 0 { "" } else { "!" };
        return format!("{sign}({})", random.pick(names));
    }
    let operator = *random.pick(&["&&", "||", "->", "<->"]);
    let left = formula(random, names, depth - 1);
    let right = formula(random, names, depth - 1);
    format!("({left} {operator} {right})")
}

/// Sections as strict GR(1) has them: no assumption speaks of what the system does in the same
/// step.
fn random_text(random: &mut Random) -> String {
    let (inputs, outputs) = (["a", "b"], ["c", "d"]);
    let all = ["a", "b", "c", "d"];
    let assumed = ["a", "b", "c", "d", "X a", "X b"];
    let asserted = ["a", "b", "c", "d", "X a", "X b", "X c", "X d"];
    let mut section = |title: &str, names: &[&str], most: usize, around: [&str; 2]| {
        let mut text = format!("  {title} {{\n");
        for _ in 0..random.below(most + 1) {
            let [before, after] = around;
            let depth = random.below(3);
            let body = formula(random, names, depth);
            text.push_str(&format!("    {before}{body}{after};\n"));
        }
        text + "  }\n"
    };
    let plain = ["", ""];
    let again = ["G (F (", "))"];
    let body = [
        section("INITIALLY", &inputs, 1, plain),
        section("PRESET", &all, 1, plain),
        section("REQUIRE", &assumed, 2, plain),
        section("ASSERT", &asserted, 3, plain),
        section("ASSUME", &all, 2, again),
        section("GUARANTEE", &all, 2, again),
    ];
    format!(
        "INFO {{\n  TITLE: \"t\"\n  DESCRIPTION: \"d\"\n  SEMANTICS: Mealy,Strict\n  TARGET: Mealy\n}}\n\
         MAIN {{\n  INPUTS {{ {}; }}\n  OUTPUTS {{ {}; }}\n{}}}\n",
        inputs.join("; "),
        outputs.join("; "),
        body.concat()
    )
}

#[test]
fn the_gr1_game_and_the_formulas_have_the_same_winner() {
    let seed = given_seed().unwrap_or(1);
    let (mut yes, mut no, mut by_game) = (0, 0, 0);
    for case in 0..200 {
        let text = random_text(&mut Random::new(seed.wrapping_add(case)));
        let (spec, _) = spec_from_text("t.tlsf", &text, &SpecOptions::default())
            .unwrap_or_else(|failure| panic!("seed {seed}, case {case}: {failure:?}\n{text}"));
        let options = CheckOptions {
            only: vec![CheckPart::Verdict],
            ..CheckOptions::default()
        };
        let found = check(&spec, &options, &mut |_| {}).expect("no defect");
        let Verdict::Certified(verdict) = found.verdict else {
            panic!("seed {seed}, case {case}: {:?}\n{text}", found.verdict);
        };
        let evidence = match &verdict {
            Realizability::Realizable(one) => one.evidence(),
            Realizability::Unrealizable(one) => one.evidence(),
        };
        by_game += usize::from(*evidence == Evidence::ClaimChecked);
        let AnySpec::Ltl(loaded) = &spec else {
            panic!("TLSF stays the formulas that it has");
        };
        let exact = Options {
            stage: Some(Stage::EmersonLei),
            ..Options::default()
        };
        let answer = solve(&loaded.spec, &exact, &mut |_| {})
            .unwrap_or_else(|failure| panic!("seed {seed}, case {case}: {failure:?}\n{text}"));
        assert!(answer.certified().is_some(), "seed {seed}, case {case}");
        let (game, formulas) = (verdict.is_realizable(), answer.realizable);
        assert_eq!(game, formulas, "seed {seed}, case {case}:\n{text}");
        match game {
            true => yes += 1,
            false => no += 1,
        }
    }
    println!("{yes} realizable, {no} not, {by_game} by the game");
    assert!(yes > 30 && no > 30 && by_game > 100, "{yes} {no} {by_game}");
}
