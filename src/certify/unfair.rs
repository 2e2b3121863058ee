//! Layers of states by which no run is fair, as decision diagrams claim them: whether they are
//! such.
//!
//! The claim is a set R of states and sets W1, ..., Wn, with a fairness condition for each. A
//! state of R has index i if it is in W1, ..., Wi and not in W(i+1). Asked are questions about
//! one step, by a solver and by diagrams of their own in turns:
//!
//! - All initial states are in R and none is in Wn, and a step that keeps the constraint leads
//!   from R into R.
//! - For each i, a step from states of R in Wi and not in W(i+1) does not lead into W(i+1), and
//!   if it leads into Wi, it does not meet the condition of W(i+1). All states are in W0.
//!
//! Then no run is fair. Its first state has an index, and each step leads to a state with the
//! same index or a smaller one. From some step on the index stays the same, and the condition
//! that goes with it is never met again.

use super::claim::{StateSets, Step};
use super::claim_diagrams::Question;
use super::closed::{Way, in_turns, keeps_order};
use super::tableau::Product;
use crate::bdd::{Limits, Result};
use crate::design::Literal;
use crate::prove::Invariant;
use crate::sat::Solver;

/// The claim.
pub(super) struct Layers {
    /// W1, ..., Wn, and R behind them.
    pub sets: StateSets,
    /// For each layer the index of its condition among those of the product. A product without
    /// conditions has one that each step meets.
    pub conditions: Vec<usize>,
}

impl Layers {
    /// Whether the layers show that a product has no fair run.
    pub fn are_proof(&self, product: &Product, limits: &Limits) -> Result<bool> {
        let Some((reached, layers)) = self.sets.sets.split_last() else {
            return Ok(false);
        };
        if layers.len() != self.conditions.len() || !self.sets.is_about(&product.design) {
            return Ok(false);
        }
        in_turns(
            limits,
            |work| self.by_solver(product, layers, *reached, work, limits),
            |way, work| self.by_diagrams(product, way, work, limits),
        )
    }

    fn by_solver(
        &self,
        product: &Product,
        layers: &[Literal],
        reached: Literal,
        work: u64,
        limits: &Limits,
    ) -> Result<bool> {
        let claim = &self.sets;
        let (known, conditions) = (Invariant::default(), &product.fairness);
        let Some(mut step) = Step::new(product, conditions, claim, &known, work, limits) else {
            return Ok(false);
        };
        let innermost = layers.last().copied().unwrap_or(Literal::TRUE);
        for always in [reached, !innermost] {
            if !step.holds_at_first(product, claim, always, limits)? {
                return Ok(false);
            }
        }
        let now = step.now(claim, reached);
        step.check.solver.add_clause(&[now]);
        let next = step.next(claim, reached);
        if !step.is_impossible(&[!next])? {
            return Ok(false);
        }
        let mut outer = None;
        for (layer, condition) in layers.iter().zip(&self.conditions) {
            let (now, next) = (step.now(claim, *layer), step.next(claim, *layer));
            let mut enters = vec![!now, next];
            let mut meets = vec![!now];
            if let Some(condition) = conditions.get(*condition) {
                meets.push(step.check.literal(*condition));
            }
            if let Some((outer_now, outer_next)) = outer {
                enters.push(outer_now);
                meets.extend([outer_now, outer_next]);
            }
            if !step.is_impossible(&enters)? || !step.is_impossible(&meets)? {
                return Ok(false);
            }
            outer = Some((now, next));
        }
        Ok(true)
    }

    fn by_diagrams(&self, product: &Product, way: Way, work: u64, limits: &Limits) -> Result<bool> {
        let (known, conditions) = (Invariant::default(), &product.fairness);
        let (claim, is_kept) = (&self.sets, keeps_order(work));
        let question = Question::new(product, claim, &known, conditions, is_kept, work, limits)?;
        let Some(question) = question else {
            return Ok(false);
        };
        let Some((reached, layers)) = question.sets.split_last() else {
            return Ok(false);
        };
        let machine = &question.machine;
        let innermost = layers.last().cloned().unwrap_or(machine.one());
        if !machine.initial.is_subset_of(reached)?
            || !machine.initial.is_disjoint_from(&innermost)?
            || !question.lead_into(&question.steps_from(reached)?, reached, way)?
        {
            return Ok(false);
        }
        let mut outer = machine.one();
        for (layer, condition) in layers.iter().zip(&self.conditions) {
            let steps = question.steps_from(&outer.minus(layer)?)?;
            let met = match question.others.get(*condition) {
                Some(condition) => steps.and(condition)?,
                None => steps.clone(),
            };
            if !question.lead_into(&steps, &layer.not(), way)?
                || !question.lead_into(&met, &outer.not(), way)?
            {
                return Ok(false);
            }
            outer = layer.clone();
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fair::FairSearch;
    use super::super::machine::Machine;
    use super::super::random_product::random_product;
    use super::*;
    use crate::random::Random;

    const WORK: u64 = 1_000_000;

    /// A random product with some fairness conditions.
    fn random_fair_product(random: &mut Random) -> Product {
        let (mut product, bad) = random_product(random);
        let latches: Vec<Literal> = product
            .design
            .latches()
            .iter()
            .map(|id| id.literal())
            .collect();
        let mut literals = latches;
        literals.push(bad);
        product.fairness = (0..random.below(3))
            .map(|_| random.pick(&literals).complement_if(random.flip()))
            .collect();
        product
    }

    /// A claim with something changed in it.
    fn changed(layers: &Layers, product: &Product, random: &mut Random) -> Layers {
        let mut sets = layers.sets.clone();
        let mut conditions = layers.conditions.clone();
        let place = random.below(sets.sets.len());
        match random.below(4) {
            0 if place < conditions.len() => {
                sets.sets.remove(place);
                conditions.remove(place);
            }
            1 if place < conditions.len() => {
                conditions[place] = random.below(product.fairness.len().max(1));
            }
            2 if place > 0 => sets.sets.swap(place, place - 1),
            _ => {
                let input = *random.pick(sets.circuit.inputs());
                let literal = input.literal().complement_if(random.flip());
                sets.sets[place] = sets.circuit.and(sets.sets[place], literal);
            }
        }
        Layers { sets, conditions }
    }

    /// The claims of diagrams are confirmed by both judges; changed ones are judged alike, and
    /// none is accepted of a product that has a fair run.
    #[test]
    fn claims_of_random_products_are_judged_alike() {
        let limits = Limits::default();
        let (mut confirmed, mut accepted, mut refused, mut fair_runs) = (0, 0, 0, 0);
        for seed in 0..1_500 {
            let mut random = Random::new(seed);
            let product = random_fair_product(&mut random);
            let roots = &product.fairness;
            let (mut machine, fairness) = Machine::new(&product, roots, &[], &limits).unwrap();
            let mut search = FairSearch::new(&machine, &fairness);
            let fair = search.run(&mut machine).unwrap();
            let has_run = !fair.is_disjoint_from(&machine.initial).unwrap();
            let claim = search.layers(&machine, &product);
            let judge = |claim: &Layers| {
                let (reached, layers) = claim.sets.sets.split_last().unwrap();
                let by_solver = claim.by_solver(&product, layers, *reached, WORK, &limits);
                for way in [Way::Composing, Way::Walking] {
                    let by_diagrams = claim.by_diagrams(&product, way, WORK, &limits);
                    assert_eq!(by_solver, by_diagrams, "seed {seed}, {way:?}");
                }
                by_solver.unwrap()
            };
            assert_eq!(judge(&claim), !has_run, "seed {seed}");
            confirmed += usize::from(!has_run);
            fair_runs += usize::from(has_run);
            for _ in 0..3 {
                if judge(&changed(&claim, &product, &mut random)) {
                    accepted += 1;
                    assert!(!has_run, "seed {seed}");
                } else {
                    refused += usize::from(!has_run);
                }
            }
        }
        let counts = [confirmed, accepted, refused, fair_runs];
        assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    }

    #[test]
    fn claims_without_a_condition_for_each_layer_are_refused() {
        let mut random = Random::new(1);
        let product = random_fair_product(&mut random);
        let limits = Limits::default();
        let (machine, fairness) = Machine::new(&product, &product.fairness, &[], &limits).unwrap();
        let mut claim = FairSearch::new(&machine, &fairness).layers(&machine, &product);
        claim.conditions.push(0);
        assert!(!claim.are_proof(&product, &limits).unwrap());
        claim.sets.sets.clear();
        assert!(!claim.are_proof(&product, &limits).unwrap());
    }
}
