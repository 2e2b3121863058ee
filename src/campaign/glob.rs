//! Patterns of file names: `*` and `?` stand for letters other than `/`, `[a-c]` and `[!a-c]` for
//! one of them, and a part `**` for any number of directories. A name that begins with a dot is
//! meant only by a part that does, too.

/// Whether a text is a pattern, and not the name of one file.
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Whether a path with `/` between its parts is one that the pattern means.
pub fn matches(pattern: &str, path: &str) -> bool {
    let parts = |text: &'_ str| -> Vec<String> { text.split('/').map(str::to_string).collect() };
    matches_parts(&parts(pattern), &parts(path))
}

/// Whether paths that begin with these directories can be meant, so that it is worth looking
/// into the last one.
pub fn may_begin_with(pattern: &str, directory: &str) -> bool {
    let mut parts = pattern.split('/');
    for name in directory.split('/') {
        match parts.next() {
            Some("**") => return true,
            Some(part) if matches_part(part, name) => {}
            _ => return false,
        }
    }
    parts.next().is_some()
}

fn matches_parts(pattern: &[String], path: &[String]) -> bool {
    let Some((first, rest)) = pattern.split_first() else {
        return path.is_empty();
    };
    if first == "**" {
        let visible = path
            .iter()
            .take_while(|name| !name.starts_with('.'))
            .count();
        return (0..=visible).any(|skipped| matches_parts(rest, &path[skipped..]));
    }
    match path.split_first() {
        Some((name, others)) => matches_part(first, name) && matches_parts(rest, others),
        None => false,
    }
}

/// One part. A star is tried again one letter later whenever what follows does not fit, so the
/// time is at most the product of the lengths.
fn matches_part(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    if name.first() == Some(&'.') && pattern.first() != Some(&'.') {
        return false;
    }
    let (mut at, mut here) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while here < name.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, here));
            at += 1;
        } else if let Some(after) = one(&pattern, at, name[here]) {
            (at, here) = (after, here + 1);
        } else if let Some((star_at, star_here)) = star {
            star = Some((star_at, star_here + 1));
            (at, here) = (star_at + 1, star_here + 1);
        } else {
            return false;
        }
    }
    pattern[at..].iter().all(|symbol| *symbol == '*')
}

/// Where the pattern goes on after one letter; `None` if it means another one.
fn one(pattern: &[char], at: usize, letter: char) -> Option<usize> {
    match pattern.get(at)? {
        '?' => Some(at + 1),
        '[' => match class(pattern, at, letter) {
            Some((true, after)) => Some(after),
            Some((false, _)) => None,
            None => (letter == '[').then_some(at + 1),
        },
        symbol => (*symbol == letter).then_some(at + 1),
    }
}

/// Whether a letter is in the class that begins here, and where it ends; `None` if it does not
/// end.
fn class(pattern: &[char], at: usize, letter: char) -> Option<(bool, usize)> {
    let is_negated = matches!(pattern.get(at + 1), Some('!' | '^'));
    let start = at + 1 + usize::from(is_negated);
    let mut here = start;
    let mut found = false;
    loop {
        let low = *pattern.get(here)?;
        if low == ']' && here > start {
            return Some((found != is_negated, here + 1));
        }
        let range = (pattern.get(here + 1) == Some(&'-')).then(|| pattern.get(here + 2));
        match range.flatten() {
            Some(high) if *high != ']' => {
                found |= (low..=*high).contains(&letter);
                here += 3;
            }
            _ => {
                found |= low == letter;
                here += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, meant: &[&str], not_meant: &[&str]) {
        for path in meant {
            assert!(matches(pattern, path), "{pattern} means {path}");
            for (index, _) in path.match_indices('/') {
                assert!(may_begin_with(pattern, &path[..index]), "{pattern} {path}");
            }
        }
        for path in not_meant {
            assert!(!matches(pattern, path), "{pattern} does not mean {path}");
        }
    }

    #[test]
    fn a_star_stays_in_its_part() {
        check(
            "hdl/*/a*.v",
            &["hdl/x/a.v", "hdl/y/ab.v"],
            &["hdl/a.v", "hdl/x/y/a.v", "hdl/x/b.v"],
        );
        check("*a*b", &["ab", "xaab", "aabab"], &["ba", "abc"]);
    }

    #[test]
    fn two_stars_are_any_number_of_directories() {
        check(
            "**/t.v",
            &["t.v", "a/t.v", "a/b/t.v"],
            &["a/.git/t.v", "a/t.vh"],
        );
        check("a/**", &["a/b", "a/b/c"], &["b/a"]);
    }

    #[test]
    fn classes_and_single_letters() {
        check("[a-c]?.v", &["ax.v", "c1.v"], &["dx.v", "a.v"]);
        check("[!a]b", &["bb"], &["ab"]);
        check("a[b", &["a[b"], &["ab"]);
    }

    #[test]
    fn hidden_names_are_meant_by_hidden_patterns_only() {
        check(".*", &[".x"], &["x"]);
        check("*", &["x"], &[".x"]);
    }

    #[test]
    fn many_stars_do_not_take_long() {
        let name = "a".repeat(3_000);
        assert!(!matches(&("*a".repeat(40) + "b"), &name));
    }
}
