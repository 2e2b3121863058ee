//! Generate constructs: which blocks a design has, and their scopes.

use super::codes;
use super::declare::{Declared, Declarer};
use super::scope::{Entry, ScopeId, Tables};
use super::syntax::*;
use super::types::Type;
use crate::design::words;
use crate::expr::Expr;
use crate::source::{Diagnostic, Span};

/// Iterations of one generate loop.
const MOST_ITERATIONS: usize = 4096;

impl<'s> Declarer<'_, 's> {
    pub(super) fn generate_case(
        &mut self,
        selector: &'s Expr,
        items: &'s [(Vec<Expr>, GenerateBlock)],
        scope: ScopeId,
    ) -> Declared<()> {
        self.tables.scopes[scope.0].generated += 1;
        let value = self.integer(scope, selector)?;
        for (labels, block) in items {
            let mut hit = labels.is_empty();
            for label in labels {
                hit |= self.integer(scope, label)? == value;
            }
            if hit && !(labels.is_empty() && self.later_label(items, scope, value)?) {
                return self.generate_block(block, scope, None);
            }
        }
        Ok(())
    }

    /// Whether a label of a generate case matches: the default may come first.
    fn later_label(
        &mut self,
        items: &'s [(Vec<Expr>, GenerateBlock)],
        scope: ScopeId,
        value: i64,
    ) -> Declared<bool> {
        for (labels, _) in items {
            for label in labels {
                if self.integer(scope, label)? == value {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    pub(super) fn generate_for(
        &mut self,
        generate: &'s GenerateFor,
        scope: ScopeId,
        span: Span,
    ) -> Declared<()> {
        let mut value = self.integer(scope, &generate.start)?;
        self.tables.scopes[scope.0].generated += 1;
        let name = generate.block.name.as_ref();
        let label = match name {
            Some(name) => name.text.clone(),
            None => self.unnamed(scope),
        };
        for _ in 0..MOST_ITERATIONS {
            self.tables.limits.poll()?;
            let inner = self.loop_scope(scope, &label, &generate.variable.text, value);
            let (holds, _) = self.constant(inner, &generate.condition)?;
            if !holds.iter().any(|bit| bit.as_constant() == Some(true)) {
                return Ok(());
            }
            self.tables.scopes[scope.0]
                .entries
                .insert(format!("{label}[{value}]"), Entry::Scope(inner));
            self.items(&generate.block.items, inner)?;
            value = self.integer(inner, &generate.step)?;
        }
        let message = format!("this loop runs more than {MOST_ITERATIONS} times");
        Err(Diagnostic::error(codes::LOOP, message)
            .at(span, "it may never end")
            .help("check its condition and its step"))
    }

    /// The name of the present generate construct of a scope, which has none of its own (IEEE
    /// 1800-2017, 27.6).
    fn unnamed(&self, scope: ScopeId) -> String {
        let scope = self.tables.scope(scope);
        let mut name = format!("genblk{}", scope.generated);
        while scope.entries.contains_key(&name) {
            name = name.replacen("genblk", "genblk0", 1);
        }
        name
    }

    fn loop_scope(&mut self, scope: ScopeId, label: &str, variable: &str, value: i64) -> ScopeId {
        let inner = self
            .tables
            .add_scope(scope, &format!("{label}[{value}]"), false);
        let bits = words::constant(value as u64, 32);
        let entry = Tables::constant(bits, Type::vector(32, true));
        self.tables.scopes[inner.0]
            .entries
            .insert(variable.to_string(), entry);
        inner
    }

    pub(super) fn generate_block(
        &mut self,
        block: &'s GenerateBlock,
        scope: ScopeId,
        label: Option<&str>,
    ) -> Declared<()> {
        let name = block.name.as_ref().map(|name| name.text.as_str()).or(label);
        let Some(name) = name else {
            // Without a name its items belong to the scope outside, but may shadow names of it.
            let inner = self.tables.add_scope(scope, "genblk", false);
            self.tables.scopes[inner.0].path.pop();
            let is_chained = matches!(
                block.items.as_slice(),
                [Item {
                    kind: ItemKind::GenerateIf { .. } | ItemKind::GenerateCase { .. },
                    ..
                }]
            );
            let name = self.unnamed(scope);
            if is_chained {
                // `else if` is the same construct.
                let generated = self.tables.scope(scope).generated;
                self.tables.scopes[inner.0].generated = generated.saturating_sub(1);
            } else {
                let known = &mut self.tables.scopes[scope.0].entries;
                known.insert(name, Entry::Scope(inner));
            }
            self.items(&block.items, inner)?;
            // Hierarchical names and properties see through blocks without names.
            let entries = self.tables.scope(inner).entries.clone();
            for (key, entry) in entries {
                let target = &mut self.tables.scopes[scope.0].entries;
                target.entry(key).or_insert(entry);
            }
            return Ok(());
        };
        let inner = self.tables.add_scope(scope, name, false);
        self.tables.scopes[scope.0]
            .entries
            .insert(name.to_string(), Entry::Scope(inner));
        self.items(&block.items, inner)
    }
}
