//! What every command has at hand, and how it gives up.

pub use crate::load::Failure;

use super::editable::Editable;
use super::input::{Missing, Texts};
use super::line_editor::Terminal;
use super::options::{ColorWhen, GlobalOptions, OutputFormat};
use super::output::Shown;
use super::page::Target;
use super::progress::{Progress, Verbosity};
use super::workdir::{Workdir, timestamp};
use crate::limits::{Limits, Stop};
use crate::report::junit::Moment;
use crate::report::{Report, Verdict};
use crate::source::{Diagnostic, Sources};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// How results are shown and judged, whatever the command.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub format: OutputFormat,
    /// Whether diagnostics on standard error have colors.
    pub color: bool,
    pub expected: Option<Verdict>,
}

pub struct Context {
    pub settings: Settings,
    pub sources: Sources,
    pub limits: Limits,
    pub progress: Progress,
    /// What was noticed while a specification was read.
    pub warnings: Vec<Diagnostic>,
    /// Texts that count in place of what the disk has.
    pub texts: Texts,
    /// What was looked for in vain.
    pub missing: Missing,
    /// Whether each correction comes with the texts that it makes of files.
    pub keeps_texts: bool,
    /// Where the results are also left.
    pub workdir: Option<Workdir>,
    /// Where the result goes as a page.
    pub page: Option<Target>,
    /// The words of the command line, the program's name first.
    pub words: Vec<String>,
    /// Which files `--write` may change.
    pub editable: Editable,
    /// The terminal that lines are typed on.
    pub(super) terminal: Terminal,
    /// Set once the report is being printed.
    pub is_printing: Arc<AtomicBool>,
    /// What was printed of the report already.
    pub(super) shown: Shown,
    pub(super) started: Instant,
}

impl Context {
    pub fn new(options: &GlobalOptions, interrupt: Arc<AtomicBool>) -> Context {
        let stderr = std::io::stderr();
        let is_terminal = stderr.is_terminal();
        let verbosity = match (options.quiet, options.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, 1) => Verbosity::Verbose,
            (false, _) => Verbosity::VeryVerbose,
        };
        let limits = Limits::new(options.timeout, options.memory, interrupt)
            .with_processor_time(options.cpu_timeout)
            .with_work(options.work);
        Context {
            settings: Settings {
                format: options.format,
                color: use_color(options.color, is_terminal),
                expected: options.expect,
            },
            sources: Sources::within(limits.clone()),
            limits,
            progress: Progress::new(Box::new(stderr), verbosity, is_terminal, Instant::now()),
            warnings: Vec::new(),
            texts: Texts::default(),
            missing: Missing::default(),
            keeps_texts: false,
            workdir: None,
            page: None,
            words: Vec::new(),
            editable: Editable::default(),
            terminal: Terminal::default(),
            is_printing: Arc::default(),
            shown: Shown::default(),
            started: Instant::now(),
        }
    }

    /// Whether a page is made of the result, so that more has to be found out for it.
    pub fn has_page(&self) -> bool {
        self.page.is_some() || self.workdir.is_some()
    }

    /// Other limits, for whatever is read or computed from now on.
    pub fn set_limits(&mut self, limits: Limits) {
        self.sources.set_limits(limits.clone());
        self.limits = limits;
    }

    /// Prints a report as far as it is known: what follows continues its text. Only text for
    /// people can be printed piece by piece.
    pub fn show(&mut self, report: &Report) {
        if self.settings.format == OutputFormat::Text {
            self.progress.clear();
            self.shown.extend(report, self.settings.expected);
        }
    }

    /// Now, and how long it took until now.
    pub fn moment(&self) -> Moment {
        Moment::since(self.started)
    }
}

impl Moment {
    /// Now, with the time that has passed since the start.
    pub(super) fn since(started: Instant) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Moment {
            timestamp: timestamp(since.map_or(0, |since| since.as_secs())),
            seconds: started.elapsed().as_secs_f64(),
        }
    }
}

/// Whether a stream gets colors.
pub fn use_color(when: ColorWhen, is_terminal: bool) -> bool {
    decide_color(when, is_terminal, |name| std::env::var_os(name))
}

/// `NO_COLOR` counts when it is set and not empty (no-color.org); an explicit wish outranks it.
fn decide_color(
    when: ColorWhen,
    is_terminal: bool,
    variable: impl Fn(&str) -> Option<OsString>,
) -> bool {
    match when {
        ColorWhen::Always => true,
        ColorWhen::Never => false,
        ColorWhen::Auto => {
            let forbidden = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
            let incapable = variable("TERM").is_some_and(|value| value == "dumb");
            is_terminal && !forbidden && !incapable
        }
    }
}

impl From<Failure> for Report {
    fn from(failure: Failure) -> Report {
        match failure {
            Failure::Diagnostics(diagnostics) => Report::error(diagnostics),
            Failure::Stopped(Stop::Interrupted) => Report::interrupted(),
            Failure::Stopped(stop) => Report::unknown(stop.reason()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_color(
        when: ColorWhen,
        is_terminal: bool,
        environment: &[(&str, &str)],
        expected: bool,
    ) {
        let variable = |name: &str| {
            let (_, value) = environment.iter().find(|(key, _)| *key == name)?;
            Some(OsString::from(value))
        };
        let color = decide_color(when, is_terminal, variable);
        assert_eq!(color, expected, "{when:?} {is_terminal} {environment:?}");
    }

    #[test]
    fn a_terminal_has_color_and_nothing_else_has() {
        check_color(ColorWhen::Auto, true, &[("TERM", "xterm")], true);
        check_color(ColorWhen::Auto, false, &[("TERM", "xterm")], false);
    }

    #[test]
    fn a_terminal_without_colors_gets_none() {
        check_color(ColorWhen::Auto, true, &[("TERM", "dumb")], false);
    }

    #[test]
    fn no_color_counts_unless_it_is_empty() {
        check_color(ColorWhen::Auto, true, &[("NO_COLOR", "1")], false);
        check_color(ColorWhen::Auto, true, &[("NO_COLOR", "")], true);
    }

    #[test]
    fn an_explicit_wish_outranks_the_environment() {
        check_color(ColorWhen::Always, false, &[("NO_COLOR", "1")], true);
        check_color(ColorWhen::Never, true, &[], false);
    }

    #[test]
    fn running_out_of_time_is_unknown() {
        let report = Report::from(Failure::Stopped(Stop::OutOfTime));
        assert_eq!(report.text(), "UNKNOWN\nthe time limit was reached\n");
        assert_eq!(report.exit_code(None), 3);
    }

    #[test]
    fn an_interrupt_has_an_exit_code_of_its_own() {
        let report = Report::from(Failure::Stopped(Stop::Interrupted));
        assert_eq!(report.exit_code(None), 130);
    }
}
