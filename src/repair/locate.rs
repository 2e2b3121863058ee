//! Which components can be the fault: one game over all suspects [JSGB11, Sec. 4].
//!
//! A rigid choice numbers the suspect, and the fixpoint keeps it as a parameter: the answer
//! is the set of numbers with which the system wins from every initial state.

use super::arena::RepairArena;
use super::{GameOptions, RepairError};
use crate::design::{ComponentId, Netlist};
use crate::game::Game;
use crate::spec::Spec;

/// Components that, replaced together, let the system win if it may use memory.
pub type Location = Vec<ComponentId>;

/// The locations with at most `options.faults` components each, without those that contain
/// another one.
pub fn locate(
    netlist: &Netlist,
    spec: &Spec,
    suspects: &[ComponentId],
    options: &GameOptions,
) -> Result<Vec<Location>, RepairError> {
    let faults = options.faults;
    let diagnosable = netlist.instrument(suspects, faults)?;
    let field = options.automaton.arena(diagnosable.design, spec)?;
    let mut game = Game::new(field.arena(), options.limits.clone())?;
    let good = match &field {
        RepairArena::Gr1(_) => {
            game.restrict_to_reachable()?;
            game.solve()?.good_choices
        }
        RepairArena::EmersonLei(general) => general.good_choices(&game)?,
    };

    // The values of reset choices do not matter for where the fault is.
    let rigid = diagnosable.rigid_choices.iter().flatten();
    let rigid: Vec<_> = rigid.filter_map(|id| game.variable(*id)).collect();
    let good = good.exists(&game.manager().set(&rigid)?)?;
    let mut locations: Vec<Location> = Vec::new();
    let mut numbers = vec![0; faults];
    loop {
        let mut values = Vec::new();
        for (fault, number) in numbers.iter().enumerate() {
            for (bit, id) in diagnosable.diagnosis[fault].iter().enumerate() {
                if let Some(variable) = game.variable(*id) {
                    values.push((variable, number >> bit & 1 == 1));
                }
            }
        }
        // One order of the same components is enough.
        if numbers.is_sorted() && good.cofactor(&values)?.is_one() {
            let mut location: Location = numbers.iter().map(|k: &usize| suspects[*k]).collect();
            location.dedup();
            let is_smaller = |known: &Location| known.iter().all(|c| location.contains(c));
            if !locations.iter().any(is_smaller) {
                locations.push(location);
            }
        }
        if !advance(&mut numbers, suspects.len()) {
            break;
        }
    }
    // A pair may have come before one of its own components.
    let all = locations.clone();
    locations.retain(|location| {
        let smaller = |other: &&Location| other.len() < location.len();
        !all.iter()
            .filter(smaller)
            .any(|other| other.iter().all(|c| location.contains(c)))
    });
    Ok(locations)
}

/// Counts through all tuples of numbers below `base`.
fn advance(numbers: &mut [usize], base: usize) -> bool {
    for number in numbers.iter_mut() {
        *number += 1;
        if *number < base {
            return true;
        }
        *number = 0;
    }
    false
}
