//! Modules that cannot be read, and that the design does not need: test benches.
//!
//! A test bench in the file of a design waits, forks, prints and has delays. Where a module
//! cannot be read, what is wrong with it is kept, and is an error only if the design has the
//! module, or could have it: if it is asked for, if a module of the design instantiates it, or
//! if no top module is named and it has ports, as no test bench has.

use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::Identifier;
use crate::expr::token::TokenKind;
use crate::source::Diagnostic;

/// A module, program or class that was not read.
#[derive(Clone, Debug)]
pub struct LeftOut {
    pub name: Identifier,
    pub has_ports: bool,
    /// Why it was not.
    pub problem: Diagnostic,
}

impl LeftOut {
    /// What is said if the design does without it.
    pub fn warning(&self) -> Diagnostic {
        let name = &self.name.text;
        let message = format!("`{name}` is left out: {}", self.problem.message);
        let warning = Diagnostic::warning(codes::LEFT_OUT, message);
        let warning = match self.problem.labels.first() {
            Some(label) => warning.at(label.span, label.text.clone()),
            None => warning.at(self.name.span, "this one"),
        };
        warning.help("nothing has to be done if it is a test bench")
    }
}

/// What may be left out, with the word that ends it.
const ENDS: [(&str, &str); 4] = [
    ("module", "endmodule"),
    ("macromodule", "endmodule"),
    ("program", "endprogram"),
    ("class", "endclass"),
];

impl Parser<'_, '_> {
    /// Whether a program or class stands here, of which nothing is read.
    pub(super) fn at_unread(&self) -> bool {
        self.at_any(&["program", "class"])
    }

    /// Goes on behind the module that starts at a token, or passes the problem on.
    pub(super) fn without(&mut self, start: usize, problem: Diagnostic) -> Parsed<LeftOut> {
        self.tokens.go_to(start);
        let word = self.token().text;
        let Some((_, end)) = ENDS.iter().find(|(own, _)| *own == word) else {
            return Err(problem);
        };
        self.tokens.advance();
        let _ = self.take("automatic") || self.take("static");
        if self.token().kind != TokenKind::Identifier {
            return Err(problem);
        }
        let name = Identifier {
            text: self.token().text.to_string(),
            span: self.token().span,
        };
        self.tokens.advance();
        let has_ports = self.ports_follow();
        let mut inner = 0;
        while self.token().kind != TokenKind::End {
            if self.at(end) && inner == 0 {
                self.tokens.advance();
                self.label()?;
                return Ok(LeftOut {
                    name,
                    has_ports,
                    problem,
                });
            }
            inner += usize::from(self.at(word));
            inner -= usize::from(self.at(end));
            self.tokens.advance();
        }
        Err(problem)
    }

    /// Whether a header has ports, from behind its name.
    fn ports_follow(&mut self) -> bool {
        if self.at_symbol("#") {
            let mut brackets = 0;
            loop {
                self.tokens.advance();
                match self.token().kind {
                    TokenKind::Symbol("(") => brackets += 1,
                    TokenKind::Symbol(")") => brackets -= 1,
                    TokenKind::End => return false,
                    _ => {}
                }
                if brackets <= 0 {
                    break;
                }
            }
            self.tokens.advance();
        }
        self.at_symbol("(") && !self.token_at(1).is_symbol(")")
    }
}
