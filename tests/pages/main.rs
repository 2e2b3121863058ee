//! Pages and games in a real browser: Debian's Chromium, driven by the scripts of this folder.
//!
//! What drives it and what judges accessibility is installed by `tests/run` below
//! `target/pages`; without them these tests fail and say so. Screenshots are left beside the
//! pages, in `target/tmp/browser`.

mod server;
#[path = "../support/tools.rs"]
mod tools;

use respin::random::Random;
use respin::report::html::Page;
use respin::report::{Body, PropertyResult, Report, Verdict, VerifyReport};
use respin::run::{Run, Signal, SignalKind};
use respin::source::Sources;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tools::succeeds;

/// Assertions that fail in a step and on an infinite run, one that holds, and a cover.
const COUNTER: &str = "module counter (input clk, input en, input [7:0] data, output reg [7:0] q,
                output reg busy);
  initial q = 0;
  initial busy = 0;
  always @(posedge clk) begin
    if (en) q <= q + 8'd2;
    busy <= en && data[0];
  end
  below: assert property (@(posedge clk) q != 8'd14);
  \\a<b&\"c : assert property (@(posedge clk) en |=> q == $past(q) + 8'd1);
  live: assert property (@(posedge clk) busy |-> s_eventually !busy);
  even: assert property (@(posedge clk) !q[0]);
  four: cover property (@(posedge clk) q == 8'd4);
endmodule
";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("browser")
        .join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Runs a command line in the root of the project.
fn respin(line: &str) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(line.split_whitespace())
        .current_dir(root())
        .output()
        .expect("respin runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code().unwrap_or(-1), text)
}

/// Runs a script of this folder, and gives what it prints.
fn drive(script: &str, arguments: &[&str]) -> String {
    let home = root().join("target/pages");
    succeeds(
        Command::new("node")
            .arg(root().join("tests/pages").join(script))
            .args(arguments)
            .env("RESPIN_BROWSER", &home),
    )
}

#[test]
fn a_page_of_every_kind_can_be_read_and_used() {
    let folder = folder("kinds");
    std::fs::write(folder.join("counter.sv"), COUNTER).expect("a design");
    let at = folder.display();
    let watchdog = "hdl/watchdog/faulty.v --spec hdl/watchdog/properties.ltl --reset rst";
    for (line, name, code) in [
        (format!("verify {at}/counter.sv"), "verify", 1),
        (format!("repair {watchdog}"), "repair", 0),
        (
            "repair hdl/elevator/faulty.v --spec hdl/elevator/properties.ltl".to_string(),
            "no-repair",
            1,
        ),
        ("check specs/forklift.spectra".to_string(), "check", 0),
        (
            "explain specs/dining_philosophers.spectra".to_string(),
            "explain-unrealizable",
            1,
        ),
        (
            "explain specs/delayed_copy.spectra".to_string(),
            "explain-unrealizable-trace",
            1,
        ),
        (
            "explain specs/clairvoyant.tlsf".to_string(),
            "explain-unrealizable-ltl",
            1,
        ),
        (
            "explain specs/forklift.spectra".to_string(),
            "explain-realizable",
            0,
        ),
    ] {
        let (found, text) = respin(&format!("{line} --html {at}/{name}.html"));
        assert_eq!(found, code, "{line}\n{text}");
        assert!(text.contains(&format!("wrote {at}/{name}.html")), "{text}");
    }
    drive("pages.mjs", &[&at.to_string()]);
}

/// Values of which a fiftieth change in each step.
fn large_run(signals: usize, steps: usize) -> Run {
    let mut random = Random::new(1);
    let mut signal = |number: usize| {
        let width = if number.is_multiple_of(4) { 32 } else { 1 };
        let mut value = vec![false; width];
        let values = (0..steps).map(|_| {
            if random.below(50) == 0 {
                value.iter_mut().for_each(|bit| *bit = random.flip());
                value[0] = !value[0];
            }
            Some(value.clone())
        });
        Signal {
            values: values.collect(),
            name: format!("top.unit{}.signal_{number}", number % 10),
            kind: SignalKind::Wire,
            width,
            relevant: number < 30,
        }
    };
    Run {
        steps,
        loop_start: None,
        signals: (0..signals).map(&mut signal).collect(),
    }
}

/// A run of 500 signals and 10,000 steps, and 100 properties: a page that is there at once.
#[test]
fn a_large_page_can_be_used() {
    let folder = folder("large");
    let property = |number: usize| PropertyResult {
        name: format!("property_{number}"),
        is_cover: false,
        verdict: if number == 0 {
            Verdict::Fail
        } else {
            Verdict::Pass
        },
        reset: None,
        engine: None,
        vacuous: None,
        reason: None,
        place: None,
        time: None,
        trace: (number == 0).then(|| large_run(500, 10_000)),
    };
    let body = VerifyReport {
        properties: (0..100).map(property).collect(),
        ..VerifyReport::default()
    };
    let report = Report::unknown("a page for a test").with(Body::Verify(body));
    let page = Page {
        command: "verify",
        typed: &["respin".to_string()],
        sources: &Sources::new(),
    };
    let text = page.html(&report);
    println!("{} bytes", text.len());
    assert!(text.len() < 10_000_000, "{} bytes", text.len());
    assert!(text.contains("class=\"data\""), "all of the run is there");
    std::fs::write(folder.join("large.html"), text).expect("a page");
    print!("{}", drive("pages.mjs", &[&folder.display().to_string()]));
}

/// A page that exists is not overwritten unless this is said, and an input never is.
#[test]
fn a_page_is_written_like_any_other_output() {
    let folder = folder("written");
    let page = folder.join("page.html");
    std::fs::write(&page, "kept").expect("a file");
    let line = format!("check specs/forklift.spectra --html {}", page.display());
    assert_eq!(respin(&line).0, 2);
    assert_eq!(std::fs::read_to_string(&page).expect("a file"), "kept");
    assert_eq!(respin(&format!("{line} --force")).0, 0);
    assert_ne!(std::fs::read_to_string(&page).expect("a file"), "kept");
    assert_eq!(
        respin("check specs/forklift.spectra --force --html specs/forklift.spectra").0,
        2
    );
}

/// A work directory has a page like the one that is asked for.
#[test]
fn a_work_directory_has_a_page() {
    let folder = folder("workdir");
    let line = format!(
        "repair hdl/watchdog/faulty.v --spec hdl/watchdog/properties.ltl --reset rst --workdir {}/work",
        folder.display()
    );
    assert_eq!(respin(&line).0, 0);
    let page = std::fs::read_to_string(folder.join("work/result.html")).expect("a page");
    assert!(
        page.contains("id=\"correction2\""),
        "both corrections are there"
    );
    assert!(page.contains("before and after"), "with their runs");
}

/// What is drawn as the run after a correction is one of the corrected text, as the replay of
/// recorded runs simulates it, and none of the faulty one.
#[test]
fn the_run_after_a_correction_is_one_of_the_corrected_design() {
    let folder = folder("after");
    let at = folder.display();
    let line = "repair hdl/watchdog/faulty.v --spec hdl/watchdog/properties.ltl --reset rst";
    let (code, text) = respin(&format!("{line} -o {at}/corrected.v --vcd {at}/run.vcd"));
    assert_eq!(code, 0, "{text}");
    for (design, run, expected) in [
        (format!("{at}/corrected.v"), "run-repaired.vcd", 0),
        ("hdl/watchdog/faulty.v".to_string(), "run-repaired.vcd", 1),
        ("hdl/watchdog/faulty.v".to_string(), "run.vcd", 0),
        (format!("{at}/corrected.v"), "run.vcd", 1),
    ] {
        let (code, text) = respin(&format!("verify {design} --trace {at}/{run}"));
        assert_eq!(code, expected, "{design} {run}\n{text}");
    }
}

/// A game that is served; it is ended when the test is.
struct Game {
    child: Child,
    address: String,
}

impl Game {
    fn of(line: &str) -> Game {
        let mut child = Command::new(env!("CARGO_BIN_EXE_respin"))
            .args(["play"])
            .args(line.split_whitespace())
            .arg("--serve")
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("respin runs");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let address = lines.find_map(|line| {
            let line = line.expect("a line");
            line.strip_prefix("The game is at ").map(str::to_string)
        });
        // Whoever writes there again should find a reader.
        std::thread::spawn(move || lines.for_each(drop));
        Game {
            child,
            address: address.expect("an address"),
        }
    }

    fn port(&self) -> u16 {
        let rest = self.address.split(':').nth(2).expect("a port");
        rest.split('/')
            .next()
            .and_then(|port| port.parse().ok())
            .expect("a port")
    }

    fn token(&self) -> &str {
        self.address
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .expect("a token")
    }

    /// Ctrl-C; the exit code.
    fn interrupt(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        let sent = Command::new("kill")
            .args(["-INT", &id])
            .status()
            .expect("kill runs");
        assert!(sent.success());
        self.child.wait().expect("an end").code()
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays in the browser, and what was saved again in the terminal, with the same words.
fn check_game(spec: &str, role: &str, name: &str) -> String {
    let folder = folder(&format!("play-{name}"));
    let game = Game::of(spec);
    let text = drive(
        "play.mjs",
        &[&game.address, role, &folder.display().to_string()],
    );
    let of = |word: &str| -> String {
        let line = text.lines().find_map(|line| line.strip_prefix(word));
        serde_json::from_str(line.expect("a line")).expect("a text")
    };
    let moves = folder.join("moves.txt");
    std::fs::write(&moves, of("MOVES ")).expect("a file");
    let (_, told) = respin(&format!("play {spec} --moves {}", moves.display()));
    let said = of("SAID ");
    let told = told.replace('`', "");
    for line in said.lines().map(|line| {
        line.split("back to step")
            .next()
            .unwrap_or_default()
            .to_string()
    }) {
        let line = line.trim();
        assert!(
            told.contains(line),
            "`{line}` is not said in the terminal:\n{told}"
        );
    }
    assert_eq!(game.interrupt(), Some(130), "Ctrl-C ends it");
    text
}

/// GR(1), where a move can break a guarantee at once.
#[test]
fn the_system_plays_against_a_counterstrategy() {
    let text = check_game("specs/delayed_copy.spectra", "system", "system");
    assert!(text.contains("LOSING"), "{text}");
}

/// GR(1), where inputs can break an assumption at once.
#[test]
fn the_environment_plays_against_a_controller() {
    let text = check_game("specs/forklift_fixed.spectra", "environment", "environment");
    assert!(text.contains("LOSING"), "{text}");
}

#[test]
fn both_roles_are_played_for_ltl() {
    let file = folder("play-ltl").join("m.tlsf");
    let main = "INPUTS { a; } OUTPUTS { y; z; } GUARANTEE { G (a -> y); G F !y; G F z; }";
    let text = format!(
        "INFO {{ TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy TARGET: Mealy }} MAIN {{ {main} }}"
    );
    std::fs::write(&file, text).expect("a file");
    let text = check_game(&file.display().to_string(), "system", "system-ltl");
    assert!(text.contains("LOSING"), "{text}");
    check_game(
        "specs/round_robin.tlsf -p n=2",
        "environment",
        "environment-ltl",
    );
}
