//! The command line of benchmarks over the collection's GR(1) specifications:
//! `[--limit SECONDS] [PART]...`

use std::path::{Path, PathBuf};

pub struct Specifications {
    /// Seconds for one file.
    pub limit: f64,
    parts: Vec<String>,
    /// Where the collection is.
    pub root: PathBuf,
}

impl Specifications {
    pub fn of_arguments(limit: f64) -> Specifications {
        let mut limit = limit;
        let mut parts = Vec::new();
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--bench" => {}
                "--limit" => {
                    let seconds = arguments.next().and_then(|text| text.parse().ok());
                    limit = seconds.unwrap_or(limit);
                }
                part => parts.push(part.to_string()),
            }
        }
        let root = std::env::var("RESPIN_BENCH").unwrap_or_else(|_| "../shared/bench".to_string());
        Specifications {
            limit,
            parts,
            root: Path::new(&root).join("gr1"),
        }
    }

    /// The files with their names, in order: those whose names have all parts in them.
    pub fn wanted(&self, mut files: Vec<PathBuf>) -> Vec<(PathBuf, String)> {
        files.sort();
        let named = files.into_iter().map(|file| {
            let name = file.strip_prefix(&self.root).unwrap_or(&file);
            let name = name.display().to_string();
            (file, name)
        });
        named
            .filter(|(_, name)| self.parts.iter().all(|part| name.contains(part)))
            .collect()
    }
}
