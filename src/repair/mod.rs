//! Where a design can be corrected, and by what \[JSGB11\].
//!
//! Enters: the components of a design and the properties that it violates. Leaves:
//! [`Repair`]s, each a replacement of components whose patched file a certifier accepted.
//!
//! 1. [`replay`]: suspects that no choice saves from a run that fails are no suspects.
//! 2. [`locate()`]: if many are left, one game over all of them, in which the system says once
//!    which it replaces, tells those that can be the fault.
//! 3. [`memoryless`]: for each of them, the values that the replacement may take, as a
//!    relation over the state of the design and its inputs alone; where this heuristic
//!    fails, all functions of a few near signals ([`template`]), then [`exhaustive`] search.
//!    [`finite_state`] adds registers, if that is allowed.
//! 4. [`extract`]: a small function within that relation, over few signals ([`support`],
//!    [`function`]).
//! 5. The patched file goes to the certifier, which is not part of this stage; what fails
//!    there is a bug and is never offered.

pub mod exhaustive;
mod explicit;
pub mod extract;
pub mod finite_state;
pub mod function;
mod lasso;
pub mod locate;
pub mod memoryless;
mod readable;
pub mod replay;
pub mod search;
pub mod source;
pub mod support;
pub mod template;

use crate::bdd;
use crate::design::aiger::AigerFile;
use crate::design::{ComponentId, Design, Netlist, NodeId};
use crate::game::emerson_lei::of_design::EmersonLeiArena;
use crate::game::{Arena, Game, ObjectiveError, Winner};
use crate::source::Diagnostic;
use crate::spec::Spec;
use locate::{Location, locate};
use search::{Candidate, Effort, Offer, corrections};
use std::fmt;

/// Up to this many locations are looked at one by one; among more, one game tells first
/// which of them can win.
const FEW_LOCATIONS: usize = 200;
/// More combinations of suspects are not replayed one by one.
const MOST_REPLAYED: usize = 4_000;

/// What to look for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The components that may be wrong.
    pub suspects: Vec<ComponentId>,
    /// How many of them at once.
    pub faults: usize,
    /// How many corrections to offer for one location.
    pub alternatives: usize,
    /// The only signals that a correction may read; `None` for all.
    pub depends_on: Option<Vec<NodeId>>,
    pub automaton: Automaton,
    /// Whether corrections may add registers, where no other was found.
    pub allow_state: bool,
    /// Runs that are known to fail, besides those that simulation finds.
    pub failing_runs: Vec<replay::Stimulus>,
    pub limits: bdd::Limits,
}

impl Options {
    /// One fault among these components, one correction for each location, no limits.
    pub fn new(suspects: Vec<ComponentId>) -> Options {
        Options {
            suspects,
            faults: 1,
            alternatives: 1,
            depends_on: None,
            automaton: Automaton::default(),
            allow_state: false,
            failing_runs: Vec::new(),
            limits: bdd::Limits::default(),
        }
    }
}

/// What judges a play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Automaton {
    /// A deterministic one: who loses, loses.
    #[default]
    Deterministic,
    /// One whose runs the system chooses: it takes every property, but who loses might
    /// still win [JSGB11, Sec. 5.1].
    Nondeterministic,
}

impl Automaton {
    fn field(self, design: Design, spec: &Spec) -> Result<Field, ObjectiveError> {
        match self {
            Automaton::Nondeterministic => {
                Arena::nondeterministic(design, spec).map(Field::Recurrences)
            }
            Automaton::Deterministic => match Arena::new(design.clone(), spec) {
                Err(ObjectiveError::NotSupported { .. }) => {
                    EmersonLeiArena::new(design, spec).map(Field::Any)
                }
                arena => arena.map(Field::Recurrences),
            },
        }
    }
}

/// An arena with what it takes to win there.
enum Field {
    Recurrences(Arena),
    /// Properties that are beyond GR(1) together.
    Any(EmersonLeiArena),
}

impl Field {
    fn arena(&self) -> &Arena {
        match self {
            Field::Recurrences(arena) => arena,
            Field::Any(general) => &general.arena,
        }
    }

    /// The rigid choices with which the system wins.
    fn good_choices(&self, game: &mut Game) -> Result<bdd::Bdd, bdd::Error> {
        match self {
            Field::Recurrences(_) => Ok(game.solve_from_either_end()?.good_choices),
            Field::Any(general) => general.good_choices(game),
        }
    }
}

/// What a certifier says of a patched file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    Proved,
    /// The properties hold, but because the design can keep the environment from meeting
    /// assumptions that it could meet before.
    Vacuous,
    Refuted,
    Unknown(bdd::Error),
}

/// Says of a patched file whether it satisfies the properties.
pub type Certifier<'a> = dyn FnMut(&AigerFile) -> Result<Certificate, RepairError> + 'a;

/// A certified correction.
#[derive(Clone, Debug)]
pub struct Repair {
    pub location: Location,
    /// Other locations that have a correction with the same effect.
    pub also: Vec<Location>,
    pub candidate: Candidate,
    pub file: AigerFile,
    /// Its place among the corrections of the same location, from 0.
    pub rank: usize,
    /// No repair in truth: see [`Certificate::Vacuous`].
    pub vacuous: bool,
}

/// What was found, as far as the limits allowed.
#[derive(Debug, Default)]
pub struct Answer {
    /// The cheapest first; vacuous ones last.
    pub repairs: Vec<Repair>,
    /// Locations that can win with memory, and for which it was shown that no function of
    /// the readable signals does.
    pub only_with_memory: Vec<Location>,
    /// Locations that can win with memory, and for which no function was found.
    pub undecided: Vec<Location>,
    /// Locations that have a correction for which the certifier ran out of time or memory.
    pub unproved: Vec<Location>,
    /// Locations that the environment defeats.
    pub ruled_out: Vec<Location>,
    /// Locations that were not looked at, or not to the end.
    pub open: Vec<Location>,
    /// The limit that ended the search.
    pub stopped: Option<bdd::Error>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum RepairError {
    Diagnostic(Box<Diagnostic>),
    /// A property that no game was built for.
    NotSupported {
        property: String,
        reason: String,
    },
    Limit(bdd::Error),
    /// The certifier refused a correction: a bug.
    NotCertified {
        candidate: Box<Candidate>,
    },
}

impl fmt::Display for RepairError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepairError::Diagnostic(diagnostic) => write!(formatter, "{diagnostic}"),
            RepairError::NotSupported { property, reason } => {
                write!(formatter, "no game for property `{property}`: {reason}")
            }
            RepairError::Limit(error) => write!(formatter, "{error}"),
            RepairError::NotCertified { .. } => {
                write!(formatter, "a correction does not satisfy the properties")
            }
        }
    }
}

impl std::error::Error for RepairError {}

impl From<Diagnostic> for RepairError {
    fn from(diagnostic: Diagnostic) -> RepairError {
        RepairError::Diagnostic(Box::new(diagnostic))
    }
}

impl From<bdd::Error> for RepairError {
    fn from(error: bdd::Error) -> RepairError {
        RepairError::Limit(error)
    }
}

impl From<ObjectiveError> for RepairError {
    fn from(error: ObjectiveError) -> RepairError {
        match error {
            ObjectiveError::Diagnostic(diagnostic) => RepairError::Diagnostic(diagnostic),
            ObjectiveError::NotSupported { property, reason } => {
                RepairError::NotSupported { property, reason }
            }
        }
    }
}

/// Looks for corrections with exactly `options.faults` components each. `certify` says
/// whether a patched file satisfies the properties.
pub fn repair(
    netlist: &Netlist,
    spec: &Spec,
    options: &Options,
    certify: &mut Certifier,
) -> Result<Answer, RepairError> {
    let mut answer = Answer {
        open: combinations(&options.suspects, options.faults),
        ..Answer::default()
    };
    let found = search(netlist, spec, options, certify, &mut answer);
    match found {
        Ok(()) => {}
        Err(RepairError::Limit(error)) => answer.stopped = Some(error),
        Err(error) => return Err(error),
    }
    answer
        .repairs
        .sort_by_key(|repair| (repair.vacuous, repair.candidate.cost));
    Ok(answer)
}

fn search(
    netlist: &Netlist,
    spec: &Spec,
    options: &Options,
    certify: &mut Certifier,
    answer: &mut Answer,
) -> Result<(), RepairError> {
    let is_exact = options.automaton == Automaton::Deterministic;
    if is_exact && answer.open.len() <= MOST_REPLAYED {
        let alive = match replayed(netlist, spec, options, &answer.open) {
            // Replaying knows GR(1) only.
            Err(RepairError::NotSupported { .. }) => vec![true; answer.open.len()],
            alive => alive?,
        };
        let mut alive = alive.into_iter();
        let (open, ruled_out) = std::mem::take(&mut answer.open)
            .into_iter()
            .partition(|_| alive.next() == Some(true));
        answer.open = open;
        answer.ruled_out = ruled_out;
    }
    if answer.open.len() > FEW_LOCATIONS {
        let mut suspects: Vec<ComponentId> = answer.open.iter().flatten().copied().collect();
        suspects.sort_unstable();
        suspects.dedup();
        let found = locate(netlist, spec, &suspects, options)?;
        let (open, lost): (Vec<_>, Vec<_>) = std::mem::take(&mut answer.open)
            .into_iter()
            .partition(|location| {
                let within = |winner: &Location| winner.iter().all(|id| location.contains(id));
                found.iter().any(within)
            });
        answer.open = open;
        if is_exact {
            answer.ruled_out.extend(lost);
        } else {
            answer.undecided.extend(lost);
        }
    }
    let mut effort = Effort {
        budget: exhaustive::SHORT,
        order: Vec::new(),
    };
    look_at_open(netlist, spec, options, &mut effort, certify, answer)?;
    if is_exact && answer.repairs.iter().all(|repair| repair.vacuous) {
        answer.open = std::mem::take(&mut answer.undecided);
        effort.budget = exhaustive::LONG;
        look_at_open(netlist, spec, options, &mut effort, certify, answer)?;
    }
    Ok(())
}

/// Which locations could have avoided all failing runs that are known.
fn replayed(
    netlist: &Netlist,
    spec: &Spec,
    options: &Options,
    locations: &[Location],
) -> Result<Vec<bool>, RepairError> {
    let mut runs = options.failing_runs.clone();
    runs.extend(replay::failing_runs(netlist, spec)?);
    replay::survivors(netlist, spec, locations, &runs)
}

/// Sorts each location that is open to where it belongs.
fn look_at_open(
    netlist: &Netlist,
    spec: &Spec,
    options: &Options,
    effort: &mut Effort,
    certify: &mut Certifier,
    answer: &mut Answer,
) -> Result<(), RepairError> {
    while let Some(location) = answer.open.first().cloned() {
        match corrections(netlist, spec, &location, options, effort)? {
            Offer::Candidates(candidates) => {
                for (rank, candidate) in candidates.into_iter().enumerate() {
                    offer(netlist, &location, rank, candidate, certify, answer)?;
                }
            }
            Offer::NeedsMemory => answer.only_with_memory.push(location),
            Offer::NotFound => answer.undecided.push(location),
            Offer::Lost => answer.ruled_out.push(location),
        }
        answer.open.remove(0);
    }
    Ok(())
}

fn offer(
    netlist: &Netlist,
    location: &Location,
    rank: usize,
    mut candidate: Candidate,
    certify: &mut Certifier,
    answer: &mut Answer,
) -> Result<(), RepairError> {
    let file = netlist.render_with(&candidate.replacements, candidate.registers.as_ref())?;
    // A component that is replaced by what it was is no part of the correction.
    for index in (0..candidate.replacements.len()).rev() {
        let mut fewer = candidate.replacements.clone();
        fewer.remove(index);
        let without = netlist.render_with(&fewer, candidate.registers.as_ref())?;
        if !fewer.is_empty() && without.design.is_same_circuit(&file.design) {
            candidate.replacements = fewer;
        }
    }
    let parts = candidate.replacements.iter();
    let location: &Location = &location
        .iter()
        .copied()
        .filter(|id| parts.clone().any(|part| part.component == *id))
        .collect();
    let is_alike = |known: &&mut Repair| known.file.design.is_same_circuit(&file.design);
    if let Some(known) = answer.repairs.iter_mut().find(is_alike) {
        if known.location != *location && !known.also.contains(location) {
            known.also.push(location.clone());
        }
        return Ok(());
    }
    let vacuous = match certify(&file)? {
        Certificate::Proved => false,
        Certificate::Vacuous => true,
        Certificate::Unknown(_) => {
            answer.unproved.push(location.clone());
            return Ok(());
        }
        Certificate::Refuted => {
            let candidate = Box::new(candidate);
            return Err(RepairError::NotCertified { candidate });
        }
    };
    answer.repairs.push(Repair {
        location: location.clone(),
        also: Vec::new(),
        candidate,
        file,
        rank,
        vacuous,
    });
    Ok(())
}

/// The game in which all suspects are replaced at once.
pub struct Widest {
    /// `None` if the properties are beyond GR(1) together.
    pub arena: Option<Arena>,
    pub game: Game,
    pub winner: Winner,
}

/// Whether the properties could be kept if all suspects were replaced at once.
pub fn with_all_replaced(
    netlist: &Netlist,
    spec: &Spec,
    options: &Options,
) -> Result<Widest, RepairError> {
    let elaboration = netlist.elaborate(&options.suspects)?;
    let field = options.automaton.field(elaboration.design, spec)?;
    let mut game = Game::new(field.arena(), options.limits.clone())?;
    let winner = match field.good_choices(&mut game)?.is_zero() {
        true => Winner::Environment,
        false => Winner::System,
    };
    let arena = match field {
        Field::Recurrences(arena) => Some(arena),
        Field::Any(_) => None,
    };
    Ok(Widest {
        arena,
        game,
        winner,
    })
}

/// All sets of so many suspects.
fn combinations(suspects: &[ComponentId], size: usize) -> Vec<Location> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in suspects.iter().enumerate() {
        for rest in combinations(&suspects[index + 1..], size - 1) {
            let mut location = vec![*first];
            location.extend(rest);
            all.push(location);
        }
    }
    all
}
