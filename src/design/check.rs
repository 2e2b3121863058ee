//! Whether a netlist has a meaning: literals in range, no combinational loop, resets that
//! can be computed before the first cycle.

use super::codes;
use super::cone::Reach;
use super::literal::{Literal, NodeId};
use super::netlist::{Design, Node, Reset};
use crate::source::Diagnostic;

/// Gates that feed each other within one cycle; the last one is read by the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CombinationalLoop {
    pub nodes: Vec<NodeId>,
}

/// Loops longer than this are shown by their beginning.
const SHOWN_OF_A_LOOP: usize = 8;

impl CombinationalLoop {
    /// `describe` says how the user knows a node.
    pub fn diagnostic(&self, design: &Design, describe: impl Fn(NodeId) -> String) -> Diagnostic {
        // Gates without names say little to whoever gave names to others.
        let named = self.nodes.iter().filter(|id| design.name(**id).is_some());
        let named: Vec<NodeId> = named.copied().collect();
        let nodes = if named.is_empty() {
            &self.nodes
        } else {
            &named
        };
        let mut shown: Vec<String> = nodes.iter().map(|id| describe(*id)).collect();
        if shown.len() > SHOWN_OF_A_LOOP {
            let left_out = shown.len() - SHOWN_OF_A_LOOP;
            shown.truncate(SHOWN_OF_A_LOOP);
            shown.push(format!("{left_out} more"));
        }
        shown.push(describe(nodes[0]));
        let message = format!("combinational loop: {}", shown.join(" -> "));
        let mut diagnostic = Diagnostic::error(codes::COMBINATIONAL_LOOP, message);
        for id in nodes.iter().take(SHOWN_OF_A_LOOP) {
            if let Some(span) = design.span(*id) {
                diagnostic = diagnostic.at(span, "part of the loop");
            }
        }
        diagnostic.help("break the loop with a register")
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    Open,
    Done,
}

impl Design {
    /// The gates, each after the gates it reads; otherwise in the order of their indices.
    pub fn topological_order(&self) -> Result<Vec<NodeId>, CombinationalLoop> {
        // Most designs were built operands first, and then nothing is left to do.
        let is_sorted = self.gates().all(|id| {
            let operands = self.gate(id);
            operands.is_none_or(|(left, right)| left.node() < id && right.node() < id)
        });
        if is_sorted {
            return Ok(self.gates().collect());
        }
        self.topological_order_from(self.gates())
    }

    /// The same with another order of preference. Gates that are not listed come when they
    /// are first read.
    pub fn topological_order_from(
        &self,
        preference: impl IntoIterator<Item = NodeId>,
    ) -> Result<Vec<NodeId>, CombinationalLoop> {
        let mut progress = vec![Progress::New; self.len()];
        let mut order = Vec::new();
        // Gates under way, each with the number of its operands that were looked at.
        let mut path: Vec<(NodeId, u8)> = Vec::new();
        for start in preference {
            if progress[start.index()] != Progress::New || self.gate(start).is_none() {
                continue;
            }
            progress[start.index()] = Progress::Open;
            path.push((start, 0));
            while let Some((id, looked_at)) = path.last_mut() {
                let Some((left, right)) = self.gate(*id) else {
                    path.pop();
                    continue;
                };
                let operand = match *looked_at {
                    0 => left,
                    1 => right,
                    _ => {
                        progress[id.index()] = Progress::Done;
                        order.push(*id);
                        path.pop();
                        continue;
                    }
                };
                *looked_at += 1;
                let node = operand.node();
                if self.gate(node).is_none() {
                    continue;
                }
                match progress[node.index()] {
                    Progress::Done => {}
                    Progress::New => {
                        progress[node.index()] = Progress::Open;
                        path.push((node, 0));
                    }
                    Progress::Open => {
                        let open = path.iter().map(|(id, _)| *id);
                        let mut nodes: Vec<NodeId> = open.skip_while(|id| *id != node).collect();
                        // The path goes from reader to operand; a loop reads better the
                        // way the signal flows.
                        nodes.reverse();
                        return Err(CombinationalLoop { nodes });
                    }
                }
            }
        }
        Ok(order)
    }

    /// All that must hold of a design before it is simulated, solved or written.
    pub fn check(&self) -> Result<(), Diagnostic> {
        self.checked_order().map(|_| ())
    }

    /// The same, with the gates in a topological order.
    pub fn checked_order(&self) -> Result<Vec<NodeId>, Diagnostic> {
        self.check_ranges()?;
        let order = self
            .topological_order()
            .map_err(|found| found.diagnostic(self, |id| self.describe(id)))?;
        self.check_resets()?;
        Ok(order)
    }

    fn check_ranges(&self) -> Result<(), Diagnostic> {
        let in_range = |literal: Literal, place: &dyn Fn() -> String| {
            if self.contains(literal) {
                return Ok(());
            }
            let message = format!(
                "{} refers to {literal}, but the design has only {} nodes",
                place(),
                self.len()
            );
            Err(Diagnostic::error(codes::LITERAL_OUT_OF_RANGE, message))
        };
        for id in self.node_ids() {
            let place = || self.describe(id);
            match self.node(id) {
                Node::Constant | Node::Input(_) => {}
                Node::And(left, right) => {
                    in_range(left, &place)?;
                    in_range(right, &place)?;
                }
                Node::Latch(latch) => {
                    in_range(latch.next, &place)?;
                    if let Reset::Computed(literal) = latch.reset {
                        in_range(literal, &place)?;
                    }
                }
            }
        }
        for (position, output) in self.outputs().iter().enumerate() {
            in_range(output.literal, &|| format!("output {position}"))?;
        }
        for word in self.words() {
            for bit in &word.bits {
                in_range(*bit, &|| format!("word `{}`", word.name))?;
            }
        }
        Ok(())
    }

    fn check_resets(&self) -> Result<(), Diagnostic> {
        let mut computed = Vec::new();
        for id in self.latches() {
            match self.latch(*id).map(|latch| (latch.reset, latch.next)) {
                Some((Reset::Choice, next)) if next != id.literal() => {
                    let name = self.describe(*id);
                    let message =
                        format!("latch {name} is chosen once, but does not keep its value");
                    return Err(Diagnostic::error(codes::RESET_NOT_KNOWN, message));
                }
                Some((Reset::Computed(literal), _)) => computed.push((*id, literal)),
                _ => {}
            }
        }
        // One cone for all of them; only when it shows a fault is the culprit looked for.
        let literals = computed.iter().map(|(_, literal)| *literal);
        if self.unknown_at_start(literals).is_none() {
            return Ok(());
        }
        for (id, literal) in computed {
            if let Some(dependency) = self.unknown_at_start([literal]) {
                let message = format!(
                    "latch {} starts with a value that depends on {}",
                    self.describe(id),
                    self.describe(dependency)
                );
                return Err(Diagnostic::error(codes::RESET_NOT_KNOWN, message));
            }
        }
        Ok(())
    }

    /// Something these literals depend on that has no value before the first cycle.
    fn unknown_at_start(&self, literals: impl IntoIterator<Item = Literal>) -> Option<NodeId> {
        let cone = self.cone(literals, Reach::Cycle);
        cone.iter().find(|id| match self.node(*id) {
            Node::Input(_) => true,
            Node::Latch(latch) => matches!(latch.reset, Reset::Computed(_)),
            Node::Constant | Node::And(..) => false,
        })
    }
}
