//! Fewer literals in a cube that is blocked, so that its clause says more.
//!
//! Literals are dropped one by one, those of latches that are seldom in clauses first. If a
//! smaller cube has a predecessor, that state may itself be unreachable: such a
//! counterexample to generalisation [HBS13] is blocked in the frame before, and the smaller
//! cube is tried again.

use super::frame::{Cube, Relative};
use super::{Ic3, Stopped};
use crate::design::Literal;

/// Counterexamples that are blocked for one smaller cube, and how deep this may nest.
const MOST_COUNTEREXAMPLES: usize = 3;
const DEEPEST: usize = 1;

impl Ic3 {
    /// A part of a cube that is blocked in a frame, too.
    pub(super) fn generalize(
        &mut self,
        cube: Cube,
        frame: usize,
        nesting: usize,
    ) -> Result<Cube, Stopped> {
        let mut cube = cube;
        let mut order = cube.clone();
        order.sort_by(|left, right| self.activity_of(*left).total_cmp(&self.activity_of(*right)));
        for literal in order {
            if cube.len() <= 1 {
                break;
            }
            let without = |other: &&Literal| **other != literal;
            let smaller: Cube = cube.iter().filter(without).copied().collect();
            if smaller.len() == cube.len() || self.initial.intersect(&smaller)? {
                continue;
            }
            if let Some(core) = self.without_predecessor(smaller, frame, nesting)? {
                cube = core;
            }
        }
        Ok(cube)
    }

    /// A part of the cube that is blocked in a frame, if the cube is.
    fn without_predecessor(
        &mut self,
        cube: Cube,
        frame: usize,
        nesting: usize,
    ) -> Result<Option<Cube>, Stopped> {
        let mut counterexamples = 0;
        loop {
            match self.relative(&cube, frame - 1)? {
                Relative::Blocked(core) => return self.outside_initial(core, &cube).map(Some),
                Relative::Reached => {}
            }
            if nesting >= DEEPEST || counterexamples >= MOST_COUNTEREXAMPLES || frame < 2 {
                return Ok(None);
            }
            counterexamples += 1;
            let next = cube.iter().map(|literal| self.circuit.next(*literal));
            let next: Vec<Literal> = next.collect();
            let (state, _) = self.lifted(frame - 1, &next);
            if self.initial.intersect(&state)? {
                return Ok(None);
            }
            let Relative::Blocked(core) = self.relative(&state, frame - 2)? else {
                return Ok(None);
            };
            let core = self.outside_initial(core, &state)?;
            let blocked = self.generalize(core, frame - 1, nesting + 1)?;
            self.add_blocked(blocked, frame - 1)?;
        }
    }
}
