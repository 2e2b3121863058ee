//! Reads one expression or formula from tokens into a [`Tree`].
//!
//! Operator precedence with an explicit stack instead of recursion: nesting costs heap,
//! never stack, and the open brackets are at hand when one of them is not closed. The
//! parser stops at the first token that cannot continue the text; whoever called it
//! decides what that token means, with [`super::mistake::unexpected`] for everything that is a mistake.

mod brackets;

use super::codes;
use super::keywords::is_keyword;
use super::mistake::unexpected;
use super::operator::{
    Infix, PRECEDENCE_CONDITIONAL, Prefix, STATEMENT_WORDS, TemporalBinary, TemporalUnary,
};
use super::token::{Token, TokenKind};
use super::tree::{NodeId, NodeKind, Tree};
use super::{BinaryOp, Dialect, INSIDE, Number, UnaryOp};
use crate::source::{Cursor, Diagnostic, Span};

/// Words for types that stand in expressions: `int'{...}`, `'{int: 1}`, `$bits(int)`.
const TYPE_WORDS: [&str; 9] = [
    "int", "integer", "byte", "shortint", "longint", "time", "logic", "bit", "reg",
];

/// Reads as far as possible; the cursor is left at the token after the text.
pub fn parse(
    tokens: &mut Cursor<'_, Token<'_>>,
    tree: &mut Tree,
    dialect: Dialect,
) -> Result<NodeId, Diagnostic> {
    let mut parser = Parser {
        tokens,
        tree,
        dialect,
        stack: Vec::new(),
    };
    parser.run()
}

/// What waits on the stack for the operand that is being read.
enum Pending {
    Prefix(Prefix, Span),
    Infix(Infix, NodeId),
    /// `condition ?`
    Question(NodeId, Span),
    /// `condition ? then :`
    Colon(NodeId, NodeId),
    /// `type` before the pattern that follows.
    Typed(NodeId),
    Open(Bracket, Span),
}

enum Bracket {
    Group,
    Call(String, Vec<NodeId>),
    Concat(Vec<NodeId>),
    Replicate(NodeId, Vec<NodeId>),
    Select(NodeId, Option<(Separator, NodeId)>),
    /// `width'(`
    Cast(NodeId),
    /// `a inside {`
    Inside(NodeId, Vec<NodeId>),
    /// `[` in such a list.
    ValueRange(Option<NodeId>),
    /// `'{`, with the key of the present item.
    Pattern(Option<NodeId>, Vec<NodeId>),
    /// `'{ count {`
    PatternCount(NodeId, Vec<NodeId>),
    /// `{<<` or `{>>`: whether to the left, the size of a slice, the items.
    Stream(bool, Option<NodeId>, Option<Vec<NodeId>>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Range,
    Up,
    Down,
}

impl Bracket {
    fn opening(&self) -> &'static str {
        match self {
            Bracket::Group | Bracket::Call(..) | Bracket::Cast(_) => "(",
            Bracket::Concat(_) | Bracket::Replicate(..) | Bracket::Inside(..) => "{",
            Bracket::Pattern(..) | Bracket::PatternCount(..) => "'{",
            Bracket::Stream(..) => "{",
            Bracket::Select(..) | Bracket::ValueRange(_) => "[",
        }
    }

    fn closing(&self) -> &'static str {
        match self {
            Bracket::Group | Bracket::Call(..) | Bracket::Cast(_) => ")",
            Bracket::Concat(_) | Bracket::Replicate(..) | Bracket::Inside(..) => "}",
            Bracket::Pattern(..) | Bracket::PatternCount(..) | Bracket::Stream(..) => "}",
            Bracket::Select(..) | Bracket::ValueRange(_) => "]",
        }
    }
}

/// Whether a token starts an operand, for deciding what a name before it is.
#[derive(PartialEq, Eq)]
enum Start {
    Yes,
    No,
    /// `& | ^ ~^ + -`: an operator with one operand or with two.
    Both,
}

struct Parser<'p, 'a, 'b> {
    tokens: &'p mut Cursor<'a, Token<'b>>,
    tree: &'p mut Tree,
    dialect: Dialect,
    stack: Vec<Pending>,
}

impl<'a, 'b> Parser<'_, 'a, 'b> {
    fn run(&mut self) -> Result<NodeId, Diagnostic> {
        let mut operand: Option<NodeId> = None;
        loop {
            operand = match operand {
                None => self.operand()?,
                Some(node) => match self.after_operand(node)? {
                    Step::Operand(node) => Some(node),
                    Step::Operator => None,
                    Step::Finished(node) => return Ok(node),
                },
            };
        }
    }

    fn token(&self) -> &'a Token<'b> {
        self.tokens.peek()
    }

    fn token_at(&self, ahead: usize) -> &'a Token<'b> {
        self.tokens.peek_at(ahead)
    }

    fn add(&mut self, kind: NodeKind, span: Span) -> NodeId {
        self.tree.add(kind, span)
    }

    fn span(&self, node: NodeId) -> Span {
        self.tree.node(node).span
    }

    /// Reads one token where an operand has to start. `None`: it is still to come.
    fn operand(&mut self) -> Result<Option<NodeId>, Diagnostic> {
        let token = self.token();
        match &token.kind {
            TokenKind::Invalid(diagnostic) => Err((**diagnostic).clone()),
            TokenKind::End => Err(self.operand_missing(token)),
            TokenKind::Number(number) => {
                self.tokens.advance();
                Ok(Some(self.add(NodeKind::Number(number.clone()), token.span)))
            }
            TokenKind::System => {
                self.tokens.advance();
                if self.token().is_symbol("(") {
                    Ok(self.open_call(token))
                } else {
                    let kind = NodeKind::Call(token.text.to_string(), Vec::new());
                    Ok(Some(self.add(kind, token.span)))
                }
            }
            TokenKind::Escaped => Ok(Some(self.name(token))),
            TokenKind::Identifier => self.identifier(token),
            TokenKind::Symbol("'1") => {
                self.tokens.advance();
                Ok(Some(self.add(NodeKind::AllOnes, token.span)))
            }
            TokenKind::Symbol(symbol) => self.symbol_operand(token, symbol),
            TokenKind::Text if self.dialect == Dialect::Source => {
                self.tokens.advance();
                let number = Number::from_string(token.text);
                Ok(Some(self.add(NodeKind::Number(number), token.span)))
            }
            TokenKind::Directive | TokenKind::Text => Err(self.operand_missing(token)),
        }
    }

    fn symbol_operand(
        &mut self,
        token: &Token<'_>,
        symbol: &'static str,
    ) -> Result<Option<NodeId>, Diagnostic> {
        if let Some(operator) = UnaryOp::from_symbol(symbol) {
            self.tokens.advance();
            self.stack
                .push(Pending::Prefix(Prefix::Verilog(operator), token.span));
            return Ok(None);
        }
        let bracket = match symbol {
            "(" => Bracket::Group,
            "{" if self.dialect == Dialect::Source
                && matches!(self.token_at(1).kind, TokenKind::Symbol("<<" | ">>")) =>
            {
                self.tokens.advance();
                return self.open_stream(token.span);
            }
            "{" => Bracket::Concat(Vec::new()),
            "'{" => Bracket::Pattern(None, Vec::new()),
            "$" if matches!(
                self.stack.last(),
                Some(Pending::Open(Bracket::ValueRange(_), _))
            ) =>
            {
                return Ok(Some(self.name(token)));
            }
            "[" if matches!(
                self.stack.last(),
                Some(Pending::Open(Bracket::Inside(..), _))
            ) =>
            {
                Bracket::ValueRange(None)
            }
            ")" => {
                return match self.stack.last() {
                    Some(Pending::Open(Bracket::Call(name, items), start)) if items.is_empty() => {
                        let kind = NodeKind::Call(name.clone(), Vec::new());
                        let span = start.to(token.span);
                        self.stack.pop();
                        self.tokens.advance();
                        Ok(Some(self.add(kind, span)))
                    }
                    _ => Err(self.operand_missing(token)),
                };
            }
            "." if matches!(self.stack.last(), Some(Pending::Open(Bracket::Call(..), _))) => {
                let message = "an argument by its name is not supported";
                return Err(Diagnostic::error(codes::EXPECTED_OPERAND, message)
                    .at(token.span, "this one")
                    .help("give the arguments in their order"));
            }
            _ => return Err(self.operand_missing(token)),
        };
        self.tokens.advance();
        self.stack.push(Pending::Open(bracket, token.span));
        Ok(None)
    }

    /// `{<<` or `{>>`, and the size of a slice if it is written; the cursor is at the operator.
    fn open_stream(&mut self, start: Span) -> Result<Option<NodeId>, Diagnostic> {
        let to_left = self.token().is_symbol("<<");
        self.tokens.advance();
        let has_size = !self.token().is_symbol("{");
        let items = (!has_size).then(Vec::new);
        if !has_size {
            self.tokens.advance();
        }
        let bracket = Bracket::Stream(to_left, None, items);
        self.stack.push(Pending::Open(bracket, start));
        Ok(None)
    }

    fn name(&mut self, token: &Token<'_>) -> NodeId {
        self.tokens.advance();
        self.add(NodeKind::Name(vec![token.text.to_string()]), token.span)
    }

    fn open_call(&mut self, name: &Token<'_>) -> Option<NodeId> {
        let span = name.span.to(self.token().span);
        self.tokens.advance();
        let bracket = Bracket::Call(name.text.to_string(), Vec::new());
        self.stack.push(Pending::Open(bracket, span));
        None
    }

    /// An identifier where an operand starts: a name, a call, a constant or an operator.
    fn identifier(&mut self, token: &Token<'_>) -> Result<Option<NodeId>, Diagnostic> {
        if self.dialect == Dialect::Formula {
            if let Some(constant) = match token.text {
                "true" => Some(true),
                "false" => Some(false),
                _ => None,
            } {
                self.tokens.advance();
                return Ok(Some(self.add(NodeKind::Constant(constant), token.span)));
            }
            if token.text == "not" {
                self.tokens.advance();
                self.stack.push(Pending::Prefix(Prefix::Not, token.span));
                return Ok(None);
            }
            if matches!(token.text, "and" | "or") || STATEMENT_WORDS.contains(&token.text) {
                return Err(self.operand_missing(token));
            }
            if let Some(operator) = TemporalUnary::from_text(token.text) {
                if self.is_operator(token)? {
                    self.tokens.advance();
                    self.stack
                        .push(Pending::Prefix(Prefix::Temporal(operator), token.span));
                    return Ok(None);
                }
                return Ok(Some(self.name(token)));
            }
            if TemporalBinary::from_text(token.text).is_some() {
                // `U U a`: the first is a signal, because the second can be the operator.
                let next = self.token_at(1);
                let next_connects = next.kind == TokenKind::Identifier
                    && TemporalBinary::from_text(next.text).is_some();
                if !next_connects && self.starts_operand(1) == Start::Yes {
                    return Err(self.operand_missing(token));
                }
                return Ok(Some(self.name(token)));
            }
        }
        let casts = self.token_at(1).is_symbol("'(") || self.is_type_word(token);
        let is_default = token.text == "default"
            && matches!(
                self.stack.last(),
                Some(Pending::Open(Bracket::Pattern(None, _), _))
            );
        if self.dialect == Dialect::Source && is_keyword(token.text) && !casts && !is_default {
            return Err(self.operand_missing(token));
        }
        if self.token_at(1).is_symbol("(") {
            self.tokens.advance();
            return Ok(self.open_call(token));
        }
        Ok(Some(self.name(token)))
    }

    /// Whether a word is a type where one may stand: before a pattern, as the key of one, and in
    /// `$bits`.
    fn is_type_word(&self, token: &Token<'_>) -> bool {
        let next = self.token_at(1);
        let may_stand = match self.stack.last() {
            Some(Pending::Open(Bracket::Pattern(None, _), _)) => next.is_symbol(":"),
            Some(Pending::Open(Bracket::Call(name, items), _)) => {
                name == "$bits" && items.is_empty() && next.is_symbol(")")
            }
            _ => false,
        };
        TYPE_WORDS.contains(&token.text) && (may_stand || next.is_symbol("'{"))
    }

    /// Whether a word such as `G` is the operator or a signal, judged by what follows it.
    fn is_operator(&self, token: &Token<'_>) -> Result<bool, Diagnostic> {
        let next = self.token_at(1);
        let between =
            next.kind == TokenKind::Identifier && TemporalBinary::from_text(next.text).is_some();
        // In `G U a` the second word can only be an operator between `G` and `a`; in `G U` it
        // can only be a signal.
        let (start, decided_by) = if between {
            match self.starts_operand(2) {
                Start::Yes => (Start::No, next),
                Start::No => (Start::Yes, next),
                Start::Both => (Start::Both, self.token_at(2)),
            }
        } else {
            (self.starts_operand(1), next)
        };
        match start {
            Start::Yes => Ok(true),
            Start::No => Ok(false),
            Start::Both => {
                let word = token.text;
                let symbol = decided_by.text;
                Err(Diagnostic::error(
                    codes::OPERATOR_OR_SIGNAL,
                    format!("`{word}` can be an operator or a signal here"),
                )
                .at(token.span, "operator or signal?")
                .at(decided_by.span, "this has one operand or two")
                .help(format!(
                    "write `{word} ({symbol}...)` for the operator, `({word}) {symbol} ...` for the signal"
                )))
            }
        }
    }

    fn starts_operand(&self, ahead: usize) -> Start {
        let token = self.token_at(ahead);
        match &token.kind {
            TokenKind::End => Start::No,
            TokenKind::Identifier => {
                let connects = matches!(token.text, "and" | "or");
                if connects || STATEMENT_WORDS.contains(&token.text) {
                    Start::No
                } else {
                    Start::Yes
                }
            }
            TokenKind::Symbol("(" | "{" | "!" | "~" | "~&" | "~|") => Start::Yes,
            TokenKind::Symbol("&" | "|" | "^" | "~^" | "^~" | "+" | "-") => Start::Both,
            TokenKind::Symbol(_) => Start::No,
            _ => Start::Yes,
        }
    }

    fn operand_missing(&self, token: &Token<'_>) -> Diagnostic {
        let wanted = match self.dialect {
            Dialect::Verilog | Dialect::Source => "an expression",
            Dialect::Formula => "a formula",
        };
        let diagnostic = Diagnostic::error(
            codes::EXPECTED_OPERAND,
            format!("expected {wanted}, found {}", token.describe()),
        )
        .at(token.span, format!("{wanted} is missing here"));
        let diagnostic = match self.stack.last() {
            Some(Pending::Prefix(_, span)) => diagnostic.at(*span, "the operand of this"),
            Some(Pending::Open(bracket, span)) => {
                diagnostic.at(*span, format!("after this `{}`", bracket.opening()))
            }
            _ => diagnostic,
        };
        match token.kind {
            TokenKind::Symbol("[") if self.token_at(1).is_symbol("]") => {
                diagnostic.help("`[]` is written `G`")
            }
            TokenKind::Symbol("<>") => diagnostic.help("`<>` is written `F`"),
            TokenKind::Identifier if TemporalBinary::from_text(token.text).is_some() => {
                diagnostic.help(format!("`{}` needs a formula on its left too", token.text))
            }
            _ => diagnostic,
        }
    }

    fn infix_at(&self, token: &Token<'_>) -> Option<Infix> {
        match (&token.kind, self.dialect) {
            (TokenKind::Symbol("->"), Dialect::Formula) => Some(Infix::Implies),
            (TokenKind::Symbol("<->"), Dialect::Formula) => Some(Infix::Iff),
            (TokenKind::Symbol("->"), Dialect::Source) => Some(Infix::LogicalImplies),
            (TokenKind::Symbol("<->"), Dialect::Source) => Some(Infix::LogicalIff),
            (TokenKind::Symbol("~&"), Dialect::Source) => Some(Infix::Negated(BinaryOp::BitAnd)),
            (TokenKind::Symbol("~|"), Dialect::Source) => Some(Infix::Negated(BinaryOp::BitOr)),
            (TokenKind::Symbol("==?"), Dialect::Source) => Some(Infix::Wildcard(true)),
            (TokenKind::Symbol("!=?"), Dialect::Source) => Some(Infix::Wildcard(false)),
            (TokenKind::Symbol(symbol), _) => BinaryOp::from_symbol(symbol).map(Infix::Verilog),
            (TokenKind::Identifier, Dialect::Formula) => match token.text {
                "and" => Some(Infix::Verilog(BinaryOp::LogicalAnd)),
                "or" => Some(Infix::Verilog(BinaryOp::LogicalOr)),
                text => TemporalBinary::from_text(text).map(Infix::Temporal),
            },
            _ => None,
        }
    }

    /// Reads one token after an operand: an operator, a bracket, or the end.
    fn after_operand(&mut self, operand: NodeId) -> Result<Step, Diagnostic> {
        let token = self.token();
        if let Some(infix) = self.infix_at(token) {
            self.tokens.advance();
            let left = self.reduce(operand, infix.precedence(), infix.groups_right())?;
            self.stack.push(Pending::Infix(infix, left));
            return Ok(Step::Operator);
        }
        match token.kind {
            TokenKind::Symbol("?") => {
                self.tokens.advance();
                let condition = self.reduce(operand, PRECEDENCE_CONDITIONAL, true)?;
                self.stack.push(Pending::Question(condition, token.span));
                Ok(Step::Operator)
            }
            TokenKind::Symbol("." | "::") => self.scope(operand).map(Step::Operand),
            TokenKind::Identifier
                if token.text == INSIDE
                    && self.dialect == Dialect::Source
                    && self.token_at(1).is_symbol("{") =>
            {
                let precedence = BinaryOp::Less.precedence();
                let operand = self.reduce(operand, precedence, false)?;
                self.tokens.advance();
                self.tokens.advance();
                let bracket = Bracket::Inside(operand, Vec::new());
                self.stack.push(Pending::Open(bracket, token.span));
                Ok(Step::Operator)
            }
            TokenKind::Symbol("(") if self.dialect == Dialect::Source => {
                match self.tree.take_called(operand) {
                    Some(name) => {
                        let span = self.span(operand).to(token.span);
                        self.tokens.advance();
                        let bracket = Bracket::Call(name, Vec::new());
                        self.stack.push(Pending::Open(bracket, span));
                        Ok(Step::Operator)
                    }
                    None => self.finish(operand),
                }
            }
            TokenKind::Symbol("'{") if self.dialect == Dialect::Source => {
                self.tokens.advance();
                self.stack.push(Pending::Typed(operand));
                let bracket = Bracket::Pattern(None, Vec::new());
                self.stack.push(Pending::Open(bracket, token.span));
                Ok(Step::Operator)
            }
            TokenKind::Symbol("[") if self.at_repetition() => self.finish(operand),
            TokenKind::Symbol("[") => self.open_select(operand),
            TokenKind::Symbol("'(") => {
                self.tokens.advance();
                let bracket = Bracket::Cast(operand);
                self.stack.push(Pending::Open(bracket, token.span));
                Ok(Step::Operator)
            }
            TokenKind::Symbol("+:") => self.separate(operand, Separator::Up),
            TokenKind::Symbol("-:") => self.separate(operand, Separator::Down),
            TokenKind::Symbol(":") => self.separate(operand, Separator::Range),
            TokenKind::Symbol(",") => self.next_item(operand),
            TokenKind::Symbol("{") => self.open_replication(operand),
            TokenKind::Symbol(")" | "]" | "}") => self.close(operand),
            _ => self.finish(operand),
        }
    }

    /// `[*`, `[=` and `[->` repeat a condition of a sequence; they are no part of it.
    fn at_repetition(&self) -> bool {
        self.dialect == Dialect::Source
            && (matches!(self.token_at(1).kind, TokenKind::Symbol("*" | "=" | "->"))
                || self.token_at(1).is_symbol("+") && self.token_at(2).is_symbol("]"))
    }

    /// Applies pending operators that bind tighter, or as tightly and group left.
    fn reduce(
        &mut self,
        operand: NodeId,
        precedence: u8,
        groups_right: bool,
    ) -> Result<NodeId, Diagnostic> {
        let mut operand = operand;
        loop {
            let pending = match self.stack.last() {
                Some(Pending::Prefix(prefix, _)) => prefix.precedence(),
                Some(Pending::Infix(infix, _)) => infix.precedence(),
                Some(Pending::Colon(..)) => PRECEDENCE_CONDITIONAL,
                Some(Pending::Question(..) | Pending::Typed(_) | Pending::Open(..)) | None => {
                    return Ok(operand);
                }
            };
            if pending < precedence || pending == precedence && groups_right {
                return Ok(operand);
            }
            operand = match self.stack.pop() {
                Some(Pending::Prefix(prefix, span)) => {
                    let span = span.to(self.span(operand));
                    self.add(NodeKind::Prefix(prefix, operand), span)
                }
                Some(Pending::Infix(infix, left)) => {
                    self.refuse_ambiguous(infix, left)?;
                    self.refuse_ambiguous(infix, operand)?;
                    let span = self.span(left).to(self.span(operand));
                    self.add(NodeKind::Infix(infix, left, operand), span)
                }
                Some(Pending::Colon(condition, then)) => {
                    let span = self.span(condition).to(self.span(operand));
                    self.add(NodeKind::Conditional(condition, then, operand), span)
                }
                _ => return Ok(operand),
            };
        }
    }

    /// Verilog and temporal logic disagree about `a && b | c`; so does the reader.
    fn refuse_ambiguous(&self, infix: Infix, operand: NodeId) -> Result<(), Diagnostic> {
        let node = self.tree.node(operand);
        let ambiguous = self.dialect == Dialect::Formula
            && infix == Infix::Verilog(BinaryOp::LogicalAnd)
            && !node.grouped
            && matches!(
                node.kind,
                NodeKind::Infix(Infix::Verilog(BinaryOp::BitOr), ..)
            );
        if !ambiguous {
            return Ok(());
        }
        Err(Diagnostic::error(
            codes::AMBIGUOUS_CONNECTIVES,
            "`&&` and `|` next to each other need parentheses",
        )
        .at(node.span, "in Verilog this `|` binds tighter than `&&`")
        .help("write `(a && b) | c` or `a && (b | c)`"))
    }

    /// `operand . name`
    fn scope(&mut self, operand: NodeId) -> Result<NodeId, Diagnostic> {
        let dot = self.token();
        let token = self.token_at(1);
        let is_name = matches!(token.kind, TokenKind::Identifier | TokenKind::Escaped);
        let path = if is_name {
            self.tree.take_scope(operand)
        } else {
            None
        };
        if let Some(mut path) = path {
            path.push(token.text.to_string());
            let span = self.span(operand).to(token.span);
            self.tokens.advance();
            self.tokens.advance();
            return Ok(self.add(NodeKind::Name(path), span));
        }
        if is_name && self.dialect == Dialect::Source && self.tree.is_selectable(operand) {
            let span = self.span(operand).to(token.span);
            self.tokens.advance();
            self.tokens.advance();
            let member = NodeKind::Member(operand, token.text.to_string());
            return Ok(self.add(member, span));
        }
        let message = if is_name {
            "only a scope can stand before a `.`"
        } else {
            "a name has to follow the `.`"
        };
        Err(Diagnostic::error(codes::EXPECTED_OPERAND, message)
            .at(dot.span, "here")
            .help("hierarchical names look like `u0.state` or `lane[3].busy`"))
    }

    /// The text ends at this token, unless something is still open.
    fn finish(&mut self, operand: NodeId) -> Result<Step, Diagnostic> {
        let operand = self.reduce(operand, 0, false)?;
        match self.stack.last() {
            None => Ok(Step::Finished(operand)),
            Some(_) => Err(self.misplaced(self.token())),
        }
    }

    /// The last escaped identifier since a bracket was opened that has a closing one in it.
    fn name_with(&self, closing: &str, opened: Span) -> Option<&'a Token<'b>> {
        let before = (1..=self.tokens.position()).map(|count| self.tokens.read_before(count));
        before
            .take_while(|token| token.span.start > opened.start)
            .find(|token| token.kind == TokenKind::Escaped && token.text.contains(closing))
    }

    /// A token that does not fit what is open on the stack.
    fn misplaced(&self, token: &Token<'_>) -> Diagnostic {
        let ends = token.kind == TokenKind::End
            || matches!(token.kind, TokenKind::Symbol(";" | ")" | "]" | "}"))
            || token.kind == TokenKind::Identifier && STATEMENT_WORDS.contains(&token.text);
        match self.stack.last() {
            Some(Pending::Open(bracket, span)) if ends => {
                let closing = bracket.closing();
                let diagnostic = Diagnostic::error(
                    codes::UNCLOSED_BRACKET,
                    format!("this `{}` is never closed", bracket.opening()),
                )
                .at(*span, "opened here");
                match self.name_with(closing, *span) {
                    Some(name) => {
                        let (written, rest) =
                            name.text.split_at(name.text.find(closing).unwrap_or(0));
                        diagnostic
                            .at(name.span, format!("the `{closing}` is a part of this name"))
                            .help(format!(
                                "an escaped identifier ends with a space: write `\\{written} {rest}`"
                            ))
                    }
                    None => diagnostic
                        .at(token.span, format!("`{closing}` is missing before this"))
                        .help(format!("add `{closing}`")),
                }
            }
            Some(Pending::Question(_, span)) => {
                Diagnostic::error(codes::EXPECTED_OPERATOR, "this `?` has no `:`")
                    .at(*span, "the choice starts here")
                    .at(token.span, "`:` is missing before this")
                    .help("a choice looks like `condition ? a : b`")
            }
            _ => unexpected(token, self.dialect),
        }
    }
}

enum Step {
    /// The operand may continue, as in `a[0]` after `a`.
    Operand(NodeId),
    /// An operand has to follow.
    Operator,
    Finished(NodeId),
}
