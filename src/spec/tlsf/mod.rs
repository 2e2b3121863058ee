//! The temporal logic synthesis format, TLSF 1.1 \[JKS16\]: basic and full.
//!
//! Enters: the text of a `.tlsf` file and values for its parameters. Leaves: a
//! [`Document`] with an [`LtlSpec`] in which nothing is left of parameters, functions, buses
//! and enumerations, or what is wrong with the file. `lexer`, `parser` and `expression` make
//! a `tree`; `resolve` checks its names; `evaluate`, `operators` and `compare` write formulas out.
//!
//! A bit of a bus is a signal of its own, `bus_3`. A signal of an enumeration has some value
//! of it in every step: its owner answers for that, in REQUIRE or ASSERT.

mod compare;
mod evaluate;
mod expression;
mod lexer;
mod operators;
mod parser;
mod resolve;
mod signals;
mod tree;
mod value;
mod write;

pub use write::{Unwritable, formula_text, write};

use self::evaluate::Evaluator;
use self::tree::{Enumeration, File, Shape};
use self::value::{Lowering, Node};
use super::ltl::{LtlSpec, Notation, Order, Part, Section};
use crate::expr::suggest::closest;
use crate::limits::{Limits, Stop};
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Sources, Span};
use std::collections::{HashMap, HashSet};

/// A specification, and what its file says beside it.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub spec: LtlSpec,
    pub description: String,
    /// The kind of machine that is wanted.
    pub target: Order,
    pub tags: Vec<String>,
    /// With the values that were used.
    pub parameters: Vec<(String, i64)>,
}

/// What names the requirement that a signal has some value of its enumeration.
const VALUES_OF: &str = "values_of_";

/// As many problems are reported at once.
const MOST_ERRORS: usize = 20;

/// Reads a file; `parameters` replace the values that it gives them.
pub fn parse(
    sources: &Sources,
    file: FileId,
    parameters: &[(String, i64)],
) -> Result<Document, Vec<Diagnostic>> {
    let (text, limits) = (&sources.file(file).text, sources.limits());
    let one = |error| vec![error];
    let tokens = lexer::tokens(file, text, limits).map_err(one)?;
    let tree = limits.unless_reached(parser::parse(&tokens, limits).map_err(one))?;
    let mut errors = Vec::new();
    let globals = resolve::globals(&tree, &mut errors);
    resolve::check(&tree, &globals, &mut errors);
    tree.enumerations
        .iter()
        .for_each(|one| check_codes(&tree, one, &mut errors));
    let mut evaluator = Evaluator::new(&tree, &globals, limits);
    for (name, value) in parameters {
        let mut declared = tree.parameters.iter();
        match declared.position(|one| tree.names.text(one.name) == name) {
            Some(index) => evaluator.parameters[index] = Some(*value),
            None => errors.push(unknown_parameter(&tree, name)),
        }
    }
    stop_at(&mut errors)?;
    let mut instance = Instance {
        tree: &tree,
        evaluator,
        parts: Vec::new(),
    };
    instance.signals(&mut errors);
    stop_at(&mut errors)?;
    instance.requirements(&mut errors);
    let used = instance.parameters(&mut errors);
    stop_at(&mut errors)?;
    Ok(Document {
        description: tree.description.clone(),
        target: tree.target,
        tags: tree.tags.clone(),
        parameters: used,
        spec: instance.finish(limits)?,
    })
}

fn stop_at(errors: &mut Vec<Diagnostic>) -> Result<(), Vec<Diagnostic>> {
    if errors.is_empty() {
        return Ok(());
    }
    errors.truncate(MOST_ERRORS);
    Err(std::mem::take(errors))
}

fn unknown_parameter(tree: &File, name: &str) -> Diagnostic {
    let error = Diagnostic::error(
        codes::UNKNOWN_NAME,
        format!("the specification has no parameter `{name}`"),
    );
    let names: Vec<&str> = tree
        .parameters
        .iter()
        .map(|parameter| tree.names.text(parameter.name))
        .collect();
    match closest(name, names.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None if names.is_empty() => error.help("it has none at all: leave the option out"),
        None => error.help(format!("its parameters are {}", names.join(", "))),
    }
}

/// No code may belong to two values.
fn check_codes(tree: &File, enumeration: &Enumeration, errors: &mut Vec<Diagnostic>) {
    for (index, value) in enumeration.values.iter().enumerate() {
        for other in &enumeration.values[..index] {
            let meet = value.codes.iter().any(|code| {
                other.codes.iter().any(|before| {
                    let mut bits = code.iter().zip(before);
                    bits.all(|(left, right)| left.is_none() || right.is_none() || left == right)
                })
            });
            if meet {
                let name = tree.names.text(value.name);
                let before = tree.names.text(other.name);
                errors.push(
                    Diagnostic::error(
                        codes::REPEATED_DECLARATION,
                        format!("`{name}` and `{before}` have a code in common"),
                    )
                    .at(value.span, "this value")
                    .at(other.span, "and this one")
                    .help("give each value codes of its own"),
                );
            }
        }
    }
}

struct Instance<'f> {
    tree: &'f File,
    evaluator: Evaluator<'f>,
    parts: Vec<(Section, Option<Span>, String, Node)>,
}

impl Instance<'_> {
    fn signals(&mut self, errors: &mut Vec<Diagnostic>) {
        let tree = self.tree;
        let types: HashMap<_, _> = tree
            .enumerations
            .iter()
            .enumerate()
            .map(|(index, enumeration)| (enumeration.name, index))
            .collect();
        let mut bits: HashMap<String, Span> = HashMap::new();
        for (index, signal) in tree.inputs.iter().chain(&tree.outputs).enumerate() {
            let name = tree.names.text(signal.name);
            let mut enumeration = None;
            let width = match &signal.shape {
                Shape::Single => None,
                Shape::Bus(width) => match self.evaluator.count(*width) {
                    Ok(width) => Some(width),
                    Err(error) => {
                        errors.push(error);
                        return;
                    }
                },
                Shape::Typed(kind, span) => match types.get(kind) {
                    Some(found) => {
                        enumeration = Some(*found);
                        Some(tree.enumerations[*found].width)
                    }
                    None => {
                        let kind = tree.names.text(*kind);
                        errors.push(
                            Diagnostic::error(
                                codes::UNKNOWN_NAME,
                                format!("`{kind}` is no enumeration"),
                            )
                            .at(*span, "used as the type of a signal")
                            .help("declare it with `enum`, or write `;` between two signals"),
                        );
                        None
                    }
                },
            };
            self.evaluator.signals.add(name, width);
            for atom in self.evaluator.signals.atoms_of(index) {
                let bit = self.evaluator.signals.atoms[atom as usize].clone();
                if let Some(before) = bits.insert(bit.clone(), signal.span) {
                    errors.push(
                        Diagnostic::error(
                            codes::REPEATED_DECLARATION,
                            format!("two signals are called `{bit}`"),
                        )
                        .at(signal.span, "declared here")
                        .at(before, "and here before")
                        .note("a bit of a bus is called by the bus and its number")
                        .help("rename one of them"),
                    );
                    break;
                }
            }
            if let Some(enumeration) = enumeration {
                let node = self.evaluator.has_some_code(index, enumeration);
                let section = if index < tree.inputs.len() {
                    Section::Require
                } else {
                    Section::Assert
                };
                if !covers_everything(&tree.enumerations[enumeration]) {
                    let name = format!("{VALUES_OF}{name}");
                    self.parts.push((section, Some(signal.span), name, node));
                }
            }
        }
    }

    fn requirements(&mut self, errors: &mut Vec<Diagnostic>) {
        let tree = self.tree;
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (section, requirement) in &tree.requirements {
            let stem = stem(*section);
            let count = counts.entry(stem).or_default();
            *count += 1;
            let span = tree.expr(*requirement).span;
            match self.evaluator.requirement(*requirement) {
                Ok(node) => {
                    let name = format!("{stem}_{count}");
                    self.parts.push((*section, Some(span), name, node));
                }
                Err(error) => {
                    let inside = error.labels.first().is_some_and(|label| {
                        span.start <= label.span.start && label.span.end <= span.end
                    });
                    errors.push(if inside {
                        error
                    } else {
                        error.at(span, "in this requirement")
                    });
                    // What grew too large would do so again.
                    if errors
                        .last()
                        .is_some_and(|one| one.code == codes::TOO_LARGE)
                    {
                        return;
                    }
                }
            }
        }
    }

    fn parameters(&mut self, errors: &mut Vec<Diagnostic>) -> Vec<(String, i64)> {
        let tree = self.tree;
        let mut found = Vec::new();
        for (index, parameter) in tree.parameters.iter().enumerate() {
            let name = tree.names.text(parameter.name).to_string();
            let body = parameter.cases[0].body;
            let value = match self.evaluator.parameters[index] {
                Some(value) => Ok(value),
                None => self.evaluator.number(body),
            };
            match value {
                Ok(value) => found.push((name, value)),
                Err(error) => errors.push(error),
            }
        }
        found
    }

    fn finish(self, limits: &Limits) -> Result<LtlSpec, Stop> {
        let tree = self.tree;
        let signals = &self.evaluator.signals;
        let names = |range: std::ops::Range<usize>| -> Vec<String> {
            range
                .flat_map(|signal| signals.atoms_of(signal))
                .map(|atom| signals.atoms[atom as usize].clone())
                .collect()
        };
        let split = tree.inputs.len();
        let mut spec = LtlSpec {
            title: tree.title.clone(),
            inputs: names(0..split),
            outputs: names(split..split + tree.outputs.len()),
            order: tree.order,
            is_strict: tree.is_strict,
            ..LtlSpec::default()
        };
        let mut lowering = Lowering::new(&self.evaluator.syntax, &signals.atoms);
        let mut taken = HashSet::new();
        let mut implied = Vec::new();
        for (section, span, mut name, node) in self.parts {
            let is_implied = name.starts_with(VALUES_OF);
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            if is_implied {
                implied.push(name.clone());
            }
            let formula = lowering.lower(&mut spec.formulas, node, limits)?;
            spec.parts.push(Part {
                section,
                name,
                span,
                formula,
            });
        }
        spec.notation = Notation::Tlsf {
            signals: signals.written(),
            implied,
        };
        Ok(spec)
    }
}

/// The word that names requirements of a section.
fn stem(section: Section) -> &'static str {
    match section {
        Section::Initially => "initially",
        Section::Preset => "preset",
        Section::Require => "require",
        Section::Assume => "assume",
        Section::Assert => "assert",
        Section::Guarantee => "guarantee",
    }
}

/// Whether each code belongs to a value. Wide enumerations are taken not to, which at worst
/// adds a requirement that always holds.
fn covers_everything(enumeration: &Enumeration) -> bool {
    const FEW: usize = 12;
    if enumeration.width > FEW {
        return false;
    }
    (0..1_u32 << enumeration.width).all(|number| {
        let mut codes = enumeration.values.iter().flat_map(|value| &value.codes);
        codes.any(|code| {
            let mut bits = code.iter().enumerate();
            bits.all(|(index, bit)| bit.is_none_or(|bit| bit == (number >> index & 1 == 1)))
        })
    })
}
