//! Where a formula stands in the safety-progress hierarchy [manna-pnueli90], judged by its
//! syntax alone with the grammars of [chang-manna-pnueli92] as [spot-tl] states them.
//!
//! A formula about the past has finitely many steps to look at, so it is both safe and
//! co-safe, and a past operator over a formula of some class stays in it: every class is
//! closed under finite conjunction and disjunction. The judgement is sound and not complete:
//! a formula may be equivalent to one of a lower class.

use super::formula::{Formula, FormulaId, Formulas};
use super::normal_form::negation_normal_form;
use crate::expr::{TemporalBinary, TemporalUnary};
use TemporalBinary::{Release, Since, StrongRelease, Trigger, Until, WeakUntil};
use TemporalUnary::{Finally, Globally, Historically, Next, Once, WeakYesterday, Yesterday};
use std::collections::HashMap;
use std::fmt;

/// The lowest class that the syntax shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// A violation shows in finitely many steps.
    Safety,
    /// Satisfaction shows in finitely many steps.
    CoSafety,
    /// A Boolean combination of safety and co-safety.
    Obligation,
    /// Something good happens again and again: a deterministic Büchi automaton exists.
    Recurrence,
    /// From some time on nothing bad happens: the negation is a recurrence.
    Persistence,
    /// Anything else.
    Reactivity,
}

impl fmt::Display for Class {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        output.write_str(match self {
            Class::Safety => "safety",
            Class::CoSafety => "co-safety",
            Class::Obligation => "obligation",
            Class::Recurrence => "recurrence",
            Class::Persistence => "persistence",
            Class::Reactivity => "reactivity",
        })
    }
}

/// Every class a formula is seen to belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    pub safety: bool,
    pub cosafety: bool,
    pub obligation: bool,
    pub recurrence: bool,
    pub persistence: bool,
}

const LOCAL: Classes = Classes {
    safety: true,
    cosafety: true,
    obligation: true,
    recurrence: true,
    persistence: true,
};

impl Classes {
    pub fn lowest(self) -> Class {
        if self.safety {
            Class::Safety
        } else if self.cosafety {
            Class::CoSafety
        } else if self.obligation {
            Class::Obligation
        } else if self.recurrence {
            Class::Recurrence
        } else if self.persistence {
            Class::Persistence
        } else {
            Class::Reactivity
        }
    }

    fn both(self, other: Classes) -> Classes {
        Classes {
            safety: self.safety && other.safety,
            cosafety: self.cosafety && other.cosafety,
            obligation: self.obligation && other.obligation,
            recurrence: self.recurrence && other.recurrence,
            persistence: self.persistence && other.persistence,
        }
    }

    /// Adds the classes that the others imply.
    fn closed(self) -> Classes {
        let obligation = self.obligation || self.safety || self.cosafety;
        Classes {
            obligation,
            recurrence: self.recurrence || obligation,
            persistence: self.persistence || obligation,
            ..self
        }
    }
}

/// The lowest class that the syntax of the negation normal form shows.
pub fn classify(formulas: &mut Formulas, root: FormulaId) -> Class {
    classes(formulas, root).lowest()
}

/// Every class that the syntax of the negation normal form shows.
pub fn classes(formulas: &mut Formulas, root: FormulaId) -> Classes {
    let root = negation_normal_form(formulas, root);
    let mut found: HashMap<FormulaId, Classes> = HashMap::new();
    for id in formulas.subformulas(root) {
        let classes = match formulas.get(id) {
            Formula::True | Formula::False | Formula::Atom(_) | Formula::Not(_) => LOCAL,
            Formula::And(operands) | Formula::Or(operands) => operands
                .iter()
                .fold(LOCAL, |classes, operand| classes.both(found[operand])),
            Formula::Unary(operator, operand) => unary(*operator, found[operand]),
            Formula::Binary(operator, left, right) => binary(*operator, found[left], found[right]),
        };
        found.insert(id, classes.closed());
    }
    found[&root]
}

fn unary(operator: TemporalUnary, operand: Classes) -> Classes {
    match operator {
        Next | Yesterday | WeakYesterday | Once | Historically => operand,
        Finally => Classes {
            safety: false,
            cosafety: operand.cosafety,
            obligation: operand.cosafety,
            recurrence: operand.cosafety,
            persistence: operand.persistence,
        },
        Globally => Classes {
            safety: operand.safety,
            cosafety: false,
            obligation: operand.safety,
            recurrence: operand.recurrence,
            persistence: operand.safety,
        },
    }
}

fn binary(operator: TemporalBinary, left: Classes, right: Classes) -> Classes {
    match operator {
        Since | Trigger => left.both(right),
        Until => Classes {
            safety: false,
            cosafety: left.cosafety && right.cosafety,
            obligation: left.obligation && right.cosafety,
            recurrence: left.recurrence && right.cosafety,
            persistence: left.persistence && right.persistence,
        },
        StrongRelease => Classes {
            safety: false,
            cosafety: left.cosafety && right.cosafety,
            obligation: left.cosafety && right.obligation,
            recurrence: left.cosafety && right.recurrence,
            persistence: left.persistence && right.persistence,
        },
        WeakUntil => Classes {
            safety: left.safety && right.safety,
            cosafety: false,
            obligation: left.safety && right.obligation,
            recurrence: left.recurrence && right.recurrence,
            persistence: left.safety && right.persistence,
        },
        Release => Classes {
            safety: left.safety && right.safety,
            cosafety: false,
            obligation: left.obligation && right.safety,
            recurrence: left.recurrence && right.recurrence,
            persistence: left.persistence && right.safety,
        },
    }
}
