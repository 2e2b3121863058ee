//! The process: arguments in, exit code out. What happens in between is `respin::cli`.

use respin::cli::{self, Watch};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

const INTERRUPTED: u8 = 130;
const FAILED: u8 = 2;

/// How often the run is looked at from outside.
const INTERVAL: Duration = Duration::from_millis(10);

/// Later stages recurse as deep as the user's formulas and diagrams are, so the stack is far
/// bigger than usual. It is only reserved, not used; where even that is forbidden, less has to
/// do.
const STACK_SIZES: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(cli::crash::record));
    let watch = Arc::new(Watch::new());
    start_watching(watch.clone());

    let words: Vec<OsString> = std::env::args_os().collect();
    let code = run(words, &watch);
    ExitCode::from(match watch.signal_code() {
        // One report for all signals; who sent which is the process' business.
        Some(signal_code) if code == INTERRUPTED => signal_code,
        _ => code,
    })
}

fn run(words: Vec<OsString>, watch: &Arc<Watch>) -> u8 {
    for size in STACK_SIZES {
        let (words, watch) = (words.clone(), watch.clone());
        let worker = thread::Builder::new()
            .name("command".to_string())
            .stack_size(size)
            .spawn(move || cli::run(&words, &watch));
        if let Ok(worker) = worker {
            return worker.join().unwrap_or_else(|_| {
                cli::output::print_diagnostics(&[cli::crash::take()], &Default::default(), false);
                FAILED
            });
        }
    }
    cli::run(&words, watch)
}

/// Turns signals into an interrupt, and ends a run that neither an interrupt nor a limit ends.
/// Where there are no threads, signals do what they usually do, and limits are polled only.
fn start_watching(watch: Arc<Watch>) {
    // Before anything else begins: a signal that comes while this is half done is lost.
    let mut signals = Signals::new([SIGINT, SIGTERM]).ok();
    let watching = thread::Builder::new().name("watch".to_string());
    // What cannot be watched runs all the same.
    let _ = watching.spawn(move || {
        loop {
            for signal in signals.iter_mut().flat_map(Signals::pending) {
                // The first time asks, the second time does not.
                if !watch.raise(signal) {
                    watch.restore_terminal();
                    std::process::exit(watch.signal_code().unwrap_or(INTERRUPTED).into());
                }
            }
            if let Some(code) = watch.overdue() {
                std::process::exit(code.into());
            }
            thread::sleep(INTERVAL);
        }
    });
}
