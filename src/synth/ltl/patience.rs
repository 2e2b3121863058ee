//! How long a search goes on that makes circuits smaller: nothing depends on what it finds.

use crate::limits::processor_time;
use std::time::Duration;

/// When to end, in processor time: other programs make no difference.
#[derive(Clone, Copy)]
pub struct Patience {
    start: Duration,
    time: Duration,
}

impl Patience {
    pub fn new(time: Duration) -> Patience {
        Patience {
            start: processor_time(),
            time,
        }
    }

    pub fn is_over(&self) -> bool {
        processor_time().saturating_sub(self.start) > self.time
    }
}
