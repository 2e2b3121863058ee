//! From the sets of a plan to command lines, in the order of the plan. Which files a pattern
//! means is asked of whoever can look at directories.

use super::plan::{Files, LimitWords, Plan, PlanError, Set, Setting, Word, wrong};
use crate::report::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// What a project file is called.
const PROJECT_FILE: &str = "respin.toml";
/// Jobs of one campaign; a matrix grows fast.
const MOST_JOBS: usize = 1_000_000;

/// One command of a plan, before anything was read for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub name: String,
    pub set: String,
    pub directory: Option<String>,
    pub arguments: Vec<String>,
    pub expected: Option<Verdict>,
    /// The name of the repair that this is a part of.
    pub whole: Option<String>,
    /// Where in the plan each argument comes from.
    pub origins: Vec<Range<usize>>,
}

impl Planned {
    /// Where the first of these words stands in the plan that is an argument, or begins one; the
    /// command itself if none is.
    pub fn origin(&self, words: &[String]) -> Range<usize> {
        let mut found = words.iter().filter_map(|word| {
            let mut arguments = self.arguments.iter().zip(&self.origins).skip(1);
            arguments.find(|(argument, _)| {
                let rest = argument.strip_prefix(word.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
            })
        });
        let found = found.next().map(|(_, origin)| origin.clone());
        found.or(self.origins.first().cloned()).unwrap_or(0..0)
    }
}

/// The files that a pattern means, in the order of their names, seen from the plan; a name
/// without a pattern means itself.
pub type Find<'a> = dyn Fn(&str) -> Result<Vec<String>, String> + 'a;

/// Words of a command line, each with its place in the plan.
#[derive(Clone, Default)]
struct Words {
    arguments: Vec<String>,
    origins: Vec<Range<usize>>,
}

impl Words {
    fn add(&mut self, words: impl IntoIterator<Item = String>, origin: &Range<usize>) {
        for word in words {
            self.arguments.push(word);
            self.origins.push(origin.clone());
        }
    }
}

impl Plan {
    /// The commands of all sets.
    pub fn commands(&self, find: &Find<'_>) -> Result<Vec<Planned>, PlanError> {
        let mut planned = Vec::new();
        let mut names = BTreeSet::new();
        for (index, set) in self.sets.iter().enumerate() {
            let called = called(index, &self.sets);
            let span = set.span();
            let commands = set
                .get_ref()
                .commands((&called, &span), &self.limits, find)?;
            for (one, origin) in commands {
                if !names.insert(one.name.clone()) {
                    let message = format!(
                        "two jobs are called `{}`: a design is named twice, or two sets have \
                         the same `name`",
                        one.name
                    );
                    return Err(wrong(origin, message));
                }
                planned.push(one);
            }
            if planned.len() > MOST_JOBS {
                return Err(wrong(span, format!("it has more than {MOST_JOBS} jobs")));
            }
        }
        Ok(planned)
    }
}

/// What a set is called: its own name, or its command, with a number if others have the same.
fn called(index: usize, all: &[Spanned<Set>]) -> String {
    let set = all[index].get_ref();
    if let Some(name) = &set.name {
        return name.get_ref().clone();
    }
    let alike = |other: &&Spanned<Set>| {
        let other = other.get_ref();
        other.name.is_none() && other.command() == set.command()
    };
    let count = all.iter().filter(alike).count();
    let number = all[..=index].iter().filter(alike).count();
    match count {
        1 => set.command().to_string(),
        _ => format!("{} {number}", set.command()),
    }
}

impl Set {
    /// Each command with the place of its design.
    fn commands(
        &self,
        (called, span): (&str, &Range<usize>),
        limits: &LimitWords,
        find: &Find<'_>,
    ) -> Result<Vec<(Planned, Range<usize>)>, PlanError> {
        let mut planned = Vec::new();
        let expected = self.expected()?;
        let parts = self.split.as_ref().map_or(0, |split| *split.get_ref());
        for design in self.found(find)? {
            let fill = |text: &str| filled(text, &design);
            let directory = design.directory();
            let words = self.words(&design, span, find)?;
            for (shown, chosen) in combinations(&self.matrix) {
                let mut words = words.clone();
                for (word, origin) in chosen {
                    words.add([fill(&word)], &origin);
                }
                let given: BTreeSet<String> = words.arguments.iter().cloned().collect();
                for (option, value, origin) in limit_words(&self.limits, limits) {
                    if !given.contains(option) {
                        words.add([option.to_string(), value], &origin);
                    }
                }
                let mut name = vec![format!("{called}:"), design.shown()];
                name.extend(shown);
                let name = name.join(" ");
                let mut add = |name: String, whole: Option<String>, words: Words| {
                    let one = Planned {
                        name,
                        set: called.to_string(),
                        directory: directory.clone(),
                        arguments: words.arguments,
                        expected,
                        whole,
                        origins: words.origins,
                    };
                    planned.push((one, design.span.clone()));
                };
                let Some(split) = &self.split else {
                    add(name, None, words);
                    continue;
                };
                for part in 1..=parts {
                    let part = format!("{part}/{parts}");
                    let mut words = words.clone();
                    words.add(["--part".to_string(), part.clone()], &split.span());
                    add(format!("{name} part={part}"), Some(name.clone()), words);
                }
            }
            if planned.len() > MOST_JOBS {
                let message = format!("{called} has more than {MOST_JOBS} jobs");
                return Err(wrong(span.clone(), message));
            }
        }
        if planned.is_empty() {
            let message = format!("the set {called} names no design");
            return Err(wrong(self.designs.span(), message));
        }
        Ok(planned)
    }

    /// The words of a command line that all combinations of the matrix share.
    fn words(
        &self,
        design: &Design,
        span: &Range<usize>,
        find: &Find<'_>,
    ) -> Result<Words, PlanError> {
        let mut words = Words::default();
        let command = self.command.as_ref();
        let origin = command.map_or_else(|| span.clone(), Spanned::span);
        words.add([self.command().to_string()], &origin);
        words.add(design.words(), &design.span);
        for pattern in &self.properties {
            let span = pattern.span();
            if design.directory().is_some() {
                let message = format!(
                    "`{}` names its own properties: leave out `properties`",
                    design.files[0]
                );
                return Err(wrong(span, message));
            }
            let found = find(&filled(pattern.get_ref(), design));
            for file in found.map_err(|message| wrong(span.clone(), message))? {
                words.add(["--spec".to_string(), file], &span);
            }
        }
        for option in &self.options {
            let text = filled(&option.get_ref().text(), design);
            // Numbers of corrections are those of the whole, which no part knows.
            let name = text.split('=').next().unwrap_or_default();
            if self.split.is_some() && ["--pick", "--reject"].contains(&name) {
                let message = format!("`{name}` names a correction, and parts have their own");
                return Err(wrong(option.span(), message));
            }
            words.add([text], &option.span());
        }
        Ok(words)
    }

    fn found(&self, find: &Find<'_>) -> Result<Vec<Design>, PlanError> {
        let mut designs = Vec::new();
        let mut is_used = vec![false; self.except.len()];
        let mut is_excepted = |path: &String| {
            let mut found = false;
            for (pattern, is_used) in self.except.iter().zip(&mut is_used) {
                let is_meant = super::glob::matches(pattern.get_ref(), path);
                *is_used |= is_meant;
                found |= is_meant;
            }
            found
        };
        for files in self.designs.get_ref() {
            let span = files.span();
            let find =
                |pattern: &str| find(pattern).map_err(|message| wrong(span.clone(), message));
            match files.get_ref() {
                Files::Each(pattern) => {
                    let found = find(pattern)?.into_iter();
                    let found = found.filter(|path| !is_excepted(path));
                    designs.extend(found.map(|path| Design {
                        files: vec![path],
                        span: span.clone(),
                    }));
                }
                Files::Together(patterns) => {
                    let mut files = Vec::new();
                    for pattern in patterns {
                        files.extend(find(pattern)?);
                    }
                    if files.is_empty() {
                        return Err(wrong(span, "a design of several files names none"));
                    }
                    designs.push(Design { files, span });
                }
            }
        }
        // A design that was meant to be left out would be run in silence.
        if let Some(index) = is_used.iter().position(|is_used| !is_used) {
            let pattern = &self.except[index];
            let message = format!(
                "`{}` in `except` means none of the designs that a pattern of this set names",
                pattern.get_ref()
            );
            return Err(wrong(pattern.span(), message));
        }
        Ok(designs)
    }
}

/// The files of one design.
struct Design {
    files: Vec<String>,
    /// Where the plan names it.
    span: Range<usize>,
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
fn filled(text: &str, design: &Design) -> String {
    if !text.contains('{') {
        return text.to_string();
    }
    let stem = Path::new(&design.files[0]).file_stem();
    let stem = stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    text.replace("{design}", &design.files[0])
        .replace("{folder}", &design.folder())
        .replace("{name}", &stem)
        .replace("{plan}", ".")
}

/// A word with its place in the plan.
type Placed = (String, Range<usize>);

/// Every combination of the values of a matrix: how it is shown, and its words.
fn combinations(
    matrix: &BTreeMap<Spanned<String>, Vec<Spanned<Setting>>>,
) -> Vec<(Vec<String>, Vec<Placed>)> {
    let mut all = vec![(Vec::new(), Vec::new())];
    for (option, values) in matrix {
        let name = option.get_ref();
        let mut longer = Vec::with_capacity(all.len() * values.len());
        for (shown, words) in &all {
            for value in values {
                let (mut shown, mut words) = (shown.clone(), words.clone());
                match value.get_ref() {
                    Setting::Flag(is_given) => {
                        shown.push(format!("{name}={is_given}"));
                        words.extend(is_given.then(|| (format!("--{name}"), option.span())));
                    }
                    Setting::Value(word) => {
                        shown.push(format!("{name}={}", word.text()));
                        let name = (format!("--{name}"), option.span());
                        words.extend([name, (word.text(), value.span())]);
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

/// The limits of a set, and of the whole plan where it has none, with their places.
fn limit_words(
    own: &LimitWords,
    of_plan: &LimitWords,
) -> Vec<(&'static str, String, Range<usize>)> {
    let pairs = [
        ("--timeout", &own.timeout, &of_plan.timeout),
        ("--cpu-timeout", &own.cpu_timeout, &of_plan.cpu_timeout),
        ("--memory", &own.memory, &of_plan.memory),
        ("--work", &own.work, &of_plan.work),
    ];
    let given = pairs.into_iter().filter_map(|(option, own, of_plan)| {
        let word: &Spanned<Word> = own.as_ref().or(of_plan.as_ref())?;
        Some((option, word.get_ref().text(), word.span()))
    });
    given.collect()
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

    fn commands(text: &str) -> Result<Vec<Planned>, PlanError> {
        Plan::parse(text)?.commands(&find)
    }

    fn check(text: &str, expected: &[&str]) {
        let commands = commands(text).unwrap();
        let lines: Vec<String> = commands.iter().map(|one| one.arguments.join(" ")).collect();
        assert_eq!(lines, expected);
    }

    fn check_wrong(text: &str, expected: &str) {
        let message = commands(text).map_err(|error| error.message).unwrap_err();
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
        let planned = commands("[[set]]\ndesigns = ['hdl/c/*']").unwrap();
        assert_eq!(planned[0].directory.as_deref(), Some("hdl/c"));
    }

    #[test]
    fn parts_of_a_design_are_filled_in() {
        check(
            "[[set]]\ndesigns = ['hdl/a/*.v']\nproperties = ['{folder}/*.ltl']\n\
             options = ['-I', '{plan}/inc', '--top', '{name}']",
            &["verify hdl/a/faulty.v --spec hdl/a/properties.ltl -I ./inc --top faulty"],
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
        let names: Vec<String> = commands(text)
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

    #[test]
    fn a_split_repair_is_a_job_for_each_part() {
        check(
            "[[set]]\ncommand = 'repair'\ndesigns = ['hdl/a/*.v']\nsplit = 2\n\
             options = ['--faults', 1]",
            &[
                "repair hdl/a/faulty.v --faults 1 --part 1/2",
                "repair hdl/a/faulty.v --faults 1 --part 2/2",
            ],
        );
        check_wrong(
            "[[set]]\ndesigns = ['hdl/a/*.v']\nsplit = 2",
            "whose command is `repair`",
        );
        check_wrong(
            "[[set]]\ncommand = 'repair'\ndesigns = ['hdl/a/*.v']\nsplit = 0",
            "a number of parts",
        );
    }

    /// The text of a plan at the place of what is wrong with it.
    fn check_place(text: &str, expected: &str) {
        let error = commands(text).unwrap_err();
        let span = error.span.expect("a place");
        assert_eq!(&text[span], expected, "{}", error.message);
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        check_place("[[set]]\ncommand = 'rm'\ndesigns = []", "'rm'");
        check_place("[[set]]\ndesigns = []", "[]");
        check_place("[[set]]\ndesigns = ['hdl/all.f', 'x.v']", "'x.v'");
        check_place("[[set]]\ndesigns = ['hdl/all.f', ['x.v']]", "['x.v']");
        check_place("[[set]]\ndesign = ['x.v']", "design");
        // Of a value of the wrong kind, the list that it is in.
        let list = "['hdl/all.f', true]";
        check_place(&format!("[[set]]\ndesigns = {list}"), list);
        let set = "[[set]]\ndesigns = ['hdl/a/*.v']\n";
        check_place(&format!("{set}expect = 'maybe'"), "'maybe'");
        check_place(
            &format!("{set}properties = ['{{folder}}/x']"),
            "'{folder}/x'",
        );
        check_place(&format!("{set}matrix = {{ engine = [] }}"), "engine");
        check_place(&format!("{set}matrix = {{ engine = [[]] }}"), "[[]]");
        check_place(&format!("{set}split = 4"), "4");
        check_place(&format!("{set}except = ['hdl/b/*']"), "'hdl/b/*'");
        check_place(&format!("{set}limits = {{ work = -5 }}"), "-5");
        check_place(&format!("[limits]\nwork = 0\n{set}"), "0");
        check_place(&format!("[limits]\nmemory = -1\n{set}"), "-1");
        check_place(&format!("results = ''\n{set}"), "''");
        check_place(
            &format!("{set}\n{set}name = 'verify'\n{set}name = 'verify'"),
            "'hdl/a/*.v'",
        );
    }
}
