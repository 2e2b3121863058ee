//! One sequence of inputs against which no implementation can do anything.
//!
//! The search of [KHB11, Sec. 4.3.3] with backtracking: it keeps all states and memories
//! that the play may be in, whatever the system has done, and looks for an input that the
//! counterstrategy allows in all of them. When the possible states are among those of an
//! earlier step, the inputs in between repeat for ever. Ours also ends when no state is
//! left, because the system has broken a guarantee in any case.
//!
//! From all possible inputs a few are tried: near the input before, all low, all high.
//!
//! If that fails, ours takes the inputs of single plays against the counterstrategy and asks
//! whether they make every system fail, also where the counterstrategy would not have played
//! them (`lasso`).

use super::counterstrategy::{Counterstrategy, cube, nearest};
use super::lasso::played;
use crate::bdd::{Bdd, Result, Variable};
use crate::spec::gr1::Player;

/// Bounds of the search.
const DEPTH: usize = 60;
const TRIES: usize = 400;

#[derive(Clone, Debug)]
pub struct Countertrace {
    /// In each step, the bits of the environment's variables, in the order of
    /// [`Counterstrategy::inputs`].
    pub inputs: Vec<Vec<bool>>,
    /// The step that follows the last one; `None` if the system has lost by then.
    pub loop_start: Option<usize>,
    /// All states that the play may be in after the system's answer in each step. Of the
    /// last step of a finite trace there are none.
    pub states: Vec<Bdd>,
}

/// The states for each memory.
type Possible = Vec<Bdd>;

struct Search<'s, 'a> {
    strategy: &'s Counterstrategy<'a>,
    now: Vec<Variable>,
    next: Vec<Variable>,
    tries: usize,
    inputs: Vec<Vec<bool>>,
    possible: Vec<Possible>,
}

/// `None` if none was found; there may be one.
pub fn countertrace(strategy: &Counterstrategy) -> Result<Option<Countertrace>> {
    match independent(strategy)? {
        Some(trace) => Ok(Some(trace)),
        None => played(strategy),
    }
}

/// A trace that the counterstrategy allows whatever the system does.
fn independent(strategy: &Counterstrategy) -> Result<Option<Countertrace>> {
    let mut search = Search {
        strategy,
        now: strategy.inputs(false),
        next: strategy.inputs(true),
        tries: 0,
        inputs: Vec::new(),
        possible: Vec::new(),
    };
    let starts = strategy.starts()?;
    for input in search.candidates(&starts, &search.now, None)? {
        let cube = cube(strategy.rules(), &search.now, &input)?;
        let states = strategy.rules().starts(&cube)?;
        let zero = strategy.rules().manager().zero();
        let mut possible = vec![zero; strategy.memories()];
        possible[0] = states;
        search.inputs.push(input);
        search.possible.push(possible);
        if let Some(end) = search.go_on()? {
            return Ok(Some(search.trace(end)?));
        }
        search.inputs.pop();
        search.possible.pop();
    }
    Ok(None)
}

/// How a trace ends.
struct End {
    loop_start: Option<usize>,
}

impl Search<'_, '_> {
    fn go_on(&mut self) -> Result<Option<End>> {
        let last = self.possible.len() - 1;
        let current = &self.possible[last];
        if current.iter().all(Bdd::is_zero) {
            return Ok(Some(End { loop_start: None }));
        }
        for earlier in 0..last {
            if is_within(current, &self.possible[earlier])? {
                // The step that only closes the loop is the same as the earlier one.
                self.possible.pop();
                self.inputs.pop();
                return Ok(Some(End {
                    loop_start: Some(earlier),
                }));
            }
        }
        if self.inputs.len() >= DEPTH || self.tries >= TRIES {
            return Ok(None);
        }
        let manager = self.strategy.rules().manager().clone();
        let mut choices = Vec::new();
        let mut common = manager.one();
        for (memory, states) in current.iter().enumerate() {
            if states.is_zero() {
                continue;
            }
            let own = self.strategy.choices(states, memory)?;
            let mut allowed = manager.zero();
            for choice in &own {
                allowed = allowed.or(&choice.moves)?;
            }
            let refused = states.minus(&allowed)?;
            let rules = self.strategy.rules();
            let refused = refused
                .exists(rules.now_of(Player::Environment))?
                .exists(rules.now_of(Player::System))?;
            common = common.minus(&refused)?;
            choices.extend(own);
        }
        let before = self.inputs[last].clone();
        for input in self.candidates(&common, &self.next, Some(&before))? {
            self.tries += 1;
            let chosen = cube(self.strategy.rules(), &self.next, &input)?;
            let mut possible = vec![manager.zero(); self.strategy.memories()];
            for choice in &choices {
                let moves = choice.moves.and(&chosen)?;
                if !moves.is_zero() {
                    let states = self.strategy.rules().successors(&moves)?;
                    possible[choice.memory] = possible[choice.memory].or(&states)?;
                }
            }
            self.inputs.push(input);
            self.possible.push(possible);
            if let Some(end) = self.go_on()? {
                return Ok(Some(end));
            }
            self.inputs.truncate(last + 1);
            self.possible.truncate(last + 1);
            if self.tries >= TRIES {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// A few inputs out of many, the most promising first.
    fn candidates(
        &self,
        moves: &Bdd,
        variables: &[Variable],
        before: Option<&[bool]>,
    ) -> Result<Vec<Vec<bool>>> {
        let mut found: Vec<Vec<bool>> = Vec::new();
        let mut wishes: Vec<Box<dyn Fn(usize) -> bool>> = Vec::new();
        if let Some(before) = before {
            let before = before.to_vec();
            wishes.push(Box::new(move |index| before[index]));
        }
        wishes.push(Box::new(|_| false));
        wishes.push(Box::new(|_| true));
        for wish in wishes {
            if let Some(values) = nearest(moves, variables, &wish)? {
                if !found.contains(&values) {
                    found.push(values);
                }
            }
        }
        Ok(found)
    }

    fn trace(self, end: End) -> Result<Countertrace> {
        let zero = self.strategy.rules().manager().zero();
        let mut states = Vec::new();
        for possible in &self.possible {
            let mut any = zero.clone();
            for part in possible {
                any = any.or(part)?;
            }
            states.push(any);
        }
        Ok(Countertrace {
            inputs: self.inputs,
            loop_start: end.loop_start,
            states,
        })
    }
}

fn is_within(inner: &Possible, outer: &Possible) -> Result<bool> {
    for (inner, outer) in inner.iter().zip(outer) {
        if !inner.is_subset_of(outer)? {
            return Ok(false);
        }
    }
    Ok(true)
}
