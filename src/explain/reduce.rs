//! Minimal conflicts within some parts of a specification, and minimal ways out of them.
//!
//! The searches are those of `minimize`; what they ask is cheap at first. Ours gives up
//! families of constraints before single ones (`thin`), and asks exactly only about what is
//! left. What the oracle has learned from an answer may be a smaller conflict than the one
//! that was asked about, and then the search goes on with that.
//!
//! Invariant: of a result, no member that may be given up can be, but for preferred ones: the
//! last search has asked about each of them exactly.

use super::minimize::{Minimizer, minimize, narrow};
use super::oracle::{Element, LARGE_NODE_BUDGET, NODE_BUDGET, Oracle};
use super::subset::Subset;
use super::thin::{MANY, classes, give_up};
use crate::bdd::Result;
use crate::spec::Semantics;

/// Of so many items, those that matter are looked for in a proof. More are too many for that.
const GROUNDED: std::ops::Range<usize> = MANY..500;

/// After so many cheap questions in a row without an answer, the next ones get a larger budget.
const PATIENCE: usize = 4;
const LARGEST_NODE_BUDGET: usize = 8 * NODE_BUDGET;

/// The node budget for cheap questions. Where some times more is enough for an answer, an exact
/// question costs no more; where it is not, as little as possible is spent.
pub(super) struct Cheap {
    node_budget: usize,
    unanswered: usize,
    /// A larger budget is of no use.
    is_settled: bool,
}

impl Cheap {
    pub fn new() -> Cheap {
        Cheap {
            node_budget: NODE_BUDGET,
            unanswered: 0,
            is_settled: false,
        }
    }

    fn note(&mut self, is_answered: bool) {
        self.unanswered = if is_answered { 0 } else { self.unanswered + 1 };
        if self.unanswered < PATIENCE || self.is_settled {
            return;
        }
        self.unanswered = 0;
        self.is_settled = self.node_budget == LARGEST_NODE_BUDGET;
        self.node_budget = if self.is_settled {
            NODE_BUDGET
        } else {
            2 * self.node_budget
        };
    }
}

impl Oracle<'_> {
    /// A minimal conflict that contains `base` and otherwise members of `within` only;
    /// both together must conflict. Members of `base` are not minimized.
    pub fn minimal_conflict(
        &mut self,
        minimizer: Minimizer,
        within: &Subset,
        base: &Subset,
    ) -> Result<Subset> {
        let none = Subset::new(self.size());
        self.conflict_preferring(minimizer, within, base, &none)
    }

    /// The same, with members that are there for other reasons: they are the last to be given up,
    /// and the result may have more of them than it needs.
    pub fn conflict_preferring(
        &mut self,
        minimizer: Minimizer,
        within: &Subset,
        base: &Subset,
        preferred: &Subset,
    ) -> Result<Subset> {
        let mut items: Vec<usize> = within.minus(base).iter().collect();
        items.sort_by_key(|item| preferred.contains(*item));
        let bound = self.size();
        let join = |items: &[usize]| base.union(&Subset::of(bound, items.iter().copied()));
        // Parts that are realizable are often far more expensive than the whole. So at first
        // only conflicts that an approximation sees count, or those that a small node budget is
        // enough for; whatever that has left too large, the exact search makes minimal. A
        // conflict that is known for another reason has no parts that it sees.
        let is_seen = self.is_seen(&join(&items))?;
        let items = self.narrowed(&items, &join(&items));
        let rests = if !is_seen && GROUNDED.contains(&items.len()) {
            self.grounded_items(&items, &join, preferred)?
        } else {
            None
        };
        let found = match rests {
            // What a proof rests on is far fewer, so whole families are asked about exactly.
            Some(found) => {
                let mut open = found.clone();
                open.retain(|item| !preferred.contains(*item));
                let classes = classes(self, &open);
                give_up(&classes, &found, &mut |items| {
                    self.fewer(items, &join(items))
                })?
            }
            None => self.few_items(minimizer, items, &join, is_seen)?,
        };
        let (stays, found): (Vec<usize>, Vec<usize>) = found
            .into_iter()
            .partition(|item| preferred.contains(*item));
        let stays = join(&stays);
        let join = |items: &[usize]| stays.union(&Subset::of(bound, items.iter().copied()));
        let left = join(&found);
        self.learn_without_each(&left, &left.minus(&stays))?;
        let mut exactly = |items: &[usize]| self.fewer(items, &join(items));
        let found = narrow(Minimizer::Linear, &found, &mut exactly)?;
        Ok(join(&found))
    }

    /// Those of the items that a set with them needs to conflict, if it does.
    fn fewer(&mut self, items: &[usize], set: &Subset) -> Result<Option<Vec<usize>>> {
        Ok(self.conflicts(set)?.then(|| self.narrowed(items, set)))
    }

    /// Some of the items, fewer as far as that is cheap to find: those that still conflict as
    /// an approximation sees, or with a small node budget.
    fn few_items(
        &mut self,
        minimizer: Minimizer,
        items: Vec<usize>,
        join: &dyn Fn(&[usize]) -> Subset,
        is_seen: bool,
    ) -> Result<Vec<usize>> {
        let classes = classes(self, &items);
        // What gives up most of the items at once makes all later questions cheaper.
        let mut left = items.len();
        let few = give_up(&classes, &items, &mut |items: &[usize]| {
            let node_budget = if 2 * items.len() < left {
                LARGEST_NODE_BUDGET
            } else {
                0
            };
            let found = self.cheap_conflict(items, join, is_seen, node_budget)?;
            left = found.as_ref().map_or(left, Vec::len);
            Ok(found)
        })?;
        // What is left of many is mostly needed, so there is nothing to gain from halves.
        let minimizer = if 2 * few.len() < items.len() {
            Minimizer::Linear
        } else {
            minimizer
        };
        narrow(minimizer, &few, &mut |items| {
            self.cheap_conflict(items, join, is_seen, 0)
        })
    }

    /// A part of the items that conflicts, if that is cheap to see; the node budget for that is
    /// at least the given one.
    fn cheap_conflict(
        &mut self,
        items: &[usize],
        join: &dyn Fn(&[usize]) -> Subset,
        is_seen: bool,
        node_budget: usize,
    ) -> Result<Option<Vec<usize>>> {
        let set = join(items);
        let fails = if is_seen {
            self.refuted(&set)?
        } else {
            let node_budget = node_budget.max(self.cheap.node_budget);
            let answer = self.conflicts_within(&set, node_budget)?;
            self.cheap.note(answer.is_some());
            answer == Some(true)
        };
        Ok(fails.then(|| self.narrowed(items, &set)))
    }

    /// Those of the items that the environment's win rests on, unless a small node budget is
    /// enough for the conflict, or most of them are needed.
    fn grounded_items(
        &mut self,
        items: &[usize],
        join: &dyn Fn(&[usize]) -> Subset,
        preferred: &Subset,
    ) -> Result<Option<Vec<usize>>> {
        if self.is_small(&join(items))? {
            return Ok(None);
        }
        let mut found = items.to_vec();
        while let Some(part) = self.grounded(&join(&found), preferred)? {
            let mut fewer = found.clone();
            fewer.retain(|item| part.contains(*item));
            let set = join(&fewer);
            // What rests on a proof is asked as a game of its own before it counts.
            if !self.conflicts(&set)? {
                break;
            }
            let is_little = 8 * fewer.len() > 7 * found.len();
            found = self.narrowed(&fewer, &set);
            if is_little {
                break;
            }
        }
        Ok((4 * found.len() < 3 * items.len()).then_some(found))
    }

    /// Whether a small node budget is enough for the game of a set.
    fn is_small(&mut self, set: &Subset) -> Result<bool> {
        let selection = self.selection(set);
        let answer = self.within(NODE_BUDGET, |oracle| {
            oracle.rules_of_plays(set, &selection)?.decide()
        })?;
        self.count(false);
        Ok(answer.is_some())
    }

    /// A part of a conflict that conflicts as well, preferred members first: the guarantees that
    /// the environment's win rests on. It need not be minimal. `None` if that takes too much.
    fn grounded(&mut self, set: &Subset, preferred: &Subset) -> Result<Option<Subset>> {
        let selection = self.selection(set);
        if self.semantics == Semantics::Implication {
            return Ok(None);
        }
        let found = self.within(LARGE_NODE_BUDGET, |oracle| {
            oracle.game().grounds(&selection, &|id| {
                let number = oracle.number(Element::Guarantee(id));
                number.is_some_and(|number| preferred.contains(number))
            })
        })?;
        self.count(false);
        let Some(Some(found)) = found else {
            return Ok(None);
        };
        let mut kept = selection;
        for id in self.spec().constraint_ids() {
            if self.number(Element::Guarantee(id)).is_some() {
                kept.set(id, found.contains(&id));
            }
        }
        Ok(Some(self.members(set, &kept)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bdd::Limits;
    use crate::game::gr1::Gr1Game;
    use crate::source::Sources;
    use crate::spec::spectra;

    #[test]
    fn cheap_questions_get_more_room_as_long_as_that_is_of_use() {
        let mut cheap = Cheap::new();
        let mut ask = |answers: &[bool]| {
            answers.iter().for_each(|answer| cheap.note(*answer));
            cheap.node_budget / NODE_BUDGET
        };
        assert_eq!(ask(&[false, false, false, true]), 1);
        assert_eq!(ask(&[false; PATIENCE]), 2);
        assert_eq!(ask(&[true, false, true]), 2);
        assert_eq!(ask(&[false; 2 * PATIENCE]), 8);
        assert_eq!(ask(&[false; PATIENCE]), 1);
        assert_eq!(ask(&[false; 3 * PATIENCE]), 1);
    }

    #[test]
    fn a_conflict_rests_on_some_of_its_members() {
        let mut text = "module Echo\nenv boolean r;\nsys boolean a;\n".to_string();
        for index in 0..10 {
            text += &format!("sys boolean b{index};\n");
            text += &format!("gar copy{index}: G (next(b{index}) <-> r);\n");
        }
        // The environment need not ask.
        text += "sys boolean late;\ngar delay: G (next(late) <-> a);\n";
        text += "gar again: G (next(a) <-> r);\ngar wanted: GF late;\n";
        let mut sources = Sources::new();
        let file = sources.add("echo", text.as_str());
        let spec = spectra::parse(&sources, file).expect("a specification without mistakes");
        let game = Gr1Game::new(&spec, Limits::default()).expect("no limits");
        let mut oracle = Oracle::new(&game, Semantics::Strict);
        let whole = oracle.whole();
        let none = Subset::new(oracle.size());
        let part = oracle.grounded(&whole, &none).expect("no limits");
        let part = part.expect("the environment wins");
        let guarantees = oracle
            .elements_of(&part.minus(&oracle.outputs()))
            .into_iter();
        let names: Vec<&str> = guarantees
            .filter_map(|element| match element {
                Element::Guarantee(id) => Some(spec.constraint(id).name.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["delay", "again", "wanted"]);
        assert!(oracle.conflicts(&part).expect("no limits"));
    }
}
