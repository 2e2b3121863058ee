//! A product as decision diagrams, and single steps of it, backward and forward.
//!
//! Latches and inputs are variables; next-state functions are functions of them. A set of
//! states one step earlier is the composition of its function with the next-state functions.
//! One step later it is a relational product with clusters of `next <-> function`, each
//! variable being quantified as soon as no later cluster has it [BCL94]. A latch's variable
//! for the next step stands below that of the present one, and the two stay together.

use super::claim::{Leaf, StateSets};
use super::experience::KnownOrder;
use super::tableau::Product;
use crate::bdd::{Bdd, Limits, Manager, Reordering, Result, Substitution, Variable, VariableSet};
use crate::design::{Design, Literal, Node, NodeId, Reset};
use crate::prove::InputRun;
use crate::quick_hash::QuickMap;
use std::collections::{HashMap, HashSet};

/// Clusters of the transition relation grow up to this many nodes.
const CLUSTER_SIZE: usize = 2_000;
/// Smaller functions are not made smaller still.
const SMALL: usize = 200;

pub(super) struct Machine {
    manager: Manager,
    limits: Limits,
    latches: Vec<LatchVariables>,
    inputs: Vec<(NodeId, Variable)>,
    input_set: VariableSet,
    step: Substitution,
    /// Where runs start.
    pub initial: Bdd,
    /// Of states and inputs: what holds in each step.
    pub constraint: Bdd,
    relation: Option<Relation>,
    /// The last operation has ended for want of work.
    is_interrupted: bool,
}

struct LatchVariables {
    node: NodeId,
    current: Variable,
    next: Variable,
    function: Bdd,
}

/// The transition relation, in the order in which it is multiplied.
struct Relation {
    /// Variables that occur in no cluster.
    unused: VariableSet,
    /// Each with the variables that no later one has.
    clusters: Vec<(Bdd, VariableSet)>,
    to_current: Substitution,
}

/// An order of latches and inputs, from the top down.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    pub proposed: &'a [NodeId],
    /// With how many nodes another one is looked for first; `None` if this one stays, however
    /// large diagrams become.
    pub until: Option<usize>,
}

/// The values of latches in a step, in the order of [`Machine::latch_nodes`].
pub(super) type State = Vec<bool>;

/// A state, and the values of inputs in the order of [`Machine::input_nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub state: State,
    pub inputs: Vec<bool>,
}

impl Machine {
    /// What the environment does in a run.
    pub fn input_run(&self, steps: &[Step]) -> InputRun {
        let ones = |nodes: &mut dyn Iterator<Item = NodeId>, values: &[bool]| -> Vec<NodeId> {
            let ones = nodes.zip(values).filter(|(_, is_one)| **is_one);
            ones.map(|(id, _)| id).collect()
        };
        let first = steps.first().map_or(&[][..], |step| &step.state);
        InputRun {
            initial: ones(&mut self.latch_nodes(), first),
            steps: (steps.iter())
                .map(|step| ones(&mut self.input_nodes(), &step.inputs))
                .collect(),
        }
    }

    /// Encodes what matters to the constraint and to some literals, whose functions are
    /// given back; states have all latches that the `observed` literals depend on, too. The
    /// design must have passed its check.
    pub fn new(
        product: &Product,
        literals: &[Literal],
        observed: &[Literal],
        limits: &Limits,
    ) -> Result<(Machine, Vec<Bdd>)> {
        let roots = literals.iter().chain([&product.constraint]);
        let roots = roots.chain(observed).copied();
        let leaves = product.design.leaves_from(roots);
        Machine::with_leaves(Manager::new(), product, literals, &[], leaves, limits)
    }

    /// The same with a proposed order of latches and inputs; others stay behind the one that
    /// they follow in the usual order. Sets of states come first. All functions behind them,
    /// those of the machine included, are right only in the states of the last set, which
    /// makes them smaller.
    pub fn within(
        product: &Product,
        sets: &[Literal],
        literals: &[Literal],
        order: Order<'_>,
        limits: &Limits,
    ) -> Result<(Machine, Vec<Bdd>)> {
        let roots = sets.iter().chain(literals).chain([&product.constraint]);
        let roots = roots.copied();
        let mut leaves = product.design.leaves_from(roots);
        let positions: HashMap<NodeId, usize> = order.proposed.iter().copied().zip(1..).collect();
        let mut position = 0;
        leaves.sort_by_cached_key(|id| {
            position = positions.get(id).copied().unwrap_or(position);
            (position, !positions.contains_key(id))
        });
        let manager = Manager::new();
        let usual = manager.reordering();
        manager.set_reordering(Reordering {
            automatic: order.until.is_some(),
            first_at: usual.first_at.max(order.until.unwrap_or(0)),
            ..usual
        });
        Machine::with_leaves(manager, product, sets, literals, leaves, limits)
    }

    /// With a variable for each leaf, in this order. The functions of literals in
    /// `within_last`, of the constraint and of next values are right in the last of `exact`
    /// only, if there are any.
    fn with_leaves(
        manager: Manager,
        product: &Product,
        exact: &[Literal],
        within_last: &[Literal],
        leaves: Vec<NodeId>,
        limits: &Limits,
    ) -> Result<(Machine, Vec<Bdd>)> {
        manager.set_limits(limits.clone());
        let design = &product.design;
        let mut roots = [exact, within_last].concat();
        roots.push(product.constraint);
        let mut variables = QuickMap::default();
        let mut pairs = Vec::new();
        let mut inputs = Vec::new();
        for id in leaves {
            let current = manager.new_variable()?;
            variables.insert(id, current);
            match design.latch(id) {
                Some(latch) => {
                    let next = manager.new_variable()?;
                    manager.group(&[current, next]);
                    pairs.push((id, latch, current, next));
                }
                None => inputs.push((id, current)),
            }
        }
        for (_, latch, ..) in &pairs {
            roots.push(latch.next);
            if let Reset::Computed(literal) = latch.reset {
                roots.push(literal);
            }
        }
        let mut functions = Functions::new(design, &manager, &variables, &roots);
        let mut results = Vec::new();
        for literal in exact {
            results.push(functions.of(*literal)?);
        }
        let mut resets = pairs.iter().map(|(_, latch, ..)| latch.reset);
        let is_computed = resets.any(|reset| matches!(reset, Reset::Computed(_)));
        // Initial states need not be among those of a set.
        if !within_last.is_empty() && !is_computed {
            functions.care = results.last().filter(|care| !care.is_zero()).cloned();
        }
        for literal in within_last {
            results.push(functions.of(*literal)?);
        }
        let constraint = functions.of(product.constraint)?;
        let mut initial = manager.one();
        let mut latches = Vec::new();
        for (node, latch, current, next) in pairs {
            let value = manager.literal(current)?;
            match latch.reset {
                Reset::Zero => initial = initial.minus(&value)?,
                Reset::One => initial = initial.and(&value)?,
                Reset::Free | Reset::Choice => {}
                Reset::Computed(literal) => {
                    initial = initial.and(&value.iff(&functions.of(literal)?)?)?;
                }
            }
            let function = functions.of(latch.next)?;
            latches.push(LatchVariables {
                node,
                current,
                next,
                function,
            });
        }
        let substitutes: Vec<(Variable, Bdd)> = latches
            .iter()
            .map(|latch| (latch.current, latch.function.clone()))
            .collect();
        let input_list: Vec<Variable> = inputs.iter().map(|(_, variable)| *variable).collect();
        let machine = Machine {
            input_set: manager.set(&input_list)?,
            step: manager.substitution(&substitutes),
            limits: limits.clone(),
            manager,
            latches,
            inputs,
            initial,
            constraint,
            relation: None,
            is_interrupted: false,
        };
        Ok((machine, results))
    }

    pub fn latch_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.latches.iter().map(|latch| latch.node)
    }

    pub fn input_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.inputs.iter().map(|(node, _)| *node)
    }

    /// Sets of states as circuits over the latches of a product.
    pub fn claim(&self, product: &Product, sets: &[Bdd]) -> StateSets {
        let order = self.order();
        StateSets::of_diagrams(&product.design, product.design.inputs(), &order, sets)
    }

    /// Latches and inputs with their variables, from the top down.
    fn order(&self) -> Vec<(NodeId, Variable)> {
        let latches = self.latches.iter().map(|latch| (latch.node, latch.current));
        let mut order: Vec<(NodeId, Variable)> = latches.chain(self.inputs.clone()).collect();
        order.sort_by_key(|(_, variable)| self.manager.level(*variable));
        order
    }

    /// The order that reordering has come to, if there was any.
    pub fn known_order(&self, product: &Product) -> Option<KnownOrder> {
        let statistics = self.manager.statistics();
        if statistics.reorderings == 0 {
            return None;
        }
        let leaves = Leaf::all(&product.design);
        let order = self.order().into_iter();
        Some(KnownOrder {
            leaves: order
                .filter_map(|(id, _)| leaves.get(&id).copied())
                .collect(),
            nodes: statistics.nodes,
        })
    }

    pub fn one(&self) -> Bdd {
        self.manager.one()
    }

    /// Operations from now on may add this many nodes to those that exist, or as many as
    /// they like.
    pub fn set_budget(&mut self, budget: Option<usize>) {
        let mut limits = self.limits.clone();
        if let Some(budget) = budget {
            // What an operation has found before its turn was over is garbage, and helps it
            // when it is tried again.
            if !std::mem::take(&mut self.is_interrupted) {
                self.manager.collect_garbage();
            }
            let allowed = self.manager.statistics().nodes.saturating_add(budget);
            limits.nodes = Some(limits.nodes.map_or(allowed, |nodes| nodes.min(allowed)));
        }
        self.manager.set_limits(limits);
    }

    /// Says that an operation has ended for want of work, and will be tried again.
    pub fn interrupt(&mut self) {
        self.is_interrupted = true;
    }

    /// Operations from now on end after so much more work.
    pub fn allow(&mut self, work: u64) {
        let done = self.manager.statistics().work;
        self.limits.work = Some(done.saturating_add(work));
        self.manager.set_limits(self.limits.clone());
    }

    /// The states in which some input keeps the constraint and makes the steps happen.
    pub fn states_with(&self, steps: &Bdd) -> Result<Bdd> {
        self.constraint.and_exists(steps, &self.input_set)
    }

    /// The steps that lead into a set of states.
    pub fn steps_into(&self, states: &Bdd) -> Result<Bdd> {
        states.compose(&self.step)
    }

    /// The next values of the latches that a set of states depends on; right only in `steps`,
    /// of which there are some.
    pub fn next_values(&self, steps: &Bdd, states: &Bdd) -> Result<Vec<(Variable, Bdd)>> {
        let support: HashSet<Variable> = states.support().into_iter().collect();
        let mut pairs = Vec::new();
        for latch in &self.latches {
            if support.contains(&latch.current) {
                pairs.push((latch.current, latch.function.minimize(steps)?));
            }
        }
        Ok(pairs)
    }

    /// The states from which one step leads into a set.
    pub fn before(&self, states: &Bdd) -> Result<Bdd> {
        self.states_with(&self.steps_into(states)?)
    }

    /// The states that one step from a set leads to.
    pub fn after(&mut self, states: &Bdd) -> Result<Bdd> {
        let relation = match self.relation.take() {
            Some(relation) => relation,
            None => self.build_relation()?,
        };
        let result = relation.image(states);
        self.relation = Some(relation);
        result
    }

    fn build_relation(&self) -> Result<Relation> {
        let mut clusters = Vec::new();
        let mut cluster = self.constraint.clone();
        for latch in &self.latches {
            let part = self.manager.literal(latch.next)?.iff(&latch.function)?;
            if cluster.size() + part.size() <= CLUSTER_SIZE {
                cluster = cluster.and(&part)?;
            } else {
                clusters.push(std::mem::replace(&mut cluster, part));
            }
        }
        clusters.push(cluster);
        let own: Vec<Variable> = self.latches.iter().map(|latch| latch.current).collect();
        let inputs = self.inputs.iter().map(|(_, variable)| *variable);
        let quantified: HashSet<Variable> = own.into_iter().chain(inputs).collect();
        let (order, unused) = schedule(clusters, &quantified);
        let mut scheduled = Vec::new();
        for (cluster, variables) in order {
            scheduled.push((cluster, self.manager.set(&variables)?));
        }
        let pairs: Vec<(Variable, Variable)> = self
            .latches
            .iter()
            .map(|latch| (latch.next, latch.current))
            .collect();
        Ok(Relation {
            unused: self.manager.set(&unused)?,
            clusters: scheduled,
            to_current: self.manager.renaming(&pairs)?,
        })
    }

    fn state_literals(&self, state: &[bool]) -> Vec<(Variable, bool)> {
        let currents = self.latches.iter().map(|latch| latch.current);
        currents.zip(state.iter().copied()).collect()
    }

    pub fn state_set(&self, state: &[bool]) -> Result<Bdd> {
        self.manager.cube(&self.state_literals(state))
    }

    pub fn contains(&self, states: &Bdd, state: &[bool]) -> bool {
        let values: HashMap<Variable, bool> = self.state_literals(state).into_iter().collect();
        states.evaluate(|variable| values.get(&variable).copied().unwrap_or(false))
    }

    /// Whether a step is one of a set.
    pub fn step_is_in(&self, steps: &Bdd, step: &Step) -> bool {
        let mut values: HashMap<Variable, bool> =
            self.state_literals(&step.state).into_iter().collect();
        let variables = self.inputs.iter().map(|(_, variable)| *variable);
        values.extend(variables.zip(step.inputs.iter().copied()));
        steps.evaluate(|variable| values.get(&variable).copied().unwrap_or(false))
    }

    /// One state of a set.
    pub fn pick_state(&self, states: &Bdd) -> Option<State> {
        let chosen: HashMap<Variable, bool> = states.pick_cube()?.into_iter().collect();
        let value = |variable| chosen.get(&variable).copied().unwrap_or(false);
        Some(
            self.latches
                .iter()
                .map(|latch| value(latch.current))
                .collect(),
        )
    }

    /// One step of a set.
    fn pick_step(&self, steps: &Bdd) -> Option<Step> {
        let chosen: HashMap<Variable, bool> = steps.pick_cube()?.into_iter().collect();
        let value = |variable| chosen.get(&variable).copied().unwrap_or(false);
        Some(Step {
            state: self
                .latches
                .iter()
                .map(|latch| value(latch.current))
                .collect(),
            inputs: self
                .inputs
                .iter()
                .map(|(_, variable)| value(*variable))
                .collect(),
        })
    }

    /// A step from some of the states to the given one.
    pub fn step_to(&self, sources: &Bdd, target: &[bool]) -> Result<Option<Step>> {
        let mut steps = sources.and(&self.constraint)?;
        for (latch, value) in self.latches.iter().zip(target) {
            steps = if *value {
                steps.and(&latch.function)?
            } else {
                steps.minus(&latch.function)?
            };
        }
        Ok(self.pick_step(&steps))
    }

    /// A step from a state that is one of `steps`, and leads into `targets`; with the state
    /// it leads to.
    pub fn step_from(
        &self,
        state: &[bool],
        steps: &Bdd,
        targets: &Bdd,
    ) -> Result<Option<(Step, State)>> {
        let here = self.state_literals(state);
        let mut functions = Vec::new();
        for latch in &self.latches {
            functions.push((latch.current, latch.function.cofactor(&here)?));
        }
        let into = targets.compose(&self.manager.substitution(&functions))?;
        let constraint = self.constraint.cofactor(&here)?;
        let allowed = steps.cofactor(&here)?.and(&constraint)?.and(&into)?;
        let Some(picked) = self.pick_step(&allowed) else {
            return Ok(None);
        };
        let values: HashMap<Variable, bool> = self
            .inputs
            .iter()
            .map(|(_, variable)| *variable)
            .zip(picked.inputs.iter().copied())
            .collect();
        let next = functions
            .iter()
            .map(|(_, function)| {
                function.evaluate(|variable| values.get(&variable).copied().unwrap_or(false))
            })
            .collect();
        let step = Step {
            state: state.to_vec(),
            inputs: picked.inputs,
        };
        Ok(Some((step, next)))
    }
}

impl Relation {
    fn image(&self, states: &Bdd) -> Result<Bdd> {
        let mut product = states.exists(&self.unused)?;
        for (cluster, done) in &self.clusters {
            product = product.and_exists(cluster, done)?;
        }
        product.compose(&self.to_current)
    }
}

/// Orders clusters so that variables go early: next comes the one after which most variables
/// occur nowhere else, and among those the one that brings the fewest new ones. Gives each
/// with the variables that go with it, and those that occur in none.
fn schedule(
    clusters: Vec<Bdd>,
    quantified: &HashSet<Variable>,
) -> (Vec<(Bdd, Vec<Variable>)>, Vec<Variable>) {
    let supports: Vec<Vec<Variable>> = clusters.iter().map(Bdd::support).collect();
    let mut users: HashMap<Variable, usize> = HashMap::new();
    for variable in supports.iter().flatten() {
        *users.entry(*variable).or_default() += 1;
    }
    let mut unused: Vec<Variable> = quantified
        .iter()
        .copied()
        .filter(|variable| !users.contains_key(variable))
        .collect();
    unused.sort_unstable();
    let mut waiting: Vec<usize> = (0..clusters.len()).collect();
    let mut order = Vec::new();
    while !waiting.is_empty() {
        let last_use = |variable: &&Variable| {
            quantified.contains(*variable) && users.get(*variable) == Some(&1)
        };
        let score = |index: usize| {
            let leaving = supports[index].iter().filter(last_use).count();
            let staying = supports[index].len() - leaving;
            (
                leaving as i64 * 2 - staying as i64,
                std::cmp::Reverse(index),
            )
        };
        let best = (0..waiting.len())
            .max_by_key(|index| score(waiting[*index]))
            .unwrap_or(0);
        let index = waiting.remove(best);
        let leaving: Vec<Variable> = supports[index].iter().filter(last_use).copied().collect();
        for variable in &supports[index] {
            users.entry(*variable).and_modify(|count| *count -= 1);
        }
        order.push((clusters[index].clone(), leaving));
    }
    (order, unused)
}

/// Functions of gates, built when they are asked for and kept while a gate that may still be
/// built reads them.
struct Functions<'a> {
    design: &'a Design,
    manager: &'a Manager,
    variables: &'a QuickMap<NodeId, Variable>,
    known: QuickMap<NodeId, Bdd>,
    /// How many gates and roots will still ask for a node.
    readers: QuickMap<NodeId, usize>,
    /// Functions from now on need to be right here only.
    care: Option<Bdd>,
}

impl<'a> Functions<'a> {
    fn new(
        design: &'a Design,
        manager: &'a Manager,
        variables: &'a QuickMap<NodeId, Variable>,
        roots: &[Literal],
    ) -> Functions<'a> {
        let mut readers: QuickMap<NodeId, usize> = QuickMap::default();
        let mut pending = Vec::new();
        let mut read = |id: NodeId, pending: &mut Vec<NodeId>| {
            let count = readers.entry(id).or_default();
            *count += 1;
            if *count == 1 {
                pending.push(id);
            }
        };
        for root in roots {
            read(root.node(), &mut pending);
        }
        while let Some(id) = pending.pop() {
            if let Some((left, right)) = design.gate(id) {
                read(left.node(), &mut pending);
                read(right.node(), &mut pending);
            }
        }
        Functions {
            design,
            manager,
            variables,
            known: QuickMap::default(),
            readers,
            care: None,
        }
    }

    /// To be called once for each root.
    fn of(&mut self, literal: Literal) -> Result<Bdd> {
        let mut pending = vec![literal.node()];
        while let Some(&id) = pending.last() {
            if self.known.contains_key(&id) {
                pending.pop();
                continue;
            }
            let function = match self.design.node(id) {
                Node::Constant => self.manager.zero(),
                Node::Input(_) | Node::Latch(_) => self.manager.literal(self.variables[&id])?,
                Node::And(left, right) => {
                    let missing = [right, left].map(Literal::node).into_iter();
                    let before = pending.len();
                    pending.extend(missing.filter(|node| !self.known.contains_key(node)));
                    if pending.len() > before {
                        continue;
                    }
                    let (left, right) = (self.take(left), self.take(right));
                    let function = left.and(&right)?;
                    match &self.care {
                        Some(care) if function.size() > SMALL => function.minimize(care)?,
                        _ => function,
                    }
                }
            };
            self.known.insert(id, function);
            pending.pop();
        }
        Ok(self.take(literal))
    }

    /// The function of a node that is known, for one of its readers.
    fn take(&mut self, literal: Literal) -> Bdd {
        let id = literal.node();
        let function = &self.known[&id];
        let function = if literal.is_complemented() {
            function.not()
        } else {
            function.clone()
        };
        if let Some(count) = self.readers.get_mut(&id) {
            *count -= 1;
            if *count == 0 {
                self.known.remove(&id);
            }
        }
        function
    }
}
