//! Latches that are constant or equal to each other, by induction [vEij00].
//!
//! Two latches that start alike, and whose next values are equal if all pairs that are
//! thought to be equal are, stay equal for ever. Simulation gives a first guess of the
//! classes; then each member's next value is compared with that of its class, by structure
//! first and then by a solver, and what differs in some state splits the classes. Ours
//! compares latches only, and gives a pair up if the solver needs long. A latch counts by
//! whether it differs from its initial value, so that complements are found, too. Latches
//! without a known initial value start alike if that of one is computed from the other.
//!
//! `design/sweep.rs` compares by structure alone.

use super::Stopped;
use super::circuit::Circuit;
use super::encode::{Decisions, Encoding};
use crate::design::{Literal, NodeId, Reset};
use crate::random::Random;
use crate::sat::{Answer, DefaultSolver, Meter, Solver};
use std::collections::HashMap;
use std::rc::Rc;

/// Steps of 64 random runs that the first guess comes from.
const STEPS: usize = 64;
/// Work for one comparison.
const EFFORT: u64 = 20_000;
/// Work after which latches without a known initial value are left alone: two designs that
/// differ have many pairs of them that are not equal, or not easily.
const MOST_FOR_FREE: u64 = 4_000_000;

/// A circuit with fewer latches, and why it is the same.
pub struct Corresponding {
    pub circuit: Circuit,
    /// Over literals of the design: what the merged latches have in common.
    pub clauses: Vec<Vec<Literal>>,
}

/// Merges equal latches of a circuit. Stops early only if somebody wants it to.
pub fn correspond(circuit: &Circuit, stop: &Rc<Meter>) -> Result<Corresponding, Stopped> {
    let mut search = Search::new(circuit);
    search.simulate(stop)?;
    let most = stop.used().saturating_add(MOST_FOR_FREE);
    while search.has_pairs() && search.settle(stop, most)? {}
    Ok(search.merge())
}

struct Search<'c> {
    circuit: &'c Circuit,
    /// The indices of the latches, and the class of each. Those whose initial value is computed
    /// from that of another latch come last, so that none of them stands for the other one.
    latches: Vec<usize>,
    class: Vec<u32>,
    classes: usize,
    /// Whether latches without a known initial value have classes of their own.
    is_free_alone: bool,
}

/// The class of latches that keep their initial value, which is known.
const CONSTANT: u32 = 0;

impl<'c> Search<'c> {
    fn new(circuit: &'c Circuit) -> Search<'c> {
        let all = 0..circuit.latches().len();
        let mut latches: Vec<usize> = all
            .filter(|index| initial(circuit, *index).is_some())
            .collect();
        latches.sort_by_key(|index| matches!(circuit.latches()[*index].reset, Reset::Computed(_)));
        let starts = latches.iter().map(|index| initial(circuit, *index));
        let starts: Vec<NodeId> = starts.flatten().map(Literal::node).collect();
        let mut search = Search {
            circuit,
            class: vec![CONSTANT; latches.len()],
            classes: 1,
            is_free_alone: false,
            latches,
        };
        search.split(&starts, &NodeId::CONSTANT);
        search
    }

    fn starts_high(&self, latch: usize) -> bool {
        initial(self.circuit, latch).is_some_and(Literal::is_complemented)
    }

    /// Whether two latches, or a latch and a constant, are in one class.
    fn has_pairs(&self) -> bool {
        self.class.contains(&CONSTANT) || self.classes <= self.latches.len()
    }

    /// Guesses classes from random runs.
    fn simulate(&mut self, stop: &Meter) -> Result<(), Stopped> {
        let circuit = self.circuit;
        let mut random = Random::new(1);
        let mut values = vec![0u64; circuit.size()];
        for (index, latch) in circuit.latches().iter().enumerate() {
            let id = circuit.latch_literal(index).node();
            values[id.index()] = match latch.reset {
                Reset::One => u64::MAX,
                Reset::Free => random.word(),
                _ => 0,
            };
        }
        evaluate(circuit, &mut values);
        // Computed resets read neither inputs nor each other.
        for (index, latch) in circuit.latches().iter().enumerate() {
            if let Reset::Computed(literal) = latch.reset {
                let id = circuit.latch_literal(index).node();
                values[id.index()] = value(&values, literal);
            }
        }
        let mut signatures = vec![0u64; self.latches.len()];
        for _ in 0..STEPS {
            for index in 0..circuit.inputs().len() {
                values[circuit.input_literal(index).node().index()] = random.word();
            }
            evaluate(circuit, &mut values);
            advance(circuit, &mut values);
            for (signature, latch) in signatures.iter_mut().zip(&self.latches) {
                let high = self.starts_high(*latch);
                let own = circuit.latch_literal(*latch).complement_if(high);
                let differs = value(&values, own);
                // Zero as long as the latch keeps its reset value.
                let mixed = signature
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(29);
                *signature = if *signature == 0 && differs == 0 {
                    0
                } else {
                    (mixed ^ differs).max(1)
                };
            }
            stop.spend(circuit.size() as u64 / 4);
            if stop.is_over() {
                return Err(Stopped);
            }
        }
        self.split(&signatures, &0);
        Ok(())
    }

    /// Splits each class by a key; who has the given one may stay constant. Says whether
    /// anything was split.
    fn split<K: std::hash::Hash + Eq>(&mut self, keys: &[K], constant: &K) -> bool {
        let mut numbers: HashMap<(u32, &K), u32> = HashMap::new();
        let mut next = CONSTANT + 1;
        let mut changed = false;
        let members = self.class.iter().zip(keys);
        let split: Vec<u32> = members
            .map(|(class, key)| {
                if *class == CONSTANT && key == constant {
                    return CONSTANT;
                }
                changed |= *class == CONSTANT;
                *numbers.entry((*class, key)).or_insert_with(|| {
                    next += 1;
                    next - 1
                })
            })
            .collect();
        changed |= next as usize != self.classes;
        self.class = split;
        self.classes = next as usize;
        changed
    }

    /// Gives each latch without a known initial value a class of its own.
    fn leave_free_alone(&mut self) -> bool {
        self.is_free_alone = true;
        let latches = self.latches.iter();
        let keys = latches.map(|latch| {
            let initial = initial(self.circuit, *latch)?;
            initial.as_constant().is_none().then_some(*latch)
        });
        let keys: Vec<Option<usize>> = keys.collect();
        self.split(&keys, &None)
    }

    /// For each latch the literal that stands for its class.
    fn replacements(&self) -> Vec<Literal> {
        let circuit = self.circuit;
        let mut of_class = vec![None; self.classes];
        of_class[CONSTANT as usize] = Some(Literal::FALSE);
        let all = 0..circuit.latches().len();
        let mut result: Vec<Literal> = all.map(|index| circuit.latch_literal(index)).collect();
        for (latch, class) in self.latches.iter().zip(&self.class) {
            let high = self.starts_high(*latch);
            let own = circuit.latch_literal(*latch).complement_if(high);
            let representative = *of_class[*class as usize].get_or_insert(own);
            result[*latch] = representative.complement_if(high);
        }
        result
    }

    /// For each latch of the list the first one of its class, if it is not constant.
    fn first_of_classes(&self) -> Vec<Option<usize>> {
        let mut first = vec![None; self.classes];
        let mut result = Vec::with_capacity(self.latches.len());
        for (index, class) in self.class.iter().enumerate() {
            let first = *first[*class as usize].get_or_insert(index);
            result.push((*class != CONSTANT).then_some(first));
        }
        result
    }

    /// Compares next values under the present classes; says whether a class was split. Once so
    /// much work is done, latches without a known initial value are left alone. A
    /// state that splits a class also counts when the classes are smaller.
    fn settle(&mut self, stop: &Rc<Meter>, most: u64) -> Result<bool, Stopped> {
        let merged = self.circuit.with_latches_merged(&self.replacements());
        let latches = self.latches.iter();
        let next = |latch: &usize| {
            let next = merged.latches()[*latch].next;
            next.complement_if(self.starts_high(*latch))
        };
        let next: Vec<Literal> = latches.map(next).collect();
        let mut comparison = Comparison::new(&merged, stop.clone());
        let mut first = self.first_of_classes();
        let mut split = false;
        for index in 0..self.latches.len() {
            if stop.used() > most && !self.is_free_alone {
                split |= self.leave_free_alone();
                first = self.first_of_classes();
            }
            let expected = first[index].map_or(Literal::FALSE, |first| next[first]);
            if expected == next[index] {
                continue;
            }
            match comparison.difference(expected, next[index])? {
                Difference::None => continue,
                Difference::States(values) => {
                    let shown: Vec<u64> = next.iter().map(|next| value(&values, *next)).collect();
                    split |= self.split(&shown, &0);
                }
                Difference::Unknown => {
                    let mut apart = vec![false; self.latches.len()];
                    apart[index] = true;
                    split |= self.split(&apart, &false);
                }
            }
            first = self.first_of_classes();
        }
        Ok(split)
    }

    fn merge(&self) -> Corresponding {
        let replacements = self.replacements();
        let circuit = self.circuit;
        let mut clauses = Vec::new();
        for (index, replacement) in replacements.iter().enumerate() {
            let own = circuit.latch_literal(index);
            if own == *replacement {
                continue;
            }
            let own = circuit.origin(own);
            match replacement.as_constant() {
                Some(constant) => clauses.push(vec![own.complement_if(!constant)]),
                None => {
                    let other = circuit.origin(*replacement);
                    clauses.push(vec![own, !other]);
                    clauses.push(vec![!own, other]);
                }
            }
        }
        Corresponding {
            circuit: if clauses.is_empty() {
                circuit.clone()
            } else {
                circuit.with_latches_merged(&replacements).cone()
            },
            clauses,
        }
    }
}

/// The initial value of a latch: a constant, or that of a latch. `None` if it is neither.
fn initial(circuit: &Circuit, index: usize) -> Option<Literal> {
    match circuit.latches()[index].reset {
        Reset::Zero => Some(Literal::FALSE),
        Reset::One => Some(Literal::TRUE),
        Reset::Free => Some(circuit.latch_literal(index)),
        Reset::Choice => None,
        Reset::Computed(literal) => {
            let latch = circuit.latch_index(literal.node())?;
            let is_free = circuit.latches()[latch].reset == Reset::Free;
            is_free.then_some(literal)
        }
    }
}

fn value(values: &[u64], literal: Literal) -> u64 {
    let value = values[literal.node().index()];
    if literal.is_complemented() {
        !value
    } else {
        value
    }
}

fn evaluate(circuit: &Circuit, values: &mut [u64]) {
    for (id, (left, right)) in circuit.gates() {
        values[id.index()] = value(values, left) & value(values, right);
    }
}

fn advance(circuit: &Circuit, values: &mut [u64]) {
    let latches = circuit.latches().iter();
    let next: Vec<u64> = latches.map(|latch| value(values, latch.next)).collect();
    for (index, next) in next.into_iter().enumerate() {
        values[circuit.latch_literal(index).node().index()] = next;
    }
}

/// Whether two literals of a circuit are equal in all states.
struct Comparison<'c> {
    circuit: &'c Circuit,
    solver: DefaultSolver,
    encoding: Encoding,
    /// For each question; the other one says whether to go on at all.
    meter: Rc<Meter>,
    stop: Rc<Meter>,
    random: Random,
}

enum Difference {
    None,
    /// They differ in the first of 64 steps: the values of all nodes.
    States(Vec<u64>),
    /// The solver needed too long.
    Unknown,
}

impl<'c> Comparison<'c> {
    fn new(circuit: &'c Circuit, stop: Rc<Meter>) -> Comparison<'c> {
        let meter = Meter::new({
            let stop = stop.clone();
            move || stop.is_over()
        });
        Comparison {
            circuit,
            solver: DefaultSolver::new(meter.clone()),
            encoding: Encoding::new(Decisions::All),
            meter,
            stop,
            random: Random::new(2),
        }
    }

    fn difference(&mut self, left: Literal, right: Literal) -> Result<Difference, Stopped> {
        let before = self.meter.used();
        self.meter.allow(before + EFFORT);
        let mut literal = |literal| {
            self.encoding
                .literal(self.circuit, literal, &mut self.solver)
        };
        let (left, right) = (literal(left), literal(right));
        let differ = self.solver.new_variable();
        self.solver.add_clause(&[!differ, left, right]);
        self.solver.add_clause(&[!differ, !left, !right]);
        let answer = self.solver.solve(&[differ]);
        self.stop.spend(self.meter.used() - before);
        if self.stop.is_over() {
            return Err(Stopped);
        }
        Ok(match answer {
            Answer::Satisfiable => Difference::States(self.states()),
            Answer::Unsatisfiable => {
                self.solver.add_clause(&[!left, right]);
                self.solver.add_clause(&[left, !right]);
                Difference::None
            }
            Answer::Stopped => Difference::Unknown,
        })
    }

    /// The step that the solver has found, and 63 that are close to it.
    fn states(&mut self) -> Vec<u64> {
        let circuit = self.circuit;
        let mut values = vec![0; circuit.size()];
        let inputs = (0..circuit.inputs().len()).map(|index| circuit.input_literal(index));
        let latches = (0..circuit.latches().len()).map(|index| circuit.latch_literal(index));
        for leaf in inputs.chain(latches) {
            let known = self.encoding.known(leaf);
            let is_one = known.is_some_and(|known| self.solver.value(known));
            let flips = self.random.word() & self.random.word() & self.random.word() & !1;
            let found = if is_one { u64::MAX } else { 0 };
            values[leaf.node().index()] = found ^ flips;
        }
        evaluate(circuit, &mut values);
        self.stop.spend(circuit.size() as u64 / 4);
        values
    }
}
