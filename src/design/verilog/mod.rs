//! Verilog, as far as it describes circuits: the synthesizable subset of SystemVerilog.
//!
//! Enters: the texts of files. Leaves: a [`Design`] with the names of the source, and the
//! spans of the source that stand for values in it.
//!
//! 1. `preprocess`: tokens, macros expanded, with their spans.
//! 2. [`parse`]: a syntax tree of our own. The parser is hand-written: it keeps the span of
//!    every expression, reports what is wrong in one sentence, and takes an expression of ten
//!    thousand terms without a deep stack.
//! 3. `declare`: parameters, hierarchy and generate constructs, until only signals and
//!    processes are left.
//! 4. `process` runs the processes on symbolic values (`execute`, `frame`,
//!    `target`); expressions are those of `design::expression`.

mod added_function;
mod assertions;
mod attach;
mod bind;
mod changes;
mod clocks;
pub mod components;
#[cfg(test)]
pub mod counts;
mod declare;
mod declare_parameters;
mod declare_types;
pub mod edits;
mod enumerations;
mod execute;
mod execute_case;
mod finish;
mod frame;
mod front_end;
mod generate;
mod instances;
mod latches;
mod left_out;
mod locals;
mod memory_file;
mod observers;
pub mod open_constants;
mod parse;
mod parse_around;
mod parse_gates;
mod parse_hierarchy;
mod parse_module;
mod parse_process;
mod parse_property;
mod parse_routine;
mod parse_sequence;
mod parse_statement;
mod parse_type;
mod patterns;
mod polarity;
mod preprocess;
mod process;
pub mod registers;
mod reset;
mod sampled;
mod scope;
mod sensitivity;
mod shorthand;
pub mod syntax;
mod target;
mod translated;
mod trials;
mod types;
mod unassigned;
mod wording;

pub use crate::source::codes::verilog as codes;
pub use components::Recorded;
pub use enumerations::Enumerated;
pub use finish::{ResetPlay, play_reset_on_netlist as play_reset};
pub use front_end::VerilogFrontEnd;
pub use latches::latch;
pub use preprocess::Finder;

use left_out::LeftOut;
pub use translated::{NETLIST_OF_YOSYS, Translator, translate};

use super::component::ComponentKind;
use super::front_end::InferredLatch;
use super::literal::NodeId;
use super::netlist::Design;
use crate::expr::build::parse_in_source;
use crate::expr::token::{Token, TokenKind, tokenize, tokenize_within};
use crate::expr::{Dialect, Expr, Number, PropertyItem, codes as expr_codes};
use crate::limits::Limits;
use crate::quick_hash::QuickMap;
use crate::source::{Cursor, Diagnostic, FileId, Sources, Span};
use assertions::Asserted;
use components::Recorder;
use declare::{Declarer, with_suggestion};
use observers::Observers;
use open_constants::Holes;
use parse::Unread;
use process::Runner;
use scope::{Scope, ScopeId, Tables};
use std::collections::{BTreeSet, HashMap, HashSet};
use syntax::{Item, ItemKind, Module};

/// Files as they were written.
#[derive(Clone, Debug, Default)]
pub struct SourceTree {
    pub modules: Vec<Module>,
    /// Modules that cannot be read.
    left_out: Vec<LeftOut>,
    /// Spans of macro uses that must not be edited inside.
    pub sealed: Vec<Span>,
    /// Those of them that do not stand for an expression as a whole.
    fragments: HashSet<Span>,
    /// What is read only because a macro says that properties are.
    formal: Vec<Span>,
    /// Delays that were left out.
    delays: Vec<Span>,
    /// Numbers with more digits than their width.
    truncated: Vec<Span>,
    undeclared_is_error: bool,
    /// Values for parameters of the top module.
    parameters: Vec<(String, Expr)>,
    /// Texts of data files, by the file that reads one and the name that it uses.
    data: HashMap<(FileId, String), String>,
    /// What may be used to elaborate the tree.
    limits: Limits,
}

/// What to make of a design.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub top: Option<String>,
    pub reset: Option<ResetPlay>,
    /// Whether components get buffers of their own.
    pub components: bool,
    /// Whether an inferred latch is state; otherwise it is an error.
    pub allows_latches: bool,
    /// What sampled values are before the first step.
    pub past: Past,
    /// Whether a text may leave constants open, as sketches do.
    pub holes: bool,
    /// Whether registers without an initial value start with 0, and not with any value.
    pub starts_at_zero: bool,
}

/// The value that `$past` and its kin see before the first step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Past {
    /// The default sampled value (IEEE 1800-2017, 16.5.1): that of the declaration, 0 for
    /// two-state types, and otherwise unknown.
    #[default]
    Standard,
    /// Unknown, as Yosys takes it.
    Yosys,
}

/// A design that was read from Verilog.
#[derive(Clone, Debug, Default)]
pub struct Elaborated {
    pub design: Design,
    pub top: String,
    pub clock: Option<Clock>,
    pub components: Vec<Recorded>,
    /// Assertions of the source; their conditions are words of the design.
    pub properties: Vec<PropertyItem>,
    /// Components that only assertions read.
    pub checking_only: HashSet<(Span, ComponentKind)>,
    pub warnings: Vec<Diagnostic>,
    /// Values that are assigned to enumerations.
    pub enumerated: Enumerated,
    /// Registers that start with any value, and where they are declared.
    pub uninitialised: Vec<(String, Span)>,
    /// Latches that blocks infer, with the name of the signal.
    pub latches: Vec<InferredLatch>,
    /// Inputs that stand for unknown bits, such as those of `x`.
    pub unknowns: Vec<NodeId>,
    /// Nodes that only assertions depend on: no correction reads them.
    pub property_only: HashSet<NodeId>,
    /// By the index of the property, whether the reset that is played may come again while it
    /// is judged; empty if none is played.
    pub reset_again: Vec<bool>,
    /// What names mean in each module, in its first instance.
    pub modules: HashMap<String, Vec<VisibleName>>,
}

/// The input of the top module that registers move with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    pub name: String,
    pub rising: bool,
}

/// A name of a module that an expression in it may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleName {
    pub name: String,
    pub width: usize,
    pub signed: bool,
    pub kind: VisibleKind,
    /// Whether only assertions depend on it.
    pub checking_only: bool,
    /// The name of the enumeration's first value, to tell enumerations apart.
    pub family: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisibleKind {
    Input,
    Logic,
    Register,
    Constant(i64),
    /// An array; its width is that of an element.
    Array,
}

/// Reads files. `defines` are macros, each with the file that has its text.
pub fn parse(
    sources: &Sources,
    files: &[FileId],
    finder: &Finder,
    defines: &[(String, FileId)],
) -> Result<SourceTree, Diagnostic> {
    parse_with(sources, files, finder, defines, Unread::Refused)
}

fn parse_with(
    sources: &Sources,
    files: &[FileId],
    finder: &Finder,
    defines: &[(String, FileId)],
    unread: Unread,
) -> Result<SourceTree, Diagnostic> {
    #[cfg(test)]
    counts::count_parse(files.iter().map(|file| sources.file(*file).text.as_str()));
    let made = preprocess::MadeTexts::default();
    let mut preprocessor = preprocess::Preprocessor::new(sources, finder, defines, &made);
    for file in files {
        preprocessor.add(*file)?;
    }
    let Some(last) = files.last() else {
        return Err(Diagnostic::error(codes::TOP, "no file was given"));
    };
    let preprocessed = preprocessor.finish(*last);
    let limits = sources.limits();
    let parsed = limits.unless_reached(parse::parse(&preprocessed.tokens, unread, limits))?;
    let is_truncated = |token: &&Token<'_>| {
        let is_number = matches!(token.kind, TokenKind::Number(_));
        is_number && Number::from_literal(token.text).is_ok_and(|(_, truncated)| truncated)
    };
    let truncated = preprocessed.tokens.iter().filter(is_truncated);
    Ok(SourceTree {
        limits: limits.clone(),
        modules: parsed.modules,
        left_out: parsed.left_out,
        delays: parsed.delays,
        truncated: truncated.map(|token| token.span).collect(),
        sealed: preprocessed.sealed,
        fragments: preprocessed.fragments,
        formal: preprocessed.formal,
        undeclared_is_error: preprocessed.undeclared_is_error,
        parameters: Vec::new(),
        data: HashMap::new(),
    })
}

/// Declares packages, the modules below the top one, and what is bound; gives back the scope of
/// the top module.
fn declare_all<'s>(
    declarer: &mut Declarer<'_, 's>,
    tree: &'s SourceTree,
    top: &'s Module,
) -> Result<ScopeId, Diagnostic> {
    for package in tree.modules.iter().filter(|module| module.is_package) {
        let scope = new_scope(declarer.tables, &package.name.text);
        declarer.package(package, scope)?;
    }
    let root = new_scope(declarer.tables, "");
    let given = declarer.given_to_top(&tree.parameters, top, root)?;
    declarer.module(top, root, given)?;
    declarer.bind_all(tree, &top.name.text)?;
    Ok(root)
}

/// Makes a circuit of the files.
pub fn elaborate(tree: &SourceTree, options: &Options) -> Result<Elaborated, Diagnostic> {
    #[cfg(test)]
    counts::count_elaboration();
    let mut design = Design::new();
    let modules = modules_by_name(tree)?;
    let top = top_module(tree, &modules, options.top.as_deref())?;
    let mut tables = new_tables(tree, modules, top, options);
    let mut declarer = Declarer::new(&mut design, &mut tables);
    let root = declare_all(&mut declarer, tree, top)?;
    if let Some((name, (_, span))) = declarer.defined.iter().next() {
        let message = format!("there is no parameter `{name}`");
        return Err(Diagnostic::error(codes::UNKNOWN_NAME, message).at(*span, "set here"));
    }
    let mut runner = Runner::new(&mut design, &mut tables, options.allows_latches);
    runner.starts_at_zero = options.starts_at_zero;
    runner.run()?;
    let clocks = std::mem::take(&mut runner.clocks);
    let latches = std::mem::take(&mut runner.latches);
    let moves = std::mem::take(&mut runner.moves);
    let resets = std::mem::take(&mut runner.resets);
    polarity::check(&design, &tables, root, &resets, options)?;
    let moved = (clocks, moves);
    finish::finish(design, tables, top, root, moved, latches, options)
}

/// Modules and interfaces by their names, which they have for themselves.
fn modules_by_name(tree: &SourceTree) -> Result<HashMap<&str, &Module>, Diagnostic> {
    let mut modules: HashMap<&str, &Module> = HashMap::new();
    for module in tree.modules.iter().filter(|module| !module.is_package) {
        if let Some(first) = modules.insert(module.name.text.as_str(), module) {
            let message = format!("two modules are called `{}`", module.name.text);
            return Err(Diagnostic::error(codes::REPEATED_NAME, message)
                .at(module.name.span, "the second")
                .at(first.name.span, "the first"));
        }
    }
    Ok(modules)
}

/// Tables in which nothing is declared yet.
fn new_tables<'s>(
    tree: &'s SourceTree,
    modules: HashMap<&'s str, &'s Module>,
    top: &'s Module,
    options: &Options,
) -> Tables<'s> {
    Tables {
        limits: &tree.limits,
        data: &tree.data,
        modules,
        left_out: &tree.left_out,
        packages: HashMap::new(),
        scopes: Vec::new(),
        signals: Vec::new(),
        processes: Vec::new(),
        blocks: QuickMap::default(),
        routines: QuickMap::default(),
        components: Recorder::new(options.components),
        fragments: &tree.fragments,
        unknowns: Vec::new(),
        spare_unknowns: Vec::new(),
        high_impedance: HashSet::new(),
        holes: options.holes.then(Holes::new),
        free_values: Vec::new(),
        instances: HashMap::new(),
        observers: Observers::new(tree, top),
        undeclared_is_error: tree.undeclared_is_error,
        depth: 0,
        steps: 0,
        warnings: delays_left_out(&tree.delays)
            .into_iter()
            .chain(truncated(&tree.truncated))
            .chain(tree.left_out.iter().map(LeftOut::warning))
            .collect(),
        conditions: Vec::new(),
        enumerated: Enumerated::default(),
        asserted: Asserted::default(),
        initial_targets: BTreeSet::new(),
        sampled_defaults: HashMap::new(),
        past: options.past,
        global_clock: None,
        has_shorthands: false,
        defaults: HashMap::new(),
    }
}

fn delays_left_out(delays: &[Span]) -> Option<Diagnostic> {
    let first = delays.first()?;
    let message = match delays.len() {
        1 => "a delay is left out".to_string(),
        count => format!("{count} delays are left out"),
    };
    let warning = Diagnostic::warning(codes::DELAY, message);
    Some(warning.at(*first, "a circuit has none"))
}

fn truncated(numbers: &[Span]) -> impl Iterator<Item = Diagnostic> + '_ {
    numbers.iter().map(|span| {
        let message = "this number does not fit in its width, and loses digits";
        Diagnostic::warning(expr_codes::NUMBER_TOO_BIG, message)
            .at(*span, "only the lowest bits are left")
            .help("widen the number or correct its value")
    })
}

/// Packages are scopes of their own; so is the design.
fn new_scope(tables: &mut Tables<'_>, package: &str) -> ScopeId {
    let id = ScopeId(tables.scopes.len());
    let path = match package {
        "" => Vec::new(),
        name => vec![name.to_string()],
    };
    tables.scopes.push(Scope {
        path,
        parent: None,
        is_module: true,
        module: None,
        generated: 0,
        entries: HashMap::new(),
    });
    id
}

/// The module that no other instantiates.
fn only_top(tree: &SourceTree) -> Result<String, Diagnostic> {
    let modules = tree.modules.iter().filter(|module| !module.is_package);
    let modules = modules.map(|module| (module.name.text.as_str(), module));
    let top = top_module(tree, &modules.collect(), None)?;
    Ok(top.name.text.clone())
}

fn top_module<'s>(
    tree: &'s SourceTree,
    modules: &HashMap<&str, &'s Module>,
    wanted: Option<&str>,
) -> Result<&'s Module, Diagnostic> {
    let mut left_out = tree.left_out.iter();
    if let Some(name) = wanted {
        if let Some(own) = left_out.find(|one| one.name.text == name) {
            return Err(own.problem.clone());
        }
        let known: Vec<&str> = modules.keys().copied().collect();
        return modules.get(name).copied().ok_or_else(|| {
            let message = format!("there is no module `{name}` to be the top");
            with_suggestion(Diagnostic::error(codes::TOP, message), name, &known)
        });
    }
    if let Some(own) = left_out.find(|one| one.has_ports) {
        return Err(own.problem.clone());
    }
    let mut used = HashSet::new();
    for module in &tree.modules {
        instantiated(&module.items, &mut used);
    }
    let candidates: Vec<&Module> = tree
        .modules
        .iter()
        .filter(|module| !module.is_package && !module.is_interface && !module.is_checker)
        .filter(|module| !used.contains(module.name.text.as_str()))
        .filter(|module| !only_binds(module))
        .collect();
    match candidates.as_slice() {
        [only] => Ok(only),
        [] if !tree.left_out.is_empty() => Err(tree.left_out[0].problem.clone()),
        [] => {
            let mut diagnostic = Diagnostic::error(codes::TOP, "there is no top module");
            if let Some(module) = tree.modules.iter().find(|module| !module.is_package) {
                diagnostic = diagnostic.at(module.name.span, "instantiated by another");
            }
            Err(diagnostic.help("a design is a module that no other module instantiates"))
        }
        [first, second, ..] => Err(Diagnostic::error(
            codes::TOP,
            format!(
                "there are {} modules that could be the design",
                candidates.len()
            ),
        )
        .at(first.name.span, "one")
        .at(second.name.span, "another")
        .help(format!("say `--top {}`", first.name.text))),
    }
}

/// Whether a module is there for its `bind` directives only.
fn only_binds(module: &Module) -> bool {
    let is_bind = |item: &Item| matches!(item.kind, ItemKind::Bind(_));
    !module.items.is_empty() && module.items.iter().all(is_bind)
}

/// The modules that items instantiate, in all branches of generate constructs.
fn instantiated<'s>(items: &'s [Item], used: &mut HashSet<&'s str>) {
    for item in items {
        match &item.kind {
            ItemKind::Instance(instance) => {
                used.insert(instance.module.text.as_str());
            }
            ItemKind::Bind(bind) => {
                used.insert(bind.instance.module.text.as_str());
            }
            ItemKind::GenerateFor(generate) => instantiated(&generate.block.items, used),
            ItemKind::GenerateIf {
                then, otherwise, ..
            } => {
                instantiated(&then.items, used);
                if let Some(otherwise) = otherwise {
                    instantiated(&otherwise.items, used);
                }
            }
            ItemKind::GenerateCase { items, .. } => {
                for (_, block) in items {
                    instantiated(&block.items, used);
                }
            }
            ItemKind::GenerateBlock(block) => instantiated(&block.items, used),
            _ => {}
        }
    }
}

/// The files of a design and how they are read: all that it takes to read it again.
#[derive(Clone, Debug, Default)]
pub struct Project {
    pub files: Vec<FileId>,
    /// The file of each include, by the file that includes and the name that it uses.
    pub includes: HashMap<(FileId, String), FileId>,
    /// Macros, each with the file that has its text.
    pub defines: Vec<(String, FileId)>,
    /// The file of each memory that is read from one, by the file and the name as above.
    pub data: HashMap<(FileId, String), FileId>,
    /// Parameters of the top module, each with the file that has its value.
    pub parameters: Vec<(String, FileId)>,
}

impl Project {
    pub fn parse(&self, sources: &Sources) -> Result<SourceTree, Diagnostic> {
        self.parse_with(sources, Unread::Refused)
    }

    /// What can be read of a design that only another front end reads as a whole.
    pub fn parse_around(&self, sources: &Sources) -> Result<SourceTree, Diagnostic> {
        self.parse_with(sources, Unread::LeftOut)
    }

    fn parse_with(&self, sources: &Sources, unread: Unread) -> Result<SourceTree, Diagnostic> {
        let finder =
            |name: &str, file: FileId| self.includes.get(&(file, name.to_string())).copied();
        let mut tree = parse_with(sources, &self.files, &finder, &self.defines, unread)?;
        for (name, file) in &self.parameters {
            let value = parameter_value(sources, *file)?;
            tree.parameters.push((name.clone(), value));
        }
        let data = self.data.iter();
        let data = data.map(|(key, file)| (key.clone(), sources.file(*file).text.clone()));
        tree.data = data.collect();
        Ok(tree)
    }
}

/// The value of a parameter, which is all of a text.
fn parameter_value(sources: &Sources, file: FileId) -> Result<Expr, Diagnostic> {
    let text = &sources.file(file).text;
    let tokens = tokenize_within(file, text, Dialect::Source, sources.limits());
    let mut cursor = Cursor::within(&tokens, sources.limits());
    let value = parse_in_source(&mut cursor)?;
    let end = cursor.peek();
    if end.kind != TokenKind::End {
        let message = format!("expected the end of the value, found {}", end.describe());
        return Err(Diagnostic::error(codes::SYNTAX, message).at(end.span, "here"));
    }
    Ok(value)
}

/// The files that a file includes, by name, whether or not a condition hides them.
pub fn included_names(sources: &Sources, file: FileId) -> Vec<String> {
    let tokens = tokens_with("`include", sources, file);
    let is_include = |token: &Token| token.kind == TokenKind::Directive && token.text == "include";
    let pairs = tokens.windows(2).filter(|pair| is_include(&pair[0]));
    pairs.filter_map(|pair| quoted(&pair[1])).collect()
}

/// The files that a file reads memories from, by name.
pub fn data_names(sources: &Sources, file: FileId) -> Vec<String> {
    let tokens = tokens_with(MEMORY_READ, sources, file);
    let calls = tokens.windows(3).filter(|call| is_memory_read(call));
    calls.filter_map(|call| quoted(&call[2])).collect()
}

/// Whether a file computes the name of a file that it reads a memory from.
pub fn computes_data_names(sources: &Sources, file: FileId) -> bool {
    let tokens = tokens_with(MEMORY_READ, sources, file);
    let mut calls = tokens.windows(4).filter(|call| is_memory_read(call));
    calls.any(|call| !(call[2].is_text() && call[3].is_symbol(",")))
}

/// All strings of a file.
pub fn strings(sources: &Sources, file: FileId) -> Vec<String> {
    let tokens = tokenize(file, &sources.file(file).text, Dialect::Source);
    tokens.iter().filter_map(quoted).collect()
}

/// What calls that read memories begin with.
const MEMORY_READ: &str = "$readmem";

/// The tokens of a file, or none if a text does not occur in it, as in most files.
fn tokens_with<'s>(text: &str, sources: &'s Sources, file: FileId) -> Vec<Token<'s>> {
    let whole = &sources.file(file).text;
    if !whole.contains(text) {
        return Vec::new();
    }
    tokenize(file, whole, Dialect::Source)
}

/// Whether tokens start with `$readmemh (`.
fn is_memory_read(tokens: &[Token<'_>]) -> bool {
    tokens[0].kind == TokenKind::System
        && matches!(tokens[0].text, "$readmemh" | "$readmemb")
        && tokens[1].is_symbol("(")
}

/// The text between quotes.
fn quoted(token: &Token<'_>) -> Option<String> {
    let is_text = token.kind == TokenKind::Text;
    is_text.then(|| token.text.trim_matches('"').to_string())
}
