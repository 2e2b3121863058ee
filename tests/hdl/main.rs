//! The example designs: each is repaired as its folder expects, and every patch is accepted
//! by the tools that engineers use.

mod corpus;
mod equal;
mod everyday;
mod papers;
mod patches;
