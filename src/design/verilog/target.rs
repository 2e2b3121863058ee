//! Targets of assignments: which bits of which signals, and writing them.

use super::codes;
use super::frame::{Found, Frame};
use super::scope::{SignalId, SignalKind, Tables};
use super::types::Type;
use crate::design::codes as design_codes;
use crate::design::expression::{
    Elaborator, Names, index_at, index_equals, packed_width, position_of,
};
use crate::design::literal::Literal;
use crate::design::netlist::Design;
use crate::design::words::{self, Bits};
use crate::expr::{Expr, ExprKind};
use crate::source::Diagnostic;

/// What an assignment writes, its lowest bits first.
pub struct Located {
    pub parts: Vec<Part>,
    pub width: usize,
    /// The type of a target that is one signal or a part of one.
    pub data: Option<Type>,
}

pub struct Part {
    pub signal: SignalId,
    pub width: usize,
    /// Where in the signal, under which condition; several if an index is not constant.
    /// Bits outside of the signal are not written.
    pub offsets: Vec<(Literal, i64)>,
}

impl Located {
    pub fn is_local(&self, tables: &Tables<'_>) -> bool {
        let local = |part: &Part| tables.signal(part.signal).kind == SignalKind::Local;
        self.parts.iter().all(local)
    }
}

impl Located {
    /// Some bits of a target, counted from its lowest one.
    pub fn within(self, bits: std::ops::Range<usize>) -> Located {
        let width = bits.len();
        let mut parts = Vec::new();
        let mut start = 0;
        for part in self.parts {
            let (from, to) = (bits.start.max(start), bits.end.min(start + part.width));
            if from < to {
                let moved = (from - start) as i64;
                let offsets = part.offsets.iter();
                parts.push(Part {
                    signal: part.signal,
                    width: to - from,
                    offsets: offsets
                        .map(|(when, offset)| (*when, offset + moved))
                        .collect(),
                });
            }
            start += part.width;
        }
        Located {
            parts,
            width,
            data: None,
        }
    }
}

impl Frame<'_, '_> {
    pub fn locate(&mut self, design: &mut Design, target: &Expr) -> Result<Located, Diagnostic> {
        let mut parts = Vec::new();
        if !matches!(target.kind, ExprKind::Concat(_)) {
            let (part, data) = self.part(design, target)?;
            let width = part.width;
            return Ok(Located {
                parts: vec![part],
                width,
                data: Some(data),
            });
        }
        self.collect(design, target, &mut parts)?;
        let width = parts.iter().map(|part| part.width).sum();
        let data = None;
        Ok(Located { parts, width, data })
    }

    fn collect(
        &mut self,
        design: &mut Design,
        target: &Expr,
        parts: &mut Vec<Part>,
    ) -> Result<(), Diagnostic> {
        if let ExprKind::Concat(items) = &target.kind {
            for item in items.iter().rev() {
                self.collect(design, item, parts)?;
            }
            return Ok(());
        }
        let (part, data) = self.part(design, target)?;
        if !data.unpacked.is_empty() {
            return Err(located(
                Diagnostic::error(codes::UNSUPPORTED, "an array cannot be assigned as a whole"),
                target,
                "this is an array",
            )
            .help("assign its elements in a loop"));
        }
        parts.push(part);
        Ok(())
    }

    /// What the name of a target stands for.
    pub fn found(&mut self, design: &mut Design, target: &Expr) -> Result<Found<'_>, Diagnostic> {
        let path = self.path(design, target)?.unwrap_or_default();
        self.find(&path, target)
    }

    /// A target that is one part of one signal, with its type.
    fn part(&mut self, design: &mut Design, target: &Expr) -> Result<(Part, Type), Diagnostic> {
        if let Some((base, offset, data)) = self.field_of_element(target)? {
            let (part, _) = self.part(design, base)?;
            let choices = [(Literal::TRUE, offset as i64)];
            return Ok((part.refined(design, &choices, data.width()), data));
        }
        match &target.kind {
            ExprKind::Name(_) | ExprKind::Member(..) => match self.found(design, target)? {
                Found::Signal(signal, data, offset) => Ok((
                    Part {
                        signal,
                        width: data.width(),
                        offsets: vec![(Literal::TRUE, offset as i64)],
                    },
                    data,
                )),
                _ => Err(located(
                    Diagnostic::error(codes::BAD_TARGET, "this cannot be assigned"),
                    target,
                    "not a signal",
                )),
            },
            ExprKind::Index(base, index) => self.element(design, target, base, index),
            ExprKind::Range(base, left, right) => {
                self.constant_range(design, target, base, (left, right))
            }
            ExprKind::IndexedRange {
                base,
                start,
                width,
                down,
            } => self.indexed_range(design, target, base, start, width, *down),
            _ => Err(located(
                Diagnostic::error(codes::BAD_TARGET, "this cannot be assigned"),
                target,
                "not a signal, nor a part of one",
            )),
        }
    }

    /// `target[index]`: an element of an array, or a bit of a vector.
    fn element(
        &mut self,
        design: &mut Design,
        target: &Expr,
        base: &Expr,
        index: &Expr,
    ) -> Result<(Part, Type), Diagnostic> {
        let (part, data) = self.part(design, base)?;
        let Some((data, range)) = data.element() else {
            return Err(located(
                Diagnostic::error(codes::BAD_TARGET, "a single bit has no index"),
                target,
                "this is one bit wide",
            ));
        };
        let step = data.width();
        let (bits, signed) = Elaborator::new(design, self).self_determined(index)?;
        let count = packed_width(&[range]);
        let mut choices = Vec::new();
        match words::constant_value(&bits, signed) {
            Some(value) => {
                let offset = position_of(range, value).map(|position| (position * step) as i64);
                if offset.is_none() {
                    let message = format!(
                        "[{value}] is outside of [{}:{}], and nothing is assigned",
                        range.0, range.1
                    );
                    let problem = Diagnostic::error(design_codes::INDEX_OUT_OF_RANGE, message);
                    self.outside(index, &located(problem, target, "assigned here"));
                }
                choices.extend(offset.map(|offset| (Literal::TRUE, offset)));
            }
            None => {
                for position in 0..count {
                    let value = index_at(range, position);
                    let hit = index_equals(design, &bits, signed, value);
                    choices.push((hit, (position * step) as i64));
                }
            }
        }
        Ok((part.refined(design, &choices, step), data))
    }

    /// `target[left:right]`.
    fn constant_range(
        &mut self,
        design: &mut Design,
        target: &Expr,
        base: &Expr,
        bounds: (&Expr, &Expr),
    ) -> Result<(Part, Type), Diagnostic> {
        let (part, data) = self.part(design, base)?;
        let (left, right) = bounds;
        let (range, step) = sliced(&data, target)?;
        let left = Elaborator::new(design, self).constant(left, "the left bound")?;
        let right = Elaborator::new(design, self).constant(right, "the right bound")?;
        if left != right && (left < right) != (range.0 < range.1) {
            let message = format!(
                "[{left}:{right}] runs in the wrong direction: this is [{}:{}]",
                range.0, range.1
            );
            let diagnostic = Diagnostic::error(design_codes::RANGE_DIRECTION, message);
            return Err(located(diagnostic, target, "assigned here"));
        }
        let (Some(top), Some(bottom)) = (position_of(range, left), position_of(range, right))
        else {
            return Err(outside(target, left, right, range));
        };
        if bottom > top {
            return Err(outside(target, left, right, range));
        }
        let width = (top - bottom + 1) * step;
        let choices = [(Literal::TRUE, (bottom * step) as i64)];
        Ok((
            part.refined(design, &choices, width),
            Type::vector(width, false),
        ))
    }

    /// `target[start +: width]`, or `-:` if it goes down.
    fn indexed_range(
        &mut self,
        design: &mut Design,
        target: &Expr,
        base: &Expr,
        start: &Expr,
        width: &Expr,
        down: bool,
    ) -> Result<(Part, Type), Diagnostic> {
        let (part, data) = self.part(design, base)?;
        let (range, step) = sliced(&data, target)?;
        let count = Elaborator::new(design, self).width_constant(width, "the width of a range")?;
        let (bits, signed) = Elaborator::new(design, self).self_determined(start)?;
        let width = count * step;
        let ascending = range.0 < range.1;
        let reach = count as i64 - 1;
        // The position of the lowest bit, for a start.
        let lowest = |start: i64| {
            let (low, high) = if down {
                (start - reach, start)
            } else {
                (start, start + reach)
            };
            if ascending {
                range.1 - high
            } else {
                low - range.1
            }
        };
        let mut choices = Vec::new();
        match words::constant_value(&bits, signed) {
            Some(value) => choices.push((Literal::TRUE, lowest(value) * step as i64)),
            None => {
                let total = packed_width(&[range]) as i64;
                let ends = (range.0.min(range.1) - reach, range.0.max(range.1) + reach);
                for value in ends.0..=ends.1 {
                    let position = lowest(value);
                    if position + reach < 0 || position >= total {
                        continue;
                    }
                    let hit = index_equals(design, &bits, signed, value);
                    choices.push((hit, position * step as i64));
                }
            }
        }
        Ok((
            part.refined(design, &choices, width),
            Type::vector(width, false),
        ))
    }

    /// Writes bits to where they go.
    pub fn write(
        &mut self,
        design: &mut Design,
        located: &Located,
        bits: Bits,
        blocking: bool,
    ) -> Result<(), Diagnostic> {
        let mut taken = 0;
        for part in &located.parts {
            let bits = &bits[taken..taken + part.width];
            taken += part.width;
            let two_state = self.tables.signal(part.signal).data.two_state;
            let mut value = if blocking {
                self.value(part.signal)
            } else {
                match self.values.next.get(&part.signal) {
                    Some(value) => value.clone(),
                    None => self.value_before(part.signal),
                }
            };
            if value.is_empty() {
                value = vec![Literal::FALSE; self.tables.signal(part.signal).data.width()];
            }
            for (condition, offset) in &part.offsets {
                for (index, bit) in bits.iter().enumerate() {
                    let position = offset + index as i64;
                    if let Some(old) = usize::try_from(position)
                        .ok()
                        .and_then(|position| value.get_mut(position))
                    {
                        // An unknown bit becomes 0 (IEEE 1800-2017, 6.3.1).
                        let bit = if two_state && self.tables.unknowns.contains(&bit.node()) {
                            Literal::FALSE
                        } else {
                            *bit
                        };
                        *old = design.mux(*condition, bit, *old);
                    }
                }
            }
            let values = if blocking {
                &mut self.values.now
            } else {
                &mut self.values.next
            };
            values.insert(part.signal, value);
        }
        Ok(())
    }
}

impl Part {
    /// The part of a part.
    fn refined(self, design: &mut Design, choices: &[(Literal, i64)], width: usize) -> Part {
        let mut offsets = Vec::new();
        for (outer, base) in &self.offsets {
            for (inner, offset) in choices {
                offsets.push((design.and(*outer, *inner), base + offset));
            }
        }
        Part {
            signal: self.signal,
            width,
            offsets,
        }
    }
}

/// The range that a slice counts in, and how many bits an index stands for.
fn sliced(data: &Type, target: &Expr) -> Result<((i64, i64), usize), Diagnostic> {
    match (data.unpacked.is_empty(), data.packed.as_slice()) {
        (true, [range, inner @ ..]) => Ok((*range, packed_width(inner))),
        _ => Err(located(
            Diagnostic::error(codes::BAD_TARGET, "a range of this cannot be assigned"),
            target,
            "not a vector",
        )),
    }
}

fn outside(target: &Expr, left: i64, right: i64, range: (i64, i64)) -> Diagnostic {
    let message = format!("[{left}:{right}] is outside of [{}:{}]", range.0, range.1);
    located(
        Diagnostic::error(codes::BAD_TARGET, message),
        target,
        "assigned here",
    )
}

fn located(diagnostic: Diagnostic, expr: &Expr, label: &str) -> Diagnostic {
    diagnostic.at_optional(expr.span, label)
}
