//! The Spectra specification language.
//!
//! Enters: the text of a `.spectra` file, and of those that it imports. Leaves: a [`Gr1`],
//! or all that is wrong with the files. The patterns of `library.spectra` are known without
//! an import; a file's own pattern of the same name wins. Existential guarantees are refused
//! with their location; weights and tests of regular expressions are left out with a warning.

mod array;
mod elaborate;
mod examine;
mod expression;
mod import;
mod instantiate;
mod lexer;
mod operand;
mod parse_block;
mod parse_expression;
mod parse_regexp;
mod parser;
mod regexp;
mod tree;
mod trigger;
mod write;

pub use import::{Import, parse_with_imports};
pub use write::write;

use crate::limits::Limits;
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Sources, Span};
use crate::spec::gr1::Gr1;

/// What is usually required, in the names of the language's own library.
const LIBRARY: &str = include_str!("library.spectra");

/// A file that imports no other one, except for the library.
pub fn parse(sources: &Sources, file: FileId) -> Result<Gr1, Vec<Diagnostic>> {
    let limits = sources.limits();
    let tree = read(file, &sources.file(file).text, limits)?;
    let mut imports = tree.imports.iter();
    if let Some(foreign) = imports.find(|import| !import::is_library(&import.text)) {
        return Err(vec![
            Diagnostic::error(
                codes::NOT_SUPPORTED,
                format!("`{}` cannot be imported here", foreign.text),
            )
            .at(foreign.span, "no other file is at hand")
            .help("copy what is needed from it into this file"),
        ]);
    }
    finish(file, &tree, limits)
}

fn read(file: FileId, text: &str, limits: &Limits) -> Result<tree::File, Vec<Diagnostic>> {
    let tokens = lexer::tokens(file, text, limits).map_err(|error| vec![error])?;
    limits.unless_reached(parser::Parser::new(text, &tokens, limits).file())
}

fn finish(file: FileId, tree: &tree::File, limits: &Limits) -> Result<Gr1, Vec<Diagnostic>> {
    let mut library: Vec<tree::Pattern> = read(file, LIBRARY, limits)?
        .declarations
        .into_iter()
        .filter_map(|declaration| match declaration {
            tree::Declaration::Pattern(pattern) => Some(pattern),
            _ => None,
        })
        .collect();
    instantiate::library_span(Span::new(file, 0, 0), &mut library);
    limits.unless_reached(elaborate::elaborate(tree, &library, limits))
}
