//! Every text that a report shows or lists is a correction: applied to the source and verified
//! on its own, it passes.
//!
//! The designs are made so that random runs say little. They compare wide words, and beside
//! the right expression stand others that differ from it on one input in thousands or
//! millions. Whoever takes two edits for equal because they behave alike on some runs lists a
//! wrong one here.
//!
//! The seed of a failing case is printed with the smallest case that still fails, and
//! `RESPIN_SEED=N` runs it alone. `RESPIN_CASES=1000` makes the long run.

mod case;
#[path = "../support/cases.rs"]
mod cases;
mod judge;
mod one_case;
mod report;
#[path = "../support/seed.rs"]
mod seed;

use case::Case;
use judge::Folder;
use respin::random::Random;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Cases of a quick run.
const CASES: u64 = 100;
/// Cases of the long run that once listed a line of which only one of two edits was made.
const TWO_EDITS_OF_A_LINE: [u64; 3] = [213, 337, 546];
/// After so many cases a run says how far it got.
const REPORTED: usize = 100;
/// One in so many texts is also judged by ABC.
const SAMPLE: usize = 8;

fn case(seed: u64) -> Case {
    Case::random(&mut Random::new(seed))
}

/// What a run over many cases met, so that it cannot pass by meeting nothing.
#[derive(Default)]
struct Tally {
    judged: usize,
    repaired: usize,
    listed: usize,
    sample: Vec<(Case, String)>,
    failures: Vec<u64>,
}

#[test]
fn no_report_lists_a_text_that_fails() {
    if let Some(seed) = seed::given_seed() {
        if let Some(complaint) = judge::complaint(&case(seed), &Folder::new("given")) {
            panic!("{complaint}");
        }
        return;
    }
    let cases = cases::cases(CASES);
    let known = TWO_EDITS_OF_A_LINE
        .into_iter()
        .filter(|seed| *seed >= cases);
    let seeds: Vec<u64> = (0..cases).chain(known).collect();
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    let threads = std::thread::available_parallelism().map_or(1, |number| number.get());
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, seeds, tally) = (&next, &seeds, &tally);
            scope.spawn(move || {
                let folder = Folder::new(&format!("random{thread}"));
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(seed) = seeds.get(index) else {
                        break;
                    };
                    run(*seed, &folder, tally);
                }
            });
        }
    });
    let mut tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    tally.failures.sort();
    if let Some(seed) = tally.failures.first() {
        let folder = Folder::new("shrinking");
        let smallest = judge::shrink(case(*seed), &folder);
        let complaint = judge::complaint(&smallest, &folder).unwrap_or_default();
        panic!(
            "seeds {:?} of {cases}; seed {seed}, made smaller:\n{complaint}",
            tally.failures
        );
    }
    let cases = cases as usize;
    let Tally {
        repaired, listed, ..
    } = tally;
    assert!(10 * repaired >= 9 * cases, "{repaired} of {cases} repaired");
    assert!(listed >= 2 * cases, "{listed} texts of {cases} cases");
    let refuted = judge::refuted_by_abc(&tally.sample);
    assert!(refuted.is_empty(), "ABC refutes\n{}", refuted.join("\n"));
}

fn run(seed: u64, folder: &Folder, tally: &Mutex<Tally>) {
    let case = case(seed);
    let outcome = judge::judge(&case, folder);
    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    tally.judged += 1;
    if tally.judged.is_multiple_of(REPORTED) {
        eprintln!("{} cases, {} failures", tally.judged, tally.failures.len());
    }
    match outcome {
        Err(_) => {
            // A long run that is ended early has told what it met.
            eprintln!("seed {seed} fails");
            tally.failures.push(seed);
        }
        Ok(texts) => {
            tally.repaired += usize::from(!texts.is_empty());
            for text in texts {
                if tally.listed.is_multiple_of(SAMPLE) {
                    tally.sample.push((case.clone(), text));
                }
                tally.listed += 1;
            }
        }
    }
}

/// The judge itself can tell: a text that is right but for one input in millions fails.
#[test]
fn a_text_that_is_wrong_on_one_input_is_found() {
    let case = Case::wide();
    let folder = Folder::new("wrong");
    let right = case.text().replace("assign y = near;", "assign y = hit;");
    let wrong = case.text().replace("assign y = near;", "assign y = 1'b0;");
    assert_eq!(judge::verify(&case, &right, &folder), Ok(()));
    assert!(judge::verify(&case, &wrong, &folder).is_err());
    let sample = [(case.clone(), right), (case, wrong.clone())];
    let refuted = judge::refuted_by_abc(&sample);
    assert_eq!(refuted, [wrong]);
}
