//! A value that is too long for a line, as a function that is added to its module.
//!
//! Of few bits it is a table, one row for each combination whose value is not the most common
//! one; of many bits the expressions stand in it, one for each bit of the value.

use crate::design::function::Function;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::Design;
use std::collections::{BTreeMap, BTreeSet};

/// Expressions that are longer are put into a function.
pub const LONGEST_EXPRESSION: usize = 200;
/// Values of at most so many bits are tables.
const WIDEST_TABLE: usize = 6;
/// What the function is called, and what it reads.
const NAME: &str = "repair_value";
const READ: &str = "read";

/// The call, and the text of the function. `taken` says which names are not free.
pub fn added(
    functions: &[Function],
    name: &dyn Fn(NodeId) -> String,
    taken: &dyn Fn(&str) -> bool,
) -> (String, String) {
    let mut nodes = BTreeSet::new();
    for function in functions {
        function.signals(&mut |literal: Literal| {
            nodes.insert(literal.node());
        });
    }
    let nodes: Vec<NodeId> = nodes.into_iter().collect();
    let numbered = (2..).map(|number| format!("{NAME}{number}"));
    let own = std::iter::once(NAME.to_string()).chain(numbered);
    let own = own
        .into_iter()
        .find(|name| !taken(name))
        .unwrap_or_default();
    let (width, count) = (functions.len(), nodes.len());
    let body = if count <= WIDEST_TABLE {
        table(functions, &nodes, &own)
    } else {
        let at = |node: NodeId| {
            let index = nodes.binary_search(&node).unwrap_or_default();
            format!("{READ}[{index}]")
        };
        let bits = functions.iter().rev().map(|function| match function {
            Function::Constant(value) => format!("1'b{}", u8::from(*value)),
            function => function.text(&at),
        });
        let bits: Vec<String> = bits.collect();
        format!(
            "    {own} = {{\n      {}\n    }};\n",
            bits.join(",\n      ")
        )
    };
    let text = format!(
        "  function [{}:0] {own};\n    input [{}:0] {READ};\n{body}  endfunction\n",
        width - 1,
        count - 1
    );
    let arguments: Vec<String> = nodes.iter().rev().map(|node| name(*node)).collect();
    (format!("{own}({{{}}})", arguments.join(", ")), text)
}

fn table(functions: &[Function], nodes: &[NodeId], own: &str) -> String {
    let (width, count) = (functions.len(), nodes.len());
    let mut rows: Vec<(usize, String)> = Vec::new();
    for row in 0..1usize << count {
        let mut value = String::new();
        for function in functions.iter().rev() {
            let fixed = function.with_signals(&mut |literal| {
                let index = nodes.binary_search(&literal.node()).unwrap_or_default();
                Literal::constant((row >> index & 1 == 1) != literal.is_complemented())
            });
            let bit = fixed.build(&mut Design::new()) == Literal::TRUE;
            value.push(if bit { '1' } else { '0' });
        }
        rows.push((row, value));
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, value) in &rows {
        *counts.entry(value).or_default() += 1;
    }
    let common = counts.into_iter().max_by_key(|(_, count)| *count);
    let common = common
        .map(|(value, _)| value.to_string())
        .unwrap_or_default();
    let mut text = format!("    case ({READ})\n");
    for (row, value) in rows.iter().filter(|(_, value)| *value != common) {
        text += &format!("      {count}'b{row:0>count$b}: {own} = {width}'b{value};\n");
    }
    text + &format!("      default: {own} = {width}'b{common};\n    endcase\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::InputKind;

    #[test]
    fn few_bits_are_a_table() {
        let mut design = Design::new();
        let a = design.add_input(InputKind::Environment);
        let b = design.add_input(InputKind::Environment);
        let name = |node: NodeId| if node == a { "a" } else { "b" }.to_string();
        let both = Function::And(vec![
            Function::Signal(a.literal()),
            Function::Signal(!b.literal()),
        ]);
        let (call, text) = added(&[both], &name, &|name| name == NAME);
        assert_eq!(call, "repair_value2({b, a})");
        assert_eq!(
            text,
            "  function [0:0] repair_value2;\n    input [1:0] read;\n    case (read)\n      \
             2'b01: repair_value2 = 1'b1;\n      default: repair_value2 = 1'b0;\n    endcase\n  \
             endfunction\n"
        );
    }

    #[test]
    fn many_bits_are_expressions() {
        let mut design = Design::new();
        let inputs: Vec<NodeId> = (0..7)
            .map(|_| design.add_input(InputKind::Environment))
            .collect();
        let all = inputs.iter().map(|id| Function::Signal(id.literal()));
        let all = Function::And(all.collect());
        let name = |node: NodeId| format!("n{}", node.index());
        let (_, text) = added(&[all, Function::Constant(true)], &name, &|_| false);
        assert!(text.contains("function [1:0] repair_value;"), "{text}");
        assert!(text.contains("1'b1,\n      read[0] & read[1]"), "{text}");
    }
}
