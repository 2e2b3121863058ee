//! The symbol table and the comments at the end of an AIGER file.

use std::collections::HashSet;

use super::layout::{Symbol, SymbolKind};
use super::scan::{Line, Scanner, excerpt};
use super::{AigerFile, CONTROLLABLE};
use crate::design::codes;
use crate::design::netlist::{InputKind, Node};
use crate::source::Diagnostic;

pub(super) fn read(scanner: &mut Scanner, file: &mut AigerFile) -> Result<(), Diagnostic> {
    let mut seen = HashSet::new();
    while !scanner.at_end() {
        let line = scanner.line(format_args!("a symbol"))?;
        if line.text == b"c" {
            scanner.back_to(line.start + 1);
            let comment = scanner.rest().to_vec();
            file.design.set_comments(decode_comment(&comment));
            file.layout.comment = Some(comment);
            return Ok(());
        }
        let (symbol, name) = parse_symbol(scanner, line)?;
        let count = file.count(symbol.kind);
        if symbol.position >= count {
            let message = format!(
                "expected a position below {count}, the number of {}, found {}",
                symbol.kind.plural(),
                symbol.position
            );
            return Err(scanner.fail(line.place(), codes::AIGER_SYMBOL, message));
        }
        if !seen.insert(symbol) {
            let message = format!("`{symbol}` is named a second time");
            return Err(scanner.fail(line.place(), codes::AIGER_SYMBOL, message));
        }
        file.set_symbol(symbol, name);
        file.layout.symbols.push(symbol);
    }
    Ok(())
}

fn parse_symbol(scanner: &Scanner, line: Line) -> Result<(Symbol, String), Diagnostic> {
    let malformed = |message: String| scanner.fail(line.place(), codes::AIGER_SYMBOL, message);
    let Some(kind) = line
        .text
        .first()
        .and_then(|byte| SymbolKind::from_letter(*byte))
    else {
        let found = excerpt(line.text);
        return Err(malformed(format!(
            "expected a symbol such as `i0 name`, or `c` before the comments, found {found}"
        )));
    };
    let rest = &line.text[1..];
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let position = std::str::from_utf8(&rest[..digits])
        .ok()
        .and_then(|digits| digits.parse::<usize>().ok());
    let (Some(position), Some(b' ')) = (position, rest.get(digits)) else {
        let found = excerpt(line.text);
        let diagnostic = malformed(format!(
            "expected `{}`, a position, a space and a name, found {found}",
            kind.letter()
        ));
        return Err(if kind == SymbolKind::Constraint && digits == 0 {
            diagnostic.help("comments begin on the line after a line with only `c`")
        } else {
            diagnostic
        });
    };
    match std::str::from_utf8(&rest[digits + 1..]) {
        Ok(name) => Ok((Symbol { kind, position }, name.to_string())),
        Err(_) => Err(malformed("a name must be valid UTF-8".to_string())),
    }
}

/// The lines of a comment section, given the bytes after its `c`.
pub(super) fn decode_comment(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\r').unwrap_or(&text);
    let text = text.strip_prefix('\n').unwrap_or(text);
    text.lines().map(str::to_string).collect()
}

impl AigerFile {
    pub(super) fn count(&self, kind: SymbolKind) -> usize {
        match kind {
            SymbolKind::Input => self.design.inputs().len(),
            SymbolKind::Latch => self.design.latches().len(),
            SymbolKind::Output => self.design.outputs().len(),
            SymbolKind::Bad => self.bad.len(),
            SymbolKind::Constraint => self.constraints.len(),
            SymbolKind::Justice => self.justice.len(),
            SymbolKind::Fairness => self.fairness.len(),
        }
    }

    /// The name of an existing position.
    pub(super) fn symbol_name(&self, symbol: Symbol) -> Option<&str> {
        let position = symbol.position;
        match symbol.kind {
            SymbolKind::Input => self.design.name(*self.design.inputs().get(position)?),
            SymbolKind::Latch => self.design.name(*self.design.latches().get(position)?),
            SymbolKind::Output => self.design.outputs().get(position)?.name.as_deref(),
            SymbolKind::Bad => self.bad.get(position)?.name.as_deref(),
            SymbolKind::Constraint => self.constraints.get(position)?.name.as_deref(),
            SymbolKind::Justice => self.justice.get(position)?.name.as_deref(),
            SymbolKind::Fairness => self.fairness.get(position)?.name.as_deref(),
        }
    }

    fn set_symbol(&mut self, symbol: Symbol, name: String) {
        let position = symbol.position;
        match symbol.kind {
            SymbolKind::Input => {
                let id = self.design.inputs()[position];
                if name.starts_with(CONTROLLABLE) {
                    self.design.replace(id, Node::Input(InputKind::Choice));
                }
                self.design.set_name(id, name);
            }
            SymbolKind::Latch => {
                let id = self.design.latches()[position];
                self.design.set_name(id, name);
            }
            SymbolKind::Output => self.design.set_output_name(position, Some(name)),
            SymbolKind::Bad => self.bad[position].name = Some(name),
            SymbolKind::Constraint => self.constraints[position].name = Some(name),
            SymbolKind::Justice => self.justice[position].name = Some(name),
            SymbolKind::Fairness => self.fairness[position].name = Some(name),
        }
    }
}
