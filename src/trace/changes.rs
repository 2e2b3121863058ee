//! From changes of values to cycles: which scope of a waveform is the design, and what its
//! ports are just before each active edge of the clock.
//!
//! A waveform lists the moments at which signals change. A register sees what its inputs were
//! before the moment of the edge, whatever changes in the same moment, and what a combinational
//! output was then is the answer to these inputs; so a row is the state of all signals at the
//! end of the moment before. A design without registers has a row for each moment in which a
//! port changes.

use super::number::Bits;
use super::{Column, Interface, Options, Port, Recording};
use crate::design::suggest::did_you_mean;
use crate::source::Diagnostic;
use crate::source::codes::trace as codes;
use std::collections::HashMap;

/// A signal of a waveform.
#[derive(Clone, Debug)]
pub struct Variable<Id> {
    /// The scope that it is in, from the outermost one.
    pub scope: Vec<String>,
    pub name: String,
    /// Its index, if it is one bit of a vector that is dumped bit by bit.
    pub index: Option<i64>,
    pub width: usize,
    pub id: Id,
}

/// Where the values of one variable go.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    pub offset: usize,
    pub width: usize,
}

/// The signals that count, and the rows that they gave so far.
pub struct Sampler<Id> {
    recording: Recording,
    targets: HashMap<Id, Vec<Target>>,
    clock: Option<(Id, bool)>,
    current: (Vec<u64>, Vec<u64>),
    /// At the end of the moment before.
    settled: (Vec<u64>, Vec<u64>),
    /// The clock at the end of the moment before, if it had a value at all.
    settled_clock: Option<Option<bool>>,
    current_clock: Option<Option<bool>>,
    moves: bool,
}

impl<Id: Clone + std::hash::Hash + Eq> Sampler<Id> {
    pub fn new(
        variables: &[Variable<Id>],
        interface: &Interface<'_>,
        options: &Options,
        file: &str,
    ) -> Result<Sampler<Id>, Diagnostic> {
        let clock = options.clock.as_ref().or(interface.clock.as_ref());
        let scope = scope_of(variables, interface, options, file)?;
        let is_here = |variable: &&Variable<Id>| variable.scope == scope;
        let here: Vec<&Variable<Id>> = variables.iter().filter(is_here).collect();
        let clock = match clock {
            Some((name, rising)) => {
                let found = here.iter().find(|one| one.name == *name && one.width == 1);
                let Some(found) = found else {
                    return Err(no_clock(name, &scope, &here));
                };
                Some((found.id.clone(), *rising))
            }
            None if interface.has_registers => {
                let message = format!("the clock of `{file}` is not known");
                return Err(Diagnostic::error(codes::NO_CLOCK, message)
                    .help("say `--clock NAME`, or `--clock NAME=0` for its falling edge"));
            }
            None => None,
        };
        let mut columns: Vec<Column> = Vec::new();
        let mut targets: HashMap<Id, Vec<Target>> = HashMap::new();
        let mut offset = 0;
        for port in wanted(interface, options)? {
            if columns.iter().any(|column| column.name == port.name) {
                continue;
            }
            let found = variables_of(&port, &scope, variables);
            if found.is_empty() {
                continue;
            }
            for (variable, bit) in found {
                let target = Target {
                    offset: offset + bit,
                    width: variable.width,
                };
                targets.entry(variable.id.clone()).or_default().push(target);
            }
            columns.push(Column {
                name: port.name.clone(),
                width: port.width,
                is_input: port.is_input,
                offset,
            });
            offset += port.width;
        }
        let recording = Recording::with_columns(columns);
        let row = (vec![0; recording.words()], vec![0; recording.words()]);
        Ok(Sampler {
            recording,
            targets,
            clock,
            current: row.clone(),
            settled: row,
            settled_clock: None,
            current_clock: None,
            moves: false,
        })
    }

    /// The variables whose values are wanted.
    pub fn wanted(&self) -> Vec<Id> {
        let clock = self.clock.iter().map(|(id, _)| id.clone());
        self.targets.keys().cloned().chain(clock).collect()
    }

    /// The width of a variable that is wanted.
    pub fn width(&self, id: &Id) -> Option<usize> {
        let is_clock = self.clock.as_ref().is_some_and(|(clock, _)| clock == id);
        let target = self.targets.get(id).and_then(|targets| targets.first());
        target.map(|target| target.width).or(is_clock.then_some(1))
    }

    pub fn change(&mut self, id: &Id, bits: &Bits) {
        if let Some((clock, _)) = &self.clock
            && clock == id
        {
            self.current_clock = Some(bits.first().copied().flatten());
        }
        let Some(targets) = self.targets.get(id) else {
            return;
        };
        self.moves = true;
        for target in targets {
            for (bit, value) in bits.iter().enumerate().take(target.width) {
                let (word, bit) = ((target.offset + bit) / 64, (target.offset + bit) % 64);
                let mask = 1u64 << bit;
                self.current.0[word] &= !mask;
                self.current.1[word] &= !mask;
                if let Some(value) = value {
                    self.current.1[word] |= mask;
                    self.current.0[word] |= u64::from(*value) << bit;
                }
            }
        }
    }

    /// All changes of one moment have been told.
    pub fn end_of_moment(&mut self) {
        match &self.clock {
            None => {
                if self.moves {
                    self.recording.push_row(&self.current.0, &self.current.1);
                }
            }
            Some((_, rising)) => {
                // The first value of a waveform is no edge.
                let is_edge = self.current_clock == Some(Some(*rising))
                    && self.settled_clock.is_some_and(|old| old != Some(*rising));
                if is_edge {
                    self.recording.push_row(&self.settled.0, &self.settled.1);
                }
            }
        }
        if self.moves {
            self.settled.0.copy_from_slice(&self.current.0);
            self.settled.1.copy_from_slice(&self.current.1);
        }
        self.settled_clock = self.current_clock;
        self.moves = false;
    }

    pub fn finish(self) -> Recording {
        self.recording
    }
}

/// The ports, and what is compared beside them.
fn wanted(interface: &Interface<'_>, options: &Options) -> Result<Vec<Port>, Diagnostic> {
    let mut wanted = interface.ports.clone();
    for name in &options.signals {
        match interface.signal(name) {
            Some(port) => wanted.push(port),
            None => {
                // The design has the words for what is wrong with a name.
                interface.design.signal(name)?;
            }
        }
    }
    Ok(wanted)
}

/// The variables that have the values of a port, each with its lowest bit in it. A name with
/// points goes on into inner scopes.
fn variables_of<'v, Id>(
    port: &Port,
    scope: &[String],
    variables: &'v [Variable<Id>],
) -> Vec<(&'v Variable<Id>, usize)> {
    let mut path: Vec<&str> = port.name.split('.').collect();
    let name = path.pop().unwrap_or_default();
    let is_named = |variable: &&Variable<Id>| {
        let outer = scope.iter().map(String::as_str);
        variable.name == name
            && variable.scope.len() == scope.len() + path.len()
            && variable
                .scope
                .iter()
                .map(String::as_str)
                .eq(outer.chain(path.iter().copied()))
    };
    let named: Vec<&Variable<Id>> = variables.iter().filter(is_named).collect();
    if let Some(whole) = named.iter().find(|one| one.width == port.width) {
        return vec![(whole, 0)];
    }
    let bits = named.iter().filter(|one| one.width == 1);
    let bits = bits.filter_map(|one| {
        let bit = usize::try_from(one.index?).ok()?;
        (bit < port.width).then_some((*one, bit))
    });
    bits.collect()
}

/// The scope that is the design.
fn scope_of<Id>(
    variables: &[Variable<Id>],
    interface: &Interface<'_>,
    options: &Options,
    file: &str,
) -> Result<Vec<String>, Diagnostic> {
    let mut scopes: Vec<&Vec<String>> = Vec::new();
    for variable in variables {
        if !scopes.contains(&&variable.scope) {
            scopes.push(&variable.scope);
        }
    }
    if let Some(wanted) = &options.scope {
        let found = scopes.iter().find(|scope| scope.join(".") == *wanted);
        return found.map(|scope| (*scope).clone()).ok_or_else(|| {
            let message = format!("there is no scope `{wanted}` with signals in `{file}`");
            let diagnostic = Diagnostic::error(codes::NO_SCOPE, message);
            let names: Vec<String> = scopes.iter().map(|scope| scope.join(".")).collect();
            match did_you_mean(wanted, names.iter().map(String::as_str)) {
                Some(help) => diagnostic.help(help),
                None => diagnostic.help(format!("there are {}", listed(names))),
            }
        });
    }
    let missing = |scope: &Vec<String>| -> Vec<&str> {
        let ports = interface.ports.iter();
        let ports = ports.filter(|port| variables_of(port, scope, variables).is_empty());
        ports.map(|port| port.name.as_str()).collect()
    };
    let whole: Vec<&&Vec<String>> = scopes
        .iter()
        .filter(|one| missing(one).is_empty())
        .collect();
    let is_top = |scope: &&&&Vec<String>| interface.top.as_ref() == scope.last();
    let named: Vec<&&&Vec<String>> = whole.iter().filter(is_top).collect();
    if let [only] = named.as_slice() {
        return Ok((***only).clone());
    }
    let least = whole.iter().map(|scope| scope.len()).min();
    let outer = whole.iter().filter(|scope| Some(scope.len()) == least);
    let outer: Vec<&&&Vec<String>> = outer.collect();
    match outer.as_slice() {
        [only] => Ok((***only).clone()),
        [] => {
            let message = format!("no scope of `{file}` has all ports of the design");
            let diagnostic = Diagnostic::error(codes::NO_SCOPE, message);
            let best = scopes.iter().min_by_key(|scope| missing(scope).len());
            Err(match best {
                Some(best) => {
                    let names = missing(best).into_iter().map(str::to_string);
                    let (scope, names) = (best.join("."), listed(names.collect()));
                    diagnostic
                        .note(format!("`{scope}` lacks {names}"))
                        .help(format!("say `--trace-scope {scope}` if that is the design"))
                }
                None => diagnostic.help("the file declares no signals"),
            })
        }
        several => {
            let names = several.iter().map(|scope| scope.join("."));
            let names = listed(names.collect());
            let message = format!("several scopes of `{file}` have the ports of the design");
            Err(Diagnostic::error(codes::NO_SCOPE, message)
                .note(format!("they are {names}"))
                .help("say which one is the design with `--trace-scope`"))
        }
    }
}

fn no_clock<Id>(name: &str, scope: &[String], here: &[&Variable<Id>]) -> Diagnostic {
    let scope = scope.join(".");
    let message = format!("the clock `{name}` is no signal of one bit in `{scope}`");
    let diagnostic = Diagnostic::error(codes::NO_CLOCK, message);
    match did_you_mean(name, here.iter().map(|one| one.name.as_str())) {
        Some(help) => diagnostic.help(help),
        None => diagnostic.help("say the clock of the recorded run with `--clock NAME`"),
    }
}

/// The first few of a list.
fn listed(mut names: Vec<String>) -> String {
    const MOST: usize = 8;
    if names.len() > MOST {
        names.truncate(MOST);
        names.push("...".to_string());
    }
    names.join(", ")
}
