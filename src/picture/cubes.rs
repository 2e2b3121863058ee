//! Many settings of variables as few, in which some variables may have any value.
//!
//! Two settings that differ in one variable only, which is true in one of them and false in
//! the other, are one without it. This is done variable by variable, so the result is exact
//! and small, though not always the smallest: a picture has to be read, not counted.

use std::collections::HashMap;

/// A value for each variable; `None` where any will do.
pub type Cube = Vec<Option<String>>;

/// Settings that mean the same as those that are given. All have the same variables.
pub fn cubes(settings: impl IntoIterator<Item = Vec<String>>) -> Vec<Cube> {
    let rows = settings
        .into_iter()
        .map(|row| row.into_iter().map(Some).collect());
    let mut rows: Vec<Cube> = rows.collect();
    let width = rows.first().map_or(0, Vec::len);
    for place in 0..width {
        let mut found: HashMap<Cube, usize> = HashMap::new();
        let mut merged: Vec<Cube> = Vec::new();
        for row in rows {
            let mut rest = row.clone();
            let value = rest[place].take();
            let known = found.get(&rest).copied();
            match known {
                Some(at) if is_opposite(&merged[at][place], &value) => merged[at][place] = None,
                _ => {
                    found.insert(rest, merged.len());
                    merged.push(row);
                }
            }
        }
        rows = merged;
    }
    rows
}

fn is_opposite(one: &Option<String>, other: &Option<String>) -> bool {
    matches!(
        (one.as_deref(), other.as_deref()),
        (Some("true"), Some("false")) | (Some("false"), Some("true"))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::collections::BTreeSet;

    fn expanded(cube: &[Option<String>]) -> BTreeSet<Vec<String>> {
        let mut rows: Vec<Vec<String>> = vec![Vec::new()];
        for value in cube {
            let values = match value {
                Some(value) => vec![value.clone()],
                None => vec!["true".to_string(), "false".to_string()],
            };
            let longer = rows.iter().flat_map(|row| {
                values.iter().map(move |value| {
                    let mut row = row.clone();
                    row.push(value.clone());
                    row
                })
            });
            rows = longer.collect();
        }
        rows.into_iter().collect()
    }

    #[test]
    fn all_settings_are_one_cube() {
        let all = (0..8).map(|row| {
            (0..3)
                .map(|bit| (row >> bit & 1 == 1).to_string())
                .collect()
        });
        assert_eq!(cubes(all), [vec![None, None, None]]);
    }

    #[test]
    fn cubes_mean_what_the_settings_mean() {
        for seed in 1..200 {
            let mut random = Random::new(seed);
            let words = ["true", "false", "true", "false", "IDLE"];
            let mut given = BTreeSet::new();
            for _ in 0..random.below(20) {
                let row: Vec<String> = (0..4).map(|_| random.pick(&words).to_string()).collect();
                given.insert(row);
            }
            let found = cubes(given.iter().cloned());
            let meant: BTreeSet<_> = found.iter().flat_map(|cube| expanded(cube)).collect();
            assert_eq!(meant, given, "seed {seed}");
            assert!(found.len() <= given.len(), "seed {seed}");
        }
    }
}
