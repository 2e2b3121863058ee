//! Definitions of a property file: what uses what, in which order, and what must not be.

use super::codes;
use super::formula::Formulas;
use super::meaning::{Meaning, meaning};
use super::property_file::WrittenProperty;
use crate::expr::Role;
use crate::expr::tree::{NodeId, NodeKind, Tree};
use crate::limits::Limits;
use crate::source::{Diagnostic, Span};
use std::collections::HashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    Define,
    Property(Role),
}

/// A statement that was read, before its names are resolved.
pub struct Statement {
    pub kind: StatementKind,
    /// With its span.
    pub name: Option<(String, Span)>,
    pub span: Span,
    /// Where its nodes start in the tree.
    pub first: usize,
    pub root: NodeId,
}

/// Gives each statement its meaning.
pub struct Resolver<'a> {
    /// Who resolves asks it again before it believes what was resolved.
    limits: &'a Limits,
    formulas: &'a mut Formulas,
    tree: &'a Tree,
    statements: &'a [Statement],
    /// By name, the statement that defines it.
    definitions: HashMap<&'a str, usize>,
    /// By statement; `None` where an error was already reported.
    meanings: HashMap<usize, Option<Meaning>>,
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    /// With what was already found to be wrong.
    pub fn new(
        formulas: &'a mut Formulas,
        tree: &'a Tree,
        statements: &'a [Statement],
        errors: Vec<Diagnostic>,
        limits: &'a Limits,
    ) -> Resolver<'a> {
        Resolver {
            limits,
            formulas,
            tree,
            statements,
            definitions: HashMap::new(),
            meanings: HashMap::new(),
            errors,
            warnings: Vec::new(),
        }
    }

    /// The properties that are fine; what is wrong with the others is in `errors`.
    pub fn resolve(&mut self) -> Vec<WrittenProperty> {
        self.collect_definitions();
        self.refuse_repeated_names();
        self.resolve_definitions();
        self.properties()
    }

    fn collect_definitions(&mut self) {
        for (index, statement) in self.statements.iter().enumerate() {
            let (StatementKind::Define, Some((name, span))) = (statement.kind, &statement.name)
            else {
                continue;
            };
            if let Some(first) = self.definitions.get(name.as_str()) {
                let mut error = Diagnostic::error(
                    codes::REPEATED_DEFINITION,
                    format!("`{name}` is defined twice"),
                )
                .at(*span, "the second definition");
                if let Some((_, span)) = &self.statements[*first].name {
                    error = error.at(*span, "the first definition");
                }
                self.errors.push(error.help("rename or remove one of them"));
            } else {
                self.definitions.insert(name, index);
            }
        }
    }

    fn refuse_repeated_names(&mut self) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for statement in self.statements {
            let (StatementKind::Property(_), Some((name, span))) =
                (statement.kind, &statement.name)
            else {
                continue;
            };
            if let Some(first) = seen.get(name.as_str()) {
                self.errors.push(
                    Diagnostic::error(
                        codes::REPEATED_NAME,
                        format!("two properties are named `{name}`"),
                    )
                    .at(*span, "the second one")
                    .at(*first, "the first one")
                    .help("rename one of them, or leave the names out"),
                );
            } else {
                seen.insert(name, *span);
            }
        }
    }

    /// The definitions that a statement uses, with their spans.
    fn uses(&self, statement: usize) -> Vec<(usize, Span)> {
        let statement = &self.statements[statement];
        self.tree
            .between(statement.first, statement.root)
            .filter_map(|id| {
                let node = self.tree.node(id);
                match &node.kind {
                    NodeKind::Name(path) if path.len() == 1 => self
                        .definitions
                        .get(path[0].as_str())
                        .map(|definition| (*definition, node.span)),
                    _ => None,
                }
            })
            .collect()
    }

    /// Gives every definition its meaning, after those it uses.
    fn resolve_definitions(&mut self) {
        let mut order: Vec<usize> = self.definitions.values().copied().collect();
        order.sort_unstable();
        for start in order {
            // A path of definitions being resolved, each with what it still has to look at.
            let mut path = vec![(start, self.uses(start))];
            while let Some((current, uses)) = path.last_mut() {
                if self.limits.poll().is_err() {
                    return;
                }
                let current = *current;
                if self.meanings.contains_key(&current) {
                    path.pop();
                    continue;
                }
                let Some((next, span)) = uses.pop() else {
                    let meaning = self.meaning_of(current);
                    self.meanings.insert(current, meaning);
                    path.pop();
                    continue;
                };
                if self.meanings.contains_key(&next) {
                    continue;
                }
                match path.iter().position(|(index, _)| *index == next) {
                    Some(from) => {
                        let cycle: Vec<usize> =
                            path[from..].iter().map(|(index, _)| *index).collect();
                        self.report_cycle(&cycle, span);
                        for index in cycle {
                            self.meanings.insert(index, None);
                        }
                    }
                    None => {
                        let uses = self.uses(next);
                        path.push((next, uses));
                    }
                }
            }
        }
    }

    fn report_cycle(&mut self, cycle: &[usize], back: Span) {
        let names: Vec<&str> = cycle
            .iter()
            .filter_map(|index| self.statements[*index].name.as_ref())
            .map(|(name, _)| name.as_str())
            .collect();
        let Some(first) = names.first() else {
            return;
        };
        let mut error = Diagnostic::error(
            codes::CYCLIC_DEFINITION,
            format!("`{first}` is defined in terms of itself"),
        )
        .at(back, format!("`{first}` is used here"));
        if let Some((_, span)) = &self.statements[cycle[0]].name {
            error = error.at(*span, "and defined here");
        }
        if names.len() > 1 {
            error = error.note(format!("the cycle is {} -> {first}", names.join(" -> ")));
        }
        self.errors
            .push(error.help("a definition stands for its text and cannot contain itself"));
    }

    /// The meaning of a statement; `None` if there is none, which has been reported.
    fn meaning_of(&mut self, index: usize) -> Option<Meaning> {
        let broken = self
            .uses(index)
            .iter()
            .any(|(definition, _)| matches!(self.meanings.get(definition), Some(None)));
        if broken {
            return None;
        }
        let statement = &self.statements[index];
        let (definitions, meanings) = (&self.definitions, &self.meanings);
        let lookup = |name: &str| {
            let definition = definitions.get(name)?;
            meanings.get(definition)?.clone()
        };
        let result = meaning(
            self.formulas,
            self.tree,
            statement.first,
            statement.root,
            &lookup,
            &mut self.warnings,
        );
        match result {
            Ok(meaning) => Some(meaning),
            Err(error) => {
                self.errors.push(error);
                None
            }
        }
    }

    fn properties(&mut self) -> Vec<WrittenProperty> {
        let mut properties = Vec::new();
        for (index, statement) in self.statements.iter().enumerate() {
            let StatementKind::Property(role) = statement.kind else {
                continue;
            };
            if self.limits.poll().is_err() {
                return properties;
            }
            if let Some(meaning) = self.meaning_of(index) {
                properties.push(WrittenProperty {
                    role,
                    name: statement.name.as_ref().map(|(name, _)| name.clone()),
                    span: statement.span,
                    formula: meaning.into_formula(self.formulas),
                });
            }
        }
        properties
    }
}
