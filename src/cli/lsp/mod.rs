//! `respin lsp`: a server of the Language Server Protocol (3.17) for editors, on standard input
//! and output.
//!
//! Enters: messages of an editor. Leaves: what is wrong with its texts, as they are typed; the
//! verdict when one is saved; what names mean; corrections as edits.
//!
//! The server itself looks into no text. It keeps the texts of the editor ([`documents`]),
//! decides what has to be asked ([`units`]), and has each question answered by a process of its
//! own (`jobs`, [`worker`]), which is ended once the question is out of date. So no text can
//! make the server fail, hang, or answer late.
//!
//! - `framing`, `protocol`: messages; `position`: places as editors count them;
//! - `server`: what is done with a message; `requests`: what an editor asks for;
//! - `question`: the language between the server and its processes.

mod documents;
mod framing;
mod jobs;
mod position;
mod protocol;
mod question;
mod requests;
mod server;
mod units;
mod worker;

use super::arguments::LspArguments;
use super::watch::Watch;
use server::{Event, Server};
use std::io::{BufReader, stdin, stdout};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often a signal is looked for.
const INTERVAL: Duration = Duration::from_millis(100);
/// Exit codes: of an editor that leaves without a word, of a server that cannot work, and of an
/// interrupt.
const LEFT: u8 = 1;
const FAILED: u8 = 2;
const INTERRUPTED: u8 = 130;

/// Serves an editor until it leaves, or answers one question.
pub fn run(arguments: &LspArguments, watch: &Watch) -> u8 {
    if arguments.answer {
        return worker::answer(watch);
    }
    let program = match &arguments.analysis {
        Some(program) => program.clone(),
        None => match std::env::current_exe() {
            Ok(program) => program,
            Err(error) => {
                eprintln!("error: the program does not know where it is: {error}");
                return FAILED;
            }
        },
    };
    let (sender, events) = mpsc::channel();
    let messages = sender.clone();
    let reader = thread::Builder::new().name("messages".to_string());
    let reading = reader.spawn(move || {
        let mut stream = BufReader::new(stdin());
        loop {
            let incoming = framing::receive(&mut stream);
            let is_end = incoming == framing::Incoming::End;
            if messages.send(Event::Incoming(incoming)).is_err() || is_end {
                return;
            }
        }
    });
    if let Err(error) = reading {
        eprintln!("error: no thread could be started: {error}");
        return FAILED;
    }
    let mut server = Server::new(program, sender, stdout());
    let code = loop {
        if watch.interrupt().load(Ordering::Relaxed) {
            break INTERRUPTED;
        }
        match events.recv_timeout(INTERVAL) {
            Ok(event) => {
                if let Some(code) = server.handle(event) {
                    break code;
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break LEFT,
        }
    };
    // Processes that still run are ended before we are.
    let running = server.cancel_all();
    for _ in 0..running {
        while let Ok(event) = events.recv_timeout(INTERVAL) {
            if matches!(event, Event::Finished(..)) {
                break;
            }
        }
    }
    code
}
