//! The steps of both players, prepared for going back from many sets of states.
//!
//! A step back is `forall x': assumed -> exists y': guaranteed & target`, with each side's
//! constraints in parts ([`Relation`]). Three things make it cheaper than the formula says:
//!
//! - A constraint that speaks of several next values one by one, as in
//!   `a -> next(b & !c)`, is taken apart.
//! - Next values that the current state alone determines, as those of a deterministic
//!   monitor are, need no quantifier. They are replaced by their functions, and that at the
//!   very end: `forall x'` does not touch a function of the current state, so it may come
//!   first, and what is left to replace them in has no next value of the environment any
//!   more. This is most of the work on the AMBA specifications.
//! - Next values that nobody reads, neither a constraint nor a goal, occur in no set of
//!   states that a solver comes to. What they are there for is quantified once.
//!
//! Invariant: on the states that count, the conjunction of [`Steps::system_parts`] is that of
//! the guarantees, and so for the environment.

use super::encode::{Bit, Encoding};
use crate::bdd::{Bdd, Manager, Result, Substitution, Variable};
use crate::game::relation::Relation;
use crate::spec::gr1::Player;
use std::collections::HashSet;

/// Constraints on more next values, or of more nodes, are left as they are.
const MOST_SPLIT: usize = 12;
const LARGEST_SPLIT: usize = 500;
/// Unread values are quantified in advance as long as this many nodes are enough.
const LARGEST_JOINED: usize = 50_000;
/// The same in one game that stands for many, which is solved once.
const LARGEST_JOINED_WITH_SWITCHES: usize = 200_000;

pub(super) struct Steps {
    environment: Relation,
    system: Relation,
    /// For targets that do not mention the unread values.
    lean: Option<Relation>,
    unread: HashSet<Variable>,
    determined: Option<Substitution>,
    environment_parts: Vec<Bdd>,
    system_parts: Vec<Bdd>,
}

/// The safety constraints of both sides, as they are.
pub(super) struct Laws {
    /// Constraints on steps.
    pub assumed: Vec<Bdd>,
    pub guaranteed: Vec<Bdd>,
    /// The conjunctions of those on single states.
    pub assumed_now: Bdd,
    pub guaranteed_now: Bdd,
}

/// Constraints on the steps of one player, and the states in which they decide something.
struct Side<'a> {
    parts: &'a [Bdd],
    bits: &'a [Bit],
    care: &'a Bdd,
}

impl Steps {
    /// `read` are the current values that goals and the like depend on, besides constraints.
    /// States outside of `care` do not count.
    pub fn new(encoding: &Encoding, laws: &Laws, read: &[Variable], care: &Bdd) -> Result<Steps> {
        let manager = encoding.manager();
        // Beyond these states, constraints on steps decide nothing.
        let environment_care = laws.assumed_now.and(care)?;
        let system_care = laws.guaranteed_now.and(&environment_care)?;
        let environment = &Side {
            parts: &laws.assumed,
            bits: &encoding.bits_of(Player::Environment),
            care: &environment_care,
        };
        let system = &Side {
            parts: &laws.guaranteed,
            bits: &encoding.bits_of(Player::System),
            care: &system_care,
        };
        let next_of = |bits: &[Bit]| bits.iter().map(|bit| bit.next).collect::<Vec<_>>();
        let environment_next = next_of(environment.bits);
        let system_next = next_of(system.bits);
        let moving: HashSet<Variable> = environment_next.iter().copied().collect();
        let mut determined = Vec::new();
        let mut environment_parts =
            prepare(manager, environment, &HashSet::new(), &mut determined)?;
        let own = determined.len();
        let mut system_parts = prepare(manager, system, &moving, &mut determined)?;
        let fixed: HashSet<Variable> = determined.iter().map(|(variable, _)| *variable).collect();
        let open = |variables: &[Variable]| -> Vec<Variable> {
            let free = variables.iter().copied();
            free.filter(|variable| !fixed.contains(variable)).collect()
        };
        let system_open = open(&system_next);
        let mut functions = vec![&laws.assumed_now, &laws.guaranteed_now];
        functions.extend(laws.assumed.iter().chain(&laws.guaranteed));
        let mut read: HashSet<Variable> = read.iter().copied().collect();
        read.extend(manager.shared_support(&functions));
        let unread: HashSet<Variable> = system
            .bits
            .iter()
            .filter(|bit| !read.contains(&bit.now) && !fixed.contains(&bit.next))
            .map(|bit| bit.next)
            .collect();
        let largest = match encoding.has_switches() {
            true => LARGEST_JOINED_WITH_SWITCHES,
            false => LARGEST_JOINED,
        };
        let lean = match hidden(manager, &system_parts, &unread, largest)? {
            Some(parts) => {
                let read = system_open.iter().copied();
                let read: Vec<Variable> = read.filter(|one| !unread.contains(one)).collect();
                Some(Relation::new(manager, &parts, &read)?)
            }
            None => None,
        };
        let relations = (
            Relation::new(manager, &environment_parts, &open(&environment_next))?,
            Relation::new(manager, &system_parts, &system_open)?,
        );
        for (index, (variable, function)) in determined.iter().enumerate() {
            let equality = manager.literal(*variable)?.iff(function)?;
            if index < own {
                environment_parts.push(equality);
            } else {
                system_parts.push(equality);
            }
        }
        Ok(Steps {
            environment: relations.0,
            system: relations.1,
            lean,
            unread,
            determined: (!determined.is_empty()).then(|| manager.substitution(&determined)),
            environment_parts,
            system_parts,
        })
    }

    /// Where the system has an answer in `target`, over next values. Determined next values
    /// are still to be [settled](Steps::settle).
    pub fn answered(&self, target: &Bdd) -> Result<Bdd> {
        if let Some(lean) = &self.lean {
            let support = target.support();
            if !support.iter().any(|one| self.unread.contains(one)) {
                return lean.exists(target);
            }
        }
        self.system.exists(target)
    }

    /// Where the environment has a move into `target`; to be settled as well.
    pub fn moved(&self, target: &Bdd) -> Result<Bdd> {
        self.environment.exists(target)
    }

    /// Puts the functions of determined next values in their place.
    pub fn settle(&self, function: Bdd) -> Result<Bdd> {
        match &self.determined {
            Some(substitution) => function.compose(substitution),
            None => Ok(function),
        }
    }

    pub fn environment_parts(&self) -> &[Bdd] {
        &self.environment_parts
    }

    pub fn system_parts(&self) -> &[Bdd] {
        &self.system_parts
    }
}

/// The parts of one side, taken apart and made smaller; what they determine goes to
/// `determined`, provided that it does not depend on `moving`.
fn prepare(
    manager: &Manager,
    side: &Side<'_>,
    moving: &HashSet<Variable>,
    determined: &mut Vec<(Variable, Bdd)>,
) -> Result<Vec<Bdd>> {
    let own: HashSet<Variable> = side.bits.iter().map(|bit| bit.next).collect();
    let mut pieces: Vec<(Vec<Variable>, Bdd)> = Vec::new();
    for part in side.parts {
        for piece in split(manager, part, &own)? {
            pieces.push((piece.support(), piece));
        }
    }
    for bit in side.bits {
        let (alone, rest): (Vec<_>, Vec<_>) = pieces
            .iter()
            .partition(|(support, _)| support.contains(&bit.next));
        let mentioned = alone.iter().flat_map(|(support, _)| support);
        let is_alone = mentioned
            .filter(|variable| **variable != bit.next)
            .all(|variable| !own.contains(variable) && !moving.contains(variable));
        if alone.is_empty() || !is_alone {
            continue;
        }
        let mut all = manager.one();
        for (_, piece) in alone {
            all = all.and(piece)?;
        }
        let off = all.cofactor(&[(bit.next, false)])?;
        let on = all.cofactor(&[(bit.next, true)])?;
        if !on.and(&off)?.is_disjoint_from(side.care)? {
            continue;
        }
        let possible = on.or(&off)?;
        determined.push((bit.next, on.minimize(&possible.and(side.care)?)?));
        let mut rest: Vec<(Vec<Variable>, Bdd)> = rest.into_iter().cloned().collect();
        rest.push((possible.support(), possible));
        pieces = rest;
    }
    let mut parts = Vec::new();
    for (_, piece) in pieces {
        let part = piece.minimize(side.care)?;
        if !part.is_one() {
            parts.push(part);
        }
    }
    Ok(parts)
}

/// Constraints on one of the variables each, with the same conjunction, if there are such.
fn split(manager: &Manager, part: &Bdd, variables: &HashSet<Variable>) -> Result<Vec<Bdd>> {
    let support = part.support();
    let spoken: Vec<Variable> = support
        .into_iter()
        .filter(|variable| variables.contains(variable))
        .collect();
    if spoken.len() < 2 || spoken.len() > MOST_SPLIT || part.size() > LARGEST_SPLIT {
        return Ok(vec![part.clone()]);
    }
    let mut all = manager.one();
    let mut pieces = Vec::new();
    for variable in &spoken {
        let others = spoken.iter().copied().filter(|other| other != variable);
        let others: Vec<Variable> = others.collect();
        let piece = part.exists(&manager.set(&others)?)?;
        all = all.and(&piece)?;
        pieces.push(piece);
    }
    Ok(if all == *part {
        pieces
    } else {
        vec![part.clone()]
    })
}

/// The parts without the unread variables; `None` if there are none, or if that takes much.
fn hidden(
    manager: &Manager,
    parts: &[Bdd],
    unread: &HashSet<Variable>,
    largest: usize,
) -> Result<Option<Vec<Bdd>>> {
    let concerns = |part: &&Bdd| {
        let support = part.support();
        support.iter().any(|variable| unread.contains(variable))
    };
    let (joined, mut rest): (Vec<&Bdd>, Vec<&Bdd>) = parts.iter().partition(concerns);
    if joined.is_empty() {
        return Ok(None);
    }
    let mut all = manager.one();
    for part in joined {
        all = all.and(part)?;
        if all.size() > largest {
            return Ok(None);
        }
    }
    let unread: Vec<Variable> = manager
        .variables()
        .filter(|variable| unread.contains(variable))
        .collect();
    let all = all.exists(&manager.set(&unread)?)?;
    rest.push(&all);
    Ok(Some(rest.into_iter().cloned().collect()))
}
