//! Expressions, formulas, property files and monitors.

mod support;

mod automaton;
mod expressions;
mod formulas;
mod fuzz;
mod property_files;
mod specs;
