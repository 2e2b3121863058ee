//! Checks that some parts of a specification conflict, or that giving some up resolves all
//! conflicts, and that each of them is needed for it.
//!
//! Enters: a specification in LTL, indices of guarantees among its parts, and who gives a
//! strategy for the specification of some parts. Leaves: a certified answer. The parts are chosen
//! here and the strategies model-checked here, so whoever gives them is not trusted.

use super::verdicts::{Strategy, and_each, indices, names, shows, without};
use crate::bdd::Limits;
use crate::certify::check::Judgement;
use crate::certify::{Check, MinimalConflict, MinimalFix};
use crate::source::Diagnostic;
use crate::spec::ltl::LtlSpec;

/// Gives a strategy for the specification of some parts, by their indices in ascending order;
/// `None` if none is known.
pub type Strategies<'a> = dyn FnMut(&[usize]) -> Option<Strategy> + 'a;

/// Whether no system keeps the members with all assumptions, and some system keeps them without
/// any one of them.
pub fn minimal_conflict(
    spec: &LtlSpec,
    members: &[usize],
    limits: &Limits,
    strategies: &mut Strategies<'_>,
) -> Result<Check<MinimalConflict>, Vec<Diagnostic>> {
    let mut question = Question {
        spec,
        limits,
        strategies,
    };
    let conflict = question.ask(members, false)?;
    let mut needed = |member: usize| question.ask(&without(members, member), true);
    let judgement = and_each(conflict, members, &mut needed)?;
    Ok(judgement.of(MinimalConflict {
        guarantees: names(spec, members),
        outputs: Vec::new(),
    }))
}

/// Whether some system keeps the guarantees that are left without the removed ones, and none
/// with any one of these beside them.
pub fn minimal_fix(
    spec: &LtlSpec,
    removed: &[usize],
    limits: &Limits,
    strategies: &mut Strategies<'_>,
) -> Result<Check<MinimalFix>, Vec<Diagnostic>> {
    let guarantees = indices(spec, false);
    let kept: Vec<usize> = guarantees
        .into_iter()
        .filter(|index| !removed.contains(index))
        .collect();
    let mut question = Question {
        spec,
        limits,
        strategies,
    };
    let resolved = question.ask(&kept, true)?;
    let mut needed = |one: usize| question.ask(&[&kept[..], &[one]].concat(), false);
    let judgement = and_each(resolved, removed, &mut needed)?;
    Ok(judgement.of(MinimalFix {
        removed: names(spec, removed),
        assumptions: names(spec, &indices(spec, true)),
    }))
}

struct Question<'q, 's> {
    spec: &'q LtlSpec,
    limits: &'q Limits,
    strategies: &'q mut Strategies<'s>,
}

impl Question<'_, '_> {
    /// Whether it is so that some guarantees are realizable with all assumptions, or not.
    fn ask(
        &mut self,
        guarantees: &[usize],
        realizable: bool,
    ) -> Result<Judgement, Vec<Diagnostic>> {
        let mut parts = indices(self.spec, true);
        parts.extend(guarantees);
        parts.sort_unstable();
        let strategy = (self.strategies)(&parts);
        let asked = self.spec.with_parts(&parts);
        let what = names(self.spec, guarantees).join(", ");
        shows(&asked, strategy.as_ref(), realizable, &what, self.limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::RealizabilityCheck;
    use crate::certify::ltl::counterstrategy as checked;
    use crate::design::{Design, InputKind, Literal};
    use crate::source::Sources;
    use crate::spec::Spec;

    fn spec(text: &str) -> LtlSpec {
        let mut sources = Sources::new();
        let file = sources.add("m.ltl", text);
        let mut spec = Spec::new();
        spec.add_property_file(file, text).expect("formulas");
        LtlSpec::from_properties(&spec, &["a".to_string()], &["x".to_string()]).expect("signals")
    }

    /// A circuit that reads one name and drives another with a constant, or with what it reads.
    fn circuit(read: &str, driven: &str, value: Option<bool>) -> Design {
        let mut design = Design::new();
        let id = design.add_input(InputKind::Environment);
        design.set_name(id, read.to_string());
        let literal = match value {
            None => id.literal(),
            Some(true) => Literal::TRUE,
            Some(false) => Literal::FALSE,
        };
        design.add_output(Some(driven.to_string()), literal, None);
        design
    }

    fn controller(value: Option<bool>) -> Option<Strategy> {
        Some(Strategy {
            is_controller: true,
            circuit: circuit("a", "x", value),
        })
    }

    fn counterstrategy(value: Option<bool>) -> Option<Strategy> {
        Some(Strategy {
            is_controller: false,
            circuit: circuit("x", "a", value),
        })
    }

    const CONFLICT: &str = "assert follow: G (x <-> a);\nassert low: G !x;";

    fn certified(strategies: &mut Strategies<'_>) -> bool {
        let found = minimal_conflict(&spec(CONFLICT), &[0, 1], &Limits::default(), strategies);
        matches!(found, Ok(Check::Certified(_)))
    }

    #[test]
    fn a_conflict_with_all_strategies_is_certified() {
        let mut strategies = |parts: &[usize]| match parts {
            [0, 1] => counterstrategy(Some(true)),
            [0] => controller(None),
            _ => controller(Some(false)),
        };
        assert!(certified(&mut strategies));
    }

    #[test]
    fn a_conflict_with_a_strategy_that_loses_is_not() {
        let mut strategies = |parts: &[usize]| match parts {
            [0, 1] => counterstrategy(Some(false)),
            [0] => controller(None),
            _ => controller(Some(false)),
        };
        assert!(!certified(&mut strategies));
    }

    #[test]
    fn a_member_that_is_not_shown_to_be_needed_is_no_member() {
        let mut strategies = |parts: &[usize]| match parts {
            [0, 1] => counterstrategy(Some(true)),
            _ => controller(Some(false)),
        };
        assert!(!certified(&mut strategies));
    }

    #[test]
    fn the_environment_may_not_read_the_answer_to_its_move() {
        let spec = spec("assert other: G (x <-> !a);");
        let Some(strategy) = counterstrategy(None) else {
            panic!("there is one");
        };
        let found = checked(&spec, &strategy.circuit, &Limits::default());
        let found = found.expect("an answer");
        assert!(
            matches!(&found, RealizabilityCheck::NotShown(reason) if reason.contains("later")),
            "{found:?}"
        );
    }

    #[test]
    fn a_fix_needs_each_of_its_members() {
        let spec = spec(CONFLICT);
        let limits = Limits::default();
        let mut strategies = |parts: &[usize]| match parts {
            [0, 1] => counterstrategy(Some(true)),
            [0] => controller(None),
            _ => controller(Some(false)),
        };
        let one = minimal_fix(&spec, &[1], &limits, &mut strategies);
        assert!(matches!(one, Ok(Check::Certified(_))), "{one:?}");
        let both = minimal_fix(&spec, &[0, 1], &limits, &mut strategies);
        assert!(matches!(both, Ok(Check::NotShown(_))), "{both:?}");
    }
}
