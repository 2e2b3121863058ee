//! The implication of a GR(1) specification as a strict one.
//!
//! `(first assumptions & G assumptions & GF ...) -> (first guarantees & G guarantees & GF ...)`
//! makes no difference between who breaks what first. Two auxiliary variables remember
//! whether an assumption and whether a guarantee has been broken so far; they never become
//! false again, so "never broken" is the same as "not broken again and again", which is one
//! more justice constraint of either side. What is left of safety are definitions.

use super::{Domain, Gr1, Kind, Player, Side, TermId};

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

    /// The same with assumptions that an answer of the system can break, those about its first and
    /// next values, as recurring ones: that they have not been broken. Constraints keep their
    /// numbers. Under the implication the system wins by breaking one, and strict semantics has no
    /// other word for that.
    pub fn with_lasting_breaks(&self) -> Gr1 {
        let mut result = self.clone();
        for (index, constraint) in self.constraints.iter().enumerate() {
            let is_first = constraint.kind == Kind::Initial;
            let variables = self.terms.variables(constraint.term);
            let is_answered = variables.iter().any(|(variable, primed)| {
                self.variable(*variable).owner == Player::System && (is_first || *primed)
            });
            let is_candidate = constraint.side == Side::Assumption
                && constraint.definition.is_none()
                && constraint.kind != Kind::Justice;
            if !is_candidate || !is_answered {
                continue;
            }
            let description = format!("`{}` has been broken", constraint.name);
            let definition = result.add_definition(&description, None);
            let flag = result.add_auxiliary("broken", definition, Domain::Boolean, None);
            let (now, next) = (result.terms.now(flag), result.terms.next(flag));
            let broken = result.terms.not(constraint.term);
            let never = result.terms.boolean(false);
            let (first, later) = match is_first {
                true => (broken, never),
                false => (never, broken),
            };
            let start = result.terms.iff(now, first);
            let later = result.terms.or([now, later]);
            let step = result.terms.iff(next, later);
            result.define(definition, Kind::Initial, start, None);
            result.define(definition, Kind::Safety, step, None);
            result.constraints[index].kind = Kind::Justice;
            result.constraints[index].term = result.terms.not(now);
        }
        result
    }
}
