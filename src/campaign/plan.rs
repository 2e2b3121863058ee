//! What a campaign consists of: sets of designs, each with a command and its options, and every
//! combination of values that a matrix asks for. [`commands`](super::commands) makes command
//! lines of them.
//!
//! Enters: the text of a plan. Leaves: its parts, each with its place in the text.

use crate::report::Verdict;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;

/// The commands that a campaign runs.
pub const COMMANDS: [&str; 5] = ["verify", "repair", "mutate", "check", "explain"];

/// Parts of one repair.
const MOST_PARTS: i64 = 100_000;

/// What is wrong with a plan, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    pub span: Option<Range<usize>>,
    pub message: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The folder of the results, seen from the plan.
    pub(super) results: Option<Spanned<String>>,
    /// Whether each result has a page.
    #[serde(default = "yes")]
    pub pages: bool,
    #[serde(default)]
    pub(super) limits: LimitWords,
    #[serde(default, rename = "set")]
    pub(super) sets: Vec<Spanned<Set>>,
}

/// Limits of each job, as options take them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct LimitWords {
    pub timeout: Option<Spanned<Word>>,
    #[serde(alias = "cpu-timeout")]
    pub cpu_timeout: Option<Spanned<Word>>,
    pub memory: Option<Spanned<Word>>,
    pub work: Option<Spanned<Word>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Set {
    pub name: Option<Spanned<String>>,
    pub command: Option<Spanned<String>>,
    #[serde(alias = "specifications")]
    pub designs: Spanned<Vec<Spanned<Files>>>,
    #[serde(default)]
    pub except: Vec<Spanned<String>>,
    #[serde(default)]
    pub properties: Vec<Spanned<String>>,
    #[serde(default)]
    pub options: Vec<Spanned<Word>>,
    #[serde(default)]
    pub matrix: BTreeMap<Spanned<String>, Vec<Spanned<Setting>>>,
    /// How many jobs one repair becomes.
    pub split: Option<Spanned<i64>>,
    #[serde(default)]
    pub limits: LimitWords,
    expect: Option<Spanned<String>>,
}

/// Files that are a design each, or one design of several files.
#[derive(Clone, Debug, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a file, or a list of files that are one design"
)]
pub(super) enum Files {
    Each(String),
    Together(Vec<String>),
}

/// A word of a command line, which may look like a number.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text or a number")]
pub(super) enum Word {
    Text(String),
    Number(i64),
    Decimal(f64),
}

/// What an option of a matrix is set to.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected a text, a number, true or false")]
pub(super) enum Setting {
    /// Whether a flag is given.
    Flag(bool),
    Value(Word),
}

impl Word {
    pub fn text(&self) -> String {
        match self {
            Word::Text(text) => text.clone(),
            Word::Number(number) => number.to_string(),
            Word::Decimal(number) => number.to_string(),
        }
    }
}

fn yes() -> bool {
    true
}

impl Plan {
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let plan: Plan = toml::from_str(text).map_err(|error| PlanError {
            span: error.span(),
            message: error.message().replace('\n', ", "),
        })?;
        if plan.sets.is_empty() {
            return Err(PlanError {
                span: None,
                message: "it has no `[[set]]`, so there is nothing to run".to_string(),
            });
        }
        if let Some(results) = &plan.results
            && results.get_ref().trim().is_empty()
        {
            let message = "`results` is the name of a folder, and this one is empty";
            return Err(wrong(results.span(), message));
        }
        plan.limits.check()?;
        for set in &plan.sets {
            set.get_ref().check()?;
        }
        Ok(plan)
    }

    /// The folder of the results, seen from the plan.
    pub fn results(&self) -> Option<&str> {
        self.results.as_ref().map(|name| name.get_ref().as_str())
    }
}

impl LimitWords {
    /// Refuses what a command line would take for an option, and says what is wanted in the words
    /// of a plan.
    fn check(&self) -> Result<(), PlanError> {
        const TIME: &str = "a time such as 90, \"1.5s\", \"2m\" or \"1h\"";
        let all = [
            ("timeout", &self.timeout, TIME),
            ("cpu-timeout", &self.cpu_timeout, TIME),
            ("memory", &self.memory, "a size such as \"500M\" or \"2G\""),
            ("work", &self.work, "a number of checks from 1 up"),
        ];
        for (name, word, wanted) in all {
            let Some(word) = word else {
                continue;
            };
            let text = word.get_ref().text();
            let is_wrong = match name {
                "work" => !text.parse::<u64>().is_ok_and(|checks| checks > 0),
                _ => text.starts_with('-'),
            };
            if is_wrong {
                return Err(wrong(word.span(), format!("`{name}` is {wanted}")));
            }
        }
        Ok(())
    }
}

impl Set {
    pub fn command(&self) -> &str {
        self.command.as_ref().map_or("verify", |one| one.get_ref())
    }

    fn check(&self) -> Result<(), PlanError> {
        if let Some(command) = &self.command
            && !COMMANDS.contains(&command.get_ref().as_str())
        {
            let message = format!(
                "`{}` is no command of a campaign; it runs {}",
                command.get_ref(),
                COMMANDS.join(", ")
            );
            return Err(wrong(command.span(), message));
        }
        self.expected()?;
        self.limits.check()?;
        for (name, values) in &self.matrix {
            if values.is_empty() {
                let (span, name) = (name.span(), name.get_ref());
                let message = format!(
                    "`{name}` in `matrix` needs a list of values, such as {name} = [\"a\", \"b\"]"
                );
                return Err(wrong(span, message));
            }
        }
        if let Some(split) = &self.split {
            if !(1..=MOST_PARTS).contains(split.get_ref()) {
                let message = format!("`split` is a number of parts from 1 to {MOST_PARTS}");
                return Err(wrong(split.span(), message));
            }
            if self.command() != "repair" {
                let message = "`split` is for sets whose command is `repair`";
                return Err(wrong(split.span(), message));
            }
        }
        Ok(())
    }

    pub fn expected(&self) -> Result<Option<Verdict>, PlanError> {
        let Some(expect) = &self.expect else {
            return Ok(None);
        };
        let text = expect.get_ref();
        let word = text.to_uppercase().replace(['-', '_'], " ");
        let found = Verdict::ALL.into_iter().find(|one| one.word() == word);
        match found {
            Some(verdict) => Ok(Some(verdict)),
            None => {
                let words = Verdict::ALL.map(|one| one.word().to_lowercase());
                let message = format!("`{text}` is no verdict; they are {}", words.join(", "));
                Err(wrong(expect.span(), message))
            }
        }
    }
}

pub(super) fn wrong(span: Range<usize>, message: impl Into<String>) -> PlanError {
    PlanError {
        span: Some(span),
        message: message.into(),
    }
}
