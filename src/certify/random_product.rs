//! Small products for tests.

use super::tableau::Product;
use crate::design::{Design, InputKind, Literal, NodeId, Reset};
use crate::random::Random;

const INPUTS: usize = 4;
const LATCHES: usize = 4;

/// Gates over inputs and latches, a bad literal, and a constraint that is often true.
pub(super) fn random_product(random: &mut Random) -> (Product, Literal) {
    let mut design = Design::new();
    let mut literals = vec![Literal::TRUE];
    for _ in 0..INPUTS {
        literals.push(design.add_input(InputKind::Environment).literal());
    }
    let latches: Vec<NodeId> = (0..LATCHES)
        .map(|index| {
            let is_free = index % 2 == 0;
            design.add_latch(if is_free { Reset::Free } else { Reset::Zero })
        })
        .collect();
    literals.extend(latches.iter().map(|id| id.literal()));
    for _ in 0..16 {
        let mut operand = || random.pick(&literals).complement_if(random.flip());
        let (left, right) = (operand(), operand());
        literals.push(design.and(left, right));
    }
    let mut operand = || random.pick(&literals).complement_if(random.flip());
    for id in latches {
        design.set_next(id, operand());
    }
    let (bad, one, other) = (operand(), operand(), operand());
    let constraint = design.or(one, other);
    let product = Product {
        design,
        constraint,
        fairness: Vec::new(),
    };
    (product, bad)
}
