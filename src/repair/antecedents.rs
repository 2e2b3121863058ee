//! Antecedents that have to happen: an implication that holds because its antecedent never
//! does says nothing, and what keeps it from happening can be the fault.
//!
//! There is no failing run to learn from, so edits are tried one by one: first whether some run
//! comes to each antecedent, then, as always, whether all properties hold.

use super::RepairError;
use crate::bdd;
use crate::certify::Certified;
use crate::certify::vacuity::{self, Vacuity, VacuityKind};
use crate::design::Patch;
use crate::expr::Role;
use crate::subject::Subject;

/// The assertions that have an antecedent.
pub(super) fn all(subject: &Subject) -> Vec<String> {
    let spec = &subject.spec;
    let asserted = spec.properties.iter();
    let asserted = asserted.filter(|one| one.role == Role::Assert);
    let names = asserted.map(|one| one.name.clone());
    names
        .filter(|name| spec.antecedent(name).is_some())
        .collect()
}

/// The assertions of a design without another fault whose antecedents a correction has to let
/// happen: all that have one, if one of them never does and this was asked for, or if no
/// assertion says anything.
pub(super) fn to_cover(
    subject: &Subject,
    vacuities: &[Certified<Vacuity>],
    is_asked_for: bool,
) -> Vec<String> {
    let properties = subject.spec.properties.iter();
    let asserted = properties.filter(|one| one.role == Role::Assert).count();
    let mut kinds = vacuities.iter().map(|one| one.kind);
    let never_happens = kinds.any(|kind| kind == VacuityKind::AntecedentNeverHappens);
    let is_all_there_is = vacuities.len() == asserted;
    if never_happens && (is_asked_for || is_all_there_is) {
        all(subject)
    } else {
        Vec::new()
    }
}

/// Whether the antecedents of all these assertions happen in a patched design.
pub(super) fn happen(
    subject: &Subject,
    patch: &Patch,
    covered: &[String],
    limits: &bdd::Limits,
) -> Result<bool, RepairError> {
    if covered.is_empty() {
        return Ok(true);
    }
    let Ok(patched) = subject.reread(patch) else {
        return Ok(false);
    };
    let happening = vacuity::happening(&patched, covered, limits)?;
    Ok(happening.len() == covered.len())
}
