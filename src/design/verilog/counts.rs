//! How often texts are read, for tests.

use std::cell::{Cell, RefCell};

thread_local! {
    static PARSED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static ELABORATED: Cell<usize> = const { Cell::new(0) };
}

/// Forgets what this thread has read.
pub fn clear() {
    PARSED.with_borrow_mut(Vec::clear);
    ELABORATED.set(0);
}

pub fn count_parse<'a>(texts: impl Iterator<Item = &'a str>) {
    PARSED.with_borrow_mut(|parsed| parsed.push(texts.collect()));
}

pub fn count_elaboration() {
    ELABORATED.set(ELABORATED.get() + 1);
}

/// The texts that were parsed since, each as often as it was.
pub fn parsed() -> Vec<String> {
    PARSED.with_borrow(Vec::clone)
}

pub fn elaborated() -> usize {
    ELABORATED.get()
}
