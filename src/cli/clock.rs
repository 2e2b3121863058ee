//! Processor time, which other programs on the machine do not change.

use std::fs;
use std::time::Instant;

/// Started when work starts.
pub struct Clock {
    start: Instant,
    used: Option<f64>,
}

impl Clock {
    pub fn start() -> Clock {
        Clock {
            start: Instant::now(),
            used: processor_seconds(),
        }
    }

    /// The time that has passed, whoever used the processor.
    pub fn wall_seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Of the thread that asks; where the system does not tell, the time that has passed.
    pub fn seconds(&self) -> f64 {
        match (processor_seconds(), self.used) {
            (Some(now), Some(then)) => now - then,
            _ => self.start.elapsed().as_secs_f64(),
        }
    }
}

/// Linux counts the nanoseconds of each thread.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_does_not_run_backwards() {
        let clock = Clock::start();
        let first = clock.seconds();
        let sum: u64 = (0..100_000_u64).map(std::hint::black_box).sum();
        assert!(std::hint::black_box(sum) > 0);
        assert!(first >= 0.0 && clock.seconds() >= first);
    }
}
