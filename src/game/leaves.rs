//! Latches and inputs as variables, and gates as functions of them.

use super::arena::Arena;
use crate::bdd::{Bdd, Manager, Result, Variable};
use crate::design::{InputKind, Literal, Node, NodeId, Reset};
use std::collections::HashMap;

/// Variables of latches and inputs by what they are, and how latches move.
pub(super) struct Leaves {
    /// Latches that move.
    pub state: Vec<Variable>,
    pub rigid: Vec<Variable>,
    /// Latches that begin with any value.
    pub free: Vec<Variable>,
    pub inputs: Vec<Variable>,
    pub choices: Vec<Variable>,
    /// For each latch of `state` its next value.
    pub next: Vec<(Variable, Bdd)>,
    /// For those that do not begin with any value their first one.
    pub at_reset: Vec<(Variable, Bdd)>,
}

impl Leaves {
    /// `others_at_reset` are first values of latches that are not among the leaves.
    pub fn new(
        leaves: &[NodeId],
        functions: &mut Functions,
        others_at_reset: &[(Variable, Bdd)],
    ) -> Result<Leaves> {
        let (manager, variables) = (functions.manager, functions.variables);
        let mut all = Leaves {
            state: Vec::new(),
            rigid: Vec::new(),
            free: Vec::new(),
            inputs: Vec::new(),
            choices: Vec::new(),
            next: Vec::new(),
            at_reset: Vec::new(),
        };
        let mut computed = Vec::new();
        for id in leaves {
            let variable = variables[id];
            let latch = match functions.arena.design.node(*id) {
                Node::Latch(latch) => latch,
                Node::Input(InputKind::Environment) => {
                    all.inputs.push(variable);
                    continue;
                }
                Node::Input(InputKind::Choice) => {
                    all.choices.push(variable);
                    continue;
                }
                Node::Constant | Node::And(..) => continue,
            };
            if latch.reset == Reset::Choice {
                all.rigid.push(variable);
                continue;
            }
            all.state.push(variable);
            all.next.push((variable, functions.of(latch.next)?));
            match latch.reset {
                Reset::Zero => all.at_reset.push((variable, manager.zero())),
                Reset::One => all.at_reset.push((variable, manager.one())),
                Reset::Computed(literal) => computed.push((variable, functions.of(literal)?)),
                Reset::Free => all.free.push(variable),
                Reset::Choice => {}
            }
        }
        // A reset is computed from the first values of other latches.
        let constants = manager.substitution(&[others_at_reset, &all.at_reset].concat());
        for (variable, function) in computed {
            all.at_reset.push((variable, function.compose(&constants)?));
        }
        Ok(all)
    }

    pub fn extend(&mut self, others: Leaves) {
        self.state.extend(others.state);
        self.rigid.extend(others.rigid);
        self.free.extend(others.free);
        self.inputs.extend(others.inputs);
        self.choices.extend(others.choices);
        self.next.extend(others.next);
        self.at_reset.extend(others.at_reset);
    }
}

/// Functions of gates, built when they are asked for and kept only while a gate that is
/// still to be built reads them.
pub(super) struct Functions<'a> {
    arena: &'a Arena,
    manager: &'a Manager,
    variables: &'a HashMap<NodeId, Variable>,
    known: HashMap<NodeId, Bdd>,
}

impl<'a> Functions<'a> {
    pub fn new(
        arena: &'a Arena,
        manager: &'a Manager,
        variables: &'a HashMap<NodeId, Variable>,
    ) -> Functions<'a> {
        Functions {
            arena,
            manager,
            variables,
            known: HashMap::new(),
        }
    }

    pub fn of(&mut self, literal: Literal) -> Result<Bdd> {
        let mut pending = vec![literal.node()];
        while let Some(&id) = pending.last() {
            if self.known.contains_key(&id) {
                pending.pop();
                continue;
            }
            let function = match self.arena.design.node(id) {
                Node::Constant => self.manager.zero(),
                Node::Input(_) | Node::Latch(_) => self.manager.literal(self.variables[&id])?,
                Node::And(left, right) => {
                    match (self.known.get(&left.node()), self.known.get(&right.node())) {
                        (Some(l), Some(r)) => signed(l, left).and(&signed(r, right))?,
                        (l, r) => {
                            if r.is_none() {
                                pending.push(right.node());
                            }
                            if l.is_none() {
                                pending.push(left.node());
                            }
                            continue;
                        }
                    }
                }
            };
            self.known.insert(id, function);
            pending.pop();
        }
        Ok(signed(&self.known[&literal.node()], literal))
    }
}

fn signed(function: &Bdd, literal: Literal) -> Bdd {
    if literal.is_complemented() {
        function.not()
    } else {
        function.clone()
    }
}
