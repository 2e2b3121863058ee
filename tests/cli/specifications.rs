//! The commands on specifications: TLSF, property files in any LTL, and GR(1).

use super::{json, run, scratch, stderr, stdout};
use std::path::Path;
use std::process::Command;

pub fn spec(name: &str) -> String {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    specs.join(name).display().to_string()
}

/// The exit code, and what standard output starts with.
pub fn check(line: &str, code: i32, start: &str) -> String {
    let output = run(line);
    let text = stdout(&output).to_string();
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{line}\n{text}{errors}");
    assert!(text.starts_with(start), "{line}\n{text}{errors}");
    text
}

#[test]
fn check_answers_for_tlsf_with_parameters() {
    let file = spec("round_robin.tlsf");
    let text = check(&format!("check {file} -p n=3"), 0, "REALIZABLE\n");
    assert!(text.contains("3 of the environment (3 bits)"), "{text}");
    assert!(text.contains("1 ASSERT, 1 GUARANTEE"), "{text}");
    check(
        &format!("check {}", spec("clairvoyant.tlsf")),
        1,
        "UNREALIZABLE\n",
    );
    let document = json(&format!("check {file}"));
    assert_eq!(document["verdict"], "REALIZABLE");
    assert_eq!(document["specification"]["sections"][0][0], "ASSERT");
}

#[test]
fn parameters_are_for_tlsf_and_have_to_exist() {
    let file = spec("round_robin.tlsf");
    let output = run(&format!("check {file} -p m=3"));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no parameter `m`"));
    let output = run(&format!("check {} -p n=3", spec("forklift.spectra")));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`-p` is for parameters of TLSF"));
}

#[test]
fn a_property_file_that_is_not_gr1_is_solved_as_ltl() {
    let folder = scratch("ltl_properties");
    let file = folder.join("until.ltl");
    std::fs::write(
        &file,
        "assert granted: G (r -> (r | !g) U g);\nassert quiet: G F !g;\nassume G F r;\n",
    )
    .expect("a written file");
    let line = format!("check {} --ins r --outs g", file.display());
    check(&line, 0, "REALIZABLE\n");
    // Who breaks safety first is a question about GR(1).
    let output = run(&format!("{line} --semantics strict"));
    assert_eq!(output.status.code(), Some(2));
    let line = format!("synth {} --ins r --outs g", file.display());
    check(&line, 0, "REALIZABLE\na controller with");
}

#[test]
fn synth_writes_all_forms() {
    let folder = scratch("synth_forms");
    for file in ["round_robin.tlsf", "dining_philosophers.spectra"] {
        let file = spec(file);
        for (form, extension) in [
            ("verilog", "v"),
            ("aiger", "aag"),
            ("dot", "dot"),
            ("hoa", "hoa"),
            ("json", "json"),
        ] {
            let path = folder.join(format!("controller.{extension}"));
            let line = format!("synth {file} --to {form} -o {} --force", path.display());
            let output = run(&line);
            let text = stdout(&output);
            if text.starts_with("UNREALIZABLE") {
                assert_eq!(output.status.code(), Some(1), "{line}");
                continue;
            }
            assert!(text.starts_with("REALIZABLE\n"), "{line}\n{text}");
            let written = std::fs::read_to_string(&path).expect("a written file");
            let start = match form {
                "verilog" => "module ",
                "aiger" => "aag ",
                "dot" => "digraph ",
                "hoa" => "HOA: v1",
                _ => "{",
            };
            assert!(written.starts_with(start), "{line}\n{written}");
            if form == "json" {
                let machine: serde_json::Value =
                    serde_json::from_str(&written).expect("one JSON document");
                assert!(!machine["states"].as_array().expect("states").is_empty());
                assert!(
                    !machine["transitions"]
                        .as_array()
                        .expect("transitions")
                        .is_empty()
                );
            }
        }
    }
}

/// What other programs read stands alone on standard output, and what it says is the
/// controller: one that is made of the automaton again keeps the formulas.
#[test]
fn automata_and_graphs_stand_alone_on_standard_output() {
    let folder = scratch("synth_alone");
    let file = spec("round_robin.tlsf");
    for (form, start) in [("dot", "digraph "), ("hoa", "HOA: v1\n")] {
        let output = run(&format!("synth {file} --to {form}"));
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).starts_with(start), "{}", stdout(&output));
        let beside = String::from_utf8_lossy(&output.stderr);
        assert!(
            beside.starts_with("REALIZABLE\na controller with"),
            "{beside}"
        );
    }
    let (automaton, again) = (folder.join("c.hoa"), folder.join("again.v"));
    let properties = folder.join("spec.ltl");
    let output = run(&format!("synth {file} --to hoa"));
    std::fs::write(&automaton, stdout(&output)).expect("a written file");
    let line = format!(
        "synth {} --force -o {}",
        automaton.display(),
        again.display()
    );
    check(&line, 0, "REALIZABLE\n");
    run(&format!(
        "convert {file} --to properties -o {} --force",
        properties.display()
    ));
    let line = format!("verify {} --spec {}", again.display(), properties.display());
    check(&line, 0, "PASS\n");
}

#[test]
fn a_reset_port_is_a_name_of_its_own_in_verilog() {
    let file = spec("round_robin.tlsf");
    let text = run(&format!("synth {file} --reset-port rst"));
    assert!(stdout(&text).contains("if (rst) begin"));
    for wrong in [
        "--reset-port wire",
        "--reset-port a-b",
        "--reset-port grant_0",
        "--reset-port rst --to aiger",
        "--reset-port clk",
    ] {
        let output = run(&format!("synth {file} {wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn a_signal_inside_gives_way_to_the_reset_port() {
    let file = scratch("synth_goal").join("m.spectra");
    let text = "spec G env boolean p; sys boolean x; gar GF x; gar GF (!x); gar G (p -> x); \
                asm GF !p;";
    std::fs::write(&file, text).expect("a written file");
    let line = format!("synth {} --reset-port goal", file.display());
    let text = check(&line, 0, "REALIZABLE\n");
    assert!(text.contains("if (goal) begin"), "{text}");
    assert!(text.contains("// goal_: 0 guarantee_1"), "{text}");
}

/// Standard output is for what other programs read, whether there is anything or not.
#[test]
fn a_verdict_without_a_controller_is_beside_the_list_of_states() {
    let file = scratch("synth_no_list").join("m.spectra");
    let text = "spec No env boolean a; sys boolean x; gar G (x = next(a));";
    std::fs::write(&file, text).expect("a written file");
    for format in ["dot", "hoa"] {
        let output = run(&format!("synth {} --to {format}", file.display()));
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(stdout(&output), "");
        let beside = String::from_utf8_lossy(&output.stderr);
        assert!(beside.starts_with("UNREALIZABLE\n"), "{beside}");
    }
    let text = check(&format!("synth {}", file.display()), 1, "UNREALIZABLE\n");
    assert!(text.contains("`respin explain`"), "{text}");
}

#[test]
fn a_simulation_is_written_for_waveform_viewers() {
    let path = scratch("simulate_vcd").join("run.vcd");
    let _ = std::fs::remove_file(&path);
    let file = spec("round_robin.tlsf");
    let line = format!("simulate {file} --steps 7 --vcd {}", path.display());
    check(&line, 0, "REALIZABLE\n");
    let text = std::fs::read_to_string(&path).expect("a written file");
    assert!(
        text.contains("$var wire 1") && text.contains("grant_0"),
        "{text}"
    );
    // It is there now, and stays as it is.
    assert_eq!(run(&line).status.code(), Some(2));
    assert_eq!(run(&format!("{line} --force")).status.code(), Some(0));
}

#[test]
fn a_written_controller_verifies_against_the_formulas() {
    let folder = scratch("synth_verify");
    let controller = folder.join("controller.v");
    let properties = folder.join("spec.ltl");
    let file = spec("round_robin.tlsf");
    run(&format!("synth {file} -o {} --force", controller.display()));
    run(&format!(
        "convert {file} --to properties -o {} --force",
        properties.display()
    ));
    let line = format!(
        "verify {} --spec {}",
        controller.display(),
        properties.display()
    );
    check(&line, 0, "PASS\n");
}

#[test]
fn unrealizable_specifications_have_no_controller_and_a_pointer() {
    let text = check(
        &format!("synth {}", spec("clairvoyant.tlsf")),
        1,
        "UNREALIZABLE\n",
    );
    assert!(text.contains("`respin explain` says why"), "{text}");
    check(
        &format!("synth {}", spec("delayed_copy.spectra")),
        1,
        "UNREALIZABLE\n",
    );
}

#[test]
fn explain_tells_a_counterstrategy_from_a_countertrace() {
    let text = check(
        &format!("explain {}", spec("clairvoyant.tlsf")),
        1,
        "UNREALIZABLE\n",
    );
    assert!(
        text.contains("Core: 2 of 3 guarantees cannot be kept\n"),
        "{text}"
    );
    assert!(text.contains("Counterstrategy: "), "{text}");
    assert!(text.contains("There is no countertrace: "), "{text}");
    assert!(!text.contains("Countertrace: "), "{text}");
    let folder = scratch("explain_ltl");
    let file = folder.join("blind.tlsf");
    std::fs::write(
        &file,
        "INFO { TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy TARGET: Mealy }
         MAIN { INPUTS { x; } OUTPUTS { y; } GUARANTEE { G (x -> y); G (y -> !X x); F y; } }",
    )
    .expect("a written file");
    let dot = folder.join("graph.dot");
    let vcd = folder.join("trace.vcd");
    let line = format!(
        "explain {} --dot {} --vcd {}",
        file.display(),
        dot.display(),
        vcd.display()
    );
    let text = check(&line, 1, "UNREALIZABLE\n");
    assert!(text.contains("Countertrace: "), "{text}");
    assert!(
        text.contains("Certified: no outputs keep the guarantees with it."),
        "{text}"
    );
    assert!(
        std::fs::read_to_string(dot)
            .expect("a graph")
            .starts_with("digraph")
    );
    assert!(
        std::fs::read_to_string(vcd)
            .expect("a trace")
            .contains("$enddefinitions")
    );
    let document = json(&format!("explain {}", file.display()));
    assert!(document["explanation"]["countertrace"]["steps"].is_array());
    assert_eq!(
        document["explanation"]["counterstrategy"]["certified"],
        true
    );
}

/// Files that are asked for and cannot be there are named, with the reason.
#[test]
fn files_that_are_not_written_are_named() {
    let folder = scratch("explain_unwritten");
    let file = folder.join("copy.spectra");
    let text = "module Copy env boolean a; sys boolean b; gar same: G (b = a);";
    std::fs::write(&file, text).expect("a written file");
    let names = ["play.vcd", "graph.dot", "graph.svg"].map(|name| folder.join(name));
    let [vcd, dot, svg] = names.each_ref().map(|path| path.display());
    let line = format!(
        "explain {} --vcd {vcd} --dot {dot} --svg {svg}",
        file.display()
    );
    let said = check(&line, 0, "REALIZABLE\n");
    for path in &names {
        assert!(!path.exists());
        let note = format!("so {} was not written", path.display());
        assert!(said.contains(&note), "{said}");
    }
    assert!(said.contains("a system can satisfy the specification and there is no"));
    // The other way round for runs of a controller.
    let text = "module Copy env boolean a; sys boolean b; gar same: G (b = next(a));";
    std::fs::write(&file, text).expect("a written file");
    let said = check(
        &format!("simulate {} --vcd {vcd}", file.display()),
        1,
        "UNREALIZABLE\n",
    );
    let note = format!("there is no run, so {vcd} was not written");
    assert!(said.contains(&note) && !names[0].exists(), "{said}");
}

#[test]
fn explain_names_the_assumptions_that_matter() {
    let folder = scratch("explain_assumptions");
    let file = folder.join("assumed.tlsf");
    std::fs::write(
        &file,
        "INFO { TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy TARGET: Mealy }
         MAIN { INPUTS { x; z; } OUTPUTS { y; } ASSUME { G F x; G F z; }
         GUARANTEE { G F (x && y); } }",
    )
    .expect("a written file");
    let text = check(&format!("explain {}", file.display()), 0, "REALIZABLE\n");
    assert!(text.contains("Assumptions: 1 of 2 suffice"), "{text}");
    assert!(text.contains("assume_1"), "{text}");
    assert!(text.contains("could be left out: assume_2."), "{text}");
    let text = check(&format!("check {}", file.display()), 0, "REALIZABLE\n");
    assert!(text.contains("unhelpful      assume_2: "), "{text}");
}

/// A list of conflicts that is not complete says so itself.
#[test]
fn more_conflicts_are_announced_below_their_list() {
    let folder = scratch("more_conflicts");
    let names = ["a", "b", "c"];
    let pairs = names.map(|name| format!("gar G {name}; gar G !{name};"));
    let file = folder.join("m.spectra");
    let text = format!(
        "module M sys boolean a; sys boolean b; sys boolean c; {}",
        pairs.concat()
    );
    std::fs::write(&file, text).expect("a written file");
    let outputs = folder.join("m.tlsf");
    let pairs = names.map(|name| format!("G {name}; G !{name};"));
    let text = format!(
        "INFO {{ TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy TARGET: Mealy }} MAIN {{ \
         OUTPUTS {{ a; b; c; }} GUARANTEE {{ {} }} }}",
        pairs.concat()
    );
    std::fs::write(&outputs, text).expect("a written file");
    for file in [file, outputs] {
        let line = format!("explain {} --only diagnoses", file.display());
        let text = check(&line, 1, "UNREALIZABLE\n");
        let more = "  There may be more: `--all` looks for them.\nDiagnoses (";
        assert!(text.contains(more), "{text}");
        let more = "  There may be more with more than 2 members: `--all` looks for them.\n";
        assert!(text.contains(more), "{text}");
        let text = check(&format!("{line} --all"), 1, "UNREALIZABLE\n");
        assert!(!text.contains("may be more"), "{text}");
        let conflicts = text.split("Diagnoses (").next().expect("a list");
        assert_eq!(conflicts.matches("  {").count(), 3, "{text}");
    }
}

/// What the system's own guarantees exclude is said in the same words by both commands.
#[test]
fn failures_that_guarantees_prevent_are_told_plainly() {
    let file = scratch("prevented").join("m.spectra");
    let text = "module M env boolean e; sys boolean s; asm trans s -> next(e) & !next(e); \
                gar alw !s;";
    std::fs::write(&file, text).expect("a written file");
    let said = "; a system that keeps its own safety guarantees cannot do it\n";
    let text = check(&format!("check {}", file.display()), 0, "REALIZABLE\n");
    assert!(text.contains("not well-separated: (P-"), "{text}");
    assert!(text.contains(said), "{text}");
    let line = format!("explain {} --only separation", file.display());
    let text = check(&line, 0, "REALIZABLE\n");
    assert!(
        text.contains("Assumptions are not well-separated, (P-"),
        "{text}"
    );
    assert!(text.contains(said), "{text}");
}

#[test]
fn runs_are_scripted_random_or_guided() {
    let folder = scratch("simulate_ltl");
    let script = folder.join("script");
    std::fs::write(&script, "request_0=1\n\n").expect("a written file");
    let file = spec("round_robin.tlsf");
    let text = check(
        &format!("simulate {file} --inputs {}", script.display()),
        0,
        "REALIZABLE\n",
    );
    assert!(
        text.contains("request_0=true request_1=false grant_0="),
        "{text}"
    );
    let line = format!("simulate {file} --steps 7 --seed 5");
    let first = check(&line, 0, "REALIZABLE\n");
    assert_eq!(first, check(&line, 0, "REALIZABLE\n"));
    assert!(first.contains("in 7 steps"), "{first}");
    let guided = format!(
        "simulate {} --guided --steps 6",
        spec("forklift_fixed.spectra")
    );
    let text = check(&guided, 0, "REALIZABLE\n");
    assert!(text.contains("in 6 steps"), "{text}");
}

#[test]
fn runs_of_ltl_keep_the_assumptions_or_say_which_they_break() {
    let folder = scratch("simulate_assumptions");
    let write = |name: &str, main: &str| {
        let file = folder.join(name);
        let text = format!(
            "INFO {{ TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy TARGET: Mealy }} \
             MAIN {{ {main} }}"
        );
        std::fs::write(&file, text).expect("a written file");
        file.display().to_string()
    };
    let file = write(
        "alternate.tlsf",
        "INPUTS { r; } OUTPUTS { g; } REQUIRE { r -> X !r; } ASSERT { r -> X g; !r -> X !g; }",
    );
    let text = check(
        &format!("simulate {file} --guided --steps 40"),
        0,
        "REALIZABLE\n",
    );
    let steps: Vec<bool> = (text.lines().filter(|line| line.contains("r=")))
        .map(|line| line.contains("r=true"))
        .collect();
    assert_eq!(steps.len(), 40, "{text}");
    assert!(steps.contains(&true), "{text}");
    assert!(!steps.windows(2).any(|pair| pair == [true, true]), "{text}");

    // Few of all inputs keep this.
    let inputs: String = (0..10).map(|bit| format!("r{bit}; ")).collect();
    let none: Vec<String> = (1..10).map(|bit| format!("!r{bit}")).collect();
    let file = write(
        "rare.tlsf",
        &format!(
            "INPUTS {{ {inputs} }} OUTPUTS {{ g; }} REQUIRE {{ r0 && {}; }} ASSERT {{ g; }}",
            none.join(" && ")
        ),
    );
    let text = check(&format!("simulate {file} --steps 3"), 0, "REALIZABLE\n");
    assert_eq!(text.matches("r0=true r1=false").count(), 3, "{text}");

    let script = folder.join("script");
    std::fs::write(&script, "r=1\nr=0\nr=1\nr=1\nr=1\n").expect("a written file");
    let file = folder.join("alternate.tlsf");
    let line = format!("simulate {} --inputs {}", file.display(), script.display());
    let text = check(&line, 0, "REALIZABLE\n");
    assert!(
        text.contains("in step 3 the given inputs break `require_1`"),
        "{text}"
    );
    assert_eq!(text.matches("the given inputs break").count(), 1, "{text}");
    assert_eq!(text.matches("r=true").count(), 4, "{text}");
}

#[test]
fn edited_traces_that_break_an_assumption_say_where() {
    let folder = scratch("simulate_edited");
    let file = folder.join("m.spectra");
    let text = "spec M env Int(0..3) level; env boolean a; sys {STOP, GO} motor; \
                asm start: ini level = 0; \
                asm still: G (motor = STOP -> next(level) = level); \
                asm past: G (PREV(a) -> !a); \
                gar free: GF (motor = STOP);";
    std::fs::write(&file, text).expect("a written file");
    let edited = |trace: &str| {
        let path = folder.join("trace");
        std::fs::write(&path, trace).expect("a written file");
        let line = format!("simulate {} --edited {}", file.display(), path.display());
        check(&line, 0, "REALIZABLE\n")
    };
    let kept = edited("level=0 motor=GO\nlevel=3 motor=STOP\nlevel=3 motor=GO\n");
    assert!(kept.contains("it is incomplete"), "{kept}");
    let cases = [
        ("level=1 motor=GO\n", "`start` in step 0"),
        ("level=0 motor=STOP\nlevel=2\n", "`still` in step 1"),
        (
            "level=0 motor=GO\nmotor=STOP\nlevel=1 motor=STOP\nlevel=2\n",
            "`still` in step 3",
        ),
        ("a=false\na=true\na=true\n", "`past` in step 2"),
        (
            "a=false\nloop:\nlevel=1 motor=STOP a=true\n",
            "`past` in step 2",
        ),
    ];
    for (trace, expected) in cases {
        let text = edited(trace);
        assert!(
            text.contains(&format!("breaks {expected}, so")),
            "{trace}: {text}"
        );
        assert!(!text.contains("incomplete"), "{text}");
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_specification() {
    let folder = scratch("byte_order_mark");
    let hoa = std::fs::read_to_string(spec("handshake.hoa")).expect("an example");
    let tlsf = std::fs::read_to_string(spec("round_robin.tlsf")).expect("an example");
    let slugs = "[INPUT]\na\n\n[OUTPUT]\nx\n\n[SYS_TRANS]\n! ^ x a\n";
    let cases = [
        (
            "m.spectra",
            "spec M env boolean a; sys boolean x; gar G (x <-> a);",
        ),
        ("m.slugsin", slugs),
        ("m.tlsf", tlsf.as_str()),
        ("m.hoa", hoa.as_str()),
    ];
    for (name, text) in cases {
        let file = folder.join(name);
        let line = format!("check {} --only verdict", file.display());
        for mark in ["", "\u{feff}"] {
            std::fs::write(&file, format!("{mark}{text}")).expect("a written file");
            check(&line, 0, "REALIZABLE\n");
        }
    }
}

#[test]
fn tlsf_becomes_every_format_that_can_say_it() {
    let folder = scratch("convert_tlsf");
    let file = spec("round_robin.tlsf");
    for (form, extension) in [
        ("spectra", "spectra"),
        ("slugs", "slugsin"),
        ("structured-slugs", "structuredslugs"),
        ("tlsf", "tlsf"),
        ("hoa", "hoa"),
    ] {
        let path = folder.join(format!("written.{extension}"));
        let line = format!("convert {file} -p n=3 --to {form} -o {}", path.display());
        check(&line, 0, "");
        check(&format!("check {}", path.display()), 0, "REALIZABLE\n");
    }
    let text = check(
        &format!("convert {} --to tlsf", spec("delayed_copy.spectra")),
        0,
        "INFO {\n",
    );
    assert!(text.contains("SEMANTICS:   Mealy,Strict"), "{text}");
    let path = folder.join("delayed_copy.tlsf");
    std::fs::write(&path, text).expect("a written file");
    check(&format!("check {}", path.display()), 1, "UNREALIZABLE\n");
    // What is not GR(1) has no place in formats that are.
    let until = folder.join("until.tlsf");
    std::fs::write(
        &until,
        "INFO { TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy TARGET: Mealy }
         MAIN { INPUTS { x; } OUTPUTS { y; } GUARANTEE { G (x -> y U x); } }",
    )
    .expect("a written file");
    let output = run(&format!("convert {} --to spectra", until.display()));
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("R0412"), "{}", stderr(&output));
}

/// All commands that take any LTL take an automaton.
#[test]
fn automata_are_specifications() {
    let folder = scratch("automata");
    let file = spec("handshake.hoa");
    check(&format!("check {file}"), 0, "REALIZABLE\n");
    let text = check(&format!("synth {file}"), 0, "REALIZABLE\n");
    assert!(text.contains("module handshake"), "{text}");
    // Nobody answers.
    let lost = format!("{file} --ins request,grant --outs other");
    check(&format!("check {lost}"), 1, "UNREALIZABLE\n");
    let text = check(&format!("explain {lost}"), 1, "UNREALIZABLE\n");
    assert!(text.contains("acceptance"), "{text}");
    check(&format!("simulate {file} --steps 3"), 0, "REALIZABLE\n");
    for kind in ["deterministic", "nondeterministic"] {
        let path = folder.join(format!("{kind}.hoa"));
        let line = format!(
            "convert {} --to hoa --automaton {kind} -o {}",
            spec("clairvoyant.tlsf"),
            path.display()
        );
        check(&line, 0, "");
        check(&format!("check {}", path.display()), 1, "UNREALIZABLE\n");
    }
    for (line, code) in [
        (format!("convert {file} --to tlsf"), "R0407"),
        (format!("convert {file} --to spectra"), "R0407"),
        (format!("convert {file} --to properties"), "R0407"),
        (format!("check {file} --semantics strict"), "R0009"),
        (format!("check {file} --ins request"), "R0401"),
        (
            format!("convert {file} --to tlsf --automaton deterministic"),
            "R0009",
        ),
    ] {
        let output = run(&line);
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(
            stderr(&output).contains(code),
            "{line}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn without_moves_a_play_is_left_at_once() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_respin"));
    command.args(["play", &spec("clairvoyant.tlsf")]);
    let output = command
        .stdin(std::process::Stdio::null())
        .output()
        .expect("respin starts");
    assert_eq!(stderr(&output), "");
    assert!(stdout(&output).ends_with("The play was left.\n"));
    assert_eq!(output.status.code(), Some(1));
}
