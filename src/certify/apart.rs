//! Inputs on which two patched designs differ, the shortest there are.
//!
//! Both patches are read again and stand side by side on the same inputs; the model checker
//! looks for the nearest step in which their outputs differ. That run, replayed on the first
//! of them, is the answer: as a table, and as lines of a test bench.

use super::patch::side_by_side;
use super::{Certified, Evidence, Options, Problem, Semantics, Verdict};
use crate::bdd::Limits;
use crate::design::{Design, Patch, Simulator};
use crate::source::Diagnostic;
use crate::subject::Subject;
use crate::trace::digits;
use std::fmt::Write;

/// Look-ups that are spent on a pair of alternatives.
const EFFORT: u64 = 400_000;

/// What to drive in each cycle, so that the outputs of two designs differ in the last one.
///
/// Checked: the simulator has replayed the inputs on both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The names and widths of inputs.
    pub inputs: Vec<(String, usize)>,
    /// Their values in each cycle, as numbers of Verilog.
    pub cycles: Vec<Vec<String>>,
    /// Outputs that differ in the last cycle: what the first and what the second shows.
    pub outputs: Vec<(String, String, String)>,
    pub clock: Option<(String, bool)>,
}

impl Apart {
    /// A table for `--trace`, once the outputs that are wanted have been added.
    pub fn csv(&self) -> String {
        let names: Vec<&str> = self.inputs.iter().map(|(name, _)| name.as_str()).collect();
        let mut text = names.join(",") + "\n";
        for cycle in &self.cycles {
            text.push_str(&cycle.join(","));
            text.push('\n');
        }
        text
    }

    /// Statements for a test bench that has signals with the names of the ports.
    pub fn verilog(&self) -> String {
        let mut text = String::from("initial begin\n");
        for cycle in &self.cycles {
            let values = self.inputs.iter().zip(cycle);
            for ((name, _), value) in values {
                let _ = writeln!(text, "  {name} = {value};");
            }
            let _ = match &self.clock {
                Some((clock, true)) => writeln!(text, "  @(negedge {clock});"),
                Some((clock, false)) => writeln!(text, "  @(posedge {clock});"),
                None => writeln!(text, "  #1;"),
            };
        }
        for (name, _, _) in &self.outputs {
            let _ = writeln!(text, "  $display(\"{name} = %b\", {name});");
        }
        text.push_str("end\n");
        text
    }
}

/// The shortest inputs that tell two patches apart; `None` if none were found in time, or the
/// two are equal.
pub fn apart(
    subject: &Subject,
    first: &Patch,
    second: &Patch,
    limits: &Limits,
) -> Result<Option<Certified<Apart>>, Diagnostic> {
    let (Ok(first), Ok(second)) = (subject.reread(first), subject.reread(second)) else {
        return Ok(None);
    };
    let Some((design, spec)) = side_by_side(&first, &second) else {
        return Ok(None);
    };
    let Ok(problem) = Problem::new(&design, &spec) else {
        return Ok(None);
    };
    let options = Options {
        limits: Limits {
            lookups: Some(EFFORT),
            ..limits.clone()
        },
        semantics: Semantics::Strict,
        ..Options::default()
    };
    let equal = spec.properties.len() - 1;
    let Verdict::Fails(trace) = problem.check(equal, &options)? else {
        return Ok(None);
    };
    let run = trace.stimulus(&design);
    let shown = (shown(&first.design, &run)?, shown(&second.design, &run)?);
    let last = run.steps.saturating_sub(1);
    let mut outputs = Vec::new();
    for (name, values) in &shown.0.outputs {
        let other = shown.1.outputs.iter().find(|(other, _)| other == name);
        if let Some((_, other)) = other
            && values[last] != other[last]
        {
            let (one, two) = (values[last].clone(), other[last].clone());
            outputs.push((name.clone(), one, two));
        }
    }
    if outputs.is_empty() {
        return Ok(None);
    }
    let inputs = shown.0.inputs;
    let cycle = |step: usize| {
        inputs
            .iter()
            .map(move |(_, _, values)| values[step].clone())
    };
    let answer = Apart {
        cycles: (0..run.steps).map(|step| cycle(step).collect()).collect(),
        inputs: inputs
            .iter()
            .map(|(name, width, _)| (name.clone(), *width))
            .collect(),
        outputs,
        clock: first.front_end().reading().clock.clone(),
    };
    Ok(Some(Certified::new(answer, Evidence::Replayed)))
}

/// What ports show in each step.
struct Shown {
    inputs: Vec<(String, usize, Vec<String>)>,
    outputs: Vec<(String, Vec<String>)>,
}

fn shown(design: &Design, run: &crate::run::Run) -> Result<Shown, Diagnostic> {
    let ones = design.ones_of(run);
    let word = |is_one: bool| if is_one { u64::MAX } else { 0 };
    let mut simulator = Simulator::new(design)?;
    simulator.start(|id| word(ones.initial.contains(&id)));
    let inputs = design.inputs().iter().filter_map(|id| design.name(*id));
    let mut inputs = words(design, inputs);
    let outputs = design.outputs().iter();
    let mut outputs = words(design, outputs.filter_map(|one| one.name.as_deref()));
    for step in 0..run.steps {
        simulator.settle(|id| word(ones.inputs[step].contains(&id)));
        for (_, bits, values) in inputs.iter_mut().chain(outputs.iter_mut()) {
            let bits = bits.iter().map(|bit| Some(simulator.value(*bit) & 1 == 1));
            values.push(digits(&bits.collect::<Vec<_>>()));
        }
        simulator.advance();
    }
    let inputs = inputs.into_iter();
    let outputs = outputs.into_iter();
    Ok(Shown {
        inputs: inputs
            .map(|(name, bits, values)| (name, bits.len(), values))
            .collect(),
        outputs: outputs.map(|(name, _, values)| (name, values)).collect(),
    })
}

type Shows = (String, Vec<crate::design::Literal>, Vec<String>);

/// The words that bits belong to, each once.
fn words<'a>(design: &Design, bits: impl Iterator<Item = &'a str>) -> Vec<Shows> {
    let mut words: Vec<Shows> = Vec::new();
    for bit in bits.filter(|bit| !bit.contains('$')) {
        let base = bit.split('[').next().unwrap_or(bit);
        let name = if design.has_signal(base) { base } else { bit };
        let is_known = words.iter().any(|(known, ..)| known == name);
        if let (false, Ok(word)) = (is_known, design.signal(name)) {
            words.push((name.to_string(), word.bits.clone(), Vec::new()));
        }
    }
    words
}
