//! Files, limits and clocks.

use crate::cpu_time::cpu_seconds;
use respin::bdd::Limits;
use respin::source::Sources;
use respin::spec::gr1::Gr1;
use respin::spec::spectra;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// The specifications of one folder of the collection, in order.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let root = std::env::var("RESPIN_BENCH").unwrap_or_else(|_| "../shared/bench".to_string());
    let mut files = Vec::new();
    collect(&Path::new(&root).join("gr1").join(folder), &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|text| text == "spectra") {
            files.push(path);
        }
    }
}

pub fn read(file: &Path) -> Result<Gr1, String> {
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut sources = Sources::new();
    let id = sources.add(file.display().to_string(), text);
    spectra::parse(&sources, id).map_err(|errors| {
        let first = errors.first().map(|error| error.message.clone());
        first.unwrap_or_default()
    })
}

/// What a run prints, and with `--write` its table in docs/benchmarks.md. The page is written
/// after each row, so a run that is ended keeps what it has found; rows that a run does not
/// measure stay as they are.
pub struct Page {
    table: String,
    writes: bool,
    /// The names of all rows, in order.
    names: Vec<String>,
    head: String,
    /// What is said of all rows together.
    summary: fn(&[String]) -> Option<String>,
}

impl Page {
    pub fn new(table: &str, writes: bool, files: &[PathBuf]) -> Page {
        Page {
            table: table.to_string(),
            writes,
            names: files.iter().map(|file| stem(file)).collect(),
            head: String::new(),
            summary: |_| None,
        }
    }

    pub fn writes(&self) -> bool {
        self.writes
    }

    /// The line above the rows.
    pub fn head(&mut self, line: &str, summary: fn(&[String]) -> Option<String>) {
        println!("{line}");
        self.head = line.to_string();
        self.summary = summary;
    }

    /// A row, which begins with its name.
    pub fn row(&self, line: String) {
        println!("{line}");
        if self.writes
            && let Err(error) = self.put(line)
        {
            eprintln!("docs/benchmarks.md: {error}");
        }
    }

    fn put(&self, line: String) -> std::io::Result<()> {
        let (before, block, after) = self.page()?;
        let mut rows: Vec<String> = self.rows(&block);
        rows.retain(|row| row_name(row) != row_name(&line));
        rows.push(line);
        let place = |row: &String| self.names.iter().position(|name| name == row_name(row));
        rows.sort_by_key(place);
        let mut lines = vec![self.head.clone()];
        let summary = (self.summary)(&rows);
        lines.extend(rows);
        lines.extend(summary);
        self.replace(&before, &lines, &after)
    }

    /// All lines of the table at once, for those that are no rows.
    pub fn write_all(&self, lines: &[String]) -> std::io::Result<()> {
        let (before, _, after) = self.page()?;
        self.replace(&before, lines, &after)
    }

    fn replace(&self, before: &str, lines: &[String], after: &str) -> std::io::Result<()> {
        let text = lines.join("\n");
        std::fs::write(
            page_path(),
            format!("{before}\n```text\n{text}\n```\n{after}"),
        )
    }

    /// The page up to the table, the table, and the rest.
    fn page(&self) -> std::io::Result<(String, String, String)> {
        let page = std::fs::read_to_string(page_path())?;
        let begin = format!("<!-- {} begin -->", self.table);
        let end = format!("<!-- {} end -->", self.table);
        let missing = || std::io::Error::other(format!("no place for {}", self.table));
        let (before, rest) = page.split_once(&begin).ok_or_else(missing)?;
        let (block, after) = rest.split_once(&end).ok_or_else(missing)?;
        Ok((
            format!("{before}{begin}"),
            block.to_string(),
            format!("{end}{after}"),
        ))
    }

    /// The rows of a table as it was written.
    fn rows(&self, block: &str) -> Vec<String> {
        let is_row = |line: &&str| self.names.iter().any(|name| name == row_name(line));
        let lines = block.lines().filter(is_row);
        lines.map(str::to_string).collect()
    }
}

fn page_path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/benchmarks.md")
}

fn row_name(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or("")
}

/// CPU seconds for a row: 60, and 600 for the largest specifications, unless said.
pub fn row_limit(file: &Path, said: Option<f64>) -> f64 {
    const LARGE: [&str; 8] = [
        "specs_A5",
        "specs_G100",
        "ahb_4",
        "ahb_5",
        "_20_genbuf",
        "_30_genbuf",
        "_40_genbuf",
        "_50_genbuf",
    ];
    let name = file.display().to_string();
    let usual = if LARGE.iter().any(|part| name.contains(part)) {
        600.0
    } else {
        60.0
    };
    said.unwrap_or(usual)
}

/// The time of a row. A busy machine does not count: CPU seconds are watched. What a row
/// does gets its share one after the other, and what takes longer is interrupted.
pub struct Row {
    start: f64,
    limit: f64,
    /// When the present share ends, as bits of a number.
    end: Arc<AtomicU64>,
    interrupt: Arc<AtomicBool>,
    done: Arc<AtomicBool>,
}

impl Row {
    pub fn new(limit: f64) -> Row {
        let start = cpu_seconds();
        let row = Row {
            start,
            limit,
            end: Arc::new(AtomicU64::new((start + limit).to_bits())),
            interrupt: Arc::new(AtomicBool::new(false)),
            done: Arc::new(AtomicBool::new(false)),
        };
        let (end, interrupt, done) = (row.end.clone(), row.interrupt.clone(), row.done.clone());
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                if cpu_seconds() > f64::from_bits(end.load(Ordering::Relaxed)) {
                    interrupt.store(true, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        row
    }

    /// What comes now may take this part of the row's time, as far as it is left.
    pub fn share(&self, part: f64) {
        let now = cpu_seconds();
        let end = (now + part * self.limit).min(self.start + self.limit);
        self.end.store(end.to_bits(), Ordering::Relaxed);
        self.interrupt.store(now > end, Ordering::Relaxed);
    }

    pub fn used(&self) -> f64 {
        cpu_seconds() - self.start
    }

    /// Limits for all parts of the row.
    pub fn limits(&self) -> Limits {
        Limits {
            interrupt: Some(self.interrupt.clone()),
            ..Limits::default()
        }
    }
}

impl Drop for Row {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// A value, or `?`.
pub fn show<T: std::fmt::Display, E>(value: &Result<T, E>) -> String {
    match value {
        Ok(value) => value.to_string(),
        Err(_) => "?".to_string(),
    }
}

pub fn stem(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy());
    stem.unwrap_or_default().replace("specs_", "")
}
