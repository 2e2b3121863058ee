//! The folders of `hdl/`, and `respin` on them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// One `expected` file of a folder.
pub struct Case {
    /// The folder, and what follows `expected.` if there are several.
    pub name: String,
    pub folder: PathBuf,
    pub properties: PathBuf,
    entries: Vec<(String, String)>,
}

/// What `respin repair` says.
pub struct Outcome {
    pub verdict: String,
    pub json: serde_json::Value,
}

impl Case {
    /// All values of a key.
    pub fn all(&self, key: &str) -> Vec<&str> {
        let entries = self.entries.iter().filter(|(known, _)| known == key);
        entries.map(|(_, value)| value.as_str()).collect()
    }

    pub fn line(&self) -> u64 {
        self.all("line")[0].parse().expect("a line number")
    }

    pub fn options(&self) -> Vec<String> {
        let mut options: Vec<String> = self
            .all("options")
            .iter()
            .flat_map(|text| text.split_whitespace())
            .map(str::to_string)
            .collect();
        let lines = self.all("suspects");
        for lines in lines.iter().flat_map(|text| text.split_whitespace()) {
            options.extend(["--only".to_string(), format!("faulty.v:{lines}")]);
        }
        options
    }

    /// Whether the folder is one of the examples that come from a paper.
    pub fn is_from_a_paper(&self) -> bool {
        let text = std::fs::read_to_string(self.folder.join("faulty.v")).expect("a design");
        text.lines().take(3).any(|line| line.contains("JSGB11"))
            || ["tcas", "processor"]
                .iter()
                .any(|prefix| self.name.starts_with(prefix))
    }

    pub fn source(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.join(file)).expect("a design")
    }

    /// `respin repair` on the faulty design.
    pub fn repair(&self, more: &[&str]) -> Outcome {
        let output = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(["repair", "faulty.v", "--format", "json", "--spec"])
            .arg(&self.properties)
            .args(self.options())
            .args(more)
            .current_dir(&self.folder)
            .output()
            .expect("respin runs");
        let text = String::from_utf8(output.stdout).expect("text");
        let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_else(|error| {
            let log = String::from_utf8_lossy(&output.stderr);
            panic!("{}: {error}: {text}{log}", self.name)
        });
        Outcome {
            verdict: json["verdict"].as_str().unwrap_or_default().to_string(),
            json,
        }
    }

    /// The design as `respin verify` judges it.
    pub fn verify(&self, file: &str) -> String {
        let mut options = self.options();
        options.truncate(
            options
                .iter()
                .position(|one| one == "--only")
                .unwrap_or(options.len()),
        );
        let output = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(["verify", file, "--spec"])
            .arg(&self.properties)
            .args(options)
            .current_dir(&self.folder)
            .output()
            .expect("respin runs");
        let text = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        text.lines()
            .next()
            .or(error.lines().next())
            .unwrap_or_default()
            .to_string()
    }
}

impl Outcome {
    /// The patch of the best correction.
    pub fn diff(&self) -> &str {
        self.json["diff"].as_str().unwrap_or_default()
    }

    /// The lines of all corrections that count.
    pub fn lines(&self) -> Vec<u64> {
        let corrections = self.json["corrections"].as_array();
        let mut lines: Vec<u64> = corrections
            .into_iter()
            .flatten()
            .filter(|one| one["vacuous"] != true)
            .flat_map(|one| one["edits"].as_array().cloned().unwrap_or_default())
            .filter_map(|edit| edit["place"]["line"].as_u64())
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

/// Every folder with its expectations, in the order of names.
pub fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl");
    let mut cases = Vec::new();
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root)
        .expect("the folder hdl")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("faulty.v").exists())
        .collect();
    folders.sort();
    for folder in folders {
        let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
            .expect("a folder of hdl")
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.sort();
        for file in files {
            let name = file.file_name().and_then(|name| name.to_str());
            let Some(variant) = name.and_then(|name| name.strip_prefix("expected")) else {
                continue;
            };
            let variant = variant.trim_start_matches('.');
            let text = std::fs::read_to_string(&file).expect("expectations");
            let entries = text
                .lines()
                .filter_map(|line| line.split_once(':'))
                .map(|(key, value)| (key.trim().to_string(), value.trim().to_string()))
                .collect();
            let label = folder.file_name().and_then(|name| name.to_str());
            let label = label.unwrap_or_default();
            let (name, properties) = match variant {
                "" => (label.to_string(), "properties.ltl".to_string()),
                _ => (format!("{label}.{variant}"), format!("{variant}.ltl")),
            };
            cases.push(Case {
                name,
                properties: folder.join(properties),
                folder: folder.clone(),
                entries,
            });
        }
    }
    cases
}

pub fn case(name: &str) -> Case {
    let found = cases().into_iter().find(|case| case.name == name);
    found.unwrap_or_else(|| panic!("no example `{name}`"))
}
