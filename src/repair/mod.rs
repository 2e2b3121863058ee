//! Where a design can be corrected, and by what [JSGB11].
//!
//! Enters: a [`Subject`], a design with the properties that it violates. Leaves: a
//! [`RepairAnswer`] with corrections, each a patch that `certify` has read again and proved;
//! or why there is none.
//!
//! 1. The design is checked as it is. What fails gives the first runs ([`replay`] finds more
//!    by simulation), and a suspect that no choice saves from one of them is no suspect.
//! 2. [`edits`]: where the design is a text, small edits of it are tried, the cheapest first,
//!    and screened on all counterexamples so far ([`screen`]).
//! 3. [`games`]: where edits find nothing, or there is no text, games say what each location
//!    could compute instead. If many are left, one game over all of them tells which can be
//!    the fault ([`locate`]); for each, [`search`] looks for functions: [`memoryless`],
//!    [`template`], [`exhaustive`], [`finite_state`], [`extract`].
//! 4. The front end puts what was found into words, and `certify` judges the patched files.
//! 5. [`loss`]: if there is no repair, whether the properties can be kept at all.

mod answer;
mod antecedents;
pub mod arena;
pub mod behaviour;
mod by_reference;
mod conclude;
pub mod edits;
pub mod exhaustive;
mod explicit;
pub mod extract;
pub mod finite_state;
pub mod function;
pub mod games;
mod habits;
mod lasso;
pub mod locate;
pub mod loss;
pub mod memoryless;
mod netlist;
pub mod open;
pub mod places;
mod plain;
#[cfg(test)]
mod random_circuit;
mod readable;
mod reclocked;
pub mod recorded;
mod recorded_open;
mod recorded_reach;
mod recorded_screen;
pub mod replay;
mod respelling;
mod screen;
pub mod search;
pub mod share;
mod sketched;
mod solved;
pub mod support;
pub mod suspects;
pub mod template;
mod text;
mod unpatched;
mod waiting;
mod work;

pub use crate::design::Kind;
pub use answer::{Outcome, RankedCorrection, Reason, RepairAnswer, RepairError};
pub use arena::Automaton;
pub use behaviour::Effect;
pub use games::{GameOptions, LocationAnswer};
pub use loss::Loss;
pub use places::PlaceEvidence;
pub use recorded::{RecordedAnswer, RecordedOutcome, repair_recorded};
pub use share::{PartAnswer, Share};
pub use suspects::{Layout, SuspectFilter};

use crate::bdd;
use crate::subject::Subject;
use crate::synth::Event;
use crate::trace::Recording;
use unpatched::Unpatched;
use work::{Found, Work};

/// What to look for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which components may be wrong.
    pub suspects: SuspectFilter,
    /// At most so many of them at once; two if it is not said. One where only a share of the
    /// places is looked at.
    pub faults: Option<usize>,
    /// The places that are looked at; all if it is not said.
    pub share: Option<Share>,
    /// The only signals that a correction may read; empty for all.
    pub depends_on: Vec<String>,
    /// Corrections that are not wanted, by their numbers in the answer without this.
    pub rejected: Vec<u32>,
    /// Whether games look at every location, also if edits are corrections.
    pub every_location: bool,
    /// Whether corrections may add registers, where no other was found.
    pub allow_state: bool,
    /// Whether the antecedent of each assertion has to happen on some run afterwards. Without
    /// it this is asked only of a design all of whose assertions hold because none of their
    /// antecedents happens.
    pub cover_antecedents: bool,
    pub automaton: Automaton,
    /// Recorded runs that a correction has to fit as well.
    pub recordings: Vec<Recording>,
    pub limits: bdd::Limits,
}

/// Told what is being done: stages for a log, and how far they have come.
pub type Watch<'a> = dyn FnMut(Event<'_>) + 'a;

/// Tells of a new stage.
fn say(watch: &mut Watch, stage: &str) {
    watch(Event::Stage(stage));
}

/// Looks for corrections of a design. Of a source that another program has read only the text
/// is corrected; [`Subject::as_netlist`] gives the netlist behind it.
pub fn repair(
    subject: &Subject,
    options: &Options,
    watch: &mut Watch,
) -> Result<RepairAnswer, RepairError> {
    let unpatched = Unpatched::of(subject, options, watch)?;
    if let (Some(holds), true) = (&unpatched.holds, unpatched.covered.is_empty()) {
        let outcome = Outcome::NothingToRepair(holds.clone());
        return Ok(answer(unpatched, Found::default(), outcome, Vec::new()));
    }
    let work = Work {
        subject,
        options,
        unpatched: &unpatched,
        limits: options.limits.with_share_of_time(work::SEARCHING),
    };
    let mut found = if subject.front_end().is_source() {
        work.text(watch)?
    } else {
        work.netlist(watch)?
    };
    work.keep_wanted(&mut found)?;
    let (outcome, corrections) = work.conclude(&found)?;
    Ok(answer(unpatched, found, outcome, corrections))
}

/// All that is known at the end.
fn answer(
    unpatched: Unpatched,
    found: Found,
    outcome: Outcome,
    corrections: Vec<RankedCorrection>,
) -> RepairAnswer {
    RepairAnswer {
        corrections,
        before: unpatched.verdicts,
        assumptions: unpatched.assumptions,
        stopped: found.stopped(),
        places: match outcome {
            Outcome::Unknown(_) => found.places,
            _ => Vec::new(),
        },
        locations: found.locations,
        part: part(found.part, &outcome),
        closed_latches: unpatched.closed_latches,
        vacuities: unpatched.vacuities,
        covered: unpatched.covered,
        outcome,
    }
}

/// What a part of a repair was about. That no circuit keeps the properties is not about places.
fn part(part: Option<PartAnswer>, outcome: &Outcome) -> Option<PartAnswer> {
    let is_hopeless = matches!(outcome, Outcome::NoRepair { loss, .. } if !loss.core.is_empty());
    part.map(|part| PartAnswer {
        is_hopeless,
        ..part
    })
}
