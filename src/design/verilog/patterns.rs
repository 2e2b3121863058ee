//! Values that take their shape from the type of what they are assigned to: patterns `'{...}`
//! (IEEE 1800-2017, 10.9), and arrays as a whole.

use super::codes;
use super::frame::Frame;
use super::target::Located;
use super::types::Type;
use crate::design::expression::{Elaborator, all_bits, is_pattern, packed_width, position_of};
use crate::design::netlist::Design;
use crate::design::words::{self, Bits};
use crate::expr::{CAST, Expr, ExprKind, PATTERN, PATTERN_KEY};
use crate::source::Diagnostic;

/// The parts of a type, in the order in which a pattern without keys lists them.
struct PatternPart {
    /// The name of a field, or the index of an element.
    name: Option<String>,
    index: Option<i64>,
    offset: usize,
    data: Type,
}

impl Frame<'_, '_> {
    /// The value of an expression for what was located.
    pub fn located_value(
        &mut self,
        design: &mut Design,
        value: &Expr,
        located: &Located,
    ) -> Result<Bits, Diagnostic> {
        match &located.data {
            Some(data) => self.typed_value(design, value, data),
            None => Elaborator::new(design, self).assigned(value, located.width),
        }
    }

    /// The value of an expression as a signal of this type takes it.
    pub fn typed_value(
        &mut self,
        design: &mut Design,
        value: &Expr,
        data: &Type,
    ) -> Result<Bits, Diagnostic> {
        self.note_enumerated(design, value, data);
        self.shaped_value(design, value, data)
    }

    /// The same for a value that may stand for all parts of a pattern.
    fn shaped_value(
        &mut self,
        design: &mut Design,
        value: &Expr,
        data: &Type,
    ) -> Result<Bits, Diagnostic> {
        if let ExprKind::Call(name, items) = &value.kind
            && name == PATTERN
        {
            return self.pattern(design, value, items, data);
        }
        // `type'{...}` has the shape of its own type.
        if let ExprKind::Call(name, items) = &value.kind
            && let (CAST, [target, pattern]) = (name.as_str(), items.as_slice())
            && let (ExprKind::Name(path), true) = (&target.kind, is_pattern(pattern))
            && let Some(own) = self.type_called(path)
            && own.unpacked == data.unpacked
            && (own.unpacked.is_empty() || own.width() == data.width())
        {
            let bits = self.typed_value(design, pattern, &own)?;
            return Ok(words::resize(&bits, data.width(), own.signed));
        }
        if let Some(bits) = Elaborator::new(design, self).stream(value, data.width())? {
            return Ok(bits);
        }
        if data.unpacked.is_empty() {
            return Elaborator::new(design, self).assigned(value, data.width());
        }
        if let ExprKind::Conditional(condition, then, otherwise) = &value.kind {
            let condition = Elaborator::new(design, self).truth(condition)?;
            let then = self.typed_value(design, then, data)?;
            let otherwise = self.typed_value(design, otherwise, data)?;
            return Ok(words::mux(design, condition, &then, &otherwise));
        }
        let named = Elaborator::new(design, self).named(value)?;
        let bits = named.as_ref().map(all_bits).unwrap_or_default();
        if bits.len() != data.width() {
            let message = "an array takes an array of the same shape, or a pattern";
            return Err(refused(message, value));
        }
        Ok(bits)
    }

    fn pattern(
        &mut self,
        design: &mut Design,
        pattern: &Expr,
        items: &[Expr],
        data: &Type,
    ) -> Result<Bits, Diagnostic> {
        let parts = parts_of(data, pattern)?;
        let mut bits = words::constant(0, data.width());
        let mut default = None;
        // Values for all parts of a type, the last one for a type counts.
        let mut of_type: Vec<(Type, &Expr)> = Vec::new();
        let mut given = vec![None; parts.len()];
        let repeated;
        let mut items = items;
        if let [
            Expr {
                kind: ExprKind::Replicate(count, inner),
                ..
            },
        ] = items
        {
            let count = Elaborator::new(design, self).width_constant(count, "the count")?;
            let most = count.min(parts.len() + 1);
            repeated = (0..most).flat_map(|_| inner.clone()).collect::<Vec<Expr>>();
            items = &repeated;
        }
        let keyed =
            |item: &Expr| matches!(&item.kind, ExprKind::Call(name, _) if name == PATTERN_KEY);
        if !items.iter().any(keyed) && items.len() != parts.len() {
            let message = format!(
                "this pattern has {} values, and its type {} parts",
                items.len(),
                parts.len()
            );
            return Err(refused(&message, pattern));
        }
        for (position, item) in items.iter().enumerate() {
            let ExprKind::Call(name, arguments) = &item.kind else {
                given[position] = Some(item);
                continue;
            };
            let (PATTERN_KEY, [key, value]) = (name.as_str(), arguments.as_slice()) else {
                if position < given.len() {
                    given[position] = Some(item);
                }
                continue;
            };
            match &key.kind {
                ExprKind::Name(path) if path.len() == 1 && path[0] == "default" => {
                    default = Some(value);
                }
                ExprKind::Name(path) if parts.iter().any(|part| part.is_called(path)) => {
                    for (slot, part) in given.iter_mut().zip(&parts) {
                        if part.is_called(path) {
                            *slot = Some(value);
                        }
                    }
                }
                ExprKind::Name(path) if self.type_called(path).is_some() => {
                    of_type.extend(self.type_called(path).map(|data| (data, value)));
                }
                _ => {
                    let index =
                        Elaborator::new(design, self).constant(key, "the key of a pattern")?;
                    let slot = parts.iter().position(|part| part.index == Some(index));
                    match slot {
                        Some(slot) => given[slot] = Some(value),
                        None => return Err(refused("there is no such part", key)),
                    }
                }
            }
        }
        for (part, value) in parts.iter().zip(given) {
            let width = part.data.width();
            let same = |one: &&(Type, &Expr)| one.0 == part.data;
            let value = value.or(of_type.iter().rev().find(same).map(|one| one.1));
            let own = match (value, default) {
                (Some(value), _) => self.typed_value(design, value, &part.data)?,
                (None, Some(default)) => self.default_value(design, default, &part.data)?,
                (None, None) => {
                    let message = "this pattern does not give every part a value";
                    return Err(refused(message, pattern));
                }
            };
            bits[part.offset..part.offset + width].copy_from_slice(&own);
        }
        Ok(bits)
    }

    /// `default: value` goes down to whatever has no parts of its own.
    fn default_value(
        &mut self,
        design: &mut Design,
        value: &Expr,
        data: &Type,
    ) -> Result<Bits, Diagnostic> {
        if data.unpacked.is_empty() && data.fields.is_none() {
            return self.shaped_value(design, value, data);
        }
        let mut bits = words::constant(0, data.width());
        for part in parts_of(data, value)? {
            let own = self.default_value(design, value, &part.data)?;
            bits[part.offset..part.offset + own.len()].copy_from_slice(&own);
        }
        Ok(bits)
    }
}

impl PatternPart {
    fn is_called(&self, path: &[String]) -> bool {
        matches!(path, [name] if self.name.as_ref() == Some(name))
    }
}

fn parts_of(data: &Type, pattern: &Expr) -> Result<Vec<PatternPart>, Diagnostic> {
    if let Some(fields) = data.fields.as_ref().filter(|_| data.is_structure()) {
        let parts = fields.iter().map(|field| PatternPart {
            name: Some(field.name.clone()),
            index: None,
            offset: field.offset,
            data: field.data.clone(),
        });
        return Ok(parts.collect());
    }
    let Some((inner, range)) = data.element() else {
        return Err(refused("a single bit has no parts", pattern));
    };
    let step = inner.width();
    let count = packed_width(&[range]);
    // The leftmost comes first.
    let indices = (0..count as i64).map(|position| match range.0 <= range.1 {
        true => range.0 + position,
        false => range.0 - position,
    });
    let parts = indices.map(|index| PatternPart {
        name: None,
        index: Some(index),
        offset: position_of(range, index).unwrap_or(0) * step,
        data: inner.clone(),
    });
    Ok(parts.collect())
}

fn refused(message: &str, expr: &Expr) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::UNSUPPORTED, message);
    match expr.span {
        Some(span) => diagnostic.at(span, "here"),
        None => diagnostic,
    }
}
