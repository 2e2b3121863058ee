//! Whether the choices of a game can be functions of some latches and inputs: what the
//! exhaustive search says against the oracle, which tries every table.

use super::oracle::{Bound, Strategy, system_wins};
use super::sketch::{Sketch, Start};
use respin::bdd::{Limits, Variable};
use respin::design::Literal;
use respin::game::{Game, Winner};
use respin::random::Random;
use respin::repair::exhaustive::{Decision, LONG, search};
use respin::repair::extract::Signal;

const GAMES: u64 = 20_000;
/// The oracle tries all tables with so many bits.
const MOST_BITS: usize = 8;

/// A game, and those of its latches and inputs that may be read: bits of the state with the
/// inputs behind it.
#[derive(Clone, Debug)]
struct Case {
    sketch: Sketch,
    visible: Vec<usize>,
}

impl Case {
    fn random(seed: u64) -> Case {
        let mut random = Random::new(seed);
        // One goal takes no memory.
        let kind = [3, 4][(seed % 2) as usize];
        let mut sketch = Sketch::random(kind, &mut random);
        for (start, _) in &mut sketch.latches {
            if *start == Start::Rigid {
                *start = Start::Zero;
            }
        }
        let mut visible: Vec<usize> = (0..sketch.latches.len() + sketch.inputs).collect();
        random.shuffle(&mut visible);
        visible.truncate(visible.len() - random.below(2).min(visible.len()));
        while sketch.choices << visible.len() > MOST_BITS {
            visible.pop();
        }
        Case { sketch, visible }
    }

    /// What the choices are where the visible bits have the values of `point`.
    fn value(&self, table: usize, point: usize) -> usize {
        table >> (point * self.sketch.choices) & ((1 << self.sketch.choices) - 1)
    }

    fn wins_with(&self, table: usize) -> bool {
        let point = |state: usize, inputs: usize| {
            let all = state | inputs << self.sketch.latches.len();
            let bits = self.visible.iter().enumerate();
            bits.fold(0, |point, (k, bit)| point | (all >> bit & 1) << k)
        };
        let own = Strategy {
            memories: 1,
            allows: &|_, state, inputs, choices| self.value(table, point(state, inputs)) == choices,
            moves_on: &|_, _, _, _| false,
        };
        let won = system_wins(&self.sketch, &Bound::System(own));
        self.sketch.starts(0).all(|state| won[state])
    }

    /// Whether there is a table; `None` if the search has nothing to look for.
    fn examine(&self) -> Result<Option<bool>, String> {
        let (arena, leaves) = self.sketch.arena();
        let mut game = Game::new(&arena, Limits::default()).map_err(|error| error.to_string())?;
        let solution = game.solve().map_err(|error| error.to_string())?;
        // The game has no part for latches that no goal depends on, but they can be memory.
        let latches = self
            .visible
            .iter()
            .filter(|bit| **bit < self.sketch.latches.len());
        let latches: Vec<Literal> = latches.map(|bit| leaves[*bit].literal()).collect();
        let included = game.include(&arena, &latches);
        if !included.map_err(|error| error.to_string())? {
            return Err("too big".to_string());
        }
        let choices = leaves[leaves.len() - self.sketch.choices..].iter();
        let choices: Vec<Option<Variable>> = choices.map(|id| game.variable(*id)).collect();
        let open: Vec<Variable> = choices.iter().copied().flatten().collect();
        if solution.winner() == Winner::Environment || open.is_empty() {
            return Ok(None);
        }
        let mut signals = Vec::new();
        for bit in &self.visible {
            let literal = leaves[*bit].literal();
            let function = game.function(&arena, literal);
            if let Some(function) = function.map_err(|error| error.to_string())? {
                signals.push(Signal {
                    literal,
                    function,
                    cost: 1,
                });
            }
        }
        let limits = Limits::default();
        let decision = search(&game, &solution, &open, &signals, LONG, &limits);
        let bits = self.sketch.choices << self.visible.len();
        let exists = || (0..1usize << bits).any(|table| self.wins_with(table));
        match decision.map_err(|error| format!("{error:?}"))? {
            Decision::OutOfBudget => Err("out of budget".to_string()),
            Decision::Impossible if exists() => Err("there is a table".to_string()),
            Decision::Impossible => Ok(Some(false)),
            Decision::Found(extraction) => {
                let mut table = 0;
                for point in 0..1usize << self.visible.len() {
                    let is_set = |variable: Variable| {
                        let bit = |id| game.variable(id) == Some(variable);
                        let mut visible = self.visible.iter().enumerate();
                        visible.any(|(k, place)| bit(leaves[*place]) && point >> k & 1 == 1)
                    };
                    for (place, value) in open.iter().zip(&extraction.values) {
                        let choice = choices.iter().position(|known| *known == Some(*place));
                        if let (Some(choice), true) = (choice, value.evaluate(is_set)) {
                            table |= 1 << (point * self.sketch.choices + choice);
                        }
                    }
                }
                match self.wins_with(table) {
                    true => Ok(Some(true)),
                    false => Err(format!("table {table:b} does not win")),
                }
            }
        }
    }

    /// The simplest case found that is still wrong.
    fn shrink(mut self, mut problem: String) -> (Case, String) {
        'again: loop {
            for sketch in self.sketch.simpler() {
                let visible = self.visible.clone();
                let simpler = Case { sketch, visible };
                if let Err(found) = simpler.examine() {
                    (self, problem) = (simpler, found);
                    continue 'again;
                }
            }
            return (self, problem);
        }
    }
}

#[test]
fn a_table_is_found_exactly_if_there_is_one() {
    let (mut found, mut impossible) = (0, 0);
    for seed in 0..GAMES {
        let case = Case::random(seed);
        match case.examine() {
            Ok(None) => {}
            Ok(Some(true)) => found += 1,
            Ok(Some(false)) => impossible += 1,
            Err(problem) => {
                let (small, shrunk_problem) = case.shrink(problem.clone());
                panic!("seed {seed}: {problem}\nshrunk: {shrunk_problem}\n{small:#?}");
            }
        }
    }
    println!("{found} tables found, {impossible} impossible");
    assert!(
        found >= 1_000 && impossible >= 100,
        "a one-sided comparison: {found} found, {impossible} impossible"
    );
}
