//! The example designs: each is repaired as its folder expects, and every patch is accepted
//! by the tools that engineers use.

mod corpus;
mod equal;
mod everyday;
mod kinds;
#[cfg(feature = "judge")]
#[path = "../support/legal.rs"]
mod legal;
mod papers;
mod patches;
