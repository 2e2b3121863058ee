//! What only serves assertions. It is taken to be right, and is not edited.

use super::{Lister, SplitNames};
use crate::design::verilog::VisibleKind;
use crate::design::verilog::observers::{asserts, outputs};
use crate::design::verilog::syntax::*;
use crate::expr::{Expr, ExprKind};
use crate::stack;
use std::collections::{HashMap, HashSet};

/// Who uses an output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Nobody,
    Assertions,
    Design,
}

/// Where a module is instantiated: the module around it, and whether the instance observes.
type Places<'a> = HashMap<&'a str, Vec<(&'a str, bool)>>;

impl<'a> Lister<'a> {
    /// The modules that are there for assertions, with all of their text: monitors, reference
    /// models, what is bound, and what only these instantiate.
    pub(super) fn observing_modules(&mut self, split: &'a SplitNames<'a>) -> HashSet<&'a str> {
        let tree = self.tree;
        let mut places = Places::new();
        let mut observing: HashSet<&str> = HashSet::new();
        for module in &tree.modules {
            let Some((checking, names)) = split.get(&module.name.text) else {
                // Directives that bind may stand in modules that are no part of the design.
                let is_bind = |item: &&Item| matches!(item.kind, ItemKind::Bind(_));
                for item in module.items.iter().filter(is_bind) {
                    self.note_places(std::slice::from_ref(item), "", &mut places);
                }
                continue;
            };
            let is_checked = |port: &str| checking.iter().any(|one| one.name == port);
            let mut ports = outputs(module).peekable();
            let is_model = ports.peek().is_some() && ports.all(is_checked);
            let reads_only = outputs(module).next().is_none();
            let is_port = |name: &str| module.ports.iter().any(|port| port.text == name);
            let has_own = names.iter().any(|name| {
                let is_input = reads_only && is_port(&name.name);
                !is_input && !matches!(name.kind, VisibleKind::Input | VisibleKind::Constant(_))
            });
            // Without names of its own, a module that asserts may yet be the frame of a design.
            let is_leaf = || {
                !module
                    .items
                    .iter()
                    .any(|item| matches!(item.kind, ItemKind::Instance(_)))
            };
            let is_monitor =
                !checking.is_empty() || (reads_only && is_leaf() && asserts(&module.items));
            if is_model || (is_monitor && !has_own) {
                observing.insert(&module.name.text);
            }
            self.checking = checking.iter().map(|one| one.name.as_str()).collect();
            self.note_places(&module.items, &module.name.text, &mut places);
        }
        loop {
            let known = observing.len();
            for (module, places) in &places {
                let mut places = places.iter();
                if places.all(|(around, observes)| *observes || observing.contains(around)) {
                    observing.insert(module);
                }
            }
            if observing.len() == known {
                return observing;
            }
        }
    }

    fn note_places(&self, items: &'a [Item], around: &'a str, places: &mut Places<'a>) {
        stack::recurse(|| {
            for item in items {
                match &item.kind {
                    ItemKind::Instance(instance) => {
                        let module = instance.module.text.as_str();
                        for single in &instance.instances {
                            let observes = self.is_reference(module, single);
                            places.entry(module).or_default().push((around, observes));
                        }
                    }
                    ItemKind::Bind(bind) => {
                        let module = bind.instance.module.text.as_str();
                        places.entry(module).or_default().push((around, true));
                    }
                    ItemKind::GenerateFor(generate) => {
                        self.note_places(&generate.block.items, around, places);
                    }
                    ItemKind::GenerateIf {
                        then, otherwise, ..
                    } => {
                        for block in std::iter::once(then).chain(otherwise) {
                            self.note_places(&block.items, around, places);
                        }
                    }
                    ItemKind::GenerateCase { items, .. } => {
                        for (_, block) in items {
                            self.note_places(&block.items, around, places);
                        }
                    }
                    ItemKind::GenerateBlock(block) => {
                        self.note_places(&block.items, around, places);
                    }
                    _ => {}
                }
            }
        });
    }
}

impl Lister<'_> {
    /// Whether only assertions depend on the target of an assignment.
    pub(super) fn is_checking(&self, target: &Expr) -> bool {
        let mut parts = target.assigned().into_iter();
        parts.all(|part| match &part.kind {
            ExprKind::Name(path) => path
                .first()
                .is_some_and(|name| self.checking.contains(name.as_str())),
            _ => false,
        })
    }

    /// Whether an instance has no output that anything but assertions depends on. Instances of
    /// modules that are not known are taken for parts of the design.
    pub(super) fn only_observes(&self, module: &str, instance: &SingleInstance) -> bool {
        let outputs = self.outputs_of(module, instance);
        outputs.is_some_and(|outputs| outputs.iter().all(|one| *one != Use::Design))
    }

    /// The same for one with an output that assertions depend on: a module whose outputs nobody
    /// reads may be a design that asserts something itself.
    fn is_reference(&self, module: &str, instance: &SingleInstance) -> bool {
        let outputs = self.outputs_of(module, instance);
        outputs.is_some_and(|outputs| {
            outputs.contains(&Use::Assertions) && !outputs.contains(&Use::Design)
        })
    }

    /// Who uses each output of an instance; `None` if its module is not known.
    fn outputs_of(&self, module: &str, instance: &SingleInstance) -> Option<Vec<Use>> {
        let mut modules = self.tree.modules.iter();
        let module = modules.find(|one| one.name.text == module)?;
        let connected = |port: &str| {
            let mut connections = instance.connections.iter().enumerate();
            let (_, connection) = connections.find(|(position, one)| match &one.name {
                Some(name) => name.text == port,
                None => module
                    .ports
                    .get(*position)
                    .is_some_and(|own| own.text == port),
            })?;
            Some(&connection.value)
        };
        let user = |port: &str| {
            let checks = match connected(port) {
                Some(ConnectionValue::Open) => return Use::Nobody,
                Some(ConnectionValue::Expression(value)) => self.is_checking(value),
                // `.*`, and ports that are not listed.
                _ => self.checking.contains(port),
            };
            match checks {
                true => Use::Assertions,
                false => Use::Design,
            }
        };
        Some(outputs(module).map(user).collect())
    }

    /// Whether a statement asserts something and does nothing else: its conditions say when
    /// it is asserted.
    pub(super) fn only_checks(&self, statement: &Statement) -> bool {
        let mut asserts = false;
        self.has_no_effect(statement, &mut asserts) && asserts
    }

    fn has_no_effect(&self, statement: &Statement, asserts: &mut bool) -> bool {
        stack::recurse(|| match &statement.kind {
            StatementKind::Nothing | StatementKind::SystemTask => true,
            StatementKind::Assertion(_) => {
                *asserts = true;
                true
            }
            StatementKind::Block { statements, .. } => statements
                .iter()
                .all(|statement| self.has_no_effect(statement, asserts)),
            StatementKind::If {
                then, otherwise, ..
            } => {
                self.has_no_effect(then, asserts)
                    && otherwise
                        .as_ref()
                        .is_none_or(|statement| self.has_no_effect(statement, asserts))
            }
            StatementKind::Case { items, .. } => items
                .iter()
                .all(|item| self.has_no_effect(&item.body, asserts)),
            StatementKind::For { body, .. }
            | StatementKind::While(_, body)
            | StatementKind::DoWhile(body, _)
            | StatementKind::Repeat(_, body) => self.has_no_effect(body, asserts),
            StatementKind::Assign { target, .. } => self.is_checking(target),
            StatementKind::Call(..)
            | StatementKind::Return(_)
            | StatementKind::Break
            | StatementKind::ReadMemory(_)
            | StatementKind::Continue => false,
        })
    }
}
