//! Declarations: from modules to flat tables.
//!
//! Nothing is computed here but constants. Processes are noted with the scope that they run
//! in; [`super::process`] runs them when everything is declared.

use super::codes;
use super::declare_types::WIDEST;
use super::frame::Frame;
use super::instances::module_parameters;
use super::scope::{
    Constant, Entry, Process, RoutineInfo, ScopeId, Signal, SignalId, SignalKind, Tables,
};
use super::syntax::*;
use super::types::Type;
use crate::design::expression::Elaborator;
use crate::design::literal::Literal;
use crate::design::netlist::Design;
use crate::design::suggest::did_you_mean;
use crate::design::words::{self, Bits};
use crate::expr::{BinaryOp, Expr, ExprKind, Number, UnaryOp};
use crate::source::{Diagnostic, Span};
use crate::stack;
use std::borrow::Cow;
use std::collections::HashMap;

pub(super) type Declared<T> = Result<T, Diagnostic>;

/// Instances inside each other.
const DEEPEST: usize = 64;
/// Bits of all signals.
const MOST_BITS: usize = 1 << 18;

/// What the instance of a module is given from outside.
#[derive(Default)]
pub struct Given<'s> {
    pub values: HashMap<String, (Constant, Span)>,
    pub types: HashMap<String, Type>,
    /// Values that take their shape from the type of the parameter: patterns and arrays, with
    /// the scope that their names mean something in.
    pub shaped: HashMap<String, (&'s Expr, ScopeId)>,
}

pub struct Declarer<'t, 's> {
    pub design: &'t mut Design,
    pub tables: &'t mut Tables<'s>,
    /// `defparam`s by the full name of the parameter.
    pub defined: HashMap<String, (Constant, Span)>,
    bits: usize,
}

impl<'t, 's> Declarer<'t, 's> {
    pub fn new(design: &'t mut Design, tables: &'t mut Tables<'s>) -> Declarer<'t, 's> {
        Declarer {
            design,
            tables,
            defined: HashMap::new(),
            bits: 0,
        }
    }

    /// The scope of a routine with its arguments, variables and, for a function, its result.
    pub fn routine(&mut self, routine: &'s Routine, scope: ScopeId) -> Declared<RoutineInfo> {
        let inner = self.tables.add_scope(scope, &routine.name.text, false);
        let start = self.tables.signals.len();
        let mut arguments = Vec::new();
        for argument in &routine.arguments {
            let data = self.data_type(&argument.data_type, scope)?;
            let id = self.signal(&argument.name, data, inner, SignalKind::Local)?;
            arguments.push((argument.direction, id));
        }
        let mut result = None;
        if let Some(data_type) = &routine.result {
            let data = self.data_type(data_type, scope)?;
            result = Some(self.signal(&routine.name, data, inner, SignalKind::Local)?);
        }
        let first = self.tables.signals.len();
        self.items(&routine.declarations, inner)?;
        for statement in &routine.body {
            self.blocks(statement, inner)?;
        }
        for signal in &mut self.tables.signals[first..] {
            signal.kind = SignalKind::Local;
        }
        Ok(RoutineInfo {
            scope: inner,
            arguments,
            result,
            locals: (start, self.tables.signals.len()),
        })
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, scope: ScopeId, expr: &Expr) -> Declared<(Bits, bool)> {
        let mut frame = Frame::constant(self.tables, scope);
        let (bits, signed) = Elaborator::new(self.design, &mut frame).self_determined(expr)?;
        // An unknown digit of a number is a constant, too.
        let is_unknown = |bit: &Literal| self.tables.unknowns.contains(&bit.node());
        let mut varying = bits.iter().filter(|bit| bit.as_constant().is_none());
        if varying.any(|bit| !is_unknown(bit)) {
            return Err(not_constant(expr));
        }
        Ok((bits, signed))
    }

    pub(super) fn integer(&mut self, scope: ScopeId, expr: &Expr) -> Declared<i64> {
        let (bits, signed) = self.constant(scope, expr)?;
        words::constant_value(&bits, signed).ok_or_else(|| not_constant(expr))
    }

    /// Declares the items of a package.
    pub fn package(&mut self, module: &'s Module, scope: ScopeId) -> Declared<()> {
        self.tables
            .packages
            .insert(module.name.text.as_str(), scope);
        self.items(&module.items, scope)
    }

    /// Declares a module and all that it instantiates.
    pub fn module(
        &mut self,
        module: &'s Module,
        scope: ScopeId,
        mut given: Given<'s>,
    ) -> Declared<()> {
        if self.tables.depth >= DEEPEST {
            return Err(Diagnostic::error(
                codes::HIERARCHY,
                format!("module `{}` contains itself", module.name.text),
            )
            .at(module.name.span, "instantiated again and again"));
        }
        self.tables.depth += 1;
        self.tables.scopes[scope.0].module = Some(module.name.text.as_str());
        self.tables
            .instances
            .entry(module.name.text.as_str())
            .or_default()
            .push(scope);
        self.routines(&module.items, scope)?;
        self.collect_defined_parameters(&module.items, scope)?;
        for parameter in &module.parameters {
            self.parameter(parameter, scope, &mut given)?;
        }
        self.module_items(module, scope, &mut given)?;
        let values = given
            .values
            .into_iter()
            .map(|(name, (_, span))| (name, span));
        let shaped = given.shaped.into_iter();
        let shaped = shaped.map(|(name, (value, _))| (name, value.span.unwrap_or(module.end)));
        if let Some((name, span)) = values.chain(shaped).next() {
            let names = module_parameters(module);
            let message = format!("module `{}` has no parameter `{name}`", module.name.text);
            let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message).at(span, "given here");
            return Err(with_suggestion(diagnostic, &name, &names));
        }
        for port in &module.ports {
            let entry = self.tables.scope(scope).entries.get(&port.text);
            let declared = match entry {
                Some(Entry::Signal(id)) => self.tables.signal(*id).is_port,
                // A port that is an interface, or an array of them.
                Some(Entry::Scope(_) | Entry::ScopeArray(..)) => true,
                _ => false,
            };
            if !declared {
                let message = format!("the port `{}` is not declared", port.text);
                return Err(Diagnostic::error(codes::UNKNOWN_NAME, message)
                    .at(port.span, "neither an input nor an output"));
            }
        }
        self.tables.depth -= 1;
        Ok(())
    }

    /// The items in their order. Where a port of the header needs a parameter of the body, as
    /// old texts have it, all parameters come before it.
    fn module_items(
        &mut self,
        module: &'s Module,
        scope: ScopeId,
        given: &mut Given<'s>,
    ) -> Declared<()> {
        let mut are_parameters_known = false;
        for item in &module.items {
            if let ItemKind::Parameter(parameter) = &item.kind {
                if !are_parameters_known {
                    self.parameter(parameter, scope, given)?;
                }
                continue;
            }
            let is_port = matches!(&item.kind, ItemKind::Declaration(declaration)
                if declaration.direction.is_some());
            match self.item(item, scope) {
                Err(problem)
                    if is_port && !are_parameters_known && problem.code == codes::UNKNOWN_NAME =>
                {
                    let entries = &self.tables.scope(scope).entries;
                    let rest = module.items.iter().filter_map(|item| match &item.kind {
                        ItemKind::Parameter(one) => Some(one),
                        _ => None,
                    });
                    let rest = rest.filter(|one| !entries.contains_key(&one.name.text));
                    let rest: Vec<&'s Parameter> = rest.collect();
                    if rest.is_empty() {
                        return Err(problem);
                    }
                    for parameter in rest {
                        self.parameter(parameter, scope, given)?;
                    }
                    are_parameters_known = true;
                    self.item(item, scope)?;
                }
                declared => declared?,
            }
        }
        Ok(())
    }

    fn routines(&mut self, items: &'s [Item], scope: ScopeId) -> Declared<()> {
        for item in items {
            if let ItemKind::Routine(routine) = &item.kind {
                self.add(scope, &routine.name, Entry::Routine(routine, scope))?;
            }
        }
        Ok(())
    }

    pub fn items(&mut self, items: &'s [Item], scope: ScopeId) -> Declared<()> {
        self.routines(items, scope)?;
        for item in items {
            self.item(item, scope)?;
        }
        Ok(())
    }

    fn item(&mut self, item: &'s Item, scope: ScopeId) -> Declared<()> {
        self.tables.limits.poll()?;
        match &item.kind {
            // Instances are bound when all others are there.
            ItemKind::Nothing | ItemKind::DefineParameter(..) | ItemKind::Bind(_) => Ok(()),
            ItemKind::ElaborationError => {
                let message = "the design says itself that it is wrong";
                Err(Diagnostic::error(codes::HIERARCHY, message)
                    .at(item.span, "reached with these parameters")
                    .help("set the parameters that it is about"))
            }
            ItemKind::InterfacePort {
                interface,
                name,
                dimension,
            } => self.interface_port(interface.as_ref(), name, dimension.as_ref(), scope),
            ItemKind::Parameter(parameter) => {
                self.parameter(parameter, scope, &mut Given::default())
            }
            ItemKind::Declaration(declaration) => self.declaration(declaration, scope),
            ItemKind::TypeDefinition(name, data_type, dimensions) => {
                let mut data = self.data_type(data_type, scope)?;
                self.add_dimensions(&mut data, dimensions, scope)?;
                self.add(scope, name, Entry::Type(data))
            }
            ItemKind::Assign(assignments) => {
                for assignment in assignments {
                    self.implicit_nets(&assignment.target, scope);
                    self.tables.processes.push(Process::Assign {
                        scope,
                        target: Cow::Borrowed(&assignment.target),
                        value: Cow::Borrowed(&assignment.value),
                        span: assignment.span,
                    });
                }
                Ok(())
            }
            ItemKind::Gate(gate) => {
                self.gate(gate, scope);
                Ok(())
            }
            ItemKind::Always(always) => {
                self.blocks(&always.body, scope)?;
                self.tables
                    .processes
                    .push(Process::Always { scope, always });
                Ok(())
            }
            ItemKind::Initial(body) => {
                self.blocks(body, scope)?;
                self.tables.processes.push(Process::Initial { scope, body });
                Ok(())
            }
            // Known since the start of the scope: a constant may call it before it is declared.
            ItemKind::Routine(_) => Ok(()),
            ItemKind::Instance(instance) => self.instance(instance, scope),
            ItemKind::GenerateFor(generate) => self.generate_for(generate, scope, item.span),
            ItemKind::GenerateIf {
                condition,
                then,
                otherwise,
            } => {
                self.tables.scopes[scope.0].generated += 1;
                let (bits, _) = self.constant(scope, condition)?;
                let holds = bits.iter().any(|bit| bit.as_constant() == Some(true));
                let chosen = if holds {
                    Some(then)
                } else {
                    otherwise.as_ref()
                };
                match chosen {
                    Some(block) => self.generate_block(block, scope, None),
                    None => Ok(()),
                }
            }
            ItemKind::GenerateCase { selector, items } => {
                self.generate_case(selector, items, scope)
            }
            ItemKind::GenerateBlock(block) => self.generate_block(block, scope, None),
            ItemKind::Import(package, name) => self.import(package, name.as_ref(), scope),
            ItemKind::Assertion(assertion) => {
                let process = Process::Assertion { scope, assertion };
                self.tables.processes.push(process);
                Ok(())
            }
            ItemKind::PropertyDeclaration(declaration) => {
                let entry = Entry::Property(declaration, scope);
                self.add(scope, &declaration.name, entry)
            }
            ItemKind::Let(declaration) => {
                self.tables.has_shorthands = true;
                let entry = Entry::Let(declaration, scope);
                self.add(scope, &declaration.name, entry)
            }
            ItemKind::DefaultClocking(edge) => {
                self.tables.defaults.entry(scope).or_default().clock = Some(edge);
                Ok(())
            }
            ItemKind::DefaultDisable(condition) => {
                self.tables.defaults.entry(scope).or_default().disable = Some(condition);
                Ok(())
            }
        }
    }

    /// A gate drives each of its outputs.
    fn gate(&mut self, gate: &'s Gate, scope: ScopeId) {
        for terminal in gate.outputs.iter().chain(&gate.inputs) {
            self.implicit_nets(terminal, scope);
        }
        for output in &gate.outputs {
            self.tables.processes.push(Process::Assign {
                scope,
                target: Cow::Borrowed(output),
                value: Cow::Owned(value_of_gate(gate)),
                span: gate.span,
            });
        }
    }

    fn import(
        &mut self,
        package: &Identifier,
        name: Option<&Identifier>,
        scope: ScopeId,
    ) -> Declared<()> {
        let Some(&from) = self.tables.packages.get(package.text.as_str()) else {
            let message = format!("there is no package `{}`", package.text);
            let known: Vec<&str> = self.tables.packages.keys().copied().collect();
            let diagnostic =
                Diagnostic::error(codes::UNKNOWN_NAME, message).at(package.span, "imported here");
            return Err(with_suggestion(diagnostic, &package.text, &known));
        };
        let entries = self.tables.scope(from).entries.clone();
        for (key, entry) in entries {
            if name.is_none_or(|name| name.text == key) {
                let target = &mut self.tables.scopes[scope.0].entries;
                target.entry(key).or_insert(entry);
            }
        }
        if let Some(name) = name
            && !self
                .tables
                .scope(scope)
                .entries
                .contains_key(name.text.as_str())
        {
            let message = format!("package `{}` has no `{}`", package.text, name.text);
            return Err(
                Diagnostic::error(codes::UNKNOWN_NAME, message).at(name.span, "imported here")
            );
        }
        Ok(())
    }

    /// Scopes for the blocks of a statement that declare something.
    pub fn blocks(&mut self, statement: &'s Statement, scope: ScopeId) -> Declared<()> {
        stack::recurse(|| match &statement.kind {
            StatementKind::Block {
                name,
                declarations,
                statements,
            } => {
                let mut inner = scope;
                if !declarations.is_empty() {
                    let label = match name {
                        Some(name) => name.text.clone(),
                        None => format!("block{}", statement.span.start),
                    };
                    inner = self.tables.add_scope(scope, &label, false);
                    self.tables
                        .blocks
                        .insert((std::ptr::from_ref(statement), scope), inner);
                    self.tables.scopes[scope.0]
                        .entries
                        .insert(label, Entry::Scope(inner));
                    self.items(declarations, inner)?;
                }
                for one in statements {
                    self.blocks(one, inner)?;
                }
                Ok(())
            }
            StatementKind::If {
                then, otherwise, ..
            } => {
                self.blocks(then, scope)?;
                match otherwise {
                    Some(otherwise) => self.blocks(otherwise, scope),
                    None => Ok(()),
                }
            }
            StatementKind::Case { items, .. } => {
                for item in items {
                    self.blocks(&item.body, scope)?;
                }
                Ok(())
            }
            StatementKind::For {
                declares,
                start,
                body,
                ..
            } => {
                let inner = self.body_scope(statement, declares.as_ref(), start, scope)?;
                self.blocks(body, inner)
            }
            StatementKind::While(_, body)
            | StatementKind::DoWhile(body, _)
            | StatementKind::Repeat(_, body) => self.blocks(body, scope),
            _ => Ok(()),
        })
    }

    /// The scope of a loop's body: one of its own if the loop declares its variable. A
    /// variable that is declared outside becomes local to the process.
    fn body_scope(
        &mut self,
        statement: &'s Statement,
        declares: Option<&'s DataType>,
        start: &'s Statement,
        scope: ScopeId,
    ) -> Declared<ScopeId> {
        let mut inner = scope;
        let variable = match &start.kind {
            StatementKind::Assign { target, .. } => simple_name(target),
            _ => None,
        };
        match (declares, variable) {
            (Some(data_type), Some(variable)) => {
                let label = format!("for{}", statement.span.start);
                inner = self.tables.add_scope(scope, &label, false);
                self.tables
                    .blocks
                    .insert((std::ptr::from_ref(statement), scope), inner);
                let data = self.data_type(data_type, scope)?;
                let name = Identifier {
                    text: variable.to_string(),
                    span: start.span,
                };
                self.signal(&name, data, inner, SignalKind::Local)?;
            }
            (None, Some(variable)) => {
                if let Some(Entry::Signal(id)) = self.tables.lookup(scope, variable) {
                    let id = *id;
                    let signal = &mut self.tables.signals[id.0];
                    signal.is_loop_variable |= signal.kind != SignalKind::Local;
                    signal.kind = SignalKind::Local;
                }
            }
            _ => {}
        }
        Ok(inner)
    }

    fn declaration(&mut self, declaration: &'s Declaration, scope: ScopeId) -> Declared<()> {
        for declarator in &declaration.names {
            if declaration.is_genvar {
                continue;
            }
            let mut data = match &declaration.data_type {
                Some(data_type) => self.data_type(data_type, scope)?,
                None => Type::bit(),
            };
            self.add_dimensions(&mut data, &declarator.dimensions, scope)?;
            let name = &declarator.name;
            let known = self.tables.scope(scope).entries.get(&name.text).cloned();
            let id = match known {
                // `output q; reg q;`
                Some(Entry::Signal(id)) if self.completes(id, declaration) => {
                    let signal = &mut self.tables.signals[id.0];
                    if signal.data == Type::bit() {
                        let width = data.width();
                        signal.drivers = vec![None; width];
                        signal.initial = vec![None; width];
                        signal.data = data;
                    } else if declaration.data_type.is_some()
                        && data.packed != signal.data.packed
                        && data != Type::bit()
                    {
                        let message = format!("`{}` is declared with two sizes", name.text);
                        return Err(Diagnostic::error(codes::REPEATED_NAME, message)
                            .at(name.span, "the second")
                            .at(signal.span, "the first"));
                    }
                    signal.is_net = declaration.is_net;
                    signal.is_port |= declaration.direction.is_some();
                    id
                }
                _ => {
                    let id = self.signal(name, data, scope, SignalKind::Logic)?;
                    self.tables.signals[id.0].is_net = declaration.is_net;
                    id
                }
            };
            let signal = &mut self.tables.signals[id.0];
            signal.resolution = declaration.resolution.or(signal.resolution);
            signal.free = declaration.free.or(signal.free);
            if let Some(direction) = declaration.direction {
                self.tables.signals[id.0].is_port = true;
                if direction == Direction::Input {
                    self.tables.signals[id.0].kind = SignalKind::Input;
                }
            }
            // A variable of a two-state type starts at 0 (IEEE 1800-2017, 6.8).
            let signal = &mut self.tables.signals[id.0];
            if signal.data.two_state && !signal.is_net {
                signal.initial.fill(Some(false));
            }
            // The value of an input is what it has where it is not connected.
            let is_input = declaration.direction == Some(Direction::Input);
            if let (Some(value), false) = (&declarator.value, is_input) {
                self.initial_value(id, declaration.is_net, name, value, scope)?;
            }
        }
        Ok(())
    }

    /// Dimensions behind a name come before those of its type.
    pub(super) fn add_dimensions(
        &mut self,
        data: &mut Type,
        dimensions: &'s [Dimension],
        scope: ScopeId,
    ) -> Declared<()> {
        for (index, dimension) in dimensions.iter().enumerate() {
            let range = self.unpacked(dimension, scope)?;
            data.unpacked.insert(index, range);
        }
        Ok(())
    }

    /// Whether this declares more about a port that is known by its direction only.
    fn completes(&self, id: SignalId, declaration: &Declaration) -> bool {
        let signal = self.tables.signal(id);
        signal.is_port && declaration.direction.is_none()
            || !signal.is_port && declaration.direction.is_some()
    }

    fn initial_value(
        &mut self,
        id: SignalId,
        is_net: bool,
        name: &'s Identifier,
        value: &'s Expr,
        scope: ScopeId,
    ) -> Declared<()> {
        if is_net {
            // The declaration of a net is also a continuous assignment.
            let target = Expr {
                kind: ExprKind::Name(vec![name.text.clone()]),
                span: Some(name.span),
            };
            self.tables.processes.push(Process::Assign {
                scope,
                target: Cow::Owned(target),
                value: Cow::Borrowed(value),
                span: value.span.map_or(name.span, |span| name.span.to(span)),
            });
            return Ok(());
        }
        let data = self.tables.signal(id).data.clone();
        let mut frame = Frame::initial(self.tables, scope);
        let bits = frame.typed_value(self.design, value, &data)?;
        let initial = bits.iter().map(|bit| bit.as_constant()).collect();
        self.tables.signals[id.0].initial = initial;
        Ok(())
    }

    pub fn signal(
        &mut self,
        name: &Identifier,
        data: Type,
        scope: ScopeId,
        kind: SignalKind,
    ) -> Declared<SignalId> {
        let width = data.width();
        self.bits += width;
        if self.bits > MOST_BITS && width <= WIDEST {
            let message = format!("the signals of this design have more than {MOST_BITS} bits");
            return Err(Diagnostic::error(codes::TOO_BIG, message)
                .at(name.span, "the last one that was declared")
                .help("make words and memories smaller, or use fewer instances"));
        }
        if width > WIDEST {
            let message = format!(
                "`{}` has {width} bits, which is too big: the most is {WIDEST} for one signal",
                name.text
            );
            return Err(Diagnostic::error(codes::TOO_BIG, message)
                .at(name.span, "declared here")
                .help(
                    "make it smaller with a parameter, or leave the memory outside of the design",
                ));
        }
        let id = SignalId(self.tables.signals.len());
        self.add(scope, name, Entry::Signal(id))?;
        let full = self.tables.full_name(scope, &name.text);
        self.tables.signals.push(Signal {
            name: full,
            span: name.span,
            kind,
            bits: Vec::new(),
            state: Vec::new(),
            drivers: vec![None; width],
            initial: vec![None; width],
            is_port: false,
            is_net: false,
            is_loop_variable: false,
            resolution: None,
            free: None,
            data,
        });
        Ok(id)
    }

    pub(super) fn add(
        &mut self,
        scope: ScopeId,
        name: &Identifier,
        entry: Entry<'s>,
    ) -> Declared<()> {
        let entries = &mut self.tables.scopes[scope.0].entries;
        if let Some(known) = entries.get(&name.text) {
            let first = match known {
                Entry::Signal(id) => Some(self.tables.signals[id.0].span),
                Entry::Routine(routine, _) => Some(routine.name.span),
                _ => None,
            };
            let message = format!("`{}` is declared twice", name.text);
            let diagnostic =
                Diagnostic::error(codes::REPEATED_NAME, message).at(name.span, "the second time");
            return Err(diagnostic.at_optional(first, "the first time"));
        }
        entries.insert(name.text.clone(), entry);
        Ok(())
    }

    /// Nets that are not declared are single bits, as in old Verilog.
    pub(super) fn implicit_nets(&mut self, target: &Expr, scope: ScopeId) {
        if self.tables.undeclared_is_error {
            return;
        }
        if let (ExprKind::Name(path), Some(span)) = (&target.kind, target.span)
            && let [name] = path.as_slice()
            && self.tables.lookup(scope, name).is_none()
        {
            let name = Identifier {
                text: name.clone(),
                span,
            };
            if let Ok(id) = self.signal(&name, Type::bit(), scope, SignalKind::Logic) {
                self.tables.signals[id.0].is_net = true;
            }
        }
    }
}

/// What a gate computes. It has no span of its own: there is no expression to edit.
fn value_of_gate(gate: &Gate) -> Expr {
    let plain = |kind: ExprKind| Expr { kind, span: None };
    let operator = match gate.kind {
        GateKind::And | GateKind::Nand => BinaryOp::BitAnd,
        GateKind::Or | GateKind::Nor => BinaryOp::BitOr,
        _ => BinaryOp::BitXor,
    };
    let inputs = gate.inputs.iter().cloned();
    let joined = inputs
        .reduce(|left, right| plain(ExprKind::Binary(operator, Box::new(left), Box::new(right))));
    let joined = joined.unwrap_or_else(|| plain(ExprKind::Number(Number::bit(false))));
    match gate.kind {
        GateKind::Nand | GateKind::Nor | GateKind::Xnor | GateKind::Not => {
            plain(ExprKind::Unary(UnaryOp::BitNot, Box::new(joined)))
        }
        // A buffer's input would be a component of its own otherwise.
        _ => plain(ExprKind::Concat(vec![joined])),
    }
}

pub fn direction_of(module: &Module, port: &str) -> Option<Direction> {
    module.items.iter().find_map(|item| match &item.kind {
        ItemKind::Declaration(declaration) => {
            let named = declaration.names.iter().any(|one| one.name.text == port);
            declaration.direction.filter(|_| named)
        }
        _ => None,
    })
}

pub fn simple_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(path) => match path.as_slice() {
            [name] => Some(name),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn not_constant(expr: &Expr) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::NOT_CONSTANT, "a constant is needed here");
    diagnostic.at_optional(expr.span, "this depends on signals")
}

pub fn with_suggestion(diagnostic: Diagnostic, name: &str, known: &[&str]) -> Diagnostic {
    match did_you_mean(name, known.iter().copied()) {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}
