//! Strict specifications that are GR(1) as they stand, by the solver for those.
//!
//! It knows the shape of the game: constraints of steps stay apart, and nothing has to be
//! remembered but the last step. It only says yes here, and what it says is certified as any
//! other answer is.

use super::tidy::swept_to;
use crate::bdd::{self, Limits};
use crate::design::Design;
use crate::game::gr1::{Gr1Game, Selection};
use crate::spec::ltl::{LtlSpec, Order};
use crate::synth::controller::controller;
use std::time::Duration;

/// How long this is tried before the general stages are.
const SLICE: Duration = Duration::from_secs(10);

/// A controller; `None` if the specification is of another kind, is not realizable, or takes
/// too long.
pub fn by_gr1(spec: &LtlSpec, limits: &Limits) -> bdd::Result<Option<Design>> {
    if !spec.is_strict || spec.order != Order::Mealy {
        return Ok(None);
    }
    let Ok((gr1, true)) = spec.to_gr1() else {
        return Ok(None);
    };
    let slice = limits.within_processor_time(SLICE);
    let solved = || -> bdd::Result<Option<Design>> {
        let game = Gr1Game::new(&gr1, slice.clone())?;
        let rules = game.rules(&Selection::everything(&gr1))?;
        let solution = rules.solve()?;
        if !solution.realizable {
            return Ok(None);
        }
        Ok(Some(controller(&rules, &solution, &slice, false)?.design))
    };
    let design = match solved() {
        Ok(Some(design)) => design,
        Ok(None) => return Ok(None),
        Err(error) => {
            limits.check()?;
            return match error {
                bdd::Error::Deadline | bdd::Error::Nodes | bdd::Error::Memory => Ok(None),
                other => Err(other),
            };
        }
    };
    let names = |id: &crate::design::NodeId| design.name(*id).unwrap_or_default();
    let same_inputs = design.inputs().iter().map(names).eq(spec.inputs.iter());
    let has = |name: &String| {
        let mut outputs = design.outputs().iter();
        outputs.any(|output| output.name.as_ref() == Some(name))
    };
    if !same_inputs || !spec.outputs.iter().all(has) {
        return Ok(None);
    }
    Ok(Some(swept_to(&design, &spec.outputs)))
}
