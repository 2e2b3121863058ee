//! Whether parts of a specification are realizable, asked often.
//!
//! The parts are numbered: guarantees, outputs, and missing assumptions. A set of them
//! stands for the specification that has these guarantees, leaves the outputs that are not
//! in it free [KHB11, Sec. 4.2.3], and lacks these assumptions [CRST08, Sec. 2.2]. A set
//! that is not realizable is called a conflict.
//!
//! Answers serve for many other questions (`known`), and approximations [KHB11, Sec. 5.3]
//! are asked before the game is solved.
//!
//! Ours looks at parts that share no variable one by one (`independent`), and what it learns
//! from a conflict is smaller than what was asked: the part that conflicts, with those goals
//! only that the environment prevents.

use super::approximate::{Approximation, approximate, environment_avoids};
use super::counterstrategy::Counterstrategy;
use super::forced::Forced;
use super::frozen::Frozen;
use super::independent::{Independent, never};
use super::known::Known;
use super::reduce::Cheap;
use super::subset::Subset;
use crate::bdd::{Error, Limits, Result};
use crate::game::gr1::{Forfeit, Gr1Game, Recurrence, Rules, Selection};
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side, VariableId};
use std::collections::HashMap;

/// What a conflict may be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Element {
    Guarantee(ConstraintId),
    /// A variable of the system that guarantees speak of.
    Output(VariableId),
    /// An assumption that is not there.
    Lack(ConstraintId),
}

/// Nodes that a question of a minimization may take at first.
pub(super) const NODE_BUDGET: usize = 30_000;

/// Nodes that a game may take before unreachable states are searched for, in order to leave
/// them out: most of the largest games take less.
pub(super) const LARGE_NODE_BUDGET: usize = 60 * NODE_BUDGET;

/// How many look-ups of the computed table a question may take for each node of its budget.
const EFFORT: u64 = 100;
/// The same with large budgets: games with a hundred goals look at the same nodes again and again.
const LARGE_EFFORT: u64 = 300;

/// How often what was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// All questions.
    pub asked: usize,
    /// Answered by monotonicity.
    pub known: usize,
    /// Answered by an approximation.
    pub approximated: usize,
    /// Answered by the whole fixpoint.
    pub solved: usize,
}

impl Statistics {
    /// Games that were looked at.
    pub fn checks(&self) -> usize {
        self.approximated + self.solved
    }
}

pub struct Oracle<'a> {
    game: &'a Gr1Game,
    elements: Vec<Element>,
    numbers: HashMap<Element, usize>,
    pub(super) semantics: Semantics,
    pub approximations: bool,
    known: Known,
    /// By the assumptions that are missing.
    forfeits: HashMap<Subset, Forfeit>,
    independent: Independent,
    pub(super) frozen: Frozen,
    /// Of searches for minimal conflicts.
    pub(super) cheap: Cheap,
    /// Nodes of the constraints.
    nodes: usize,
    /// A game for many changes that are alike has taken too much, and is not tried again.
    pub(super) is_alike_in_vain: bool,
    /// No question is begun when the manager has done so much work.
    last_work: Option<u64>,
    pub statistics: Statistics,
}

impl<'a> Oracle<'a> {
    pub fn new(game: &'a Gr1Game, semantics: Semantics) -> Oracle<'a> {
        let elements = elements(game.spec());
        let numbers = elements.iter().copied().zip(0..).collect();
        let manager = game.encoding().manager();
        manager.collect_garbage();
        Oracle {
            nodes: manager.statistics().nodes,
            game,
            elements,
            numbers,
            semantics,
            approximations: true,
            known: Known::default(),
            forfeits: HashMap::new(),
            independent: Independent::new(game),
            frozen: Frozen::new(game.spec()),
            cheap: Cheap::new(),
            is_alike_in_vain: false,
            last_work: None,
            statistics: Statistics::default(),
        }
    }

    pub fn game(&self) -> &'a Gr1Game {
        self.game
    }

    pub fn spec(&self) -> &'a Gr1 {
        self.game.spec()
    }

    pub fn size(&self) -> usize {
        self.elements.len()
    }

    pub fn element(&self, number: usize) -> Element {
        self.elements[number]
    }

    pub fn number(&self, element: Element) -> Option<usize> {
        self.numbers.get(&element).copied()
    }

    pub fn elements_of(&self, set: &Subset) -> Vec<Element> {
        set.iter().map(|number| self.elements[number]).collect()
    }

    /// A set of elements; those that the specification does not have are left out.
    pub fn set(&self, elements: impl IntoIterator<Item = Element>) -> Subset {
        let numbers = elements.into_iter().filter_map(|one| self.number(one));
        Subset::of(self.size(), numbers)
    }

    fn all(&self, belongs: impl Fn(&Element) -> bool) -> Subset {
        let numbers = (0..self.size()).filter(|number| belongs(&self.elements[*number]));
        Subset::of(self.size(), numbers)
    }

    /// The whole specification: all guarantees and outputs, and no assumption is missing.
    pub fn whole(&self) -> Subset {
        self.all(|element| !matches!(element, Element::Lack(_)))
    }

    pub fn guarantees(&self) -> Subset {
        self.all(|element| matches!(element, Element::Guarantee(_)))
    }

    pub fn outputs(&self) -> Subset {
        self.all(|element| matches!(element, Element::Output(_)))
    }

    pub fn lacks(&self) -> Subset {
        self.all(|element| matches!(element, Element::Lack(_)))
    }

    /// The game that a set stands for.
    pub fn selection(&self, set: &Subset) -> Selection {
        let mut selection = Selection::everything(self.spec());
        for (number, element) in self.elements.iter().enumerate() {
            let is_in = set.contains(number);
            match element {
                Element::Guarantee(id) => selection.set(*id, is_in),
                Element::Lack(id) => selection.set(*id, !is_in),
                Element::Output(variable) if !is_in => {
                    selection.released.insert(*variable);
                }
                Element::Output(_) => {}
            }
        }
        selection
    }

    pub fn rules(&mut self, set: &Subset) -> Result<Rules<'a>> {
        let rules = self.game.rules(&self.selection(set))?;
        self.read(rules, set)
    }

    /// The game of a selection, for questions about plays from the first states only.
    pub(super) fn rules_of_plays(
        &mut self,
        set: &Subset,
        selection: &Selection,
    ) -> Result<Rules<'a>> {
        // Each game has an order of its own.
        self.game.encoding().manager().expect(self.nodes);
        let rules = self.game.rules_of_plays(selection)?;
        self.read(rules, set)
    }

    fn read(&mut self, mut rules: Rules<'a>, set: &Subset) -> Result<Rules<'a>> {
        if self.semantics == Semantics::Implication {
            rules.forfeit = Some(self.forfeit(set)?);
        }
        Ok(rules)
    }

    /// Does something with the rules of a selection, which stands for a set or a part of it:
    /// with all states as long as a small node budget is enough, and otherwise with those that
    /// plays reach, which are expensive to find.
    fn with_rules<T>(
        &mut self,
        set: &Subset,
        selection: &Selection,
        task: impl Fn(Rules<'a>) -> Result<T>,
    ) -> Result<T> {
        let quick = self.within(LARGE_NODE_BUDGET, |oracle| {
            task(oracle.rules_of_plays(set, selection)?)
        })?;
        if let Some(result) = quick {
            return Ok(result);
        }
        let mut rules = self.rules_of_plays(set, selection)?;
        rules.restrict_to_reachable()?;
        task(rules)
    }

    /// `None` if it takes more than the node budget, or far more time than that.
    pub(super) fn within<T>(
        &mut self,
        node_budget: usize,
        task: impl FnOnce(&mut Oracle<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        let manager = self.game.encoding().manager().clone();
        let usual = self.game.limits();
        let before = manager.statistics();
        if self.last_work.is_some_and(|last| before.work > last) {
            return Err(Error::Effort);
        }
        let effort = if node_budget < LARGE_NODE_BUDGET {
            EFFORT
        } else {
            LARGE_EFFORT
        };
        let nodes = before.nodes + node_budget;
        let nodes = usual.nodes.map_or(nodes, |limit| limit.min(nodes));
        manager.set_limits(Limits {
            nodes: Some(nodes),
            lookups: Some(before.cache_lookups + effort * node_budget as u64),
            ..usual.clone()
        });
        let result = task(self);
        manager.set_limits(usual.clone());
        match result {
            Ok(result) => Ok(Some(result)),
            Err(Error::Effort) => Ok(None),
            Err(Error::Nodes) if usual.nodes != Some(nodes) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The work of all questions so far.
    pub(super) fn work(&self) -> u64 {
        self.game.encoding().manager().statistics().work
    }

    /// `None` if the questions of a task take more work than this, up to the end of one of them.
    pub(super) fn with_work<T>(
        &mut self,
        work: u64,
        task: impl FnOnce(&mut Oracle<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        self.last_work = Some(self.work().saturating_add(work));
        let result = task(self);
        self.last_work = None;
        match result {
            Ok(result) => Ok(Some(result)),
            Err(Error::Effort) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How the environment wins; `None` if the set is no conflict.
    pub fn counterstrategy(&mut self, set: &Subset) -> Result<Option<Counterstrategy<'a>>> {
        let selection = self.selection(set);
        self.with_rules(set, &selection, Counterstrategy::new)
    }

    /// Where the system may give its guarantees up.
    fn forfeit(&mut self, set: &Subset) -> Result<Forfeit> {
        let missing = set.intersection(&self.lacks());
        if let Some(forfeit) = self.forfeits.get(&missing) {
            return Ok(forfeit.clone());
        }
        let selection = self.selection(&missing);
        let mut rules = self.game.rules(&selection)?;
        rules.goals = vec![Recurrence {
            constraint: None,
            states: rules.manager().zero(),
        }];
        let broken = self.game.broken_by_answers(&selection)?;
        rules.forfeit = Some(broken.clone());
        let forced = Forced::new(&rules, true)?;
        let starts = rules.initial_guarantee().and(forced.states())?;
        let forfeit = Forfeit {
            moves: rules.answers(forced.states())?.or(&broken.moves)?,
            starts: starts
                .exists(rules.now_of(Player::System))?
                .or(&broken.starts)?,
        };
        self.forfeits.insert(missing, forfeit.clone());
        Ok(forfeit)
    }

    /// Whether the specification of the set is not realizable.
    pub fn conflicts(&mut self, set: &Subset) -> Result<bool> {
        match self.conflicts_within(set, LARGE_NODE_BUDGET)? {
            Some(answer) => Ok(answer),
            None => self.conflicts_after_all(set),
        }
    }

    /// The same for a set that takes more than a large node budget.
    pub(super) fn conflicts_after_all(&mut self, set: &Subset) -> Result<bool> {
        for part in self.parts(set)? {
            let node_budgets = [NODE_BUDGET, 10 * NODE_BUDGET, LARGE_NODE_BUDGET];
            let verdict = if self.wins_part_while_frozen(set, &part.selection, &node_budgets)? {
                Verdict::harmless()
            } else {
                let mut rules = self.rules_of_plays(set, &part.selection)?;
                rules.restrict_to_reachable()?;
                solved(&rules)?
            };
            if self.take_in(&part, &verdict) {
                return Ok(true);
            }
        }
        self.learn(set, false);
        Ok(false)
    }

    /// The same, unless the game takes more than the node budget: then `None`.
    pub fn conflicts_within(&mut self, set: &Subset, node_budget: usize) -> Result<Option<bool>> {
        if let Some(known) = self.known(set) {
            return Ok(Some(known));
        }
        let mut is_decided = true;
        for part in self.parts(set)? {
            match self.decide(set, &part.selection, node_budget)? {
                Some(verdict) if self.take_in(&part, &verdict) => return Ok(Some(true)),
                Some(_) => {}
                None => {
                    self.count(false);
                    is_decided = false;
                }
            }
        }
        if !is_decided {
            return Ok(None);
        }
        self.learn(set, false);
        Ok(Some(false))
    }

    /// Who wins a part of a set; `None` if that takes more than the node budget. Approximations get
    /// little of it: where they do not answer at once, they are no cheaper than the game.
    pub(super) fn decide(
        &mut self,
        set: &Subset,
        selection: &Selection,
        node_budget: usize,
    ) -> Result<Option<Verdict>> {
        let rules = self.within(node_budget, |oracle| oracle.rules_of_plays(set, selection))?;
        let Some(rules) = rules else {
            return Ok(None);
        };
        if self.approximations {
            let prevented = match self.within(NODE_BUDGET, |_| approximate(&rules))? {
                Some(Approximation::Realizable) => Some(None),
                Some(Approximation::Unrealizable(goals)) => Some(Some(goals)),
                Some(Approximation::Unknown) | None => None,
            };
            if let Some(prevented) = prevented {
                return Ok(Some(Verdict {
                    prevented,
                    quickly: true,
                }));
            }
        }
        self.within(node_budget, |_| solved(&rules))
    }

    /// Whether an approximation shows, with a small node budget, that the set is a conflict, unless
    /// that is known already.
    pub fn refuted(&mut self, set: &Subset) -> Result<bool> {
        match self.known(set) {
            Some(known) => Ok(known),
            None => self.is_seen(set),
        }
    }

    /// Whether an approximation shows it, however much is known.
    pub(super) fn is_seen(&mut self, set: &Subset) -> Result<bool> {
        if self.known.is_unrefuted(set) {
            return Ok(false);
        }
        for part in self.all_parts(set)? {
            let answer = self.within(NODE_BUDGET, |oracle| {
                environment_avoids(&oracle.rules_of_plays(set, &part.selection)?)
            })?;
            self.count(true);
            if let Some(Some(goals)) = answer {
                self.learn(&self.preventing(&part.set, &goals), true);
                return Ok(true);
            }
        }
        self.known.add_unrefuted(set);
        Ok(false)
    }

    /// Parts of a set, one of which conflicts if and only if the set does, without those that
    /// are known to be harmless.
    pub(super) fn parts(&mut self, set: &Subset) -> Result<Vec<Part>> {
        let mut parts = self.all_parts(set)?;
        if parts.len() > 1 {
            parts.retain(|part| !self.known.is_harmless(&part.set));
        }
        Ok(parts)
    }

    fn all_parts(&mut self, set: &Subset) -> Result<Vec<Part>> {
        let selection = self.selection(set);
        // With the implication, a part may be given up for the sake of another.
        if self.semantics == Semantics::Implication {
            return Ok(vec![Part {
                set: set.clone(),
                selection,
            }]);
        }
        let game = self.game;
        let mut independent = std::mem::take(&mut self.independent);
        let parts = independent.parts(game, &selection, &mut |selection| {
            let kept = self.within(NODE_BUDGET, |_| {
                let mut rules = game.rules_of_plays(selection)?;
                rules.goals = never(game);
                Ok(!rules.decide()?.realizable)
            });
            Ok(kept?.unwrap_or(false))
        });
        self.independent = independent;
        let parts = parts?.into_iter();
        Ok(parts
            .map(|selection| Part {
                set: self.members(set, &selection),
                selection,
            })
            .collect())
    }

    /// What of a set a selection of its constraints needs: also the outputs that definitions of
    /// its guarantees speak of. All that is lacking stays.
    pub(super) fn members(&self, set: &Subset, selection: &Selection) -> Subset {
        let spec = self.spec();
        let mut members = set.intersection(&self.lacks());
        for number in set.iter() {
            if let Element::Guarantee(id) = self.elements[number]
                && selection.has(id)
            {
                members.insert(number);
                let term = spec.constraint(id).term;
                let definitions = spec.definitions_of(term);
                let parts = spec.constraints.iter().filter(|one| {
                    let definition = one.definition;
                    definition.is_some_and(|one| definitions.contains(&one))
                });
                let terms = parts.map(|one| one.term).chain([term]);
                for (variable, _) in terms.flat_map(|term| spec.terms.variables(term)) {
                    if let Some(output) = self.number(Element::Output(variable))
                        && set.contains(output)
                    {
                        members.insert(output);
                    }
                }
            }
        }
        members
    }

    /// A conflict without the goals that the environment need not prevent.
    pub(super) fn preventing(&self, set: &Subset, goals: &[ConstraintId]) -> Subset {
        let spec = self.spec();
        let is_idle = |element: &Element| match element {
            Element::Guarantee(id) => {
                spec.constraint(*id).kind == Kind::Justice && !goals.contains(id)
            }
            Element::Output(_) | Element::Lack(_) => false,
        };
        set.minus(&self.all(is_idle))
    }

    /// Counts and records an answer; whether it is a conflict.
    fn take_in(&mut self, part: &Part, verdict: &Verdict) -> bool {
        self.count(verdict.quickly);
        match &verdict.prevented {
            Some(goals) => self.learn(&self.preventing(&part.set, goals), true),
            // Definitions belong to every set, and need not be in this part.
            None if self.spec().definitions.is_empty() => self.learn(&part.set, false),
            None => {}
        }
        verdict.prevented.is_some()
    }

    pub(super) fn count(&mut self, quickly: bool) {
        if quickly {
            self.statistics.approximated += 1;
        } else {
            self.statistics.solved += 1;
        }
    }

    /// The same without counting it as a question.
    pub(super) fn verdict(&self, set: &Subset) -> Option<bool> {
        self.known.verdict(set)
    }

    /// What earlier answers say.
    pub(super) fn known(&mut self, set: &Subset) -> Option<bool> {
        self.statistics.asked += 1;
        let known = self.known.verdict(set);
        self.statistics.known += usize::from(known.is_some());
        known
    }

    /// Records an answer that was found elsewhere.
    pub fn learn(&mut self, set: &Subset, conflicts: bool) {
        if conflicts {
            self.known.add_conflict(set);
        } else {
            self.known.add_harmless(set);
        }
    }

    /// Those of the items that the smallest known conflict within a set needs.
    pub(super) fn narrowed(&self, items: &[usize], set: &Subset) -> Vec<usize> {
        let mut items = items.to_vec();
        if let Some(conflict) = self.known.conflict_within(set) {
            items.retain(|item| conflict.contains(*item));
        }
        items
    }
}

/// A part of a set, as a set and as a game.
pub(super) struct Part {
    pub set: Subset,
    pub selection: Selection,
}

/// Who wins.
pub(super) struct Verdict {
    /// The goals that the environment prevents, if it wins.
    pub prevented: Option<Vec<ConstraintId>>,
    /// Whether an approximation said so.
    quickly: bool,
}

impl Verdict {
    fn harmless() -> Verdict {
        Verdict {
            prevented: None,
            quickly: true,
        }
    }
}

pub(super) fn solved(rules: &Rules) -> Result<Verdict> {
    let decision = rules.decide()?;
    let rounds = decision.rounds.iter().filter_map(|round| round.goal);
    let goals = rounds.filter_map(|goal| rules.goals[goal].constraint);
    Ok(Verdict {
        prevented: (!decision.realizable).then(|| goals.collect()),
        quickly: false,
    })
}

fn elements(spec: &Gr1) -> Vec<Element> {
    let own = |side| {
        spec.constraint_ids().filter(move |id| {
            let constraint = spec.constraint(*id);
            constraint.side == side && constraint.is_candidate
        })
    };
    let outputs = spec.variable_ids().filter(|id| {
        let variable = spec.variable(*id);
        variable.owner == Player::System && !variable.is_auxiliary()
    });
    let mut elements: Vec<Element> = own(Side::Guarantee).map(Element::Guarantee).collect();
    elements.extend(outputs.map(Element::Output));
    elements.extend(own(Side::Assumption).map(Element::Lack));
    elements
}
