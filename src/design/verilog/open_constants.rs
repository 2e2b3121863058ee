//! Constants that a sketch leaves open.
//!
//! In the text of a sketch, `$hole(3, 8)` is a constant of 8 bits that nobody knows yet; all
//! holes with one number are the same constant, in every instance and iteration. Each bit is a
//! latch that keeps the value which it starts with, and that is for a solver to choose. Texts of
//! users have no holes: the function means nothing there.

use super::frame::Frame;
use crate::design::expression::{Signature, Size};
use crate::design::literal::NodeId;
use crate::design::netlist::{Design, Reset};
use crate::design::words::Bits;
use crate::expr::{Expr, ExprKind};
use std::collections::BTreeMap;

/// The function that stands for a hole.
pub const HOLE: &str = "$hole";
/// The widest hole.
const WIDEST: usize = 4096;

/// The bits of each hole, by its number.
pub type Holes = BTreeMap<usize, Vec<NodeId>>;

/// What the bit of a hole is called.
pub fn bit_name(number: usize, bit: usize) -> String {
    format!("hole${number}[{bit}]")
}

impl Frame<'_, '_> {
    /// The sizes of a hole, if this is one.
    pub(super) fn hole_signature(&self, expr: &Expr, name: &str) -> Option<Signature> {
        if name != HOLE {
            return None;
        }
        self.tables.holes.as_ref()?;
        let (_, width) = parts(expr)?;
        Some(Signature {
            outputs: vec![false; 2],
            arguments: vec![Size::INTEGER, Size::INTEGER],
            result: Size {
                width,
                signed: false,
            },
        })
    }

    /// The bits of a hole.
    pub(super) fn hole(&mut self, design: &mut Design, expr: &Expr) -> Bits {
        let (Some(holes), Some((number, width))) = (&mut self.tables.holes, parts(expr)) else {
            return Bits::new();
        };
        let bits = holes.entry(number).or_default();
        for bit in bits.len()..width {
            let id = design.add_latch(Reset::Choice);
            design.set_name(id, bit_name(number, bit));
            design.set_hidden(id, true);
            bits.push(id);
        }
        bits[..width].iter().map(|id| id.literal()).collect()
    }
}

/// The number and the width of a hole.
fn parts(expr: &Expr) -> Option<(usize, usize)> {
    let ExprKind::Call(_, arguments) = &expr.kind else {
        return None;
    };
    let value = |expr: &Expr| match &expr.kind {
        ExprKind::Number(number) => usize::try_from(number.value()?).ok(),
        _ => None,
    };
    let [number, width] = arguments.as_slice() else {
        return None;
    };
    let (number, width) = (value(number)?, value(width)?);
    (1..=WIDEST).contains(&width).then_some((number, width))
}
