//! What a specification asks for, as implications that all have to hold.

use super::{LtlSpec, Observer, Section};
use crate::expr::TemporalBinary;
use crate::spec::formula::{FormulaId, Formulas};

/// If all assumptions hold, so does the goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub given: Given,
    pub goal: FormulaId,
}

/// Which assumptions a goal may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Given {
    /// Those about the first step.
    Start,
    All,
}

/// A specification as implications; formulas are those of [`LtlSpec::formulas`] or added to
/// a copy of them.
#[derive(Clone, Debug)]
pub struct Requirements {
    pub formulas: Formulas,
    /// Of the first step.
    pub start: Vec<FormulaId>,
    /// The other assumptions.
    pub assumptions: Vec<FormulaId>,
    pub goals: Vec<Requirement>,
    /// What formulas may name beside the signals.
    pub observer: Observer,
}

impl Requirements {
    /// The assumptions that a goal may rely on.
    pub fn given(&self, given: Given) -> Vec<FormulaId> {
        let mut assumptions = self.start.clone();
        if given == Given::All {
            assumptions.extend(&self.assumptions);
        }
        assumptions
    }

    /// The whole as one formula.
    pub fn formula(&mut self) -> FormulaId {
        let mut all = Vec::new();
        for goal in self.goals.clone() {
            let given = self.given(goal.given);
            let given = self.formulas.and(given);
            all.push(self.formulas.implies(given, goal.goal));
        }
        self.formulas.and(all)
    }
}

impl LtlSpec {
    pub fn requirements(&self) -> Requirements {
        let mut formulas = self.formulas.clone();
        let of = |section: Section| -> Vec<FormulaId> {
            let parts = self.parts.iter().filter(|part| part.section == section);
            parts.map(|part| part.formula).collect()
        };
        let always = |formulas: &mut Formulas, section: Section| -> Vec<FormulaId> {
            let parts = of(section);
            parts.into_iter().map(|id| formulas.globally(id)).collect()
        };
        let mut assumptions = always(&mut formulas, Section::Require);
        assumptions.extend(of(Section::Assume));
        let goal = |given: Given| move |goal: FormulaId| Requirement { given, goal };
        let mut goals: Vec<Requirement> = of(Section::Preset)
            .into_iter()
            .map(goal(Given::Start))
            .collect();
        if self.is_strict {
            // One goal for all of ASSERT: each would carry all of REQUIRE with it.
            let asserted = formulas.and(of(Section::Assert));
            let required = formulas.and(of(Section::Require));
            let broken = formulas.not(required);
            let kept = formulas.binary(TemporalBinary::WeakUntil, asserted, broken);
            goals.push(goal(Given::Start)(kept));
        } else {
            let asserted = always(&mut formulas, Section::Assert);
            goals.extend(asserted.into_iter().map(goal(Given::All)));
        }
        goals.extend(of(Section::Guarantee).into_iter().map(goal(Given::All)));
        Requirements {
            formulas,
            start: of(Section::Initially),
            assumptions,
            goals,
            observer: self.observer.clone(),
        }
    }
}
