//! When work has to stop before it is done: time, memory, or the user.

use crate::bdd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a run may use. It is handed on to whatever takes long.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    pub memory_bytes: Option<u64>,
    /// Set when the user wants the command to end.
    pub interrupt: Arc<AtomicBool>,
}

/// Why work stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Interrupted,
    OutOfTime,
    OutOfMemory,
}

impl Stop {
    pub fn reason(self) -> &'static str {
        match self {
            Stop::Interrupted => "interrupted",
            Stop::OutOfTime => "the time limit was reached",
            Stop::OutOfMemory => "the memory limit was reached",
        }
    }
}

impl From<bdd::Error> for Stop {
    fn from(error: bdd::Error) -> Stop {
        match error {
            bdd::Error::Interrupted => Stop::Interrupted,
            bdd::Error::Deadline => Stop::OutOfTime,
            _ => Stop::OutOfMemory,
        }
    }
}

impl Limits {
    pub fn new(
        timeout: Option<Duration>,
        memory_bytes: Option<u64>,
        interrupt: Arc<AtomicBool>,
    ) -> Limits {
        Limits {
            // A time so far away that the clock cannot hold it is no limit.
            deadline: timeout.and_then(|timeout| Instant::now().checked_add(timeout)),
            memory_bytes,
            interrupt,
        }
    }

    /// The same for decision diagrams.
    pub fn for_diagrams(&self) -> bdd::Limits {
        bdd::Limits {
            deadline: self.deadline,
            nodes: None,
            lookups: None,
            work: None,
            // More than the address space holds is no limit.
            memory: self.memory_bytes.and_then(|bytes| bytes.try_into().ok()),
            interrupt: Some(self.interrupt.clone()),
        }
    }

    /// Memory is watched by those who allocate it, so it is not asked about here.
    pub fn check(&self) -> Result<(), Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::OutOfTime),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_limits_never_stop() {
        assert_eq!(Limits::default().check(), Ok(()));
    }

    #[test]
    fn a_deadline_that_is_over_stops() {
        let limits = Limits::new(Some(Duration::ZERO), None, Arc::default());
        assert_eq!(limits.check(), Err(Stop::OutOfTime));
    }

    #[test]
    fn a_deadline_ahead_does_not_stop() {
        let limits = Limits::new(Some(Duration::from_secs(3600)), None, Arc::default());
        assert_eq!(limits.check(), Ok(()));
    }

    #[test]
    fn a_timeout_past_the_end_of_the_clock_is_no_limit() {
        let limits = Limits::new(Some(Duration::MAX), None, Arc::default());
        assert_eq!(limits.deadline, None);
    }

    #[test]
    fn an_interrupt_comes_before_a_deadline() {
        let interrupt = Arc::new(AtomicBool::new(true));
        let limits = Limits::new(Some(Duration::ZERO), None, interrupt);
        assert_eq!(limits.check(), Err(Stop::Interrupted));
    }
}
