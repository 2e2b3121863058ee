//! Values of variables as users write them, one line for each step: `hungry=true count=3`.
//!
//! A line sets a variable at most once: of two values one would be dropped without a word.

use crate::source::{Diagnostic, codes::explanation as codes};
use crate::spec::gr1::{Domain, Gr1, Player, Value, VariableId};
use crate::synth::circuit::{Circuit, Meaning};
use crate::synth::run::Settings;

/// What a line says: variables with values; `?` leaves one open.
pub fn parse_line(
    spec: &Gr1,
    line: &str,
    owners: &[Player],
) -> Result<Vec<(VariableId, Value)>, Diagnostic> {
    let mut settings = Vec::new();
    for (name, given) in settings_of(&words(line))? {
        let id = spec
            .find_variable(name)
            .filter(|id| owners.contains(&spec.variable(*id).owner));
        let Some(id) = id else {
            let names: Vec<&str> = spec
                .variables
                .iter()
                .filter(|variable| owners.contains(&variable.owner) && !variable.is_auxiliary())
                .map(|variable| variable.name.as_str())
                .collect();
            return Err(unknown_name(name, &names));
        };
        if given == "?" {
            continue;
        }
        let Some(value) = value(spec, id, given) else {
            let values = spec.variable(id).domain.values();
            let texts: Vec<String> = values
                .iter()
                .take(20)
                .map(|value| spec.value_text(&spec.variable(id).domain, *value))
                .collect();
            return Err(unknown_value(name, given, &texts.join(", ")));
        };
        settings.push((id, value));
    }
    Ok(settings)
}

/// The settings of a line, without what comes after `#` and without spaces around `=`.
pub(super) fn words(line: &str) -> Vec<String> {
    let mut settings: Vec<String> = Vec::new();
    for word in line.split('#').next().unwrap_or("").split_whitespace() {
        match settings.last_mut() {
            Some(last) if last.ends_with('=') || word.starts_with('=') => last.push_str(word),
            _ => settings.push(word.to_string()),
        }
    }
    settings
}

/// Names and values, each name once.
fn settings_of(words: &[String]) -> Result<Vec<(&str, &str)>, Diagnostic> {
    let mut settings: Vec<(&str, &str)> = Vec::new();
    for word in words {
        let (name, given) = setting(word)?;
        if let Some((_, first)) = settings.iter().find(|(other, _)| *other == name) {
            let message = format!("`{name}` is set twice, to `{first}` and to `{given}`");
            return Err(
                Diagnostic::error(codes::BAD_SETTING, message).help("give each variable one value")
            );
        }
        settings.push((name, given));
    }
    Ok(settings)
}

/// A name and a value.
fn setting(word: &str) -> Result<(&str, &str), Diagnostic> {
    word.split_once('=').ok_or_else(|| {
        let message = format!("`{word}` is no setting");
        Diagnostic::error(codes::BAD_SETTING, message)
            .help("write a name, `=` and a value, such as `grant=true`")
    })
}

fn unknown_name(name: &str, names: &[&str]) -> Diagnostic {
    let message = format!("`{name}` is none of the variables that can be set here");
    Diagnostic::error(codes::BAD_SETTING, message).help(format!("they are {}", names.join(", ")))
}

fn unknown_value(name: &str, given: &str, values: &str) -> Diagnostic {
    let message = format!("`{given}` is no value of `{name}`");
    Diagnostic::error(codes::BAD_SETTING, message).help(format!("it can be {values}"))
}

fn value(spec: &Gr1, id: VariableId, text: &str) -> Option<Value> {
    let domain = &spec.variable(id).domain;
    let wanted = match (domain, text) {
        (Domain::Boolean, "1") => "true",
        (Domain::Boolean, "0") => "false",
        _ => text,
    };
    let values = domain.values();
    let mut values = values.into_iter();
    values.find(|value| spec.value_text(domain, *value) == wanted)
}

/// Settings as a line.
pub fn line(spec: &Gr1, settings: &[(VariableId, Value)]) -> String {
    let words: Vec<String> = settings
        .iter()
        .map(|(id, value)| {
            let variable = spec.variable(*id);
            format!(
                "{}={}",
                variable.name,
                spec.value_text(&variable.domain, *value)
            )
        })
        .collect();
    words.join(" ")
}

/// Settings of ports as a line.
pub fn ports_line(settings: &Settings) -> String {
    let words: Vec<String> = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    words.join(" ")
}

/// The bits of all input ports of a circuit that a line sets; what is not given is 0, or the
/// first value.
pub fn parse_ports(circuit: &Circuit, line: &str) -> Result<Vec<Vec<bool>>, Diagnostic> {
    let given = parse_some_ports(circuit, line)?.into_iter();
    let ports = given.zip(first_values(circuit));
    Ok(ports.map(|(given, first)| given.unwrap_or(first)).collect())
}

/// For each input port of a circuit 0, or its first value.
pub fn first_values(circuit: &Circuit) -> Vec<Vec<bool>> {
    let ports = circuit.inputs.iter();
    ports
        .map(|port| {
            let first = match &port.meaning {
                Meaning::Number { first, .. } => first.to_string(),
                Meaning::Names(names) => names[0].clone(),
                Meaning::Boolean => "false".to_string(),
            };
            let width = port.bits.len();
            let found = port.meaning.parse(&first, width);
            found.unwrap_or_else(|| vec![false; width])
        })
        .collect()
}

/// For each input port of a circuit the bits that a line gives it.
pub fn parse_some_ports(
    circuit: &Circuit,
    line: &str,
) -> Result<Vec<Option<Vec<bool>>>, Diagnostic> {
    let mut bits = vec![None; circuit.inputs.len()];
    for (name, given) in settings_of(&words(line))? {
        let mut ports = circuit.inputs.iter();
        let Some(index) = ports.position(|port| port.name == name) else {
            let ports = circuit.inputs.iter();
            let names: Vec<&str> = ports.map(|port| port.name.as_str()).collect();
            return Err(unknown_name(name, &names));
        };
        let port = &circuit.inputs[index];
        if given == "?" {
            continue;
        }
        let Some(value) = port.meaning.parse(given, port.bits.len()) else {
            return Err(unknown_value(name, given, &port.meaning.examples()));
        };
        bits[index] = Some(value);
    }
    Ok(bits)
}

#[cfg(test)]
mod tests {
    use super::{settings_of, words};

    #[test]
    fn spaces_around_the_sign_do_not_matter() {
        let expected = ["a=1", "b=2", "c=3", "d=4"];
        assert_eq!(words("a=1 b =2  c= 3 d = 4 # e = 5"), expected);
        assert!(words("# a=1").is_empty());
    }

    #[test]
    fn a_name_is_set_once() {
        let once = words("a=1 b=1");
        assert_eq!(settings_of(&once), Ok(vec![("a", "1"), ("b", "1")]));
        for line in ["a=1 a=0", "a=1 b=0 a=1", "a=? a=1"] {
            let error = settings_of(&words(line)).expect_err("it is set twice");
            assert!(error.message.starts_with("`a` is set twice"), "{line}");
        }
    }
}
