//! The smallest of several circuits for one controller.
//!
//! How large the gates of a decision diagram are depends on the order of its variables and on
//! the coding of the states, and nobody knows the best beforehand: so a few are tried.

use super::aig::Aig;
use super::circuit::Controller;
use super::form::Form;
use super::machine::Machine;
use super::tidy::{size, tidied};
use crate::bdd::{Bdd, Limits, Manager, Result, Variable};
use crate::design::{Design, InputKind};
use std::collections::HashMap;

/// Up to this many nodes it is worth while to look for a good order.
const FEW_NODES: usize = 20_000;
/// Up to this many nodes several forms are tried.
const MOST_FORMED: usize = 1_000;
/// Up to this many states each may get a latch of its own.
const FEW_STATES: usize = 12;

impl Machine {
    /// The machine as functions, in several codings; `controller` says of which signals. With
    /// up to so many states each may get a latch of its own: many latches, but next to no gates
    /// to tell states apart, as where a controller waits for one thing after the other.
    pub fn encodings(
        &self,
        controller: &Controller,
        few_states: usize,
        limits: &Limits,
    ) -> Result<Vec<Controller>> {
        let count = self.len();
        let mut spare = Vec::new();
        let mut codings: Vec<Vec<usize>> = vec![(0..count).collect()];
        codings.push((0..count).map(|number| number ^ number >> 1).collect());
        if count <= few_states.min(usize::BITS as usize) {
            codings.push((0..count).map(|number| (1 << number) >> 1).collect());
            codings.push((0..count).map(|number| 1 << number).collect());
        }
        let mut found = Vec::new();
        for codes in codings {
            let own = self.encoded(controller, &codes, &mut spare)?;
            let alone = Manager::new();
            alone.set_limits(limits.clone());
            found.push(own.moved(&alone)?);
        }
        Ok(found)
    }
}

impl Controller {
    /// A controller that does the same with a smaller circuit.
    pub fn smallest(&self, limits: &Limits) -> Result<Controller> {
        let manager = Manager::new();
        manager.set_limits(limits.clone());
        let own = self.moved(&manager)?;
        let mut candidates = vec![own];
        if let Some(machine) = Machine::new(&candidates[0])? {
            let machine = machine.minimized()?;
            let encoded = machine.encodings(&candidates[0], FEW_STATES, limits)?;
            candidates.extend(encoded);
        }
        let sizes = candidates.iter().map(Controller::size);
        let best = sizes.enumerate().min_by_key(|(_, size)| *size);
        let best = best.map_or(0, |(index, _)| index);
        Ok(candidates.swap_remove(best).in_smallest_form())
    }

    /// The same, written in the form that takes the fewest gates.
    fn in_smallest_form(mut self) -> Controller {
        let functions = self.signals.iter().map(|(_, one)| one);
        let functions = functions.chain(self.state.iter().map(|(_, _, next)| next));
        if functions.map(Bdd::size).sum::<usize>() > MOST_FORMED {
            return self;
        }
        let levels = self.state.len() + self.read.len();
        let sizes = Form::all(levels).map(|form| {
            self.form = form;
            let size =
                Aig::of_design(&self.alone(self.inputs())).map_or(usize::MAX, |one| one.size());
            (size, form)
        });
        // Of equally small ones the first, which is the plainest.
        if let Some((_, form)) = sizes.min_by_key(|(size, _)| *size) {
            self.form = form;
        }
        self
    }

    /// The size of the circuit.
    fn size(&self) -> usize {
        size(&tidied(&self.alone(self.inputs())))
    }

    /// So many inputs are enough.
    fn inputs(&self) -> usize {
        let most = self.read.iter().map(|(index, _)| index + 1).max();
        most.unwrap_or(0)
    }

    /// A circuit of its own, with so many inputs and an output for each signal.
    pub fn alone(&self, inputs: usize) -> Design {
        let mut design = Design::new();
        let inputs: Vec<_> = (0..inputs)
            .map(|_| design.add_input(InputKind::Environment))
            .collect();
        for (_, literal) in self.build(&mut design, &inputs) {
            design.add_output(None, literal, None);
        }
        design
    }

    /// The same in a manager of its own, in an order that suits it.
    // Handles are equal if their functions are; the manager behind them has no part in it.
    #[allow(clippy::mutable_key_type)]
    fn moved(&self, manager: &Manager) -> Result<Controller> {
        let Some((_, first)) = self.signals.first() else {
            return Ok(self.clone());
        };
        let mut functions: Vec<&Bdd> = self.signals.iter().map(|(_, one)| one).collect();
        functions.extend(self.state.iter().map(|(_, _, next)| next));
        let mut renamed: HashMap<Variable, Variable> = HashMap::new();
        let mut own: Vec<Variable> = self.state.iter().map(|one| one.0).collect();
        own.extend(self.read.iter().map(|one| one.1));
        for variable in first.manager().order() {
            if own.contains(&variable) {
                renamed.insert(variable, manager.new_variable()?);
            }
        }
        let mut copies: HashMap<Bdd, Bdd> = HashMap::new();
        let mut copied = Vec::new();
        for function in functions {
            copied.push(copy(function, manager, &renamed, &mut copies)?);
        }
        copies.clear();
        let mut copied = copied.into_iter();
        let mut result = Controller {
            signals: Vec::new(),
            state: Vec::new(),
            read: Vec::new(),
            form: Form::default(),
        };
        for (index, _) in &self.signals {
            result
                .signals
                .extend(copied.next().map(|one| (*index, one)));
        }
        for (variable, starts_high, _) in &self.state {
            let next = copied
                .next()
                .map(|one| (renamed[variable], *starts_high, one));
            result.state.extend(next);
        }
        for (index, variable) in &self.read {
            result.read.push((*index, renamed[variable]));
        }
        manager.collect_garbage();
        if manager.statistics().nodes <= FEW_NODES {
            manager.reorder_until_stable()?;
        } else {
            manager.reorder()?;
        }
        Ok(result)
    }
}

/// A function in another manager. The recursion is as deep as there are variables.
// Handles are equal if their functions are; the manager behind them has no part in it.
#[allow(clippy::mutable_key_type)]
fn copy(
    function: &Bdd,
    manager: &Manager,
    renamed: &HashMap<Variable, Variable>,
    known: &mut HashMap<Bdd, Bdd>,
) -> Result<Bdd> {
    if function.is_constant() {
        return Ok(manager.constant(function.is_one()));
    }
    if let Some(copy) = known.get(function) {
        return Ok(copy.clone());
    }
    let Some((variable, low, high)) = function.expand() else {
        return Ok(manager.constant(function.is_one()));
    };
    let low = copy(&low, manager, renamed, known)?;
    let high = copy(&high, manager, renamed, known)?;
    let result = manager.literal(renamed[&variable])?.ite(&high, &low)?;
    known.insert(function.clone(), result.clone());
    Ok(result)
}
