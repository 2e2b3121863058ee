//! Games against an oracle that looks at each state.

mod differential;
mod oracle;
mod sketch;
