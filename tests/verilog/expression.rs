//! Random expressions without `x`: selects stay inside of their words, divisors are constants
//! other than zero.

use super::choices::Choices;

#[derive(Clone, Debug)]
pub struct Signal {
    pub name: String,
    pub width: usize,
    pub signed: bool,
    /// The index of the rightmost bit, and whether indices fall from left to right.
    pub right: usize,
    pub descending: bool,
}

impl Signal {
    pub fn range(&self) -> String {
        let far = self.right + self.width - 1;
        match (self.width, self.descending) {
            (1, _) if self.right == 0 => String::new(),
            (_, true) => format!("[{far}:{}] ", self.right),
            (_, false) => format!("[{}:{far}] ", self.right),
        }
    }

    pub fn sign(&self) -> &'static str {
        if self.signed { "signed " } else { "" }
    }

    pub fn has_range(&self) -> bool {
        !self.range().is_empty()
    }

    /// Written `name[high:low]`, for positions counted from the lowest index.
    fn part(&self, low: usize, high: usize) -> String {
        let (low, high) = (self.right + low, self.right + high);
        match self.descending {
            true => format!("{}[{high}:{low}]", self.name),
            false => format!("{}[{low}:{high}]", self.name),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub arguments: usize,
    pub width: usize,
}

#[derive(Clone, Debug)]
pub struct Memory {
    pub name: String,
    pub width: usize,
    /// Unsigned signals whose values are all indices.
    pub addresses: Vec<String>,
}

/// What an expression may read.
#[derive(Clone, Debug, Default)]
pub struct Readable {
    pub signals: Vec<Signal>,
    pub functions: Vec<Function>,
    pub memories: Vec<Memory>,
    /// Parameters, with their widths.
    pub constants: Vec<(String, usize)>,
    /// A loop variable and the number of its values.
    pub counter: Option<(String, usize)>,
}

pub struct Text {
    pub text: String,
    pub width: usize,
}

const WIDEST: usize = 12;

/// Numbers without a size make an expression 32 bits wide, in which products and quotients
/// are too hard to compare.
#[derive(Clone, Copy, PartialEq)]
pub enum Style {
    Plain,
    Unsized,
}

pub fn expression(choices: &mut Choices, readable: &Readable, depth: usize) -> String {
    let style = match choices.rarely(5) {
        true => Style::Unsized,
        false => Style::Plain,
    };
    let depth = choices.between(1, depth.max(1));
    any(choices, readable, depth, style).text
}

/// An expression that is read for its truth.
pub fn condition(choices: &mut Choices, readable: &Readable, depth: usize) -> String {
    expression(choices, readable, depth.min(1))
}

pub fn any(choices: &mut Choices, readable: &Readable, depth: usize, style: Style) -> Text {
    if depth == 0 {
        return leaf(choices, readable, style);
    }
    match choices.below(12) {
        0 | 1 => leaf(choices, readable, style),
        2 => unary(choices, readable, depth, style),
        3..=6 => binary(choices, readable, depth, style),
        7 => {
            let test = any(choices, readable, depth - 1, style).text;
            let then = any(choices, readable, depth - 1, style);
            let otherwise = any(choices, readable, depth - 1, style);
            Text {
                text: format!("({test} ? {} : {})", then.text, otherwise.text),
                width: then.width.max(otherwise.width),
            }
        }
        8 => concatenation(choices, readable, depth),
        9 => {
            let inner = any(choices, readable, depth - 1, Style::Plain);
            let count = choices.between(1, (WIDEST / inner.width).clamp(1, 3));
            Text {
                text: format!("{{{count}{{{}}}}}", inner.text),
                width: count * inner.width,
            }
        }
        10 => {
            let inner = any(choices, readable, depth - 1, style);
            let function = *choices.pick(&["$signed", "$unsigned"]);
            Text {
                text: format!("{function}({})", inner.text),
                width: inner.width,
            }
        }
        _ => call(choices, readable, depth, style),
    }
}

fn leaf(choices: &mut Choices, readable: &Readable, style: Style) -> Text {
    match choices.below(9) {
        7 => number(choices, style),
        8 if !readable.constants.is_empty() => {
            let (text, width) = choices.pick(&readable.constants).clone();
            Text { text, width }
        }
        6 if !readable.memories.is_empty() => {
            let memory = choices.pick(&readable.memories).clone();
            let address = choices.pick(&memory.addresses).clone();
            Text {
                text: format!("{}[{address}]", memory.name),
                width: memory.width,
            }
        }
        4 | 5 => select(choices, readable, style),
        3 if style == Style::Unsized && readable.counter.is_some() => {
            let (name, _) = readable.counter.clone().unwrap_or_default();
            Text {
                text: name,
                width: 32,
            }
        }
        _ if readable.signals.is_empty() => number(choices, style),
        _ => {
            let signal = choices.pick(&readable.signals);
            Text {
                text: signal.name.clone(),
                width: signal.width,
            }
        }
    }
}

pub fn number(choices: &mut Choices, style: Style) -> Text {
    if style == Style::Unsized {
        return Text {
            text: choices.below(12).to_string(),
            width: 32,
        };
    }
    let width = choices.between(1, 6);
    Text {
        text: sized(choices, width),
        width,
    }
}

/// A number of a given width.
pub fn sized(choices: &mut Choices, width: usize) -> String {
    let value = choices.below(1 << width);
    let sign = if choices.rarely(3) { "s" } else { "" };
    match choices.below(3) {
        0 => format!("{width}'{sign}d{value}"),
        1 => format!("{width}'{sign}b{value:b}"),
        _ => format!("{width}'{sign}h{value:x}"),
    }
}

fn select(choices: &mut Choices, readable: &Readable, style: Style) -> Text {
    let wide: Vec<&Signal> = readable
        .signals
        .iter()
        .filter(|signal| signal.has_range())
        .collect();
    if wide.is_empty() {
        return number(choices, style);
    }
    let signal = (*choices.pick(&wide)).clone();
    let last = signal.width - 1;
    if let Some((counter, count)) = &readable.counter
        && *count <= signal.width
        && signal.right == 0
        && choices.flip()
    {
        return Text {
            text: format!("{}[{counter}]", signal.name),
            width: 1,
        };
    }
    match choices.below(4) {
        0 => Text {
            text: format!(
                "{}[{}]",
                signal.name,
                signal.right + choices.below(last + 1)
            ),
            width: 1,
        },
        1 => {
            let low = choices.between(0, last);
            let high = choices.between(low, last);
            Text {
                text: signal.part(low, high),
                width: high - low + 1,
            }
        }
        2 => {
            let width = choices.between(1, signal.width);
            let start = choices.between(0, signal.width - width) + signal.right;
            let text = match choices.flip() {
                true => format!("{}[{} -: {width}]", signal.name, start + width - 1),
                false => format!("{}[{start} +: {width}]", signal.name),
            };
            Text { text, width }
        }
        _ => dynamic(choices, readable, &signal).unwrap_or_else(|| number(choices, style)),
    }
}

/// A select at an index that is a signal, all of whose values are inside of the word.
fn dynamic(choices: &mut Choices, readable: &Readable, signal: &Signal) -> Option<Text> {
    if signal.right != 0 {
        return None;
    }
    let fits = |index: &&Signal| !index.signed && (1usize << index.width) <= signal.width;
    let indices: Vec<&Signal> = readable.signals.iter().filter(fits).collect();
    if indices.is_empty() {
        return None;
    }
    let index = (*choices.pick(&indices)).clone();
    let spare = signal.width - (1 << index.width);
    let width = choices.between(1, spare + 1);
    let text = match (width, choices.below(3)) {
        (1, 0) => format!("{}[{}]", signal.name, index.name),
        (_, 2) => format!(
            "{}[({} + {}) -: {width}]",
            signal.name,
            index.name,
            width - 1
        ),
        _ => format!("{}[{} +: {width}]", signal.name, index.name),
    };
    Some(Text { text, width })
}

fn unary(choices: &mut Choices, readable: &Readable, depth: usize, style: Style) -> Text {
    let operator = *choices.pick(&["~", "-", "!", "&", "|", "^", "~&", "~|", "~^", "^~", "+"]);
    let inner = any(choices, readable, depth - 1, style);
    let width = match operator {
        "~" | "-" | "+" => inner.width,
        _ => 1,
    };
    Text {
        text: format!("({operator}({}))", inner.text),
        width,
    }
}

fn binary(choices: &mut Choices, readable: &Readable, depth: usize, style: Style) -> Text {
    const SAME: [&str; 8] = ["+", "-", "&", "|", "^", "~^", "^~", "*"];
    const ONE: [&str; 10] = ["==", "!=", "<", "<=", ">", ">=", "&&", "||", "===", "!=="];
    const SHIFT: [&str; 4] = ["<<", ">>", ">>>", "<<<"];
    let left = any(choices, readable, depth - 1, style);
    match choices.below(9) {
        0..=3 => {
            let right = any(choices, readable, depth - 1, style);
            let operators = match style {
                Style::Plain if left.width + right.width <= 10 => &SAME[..],
                _ => &SAME[..7],
            };
            let operator = *choices.pick(operators);
            let width = left.width.max(right.width);
            if operator == "*" {
                // A product by itself, so that a wide context does not make it big.
                return Text {
                    text: format!("{{{} * {}}}", left.text, right.text),
                    width,
                };
            }
            // Without parentheses the operands may bind otherwise; the result is still one
            // expression of this width.
            let text = match choices.rarely(3) {
                true => format!("{} {operator} {}", left.text, right.text),
                false => format!("({} {operator} {})", left.text, right.text),
            };
            Text {
                text,
                width: width.max(32 * usize::from(style == Style::Unsized)),
            }
        }
        4 | 5 => {
            let right = any(choices, readable, depth - 1, style);
            let operator = *choices.pick(&ONE);
            Text {
                text: format!("({} {operator} {})", left.text, right.text),
                width: 1,
            }
        }
        6 | 7 => {
            let operator = *choices.pick(&SHIFT);
            let amount = match choices.flip() {
                true => choices.below(9).to_string(),
                false => any(choices, readable, depth - 1, Style::Plain).text,
            };
            // Icarus 11 takes an amount that selects all of a signed word to be signed.
            let amount = match amount.ends_with(']') {
                true => format!("{{{amount}}}"),
                false => amount,
            };
            Text {
                text: format!("({} {operator} {amount})", left.text),
                width: left.width,
            }
        }
        _ if style == Style::Plain && left.width <= 9 => {
            let operator = *choices.pick(&["/", "%"]);
            let (width, value) = (choices.between(3, 5), choices.between(1, 7));
            let sign = if choices.flip() && (width > 3 || value < 4) {
                "s"
            } else {
                ""
            };
            Text {
                text: format!("{{({}) {operator} {width}'{sign}d{value}}}", left.text),
                width: left.width.max(width),
            }
        }
        _ => left,
    }
}

fn concatenation(choices: &mut Choices, readable: &Readable, depth: usize) -> Text {
    let mut parts = Vec::new();
    let mut width = 0;
    for _ in 0..choices.between(1, 3) {
        let part = any(choices, readable, depth - 1, Style::Plain);
        if width + part.width > WIDEST {
            break;
        }
        width += part.width;
        parts.push(part.text);
    }
    if parts.is_empty() {
        return number(choices, Style::Plain);
    }
    Text {
        text: format!("{{{}}}", parts.join(", ")),
        width,
    }
}

fn call(choices: &mut Choices, readable: &Readable, depth: usize, style: Style) -> Text {
    if readable.functions.is_empty() {
        return binary(choices, readable, depth, style);
    }
    let function = choices.pick(&readable.functions).clone();
    let arguments: Vec<String> = (0..function.arguments)
        .map(|_| any(choices, readable, depth - 1, Style::Plain).text)
        .collect();
    Text {
        text: format!("{}({})", function.name, arguments.join(", ")),
        width: function.width,
    }
}
