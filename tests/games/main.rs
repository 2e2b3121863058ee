//! Games against an oracle that looks at each state, and the commands that play them.

mod collection;
mod definitions;
mod differential;
mod instrument;
mod oracle;
mod sketch;
mod synth;
mod tables;
