//! Compiler directives: macros, conditions, includes.
//!
//! Works on tokens, so that every token keeps its span in the file that it was read from.
//! What a macro expands to has the span of the macro's use: an edit can replace the use as
//! a whole, and never a part of what it stands for. Uses that stand for several tokens are
//! listed as [`Preprocessed::sealed`], so that no edit changes a part of one. A use takes a new
//! value only where it stands for a whole expression.

use super::codes;
use crate::design::suggest::did_you_mean;
use crate::expr::build::parse_in_source;
use crate::expr::token::{Token, TokenKind, tokenize, tokenize_within};
use crate::expr::{Dialect, Number};
use crate::source::{Cursor, Diagnostic, FileId, Sources, Span};
use std::cell::{Cell, OnceCell};
use std::collections::{HashMap, HashSet};

/// Includes and macros inside each other.
const DEEPEST: usize = 64;
/// Tokens of all files together, macros expanded.
const MOST_TOKENS: usize = 8_000_000;

/// Tokens of one macro use that are looked at as an expression.
const MOST_OF_EXPRESSION: usize = 10_000;

/// Finds the file of an `` `include ``: the name as written and the file that includes it.
pub type Finder<'a> = dyn Fn(&str, FileId) -> Option<FileId> + 'a;

pub struct Preprocessed<'a> {
    /// The last one is the end.
    pub tokens: Vec<Token<'a>>,
    /// Spans of macro uses that stand for more or less than one token.
    pub sealed: Vec<Span>,
    /// Those of them that do not stand for an expression as a whole. An expression that has such
    /// a span is a part of what the macro stands for.
    pub fragments: HashSet<Span>,
    /// What is read only because a macro such as `FORMAL` is defined, or `SYNTHESIS` is not.
    pub formal: Vec<Span>,
    /// `` `default_nettype none `` was said.
    pub undeclared_is_error: bool,
}

#[derive(Clone)]
struct MacroParameter<'a> {
    name: &'a str,
    default: Option<Vec<Token<'a>>>,
}

#[derive(Clone)]
struct Macro<'a> {
    /// `None`: used without parentheses.
    parameters: Option<Vec<MacroParameter<'a>>>,
    body: Vec<Token<'a>>,
    span: Option<Span>,
}

/// What each parameter of a macro stands for, with the levels of the tokens if it was given.
type Arguments<'a> = HashMap<&'a str, (Vec<Token<'a>>, Option<Vec<usize>>)>;

/// An `` `ifdef `` that is not closed yet.
struct Condition {
    span: Span,
    /// Whether the tokens around it count.
    outside: bool,
    active: bool,
    /// Whether some branch was taken.
    taken: bool,
    in_else: bool,
    /// Whether the branch that is read is there for properties.
    formal: bool,
    /// Where this branch begins.
    branch: Span,
}

pub struct Preprocessor<'a> {
    sources: &'a Sources,
    finder: &'a Finder<'a>,
    macros: HashMap<&'a str, Macro<'a>>,
    conditions: Vec<Condition>,
    including: Vec<FileId>,
    made: Cell<&'a MadeTexts>,
    output: Preprocessed<'a>,
}

/// Texts that no file has: macros join words, and make strings of them.
#[derive(Default)]
pub struct MadeTexts {
    first: OnceCell<Box<(String, MadeTexts)>>,
}

impl Drop for MadeTexts {
    /// One by one: a list drops itself as deep as it is long.
    fn drop(&mut self) {
        let mut rest = self.first.take();
        while let Some(mut one) = rest {
            rest = one.1.first.take();
        }
    }
}

impl<'a> Preprocessor<'a> {
    /// `defines` are macros from the command line, each with the file that has its text.
    pub fn new(
        sources: &'a Sources,
        finder: &'a Finder<'a>,
        defines: &'a [(String, FileId)],
        made: &'a MadeTexts,
    ) -> Preprocessor<'a> {
        let mut macros = HashMap::new();
        for (name, file) in defines {
            let text = &sources.file(*file).text;
            let mut body = tokenize_within(*file, text, Dialect::Source, sources.limits());
            body.pop();
            macros.insert(
                name.as_str(),
                Macro {
                    parameters: None,
                    body,
                    span: None,
                },
            );
        }
        Preprocessor {
            sources,
            finder,
            macros,
            conditions: Vec::new(),
            including: Vec::new(),
            made: Cell::new(made),
            output: Preprocessed {
                tokens: Vec::new(),
                sealed: Vec::new(),
                fragments: HashSet::new(),
                formal: Vec::new(),
                undeclared_is_error: false,
            },
        }
    }

    /// Adds a file; macros stay defined for the next.
    pub fn add(&mut self, file: FileId) -> Result<(), Diagnostic> {
        self.file(file)?;
        match self.conditions.pop() {
            None => Ok(()),
            Some(open) => Err(Diagnostic::error(
                codes::DIRECTIVE,
                "this condition is never closed",
            )
            .at(open.span, "no `endif follows")
            .help("add `` `endif ``")),
        }
    }

    /// All tokens, with the end of the last file behind them.
    pub fn finish(mut self, last: FileId) -> Preprocessed<'a> {
        join_sizes(&mut self.output.tokens);
        let length = self.sources.file(last).text.len();
        self.output.tokens.push(Token {
            kind: TokenKind::End,
            text: "",
            span: Span::new(last, length, length),
            starts_line: true,
        });
        self.output
    }

    fn file(&mut self, file: FileId) -> Result<(), Diagnostic> {
        let text = &self.sources.file(file).text;
        let limits = self.sources.limits();
        let tokens = tokenize_within(file, text, Dialect::Source, limits);
        let mut position = 0;
        let mut in_specify = false;
        while tokens[position].kind != TokenKind::End {
            limits.poll()?;
            let token = &tokens[position];
            position += 1;
            in_specify = token.is_word("specify") || in_specify && !token.is_word("endspecify");
            let is_invalid = matches!(token.kind, TokenKind::Invalid(_));
            if in_specify && is_invalid {
                // Delays are real numbers, and nobody reads them.
                continue;
            }
            if token.kind == TokenKind::Directive {
                self.directive(&tokens, &mut position)?;
            } else if self.is_active() {
                // A delay may be a real number, and so may much in a test bench.
                if let TokenKind::Invalid(problem) = &token.kind
                    && !token.is_real()
                {
                    return Err((**problem).clone());
                }
                if token.is_symbol("(")
                    && tokens[position].is_symbol("*")
                    && !tokens[position + 1].is_symbol(")")
                {
                    let free = skip_attribute(&tokens, &mut position)?;
                    self.output.tokens.extend(free);
                    continue;
                }
                self.output.tokens.push(token.clone());
            }
        }
        Ok(())
    }

    fn is_active(&self) -> bool {
        self.conditions.last().is_none_or(|one| one.active)
    }

    /// The directive, or the use of a macro, before `position`.
    fn directive(&mut self, tokens: &[Token<'a>], position: &mut usize) -> Result<(), Diagnostic> {
        let token = &tokens[*position - 1];
        let line_end = |position: &usize| line_end(self.sources, tokens, *position);
        match token.text {
            "ifdef" | "ifndef" => {
                let name = self.name_behind(tokens, position)?;
                let outside = self.is_active();
                let holds = self.macros.contains_key(name) == (token.text == "ifdef");
                self.conditions.push(Condition {
                    span: token.span,
                    outside,
                    active: outside && holds,
                    taken: holds,
                    in_else: false,
                    formal: is_formal(name, token.text == "ifdef"),
                    branch: token.span,
                });
                return Ok(());
            }
            "elsif" => {
                let name = self.name_behind(tokens, position)?;
                let holds = self.macros.contains_key(name);
                self.end_branch(token);
                let condition = self.open_condition(token)?;
                condition.active = condition.outside && !condition.taken && holds;
                condition.taken |= holds;
                condition.formal = is_formal(name, true);
                return Ok(());
            }
            "else" => {
                self.end_branch(token);
                let condition = self.open_condition(token)?;
                condition.active = condition.outside && !condition.taken;
                condition.taken = true;
                condition.in_else = true;
                condition.formal = false;
                return Ok(());
            }
            "endif" => {
                self.end_branch(token);
                if self.conditions.pop().is_none() {
                    return Err(stray(token));
                }
                return Ok(());
            }
            _ if !self.is_active() => return Ok(()),
            "define" => {
                let end = line_end(position);
                let macro_tokens = &tokens[*position..end];
                *position = end;
                return self.define(token, macro_tokens);
            }
            "undef" => {
                let name = self.name_behind(tokens, position)?;
                self.macros.remove(name);
            }
            "undefineall" => self.macros.clear(),
            "include" => return self.include(tokens, position),
            "timescale" | "pragma" | "line" | "unconnected_drive" | "begin_keywords" => {
                *position = line_end(position);
            }
            "default_nettype" => {
                let end = line_end(position);
                let mut words = tokens[*position..end].iter();
                self.output.undeclared_is_error = words.any(|one| one.is_word("none"));
                *position = end;
            }
            "resetall"
            | "celldefine"
            | "endcelldefine"
            | "nounconnected_drive"
            | "end_keywords" => {}
            _ => return self.expand(tokens, position),
        }
        Ok(())
    }

    /// Notes what was read for properties up to a directive, and that another branch begins.
    fn end_branch(&mut self, directive: &Token<'a>) {
        if let Some(condition) = self.conditions.last_mut() {
            if condition.active && condition.formal && condition.branch.file == directive.span.file
            {
                self.output.formal.push(condition.branch.to(directive.span));
            }
            condition.branch = directive.span;
        }
    }

    fn open_condition(&mut self, token: &Token<'a>) -> Result<&mut Condition, Diagnostic> {
        match self.conditions.last_mut() {
            Some(condition) if !condition.in_else => Ok(condition),
            _ => Err(stray(token)),
        }
    }

    fn name_behind(
        &self,
        tokens: &[Token<'a>],
        position: &mut usize,
    ) -> Result<&'a str, Diagnostic> {
        let token = &tokens[*position];
        if token.kind != TokenKind::Identifier {
            let message = format!("expected the name of a macro, found {}", token.describe());
            return Err(Diagnostic::error(codes::DIRECTIVE, message)
                .at(token.span, "a name is missing here"));
        }
        *position += 1;
        Ok(token.text)
    }

    fn define(&mut self, directive: &Token<'a>, tokens: &[Token<'a>]) -> Result<(), Diagnostic> {
        let Some(name) = tokens
            .first()
            .filter(|one| one.kind == TokenKind::Identifier)
        else {
            return Err(
                Diagnostic::error(codes::DIRECTIVE, "`define without a name")
                    .at(directive.span, "")
                    .help("write `` `define NAME value ``"),
            );
        };
        let mut rest = &tokens[1..];
        let mut parameters = None;
        // Parameters only if the parenthesis touches the name.
        if let Some(open) = rest.first()
            && open.is_symbol("(")
            && open.span.start == name.span.end
        {
            let Some(close) = matching_parenthesis(rest) else {
                return Err(Diagnostic::error(
                    codes::DIRECTIVE,
                    "the parameters of this macro are never closed",
                )
                .at(open.span, "opened here"));
            };
            let mut list = Vec::new();
            for one in split_arguments(&rest[1..close]) {
                let Some(first) = one.first().filter(|one| one.kind == TokenKind::Identifier)
                else {
                    return Err(Diagnostic::error(
                        codes::DIRECTIVE,
                        "a parameter of this macro has no name",
                    )
                    .at(open.span, "in this list"));
                };
                let default = one
                    .get(1)
                    .filter(|equals| equals.is_symbol("="))
                    .map(|_| one[2..].to_vec());
                list.push(MacroParameter {
                    name: first.text,
                    default,
                });
            }
            parameters = Some(list);
            rest = &rest[close + 1..];
        }
        let body = rest.to_vec();
        let span = Some(name.span);
        let definition = Macro {
            parameters,
            body,
            span,
        };
        self.macros.insert(name.text, definition);
        Ok(())
    }

    fn include(&mut self, tokens: &[Token<'a>], position: &mut usize) -> Result<(), Diagnostic> {
        let directive = &tokens[*position - 1];
        let token = &tokens[*position];
        if token.kind != TokenKind::Text {
            let message = format!("expected a file name in quotes, found {}", token.describe());
            return Err(Diagnostic::error(codes::DIRECTIVE, message)
                .at(token.span, "here")
                .help("write `` `include \"file.vh\" ``"));
        }
        *position += 1;
        let name = token.text.trim_matches('"');
        let Some(file) = (self.finder)(name, token.span.file) else {
            return Err(Diagnostic::error(
                codes::INCLUDE_NOT_FOUND,
                format!("cannot find the included file `{name}`"),
            )
            .at(
                token.span,
                "not beside this file, nor in a directory of `-I`",
            )
            .help("add its directory with `-I DIR`"));
        };
        // A file may include itself, as long as a condition ends it.
        if self.including.len() >= DEEPEST {
            return Err(Diagnostic::error(
                codes::INCLUDE_LOOP,
                format!("`{name}` includes itself"),
            )
            .at(directive.span.to(token.span), "this include never ends")
            .help("guard the file with `` `ifndef ``, `` `define `` and `` `endif ``"));
        }
        self.including.push(file);
        let result = self.file(file);
        self.including.pop();
        result
    }

    /// The use of a macro in the text itself.
    fn expand(&mut self, tokens: &[Token<'a>], position: &mut usize) -> Result<(), Diagnostic> {
        let first = *position - 1;
        let mut expanded = Vec::new();
        self.expand_into(tokens, &[], position, &mut expanded, &[], 0)?;
        let use_span = tokens[first].span.to(tokens[*position - 1].span);
        let expanded = without_attributes(expanded)?;
        if expanded.len() != 1 {
            self.output.sealed.push(use_span);
            if !self.is_expression(&expanded, use_span) {
                self.output.fragments.insert(use_span);
            }
        }
        for (index, mut token) in expanded.into_iter().enumerate() {
            if let TokenKind::Invalid(problem) = &mut token.kind {
                let problem = Diagnostic::clone(problem).at(use_span, "in this macro");
                if !token.is_real() {
                    return Err(problem);
                }
                token.kind = TokenKind::Invalid(Box::new(problem));
            }
            if index == 0 && self.extend_word(&token, use_span) {
                continue;
            }
            token.span = use_span;
            token.starts_line = index == 0 && tokens[first].starts_line;
            self.output.tokens.push(token);
        }
        if self.output.tokens.len() > MOST_TOKENS {
            return Err(too_many_tokens(use_span));
        }
        Ok(())
    }

    /// Whether the tokens that a macro stands for are one expression.
    fn is_expression(&self, tokens: &[Token<'a>], use_span: Span) -> bool {
        if tokens.is_empty() || tokens.len() > MOST_OF_EXPRESSION {
            return false;
        }
        let mut tokens = tokens.to_vec();
        join_sizes(&mut tokens);
        tokens.push(Token {
            kind: TokenKind::End,
            text: "",
            span: use_span,
            starts_line: false,
        });
        let mut cursor = Cursor::within(&tokens, self.sources.limits());
        parse_in_source(&mut cursor).is_ok() && cursor.peek().kind == TokenKind::End
    }

    /// The use of a macro before `position`, in the text or in what another macro stands for.
    /// `active` are the macros that are being expanded, the outermost first; `levels` says for
    /// each token in how many of their bodies it was written, and is empty for the text itself.
    /// A macro in an argument was written outside of the macro that it is an argument of, so
    /// that `` `MAX(`MAX(a, b), c) `` does not use itself.
    fn expand_into(
        &self,
        tokens: &[Token<'a>],
        levels: &[usize],
        position: &mut usize,
        output: &mut Vec<Token<'a>>,
        active: &[&'a str],
        depth: usize,
    ) -> Result<(), Diagnostic> {
        let token = &tokens[*position - 1];
        let level_at = |index: usize| levels.get(index).copied().unwrap_or(0);
        let active = &active[..level_at(*position - 1)];
        let Some(definition) = self.macros.get(token.text) else {
            let names = self.macros.keys().copied();
            let help = did_you_mean(token.text, names)
                .unwrap_or_else(|| format!("define it, or say `-D {}`", token.text));
            return Err(Diagnostic::error(
                codes::UNKNOWN_MACRO,
                format!("the macro `{}` is not defined", token.text),
            )
            .at(token.span, "used here")
            .help(help));
        };
        if active.contains(&token.text) {
            let diagnostic = Diagnostic::error(
                codes::DIRECTIVE,
                format!("the macro `{}` uses itself", token.text),
            )
            .at(token.span, "this use never ends");
            return Err(diagnostic.at_optional(definition.span, "defined here"));
        }
        if depth > DEEPEST {
            let message = "macros are used inside each other too deeply";
            return Err(Diagnostic::error(codes::DIRECTIVE, message)
                .at(token.span, format!("more than {DEEPEST} levels")));
        }
        if output.len() > MOST_TOKENS {
            return Err(too_many_tokens(token.span));
        }
        let arguments = self.arguments(definition, token, tokens, &level_at, position)?;
        let active = [active, &[token.text]].concat();
        let mut body = Vec::new();
        let mut body_levels = Vec::new();
        for one in &definition.body {
            self.sources.limits().poll()?;
            match arguments.get(one.text) {
                Some((value, levels)) if one.kind == TokenKind::Identifier => {
                    body.extend_from_slice(value);
                    // What a parameter stands for unless said was written with the macro.
                    match levels {
                        Some(levels) => body_levels.extend_from_slice(levels),
                        None => body_levels.resize(body.len(), active.len()),
                    }
                }
                _ => {
                    body.push(one.clone());
                    body_levels.push(active.len());
                }
            }
        }
        self.join_words(&mut body, &mut body_levels)?;
        let mut index = 0;
        while index < body.len() {
            self.sources.limits().poll()?;
            let one = &body[index];
            index += 1;
            match one.kind {
                TokenKind::Directive => {
                    let (levels, depth) = (&body_levels, depth + 1);
                    self.expand_into(&body, levels, &mut index, output, &active, depth)?;
                }
                _ => output.push(one.clone()),
            }
        }
        Ok(())
    }

    /// A macro that touches a word, as in ``unit_`NAME``, goes on with it: macros are texts.
    fn extend_word(&mut self, token: &Token<'a>, use_span: Span) -> bool {
        let touches = self.output.tokens.last().is_some_and(|last| {
            last.kind == TokenKind::Identifier
                && last.span.file == use_span.file
                && last.span.end == use_span.start
        });
        if !touches || token.kind != TokenKind::Identifier {
            return false;
        }
        let Some(mut last) = self.output.tokens.pop() else {
            return false;
        };
        last.text = self.keep(format!("{}{}", last.text, token.text));
        last.span = last.span.to(use_span);
        self.output.sealed.push(last.span);
        self.output.tokens.push(last);
        true
    }

    /// Keeps a text for as long as the tokens are.
    fn keep(&self, text: String) -> &'a str {
        let end: &'a MadeTexts = self.made.get();
        let kept = end
            .first
            .get_or_init(|| Box::new((text, MadeTexts::default())));
        self.made.set(&kept.1);
        &kept.0
    }

    /// Joins the words around each double back quote, and makes strings of what stands between
    /// back quotes with quotes.
    fn join_words(
        &self,
        body: &mut Vec<Token<'a>>,
        levels: &mut Vec<usize>,
    ) -> Result<(), Diagnostic> {
        let is_made = |token: &Token<'_>| token.is_symbol("``") || token.is_symbol("`\"");
        if !body.iter().any(is_made) {
            return Ok(());
        }
        let mut joined: Vec<Token<'a>> = Vec::new();
        let mut joined_levels = Vec::new();
        let mut index = 0;
        while index < body.len() {
            let token = &body[index];
            if token.is_symbol("`\"") {
                let quotes = body[index + 1..]
                    .iter()
                    .position(|one| one.is_symbol("`\""));
                let Some(length) = quotes else {
                    let message = "this string of a macro is never closed";
                    return Err(
                        Diagnostic::error(codes::DIRECTIVE, message).at(token.span, "opened here")
                    );
                };
                let inner = &body[index + 1..index + 1 + length];
                joined.push(Token {
                    kind: TokenKind::Text,
                    text: self.keep(quoted(inner)),
                    ..token.clone()
                });
                joined_levels.push(levels[index]);
                index += length + 2;
            } else if token.is_symbol("``") {
                index += 1;
                let next = body.get(index).filter(|next| !is_made(next));
                let (Some(before), Some(next)) = (joined.last_mut(), next) else {
                    continue;
                };
                let text = self.keep(format!("{}{}", before.text, next.text));
                let mut tokens = tokenize(before.span.file, text, Dialect::Source);
                tokens.pop();
                let [whole] = tokens.as_slice() else {
                    let message = format!("`{text}` is not one word");
                    return Err(
                        Diagnostic::error(codes::DIRECTIVE, message).at(next.span, "joined here")
                    );
                };
                *before = Token {
                    kind: whole.kind.clone(),
                    text: whole.text,
                    ..before.clone()
                };
                index += 1;
            } else {
                joined.push(token.clone());
                joined_levels.push(levels[index]);
                index += 1;
            }
        }
        *body = joined;
        *levels = joined_levels;
        Ok(())
    }

    /// What the parameters of a macro stand for in its use before `position`, which is moved
    /// behind them; with the levels of the tokens, or without if nothing was given.
    fn arguments(
        &self,
        definition: &Macro<'a>,
        token: &Token<'a>,
        tokens: &[Token<'a>],
        level_at: &dyn Fn(usize) -> usize,
        position: &mut usize,
    ) -> Result<Arguments<'a>, Diagnostic> {
        let mut arguments = Arguments::new();
        let Some(parameters) = &definition.parameters else {
            return Ok(arguments);
        };
        let rest = tokens.get(*position..).unwrap_or(&[]);
        let close = match rest.first() {
            Some(open) if open.is_symbol("(") => matching_parenthesis(rest),
            _ => None,
        };
        let Some(close) = close else {
            return Err(Diagnostic::error(
                codes::DIRECTIVE,
                format!("the macro `{}` needs its arguments", token.text),
            )
            .at(token.span, "used here without them"));
        };
        let mut given = Vec::new();
        let mut start = *position + 1;
        for value in split_arguments(&rest[1..close]) {
            let levels: Vec<usize> = (start..start + value.len()).map(level_at).collect();
            // A comma follows.
            start += value.len() + 1;
            given.push((value, levels));
        }
        *position += close + 1;
        for (index, MacroParameter { name, default }) in parameters.iter().enumerate() {
            let value = match (given.get(index), default) {
                (Some(([], _)), Some(default)) => (default.clone(), None),
                (Some((value, levels)), _) => (value.to_vec(), Some(levels.clone())),
                (None, Some(default)) => (default.clone(), None),
                (None, None) => {
                    return Err(Diagnostic::error(
                        codes::DIRECTIVE,
                        format!("the macro `{}` needs its argument `{name}`", token.text),
                    )
                    .at(token.span, "used here without it"));
                }
            };
            arguments.insert(name, value);
        }
        Ok(arguments)
    }
}

/// Tokens as a string, with spaces where they do not touch.
fn quoted(tokens: &[Token<'_>]) -> String {
    let mut text = String::from("\"");
    for (index, token) in tokens.iter().enumerate() {
        let touches = |before: &Token<'_>| before.span.end == token.span.start;
        if index > 0 && !touches(&tokens[index - 1]) {
            text.push(' ');
        }
        text.push_str(&token.text.replace('\\', "\\\\").replace('"', "\\\""));
    }
    text.push('"');
    text
}

/// Makes one number of a width and the digits behind it, as in `` `WIDTH'h3 ``.
fn join_sizes(tokens: &mut Vec<Token<'_>>) {
    let mut joined: Vec<Token<'_>> = Vec::with_capacity(tokens.len());
    for mut token in tokens.drain(..) {
        let is_based = matches!(token.kind, TokenKind::Number(_)) && token.text.starts_with('\'');
        let size = joined.last().and_then(|size| match &size.kind {
            TokenKind::Number(number) if is_based && !size.text.contains('\'') => number.value(),
            _ => None,
        });
        // What does not fit stays as it is, and is refused where it stands.
        let whole = size.and_then(|size| {
            let read = Number::from_literal(&format!("{size}{}", token.text));
            read.ok().filter(|(_, truncated)| !truncated)
        });
        if let Some((number, _)) = whole
            && let Some(size) = joined.pop()
        {
            token.kind = TokenKind::Number(number);
            token.span = size.span.to(token.span);
            token.starts_line = size.starts_line;
        }
        joined.push(token);
    }
    *tokens = joined;
}

fn too_many_tokens(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::DIRECTIVE,
        "the macros of this design expand to too much",
    )
    .at(
        span,
        format!("there are more than {MOST_TOKENS} words by now"),
    )
    .help("let macros stand for less, or give the part of the design that matters")
}

/// Whether a macro says, by being defined or not, that properties are read.
fn is_formal(name: &str, defined: bool) -> bool {
    let name = name.to_ascii_uppercase();
    if defined {
        let words = ["FORMAL", "ASSERT", "SVA"];
        words.iter().any(|word| name.contains(word))
    } else {
        name == "SYNTHESIS"
    }
}

fn stray(token: &Token<'_>) -> Diagnostic {
    Diagnostic::error(
        codes::DIRECTIVE,
        format!("`` `{} `` without `` `ifdef ``", token.text),
    )
    .at(token.span, "no condition is open here")
}

/// Where the line of a directive ends; a backslash at its end continues it.
fn line_end(sources: &Sources, tokens: &[Token<'_>], position: usize) -> usize {
    let mut end = position;
    while tokens[end].kind != TokenKind::End {
        if tokens[end].starts_line && !continues(sources, tokens, end) {
            break;
        }
        end += 1;
    }
    end
}

/// Whether a backslash stands at the end of the line before a token.
fn continues(sources: &Sources, tokens: &[Token<'_>], index: usize) -> bool {
    let span = tokens[index].span;
    let text = &sources.file(span.file).text;
    let before = text[..span.start as usize].trim_end_matches([' ', '\t']);
    let before = before.strip_suffix('\n').unwrap_or(before);
    before.trim_end_matches('\r').ends_with('\\')
}

/// Leaves out the attributes of an expanded macro.
fn without_attributes(tokens: Vec<Token<'_>>) -> Result<Vec<Token<'_>>, Diagnostic> {
    let opens = |at: usize| {
        let is = |offset: usize, symbol: &str| {
            let token = tokens.get(at + offset);
            token.is_some_and(|token| token.is_symbol(symbol))
        };
        is(0, "(") && is(1, "*") && !is(2, ")")
    };
    let mut kept = Vec::with_capacity(tokens.len());
    let mut position = 0;
    while position < tokens.len() {
        if opens(position) {
            position += 1;
            kept.extend(skip_attribute(&tokens, &mut position)?);
        } else {
            kept.push(tokens[position].clone());
            position += 1;
        }
    }
    Ok(kept)
}

/// Attributes mean nothing to a circuit, except those of Yosys that leave a signal to the
/// environment: they become the function of the same name, which the parser knows.
fn skip_attribute<'a>(
    tokens: &[Token<'a>],
    position: &mut usize,
) -> Result<Option<Token<'a>>, Diagnostic> {
    let start = tokens[*position - 1].span;
    let mut free = None;
    while let Some(token) = tokens.get(*position)
        && token.kind != TokenKind::End
    {
        if token.is_word("allconst") || token.is_word("allseq") {
            let message = format!("the attribute `{}` is not supported", token.text);
            return Err(Diagnostic::error(codes::UNSUPPORTED, message)
                .at(token.span, "it changes what the signal means")
                .help("use an input of the design, and a register that keeps its value"));
        }
        for (word, function) in [
            ("anyconst", "$anyconst"),
            ("anyseq", "$anyseq"),
            ("gclk", "$global_clock"),
        ] {
            if token.is_word(word) {
                free = Some(Token {
                    kind: TokenKind::System,
                    text: function,
                    ..token.clone()
                });
            }
        }
        let closes = |token: &Token<'_>| token.is_symbol(")");
        if token.is_symbol("*") && tokens.get(*position + 1).is_some_and(closes) {
            *position += 2;
            return Ok(free);
        }
        *position += 1;
    }
    Err(
        Diagnostic::error(codes::DIRECTIVE, "this attribute is never closed")
            .at(start, "opened here")
            .help("end it with `*)`"),
    )
}

/// The index of the parenthesis that closes the first token.
fn matching_parenthesis(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol("(" | "[" | "{" | "'(" | "'{") => depth += 1,
            TokenKind::Symbol(")" | "]" | "}") => {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts of an argument list between commas of its own.
fn split_arguments<'t, 'a>(tokens: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let mut parts = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol("(" | "[" | "{" | "'(" | "'{") => depth += 1,
            TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
            TokenKind::Symbol(",") if depth == 0 => {
                parts.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}
