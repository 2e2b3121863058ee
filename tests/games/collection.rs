//! The quick games of the benchmark collection: the verdict, certified.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Those that take less than two seconds here, certification included.
const QUICK: [(&str, &str); 11] = [
    ("mvs2n", "REALIZABLE"),
    ("cnt9n", "REALIZABLE"),
    ("demo-v12_2_REAL", "REALIZABLE"),
    ("mv14n", "REALIZABLE"),
    ("mult_bool_matrix_2_3_7", "REALIZABLE"),
    ("mult_bool_matrix_dyn_8_5", "REALIZABLE"),
    ("bs64y", "REALIZABLE"),
    ("demo-v20_5_REAL", "REALIZABLE"),
    ("driver_d2n", "UNREALIZABLE"),
    ("load_2c_comp_comp5_REAL", "REALIZABLE"),
    ("stay10n", "REALIZABLE"),
];

fn folder() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let collection = match std::env::var_os("RESPIN_BENCH") {
        Some(path) => PathBuf::from(path),
        None => root.join("../shared/bench"),
    };
    let folder = collection.join("aiger");
    folder.is_dir().then_some(folder)
}

#[test]
fn quick_games_are_answered_rightly() {
    let Some(folder) = folder() else {
        println!("skipped: there is no benchmark collection; set RESPIN_BENCH");
        return;
    };
    for (name, expected) in QUICK {
        let output = Command::new(env!("CARGO_BIN_EXE_respin"))
            .arg("synth")
            .arg(folder.join(format!("{name}.aag")))
            .output()
            .expect("respin starts");
        let stdout = String::from_utf8_lossy(&output.stdout);
        assert_eq!(stdout.lines().next(), Some(expected), "{name}");
    }
}

/// A game that is too big ends in time, with what is known.
#[test]
fn a_time_limit_is_kept() {
    let Some(folder) = folder() else {
        println!("skipped: there is no benchmark collection; set RESPIN_BENCH");
        return;
    };
    let start = std::time::Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_respin"))
        .args(["synth", "--timeout", "2"])
        .arg(folder.join("6s11_c0to7.aag"))
        .output()
        .expect("respin starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{stdout}");
    assert_eq!(stdout.lines().next(), Some("UNKNOWN"), "{stdout}");
    // The kernel looks at the clock often; a machine with other work to do is given time.
    assert!(start.elapsed().as_secs() < 6, "{:?}", start.elapsed());
}
