//! What Yosys is given: texts and directories under names of ours.

use crate::cli::output::unwritable;
use crate::source::Diagnostic;
use crate::source::codes::frame;
use std::cell::RefCell;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Where a program in a sandbox finds what it is given.
const MOUNTED: &str = "/respin";

/// A private directory with texts and links under names of ours. It is removed again.
pub struct Stage {
    directory: TempDir,
    /// Our paths, with the names that they stand for; longer paths come first.
    names: RefCell<Vec<(String, String)>>,
    /// For a program in a sandbox, the directories that it sees besides; links that lead out
    /// of a directory are not followed there.
    mounts: Option<RefCell<Vec<(String, PathBuf)>>>,
}

impl Stage {
    pub fn new(is_sandboxed: bool) -> Result<Stage, Diagnostic> {
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
            names: RefCell::default(),
            mounts: is_sandboxed.then(RefCell::default),
        })
    }

    /// What a program in a sandbox may see: `path=directory`, with colons between.
    pub fn mounts(&self) -> Option<OsString> {
        let mounts = self.mounts.as_ref()?.borrow();
        let mut text = OsString::from(format!("{MOUNTED}="));
        text.push(self.directory.path());
        for (path, directory) in mounts.iter() {
            text.push(format!(":{path}="));
            text.push(directory);
        }
        Some(text)
    }

    /// Writes a text; gives back its path as the program knows it.
    pub fn write(&self, name: &str, text: &str) -> Result<String, Diagnostic> {
        let path = self.directory.path().join(name);
        let what = format!("`{}`", path.display());
        fs::write(&path, text).map_err(|error| unwritable(&what, &error))?;
        Ok(match self.mounts {
            Some(_) => format!("{MOUNTED}/{name}"),
            None => path.display().to_string(),
        })
    }

    /// A name for a directory, unless there is no such directory.
    pub fn link(&self, directory: &Path) -> Result<Option<String>, Diagnostic> {
        let real = fs::canonicalize(directory).ok();
        let Some(real) = real.filter(|real| real.is_dir()) else {
            return Ok(None);
        };
        let name = format!("respin_include_{}", self.names.borrow().len());
        let path = match &self.mounts {
            Some(mounts) => {
                if real.as_os_str().as_encoded_bytes().contains(&b':') {
                    let message = format!("`{}` has a colon in its path", real.display());
                    return Err(Diagnostic::error(frame::BAD_USAGE, message)
                        .help("the program that reads the design cannot be shown it: rename it"));
                }
                let path = format!("/{name}");
                mounts.borrow_mut().push((path.clone(), real));
                path
            }
            None => {
                let link = self.directory.path().join(name);
                let made: io::Result<()> = symlink(&real, &link);
                made.map_err(|error| unwritable("a temporary directory", &error))?;
                link.display().to_string()
            }
        };
        let original = directory.join("").display().to_string();
        let original = original.strip_prefix("./").unwrap_or(&original);
        self.remember(format!("{path}/"), original.to_string());
        Ok(Some(path))
    }

    pub fn remember(&self, path: String, name: String) {
        self.names.borrow_mut().push((path, name));
    }

    /// A text of Yosys with the names that the user knows.
    pub fn with_original_names(&self, mut text: String) -> String {
        for (path, name) in self.names.borrow().iter() {
            // Netlists are JSON, in which some characters need another spelling.
            let name = serde_json::Value::from(name.as_str()).to_string();
            text = text.replace(path, name.trim_matches('"'));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ours_become_those_of_the_user() {
        let stage = Stage::new(false).expect("a directory");
        let path = stage.write("respin_source_0.sv", "").expect("a file");
        stage.remember(path.clone(), "a \"b\".v".to_string());
        let text = stage.with_original_names(format!("\"src\": \"{path}:1.2-3\""));
        assert_eq!(text, "\"src\": \"a \\\"b\\\".v:1.2-3\"");
    }
}
