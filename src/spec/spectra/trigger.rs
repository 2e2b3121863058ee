//! Triggers: what follows on a match of one regular expression is a match of another.
//!
//! `trig r |=> e` goes in rounds [AMMPR23]. A round starts with the first step, or with the
//! step behind the last round. It waits until the steps since its start match `r` for the
//! first time; then the steps behind must match `e`, and where they do for the first time,
//! the round is over. While the effect is under way, no other match of `r` counts. So there
//! is one automaton that is either waiting or in the effect, its state is an auxiliary
//! variable, and the requirement is that it is not in the effect for ever (justice), and
//! that no step makes a match of `e` impossible (safety).
//!
//! The corner cases are those of the language's own tool: an effect that matches no steps
//! requires nothing, nor does an `r` that never matches; an `r` that matches no steps starts
//! the effect at once, again and again. `G regexp(e)` and `GF regexp(e)` are such triggers,
//! with `e` and with `true* e` as the effect.

use super::elaborate::{Elaborator, Entity};
use super::parser::Step;
use super::regexp::{Automaton, Branch, Diagram, Expression, Expressions};
use super::tree::{Regexp, RegexpKind, Requirement};
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span};
use crate::spec::gr1::{Comparison, Domain, Kind, Term, TermId, VariableId};
use crate::stack;
use std::collections::HashMap;

/// Expressions over the conditions of one trigger.
#[derive(Default)]
pub(super) struct Conditions {
    expressions: Expressions,
    terms: Vec<TermId>,
}

/// What a trigger waits for before its effect.
pub(super) enum Initiator<'f> {
    Written(&'f Regexp),
    /// Nothing; one effect follows on the other.
    Always,
    /// Nothing, and the effect may start at any time later.
    Sometime,
}

/// The rounds of a trigger. States are numbered: first those that wait, then those of the
/// effect, then the one in which the effect cannot be matched any more.
struct Rounds {
    initiator: Automaton,
    effect: Automaton,
    /// Of the states of each, the number among all.
    waiting: Vec<Option<usize>>,
    effecting: Vec<Option<usize>>,
    count: usize,
    /// How many of the states wait.
    idle: usize,
    broken: Option<usize>,
}

impl<'f> Elaborator<'f> {
    pub(super) fn trigger(
        &mut self,
        initiator: Initiator<'f>,
        effect: &'f Regexp,
        requirement: &Requirement,
        name: Option<String>,
    ) -> Step<()> {
        let mut conditions = Conditions::default();
        let effect_made = self.regexp(effect, &mut conditions);
        let written = match &initiator {
            Initiator::Written(regexp) => self.regexp(regexp, &mut conditions).map(Some),
            _ => Ok(None),
        };
        let (mut effect_made, written) = self.both(effect_made, written)?;
        let all = &mut conditions.expressions;
        let initiator_made = match initiator {
            Initiator::Written(_) => written.unwrap_or_else(|| all.empty()),
            Initiator::Always => all.empty(),
            Initiator::Sometime => {
                let any = all.any();
                let before = all.repeat(any, 0, None);
                effect_made = all.sequence(before, effect_made);
                all.empty()
            }
        };
        let too_large = |_| {
            Diagnostic::error(
                codes::TOO_LARGE,
                "this regular expression has too many states",
            )
            .at(requirement.span, "used here")
            .help("use smaller numbers in braces, and fewer `&` and `~`")
        };
        let all = &mut conditions.expressions;
        let initiator = all.automaton(initiator_made).map_err(too_large)?;
        let effect = all.automaton(effect_made).map_err(too_large)?;
        if effect.accepting[0] || !initiator.accepting.contains(&true) {
            return Ok(());
        }
        let rounds = Rounds::new(initiator, effect);
        self.rounds(&rounds, &conditions.terms, requirement, name);
        Ok(())
    }

    /// A regular expression with the conditions in its brackets as terms.
    pub(super) fn regexp(&mut self, regexp: &'f Regexp, to: &mut Conditions) -> Step<Expression> {
        stack::recurse(|| self.regexp_of(regexp, to))
    }

    fn regexp_of(&mut self, regexp: &'f Regexp, to: &mut Conditions) -> Step<Expression> {
        match &regexp.kind {
            RegexpKind::Empty => Ok(to.expressions.empty()),
            RegexpKind::Condition(condition) => {
                let term = self.boolean(condition)?;
                if self.spec.terms.has_primed(term) {
                    return Err(Diagnostic::error(
                        codes::MISPLACED_NEXT,
                        "a step of a regular expression cannot speak of next values",
                    )
                    .at(condition.span, "there is a `next` in this")
                    .help("write what holds next into the next step: `[a] [b]`"));
                }
                Ok(to.condition(term, self.spec.terms.get(term)))
            }
            RegexpKind::Name(name) => {
                let Some((Entity::Regexp(inner), _)) = self.names.get(name).cloned() else {
                    return Err(self.unknown(name, regexp.span, "regular expression"));
                };
                self.enter(name, regexp.span)?;
                let scopes = std::mem::take(&mut self.scopes);
                let outcome = self.regexp(inner, to);
                self.scopes = scopes;
                self.active.pop();
                outcome
            }
            RegexpKind::Sequence(..) => {
                // From the right, for that is how sequences are nested.
                let (mut parts, mut left) = (Vec::new(), regexp);
                while let RegexpKind::Sequence(before, last) = &left.kind {
                    parts.push(last.as_ref());
                    left = before;
                }
                parts.push(left);
                let parts = self.each(parts, |this, part| this.regexp(part, to))?;
                let mut made = to.expressions.empty();
                for part in parts {
                    made = to.expressions.sequence(part, made);
                }
                Ok(made)
            }
            RegexpKind::Either(left, right) => {
                let (left, right) = (self.regexp(left, to), self.regexp(right, to));
                let (left, right) = self.both(left, right)?;
                Ok(to.expressions.either(left, right))
            }
            RegexpKind::Both(left, right) => {
                let (left, right) = (self.regexp(left, to), self.regexp(right, to));
                let (left, right) = self.both(left, right)?;
                Ok(to.expressions.both(left, right))
            }
            RegexpKind::Complement(body) => {
                let body = self.regexp(body, to)?;
                Ok(to.expressions.complement(body))
            }
            RegexpKind::Repeat { body, least, most } => {
                let body = self.regexp(body, to);
                let least = self.constant(least);
                let most = most.as_ref().map(|most| self.constant(most)).transpose();
                let numbers = self.both(least, most);
                let (body, numbers) = self.both(body, numbers)?;
                let wrong = || wrong_repetition(regexp.span);
                let least = u32::try_from(numbers.0).map_err(|_| wrong())?;
                let most = numbers.1.map(u32::try_from).transpose();
                let most = most.map_err(|_| wrong())?;
                if most.is_some_and(|most| most < least) {
                    return Err(wrong());
                }
                Ok(to.expressions.repeat(body, least, most))
            }
        }
    }

    /// The variable, how it moves, and what is required of it.
    fn rounds(
        &mut self,
        rounds: &Rounds,
        conditions: &[TermId],
        requirement: &Requirement,
        name: Option<String>,
    ) {
        let span = Some(requirement.span);
        let description = match &name {
            Some(name) => format!("the rounds of trigger {name}"),
            None => "the rounds of a trigger".to_string(),
        };
        let definition = self.spec.add_definition(description, span);
        self.spec.set_written(definition, &requirement.written);
        let domain = Domain::Range {
            first: 0,
            last: rounds.count as i64 - 1,
        };
        let stem = match &name {
            Some(name) => format!("{name}_round"),
            None => "trigger_round".to_string(),
        };
        let state = self.spec.add_auxiliary(&stem, definition, domain, span);
        let now = self.spec.terms.now(state);
        let first = self.is_state(now, rounds.start());
        self.spec.define(definition, Kind::Initial, first, span);

        let mut impossible = Vec::new();
        for number in 0..rounds.count {
            let here = self.is_state(now, number);
            let step = self.step_of(rounds, number, conditions, state);
            let terms = &mut self.spec.terms;
            let moves = terms.implies(here, step.moves);
            self.spec.define(definition, Kind::Safety, moves, span);
            let terms = &mut self.spec.terms;
            impossible.push(terms.and([here, step.breaks]));
        }
        let side = requirement.side;
        let impossible = self.spec.terms.or(impossible);
        let possible = self.spec.terms.not(impossible);
        if !matches!(self.spec.terms.get(possible), Term::Boolean(true)) {
            let safety = name.as_ref().map(|name| format!("{name}_possible"));
            self.spec
                .add_constraint(safety, side, Kind::Safety, possible, span);
        }
        let idle = self.spec.terms.integer(rounds.idle as i64);
        let waits = self.spec.terms.compare(Comparison::Less, now, idle);
        self.spec
            .add_constraint(name, side, Kind::Justice, waits, span);
    }

    fn is_state(&mut self, now: TermId, number: usize) -> TermId {
        let number = self.spec.terms.integer(number as i64);
        self.spec.terms.compare(Comparison::Equal, now, number)
    }

    fn step_of(
        &mut self,
        rounds: &Rounds,
        number: usize,
        conditions: &[TermId],
        state: VariableId,
    ) -> StepTerms {
        let next = self.spec.terms.next(state);
        let Some((automaton, from, is_effect)) = rounds.part(number) else {
            return StepTerms {
                moves: self.is_state(next, number),
                breaks: self.spec.terms.boolean(true),
            };
        };
        let mut done = HashMap::new();
        let diagram = automaton.steps[from];
        let leaf = |elaborator: &mut Elaborator<'f>, target: usize| {
            let target = rounds.target(is_effect, target);
            StepTerms {
                moves: elaborator.is_state(next, target),
                breaks: elaborator
                    .spec
                    .terms
                    .boolean(is_effect && rounds.broken == Some(target)),
            }
        };
        self.diagram(automaton, diagram, conditions, &leaf, &mut done)
    }

    fn diagram(
        &mut self,
        automaton: &Automaton,
        diagram: Diagram,
        conditions: &[TermId],
        leaf: &dyn Fn(&mut Elaborator<'f>, usize) -> StepTerms,
        done: &mut HashMap<Diagram, StepTerms>,
    ) -> StepTerms {
        if let Some(&known) = done.get(&diagram) {
            return known;
        }
        let made = match automaton.branches.get(diagram) {
            Branch::Leaf(target) => leaf(self, target),
            Branch::Test(number, then, otherwise) => {
                let then = self.diagram(automaton, then, conditions, leaf, done);
                let otherwise = self.diagram(automaton, otherwise, conditions, leaf, done);
                let condition = conditions[number];
                let mut choose = |then: TermId, otherwise: TermId| {
                    if then == otherwise {
                        return then;
                    }
                    let terms = &mut self.spec.terms;
                    let not = terms.not(condition);
                    let parts = [
                        terms.implies(condition, then),
                        terms.implies(not, otherwise),
                    ];
                    terms.and(parts)
                };
                StepTerms {
                    moves: choose(then.moves, otherwise.moves),
                    breaks: choose(then.breaks, otherwise.breaks),
                }
            }
        };
        done.insert(diagram, made);
        made
    }
}

/// What a step does to the variable, and when it makes a match impossible.
#[derive(Clone, Copy)]
struct StepTerms {
    moves: TermId,
    breaks: TermId,
}

impl Conditions {
    fn condition(&mut self, term: TermId, meaning: &Term) -> Expression {
        match meaning {
            Term::Boolean(true) => self.expressions.any(),
            Term::Boolean(false) => self.expressions.nothing(),
            _ => {
                let known = self.terms.iter().position(|other| *other == term);
                let number = known.unwrap_or_else(|| {
                    self.terms.push(term);
                    self.terms.len() - 1
                });
                self.expressions.condition(number)
            }
        }
    }
}

impl Rounds {
    /// The effect does not match no steps, and the initiator matches something.
    fn new(initiator: Automaton, effect: Automaton) -> Rounds {
        // If nothing is waited for, the end of an effect is a state of its own, from which
        // the next effect goes on.
        let is_immediate = initiator.accepting[0];
        let mut count = 0;
        let mut number = |is_state: bool| {
            count += usize::from(is_state);
            is_state.then(|| count - 1)
        };
        let waiting: Vec<Option<usize>> = initiator
            .accepting
            .iter()
            .enumerate()
            .map(|(state, accepting)| {
                if is_immediate {
                    number(state == 0)
                } else {
                    number(!accepting)
                }
            })
            .collect();
        let alive = effect.alive();
        let effecting: Vec<Option<usize>> = (0..alive.len())
            .map(|state| number(alive[state] && !effect.accepting[state]))
            .collect();
        let broken = number(alive.contains(&false));
        let idle = waiting.iter().flatten().count();
        Rounds {
            initiator,
            effect,
            waiting,
            effecting,
            count,
            idle,
            broken,
        }
    }

    fn is_immediate(&self) -> bool {
        self.initiator.accepting[0]
    }

    fn start(&self) -> usize {
        if self.is_immediate() {
            self.effect_start()
        } else {
            self.waiting[0].unwrap_or_default()
        }
    }

    /// An effect that matches nothing is broken from the start.
    fn effect_start(&self) -> usize {
        self.effecting[0].or(self.broken).unwrap_or_default()
    }

    /// The automaton whose state has this number, the state, and whether it is the effect's.
    fn part(&self, number: usize) -> Option<(&Automaton, usize, bool)> {
        let find = |states: &[Option<usize>]| states.iter().position(|one| *one == Some(number));
        if let Some(state) = find(&self.waiting) {
            return Some(if self.is_immediate() {
                (&self.effect, 0, true)
            } else {
                (&self.initiator, state, false)
            });
        }
        find(&self.effecting).map(|state| (&self.effect, state, true))
    }

    /// Where a step of either automaton to one of its states leads.
    fn target(&self, is_effect: bool, state: usize) -> usize {
        let found = match is_effect {
            false if self.initiator.accepting[state] => Some(self.effect_start()),
            false => self.waiting[state],
            true if self.effect.accepting[state] => self.waiting[0],
            true => self.effecting[state].or(self.broken),
        };
        found.unwrap_or_default()
    }
}

fn wrong_repetition(span: Span) -> Diagnostic {
    Diagnostic::error(codes::WRONG_RANGE, "no number of repetitions fits")
        .at(span, "how often is this?")
        .help("write `{2}`, `{2,}` or `{2,5}`, the smaller number first")
}
