//! What a waveform shows: lanes of values, each with the steps in which it changes.
//!
//! Enters: runs, or steps of a play. Leaves: a [`Wave`], which `drawing` draws a part of, and
//! which goes into the page as data, so that its script can draw the rest. Only changes are
//! kept: a run of many steps is as long as what happens in it.

use crate::design::ValueNames;
use crate::report::explanation::Step;
use crate::report::trace::number;
use crate::run::{Bits, Run, Signal, SignalKind};
use serde::Serialize;

/// Names of fields are short: there can be many thousand changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Wave {
    pub steps: usize,
    /// The first and the last of the steps that repeat for ever.
    #[serde(rename = "loop")]
    pub repeats: Option<(usize, usize)>,
    /// The step that matters most, and what happens there.
    #[serde(rename = "mark")]
    pub marked: Option<(usize, String)>,
    /// Those that matter first.
    pub lanes: Vec<Lane>,
    /// For each step, why values are what they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lane {
    #[serde(rename = "n")]
    pub name: String,
    #[serde(rename = "k")]
    pub kind: &'static str,
    #[serde(rename = "w")]
    pub width: usize,
    /// Whether what is shown depends on it.
    #[serde(rename = "r")]
    pub relevant: bool,
    #[serde(rename = "v", skip_serializing_if = "Variant::is_both")]
    pub variant: Variant,
    #[serde(rename = "f")]
    pub form: Form,
    /// The steps in which the value is another one than before, the first one included;
    /// `None` where any value would do. Numbers are binary digits.
    #[serde(rename = "c")]
    pub changes: Vec<(usize, Option<String>)>,
}

/// Which of two runs a lane belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    Both,
    Before,
    After,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Bit,
    Number,
    /// A value with a name of its own.
    Name,
}

impl Variant {
    fn is_both(&self) -> bool {
        *self == Variant::Both
    }
}

impl Lane {
    fn new(
        signal: &Signal,
        variant: Variant,
        steps: usize,
        names: &ValueNames,
        value: &dyn Fn(usize) -> Value,
    ) -> Lane {
        let word = signal.name.split('[').next().unwrap_or_default();
        let names = names.get(word).filter(|names| {
            let mut names = names.iter();
            names.all(|(bits, _)| bits.len() == signal.width)
        });
        let form = match (names, signal.width) {
            (Some(_), _) => Form::Name,
            (None, 1) => Form::Bit,
            (None, _) => Form::Number,
        };
        let named = |bits: &Bits| {
            let mut names = names?.iter();
            let name = names.find(|(value, _)| value == bits);
            Some(name.map_or_else(|| number(bits), |(_, name)| name.clone()))
        };
        let text = |bits: Bits| named(&bits).unwrap_or_else(|| crate::run::binary(&bits));
        let values = (0..steps).map(|step| value(step).map(text));
        Lane {
            name: signal.name.clone(),
            kind: signal.kind.word(),
            width: signal.width,
            relevant: signal.relevant,
            variant,
            form,
            changes: changes(values),
        }
    }

    /// The value of a step.
    pub fn value(&self, step: usize) -> Option<&str> {
        let after = self.changes.partition_point(|(at, _)| *at <= step);
        let (_, value) = self.changes.get(after.checked_sub(1)?)?;
        value.as_deref()
    }

    /// A value as people read it; a question mark where any would do.
    pub fn text(&self, value: Option<&str>) -> String {
        match (self.form, value) {
            (_, None) => "?".to_string(),
            (Form::Bit | Form::Name, Some(value)) => value.to_string(),
            (Form::Number, Some(value)) => {
                let bits: Bits = value.chars().rev().map(|digit| digit == '1').collect();
                number(&bits)
            }
        }
    }
}

type Value = Option<Bits>;

/// A step, and for each signal that differs there its name and its two values.
pub type Parting<'a> = (usize, Vec<(&'a str, String, String)>);

fn changes(values: impl Iterator<Item = Option<String>>) -> Vec<(usize, Option<String>)> {
    let mut changes: Vec<(usize, Option<String>)> = Vec::new();
    for (step, value) in values.enumerate() {
        if changes.last().is_none_or(|(_, last)| *last != value) {
            changes.push((step, value));
        }
    }
    changes
}

/// The value of a signal in a step, round the loop if there is one.
fn value_at(run: &Run, signal: &Signal, step: usize) -> Value {
    let at = match run.loop_start {
        Some(start) if step >= run.steps => start + (step - start) % (run.steps - start).max(1),
        _ => step,
    };
    signal.values.get(at).cloned().flatten()
}

impl Wave {
    /// A run that violates a property, or that covers it.
    pub fn of_run(run: &Run, what: &str, names: &ValueNames) -> Wave {
        let mut signals: Vec<&Signal> = run.signals.iter().collect();
        signals.sort_by_key(|signal| (!signal.relevant, order(signal.kind)));
        let lanes = signals.into_iter().map(|signal| {
            let value = |step: usize| value_at(run, signal, step);
            Lane::new(signal, Variant::Both, run.steps, names, &value)
        });
        Wave {
            steps: run.steps,
            repeats: repeats(run.steps, run.loop_start),
            marked: marked(run, what),
            lanes: lanes.collect(),
            reasons: Vec::new(),
        }
    }

    /// Two runs on the same inputs. Signals that differ have a lane in each of them and come
    /// first, after the inputs that matter.
    pub fn of_comparison(before: &Run, after: &Run, what: &str, names: &ValueNames) -> Wave {
        let steps = before.steps.max(after.steps);
        let mut rows: Vec<(bool, bool, u8, Vec<Lane>)> = Vec::new();
        for signal in &before.signals {
            let old = |step: usize| value_at(before, signal, step);
            let Some(other) = after.signal(&signal.name) else {
                let lane = Lane::new(signal, Variant::Before, steps, names, &old);
                rows.push((!signal.relevant, true, order(signal.kind), vec![lane]));
                continue;
            };
            let new = |step: usize| value_at(after, other, step);
            let differs = (0..steps).any(|step| old(step) != new(step));
            let lanes = if differs {
                vec![
                    Lane::new(signal, Variant::Before, steps, names, &old),
                    Lane::new(other, Variant::After, steps, names, &new),
                ]
            } else {
                vec![Lane::new(signal, Variant::Both, steps, names, &old)]
            };
            let matters = signal.relevant || differs;
            let is_input = signal.kind == SignalKind::Input;
            rows.push((!matters, !is_input && !differs, order(signal.kind), lanes));
        }
        rows.sort_by_key(|(hidden, same, kind, _)| (*hidden, *same, *kind));
        let lanes = rows.into_iter().flat_map(|(hidden, _, _, mut lanes)| {
            lanes.iter_mut().for_each(|lane| lane.relevant = !hidden);
            lanes
        });
        Wave {
            steps,
            repeats: repeats(before.steps, before.loop_start),
            marked: marked(before, what),
            lanes: lanes.collect(),
            reasons: Vec::new(),
        }
    }

    /// The steps of a play of a specification: inputs, then outputs.
    pub fn of_steps(steps: &[Step], loop_start: Option<usize>) -> Wave {
        let mut lanes: Vec<Lane> = Vec::new();
        let settings = |step: &Step, kind: &str| match kind {
            "input" => step.inputs.clone(),
            _ => step.outputs.clone(),
        };
        for kind in ["input", "output"] {
            let names = steps.iter().flat_map(|step| settings(step, kind));
            let mut known: Vec<String> = Vec::new();
            for name in names.map(|one| one.name) {
                if !known.contains(&name) {
                    known.push(name);
                }
            }
            for name in known {
                let value = |step: &Step| {
                    let settings = settings(step, kind);
                    let own = settings.into_iter().find(|one| one.name == name);
                    own.and_then(|one| one.value)
                };
                let values = steps.iter().map(value).collect();
                lanes.push(Lane::of_values(name, kind, values));
            }
        }
        let is_stuck =
            loop_start.is_none() && steps.last().is_some_and(|one| one.outputs.is_empty());
        Wave {
            steps: steps.len(),
            repeats: repeats(steps.len(), loop_start),
            marked: is_stuck.then(|| (steps.len() - 1, "✗ no answer".to_string())),
            lanes,
            reasons: steps.iter().map(|step| step.reasons.clone()).collect(),
        }
    }

    /// Where the two runs of a comparison part: the step, and for each signal what it was and
    /// what it is.
    pub fn parting(&self) -> Option<Parting<'_>> {
        let pairs: Vec<(&Lane, &Lane)> = self
            .lanes
            .windows(2)
            .filter(|pair| pair[0].variant == Variant::Before && pair[1].variant == Variant::After)
            .map(|pair| (&pair[0], &pair[1]))
            .collect();
        let differs = |step: usize, pair: &(&Lane, &Lane)| pair.0.value(step) != pair.1.value(step);
        let first = |pair: &(&Lane, &Lane)| (0..self.steps).find(|step| differs(*step, pair));
        let step = pairs.iter().filter_map(first).min()?;
        let parted = pairs.iter().filter(|pair| differs(step, pair));
        let told = parted.map(|(old, new)| {
            let (was, is) = (old.text(old.value(step)), new.text(new.value(step)));
            (old.name.as_str(), was, is)
        });
        Some((step, told.collect()))
    }

    /// The step that is looked at first.
    pub fn focus(&self) -> usize {
        match (&self.marked, self.repeats) {
            (Some((step, _)), _) => *step,
            (None, Some((start, _))) => start,
            (None, None) => self.steps.saturating_sub(1),
        }
    }
}

impl Lane {
    /// A lane of values that are told by their names.
    pub fn of_values(name: String, kind: &'static str, values: Vec<Option<String>>) -> Lane {
        let is_bit = |value: &Option<String>| match value.as_deref() {
            None => true,
            Some(value) => matches!(value, "0" | "1" | "true" | "false"),
        };
        let is_bit = values.iter().all(is_bit);
        let digit = |value: String| match value.as_str() {
            "true" if is_bit => "1".to_string(),
            "false" if is_bit => "0".to_string(),
            _ => value,
        };
        Lane {
            name,
            kind,
            width: 1,
            relevant: true,
            variant: Variant::Both,
            form: if is_bit { Form::Bit } else { Form::Name },
            changes: changes(values.into_iter().map(|value| value.map(digit))),
        }
    }
}

fn repeats(steps: usize, loop_start: Option<usize>) -> Option<(usize, usize)> {
    Some((loop_start?, steps.checked_sub(1)?))
}

/// The failing step of a finite run is its last one; an infinite one has none.
fn marked(run: &Run, what: &str) -> Option<(usize, String)> {
    let last = run.steps.checked_sub(1)?;
    (run.loop_start.is_none() && !what.is_empty()).then(|| (last, what.to_string()))
}

/// Conditions of the property say why it fails, so they come first.
fn order(kind: SignalKind) -> u8 {
    match kind {
        SignalKind::Condition => 0,
        SignalKind::Input => 1,
        SignalKind::Suspect => 2,
        SignalKind::Output => 3,
        SignalKind::Latch => 4,
        SignalKind::Wire => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signal(name: &str, kind: SignalKind, width: usize, values: &[u64]) -> Signal {
        let bits = |value: &u64| Some((0..width).map(|bit| value >> bit & 1 == 1).collect());
        Signal {
            name: name.to_string(),
            kind,
            width,
            relevant: true,
            values: values.iter().map(bits).collect(),
        }
    }

    fn run(loop_start: Option<usize>, signals: Vec<Signal>) -> Run {
        Run {
            steps: signals[0].values.len(),
            loop_start,
            signals,
        }
    }

    #[test]
    fn only_changes_are_kept() {
        let wave = Wave::of_run(
            &run(None, vec![signal("a", SignalKind::Input, 1, &[0, 0, 1, 1])]),
            "✗ fails",
            &ValueNames::new(),
        );
        let changes = &wave.lanes[0].changes;
        assert_eq!(changes, &[(0, Some("0".into())), (2, Some("1".into()))]);
        let values: Vec<_> = (0..4).map(|step| wave.lanes[0].value(step)).collect();
        assert_eq!(values, [Some("0"), Some("0"), Some("1"), Some("1")]);
        assert_eq!(wave.marked, Some((3, "✗ fails".to_string())));
    }

    #[test]
    fn signals_that_differ_have_two_lanes_and_say_where_they_part() {
        let inputs = || signal("go", SignalKind::Input, 1, &[1, 1, 0]);
        let before = run(
            None,
            vec![inputs(), signal("q", SignalKind::Latch, 8, &[0, 1, 2])],
        );
        let after = run(
            None,
            vec![inputs(), signal("q", SignalKind::Latch, 8, &[0, 3, 2])],
        );
        let wave = Wave::of_comparison(&before, &after, "fails", &ValueNames::new());
        let lanes: Vec<_> = wave
            .lanes
            .iter()
            .map(|lane| (lane.name.as_str(), lane.variant))
            .collect();
        assert_eq!(
            lanes,
            [
                ("go", Variant::Both),
                ("q", Variant::Before),
                ("q", Variant::After)
            ]
        );
        let parting = Some((1, vec![("q", "1".to_string(), "3".to_string())]));
        assert_eq!(wave.parting(), parting);
    }

    #[test]
    fn values_have_the_names_of_their_enumeration() {
        let names = vec![(vec![false, true], "RUN".to_string())];
        let names = ValueNames::from([("state".to_string(), names)]);
        let state = signal("state[1:0]", SignalKind::Latch, 2, &[2, 3]);
        let wave = Wave::of_run(&run(None, vec![state]), "✗ fails", &names);
        let values = [wave.lanes[0].value(0), wave.lanes[0].value(1)];
        assert_eq!(values, [Some("RUN"), Some("11")]);
    }

    #[test]
    fn the_shorter_loop_is_gone_round_again() {
        let before = run(Some(1), vec![signal("q", SignalKind::Latch, 1, &[0, 1])]);
        let after = run(
            Some(2),
            vec![signal("q", SignalKind::Latch, 1, &[0, 1, 1, 0])],
        );
        let wave = Wave::of_comparison(&before, &after, "fails", &ValueNames::new());
        assert_eq!((wave.steps, wave.repeats), (4, Some((1, 1))));
        assert_eq!(wave.lanes[0].value(3), Some("1"));
        assert_eq!(wave.lanes[1].value(3), Some("0"));
    }
}
