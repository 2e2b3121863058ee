//! The worked examples of [KHB11], [CRST08] and [MR16], with the answers printed there.

use crate::support::{constraint_names, example, game, names};
use respin::bdd::Limits;
use respin::explain::separation::{Scope, Separation, relevant_part};
use respin::explain::{
    Bounds, Counterstrategy, Minimizer, Oracle, Semantics, countertrace, diagnose, graph, helpful,
};
use respin::game::gr1::Gr1Game;
use respin::spec::gr1::Gr1;

const MINIMIZERS: [Minimizer; 3] = [
    Minimizer::DeltaDebugging,
    Minimizer::Linear,
    Minimizer::QuickXplain,
];

fn check_diagnoses(with_outputs: bool, conflicts: &[&str], diagnoses: &[&str]) {
    let spec = example("dining_philosophers.spectra");
    let game = game(&spec);
    for minimizer in MINIMIZERS {
        for reading in [Semantics::Strict, Semantics::Implication] {
            let mut oracle = Oracle::new(&game, reading);
            let components = if with_outputs {
                oracle.whole()
            } else {
                oracle.guarantees()
            };
            let bounds = Bounds {
                size: 5,
                ..Bounds::default()
            };
            let found = diagnose(&mut oracle, minimizer, &components, bounds);
            assert_eq!(found.unfinished, None);
            let fixed = oracle.whole().minus(&components);
            let mut own: Vec<String> = found
                .conflicts
                .iter()
                .map(|conflict| names(&oracle, &conflict.minus(&fixed)))
                .collect();
            own.sort();
            assert_eq!(own, conflicts, "{minimizer:?} {reading:?}");
            let mut own: Vec<String> = found
                .diagnoses
                .iter()
                .map(|diagnosis| names(&oracle, diagnosis))
                .collect();
            assert_eq!(own[0], "noPoison", "the smallest comes first");
            own.sort();
            assert_eq!(own, diagnoses, "{minimizer:?} {reading:?}");
        }
    }
}

/// [KHB11, Example 2]
#[test]
fn diagnoses_of_the_philosophers_over_guarantees() {
    check_diagnoses(
        false,
        &["feeds0 noPoison", "feeds1 noPoison"],
        &["feeds0 feeds1", "noPoison"],
    );
}

/// [KHB11, Example 4]
#[test]
fn diagnoses_of_the_philosophers_over_guarantees_and_outputs() {
    check_diagnoses(
        true,
        &["feeds0 noPoison eats0", "feeds1 noPoison eats1"],
        &[
            "eats0 eats1",
            "feeds0 eats1",
            "feeds0 feeds1",
            "feeds1 eats0",
            "noPoison",
        ],
    );
}

/// [KHB11, Example 1]: without the last guarantee there is no conflict.
#[test]
fn the_philosophers_can_be_fed_without_the_last_guarantee() {
    let spec = example("dining_philosophers.spectra");
    let game = game(&spec);
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let whole = oracle.whole();
    assert!(oracle.conflicts(&whole).unwrap());
    let last = oracle.guarantees().iter().last().unwrap();
    let mut rest = whole.clone();
    rest.remove(last);
    assert!(!oracle.conflicts(&rest).unwrap());
}

/// [KHB11, Example 6]: the food is poisoned, and one philosopher stays hungry.
#[test]
fn the_philosophers_have_a_countertrace() {
    let spec = example("dining_philosophers.spectra");
    let game = game(&spec);
    let mut oracle = Oracle::new(&game, Semantics::Strict);
    let (whole, nothing) = (oracle.whole(), oracle.set([]));
    let core = oracle
        .minimal_conflict(Minimizer::DeltaDebugging, &whole, &nothing)
        .unwrap();
    let hungry = match names(&oracle, &core).as_str() {
        "feeds0 noPoison eats0" => "hungry0",
        "feeds1 noPoison eats1" => "hungry1",
        other => panic!("{other} is no minimal conflict"),
    };
    let rules = oracle.rules(&core).unwrap();
    let strategy = Counterstrategy::new(rules).unwrap().expect("a conflict");
    let trace = countertrace(&strategy, None)
        .unwrap()
        .expect("a countertrace");
    let start = trace
        .loop_start
        .expect("no guarantee is broken in finite time");
    let inputs = strategy.inputs(false);
    let bit = |name: &str, step: usize| {
        let id = spec.find_variable(name).unwrap();
        let variable = game.encoding().bits(id)[0].now;
        let place = inputs.iter().position(|one| *one == variable).unwrap();
        trace.inputs[step][place]
    };
    for step in 0..trace.inputs.len() {
        assert!(bit("poisoned", step), "step {step}");
        assert!(step < start || bit(hungry, step), "step {step}");
    }
    let graph = graph(&strategy, &oracle.selection(&core).released, 100).unwrap();
    assert!(!graph.truncated && !graph.nodes.is_empty());
    for node in &graph.nodes {
        assert!(!node.successors.is_empty(), "the system can always answer");
    }
}

/// [CRST08, Sec. 3.4]
#[test]
fn the_delayed_copy_has_one_minimal_conflict() {
    let spec = example("delayed_copy.spectra");
    let game = game(&spec);
    for minimizer in MINIMIZERS {
        let mut oracle = Oracle::new(&game, Semantics::Strict);
        let guarantees = helpful::unfulfillable(&mut oracle, minimizer).unwrap();
        assert_eq!(names(&oracle, &guarantees), "copies differs");
        let conflict = guarantees.union(&oracle.outputs());
        let assumptions =
            helpful::conflict_assumptions(&mut oracle, minimizer, &conflict, &guarantees);
        assert_eq!(names(&oracle, &assumptions.unwrap()), "high");
        let fix = helpful::minimal_fix(&mut oracle, minimizer).unwrap();
        assert_eq!(fix.len(), 1, "{}", names(&oracle, &fix));
    }
}

struct Forklift {
    spec: Gr1,
    game: Gr1Game,
}

fn forklift(file: &str, scope: Scope) -> Forklift {
    let spec = relevant_part(&example(file), scope);
    let game = Gr1Game::new(&spec, Limits::default()).unwrap();
    Forklift { spec, game }
}

fn check_separation(file: &str, cases: &[&str], justice: bool, core: &str) {
    let forklift = forklift(file, Scope::Environment);
    let mut separation = Separation::new(&forklift.game).unwrap();
    let found = separation.cases().unwrap();
    let found: Vec<String> = found.into_iter().map(|case| case.text()).collect();
    assert_eq!(found, cases);
    let found = separation.core(justice).unwrap();
    let found = found.map(|core| constraint_names(&forklift.spec, &core));
    assert_eq!(found.as_deref().unwrap_or("none"), core);
}

/// [MR16, Sec. 4.1.4 and 5.3]
#[test]
fn the_forklift_can_make_the_world_stop() {
    let file = "forklift.spectra";
    check_separation(file, &["(P-all, E-safe)"], true, "findStat samePos");
    check_separation(file, &["(P-all, E-safe)"], false, "dropCargo clearCargo");
}

#[test]
fn the_fixed_forklift_can_keep_stations_away() {
    let file = "forklift_fixed.spectra";
    check_separation(file, &["(P-reach, E-just)"], true, "findStat samePos");
    check_separation(file, &["(P-reach, E-just)"], false, "none");
}

/// [MR16, Sec. 6.2]: guarantees can keep the system from it.
#[test]
fn a_guarantee_can_separate_the_forklift() {
    let text = std::fs::read_to_string(
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/forklift.spectra"),
    )
    .unwrap();
    let guarded = text
        + "\ngar dropStop: G (lift = DROP -> mot = STOP);\n\
        gar keepsMoving: G (mot != STOP & lift != DROP);\n";
    let spec = crate::support::read("guarded", &guarded);
    let alone = relevant_part(&spec, Scope::Environment);
    let alone_game = game(&alone);
    let cases = Separation::new(&alone_game).unwrap().cases().unwrap();
    assert_eq!(cases.len(), 1);
    let both = relevant_part(&spec, Scope::Guarantees);
    let both_game = game(&both);
    let cases = Separation::new(&both_game).unwrap().cases().unwrap();
    assert_eq!(cases, []);
}

/// Where the violation starts, and how the play gets there.
#[test]
fn the_fixed_forklift_stops_away_from_a_station() {
    let forklift = forklift("forklift_fixed.spectra", Scope::Environment);
    let mut separation = Separation::new(&forklift.game).unwrap();
    let core = separation.core(true).unwrap().unwrap();
    let forced = separation.forced_by(&core, true).unwrap();
    let (path, _) = separation.trace_to(forced.states()).unwrap().unwrap();
    let last = path.last().unwrap();
    let value = |wanted: &str| {
        let id = forklift.spec.find_variable(wanted).unwrap();
        let domain = &forklift.spec.variable(id).domain;
        forklift.spec.value_text(domain, last[id.0 as usize])
    };
    assert_eq!(value("atStation"), "false");
    assert_eq!(value("mot"), "STOP");
}

/// The cases of assumptions that are written without next values.
fn cases_of(text: &str) -> Vec<String> {
    let spec = crate::support::read("invariant", text);
    let part = relevant_part(&spec, Scope::Environment);
    let game = game(&part);
    let cases = Separation::new(&game).unwrap().cases().unwrap();
    cases.into_iter().map(|case| case.text()).collect()
}

#[test]
fn an_invariant_over_inputs_cannot_be_forced_to_fail() {
    let variables = "module M env boolean r0; env boolean r1; sys boolean g;";
    let cases = |assumptions: &str| cases_of(&format!("{variables} {assumptions}"));
    assert!(cases("asm G !(r0 & r1);").is_empty());
    // The same property in other words.
    assert!(cases("asm !(r0 & r1); asm G next(!(r0 & r1));").is_empty());
    // The system has the last word on its own output.
    assert_eq!(cases("asm G !(r0 & g);"), ["(P-reach, E-safe)"]);
    // No first inputs keep this.
    assert_eq!(cases("asm ini r0; asm G !r0;"), ["(P-all, E-safe)"]);
    // What was entered by the own choice may still leave no next move.
    let stuck = "asm G !(r0 & r1); asm G (r0 -> next(r1)); asm G (r0 -> next(r0));";
    assert_eq!(cases(stuck), ["(P-reach, E-safe)"]);
}
