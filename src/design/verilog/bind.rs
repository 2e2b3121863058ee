//! `bind`: checkers that are put into modules or instances from outside (IEEE 1800-2017, 23.11).
//!
//! A bound instance stands in the scope of its target, as if it were the last item there, and
//! sees the names of it. It is taken for an observer: it is right, and neither read nor edited;
//! unless an output of it drives something of the design, which it then is a part of.

use super::SourceTree;
use super::codes;
use super::declare::{Declared, Declarer, with_suggestion};
use super::observers::outputs;
use super::scope::{Entry, ScopeId};
use super::syntax::*;
use crate::source::Diagnostic;
use std::collections::HashMap;

/// All instances of each module, before anything was bound.
type Instances<'s> = HashMap<&'s str, Vec<ScopeId>>;

/// A directive, and the module that it stands in; that name is empty outside of all modules.
struct Directive<'s> {
    bind: &'s Bind,
    module: &'s str,
}

impl<'s> Declarer<'_, 's> {
    /// Declares all bound instances; everything else is declared. A directive counts wherever
    /// it stands, also in a module that is no part of the design, as files of binds are written.
    pub fn bind_all(&mut self, tree: &'s SourceTree, top: &str) -> Declared<()> {
        let mut directives = Vec::new();
        for module in &tree.modules {
            directives_in(module, &mut directives)?;
        }
        // Nothing is bound to what was bound.
        let instances = self.tables.instances.clone();
        for directive in directives {
            self.tables.limits.poll()?;
            let drives = self.drives(directive.bind);
            let targets = self.targets(&directive, &instances, top)?;
            if targets.is_empty() {
                let target = directive.bind.target.text();
                let message = format!("nothing is bound: `{target}` is no part of the design");
                let warning = Diagnostic::warning(codes::BOUND_NOWHERE, message)
                    .at(directive.bind.target.span, "without an instance");
                self.tables.warnings.push(warning);
            }
            for scope in targets {
                self.instance(&directive.bind.instance, scope)?;
                for single in directive.bind.instance.instances.iter().filter(|_| !drives) {
                    let path = self.tables.full_name(scope, &single.name.text);
                    self.tables.observers.note_bound(path);
                }
            }
        }
        Ok(())
    }

    /// Whether outputs of what is bound are connected.
    fn drives(&self, bind: &'s Bind) -> bool {
        let name = bind.instance.module.text.as_str();
        let Some(module) = self.tables.modules.get(name) else {
            // Whoever declares the instance says so.
            return false;
        };
        let is_output = |connection: &Connection, position: usize| match connection.value {
            ConnectionValue::Open => false,
            ConnectionValue::AllOthers => outputs(module).next().is_some(),
            _ => {
                let port = module.port_of(connection, position);
                port.is_some_and(|port| outputs(module).any(|output| output == port.text))
            }
        };
        let singles = bind.instance.instances.iter();
        let mut connections = singles.flat_map(|single| single.connections.iter().enumerate());
        connections.any(|(position, connection)| is_output(connection, position))
    }

    /// The scopes that a directive puts its instances into.
    fn targets(
        &self,
        directive: &Directive<'s>,
        instances: &Instances<'s>,
        top: &str,
    ) -> Declared<Vec<ScopeId>> {
        let Bind { target, chosen, .. } = directive.bind;
        let of_module = match target.parts.as_slice() {
            [name] if self.tables.modules.contains_key(name.as_str()) => {
                Some(instances.get(name.as_str()).cloned().unwrap_or_default())
            }
            _ => None,
        };
        match of_module {
            Some(all) if chosen.is_empty() => Ok(all),
            Some(all) => {
                let mut scopes = Vec::new();
                for path in chosen {
                    let scope = self.instance_at(path, directive.module, instances, top)?;
                    if !all.contains(&scope) {
                        let (path_text, module) = (path.text(), target.text());
                        let message = format!("`{path_text}` is no instance of `{module}`");
                        return Err(Diagnostic::error(codes::HIERARCHY, message)
                            .at(path.span, "bound to this instance"));
                    }
                    scopes.push(scope);
                }
                Ok(scopes)
            }
            None => {
                let scope = self.instance_at(target, directive.module, instances, top)?;
                Ok(vec![scope])
            }
        }
    }

    /// An instance by its path: from the module of the directive, from the top module, or with
    /// the name of the top module in front.
    fn instance_at(
        &self,
        path: &InstancePath,
        module: &str,
        instances: &Instances<'s>,
        top: &str,
    ) -> Declared<ScopeId> {
        let parts = match path.parts.as_slice() {
            [first, rest @ ..] if first == "$root" => rest,
            all => all,
        };
        let tops = instances.get(top).into_iter().flatten();
        let around = instances.get(module).into_iter().flatten();
        let mut starts: Vec<(ScopeId, &[String])> = Vec::new();
        starts.extend(around.map(|scope| (*scope, parts)));
        if let [first, rest @ ..] = parts
            && first == top
        {
            starts.extend(tops.clone().map(|scope| (*scope, rest)));
        }
        starts.extend(tops.map(|scope| (*scope, parts)));
        let found = starts.into_iter().find_map(|(scope, parts)| {
            let found = parts.iter().try_fold(scope, |scope, part| {
                match self.tables.scope(scope).entries.get(part) {
                    Some(Entry::Scope(inner)) => Some(*inner),
                    _ => None,
                }
            });
            found.filter(|scope| instances.values().any(|all| all.contains(scope)))
        });
        found.ok_or_else(|| {
            let message = format!("there is no module or instance `{}`", path.text());
            let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message)
                .at(path.span, "nothing can be bound to it");
            let known: Vec<&str> = self.tables.modules.keys().copied().collect();
            with_suggestion(diagnostic, &path.text(), &known)
        })
    }
}

/// The directives of a module. One inside of a generate construct would depend on it.
fn directives_in<'s>(module: &'s Module, found: &mut Vec<Directive<'s>>) -> Declared<()> {
    for item in &module.items {
        match &item.kind {
            ItemKind::Bind(bind) => found.push(Directive {
                bind,
                module: &module.name.text,
            }),
            _ => refuse_inside(item)?,
        }
    }
    Ok(())
}

fn refuse_inside(item: &Item) -> Declared<()> {
    crate::stack::recurse(|| {
        for inner in blocks_of(item).into_iter().flat_map(|block| &block.items) {
            if let ItemKind::Bind(_) = inner.kind {
                let message = "`bind` inside of a generate construct";
                return Err(super::parse::unsupported(message, inner.span)
                    .help("write it at the end of the module"));
            }
            refuse_inside(inner)?;
        }
        Ok(())
    })
}

/// The blocks of a generate construct.
fn blocks_of(item: &Item) -> Vec<&GenerateBlock> {
    match &item.kind {
        ItemKind::GenerateFor(generate) => vec![&generate.block],
        ItemKind::GenerateIf {
            then, otherwise, ..
        } => std::iter::once(then).chain(otherwise).collect(),
        ItemKind::GenerateCase { items, .. } => items.iter().map(|(_, block)| block).collect(),
        ItemKind::GenerateBlock(block) => vec![block],
        _ => Vec::new(),
    }
}
