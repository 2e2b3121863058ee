//! An automaton as the text of an HOA file.
//!
//! Sets are on edges, each label is written out, and `acc-name` is there where the condition
//! has the form that the format defines for a name.

use super::super::Limits;
use super::super::omega::{Automaton, Edge, LongRun};
use crate::spec::formula::{AtomId, Formula, FormulaId};
use std::collections::HashMap;
use std::fmt::Write;

/// The text; a proposition's number is its index in the automaton.
pub fn write(automaton: &Automaton, limits: &Limits) -> String {
    let numbers: HashMap<AtomId, usize> = automaton
        .propositions
        .iter()
        .enumerate()
        .map(|(number, proposition)| (proposition.atom, number))
        .collect();
    let writer = Writer { automaton, numbers };
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writer.write(&mut text, limits);
    text
}

struct Writer<'a> {
    automaton: &'a Automaton,
    numbers: HashMap<AtomId, usize>,
}

impl Writer<'_> {
    fn write(&self, text: &mut String, limits: &Limits) -> std::fmt::Result {
        let automaton = self.automaton;
        writeln!(text, "HOA: v1")?;
        if !automaton.name.is_empty() {
            writeln!(text, "name: {}", quoted(&automaton.name))?;
        }
        writeln!(text, "tool: \"respin\"")?;
        writeln!(text, "States: {}", automaton.states.len())?;
        for state in &automaton.start {
            writeln!(text, "Start: {state}")?;
        }
        write!(text, "AP: {}", automaton.propositions.len())?;
        for proposition in &automaton.propositions {
            write!(text, " {}", quoted(&proposition.name))?;
        }
        writeln!(text)?;
        if let Some(controllable) = &automaton.controllable {
            write!(text, "controllable-AP:")?;
            for number in controllable {
                write!(text, " {number}")?;
            }
            writeln!(text)?;
        }
        if let Some(name) = name_of(&automaton.acceptance, automaton.sets) {
            writeln!(text, "acc-name: {name}")?;
        }
        let condition = condition_text(&automaton.acceptance, false);
        writeln!(text, "Acceptance: {} {condition}", automaton.sets)?;
        write!(text, "properties: trans-labels explicit-labels trans-acc")?;
        if matches!(automaton.choice(limits), Ok(None)) {
            write!(text, " deterministic")?;
        }
        writeln!(text, "\n--BODY--")?;
        for (state, edges) in automaton.states.iter().enumerate() {
            writeln!(text, "State: {state}")?;
            for edge in edges {
                self.edge(text, edge)?;
            }
        }
        writeln!(text, "--END--")
    }

    fn edge(&self, text: &mut String, edge: &Edge) -> std::fmt::Result {
        write!(text, "[{}] {}", self.label(edge.guard), edge.successor)?;
        if !edge.marks.is_empty() {
            let marks: Vec<String> = edge.marks.iter().map(usize::to_string).collect();
            write!(text, " {{{}}}", marks.join(" "))?;
        }
        writeln!(text)
    }

    /// Guards are in negation normal form and made of diagrams or short texts, so they are
    /// not deep; what is shared is written more than once.
    fn label(&self, id: FormulaId) -> String {
        let mut texts: HashMap<FormulaId, (String, u8)> = HashMap::new();
        let formulas = &self.automaton.formulas;
        for part in formulas.subformulas(id) {
            let join = |operands: &[FormulaId], symbol: &str, own: u8| {
                let operands = operands.iter().map(|operand| {
                    let (text, precedence) = &texts[operand];
                    if *precedence < own {
                        format!("({text})")
                    } else {
                        text.clone()
                    }
                });
                (operands.collect::<Vec<_>>().join(symbol), own)
            };
            let text = match formulas.get(part) {
                Formula::True => ("t".to_string(), 3),
                Formula::False => ("f".to_string(), 3),
                Formula::Atom(atom) => {
                    let number = self.numbers.get(atom).copied().unwrap_or_default();
                    (number.to_string(), 3)
                }
                Formula::Not(operand) => {
                    let (text, precedence) = &texts[operand];
                    if *precedence < 3 {
                        (format!("!({text})"), 3)
                    } else {
                        (format!("!{text}"), 3)
                    }
                }
                Formula::And(operands) => join(operands, " & ", 2),
                Formula::Or(operands) => join(operands, " | ", 1),
                _ => ("f".to_string(), 3),
            };
            texts.insert(part, text);
        }
        texts.remove(&id).map(|(text, _)| text).unwrap_or_default()
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn condition_text(condition: &LongRun, inside_and: bool) -> String {
    let join = |parts: &[LongRun], symbol: &str, is_and: bool| {
        let parts: Vec<String> = parts
            .iter()
            .map(|part| condition_text(part, is_and))
            .collect();
        parts.join(symbol)
    };
    match condition {
        LongRun::Constant(true) => "t".to_string(),
        LongRun::Constant(false) => "f".to_string(),
        LongRun::Inf(set) => format!("Inf({set})"),
        LongRun::Fin(set) => format!("Fin({set})"),
        LongRun::And(parts) if parts.is_empty() => "t".to_string(),
        LongRun::Or(parts) if parts.is_empty() => "f".to_string(),
        LongRun::And(parts) if parts.len() == 1 => condition_text(&parts[0], inside_and),
        LongRun::And(parts) => join(parts, " & ", true),
        LongRun::Or(parts) if parts.len() == 1 => condition_text(&parts[0], inside_and),
        LongRun::Or(parts) if inside_and => format!("({})", join(parts, " | ", false)),
        LongRun::Or(parts) => join(parts, " | ", false),
    }
}

/// The name of a condition that has exactly the form of one; parity conditions are not
/// looked for.
fn name_of(condition: &LongRun, sets: usize) -> Option<String> {
    let all_inf = |parts: &[LongRun]| {
        let mut parts = parts.iter().enumerate();
        parts.all(|(index, part)| *part == LongRun::Inf(index))
    };
    let pairs = |parts: &[LongRun], is_rabin: bool| {
        parts.iter().enumerate().all(|(index, part)| {
            let operands = [LongRun::Fin(2 * index), LongRun::Inf(2 * index + 1)];
            match part {
                LongRun::And(own) => is_rabin && *own == operands,
                LongRun::Or(own) => !is_rabin && *own == operands,
                _ => false,
            }
        })
    };
    match condition {
        LongRun::Constant(true) if sets == 0 => Some("all".to_string()),
        LongRun::Constant(false) if sets == 0 => Some("none".to_string()),
        LongRun::Inf(0) if sets == 1 => Some("Buchi".to_string()),
        LongRun::Fin(0) if sets == 1 => Some("co-Buchi".to_string()),
        LongRun::And(parts) if parts.len() == sets && all_inf(parts) => {
            Some(format!("generalized-Buchi {sets}"))
        }
        LongRun::Or(parts) if 2 * parts.len() == sets && pairs(parts, true) => {
            Some(format!("Rabin {}", parts.len()))
        }
        LongRun::And(parts) if 2 * parts.len() == sets && pairs(parts, false) => {
            Some(format!("Streett {}", parts.len()))
        }
        _ => None,
    }
}
