//! An installed Yosys that reads Verilog in place of our own front end.
//!
//! A script of Yosys can start programs, and names of files, macros and directories come from
//! whoever wrote the design. So no such name is ever part of a script: texts are copied into a
//! private directory under names of ours, directories are reached through links with names of
//! ours, and macros stand in a file. In the netlist, our names are replaced by the user's.

use super::child::{self, Finished, Problem};
use super::output::unwritable;
use super::request::DesignInput;
use super::values::Define;
use crate::design::verilog::{self, Translator};
use crate::limits::{Limits, Stop};
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId, Sources};
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// How an installed Yosys reads a design.
#[derive(Clone, Debug)]
pub struct YosysRun {
    top: Option<String>,
    formal: bool,
    defines: Vec<Define>,
    include_directories: Vec<PathBuf>,
    limits: Limits,
}

impl Translator for YosysRun {
    fn netlist(&self, files: &[FileId], sources: &Sources) -> Result<String, Diagnostic> {
        let stage = Stage::new()?;
        let script = self.stage(&stage, files, sources)?;
        let finished = child::run(
            Command::new("yosys").arg("-q").arg("-s").arg(script),
            &self.limits,
        );
        let netlist = self.judge(finished, &stage)?;
        Ok(stage.with_original_names(netlist))
    }
}

impl YosysRun {
    pub fn new(input: &DesignInput, limits: &Limits) -> Result<YosysRun, Diagnostic> {
        for define in &input.defines {
            if !is_word(&define.name) {
                let message = format!("`{}` is no name of a macro", define.name);
                return Err(Diagnostic::error(frame::BAD_USAGE, message)
                    .help("names have letters, digits, `_` and `$`"));
            }
        }
        if let Some(top) = input.top.as_ref().filter(|top| !is_word(top)) {
            let message = format!("`{top}` is no module that Yosys could be asked for");
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("names have letters, digits, `_` and `$`"));
        }
        Ok(YosysRun {
            top: input.top.clone(),
            formal: input.formal,
            defines: input.defines.clone(),
            include_directories: input.include_directories.clone(),
            limits: limits.clone(),
        })
    }

    /// Puts everything in its place, and gives back the script.
    fn stage(
        &self,
        stage: &Stage,
        files: &[FileId],
        sources: &Sources,
    ) -> Result<PathBuf, Diagnostic> {
        let mut macros = String::new();
        for Define { name, value } in &self.defines {
            // A line of its own cannot be left: the value ends with it.
            let value = value.as_deref().unwrap_or("1").replace(['\n', '\r'], " ");
            macros.push_str(&format!("`define {name} {value}\n"));
        }
        let mut commands = Vec::new();
        let read = if self.formal {
            "read_verilog -sv -formal"
        } else {
            "read_verilog -sv"
        };
        commands.push(format!(
            "{read} {}",
            stage.write("respin_macros.sv", &macros)?
        ));
        let mut shared = Vec::new();
        for directory in &self.include_directories {
            shared.extend(stage.link(directory)?);
        }
        for (index, file) in files.iter().enumerate() {
            let source = sources.file(*file);
            let path = stage.write(&format!("respin_source_{index}.sv"), &source.text)?;
            stage.remember(path.clone(), source.name.clone());
            // What a file includes stands beside it.
            let home = Path::new(&source.name).parent();
            let home = home.filter(|home| !home.as_os_str().is_empty());
            let home = stage.link(home.unwrap_or(Path::new(".")))?;
            let directories = home.iter().chain(&shared);
            let directories: String = directories.map(|one| format!("-I{one} ")).collect();
            commands.push(format!("{read} {directories}{path}"));
        }
        commands.push(match &self.top {
            Some(top) => format!("hierarchy -check -top {top}"),
            None => "hierarchy -check -auto-top".to_string(),
        });
        commands.push(
            "prep -flatten\nmemory_map\ntechmap t:$div t:$mod t:$pow\nopt_clean\nwrite_json\n"
                .to_string(),
        );
        let script = stage.write("respin_script.ys", &commands.join("\n"))?;
        Ok(PathBuf::from(script))
    }

    /// The netlist, or what Yosys complains about.
    fn judge(
        &self,
        finished: Result<Finished, Problem>,
        stage: &Stage,
    ) -> Result<String, Diagnostic> {
        let finished = finished.map_err(|problem| match problem {
            Problem::Stopped(stop) => stop.into(),
            Problem::Io(error) => {
                let message = format!("Yosys cannot be started: {error}");
                Diagnostic::error(verilog::codes::YOSYS_RUN, message).help("install Yosys")
            }
        })?;
        if finished.status.success() {
            return Ok(String::from_utf8_lossy(&finished.output).into_owned());
        }
        let text = String::from_utf8_lossy(&finished.problems).into_owned();
        // A program that gets no more memory aborts, and says so if it still can.
        let is_aborted = finished.status.signal().is_some() || text.contains("bad_alloc");
        if is_aborted && self.limits.memory_bytes().is_some() {
            return Err(Stop::OutOfMemory.into());
        }
        let text = stage.with_original_names(text);
        let line = text.lines().rev().find(|line| !line.trim().is_empty());
        let message = format!("Yosys says: {}", line.unwrap_or("nothing").trim());
        Err(Diagnostic::error(verilog::codes::YOSYS_RUN, message)
            .help("correct what it complains about"))
    }
}

/// A private directory with texts and links under names of ours. It is removed again.
struct Stage {
    directory: TempDir,
    /// Our paths, with the names that they stand for; longer paths come first.
    names: std::cell::RefCell<Vec<(String, String)>>,
}

impl Stage {
    fn new() -> Result<Stage, Diagnostic> {
        let directory = tempfile::Builder::new().prefix("respin-yosys-").tempdir();
        let directory = directory.map_err(|error| unwritable("a temporary directory", &error))?;
        let path = directory.path().to_str().unwrap_or_default();
        let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "/._-".contains(symbol);
        if !path.starts_with('/') || !path.chars().all(is_plain) {
            let message = format!("`{path}` cannot be named in a script of Yosys");
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("set TMPDIR to an absolute path without blanks and quotes"));
        }
        Ok(Stage {
            directory,
            names: std::cell::RefCell::default(),
        })
    }

    /// Writes a text; gives back its path.
    fn write(&self, name: &str, text: &str) -> Result<String, Diagnostic> {
        let path = self.directory.path().join(name);
        let what = format!("`{}`", path.display());
        fs::write(&path, text).map_err(|error| unwritable(&what, &error))?;
        Ok(path.display().to_string())
    }

    /// A link to a directory, unless there is no such directory.
    fn link(&self, directory: &Path) -> Result<Option<String>, Diagnostic> {
        let Ok(real) = fs::canonicalize(directory) else {
            return Ok(None);
        };
        let number = self.names.borrow().len();
        let link = self
            .directory
            .path()
            .join(format!("respin_include_{number}"));
        let made: io::Result<()> = symlink(&real, &link);
        made.map_err(|error| unwritable("a temporary directory", &error))?;
        let path = link.display().to_string();
        let original = directory.join("").display().to_string();
        let original = original.strip_prefix("./").unwrap_or(&original);
        self.remember(format!("{path}/"), original.to_string());
        Ok(Some(path))
    }

    fn remember(&self, path: String, name: String) {
        self.names.borrow_mut().push((path, name));
    }

    /// A text of Yosys with the names that the user knows.
    fn with_original_names(&self, mut text: String) -> String {
        for (path, name) in self.names.borrow().iter() {
            // Netlists are JSON, in which some characters need another spelling.
            let name = serde_json::Value::from(name.as_str()).to_string();
            text = text.replace(path, name.trim_matches('"'));
        }
        text
    }
}

/// Whether a name is one that a script takes for a word.
fn is_word(name: &str) -> bool {
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "_$".contains(symbol);
    !name.is_empty() && !name.starts_with('$') && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_nothing_that_a_script_obeys() {
        for name in ["top", "_t$1", "A_b"] {
            assert!(is_word(name), "{name}");
        }
        for name in [
            "", "a b", "a;b", "!ls", "a\nb", "-x", "\\a", "$x", "a\"", "a#b", "ä",
        ] {
            assert!(!is_word(name), "{name}");
        }
    }

    #[test]
    fn names_of_ours_become_those_of_the_user() {
        let stage = Stage::new().expect("a directory");
        let path = stage.write("respin_source_0.sv", "").expect("a file");
        stage.remember(path.clone(), "a \"b\".v".to_string());
        let text = stage.with_original_names(format!("\"src\": \"{path}:1.2-3\""));
        assert_eq!(text, "\"src\": \"a \\\"b\\\".v:1.2-3\"");
    }
}
