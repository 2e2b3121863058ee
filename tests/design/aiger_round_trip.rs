//! Random files: read and written back, converted, and read by somebody else.

use std::collections::HashMap;

use ::aiger::{Aiger, Reader, Symbol};
use respin::design::aiger::{self, AigerFile};
use respin::design::{Literal, Reset};
use respin::random::Random;

use super::support::{Circuit, check_random, read, signature};

fn read_or_message(bytes: &[u8]) -> Result<AigerFile, String> {
    aiger::read(bytes, None).map_err(|diagnostic| diagnostic.message)
}

/// All literals that mean something to a user.
fn observed(file: &AigerFile) -> Vec<Literal> {
    let outputs = file.design.outputs().iter().map(|output| output.literal);
    let signals = file
        .bad
        .iter()
        .chain(&file.constraints)
        .chain(&file.fairness);
    let justice = file.justice.iter().flat_map(|justice| &justice.literals);
    outputs
        .chain(signals.map(|signal| signal.literal))
        .chain(justice.copied())
        .collect()
}

#[test]
fn ascii_is_written_back_unchanged() {
    check_random(400, 12, |random, size| {
        let text = Circuit::random(random, size).text();
        let file = read_or_message(text.as_bytes())?;
        let written = file.to_ascii().map_err(|d| d.message)?;
        if written == text.as_bytes() {
            return Ok(());
        }
        Err(format!(
            "{text}\nbecame\n{}",
            String::from_utf8_lossy(&written)
        ))
    });
}

#[test]
fn binary_is_written_back_unchanged() {
    check_random(400, 40, |random, size| {
        let text = Circuit::random(random, size).text();
        let binary = read_or_message(text.as_bytes())?
            .to_binary()
            .map_err(|d| d.message)?;
        let again = read_or_message(&binary)?
            .to_bytes()
            .map_err(|d| d.message)?;
        if again == binary { Ok(()) } else { Err(text) }
    });
}

#[test]
fn ordered_ascii_survives_the_way_through_binary() {
    check_random(400, 12, |random, size| {
        let text = Circuit::random_ordered(random, size).text();
        let binary = read_or_message(text.as_bytes())?
            .to_binary()
            .map_err(|d| d.message)?;
        let ascii = read_or_message(&binary)?
            .to_ascii()
            .map_err(|d| d.message)?;
        if ascii == text.as_bytes() {
            return Ok(());
        }
        Err(format!(
            "{text}\nbecame\n{}",
            String::from_utf8_lossy(&ascii)
        ))
    });
}

#[test]
fn binary_behaves_like_the_ascii_it_came_from() {
    check_random(200, 20, |random, size| {
        let text = Circuit::random(random, size).text();
        let ascii = read_or_message(text.as_bytes())?;
        let bytes = ascii.to_binary().map_err(|d| d.message)?;
        let binary = read_or_message(&bytes)?;
        let seed = random.word();
        let left = signature(&ascii.design, &observed(&ascii), seed);
        let right = signature(&binary.design, &observed(&binary), seed);
        if left == right { Ok(()) } else { Err(text) }
    });
}

/// The circuit as our reader has it, in the file's own literals.
fn ours(file: &AigerFile) -> Vec<Aiger> {
    let own = |literal: Literal| {
        let code = file.layout.file_literal(literal.node()).unwrap_or(u32::MAX);
        ::aiger::Literal(code as usize + usize::from(literal.is_complemented()))
    };
    let design = &file.design;
    let mut records = Vec::new();
    for id in design.inputs() {
        records.push(Aiger::Input(own(id.literal())));
    }
    for id in design.latches() {
        let latch = design.latch(*id).expect("a latch is a latch");
        assert_eq!(latch.reset, Reset::Zero);
        records.push(Aiger::Latch {
            output: own(id.literal()),
            input: own(latch.next),
        });
    }
    for output in design.outputs() {
        records.push(Aiger::Output(own(output.literal)));
    }
    for id in design.gates() {
        let (left, right) = design.gate(id).expect("a gate is a gate");
        records.push(Aiger::AndGate {
            output: own(id.literal()),
            inputs: [own(left), own(right)],
        });
    }
    let symbol = |type_spec: Symbol, position: usize, name: &str| Aiger::Symbol {
        type_spec,
        position,
        symbol: name.to_string(),
    };
    for (position, id) in design.inputs().iter().enumerate() {
        records.extend(
            design
                .name(*id)
                .map(|name| symbol(Symbol::Input, position, name)),
        );
    }
    for (position, id) in design.latches().iter().enumerate() {
        records.extend(
            design
                .name(*id)
                .map(|name| symbol(Symbol::Latch, position, name)),
        );
    }
    for (position, output) in design.outputs().iter().enumerate() {
        let name = output.name.as_deref();
        records.extend(name.map(|name| symbol(Symbol::Output, position, name)));
    }
    records
}

pub fn differs_from_other_reader(text: &[u8], file: &AigerFile) -> Option<String> {
    let reader = match Reader::from_reader(text) {
        Ok(reader) => reader,
        Err(error) => return Some(format!("the other reader fails: {error:?}")),
    };
    let theirs: Result<Vec<Aiger>, _> = reader.records().collect();
    let theirs = match theirs {
        Ok(records) => records,
        Err(error) => return Some(format!("the other reader fails: {error:?}")),
    };
    let ours = ours(file);
    let count = |records: &[Aiger]| {
        let mut counts: HashMap<Aiger, usize> = HashMap::new();
        for record in records {
            *counts.entry(record.clone()).or_default() += 1;
        }
        counts
    };
    // Symbols come in the order of the file there, and sorted here.
    let (symbols, rest): (Vec<Aiger>, Vec<Aiger>) = theirs
        .into_iter()
        .partition(|record| matches!(record, Aiger::Symbol { .. }));
    let (own_symbols, own_rest): (Vec<Aiger>, Vec<Aiger>) = ours
        .into_iter()
        .partition(|record| matches!(record, Aiger::Symbol { .. }));
    if rest != own_rest {
        return Some(format!("{rest:?}\nhere\n{own_rest:?}"));
    }
    if count(&symbols) != count(&own_symbols) {
        return Some(format!("{symbols:?}\nhere\n{own_symbols:?}"));
    }
    None
}

#[test]
fn old_ascii_files_are_read_as_another_reader_reads_them() {
    check_random(400, 12, |random, size| {
        let mut circuit = Circuit::random(random, size);
        for latch in &mut circuit.latches {
            latch.2 = 0;
        }
        circuit.bad.clear();
        circuit.constraints.clear();
        circuit.justice.clear();
        circuit.fairness.clear();
        circuit
            .symbols
            .retain(|symbol| symbol.starts_with(['i', 'l', 'o']));
        let text = circuit.text();
        let file = read_or_message(text.as_bytes())?;
        match differs_from_other_reader(text.as_bytes(), &file) {
            Some(difference) => Err(format!("{text}\n{difference}")),
            None => Ok(()),
        }
    });
}

#[test]
fn reading_takes_time_in_proportion_to_the_file() {
    // Gates in reverse order of use, so that every definition comes after its use: at half a
    // million lines anything quadratic would not end.
    let gates: u32 = 500_000;
    let mut text = format!("aag {} 1 0 1 {gates}\n2\n{}\n", gates + 1, 2 * (gates + 1));
    for gate in (2..=gates + 1).rev() {
        text.push_str(&format!("{} {} 2\n", 2 * gate, 2 * gate - 1));
    }
    assert_eq!(read(text).design.gates().count(), gates as usize);
}

#[test]
fn signatures_tell_circuits_apart() {
    // The comparison by simulation would be worthless if it did not.
    let left = read("aag 3 2 0 1 1\n2\n4\n6\n6 2 4\n");
    let right = read("aag 3 2 0 1 1\n2\n4\n6\n6 2 5\n");
    let seed = Random::new(1).word();
    let left = signature(&left.design, &observed(&left), seed);
    assert_ne!(left, signature(&right.design, &observed(&right), seed));
}
