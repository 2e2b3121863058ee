//! Template: the index of another select near by, in place of an index. Copied lines that were
//! not changed everywhere have such faults, above all in loops.

use super::expression::Context;
use super::{Kind, Lister, cost};
use crate::expr::Expr;

/// How many other indices are tried, the nearest ones.
const MOST_INDICES: usize = 8;

impl Lister<'_> {
    pub(super) fn other_indices(&mut self, index: &Expr, context: Context) {
        let Some(span) = index.span else {
            return;
        };
        let own = self.text(span);
        let file = &self.sources.file(span.file).text;
        let mut near: Vec<(usize, &str)> = indices_of(file, span.start as usize)
            .filter(|(_, text)| *text != own)
            .collect();
        near.sort_by_key(|(distance, _)| *distance);
        let mut texts: Vec<String> = Vec::new();
        let near = near.into_iter().flat_map(|(_, text)| parts_of(text));
        for text in near {
            if texts.len() < MOST_INDICES && texts.iter().all(|known| known != text) {
                texts.push(text.to_string());
            }
        }
        for text in texts {
            self.edit(span, text, Kind::Signal, cost::INDEX, context);
        }
    }
}

/// What stands in brackets of a text and names something, as far as it selects one element or
/// says where a part begins, with the distance from a position. A text that means something
/// else, such as a part of a comment, gives an edit that cannot be read.
fn indices_of(text: &str, position: usize) -> impl Iterator<Item = (usize, &str)> {
    let from = position.saturating_sub(REACH);
    let brackets = text.bytes().enumerate().skip(from).take(2 * REACH);
    let brackets = brackets.filter(|(_, byte)| *byte == b'[');
    brackets.filter_map(move |(at, _)| {
        let inner = text.get(at + 1..)?;
        let inner = &inner[..inner.find([']', '\n'])?];
        let start = match inner.split_once(':') {
            None => inner,
            Some((start, _)) => start.strip_suffix(['+', '-'])?,
        };
        let start = start.trim();
        let names_something = start.contains(|one: char| one.is_alphabetic() || one == '_');
        let is_whole = !start.contains(['[', '\'']);
        (names_something && is_whole).then(|| (at.abs_diff(position), start))
    })
}

/// An index, and what stands in parentheses in it: `(i-1)*WIDTH` and `i-1`.
fn parts_of(index: &str) -> impl Iterator<Item = &str> {
    let inner = index.rsplit('(').filter_map(|after| after.split_once(')'));
    let inner = inner.map(|(part, _)| part).filter(|part| !part.is_empty());
    std::iter::once(index).chain(inner)
}

/// How far away in the text another select may stand.
const REACH: usize = 1_200;

#[cfg(test)]
mod tests {
    use super::{indices_of, parts_of};

    #[test]
    fn elements_and_starts_of_parts_are_indices_and_ranges_are_not() {
        let text = "a[i - 1] = b[3:0] + c[(i-1)*W +: W] + d[2] + e[8'h1] + f[k[0]]; // [";
        let found: Vec<&str> = indices_of(text, 0).map(|(_, index)| index).collect();
        assert_eq!(found, ["i - 1", "(i-1)*W"]);
        assert!(parts_of("(i-1)*W").eq(["(i-1)*W", "i-1"]));
        assert!(parts_of("((i)+(j))").eq(["((i)+(j))", "j", "i"]));
    }
}
