//! HOA files as people and other programs write them, with known answers; and files with
//! mistakes.

use crate::hoa::{read, verdict};
use crate::support::seed;
use respin::random::Random;
use respin::source::{Code, Diagnostic, Sources};
use respin::spec::automaton::hoa;
use respin::spec::ltl::LtlSpec;

fn file(header: &str, body: &str) -> String {
    format!("HOA: v1\n{header}\n--BODY--\n{body}\n--END--\n")
}

/// `i` is the environment's, `o` the system's.
fn signals(header: &str) -> String {
    format!("Start: 0\nAP: 2 \"i\" \"o\"\ncontrollable-AP: 1\n{header}")
}

#[track_caller]
fn check(header: &str, body: &str, wanted: bool) {
    let text = file(&signals(header), body);
    let spec = LtlSpec::from_automaton(&read(&text), &[], &[]).expect("a specification");
    assert_eq!(verdict(&spec), Some(wanted), "{text}");
}

/// States that say whether `i`, and whether `o`, was just true: 0 neither, 1 `i`, 2 `o`, 3 both.
const LAST: [&str; 4] = [
    "[!0 & !1] 0 [0 & !1] 1 [!0 & 1] 2 [0 & 1] 3",
    "[!0 & !1] 0 [0 & !1] 1 [!0 & 1] 2 [0 & 1] 3",
    "[!0 & !1] 0 [0 & !1] 1 [!0 & 1] 2 [0 & 1] 3",
    "[!0 & !1] 0 [0 & !1] 1 [!0 & 1] 2 [0 & 1] 3",
];

/// The same with sets of states.
fn last(sets: [&str; 4]) -> String {
    let states = (0..4).map(|state| format!("State: {state} {}\n{}\n", sets[state], LAST[state]));
    states.collect()
}

#[test]
fn buchi() {
    let header = "States: 4 acc-name: Buchi Acceptance: 1 Inf(0)";
    check(header, &last(["", "", "{0}", "{0}"]), true);
    check(header, &last(["", "{0}", "", "{0}"]), false);
    check(header, &last(["{0}", "", "", "{0}"]), true);
}

#[test]
fn co_buchi() {
    let header = "States: 4 acc-name: co-Buchi Acceptance: 1 Fin(0)";
    check(header, &last(["", "", "{0}", "{0}"]), true);
    check(header, &last(["", "{0}", "", "{0}"]), false);
    check(header, &last(["", "{0}", "{0}", ""]), true);
}

#[test]
fn generalized_buchi_and_complements() {
    let header = "States: 4 acc-name: generalized-Buchi 2 Acceptance: 2 Inf(0) & Inf(1)";
    check(header, &last(["{0}", "{0}", "{1}", "{1}"]), true);
    check(header, &last(["{0}", "{1}", "{0}", "{1}"]), false);
    let header = "States: 4 Acceptance: 1 Inf(0) & Inf(!0)";
    check(header, &last(["", "", "{0}", "{0}"]), true);
    check(header, &last(["", "{0}", "", "{0}"]), false);
    check(
        "States: 4 Acceptance: 1 Fin(!0)",
        &last(["", "", "{0}", "{0}"]),
        true,
    );
    check(
        "States: 4 Acceptance: 1 Fin(!0)",
        &last(["", "{0}", "", "{0}"]),
        false,
    );
}

/// Smallest priority even, and largest odd: `i` makes priority 1, `o` 0 or 2.
#[test]
fn parity() {
    let header = "States: 4 acc-name: parity min even 3 Acceptance: 3 Inf(0) | (Fin(1) & Inf(2))";
    check(header, &last(["{2}", "{1}", "{0}", "{0}"]), true);
    check(header, &last(["{2}", "{1}", "{2}", "{1}"]), false);
    let header = "States: 4 acc-name: parity max odd 3 Acceptance: 3 Fin(2) & Inf(1)";
    check(header, &last(["{0}", "{1}", "{2}", "{1}"]), false);
    check(header, &last(["{1}", "{1}", "{2}", "{1}"]), true);
}

#[test]
fn rabin_and_streett() {
    // Finitely often `i` and again and again `o`, or finitely often `o`.
    let header = "States: 4 acc-name: Rabin 2 \
                  Acceptance: 4 (Fin(0) & Inf(1)) | (Fin(2) & Inf(3))";
    check(header, &last(["{3}", "{0 3}", "{1 2}", "{0 1 2}"]), true);
    // The second way is gone, and the environment sets `i` again and again.
    check(header, &last(["", "{0}", "{1}", "{0 1}"]), false);
    // `o` again and again if `i` is, and the other way round.
    let header = "States: 4 acc-name: Streett 2 \
                  Acceptance: 4 (Fin(0) | Inf(1)) & (Fin(2) | Inf(3))";
    check(header, &last(["", "{0 3}", "{1 2}", "{0 1 2 3}"]), true);
    // Only finitely often `i` without `o`; and if both are true again and again, so is a step
    // without `o`: the environment always sets `i`.
    check(header, &last(["{1}", "{1 2}", "", "{0}"]), false);
    check(header, &last(["{1 3}", "{0 2}", "{1 3}", "{0 2}"]), false);
}

#[test]
fn any_condition() {
    let header = "States: 4 Acceptance: 2 (Fin(0) | Inf(1)) & (Inf(0) | Fin(1))";
    check(header, &last(["", "{0}", "{1}", "{0 1}"]), true);
    check("States: 4 Acceptance: 0 t", &last(["", "", "", ""]), true);
    check("States: 4 Acceptance: 0 f", &last(["", "", "", ""]), false);
}

/// What has no edge to go on is lost.
#[test]
fn incomplete_automata() {
    check(
        "States: 1 Acceptance: 0 t",
        "State: 0 [0 & 1 | !0 & !1] 0",
        true,
    );
    check("States: 1 Acceptance: 0 t", "State: 0 [0] 0", false);
    check("States: 1 Acceptance: 0 t", "", false);
    // The next input has to be what the output said.
    let body =
        "State: 0 [1] 1 [!1] 2 State: 1 [0 & 1] 1 [0 & !1] 2 State: 2 [!0 & 1] 1 [!0 & !1] 2";
    check("States: 3 Acceptance: 0 t", body, false);
}

#[test]
fn labels_of_states_aliases_and_letters() {
    let aliased = "Alias: @both 0 & 1 Alias: @same @both | !0 & !1 States: 1 Acceptance: 0 t";
    check(aliased, "State: 0 [@same] 0", true);
    check(aliased, "State: 0 [@both] 0", false);
    check(
        "States: 1 Acceptance: 1 Inf(0)",
        "State: [0 & 1 | !(0 | 1)] 0 {0} 0",
        true,
    );
    check(
        "States: 1 Acceptance: 1 Inf(0)",
        "State: [!!0] 0 \"name\" {0} 0",
        false,
    );
    // Letters in the order neither, `i`, `o`, both.
    check(
        "States: 2 Acceptance: 1 Fin(0)",
        "State: 0 0 1 1 0 State: 1 1{0} 1{0} 1{0} 1{0}",
        true,
    );
    check(
        "States: 2 Acceptance: 1 Fin(0)",
        "State: 0 0 1 0 1 State: 1 1{0} 1{0} 1{0} 1{0}",
        false,
    );
}

#[test]
fn nondeterministic_automata() {
    // Again and again `o` or finitely often `i`: which of the two is chosen at the start.
    let text = "HOA: v1 Start: 0 Start: 1 AP: 2 \"i\" \"o\" controllable-AP: 1 \
                Acceptance: 1 Inf(0) --BODY-- State: 0 [1] 0{0} [!1] 0 \
                State: 1 [t] 1 [t] 2 State: 2 [!0] 2{0} --END--";
    let spec = LtlSpec::from_automaton(&read(text), &[], &[]).expect("a specification");
    assert_eq!(verdict(&spec), Some(true));
    // With the owners exchanged, the environment does neither.
    let swap = |names: [&str; 1]| names.map(String::from);
    let spec = LtlSpec::from_automaton(&read(text), &swap(["o"]), &swap(["i"])).expect("two names");
    assert_eq!(verdict(&spec), Some(true));
    let third = |text: &str| text.replace("[!0] 2{0}", "[!0 & !1] 2{0}");
    let spec = LtlSpec::from_automaton(&read(&third(text)), &swap(["o"]), &swap(["i"]));
    assert_eq!(verdict(&spec.expect("two names")), Some(true));
    // Guessing whether `i` is true in the next step: the automaton may, the system may not.
    let text = file(
        "Start: 0 AP: 2 \"i\" \"o\" controllable-AP: 1 Acceptance: 0 t",
        "State: 0 [1] 1 [!1] 2 State: 1 [0 & 1] 1 [0 & !1] 2 State: 2 [!0 & 1] 1 [!0 & !1] 2",
    );
    let spec = LtlSpec::from_automaton(&read(&text), &[], &[]).expect("a specification");
    assert_eq!(verdict(&spec), Some(false));
}

#[test]
fn comments_and_unknown_items() {
    let header = "/* a /* nested */ comment */ tool: \"x\" \"1.0\" properties: deterministic \
                  weak other-item: 1 t \"a\" name: \"the \\\"name\\\"\" States: 1 Acceptance: 0 t";
    let text = file(&signals(header), "State: 0 \"only\" /* all */ [t] 0");
    assert_eq!(read(&text).automaton.name, "the \"name\"");
    check(header, "State: 0 [t] 0", true);
}

fn errors(text: &str) -> Vec<Diagnostic> {
    let mut sources = Sources::new();
    let file = sources.add("test.hoa", text);
    let parsed = hoa::parse(&sources, file);
    let read = parsed.and_then(|document| LtlSpec::from_automaton(&document, &[], &[]));
    match read {
        Ok(spec) => panic!("accepted: {text}\n{:?}", spec.parts),
        Err(errors) => errors,
    }
}

#[track_caller]
fn refused(text: &str, code: u16) {
    let errors = errors(text);
    assert_eq!(errors[0].code, Code(code), "{text}\n{errors:#?}");
    for error in &errors {
        assert!(error.help.is_some(), "{error:?}");
        assert!(!error.labels.is_empty(), "{error:?}");
        for label in &error.labels {
            let (start, end) = (label.span.start as usize, label.span.end as usize);
            assert!(text.get(start..end).is_some(), "{error:?}");
        }
    }
}

#[test]
fn malformed_files() {
    let header = |item: &str| file(&signals(item), "State: 0 [t] 0");
    let body = |body: &str| file(&signals("States: 2 Acceptance: 1 Inf(0)"), body);
    for text in [
        "",
        "HOA",
        "HOA:",
        "States: 1",
        "HOA: v1",
        "HOA: v1 --BODY--",
    ] {
        refused(text, if text == "HOA:" { 407 } else { 400 });
    }
    refused("HOA: v2 Acceptance: 0 t --BODY-- --END--", 407);
    for item in [
        "States: 1",
        "States: Acceptance: 0 t",
        "Acceptance: 1",
        "Acceptance: 1 Inf(0",
        "Acceptance: 1 Inf 0",
        "Acceptance: 1 inf(0)",
        "Acceptance: 1 Inf(0) &",
        "Acceptance: 0 t )",
        "Acceptance: 0 t Alias: a 0",
        "Acceptance: 0 t Alias: @a",
        "Acceptance: 0 t name: none",
        "Acceptance: 0 t /* open",
        "Acceptance: 0 t name: \"open",
        "Acceptance: 0 t €",
        "Acceptance: 0 t Start: t",
    ] {
        refused(&header(item), 400);
    }
    refused(
        &file("AP: 2 \"a\" controllable-AP: Acceptance: 0 t", ""),
        400,
    );
    refused(&file("AP: 1 \"a\" Acceptance: 0 t", ""), 401);
    refused(&header("Acceptance: 0 t Alias: @a @b"), 401);
    refused(&body("State: 0 [@a] 0"), 401);
    for item in [
        "Acceptance: 0 t Acceptance: 0 t",
        "States: 1 States: 1 Acceptance: 0 t",
        "AP: 0 Acceptance: 0 t",
        "controllable-AP: Acceptance: 0 t",
        "Alias: @a t Alias: @a f Acceptance: 0 t",
    ] {
        refused(&header(item), 404);
    }
    refused(
        &file("AP: 2 \"a\" \"a\" controllable-AP: Acceptance: 0 t", ""),
        404,
    );
    refused(&body("State: 0 [t] 0 State: 0 [t] 1"), 404);
    refused(&header("Acceptance: 0 t Start: 0 & 1"), 407);
    refused(&header("Acceptance: 0 t Meaning: other"), 407);
    refused(&body("State: 0 [t] 0 & 1"), 407);
    refused(&format!("{0}{0}", body("State: 0 [t] 0")), 407);
    refused(&header("Acceptance: 99999 t"), 415);
    refused(&header("Acceptance: 0 t States: 99999999"), 415);
    refused(&header("Acceptance: 0 t States: 99999999999999999999"), 415);
    refused(
        &body(&format!(
            "State: 0 [{}0{}] 0",
            "(".repeat(2000),
            ")".repeat(2000)
        )),
        415,
    );
    for text in [
        header("Acceptance: 1 Inf(1)"),
        header("Acceptance: 0 t Alias: @a 2"),
        header("Acceptance: 0 t States: 0"),
        file("AP: 1 \"a\" controllable-AP: 1 Acceptance: 0 t", ""),
        body("State: 2 [t] 0"),
        body("State: 0 [t] 2"),
        body("State: 0 [2] 0"),
        body("State: 0 [t] 0 {1}"),
        body("State: 0 {1} [t] 0"),
    ] {
        refused(&text, 420);
    }
    for text in [
        "State: 0 [0 0",
        "State: 0 [0 &] 0",
        "State: 0 [x] 0",
        "State: 0 [t] x",
        "State: 0 [t] 0 {0",
        "State: [t] 0 [t] 0",
        "State: 0 0 0 0",
        "State: 0 0 1 0 [t] 1",
        "State: x",
        "[t] 0",
        "State: 0 [t] 0 --ABORT--",
        "State: 0 [t] 0 States: 1",
    ] {
        refused(&body(text), 400);
    }
}

/// Texts that are cut, joined and changed in single places are read or refused.
#[test]
fn mutated_files_are_read_or_refused() {
    let whole = [
        file(
            &signals("Alias: @x 0 & !1 States: 2 Acceptance: 2 Fin(0) | (Inf(!1) & Inf(0))"),
            "State: 0 \"a\" {0} [@x | 1] 1 {1} [!@x] 0 State: [0] 1 0 {0 1}",
        ),
        file(&signals("States: 1 Acceptance: 0 t"), "State: 0 0 0 0 0"),
    ];
    let pieces = [
        "--BODY--",
        "--END--",
        "State:",
        "Start:",
        "[",
        "]",
        "{",
        "}",
        "(",
        ")",
        "!",
        "&",
        "|",
        "0",
        "1",
        "99999999999",
        "\"",
        "/*",
        "@x",
        "Inf",
        "t",
        "f",
        "\u{e9}",
        "AP:",
        "States:",
    ];
    let seed = seed();
    let mut accepted = 0;
    for case in 0..20_000 {
        let mut random = Random::new(seed.wrapping_add(case));
        let mut text: Vec<char> = random.pick(&whole).chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len() + 1);
            match random.below(4) {
                0 => text.truncate(at.max(1)),
                1 => {
                    let end = (at + random.below(12)).min(text.len());
                    text.drain(at..end);
                }
                2 => {
                    let other = random.pick(&whole).chars().skip(random.below(60)).take(9);
                    let other: Vec<char> = other.collect();
                    text.splice(at..at, other);
                }
                _ => {
                    let piece = random.pick(&pieces).chars();
                    text.splice(at..at, piece);
                }
            }
        }
        let text: String = text.into_iter().collect();
        let mut sources = Sources::new();
        let file = sources.add("test.hoa", text.clone());
        match hoa::parse(&sources, file) {
            Ok(document) => {
                accepted += 1;
                let _ = LtlSpec::from_automaton(&document, &[], &[]);
            }
            Err(errors) => {
                let complete = errors.iter().all(|error| {
                    let mut spans = error.labels.iter().map(|label| label.span);
                    error.help.is_some()
                        && spans
                            .all(|span| text.get(span.start as usize..span.end as usize).is_some())
                });
                assert!(complete, "seed {seed}, case {case}: {errors:#?}\n{text}");
            }
        }
    }
    assert!(accepted >= 300, "{accepted} accepted");
}
