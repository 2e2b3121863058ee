//! Building a specification: variables, constraints, and definitions for what has a memory.
//!
//! A past operator becomes one Boolean variable that remembers the steps before the current
//! one, so its next value is a function of the current state alone: `p S q` is `q | p & m`
//! where `m` starts false and `next(m) <-> (q | p & m)`. No next value of another variable
//! appears, so that an assumption about the past stays one that the environment can keep.

use super::{
    Comparison, Constraint, ConstraintId, Definition, DefinitionId, Domain, Gr1, Kind, Player,
    Side, TermId, Value, Variable, VariableId,
};
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Past {
    /// One step ago; false in the first step.
    Previous(TermId),
    Once(TermId),
    Historically(TermId),
    /// The second held at some time, and the first ever after.
    Since(TermId, TermId),
}

impl Gr1 {
    /// The name must be new.
    pub fn add_variable(
        &mut self,
        name: impl Into<String>,
        owner: Player,
        domain: Domain,
        span: Option<Span>,
    ) -> VariableId {
        self.push_variable(name.into(), owner, domain, span, None)
    }

    fn push_variable(
        &mut self,
        name: String,
        owner: Player,
        domain: Domain,
        span: Option<Span>,
        definition: Option<DefinitionId>,
    ) -> VariableId {
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(Variable {
            name,
            owner,
            definition,
            domain,
            span,
        });
        id
    }

    /// The term that variables have these values, now or in the next step.
    pub fn assigned(&mut self, values: &[(VariableId, Value)], primed: bool) -> TermId {
        let mut all = Vec::new();
        for (id, value) in values {
            let variable = if primed {
                self.terms.next(*id)
            } else {
                self.terms.now(*id)
            };
            all.push(match self.variable(*id).domain {
                Domain::Boolean if *value != 0 => variable,
                Domain::Boolean => self.terms.not(variable),
                Domain::Enumeration(_) | Domain::Range { .. } => {
                    let value = self.value_term(*id, *value);
                    self.terms.compare(Comparison::Equal, variable, value)
                }
            });
        }
        self.terms.and(all)
    }

    /// A value of a variable's domain as a constant.
    pub fn value_term(&mut self, id: VariableId, value: Value) -> TermId {
        let name = match &self.variable(id).domain {
            Domain::Boolean => return self.terms.boolean(value != 0),
            Domain::Enumeration(names) => names.iter().find(|name| name.value() == value).copied(),
            Domain::Range { .. } => None,
        };
        match name {
            Some(name) => self.terms.enumerator(name),
            None => self.terms.integer(value),
        }
    }

    /// Without a name, one is made from the side, the kind and a number.
    pub fn add_constraint(
        &mut self,
        name: Option<String>,
        side: Side,
        kind: Kind,
        term: TermId,
        span: Option<Span>,
    ) -> ConstraintId {
        let is_named = name.is_some();
        let name = name.unwrap_or_else(|| {
            let side_text = match side {
                Side::Assumption => "assumption",
                Side::Guarantee => "guarantee",
            };
            let earlier = self.constraints.iter();
            let earlier = earlier
                .filter(|other| other.side == side && other.definition.is_none())
                .count();
            format!("{side_text}_{}", earlier + 1)
        });
        let name = self.unused_constraint_name(name);
        self.push_constraint(Constraint {
            name,
            is_named,
            side,
            kind,
            term,
            span,
            definition: None,
            is_candidate: true,
        })
    }

    fn push_constraint(&mut self, constraint: Constraint) -> ConstraintId {
        let id = ConstraintId(self.constraints.len() as u32);
        self.constraint_names.insert(constraint.name.clone());
        self.constraints.push(constraint);
        id
    }

    pub(super) fn unused_constraint_name(&self, name: String) -> String {
        let mut candidate = name.clone();
        let mut number = 2;
        while self.constraint_names.contains(&candidate) {
            candidate = format!("{name}_{number}");
            number += 1;
        }
        candidate
    }

    pub fn add_definition(
        &mut self,
        description: impl Into<String>,
        span: Option<Span>,
    ) -> DefinitionId {
        let id = DefinitionId(self.definitions.len() as u32);
        self.definitions.push(Definition {
            description: description.into(),
            written: None,
            is_declared: false,
            span,
        });
        id
    }

    /// Says what requirements over the variables of a definition were written as.
    pub fn set_written(&mut self, definition: DefinitionId, written: &str) {
        self.definitions[definition.0 as usize].written = Some(written.to_string());
    }

    /// Says that the variable of a definition has its name from the file.
    pub fn set_declared(&mut self, definition: DefinitionId) {
        self.definitions[definition.0 as usize].is_declared = true;
    }

    /// A variable of a definition, with a name made from `stem` that no other has.
    pub fn add_auxiliary(
        &mut self,
        stem: &str,
        definition: DefinitionId,
        domain: Domain,
        span: Option<Span>,
    ) -> VariableId {
        let mut name = stem.to_string();
        let mut number = 2;
        while self.find_variable(&name).is_some() {
            name = format!("{stem}_{number}");
            number += 1;
        }
        self.push_variable(name, Player::System, domain, span, Some(definition))
    }

    /// How the variables of a definition start (`Initial`) or move (`Safety`).
    pub fn define(
        &mut self,
        definition: DefinitionId,
        kind: Kind,
        term: TermId,
        span: Option<Span>,
    ) -> ConstraintId {
        let stem = format!("definition_{}", definition.0 + 1);
        let name = self.unused_constraint_name(stem);
        self.push_constraint(Constraint {
            name,
            is_named: false,
            side: Side::Guarantee,
            kind,
            term,
            span,
            definition: Some(definition),
            is_candidate: false,
        })
    }

    /// The value of a past operator now. Its operands must have no next values. The same
    /// operator on the same operands is remembered once.
    pub fn past(&mut self, past: Past, span: Option<Span>) -> TermId {
        let memory = match self.memories.get(&past) {
            Some(&memory) => memory,
            None => {
                let memory = self.remember(past, span);
                self.memories.insert(past, memory);
                memory
            }
        };
        let before = self.terms.now(memory);
        match past {
            Past::Previous(_) => before,
            _ => self.follow(past, before),
        }
    }

    /// What the operator is now if it was `before` one step ago.
    fn follow(&mut self, past: Past, before: TermId) -> TermId {
        match past {
            Past::Previous(operand) => operand,
            Past::Once(operand) => self.terms.or([operand, before]),
            Past::Historically(operand) => self.terms.and([operand, before]),
            Past::Since(left, right) => {
                let still = self.terms.and([left, before]);
                self.terms.or([right, still])
            }
        }
    }

    fn remember(&mut self, past: Past, span: Option<Span>) -> VariableId {
        let (stem, starts, description) = match past {
            Past::Previous(operand) => (
                "prev",
                false,
                format!("PREV({})", self.term_in_words(operand)),
            ),
            Past::Once(operand) => (
                "once",
                false,
                format!("ONCE({})", self.term_in_words(operand)),
            ),
            Past::Historically(operand) => {
                let operand = self.term_in_words(operand);
                ("historically", true, format!("HISTORICALLY({operand})"))
            }
            Past::Since(left, right) => {
                let (left, right) = (self.term_in_words(left), self.term_in_words(right));
                ("since", false, format!("({left}) SINCE ({right})"))
            }
        };
        let definition = self.add_definition(description, span);
        let stem = format!("{stem}_{}", definition.0 + 1);
        let memory = self.add_auxiliary(&stem, definition, Domain::Boolean, span);
        self.remembered.insert(memory, past);
        let now = self.terms.now(memory);
        let next = self.terms.next(memory);
        let starts = self.terms.boolean(starts);
        let initial = self.terms.iff(now, starts);
        let value = self.follow(past, now);
        let step = self.terms.iff(next, value);
        self.define(definition, Kind::Initial, initial, span);
        self.define(definition, Kind::Safety, step, span);
        memory
    }

    /// A condition that holds in the first state only.
    pub fn first_step(&mut self) -> TermId {
        let description = "the first step";
        let known = self.definitions.iter();
        let known = known
            .zip(0..)
            .find(|(one, _)| one.description == description);
        if let Some((_, number)) = known {
            let definition = Some(DefinitionId(number));
            let mut own = self.variable_ids();
            let own = own.find(|id| self.variable(*id).definition == definition);
            if let Some(own) = own {
                return self.terms.now(own);
            }
        }
        let definition = self.add_definition(description, None);
        let flag = self.add_auxiliary("first_step", definition, Domain::Boolean, None);
        let (now, next) = (self.terms.now(flag), self.terms.next(flag));
        let later = self.terms.not(next);
        self.define(definition, Kind::Initial, now, None);
        self.define(definition, Kind::Safety, later, None);
        now
    }

    /// A Boolean variable that was true one step ago exactly if the term, which may have next
    /// values, held in that step. For justice over steps.
    pub fn record(&mut self, term: TermId, span: Option<Span>) -> TermId {
        let description = format!("the last step kept {}", self.term_in_words(term));
        let definition = self.add_definition(description, span);
        let stem = format!("step_{}", definition.0 + 1);
        let memory = self.add_auxiliary(&stem, definition, Domain::Boolean, span);
        self.remembered.insert(memory, Past::Previous(term));
        let now = self.terms.now(memory);
        let next = self.terms.next(memory);
        let initial = self.terms.not(now);
        let step = self.terms.iff(next, term);
        self.define(definition, Kind::Initial, initial, span);
        self.define(definition, Kind::Safety, step, span);
        now
    }
}
