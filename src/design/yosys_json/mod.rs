//! Netlists as Yosys writes them (`write_json`), read and written.
//!
//! Enters: the text of a file. Leaves: a [`YosysNetlist`]: the circuit of one flat module,
//! the properties of its `$assert`, `$assume`, `$live`, `$fair`, `$cover` and `$check` cells,
//! and its cells as components. Words as `prep` leaves them and gates as `aigmap` makes them
//! are both read. What a cell computes has the cell's `src` attribute as its origin, so a
//! correction of a netlist names the line of the source.
//!
//! Conditions of properties are outputs of the circuit with names that start with
//! [`reserved::CONDITION_PREFIX`](super::reserved), so that they survive edits of the netlist.

mod cells;
mod document;
mod front_end;
mod properties;
mod read;
mod registers;
mod source;
mod write;

pub use front_end::{Finder, YosysFrontEnd};
pub use read::read;
pub use write::write;

use super::component::Component;
use super::holes::Netlist;
use super::literal::NodeId;
use super::netlist::Design;
use crate::expr::PropertyItem;
use crate::source::{Diagnostic, Span};

/// A module that was read.
#[derive(Clone, Debug)]
pub struct YosysNetlist {
    /// With what exists only for properties hidden.
    pub design: Design,
    pub properties: Vec<PropertyItem>,
    /// Cells and registers, each with the nodes that carry its value.
    pub components: Vec<CellComponent>,
    pub warnings: Vec<Diagnostic>,
    /// Registers that start with any value.
    pub uninitialised: Vec<(String, Option<Span>)>,
    pub interface: Interface,
}

/// What can be replaced.
#[derive(Clone, Debug)]
pub struct CellComponent {
    pub component: Component,
    /// What carries its value, least significant first.
    pub nodes: Vec<NodeId>,
    /// Whether its location in the source is that of one expression.
    pub expression: Option<Expression>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expression {
    Operator,
    /// `a ? b : c`, or a statement with one branch.
    Choice,
}

/// What others see of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub module: String,
    pub ports: Vec<PortShape>,
    /// The input that registers move with, and whether at its rising edge.
    pub clock: Option<(String, bool)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortShape {
    pub name: String,
    pub is_input: bool,
    pub width: usize,
    pub offset: i64,
    /// Whether the index grows to the right: `[0:3]`.
    pub upto: bool,
}

impl PortShape {
    /// The name of a bit, the lowest first.
    fn bit(&self, position: usize) -> String {
        bit_name(&self.name, self.width, self.offset, self.upto, position)
    }
}

fn bit_name(name: &str, width: usize, offset: i64, upto: bool, position: usize) -> String {
    if width == 1 && offset == 0 {
        return name.to_string();
    }
    let index = if upto {
        offset + (width - 1 - position) as i64
    } else {
        offset + position as i64
    };
    format!("{name}[{index}]")
}

impl YosysNetlist {
    /// The netlist with its cells as what can be replaced.
    pub fn netlist(&self) -> Netlist {
        let components = self.components.iter();
        let components = components.map(|one| (one.component.clone(), one.nodes.clone()));
        Netlist::with_components(self.design.clone(), components.collect())
    }
}
