//! The files of `src`, without comments and tests.

use std::fs;
use std::path::{Path, PathBuf};

pub struct Source {
    /// Below `src`, with slashes.
    pub path: String,
    /// The text without comments, and without what only tests compile.
    pub code: String,
}

impl Source {
    pub fn read(path: &str) -> Source {
        let text = fs::read_to_string(folder().join(path)).expect("a source");
        Source {
            path: path.to_string(),
            code: without_tests(&without_comments(&text)),
        }
    }

    /// The module path, as in `["design", "verilog"]` for `design/verilog/mod.rs`.
    pub fn module(&self) -> Vec<&str> {
        let path = self.path.trim_end_matches(".rs");
        path.trim_end_matches("/mod").split('/').collect()
    }

    /// The top-level module.
    pub fn top(&self) -> &str {
        self.module()[0]
    }

    fn is_test(&self) -> bool {
        self.module().contains(&"tests")
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All sources but those that only tests compile, in the order of their paths.
pub fn all() -> Vec<Source> {
    let sources = paths().into_iter().map(|path| Source::read(&path));
    sources.filter(|source| !source.is_test()).collect()
}

/// The paths of all sources below `src`.
pub fn paths() -> Vec<String> {
    let mut paths = Vec::new();
    collect(&folder(), "", &mut paths);
    paths.sort();
    paths
}

fn collect(folder: &Path, prefix: &str, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name().into_string().expect("a plain name");
        let path = format!("{prefix}{name}");
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), paths);
        } else if name.ends_with(".rs") {
            paths.push(path);
        }
    }
}

/// Line comments are enough: the sources have no others. A `//` inside of a string hides the
/// rest of its line, which holds no path of a module.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| match line.find("//") {
        Some(start) => &line[..start],
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Leaves out `#[cfg(test)] mod ... { ... }`, which stands at the left margin and ends with a
/// brace there.
fn without_tests(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let opens = |next: &&str| next.starts_with("mod ") && next.ends_with('{');
        if line == "#[cfg(test)]" && lines.peek().is_some_and(opens) {
            for inside in lines.by_ref() {
                if inside == "}" {
                    break;
                }
            }
        } else {
            kept.push(line);
        }
    }
    kept.join("\n")
}

#[test]
fn comments_and_tests_are_left_out() {
    let text = "use a; // crate::b\n#[cfg(test)]\nmod tests {\n    use crate::c;\n}\nfn d() {}";
    assert_eq!(without_tests(&without_comments(text)), "use a; \nfn d() {}");
}
