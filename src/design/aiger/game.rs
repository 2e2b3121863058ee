//! A design with choices as a file of the synthesis competition: choices of each cycle are
//! inputs called `controllable_...`.
//!
//! That format has no choice before the first cycle. If the design has rigid choices, one
//! cycle is put in front, as the initial state s0' of the program game (Sec. 4 of the repair
//! paper): in it the system sets the rigid choices through inputs of their own, latches keep
//! their initial values, and nothing counts as bad. The environment's initial values come
//! after that, as inputs of the second cycle, because rigid choices must not depend on them.

use super::{AigerFile, CONTROLLABLE, Layout};
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Reset};
use crate::source::Diagnostic;

impl AigerFile {
    /// The same game with `controllable_...` inputs and with initial values that AIGER has.
    pub fn synthesis_game(&self) -> Result<AigerFile, Diagnostic> {
        self.design.check()?;
        let mut game = self.clone();
        let latches = game.design.latches().to_vec();
        let chosen_once = |id: &NodeId| {
            let reset = self.design.latch(*id).map(|latch| latch.reset);
            matches!(reset, Some(Reset::Choice | Reset::Computed(_)))
        };
        if latches.iter().any(chosen_once) {
            game.add_choosing_cycle(&latches);
        }
        name_choices(&mut game.design);
        // Positions of inputs and latches have moved, so the old order of symbols is void.
        let symbols = std::mem::take(&mut game.layout.symbols);
        if game.design.latches() == self.design.latches() {
            game.layout.symbols = symbols;
        } else {
            game.layout = Layout {
                binary: self.layout.binary,
                ..Layout::default()
            };
        }
        Ok(game)
    }

    fn add_choosing_cycle(&mut self, latches: &[NodeId]) {
        let design = &mut self.design;
        // False in the choosing cycle only; true in the cycle after it only.
        let running = design.add_latch(Reset::Zero);
        let first = design.add_latch(Reset::Zero);
        design.set_name(running, "running");
        design.set_name(first, "first");
        design.set_next(running, Literal::TRUE);
        design.set_next(first, !running.literal());
        let (running, first) = (running.literal(), first.literal());
        for id in latches {
            let Some(latch) = design.latch(*id) else {
                continue;
            };
            let label = match design.name(*id) {
                Some(name) => name.to_string(),
                None => id.to_string(),
            };
            let (condition, stored, initial) = match latch.reset {
                Reset::Zero | Reset::One => {
                    let initial = Literal::constant(latch.reset == Reset::One);
                    let next = design.mux(running, latch.next, initial);
                    design.set_next(*id, next);
                    continue;
                }
                Reset::Choice => {
                    let input = design.add_input(InputKind::Choice);
                    design.set_name(input, label.clone());
                    (!running, id.literal(), input.literal())
                }
                Reset::Free => {
                    let input = design.add_input(InputKind::Environment);
                    design.set_name(input, format!("initial_{label}"));
                    (first, latch.next, input.literal())
                }
                Reset::Computed(literal) => (first, latch.next, literal),
            };
            // The node becomes a gate that reads either the initial value or the storage,
            // so that whatever refers to the latch needs no change.
            let storage = design.add_latch(Reset::Zero);
            design.set_next(storage, stored);
            design.set_name(storage, format!("stored_{label}"));
            let added_since = design.len();
            let value = design.mux(condition, initial, storage.literal());
            design.drive(*id, value, added_since);
        }
        let outputs_are_bad = self.outputs_are_bad();
        for position in 0..self.design.outputs().len() {
            if outputs_are_bad {
                let bad = self.design.outputs()[position].literal;
                let masked = self.design.and(bad, running);
                self.design.set_output(position, masked);
            }
        }
        for bad in &mut self.bad {
            bad.literal = self.design.and(bad.literal, running);
        }
        for constraint in &mut self.constraints {
            constraint.literal = self.design.or(constraint.literal, !running);
        }
    }
}

/// Gives every choice input a name with the prefix, and takes the prefix from every other.
fn name_choices(design: &mut Design) {
    for id in design.inputs().to_vec() {
        let name = match design.name(id) {
            Some(name) => name.to_string(),
            None => id.to_string(),
        };
        let has_prefix = name.starts_with(CONTROLLABLE);
        match design.input_kind(id) {
            Some(InputKind::Choice) if !has_prefix => {
                design.set_name(id, format!("{CONTROLLABLE}{name}"));
            }
            Some(InputKind::Environment) if has_prefix => {
                design.set_name(id, format!("environment_{name}"));
            }
            _ => {}
        }
    }
}
