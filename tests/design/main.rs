//! Tests of `respin::design` from the outside.

mod aiger_errors;
mod aiger_files;
mod aiger_round_trip;
mod atoms;
mod bench;
mod fuzz;
mod game;
mod holes;
mod simulate;
mod support;
mod text;
mod words;
