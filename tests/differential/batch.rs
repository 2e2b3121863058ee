//! Many seeds on all processors, and the first failure made smaller.

use super::choices::{Choices, shrink};
use super::seed::given_seed;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Attempts to make a failing case smaller.
const ATTEMPTS: usize = 150;

/// Cases between two lines about the progress.
const PROGRESS: usize = 50;

/// What is wrong with a case: its text and a complaint.
pub type Wrong = String;

/// How many cases ended in which way.
pub type Counts<const N: usize> = [usize; N];

/// Judges the designs of all seeds; a judge gives the kind of answer, or what is wrong. `None`
/// if one seed was asked for, whose counts say nothing.
pub fn run<const N: usize>(
    name: &str,
    cases: u64,
    judge: impl Fn(&mut Choices, &Path) -> Result<usize, Wrong> + Sync,
) -> Option<Counts<N>> {
    let seeds = match given_seed() {
        Some(seed) => seed..seed + 1,
        None => 0..cases,
    };
    let next = AtomicU64::new(seeds.start);
    let all = Mutex::new(([0; N], Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, |number| number.get());
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, all, judge, end) = (&next, &all, &judge, seeds.end);
            scope.spawn(move || {
                let folder = folder(&format!("{name}{thread}"));
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end {
                        break;
                    }
                    let mut choices = Choices::random(seed);
                    let answer = judge(&mut choices, &folder);
                    let mut all = all.lock().expect("no panic");
                    match answer {
                        Ok(kind) => all.0[kind] += 1,
                        Err(_) => {
                            eprintln!("{name}: seed {seed} fails");
                            all.1.push((seed, choices.made().to_vec()));
                        }
                    }
                    // A long run that is ended early has said something.
                    let done = all.0.iter().sum::<usize>() + all.1.len();
                    if done.is_multiple_of(PROGRESS) {
                        eprintln!("{name}: {done} done, {} failed", all.1.len());
                    }
                }
            });
        }
    });
    let (counts, mut failures) = all.into_inner().expect("no panic");
    failures.sort();
    if let Some((seed, made)) = failures.first() {
        let folder = folder(&format!("{name}_shrinking"));
        let fails = |made: &[usize]| judge(&mut Choices::replay(made), &folder).is_err();
        let made = shrink(made.clone(), ATTEMPTS, fails);
        let wrong = judge(&mut Choices::replay(&made), &folder).err();
        let seeds: Vec<u64> = failures.iter().map(|(seed, _)| *seed).collect();
        panic!(
            "seeds {seeds:?}; seed {seed}, made smaller:\n{}",
            wrong.unwrap_or_default()
        );
    }
    given_seed().is_none().then_some(counts)
}

fn folder(name: &str) -> PathBuf {
    // Several runs of the tests may be under way at once.
    let name = format!("differential_{name}_{}", std::process::id());
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}
