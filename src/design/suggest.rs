//! "Did you mean": names close to one that does not exist.

use crate::expr::suggest::edit_distance;

/// At most this many names are suggested.
const MOST: usize = 3;

/// The candidates closest to `wanted`, best first; none if nothing is close. Case and the
/// swap of two neighbouring letters count little, and equal distances keep the order of the
/// alphabet, so that the answer does not depend on the order of the candidates.
pub fn suggest<'name>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'name str>,
) -> Vec<&'name str> {
    let length = wanted.chars().count();
    let limit = (length / 3).max(1);
    let mut close: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        if candidate == wanted || candidate.is_empty() {
            continue;
        }
        if length.abs_diff(candidate.chars().count()) > limit {
            continue;
        }
        let distance = if candidate.to_lowercase() == wanted.to_lowercase() {
            0
        } else {
            edit_distance(wanted, candidate)
        };
        if distance <= limit {
            close.push((distance, candidate));
        }
    }
    close.sort_unstable();
    close.dedup();
    close.into_iter().take(MOST).map(|(_, name)| name).collect()
}

/// The same as a help line: "did you mean `state` or `stage`?"
pub fn did_you_mean<'name>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'name str>,
) -> Option<String> {
    let names = suggest(wanted, candidates);
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, others) = quoted.split_last()?;
    Some(if others.is_empty() {
        format!("did you mean {last}?")
    } else {
        format!("did you mean {} or {last}?", others.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(wanted: &str, candidates: &[&str], expected: &[&str]) {
        assert_eq!(suggest(wanted, candidates.iter().copied()), expected);
    }

    #[test]
    fn one_letter_missing() {
        check("stae", &["state", "ready"], &["state"]);
    }

    #[test]
    fn swapped_neighbours_count_as_one() {
        check("gnt", &["ngt", "tgn"], &["ngt"]);
    }

    #[test]
    fn other_case_comes_first() {
        check("count", &["counts", "COUNT"], &["COUNT", "counts"]);
    }

    #[test]
    fn nothing_close_suggests_nothing() {
        check("request", &["grant", "state"], &[]);
    }

    #[test]
    fn help_line_joins_with_or() {
        let line = did_you_mean("req", ["reg", "rek", "x"]);
        assert_eq!(line.as_deref(), Some("did you mean `reg` or `rek`?"));
    }
}
