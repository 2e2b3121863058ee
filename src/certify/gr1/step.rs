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
    manager: Manager,
    assumed: Vec<Bdd>,
    guaranteed: Vec<Bdd>,
    environment_next: Vec<Variable>,
    /// The bits that are searched for.
    system_next: Vec<Variable>,
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
        let mut step = StepBack {
            manager: manager.clone(),
            assumed: Vec::new(),
            guaranteed: Vec::new(),
            environment_next: next(&constraints.environment),
            system_next: next(&constraints.system),
            to_next: manager.renaming(&pairs)?,
            follows: None,
            known: RefCell::default(),
        };
        // Of assumptions that speak of the answer, only what some answer keeps is assumed.
        let answers: HashSet<Variable> = step.system_next.iter().copied().collect();
        let assumed = constraints.assumed.into_iter();
        let (open, mut assumed): (Vec<Bdd>, Vec<Bdd>) = assumed.partition(|part| {
            let support = part.support();
            support.iter().any(|variable| answers.contains(variable))
        });
        assumed.push(step.eliminate(manager.one(), &open, &step.system_next)?);
        let guaranteed = step.without_what_follows(constraints.guaranteed, &assumed, states)?;
        step.guaranteed = step.joined(guaranteed, states)?;
        step.assumed = step.joined(assumed, states)?;
        Ok(step)
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
        let answered = self.eliminate(target, &self.guaranteed, &self.system_next)?;
        let mut refuted = self.eliminate(answered.not(), &self.assumed, &self.environment_next)?;
        if let Some(follows) = &self.follows {
            refuted = refuted.compose(follows)?;
        }
        Ok(refuted.not())
    }

    pub fn environment_can(&self, target: &Bdd) -> Result<Bdd> {
        Ok(self.system_can(&target.not())?.not())
    }

    /// Takes the bits out whose next value follows from the state, where that matters: in the
    /// given states, as long as both sides keep what they say about single states.
    fn without_what_follows(
        &mut self,
        guaranteed: Vec<Bdd>,
        assumed: &[Bdd],
        states: &Bdd,
    ) -> Result<Vec<Bdd>> {
        let own: HashSet<Variable> = self.system_next.iter().copied().collect();
        let mut moving = own.clone();
        moving.extend(self.environment_next.iter().copied());
        let mut parts: Vec<Bdd> = Vec::new();
        for part in guaranteed {
            parts.extend(self.apart(part, &own)?);
        }
        let mut matters = states.clone();
        for part in parts.iter().chain(assumed) {
            if !part.support().iter().any(|one| moving.contains(one)) {
                matters = matters.and(part)?;
            }
        }
        let mut values = Vec::new();
        let mut searched = Vec::new();
        for bit in self.system_next.clone() {
            let mut about = self.manager.one();
            let mut others = Vec::new();
            let mut alone = false;
            for part in &parts {
                let mut spoken = part.support();
                spoken.retain(|one| moving.contains(one));
                if !spoken.contains(&bit) {
                    others.push(part.clone());
                } else if spoken.len() == 1 {
                    about = about.and(part)?;
                    alone = true;
                } else {
                    alone = false;
                    break;
                }
            }
            let may_be = [false, true].map(|value| about.cofactor(&[(bit, value)]));
            let [zero, one] = may_be;
            let (zero, one) = (zero?, one?);
            if !alone || !zero.and(&one)?.is_disjoint_from(&matters)? {
                searched.push(bit);
                continue;
            }
            others.push(zero.or(&one)?);
            values.push((bit, one.minimize(&matters)?));
            parts = others;
        }
        if !values.is_empty() {
            self.follows = Some(self.manager.substitution(&values));
        }
        self.system_next = searched;
        Ok(parts)
    }

    /// The same constraint as one for each of its next bits, if it is one.
    fn apart(&self, part: Bdd, bits: &HashSet<Variable>) -> Result<Vec<Bdd>> {
        let mut spoken = part.support();
        spoken.retain(|one| bits.contains(one));
        if spoken.len() < 2 || spoken.len() > MANY {
            return Ok(vec![part]);
        }
        let mut pieces = Vec::new();
        let mut together = self.manager.one();
        for bit in &spoken {
            let rest: Vec<Variable> = spoken.iter().copied().filter(|one| one != bit).collect();
            let piece = part.exists(&self.manager.set(&rest)?)?;
            together = together.and(&piece)?;
            pieces.push(piece);
        }
        Ok(if together == part { pieces } else { vec![part] })
    }

    /// Fewer and smaller parts: neighbours by the last variable in the order.
    fn joined(&self, mut parts: Vec<Bdd>, states: &Bdd) -> Result<Vec<Bdd>> {
        for part in &mut parts {
            *part = part.minimize(states)?;
        }
        parts.sort_by_cached_key(|part| {
            let support = part.support();
            let levels = support.iter().map(|variable| self.manager.level(*variable));
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

    /// `exists variables: target & and parts`: a variable goes with the last part that has it.
    fn eliminate(&self, target: Bdd, parts: &[Bdd], variables: &[Variable]) -> Result<Bdd> {
        let mut open: HashSet<Variable> = variables.iter().copied().collect();
        let mut done: Vec<VariableSet> = Vec::new();
        for part in parts.iter().rev() {
            let support = part.support().into_iter();
            let own: Vec<Variable> = support.filter(|one| open.remove(one)).collect();
            done.push(self.manager.set(&own)?);
        }
        let nowhere: Vec<Variable> = open.into_iter().collect();
        let mut result = target.exists(&self.manager.set(&nowhere)?)?;
        for (part, done) in parts.iter().zip(done.iter().rev()) {
            result = result.and_exists(part, done)?;
        }
        Ok(result)
    }
}
