//! All texts of a report, applied to the source.

use serde_json::Value;

/// The source after each correction that the report shows or lists, with where it was found.
pub fn texts(report: &Value, source: &str) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    if let Some(diff) = report["diff"].as_str() {
        texts.push(("the diff".to_string(), patched(source, diff)));
    }
    let corrections = report["corrections"].as_array();
    for correction in corrections.into_iter().flatten() {
        let number = &correction["number"];
        let edits = correction["edits"].as_array().expect("edits");
        // Functions that are added have a text and no line before; the rest are lines.
        let is_added = |edit: &&Value| edit["kind"] == "added-function";
        let added: Vec<(usize, &str)> = edits
            .iter()
            .filter(is_added)
            .map(|edit| {
                let start = edit["place"]["start_byte"].as_u64().expect("a place");
                (start as usize, only(&edit["after"]))
            })
            .collect();
        let edits: Vec<&Value> = edits.iter().filter(|edit| !is_added(edit)).collect();
        let replaced: Vec<(usize, &str)> = edits
            .iter()
            .map(|edit| {
                let line = edit["place"]["line"].as_u64().expect("a line");
                (line as usize, only(&edit["after"]))
            })
            .collect();
        for (edit, (line, _)) in edits.iter().zip(&replaced) {
            let before = source.lines().nth(line - 1).unwrap_or_default();
            assert_eq!(before.trim(), only(&edit["before"]), "{report:#}");
        }
        let text = with_lines(source, &replaced);
        let text = with_added(source, text, &added);
        texts.push((format!("correction {number}"), text));
        let also = correction["also"].as_array();
        for listed in also.into_iter().flatten() {
            let listed = listed.as_str().expect("a text");
            if let Some(edits) = listed_edits(listed) {
                texts.push((
                    format!("correction {number}, same effect: {listed}"),
                    with_lines(source, &edits),
                ));
            }
        }
    }
    texts
}

fn only(texts: &Value) -> &str {
    let texts = texts.as_array().expect("texts");
    assert_eq!(texts.len(), 1, "one text for each edit");
    texts[0].as_str().expect("a text")
}

/// "match.v:3 `wire a = b;` and match.v:4 `assign y = a;`" as lines and what they become; none
/// for "and 5 more".
fn listed_edits(listed: &str) -> Option<Vec<(usize, &str)>> {
    let parts: Vec<&str> = listed.split('`').collect();
    if parts.len() == 1 {
        assert!(listed.ends_with(" more"), "{listed}");
        return None;
    }
    assert_eq!(parts.last(), Some(&""), "{listed}");
    let edits = parts[..parts.len() - 1].chunks(2).map(|pair| {
        let [place, text] = pair else {
            panic!("a place without a text: {listed}");
        };
        let line = place.trim_end().rsplit(':').next();
        let line = line.and_then(|line| line.parse().ok());
        (line.unwrap_or_else(|| panic!("no line: {listed}")), *text)
    });
    Some(edits.collect())
}

/// The source with some lines replaced. Every statement of a generated design stands on one
/// line, so that no edit touches more.
fn with_lines(source: &str, edits: &[(usize, &str)]) -> String {
    let mut lines: Vec<&str> = source.lines().collect();
    for (line, text) in edits {
        lines[line - 1] = text;
    }
    lines.join("\n") + "\n"
}

/// An edited source with texts added that stand at places of the source, which are in front of
/// all edited lines or behind them.
fn with_added(source: &str, edited: String, added: &[(usize, &str)]) -> String {
    let mut edited = edited;
    for (start, text) in added {
        let at = if edited.get(..*start) == source.get(..*start) {
            *start
        } else {
            let rest = source.len() - start;
            assert_eq!(edited[edited.len() - rest..], source[*start..]);
            edited.len() - rest
        };
        edited.insert_str(at, text);
    }
    edited
}

/// Applies a unified diff of one file.
fn patched(source: &str, diff: &str) -> String {
    let old: Vec<&str> = source.lines().collect();
    let mut new: Vec<&str> = Vec::new();
    let mut taken = 0;
    for line in diff.lines().skip(2) {
        if let Some(header) = line.strip_prefix("@@ -") {
            let first = header.split([',', ' ']).next();
            let first: usize = first.and_then(|text| text.parse().ok()).expect("a line");
            new.extend(&old[taken..first - 1]);
            taken = first - 1;
            continue;
        }
        let (sign, text) = line.split_at(1);
        if sign != "+" {
            assert_eq!(old[taken], text, "the diff fits");
            taken += 1;
        }
        if sign != "-" {
            new.push(text);
        }
    }
    new.extend(&old[taken..]);
    new.join("\n") + "\n"
}

#[test]
fn lists_and_diffs_are_applied() {
    let source = "a\nb\nc\n";
    let diff = "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n+d\n c\n";
    assert_eq!(patched(source, diff), "a\nd\nc\n");
    let listed = listed_edits("x.v:1 `e` and x.v:3 `f`").expect("edits");
    assert_eq!(with_lines(source, &listed), "e\nb\nf\n");
    assert_eq!(listed_edits("and 2 more"), None);
}
