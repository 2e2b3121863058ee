//! Writing AIGER 1.9, ASCII and binary.
//!
//! A file that was read and not changed is written back byte for byte (numbers without
//! leading zeros, one kind of line end). After an edit, ASCII keeps all numbers and appends
//! new gates; binary, whose gates have to be in order, is renumbered as
//! [`Numbering::ordered`] says.

use std::collections::HashSet;
use std::fmt::Write;

use super::layout::{Numbering, Symbol, SymbolKind};
use super::symbols::decode_comment;
use super::{AigerFile, CONTROLLABLE};
use crate::design::codes;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{InputKind, Reset};
use crate::source::Diagnostic;

/// The two formats of AIGER.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    Ascii,
    Binary,
    /// As the file was read; ASCII if it was not.
    #[default]
    AsRead,
}

impl AigerFile {
    pub fn bytes(&self, form: Form) -> Result<Vec<u8>, Diagnostic> {
        match form {
            Form::Ascii => self.to_ascii(),
            Form::Binary => self.to_binary(),
            Form::AsRead => self.to_bytes(),
        }
    }

    /// In the format in which the file was read; ASCII if it was not.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Diagnostic> {
        if self.layout.binary {
            self.to_binary()
        } else {
            self.to_ascii()
        }
    }

    pub fn to_ascii(&self) -> Result<Vec<u8>, Diagnostic> {
        self.check_expressible()?;
        let numbering = Numbering::kept(&self.design, &self.layout)
            .map_err(|found| found.diagnostic(&self.design, |id| self.design.describe(id)))?;
        let mut text = self.header("aag", &numbering);
        for id in self.design.inputs() {
            self.line(&mut text, format_args!("{}", numbering.code(id.literal())));
        }
        for id in self.design.latches() {
            let code = numbering.code(id.literal());
            let rest = self.latch(*id, &numbering);
            self.line(&mut text, format_args!("{code} {rest}"));
        }
        self.properties_text(&mut text, &numbering);
        for id in &numbering.gates {
            if let Some((left, right)) = self.design.gate(*id) {
                let code = numbering.code(id.literal());
                let (left, right) = (numbering.code(left), numbering.code(right));
                self.line(&mut text, format_args!("{code} {left} {right}"));
            }
        }
        let mut bytes = text.into_bytes();
        self.symbols(&mut bytes, true);
        Ok(bytes)
    }

    pub fn to_binary(&self) -> Result<Vec<u8>, Diagnostic> {
        self.check_expressible()?;
        let numbering = Numbering::ordered(&self.design, &self.layout)
            .map_err(|found| found.diagnostic(&self.design, |id| self.design.describe(id)))?;
        let mut text = self.header("aig", &numbering);
        for id in self.design.latches() {
            let latch = self.latch(*id, &numbering);
            self.line(&mut text, format_args!("{latch}"));
        }
        self.properties_text(&mut text, &numbering);
        let mut bytes = text.into_bytes();
        for id in &numbering.gates {
            if let Some((left, right)) = self.design.gate(*id) {
                let (left, right) = (numbering.code(left), numbering.code(right));
                let (greater, smaller) = (left.max(right), left.min(right));
                push_delta(&mut bytes, numbering.code(id.literal()) - greater);
                push_delta(&mut bytes, greater - smaller);
            }
        }
        self.symbols(&mut bytes, numbering.gates.is_empty());
        Ok(bytes)
    }

    fn check_expressible(&self) -> Result<(), Diagnostic> {
        let design = &self.design;
        design.check()?;
        let justice = self.justice.iter().flat_map(|justice| &justice.literals);
        let signals = self
            .bad
            .iter()
            .chain(&self.constraints)
            .chain(&self.fairness);
        for literal in signals.map(|signal| &signal.literal).chain(justice) {
            if !design.contains(*literal) {
                let message = format!("a property refers to {literal}, which does not exist");
                return Err(Diagnostic::error(codes::LITERAL_OUT_OF_RANGE, message));
            }
        }
        let problem = |message: String| {
            let diagnostic = Diagnostic::error(codes::AIGER_NOT_EXPRESSIBLE, message);
            Err(diagnostic.help("write the design as a synthesis game instead"))
        };
        for id in design.inputs() {
            let controllable = design
                .name(*id)
                .is_some_and(|name| name.starts_with(CONTROLLABLE));
            if controllable != (design.input_kind(*id) == Some(InputKind::Choice)) {
                let name = design.describe(*id);
                return problem(format!(
                    "input {name} must be called `{CONTROLLABLE}...` exactly if it is a choice"
                ));
            }
        }
        let kinds = SymbolKind::ALL.into_iter();
        for symbol in kinds.flat_map(|kind| Symbol::all(kind, self.count(kind))) {
            let name = self.symbol_name(symbol).unwrap_or_default();
            if name.contains('\n') || name.ends_with('\r') {
                let message = format!("the name of {symbol} has a line end in it");
                return Err(Diagnostic::error(codes::AIGER_NOT_EXPRESSIBLE, message));
            }
        }
        for id in design.latches() {
            let reset = design.latch(*id).map(|latch| latch.reset);
            if matches!(reset, Some(Reset::Choice | Reset::Computed(_))) {
                let name = design.describe(*id);
                return problem(format!("the initial value of latch {name} is a choice"));
            }
        }
        Ok(())
    }

    fn line(&self, text: &mut String, content: std::fmt::Arguments) {
        // Writing to a string cannot fail.
        let _ = text.write_fmt(content);
        text.push_str(self.newline());
    }

    fn newline(&self) -> &'static str {
        if self.layout.carriage_returns {
            "\r\n"
        } else {
            "\n"
        }
    }

    fn header(&self, format: &str, numbering: &Numbering) -> String {
        let design = &self.design;
        let counts = [
            numbering.maximum as usize,
            design.inputs().len(),
            design.latches().len(),
            design.outputs().len(),
            numbering.gates.len(),
            self.bad.len(),
            self.constraints.len(),
            self.justice.len(),
            self.fairness.len(),
        ];
        let needed = counts
            .iter()
            .rposition(|count| *count > 0)
            .map_or(0, |last| last + 1);
        let shown = needed.max(self.layout.header_fields).max(5);
        let mut text = String::from(format);
        for count in &counts[..shown] {
            let _ = write!(text, " {count}");
        }
        text.push_str(self.newline());
        text
    }

    fn latch(&self, id: NodeId, numbering: &Numbering) -> String {
        let Some(latch) = self.design.latch(id) else {
            return String::new();
        };
        let next = numbering.code(latch.next);
        let own = numbering.code(id.literal());
        match latch.reset {
            Reset::Zero if !self.layout.explicit_zero_resets.contains(&id) => next.to_string(),
            Reset::Zero => format!("{next} 0"),
            Reset::One => format!("{next} 1"),
            Reset::Free | Reset::Choice | Reset::Computed(_) => format!("{next} {own}"),
        }
    }

    fn properties_text(&self, text: &mut String, numbering: &Numbering) {
        let mut push = |literal: Literal| {
            self.line(text, format_args!("{}", numbering.code(literal)));
        };
        for output in self.design.outputs() {
            push(output.literal);
        }
        for signal in self.bad.iter().chain(&self.constraints) {
            push(signal.literal);
        }
        for justice in &self.justice {
            self.line(text, format_args!("{}", justice.literals.len()));
        }
        let justice = self.justice.iter().flat_map(|justice| &justice.literals);
        let fairness = self.fairness.iter().map(|signal| &signal.literal);
        for literal in justice.chain(fairness) {
            self.line(text, format_args!("{}", numbering.code(*literal)));
        }
    }

    /// `after_line` says whether the last bytes are a line, rather than a binary gate.
    fn symbols(&self, bytes: &mut Vec<u8>, after_line: bool) {
        let kinds = SymbolKind::ALL.into_iter();
        let all = kinds.flat_map(|kind| Symbol::all(kind, self.count(kind)));
        let mut written = HashSet::new();
        for symbol in self.layout.symbols.iter().copied().chain(all) {
            if let Some(name) = self.symbol_name(symbol).filter(|_| written.insert(symbol)) {
                bytes.extend(format!("{symbol} {name}{}", self.newline()).into_bytes());
            }
        }
        let comments = self.design.comments();
        match &self.layout.comment {
            Some(raw) if decode_comment(raw) == comments => {
                bytes.push(b'c');
                bytes.extend(raw);
            }
            _ if !comments.is_empty() => {
                bytes.extend(format!("c{}", self.newline()).into_bytes());
                for comment in comments {
                    bytes.extend(format!("{comment}{}", self.newline()).into_bytes());
                }
            }
            _ if !self.layout.final_newline && (after_line || !written.is_empty()) => {
                bytes.truncate(bytes.len() - self.newline().len());
            }
            _ => {}
        }
    }
}

fn push_delta(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 & 0x7f | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}
