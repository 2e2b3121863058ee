//! Whether a strategy of the environment wins: each run that it allows is lost for the system.
//!
//! The strategy is a design in which the inputs of the environment are driven; what the system
//! may choose is left to anybody. A run is lost if the violation of an assertion shows in a
//! step up to which no safe assumption is broken, or if it keeps all assumptions for ever and
//! violates an assertion. Both together are one formula, and the model checker is asked
//! whether it holds on all runs.

use super::check::Check;
use super::claim::{self, Claimed, StateSets};
use super::shown::violation_shows;
use super::{Certified, Evidence, Options, Problem, Semantics, Verdict, parts};
use crate::bdd::Limits;
use crate::design::{Design, InputKind, Node, NodeId, Reach, Reset};
use crate::expr::{Role, TemporalBinary};
use crate::source::Diagnostic;
use crate::spec::{FormulaId, Formulas, Property, Spec};

/// A strategy of the environment, put into the design.
#[derive(Clone, Debug, PartialEq)]
pub struct Refutation {
    /// The environment's inputs are driven, the system's choices are inputs.
    pub design: Design,
}

/// Certified if every run is lost for the system.
pub type RefutationCheck = Check<Refutation>;

/// Checks a strategy that is said to win the game of `open`: it drives inputs of the
/// environment and settles initial values that are the environment's, and nothing else; and it
/// does not look at what the system chooses in the same step.
pub fn refutation_of(
    open: &Design,
    design: &Design,
    spec: &Spec,
    limits: &Limits,
) -> Result<RefutationCheck, Vec<Diagnostic>> {
    match broken_rule(open, design) {
        Some(reason) => Ok(RefutationCheck::NotShown(reason)),
        None => refutation(design, spec, limits),
    }
}

/// The same for a strategy that brings each run to a violation in a bounded number of steps:
/// the rings of the claim are the states from which one step, two steps, ... are enough. If
/// this is not confirmed, the model checker is asked as always.
pub fn ranked_refutation_of(
    open: &Design,
    design: &Design,
    spec: &Spec,
    ranking: &StateSets,
    limits: &Limits,
) -> Result<RefutationCheck, Vec<Diagnostic>> {
    if let Some(reason) = broken_rule(open, design) {
        return Ok(RefutationCheck::NotShown(reason));
    }
    let (claim, problem) = lost_runs(design, spec)?;
    if let Some((kept, first)) = claim.within_steps {
        let mut tableau = problem.tableau(&[]);
        let (kept, first) = (tableau.past(kept), tableau.past(first));
        let product = tableau.finish();
        match claim::comes_to(&product, kept, first, ranking, limits) {
            Ok(Claimed::Confirmed) => return Ok(certified(design)),
            Ok(Claimed::NotConfirmed) => {}
            Err(error) => return Ok(RefutationCheck::Unknown(error)),
        }
    }
    judged(design, &claim, &problem, limits)
}

/// Checks that each run of a design, whatever is chosen in it, breaks an assertion before an
/// assumption, or breaks one and keeps all assumptions for ever.
pub fn refutation(
    design: &Design,
    spec: &Spec,
    limits: &Limits,
) -> Result<RefutationCheck, Vec<Diagnostic>> {
    let (claim, problem) = lost_runs(design, spec)?;
    judged(design, &claim, &problem, limits)
}

/// The claim that each run is lost, as a problem with one property.
fn lost_runs(design: &Design, spec: &Spec) -> Result<(Claim, Problem), Vec<Diagnostic>> {
    let mut formulas = spec.formulas.clone();
    let claim = every_run_is_lost(&mut formulas, spec);
    let asked = Spec {
        formulas,
        antecedents: Vec::new(),
        properties: vec![Property {
            role: Role::Assert,
            name: "lost".to_string(),
            is_named: false,
            span: None,
            formula: claim.formula,
        }],
    };
    let problem = Problem::new(&with_free_choices(design), &asked)?;
    Ok((claim, problem))
}

/// What the model checker says of a claim.
fn judged(
    design: &Design,
    claim: &Claim,
    problem: &Problem,
    limits: &Limits,
) -> Result<RefutationCheck, Vec<Diagnostic>> {
    let options = Options {
        limits: limits.clone(),
        semantics: Semantics::Strict,
        ..Options::default()
    };
    let verdict = problem.check(0, &options).map_err(|error| vec![error])?;
    Ok(match verdict {
        Verdict::Holds => certified(design),
        Verdict::Unknown(error) => RefutationCheck::Unknown(error),
        Verdict::Fails(_) => RefutationCheck::NotShown(match &claim.left_out {
            Some(name) => format!("there is no formula for the step that breaks `{name}`"),
            None => {
                "with this strategy, a run breaks no assertion before an assumption".to_string()
            }
        }),
    })
}

fn certified(design: &Design) -> RefutationCheck {
    let answer = Refutation {
        design: design.clone(),
    };
    RefutationCheck::Certified(Certified::new(answer, Evidence::ClaimChecked))
}

/// A formula of which it is enough that it holds on all runs.
struct Claim {
    formula: FormulaId,
    /// A property whose violation cannot be given a step, so that the formula asks for more
    /// than it would have to.
    left_out: Option<String>,
    /// Formulas about the past: what holds in each step up to the one in which a violation
    /// shows, and what holds there. That each run comes to such a step is enough.
    within_steps: Option<(FormulaId, FormulaId)>,
}

fn every_run_is_lost(formulas: &mut Formulas, spec: &Spec) -> Claim {
    let mut left_out = None;
    let mut kept = Vec::new();
    let mut shown = Vec::new();
    let mut violated = Vec::new();
    let mut has_all_assumptions = true;
    for property in &spec.properties {
        if property.role == Role::Cover {
            continue;
        }
        for part in parts::parts(formulas, property.formula) {
            let is_safe = parts::is_safe(formulas, part);
            let shows = is_safe.then(|| violation_shows(formulas, part)).flatten();
            if is_safe && shows.is_none() {
                left_out.get_or_insert_with(|| property.name.clone());
            }
            match (property.role, shows) {
                (Role::Assume, Some(shows)) => kept.push(formulas.not(shows)),
                (Role::Assume, None) => has_all_assumptions &= !is_safe,
                (_, Some(shows)) => shown.push(shows),
                (_, None) => violated.push(formulas.not(part)),
            }
        }
    }
    let assumed = spec.properties.iter();
    let assumed = assumed.filter(|property| property.role == Role::Assume);
    let mut for_ever: Vec<FormulaId> = assumed.map(|property| property.formula).collect();
    for_ever.push(formulas.or(violated));
    let mut ways = vec![formulas.and(for_ever)];
    let mut within_steps = None;
    if has_all_assumptions {
        let kept = formulas.and(kept);
        let shown = formulas.or(shown);
        let first = formulas.and([kept, shown]);
        ways.push(formulas.binary(TemporalBinary::Until, kept, first));
        within_steps = Some((kept, first));
    }
    Claim {
        formula: formulas.or(ways),
        left_out,
        within_steps,
    }
}

/// What is to hold for all choices of the system is asked for all values of inputs.
fn with_free_choices(design: &Design) -> Design {
    let mut free = design.clone();
    for id in design.inputs().iter().copied() {
        free.replace(id, Node::Input(InputKind::Environment));
    }
    for id in design.latches().iter().copied() {
        if design.is_rigid_choice(id) {
            free.set_reset(id, Reset::Free);
        }
    }
    free
}

/// What a strategy does that the environment may not do.
fn broken_rule(open: &Design, design: &Design) -> Option<String> {
    let mut driven: Vec<NodeId> = Vec::new();
    let mut chosen: Vec<NodeId> = Vec::new();
    if design.len() < open.len() {
        return Some("the design of the strategy lacks signals".to_string());
    }
    for id in open.node_ids() {
        let keeps = match (open.node(id), design.node(id)) {
            (Node::Input(InputKind::Environment), Node::And(..)) => {
                driven.push(id);
                true
            }
            (Node::Input(kind), Node::Input(_)) => {
                if kind == InputKind::Choice {
                    chosen.push(id);
                }
                true
            }
            (Node::Latch(before), Node::Latch(after)) => {
                let settles =
                    before.reset == Reset::Free && matches!(after.reset, Reset::Zero | Reset::One);
                before.next == after.next && (before.reset == after.reset || settles)
            }
            (before, after) => before == after,
        };
        if !keeps {
            let name = open.describe(id);
            return Some(format!(
                "the strategy changes {name}, which is not the environment's"
            ));
        }
    }
    let seen = design.cone(driven.into_iter().map(NodeId::literal), Reach::Cycle);
    let peeks = chosen.into_iter().find(|id| seen.contains(*id))?;
    let name = open.describe(peeks);
    Some(format!("the strategy depends on {name} of the same step"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Literal;
    use crate::source::Sources;

    /// An input `e` of the environment, a choice `c` of the system, and `first`, which is true
    /// in the first step only.
    fn open() -> (Design, NodeId, NodeId, NodeId) {
        let mut design = Design::new();
        let input = design.add_input(InputKind::Environment);
        let choice = design.add_input(InputKind::Choice);
        let first = design.add_latch(Reset::One);
        design.set_next(first, Literal::FALSE);
        for (id, name) in [(input, "e"), (choice, "c"), (first, "first")] {
            design.set_name(id, name);
        }
        (design, input, choice, first)
    }

    fn check(drive: impl Fn(NodeId, NodeId) -> Literal, properties: &str) -> RefutationCheck {
        let (open, input, choice, first) = open();
        let mut design = open.clone();
        design.drive(input, drive(choice, first), usize::MAX);
        let mut sources = Sources::new();
        let file = sources.add("properties.ltl", properties);
        let mut spec = Spec::new();
        spec.add_property_file(file, properties)
            .expect("properties");
        refutation_of(&open, &design, &spec, &Limits::default()).expect("a check")
    }

    fn wins(drive: impl Fn(NodeId, NodeId) -> Literal, properties: &str) -> bool {
        matches!(check(drive, properties), Check::Certified(_))
    }

    fn always(_: NodeId, _: NodeId) -> Literal {
        Literal::TRUE
    }

    fn at_first(_: NodeId, first: NodeId) -> Literal {
        first.literal()
    }

    #[test]
    fn every_choice_has_to_lose() {
        assert!(wins(always, "assert G !e;"));
        assert!(wins(always, "assert G (e -> c); assert G (e -> !c);"));
        assert!(!wins(always, "assert G (e -> c);"));
    }

    #[test]
    fn an_assumption_must_not_be_broken_first_or_at_once() {
        assert!(!wins(always, "assume G !e; assert G !e;"));
        assert!(!wins(always, "assume G !e; assert G X !e;"));
        assert!(wins(at_first, "assume G (e -> X e); assert G !e;"));
        assert!(!wins(at_first, "assume G (e -> X e); assert G (e -> X e);"));
        assert!(!wins(
            at_first,
            "assume G (e -> X e); assert G (e -> X (X (c & !c)));"
        ));
    }

    #[test]
    fn weak_until_is_broken_in_a_step() {
        assert!(wins(
            at_first,
            "assume G (e -> X !e); assert e W c; assert G !c;"
        ));
        assert!(!wins(at_first, "assume e W c; assert G X !e; assert G !c;"));
    }

    #[test]
    fn what_is_not_safe_is_lost_on_infinite_runs() {
        assert!(wins(at_first, "assert G F e;"));
        assert!(wins(at_first, "assume G F !e; assert G F e;"));
        assert!(!wins(at_first, "assume G F e; assert F (c & !c);"));
        assert!(!wins(always, "assert G F c;"));
    }

    #[test]
    fn a_strategy_does_not_see_the_choice_of_the_same_step() {
        let other = |choice: NodeId, _: NodeId| !choice.literal();
        let found = check(other, "assert G (e <-> c);");
        let reason = "the strategy depends on `c` of the same step";
        assert_eq!(found, Check::NotShown(reason.to_string()));
    }

    #[test]
    fn a_strategy_leaves_the_rest_of_the_design_as_it_is() {
        let (open, input, choice, first) = open();
        let spec = Spec::new();
        let asked = |design: &Design| {
            let found = refutation_of(&open, design, &spec, &Limits::default());
            matches!(found, Ok(Check::NotShown(reason)) if reason.contains("environment's"))
        };
        let mut driven = open.clone();
        driven.drive(choice, input.literal(), usize::MAX);
        assert!(asked(&driven), "the system's choice");
        let mut changed = open.clone();
        changed.set_next(first, Literal::TRUE);
        assert!(asked(&changed), "the next value of a latch");
        let mut changed = open.clone();
        changed.set_reset(first, Reset::Zero);
        assert!(asked(&changed), "the initial value of a latch");
    }
}
