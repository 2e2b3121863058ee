//! Verdicts on random specifications against a solver that visits every state.

use crate::explicit::Explicit;
use crate::sketch::{Shape, Sketch};
use respin::bdd::Limits;
use respin::game::gr1::{Gr1Game, Selection};
use respin::random::Random;
use respin::spec::gr1::{ConstraintId, Side};
use respin::synth::gr1::{self, Certification};

fn symbolic(sketch: &Sketch) -> Certification {
    gr1::solve(&sketch.build(), Limits::default()).expect("no limits")
}

/// The same, with states that plays do not reach left out.
fn on_reachable(sketch: &Sketch) -> Certification {
    let spec = sketch.build();
    let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
    let mut rules = game
        .rules(&Selection::everything(&spec))
        .expect("no limits");
    rules.restrict_to_reachable().expect("no limits");
    let solution = rules.solve().expect("no limits");
    gr1::certified(&game, &rules, &solution).expect("no limits")
}

/// The verdict alone, which keeps less while it is found.
fn decided(sketch: &Sketch) -> bool {
    let spec = sketch.build();
    let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
    let everything = Selection::everything(&spec);
    game.is_realizable(&everything).expect("no limits")
}

fn differs(sketch: &Sketch) -> bool {
    let spec = sketch.build();
    let answer = symbolic(sketch);
    let Ok(verdict) = &answer else {
        return true;
    };
    answer != on_reachable(sketch)
        || verdict.is_realizable() != decided(sketch)
        || lacks_grounds(sketch)
        || verdict.is_realizable() != Explicit::new(&spec).realizable()
}

/// Whether the guarantees that the environment's win rests on are not enough for it.
fn lacks_grounds(sketch: &Sketch) -> bool {
    let spec = sketch.build();
    let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
    // Every other specification prefers its first guarantees, and the others their last.
    let preferred = |id: ConstraintId| {
        let place = id.0 as usize;
        (2 * place < spec.constraints.len()) == spec.constraints.len().is_multiple_of(2)
    };
    let found = game.grounds(&Selection::everything(&spec), &preferred);
    let Some(found) = found.expect("no limits") else {
        return !decided(sketch);
    };
    let mut few = sketch.clone();
    let mut ids = spec.constraint_ids();
    few.constraints.retain(|(side, _, _)| {
        let id = ids.next().expect("each constraint has a number");
        *side == Side::Assumption || found.contains(&id)
    });
    Explicit::new(&few.build()).realizable()
}

/// The smallest sketch found that still fails.
fn shrink(mut sketch: Sketch, fails: fn(&Sketch) -> bool) -> Sketch {
    while let Some(smaller) = sketch.smaller().into_iter().find(&fails) {
        sketch = smaller;
    }
    sketch
}

fn compare(seeds: std::ops::Range<u64>, shape: Shape) {
    let mut realizable = 0;
    for seed in seeds.clone() {
        let sketch = Sketch::random(&mut Random::new(seed), shape);
        if differs(&sketch) {
            let small = shrink(sketch, differs);
            let verdict = symbolic(&small);
            panic!("seed {seed}: {verdict:?} is wrong for\n{small}");
        }
        realizable += u64::from(symbolic(&sketch).is_ok_and(|one| one.is_realizable()));
    }
    // A generator that only makes one kind tests little.
    let count = seeds.end - seeds.start;
    assert!(
        realizable * 10 > count && realizable * 10 < count * 9,
        "{realizable} of {count}"
    );
}

#[test]
fn verdicts_on_booleans_agree_with_a_solver_that_visits_every_state() {
    let shape = Shape {
        words: false,
        assume_system: false,
    };
    compare(0..1000, shape);
}

#[test]
fn verdicts_on_words_agree_with_a_solver_that_visits_every_state() {
    let shape = Shape {
        words: true,
        assume_system: false,
    };
    compare(10_000..10_300, shape);
}

#[test]
fn verdicts_with_assumptions_on_the_system_agree_with_a_solver_that_visits_every_state() {
    let shape = Shape {
        words: true,
        assume_system: true,
    };
    compare(20_000..20_300, shape);
}
