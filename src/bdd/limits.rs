//! Why an operation stopped early, and what it may use.

use crate::limits::{self, Stop};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Why an operation gave no result. The manager stays usable and every handle valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// [`Limits::deadline`] has passed.
    Deadline,
    /// [`Limits::interrupt`] was raised.
    Interrupted,
    /// The result needs more nodes than [`Limits::nodes`].
    Nodes,
    /// The result needs more memory than [`Limits::memory`], or than the machine has.
    Memory,
    /// [`Limits::lookups`] have been made, or [`Limits::work`] was done.
    Effort,
    /// More variables than a manager can hold.
    Variables,
}

pub type Result<T> = std::result::Result<T, Error>;

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Error::Deadline => "the time limit has passed",
            Error::Interrupted => "interrupted",
            Error::Nodes => "the limit on decision-diagram nodes is reached",
            Error::Memory => "the memory limit is reached",
            Error::Effort => "the limit on look-ups of the computed table is reached",
            Error::Variables => "too many decision-diagram variables",
        })
    }
}

impl std::error::Error for Error {}

/// What operations may use. The default is no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Operations end with [`Error::Deadline`] soon after this moment.
    pub deadline: Option<Instant>,
    /// At most this many nodes are live at once. Level swaps of a running reordering may
    /// pass it for a moment, by one level's nodes.
    pub nodes: Option<usize>,
    /// At most this many bytes for nodes, tables and caches.
    pub memory: Option<usize>,
    /// Operations end with [`Error::Effort`] soon after the manager has made so many
    /// look-ups of the computed table, all before included. Unlike a deadline, this ends the
    /// same operation each time.
    pub lookups: Option<u64>,
    /// The same for [`Statistics::work`](super::Statistics::work), which also counts
    /// reorderings: so much is done in about the same time on all diagrams. A reordering that
    /// has begun goes on to its end; one that seems to need several times the work that is left
    /// does not begin.
    pub work: Option<u64>,
    /// Where searches add up their work, for whoever divides it among several of them.
    pub meter: Option<Meter>,
    /// Operations end with [`Error::Interrupted`] soon after this is set.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// What the whole run may use, which no part of it can go beyond.
    pub run: Option<limits::Limits>,
}

impl Limits {
    /// The same with a part of the time that is left; when that is over, these limits are not.
    pub fn with_share_of_time(&self, share: f64) -> Limits {
        let now = Instant::now();
        let deadline = |end: Instant| now + end.saturating_duration_since(now).mul_f64(share);
        Limits {
            deadline: self.deadline.map(deadline),
            run: self.run.as_ref().map(|run| run.with_share_of_time(share)),
            ..self.clone()
        }
    }

    /// The same with at most so much processor time from now on; when that is over, these limits
    /// are not. Unlike a deadline, it is as much on a busy machine.
    pub fn within_processor_time(&self, most: Duration) -> Limits {
        let run = self.run.clone().unwrap_or_default();
        Limits {
            run: Some(run.within_processor_time(most)),
            ..self.clone()
        }
    }

    /// Fails if the time or the memory of the process is over or somebody interrupts, for work
    /// outside of diagrams.
    pub fn check(&self) -> Result<()> {
        let interrupted = self.interrupt.as_ref();
        if interrupted.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return Err(Error::Interrupted);
        }
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(Error::Deadline);
        }
        match &self.run {
            // No `From`: with it, `?` in many generic places could mean either error.
            Some(run) => run.check().map_err(|stop| match stop {
                Stop::Interrupted => Error::Interrupted,
                Stop::OutOfTime => Error::Deadline,
                Stop::OutOfMemory => Error::Memory,
            }),
            None => Ok(()),
        }
    }
}

/// The work of all searches that were told of it, in about the unit of [`Limits::work`]. Clones
/// share the sum.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    pub fn add(&self, work: u64) {
        let total = |sum: u64| Some(sum.saturating_add(work));
        let _ = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, total);
    }

    pub fn total(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl limits::Limits {
    /// The same for decision diagrams, and for all that works with them.
    pub fn for_diagrams(&self) -> Limits {
        Limits {
            deadline: self.deadline(),
            nodes: None,
            lookups: None,
            work: None,
            meter: None,
            // More than the address space holds is no limit.
            memory: self.memory_bytes().and_then(|bytes| bytes.try_into().ok()),
            interrupt: Some(self.interrupt().clone()),
            run: Some(self.clone()),
        }
    }
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        match error {
            Error::Interrupted => Stop::Interrupted,
            Error::Deadline => Stop::OutOfTime,
            _ => Stop::OutOfMemory,
        }
    }
}

/// When variables are reordered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reordering {
    /// Reorder inside operations when the diagrams have grown enough. Otherwise only on request.
    pub automatic: bool,
    /// How many live nodes call for the first automatic reordering.
    pub first_at: usize,
    /// A variable's search in one direction ends when the diagrams have grown by this factor.
    pub max_growth: f64,
    /// One reordering takes at most this long.
    pub time_limit: Option<Duration>,
}

/// What one reordering moves, beside the groups that the user made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    /// Single variables, and neighbours that seem to belong together as one.
    Joining,
    /// Single variables.
    Plain,
    /// As many neighbours at a time, whether they belong together or not; the first run is
    /// shorter if `offset` is not zero.
    Runs { length: usize, offset: usize },
}

impl Default for Reordering {
    fn default() -> Reordering {
        Reordering {
            automatic: true,
            first_at: 4_000,
            max_growth: 1.1,
            time_limit: None,
        }
    }
}
