//! TLSF: its language against expansions by hand, its sections, malformed files, and all
//! files of the benchmark collection.

mod collection;
mod language;
mod malformed;
mod round_trip;
mod sections;
#[path = "../support/seed.rs"]
mod seed;
mod strict;
mod support;
