//! Random statements: nested `if` and `case`, loops, and all kinds of targets.

use super::choices::Choices;
use super::expression::{Readable, Signal, Style, any, condition, expression, sized};

/// What statements of one block may write.
pub struct Block<'a> {
    pub targets: &'a [Signal],
    pub operator: &'static str,
    /// Declared outside of the block.
    pub counter: &'a str,
    pub system_verilog: bool,
    /// Targets with computed indices, and not several in braces: Yosys does not take both
    /// with `<=` in one block.
    pub computed: bool,
}

pub fn statements(
    choices: &mut Choices,
    readable: &Readable,
    block: &Block<'_>,
    depth: usize,
    indent: usize,
    output: &mut String,
) {
    for _ in 0..1 + usize::from(choices.rarely(3)) {
        statement(choices, readable, block, depth, indent, output);
    }
}

fn statement(
    choices: &mut Choices,
    readable: &Readable,
    block: &Block<'_>,
    depth: usize,
    indent: usize,
    output: &mut String,
) {
    let pad = "  ".repeat(indent);
    let kind = match depth {
        0 => 0,
        _ => choices.below(8),
    };
    match kind {
        3 | 4 => {
            let test = condition(choices, readable, 2);
            output.push_str(&format!("{pad}if ({test}) begin\n"));
            statements(choices, readable, block, depth - 1, indent + 1, output);
            match choices.below(3) {
                0 => output.push_str(&format!("{pad}end\n")),
                1 => {
                    output.push_str(&format!("{pad}end else begin\n"));
                    statements(choices, readable, block, depth - 1, indent + 1, output);
                    output.push_str(&format!("{pad}end\n"));
                }
                _ => {
                    let test = condition(choices, readable, 1);
                    output.push_str(&format!("{pad}end else if ({test})\n"));
                    statement(choices, readable, block, 0, indent + 1, output);
                }
            }
        }
        5 | 6 => case(choices, readable, block, depth, indent, output),
        7 if readable.counter.is_none() => repetition(choices, readable, block, indent, output),
        _ => {
            let (target, computed) = target(choices, readable, block);
            // Yosys 0.23 gives the value of a computed place the width and sign of the whole
            // word: braces make it the same in both.
            let value = match computed {
                true => format!("{{{}}}", any(choices, readable, 2, Style::Plain).text),
                false => expression(choices, readable, 2),
            };
            let operator = block.operator;
            output.push_str(&format!("{pad}{target} {operator} {value};\n"));
        }
    }
}

/// A target, and whether its place is computed.
fn target(choices: &mut Choices, readable: &Readable, block: &Block<'_>) -> (String, bool) {
    let signal = choices.pick(block.targets).clone();
    let last = signal.width - 1;
    match choices.below(8) {
        4 if signal.has_range() => {
            let bit = signal.right + choices.below(signal.width);
            (format!("{}[{bit}]", signal.name), false)
        }
        5 if signal.has_range() && signal.descending => {
            let low = choices.between(0, last);
            let high = choices.between(low, last);
            let (left, right) = (high + signal.right, low + signal.right);
            (format!("{}[{left}:{right}]", signal.name), false)
        }
        6 if block.computed && signal.has_range() && signal.right == 0 => {
            let fits = |index: &&Signal| {
                !index.signed
                    && (1usize << index.width) <= signal.width
                    && block.targets.iter().all(|other| other.name != index.name)
            };
            let indices: Vec<&Signal> = readable.signals.iter().filter(fits).collect();
            if indices.is_empty() {
                return (signal.name.clone(), false);
            }
            let index = (*choices.pick(&indices)).clone();
            let spare = signal.width - (1 << index.width);
            let width = choices.between(1, spare + 1);
            match width {
                1 => (format!("{}[{}]", signal.name, index.name), true),
                _ => (format!("{}[{} +: {width}]", signal.name, index.name), true),
            }
        }
        7 if !block.computed && block.targets.len() > 1 => {
            let other = choices.pick(block.targets).clone();
            if other.name == signal.name {
                return (signal.name.clone(), false);
            }
            (format!("{{{}, {}}}", signal.name, other.name), false)
        }
        _ => (signal.name.clone(), false),
    }
}

fn case(
    choices: &mut Choices,
    readable: &Readable,
    block: &Block<'_>,
    depth: usize,
    indent: usize,
    output: &mut String,
) {
    let pad = "  ".repeat(indent);
    let keyword = *choices.pick(&["case", "case", "casez", "casex"]);
    let mut selector = any(choices, readable, 1, Style::Plain);
    if let (false, Some(signal)) = (keyword == "case", readable.signals.first()) {
        // Yosys 0.23 takes no wildcard for equal to a selector that is a constant.
        selector.text = format!("{} ^ {}", selector.text, signal.name);
        selector.width = selector.width.max(signal.width);
    }
    if keyword == "case" {
        // Yosys 0.23 compares with the sign of each label by itself, and not of all of them:
        // braces make the selector unsigned, and with it all.
        selector.text = format!("{{{}}}", selector.text);
    }
    let width = selector.width.min(5);
    output.push_str(&format!("{pad}{keyword} ({})\n", selector.text));
    for _ in 0..choices.between(1, 3) {
        let mut labels = vec![label(choices, readable, keyword, width)];
        if choices.rarely(4) {
            labels.push(label(choices, readable, keyword, width));
        }
        output.push_str(&format!("{pad}  {}: begin\n", labels.join(", ")));
        statements(choices, readable, block, depth - 1, indent + 2, output);
        output.push_str(&format!("{pad}  end\n"));
    }
    if choices.flip() {
        output.push_str(&format!("{pad}  default: begin\n"));
        statements(choices, readable, block, depth - 1, indent + 2, output);
        output.push_str(&format!("{pad}  end\n"));
    }
    output.push_str(&format!("{pad}endcase\n"));
}

fn label(choices: &mut Choices, readable: &Readable, keyword: &str, width: usize) -> String {
    if keyword == "case" {
        return match choices.below(6) {
            // Yosys 0.23 computes a label of parameters with its own width, and not with that
            // of the comparison: braces make both the same.
            5 => format!("{{{}}}", any(choices, readable, 1, Style::Plain).text),
            4 => choices.below(1 << width).to_string(),
            _ => sized(choices, width),
        };
    }
    let wildcard = if keyword == "casez" { "?" } else { "x" };
    let digits: String = (0..width)
        .map(|_| *choices.pick(&["0", "1", wildcard]))
        .collect();
    format!("{width}'b{digits}")
}

/// A loop over the bits of a target.
fn repetition(
    choices: &mut Choices,
    readable: &Readable,
    block: &Block<'_>,
    indent: usize,
    output: &mut String,
) {
    let pad = "  ".repeat(indent);
    let signal = choices.pick(block.targets).clone();
    let count = choices.between(1, signal.width.min(5));
    let counter = block.counter;
    let inner = Readable {
        counter: Some((counter.to_string(), count)),
        ..readable.clone()
    };
    let head = match (block.system_verilog, choices.below(3)) {
        (true, 1) => format!("for (int {counter} = 0; {counter} < {count}; {counter}++)"),
        (_, 2) => format!(
            "for ({counter} = {}; {counter} >= 0; {counter} = {counter} - 1)",
            count - 1
        ),
        _ => format!("for ({counter} = 0; {counter} < {count}; {counter} = {counter} + 1)"),
    };
    output.push_str(&format!("{pad}{head} begin\n"));
    let value = expression(choices, &inner, 2);
    let operator = block.operator;
    let target = match signal.has_range() && signal.right == 0 {
        true => format!("{}[{counter}]", signal.name),
        false => signal.name.clone(),
    };
    output.push_str(&format!("{pad}  {target} {operator} {value};\n"));
    if choices.flip() {
        statement(choices, &inner, block, 1, indent + 1, output);
    }
    output.push_str(&format!("{pad}end\n"));
}
