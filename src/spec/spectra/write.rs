//! Specifications in the Spectra language.
//!
//! A definition of one variable becomes a monitor, so that it stays what it is; one of
//! several becomes variables and guarantees of the system.

use crate::spec::gr1::{DefinitionId, Gr1, Kind, Player, Side};
use std::collections::HashSet;

const RESERVED: [&str; 40] = [
    "G",
    "GF",
    "GE",
    "GEF",
    "S",
    "T",
    "Y",
    "H",
    "O",
    "next",
    "in",
    "out",
    "env",
    "sys",
    "aux",
    "type",
    "spec",
    "module",
    "mod",
    "and",
    "or",
    "xor",
    "not",
    "ini",
    "iff",
    "implies",
    "forall",
    "exists",
    "ite",
    "regexp",
    "trig",
    "true",
    "false",
    "TRUE",
    "FALSE",
    "PREV",
    "ONCE",
    "HISTORICALLY",
    "SINCE",
    "TRIGGERED",
];

pub fn write(spec: &Gr1) -> String {
    let spec = &renamed(spec);
    let name = if spec.name.is_empty() {
        "Specification"
    } else {
        &spec.name
    };
    let mut text = format!("spec {name}\n\n");
    let count = |definition: DefinitionId| {
        let own = spec.variables.iter();
        own.filter(|one| one.definition == Some(definition)).count()
    };
    for variable in &spec.variables {
        let domain = spec.domain_text(&variable.domain);
        let own = &variable.name;
        match variable.definition {
            Some(definition) if count(definition) == 1 => {
                text.push_str(&format!("monitor {domain} {own} {{\n"));
                let parts = spec.constraints.iter();
                for part in parts.filter(|part| part.definition == Some(definition)) {
                    let kind = match part.kind {
                        Kind::Initial => "ini",
                        _ => "trans",
                    };
                    text.push_str(&format!("  {kind} {};\n", spec.term_text(part.term)));
                }
                text.push_str("}\n");
            }
            _ => {
                let owner = match variable.owner {
                    Player::Environment => "env",
                    Player::System => "sys",
                };
                text.push_str(&format!("{owner} {domain} {own};\n"));
            }
        }
    }
    text.push('\n');
    for constraint in &spec.constraints {
        if constraint.definition.is_some_and(|id| count(id) == 1) {
            continue;
        }
        let side = match constraint.side {
            Side::Assumption => "asm",
            Side::Guarantee => "gar",
        };
        let kind = match constraint.kind {
            Kind::Initial => "ini",
            Kind::Safety => "trans",
            Kind::Justice => "alwEv",
        };
        let name = if constraint.is_named {
            format!(" {}:", clean(&constraint.name))
        } else {
            String::new()
        };
        let term = spec.term_text(constraint.term);
        text.push_str(&format!("{side}{name}\n  {kind} {term};\n"));
    }
    text
}

fn clean(name: &str) -> String {
    let keep = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut clean: String = name
        .chars()
        .map(|c| if keep(c) { c } else { '_' })
        .collect();
    if RESERVED.contains(&clean.as_str()) || clean.starts_with(|c: char| c.is_ascii_digit()) {
        clean.insert(0, '_');
    }
    clean
}

/// With names that the language has, and no variable named like a value.
fn renamed(spec: &Gr1) -> Gr1 {
    let mut spec = spec.clone();
    let mut taken = HashSet::new();
    for variable in &mut spec.variables {
        let stem = clean(&variable.name);
        let mut name = stem.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) || spec.terms.find_symbol(&name).is_some() {
            name = format!("{stem}_{number}");
            number += 1;
        }
        variable.name = name;
    }
    spec.name = clean(&spec.name);
    spec
}
