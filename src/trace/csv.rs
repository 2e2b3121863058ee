//! Recorded runs as tables: a column for each signal, a row for each cycle.
//!
//! The first line names the signals. A column `time` is left out, and so is the clock, unless
//! it moves: then rows are moments, and those just before its active edge are the cycles.

use super::number::{self, Mistake};
use super::{Column, Interface, Options, Recording};
use crate::design::suggest::did_you_mean;
use crate::source::codes::trace as codes;
use crate::source::{Diagnostic, FileId, Sources, Span};

/// What a column of the file is.
enum Cell {
    LeftOut,
    Clock,
    Signal(usize),
}

/// A table that is being read.
struct Reader {
    file: FileId,
    cells: Vec<Cell>,
    recording: Recording,
    /// The value of the clock in each row, if it has a column.
    clock: Vec<Option<bool>>,
    values: Vec<u64>,
    known: Vec<u64>,
}

pub fn read(
    file: FileId,
    interface: &Interface<'_>,
    options: &Options,
    sources: &Sources,
) -> Result<Recording, Diagnostic> {
    let text = sources.file(file).text.as_str();
    let clock = options.clock.as_ref().or(interface.clock.as_ref());
    let mut lines = lines(text).filter(|(_, line)| !line.trim().is_empty());
    let Some((start, header)) = lines.next() else {
        let message = format!("`{}` is empty", sources.file(file).name);
        return Err(Diagnostic::error(codes::NOTHING_RECORDED, message)
            .help("its first line names signals, and each other line has their values"));
    };
    let (header, rest) = header_and_row(header);
    let mut reader = Reader::new(file, (start, header), interface, options)?;
    if let Some(row) = rest {
        let at = start + header.len();
        let message = "the first row stands on the line of the names";
        let warning = Diagnostic::warning(codes::BAD_RECORDING, message);
        let warning = warning.at(Span::new(file, at, at), "a line break is missing here");
        reader.recording.warnings.push(warning);
        reader.row(at, row)?;
    }
    for (start, line) in lines {
        sources.limits().poll()?;
        reader.row(start, line)?;
    }
    let is_rising = clock.is_none_or(|(_, rising)| *rising);
    Ok(reader.finish(is_rising))
}

/// No name has blanks in it: where one seems to, the line break after the names is missing.
fn header_and_row(line: &str) -> (&str, Option<&str>) {
    let mut at = 0;
    for cell in line.split(',') {
        let start = at + (cell.len() - cell.trim_start().len());
        let name = cell.trim();
        if let Some(blank) = name.find(char::is_whitespace) {
            let (header, row) = line.split_at(start + blank);
            return (header, Some(row));
        }
        at += cell.len() + 1;
    }
    (line, None)
}

/// The lines of a text with where they start.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line.trim_end_matches(['\n', '\r']))
    })
}

/// The cells of a line with where they start. What follows the last comma is no cell if it is
/// empty: some tools end each line with one.
fn cells(start: usize, line: &str) -> Vec<(usize, &str)> {
    let mut at = start;
    let mut cells: Vec<(usize, &str)> = line
        .split(',')
        .map(|cell| {
            let own = at + (cell.len() - cell.trim_start().len());
            at += cell.len() + 1;
            (own, cell.trim())
        })
        .collect();
    if cells.len() > 1 && cells.last().is_some_and(|(_, cell)| cell.is_empty()) {
        cells.pop();
    }
    cells
}

impl Reader {
    fn new(
        file: FileId,
        (start, header): (usize, &str),
        interface: &Interface<'_>,
        options: &Options,
    ) -> Result<Reader, Diagnostic> {
        let clock = options.clock.as_ref().or(interface.clock.as_ref());
        let mut columns: Vec<Column> = Vec::new();
        let mut kinds = Vec::new();
        let mut offset = 0;
        for (at, name) in cells(start, header) {
            let name = name.trim_matches('"');
            let span = Span::new(file, at, at + name.len());
            if clock.is_some_and(|(clock, _)| clock == name) {
                kinds.push(Cell::Clock);
                continue;
            }
            let Some(port) = interface.signal(name) else {
                if name.eq_ignore_ascii_case("time") {
                    kinds.push(Cell::LeftOut);
                    continue;
                }
                return Err(unknown(name, span, interface));
            };
            if columns.iter().any(|column| column.name == name) {
                let message = format!("`{name}` has two columns");
                return Err(Diagnostic::error(codes::UNKNOWN_COLUMN, message)
                    .at(span, "the second")
                    .help("leave one of them out"));
            }
            kinds.push(Cell::Signal(columns.len()));
            columns.push(Column {
                name: port.name,
                width: port.width,
                is_input: port.is_input,
                offset,
            });
            offset += port.width;
        }
        let recording = Recording::with_columns(columns);
        Ok(Reader {
            file,
            cells: kinds,
            values: vec![0; recording.words()],
            known: vec![0; recording.words()],
            recording,
            clock: Vec::new(),
        })
    }

    fn row(&mut self, start: usize, line: &str) -> Result<(), Diagnostic> {
        let cells = cells(start, line);
        if cells.len() != self.cells.len() {
            let span = Span::new(self.file, start, start + line.len());
            let (found, expected) = (cells.len(), self.cells.len());
            let message = format!("this line has {found} values, and there are {expected} columns");
            return Err(Diagnostic::error(codes::BAD_RECORDING, message)
                .at(span, "a value for each column is needed")
                .help(
                    "write `x` for an input that is not driven or an output that does not count",
                ));
        }
        self.values.fill(0);
        self.known.fill(0);
        for ((at, text), cell) in cells.into_iter().zip(&self.cells) {
            let (width, offset) = match cell {
                Cell::LeftOut => continue,
                Cell::Clock => (1, None),
                Cell::Signal(index) => {
                    let column = &self.recording.columns[*index];
                    (column.width, Some(column.offset))
                }
            };
            // Most values are plain and small.
            let bits = match number::parse(text, width) {
                Ok(bits) => bits,
                Err(mistake) => {
                    let span = Span::new(self.file, at, at + text.len());
                    return Err(wrong_value(mistake, text, width, span));
                }
            };
            let Some(offset) = offset else {
                self.clock.push(bits.first().copied().flatten());
                continue;
            };
            for (bit, value) in bits.into_iter().enumerate() {
                let (word, bit) = ((offset + bit) / 64, (offset + bit) % 64);
                if let Some(value) = value {
                    self.known[word] |= 1 << bit;
                    self.values[word] |= u64::from(value) << bit;
                }
            }
        }
        self.recording.push_row(&self.values, &self.known);
        Ok(())
    }

    /// The rows that are cycles: all of them, unless the clock moves.
    fn finish(self, is_rising: bool) -> Recording {
        let clock = &self.clock;
        let moves = clock.contains(&Some(true)) && clock.contains(&Some(false));
        if !moves {
            return self.recording;
        }
        let mut sampled = Recording::with_columns(self.recording.columns.clone());
        sampled.warnings.clone_from(&self.recording.warnings);
        for cycle in 1..self.recording.cycles() {
            let is_edge = clock[cycle] == Some(is_rising) && clock[cycle - 1] != Some(is_rising);
            if is_edge {
                let row = self.recording.row(cycle - 1);
                sampled.push_row(row.values, row.known);
            }
        }
        sampled
    }
}

fn unknown(name: &str, span: Span, interface: &Interface<'_>) -> Diagnostic {
    let message = format!("`{name}` is no signal of the design");
    let diagnostic = Diagnostic::error(codes::UNKNOWN_COLUMN, message).at(span, "a column");
    let signals = interface.design.signals();
    let names = interface.ports.iter().map(|port| port.name.as_str());
    let names = names.chain(signals.iter().map(|word| word.name.as_str()));
    match did_you_mean(name, names) {
        Some(help) => diagnostic.help(help),
        None => diagnostic.help("name columns as the design does, and leave out all others"),
    }
}

fn wrong_value(mistake: Mistake, text: &str, width: usize, span: Span) -> Diagnostic {
    let (message, help) = match mistake {
        Mistake::NotANumber if text.is_empty() => (
            "a value is missing".to_string(),
            "write `x` for an input that is not driven or an output that does not count",
        ),
        Mistake::NotANumber => (
            format!("`{text}` is no value"),
            "values are decimal, 0x1f, 0b01x, 8'hff or x",
        ),
        Mistake::TooWide => (
            format!("`{text}` does not fit in {width} bits"),
            "the signal of this column is narrower",
        ),
    };
    Diagnostic::error(codes::BAD_RECORDING, message)
        .at(span, "here")
        .help(help)
}
