//! Irredundant sums of products, by the recursion of [Min93] on an interval of functions.
//!
//! A cover is shared like a diagram: each node splits the cubes by one variable into those
//! with its negation, those with itself, and those without it. So covers with very many
//! cubes stay small; [`Cover::cubes`] lists them one at a time. Handles keep intermediate
//! functions alive, so collections and reorderings may happen between any two steps: each
//! step splits by whatever variable is topmost then.

use super::function::Bdd;
use super::limits::Result;
use super::manager::Variable;
use crate::stack;
use std::collections::HashMap;

/// A conjunction of literals.
pub type Cube = Vec<(Variable, bool)>;

/// A set of cubes and the function that is their disjunction.
pub struct Cover {
    function: Bdd,
    nodes: Vec<Split>,
    root: Part,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// No cube.
    Nothing,
    /// The cube without literals.
    Everything,
    Split(u32),
}

struct Split {
    variable: Variable,
    negative: Part,
    positive: Part,
    neither: Part,
}

struct Builder {
    nodes: Vec<Split>,
    known: HashMap<(Bdd, Bdd), (Bdd, Part)>,
}

impl Bdd {
    /// A cover of a function between `self` and `upper`, which `self` must imply: no cube
    /// and no literal of it can be left out.
    pub fn cover_up_to(&self, upper: &Bdd) -> Result<Cover> {
        assert!(
            self.is_subset_of(upper)?,
            "the lower bound implies the upper one"
        );
        let mut builder = Builder {
            nodes: Vec::new(),
            known: HashMap::new(),
        };
        let (function, root) = builder.build(self, upper)?;
        Ok(Cover {
            function,
            nodes: builder.nodes,
            root,
        })
    }

    /// A cover of exactly this function.
    pub fn cover(&self) -> Result<Cover> {
        self.cover_up_to(self)
    }
}

impl Builder {
    /// The recursion is as deep as there are variables, so it brings its own stack.
    fn build(&mut self, lower: &Bdd, upper: &Bdd) -> Result<(Bdd, Part)> {
        stack::recurse(|| self.build_here(lower, upper))
    }

    fn build_here(&mut self, lower: &Bdd, upper: &Bdd) -> Result<(Bdd, Part)> {
        if lower.is_zero() {
            return Ok((lower.clone(), Part::Nothing));
        }
        if upper.is_one() {
            return Ok((upper.clone(), Part::Everything));
        }
        let key = (lower.clone(), upper.clone());
        if let Some((function, part)) = self.known.get(&key) {
            return Ok((function.clone(), *part));
        }
        let manager = lower.manager();
        let tops = [lower, upper].into_iter().filter_map(Bdd::top);
        let Some(variable) = tops.min_by_key(|&variable| manager.level(variable)) else {
            unreachable!("one bound is a constant and the other implies it");
        };
        // Nothing is above the variable before the next operation, which may reorder.
        let halves = |function: &Bdd| match function.expand() {
            Some((top, low, high)) if top == variable => (low, high),
            _ => (function.clone(), function.clone()),
        };
        let ((lower0, lower1), (upper0, upper1)) = (halves(lower), halves(upper));
        let (function0, negative) = self.build(&lower0.minus(&upper1)?, &upper0)?;
        let (function1, positive) = self.build(&lower1.minus(&upper0)?, &upper1)?;
        let rest = lower0.minus(&function0)?.or(&lower1.minus(&function1)?)?;
        let (function, neither) = self.build(&rest, &upper0.and(&upper1)?)?;
        let literal = manager.literal(variable)?;
        let function = literal.ite(&function1, &function0)?.or(&function)?;
        let part = if negative == Part::Nothing && positive == Part::Nothing {
            neither
        } else {
            self.nodes.push(Split {
                variable,
                negative,
                positive,
                neither,
            });
            Part::Split(self.nodes.len() as u32 - 1)
        };
        self.known.insert(key, (function.clone(), part));
        Ok((function, part))
    }
}

impl Cover {
    /// The disjunction of the cubes.
    pub fn function(&self) -> &Bdd {
        &self.function
    }

    /// How many cubes there are.
    pub fn len(&self) -> u128 {
        let mut counts: Vec<u128> = Vec::with_capacity(self.nodes.len());
        let count = |counts: &[u128], part: Part| match part {
            Part::Nothing => 0,
            Part::Everything => 1,
            Part::Split(index) => counts[index as usize],
        };
        for node in &self.nodes {
            let parts = [node.negative, node.positive, node.neither];
            let sum = parts
                .iter()
                .fold(0u128, |sum, &part| sum.saturating_add(count(&counts, part)));
            counts.push(sum);
        }
        count(&counts, self.root)
    }

    pub fn is_empty(&self) -> bool {
        self.root == Part::Nothing
    }

    /// The cubes, one at a time.
    pub fn cubes(&self) -> impl Iterator<Item = Cube> + '_ {
        let mut pending = vec![(self.root, Vec::new())];
        std::iter::from_fn(move || {
            while let Some((part, cube)) = pending.pop() {
                match part {
                    Part::Nothing => {}
                    Part::Everything => return Some(cube),
                    Part::Split(index) => {
                        let node = &self.nodes[index as usize];
                        let with = |value: bool| {
                            let mut longer: Cube = cube.clone();
                            longer.push((node.variable, value));
                            longer
                        };
                        pending.push((node.positive, with(true)));
                        pending.push((node.negative, with(false)));
                        pending.push((node.neither, cube));
                    }
                }
            }
            None
        })
    }
}
