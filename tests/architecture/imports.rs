//! Which top-level modules a source names.

use super::Uses;
use super::sources::Source;
use std::collections::BTreeSet;

/// Who uses whom. The root of the library and the program are left out: they name all.
pub fn uses(sources: &[Source]) -> Uses {
    let sources = || {
        let inner = |source: &&Source| source.path != "lib.rs" && source.path != "main.rs";
        sources.iter().filter(inner)
    };
    let modules: BTreeSet<&str> = sources().map(Source::top).collect();
    let mut uses = Uses::new();
    for source in sources() {
        let used = uses.entry(source.top().to_string()).or_default();
        let named = named(&source.code, source.module().len());
        let others = named
            .into_iter()
            .filter(|name| modules.contains(name) && *name != source.top());
        used.extend(others.map(str::to_string));
    }
    uses
}

/// The names that follow the root of the crate: after `crate::`, or after as many `super::`
/// as the module is deep.
fn named(code: &str, depth: usize) -> Vec<&str> {
    let mut names = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if !code[..at].ends_with(is_word) {
            after_root(&code[at + "crate::".len()..], &mut names);
        }
    }
    let upwards = "super::".repeat(depth);
    for (at, _) in code.match_indices(&upwards) {
        let before = &code[..at];
        if !before.ends_with(is_word) && !before.ends_with("::") {
            after_root(&code[at + upwards.len()..], &mut names);
        }
    }
    names
}

/// One name, or the first names of a list in braces.
fn after_root<'a>(rest: &'a str, names: &mut Vec<&'a str>) {
    let Some(list) = rest.strip_prefix('{') else {
        names.push(first_word(rest));
        return;
    };
    let mut depth = 0;
    let mut start = 0;
    for (at, symbol) in list.char_indices() {
        match symbol {
            '{' => depth += 1,
            ',' if depth == 0 => {
                names.push(first_word(list[start..at].trim_start()));
                start = at + 1;
            }
            '}' if depth == 0 => {
                names.push(first_word(list[start..at].trim_start()));
                return;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
}

fn first_word(text: &str) -> &str {
    text.split(|symbol| !is_word(symbol)).next().unwrap_or("")
}

fn is_word(symbol: char) -> bool {
    symbol.is_alphanumeric() || symbol == '_'
}

/// Whether a text calls `Certified::new` or writes `Certified { ... }` as a value. The type
/// itself always has its parameter with it, as in `-> Certified<Run> {`.
pub fn makes_certified(code: &str) -> bool {
    code.match_indices("Certified").any(|(at, name)| {
        let mut rest = code[at + name.len()..].trim_start();
        if let Some(generic) = rest.strip_prefix("::<") {
            let Some((_, after)) = generic.split_once('>') else {
                return false;
            };
            rest = after.trim_start_matches('>').trim_start();
        }
        let whole_word = !code[..at].ends_with(is_word);
        whole_word && (rest.starts_with("::new") || rest.starts_with('{'))
    })
}

#[test]
fn all_ways_to_name_a_module_are_found() {
    let code = "use crate::bdd;\nuse crate::{game::{Arena, Solution}, spec};\n\
                fn f(a: crate::design::Design, b: super::super::expr::Expr, c: super::own::D) {}";
    let mut names = named(code, 2);
    names.sort();
    assert_eq!(names, ["bdd", "design", "expr", "game", "spec"]);
}

#[test]
fn all_ways_to_certify_are_found() {
    for code in [
        "Certified::new(a, b)",
        "Certified { answer, evidence }",
        "Certified::<Vec<Run>>::new(a, b)",
        "Certified::<Run> { answer, evidence }",
    ] {
        assert!(makes_certified(code), "{code}");
    }
    for code in [
        "fn f() -> Certified<Run> {",
        "NotCertified { candidate }",
        "fn f(a: &Certified<Run>)",
    ] {
        assert!(!makes_certified(code), "{code}");
    }
}
