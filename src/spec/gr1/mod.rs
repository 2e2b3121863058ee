//! GR(1) specifications: what the environment assumes and the system guarantees, in parts.
//!
//! Enters: what a front end (`spectra`, `slugs`, a property file) has read. Leaves: a
//! [`Gr1`], whose constraints keep their names and spans, since explanations point at them.
//!
//! The environment moves first and the system sees its move. Who breaks a safety constraint
//! first loses [MR16, Sec. 3.1]; `docs/semantics.md` has the corner cases. Past operators,
//! patterns, monitors and counters become auxiliary variables of the system whose
//! [`Definition`]s determine them, on whichever side they are used [MR16, Sec. 6.1].

mod booleans;
mod build;
mod evaluate;
mod fragment;
mod implication;
mod properties;
mod term;
mod text;
mod total;

pub use booleans::TooManyCases;
pub use build::Past;
pub use evaluate::Value;
pub use fragment::from_properties;
pub use term::{Arithmetic, Comparison, PrimedTwice, Symbol, Term, TermId, Terms, VariableId};

use crate::source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Player {
    Environment,
    System,
}

/// The values of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    Boolean,
    /// At least one name, each once.
    Enumeration(Vec<Symbol>),
    /// Both ends belong to it, and the first is not greater than the last.
    Range {
        first: i64,
        last: i64,
    },
}

#[derive(Clone, Debug)]
pub struct Variable {
    /// No other variable has it.
    pub name: String,
    pub owner: Player,
    /// Set if the variable was made for a definition; its owner is then the system.
    pub definition: Option<DefinitionId>,
    pub domain: Domain,
    pub span: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    Assumption,
    Guarantee,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Holds in the first state; no next values. An initial assumption has no variables of
    /// the system, except in files that have it so.
    Initial,
    /// Holds in each step, over current and next values.
    Safety,
    /// Holds again and again; no next values.
    Justice,
}

/// A constraint of a [`Gr1`], by its index in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstraintId(pub u32);

/// A definition of a [`Gr1`], by its index in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefinitionId(pub u32);

#[derive(Clone, Debug)]
pub struct Constraint {
    /// As written, or made from the side, the kind and a number. Unique.
    pub name: String,
    pub is_named: bool,
    pub side: Side,
    pub kind: Kind,
    pub term: TermId,
    pub span: Option<Span>,
    /// Set if the constraint says how an auxiliary variable moves.
    pub definition: Option<DefinitionId>,
    /// Whether a core may name it, and a fix do without it: all requirements, and parts of
    /// definitions that cannot always be kept. The others are always there.
    pub is_candidate: bool,
}

/// Auxiliary variables with the constraints that determine them. For any play of the other
/// variables there is exactly one way to move them, so they never decide who wins; where a file
/// says otherwise in its own words, these constraints are candidates of cores.
#[derive(Clone, Debug)]
pub struct Definition {
    /// What it is, such as `PREV(a)` or `respondsTo(a, b)`.
    pub description: String,
    /// What a requirement over its variables says, in the words of the user, if it was written
    /// without them: the call of a pattern, or a trigger.
    pub written: Option<String>,
    /// Whether its variable has its name from the file: a monitor or a counter.
    pub is_declared: bool,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, Default)]
pub struct Gr1 {
    pub name: String,
    pub variables: Vec<Variable>,
    pub terms: Terms,
    pub constraints: Vec<Constraint>,
    pub definitions: Vec<Definition>,
    /// What was read and has no effect.
    pub warnings: Vec<Diagnostic>,
    constraint_names: HashSet<String>,
    /// The variable behind each past operator that was asked for.
    memories: HashMap<Past, VariableId>,
    /// What auxiliary variables remember: all of those, and what steps have kept.
    remembered: HashMap<VariableId, Past>,
    /// Of variables that tell whether all was answered: what excuses, and what answers.
    answered: HashMap<VariableId, (TermId, TermId)>,
    /// Whether operators about the past are written as in property files.
    is_of_properties: bool,
}

impl Domain {
    pub fn size(&self) -> u64 {
        match self {
            Domain::Boolean => 2,
            Domain::Enumeration(names) => names.len() as u64,
            Domain::Range { first, last } => last.abs_diff(*first).saturating_add(1),
        }
    }

    /// A value as a word, from the lowest bit up: a number as it is, signed if the domain has
    /// negative ones, a name as its index. At least one bit.
    pub fn word(&self, value: Value) -> Option<Vec<bool>> {
        let index = self.values().iter().position(|other| *other == value)?;
        let (number, width) = match self {
            Domain::Boolean | Domain::Enumeration(_) => (index as i64, self.bits().max(1)),
            Domain::Range { first, last } => (value, number_width(*first, *last)),
        };
        Some(
            (0..width)
                .map(|bit| number >> bit.min(63) & 1 == 1)
                .collect(),
        )
    }

    /// How many bits its values need, numbered from 0.
    pub fn bits(&self) -> usize {
        (u64::BITS - (self.size() - 1).leading_zeros()) as usize
    }
}

/// How many bits the numbers of a range need, with a sign if some are negative; at least one.
pub fn number_width(first: i64, last: i64) -> usize {
    let unsigned = |number: u64| (u64::BITS - number.leading_zeros()) as usize;
    let width = if first < 0 {
        let negative = unsigned((-(first + 1)) as u64);
        negative.max(unsigned(last.max(0) as u64)) + 1
    } else {
        unsigned(last as u64)
    };
    width.max(1)
}

impl Variable {
    pub fn is_auxiliary(&self) -> bool {
        self.definition.is_some()
    }
}

impl Gr1 {
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.variables.len() as u32).map(VariableId)
    }

    pub fn find_variable(&self, name: &str) -> Option<VariableId> {
        self.variable_ids()
            .find(|id| self.variable(*id).name == name)
    }

    pub fn constraint(&self, id: ConstraintId) -> &Constraint {
        &self.constraints[id.0 as usize]
    }

    pub fn constraint_ids(&self) -> impl Iterator<Item = ConstraintId> + use<> {
        (0..self.constraints.len() as u32).map(ConstraintId)
    }

    /// The constraints of one side and kind that a core may name, in their order.
    pub fn of(&self, side: Side, kind: Kind) -> impl Iterator<Item = ConstraintId> + '_ {
        self.constraint_ids().filter(move |id| {
            let constraint = self.constraint(*id);
            constraint.side == side && constraint.kind == kind && constraint.is_candidate
        })
    }

    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// The definitions that a term needs, with those that they need themselves.
    pub fn definitions_of(&self, term: TermId) -> Vec<DefinitionId> {
        let mut found: Vec<DefinitionId> = Vec::new();
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            for (variable, _) in self.terms.variables(term) {
                let Some(definition) = self.variable(variable).definition else {
                    continue;
                };
                if found.contains(&definition) {
                    continue;
                }
                found.push(definition);
                let parts = self.constraints.iter();
                let parts = parts.filter(|part| part.definition == Some(definition));
                pending.extend(parts.map(|part| part.term));
            }
        }
        found.sort_unstable();
        found
    }

    /// Whether some assumption speaks of the next value of a variable of the system.
    pub fn has_primed_system_in_assumptions(&self) -> bool {
        self.of(Side::Assumption, Kind::Safety).any(|id| {
            let variables = self.terms.variables(self.constraint(id).term);
            let mut variables = variables.iter();
            variables.any(|(variable, primed)| {
                *primed && self.variable(*variable).owner == Player::System
            })
        })
    }
}
