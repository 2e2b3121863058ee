//! Putting functions into holes: the patched design.
//!
//! Only the touched cone changes. A replaced gate keeps its number and its readers; further
//! gates of its new function are added behind all others; gates that nothing reads any more
//! stay, because removing them would move what a reader of the diff has to compare.
//! Registers that a correction adds come behind all latches.

use super::codes;
use super::component::{ComponentId, ComponentKind};
use super::function::Function;
use super::holes::{Netlist, attach};
use super::literal::{Literal, NodeId};
use super::netlist::{Design, Reset};
use crate::source::Diagnostic;
use std::collections::HashMap;

/// A new function for each bit of a component, least significant first, over the literals of
/// the source design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub component: ComponentId,
    pub functions: Vec<Function>,
}

/// Registers that functions read besides the signals of the source design.
#[derive(Clone, Debug, PartialEq)]
pub struct Registers {
    /// The source design with more nodes behind its own; the components that are replaced
    /// compute their new functions here.
    pub design: Design,
    /// Latches of it that the patched file gets copies of: all that follow the run and are
    /// not in the source, or exist there for a property only.
    pub latches: Vec<NodeId>,
}

impl Netlist {
    /// The design with these components replaced. A function that reads a replaced gate reads
    /// the new one.
    pub fn render(&self, replacements: &[Replacement]) -> Result<Design, Diagnostic> {
        self.render_with(replacements, None)
    }

    /// The same with functions that may read added registers.
    pub fn render_with(
        &self,
        replacements: &[Replacement],
        registers: Option<&Registers>,
    ) -> Result<Design, Diagnostic> {
        let mut patched = self.design.clone();
        let mut import = Import::new(self, registers, &mut patched);
        let mut replaced = std::collections::BTreeMap::new();
        for Replacement {
            component: id,
            functions,
        } in replacements
        {
            let (component, sites) = self.component(*id)?;
            if functions.len() != component.width {
                let message = format!(
                    "`{}` has {} bits, but {} functions were given",
                    component.name,
                    component.width,
                    functions.len()
                );
                return Err(Diagnostic::error(codes::REPLACEMENT_SHAPE, message));
            }
            for (function, site) in functions.iter().zip(sites) {
                if let Some(other) = replaced.insert(*site, *id) {
                    return Err(self.overlap(other, *id));
                }
                let function =
                    function.with_signals(&mut |literal| import.literal(literal, &mut patched));
                check_signals(&patched, &component.name, &function)?;
                let added_since = patched.len();
                let value = function.build(&mut patched);
                let is_reset = component.kind == ComponentKind::LatchReset;
                if is_reset && value.as_constant().is_none() {
                    let name = &component.name;
                    let message = format!("the reset value of `{name}` must be a constant");
                    return Err(Diagnostic::error(codes::REPLACEMENT_SHAPE, message));
                }
                attach(&mut patched, *site, value, added_since);
            }
        }
        import.connect(&mut patched);
        patched.check()?;
        Ok(patched)
    }
}

fn check_signals(design: &Design, component: &str, function: &Function) -> Result<(), Diagnostic> {
    let mut problem = None;
    function.signals(&mut |literal| {
        if !design.contains(literal) {
            problem = Some((codes::LITERAL_OUT_OF_RANGE, literal, "does not exist"));
        } else if design.is_hidden(literal.node()) {
            let reason = "exists only for a property";
            problem = Some((codes::REPLACEMENT_USES_HIDDEN, literal, reason));
        }
    });
    match problem {
        Some((code, literal, reason)) => {
            let signal = literal.node();
            let message =
                format!("the replacement of `{component}` reads {signal}, which {reason}");
            Err(Diagnostic::error(code, message))
        }
        None => Ok(()),
    }
}

/// Copies registers, and the gates in front of them, into the patched file.
struct Import<'a> {
    source: &'a Design,
    registers: Option<&'a Registers>,
    /// For nodes of the registers' design that are not simply themselves.
    known: HashMap<NodeId, Literal>,
}

impl<'a> Import<'a> {
    fn new(
        netlist: &'a Netlist,
        registers: Option<&'a Registers>,
        file: &mut Design,
    ) -> Import<'a> {
        let mut known = HashMap::new();
        for (index, id) in registers.iter().flat_map(|all| &all.latches).enumerate() {
            let reset = registers.and_then(|all| all.design.latch(*id));
            let copy = file.add_latch(reset.map_or(Reset::Zero, |latch| latch.reset));
            file.set_name(copy, free_name(file, index));
            known.insert(*id, copy.literal());
        }
        Import {
            source: &netlist.design,
            registers,
            known,
        }
    }

    /// A literal of the registers' design in terms of the file. Visible nodes of the source
    /// are themselves.
    fn literal(&mut self, literal: Literal, file: &mut Design) -> Literal {
        let Some(registers) = self.registers else {
            return literal;
        };
        let mut pending = vec![literal.node()];
        while let Some(&id) = pending.last() {
            let own = id.index() < self.source.len() && !self.source.is_hidden(id);
            if own || self.known.contains_key(&id) {
                pending.pop();
                continue;
            }
            let Some((left, right)) = registers.design.gate(id) else {
                // Neither a gate nor a copied register: left to `check_signals`.
                self.known.insert(id, id.literal());
                continue;
            };
            let operand = |known: &HashMap<NodeId, Literal>, operand: Literal| {
                let id = operand.node();
                let own = id.index() < self.source.len() && !self.source.is_hidden(id);
                let value = match known.get(&id) {
                    Some(value) => *value,
                    None if own => id.literal(),
                    None => return Err(id),
                };
                Ok(value.complement_if(operand.is_complemented()))
            };
            match (operand(&self.known, left), operand(&self.known, right)) {
                (Ok(left), Ok(right)) => {
                    let copy = file.and(left, right);
                    self.known.insert(id, copy);
                }
                (Err(missing), _) | (_, Err(missing)) => pending.push(missing),
            }
        }
        let id = literal.node();
        let value = self.known.get(&id).copied().unwrap_or(id.literal());
        value.complement_if(literal.is_complemented())
    }

    /// Gives the copies their next values.
    fn connect(&mut self, file: &mut Design) {
        let Some(registers) = self.registers else {
            return;
        };
        for id in &registers.latches {
            if let Some(latch) = registers.design.latch(*id) {
                let next = self.literal(latch.next, file);
                file.set_next(self.known[id].node(), next);
            }
        }
    }
}

/// A name for a register that nothing has yet.
fn free_name(design: &Design, index: usize) -> String {
    let taken = |name: &String| design.names().any(|(_, other)| other == name);
    let mut name = format!("repair_state[{index}]");
    while taken(&name) {
        name.insert(0, '_');
    }
    name
}
