//! An installed Yosys that reads Verilog in place of our own front end.

use super::output::unwritable;
use super::request::DesignInput;
use super::values::{Define, InputPath};
use crate::design::verilog::{self, Translator};
use crate::limits::Limits;
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId, Sources};
use std::cell::Cell;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// How an installed Yosys reads a design.
#[derive(Clone, Debug)]
pub struct YosysRun {
    paths: Vec<PathBuf>,
    top: Option<String>,
    formal: bool,
    defines: Vec<Define>,
    include_directories: Vec<PathBuf>,
    /// Whether the files as they are were read; from then on texts come from memory.
    started: Cell<bool>,
}

impl Translator for YosysRun {
    /// The files are first read as they are on the disk, so that what they include is found
    /// in its place; later ones are edited texts.
    fn netlist(&self, files: &[FileId], sources: &Sources) -> Result<String, Diagnostic> {
        if self.started.replace(true) {
            self.netlist_of(files, sources)
        } else {
            self.run(&self.paths, &[])
        }
    }
}

impl YosysRun {
    pub fn new(input: &DesignInput, _limits: &Limits) -> Result<YosysRun, Diagnostic> {
        if input.reset.is_some() {
            let message = "`--reset` is for our own front end";
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("assume the reset in the first step: `initial assume (rst);`"));
        }
        let defines = input.defines.iter().map(|one| match &one.value {
            Some(value) => format!("{}={value}", one.name),
            None => one.name.clone(),
        });
        let directories = input.include_directories.iter();
        let directories = directories.map(|one| one.display().to_string());
        if let Some(word) = defines.chain(directories).find(|word| !is_plain(word)) {
            let message = format!("`{word}` cannot be said in a script of Yosys");
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help("use no blanks, quotes or semicolons"));
        }
        let mut paths = Vec::new();
        for file in &input.designs {
            match &file.path {
                InputPath::File(path) => paths.push(path.clone()),
                InputPath::Stdin => {
                    let message = "Yosys cannot read standard input from here";
                    return Err(Diagnostic::error(frame::BAD_USAGE, message));
                }
            }
        }
        Ok(YosysRun {
            paths,
            top: input.top.clone(),
            formal: input.formal,
            defines: input.defines.clone(),
            include_directories: input.include_directories.clone(),
            started: Cell::new(false),
        })
    }

    /// The netlist of edited texts, with places in the files that they come from. `files` are
    /// those of the design, in their order.
    fn netlist_of(&self, files: &[FileId], sources: &Sources) -> Result<String, Diagnostic> {
        let directory = TemporaryDirectory::new()?;
        let mut paths = Vec::new();
        for (index, file) in files.iter().enumerate() {
            let source = sources.file(*file);
            let name = Path::new(&source.name).file_name().unwrap_or_default();
            let path = directory.path.join(index.to_string()).join(name);
            let written = std::fs::create_dir_all(path.with_file_name(""))
                .and_then(|()| std::fs::write(&path, &source.text));
            written.map_err(|error| unwritable(&format!("`{}`", path.display()), &error))?;
            paths.push(path);
        }
        // What a file includes stands beside where it was.
        let homes: Vec<PathBuf> = self
            .paths
            .iter()
            .filter_map(|path| Some(path.parent()?.to_path_buf()))
            .chain([PathBuf::from(".")])
            .filter(|home| is_plain(&home.display().to_string()))
            .collect();
        let mut text = self.run(&paths, &homes)?;
        for (path, file) in paths.iter().zip(files) {
            text = text.replace(&path.display().to_string(), &sources.file(*file).name);
        }
        Ok(text)
    }

    /// The commands, with one line for each.
    fn script(&self, paths: &[PathBuf], more_directories: &[PathBuf]) -> String {
        // Names of files go through a script, where blanks have a meaning; options must be
        // plain words.
        let quoted =
            |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        let mut words = vec!["read_verilog".to_string(), "-sv".to_string()];
        words.extend(self.formal.then(|| "-formal".to_string()));
        for define in &self.defines {
            let value = define.value.as_deref().unwrap_or("1");
            words.push(format!("-D{}={value}", define.name));
        }
        for directory in self.include_directories.iter().chain(more_directories) {
            words.push(format!("-I{}", directory.display()));
        }
        words.extend(paths.iter().map(|path| quoted(&path.display().to_string())));
        let top = match &self.top {
            Some(top) => format!("-top {}", quoted(top)),
            None => "-auto-top".to_string(),
        };
        format!(
            "{}\nhierarchy -check {top}\nprep -flatten\nmemory_map\n\
             techmap t:$div t:$mod t:$pow\nopt_clean\nwrite_json",
            words.join(" ")
        )
    }

    /// What a person would type.
    pub fn command(&self) -> String {
        let script = self.script(&self.paths, &[]).replace('\n', "; ");
        format!("yosys -q -p '{script}'")
    }

    fn run(&self, paths: &[PathBuf], more_directories: &[PathBuf]) -> Result<String, Diagnostic> {
        let script = self.script(paths, more_directories).replace('\n', "; ");
        let output = std::process::Command::new("yosys")
            .args(["-q", "-p", &script])
            .stdin(std::process::Stdio::null())
            .output();
        let output = output.map_err(|error| {
            let message = format!("Yosys cannot be started: {error}");
            Diagnostic::error(verilog::codes::YOSYS_RUN, message).help("install Yosys")
        })?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            let line = text.lines().rev().find(|line| !line.trim().is_empty());
            let message = format!("Yosys says: {}", line.unwrap_or("nothing").trim());
            return Err(Diagnostic::error(verilog::codes::YOSYS_RUN, message)
                .help("correct what it complains about"));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Whether a script of Yosys takes a word as it is.
fn is_plain(word: &str) -> bool {
    let special = |symbol: char| symbol.is_whitespace() || "\"';#\\".contains(symbol);
    !word.is_empty() && !word.contains(special)
}

/// A directory that is removed again.
struct TemporaryDirectory {
    path: PathBuf,
}

impl TemporaryDirectory {
    fn new() -> Result<TemporaryDirectory, Diagnostic> {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("respin-yosys-{}-{count}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(TemporaryDirectory { path }),
                // Somebody else had the number of this process.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(unwritable("a temporary directory", &error)),
            }
        }
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // What cannot be removed harms nobody.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}
