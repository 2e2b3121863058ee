//! `respin play`: the user plays the system against the counterstrategy, or the environment
//! against a controller.
//!
//! Moves come from a file, or line by line from standard input. Who types them on a terminal has
//! the dialogue on standard error at once; standard output has the verdict and the whole play,
//! unless both are the same terminal. A line may also be one of the commands that `help` lists. With `--serve`,
//! moves come from a browser. What is typed on a terminal is edited as `line_editor` does it.

use super::synth::unknown_report;
use crate::certify::Realizability;
use crate::cli::context::{Context, Failure};
use crate::cli::input::read_text;
use crate::cli::line_editor::{LineEditor, Terminal, Typed};
use crate::cli::request::PlayRequest;
use crate::cli::serve;
use crate::cli::specification::read_spec;
use crate::explain::play::{self, End, Play, Played, Shown, View};
use crate::limits::{Limits, Stop};
use crate::report::{Body, Report, Transcript};
use crate::source::Diagnostic;
use crate::synth::Event;
use std::collections::VecDeque;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::atomic::Ordering;

/// What a line can be besides a move. Moves have a `=`, so no variable is called like this.
const COMMANDS: [&str; 4] = ["help", "quit", "undo", "why"];
const HELP: &str = "  name=value ...  makes a move; values that are left out are filled in\n  \
    undo            takes the last move back\n  \
    why             says which values lose at once, and which constraints force a value\n  \
    help            says this\n  \
    quit            leaves the play";

pub fn play(request: &PlayRequest, context: &mut Context) -> Result<Report, Failure> {
    let spec = read_spec(&request.spec, context)?;
    let moves = match &request.moves {
        Some(path) => Some(read_text(path, &context.limits)?),
        None => None,
    };
    let mut table = Table::new(moves, &context.terminal, context.limits.clone());
    let name = request.spec.file.path.name();
    let server = request.serve;
    let server = server.map(|port| serve::Table::new(port, &name, context.limits.clone()));
    let mut server = server.transpose()?;
    let limits = context.limits.for_diagrams();
    let progress = &mut context.progress;
    let mut watch = |event: Event<'_>| progress.show(event);
    let played = play::play(&spec, &limits, &mut watch, &mut |play| match &mut server {
        Some(server) => server.show(play),
        None => table.show(play),
    });
    match played? {
        Played::Unknown(unknown) => Ok(unknown_report(unknown)),
        Played::Shown(winner, recording) => {
            let report = match winner {
                Realizability::Realizable(verdict) => Report::realizable(&verdict).because(
                    "a certified controller keeps the specification, whatever the environment does",
                ),
                Realizability::Unrealizable(verdict) => Report::unrealizable(&verdict)
                    .because("the environment wins, whatever the system does"),
            };
            Ok(report.with(Body::Play(Transcript {
                text: table.transcript(),
                run: recording.run,
            })))
        }
    }
}

/// Where moves come from, and what was said.
struct Table {
    /// The lines of a file; `None` if the user types them.
    moves: Option<VecDeque<String>>,
    /// What the user types with; `None` if lines are read as they come.
    editor: Option<LineEditor>,
    limits: Limits,
    text: String,
}

impl Table {
    fn new(text: Option<String>, terminal: &Terminal, limits: Limits) -> Table {
        let lines = |text: String| {
            let lines = text.lines().filter(|line| !line.starts_with('#'));
            lines.map(str::to_string).collect()
        };
        let moves = text.map(lines);
        let editor = match &moves {
            Some(_) => None,
            None => LineEditor::new(terminal, &COMMANDS),
        };
        Table {
            moves,
            editor,
            limits,
            text: String::new(),
        }
    }

    fn show(&mut self, play: &mut dyn Play) -> Shown {
        self.say(&play.greeting());
        if self.editor.is_some() {
            self.say("`help` says what can be typed; Tab completes it.");
        } else if self.is_typed() {
            self.say("`help` says what can be typed.");
        }
        let mut made: Vec<String> = Vec::new();
        let mut is_prompted = false;
        loop {
            if !std::mem::replace(&mut is_prompted, true) {
                for line in play.prompt()? {
                    self.say(&line);
                }
            }
            let text = match self.next(play) {
                Ok(text) => text,
                Err(stop) => return Ok(Err(stop.into())),
            };
            let Some(text) = text.filter(|text| text.trim() != "quit") else {
                self.say("The play was left.");
                return Ok(Ok(()));
            };
            match text.trim() {
                "help" => {
                    self.say(HELP);
                    continue;
                }
                "why" => {
                    for line in reasons(&play.view(true)?) {
                        self.say(&line);
                    }
                    continue;
                }
                "undo" => {
                    if made.pop().is_none() {
                        self.say("There is no move to take back.");
                        continue;
                    }
                    if let Err(problem) = play_again(play, &made)? {
                        return Ok(Err(problem));
                    }
                    self.say("The last move was taken back.");
                    is_prompted = false;
                    continue;
                }
                _ => is_prompted = false,
            }
            let turn = match play.answer(&text)? {
                Ok(turn) => turn,
                Err(problem) if self.is_typed() => {
                    self.say(&say_problem(&problem));
                    continue;
                }
                Err(problem) => return Ok(Err(problem)),
            };
            for line in &turn.lines {
                self.say(line);
            }
            match turn.end {
                End::GoesOn => made.push(text),
                End::MayTryAgain(sentence) if self.is_typed() => self.say(&sentence),
                End::Over | End::MayTryAgain(_) => return Ok(Ok(())),
            }
        }
    }

    /// What was said, unless the user has it on the same screen already.
    fn transcript(self) -> String {
        let is_seen = std::io::stderr().is_terminal() && std::io::stdout().is_terminal();
        if self.is_at_terminal() && is_seen {
            String::new()
        } else {
            self.text
        }
    }

    /// Whether lines are read as they come, so that a mistake can be followed by another try.
    fn is_typed(&self) -> bool {
        self.moves.is_none()
    }

    /// Whether somebody reads what is said while the play goes on. Lines of a pipe have nobody,
    /// and whoever sends both streams to one file would have everything twice.
    fn is_at_terminal(&self) -> bool {
        self.is_typed() && std::io::stdin().is_terminal()
    }

    /// The next line; `None` at the end.
    fn next(&mut self, play: &dyn Play) -> Result<Option<String>, Stop> {
        if let Some(lines) = &mut self.moves {
            return Ok(lines.pop_front());
        }
        let prompt = format!("{}> ", play.asked());
        if let Some(editor) = &mut self.editor {
            return match editor.read(&prompt, play.choices()) {
                Typed::Line(line) => Ok(Some(line)),
                Typed::End => Ok(None),
                Typed::Interrupted => {
                    self.limits.interrupt().store(true, Ordering::Relaxed);
                    Err(Stop::Interrupted)
                }
            };
        }
        let mut text = String::new();
        if self.is_at_terminal() {
            let _ = write!(std::io::stderr(), "{prompt}");
        }
        Ok(match std::io::stdin().lock().read_line(&mut text) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(text),
        })
    }

    /// Keeps a sentence, and tells it at once to whoever types.
    fn say(&mut self, sentence: &str) {
        self.text.push_str(sentence);
        self.text.push('\n');
        if self.is_at_terminal() {
            let _ = writeln!(std::io::stderr(), "{sentence}");
        }
    }
}

/// Begins a play again, and makes the same moves.
fn play_again(play: &mut dyn Play, moves: &[String]) -> Shown {
    if let Err(problem) = play.restart()? {
        return Ok(Err(problem));
    }
    for line in moves {
        play.prompt()?;
        if let Err(problem) = play.answer(line)? {
            return Ok(Err(problem));
        }
    }
    Ok(Ok(()))
}

/// Which values the user cannot choose in a step, and why.
fn reasons(view: &View) -> Vec<String> {
    let mut lines = Vec::new();
    for choice in &view.choices {
        let name = &choice.name;
        match &choice.forced {
            Some(forced) if forced.because.is_empty() => {
                lines.push(format!("  `{name}` has to be {}", forced.value));
            }
            Some(forced) => {
                let because = forced.because.join(", ");
                lines.push(format!("  `{name}` has to be {}: {because}", forced.value));
            }
            None if !choice.losing.is_empty() => {
                lines.push(format!(
                    "  `{name}` loses at once with {}",
                    choice.losing.join(", ")
                ));
            }
            None => {}
        }
    }
    if lines.is_empty() && view.is_marked {
        lines.push("  No value of a single variable loses at once.".to_string());
    }
    lines.extend(view.hint.iter().map(|hint| format!("  {hint}")));
    lines
}

fn say_problem(problem: &Diagnostic) -> String {
    match &problem.help {
        Some(help) => format!("{}; {help}", problem.message),
        None => problem.message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_those_that_help_lists() {
        let mut listed: Vec<&str> = HELP
            .lines()
            .skip(1)
            .filter_map(|line| line.split_whitespace().next())
            .collect();
        listed.sort_unstable();
        assert_eq!(listed, COMMANDS);
    }
}
