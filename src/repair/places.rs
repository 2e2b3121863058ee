//! Places in the order of the evidence against them: where a change can mend how many of the
//! failing runs, and how much of a run it would have to change.
//!
//! This is what is left to say where no correction was found: an answer about the runs that
//! were looked at, not about all. A place that is not listed was refuted on one of them.

use super::RepairError;
use super::open::{Mending, Opening};
use crate::bdd;
use crate::design::{ComponentId, Netlist};
use crate::run::Run;
use crate::spec::Spec;
use std::cmp::Reverse;

/// Runs that are looked at for each place: those that fail first, and the last ones that were
/// found.
const FIRST_RUNS: usize = 8;
const LAST_RUNS: usize = 4;

/// What failing runs say of one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceEvidence {
    pub component: ComponentId,
    /// The runs that were asked about, and those that a change of the place can mend.
    pub runs: usize,
    pub mended: usize,
    /// In how many steps of a run, at most, its value has to change, and how many bits.
    pub steps: usize,
    pub bits: usize,
}

/// Some runs that stand for all.
pub fn some_of(runs: &[Run]) -> Vec<Run> {
    if runs.len() <= FIRST_RUNS + LAST_RUNS {
        return runs.to_vec();
    }
    let last = &runs[runs.len() - LAST_RUNS..];
    runs[..FIRST_RUNS].iter().chain(last).cloned().collect()
}

/// The evidence against each of these components, the strongest first. Nothing if the
/// properties have no deterministic monitors, or if no run ends.
pub fn ranked(
    netlist: &Netlist,
    spec: &Spec,
    components: &[ComponentId],
    runs: &[Run],
    limits: &bdd::Limits,
) -> Result<Vec<PlaceEvidence>, RepairError> {
    let mut opening = Opening::new(netlist, spec, runs, limits);
    let mut places = Vec::new();
    for component in components {
        let mending = match opening.mending(&vec![*component]) {
            Err(RepairError::NotSupported { .. }) => return Ok(Vec::new()),
            mending => mending?,
        };
        places.extend(evidence(*component, &mending));
    }
    places.sort_by_key(|one| (Reverse(one.mended), one.bits, one.steps));
    Ok(places)
}

fn evidence(component: ComponentId, mending: &[Mending]) -> Option<PlaceEvidence> {
    let decided = mending.iter().filter(|one| **one != Mending::Undecided);
    let mut place = PlaceEvidence {
        component,
        runs: decided.count(),
        mended: 0,
        steps: 0,
        bits: 0,
    };
    for one in mending {
        if let Mending::Possible { steps, bits } = one {
            place.mended += 1;
            place.steps = place.steps.max(*steps);
            place.bits = place.bits.max(*bits);
        }
    }
    (place.mended > 0).then_some(place)
}
