//! The same edit in other words: with numbers as the source writes them, without operands that
//! change nothing, with the operators that it uses for single bits, with operands the other way
//! round, and without a branch that keeps a value.
//! Templates write each text in one way; which one its author would have written is known only
//! beside the rest of the source. Each text is judged like any other.

use super::habits::Habits;
use crate::design::verilog::edits::SourceEdit;
use crate::expr::Dialect;
use crate::expr::token::{Token, TokenKind, tokenize};
use crate::source::{Sources, Span};

/// The texts that an edit may as well be.
pub(super) fn respellings(
    edits: &[SourceEdit],
    habits: &Habits,
    sources: &Sources,
) -> Vec<Vec<SourceEdit>> {
    let [edit] = edits else {
        return Vec::new();
    };
    let [(span, text)] = edit.changes.as_slice() else {
        return Vec::new();
    };
    let respelt = |span: Span, text: String| {
        vec![SourceEdit {
            changes: vec![(span, text)],
            ..edit.clone()
        }]
    };
    if let Some(branch) = keeping_branch(*span, text, sources) {
        return vec![respelt(branch, String::new())];
    }
    let tokens = tokenize(span.file, text, Dialect::Source);
    let mut texts: Vec<String> = Vec::new();
    let plain = without_neutral(&tokens, text).unwrap_or(text);
    let plain = with_usual_numbers(plain, (*span, sources.text(*span)), habits);
    let styled = with_usual_symbols(&plain, (*span, sources.text(*span)), habits);
    for plain in [styled, plain] {
        if texts.contains(&plain) {
            continue;
        }
        texts.extend(turned(&plain, *span));
        texts.extend(chosen_first(&plain, *span));
        texts.push(plain);
    }
    texts.retain(|one| one != text);
    texts.into_iter().map(|text| respelt(*span, text)).collect()
}

/// Where `else word <= ...;` stands, if the edit makes it `else word <= word;`.
fn keeping_branch(span: Span, text: &str, sources: &Sources) -> Option<Span> {
    let file = &sources.file(span.file).text;
    let (before, after) = (&file[..span.start as usize], &file[span.end as usize..]);
    let before = before.trim_end().strip_suffix("<=")?.trim_end();
    let before = before.strip_suffix(text)?;
    let before = before.strip_suffix(char::is_whitespace)?.trim_end();
    let before = before.strip_suffix("else")?;
    let start = before.trim_end().len();
    let is_whole = before.ends_with(|last: char| last.is_whitespace() || last == ';');
    let end = after.find(|symbol: char| !symbol.is_whitespace())?;
    let is_ended = is_whole && after[end..].starts_with(';');
    is_ended.then_some(Span {
        start: start as u32,
        end: span.end + end as u32 + 1,
        ..span
    })
}

/// Without `1'b1 &&` or `1'b0 ||` at the start.
fn without_neutral<'a>(tokens: &[Token], text: &'a str) -> Option<&'a str> {
    let [first, operator, rest, ..] = tokens else {
        return None;
    };
    let TokenKind::Number(number) = &first.kind else {
        return None;
    };
    let is_neutral = match number.value()? {
        0 => operator.is_symbol("||"),
        _ => operator.is_symbol("&&"),
    };
    let others = tokens[2..].iter();
    let is_only = others.fold((0i32, true), |(depth, is_only), token| match token.kind {
        TokenKind::Symbol("(") => (depth + 1, is_only),
        TokenKind::Symbol(")") => (depth - 1, is_only),
        TokenKind::Symbol("&&" | "||" | "?") if depth == 0 => (depth, false),
        _ => (depth, is_only),
    });
    (is_neutral && is_only.1).then(|| &text[rest.span.start as usize..])
}

/// With `word + 2'd1` for `word + 1'b1`, and `word == 2'd0` for `word == 0`.
fn with_usual_numbers(text: &str, (span, old): (Span, &str), habits: &Habits) -> String {
    let tokens = tokenize(span.file, text, Dialect::Source);
    let mut found = text.to_string();
    for part in tokens.windows(3).rev() {
        let [word, operator, number] = part else {
            continue;
        };
        let TokenKind::Number(value) = &number.kind else {
            continue;
        };
        let is_short = match operator.kind {
            TokenKind::Symbol("+" | "-") => value.width == Some(1),
            TokenKind::Symbol("==" | "!=") => value.width.is_none() || !number.text.contains('\''),
            _ => false,
        };
        let usual = value.value().filter(|_| is_short);
        let usual = usual.and_then(|value| habits.number_beside(word.text, value, old));
        if let Some(usual) = usual {
            let place = number.span.start as usize..number.span.end as usize;
            found.replace_range(place, &usual);
        }
    }
    found
}

/// With `~a & b` for `!a && b`, or the other way round.
fn with_usual_symbols(text: &str, (span, old): (Span, &str), habits: &Habits) -> String {
    let tokens = tokenize(span.file, text, Dialect::Source);
    let mut found = text.to_string();
    for token in tokens.iter().rev() {
        let TokenKind::Symbol(symbol) = token.kind else {
            continue;
        };
        if let Some(usual) = habits.symbol_for(symbol, old) {
            let place = token.span.start as usize..token.span.end as usize;
            found.replace_range(place, usual);
        }
    }
    found
}

/// `a ? b : c` for `!a ? c : b`.
fn chosen_first(text: &str, span: Span) -> Option<String> {
    let tokens = tokenize(span.file, text, Dialect::Source);
    let [negation, signal, question, rest @ ..] = tokens.as_slice() else {
        return None;
    };
    let is_plain = |one: &Token| matches!(one.kind, TokenKind::Symbol("?" | "(" | "[" | "{"));
    let colon = rest.iter().position(|one| one.is_symbol(":"))?;
    let is_simple = !rest.iter().any(is_plain);
    if !negation.is_symbol("!") || !question.is_symbol("?") || !is_simple {
        return None;
    }
    let (from, at) = (question.span.end as usize, rest[colon].span);
    let (then, otherwise) = (&text[from..at.start as usize], &text[at.end as usize..]);
    let (then, otherwise) = (then.trim(), otherwise.trim());
    Some(format!("{} ? {otherwise} : {then}", signal.text))
}

/// The last operand of `a && b && c` before the others.
fn turned(text: &str, span: Span) -> Option<String> {
    let tokens = tokenize(span.file, text, Dialect::Source);
    let mut depth = 0;
    let mut found: Option<(usize, &str)> = None;
    for (index, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol("(" | "[" | "{") => depth += 1,
            TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
            TokenKind::Symbol(symbol @ ("&&" | "||" | "&" | "|" | "^" | "==" | "!="))
                if depth == 0 =>
            {
                if found.is_some_and(|(_, known)| known != symbol) {
                    return None;
                }
                found = Some((index, symbol));
            }
            TokenKind::Symbol("?" | ":" | ",") if depth == 0 => return None,
            _ => {}
        }
    }
    let (index, symbol) = found?;
    // A constant stays behind.
    if matches!(tokens.get(index + 1)?.kind, TokenKind::Number(_)) {
        return None;
    }
    let at = tokens[index].span;
    let (rest, last) = (&text[..at.start as usize], &text[at.end as usize..]);
    Some(format!("{} {symbol} {}", last.trim(), rest.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        module m(input clk, input up, input on, output reg [1:0] count);
            always @(posedge clk)
                if (up) count <= count + 2'd1;
                else count <= 2'd2;
        endmodule";

    /// What the edit that puts `text` in the place of `old` may as well be.
    fn respelt(old: &str, text: &str) -> Vec<String> {
        let mut sources = Sources::new();
        let file = sources.add("m.v", SOURCE);
        let start = SOURCE.find(old).expect("a text of the source") as u32;
        let span = Span {
            file,
            start,
            end: start + old.len() as u32,
        };
        let edit = SourceEdit {
            kind: crate::design::Kind::Rhs,
            template: crate::design::Kind::Rhs,
            changes: vec![(span, text.to_string())],
            cost: 0,
            within: None,
            new_signals: 0,
        };
        let habits = Habits::of(&[file], &sources);
        let found = respellings(&[edit], &habits, &sources).into_iter();
        found
            .map(|edits| edits[0].apply(&sources)[&file].clone())
            .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect()
    }

    #[track_caller]
    fn check(old: &str, text: &str, expected: &[&str]) {
        let found = respelt(old, text);
        assert_eq!(found.len(), expected.len(), "{found:?}");
        for (found, expected) in found.iter().zip(expected) {
            assert!(found.contains(expected), "{found}");
        }
    }

    #[test]
    fn numbers_are_written_as_elsewhere() {
        check("2'd2", "count - 1'b1", &["else count <= count - 2'd1;"]);
        check("2'd2", "count != 0", &["else count <= count != 2'd0;"]);
    }

    #[test]
    fn operands_that_say_nothing_are_left_out_and_others_turned() {
        check("2'd2", "1'b0 || up", &["count <= up;"]);
        check("2'd2", "up && on", &["count <= on && up;"]);
        check("2'd2", "up && on || clk", &[]);
        check("2'd2", "!up ? count : on", &["count <= up ? on : count;"]);
    }

    #[test]
    fn a_branch_that_keeps_a_value_is_left_out() {
        check("2'd2", "count", &["count + 2'd1; endmodule"]);
    }
}
