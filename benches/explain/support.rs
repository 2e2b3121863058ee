//! Files, limits and clocks.

use respin::bdd::Limits;
use respin::source::Sources;
use respin::spec::gr1::Gr1;
use respin::spec::spectra;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// What a run prints, kept for the page.
#[derive(Default)]
pub struct Page {
    lines: Vec<String>,
}

impl Page {
    pub fn say(&mut self, line: String) {
        println!("{line}");
        self.lines.push(line);
    }

    /// Puts the lines into docs/benchmarks.md, between the marks of a table.
    pub fn write(&self, table: &str) -> std::io::Result<()> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/benchmarks.md");
        let page = std::fs::read_to_string(&path)?;
        let marks = [
            format!("<!-- {table} begin -->"),
            format!("<!-- {table} end -->"),
        ];
        let missing = || std::io::Error::other(format!("no place for {table}"));
        let (before, rest) = page.split_once(&marks[0]).ok_or_else(missing)?;
        let (_, after) = rest.split_once(&marks[1]).ok_or_else(missing)?;
        let text = self.lines.join("\n");
        let [begin, end] = marks;
        std::fs::write(
            path,
            format!("{before}{begin}\n```text\n{text}\n```\n{end}{after}"),
        )
    }
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

/// The time of a row. A busy machine does not count: CPU seconds are watched.
pub struct Row {
    start: f64,
    limit: f64,
    interrupt: Arc<AtomicBool>,
    done: Arc<AtomicBool>,
}

impl Row {
    pub fn new(limit: f64) -> Row {
        let row = Row {
            start: cpu_seconds(),
            limit,
            interrupt: Arc::new(AtomicBool::new(false)),
            done: Arc::new(AtomicBool::new(false)),
        };
        let (interrupt, done) = (row.interrupt.clone(), row.done.clone());
        let end = row.start + limit;
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                if cpu_seconds() > end {
                    interrupt.store(true, Ordering::Relaxed);
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        row
    }

    /// A part of the row's time, as far as it is left.
    pub fn share(&self, part: f64) -> Row {
        Row::new((part * self.limit).min((self.limit - self.used()).max(0.0)))
    }

    pub fn used(&self) -> f64 {
        cpu_seconds() - self.start
    }

    /// Limits for the next part of the row.
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

pub fn cpu_seconds() -> f64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call only writes to the given place.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}
