//! Graphs of strategies as pictures: for Graphviz, and as SVG that needs no other program.
//!
//! Enters: a [`Picture`] of plain texts, whoever made it. Leaves: DOT or SVG. Edges between
//! the same two nodes are one; `cubes` writes many settings as few.

mod cubes;
mod layout;
mod svg;

pub use cubes::{Cube, cubes};

use std::collections::BTreeMap;
use std::fmt::Write;

/// A graph to be looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    pub name: String,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// Where it begins.
    pub starts: Vec<usize>,
    /// What holds everywhere, or what was left out.
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    pub lines: Vec<String>,
    /// What it belongs to: the goal that is worked for there, or prevented.
    pub cluster: Option<String>,
    /// Why it stands out, if it does.
    pub remark: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// One for each way to go there.
    pub labels: Vec<String>,
}

impl Picture {
    pub fn new(name: &str) -> Picture {
        Picture {
            name: name.to_string(),
            ..Picture::default()
        }
    }

    /// All clusters, in the order of their first node.
    fn clusters(&self) -> Vec<&str> {
        let mut clusters = Vec::new();
        for cluster in self.nodes.iter().filter_map(|node| node.cluster.as_deref()) {
            if !clusters.contains(&cluster) {
                clusters.push(cluster);
            }
        }
        clusters
    }

    /// One node for each cluster, with how many nodes it has: what is left if there are too
    /// many to look at.
    pub fn summary(&self) -> Picture {
        let clusters = self.clusters();
        let place = |node: usize| {
            let cluster = self.nodes[node].cluster.as_deref();
            let found = clusters.iter().position(|one| Some(*one) == cluster);
            found.unwrap_or(clusters.len())
        };
        let mut counts = vec![0; clusters.len() + 1];
        (0..self.nodes.len()).for_each(|node| counts[place(node)] += 1);
        let names = clusters.iter().map(|one| one.to_string());
        let names = names.chain(["the rest".to_string()]);
        let nodes = names.zip(&counts).map(|(name, count)| Node {
            lines: vec![name.clone(), format!("{count} states")],
            cluster: Some(name),
            remark: None,
        });
        let mut nodes: Vec<Node> = nodes.collect();
        if counts[clusters.len()] == 0 {
            nodes.pop();
        }
        let mut between: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for edge in &self.edges {
            *between
                .entry((place(edge.from), place(edge.to)))
                .or_default() += 1;
        }
        let mut starts: Vec<usize> = self.starts.iter().map(|node| place(*node)).collect();
        starts.sort_unstable();
        starts.dedup();
        let edges = between.into_iter().map(|((from, to), count)| Edge {
            from,
            to,
            labels: vec![format!("{count}×")],
        });
        Picture {
            name: self.name.clone(),
            nodes,
            edges: edges.collect(),
            starts,
            notes: self.notes.clone(),
        }
    }

    /// For Graphviz.
    pub fn dot(&self) -> String {
        let mut text = format!("digraph \"{}\" {{\n", quoted(&self.name));
        text.push_str("  node [shape=box, style=rounded];\n  start [shape=point];\n");
        if !self.notes.is_empty() {
            let notes: Vec<String> = self.notes.iter().map(|one| quoted(one)).collect();
            let _ = writeln!(text, "  label=\"{}\";", notes.join("\\n"));
        }
        for (number, cluster) in self.clusters().iter().enumerate() {
            let _ = writeln!(text, "  subgraph cluster{number} {{");
            let _ = writeln!(text, "    label=\"{}\";", quoted(cluster));
            let own = self.nodes.iter().enumerate();
            for (index, node) in own.filter(|(_, node)| node.cluster.as_deref() == Some(cluster)) {
                let _ = writeln!(text, "    {}", node.dot(index));
            }
            text.push_str("  }\n");
        }
        let free = self.nodes.iter().enumerate();
        for (index, node) in free.filter(|(_, node)| node.cluster.is_none()) {
            let _ = writeln!(text, "  {}", node.dot(index));
        }
        for start in &self.starts {
            let _ = writeln!(text, "  start -> n{start};");
        }
        for edge in &self.edges {
            let labels: Vec<String> = edge.labels.iter().map(|one| quoted(one)).collect();
            let (from, to) = (edge.from, edge.to);
            let _ = writeln!(
                text,
                "  n{from} -> n{to} [label=\"{}\"];",
                labels.join("\\n")
            );
        }
        text.push_str("}\n");
        text
    }

    /// A picture by itself, with its colours.
    pub fn svg(&self) -> String {
        svg::svg(self, true)
    }

    /// A picture inside of a page, which has the colours.
    pub fn inline_svg(&self) -> String {
        svg::svg(self, false)
    }
}

impl Node {
    fn dot(&self, index: usize) -> String {
        let lines: Vec<String> = self.lines.iter().map(|one| quoted(one)).collect();
        let remark = match &self.remark {
            Some(remark) => format!(
                ", style=\"rounded,filled\", fillcolor=lightgray, tooltip=\"{}\"",
                quoted(remark)
            ),
            None => String::new(),
        };
        format!("n{index} [label=\"{}\"{remark}];", lines.join("\\n"))
    }
}

/// A text inside of quotes.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn small() -> Picture {
        let node = |line: &str, cluster: &str| Node {
            lines: vec![line.to_string()],
            cluster: Some(cluster.to_string()),
            remark: None,
        };
        let edge = |from, to, label: &str| Edge {
            from,
            to,
            labels: vec![label.to_string()],
        };
        Picture {
            name: "a \"b\"".to_string(),
            nodes: vec![node("x", "one"), node("<y>", "one"), node("z", "two")],
            edges: vec![
                edge(0, 1, "a & b"),
                edge(1, 2, "!a"),
                edge(2, 2, ""),
                edge(2, 0, "b"),
            ],
            starts: vec![0],
            notes: Vec::new(),
        }
    }

    #[test]
    fn graphviz_gets_a_cluster_for_each_goal() {
        let text = small().dot();
        for part in [
            "digraph \"a \\\"b\\\"\" {",
            "subgraph cluster1 {",
            "start -> n0;",
            "n1 -> n2 [label=\"!a\"];",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn a_summary_has_a_node_for_each_cluster_and_counts() {
        let summary = small().summary();
        assert_eq!(summary.nodes.len(), 2);
        assert_eq!(summary.nodes[0].lines, ["one", "2 states"]);
        let edges: Vec<_> = summary
            .edges
            .iter()
            .map(|edge| (edge.from, edge.to))
            .collect();
        assert_eq!(edges, [(0, 0), (0, 1), (1, 0), (1, 1)]);
    }
}
