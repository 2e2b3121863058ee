//! `respin play` on a terminal: a real one, whose screen is seen as a person sees it.

use super::{scratch, stderr, stdout};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(60);
const SIZE: (u16, u16) = (50, 100);

const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const LEFT: &str = "\x1b[D";
const CONTROL_C: &str = "\x03";
const CONTROL_D: &str = "\x04";
const CONTROL_U: &str = "\x15";

/// What the user plays: the environment, with a variable of three values and one of two.
const SPEC: &str = "module Follow\nenv Int(0..2) level;\nenv boolean lever;\n\
    sys {LOW, HIGH} lamp;\nasm trans next(level) <= level + 1;\n\
    gar alw lamp = HIGH <-> level = 2;\n";

/// A program on a terminal of its own.
struct Seat {
    keyboard: File,
    /// The side of the program, which stays open so that its settings can be looked at.
    terminal: File,
    program: Child,
    shown: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Seat {
    /// Begins to play on a terminal of this kind; the result may go to a file.
    fn new(spec: &Path, kind: &str, output: Option<File>) -> Seat {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let keyboard = openpt(flags).expect("a terminal");
        grantpt(&keyboard).expect("a terminal of ours");
        unlockpt(&keyboard).expect("a terminal to open");
        let name = ptsname(&keyboard, Vec::new()).expect("its name");
        let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes())).to_path_buf();
        let terminal = File::options().read(true).write(true).open(path);
        let terminal = terminal.expect("the other side");
        let size = Winsize {
            ws_row: SIZE.0,
            ws_col: SIZE.1,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&terminal, size).expect("a size");
        let side = || Stdio::from(terminal.try_clone().expect("the other side"));
        let program = Command::new("setsid")
            .args(["--ctty", env!("CARGO_BIN_EXE_respin"), "play"])
            .arg(spec)
            .env("TERM", kind)
            .env_remove("NO_COLOR")
            .stdin(side())
            .stdout(output.map_or_else(side, Stdio::from))
            .stderr(side())
            .spawn()
            .expect("respin starts");
        let keyboard = File::from(keyboard);
        let mut reader = keyboard.try_clone().expect("what is shown");
        let (sender, shown) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Seat {
            keyboard,
            terminal,
            program,
            shown,
            screen: vt100::Parser::new(SIZE.0, SIZE.1, 0),
        }
    }

    fn types(&mut self, keys: &str) {
        self.keyboard
            .write_all(keys.as_bytes())
            .expect("a keyboard");
    }

    /// Takes in what is shown for at most so long; whether anything was.
    fn look(&mut self, patience: Duration) -> bool {
        match self.shown.recv_timeout(patience) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }

    fn text(&self) -> String {
        self.screen.screen().contents()
    }

    /// The line that the cursor is in, up to the cursor.
    fn line(&self) -> String {
        let screen = self.screen.screen();
        let (row, column) = screen.cursor_position();
        screen.contents_between(row, 0, row, column)
    }

    /// Waits until the cursor stands behind a text.
    #[track_caller]
    fn shows(&mut self, line: &str) {
        self.waits(line, |seat| seat.line() == line);
    }

    /// Waits until a text is somewhere on the screen.
    #[track_caller]
    fn says(&mut self, text: &str) {
        self.waits(text, |seat| seat.text().contains(text));
    }

    #[track_caller]
    fn waits(&mut self, what: &str, is_there: impl Fn(&Seat) -> bool) {
        let start = Instant::now();
        while !is_there(self) {
            assert!(
                start.elapsed() < PATIENCE,
                "no `{what}` behind `{}` on\n{}",
                self.line(),
                self.text()
            );
            self.look(Duration::from_millis(100));
        }
    }

    /// How the terminal treats what is typed.
    fn modes(&self) -> String {
        let state = tcgetattr(&self.terminal).expect("a terminal");
        format!("{:?} {:?}", state.local_modes, state.input_modes)
    }

    /// The exit code, once the program has ended and all is on the screen.
    #[track_caller]
    fn ends(&mut self) -> Option<i32> {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.program.try_wait().expect("a program") {
                break status;
            }
            let is_late = start.elapsed() > PATIENCE;
            assert!(!is_late, "it goes on:\n{}", self.text());
            self.look(Duration::from_millis(20));
        };
        while self.look(Duration::from_millis(200)) {}
        status.code()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

fn spec(test: &str) -> PathBuf {
    let path = scratch(test).join("follow.spectra");
    std::fs::write(&path, SPEC).expect("a written file");
    path
}

#[test]
fn tab_completes_names_values_and_commands() {
    let mut seat = Seat::new(&spec("terminal_tab"), "xterm", None);
    seat.says("`help` says what can be typed; Tab completes it.");
    seat.shows("inputs> ");
    seat.types("\t\t");
    seat.says("level  lever  help   quit   undo   why");
    seat.shows("inputs> ");
    // As far as both names go, then the names.
    seat.types("l\t");
    seat.shows("inputs> leve");
    seat.types("\t");
    seat.says("inputs> leve\nlevel  lever\n");
    seat.types("l\t");
    seat.shows("inputs> level=");
    seat.types("\t\t");
    seat.says("inputs> level=\n0  1  2");
    seat.types("1\t");
    seat.shows("inputs> level=1 ");
    // What is set already is not offered again.
    seat.types("l\t");
    seat.shows("inputs> level=1 lever=");
    seat.types("t\t");
    seat.shows("inputs> level=1 lever=true ");
    seat.types("\r");
    seat.says("step 0: you: level=1 lever=true\n  the system: lamp=LOW");
    seat.shows("inputs> ");
    seat.types("u\t");
    seat.shows("inputs> undo");
    seat.types("\r");
    seat.says("The last move was taken back.");
}

#[test]
fn earlier_lines_are_gone_through_and_edited() {
    let mut seat = Seat::new(&spec("terminal_up"), "xterm", None);
    seat.shows("inputs> ");
    seat.types("level=1\r");
    seat.says("step 0: you: level=1 lever=false");
    seat.types("level=0\r");
    seat.says("step 1: you: level=0 lever=false");
    seat.types(UP);
    seat.shows("inputs> level=0");
    seat.types(UP);
    seat.shows("inputs> level=1");
    seat.types(DOWN);
    seat.shows("inputs> level=0");
    seat.types(CONTROL_U);
    seat.shows("inputs> ");
    // `leel=1`, with what is missing put in, and a digit taken out.
    seat.types(&format!("leel=10{LEFT}{LEFT}{LEFT}{LEFT}{LEFT}v\x05\x7f"));
    seat.shows("inputs> level=1");
    seat.types("\r");
    seat.says("step 2: you: level=1 lever=false");
}

#[test]
fn the_end_of_the_input_ends_the_play_which_is_printed_once() {
    let mut seat = Seat::new(&spec("terminal_end"), "xterm", None);
    seat.shows("inputs> ");
    let before = seat.modes();
    assert!(!before.contains("ICANON"), "keys come one by one: {before}");
    seat.types("level=1 lever=true\r");
    seat.says("step 0:");
    seat.shows("inputs> ");
    seat.types(CONTROL_D);
    assert_eq!(seat.ends(), Some(0), "{}", seat.text());
    let text = seat.text();
    assert!(text.contains("The play was left.\nREALIZABLE\n"), "{text}");
    for once in [
        "inputs> level=1 lever=true",
        "step 0: you",
        "You are the environment",
    ] {
        assert_eq!(text.matches(once).count(), 1, "{once} in\n{text}");
    }
    assert!(seat.modes().contains("ICANON"), "{}", seat.modes());
}

#[test]
fn an_interrupt_ends_the_play() {
    let mut seat = Seat::new(&spec("terminal_interrupt"), "xterm", None);
    seat.shows("inputs> ");
    seat.types("level=1");
    seat.shows("inputs> level=1");
    seat.types(CONTROL_C);
    assert_eq!(seat.ends(), Some(130), "{}", seat.text());
    assert!(seat.modes().contains("ICANON"), "{}", seat.modes());
}

#[test]
fn a_run_that_is_ended_from_outside_leaves_the_terminal_as_it_was() {
    let mut seat = Seat::new(&spec("terminal_ended"), "xterm", None);
    seat.shows("inputs> ");
    assert!(!seat.modes().contains("ICANON"), "{}", seat.modes());
    let id = seat.program.id().to_string();
    let status = Command::new("kill").args(["-TERM", &id]).status();
    assert!(status.expect("kill runs").success());
    assert_eq!(seat.ends(), Some(143), "{}", seat.text());
    let modes = seat.modes();
    assert!(
        modes.contains("ICANON") && modes.contains("ECHO"),
        "{modes}"
    );
}

#[test]
fn the_play_goes_to_a_file_and_the_dialogue_to_the_terminal() {
    let path = spec("terminal_file");
    let result = path.with_extension("result");
    let file = File::create(&result).expect("a file");
    let mut seat = Seat::new(&path, "xterm", Some(file));
    seat.shows("inputs> ");
    seat.types("lever=t\t\r");
    seat.says("step 0: you: level=0 lever=true");
    seat.shows("inputs> ");
    seat.types(CONTROL_D);
    assert_eq!(seat.ends(), Some(0), "{}", seat.text());
    assert!(!seat.text().contains("REALIZABLE"), "{}", seat.text());
    let written = std::fs::read_to_string(&result).expect("the result");
    assert!(written.starts_with("REALIZABLE\n"), "{written}");
    let step = "step 0: you: level=0 lever=true";
    assert!(
        written.contains(step) && !written.contains('\x1b'),
        "{written}"
    );
}

#[test]
fn a_terminal_without_a_cursor_is_read_line_by_line() {
    let mut seat = Seat::new(&spec("terminal_dumb"), "dumb", None);
    seat.says("`help` says what can be typed.\n");
    seat.says("inputs> ");
    assert!(seat.modes().contains("ICANON"), "{}", seat.modes());
    seat.types("level=1\n");
    seat.says("step 0: you: level=1 lever=false");
    seat.types(CONTROL_D);
    assert_eq!(seat.ends(), Some(0), "{}", seat.text());
}

#[test]
fn lines_of_a_pipe_are_answered_once() {
    let mut program = super::respin("play");
    program.arg(spec("terminal_pipe")).env("TERM", "xterm");
    let program = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = program.spawn().expect("respin starts");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(b"level=1\nlevel=7\nundo\nquit\n")
        .expect("a reader");
    drop(input);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let said = "You are the environment, and have to keep the assumptions.\n\
        `help` says what can be typed.\n\
        step 0: you: level=1 lever=false\n  the system: lamp=LOW\n\
        `7` is no value of `level`; it can be 0 to 2\n\
        The last move was taken back.\n\
        The play was left.\n";
    assert!(stdout(&output).ends_with(said), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
}
