//! Prints an [`Expr`] with as few parentheses as possible, so that parsing the text gives
//! the same expression back.
//!
//! A stack of pieces instead of recursion, so that a deep expression prints too.

use super::keywords::is_keyword;
use super::operator::{
    PRECEDENCE_CONDITIONAL, PRECEDENCE_PRIMARY, PRECEDENCE_UNARY, is_formula_word,
};
use super::{
    CAST, Dialect, Expr, ExprKind, INSIDE, PATTERN, PATTERN_KEY, STREAM_LEFT, STREAM_RIGHT,
    UNBOUNDED, VALUE_RANGE, WILDCARD_EQUAL, WILDCARD_NOT_EQUAL,
};
use std::fmt;

impl fmt::Display for Expr {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        output.write_str(&print(self, Dialect::Verilog))
    }
}

impl Expr {
    /// How tightly the outermost operator binds, on the scale of `expr::operator`.
    pub fn precedence(&self) -> u8 {
        match &self.kind {
            ExprKind::Unary(..) => PRECEDENCE_UNARY,
            ExprKind::Binary(operator, ..) => operator.precedence(),
            ExprKind::Conditional(..) => PRECEDENCE_CONDITIONAL,
            _ => PRECEDENCE_PRIMARY,
        }
    }
}

enum Piece<'a> {
    Text(&'a str),
    /// In parentheses if it binds less tightly than this.
    Expr(&'a Expr, u8),
}

/// The text of an expression; the dialect decides which names have to be escaped.
pub fn print(expr: &Expr, dialect: Dialect) -> String {
    let mut text = String::new();
    let mut pieces = vec![Piece::Expr(expr, 0)];
    while let Some(piece) = pieces.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Expr(expr, least) if expr.precedence() < least => {
                pieces.extend([Piece::Text(")"), Piece::Expr(expr, 0), Piece::Text("(")]);
            }
            Piece::Expr(expr, _) => print_node(expr, dialect, &mut text, &mut pieces),
        }
    }
    text
}

/// Prints what comes first and leaves the rest on the stack, last piece first.
fn print_node<'a>(
    expr: &'a Expr,
    dialect: Dialect,
    text: &mut String,
    pieces: &mut Vec<Piece<'a>>,
) {
    match &expr.kind {
        ExprKind::Number(number) => text.push_str(&number.to_string()),
        ExprKind::Name(path) if path.len() == 1 && path[0] == UNBOUNDED => text.push_str(UNBOUNDED),
        ExprKind::Name(path) => print_name(path, dialect, text),
        ExprKind::AllOnes => text.push_str("'1"),
        ExprKind::Call(name, items)
            if name == CAST && items.len() == 2 && is_pattern(&items[1]) =>
        {
            pieces.extend([
                Piece::Expr(&items[1], 0),
                Piece::Expr(&items[0], PRECEDENCE_PRIMARY),
            ]);
        }
        ExprKind::Call(name, items) if name == CAST && items.len() == 2 => pieces.extend([
            Piece::Text(")"),
            Piece::Expr(&items[1], 0),
            Piece::Text("'("),
            Piece::Expr(&items[0], PRECEDENCE_PRIMARY),
        ]),
        ExprKind::Call(name, items)
            if matches!(name.as_str(), WILDCARD_EQUAL | WILDCARD_NOT_EQUAL) && items.len() == 2 =>
        {
            pieces.extend([
                Piece::Text(")"),
                Piece::Expr(&items[1], PRECEDENCE_PRIMARY),
                Piece::Text(" "),
                Piece::Text(name),
                Piece::Text(" "),
                Piece::Expr(&items[0], PRECEDENCE_PRIMARY),
                Piece::Text("("),
            ]);
        }
        ExprKind::Call(name, items) if name == INSIDE && items.len() > 1 => {
            pieces.push(Piece::Text("})"));
            push_list(&items[1..], pieces);
            pieces.extend([
                Piece::Text(" inside {"),
                Piece::Expr(&items[0], PRECEDENCE_PRIMARY),
                Piece::Text("("),
            ]);
        }
        ExprKind::Call(name, items) if name == VALUE_RANGE && items.len() == 2 => pieces.extend([
            Piece::Text("]"),
            Piece::Expr(&items[1], 0),
            Piece::Text(":"),
            Piece::Expr(&items[0], 0),
            Piece::Text("["),
        ]),
        ExprKind::Call(name, items) if name == PATTERN_KEY && items.len() == 2 => pieces.extend([
            Piece::Expr(&items[1], 0),
            Piece::Text(": "),
            Piece::Expr(&items[0], 0),
        ]),
        ExprKind::Call(name, items) if name == PATTERN => {
            pieces.push(Piece::Text("}"));
            push_list(items, pieces);
            pieces.push(Piece::Text("'{"));
        }
        ExprKind::Call(name, items)
            if matches!(name.as_str(), STREAM_LEFT | STREAM_RIGHT) && !items.is_empty() =>
        {
            pieces.extend([Piece::Text("}"), Piece::Expr(&items[0], 0)]);
            pieces.extend(
                items
                    .get(1)
                    .map(|size| Piece::Expr(size, PRECEDENCE_PRIMARY)),
            );
            pieces.push(Piece::Text(name));
        }
        ExprKind::Net(net) => text.push_str(&format!("$net({net})")),
        ExprKind::Index(base, index) => pieces.extend([
            Piece::Text("]"),
            Piece::Expr(index, 0),
            Piece::Text("["),
            Piece::Expr(base, PRECEDENCE_PRIMARY),
        ]),
        ExprKind::Range(base, left, right) => pieces.extend([
            Piece::Text("]"),
            Piece::Expr(right, 0),
            Piece::Text(":"),
            Piece::Expr(left, 0),
            Piece::Text("["),
            Piece::Expr(base, PRECEDENCE_PRIMARY),
        ]),
        ExprKind::IndexedRange {
            base,
            start,
            width,
            down,
        } => pieces.extend([
            Piece::Text("]"),
            Piece::Expr(width, 0),
            Piece::Text(if *down { " -: " } else { " +: " }),
            Piece::Expr(start, 0),
            Piece::Text("["),
            Piece::Expr(base, PRECEDENCE_PRIMARY),
        ]),
        ExprKind::Member(scope, name) => pieces.extend([
            Piece::Text(name),
            Piece::Text("."),
            Piece::Expr(scope, PRECEDENCE_PRIMARY),
        ]),
        ExprKind::Unary(operator, operand) => {
            text.push_str(operator.symbol());
            // `&(&a)`: two operators in a row could read as one.
            pieces.push(Piece::Expr(operand, PRECEDENCE_PRIMARY));
        }
        ExprKind::Binary(operator, left, right) => {
            let precedence = operator.precedence();
            pieces.extend([
                Piece::Expr(right, precedence + 1),
                Piece::Text(" "),
                Piece::Text(operator.symbol()),
                Piece::Text(" "),
                Piece::Expr(left, precedence),
            ]);
        }
        ExprKind::Conditional(condition, then, otherwise) => pieces.extend([
            Piece::Expr(otherwise, PRECEDENCE_CONDITIONAL),
            Piece::Text(" : "),
            Piece::Expr(then, PRECEDENCE_CONDITIONAL + 1),
            Piece::Text(" ? "),
            Piece::Expr(condition, PRECEDENCE_CONDITIONAL + 1),
        ]),
        ExprKind::Concat(items) => {
            pieces.push(Piece::Text("}"));
            push_list(items, pieces);
            pieces.push(Piece::Text("{"));
        }
        ExprKind::Replicate(count, items) => {
            pieces.push(Piece::Text("}}"));
            push_list(items, pieces);
            pieces.extend([Piece::Text("{"), Piece::Expr(count, 0), Piece::Text("{")]);
        }
        ExprKind::Call(name, items) => {
            text.push_str(name);
            if items.is_empty() && name.starts_with('$') {
                return;
            }
            pieces.push(Piece::Text(")"));
            push_list(items, pieces);
            pieces.push(Piece::Text("("));
        }
    }
}

fn push_list<'a>(items: &'a [Expr], pieces: &mut Vec<Piece<'a>>) {
    for (index, item) in items.iter().enumerate().rev() {
        pieces.push(Piece::Expr(item, 0));
        if index > 0 {
            pieces.push(Piece::Text(", "));
        }
    }
}

fn is_pattern(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call(name, _) if name == PATTERN)
}

fn print_name(path: &[String], dialect: Dialect, text: &mut String) {
    for (index, component) in path.iter().enumerate() {
        if index > 0 {
            text.push('.');
        }
        let last = index + 1 == path.len();
        // Only where a name starts can it be taken for an operator.
        let reserved = index == 0 && dialect == Dialect::Formula && is_formula_word(component);
        if reserved || needs_escape(component, last) {
            text.push('\\');
            text.push_str(component);
            text.push(' ');
        } else {
            text.push_str(component);
        }
    }
}

/// Whether a name has to be written `\name `.
pub fn needs_escape(component: &str, last: bool) -> bool {
    let plain = |text: &str| {
        let mut symbols = text.chars();
        symbols
            .next()
            .is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
            && symbols.all(|next| next.is_ascii_alphanumeric() || next == '_' || next == '$')
            && !is_keyword(text)
    };
    if last {
        return !plain(component);
    }
    // `lane[3].busy`: the scope of one iteration of a generate loop.
    let (name, indices) = match component.find('[') {
        Some(start) => component.split_at(start),
        None => (component, ""),
    };
    let indexed = indices.is_empty()
        || indices
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
            .is_some_and(|inner| {
                inner.split("][").all(|index| {
                    !index.is_empty()
                        && index.len() <= 38
                        && index.chars().all(|digit| digit.is_ascii_digit())
                        && (index == "0" || !index.starts_with('0'))
                })
            });
    !(plain(name) && indexed)
}
