//! What a campaign consists of: sets of designs, each with a command and its options, and every
//! combination of values that a matrix asks for.
//!
//! Enters: the text of a plan. Leaves: the words of each command, in the order of the plan. Which
//! files a pattern means is asked of whoever can look at directories.

use crate::report::Verdict;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

/// The commands that a campaign runs.
pub const COMMANDS: [&str; 5] = ["verify", "repair", "mutate", "check", "explain"];

/// What a project file is called.
const PROJECT_FILE: &str = "respin.toml";
/// Jobs of one campaign; a matrix grows fast.
const MOST_JOBS: usize = 1_000_000;

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
    pub results: Option<String>,
    /// Whether each result has a page.
    #[serde(default = "yes")]
    pub pages: bool,
    #[serde(default)]
    limits: LimitWords,
    #[serde(default, rename = "set")]
    sets: Vec<Set>,
}

/// Limits of each job, as options take them.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitWords {
    timeout: Option<Word>,
    #[serde(alias = "cpu-timeout")]
    cpu_timeout: Option<Word>,
    memory: Option<Word>,
    work: Option<Word>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    name: Option<String>,
    #[serde(default = "verify")]
    command: String,
    #[serde(alias = "specifications")]
    designs: Vec<Files>,
    #[serde(default)]
    except: Vec<String>,
    #[serde(default)]
    properties: Vec<String>,
    #[serde(default)]
    options: Vec<Word>,
    #[serde(default)]
    matrix: BTreeMap<String, Vec<Setting>>,
    #[serde(default)]
    limits: LimitWords,
    expect: Option<String>,
}

/// Files that are a design each, or one design of several files.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Files {
    Each(String),
    Together(Vec<String>),
}

/// A word of a command line, which may look like a number.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Word {
    Text(String),
    Number(i64),
    Decimal(f64),
}

/// What an option of a matrix is set to.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum Setting {
    /// Whether a flag is given.
    Flag(bool),
    Value(Word),
}

impl Word {
    fn text(&self) -> String {
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

fn verify() -> String {
    "verify".to_string()
}

/// One command of a plan, before anything was read for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub name: String,
    pub set: String,
    pub directory: Option<String>,
    pub arguments: Vec<String>,
    pub expected: Option<Verdict>,
}

/// The files that a pattern means, in the order of their names, seen from where the campaign
/// runs; a name without a pattern means itself.
pub type Find<'a> = dyn Fn(&str) -> Result<Vec<String>, String> + 'a;

impl Plan {
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let plan: Plan = toml::from_str(text).map_err(|error| PlanError {
            span: error.span(),
            message: error.message().replace('\n', ", "),
        })?;
        if plan.sets.is_empty() {
            return Err(wrong("it has no `[[set]]`, so there is nothing to run"));
        }
        for set in &plan.sets {
            set.check()?;
        }
        Ok(plan)
    }

    /// The commands of all sets. `home` is the folder of the plan.
    pub fn commands(&self, home: &str, find: &Find<'_>) -> Result<Vec<Planned>, PlanError> {
        let mut planned = Vec::new();
        let mut names = BTreeSet::new();
        for (index, set) in self.sets.iter().enumerate() {
            let called = set.called(index, &self.sets);
            for one in set.commands(&called, &self.limits, home, find)? {
                if !names.insert(one.name.clone()) {
                    let message = format!(
                        "two jobs are called `{}`: a design is named twice, or two sets have \
                         the same `name`",
                        one.name
                    );
                    return Err(wrong(message));
                }
                planned.push(one);
            }
            if planned.len() > MOST_JOBS {
                return Err(wrong(format!("it has more than {MOST_JOBS} jobs")));
            }
        }
        Ok(planned)
    }
}

impl Set {
    fn check(&self) -> Result<(), PlanError> {
        if !COMMANDS.contains(&self.command.as_str()) {
            return Err(wrong(format!(
                "`{}` is no command of a campaign; it runs {}",
                self.command,
                COMMANDS.join(", ")
            )));
        }
        self.expected()?;
        for (name, values) in &self.matrix {
            if values.is_empty() {
                return Err(wrong(format!(
                    "`{name}` in `matrix` needs a list of values, such as {name} = [\"a\", \"b\"]"
                )));
            }
        }
        Ok(())
    }

    /// What the set is called: its own name, or its command, with a number if others have the
    /// same.
    fn called(&self, index: usize, all: &[Set]) -> String {
        let Some(name) = &self.name else {
            let alike = |other: &&Set| other.name.is_none() && other.command == self.command;
            let count = all.iter().filter(alike).count();
            let number = all[..=index].iter().filter(alike).count();
            return match count {
                1 => self.command.clone(),
                _ => format!("{} {number}", self.command),
            };
        };
        name.clone()
    }

    fn expected(&self) -> Result<Option<Verdict>, PlanError> {
        let Some(text) = &self.expect else {
            return Ok(None);
        };
        let word = text.to_uppercase().replace(['-', '_'], " ");
        let found = Verdict::ALL.into_iter().find(|one| one.word() == word);
        match found {
            Some(verdict) => Ok(Some(verdict)),
            None => Err(wrong(format!("`expect = \"{text}\"` is no verdict"))),
        }
    }

    fn commands(
        &self,
        called: &str,
        limits: &LimitWords,
        home: &str,
        find: &Find<'_>,
    ) -> Result<Vec<Planned>, PlanError> {
        let mut planned = Vec::new();
        let expected = self.expected()?;
        for design in self.found(home, find)? {
            let fill = |text: &str| filled(text, &design, home);
            let directory = design.directory();
            if directory.is_some() && !self.properties.is_empty() {
                let message = format!(
                    "`{}` names its own properties: leave out `properties`",
                    design.files[0]
                );
                return Err(wrong(message));
            }
            let mut words = vec![self.command.clone()];
            words.extend(design.words());
            for pattern in &self.properties {
                for file in find(&inside(home, &fill(pattern))).map_err(wrong)? {
                    words.extend(["--spec".to_string(), file]);
                }
            }
            words.extend(self.options.iter().map(|option| fill(&option.text())));
            for (shown, chosen) in combinations(&self.matrix) {
                let mut arguments = words.clone();
                arguments.extend(chosen.iter().map(|word| fill(word)));
                let own = limit_words(&self.limits, limits);
                let given: BTreeSet<String> = arguments.iter().cloned().collect();
                let missing = own
                    .into_iter()
                    .filter(|(option, _)| !given.contains(option));
                arguments.extend(missing.flat_map(|(option, value)| [option, value]));
                let mut parts = vec![format!("{called}:"), design.shown()];
                parts.extend(shown);
                planned.push(Planned {
                    name: parts.join(" "),
                    set: called.to_string(),
                    directory: directory.clone(),
                    arguments,
                    expected,
                });
                if planned.len() > MOST_JOBS {
                    return Err(wrong(format!("{called} has more than {MOST_JOBS} jobs")));
                }
            }
        }
        if planned.is_empty() {
            return Err(wrong(format!("the set {called} names no design")));
        }
        Ok(planned)
    }

    fn found(&self, home: &str, find: &Find<'_>) -> Result<Vec<Design>, PlanError> {
        let mut designs = Vec::new();
        let excepted = |path: &String| {
            let mut patterns = self.except.iter();
            patterns.any(|pattern| super::glob::matches(&inside(home, pattern), path))
        };
        for files in &self.designs {
            match files {
                Files::Each(pattern) => {
                    let found = find(&inside(home, pattern)).map_err(wrong)?;
                    let found = found.into_iter().filter(|path| !excepted(path));
                    designs.extend(found.map(|path| Design { files: vec![path] }));
                }
                Files::Together(patterns) => {
                    let mut files = Vec::new();
                    for pattern in patterns {
                        files.extend(find(&inside(home, pattern)).map_err(wrong)?);
                    }
                    if files.is_empty() {
                        return Err(wrong("a design of several files names none"));
                    }
                    designs.push(Design { files });
                }
            }
        }
        Ok(designs)
    }
}

/// The files of one design.
struct Design {
    files: Vec<String>,
}

impl Design {
    /// The folder of a project file, in which its command runs.
    fn directory(&self) -> Option<String> {
        let path = Path::new(&self.files[0]);
        let is_project = path.file_name().is_some_and(|name| name == PROJECT_FILE);
        is_project.then(|| self.folder())
    }

    fn words(&self) -> Vec<String> {
        if self.directory().is_some() {
            return Vec::new();
        }
        let words = self.files.iter().flat_map(|file| {
            let is_list = Path::new(file).extension().is_some_and(|one| one == "f");
            let option = is_list.then(|| "-f".to_string());
            option.into_iter().chain([file.clone()])
        });
        words.collect()
    }

    fn folder(&self) -> String {
        let parent = Path::new(&self.files[0]).parent();
        let folder = parent.map(|parent| parent.to_string_lossy().into_owned());
        folder
            .filter(|one| !one.is_empty())
            .unwrap_or(".".to_string())
    }

    fn shown(&self) -> String {
        self.files.join(" ")
    }
}

/// A text with the parts of a design in the place of `{design}`, `{folder}` and `{name}`.
fn filled(text: &str, design: &Design, home: &str) -> String {
    if !text.contains('{') {
        return text.to_string();
    }
    let stem = Path::new(&design.files[0]).file_stem();
    let stem = stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let home = if home.is_empty() { "." } else { home };
    text.replace("{design}", &design.files[0])
        .replace("{folder}", &design.folder())
        .replace("{name}", &stem)
        .replace("{plan}", home)
}

/// A path of the plan, seen from where the campaign runs. What is filled in is seen from there
/// already.
fn inside(home: &str, path: &str) -> String {
    let is_inside = path.starts_with('/') || home.is_empty();
    let is_filled = path
        .strip_prefix(home)
        .is_some_and(|rest| rest.starts_with('/'));
    match is_inside || is_filled {
        true => path.to_string(),
        false => format!("{home}/{path}"),
    }
}

/// Every combination of the values of a matrix: how it is shown, and its words.
fn combinations(matrix: &BTreeMap<String, Vec<Setting>>) -> Vec<(Vec<String>, Vec<String>)> {
    let mut all = vec![(Vec::new(), Vec::new())];
    for (option, values) in matrix {
        let mut longer = Vec::with_capacity(all.len() * values.len());
        for (shown, words) in &all {
            for value in values {
                let (mut shown, mut words) = (shown.clone(), words.clone());
                match value {
                    Setting::Flag(is_given) => {
                        shown.push(format!("{option}={is_given}"));
                        words.extend(is_given.then(|| format!("--{option}")));
                    }
                    Setting::Value(word) => {
                        shown.push(format!("{option}={}", word.text()));
                        words.extend([format!("--{option}"), word.text()]);
                    }
                }
                longer.push((shown, words));
            }
            if longer.len() > MOST_JOBS {
                return longer;
            }
        }
        all = longer;
    }
    all
}

/// The limits of a set, and of the whole plan where it has none.
fn limit_words(own: &LimitWords, of_plan: &LimitWords) -> Vec<(String, String)> {
    let pairs = [
        ("--timeout", &own.timeout, &of_plan.timeout),
        ("--cpu-timeout", &own.cpu_timeout, &of_plan.cpu_timeout),
        ("--memory", &own.memory, &of_plan.memory),
        ("--work", &own.work, &of_plan.work),
    ];
    let given = pairs.into_iter().filter_map(|(option, own, of_plan)| {
        let word = own.as_ref().or(of_plan.as_ref())?;
        Some((option.to_string(), word.text()))
    });
    given.collect()
}

fn wrong(message: impl Into<String>) -> PlanError {
    PlanError {
        span: None,
        message: message.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 6] = [
        "hdl/a/faulty.v",
        "hdl/a/properties.ltl",
        "hdl/b/faulty.v",
        "hdl/b/properties.ltl",
        "hdl/c/respin.toml",
        "hdl/all.f",
    ];

    fn find(pattern: &str) -> Result<Vec<String>, String> {
        let found = FILES
            .iter()
            .filter(|path| super::super::glob::matches(pattern, path));
        let found: Vec<String> = found.map(|path| path.to_string()).collect();
        match found.is_empty() {
            true => Err(format!("no file `{pattern}`")),
            false => Ok(found),
        }
    }

    fn commands(home: &str, text: &str) -> Result<Vec<Planned>, PlanError> {
        Plan::parse(text)?.commands(home, &find)
    }

    fn check(text: &str, expected: &[&str]) {
        let commands = commands("", text).unwrap();
        let lines: Vec<String> = commands.iter().map(|one| one.arguments.join(" ")).collect();
        assert_eq!(lines, expected);
    }

    fn check_wrong(text: &str, expected: &str) {
        let message = commands("", text)
            .map_err(|error| error.message)
            .unwrap_err();
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn designs_and_a_matrix_become_commands() {
        check(
            "[limits]\nwork = 100\n[[set]]\ncommand = 'repair'\ndesigns = ['hdl/*/faulty.v']\n\
             except = ['hdl/b/*']\nproperties = ['{folder}/properties.ltl']\n\
             options = ['--reset', 'rst']\nmatrix = { components = ['rhs', 'literal'] }",
            &[
                "repair hdl/a/faulty.v --spec hdl/a/properties.ltl --reset rst --components rhs --work 100",
                "repair hdl/a/faulty.v --spec hdl/a/properties.ltl --reset rst --components literal --work 100",
            ],
        );
    }

    #[test]
    fn lists_projects_and_several_files_are_designs() {
        check(
            "[[set]]\ndesigns = ['hdl/all.f', ['hdl/a/faulty.v', 'hdl/b/faulty.v'], 'hdl/c/*']",
            &[
                "verify -f hdl/all.f",
                "verify hdl/a/faulty.v hdl/b/faulty.v",
                "verify",
            ],
        );
        let planned = commands("", "[[set]]\ndesigns = ['hdl/c/*']").unwrap();
        assert_eq!(planned[0].directory.as_deref(), Some("hdl/c"));
    }

    #[test]
    fn paths_are_seen_from_the_plan() {
        let text = "[[set]]\ndesigns = ['a/*.v']\nproperties = ['{folder}/*.ltl']";
        let planned = commands("hdl", text).unwrap();
        assert_eq!(
            planned[0].arguments.join(" "),
            "verify hdl/a/faulty.v --spec hdl/a/properties.ltl"
        );
    }

    #[test]
    fn flags_and_own_limits() {
        check(
            "[limits]\ntimeout = 5\n[[set]]\ndesigns = ['hdl/a/*.v']\nlimits = { timeout = '9s' }\n\
             matrix = { strict = [true, false] }",
            &[
                "verify hdl/a/faulty.v --strict --timeout 9s",
                "verify hdl/a/faulty.v --timeout 9s",
            ],
        );
    }

    #[test]
    fn names_tell_jobs_apart() {
        let text = "[[set]]\ndesigns = ['hdl/a/*.v']\nmatrix = { engine = ['bdd', 'sat'] }";
        let names: Vec<String> = commands("", text)
            .unwrap()
            .into_iter()
            .map(|one| one.name)
            .collect();
        assert_eq!(
            names,
            [
                "verify: hdl/a/faulty.v engine=bdd",
                "verify: hdl/a/faulty.v engine=sat"
            ]
        );
    }

    #[test]
    fn wrong_plans_are_refused() {
        check_wrong("", "no `[[set]]`");
        check_wrong(
            "[[set]]\ncommand = 'rm'\ndesigns = []",
            "`rm` is no command",
        );
        check_wrong("[[set]]\ndesigns = []", "names no design");
        check_wrong("[[set]]\ndesigns = ['x.v']", "no file `x.v`");
        check_wrong("[[set]]\ndesign = ['x.v']", "design");
        check_wrong(
            "[[set]]\ndesigns = ['hdl/a/faulty.v', 'hdl/a/faulty.v']",
            "two jobs",
        );
        check_wrong(
            "[[set]]\ndesigns = ['hdl/a/*.v']\nexpect = 'maybe'",
            "no verdict",
        );
        check_wrong(
            "[[set]]\ndesigns = ['hdl/a/*.v']\nmatrix = { engine = 'bdd' }",
            "sequence",
        );
        check_wrong(
            "[[set]]\ndesigns = ['hdl/a/*.v']\nmatrix = { engine = [] }",
            "list of values",
        );
    }
}
