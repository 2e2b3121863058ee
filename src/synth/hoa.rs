//! A controller as an automaton in the Hanoi omega-automata format \[babiak15\].
//!
//! Every run of the automaton is accepted, edges are labelled with cubes over the inputs and
//! outputs, and `controllable-AP` names the outputs, as tools that make or check controllers
//! expect. Inputs that break the assumptions have no edge.

use super::explicit::Explicit;
use crate::picture::cubes;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text of a machine whose ports are single bits.
pub fn write(machine: &Explicit, name: &str) -> String {
    let signals = || machine.inputs.iter().chain(&machine.outputs);
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::from("HOA: v1\n");
    let _ = writeln!(text, "name: {}", quoted(name));
    let _ = writeln!(text, "States: {}", machine.states.len());
    let _ = writeln!(text, "Start: 0");
    let names: Vec<String> = signals().map(|name| quoted(name)).collect();
    let _ = writeln!(text, "AP: {} {}", names.len(), names.join(" "));
    let driven: Vec<String> = (machine.inputs.len()..names.len())
        .map(|index| index.to_string())
        .collect();
    let _ = writeln!(text, "controllable-AP: {}", driven.join(" "));
    text.push_str("acc-name: all\nAcceptance: 0 t\n");
    text.push_str("properties: trans-labels explicit-labels trans-acc deterministic\n--BODY--\n");
    let mut ways: BTreeMap<(usize, usize), Vec<Vec<String>>> = BTreeMap::new();
    for step in &machine.transitions {
        let values = step.inputs.iter().chain(&step.outputs);
        let way = ways.entry((step.from, step.to)).or_default();
        way.push(values.cloned().collect());
    }
    for state in 0..machine.states.len() {
        let _ = writeln!(text, "State: {state}");
        let ways = ways.range((state, 0)..=(state, usize::MAX));
        for ((_, to), settings) in ways {
            for cube in cubes(settings.clone()) {
                let _ = writeln!(text, "[{}] {to}", label(&cube));
            }
        }
    }
    text.push_str("--END--\n");
    text
}

/// A cube over the numbers of signals.
fn label(cube: &[Option<String>]) -> String {
    let literals = cube.iter().enumerate().filter_map(|(index, value)| {
        let sign = if value.as_deref()? == "true" { "" } else { "!" };
        Some(format!("{sign}{index}"))
    });
    let literals: Vec<String> = literals.collect();
    match literals.is_empty() {
        true => "t".to_string(),
        false => literals.join("&"),
    }
}
