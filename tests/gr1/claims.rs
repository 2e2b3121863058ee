//! Claims that are not true are refused.
//!
//! The first tests change one thing in the reason that the solver gives. The last one makes up
//! reasons for the wrong player at random: whatever the sets are, none may be accepted.

use crate::explicit::Explicit;
use crate::sketch::{Shape, Sketch};
use respin::bdd::{Bdd, Limits, Manager};
use respin::certify::gr1::{Claim, Layer, Layout, Round, RoundGoal, check};
use respin::game::gr1::{Gr1Game, Selection};
use respin::random::Random;
use respin::source::Sources;
use respin::spec::gr1::{ConstraintId, Gr1, Kind, Side};
use respin::spec::spectra;
use respin::synth::gr1;

/// A tick at a time, the level goes up to 3 and starts again; nothing may ever be broken.
const COUNTER: &str = "
module Counter
env boolean tick;
sys Int(0..3) level;
sys boolean broken;
assumption GF tick;
guarantee level = 0;
guarantee !broken;
guarantee G !broken;
guarantee G ((tick & level < 3) -> next(level) = level + 1);
guarantee G ((tick & level = 3) -> next(level) = 0);
guarantee G (!tick -> next(level) = level);
guarantee GF (level = 3);
";

fn parse(text: &str) -> Gr1 {
    let mut sources = Sources::new();
    let id = sources.add("counter.spectra", text.to_string());
    spectra::parse(&sources, id).expect("a specification")
}

/// What is wrong, and how to bring it about.
type Change<'a> = (&'a str, &'a dyn Fn(&mut Claim, &Manager));

/// Changes the solver's claim in one way at a time; each has to be refused.
fn refuses(text: &str, realizable: bool, changes: &[Change<'_>]) {
    let spec = parse(text);
    let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
    let rules = game
        .rules(&Selection::everything(&spec))
        .expect("no limits");
    let solution = rules.solve().expect("no limits");
    assert_eq!(solution.realizable, realizable);
    let given = || gr1::claim(&game, &rules, &solution).expect("no limits");
    let (layout, claim) = given();
    assert_eq!(check(&spec, &layout, &claim), Ok(Ok(())));
    for (name, change) in changes {
        let (layout, mut claim) = given();
        change(&mut claim, &layout.manager);
        let answer = check(&spec, &layout, &claim).expect("no limits");
        assert!(answer.is_err(), "accepted although {name}");
    }
}

type Goals = Vec<(Option<ConstraintId>, Vec<Layer>)>;

fn system(claim: &mut Claim) -> (&mut Bdd, &mut Goals) {
    match claim {
        Claim::System { winning, goals } => (winning, goals),
        Claim::Environment { .. } => panic!("a claim for the system"),
    }
}

fn rounds(claim: &mut Claim) -> &mut Vec<Round> {
    match claim {
        Claim::Environment { rounds } => rounds,
        Claim::System { .. } => panic!("a claim for the environment"),
    }
}

fn everything_lost(manager: &Manager) -> Claim {
    Claim::Environment {
        rounds: vec![Round {
            goal: RoundGoal::OneStep,
            before: manager.zero(),
            after: manager.one(),
            layers: Vec::new(),
        }],
    }
}

fn everything_won(goals: Vec<Option<ConstraintId>>, manager: &Manager) -> Claim {
    let layer = || Layer {
        states: manager.one(),
        waiting: Vec::new(),
    };
    Claim::System {
        winning: manager.one(),
        goals: goals.into_iter().map(|id| (id, vec![layer()])).collect(),
    }
}

#[test]
fn changed_reasons_for_the_system_are_refused() {
    refuses(
        COUNTER,
        true,
        &[
            ("the verdict is turned, without a round", &|claim, _| {
                *claim = Claim::Environment { rounds: Vec::new() };
            }),
            (
                "the verdict is turned, with all states lost",
                &|claim, manager| {
                    *claim = everything_lost(manager);
                },
            ),
            ("no state wins", &|claim, manager| {
                *system(claim).0 = manager.zero();
            }),
            ("all states win", &|claim, manager| {
                *system(claim).0 = manager.one();
            }),
            (
                "all states win and are in the last layer",
                &|claim, manager| {
                    let (winning, goals) = system(claim);
                    *winning = manager.one();
                    goals[0].1.last_mut().expect("a layer").states = manager.one();
                },
            ),
            ("nothing is said of the goal", &|claim, _| {
                system(claim).1.clear();
            }),
            ("the goal has no layers", &|claim, _| {
                system(claim).1[0].1.clear();
            }),
            ("the first layer is left out", &|claim, _| {
                system(claim).1[0].1.remove(0);
            }),
            ("a layer in the middle is left out", &|claim, _| {
                system(claim).1[0].1.remove(1);
            }),
            ("the last layer is left out", &|claim, _| {
                system(claim).1[0].1.pop();
            }),
            (
                "the first layer is that of all winning states",
                &|claim, _| {
                    let (winning, goals) = system(claim);
                    goals[0].1[0].states = winning.clone();
                },
            ),
            ("the system waits anywhere", &|claim, _| {
                let (winning, goals) = system(claim);
                for (_, waiting) in &mut goals[0].1[0].waiting {
                    *waiting = winning.clone();
                }
            }),
            ("the system does not wait", &|claim, manager| {
                for layer in &mut system(claim).1[0].1 {
                    for (_, waiting) in &mut layer.waiting {
                        *waiting = manager.zero();
                    }
                }
            }),
            ("the system waits for a guarantee", &|claim, _| {
                let (_, goals) = system(claim);
                let goal = goals[0].0;
                for (assumption, _) in &mut goals[0].1[0].waiting {
                    *assumption = goal;
                }
            }),
        ],
    );
}

#[test]
fn changed_reasons_for_an_environment_that_makes_steps_are_refused() {
    let text = format!("{COUNTER}guarantee G ((level = 2 & tick) -> FALSE);\n");
    refuses(
        &text,
        false,
        &[
            ("the verdict is turned", &|claim, manager| {
                *claim = everything_won(Vec::new(), manager);
            }),
            ("there is no round", &|claim, _| rounds(claim).clear()),
            ("the first round is left out", &|claim, _| {
                rounds(claim).remove(0);
            }),
            ("a round in the middle is left out", &|claim, _| {
                rounds(claim).remove(1);
            }),
            ("the last round is left out", &|claim, _| {
                rounds(claim).pop();
            }),
            (
                "all states are lost in the first round",
                &|claim, manager| {
                    rounds(claim)[0].after = manager.one();
                },
            ),
            ("a round starts with what is lost in it", &|claim, _| {
                let first = &mut rounds(claim)[0];
                first.before = first.after.clone();
            }),
        ],
    );
}

#[test]
fn changed_reasons_for_an_environment_that_waits_are_refused() {
    let text = COUNTER.replace("assumption GF tick;", "assumption GF (level < 3);");
    refuses(
        &text,
        false,
        &[
            ("the verdict is turned", &|claim, manager| {
                *claim = everything_won(Vec::new(), manager);
            }),
            ("one step is said to be enough", &|claim, _| {
                for round in rounds(claim) {
                    round.goal = RoundGoal::OneStep;
                }
            }),
            ("nothing is said of the assumption", &|claim, _| {
                for round in rounds(claim) {
                    round.layers.clear();
                }
            }),
            ("the assumption has no layers", &|claim, _| {
                for (_, layers) in rounds(claim).iter_mut().flat_map(|round| &mut round.layers) {
                    layers.clear();
                }
            }),
            ("all states are lost", &|claim, manager| {
                let last = rounds(claim).last_mut().expect("a round");
                last.after = manager.one();
            }),
            (
                "all states are lost and near the assumption",
                &|claim, manager| {
                    let last = rounds(claim).last_mut().expect("a round");
                    last.after = manager.one();
                    for (_, layers) in &mut last.layers {
                        layers.push(manager.one());
                    }
                },
            ),
            ("what is prevented is no goal", &|claim, _| {
                let round = rounds(claim).last_mut().expect("a round");
                let assumption = round.layers[0].0;
                round.goal = RoundGoal::Prevented(assumption);
            }),
        ],
    );
}

/// Some states: a few literals, or two such sets together.
fn some_states(random: &mut Random, layout: &Layout) -> Bdd {
    let manager = &layout.manager;
    if random.chance(20) {
        return manager.constant(random.chance(50));
    }
    let mut states = manager.zero();
    for _ in 0..=random.below(2) {
        let mut cube = manager.one();
        for (now, _) in layout.bits.iter().flatten() {
            if random.chance(40) {
                let literal = manager.literal(*now).expect("no limits");
                let literal = if random.chance(50) {
                    literal
                } else {
                    literal.not()
                };
                cube = cube.and(&literal).expect("no limits");
            }
        }
        states = states.or(&cube).expect("no limits");
    }
    states
}

/// A made-up reason why the wrong player wins.
fn made_up(random: &mut Random, spec: &Gr1, layout: &Layout, for_system: bool) -> Claim {
    let ids = |side: Side| -> Vec<Option<ConstraintId>> {
        let found: Vec<_> = spec.of(side, Kind::Justice).map(Some).collect();
        if found.is_empty() { vec![None] } else { found }
    };
    let (assumed, goals) = (ids(Side::Assumption), ids(Side::Guarantee));
    let mut union = layout.manager.zero();
    let mut growing = |random: &mut Random| {
        union = union.or(&some_states(random, layout)).expect("no limits");
        union.clone()
    };
    if for_system {
        let mut found: Goals = Vec::new();
        for goal in goals {
            let mut layers = Vec::new();
            for _ in 0..=random.below(3) {
                let waiting = assumed.iter().map(|id| (*id, some_states(random, layout)));
                layers.push(Layer {
                    waiting: waiting.collect(),
                    states: growing(random),
                });
            }
            found.push((goal, layers));
        }
        let winning = growing(random);
        for (_, layers) in &mut found {
            if let Some(last) = layers.last_mut() {
                last.states = winning.clone();
            }
        }
        return Claim::System {
            winning,
            goals: found,
        };
    }
    let mut found = Vec::new();
    let mut before = layout.manager.zero();
    for _ in 0..=random.below(3) {
        let after = growing(random);
        let goal = match random.below(goals.len() + 1) {
            0 => RoundGoal::OneStep,
            place => RoundGoal::Prevented(goals[place - 1]),
        };
        let layers = assumed.iter().map(|id| {
            let middle = before.or(&some_states(random, layout)).expect("no limits");
            (*id, vec![middle, after.clone()])
        });
        let layers = layers.collect();
        found.push(Round {
            goal,
            before,
            after: after.clone(),
            layers,
        });
        before = after;
    }
    Claim::Environment { rounds: found }
}

#[test]
fn made_up_reasons_for_the_wrong_player_are_refused() {
    let shape = Shape {
        words: false,
        assume_system: false,
    };
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let spec = Sketch::random(&mut random, shape).build();
        let realizable = Explicit::new(&spec).realizable();
        let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
        let bits = spec.variable_ids().map(|id| {
            let bits = game.encoding().bits(id).iter();
            bits.map(|bit| (bit.now, bit.next)).collect()
        });
        let layout = Layout {
            manager: game.encoding().manager().clone(),
            bits: bits.collect(),
        };
        for number in 0..40 {
            let claim = made_up(&mut random, &spec, &layout, !realizable);
            let answer = check(&spec, &layout, &claim).expect("no limits");
            assert!(
                answer.is_err(),
                "seed {seed}: accepted reason {number} for the wrong player"
            );
        }
    }
}
