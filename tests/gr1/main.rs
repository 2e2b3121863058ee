//! GR(1) specifications: verdicts against other solvers, front ends, corner cases.

mod differential;
mod explicit;
mod sketch;
