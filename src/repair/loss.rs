//! What is said when there is no repair: what that rests on, and whether the properties can be
//! kept at all.
//!
//! First without the design: a system that has its ports and nothing else. If even that one
//! loses, the properties contradict each other or ask for the impossible, and the smallest
//! set of them that does is named. Otherwise with the design, all suspects open at once.

use super::arena::RepairArena;
use super::work::Found;
use super::{Options, RepairError};
use crate::bdd;
use crate::certify::{
    Certified, Counterplay, NoRepair, Refutation, RefutationCheck, counterplay, no_repair,
    refutation_of,
};
use crate::design::reserved::RUNNING;
use crate::design::{ComponentId, Design, InputKind, Literal, NodeId, Reset, Word};
use crate::expr::Role;
use crate::game::{Arena, Game, Winner};
use crate::minimize::{Minimizer, minimize};
use crate::spec::Spec;
use crate::subject::Subject;
use crate::synth::{self, SynthError};
use std::collections::{HashMap, HashSet};

/// Look-ups of the computed table that checking a strategy of the environment may take: the
/// verdict stands without it.
const EFFORT: u64 = 50_000_000;

/// Why nothing helps.
pub struct Loss {
    /// Assertions that no circuit with the ports of the design keeps together; empty if there
    /// are none, or none were shown.
    pub core: Vec<String>,
    /// Replacing all suspects at once; not asked if there is a core.
    pub widest: Widest,
    /// How many suspects that was.
    pub suspects: usize,
}

/// What replacing all suspects at once would bring.
pub enum Widest {
    SystemWins,
    /// With a run, if one was found within the limits.
    EnvironmentWins(Option<Certified<Counterplay>>),
    /// Out of time or memory, or a property that games do not reach.
    Unknown,
}

/// Assertions that no circuit with these ports keeps together, and how the environment sees to
/// it.
struct Core {
    assertions: Vec<String>,
    refutation: Certified<Refutation>,
}

pub(super) fn explain(
    subject: &Subject,
    found: &Found,
    options: &Options,
) -> Result<(Certified<NoRepair>, Loss), RepairError> {
    let limits = bdd::Limits {
        lookups: Some(EFFORT),
        ..options.limits.clone()
    };
    let mut loss = Loss {
        core: Vec::new(),
        widest: Widest::Unknown,
        suspects: found.suspects.len(),
    };
    let strategy;
    if let Some(core) = unrealizable_core(subject, &limits)? {
        loss.core = core.assertions;
        strategy = Some(core.refutation);
    } else {
        (loss.widest, strategy) = with_all_replaced(subject, &found.suspects, options, &limits)?;
    }
    let components = subject.front_end().netlist().components();
    let names = found.suspects.iter();
    let answer = NoRepair {
        suspects: names
            .map(|id| components[id.0 as usize].name.clone())
            .collect(),
        faults: found
            .locations
            .iter()
            .map(|one| one.faults)
            .max()
            .unwrap_or(1),
    };
    let proof = match &strategy {
        Some(refutation) => no_repair::by_strategy(answer, refutation),
        None => {
            let games = found.locations.iter().map(|one| one.ruled_out.len()).sum();
            no_repair::by_exhaustion(answer, found.edits_tried, games)
        }
    };
    Ok((proof, loss))
}

/// The environment's strategy in a game that it wins, checked.
fn refuted(
    arena: &Arena,
    game: &Game,
    spec: &Spec,
    limits: &bdd::Limits,
) -> Result<(Option<Design>, RefutationCheck), RepairError> {
    let design = match synth::refutation(arena, game) {
        Ok(design) => design,
        Err(SynthError::Diagnostic(diagnostic)) => return Err((*diagnostic).into()),
        Err(_) => {
            let reason = "no strategy was made within the limits".to_string();
            return Ok((None, RefutationCheck::NotShown(reason)));
        }
    };
    let check = refutation_of(&arena.design, &design, spec, limits)?;
    Ok((Some(design), check))
}

/// Who wins if all suspects are replaced at once, and if it is the environment, how.
fn with_all_replaced(
    subject: &Subject,
    suspects: &[ComponentId],
    options: &Options,
    limits: &bdd::Limits,
) -> Result<(Widest, Option<Certified<Refutation>>), RepairError> {
    let (arena, mut game) = match opened(subject, suspects, options) {
        Ok(opened) => opened,
        Err(RepairError::Limit(_) | RepairError::NotSupported { .. }) => {
            return Ok((Widest::Unknown, None));
        }
        Err(error) => return Err(error),
    };
    match arena.good_choices(&mut game) {
        Ok(good) if good.is_zero() => {}
        Ok(_) => return Ok((Widest::SystemWins, None)),
        Err(_) => return Ok((Widest::Unknown, None)),
    }
    let RepairArena::Gr1(arena) = arena else {
        return Ok((Widest::EnvironmentWins(None), None));
    };
    let (design, check) = refuted(&arena, &game, &subject.spec, limits)?;
    let play = match &design {
        Some(design) => counterplay(design, &arena.design, &subject.spec, &options.limits)?,
        None => None,
    };
    let certified = match check {
        RefutationCheck::Certified(refutation) => Some(refutation),
        RefutationCheck::NotShown(_) | RefutationCheck::Unknown(_) => None,
    };
    Ok((Widest::EnvironmentWins(play), certified))
}

fn opened(
    subject: &Subject,
    suspects: &[ComponentId],
    options: &Options,
) -> Result<(RepairArena, Game), RepairError> {
    let elaboration = subject.front_end().netlist().elaborate(suspects)?;
    let arena = options.automaton.arena(elaboration.design, &subject.spec)?;
    let game = Game::new(arena.arena(), options.limits.clone())?;
    Ok((arena, game))
}

/// Assertions that no circuit with the ports of the design keeps together, with a strategy of
/// the environment that was checked. `None` if there are none, or if it was not shown: where a property speaks of the inside of the design, or a
/// game is out of reach.
fn unrealizable_core(subject: &Subject, limits: &bdd::Limits) -> Result<Option<Core>, RepairError> {
    let Some(ports) = ports(subject) else {
        return Ok(None);
    };
    let properties = &subject.spec.properties;
    let is_asserted = |index: &usize| properties[*index].role == Role::Assert;
    let asserted: Vec<usize> = (0..properties.len()).filter(is_asserted).collect();
    let with = |kept: &[usize]| {
        let mut spec = subject.spec.clone();
        let mut index = 0;
        spec.properties.retain(|one| {
            index += 1;
            one.role != Role::Assert || kept.contains(&(index - 1))
        });
        spec
    };
    let mut fails = |kept: &[usize]| -> Result<bool, ()> {
        let arena = Arena::new(ports.clone(), &with(kept)).map_err(|_| ())?;
        let mut game = Game::new(&arena, limits.clone()).map_err(|_| ())?;
        let solution = game.solve_from_either_end().map_err(|_| ())?;
        Ok(solution.winner() == Winner::Environment)
    };
    if fails(&asserted) != Ok(true) {
        return Ok(None);
    }
    let Ok(core) = minimize(Minimizer::Linear, &asserted, &mut fails) else {
        return Ok(None);
    };
    let spec = with(&core);
    let (Ok(arena), limits) = (Arena::new(ports, &spec), limits.clone()) else {
        return Ok(None);
    };
    let Ok(game) = Game::new(&arena, limits.clone()) else {
        return Ok(None);
    };
    match refuted(&arena, &game, &spec, &limits)? {
        (_, RefutationCheck::Certified(refutation)) => {
            let names = core.iter().map(|index| properties[*index].name.clone());
            Ok(Some(Core {
                assertions: names.collect(),
                refutation,
            }))
        }
        _ => Ok(None),
    }
}

/// The inputs of the design with outputs that the system sets as it likes. Only ports have names:
/// a property that speaks of something else has no meaning here. Neither has one that speaks of
/// an output which this design ties to an input, a constant or another output, since other
/// circuits need not.
fn ports(subject: &Subject) -> Option<Design> {
    let original = &subject.design;
    let mut design = Design::new();
    let mut map: HashMap<NodeId, Literal> = HashMap::new();
    map.insert(NodeId::CONSTANT, NodeId::CONSTANT.literal());
    let mut names: HashSet<String> = HashSet::new();
    for id in original.inputs() {
        let input = design.add_input(InputKind::Environment);
        let name = original.name(*id)?;
        design.set_name(input, name);
        names.insert(of_word(name));
        map.insert(*id, input.literal());
    }
    let mut tied: HashSet<String> = HashSet::new();
    for output in original.outputs() {
        let id = output.literal.node();
        let name = output.name.clone()?;
        if map.contains_key(&id) {
            tied.insert(of_word(&name));
            continue;
        }
        names.insert(of_word(&name));
        let choice = design.add_input(InputKind::Choice);
        design.set_name(choice, name);
        let literal = choice.literal();
        map.insert(id, literal.complement_if(output.literal.is_complemented()));
    }
    let image = |literal: &Literal| {
        let known = map.get(&literal.node())?;
        Some(known.complement_if(literal.is_complemented()))
    };
    let is_port = |name: &str| names.contains(name) && !tied.contains(name);
    for word in original.words().iter() {
        if word.name == RUNNING || !is_port(&of_word(&word.name)) {
            continue;
        }
        let bits: Option<Vec<Literal>> = word.bits.iter().map(image).collect();
        if let Some(bits) = bits {
            design.add_word(Word {
                bits,
                ..word.clone()
            });
        }
    }
    let reset_steps = subject.front_end().reading().reset_steps;
    if reset_steps > 0 {
        let mut running = Literal::TRUE;
        for _ in 0..reset_steps {
            let latch = design.add_latch(Reset::Zero);
            design.set_next(latch, running);
            running = latch.literal();
        }
        design.add_word(Word {
            name: RUNNING.to_string(),
            signed: false,
            left: 0,
            right: 0,
            bits: vec![running],
        });
    }
    Some(design)
}

/// The word that a bit belongs to.
fn of_word(name: &str) -> String {
    name.split('[').next().unwrap_or(name).to_string()
}
