//! The registry of all diagnostics: every code, its title and its explanation.
//!
//! A stage that needs a new one adds an entry to its own table under `codes/`, made with the
//! `codes!` macro below, and uses the constant: `Diagnostic::error(codes::frame::NOT_UTF8, ...)`.
//! A stage without a table adds a file there and a line to [`RANGES`]. Numbers are handed out
//! by the hundred: 1 files and options, 100 netlists, AIGER and what all designs share, 200
//! expressions, formulas and property files, 300 Verilog and Yosys JSON, 400 Spectra, TLSF
//! and slugs, 500 objectives and games, 600 repair, 700 explanations, 800 certification, 900
//! recorded runs and references. A
//! code that was once released keeps its number for ever; when its problem can no longer
//! happen, the entry stays and says so.
//!
//! The tests below check that numbers are unique and inside their stage's range, that each
//! explanation has an example and a way out, and that some code makes the diagnostic.

use super::Code;

/// What `respin help-code` says of one code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub code: Code,
    /// The name of the constant.
    pub name: &'static str,
    /// The problem in a few words, without a full stop.
    pub title: &'static str,
    /// What it means, then `Example:` with the mistake, then `To fix:` with the way out.
    pub explanation: &'static str,
}

/// The numbers that one stage may use.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub stage: &'static str,
    pub first: u16,
    pub last: u16,
    pub entries: &'static [Entry],
}

/// Declares the constants of a stage and its table of entries.
macro_rules! codes {
    ($($name:ident = $number:literal, $title:literal, $explanation:literal;)*) => {
        $(
            #[doc = $title]
            pub const $name: $crate::source::Code = $crate::source::Code($number);
        )*

        pub(super) const TABLE: &[super::Entry] = &[$(
            super::Entry {
                code: $name,
                name: stringify!($name),
                title: $title,
                explanation: $explanation,
            },
        )*];
    };
}

pub mod certify;
pub mod design;
pub mod explanation;
pub mod expression;
pub mod frame;
pub mod game;
pub mod property;
pub mod repair;
pub mod specification;
pub mod trace;
pub mod verilog;

pub const RANGES: &[Range] = &[
    Range {
        stage: "files, options and the program itself",
        first: 1,
        last: 99,
        entries: frame::TABLE,
    },
    Range {
        stage: "designs: netlists, AIGER, components, atoms",
        first: 100,
        last: 199,
        entries: design::TABLE,
    },
    Range {
        stage: "the text of expressions and formulas",
        first: 200,
        last: 219,
        entries: expression::TABLE,
    },
    Range {
        stage: "property files and properties",
        first: 220,
        last: 299,
        entries: property::TABLE,
    },
    Range {
        stage: "Verilog and Yosys netlists",
        first: 300,
        last: 399,
        entries: verilog::TABLE,
    },
    Range {
        stage: "specifications in Spectra, slugs, TLSF and HOA",
        first: 400,
        last: 499,
        entries: specification::TABLE,
    },
    Range {
        stage: "objectives and games",
        first: 500,
        last: 599,
        entries: game::TABLE,
    },
    Range {
        stage: "repair",
        first: 600,
        last: 699,
        entries: repair::TABLE,
    },
    Range {
        stage: "explanations of specifications",
        first: 700,
        last: 799,
        entries: explanation::TABLE,
    },
    Range {
        stage: "certification",
        first: 800,
        last: 899,
        entries: certify::TABLE,
    },
    Range {
        stage: "recorded runs and references",
        first: 900,
        last: 999,
        entries: trace::TABLE,
    },
];

/// All entries in the order of their numbers.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    RANGES.iter().flat_map(|range| range.entries)
}

pub fn find(code: Code) -> Option<&'static Entry> {
    all().find(|entry| entry.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn numbers_are_unique_and_ascend() {
        let codes: Vec<Code> = all().map(|entry| entry.code).collect();
        assert!(
            codes.is_sorted_by(|left, right| left < right),
            "not ascending: {codes:?}"
        );
    }

    #[test]
    fn numbers_are_inside_the_range_of_their_stage() {
        for range in RANGES {
            for entry in range.entries {
                assert!(
                    (range.first..=range.last).contains(&entry.code.0),
                    "{} is no code of {}",
                    entry.code,
                    range.stage
                );
            }
        }
    }

    #[test]
    fn titles_are_short_and_have_no_full_stop() {
        for entry in all() {
            let suitable = (1..=60).contains(&entry.title.len()) && !entry.title.ends_with('.');
            assert!(suitable, "title of {}: {:?}", entry.code, entry.title);
        }
    }

    #[test]
    fn explanations_have_an_example_and_a_way_out() {
        for entry in all() {
            for part in ["\nExample:\n", "\nTo fix:"] {
                assert!(
                    entry.explanation.contains(part),
                    "{} has no {part:?}",
                    entry.code
                );
            }
        }
    }

    #[test]
    fn explanations_fit_a_terminal() {
        for entry in all() {
            for line in entry.explanation.lines() {
                assert!(line.chars().count() <= 80, "{}: {line:?}", entry.code);
            }
        }
    }

    #[test]
    fn every_code_is_used_somewhere() {
        let mut program = String::new();
        collect(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
            &mut program,
        );
        for entry in all() {
            assert!(
                program.contains(&format!("::{}", entry.name)),
                "nothing reports {} ({})",
                entry.code,
                entry.name
            );
        }
    }

    /// All of the program but the tables themselves.
    fn collect(folder: &Path, program: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with("source/codes") {
                continue;
            } else if path.is_dir() {
                collect(&path, program);
            } else if !path.ends_with("source/codes.rs") {
                program.push_str(&fs::read_to_string(&path).unwrap());
            }
        }
    }
}
