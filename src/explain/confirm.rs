//! What an explanation of a GR(1) specification says, given to `certify`.
//!
//! Cores and fixes are certified member by member, with about as much time as was used before.
//! Where claims take too long, fresh games that share nothing with the search are asked instead,
//! and the answer says so.

use super::answer::{Confirmation, Wanted};
use super::certificate;
use super::check::extra;
use super::countertrace::Countertrace;
use super::job::Work;
use super::oracle::{Element, Oracle};
use super::subset::Subset;
use crate::bdd;
use crate::certify::gr1::{
    Claim, Flaw, Layout, Member, NoCore, Part, minimal_conflict, minimal_fix,
};
use crate::certify::{self, Certified, MinimalConflict, MinimalFix};
use crate::game::gr1::Gr1Game;
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Value, VariableId};
use crate::synth::gr1::prove;

impl Work<'_> {
    /// A core by exact games alone, one member after the other. The search takes for granted
    /// that auxiliary variables can always move; monitors that contradict themselves cannot,
    /// and what is found for them may be no conflict.
    pub(super) fn exact_core(&self) -> bdd::Result<Option<Subset>> {
        if !self.is_strict() {
            return Ok(None);
        }
        let limits = extra(&self.options.limits, self.start);
        let game = Gr1Game::new(self.oracle.spec(), limits)?;
        let is_conflict = |set: &Subset| -> bdd::Result<bool> {
            Ok(!game.is_realizable(&self.oracle.selection(set))?)
        };
        let mut core = self.oracle.whole();
        if !is_conflict(&core)? {
            return Ok(None);
        }
        for member in self.oracle.whole().iter() {
            let mut rest = core.clone();
            rest.remove(member);
            if is_conflict(&rest)? {
                core = rest;
            }
        }
        Ok(Some(core))
    }

    /// A part of the core that is confirmed as one, usually all of it. `None` if the set is
    /// no conflict at all.
    pub(super) fn confirm(
        &mut self,
        core: &Subset,
    ) -> Option<(Subset, Confirmation<MinimalConflict>)> {
        let mut core = core.clone();
        match self.certify_core(&mut core) {
            Ok(Ok(certified)) => return Some((core, Confirmation::Certified(certified))),
            Ok(Err(Some(flaw))) => {
                self.not_confirmed(Wanted::Core, flaw);
                return None;
            }
            // Games without claims need less.
            Ok(Err(None)) | Err(_) => {}
        }
        match self.agree(&mut core) {
            Ok(true) => Some((core, Confirmation::Agreed)),
            Ok(false) => {
                self.not_confirmed(Wanted::Core, "it is realizable");
                None
            }
            Err(_) => Some((core, Confirmation::Open)),
        }
    }

    /// Certifies the core. Members without which it is a conflict, too, are taken out. If it is
    /// not certified, what is wrong with it, if anything.
    fn certify_core(
        &self,
        core: &mut Subset,
    ) -> bdd::Result<Result<Certified<MinimalConflict>, Option<String>>> {
        let spec = self.oracle.spec();
        let mut prover = self.prover()?;
        loop {
            let elements = self.oracle.elements_of(core).into_iter();
            let members: Vec<Member> = elements.filter_map(member).collect();
            let found = minimal_conflict(spec, self.loaded.semantics, &members, &mut prover)?;
            let unneeded = match found {
                Ok(certified) => return Ok(Ok(certified)),
                Err(NoCore::NotNeeded(unneeded)) => unneeded,
                Err(NoCore::WrongVerdict) => {
                    return Ok(Err(Some("it is realizable".to_string())));
                }
                Err(NoCore::Flawed(flaw)) => return Ok(Err(Some(flaw.0))),
                Err(NoCore::TooManyCases) => return Ok(Err(None)),
            };
            self.remove(core, unneeded);
        }
    }

    /// The same for a fix; the assumptions suffice for what is left.
    pub(super) fn certify_fix(
        &self,
        removed: &mut Subset,
        assumptions: &Subset,
    ) -> bdd::Result<Result<Certified<MinimalFix>, Option<String>>> {
        let spec = self.oracle.spec();
        let mut prover = self.prover()?;
        let assumptions = constraints(self.oracle.elements_of(assumptions));
        loop {
            let ids = constraints(self.oracle.elements_of(removed));
            let semantics = self.loaded.semantics;
            let found = minimal_fix(spec, semantics, &ids, &assumptions, &mut prover)?;
            let unneeded = match found {
                Ok(certified) => return Ok(Ok(certified)),
                Err(NoCore::NotNeeded(unneeded)) => unneeded,
                Err(NoCore::WrongVerdict) => {
                    let flaw = "what is left is unrealizable";
                    return Ok(Err(Some(flaw.to_string())));
                }
                Err(NoCore::Flawed(flaw)) => return Ok(Err(Some(flaw.0))),
                Err(NoCore::TooManyCases) => return Ok(Err(None)),
            };
            self.remove(removed, unneeded);
        }
    }

    fn remove(&self, set: &mut Subset, member: Member) {
        let element = match member {
            Member::Guarantee(id) => Element::Guarantee(id),
            Member::Output(id) => Element::Output(id),
        };
        if let Some(number) = self.oracle.number(element) {
            set.remove(number);
        }
    }

    /// Gives claims for parts of the specification, with about as much time as was used so far.
    fn prover(&self) -> bdd::Result<impl FnMut(&Gr1, &Part) -> bdd::Result<(Layout, Claim)>> {
        let limits = extra(&self.options.limits, self.start);
        // The implication of each part is a specification of its own.
        let strict = match self.loaded.semantics {
            Semantics::Strict => Some(Gr1Game::new(self.oracle.spec(), limits.clone())?),
            Semantics::Implication => None,
        };
        Ok(move |spec: &Gr1, part: &Part| match &strict {
            Some(game) => prove(game, part),
            None => prove(&Gr1Game::new(spec, limits.clone())?, part),
        })
    }

    /// Whether fresh games agree that the core is unrealizable. Members without which they
    /// find it so, too, are taken out.
    fn agree(&self, core: &mut Subset) -> bdd::Result<bool> {
        let game = Gr1Game::new(self.oracle.spec(), self.options.limits.clone())?;
        let is_unrealizable = |set: &Subset| -> bdd::Result<bool> {
            let mut fresh = Oracle::new(&game, self.loaded.semantics);
            fresh.approximations = false;
            fresh.conflicts(set)
        };
        if !is_unrealizable(core)? {
            return Ok(false);
        }
        let members: Vec<usize> = core.iter().collect();
        for member in members {
            let mut rest = core.clone();
            rest.remove(member);
            if is_unrealizable(&rest)? {
                *core = rest;
            }
        }
        Ok(true)
    }

    /// Checks a countertrace of a game with the variables of the specification, for systems that
    /// keep the held outputs.
    pub(super) fn certify_trace(
        &self,
        game: &Gr1Game,
        trace: &Countertrace,
        held: &[(VariableId, Value)],
    ) -> bdd::Result<Result<Certified<certify::Countertrace>, Flaw>> {
        certificate::check_countertrace(game, &self.loaded.strict(), trace, held)
    }
}

/// The constraints among some elements.
fn constraints(elements: Vec<Element>) -> Vec<ConstraintId> {
    let elements = elements.into_iter();
    elements
        .filter_map(|element| match element {
            Element::Guarantee(id) | Element::Lack(id) => Some(id),
            Element::Output(_) => None,
        })
        .collect()
}

fn member(element: Element) -> Option<Member> {
    match element {
        Element::Guarantee(id) => Some(Member::Guarantee(id)),
        Element::Output(id) => Some(Member::Output(id)),
        Element::Lack(_) => None,
    }
}
