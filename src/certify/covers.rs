//! Which cover statements of a design can be reached.

use super::{Options, Problem, Semantics, Verdict};
use crate::bdd::Limits;
use crate::expr::Role;
use crate::source::Diagnostic;
use crate::subject::Subject;

/// Look-ups of the computed table that one cover statement may take.
const EFFORT: u64 = 2_000_000;

/// The names of cover statements that some run reaches. One for which that is not known within
/// the limits is not among them.
pub fn reachable(subject: &Subject, limits: &Limits) -> Result<Vec<String>, Vec<Diagnostic>> {
    if subject.covers.is_empty() {
        return Ok(Vec::new());
    }
    let mut spec = subject.spec.clone();
    spec.properties.retain(|one| one.role == Role::Assume);
    let first = spec.properties.len();
    spec.properties.extend(subject.covers.iter().cloned());
    let problem = Problem::new(&subject.design, &spec)?;
    let options = Options {
        limits: Limits {
            lookups: Some(EFFORT),
            ..limits.clone()
        },
        semantics: Semantics::Strict,
        ..Options::default()
    };
    let mut names = Vec::new();
    for (index, cover) in spec.properties.iter().enumerate().skip(first) {
        let verdict = problem
            .check(index, &options)
            .map_err(|error| vec![error])?;
        if let Verdict::Fails(_) = verdict {
            names.push(cover.name.clone());
        }
    }
    Ok(names)
}
