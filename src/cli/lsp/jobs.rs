//! Questions that are being answered, each by a process of its own.
//!
//! Whatever a text does to the process that reads it, the server goes on: a process that
//! panics, is killed, takes too long or answers nonsense is a [`Trouble`] and no more. To
//! cancel a job is to end its process.

use super::question::{Answer, Ask, Question};
use super::server::Event;
use crate::cli::child::{self, Held, Problem};
use crate::limits::{Limits, Stop};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

/// How long a text may be read.
const LONGEST_READING: Duration = Duration::from_secs(10);
/// How long a verdict may take, whatever the process thinks of its own limits.
const LONGEST_VERDICT: Duration = Duration::from_secs(3600);
/// The memory of such a process.
const MOST_MEMORY: u64 = 8 << 30;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Nobody wants it any more.
    Cancelled,
    /// What is to be said about it.
    Failed(String),
}

/// A question that is being answered.
#[derive(Debug)]
pub struct Job {
    interrupt: Arc<AtomicBool>,
}

impl Job {
    /// Ends the process; its answer does not come any more.
    pub fn cancel(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }
}

/// Starts a process for a question. Its answer comes as an event with this number.
pub fn start(program: &Path, question: Question, number: u64, events: &Sender<Event>) -> Job {
    let job = Job {
        interrupt: Arc::default(),
    };
    let interrupt = job.interrupt.clone();
    let program = program.to_path_buf();
    let sender = events.clone();
    let started = thread::Builder::new().spawn(move || {
        let answer = run(&program, &question, interrupt);
        // A server that has gone needs no answer.
        let _ = sender.send(Event::Finished(number, answer));
    });
    if let Err(error) = started {
        let trouble = Trouble::Failed(format!("no thread could be started: {error}"));
        let _ = events.send(Event::Finished(number, Err(trouble)));
    }
    job
}

fn run(program: &Path, question: &Question, interrupt: Arc<AtomicBool>) -> Result<Answer, Trouble> {
    let failed = |text: String| Trouble::Failed(text);
    let time = match question.ask {
        Ask::Verdict | Ask::Remedies => LONGEST_VERDICT,
        Ask::Read | Ask::Hover(_) | Ask::Definition(_) => LONGEST_READING,
    };
    let limits = Limits::new(Some(time), Some(MOST_MEMORY), interrupt);
    let input = serde_json::to_vec(question).map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new(program);
    command
        .args(["lsp", "--answer"])
        .current_dir(home(&question.file));
    let finished = child::run_with(&mut command, input, Held::Data, &limits);
    let finished = finished.map_err(|problem| match problem {
        Problem::Stopped(Stop::Interrupted) => Trouble::Cancelled,
        Problem::Stopped(stop) => failed(format!("it was ended: {}", stop.reason())),
        Problem::Io(error) => failed(format!("it could not be run: {error}")),
    })?;
    if !finished.status.success() {
        let said = String::from_utf8_lossy(&finished.problems);
        let said = said.trim();
        return Err(failed(match said {
            "" => format!("it ended with {}", finished.status),
            said => format!("it ended with {}: {said}", finished.status),
        }));
    }
    serde_json::from_slice(&finished.output)
        .map_err(|error| failed(format!("its answer cannot be read: {error}")))
}

/// The nearest directory of a file that exists.
pub fn home(file: &Path) -> PathBuf {
    let mut above = file.ancestors().skip(1);
    let found = above.find(|one| one.is_dir());
    found.unwrap_or(Path::new("/")).to_path_buf()
}
