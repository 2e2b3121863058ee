//! The arena of a repair game, with what it takes to win there.

use crate::bdd;
use crate::design::Design;
use crate::game::emerson_lei::of_design::EmersonLeiArena;
use crate::game::{Arena, Game, ObjectiveError};
use crate::spec::Spec;

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
    pub fn arena(self, design: Design, spec: &Spec) -> Result<RepairArena, ObjectiveError> {
        match self {
            Automaton::Nondeterministic => {
                Arena::nondeterministic(design, spec).map(RepairArena::Gr1)
            }
            Automaton::Deterministic => match Arena::new(design.clone(), spec) {
                Err(ObjectiveError::NotSupported { .. }) => {
                    EmersonLeiArena::new(design, spec).map(RepairArena::EmersonLei)
                }
                arena => arena.map(RepairArena::Gr1),
            },
        }
    }
}

/// An arena with what it takes to win there.
pub enum RepairArena {
    Gr1(Arena),
    /// Properties that are beyond GR(1) together.
    EmersonLei(EmersonLeiArena),
}

impl RepairArena {
    pub fn arena(&self) -> &Arena {
        match self {
            RepairArena::Gr1(arena) => arena,
            RepairArena::EmersonLei(general) => &general.arena,
        }
    }

    /// The rigid choices with which the system wins.
    pub fn good_choices(&self, game: &mut Game) -> Result<bdd::Bdd, bdd::Error> {
        match self {
            RepairArena::Gr1(_) => Ok(game.solve_from_either_end()?.good_choices),
            RepairArena::EmersonLei(general) => general.good_choices(game),
        }
    }
}
