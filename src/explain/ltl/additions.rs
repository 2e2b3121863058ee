//! Assumptions to add to a specification in LTL that nobody can satisfy.
//!
//! The search is that of `explain/additions.rs`, with the same candidates (`explain/candidates.rs`,
//! patterns of \[LDS11\] and \[AMT13\]) over the signals of the conflict: all simple assumptions
//! that one play keeps, and of these a minimal part that suffices. Ours asks `synth::ltl` instead of
//! a game that is there, so each candidate is judged by one more question, whether the system can
//! make it fail from the start, and fewer questions are asked to make a set weaker.
//!
//! Nothing of this vouches for an answer: `certify` checks the whole set again.

use super::ground::{Common, Ground};
use super::job::items;
use crate::bdd;
use crate::certify::Check;
use crate::certify::ltl::{added_assumptions, forcing, no_common_play, whole};
use crate::explain::answer::{Addition, Additions, Missing, Wanted};
use crate::explain::candidates::{Candidate, Literal, Pattern, pools, weaker};
use crate::explain::{Minimizer, minimize};
use crate::run::Run;
use crate::spec::class::{Class, classify};
use crate::spec::ltl::{LtlSpec, Part, Section};
use crate::spec::{FormulaId, Formulas};
use crate::synth::ltl::Failure;

/// So many sets are enough.
const SETS: usize = 3;
/// So many questions are asked to make one set weaker.
const WEAKENINGS: usize = 20;

/// What was found, or that nothing can be.
pub struct Found {
    pub additions: Additions,
    pub missing: Option<Missing>,
}

/// Looks for assumptions to add, the weakest first.
pub fn additions(ground: &mut Ground<'_>) -> Result<Found, Failure> {
    let mut sets = Vec::new();
    let nothing = |missing: Option<Missing>| Found {
        additions: Additions {
            sets: Vec::new(),
            hopeless: None,
        },
        missing,
    };
    let spec = ground.spec;
    let play = match ground.common_play(spec)? {
        Common::Play(play) => play,
        Common::Nothing => return hopeless(ground),
        Common::Unknown => {
            let reason = "An assumption to add was not found: whether a play keeps both sides \
                          stayed open within the limits.";
            return Ok(nothing(Some(Missing::GaveUp(reason.to_string()))));
        }
    };
    let mut searched = Search { ground, play }.sets(&mut sets);
    // Of a play in which inputs hardly change more can be said, in stronger words.
    if searched.is_ok()
        && sets.is_empty()
        && let Some(play) = ground.calm_play()?
    {
        searched = Search { ground, play }.sets(&mut sets);
    }
    match searched {
        Err(Failure::Limit(error)) if sets.is_empty() || error == bdd::Error::Interrupted => {
            Ok(nothing(Some(Missing::Limit(Wanted::Additions, error))))
        }
        // What was found first is the weakest; more would only have been others.
        Ok(()) | Err(Failure::Limit(_)) => Ok(Found {
            additions: Additions {
                sets,
                hopeless: None,
            },
            missing: None,
        }),
        Err(failure) => Err(failure),
    }
}

fn hopeless(ground: &mut Ground<'_>) -> Result<Found, Failure> {
    let (spec, limits) = (ground.spec, ground.limits.clone());
    let mut additions = Additions {
        sets: Vec::new(),
        hopeless: None,
    };
    let missing = match no_common_play(spec, &limits, &mut ground.prover())? {
        Check::Certified(certified) => {
            additions.hopeless = Some(certified);
            None
        }
        Check::Unknown(error) => Some(Missing::Limit(Wanted::Additions, error)),
        Check::NotShown(flaw) => Some(Missing::NotConfirmed(Wanted::Additions, flaw)),
    };
    Ok(Found { additions, missing })
}

struct Search<'g, 'a> {
    ground: &'g mut Ground<'a>,
    play: Run,
}

impl Search<'_, '_> {
    /// Sets of assumptions, the weakest first, as far as the limits let them be found.
    fn sets(&mut self, found: &mut Vec<Addition>) -> Result<(), Failure> {
        let values = self.ground.values(&self.play);
        let pools = pools(&self.ground.signals, &values, &self.ground.variables);
        let mut sets: Vec<Vec<Candidate>> = Vec::new();
        let mut judged: Vec<(Candidate, bool)> = Vec::new();
        for pool in pools {
            if found.len() == SETS {
                break;
            }
            let mut pool = self.honest(pool, &mut judged)?;
            pool.retain(|candidate| !self.is_goal(candidate));
            let Some(set) = self.sufficient(&pool)? else {
                continue;
            };
            if set.is_empty() || sets.contains(&set) {
                continue;
            }
            if let Some(addition) = self.certified(&set)? {
                sets.push(set);
                found.push(addition);
            }
        }
        // Only now, since what is there already is an answer.
        for (index, set) in sets.into_iter().enumerate() {
            let weaker = self.weakened(&set)?;
            if weaker != set
                && let Some(addition) = self.certified(&weaker)?
            {
                found[index] = addition;
            }
        }
        let mut seen = Vec::new();
        found.retain(|addition| {
            let is_new = !seen.contains(&addition.assumptions);
            seen.push(addition.assumptions.clone());
            is_new
        });
        Ok(())
    }

    /// Those of a pool with which the system can make no assumption fail that it could not make
    /// fail before.
    fn honest(
        &mut self,
        pool: Vec<Candidate>,
        judged: &mut Vec<(Candidate, bool)>,
    ) -> Result<Vec<Candidate>, Failure> {
        // With fewer assumptions it is no easier.
        if self.is_kept(&pool)? {
            return Ok(pool);
        }
        let mut honest = Vec::new();
        for one in pool {
            let known = judged.iter().find(|(other, _)| *other == one);
            let is_honest = match known {
                Some((_, is_honest)) => *is_honest,
                None => {
                    let is_honest = self.is_kept(std::slice::from_ref(&one))?;
                    judged.push((one.clone(), is_honest));
                    is_honest
                }
            };
            if is_honest {
                honest.push(one);
            }
        }
        Ok(honest)
    }

    /// Whether the environment can keep some candidates with the old assumptions, or with those of
    /// them that are safe if it cannot keep the old ones.
    fn is_kept(&mut self, set: &[Candidate]) -> Result<bool, Failure> {
        let old: Vec<usize> = assumptions(self.ground.spec);
        let (spec, added) = self.with(set);
        let mut members = old.clone();
        members.extend(&added);
        let mut is_kept = |members: &[usize]| -> bdd::Result<bool> {
            let asked = forcing(&spec, members);
            Ok(self.ground.solver.realizable(&asked)? == Some(false))
        };
        if is_kept(&members)? {
            return Ok(true);
        }
        if is_kept(&old)? {
            return Ok(false);
        }
        let mut formulas = spec.formulas.clone();
        members.retain(|index| {
            let formula = spec.parts[*index].formula;
            added.contains(index) || classify(&mut formulas, formula) == Class::Safety
        });
        Ok(is_kept(&members)?)
    }

    /// A minimal part of a pool that suffices, if all of it does.
    fn sufficient(&mut self, pool: &[Candidate]) -> Result<Option<Vec<Candidate>>, Failure> {
        let mut order: Vec<usize> = (0..pool.len()).collect();
        // Those that are left out first are the strongest.
        order.sort_by_key(|index| std::cmp::Reverse(pool[*index].pattern));
        let mut enough = |kept: &[usize]| {
            let mut kept = kept.to_vec();
            kept.sort_unstable();
            let set: Vec<Candidate> = kept.iter().map(|index| pool[*index].clone()).collect();
            self.is_enough(&set)
        };
        if pool.is_empty() || !enough(&order)? {
            return Ok(None);
        }
        let mut kept = minimize(Minimizer::DeltaDebugging, &order, &mut enough)?;
        kept.sort_unstable();
        Ok(Some(
            kept.iter().map(|index| pool[*index].clone()).collect(),
        ))
    }

    fn is_enough(&mut self, set: &[Candidate]) -> bdd::Result<bool> {
        let (spec, _) = self.with(set);
        Ok(self.ground.solver.realizable(&spec)? == Some(true))
    }

    /// The same set with weaker members where they suffice, and without those that are then not
    /// needed any more.
    fn weakened(&mut self, set: &[Candidate]) -> Result<Vec<Candidate>, Failure> {
        let values = self.ground.values(&self.play);
        let mut set = set.to_vec();
        let mut asked = 0;
        for index in 0..set.len() {
            let (signals, core) = (&self.ground.signals, &self.ground.variables);
            let others = weaker(signals, &values, core, &set[index]);
            for other in others {
                if asked == WEAKENINGS {
                    break;
                }
                if self.is_goal(&other) {
                    continue;
                }
                asked += 1;
                let mut changed = set.clone();
                changed[index] = other;
                if self.is_enough(&changed)? {
                    set = changed;
                    break;
                }
            }
        }
        Ok(self.sufficient(&set)?.unwrap_or(set))
    }

    /// Whether a candidate says the same as a guarantee: to assume what is asked for is no help.
    fn is_goal(&self, candidate: &Candidate) -> bool {
        let (mut spec, added) = self.with(std::slice::from_ref(candidate));
        let own = whole(&mut spec, added[0]);
        (0..self.ground.spec.parts.len()).any(|index| {
            let is_guarantee = !spec.parts[index].section.is_assumption();
            is_guarantee && whole(&mut spec, index) == own
        })
    }

    /// A set that `certify` accepts.
    fn certified(&mut self, set: &[Candidate]) -> Result<Option<Addition>, Failure> {
        let (spec, added) = self.with(set);
        let limits = self.ground.limits.clone();
        let play = &self.play;
        let found = added_assumptions(&spec, &added, play, &limits, &mut self.ground.prover())?;
        match found {
            Check::Certified(certified) => {
                let mut assumptions = items(&spec, &added);
                for (item, candidate) in assumptions.iter_mut().zip(set) {
                    if let Some(body) = self.implication(candidate) {
                        item.text = format!("G ({body})");
                        if let Some(written) = &mut item.written {
                            written.text = body;
                        }
                    }
                }
                Ok(Some(Addition {
                    assumptions,
                    certified,
                }))
            }
            Check::NotShown(_) => Ok(None),
            Check::Unknown(error) => Err(Failure::Limit(error)),
        }
    }

    /// The specification with candidates after its parts.
    fn with(&self, set: &[Candidate]) -> (LtlSpec, Vec<usize>) {
        let mut spec = self.ground.spec.clone();
        let first = spec.parts.len();
        for (number, candidate) in (1..).zip(set) {
            self.add(&mut spec, candidate, number);
        }
        let added = (first..spec.parts.len()).collect();
        (spec, added)
    }

    /// What an assumption about the step after another one says of steps, as people write it:
    /// formulas have no implications.
    fn implication(&self, candidate: &Candidate) -> Option<String> {
        if candidate.pattern != Pattern::Step || candidate.condition.is_empty() {
            return None;
        }
        let mut spec = self.ground.spec.with_parts(&[]);
        let condition = self.literals(&mut spec.formulas, &candidate.condition);
        let condition = spec.formulas.and(condition);
        let conclusion = self.literals(&mut spec.formulas, &candidate.conclusion);
        let conclusion = spec.formulas.or(conclusion);
        let conclusion = spec.formulas.next(conclusion);
        Some(format!(
            "{} -> {}",
            spec.text(condition),
            spec.text(conclusion)
        ))
    }

    fn literals(&self, formulas: &mut Formulas, literals: &[Literal]) -> Vec<FormulaId> {
        let literals = literals.iter();
        literals
            .map(|one| self.ground.literal(formulas, *one))
            .collect()
    }

    fn add(&self, spec: &mut LtlSpec, candidate: &Candidate, number: usize) {
        let formulas = &mut spec.formulas;
        let condition = self.literals(formulas, &candidate.condition);
        let conclusion = self.literals(formulas, &candidate.conclusion);
        let conclusion = formulas.or(conclusion);
        let (section, formula) = match candidate.pattern {
            Pattern::Initial => (Section::Initially, conclusion),
            Pattern::Recurring => {
                let again = formulas.finally(conclusion);
                (Section::Assume, formulas.globally(again))
            }
            Pattern::Always => (Section::Require, conclusion),
            Pattern::Step => {
                let condition = formulas.and(condition);
                let next = formulas.next(conclusion);
                (Section::Require, formulas.implies(condition, next))
            }
        };
        spec.parts.push(Part {
            section,
            name: format!("added/{number}"),
            span: None,
            formula,
        });
    }
}

fn assumptions(spec: &LtlSpec) -> Vec<usize> {
    let parts = spec.parts.iter().enumerate();
    let assumptions = parts.filter(|(_, part)| part.section.is_assumption());
    assumptions.map(|(index, _)| index).collect()
}
