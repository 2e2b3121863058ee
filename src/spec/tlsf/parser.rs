//! The sections of a TLSF file.

use super::expression::is_reserved;
use super::lexer::{Token, TokenKind};
use super::tree::{
    Case, Definition, EnumValue, Enumeration, File, Kind, Name, Names, Shape, SignalDeclaration,
};
use crate::expr::suggest::closest;
use crate::limits::Limits;
use crate::source::codes::specification as codes;
use crate::source::{Cursor, Diagnostic, Span};
use crate::spec::ltl::{Order, Section};

/// Bits of an enumeration.
const WIDEST_CODE: usize = 64;

const SECTIONS: [(&str, Section); 10] = [
    ("INITIALLY", Section::Initially),
    ("PRESET", Section::Preset),
    ("REQUIRE", Section::Require),
    ("REQUIREMENTS", Section::Require),
    ("ASSUME", Section::Assume),
    ("ASSUMPTIONS", Section::Assume),
    ("ASSERT", Section::Assert),
    ("INVARIANTS", Section::Assert),
    ("GUARANTEE", Section::Guarantee),
    ("GUARANTEES", Section::Guarantee),
];

pub struct Parser<'t> {
    tokens: Cursor<'t, Token<'t>>,
    pub(super) depth: usize,
    pub(super) file: File,
}

pub fn parse(tokens: &[Token<'_>], limits: &Limits) -> Result<File, Diagnostic> {
    let mut parser = Parser {
        tokens: Cursor::within(tokens, limits),
        depth: 0,
        file: File {
            names: Names::default(),
            expressions: Vec::new(),
            title: String::new(),
            description: String::new(),
            order: Order::Mealy,
            is_strict: false,
            target: Order::Mealy,
            tags: Vec::new(),
            parameters: Vec::new(),
            definitions: Vec::new(),
            enumerations: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            requirements: Vec::new(),
        },
    };
    parser.info()?;
    if parser.peek().is("GLOBAL") {
        parser.global()?;
    }
    parser.main()?;
    if parser.peek().kind != TokenKind::End {
        return Err(parser
            .unexpected("the end of the file")
            .help("INFO, GLOBAL and MAIN come in this order, once"));
    }
    Ok(parser.file)
}

impl<'t> Parser<'t> {
    pub(super) fn peek(&self) -> &'t Token<'t> {
        self.tokens.peek()
    }

    pub(super) fn peek_at(&self, ahead: usize) -> &'t Token<'t> {
        self.tokens.peek_at(ahead)
    }

    pub(super) fn advance(&mut self) {
        self.tokens.advance();
    }

    pub(super) fn accept(&mut self, text: &str) -> bool {
        self.tokens.accept(|token| token.is(text)).is_some()
    }

    pub(super) fn expect(&mut self, text: &str) -> Result<Span, Diagnostic> {
        let span = self.peek().span;
        if self.accept(text) {
            Ok(span)
        } else {
            Err(self.unexpected(&format!("`{text}`")))
        }
    }

    pub(super) fn unexpected(&self, wanted: &str) -> Diagnostic {
        let token = self.peek();
        let error = Diagnostic::error(
            codes::UNEXPECTED_TEXT,
            format!("expected {wanted}, found {}", token.describe()),
        )
        .at(token.span, format!("{wanted} should stand here"));
        match token.text {
            "Y" | "H" | "O" | "S" | "T" if token.kind == TokenKind::Word => {
                error.help("TLSF 1.1 has no operators about the past")
            }
            _ => error.help("see the message for what fits at this place"),
        }
    }

    pub(super) fn name(&mut self, wanted: &str) -> Result<(Name, Span), Diagnostic> {
        let token = *self.peek();
        if token.kind != TokenKind::Word {
            return Err(self.unexpected(wanted));
        }
        if is_reserved(token.text) {
            return Err(self
                .unexpected(wanted)
                .help(format!("`{}` is a word of the language", token.text)));
        }
        self.advance();
        Ok((self.file.names.number(token.text), token.span))
    }

    fn info(&mut self) -> Result<(), Diagnostic> {
        let start = self.expect("INFO")?;
        self.expect("{")?;
        const ENTRIES: [&str; 5] = ["TITLE", "DESCRIPTION", "SEMANTICS", "TARGET", "TAGS"];
        let mut seen: Vec<(&str, Span)> = Vec::new();
        while !self.accept("}") {
            let entry = *self.peek();
            let Some(known) = ENTRIES.into_iter().find(|known| entry.is(known)) else {
                return Err(self.unknown_section(&ENTRIES));
            };
            if let Some((_, before)) = seen.iter().find(|(name, _)| *name == known) {
                return Err(repeated(known, entry.span, *before));
            }
            seen.push((known, entry.span));
            self.advance();
            self.expect(":")?;
            match known {
                "TITLE" => self.file.title = self.text()?,
                "DESCRIPTION" => self.file.description = self.text()?,
                "SEMANTICS" => self.semantics()?,
                "TARGET" => self.file.target = self.model()?,
                _ => loop {
                    let (tag, _) = self.name("a tag")?;
                    let tag = self.file.names.text(tag).to_string();
                    self.file.tags.push(tag);
                    if !self.accept(",") {
                        break;
                    }
                },
            }
        }
        // The other entries are for people; without these two it is not known what is asked.
        for needed in ["SEMANTICS", "TARGET"] {
            if !seen.iter().any(|(name, _)| *name == needed) {
                return Err(Diagnostic::error(
                    codes::UNEXPECTED_TEXT,
                    format!("the INFO section has no {needed}"),
                )
                .at(start, "in this section")
                .help(format!("add `{needed}: Mealy` or `{needed}: Moore`")));
            }
        }
        Ok(())
    }

    fn text(&mut self) -> Result<String, Diagnostic> {
        let token = *self.peek();
        if token.kind != TokenKind::Text {
            return Err(self.unexpected("a text in quotes"));
        }
        self.advance();
        let inside = &token.text[1..token.text.len() - 1];
        Ok(inside.replace("\\\"", "\"").replace("\\\\", "\\"))
    }

    fn model(&mut self) -> Result<Order, Diagnostic> {
        if self.accept("Mealy") {
            Ok(Order::Mealy)
        } else if self.accept("Moore") {
            Ok(Order::Moore)
        } else {
            Err(self.unexpected("`Mealy` or `Moore`"))
        }
    }

    fn semantics(&mut self) -> Result<(), Diagnostic> {
        let strict_first = self.strict()?;
        if strict_first {
            self.expect(",")?;
        }
        self.file.order = self.model()?;
        self.file.is_strict = strict_first;
        if self.accept(",") {
            if strict_first || !self.strict()? {
                return Err(self.unexpected("`Mealy`, `Moore`, and at most one `Strict`"));
            }
            self.file.is_strict = true;
        }
        Ok(())
    }

    fn strict(&mut self) -> Result<bool, Diagnostic> {
        if self.peek().is("Finite") {
            let span = self.peek().span;
            return Err(
                Diagnostic::error(codes::NOT_SUPPORTED, "finite runs are not supported")
                    .at(span, "TLSF 1.1 has no such semantics")
                    .help("give the specification a meaning on infinite runs"),
            );
        }
        Ok(self.accept("Strict"))
    }

    fn global(&mut self) -> Result<(), Diagnostic> {
        self.expect("GLOBAL")?;
        self.expect("{")?;
        while !self.accept("}") {
            if self.accept("PARAMETERS") {
                self.expect("{")?;
                while !self.accept("}") {
                    if self.accept(";") {
                        continue;
                    }
                    let parameter = self.definition(false)?;
                    self.file.parameters.push(parameter);
                }
            } else if self.accept("DEFINITIONS") {
                self.expect("{")?;
                while !self.accept("}") {
                    if self.accept(";") {
                        continue;
                    }
                    if self.peek().is("enum") {
                        let enumeration = self.enumeration()?;
                        self.file.enumerations.push(enumeration);
                    } else {
                        let definition = self.definition(true)?;
                        self.file.definitions.push(definition);
                    }
                }
            } else {
                return Err(self.unknown_section(&["PARAMETERS", "DEFINITIONS"]));
            }
        }
        Ok(())
    }

    /// `name(a, b) = body;` or with cases, each `condition : body`.
    fn definition(&mut self, may_have_parameters: bool) -> Result<Definition, Diagnostic> {
        let (name, span) = self.name("a name")?;
        let mut parameters = Vec::new();
        if may_have_parameters && self.accept("(") {
            loop {
                let (parameter, parameter_span) = self.name("the name of a parameter")?;
                if parameters.contains(&parameter) {
                    let text = self.file.names.text(parameter);
                    return Err(repeated(text, parameter_span, span));
                }
                parameters.push(parameter);
                if self.accept(")") {
                    break;
                }
                self.expect(",")?;
            }
        }
        self.expect("=")?;
        let mut cases: Vec<Case> = Vec::new();
        loop {
            let first = self.expression()?;
            if self.accept(":") {
                let body = self.expression()?;
                cases.push(Case {
                    condition: Some(first),
                    body,
                });
            } else if cases.is_empty() {
                cases.push(Case {
                    condition: None,
                    body: first,
                });
            } else {
                return Err(self
                    .unexpected("`:`")
                    .help("each case is `condition : value`; the last may say `otherwise`"));
            }
            let ends = self.peek().is(";") || self.peek().is("}");
            if !ends && cases[0].condition.is_none() {
                return Err(self.unexpected("`;`, `:` or an operator"));
            }
            if ends {
                break;
            }
        }
        self.end_of_entry()?;
        Ok(Definition {
            name,
            span,
            parameters,
            cases,
        })
    }

    /// `;`, which may be left out at the end of a section.
    fn end_of_entry(&mut self) -> Result<(), Diagnostic> {
        if self.accept(";") || self.peek().is("}") {
            Ok(())
        } else {
            Err(self.unexpected("`;` or an operator"))
        }
    }

    /// `enum NAME = FIRST: 00, 1* SECOND: 01`
    fn enumeration(&mut self) -> Result<Enumeration, Diagnostic> {
        self.expect("enum")?;
        let (name, span) = self.name("the name of the enumeration")?;
        self.expect("=")?;
        let mut found = Enumeration {
            name,
            span,
            width: 0,
            values: Vec::new(),
        };
        while !(self.peek().is(";") || self.peek().is("}")) {
            let (name, span) = self.name("the name of a value")?;
            self.expect(":")?;
            let mut codes = vec![self.code(&mut found.width)?];
            while self.accept(",") {
                codes.push(self.code(&mut found.width)?);
            }
            found.values.push(EnumValue { name, span, codes });
        }
        if found.values.is_empty() {
            return Err(self.unexpected("the name of a value"));
        }
        self.end_of_entry()?;
        Ok(found)
    }

    /// Digits and stars without space between them.
    fn code(&mut self, width: &mut usize) -> Result<Vec<Option<bool>>, Diagnostic> {
        let start = self.peek().span;
        let mut span = start;
        let mut bits = Vec::new();
        loop {
            let token = *self.peek();
            let adjacent = bits.is_empty() || token.span.start == span.end;
            let is_part = match token.kind {
                TokenKind::Number => token.text.bytes().all(|digit| matches!(digit, b'0' | b'1')),
                _ => token.is("*"),
            };
            if !adjacent || !is_part {
                break;
            }
            bits.extend(token.text.bytes().map(|digit| match digit {
                b'0' => Some(false),
                b'1' => Some(true),
                _ => None,
            }));
            span = span.to(token.span);
            self.advance();
        }
        if bits.is_empty() {
            return Err(self.unexpected("a code of `0`, `1` and `*`"));
        }
        if *width == 0 {
            *width = bits.len();
        }
        if bits.len() != *width || bits.len() > WIDEST_CODE {
            return Err(Diagnostic::error(
                codes::WRONG_RANGE,
                match bits.len() {
                    1 => "this code has 1 bit".to_string(),
                    count => format!("this code has {count} bits"),
                },
            )
            .at(span, format!("the first one has {width}"))
            .help(format!(
                "all codes of an enumeration have the same number of bits, at most {WIDEST_CODE}"
            )));
        }
        Ok(bits)
    }

    fn main(&mut self) -> Result<(), Diagnostic> {
        self.expect("MAIN")?;
        self.expect("{")?;
        while !self.accept("}") {
            let token = *self.peek();
            if token.is("INPUTS") || token.is("OUTPUTS") {
                self.advance();
                self.expect("{")?;
                while !self.accept("}") {
                    if self.accept(";") {
                        continue;
                    }
                    let signal = self.signal()?;
                    match token.text {
                        "INPUTS" => self.file.inputs.push(signal),
                        _ => self.file.outputs.push(signal),
                    }
                }
                continue;
            }
            let section = SECTIONS.iter().find(|(name, _)| token.is(name));
            let Some((_, section)) = section else {
                let mut names = vec!["INPUTS", "OUTPUTS"];
                names.extend(SECTIONS.map(|(name, _)| name));
                return Err(self.unknown_section(&names));
            };
            self.advance();
            self.expect("{")?;
            while !self.accept("}") {
                if self.accept(";") {
                    continue;
                }
                let requirement = self.expression()?;
                self.file.requirements.push((*section, requirement));
                self.end_of_entry()?;
            }
        }
        Ok(())
    }

    fn signal(&mut self) -> Result<SignalDeclaration, Diagnostic> {
        let (name, span) = self.name("the name of a signal")?;
        let declaration = if self.accept("[") {
            let width = self.expression()?;
            if matches!(self.file.expr(width).kind, Kind::Otherwise | Kind::Any) {
                return Err(self.unexpected("a number"));
            }
            self.expect("]")?;
            SignalDeclaration {
                name,
                span,
                shape: Shape::Bus(width),
            }
        } else if self.peek().kind == TokenKind::Word {
            let (signal, signal_span) = self.name("the name of a signal")?;
            SignalDeclaration {
                name: signal,
                span: signal_span,
                shape: Shape::Typed(name, span),
            }
        } else {
            SignalDeclaration {
                name,
                span,
                shape: Shape::Single,
            }
        };
        if self.accept(";") || self.peek().is("}") {
            Ok(declaration)
        } else {
            Err(self.unexpected("`;`"))
        }
    }

    fn unknown_section(&self, known: &[&str]) -> Diagnostic {
        let token = self.peek();
        let error = self.unexpected("a section or `}`");
        match closest(token.text, known.iter().copied()) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(format!("here may stand {}", known.join(", "))),
        }
    }
}

pub(super) fn repeated(name: &str, span: Span, before: Span) -> Diagnostic {
    Diagnostic::error(
        codes::REPEATED_DECLARATION,
        format!("`{name}` is declared twice"),
    )
    .at(span, "here")
    .at(before, "and here before")
    .help("rename or remove one of them")
}
