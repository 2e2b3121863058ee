//! Whether a claimed ranking is one, so that no run of a product is fair.
//!
//! A round is complete in the step in which the last fairness condition holds that has not
//! held since the round before; a run is fair exactly if it completes infinitely many. What
//! has held is kept in latches that are added here, next to the product, without a look at
//! those of the prover. The claim is a common invariant, and sets of states L1, ..., Ln, each
//! given by clauses. A solver that has seen nothing of how they were found is asked:
//!
//! - The common clauses hold in all initial states, and a step that keeps the constraint leads
//!   from states in which they hold to states in which they hold. So all states of runs are
//!   among these, and only these are meant from here on.
//! - The clauses of Ln hold in all initial states.
//! - For each i, a step from Li that keeps the constraint and leads into none of L1, ..., L(i-1)
//!   leads into Li again and completes no round.
//!
//! Then no run is fair. Call Di the union of L1, ..., Li. By induction on i, a run that is once
//! in Di stays there and completes finitely many rounds from then on: for D0, which is empty,
//! nothing has to be shown. A run in Di that is ever in D(i-1) satisfies the claim from there
//! on, and the steps before are finitely many. One that never is in D(i-1) starts in Li, and each
//! step leads into none of the earlier sets, so it leads into Li and completes no round. All
//! runs start in Ln, which is part of Dn.

use super::invariant::{self, Check};
use super::tableau::Product;
use crate::bdd::{Limits, Result};
use crate::design::{Design, Literal, NodeId, Reset};
use crate::prove::{Invariant, Ranking, RoundBound, StateLiteral};
use crate::sat::{self, Solver};

/// Whether a ranking shows that a product has no fair run.
pub(super) fn is_proof(product: &Product, ranking: &Ranking, limits: &Limits) -> Result<bool> {
    let rounds = Rounds::new(product);
    let Some(common) = rounds.clauses(&ranking.common) else {
        return Ok(false);
    };
    let mut layers = Vec::new();
    for layer in &ranking.layers {
        match rounds.clauses(layer) {
            Some(clauses) => layers.push(clauses),
            None => return Ok(false),
        }
    }
    let Some(last) = layers.last() else {
        return Ok(false);
    };
    let first = common.iter().chain(last);
    Ok(starts(&rounds, first, limits)? && continues(product, &rounds, &common, &layers, limits)?)
}

/// Whether a product has no fair run because each run completes at most so many rounds. They
/// are counted here once more; that the count goes no further is a question about bad steps.
pub(super) fn is_bounded(product: &Product, bound: &RoundBound, limits: &Limits) -> Result<bool> {
    let mut rounds = Rounds::new(product);
    let exceeded = rounds.count(bound.most);
    let Some(clauses) = rounds.clauses(&bound.clauses) else {
        return Ok(false);
    };
    let invariant = Invariant { clauses, depth: 0 };
    let counting = Product {
        design: rounds.design,
        constraint: product.constraint,
        fairness: Vec::new(),
    };
    Ok(invariant::is_inductive(&counting, &invariant, limits)?
        && invariant::excludes(&counting, &invariant, exceeded, limits)?)
}

type Clause = Vec<Literal>;

/// The product with latches that tell when a round is complete.
struct Rounds {
    design: Design,
    latches: Vec<NodeId>,
    complete: Literal,
    /// The n-th holds if more than n rounds were complete before.
    counter: Vec<NodeId>,
}

impl Rounds {
    fn new(product: &Product) -> Rounds {
        let mut design = product.design.clone();
        let conditions = &product.fairness;
        if conditions.len() < 2 {
            return Rounds {
                design,
                latches: Vec::new(),
                complete: conditions.first().copied().unwrap_or(Literal::TRUE),
                counter: Vec::new(),
            };
        }
        let mut latches = Vec::new();
        let mut complete = Literal::TRUE;
        for condition in conditions {
            let latch = design.add_latch(Reset::Zero);
            let met = design.or(*condition, latch.literal());
            complete = design.and(complete, met);
            latches.push(latch);
        }
        for (latch, condition) in latches.iter().zip(conditions) {
            let met = design.or(*condition, latch.literal());
            let kept = design.and(!complete, met);
            design.set_next(*latch, kept);
        }
        Rounds {
            design,
            latches,
            complete,
            counter: Vec::new(),
        }
    }

    /// Counts rounds up to a number; what is given back holds in a step that completes more.
    fn count(&mut self, most: usize) -> Literal {
        let mut reached = Literal::TRUE;
        for _ in 0..most {
            let latch = self.design.add_latch(Reset::Zero);
            let arrives = self.design.and(reached, self.complete);
            let next = self.design.or(arrives, latch.literal());
            self.design.set_next(latch, next);
            reached = latch.literal();
            self.counter.push(latch);
        }
        self.design.and(reached, self.complete)
    }

    /// Clauses over latches; none if a literal is about anything else.
    fn clauses(&self, claimed: &[Vec<StateLiteral>]) -> Option<Vec<Clause>> {
        let literal = |one: &StateLiteral| match one {
            StateLiteral::Latch(literal) => {
                let is_latch = self.design.latch(literal.node()).is_some();
                let mut added = self.latches.iter().chain(&self.counter);
                let is_added = added.any(|id| *id == literal.node());
                (is_latch && !is_added).then_some(*literal)
            }
            StateLiteral::Seen { condition, holds } => {
                let latch = self.latches.get(*condition)?;
                Some(latch.literal().complement_if(!holds))
            }
            StateLiteral::Counted { rounds, holds } => {
                let latch = self.counter.get(*rounds)?;
                Some(latch.literal().complement_if(!holds))
            }
        };
        let clauses = claimed.iter();
        clauses
            .map(|clause| clause.iter().map(literal).collect())
            .collect()
    }

    fn next(&self, literal: &Literal) -> Literal {
        let latch = self.design.latch(literal.node());
        let next = latch.map_or(Literal::FALSE, |latch| latch.next);
        next.complement_if(literal.is_complemented())
    }
}

/// Whether clauses hold in all initial states.
fn starts<'c>(
    rounds: &Rounds,
    clauses: impl Iterator<Item = &'c Clause>,
    limits: &Limits,
) -> Result<bool> {
    let clauses: Vec<&Clause> = clauses.collect();
    let literals = clauses.iter().flat_map(|clause| clause.iter().copied());
    let mut check = Check::of_initial_states(&rounds.design, literals, limits);
    for clause in clauses {
        if check.can_fail(clause)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether steps that keep the constraint keep the common clauses, and stay in each layer
/// without completing a round unless they lead into an earlier one.
fn continues(
    product: &Product,
    rounds: &Rounds,
    common: &[Clause],
    layers: &[Vec<Clause>],
    limits: &Limits,
) -> Result<bool> {
    let literals = || common.iter().chain(layers.iter().flatten()).flatten();
    let roots = literals().map(|literal| rounds.next(literal));
    let roots = roots.chain(literals().copied());
    let roots = roots.chain([rounds.complete, product.constraint]);
    let mut check = Check::new(&rounds.design, roots, limits);
    let after = |clause: &Clause| -> Clause {
        let literals = clause.iter();
        literals.map(|literal| rounds.next(literal)).collect()
    };
    check.require(&[product.constraint]);
    for clause in common {
        check.require(clause);
    }
    for clause in common {
        if check.can_fail(&after(clause))? {
            return Ok(false);
        }
    }
    for clause in common {
        check.require(&after(clause));
    }
    for layer in layers {
        // Holds if the step starts in the layer.
        let from_here = check.solver.new_variable();
        for clause in layer {
            check.require_if(from_here, clause);
        }
        if check.can_fail_if(from_here, &[!rounds.complete])? {
            return Ok(false);
        }
        for clause in layer {
            if check.can_fail_if(from_here, &after(clause))? {
                return Ok(false);
            }
        }
        check.solver.add_clause(&[!from_here]);
        exclude(&mut check, layer.iter().map(after));
    }
    Ok(true)
}

/// Some clause does not hold from now on.
fn exclude(check: &mut Check<'_>, clauses: impl Iterator<Item = Clause>) {
    let mut some = Vec::new();
    for clause in clauses {
        let broken: sat::Literal = check.solver.new_variable();
        for literal in clause {
            let literal = check.literal(literal);
            check.solver.add_clause(&[!broken, !literal]);
        }
        some.push(broken);
    }
    check.solver.add_clause(&some);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::InputKind;

    /// Two latches count the input up to 3 and stop; a round is a step that counts, which
    /// happens three times.
    fn counter() -> (Product, [Literal; 2], Literal) {
        let mut design = Design::new();
        let input = design.add_input(InputKind::Environment).literal();
        let [low, high] = [Reset::Zero, Reset::Zero].map(|reset| design.add_latch(reset));
        let full = design.and(low.literal(), high.literal());
        let count = design.and(input, !full);
        let next_low = design.xor(low.literal(), count);
        let carry = design.and(low.literal(), count);
        let next_high = design.xor(high.literal(), carry);
        design.set_next(low, next_low);
        design.set_next(high, next_high);
        let product = Product {
            design,
            constraint: Literal::TRUE,
            fairness: vec![count],
        };
        (product, [low.literal(), high.literal()], input)
    }

    type Layers = Vec<Vec<Vec<Literal>>>;

    fn check(product: &Product, layers: Layers) -> bool {
        let state = |literal: Literal| StateLiteral::Latch(literal);
        let clause = |clause: Vec<Literal>| clause.into_iter().map(state).collect();
        let layers = layers.into_iter();
        let ranking = Ranking {
            common: Vec::new(),
            layers: layers
                .map(|layer| layer.into_iter().map(clause).collect())
                .collect(),
        };
        is_proof(product, &ranking, &Limits::default()).unwrap()
    }

    /// Full; 2 or more; 1 or more; all.
    fn right(low: Literal, high: Literal) -> Layers {
        vec![
            vec![vec![low], vec![high]],
            vec![vec![high]],
            vec![vec![low, high]],
            vec![],
        ]
    }

    #[test]
    fn a_ranking_is_accepted() {
        let (product, [low, high], _) = counter();
        assert!(check(&product, right(low, high)));
    }

    /// The counter is as far as the rounds that were counted, which are three at most.
    fn bound(most: usize, [low, high]: [Literal; 2]) -> RoundBound {
        let counted = |rounds: usize, holds: bool| StateLiteral::Counted { rounds, holds };
        let latch = StateLiteral::Latch;
        RoundBound {
            most,
            clauses: vec![
                vec![counted(0, false), latch(low), latch(high)],
                vec![counted(1, false), latch(high)],
                vec![counted(2, false), latch(low)],
                vec![counted(2, false), counted(1, true)],
                vec![counted(1, false), counted(0, true)],
            ],
        }
    }

    #[test]
    fn a_number_of_rounds_is_accepted() {
        let (product, latches, _) = counter();
        let claim = bound(3, latches);
        assert!(is_bounded(&product, &claim, &Limits::default()).unwrap());
    }

    #[test]
    fn wrong_numbers_of_rounds_are_refused() {
        let (product, latches, input) = counter();
        let is_accepted = |product: &Product, claim: &RoundBound| {
            is_bounded(product, claim, &Limits::default()).unwrap()
        };
        let right = bound(3, latches);
        assert!(!is_accepted(&product, &bound(2, latches)), "one too few");
        for left_out in 0..3 {
            let mut claim = right.clone();
            claim.clauses.remove(left_out);
            assert!(!is_accepted(&product, &claim), "without clause {left_out}");
        }
        let mut wrong = right.clone();
        wrong.clauses.push(vec![StateLiteral::Latch(latches[0])]);
        assert!(
            !is_accepted(&product, &wrong),
            "a clause that does not hold"
        );
        let endless = Product {
            fairness: vec![input],
            ..product
        };
        assert!(!is_accepted(&endless, &right), "rounds without end");
    }

    #[test]
    fn each_layer_is_needed() {
        let (product, [low, high], _) = counter();
        for left_out in 0..4 {
            let mut layers = right(low, high);
            layers.remove(left_out);
            assert!(!check(&product, layers), "{left_out}");
        }
        assert!(!check(&product, Vec::new()));
    }

    #[test]
    fn layers_in_another_order_are_refused() {
        let (product, [low, high], _) = counter();
        let mut layers = right(low, high);
        layers.swap(0, 2);
        assert!(!check(&product, layers));
    }

    #[test]
    fn a_layer_that_steps_leave_is_refused() {
        let (product, [low, high], _) = counter();
        let mut layers = right(low, high);
        // Of 2 alone, which counting leaves for 3 before 3 has a layer.
        layers[0] = vec![vec![!low], vec![high]];
        assert!(!check(&product, layers));
    }

    #[test]
    fn clauses_about_inputs_are_refused() {
        let (product, [low, high], input) = counter();
        let mut layers = right(low, high);
        layers[3] = vec![vec![input, !input]];
        assert!(!check(&product, layers));
    }

    #[test]
    fn a_common_clause_that_is_no_invariant_is_refused() {
        let (product, [low, high], _) = counter();
        let ranking = |common: Vec<Vec<StateLiteral>>| Ranking {
            common,
            layers: vec![vec![vec![StateLiteral::Latch(low)]], vec![]],
        };
        let check = |common| is_proof(&product, &ranking(common), &Limits::default()).unwrap();
        // With it everything could be shown.
        assert!(!check(vec![vec![StateLiteral::Latch(high)]]));
        assert!(!check(vec![vec![StateLiteral::Latch(!high)]]));
    }

    /// Conditions that hold in turns for ever, as an input likes.
    #[test]
    fn conditions_that_are_met_are_not_excluded() {
        let (mut product, [low, _], input) = counter();
        product.fairness = vec![input, !input];
        let seen = |holds| StateLiteral::Seen {
            condition: 0,
            holds,
        };
        for layers in [
            vec![vec![]],
            vec![vec![vec![seen(true)]], vec![]],
            vec![vec![vec![seen(false)]], vec![]],
            vec![vec![vec![seen(true)]], vec![vec![seen(false)]]],
            vec![vec![vec![StateLiteral::Latch(low)]], vec![]],
        ] {
            let ranking = Ranking {
                common: Vec::new(),
                layers,
            };
            assert!(!is_proof(&product, &ranking, &Limits::default()).unwrap());
        }
    }

    /// The same condition twice: it is never the one and not the other that was seen.
    #[test]
    fn what_was_seen_of_conditions_counts() {
        let (mut product, [low, high], _) = counter();
        product.fairness.push(product.fairness[0]);
        let state = |literal: Literal| StateLiteral::Latch(literal);
        let layers: Vec<Vec<Vec<StateLiteral>>> = right(low, high)
            .into_iter()
            .map(|layer| {
                let clauses = layer.into_iter();
                clauses
                    .map(|clause| clause.into_iter().map(state).collect())
                    .collect()
            })
            .collect();
        let check = |holds: Option<bool>| {
            let seen = |condition, holds| vec![StateLiteral::Seen { condition, holds }];
            let common = holds.map(|holds| vec![seen(0, holds), seen(1, holds)]);
            let ranking = Ranking {
                common: common.unwrap_or_default(),
                layers: layers.clone(),
            };
            is_proof(&product, &ranking, &Limits::default()).unwrap()
        };
        assert!(check(Some(false)));
        assert!(!check(Some(true)));
        assert!(!check(None));
    }
}
