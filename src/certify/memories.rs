//! Properties of designs with large memories, of which words at a few addresses are looked at.
//!
//! An [`Abstraction`] keeps the words at addresses that are read in the step in which a property
//! fails, or some steps before. It is checked to have every run of the design
//! ([`simulation`](super::simulation)), so what holds of it holds of the design; a run that it
//! has is tried on the design itself. What neither shows is asked again with more addresses, and
//! of the design as it is in the end. Which addresses are kept follows `[Bjesse08]`, but for the
//! order: there, runs that the design does not have tell which one is missing; here, all reads
//! of the last steps are taken, more steps in each round, which needs no analysis of runs.
//!
//! `G p` fails in a step in which `p` is false; the abstraction's condition is that each address
//! is one that is read then. So `G (condition -> p)` is asked, and for each run of the design
//! that violates `G p` there are addresses with which it violates this.

use super::simulation::has_every_run;
use super::{Decision, Options, Part, Problem, Semantics, Trace, Verdict, ahead, parts};
use crate::bdd::Limits;
use crate::design::memory::{self, Abstraction, Memory, Track};
use crate::design::{Literal, NodeSet, Reach};
use crate::expr::{Expr, ExprKind, TemporalUnary};
use crate::source::Diagnostic;
use crate::spec::{Formula, FormulaId};
use std::collections::HashMap;
use std::time::Instant;

/// Smaller memories, in bits, are looked at as a whole.
pub(super) const LEAST_MEMORY: usize = 512;
/// How many steps ago the reads were whose addresses are kept, in each round.
const ROUNDS: [&[usize]; 5] = [&[0], &[1], &[0, 1], &[2], &[0, 1, 2, 3]];
/// Latches that the words and addresses of a round may need.
const MOST_LATCHES: usize = 1_500;
/// Look-ups that a round may take for each bit of the memories: the larger they are, the less
/// can be hoped for from looking at them as a whole.
const EFFORT: u64 = 1_000;
const LEAST_EFFORT: u64 = 1_000_000;
/// The part of the time that is left that a round may take.
const SHARE: f64 = 1.0 / 3.0;
/// The name of the condition, which no user can write.
const MATCHING: &str = "memory$matching";

impl Problem {
    /// Decides what it can of some properties with memories of at least so many bits kept at a
    /// few addresses; those that no memory matters to come first, as they are. Properties that
    /// are not decided so are left out.
    pub fn check_with_memories(
        &self,
        properties: &[usize],
        least_bits: usize,
        options: &Options,
        starting: &mut dyn FnMut(usize),
    ) -> Result<Vec<Decision>, Diagnostic> {
        let mut decided: Vec<Decision> = Vec::new();
        if options.semantics != Semantics::Strict {
            return Ok(decided);
        }
        let begin = Instant::now();
        let memories = memory::find(&self.design, least_bits);
        let bits: usize = memories.iter().map(Memory::bits).sum();
        if memories.is_empty() {
            return Ok(decided);
        }
        let limited = |options: &Options| Options {
            limits: limits_of_round(&options.limits, bits),
            ..options.clone()
        };
        let mut open: Vec<(usize, NodeSet)> = Vec::new();
        let mut others = Vec::new();
        for property in properties {
            let cone = self.design.cone(self.literals_for(*property), Reach::Run);
            let reads = |memory: &Memory| cone.contains(memory.words[0][0]);
            match memories.iter().any(reads) {
                true => open.push((*property, cone)),
                false => others.push(*property),
            }
        }
        // They are soon decided, and would wait behind what is asked about memories.
        let others = self.check_all(&others, &limited(options), &mut *starting)?;
        let is_unknown = |one: &Decision| matches!(one.verdict, Verdict::Unknown(_));
        decided.extend(others.into_iter().filter(|one| !is_unknown(one)));
        for steps in ROUNDS {
            let cones = open.iter().map(|(_, cone)| cone);
            let Some(tracks) = self.tracks(&memories, &cones.collect::<Vec<_>>(), steps) else {
                break;
            };
            if options.limits.check().is_err() {
                break;
            }
            let abstraction = Abstraction::new(&self.design, memories.clone(), &tracks);
            if has_every_run(&self.design, &abstraction, &options.limits) != Ok(true) {
                break;
            }
            let asked: Vec<usize> = open.iter().map(|(property, _)| *property).collect();
            let problem = self.of_abstraction(&abstraction, &asked);
            for mut decision in problem.check_all(&asked, &limited(options), &mut *starting)? {
                decision.verdict = match decision.verdict {
                    Verdict::Fails(trace) => {
                        match self.as_run_of_design(
                            decision.property,
                            &problem,
                            &abstraction,
                            &trace,
                        )? {
                            Some(trace) => Verdict::Fails(trace),
                            None => continue,
                        }
                    }
                    Verdict::Holds => Verdict::Holds,
                    Verdict::Unknown(_) => continue,
                };
                open.retain(|(property, _)| *property != decision.property);
                // What the proofs are about is not the design.
                decision.proofs.clear();
                decision.memories = memories.iter().map(|one| one.name.clone()).collect();
                decision.time = begin.elapsed();
                decided.push(decision);
            }
        }
        Ok(decided)
    }

    /// The same questions about an abstraction.
    fn of_abstraction(&self, abstraction: &Abstraction, properties: &[usize]) -> Problem {
        let mut problem = Problem {
            design: abstraction.design.clone(),
            formulas: self.formulas.clone(),
            atoms: self.atoms.clone(),
            assumptions: self.assumptions.clone(),
            assertions: self.assertions.clone(),
            is_cover: self.is_cover.clone(),
        };
        let name = Expr {
            kind: ExprKind::Name(vec![MATCHING.to_string()]),
            span: None,
        };
        let matching = problem.formulas.condition_atom(&name);
        for atom in problem.formulas.atoms_of(matching) {
            problem.atoms.insert(atom, abstraction.matching);
        }
        for property in properties {
            let parts = std::mem::take(&mut problem.assertions[*property]);
            let parts = parts.iter().map(|part| problem.guarded(*part, matching));
            problem.assertions[*property] = parts.collect();
        }
        problem
    }

    /// A part of a property, for the steps in which a condition is true.
    fn guarded(&mut self, part: Part, condition: FormulaId) -> Part {
        let formulas = &mut self.formulas;
        let Formula::Unary(TemporalUnary::Globally, operand) = *formulas.get(part.formula) else {
            return part;
        };
        let ahead = horizon(formulas, operand);
        // The condition looks as far ahead, and a violation may show earlier: in a step after
        // which no assumption can be kept, the run would end before the condition is known.
        let cases = ahead::cases(formulas, (operand, false));
        let shows_then = cases.is_some_and(|one| one.earliest == ahead);
        if !shows_then && ahead > 0 && !self.assumptions.is_empty() {
            return part;
        }
        let mut condition = condition;
        for _ in 0..ahead {
            condition = formulas.next(condition);
        }
        let guarded = formulas.implies(condition, operand);
        let formula = formulas.globally(guarded);
        Part {
            formula,
            is_safe: parts::is_safe(formulas, formula),
        }
    }

    /// A run of the abstraction as one of the design, if it violates the property there, too.
    fn as_run_of_design(
        &self,
        property: usize,
        problem: &Problem,
        abstraction: &Abstraction,
        trace: &Trace,
    ) -> Result<Option<Trace>, Diagnostic> {
        if trace.is_infinite() {
            return Ok(None);
        }
        let design = &problem.design;
        let latches = design.latches().iter().copied().zip(trace.initial());
        let mut initial: HashMap<_, bool> = latches.map(|(id, value)| (id, *value)).collect();
        let value = |bits: &[Literal], initial: &HashMap<_, bool>| -> Vec<bool> {
            let bits = bits.iter();
            bits.map(|bit| {
                let value = initial.get(&bit.node()).copied().unwrap_or(false);
                value != bit.is_complemented()
            })
            .collect()
        };
        for tracked in &abstraction.tracked {
            let address = value(&tracked.address, &initial).into_iter().enumerate();
            let address: usize = address.map(|(bit, one)| usize::from(one) << bit).sum();
            let memory = &abstraction.memories[tracked.track.memory];
            if let Some(word) = memory.words.get(address) {
                let kept = value(&tracked.word, &initial);
                initial.extend(word.iter().copied().zip(kept));
            }
        }
        let chosen = self.design.chosen_latches();
        let chosen = chosen.map(|id| initial.get(&id).copied().unwrap_or(false));
        let chosen: Vec<bool> = chosen.collect();
        let positions: HashMap<_, usize> = design.inputs().iter().copied().zip(0..).collect();
        let steps = trace.inputs().iter().map(|step| {
            let inputs = self.design.inputs().iter();
            inputs.map(|id| step[positions[id]]).collect()
        });
        let found = Trace::new(&self.design, &chosen, steps.collect(), None)?;
        let assumptions = self.safe_assumptions();
        let is_violated = |part: &Part| {
            let judge = self.judge();
            let violated = Some(part.formula);
            part.is_safe && judge.confirm_prefix(&found, &assumptions, violated).is_ok()
        };
        let is_violated = self.assertions[property].iter().any(is_violated);
        Ok(is_violated.then_some(found))
    }

    /// The reads that properties depend on, some steps ago. `None` if there are none or too
    /// many.
    fn tracks(
        &self,
        memories: &[Memory],
        cones: &[&NodeSet],
        steps: &[usize],
    ) -> Option<Vec<Track>> {
        let mut tracks = Vec::new();
        let mut latches = 0;
        for (number, memory) in memories.iter().enumerate() {
            for (read, one) in memory.reads.iter().enumerate() {
                let mut nodes = one.bits.iter().flatten().map(|bit| bit.node());
                if !nodes.any(|id| cones.iter().any(|cone| cone.contains(id))) {
                    continue;
                }
                let steps = match one.has_constant_address(&self.design) {
                    true => &[0],
                    false => steps,
                };
                for &steps_ago in steps {
                    latches += memory.width() + memory.address_bits();
                    tracks.push(Track {
                        memory: number,
                        read,
                        steps_ago,
                    });
                }
            }
        }
        (!tracks.is_empty() && latches <= MOST_LATCHES).then_some(tracks)
    }
}

/// How many steps ahead a formula looks, as far as it counts them.
fn horizon(formulas: &crate::spec::Formulas, root: FormulaId) -> usize {
    let mut steps: HashMap<FormulaId, usize> = HashMap::new();
    for id in formulas.subformulas(root) {
        let formula = formulas.get(id);
        let mut most = 0;
        formula
            .for_each_operand(|operand| most = most.max(steps.get(&operand).copied().unwrap_or(0)));
        let is_next = matches!(formula, Formula::Unary(TemporalUnary::Next, _));
        steps.insert(id, most + usize::from(is_next));
    }
    steps.get(&root).copied().unwrap_or(0)
}

fn limits_of_round(limits: &Limits, bits: usize) -> Limits {
    let mut limited = limits.with_share_of_time(SHARE);
    let effort = EFFORT.saturating_mul(bits as u64).max(LEAST_EFFORT);
    limited.lookups = Some(limits.lookups.map_or(effort, |most| most.min(effort)));
    limited
}
