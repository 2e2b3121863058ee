//! Instances of modules: their parameters and connections.

use super::codes;
use super::declare::{Declared, Declarer, Given, direction_of, with_suggestion};
use super::frame::Frame;
use super::scope::{Constant, Element, Entry, Process, ScopeId, SignalKind};
use super::syntax::*;
use super::types::Type;
use crate::design::expression::is_pattern;
use crate::design::suggest::did_you_mean;
use crate::expr::{Expr, ExprKind};
use crate::source::{Diagnostic, Span};
use std::borrow::Cow;
use std::collections::HashMap;

/// Instances of one array.
const MOST_INSTANCES: usize = 1 << 14;

impl<'s> Declarer<'_, 's> {
    pub(super) fn instance(&mut self, instance: &'s Instance, scope: ScopeId) -> Declared<()> {
        let Some(&module) = self.tables.modules.get(instance.module.text.as_str()) else {
            let mut left_out = self.tables.left_out.iter();
            if let Some(own) = left_out.find(|one| one.name.text == instance.module.text) {
                return Err(own.problem.clone());
            }
            let message = format!("there is no module `{}`", instance.module.text);
            let known: Vec<&str> = self.tables.modules.keys().copied().collect();
            let diagnostic = Diagnostic::error(codes::UNKNOWN_MODULE, message)
                .at(instance.module.span, "instantiated here");
            return Err(with_suggestion(diagnostic, &instance.module.text, &known));
        };
        for single in &instance.instances {
            let Some(dimension) = &single.dimension else {
                let name = single.name.clone();
                self.single_instance(module, instance, single, name, scope, None)?;
                continue;
            };
            let (left, right) = self.unpacked(dimension, scope)?;
            let count = left.abs_diff(right) as usize;
            let count = count.saturating_add(1);
            if count > MOST_INSTANCES {
                let message = format!("an array of {count} instances is too big");
                return Err(Diagnostic::error(codes::TOO_BIG, message)
                    .at(dimension.span, format!("the most is {MOST_INSTANCES}")));
            }
            if module.is_interface {
                self.add(scope, &single.name, Entry::ScopeArray(left, right))?;
            }
            for position in 0..count {
                let index = match left >= right {
                    true => right + position as i64,
                    false => right - position as i64,
                };
                let name = Identifier {
                    text: format!("{}[{index}]", single.name.text),
                    span: single.name.span,
                };
                let element = Some(Element { position, count });
                self.single_instance(module, instance, single, name, scope, element)?;
            }
        }
        Ok(())
    }

    fn single_instance(
        &mut self,
        module: &'s Module,
        instance: &'s Instance,
        single: &'s SingleInstance,
        name: Identifier,
        scope: ScopeId,
        element: Option<Element>,
    ) -> Declared<()> {
        self.tables.limits.poll()?;
        let mut given = Given::default();
        self.given_parameters(module, &instance.parameters, scope, &mut given)?;
        let inner = self.tables.add_scope(scope, &name.text, true);
        self.add(scope, &name, Entry::Scope(inner))?;
        let path = self.tables.scope(inner).path.join(".");
        self.tables.observers.note_instance(module, name.span, path);
        self.interfaces(module, single, scope, inner)?;
        self.module(module, inner, given)?;
        for port in &module.ports {
            // An input of an instance is driven from outside.
            if let Some(Entry::Signal(id)) = self.tables.scope(inner).entries.get(&port.text) {
                let id = *id;
                if self.tables.signal(id).kind == SignalKind::Input {
                    self.tables.signals[id.0].kind = SignalKind::Logic;
                }
            }
        }
        let joined = Joined {
            module,
            outer: scope,
            inner,
            element,
        };
        self.connect(&joined, &single.connections)
    }

    /// What the top module is given from outside, by name.
    pub(super) fn given_to_top(
        &mut self,
        parameters: &[(String, Expr)],
        top: &Module,
        scope: ScopeId,
    ) -> Declared<Given<'s>> {
        let mut given = Given::default();
        for (name, value) in parameters {
            let (bits, signed) = self.constant(scope, value)?;
            let data = Type::vector(bits.len(), signed);
            let span = value.span.unwrap_or(top.name.span);
            given
                .values
                .insert(name.clone(), (Constant { bits, data }, span));
        }
        Ok(given)
    }

    fn given_parameters(
        &mut self,
        module: &'s Module,
        connections: &'s [Connection],
        scope: ScopeId,
        given: &mut Given<'s>,
    ) -> Declared<()> {
        let names = module_parameters(module);
        for (position, connection) in connections.iter().enumerate() {
            let name = match &connection.name {
                Some(name) => name.text.clone(),
                None => match names.get(position) {
                    Some(name) => (*name).to_string(),
                    None => {
                        let message = format!("module `{}` has fewer parameters", module.name.text);
                        return Err(Diagnostic::error(codes::HIERARCHY, message)
                            .at(connection.span, "one too many"));
                    }
                },
            };
            match &connection.value {
                ConnectionValue::Expression(value) => {
                    if let ExprKind::Name(path) = &value.kind
                        && let [one] = path.as_slice()
                        && let Some(Entry::Type(data)) = self.tables.lookup(scope, one)
                    {
                        given.types.insert(name, data.clone());
                        continue;
                    }
                    if is_pattern(value) || is_array(module, &name) {
                        given.shaped.insert(name, (value, scope));
                        continue;
                    }
                    let (bits, signed) = self.constant(scope, value)?;
                    let data = Type::vector(bits.len(), signed);
                    given
                        .values
                        .insert(name, (Constant { bits, data }, connection.span));
                }
                ConnectionValue::Type(data_type) => {
                    let data = self.data_type(data_type, scope)?;
                    given.types.insert(name, data);
                }
                ConnectionValue::Open | ConnectionValue::AllOthers => {}
            }
        }
        Ok(())
    }

    fn connect(&mut self, joined: &Joined<'s>, connections: &'s [Connection]) -> Declared<()> {
        let module = joined.module;
        let mut connected: Vec<&str> = Vec::new();
        let mut others = None;
        for (position, connection) in connections.iter().enumerate() {
            if matches!(connection.value, ConnectionValue::AllOthers) {
                others = Some(connection.span);
                continue;
            }
            let Some(port) = module.port_of(connection, position) else {
                return Err(no_port(module, connection));
            };
            if connected.contains(&port.text.as_str()) {
                let message = format!("the port `{}` is connected twice", port.text);
                return Err(
                    Diagnostic::error(codes::HIERARCHY, message).at(connection.span, "again here")
                );
            }
            connected.push(&port.text);
            if let ConnectionValue::Expression(value) = &connection.value {
                self.connect_port(joined, &port.text, Cow::Borrowed(value), connection.span)?;
            }
        }
        let open = module.ports.iter();
        let open = open.filter(|port| !connected.contains(&port.text.as_str()));
        for port in open {
            match (others, default_of(module, &port.text)) {
                (Some(span), _) => {
                    let value = Cow::Owned(Expr {
                        kind: ExprKind::Name(vec![port.text.clone()]),
                        span: Some(span),
                    });
                    self.connect_port(joined, &port.text, value, span)?;
                }
                (None, Some(value)) => {
                    // The value of a declaration means what it means inside.
                    let inside = Joined {
                        outer: joined.inner,
                        element: None,
                        ..*joined
                    };
                    let span = value.span.unwrap_or(port.span);
                    self.connect_port(&inside, &port.text, Cow::Borrowed(value), span)?;
                }
                (None, None) => {}
            }
        }
        Ok(())
    }

    fn connect_port(
        &mut self,
        joined: &Joined<'s>,
        port: &str,
        value: Cow<'s, Expr>,
        span: Span,
    ) -> Declared<()> {
        let (module, outer, element) = (joined.module, joined.outer, joined.element);
        let Some(Entry::Signal(id)) = self.tables.scope(joined.inner).entries.get(port) else {
            return Ok(());
        };
        let id = *id;
        self.implicit_nets(&value, outer);
        let drives = match direction_of(module, port) {
            Some(Direction::Output) => true,
            Some(Direction::Both) => drives(&self.tables.modules, module, port, 0),
            _ => false,
        };
        let process = match drives {
            true => Process::Output {
                outer,
                target: value,
                port: id,
                element,
                span,
            },
            _ => Process::Input {
                outer,
                value,
                port: id,
                element,
                span,
            },
        };
        self.tables.processes.push(process);
        Ok(())
    }
}

/// An instance between two scopes.
struct Joined<'s> {
    module: &'s Module,
    outer: ScopeId,
    inner: ScopeId,
    element: Option<Element>,
}

fn no_port(module: &Module, connection: &Connection) -> Diagnostic {
    let known: Vec<&str> = module.ports.iter().map(|port| port.text.as_str()).collect();
    let (message, name) = match &connection.name {
        Some(name) => (
            format!("module `{}` has no port `{}`", module.name.text, name.text),
            name.text.as_str(),
        ),
        None => (format!("module `{}` has fewer ports", module.name.text), ""),
    };
    let diagnostic =
        Diagnostic::error(codes::HIERARCHY, message).at(connection.span, "connected here");
    match did_you_mean(name, known.iter().copied()) {
        Some(help) => diagnostic.help(help),
        None => diagnostic.help(format!("its ports are {}", known.join(", "))),
    }
}

impl<'s> Declarer<'_, 's> {
    /// Ports that are interfaces are names of the scope that they are connected to.
    fn interfaces(
        &mut self,
        module: &'s Module,
        single: &'s SingleInstance,
        outer: ScopeId,
        inner: ScopeId,
    ) -> Declared<()> {
        for item in &module.items {
            let ItemKind::InterfacePort {
                name, dimension, ..
            } = &item.kind
            else {
                continue;
            };
            let mut connections = single.connections.iter().enumerate();
            let connection = connections.find_map(|(position, connection)| {
                let port = module.port_of(connection, position)?;
                (port.text == name.text).then_some(connection)
            });
            let mut path = vec![name.text.clone()];
            if let Some(Connection {
                value: ConnectionValue::Expression(value),
                ..
            }) = connection
            {
                path = Frame::constant(self.tables, outer).scope_path(self.design, value)?;
            }
            let span = connection.map_or(single.span, |one| one.span);
            let found = self.connected_scopes(outer, &path, dimension.is_some());
            let Some(found) = found else {
                let what = match dimension {
                    Some(_) => "an array of interfaces",
                    None => "an interface",
                };
                let message = format!("the port `{}` is not connected to {what}", name.text);
                return Err(Diagnostic::error(codes::HIERARCHY, message).at(span, "here"));
            };
            let entries = &mut self.tables.scopes[inner.0].entries;
            for (position, scope) in found.into_iter().enumerate() {
                let key = match dimension {
                    Some(_) => element_key(&name.text, position),
                    None => name.text.clone(),
                };
                entries.insert(key, Entry::Scope(scope));
            }
        }
        Ok(())
    }

    /// The interface that a path leads to, with or without a modport behind it; of an array, all
    /// of them from the left end on.
    fn connected_scopes(
        &self,
        outer: ScopeId,
        path: &[String],
        is_array: bool,
    ) -> Option<Vec<ScopeId>> {
        let (first, rest) = path.split_first()?;
        let mut entry = self.tables.lookup(outer, first)?;
        let mut home = outer;
        let mut name = first;
        for next in rest {
            let Entry::Scope(id) = entry else {
                break;
            };
            let inner = self.tables.scope(*id).entries.get(next);
            let Some(inner @ (Entry::Scope(_) | Entry::ScopeArray(..))) = inner else {
                break;
            };
            (entry, home, name) = (inner, *id, next);
        }
        match (entry, is_array) {
            (Entry::Scope(id), false) => Some(vec![*id]),
            (Entry::ScopeArray(left, right), true) => {
                let count = left.abs_diff(*right) as i64 + 1;
                let step = if left <= right { 1 } else { -1 };
                let elements = (0..count).map(|position| {
                    let element = format!("{name}[{}]", left + position * step);
                    match self.tables.lookup(home, &element) {
                        Some(Entry::Scope(id)) => Some(*id),
                        _ => None,
                    }
                });
                elements.collect()
            }
            _ => None,
        }
    }

    /// The port of a module that is an interface: known by now, unless the module is the top.
    pub(super) fn interface_port(
        &mut self,
        interface: Option<&Identifier>,
        name: &Identifier,
        dimension: Option<&'s Dimension>,
        scope: ScopeId,
    ) -> Declared<()> {
        let is_interface = |module: &&Module| module.is_interface;
        if let Some(interface) = interface
            && let known = self.tables.modules.get(interface.text.as_str())
            && known.copied().filter(is_interface).is_none()
        {
            let message = format!("there is no interface `{}`", interface.text);
            let known = self.tables.modules.keys().copied().collect::<Vec<_>>();
            let diagnostic =
                Diagnostic::error(codes::UNKNOWN_MODULE, message).at(interface.span, "used here");
            return Err(with_suggestion(diagnostic, &interface.text, &known));
        }
        let key = match dimension {
            Some(_) => element_key(&name.text, 0),
            None => name.text.clone(),
        };
        match (self.tables.scope(scope).entries.get(&key), dimension) {
            (Some(Entry::Scope(_)), None) => Ok(()),
            (Some(Entry::Scope(_)), Some(dimension)) => {
                self.interface_elements(name, dimension, scope)
            }
            _ => {
                let message = "an interface as a port of the top module is not supported";
                Err(Diagnostic::error(codes::UNSUPPORTED, message)
                    .at(name.span, "this port")
                    .help("wrap the module in one that has the interface inside"))
            }
        }
    }
}

impl<'s> Declarer<'_, 's> {
    /// Gives the interfaces of an array that is a port the indices that the port has.
    fn interface_elements(
        &mut self,
        name: &Identifier,
        dimension: &'s Dimension,
        scope: ScopeId,
    ) -> Declared<()> {
        let (left, right) = self.unpacked(dimension, scope)?;
        let step = if left <= right { 1 } else { -1 };
        let entries = &mut self.tables.scopes[scope.0].entries;
        let mut count = 0;
        while let Some(entry) = entries.remove(&element_key(&name.text, count)) {
            let index = left + count as i64 * step;
            entries.insert(format!("{}[{index}]", name.text), entry);
            count += 1;
        }
        let own = left.abs_diff(right) as usize + 1;
        if count != own {
            let message = format!(
                "`{}` has {own} interfaces, and {count} are given",
                name.text
            );
            return Err(
                Diagnostic::error(codes::HIERARCHY, message).at(dimension.span, "this array")
            );
        }
        self.add(scope, name, Entry::ScopeArray(left, right))
    }
}

/// An interface of an array, by its position, until the indices of the port are known.
fn element_key(name: &str, position: usize) -> String {
    format!("{name}#{position}")
}

/// Whether a parameter is declared as an array.
fn is_array(module: &Module, name: &str) -> bool {
    let body = module.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Parameter(parameter) => Some(parameter),
        _ => None,
    });
    let mut all = module.parameters.iter().chain(body);
    all.any(|one| one.name.text == name && !one.dimensions.is_empty())
}

/// Whether a module drives one of its ports that may be driven from both sides.
fn drives(modules: &HashMap<&str, &Module>, module: &Module, port: &str, depth: usize) -> bool {
    let mut pending: Vec<&Item> = module.items.iter().collect();
    while let Some(item) = pending.pop() {
        let found = match &item.kind {
            ItemKind::Assign(assignments) => {
                assignments.iter().any(|one| is_part_of(&one.target, port))
            }
            ItemKind::Gate(gate) => gate.outputs.iter().any(|one| is_part_of(one, port)),
            ItemKind::Always(always) => assigns(&always.body, port),
            ItemKind::Instance(instance) => {
                let Some(inner) = modules.get(instance.module.text.as_str()) else {
                    continue;
                };
                let connections = instance.instances.iter().flat_map(|one| {
                    let connections = one.connections.iter().enumerate();
                    connections.filter_map(|(position, one)| {
                        Some((inner.port_of(one, position)?, &one.value))
                    })
                });
                connections.into_iter().any(|(name, value)| match value {
                    ConnectionValue::Expression(value) if is_part_of(value, port) => {
                        match direction_of(inner, &name.text) {
                            Some(Direction::Output) => true,
                            Some(Direction::Both) if depth < 64 => {
                                drives(modules, inner, &name.text, depth + 1)
                            }
                            _ => false,
                        }
                    }
                    _ => false,
                })
            }
            ItemKind::GenerateFor(generate) => {
                pending.extend(&generate.block.items);
                false
            }
            ItemKind::GenerateIf {
                then, otherwise, ..
            } => {
                pending.extend(&then.items);
                pending.extend(otherwise.iter().flat_map(|block| &block.items));
                false
            }
            ItemKind::GenerateCase { items, .. } => {
                pending.extend(items.iter().flat_map(|(_, block)| &block.items));
                false
            }
            ItemKind::GenerateBlock(block) => {
                pending.extend(&block.items);
                false
            }
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// Whether a target is a signal or a part of it.
fn is_part_of(target: &Expr, name: &str) -> bool {
    let mut parts = target.assigned().into_iter();
    parts.any(|part| match &part.kind {
        ExprKind::Name(path) => path.first().is_some_and(|first| first == name),
        ExprKind::Member(base, _) => is_part_of(base, name),
        _ => false,
    })
}

fn assigns(statement: &Statement, name: &str) -> bool {
    let mut pending = vec![statement];
    while let Some(one) = pending.pop() {
        if let StatementKind::Assign { target, .. } = &one.kind
            && is_part_of(target, name)
        {
            return true;
        }
        pending.extend(one.inner());
    }
    false
}

/// The value of an input that is not connected.
fn default_of<'s>(module: &'s Module, port: &str) -> Option<&'s Expr> {
    module.items.iter().find_map(|item| match &item.kind {
        ItemKind::Declaration(declaration) if declaration.direction == Some(Direction::Input) => {
            let mut names = declaration.names.iter();
            names.find(|one| one.name.text == port)?.value.as_ref()
        }
        _ => None,
    })
}

/// The parameters of a module that may be set, in the order of their declaration.
pub(super) fn module_parameters(module: &Module) -> Vec<&str> {
    let body = module.items.iter().filter_map(|item| match &item.kind {
        ItemKind::Parameter(parameter) if module.parameters.is_empty() => Some(parameter),
        _ => None,
    });
    let all = module.parameters.iter().chain(body);
    all.filter(|parameter| !parameter.local)
        .map(|parameter| parameter.name.text.as_str())
        .collect()
}
