//! One step back, by the constraints of the specification as they were read.
//!
//! `forall x': assumed -> exists y': guaranteed & target`, constraint by constraint. A bit
//! of the system whose next value follows from the present state is not searched for: its
//! value is put in its place, after `forall x'`, which it does not depend on.

use crate::bdd::{Bdd, Manager, Result, Substitution, Variable, VariableSet};
use std::cell::RefCell;
use std::collections::{HashSet, VecDeque};

/// Parts are joined as long as the result has at most this many nodes.
const JOINED: usize = 1_000;
/// Constraints on more next bits are not taken apart.
const MANY: usize = 12;

/// More steps back would keep nodes alive, and large diagrams are reordered.
const REMEMBERED: usize = 4;

pub(super) struct StepBack {
    /// What the environment may do, and its next bits.
    moves: Elimination,
    /// What the system may answer, and the next bits that are searched for.
    answers: Elimination,
    to_next: Substitution,
    follows: Option<Substitution>,
    /// The last steps back, the newest first: neighbouring layers have sets in common, and the
    /// computed table does not keep results for long.
    known: RefCell<VecDeque<(Bdd, Bdd)>>,
}

/// Constraints on steps of each side, and the bits of each player, now and next.
pub(super) struct Constraints {
    pub assumed: Vec<Bdd>,
    pub guaranteed: Vec<Bdd>,
    pub environment: Vec<(Variable, Variable)>,
    pub system: Vec<(Variable, Variable)>,
}

impl StepBack {
    /// Right for steps from the given states.
    pub fn new(manager: &Manager, constraints: Constraints, states: &Bdd) -> Result<StepBack> {
        let pairs: Vec<(Variable, Variable)> = constraints
            .environment
            .iter()
            .chain(&constraints.system)
            .copied()
            .collect();
        let next = |bits: &[(Variable, Variable)]| -> Vec<Variable> {
            bits.iter().map(|(_, next)| *next).collect()
        };
        let environment_next = next(&constraints.environment);
        let system_next = next(&constraints.system);
        // Of assumptions that speak of the answer, only what some answer keeps is assumed.
        let answers: HashSet<Variable> = system_next.iter().copied().collect();
        let assumed = constraints.assumed.into_iter();
        let (open, mut assumed): (Vec<Bdd>, Vec<Bdd>) = assumed.partition(|part| {
            let support = part.support();
            support.iter().any(|variable| answers.contains(variable))
        });
        assumed.push(Elimination::new(manager, open, &system_next)?.of(&manager.one())?);
        let mut answer = Answer {
            searched: system_next,
            parts: constraints.guaranteed,
            follows: Vec::new(),
        };
        answer.leave_out_what_follows(&environment_next, &assumed, states)?;
        let guaranteed = joined(answer.parts, states)?;
        let follows = &answer.follows;
        Ok(StepBack {
            moves: Elimination::new(manager, joined(assumed, states)?, &environment_next)?,
            answers: Elimination::new(manager, guaranteed, &answer.searched)?,
            to_next: manager.renaming(&pairs)?,
            follows: (!follows.is_empty()).then(|| manager.substitution(follows)),
            known: RefCell::default(),
        })
    }

    /// The states from which the system can get into the given ones, whatever the
    /// environment does.
    pub fn system_can(&self, target: &Bdd) -> Result<Bdd> {
        let mut known = self.known.borrow_mut();
        if let Some((_, found)) = known.iter().find(|(before, _)| before == target) {
            return Ok(found.clone());
        }
        let found = self.step_back(target)?;
        known.push_front((target.clone(), found.clone()));
        known.truncate(REMEMBERED);
        Ok(found)
    }

    fn step_back(&self, target: &Bdd) -> Result<Bdd> {
        let target = target.compose(&self.to_next)?;
        let answered = self.answers.of(&target)?;
        let mut refuted = self.moves.of(&answered.not())?;
        if let Some(follows) = &self.follows {
            refuted = refuted.compose(follows)?;
        }
        Ok(refuted.not())
    }

    pub fn environment_can(&self, target: &Bdd) -> Result<Bdd> {
        Ok(self.system_can(&target.not())?.not())
    }
}

/// What the system answers, bit by bit.
struct Answer {
    /// The bits whose values are searched for.
    searched: Vec<Variable>,
    /// The constraints on them.
    parts: Vec<Bdd>,
    /// The other bits, with their values.
    follows: Vec<(Variable, Bdd)>,
}

impl Answer {
    /// Takes the bits out whose next value follows from the state, where that matters: in the
    /// given states, as long as both sides keep what they say about single states.
    fn leave_out_what_follows(
        &mut self,
        environment_next: &[Variable],
        assumed: &[Bdd],
        states: &Bdd,
    ) -> Result<()> {
        let own: HashSet<Variable> = self.searched.iter().copied().collect();
        let mut moving = own.clone();
        moving.extend(environment_next.iter().copied());
        // Each with the next bits that it speaks of.
        let with_bits = |part: Bdd| -> (Vec<Variable>, Bdd) {
            let support = part.support().into_iter();
            (support.filter(|one| moving.contains(one)).collect(), part)
        };
        let mut parts: Vec<(Vec<Variable>, Bdd)> = Vec::new();
        for part in std::mem::take(&mut self.parts) {
            parts.extend(apart(part, &own)?.into_iter().map(with_bits));
        }
        let mut matters = states.clone();
        let assumed = assumed.iter().cloned().map(with_bits);
        for (spoken, part) in parts.iter().cloned().chain(assumed) {
            if spoken.is_empty() {
                matters = matters.and(&part)?;
            }
        }
        for bit in std::mem::take(&mut self.searched) {
            let mut about = states.manager().one();
            let mut alone = false;
            for (bits, part) in parts.iter().filter(|(bits, _)| bits.contains(&bit)) {
                alone = bits.len() == 1;
                if !alone {
                    break;
                }
                about = about.and(part)?;
            }
            let [zero, one] = [false, true].map(|value| about.cofactor(&[(bit, value)]));
            let (zero, one) = (zero?, one?);
            if !alone || !zero.and(&one)?.is_disjoint_from(&matters)? {
                self.searched.push(bit);
                continue;
            }
            parts.retain(|(bits, _)| !bits.contains(&bit));
            parts.push(with_bits(zero.or(&one)?));
            self.follows.push((bit, one.minimize(&matters)?));
        }
        self.parts = parts.into_iter().map(|(_, part)| part).collect();
        Ok(())
    }
}

/// The same constraint as one for each of its next bits, if it is one.
fn apart(part: Bdd, bits: &HashSet<Variable>) -> Result<Vec<Bdd>> {
    let manager = part.manager();
    let mut spoken = part.support();
    spoken.retain(|one| bits.contains(one));
    if spoken.len() < 2 || spoken.len() > MANY {
        return Ok(vec![part]);
    }
    let mut pieces = Vec::new();
    let mut together = manager.one();
    for bit in &spoken {
        let rest: Vec<Variable> = spoken.iter().copied().filter(|one| one != bit).collect();
        let piece = part.exists(&manager.set(&rest)?)?;
        together = together.and(&piece)?;
        pieces.push(piece);
    }
    Ok(if together == part { pieces } else { vec![part] })
}

/// Fewer and smaller parts: neighbours by the last variable in the order.
fn joined(mut parts: Vec<Bdd>, states: &Bdd) -> Result<Vec<Bdd>> {
    for part in &mut parts {
        *part = part.minimize(states)?;
    }
    parts.sort_by_cached_key(|part| {
        let support = part.support();
        let levels = support
            .iter()
            .map(|variable| part.manager().level(*variable));
        std::cmp::Reverse(levels.max())
    });
    let mut result: Vec<Bdd> = Vec::new();
    for part in parts {
        if let Some(last) = result.last_mut() {
            let both = last.and(&part)?;
            if both.size() <= JOINED {
                *last = both;
                continue;
            }
        }
        result.push(part);
    }
    Ok(result)
}

/// `exists variables: target & and parts`, for many targets.
struct Elimination {
    /// Variables that no part has.
    nowhere: VariableSet,
    /// Each with the variables that no later part has.
    parts: Vec<(Bdd, VariableSet)>,
}

impl Elimination {
    fn new(manager: &Manager, parts: Vec<Bdd>, variables: &[Variable]) -> Result<Elimination> {
        let mut open: HashSet<Variable> = variables.iter().copied().collect();
        let mut done = Vec::new();
        for part in parts.into_iter().rev() {
            let support = part.support().into_iter();
            let own: Vec<Variable> = support.filter(|one| open.remove(one)).collect();
            done.push((part, manager.set(&own)?));
        }
        done.reverse();
        let nowhere: Vec<Variable> = open.into_iter().collect();
        Ok(Elimination {
            nowhere: manager.set(&nowhere)?,
            parts: done,
        })
    }

    fn of(&self, target: &Bdd) -> Result<Bdd> {
        let mut result = target.exists(&self.nowhere)?;
        for (part, done) in &self.parts {
            result = result.and_exists(part, done)?;
        }
        Ok(result)
    }
}
