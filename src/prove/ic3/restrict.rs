//! What a search for one invariant after another needs: the first step, and constraints that
//! grow stronger while the frames stay.

use super::super::circuit::Circuit;
use super::super::{InputRun, Stopped};
use super::Ic3;
use std::rc::Rc;

impl Ic3 {
    /// A run of one step in which a bad literal holds.
    pub fn first_step(&mut self, index: usize) -> Result<Option<InputRun>, Stopped> {
        if !self.frames[0].can_hold(self.circuit.bad[index])? {
            return Ok(None);
        }
        let initial = self.initial_state().into_iter();
        let origins = initial.map(|literal| self.circuit.origin(literal).node());
        Ok(Some(InputRun {
            initial: origins.collect(),
            steps: vec![self.inputs(0)],
        }))
    }

    /// Goes on with a stronger constraint: that of a circuit with the same latches, which has
    /// all nodes of the present one. Frames hold for fewer runs then, too; obligations may
    /// lead through steps that are no longer allowed, and are forgotten.
    pub fn restrict(&mut self, circuit: Rc<Circuit>) {
        for frame in &mut self.frames {
            frame.restrict(circuit.clone());
        }
        self.circuit = circuit;
        self.queue.clear();
        self.obligations.clear();
    }
}
