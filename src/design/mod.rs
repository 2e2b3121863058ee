//! Circuits: an and-inverter netlist, the formats it is read from, and what can be done
//! with it.
//!
//! Enters: the bytes of a file. Leaves: a [`Design`] with the
//! [`PropertyItem`](crate::expr::PropertyItem)s that the file states, the [`Component`]s
//! that may be repaired, the design again with some of them open as choices of the system,
//! and the file again with some of them replaced.
//!
//! The temporal meaning of properties is not known here: `spec` has it, and the two never
//! import each other. `game` asks [`elaborate_atom`] for the literals of a property's atoms.

pub mod aiger;
mod buffers;
mod check;
mod circuit;
mod component;
mod cone;
mod correction;
mod expression;
mod front_end;
mod function;
mod holes;
mod kind;
mod literal;
pub mod memory;
mod names;
mod netlist;
mod observers;
mod order;
pub mod reference;
mod render;
pub mod reserved;
mod same;
mod settled;
mod simulate;
mod stimulus;
pub mod suggest;
mod sweep;
mod text;
pub mod verilog;
pub mod words;
pub mod yosys_json;

pub use crate::source::codes::design as codes;
pub use check::CombinationalLoop;
pub use component::{Component, ComponentId, ComponentKind, OpenHole, Timing};
pub use cone::{NodeSet, Reach};
pub use correction::{Candidate, Change, Correction, Patch};
pub use expression::{SharedAtoms, elaborate_atom, elaborate_word};
pub use front_end::{FrontEnd, InferredLatch, Reading, Trials};
pub use function::Function;
pub use holes::{CHOICE, Diagnosable, Elaboration, Netlist, Site, Suspect};
pub use kind::Kind;
pub use literal::{Literal, NodeId};
pub use netlist::{Design, InputKind, Latch, Node, Output, Reset, ValueNames, Word};
pub use render::{Registers, Replacement};
pub use simulate::{Run, Simulator};
pub use stimulus::Ones;
