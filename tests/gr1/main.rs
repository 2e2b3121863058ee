//! GR(1) specifications: verdicts against other solvers, front ends, corner cases.

mod claims;
mod collection;
mod controllers;
mod differential;
mod explicit;
mod omega;
mod round_trip;
mod semantics;
mod sketch;
mod tools;
