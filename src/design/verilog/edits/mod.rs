//! Small edits of a Verilog text: what an engineer would try at a suspect line.
//!
//! An edit replaces text at one or more spans. Edits are listed by a walk over the syntax
//! tree (this file for items, `statement`, `expression`) that calls the repair templates:
//! `literal`, `signal`, `operator`, `operand`, `negation`, `signedness`, `concatenation`,
//! `same_shape` and `extra_operand` edit expressions; `target`, `assignment_kind`,
//! `missing_branch`, `missing_item`, `missing_reset`, `missing_statement` and `placement` edit
//! statements; `sensitivity` and `connection` edit items. What each costs stands in `cost`; what they are made of
//! in `scope`. Nothing is decided here: whoever applies an edit reads the text again.
//!
//! Edits of the same cost and location keep the order in which the walk lists them, and of
//! two with the same text the first stays. A new template is called behind the others.
//!
//! An edit inside of a right-hand side or condition changes the value of that component and
//! nothing else, so it is worth trying only if another value of it could help. Inside of what
//! a macro stands for there are no edits.

mod assignment_kind;
mod checking;
mod concatenation;
mod connection;
mod cost;
mod enumeration;
mod expression;
mod extra_operand;
mod index;
mod literal;
mod missing_branch;
mod missing_item;
mod missing_reset;
mod missing_statement;
pub mod names;
mod negation;
mod operand;
mod operator;
mod placement;
mod same_shape;
mod scope;
mod sensitivity;
mod signal;
mod signedness;
pub mod sketch;
mod sketch_templates;
mod statement;
mod target;

use super::syntax::*;
use super::{SourceTree, VisibleKind, VisibleName};
use crate::design::component::ComponentKind;
use crate::design::kind::Kind;
use crate::expr::Number;
use crate::source::{FileId, Sources, Span};
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceEdit {
    /// What it is called: after the statement that it changes, or else after its template.
    pub kind: Kind,
    /// What its template changes.
    pub template: Kind,
    /// Replaced texts; they do not overlap.
    pub changes: Vec<(Span, String)>,
    /// How far it is from what was written: the smaller, the earlier it is tried.
    pub cost: u32,
    /// The component whose value alone changes.
    pub within: Option<(Span, ComponentKind)>,
    /// Signals that it reads and that neither the old text nor the component around it did.
    pub new_signals: usize,
}

impl SourceEdit {
    /// An edit outside of all components.
    fn new(kind: Kind, changes: Vec<(Span, String)>, cost: u32) -> SourceEdit {
        SourceEdit {
            kind,
            template: kind,
            changes,
            cost,
            within: None,
            new_signals: 0,
        }
    }

    /// Where a reader looks.
    pub fn place(&self) -> Span {
        self.changes[0].0
    }

    /// Names in the new text that neither the old one nor the component around it has.
    pub fn new_names(&self, sources: &Sources) -> Vec<String> {
        let around = self.within.map(|(span, _)| span);
        let known: HashSet<&str> = self
            .changes
            .iter()
            .map(|(span, _)| *span)
            .chain(around)
            .flat_map(|span| names_in(sources.text(span)))
            .collect();
        let new = self.changes.iter().flat_map(|(_, text)| names_in(text));
        new.filter(|name| !known.contains(name))
            .map(str::to_string)
            .collect()
    }

    /// The texts of all files after the edit.
    pub fn apply(&self, sources: &Sources) -> BTreeMap<FileId, String> {
        apply(std::slice::from_ref(self), sources)
    }
}

/// The identifiers of a text; digits of numbers such as `4'd9` are none.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |symbol: char| symbol.is_ascii_alphanumeric() || "_$'".contains(symbol);
    text.split(move |symbol| !is_part(symbol)).filter(|word| {
        word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && !crate::expr::keywords::is_keyword(word)
    })
}

/// The texts of all files that edits change.
pub fn apply(edits: &[SourceEdit], sources: &Sources) -> BTreeMap<FileId, String> {
    let mut changes: BTreeMap<FileId, Vec<&(Span, String)>> = BTreeMap::new();
    for change in edits.iter().flat_map(|edit| &edit.changes) {
        changes.entry(change.0.file).or_default().push(change);
    }
    let texts = changes.into_iter().map(|(file, changes)| {
        let whole = Span::new(file, 0, sources.file(file).text.len());
        let text = sources.text_after(whole, changes);
        (file, text.expect("a file holds all changes to it"))
    });
    texts.collect()
}

/// All edits of a design, cheapest first. `names` is what names mean in each module, and
/// `checking` are the components that only assertions read.
pub fn list(
    tree: &SourceTree,
    names: &HashMap<String, Vec<VisibleName>>,
    checking: &HashSet<(Span, ComponentKind)>,
    sources: &Sources,
) -> Vec<SourceEdit> {
    let mut edits = walked(tree, names, sources, None).edits;
    edits.retain(|edit| !edit.changes.is_empty());
    let is_checking = |edit: &SourceEdit| {
        let within = edit.within.as_ref();
        within.is_some_and(|within| checking.contains(within))
    };
    edits.retain(|edit| !is_checking(edit));
    edits.sort_by_key(|edit| (edit.cost, edit.place()));
    let mut seen = HashSet::new();
    edits.retain(|edit| seen.insert(edit.changes.clone()));
    edits
}

/// The places of a design where constants and small expressions can be solved for.
pub fn sketches(
    tree: &SourceTree,
    names: &HashMap<String, Vec<VisibleName>>,
    checking: &HashSet<(Span, ComponentKind)>,
    sources: &Sources,
) -> Vec<sketch::Sketch> {
    let clocks = sketch::events(tree);
    let names = names.iter().map(|(module, names)| {
        // A clock cannot be read as data.
        let names = names.iter().filter(|one| !clocks.contains(&one.name));
        (module.clone(), names.cloned().collect())
    });
    let walked = walked(
        tree,
        &names.collect(),
        sources,
        Some(sketch::Sketches::default()),
    );
    let mut sketches = walked.sketches.map_or(Vec::new(), |one| one.list);
    sketches.retain(|one| one.within.is_none_or(|within| !checking.contains(&within)));
    sketches
}

/// What a walk over the text lists.
struct Walked {
    edits: Vec<SourceEdit>,
    sketches: Option<sketch::Sketches>,
}

fn walked(
    tree: &SourceTree,
    names: &HashMap<String, Vec<VisibleName>>,
    sources: &Sources,
    sketches: Option<sketch::Sketches>,
) -> Walked {
    let split: SplitNames<'_> = names
        .iter()
        .map(|(module, names)| {
            let names = names.iter().cloned();
            (module, names.partition(|one| one.checking_only))
        })
        .collect();
    let mut lister = Lister {
        sources,
        tree,
        names: &[],
        checking: HashSet::new(),
        bases: HashMap::new(),
        edits: Vec::new(),
        sketches,
    };
    let observing = lister.observing_modules(&split);
    for module in &tree.modules {
        if let Some((checking, names)) = split.get(&module.name.text) {
            if observing.contains(module.name.text.as_str()) {
                continue;
            }
            lister.checking = checking.iter().map(|one| one.name.as_str()).collect();
            lister.names = names;
            let text = &sources.file(module.name.span.file).text;
            lister.bases = scope::bases_of(text);
            lister.module(module);
        }
    }
    Walked {
        edits: lister.edits,
        sketches: lister.sketches,
    }
}

/// The names of each module: those that only assertions depend on, and the others.
type SplitNames<'a> = HashMap<&'a String, (Vec<VisibleName>, Vec<VisibleName>)>;

struct Lister<'a> {
    sources: &'a Sources,
    tree: &'a SourceTree,
    /// What the present module sees.
    names: &'a [VisibleName],
    /// Names that only assertions depend on: nothing about them is edited.
    checking: HashSet<&'a str>,
    /// The usual base of numbers of each width.
    bases: HashMap<usize, char>,
    edits: Vec<SourceEdit>,
    /// Where constants and small expressions are solved for; none if that is not asked.
    sketches: Option<sketch::Sketches>,
}

impl Lister<'_> {
    fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// One text in place of another, outside of all components.
    fn replace(&mut self, span: Span, text: String, kind: Kind, cost: u32) {
        self.push(SourceEdit::new(kind, vec![(span, text)], cost));
    }

    /// Lists an edit, unless it changes nothing or changes what a macro stands for.
    fn push(&mut self, mut edit: SourceEdit) {
        let is_signal = |name: &String| {
            let known = self.names.iter().find(|one| one.name == *name);
            known.is_some_and(|one| !matches!(one.kind, VisibleKind::Constant(_)))
        };
        let new = edit.new_names(self.sources);
        edit.new_signals = new.iter().filter(|name| is_signal(name)).count();
        let mut spans = edit.changes.iter().map(|(span, _)| *span);
        let is_sealed = spans.any(|span| self.is_sealed(span));
        let is_same = edit
            .changes
            .iter()
            .all(|(span, text)| self.text(*span) == text);
        if !is_sealed && !is_same {
            self.edits.push(edit);
        }
    }

    /// Whether a text is part of what a macro stands for.
    fn is_sealed(&self, span: Span) -> bool {
        let inside = |sealed: &Span| {
            span.file == sealed.file && sealed.start <= span.start && span.end <= sealed.end
        };
        span.start < span.end && self.tree.sealed.iter().any(inside)
    }

    fn module(&mut self, module: &Module) {
        for parameter in &module.parameters {
            self.parameter(parameter);
        }
        self.items(&module.items);
    }

    fn items(&mut self, items: &[Item]) {
        let instances = items.iter().filter_map(|item| match &item.kind {
            ItemKind::Instance(instance) => Some(instance),
            _ => None,
        });
        let instances: Vec<(&str, &SingleInstance)> = instances
            .flat_map(|one| {
                one.instances
                    .iter()
                    .map(|single| (&one.module.text[..], single))
            })
            .filter(|(module, single)| !self.only_observes(module, single))
            .collect();
        self.swapped_instances(&instances);
        for item in items {
            match &item.kind {
                ItemKind::Parameter(parameter) => self.parameter(parameter),
                ItemKind::Declaration(declaration) => {
                    for declarator in &declaration.names {
                        if self.checking.contains(declarator.name.text.as_str()) {
                            continue;
                        }
                        match &declarator.value {
                            Some(value) if declaration.is_net => self.value(value, None, None),
                            Some(value) => self.constant(value, Kind::Reset),
                            None => {}
                        }
                    }
                }
                ItemKind::Assign(assignments) => {
                    for assignment in assignments {
                        if self.is_checking(&assignment.target) {
                            continue;
                        }
                        self.value(&assignment.value, Some(&assignment.target), None);
                    }
                }
                ItemKind::Gate(gate) => self.gate(gate),
                ItemKind::Always(always) => self.always(always),
                ItemKind::Initial(body) => self.initial(body),
                ItemKind::Instance(instance) => self.instance(instance),
                ItemKind::Routine(routine) => {
                    for statement in &routine.body {
                        self.statement(statement, None);
                    }
                }
                ItemKind::GenerateFor(generate) => {
                    self.constant(&generate.start, Kind::Literal);
                    self.constant(&generate.condition, Kind::Literal);
                    self.items(&generate.block.items);
                }
                ItemKind::GenerateIf {
                    condition,
                    then,
                    otherwise,
                } => {
                    self.constant(condition, Kind::Condition);
                    self.items(&then.items);
                    if let Some(otherwise) = otherwise {
                        self.items(&otherwise.items);
                    }
                }
                ItemKind::GenerateCase { items, .. } => {
                    for (_, block) in items {
                        self.items(&block.items);
                    }
                }
                ItemKind::GenerateBlock(block) => self.items(&block.items),
                // What is asserted is right; the design is to be changed.
                ItemKind::Assertion(_)
                | ItemKind::PropertyDeclaration(_)
                | ItemKind::Let(_)
                | ItemKind::DefaultClocking(_)
                | ItemKind::DefaultDisable(_)
                | ItemKind::TypeDefinition(..)
                | ItemKind::DefineParameter(..)
                | ItemKind::Bind(_)
                | ItemKind::Import(..)
                | ItemKind::InterfacePort { .. }
                | ItemKind::ElaborationError
                | ItemKind::Nothing => {}
            }
        }
    }

    fn instance(&mut self, instance: &Instance) {
        let singles: Vec<&SingleInstance> = instance
            .instances
            .iter()
            .filter(|one| !self.only_observes(&instance.module.text, one))
            .collect();
        if singles.is_empty() {
            return;
        }
        for connection in &instance.parameters {
            if let ConnectionValue::Expression(value) = &connection.value {
                self.constant(value, Kind::Parameter);
            }
        }
        for single in &singles {
            self.swapped_ports(single);
        }
        for connection in singles.iter().flat_map(|one| &one.connections) {
            if let ConnectionValue::Expression(value) = &connection.value {
                self.connection(value);
            }
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        let Some(value) = &parameter.value else {
            return;
        };
        let first = self.edits.len();
        self.constant(value, Kind::Literal);
        let name = &parameter.name.text;
        let width = self.visible(name).map(|own| own.width);
        let others = self.names.iter().filter(|one| one.name != *name);
        let others = others.filter(|one| Some(one.width) == width && one.width < 32);
        let known: HashSet<i64> = others
            .filter_map(|one| match one.kind {
                VisibleKind::Constant(value) => Some(value),
                _ => None,
            })
            .collect();
        let is_known = |text: &str| {
            let number = Number::from_literal(text).ok();
            let value = number.and_then(|(number, _)| number.value());
            let value = value.and_then(|value| i64::try_from(value).ok());
            value.is_some_and(|value| known.contains(&value))
        };
        self.weigh_repeated(first, value.span, is_known);
    }
}
