//! `respin check`: asks whether any system can satisfy a specification.
//!
//! The verdict rests on a certificate that other code than the solver's has checked. Whether
//! each side can be kept at all is asked afterwards, with the time that is left.

use crate::bdd;
use crate::cli::clock::Clock;
use crate::cli::commands::ltl;
use crate::cli::context::{Context, Failure};
use crate::cli::request::SpecRequest;
use crate::cli::specification::read_spec;
use crate::explain::separation::{Scope, Separation, relevant_part};
use crate::explain::{Element, Oracle, helpful};
use crate::game::gr1::{Gr1Game, Selection};
use crate::load::{AnySpec, LoadedGr1};
use crate::report::specification::Satisfiable;
use crate::report::{Body, Ending, Report, Verdict};
use crate::source::{Diagnostic, codes::frame};
use crate::spec::gr1::{Gr1, Side};
use crate::synth::gr1::{Certified, certify};
use std::time::{Duration, Instant};

pub fn check(request: &SpecRequest, context: &mut Context) -> Result<Report, Failure> {
    let clock = Clock::start();
    let mut report = match read_spec(&request.spec, context)? {
        AnySpec::Gr1(read) => check_gr1(&read, context)?,
        AnySpec::Ltl(read) => ltl::check(&read, context)?,
    };
    if let Body::Check(summary) = &mut report.body {
        summary.seconds = clock.seconds();
    }
    Ok(report)
}

/// What is asked last may take as long as all before it, but at least this.
const EXTRA: Duration = Duration::from_secs(2);

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

fn check_gr1(read: &LoadedGr1, context: &mut Context) -> Result<Report, Failure> {
    let start = Instant::now();
    context.limits.check()?;
    let limits = context.limits.for_diagrams();
    context.progress.log(|| "solving the game".to_string());
    context.progress.status(|| "solving the game".to_string());
    let mut report = match decide(&read.strict(), &limits) {
        Ok(answer) => judge(answer)?,
        Err((error, known)) => unknown(error, known),
    };
    context
        .progress
        .status(|| "asking whether each side can be kept".to_string());
    let mut summary = read.summary();
    summary.satisfiable = satisfiable(read, &limits);
    explain_vacuity(&mut report, summary.satisfiable);
    summary.separation = separation(&read.spec, &limits).ok();
    context
        .progress
        .status(|| "asking which assumptions matter".to_string());
    summary.unhelpful = unhelpful(read, &extra(&limits, start)).ok();
    Ok(report.with(Body::Check(summary)))
}

/// The verdict, or the limit that was reached and what the solver says if it got that far.
fn decide(spec: &Gr1, limits: &bdd::Limits) -> Result<Certified, (bdd::Error, Option<bool>)> {
    let early = |error| (error, None);
    let game = Gr1Game::new(spec, limits.clone()).map_err(early)?;
    let rules = game.rules_of_plays(&Selection::everything(spec));
    let rules = rules.map_err(early)?;
    let solution = rules.solve().map_err(early)?;
    let known = Some(solution.realizable);
    certify(&game, &rules, &solution).map_err(|error| (error, known))
}

fn judge(answer: Certified) -> Result<Report, Failure> {
    if let Some(flaw) = answer.flaw {
        let message = format!("a verdict was not confirmed: {}", flaw.0);
        return Err(Diagnostic::error(frame::INTERNAL_ERROR, message).into());
    }
    Ok(if answer.realizable {
        Report::verdict(Verdict::Realizable)
            .because("a system can satisfy the specification; its strategy was certified")
    } else {
        Report::verdict(Verdict::Unrealizable)
            .because("no system can satisfy the specification; the counterstrategy was certified")
    })
}

pub(super) fn unknown(error: bdd::Error, known: Option<bool>) -> Report {
    let reason = match known {
        None => error.to_string(),
        Some(realizable) => {
            let word = if realizable {
                "REALIZABLE"
            } else {
                "UNREALIZABLE"
            };
            format!("the solver says {word}, but that was not certified: {error}")
        }
    };
    let mut report = Report::verdict(Verdict::Unknown).because(reason);
    if error == bdd::Error::Interrupted {
        report.ending = Ending::Interrupted;
    }
    report
}

fn satisfiable(read: &LoadedGr1, limits: &bdd::Limits) -> Satisfiable {
    let spec = &read.spec;
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
fn unhelpful(read: &LoadedGr1, limits: &bdd::Limits) -> bdd::Result<Vec<String>> {
    let game = Gr1Game::new(&read.spec, limits.clone())?;
    let mut oracle = Oracle::new(&game, read.semantics);
    let found = helpful::unhelpful_assumptions(&mut oracle)?;
    let elements = oracle.elements_of(&found).into_iter();
    Ok(elements
        .filter_map(|element| match element {
            Element::Lack(id) => Some(read.spec.constraint(id).name.clone()),
            _ => None,
        })
        .collect())
}

/// Whether the system can make assumptions fail, in a few words.
fn separation(spec: &Gr1, limits: &bdd::Limits) -> bdd::Result<String> {
    let alone = relevant_part(spec, Scope::Environment);
    let game = Gr1Game::new(&alone, limits.clone())?;
    let cases = Separation::new(&game)?.cases()?;
    if cases.is_empty() {
        return Ok("well-separated".to_string());
    }
    let guarded = relevant_part(spec, Scope::Guarantees);
    let game = Gr1Game::new(&guarded, limits.clone())?;
    let guarded = Separation::new(&game)?.cases()?;
    let cases: Vec<String> = cases.into_iter().map(|case| case.text()).collect();
    let mut text = format!("not well-separated: {}", cases.join(" and "));
    if guarded.is_empty() {
        text.push_str(", but with the guarantees");
    }
    Ok(text)
}

/// Says when the verdict rests on a side that contradicts itself.
pub(super) fn explain_vacuity(report: &mut Report, satisfiable: Satisfiable) {
    if satisfiable.assumptions == Some(false) {
        let note = "the assumptions contradict themselves: no play keeps them all for ever";
        report.notes.push(note.to_string());
    }
    if satisfiable.guarantees == Some(false) {
        let note = "the guarantees contradict themselves: no play keeps them all for ever";
        report.notes.push(note.to_string());
    }
    let each = satisfiable.assumptions == Some(true) && satisfiable.guarantees == Some(true);
    if each && satisfiable.both == Some(false) {
        let note = "no play keeps both sides, although each can be kept alone";
        report.notes.push(note.to_string());
    }
}
