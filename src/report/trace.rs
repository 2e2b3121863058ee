//! The table of a run, for people.
//!
//! Each signal has a row and each step a column; a dot stands for "as in the step before", so
//! that changes catch the eye. Steps that repeat for ever are starred.

use crate::run::{Run, Signal, binary};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Tables are cut into blocks of this width.
const TABLE_WIDTH: usize = 96;
/// Words up to this width are shown bit by bit: they are often one-hot.
const WIDEST_BINARY: usize = 4;
/// Memories of more words are shown without those that are always 0.
const MOST_WORDS: usize = 16;
/// Wider words are shown in hexadecimal.
const WIDEST_DECIMAL: usize = 32;

/// A value for people; a question mark where any would do.
fn cell(value: &Option<Vec<bool>>) -> String {
    value.as_deref().map_or("?".to_string(), number)
}

/// The number that bits stand for.
pub(super) fn number(bits: &[bool]) -> String {
    if bits.len() <= WIDEST_BINARY {
        return binary(bits);
    }
    if bits.len() <= WIDEST_DECIMAL {
        let add = |value: u64, bit: &bool| value << 1 | u64::from(*bit);
        return bits.iter().rev().fold(0, add).to_string();
    }
    let nibbles = bits.chunks(4).rev().map(|nibble| {
        let add = |value: u32, bit: &bool| value << 1 | u32::from(*bit);
        let value = nibble.iter().rev().fold(0, add);
        char::from_digit(value, 16).unwrap_or('?')
    });
    let digits: String = nibbles.collect();
    let significant = digits.trim_start_matches('0');
    format!(
        "0x{}",
        if significant.is_empty() {
            "0"
        } else {
            significant
        }
    )
}

/// Takes the words of large memories away that are 0 in each step; gives their numbers.
fn take_resting_words(rows: &mut Vec<&Signal>) -> BTreeMap<String, usize> {
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    for memory in rows.iter().filter_map(|row| memory_of(&row.name)) {
        *words.entry(memory.to_string()).or_default() += 1;
    }
    words.retain(|_, count| *count > MOST_WORDS);
    let mut resting = BTreeMap::new();
    rows.retain(|row| {
        let is_zero = |value: &Option<Vec<bool>>| value.iter().flatten().all(|bit| !bit);
        let memory = memory_of(&row.name).filter(|memory| words.contains_key(*memory));
        match memory {
            Some(memory) if row.values.iter().all(is_zero) => {
                *resting.entry(memory.to_string()).or_default() += 1;
                false
            }
            _ => true,
        }
    });
    resting
}

/// The memory that a row `memory[3]` or `memory[3][7:0]` is a word of.
fn memory_of(name: &str) -> Option<&str> {
    let (rest, last) = name.strip_suffix(']')?.rsplit_once('[')?;
    let (memory, index) = match last.contains(':') {
        true => rest.strip_suffix(']')?.rsplit_once('[')?,
        false => (rest, last),
    };
    index.parse::<usize>().ok().map(|_| memory)
}

impl Run {
    /// The table of the relevant signals.
    pub fn table(&self) -> String {
        let relevant = self.signals.iter().filter(|signal| signal.relevant);
        let mut rows: Vec<&Signal> = relevant.collect();
        let irrelevant = self.signals.len() - rows.len();
        let resting = take_resting_words(&mut rows);
        let mut header: Vec<String> = (0..self.steps).map(|step| self.heading(step)).collect();
        let mut cells: Vec<Vec<String>> = Vec::new();
        for signal in &rows {
            cells.push(signal.values.iter().map(cell).collect());
        }
        let kinds = rows.iter().map(|signal| signal.kind.word().len());
        let kind_width = kinds.max().unwrap_or(0);
        let names = rows.iter().map(|signal| signal.name.chars().count());
        let name_width = names.max().unwrap_or(0).max("step".len());
        let mut widths: Vec<usize> = header.iter().map(String::len).collect();
        for row in &cells {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.len());
            }
        }
        for (cell, width) in header.iter_mut().zip(&widths) {
            *cell = format!("{cell:<width$}");
        }
        let mut text = String::new();
        let mut start = 0;
        while start < self.steps {
            let end = self.block_end(start, &widths, 4 + kind_width + name_width);
            if start > 0 {
                text.push('\n');
            }
            let heading = header[start..end].join(" ");
            let line = format!("  {:kind_width$} {:<name_width$}  {heading}", "", "step");
            let _ = writeln!(text, "{}", line.trim_end());
            for (signal, row) in rows.iter().zip(&cells) {
                let kind = signal.kind.word();
                let mut line = format!("  {kind:kind_width$} {:<name_width$} ", signal.name);
                for (step, &width) in widths.iter().enumerate().take(end).skip(start) {
                    // The first step of the loop also follows the last one.
                    let shown = step == start || self.loop_start == Some(step);
                    let same = !shown && row.get(step) == row.get(step - 1);
                    let cell = row.get(step).map_or("", String::as_str);
                    let _ = write!(line, " {:<width$}", if same { "." } else { cell });
                }
                let _ = writeln!(text, "{}", line.trim_end());
            }
            start = end;
        }
        for (memory, words) in resting {
            let _ = writeln!(text, "  ({words} words of {memory} stay 0)");
        }
        if irrelevant > 0 {
            let rest = match irrelevant {
                1 => "1 more signal does not matter here".to_string(),
                _ => format!("{irrelevant} more signals do not matter here"),
            };
            let _ = writeln!(text, "  ({rest})");
        }
        text
    }

    fn heading(&self, step: usize) -> String {
        match self.loop_start {
            Some(start) if step >= start => format!("{step}*"),
            _ => step.to_string(),
        }
    }

    /// Where a block of columns that begins at a step ends; it has at least one.
    fn block_end(&self, start: usize, widths: &[usize], margin: usize) -> usize {
        let mut end = start + 1;
        let mut used = margin + widths[start] + 1;
        while end < self.steps && used + widths[end] < TABLE_WIDTH {
            used += widths[end] + 1;
            end += 1;
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::SignalKind;

    fn signal(name: &str, kind: SignalKind, width: usize, values: &[u64]) -> Signal {
        let bits = |value: &u64| Some((0..width).map(|bit| value >> bit & 1 == 1).collect());
        let values = values.iter().map(bits).collect();
        Signal {
            name: name.to_string(),
            kind,
            width,
            relevant: true,
            values,
        }
    }

    fn check_table(run: &Run, expected: &str) {
        assert_eq!(run.table(), expected);
    }

    #[test]
    fn words_of_large_memories_that_stay_0_are_counted() {
        let word = |number: usize, value: u64| {
            signal(
                &format!("m[{number}][4:0]"),
                SignalKind::Latch,
                5,
                &[0, value],
            )
        };
        let mut signals: Vec<Signal> = (0..20).map(|number| word(number, 0)).collect();
        signals[7] = word(7, 9);
        let run = Run {
            steps: 2,
            loop_start: None,
            signals,
        };
        let expected = "        step       0 1\n  \
                        latch m[7][4:0]  0 9\n  \
                        (19 words of m stay 0)\n";
        check_table(&run, expected);
    }

    #[test]
    fn unchanged_values_are_dots_and_loops_have_stars() {
        let signals = vec![
            signal("req", SignalKind::Input, 1, &[0, 1, 1, 1]),
            signal("count", SignalKind::Latch, 5, &[9, 10, 10, 10]),
            signal("state", SignalKind::Latch, 2, &[1, 1, 2, 1]),
        ];
        check_table(
            &Run {
                steps: 4,
                loop_start: Some(2),
                signals,
            },
            concat!(
                "        step   0  1  2* 3*\n",
                "  input req    0  1  1  .\n",
                "  latch count  9  10 10 .\n",
                "  latch state  01 .  10 01\n",
            ),
        );
    }

    #[test]
    fn signals_that_do_not_matter_are_counted() {
        let mut other = signal("other", SignalKind::Input, 1, &[0]);
        other.relevant = false;
        let signals = vec![signal("req", SignalKind::Input, 1, &[0]), other];
        check_table(
            &Run {
                steps: 1,
                loop_start: None,
                signals,
            },
            concat!(
                "        step  0\n",
                "  input req   0\n",
                "  (1 more signal does not matter here)\n",
            ),
        );
    }

    /// The table of a signal that never changes.
    fn constant_table(steps: usize) -> String {
        let signals = vec![signal("a", SignalKind::Input, 1, &vec![1; steps])];
        let run = Run {
            steps,
            loop_start: None,
            signals,
        };
        run.table()
    }

    #[test]
    fn long_runs_are_cut_into_blocks() {
        let table = constant_table(40);
        let blocks = table.lines().filter(|line| line.contains("step")).count();
        assert_eq!(blocks, 2, "{table}");
    }

    #[test]
    fn no_block_is_wider_than_a_terminal() {
        let table = constant_table(1200);
        let widest = table.lines().map(str::len).max();
        assert!(widest <= Some(TABLE_WIDTH), "{table}");
    }

    #[test]
    fn wide_words_are_hexadecimal() {
        let mut bits = vec![false; 40];
        bits[33] = true;
        bits[0] = true;
        assert_eq!(number(&bits), "0x200000001");
    }
}
