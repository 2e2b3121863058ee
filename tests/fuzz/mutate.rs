//! Changes of a text, all from one seed.

use super::corpus::Seed;
use respin::load::Format;
use respin::random::Random;

/// Numbers at which something changes.
const NUMBERS: [&str; 18] = [
    "0",
    "1",
    "2",
    "7",
    "31",
    "32",
    "63",
    "64",
    "65",
    "255",
    "1024",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "18446744073709551616",
    "-1",
];

/// Words and symbols that mean something in some format.
const PIECES: [&str; 64] = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ":",
    ",",
    ".",
    "=",
    "==",
    "<=",
    "&&",
    "||",
    "->",
    "<->",
    "!",
    "~",
    "?",
    "'",
    "\"",
    "/*",
    "*/",
    "//",
    "\\",
    "`",
    "@",
    "#",
    "##",
    "$past(",
    "begin",
    "end",
    "if",
    "else",
    "case",
    "endcase",
    "for",
    "module m;",
    "endmodule",
    "generate",
    "assign ",
    "`define A `A",
    "`include \"a\"",
    "G ",
    "F ",
    "X ",
    " U ",
    "next(",
    "define x := ",
    "env ",
    "sys ",
    "gar ",
    "[INPUT]\n",
    "--BODY--",
    "State: 0",
    "aag ",
    "null",
    "{}",
    "[[",
    "\u{0}",
    "é",
    "\r\n",
    "\u{feff}",
];

/// A text of the corpus, changed in some places. Half of the texts keep their words and
/// symbols and only get other numbers, names and lines, so that many of them are read.
pub fn text(random: &mut Random, seeds: &[Seed], format: Format) -> Vec<u8> {
    let own: Vec<&Seed> = seeds.iter().filter(|seed| seed.format == format).collect();
    let mut text = random.pick(&own).text.clone();
    let is_gentle = random.flip();
    for _ in 0..1 + random.below(if is_gentle { 3 } else { 6 }) {
        if is_gentle {
            change_gently(random, &mut text);
        } else {
            change(random, &own, &mut text);
        }
        text.truncate(60_000);
    }
    text
}

fn change_gently(random: &mut Random, text: &mut Vec<u8>) {
    match random.below(5) {
        0 | 1 => number(random, text),
        2 => swap_words(random, text),
        // One line less, or once more somewhere else.
        choice => {
            let line = line(random, text);
            let copied = text[line.clone()].to_vec();
            let place = self::line(random, text).start;
            if choice == 3 {
                text.drain(line);
            } else {
                text.splice(place..place, copied);
            }
        }
    }
}

/// The bytes of some line, with its end.
fn line(random: &mut Random, text: &[u8]) -> std::ops::Range<usize> {
    let place = random.below(text.len() + 1);
    let start = text[..place].iter().rposition(|byte| *byte == b'\n');
    let end = text[place..].iter().position(|byte| *byte == b'\n');
    start.map_or(0, |at| at + 1)..end.map_or(text.len(), |at| place + at + 1)
}

fn range(random: &mut Random, length: usize, longest: usize) -> std::ops::Range<usize> {
    let start = random.below(length + 1);
    start..(start + random.below(longest)).min(length)
}

fn change(random: &mut Random, own: &[&Seed], text: &mut Vec<u8>) {
    let place = random.below(text.len() + 1);
    match random.below(12) {
        0 => drop(text.drain(range(random, text.len(), 3))),
        1 => drop(text.drain(range(random, text.len(), 60))),
        2 => {
            let copied = text[range(random, text.len(), 80)].to_vec();
            text.splice(place..place, copied);
        }
        // The same once more and once more.
        3 => {
            let copied = text[range(random, text.len(), 40)].to_vec();
            let times = 1 << random.below(9);
            text.splice(place..place, copied.repeat(times));
        }
        // A part of another text in the same language.
        4 | 5 => {
            let other = &random.pick(own).text;
            let part = other[range(random, other.len(), 200)].to_vec();
            text.splice(place..place, part);
        }
        6 | 7 => number(random, text),
        8 => text.truncate(place),
        9 => {
            let byte = random.word() as u8;
            text.splice(place..place, [byte]);
        }
        10 => swap_words(random, text),
        _ => {
            let piece = random.pick(&PIECES).as_bytes().to_vec();
            text.splice(place..place, piece);
        }
    }
}

/// Another number in the place of one.
fn number(random: &mut Random, text: &mut Vec<u8>) {
    let digits: Vec<usize> = (0..text.len())
        .filter(|&at| text[at].is_ascii_digit())
        .collect();
    if digits.is_empty() {
        return;
    }
    let at = *random.pick(&digits);
    let is_digit = |at: &usize| text.get(*at).is_some_and(u8::is_ascii_digit);
    let start = (0..at).rev().take_while(is_digit).last().unwrap_or(at);
    let end = (at..text.len()).take_while(is_digit).last().unwrap_or(at) + 1;
    let new = random.pick(&NUMBERS).as_bytes().to_vec();
    text.splice(start..end, new);
}

/// Two words, each in the place of the other.
fn swap_words(random: &mut Random, text: &mut Vec<u8>) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut words = Vec::new();
    let mut start = None;
    for at in 0..=text.len() {
        let inside = text.get(at).is_some_and(is_word);
        match (inside, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                words.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    if words.len() < 2 {
        return;
    }
    let (first, second) = (random.below(words.len()), random.below(words.len()));
    let (first, second) = (first.min(second), first.max(second));
    let (first, second) = (words[first].clone(), words[second].clone());
    let (one, other) = (text[first.clone()].to_vec(), text[second.clone()].to_vec());
    text.splice(second, one);
    text.splice(first, other);
}

/// A smaller text for which `fails` still holds, by leaving out parts.
pub fn shrink(text: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut best = text.to_vec();
    let mut tries = 0;
    let mut length = best.len().div_ceil(2).max(1);
    while tries < 3_000 {
        let mut at = 0;
        let mut shorter = false;
        while at < best.len() && tries < 3_000 {
            tries += 1;
            let mut candidate = best.clone();
            candidate.drain(at..(at + length).min(candidate.len()));
            if fails(&candidate) {
                best = candidate;
                shorter = true;
            } else {
                at += length;
            }
        }
        if length == 1 && !shorter {
            break;
        }
        length = (length / 2).max(1);
    }
    best
}
