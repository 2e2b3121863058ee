//! Putting functions into holes: the patched file.
//!
//! Only the touched cone changes. A replaced gate keeps its number and its readers; further
//! gates of its new function are added behind all others; gates that nothing reads any more
//! stay, because removing them would move what a reader of the diff has to compare.

use super::aiger::AigerFile;
use super::codes;
use super::component::{ComponentId, ComponentKind};
use super::function::Function;
use super::holes::{Netlist, attach};
use crate::source::Diagnostic;

/// A new function for each bit of a component, least significant first, over the literals of
/// the source design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub component: ComponentId,
    pub functions: Vec<Function>,
}

impl Netlist {
    /// The file with these components replaced. A function that reads a replaced gate reads
    /// the new one.
    pub fn render(&self, replacements: &[Replacement]) -> Result<AigerFile, Diagnostic> {
        let mut file = self.file.clone();
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
                self.check_signals(&component.name, function)?;
                let added_since = file.design.len();
                let value = function.build(&mut file.design);
                let is_reset = component.kind == ComponentKind::LatchReset;
                if is_reset && value.as_constant().is_none() {
                    let name = &component.name;
                    let message = format!("the reset value of `{name}` must be a constant");
                    return Err(Diagnostic::error(codes::REPLACEMENT_SHAPE, message));
                }
                attach(&mut file.design, *site, value, added_since);
            }
        }
        file.design.check()?;
        Ok(file)
    }

    fn check_signals(&self, component: &str, function: &Function) -> Result<(), Diagnostic> {
        let design = &self.file.design;
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
}
