//! All plays against a counterstrategy, as a graph [KHB11, Sec. 4.4].
//!
//! A node is a state with the memory of the counterstrategy; its edges are the answers of
//! the system to one input. Of the inputs that the counterstrategy allows, ours takes one
//! that is near the input before, so that as little as possible changes. States differ only
//! in variables that the game depends on. Outputs that a core has released may have any
//! value, so one is chosen for them: they are no part of the user's game.

use super::counterstrategy::{Counterstrategy, Stage, cube, nearest};
use crate::bdd::{Bdd, Result, Variable};
use crate::spec::gr1::{Player, Value, VariableId};
use std::collections::{BTreeSet, HashMap, HashSet};

#[derive(Clone, Debug)]
pub struct Graph {
    /// The variables that a state has.
    pub variables: Vec<VariableId>,
    pub nodes: Vec<Node>,
    /// The nodes that the system can start in.
    pub starts: Vec<usize>,
    /// Whether there are more plays than the limit allows.
    pub truncated: bool,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// One for each variable of the graph.
    pub values: Vec<Value>,
    /// The assumption that the environment works for.
    pub memory: usize,
    pub stage: Stage,
    /// The next input, for variables of the environment in their order in the graph.
    pub input: Vec<Value>,
    /// Empty if the system cannot answer without breaking a guarantee at once.
    pub successors: Vec<usize>,
}

/// The graph, with at most `limit` nodes.
pub fn graph(
    strategy: &Counterstrategy,
    released: &BTreeSet<VariableId>,
    limit: usize,
) -> Result<Graph> {
    let mut builder = Builder::new(strategy, released, limit)?;
    let now = strategy.inputs(false);
    let starts = strategy.starts()?;
    if let Some(input) = nearest(&starts, &now, &|_| false)? {
        let cube = cube(strategy.rules(), &now, &input)?;
        let states = strategy.rules().starts(&cube)?;
        builder.graph.starts = builder.add(&states, 0)?;
    }
    let mut next = 0;
    while next < builder.graph.nodes.len() && !builder.graph.truncated {
        builder.expand(next)?;
        next += 1;
    }
    Ok(builder.graph)
}

struct Builder<'s, 'a> {
    strategy: &'s Counterstrategy<'a>,
    limit: usize,
    graph: Graph,
    /// The bits that tell states apart.
    relevant: Vec<Variable>,
    /// Those of them that the user sees.
    visible: HashSet<Variable>,
    /// The states of the nodes, over the relevant bits.
    cubes: Vec<(Bdd, usize)>,
    known: HashMap<(Bdd, usize), usize>,
}

impl<'s, 'a> Builder<'s, 'a> {
    fn new(
        strategy: &'s Counterstrategy<'a>,
        released: &BTreeSet<VariableId>,
        limit: usize,
    ) -> Result<Builder<'s, 'a>> {
        let rules = strategy.rules();
        let support: HashSet<Variable> = rules.support().into_iter().collect();
        let spec = rules.spec();
        let mut relevant = Vec::new();
        let mut visible = HashSet::new();
        let mut variables = Vec::new();
        for id in spec.variable_ids() {
            let bits = strategy.encoding().bits(id);
            let is_relevant = bits
                .iter()
                .any(|bit| support.contains(&bit.now) || support.contains(&bit.next));
            if is_relevant {
                variables.push(id);
                relevant.extend(bits.iter().map(|bit| bit.now));
                if !released.contains(&id) {
                    visible.extend(bits.iter().map(|bit| bit.now));
                }
            }
        }
        Ok(Builder {
            strategy,
            limit,
            relevant,
            visible,
            cubes: Vec::new(),
            known: HashMap::new(),
            graph: Graph {
                variables,
                nodes: Vec::new(),
                starts: Vec::new(),
                truncated: false,
            },
        })
    }

    /// The nodes of all given states, new ones included.
    fn add(&mut self, states: &Bdd, memory: usize) -> Result<Vec<usize>> {
        let support: HashSet<Variable> = self.relevant.iter().copied().collect();
        let others: Vec<Variable> = states
            .support()
            .into_iter()
            .filter(|variable| !support.contains(variable))
            .collect();
        let mut left = states.exists(&states.manager().set(&others)?)?;
        let mut found = Vec::new();
        while let Some(values) = left.pick_minterm(&self.relevant) {
            let cube = left.manager().cube(&values)?;
            let seen: Vec<(Variable, bool)> = values
                .iter()
                .copied()
                .filter(|(variable, _)| self.visible.contains(variable))
                .collect();
            left = left.minus(&left.manager().cube(&seen)?)?;
            let key = (cube, memory);
            if let Some(node) = self.known.get(&key) {
                found.push(*node);
                continue;
            }
            if self.graph.nodes.len() == self.limit {
                self.graph.truncated = true;
                return Ok(found);
            }
            let Some(stage) = self.strategy.stage(&key.0)? else {
                continue;
            };
            let state: HashMap<Variable, bool> = values.into_iter().collect();
            let rules = self.strategy.rules();
            let node = self.graph.nodes.len();
            self.graph.nodes.push(Node {
                values: self
                    .graph
                    .variables
                    .iter()
                    .map(|id| rules.encoding().value(rules.spec(), *id, false, &state))
                    .collect(),
                memory,
                stage,
                input: Vec::new(),
                successors: Vec::new(),
            });
            self.cubes.push(key.clone());
            self.known.insert(key, node);
            found.push(node);
        }
        Ok(found)
    }

    fn expand(&mut self, node: usize) -> Result<()> {
        let (state, memory) = self.cubes[node].clone();
        let choices = self.strategy.choices(&state, memory)?;
        let rules = self.strategy.rules();
        let manager = rules.manager().clone();
        let mut allowed = manager.zero();
        for choice in &choices {
            allowed = allowed.or(&choice.moves)?;
        }
        let allowed = allowed
            .exists(rules.now_of(Player::Environment))?
            .exists(rules.now_of(Player::System))?;
        let variables = self.strategy.inputs(true);
        let now = self.strategy.inputs(false);
        let before: Vec<bool> = now
            .iter()
            .map(|variable| Ok(!state.cofactor(&[(*variable, true)])?.is_zero()))
            .collect::<Result<_>>()?;
        let is_fixed: Vec<bool> = now
            .iter()
            .map(|variable| Ok(state.cofactor(&[(*variable, false)])?.is_zero()))
            .collect::<Result<_>>()?;
        let wish = |index: usize| before[index] && is_fixed[index];
        let Some(input) = nearest(&allowed, &variables, &wish)? else {
            return Ok(());
        };
        let chosen = cube(rules, &variables, &input)?;
        let values: HashMap<Variable, bool> = variables
            .iter()
            .copied()
            .zip(input.iter().copied())
            .collect();
        let spec = rules.spec();
        self.graph.nodes[node].input = self
            .graph
            .variables
            .iter()
            .filter(|id| spec.variable(**id).owner == Player::Environment)
            .map(|id| rules.encoding().value(spec, *id, true, &values))
            .collect();
        let mut successors = Vec::new();
        for choice in &choices {
            let moves = choice.moves.and(&chosen)?;
            if moves.is_zero() {
                continue;
            }
            let states = self.strategy.rules().successors(&moves)?;
            successors.extend(self.add(&states, choice.memory)?);
        }
        successors.sort_unstable();
        successors.dedup();
        self.graph.nodes[node].successors = successors;
        Ok(())
    }
}
