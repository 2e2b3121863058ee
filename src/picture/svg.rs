//! A picture as SVG: boxes, arrows between them, and a colour for each cluster.

use super::layout::{LINE, Layout, Place, layout, shortened};
use super::{Edge, Picture};
use std::fmt::Write;

/// Colours of clusters, by number; a page has variants of them for dark screens.
const COLOURS: [&str; 6] = [
    "#0550ae", "#8250df", "#116329", "#9a6700", "#b31d28", "#57606a",
];
/// Labels of one edge that are drawn; the rest are counted.
const MOST_LABELS: usize = 3;

const OWN_STYLE: &str = "<style>text{font:12px monospace;fill:#1b1f24}\
.node{fill:#fff;stroke-width:1.5}.edge{fill:none;stroke:#57606a}.arrow{fill:#57606a}\
.label{text-anchor:middle;stroke:#fff;stroke-width:4px;paint-order:stroke}.remark{fill:#e6e9ee}</style>\
<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>";

pub fn svg(picture: &Picture, is_whole: bool) -> String {
    let found = layout(picture);
    let clusters = picture.clusters();
    let legend = picture.notes.len() + clusters.len();
    let (width, height) = (found.width.max(420), found.height + legend * LINE + 8);
    let name = escaped(&picture.name);
    let (head, style) = match is_whole {
        true => (" xmlns=\"http://www.w3.org/2000/svg\"", OWN_STYLE),
        false => ("", ""),
    };
    let mut text = format!(
        "<svg{head} class=\"graph\" role=\"img\" aria-label=\"{name}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">{style}<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" \
         markerWidth=\"7\" markerHeight=\"7\" orient=\"auto-start-reverse\"><path class=\"arrow\" d=\"M0 0L8 4L0 8Z\"/>\
         </marker></defs>"
    );
    let mut labels = String::new();
    for edge in &picture.edges {
        let is_like = |end: fn(&Edge) -> usize| {
            let edges = picture.edges.iter();
            edges.filter(|other| end(other) == end(edge)).count()
        };
        let meets = is_like(|one| one.to) > is_like(|one| one.from);
        draw_edge(&mut text, &mut labels, edge, meets, &found);
    }
    for start in &picture.starts {
        let place = found.places[*start];
        let x = place.left + 14;
        let _ = write!(
            text,
            "<path class=\"edge\" marker-end=\"url(#tip)\" d=\"M{x} {}V{}\"/>",
            place.top.saturating_sub(18),
            place.top
        );
    }
    for (node, place) in picture.nodes.iter().zip(&found.places) {
        let cluster = node.cluster.as_deref();
        let number = clusters.iter().position(|one| Some(*one) == cluster);
        let colour = number.map_or(COLOURS[5], |number| COLOURS[number % COLOURS.len()]);
        let class = if node.remark.is_some() {
            "node remark"
        } else {
            "node"
        };
        let title = node.remark.as_deref().or(cluster).unwrap_or_default();
        let _ = write!(
            text,
            "<g><title>{}</title><rect class=\"{class}\" stroke=\"{colour}\" x=\"{}\" y=\"{}\" width=\"{}\" \
             height=\"{}\" rx=\"6\"/>",
            escaped(title),
            place.left,
            place.top,
            place.width,
            place.height
        );
        for (index, line) in node.lines.iter().enumerate() {
            let _ = write!(
                text,
                "<text x=\"{}\" y=\"{}\">{}</text>",
                place.left + 10,
                place.top + 17 + index * LINE,
                escaped(&shortened(line))
            );
        }
        text.push_str("</g>");
    }
    text.push_str(&labels);
    let mut y = found.height + 4;
    for (number, cluster) in clusters.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let _ = write!(
            text,
            "<rect x=\"20\" y=\"{}\" width=\"11\" height=\"11\" fill=\"{colour}\"/><text x=\"38\" y=\"{y}\">{}</text>",
            y - 10,
            escaped(cluster)
        );
        y += LINE;
    }
    for note in &picture.notes {
        let _ = write!(text, "<text x=\"20\" y=\"{y}\">{}</text>", escaped(note));
        y += LINE;
    }
    text.push_str("</svg>\n");
    text
}

/// Draws an arrow; its label comes later, over all arrows. Labels are where edges are apart:
/// near the beginning of one that `meets` others at its end, near the end otherwise.
fn draw_edge(text: &mut String, labels: &mut String, edge: &Edge, meets: bool, found: &Layout) {
    let (from, to) = (found.places[edge.from], found.places[edge.to]);
    let middle = |place: &Place| place.left + place.width / 2;
    let (path, x, y) = if edge.from == edge.to {
        // Around the upper right corner: other arrows end at the middle of a side.
        let (right, top) = (from.left + from.width, from.top);
        let path = format!(
            "M{right} {}C{} {} {} {} {} {top}",
            top + 8,
            right + 34,
            top + 2,
            right - 2,
            top.saturating_sub(30),
            right - 10
        );
        (path, right + 24, top.saturating_sub(8))
    } else if to.row > from.row {
        let (x1, y1, x2, y2) = (middle(&from), from.top + from.height, middle(&to), to.top);
        let bend = (y2 - y1) / 2;
        let path = format!("M{x1} {y1}C{x1} {} {x2} {} {x2} {y2}", y1 + bend, y2 - bend);
        match meets {
            true => (path, (2 * x1 + x2) / 3, y1 + (y2 - y1) / 3),
            false => (path, (x1 + 2 * x2) / 3, y1 + 2 * (y2 - y1) / 3),
        }
    } else if to.row == from.row && !found.are_neighbours(&from, &to) {
        // Below the row, so that the arrow crosses no node of it.
        let (x1, y1) = (middle(&from), from.top + from.height);
        let (x2, y2) = (middle(&to), to.top + to.height);
        let low = y1.max(y2) + 32;
        let path = format!("M{x1} {y1}C{x1} {low} {x2} {low} {x2} {y2}");
        (path, (x1 + x2) / 2, low - 4)
    } else if to.row == from.row {
        let (x1, y1) = (from.left + from.width, from.top + from.height / 2);
        let (x2, y2) = (to.left, to.top + to.height / 2);
        let path = format!("M{x1} {y1}C{} {y1} {} {y2} {x2} {y2}", x1 + 12, x2 - 12);
        (path, (x1 + x2) / 2, y1.min(y2).saturating_sub(6))
    } else {
        let (x1, y1) = (from.left + from.width, from.top + from.height / 2);
        let (x2, y2) = (to.left + to.width, to.top + to.height / 2);
        let out = x1.max(x2) + 40 + 8 * (from.row - to.row).min(12);
        (
            format!("M{x1} {y1}C{out} {y1} {out} {y2} {x2} {y2}"),
            out.saturating_sub(12),
            (y1 + y2) / 2,
        )
    };
    let _ = write!(
        text,
        "<path class=\"edge\" marker-end=\"url(#tip)\" d=\"{path}\"/>"
    );
    let mut shown: Vec<String> = edge
        .labels
        .iter()
        .filter(|one| !one.is_empty())
        .take(MOST_LABELS)
        .cloned()
        .collect();
    if edge.labels.len() > MOST_LABELS {
        shown.push(format!("and {} more", edge.labels.len() - MOST_LABELS));
    }
    for (index, label) in shown.iter().enumerate() {
        let _ = write!(
            labels,
            "<text class=\"label\" x=\"{x}\" y=\"{}\">{}</text>",
            y + index * (LINE - 3),
            escaped(&shortened(label))
        );
    }
}

fn escaped(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => shown.push_str("&amp;"),
            '<' => shown.push_str("&lt;"),
            '>' => shown.push_str("&gt;"),
            '"' => shown.push_str("&quot;"),
            _ if character.is_control() => shown.push('\u{fffd}'),
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use crate::picture::tests::small;
    use crate::picture::{Edge, Node, Picture};

    /// The corners of a box, and of the arrow that ends there: `M x y C ... x y`.
    fn numbers(text: &str) -> Vec<usize> {
        let words = text.split(|one: char| !one.is_ascii_digit());
        words.filter_map(|word| word.parse().ok()).collect()
    }

    #[test]
    fn an_arrow_within_a_row_crosses_no_node_of_it() {
        let node = |name: &str| Node {
            lines: vec![name.to_string()],
            ..Node::default()
        };
        let edge = |from, to| Edge {
            from,
            to,
            labels: vec!["x".to_string()],
        };
        // Three nodes where it begins: one row.
        let picture = Picture {
            nodes: ["a", "b", "c"].map(node).to_vec(),
            edges: vec![edge(2, 0), edge(0, 2), edge(1, 0), edge(0, 1)],
            starts: vec![0, 1, 2],
            ..Picture::default()
        };
        let text = picture.svg();
        let arrows = text.split("d=\"M").skip(2).take(4);
        let shapes: Vec<Vec<usize>> = arrows
            .map(|one| numbers(one.split('"').next().unwrap_or_default()))
            .collect();
        for shape in &shapes[..3] {
            let [_, start, _, low, _, also_low, _, end] = shape[..] else {
                panic!("{shape:?}");
            };
            assert!(
                low > start && also_low > end,
                "{shape:?} stays below the row"
            );
        }
        // Neighbours have a straight one, from the right side of one to the left side of the other.
        assert!(
            shapes[3][0] < shapes[3][6] && shapes[3][1] == shapes[3][7],
            "{shapes:?}"
        );
    }

    #[test]
    fn a_picture_has_all_nodes_and_edges_and_no_markup_of_names() {
        let text = small().svg();
        assert_eq!(text.matches("<rect class=\"node\"").count(), 3, "{text}");
        assert_eq!(text.matches("class=\"edge\"").count(), 5, "{text}");
        assert!(
            text.contains("&lt;y&gt;") && !text.contains("<y>"),
            "{text}"
        );
    }
}
