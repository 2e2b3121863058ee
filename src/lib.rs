//! respin repairs circuits that violate a temporal specification, and debugs
//! specifications that no implementation can satisfy.
//!
//! Data flows one way through the stages, one module each:
//!
//! ```text
//! Verilog, AIGER, Yosys JSON ──► Design ─┐
//!                                        ├─► Game ──► Solution ──► Correction ──► Patch ──┐
//! property file, SVA, Spectra,           │                │                               ├─► certify ─► Report
//! TLSF, slugs, LTL ─► Spec ─► Objective ─┘                └──► Core, Counterplay, ... ────┘
//! ```
//!
//! `ARCHITECTURE.md` has the map and the invariants.

pub mod bdd;
pub mod certify;
pub mod cli;
pub mod design;
pub mod explain;
pub mod expr;
pub mod game;
pub mod graph;
pub mod load;
pub mod minimize;
pub mod random;
pub mod repair;
pub mod report;
pub mod run;
pub mod source;
pub mod spec;
mod stack;
pub mod subject;
pub mod synth;
pub mod verify;

#[cfg(test)]
mod tests {
    fn is_error<E: std::error::Error + 'static>() {}

    /// So that `?` serves whoever uses the library.
    #[test]
    fn errors_are_errors() {
        is_error::<crate::bdd::Error>();
        is_error::<crate::expr::number::NumberProblem>();
        is_error::<crate::game::ObjectiveError>();
        is_error::<crate::game::emerson_lei::build::BuildError>();
        is_error::<crate::repair::RepairError>();
        is_error::<crate::source::Diagnostic>();
        is_error::<crate::spec::automaton::MonitorError>();
        is_error::<crate::synth::SynthError>();
        is_error::<crate::synth::ltl::Failure>();
        is_error::<crate::synth::written::Failure>();
    }
}
