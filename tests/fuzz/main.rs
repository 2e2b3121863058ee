//! Texts that nobody would write, for every reader and every command.
//!
//! Each case is a seed: it chooses a target, a text of the corpus, and how the text is changed.
//! No case may panic, abort, take more than four seconds of processor time or let the process
//! have more than 700 MB, with the limits that users have (`--timeout 2 --memory 500M`). What
//! panics is made smaller before it is shown.
//!
//! `RESPIN_FUZZ_CASES` and `RESPIN_FUZZ_COMMANDS` say how many cases the two tests run,
//! `RESPIN_FUZZ_START` the first seed, and `RESPIN_SEED` one seed alone. `docs/fuzzing.md` has
//! the long run.

#[path = "../support/child.rs"]
mod child;
mod commands;
mod corpus;
mod mutate;
mod readers;
#[path = "../support/seed.rs"]
mod seed;

/// The limits of each case, and what no case may go beyond.
pub const TIMEOUT_SECONDS: u64 = 2;
pub const MEMORY_MEGABYTES: u64 = 500;
pub const MOST_PROCESSOR_SECONDS: f64 = 4.0;
pub const MOST_RESIDENT: u64 = 700 << 20;

/// The seeds of a run: one, if it was asked for, or as many as `variable` says.
fn seeds(variable: &str, usual: u64) -> Vec<u64> {
    if let Some(seed) = seed::given_seed() {
        return vec![seed];
    }
    let number = |name: &str, usual: u64| match std::env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is a number")),
        Err(_) => usual,
    };
    let first = number("RESPIN_FUZZ_START", 0);
    (first..first + number(variable, usual)).collect()
}

#[test]
fn every_reader_reads_or_refuses() {
    readers::run(&seeds("RESPIN_FUZZ_CASES", 4_000));
}

#[test]
fn every_command_answers() {
    commands::run(&seeds("RESPIN_FUZZ_COMMANDS", 40));
}
