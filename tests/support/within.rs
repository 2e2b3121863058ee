//! How long a question of a test may take.

use respin::bdd::Limits;
use std::time::{Duration, Instant};

pub fn within(seconds: u64) -> Limits {
    Limits {
        deadline: Some(Instant::now() + Duration::from_secs(seconds)),
        ..Limits::default()
    }
}
