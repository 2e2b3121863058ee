//! Formulas that are followed along a run, step by step, without an automaton: what is left of
//! each to be kept, and whether that is still possible [bacchus-kabanza00].
//!
//! A formula is called broken once nothing that comes can keep what is left of it, as far as one
//! step ahead shows. So what is called broken is; a formula that is not may be lost all the same.

use super::Limits;
use super::decision::Decision;
use super::obligations::{BROKEN, ObligationId};
use super::progression::Progression;
use crate::spec::formula::{AtomId, FormulaId, Formulas};

pub struct Followed<'a> {
    progression: Progression<'a>,
    /// What is left of each formula; `None` if that is too big to be followed.
    left: Vec<Option<ObligationId>>,
}

impl<'a> Followed<'a> {
    /// For formulas in negation normal form without past operators, before the first step.
    pub fn new(formulas: &'a Formulas, roots: &[FormulaId]) -> Followed<'a> {
        let mut progression = Progression::new(formulas, &Limits::default());
        let roots = roots.iter();
        Followed {
            left: roots.map(|root| progression.start(*root).ok()).collect(),
            progression,
        }
    }

    /// Of 64 letters, those after which a formula is not broken; `None` if that is not known.
    pub fn kept(&mut self, formula: usize, atom: &dyn Fn(AtomId) -> u64) -> Option<u64> {
        let kept = self.known(formula, atom);
        if kept.is_none() {
            self.left[formula] = None;
        }
        kept
    }

    /// The formulas that are not followed any more.
    pub fn unknown(&self) -> Vec<usize> {
        let formulas = 0..self.left.len();
        formulas.filter(|one| self.left[*one].is_none()).collect()
    }

    fn known(&mut self, formula: usize, atom: &dyn Fn(AtomId) -> u64) -> Option<u64> {
        let step = self.progression.step(self.left[formula]?).ok()?;
        let leaves = self.progression.decisions.leaves(step);
        let mut broken = Vec::new();
        for leaf in leaves {
            if self.is_broken(leaf)? {
                broken.push(leaf);
            }
        }
        let decisions = &self.progression.decisions;
        Some(decisions.letters(step, atom, &mut |leaf| !broken.contains(&leaf)))
    }

    /// Goes one step on.
    pub fn step(&mut self, holds: &dyn Fn(AtomId) -> bool) {
        for left in &mut self.left {
            let step = left.and_then(|left| self.progression.step(left).ok());
            let decisions = &self.progression.decisions;
            *left = step.map(|step| decisions.leaf_of(step, holds));
        }
    }

    /// Whether no letter keeps what is left.
    fn is_broken(&mut self, left: ObligationId) -> Option<bool> {
        if left == BROKEN {
            return Some(true);
        }
        let step = self.progression.step(left).ok()?;
        Some(self.progression.decisions.get(step) == Decision::Leaf(BROKEN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::spec::Spec;
    use crate::spec::normal_form::negation_normal_form;

    /// In which step a formula is first broken by letters with these atoms.
    fn broken_in(text: &str, letters: &[&str]) -> Option<usize> {
        let text = format!("assert a: {text};");
        let mut sources = Sources::new();
        let file = sources.add("m.ltl", text.as_str());
        let mut spec = Spec::new();
        spec.add_property_file(file, &text).expect("a formula");
        let mut formulas = spec.formulas;
        let root = negation_normal_form(&mut formulas, spec.properties[0].formula);
        let mut followed = Followed::new(&formulas, &[root]);
        letters.iter().position(|letter| {
            let holds = |atom: AtomId| {
                let mut name = String::new();
                if let crate::spec::Atom::Condition(expr) = formulas.atom(atom) {
                    name = expr.to_string();
                }
                letter.split_whitespace().any(|one| one == name)
            };
            let lanes = |atom: AtomId| if holds(atom) { u64::MAX } else { 0 };
            let kept = followed.kept(0, &lanes).expect("it is small");
            followed.step(&holds);
            kept == 0
        })
    }

    #[test]
    fn a_formula_is_broken_in_the_step_that_shows_it() {
        assert_eq!(broken_in("G (a -> X b)", &["a", "b", "a", ""]), Some(3));
        assert_eq!(broken_in("G (a -> X b)", &["a", "a b", "b"]), None);
        assert_eq!(broken_in("a U b", &["a", "a", ""]), Some(2));
        assert_eq!(broken_in("a U b", &["a", "b", ""]), None);
        assert_eq!(broken_in("G F a", &["", "", ""]), None);
        assert_eq!(broken_in("F G a && G !b", &["", "b"]), Some(1));
    }

    #[test]
    fn what_nothing_can_keep_is_broken_one_step_before() {
        assert_eq!(
            broken_in("G (a -> X (b && !b || b && c && !c))", &["a"]),
            Some(0)
        );
        assert_eq!(broken_in("X b && X !b", &["b"]), Some(0));
    }
}
