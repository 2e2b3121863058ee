//! Whether given inputs make every system fail.
//!
//! With the inputs fixed, the game has one player. The system survives if it has an infinite
//! play on which all goals hold again and again, or some assumption only finitely often, or
//! after which the next input breaks an assumption. States are kept for each step of the
//! lasso; fair plays are found as in [EL86].
//!
//! Candidates are the inputs of plays against the counterstrategy, in which the system
//! answers in different ways, always the same way, or at random. A core often leaves the
//! system free where the whole specification does not, and then inputs that defeat every
//! system of the whole specification are what is looked for.

use super::counterstrategy::{Counterstrategy, cube, nearest};
use super::countertrace::Countertrace;
use crate::bdd::{Bdd, Result, Variable, VariableSet};
use crate::game::gr1::Rules;
use crate::random::Random;
use crate::spec::gr1::Player;

/// So many plays are tried, of at most so many steps.
const PLAYS: u64 = 12;
const STEPS: usize = 40;

/// Inputs, and the step that follows the last one.
type Lasso = (Vec<Vec<bool>>, Option<usize>);

/// The inputs of some play, if they make every system fail: in the counterstrategy's game,
/// or else in the game of the whole specification, if that is given.
pub fn played(strategy: &Counterstrategy, whole: Option<&Rules>) -> Result<Option<Countertrace>> {
    let mut candidates: Vec<Lasso> = Vec::new();
    for seed in 0..PLAYS {
        if let Some((inputs, loop_start)) = walk(strategy, seed)? {
            // Often it is enough to repeat one input for ever.
            let constant = (inputs.clone(), Some(inputs.len() - 1));
            for candidate in [(inputs, loop_start), constant] {
                if !candidates.contains(&candidate) {
                    candidates.push(candidate);
                }
            }
        }
    }
    for (judge, is_whole) in [(Some(strategy.rules()), false), (whole, true)] {
        let Some(judge) = judge else {
            continue;
        };
        for (inputs, loop_start) in &candidates {
            if survivor(judge, inputs, *loop_start)? {
                continue;
            }
            if let Some(states) = defeats(judge, inputs, *loop_start)? {
                return Ok(Some(Countertrace {
                    inputs: inputs.clone(),
                    loop_start: *loop_start,
                    states,
                    needs_whole: is_whole,
                }));
            }
        }
    }
    Ok(None)
}

/// One play up to the first repetition, or until the system is stuck.
fn walk(strategy: &Counterstrategy, seed: u64) -> Result<Option<Lasso>> {
    let rules = strategy.rules();
    let (now, next) = (strategy.inputs(false), strategy.inputs(true));
    let outputs: Vec<Variable> = strategy
        .encoding()
        .bits_of(Player::System)
        .iter()
        .map(|bit| bit.now)
        .collect();
    let mut random = Random::new(seed);
    let mut answer = |states: &Bdd| -> Result<Option<Bdd>> {
        let choose = |_: &Variable| match seed {
            0 => false,
            1 => true,
            _ => random.flip(),
        };
        let bits: Vec<bool> = outputs.iter().map(choose).collect();
        let all: Vec<Variable> = now.iter().chain(&outputs).copied().collect();
        let shift = now.len();
        let wish = |index: usize| index >= shift && bits[index - shift];
        match nearest(states, &all, &wish)? {
            Some(values) => Ok(Some(cube(rules, &all, &values)?)),
            None => Ok(None),
        }
    };
    let Some(mut input) = nearest(&strategy.starts()?, &now, &|_| seed % 2 == 1)? else {
        return Ok(None);
    };
    let mut states = rules.starts(&cube(rules, &now, &input)?)?;
    let mut memory = 0;
    let mut inputs = Vec::new();
    let mut visited: Vec<(Bdd, usize)> = Vec::new();
    while inputs.len() < STEPS {
        let Some(state) = answer(&states)? else {
            inputs.push(input);
            return Ok(Some((inputs, None)));
        };
        let key = (state.clone(), memory);
        if let Some(start) = visited.iter().position(|other| *other == key) {
            return Ok(Some((inputs, Some(start))));
        }
        visited.push(key);
        let choices = strategy.choices(&state, memory)?;
        let mut allowed = rules.manager().zero();
        for choice in &choices {
            allowed = allowed.or(&choice.moves)?;
        }
        let allowed = allowed
            .exists(rules.now_of(Player::Environment))?
            .exists(rules.now_of(Player::System))?;
        let before = input.clone();
        inputs.push(input);
        let wish = |index: usize| match seed % 3 {
            0 => before[index],
            1 => false,
            _ => true,
        };
        let Some(chosen) = nearest(&allowed, &next, &wish)? else {
            return Ok(None);
        };
        input = chosen;
        let taken = cube(rules, &next, &input)?;
        for choice in &choices {
            let moves = choice.moves.and(&taken)?;
            if !moves.is_zero() {
                memory = choice.memory;
                states = rules.successors(&moves)?;
            }
        }
    }
    Ok(None)
}

/// Whether a system that tries to meet its goals soon is seen to survive given inputs. That takes
/// single states only, and most inputs are none that make every system fail.
fn survivor(rules: &Rules, inputs: &[Vec<bool>], loop_start: Option<usize>) -> Result<bool> {
    let Some(loop_start) = loop_start else {
        return Ok(false);
    };
    let (environment, system) = (Player::Environment, Player::System);
    let bits = |player: Player| rules.encoding().bits_of(player);
    let outputs: Vec<Variable> = bits(system).iter().map(|bit| bit.now).collect();
    let now: Vec<Variable> = bits(environment).iter().map(|bit| bit.now).collect();
    let next: Vec<Variable> = bits(environment).iter().map(|bit| bit.next).collect();
    let mut states = rules.starts(&cube(rules, &now, &inputs[0])?)?;
    let mut last_held = vec![None; rules.goals.len()];
    let mut last_assumed = vec![None; rules.assumed.len()];
    let mut visited: Vec<(usize, Vec<bool>)> = Vec::new();
    let mut step = 0;
    while visited.len() < rules.goals.len() + 2 * inputs.len() + STEPS {
        for (goal, last) in rules.goals.iter().zip(&last_held) {
            // A goal that has held in the last round need not hold at once.
            if last.is_some_and(|last| last + inputs.len() > visited.len()) {
                continue;
            }
            let some = states.and(&goal.states)?;
            if !some.is_zero() {
                states = some;
            }
        }
        let before = visited.last().map(|(_, values)| values.clone());
        let wish = |index: usize| before.as_ref().is_some_and(|values| values[index]);
        let Some(values) = nearest(&states, &outputs, &wish)? else {
            return Ok(false);
        };
        let state = cube(rules, &now, &inputs[step])?.and(&cube(rules, &outputs, &values)?)?;
        let time = visited.len();
        for (recurrences, held) in [
            (&rules.goals, &mut last_held),
            (&rules.assumed, &mut last_assumed),
        ] {
            for (one, last) in recurrences.iter().zip(held) {
                if state.is_subset_of(&one.states)? {
                    *last = Some(time);
                }
            }
        }
        let key = (step, values);
        if let Some(start) = visited.iter().rposition(|other| *other == key) {
            let since = |last: &Option<usize>| last.is_some_and(|last| last > start);
            if last_held.iter().all(since) || !last_assumed.iter().all(since) {
                return Ok(true);
            }
        }
        visited.push(key);
        step = if step + 1 < inputs.len() {
            step + 1
        } else {
            loop_start
        };
        let moves = state.and(&cube(rules, &next, &inputs[step])?)?;
        let legal = rules.environment_moves_from(&state, &rules.manager().one())?;
        if !moves.is_subset_of(&legal)? {
            return Ok(true);
        }
        states = rules.successors(&moves)?;
    }
    Ok(false)
}

/// A one-player game: states for each step.
struct Track<'r, 'a> {
    rules: &'r Rules<'a>,
    next: VariableSet,
    /// The next inputs after each step, as a function of next values.
    taken: Vec<Bdd>,
    /// The step after each one; `None` after the last of a finite trace.
    following: Vec<Option<usize>>,
    reached: Vec<Bdd>,
}

/// The states that plays with these inputs visit in each step, if the system always fails.
fn defeats(
    rules: &Rules,
    inputs: &[Vec<bool>],
    loop_start: Option<usize>,
) -> Result<Option<Vec<Bdd>>> {
    let bits = rules.encoding().bits_of(Player::Environment);
    let now: Vec<Variable> = bits.iter().map(|bit| bit.now).collect();
    let next: Vec<Variable> = bits.iter().map(|bit| bit.next).collect();
    let first = cube(rules, &now, &inputs[0])?;
    if !first.is_subset_of(rules.initial_assumption())? {
        return Ok(None);
    }
    let last = inputs.len() - 1;
    let following: Vec<Option<usize>> = (0..inputs.len())
        .map(|step| {
            if step < last {
                Some(step + 1)
            } else {
                loop_start
            }
        })
        .collect();
    let one = rules.manager().one();
    let taken: Vec<Bdd> = following
        .iter()
        .map(|next_step| match next_step {
            Some(step) => cube(rules, &next, &inputs[*step]),
            None => Ok(one.clone()),
        })
        .collect::<Result<_>>()?;
    let mut track = Track {
        rules,
        next: rules.manager().set(&next)?,
        taken,
        following,
        reached: vec![rules.manager().zero(); inputs.len()],
    };
    if !track.explore(rules.starts(&first)?)? {
        return Ok(None);
    }
    if track.following[last].is_none() {
        // The system must have been stuck before.
        return Ok(track.reached[last].is_zero().then_some(track.reached));
    }
    Ok(if track.survives()? {
        None
    } else {
        Some(track.reached)
    })
}

impl Track<'_, '_> {
    /// Whether all inputs keep the assumptions, wherever the system is.
    fn explore(&mut self, first: Bdd) -> Result<bool> {
        let rules = self.rules;
        let mut pending = vec![(0, first)];
        while let Some((step, states)) = pending.pop() {
            let new = states.minus(&self.reached[step])?;
            if new.is_zero() {
                continue;
            }
            self.reached[step] = self.reached[step].or(&new)?;
            let Some(next) = self.following[step] else {
                continue;
            };
            let moves = new.and(&self.taken[step])?;
            let legal = rules.environment_moves_from(&new, &rules.manager().one())?;
            if !moves.is_subset_of(&legal)? {
                return Ok(false);
            }
            pending.push((next, rules.successors(&moves)?));
        }
        Ok(true)
    }

    fn survives(&self) -> Result<bool> {
        let rules = self.rules;
        for assumed in &rules.assumed {
            let idle: Vec<Bdd> = self
                .reached
                .iter()
                .map(|states| states.minus(&assumed.states))
                .collect::<Result<_>>()?;
            if !is_empty(&self.stay(idle)?) {
                return Ok(true);
            }
        }
        let mut fair = self.stay(self.reached.clone())?;
        loop {
            let before = fair.clone();
            for goal in &rules.goals {
                let hits: Vec<Bdd> = fair
                    .iter()
                    .map(|states| states.and(&goal.states))
                    .collect::<Result<_>>()?;
                fair = self.reach(&fair, hits)?;
                fair = self.stay(fair)?;
            }
            if is_empty(&fair) {
                return Ok(false);
            }
            if fair == before {
                return Ok(true);
            }
        }
    }

    /// The states from which some answer leads to the given ones.
    fn before(&self, states: &[Bdd], step: usize) -> Result<Bdd> {
        let rules = self.rules;
        let Some(next) = self.following[step] else {
            return Ok(rules.manager().zero());
        };
        let target = states[next].and(rules.invariant())?;
        let moves = rules.answers(&target)?.and(&self.taken[step])?;
        moves.exists(&self.next)
    }

    /// The largest part of the states in which some play can stay.
    fn stay(&self, mut states: Vec<Bdd>) -> Result<Vec<Bdd>> {
        loop {
            let mut changed = false;
            for step in (0..states.len()).rev() {
                let kept = states[step].and(&self.before(&states, step)?)?;
                changed |= kept != states[step];
                states[step] = kept;
            }
            if !changed {
                return Ok(states);
            }
        }
    }

    /// The part of `within` from which `hits` can be reached inside of it.
    fn reach(&self, within: &[Bdd], mut hits: Vec<Bdd>) -> Result<Vec<Bdd>> {
        loop {
            let mut changed = false;
            for step in (0..hits.len()).rev() {
                let more = within[step].and(&self.before(&hits, step)?)?;
                let more = more.or(&hits[step])?;
                changed |= more != hits[step];
                hits[step] = more;
            }
            if !changed {
                return Ok(hits);
            }
        }
    }
}

fn is_empty(states: &[Bdd]) -> bool {
    states.iter().all(Bdd::is_zero)
}
