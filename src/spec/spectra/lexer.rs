//! Words and symbols of the Spectra language.

use crate::limits::Limits;
use crate::source::{Diagnostic, FileId};
use crate::spec::scanner::Language;
pub use crate::spec::scanner::{Token, TokenKind};

const SPECTRA: Language = Language {
    name: "a specification",
    symbols: &[
        "<->", "|=>", "->", ":=", "..", "!=", "<=", ">=", "==", "&&", "||", "(", ")", "{", "}",
        "[", "]", ";", ":", ",", ".", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "!", "?",
        "~", "'",
    ],
    line_comments: &["//", "--"],
    comments_nest: false,
    // `^` before a word that would be a keyword makes it a name.
    starts_word: |c| c.is_alphabetic() || c == '_' || c == '^',
    continues_word: |c| c.is_alphanumeric() || c == '_',
    quotes: &['"', '\''],
    hint: |_| "remove it",
};

pub fn tokens<'t>(
    file: FileId,
    text: &'t str,
    limits: &Limits,
) -> Result<Vec<Token<'t>>, Diagnostic> {
    SPECTRA.tokens(file, text, limits)
}
