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

/// Edits between two words, where case does not count. Words are compared as far as one
/// would read them: the time grows with the product of their lengths.
fn distance(left: &str, right: &str) -> usize {
    let beginning = |word: &str| word.to_lowercase().chars().take(40).collect::<String>();
    edit_distance(&beginning(left), &beginning(right))
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the
/// other (optimal string alignment). The only place that names the crate for it.
pub fn edit_distance(left: &str, right: &str) -> usize {
    strsim::osa_distance(left, right)
}
