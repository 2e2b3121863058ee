//! What the names of a design stand for.
//!
//! A name is that of a declared word, an input, a latch, a named gate or an output. Formats
//! that know only bits write the bits of a word as `count[2]` (Yosys, most tools) or
//! `count<2>` (ABC), so such names also form the word `count` if no index is missing.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use super::codes;
use super::literal::Literal;
use super::netlist::{Design, Word};
use super::suggest::did_you_mean;
use crate::source::Diagnostic;

/// The names of a design, computed when they are first asked for. Two designs are equal
/// whether or not somebody asked.
#[derive(Clone, Debug, Default)]
pub(super) struct NameCache {
    /// The declared words, by their indices; most questions are about them.
    declared: OnceLock<Arc<HashMap<String, usize>>>,
    all: OnceLock<Arc<NameTable>>,
}

impl NameCache {
    pub(super) fn clear(&mut self) {
        self.declared.take();
        self.all.take();
    }
}

impl PartialEq for NameCache {
    fn eq(&self, _: &NameCache) -> bool {
        true
    }
}

#[derive(Clone, Debug, Default)]
pub struct NameTable {
    signals: HashMap<String, Entry>,
}

#[derive(Clone, Debug)]
enum Entry {
    Signal(Word),
    /// Two signals have this name; they differ.
    Ambiguous,
    /// Some bits of this word have names, and this one has not.
    MissingBit(i64),
}

impl Design {
    /// The signal of that name: a word, or a single bit as a word of width one.
    pub fn signal(&self, name: &str) -> Result<&Word, Diagnostic> {
        if let Some(word) = self.declared_word(name) {
            return Ok(word);
        }
        let table = self.name_table();
        match table.signals.get(name) {
            Some(Entry::Signal(word)) => Ok(word),
            Some(Entry::Ambiguous) => Err(Diagnostic::error(
                codes::AMBIGUOUS_NAME,
                format!("`{name}` is the name of two different signals"),
            )
            .help("rename one of them in the design")),
            Some(Entry::MissingBit(index)) => Err(Diagnostic::error(
                codes::UNKNOWN_NAME,
                format!("`{name}` has no bit {index} in this design, so it is no word"),
            )
            .help(format!("name the bits that exist, as in `{name}[i]`"))),
            None => {
                let message = format!("there is no signal `{name}` in this design");
                let diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, message);
                let names = table.signals.keys().map(String::as_str);
                Err(match did_you_mean(name, names) {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic,
                })
            }
        }
    }

    pub fn has_signal(&self, name: &str) -> bool {
        let is_known = |entry: &Entry| matches!(entry, Entry::Signal(_) | Entry::Ambiguous);
        self.declared_word(name).is_some()
            || self.name_table().signals.get(name).is_some_and(is_known)
    }

    /// The word that a front end declared by this name, which is what the name means.
    fn declared_word(&self, name: &str) -> Option<&Word> {
        let declared = self.name_cache.declared.get_or_init(|| {
            let words = self.words().iter().enumerate();
            let indices = words.map(|(index, word)| (word.name.clone(), index));
            Arc::new(indices.collect())
        });
        self.words().get(*declared.get(name)?)
    }

    /// All signals in the order of their names, the bits of words included.
    pub fn signals(&self) -> Vec<&Word> {
        let entries = self.name_table().signals.values();
        let mut words: Vec<&Word> = entries
            .filter_map(|entry| match entry {
                Entry::Signal(word) => Some(word),
                Entry::Ambiguous | Entry::MissingBit(_) => None,
            })
            .collect();
        words.sort_by(|left, right| left.name.cmp(&right.name));
        words
    }

    fn name_table(&self) -> &NameTable {
        let table = || Arc::new(NameTable::of(self));
        self.name_cache.all.get_or_init(table)
    }
}

impl NameTable {
    fn of(design: &Design) -> NameTable {
        let mut table = NameTable::default();
        let mut words: BTreeMap<String, BTreeMap<i64, Literal>> = BTreeMap::new();
        let nodes = design.names().map(|(id, name)| (name, id.literal()));
        let outputs = design.outputs().iter().filter_map(|output| {
            let name = output.name.as_deref()?;
            Some((name, output.literal))
        });
        for (name, literal) in nodes.chain(outputs).filter(|(name, _)| !name.is_empty()) {
            table.insert(single(name, literal));
            if let Some((word, index)) = split_index(name) {
                let bits = words.entry(word.to_string()).or_default();
                // A bit named twice with different values makes the bit itself ambiguous,
                // and below the word with it.
                bits.entry(index).or_insert(literal);
            }
        }
        for (name, bits) in words {
            // A bit that is itself called by the word's name is what the name means.
            if !table.signals.contains_key(&name) {
                let entry = table.group(&name, &bits);
                table.signals.insert(name, entry);
            }
        }
        // What a front end declared wins over what bit names suggest.
        for word in design.words() {
            let entry = Entry::Signal(word.clone());
            table.signals.insert(word.name.clone(), entry);
        }
        table
    }

    fn insert(&mut self, word: Word) {
        let name = word.name.clone();
        match self.signals.get(&name) {
            Some(Entry::Signal(other)) if other.bits == word.bits => {}
            Some(_) => {
                self.signals.insert(name, Entry::Ambiguous);
            }
            None => {
                self.signals.insert(name, Entry::Signal(word));
            }
        }
    }

    fn group(&self, name: &str, bits: &BTreeMap<i64, Literal>) -> Entry {
        let (Some(lowest), Some(highest)) = (bits.keys().next(), bits.keys().next_back()) else {
            return Entry::Ambiguous;
        };
        for (expected, index) in (*lowest..).zip(bits.keys()) {
            if *index != expected {
                return Entry::MissingBit(expected);
            }
        }
        let spellings = bits
            .keys()
            .flat_map(|index| [format!("{name}[{index}]"), format!("{name}<{index}>")]);
        for spelling in spellings {
            if matches!(self.signals.get(&spelling), Some(Entry::Ambiguous)) {
                return Entry::Ambiguous;
            }
        }
        Entry::Signal(Word {
            name: name.to_string(),
            signed: false,
            left: *highest,
            right: *lowest,
            bits: bits.values().copied().collect(),
        })
    }
}

fn single(name: &str, literal: Literal) -> Word {
    Word {
        name: name.to_string(),
        signed: false,
        left: 0,
        right: 0,
        bits: vec![literal],
    }
}

/// `count[2]` or `count<2>` as `count` and 2. Indices are plain decimal numbers, so that no
/// two spellings of one index exist.
fn split_index(name: &str) -> Option<(&str, i64)> {
    let (body, open) = match name.as_bytes().last()? {
        b']' => (&name[..name.len() - 1], '['),
        b'>' => (&name[..name.len() - 1], '<'),
        _ => return None,
    };
    let position = body.rfind(open)?;
    let (word, digits) = (&body[..position], &body[position + 1..]);
    let plain = digits.len() <= 9
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    if word.is_empty() || digits.is_empty() || !plain {
        return None;
    }
    Some((word, digits.parse().ok()?))
}
