//! The Spectra language: what its constructs mean, on runs and in games.

mod imports;
mod language;
mod malformed;
mod messages;
mod patterns;
mod runs;
#[path = "../support/seed.rs"]
mod seed;
mod triggers;
