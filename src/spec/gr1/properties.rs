//! Specifications as property files, over Booleans.

use super::{Gr1, Kind, Player, Side, Term, TermId, TooManyCases};
use crate::expr::operator::is_formula_word;
use crate::stack;
use std::collections::HashSet;

impl Gr1 {
    /// A property file that says the same under strict semantics. Its first lines say which
    /// names are inputs and outputs.
    pub fn write_properties(&self) -> Result<String, TooManyCases> {
        let spec = self.booleans()?;
        let names = names(&spec);
        let of = |owner: Player| -> String {
            let all = spec.variables.iter().zip(&names);
            let own: Vec<&str> = all
                .filter(|(variable, _)| variable.owner == owner)
                .map(|(_, name)| name.as_str())
                .collect();
            own.join(",")
        };
        let mut text = format!(
            "// --semantics strict\n// --ins {}\n// --outs {}\n",
            of(Player::Environment),
            of(Player::System)
        );
        let mut taken = HashSet::new();
        for constraint in &spec.constraints {
            let role = match constraint.side {
                Side::Assumption => "assume",
                Side::Guarantee => "assert",
            };
            let name = unused(&constraint.name, &mut taken);
            let mut formula = String::new();
            write(&spec, &names, constraint.term, &mut formula);
            let formula = match constraint.kind {
                Kind::Initial => formula,
                Kind::Safety => format!("G {formula}"),
                Kind::Justice => format!("G F {formula}"),
            };
            text.push_str(&format!("{role} {name}: {formula};\n"));
        }
        Ok(text)
    }
}

fn unused(name: &str, taken: &mut HashSet<String>) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut clean: String = name
        .chars()
        .map(|c| if keep(c) { c } else { '_' })
        .collect();
    if is_formula_word(&clean) || clean.starts_with(|c: char| c.is_ascii_digit()) {
        clean.insert(0, '_');
    }
    let mut candidate = clean.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{clean}_{number}");
        number += 1;
    }
    candidate
}

fn names(spec: &Gr1) -> Vec<String> {
    let mut taken = HashSet::new();
    let variables = spec.variables.iter();
    variables
        .map(|variable| unused(&variable.name, &mut taken))
        .collect()
}

fn write(spec: &Gr1, names: &[String], term: TermId, text: &mut String) {
    stack::recurse(|| {
        let mut join = |operator: &str, operands: &[TermId]| {
            text.push('(');
            for (index, operand) in operands.iter().enumerate() {
                if index > 0 {
                    text.push_str(operator);
                }
                write(spec, names, *operand, text);
            }
            text.push(')');
        };
        match spec.terms.get(term) {
            Term::Boolean(value) => text.push_str(if *value { "true" } else { "false" }),
            Term::Variable { variable, primed } => {
                if *primed {
                    text.push_str("X ");
                }
                text.push_str(&names[variable.0 as usize]);
            }
            Term::Not(operand) => {
                text.push('!');
                match spec.terms.get(*operand) {
                    Term::Variable { primed: true, .. } => {
                        text.push('(');
                        write(spec, names, *operand, text);
                        text.push(')');
                    }
                    _ => write(spec, names, *operand, text),
                }
            }
            Term::And(operands) => join(" & ", operands),
            Term::Or(operands) => join(" | ", operands),
            Term::Implies(left, right) => join(" -> ", &[*left, *right]),
            Term::Iff(left, right) => join(" <-> ", &[*left, *right]),
            // There are no words among Booleans.
            Term::Integer(_) | Term::Enumerator(_) | Term::Compare(..) | Term::Arithmetic(..) => {}
        }
    });
}
