//! How a random test is repeated.

/// `RESPIN_SEED`, if it is set.
pub fn given_seed() -> Option<u64> {
    let text = std::env::var("RESPIN_SEED").ok()?;
    Some(text.parse().expect("RESPIN_SEED is a number"))
}
