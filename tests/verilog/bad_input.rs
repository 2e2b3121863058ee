//! Files that are not Verilog, or more than we take: each gives a diagnostic at its place and
//! the exit code 2; none ends in a panic, a hang or a stack that overflows.

use super::choices::Choices;
use super::malformed::{MALFORMED, oversized};
use super::netlist::folder;
use respin::design::verilog::{self, Options, Project, codes};
use respin::source::{Diagnostic, Sources};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What we say of a text, if anything is wrong with it.
fn diagnose(text: &str) -> Option<Diagnostic> {
    let mut sources = Sources::new();
    let file = sources.add("design.v", text);
    let project = Project {
        files: vec![file],
        ..Project::default()
    };
    let elaborated = project
        .parse(&sources)
        .and_then(|tree| verilog::elaborate(&tree, &Options::default()));
    elaborated.err()
}

/// The program, with a limit far above what any of these files should take.
fn respin(folder: &Path, file: &str) -> Output {
    let output = Command::new("timeout")
        .args(["60", env!("CARGO_BIN_EXE_respin"), "verify", file])
        .args(["--spec", "property.ltl"])
        .current_dir(folder)
        .env_remove("RUST_BACKTRACE")
        .output();
    output.expect("respin starts")
}

/// Whether the program refuses a file as it should.
fn refused(folder: &Path, name: &str, text: &[u8]) -> Result<(), String> {
    let file = format!("{name}.v");
    std::fs::write(folder.join(&file), text).expect("a written file");
    let output = respin(folder, &file);
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(2) {
        return Err(format!("{name}: {}\n{said}", output.status));
    }
    let located = said.contains(&format!("--> {file}:"));
    // That no module is the design is not a matter of one place.
    let whole = said.contains(&format!("[{}]", codes::TOP));
    let utf8 = std::str::from_utf8(text).is_ok();
    if !said.contains("error[R") || utf8 && !located && !whole {
        return Err(format!("{name}: no place in\n{said}"));
    }
    if said.contains("panicked") || said.contains("internal error") {
        return Err(format!("{name}: {said}"));
    }
    Ok(())
}

fn prepared(name: &str) -> PathBuf {
    let folder = folder(name);
    let text = "assert never: G !y;\n";
    std::fs::write(folder.join("property.ltl"), text).expect("a property file");
    folder
}

fn report(problems: Vec<String>) {
    assert!(
        problems.is_empty(),
        "{} problems\n{}",
        problems.len(),
        problems.join("\n")
    );
}

#[test]
fn malformed_and_unsupported_files_are_refused_with_the_code_that_fits() {
    let folder = prepared("malformed");
    let mut problems = Vec::new();
    for (name, code, text) in MALFORMED {
        match diagnose(text) {
            None => problems.push(format!("{name}: accepted\n{text}")),
            Some(found) if found.code.to_string() != *code => {
                problems.push(format!("{name}: {} {}", found.code, found.message));
            }
            Some(_) => problems.extend(refused(&folder, name, text.as_bytes()).err()),
        }
    }
    report(problems);
}

#[test]
fn files_that_are_too_much_are_refused() {
    let folder = prepared("oversized");
    let mut problems = Vec::new();
    for (name, text) in oversized() {
        problems.extend(refused(&folder, name, text.as_bytes()).err());
    }
    let not_text = b"module m(output y); assign y = \xff; endmodule\n";
    problems.extend(refused(&folder, "not-utf8", not_text).err());
    report(problems);
}

#[test]
fn an_expression_of_ten_thousand_terms_is_read_or_refused() {
    let folder = prepared("terms");
    let mut problems = Vec::new();
    for operator in ["+", "&", "^", "||", "==", "<<"] {
        let terms = vec!["a"; 10_000].join(&format!(" {operator} "));
        let text =
            format!("module m(input [7:0] a, output y);\n  assign y = {terms};\nendmodule\n");
        if diagnose(&text).is_some() {
            problems.extend(refused(&folder, "terms", text.as_bytes()).err());
        }
    }
    report(problems);
}

#[test]
fn files_that_include_each_other_are_refused() {
    let folder = prepared("includes");
    std::fs::write(folder.join("other.vh"), "`include \"top.v\"\n").expect("a written file");
    let itself = "`include \"itself.v\"\nmodule m(output y); endmodule\n";
    let pair = "`include \"other.vh\"\nmodule m(output y); endmodule\n";
    let missing = "`include \"nowhere.vh\"\nmodule m(output y); endmodule\n";
    let mut problems = Vec::new();
    problems.extend(refused(&folder, "itself", itself.as_bytes()).err());
    problems.extend(refused(&folder, "top", pair.as_bytes()).err());
    problems.extend(refused(&folder, "missing", missing.as_bytes()).err());
    report(problems);
}

/// The designs that are broken in many places.
fn originals() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&root)
        .expect("the folder hdl")
        .filter_map(|entry| entry.ok().map(|entry| entry.path().join("faulty.v")))
        .collect();
    folders.sort();
    let texts: Vec<String> = folders
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .collect();
    assert!(texts.len() >= 40, "only {} designs", texts.len());
    texts
}

#[test]
fn truncated_files_are_refused() {
    let folder = prepared("truncated");
    let mut problems = Vec::new();
    let mut refusals = 0;
    for (number, text) in originals().iter().enumerate() {
        let mut choices = Choices::random(number as u64);
        let end = text.rfind("endmodule").unwrap_or(text.len());
        let start = text.find("module").unwrap_or(0) + "module".len();
        for _ in 0..20 {
            let mut cut = choices.between(start, end);
            while !text.is_char_boundary(cut) {
                cut -= 1;
            }
            let broken = &text[..cut];
            // A file of several modules may be cut between two of them.
            if diagnose(broken).is_some() && refusals < 150 {
                refusals += 1;
                let name = format!("cut-{number}-{cut}");
                problems.extend(refused(&folder, &name, broken.as_bytes()).err());
            }
        }
    }
    println!("{refusals} truncated files");
    assert_eq!(refusals, 150);
    report(problems);
}

/// Words, numbers and signs of a text, with where they are.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let is_word = |symbol: char| symbol.is_alphanumeric() || "_$'`".contains(symbol);
    let mut tokens: Vec<(usize, usize)> = Vec::new();
    let mut rest = text.char_indices().peekable();
    while let Some((start, symbol)) = rest.next() {
        let mut end = start + symbol.len_utf8();
        if symbol.is_whitespace() {
            continue;
        }
        while is_word(symbol)
            && let Some((place, next)) = rest.peek().copied()
            && is_word(next)
        {
            end = place + next.len_utf8();
            rest.next();
        }
        tokens.push((start, end));
    }
    tokens
}

#[test]
fn mutated_files_are_read_or_refused() {
    let folder = prepared("mutated");
    let mut problems = Vec::new();
    let (mut refusals, mut accepted) = (0, 0);
    for (number, text) in originals().iter().enumerate() {
        println!("seed {number}");
        let mut choices = Choices::random(number as u64);
        // Comments are of no interest here.
        let text: String = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default().to_string() + "\n")
            .collect();
        let tokens = tokens(&text);
        for round in 0..30 {
            let (first, second) = (*choices.pick(&tokens), *choices.pick(&tokens));
            let (left, right) = (first.min(second), first.max(second));
            let word = |(start, end): (usize, usize)| &text[start..end];
            let broken = match choices.below(4) {
                0 => format!("{}{}", &text[..first.0], &text[first.1..]),
                1 => format!("{} {}", &text[..first.1], &text[first.0..]),
                2 => format!("{}{}{}", &text[..first.0], word(second), &text[first.1..]),
                _ if left == right => continue,
                _ => format!(
                    "{}{}{}{}{}",
                    &text[..left.0],
                    word(right),
                    &text[left.1..right.0],
                    word(left),
                    &text[right.1..]
                ),
            };
            match diagnose(&broken) {
                None => accepted += 1,
                Some(found) => {
                    if found.labels.is_empty() && found.code != codes::TOP {
                        problems.push(format!("{number}-{round}: no place: {}", found.message));
                    }
                    refusals += 1;
                    // The program is asked about every eighth.
                    if refusals % 8 == 0 {
                        let name = format!("mutated-{number}-{round}");
                        problems.extend(refused(&folder, &name, broken.as_bytes()).err());
                    }
                }
            }
        }
    }
    println!("{refusals} mutated files refused, {accepted} still designs");
    assert!(refusals > 500, "only {refusals} were refused");
    report(problems);
}
