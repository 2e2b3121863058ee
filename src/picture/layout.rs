//! Where the nodes of a picture stand: in rows, by how far they are from where it begins.
//!
//! Rows are the layers of a breadth-first search; within a row, nodes are ordered by the mean
//! place of those that lead to them, twice down and once up, which removes most crossings of
//! graphs that people can look at.

use super::Picture;
use std::collections::VecDeque;

pub const LINE: usize = 16;
const LETTER: usize = 7;
const BETWEEN: usize = 36;
const MARGIN: usize = 20;
/// Labels stand between the rows.
const ROW_GAP: usize = 76;
const LONGEST: usize = 44;

/// The box of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub left: usize,
    pub top: usize,
    pub width: usize,
    pub height: usize,
    pub row: usize,
}

pub struct Layout {
    pub places: Vec<Place>,
    pub width: usize,
    pub height: usize,
}

impl Layout {
    /// Whether the second box is the next one to the right of the first, in its row.
    pub fn are_neighbours(&self, first: &Place, second: &Place) -> bool {
        let mut places = self.places.iter();
        let is_between =
            |one: &Place| one.row == first.row && one.left > first.left && one.left < second.left;
        second.left > first.left && !places.any(is_between)
    }
}

/// A line that is not too long to be drawn.
pub fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    }
}

pub fn layout(picture: &Picture) -> Layout {
    let rows = ordered(picture);
    let mut places = vec![Place::default(); picture.nodes.len()];
    let mut top = MARGIN;
    let mut widest = 0;
    for (row, nodes) in rows.iter().enumerate() {
        let mut left = MARGIN;
        let mut tallest = 0;
        for node in nodes {
            let lines = &picture.nodes[*node].lines;
            let longest = lines
                .iter()
                .map(|line| shortened(line).chars().count())
                .max();
            let width = longest.unwrap_or(0).max(3) * LETTER + 20;
            let height = lines.len().max(1) * LINE + 10;
            places[*node] = Place {
                left,
                top,
                width,
                height,
                row,
            };
            left += width + BETWEEN;
            tallest = tallest.max(height);
        }
        widest = widest.max(left);
        top += tallest + ROW_GAP;
    }
    // Each row is centred.
    for nodes in &rows {
        let last = nodes
            .last()
            .map_or(0, |node| places[*node].left + places[*node].width);
        let shift = (widest.saturating_sub(last + MARGIN)) / 2;
        nodes.iter().for_each(|node| places[*node].left += shift);
    }
    Layout {
        places,
        // Edges that lead upwards go round at the right.
        width: widest + 2 * ROW_GAP,
        height: (top + MARGIN).saturating_sub(ROW_GAP),
    }
}

/// The nodes of each row, from left to right.
fn ordered(picture: &Picture) -> Vec<Vec<usize>> {
    let count = picture.nodes.len();
    let mut successors = vec![Vec::new(); count];
    let mut predecessors = vec![Vec::new(); count];
    for edge in &picture.edges {
        successors[edge.from].push(edge.to);
        predecessors[edge.to].push(edge.from);
    }
    let mut row_of: Vec<Option<usize>> = vec![None; count];
    let mut rows: Vec<Vec<usize>> = Vec::new();
    let mut queue: VecDeque<(usize, usize)> =
        picture.starts.iter().map(|node| (*node, 0)).collect();
    let mut rest = 0..count;
    loop {
        while let Some((node, row)) = queue.pop_front() {
            if row_of[node].is_some() {
                continue;
            }
            row_of[node] = Some(row);
            if rows.len() <= row {
                rows.push(Vec::new());
            }
            rows[row].push(node);
            queue.extend(successors[node].iter().map(|next| (*next, row + 1)));
        }
        // What nothing leads to stands in the first row.
        match rest.find(|node| row_of[*node].is_none()) {
            Some(node) => queue.push_back((node, 0)),
            None => break,
        }
    }
    let mut place = vec![0.0; count];
    for pass in 0..3 {
        let neighbours = if pass == 1 {
            &successors
        } else {
            &predecessors
        };
        for nodes in &mut rows {
            let wish = |node: &usize| {
                let near = &neighbours[*node];
                match near.len() {
                    0 => place[*node],
                    count => near.iter().map(|one| place[*one]).sum::<f64>() / count as f64,
                }
            };
            let mut wished: Vec<(f64, usize)> =
                nodes.iter().map(|node| (wish(node), *node)).collect();
            wished.sort_by(|one, other| one.0.total_cmp(&other.0));
            *nodes = wished.into_iter().map(|(_, node)| node).collect();
            let size = nodes.len() as f64;
            for (index, node) in nodes.iter().enumerate() {
                place[*node] = index as f64 - size / 2.0;
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::tests::small;

    #[test]
    fn boxes_do_not_overlap_and_lie_inside() {
        let layout = layout(&small());
        for (index, one) in layout.places.iter().enumerate() {
            assert!(one.left + one.width <= layout.width && one.top + one.height <= layout.height);
            for other in &layout.places[index + 1..] {
                let apart = one.left + one.width <= other.left
                    || other.left + other.width <= one.left
                    || one.top + one.height <= other.top
                    || other.top + other.height <= one.top;
                assert!(apart, "{one:?} {other:?}");
            }
        }
    }
}
