//! What is written and removed: only what was meant, and all of it or nothing.

use super::{COUNTER, folder, read, respin, run, write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

#[test]
fn a_work_directory_that_others_made_stays() {
    let folder = folder("writing-others");
    write(&folder, "m.v", COUNTER);
    write(&folder, "home/status", "mine\n");
    write(&folder, "home/thesis.txt", "years of work\n");
    let words = ["verify", "m.v", "--workdir", "home", "--force"];
    assert_eq!(run(&words, &folder).0, 2);
    assert_eq!(read(&folder, "home/status"), "mine\n");
    assert_eq!(read(&folder, "home/thesis.txt"), "years of work\n");
}

#[test]
fn only_results_are_removed_from_a_work_directory() {
    let folder = folder("writing-results");
    write(&folder, "m.v", COUNTER);
    write(&folder, "outside.txt", "elsewhere\n");
    let words = ["verify", "m.v", "--workdir", "work", "--force"];
    assert_eq!(run(&words, &folder).0, 1);
    write(&folder, "work/thesis.txt", "years of work\n");
    write(&folder, "work/sub/status", "mine\n");
    std::fs::remove_file(folder.join("work/result.json")).expect("a result");
    symlink("../outside.txt", folder.join("work/result.json")).expect("a link");
    std::fs::write(folder.join("work/trace-old.vcd"), "").expect("a trace");
    assert_eq!(run(&words, &folder).0, 1);
    assert_eq!(read(&folder, "work/thesis.txt"), "years of work\n");
    assert_eq!(read(&folder, "work/sub/status"), "mine\n");
    assert_eq!(read(&folder, "outside.txt"), "elsewhere\n");
    assert!(!folder.join("work/trace-old.vcd").exists());
    assert!(read(&folder, "work/result.json").contains("FAIL"));
}

const TOP: &str = "`include \"../lib/limit.vh\"
module counter(input clk, output reg [2:0] count = 0);
    always @(posedge clk) if (`LAST) count <= 0; else count <= count + 1;
    always @(posedge clk) assert (count <= 3'd5);
endmodule
";

#[test]
fn files_outside_of_the_project_are_not_edited() {
    let folder = folder("writing-outside");
    write(&folder, "lib/m.v", COUNTER);
    write(&folder, "here/list.f", "../lib/m.v\n");
    write(&folder, "here/respin.toml", "files = [\"../lib/m.v\"]\n");
    symlink("../lib/m.v", folder.join("here/link.v")).expect("a link");
    let here = folder.join("here");
    for words in [
        &["repair", "--write", "-f", "list.f"][..],
        &["repair", "--write"],
    ] {
        let (code, output, problems) = run(words, &here);
        assert_eq!(code, 2, "{output}{problems}");
        assert!(problems.contains("R0019"), "{problems}");
        assert_eq!(read(&folder, "lib/m.v"), COUNTER);
    }
    // What is named is edited, and the link stays one.
    let (code, output, problems) = run(&["repair", "--write", "link.v"], &here);
    assert_eq!(code, 0, "{output}{problems}");
    assert_ne!(read(&folder, "lib/m.v"), COUNTER);
    let link = std::fs::symlink_metadata(here.join("link.v")).expect("a link");
    assert!(link.is_symlink());
}

#[test]
fn an_included_file_elsewhere_is_not_edited() {
    let folder = folder("writing-included");
    write(&folder, "lib/limit.vh", "`define LAST (count == 3'd6)\n");
    write(&folder, "here/m.v", TOP);
    let (_, output, problems) = run(&["repair", "--write", "m.v"], &folder.join("here"));
    let after = read(&folder, "lib/limit.vh");
    assert_eq!(
        after, "`define LAST (count == 3'd6)\n",
        "{output}{problems}"
    );
}

#[test]
fn a_file_that_is_edited_keeps_its_mode_and_owner() {
    let folder = folder("writing-mode");
    write(&folder, "m.v", COUNTER);
    let path = folder.join("m.v");
    for mode in [0o640, 0o755, 0o600] {
        write(&folder, "m.v", COUNTER);
        let _ = std::os::unix::fs::chown(&path, Some(12_345), Some(12_345));
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).expect("a mode");
        let before = std::fs::metadata(&path).expect("a file");
        let (code, output, problems) = run(&["repair", "--write", "m.v"], &folder);
        assert_eq!(code, 0, "{output}{problems}");
        let after = std::fs::metadata(&path).expect("a file");
        assert_ne!(read(&folder, "m.v"), COUNTER);
        assert_eq!(after.permissions().mode() & 0o7777, mode);
        assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        std::os::unix::fs::chown(&path, Some(before.uid()), None).expect("the same owner");
    }
}

#[test]
fn an_output_is_as_readable_as_other_new_files() {
    let folder = folder("writing-new");
    write(&folder, "m.v", COUNTER);
    assert_eq!(run(&["repair", "m.v", "-o", "fixed.v"], &folder).0, 0);
    let mode = |name: &str| {
        let metadata = std::fs::metadata(folder.join(name)).expect("a file");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode("fixed.v"), mode("m.v"));
    let (code, _, problems) = run(&["repair", "m.v", "-o", "fixed.v"], &folder);
    assert_eq!(code, 2);
    assert!(problems.contains("R0010"), "{problems}");
}

fn leftovers(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("a file").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".respin-")).collect()
}

/// One run without anybody who ends it tells how long runs take; the others end somewhere in
/// its last part, where the source is written.
#[test]
fn a_source_is_the_old_or_the_new_one_whenever_a_run_ends() {
    let folder = folder("writing-kill");
    let padding = "// a line that makes the file longer\n".repeat(3_000);
    let old = format!("{COUNTER}{padding}");
    write(&folder, "m.v", &old);
    let start = std::time::Instant::now();
    assert_eq!(
        run(
            &["repair", "--write", "-q", "m.v", "--faults", "1"],
            &folder
        )
        .0,
        0
    );
    let usual = start.elapsed();
    let new = read(&folder, "m.v");
    assert_ne!(new, old);
    let (mut olds, mut news) = (0, 0);
    for round in 0..100_u32 {
        write(&folder, "m.v", &old);
        let mut child = respin(
            &["repair", "--write", "-q", "m.v", "--faults", "1"],
            &folder,
        )
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("respin starts");
        thread::sleep(
            usual
                .mul_f64(0.4 + 0.007 * f64::from(round))
                .min(Duration::from_millis(400)),
        );
        child.kill().expect("a child");
        child.wait().expect("an end");
        match read(&folder, "m.v") {
            text if text == old => olds += 1,
            text if text == new => news += 1,
            text => panic!("round {round}: half a file of {} bytes", text.len()),
        }
    }
    println!("{olds} times the old source, {news} times the new one; {usual:?} a run");
    // What was written meanwhile may be left, beside the source and with another name.
    for name in leftovers(&folder) {
        std::fs::remove_file(folder.join(name)).expect("a file");
    }
}
