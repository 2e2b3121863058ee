//! Campaigns on this machine: plans and results on the disk, and the processes that run jobs.
//!
//! - `find`: the files that patterns mean;
//! - `planned`: from a plan to jobs with keys;
//! - `folder`: results and reports as files, each written at once or not at all;
//! - `run`: one job, in this process or in one that is watched;
//! - `pool`: many jobs, some at a time;
//! - `split`: the parts of one repair as jobs.

mod find;
pub mod folder;
pub mod planned;
pub mod pool;
pub mod run;
pub mod split;
