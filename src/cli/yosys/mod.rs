//! An installed Yosys that reads Verilog in place of our own front end: by itself, or with
//! slang, which reads all of SystemVerilog and knows nothing of properties.
//!
//! A script of Yosys can start programs, and names of files, macros and directories come from
//! whoever wrote the design. So no such name is ever part of a script: texts are copied into a
//! private directory under names of ours, directories are reached through links with names of
//! ours, and macros stand in a file. In the netlist, our names are replaced by the user's.

mod program;
mod stage;

use super::child::{self, Finished, Problem};
use super::options::{Frontend, InitialValue};
use super::request::DesignInput;
use super::values::Define;
use crate::design::verilog::{self, Translator};
use crate::limits::{Limits, Stop};
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId, Sources};
use program::Program;
use stage::Stage;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};

/// How an installed Yosys reads a design.
#[derive(Clone, Debug)]
pub struct YosysRun {
    program: Program,
    top: Option<String>,
    formal: bool,
    defines: Vec<Define>,
    /// Of the top module, with values that a script takes for one word.
    parameters: Vec<(String, String)>,
    starts_at_zero: bool,
    include_directories: Vec<PathBuf>,
    limits: Limits,
}

impl Translator for YosysRun {
    fn netlist(&self, files: &[FileId], sources: &Sources) -> Result<String, Diagnostic> {
        let stage = Stage::new(self.program.is_sandboxed)?;
        let script = self.stage(&stage, files, sources)?;
        let mut command = self.program.command();
        command.arg("-q").arg("-s").arg(script);
        if let Some(mounts) = stage.mounts() {
            command.env("YOWASP_MOUNT", mounts);
        }
        let finished = child::run(&mut command, self.program.held(), &self.limits);
        let netlist = self.judge(finished, &stage)?;
        Ok(stage.with_original_names(netlist))
    }

    fn reads_properties(&self) -> bool {
        !self.program.reads_with_slang
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
        let is_yosys = input.frontend != Frontend::Slang;
        if is_yosys && input.top.is_none() && !input.parameters.is_empty() {
            // Yosys sets parameters of a module that it is told, and of no other.
            let message = "`--chparam` with `--frontend yosys` needs the name of the top module";
            return Err(Diagnostic::error(frame::BAD_USAGE, message).help("say `--top MODULE`"));
        }
        for (name, value) in &input.parameters {
            if !is_word(name) || !is_constant(value) {
                let message = format!("Yosys cannot be given `{value}` for `{name}`");
                return Err(Diagnostic::error(frame::BAD_USAGE, message)
                    .help("give a number, such as 8 or 4'b1010"));
            }
        }
        let program = match input.frontend {
            Frontend::Slang => Program::with_slang(limits)?,
            Frontend::Own | Frontend::Yosys => Program::yosys(),
        };
        Ok(YosysRun {
            program,
            top: input.top.clone(),
            formal: input.formal,
            defines: input.defines.clone(),
            parameters: input.parameters.clone(),
            starts_at_zero: input.init == InitialValue::Zero,
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
    ) -> Result<String, Diagnostic> {
        let macros = stage.write("respin_macros.sv", &self.macros())?;
        let mut shared = Vec::new();
        for directory in &self.include_directories {
            shared.extend(stage.link(directory)?);
        }
        // Each file with the directories in which its includes are looked for.
        let mut staged = vec![(macros, Vec::new())];
        for (index, file) in files.iter().enumerate() {
            let source = sources.file(*file);
            let path = stage.write(&format!("respin_source_{index}.sv"), &source.text)?;
            stage.remember(path.clone(), source.name.clone());
            // What a file includes stands beside it.
            let home = Path::new(&source.name).parent();
            let home = home.filter(|home| !home.as_os_str().is_empty());
            let home = stage.link(home.unwrap_or(Path::new(".")))?;
            staged.push((path, home.iter().chain(&shared).cloned().collect()));
        }
        let mut commands = match self.program.reads_with_slang {
            true => self.read_slang(&staged),
            false => self.read_verilog(&staged),
        };
        commands.push("prep -flatten".to_string());
        if self.starts_at_zero {
            commands.push("setundef -zero -init".to_string());
        }
        commands
            .push("memory_map\ntechmap t:$div t:$mod t:$pow\nopt_clean\nwrite_json\n".to_string());
        stage.write("respin_script.ys", &commands.join("\n"))
    }

    /// The macros of the command line as a text.
    fn macros(&self) -> String {
        let mut macros = String::new();
        if self.formal && self.program.reads_with_slang {
            // `read_verilog -formal` defines it by itself.
            macros.push_str("`define FORMAL 1\n");
        }
        for Define { name, value } in &self.defines {
            // A line of its own cannot be left: the value ends with it.
            let value = value.as_deref().unwrap_or("1").replace(['\n', '\r'], " ");
            macros.push_str(&format!("`define {name} {value}\n"));
        }
        macros
    }

    fn read_verilog(&self, staged: &[(String, Vec<String>)]) -> Vec<String> {
        let read = match self.formal {
            true => "read_verilog -sv -formal",
            false => "read_verilog -sv",
        };
        let files = staged.iter().map(|(path, directories)| {
            let directories = directories.iter().map(|one| format!("-I{one} "));
            format!("{read} {}{path}", directories.collect::<String>())
        });
        let mut commands: Vec<String> = files.collect();
        let parameters = self.parameters.iter();
        let parameters: String = parameters
            .map(|(name, value)| format!(" -chparam {name} {value}"))
            .collect();
        commands.push(match &self.top {
            Some(top) => format!("hierarchy -check -top {top}{parameters}"),
            None => "hierarchy -check -auto-top".to_string(),
        });
        commands
    }

    /// All files as one text, so that macros stay defined from one to the next.
    fn read_slang(&self, staged: &[(String, Vec<String>)]) -> Vec<String> {
        let mut read = "read_slang --threads 1 --single-unit --ignore-timing".to_string();
        if self.formal {
            read.push_str(" --no-synthesis-define");
        }
        if let Some(top) = &self.top {
            read.push_str(&format!(" --top {top}"));
        }
        for (name, value) in &self.parameters {
            read.push_str(&format!(" -G {name}={value}"));
        }
        let mut directories: Vec<&String> = staged.iter().flat_map(|(_, all)| all).collect();
        directories.sort_unstable();
        directories.dedup();
        for directory in directories {
            read.push_str(&format!(" -I {directory}"));
        }
        for (path, _) in staged {
            read.push_str(&format!(" {path}"));
        }
        // What only properties read is not taken away: they are attached by name.
        let kept = "setattr -set keep 1 */w:*".to_string();
        vec![read, "hierarchy -check -auto-top".to_string(), kept]
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
        // What slang complains about comes first, and that it did comes last.
        let mut complaints = text.lines().filter(|line| line.contains(": ERROR: "));
        let last = || text.lines().rev().find(|line| !line.trim().is_empty());
        let line = complaints.next().or_else(last);
        let message = format!("Yosys says: {}", line.unwrap_or("nothing").trim());
        Err(Diagnostic::error(verilog::codes::YOSYS_RUN, message)
            .help("correct what it complains about"))
    }
}

/// Whether a name is one that a script takes for a word.
fn is_word(name: &str) -> bool {
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "_$".contains(symbol);
    !name.is_empty() && !name.starts_with('$') && name.chars().all(is_plain)
}

/// Whether a value is a number that a script takes for a word.
fn is_constant(value: &str) -> bool {
    let is_plain = |symbol: char| symbol.is_ascii_alphanumeric() || "_'".contains(symbol);
    value.starts_with(|symbol: char| symbol.is_ascii_digit() || symbol == '\'')
        && value.chars().all(is_plain)
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
    fn numbers_have_nothing_that_a_script_obeys() {
        for value in ["8", "4'b1010", "'hFF", "8'd2_5"] {
            assert!(is_constant(value), "{value}");
        }
        for value in ["", "x", "1;2", "1 2", "\"a\"", "-1", "1#", "1\n!ls"] {
            assert!(!is_constant(value), "{value}");
        }
    }
}
