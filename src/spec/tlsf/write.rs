//! Writes a specification in any LTL as basic TLSF.
//!
//! Every operator stands in parentheses of its own, because TLSF binds `W`, `U` and `R` more
//! loosely than implication, which few readers expect. Two disjunctions that are an
//! equivalence are written as one: formulas have no other, and writing `a` and `b` twice at
//! each level would make the text grow without need.

use super::super::formula::{Atom, Formula, FormulaId, Formulas};
use super::super::ltl::{LtlSpec, Order, Section};
use super::expression::is_reserved;
use crate::expr::{Dialect, TemporalBinary, TemporalUnary, printer};
use std::collections::{HashMap, HashSet};

/// Characters of a whole specification.
const LONGEST: usize = 256 << 20;

/// Why a specification cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unwritable {
    /// The text would be longer than anybody reads.
    TooLong,
    /// An operator about the past.
    Past,
    /// A condition on words: signals of TLSF are bits.
    Condition(String),
}

pub fn write(spec: &LtlSpec, description: &str, target: Order) -> Result<String, Unwritable> {
    let names = Spelling::new(spec);
    let mut text = String::from("INFO {\n");
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let model = |order: Order| match order {
        Order::Mealy => "Mealy",
        Order::Moore => "Moore",
    };
    text.push_str(&format!("  TITLE:       \"{}\"\n", quote(&spec.title)));
    text.push_str(&format!("  DESCRIPTION: \"{}\"\n", quote(description)));
    let strict = if spec.is_strict { ",Strict" } else { "" };
    text.push_str(&format!("  SEMANTICS:   {}{strict}\n", model(spec.order)));
    text.push_str(&format!(
        "  TARGET:      {}\n}}\n\nMAIN {{\n",
        model(target)
    ));
    for (word, signals) in [("INPUTS", &spec.inputs), ("OUTPUTS", &spec.outputs)] {
        if signals.is_empty() {
            continue;
        }
        text.push_str(&format!("  {word} {{\n"));
        for signal in signals {
            text.push_str(&format!("    {};\n", names.of(signal)));
        }
        text.push_str("  }\n\n");
    }
    const SECTIONS: [(&str, Section); 6] = [
        ("INITIALLY", Section::Initially),
        ("PRESET", Section::Preset),
        ("REQUIRE", Section::Require),
        ("ASSUME", Section::Assume),
        ("ASSERT", Section::Assert),
        ("GUARANTEE", Section::Guarantee),
    ];
    for (word, section) in SECTIONS {
        let mut parts = spec.parts.iter().filter(|part| part.section == section);
        let mut part = parts.next();
        if part.is_none() {
            continue;
        }
        text.push_str(&format!("  {word} {{\n"));
        while let Some(written) = part {
            text.push_str("    ");
            formula(&spec.formulas, written.formula, &names, &mut text)?;
            text.push_str(";\n");
            part = parts.next();
        }
        text.push_str("  }\n\n");
    }
    text.truncate(text.trim_end().len());
    text.push_str("\n}\n");
    Ok(text)
}

/// A formula of a specification, without parentheses around the whole. Signals that formulas name
/// otherwise are in `names`.
pub fn formula_text(
    spec: &LtlSpec,
    names: &HashMap<String, String>,
    root: FormulaId,
) -> Result<String, Unwritable> {
    let names = Spelling {
        words: names.clone(),
        signals: spec.inputs.iter().chain(&spec.outputs).cloned().collect(),
    };
    let mut text = String::new();
    formula(&spec.formulas, root, &names, &mut text)?;
    let is_enclosed = matches!(
        spec.formulas.get(root),
        Formula::And(_) | Formula::Or(_) | Formula::Binary(..)
    );
    Ok(match is_enclosed {
        true => text[1..text.len() - 1].to_string(),
        false => text,
    })
}

/// How names are written: those of another language may not be words here.
struct Spelling {
    words: HashMap<String, String>,
    signals: HashSet<String>,
}

impl Spelling {
    fn new(spec: &LtlSpec) -> Spelling {
        let names = || spec.inputs.iter().chain(&spec.outputs);
        let mut taken: HashSet<String> = names().filter(|name| is_word(name)).cloned().collect();
        let mut words = HashMap::new();
        for name in names().filter(|name| !is_word(name)) {
            let suits = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let mut word: String = name
                .chars()
                .map(|c| if suits(c) { c } else { '_' })
                .collect();
            if !word.starts_with(|c: char| c.is_ascii_alphabetic()) || is_reserved(&word) {
                word.insert_str(0, "s_");
            }
            while !taken.insert(word.clone()) {
                word.push('_');
            }
            words.insert(name.clone(), word);
        }
        Spelling {
            words,
            signals: names().cloned().collect(),
        }
    }

    fn is_signal(&self, text: &str) -> bool {
        let name = text.strip_prefix('\\').unwrap_or(text).trim_end();
        self.signals.contains(name)
    }

    fn of<'n>(&'n self, name: &'n str) -> &'n str {
        self.words.get(name).map_or(name, String::as_str)
    }
}

fn is_word(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let suits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '@' | '\'');
    starts && name.chars().all(suits) && !is_reserved(name)
}

enum Piece {
    Text(&'static str),
    Formula(FormulaId),
}

fn formula(
    formulas: &Formulas,
    root: FormulaId,
    names: &Spelling,
    text: &mut String,
) -> Result<(), Unwritable> {
    let mut pieces = vec![Piece::Formula(root)];
    while let Some(piece) = pieces.pop() {
        if text.len() > LONGEST {
            return Err(Unwritable::TooLong);
        }
        let id = match piece {
            Piece::Text(piece) => {
                text.push_str(piece);
                continue;
            }
            Piece::Formula(id) => id,
        };
        match formulas.get(id) {
            Formula::True => text.push_str("true"),
            Formula::False => text.push_str("false"),
            Formula::Atom(atom) => match formulas.atom(*atom) {
                Atom::Condition(expr) => {
                    let name = printer::print(expr, Dialect::Verilog);
                    if !names.is_signal(&name) {
                        return Err(Unwritable::Condition(name));
                    }
                    let name = name.strip_prefix('\\').unwrap_or(&name).trim_end();
                    text.push_str(names.of(name));
                }
                Atom::Past(past) => pieces.push(Piece::Formula(*past)),
            },
            Formula::Not(operand) => {
                text.push('!');
                pieces.push(Piece::Formula(*operand));
            }
            Formula::And(operands) => match equivalence(formulas, operands) {
                Some((left, right)) => pieces.extend([
                    Piece::Text(")"),
                    Piece::Formula(right),
                    Piece::Text(" <-> "),
                    Piece::Formula(left),
                    Piece::Text("("),
                ]),
                None => list(formulas, operands, " && ", &mut pieces),
            },
            Formula::Or(operands) => list(formulas, operands, " || ", &mut pieces),
            Formula::Unary(operator, operand) => {
                text.push_str(match operator {
                    TemporalUnary::Next => "X ",
                    TemporalUnary::Finally => "F ",
                    TemporalUnary::Globally => "G ",
                    _ => return Err(Unwritable::Past),
                });
                pieces.push(Piece::Formula(*operand));
            }
            Formula::Binary(operator, left, right) => {
                let (word, left, right) = match operator {
                    TemporalBinary::Until => (" U ", left, right),
                    TemporalBinary::WeakUntil => (" W ", left, right),
                    TemporalBinary::Release => (" R ", left, right),
                    // `a M b` is `b U (a && b)`.
                    TemporalBinary::StrongRelease => {
                        pieces.extend([
                            Piece::Text("))"),
                            Piece::Formula(*right),
                            Piece::Text(" && "),
                            Piece::Formula(*left),
                            Piece::Text(" U ("),
                            Piece::Formula(*right),
                            Piece::Text("("),
                        ]);
                        continue;
                    }
                    _ => return Err(Unwritable::Past),
                };
                pieces.extend([
                    Piece::Text(")"),
                    Piece::Formula(*right),
                    Piece::Text(word),
                    Piece::Formula(*left),
                    Piece::Text("("),
                ]);
            }
        }
    }
    Ok(())
}

fn list(
    formulas: &Formulas,
    operands: &[FormulaId],
    between: &'static str,
    pieces: &mut Vec<Piece>,
) {
    pieces.push(Piece::Text(")"));
    let operands = formulas.in_reading_order(operands);
    for (index, operand) in operands.iter().enumerate().rev() {
        pieces.push(Piece::Formula(*operand));
        pieces.push(Piece::Text(if index > 0 { between } else { "(" }));
    }
}

/// `(!a || b) && (a || !b)` is `a <-> b`.
fn equivalence(formulas: &Formulas, operands: &[FormulaId]) -> Option<(FormulaId, FormulaId)> {
    let [first, second] = operands else {
        return None;
    };
    let pair = |id: FormulaId| match formulas.get(id) {
        Formula::Or(operands) if operands.len() == 2 => Some((operands[0], operands[1])),
        _ => None,
    };
    let opposite = |left: FormulaId, right: FormulaId| {
        let negates = |one: FormulaId, other| matches!(formulas.get(one), Formula::Not(inner) if *inner == other);
        negates(left, right) || negates(right, left)
    };
    let (a, b) = pair(*first)?;
    let (c, d) = pair(*second)?;
    let crossed = (opposite(a, c) && opposite(b, d)) || (opposite(a, d) && opposite(b, c));
    if !crossed {
        return None;
    }
    // The disjunction `a || b` with both negated says that exactly one is false.
    let strip = |id: FormulaId| match formulas.get(id) {
        Formula::Not(inner) => (*inner, true),
        _ => (id, false),
    };
    let ((left, left_negated), (right, right_negated)) = (strip(a), strip(b));
    if left_negated != right_negated {
        return Some((left, right));
    }
    let other = if opposite(a, c) { c } else { d };
    // `a || b` and `!a || !b`: `a` is equivalent to `!b`.
    Some(if left_negated {
        (a, right)
    } else {
        (other, right)
    })
}
