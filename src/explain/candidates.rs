//! Simple assumptions that a play keeps.
//!
//! Enters: a play that keeps both sides of a specification. Leaves: assumptions over one or two
//! variables that hold in it, so that all of them can be added at once. An input is bound to the
//! same value by all steps of a pool: two of them never ask the environment for different ones.

use crate::game::gr1::CommonPlay;
use crate::spec::gr1::{
    Comparison, ConstraintId, Domain, Gr1, Kind, Player, Side, TermId, Value, VariableId,
};
use std::collections::BTreeSet;

/// Domains with more values are left alone.
const MOST_VALUES: u64 = 8;
/// So many variables may stand in conditions.
const MOST_CONDITIONS: usize = 30;

/// What an assumption looks like, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pattern {
    /// In the first step.
    Initial,
    /// Again and again.
    Recurring,
    /// After each step with some condition.
    Step,
    /// In each step.
    Always,
}

/// To what steps bind an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    /// The first of the values that it has in the play.
    First,
    /// The last of them.
    Last,
    /// To one value after a condition and to the other after its opposite, if a Boolean input
    /// follows one in the play; otherwise the first.
    Following,
}

/// A variable has a value, or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Literal {
    pub variable: VariableId,
    pub value: Value,
    pub is_equal: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub pattern: Pattern,
    /// All of these hold in a step after which the conclusion has to; empty but for steps.
    pub condition: Vec<Literal>,
    /// One of these has to hold.
    pub conclusion: Vec<Literal>,
}

impl Literal {
    fn is(variable: VariableId, value: Value) -> Literal {
        Literal {
            variable,
            value,
            is_equal: true,
        }
    }

    fn holds(self, state: &[Value]) -> bool {
        (state[self.variable.0 as usize] == self.value) == self.is_equal
    }

    pub fn term(self, spec: &mut Gr1, primed: bool) -> TermId {
        if self.is_equal || spec.variable(self.variable).domain == Domain::Boolean {
            let equal = spec.assigned(&[(self.variable, self.value)], primed);
            return if self.is_equal {
                equal
            } else {
                spec.terms.not(equal)
            };
        }
        let variable = if primed {
            spec.terms.next(self.variable)
        } else {
            spec.terms.now(self.variable)
        };
        let value = spec.value_term(self.variable, self.value);
        spec.terms.compare(Comparison::NotEqual, variable, value)
    }
}

impl Candidate {
    fn new(pattern: Pattern, conclusion: Literal) -> Candidate {
        Candidate {
            pattern,
            condition: Vec::new(),
            conclusion: vec![conclusion],
        }
    }

    /// Adds it as an assumption.
    pub fn add_to(&self, spec: &mut Gr1) -> ConstraintId {
        let (kind, term) = self.constraint(spec);
        let name = Some("added".to_string());
        spec.add_constraint(name, Side::Assumption, kind, term, None)
    }

    fn constraint(&self, spec: &mut Gr1) -> (Kind, TermId) {
        let is_step = self.pattern == Pattern::Step;
        let mut terms = |literals: &[Literal], primed: bool| -> Vec<TermId> {
            let literals = literals.iter();
            literals.map(|one| one.term(spec, primed)).collect()
        };
        let (condition, conclusion) = (
            terms(&self.condition, false),
            terms(&self.conclusion, is_step),
        );
        let conclusion = spec.terms.or(conclusion);
        match self.pattern {
            Pattern::Initial => (Kind::Initial, conclusion),
            Pattern::Recurring => (Kind::Justice, conclusion),
            Pattern::Always => (Kind::Safety, conclusion),
            Pattern::Step => {
                let condition = spec.terms.and(condition);
                (Kind::Safety, spec.terms.implies(condition, conclusion))
            }
        }
    }

    fn holds(&self, play: &CommonPlay) -> bool {
        let any = |state: &[Value]| self.conclusion.iter().any(|one| one.holds(state));
        let all = |state: &[Value]| self.condition.iter().all(|one| one.holds(state));
        let steps = &play.steps;
        match self.pattern {
            Pattern::Initial => any(&steps[0]),
            Pattern::Always => steps.iter().all(|state| any(state)),
            Pattern::Recurring => steps[play.loop_start..].iter().any(|state| any(state)),
            Pattern::Step => {
                let after = steps.iter().skip(1).chain([&steps[play.loop_start]]);
                steps
                    .iter()
                    .zip(after)
                    .all(|(state, next)| !all(state) || any(next))
            }
        }
    }
}

/// Inputs whose values can be told one by one.
fn inputs(spec: &Gr1) -> Vec<VariableId> {
    let small = |id: &VariableId| {
        let variable = spec.variable(*id);
        let is_input = variable.owner == Player::Environment;
        is_input && (2..=MOST_VALUES).contains(&variable.domain.size())
    };
    spec.variable_ids().filter(small).collect()
}

/// What may stand in conditions: variables of the core, then inputs.
fn readable(spec: &Gr1, core: &BTreeSet<VariableId>) -> Vec<Literal> {
    let inputs = inputs(spec).into_iter();
    let small = |id: &VariableId| {
        let variable = spec.variable(*id);
        !variable.is_auxiliary() && (2..=MOST_VALUES).contains(&variable.domain.size())
    };
    let mut variables: Vec<VariableId> = core.iter().copied().filter(small).collect();
    variables.extend(inputs.filter(|id| !core.contains(id)));
    variables.truncate(MOST_CONDITIONS);
    variables
        .into_iter()
        .flat_map(|id| {
            let values = spec.variable(id).domain.values();
            values.into_iter().map(move |value| Literal::is(id, value))
        })
        .collect()
}

/// Assumptions about inputs that a play keeps, in growing strength. Each pool can be kept whatever
/// the system does, as far as the candidates alone are concerned.
pub fn pools(spec: &Gr1, play: &CommonPlay, core: &BTreeSet<VariableId>) -> Vec<Vec<Candidate>> {
    let mut pools: Vec<Vec<Candidate>> = Vec::new();
    let mut add = |bound: Bound, wanted: &dyn Fn(Pattern) -> bool| {
        let mut pool = candidates(spec, play, core, bound);
        pool.retain(|one| wanted(one.pattern));
        if !pool.is_empty() && !pools.contains(&pool) {
            pools.push(pool);
        }
    };
    add(Bound::First, &|pattern| pattern == Pattern::Initial);
    add(Bound::First, &|pattern| pattern <= Pattern::Recurring);
    // Constants without steps are shorter to say, and often enough.
    add(Bound::First, &|pattern| pattern != Pattern::Step);
    for bound in [Bound::First, Bound::Last, Bound::Following] {
        add(bound, &|pattern| pattern <= Pattern::Step);
    }
    for bound in [Bound::First, Bound::Last, Bound::Following] {
        add(bound, &|_| true);
    }
    pools
}

/// Assumptions about inputs that a play keeps.
fn candidates(
    spec: &Gr1,
    play: &CommonPlay,
    core: &BTreeSet<VariableId>,
    bound: Bound,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let conditions = readable(spec, core);
    for input in inputs(spec) {
        let domain = &spec.variable(input).domain;
        let literals = domain.values().into_iter().flat_map(|value| {
            let equal = Literal::is(input, value);
            let other = Literal {
                is_equal: false,
                ..equal
            };
            // A Boolean that is not true is false.
            let is_boolean = *domain == Domain::Boolean;
            [Some(equal), (!is_boolean).then_some(other)]
                .into_iter()
                .flatten()
        });
        for literal in literals {
            found.push(Candidate::new(Pattern::Initial, literal));
            found.push(Candidate::new(Pattern::Recurring, literal));
            found.push(Candidate::new(Pattern::Always, literal));
        }
        let mut values: Vec<Value> = play
            .steps
            .iter()
            .map(|state| state[input.0 as usize])
            .collect();
        values.sort_unstable();
        let value = if bound == Bound::Last {
            values.last()
        } else {
            values.first()
        };
        let followed = match bound {
            Bound::Following if *domain == Domain::Boolean => following(input, &conditions, play),
            _ => None,
        };
        match (followed, value) {
            (Some(both), _) => found.extend(both),
            (None, Some(value)) => found.extend(steps(Literal::is(input, *value), &conditions)),
            (None, None) => {}
        }
    }
    found.retain(|one| one.holds(play));
    found
}

/// An input that follows a condition in a play: it has one value after it, and the other one
/// otherwise. Both can be asked for, since a condition and its opposite never hold together.
fn following(
    input: VariableId,
    conditions: &[Literal],
    play: &CommonPlay,
) -> Option<[Candidate; 2]> {
    let pair = |condition: &Literal| {
        [true, false].map(|is_equal| Candidate {
            pattern: Pattern::Step,
            condition: vec![Literal {
                is_equal,
                ..*condition
            }],
            conclusion: vec![Literal {
                variable: input,
                value: 1,
                is_equal,
            }],
        })
    };
    let mut pairs = conditions.iter().map(pair);
    pairs.find(|pair| pair.iter().all(|one| one.holds(play)))
}

/// A literal after each step with some value, or with some value while it holds, or does not.
fn steps(bound: Literal, conditions: &[Literal]) -> Vec<Candidate> {
    let step = |condition: Vec<Literal>| Candidate {
        pattern: Pattern::Step,
        condition,
        conclusion: vec![bound],
    };
    let mut found = Vec::new();
    for condition in conditions {
        found.push(step(vec![*condition]));
        if condition.variable != bound.variable {
            found.push(step(vec![bound, *condition]));
            let otherwise = Literal {
                is_equal: false,
                ..bound
            };
            found.push(step(vec![otherwise, *condition]));
        }
    }
    found
}

/// Weaker assumptions of the same kind or a weaker one, the weakest first; all of them can be
/// kept where the given one can.
pub fn weaker(
    spec: &Gr1,
    play: &CommonPlay,
    core: &BTreeSet<VariableId>,
    candidate: &Candidate,
) -> Vec<Candidate> {
    let [conclusion] = candidate.conclusion.as_slice() else {
        return Vec::new();
    };
    let conditions: Vec<Literal> = readable(spec, core)
        .into_iter()
        .filter(|one| one.variable != conclusion.variable)
        .collect();
    let mut found = match candidate.pattern {
        Pattern::Initial => Vec::new(),
        Pattern::Recurring => conditions
            .iter()
            .map(|other| Candidate {
                conclusion: vec![*other, *conclusion],
                ..candidate.clone()
            })
            .collect(),
        Pattern::Step => conditions
            .iter()
            .filter(|other| {
                !candidate
                    .condition
                    .iter()
                    .any(|one| one.variable == other.variable)
            })
            .map(|other| {
                let mut condition = candidate.condition.clone();
                condition.push(*other);
                Candidate {
                    condition,
                    ..candidate.clone()
                }
            })
            .collect(),
        Pattern::Always => {
            let mut found = vec![
                Candidate::new(Pattern::Initial, *conclusion),
                Candidate::new(Pattern::Recurring, *conclusion),
            ];
            found.extend(conditions.iter().map(|other| Candidate {
                pattern: Pattern::Step,
                condition: vec![*other],
                ..candidate.clone()
            }));
            found
        }
    };
    found.retain(|one| one.holds(play));
    found
}
