//! Why a specification is as it is: conflicts and their resolutions, counterstrategies,
//! and whether a realizable specification is so by cheating.
//!
//! Enters: the game of a specification ([`Gr1Game`](crate::game::gr1::Gr1Game)). Leaves:
//! sets of constraints, and plays. Nothing here decides who wins: that is the solver's, and
//! [`Oracle`] asks it as seldom as possible.

mod activation;
mod additions;
mod alike;
pub mod answer;
mod approximate;
mod candidates;
pub mod certificate;
mod check;
mod confirm;
mod core;
mod counterstrategy;
mod countertrace;
mod diagnoses;
mod forced;
mod forcing;
mod frozen;
mod graph;
mod held;
pub mod helpful;
mod independent;
mod job;
mod known;
mod lasso;
pub mod ltl;
use crate::minimize;
mod narrate;
mod oracle;
pub mod play;
mod recording;
mod reduce;
pub mod separation;
pub mod settings;
pub mod simulate;
mod subset;
mod thin;
mod told;
mod weaken;

pub use crate::bdd::Error;
pub use crate::minimize::{Minimizer, minimize};
pub use crate::spec::Semantics;
pub use activation::all_explanations;
pub use approximate::{Approximation, approximate};
pub use check::check;
pub use core::core;
pub use counterstrategy::{Choice, Counterstrategy, Stage};
pub use countertrace::{Countertrace, countertrace};
pub use diagnoses::{Bounds, Diagnoses, Unfinished, diagnose, single_faults};
pub use forced::{Forced, ForcedLayer};
pub use forcing::{Ending, Forcing, forcing};
pub use graph::{Graph, Node, graph};
pub use held::{Held, hold};
pub use job::explain;
pub use narrate::{Narrator, Reason, Step, Story};
pub use oracle::{Element, Oracle, Statistics};
pub use recording::Recording;
pub use subset::Subset;
