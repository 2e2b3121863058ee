//! Random games: all that `game` says against the oracle.

use super::oracle::{Bound, Strategy, system_wins};
use super::sketch::{Sketch, Start};
use respin::bdd::{Bdd, Limits, Variable};
use respin::design::NodeId;
use respin::game::{Game, Winner};
use respin::random::Random;

const KINDS: [&str; 5] = [
    "safety",
    "reachability",
    "Büchi",
    "generalised Büchi",
    "GR(1) with rigid choices",
];
const GAMES_OF_A_KIND: u64 = 300;
const WAYS: [Way; 3] = [Way::AllStates, Way::ReachableStates, Way::Arranged];

/// Truth of diagrams at states, inputs and choices given as bits.
struct Reader {
    bits: Vec<(Variable, usize)>,
    latches: usize,
    inputs: usize,
}

impl Reader {
    fn new(sketch: &Sketch, game: &Game, leaves: &[NodeId]) -> Reader {
        let bits = leaves.iter().enumerate();
        Reader {
            bits: bits
                .filter_map(|(bit, id)| Some((game.variable(*id)?, bit)))
                .collect(),
            latches: sketch.latches.len(),
            inputs: sketch.inputs,
        }
    }

    fn is(&self, function: &Bdd, state: usize, inputs: usize, choices: usize) -> bool {
        let all = state | inputs << self.latches | choices << (self.latches + self.inputs);
        function.evaluate(|variable| {
            let own = self.bits.iter().find(|(known, _)| *known == variable);
            own.is_some_and(|(_, bit)| all >> bit & 1 == 1)
        })
    }
}

/// How a game is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    AllStates,
    ReachableStates,
    /// As large netlists are.
    Arranged,
}

/// Says what is wrong with what the program says of a game.
fn examine(sketch: &Sketch, way: Way) -> Result<Winner, String> {
    let (arena, leaves) = sketch.arena();
    let limits = Limits::default();
    let game = match way {
        Way::Arranged => Game::arranged(&arena, limits),
        Way::AllStates | Way::ReachableStates => Game::new(&arena, limits),
    };
    let mut game = game.map_err(|error| error.to_string())?;
    if way == Way::ReachableStates {
        game.restrict_to_reachable()
            .map_err(|error| error.to_string())?;
    }
    let solution = match way {
        Way::Arranged => game.solve_watched(&mut |_| {}),
        Way::AllStates | Way::ReachableStates => game.solve(),
    };
    let solution = solution.map_err(|error| error.to_string())?;
    let reader = Reader::new(sketch, &game, &leaves);
    let expected = system_wins(sketch, &Bound::Nobody);
    let wins_all = |won: &[bool], rigid: usize| sketch.starts(rigid).all(|state| won[state]);
    for rigid in sketch.rigid_choices() {
        let said = reader.is(&solution.good_choices, rigid, 0, 0);
        if said != wins_all(&expected, rigid) {
            return Err(format!("rigid choice {rigid:b}: said to be good: {said}"));
        }
    }
    let winner = solution.winner();
    let counterstrategy = game
        .counterstrategy_of(&solution)
        .map_err(|error| error.to_string())?;
    if counterstrategy.is_some() != (winner == Winner::Environment) {
        return Err("the two sides of the game disagree".to_string());
    }
    if let Some(counterstrategy) = counterstrategy {
        let moves = &counterstrategy.moves;
        let own = Strategy {
            memories: moves.len(),
            allows: &|memory, state, inputs, _| reader.is(&moves[memory], state, inputs, 0),
            moves_on: &|memory, state, inputs, choices| {
                reader.is(&counterstrategy.hits[memory], state, inputs, choices)
            },
        };
        let won = system_wins(sketch, &Bound::Environment(own));
        for rigid in sketch.rigid_choices() {
            if wins_all(&won, rigid) {
                return Err(format!(
                    "the counterstrategy does not win against {rigid:b}"
                ));
            }
        }
        return Ok(winner);
    }
    if way != Way::ReachableStates {
        for (state, expected) in expected.iter().enumerate() {
            if reader.is(&solution.winning, state, 0, 0) != *expected {
                return Err(format!("state {state:b}: should be won: {expected}"));
            }
        }
    }
    let strategy = game
        .strategy(&solution)
        .map_err(|error| error.to_string())?;
    let own = Strategy {
        memories: strategy.moves.len(),
        allows: &|memory, state, inputs, choices| {
            reader.is(&strategy.moves[memory], state, inputs, choices)
        },
        moves_on: &|memory, state, inputs, choices| {
            reader.is(&strategy.hits[memory], state, inputs, choices)
        },
    };
    let won = system_wins(sketch, &Bound::System(own));
    for rigid in sketch.rigid_choices() {
        if wins_all(&expected, rigid) && !wins_all(&won, rigid) {
            return Err(format!("the strategy does not win with {rigid:b}"));
        }
    }
    Ok(winner)
}

/// The simplest game found that is still wrong.
fn shrink(mut sketch: Sketch, way: Way) -> (Sketch, String) {
    let mut problem = examine(&sketch, way).err().unwrap_or_default();
    'again: loop {
        for simpler in sketch.simpler() {
            if let Err(found) = examine(&simpler, way) {
                (sketch, problem) = (simpler, found);
                continue 'again;
            }
        }
        return (sketch, problem);
    }
}

fn check_kind(kind: usize) {
    let mut won = 0;
    for number in 0..GAMES_OF_A_KIND {
        let seed = number * KINDS.len() as u64 + kind as u64;
        let sketch = Sketch::random(kind, &mut Random::new(seed + 1));
        for way in WAYS {
            match examine(&sketch, way) {
                Ok(winner) => won += usize::from(winner == Winner::System),
                Err(problem) => {
                    let (small, shrunk_problem) = shrink(sketch.clone(), way);
                    panic!(
                        "{} game of seed {seed}, {way:?}: {problem}\n\
                         shrunk: {shrunk_problem}\n{small:#?}",
                        KINDS[kind]
                    );
                }
            }
        }
    }
    let games = WAYS.len() * GAMES_OF_A_KIND as usize;
    let share = won as f64 / games as f64;
    println!("{}: the system wins {won} of {games}", KINDS[kind]);
    assert!(
        (0.15..=0.85).contains(&share),
        "{}: the system wins {won} of {games}, which tests one side only",
        KINDS[kind]
    );
}

#[test]
fn safety_games_agree_with_the_oracle() {
    check_kind(0);
}

#[test]
fn reachability_games_agree_with_the_oracle() {
    check_kind(1);
}

#[test]
fn buchi_games_agree_with_the_oracle() {
    check_kind(2);
}

#[test]
fn generalised_buchi_games_agree_with_the_oracle() {
    check_kind(3);
}

#[test]
fn gr1_games_with_rigid_choices_agree_with_the_oracle() {
    check_kind(4);
}

/// The oracle itself, on games whose winner is plain to see.
#[test]
fn the_oracle_knows_simple_games() {
    let copy_of_input = Sketch {
        latches: vec![(Start::Zero, 4)],
        inputs: 1,
        choices: 1,
        gates: Vec::new(),
        assumption: 1,
        guarantee: 1,
        assumed: Vec::new(),
        goals: vec![2],
    };
    assert_eq!(system_wins(&copy_of_input, &Bound::Nobody), [false, false]);
    let copy_of_choice = Sketch {
        latches: vec![(Start::Zero, 6)],
        ..copy_of_input.clone()
    };
    assert_eq!(system_wins(&copy_of_choice, &Bound::Nobody), [true, true]);
    let assumed = Sketch {
        assumed: vec![4],
        ..copy_of_input
    };
    assert_eq!(system_wins(&assumed, &Bound::Nobody), [true, true]);
}
