//! Specifications in the formats of slugs.
//!
//! Names keep to letters, digits, `_` and `@`. The prefix format gets Booleans only.
//! Structured slugs has ranges; enumerations become the indices of their values, and
//! comparisons that it cannot say become cases.

use crate::spec::gr1::{
    Arithmetic, Domain, Gr1, Kind, Player, Side, Term, TermId, TooManyCases, VariableId,
};
use crate::stack;
use std::collections::HashSet;

/// In the prefix format.
pub fn write_prefix(spec: &Gr1) -> Result<String, TooManyCases> {
    let spec = spec.booleans()?;
    let names = names(&spec);
    Ok(sections(
        &spec,
        &|id| names[id.0 as usize].clone(),
        &|term| {
            let mut text = String::new();
            prefix(&spec, &names, term, &mut text);
            text
        },
    ))
}

/// As structured slugs.
pub fn write_structured(spec: &Gr1) -> Result<String, TooManyCases> {
    // What is not there is taken apart.
    let plain = spec
        .constraints
        .iter()
        .all(|constraint| says(spec, constraint.term));
    let spec = if plain {
        spec.clone()
    } else {
        spec.booleans()?
    };
    let names = names(&spec);
    let declare = |id: VariableId| {
        let name = &names[id.0 as usize];
        match &spec.variable(id).domain {
            Domain::Boolean => name.clone(),
            Domain::Range { first, last } => format!("{name}:{first}...{last}"),
            Domain::Enumeration(values) => format!("{name}:0...{}", values.len() - 1),
        }
    };
    Ok(sections(&spec, &declare, &|term| {
        let mut text = String::new();
        infix(&spec, &names, term, &mut text);
        text
    }))
}

fn names(spec: &Gr1) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut found = Vec::new();
    for variable in &spec.variables {
        let keep = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '@';
        let clean: String = variable
            .name
            .chars()
            .map(|c| if keep(c) { c } else { '_' })
            .collect();
        let mut name = clean.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{clean}_{number}");
            number += 1;
        }
        found.push(name);
    }
    found
}

fn sections(
    spec: &Gr1,
    declare: &dyn Fn(VariableId) -> String,
    formula: &dyn Fn(TermId) -> String,
) -> String {
    let mut text = String::new();
    for (header, owner) in [("INPUT", Player::Environment), ("OUTPUT", Player::System)] {
        text.push_str(&format!("[{header}]\n"));
        for id in spec.variable_ids() {
            if spec.variable(id).owner == owner {
                text.push_str(&declare(id));
                text.push('\n');
            }
        }
        text.push('\n');
    }
    for (suffix, kind) in [
        ("INIT", Kind::Initial),
        ("TRANS", Kind::Safety),
        ("LIVENESS", Kind::Justice),
    ] {
        for (header, side) in [("ENV", Side::Assumption), ("SYS", Side::Guarantee)] {
            text.push_str(&format!("[{header}_{suffix}]\n"));
            for constraint in &spec.constraints {
                if constraint.side == side && constraint.kind == kind {
                    text.push_str(&formula(constraint.term));
                    text.push('\n');
                }
            }
            text.push('\n');
        }
    }
    text
}

fn prefix(spec: &Gr1, names: &[String], term: TermId, text: &mut String) {
    stack::recurse(|| {
        let mut nest = |operator: &str, operands: &[TermId]| {
            for _ in 1..operands.len() {
                text.push_str(operator);
            }
            for (index, operand) in operands.iter().enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                prefix(spec, names, *operand, text);
            }
        };
        match spec.terms.get(term) {
            Term::Not(operand) => {
                text.push_str("! ");
                prefix(spec, names, *operand, text);
            }
            Term::And(operands) => nest("& ", operands),
            Term::Or(operands) => nest("| ", operands),
            Term::Implies(left, right) => {
                text.push_str("| ! ");
                prefix(spec, names, *left, text);
                text.push(' ');
                prefix(spec, names, *right, text);
            }
            Term::Iff(left, right) => {
                text.push_str("! ^ ");
                prefix(spec, names, *left, text);
                text.push(' ');
                prefix(spec, names, *right, text);
            }
            Term::Variable { variable, primed } => {
                text.push_str(&names[variable.0 as usize]);
                if *primed {
                    text.push('\u{27}');
                }
            }
            Term::Boolean(value) => text.push(if *value { '1' } else { '0' }),
            // There are no words among Booleans.
            Term::Integer(_) | Term::Enumerator(_) | Term::Compare(..) | Term::Arithmetic(..) => {}
        }
    });
}

/// Whether structured slugs has all that the term needs.
fn says(spec: &Gr1, term: TermId) -> bool {
    let enumeration = |id: TermId| match spec.terms.get(id) {
        Term::Variable { variable, .. } => match &spec.variable(*variable).domain {
            Domain::Enumeration(values) => Some(values.clone()),
            _ => None,
        },
        _ => None,
    };
    match spec.terms.get(term) {
        Term::Arithmetic(Arithmetic::Multiply | Arithmetic::Divide | Arithmetic::Modulo, ..) => {
            false
        }
        Term::Compare(_, left, right) => match (enumeration(*left), enumeration(*right)) {
            (Some(left), Some(right)) => left == right,
            _ => says(spec, *left) && says(spec, *right),
        },
        Term::Integer(value) => *value >= 0,
        _ => spec.terms.operands(term).iter().all(|one| says(spec, *one)),
    }
}

fn infix(spec: &Gr1, names: &[String], term: TermId, text: &mut String) {
    stack::recurse(|| {
        let mut join = |operator: &str, operands: &[TermId]| {
            text.push('(');
            for (index, operand) in operands.iter().enumerate() {
                if index > 0 {
                    text.push_str(operator);
                }
                infix(spec, names, *operand, text);
            }
            text.push(')');
        };
        match spec.terms.get(term) {
            Term::Boolean(value) => text.push_str(if *value { "TRUE" } else { "FALSE" }),
            Term::Integer(value) => text.push_str(&value.to_string()),
            Term::Enumerator(_) => {}
            Term::Variable { variable, primed } => {
                text.push_str(&names[variable.0 as usize]);
                if *primed {
                    text.push('\u{27}');
                }
            }
            Term::Not(operand) => {
                text.push('!');
                infix(spec, names, *operand, text);
            }
            Term::And(operands) => join(" & ", operands),
            Term::Or(operands) => join(" | ", operands),
            Term::Implies(left, right) => join(" -> ", &[*left, *right]),
            Term::Iff(left, right) => join(" <-> ", &[*left, *right]),
            Term::Arithmetic(operator, left, right) => {
                join(&format!(" {} ", operator.text()), &[*left, *right]);
            }
            Term::Compare(comparison, left, right) => {
                // A value of an enumeration is its index in the domain of the other operand.
                let index_of = |value: TermId, other: TermId| {
                    let Term::Enumerator(symbol) = spec.terms.get(value) else {
                        return None;
                    };
                    let Term::Variable { variable, .. } = spec.terms.get(other) else {
                        return None;
                    };
                    let Domain::Enumeration(values) = &spec.variable(*variable).domain else {
                        return None;
                    };
                    values.iter().position(|one| one == symbol)
                };
                let (left_index, right_index) = (index_of(*left, *right), index_of(*right, *left));
                text.push('(');
                match left_index {
                    Some(index) => text.push_str(&index.to_string()),
                    None => infix(spec, names, *left, text),
                }
                text.push_str(&format!(" {} ", comparison.text()));
                match right_index {
                    Some(index) => text.push_str(&index.to_string()),
                    None => infix(spec, names, *right, text),
                }
                text.push(')');
            }
        }
    });
}
