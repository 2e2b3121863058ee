//! Verilog: what the front end makes of designs, compared with Yosys and Icarus Verilog, and
//! what it says of files that it cannot read.

mod bad_input;
mod choices;
mod collection;
mod command_line;
mod constructs;
mod corpus;
mod edits;
mod enumerations;
mod expression;
mod features;
mod generated;
#[path = "../support/golden.rs"]
mod golden;
mod language;
mod macros;
mod malformed;
mod messages;
mod module;
mod netlist;
mod page;
#[path = "../support/seed.rs"]
mod seed;
mod selects;
mod simulation;
mod statement;
mod templates;
mod trials;
mod verilator;
mod written;
