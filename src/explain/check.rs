//! Whether any system can satisfy a specification, and what its sides are like.
//!
//! The verdict rests on a certificate that other code than the solver's has checked, and is told
//! at once. What is asked afterwards has a share of the work that the verdict took, unless it is
//! what the user asks for: work is counted rather than time, so that a busy machine does not
//! change what is known.

use super::answer::{
    Asked, CheckAnswer, CheckEvent, CheckOptions, CheckPart, Satisfiable, Verdict, WellSeparation,
};
use super::separation::{Case, Scope, Separation, relevant_part};
use super::{Element, Oracle, helpful, ltl};
use crate::bdd;
use crate::certify::RealizabilityCheck;
use crate::certify::gr1::{Flaw, Lasso, keeps};
use crate::certify::ltl::together;
use crate::game::gr1::{Gr1Game, Selection};
use crate::load::{AnySpec, LoadedGr1, LoadedLtl};
use crate::source::{Diagnostic, codes::frame};
use crate::spec::Semantics;
use crate::spec::gr1::{Gr1, Side};
use crate::spec::ltl::{LtlSpec, Order, Section};
use crate::synth::gr1::certified;
use crate::synth::ltl::{Answer, Failure, Options, solve};
use std::time::{Duration, Instant};

/// What is asked last may take as long as all before it, but at least this.
const EXTRA: Duration = Duration::from_secs(2);
/// The same in work of a manager: about a tenth of a second.
const EXTRA_WORK: u64 = 1_500_000;

/// Checks a specification of either kind. `watch` is told what is being done, and what is found
/// as soon as it is.
///
/// ```
/// use respin::explain::answer::{CheckOptions, Verdict};
/// use respin::{SpecOptions, check, spec_from_text};
///
/// let text = "module Copy env boolean a; sys boolean b; gar same: G (b = a);";
/// let (spec, _) = spec_from_text("copy.spectra", text, &SpecOptions::default())?;
/// let found = check(&spec, &CheckOptions::default(), &mut |_| {})?;
/// assert!(matches!(found.verdict, Verdict::Certified(verdict) if verdict.is_realizable()));
/// # Ok::<(), respin::load::Failure>(())
/// ```
pub fn check(
    spec: &AnySpec,
    options: &CheckOptions,
    watch: &mut dyn FnMut(CheckEvent<'_>),
) -> Result<CheckAnswer, Vec<Diagnostic>> {
    match spec {
        AnySpec::Gr1(loaded) => check_gr1(loaded, options, watch),
        AnySpec::Ltl(loaded) => match strict_gr1(loaded) {
            Some(gr1) => check_either(&gr1, loaded, options, watch),
            None => check_ltl(loaded, options, watch),
        },
    }
}

/// A strict specification as GR(1), if it is: the strict game is won by whom the formula is
/// won by [JKS16], and its claims are checked without a controller, which may be far larger.
pub(super) fn strict_gr1(loaded: &LoadedLtl) -> Option<LoadedGr1> {
    if !loaded.spec.is_strict || loaded.spec.order != Order::Mealy {
        return None;
    }
    let gr1 = loaded.as_gr1().ok()?;
    (gr1.semantics == Semantics::Strict).then_some(gr1)
}

/// Checks a specification by the GR(1) game that it is, and by formulas if that game is too
/// large and there is time left.
fn check_either(
    gr1: &LoadedGr1,
    loaded: &LoadedLtl,
    options: &CheckOptions,
    watch: &mut dyn FnMut(CheckEvent<'_>),
) -> Result<CheckAnswer, Vec<Diagnostic>> {
    watch(CheckEvent::Doing("solving the GR(1) game"));
    let (verdict, game) = solve_gr1(&gr1.spec, &options.limits)?;
    let is_certified = matches!(verdict, Verdict::Certified(_));
    if is_certified || options.limits.check().is_err() {
        return after_verdict(gr1, verdict, game, options, watch);
    }
    drop(game);
    check_ltl(loaded, options, watch)
}

impl CheckAnswer {
    fn new(verdict: Verdict) -> CheckAnswer {
        CheckAnswer {
            verdict,
            satisfiable: Satisfiable::default(),
            separation: None,
            unhelpful: None,
        }
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
    options: &CheckOptions,
    watch: &mut dyn FnMut(CheckEvent<'_>),
) -> Result<CheckAnswer, Vec<Diagnostic>> {
    watch(CheckEvent::Doing("solving the game"));
    let (verdict, game) = solve_gr1(&loaded.strict(), &options.limits)?;
    after_verdict(loaded, verdict, game, options, watch)
}

/// Tells the verdict, and finds what else is wanted.
fn after_verdict(
    loaded: &LoadedGr1,
    verdict: Verdict,
    game: Option<Gr1Game>,
    options: &CheckOptions,
    watch: &mut dyn FnMut(CheckEvent<'_>),
) -> Result<CheckAnswer, Vec<Diagnostic>> {
    let mut answer = CheckAnswer::new(verdict);
    watch(CheckEvent::Found(CheckPart::Verdict, &answer));
    let mut share = Share::new(options, game.as_ref());
    // The order of variables that was good for the verdict is good for other questions about the
    // same constraints.
    let mut game = game.filter(|_| loaded.semantics == Semantics::Strict);
    if options.wants(CheckPart::Satisfiable) {
        watch(CheckEvent::Doing("asking whether each side can be kept"));
        answer.satisfiable = satisfiable_gr1(&loaded.spec, &mut game, &mut share);
        watch(CheckEvent::Found(CheckPart::Satisfiable, &answer));
    }
    if options.wants(CheckPart::Separation) {
        watch(CheckEvent::Doing(
            "asking whether assumptions can be made to fail",
        ));
        answer.separation = separation(&loaded.separable(), &mut share).ok();
        watch(CheckEvent::Found(CheckPart::Separation, &answer));
    }
    if options.wants(CheckPart::Unhelpful) {
        watch(CheckEvent::Doing("asking which assumptions matter"));
        let constraints = loaded.spec.constraints.iter();
        let assumptions = constraints.filter(|one| one.side == Side::Assumption);
        if share.is_enough_for(assumptions.count()) {
            answer.unhelpful = unhelpful(loaded, &mut game, &mut share).ok();
        }
        watch(CheckEvent::Found(CheckPart::Unhelpful, &answer));
    }
    Ok(answer)
}

/// A question about one assumption takes about this part of the verdict's work, or more.
const QUESTIONS_AS_DEAR: u64 = 4;

/// What the questions after the verdict may cost together.
struct Share<'a> {
    limits: &'a bdd::Limits,
    /// The work that the verdict took.
    verdict: u64,
    /// Work of managers that is left; `None` for as much as the limits give.
    left: Option<u64>,
}

impl<'a> Share<'a> {
    /// As much as the verdict took in this game, unless parts are asked for by name.
    fn new(options: &'a CheckOptions, game: Option<&Gr1Game>) -> Share<'a> {
        let done = game.map_or(0, |game| game.encoding().manager().statistics().work);
        Share {
            limits: &options.limits,
            verdict: done,
            left: options.only.is_empty().then_some(done.max(EXTRA_WORK)),
        }
    }

    /// For a new manager.
    fn limits(&self) -> bdd::Limits {
        bdd::Limits {
            work: self.left,
            ..self.limits.clone()
        }
    }

    /// Answers a question in a game, within what is left.
    fn ask<T>(&mut self, game: &mut Gr1Game, question: impl FnOnce(&Gr1Game) -> T) -> T {
        let work = |game: &Gr1Game| game.encoding().manager().statistics().work;
        let before = work(game);
        game.set_limits(bdd::Limits {
            work: self.left.map(|left| before.saturating_add(left)),
            ..self.limits.clone()
        });
        let answer = question(game);
        self.spend(work(game) - before);
        answer
    }

    /// Whether so many questions like that for the verdict may be answered with what is left.
    /// If not, none is asked: some answers of many say nothing.
    fn is_enough_for(&self, questions: usize) -> bool {
        let expected = self.verdict / QUESTIONS_AS_DEAR * questions as u64;
        self.left.is_none_or(|left| expected <= left)
    }

    fn spend(&mut self, work: u64) {
        self.left = self.left.map(|left| left.saturating_sub(work));
    }
}

/// The verdict, or the limit that was reached and what the solver says if it got that far.
pub(super) fn decide_gr1(spec: &Gr1, limits: &bdd::Limits) -> Result<Verdict, Vec<Diagnostic>> {
    Ok(solve_gr1(spec, limits)?.0)
}

/// The same with the game, if its constraints could be encoded.
fn solve_gr1(
    spec: &Gr1,
    limits: &bdd::Limits,
) -> Result<(Verdict, Option<Gr1Game>), Vec<Diagnostic>> {
    let game = match Gr1Game::new(spec, limits.clone()) {
        Ok(game) => game,
        Err(error) => return Ok((Verdict::Limit(error, None), None)),
    };
    let mut known = None;
    let decided = (|| {
        let rules = game.rules_of_plays(&Selection::everything(spec))?;
        let solution = rules.solve()?;
        known = Some(solution.realizable);
        certified(&game, &rules, &solution)
    })();
    match decided {
        Ok(Ok(verdict)) => Ok((Verdict::Certified(verdict), Some(game))),
        Ok(Err(Flaw(flaw))) => Err(vec![not_confirmed(&flaw)]),
        Err(error) => Ok((Verdict::Limit(error, known), Some(game))),
    }
}

/// A verdict that the solver gives and the checker does not is an error of the program.
fn not_confirmed(flaw: &str) -> Diagnostic {
    let message = format!("a verdict was not confirmed: {flaw}");
    Diagnostic::error(frame::INTERNAL_ERROR, message)
}

/// The game of a specification: the one that there is, or a new one.
fn game_of<'g>(
    spec: &Gr1,
    game: &'g mut Option<Gr1Game>,
    share: &mut Share<'_>,
) -> bdd::Result<&'g mut Gr1Game> {
    match game {
        Some(game) => Ok(game),
        None => Ok(game.insert(new_game(spec, share)?)),
    }
}

fn new_game(spec: &Gr1, share: &mut Share<'_>) -> bdd::Result<Gr1Game> {
    let game = Gr1Game::new(spec, share.limits())?;
    share.spend(game.encoding().manager().statistics().work);
    Ok(game)
}

fn satisfiable_gr1(spec: &Gr1, game: &mut Option<Gr1Game>, share: &mut Share<'_>) -> Satisfiable {
    let Ok(game) = game_of(spec, game, share) else {
        return Satisfiable::default();
    };
    let mut ask = |selection: Selection| share.ask(game, |game| can_be_kept(game, &selection).ok());
    let both = ask(Selection::everything(spec));
    if both == Some(true) {
        return Satisfiable {
            assumptions: both,
            guarantees: both,
            both,
        };
    }
    Satisfiable {
        assumptions: ask(Selection::side(spec, Side::Assumption)),
        guarantees: ask(Selection::side(spec, Side::Guarantee)),
        both,
    }
}

/// Whether some play keeps the selected constraints. A play that is found is judged by its values
/// alone; that there is none follows from all states.
fn can_be_kept(game: &Gr1Game, selection: &Selection) -> bdd::Result<bool> {
    if let Some(play) = game.short_play(selection)? {
        let lasso = Lasso {
            steps: &play.steps,
            loop_start: play.loop_start,
        };
        if keeps(game.spec(), lasso, &|id| selection.has(id)) {
            return Ok(true);
        }
    }
    game.is_satisfiable(selection)
}

/// Assumptions without any one of which the verdict is the same.
fn unhelpful(
    loaded: &LoadedGr1,
    game: &mut Option<Gr1Game>,
    share: &mut Share<'_>,
) -> bdd::Result<Vec<String>> {
    let game = game_of(&loaded.spec, game, share)?;
    share.ask(game, |game| {
        let mut oracle = Oracle::new(game, loaded.semantics);
        let found = helpful::unhelpful_assumptions(&mut oracle)?;
        let elements = oracle.elements_of(&found).into_iter();
        Ok(elements
            .filter_map(|element| match element {
                Element::Lack(id) => Some(loaded.spec.constraint(id).name.clone()),
                _ => None,
            })
            .collect())
    })
}

/// Whether the system can make assumptions fail.
fn separation(spec: &Gr1, share: &mut Share<'_>) -> bdd::Result<WellSeparation> {
    let mut cases = |scope: Scope| -> bdd::Result<Vec<Case>> {
        let mut game = new_game(&relevant_part(spec, scope), share)?;
        share.ask(&mut game, |game| Separation::new(game)?.cases())
    };
    let found = cases(Scope::Environment)?;
    let is_prevented = !found.is_empty() && cases(Scope::Guarantees)?.is_empty();
    Ok(WellSeparation {
        cases: found,
        asked: Asked::FromStates { is_prevented },
    })
}

fn check_ltl(
    loaded: &LoadedLtl,
    options: &CheckOptions,
    watch: &mut dyn FnMut(CheckEvent<'_>),
) -> Result<CheckAnswer, Vec<Diagnostic>> {
    let start = Instant::now();
    let limits = &options.limits;
    let (verdict, _) = decide_ltl(&loaded.spec, limits, &mut |doing| {
        watch(CheckEvent::Doing(doing));
    })?;
    let mut answer = CheckAnswer::new(verdict);
    watch(CheckEvent::Found(CheckPart::Verdict, &answer));
    let share = if options.only.is_empty() {
        extra(limits, start)
    } else {
        limits.clone()
    };
    if options.wants(CheckPart::Satisfiable) {
        watch(CheckEvent::Doing("asking whether each side can be kept"));
        answer.satisfiable = satisfiable_ltl(&loaded.spec, &share);
        watch(CheckEvent::Found(CheckPart::Satisfiable, &answer));
    }
    if options.wants(CheckPart::Separation) {
        watch(CheckEvent::Doing(
            "asking whether assumptions can be made to fail",
        ));
        answer.separation = ltl::well_separation(&loaded.spec, &share).ok();
        watch(CheckEvent::Found(CheckPart::Separation, &answer));
    }
    if options.wants(CheckPart::Unhelpful) {
        watch(CheckEvent::Doing("asking which assumptions matter"));
        let mut oracle = ltl::Oracle::new(&loaded.spec, share);
        // An assumption that nothing is known of is not one that is needed.
        let found = oracle.unhelpful().ok();
        let found = found.filter(|found| found.open.is_empty());
        answer.unhelpful = found.map(|found| {
            let parts = found.parts.into_iter();
            let parts = parts.map(|index| oracle.spec.parts[index].name.clone());
            parts.collect()
        });
        watch(CheckEvent::Found(CheckPart::Unhelpful, &answer));
    }
    Ok(answer)
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
        let parts = spec.parts.iter().enumerate();
        let parts = parts.filter(|(_, part)| wanted(part.section));
        let parts: Vec<usize> = parts.map(|(index, _)| index).collect();
        let alone = together(&spec.with_parts(&parts));
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
