//! How long a random test is.

/// `RESPIN_CASES`, for a long run, or as many cases as a usual one has.
pub fn cases(usual: u64) -> u64 {
    match std::env::var("RESPIN_CASES") {
        Ok(number) => number.parse().expect("RESPIN_CASES is a number"),
        Err(_) => usual,
    }
}
