//! `FILE.sby`: a project of SymbiYosys in place of the files of a design.
//!
//! Its script is understood and never run; see `script`. `sections` has the lines that count
//! for a task. Names of files are looked up in `[files]` and `[file NAME]`, and are never a
//! part of any command. What the command line says besides outranks the file.
//!
//! Proofs have no bound here, so `depth` and engines mean nothing: `bmc` and `prove` are the
//! same question. Nothing that is asserted is left out, whatever the mode; cover statements
//! are for the mode `cover`, which asks for nothing else.

mod script;
mod sections;

use super::arguments::{Arguments, Command};
use super::context::{Context, Failure};
use super::input::{Format, InputFile, read};
use super::options::{DesignOptions, Frontend};
use super::values::{self, Define, InputPath};
use crate::limits::Limits;
use crate::report::Verdict;
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId, Span};
use script::Script;
use sections::{Section, Task};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a task asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// `bmc`, `prove` and `live`: whether all assertions hold.
    Assertions,
    /// `cover`: whether all cover statements can be reached.
    Covers,
}

/// Options that say how engines work or what they write.
const MEANINGLESS: [&str; 18] = [
    "depth",
    "append",
    "append_assume",
    "wait",
    "vcd",
    "vcd_sim",
    "fst",
    "multiclock",
    "async2sync",
    "aigfolds",
    "aigvmap",
    "aigsyms",
    "aigsmt",
    "tbtop",
    "make_model",
    "diffspec",
    "cycle_width",
    "assume_early",
];

/// A file as it is for one task.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plan {
    /// What is asked; both if nothing.
    mode: Option<Mode>,
    timeout: Option<Duration>,
    expected: Option<Verdict>,
    script: Script,
    /// The names of files in the script, with their paths.
    listed: Vec<(String, PathBuf)>,
    /// Texts that stand in the file itself.
    texts: Vec<(PathBuf, String)>,
    /// What was looked for where the command runs, before it was looked for beside the file.
    missing: Vec<PathBuf>,
}

/// Puts what an sby file says in its place.
pub fn expand(arguments: &mut Arguments, context: &mut Context) -> Result<(), Failure> {
    let (options, is_verify) = match &mut arguments.command {
        Command::Repair(repair) => (&mut repair.design, false),
        Command::Verify(verify) => (&mut verify.design, true),
        Command::Instrument(instrument) => (&mut instrument.design, false),
        Command::Mutate(mutate) => (&mut mutate.design, false),
        _ => return Ok(()),
    };
    let Some(path) = options.designs.iter().find_map(sby_path).cloned() else {
        if options.task.is_some() {
            let message = "`--task` is for sby files, and none was given";
            return Err(Diagnostic::error(frame::BAD_USAGE, message).into());
        }
        return Ok(());
    };
    if options.designs.len() + options.file_lists.len() > 1 {
        let message = "an sby file is a whole project, and other files were given besides";
        let help = "list all files of the design in the sby file";
        return Err(Diagnostic::error(frame::BAD_USAGE, message)
            .help(help)
            .into());
    }
    let input = InputFile {
        path: InputPath::File(path.clone()),
        format: Format::Verilog,
    };
    let file = read(&input, context)?;
    let text = context.sources.file(file).text.clone();
    let plan = plan(file, &text, &path, options.task.as_deref())?;
    context.editable.project(&home_of(&path));
    for (path, text) in &plan.texts {
        context.texts.insert(path, text.clone());
    }
    for path in &plan.missing {
        context.missing.add(path);
    }
    let global = &mut arguments.global;
    if let (true, None) = (is_verify, global.expect) {
        context.settings.expected = plan.expected;
    }
    if let (None, Some(timeout)) = (global.timeout, plan.timeout) {
        let interrupt = context.limits.interrupt().clone();
        let limits = Limits::new(Some(timeout), global.memory, interrupt);
        let limits = limits.with_processor_time(global.cpu_timeout);
        context.set_limits(limits.with_work(global.work));
    }
    Ok(plan.fill(options, &path)?)
}

fn sby_path(design: &InputPath) -> Option<&PathBuf> {
    match design {
        InputPath::File(path) => {
            let extension = path.extension()?;
            extension.eq_ignore_ascii_case("sby").then_some(path)
        }
        InputPath::Stdin => None,
    }
}

fn home_of(path: &Path) -> PathBuf {
    Path::new(".").join(path.parent().unwrap_or(Path::new("")))
}

/// What the file says for the task that is meant. Several tasks are one question if they read
/// the same design.
fn plan(file: FileId, text: &str, path: &Path, wanted: Option<&str>) -> Result<Plan, Diagnostic> {
    let tasks = sections::tasks(file, text)?;
    let of = |task: Option<&Task>| -> Result<Plan, Diagnostic> {
        Plan::new(&sections::sections(file, text, &tasks, task)?, file, path)
    };
    let names: Vec<&str> = tasks.iter().map(Task::name).collect();
    let listed = names.join(", ");
    if let Some(wanted) = wanted {
        let Some(task) = tasks.iter().find(|task| task.name() == wanted) else {
            let message = format!("there is no task `{wanted}`");
            return Err(
                Diagnostic::error(frame::BAD_SBY_FILE, message).help(match listed.len() {
                    0 => "the file has no tasks".to_string(),
                    _ => format!("its tasks are {listed}"),
                }),
            );
        };
        return of(Some(task));
    }
    let chosen = sections::default_tasks(&tasks);
    let Some((first, others)) = chosen.split_first() else {
        return of(None);
    };
    let mut plan = of(Some(first))?;
    for task in others {
        let other = of(Some(task))?;
        if !other.has_design_of(&plan) {
            let (one, two) = (first.name(), task.name());
            let message = format!("the tasks `{one}` and `{two}` are about different designs");
            return Err(Diagnostic::error(frame::BAD_SBY_FILE, message)
                .help(format!("say which one with `--task`: {listed}")));
        }
        if other.expected != plan.expected {
            plan.expected = None;
        }
        if other.mode != plan.mode {
            plan.mode = None;
        }
        plan.timeout = plan.timeout.max(other.timeout);
    }
    Ok(plan)
}

impl Plan {
    fn new(sections: &[Section], file: FileId, path: &Path) -> Result<Plan, Diagnostic> {
        let mut plan = Plan {
            mode: None,
            timeout: None,
            expected: None,
            script: Script::default(),
            listed: Vec::new(),
            texts: Vec::new(),
            missing: Vec::new(),
        };
        let mut has_script = false;
        for section in sections {
            match section.name.split_once(char::is_whitespace) {
                Some(("file", name)) => {
                    let lines = section.lines.iter().map(|line| line.text.as_str());
                    let text = lines.map(|line| format!("{line}\n")).collect();
                    plan.texts.push((path.join(name.trim()), text));
                    continue;
                }
                Some(("script", _)) | None => {}
                Some(_) => return Err(wrong(section.span, "this section is not understood")),
            }
            match section.name.as_str() {
                "tasks" | "engines" => {}
                "options" => plan.options(section)?,
                "files" => plan.files(section, path)?,
                "script" => {
                    plan.script = script::understand(&section.lines)?;
                    has_script = true;
                }
                _ => return Err(wrong(section.span, "this section is not understood")),
            }
        }
        let start = Span::new(file, 0, 0);
        if plan.mode.is_none() {
            return Err(wrong(start, "the options say no `mode`"));
        }
        if !has_script || plan.script.files.is_empty() {
            return Err(
                wrong(start, "the script reads no file").help("`read -formal FILE` reads one")
            );
        }
        Ok(plan)
    }

    /// Whether two plans are about the same design.
    fn has_design_of(&self, other: &Plan) -> bool {
        self.script.is_like(&other.script)
            && self.listed == other.listed
            && self.texts == other.texts
    }

    fn options(&mut self, section: &Section) -> Result<(), Diagnostic> {
        for line in &section.lines {
            let words: Vec<&str> = line.text.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                [first, ..] if first.starts_with('#') => {}
                ["mode", "bmc" | "prove" | "live"] => self.mode = Some(Mode::Assertions),
                ["mode", "cover"] => self.mode = Some(Mode::Covers),
                ["expect", expected] => self.expected = verdict(expected),
                ["timeout", seconds] => {
                    let timeout = values::duration(seconds);
                    self.timeout = Some(timeout.map_err(|problem| wrong(line.span, problem))?);
                }
                [known, ..] if MEANINGLESS.contains(known) => {}
                [other, ..] => {
                    let message = format!("the option `{other}` is not understood");
                    return Err(wrong(line.span, message).help("leave it out"));
                }
            }
        }
        Ok(())
    }

    /// `path/name.v`, or `name.v path/other.v`
    fn files(&mut self, section: &Section, path: &Path) -> Result<(), Diagnostic> {
        for line in &section.lines {
            let words: Vec<&str> = line.text.split_whitespace().collect();
            let (name, source) = match words.as_slice() {
                [] => continue,
                [first, ..] if first.starts_with('#') => continue,
                [source] => (Path::new(source).file_name(), source),
                [name, source] => (Some(std::ffi::OsStr::new(name)), source),
                _ => return Err(wrong(line.span, "this line names more than one file")),
            };
            let name = name.and_then(|name| name.to_str());
            let name = name.ok_or_else(|| wrong(line.span, "this is no name of a file"))?;
            // SymbiYosys is run beside its file, where both are the same.
            let here = PathBuf::from(source);
            let beside = path.parent().map(|home| home.join(source));
            let found = match beside {
                Some(beside) if !here.exists() => {
                    self.missing.push(here);
                    beside
                }
                _ => here,
            };
            self.listed.push((name.to_string(), found));
        }
        Ok(())
    }

    /// The path of a name in the script.
    fn find(&self, name: &str, path: &Path) -> Option<PathBuf> {
        let own = path.join(name);
        if self.texts.iter().any(|(text, _)| *text == own) {
            return Some(own);
        }
        if Path::new(name).is_absolute() {
            return Some(PathBuf::from(name));
        }
        let mut listed = self.listed.iter();
        listed.find_map(|(known, source)| {
            let rest = Path::new(name).strip_prefix(known).ok()?;
            let is_whole = rest.as_os_str().is_empty();
            Some(if is_whole {
                source.clone()
            } else {
                source.join(rest)
            })
        })
    }

    fn fill(self, options: &mut DesignOptions, path: &Path) -> Result<(), Diagnostic> {
        if let (Some(span), Some(Frontend::Own | Frontend::Yosys) | None) =
            (self.script.slang, options.frontend)
        {
            let message = "this script reads the design with slang";
            return Err(wrong(span, message)
                .help("no other program is started for a file: say `--frontend slang`"));
        }
        options.designs.clear();
        for (name, span) in &self.script.files {
            let Some(found) = self.find(name, path) else {
                let message = format!("`{name}` is not listed in `[files]`");
                return Err(wrong(*span, message).help("list the file that is meant"));
            };
            options.designs.push(InputPath::File(found));
        }
        let reading = &self.script.reading;
        for directory in &reading.include_directories {
            let found = self.find(directory, path);
            let found = found.unwrap_or_else(|| PathBuf::from(directory));
            options.include_directories.push(found);
        }
        // All files are beside each other where SymbiYosys reads them.
        let homes = self.listed.iter().map(|(_, source)| match source.is_dir() {
            true => source.clone(),
            false => source.parent().unwrap_or(Path::new("")).to_path_buf(),
        });
        for home in homes.chain([path.to_path_buf()]) {
            if !options.include_directories.contains(&home) {
                options.include_directories.push(home);
            }
        }
        let is_given = |options: &DesignOptions, name: &str| {
            options.defines.iter().any(|given| given.name == name)
        };
        let mut defines = reading.defines.clone();
        if !reading.formal {
            options.no_formal = true;
            defines.push(Define {
                name: "SYNTHESIS".to_string(),
                value: Some("1".to_string()),
            });
        }
        for define in defines {
            if !is_given(options, &define.name) {
                options.defines.push(define);
            }
        }
        for (name, value) in self.script.parameters {
            if options.parameters.iter().all(|(given, _)| *given != name) {
                options.parameters.push((name, value));
            }
        }
        options.top = options.top.take().or(self.script.top);
        options.mode = self.mode;
        Ok(())
    }
}

/// The verdict that is expected, if it is just one.
fn verdict(word: &str) -> Option<Verdict> {
    match word.to_ascii_lowercase().as_str() {
        "pass" => Some(Verdict::Pass),
        "fail" => Some(Verdict::Fail),
        "unknown" | "timeout" => Some(Verdict::Unknown),
        _ => None,
    }
}

fn wrong(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(frame::BAD_SBY_FILE, message).at(span, "in this sby file")
}
