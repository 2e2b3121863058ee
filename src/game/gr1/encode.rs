//! Variables and terms of a GR(1) specification as decision diagrams.
//!
//! A value is the binary number of its index in the domain. Each bit has a variable for now
//! and one for the next step, side by side and kept together by reordering. Integers are
//! computed as two's complement words that are as wide as their results need, so arithmetic
//! is that of the integers.
//!
//! `arrange` finds the first order of variables. It is good enough that reorderings wait until
//! the diagrams are large for the number of their levels.

use super::arrange::arrangement;
use super::word::Word;
use crate::bdd::{Bdd, Limits, Manager, Reordering, Result, Substitution, Variable, VariableSet};
use crate::spec::gr1::{Comparison, Domain, Gr1, Player, Symbol, Term, TermId, Value, VariableId};
use crate::stack;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// How many nodes there are for each level before the first reordering. A reordering moves each
/// variable through all levels; in a diagram of few nodes for each of them that takes longer than
/// it saves.
const NODES_OF_LEVEL: usize = 400;

/// One bit of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Bit {
    pub now: Variable,
    pub next: Variable,
}

/// The variables of a specification in a manager.
#[derive(Clone)]
pub struct Encoding {
    manager: Manager,
    limits: Limits,
    /// For each variable of the specification, from the lowest bit up.
    bits: Vec<Vec<Bit>>,
    owners: Vec<Player>,
    has_switches: bool,
    to_next: Rc<Substitution>,
    to_now: Rc<Substitution>,
}

impl Encoding {
    pub fn new(spec: &Gr1, limits: Limits) -> Result<Encoding> {
        Ok(Encoding::with_switches(spec, limits, &[])?.0)
    }

    /// The same with a further variable for each of some sets of variables, which belongs to
    /// neither player and is next to the last one of its set.
    pub(super) fn with_switches(
        spec: &Gr1,
        limits: Limits,
        sets: &[BTreeSet<VariableId>],
    ) -> Result<(Encoding, Vec<Variable>)> {
        let manager = Manager::new();
        manager.set_limits(limits.clone());
        let mut bits = vec![Vec::new(); spec.variables.len()];
        let mut awaited = sets.to_vec();
        let mut switches = vec![None; sets.len()];
        for variable in arrangement(spec) {
            for _ in 0..spec.variable(variable).domain.bits() {
                let (now, next) = (manager.new_variable()?, manager.new_variable()?);
                manager.group(&[now, next]);
                bits[variable.0 as usize].push(Bit { now, next });
            }
            for (set, switch) in awaited.iter_mut().zip(&mut switches) {
                if set.remove(&variable) && set.is_empty() {
                    *switch = Some(manager.new_variable()?);
                }
            }
        }
        let switches = switches.into_iter();
        let switches = switches
            .map(|switch| match switch {
                Some(switch) => Ok(switch),
                // Of an empty set.
                None => manager.new_variable(),
            })
            .collect::<Result<_>>()?;
        let standard = Reordering::default();
        manager.set_reordering(Reordering {
            first_at: standard
                .first_at
                .max(NODES_OF_LEVEL * manager.variable_count()),
            ..standard
        });
        let all = bits.iter().flatten();
        let there: Vec<_> = all.clone().map(|bit| (bit.now, bit.next)).collect();
        let back: Vec<_> = all.map(|bit| (bit.next, bit.now)).collect();
        let encoding = Encoding {
            has_switches: !sets.is_empty(),
            to_next: Rc::new(manager.renaming(&there)?),
            to_now: Rc::new(manager.renaming(&back)?),
            bits,
            owners: spec
                .variables
                .iter()
                .map(|variable| variable.owner)
                .collect(),
            limits,
            manager,
        };
        Ok((encoding, switches))
    }

    /// Whether there are variables that belong to neither player.
    pub(super) fn has_switches(&self) -> bool {
        self.has_switches
    }

    /// What operations may use, unless less is given for a while.
    pub(super) fn set_limits(&mut self, limits: Limits) {
        self.manager.set_limits(limits.clone());
        self.limits = limits;
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn manager(&self) -> &Manager {
        &self.manager
    }

    pub fn bits(&self, variable: VariableId) -> &[Bit] {
        &self.bits[variable.0 as usize]
    }

    /// The bits of all variables of one player.
    pub fn bits_of(&self, player: Player) -> Vec<Bit> {
        let all = self.bits.iter().zip(&self.owners);
        all.filter(|(_, owner)| **owner == player)
            .flat_map(|(bits, _)| bits.iter().copied())
            .collect()
    }

    pub fn now_set(&self, bits: &[Bit]) -> Result<VariableSet> {
        let variables: Vec<Variable> = bits.iter().map(|bit| bit.now).collect();
        self.manager.set(&variables)
    }

    pub fn next_set(&self, bits: &[Bit]) -> Result<VariableSet> {
        let variables: Vec<Variable> = bits.iter().map(|bit| bit.next).collect();
        self.manager.set(&variables)
    }

    /// The same states, as those of the next step.
    pub fn to_next(&self, states: &Bdd) -> Result<Bdd> {
        states.compose(&self.to_next)
    }

    pub fn to_now(&self, states: &Bdd) -> Result<Bdd> {
        states.compose(&self.to_now)
    }

    /// The codes of a variable that stand for values.
    pub fn domain(&self, spec: &Gr1, variable: VariableId, primed: bool) -> Result<Bdd> {
        let size = spec.variable(variable).domain.size();
        let bits = self.bits(variable);
        if bits.is_empty() || size == 1 << bits.len() {
            return Ok(self.manager.one());
        }
        let code = Word::unsigned(self.literals(variable, primed)?, &self.manager);
        code.less(&Word::constant(size as i64, &self.manager))
    }

    fn literals(&self, variable: VariableId, primed: bool) -> Result<Vec<Bdd>> {
        let bits = self.bits(variable).iter();
        bits.map(|bit| {
            self.manager
                .literal(if primed { bit.next } else { bit.now })
        })
        .collect()
    }

    /// The states in which a variable has the value at this index of its domain.
    pub fn has_code(&self, variable: VariableId, primed: bool, code: u64) -> Result<Bdd> {
        let literals: Vec<(Variable, bool)> = self
            .bits(variable)
            .iter()
            .enumerate()
            .map(|(index, bit)| {
                let variable = if primed { bit.next } else { bit.now };
                (variable, code >> index & 1 == 1)
            })
            .collect();
        self.manager.cube(&literals)
    }

    /// The value of a variable in a state that gives all bits a value.
    pub fn value(
        &self,
        spec: &Gr1,
        variable: VariableId,
        primed: bool,
        state: &HashMap<Variable, bool>,
    ) -> Value {
        let mut code = 0;
        for (index, bit) in self.bits(variable).iter().enumerate() {
            let bit = if primed { bit.next } else { bit.now };
            code |= i64::from(state.get(&bit).copied().unwrap_or(false)) << index;
        }
        match &spec.variable(variable).domain {
            Domain::Boolean => code,
            Domain::Range { first, .. } => first + code,
            Domain::Enumeration(names) => {
                // Codes that stand for no value occur in no play.
                names.get(code as usize).map_or(code, |name| name.value())
            }
        }
    }

    /// A Boolean term.
    pub fn term(&self, spec: &Gr1, term: TermId, memory: &mut Memory) -> Result<Bdd> {
        if let Some(known) = memory.functions.get(&term) {
            return Ok(known.clone());
        }
        let function = stack::recurse(|| self.build(spec, term, memory))?;
        memory.functions.insert(term, function.clone());
        Ok(function)
    }

    fn build(&self, spec: &Gr1, term: TermId, memory: &mut Memory) -> Result<Bdd> {
        match spec.terms.get(term) {
            Term::Boolean(value) => Ok(self.manager.constant(*value)),
            Term::Variable { variable, primed } => {
                let bit = self.bits(*variable)[0];
                self.manager
                    .literal(if *primed { bit.next } else { bit.now })
            }
            Term::Not(operand) => Ok(self.term(spec, *operand, memory)?.not()),
            Term::And(operands) => {
                let mut all = self.manager.one();
                for operand in operands {
                    all = all.and(&self.term(spec, *operand, memory)?)?;
                }
                Ok(all)
            }
            Term::Or(operands) => {
                let mut any = self.manager.zero();
                for operand in operands {
                    any = any.or(&self.term(spec, *operand, memory)?)?;
                }
                Ok(any)
            }
            Term::Implies(left, right) => {
                let left = self.term(spec, *left, memory)?;
                left.implies(&self.term(spec, *right, memory)?)
            }
            Term::Iff(left, right) => {
                let left = self.term(spec, *left, memory)?;
                left.iff(&self.term(spec, *right, memory)?)
            }
            Term::Compare(comparison, left, right) => {
                self.compare(spec, *comparison, *left, *right)
            }
            Term::Integer(_) | Term::Enumerator(_) | Term::Arithmetic(..) => {
                unreachable!("front ends build terms of the right type")
            }
        }
    }

    fn compare(
        &self,
        spec: &Gr1,
        comparison: Comparison,
        left: TermId,
        right: TermId,
    ) -> Result<Bdd> {
        if let (Some(left), Some(right)) = (self.symbols(spec, left)?, self.symbols(spec, right)?) {
            let mut equal = self.manager.zero();
            for (symbol, here) in &left {
                for (_, there) in right.iter().filter(|(other, _)| other == symbol) {
                    equal = equal.or(&here.and(there)?)?;
                }
            }
            return Ok(match comparison {
                Comparison::NotEqual => equal.not(),
                _ => equal,
            });
        }
        let left = self.word(spec, left)?;
        let right = self.word(spec, right)?;
        match comparison {
            Comparison::Equal => left.equal(&right),
            Comparison::NotEqual => Ok(left.equal(&right)?.not()),
            Comparison::Less => left.less(&right),
            Comparison::LessOrEqual => Ok(right.less(&left)?.not()),
            Comparison::Greater => right.less(&left),
            Comparison::GreaterOrEqual => Ok(left.less(&right)?.not()),
        }
    }

    /// When an enumeration has which value; `None` for integers.
    fn symbols(&self, spec: &Gr1, term: TermId) -> Result<Option<Vec<(Symbol, Bdd)>>> {
        match spec.terms.get(term) {
            Term::Enumerator(symbol) => Ok(Some(vec![(*symbol, self.manager.one())])),
            Term::Variable { variable, primed } => {
                let Domain::Enumeration(names) = &spec.variable(*variable).domain else {
                    return Ok(None);
                };
                let mut found = Vec::new();
                for (code, name) in (0..).zip(names) {
                    found.push((*name, self.has_code(*variable, *primed, code)?));
                }
                Ok(Some(found))
            }
            _ => Ok(None),
        }
    }

    fn word(&self, spec: &Gr1, term: TermId) -> Result<Word> {
        stack::recurse(|| match spec.terms.get(term) {
            Term::Integer(value) => Ok(Word::constant(*value, &self.manager)),
            Term::Variable { variable, primed } => {
                let code = Word::unsigned(self.literals(*variable, *primed)?, &self.manager);
                match spec.variable(*variable).domain {
                    Domain::Range { first, .. } if first != 0 => {
                        code.add(&Word::constant(first, &self.manager))
                    }
                    _ => Ok(code),
                }
            }
            Term::Arithmetic(operator, left, right) => {
                let left = self.word(spec, *left)?;
                left.apply(*operator, &self.word(spec, *right)?)
            }
            _ => unreachable!("front ends build terms of the right type"),
        })
    }
}

/// What was encoded already.
#[derive(Default)]
pub struct Memory {
    functions: HashMap<TermId, Bdd>,
}
