//! The command lines that the documents show do what the documents say.
//!
//! A block that starts with `$ respin` is a transcript: the command runs, and prints the rest
//! of the block to standard output. A block `console` is part of a session (`session.rs`). A
//! line `...` stands for any number of lines. `UPDATE_GOLDEN=1 cargo test --test documents` writes
//! what has no such line anew; read the difference before you keep it. A command in
//! the running text, or without what it prints, has to end with a verdict.

mod book;
mod page;
mod session;

use page::Page;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The page, and the folder in which its commands run: those of `hdl` in a design's own.
const PAGES: [(&str, &str); 15] = [
    ("README.md", ""),
    ("CONTRIBUTING.md", ""),
    ("docs/campaigns.md", "hdl/fifo-level"),
    ("docs/comparison.md", ""),
    ("docs/dependencies.md", ""),
    ("docs/engines.md", "hdl/fifo-level"),
    ("docs/examples.md", ""),
    ("docs/faq.md", "hdl/fifo-level"),
    ("docs/installing.md", ""),
    ("docs/properties.md", "docs/tutorial"),
    ("docs/semantics.md", ""),
    ("docs/tutorial-rtl.md", "docs/tutorial"),
    ("docs/tutorial-specification.md", "specs"),
    ("hdl/README.md", "hdl/edge-detector"),
    ("specs/README.md", "specs"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> impl Iterator<Item = (PathBuf, PathBuf, Page)> {
    PAGES.iter().map(|(name, folder)| {
        let path = root().join(name);
        let text = std::fs::read_to_string(&path).expect("a page");
        (path, root().join(folder), Page::new(&text))
    })
}

fn respin(line: &str, folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(line.split_whitespace())
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .stdin(Stdio::null())
        .output()
        .expect("respin runs")
}

#[test]
fn transcripts_are_what_the_program_prints() {
    let mut checked = 0;
    for (path, folder, mut page) in pages() {
        for transcript in page.transcripts() {
            let output = respin(&transcript.line, &folder);
            let actual = String::from_utf8(output.stdout).expect("UTF-8");
            checked += 1;
            if page::matches(&transcript.lines, &actual) {
                continue;
            }
            if std::env::var_os("UPDATE_GOLDEN").is_some() && transcript.is_complete() {
                page.replace(&transcript, &actual);
                continue;
            }
            panic!(
                "{}: $ respin {}\n{actual}\n{}",
                path.display(),
                transcript.line,
                String::from_utf8_lossy(&output.stderr)
            );
        }
        if page.is_changed() {
            std::fs::write(&path, page.text()).expect("a written page");
        }
    }
    assert!(checked >= 8, "{checked} transcripts");
}

#[test]
fn sessions_are_what_the_shell_prints() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut checked = 0;
    for (path, folder, mut page) in pages() {
        if page.steps().is_empty() {
            continue;
        }
        let name = path.file_stem().expect("a name");
        let copy = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("sessions")
            .join(name);
        let _ = std::fs::remove_dir_all(&copy);
        std::fs::create_dir_all(&copy).expect("a folder");
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let target = copy.join(entry.file_name());
            std::fs::copy(entry.path(), target).expect("a folder of files");
        }
        match session::run(&mut page, &copy, update) {
            Ok(steps) => checked += steps,
            Err(message) => panic!("{}: {message}", path.display()),
        }
        if page.is_changed() {
            std::fs::write(&path, page.text()).expect("a written page");
        }
    }
    assert!(checked >= 20, "{checked} commands");
}

#[test]
fn commands_in_the_text_end_with_a_verdict() {
    let mut checked = 0;
    for (path, folder, page) in pages() {
        for line in page.commands() {
            let code = respin(&line, &folder).status.code();
            let path = path.display();
            assert!(
                matches!(code, Some(0 | 1)),
                "{path}: respin {line}: {code:?}"
            );
            checked += 1;
        }
    }
    assert!(checked >= 4, "{checked} commands");
}

/// A page that is not in the list must not show transcripts.
#[test]
fn every_page_with_a_transcript_is_checked() {
    for folder in ["", "docs", "hdl", "specs", "flows"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root()).expect("below the root");
            let name = name.to_str().expect("a plain name").to_string();
            if name.ends_with(".md") && !PAGES.iter().any(|(known, _)| *known == name) {
                let text = std::fs::read_to_string(&path).expect("a page");
                let page = Page::new(&text);
                assert!(page.transcripts().is_empty(), "{name}");
                assert!(page.steps().is_empty(), "{name}");
            }
        }
    }
}

/// A picture of a page, and the command line that draws it: both stand in the page.
fn pictures(page: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = page.lines().collect();
    let mut found = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((_, rest)) = line.split_once("](pictures/") else {
            continue;
        };
        let name = rest.split(')').next().expect("a name").to_string();
        let below = lines.get(index + 1).copied().unwrap_or_default();
        let command = below.strip_prefix("<!-- respin ");
        let command = command.and_then(|rest| rest.strip_suffix(" -->"));
        let command = command.unwrap_or_else(|| panic!("no command draws {name}"));
        found.push((name, command.to_string()));
    }
    found
}

#[test]
fn pictures_are_what_their_commands_draw() {
    let folder = root().join("docs/pictures");
    let mut known = Vec::new();
    for entry in std::fs::read_dir(root().join("docs")).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|one| one != "md") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a page");
        for (name, line) in pictures(&text) {
            let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
            let line = line.replace("FILE", made.to_str().expect("a plain name"));
            let code = respin(&line, root()).status.code();
            assert!(matches!(code, Some(0 | 1)), "respin {line}: {code:?}");
            let actual = std::fs::read(&made).expect("a picture");
            if std::env::var_os("UPDATE_GOLDEN").is_some() {
                std::fs::create_dir_all(&folder).expect("a folder");
                std::fs::write(folder.join(&name), &actual).expect("a picture");
            }
            let kept = std::fs::read(folder.join(&name)).unwrap_or_default();
            assert!(kept == actual, "{name}: UPDATE_GOLDEN=1 draws it anew");
            known.push(name);
        }
    }
    assert!(!known.is_empty(), "pages have pictures");
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_str().expect("a plain name");
        assert!(known.iter().any(|one| one == name), "no page shows {name}");
    }
}
