//! Names that are commands, project files of strangers, and characters that terminals obey.

use super::{COUNTER, FAULTY, folder, read, run, write};
use std::os::unix::fs::symlink;
use std::path::Path;

/// A design that Yosys reads, and that fails.
const FAILS: &str = "module m(input clk, input a, output reg q = 0);
always @(posedge clk) q <= a;
always @(posedge clk) assert (!q);
endmodule
";

/// Names that would be commands in a script of Yosys or of a shell.
const COMMANDS: [&str; 7] = [
    "a;exec -- touch stolen;.v",
    "a.v\" ; exec -- touch stolen ; \".v",
    "$(touch stolen).v",
    "!touch stolen;.v",
    "a\nexec -- touch stolen\n.v",
    "-p exec.v",
    "a b' \\;tee stolen.v",
];

#[test]
fn names_of_files_are_no_commands_of_yosys() {
    for (index, name) in COMMANDS.iter().enumerate() {
        let folder = folder(&format!("names-{index}"));
        std::fs::write(folder.join(name), FAILS).expect("a file");
        let path = format!("./{name}");
        let (code, output, problems) = run(&["verify", "--frontend", "yosys", &path], &folder);
        assert_eq!(code, 1, "{name}: {output}{problems}");
        assert!(!folder.join("stolen").exists(), "{name} was obeyed");
    }
}

#[test]
fn directories_and_macros_are_no_commands_of_yosys() {
    let folder = folder("names-directories");
    let directory = "inc;exec -- touch stolen;";
    write(&folder, &format!("{directory}/x.vh"), "`define ZERO 1'b0\n");
    let design = "`include \"x.vh\"\nmodule m(input clk, output reg q = 0);\n\
                  always @(posedge clk) q <= `ZERO | `B;\n\
                  always @(posedge clk) assert (!q); endmodule\n";
    write(&folder, "m.v", design);
    for (value, code) in [
        ("B=1'b0", 0),
        ("B=1'b1", 1),
        ("B=1'b0 ; exec -- touch stolen", 2),
        ("B=1'b0\nexec -- touch stolen", 2),
    ] {
        let words = [
            "verify",
            "--frontend",
            "yosys",
            "-I",
            directory,
            "-D",
            value,
            "m.v",
        ];
        let (found, output, problems) = run(&words, &folder);
        assert_eq!(found, code, "{value}: {output}{problems}");
        assert!(!folder.join("stolen").exists(), "{value} was obeyed");
    }
    for words in [
        &["--top", "m;exec -- touch stolen"][..],
        &["--top", "m\nexec -- touch stolen"],
        &["-D", "A;exec -- touch stolen=1"],
    ] {
        let mut all = vec![
            "verify",
            "--frontend",
            "yosys",
            "m.v",
            "-D",
            "B=0",
            "-I",
            directory,
        ];
        all.extend(words);
        let (code, _, problems) = run(&all, &folder);
        assert_eq!(code, 2, "{words:?}: {problems}");
        assert!(!folder.join("stolen").exists(), "{words:?} was obeyed");
    }
}

#[test]
fn yosys_takes_a_top_and_a_reset() {
    let folder = folder("names-reset");
    let design = "module a(input clk, input rst, output reg [1:0] q);\n\
                  always @(posedge clk) if (rst) q <= 0; else if (q != 2) q <= q + 1;\n\
                  always @(posedge clk) assert (q != 3); endmodule\n\
                  module b(input clk, input x); always @(posedge clk) assert (x); endmodule\n";
    write(&folder, "m.sv", design);
    let verify = |words: &[&str]| {
        let mut all = vec!["verify", "--frontend", "yosys", "m.sv"];
        all.extend(words);
        let (code, output, problems) = run(&all, &folder);
        (code, format!("{output}{problems}"))
    };
    for (words, expected) in [
        (&["--top", "a", "--reset", "rst"][..], 0),
        (&["--top", "a", "--reset", "rst=1:3"], 0),
        (&["--top", "a"], 1),
        (&["--top", "b"], 1),
        (&["--top", "a", "--reset", "rts"], 2),
        (&["--top", "c"], 2),
    ] {
        let (code, text) = verify(words);
        assert_eq!(code, expected, "{words:?}: {text}");
    }
    let (_, text) = verify(&["--top", "a", "--reset", "rts"]);
    assert!(text.contains("did you mean `rst`?"), "{text}");
}

#[test]
fn a_source_behind_yosys_is_repaired_with_a_reset() {
    let folder = folder("names-repair");
    let design = "module a(input clk, input rst, output reg [1:0] q);\n\
                  always @(posedge clk) if (rst) q <= 2'd3; else if (q != 2) q <= q + 1;\n\
                  always @(posedge clk) assert (q != 3); endmodule\n";
    write(&folder, "m.sv", design);
    let words = [
        "repair",
        "--frontend",
        "yosys",
        "m.sv",
        "--reset",
        "rst",
        "--write",
    ];
    let (code, output, problems) = run(&words, &folder);
    assert_eq!(code, 0, "{output}{problems}");
    let words = ["verify", "m.sv", "--reset", "rst"];
    assert_eq!(run(&words, &folder).0, 0, "{}", read(&folder, "m.sv"));
}

#[test]
fn a_project_file_starts_no_program() {
    let folder = folder("names-program");
    write(&folder, "m.v", FAULTY);
    write(
        &folder,
        "respin.toml",
        "files = [\"m.v\"]\nfrontend = \"yosys\"\n",
    );
    let (code, _, problems) = run(&["verify"], &folder);
    assert_eq!(code, 2);
    assert!(problems.contains("--frontend yosys"), "{problems}");
    let (code, _, _) = run(&["verify", "--frontend", "own"], &folder);
    assert_eq!(code, 1);
}

#[test]
fn a_project_file_above_a_repository_does_not_count() {
    let folder = folder("names-repository");
    write(&folder, "m.v", FAULTY);
    write(&folder, "respin.toml", "files = [\"m.v\"]\n");
    write(&folder, "inside/deep/note", "");
    let inside = folder.join("inside/deep");
    assert_eq!(run(&["verify"], &inside).0, 1, "a file above counts");
    write(&folder, "inside/.git/HEAD", "");
    let (code, _, problems) = run(&["verify"], &inside);
    assert_eq!(code, 2, "{problems}");
    write(&folder, "inside/respin.toml", "files = [\"../m.v\"]\n");
    assert_eq!(run(&["verify"], &inside).0, 1, "in the root it counts");
}

/// Only root can make files of others.
#[test]
fn a_project_file_of_somebody_else_does_not_count_from_above() {
    let folder = folder("names-owner");
    write(&folder, "m.v", FAULTY);
    write(&folder, "respin.toml", "files = [\"m.v\"]\n");
    write(&folder, "inside/note", "");
    let somebody = Some(12_345);
    if std::os::unix::fs::chown(folder.join("respin.toml"), somebody, None).is_err() {
        println!("not root: the owner of a file cannot be changed, and nothing is tested");
        return;
    }
    let (code, _, problems) = run(&["verify"], &folder.join("inside"));
    assert_eq!(code, 2);
    assert!(problems.contains("belongs to somebody else"), "{problems}");
    assert_eq!(
        run(&["verify"], &folder).0,
        1,
        "where one stands, it counts"
    );
    // Who stands in a directory of somebody takes his file, too.
    std::os::unix::fs::chown(folder.join("inside"), somebody, None).expect("root");
    assert_eq!(run(&["verify"], &folder.join("inside")).0, 1);
}

#[test]
fn control_characters_are_not_printed() {
    let folder = folder("names-control");
    let name = "a\u{1b}[2Jb\u{202e}.v";
    write(
        &folder,
        name,
        &COUNTER.replace("3'd6", "/* \u{1b}[31m */ 3'd6"),
    );
    let (code, output, problems) = run(&["repair", name, "--write"], &folder);
    assert_eq!(code, 0, "{output}{problems}");
    let without_diff: String = output
        .lines()
        .filter(|line| !line.starts_with(['+', '-', ' ', '@']))
        .collect();
    assert!(
        without_diff.contains("a\\u{1b}[2Jb\\u{202e}.v"),
        "{without_diff:?}"
    );
    assert!(
        !without_diff.contains(['\u{1b}', '\u{202e}']),
        "{without_diff:?}"
    );
    let (_, _, problems) = run(&["verify", "missing\u{1b}[2J.v"], &folder);
    assert!(!problems.contains('\u{1b}'), "{problems:?}");
}

/// Runs `git apply` or `patch`, if they are there.
fn applies(tool: &[&str], diff: &Path, folder: &Path) {
    let output = std::process::Command::new(tool[0])
        .args(&tool[1..])
        .stdin(std::fs::File::open(diff).expect("a diff"))
        .current_dir(folder)
        .output()
        .expect("the tests need git and patch");
    assert!(output.status.success(), "{tool:?}: {output:?}");
}

#[test]
fn diffs_apply_where_they_say() {
    for (index, design) in ["../rtl/m.v", "rtl/../rtl/m.v", "link.v"]
        .iter()
        .enumerate()
    {
        for tool in [&["git", "apply"][..], &["patch", "-p1"]] {
            let folder = folder(&format!("names-diff-{index}-{}", tool[0]));
            let here = folder.join("here");
            write(&folder, "rtl/m.v", COUNTER);
            write(&here, "rtl/m.v", COUNTER);
            symlink("rtl/m.v", here.join("link.v")).expect("a link");
            let words = ["repair", design, "--workdir", "../work"];
            let (code, output, problems) = run(&words, &here);
            assert_eq!(code, 0, "{output}{problems}");
            let place = output.split("apply it in `").nth(1);
            let place = place.and_then(|rest| rest.split('`').next());
            let is_outside = design.starts_with("..");
            assert_eq!(place.is_some(), is_outside, "{output}");
            let place = place.map_or(here.clone(), |place| place.into());
            applies(tool, &folder.join("work/patch.diff"), &place);
            let (code, output, problems) = run(&["verify", design], &here);
            assert_eq!(code, 0, "{output}{problems}");
        }
    }
}

#[test]
fn diffs_of_files_with_spaces_in_their_names_apply() {
    for tool in [&["git", "apply"][..], &["patch", "-p1"]] {
        let folder = folder(&format!("names-spaces-{}", tool[0]));
        let design = "my dir/c n t.v";
        write(&folder, design, COUNTER);
        let words = ["repair", design, "--workdir", "work"];
        let (code, output, problems) = run(&words, &folder);
        assert_eq!(code, 0, "{output}{problems}");
        applies(tool, &folder.join("work/patch.diff"), &folder);
        let (code, output, problems) = run(&["verify", design], &folder);
        assert_eq!(code, 0, "{output}{problems}");
    }
}
