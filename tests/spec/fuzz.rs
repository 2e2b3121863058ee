//! Texts that nobody would write: no panic, no endless loop, and every message has a place.

use crate::support::{seed, source};
use respin::expr::parse_expression;
use respin::random::Random;
use respin::source::Diagnostic;
use respin::spec::Formulas;
use respin::spec::property_file::parse_property_file;

const SEEDS: [&str; 6] = [
    "define waiting := state == WAIT;\nassume fair: G F tick;\nassert mutex: G !(gnt[0] & gnt[1]);\n",
    "assert live: G (req[0] -> F gnt[0]); // comment\nguarantee a U b W c R d; -- more\n",
    "assert {a, b[3:0], {2{c}}} == 8'hx1 && $past(u0.x, 2) < 4'sd3 ? G F a : X b;\n",
    "define d := e | f; define e := G next; assert \\a+b  S (Y O H Z d) <-> !e;\n",
    "/* c */ assert lane[3].busy[i +: 2] === 'b1z & ^x | ~|y -> (once p) since (q <<< 1);\n",
    "assert not a and b or c until d release e; assume x: G (a => b); assert y = z;\n",
];

const PIECES: [&str; 40] = [
    "(", ")", "[", "]", "{", "}", ";", ":", ":=", "&", "&&", "|", "||", "->", "<->", "=", "==",
    "G ", "F ", "X ", " U ", " S ", "next ", "define ", "assert ", "assume ", "\\x ", "4'b1", "'",
    "\"", "/*", "*/", "//", "--", "∧", "é", "\u{0}", "?", "!", "\n",
];

fn mutate(random: &mut Random, text: &str) -> String {
    let mut symbols: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(4) {
        let position = random.below(symbols.len() + 1);
        match random.below(5) {
            0 if position < symbols.len() => {
                symbols.remove(position);
            }
            1 if position < symbols.len() => {
                let end = (position + 1 + random.below(12)).min(symbols.len());
                symbols.drain(position..end);
            }
            2 => {
                let start = random.below(symbols.len() + 1);
                let end = (start + random.below(20)).min(symbols.len());
                let copied: Vec<char> = symbols[start..end].to_vec();
                symbols.splice(position..position, copied);
            }
            _ => {
                let piece: Vec<char> = random.pick(&PIECES).chars().collect();
                symbols.splice(position..position, piece);
            }
        }
    }
    symbols.into_iter().collect()
}

fn has_a_place(text: &str, diagnostic: &Diagnostic) -> bool {
    let inside = |label: &respin::source::Label| {
        text.get(label.span.start as usize..label.span.end as usize)
            .is_some()
    };
    !diagnostic.labels.is_empty() && diagnostic.labels.iter().all(inside)
}

#[test]
fn mutated_property_files_are_read_or_refused() {
    let seed = seed();
    let mut random = Random::new(seed);
    for case in 0..20_000 {
        let base = *random.pick(&SEEDS);
        let text = mutate(&mut random, base);
        let mut formulas = Formulas::new();
        let (_, file) = source(&text);
        if let Err(errors) = parse_property_file(&mut formulas, file, &text) {
            assert!(
                !errors.is_empty() && errors.iter().all(|error| has_a_place(&text, error)),
                "seed {seed}, case {case}: {errors:?}\n{text}"
            );
        }
    }
}

#[test]
fn mutated_expressions_are_read_or_refused() {
    let seed = seed();
    let mut random = Random::new(seed);
    for case in 0..20_000 {
        let base = *random.pick(&SEEDS);
        let text = mutate(&mut random, base.trim_end_matches(";\n"));
        let (_, file) = source(&text);
        if let Err(error) = parse_expression(file, &text) {
            assert!(
                has_a_place(&text, &error),
                "seed {seed}, case {case}: {error:?}\n{text}"
            );
        }
    }
}

#[test]
fn accepted_files_print_and_read_back() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut accepted = 0;
    for case in 0..20_000 {
        let base = *random.pick(&SEEDS);
        let text = mutate(&mut random, base);
        let mut formulas = Formulas::new();
        let (_, file) = source(&text);
        let Ok(parsed) = parse_property_file(&mut formulas, file, &text) else {
            continue;
        };
        accepted += 1;
        for property in parsed.properties {
            let printed = format!("assert {};", formulas.text(property.formula));
            let again = parse_property_file(&mut formulas, file, &printed);
            let again = again.map(|parsed| parsed.properties[0].formula);
            assert_eq!(
                again.as_ref().ok(),
                Some(&property.formula),
                "seed {seed}, case {case}: `{printed}` from\n{text}\n{again:?}"
            );
        }
    }
    assert!(accepted > 1000, "only {accepted} files were accepted");
}

#[test]
fn repetitions_do_not_take_long() {
    for piece in PIECES {
        let text = piece.repeat(20_000);
        let (_, file) = source(&text);
        let mut formulas = Formulas::new();
        let started = std::time::Instant::now();
        let _ = parse_property_file(&mut formulas, file, &text);
        let prefixed = format!("assert {text}");
        let _ = parse_property_file(&mut formulas, file, &prefixed);
        assert!(started.elapsed().as_secs() < 10, "`{piece}`");
    }
}
