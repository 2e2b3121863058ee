//! Binary decision diagrams with dynamic reordering.
//!
//! A [`Manager`] owns variables and nodes; a [`Bdd`] is a handle to one Boolean function
//! over them. Two handles of one manager are equal exactly when their functions are. A
//! handle keeps what it needs alive; it may be cloned and dropped at any time and in any
//! order, also after the manager. Operations that may need memory return a [`Result`]:
//! when a [limit](Limits) ends them, nothing is lost and the manager stays usable.
//!
//! The order of variables changes inside operations, when the diagrams grow, unless
//! [`Reordering::automatic`] is off; handles do not notice.
//!
//! ```
//! use respin::bdd::Manager;
//!
//! let manager = Manager::new();
//! let (x, y) = (manager.new_variable()?, manager.new_variable()?);
//! let (fx, fy) = (manager.literal(x)?, manager.literal(y)?);
//! let both = fx.and(&fy)?;
//! assert_eq!(both.exists(&manager.set(&[y])?)?, fx);
//! # Ok::<(), respin::bdd::Error>(())
//! ```
//!
//! Handles, limits and everything that only walks over diagrams are in this folder;
//! the nodes and the recursive operations are the `kernel`'s, or CUDD's with the
//! feature `cudd`.

mod cover;
mod function;
mod inspect;
#[cfg(not(feature = "cudd"))]
mod kernel;
#[cfg(feature = "cudd")]
#[path = "cudd.rs"]
mod kernel;
mod limits;
mod manager;
#[cfg(test)]
mod tests;
mod text;

pub use cover::{Cover, Cube};
pub use function::Bdd;
pub use kernel::Statistics;
pub use limits::{Error, Limits, Meter, Reordering, Result};
pub use manager::{Manager, Substitution, Variable, VariableSet};
pub use text::ParseError;
