//! A random design with one fault beside the same design without it.

use super::choices::Choices;
use super::module::design;
use std::fmt::Write;

pub struct Faulty {
    /// Both designs, and the module `bench`, which asserts that their outputs are equal.
    pub text: String,
    /// What follows the faulty design there.
    pub rest: String,
    /// What was changed, for people.
    pub fault: String,
}

/// What is written for what, in either direction.
const OPERATORS: [(&str, &str); 8] = [
    (" + ", " - "),
    (" & ", " | "),
    (" ^ ", " & "),
    (" == ", " != "),
    (" > ", " >= "),
    (" && ", " || "),
    (" << ", " >> "),
    (" === ", " !== "),
];

/// None if there is nothing to change.
pub fn faulty(choices: &mut Choices) -> Option<Faulty> {
    let right = design(choices, "m");
    let places = places(&right);
    if places.is_empty() {
        return None;
    }
    let (start, old, new) = choices.pick(&places).clone();
    let wrong = format!("{}{new}{}", &right[..start], &right[start + old.len()..]);
    let line = right[..start].lines().count();
    let golden = right
        .replace("m_part", "golden_part")
        .replace("module m ", "module golden ");
    let rest = format!("{golden}{}", bench(&right));
    Some(Faulty {
        text: format!("{wrong}{rest}"),
        rest,
        fault: format!("line {line}: `{old}` became `{new}`"),
    })
}

/// All changes of one token behind the ports of a module: the place, what stands there, and what
/// is written instead.
fn places(text: &str) -> Vec<(usize, String, String)> {
    let mut places = Vec::new();
    let mut inside = false;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        match line.trim_end() {
            ");" => inside = true,
            "endmodule" => inside = false,
            // Ranges and loops are not faults of this kind.
            _ if inside && !line.contains("for (") && !line.contains("assign out_") => {
                let (from, body) = value_of(line);
                places.extend(in_line(body).map(|(at, old, new)| (start + from + at, old, new)));
            }
            _ => {}
        }
        start += line.len();
    }
    places
}

/// What stands behind the declared name of a line, or all of it.
fn value_of(line: &str) -> (usize, &str) {
    let words = ["wire ", "reg ", "input ", "localparam ", "function "];
    let is_declaration = words.iter().any(|word| line.trim_start().starts_with(word));
    match (is_declaration, line.find(" = ")) {
        (true, Some(place)) => (place + 3, &line[place + 3..]),
        (true, None) => (line.len(), ""),
        (false, _) => (0, line),
    }
}

fn in_line(line: &str) -> impl Iterator<Item = (usize, String, String)> {
    let mut found = Vec::new();
    for (left, right) in OPERATORS {
        for (old, new) in [(left, right), (right, left)] {
            let matches = line.match_indices(old);
            found.extend(matches.map(|(at, _)| (at, old.to_string(), new.to_string())));
        }
    }
    for (at, _) in line.match_indices('\'') {
        found.extend(literal(line, at));
    }
    for (at, old) in line.match_indices("if (") {
        // A test of a reset that does not fit its edge is refused and no fault to repair.
        let tested = line[at + old.len()..].trim_start_matches('!');
        if !tested.starts_with("rst") {
            found.push((at, old.to_string(), format!("{old}!")));
        }
    }
    found.into_iter()
}

/// A number with a size, and the same with another lowest bit. The numbers by which words are
/// divided stay, since nothing is said of a division by zero.
fn literal(line: &str, quote: usize) -> Option<(usize, String, String)> {
    let is_digit = |symbol: char| symbol.is_ascii_hexdigit();
    let before = line[..quote].trim_end_matches(|symbol: char| symbol.is_ascii_digit());
    if before.ends_with("/ ") || before.ends_with("% ") {
        return None;
    }
    let behind = line[quote + 1..].trim_start_matches('s');
    let base = behind.chars().next()?;
    let radix = match base {
        'd' => 10,
        'b' => 2,
        'h' => 16,
        _ => return None,
    };
    let digits = behind[1..].split(|symbol| !is_digit(symbol)).next()?;
    let value = u64::from_str_radix(digits, radix).ok()? ^ 1;
    let start = line.len() - behind.len() + 1;
    let digits = digits.to_string();
    let changed = match base {
        'd' => format!("{value}"),
        'b' => format!("{value:b}"),
        _ => format!("{value:x}"),
    };
    Some((start, digits, changed))
}

/// A module with both designs; the faulty one has its outputs.
fn bench(text: &str) -> String {
    let top = text.split("module m ").nth(1).unwrap_or_default();
    let header = top.split(");\n").next().unwrap_or_default();
    let ports: Vec<&str> = header.lines().skip(1).collect();
    let name = |port: &&str| {
        let word = port.split_whitespace().last().unwrap_or_default();
        word.trim_end_matches(',').to_string()
    };
    let (mut faulty, mut golden) = (Vec::new(), Vec::new());
    let (mut wires, mut claims) = (String::new(), String::new());
    for port in &ports {
        let name = name(port);
        faulty.push(format!(".{name}({name})"));
        match port.trim_start().strip_prefix("output ") {
            None => golden.push(format!(".{name}({name})")),
            Some(rest) => {
                let range = rest.trim_end_matches(',').trim_end_matches(&name);
                let _ = writeln!(wires, "  wire {range}golden_{name};");
                let _ = writeln!(
                    claims,
                    "  always @(posedge clk) assert ({name} == golden_{name});"
                );
                golden.push(format!(".{name}(golden_{name})"));
            }
        }
    }
    format!(
        "module bench (\n{}\n);\n{wires}  m dut ({});\n  golden model ({});\n{claims}endmodule\n",
        ports.join("\n"),
        faulty.join(", "),
        golden.join(", ")
    )
}
