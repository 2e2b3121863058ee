//! What ends a run that does not end by itself.
//!
//! Every stage polls its limits, and a signal sets the same interrupt; so a run that has to
//! stop prints its report and ends. This is for the rest: one pass over an input that forgets
//! to poll, or one allocation that is too large. `main` asks [`Watch::overdue`] from a thread of
//! its own. A run that does not answer for a second after it should have stopped, or that has
//! far more memory than it may, ends with the report that it would have printed, whatever it is
//! doing; but no file is left half written, since [`Watch::overdue`] waits for a file that is
//! being written.

use super::context::{Context, Settings};
use super::line_editor::Terminal;
use super::output::{self, Shown, print};
use crate::limits::{Limits, Stop, resident_bytes};
use crate::report::Report;
use crate::report::junit::Moment;
use crate::source::Sources;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a run may go on after it should have stopped.
const PATIENCE: Duration = Duration::from_secs(1);
/// How much more memory than it may have a run is given to stop in.
const LEAST_MARGIN: u64 = 32 << 20;

/// A run, as seen from outside.
#[derive(Debug, Default)]
pub struct Watch {
    interrupt: Arc<AtomicBool>,
    /// The first signal that came; 0 is none.
    signal: AtomicI32,
    run: Mutex<Option<Run>>,
}

#[derive(Debug)]
struct Run {
    limits: Limits,
    settings: Settings,
    command: Option<String>,
    started: Instant,
    /// Whether the report is being printed, so that nobody else may.
    is_printing: Arc<AtomicBool>,
    terminal: Terminal,
    /// What was printed of it already.
    shown: Shown,
    /// Since when it ought to have stopped.
    overdue: Option<Instant>,
}

impl Watch {
    pub fn new() -> Watch {
        Watch::default()
    }

    /// What the run polls.
    pub fn interrupt(&self) -> &Arc<AtomicBool> {
        &self.interrupt
    }

    /// Asks the run to end; `false` if that was asked before.
    pub fn raise(&self, signal: i32) -> bool {
        self.interrupt.store(true, Ordering::Relaxed);
        let first = self
            .signal
            .compare_exchange(0, signal, Ordering::Relaxed, Ordering::Relaxed);
        first.is_ok()
    }

    /// The exit code of a run that a signal ended; `None` if there was none.
    pub fn signal_code(&self) -> Option<u8> {
        match self.signal.load(Ordering::Relaxed) {
            0 => None,
            signal => u8::try_from(128 + signal).ok(),
        }
    }

    /// From now on the limits of this run count.
    pub fn over(&self, context: &Context, command: Option<&str>) {
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        *run = Some(Run {
            limits: context.limits.clone(),
            settings: context.settings,
            command: command.map(str::to_string),
            started: context.started,
            is_printing: context.is_printing.clone(),
            terminal: context.terminal.clone(),
            shown: context.shown.clone(),
            overdue: None,
        });
    }

    /// Puts a terminal on which a line is edited back to what it was, before the process ends.
    pub fn restore_terminal(&self) {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = run.as_ref() {
            run.terminal.restore();
        }
    }

    /// The exit code with which the process has to end now, once the report is printed.
    pub fn overdue(&self) -> Option<u8> {
        let mut run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let run = run.as_mut()?;
        let Err(stop) = run.limits.look() else {
            return None;
        };
        let since = *run.overdue.get_or_insert_with(Instant::now);
        let is_printing = run.is_printing.load(Ordering::Relaxed);
        // The end of the work is the same in each run, however busy the machine is.
        let has_time = stop == Stop::OutOfTime && run.limits.is_out_of_work_only();
        let is_late = since.elapsed() >= PATIENCE && !has_time || run.has_far_too_much();
        // Who takes long to read a report does not make it take longer.
        if !is_late || is_printing && stop != Stop::Interrupted {
            return None;
        }
        output::finish_writing(PATIENCE);
        run.terminal.restore();
        let (report, code) = run.report(stop);
        // A verdict that was printed stays one, whatever was still to be found.
        let shown = run.shown.exit_code();
        let code = match stop {
            Stop::Interrupted => code,
            _ => shown.unwrap_or(code),
        };
        if !is_printing && shown.is_none() {
            let moment = Moment::since(run.started);
            let command = run.command.as_deref();
            let text = output::rendered(&report, command, run.settings, &Sources::new(), &moment);
            // The exit code tells of what cannot be printed.
            let _ = text.and_then(|text| print(&text));
        }
        Some(self.signal_code().unwrap_or(code))
    }
}

impl Run {
    fn has_far_too_much(&self) -> bool {
        let margin = |limit: u64| limit.saturating_add(LEAST_MARGIN.max(limit / 8));
        let most = self.limits.memory_bytes().map_or(u64::MAX, margin);
        resident_bytes().is_some_and(|bytes| bytes > most)
    }

    fn report(&self, stop: Stop) -> (Report, u8) {
        let report = match stop {
            Stop::Interrupted => Report::interrupted(),
            stop => Report::unknown(stop.reason()),
        };
        let code = report.exit_code(self.settings.expected);
        (report, code)
    }
}
