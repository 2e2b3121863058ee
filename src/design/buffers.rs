//! A design without buffers and constant gates.

use super::literal::Literal;
use super::netlist::{Design, Node, Reset, Word};

impl Design {
    /// The same design in which nothing reads a buffer or a gate with a constant operand.
    /// Nodes keep their indices; gates that nothing reads any more stay. A design with a
    /// combinational loop is given back as it is. The name of a buffer goes to what is behind
    /// it, unless that has one.
    pub fn without_buffers(&self) -> Design {
        let Ok(order) = self.topological_order() else {
            return self.clone();
        };
        let mut values: Vec<Literal> = self.node_ids().map(|id| id.literal()).collect();
        let value = |values: &[Literal], literal: Literal| {
            values[literal.node().index()].complement_if(literal.is_complemented())
        };
        let mut result = self.clone();
        for id in order {
            let Some((left, right)) = self.gate(id) else {
                continue;
            };
            let (left, right) = (value(&values, left), value(&values, right));
            match folded(left, right) {
                Some(literal) => {
                    values[id.index()] = literal;
                    result.move_name(id, literal);
                }
                None => result.replace(id, Node::And(left, right)),
            }
        }
        for id in self.latches() {
            if let Some(latch) = self.latch(*id) {
                result.set_next(*id, value(&values, latch.next));
                if let Reset::Computed(literal) = latch.reset {
                    result.set_reset(*id, Reset::Computed(value(&values, literal)));
                }
            }
        }
        for (index, output) in self.outputs().iter().enumerate() {
            result.set_output(index, value(&values, output.literal));
        }
        let words = self.words().iter().map(|word| Word {
            bits: word.bits.iter().map(|bit| value(&values, *bit)).collect(),
            ..word.clone()
        });
        result.set_words(words.collect());
        result
    }
}

/// What a conjunction is if it is one of its operands or a constant.
fn folded(left: Literal, right: Literal) -> Option<Literal> {
    match (left, right) {
        (Literal::FALSE, _) | (_, Literal::FALSE) => Some(Literal::FALSE),
        (Literal::TRUE, other) | (other, Literal::TRUE) => Some(other),
        _ if left == right => Some(left),
        _ if left == !right => Some(Literal::FALSE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::design::{Design, InputKind, Literal, Reset};

    #[test]
    fn readers_of_buffers_read_what_is_behind_them() {
        let mut design = Design::new();
        let input = design.add_input(InputKind::Environment).literal();
        let buffer = design.add_gate(Literal::TRUE, !input).literal();
        let constant = design.add_gate(buffer, Literal::FALSE).literal();
        let latch = design.add_latch(Reset::Zero);
        let both = design.add_gate(!buffer, latch.literal()).literal();
        design.set_next(latch, !constant);
        design.add_output(None, both, None);
        let plain = design.without_buffers();
        assert_eq!(plain.latch(latch).map(|one| one.next), Some(Literal::TRUE));
        assert_eq!(plain.gate(both.node()), Some((input, latch.literal())));
        assert!(plain.is_same_circuit(&design));
    }
}
