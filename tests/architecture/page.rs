//! The tables of `ARCHITECTURE.md`.

use super::Uses;
use std::fs;
use std::path::Path;

/// A table with the heading it stands under.
pub struct Table {
    pub heading: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

pub fn tables() -> Vec<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md");
    tables_of(&fs::read_to_string(path).expect("the page"))
}

fn tables_of(page: &str) -> Vec<Table> {
    let mut tables: Vec<Table> = Vec::new();
    let mut heading = String::new();
    let mut inside = false;
    for line in page.lines() {
        let Some(row) = line.strip_prefix('|') else {
            inside = false;
            if line.starts_with('#') {
                heading = line.trim_start_matches('#').trim().to_string();
            }
            continue;
        };
        let cells = row.trim_end().trim_end_matches('|').split('|');
        let cells: Vec<String> = cells.map(|cell| cell.trim().to_string()).collect();
        if !inside {
            inside = true;
            tables.push(Table {
                heading: heading.clone(),
                columns: cells,
                rows: Vec::new(),
            });
        } else if !cells[0].starts_with("---")
            && let Some(table) = tables.last_mut()
        {
            table.rows.push(cells);
        }
    }
    tables
}

/// The words of a cell that stand in backquotes.
pub fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// Who uses whom, by the first table.
pub fn uses() -> Uses {
    let tables = tables();
    let table = tables
        .iter()
        .find(|table| table.columns.last().is_some_and(|last| last == "uses"));
    let table = table.expect("a table with the column `uses`");
    let mut uses = Uses::new();
    for row in &table.rows {
        let used = quoted(&row[2]).into_iter().map(str::to_string);
        let used: std::collections::BTreeSet<String> = used.collect();
        for module in quoted(&row[0]) {
            uses.insert(module.to_string(), used.clone());
        }
    }
    uses
}

#[test]
fn tables_are_read_with_their_headings() {
    let page = "# A\n| x | y |\n|---|---|\n| `a`, `b` | c |\n\ntext\n## `d`\n| z |\n|---|\n";
    let tables = tables_of(page);
    assert_eq!(tables.len(), 2);
    assert_eq!(tables[0].rows, [["`a`, `b`", "c"]]);
    assert_eq!(quoted(&tables[0].rows[0][0]), ["a", "b"]);
    assert_eq!(tables[1].heading, "`d`");
}
