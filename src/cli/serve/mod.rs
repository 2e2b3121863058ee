//! A play in a browser: `respin play SPEC --serve`.
//!
//! The page sends all moves of its play with each request, and gets all there is to draw. So
//! the server keeps nothing for anybody: pages do not mix, going back is sending fewer moves,
//! and a page that is loaded again has its play still. The state machine is the terminal's
//! ([`Play`]), and a play is a function of its moves; the one that is at hand is begun again
//! only if the moves do not go on from where it stands.

mod http;

use crate::explain::play::{End, Play, Reached, Shown, View};
use crate::limits::Limits;
use crate::report::html::{Lane, PLAY, Wave, head, json};
use crate::report::vcd::vcd;
use crate::run::SignalKind;
use crate::source::{Diagnostic, codes::frame};
use http::{NOT_FOUND, NOT_READ, Server};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Write};

/// Moves of a play, and letters of one.
const MOST_MOVES: usize = 2_000;
const LONGEST_MOVE: usize = 4_096;
const TOKEN_BYTES: usize = 16;

/// A server that listens already.
pub struct Table {
    server: Server,
    limits: Limits,
    title: String,
}

/// What a page asks.
#[derive(Deserialize)]
struct Asked {
    moves: Vec<String>,
    /// Whether values that lose at once are marked.
    #[serde(default)]
    marks: bool,
}

/// All that a page draws.
#[derive(Serialize)]
struct Position<'a> {
    greeting: String,
    asked: &'static str,
    /// The moves that were made; one that could not be made is left out.
    moves: &'a [String],
    /// What was said to each of them.
    said: &'a [Vec<String>],
    /// Why the last move was not made.
    problem: Option<String>,
    is_over: bool,
    view: View,
    wave: Wave,
}

/// The play that is at hand.
#[derive(Default)]
struct Session {
    moves: Vec<String>,
    said: Vec<Vec<String>>,
    is_over: bool,
}

impl Table {
    /// Listens on a port of this machine, 0 for any.
    pub fn new(port: u16, title: &str, limits: Limits) -> Result<Table, Diagnostic> {
        let problem = |error: io::Error| {
            let message = format!("cannot serve on port {port}: {error}");
            Diagnostic::error(frame::CANNOT_SERVE, message)
                .help("choose another port, or leave it out for one that is free")
        };
        let server = token().and_then(|token| Server::new(port, token));
        Ok(Table {
            server: server.map_err(problem)?,
            limits,
            title: title.to_string(),
        })
    }

    /// Lets whoever has the address play, until the user ends it or a limit is reached.
    pub fn show(&mut self, play: &mut dyn Play) -> Shown {
        // Nobody has to hear it: the address is also what a browser shows.
        let _ = writeln!(
            io::stderr(),
            "The game is at {}\nCtrl-C ends it.",
            self.server.address()
        );
        let mut session = Session::default();
        loop {
            if let Err(stop) = self.limits.look() {
                return Ok(Err(stop.into()));
            }
            let Some(request) = self.server.poll() else {
                continue;
            };
            if !request.is_post && request.path.is_empty() {
                request.answer("text/html", &self.page());
                continue;
            }
            if !request.is_post || !matches!(request.path.as_str(), "play" | "vcd") {
                request.refuse(NOT_FOUND);
                continue;
            }
            let asked = serde_json::from_slice::<Asked>(&request.body).ok();
            let is_short = |asked: &Asked| {
                let mut moves = asked.moves.iter();
                asked.moves.len() <= MOST_MOVES && moves.all(|one| one.len() <= LONGEST_MOVE)
            };
            let Some(asked) = asked.filter(is_short) else {
                request.refuse(NOT_READ);
                continue;
            };
            let problem = match session.go_to(&asked.moves, play)? {
                Ok(problem) => problem,
                Err(diagnostic) => return Ok(Err(diagnostic)),
            };
            if request.path == "vcd" {
                let run = play.recording().run;
                request.answer(
                    "text/plain",
                    &vcd(&run, &format!("a play of {}", self.title)),
                );
                continue;
            }
            let position = session.position(play, problem, asked.marks)?;
            request.answer("application/json", &json(&position));
        }
    }

    fn page(&self) -> String {
        head(&format!("A play of {}", self.title)) + PLAY
    }
}

impl Session {
    /// Makes the moves, going on from those that are made already. What could not be done is
    /// told; the moves before it stay.
    fn go_to(
        &mut self,
        moves: &[String],
        play: &mut dyn Play,
    ) -> Reached<Result<Option<String>, Diagnostic>> {
        if !moves.starts_with(&self.moves) {
            if let Err(diagnostic) = play.restart()? {
                return Ok(Err(diagnostic));
            }
            *self = Session::default();
        }
        for line in &moves[self.moves.len()..] {
            if self.is_over {
                return Ok(Ok(Some("The play is over.".to_string())));
            }
            let turn = match play.answer(line)? {
                Ok(turn) => turn,
                Err(problem) => return Ok(Ok(Some(say(&problem)))),
            };
            if let End::MayTryAgain(_) = turn.end {
                let said: Vec<&str> = turn.lines.iter().map(|line| line.trim()).collect();
                return Ok(Ok(Some(said.join(" "))));
            }
            self.is_over = turn.end == End::Over;
            self.moves.push(line.clone());
            self.said.push(turn.lines);
        }
        Ok(Ok(None))
    }

    fn position<'a>(
        &'a self,
        play: &mut dyn Play,
        problem: Option<String>,
        marks: bool,
    ) -> Reached<Position<'a>> {
        let mut view = play.view(marks)?;
        if self.is_over {
            view.choices.clear();
        }
        Ok(Position {
            greeting: play.greeting(),
            asked: play.asked(),
            moves: &self.moves,
            said: &self.said,
            problem,
            is_over: self.is_over,
            wave: wave(play, &view, self.is_over),
            view,
        })
    }
}

/// What was played, inputs first, with the names that values have; then what is known of the
/// step that waits for the user.
fn wave(play: &dyn Play, view: &View, is_over: bool) -> Wave {
    let recording = play.recording();
    let waits = !is_over && !view.shown.is_empty();
    let mut lanes = Vec::new();
    for kind in [SignalKind::Input, SignalKind::Output] {
        let signals = recording.run.signals.iter().zip(&recording.meanings);
        for (signal, meaning) in signals.filter(|(signal, _)| signal.kind == kind) {
            let values = signal.values.iter();
            let values = values.map(|bits| bits.as_ref().map(|bits| meaning.text(bits)));
            let mut values: Vec<Option<String>> = values.collect();
            if waits {
                let mut shown = view.shown.iter();
                let own = shown.find(|(name, _)| *name == signal.name);
                values.push(own.map(|(_, value)| value.clone()));
            }
            lanes.push(Lane::of_values(signal.name.clone(), kind.word(), values));
        }
    }
    let steps = recording.run.steps;
    Wave {
        steps: steps + usize::from(waits),
        marked: waits.then(|| (steps, "▾ your move".to_string())),
        lanes,
        ..Wave::default()
    }
}

fn say(problem: &Diagnostic) -> String {
    match &problem.help {
        Some(help) => format!("{}; {help}.", problem.message),
        None => format!("{}.", problem.message),
    }
}

/// A word that nobody guesses.
fn token() -> io::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
