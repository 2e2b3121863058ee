//! Template: another target of an assignment, or another element of it.

use super::statement::Surroundings;
use super::{Kind, Lister, cost};
use crate::design::verilog::{VisibleKind, VisibleName};
use crate::expr::{Expr, ExprKind};

/// As many elements of a vector are tried as targets.
const ELEMENTS: usize = 32;

impl Lister<'_> {
    /// Other signals that the block could mean to give a value.
    pub(super) fn other_targets(
        &mut self,
        target: &Expr,
        value: &Expr,
        around: Option<&Surroundings>,
    ) {
        let base = match &target.kind {
            ExprKind::Index(base, _) => base,
            _ => target,
        };
        let (ExprKind::Name(path), Some(span)) = (&base.kind, base.span) else {
            return;
        };
        let [name] = path.as_slice() else {
            return;
        };
        let Some(own) = self.visible(name).cloned() else {
            return;
        };
        let others: Vec<String> = self
            .names
            .iter()
            .filter(|other| is_assignable(other, &own, around))
            .filter(|other| self.takes(other, target, value))
            .map(|other| other.name.clone())
            .collect();
        for other in others {
            self.replace(span, other, Kind::Target, cost::TARGET);
        }
        if let ExprKind::Index(_, index) = &target.kind {
            self.other_elements(index, own.width);
        }
    }

    /// Whether an enumeration in the place of a target would get a value of its own. One bit of
    /// a word is no enumeration.
    fn takes(&self, other: &VisibleName, target: &Expr, value: &Expr) -> bool {
        let is_bit = matches!(target.kind, ExprKind::Index(..)) && other.kind != VisibleKind::Array;
        let family = other.family.as_ref().filter(|_| !is_bit);
        family.is_none_or(|family| self.is_value_of(value, family))
    }

    /// Other constant indices of a vector with `count` elements.
    fn other_elements(&mut self, index: &Expr, count: usize) {
        let (ExprKind::Number(number), Some(span)) = (&index.kind, index.span) else {
            return;
        };
        let Some(value) = number.value() else {
            return;
        };
        for other in 0..count.min(ELEMENTS) as u128 {
            if other != value {
                self.replace(span, other.to_string(), Kind::Target, cost::TARGET);
            }
        }
    }
}

/// Whether another name could be the target: one that the block assigns already, or that
/// nothing may be driving. What is driven elsewhere is found out when the text is read.
fn is_assignable(other: &VisibleName, own: &VisibleName, around: Option<&Surroundings>) -> bool {
    let assigned = around.is_none_or(|around| around.targets.contains(&other.name));
    let is_driven = matches!(other.kind, VisibleKind::Input | VisibleKind::Constant(_));
    other.width == own.width
        && other.name != own.name
        && !is_driven
        && (assigned || other.kind == VisibleKind::Logic)
        && (other.kind == VisibleKind::Array) == (own.kind == VisibleKind::Array)
}
