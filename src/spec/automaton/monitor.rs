//! Deterministic monitors of safety, co-safety and recurrence formulas.
//!
//! Invariant: the guards of the transitions of one state exclude each other and cover every
//! letter; [`Monitor::check`] proves it.

use super::decision::Laws;
use super::explore::{Graph, Overflow, successor_of};
use super::obligations::KEPT;
use super::omega::boolean_value;
use super::progression::Progression;
use super::recurrence::buchi_graph;
use super::safety::safety_graph;
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

impl std::error::Error for MonitorError {}

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
        error.at_optional(span, "this property")
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

pub(super) fn to_monitor(
    formulas: &mut Formulas,
    graph: &Graph,
    acceptance: Acceptance,
) -> Monitor {
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
    /// The transition for the letter at a position of a run.
    pub fn transition(
        &self,
        formulas: &Formulas,
        state: usize,
        run: &Lasso,
        position: usize,
    ) -> Option<&Transition> {
        self.states
            .get(state)?
            .iter()
            .find(|transition| boolean_value(formulas, transition.guard, run, position))
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
                    covered = decisions.combine(
                        covered,
                        guard,
                        Laws::default(),
                        &mut |count, obligation| Ok(count + u32::from(obligation == KEPT)),
                    )?;
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
