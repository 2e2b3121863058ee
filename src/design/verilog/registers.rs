//! Registers that a repair adds to the top module, as text.
//!
//! They are declared before the item that reads them, and move in a block of their own at the
//! end of the module. Gates that several of them need are wires; what has a name in the module
//! is read by it.

use super::{Clock, SourceTree};
use crate::design::{Design, Function, Literal, NodeId, Registers, Reset};
use crate::source::Span;
use crate::stack;
use std::collections::{HashMap, HashSet};

/// Names of what is added begin with it.
const STEM: &str = "repair_state";

/// The texts that add registers to a module.
pub struct Added {
    pub changes: Vec<(Span, String)>,
    /// What the new registers are called.
    pub names: HashMap<NodeId, String>,
}

/// `None` if a register depends on what has no name in the module, or there is no clock.
/// `readable` are the names that the module has, and `reader` is where they are read.
pub fn added(
    registers: &Registers,
    readable: &HashMap<NodeId, String>,
    clock: &Clock,
    tree: &SourceTree,
    top: &str,
    reader: Span,
) -> Option<Added> {
    let module = tree.modules.iter().find(|one| one.name.text == top)?;
    let item = module.items.iter().find(|item| {
        let span = item.span;
        span.file == reader.file && span.start <= reader.start && reader.end <= span.end
    })?;
    let stem = free_stem(readable);
    let width = registers.latches.len();
    let mut names = HashMap::new();
    for (bit, latch) in registers.latches.iter().enumerate() {
        let name = match width {
            1 => stem.clone(),
            _ => format!("{stem}[{bit}]"),
        };
        names.insert(*latch, name);
    }
    let mut writer = Writer {
        design: &registers.design,
        names: readable.clone(),
        shared: shared_gates(&registers.design, &registers.latches, readable),
        stem: &stem,
        wires: Vec::new(),
    };
    writer.names.extend(names.clone());
    let mut initial = String::new();
    let mut next = Vec::new();
    for id in registers.latches.iter().rev() {
        let latch = registers.design.latch(*id)?;
        initial.push(match latch.reset {
            Reset::Zero => '0',
            Reset::One => '1',
            _ => return None,
        });
        let function = writer.function(latch.next)?;
        next.push(format!("{} <= {};", names[id], writer.text(&function)));
    }
    let range = match width {
        1 => String::new(),
        _ => format!("[{}:0] ", width - 1),
    };
    let declaration = format!("reg {range}{stem} = {width}'b{initial};\n  ");
    next.reverse();
    let next = match next.as_slice() {
        [one] => format!("\n    {one}\n"),
        several => format!(" begin\n    {}\n  end\n", several.join("\n    ")),
    };
    let mut body = String::new();
    for (name, text) in &writer.wires {
        body.push_str(&format!("  wire {name} = {text};\n"));
    }
    let edge = if clock.rising { "posedge" } else { "negedge" };
    let name = &clock.name;
    body.push_str(&format!("  always @({edge} {name}){next}"));
    Some(Added {
        changes: vec![(before(item.span), declaration), (before(module.end), body)],
        names,
    })
}

/// An empty span in front of a text.
fn before(span: Span) -> Span {
    Span {
        end: span.start,
        ..span
    }
}

fn free_stem(readable: &HashMap<NodeId, String>) -> String {
    let taken: HashSet<&str> = readable
        .values()
        .map(|name| name.split('[').next().unwrap_or(name))
        .collect();
    let numbered = (2..).map(|number| format!("{STEM}{number}"));
    std::iter::once(STEM.to_string())
        .chain(numbered)
        .find(|name| !taken.contains(name.as_str()))
        .unwrap_or_default()
}

/// The gates without a name that more than one gate or register reads.
fn shared_gates(
    design: &Design,
    latches: &[NodeId],
    readable: &HashMap<NodeId, String>,
) -> HashSet<NodeId> {
    let mut readers: HashMap<NodeId, usize> = HashMap::new();
    let next = latches.iter().filter_map(|id| design.latch(*id));
    let mut pending: Vec<NodeId> = next.map(|latch| latch.next.node()).collect();
    while let Some(id) = pending.pop() {
        let count = readers.entry(id).or_default();
        *count += 1;
        if *count > 1 || readable.contains_key(&id) {
            continue;
        }
        if let Some((left, right)) = design.gate(id) {
            pending.extend([left.node(), right.node()]);
        }
    }
    readers
        .into_iter()
        .filter(|(id, count)| *count > 1 && design.gate(*id).is_some())
        .map(|(id, _)| id)
        .collect()
}

struct Writer<'a> {
    design: &'a Design,
    names: HashMap<NodeId, String>,
    shared: HashSet<NodeId>,
    stem: &'a str,
    wires: Vec<(String, String)>,
}

impl Writer<'_> {
    /// What a literal is in terms of names; `None` if it needs what has none.
    fn function(&mut self, literal: Literal) -> Option<Function> {
        if let Some(value) = literal.as_constant() {
            return Some(Function::Constant(value));
        }
        let id = literal.node();
        if self.names.contains_key(&id) {
            return Some(Function::Signal(literal));
        }
        if self.shared.contains(&id) {
            let function = self.gate(id.literal())?;
            let text = self.text(&function);
            let name = format!("{}_{}", self.stem, self.wires.len());
            self.wires.push((name.clone(), text));
            self.names.insert(id, name);
            return Some(Function::Signal(literal));
        }
        self.gate(literal)
    }

    fn gate(&mut self, literal: Literal) -> Option<Function> {
        stack::recurse(|| {
            let (left, right) = self.design.gate(literal.node())?;
            let sign = literal.is_complemented();
            let left = self.function(left.complement_if(sign))?;
            let right = self.function(right.complement_if(sign))?;
            Some(joined(left, right, sign))
        })
    }

    fn text(&self, function: &Function) -> String {
        let name = |id: NodeId| self.names.get(&id).cloned().unwrap_or_default();
        match function.text(&name).as_str() {
            constant @ ("0" | "1") => format!("1'b{constant}"),
            text => text.to_string(),
        }
    }
}

/// A conjunction, or a disjunction, of two functions, flat.
fn joined(left: Function, right: Function, is_disjunction: bool) -> Function {
    let mut operands = Vec::new();
    for operand in [left, right] {
        match operand {
            Function::And(inner) if !is_disjunction => operands.extend(inner),
            Function::Or(inner) if is_disjunction => operands.extend(inner),
            // The neutral element.
            Function::Constant(value) if value != is_disjunction => {}
            operand => operands.push(operand),
        }
    }
    match (operands.len(), is_disjunction) {
        (1, _) => operands.remove(0),
        (_, true) => Function::Or(operands),
        (_, false) => Function::And(operands),
    }
}
