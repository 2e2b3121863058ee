//! The files that a pattern means.

use crate::campaign::glob::{is_pattern, matches, may_begin_with};
use crate::limits::Limits;
use std::fs;
use std::path::Path;

/// The files that a pattern means, seen from a folder, in the order of their names; links to
/// directories are not followed, so that there is an end.
pub fn find(home: &Path, pattern: &str, limits: &Limits) -> Result<Vec<String>, String> {
    if !is_pattern(pattern) {
        return match fs::metadata(home.join(pattern)) {
            Ok(_) => Ok(vec![pattern.to_string()]),
            Err(_) => Err(format!("there is no file `{pattern}`")),
        };
    }
    // What comes before the first wildcard is one directory.
    let wildcard = pattern.find(['*', '?', '[']).unwrap_or(0);
    let root = pattern[..wildcard]
        .rfind('/')
        .map_or("", |end| &pattern[..end + 1]);
    let mut found = Vec::new();
    visit(home, root, pattern, limits, &mut found).map_err(|stop| stop.to_string())?;
    if found.is_empty() {
        return Err(format!("no file is called `{pattern}`"));
    }
    found.sort_unstable();
    Ok(found)
}

/// Looks into a directory, whose name is empty or ends with a slash.
fn visit(
    home: &Path,
    directory: &str,
    pattern: &str,
    limits: &Limits,
    found: &mut Vec<String>,
) -> Result<(), crate::limits::Stop> {
    let Ok(entries) = fs::read_dir(home.join(directory)) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        limits.look()?;
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        // A name that is no text cannot be written into a plan either.
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        let path = format!("{directory}{name}");
        if kind.is_dir() {
            if may_begin_with(pattern, &path) {
                visit(home, &format!("{path}/"), pattern, limits, found)?;
            }
        } else if matches(pattern, &path) {
            let metadata = fs::metadata(home.join(&path));
            found.extend(metadata.is_ok_and(|file| file.is_file()).then_some(path));
        }
    }
    Ok(())
}
