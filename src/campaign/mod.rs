//! Campaigns: many commands as jobs, each of which any process on any machine can run, and one
//! report of what they have found.
//!
//! Enters: the text of a plan, and results as they were read. Leaves: jobs with keys, the texts
//! of results, and a report. Nothing here reads files or starts processes.
//!
//! - `plan`: sets of designs with commands and options; `commands`: their command lines; `glob`:
//!   patterns of file names;
//! - `job`: one command with the key of all that its answer depends on; `digest`: SHA-256;
//! - `outcome`: its result as a file, and whether a file is one;
//! - `split`: one repair as several jobs, the last of which puts together what they found;
//! - `merge`: from results to a report, and changes since an earlier one.

pub mod commands;
pub mod digest;
pub mod glob;
pub mod job;
pub mod merge;
pub mod outcome;
pub mod plan;
pub mod split;

pub use commands::Planned;
pub use digest::{FileDigest, sha256};
pub use job::Job;
pub use outcome::{JobResult, Sarif};
pub use plan::{Plan, PlanError};
