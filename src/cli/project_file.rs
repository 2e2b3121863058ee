//! `respin.toml`: what a design consists of, so that `respin repair` alone works in its folder.
//!
//! The file is looked for in the present directory and those above it, up to the root of the
//! repository, and counts if the command line names no design. Names in it are relative to the
//! file; what the command line says besides outranks it.
//!
//! A file above was perhaps put there by somebody else, as in `/tmp`: it counts only if it
//! belongs to this user, or to the owner of the present directory. No file says which program
//! is started: that is for the command line.

use super::arguments::{Arguments, Command};
use super::context::{Context, Failure};
use super::input::{Format, InputFile, read};
use super::options::{ComponentOptions, DesignOptions, Frontend};
use super::values::{self, InputPath};
use crate::design::Kind;
use crate::limits::Limits;
use crate::source::{Diagnostic, FileId, Span, codes::frame};
use clap::ValueEnum;
use serde::Deserialize;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

pub const NAME: &str = "respin.toml";

/// What stands in the root of a repository, above which no file is looked for.
const REPOSITORIES: [&str; 4] = [".git", ".hg", ".jj", ".svn"];

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ProjectFile {
    files: Vec<PathBuf>,
    properties: Vec<PathBuf>,
    top: Option<String>,
    reset: Option<String>,
    defines: Vec<String>,
    include: Vec<PathBuf>,
    formal: Option<bool>,
    frontend: Option<String>,
    components: Components,
    limits: LimitsTable,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Components {
    kinds: Vec<String>,
    only: Vec<String>,
    except: Vec<String>,
    faults: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitsTable {
    timeout: Option<String>,
    cpu_timeout: Option<String>,
    memory: Option<String>,
    work: Option<u64>,
}

/// Fills in what the command line leaves to the project.
pub fn expand(arguments: &mut Arguments, context: &mut Context) -> Result<(), Failure> {
    let (design, components) = match &mut arguments.command {
        Command::Repair(repair) => (&mut repair.design, Some(&mut repair.components)),
        Command::Verify(verify) => (&mut verify.design, None),
        Command::Mutate(mutate) => (&mut mutate.design, None),
        Command::Instrument(instrument) => {
            (&mut instrument.design, Some(&mut instrument.components))
        }
        _ => return Ok(()),
    };
    if !design.designs.is_empty() || !design.file_lists.is_empty() {
        return Ok(());
    }
    let path = find()?;
    let input = InputFile {
        path: InputPath::File(path.clone()),
        format: Format::Properties,
    };
    let file = read(&input, context)?;
    let text = context.sources.file(file).text.clone();
    let project: ProjectFile = toml::from_str(&text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        let message = error.message().replace('\n', ", ");
        wrong(file, span, message)
    })?;
    let problem = |message: String| wrong(file, 0..0, message);
    let home = path.parent().unwrap_or(Path::new(""));
    context.editable.project(&Path::new(".").join(home));
    fill_design(design, &project, home).map_err(problem)?;
    if let Some(options) = components {
        fill_components(options, &project.components).map_err(problem)?;
    }
    let global = &arguments.global;
    let timeout = match (global.timeout, &project.limits.timeout) {
        (None, Some(text)) => Some(values::duration(text).map_err(problem)?),
        (given, _) => given,
    };
    let cpu_timeout = match (global.cpu_timeout, &project.limits.cpu_timeout) {
        (None, Some(text)) => Some(values::duration(text).map_err(problem)?),
        (given, _) => given,
    };
    let memory = match (global.memory, &project.limits.memory) {
        (None, Some(text)) => Some(values::size(text).map_err(problem)?),
        (given, _) => given,
    };
    let interrupt = context.limits.interrupt().clone();
    let limits = Limits::new(timeout, memory, interrupt)
        .with_processor_time(cpu_timeout)
        .with_work(global.work.or(project.limits.work));
    context.set_limits(limits);
    Ok(())
}

/// The nearest project file, seen from the present directory.
fn find() -> Result<PathBuf, Diagnostic> {
    let mut directory = PathBuf::new();
    let here = std::env::current_dir().unwrap_or_default();
    let trusted = [
        Some(rustix::process::geteuid().as_raw()),
        owner(Path::new(".")),
    ];
    for (levels, absolute) in here.ancestors().enumerate() {
        let path = directory.join(NAME);
        if path.is_file() {
            let owner = owner(&path);
            if levels == 0 || owner.is_some() && trusted.contains(&owner) {
                return Ok(path);
            }
            let message = format!(
                "`{}` belongs to somebody else, and was left out",
                path.display()
            );
            return Err(Diagnostic::error(frame::BAD_PROJECT_FILE, message)
                .help("name the files of the design, or run the command where the file is"));
        }
        if REPOSITORIES.iter().any(|name| absolute.join(name).exists()) {
            break;
        }
        directory.push("..");
    }
    let message = "no design was given, and there is no `respin.toml` here or above";
    Err(Diagnostic::error(frame::BAD_USAGE, message)
        .help("name the files of the design, or write a `respin.toml` that does"))
}

fn owner(path: &Path) -> Option<u32> {
    fs::metadata(path).ok().map(|metadata| metadata.uid())
}

fn fill_design(
    design: &mut DesignOptions,
    project: &ProjectFile,
    home: &Path,
) -> Result<(), String> {
    if project.files.is_empty() {
        return Err("`files` names no file of the design".to_string());
    }
    let inside = |path: &PathBuf| InputPath::File(home.join(path));
    design.designs = project.files.iter().map(inside).collect();
    design.specs.extend(project.properties.iter().map(inside));
    design.top = design.top.take().or(project.top.clone());
    let include = project.include.iter().map(|path| home.join(path));
    design.include_directories.extend(include);
    for text in &project.defines {
        let define = values::define(text)?;
        if design.defines.iter().all(|given| given.name != define.name) {
            design.defines.push(define);
        }
    }
    if let (None, Some(text)) = (&design.reset, &project.reset) {
        design.reset = Some(values::reset(text)?);
    }
    if project.formal == Some(false) {
        design.no_formal = true;
    }
    if let (None, Some(text)) = (design.frontend, &project.frontend) {
        design.frontend = match Frontend::from_str(text, true)? {
            Frontend::Own => Some(Frontend::Own),
            Frontend::Yosys | Frontend::Slang => {
                return Err(format!(
                    "no other program is started for a file: say `--frontend {text}` on the \
                     command line"
                ));
            }
        };
    }
    Ok(())
}

fn fill_components(options: &mut ComponentOptions, project: &Components) -> Result<(), String> {
    if options.components.is_empty() {
        for text in &project.kinds {
            let kind = Kind::from_str(text, true)
                .map_err(|_| format!("`{text}` is no kind of component"))?;
            options.components.push(kind);
        }
    }
    if options.only.is_empty() {
        options.only = project.only.clone();
    }
    options.except.extend(project.except.iter().cloned());
    options.faults = options.faults.or(project.faults);
    Ok(())
}

fn wrong(file: FileId, span: std::ops::Range<usize>, message: String) -> Diagnostic {
    Diagnostic::error(frame::BAD_PROJECT_FILE, format!("{NAME}: {message}"))
        .at(Span::new(file, span.start, span.end), "here")
        .help(
            "it has `files`, `properties`, `top`, `reset`, `defines`, `include`, `formal`, \
             `frontend`, `[components]` and `[limits]`",
        )
}
