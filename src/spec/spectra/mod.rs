//! The Spectra specification language.
//!
//! Enters: the text of a `.spectra` file. Leaves: a [`Gr1`], or all that is wrong with the
//! file. Patterns of the usual library are known without an import of its file; a file's own
//! pattern of the same name wins. Weights, existential guarantees, regular expressions and
//! triggers are refused with their place.

mod elaborate;
mod expression;
mod instantiate;
mod lexer;
mod operand;
mod parser;
mod tree;
mod write;

pub use write::write;

use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId, Sources, Span};
use crate::spec::gr1::Gr1;

/// Response, which nearly every specification needs.
const LIBRARY: &str = "
pattern respondsTo(trigger, response) {
  var boolean responded;
  ini responded;
  trans next(responded) iff (response or responded and !trigger);
  alwEv responded;
}
pattern pRespondsToS(trigger, response) {
  var boolean responded;
  ini responded;
  trans next(responded) iff (response or responded and !trigger);
  alwEv responded;
}
";

/// Files whose patterns are built in.
const BUILT_IN: &str = "DwyerPatterns";

pub fn parse(sources: &Sources, file: FileId) -> Result<Gr1, Vec<Diagnostic>> {
    let text = &sources.file(file).text;
    let read = |text| {
        let tokens = lexer::tokens(file, text).map_err(|error| vec![error])?;
        parser::Parser::new(tokens).file()
    };
    let tree = read(text)?;
    let foreign = tree
        .imports
        .iter()
        .find(|import| !import.text.contains(BUILT_IN));
    if let Some(import) = foreign {
        return Err(vec![
            Diagnostic::error(
                codes::NOT_SUPPORTED,
                format!("`{}` is not imported", import.text),
            )
            .at(import.span, "imports of files are not supported")
            .help("copy what is needed from it into this file"),
        ]);
    }
    let mut library: Vec<tree::Pattern> = read(LIBRARY)?
        .declarations
        .into_iter()
        .filter_map(|declaration| match declaration {
            tree::Declaration::Pattern(pattern) => Some(pattern),
            _ => None,
        })
        .collect();
    instantiate::library_span(Span::new(file, 0, 0), &mut library);
    elaborate::elaborate(&tree, &library)
}
