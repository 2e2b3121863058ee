//! Programs that respin starts: within its limits, and ended together with it.
//!
//! The system holds the program to the memory that the run may have and to the time that is
//! left, so that it ends even if nobody is there to end it. It is a process group of its own:
//! whatever it starts in turn ends with it.

use crate::limits::{Limits, Stop};
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How often the program and the limits are looked at.
const INTERVAL: Duration = Duration::from_millis(5);

/// What a program said before it ended.
#[derive(Debug)]
pub struct Finished {
    pub status: ExitStatus,
    pub output: Vec<u8>,
    pub problems: Vec<u8>,
}

#[derive(Debug)]
pub enum Problem {
    Io(io::Error),
    Stopped(Stop),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Problem {
        Problem::Io(error)
    }
}

/// Lets this process be asked to end once the one that started it is gone, and says whether that
/// is still there.
#[cfg(target_os = "linux")]
pub fn end_with_parent(parent: i32) -> bool {
    use rustix::process::{getppid, set_parent_process_death_signal};
    // A system that refuses this leaves the process as it would be on others.
    let _ = set_parent_process_death_signal(Some(Signal::TERM));
    // Only now: the parent may have ended before the system was told.
    getppid().is_some_and(|now| now.as_raw_nonzero().get() == parent)
}

/// Other systems do not tell a process of the end of another one.
#[cfg(not(target_os = "linux"))]
pub fn end_with_parent(_: i32) -> bool {
    true
}

/// Ended when it goes out of scope.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        if !matches!(self.0.try_wait(), Ok(Some(_))) {
            // One that has ended by itself meanwhile is only waited for.
            let _ = kill_process_group(Pid::from_child(&self.0), Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

/// What the memory of a program is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    AddressSpace,
    /// For one that reserves addresses without using them.
    Data,
}

/// Runs a program to its end.
pub fn run(command: &mut Command, held: Held, limits: &Limits) -> Result<Finished, Problem> {
    run_with(command, Vec::new(), held, limits)
}

/// The same with something to read.
pub fn run_with(
    command: &mut Command,
    input: Vec<u8>,
    held: Held,
    limits: &Limits,
) -> Result<Finished, Problem> {
    limits.look().map_err(Problem::Stopped)?;
    let stdin = match input.is_empty() {
        true => Stdio::null(),
        false => Stdio::piped(),
    };
    let child = command
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let mut running = Running(child);
    hold(&running.0, held, limits);
    if let Some(mut stdin) = running.0.stdin.take() {
        // Who does not read to the end ends, and the thread with it.
        thread::Builder::new().spawn(move || {
            let _ = stdin.write_all(&input);
        })?;
    }
    let output = collect(running.0.stdout.take(), limits)?;
    let problems = collect(running.0.stderr.take(), limits)?;
    let status = loop {
        if let Some(status) = running.0.try_wait()? {
            break status;
        }
        limits.look().map_err(Problem::Stopped)?;
        thread::sleep(INTERVAL);
    };
    if status.signal() == Some(Signal::XCPU.as_raw()) {
        return Err(Problem::Stopped(Stop::OutOfTime));
    }
    let text = |thread: JoinHandle<Vec<u8>>| thread.join().unwrap_or_default();
    let (output, problems) = (text(output), text(problems));
    limits.look().map_err(Problem::Stopped)?;
    Ok(Finished {
        status,
        output,
        problems,
    })
}

/// Tells the system what the program may use. Where it refuses, we still watch the time.
fn hold(child: &Child, held: Held, limits: &Limits) {
    let set = |resource: Resource, most: u64| {
        let both = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        let _ = prlimit(Some(Pid::from_child(child)), resource, both);
    };
    if let Some(bytes) = limits.memory_bytes() {
        let resource = match held {
            Held::AddressSpace => Resource::As,
            Held::Data => Resource::Data,
        };
        set(resource, bytes);
    }
    if let Some(left) = limits.time_left() {
        set(Resource::Cpu, left.as_secs() + 1);
    }
}

/// Reads a stream of the program as long as there is room for it.
fn collect(
    stream: Option<impl Read + Send + 'static>,
    limits: &Limits,
) -> io::Result<JoinHandle<Vec<u8>>> {
    const PIECE: u64 = 1 << 16;
    let limits = limits.clone();
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        let Some(mut stream) = stream else {
            return bytes;
        };
        // Who reads too much stops, and the program with it, once it cannot write any more.
        while limits.look().is_ok() {
            match stream.by_ref().take(PIECE).read_to_end(&mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
        }
        bytes
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Instant;

    fn shell(script: &str, limits: &Limits) -> Result<Finished, Problem> {
        let mut command = Command::new("sh");
        run(command.args(["-c", script]), Held::AddressSpace, limits)
    }

    #[test]
    fn what_a_program_says_is_kept() {
        let finished = shell("echo yes; echo no >&2; exit 3", &Limits::default()).expect("an end");
        assert_eq!(finished.status.code(), Some(3));
        assert_eq!(
            (&finished.output[..], &finished.problems[..]),
            (&b"yes\n"[..], &b"no\n"[..])
        );
    }

    #[test]
    fn a_program_reads_what_it_is_given_or_not() {
        let given = |script: &str| {
            let mut command = Command::new("sh");
            let input = vec![b'x'; 1 << 20];
            let command = command.args(["-c", script]);
            run_with(command, input, Held::AddressSpace, &Limits::default())
        };
        let finished = given("wc -c").expect("an end");
        assert_eq!(String::from_utf8_lossy(&finished.output).trim(), "1048576");
        let finished = given("exit 4").expect("an end");
        assert_eq!(finished.status.code(), Some(4));
    }

    #[test]
    fn a_program_ends_with_the_time_and_with_what_it_has_started() {
        let start = Instant::now();
        let limits = Limits::new(Some(Duration::from_millis(100)), None, Arc::default());
        let found = shell("sleep 60 & sleep 60", &limits);
        assert!(
            matches!(found, Err(Problem::Stopped(Stop::OutOfTime))),
            "{found:?}"
        );
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn a_program_has_no_more_memory_than_the_run() {
        let limits = Limits::new(None, Some(64 << 20), Arc::default());
        let found = shell(
            "head -c 200000000 /dev/zero | tail -c 100000000 | wc -c",
            &limits,
        );
        let text = match &found {
            Ok(finished) => String::from_utf8_lossy(&finished.output).into_owned(),
            Err(_) => String::new(),
        };
        assert_ne!(text.trim(), "100000000", "{found:?}");
    }
}
