//! The circuit itself, as opposed to logic that only observes it for a property.

use super::cone::{NodeSet, Reach};
use super::literal::{Literal, NodeId};
use super::netlist::{Design, Node, Output};
use super::reserved::CONDITION_PREFIX;

impl Design {
    /// What the circuit itself consists of: all that outputs depend on. If the outputs are
    /// themselves properties (`outputs_are_plain` is false), or if there is no logic behind
    /// them, nothing tells state from monitors, and all that latches depend on counts.
    pub fn real_cone(&self, outputs_are_plain: bool) -> NodeSet {
        if outputs_are_plain {
            let outputs = self.outputs().iter().filter(|output| !is_condition(output));
            let outputs = outputs.map(|output| output.literal);
            let cone = self.cone(outputs, Reach::Run);
            let is_logic = |id: NodeId| matches!(self.node(id), Node::And(..) | Node::Latch(_));
            if cone.iter().any(is_logic) {
                return cone;
            }
        }
        let latches = self.latches().iter().map(|id| id.literal());
        self.cone(latches, Reach::Run)
    }

    /// Hides from corrections what exists only for properties: what these literals and the
    /// conditions of properties depend on, and the circuit itself does not.
    pub fn hide_observers(&mut self, observed: impl IntoIterator<Item = Literal>, real: &NodeSet) {
        let conditions = self.outputs().iter().filter(|output| is_condition(output));
        let conditions = conditions.map(|output| output.literal);
        let observed: Vec<Literal> = observed.into_iter().chain(conditions).collect();
        let observing = self.cone(observed, Reach::Run);
        let hidden = observing.iter().filter(|id| !real.contains(*id));
        let hidden: Vec<NodeId> = hidden.filter(|id| *id != NodeId::CONSTANT).collect();
        for id in hidden {
            self.set_hidden(id, true);
        }
    }
}

/// Whether an output is there for a property that a front end read.
fn is_condition(output: &Output) -> bool {
    let name = output.name.as_deref().unwrap_or_default();
    name.starts_with(CONDITION_PREFIX)
}
