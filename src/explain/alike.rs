//! Whether a set conflicts with each of many changes that are alike, by one game.
//!
//! That a conflict is minimal, which single faults explain it, and which guarantees need their
//! assumption takes a question for each member: is what is left still a conflict? Large
//! specifications repeat a requirement for each client, and these questions differ in the client
//! only. Ours asks the first of a family alone, and if that is no conflict all the others together
//! (`game::gr1::realizable_without_each`), with less effort than they are likely to take one by
//! one. Where that was not enough once, it mostly is not for other families either.
//!
//! Invariant: what is learned is right; changes of which nothing is learned are to be asked.

use super::frozen::output_families;
use super::oracle::{Element, LARGE_NODE_BUDGET, Oracle};
use super::subset::Subset;
use super::thin::constraint_shape;
use crate::bdd::{Error, Limits, Result};
use crate::game::gr1::{Switched, realizable_without_each};
use crate::spec::Semantics;
use crate::spec::gr1::VariableId;
use std::collections::BTreeMap;

/// Fewer changes are asked about one by one.
const FAMILY: usize = 8;

/// The game of all may take a half of the work of the questions one by one, or so little that it
/// does not matter.
const PART_OF_QUESTIONS: u64 = 2;
const LITTLE_WORK: u64 = 100_000;

/// Elements that a set has and is to lose: guarantees and outputs; or that it lacks and is to get:
/// missing assumptions.
pub(super) type Change = Vec<usize>;

impl Oracle<'_> {
    /// Learns, as far as that is cheap, whether a set conflicts without each of some members.
    pub(super) fn learn_without_each(&mut self, set: &Subset, members: &Subset) -> Result<()> {
        let changes = members.iter().map(|member| vec![member]);
        self.learn_changes(set, changes.collect())
    }

    /// The same with each of some changes.
    pub(super) fn learn_changes(&mut self, set: &Subset, changes: Vec<Change>) -> Result<()> {
        if self.semantics == Semantics::Implication || changes.len() < FAMILY {
            return Ok(());
        }
        for mut open in families(self, changes) {
            if self.is_alike_in_vain {
                return Ok(());
            }
            open.retain(|change| self.verdict(&changed(set, change)).is_none());
            if open.len() < FAMILY {
                continue;
            }
            let before = self.work();
            let first = changed(set, &open.remove(0));
            if self.conflicts_within(&first, LARGE_NODE_BUDGET)? != Some(false) {
                continue;
            }
            let questions = (self.work() - before).saturating_mul(open.len() as u64);
            let work = (questions / PART_OF_QUESTIONS).max(LITTLE_WORK);
            self.learn_together(set, &open, work)?;
        }
        Ok(())
    }

    /// The same for changes that are alike, with at most so much work.
    fn learn_together(&mut self, set: &Subset, changes: &[Change], work: u64) -> Result<()> {
        let switched = |element: &usize| match self.element(*element) {
            Element::Guarantee(id) | Element::Lack(id) => Switched::Constraint(id),
            Element::Output(variable) => Switched::Output(variable),
        };
        let parts = changes.iter().map(|change| change.iter().map(switched));
        let parts: Vec<Vec<Switched>> = parts.map(Iterator::collect).collect();
        let limits = Limits {
            work: Some(work),
            ..self.game().limits()
        };
        let answers = realizable_without_each(self.spec(), &self.selection(set), &parts, limits);
        self.count(false);
        let answers = match answers {
            Ok(answers) => answers,
            Err(Error::Effort | Error::Nodes) => {
                self.is_alike_in_vain = true;
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        for (change, is_realizable) in changes.iter().zip(answers) {
            self.learn(&changed(set, change), !is_realizable);
        }
        Ok(())
    }
}

fn changed(set: &Subset, change: &Change) -> Subset {
    let mut result = set.clone();
    for element in change {
        if set.contains(*element) {
            result.remove(*element);
        } else {
            result.insert(*element);
        }
    }
    result
}

/// The changes in families: of constraints of the same shapes, and of outputs in constraints of the
/// same sizes.
fn families(oracle: &Oracle, changes: Vec<Change>) -> Vec<Vec<Change>> {
    let spec = oracle.spec();
    let outputs: BTreeMap<VariableId, usize> = (0..)
        .zip(output_families(spec))
        .flat_map(|(number, family)| family.into_iter().map(move |output| (output, number)))
        .collect();
    let shape = |element: &usize| match oracle.element(*element) {
        Element::Guarantee(id) | Element::Lack(id) => Some(constraint_shape(spec, id)),
        Element::Output(variable) => Some(format!("output {}", outputs.get(&variable)?)),
    };
    let mut families: BTreeMap<Vec<String>, Vec<Change>> = BTreeMap::new();
    for change in changes {
        if let Some(shapes) = change.iter().map(shape).collect() {
            families.entry(shapes).or_default().push(change);
        }
    }
    let mut families: Vec<Vec<Change>> = families.into_values().collect();
    families.retain(|family| family.len() >= FAMILY);
    families
}
