//! Plays against the winner of a specification, as transcripts.

use super::specifications::{check, spec};
use super::{json, run, scratch, stdout};
use serde_json::Value;
use std::path::{Path, PathBuf};

#[test]
fn moves_are_played_against_either_side() {
    let folder = scratch("play_ltl");
    let moves = folder.join("moves");
    std::fs::write(&moves, "# the system\ny=1\n").expect("a written file");
    let line = format!(
        "play {} --moves {}",
        spec("clairvoyant.tlsf"),
        moves.display()
    );
    let text = check(&line, 1, "UNREALIZABLE\n");
    assert!(text.contains("You are the system"), "{text}");
    // The environment contradicts what was announced.
    let lost = "You have lost: after x=false no answer keeps `guarantee_1/1`.";
    assert!(text.ends_with(&format!("{lost}\n")), "{text}");
    std::fs::write(&moves, "y=0 quiet=true\n").expect("a written file");
    let text = check(&line, 1, "UNREALIZABLE\n");
    let lost = "You have lost: after x=true no answer keeps `guarantee_1/2`.";
    assert!(text.ends_with(&format!("{lost}\n")), "{text}");

    std::fs::write(&moves, "request_0=1\n\n\n").expect("a written file");
    let line = format!(
        "play {} --moves {}",
        spec("round_robin.tlsf"),
        moves.display()
    );
    let text = check(&line, 0, "REALIZABLE\n");
    assert!(text.contains("You are the environment"), "{text}");
    assert!(text.contains("grant_0=true"), "{text}");

    std::fs::write(&moves, "request_7=1\n").expect("a written file");
    let output = run(&line);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
}

#[test]
fn the_environment_of_a_realizable_game_is_played_by_the_user() {
    let folder = scratch("play_gr1");
    let file = folder.join("follow.spectra");
    std::fs::write(
        &file,
        "module Follow\nenv Int(0..2) level;\nsys {LOW, HIGH} lamp;\n\
         asm trans next(level) <= level + 1;\ngar alw lamp = HIGH <-> level = 2;\n",
    )
    .expect("a written file");
    let moves = folder.join("moves");
    std::fs::write(&moves, "level=1\nlevel=2\nlevel=0\nlevel=2\nlevel=1\n")
        .expect("a written file");
    let line = format!("play {} --moves {}", file.display(), moves.display());
    let text = check(&line, 0, "REALIZABLE\n");
    assert!(
        text.contains("step 1: you: level=2\n  the system: lamp=HIGH"),
        "{text}"
    );
    assert!(
        text.contains("level=2: that breaks an assumption"),
        "{text}"
    );
    assert!(!text.contains("step 4"), "{text}");
    std::fs::write(
        &moves,
        "level = 1\nundo\nundo\nhelp\nlevel =0\nwhy\nlevel= 1\nquit\n",
    )
    .expect("a written file");
    let text = check(&line, 0, "REALIZABLE\n");
    let told = [
        "step 0: you: level=1",
        "The last move was taken back.",
        "There is no move to take back.",
        "undo            takes the last move back",
        "step 0: you: level=0",
        "`level` loses at once with 2",
        "step 1: you: level=1",
        "The play was left.",
    ];
    let mut rest = text.as_str();
    for sentence in told {
        let found = rest.find(sentence);
        let at = found.unwrap_or_else(|| panic!("no `{sentence}` there: {text}"));
        rest = &rest[at + sentence.len()..];
    }
}

#[test]
fn the_implication_is_played_as_such() {
    let folder = scratch("play_implication");
    let file = folder.join("stuck.ltl");
    // Whoever breaks safety first is the system, but then the environment has no move.
    std::fs::write(
        &file,
        "assume stuck: G (Y y -> X false);\nassert low: G !x;\n",
    )
    .expect("a written file");
    let moves = folder.join("moves");
    std::fs::write(&moves, "# none\n").expect("a written file");
    let names = "--ins x --outs y";
    let file = file.display();
    for line in [
        format!("check {file} {names}"),
        format!("synth {file} {names}"),
        format!("play {file} {names} --moves {}", moves.display()),
    ] {
        check(&line, 0, "REALIZABLE\n");
        check(&format!("{line} --semantics strict"), 1, "UNREALIZABLE\n");
    }
}

#[test]
fn guarantees_that_inputs_alone_break_are_named() {
    let folder = scratch("play_named");
    let play = |name: &str, rest: &str| {
        let file = folder.join(format!("{name}.spectra"));
        let text = format!("spec M env boolean a; env Int(0..2) n; sys boolean x; {rest}");
        std::fs::write(&file, text).expect("a written file");
        file
    };
    let cases = [
        ("both", "gar g2: G (a & next(x));"),
        ("either", "gar g2: G (a & (x | next(x)));"),
        ("now", "gar g2: G (a & x);"),
    ];
    for (name, rest) in cases {
        let file = play(name, rest);
        let text = played(&file, "x=true\n", 1);
        let lost = "You have lost: that breaks `g2`.";
        says(&text, &["step 0: a=false", "no answer keeps `g2`", lost]);
        let text = check(
            &format!("explain --only countertrace {}", file.display()),
            1,
            "UNREALIZABLE\n",
        );
        says(&text, &["no answer keeps `g2`: the system has lost"]);
    }
    // The first input can be answered, and after the answer none can.
    let file = play(
        "later",
        "gar g1: G ((next(x) & x) & n = 0); gar g3: ini a -> x; gar g4: G (n = 0 & next(a));",
    );
    let text = check(
        &format!("explain --only countertrace {}", file.display()),
        1,
        "UNREALIZABLE\n",
    );
    assert!(!text.contains("what is given"), "{text}");
}

/// A file in TLSF, in a folder of its own.
fn tlsf(name: &str, main: &str) -> PathBuf {
    let file = scratch(name).join("m.tlsf");
    let text = format!(
        "INFO {{ TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Mealy TARGET: Mealy }} MAIN {{ {main} }}"
    );
    std::fs::write(&file, text).expect("a written file");
    file
}

/// What is said when some moves are made.
fn played(file: &Path, moves: &str, code: i32) -> String {
    let path = file.with_extension("moves");
    std::fs::write(&path, moves).expect("a written file");
    let line = format!("play {} --moves {}", file.display(), path.display());
    let verdict = ["REALIZABLE\n", "UNREALIZABLE\n"][code as usize];
    check(&line, code, verdict)
}

/// Whether sentences stand in a text in this order.
fn says(text: &str, sentences: &[&str]) {
    let mut rest = text;
    for sentence in sentences {
        let found = rest.find(sentence);
        let at = found.unwrap_or_else(|| panic!("no `{sentence}` there: {text}"));
        rest = &rest[at + sentence.len()..];
    }
}

#[test]
fn a_variable_is_set_once_in_a_move() {
    let folder = scratch("play_twice");
    let gr1 = folder.join("m.spectra");
    std::fs::write(&gr1, "spec M env boolean a; sys boolean x; gar G (a & x);").expect("written");
    let ltl = tlsf(
        "play_twice_ltl",
        "INPUTS { a; } OUTPUTS { x; } GUARANTEE { G (a && x); }",
    );
    for file in [gr1, ltl] {
        let moves = file.with_extension("moves");
        std::fs::write(&moves, "x=true x=false\n").expect("a written file");
        let output = run(&format!(
            "play {} --moves {}",
            file.display(),
            moves.display()
        ));
        let errors = String::from_utf8_lossy(&output.stderr).to_string();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        says(
            &errors,
            &["R0703", "`x` is set twice, to `true` and to `false`"],
        );
    }
}

#[test]
fn the_system_is_told_what_loses_and_that_it_has_lost() {
    let file = tlsf(
        "play_lost",
        "INPUTS { a; } OUTPUTS { y; z; } GUARANTEE { G (a -> X y); G (a -> X !y); G (a -> z); \
         G F z; }",
    );
    let text = played(&file, "why\nz=0\n", 1);
    says(
        &text,
        &[
            "You are the system, and have to keep `guarantee_1`, `guarantee_2`.",
            "step 0: a=true",
            "No value of a single variable loses at once.",
            "  you: y=false z=false",
            "You have lost: after a=",
            "no answer keeps `guarantee_1`, `guarantee_2`.",
        ],
    );
    let file = tlsf(
        "play_lost_at_once",
        "INPUTS { a; } OUTPUTS { y; } GUARANTEE { G (a -> y); G (a -> !y); }",
    );
    says(
        &played(&file, "why\ny=1\n", 1),
        &[
            "step 0: a=true\n  no answer keeps `guarantee_1`, `guarantee_2`\n",
            "`y` loses at once with false, true",
            "you: y=true\nYou have lost: that breaks `guarantee_2`.",
        ],
    );
    let file = tlsf(
        "play_broken",
        "INPUTS { a; } OUTPUTS { y; } GUARANTEE { G (a -> y) && G F !y; }",
    );
    says(
        &played(&file, "why\ny=0\ny=1", 1),
        &[
            "step 0: a=true\n  forced: y=true",
            "`y` has to be true: guarantee_1/1",
            "you: y=false\nYou have lost: that breaks `guarantee_1/1`.",
        ],
    );
    assert!(!played(&file, "y=0\ny=1", 1).contains("step 1"));
    // What is left out is filled in, and a play that goes on for ever is lost as well.
    says(
        &played(&file, "\n\n", 1),
        &[
            "step 0: a=true",
            "you: y=true",
            "This is what happened in step 0; going on like this, `guarantee_1/2` does not hold, \
             and you lose.",
        ],
    );
}

#[test]
fn the_environment_is_told_who_wins() {
    let file = tlsf(
        "play_won",
        "INPUTS { a; b; } OUTPUTS { y; } REQUIRE { !a; b -> X !b; } ASSUME { G F b; } \
         GUARANTEE { G (b -> F y); }",
    );
    let text = played(&file, "why\nb=1\nwhy\nb=0\nb=1\nb=0\nb=1\nb=1\n", 0);
    says(
        &text,
        &[
            "You are the environment, and have to keep `require_1`, `require_2`, `assume_1`.",
            "`a` has to be false: require_1",
            "step 0: you: a=false b=true",
            "`a` has to be false: require_1\n  `b` has to be false: require_2",
            "going on like this, all assumptions and all guarantees hold, and the system wins.",
            "that breaks `require_2`, and the play ends: you have lost.",
        ],
    );
    says(
        &played(&file, "\n\n\n\n", 0),
        &["going on like this, `assume_1` does not hold, and you lose."],
    );
    let text = played(&file, "a=1\n", 0);
    assert!(text.contains("that breaks `require_1`"), "{text}");
    let file = tlsf(
        "play_free",
        "INPUTS { a; } OUTPUTS { y; } GUARANTEE { G (a <-> y); }",
    );
    let text = played(&file, "why\n", 0);
    says(
        &text,
        &[
            "You are the environment. There are no assumptions to keep.",
            "No value of a single variable loses at once.",
        ],
    );
}

#[test]
fn a_controller_of_gr1_says_who_wins_a_play_that_repeats() {
    let file = scratch("play_repeats").join("m.spectra");
    let text = "module M env boolean a; sys boolean y; asm GF a; gar G (y = a); gar GF y;";
    std::fs::write(&file, text).expect("a written file");
    let text = played(&file, "a=0\na=0\na=0\n", 0);
    says(
        &text,
        &["going on like this, an assumption holds no more, and you lose."],
    );
    let text = played(&file, "a=1\na=1\na=1\n", 0);
    says(
        &text,
        &["all assumptions and all guarantees hold, and the system wins."],
    );
}

/// Who moves second is named, whoever it is.
#[test]
fn against_a_system_that_moves_first_the_environment_answers() {
    let file = scratch("play_moore").join("m.tlsf");
    let text = "INFO { TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: Moore TARGET: Moore } MAIN { \
                INPUTS { a; } OUTPUTS { y; } GUARANTEE { G (a <-> y); } }";
    std::fs::write(&file, text).expect("a written file");
    says(
        &played(&file, "y=1\n", 1),
        &[
            "step 0: you: y=true\n  the environment: a=false\n",
            "You have lost: that breaks `guarantee_1",
        ],
    );
}

/// The machine that `explain` lists does in each step what `play` does.
#[test]
fn the_strategy_that_is_played_is_the_one_that_is_explained() {
    let main = "INPUTS { a; b; } OUTPUTS { y; z; } GUARANTEE { G F (b <-> X z); \
                G F (y <-> X a); G (a -> F (z && !a)); G F (b && z); }";
    let file = tlsf("play_explained", main);
    let line = format!("explain {} --only core,counterstrategy", file.display());
    let report = json(&line);
    let explanation = &report["explanation"];
    let machine = &explanation["counterstrategy"]["machine"]["states"];
    let states = machine.as_array().expect("a machine");
    let settings = |list: &Value| -> Vec<String> {
        let list = list.as_array().expect("settings").iter();
        list.map(|one| {
            format!(
                "{}={}",
                one["name"].as_str().expect("a name"),
                one["value"].as_str().expect("a value")
            )
        })
        .collect()
    };
    let answers = [
        "y=false z=false",
        "y=true z=false",
        "y=true z=true",
        "y=false z=true",
    ];
    let moves: Vec<&str> = (0..40)
        .map(|step| answers[(step * step + step / 3) % 4])
        .collect();
    let text = played(&file, &moves.join("\n"), 1);
    for item in explanation["core"]["items"].as_array().expect("a core") {
        let name = format!("`{}`", item["name"].as_str().expect("a name"));
        assert!(
            text.contains(&format!("have to keep {name}")),
            "{name} {text}"
        );
    }
    let mut state = 0;
    let mut steps = 0;
    for (step, answer) in moves.iter().enumerate() {
        let inputs = settings(&states[state]["inputs"]).join(" ");
        let line = format!("step {step}: {inputs}\n");
        if !text.contains(&format!("step {step}: ")) {
            break;
        }
        assert!(text.contains(&line), "no `{line}` in {text}");
        let next = states[state]["next"].as_array().expect("successors").iter();
        let words: Vec<&str> = answer.split(' ').collect();
        let taken = next.clone().find(|one| {
            let wanted = settings(&one[0]);
            wanted.iter().all(|one| words.contains(&one.as_str()))
        });
        state = taken.expect("a successor")[1].as_u64().expect("a state") as usize;
        steps += 1;
    }
    assert!(steps > 10 && states.len() > 1, "{steps} {text}");
}
