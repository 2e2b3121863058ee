//! Recorded runs: what a test bench drove, and what a design answered, cycle by cycle.
//!
//! Enters: the bytes of a CSV, VCD or FST file, and the [`Interface`] of the design that it
//! was recorded from. Leaves: a [`Recording`], one type for all three formats: a row for each
//! cycle of the clock, with the values just before its active edge, as a synchronous design
//! sees them. Columns are matched to ports and other signals by name. A bit that is `x` or `z`
//! has no value: an input that is not driven, an output that is not compared.
//!
//! Rows are packed, one bit for the value and one that says whether there is one, so that a
//! million cycles of a few hundred bits fit into memory.

mod changes;
mod csv;
mod fst;
mod interface;
mod number;
mod vcd;

pub use interface::{Interface, Port};

use crate::design::{Design, Literal, Node, NodeId};
use crate::source::codes::trace as codes;
use crate::source::{Diagnostic, FileId, Sources};
use std::collections::BTreeMap;

/// How recorded runs are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The instance of the design in a VCD or FST file; found by its ports if it is not said.
    pub scope: Option<String>,
    /// The clock and whether its rising edge counts; what the design says if it is not said.
    pub clock: Option<(String, bool)>,
    /// The first and the last cycle that count, from 0.
    pub from: usize,
    pub to: Option<usize>,
    /// Signals of the design that are compared beside its outputs, from a VCD or FST file.
    pub signals: Vec<String>,
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Csv,
    Vcd,
    Fst,
}

impl Format {
    pub fn of_extension(extension: &str) -> Option<Format> {
        match extension.to_ascii_lowercase().as_str() {
            "csv" => Some(Format::Csv),
            "vcd" => Some(Format::Vcd),
            "fst" => Some(Format::Fst),
            _ => None,
        }
    }
}

/// A signal of the design, and what a file says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// As the design names it.
    pub name: String,
    pub width: usize,
    /// Whether the test bench drives it; otherwise the design does, and values are compared.
    pub is_input: bool,
    /// Where its lowest bit is in a row.
    pub offset: usize,
}

/// A run that was recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The name of the file.
    pub name: String,
    pub columns: Vec<Column>,
    /// The number of the first row in the file: those before were left out.
    pub first: usize,
    /// What registers without an initial value start with, by the names of their bits, where
    /// that is known. No file says so; runs that are made here do.
    pub registers: BTreeMap<String, bool>,
    /// What the user may have expected to be otherwise.
    pub warnings: Vec<Diagnostic>,
    /// So many words hold the bits of a row.
    words: usize,
    values: Vec<u64>,
    known: Vec<u64>,
    cycles: usize,
}

/// The bits of one row.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    pub values: &'a [u64],
    /// Which of them were recorded.
    pub known: &'a [u64],
}

impl Row<'_> {
    pub fn bit(&self, offset: usize) -> Option<bool> {
        let (word, bit) = (offset / 64, offset % 64);
        let is_known = self.known[word] >> bit & 1 == 1;
        is_known.then_some(self.values[word] >> bit & 1 == 1)
    }
}

/// The columns of a recording as nodes of one design.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    /// Inputs, each with its bit in a row.
    pub driven: Vec<(NodeId, usize)>,
    /// What is compared, each with its bit in a row.
    pub compared: Vec<(Literal, usize)>,
}

impl Recording {
    /// Reads a file of `sources`.
    pub fn read(
        file: FileId,
        format: Format,
        interface: &Interface<'_>,
        options: &Options,
        sources: &Sources,
    ) -> Result<Recording, Diagnostic> {
        let mut recording = match format {
            Format::Csv => csv::read(file, interface, options, sources)?,
            Format::Vcd => vcd::read(file, interface, options, sources)?,
            Format::Fst => fst::read(file, interface, options, sources)?,
        };
        recording.name = sources.file(file).name.clone();
        recording.cut(options)?;
        recording.refuse(interface)?;
        Ok(recording)
    }

    /// A run without rows; offsets of columns have to follow each other.
    pub fn with_columns(columns: Vec<Column>) -> Recording {
        let bits: usize = columns.iter().map(|column| column.width).sum();
        Recording {
            columns,
            words: bits.div_ceil(64),
            ..Recording::default()
        }
    }

    pub fn cycles(&self) -> usize {
        self.cycles
    }

    /// How many words hold the bits of a row.
    pub fn words(&self) -> usize {
        self.words
    }

    pub fn row(&self, cycle: usize) -> Row<'_> {
        let range = cycle * self.words..(cycle + 1) * self.words;
        Row {
            values: &self.values[range.clone()],
            known: &self.known[range],
        }
    }

    /// The bits of a column in a cycle, the lowest first.
    pub fn bits(&self, cycle: usize, column: &Column) -> Vec<Option<bool>> {
        let row = self.row(cycle);
        let bits = column.offset..column.offset + column.width;
        bits.map(|offset| row.bit(offset)).collect()
    }

    /// Whether the run does not begin where the design does: its registers can have any value.
    pub fn starts_late(&self) -> bool {
        self.first > 0
    }

    /// Whether every output has a value in every cycle, as simulators with two values record
    /// it: there, registers without an initial value start with 0.
    pub fn is_two_valued(&self) -> bool {
        let mut mask = vec![0u64; self.words];
        let compared = self.columns.iter().filter(|column| !column.is_input);
        for offset in compared.flat_map(|one| one.offset..one.offset + one.width) {
            mask[offset / 64] |= 1 << (offset % 64);
        }
        let mut rows = self.known.chunks(self.words.max(1));
        !self.starts_late()
            && rows.all(|row| {
                row.iter()
                    .zip(&mask)
                    .all(|(known, mask)| known & mask == *mask)
            })
    }

    /// What registers of a design start with that have no initial value: 0 in simulators with
    /// two values, else what is known of them.
    pub fn initial<'a>(&'a self, design: &'a Design) -> impl Fn(NodeId) -> Option<bool> + 'a {
        let zero = (self.registers.is_empty() && self.is_two_valued()).then_some(false);
        move |id| {
            let known = design.name(id).and_then(|name| self.registers.get(name));
            known.copied().or(zero)
        }
    }

    /// Whether a column has one value in all rows.
    fn is_constant(&self, column: &Column) -> bool {
        let first = (self.cycles > 0).then(|| self.bits(0, column));
        (1..self.cycles).all(|cycle| Some(self.bits(cycle, column)) == first)
    }

    /// How many values are compared: one for each column and cycle in which a bit of it is.
    pub fn compared_values(&self) -> usize {
        let compared = self.columns.iter().filter(|column| !column.is_input);
        let compared: Vec<&Column> = compared.collect();
        let in_cycle = |cycle: usize| {
            let row = self.row(cycle);
            let is_known = |column: &&&Column| {
                let mut bits = column.offset..column.offset + column.width;
                bits.any(|offset| row.known[offset / 64] >> (offset % 64) & 1 == 1)
            };
            compared.iter().filter(is_known).count()
        };
        (0..self.cycles).map(in_cycle).sum()
    }

    pub fn push_row(&mut self, values: &[u64], known: &[u64]) {
        self.values.extend_from_slice(values);
        self.known.extend_from_slice(known);
        self.cycles += 1;
    }

    /// Leaves out the cycles that were not asked for.
    fn cut(&mut self, options: &Options) -> Result<(), Diagnostic> {
        let end = options.to.map_or(self.cycles, |to| to.saturating_add(1));
        let end = end.min(self.cycles);
        if options.from >= end {
            let message = match self.cycles {
                0 => format!("`{}` has no cycle", self.name),
                cycles => format!(
                    "`{}` has {cycles} cycles, and none of them counts",
                    self.name
                ),
            };
            return Err(Diagnostic::error(codes::NOTHING_RECORDED, message)
                .help("cycles are counted from 0, one for each active edge of the clock"));
        }
        self.values.truncate(end * self.words);
        self.known.truncate(end * self.words);
        self.values.drain(..options.from * self.words);
        self.known.drain(..options.from * self.words);
        self.first = options.from;
        self.cycles = end - options.from;
        Ok(())
    }

    /// A run that compares nothing says nothing; one that drives less than it could says so.
    fn refuse(&mut self, interface: &Interface<'_>) -> Result<(), Diagnostic> {
        if self.columns.iter().all(|column| column.is_input) {
            let message = format!("`{}` records no output of the design", self.name);
            let outputs = interface.ports.iter().filter(|port| !port.is_input);
            let outputs: Vec<&str> = outputs.map(|port| port.name.as_str()).collect();
            return Err(Diagnostic::error(codes::NOTHING_RECORDED, message)
                .help(format!("its outputs are {}", outputs.join(", "))));
        }
        let is_recorded = |port: &&Port| self.columns.iter().any(|one| one.name == port.name);
        let undriven = interface.ports.iter().filter(|port| port.is_input);
        let undriven = undriven.filter(|port| !is_recorded(port));
        let undriven: Vec<&str> = undriven.map(|port| port.name.as_str()).collect();
        if !undriven.is_empty() {
            let names = undriven.join(", ");
            let message = format!("`{}` does not record inputs: {names}", self.name);
            let warning = Diagnostic::warning(codes::NOT_DRIVEN, message);
            self.warnings
                .push(warning.help("they are taken as not driven: any value, in every cycle"));
        }
        Ok(())
    }

    /// The columns as nodes of a design. Fails if it lacks one of them, or has another width.
    pub fn bind(&self, design: &Design) -> Result<Binding, Diagnostic> {
        let mut binding = Binding::default();
        for column in &self.columns {
            let word = match design.signal(&column.name) {
                // What the design does not read and what never changes is its clock, where an
                // edit has made one of an input: each row is a cycle, as it was.
                Err(_) if column.is_input && self.is_constant(column) => continue,
                word => word?,
            };
            if word.bits.len() != column.width {
                let (name, width) = (&column.name, word.bits.len());
                let message = format!(
                    "`{name}` has {width} bits, and {} were recorded",
                    column.width
                );
                return Err(Diagnostic::error(codes::UNKNOWN_COLUMN, message)
                    .help("record the run from a design with the same ports"));
            }
            for (bit, literal) in word.bits.iter().enumerate() {
                let offset = column.offset + bit;
                if !column.is_input {
                    binding.compared.push((*literal, offset));
                } else if let Node::Input(_) = design.node(literal.node()) {
                    binding.driven.push((literal.node(), offset));
                }
            }
        }
        Ok(binding)
    }
}

/// The digits of bits, the highest first, as a number of Verilog.
pub fn digits(bits: &[Option<bool>]) -> String {
    let digit = |bit: &Option<bool>| match bit {
        Some(true) => '1',
        Some(false) => '0',
        None => 'x',
    };
    let binary: String = bits.iter().rev().map(digit).collect();
    let is_small = bits.len() <= 64 && bits.iter().all(Option::is_some);
    if bits.len() == 1 {
        binary
    } else if is_small {
        let value = bits.iter().rev();
        let value = value.fold(0u64, |value, bit| {
            value << 1 | u64::from(*bit == Some(true))
        });
        value.to_string()
    } else if bits.iter().all(Option::is_none) {
        "x".to_string()
    } else if bits.iter().all(Option::is_some) {
        let nibbles = bits.chunks(4).rev().map(|nibble| {
            let value = nibble.iter().rev();
            let value = value.fold(0, |value, bit| value << 1 | u32::from(*bit == Some(true)));
            char::from_digit(value, 16).unwrap_or('x')
        });
        format!("{}'h{}", bits.len(), nibbles.collect::<String>())
    } else {
        format!("{}'b{binary}", bits.len())
    }
}
