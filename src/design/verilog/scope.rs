//! Scopes, and what the names in them stand for.

use super::Past;
use super::assertions::{Asserted, Defaults};
use super::left_out::LeftOut;
use super::syntax::{Assertion, Direction, Module, PropertyDeclaration, Routine, Statement};
use super::types::Type;
use crate::design::literal::{Literal, NodeId};
use crate::design::words::Bits;
use crate::expr::Expr;
use crate::limits::Limits;
use crate::quick_hash::QuickMap;
use crate::source::{FileId, Span};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SignalId(pub usize);

pub struct Scope<'s> {
    /// From the top module, which has none, on.
    pub path: Vec<String>,
    pub parent: Option<ScopeId>,
    /// Whether names of the parent are visible: not in a module instance.
    pub is_module: bool,
    /// Of a module instance, the name of the module.
    pub module: Option<&'s str>,
    /// How many generate constructs were met, for the names of those without one.
    pub generated: usize,
    pub entries: HashMap<String, Entry<'s>>,
}

#[derive(Clone)]
pub enum Entry<'s> {
    Signal(SignalId),
    Constant(Constant),
    Type(Type),
    Routine(&'s Routine, ScopeId),
    Scope(ScopeId),
    /// An array of interfaces, by its left and right index; `name[index]` is one of them.
    ScopeArray(i64, i64),
    Property(&'s PropertyDeclaration, ScopeId),
    /// A property or sequence with the scope of its arguments: an argument of another one.
    Given(&'s PropertyDeclaration, ScopeId),
    /// An expression with a name, and maybe arguments.
    Let(&'s PropertyDeclaration, ScopeId),
    /// A parameter whose value is `$`.
    Unbounded,
}

/// A parameter, a value of an enumeration, or the variable of a generate loop.
#[derive(Clone, Debug)]
pub struct Constant {
    pub bits: Bits,
    pub data: Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignalKind {
    /// An input of the top module.
    Input,
    /// Driven by logic; found out last.
    Logic,
    /// Assigned at a clock edge.
    Register,
    /// Exists while a block runs, as the variable of a loop does.
    Local,
}

#[derive(Clone, Debug)]
pub struct Signal {
    pub name: String,
    pub data: Type,
    pub span: Span,
    pub kind: SignalKind,
    /// What others read.
    pub bits: Bits,
    /// The latches of a register.
    pub state: Vec<NodeId>,
    /// For each bit, where it is driven.
    pub drivers: Vec<Option<Span>>,
    /// The value it starts with, if that was said; a bit is `None` if not.
    pub initial: Vec<Option<bool>>,
    pub is_port: bool,
    pub is_net: bool,
    /// What several drivers make of it; none may be there otherwise.
    pub resolution: Option<super::syntax::Resolution>,
    /// What the environment chooses instead of a driver.
    pub free: Option<super::syntax::FreeValue>,
    /// Whether loops of several processes may use it, each for itself.
    pub is_loop_variable: bool,
}

/// A routine in the scope that it was declared in.
#[derive(Clone, Debug)]
pub struct RoutineInfo {
    pub scope: ScopeId,
    pub arguments: Vec<(Direction, SignalId)>,
    /// `None` for a task.
    pub result: Option<SignalId>,
    /// The signals of one call: arguments, result and variables.
    pub locals: (usize, usize),
}

/// Something that computes values.
pub enum Process<'s> {
    /// A continuous assignment.
    Assign {
        scope: ScopeId,
        target: Cow<'s, Expr>,
        value: Cow<'s, Expr>,
        span: Span,
    },
    Always {
        scope: ScopeId,
        always: &'s super::syntax::Always,
    },
    Initial {
        scope: ScopeId,
        body: &'s Statement,
    },
    Assertion {
        scope: ScopeId,
        assertion: &'s Assertion,
    },
    /// An input port of an instance, with the expression around it.
    Input {
        outer: ScopeId,
        value: Cow<'s, Expr>,
        port: SignalId,
        element: Option<Element>,
        span: Span,
    },
    /// An output port of an instance, with the target around it.
    Output {
        outer: ScopeId,
        target: Cow<'s, Expr>,
        port: SignalId,
        element: Option<Element>,
        span: Span,
    },
}

/// One of an array of instances; the rightmost comes first, and has the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    pub position: usize,
    pub count: usize,
}

impl Element {
    /// The bits of a connection that a port of this width has: its own part, or all of them if
    /// the connection is as wide as the port (IEEE 1800-2017, 23.3.3.5). `None` if neither fits.
    pub fn part(self, connected: usize, port: usize) -> Option<std::ops::Range<usize>> {
        if connected == port {
            return Some(0..port);
        }
        let start = self.position * port;
        (connected == self.count * port).then(|| start..start + port)
    }
}

/// Everything that has a name, and the processes that are to be run.
pub struct Tables<'s> {
    /// Polled for each item, statement and expression: loops and instances make many of few.
    pub limits: &'s Limits,
    /// Texts of data files, by the file that reads one and the name that it uses.
    pub data: &'s HashMap<(FileId, String), String>,
    pub modules: HashMap<&'s str, &'s Module>,
    /// Modules that cannot be read.
    pub left_out: &'s [LeftOut],
    pub packages: HashMap<&'s str, ScopeId>,
    pub scopes: Vec<Scope<'s>>,
    pub signals: Vec<Signal>,
    pub processes: Vec<Process<'s>>,
    /// Scopes of blocks with declarations, by the address of the statement.
    pub blocks: QuickMap<(*const Statement, ScopeId), ScopeId>,
    pub routines: QuickMap<(*const Routine, ScopeId), RoutineInfo>,
    pub components: super::components::Recorder,
    /// Macro uses that do not stand for an expression: nothing with such a span is a component.
    pub fragments: &'s HashSet<Span>,
    /// Inputs that stand for unknown bits.
    pub unknowns: Vec<NodeId>,
    /// Inputs that [calls](super::unassigned) began with and that nothing has read.
    pub spare_unknowns: Vec<NodeId>,
    /// Those of them that are digits `z`.
    pub high_impedance: HashSet<NodeId>,
    /// What `$anyconst` and `$anyseq` stand for.
    pub free_values: Vec<NodeId>,
    /// Constants that a sketch leaves open; `None` if the text is no sketch.
    pub holes: Option<super::open_constants::Holes>,
    /// All instances of each module, in the order in which they were declared.
    pub instances: HashMap<&'s str, Vec<ScopeId>>,
    /// What is there for properties, as the text says.
    pub observers: super::observers::Observers,
    pub undeclared_is_error: bool,
    /// Modules or routines inside each other.
    pub depth: usize,
    /// Statements that were run.
    pub steps: usize,
    pub warnings: Vec<crate::source::Diagnostic>,
    /// Inputs that statements ask for, as they do, with the place.
    pub conditions: Vec<(Literal, Span)>,
    /// Values that are assigned to enumerations.
    pub enumerated: super::enumerations::Enumerated,
    pub asserted: Asserted,
    /// What the `initial` block that is being run assigns.
    pub initial_targets: BTreeSet<SignalId>,
    /// `$global_clock`, if something names it.
    pub global_clock: Option<Literal>,
    /// Whether a `let` is declared anywhere.
    pub has_shorthands: bool,
    /// The bits of signals, each with its default sampled value: that of its declaration, or
    /// of its type; none if that is unknown.
    pub sampled_defaults: HashMap<NodeId, Option<bool>>,
    pub past: Past,
    /// What modules and blocks say of the properties in them.
    pub defaults: HashMap<ScopeId, Defaults<'s>>,
}

impl<'s> Tables<'s> {
    pub fn scope(&self, id: ScopeId) -> &Scope<'s> {
        &self.scopes[id.0]
    }

    pub fn signal(&self, id: SignalId) -> &Signal {
        &self.signals[id.0]
    }

    /// Before any process is run, initial values are those of declarations. A net has none.
    pub fn note_sampled_default(&mut self, id: SignalId, bits: &Bits) {
        let signal = self.signal(id);
        let values: Vec<Option<bool>> = match (signal.is_net, signal.kind) {
            (false, SignalKind::Logic | SignalKind::Register) => signal.initial.clone(),
            (false, SignalKind::Input) if signal.data.two_state => vec![Some(false); bits.len()],
            _ => vec![None; bits.len()],
        };
        let bits = bits.iter().map(|bit| bit.node());
        self.sampled_defaults.extend(bits.zip(values));
    }

    pub fn add_scope(&mut self, parent: ScopeId, name: &str, is_module: bool) -> ScopeId {
        let mut path = self.scope(parent).path.clone();
        path.push(name.to_string());
        let id = ScopeId(self.scopes.len());
        self.scopes.push(Scope {
            path,
            parent: Some(parent),
            is_module,
            module: None,
            generated: 0,
            entries: HashMap::new(),
        });
        id
    }

    pub fn full_name(&self, scope: ScopeId, name: &str) -> String {
        let mut path = self.scope(scope).path.clone();
        path.push(name.to_string());
        path.join(".")
    }

    /// The meaning of a simple name, looked for from the inside out.
    pub fn lookup(&self, scope: ScopeId, name: &str) -> Option<&Entry<'s>> {
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            if let Some(entry) = scope.entries.get(name) {
                return Some(entry);
            }
            current = scope.parent.filter(|_| !scope.is_module);
        }
        // Names outside of all modules.
        let outside = self.packages.get("")?;
        self.scope(*outside).entries.get(name)
    }

    /// The routine of this name that is visible: inside of a function its name is its result.
    pub fn visible_routine(&self, scope: ScopeId, name: &str) -> Option<(&'s Routine, ScopeId)> {
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            if let Some(Entry::Routine(routine, home)) = scope.entries.get(name) {
                return Some((routine, *home));
            }
            current = scope.parent.filter(|_| !scope.is_module);
        }
        None
    }

    /// The scope that a name of an enclosing module or instance stands for, as paths that lead
    /// up begin with (IEEE 1800-2017, 23.8).
    pub fn upward(&self, scope: ScopeId, name: &str) -> Option<ScopeId> {
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            if scope.module == Some(name) {
                return Some(id);
            }
            if let Some(Entry::Scope(inner)) = scope.entries.get(name) {
                return Some(*inner);
            }
            current = scope.parent;
        }
        None
    }

    /// The names that are visible, for suggestions.
    pub fn visible(&self, scope: ScopeId) -> Vec<&str> {
        let mut names = Vec::new();
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            names.extend(scope.entries.keys().map(String::as_str));
            current = scope.parent.filter(|_| !scope.is_module);
        }
        names
    }

    pub fn constant(bits: Bits, data: Type) -> Entry<'s> {
        Entry::Constant(Constant { bits, data })
    }
}
