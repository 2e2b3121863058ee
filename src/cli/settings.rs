//! Values of variables as users write them, one line for each step: `hungry=true count=3`.

use crate::source::{Diagnostic, codes::explanation as codes};
use crate::spec::gr1::{Domain, Gr1, Player, Value, VariableId};

/// What a line says: variables with values; `?` leaves one open.
pub fn parse_line(
    spec: &Gr1,
    line: &str,
    owners: &[Player],
) -> Result<Vec<(VariableId, Value)>, Diagnostic> {
    let text = line.split('#').next().unwrap_or("");
    let mut settings = Vec::new();
    for word in text.split_whitespace() {
        let Some((name, given)) = word.split_once('=') else {
            let message = format!("`{word}` is no setting");
            return Err(Diagnostic::error(codes::BAD_SETTING, message)
                .help("write a name, `=` and a value, such as `grant=true`"));
        };
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
            let message = format!("`{name}` is none of the variables that can be set here");
            return Err(Diagnostic::error(codes::BAD_SETTING, message)
                .help(format!("they are {}", names.join(", "))));
        };
        if given == "?" {
            continue;
        }
        let Some(value) = value(spec, id, given) else {
            let message = format!("`{given}` is no value of `{name}`");
            let values = spec.variable(id).domain.values();
            let texts: Vec<String> = values
                .iter()
                .take(20)
                .map(|value| spec.value_text(&spec.variable(id).domain, *value))
                .collect();
            return Err(Diagnostic::error(codes::BAD_SETTING, message)
                .help(format!("it can be {}", texts.join(", "))));
        };
        settings.push((id, value));
    }
    Ok(settings)
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
