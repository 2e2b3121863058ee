//! Runs of a controller with inputs that are chosen while it runs.
//!
//! In each step 64 random inputs are tried at once. Of those that keep the assumptions, one is
//! taken that makes the recurrence hold which has waited longest, else one that leads to a
//! state not seen before, else any.

use super::against::{line, parse};
use crate::cli::context::Failure;
use crate::random::Random;
use crate::report::{Body, Report, Verdict};
use crate::synth::circuit::Circuit;
use crate::synth::explicit::Judged;
use crate::synth::run::Runner;
use std::collections::HashSet;
use std::fmt::Write;

/// Bits of 64 inputs, by port and bit.
fn candidates(circuit: &Circuit, random: &mut Random) -> Vec<Vec<u64>> {
    let ports = circuit.inputs.iter();
    ports
        .map(|port| port.bits.iter().map(|_| random.word()).collect())
        .collect()
}

pub fn guided(
    circuit: &Circuit,
    judged: &Judged<'_>,
    steps: usize,
    seed: u64,
) -> Result<Report, Failure> {
    let mut runner = Runner::new(circuit, judged)?;
    let mut random = Random::new(seed);
    let mut waiting = vec![0_usize; judged.recurrences.len()];
    let mut met = vec![0_usize; judged.recurrences.len()];
    let mut seen: HashSet<Vec<bool>> = HashSet::from([runner.state()]);
    let mut text = String::new();
    let mut ran = 0;
    for _ in 0..steps {
        let bits = candidates(circuit, &mut random);
        let legal = runner.peek(&|port, bit| bits[port][bit]);
        if legal == 0 {
            text.push_str("# no input that was tried keeps the assumptions\n");
            break;
        }
        let recurrences = runner.recurrences();
        let mut order: Vec<usize> = (0..waiting.len()).collect();
        order.sort_by_key(|place| std::cmp::Reverse(waiting[*place]));
        let helpful = order
            .iter()
            .map(|place| recurrences[*place] & legal)
            .find(|lanes| *lanes != 0);
        let among = helpful.unwrap_or(legal);
        let lanes: Vec<usize> = (0..64).filter(|lane| among >> lane & 1 == 1).collect();
        let new = lanes
            .iter()
            .copied()
            .find(|lane| !seen.contains(&runner.next_state(*lane)));
        let lane = new.unwrap_or(lanes[0]);
        for (place, holds) in recurrences.iter().enumerate() {
            let holds = holds >> lane & 1 == 1;
            met[place] += usize::from(holds);
            waiting[place] = if holds { 0 } else { waiting[place] + 1 };
        }
        let taken = runner.step(&|port, bit| bits[port][bit] >> lane & 1 == 1);
        seen.insert(runner.state());
        let goal = taken.goal.filter(|goal| !goal.is_empty());
        let goal = goal.map_or(String::new(), |goal| format!("  # for {goal}"));
        let (inputs, outputs) = (line(&taken.inputs), line(&taken.outputs));
        let _ = writeln!(text, "{}{goal}", format!("{inputs} {outputs}").trim());
        ran += 1;
    }
    let mut report =
        Report::verdict(Verdict::Realizable).because("a run of a certified controller");
    report.body = Body::Simulate(text);
    let count = seen.len();
    report
        .notes
        .push(format!("{count} states were visited in {ran} steps"));
    for (place, met) in met.iter().enumerate() {
        let number = place + 1;
        report.notes.push(format!(
            "what is assumed to recur (number {number}) held in {met} of {ran} steps"
        ));
    }
    Ok(report)
}

/// A run with given inputs, one line for each step.
pub fn scripted(circuit: &Circuit, judged: &Judged<'_>, script: &str) -> Result<Report, Failure> {
    let mut runner = Runner::new(circuit, judged)?;
    let mut text = String::new();
    for given in script.lines().filter(|line| !line.starts_with('#')) {
        let bits = parse(circuit, given)?;
        let taken = runner.step(&|port, bit| bits[port][bit]);
        let (inputs, outputs) = (line(&taken.inputs), line(&taken.outputs));
        let _ = writeln!(text, "{}", format!("{inputs} {outputs}").trim());
    }
    let mut report =
        Report::verdict(Verdict::Realizable).because("a run of a certified controller");
    report.body = Body::Simulate(text);
    Ok(report)
}
