//! The same circuit with fewer nodes: what outputs do not depend on is left out, equal gates
//! are one, and gates whose operands make one of them superfluous are replaced.

use crate::design::{Design, InputKind, Literal, Node, NodeId, Output};
use std::collections::HashMap;

/// Inputs keep their order and names.
pub fn tidied(design: &Design) -> Design {
    let mut current = swept(&design.without_redundant_latches());
    loop {
        let next = swept(&current.without_redundant_latches());
        if next.len() >= current.len() {
            return current;
        }
        current = next;
    }
}

/// Two-input gates and latches: what the size of a circuit is measured by.
pub fn size(design: &Design) -> usize {
    design.gates().count() + design.latches().len()
}

/// Gates made so far, by their operands.
#[derive(Default)]
pub struct Hashed(HashMap<(Literal, Literal), Literal>);

impl Hashed {
    /// A conjunction, with the rules that look one gate deep.
    pub fn and(&mut self, design: &mut Design, left: Literal, right: Literal) -> Literal {
        let (left, right) = (left.max(right), left.min(right));
        if left == Literal::FALSE || right == Literal::FALSE || left == !right {
            return Literal::FALSE;
        }
        if left == Literal::TRUE || left == right {
            return right;
        }
        if right == Literal::TRUE {
            return left;
        }
        for (one, other) in [(left, right), (right, left)] {
            let Some((a, b)) = design.gate(one.node()) else {
                continue;
            };
            if !one.is_complemented() {
                if a == other || b == other {
                    return one;
                }
                if a == !other || b == !other {
                    return Literal::FALSE;
                }
            } else {
                // `!(a & b) & a` is `a & !b`.
                if a == other {
                    return self.and(design, other, !b);
                }
                if b == other {
                    return self.and(design, other, !a);
                }
                if a == !other || b == !other {
                    return other;
                }
            }
        }
        if let Some(known) = self.0.get(&(left, right)) {
            return *known;
        }
        let gate = design.and(left, right);
        self.0.insert((left, right), gate);
        gate
    }
}

/// The same with the outputs of these names only, in this order.
pub fn swept_to(design: &Design, names: &[String]) -> Design {
    let outputs = names.iter().filter_map(|name| {
        let mut outputs = design.outputs().iter();
        outputs.find(|output| output.name.as_ref() == Some(name))
    });
    copied(design, outputs.cloned().collect())
}

/// What outputs depend on, with equal gates joined.
pub fn swept(design: &Design) -> Design {
    copied(design, design.outputs().to_vec())
}

fn copied(design: &Design, outputs: Vec<Output>) -> Design {
    let mut result = Design::new();
    let mut known: HashMap<NodeId, Literal> = HashMap::new();
    known.insert(Literal::FALSE.node(), Literal::FALSE);
    for id in design.inputs() {
        let input = result.add_input(design.input_kind(*id).unwrap_or(InputKind::Environment));
        if let Some(name) = design.name(*id) {
            result.set_name(input, name);
        }
        known.insert(*id, input.literal());
    }
    let mut hashed = Hashed::default();
    let mut latches: Vec<(NodeId, Literal)> = Vec::new();
    for output in &outputs {
        let output = output.literal;
        copy(
            design,
            &mut result,
            &mut known,
            &mut hashed,
            &mut latches,
            output,
        );
    }
    let mut index = 0;
    while index < latches.len() {
        let (latch, next) = latches[index];
        let next = copy(
            design,
            &mut result,
            &mut known,
            &mut hashed,
            &mut latches,
            next,
        );
        result.set_next(latch, next);
        index += 1;
    }
    for output in &outputs {
        let literal = known[&output.literal.node()].complement_if(output.literal.is_complemented());
        result.add_output(output.name.clone(), literal, output.span);
    }
    result
}

/// The literal of the copy that has the value of a literal of the design. Latches that are
/// met are added to the list with the next values that are still to be copied.
fn copy(
    design: &Design,
    result: &mut Design,
    known: &mut HashMap<NodeId, Literal>,
    hashed: &mut Hashed,
    latches: &mut Vec<(NodeId, Literal)>,
    literal: Literal,
) -> Literal {
    let mut pending = vec![literal.node()];
    while let Some(&id) = pending.last() {
        if known.contains_key(&id) {
            pending.pop();
            continue;
        }
        match design.node(id) {
            Node::And(left, right) => {
                let of = |literal: Literal| {
                    let own = known.get(&literal.node());
                    own.map(|own| own.complement_if(literal.is_complemented()))
                };
                match (of(left), of(right)) {
                    (Some(left), Some(right)) => {
                        let gate = hashed.and(result, left, right);
                        known.insert(id, gate);
                        pending.pop();
                    }
                    (found, _) => pending.push(if found.is_none() {
                        left.node()
                    } else {
                        right.node()
                    }),
                }
            }
            Node::Latch(latch) => {
                let own = result.add_latch(latch.reset);
                if let Some(name) = design.name(id) {
                    result.set_name(own, name);
                }
                known.insert(id, own.literal());
                latches.push((own, latch.next));
                pending.pop();
            }
            Node::Constant | Node::Input(_) => {
                known.insert(id, Literal::FALSE);
                pending.pop();
            }
        }
    }
    known[&literal.node()].complement_if(literal.is_complemented())
}
