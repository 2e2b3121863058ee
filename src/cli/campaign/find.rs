//! The files that a pattern means.

use crate::campaign::glob::{is_pattern, matches, may_begin_with};
use crate::limits::Limits;
use std::fs;

/// The files that a pattern means, in the order of their names; links to directories are not
/// followed, so that there is an end.
pub fn find(pattern: &str, limits: &Limits) -> Result<Vec<String>, String> {
    if !is_pattern(pattern) {
        return match fs::metadata(pattern) {
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
    visit(root, pattern, limits, &mut found).map_err(|stop| stop.to_string())?;
    if found.is_empty() {
        return Err(format!("no file is called `{pattern}`"));
    }
    found.sort_unstable();
    Ok(found)
}

/// Looks into a directory, whose name is empty or ends with a slash.
fn visit(
    directory: &str,
    pattern: &str,
    limits: &Limits,
    found: &mut Vec<String>,
) -> Result<(), crate::limits::Stop> {
    let here = if directory.is_empty() { "." } else { directory };
    let Ok(entries) = fs::read_dir(here) else {
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
                visit(&format!("{path}/"), pattern, limits, found)?;
            }
        } else if matches(pattern, &path) && fs::metadata(&path).is_ok_and(|file| file.is_file()) {
            found.push(path);
        }
    }
    Ok(())
}
