//! The program under observation: how long it takes, how much memory it has, how it ends.

use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What was seen of a run.
#[derive(Debug, Default)]
pub struct Observed {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub output: String,
    pub problems: String,
    pub elapsed: Duration,
    /// Seconds of processor time, as the system counts them.
    pub processor: f64,
    /// The most bytes that it ever had.
    pub resident: u64,
    /// Whether it had to be ended because it did not end.
    pub was_killed: bool,
}

/// Runs a command to its end, or for as long as `patience`.
pub fn observe(command: &mut Command, patience: Duration) -> Observed {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let output = reader(child.stdout.take());
    let problems = reader(child.stderr.take());
    let mut observed = Observed::default();
    loop {
        look(&child, &mut observed);
        if let Some(status) = child.try_wait().expect("a child") {
            observed.code = status.code();
            break;
        }
        if start.elapsed() > patience {
            observed.was_killed = true;
            child.kill().expect("a child");
        }
        thread::sleep(Duration::from_millis(5));
    }
    observed.elapsed = start.elapsed();
    observed.output = output.join().expect("a reader");
    observed.problems = problems.join().expect("a reader");
    observed
}

fn reader(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut stream = stream.expect("a pipe");
        stream.read_to_end(&mut bytes).expect("an end");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Processor time and memory so far; a child that has ended tells nothing any more.
fn look(child: &Child, observed: &mut Observed) {
    let read = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", child.id()));
    if let Ok(status) = read("status") {
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        observed.resident = observed.resident.max(1024 * kilobytes.unwrap_or(0_u64));
    }
    if let Ok(stat) = read("stat") {
        // Behind the name of the program; user and system time, in hundredths.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let fields = fields.split_whitespace().skip(11).take(2);
        let ticks: f64 = fields.filter_map(|field| field.parse::<f64>().ok()).sum();
        observed.processor = observed.processor.max(ticks / 100.0);
    }
}
