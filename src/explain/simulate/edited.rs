//! What a specification says of an edited trace: whether it allows it, and whether the trace keeps
//! the assumptions at all.
//!
//! A trace that breaks an assumption is allowed by any specification from there on, which says
//! nothing of the outputs. The first step that does so is found by following the states that the
//! trace may be in, as far as the assumptions alone and the variables that follow them leave any;
//! values that are open may be any.

use super::{Template, TemplateStep, unconfirmed};
use crate::bdd::{Bdd, Limits, Result as Checked};
use crate::certify::{Certified, Realizability, Realizable, Unrealizable};
use crate::explain::{Element, Minimizer, Oracle, core, minimize};
use crate::game::gr1::Gr1Game;
use crate::load::LoadedGr1;
use crate::source::Diagnostic;
use crate::spec::Semantics;
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side};
use crate::synth::{self, Unknown};

/// The first step of a trace that breaks assumptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    pub step: usize,
    /// The assumptions that no values of what is open keep there; none could be left out.
    pub assumptions: Vec<String>,
}

/// What a specification says of an edited trace.
pub enum Edited {
    /// It allows the trace, and does not ask for it; from some step on it asks for nothing if
    /// the trace breaks an assumption there.
    Allowed(Certified<Realizable>, Option<Breach>),
    /// It does not allow the trace; these guarantees conflict with it.
    Conflicts(Certified<Unrealizable>, Vec<String>),
    Unknown(Unknown),
}

/// Whether a specification allows what an edited trace asks for.
pub fn judge_edited(
    loaded: &LoadedGr1,
    text: &str,
    limits: &Limits,
) -> Result<Edited, Vec<Diagnostic>> {
    let spec = loaded.strict();
    let template = Template::parse(&spec, text).map_err(|error| vec![error])?;
    let (asked, _) = template.guarantee(&spec);
    let judged = || -> Result<Result<Edited, Vec<Diagnostic>>, Unknown> {
        let verdict = match synth::gr1::solve(&asked, limits.clone())? {
            Ok(Realizability::Realizable(verdict)) => {
                let breach = breach(&spec, &template, limits)?;
                return Ok(Ok(Edited::Allowed(verdict, breach)));
            }
            Ok(Realizability::Unrealizable(verdict)) => verdict,
            Err(flaw) => return Ok(Err(unconfirmed(&flaw.0))),
        };
        let game = Gr1Game::new(&asked, limits.clone())?;
        let mut oracle = Oracle::new(&game, Semantics::Strict);
        let Some(core) = core(&mut oracle, Minimizer::DeltaDebugging, true)? else {
            return Err(Unknown::because("no guarantees conflict with the trace"));
        };
        let names = oracle.elements_of(&core).into_iter();
        let names = names.filter_map(|element| match element {
            Element::Guarantee(id) => Some(asked.constraint(id).name.clone()),
            Element::Output(_) | Element::Lack(_) => None,
        });
        Ok(Ok(Edited::Conflicts(verdict, names.collect())))
    };
    match judged() {
        Ok(edited) => edited,
        Err(unknown) => Ok(Edited::Unknown(unknown)),
    }
}

/// Where the trace breaks assumptions first; `None` if some values of what is open keep all.
fn breach(spec: &Gr1, template: &Template, limits: &Limits) -> Checked<Option<Breach>> {
    let game = Gr1Game::new(spec, limits.clone())?;
    let mut before: Option<Bdd> = None;
    let again = template.loop_start.map(|start| &template.steps[start]);
    for (number, step) in template.steps.iter().chain(again).enumerate() {
        let mut base = values(&game, step, before.is_some())?;
        if let Some(before) = &before {
            base = base.and(before)?;
        }
        let mut assumptions = Vec::new();
        for (id, function) in clauses(&game, before.is_none())? {
            match spec.constraint(id).side {
                Side::Assumption => assumptions.push((id, function)),
                Side::Guarantee => base = base.and(&function)?,
            }
        }
        let left = |items: &[usize]| -> Checked<Bdd> {
            let mut left = base.clone();
            for item in items {
                left = left.and(&assumptions[*item].1)?;
            }
            Ok(left)
        };
        let all: Vec<usize> = (0..assumptions.len()).collect();
        let states = left(&all)?;
        if states.is_zero() {
            let mut is_broken = |items: &[usize]| Ok(left(items)?.is_zero());
            let broken = minimize(Minimizer::QuickXplain, &all, &mut is_broken)?.into_iter();
            let names = broken.map(|item| spec.constraint(assumptions[item].0).name.clone());
            return Ok(Some(Breach {
                step: number,
                assumptions: names.collect(),
            }));
        }
        before = Some(match before {
            None => states,
            Some(_) => after(&game, &states)?,
        });
    }
    Ok(None)
}

/// The values that a step gives, and that variables can have.
fn values(game: &Gr1Game, step: &TemplateStep, primed: bool) -> Checked<Bdd> {
    let (spec, encoding) = (game.spec(), game.encoding());
    let mut values = encoding.manager().one();
    for id in spec.variable_ids() {
        values = values.and(&encoding.domain(spec, id, primed)?)?;
    }
    for (id, value) in step.inputs.iter().chain(&step.outputs) {
        let domain = spec.variable(*id).domain.values();
        if let Some(code) = domain.iter().position(|other| other == value) {
            values = values.and(&encoding.has_code(*id, primed, code as u64)?)?;
        }
    }
    Ok(values)
}

/// What assumptions and auxiliary variables ask of the first step, or of a later one with the step
/// before it.
fn clauses(game: &Gr1Game, is_first: bool) -> Checked<Vec<(ConstraintId, Bdd)>> {
    let spec = game.spec();
    let mut clauses = Vec::new();
    for id in spec.constraint_ids() {
        let constraint = spec.constraint(id);
        let follows = constraint.definition.is_some() && !constraint.is_candidate;
        if constraint.side == Side::Guarantee && !follows {
            continue;
        }
        let is_step = spec.terms.has_primed(constraint.term);
        let function = game.function(id);
        match (constraint.kind, is_step, is_first) {
            (Kind::Initial, _, true) | (Kind::Safety, true, false) => {
                clauses.push((id, function.clone()));
            }
            (Kind::Safety, false, true) => clauses.push((id, function.clone())),
            (Kind::Safety, false, false) => {
                clauses.push((id, game.encoding().to_next(function)?));
            }
            _ => {}
        }
    }
    Ok(clauses)
}

/// The states in which steps end.
fn after(game: &Gr1Game, steps: &Bdd) -> Checked<Bdd> {
    let encoding = game.encoding();
    let mut states = steps.clone();
    for player in [Player::Environment, Player::System] {
        states = states.exists(&encoding.now_set(&encoding.bits_of(player))?)?;
    }
    encoding.to_now(&states)
}
