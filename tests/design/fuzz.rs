//! Readers on broken input: an error or a design, never a panic.

use respin::design::Design;
use respin::design::aiger;
use respin::random::Random;

use super::support::{Circuit, read};

/// Reads thousands of broken variants of valid files. The panic itself is the failure; the
/// seed is printed because the harness shows output of failing tests.
fn fuzz(cases: u64, variant: impl Fn(&mut Random) -> Vec<u8>, read: impl Fn(&[u8])) {
    for seed in 0..cases {
        let bytes = variant(&mut Random::new(seed));
        println!("seed {seed}: {}", bytes.escape_ascii());
        read(&bytes);
    }
}

fn read_aiger(bytes: &[u8]) {
    if let Ok(file) = aiger::read(bytes, None) {
        let _ = file.to_ascii();
        let _ = file.to_binary();
    }
}

fn ascii(random: &mut Random) -> Vec<u8> {
    Circuit::random(random, 4).text().into_bytes()
}

fn binary(random: &mut Random) -> Vec<u8> {
    let text = ascii(random);
    read(text).to_binary().expect("a sound file")
}

fn mutate(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            break;
        }
        let position = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[position] = random.word() as u8,
            1 => bytes[position] = b"0123456789 \n\r-c"[random.below(15)],
            2 => {
                bytes.remove(position);
            }
            3 => bytes.insert(position, b"0123456789 \n\rij"[random.below(15)]),
            _ => {
                let end = position + random.below(bytes.len() - position);
                let copy = bytes[position..end].to_vec();
                bytes.splice(position..position, copy);
            }
        }
    }
    bytes
}

fn cut(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(random.below(bytes.len() + 1));
    bytes
}

#[test]
fn mutated_ascii() {
    fuzz(
        6000,
        |r| {
            let b = ascii(r);
            mutate(r, b)
        },
        read_aiger,
    );
}

#[test]
fn mutated_binary() {
    fuzz(
        6000,
        |r| {
            let b = binary(r);
            mutate(r, b)
        },
        read_aiger,
    );
}

#[test]
fn truncated_ascii() {
    fuzz(
        3000,
        |r| {
            let b = ascii(r);
            cut(r, b)
        },
        read_aiger,
    );
}

#[test]
fn truncated_binary() {
    fuzz(
        3000,
        |r| {
            let b = binary(r);
            cut(r, b)
        },
        read_aiger,
    );
}

#[test]
fn random_bytes_after_a_header() {
    let variant = |random: &mut Random| {
        let format = ["aag", "aig"][random.below(2)];
        let mut numbers = [0; 9];
        numbers.fill_with(|| random.below(4));
        numbers[0] = numbers[1] + numbers[2] + numbers[4];
        let header: Vec<String> = numbers.iter().map(usize::to_string).collect();
        let mut bytes = format!("{format} {}\n", header.join(" ")).into_bytes();
        let length = random.below(60);
        bytes.extend((0..length).map(|_| b"0123456789 \n\n\x00\xff\x80"[random.below(16)]));
        bytes
    };
    fuzz(4000, variant, read_aiger);
}

#[test]
fn random_bytes() {
    let variant = |random: &mut Random| {
        let length = random.below(40);
        (0..length).map(|_| random.word() as u8).collect()
    };
    fuzz(2000, variant, read_aiger);
}

#[test]
fn headers_that_lie_cost_no_memory() {
    let variant = |random: &mut Random| {
        let format = ["aag", "aig"][random.below(2)];
        let mut numbers = [0; 9];
        numbers.fill_with(|| [0, 1, 1 << 20, (1 << 31) - 1, u64::MAX][random.below(5)]);
        let header: Vec<String> = numbers.iter().map(u64::to_string).collect();
        format!("{format} {}\n0\n1\n", header.join(" ")).into_bytes()
    };
    fuzz(2000, variant, read_aiger);
}

#[test]
fn mutated_text_form() {
    let variant = |random: &mut Random| {
        let (design, _) = Circuit::random(random, 3).design();
        mutate(random, design.to_string().into_bytes())
    };
    fuzz(4000, variant, |bytes| {
        let _ = Design::parse(&String::from_utf8_lossy(bytes), None);
    });
}
