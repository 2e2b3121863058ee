//! Explicit automata on infinite words, of any kind but alternating.
//!
//! Guards are formulas without temporal operators, and acceptance is a Boolean combination of
//! "edges of this set are taken again and again" \[EL85\], which has Büchi, co-Büchi, parity,
//! Rabin and Streett acceptance as special cases. Sets are sets of edges; a set of states is
//! the set of their outgoing edges. This is what HOA files say, and what automata become
//! before they are written as such; games are played on netlists.

use super::decision::{DecisionId, Decisions, Laws};
use super::obligations::KEPT;
use super::progression::Progression;
use super::{Limits, TooBig};
use crate::graph::components;
use crate::spec::formula::{AtomId, FALSE, FormulaId, Formulas};
use crate::spec::lasso::Lasso;
use std::collections::{BTreeSet, HashMap};

/// More disjuncts of an acceptance condition than this are not written out.
const MOST_CASES: usize = 1_000;

#[derive(Clone, Debug, Default)]
pub struct Automaton {
    pub name: String,
    /// Those of the guards; each is in negation normal form.
    pub formulas: Formulas,
    pub propositions: Vec<Proposition>,
    /// The propositions that the system sets, if that is known.
    pub controllable: Option<Vec<usize>>,
    /// A run begins in any one of these.
    pub start: Vec<usize>,
    /// The edges of each state.
    pub states: Vec<Vec<Edge>>,
    /// How many sets of edges there are.
    pub sets: usize,
    pub acceptance: LongRun,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    pub name: String,
    pub atom: AtomId,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub guard: FormulaId,
    pub successor: usize,
    /// The sets that it is in, sorted.
    pub marks: Vec<usize>,
}

/// What a run has to do in the long run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LongRun {
    Constant(bool),
    /// Take edges of this set again and again.
    Inf(usize),
    /// Take edges of this set only finitely often.
    Fin(usize),
    And(Vec<LongRun>),
    Or(Vec<LongRun>),
}

impl Default for LongRun {
    fn default() -> LongRun {
        LongRun::Constant(true)
    }
}

/// One way to be accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    pub inf: BTreeSet<usize>,
    pub fin: BTreeSet<usize>,
}

impl LongRun {
    /// Whether runs are accepted that take edges of exactly these sets again and again.
    pub fn holds(&self, seen: &dyn Fn(usize) -> bool) -> bool {
        match self {
            LongRun::Constant(value) => *value,
            LongRun::Inf(set) => seen(*set),
            LongRun::Fin(set) => !seen(*set),
            LongRun::And(parts) => parts.iter().all(|part| part.holds(seen)),
            LongRun::Or(parts) => parts.iter().any(|part| part.holds(seen)),
        }
    }

    /// The condition of exactly those runs that are not accepted.
    pub fn negated(self) -> LongRun {
        let all = |parts: Vec<LongRun>| parts.into_iter().map(LongRun::negated).collect();
        match self {
            LongRun::Constant(value) => LongRun::Constant(!value),
            LongRun::Inf(set) => LongRun::Fin(set),
            LongRun::Fin(set) => LongRun::Inf(set),
            LongRun::And(parts) => LongRun::Or(all(parts)),
            LongRun::Or(parts) => LongRun::And(all(parts)),
        }
    }

    /// The disjunctive normal form, without cases that contradict themselves.
    pub fn cases(&self) -> Result<Vec<Case>, TooBig> {
        let mut found = match self {
            LongRun::Constant(false) => Vec::new(),
            LongRun::Constant(true) => vec![Case::default()],
            LongRun::Inf(set) => vec![Case {
                inf: BTreeSet::from([*set]),
                fin: BTreeSet::new(),
            }],
            LongRun::Fin(set) => vec![Case {
                inf: BTreeSet::new(),
                fin: BTreeSet::from([*set]),
            }],
            LongRun::Or(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(part.cases()?);
                    if all.len() > MOST_CASES {
                        return Err(TooBig);
                    }
                }
                all
            }
            LongRun::And(parts) => {
                let mut all = vec![Case::default()];
                for part in parts {
                    let own = part.cases()?;
                    if all.len() * own.len() > MOST_CASES {
                        return Err(TooBig);
                    }
                    let joined = all.iter().flat_map(|left| {
                        own.iter().map(|right| Case {
                            inf: &left.inf | &right.inf,
                            fin: &left.fin | &right.fin,
                        })
                    });
                    all = joined.collect();
                }
                all
            }
        };
        found.retain(|case| case.inf.is_disjoint(&case.fin));
        found.dedup();
        Ok(found)
    }
}

impl Automaton {
    /// Two edges of a state that one letter enables, or two states to begin in: then it is
    /// not deterministic.
    pub fn choice(&self, limits: &Limits) -> Result<Option<usize>, TooBig> {
        if self.start.len() > 1 {
            return Ok(Some(self.start[0]));
        }
        for (state, edges) in self.states.iter().enumerate() {
            let mut letters = Letters::new(&self.formulas, limits);
            let guards: Vec<FormulaId> = edges.iter().map(|edge| edge.guard).collect();
            let step = letters.enabled(&guards)?;
            let same = |left: &Edge, right: &Edge| {
                (left.successor, &left.marks) == (right.successor, &right.marks)
            };
            for leaf in letters.decisions().leaves(step) {
                let enabled = letters.set(leaf);
                let differ = |index: &usize| !same(&edges[enabled[0]], &edges[*index]);
                if enabled.iter().any(differ) {
                    return Ok(Some(state));
                }
            }
        }
        Ok(None)
    }

    /// Whether some run over this word is accepted.
    pub fn accepts(&self, lasso: &Lasso) -> bool {
        let Ok(cases) = self.acceptance.cases() else {
            return false;
        };
        let product = Product::new(self, lasso);
        cases.iter().any(|case| product.has_cycle(case))
    }

    /// Drops what no run from the start meets, and numbers the rest anew in the order of a
    /// breadth-first search.
    pub fn reachable(mut self) -> Automaton {
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let mut order: Vec<usize> = Vec::new();
        let meet = |state: usize, numbers: &mut HashMap<usize, usize>, order: &mut Vec<usize>| {
            *numbers.entry(state).or_insert_with(|| {
                order.push(state);
                order.len() - 1
            })
        };
        self.start = self
            .start
            .iter()
            .map(|state| meet(*state, &mut numbers, &mut order))
            .collect();
        let mut states = Vec::new();
        while states.len() < order.len() {
            let mut edges = std::mem::take(&mut self.states[order[states.len()]]);
            edges.retain(|edge| edge.guard != FALSE);
            for edge in &mut edges {
                edge.successor = meet(edge.successor, &mut numbers, &mut order);
            }
            states.push(edges);
        }
        self.states = states;
        self
    }
}

/// The runs of an automaton over one word that ends in a cycle.
struct Product {
    /// For each node its edges, with their marks.
    edges: Vec<Vec<(usize, Vec<usize>)>>,
}

impl Product {
    fn new(automaton: &Automaton, lasso: &Lasso) -> Product {
        let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
        let mut nodes: Vec<(usize, usize)> = Vec::new();
        for state in &automaton.start {
            if numbers.insert((*state, 0), nodes.len()).is_none() {
                nodes.push((*state, 0));
            }
        }
        let mut edges = Vec::new();
        while edges.len() < nodes.len() {
            let (state, position) = nodes[edges.len()];
            let after = lasso.successor(position);
            let mut own = Vec::new();
            for edge in &automaton.states[state] {
                if !boolean_value(&automaton.formulas, edge.guard, lasso, position) {
                    continue;
                }
                let node = (edge.successor, after);
                let next = nodes.len();
                let number = *numbers.entry(node).or_insert(next);
                if number == next {
                    nodes.push(node);
                }
                own.push((number, edge.marks.clone()));
            }
            edges.push(own);
        }
        Product { edges }
    }

    /// Whether there is a cycle without edges of `fin` and with one of each set of `inf`.
    fn has_cycle(&self, case: &Case) -> bool {
        let allowed = |marks: &[usize]| !marks.iter().any(|mark| case.fin.contains(mark));
        let successors: Vec<Vec<usize>> = self
            .edges
            .iter()
            .map(|own| {
                let own = own.iter().filter(|(_, marks)| allowed(marks));
                own.map(|(successor, _)| *successor).collect()
            })
            .collect();
        let components = components(&successors);
        let count = components.iter().map(|one| one + 1).max().unwrap_or(0);
        let mut seen: Vec<Option<BTreeSet<usize>>> = vec![None; count];
        for (node, own) in self.edges.iter().enumerate() {
            for (successor, marks) in own {
                if components[node] == components[*successor] && allowed(marks) {
                    let seen = seen[components[node]].get_or_insert_default();
                    seen.extend(marks);
                }
            }
        }
        let mut seen = seen.iter().flatten();
        seen.any(|marks| case.inf.is_subset(marks))
    }
}

/// From letters to the guards that they satisfy.
pub struct Letters<'a> {
    progression: Progression<'a>,
    sets: Vec<Vec<usize>>,
    numbers: HashMap<Vec<usize>, u32>,
}

impl<'a> Letters<'a> {
    pub fn new(formulas: &'a Formulas, limits: &Limits) -> Letters<'a> {
        Letters {
            progression: Progression::new(formulas, limits),
            sets: vec![Vec::new()],
            numbers: HashMap::from([(Vec::new(), 0)]),
        }
    }

    /// A diagram whose leaves are sets of indices of guards; see [`Letters::set`].
    pub fn enabled(&mut self, guards: &[FormulaId]) -> Result<DecisionId, TooBig> {
        let mut step = self.progression.decisions.leaf(0)?;
        for (index, guard) in guards.iter().enumerate() {
            let guard = self.progression.diagram(*guard)?;
            let (sets, numbers) = (&mut self.sets, &mut self.numbers);
            let mut add = |set: u32, holds: u32| {
                if holds != KEPT {
                    return Ok(set);
                }
                let mut set = sets[set as usize].clone();
                set.push(index);
                let next = sets.len() as u32;
                let number = *numbers.entry(set.clone()).or_insert(next);
                if number == next {
                    sets.push(set);
                }
                Ok(number)
            };
            let decisions = &mut self.progression.decisions;
            step = decisions.combine(step, guard, Laws::default(), &mut add)?;
        }
        Ok(step)
    }

    /// The indices of the guards behind a leaf.
    pub fn set(&self, leaf: u32) -> &[usize] {
        &self.sets[leaf as usize]
    }

    pub fn decisions(&self) -> &Decisions {
        &self.progression.decisions
    }
}

/// The truth of a formula without temporal operators in one step.
pub fn boolean_value(formulas: &Formulas, root: FormulaId, lasso: &Lasso, position: usize) -> bool {
    use crate::spec::formula::Formula;
    let mut values: HashMap<FormulaId, bool> = HashMap::new();
    for id in formulas.subformulas(root) {
        let value = match formulas.get(id) {
            Formula::True => true,
            Formula::Atom(atom) => lasso.holds(*atom, position),
            Formula::Not(operand) => !values[operand],
            Formula::And(operands) => operands.iter().all(|operand| values[operand]),
            Formula::Or(operands) => operands.iter().any(|operand| values[operand]),
            _ => false,
        };
        values.insert(id, value);
    }
    values[&root]
}
