//! Checks who wins a GR(1) specification, given a reason.
//!
//! Enters: the specification as it was read, and a [`Claim`]: sets of states that rank how
//! the winner gets to where it wants to be. Leaves: whether the claim is a proof. The
//! conditions below make a strategy of any claim that keeps them [BJPPS12, KHB11], so it does
//! not matter how the sets were found, and each is checked with few steps back.
//!
//! For the system: within `winning` each goal has layers. From a state of a layer, whatever
//! the environment does, the system can make the goal count and stay in `winning`, or get
//! into the layer below, or stay in a part of the layer in which one assumption does not hold.
//!
//! For the environment: states are lost in rounds. From a state of a round it can get into an
//! earlier one, or stay in the round while its goal does not hold and each assumption holds
//! again and again.
//!
//! Nothing is shared with `game` but the kernel and the type of terms: terms are encoded
//! again (`encode`), word by word through the values that they can have, and steps back are
//! taken by code of its own (`step`).

mod change;
mod core;
mod countertrace;
mod encode;
mod step;

pub use change::{
    Against, Lasso, NoChange, added_assumptions, keeps, no_common_play, weakened_guarantee,
};
pub use core::{Member, NoCore, Part, Prover, minimal_conflict, minimal_fix};
pub use countertrace::{Inputs, countertrace};

use super::{Evidence, Realizability};
use crate::bdd::{Bdd, Manager, Result, Variable, VariableSet};
use crate::spec::gr1::{Constraint, ConstraintId, DefinitionId, Gr1, Kind, Player, Side};
use std::collections::{HashMap, HashSet};
use step::{Constraints, StepBack};

/// Where the bits of each variable of the specification are, from the lowest up; for now and
/// for the next step. The number they form is the index of the value in the domain.
pub struct Layout {
    pub manager: Manager,
    pub bits: Vec<Vec<(Variable, Variable)>>,
}

/// Why somebody wins.
pub enum Claim {
    System {
        winning: Bdd,
        /// For each justice guarantee; `None` is for a specification without one.
        goals: Vec<(Option<ConstraintId>, Vec<Layer>)>,
    },
    Environment {
        rounds: Vec<Round>,
    },
}

/// Growing sets of states.
pub struct Layer {
    pub states: Bdd,
    /// Parts of the layer, each with the assumption that does not hold while waiting there;
    /// `None` is for a specification without justice assumptions.
    pub waiting: Vec<(Option<ConstraintId>, Bdd)>,
}

pub struct Round {
    /// The justice guarantee that does not hold any more; `None` if one step is enough.
    /// A specification without one has the goal that always holds.
    pub goal: RoundGoal,
    pub before: Bdd,
    pub after: Bdd,
    /// For each justice assumption, how far away it is.
    pub layers: Vec<(Option<ConstraintId>, Vec<Bdd>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundGoal {
    OneStep,
    Prevented(Option<ConstraintId>),
}

/// What is wrong with a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw(pub String);

/// Whether the claim proves who wins under strict semantics.
pub fn check(spec: &Gr1, layout: &Layout, claim: &Claim) -> Result<std::result::Result<(), Flaw>> {
    check_part(spec, &Part::default(), layout, claim)
}

/// The same for a part of the specification.
pub fn check_part(
    spec: &Gr1,
    part: &Part,
    layout: &Layout,
    claim: &Claim,
) -> Result<std::result::Result<(), Flaw>> {
    match claim {
        Claim::System { winning, goals } => {
            Checker::new(spec, part, layout, winning)?.system_wins(winning, goals)
        }
        Claim::Environment { rounds } => {
            let mut sets: Vec<&Bdd> = rounds.iter().map(|round| &round.after).collect();
            let layers = rounds.iter().flat_map(|round| &round.layers);
            sets.extend(layers.filter_map(|(_, layers)| layers.last()));
            let mut any = layout.manager.zero();
            for set in sets {
                any = any.or(set)?;
            }
            Checker::new(spec, part, layout, &any)?.environment_wins(rounds)
        }
    }
}

/// Who wins, if the claim proves it.
pub fn certify(
    spec: &Gr1,
    layout: &Layout,
    claim: &Claim,
) -> Result<std::result::Result<Realizability, Flaw>> {
    let realizable = matches!(claim, Claim::System { .. });
    let checked = check(spec, layout, claim)?;
    Ok(checked.map(|()| Realizability::new(realizable, &spec.name, Evidence::ClaimChecked)))
}

struct Checker<'a> {
    spec: &'a Gr1,
    part: &'a Part,
    manager: Manager,
    functions: Vec<Bdd>,
    step: StepBack,
    system_now: VariableSet,
    first_assumed: Bdd,
    first_guaranteed: Bdd,
    /// States in which each variable has a value; there are no others in a play.
    valid: Bdd,
    /// The states about which something is claimed; steps from others need not be right.
    claimed: Bdd,
}

fn flaw(text: impl Into<String>) -> Result<std::result::Result<(), Flaw>> {
    Ok(Err(Flaw(text.into())))
}

impl<'a> Checker<'a> {
    /// To check what is claimed of these states.
    fn new(spec: &'a Gr1, part: &'a Part, layout: &Layout, states: &Bdd) -> Result<Checker<'a>> {
        let manager = layout.manager.clone();
        let encoder = encode::Encoder::new(spec, layout);
        let mut functions = Vec::new();
        for constraint in &spec.constraints {
            functions.push(encoder.boolean(constraint.term)?);
        }
        release(spec, part, &encoder, layout, &mut functions)?;
        let bits_of = |player: Player| -> Vec<(Variable, Variable)> {
            let variables = spec.variables.iter().zip(&layout.bits);
            variables
                .filter(|(variable, _)| variable.owner == player)
                .flat_map(|(_, bits)| bits.iter().copied())
                .collect()
        };
        let (environment, system) = (bits_of(Player::Environment), bits_of(Player::System));
        let now: Vec<Variable> = system.iter().map(|(now, _)| *now).collect();
        let select = |side: Side, kind: Kind| -> Vec<Bdd> {
            let all = spec.constraint_ids().zip(&functions);
            all.filter(|(id, _)| {
                let one = spec.constraint(*id);
                one.side == side && one.kind == kind && !part.left_out.contains(id)
            })
            .map(|(_, function)| function.clone())
            .collect()
        };
        let mut assumed = select(Side::Assumption, Kind::Safety);
        let mut guaranteed = select(Side::Guarantee, Kind::Safety);
        let mut first_assumed = select(Side::Assumption, Kind::Initial);
        let mut first_guaranteed = select(Side::Guarantee, Kind::Initial);
        let mut valid = manager.one();
        for id in spec.variable_ids() {
            let (steps, first) = match spec.variable(id).owner {
                Player::Environment => (&mut assumed, &mut first_assumed),
                Player::System => (&mut guaranteed, &mut first_guaranteed),
            };
            let now = encoder.valid(id, false)?;
            steps.push(encoder.valid(id, true)?);
            valid = valid.and(&now)?;
            first.push(now);
        }
        let system_now = manager.set(&now)?;
        let claimed = valid.and(states)?;
        let constraints = Constraints {
            assumed,
            guaranteed,
            environment,
            system,
        };
        Ok(Checker {
            spec,
            part,
            functions,
            step: StepBack::new(&manager, constraints, &claimed)?,
            first_assumed: conjunction(&manager, &first_assumed)?.exists(&system_now)?,
            first_guaranteed: conjunction(&manager, &first_guaranteed)?,
            system_now,
            claimed,
            valid,
            manager,
        })
    }

    /// Whether each state of the first set is in the second. States that do not occur in plays
    /// do not count, and a set that claims more than was announced is refused.
    fn within(&self, states: &Bdd, others: &Bdd) -> Result<bool> {
        let states = self.valid.and(states)?;
        Ok(states.is_subset_of(&self.claimed)? && states.is_subset_of(others)?)
    }

    fn justice(&self, side: Side) -> Vec<Option<ConstraintId>> {
        let wanted = |part: &Constraint| part.side == side && part.kind == Kind::Justice;
        let ids = self.spec.constraint_ids();
        let found: Vec<Option<ConstraintId>> = ids
            .filter(|id| wanted(self.spec.constraint(*id)) && !self.part.left_out.contains(id))
            .map(Some)
            .collect();
        if found.is_empty() { vec![None] } else { found }
    }

    fn states(&self, constraint: Option<ConstraintId>, side: Side) -> Option<Bdd> {
        let Some(id) = constraint else {
            return Some(self.manager.one());
        };
        let part = self.spec.constraints.get(id.0 as usize)?;
        let is_there = !self.part.left_out.contains(&id);
        let fits = part.side == side && part.kind == Kind::Justice && is_there;
        fits.then(|| self.functions[id.0 as usize].clone())
    }

    fn system_wins(
        &self,
        winning: &Bdd,
        goals: &[(Option<ConstraintId>, Vec<Layer>)],
    ) -> Result<std::result::Result<(), Flaw>> {
        let good = self.first_guaranteed.and(winning)?;
        let answered = good.exists(&self.system_now)?;
        if !self.first_assumed.is_subset_of(&answered)? {
            return flaw("some first move of the environment has no answer that wins");
        }
        let stays = self.step.system_can(winning)?;
        let by_goal: HashMap<_, _> = goals.iter().map(|(id, layers)| (*id, layers)).collect();
        for id in self.justice(Side::Guarantee) {
            let (Some(layers), Some(goal)) = (by_goal.get(&id), self.states(id, Side::Guarantee))
            else {
                return flaw("nothing is said of some goal");
            };
            let hit = goal.and(&stays)?;
            let mut below = self.manager.zero();
            for layer in *layers {
                let into = hit.or(&self.step.system_can(&below)?)?;
                let mut covered = into.clone();
                for (assumption, waiting) in &layer.waiting {
                    let Some(assumed) = self.states(*assumption, Side::Assumption) else {
                        return flaw("the system waits for what is no assumption");
                    };
                    let rest = waiting.minus(&into)?;
                    if !self.within(&rest, &assumed.not())? {
                        return flaw("the system waits where the assumption holds");
                    }
                    if !rest.is_zero() && !self.within(&rest, &self.step.system_can(waiting)?)? {
                        return flaw("the system cannot wait where it is said to");
                    }
                    covered = covered.or(waiting)?;
                }
                if !self.within(&layer.states, &covered)? {
                    return flaw("a layer has states without a way to the one below");
                }
                below = layer.states.clone();
            }
            if !self.within(winning, &below)? {
                return flaw("a goal is out of reach from a winning state");
            }
        }
        Ok(Ok(()))
    }

    fn environment_wins(&self, rounds: &[Round]) -> Result<std::result::Result<(), Flaw>> {
        let mut lost = self.manager.zero();
        for round in rounds {
            if !self.within(&round.before, &lost)? {
                return flaw("a round starts with states that were not lost");
            }
            let before = &round.before;
            let leave = self.step.environment_can(before)?;
            match round.goal {
                RoundGoal::OneStep => {
                    if !self.within(&round.after, &before.or(&leave)?)? {
                        return flaw("the environment cannot get on in one step");
                    }
                }
                RoundGoal::Prevented(goal) => {
                    let Some(goal) = self.states(goal, Side::Guarantee) else {
                        return flaw("the environment prevents what is no goal");
                    };
                    let mut base = goal.not().or(&leave)?;
                    base = base.and(&self.step.environment_can(&round.after)?)?;
                    if let Err(error) = self.recurs(round, &base)? {
                        return Ok(Err(error));
                    }
                }
            }
            lost = lost.or(&round.after)?;
        }
        let good = self.first_guaranteed.minus(&lost)?;
        let answered = good.exists(&self.system_now)?;
        if self.first_assumed.is_subset_of(&answered)? {
            return flaw("each first move of the environment has an answer that is not lost");
        }
        Ok(Ok(()))
    }

    /// Whether the environment makes all assumptions hold again and again in a round.
    fn recurs(&self, round: &Round, base: &Bdd) -> Result<std::result::Result<(), Flaw>> {
        let layers: HashMap<_, _> = round.layers.iter().map(|(id, sets)| (*id, sets)).collect();
        for id in self.justice(Side::Assumption) {
            let (Some(sets), Some(assumed)) = (layers.get(&id), self.states(id, Side::Assumption))
            else {
                return flaw("nothing is said of some assumption");
            };
            let mut below = round.before.clone();
            for set in *sets {
                let mut rest = set.minus(&below)?;
                if !self.within(&rest, base)? {
                    return flaw("the environment cannot keep the goal away");
                }
                rest = rest.minus(&assumed)?;
                if !rest.is_zero() && !self.within(&rest, &self.step.environment_can(&below)?)? {
                    return flaw("the environment cannot come closer to an assumption");
                }
                below = below.or(set)?;
            }
            if !self.within(&round.after, &below)? {
                return flaw("an assumption is out of the environment's reach");
            }
        }
        Ok(Ok(()))
    }
}

/// Frees the variables that do not count in guarantees, and in definitions that no assumption
/// needs: in the others the system would choose what is assumed.
fn release(
    spec: &Gr1,
    part: &Part,
    encoder: &encode::Encoder<'_>,
    layout: &Layout,
    functions: &mut [Bdd],
) -> Result<()> {
    if part.released.is_empty() {
        return Ok(());
    }
    let bits = part
        .released
        .iter()
        .flat_map(|id| &layout.bits[id.0 as usize]);
    let bits: Vec<Variable> = bits.flat_map(|(now, next)| [*now, *next]).collect();
    let bits = layout.manager.set(&bits)?;
    // Codes that stand for no value are no way out.
    let mut valid = layout.manager.one();
    for id in &part.released {
        valid = valid.and(&encoder.valid(*id, false)?)?;
        valid = valid.and(&encoder.valid(*id, true)?)?;
    }
    let assumed = assumed_definitions(spec);
    for (constraint, function) in spec.constraints.iter().zip(functions) {
        let is_assumed = constraint
            .definition
            .is_some_and(|id| assumed.contains(&id));
        if constraint.side == Side::Guarantee && !is_assumed {
            *function = function.and_exists(&valid, &bits)?;
        }
    }
    Ok(())
}

/// Definitions that some assumption needs.
fn assumed_definitions(spec: &Gr1) -> HashSet<DefinitionId> {
    let assumed = spec.constraints.iter();
    assumed
        .filter(|one| one.side == Side::Assumption)
        .flat_map(|one| spec.definitions_of(one.term))
        .collect()
}

fn conjunction(manager: &Manager, parts: &[Bdd]) -> Result<Bdd> {
    let mut result = manager.one();
    for part in parts {
        result = result.and(part)?;
    }
    Ok(result)
}
