//! A panic is a defect of ours; the user gets a diagnostic that can be reported.

use super::context::Failure;
use crate::source::{Diagnostic, codes::frame};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Mutex, PoisonError};

/// What the last panic said, from the hook to [`guard`].
static LAST: Mutex<Option<Diagnostic>> = Mutex::new(None);

/// The panic hook: keeps message and place instead of printing them.
pub fn record(panic: &PanicHookInfo<'_>) {
    let payload = panic.payload();
    let text = payload
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_string());
    let mut diagnostic = internal_error(text);
    if let Some(location) = panic.location() {
        diagnostic = diagnostic.note(format!("at {location}"));
    }
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        diagnostic = diagnostic.note(format!(
            "the calls that led there:\n{}",
            backtrace.to_string().trim_end()
        ));
    }
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(diagnostic);
}

/// Runs something that ought not to panic, and turns a panic into a failure.
pub fn guard<T>(action: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    // What the action was working on is only printed afterwards, never computed with.
    match catch_unwind(AssertUnwindSafe(action)) {
        Ok(result) => result,
        Err(_) => Err(take().into()),
    }
}

/// The diagnostic of the last panic.
pub fn take() -> Diagnostic {
    LAST.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take()
        .unwrap_or_else(|| internal_error("a panic without a message".to_string()))
}

fn internal_error(text: String) -> Diagnostic {
    Diagnostic::error(frame::INTERNAL_ERROR, format!("internal error: {text}"))
        .note(concat!("respin ", env!("CARGO_PKG_VERSION")))
        .help("this is a defect of respin: please report it with the command and its inputs")
}
