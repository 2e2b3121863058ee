//! Certificates, judged by going through all states: neither the solver nor the writer has a
//! part in that.

use super::together::DESIGN;
use respin::certify::{CertificateForm, Engine};
use respin::{DesignOptions, design_from_texts, verify};
use std::collections::HashMap;

const HOLDING: &str = "assert stops: G (a <= 5); assert one: G (ring != 0 & ring != 3);
    assert past: G (ring[1] -> Y ring[0]);";

fn certificate(properties: &str, form: CertificateForm) -> Result<String, String> {
    certificate_by(Engine::Auto, properties, form)
}

fn certificate_by(
    engine: Engine,
    properties: &str,
    form: CertificateForm,
) -> Result<String, String> {
    let options = DesignOptions::default();
    let subject = design_from_texts(&[("m.v", DESIGN)], &[("m.ltl", properties)], &options);
    let subject = subject.expect("a design");
    let options = verify::Options {
        engine,
        ..verify::Options::default()
    };
    let answer = verify(&subject, &options, &mut |_| {}).expect("an answer");
    let certificate = answer.certificate(&subject, &options);
    let bytes = certificate.and_then(|certificate| certificate.write(form));
    let bytes = bytes.map_err(|error| error.message.clone())?;
    Ok(String::from_utf8(bytes).expect("a text"))
}

/// An ASCII circuit with one bad literal and no constraint.
struct Witness {
    inputs: Vec<usize>,
    /// Latch, next value, reset.
    latches: Vec<[usize; 3]>,
    bad: usize,
    gates: Vec<[usize; 3]>,
}

impl Witness {
    fn read(text: &str) -> Witness {
        let mut lines = text.lines().map(|line| -> Vec<usize> {
            let words = line.split_whitespace();
            words.filter_map(|word| word.parse().ok()).collect()
        });
        let header = lines.next().expect("a header");
        assert_eq!(&header[5..], &[1, 0], "one bad literal, no constraint");
        let mut take = |count: usize| -> Vec<Vec<usize>> { lines.by_ref().take(count).collect() };
        let three = |line: &Vec<usize>| [line[0], line[1], line[2]];
        let inputs = take(header[1]).iter().map(|line| line[0]).collect();
        let latches = take(header[2]).iter().map(three).collect();
        let bad = take(1)[0][0];
        let gates = take(header[4]).iter().map(three).collect();
        Witness {
            inputs,
            latches,
            bad,
            gates,
        }
    }

    /// The values of all literals in one step.
    fn values(&self, state: usize, inputs: usize) -> HashMap<usize, bool> {
        let mut values = HashMap::from([(0, false), (1, true)]);
        let mut set = |literal: usize, value: bool| {
            values.insert(literal, value);
            values.insert(literal ^ 1, !value);
        };
        for (index, literal) in self.inputs.iter().enumerate() {
            set(*literal, inputs >> index & 1 == 1);
        }
        for (index, [literal, ..]) in self.latches.iter().enumerate() {
            set(*literal, state >> index & 1 == 1);
        }
        for [gate, left, right] in &self.gates {
            let value = values[left] && values[right];
            values.insert(*gate, value);
            values.insert(gate ^ 1, !value);
        }
        values
    }

    fn next(&self, values: &HashMap<usize, bool>) -> usize {
        let latches = self.latches.iter().enumerate();
        latches.fold(0, |state, (index, [_, next, _])| {
            state | usize::from(values[next]) << index
        })
    }
}

#[test]
fn the_property_of_a_witness_circuit_is_inductive() {
    for engine in [Engine::Auto, Engine::Sat, Engine::Bdd] {
        let text = certificate_by(engine, HOLDING, CertificateForm::AsciiAiger);
        check_witness(&text.expect("a certificate"));
    }
}

fn check_witness(text: &str) {
    let witness = Witness::read(text);
    // The clock is no input; the latches are those of the design, and at least one memory.
    assert!(witness.latches.len() > 10);
    let all_inputs = 0..1usize << witness.inputs.len();
    let is_bad = |state: usize| {
        let mut inputs = all_inputs.clone();
        inputs.any(|inputs| witness.values(state, inputs)[&witness.bad])
    };
    let initial = witness.latches.iter().enumerate();
    let initial = initial.fold(0, |state, (index, [_, _, reset])| {
        assert!(
            *reset < 2,
            "all latches of the design start with a known value"
        );
        state | reset << index
    });
    assert!(!is_bad(initial));
    let good: Vec<bool> = (0..1usize << witness.latches.len())
        .map(|state| !is_bad(state))
        .collect();
    assert!(good.iter().any(|good| !good), "the property says something");
    for state in (0..good.len()).filter(|state| good[*state]) {
        for inputs in all_inputs.clone() {
            assert!(good[witness.next(&witness.values(state, inputs))]);
        }
    }
}

#[test]
fn what_does_not_hold_or_is_about_infinite_runs_has_no_certificate() {
    let form = CertificateForm::SmtLib;
    let failing = certificate("assert small: G (b < 3);", form).unwrap_err();
    assert!(failing.contains("not all properties hold"), "{failing}");
    let live = certificate("assert turns: G F ring[2];", form).unwrap_err();
    assert!(live.contains("not proved by an invariant"), "{live}");
}

#[test]
fn assertions_are_over_names_of_the_design_and_hold() {
    let holding = "assert stops: G (a <= 5); assert one: G (ring != 0 & ring != 3);";
    let text = certificate(holding, CertificateForm::Assertions).expect("a certificate");
    let lines = text
        .lines()
        .filter_map(|line| line.split_once(": assert property ("));
    let clauses: Vec<&str> = lines
        .filter_map(|(_, rest)| rest.strip_suffix(");"))
        .collect();
    assert!(!clauses.is_empty());
    let properties: Vec<String> = clauses
        .iter()
        .map(|clause| format!("assert G ({clause});"))
        .collect();
    let options = DesignOptions::default();
    let texts = properties.join("\n");
    let subject = design_from_texts(&[("m.v", DESIGN)], &[("m.ltl", &texts)], &options);
    let subject = subject.expect("clauses over names of the design");
    let answer = verify(&subject, &verify::Options::default(), &mut |_| {}).expect("an answer");
    assert!(matches!(answer.overall, respin::certify::Overall::Pass(_)));
}

/// What diagrams prove are wires, one for each node, and assertions, which hold in the design.
#[test]
fn states_are_written_as_wires() {
    let holding = "assert stops: G (a <= 5); assert one: G (ring != 0 & ring != 3);";
    let text = certificate_by(Engine::Bdd, holding, CertificateForm::Assertions);
    let text = text.expect("a certificate");
    let wires = text.lines().filter(|line| line.starts_with("wire "));
    assert!(wires.count() > 3, "{text}");
    let (module, rest) = DESIGN.rsplit_once("endmodule").expect("a module");
    let clocked = text.replace("assert property (", "assert property (@(posedge clk) ");
    let pasted = format!("{module}{clocked}endmodule{rest}");
    let options = DesignOptions::default();
    let subject = design_from_texts(&[("m.v", &pasted)], &[], &options).expect("a design");
    let answer = verify(&subject, &verify::Options::default(), &mut |_| {}).expect("an answer");
    assert!(matches!(answer.overall, respin::certify::Overall::Pass(_)));
}

#[test]
fn the_script_has_three_questions() {
    let text = certificate(HOLDING, CertificateForm::SmtLib).expect("a certificate");
    assert_eq!(text.matches("(check-sat)").count(), 3);
    let depth = text
        .lines()
        .filter(|line| !line.starts_with(';'))
        .map(|line| line.split_once(" ; ").map_or(line, |(code, _)| code))
        .flat_map(str::chars)
        .fold(0i32, |depth, one| match one {
            '(' => depth + 1,
            ')' => depth - 1,
            _ => depth,
        });
    assert_eq!(depth, 0);
}
