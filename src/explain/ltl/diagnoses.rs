//! All minimal conflicts of a specification in LTL, and all minimal ways to resolve them.
//!
//! The search is the hitting-set tree of `explain/diagnoses.rs` [KHB11, Sec. 4.2.4], over the
//! conjuncts of guarantees. Ours asks `synth::ltl`, which need not have an answer: a question that
//! stays open makes no conflict and no diagnosis, and is named.
//!
//! Invariant: what is listed was certified, a conflict as a minimal conflict and a diagnosis as a
//! minimal fix.

use super::Oracle;
use crate::bdd::{self, Limits};
use crate::certify::ltl::{minimal_conflict, minimal_fix};
use crate::certify::{Certified, Check, MinimalConflict, MinimalFix};
use crate::explain::diagnoses::{Bounds, Diagnoses, Rest, Unfinished, hitting_sets};
use crate::explain::{Minimizer, Subset, minimize};
use crate::source::Diagnostic;

/// Indices of parts, with what shows that they are what they are said to be.
type Shown<T> = (Vec<usize>, Certified<T>);

/// What was found of [`Diagnoses`], as far as it was certified.
pub struct CertifiedDiagnoses {
    pub conflicts: Vec<Shown<MinimalConflict>>,
    pub diagnoses: Vec<Shown<MinimalFix>>,
    /// Sets that may be diagnoses.
    pub open: Vec<Vec<usize>>,
    /// Why there may be more.
    pub unfinished: Option<Unfinished>,
    /// Whether a conflict is left out that was not shown to be minimal.
    pub lacks_conflicts: bool,
}

impl Oracle {
    /// The conflicts and diagnoses of an unrealizable specification.
    pub fn diagnoses(
        &mut self,
        minimizer: Minimizer,
        bounds: Bounds,
        limits: &Limits,
    ) -> Result<CertifiedDiagnoses, Vec<Diagnostic>> {
        let size = self.spec.parts.len();
        let fixed = Subset::of(size, self.indices(true));
        let mut found = Diagnoses::default();
        let searched = hitting_sets(Subset::new(size), &fixed, bounds, &mut found, &mut |set| {
            self.rest(minimizer, set)
        });
        if let Err(error) = searched {
            found.unfinished = Some(Unfinished::Stopped(error));
        }
        let mut shown = CertifiedDiagnoses {
            conflicts: Vec::new(),
            diagnoses: Vec::new(),
            open: found.open.iter().map(|set| set.iter().collect()).collect(),
            unfinished: found.unfinished,
            lacks_conflicts: false,
        };
        let mut strategies = |parts: &[usize]| self.strategy(parts);
        for set in found.conflicts {
            let members: Vec<usize> = set.minus(&fixed).iter().collect();
            let check = minimal_conflict(&self.spec, &members, limits, &mut strategies)?;
            match check {
                Check::Certified(certified) => shown.conflicts.push((members, certified)),
                // It leads to the same diagnoses.
                Check::NotShown(_) | Check::Unknown(_) => shown.lacks_conflicts = true,
            }
        }
        for set in found.diagnoses {
            let members: Vec<usize> = set.iter().collect();
            match minimal_fix(&self.spec, &members, limits, &mut strategies)? {
                Check::Certified(certified) => shown.diagnoses.push((members, certified)),
                Check::NotShown(_) | Check::Unknown(_) => shown.open.push(members),
            }
        }
        Ok(shown)
    }

    /// What is left without some guarantees.
    fn rest(&mut self, minimizer: Minimizer, removed: &Subset) -> bdd::Result<Rest> {
        let assumed = self.indices(true);
        let mut kept = self.indices(false);
        kept.retain(|index| !removed.contains(*index));
        let mut ask = |chosen: &[usize]| {
            let mut parts = assumed.clone();
            parts.extend(chosen);
            self.realizable(&parts)
        };
        match ask(&kept)? {
            None => return Ok(Rest::Open),
            Some(true) => return Ok(Rest::Realizable),
            Some(false) => {}
        }
        let mut conflicts = |chosen: &[usize]| Ok(ask(chosen)? == Some(false));
        let members = minimize(minimizer, &kept, &mut conflicts)?;
        Ok(Rest::Conflict(Subset::of(self.spec.parts.len(), members)))
    }
}
