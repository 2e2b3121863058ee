//! Which word a user may have meant.

/// The candidate that is nearest to the word, if one is near enough to be a slip.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = match word.chars().count() {
        0..=2 => return None,
        3..=5 => 1,
        _ => 2,
    };
    candidates
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Edits between two words, where a swap of neighbours is one edit and case is none.
fn distance(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.to_lowercase().chars().take(40).collect();
    let right: Vec<char> = right.to_lowercase().chars().take(40).collect();
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for row in 1..=left.len() {
        let mut current = vec![row];
        for column in 1..=right.len() {
            let changed = usize::from(left[row - 1] != right[column - 1]);
            let mut best = (rows[row - 1][column - 1] + changed)
                .min(rows[row - 1][column] + 1)
                .min(current[column - 1] + 1);
            let swapped = row > 1
                && column > 1
                && left[row - 1] == right[column - 2]
                && left[row - 2] == right[column - 1];
            if swapped {
                best = best.min(rows[row - 2][column - 2] + 1);
            }
            current.push(best);
        }
        rows.push(current);
    }
    rows[left.len()][right.len()]
}
