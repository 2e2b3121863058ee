//! Assumptions to add and guarantees to weaken: the text that is shown, read again, is judged by
//! a solver that visits every state.

use crate::cases::cases;
use crate::sketch::{Shape, Sketch};
use crate::solver::Explicit;
use crate::support::{example, game, read};
use respin::bdd::{Limits, Result};
use respin::certify::gr1::{Against, Claim, Lasso, Layout, NoChange, Part, added_assumptions};
use respin::explain::answer::{self, Explanation, Missing, Options};
use respin::explain::{Semantics, explain};
use respin::game::gr1::{CommonPlay, Gr1Game, Selection};
use respin::load::{AnySpec, Format, LoadedGr1};
use respin::random::Random;
use respin::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side};
use respin::spec::spectra;
use respin::synth::gr1::prove;

fn changes(spec: &Gr1, semantics: Semantics) -> Explanation {
    let spec = AnySpec::Gr1(Box::new(LoadedGr1 {
        spec: spec.clone(),
        semantics,
        format: Format::Spectra,
    }));
    let options = Options {
        only: vec![answer::Part::Additions, answer::Part::Weakenings],
        ..Options::default()
    };
    explain(&spec, &options, &mut |_| {}).expect("nothing is wrong with it")
}

fn realizable(spec: &Gr1, semantics: Semantics) -> bool {
    match semantics {
        Semantics::Strict => Explicit::new(spec).realizable(),
        Semantics::Implication => Explicit::new(&spec.as_implication()).realizable(),
    }
}

/// The specification with more lines of text, read again.
fn with(spec: &Gr1, lines: &[String]) -> Gr1 {
    let lines: Vec<String> = lines.iter().map(|line| format!("{line};\n")).collect();
    read("changed.spectra", &(spectra::write(spec) + &lines.concat()))
}

/// Whether some play keeps both sides.
fn has_play(spec: &Gr1) -> bool {
    let mut together = spec.clone();
    for variable in &mut together.variables {
        variable.owner = Player::System;
    }
    for constraint in &mut together.constraints {
        constraint.side = Side::Guarantee;
    }
    Explicit::new(&together).realizable()
}

/// Whether the environment can keep its assumptions whatever the system does.
fn can_keep(spec: &Gr1, against: Against) -> bool {
    let mut alone = spec.clone();
    alone.constraints.retain(|one| {
        let is_safe = against == Against::SafeSystems && one.kind != Kind::Justice;
        one.side == Side::Assumption || one.definition.is_some() || is_safe
    });
    let never = alone.terms.boolean(false);
    alone.add_constraint(None, Side::Guarantee, Kind::Justice, never, None);
    !Explicit::new(&alone).realizable()
}

/// Tables of more states take long.
fn is_small(spec: &Gr1, semantics: Semantics) -> bool {
    let sizes = spec.variables.iter().map(|one| one.domain.size());
    let most = match semantics {
        Semantics::Strict => 64,
        Semantics::Implication => 16,
    };
    sizes.product::<u64>() <= most
}

/// How many sets of assumptions and weaker guarantees were suggested, if all of them are right.
fn judged(spec: &Gr1, semantics: Semantics) -> std::result::Result<(usize, usize), String> {
    if !is_small(spec, semantics) || realizable(spec, semantics) {
        return Ok((0, 0));
    }
    let found = changes(spec, semantics);
    let nothing_weaker = found.weakenings.is_empty();
    let expected: &[Missing] = match nothing_weaker {
        true => &[Missing::NoWeakening],
        false => &[],
    };
    if found.missing != expected {
        return Err(format!("{:?}", found.missing));
    }
    let additions = found.additions.ok_or("nothing is said of additions")?;
    if additions.hopeless.is_some() == has_play(spec) {
        return Err(format!("hopeless: {:?}", additions.hopeless));
    }
    for set in &additions.sets {
        let lines: Vec<String> = set
            .assumptions
            .iter()
            .map(|item| format!("asm {}", item.text))
            .collect();
        let wrong = |what: &str| Err(format!("{lines:?} {what}"));
        let changed = with(spec, &lines);
        if !realizable(&changed, semantics) {
            return wrong("do not help");
        }
        if !has_play(&changed) {
            return wrong("contradict what is there");
        }
        let against = set.certified.against;
        if can_keep(spec, against) && !can_keep(&changed, against) {
            return wrong("can be made to fail");
        }
        for index in 0..lines.len() {
            let mut fewer = lines.clone();
            fewer.remove(index);
            if realizable(&with(spec, &fewer), semantics) {
                return wrong("are not all needed");
            }
        }
    }
    for weakening in &found.weakenings {
        let line = format!("gar {}", weakening.replacement);
        let mut rest = spec.clone();
        let name = &weakening.guarantee.name;
        rest.constraints.retain(|one| one.name != *name);
        let changed = with(&rest, std::slice::from_ref(&line));
        if !realizable(&changed, semantics) || !has_play(&changed) {
            return Err(format!("{line} does not help"));
        }
    }
    Ok((additions.sets.len(), found.weakenings.len()))
}

fn on_random(seeds: std::ops::Range<u64>, shape: Shape, semantics: Semantics) -> (usize, usize) {
    let (mut added, mut weakened) = (0, 0);
    for seed in seeds {
        let mut sketch = Sketch::random(&mut Random::new(seed), shape);
        let judge = |sketch: &Sketch| judged(&sketch.build(), semantics);
        match judge(&sketch) {
            Ok((sets, weaker)) => {
                added += sets;
                weakened += weaker;
            }
            Err(mut problem) => {
                while let Some((smaller, other)) = sketch
                    .smaller()
                    .into_iter()
                    .find_map(|smaller| Some((judge(&smaller).err()?, smaller)))
                {
                    (problem, sketch) = (smaller, other);
                }
                panic!("seed {seed}: {problem} in\n{sketch}");
            }
        }
    }
    (added, weakened)
}

#[test]
fn changes_of_random_specifications_are_what_they_claim_to_be() {
    let shape = Shape {
        words: true,
        assume_system: false,
    };
    let (added, weakened) = on_random(61_000..61_000 + cases(150), shape, Semantics::Strict);
    println!("{added} sets of assumptions, {weakened} weaker guarantees");
    assert!(added > 5 && weakened > 5, "{added}, {weakened}");
}

#[test]
fn changes_of_random_implications_are_what_they_claim_to_be() {
    let shape = Shape {
        words: false,
        assume_system: false,
    };
    let (added, weakened) = on_random(62_000..62_000 + cases(60), shape, Semantics::Implication);
    println!("{added} sets of assumptions, {weakened} weaker guarantees");
    assert!(added > 0 && weakened > 0, "{added}, {weakened}");
}

#[test]
fn the_philosophers_need_food_or_patience() {
    let found = changes(&example("dining_philosophers.spectra"), Semantics::Strict);
    let sets = found.additions.expect("an answer").sets;
    let first: Vec<&str> = sets[0]
        .assumptions
        .iter()
        .map(|one| one.text.as_str())
        .collect();
    assert_eq!(first, ["!poisoned"]);
    assert_eq!(sets[0].certified.assumptions.len(), 1);
}

#[test]
fn no_assumption_helps_where_no_play_keeps_both_sides() {
    let spec = read(
        "both.spectra",
        "module M env boolean a; sys boolean x; asm GF a; gar G x <-> a; gar GF (x & !a);",
    );
    let found = changes(&spec, Semantics::Strict);
    let additions = found.additions.expect("an answer");
    assert!(additions.sets.is_empty() && additions.hopeless.is_some());
}

fn claims(spec: &Gr1, part: &Part) -> Result<(Layout, Claim)> {
    prove(&Gr1Game::new(spec, Limits::default())?, part)
}

/// Whether the last assumptions of a text are accepted as added ones, with a play that the test
/// may change.
fn refused(text: &str, count: usize, change: &dyn Fn(&mut CommonPlay)) -> Option<NoChange> {
    let spec = read("added.spectra", text);
    let play = game(&spec).common_play(&Selection::everything(&spec));
    let mut play = play.expect("no limits").expect("a play");
    change(&mut play);
    let assumptions: Vec<ConstraintId> = spec
        .constraint_ids()
        .filter(|id| spec.constraint(*id).side == Side::Assumption)
        .collect();
    let added = &assumptions[assumptions.len() - count..];
    let play = Lasso {
        steps: &play.steps,
        loop_start: play.loop_start,
    };
    let found = added_assumptions(
        &spec,
        Semantics::Strict,
        added,
        play,
        Against::AnySystem,
        &mut claims,
    );
    found.expect("no limits").err()
}

const AHEAD: &str = "module M env boolean a; env boolean b; sys boolean x;
    gar copy: G x <-> next(a); gar calls: GF x;\n";

#[test]
fn assumptions_that_help_are_certified() {
    let text = format!("{AHEAD} asm G next(a); asm ini a;");
    assert_eq!(
        refused(&text, 1, &|_| {}),
        Some(NoChange::NotNeeded(ConstraintId(3)))
    );
    assert_eq!(
        refused(&format!("{AHEAD} asm G next(a);"), 1, &|_| {}),
        None
    );
}

#[test]
fn assumptions_that_do_not_help_are_refused() {
    let text = format!("{AHEAD} asm GF a;");
    assert_eq!(refused(&text, 1, &|_| {}), Some(NoChange::Unrealizable));
}

#[test]
fn assumptions_that_the_system_makes_fail_are_refused() {
    let text = "module M env boolean a; sys boolean x; gar calls: GF (a & x); asm GF !x;";
    assert_eq!(refused(text, 1, &|_| {}), Some(NoChange::Forced));
}

#[test]
fn plays_that_break_a_constraint_are_refused() {
    let text = format!("{AHEAD} asm G next(a);");
    let broken = |change: &dyn Fn(&mut CommonPlay)| {
        let found = refused(&text, 1, change);
        assert!(matches!(found, Some(NoChange::NotKept(_))), "{found:?}");
    };
    broken(&|play| {
        let end = play.steps.len() - 1;
        play.steps[end][2] = 0;
    });
    broken(&|play| play.loop_start = play.steps.len());
    broken(&|play| play.steps[0][1] = 2);
    broken(&|play| {
        play.steps[0].pop();
    });
}

fn sets(text: &str) -> Vec<Vec<String>> {
    let found = changes(&read("m.spectra", text), Semantics::Strict);
    let sets = found
        .additions
        .expect("they were looked for")
        .sets
        .into_iter();
    sets.map(|set| set.assumptions.into_iter().map(|item| item.text).collect())
        .collect()
}

#[test]
fn a_guarantee_is_not_offered_as_an_assumption() {
    let text = "spec Asked env boolean a; sys boolean x; gar r0: G (a -> (x <-> next(a))); \
                gar r2: GF a;";
    let offered = sets(text).concat();
    assert!(!offered.contains(&"GF (a)".to_string()), "{offered:?}");
}

#[test]
fn sets_that_say_the_same_are_offered_once() {
    let text = "spec Monitor env boolean a; sys boolean x;
        monitor boolean m { !m; G next(m) = (m | a); G (m -> x); }
        counter c(0..4) { c = 0; inc: x; dec: !x; overflow: keep; underflow: false; }
        gar full: GF c = 4; gar low: GF c = 0;";
    assert_eq!(sets(text), [["G (!a)"]]);
}

#[test]
fn what_plays_keep_is_what_follows_for_all_of_them() {
    let spec = read(
        "m.spectra",
        "spec Follows env boolean a; env boolean b; sys boolean x;
        asm start: !a; asm stay: G (!a -> !next(a)); asm calls: GF b; asm answer: G (b -> next(x));
        asm never: G !a; asm seen: GF x; asm odd: G (b | a); asm quiet: GF (!x);
        asm both: G (a -> next(x)); asm last: x;",
    );
    let game = game(&spec);
    let ids: Vec<ConstraintId> = spec.constraint_ids().collect();
    let mut first = Selection::everything(&spec);
    for id in &ids[4..] {
        first.set(*id, false);
    }
    let kept: Vec<bool> = ids
        .iter()
        .map(|id| game.plays_keep(&first, &[*id]).expect("no limits"))
        .collect();
    let expected = [
        true, true, true, true, true, true, false, false, true, false,
    ];
    assert_eq!(kept, expected);
}
