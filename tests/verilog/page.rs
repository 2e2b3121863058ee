//! `docs/language.md`: each row of its tables is true. The example of a row is what is read;
//! what is around it depends on the section.

use super::netlist::elaborate_with;
use respin::design::verilog::Options;
use std::path::Path;

const FEWEST_ROWS: usize = 150;

const PORTS: &str = "input logic clk, rst, a, b, c, input logic [7:0] x, y, \
                     output logic p, output logic [7:0] q";

/// What stands around an example of a section.
fn whole_text(section: &str, example: &str) -> Option<String> {
    Some(match section {
        "Modules" | "Directives" => example.to_string(),
        "Items" => format!("module m({PORTS}); {example} endmodule\n"),
        "Statements" => {
            format!("module m({PORTS}); always_comb begin p = 0; q = 0; {example} end endmodule\n")
        }
        "Expressions" => format!("module m({PORTS}); assign q = {example}; endmodule\n"),
        "Properties" => {
            format!("module m({PORTS}); assert property (@(posedge clk) {example}); endmodule\n")
        }
        _ => return None,
    })
}

/// A row: its section, what it is about, what it claims, and the example.
struct Row {
    line: usize,
    section: String,
    claim: String,
    example: String,
}

/// The cells of a line of a table; a `|` of Verilog is written `\|`.
fn cells(line: &str) -> Vec<String> {
    let marked = line.replace("\\|", "\u{1}");
    let cells = marked.trim().trim_matches('|').split('|');
    cells
        .map(|cell| cell.trim().replace('\u{1}', "|"))
        .collect()
}

fn rows(page: &str) -> Vec<Row> {
    let mut section = String::new();
    let mut rows = Vec::new();
    for (index, line) in page.lines().enumerate() {
        if let Some(title) = line.strip_prefix("## ") {
            section = title.to_string();
        }
        let cells = cells(line);
        let [_, claim, example] = cells.as_slice() else {
            continue;
        };
        let example = example
            .strip_prefix('`')
            .and_then(|one| one.strip_suffix('`'));
        if let (true, Some(example)) = (line.starts_with('|'), example) {
            rows.push(Row {
                line: index + 1,
                section: section.clone(),
                claim: claim.clone(),
                // Directives end with their line.
                example: example.trim_matches('`').trim().replace("⏎", "\n"),
            });
        }
    }
    rows
}

/// What is wrong with a row.
fn problem(row: &Row) -> Option<String> {
    let Some(text) = whole_text(&row.section, &row.example) else {
        return Some(format!("there is no section `{}`", row.section));
    };
    let options = Options {
        allows_latches: true,
        ..Options::default()
    };
    let read = elaborate_with(&text, &options);
    match (row.claim.as_str(), read) {
        ("read", Ok(_)) => None,
        ("read", Err(said)) => Some(said),
        (claim, Ok(_)) => Some(format!("it is read, and the page says `{claim}`")),
        (claim, Err(said)) => match claim.strip_prefix("refused ") {
            Some(code) if said.contains(&format!("[{code}]")) => None,
            _ => Some(format!("the page says `{claim}`\n{said}")),
        },
    }
}

#[test]
fn every_row_of_the_page_about_the_language_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language.md");
    let page = std::fs::read_to_string(path).expect("docs/language.md");
    let rows = rows(&page);
    let problems: Vec<String> = rows
        .iter()
        .filter_map(|row| {
            let problem = problem(row)?;
            Some(format!("line {}: `{}`\n{problem}", row.line, row.example))
        })
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(rows.len() >= FEWEST_ROWS, "{} rows", rows.len());
}
