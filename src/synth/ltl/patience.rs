//! How long a search goes on that makes circuits smaller: nothing depends on what it finds.

use crate::bdd::Limits;
use crate::limits::processor_time;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// When to end, in processor time: other programs make no difference.
pub struct Patience {
    start: Duration,
    time: Duration,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Patience {
    /// From now on; at once if somebody interrupts.
    pub fn new(time: Duration, limits: &Limits) -> Patience {
        Patience {
            start: processor_time(),
            time,
            interrupt: limits.interrupt.clone(),
        }
    }

    pub fn is_over(&self) -> bool {
        let interrupt = self.interrupt.as_ref();
        interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed))
            || processor_time().saturating_sub(self.start) > self.time
    }
}
