//! Minimal sets that still fail a test.
//!
//! Delta debugging and the linear search are those of [KHB11, Sec. 3.6], the divide and
//! conquer search is QuickXplain [Jun04]. Ours come as plain loops over positions, in the
//! order given, so that results repeat.
//!
//! Invariant: the test is monotone (a superset of a failing set fails), so a set none of
//! whose members can be left out is minimal.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Minimizer {
    /// Halves, then quarters, and so on: best for small results out of many items.
    #[default]
    DeltaDebugging,
    /// One item after the other: exactly as many tests as there are items.
    Linear,
    /// Divide and conquer: best for results of middling size.
    QuickXplain,
}

/// A minimal part of `items` that fails; all of them together must.
pub fn minimize<E>(
    minimizer: Minimizer,
    items: &[usize],
    fails: &mut dyn FnMut(&[usize]) -> Result<bool, E>,
) -> Result<Vec<usize>, E> {
    let mut whole = |items: &[usize]| Ok(fails(items)?.then(|| items.to_vec()));
    narrow(minimizer, items, &mut whole)
}

/// The test of some items: if they fail, a part of them that does.
pub type Narrow<'a, E> = dyn FnMut(&[usize]) -> Result<Option<Vec<usize>>, E> + 'a;

/// The same with a test that knows more than it was asked.
pub fn narrow<E>(
    minimizer: Minimizer,
    items: &[usize],
    fails: &mut Narrow<'_, E>,
) -> Result<Vec<usize>, E> {
    match minimizer {
        Minimizer::DeltaDebugging => delta_debugging(items, fails),
        Minimizer::Linear => linear(items, fails),
        Minimizer::QuickXplain => {
            let mut found = quick_xplain(&mut Vec::new(), false, items, fails)?;
            if found.len() == 1 && fails(&[])?.is_some() {
                found.clear();
            }
            Ok(found)
        }
    }
}

fn delta_debugging<E>(items: &[usize], fails: &mut Narrow<'_, E>) -> Result<Vec<usize>, E> {
    let mut current = items.to_vec();
    let mut count = 2;
    while current.len() > 1 {
        let parts = split(&current, count);
        if let Some(part) = first_failing(&parts, fails)? {
            current = part;
            count = 2;
            continue;
        }
        // With two parts, each complement is the other part.
        if count > 2 {
            let complements: Vec<Vec<usize>> =
                parts.iter().map(|part| without(&current, part)).collect();
            if let Some(complement) = first_failing(&complements, fails)? {
                current = complement;
                count = (count - 1).min(current.len()).max(2);
                continue;
            }
        }
        if count >= current.len() {
            break;
        }
        count = (2 * count).min(current.len());
    }
    if current.len() == 1 && fails(&[])?.is_some() {
        current.clear();
    }
    Ok(current)
}

fn first_failing<E>(
    sets: &[Vec<usize>],
    fails: &mut Narrow<'_, E>,
) -> Result<Option<Vec<usize>>, E> {
    for set in sets {
        if let Some(part) = fails(set)? {
            return Ok(Some(part));
        }
    }
    Ok(None)
}

/// As many parts as wanted, of nearly the same size.
fn split(items: &[usize], count: usize) -> Vec<Vec<usize>> {
    (0..count)
        .map(|part| {
            let (start, end) = (part * items.len() / count, (part + 1) * items.len() / count);
            items[start..end].to_vec()
        })
        .collect()
}

fn without(items: &[usize], part: &[usize]) -> Vec<usize> {
    let kept = items.iter().filter(|item| !part.contains(item));
    kept.copied().collect()
}

fn linear<E>(items: &[usize], fails: &mut Narrow<'_, E>) -> Result<Vec<usize>, E> {
    let mut current = items.to_vec();
    for item in items {
        if !current.contains(item) {
            continue;
        }
        if let Some(part) = fails(&without(&current, &[*item]))? {
            current = part;
        }
    }
    Ok(current)
}

/// The members of `items` that a minimal failing set needs besides the background.
fn quick_xplain<E>(
    background: &mut Vec<usize>,
    has_grown: bool,
    items: &[usize],
    fails: &mut Narrow<'_, E>,
) -> Result<Vec<usize>, E> {
    if items.is_empty() || (has_grown && fails(background)?.is_some()) {
        return Ok(Vec::new());
    }
    if items.len() == 1 {
        return Ok(items.to_vec());
    }
    // As in the linear search, the first items are given up first.
    let (first, second) = items.split_at(items.len() / 2);
    let size = background.len();
    background.extend_from_slice(second);
    let mut found = quick_xplain(background, true, first, fails)?;
    background.truncate(size);
    background.extend_from_slice(&found);
    let others = quick_xplain(background, !found.is_empty(), second, fails)?;
    background.truncate(size);
    found.extend(others);
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    const ALL: [Minimizer; 3] = [
        Minimizer::DeltaDebugging,
        Minimizer::Linear,
        Minimizer::QuickXplain,
    ];

    /// A set fails if it contains one of the conflicts; the result is one of them.
    fn check(count: usize, conflicts: &[&[usize]]) {
        for minimizer in ALL {
            let items: Vec<usize> = (0..count).collect();
            let mut fails = |set: &[usize]| {
                let found = conflicts
                    .iter()
                    .any(|conflict| conflict.iter().all(|item| set.contains(item)));
                Ok::<bool, Infallible>(found)
            };
            let Ok(found) = minimize(minimizer, &items, &mut fails);
            assert!(
                conflicts.contains(&found.as_slice()),
                "{minimizer:?} found {found:?}"
            );
            let mut narrows = |set: &[usize]| {
                let mut known = conflicts.iter();
                let found = known.find(|conflict| conflict.iter().all(|item| set.contains(item)));
                Ok::<_, Infallible>(found.map(|conflict| conflict.to_vec()))
            };
            let Ok(found) = narrow(minimizer, &items, &mut narrows);
            assert!(
                conflicts.contains(&found.as_slice()),
                "{minimizer:?} narrowed to {found:?}"
            );
        }
    }

    #[test]
    fn one_member() {
        check(40, &[&[17]]);
    }

    #[test]
    fn members_far_apart() {
        check(50, &[&[0, 24, 49]]);
    }

    #[test]
    fn one_of_several_conflicts() {
        check(30, &[&[1, 2, 3], &[3, 4], &[20, 29]]);
    }

    #[test]
    fn everything() {
        check(5, &[&[0, 1, 2, 3, 4]]);
    }

    #[test]
    fn nothing_is_needed() {
        check(6, &[&[]]);
    }
}
