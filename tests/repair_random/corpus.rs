//! Many cases, and all that fail of them.

use super::prove::Proofs;
use super::seed::given_seed;
use std::ops::Range;
use std::time::Instant;

/// Checks each seed, then proves what the checks left to prove, and lists every failure. With
/// `RESPIN_SEED` set, only that seed.
pub fn check_seeds(
    name: &str,
    seeds: Range<u64>,
    check: impl Fn(u64, &mut Proofs) -> Result<(), String>,
) {
    let only = given_seed();
    let mut proofs = Proofs::new(&format!("{name}_{}", seeds.start));
    let mut failures = Vec::new();
    for seed in seeds.filter(|seed| only.is_none_or(|only| only == *seed)) {
        let start = Instant::now();
        if let Err(message) = check(seed, &mut proofs) {
            failures.push(format!("seed {seed}: {message} ({:.1?})", start.elapsed()));
        }
    }
    for label in proofs.refuted() {
        failures.push(format!("{label}: refuted by ABC"));
    }
    let count = failures.len();
    assert!(count == 0, "{count} failures\n{}", failures.join("\n"));
}
