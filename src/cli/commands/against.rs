//! Playing against a circuit: the environment against a controller, or the system against a
//! counterstrategy.
//!
//! Moves come from a file, or line by line from standard input; then the dialogue is on
//! standard error, and standard output has the verdict and the whole play.

use crate::cli::context::Failure;
use crate::report::{Body, Report, Verdict};
use crate::source::{Diagnostic, codes::explanation as codes};
use crate::synth::circuit::Circuit;
use crate::synth::explicit::Judged;
use crate::synth::run::{Runner, Settings};
use std::collections::{HashMap, VecDeque};
use std::io::{BufRead, Write};

/// Where moves come from.
pub enum Moves {
    File(VecDeque<String>),
    /// With what is asked for.
    Terminal(&'static str),
}

impl Moves {
    pub fn new(text: Option<String>, asked: &'static str) -> Moves {
        match text {
            Some(text) => Moves::File(
                text.lines()
                    .filter(|line| !line.starts_with('#'))
                    .map(str::to_string)
                    .collect(),
            ),
            None => Moves::Terminal(asked),
        }
    }

    /// The next line; `None` at the end.
    pub fn next(&mut self) -> Option<String> {
        match self {
            Moves::File(lines) => lines.pop_front(),
            Moves::Terminal(asked) => {
                let mut text = String::new();
                let _ = write!(std::io::stderr(), "{asked}> ");
                match std::io::stdin().lock().read_line(&mut text) {
                    Ok(0) | Err(_) => None,
                    Ok(_) => Some(text),
                }
            }
        }
    }

    pub fn is_terminal(&self) -> bool {
        matches!(self, Moves::Terminal(_))
    }
}

/// What was said, and at once to whom it concerns.
pub struct Transcript {
    pub text: String,
    pub spoken: bool,
}

impl Transcript {
    pub fn say(&mut self, sentence: &str) {
        self.text.push_str(sentence);
        self.text.push('\n');
        if self.spoken {
            let _ = writeln!(std::io::stderr(), "{sentence}");
        }
    }
}

/// Who plays what.
pub struct Table<'a> {
    pub circuit: &'a Circuit,
    pub judged: &'a Judged<'a>,
    /// The circuit moves first, and the user sees its move.
    pub circuit_first: bool,
    pub verdict: Verdict,
    pub reason: &'static str,
    pub greeting: &'static str,
}

pub fn play(table: &Table<'_>, mut moves: Moves) -> Result<Report, Failure> {
    let mut runner = Runner::new(table.circuit, table.judged)?;
    let mut transcript = Transcript {
        text: String::new(),
        spoken: moves.is_terminal(),
    };
    transcript.say(table.greeting);
    let mut seen: HashMap<(Vec<bool>, Settings), usize> = HashMap::new();
    loop {
        let step = runner.steps;
        if table.circuit_first {
            let offer = line(&runner.offer());
            transcript.say(&format!("step {step}: {offer}"));
        }
        let state = runner.state();
        let Some(text) = moves.next() else {
            transcript.say("The play was left.");
            break;
        };
        if text.trim() == "quit" {
            transcript.say("The play was left.");
            break;
        }
        let given = match parse(table.circuit, &text) {
            Ok(given) => given,
            Err(problem) if moves.is_terminal() => {
                let help = problem.help.clone().unwrap_or_default();
                transcript.say(&format!("{}; {help}", problem.message));
                continue;
            }
            Err(problem) => return Err(problem.into()),
        };
        let taken = runner.step(&|port, bit| given[port][bit]);
        if !taken.is_legal {
            transcript.say(&format!(
                "  you: {}: that breaks an assumption, and the play ends: you have lost.",
                line(&taken.inputs)
            ));
            if moves.is_terminal() {
                transcript.say("  Give other inputs to go on, or `quit`.");
                continue;
            }
            break;
        }
        if table.circuit_first {
            transcript.say(&format!("  you: {}", line(&taken.inputs)));
        } else {
            let goal = taken.goal.filter(|goal| !goal.is_empty());
            let goal = goal.map_or(String::new(), |goal| format!("  (for {goal})"));
            transcript.say(&format!("step {step}: you: {}", line(&taken.inputs)));
            transcript.say(&format!("  the system: {}{goal}", line(&taken.outputs)));
        }
        if let Some(before) = seen.insert((state, taken.inputs), step) {
            transcript.say(&format!(
                "  This is what happened in step {before}; going on like this, nothing new comes."
            ));
        }
    }
    let mut report = Report::verdict(table.verdict).because(table.reason);
    report.body = Body::Play(transcript.text);
    Ok(report)
}

pub fn line(settings: &Settings) -> String {
    let words: Vec<String> = settings
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    words.join(" ")
}

/// The bits of all input ports; what is not given is 0, or the first value.
pub fn parse(circuit: &Circuit, text: &str) -> Result<Vec<Vec<bool>>, Diagnostic> {
    let mut bits: Vec<Vec<bool>> = circuit
        .inputs
        .iter()
        .map(|port| {
            let first = match &port.meaning {
                crate::synth::circuit::Meaning::Number { first, .. } => first.to_string(),
                crate::synth::circuit::Meaning::Names(names) => names[0].clone(),
                crate::synth::circuit::Meaning::Boolean => "false".to_string(),
            };
            let width = port.bits.len();
            let found = port.meaning.parse(&first, width);
            found.unwrap_or_else(|| vec![false; width])
        })
        .collect();
    let text = text.split('#').next().unwrap_or("");
    for word in text.split_whitespace() {
        let Some((name, given)) = word.split_once('=') else {
            let message = format!("`{word}` is no setting");
            return Err(Diagnostic::error(codes::BAD_SETTING, message)
                .help("write a name, `=` and a value, such as `grant=true`"));
        };
        let mut ports = circuit.inputs.iter();
        let Some(place) = ports.position(|port| port.name == name) else {
            let names: Vec<&str> = circuit
                .inputs
                .iter()
                .map(|port| port.name.as_str())
                .collect();
            let message = format!("`{name}` is none of the variables that can be set here");
            return Err(Diagnostic::error(codes::BAD_SETTING, message)
                .help(format!("they are {}", names.join(", "))));
        };
        let port = &circuit.inputs[place];
        if given == "?" {
            continue;
        }
        let Some(value) = port.meaning.parse(given, port.bits.len()) else {
            let message = format!("`{given}` is no value of `{name}`");
            return Err(Diagnostic::error(codes::BAD_SETTING, message)
                .help(format!("it can be {}", port.meaning.examples())));
        };
        bits[place] = value;
    }
    Ok(bits)
}
