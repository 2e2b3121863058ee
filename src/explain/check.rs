//! Whether any system can satisfy a specification, and what its sides are like.
//!
//! The verdict rests on a certificate that other code than the solver's has checked. Whether
//! each side can be kept at all is asked afterwards, with the time that is left.

use super::answer::{CheckAnswer, Satisfiable, Verdict, WellSeparation};
use super::separation::{Scope, Separation, relevant_part};
use super::{Element, Oracle, helpful, ltl};
use crate::bdd;
use crate::certify::RealizabilityCheck;
use crate::certify::gr1::Flaw;
use crate::game::gr1::{Gr1Game, Selection};
use crate::load::{AnySpec, LoadedGr1, LoadedLtl};
use crate::source::{Diagnostic, codes::frame};
use crate::spec::gr1::{Gr1, Side};
use crate::spec::ltl::{LtlSpec, Part, Section};
use crate::synth::gr1::certified;
use crate::synth::ltl::{Answer, Failure, Options, solve};
use std::time::{Duration, Instant};

/// What is asked last may take as long as all before it, but at least this.
const EXTRA: Duration = Duration::from_secs(2);

/// Checks a specification of either kind. `watch` is told what is being done.
///
/// ```
/// use respin::bdd::Limits;
/// use respin::explain::answer::Verdict;
/// use respin::{SpecOptions, check, spec_from_text};
///
/// let text = "module Copy env boolean a; sys boolean b; gar same: G (b = a);";
/// let (spec, _) = spec_from_text("copy.spectra", text, &SpecOptions::default())?;
/// let found = check(&spec, &Limits::default(), &mut |_| {})?;
/// assert!(matches!(found.verdict, Verdict::Certified(verdict) if verdict.is_realizable()));
/// # Ok::<(), respin::load::Failure>(())
/// ```
pub fn check(
    spec: &AnySpec,
    limits: &bdd::Limits,
    watch: &mut dyn FnMut(&str),
) -> Result<CheckAnswer, Vec<Diagnostic>> {
    match spec {
        AnySpec::Gr1(loaded) => check_gr1(loaded, limits, watch),
        AnySpec::Ltl(loaded) => check_ltl(loaded, limits, watch),
    }
}

/// Limits for a question that a verdict does not wait for.
pub(super) fn extra(limits: &bdd::Limits, start: Instant) -> bdd::Limits {
    let until = Instant::now() + start.elapsed().max(EXTRA);
    bdd::Limits {
        deadline: Some(
            limits
                .deadline
                .map_or(until, |deadline| deadline.min(until)),
        ),
        ..limits.clone()
    }
}

fn check_gr1(
    loaded: &LoadedGr1,
    limits: &bdd::Limits,
    watch: &mut dyn FnMut(&str),
) -> Result<CheckAnswer, Vec<Diagnostic>> {
    let start = Instant::now();
    watch("solving the game");
    let verdict = decide_gr1(&loaded.strict(), limits)?;
    watch("asking whether each side can be kept");
    let satisfiable = satisfiable_gr1(&loaded.spec, limits);
    let separation = separation(&loaded.spec, limits).ok();
    watch("asking which assumptions matter");
    Ok(CheckAnswer {
        verdict,
        satisfiable,
        separation,
        unhelpful: unhelpful(loaded, &extra(limits, start)).ok(),
    })
}

/// The verdict, or the limit that was reached and what the solver says if it got that far.
pub(super) fn decide_gr1(spec: &Gr1, limits: &bdd::Limits) -> Result<Verdict, Vec<Diagnostic>> {
    let mut known = None;
    let decided = (|| {
        let game = Gr1Game::new(spec, limits.clone())?;
        let rules = game.rules_of_plays(&Selection::everything(spec))?;
        let solution = rules.solve()?;
        known = Some(solution.realizable);
        certified(&game, &rules, &solution)
    })();
    match decided {
        Ok(Ok(verdict)) => Ok(Verdict::Certified(verdict)),
        Ok(Err(Flaw(flaw))) => Err(vec![not_confirmed(&flaw)]),
        Err(error) => Ok(Verdict::Limit(error, known)),
    }
}

/// A verdict that the solver gives and the checker does not is an error of the program.
fn not_confirmed(flaw: &str) -> Diagnostic {
    let message = format!("a verdict was not confirmed: {flaw}");
    Diagnostic::error(frame::INTERNAL_ERROR, message)
}

fn satisfiable_gr1(spec: &Gr1, limits: &bdd::Limits) -> Satisfiable {
    let Ok(game) = Gr1Game::new(spec, limits.clone()) else {
        return Satisfiable::default();
    };
    let ask = |selection: Selection| game.is_satisfiable(&selection).ok();
    let mut found = Satisfiable {
        assumptions: ask(Selection::side(spec, Side::Assumption)),
        guarantees: ask(Selection::side(spec, Side::Guarantee)),
        both: ask(Selection::everything(spec)),
    };
    if found.both == Some(true) {
        found.assumptions = Some(true);
        found.guarantees = Some(true);
    }
    found
}

/// Assumptions without any one of which the verdict is the same.
fn unhelpful(loaded: &LoadedGr1, limits: &bdd::Limits) -> bdd::Result<Vec<String>> {
    let game = Gr1Game::new(&loaded.spec, limits.clone())?;
    let mut oracle = Oracle::new(&game, loaded.semantics);
    let found = helpful::unhelpful_assumptions(&mut oracle)?;
    let elements = oracle.elements_of(&found).into_iter();
    Ok(elements
        .filter_map(|element| match element {
            Element::Lack(id) => Some(loaded.spec.constraint(id).name.clone()),
            _ => None,
        })
        .collect())
}

/// Whether the system can make assumptions fail.
fn separation(spec: &Gr1, limits: &bdd::Limits) -> bdd::Result<WellSeparation> {
    let alone = relevant_part(spec, Scope::Environment);
    let game = Gr1Game::new(&alone, limits.clone())?;
    let cases = Separation::new(&game)?.cases()?;
    let is_prevented = if cases.is_empty() {
        false
    } else {
        let guarded = relevant_part(spec, Scope::Guarantees);
        let game = Gr1Game::new(&guarded, limits.clone())?;
        Separation::new(&game)?.cases()?.is_empty()
    };
    Ok(WellSeparation {
        cases,
        is_prevented,
    })
}

fn check_ltl(
    loaded: &LoadedLtl,
    limits: &bdd::Limits,
    watch: &mut dyn FnMut(&str),
) -> Result<CheckAnswer, Vec<Diagnostic>> {
    let start = Instant::now();
    let (verdict, _) = decide_ltl(&loaded.spec, limits, watch)?;
    watch("asking whether each side can be kept");
    let satisfiable = satisfiable_ltl(&loaded.spec, &extra(limits, start));
    let mut oracle = ltl::Oracle::new(&loaded.spec, extra(limits, start));
    let unhelpful = oracle.unhelpful().ok().map(|found| {
        let parts = found.into_iter().map(|index| &oracle.spec.parts[index]);
        parts.map(|part| part.name.clone()).collect()
    });
    Ok(CheckAnswer {
        verdict,
        satisfiable,
        separation: None,
        unhelpful,
    })
}

/// Who wins, with the circuit that shows it if that was certified.
pub(super) fn decide_ltl(
    spec: &LtlSpec,
    limits: &bdd::Limits,
    watch: &mut dyn FnMut(&str),
) -> Result<(Verdict, Option<Answer>), Vec<Diagnostic>> {
    let options = Options {
        limits: limits.clone(),
        ..Options::default()
    };
    match solve(spec, &options, watch) {
        Ok(answer) => match &answer.check {
            RealizabilityCheck::Certified(verdict) => {
                Ok((Verdict::Certified(verdict.clone()), Some(answer)))
            }
            RealizabilityCheck::Unknown(error) => {
                Ok((Verdict::Limit(*error, Some(answer.realizable)), None))
            }
            RealizabilityCheck::NotShown(part) => Err(vec![not_confirmed(part)]),
        },
        Err(Failure::Diagnostics(diagnostics)) => Err(diagnostics),
        Err(Failure::Limit(error)) => Ok((Verdict::Limit(error, None), None)),
        Err(Failure::GaveUp(reason)) => Ok((Verdict::GaveUp(reason), None)),
    }
}

/// A side can be kept if a system could keep it that sets all signals.
fn satisfiable_ltl(spec: &LtlSpec, limits: &bdd::Limits) -> Satisfiable {
    let ask = |wanted: &dyn Fn(Section) -> bool| -> Option<bool> {
        let mut alone = LtlSpec {
            outputs: spec.inputs.iter().chain(&spec.outputs).cloned().collect(),
            formulas: spec.formulas.clone(),
            observer: spec.observer.clone(),
            ..LtlSpec::default()
        };
        let parts = spec.parts.iter().filter(|part| wanted(part.section));
        alone.parts = parts
            .map(|part| Part {
                section: match part.section {
                    Section::Require | Section::Assert => Section::Assert,
                    _ => Section::Guarantee,
                },
                ..part.clone()
            })
            .collect();
        let options = Options {
            limits: limits.clone(),
            ..Options::default()
        };
        let answer = solve(&alone, &options, &mut |_| {}).ok()?;
        Some(answer.certified()?.is_realizable())
    };
    let both = ask(&|_| true);
    if both == Some(true) {
        return Satisfiable {
            assumptions: both,
            guarantees: both,
            both,
        };
    }
    Satisfiable {
        assumptions: ask(&Section::is_assumption),
        guarantees: ask(&|section| !section.is_assumption()),
        both,
    }
}
