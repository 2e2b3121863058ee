//! Playing against a circuit: the environment against a controller, or the system against a
//! counterstrategy.

use super::duties::Duties;
use super::outlook::{MOST_BITS, Outlook};
use super::view::{Choice, Forced, View};
use super::{End, Play, Shown, Turn};
use crate::bdd;
use crate::explain::Recording;
use crate::explain::settings::{first_values, parse_some_ports, ports_line};
use crate::source::Diagnostic;
use crate::synth::circuit::Circuit;
use crate::synth::run::{Runner, Settings};
use std::collections::HashMap;

/// More duties than these are not named one by one.
const MOST_NAMES: usize = 8;

pub struct CircuitPlay<'a> {
    circuit: &'a Circuit,
    /// Of the user.
    duties: Duties<'a>,
    runner: Runner<'a>,
    /// Whether the circuit is the system's, and the user the environment.
    is_controller: bool,
    /// The circuit moves first, and the user sees its move.
    circuit_first: bool,
    recording: Recording,
    /// The step in which a state met the same inputs.
    seen: HashMap<(Vec<bool>, Settings), usize>,
    is_over: bool,
}

impl<'a> CircuitPlay<'a> {
    pub fn new(
        circuit: &'a Circuit,
        duties: Duties<'a>,
        is_controller: bool,
        circuit_first: bool,
    ) -> Result<CircuitPlay<'a>, Diagnostic> {
        Ok(CircuitPlay {
            circuit,
            runner: Runner::new(circuit, duties.judged())?,
            duties,
            is_controller,
            circuit_first,
            recording: Recording::of_circuit(circuit, is_controller),
            seen: HashMap::new(),
            is_over: false,
        })
    }

    fn outlook(&mut self) -> Option<Outlook> {
        Outlook::new(self.circuit, &mut self.runner, &mut self.duties)
    }

    fn make(&mut self, given: Vec<Option<Vec<bool>>>) -> Turn {
        let usual = first_values(self.circuit);
        let given = match self.outlook() {
            Some(outlook) => outlook.filled_in(&given, &usual),
            None => (given.into_iter().zip(usual))
                .map(|(given, usual)| given.unwrap_or(usual))
                .collect(),
        };
        let step = self.runner.steps;
        let state = self.runner.state();
        let taken = self.runner.look(&|port, bit| given[port][bit]);
        let inputs = ports_line(&taken.inputs);
        let kept = self.duties.kept(&self.runner).into_iter().enumerate();
        let broken: Vec<usize> = kept
            .filter(|(_, lanes)| lanes & 1 == 0)
            .map(|(duty, _)| duty)
            .collect();
        if self.is_controller && !broken.is_empty() {
            let broken = self.duties.broken(&broken);
            let line =
                format!("  you: {inputs}: that breaks {broken}, and the play ends: you have lost.");
            let again = "  Give other inputs to go on, or `quit`.".to_string();
            return Turn {
                lines: vec![line],
                end: End::MayTryAgain(again),
            };
        }
        self.duties.step(&self.runner);
        self.runner.advance();
        self.recording.add(&taken);
        let mut lines = Vec::new();
        if self.circuit_first {
            lines.push(format!("  you: {inputs}"));
        } else {
            let goal = taken.goal.filter(|goal| !goal.is_empty());
            let goal = goal.map_or(String::new(), |goal| format!("  (for {goal})"));
            lines.push(format!("step {step}: you: {inputs}"));
            let other = match self.is_controller {
                true => "the system",
                false => "the environment",
            };
            let outputs = ports_line(&taken.outputs);
            lines.push(format!("  {other}: {outputs}{goal}"));
        }
        if !broken.is_empty() {
            let broken = self.duties.broken(&broken);
            lines.push(format!("You have lost: that breaks {broken}."));
            self.is_over = true;
        } else if let Some(before) = self.seen.insert((state, taken.inputs), step) {
            let end = self.duties.repeated(before, step);
            lines.push(format!(
                "  This is what happened in step {before}; going on like this, {end}."
            ));
        } else if let Some(outlook) = self.outlook().filter(Outlook::is_lost) {
            let because = self.duties.quoted(&outlook.because(None));
            lines.push(match self.circuit_first {
                true => format!(
                    "You have lost: after {} no answer keeps {because}.",
                    ports_line(&self.runner.offer())
                ),
                false => format!("You have lost: no {} keep {because}.", self.asked()),
            });
            self.is_over = true;
        }
        Turn {
            lines,
            end: match self.is_over {
                true => End::Over,
                false => End::GoesOn,
            },
        }
    }

    /// Of each port that has only one value which does not lose at once, this value.
    fn forced(&self, outlook: &Outlook, choices: &[Choice]) -> Vec<Option<Forced>> {
        let ports = self.circuit.inputs.iter().enumerate().zip(choices);
        let forced = ports.map(|((index, port), choice)| {
            let width = port.bits.len();
            let mut possible = choice.values.iter().filter_map(|value| {
                let code = port.meaning.parse(value, width)?;
                outlook.is_possible(index, &code).then_some((value, code))
            });
            let (value, code) = possible.next()?;
            if possible.next().is_some() || choice.is_cut || choice.values.len() == 1 {
                return None;
            }
            let names = self.duties.names();
            let because = outlook.because(Some((index, &code)));
            Some(Forced {
                value: value.clone(),
                because: because
                    .into_iter()
                    .map(|duty| names[duty].clone())
                    .collect(),
            })
        });
        forced.collect()
    }
}

impl Play for CircuitPlay<'_> {
    fn greeting(&self) -> String {
        let (who, all) = match self.is_controller {
            true => ("environment", "assumptions"),
            false => ("system", "guarantees"),
        };
        match self.duties.count() {
            0 => format!("You are the {who}. There are no {all} to keep."),
            count if count > MOST_NAMES => {
                format!("You are the {who}, and have to keep the {all}.")
            }
            count => {
                let duties: Vec<usize> = (0..count).collect();
                let names = self.duties.quoted(&duties);
                format!("You are the {who}, and have to keep {names}.")
            }
        }
    }

    fn asked(&self) -> &'static str {
        if self.is_controller {
            "inputs"
        } else {
            "outputs"
        }
    }

    fn prompt(&mut self) -> bdd::Result<Vec<String>> {
        if !self.circuit_first {
            return Ok(Vec::new());
        }
        let step = self.runner.steps;
        let offer = ports_line(&self.runner.offer());
        let mut lines = vec![format!("step {step}: {offer}")];
        if let (false, Some(outlook)) = (self.is_controller, self.outlook()) {
            // Later on, that has ended the play.
            if outlook.is_lost() {
                let because = self.duties.quoted(&outlook.because(None));
                lines.push(format!("  no answer keeps {because}"));
            }
            let choices = self.choices();
            let forced = self.forced(&outlook, &choices).into_iter().zip(&choices);
            let forced: Settings = forced
                .filter_map(|(forced, choice)| Some((choice.name.clone(), forced?.value)))
                .collect();
            if !forced.is_empty() {
                lines.push(format!("  forced: {}", ports_line(&forced)));
            }
        }
        Ok(lines)
    }

    fn answer(&mut self, line: &str) -> bdd::Result<Result<Turn, Diagnostic>> {
        Ok(parse_some_ports(self.circuit, line).map(|given| self.make(given)))
    }

    fn recording(&self) -> Recording {
        self.recording.clone()
    }

    fn choices(&self) -> Vec<Choice> {
        if self.is_over {
            return Vec::new();
        }
        let ports = self.circuit.inputs.iter();
        ports
            .map(|port| Choice::new(&port.name, &port.meaning))
            .collect()
    }

    fn view(&mut self, marks: bool) -> bdd::Result<View> {
        let shown = match self.circuit_first && !self.is_over {
            true => self.runner.offer(),
            false => Vec::new(),
        };
        let mut choices = self.choices();
        let outlook = match marks && !self.is_over {
            true => self.outlook(),
            false => None,
        };
        if let Some(outlook) = &outlook {
            let forced = self.forced(outlook, &choices);
            let ports = self.circuit.inputs.iter().enumerate();
            for ((choice, forced), (index, port)) in choices.iter_mut().zip(forced).zip(ports) {
                choice.forced = forced;
                choice.losing = choice.values.clone();
                choice.losing.retain(|value| {
                    let code = port.meaning.parse(value, port.bits.len());
                    code.is_some_and(|code| !outlook.is_possible(index, &code))
                });
            }
        }
        let unknown = self.duties.unknown();
        let hint = match (marks && !self.is_over, &outlook) {
            (false, _) => None,
            (true, None) => Some(format!(
                "What loses at once is looked for only up to {MOST_BITS} bits of {}.",
                self.asked()
            )),
            (true, Some(_)) if unknown.is_empty() => None,
            (true, Some(_)) => Some(format!(
                "What loses by {} is not looked for: the formula is too large.",
                self.duties.quoted(&unknown)
            )),
        };
        Ok(View {
            step: self.runner.steps,
            shown,
            choices,
            is_marked: outlook.is_some() && unknown.is_empty(),
            hint,
        })
    }

    fn restart(&mut self) -> Shown {
        let fresh = CircuitPlay::new(
            self.circuit,
            self.duties.afresh(),
            self.is_controller,
            self.circuit_first,
        );
        Ok(fresh.map(|fresh| *self = fresh))
    }
}
