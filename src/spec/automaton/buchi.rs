//! A nondeterministic Büchi automaton of any formula \[couvreur99\], \[gerth95\].
//!
//! A state is a set of formulas that have to hold from here on. A step takes them apart: each
//! way to satisfy them is a condition on the letter, formulas for the next step, and the
//! eventualities that were put off. A run is accepted if it does not put off any of them for
//! ever, so the edges that do not put it off are a set for each eventuality.
//!
//! Ours keeps conditions as diagrams: ways that differ in their letters only are one, and a
//! way is dropped if another one asks for less wherever the first is possible.

use super::decision::{DecisionId, Laws};
use super::obligations::{BROKEN, KEPT};
use super::omega::{Automaton, Edge, LongRun, Proposition};
use super::progression::Progression;
use super::{Limits, TooBig};
use crate::expr::{TemporalBinary, TemporalUnary};
use crate::spec::formula::{Atom, Formula, FormulaId, Formulas};
use crate::spec::normal_form::negation_normal_form;
use std::collections::{BTreeSet, HashMap};

type Set = BTreeSet<FormulaId>;

/// A way to satisfy formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    letters: DecisionId,
    next: Set,
    put_off: Set,
}

/// The automaton of a formula without past operators, with an acceptance set for each
/// eventuality. Guards are about the same atoms.
pub fn generalized_buchi(
    formulas: &mut Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<Automaton, TooBig> {
    let formula = negation_normal_form(formulas, formula);
    let fixed = formulas.clone();
    let mut translation = Translation {
        formulas: &fixed,
        progression: Progression::new(&fixed, limits),
        ways: HashMap::new(),
        limits,
    };
    let mut states: Vec<Set> = vec![translation.conjuncts(formula)];
    let mut numbers: HashMap<Set, usize> = HashMap::from([(states[0].clone(), 0)]);
    let mut steps: Vec<Vec<(DecisionId, usize, Set)>> = Vec::new();
    let mut eventualities = Set::new();
    while steps.len() < states.len() {
        let state = states[steps.len()].clone();
        let mut edges = Vec::new();
        for way in translation.of_set(&state)? {
            let new = states.len();
            let successor = *numbers.entry(way.next.clone()).or_insert(new);
            if successor == new {
                if new >= limits.states {
                    return Err(TooBig);
                }
                states.push(way.next);
            }
            eventualities.extend(&way.put_off);
            edges.push((way.letters, successor, way.put_off));
        }
        steps.push(edges);
    }
    let eventualities: Vec<FormulaId> = eventualities.into_iter().collect();
    let decisions = translation.progression.decisions;
    let mut result = Automaton {
        name: String::new(),
        formulas: Formulas::default(),
        propositions: propositions(formulas, formula),
        controllable: None,
        start: vec![0],
        states: Vec::new(),
        sets: eventualities.len(),
        acceptance: match eventualities.len() {
            0 => LongRun::Constant(true),
            1 => LongRun::Inf(0),
            count => LongRun::And((0..count).map(LongRun::Inf).collect()),
        },
    };
    for edges in steps {
        let mut own = Vec::new();
        for (letters, successor, put_off) in edges {
            let kept = eventualities.iter().enumerate();
            let kept = kept.filter(|(_, eventuality)| !put_off.contains(eventuality));
            own.push(Edge {
                guard: decisions.guard(formulas, letters, KEPT),
                successor,
                marks: kept.map(|(set, _)| set).collect(),
            });
        }
        result.states.push(own);
    }
    result.formulas = formulas.clone();
    result.merged(limits)
}

/// The same with one acceptance set.
pub fn buchi(
    formulas: &mut Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<Automaton, TooBig> {
    let general = generalized_buchi(formulas, formula, limits)?;
    let automaton = general.as_buchi(limits)?.merged(limits)?;
    *formulas = automaton.formulas.clone();
    Ok(automaton)
}

/// The atoms of a formula, by name.
fn propositions(formulas: &Formulas, formula: FormulaId) -> Vec<Proposition> {
    let atoms = formulas.atoms_of(formula).into_iter();
    let named = atoms.map(|atom| Proposition {
        name: match formulas.atom(atom) {
            Atom::Condition(expr) => expr.to_string(),
            Atom::Past(past) => formulas.text(*past),
        },
        atom,
    });
    named.collect()
}

struct Translation<'a> {
    formulas: &'a Formulas,
    progression: Progression<'a>,
    ways: HashMap<FormulaId, Vec<Way>>,
    limits: &'a Limits,
}

impl Translation<'_> {
    fn conjuncts(&self, formula: FormulaId) -> Set {
        match self.formulas.get(formula) {
            Formula::True => Set::new(),
            Formula::And(operands) => operands.iter().copied().collect(),
            _ => Set::from([formula]),
        }
    }

    fn of_set(&mut self, set: &Set) -> Result<Vec<Way>, TooBig> {
        let mut all = vec![self.done(KEPT)?];
        for formula in set {
            let own = self.of_formula(*formula)?;
            all = self.both(&all, &own)?;
        }
        Ok(all)
    }

    /// Asks for nothing, or for what there is not.
    fn done(&mut self, obligation: u32) -> Result<Way, TooBig> {
        Ok(Way {
            letters: self.progression.decisions.leaf(obligation)?,
            next: Set::new(),
            put_off: Set::new(),
        })
    }

    fn later(&mut self, formula: FormulaId, is_eventuality: bool) -> Result<Way, TooBig> {
        let mut way = self.done(KEPT)?;
        way.next = self.conjuncts(formula);
        if is_eventuality {
            way.put_off.insert(formula);
        }
        Ok(way)
    }

    fn of_formula(&mut self, root: FormulaId) -> Result<Vec<Way>, TooBig> {
        // Operands have smaller ids, so this loop meets them first.
        for id in self.formulas.subformulas(root) {
            if !self.ways.contains_key(&id) {
                let ways = self.compute(id)?;
                self.ways.insert(id, ways);
            }
        }
        Ok(self.ways[&root].clone())
    }

    fn compute(&mut self, id: FormulaId) -> Result<Vec<Way>, TooBig> {
        let formulas = self.formulas;
        if formulas.is_boolean(id) {
            let mut way = self.done(KEPT)?;
            way.letters = self.progression.diagram(id)?;
            return self.either(Vec::new(), vec![way]);
        }
        match formulas.get(id) {
            Formula::And(operands) => {
                let mut all = vec![self.done(KEPT)?];
                for operand in operands.iter() {
                    let own = self.ways[operand].clone();
                    all = self.both(&all, &own)?;
                }
                Ok(all)
            }
            Formula::Or(operands) => {
                let mut any = Vec::new();
                for operand in operands.iter() {
                    let own = self.ways[operand].clone();
                    any = self.either(any, own)?;
                }
                Ok(any)
            }
            Formula::Unary(operator, operand) => {
                let now = self.ways[operand].clone();
                match operator {
                    TemporalUnary::Next => Ok(vec![self.later(*operand, false)?]),
                    TemporalUnary::Finally => {
                        let later = self.later(id, true)?;
                        self.either(now, vec![later])
                    }
                    _ => {
                        let later = self.later(id, false)?;
                        self.both(&now, &[later])
                    }
                }
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (self.ways[left].clone(), self.ways[right].clone());
                let is_eventuality = matches!(
                    operator,
                    TemporalBinary::Until | TemporalBinary::StrongRelease
                );
                let later = self.later(id, is_eventuality)?;
                match operator {
                    TemporalBinary::Until | TemporalBinary::WeakUntil => {
                        let on = self.both(&left, &[later])?;
                        self.either(right, on)
                    }
                    _ => {
                        let released = self.either(left, vec![later])?;
                        self.both(&right, &released)
                    }
                }
            }
            _ => Ok(vec![self.done(BROKEN)?]),
        }
    }

    fn both(&mut self, left: &[Way], right: &[Way]) -> Result<Vec<Way>, TooBig> {
        if left.len() * right.len() > self.limits.clauses * self.limits.clauses {
            return Err(TooBig);
        }
        let mut all = Vec::new();
        for one in left {
            for other in right {
                all.push(Way {
                    letters: self.progression.and(one.letters, other.letters)?,
                    next: &one.next | &other.next,
                    put_off: &one.put_off | &other.put_off,
                });
            }
        }
        self.fewest(all)
    }

    fn either(&mut self, mut left: Vec<Way>, right: Vec<Way>) -> Result<Vec<Way>, TooBig> {
        left.extend(right);
        self.fewest(left)
    }

    /// Without ways that no letter allows or that another one makes superfluous.
    fn fewest(&mut self, ways: Vec<Way>) -> Result<Vec<Way>, TooBig> {
        let nothing = self.progression.decisions.leaf(BROKEN)?;
        let mut joined: Vec<Way> = Vec::new();
        let mut indices: HashMap<(Set, Set), usize> = HashMap::new();
        for way in ways {
            if way.letters == nothing {
                continue;
            }
            let key = (way.next.clone(), way.put_off.clone());
            match indices.get(&key) {
                Some(index) => {
                    let letters = self.progression.or(joined[*index].letters, way.letters)?;
                    joined[*index].letters = letters;
                }
                None => {
                    indices.insert(key, joined.len());
                    joined.push(way);
                }
            }
            if joined.len() > self.limits.clauses {
                return Err(TooBig);
            }
        }
        // Those that ask for least first.
        joined.sort_by_key(|way| way.next.len() + way.put_off.len());
        let mut kept: Vec<Way> = Vec::new();
        for mut way in joined {
            for easier in &kept {
                if easier.next.is_subset(&way.next) && easier.put_off.is_subset(&way.put_off) {
                    way.letters = self.without(way.letters, easier.letters)?;
                }
            }
            if way.letters != nothing {
                kept.push(way);
            }
        }
        Ok(kept)
    }

    fn without(&mut self, left: DecisionId, right: DecisionId) -> Result<DecisionId, TooBig> {
        let mut minus = |left: u32, right: u32| {
            Ok(match (left, right) {
                (KEPT, BROKEN) => KEPT,
                _ => BROKEN,
            })
        };
        let decisions = &mut self.progression.decisions;
        decisions.combine(left, right, Laws::default(), &mut minus)
    }
}
