//! States of a controller that its specification does not need to tell apart.
//!
//! A strategy remembers what its own plan needs: which goal comes next, what was asked for
//! before. Minimization keeps the behaviour, and with it the plan. Here one state is put in the
//! place of another, which changes what the controller does, and the model checker says whether
//! that is still enough: asking is easier than to derive it.
//! What is left is written in several codings, of which nobody knows beforehand the one that can
//! be made smallest.

use super::aig::Aig;
use super::circuit::Controller;
use super::judge::Judge;
use super::machine::{Coding, Machine};
use super::patience::Patience;
use crate::bdd::{Limits, Result};
use crate::design::Design;

/// Machines with more states have too many pairs of them.
const MOST_STATES: usize = 60;

/// Other circuits for what a circuit is for, as far as there is patience: machines that were
/// accepted, each in several codings. None if the circuit has many states.
pub fn alternatives(
    circuit: &Design,
    limits: &Limits,
    patience: &Patience,
    judge: &mut Judge<'_>,
) -> Result<Vec<Aig>> {
    let controller = Controller::of_circuit(circuit, limits)?;
    let Some(machine) = Machine::new(&controller)? else {
        return Ok(Vec::new());
    };
    let mut machine = machine.minimized()?;
    if machine.len() > MOST_STATES {
        return Ok(Vec::new());
    }
    let inputs = circuit.inputs().len();
    let written = |controller: Controller| Aig::of_design(&controller.alone(inputs));

    let mut spare = Vec::new();
    let mut given_up = machine.len();
    'merging: while given_up > 1 {
        given_up -= 1;
        for kept in (0..machine.len()).filter(|kept| *kept != given_up) {
            if patience.is_over() {
                break 'merging;
            }
            let merged = machine.merging(given_up, kept)?;
            let codes: Vec<usize> = (0..merged.len()).collect();
            let candidate = written(merged.encoded(&controller, &codes, &mut spare)?);
            if candidate.is_some_and(|candidate| judge.accepts(&candidate)) {
                machine = merged;
                // The states have other numbers now.
                given_up = machine.len();
                break;
            }
        }
    }
    let machine = machine.minimized()?;
    let encodings = machine.encodings(&controller, 0, limits)?;
    let mut found: Vec<Aig> = encodings.into_iter().filter_map(written).collect();
    for coding in [Coding::OneHot, Coding::Thermometer] {
        found.extend(Aig::of_design(&machine.written(
            &controller,
            coding,
            circuit,
        )));
    }
    Ok(found)
}
