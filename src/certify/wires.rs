//! Sets of states in Verilog: a wire for each gate, and an expression for the set.

use super::certificate::negated_if;
use super::claim::{StateSets, choice};
use crate::design::{Literal, NodeId};
use std::collections::HashMap;
use std::fmt::Write;

/// Wires for the gates of sets of states, in Verilog.
#[derive(Default)]
pub(super) struct Wires {
    count: usize,
}

impl Wires {
    /// Writes the wires that a set needs; an expression for the set, or `None` if it depends on a
    /// latch that has no name.
    pub fn declare(
        &mut self,
        states: &StateSets,
        latches: &[Option<&str>],
        set: Literal,
        text: &mut String,
    ) -> Option<String> {
        let circuit = &states.circuit;
        let mut names: HashMap<NodeId, String> = HashMap::new();
        let mut pending = vec![set.node()];
        for (id, name) in circuit.inputs().iter().zip(latches) {
            if let Some(name) = name {
                names.insert(*id, (*name).to_owned());
            }
        }
        let expression = |names: &HashMap<NodeId, String>, literal: Literal| {
            if let Some(constant) = literal.as_constant() {
                return Some(format!("1'b{}", u8::from(constant)));
            }
            let name = names.get(&literal.node())?;
            Some(negated_if(literal.is_complemented(), name))
        };
        while let Some(&id) = pending.last() {
            if names.contains_key(&id) || id == NodeId::CONSTANT {
                pending.pop();
                continue;
            }
            let (left, right) = circuit.gate(id)?;
            let choice = choice(circuit, left, right);
            let operands = choice.unwrap_or([left, right, right]);
            let is_missing = |literal: &Literal| {
                let is_known = names.contains_key(&literal.node());
                !is_known && literal.as_constant().is_none()
            };
            let missing: Vec<NodeId> = (operands.iter().copied())
                .filter(is_missing)
                .map(Literal::node)
                .collect();
            if !missing.is_empty() {
                pending.extend(missing);
                continue;
            }
            let [first, second, third] = operands.map(|one| expression(&names, one));
            let (first, second, third) = (first?, second?, third?);
            let value = match choice {
                Some(_) => format!("{first} ? {second} : {third}"),
                None => format!("{first} && {second}"),
            };
            let name = format!("invariant_wire_{}", self.count);
            self.count += 1;
            let _ = writeln!(text, "wire {name} = {value};");
            names.insert(id, name);
            pending.pop();
        }
        expression(&names, set)
    }
}
