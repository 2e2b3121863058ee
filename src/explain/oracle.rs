//! Whether parts of a specification are realizable, asked often.
//!
//! The parts are numbered: guarantees, outputs, and missing assumptions. A set of them
//! stands for the specification that has these guarantees, leaves the outputs that are not
//! in it free [KHB11, Sec. 4.2.3], and lacks these assumptions [CRST08, Sec. 2.2]. A set
//! that is not realizable is called a conflict.
//!
//! A superset of a conflict is one, so answers serve for many other questions; only the
//! largest sets without a conflict and the smallest conflicts are kept. Approximations
//! [KHB11, Sec. 5.3] are asked before the game is solved.

use super::approximate::{Approximation, approximate, environment_avoids};
use super::counterstrategy::Counterstrategy;
use super::forced::Forced;
use super::minimize::{Minimizer, minimize};
use super::subset::Subset;
use crate::bdd::{Error, Limits, Result};
use crate::game::gr1::{Forfeit, Gr1Game, Recurrence, Rules, Selection};
use crate::spec::gr1::{ConstraintId, Gr1, Player, Side, VariableId};
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
pub(super) const ROOM: usize = 30_000;

/// When the system has won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reading {
    /// Who breaks a safety constraint first loses.
    #[default]
    Strict,
    /// The guarantees hold or some assumption does not.
    Implication,
}

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
    reading: Reading,
    pub approximations: bool,
    conflicts: Vec<Subset>,
    harmless: Vec<Subset>,
    /// Sets in which the approximation sees no conflict, so it sees none in parts of them.
    unrefuted: Vec<Subset>,
    /// By the assumptions that are missing.
    forfeits: HashMap<Subset, Forfeit>,
    pub statistics: Statistics,
}

impl<'a> Oracle<'a> {
    pub fn new(game: &'a Gr1Game, reading: Reading) -> Oracle<'a> {
        let elements = elements(game.spec());
        let numbers = elements.iter().copied().zip(0..).collect();
        Oracle {
            game,
            elements,
            numbers,
            reading,
            approximations: true,
            conflicts: Vec::new(),
            harmless: Vec::new(),
            unrefuted: Vec::new(),
            forfeits: HashMap::new(),
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

    /// The same, for questions about plays from the first states only.
    fn rules_of_plays(&mut self, set: &Subset) -> Result<Rules<'a>> {
        let rules = self.game.rules_of_plays(&self.selection(set))?;
        self.read(rules, set)
    }

    fn read(&mut self, mut rules: Rules<'a>, set: &Subset) -> Result<Rules<'a>> {
        if self.reading == Reading::Implication {
            rules.forfeit = Some(self.forfeit(set)?);
        }
        Ok(rules)
    }

    /// Does something with the rules of a set: with all states as long as that takes little
    /// room, and otherwise with those that plays reach, which are expensive to find.
    fn with_rules<T>(&mut self, set: &Subset, task: impl Fn(Rules<'a>) -> Result<T>) -> Result<T> {
        let quick = self.within(10 * ROOM, |oracle| task(oracle.rules_of_plays(set)?))?;
        if let Some(result) = quick {
            return Ok(result);
        }
        let mut rules = self.rules_of_plays(set)?;
        rules.restrict_to_reachable()?;
        task(rules)
    }

    /// `None` if it takes more room than given.
    fn within<T>(
        &mut self,
        room: usize,
        task: impl FnOnce(&mut Oracle<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        let manager = self.game.encoding().manager().clone();
        let usual = self.game.limits();
        let nodes = manager.statistics().nodes + room;
        let nodes = usual.nodes.map_or(nodes, |limit| limit.min(nodes));
        manager.set_limits(Limits {
            nodes: Some(nodes),
            ..usual.clone()
        });
        let result = task(self);
        manager.set_limits(usual.clone());
        match result {
            Ok(result) => Ok(Some(result)),
            Err(Error::Nodes) if usual.nodes != Some(nodes) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// How the environment wins; `None` if the set is no conflict.
    pub fn counterstrategy(&mut self, set: &Subset) -> Result<Option<Counterstrategy<'a>>> {
        self.with_rules(set, Counterstrategy::new)
    }

    /// Where the system may give its guarantees up.
    fn forfeit(&mut self, set: &Subset) -> Result<Forfeit> {
        let missing = set.intersection(&self.lacks());
        if let Some(forfeit) = self.forfeits.get(&missing) {
            return Ok(forfeit.clone());
        }
        let mut rules = self.game.rules(&self.selection(&missing))?;
        rules.goals = vec![Recurrence {
            constraint: None,
            states: rules.manager().zero(),
        }];
        let forced = Forced::new(&rules, true)?;
        let forfeit = Forfeit {
            moves: rules.answers(forced.states())?,
            starts: rules
                .initial_guarantee()
                .and(forced.states())?
                .exists(rules.now_of(Player::System))?,
        };
        self.forfeits.insert(missing, forfeit.clone());
        Ok(forfeit)
    }

    /// Whether the specification of the set is not realizable.
    pub fn conflicts(&mut self, set: &Subset) -> Result<bool> {
        if let Some(known) = self.known(set) {
            return Ok(known);
        }
        let approximations = self.approximations;
        let (realizable, quickly) = self.with_rules(set, |rules| decide(&rules, approximations))?;
        self.count(quickly);
        self.learn(set, !realizable);
        Ok(!realizable)
    }

    /// The same, unless the game takes more than some room: then `None`.
    pub fn conflicts_within(&mut self, set: &Subset, room: usize) -> Result<Option<bool>> {
        if let Some(known) = self.known(set) {
            return Ok(Some(known));
        }
        let approximations = self.approximations;
        let answer = self.within(room, |oracle| {
            decide(&oracle.rules_of_plays(set)?, approximations)
        })?;
        self.count(answer.is_some_and(|(_, quickly)| quickly));
        if let Some((realizable, _)) = answer {
            self.learn(set, !realizable);
        }
        Ok(answer.map(|(realizable, _)| !realizable))
    }

    /// Whether an approximation shows, in little room, that the set is a conflict, unless
    /// that is known already.
    pub fn refuted(&mut self, set: &Subset) -> Result<bool> {
        match self.known(set) {
            Some(known) => Ok(known),
            None => self.is_seen(set),
        }
    }

    /// Whether an approximation shows it, however much is known.
    fn is_seen(&mut self, set: &Subset) -> Result<bool> {
        if self.unrefuted.iter().any(|other| set.is_subset_of(other)) {
            return Ok(false);
        }
        let answer = self.within(ROOM, |oracle| {
            environment_avoids(&oracle.rules_of_plays(set)?)
        })?;
        self.count(true);
        if answer == Some(true) {
            self.learn(set, true);
        } else {
            self.unrefuted.retain(|other| !other.is_subset_of(set));
            self.unrefuted.push(set.clone());
        }
        Ok(answer == Some(true))
    }

    fn count(&mut self, quickly: bool) {
        match quickly {
            true => self.statistics.approximated += 1,
            false => self.statistics.solved += 1,
        }
    }

    /// What earlier answers say.
    fn known(&mut self, set: &Subset) -> Option<bool> {
        self.statistics.asked += 1;
        let known = if self.conflicts.iter().any(|other| other.is_subset_of(set)) {
            Some(true)
        } else if self.harmless.iter().any(|other| set.is_subset_of(other)) {
            Some(false)
        } else {
            None
        };
        self.statistics.known += usize::from(known.is_some());
        known
    }

    /// Records an answer that was found elsewhere.
    pub fn learn(&mut self, set: &Subset, conflicts: bool) {
        if conflicts {
            self.conflicts.retain(|other| !set.is_subset_of(other));
            self.conflicts.push(set.clone());
        } else {
            self.harmless.retain(|other| !other.is_subset_of(set));
            self.harmless.push(set.clone());
        }
    }

    /// A minimal conflict that contains `base` and otherwise members of `within` only;
    /// both together must conflict. Members of `base` are not minimized.
    pub fn minimal_conflict(
        &mut self,
        minimizer: Minimizer,
        within: &Subset,
        base: &Subset,
    ) -> Result<Subset> {
        let items: Vec<usize> = within.minus(base).iter().collect();
        let bound = self.size();
        let join = |items: &[usize]| base.union(&Subset::of(bound, items.iter().copied()));
        // Parts that are realizable are often far more expensive than the whole. So at first
        // only conflicts that an approximation sees count, or those that take little room;
        // whatever that has left too large, the exact search makes minimal.
        // A conflict that is known for another reason has no parts that it sees.
        let found = if self.is_seen(&join(&items))? {
            let mut fails = |items: &[usize]| self.refuted(&join(items));
            minimize(minimizer, &items, &mut fails)?
        } else {
            let mut fails =
                |items: &[usize]| Ok(self.conflicts_within(&join(items), ROOM)? == Some(true));
            minimize(minimizer, &items, &mut fails)?
        };
        let mut fails = |items: &[usize]| self.conflicts(&join(items));
        let found = minimize(Minimizer::Linear, &found, &mut fails)?;
        Ok(join(&found))
    }

    /// A minimal part of `candidates` without which `set` is no conflict; without all of
    /// them it must be none.
    pub fn minimal_removal(
        &mut self,
        minimizer: Minimizer,
        set: &Subset,
        candidates: &Subset,
    ) -> Result<Subset> {
        let items: Vec<usize> = candidates.iter().collect();
        let bound = self.size();
        let mut works = |removed: &[usize]| {
            let rest = set.minus(&Subset::of(bound, removed.iter().copied()));
            Ok(!self.conflicts(&rest)?)
        };
        let found = minimize(minimizer, &items, &mut works)?;
        Ok(Subset::of(bound, found))
    }
}

/// Whether the system wins, and whether an approximation said so.
fn decide(rules: &Rules, approximations: bool) -> Result<(bool, bool)> {
    if approximations {
        match approximate(rules)? {
            Approximation::Realizable => return Ok((true, true)),
            Approximation::Unrealizable => return Ok((false, true)),
            Approximation::Unknown => {}
        }
    }
    Ok((rules.solve()?.realizable, false))
}

fn elements(spec: &Gr1) -> Vec<Element> {
    let own = |side| {
        spec.constraint_ids().filter(move |id| {
            let constraint = spec.constraint(*id);
            constraint.side == side && constraint.definition.is_none()
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
