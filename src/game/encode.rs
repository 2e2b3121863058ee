//! The game as decision diagrams, and one step of it.
//!
//! Latches, inputs and choices are variables; next-state functions are functions of them.
//! A set of states one step earlier is the composition of its function with the next-state
//! functions, so there are no variables for next states and no transition relation.

use super::arena::Arena;
use super::arrange::arrangement;
use super::budget::Budget;
use super::image::Image;
use super::leaves::{Functions, Leaves};
use super::solve::Solution;
use super::steps::Steps;
use crate::bdd::{Bdd, Limits, Manager, Reordering, Result, Substitution, Variable, VariableSet};
use crate::design::{Literal, Node, NodeId, Reach};
use std::cell::OnceCell;
use std::collections::HashMap;

/// How many look-ups of the computed table the reachable states are worth.
const EFFORT: u64 = 50_000_000;
/// The same where they only make functions smaller.
const MODERATE_EFFORT: u64 = 300_000;
/// How many nodes there are for each level before the first reordering of an arranged game.
const NODES_OF_LEVEL: usize = 400;
/// How many nodes an attempt gets before another one is made.
const NODE_BUDGETS: [usize; 2] = [10_000, 100_000];

/// An [`Arena`] in symbolic form.
pub struct Game {
    manager: Manager,
    limits: Limits,
    /// The variable of each latch and input that the objective depends on, or that was
    /// [included](Game::include).
    variables: HashMap<NodeId, Variable>,
    leaves: Leaves,
    inputs: VariableSet,
    choices: VariableSet,
    /// For each latch that moves its next value, as far as it matters.
    next_that_matter: Vec<(Variable, Bdd)>,
    image: OnceCell<Image>,
    /// States outside of these, and steps from them, need not be right.
    care: Bdd,
    step: Substitution,
    reset: Substitution,
    free_at_reset: VariableSet,
    pub(super) assumption: Bdd,
    pub(super) guarantee: Bdd,
    pub(super) assumed_recurrences: Vec<Bdd>,
    pub(super) goals: Vec<Bdd>,
    assumption_has_choices: bool,
}

impl Game {
    /// The netlist of the arena must have no combinational loop; front ends check that.
    pub fn new(arena: &Arena, limits: Limits) -> Result<Game> {
        Game::in_order(arena, limits, &[])
    }

    /// The same with variables in the order that a similar game ended with. Leaves that it
    /// did not have stay behind the one that they follow in the design.
    pub fn in_order(arena: &Arena, limits: Limits, order: &[NodeId]) -> Result<Game> {
        let mut leaves = arena.design.leaves_from(arena.objective.literals());
        let positions: HashMap<NodeId, usize> = order.iter().copied().zip(1..).collect();
        let mut position = 0;
        leaves.sort_by_cached_key(|id| {
            position = positions.get(id).copied().unwrap_or(position);
            (position, !positions.contains_key(id))
        });
        let game = Game::of_leaves(arena, limits, &leaves, Reordering::default(), &[])?;
        // Before anything is computed with them: what follows is as large as these let it be.
        game.manager.reorder()?;
        Ok(game)
    }

    /// The same for large netlists: variables are [arranged](super::arrange) with some effort,
    /// and reorderings wait until the diagrams are large for their levels.
    pub fn arranged(arena: &Arena, limits: Limits) -> Result<Game> {
        let roots: Vec<Literal> = arena.objective.literals().collect();
        let leaves = arena.design.leaves_from(roots.iter().copied());
        let leaves = arrangement(&arena.design, &leaves, roots.iter().copied());
        let standard = Reordering::default();
        let reordering = Reordering {
            first_at: standard.first_at.max(NODES_OF_LEVEL * leaves.len()),
            ..standard
        };
        // The guarantee is the largest function, so reorderings should be made for it.
        Game::of_leaves(arena, limits, &leaves, reordering, &roots)
    }

    /// `first` are functions that are built before those of latches.
    fn of_leaves(
        arena: &Arena,
        limits: Limits,
        leaves: &[NodeId],
        reordering: Reordering,
        first: &[Literal],
    ) -> Result<Game> {
        let manager = Manager::new();
        manager.set_limits(limits.clone());
        manager.set_reordering(reordering);
        let mut variables = HashMap::new();
        for &leaf in leaves {
            variables.insert(leaf, manager.new_variable()?);
        }
        let mut functions = Functions::new(arena, &manager, &variables);
        for literal in first {
            functions.of(*literal)?;
        }
        let leaves = Leaves::new(leaves, &mut functions, &[])?;
        let objective = &arena.objective;
        let assumption = functions.of(objective.assumption)?;
        let guarantee = functions.of(objective.guarantee)?;
        let mut all = |literals: &[Literal]| -> Result<Vec<Bdd>> {
            literals
                .iter()
                .map(|literal| functions.of(*literal))
                .collect()
        };
        let assumed_recurrences = all(&objective.assumed_recurrences)?;
        let goals = all(&objective.goals)?;
        drop(functions);
        let support = assumption.support();
        let mut choices = leaves.choices.iter();
        let assumption_has_choices = choices.any(|choice| support.contains(choice));
        Ok(Game {
            step: manager.substitution(&leaves.next),
            next_that_matter: leaves.next.clone(),
            image: OnceCell::new(),
            care: manager.one(),
            reset: manager.substitution(&leaves.at_reset),
            free_at_reset: manager.set(&leaves.free)?,
            inputs: manager.set(&leaves.inputs)?,
            choices: manager.set(&leaves.choices)?,
            leaves,
            manager,
            limits,
            variables,
            assumption,
            guarantee,
            assumed_recurrences,
            goals,
            assumption_has_choices,
        })
    }

    /// Takes in what these literals depend on and the objective does not; `false` if that is
    /// too big. It plays no part in who wins, so solutions found before stay right.
    pub fn include(&mut self, arena: &Arena, literals: &[Literal]) -> Result<bool> {
        let included = self.within(NODE_BUDGETS[0], |game| game.leaves_behind(arena, literals))?;
        let Some((variables, added)) = included else {
            return Ok(false);
        };
        self.variables = variables;
        self.next_that_matter.extend(added.next.iter().cloned());
        self.leaves.extend(added);
        self.step = self.manager.substitution(&self.next_that_matter);
        self.reset = self.manager.substitution(&self.leaves.at_reset);
        self.free_at_reset = self.manager.set(&self.leaves.free)?;
        self.inputs = self.manager.set(&self.leaves.inputs)?;
        self.choices = self.manager.set(&self.leaves.choices)?;
        self.image = OnceCell::new();
        Ok(true)
    }

    /// All variables with those of leaves that only these literals depend on, and what these
    /// leaves are.
    fn leaves_behind(
        &self,
        arena: &Arena,
        literals: &[Literal],
    ) -> Result<(HashMap<NodeId, Variable>, Leaves)> {
        let mut leaves = arena.design.leaves_from(literals.iter().copied());
        leaves.retain(|id| !self.variables.contains_key(id));
        let mut variables = self.variables.clone();
        for &leaf in &leaves {
            variables.insert(leaf, self.manager.new_variable()?);
        }
        let mut functions = Functions::new(arena, &self.manager, &variables);
        let added = Leaves::new(&leaves, &mut functions, &self.leaves.at_reset)?;
        Ok((variables, added))
    }

    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    /// What operations may use.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The latches and inputs in the present order of their variables.
    pub fn order(&self) -> Vec<NodeId> {
        let nodes: HashMap<Variable, NodeId> = self
            .variables
            .iter()
            .map(|(id, variable)| (*variable, *id))
            .collect();
        let order = self.manager.order();
        order
            .iter()
            .filter_map(|variable| nodes.get(variable).copied())
            .collect()
    }

    /// The value of a signal in terms of state, inputs and choices; `None` if it depends on
    /// something that has no variable.
    pub fn function(&self, arena: &Arena, literal: Literal) -> Result<Option<Bdd>> {
        let cone = arena.design.cone([literal], Reach::Cycle);
        let unknown = |id: NodeId| {
            let is_leaf = matches!(arena.design.node(id), Node::Input(_) | Node::Latch(_));
            is_leaf && !self.variables.contains_key(&id)
        };
        if cone.iter().any(unknown) {
            return Ok(None);
        }
        Functions::new(arena, &self.manager, &self.variables)
            .of(literal)
            .map(Some)
    }

    /// The variable of a latch or input, if the objective depends on it or it was
    /// [included](Game::include).
    pub fn variable(&self, id: NodeId) -> Option<Variable> {
        self.variables.get(&id).copied()
    }

    /// The variables of latches that move, by the proposed order.
    pub fn state(&self) -> &[Variable] {
        &self.leaves.state
    }

    /// The variables of choices made once, before the first step.
    pub fn rigid(&self) -> &[Variable] {
        &self.leaves.rigid
    }

    /// The variables of the choices made in each step.
    pub fn choices(&self) -> &[Variable] {
        &self.leaves.choices
    }

    /// All variables of latches and inputs.
    pub fn leaf_variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.variables.values().copied()
    }

    /// The next value of each latch of [`Game::state`], in the same order.
    pub fn next_functions(&self) -> &[(Variable, Bdd)] {
        &self.leaves.next
    }

    /// The states in which a play may begin, for each rigid choice.
    pub fn initial(&self) -> Result<Bdd> {
        let mut initial = self.manager.one();
        for (variable, value) in &self.leaves.at_reset {
            initial = initial.and(&self.manager.literal(*variable)?.iff(value)?)?;
        }
        Ok(initial)
    }

    /// The variables of the environment's inputs.
    pub fn input_variables(&self) -> impl Iterator<Item = Variable> + '_ {
        self.leaves.inputs.iter().copied()
    }

    /// The variables of the latches whose initial value is the environment's.
    pub fn free_variables(&self) -> &[Variable] {
        &self.leaves.free
    }

    /// The steps in which the system keeps its invariant.
    pub fn guarantee(&self) -> &Bdd {
        &self.guarantee
    }

    /// The steps in which the environment keeps its assumption.
    pub fn assumption(&self) -> &Bdd {
        &self.assumption
    }

    /// The steps of which some have to happen again and again, for the environment.
    pub fn assumed_recurrences(&self) -> &[Bdd] {
        &self.assumed_recurrences
    }

    /// The same for the system.
    pub fn goals(&self) -> &[Bdd] {
        &self.goals
    }

    pub(super) fn choice_set(&self) -> &VariableSet {
        &self.choices
    }

    pub(super) fn input_set(&self) -> &VariableSet {
        &self.inputs
    }

    /// The steps that lead into a set of states, as far as they begin in [`Game::care`],
    /// and neither player loses in them.
    pub fn steps_into(&self, states: &Bdd) -> Result<Bdd> {
        states.minimize(&self.care)?.compose(&self.step)
    }

    /// The same for questions about some states only, which makes the answers smaller.
    pub(super) fn steps_from(&self, states: &Bdd) -> Result<Steps> {
        Steps::new(
            &self.manager,
            &self.next_that_matter,
            &self.care.and(states)?,
        )
    }

    /// The states that matter: all, or those that plays can reach.
    pub fn care(&self) -> &Bdd {
        &self.care
    }

    /// Forward steps. Adds a variable for each latch when it is first asked for.
    pub fn image(&self) -> Result<&Image> {
        match self.image.get() {
            Some(image) => Ok(image),
            None => {
                let inputs = self.leaves.inputs.iter().chain(&self.leaves.choices);
                let inputs: Vec<Variable> = inputs.copied().collect();
                let image = Image::new(&self.manager, &self.leaves.next, &inputs)?;
                Ok(self.image.get_or_init(|| image))
            }
        }
    }

    /// Solves the game over all states if that stays small, as it often does for
    /// invariants; else over those that plays reach, if these stay small; else either way
    /// with a larger node budget.
    pub fn solve_from_either_end(&mut self) -> Result<Solution> {
        for node_budget in NODE_BUDGETS {
            if let Some(solution) = self.within(node_budget, |game| game.solve())? {
                return Ok(solution);
            }
            if self
                .within(node_budget, Game::restrict_to_reachable)?
                .is_some()
            {
                return self.solve();
            }
        }
        self.restrict_to_reachable()?;
        self.solve()
    }

    /// Does something with so many more nodes than there are; `None` if they do not suffice.
    fn within<T>(
        &mut self,
        node_budget: usize,
        work: impl FnOnce(&mut Game) -> Result<T>,
    ) -> Result<Option<T>> {
        self.manager.collect_garbage();
        let most = self.manager.statistics().nodes + node_budget;
        if self.limits.nodes.is_some_and(|nodes| nodes <= most) {
            return Ok(None);
        }
        let (manager, limits) = (self.manager.clone(), self.limits.clone());
        Budget::of_nodes(node_budget).search(&manager, &limits, || work(self).map(Some))
    }

    /// The states that plays of these steps reach, if that takes moderate effort.
    pub fn reached_by(&mut self, steps: &Bdd) -> Result<Option<Bdd>> {
        let kept = steps.and(&self.assumption)?;
        let initial = self.initial()?;
        let reached = self.within(NODE_BUDGETS[0], |game| {
            game.image()?
                .reachable_within(&initial, &kept, MODERATE_EFFORT)
        })?;
        Ok(reached.flatten())
    }

    /// Leaves all states but the reachable ones out, if these can be found with limited effort.
    /// Next-state functions become smaller, since they have to be right in fewer states.
    pub fn restrict_to_reachable(&mut self) -> Result<()> {
        let steps = self.assumption.and(&self.guarantee)?;
        let Some(reached) = self
            .image()?
            .reachable_within(&self.initial()?, &steps, EFFORT)?
        else {
            return Ok(());
        };
        let matters = steps.and(&reached)?;
        let mut next = Vec::new();
        for (variable, function) in &self.leaves.next {
            next.push((*variable, function.minimize(&matters)?));
        }
        self.step = self.manager.substitution(&next);
        self.next_that_matter = next;
        self.care = reached;
        Ok(())
    }

    /// The steps in which the system keeps its guarantee and the given condition, or the
    /// environment breaks its assumption.
    pub fn good_steps(&self, condition: &Bdd) -> Result<Bdd> {
        self.guarantee.and(condition)?.or(&self.assumption.not())
    }

    /// The states in which the system can see to it that the next step is one of the given
    /// ones and keeps the guarantee, or that the assumption breaks.
    pub fn system_can(&self, steps: &Bdd) -> Result<Bdd> {
        self.whatever_inputs(&self.system_answers(steps)?)
    }

    /// The first half of [`Game::system_can`]: by state and inputs, where the system has a choice
    /// with which the step is one of the given ones and keeps the guarantee.
    pub(super) fn system_answers(&self, steps: &Bdd) -> Result<Bdd> {
        if self.assumption_has_choices {
            self.good_steps(steps)?.exists(&self.choices)
        } else {
            self.guarantee.and_exists(steps, &self.choices)
        }
    }

    /// The second half: the states in which there is an answer to all inputs that count.
    pub(super) fn whatever_inputs(&self, answers: &Bdd) -> Result<Bdd> {
        if self.assumption_has_choices {
            answers.forall(&self.inputs)
        } else {
            self.assumption.not().or_forall(answers, &self.inputs)
        }
    }

    /// The steps, by state and inputs, in which the environment keeps its assumption and,
    /// whatever the system does, the step is one of the given ones or breaks the guarantee.
    pub(super) fn environment_moves(&self, steps: &Bdd) -> Result<Bdd> {
        let good = self.guarantee.implies(steps)?;
        self.assumption.and(&good)?.forall(&self.choices)
    }

    /// For which rigid choices all initial states are in the set.
    pub fn contains_initial(&self, states: &Bdd) -> Result<Bdd> {
        states.compose(&self.reset)?.forall(&self.free_at_reset)
    }
}
