//! What a name means, and where it is declared.
//!
//! Names of Verilog come from the syntax tree, their widths and values from the elaborated
//! design where there is one. The other languages have few kinds of declarations, which
//! `declared` finds by their words, so that a text with mistakes elsewhere has names as well.

use super::declared::{Declared, declared};
use super::{Desk, Task, is_of_design};
use crate::cli::context::Failure;
use crate::cli::design::options;
use crate::cli::input::read_all;
use crate::cli::lsp::position::Position;
use crate::cli::lsp::question::{Answer, Place};
use crate::cli::request::{DesignInput, Request};
use crate::cli::specification::read_spec;
use crate::design::verilog::syntax::{
    Declaration, GenerateBlock, Identifier, Item, ItemKind, Module, Statement, StatementKind,
    TypeKind,
};
use crate::design::verilog::{self, Elaborated, SourceTree, VisibleKind, VisibleName};
use crate::load::{self, Format, Purpose};
use crate::source::{FileId, Sources, Span};

/// A name where it is declared.
struct Symbol {
    name: String,
    span: Span,
    /// Where the name means this; everywhere if nothing.
    scope: Option<Span>,
    /// What it is, beside the line that declares it.
    about: String,
}

/// A name where somebody points at it.
struct Pointed {
    name: String,
    file: FileId,
    start: usize,
    end: usize,
    is_macro: bool,
}

impl Desk<'_> {
    pub(super) fn hover(&self, format: Format, position: Position) -> Result<Answer, Failure> {
        let (sources, symbols) = self.symbols(format)?;
        let Some((pointed, found)) = self.pointed_at(&sources, &symbols, position) else {
            return Ok(Answer::default());
        };
        let Some(symbol) = found.first() else {
            return Ok(Answer::default());
        };
        let language = match format {
            Format::Verilog | Format::Properties => "systemverilog",
            Format::Spectra => "spectra",
            _ => "",
        };
        let line = line_of(&sources, symbol.span);
        let about = match symbol.about.as_str() {
            "" => String::new(),
            about => format!("\n{about}"),
        };
        let text = format!("```{language}\n{line}\n```{about}");
        let file = sources.file(pointed.file);
        let range = self
            .question
            .encoding
            .range(&file.text, pointed.start, pointed.end);
        Ok(Answer {
            hover: Some((range, text)),
            ..Answer::default()
        })
    }

    pub(super) fn definition(&self, format: Format, position: Position) -> Result<Answer, Failure> {
        let (sources, symbols) = self.symbols(format)?;
        let found = self.pointed_at(&sources, &symbols, position);
        let findings = self.findings(&sources);
        let places = found.into_iter().flat_map(|(_, found)| found);
        let places: Vec<Place> = places.map(|symbol| findings.place(symbol.span)).collect();
        Ok(Answer {
            definitions: places,
            ..Answer::default()
        })
    }

    /// The name at a position, and what it can mean there: the nearest scope wins.
    fn pointed_at<'s>(
        &self,
        sources: &Sources,
        symbols: &'s [Symbol],
        position: Position,
    ) -> Option<(Pointed, Vec<&'s Symbol>)> {
        let mut ids = sources.ids();
        let id = ids.find(|id| self.absolute(&sources.file(*id).name) == self.question.file)?;
        let text = &sources.file(id).text;
        let offset = self.question.encoding.offset(text, position);
        let (start, end) = word_at(text, offset)?;
        let pointed = Pointed {
            name: text[start..end].to_string(),
            file: id,
            start,
            end,
            is_macro: text[..start].ends_with('`'),
        };
        let mut found: Vec<&Symbol> = symbols
            .iter()
            .filter(|one| one.name.strip_prefix('`').unwrap_or(&one.name) == pointed.name)
            .filter(|one| one.name.starts_with('`') == pointed.is_macro)
            .collect();
        let is_inside = |scope: &Span| {
            scope.file == id && (scope.start as usize..scope.end as usize).contains(&start)
        };
        let size = |symbol: &Symbol| symbol.scope.map_or(u32::MAX, |one| one.end - one.start);
        let inner = found
            .iter()
            .filter(|one| one.scope.is_some_and(|scope| is_inside(&scope)));
        if let Some(nearest) = inner.map(|one| size(one)).min() {
            found.retain(|one| {
                one.scope.is_some_and(|scope| is_inside(&scope)) && size(one) == nearest
            });
        }
        // A port may be declared in the header and again below it.
        found.truncate(4);
        (!found.is_empty()).then_some((pointed, found))
    }

    fn symbols(&self, format: Format) -> Result<(Sources, Vec<Symbol>), Failure> {
        if is_of_design(format) {
            if let Ok(Some(mut task)) = self.design_task("verify", format) {
                return self.design_symbols(&mut task, format);
            }
            return self.symbols_of_text(&["check", "--from", "props"], format);
        }
        let mut found = self.symbols_of_text(&["check"], format)?;
        // Imports are known once the file is read.
        let mut task = self.task(&["check"])?;
        if let Request::Check(request) = &task.request
            && read_spec(&request.spec, &mut task.context).is_ok()
        {
            let sources = std::mem::take(&mut task.context.sources);
            let symbols = sources.ids().flat_map(|id| written(&sources, id, format));
            found = (sources.clone(), symbols.collect());
        }
        Ok(found)
    }

    /// What the text itself declares.
    fn symbols_of_text(
        &self,
        words: &[&str],
        format: Format,
    ) -> Result<(Sources, Vec<Symbol>), Failure> {
        let mut task = self.task(words)?;
        let Request::Check(request) = &task.request else {
            return Ok(Default::default());
        };
        let file = crate::cli::input::read(&request.spec.file, &mut task.context)?;
        let sources = std::mem::take(&mut task.context.sources);
        let symbols = written(&sources, file, format);
        Ok((sources, symbols))
    }

    fn design_symbols(
        &self,
        task: &mut Task,
        format: Format,
    ) -> Result<(Sources, Vec<Symbol>), Failure> {
        let Request::Verify(request) = &task.request else {
            return Ok(Default::default());
        };
        let design = &request.design;
        let context = &mut task.context;
        let files = read_all(design.files(), context)?;
        let (designs, rest) = files.split_at(design.designs.len());
        let properties = &rest[..design.properties.len()];
        let tree = self.tree(design, designs, context);
        let sources = std::mem::take(&mut context.sources);
        let mut symbols = Vec::new();
        if let Some((tree, elaborated)) = &tree {
            let mut walk = Walk {
                elaborated: elaborated.as_ref(),
                module: String::new(),
                scope: None,
                symbols: &mut symbols,
            };
            tree.modules.iter().for_each(|module| walk.module(module));
        }
        for id in sources.ids() {
            symbols.extend(macros(&sources, id));
        }
        for file in properties {
            symbols.extend(written(&sources, *file, Format::Properties));
        }
        if format == Format::Properties {
            // Names of a property file are those of the top module.
            let top = tree.and_then(|(_, elaborated)| Some(elaborated?.top));
            prefer_top(&mut symbols, top.as_deref());
        }
        Ok((sources, symbols))
    }

    fn tree(
        &self,
        design: &DesignInput,
        designs: &[FileId],
        context: &mut crate::cli::Context,
    ) -> Option<(SourceTree, Option<Elaborated>)> {
        let options = options(design, &[], Purpose::Verify);
        let reader = crate::cli::input::Disk {
            limits: &context.limits,
            texts: &context.texts,
            missing: &context.missing,
        };
        let sources = &mut context.sources;
        let project = load::project(designs, &options, sources, &reader).ok()?;
        let tree = project
            .parse(sources)
            .or_else(|_| project.parse_around(sources));
        let tree = tree.ok()?;
        let wanted = verilog::Options {
            top: options.top.clone(),
            allows_latches: true,
            ..verilog::Options::default()
        };
        let elaborated = verilog::elaborate(&tree, &wanted).ok();
        Some((tree, elaborated))
    }
}

/// Symbols of the top module come first for a file that belongs to no module.
fn prefer_top(symbols: &mut [Symbol], top: Option<&str>) {
    let suffix = top.map(|top| format!("in module `{top}`"));
    symbols.sort_by_key(|one| {
        let is_top = suffix
            .as_ref()
            .is_some_and(|suffix| one.about.ends_with(suffix.as_str()));
        !is_top
    });
    symbols.iter_mut().for_each(|one| one.scope = None);
}

/// What a text declares by words of its language.
fn written(sources: &Sources, file: FileId, format: Format) -> Vec<Symbol> {
    let found = declared(&sources.file(file).text, format).into_iter();
    found
        .map(|Declared { name, start, about }| Symbol {
            span: Span::new(file, start, start + name.len()),
            name,
            scope: None,
            about: about.to_string(),
        })
        .collect()
}

/// Macros that a text defines; their names begin with the backtick of their uses.
fn macros(sources: &Sources, file: FileId) -> Vec<Symbol> {
    const WORD: &str = "`define";
    let text = &sources.file(file).text;
    let found = text.match_indices(WORD).filter_map(|(at, _)| {
        let rest = &text[at + WORD.len()..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let start = at + WORD.len() + blank;
        let (first, end) = word_at(text, start)?;
        (blank > 0 && first == start).then(|| Symbol {
            name: format!("`{}", &text[start..end]),
            span: Span::new(file, start, end),
            scope: None,
            about: "macro".to_string(),
        })
    });
    found.collect()
}

/// The word around an offset.
fn word_at(text: &str, offset: usize) -> Option<(usize, usize)> {
    let is_part = |one: char| one.is_ascii_alphanumeric() || one == '_' || one == '$';
    let before = text[..offset].trim_end_matches(is_part).len();
    let behind = &text[offset..];
    let end = offset + behind.len() - behind.trim_start_matches(is_part).len();
    let first = text[before..end].chars().next()?;
    (!first.is_ascii_digit()).then_some((before, end))
}

/// The line that declares something, with those that continue it.
fn line_of(sources: &Sources, span: Span) -> String {
    let text = &sources.file(span.file).text;
    let start = text[..span.start as usize]
        .rfind('\n')
        .map_or(0, |at| at + 1);
    let mut lines = Vec::new();
    for line in text[start..].lines().take(8) {
        lines.push(line.trim_end());
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    let whole = lines.join("\n");
    whole.trim().chars().take(400).collect()
}

/// The walk over the declarations of a syntax tree.
struct Walk<'a> {
    elaborated: Option<&'a Elaborated>,
    module: String,
    scope: Option<Span>,
    symbols: &'a mut Vec<Symbol>,
}

impl Walk<'_> {
    fn module(&mut self, module: &Module) {
        let what = match (module.is_package, module.is_interface) {
            (true, _) => "package",
            (_, true) => "interface",
            _ => "module",
        };
        self.scope = None;
        self.add(&module.name, what.to_string());
        self.module = module.name.text.clone();
        let end = module.end;
        // A package is used from other places as well.
        self.scope = (!module.is_package && end.file == module.name.span.file)
            .then(|| module.name.span.to(end));
        for parameter in &module.parameters {
            self.named(&parameter.name, "parameter");
        }
        self.items(&module.items);
    }

    fn items(&mut self, items: &[Item]) {
        items.iter().for_each(|item| self.item(item));
    }

    fn item(&mut self, item: &Item) {
        match &item.kind {
            ItemKind::Parameter(parameter) => self.named(&parameter.name, "parameter"),
            ItemKind::Declaration(declaration) => self.declaration(declaration),
            ItemKind::TypeDefinition(name, data_type, _) => {
                self.named(name, "type");
                self.members(&data_type.kind);
            }
            ItemKind::Instance(instance) => {
                let module = &instance.module.text;
                for single in &instance.instances {
                    self.add(&single.name, format!("instance of `{module}`"));
                }
            }
            ItemKind::Routine(routine) => {
                self.named(&routine.name, "routine");
                for argument in &routine.arguments {
                    self.named(&argument.name, "argument");
                }
                self.items(&routine.declarations);
            }
            ItemKind::PropertyDeclaration(own) | ItemKind::Let(own) => {
                self.named(&own.name, "property");
            }
            ItemKind::Assertion(assertion) => {
                if let Some(label) = &assertion.label {
                    self.named(label, "assertion");
                }
            }
            ItemKind::GenerateFor(own) => {
                self.named(&own.variable, "generate variable");
                self.block(&own.block);
            }
            ItemKind::GenerateIf {
                then, otherwise, ..
            } => {
                self.block(then);
                otherwise.iter().for_each(|block| self.block(block));
            }
            ItemKind::GenerateCase { items, .. } => {
                items.iter().for_each(|(_, block)| self.block(block));
            }
            ItemKind::GenerateBlock(block) => self.block(block),
            ItemKind::Always(always) => self.statement(&always.body),
            ItemKind::Initial(statement) => self.statement(statement),
            ItemKind::InterfacePort {
                interface, name, ..
            } => {
                let kind = match interface {
                    Some(interface) => format!("port of interface `{}`", interface.text),
                    None => "port of any interface".to_string(),
                };
                self.add(name, kind);
            }
            _ => {}
        }
    }

    fn block(&mut self, block: &GenerateBlock) {
        if let Some(name) = &block.name {
            self.named(name, "generate block");
        }
        self.items(&block.items);
    }

    fn statement(&mut self, statement: &Statement) {
        if let StatementKind::Block { declarations, .. } = &statement.kind {
            self.items(declarations);
        }
        for inner in statement.inner() {
            self.statement(inner);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        for declarator in &declaration.names {
            self.named(&declarator.name, "");
        }
        if let Some(data_type) = &declaration.data_type {
            self.members(&data_type.kind);
        }
    }

    /// The values of an enumeration, the fields of a structure.
    fn members(&mut self, kind: &TypeKind) {
        match kind {
            TypeKind::Enumeration { members, .. } => {
                members
                    .iter()
                    .for_each(|(name, _)| self.named(name, "value"));
            }
            TypeKind::Structure(fields) | TypeKind::Union(fields) => {
                let names = fields.iter().flat_map(|field| &field.names);
                names.for_each(|(name, _)| self.named(name, "field"));
            }
            _ => {}
        }
    }

    /// Adds a name of a module, with its type as far as it is known.
    fn named(&mut self, name: &Identifier, what: &str) {
        let module = &self.module;
        let visible = self.elaborated.and_then(|one| one.modules.get(module));
        let visible = visible.and_then(|names| names.iter().find(|one| one.name == name.text));
        let about = match (what, visible.map(described)) {
            ("" | "parameter" | "value", Some(known)) => known,
            ("", None) => "signal".to_string(),
            (what, _) => what.to_string(),
        };
        let about = format!("{about}, in module `{module}`");
        self.add(name, about);
    }

    fn add(&mut self, name: &Identifier, about: String) {
        self.symbols.push(Symbol {
            name: name.text.clone(),
            span: name.span,
            scope: self.scope,
            about,
        });
    }
}

/// The type of a name in words.
fn described(name: &VisibleName) -> String {
    let bits = match name.width {
        1 => "1 bit".to_string(),
        width => format!("{width} bits"),
    };
    let sign = if name.signed { ", signed" } else { "" };
    match name.kind {
        VisibleKind::Input => format!("input of {bits}{sign}"),
        VisibleKind::Logic => format!("signal of {bits}{sign}"),
        VisibleKind::Register => format!("register of {bits}{sign}"),
        VisibleKind::Constant(value) => format!("constant of {bits}{sign}, value {value}"),
        VisibleKind::Array => format!("array of elements with {bits}{sign}"),
    }
}
