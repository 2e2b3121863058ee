//! Sequences and properties of SystemVerilog (IEEE 1800-2017, clause 16) as trees.
//!
//! A front end reads them with bounds that are still expressions, `Sva<Expr>`, and hands on
//! a tree with known bounds, `Sva<u32>`, whose conditions are names of signals that it made
//! for them. `spec::sva` says what they mean in time.
//!
//! Sequences and properties share one type: `a and b` is either, and only what stands around
//! it tells which.

use super::Expr;
use crate::source::Span;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sva<N> {
    pub kind: SvaKind<N>,
    pub span: Option<Span>,
}

/// From `low` to `high`; without `high`, as often as one likes: `[2:$]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SvaRange<N> {
    pub low: N,
    pub high: Option<N>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// `[*n]`
    Consecutive,
    /// `[->n]`: up to the n-th time.
    Goto,
    /// `[=n]`: and not again until the end.
    Nonconsecutive,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SvaKind<N> {
    /// A condition in one step. In a source, also the use of a named property or sequence.
    Condition(Expr),
    /// `left ##[range] right`; without a left side counted from the start.
    Delay(Option<Box<Sva<N>>>, SvaRange<N>, Box<Sva<N>>),
    Repeat(Box<Sva<N>>, Repetition, SvaRange<N>),
    Throughout(Box<Sva<N>>, Box<Sva<N>>),
    Within(Box<Sva<N>>, Box<Sva<N>>),
    Intersect(Box<Sva<N>>, Box<Sva<N>>),
    FirstMatch(Box<Sva<N>>),
    Strong(Box<Sva<N>>),
    Weak(Box<Sva<N>>),
    Not(Box<Sva<N>>),
    And(Box<Sva<N>>, Box<Sva<N>>),
    Or(Box<Sva<N>>, Box<Sva<N>>),
    Implies(Box<Sva<N>>, Box<Sva<N>>),
    Iff(Box<Sva<N>>, Box<Sva<N>>),
    /// `|->`, or `|=>` if not overlapping.
    Implication {
        antecedent: Box<Sva<N>>,
        overlapping: bool,
        consequent: Box<Sva<N>>,
    },
    /// `#-#`, or `#=#` if not overlapping.
    FollowedBy {
        antecedent: Box<Sva<N>>,
        overlapping: bool,
        consequent: Box<Sva<N>>,
    },
    /// `left until right`; with `inclusive` the left side holds in the last step, too.
    Until {
        left: Box<Sva<N>>,
        right: Box<Sva<N>>,
        strong: bool,
        inclusive: bool,
    },
    /// Without a range: for ever.
    Always(Option<SvaRange<N>>, Box<Sva<N>>),
    /// Without a range: at some time.
    Eventually(Option<SvaRange<N>>, Box<Sva<N>>),
    /// After so many steps.
    Nexttime(N, Box<Sva<N>>),
    /// `accept_on (condition) ...`, or `reject_on`: an attempt during which the condition holds
    /// is given up, and counts as kept or as failed.
    Abort {
        accepts: bool,
        condition: Expr,
        property: Box<Sva<N>>,
    },
    If {
        condition: Expr,
        then: Box<Sva<N>>,
        otherwise: Option<Box<Sva<N>>>,
    },
}

impl<N> Sva<N> {
    pub fn condition(condition: Expr) -> Sva<N> {
        Sva {
            span: condition.span,
            kind: SvaKind::Condition(condition),
        }
    }

    /// The parts, in the order in which they are written.
    pub fn operands(&self) -> Vec<&Sva<N>> {
        match &self.kind {
            SvaKind::Condition(_) => Vec::new(),
            SvaKind::Delay(left, _, right) => {
                left.iter().chain([right]).map(|one| &**one).collect()
            }
            SvaKind::Repeat(one, ..)
            | SvaKind::FirstMatch(one)
            | SvaKind::Strong(one)
            | SvaKind::Weak(one)
            | SvaKind::Not(one)
            | SvaKind::Always(_, one)
            | SvaKind::Eventually(_, one)
            | SvaKind::Nexttime(_, one)
            | SvaKind::Abort { property: one, .. } => vec![one],
            SvaKind::Throughout(left, right)
            | SvaKind::Within(left, right)
            | SvaKind::Intersect(left, right)
            | SvaKind::And(left, right)
            | SvaKind::Or(left, right)
            | SvaKind::Implies(left, right)
            | SvaKind::Iff(left, right)
            | SvaKind::Implication {
                antecedent: left,
                consequent: right,
                ..
            }
            | SvaKind::FollowedBy {
                antecedent: left,
                consequent: right,
                ..
            }
            | SvaKind::Until { left, right, .. } => vec![left, right],
            SvaKind::If {
                then, otherwise, ..
            } => [then]
                .into_iter()
                .chain(otherwise)
                .map(|one| &**one)
                .collect(),
        }
    }

    /// Lets every condition be replaced, in the order in which they are written.
    pub fn replace_conditions(&mut self, replace: &mut impl FnMut(&Expr) -> Expr) {
        match &mut self.kind {
            SvaKind::Condition(condition) => *condition = replace(condition),
            SvaKind::Abort {
                condition,
                property,
                ..
            } => {
                *condition = replace(condition);
                property.replace_conditions(replace);
            }
            SvaKind::If {
                condition,
                then,
                otherwise,
            } => {
                *condition = replace(condition);
                then.replace_conditions(replace);
                if let Some(otherwise) = otherwise {
                    otherwise.replace_conditions(replace);
                }
            }
            SvaKind::Delay(left, _, right) => {
                if let Some(left) = left {
                    left.replace_conditions(replace);
                }
                right.replace_conditions(replace);
            }
            SvaKind::Repeat(one, ..)
            | SvaKind::FirstMatch(one)
            | SvaKind::Strong(one)
            | SvaKind::Weak(one)
            | SvaKind::Not(one)
            | SvaKind::Always(_, one)
            | SvaKind::Eventually(_, one)
            | SvaKind::Nexttime(_, one) => one.replace_conditions(replace),
            SvaKind::Throughout(left, right)
            | SvaKind::Within(left, right)
            | SvaKind::Intersect(left, right)
            | SvaKind::And(left, right)
            | SvaKind::Or(left, right)
            | SvaKind::Implies(left, right)
            | SvaKind::Iff(left, right)
            | SvaKind::Implication {
                antecedent: left,
                consequent: right,
                ..
            }
            | SvaKind::FollowedBy {
                antecedent: left,
                consequent: right,
                ..
            }
            | SvaKind::Until { left, right, .. } => {
                left.replace_conditions(replace);
                right.replace_conditions(replace);
            }
        }
    }

    /// Whether it can stand where a sequence is needed.
    pub fn is_sequence(&self) -> bool {
        match &self.kind {
            SvaKind::Condition(_)
            | SvaKind::Delay(..)
            | SvaKind::Repeat(..)
            | SvaKind::Throughout(..)
            | SvaKind::Within(..)
            | SvaKind::Intersect(..)
            | SvaKind::FirstMatch(_) => true,
            SvaKind::And(left, right) | SvaKind::Or(left, right) => {
                left.is_sequence() && right.is_sequence()
            }
            _ => false,
        }
    }
}
