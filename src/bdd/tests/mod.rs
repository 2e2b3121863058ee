//! The test suite of decision diagrams.
//!
//! What every backend must do is tested here through the public view, by random programs
//! that [compare](machine) a manager with an [oracle]; only what looks inside our own
//! kernel is left out with the feature `cudd`.

mod counting;
mod coverage;
mod deep;
mod differential;
#[cfg(not(feature = "cudd"))]
mod faults;
mod handles;
mod machine;
mod operands;
mod oracle;
mod orders;
mod program;
mod second_opinion;
mod shrink;
mod sifting;
#[cfg(not(feature = "cudd"))]
mod table;
