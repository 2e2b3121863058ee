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
//!
//! From a faulty design and its properties to a certified patch:
//!
//! ```
//! use respin::{DesignOptions, design_from_texts};
//!
//! let design = "module m(input a, input b, output y); assign y = a | b; endmodule";
//! let properties = "assert both: G (y <-> a & b);";
//! let options = DesignOptions::default();
//! let subject =
//!     design_from_texts(&[("m.v", design)], &[("m.ltl", properties)], &options).unwrap();
//! let answer = respin::repair(&subject, &respin::repair::Options::default(), &mut |_| {}).unwrap();
//! let best = answer.repairs().next().unwrap();
//! assert!(best.patch.changes[0].after[0].contains("assign y = a & b;"));
//! ```
//!
//! The other entries are [`verify()`] for designs, and [`check`], [`explain()`] and [`synth()`]
//! for specifications. All of them take limits, tell a callback what is being done, and give
//! answers that are [`Certified`].

pub mod bdd;
pub mod campaign;
pub mod certify;
pub mod cli;
pub mod design;
pub mod explain;
pub mod expr;
pub mod game;
pub mod graph;
pub mod limits;
pub mod load;
pub mod minimize;
pub mod mutate;
pub mod picture;
pub mod prove;
mod quick_hash;
pub mod random;
pub mod repair;
pub mod report;
pub mod run;
pub mod sat;
pub mod source;
pub mod spec;
mod stack;
pub mod subject;
pub mod synth;
pub mod trace;
pub mod verify;

pub use certify::{Certified, Evidence};
pub use design::{FrontEnd, Patch};
pub use explain::{check, explain};
pub use load::{AnySpec, DesignOptions, SpecOptions, design_from_texts, spec_from_text};
pub use repair::repair;
pub use run::Run;
pub use source::{Diagnostic, Sources};
pub use subject::Subject;
pub use synth::synth;
pub use verify::verify;

#[cfg(test)]
mod tests {
    /// A repair of Verilog parses and elaborates the unchanged text once; everything else that
    /// is read is an edited text.
    #[test]
    fn a_repair_reads_the_unchanged_text_once() {
        use crate::design::verilog::counts;
        let design = "module m(input clk, input a, output reg q = 0);\n\
                      always @(posedge clk) q <= !a;\nendmodule\n";
        let properties = "assert follow: G (X q <-> a);";
        let options = crate::DesignOptions::default();
        counts::clear();
        let subject =
            crate::design_from_texts(&[("m.v", design)], &[("m.ltl", properties)], &options);
        let subject = subject.expect("well-formed");
        let options = crate::repair::Options::default();
        let answer = crate::repair(&subject, &options, &mut |_| {}).expect("no limits");
        assert!(answer.repairs().next().is_some());
        let parsed = counts::parsed();
        let unchanged = parsed.iter().filter(|text| *text == design).count();
        assert_eq!(unchanged, 1, "the text was parsed {unchanged} times");
        assert!(parsed.len() > 1, "no edit was read");
        assert_eq!(
            counts::elaborated(),
            parsed.len(),
            "one elaboration for each"
        );
    }

    fn is_error<E: std::error::Error + 'static>() {}

    /// So that `?` serves whoever uses the library.
    #[test]
    fn errors_are_errors() {
        is_error::<crate::bdd::Error>();
        is_error::<crate::expr::number::NumberProblem>();
        is_error::<crate::load::Failure>();
        is_error::<crate::game::ObjectiveError>();
        is_error::<crate::game::emerson_lei::build::BuildError>();
        is_error::<crate::repair::RepairError>();
        is_error::<crate::source::Diagnostic>();
        is_error::<crate::spec::automaton::MonitorError>();
        is_error::<crate::synth::SynthError>();
        is_error::<crate::synth::ltl::Failure>();
        is_error::<crate::certify::controller::NoQuestion>();
    }
}
