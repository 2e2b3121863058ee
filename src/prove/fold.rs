//! Conjunctions that need no gate, or a simpler one, because of what their operands say.
//!
//! Beside constants and equal operands, the gates of both operands are looked at [BB06]. No
//! step makes a gate more than the conjunction itself would be, and each replaces an operand
//! by one below it, so that there is an end.

use crate::design::{Literal, NodeId};

type Operands = (Literal, Literal);

/// A literal that equals a conjunction, or the operands of the gate that it needs, in order.
pub fn conjunction(
    gate: impl Fn(NodeId) -> Option<Operands>,
    left: Literal,
    right: Literal,
) -> Result<Literal, Operands> {
    let mut operands = (left, right);
    loop {
        let (first, second) = (operands.0.min(operands.1), operands.0.max(operands.1));
        if first == Literal::FALSE || first == !second {
            return Ok(Literal::FALSE);
        } else if first == Literal::TRUE || first == second {
            return Ok(second);
        }
        let (inner, other) = (gate(first.node()), gate(second.node()));
        let step = (inner.and_then(|inner| with_operand(first, inner, second)))
            .or_else(|| with_operand(second, other?, first))
            .or_else(|| with_gate((first, inner?), (second, other?)))
            .or_else(|| with_gate((second, other?), (first, inner?)));
        match step {
            None => return Err((first, second)),
            Some(Step::Is(literal)) => return Ok(literal),
            Some(Step::And(left, right)) => operands = (left, right),
        }
    }
}

/// What a conjunction is instead.
enum Step {
    Is(Literal),
    And(Literal, Literal),
}

/// A gate, or its complement, and a literal.
fn with_operand(gate: Literal, (left, right): Operands, other: Literal) -> Option<Step> {
    let excludes = left == !other || right == !other;
    if !gate.is_complemented() {
        return if excludes {
            Some(Step::Is(Literal::FALSE))
        } else if left == other || right == other {
            Some(Step::Is(gate))
        } else {
            None
        };
    }
    if excludes {
        Some(Step::Is(other))
    } else if left == other {
        Some(Step::And(other, !right))
    } else if right == other {
        Some(Step::And(other, !left))
    } else {
        None
    }
}

/// Two gates, or their complements.
fn with_gate(
    (gate, (left, right)): (Literal, Operands),
    (other, (first, second)): (Literal, Operands),
) -> Option<Step> {
    let pairs = [(left, right), (right, left)];
    let others = [(first, second), (second, first)];
    let mut all = pairs
        .into_iter()
        .flat_map(|pair| others.into_iter().map(move |other| (pair, other)));
    match (gate.is_complemented(), other.is_complemented()) {
        (false, false) => all.find_map(|((one, _), (same, rest))| {
            if one == !same {
                Some(Step::Is(Literal::FALSE))
            } else {
                (one == same).then_some(Step::And(gate, rest))
            }
        }),
        (true, false) => all.find_map(|((one, rest), (same, _))| {
            if one == !same {
                Some(Step::Is(other))
            } else {
                (one == same).then_some(Step::And(other, !rest))
            }
        }),
        (true, true) => all.find_map(|((one, rest), (same, opposite))| {
            (one == same && rest == !opposite).then_some(Step::Is(!one))
        }),
        // Asked the other way round.
        (false, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const INPUTS: usize = 4;

    /// Values of all nodes for all values of the inputs, a bit for each.
    fn of(table: &[u16], literal: Literal) -> u16 {
        let values = table[literal.node().index()];
        if literal.is_complemented() {
            !values
        } else {
            values
        }
    }

    /// Conjunctions of random gates over few inputs, against their truth tables.
    #[test]
    fn a_conjunction_means_the_same() {
        let mut saved = 0;
        for seed in 0..300 {
            let mut random = Random::new(seed);
            let mut gates: Vec<Option<Operands>> = vec![None; 1 + INPUTS];
            let mut table: Vec<u16> = vec![0, 0xaaaa, 0xcccc, 0xf0f0, 0xff00];
            for _ in 0..30 {
                let mut operand = || {
                    let node = NodeId::from_index(random.below(gates.len()));
                    node.literal().complement_if(random.flip())
                };
                let (left, right) = (operand(), operand());
                let wanted = of(&table, left) & of(&table, right);
                match conjunction(|id| gates[id.index()], left, right) {
                    Ok(literal) => {
                        assert_eq!(of(&table, literal), wanted, "seed {seed}");
                        saved += 1;
                    }
                    Err((left, right)) => {
                        let values = of(&table, left) & of(&table, right);
                        assert_eq!(values, wanted, "seed {seed}");
                        gates.push(Some((left, right)));
                        table.push(values);
                    }
                }
            }
        }
        assert!(saved > 1000, "{saved}");
    }

    /// Each rule by name, so that none is lost unseen.
    #[test]
    fn each_rule_is_used() {
        let input = |index: usize| NodeId::from_index(index).literal();
        let [a, b, c] = [1, 2, 3].map(input);
        let gates = [
            None,
            None,
            None,
            None,
            Some((a, b)),
            Some((a, c)),
            Some((a, !b)),
        ];
        let [ab, ac, a_not_b] = [4, 5, 6].map(input);
        let and = |left, right| conjunction(|id: NodeId| gates[id.index()], left, right);
        assert_eq!(and(ab, !a), Ok(Literal::FALSE));
        assert_eq!(and(ab, a), Ok(ab));
        assert_eq!(and(!ab, !a), Ok(!a));
        assert_eq!(and(!ab, a), Err((a, !b)));
        assert_eq!(and(ab, a_not_b), Ok(Literal::FALSE));
        assert_eq!(and(ab, ac), Err((c, ab)));
        assert_eq!(and(!a_not_b, ab), Ok(ab));
        assert_eq!(and(!ac, ab), Err((!c, ab)));
        assert_eq!(and(!ab, !a_not_b), Ok(!a));
    }
}
