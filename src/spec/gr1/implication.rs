//! The implication of a GR(1) specification as a strict one.
//!
//! `(first assumptions & G assumptions & GF ...) -> (first guarantees & G guarantees & GF ...)`
//! makes no difference between who breaks what first. Two auxiliary variables remember
//! whether an assumption and whether a guarantee has been broken so far; they never become
//! false again, so "never broken" is the same as "not broken again and again", which is one
//! more justice constraint of either side. What is left of safety are definitions.

use super::{Domain, Gr1, Kind, Side, TermId};

impl Gr1 {
    /// A specification whose strict meaning is the implication of this one.
    pub fn as_implication(&self) -> Gr1 {
        let mut result = self.clone();
        result
            .constraints
            .retain(|constraint| !constraint.is_candidate || constraint.kind == Kind::Justice);
        for (side, stem) in [
            (Side::Assumption, "assumption_broken"),
            (Side::Guarantee, "guarantee_broken"),
        ] {
            let terms = |kind: Kind| -> Vec<TermId> {
                self.of(side, kind)
                    .map(|id| self.constraint(id).term)
                    .collect()
            };
            let (first, steps) = (terms(Kind::Initial), terms(Kind::Safety));
            if first.is_empty() && steps.is_empty() {
                continue;
            }
            let first = result.terms.and(first);
            let steps = result.terms.and(steps);
            let description = match side {
                Side::Assumption => "an assumption has been broken",
                Side::Guarantee => "a guarantee has been broken",
            };
            let definition = result.add_definition(description, None);
            let flag = result.add_auxiliary(stem, definition, Domain::Boolean, None);
            let (now, next) = (result.terms.now(flag), result.terms.next(flag));
            let broken_first = result.terms.not(first);
            let broken_now = result.terms.not(steps);
            let start = result.terms.iff(now, broken_first);
            let broken = result.terms.or([now, broken_now]);
            let step = result.terms.iff(next, broken);
            result.define(definition, Kind::Initial, start, None);
            result.define(definition, Kind::Safety, step, None);
            let kept = result.terms.not(now);
            let name = Some(format!("not_{stem}"));
            result.add_constraint(name, side, Kind::Justice, kept, None);
        }
        result
    }
}
