//! The sections of an sby file, with the lines that count for a task.
//!
//! A line that starts with `tag:` counts for tasks with this tag, one with `~tag:` for those
//! without it; where nothing follows, all lines up to `--` do. A task has its own name and the
//! groups behind it in `[tasks]` as tags.

use super::wrong;
use crate::source::{Diagnostic, FileId, Span};

/// A line of a section, without the tag in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub text: String,
    pub span: Span,
}

/// What stands below `[name]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub name: String,
    pub span: Span,
    pub lines: Vec<Line>,
}

/// A task with its tags, of which its name is the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub tags: Vec<String>,
}

impl Task {
    pub fn name(&self) -> &str {
        &self.tags[0]
    }
}

/// The group of tasks that are meant if none is named.
const DEFAULT: &str = "default";

/// All lines with their spans; those of a text that ends its lines as Windows does are shorter.
fn lines(file: FileId, text: &str) -> impl Iterator<Item = Line> + '_ {
    let mut position = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = position;
        position += line.len();
        let text = line.trim_end_matches(['\n', '\r']);
        Line {
            text: text.to_string(),
            span: Span::new(file, start, start + text.len()),
        }
    })
}

/// The tasks of a file, in their order; none if it has no such section.
pub fn tasks(file: FileId, text: &str) -> Result<Vec<Task>, Diagnostic> {
    let mut tasks = Vec::new();
    let mut is_inside = false;
    for line in lines(file, text) {
        if line.text.starts_with('[') {
            is_inside = line.text.trim() == "[tasks]";
            continue;
        }
        if !is_inside || line.text.starts_with('#') {
            continue;
        }
        let words: Vec<String> = line.text.split_whitespace().map(str::to_string).collect();
        let (names, groups) = match words.iter().position(|word| word == ":") {
            Some(colon) => (&words[..colon], &words[colon + 1..]),
            None => words.split_at(words.len().min(1)),
        };
        for name in names {
            if name.contains(['(', '?', '*', '.', '[', ']', '|', ')']) {
                let message = "a pattern of task names is not understood";
                return Err(wrong(line.span, message).help("write the names of the tasks"));
            }
            let tags = std::iter::once(name).chain(groups).cloned().collect();
            tasks.push(Task { tags });
        }
    }
    Ok(tasks)
}

/// The tasks that are meant if none is named.
pub fn default_tasks(tasks: &[Task]) -> Vec<&Task> {
    let is_default = |task: &&Task| task.tags.iter().any(|tag| tag == DEFAULT);
    let chosen: Vec<&Task> = tasks.iter().filter(is_default).collect();
    match chosen.is_empty() {
        true => tasks.iter().collect(),
        false => chosen,
    }
}

/// The sections as they are for a task, or for a file without tasks.
pub fn sections(
    file: FileId,
    text: &str,
    tasks: &[Task],
    task: Option<&Task>,
) -> Result<Vec<Section>, Diagnostic> {
    let mut found: Vec<Section> = Vec::new();
    // Inside of lines that a tag is for: whether they count.
    let mut block = None;
    for mut line in lines(file, text) {
        if block.is_some() && line.text == "--" {
            block = None;
            continue;
        }
        let is_counted = match tagged(&line.text, tasks, task) {
            Some(("", counts)) => {
                block = Some(counts);
                continue;
            }
            Some((rest, counts)) => {
                line.span.start = line.span.end - rest.len() as u32;
                line.text = rest.to_string();
                counts
            }
            None => true,
        };
        if !is_counted || block == Some(false) {
            continue;
        }
        if line.text.starts_with("--pycode-begin--") {
            let message = "a program in an sby file is never run";
            return Err(wrong(line.span, message).help("write what it puts out"));
        }
        if let Some(name) = section_name(&line.text) {
            found.push(Section {
                name: name.to_string(),
                span: line.span,
                lines: Vec::new(),
            });
            continue;
        }
        match found.last_mut() {
            Some(section) => section.lines.push(line),
            None if line.text.trim().is_empty() || line.text.starts_with('#') => {}
            None => return Err(wrong(line.span, "this line stands in no section")),
        }
    }
    Ok(found)
}

/// `[options]`, `[file name.v]`
fn section_name(line: &str) -> Option<&str> {
    let inner = line.trim_end().strip_prefix('[')?.strip_suffix(']')?;
    let first = inner.split_whitespace().next()?;
    let is_known = ["tasks", "options", "engines", "script", "files", "file"].contains(&first);
    // A line of a Verilog text in `[file ...]` may start with a bracket as well.
    (is_known || inner.chars().all(|one| one.is_ascii_lowercase())).then(|| inner.trim())
}

/// What stands behind a tag, and whether it counts for a task.
fn tagged<'l>(line: &'l str, tasks: &[Task], task: Option<&Task>) -> Option<(&'l str, bool)> {
    let is_negated = line.starts_with('~');
    let (tag, rest) = line.strip_prefix('~').unwrap_or(line).split_once(':')?;
    let has = |one: &Task| one.tags.iter().any(|known| known == tag);
    if !tasks.iter().any(has) {
        return None;
    }
    Some((rest.trim_start(), task.is_some_and(has) != is_negated))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    const TEXT: &str = "[tasks]\nshort bmc_tasks\nlong\ncov : covers\n\n[options]\n\
                        short: depth 5\n~short: depth 50\ncovers:\nmode cover\n--\n[files]\na.v\n";

    /// The lines of the options, for a task.
    fn options(text: &str, name: &str) -> String {
        let file = Sources::new().add("a.sby", text);
        let tasks = tasks(file, text).expect("tasks");
        let task = tasks.iter().find(|one| one.name() == name);
        let sections = sections(file, text, &tasks, task).expect("sections");
        let lines = sections.iter().filter(|one| one.name == "options");
        let lines = lines.flat_map(|one| &one.lines);
        let texts: Vec<&str> = lines.map(|line| line.text.as_str()).collect();
        texts.join("|")
    }

    #[test]
    fn lines_count_for_the_tasks_that_their_tags_name() {
        assert_eq!(options(TEXT, "short"), "depth 5");
        assert_eq!(options(TEXT, "long"), "depth 50");
        assert_eq!(options(TEXT, "cov"), "depth 50|mode cover");
    }

    #[test]
    fn spans_are_those_of_the_text_behind_the_tag() {
        let file = Sources::new().add("a.sby", TEXT);
        let tasks = tasks(file, TEXT).expect("tasks");
        let sections = sections(file, TEXT, &tasks, tasks.first()).expect("sections");
        let line = sections.iter().find(|one| one.name == "options");
        let span = line.expect("options").lines[0].span;
        assert_eq!(&TEXT[span.start as usize..span.end as usize], "depth 5");
    }

    #[test]
    fn all_tasks_are_meant_unless_some_are_the_default() {
        let names = |text: &str| {
            let file = Sources::new().add("a.sby", text);
            let tasks = tasks(file, text).expect("tasks");
            let tasks = default_tasks(&tasks);
            let names: Vec<&str> = tasks.iter().map(|one| one.name()).collect();
            names.join(" ")
        };
        assert_eq!(names(TEXT), "short long cov");
        assert_eq!(names("[tasks]\na\nb default\nc default\n"), "b c");
        assert_eq!(names("[options]\nmode bmc\n"), "");
    }

    #[test]
    fn a_line_of_verilog_is_no_section() {
        assert_eq!(section_name("[3:0] a;"), None);
        assert_eq!(section_name("[W-1]"), None);
        assert_eq!(section_name("[file a b.v]"), Some("file a b.v"));
        assert_eq!(section_name("[typo]"), Some("typo"));
    }
}
