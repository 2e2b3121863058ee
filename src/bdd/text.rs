//! Diagrams as text: a form that reads back, and Graphviz.
//!
//! ```text
//! bdd 1
//! order b a
//! 1 = a ? T : F
//! 2 = b ? 1 : !1
//! f = !2
//! ```
//!
//! `order` names the variables from the top down; each numbered line is a node, children
//! first; each other line names a function. Reading makes the functions of the named
//! variables, in whatever order the manager has them.

use super::function::Bdd;
use super::inspect::visit_nodes;
use super::kernel::Edge;
use super::limits::Error;
use super::manager::{Manager, Variable};
use std::collections::HashMap;
use std::fmt;
use std::fmt::Write;

/// What is wrong with a text, and in which line, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParseError {
    Syntax { line: usize, message: String },
    Limit(Error),
}

impl fmt::Display for ParseError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParseError::Syntax { line, message } => write!(formatter, "line {line}: {message}"),
            ParseError::Limit(error) => error.fmt(formatter),
        }
    }
}

impl std::error::Error for ParseError {}

impl From<Error> for ParseError {
    fn from(error: Error) -> ParseError {
        ParseError::Limit(error)
    }
}

/// The numbers that the text gives to nodes.
struct Numbering(HashMap<Edge, usize>);

impl Numbering {
    fn name(&self, edge: Edge) -> String {
        match edge {
            Edge::ONE => "T".to_string(),
            Edge::ZERO => "F".to_string(),
            _ => {
                let sign = if edge.is_complemented() { "!" } else { "" };
                format!("{sign}{}", self.0[&edge.regular()])
            }
        }
    }
}

impl Manager {
    /// The functions as text. Names must be words without blanks that do not begin with a
    /// digit or `!`; function names must differ.
    pub fn to_text(&self, functions: &[(&str, &Bdd)], name: impl Fn(Variable) -> String) -> String {
        let kernel = self.kernel();
        let edges: Vec<Edge> = functions
            .iter()
            .map(|(_, function)| function.edge())
            .collect();
        let mut order = self.shared_support(&functions.iter().map(|f| f.1).collect::<Vec<_>>());
        order.sort_by_key(|variable| kernel.level_of(variable.0));
        let mut text = "bdd 1\norder".to_string();
        for variable in order {
            let _ = write!(text, " {}", name(variable));
        }
        text.push('\n');
        let mut numbering = Numbering(HashMap::new());
        visit_nodes(&kernel, &edges, |edge| {
            let (variable, low, high) = kernel.expand(edge);
            let number = numbering.0.len() + 1;
            let (high, low) = (numbering.name(high), numbering.name(low));
            let _ = writeln!(
                text,
                "{number} = {} ? {high} : {low}",
                name(Variable(variable))
            );
            numbering.0.insert(edge, number);
        });
        for (function_name, function) in functions {
            let _ = writeln!(
                text,
                "{function_name} = {}",
                numbering.name(function.edge())
            );
        }
        text
    }

    /// Reads what [`Manager::to_text`] writes; `variable` finds a variable by its name.
    pub fn from_text(
        &self,
        text: &str,
        variable: impl Fn(&str) -> Option<Variable>,
    ) -> Result<Vec<(String, Bdd)>, ParseError> {
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line.trim_end()) != Some("bdd 1") {
            return Err(syntax(1, "expected the header 'bdd 1'"));
        }
        let mut nodes: HashMap<String, Bdd> = HashMap::new();
        nodes.insert("T".to_string(), self.one());
        nodes.insert("F".to_string(), self.zero());
        let mut functions = Vec::new();
        for (index, line) in lines {
            let words: Vec<&str> = line.split_whitespace().collect();
            let find = |word: &str| {
                let (name, negated) = match word.strip_prefix('!') {
                    Some(name) => (name, true),
                    None => (word, false),
                };
                let node = nodes.get(name).ok_or_else(|| {
                    syntax(index + 1, &format!("no node '{name}' before this line"))
                })?;
                Ok::<Bdd, ParseError>(if negated { node.not() } else { node.clone() })
            };
            match words[..] {
                [] | ["order", ..] => {}
                [number, "=", test, "?", high, ":", low] => {
                    let test = variable(test)
                        .ok_or_else(|| syntax(index + 1, &format!("no variable '{test}'")))?;
                    let (high, low) = (find(high)?, find(low)?);
                    let node = self.literal(test)?.ite(&high, &low)?;
                    nodes.insert(number.to_string(), node);
                }
                [name, "=", edge] => {
                    let function = find(edge)?;
                    functions.push((name.to_string(), function));
                }
                _ => {
                    let expected = "expected 'N = variable ? high : low' or 'name = node'";
                    return Err(syntax(index + 1, expected));
                }
            }
        }
        Ok(functions)
    }

    /// The functions as a Graphviz graph: solid then-edges, dashed else-edges, dotted
    /// complemented else-edges.
    pub fn to_dot(&self, functions: &[(&str, &Bdd)], name: impl Fn(Variable) -> String) -> String {
        let kernel = self.kernel();
        let quote = |text: &str| format!("{:?}", text);
        let edges: Vec<Edge> = functions
            .iter()
            .map(|(_, function)| function.edge())
            .collect();
        let style = |edge: Edge| {
            if edge.is_complemented() {
                "dotted"
            } else {
                "dashed"
            }
        };
        let mut text = "digraph bdd {\n  n0 [shape=box, label=\"1\"];\n".to_string();
        for (index, (function_name, function)) in functions.iter().enumerate() {
            let arrow = if function.edge().is_complemented() {
                "dotted"
            } else {
                "solid"
            };
            let _ = writeln!(
                text,
                "  f{index} [shape=plaintext, label={}];",
                quote(function_name)
            );
            let _ = writeln!(
                text,
                "  f{index} -> n{} [style={arrow}];",
                function.edge().index()
            );
        }
        visit_nodes(&kernel, &edges, |edge| {
            let (variable, low, high) = kernel.expand(edge);
            let index = edge.index();
            let _ = writeln!(
                text,
                "  n{index} [label={}];",
                quote(&name(Variable(variable)))
            );
            let _ = writeln!(text, "  n{index} -> n{} [style=solid];", high.index());
            let _ = writeln!(
                text,
                "  n{index} -> n{} [style={}];",
                low.index(),
                style(low)
            );
        });
        text.push_str("}\n");
        text
    }
}

fn syntax(line: usize, message: &str) -> ParseError {
    ParseError::Syntax {
        line,
        message: message.to_string(),
    }
}
