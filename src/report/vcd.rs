//! A run as a value change dump (IEEE 1364-2005, clause 18), which waveform viewers read.
//!
//! A step lasts from one rising edge of a clock to the next, as in a simulation of a design
//! whose registers change with that edge: who samples at the edges sees each step once. Dots in
//! names are scopes; conditions of a property, which are no signals, have a scope of their own.
//! A loop is not unrolled: a comment says which steps repeat.

use crate::run::{Run, Signal, SignalKind};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Identifiers are numbers to the base of the printable characters.
const FIRST_CHARACTER: u8 = b'!';
const CHARACTERS: usize = 94;

/// Units of time from one rising edge to the next.
const PERIOD: usize = 10;
/// Names of the clock; the first that no signal has.
const CLOCKS: [&str; 3] = ["clk", "clock", "clock_of_steps"];
/// The scope of conditions.
const CONDITIONS: &str = "conditions";

/// A scope with what is declared in it, by name.
#[derive(Default)]
struct Scope<'a> {
    signals: Vec<(String, usize, &'a Signal)>,
    scopes: BTreeMap<String, Scope<'a>>,
}

/// The text of a VCD file; `title` says what it shows.
pub fn vcd(run: &Run, title: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "$comment {} $end", without_end(title));
    if let Some(start) = run.loop_start {
        let last = run.steps.saturating_sub(1);
        let _ = writeln!(
            text,
            "$comment steps {start} to {last} repeat for ever $end"
        );
    }
    text.push_str("$timescale 1 ns $end\n");
    let mut top = Scope::default();
    for (index, signal) in run.signals.iter().enumerate() {
        let mut path = path(&signal.name);
        if signal.kind == SignalKind::Condition {
            path.insert(0, CONDITIONS.to_string());
        }
        let mut scope = &mut top;
        let Some((name, scopes)) = path.split_last() else {
            continue;
        };
        for part in scopes {
            scope = scope.scopes.entry(part.clone()).or_default();
        }
        scope.signals.push((name.clone(), index, signal));
    }
    let clock = identifier(run.signals.len());
    let is_free = |name: &&&str| run.signals.iter().all(|signal| signal.name != **name);
    let name = CLOCKS.iter().find(is_free).unwrap_or(&CLOCKS[2]);
    text.push_str("$scope module trace $end\n");
    let _ = writeln!(text, "$var wire 1 {clock} {name} $end");
    declare(&mut text, &top);
    text.push_str("$enddefinitions $end\n");
    for step in 0..run.steps {
        let _ = writeln!(text, "#{}", step * PERIOD);
        if step == 0 {
            text.push_str("$dumpvars\n");
        }
        let _ = writeln!(text, "1{clock}");
        for (index, signal) in run.signals.iter().enumerate() {
            let value = signal.values.get(step);
            let before = step.checked_sub(1).and_then(|step| signal.values.get(step));
            if value.is_some() && value != before {
                let code = identifier(index);
                let _ = match signal.width {
                    1 => writeln!(text, "{}{code}", signal.digits(step)),
                    _ => writeln!(text, "b{} {code}", signal.digits(step)),
                };
            }
        }
        if step == 0 {
            text.push_str("$end\n");
        }
        let _ = writeln!(text, "#{}\n0{clock}", step * PERIOD + PERIOD / 2);
    }
    // The edge that ends the last step; without it that would have no width.
    let _ = writeln!(text, "#{}\n1{clock}", run.steps * PERIOD);
    text
}

/// What is in a scope that is open already; closes it.
fn declare(text: &mut String, scope: &Scope) {
    for (name, index, signal) in &scope.signals {
        // A range is a word of its own in this format.
        let name = name.replacen('[', " [", usize::from(signal.width > 1));
        let code = identifier(*index);
        let _ = writeln!(text, "$var wire {} {code} {name} $end", signal.width);
    }
    for (name, scope) in &scope.scopes {
        let _ = writeln!(text, "$scope module {name} $end");
        declare(text, scope);
    }
    text.push_str("$upscope $end\n");
}

/// The scopes of a name and the name itself. Blanks would end it, and an expression is no
/// hierarchical name.
fn path(name: &str) -> Vec<String> {
    let plain = |character: char| character.is_alphanumeric() || "_$.[]:".contains(character);
    let printable = |part: &str| {
        part.chars()
            .map(|character| {
                if character.is_ascii_graphic() {
                    character
                } else {
                    '_'
                }
            })
            .collect::<String>()
    };
    let is_hierarchical = name.chars().all(plain) && name.split('.').all(|part| !part.is_empty());
    if is_hierarchical {
        name.split('.').map(printable).collect()
    } else {
        vec![printable(name)]
    }
}

fn identifier(index: usize) -> String {
    let mut code = String::new();
    let mut rest = index;
    loop {
        code.push(char::from(FIRST_CHARACTER + (rest % CHARACTERS) as u8));
        rest /= CHARACTERS;
        if rest == 0 {
            return code;
        }
        rest -= 1;
    }
}

/// `$end` inside a comment would end it.
fn without_end(text: &str) -> String {
    text.replace("$end", "end").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn identifiers_are_printable_and_never_repeat() {
        let codes: HashSet<String> = (0..20_000).map(identifier).collect();
        assert_eq!(codes.len(), 20_000);
        assert!(
            codes
                .iter()
                .all(|code| code.bytes().all(|byte| (33..=126).contains(&byte)))
        );
    }

    #[test]
    fn dots_are_scopes_except_in_expressions() {
        assert_eq!(path("u0.state"), ["u0", "state"]);
        assert_eq!(path("u0.a == 1"), ["u0.a_==_1"]);
        assert_eq!(path("a..b"), ["a..b"]);
    }
}
