//! Who wins a game with an Emerson-Lei condition: the nested fixpoint of its Zielonka tree
//! \[hausmann24\].
//!
//! Good nodes are greatest fixpoints of the intersection of their children, bad nodes least
//! fixpoints of the union. At a leaf, the player has to make a step into the set of the
//! lowest node on the way to the leaf that has all colours of the step. For GR(1) this is the
//! well-known threefold fixpoint.
//!
//! Ours has colours on steps, works for either player and either order of moves, starts
//! greatest fixpoints from what was found when the surrounding ones were larger, and keeps
//! what the strategy needs (see `strategy`): the last round of greatest fixpoints and all
//! rounds of least ones.

use super::tree::{ColourSet, Tree};
use crate::bdd::{Bdd, Result, VariableSet};
use crate::game::encode::Game;
use crate::spec::ltl::Order;

/// Whose strategy is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    System,
    Environment,
}

/// A game with one of its players, who wants the good nodes of the tree.
pub struct Solver<'a> {
    pub game: &'a Game,
    pub player: Player,
    pub order: Order,
    pub tree: &'a Tree,
}

/// How a node of the tree was won.
#[derive(Clone)]
pub enum Plan {
    /// Stay in these states by these steps.
    Leaf { states: Bdd, steps: Bdd },
    /// Work for each child in turn.
    Good { states: Bdd, children: Vec<Plan> },
    /// Growing sets, each with the plans of the children in which it was won.
    Bad { layers: Vec<(Bdd, Vec<Plan>)> },
}

/// A node on the way to the present leaf.
struct Frame<'a> {
    tree: &'a Tree,
    /// The steps with all colours of this node, and not those of the next one on the way.
    colour: Bdd,
    /// Those of them that lead into the node's set.
    steps: Bdd,
}

impl Plan {
    pub fn states(&self) -> Option<&Bdd> {
        match self {
            Plan::Leaf { states, .. } | Plan::Good { states, .. } => Some(states),
            Plan::Bad { layers } => layers.last().map(|(states, _)| states),
        }
    }
}

impl<'a> Solver<'a> {
    /// The player's plan if it wins from the initial state.
    pub fn solve(&self) -> Result<Option<Plan>> {
        let plan = self.best_plan()?;
        match plan.as_ref().and_then(Plan::states) {
            Some(states) if self.game.contains_initial(states)?.is_one() => Ok(plan),
            _ => Ok(None),
        }
    }

    /// The rigid choices with which the player wins from all initial states.
    pub fn good_choices(&self) -> Result<Bdd> {
        match self.best_plan()?.as_ref().and_then(Plan::states) {
            Some(states) => self.game.contains_initial(states),
            None => Ok(self.game.manager().zero()),
        }
    }

    /// A plan for the states from which the player wins; if it ended early, either for too
    /// many because all is lost, or for too few because all is won.
    fn best_plan(&self) -> Result<Option<Plan>> {
        let game = self.game;
        let mut bound = game.care().clone();
        loop {
            if !self.may_win(&bound)? {
                return Ok(None);
            }
            let into = game.steps_from(&bound)?.leading_into(&bound)?;
            let next = bound.and(&self.can(&into)?)?;
            if next == bound {
                break;
            }
            bound = next;
        }
        let mut path = Vec::new();
        self.node(self.tree, &bound, &mut path, None, true)
            .map(Some)
    }

    /// Whether the states are the initial ones of some rigid choice.
    fn may_win(&self, states: &Bdd) -> Result<bool> {
        Ok(!self.game.contains_initial(states)?.is_zero())
    }

    /// The steps of which the player has to make one, or win at once.
    pub fn moves(&self, steps: &Bdd) -> Result<Bdd> {
        match self.player {
            Player::System => self.game.good_steps(steps),
            Player::Environment => {
                let good = self.game.guarantee().implies(steps)?;
                self.game.assumption().and(&good)
            }
        }
    }

    /// Who moves first chooses without knowing what the other does: the variables of the
    /// player, those of the other, and whether the player is first.
    fn sides(&self) -> (&VariableSet, &VariableSet, bool) {
        let (inputs, choices) = (self.game.input_set(), self.game.choice_set());
        match (self.player, self.order) {
            (Player::System, Order::Mealy) => (choices, inputs, false),
            (Player::System, Order::Moore) => (choices, inputs, true),
            (Player::Environment, Order::Mealy) => (inputs, choices, true),
            (Player::Environment, Order::Moore) => (inputs, choices, false),
        }
    }

    /// The states in which the player can see to it that one of these steps is made.
    pub fn can(&self, steps: &Bdd) -> Result<Bdd> {
        let (own, other, is_first) = self.sides();
        if self.player == Player::System && self.order == Order::Mealy {
            return self.game.system_can(steps);
        }
        let moves = self.moves(steps)?;
        if is_first {
            moves.forall(other)?.exists(own)
        } else {
            moves.exists(own)?.forall(other)
        }
    }

    /// The moves, without what the other does later in the step.
    pub fn choices(&self, steps: &Bdd) -> Result<Bdd> {
        let (_, other, is_first) = self.sides();
        let moves = self.moves(steps)?;
        if is_first {
            moves.forall(other)
        } else {
            Ok(moves)
        }
    }

    /// The steps without colours outside of a set.
    pub fn inside(&self, colours: ColourSet) -> Result<Bdd> {
        let mut steps = self.game.manager().one();
        for (number, colour) in self.game.goals.iter().enumerate() {
            if colours >> number & 1 == 0 {
                steps = steps.minus(colour)?;
            }
        }
        Ok(steps)
    }

    fn node(
        &self,
        tree: &'a Tree,
        bound: &Bdd,
        path: &mut Vec<Frame<'a>>,
        earlier: Option<&Plan>,
        is_root: bool,
    ) -> Result<Plan> {
        // Steps with a colour of the parent that this node does not have count for the parent.
        let inside = self.inside(tree.colours)?;
        if let Some(parent) = path.last_mut() {
            let own = self.inside(parent.tree.colours)?;
            parent.colour = own.minus(&inside)?;
        }
        // The parent's steps were those of all of its colours: narrow them for this child.
        let narrowed: Option<Bdd> = match path.last_mut() {
            Some(parent) => {
                let whole = parent.steps.clone();
                parent.steps = whole.and(&parent.colour)?;
                Some(whole)
            }
            None => None,
        };
        path.push(Frame {
            tree,
            colour: inside,
            steps: self.game.manager().zero(),
        });
        let plan = if tree.is_good {
            self.good(tree, bound, path, earlier, is_root)
        } else {
            self.bad(tree, bound, path, earlier, is_root)
        };
        path.pop();
        if let (Some(parent), Some(whole)) = (path.last_mut(), narrowed) {
            parent.steps = whole;
        }
        plan
    }

    /// Sets the steps of the last node on the way to those into a set.
    fn aim(&self, path: &mut [Frame<'a>], bound: &Bdd, states: &Bdd) -> Result<()> {
        if let Some(last) = path.last_mut() {
            let into = self.game.steps_from(bound)?.leading_into(states)?;
            let inside = self.inside(last.tree.colours)?;
            last.steps = into.and(&inside)?;
        }
        Ok(())
    }

    /// The steps that are good at a leaf.
    fn leaf_steps(&self, path: &[Frame<'a>]) -> Result<Bdd> {
        let mut steps = self.game.manager().zero();
        for frame in path {
            steps = steps.or(&frame.steps)?;
        }
        Ok(steps)
    }

    fn good(
        &self,
        tree: &'a Tree,
        bound: &Bdd,
        path: &mut Vec<Frame<'a>>,
        earlier: Option<&Plan>,
        is_root: bool,
    ) -> Result<Plan> {
        let mut states = match earlier.and_then(Plan::states) {
            Some(states) => bound.and(states)?,
            None => bound.clone(),
        };
        let mut known: Vec<Option<Plan>> = match earlier {
            Some(Plan::Good { children, .. }) => children.iter().cloned().map(Some).collect(),
            _ => vec![None; tree.children.len()],
        };
        loop {
            let before = states.clone();
            if tree.children.is_empty() {
                self.aim(path, &states, &states)?;
                let steps = self.leaf_steps(path)?;
                states = states.and(&self.can(&steps)?)?;
                if states == before {
                    return Ok(Plan::Leaf { states, steps });
                }
            }
            for (child, known) in tree.children.iter().zip(&mut known) {
                self.aim(path, &states, &states)?;
                let plan = self.node(child, &states, path, known.as_ref(), false)?;
                states = match plan.states() {
                    Some(found) => states.and(found)?,
                    None => self.game.manager().zero(),
                };
                *known = Some(plan);
                if is_root && !self.may_win(&states)? {
                    return Ok(Plan::Good {
                        states,
                        children: Vec::new(),
                    });
                }
            }
            if states == before {
                let children = known.into_iter().flatten().collect();
                return Ok(Plan::Good { states, children });
            }
        }
    }

    fn bad(
        &self,
        tree: &'a Tree,
        bound: &Bdd,
        path: &mut Vec<Frame<'a>>,
        earlier: Option<&Plan>,
        is_root: bool,
    ) -> Result<Plan> {
        let mut layers: Vec<(Bdd, Vec<Plan>)> = Vec::new();
        let mut states = self.game.manager().zero();
        loop {
            self.aim(path, bound, &states)?;
            let mut plans = Vec::new();
            let mut grown = states.clone();
            if tree.children.is_empty() {
                let steps = self.leaf_steps(path)?;
                let found = bound.and(&self.can(&steps)?)?;
                grown = grown.or(&found)?;
                plans.push(Plan::Leaf {
                    states: found,
                    steps,
                });
            }
            for (index, child) in tree.children.iter().enumerate() {
                let known = match earlier {
                    Some(Plan::Bad { layers: known }) => known
                        .get(layers.len())
                        .and_then(|(_, plans)| plans.get(index)),
                    _ => None,
                };
                let plan = self.node(child, bound, path, known, false)?;
                if let Some(found) = plan.states() {
                    grown = grown.or(found)?;
                }
                plans.push(plan);
            }
            if grown == states {
                return Ok(Plan::Bad { layers });
            }
            states = grown.clone();
            layers.push((grown, plans));
            if is_root && self.game.contains_initial(&states)?.is_one() {
                return Ok(Plan::Bad { layers });
            }
        }
    }
}
