//! Monitors, counters and patterns in the words of a file: explanations name what is wrong.

use crate::cases::cases;
use crate::support::game;
use respin::explain::answer::{
    Confirmation, Explanation, Item, ItemKind, Missing, Options, Part, Verdict,
};
use respin::explain::{Oracle, Semantics, explain};
use respin::load::{self, AnySpec, Format, Memory, SpecOptions};
use respin::random::Random;
use respin::source::Sources;

fn loaded(text: &str) -> AnySpec {
    let mut sources = Sources::new();
    let file = sources.add("test.spectra", text);
    let options = SpecOptions::default();
    load::spec(
        &mut sources,
        file,
        Format::Spectra,
        &options,
        &Memory::new(),
    )
    .unwrap_or_else(|_| panic!("refused:\n{text}"))
}

fn explained(text: &str) -> Explanation {
    let parts = [Part::Core, Part::Diagnoses, Part::Fix, Part::Countertrace];
    explained_in_part(text, parts.to_vec())
}

fn explained_in_part(text: &str, only: Vec<Part>) -> Explanation {
    let spec = loaded(text);
    let options = Options {
        only,
        ..Options::default()
    };
    explain(&spec, &options, &mut |_| {}).expect("nothing is wrong with it")
}

/// The names in the core that are no outputs; it has to be certified, and so has the fix.
fn guarantees(found: &Explanation) -> Result<Vec<String>, String> {
    let core = found.core.as_ref().ok_or("no core")?;
    if !matches!(core.confirmation, Confirmation::Certified(_)) {
        return Err(format!("the core: {:?}", core.confirmation));
    }
    let fix = found.fix.as_ref().ok_or("no fix")?;
    if !matches!(fix.confirmation, Confirmation::Certified(_)) {
        return Err(format!("the fix: {:?}", fix.confirmation));
    }
    // There need not be a countertrace; what there is has to be confirmed.
    let is_wrong = |one: &Missing| !matches!(one, Missing::NoCountertrace(_));
    if found.missing.iter().any(is_wrong) {
        return Err(format!("missing: {:?}", found.missing));
    }
    let items = core.items.iter();
    let names = items.filter(|item| item.kind == ItemKind::Guarantee);
    Ok(names.map(|item| item.name.clone()).collect())
}

#[test]
fn patterns_and_triggers_are_shown_as_they_were_written() {
    let texts = |found: &Explanation| -> Vec<String> {
        let items = found.core.as_ref().expect("a core").items.iter();
        let items = items.filter(|item| item.kind == ItemKind::Guarantee);
        items.map(|item| item.text.clone()).collect()
    };
    let found = explained(
        "spec M import \"DwyerPatterns.spectra\" env boolean a; sys boolean y;
        gar G !y; gar pRespondsToS(a, y);",
    );
    assert_eq!(texts(&found), ["G (!y)", "pRespondsToS(a, y)"]);
    let found = explained(
        "spec M env boolean a; sys boolean y;
        gar G !y; gar trig [a]  [!a] |=>
            [y];",
    );
    assert_eq!(texts(&found), ["G (!y)", "trig [a] [!a] |=> [y]"]);
    let run = found.countertrace.expect("one input after the other");
    let reasons = format!("{:?}", run.play.reasons);
    assert!(!reasons.contains("definition_"), "{reasons}");
}

#[test]
fn weakened_guarantees_are_text_for_the_file() {
    let start = "spec M import \"DwyerPatterns.spectra\" env boolean a; env boolean b; \
                 sys boolean x; sys Int(0..2) n; ";
    let cases = [
        "gar G (x <-> PREV(a)); gar G (b -> x);",
        "gar G (x <-> ONCE(a)); gar G (b -> !x);",
        "gar G (ONCE(a & b) | x); gar G !x;",
        "gar G (x -> HISTORICALLY(a)); gar G (b -> x);",
        "gar G (x <-> HISTORICALLY(a) & HISTORICALLY(b)); gar G (n = 1 | x);",
        "gar G (x <-> (a SINCE b)); gar G (a -> x);",
        "gar G (x <-> ((a & b) SINCE (a | b))); gar G (a -> !x);",
        "gar G (x <-> (a TRIGGERED b)); gar G (a -> x);",
        "gar G (next(ONCE(a)) <-> next(x)); gar G (b -> !x);",
        "gar G (next(HISTORICALLY(a)) <-> x); gar G (b -> x);",
        "gar G (x <-> PREV(PREV(a) & !ONCE(b))); gar G (b -> x);",
        "gar G (x <-> PREV(next(a) & b)); gar G (a -> x);",
        "gar GF (next(a) & x); gar G (b -> !x);",
        "gar GF (HISTORICALLY(!a) | n = 2); gar G (n < 2 | PREV(b));",
        "gar S_responds_to_P_globally(x, a); gar G (b -> !x);",
        "gar pRespondsToS(a, x); gar G (b -> !x);",
        "gar trig [a] |=> [true]* [x]; gar G (b -> !x);",
        "gar t: trig [a] [!a] |=> [x]; gar G (x <-> PREV(a));",
        "counter c(0..2) { inc: a; reset: b; overflow: keep; } gar G (c < 2 | x); gar G (b -> !x); gar G (x -> next(c) = 0);",
        "monitor boolean m { !m; G (next(m) <-> a); } gar G (m <-> x); gar G (b -> x);",
    ];
    let mut offered = 0;
    for rest in cases {
        let text = format!("{start}{rest}");
        let found = explained_in_part(&text, vec![Part::Weakenings]);
        offered += found.weakenings.len();
        for one in found.weakenings {
            let span = one.guarantee.span.expect("it stands in the file");
            let (before, after) = (&text[..span.start as usize], &text[span.end as usize..]);
            let changed = format!("{before}gar {};{after}", one.replacement);
            assert_ne!(one.replacement, one.guarantee.text, "{rest}");
            let found = explained_in_part(&changed, vec![Part::Core]);
            assert!(
                matches!(&found.verdict, Verdict::Certified(one) if one.is_realizable()),
                "{rest}: {changed}"
            );
        }
    }
    assert!(offered > 9, "only {offered} were offered");
}

#[test]
fn operators_about_the_past_are_shown_as_such() {
    let shown = |rest: &str| {
        let found = explained(&format!(
            "spec M env boolean a; env boolean b; sys boolean x; {rest}"
        ));
        let items = found.core.expect("a core").items.into_iter();
        let mut items = items.filter(|item| item.kind == ItemKind::Guarantee);
        items.next().map(|item| item.text)
    };
    let cases = [
        ("gar G (PREV(a) & x); ", "G (PREV(a) & x)"),
        ("gar G (ONCE(a | b) | x & !x);", "G (ONCE(a | b) | x & !x)"),
        (
            "gar G (HISTORICALLY(a & b) & x);",
            "G (HISTORICALLY(a & b) & x)",
        ),
        ("gar G (a SINCE b);", "G ((a SINCE b))"),
        (
            "gar G (x -> PREV(ONCE(a))); gar G x;",
            "G (x -> PREV(ONCE(a)))",
        ),
        ("gar G (next(ONCE(a)));", "G (next(a) | ONCE(a))"),
        ("gar GF (next(a));", "GF (next(a))"),
    ];
    for (rest, expected) in cases {
        assert_eq!(shown(rest).as_deref(), Some(expected));
    }
}

#[test]
fn a_monitor_that_contradicts_itself_is_the_core() {
    let found = explained(
        "module M env boolean door; sys boolean lamp;
        monitor boolean seen { G seen <-> door; G !seen; }
        gar calm: G lamp -> next(!lamp);",
    );
    let names = guarantees(&found).expect("certified");
    assert_eq!(names, ["monitor seen/1", "monitor seen/2"]);
}

#[test]
fn a_counter_that_must_not_overflow_is_part_of_the_core() {
    let found = explained(
        "module M env boolean tick; sys boolean lamp;
        counter rounds(0..2) { inc: tick; overflow: false; }
        gar calm: G lamp -> next(!lamp);",
    );
    let names = guarantees(&found).expect("certified");
    assert!(
        names.iter().all(|name| name.starts_with("counter rounds/")),
        "{names:?}"
    );
    assert!(!names.is_empty());
}

#[test]
fn the_lines_of_two_monitors_are_in_conflict_with_a_goal() {
    let found = explained(
        "module M sys boolean up;
        monitor Int(0..3) floor { floor = 0; G up <-> (next(floor) = floor + 1); G !up <-> (next(floor) = floor); }
        monitor Int(0..1) lamp { lamp = 0; G (floor = 0) <-> (lamp = 0); G (floor = 2) <-> (lamp = 1); }
        gar arrives: GF (floor = 2);",
    );
    let names = guarantees(&found).expect("certified");
    assert!(names.contains(&"arrives".to_string()), "{names:?}");
    assert!(
        names.iter().any(|name| name.starts_with("monitor lamp")),
        "{names:?}"
    );
}

fn condition(random: &mut Random, names: &[&str], depth: usize) -> String {
    if depth == 0 || random.chance(30) {
        let name = names[random.below(names.len())];
        return if random.chance(30) {
            format!("!{name}")
        } else {
            name.to_string()
        };
    }
    let left = condition(random, names, depth - 1);
    let right = condition(random, names, depth - 1);
    format!(
        "({left} {} {right})",
        ["&", "|", "->", "<->"][random.below(4)]
    )
}

/// A specification with monitors, counters, definitions and patterns that no system satisfies:
/// it has to know an input one step ahead, or a monitor asks for what it excludes.
fn specification(seed: u64) -> String {
    let mut random = Random::new(seed);
    let random = &mut random;
    let now = ["a", "b", "x", "y", "m", "near", "(c = 1)"];
    let mut text =
        String::from("module Random env boolean a; env boolean b; sys boolean x; sys boolean y;\n");
    text += &format!(
        "define near := {};\n",
        condition(random, &["a", "x", "y"], 2)
    );
    let moves = condition(random, &["a", "b", "x", "m"], 2);
    let other = condition(random, &["a", "y", "m"], 2);
    text += &match random.below(4) {
        0 => format!("monitor boolean m {{ !m; G next(m) <-> {moves}; }}\n"),
        1 => format!("monitor boolean m {{ G {moves} -> next(m); G {other} -> next(!m); }}\n"),
        2 => format!("monitor boolean m {{ alw m <-> {other}; G {moves} -> next(m); }}\n"),
        _ => format!(
            "monitor boolean m {{ m; G m -> {}; G next(m) <-> m; }}\n",
            ["a", "!b"][random.below(2)]
        ),
    };
    let overflow = ["keep", "false", "modulo"][random.below(3)];
    let up = condition(random, &["a", "x"], 1);
    text += &format!("counter c(0..2) {{ inc: {up}; overflow: {overflow}; }}\n");
    for number in 0..random.below(3) {
        let kind = ["G", "GF", "ini"][random.below(3)];
        text += &format!(
            "gar other{number}: {kind} {};\n",
            condition(random, &now, 2)
        );
    }
    if random.chance(40) {
        text += &format!(
            "gar owed: respondsTo({}, {});\n",
            now[random.below(3)],
            now[random.below(4)]
        );
    }
    match random.below(3) {
        0 => text += "gar ahead: G x <-> next(a);\n",
        1 => text += "gar both: GF (m & !m | x & y); gar none: G !(x & y);\n",
        _ => text += "gar early: G (y -> next(b)); gar often: GF y;\n",
    }
    text
}

#[test]
fn cores_of_random_specifications_are_never_empty() {
    let mut wrong = Vec::new();
    for seed in 0..cases(150) {
        let text = specification(seed);
        let found = explained(&text);
        let Verdict::Certified(verdict) = &found.verdict else {
            wrong.push(format!("seed {seed}: {:?} of\n{text}", found.verdict));
            continue;
        };
        if verdict.is_realizable() {
            wrong.push(format!("seed {seed}: realizable:\n{text}"));
            continue;
        }
        match guarantees(&found) {
            Ok(names) if !names.is_empty() => {}
            Ok(_) => wrong.push(format!("seed {seed}: an empty core of\n{text}")),
            Err(problem) => wrong.push(format!("seed {seed}: {problem} of\n{text}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An output counts for a guarantee that speaks of it through a definition alone.
#[test]
fn outputs_of_counters_are_in_the_conflicts_of_what_speaks_of_the_counter() {
    let found = explained(
        "spec M env boolean a; sys boolean x; sys boolean y;
        counter c(0..3) { inc: x; reset: y; overflow: keep; }
        gar far: G (a | next(c) = 3);",
    );
    let names = |set: &[Item]| -> Vec<String> { set.iter().map(|one| one.name.clone()).collect() };
    let core = found.core.expect("a core");
    assert_eq!(names(&core.items), ["far", "x", "y"]);
    let diagnoses = found.diagnoses.expect("diagnoses");
    let sets =
        |all: &[Vec<Item>]| -> Vec<Vec<String>> { all.iter().map(|one| names(one)).collect() };
    assert_eq!(sets(&diagnoses.conflicts), [["far", "x", "y"]]);
    assert_eq!(sets(&diagnoses.diagnoses), [["far"], ["x"], ["y"]]);
}

/// Whatever was asked and learned before, an answer is that of the game of the set alone.
#[test]
fn answers_about_parts_of_random_specifications_are_those_of_their_games() {
    for seed in 0..cases(150) {
        let text = specification(seed);
        let AnySpec::Gr1(loaded) = loaded(&text) else {
            panic!("not GR(1):\n{text}");
        };
        let game = game(&loaded.spec);
        let mut oracle = Oracle::new(&game, Semantics::Strict);
        let mut random = Random::new(seed);
        let whole = oracle.elements_of(&oracle.whole());
        for _ in 0..12 {
            let few = whole.iter().copied().filter(|_| random.chance(70));
            let set = oracle.set(few.collect::<Vec<_>>());
            let rules = game.rules(&oracle.selection(&set)).unwrap();
            let expected = !rules.decide().unwrap().realizable;
            assert_eq!(
                oracle.conflicts(&set).unwrap(),
                expected,
                "seed {seed}, {:?} of\n{text}",
                oracle.elements_of(&set)
            );
        }
    }
}

/// A variable with six values has two codes that stand for none: an output that does not count has
/// one of the six all the same.
#[test]
fn outputs_that_do_not_count_have_values_of_their_own() {
    let found = explained(
        "spec M env Int(0..5) x; sys Int(0..5) y;
        gar next_one: G y = x + 1;",
    );
    assert_eq!(guarantees(&found), Ok(vec!["next_one".to_string()]));
    let items = found.core.expect("a core").items;
    assert!(items.iter().all(|item| item.kind != ItemKind::Output));
}
