//! From words to an automaton.

use super::Document;
use super::header::{Header, MOST_STATES, Raw};
use super::lexer::{Token, TokenKind};
use crate::limits::Limits;
use crate::source::codes::specification as codes;
use crate::source::{Code, Cursor, Diagnostic, Span};
use crate::spec::automaton::omega::{Automaton, Edge, LongRun};
use crate::spec::formula::{FormulaId, TRUE};
use crate::spec::normal_form::negation_normal_form;

pub type Result<T> = std::result::Result<T, Diagnostic>;

/// Parentheses and negations inside of each other.
const DEEPEST: usize = 500;
/// Propositions of automata with an edge for each letter.
const MOST_IMPLICIT: usize = 16;

pub struct Parser<'t> {
    tokens: Cursor<'t, Token<'t>>,
}

pub fn error(code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::error(code, message).at(span, "here")
}

pub fn not_supported(message: impl Into<String>, span: Span) -> Diagnostic {
    error(codes::NOT_SUPPORTED, message, span)
}

pub fn too_large(what: &str, most: usize, span: Span) -> Diagnostic {
    let message = format!("more than {most} {what}");
    error(codes::TOO_LARGE, message, span).help("use a smaller automaton")
}

fn undeclared(what: &str, number: usize, count: usize, span: Span) -> Diagnostic {
    let message = match count {
        0 => format!("there is no {what} {number}: the header declares none"),
        _ => format!("there is no {what} {number}: the last one is {}", count - 1),
    };
    error(codes::UNDECLARED_NUMBER, message, span)
        .help("numbers start at 0; correct it, or the number in the header")
}

pub fn parse(tokens: &[Token<'_>], limits: &Limits) -> std::result::Result<Document, Diagnostic> {
    let mut parser = Parser {
        tokens: Cursor::within(tokens, limits),
    };
    let mut header = parser.header()?;
    let Some((acceptance, acceptance_span)) = header.acceptance.clone() else {
        return Err(parser.unexpected("`Acceptance:` in the header before `--BODY--`"));
    };
    for (number, span) in header.controllable.iter().flatten() {
        if *number >= header.propositions.len() {
            let count = header.propositions.len();
            return Err(undeclared("proposition", *number, count, *span));
        }
    }
    let mut states = parser.body(&mut header)?;
    for edge in states.iter_mut().flatten() {
        let absent = header.complements.iter().enumerate();
        let absent = absent.filter(|(_, set)| !edge.marks.contains(set));
        let absent: Vec<usize> = absent.map(|(index, _)| header.sets + index).collect();
        edge.marks.extend(absent);
    }
    let controllable = header.controllable.as_ref();
    let controllable =
        controllable.map(|numbers| numbers.iter().map(|(number, _)| *number).collect());
    let mut start: Vec<usize> = header.start.iter().map(|(state, _)| *state).collect();
    start.sort_unstable();
    start.dedup();
    Ok(Document {
        automaton: Automaton {
            name: header.name.clone(),
            sets: header.all_sets(),
            formulas: header.formulas,
            propositions: header.propositions,
            controllable,
            start,
            states,
            acceptance,
        },
        acceptance: acceptance_span,
    })
}

impl<'t> Parser<'t> {
    pub fn peek(&self) -> Token<'t> {
        *self.tokens.peek()
    }

    pub fn advance(&mut self) -> Token<'t> {
        *self.tokens.advance()
    }

    pub fn step_back(&mut self) {
        self.go_to(self.position() - 1);
    }

    pub fn position(&self) -> usize {
        self.tokens.position()
    }

    pub fn go_to(&mut self, position: usize) {
        self.tokens.go_to(position);
    }

    pub fn last_span(&self) -> Span {
        self.tokens.last().span
    }

    pub fn unexpected(&self, wanted: &str) -> Diagnostic {
        let token = self.peek();
        let message = format!("expected {wanted}, found {}", token.describe());
        error(codes::UNEXPECTED_TEXT, message, token.span).help(format!("write {wanted} here"))
    }

    fn take(&mut self, symbol: &str) -> bool {
        self.tokens.accept(|token| token.is(symbol)).is_some()
    }

    fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.take(symbol) {
            Ok(())
        } else {
            Err(self.unexpected(&format!("`{symbol}`")))
        }
    }

    pub fn number(&mut self) -> Result<(usize, Span)> {
        let token = self.peek();
        if token.kind != TokenKind::Number {
            return Err(self.unexpected("a number"));
        }
        self.advance();
        match token.text.parse::<u32>() {
            Ok(number) if number <= i32::MAX as u32 => Ok((number as usize, token.span)),
            _ => Err(too_large("as a number", i32::MAX as usize, token.span)),
        }
    }

    /// A state that is gone to; several at once are those of an alternating automaton.
    pub fn state(&mut self) -> Result<(usize, Span)> {
        let (number, span) = self.number()?;
        if self.peek().is("&") {
            let message = "this automaton is alternating: a run goes to several states at once";
            return Err(not_supported(message, self.peek().span).help(
                "make it nondeterministic first, as with `autfilt` of Spot, or give one file \
                 for each conjunct",
            ));
        }
        if number >= MOST_STATES {
            return Err(too_large("states", MOST_STATES, span));
        }
        Ok((number, span))
    }

    fn nested(&self, depth: usize) -> Result<()> {
        if depth > DEEPEST {
            return Err(too_large(
                "parentheses in each other",
                DEEPEST,
                self.peek().span,
            ));
        }
        Ok(())
    }

    /// `|` binds less tightly than `&`, and that less than `!`.
    pub fn label(&mut self, header: &mut Header) -> Result<FormulaId> {
        let formula = self.label_or(header, 0)?;
        Ok(negation_normal_form(&mut header.formulas, formula))
    }

    fn label_or(&mut self, header: &mut Header, depth: usize) -> Result<FormulaId> {
        self.nested(depth)?;
        let mut parts = vec![self.label_and(header, depth)?];
        while self.take("|") {
            parts.push(self.label_and(header, depth)?);
        }
        Ok(header.formulas.or(parts))
    }

    fn label_and(&mut self, header: &mut Header, depth: usize) -> Result<FormulaId> {
        let mut parts = vec![self.label_operand(header, depth)?];
        while self.take("&") {
            parts.push(self.label_operand(header, depth)?);
        }
        Ok(header.formulas.and(parts))
    }

    fn label_operand(&mut self, header: &mut Header, depth: usize) -> Result<FormulaId> {
        let mut negated = false;
        while self.take("!") {
            negated = !negated;
        }
        let token = self.peek();
        let formula = match token.kind {
            TokenKind::Number => {
                let (number, span) = self.number()?;
                let count = header.propositions.len();
                let Some(proposition) = header.propositions.get(number) else {
                    return Err(undeclared("proposition", number, count, span));
                };
                let atom = proposition.atom;
                header.formulas.of_atom(atom)
            }
            TokenKind::Alias => {
                self.advance();
                *header.aliases.get(token.text).ok_or_else(|| {
                    let message = format!("`@{}` is not declared before", token.text);
                    error(codes::UNKNOWN_NAME, message, token.span)
                        .help("declare it with `Alias:` in the header, before it is used")
                })?
            }
            TokenKind::Word if matches!(token.text, "t" | "f") => {
                self.advance();
                header.formulas.constant(token.text == "t")
            }
            TokenKind::Symbol if token.text == "(" => {
                self.advance();
                let inner = self.label_or(header, depth + 1)?;
                self.expect(")")?;
                inner
            }
            _ => return Err(self.unexpected("a proposition's number, `@name`, `t`, `f` or `(`")),
        };
        Ok(if negated {
            header.formulas.not(formula)
        } else {
            formula
        })
    }

    /// Over a label that is read later.
    pub fn skip_label(&mut self) {
        loop {
            let token = self.peek();
            let is_inside = match token.kind {
                TokenKind::Number | TokenKind::Alias | TokenKind::Word => true,
                TokenKind::Symbol => matches!(token.text, "!" | "&" | "|" | "(" | ")"),
                _ => false,
            };
            if !is_inside {
                return;
            }
            self.advance();
        }
    }

    pub fn condition(&mut self, header: &mut Header, depth: usize) -> Result<Raw> {
        self.nested(depth)?;
        let mut parts = vec![self.condition_and(header, depth)?];
        while self.take("|") {
            parts.push(self.condition_and(header, depth)?);
        }
        Ok(joined(parts, LongRun::Or))
    }

    fn condition_and(&mut self, header: &mut Header, depth: usize) -> Result<Raw> {
        let mut parts = vec![self.condition_operand(header, depth)?];
        while self.take("&") {
            parts.push(self.condition_operand(header, depth)?);
        }
        Ok(joined(parts, LongRun::And))
    }

    fn condition_operand(&mut self, header: &mut Header, depth: usize) -> Result<Raw> {
        let token = self.peek();
        match (token.kind, token.text) {
            (TokenKind::Word, "t" | "f") => {
                self.advance();
                Ok(LongRun::Constant(token.text == "t"))
            }
            (TokenKind::Word, "Inf" | "Fin") => {
                self.advance();
                self.expect("(")?;
                let is_complement = self.take("!");
                let (number, span) = self.number()?;
                self.expect(")")?;
                if number >= header.sets {
                    return Err(undeclared("acceptance set", number, header.sets, span));
                }
                let set = if is_complement {
                    let known = header.complements.iter().position(|set| *set == number);
                    let index = known.unwrap_or(header.complements.len());
                    if known.is_none() {
                        header.complements.push(number);
                    }
                    header.sets + index
                } else {
                    number
                };
                Ok(match token.text {
                    "Inf" => LongRun::Inf(set),
                    _ => LongRun::Fin(set),
                })
            }
            (TokenKind::Symbol, "(") => {
                self.advance();
                let inner = self.condition(header, depth + 1)?;
                self.expect(")")?;
                Ok(inner)
            }
            _ => Err(self.unexpected("`Inf(`, `Fin(`, `t`, `f` or `(`")),
        }
    }

    fn body(&mut self, header: &mut Header) -> Result<Vec<Vec<Edge>>> {
        let mut found: Vec<Option<Vec<Edge>>> = Vec::new();
        let mut used: Vec<(usize, Span)> = header.start.clone();
        while self.peek().kind == TokenKind::Header && self.peek().text == "State" {
            self.advance();
            let label = self.optional_label(header)?;
            let (state, span) = self.state()?;
            used.push((state, span));
            if self.peek().kind == TokenKind::Text {
                self.advance();
            }
            let marks = self.marks(header)?;
            let edges = self.edges(header, label, &marks, span)?;
            used.extend(edges.iter().map(|(edge, span)| (edge.successor, *span)));
            if found.len() <= state {
                found.resize(state + 1, None);
            }
            if found[state].is_some() {
                let message = format!("state {state} is there twice");
                return Err(error(codes::REPEATED_DECLARATION, message, span)
                    .help("put all its edges in one place"));
            }
            found[state] = Some(edges.into_iter().map(|(edge, _)| edge).collect());
        }
        let end = self.peek();
        if end.is("--ABORT--") {
            let message = "whoever wrote this automaton gave up before its end";
            return Err(error(codes::UNEXPECTED_TEXT, message, end.span)
                .help("write it again; the file is not complete"));
        }
        if !end.is("--END--") {
            return Err(self.unexpected("`State:` or `--END--`"));
        }
        self.advance();
        if self.peek().kind != TokenKind::End {
            let message = "there is more than one automaton in this file";
            return Err(not_supported(message, self.peek().span)
                .help("put each automaton into a file of its own"));
        }
        let count = match header.states {
            Some((count, _)) => count,
            None => used.iter().map(|(state, _)| state + 1).max().unwrap_or(0),
        };
        if let Some((state, span)) = used.into_iter().find(|(state, _)| *state >= count) {
            return Err(undeclared("state", state, count, span));
        }
        found.resize(count, None);
        Ok(found.into_iter().map(Option::unwrap_or_default).collect())
    }

    fn optional_label(&mut self, header: &mut Header) -> Result<Option<FormulaId>> {
        if !self.take("[") {
            return Ok(None);
        }
        let label = self.label(header)?;
        self.expect("]")?;
        Ok(Some(label))
    }

    fn marks(&mut self, header: &Header) -> Result<Vec<usize>> {
        let mut marks = Vec::new();
        if self.take("{") {
            while !self.take("}") {
                let (mark, span) = self.number()?;
                if mark >= header.sets {
                    return Err(undeclared("acceptance set", mark, header.sets, span));
                }
                marks.push(mark);
            }
        }
        Ok(marks)
    }

    /// The edges of a state; with labels on all of them, on none because the state has one,
    /// or on none because there is one edge for each letter.
    fn edges(
        &mut self,
        header: &mut Header,
        label: Option<FormulaId>,
        marks: &[usize],
        state: Span,
    ) -> Result<Vec<(Edge, Span)>> {
        let mut found: Vec<(Option<FormulaId>, usize, Vec<usize>, Span)> = Vec::new();
        while self.peek().is("[") || self.peek().kind == TokenKind::Number {
            let at = self.peek().span;
            let own = self.optional_label(header)?;
            if own.is_some() && label.is_some() {
                let message = "an edge has no label where its state has one";
                return Err(
                    error(codes::UNEXPECTED_TEXT, message, at).help("remove one of the two labels")
                );
            }
            let (successor, span) = self.state()?;
            let mut all = self.marks(header)?;
            all.extend(marks);
            all.sort_unstable();
            all.dedup();
            found.push((own, successor, all, span));
        }
        let unlabelled = found.iter().filter(|(own, ..)| own.is_none()).count();
        let is_implicit = label.is_none() && unlabelled > 0;
        if is_implicit {
            let count = header.propositions.len();
            let complete = count <= MOST_IMPLICIT && found.len() == 1 << count;
            if unlabelled != found.len() || !complete {
                let message = "edges without labels: either all edges of a state have one, or \
                               there is one edge for each letter";
                return Err(error(codes::UNEXPECTED_TEXT, message, state)
                    .help("write a label such as `[t]` before each edge"));
            }
        }
        let mut edges = Vec::new();
        for (letter, (own, successor, marks, span)) in found.into_iter().enumerate() {
            let guard = match (own, label) {
                (Some(guard), _) | (None, Some(guard)) => guard,
                (None, None) if is_implicit => letter_of(header, letter),
                (None, None) => TRUE,
            };
            let edge = Edge {
                guard,
                successor,
                marks,
            };
            edges.push((edge, span));
        }
        Ok(edges)
    }
}

/// The letter in which the propositions have the values of the bits of a number.
fn letter_of(header: &mut Header, letter: usize) -> FormulaId {
    let mut literals = Vec::new();
    for index in 0..header.propositions.len() {
        let atom = header.propositions[index].atom;
        let atom = header.formulas.of_atom(atom);
        literals.push(match letter >> index & 1 {
            1 => atom,
            _ => header.formulas.not(atom),
        });
    }
    header.formulas.and(literals)
}

fn joined(mut parts: Vec<LongRun>, join: fn(Vec<LongRun>) -> LongRun) -> LongRun {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            join(parts)
        }
    }
}
