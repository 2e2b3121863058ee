//! File lists, `-f FILE`: the files of a design with its macros and include directories, one
//! after the other, as simulators and synthesis tools read them.
//!
//! Names are relative to where the program runs, as with Icarus and Verilator. A list may name
//! another with `-f`.

use super::arguments::{Arguments, Command};
use super::context::{Context, Failure};
use super::input::{Format, InputFile, read};
use super::options::DesignOptions;
use super::values::{self, Define, InputPath};
use crate::source::{Diagnostic, FileId, Span, codes::frame};
use std::path::PathBuf;

/// Lists inside each other.
const DEEPEST: usize = 16;

/// One word of a list.
#[derive(Debug, PartialEq, Eq)]
enum Entry {
    File(PathBuf),
    Define(Define),
    Include(PathBuf),
    List(PathBuf),
}

/// Puts what file lists say in their place.
pub fn expand(arguments: &mut Arguments, context: &mut Context) -> Result<(), Failure> {
    let options = match &mut arguments.command {
        Command::Repair(repair) => &mut repair.design,
        Command::Verify(verify) => &mut verify.design,
        Command::Instrument(instrument) => &mut instrument.design,
        Command::Mutate(mutate) => &mut mutate.design,
        _ => return Ok(()),
    };
    for list in std::mem::take(&mut options.file_lists) {
        add(options, list, context, 0)?;
    }
    if options.designs.is_empty() {
        let message = "the file lists name no file of a design";
        return Err(Diagnostic::error(frame::BAD_USAGE, message).into());
    }
    Ok(())
}

fn add(
    options: &mut DesignOptions,
    list: PathBuf,
    context: &mut Context,
    depth: usize,
) -> Result<(), Failure> {
    // Lists that name each other twice grow fast.
    context.limits.check()?;
    let input = InputFile {
        path: InputPath::File(list),
        format: Format::Verilog,
    };
    let file = read(&input, context)?;
    let text = context.sources.file(file).text.clone();
    for (entry, span) in entries(file, &text)? {
        match entry {
            Entry::File(path) => options.designs.push(InputPath::File(path)),
            Entry::Define(define) => options.defines.push(define),
            Entry::Include(path) => options.include_directories.push(path),
            Entry::List(_) if depth >= DEEPEST => {
                return Err(wrong(span, "file lists name each other without end").into());
            }
            Entry::List(path) => add(options, path, context, depth + 1)?,
        }
    }
    Ok(())
}

/// The words of a list with what they mean.
fn entries(file: FileId, text: &str) -> Result<Vec<(Entry, Span)>, Diagnostic> {
    let mut words = words(file, text).into_iter();
    let mut entries = Vec::new();
    while let Some((word, span)) = words.next() {
        let mut value = |attached: &str, what: &str| match attached {
            "" => words
                .next()
                .map(|(word, _)| word.to_string())
                .ok_or_else(|| wrong(span, &format!("{what} has to follow"))),
            attached => Ok(attached.to_string()),
        };
        if let Some(defines) = word.strip_prefix("+define+") {
            for define in defines.split('+').filter(|define| !define.is_empty()) {
                entries.push((Entry::Define(macro_of(define, span)?), span));
            }
        } else if let Some(directories) = word.strip_prefix("+incdir+") {
            for directory in directories.split('+').filter(|one| !one.is_empty()) {
                entries.push((Entry::Include(directory.into()), span));
            }
        } else if let Some(define) = word.strip_prefix("-D") {
            let define = value(define, "a macro")?;
            entries.push((Entry::Define(macro_of(&define, span)?), span));
        } else if let Some(directory) = word.strip_prefix("-I") {
            let directory = value(directory, "a directory")?;
            entries.push((Entry::Include(directory.into()), span));
        } else if word == "-f" || word == "-F" {
            let list = value("", "a file")?;
            entries.push((Entry::List(list.into()), span));
        } else if word.starts_with(['-', '+']) {
            return Err(wrong(
                span,
                &format!("`{word}` is not known in a file list"),
            ));
        } else {
            entries.push((Entry::File(word.into()), span));
        }
    }
    Ok(entries)
}

/// The words between spaces and comments: `//`, `#` and `/* */`.
fn words(file: FileId, text: &str) -> Vec<(&str, Span)> {
    let mut words = Vec::new();
    let mut position = 0;
    while let Some(rest) = text.get(position..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start().len();
        let length = |end: Option<usize>, behind: usize| match end {
            Some(end) => end + behind,
            None => rest.len(),
        };
        position += if blank > 0 {
            blank
        } else if rest.starts_with("//") || rest.starts_with('#') {
            length(rest.find('\n'), 1)
        } else if rest.starts_with("/*") {
            length(rest.find("*/"), 2)
        } else {
            let end = length(rest.find(char::is_whitespace), 0);
            words.push((&rest[..end], Span::new(file, position, position + end)));
            end
        };
    }
    words
}

fn macro_of(text: &str, span: Span) -> Result<Define, Diagnostic> {
    values::define(text).map_err(|problem| wrong(span, &problem))
}

fn wrong(span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(frame::BAD_USAGE, message)
        .at(span, "in this file list")
        .help("a list has files, +define+NAME=VALUE, +incdir+DIR, -D, -I, -f and comments")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn check(text: &str, expected: &str) {
        let file = Sources::new().add("files.f", text);
        let found = match entries(file, text) {
            Ok(entries) => {
                let shown: Vec<String> = entries
                    .into_iter()
                    .map(|(entry, _)| match entry {
                        Entry::File(path) => path.display().to_string(),
                        Entry::Define(define) => format!("{}:{:?}", define.name, define.value),
                        Entry::Include(path) => format!("I:{}", path.display()),
                        Entry::List(path) => format!("f:{}", path.display()),
                    })
                    .collect();
                shown.join(" ")
            }
            Err(diagnostic) => diagnostic.message,
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn lists_are_read() {
        check("a.v b/c.v\n// d.v\n# e.v\n/* f.v\n */ g.v", "a.v b/c.v g.v");
        check("+define+A=1+B", "A:Some(\"1\") B:None");
        check(
            "-DA -D B=2 -Iinc -I other",
            "A:None B:Some(\"2\") I:inc I:other",
        );
        check("+incdir+x+y", "I:x I:y");
        check("-f other.f", "f:other.f");
        check("/* never closed", "");
        check("-I", "a directory has to follow");
        check("-y lib", "`-y` is not known in a file list");
    }
}
