//! States that no step leaves, as decision diagrams claim them: whether that is so, and whether
//! none of their steps is bad.
//!
//! Both are questions about one step, to a solver and to diagrams of their own in turns, each
//! time with more work, until one of them answers: for what took a search to find an answer has
//! to come, too, as long as limits allow. The answer that a claim is wrong is a defect of ours.

use super::claim::{StateSets, stays_by_solver};
use super::claim_diagrams;
use super::invariant::Check;
use super::tableau::Product;
use crate::bdd::{Error, Limits, Result};
use crate::design::Literal;
use crate::prove::Invariant;

/// What the solver may do at first: what is easy for it, it answers at once.
const FIRST_EFFORT: u64 = 1_000_000;
/// What diagrams may do then by composing, and how that grows: they come first, because the
/// claims come from diagrams.
const EFFORT: u64 = 3_000_000;
/// Walking takes less memory and more work, so it may do so many times as much.
const WALKING: u64 = 4;
const GROWTH: u64 = 4;

/// Whether runs stay within the set of a claim.
pub(super) fn is_closed(product: &Product, claim: &StateSets, limits: &Limits) -> Result<bool> {
    let known = Invariant::default();
    in_turns(
        limits,
        |work| stays_by_solver(product, &[], claim, &known, work, limits),
        |way, work| claim_diagrams::is_closed(product, claim, way, work, limits),
    )
}

/// Whether no step from the set of a claim is bad.
pub(super) fn excludes(
    product: &Product,
    claim: &StateSets,
    bad: Literal,
    limits: &Limits,
) -> Result<bool> {
    in_turns(
        limits,
        |work| excludes_by_solver(product, claim, bad, work, limits),
        |_, work| claim_diagrams::excludes(product, claim, bad, work, limits),
    )
}

/// The order of a claim is the one that the search has come to. To look for another one takes
/// longer than most checks; where so much work was not enough, it may be what is missing.
const KEEPS_ORDER: u64 = 100_000_000;

/// Whether diagrams that may do so much work keep the order of a claim.
pub(super) fn keeps_order(work: u64) -> bool {
    work < KEEPS_ORDER
}

/// How diagrams are asked whether steps lead into a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// With next values in the place of latches.
    Composing,
    /// Node by node of the set ([`walk`](super::walk)).
    Walking,
}

/// Asks both with growing work.
pub(super) fn in_turns(
    limits: &Limits,
    by_solver: impl Fn(u64) -> Result<bool>,
    by_diagrams: impl Fn(Way, u64) -> Result<bool>,
) -> Result<bool> {
    type Judge<'a> = &'a dyn Fn(u64) -> Result<bool>;
    let composing = |work| by_diagrams(Way::Composing, work);
    let walking = |work| by_diagrams(Way::Walking, work);
    let (composing, walking): (Judge, Judge) = (&composing, &walking);
    let most = limits.lookups.unwrap_or(u64::MAX);
    let first = std::iter::once((&by_solver as Judge, FIRST_EFFORT));
    let works = std::iter::successors(Some(EFFORT), |work| work.checked_mul(GROWTH));
    let later = works.flat_map(|work| {
        [
            (composing, work),
            (walking, work.saturating_mul(WALKING)),
            (&by_solver, work),
        ]
    });
    let mut spent: u64 = 0;
    for (judge, work) in first.chain(later) {
        // What cannot be answered at all is left to who set the limit.
        let work = work.min(most.saturating_sub(spent).max(FIRST_EFFORT));
        match judge(work) {
            // Diagrams that need too many nodes leave it to the solver.
            Err(Error::Effort | Error::Nodes | Error::Variables) => limits.check()?,
            answer => return answer,
        }
        spent = spent.saturating_add(work);
        if spent >= most {
            break;
        }
    }
    Err(Error::Effort)
}

fn excludes_by_solver(
    product: &Product,
    claim: &StateSets,
    bad: Literal,
    work: u64,
    limits: &Limits,
) -> Result<bool> {
    let (&[set], true) = (claim.sets.as_slice(), claim.is_about(&product.design)) else {
        return Ok(false);
    };
    let roots = [bad].into_iter();
    let mut check = Check::within(product, &Invariant::default(), roots, limits);
    check.allow(work);
    let inside = claim.literal(set, &product.design, &mut check);
    let bad = check.literal(bad);
    Ok(!check.can_hold(&[inside, bad])?)
}

#[cfg(test)]
mod tests {
    use super::super::machine::Machine;
    use super::super::random_product::random_product;
    use super::super::reach::{BadSearch, Rings};
    use super::*;
    use crate::random::Random;

    const WORK: u64 = 1_000_000;

    /// What the search from both ends claims of random products is confirmed by both judges.
    /// With one state less or more it is judged alike, and not accepted if the bad step can be
    /// reached.
    #[test]
    fn claims_of_random_products_are_judged_alike() {
        let limits = Limits::default();
        let (mut confirmed, mut refused, mut reached) = (0, 0, 0);
        for seed in 0..1_500 {
            let mut random = Random::new(seed);
            let (product, bad) = random_product(&mut random);
            let (mut machine, functions) = Machine::new(&product, &[bad], &[], &limits).unwrap();
            let Some(mut search) = BadSearch::new(&machine, &functions[0]).unwrap() else {
                continue;
            };
            let mut forward = Rings::forward(machine.initial.clone());
            let run = search.run(&mut machine, &mut forward).unwrap();
            let known = Invariant::default();
            let judge = |claim: &StateSets| {
                let closed = stays_by_solver(&product, &[], claim, &known, WORK, &limits);
                for way in [Way::Composing, Way::Walking] {
                    let by_diagrams =
                        claim_diagrams::is_closed(&product, claim, way, WORK, &limits);
                    assert_eq!(closed, by_diagrams, "seed {seed}, {way:?}");
                }
                let excludes = excludes_by_solver(&product, claim, bad, WORK, &limits);
                let by_diagrams = claim_diagrams::excludes(&product, claim, bad, WORK, &limits);
                assert_eq!(excludes, by_diagrams, "seed {seed}");
                closed.unwrap() && excludes.unwrap()
            };
            let set = match run {
                None => search.closed(&forward),
                Some(_) => forward.all.clone(),
            };
            let claim = machine.claim(&product, std::slice::from_ref(&set));
            assert_eq!(judge(&claim), run.is_none(), "seed {seed}");
            confirmed += usize::from(run.is_none());
            reached += usize::from(run.is_some());
            let states = [set.clone(), set.not()];
            let Some(state) = machine.pick_state(random.pick(&states)) else {
                continue;
            };
            let state = machine.state_set(&state).unwrap();
            let changed = set.xor(&state).unwrap();
            if judge(&machine.claim(&product, &[changed])) {
                assert!(run.is_none(), "seed {seed}");
            } else {
                refused += 1;
            }
        }
        let counts = [confirmed, refused, reached];
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }
}
