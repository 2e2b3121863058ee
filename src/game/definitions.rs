//! Choices that the guarantee defines: where a conjunct says `y <-> f` and nothing in `f`
//! depends on `y`, the system has one move, whatever the state is.
//!
//! Specifications of arithmetic are made of such conjuncts. Their games have few states or
//! none, and yet a diagram of all bits of a product, or of 224 sums in an unlucky order, is
//! too large. So the guarantee is taken apart, defined choices become gates, and the game is
//! about the rest. The method is syntactic, as gate extraction in preprocessors of quantified
//! formulas is; exclusive ors are found in their usual form of three gates, alone or chained.
//!
//! Invariant: the system wins what is left from the same states as the whole, and a choice
//! that is not defined has the same winning moves in both.

use crate::design::{Design, InputKind, Latch, Literal, Node, NodeId, Reach, Reset};
use std::collections::{BTreeMap, HashMap, HashSet};

/// An exclusive or of more signals than this is not taken apart.
const MOST_SIGNALS: usize = 64;

/// What is left of a game in which nothing is assumed in every step.
pub struct Defined {
    /// The design with gates in the place of the choices that are defined.
    pub design: Design,
    /// What is left for the system to keep.
    pub guarantee: Vec<Literal>,
    /// Whether something was found in the next value of a latch, so that a step that breaks it
    /// is bad a step later in the game as it was given.
    pub is_delayed: bool,
}

/// Whether an odd number of these signals is true, or an even number.
#[derive(Clone, Debug)]
struct Parity {
    signals: Vec<NodeId>,
    is_odd: bool,
}

/// Takes a guarantee apart; `None` if it defines no choice. With an assumption this would be
/// wrong: a choice may break that one in place of the guarantee.
pub fn defined(design: &Design, guarantee: &[Literal]) -> Option<Defined> {
    let (mut conjuncts, is_delayed) = conjuncts(design, guarantee);
    let equations = equations(design, &mut conjuncts);
    let mut design = design.clone();
    let before = design.inputs().len();
    for equation in equations {
        let whole = definition(&design, &equation.parity);
        let found = whole.or_else(|| definition(&design, &equation.parity.taken_apart(&design)?));
        match found {
            Some((choice, value)) => {
                let literal = value.literal(&mut design);
                design.drive(choice, literal, usize::MAX);
            }
            None => conjuncts.extend(equation.written),
        }
    }
    (design.inputs().len() < before).then_some(Defined {
        design,
        guarantee: conjuncts,
        is_delayed,
    })
}

impl Parity {
    /// Of two literals that differ.
    fn of_different(left: Literal, right: Literal) -> Parity {
        let mut signals = vec![left.node(), right.node()];
        if left.node() == right.node() {
            signals.clear();
        }
        Parity {
            signals,
            is_odd: left.is_complemented() == right.is_complemented(),
        }
    }

    /// In signals that are no exclusive ors themselves; `None` if there are too many of them.
    fn taken_apart(&self, design: &Design) -> Option<Parity> {
        let mut is_odd = self.is_odd;
        let mut is_counted: BTreeMap<NodeId, bool> = BTreeMap::new();
        let mut pending: Vec<Literal> = self.signals.iter().map(|one| one.literal()).collect();
        while let Some(literal) = pending.pop() {
            is_odd ^= literal.is_complemented();
            let signal = literal.node();
            if let Some((left, right)) = exclusive(design, signal.literal()) {
                pending.extend([left, right]);
            } else {
                let counted = is_counted.entry(signal).or_default();
                *counted = !*counted;
            }
            if is_counted.len() + pending.len() > MOST_SIGNALS {
                return None;
            }
        }
        let signals = is_counted.into_iter().filter(|(_, is_counted)| *is_counted);
        Some(Parity {
            signals: signals.map(|(signal, _)| signal).collect(),
            is_odd,
        })
    }

    /// Whether there are as many as said.
    fn literal(&self, design: &mut Design) -> Literal {
        let mut value = Literal::constant(!self.is_odd);
        for signal in &self.signals {
            value = design.xor(value, signal.literal());
        }
        value
    }
}

/// The literals that have to be true in every step, and whether some are read from the next
/// value of a latch: to keep a latch that starts at 0 there is to keep its next value at 0.
fn conjuncts(design: &Design, guarantee: &[Literal]) -> (Vec<Literal>, bool) {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut is_delayed = false;
    let mut pending = guarantee.to_vec();
    while let Some(literal) = pending.pop() {
        if literal == Literal::TRUE || !seen.insert(literal) {
            continue;
        }
        match design.node(literal.node()) {
            Node::And(left, right) if !literal.is_complemented() => pending.extend([left, right]),
            Node::Latch(Latch { next, reset })
                if (reset == Reset::Zero && literal.is_complemented())
                    || (reset == Reset::One && !literal.is_complemented()) =>
            {
                is_delayed = true;
                pending.push(next.complement_if(literal.is_complemented()));
            }
            _ => found.push(literal),
        }
    }
    (found, is_delayed)
}

/// An exclusive or that has to be true, and the conjuncts that say so.
struct Equation {
    parity: Parity,
    written: Vec<Literal>,
}

/// Takes the exclusive ors out of the conjuncts: `!(a & b)` together with `!(!a & !b)`, and
/// the complement of a gate that is one.
fn equations(design: &Design, conjuncts: &mut Vec<Literal>) -> Vec<Equation> {
    let operands = |literal: Literal| {
        let gate = design.gate(literal.node());
        gate.filter(|_| literal.is_complemented()).map(sorted)
    };
    let by_operands: HashMap<(Literal, Literal), Literal> = conjuncts
        .iter()
        .filter_map(|one| Some((operands(*one)?, *one)))
        .collect();
    let mut found = Vec::new();
    let mut used = HashSet::new();
    for one in conjuncts.iter() {
        let Some((left, right)) = operands(*one) else {
            continue;
        };
        let (sides, written) = match by_operands.get(&sorted((!left, !right))) {
            Some(other) if one < other => ((left, right), vec![*one, *other]),
            Some(_) => continue,
            None => match exclusive(design, !*one) {
                Some((left, right)) => ((left, !right), vec![*one]),
                None => continue,
            },
        };
        used.extend(written.iter().copied());
        let parity = Parity::of_different(sides.0, sides.1);
        found.push(Equation { parity, written });
    }
    conjuncts.retain(|one| !used.contains(one));
    found
}

fn sorted((left, right): (Literal, Literal)) -> (Literal, Literal) {
    (left.min(right), left.max(right))
}

/// `a` and `b` if the literal is a gate for `a ^ b`: `!(a & b) & !(!a & !b)`.
fn exclusive(design: &Design, literal: Literal) -> Option<(Literal, Literal)> {
    let (left, right) = design.gate(literal.node())?;
    if literal.is_complemented() || !left.is_complemented() || !right.is_complemented() {
        return None;
    }
    let (a, b) = sorted(design.gate(left.node())?);
    let other = sorted(design.gate(right.node())?);
    (sorted((!a, !b)) == other).then_some((a, b))
}

/// A choice in an equation on which no other of its signals depends, and when it is true.
fn definition(design: &Design, parity: &Parity) -> Option<(NodeId, Parity)> {
    let mut choices = parity.signals.iter().copied();
    choices.find_map(|choice| {
        if design.input_kind(choice) != Some(InputKind::Choice) {
            return None;
        }
        let others = parity.signals.iter().filter(|one| **one != choice);
        let signals: Vec<NodeId> = others.copied().collect();
        let cone = design.cone(signals.iter().map(|one| one.literal()), Reach::Cycle);
        // The choice is true if the others alone are not as many as there have to be.
        let is_odd = !parity.is_odd;
        (!cone.contains(choice)).then_some((choice, Parity { signals, is_odd }))
    })
}
