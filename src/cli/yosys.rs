//! Designs that Yosys has read: netlists as JSON, from a file or from an installed Yosys.

use super::design::{LoadedDesign, one};
use super::output::unwritable;
use super::request::DesignInput;
use super::values::{Define, InputPath};
use crate::design::verilog;
use crate::design::yosys_json;
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId, Sources, Span};
use crate::spec::Spec;
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A netlist of Yosys. The places that it names are looked for in the sources.
pub fn load_yosys(
    text: &str,
    file: FileId,
    top: Option<&str>,
    sources: &mut Sources,
) -> Result<LoadedDesign, Vec<Diagnostic>> {
    let home = Path::new(&sources.file(file).name)
        .parent()
        .map(Path::to_path_buf);
    let mut known: HashMap<String, Option<FileId>> = HashMap::new();
    let netlist = yosys_json::read(text, file, top, &mut |place| {
        let (name, range) = place.rsplit_once(':')?;
        let source = *known.entry(name.to_string()).or_insert_with(|| {
            if let Some(known) = sources.find(name) {
                return Some(known);
            }
            let beside = home.as_ref().map(|home| home.join(name));
            let paths = [Some(PathBuf::from(name)), beside];
            let found = paths.into_iter().flatten().find(|path| path.is_file())?;
            let text = std::fs::read_to_string(&found).ok()?;
            Some(sources.add(name, text))
        });
        span_of_source(sources, source?, range)
    })
    .map_err(one)?;
    let mut warnings = netlist.warnings.clone();
    let mut spec = Spec::new();
    warnings.extend(spec.add_items(&netlist.properties)?);
    let unset: Vec<&str> = netlist
        .uninitialised
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    if !unset.is_empty() {
        let message = format!("registers start with any value: {}", unset.join(", "));
        let mut warning = Diagnostic::warning(verilog::codes::NO_RESET, message);
        if let Some(span) = netlist.uninitialised.iter().find_map(|(_, span)| *span) {
            warning = warning.at(span, "no initial value");
        }
        warnings.push(warning.help("give them one, or assume the reset in the first step"));
    }
    Ok(LoadedDesign {
        design: netlist.file.design.clone(),
        file: netlist.file.clone(),
        verilog: None,
        yosys: Some(netlist),
        latches: Vec::new(),
        property_files: Vec::new(),
        spec,
        aiger_names: Vec::new(),
        warnings,
        notes: Vec::new(),
    })
}

/// Where our own front end gives up on the language, another one may not.
pub fn suggest_yosys(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let add = |diagnostic: Diagnostic| match diagnostic.code {
        verilog::codes::UNSUPPORTED => {
            diagnostic.note("`--frontend yosys` lets an installed Yosys read the design")
        }
        _ => diagnostic,
    };
    diagnostics.into_iter().map(add).collect()
}

/// How an installed Yosys reads a design.
#[derive(Clone, Debug)]
pub struct YosysRun {
    paths: Vec<PathBuf>,
    top: Option<String>,
    formal: bool,
    defines: Vec<Define>,
    include_directories: Vec<PathBuf>,
}

impl YosysRun {
    pub fn new(input: &DesignInput) -> Result<YosysRun, Diagnostic> {
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
        })
    }

    /// The netlist of the files as they are.
    pub fn netlist(&self) -> Result<String, Diagnostic> {
        self.run(&self.paths, &[])
    }

    /// The netlist of edited texts, with places in the files that they come from. `files` are
    /// those of the design, in their order.
    pub fn netlist_of(&self, files: &[FileId], sources: &Sources) -> Result<String, Diagnostic> {
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

/// `3.5-4.20`, or `3`, as a place in a text; columns count bytes.
fn span_of_source(sources: &Sources, file: FileId, range: &str) -> Option<Span> {
    let (start, end) = match range.split_once('-') {
        Some((start, end)) => (start, end),
        None => (range, range),
    };
    let text = &sources.file(file).text;
    let offset = |place: &str, default: Option<usize>| -> Option<usize> {
        let (line, column) = match place.split_once('.') {
            Some((line, column)) => (line.parse::<usize>().ok()?, column.parse().ok()),
            None => (place.parse().ok()?, None),
        };
        let before: usize = text
            .split_inclusive('\n')
            .take(line.checked_sub(1)?)
            .map(str::len)
            .sum();
        let length = text[before..].lines().next().map_or(0, str::len);
        let column: usize = column.or(default).unwrap_or(length + 1);
        Some((before + column.saturating_sub(1)).min(text.len()))
    };
    let (start, end) = (offset(start, Some(1))?, offset(end, None)?);
    let is_inside = text.is_char_boundary(start) && text.is_char_boundary(end) && start <= end;
    is_inside.then(|| Span::new(file, start, end))
}

/// A place as Yosys writes it.
pub fn source_attribute(span: Span, sources: &Sources) -> Option<String> {
    let file = sources.file(span.file);
    let start = file.position(span.start as usize)?;
    let end = file.position(span.end as usize)?;
    Some(format!(
        "{}:{}.{}-{}.{}",
        file.name, start.line, start.column, end.line, end.column
    ))
}
