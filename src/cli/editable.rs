//! Which files `--write` may change, and where a diff has to be applied.
//!
//! A design names files of its own: includes, file lists, `respin.toml`, links. Somebody who
//! repairs a design that he was given does not expect that files elsewhere change. So those
//! that stand below the present directory or the directory of the project file are edited, and
//! those that the command line names.

use super::arguments::{Arguments, Command};
use super::values::InputPath;
use crate::source::Diagnostic;
use crate::source::codes::frame;
use std::fs;
use std::path::{Path, PathBuf};

/// What may be changed, as paths without links.
#[derive(Clone, Debug, Default)]
pub struct Editable {
    files: Vec<PathBuf>,
    directories: Vec<PathBuf>,
}

/// The directory in which a diff has to be applied: the present one, or the nearest one above
/// it below which all its files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffBase {
    directory: PathBuf,
    is_here: bool,
}

impl Editable {
    /// The files on the command line, and the present directory.
    pub fn named(&mut self, arguments: &Arguments) {
        self.directories.extend(fs::canonicalize("."));
        let designs = match &arguments.command {
            Command::Repair(repair) => &repair.design.designs,
            _ => return,
        };
        let files = designs.iter().filter_map(|design| match design {
            InputPath::File(path) => fs::canonicalize(path).ok(),
            InputPath::Stdin => None,
        });
        self.files.extend(files);
    }

    /// A project file was taken from this directory.
    pub fn project(&mut self, directory: &Path) {
        self.directories.extend(fs::canonicalize(directory));
    }

    /// Refuses a file that nobody expects to be changed.
    pub fn check(&self, name: &str) -> Result<(), Diagnostic> {
        let problem = |message: String| {
            Diagnostic::error(frame::OUTSIDE_PROJECT, message).help(
                "name it on the command line, or apply the diff that is printed without `--write`",
            )
        };
        let Ok(path) = fs::canonicalize(name) else {
            return Err(problem(format!(
                "`{name}` is not there any more, and nothing was edited"
            )));
        };
        let is_inside = self.directories.iter().any(|one| path.starts_with(one));
        if is_inside || self.files.contains(&path) {
            return Ok(());
        }
        Err(problem(format!(
            "`{name}` is outside of the project, and nothing was edited"
        )))
    }
}

impl DiffBase {
    /// For a diff of these files. Standard input, for example, is no file, and counts as here.
    pub fn of<'a>(names: impl Iterator<Item = &'a str>) -> DiffBase {
        let here = fs::canonicalize(".").unwrap_or_default();
        let paths: Vec<PathBuf> = names
            .filter_map(|name| fs::canonicalize(name).ok())
            .collect();
        let has_all = |one: &&Path| paths.iter().all(|path| path.starts_with(one));
        let directory = here.ancestors().find(has_all).unwrap_or(Path::new("/"));
        DiffBase {
            is_here: directory == here,
            directory: directory.to_path_buf(),
        }
    }

    /// The name of a file in the diff, without links, which `git apply` does not follow.
    pub fn name(&self, name: &str) -> String {
        let path = fs::canonicalize(name).ok();
        let relative = path
            .as_ref()
            .and_then(|path| path.strip_prefix(&self.directory).ok());
        relative.map_or_else(|| name.to_string(), |path| path.display().to_string())
    }

    /// The directory, unless it is the present one.
    pub fn elsewhere(&self) -> Option<&Path> {
        (!self.is_here).then_some(&self.directory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, shown: &str, elsewhere: Option<&str>) {
        let base = DiffBase::of([name].into_iter());
        assert_eq!(base.name(name), shown);
        assert_eq!(base.elsewhere(), elsewhere.map(Path::new), "{name}");
    }

    #[test]
    fn a_file_below_is_named_from_here() {
        check("./src/../src/lib.rs", "src/lib.rs", None);
        let absolute = fs::canonicalize("src/lib.rs").expect("our own source");
        check(&absolute.display().to_string(), "src/lib.rs", None);
    }

    #[test]
    fn a_file_elsewhere_is_named_from_a_directory_that_has_both() {
        let shell = fs::canonicalize("/bin/sh").expect("a shell");
        let expected = shell.display().to_string();
        check("/bin/sh", expected.trim_start_matches('/'), Some("/"));
    }

    #[test]
    fn what_is_no_file_keeps_its_name() {
        check("<stdin>", "<stdin>", None);
    }
}
