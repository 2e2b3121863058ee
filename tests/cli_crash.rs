//! Panics become diagnostics. The hook belongs to the whole process, hence a file of its own.

use respin::cli::crash::{guard, record};
use respin::cli::{Failure, Stop};
use respin::report::Report;
use respin::source::Diagnostic;
use respin::source::codes::frame::INTERNAL_ERROR;

/// What is reported of a panic; one test only, as the last panic is kept in one place.
fn crash() -> Diagnostic {
    std::panic::set_hook(Box::new(record));
    let failure = guard::<Report>(|| panic!("{} is impossible", 7)).unwrap_err();
    let Failure::Diagnostics(mut diagnostics) = failure else {
        panic!("not a diagnostic: {failure:?}");
    };
    diagnostics.remove(0)
}

#[test]
fn a_panic_is_an_internal_error_with_its_place() {
    let diagnostic = crash();
    let place = diagnostic
        .notes
        .iter()
        .any(|note| note.contains("tests/cli_crash.rs:"));
    assert_eq!(
        (diagnostic.code, diagnostic.message.as_str(), place),
        (INTERNAL_ERROR, "internal error: 7 is impossible", true)
    );
}

#[test]
fn what_does_not_panic_passes_through() {
    assert_eq!(guard(|| Ok(3)), Ok(3));
    let stopped = guard::<()>(|| Err(Stop::OutOfTime.into()));
    assert_eq!(stopped, Err(Failure::Stopped(Stop::OutOfTime)));
}
