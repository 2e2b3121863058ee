//! Assumptions to add to a specification that nobody can satisfy.
//!
//! What is looked for is a minimal set of simple assumptions with which it is realizable, as weak
//! as possible: that an input starts with a value, has it again and again (`GF p`), has it after
//! a step with some value (`G (p -> X q)`), or always (`G p`). These are the patterns of
//! \[LDS11\] and \[AMT13\], over one or two variables of the core or of the inputs.
//!
//! Those papers take a counterstrategy, add an assumption that excludes it, and go on with the
//! next one; what is added may contradict what is there, and nothing says that all of it is
//! needed. Ours goes the other way. It starts with a play that keeps both sides, and with all
//! simple assumptions that this play keeps, so that they never contradict each other; since more
//! assumptions only help the system, a minimal sufficient part of them is found as cores are
//! (\[MRS19\] minimizes what it has found, too). Pools with weaker kinds come first. An input that
//! assumptions bind after a step is bound to one value, so that the environment can keep all of
//! a pool whatever the system does. In the end each member is made weaker where that is enough.
//!
//! Nothing of this vouches for an answer: `certify` checks the whole set again.

use super::answer::{self, Missing, Wanted};
use super::candidates::{Candidate, Pattern, pools, weaker};
use super::minimize::{Minimizer, minimize};
use super::separation::{Scope, Separation, relevant_part};
use super::told;
use crate::bdd::{Bdd, Error, Limits, Result};
use crate::certify::gr1::{
    Against, Claim, Lasso, Layout, NoChange, Part, added_assumptions, no_common_play,
};
use crate::certify::{AddedAssumptions, Certified};
use crate::game::gr1::{CommonPlay, Gr1Game, Selection};
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Side, VariableId};
use crate::synth::gr1::prove;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// So many sets are enough.
const SETS: usize = 3;
/// So many questions are asked to make one set weaker.
const WEAKENINGS: usize = 60;

/// The part of the time that is left which it may take to compare two sets.
const COMPARING: f64 = 0.2;

/// A specification that is to be changed.
pub(super) struct Ground<'a> {
    pub spec: &'a Gr1,
    pub semantics: Semantics,
    pub limits: Limits,
    pub game: Gr1Game,
    /// Variables that the conflict is about.
    pub core: BTreeSet<VariableId>,
    /// Guarantees that conflict, the ones of the conflict first.
    pub conflicts: Conflicts,
}

/// The search for assumptions.
struct Search<'a> {
    ground: &'a Ground<'a>,
    spec: &'a Gr1,
    play: &'a CommonPlay,
    /// Which systems must not be able to make assumptions fail.
    against: Against,
}

/// What was found, or that nothing can be.
pub(super) struct Found {
    pub additions: answer::Additions,
    pub missing: Option<Missing>,
}

impl Search<'_> {
    /// Sets of assumptions, the weakest first, as far as the limits let them be found.
    fn sets(&self, found: &mut Vec<answer::Addition>) -> Result<()> {
        let mut sets: Vec<Vec<Candidate>> = Vec::new();
        let mut judged: Vec<(Candidate, bool)> = Vec::new();
        for mut pool in pools(self.spec, self.play, &self.ground.core) {
            if found.len() == SETS {
                break;
            }
            self.judge(&pool, &mut judged)?;
            pool.retain(|one| judged.contains(&(one.clone(), true)));
            self.leave_out_goals(&mut pool)?;
            let Some(set) = self.sufficient(&pool)? else {
                continue;
            };
            if set.is_empty() || sets.contains(&set) {
                continue;
            }
            if self.is_known(&set, &sets)? {
                continue;
            }
            if let Some((set, addition)) = self.certified(set)? {
                sets.push(set);
                found.push(addition);
            }
        }
        // Only now, since what is there already is an answer.
        for (index, set) in sets.iter_mut().enumerate() {
            let weaker = self.weakened(set)?;
            if weaker == *set {
                continue;
            }
            if let Some((weaker, addition)) = self.certified(weaker)? {
                *set = weaker;
                found[index] = addition;
            }
        }
        // Different sets may have become the same.
        for index in (1..sets.len()).rev() {
            if self.is_known(&sets[index], &sets[..index])? {
                found.remove(index);
            }
        }
        Ok(())
    }

    /// Leaves out what says the same as a guarantee: to assume what is asked for is no help.
    fn leave_out_goals(&self, pool: &mut Vec<Candidate>) -> Result<()> {
        let (spec, added) = self.with(pool);
        let game = self.ground.game.extended(&spec)?;
        let is_goal = |id: ConstraintId| {
            let mut guarantees = spec.of(Side::Guarantee, spec.constraint(id).kind);
            guarantees.any(|guarantee| game.function(guarantee) == game.function(id))
        };
        let mut goals = added.into_iter().map(is_goal);
        pool.retain(|_| goals.next() != Some(true));
        Ok(())
    }

    /// Whether one of the sets that are known says the same as this one, together with what is
    /// assumed already: the same plays keep both.
    fn is_known(&self, set: &[Candidate], known: &[Vec<Candidate>]) -> Result<bool> {
        for other in known {
            match self.says_the_same(set, other) {
                Ok(true) => return Ok(true),
                Err(Error::Interrupted) => return Err(Error::Interrupted),
                // To show one twice is no mistake.
                Ok(false) | Err(_) => {}
            }
        }
        Ok(false)
    }

    fn says_the_same(&self, set: &[Candidate], other: &[Candidate]) -> Result<bool> {
        if set == other {
            return Ok(true);
        }
        let (spec, added) = self.with(&[set, other].concat());
        let limits = self.ground.limits.with_share_of_time(COMPARING);
        let game = Gr1Game::new(&relevant_part(&spec, Scope::Environment), limits)?;
        let (own, others) = added.split_at(set.len());
        let implies = |these: &[ConstraintId]| -> Result<bool> {
            let (mut selection, mut left_out) = (Selection::everything(&spec), added.clone());
            left_out.retain(|id| !these.contains(id));
            for id in &left_out {
                selection.set(*id, false);
            }
            game.plays_keep(&selection, &left_out)
        };
        Ok(implies(own)? && implies(others)?)
    }

    /// A minimal part of a pool that suffices, if all of it does.
    fn sufficient(&self, pool: &[Candidate]) -> Result<Option<Vec<Candidate>>> {
        let questions = Questions::new(self, pool)?;
        let everything: Vec<usize> = (0..pool.len()).collect();
        if !questions.realizable(&everything)? {
            return Ok(None);
        }
        // Those that are left out first are the strongest.
        let mut order = everything;
        order.sort_by_key(|index| std::cmp::Reverse(pool[*index].pattern));
        let mut kept = minimize(
            Minimizer::DeltaDebugging,
            &order,
            &mut |kept: &[usize]| questions.realizable(kept),
        )?;
        kept.sort_unstable();
        Ok(Some(
            kept.iter().map(|index| pool[*index].clone()).collect(),
        ))
    }

    /// The same set with weaker members where they suffice.
    fn weakened(&self, set: &[Candidate]) -> Result<Vec<Candidate>> {
        let mut set = set.to_vec();
        let mut asked = 0;
        for index in 0..set.len() {
            let mut others = weaker(self.spec, self.play, &self.ground.core, &set[index]);
            self.leave_out_goals(&mut others)?;
            let mut pool = others.clone();
            let first = pool.len();
            let rest = set.iter().enumerate().filter(|(other, _)| *other != index);
            pool.extend(rest.map(|(_, one)| one.clone()));
            let questions = Questions::new(self, &pool)?;
            for (number, other) in others.iter().enumerate() {
                if asked == WEAKENINGS {
                    return Ok(set);
                }
                asked += 1;
                let mut chosen: Vec<usize> = (first..pool.len()).collect();
                chosen.push(number);
                if questions.realizable(&chosen)? {
                    set[index] = other.clone();
                    break;
                }
            }
        }
        Ok(set)
    }

    /// A set that `certify` accepts, and with which the system can make nothing fail that it
    /// could not before.
    fn certified(
        &self,
        mut set: Vec<Candidate>,
    ) -> Result<Option<(Vec<Candidate>, answer::Addition)>> {
        loop {
            let (spec, added) = self.with(&set);
            let play = Lasso {
                steps: &self.play.steps,
                loop_start: self.play.loop_start,
            };
            let mut prover = prover(&self.ground.limits);
            let found = added_assumptions(
                &spec,
                self.ground.semantics,
                &added,
                play,
                self.against,
                &mut prover,
            )?;
            match found {
                Ok(certified) => {
                    if self.adds_a_trap(&spec)? {
                        return Ok(None);
                    }
                    return Ok(Some((set, addition(&spec, &added, certified))));
                }
                // A weaker member can make another one superfluous.
                Err(NoChange::NotNeeded(one)) => {
                    let Some(index) = added.iter().position(|id| *id == one) else {
                        return Ok(None);
                    };
                    set.remove(index);
                }
                Err(_) => return Ok(None),
            }
        }
    }

    /// Whether the system can force assumptions to fail in a way in which it could not before:
    /// with all old assumptions, and with those of safety only, so that a recurring one that it
    /// could make fail before does not hide that it can make an added one fail.
    fn adds_a_trap(&self, spec: &Gr1) -> Result<bool> {
        let cases = |spec: &Gr1, justice: bool| {
            let mut part = relevant_part(spec, self.scope());
            if !justice {
                self.forget_justice(&mut part);
            }
            let game = Gr1Game::new(&part, self.ground.limits.clone())?;
            Separation::new(&game)?.cases()
        };
        for justice in [true, false] {
            let after = cases(spec, justice)?;
            if after.is_empty() {
                continue;
            }
            let before = cases(self.spec, justice)?;
            if after.iter().any(|case| !before.contains(case)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn scope(&self) -> Scope {
        match self.against {
            Against::AnySystem => Scope::Environment,
            Against::SafeSystems => Scope::Guarantees,
        }
    }

    /// Leaves the recurring assumptions that were there before without meaning.
    fn forget_justice(&self, spec: &mut Gr1) {
        let always = spec.terms.boolean(true);
        let old = self.spec.constraints.len();
        for constraint in &mut spec.constraints[..old] {
            if constraint.side == Side::Assumption && constraint.kind == Kind::Justice {
                constraint.term = always;
            }
        }
    }

    /// Whether with candidates, each added alone, the system can make no assumption fail that it
    /// could not make fail before, from any state that a play can reach.
    fn judge(&self, pool: &[Candidate], judged: &mut Vec<(Candidate, bool)>) -> Result<()> {
        let is_known = |one: &Candidate| judged.iter().any(|(other, _)| other == one);
        let candidates: Vec<Candidate> =
            pool.iter().filter(|one| !is_known(one)).cloned().collect();
        if candidates.is_empty() {
            return Ok(());
        }
        let (spec, added) = self.with(&candidates);
        let part = relevant_part(self.spec, self.scope());
        let base = Gr1Game::new(&part, self.ground.limits.clone())?;
        let game = base.extended(&relevant_part(&spec, self.scope()))?;
        let mut old = Selection::everything(&spec);
        for id in &added {
            old.set(*id, false);
        }
        let mut separation = Separation::within(&game, &old)?;
        let all: Vec<ConstraintId> = self
            .spec
            .constraint_ids()
            .filter(|id| self.spec.constraint(*id).side == Side::Assumption)
            .collect();
        let safety: Vec<ConstraintId> = all
            .iter()
            .copied()
            .filter(|id| self.spec.constraint(*id).kind != Kind::Justice)
            .collect();
        let deadlocks = separation.forced_by(&safety, false)?;
        let forced = separation.forced_by(&all, true)?;
        // Where the system wins by force from the start, more force changes nothing.
        let asks_for_justice = !separation.rules().starts_in(forced.states())?;
        for (candidate, id) in candidates.into_iter().zip(added) {
            // An environment that enters a state where its inputs break it was not forced to.
            let kept = match candidate.pattern {
                Pattern::Always => game.function(id).clone(),
                _ => base.encoding().manager().one(),
            };
            let mut is_trap =
                |chosen: &[ConstraintId], justice: bool, before: &Bdd| -> Result<bool> {
                    let mut chosen = chosen.to_vec();
                    chosen.push(id);
                    let after = separation.forced_by(&chosen, justice)?;
                    let new = after.states().minus(before)?.and(&kept)?;
                    Ok(separation.first_meeting(&new)?.is_some())
                };
            let is_recurring = candidate.pattern == Pattern::Recurring;
            let is_honest = if candidate.pattern == Pattern::Initial {
                true
            } else if is_trap(&safety, is_recurring, deadlocks.states())? {
                false
            } else {
                !asks_for_justice || !is_trap(&all, true, forced.states())?
            };
            judged.push((candidate, is_honest));
        }
        Ok(())
    }

    /// The specification with assumptions after its constraints.
    fn with(&self, set: &[Candidate]) -> (Gr1, Vec<ConstraintId>) {
        let mut spec = self.spec.clone();
        let added = set.iter().map(|one| one.add_to(&mut spec)).collect();
        (spec, added)
    }
}

/// Games about parts of a pool.
struct Questions<'s> {
    search: &'s Search<'s>,
    pool: &'s [Candidate],
    /// With the whole pool; none under the implication, whose parts are games of their own.
    game: Option<Gr1Game>,
    added: Vec<ConstraintId>,
    /// Parts of the pool that were found to be enough, or not to be.
    enough: RefCell<Vec<BTreeSet<usize>>>,
    too_few: RefCell<Vec<BTreeSet<usize>>>,
}

impl<'s> Questions<'s> {
    fn new(search: &'s Search<'_>, pool: &'s [Candidate]) -> Result<Questions<'s>> {
        let (spec, added) = search.with(pool);
        let game = match search.ground.semantics {
            Semantics::Strict => Some(search.ground.game.extended(&spec)?),
            Semantics::Implication => None,
        };
        Ok(Questions {
            search,
            pool,
            game,
            added,
            enough: RefCell::default(),
            too_few: RefCell::default(),
        })
    }

    /// Whether the specification is realizable with some candidates. More of them only help.
    fn realizable(&self, chosen: &[usize]) -> Result<bool> {
        let chosen: BTreeSet<usize> = chosen.iter().copied().collect();
        let mut enough = self.enough.borrow_mut();
        if enough.iter().any(|fewer| fewer.is_subset(&chosen)) {
            return Ok(true);
        }
        let mut too_few = self.too_few.borrow_mut();
        if too_few.iter().any(|more| chosen.is_subset(more)) {
            return Ok(false);
        }
        let is_enough = self.solved(&chosen)?;
        let known = if is_enough { &mut enough } else { &mut too_few };
        known.push(chosen);
        Ok(is_enough)
    }

    fn solved(&self, chosen: &BTreeSet<usize>) -> Result<bool> {
        let ground = self.search.ground;
        let Some(game) = &self.game else {
            let set: Vec<Candidate> = chosen.iter().map(|one| self.pool[*one].clone()).collect();
            let spec = self.search.with(&set).0.as_implication();
            let game = Gr1Game::new(&spec, ground.limits.clone())?;
            return game.is_realizable(&Selection::everything(&spec));
        };
        let mut selection = Selection::everything(game.spec());
        for (index, id) in self.added.iter().enumerate() {
            selection.set(*id, chosen.contains(&index));
        }
        ground.conflicts.resolved(game, &selection)
    }
}

/// Sets of guarantees that conflict with few assumptions. A game with one of them only is small,
/// and mostly shows that assumptions do not suffice yet.
#[derive(Default)]
pub(super) struct Conflicts(RefCell<Vec<BTreeSet<ConstraintId>>>);

impl Conflicts {
    pub fn new(first: BTreeSet<ConstraintId>) -> Conflicts {
        Conflicts(RefCell::new(vec![first]))
    }

    /// Whether the game of a selection is realizable.
    fn resolved(&self, game: &Gr1Game, selection: &Selection) -> Result<bool> {
        for conflict in self.0.borrow().iter() {
            if !game.is_realizable(&part_of(game.spec(), selection, conflict))? {
                return Ok(false);
            }
        }
        let Some(grounds) = game.grounds(selection, &|_| false)? else {
            return Ok(true);
        };
        // What the environment's win rests on is a conflict if it is one as a game of its own.
        let all = game.spec().constraint_ids();
        let all = all.filter(|id| game.spec().constraint(*id).side == Side::Guarantee);
        if 2 * grounds.len() < all.count()
            && !game.is_realizable(&part_of(game.spec(), selection, &grounds))?
        {
            self.0.borrow_mut().push(grounds);
        }
        Ok(false)
    }
}

/// A selection with some of its guarantees only; definitions stay.
fn part_of(spec: &Gr1, selection: &Selection, kept: &BTreeSet<ConstraintId>) -> Selection {
    let mut part = selection.clone();
    for id in spec.constraint_ids() {
        let constraint = spec.constraint(id);
        if constraint.side == Side::Guarantee && constraint.is_candidate && !kept.contains(&id) {
            part.set(id, false);
        }
    }
    part
}

/// Gives claims for whatever specification is asked about.
pub(super) fn prover(limits: &Limits) -> impl FnMut(&Gr1, &Part) -> Result<(Layout, Claim)> {
    let limits = limits.clone();
    move |spec: &Gr1, part: &Part| prove(&Gr1Game::new(spec, limits.clone())?, part)
}

fn addition(
    spec: &Gr1,
    added: &[ConstraintId],
    certified: Certified<AddedAssumptions>,
) -> answer::Addition {
    let items = added.iter().map(|id| told::constraint(spec, *id));
    answer::Addition {
        assumptions: items.collect(),
        certified,
    }
}

/// Looks for assumptions to add, the weakest first.
pub(super) fn additions(ground: &Ground<'_>) -> Found {
    let mut sets = Vec::new();
    let mut hopeless = None;
    let limit = |error| Some(Missing::Limit(Wanted::Additions, error));
    let everything = Selection::everything(ground.spec);
    let missing = match ground.game.common_play(&everything) {
        Ok(Some(play)) => {
            let search = |against: Against, sets: &mut Vec<answer::Addition>| {
                let search = Search {
                    ground,
                    spec: ground.spec,
                    play: &play,
                    against,
                };
                search.sets(sets)
            };
            // What no system at all can make fail is better to assume.
            let mut searched = search(Against::AnySystem, &mut sets);
            if searched.is_ok() && sets.is_empty() {
                searched = search(Against::SafeSystems, &mut sets);
            }
            match searched {
                Err(error) if sets.is_empty() || error == Error::Interrupted => limit(error),
                // What was found first is the weakest; more would only have been others.
                Ok(()) | Err(_) => None,
            }
        }
        Ok(None) => match no_common_play(ground.spec, &mut prover(&ground.limits)) {
            Ok(Ok(certified)) => {
                hopeless = Some(certified);
                None
            }
            Ok(Err(_)) => {
                let flaw = "no claim shows that no play keeps both sides".to_string();
                Some(Missing::NotConfirmed(Wanted::Additions, flaw))
            }
            Err(error) => limit(error),
        },
        Err(error) => limit(error),
    };
    Found {
        additions: answer::Additions { sets, hopeless },
        missing,
    }
}
