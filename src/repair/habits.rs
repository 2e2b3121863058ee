//! How a source is written: which operators stand in it, which operand stands before which, how
//! its numbers are written. Of texts that do the same, the author's own is most likely the one
//! that is written like the rest of the source, and has nothing in it that hardly anybody writes.

use crate::expr::token::{Token, TokenKind, tokenize};
use crate::expr::{Dialect, keywords};
use crate::source::{FileId, Sources};
use std::collections::{HashMap, HashSet};

/// Operators between two operands. `<=` is left out, since it assigns as well.
const BINARY: [&str; 18] = [
    "&", "|", "^", "&&", "||", "+", "-", "*", "/", "%", "<<", ">>", ">>>", "<", ">", ">=", "==",
    "!=",
];
const ORDERS: [&str; 4] = ["<", ">", "<=", ">="];
const COMPARISONS: [&str; 6] = ["<", ">", "<=", ">=", "==", "!="];
/// Operators whose first operand is seldom a constant.
const CONSTANT_BEHIND: [&str; 12] = [
    "+", "*", "&", "|", "^", "&&", "||", "==", "!=", "<", ">", ">=",
];
/// Operands of a statement whose order is noted; more are those of a table.
const MOST_OPERANDS: usize = 12;

/// A port that only repeats a signal counts as much as so many pairs that stand the other way
/// round.
const REPEATED: usize = 2;

/// How often things stand in a text.
#[derive(Default)]
struct Counts {
    symbols: HashMap<&'static str, usize>,
    names: HashMap<String, usize>,
    /// How often the first operand stands before the second one in a statement.
    orders: HashMap<(String, String), usize>,
    /// How often `1'b1` is added or subtracted.
    bit_steps: usize,
}

/// How a source is written.
#[derive(Default)]
pub(super) struct Habits {
    file: Option<FileId>,
    counts: Counts,
    /// Where a name stands first.
    first: HashMap<String, usize>,
    /// Signals that only repeat another one: `assign port = signal;`.
    copies: HashSet<String>,
    /// Named constants, with width and value if these are plain.
    constants: HashMap<String, Option<(u32, u128)>>,
    /// The widths of words whose bounds are numbers.
    widths: HashMap<String, u32>,
    /// How often numbers of a width have a base.
    bases: HashMap<u32, HashMap<char, usize>>,
}

/// How a text is written in the place of another one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Manner {
    /// By how much more it has that is seldom written, or nowhere else in the source.
    pub unusual: i32,
    /// How many signals more it reads.
    pub reads: i32,
    /// Pairs of operands that stand the other way round elsewhere, and ports that are read in
    /// place of the signals that they repeat.
    pub disorder: usize,
}

impl Habits {
    pub fn of(files: &[FileId], sources: &Sources) -> Habits {
        let mut habits = Habits {
            file: files.first().copied(),
            ..Habits::default()
        };
        for file in files {
            let text = &sources.file(*file).text;
            let tokens = tokenize(*file, text, Dialect::Source);
            habits.counts.add(&tokens);
            habits.declarations(&tokens);
        }
        habits
    }

    /// What is written in some lines, with others in their place.
    pub fn manner(&self, file: FileId, before: &str, after: &str) -> Manner {
        let before = tokenize(file, before, Dialect::Source);
        let after = tokenize(file, after, Dialect::Source);
        let mut replaced = Counts::default();
        replaced.add(&before);
        let elsewhere = Elsewhere {
            habits: self,
            replaced,
        };
        // What is declared once is used everywhere.
        let is_declaration =
            |token: &Token| token.is_word("localparam") || token.is_word("parameter");
        let is_declared = after.iter().any(is_declaration);
        let unusual = elsewhere.unusual(&after, &before) - elsewhere.unusual(&before, &before);
        Manner {
            unusual: unusual + is_declared as i32,
            reads: elsewhere.reads(&after) - elsewhere.reads(&before),
            disorder: elsewhere.disorder(&after) + REPEATED * elsewhere.repeated(&after, &before),
        }
    }

    /// A number of the width of a word, as the source writes such numbers; `None` if it writes
    /// none of this width, or steps of a single bit outside of the text that is replaced.
    pub fn number_beside(&self, word: &str, value: u128, replaced: &str) -> Option<String> {
        let width = *self.widths.get(word).filter(|width| **width > 1)?;
        let bases = self.bases.get(&width)?;
        let replaced = tokenize(self.file?, replaced, Dialect::Source);
        let steps = (0..replaced.len()).filter(|index| is_bit_step(&replaced, *index));
        if self.counts.bit_steps > steps.count() {
            return None;
        }
        // Of bases that are used as often, the decimal one.
        let base = bases
            .iter()
            .max_by_key(|(base, count)| (**count, **base == 'd', **base));
        let digits = width.div_ceil(4) as usize;
        let bits = width as usize;
        Some(match base?.0 {
            'b' => format!("{width}'b{value:0>bits$b}"),
            'h' => format!("{width}'h{value:0>digits$x}"),
            _ => format!("{width}'d{value}"),
        })
    }

    /// The symbol that the source uses in place of one of the same meaning for single bits, if
    /// it uses that alone.
    pub fn symbol_for(&self, symbol: &str, replaced: &str) -> Option<&'static str> {
        let other = match symbol {
            "!" => "~",
            "~" => "!",
            "&&" => "&",
            "&" => "&&",
            "||" => "|",
            "|" => "||",
            _ => return None,
        };
        let mut counts = Counts::default();
        counts.add(&tokenize(self.file?, replaced, Dialect::Source));
        let elsewhere = Elsewhere {
            habits: self,
            replaced: counts,
        };
        let is_foreign = elsewhere.symbol(symbol) == 0 && elsewhere.symbol(other) > 0;
        is_foreign.then_some(other)
    }

    fn declarations(&mut self, tokens: &[Token]) {
        let (mut is_constant, mut is_enumeration) = (false, false);
        let mut width = None;
        for (index, token) in tokens.iter().enumerate() {
            match &token.kind {
                TokenKind::Number(number) => {
                    let base = token.text.split_once('\'').and_then(|(_, rest)| {
                        let rest = rest.trim_start_matches(['s', 'S']);
                        rest.chars().next().map(|base| base.to_ascii_lowercase())
                    });
                    if let (Some(width), Some(base)) = (number.width, base) {
                        *self
                            .bases
                            .entry(width)
                            .or_default()
                            .entry(base)
                            .or_default() += 1;
                    }
                }
                TokenKind::Symbol(";" | ")") => {
                    (is_constant, width) = (false, None);
                }
                TokenKind::Symbol("}") => is_enumeration = false,
                TokenKind::Symbol("[") => width = width_of(&tokens[index..]).or(width),
                TokenKind::Identifier => match token.text {
                    "enum" => (is_constant, is_enumeration, width) = (true, true, None),
                    "parameter" | "localparam" => (is_constant, width) = (true, None),
                    "input" | "output" | "inout" | "reg" | "wire" | "logic" => width = None,
                    "assign" => self.copies.extend(copy(&tokens[index..])),
                    word if keywords::is_keyword(word) => {}
                    name => {
                        let next = tokens.get(index + 1);
                        let is_declared = next.is_some_and(|next| {
                            ["=", ",", ";", ")"].iter().any(|one| next.is_symbol(one))
                        });
                        let count = self.first.len();
                        let is_new = !self.first.contains_key(name);
                        self.first.entry(name.to_string()).or_insert(count);
                        if is_constant && next.is_some_and(|next| next.is_symbol("=")) {
                            let value = match tokens.get(index + 2).map(|token| &token.kind) {
                                Some(TokenKind::Number(number)) => number.width.zip(number.value()),
                                _ => None,
                            };
                            self.constants.insert(name.to_string(), value);
                        } else if is_enumeration
                            && next.is_some_and(|next| next.is_symbol(",") || next.is_symbol("}"))
                        {
                            self.constants.insert(name.to_string(), None);
                        } else if is_declared
                            && is_new
                            && let Some(width) = width
                        {
                            self.widths.insert(name.to_string(), width);
                        }
                    }
                },
                _ => {}
            }
        }
    }
}

/// The name that `assign name = other;` gives to another signal.
fn copy(tokens: &[Token]) -> Option<String> {
    let [_, name, equals, other, end, ..] = tokens else {
        return None;
    };
    let is_copy =
        equals.is_symbol("=") && other.kind == TokenKind::Identifier && end.is_symbol(";");
    is_copy.then(|| name.text.to_string())
}

/// The width of `[high:low]`.
fn width_of(tokens: &[Token]) -> Option<u32> {
    let [_, left, colon, right, end, ..] = tokens else {
        return None;
    };
    let value = |token: &Token| match &token.kind {
        TokenKind::Number(number) => u32::try_from(number.value()?).ok(),
        _ => None,
    };
    let is_range = colon.is_symbol(":") && end.is_symbol("]");
    is_range.then_some(())?;
    value(left)?.abs_diff(value(right)?).checked_add(1)
}

impl Counts {
    fn add(&mut self, tokens: &[Token]) {
        for (index, token) in tokens.iter().enumerate() {
            match &token.kind {
                TokenKind::Symbol(symbol) => *self.symbols.entry(symbol).or_default() += 1,
                TokenKind::Identifier => {
                    *self.names.entry(token.text.to_string()).or_default() += 1;
                }
                _ => {}
            }
            self.bit_steps += is_bit_step(tokens, index) as usize;
        }
        for statement in tokens.split(ends_statement) {
            for pair in pairs(&operands(statement)) {
                *self.orders.entry(pair).or_default() += 1;
            }
        }
    }
}

/// The source without the lines that are replaced.
struct Elsewhere<'a> {
    habits: &'a Habits,
    replaced: Counts,
}

impl Elsewhere<'_> {
    fn symbol(&self, symbol: &str) -> usize {
        let count = |counts: &Counts| counts.symbols.get(symbol).copied().unwrap_or(0);
        count(&self.habits.counts).saturating_sub(count(&self.replaced))
    }

    fn name(&self, name: &str) -> usize {
        let count = |counts: &Counts| counts.names.get(name).copied().unwrap_or(0);
        count(&self.habits.counts).saturating_sub(count(&self.replaced))
    }

    fn order(&self, first: &str, second: &str) -> usize {
        let pair = (first.to_string(), second.to_string());
        let count = |counts: &Counts| counts.orders.get(&pair).copied().unwrap_or(0);
        count(&self.habits.counts).saturating_sub(count(&self.replaced))
    }

    fn is_constant(&self, name: &str) -> bool {
        self.habits.constants.contains_key(name)
    }

    /// How much of a text is written as hardly anybody writes, or as nothing else in the source
    /// is. `before` are the lines that it replaces.
    fn unusual(&self, tokens: &[Token], before: &[Token]) -> i32 {
        let text = Text::new(tokens);
        let mut known: HashSet<&str> = HashSet::new();
        let mut unusual = 0;
        for (index, token) in tokens.iter().enumerate() {
            unusual += match &token.kind {
                TokenKind::Symbol("<=") if !text.is_comparison(token) => 0,
                TokenKind::Symbol("{") => text.is_lonely_part(index) as i32,
                TokenKind::Symbol(symbol) => {
                    let is_foreign = known.insert(symbol) && self.is_foreign(symbol, before);
                    is_foreign as i32 + self.unusual_operator(&text, index, symbol)
                }
                TokenKind::Number(_) => self.unusual_number(&text, index, before),
                // Two constants that are compared.
                TokenKind::Identifier if self.is_constant(token.text) => {
                    let other = text.at(index + 2);
                    let is_constant = other.is_some_and(|other| self.is_constant(other.text));
                    2 * (is_constant && text.starts_comparison(index)) as i32
                }
                _ => 0,
            };
        }
        unusual
    }

    /// Whether nothing else in the source has an operator. Of two negations, the other one may be
    /// what it uses; who compares by one order knows the others.
    fn is_foreign(&self, symbol: &str, before: &[Token]) -> bool {
        let is_there = match symbol {
            "!" | "~" => false,
            "==" | "!=" => true,
            _ if ORDERS.contains(&symbol) => {
                let text = Text::new(before);
                let mut orders = before.iter().filter(|one| is_one_of(one, &ORDERS));
                orders.any(|one| text.is_comparison(one))
            }
            _ if BINARY.contains(&symbol) => before.iter().any(|one| one.is_symbol(symbol)),
            _ => true,
        };
        !is_there && self.symbol(symbol) == 0
    }

    fn unusual_operator(&self, text: &Text, index: usize, symbol: &str) -> i32 {
        let next = text.at(index + 1);
        let unusual = match (symbol, next.map(|next| &next.kind)) {
            // What is negated could be told as it is: a whole expression, a label, one side of a
            // comparison, a choice.
            ("!" | "~", Some(TokenKind::Symbol("("))) => true,
            ("==" | "!=", Some(TokenKind::Symbol("!"))) => true,
            ("!", Some(TokenKind::Identifier)) => text.is_at(index + 2, "?"),
            ("~", Some(TokenKind::Identifier)) => {
                let is_comparison =
                    |one: Option<&Token>| one.is_some_and(|one| text.is_comparison(one));
                next.is_some_and(|next| self.is_constant(next.text))
                    || is_comparison(text.at(index + 2))
                    || is_comparison(text.before(index))
            }
            // An equality in disguise.
            ("<" | ">" | "<=" | ">=", Some(TokenKind::Number(number))) => {
                is_at_edge(symbol, number.width, number.value())
            }
            // A step that goes round the other way, and one that goes nowhere.
            ("+" | "-", Some(TokenKind::Number(number))) => {
                let value = number.value().unwrap_or(1);
                let half = number.width.filter(|width| (2..=64).contains(width));
                value == 0 || half.is_some_and(|width| value > 1 << (width - 1))
            }
            ("*", Some(TokenKind::Number(number))) => number.value() == Some(1),
            _ => false,
        };
        // `a & b == c` is not what other languages mean by it.
        let is_mixed = matches!(symbol, "&" | "|" | "^") && text.is_beside_comparison(index);
        unusual as i32 + is_mixed as i32
    }

    fn unusual_number(&self, text: &Text, index: usize, before: &[Token]) -> i32 {
        let token = &text.tokens[index];
        let TokenKind::Number(number) = &token.kind else {
            return 0;
        };
        let is_in_front = text.starts_operand(index)
            && text.at(index + 1).is_some_and(|next| {
                is_one_of(next, &CONSTANT_BEHIND)
                    || next.is_symbol("<=") && text.is_comparison(next)
            });
        let is_condition =
            index > 1 && text.tokens[index - 2].is_word("if") && text.is_at(index + 1, ")");
        let is_bit_step = is_bit_step(text.tokens, index)
            && self.habits.counts.bit_steps <= self.replaced.bit_steps;
        let mut constants = self.habits.constants.values().flatten();
        let value = number.width.zip(number.value());
        let has_name = value
            .is_some_and(|(width, value)| width > 1 && constants.any(|one| *one == (width, value)));
        let is_new = !before.iter().any(|one| one.text == token.text);
        let is_label = index == 0 && text.is_at(1, ":");
        let is_nameless = has_name && is_new && !is_label;
        let unusual = [is_in_front, is_condition, is_bit_step, is_nameless];
        unusual.into_iter().filter(|is_so| *is_so).count() as i32
    }

    /// Ports that are read, only repeat another signal, and are read nowhere else.
    fn repeated(&self, tokens: &[Token], before: &[Token]) -> usize {
        let is_repeated = |token: &&Token| {
            let name = token.text;
            let is_new = !before.iter().any(|one| one.text == name);
            // Its declaration and its assignment are there.
            is_new && self.habits.copies.contains(name) && self.name(name) <= 2
        };
        tokens.iter().filter(is_repeated).count()
    }

    fn reads(&self, tokens: &[Token]) -> i32 {
        let is_signal = |token: &&Token| {
            token.kind == TokenKind::Identifier
                && !keywords::is_keyword(token.text)
                && !self.is_constant(token.text)
        };
        tokens.iter().filter(is_signal).count() as i32
    }

    /// Pairs of operands in another order than elsewhere: where the same two stand together, of
    /// bits of one word, or else where they are declared.
    fn disorder(&self, tokens: &[Token]) -> usize {
        let statements = tokens.split(ends_statement);
        let pairs = statements.flat_map(|statement| pairs(&operands(statement)));
        let is_reversed = |(first, second): &(String, String)| {
            if self.is_constant(first) || self.is_constant(second) {
                return false;
            }
            let (same, reversed) = (self.order(first, second), self.order(second, first));
            if same != reversed {
                return reversed > same;
            }
            let (first, second) = (bit_of(first), bit_of(second));
            match (first, second) {
                ((one, Some(left)), (other, Some(right))) if one == other => {
                    let (rising, falling) = self.directions(one);
                    match left < right {
                        true => falling > rising,
                        false => rising > falling,
                    }
                }
                ((one, _), (other, _)) => {
                    let place = |name: &str| self.habits.first.get(name);
                    place(one) > place(other)
                }
            }
        };
        pairs.filter(is_reversed).count()
    }

    /// How often a lower bit of a word stands before a higher one elsewhere, and after it.
    fn directions(&self, word: &str) -> (usize, usize) {
        let mut found = (0, 0);
        for (first, second) in self.habits.counts.orders.keys() {
            if let ((one, Some(left)), (other, Some(right))) = (bit_of(first), bit_of(second))
                && one == word
                && other == word
            {
                let count = self.order(first, second);
                match left < right {
                    true => found.0 += count,
                    false => found.1 += count,
                }
            }
        }
        found
    }
}

/// Some lines as tokens, and which of them assign.
struct Text<'t, 's> {
    tokens: &'t [Token<'s>],
    assignments: HashSet<u32>,
}

impl<'t, 's> Text<'t, 's> {
    fn new(tokens: &'t [Token<'s>]) -> Text<'t, 's> {
        Text {
            tokens,
            assignments: assignments(tokens),
        }
    }

    fn at(&self, index: usize) -> Option<&'t Token<'s>> {
        self.tokens.get(index)
    }

    fn before(&self, index: usize) -> Option<&'t Token<'s>> {
        self.tokens.get(index.checked_sub(1)?)
    }

    fn is_at(&self, index: usize, symbol: &str) -> bool {
        self.at(index).is_some_and(|token| token.is_symbol(symbol))
    }

    fn is_comparison(&self, token: &Token) -> bool {
        is_one_of(token, &COMPARISONS) && !self.assignments.contains(&token.span.start)
    }

    /// Whether a number is the first operand of what stands here.
    fn starts_operand(&self, index: usize) -> bool {
        self.before(index).is_none_or(|last| {
            is_one_of(last, &["(", "=", "?", ":", "{", ",", "&&", "||"])
                || self.assignments.contains(&last.span.start)
        })
    }

    /// Whether a name alone is the first side of a comparison.
    fn starts_comparison(&self, index: usize) -> bool {
        let is_alone = self
            .before(index)
            .is_none_or(|last| !is_one_of(last, &BINARY) || is_one_of(last, &["&&", "||"]));
        is_alone
            && self
                .at(index + 1)
                .is_some_and(|next| self.is_comparison(next))
    }

    /// Whether a comparison stands near an operator, without parentheses between them.
    fn is_beside_comparison(&self, index: usize) -> bool {
        let near = index.saturating_sub(3)..(index + 4).min(self.tokens.len());
        let near = &self.tokens[near];
        let is_grouped = near.iter().any(|one| is_one_of(one, &["(", ")"]));
        !is_grouped && near.iter().any(|one| self.is_comparison(one))
    }

    /// Whether a brace has one part, and is not repeated.
    fn is_lonely_part(&self, index: usize) -> bool {
        let is_repeated = self.before(index).is_some_and(|last| {
            matches!(last.kind, TokenKind::Number(_) | TokenKind::Identifier) || last.is_symbol(")")
        });
        !is_repeated && is_single_part(&self.tokens[index + 1..])
    }
}

fn is_one_of(token: &Token, symbols: &[&str]) -> bool {
    matches!(token.kind, TokenKind::Symbol(symbol) if symbols.contains(&symbol))
}

/// `1'b1` behind a sign.
fn is_bit_step(tokens: &[Token], index: usize) -> bool {
    let TokenKind::Number(number) = &tokens[index].kind else {
        return false;
    };
    let is_bit = number.width == Some(1) && number.value() == Some(1);
    is_bit && index > 0 && is_one_of(&tokens[index - 1], &["+", "-"])
}

/// Whether a comparison with the least or largest number, or the one beside it, asks for equality.
fn is_at_edge(operator: &str, width: Option<u32>, value: Option<u128>) -> bool {
    let Some(value) = value else {
        return false;
    };
    let largest = match width {
        Some(width @ 2..=64) => Some((1u128 << width) - 1),
        _ => None,
    };
    match operator {
        "<" => value <= 1,
        ">=" => value <= 1 || Some(value) == largest,
        ">" => value == 0 || largest.is_some_and(|largest| value + 1 >= largest),
        "<=" => value == 0 || Some(value) == largest,
        _ => false,
    }
}

/// Whether no comma comes before the brace that closes.
fn is_single_part(tokens: &[Token]) -> bool {
    let mut depth = 0;
    for token in tokens {
        match token.kind {
            TokenKind::Symbol("}") if depth == 0 => return true,
            TokenKind::Symbol("," | "{") if depth == 0 => return false,
            TokenKind::Symbol("(" | "[" | "{") => depth += 1,
            TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
            _ => {}
        }
    }
    false
}

fn ends_statement(token: &Token) -> bool {
    token.is_symbol(";")
        || ["begin", "end", "else"]
            .iter()
            .any(|word| token.is_word(word))
}

/// Where `<=` and `=` assign: the first one of a statement outside of parentheses.
fn assignments(tokens: &[Token]) -> HashSet<u32> {
    let mut found = HashSet::new();
    let (mut depth, mut is_assigned) = (0i32, false);
    for token in tokens {
        match token.kind {
            _ if ends_statement(token) => is_assigned = false,
            TokenKind::Symbol("(" | "[" | "{") => depth += 1,
            TokenKind::Symbol(")" | "]" | "}") => depth -= 1,
            TokenKind::Symbol("=" | "<=") if depth <= 0 && !is_assigned => {
                is_assigned = true;
                found.insert(token.span.start);
            }
            _ => {}
        }
    }
    found
}

/// The signals and single bits that a statement reads, in the order in which they stand there.
fn operands(statement: &[Token]) -> Vec<String> {
    let assigned = assignments(statement);
    let target = statement
        .iter()
        .position(|one| assigned.contains(&one.span.start));
    let statement = &statement[target.map_or(0, |at| at + 1)..];
    let mut found: Vec<String> = Vec::new();
    for (index, token) in statement.iter().enumerate() {
        if token.kind != TokenKind::Identifier || keywords::is_keyword(token.text) {
            continue;
        }
        let bit = match &statement[index + 1..] {
            [open, bit, close, ..] if open.is_symbol("[") && close.is_symbol("]") => bit.text,
            _ => "",
        };
        let operand = match bit {
            "" => token.text.to_string(),
            bit => format!("{}[{bit}]", token.text),
        };
        if !found.contains(&operand) {
            found.push(operand);
        }
    }
    found.truncate(MOST_OPERANDS);
    found
}

/// Each operand with each that stands behind it.
fn pairs(operands: &[String]) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for (index, first) in operands.iter().enumerate() {
        for second in &operands[index + 1..] {
            pairs.push((first.clone(), second.clone()));
        }
    }
    pairs
}

/// The word of an operand, and which bit of it.
fn bit_of(operand: &str) -> (&str, Option<u32>) {
    match operand
        .strip_suffix(']')
        .and_then(|rest| rest.split_once('['))
    {
        Some((word, bit)) => (word, bit.parse().ok()),
        None => (operand, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
        module m(input clk, input want, input refund, output send, output reg [1:0] credit);
            localparam [1:0] FULL = 2'd3;
            wire spend = want && credit != 2'd0;
            assign send = spend;
            always @(posedge clk)
                if (refund && !spend) credit <= credit + 2'd1;
                else if (spend && !refund) credit <= credit - 2'd1;
        endmodule";

    fn manner(before: &str, after: &str) -> Manner {
        let mut sources = Sources::new();
        let file = sources.add("m.v", SOURCE);
        Habits::of(&[file], &sources).manner(file, before, after)
    }

    /// The first text is what the second one does, as its author would have written it.
    #[track_caller]
    fn check_usual(before: &str, usual: &str, unusual: &str) {
        let (one, other) = (manner(before, usual), manner(before, unusual));
        let key = |one: Manner| (one.unusual, one.reads, one.disorder);
        assert!(
            key(one) < key(other),
            "{usual}: {one:?}, {unusual}: {other:?}"
        );
    }

    #[test]
    fn what_the_rest_of_the_source_does_is_usual() {
        let before = "credit <= credit - 2'd3;";
        check_usual(
            before,
            "credit <= credit - 2'd1;",
            "credit <= credit + 2'd3;",
        );
        check_usual(
            before,
            "credit <= credit - 2'd1;",
            "credit <= credit - 1'b1;",
        );
        let before = "else if (spend && refund)";
        check_usual(
            before,
            "else if (spend && !refund)",
            "else if (spend ^ refund)",
        );
        let before = "if (refund && !clk)";
        check_usual(before, "if (refund && !spend)", "if (refund && !send)");
    }

    #[test]
    fn what_hardly_anybody_writes_is_unusual() {
        let before = "wire spend = want && credit >= 2'd0;";
        let usual = "wire spend = want && credit != 2'd0;";
        check_usual(before, usual, "wire spend = want && credit > 2'd0;");
        check_usual(before, usual, "wire spend = want && 2'd0 != credit;");
        check_usual(before, usual, "wire spend = want && !(credit == 2'd0);");
        let before = "else if (credit <= 2'd2) credit <= credit + 2'd1;";
        let usual = "else if (credit < 2'd2) credit <= credit + 2'd1;";
        let manner = manner(before, usual);
        assert_eq!(manner.unusual, 0, "{manner:?}");
        let before = "credit <= {clk, credit[1]};";
        check_usual(before, "credit <= 2'd0;", "credit <= {clk};");
        check_usual(before, "credit <= FULL;", "credit <= 2'd3;");
    }

    #[test]
    fn operands_keep_the_order_that_they_have_elsewhere() {
        check_usual("x = want;", "x = want && refund;", "x = refund && want;");
        check_usual(
            "x = spend;",
            "x = credit[0] & credit[1];",
            "x = credit[1] & credit[0] & want;",
        );
        let number = |word: &str| {
            let mut sources = Sources::new();
            let file = sources.add("m.v", SOURCE);
            Habits::of(&[file], &sources).number_beside(word, 1, "")
        };
        assert_eq!(number("credit").as_deref(), Some("2'd1"));
        assert_eq!(number("spend"), None);
    }
}
