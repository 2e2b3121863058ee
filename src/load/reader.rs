//! Where the files come from that other files ask for.

use super::Failure;
use crate::source::Diagnostic;
use crate::source::codes::frame;
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Reads the files that an import or an include names.
pub trait Reader {
    /// The bytes of a file. What goes wrong is said without a place: the caller knows where
    /// the file was asked for.
    fn read(&self, path: &Path) -> Result<Vec<u8>, Failure>;

    /// Equal for all paths that lead to one file, so that it is read only once.
    fn identity(&self, path: &Path) -> PathBuf;

    /// Whether there is such a file.
    fn exists(&self, path: &Path) -> bool;
}

/// Files that are held in memory.
///
/// ```
/// use respin::load::{Memory, Reader};
/// use std::path::Path;
///
/// let files = Memory::new().with("lib/types.spectra", "type Light = {RED, GREEN};");
/// assert!(files.exists(Path::new("lib/../lib/types.spectra")));
/// assert!(files.read(Path::new("types.spectra")).is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    pub fn new() -> Memory {
        Memory::default()
    }

    /// With one more file.
    pub fn with(mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> Memory {
        self.files.insert(normal_path(path.as_ref()), bytes.into());
        self
    }
}

impl Reader for Memory {
    fn read(&self, path: &Path) -> Result<Vec<u8>, Failure> {
        match self.files.get(&normal_path(path)) {
            Some(bytes) => Ok(bytes.clone()),
            None => {
                let message = format!("cannot read `{}`: there is no such file", path.display());
                Err(Diagnostic::error(frame::FILE_UNREADABLE, message).into())
            }
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        normal_path(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.files.contains_key(&normal_path(path))
    }
}

/// Without `.`, and without `..` where a directory stands before it.
pub fn normal_path(path: &Path) -> PathBuf {
    let mut found = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(found.components().next_back(), Some(Component::Normal(_))) =>
            {
                found.pop();
            }
            other => found.push(other),
        }
    }
    found
}
