//! The text form of a design: one statement to a line, prints and parses back to the same.
//!
//! ```text
//! design
//! n1 = input "req"
//! n2 = choice
//! n3 = latch reset 0 next !n4 "busy"
//! n4 = and n1 !n3
//! output "gnt" = n4
//! word "pair" [1:0] = n4 n3
//! hidden n4
//! comment "text"
//! ```
//!
//! Resets are `0`, `1`, `free`, `choice` or the literal they are computed from. Words are
//! written most significant bit first, and `signed word` if they are. `inputs` and `latches`
//! lines give the order of the lists where it is not that of the indices. Spans are not part
//! of it: a text that was parsed has none.

use std::fmt::{self, Display, Write};

use super::codes;
use super::literal::{Literal, NodeId};
use super::netlist::{Design, InputKind, Latch, Node, Reset, Word};
use crate::source::{Diagnostic, FileId, Span};

impl Display for Design {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        writeln!(formatter, "design")?;
        for id in self.node_ids().skip(1) {
            write!(formatter, "{id} = ")?;
            match self.node(id) {
                Node::Constant => write!(formatter, "constant")?,
                Node::Input(InputKind::Environment) => write!(formatter, "input")?,
                Node::Input(InputKind::Choice) => write!(formatter, "choice")?,
                Node::Latch(Latch { next, reset }) => {
                    write!(formatter, "latch reset {} next {next}", ResetText(reset))?;
                }
                Node::And(left, right) => write!(formatter, "and {left} {right}")?,
            }
            if let Some(name) = self.name(id) {
                write!(formatter, " {}", Quoted(name))?;
            }
            writeln!(formatter)?;
        }
        write_list(formatter, "inputs", self.inputs())?;
        write_list(formatter, "latches", self.latches())?;
        for output in self.outputs() {
            write!(formatter, "output ")?;
            if let Some(name) = &output.name {
                write!(formatter, "{} ", Quoted(name))?;
            }
            writeln!(formatter, "= {}", output.literal)?;
        }
        for word in self.words() {
            let sign = if word.signed { "signed " } else { "" };
            let (name, left, right) = (Quoted(&word.name), word.left, word.right);
            write!(formatter, "{sign}word {name} [{left}:{right}] =")?;
            for bit in word.bits.iter().rev() {
                write!(formatter, " {bit}")?;
            }
            writeln!(formatter)?;
        }
        let mut hidden = self.node_ids().filter(|id| self.is_hidden(*id)).peekable();
        if hidden.peek().is_some() {
            write!(formatter, "hidden")?;
            for id in hidden {
                write!(formatter, " {id}")?;
            }
            writeln!(formatter)?;
        }
        for comment in self.comments() {
            writeln!(formatter, "comment {}", Quoted(comment))?;
        }
        Ok(())
    }
}

fn write_list(formatter: &mut fmt::Formatter, title: &str, list: &[NodeId]) -> fmt::Result {
    if list.is_sorted() {
        return Ok(());
    }
    write!(formatter, "{title}")?;
    for id in list {
        write!(formatter, " {id}")?;
    }
    writeln!(formatter)
}

struct ResetText(Reset);

impl Display for ResetText {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Reset::Zero => write!(formatter, "0"),
            Reset::One => write!(formatter, "1"),
            Reset::Free => write!(formatter, "free"),
            Reset::Choice => write!(formatter, "choice"),
            // The constants would read back as `Zero` and `One`.
            Reset::Computed(literal) => write!(formatter, "={literal}"),
        }
    }
}

struct Quoted<'text>(&'text str);

impl Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_char('"')?;
        for letter in self.0.chars() {
            match letter {
                '"' => formatter.write_str("\\\"")?,
                '\\' => formatter.write_str("\\\\")?,
                '\n' => formatter.write_str("\\n")?,
                '\r' => formatter.write_str("\\r")?,
                '\t' => formatter.write_str("\\t")?,
                _ => formatter.write_char(letter)?,
            }
        }
        formatter.write_char('"')
    }
}

/// A word or a quoted string of one line, with its place.
enum Token {
    Plain(String),
    Text(String),
}

/// What is left of one line.
struct Statement {
    tokens: std::vec::IntoIter<(Token, usize)>,
    file: Option<FileId>,
    number: usize,
    end: usize,
}

impl Design {
    /// Reads the text form and checks the design. Spans of messages are into `file`.
    pub fn parse(text: &str, file: Option<FileId>) -> Result<Design, Diagnostic> {
        let mut design = Design::new();
        let mut seen_header = false;
        let mut offset = 0;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let start = offset;
            offset += line.len();
            let content = line.trim_end_matches(['\n', '\r']);
            let mut statement = Statement::split(content, start, file, index + 1)?;
            let Some((first, position)) = statement.tokens.next() else {
                continue;
            };
            let Token::Plain(keyword) = first else {
                return Err(statement.fail(position, "expected a statement, found a string"));
            };
            if !seen_header {
                if keyword != "design" {
                    return Err(statement.fail(position, "expected `design` on the first line"));
                }
                seen_header = true;
            } else {
                statement.parse_into(&mut design, &keyword, position)?;
            }
            statement.finish()?;
        }
        if !seen_header {
            return Err(Diagnostic::error(
                codes::TEXT_FORM,
                "expected `design` on the first line, found nothing",
            ));
        }
        design.check()?;
        Ok(design)
    }
}

impl Statement {
    fn split(
        line: &str,
        start: usize,
        file: Option<FileId>,
        number: usize,
    ) -> Result<Statement, Diagnostic> {
        let mut statement = Statement {
            tokens: Vec::new().into_iter(),
            file,
            number,
            end: start + line.len(),
        };
        let mut tokens = Vec::new();
        let mut letters = line.char_indices().peekable();
        while let Some((position, letter)) = letters.next() {
            if letter == ' ' || letter == '\t' {
                continue;
            }
            if letter != '"' {
                let mut plain = String::from(letter);
                while let Some((_, next)) = letters.next_if(|(_, c)| !matches!(c, ' ' | '\t')) {
                    plain.push(next);
                }
                tokens.push((Token::Plain(plain), start + position));
                continue;
            }
            let mut content = String::new();
            loop {
                match letters.next() {
                    Some((_, '"')) => break,
                    Some((_, '\\')) => match letters.next() {
                        Some((_, 'n')) => content.push('\n'),
                        Some((_, 'r')) => content.push('\r'),
                        Some((_, 't')) => content.push('\t'),
                        Some((_, escaped @ ('"' | '\\'))) => content.push(escaped),
                        _ => {
                            let expected = "expected n, r, t, \" or \\ after a backslash";
                            return Err(statement.fail(start + position, expected));
                        }
                    },
                    Some((_, other)) => content.push(other),
                    None => {
                        return Err(statement.fail(start + position, "this string does not end"));
                    }
                }
            }
            tokens.push((Token::Text(content), start + position));
        }
        statement.tokens = tokens.into_iter();
        Ok(statement)
    }

    fn fail(&self, position: usize, message: &str) -> Diagnostic {
        let text = format!("line {}: {message}", self.number);
        let diagnostic = Diagnostic::error(codes::TEXT_FORM, text);
        match self.file {
            Some(file) => diagnostic.at(Span::new(file, position, self.end), "here"),
            None => diagnostic,
        }
    }

    fn finish(&mut self) -> Result<(), Diagnostic> {
        match self.tokens.next() {
            Some((_, position)) => Err(self.fail(position, "expected the end of the line")),
            None => Ok(()),
        }
    }

    fn plain(&mut self, expected: &str) -> Result<(String, usize), Diagnostic> {
        match self.tokens.next() {
            Some((Token::Plain(word), position)) => Ok((word, position)),
            Some((_, position)) => Err(self.fail(position, &format!("expected {expected}"))),
            None => Err(self.fail(self.end, &format!("expected {expected}"))),
        }
    }

    fn keyword(&mut self, expected: &str) -> Result<(), Diagnostic> {
        let (word, position) = self.plain(&format!("`{expected}`"))?;
        if word == expected {
            Ok(())
        } else {
            Err(self.fail(position, &format!("expected `{expected}`, found `{word}`")))
        }
    }

    fn text(&mut self) -> Option<String> {
        match self.tokens.as_slice().first() {
            Some((Token::Text(_), _)) => match self.tokens.next() {
                Some((Token::Text(text), _)) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    fn literal(&mut self) -> Result<Literal, Diagnostic> {
        let (word, position) = self.plain("a literal")?;
        parse_literal(&word).ok_or_else(|| {
            let message = format!("expected a literal such as n4, !n4, 0 or 1, found `{word}`");
            self.fail(position, &message)
        })
    }

    /// The nodes up to the end of the line.
    fn nodes(&mut self, design: &Design) -> Result<Vec<NodeId>, Diagnostic> {
        let mut nodes = Vec::new();
        while !self.tokens.as_slice().is_empty() {
            let (word, position) = self.plain("a node")?;
            match parse_node(&word) {
                Some(id) if design.contains(id.literal()) => nodes.push(id),
                _ => return Err(self.fail(position, &format!("there is no node `{word}`"))),
            }
        }
        Ok(nodes)
    }

    fn parse_into(
        &mut self,
        design: &mut Design,
        keyword: &str,
        position: usize,
    ) -> Result<(), Diagnostic> {
        match keyword {
            "inputs" => {
                let order = self.nodes(design)?;
                if !design.order_inputs(order) {
                    return Err(self.fail(position, "expected each input once"));
                }
            }
            "latches" => {
                let order = self.nodes(design)?;
                if !design.order_latches(order) {
                    return Err(self.fail(position, "expected each latch once"));
                }
            }
            "output" => {
                let name = self.text();
                self.keyword("=")?;
                let literal = self.literal()?;
                design.add_output(name, literal, None);
            }
            "word" => self.word(design, position, false)?,
            "signed" => {
                self.keyword("word")?;
                self.word(design, position, true)?;
            }
            "hidden" => {
                for id in self.nodes(design)? {
                    design.set_hidden(id, true);
                }
            }
            "comment" => {
                let Some(text) = self.text() else {
                    return Err(self.fail(position, "expected the comment as a string"));
                };
                design.add_comment(text);
            }
            _ => self.node(design, keyword, position)?,
        }
        Ok(())
    }

    fn node(
        &mut self,
        design: &mut Design,
        target: &str,
        position: usize,
    ) -> Result<(), Diagnostic> {
        let expected = NodeId::from_index(design.len());
        if parse_node(target) != Some(expected) {
            let message = format!("expected `{expected}` or another statement, found `{target}`");
            return Err(self.fail(position, &message));
        }
        self.keyword("=")?;
        let (kind, position) = self.plain("input, choice, latch or and")?;
        let id = match kind.as_str() {
            "input" => design.add_input(InputKind::Environment),
            "choice" => design.add_input(InputKind::Choice),
            "and" => {
                let left = self.literal()?;
                let right = self.literal()?;
                design.add_gate(left, right)
            }
            "latch" => {
                self.keyword("reset")?;
                let reset = self.reset()?;
                self.keyword("next")?;
                let next = self.literal()?;
                let id = design.add_latch(reset);
                design.set_next(id, next);
                id
            }
            _ => {
                let message = format!("expected input, choice, latch or and, found `{kind}`");
                return Err(self.fail(position, &message));
            }
        };
        if let Some(name) = self.text() {
            design.set_name(id, name);
        }
        Ok(())
    }

    fn reset(&mut self) -> Result<Reset, Diagnostic> {
        let (word, position) = self.plain("a reset value")?;
        Ok(match word.as_str() {
            "0" => Reset::Zero,
            "1" => Reset::One,
            "free" => Reset::Free,
            "choice" => Reset::Choice,
            _ => match word.strip_prefix('=').and_then(parse_literal) {
                Some(literal) => Reset::Computed(literal),
                None => {
                    let message =
                        format!("expected 0, 1, free, choice or =literal, found `{word}`");
                    return Err(self.fail(position, &message));
                }
            },
        })
    }

    fn word(
        &mut self,
        design: &mut Design,
        position: usize,
        signed: bool,
    ) -> Result<(), Diagnostic> {
        let Some(name) = self.text() else {
            return Err(self.fail(position, "expected the word's name as a string"));
        };
        let (range, range_position) = self.plain("a range such as [3:0]")?;
        let bounds = range
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .and_then(|inner| inner.split_once(':'))
            .and_then(|(left, right)| Some((bound(left)?, bound(right)?)));
        let Some((left, right)) = bounds else {
            let message = format!("expected a range such as [3:0], found `{range}`");
            return Err(self.fail(range_position, &message));
        };
        self.keyword("=")?;
        let mut bits = Vec::new();
        while !self.tokens.as_slice().is_empty() {
            bits.push(self.literal()?);
        }
        bits.reverse();
        if i64::abs_diff(left, right).checked_add(1) != Some(bits.len() as u64) {
            let message = format!("the range {range} does not have {} bits", bits.len());
            return Err(self.fail(range_position, &message));
        }
        design.add_word(Word {
            name,
            signed,
            left,
            right,
            bits,
        });
        Ok(())
    }
}

/// Bounds fit 32 bits, as in Verilog, so that arithmetic with them cannot overflow.
fn bound(text: &str) -> Option<i64> {
    text.parse::<i32>().ok().map(i64::from)
}

fn parse_node(word: &str) -> Option<NodeId> {
    let digits = word.strip_prefix('n')?;
    let index: u32 = digits.parse().ok()?;
    let representable = index < 1 << 31 && digits.bytes().all(|byte| byte.is_ascii_digit());
    representable.then(|| NodeId::from_index(index as usize))
}

fn parse_literal(word: &str) -> Option<Literal> {
    match word {
        "0" => Some(Literal::FALSE),
        "1" => Some(Literal::TRUE),
        _ => match word.strip_prefix('!') {
            Some(rest) => parse_node(rest).map(|id| !id.literal()),
            None => parse_node(word).map(NodeId::literal),
        },
    }
}
