//! Words and symbols of TLSF.

use crate::limits::Limits;
use crate::source::{Diagnostic, FileId};
use crate::spec::scanner::Language;
pub use crate::spec::scanner::{Token, TokenKind};

const TLSF: Language = Language {
    name: "TLSF",
    symbols: &[
        "<->", "(+)", "(-)", "(*)", "(\\)", "&&", "||", "->", "<-", "==", "/=", "!=", "<=", ">=",
        "..", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".", "=", "<", ">", "+", "-", "*", "/",
        "%", "!", "|", "~",
    ],
    line_comments: &["//"],
    comments_nest: true,
    starts_word: |c| c.is_ascii_alphabetic() || c == '_' || c == '@',
    continues_word: |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '\''),
    quotes: &['"'],
    hint: |c| match c {
        '&' => "conjunction is `&&`",
        '^' => "there is no exclusive or: write `!(a <-> b)`",
        _ => "remove it",
    },
};

pub fn tokens<'t>(
    file: FileId,
    text: &'t str,
    limits: &Limits,
) -> Result<Vec<Token<'t>>, Diagnostic> {
    TLSF.tokens(file, text, limits)
}
