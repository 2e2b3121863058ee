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

use super::counterstrategy::{Choice, Counterstrategy, cube, nearest};
use super::lasso::played;
use crate::bdd::{Bdd, Result, Variable};
use crate::game::gr1::Rules;
use crate::spec::gr1::Player;

/// Bounds of the search.
const DEPTH: usize = 60;
const TRIES: usize = 400;
/// More rounds of a loop than this many steps are not shown.
const SETTLING: usize = 24;

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
    /// Whether the system fails only because of guarantees outside of the core, too.
    pub needs_whole: bool,
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

/// `None` if none was found; there may be one. If the counterstrategy is that of a core, the
/// game of the whole specification may be given: it leaves the system less.
pub fn countertrace(
    strategy: &Counterstrategy,
    whole: Option<&Rules>,
) -> Result<Option<Countertrace>> {
    match independent(strategy)? {
        Some(trace) => Ok(Some(trace)),
        None => played(strategy, whole),
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
            let end = search.settle(end)?;
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
                return Ok(Some(End {
                    loop_start: Some(earlier),
                }));
            }
        }
        if self.inputs.len() >= DEPTH || self.tries >= TRIES {
            return Ok(None);
        }
        let (choices, common) = self.choices(current)?;
        let before = self.inputs[last].clone();
        for input in self.candidates(&common, &self.next, Some(&before))? {
            self.tries += 1;
            let possible = self.advance(&choices, &input)?;
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

    /// All choices of the counterstrategy, and the inputs that it allows in all states.
    fn choices(&self, current: &Possible) -> Result<(Vec<Choice>, Bdd)> {
        let rules = self.strategy.rules();
        let mut choices = Vec::new();
        let mut common = rules.manager().one();
        for (memory, states) in current.iter().enumerate() {
            if states.is_zero() {
                continue;
            }
            let own = self.strategy.choices(states, memory)?;
            let mut allowed = rules.manager().zero();
            for choice in &own {
                allowed = allowed.or(&choice.moves)?;
            }
            let refused = states.minus(&allowed)?;
            let refused = refused
                .exists(rules.now_of(Player::Environment))?
                .exists(rules.now_of(Player::System))?;
            common = common.minus(&refused)?;
            choices.extend(own);
        }
        Ok((choices, common))
    }

    /// Where the play may be after an input that all choices allow.
    fn advance(&self, choices: &[Choice], input: &[bool]) -> Result<Possible> {
        let rules = self.strategy.rules();
        let chosen = cube(rules, &self.next, input)?;
        let mut possible = vec![rules.manager().zero(); self.strategy.memories()];
        for choice in choices {
            let moves = choice.moves.and(&chosen)?;
            if !moves.is_zero() {
                let states = rules.successors(&moves)?;
                possible[choice.memory] = possible[choice.memory].or(&states)?;
            }
        }
        Ok(possible)
    }

    /// Goes round the loop until the possible states do not get fewer: then they show what
    /// the system is left with. The last step only closes the loop and is taken away.
    fn settle(&mut self, end: End) -> Result<End> {
        let Some(start) = end.loop_start else {
            return Ok(end);
        };
        let first_end = self.possible.len() - 1;
        let period = first_end - start;
        let mut loop_start = start;
        while self.possible.len() <= first_end + SETTLING {
            let last = self.possible.len() - 1;
            if (last - start).is_multiple_of(period) {
                if self.possible[last] == self.possible[last - period] {
                    loop_start = last - period;
                    break;
                }
                self.inputs[last] = self.inputs[start].clone();
            }
            let (choices, _) = self.choices(&self.possible[last])?;
            let input = self.inputs[start + (last + 1 - start) % period].clone();
            let possible = self.advance(&choices, &input)?;
            if possible.iter().all(Bdd::is_zero) {
                self.inputs.push(input);
                self.possible.push(possible);
                return Ok(End { loop_start: None });
            }
            self.inputs.push(input);
            self.possible.push(possible);
        }
        let kept = if loop_start == start && self.possible.len() > first_end + 1 {
            first_end
        } else {
            self.possible.len() - 1
        };
        self.inputs.truncate(kept);
        self.possible.truncate(kept);
        Ok(End {
            loop_start: Some(loop_start),
        })
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
            if let Some(values) = nearest(moves, variables, &wish)?
                && !found.contains(&values)
            {
                found.push(values);
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
            needs_whole: false,
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
