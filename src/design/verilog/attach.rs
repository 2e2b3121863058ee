//! Concurrent assertions of a source whose circuit another program has made, and which that
//! program does not understand: they are taken out of its text, and attached by name.
//!
//! The source is declared as if it were elaborated: scopes, types, parameters, functions. Then
//! every signal has the bits that the netlist has under its name, and only assertions are run.
//! What the netlist has no name for is not declared, so that an assertion that needs it is
//! refused.

use super::assertions::Asserted;
use super::codes;
use super::declare::{Declarer, simple_name};
use super::frame::Frame;
use super::parse::unsupported;
use super::scope::{Entry, Process, ScopeId, SignalId, SignalKind, Tables};
use super::syntax::*;
use super::{Options, SourceTree, declare_all, modules_by_name, new_tables, top_module};
use crate::design::literal::NodeId;
use crate::design::netlist::{Design, InputKind, Node, Word};
use crate::design::yosys_json::YosysNetlist;
use crate::design::{Literal, Reach};
use crate::source::{Diagnostic, FileId, Sources, Span};
use std::collections::{BTreeMap, HashSet};

/// The texts without their concurrent assertions; all other text stays where it is.
pub fn without_properties(tree: &SourceTree, sources: &Sources) -> Result<Sources, Diagnostic> {
    let mut taken = Vec::new();
    let mut kept = Vec::new();
    for module in &tree.modules {
        spans(&module.items, &mut taken, &mut kept)?;
    }
    // A macro may stand for an assertion and for something else.
    let both = taken.iter().find(|span| kept.contains(span));
    if let Some(span) = both {
        let what = "an assertion in a macro with other items";
        return Err(unsupported(what, *span).help("give the assertion a macro of its own"));
    }
    let mut texts: BTreeMap<FileId, String> = BTreeMap::new();
    for span in taken {
        let text = texts
            .entry(span.file)
            .or_insert_with(|| sources.file(span.file).text.clone());
        let (start, end) = (span.start as usize, span.end as usize);
        let blank: String = text[start..end]
            .bytes()
            .map(|byte| if byte == b'\n' { '\n' } else { ' ' })
            .collect();
        text.replace_range(start..end, &blank);
    }
    Ok(sources.with_texts(&texts))
}

/// Whether there is anything to attach.
pub fn has_properties(tree: &SourceTree) -> bool {
    let (mut taken, mut kept) = (Vec::new(), Vec::new());
    let mut modules = tree.modules.iter();
    modules.any(|module| spans(&module.items, &mut taken, &mut kept).is_err()) || !taken.is_empty()
}

/// The items that are about concurrent assertions, and all others.
fn spans(items: &[Item], taken: &mut Vec<Span>, kept: &mut Vec<Span>) -> Result<(), Diagnostic> {
    for item in items {
        match &item.kind {
            ItemKind::Assertion(assertion) => match &assertion.body {
                AssertionBody::Concurrent(_) => taken.push(item.span),
                AssertionBody::Immediate(_) => kept.push(item.span),
            },
            // It stands inside of another one.
            ItemKind::PropertyDeclaration(declaration) if declaration.is_argument() => {}
            ItemKind::PropertyDeclaration(_)
            | ItemKind::DefaultClocking(_)
            | ItemKind::DefaultDisable(_) => taken.push(item.span),
            ItemKind::Always(always) => {
                if let Some(span) = concurrent_in(&always.body) {
                    let what = "a concurrent assertion inside of a block that slang reads";
                    return Err(unsupported(what, span).help("move it out of the block"));
                }
                kept.push(item.span);
            }
            ItemKind::GenerateFor(generate) => spans(&generate.block.items, taken, kept)?,
            ItemKind::GenerateIf {
                then, otherwise, ..
            } => {
                spans(&then.items, taken, kept)?;
                if let Some(otherwise) = otherwise {
                    spans(&otherwise.items, taken, kept)?;
                }
            }
            ItemKind::GenerateCase { items, .. } => {
                for (_, block) in items {
                    spans(&block.items, taken, kept)?;
                }
            }
            ItemKind::GenerateBlock(block) => spans(&block.items, taken, kept)?,
            _ => kept.push(item.span),
        }
    }
    Ok(())
}

/// A concurrent assertion in a statement.
fn concurrent_in(statement: &Statement) -> Option<Span> {
    let mut pending = vec![statement];
    while let Some(one) = pending.pop() {
        if let StatementKind::Assertion(assertion) = &one.kind
            && let AssertionBody::Concurrent(_) = assertion.body
        {
            return Some(assertion.span);
        }
        pending.extend(one.inner());
    }
    None
}

/// Adds the concurrent assertions of a source to its netlist.
pub fn attach(netlist: &mut YosysNetlist, tree: &SourceTree) -> Result<(), Diagnostic> {
    if !has_properties(tree) {
        return Ok(());
    }
    let options = Options {
        top: Some(netlist.interface.module.clone()),
        ..Options::default()
    };
    let modules = modules_by_name(tree)?;
    let top = top_module(tree, &modules, options.top.as_deref())?;
    let mut design = netlist.design.clone();
    let mut tables = new_tables(tree, modules, top, &options);
    tables.asserted = Asserted::behind(netlist.properties.len() * 2);
    let mut declarer = Declarer::new(&mut design, &mut tables);
    let root = declare_all(&mut declarer, tree, top)?;
    let processes = std::mem::take(&mut tables.processes);
    let clock = give_bits(&mut design, &mut tables, &processes, netlist, root);
    for process in &processes {
        tables.limits.poll()?;
        if let Process::Assertion { scope, assertion } = process
            && let AssertionBody::Concurrent(_) = assertion.body
        {
            Frame::new(&mut tables, *scope).assertion(&mut design, assertion)?;
        }
    }
    check_clocks(&design, &tables, netlist, clock)?;
    if let Some(clock) = clock {
        design.replace(clock, Node::And(Literal::TRUE, Literal::FALSE));
    }
    for (name, literal) in &tables.asserted.conditions {
        design.add_word(Word {
            name: name.clone(),
            signed: false,
            left: 0,
            right: 0,
            bits: vec![*literal],
        });
    }
    design.check()?;
    netlist.design = design;
    netlist.properties.append(&mut tables.asserted.items);
    Ok(())
}

/// Gives signals the bits of the netlist; those that it does not have are not declared any
/// more. Gives back what stands for the clock, which is no signal of the netlist.
fn give_bits(
    design: &mut Design,
    tables: &mut Tables<'_>,
    processes: &[Process<'_>],
    netlist: &YosysNetlist,
    root: ScopeId,
) -> Option<NodeId> {
    let clock = netlist.interface.clock.as_ref().map(|(name, _)| {
        let node = design.add_input(InputKind::Environment);
        design.set_hidden(node, true);
        (name, node)
    });
    let clocks = match clock {
        Some((name, _)) => names_of_clock(tables, processes, name, root),
        None => HashSet::new(),
    };
    let mut lost = HashSet::new();
    for index in 0..tables.signals.len() {
        let id = SignalId(index);
        let signal = &tables.signals[index];
        let width = signal.data.width();
        if signal.kind == SignalKind::Local {
            continue;
        }
        let found = design.signal(&signal.name).ok();
        let bits = match (found, clock) {
            (_, Some((_, node))) if clocks.contains(&id) => vec![node.literal()],
            (Some(word), _) if word.bits.len() == width => word.bits.clone(),
            _ => {
                lost.insert(id);
                continue;
            }
        };
        tables.note_sampled_default(id, &bits);
        tables.signals[index].bits = bits;
    }
    for scope in &mut tables.scopes {
        scope.entries.retain(|_, entry| match entry {
            Entry::Signal(id) => !lost.contains(id),
            _ => true,
        });
    }
    clock.map(|(_, node)| node)
}

/// The clock of the top module, and the ports that it goes to.
fn names_of_clock(
    tables: &Tables<'_>,
    processes: &[Process<'_>],
    name: &str,
    root: ScopeId,
) -> HashSet<SignalId> {
    let mut clocks = HashSet::new();
    if let Some(Entry::Signal(id)) = tables.scope(root).entries.get(name) {
        clocks.insert(*id);
    }
    // Instances are declared from the outside in, so one round is enough.
    for process in processes {
        if let Process::Input {
            outer, value, port, ..
        } = process
            && let Some(name) = simple_name(value)
            && let Some(Entry::Signal(id)) = tables.lookup(*outer, name)
            && clocks.contains(id)
        {
            clocks.insert(*port);
        }
    }
    clocks
}

/// Properties are judged at the clock of the registers, and it is no data.
fn check_clocks(
    design: &Design,
    tables: &Tables<'_>,
    netlist: &YosysNetlist,
    clock: Option<NodeId>,
) -> Result<(), Diagnostic> {
    let rising = netlist.interface.clock.as_ref().map(|(_, rising)| *rising);
    let first = tables.asserted.clocks.first();
    for one in &tables.asserted.clocks {
        let (wanted, edge) = match (clock, first) {
            (Some(clock), _) => (clock.literal(), rising.unwrap_or(true)),
            (None, Some(first)) => (first.literal, first.rising),
            (None, None) => break,
        };
        if one.literal != wanted || one.rising != edge {
            let message = "this property moves with another clock than the registers";
            return Err(Diagnostic::error(codes::CLOCKING, message).at(one.span, "this clock"));
        }
    }
    let Some(clock) = clock else {
        return Ok(());
    };
    for item in 0..tables.asserted.conditions.len() {
        let (_, literal) = &tables.asserted.conditions[item];
        if design.cone([*literal], Reach::Run).contains(clock) {
            let message = "the clock is used as data by an assertion";
            let diagnostic = Diagnostic::error(codes::CLOCKING, message);
            return Err(diagnostic.at_optional(first.map(|one| one.span), "this clock"));
        }
    }
    Ok(())
}
