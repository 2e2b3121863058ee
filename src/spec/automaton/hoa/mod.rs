//! The Hanoi omega-automata format, HOA v1 \[babiak15\].
//!
//! Enters: the text of a `.hoa` file with one automaton. Leaves: an [`Automaton`], or what is
//! wrong with the file; and the way back. Aliases, implicit labels, sets of states and
//! complemented sets are gone then: guards and sets are those of edges. Alternating automata
//! are refused. `controllable-AP` names the propositions of the system.

mod header;
mod lexer;
mod parser;
mod write;

pub use write::write;

use super::omega::Automaton;
use crate::source::{Diagnostic, FileId, Sources, Span};

/// An automaton, and where its file says what it accepts.
#[derive(Clone, Debug)]
pub struct Document {
    pub automaton: Automaton,
    pub acceptance: Span,
}

pub fn parse(sources: &Sources, file: FileId) -> Result<Document, Vec<Diagnostic>> {
    let (text, limits) = (&sources.file(file).text, sources.limits());
    let one = |error| vec![error];
    let tokens = lexer::tokens(file, text, limits).map_err(one)?;
    limits.unless_reached(parser::parse(&tokens, limits).map_err(one))
}
