//! Lines that a user types on a terminal: Tab completes and lists, Up and Down go through
//! earlier lines, and a line is edited with the usual keys.
//!
//! What can be completed is decided by `explain::play`; this is the terminal, and the only
//! place that names the crate that drives it. While a line is edited, the terminal hands on
//! single keys. A run that is ended from outside meanwhile ends without going back through
//! here, so [`Terminal`] remembers how the terminal was, and whoever ends the run restores it.

use crate::explain::play::{Choice, complete};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{Behavior, CompletionType, Config, Editor, Helper};
use std::io::{IsTerminal, stdin};
use std::sync::{Arc, Mutex, PoisonError};

/// Terminals that cannot move their cursor.
const PLAIN: [&str; 4] = ["", "dumb", "cons25", "emacs"];

/// How the terminal was before a line is edited; nothing between two lines.
#[derive(Clone, Debug, Default)]
pub struct Terminal(Arc<Mutex<Option<Termios>>>);

impl Terminal {
    /// Puts the terminal back to what it was. The process is about to end, so that nothing is
    /// edited from then on.
    pub fn restore(&self) {
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = state.as_ref() {
            // A terminal that is gone needs nothing.
            let _ = tcsetattr(stdin(), OptionalActions::Now, state);
        }
        // Never unlocked again.
        std::mem::forget(state);
    }

    fn remember(&self, state: Option<Termios>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

/// What came of asking for a line.
pub enum Typed {
    Line(String),
    /// The end of the input, as Ctrl-D gives it.
    End,
    /// Ctrl-C.
    Interrupted,
}

pub struct LineEditor {
    editor: Editor<Offer, DefaultHistory>,
    terminal: Terminal,
}

impl LineEditor {
    /// `None` if lines are not typed on a terminal that can be edited on; they are read as they
    /// come then. `commands` are words that a line can be.
    pub fn new(terminal: &Terminal, commands: &'static [&'static str]) -> Option<LineEditor> {
        let kind = std::env::var("TERM").unwrap_or_default();
        let is_seen = stdin().is_terminal() && std::io::stderr().is_terminal();
        if !is_seen || PLAIN.contains(&kind.as_str()) {
            return None;
        }
        // What is typed is seen on the terminal even if the result goes to a file.
        let behavior = match std::io::stdout().is_terminal() {
            true => Behavior::Stdio,
            false => Behavior::PreferTerm,
        };
        let config = Config::builder()
            .behavior(behavior)
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            // A mode of the terminal that would outlive a run that is ended.
            .bracketed_paste(false)
            .build();
        let mut editor = Editor::with_config(config).ok()?;
        editor.set_helper(Some(Offer {
            choices: Vec::new(),
            commands,
        }));
        Some(LineEditor {
            editor,
            terminal: terminal.clone(),
        })
    }

    /// The next line, in which these variables can be set.
    pub fn read(&mut self, prompt: &str, choices: Vec<Choice>) -> Typed {
        if let Some(offer) = self.editor.helper_mut() {
            offer.choices = choices;
        }
        self.terminal.remember(tcgetattr(stdin()).ok());
        let line = self.editor.readline(prompt);
        self.terminal.remember(None);
        match line {
            Ok(line) => Typed::Line(line),
            Err(ReadlineError::Interrupted) => Typed::Interrupted,
            // What cannot be read is the end, as it is where nothing is edited.
            Err(_) => Typed::End,
        }
    }
}

/// What Tab offers.
struct Offer {
    choices: Vec<Choice>,
    commands: &'static [&'static str],
}

impl Completer for Offer {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let completion = complete(line, cursor, &self.choices, self.commands);
        let candidates = completion.candidates.into_iter();
        let pairs = candidates.map(|candidate| Pair {
            display: candidate.shown,
            replacement: candidate.text,
        });
        Ok((completion.start, pairs.collect()))
    }
}

impl Helper for Offer {}
impl Highlighter for Offer {}
impl Validator for Offer {}
impl Hinter for Offer {
    type Hint = String;
}
