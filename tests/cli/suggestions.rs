//! What `explain` suggests for TLSF is text that can be pasted into the file.

use super::specifications::check;
use super::{json, scratch};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Files with buses, parameters, both semantics and each section, that nobody can satisfy.
const FILES: [(&str, &str, &str); 7] = [
    (
        "buses",
        "Mealy",
        "INPUTS { r[2]; } OUTPUTS { g[2]; } ASSERT { r[0] -> g[0]; r[1] -> g[1]; !(g[0] && g[1]); }",
    ),
    (
        "ahead",
        "Mealy",
        "INPUTS { r[2]; stop; } OUTPUTS { g[2]; } GUARANTEE { G (g[1] <-> X r[1]); G F g[0]; }",
    ),
    (
        "answers",
        "Mealy,Strict",
        "INPUTS { a; b[1]; } OUTPUTS { y; } REQUIRE { a -> X !a; } ASSUME { G F !b[0]; } \
         ASSERT { b[0] -> !y; } GUARANTEE { G (a -> X y); }",
    ),
    (
        "start",
        "Mealy",
        "INPUTS { r[1]; } OUTPUTS { g[1]; } INITIALLY { true; } PRESET { !g[0]; } \
         GUARANTEE { G (r[0] -> g[0]); }",
    ),
    (
        "recurring",
        "Moore",
        "INPUTS { r[2]; } OUTPUTS { g; } GUARANTEE { G F (r[1] && g); G (r[0] -> F g); }",
    ),
    (
        "typed",
        "Mealy",
        "INPUTS { Kind k; } OUTPUTS { y; } ASSERT { k == A -> y; k == C -> !y; } \
         GUARANTEE { G (y <-> X y); }",
    ),
    // Where the type of an output is in the conflict, it is not what can be changed.
    (
        "codes",
        "Mealy",
        "INPUTS { a; } OUTPUTS { Three k; } ASSERT { a -> k[0]; a -> k[1]; }",
    ),
];

fn file(name: &str, semantics: &str, main: &str) -> (PathBuf, String) {
    let path = scratch(&format!("suggestions_{name}")).join("m.tlsf");
    let target = semantics.split(',').next().unwrap_or(semantics);
    let global = "GLOBAL { DEFINITIONS { enum Kind = A: 00 B: 01 C: 10 D: 11; \
                  enum Three = P: 00 Q: 01 V: 10; } }";
    let text = format!(
        "INFO {{ TITLE: \"\" DESCRIPTION: \"\" SEMANTICS: {semantics} TARGET: {target} }} \
         {global} MAIN {{ {main} }}"
    );
    std::fs::write(&path, &text).expect("a written file");
    (path, text)
}

/// The lines of a part of the report, without its heading.
fn part<'t>(report: &'t str, heading: &str) -> Vec<&'t str> {
    let lines = report.lines().skip_while(|line| !line.starts_with(heading));
    lines
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        .collect()
}

/// A file with sections behind those that it has, is realizable.
fn becomes_realizable(path: &Path, text: &str, sections: &[&str]) {
    let end = text.rfind('}').expect("an end");
    let changed = format!("{} {} }}", &text[..end], sections.join(" "));
    let pasted = path.with_file_name("pasted.tlsf");
    std::fs::write(&pasted, &changed).expect("a written file");
    check(
        &format!("check {} --only verdict", pasted.display()),
        0,
        "REALIZABLE\n",
    );
}

/// What a report has as text for the file.
fn section(suggested: &Value) -> String {
    let part = |name: &str| suggested["written"][name].as_str().expect("a text");
    format!("{} {{ {}; }}", part("section"), part("text"))
}

/// Pastes each set of assumptions and each weaker guarantee; how many there are of each.
fn pasted(name: &str, semantics: &str, main: &str) -> (usize, usize) {
    let (path, text) = file(name, semantics, main);
    let line = format!("explain {} --only additions,weakenings", path.display());
    let report = check(&line, 1, "UNREALIZABLE\n");
    let mut sets: Vec<Vec<&str>> = Vec::new();
    let added = part(&report, "Assumptions to add").into_iter();
    for line in added.filter(|line| line.ends_with('}')) {
        let (label, section) = (line[..6].trim(), line[6..].trim());
        assert!(
            !section.contains(" & ") && !section.contains("r_0"),
            "{report}"
        );
        match label {
            "" => sets.last_mut().expect("a number before it").push(section),
            _ => sets.push(vec![section]),
        }
    }
    for set in &sets {
        becomes_realizable(&path, &text, set);
    }
    let report = json(&line);
    let recorded = report["explanation"]["additions"]["sets"].as_array();
    let recorded: Vec<Vec<String>> = (recorded.into_iter().flatten())
        .map(|set| set.as_array().expect("a set").iter().map(section).collect())
        .collect();
    assert_eq!(recorded, sets);
    let weaker = report["explanation"]["weakenings"].as_array().cloned();
    let weaker: Vec<Value> = weaker.unwrap_or_default();
    let printed = check(&line, 1, "UNREALIZABLE\n");
    let lines = part(&printed, "Guarantees to weaken");
    let instead: Vec<&str> = (lines.iter())
        .filter_map(|line| line.strip_prefix("    instead  "))
        .collect();
    assert_eq!(instead.len(), weaker.len(), "{printed}");
    for (printed_section, weakening) in instead.iter().zip(&weaker) {
        assert_eq!(section(weakening), **printed_section);
        let place = &weakening["guarantee"]["place"];
        let byte = |name: &str| place[name].as_u64().expect("a place") as usize;
        let (start, end) = (byte("start_byte"), byte("end_byte"));
        let now = lines
            .iter()
            .find_map(|line| line.strip_prefix("    now      "));
        assert!(now.is_some_and(|now| now.ends_with("; }")), "{printed}");
        assert_ne!(weakening["guarantee"]["name"], "values_of_k", "{printed}");
        let without = format!("{}{}", &text[..start], &text[end..]);
        becomes_realizable(&path, &without, &[printed_section]);
    }
    (sets.len(), weaker.len())
}

#[test]
fn suggestions_can_be_pasted_into_the_file() {
    let (mut added, mut weakened) = (0, 0);
    for (name, semantics, main) in FILES {
        let (sets, weaker) = pasted(name, semantics, main);
        println!("{name}: {sets} sets of assumptions, {weaker} weaker guarantees");
        assert!(sets + weaker > 0, "nothing is suggested for {name}");
        added += sets;
        weakened += weaker;
    }
    assert!(added >= 5 && weakened >= 3, "{added}, {weakened}");
}
