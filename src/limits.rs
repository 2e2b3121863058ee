//! When work has to stop before it is done: time, processor time, memory, or the user.
//!
//! One [`Limits`] goes from the readers to the solvers: `Sources` carry it to whatever reads a
//! text, `bdd::Limits` to whatever computes. Whoever loops over something that a user gave
//! calls [`Limits::poll`], which costs two loads and now and then looks at the clock.
//!
//! Memory is what the process really has: its resident size, as the system tells it. Counting
//! what is allocated would need an allocator of our own, which is `unsafe`, and would be forced
//! on every program that uses the library; adding up what each data structure believes to use
//! forgets some. Where the system does not tell (it is read from `/proc`), memory is watched
//! by decision diagrams only.
//!
//! Work is counted in checks: how often the run asks whether it has to stop. Unlike time, that is
//! the same number on every machine and in each run, so that what is found within it is the
//! same as well. Whoever looks from outside of the work, by the clock, uses [`Limits::look`],
//! which counts nothing.
//!
//! A limit that was reached stays reached: a reader may give up by itself, as if its text
//! ended, and whoever called it asks [`Limits::check`] before believing what it returns.

use rustix::time::{ClockId, clock_gettime};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How many polls pass between two looks at the clock.
const POLLS: u32 = 128;
/// How much time passes between two questions to the system: they cost some microseconds.
const INTERVAL: Duration = Duration::from_millis(5);

/// What a run may use. It is handed on to whatever takes long; clones share what was reached.
#[derive(Clone, Debug)]
pub struct Limits {
    started: Instant,
    deadline: Option<Instant>,
    /// The processor time of the process at which it ends.
    processor_deadline: Option<Duration>,
    memory_bytes: Option<u64>,
    /// How many checks there may be.
    work: Option<u64>,
    /// Set when the user wants the command to end.
    interrupt: Arc<AtomicBool>,
    meter: Arc<Meter>,
    /// The limit that was reached; 0 is none.
    reached: Arc<AtomicU8>,
}

/// What the clones of a [`Limits`] share.
#[derive(Debug, Default)]
struct Meter {
    polls: AtomicU32,
    /// When the system was asked last, in microseconds after the start.
    asked: AtomicU64,
    /// Checks that were made.
    checks: AtomicU64,
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

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.reason())
    }
}

impl std::error::Error for Stop {}

impl Default for Limits {
    /// No limits.
    fn default() -> Limits {
        Limits::new(None, None, Arc::default())
    }
}

impl Limits {
    pub fn new(
        timeout: Option<Duration>,
        memory_bytes: Option<u64>,
        interrupt: Arc<AtomicBool>,
    ) -> Limits {
        let started = Instant::now();
        Limits {
            started,
            // A time so far away that the clock cannot hold it is no limit.
            deadline: timeout.and_then(|timeout| started.checked_add(timeout)),
            processor_deadline: None,
            memory_bytes,
            work: None,
            interrupt,
            meter: Arc::default(),
            reached: Arc::default(),
        }
    }

    /// The same with a limit on the processor time that the process uses from now on.
    pub fn with_processor_time(mut self, timeout: Option<Duration>) -> Limits {
        self.processor_deadline = timeout.and_then(|timeout| processor_time().checked_add(timeout));
        self
    }

    /// The same with a part of the time, of either kind, and of the work that is left, such as
    /// nine tenths. When that is over, these limits are not.
    pub fn with_share_of_time(&self, share: f64) -> Limits {
        let now = Instant::now();
        let deadline = |end: Instant| now + end.saturating_duration_since(now).mul_f64(share);
        let used = processor_time();
        let processor_deadline = |end: Duration| used + end.saturating_sub(used).mul_f64(share);
        let done = self.work_done();
        let work = |most: u64| done + (most.saturating_sub(done) as f64 * share) as u64;
        Limits {
            deadline: self.deadline.map(deadline),
            processor_deadline: self.processor_deadline.map(processor_deadline),
            work: self.work.map(work),
            reached: Arc::default(),
            ..self.clone()
        }
    }

    /// The same with at most so much processor time from now on. When that is over, these
    /// limits are not.
    pub fn within_processor_time(&self, most: Duration) -> Limits {
        let end = processor_time().checked_add(most);
        let own = self.processor_deadline;
        Limits {
            processor_deadline: own.map_or(end, |own| Some(end.map_or(own, |end| own.min(end)))),
            reached: Arc::default(),
            ..self.clone()
        }
    }

    /// The same with a limit on the work that is done from now on, in checks.
    pub fn with_work(mut self, most: Option<u64>) -> Limits {
        self.work = most.map(|most| self.work_done().saturating_add(most));
        self
    }

    /// How often it was asked whether the run has to stop.
    pub fn work_done(&self) -> u64 {
        self.meter.checks.load(Ordering::Relaxed)
    }

    /// Whether the work that the run may do is done.
    pub fn is_out_of_work(&self) -> bool {
        self.work.is_some_and(|most| self.work_done() >= most)
    }

    /// Whether that is so while there is time left: then nothing may depend on the clock, not even
    /// how soon the run notices.
    pub fn is_out_of_work_only(&self) -> bool {
        self.is_out_of_work() && self.time_left().is_none_or(|left| !left.is_zero())
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    pub fn memory_bytes(&self) -> Option<u64> {
        self.memory_bytes
    }

    /// What the user sets to end the work.
    pub fn interrupt(&self) -> &Arc<AtomicBool> {
        &self.interrupt
    }

    /// How much time is left, of either kind; `None` if there is no end.
    pub fn time_left(&self) -> Option<Duration> {
        let deadline = self
            .deadline
            .map(|end| end.saturating_duration_since(Instant::now()));
        let processor = self
            .processor_deadline
            .map(|end| end.saturating_sub(processor_time()));
        deadline.into_iter().chain(processor).min()
    }

    /// The same as [`Limits::check`], cheap enough for the innermost loop.
    #[inline]
    pub fn poll(&self) -> Result<(), Stop> {
        let polls = self.meter.polls.load(Ordering::Relaxed).wrapping_add(1);
        // Threads that overwrite each other's count look at the clock a little later.
        self.meter.polls.store(polls, Ordering::Relaxed);
        if polls.is_multiple_of(POLLS) || self.reached.load(Ordering::Relaxed) != 0 {
            return self.check();
        }
        Ok(())
    }

    /// Fails if a limit was reached, now or before. Each call is a unit of work.
    pub fn check(&self) -> Result<(), Stop> {
        self.meter.checks.fetch_add(1, Ordering::Relaxed);
        if self.is_out_of_work() && self.reached().is_none() {
            self.reach(Stop::OutOfTime);
        }
        self.look()
    }

    /// Counts what was done since the last check and takes as long as what usually lies between
    /// so many of them.
    pub fn count(&self, checks: u64) {
        self.meter.checks.fetch_add(checks, Ordering::Relaxed);
    }

    /// The same, for those who look at the work from outside: how often they do depends on the
    /// clock, so it counts for nothing.
    pub fn look(&self) -> Result<(), Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted);
        }
        if let Some(stop) = self.reached() {
            return Err(stop);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(self.reach(Stop::OutOfTime));
        }
        if self.processor_deadline.is_none() && self.memory_bytes.is_none() {
            return Ok(());
        }
        let since = now.saturating_duration_since(self.started);
        let asked = Duration::from_micros(self.meter.asked.load(Ordering::Relaxed));
        if since < asked + INTERVAL {
            return Ok(());
        }
        self.meter
            .asked
            .store(since.as_micros() as u64, Ordering::Relaxed);
        self.ask_the_system()
    }

    fn ask_the_system(&self) -> Result<(), Stop> {
        if self
            .processor_deadline
            .is_some_and(|deadline| processor_time() >= deadline)
        {
            return Err(self.reach(Stop::OutOfTime));
        }
        let most = self.memory_bytes.unwrap_or(u64::MAX);
        if resident_bytes().is_some_and(|bytes| bytes > most) {
            return Err(self.reach(Stop::OutOfMemory));
        }
        Ok(())
    }

    /// What a reader returned, unless a limit was reached meanwhile: what was read of a text
    /// that was cut short counts for nothing, nor do complaints about it.
    pub fn unless_reached<T, E: From<Stop>>(&self, result: Result<T, E>) -> Result<T, E> {
        self.check()?;
        result
    }

    /// The limit that was reached.
    fn reached(&self) -> Option<Stop> {
        match self.reached.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Stop::OutOfTime),
            _ => Some(Stop::OutOfMemory),
        }
    }

    fn reach(&self, stop: Stop) -> Stop {
        let number = if stop == Stop::OutOfTime { 1 } else { 2 };
        self.reached.store(number, Ordering::Relaxed);
        stop
    }
}

/// The processor time of all threads of this process.
pub fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The memory that this process has, if the system tells.
pub fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split(' ').nth(1)?.parse().ok()?;
    Some(pages * rustix::param::page_size() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(timeout: Duration) -> Limits {
        Limits::new(Some(timeout), None, Arc::default())
    }

    #[test]
    fn no_limits_never_stop() {
        assert_eq!(Limits::default().check(), Ok(()));
    }

    #[test]
    fn a_deadline_that_is_over_stops() {
        assert_eq!(timed(Duration::ZERO).check(), Err(Stop::OutOfTime));
    }

    #[test]
    fn a_deadline_ahead_does_not_stop() {
        assert_eq!(timed(Duration::from_secs(3600)).check(), Ok(()));
    }

    #[test]
    fn a_timeout_past_the_end_of_the_clock_is_no_limit() {
        assert_eq!(timed(Duration::MAX).deadline(), None);
    }

    #[test]
    fn the_end_of_a_share_is_not_the_end() {
        let limits = timed(Duration::from_secs(3600));
        let none = limits.with_share_of_time(0.0);
        assert_eq!(none.check(), Err(Stop::OutOfTime));
        assert_eq!(limits.check(), Ok(()));
        assert_eq!(limits.with_share_of_time(0.5).check(), Ok(()));
    }

    #[test]
    fn a_share_of_the_processor_time_ends_alone() {
        let limits = Limits::default().with_processor_time(Some(Duration::from_secs(3600)));
        let none = limits.with_share_of_time(0.0);
        std::thread::sleep(2 * INTERVAL);
        assert_eq!(none.check(), Err(Stop::OutOfTime));
        assert_eq!(limits.check(), Ok(()));
    }

    #[test]
    fn the_end_of_some_processor_time_is_not_the_end() {
        let limits = Limits::default();
        let none = limits.within_processor_time(Duration::ZERO);
        std::thread::sleep(2 * INTERVAL);
        assert_eq!(none.check(), Err(Stop::OutOfTime));
        assert_eq!(limits.check(), Ok(()));
        let more = none.within_processor_time(Duration::from_secs(3600));
        std::thread::sleep(2 * INTERVAL);
        assert_eq!(more.check(), Err(Stop::OutOfTime));
        let much = limits.within_processor_time(Duration::from_secs(3600));
        assert_eq!(much.check(), Ok(()));
    }

    #[test]
    fn an_interrupt_comes_before_a_deadline() {
        let interrupt = Arc::new(AtomicBool::new(true));
        let limits = Limits::new(Some(Duration::ZERO), None, interrupt);
        assert_eq!(limits.check(), Err(Stop::Interrupted));
    }

    #[test]
    fn polls_see_what_a_clone_has_reached() {
        let limits = timed(Duration::ZERO);
        let clone = limits.clone();
        assert_eq!(limits.poll(), Ok(()));
        assert!(clone.check().is_err());
        assert_eq!(limits.poll(), Err(Stop::OutOfTime));
    }

    #[test]
    fn many_polls_see_the_clock() {
        let limits = timed(Duration::ZERO);
        assert!((0..POLLS).any(|_| limits.poll().is_err()));
    }

    #[test]
    fn what_was_read_past_a_limit_is_not_believed() {
        let limits = timed(Duration::ZERO);
        assert_eq!(limits.unless_reached(Ok(1)), Err(Stop::OutOfTime));
        assert_eq!(Limits::default().unless_reached::<_, Stop>(Ok(1)), Ok(1));
    }

    #[test]
    fn work_is_counted_in_checks_and_not_in_looks() {
        let limits = Limits::default().with_work(Some(3));
        assert!((0..10).all(|_| limits.look().is_ok()));
        assert_eq!((limits.check(), limits.check()), (Ok(()), Ok(())));
        assert!(!limits.is_out_of_work());
        assert_eq!(limits.check(), Err(Stop::OutOfTime));
        assert!(limits.is_out_of_work());
    }

    /// Polls until something stops or `most` has passed.
    fn wait(limits: &Limits, most: Duration) -> Result<(), Stop> {
        let start = Instant::now();
        while start.elapsed() < most {
            limits.poll()?;
        }
        Ok(())
    }

    #[test]
    fn processor_time_stops() {
        let limits = Limits::default().with_processor_time(Some(Duration::from_millis(20)));
        assert_eq!(wait(&limits, Duration::from_secs(60)), Err(Stop::OutOfTime));
    }

    #[test]
    fn memory_of_the_process_stops() {
        let few = Limits::new(None, Some(4096), Arc::default());
        assert_eq!(wait(&few, Duration::from_secs(60)), Err(Stop::OutOfMemory));
        let many = Limits::new(None, Some(1 << 50), Arc::default());
        assert_eq!(wait(&many, Duration::from_millis(20)), Ok(()));
    }

    #[test]
    fn the_time_that_is_left_is_the_smaller_one() {
        let hour = Duration::from_secs(3600);
        assert_eq!(Limits::default().time_left(), None);
        assert!(timed(hour).time_left().is_some_and(|left| left <= hour));
        let both = timed(hour).with_processor_time(Some(Duration::ZERO));
        assert_eq!(both.time_left(), Some(Duration::ZERO));
    }
}
