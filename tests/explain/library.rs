//! The whole job from texts in memory, as a crate user does it.

use respin::bdd::Limits;
use respin::explain::answer::{
    CheckEvent, CheckOptions, CheckPart, Confirmation, Explanation, ItemKind, Missing, Options,
    Part, Verdict, Wanted,
};
use respin::explain::ltl::Oracle;
use respin::explain::simulate::{Inputs, SimulationAnswer, simulate};
use respin::explain::{check, explain};
use respin::load::{self, AnySpec, Format, Memory, SpecOptions};
use respin::source::Sources;
use std::time::{Duration, Instant};

fn read(text: &str, format: Format, options: &SpecOptions) -> AnySpec {
    let mut sources = Sources::new();
    let file = sources.add("test", text);
    load::spec(&mut sources, file, format, options, &Memory::new()).expect("a specification")
}

fn spectra(text: &str) -> AnySpec {
    read(text, Format::Spectra, &SpecOptions::default())
}

fn formulas(text: &str) -> AnySpec {
    let options = SpecOptions {
        inputs: vec!["a".to_string(), "b".to_string()],
        outputs: vec!["x".to_string(), "y".to_string()],
        keeps_formulas: true,
        ..SpecOptions::default()
    };
    read(text, Format::Properties, &options)
}

fn explained(spec: &AnySpec) -> Explanation {
    explain(spec, &Options::default(), &mut |_| {}).expect("nothing is wrong with it")
}

fn is_realizable(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Certified(certified) => certified.is_realizable(),
        other => panic!("{other:?}"),
    }
}

fn core_names(found: &Explanation) -> Vec<&str> {
    let core = found.core.as_ref().expect("a core");
    core.items.iter().map(|item| item.name.as_str()).collect()
}

const CONFLICT: &str = "module M env boolean a; env boolean b; sys boolean x; sys boolean y;
    gar ahead: G (x = next(a));
    gar other: G (y = b);";

#[test]
fn a_core_of_gr1_is_certified_member_by_member() {
    let found = explained(&spectra(CONFLICT));
    assert!(!is_realizable(&found.verdict));
    assert_eq!(core_names(&found), ["ahead", "x"]);
    let core = found.core.expect("a core");
    assert_eq!(core.items[0].kind, ItemKind::Guarantee);
    assert_eq!(core.items[1].kind, ItemKind::Output);
    let Confirmation::Certified(certified) = core.confirmation else {
        panic!("{:?}", core.confirmation);
    };
    assert_eq!(certified.guarantees, ["ahead"]);
    assert_eq!(certified.outputs, ["x"]);
}

#[test]
fn a_core_under_the_implication_is_certified() {
    let options = SpecOptions {
        semantics: Some(respin::spec::Semantics::Implication),
        ..SpecOptions::default()
    };
    let found = explained(&read(CONFLICT, Format::Spectra, &options));
    assert!(!is_realizable(&found.verdict));
    assert_eq!(core_names(&found), ["ahead", "x"]);
    let core = found.core.expect("a core");
    let Confirmation::Certified(certified) = core.confirmation else {
        panic!("{:?}", core.confirmation);
    };
    assert_eq!(certified.guarantees, ["ahead"]);
    assert_eq!(certified.outputs, ["x"]);
    let fix = found.fix.expect("a fix");
    assert!(matches!(fix.confirmation, Confirmation::Certified(_)));
}

#[test]
fn a_fix_of_gr1_is_certified() {
    let fix = explained(&spectra(CONFLICT)).fix.expect("a fix");
    let Confirmation::Certified(certified) = fix.confirmation else {
        panic!("{:?}", fix.confirmation);
    };
    assert_eq!(certified.removed, ["ahead"]);
    assert!(certified.assumptions.is_empty());
}

#[test]
fn a_core_of_ltl_has_conjuncts() {
    let text = "assert ahead: G (x <-> X a);\nassert other: G (y <-> b);";
    let ltl = explained(&formulas(text));
    assert!(!is_realizable(&ltl.verdict));
    // Conjuncts are asked about one by one, and this needs both directions.
    assert_eq!(core_names(&ltl), ["ahead/1", "ahead/2"]);
    assert!(ltl.countertrace.is_some() || ltl.counterstrategy.is_some());
    let core = ltl.core.expect("a core");
    let Confirmation::Certified(certified) = core.confirmation else {
        panic!("{:?}", core.confirmation);
    };
    assert_eq!(certified.guarantees, ["ahead/1", "ahead/2"]);
    let fix = ltl.fix.expect("a fix");
    assert_eq!(fix.removed.len(), 1);
    assert!(matches!(fix.confirmation, Confirmation::Certified(_)));
}

#[test]
fn a_countertrace_of_ltl_is_certified() {
    let found = explained(&formulas("assert never: G (x & !a);"));
    let trace = found.countertrace.expect("a countertrace");
    assert_eq!(trace.certified.inputs, trace.play.run);
    let input = trace.certified.inputs.signal("a").expect("an input");
    assert!((0..trace.certified.inputs.steps).any(|step| input.is_one(step)));
}

#[test]
fn a_realizable_specification_says_which_assumptions_matter() {
    let text = "module M env boolean a; env boolean b; sys boolean x;
        asm seen: GF a;
        asm idle: GF b;
        gar answer: GF (a & x);";
    let found = explained(&spectra(text));
    assert!(is_realizable(&found.verdict));
    let assumptions = found.assumptions.expect("assumptions");
    assert_eq!(assumptions.sufficient.len(), 1);
    assert_eq!(assumptions.sufficient[0].name, "seen");
    assert_eq!(assumptions.unhelpful[0].name, "idle");
}

#[test]
fn a_play_is_a_run_with_reasons() {
    let text = "module M env boolean a; sys {RED, GREEN} x;
        gar stop: G (a -> x = RED);
        gar go: GF (x = GREEN);";
    let found = explained(&spectra(text));
    let trace = found.countertrace.expect("always a");
    assert_eq!(
        trace.certified.inputs.signal("a"),
        trace.play.run.signal("a")
    );
    let play = trace.play;
    assert_eq!(play.run.signal("a").expect("an input").digits(0), "1");
    let light = play.run.signals.iter().position(|one| one.name == "x");
    assert_eq!(
        play.value(light.expect("an output"), 0).as_deref(),
        Some("RED")
    );
    assert!(!play.reasons[0].is_empty());
    assert!(found.shown.is_some());
    assert!(found.graph.expect("a graph").dot().starts_with("digraph"));
}

#[test]
fn a_simulation_is_a_run() {
    let text = "module M env boolean a; sys {RED, GREEN} x; gar stop: G (a -> x = RED);";
    let inputs = Inputs::Script("a=true\na=false\n".to_string());
    let limits = respin::bdd::Limits::default();
    let ran = simulate(&spectra(text), &inputs, &limits, &mut |_| {});
    let Ok(SimulationAnswer::Ran(simulated)) = ran else {
        panic!("it is realizable");
    };
    let run = &simulated.recording.run;
    assert_eq!(run.steps, 2);
    assert_eq!(run.signal("a").expect("an input").digits(1), "0");
    let first = simulated.recording.line(0);
    assert!(first.starts_with("a=true x=RED"), "{first}");
}

#[test]
fn only_what_is_asked_for_is_there() {
    let options = Options {
        only: vec![Part::Fix],
        ..Options::default()
    };
    let found = explain(&spectra(CONFLICT), &options, &mut |_| {}).expect("an explanation");
    assert!(found.core.is_none() && found.diagnoses.is_none() && found.countertrace.is_none());
    assert_eq!(found.fix.expect("a fix").removed[0].name, "ahead");
}

#[test]
fn parts_that_only_gr1_has_are_named() {
    let options = Options {
        only: vec![Part::Separation],
        all_explanations: true,
        ..Options::default()
    };
    let spec = formulas("assert F (G (x <-> a));");
    let found = explain(&spec, &options, &mut |_| {}).expect("an explanation");
    assert_eq!(
        found.missing,
        [Missing::OnlyForGr1(Wanted::AllExplanations)]
    );
    assert!(found.separation.expect("of any LTL").cases.is_empty());
}

#[test]
fn what_is_being_done_is_said() {
    let mut said = Vec::new();
    let spec = spectra(CONFLICT);
    explain(&spec, &Options::default(), &mut |doing| {
        said.push(doing.to_string())
    })
    .expect("an explanation");
    assert!(said.contains(&"looking for a core".to_string()), "{said:?}");
}

#[test]
fn a_check_answers_for_either_kind() {
    let options = CheckOptions::default();
    for spec in [spectra(CONFLICT), formulas("assert G (x <-> X a);")] {
        let found = check(&spec, &options, &mut |_| {}).expect("an answer");
        assert!(!is_realizable(&found.verdict));
        assert_eq!(found.satisfiable.both, Some(true));
        assert_eq!(found.unhelpful, Some(Vec::new()));
    }
}

/// What is found is told in order, the verdict first; nothing else if nothing else is asked for.
#[test]
fn a_check_tells_the_verdict_first() {
    let parts = |only: Vec<CheckPart>, spec: AnySpec| -> Vec<CheckPart> {
        let options = CheckOptions {
            only,
            ..CheckOptions::default()
        };
        let mut told = Vec::new();
        let found = check(&spec, &options, &mut |event| {
            if let CheckEvent::Found(part, found) = event {
                assert!(matches!(found.verdict, Verdict::Certified(_)));
                told.push(part);
            }
        });
        found.expect("an answer");
        told
    };
    use CheckPart::{Satisfiable, Separation, Unhelpful, Verdict as Won};
    let gr1 = || spectra(CONFLICT);
    let ltl = || formulas("assert G (x <-> X a);");
    assert_eq!(
        parts(vec![], gr1()),
        [Won, Satisfiable, Separation, Unhelpful]
    );
    assert_eq!(
        parts(vec![], ltl()),
        [Won, Satisfiable, Separation, Unhelpful]
    );
    assert_eq!(parts(vec![Won], gr1()), [Won]);
    assert_eq!(parts(vec![Won], ltl()), [Won]);
    assert_eq!(parts(vec![Separation], gr1()), [Won, Separation]);
}

/// A counter and a flag over it that cannot both be kept for ever: releasing the output makes
/// the counter free, too.
const MONITORS: &str = "module M sys boolean up;
    monitor Int(0..3) level { level=0; G up <-> (next(level)=level+1); G !up <-> (next(level)=level); }
    monitor Int(0..1) high { high=0; G (level=0)<->(high=0); G (level=2)<->(high=1); }
    gar start: !up;
    gar reach: GF (level=2);";

#[test]
fn a_core_with_a_member_too_many_is_made_smaller() {
    let found = explained(&spectra(MONITORS));
    assert!(!is_realizable(&found.verdict));
    let core = found.core.as_ref().expect("a core");
    assert!(matches!(core.confirmation, Confirmation::Certified(_)));
    let not_confirmed = |missing: &&Missing| matches!(missing, Missing::NotConfirmed(..));
    assert_eq!(found.missing.iter().find(not_confirmed), None);
}

/// The environment breaks an assumption if the system drives on, so a fixed sequence of inputs
/// that wins against the core can be answered.
const ANSWERED: &str = "module M
    env boolean ahead; env boolean beside; env boolean clear;
    sys {GO, HALT} move;
    sys {LOOK, SCAN, DONE} mode;
    gar first: mode = LOOK;
    gar onward: G ((mode = SCAN | mode = LOOK) & clear & ahead) -> (move = GO);
    gar back: G (mode = SCAN & !beside & clear) -> (next(mode) = LOOK);
    gar scan: G (mode = LOOK & ahead & beside) -> (next(mode) = SCAN);
    gar finish: GF mode = DONE;
    asm rest: G move = HALT -> (beside = next(beside) & ahead = next(ahead));";

#[test]
fn a_countertrace_that_can_be_answered_is_left_out_alone() {
    let found = explained(&spectra(ANSWERED));
    assert!(!is_realizable(&found.verdict));
    assert!(found.core.is_some() && found.fix.is_some() && found.diagnoses.is_some());
    assert!(found.counterstrategy.is_some());
    let left_out = found
        .missing
        .iter()
        .any(|missing| matches!(missing, Missing::NoCountertrace(_)));
    assert_eq!(found.countertrace.is_none(), left_out);
}

/// Where an assumption speaks of a monitor, the monitor stays.
#[test]
fn a_monitor_that_an_assumption_needs_is_not_blamed() {
    let found = explained(&spectra(
        "module Needed
env boolean a;
sys boolean s;
monitor boolean seen { seen = a; G next(seen) <-> next(a); }
asm GF seen;
gar g: G s;
gar h: G !s;
",
    ));
    assert_eq!(core_names(&found), ["g", "h", "s"]);
}

/// Of the guarantees that could go, one is enough.
#[test]
fn a_fix_is_a_smallest_diagnosis() {
    let text = "module Fewer env boolean b; env boolean c; sys boolean o;
        gar wide: G (!o | b);
        gar now: G (!next(c) | next(o));
        gar again: GF o;";
    let removed = |found: Explanation| -> Vec<String> {
        let fix = found.fix.expect("a fix");
        assert!(matches!(fix.confirmation, Confirmation::Certified(_)));
        fix.removed.into_iter().map(|item| item.name).collect()
    };
    assert_eq!(removed(explained(&spectra(text))), ["wide"]);
    let text = "assert wide: F G (!x | b); assert now: F G (!a | x); assert again: G F x;";
    assert_eq!(removed(explained(&formulas(text))), ["wide"]);
}

#[test]
fn an_assumption_that_nothing_is_known_of_is_not_called_needed() {
    let AnySpec::Ltl(loaded) = formulas("assume a: F G b; assert F G (x <-> a);") else {
        panic!("formulas stay formulas");
    };
    let limits = Limits {
        deadline: Some(Instant::now() + Duration::from_secs(1000)),
        ..Limits::default()
    };
    let mut oracle = Oracle::new(&loaded.spec, limits.clone());
    oracle.limit(limits, 0.0);
    let found = oracle.unhelpful().expect("time is left");
    assert_eq!((found.parts, found.open), (vec![], vec![0]));
}
