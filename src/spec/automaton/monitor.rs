//! Deterministic monitors of safety, co-safety and recurrence formulas.
//!
//! Safety: the states are the obligations that progression reaches; broken ones are the
//! state `bad`. Co-safety: the safety monitor of the negation, whose `bad` is `good` here.
//!
//! Recurrence: `G p` with `p` co-safe, as in `G F a`, `G (a -> F b)`, `G (a -> (b U c))`.
//! Each step starts one more obligation `p`, and each of them has to be kept after finitely
//! many steps. Two sets of obligations are carried along, those that are waited for and
//! those that came later; when the first is empty the transition is accepting and the
//! second takes its place. This is the breakpoint construction [miyano-hayashi84] on
//! progression, and it is deterministic because progression is. An obligation that is
//! already waited for is not added to the later ones: keeping it once keeps both.
//!
//! Invariant: the guards of the transitions of one state exclude each other and cover every
//! letter; [`Monitor::check`] proves it.

use super::decision::{DecisionId, Decisions};
use super::explore::{
    Graph, Overflow, Steps, close_trap, explore, leaf_of, merge_equal, successor_of,
};
use super::obligations::{BROKEN, KEPT, ObligationId};
use super::progression::Progression;
use super::{Limits, TooBig};
use crate::expr::TemporalUnary;
use crate::source::{Diagnostic, Span};
use crate::spec::class::{Class, classes};
use crate::spec::codes;
use crate::spec::formula::{Formula, FormulaId, Formulas};
use crate::spec::lasso::Lasso;
use crate::spec::normal_form::{negate, negation_normal_form};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// Where a letter leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// A formula over atoms without temporal operators.
    pub guard: FormulaId,
    pub successor: usize,
    pub accepting: bool,
}

/// What a run has to do. Read by its accepting transitions alone, a monitor of any kind is a
/// deterministic Büchi automaton for its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Never enter `bad`, a state without exit; `None` if nothing can go wrong.
    Safety { bad: Option<usize> },
    /// Enter `good`, a state without exit; `None` if that is impossible.
    CoSafety { good: Option<usize> },
    /// Take accepting transitions again and again.
    Buchi,
}

/// A deterministic, complete automaton; state 0 is the initial one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monitor {
    pub acceptance: Acceptance,
    /// The transitions of each state.
    pub states: Vec<Vec<Transition>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MonitorError {
    /// More states than this.
    TooManyStates(usize),
    /// The steps of single states became too big.
    TooBig,
    /// The formula is not of a kind that this translation handles.
    NotSupported(Class),
    /// Past operators have to become a circuit first.
    HasPast,
}

impl MonitorError {
    pub fn diagnostic(&self, name: &str, span: Option<Span>) -> Diagnostic {
        let code = match self {
            MonitorError::TooManyStates(_) | MonitorError::TooBig => codes::MONITOR_TOO_BIG,
            MonitorError::NotSupported(_) | MonitorError::HasPast => codes::NO_MONITOR,
        };
        let message = format!("no deterministic monitor for `{name}`: {self}");
        let help = match self {
            MonitorError::TooManyStates(_) | MonitorError::TooBig => {
                "split the property into several, or use fewer nested operators"
            }
            _ => "use another translation for this property",
        };
        let error = Diagnostic::error(code, message).help(help);
        match span {
            Some(span) => error.at(span, "this property"),
            None => error,
        }
    }
}

impl fmt::Display for MonitorError {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MonitorError::TooManyStates(limit) => {
                write!(output, "it would have more than {limit} states")
            }
            MonitorError::TooBig => write!(output, "its transitions became too big"),
            MonitorError::NotSupported(class) => {
                write!(output, "this {class} formula has another shape")
            }
            MonitorError::HasPast => write!(output, "it has past operators"),
        }
    }
}

/// The monitor that fits a formula: safety and co-safety where the syntax shows it, else
/// recurrence.
pub fn monitor_for(
    formulas: &mut Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<Monitor, MonitorError> {
    let found = classes(formulas, formula);
    if found.safety {
        safety_monitor(formulas, formula, limits)
    } else if found.cosafety {
        cosafety_monitor(formulas, formula, limits)
    } else {
        buchi_monitor(formulas, formula, limits)
    }
}

pub fn safety_monitor(
    formulas: &mut Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<Monitor, MonitorError> {
    let formula = prepare(formulas, formula)?;
    let found = classes(formulas, formula);
    if !found.safety {
        return Err(MonitorError::NotSupported(found.lowest()));
    }
    let (graph, bad) =
        safety_graph(formulas, formula, limits).map_err(|overflow| too_big(overflow, limits))?;
    let acceptance = Acceptance::Safety { bad };
    Ok(to_monitor(formulas, &graph, acceptance))
}

pub fn cosafety_monitor(
    formulas: &mut Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<Monitor, MonitorError> {
    let formula = prepare(formulas, formula)?;
    let found = classes(formulas, formula);
    if !found.cosafety {
        return Err(MonitorError::NotSupported(found.lowest()));
    }
    let negated = negate(formulas, formula);
    let (graph, good) =
        safety_graph(formulas, negated, limits).map_err(|overflow| too_big(overflow, limits))?;
    let acceptance = Acceptance::CoSafety { good };
    Ok(to_monitor(formulas, &graph, acceptance))
}

/// The monitor of `G p` with `p` co-safe, or of that after some `X`.
pub fn buchi_monitor(
    formulas: &mut Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<Monitor, MonitorError> {
    let formula = prepare(formulas, formula)?;
    let mut delay = 0;
    let mut current = formula;
    let body = loop {
        match *formulas.get(current) {
            Formula::Unary(TemporalUnary::Next, operand) => {
                delay += 1;
                current = operand;
            }
            Formula::Unary(TemporalUnary::Globally, operand) => break operand,
            _ => {
                let class = classes(formulas, formula).lowest();
                return Err(MonitorError::NotSupported(class));
            }
        }
    };
    if !classes(formulas, body).cosafety {
        let class = classes(formulas, formula).lowest();
        return Err(MonitorError::NotSupported(class));
    }
    let graph =
        buchi_graph(formulas, body, delay, limits).map_err(|overflow| too_big(overflow, limits))?;
    Ok(to_monitor(formulas, &graph, Acceptance::Buchi))
}

fn prepare(formulas: &mut Formulas, formula: FormulaId) -> Result<FormulaId, MonitorError> {
    if formulas.has_past(formula) {
        return Err(MonitorError::HasPast);
    }
    Ok(negation_normal_form(formulas, formula))
}

fn too_big(overflow: Overflow, limits: &Limits) -> MonitorError {
    match overflow {
        Overflow::States => MonitorError::TooManyStates(limits.states),
        Overflow::Diagrams => MonitorError::TooBig,
    }
}

struct SafetySteps<'a>(Progression<'a>);

impl Steps for SafetySteps<'_> {
    type State = ObligationId;

    fn decisions(&mut self) -> &mut Decisions {
        &mut self.0.decisions
    }

    fn step(&mut self, state: &ObligationId) -> Result<DecisionId, TooBig> {
        self.0.step(*state)
    }

    fn successor(&self, leaf: u32) -> (ObligationId, bool) {
        (leaf, leaf != BROKEN)
    }
}

/// The merged graph of a safety formula, and its trap.
fn safety_graph(
    formulas: &Formulas,
    formula: FormulaId,
    limits: &Limits,
) -> Result<(Graph, Option<usize>), Overflow> {
    let mut progression = Progression::new(formulas, limits);
    let initial = progression.start(formula)?;
    let (mut graph, states) = explore(SafetySteps(progression), initial, limits)?;
    let trap = states.iter().position(|state| *state == BROKEN);
    if let Some(trap) = trap {
        close_trap(&mut graph, trap)?;
    }
    // A state that was found to be lost has the same kind as the trap.
    let lost = trap.map(|trap| graph.steps[trap]);
    let kinds: Vec<usize> = graph
        .steps
        .iter()
        .map(|step| usize::from(lost == Some(*step)))
        .collect();
    let (graph, classes) = merge_equal(graph, &kinds)?;
    let (graph, numbers) = reachable(graph)?;
    let trap = trap.and_then(|trap| numbers[classes[trap]]);
    Ok((graph, trap))
}

/// Drops states that the initial one does not lead to, and numbers the others anew.
fn reachable(mut graph: Graph) -> Result<(Graph, Vec<Option<usize>>), TooBig> {
    let mut order = vec![0];
    let mut numbers: Vec<Option<usize>> = vec![None; graph.steps.len()];
    numbers[0] = Some(0);
    let mut next = 0;
    while next < order.len() {
        for leaf in graph.decisions.leaves(graph.steps[order[next]]) {
            let (successor, _) = successor_of(leaf);
            if numbers[successor].is_none() {
                numbers[successor] = Some(order.len());
                order.push(successor);
            }
        }
        next += 1;
    }
    let mut steps = Vec::new();
    for state in order {
        steps.push(graph.decisions.map(graph.steps[state], |leaf| {
            let (successor, accepting) = successor_of(leaf);
            leaf_of(numbers[successor].unwrap_or(0), accepting)
        })?);
    }
    graph.steps = steps;
    Ok((graph, numbers))
}

/// A state of the breakpoint construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Breakpoint {
    /// Steps before the first obligation starts.
    delay: usize,
    waited_for: ObligationId,
    later: ObligationId,
}

struct BuchiSteps<'a> {
    progression: Progression<'a>,
    body: FormulaId,
    /// By leaf.
    outcomes: Vec<(Breakpoint, bool)>,
    leaves: HashMap<(Breakpoint, bool), u32>,
}

impl Steps for BuchiSteps<'_> {
    type State = Breakpoint;

    fn decisions(&mut self) -> &mut Decisions {
        &mut self.progression.decisions
    }

    fn successor(&self, leaf: u32) -> (Breakpoint, bool) {
        self.outcomes[leaf as usize]
    }

    fn step(&mut self, state: &Breakpoint) -> Result<DecisionId, TooBig> {
        if state.delay > 0 {
            let next = Breakpoint {
                delay: state.delay - 1,
                ..*state
            };
            let leaf = self.leaf(next, true);
            return self.progression.decisions.leaf(leaf);
        }
        let waited_for = self.progression.step(state.waited_for)?;
        let old = self.progression.step(state.later)?;
        let new = self.progression.diagram(self.body)?;
        let later = self.progression.and(old, new)?;
        let idle = state.waited_for == KEPT;
        let mut pairs: HashMap<(ObligationId, ObligationId), u32> = HashMap::new();
        let mut order = Vec::new();
        let joint =
            self.progression
                .decisions
                .combine(waited_for, later, &mut |first, second| {
                    let next = order.len() as u32;
                    let pair = *pairs.entry((first, second)).or_insert(next);
                    if pair == next {
                        order.push((first, second));
                    }
                    Ok(pair)
                })?;
        let mut leaves = Vec::new();
        for (first, second) in order {
            let (next, accepting) = self.outcome(idle, first, second)?;
            leaves.push(self.leaf(next, accepting));
        }
        let decisions = &mut self.progression.decisions;
        decisions.map(joint, |pair| leaves[pair as usize])
    }
}

impl BuchiSteps<'_> {
    /// What follows when these are left of the obligations waited for and of the later ones.
    fn outcome(
        &mut self,
        idle: bool,
        waited_for: ObligationId,
        later: ObligationId,
    ) -> Result<(Breakpoint, bool), TooBig> {
        let state = |waited_for, later| Breakpoint {
            delay: 0,
            waited_for,
            later,
        };
        if waited_for == BROKEN || later == BROKEN {
            return Ok((state(BROKEN, KEPT), false));
        }
        if idle {
            // Nothing was waited for: the obligations that start now are, at once.
            return Ok((state(later, KEPT), later == KEPT));
        }
        if waited_for == KEPT {
            return Ok((state(later, KEPT), true));
        }
        let later = self.progression.obligations.without(later, waited_for)?;
        Ok((state(waited_for, later), false))
    }

    fn leaf(&mut self, state: Breakpoint, accepting: bool) -> u32 {
        let next = self.outcomes.len() as u32;
        let leaf = *self.leaves.entry((state, accepting)).or_insert(next);
        if leaf == next {
            self.outcomes.push((state, accepting));
        }
        leaf
    }
}

fn buchi_graph(
    formulas: &Formulas,
    body: FormulaId,
    delay: usize,
    limits: &Limits,
) -> Result<Graph, Overflow> {
    let steps = BuchiSteps {
        progression: Progression::new(formulas, limits),
        body,
        outcomes: Vec::new(),
        leaves: HashMap::new(),
    };
    let initial = Breakpoint {
        delay,
        waited_for: KEPT,
        later: KEPT,
    };
    let (graph, _) = explore(steps, initial, limits)?;
    let kinds = vec![0; graph.steps.len()];
    let (graph, _) = merge_equal(graph, &kinds)?;
    let (graph, _) = reachable(graph)?;
    Ok(graph)
}

fn to_monitor(formulas: &mut Formulas, graph: &Graph, acceptance: Acceptance) -> Monitor {
    let mut states = Vec::new();
    for step in &graph.steps {
        let mut transitions = Vec::new();
        for leaf in graph.decisions.leaves(*step) {
            let (successor, accepting) = successor_of(leaf);
            let accepting = match acceptance {
                Acceptance::Safety { bad } => Some(successor) != bad,
                Acceptance::CoSafety { good } => Some(successor) == good,
                Acceptance::Buchi => accepting,
            };
            transitions.push(Transition {
                guard: graph.decisions.guard(formulas, *step, leaf),
                successor,
                accepting,
            });
        }
        states.push(transitions);
    }
    Monitor { acceptance, states }
}

impl Monitor {
    /// The transition for a letter, which `holds` describes atom by atom.
    pub fn transition(
        &self,
        formulas: &Formulas,
        state: usize,
        letter: &Lasso,
        position: usize,
    ) -> Option<&Transition> {
        self.states
            .get(state)?
            .iter()
            .find(|transition| boolean_value(formulas, transition.guard, letter, position))
    }

    /// Whether the run over this word takes accepting transitions again and again.
    pub fn accepts(&self, formulas: &Formulas, lasso: &Lasso) -> bool {
        let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
        let mut accepted = Vec::new();
        let (mut state, mut position) = (0, 0);
        loop {
            if let Some(start) = seen.get(&(state, position)) {
                return accepted[*start..].contains(&true);
            }
            seen.insert((state, position), accepted.len());
            let Some(transition) = self.transition(formulas, state, lasso, position) else {
                return false;
            };
            accepted.push(transition.accepting);
            state = transition.successor;
            position = lasso.successor(position);
        }
    }

    /// Whether the guards of each state exclude each other and cover every letter; otherwise
    /// the first state where they do not.
    pub fn check(&self, formulas: &Formulas, limits: &Limits) -> Result<(), usize> {
        for (state, transitions) in self.states.iter().enumerate() {
            let mut progression = Progression::new(formulas, limits);
            let mut count = || -> Result<bool, TooBig> {
                let mut covered = progression.decisions.leaf(0)?;
                for transition in transitions {
                    let guard = progression.diagram(transition.guard)?;
                    let decisions = &mut progression.decisions;
                    // Leaves count how many guards a letter satisfies.
                    covered = decisions.combine(covered, guard, &mut |count, obligation| {
                        Ok(count + u32::from(obligation == KEPT))
                    })?;
                }
                Ok(progression.decisions.leaves(covered) == [1])
            };
            if count() != Ok(true) {
                return Err(state);
            }
        }
        Ok(())
    }

    /// The states that a transition leads to, for graphs and tests.
    pub fn successors(&self, state: usize) -> HashSet<usize> {
        self.states[state]
            .iter()
            .map(|transition| transition.successor)
            .collect()
    }

    /// One line per transition, for people.
    pub fn text(&self, formulas: &Formulas) -> String {
        let mut text = match self.acceptance {
            Acceptance::Safety { bad: Some(bad) } => format!("safety, bad {bad}\n"),
            Acceptance::Safety { bad: None } => "safety, nothing bad\n".to_string(),
            Acceptance::CoSafety { good: Some(good) } => format!("co-safety, good {good}\n"),
            Acceptance::CoSafety { good: None } => "co-safety, nothing good\n".to_string(),
            Acceptance::Buchi => "Büchi\n".to_string(),
        };
        for (state, transitions) in self.states.iter().enumerate() {
            for transition in transitions {
                let mark = if transition.accepting {
                    " accepting"
                } else {
                    ""
                };
                text.push_str(&format!(
                    "{state} -> {}{mark} if {}\n",
                    transition.successor,
                    formulas.text(transition.guard)
                ));
            }
        }
        text
    }
}

/// The truth of a formula without temporal operators in one step.
fn boolean_value(formulas: &Formulas, root: FormulaId, lasso: &Lasso, position: usize) -> bool {
    let mut values: HashMap<FormulaId, bool> = HashMap::new();
    for id in formulas.subformulas(root) {
        let value = match formulas.get(id) {
            Formula::True => true,
            Formula::Atom(atom) => lasso.holds(*atom, position),
            Formula::Not(operand) => !values[operand],
            Formula::And(operands) => operands.iter().all(|operand| values[operand]),
            Formula::Or(operands) => operands.iter().any(|operand| values[operand]),
            _ => false,
        };
        values.insert(id, value);
    }
    values[&root]
}
