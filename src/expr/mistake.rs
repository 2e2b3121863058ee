//! What is said about a token that cannot follow.

use super::Dialect;
use super::codes;
use super::operator::{TemporalBinary, TemporalUnary};
use super::suggest::closest;
use super::token::{Token, TokenKind};
use crate::source::Diagnostic;

/// What is wrong with a token that follows a complete expression or formula.
pub fn unexpected(token: &Token<'_>, dialect: Dialect) -> Diagnostic {
    if let TokenKind::Invalid(diagnostic) = &token.kind {
        return (**diagnostic).clone();
    }
    let found = token.describe();
    let replacement = match token.kind {
        TokenKind::Symbol("=") => {
            return Diagnostic::error(codes::ASSIGNMENT_FOR_EQUALITY, "`=` assigns, `==` compares")
                .at(token.span, "a comparison is meant here")
                .help("write `==`");
        }
        TokenKind::Symbol("=>" | "->") => Some("->"),
        TokenKind::Symbol("<=>" | "<->") => Some("<->"),
        TokenKind::Symbol("/\\") => Some("&"),
        TokenKind::Symbol("|->") => Some("->"),
        TokenKind::Symbol("|=>") => Some("-> X"),
        _ => None,
    };
    match (replacement, dialect) {
        (Some(replacement), Dialect::Formula) => {
            return Diagnostic::error(
                codes::FOREIGN_OPERATOR,
                format!("{found} is not an operator here"),
            )
            .at(token.span, "unknown operator")
            .help(format!("write `{replacement}`"));
        }
        (Some(_), Dialect::Verilog | Dialect::Source) => {
            return Diagnostic::error(
                codes::FOREIGN_OPERATOR,
                format!("{found} is not an operator of Verilog expressions"),
            )
            .at(token.span, "unknown operator")
            .help(match (&token.kind, dialect) {
                (TokenKind::Symbol("=>"), Dialect::Source) => {
                    "in a property, write `a |-> b` if `b` is for the same step, and `a |=> b` \
                     if it is for the next one; in an expression, `!a || b`"
                }
                _ => "write `!a || b` for an implication, `!a == !b` for an equivalence",
            });
        }
        (None, _) => {}
    }
    if let TokenKind::Symbol(closing @ (")" | "]" | "}")) = token.kind {
        return Diagnostic::error(
            codes::UNMATCHED_BRACKET,
            format!("`{closing}` closes nothing"),
        )
        .at(token.span, "no bracket is open here")
        .help(format!(
            "remove it, or add the `{}` that opens it",
            opening_of(closing)
        ));
    }
    let diagnostic = Diagnostic::error(
        codes::EXPECTED_OPERATOR,
        format!("expected an operator, found {found}"),
    )
    .at(token.span, "an operator is missing before this");
    match (&token.kind, dialect) {
        (TokenKind::Identifier, Dialect::Formula) => {
            if TemporalUnary::from_text(token.text).is_some() {
                let help = format!(
                    "`{}` stands before one formula; join two formulas with `&`, `|`, `->` or `U`",
                    token.text
                );
                return diagnostic.help(help);
            }
            match similar_operator(token.text) {
                Some(operator) => diagnostic.help(format!("did you mean `{operator}`?")),
                None => diagnostic,
            }
        }
        _ => diagnostic,
    }
}

/// The operator that a word stands for in other notations, or was meant to spell.
fn similar_operator(text: &str) -> Option<&'static str> {
    match text.to_ascii_lowercase().as_str() {
        "implies" | "imply" => return Some("->"),
        "iff" | "equiv" | "xnor" => return Some("<->"),
        "xor" => return Some("^"),
        "and" => return Some("and"),
        "or" => return Some("or"),
        "u" => return Some("U"),
        "w" => return Some("W"),
        "r" | "v" => return Some("R"),
        "s" => return Some("S"),
        _ => {}
    }
    closest(text, TemporalBinary::ALL.map(TemporalBinary::word))
}

fn opening_of(closing: &str) -> &'static str {
    match closing {
        ")" => "(",
        "]" => "[",
        _ => "{",
    }
}
