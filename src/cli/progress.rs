//! What the program is doing, for somebody who waits in front of a terminal.
//!
//! Everything goes to standard error. A status line appears only on a terminal, only after a
//! second, and is wiped before anything else is printed; `-v` writes lines that stay.

use crate::synth::Event;
use std::io::Write;
use std::time::{Duration, Instant};

/// How long a command may be silent.
const PATIENCE: Duration = Duration::from_secs(1);
/// Writing to a terminal is slow; nobody reads faster than this.
const INTERVAL: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    Quiet,
    Normal,
    Verbose,
    VeryVerbose,
}

pub struct Progress {
    stream: Box<dyn Write + Send>,
    verbosity: Verbosity,
    shows_status: bool,
    started: Instant,
    next_status: Instant,
    status_visible: bool,
}

impl Progress {
    pub fn new(
        stream: Box<dyn Write + Send>,
        verbosity: Verbosity,
        is_terminal: bool,
        started: Instant,
    ) -> Progress {
        Progress {
            stream,
            verbosity,
            // Lines that stay and a line that moves would overwrite each other.
            shows_status: is_terminal && verbosity == Verbosity::Normal,
            started,
            next_status: started + PATIENCE,
            status_visible: false,
        }
    }

    /// Logs a line with `-v`.
    pub fn log(&mut self, text: impl FnOnce() -> String) {
        self.log_at(Verbosity::Verbose, text);
    }

    /// Logs a line with `-vv`.
    pub fn log_detail(&mut self, text: impl FnOnce() -> String) {
        self.log_at(Verbosity::VeryVerbose, text);
    }

    /// Says what is being done right now. Cheap enough to be called in a loop.
    pub fn status(&mut self, text: impl FnOnce() -> String) {
        if self.shows_status {
            self.status_at(Instant::now(), text);
        }
    }

    /// For those who say what they do while they do it.
    pub fn watch(&mut self) -> impl FnMut(&str) {
        |doing| {
            self.log_detail(|| doing.to_string());
            self.status(|| doing.to_string());
        }
    }

    /// What the library says of its work.
    pub fn show(&mut self, event: Event<'_>) {
        let text = self.logged(event);
        self.status(|| text.to_string());
    }

    /// The same, with the time since the start on the status line.
    pub fn show_with_time(&mut self, event: Event<'_>) {
        let text = self.logged(event);
        let seconds = self.started.elapsed().as_secs();
        self.status(|| format!("{text}; {seconds} s"));
    }

    /// Logs what belongs there.
    fn logged<'e>(&mut self, event: Event<'e>) -> &'e str {
        match event {
            Event::Stage(text) => {
                self.log(|| text.to_string());
                text
            }
            Event::Detail(text) => {
                self.log_detail(|| text.to_string());
                text
            }
            Event::Status(text) => text,
        }
    }

    /// Wipes the status line. To be called before something else is printed.
    pub fn clear(&mut self) {
        if self.status_visible {
            self.write("\r\x1b[K");
            self.status_visible = false;
        }
    }

    fn log_at(&mut self, level: Verbosity, text: impl FnOnce() -> String) {
        if self.verbosity >= level {
            self.write(&format!("{}\n", text()));
        }
    }

    fn status_at(&mut self, now: Instant, text: impl FnOnce() -> String) {
        if self.shows_status && now >= self.next_status {
            self.next_status = now + INTERVAL;
            self.status_visible = true;
            self.write(&format!("\r\x1b[K{}", text()));
        }
    }

    /// Progress that cannot be shown is no reason to fail.
    fn write(&mut self, text: &str) {
        let _ = self.stream.write_all(text.as_bytes());
        let _ = self.stream.flush();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Recorder(Arc<Mutex<Vec<u8>>>);

    impl Write for Recorder {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// Runs `actions` on a progress that started at the given time, and returns what it wrote.
    fn written(
        verbosity: Verbosity,
        is_terminal: bool,
        actions: impl FnOnce(&mut Progress, Instant),
    ) -> String {
        let recorder = Recorder::default();
        let started = Instant::now();
        let stream = Box::new(recorder.clone());
        let mut progress = Progress::new(stream, verbosity, is_terminal, started);
        actions(&mut progress, started);
        drop(progress);
        let bytes = recorder.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    /// One status line, two seconds after the start.
    fn late_status(progress: &mut Progress, started: Instant) {
        progress.status_at(started + 2 * PATIENCE, || "solving".to_string());
    }

    #[test]
    fn a_late_status_is_shown_and_wiped() {
        assert_eq!(
            written(Verbosity::Normal, true, late_status),
            "\r\x1b[Ksolving\r\x1b[K"
        );
    }

    #[test]
    fn nothing_is_shown_in_the_first_second() {
        let early = |progress: &mut Progress, started| {
            progress.status_at(started + PATIENCE / 2, || "solving".to_string());
        };
        assert_eq!(written(Verbosity::Normal, true, early), "");
    }

    #[test]
    fn the_time_stands_after_what_is_done() {
        let waited = |progress: &mut Progress, started: Instant| {
            let earlier = started.checked_sub(12 * PATIENCE).unwrap_or(started);
            (progress.started, progress.next_status) = (earlier, started);
            progress.show_with_time(Event::Status("proving correction 2"));
        };
        assert_eq!(
            written(Verbosity::Normal, true, waited),
            "\r\x1b[Kproving correction 2; 12 s\r\x1b[K"
        );
    }

    #[test]
    fn a_status_is_not_rewritten_faster_than_anybody_reads() {
        let twice = |progress: &mut Progress, started| {
            late_status(progress, started);
            progress.status_at(started + 2 * PATIENCE + INTERVAL / 2, || "more".to_string());
        };
        assert!(!written(Verbosity::Normal, true, twice).contains("more"));
    }

    #[test]
    fn nothing_is_shown_where_there_is_no_terminal() {
        assert_eq!(written(Verbosity::Normal, false, late_status), "");
    }

    #[test]
    fn nothing_is_shown_when_quiet() {
        assert_eq!(written(Verbosity::Quiet, true, late_status), "");
    }

    #[test]
    fn verbose_logs_lines_and_no_details() {
        let log = |progress: &mut Progress, _| {
            progress.log(|| "reading a.v".to_string());
            progress.log_detail(|| "12 bytes".to_string());
        };
        assert_eq!(written(Verbosity::Verbose, false, log), "reading a.v\n");
    }

    #[test]
    fn very_verbose_logs_details() {
        let log = |progress: &mut Progress, _| progress.log_detail(|| "12 bytes".to_string());
        assert_eq!(written(Verbosity::VeryVerbose, false, log), "12 bytes\n");
    }

    #[test]
    fn nothing_is_logged_unless_asked_for() {
        let log = |progress: &mut Progress, _| progress.log(|| "reading a.v".to_string());
        assert_eq!(written(Verbosity::Normal, true, log), "");
    }
}
