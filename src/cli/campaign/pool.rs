//! Many jobs, some at a time, each in a process of its own.

use super::folder::Folder;
use super::run::{Watched, watched};
use crate::campaign::{Job, JobResult};
use crate::cli::progress::Progress;
use crate::limits::{Limits, Stop};
use crate::source::Diagnostic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(50);

/// What was found, by the index of the job, and why not everything was run.
pub struct Ran {
    pub results: Vec<(usize, JobResult)>,
    pub stopped: Option<Stop>,
}

/// Runs the jobs with these indices. Results are files by the time that they are returned, so
/// whatever ends this early loses the jobs only that were running.
pub fn run(
    jobs: &[Job],
    pending: &[usize],
    processes: usize,
    folder: &Folder,
    limits: &Limits,
    progress: &mut Progress,
) -> Result<Ran, Diagnostic> {
    let started = Instant::now();
    let next = AtomicUsize::new(0);
    let stop = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..processes.min(pending.len()) {
            let (sender, next, stop) = (sender.clone(), &next, &stop);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(index) = pending.get(index) else {
                        return;
                    };
                    let found = watched(&jobs[*index], folder, stop);
                    // Nobody listens any more if another job could not be run at all.
                    if sender.send((*index, found)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut ran = Ran {
            results: Vec::new(),
            stopped: None,
        };
        let mut failed = None;
        loop {
            if let Err(reason) = limits.look() {
                stop.store(true, Ordering::Relaxed);
                ran.stopped = Some(reason);
            }
            match receiver.recv_timeout(INTERVAL) {
                Ok((index, Ok(Watched::Done(result)))) => {
                    let word = result.report["verdict"]
                        .as_str()
                        .unwrap_or("ERROR")
                        .to_string();
                    let took = result.processor_ms as f64 / 1000.0;
                    progress.log(|| format!("{word}  {}  {took:.1} s", jobs[index].name));
                    ran.results.push((index, result));
                }
                Ok((_, Ok(Watched::Stopped(_)))) => {}
                Ok((_, Err(diagnostic))) => {
                    stop.store(true, Ordering::Relaxed);
                    failed = Some(diagnostic);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            progress.status(|| status(ran.results.len(), pending.len(), started.elapsed()));
        }
        match failed {
            Some(diagnostic) => Err(diagnostic),
            None => Ok(ran),
        }
    })
}

/// How far it is, and when it ends if the rest is like what was done.
fn status(done: usize, all: usize, elapsed: Duration) -> String {
    if done == 0 {
        return format!("0 of {all} jobs");
    }
    let left = elapsed
        .mul_f64((all - done.min(all)) as f64 / done as f64)
        .as_secs();
    let left = match (left / 3600, left / 60 % 60, left % 60) {
        (0, 0, seconds) => format!("{seconds} s"),
        (0, minutes, seconds) => format!("{minutes} min {seconds} s"),
        (hours, minutes, _) => format!("{hours} h {minutes} min"),
    };
    format!("{done} of {all} jobs, about {left} left")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_is_expected_to_take_as_long_as_what_was_done() {
        let minute = Duration::from_secs(60);
        assert_eq!(status(0, 10, minute), "0 of 10 jobs");
        assert_eq!(status(5, 10, minute), "5 of 10 jobs, about 1 min 0 s left");
        assert_eq!(
            status(1, 100, minute),
            "1 of 100 jobs, about 1 h 39 min left"
        );
        assert_eq!(status(10, 10, minute), "10 of 10 jobs, about 0 s left");
    }
}
