//! The process: arguments in, exit code out. What happens in between is `respin::cli`.

use respin::cli;
use std::ffi::OsString;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

const INTERRUPTED: i32 = 130;
const FAILED: u8 = 2;

/// Later stages recurse as deep as the user's formulas and diagrams are, so the stack is far
/// bigger than usual. It is only reserved, not used; where even that is forbidden, less has to
/// do.
const STACK_SIZES: [usize; 3] = [512 << 20, 64 << 20, 8 << 20];

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(cli::crash::record));

    let interrupt = Arc::new(AtomicBool::new(false));
    let flag = interrupt.clone();
    // Without a handler Ctrl-C ends the process at once, which is acceptable.
    let _ = ctrlc::set_handler(move || {
        // The first time asks, the second time does not.
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    });

    let words: Vec<OsString> = std::env::args_os().collect();
    for size in STACK_SIZES {
        let (words, interrupt) = (words.clone(), interrupt.clone());
        let worker = thread::Builder::new()
            .name("command".to_string())
            .stack_size(size)
            .spawn(move || cli::run(&words, interrupt));
        if let Ok(worker) = worker {
            let code = worker.join().unwrap_or_else(|_| {
                cli::output::print_diagnostics(&[cli::crash::take()], &Default::default(), false);
                FAILED
            });
            return ExitCode::from(code);
        }
    }
    ExitCode::from(cli::run(&words, interrupt))
}
