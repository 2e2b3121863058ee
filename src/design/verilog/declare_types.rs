//! Types as they are written, with their sizes worked out.

use super::codes;
use super::declare::{Declared, Declarer, with_suggestion};
use super::scope::{Entry, ScopeId, Tables};
use super::syntax::*;
use super::types::{Enumeration, Field, Type};
use crate::design::words;
use crate::expr::Expr;
use crate::source::{Diagnostic, Span};
use std::rc::Rc;

/// Bits of one signal.
pub(super) const WIDEST: usize = 1 << 16;

impl<'s> Declarer<'_, 's> {
    /// A packed dimension, whose left and right bound count.
    fn range(&mut self, dimension: &Dimension, scope: ScopeId) -> Declared<(i64, i64)> {
        let left = self.integer(scope, &dimension.left)?;
        let right = match &dimension.right {
            Some(right) => self.integer(scope, right)?,
            None => {
                return Err(Diagnostic::error(
                    codes::UNSUPPORTED,
                    "a packed dimension needs two bounds",
                )
                .at(dimension.span, "here")
                .help("write `[7:0]`"));
            }
        };
        bounded(left, right, dimension.span)
    }

    /// `[0:15]` or `[16]` behind a name.
    pub(super) fn unpacked(
        &mut self,
        dimension: &Dimension,
        scope: ScopeId,
    ) -> Declared<(i64, i64)> {
        if dimension.right.is_some() {
            return self.range(dimension, scope);
        }
        let count = self.integer(scope, &dimension.left)?;
        if count < 1 {
            return Err(Diagnostic::error(
                codes::TOO_BIG,
                format!("an array cannot have {count} elements"),
            )
            .at(dimension.span, "here"));
        }
        bounded(0, count - 1, dimension.span)
    }

    pub fn data_type(&mut self, written: &'s DataType, scope: ScopeId) -> Declared<Type> {
        let mut data = match &written.kind {
            TypeKind::Logic => Type::bit(),
            TypeKind::Integer(width, signed) => Type::vector(*width, *signed),
            TypeKind::Named(path) => self.named_type(path, scope)?,
            TypeKind::Enumeration { base, members } => {
                self.enumeration(base.as_deref(), members, scope)?
            }
            TypeKind::Structure(fields) => self.structure(fields, scope)?,
            TypeKind::Union(fields) => self.union(fields, scope, written.span)?,
        };
        data.two_state |= written.two_state;
        if let Some(signed) = written.signed {
            data.signed = signed;
        }
        let mut dimensions = Vec::new();
        for dimension in &written.dimensions {
            dimensions.push(self.range(dimension, scope)?);
        }
        if !dimensions.is_empty() {
            dimensions.extend(data.packed);
            data.packed = dimensions;
        }
        let width = data
            .packed
            .iter()
            .map(|(left, right)| left.abs_diff(*right) + 1)
            .fold(1u64, u64::saturating_mul);
        if width > WIDEST as u64 {
            let message = format!("a word of {width} bits is too wide, the most is {WIDEST}");
            return Err(Diagnostic::error(codes::TOO_BIG, message).at(written.span, "here"));
        }
        Ok(data)
    }

    fn named_type(&mut self, path: &[Identifier], scope: ScopeId) -> Declared<Type> {
        let entry = match path {
            [package, name] => {
                let package = self.tables.packages.get(package.text.as_str());
                package.and_then(|id| self.tables.scope(*id).entries.get(&name.text))
            }
            [name] => self.tables.lookup(scope, &name.text),
            _ => None,
        };
        match entry {
            Some(Entry::Type(data)) => Ok(data.clone()),
            _ => {
                let last = &path[path.len() - 1];
                let message = format!("there is no type `{}`", last.text);
                let known = self.tables.visible(scope);
                let diagnostic =
                    Diagnostic::error(codes::UNKNOWN_NAME, message).at(last.span, "used here");
                Err(with_suggestion(diagnostic, &last.text, &known))
            }
        }
    }

    fn enumeration(
        &mut self,
        base: Option<&'s DataType>,
        members: &'s [(Identifier, Option<Expr>)],
        scope: ScopeId,
    ) -> Declared<Type> {
        let mut data = match base {
            Some(base) => self.data_type(base, scope)?,
            // The base is `int`.
            None => Type {
                two_state: true,
                ..Type::vector(32, true)
            },
        };
        let width = data.element_width();
        let mut next = 0;
        let mut values = Vec::new();
        for (name, value) in members {
            if let Some(value) = value {
                next = self.integer(scope, value)?;
            }
            values.push((name.text.clone(), next));
            next += 1;
        }
        data.enumeration = Some(Rc::new(Enumeration {
            width,
            members: values.clone(),
        }));
        for ((name, _), (_, value)) in members.iter().zip(values) {
            let bits = words::resize(&words::constant(value as u64, 64), width, true);
            let fits = width >= 64
                || words::constant_value(&bits, data.signed) == Some(value)
                || words::constant_value(&bits, false) == Some(value);
            if !fits {
                let message = format!("{value} does not fit in the {width} bits of this type");
                return Err(Diagnostic::error(codes::TOO_BIG, message).at(name.span, "this value"));
            }
            let entry = Tables::constant(bits, data.clone());
            self.add(scope, name, entry)?;
        }
        Ok(data)
    }

    fn structure(&mut self, fields: &'s [FieldNames], scope: ScopeId) -> Declared<Type> {
        let mut all = Vec::new();
        let mut total = 0;
        for FieldNames { data_type, names } in fields {
            let data = self.data_type(data_type, scope)?;
            for (name, dimensions) in names {
                let data = self.array_field(&data, dimensions, scope)?;
                total += data.element_width();
                all.push((name.text.clone(), data));
            }
        }
        let mut top = total;
        let mut list = Vec::new();
        // The first field has the highest bits.
        for (name, data) in all {
            top -= data.element_width();
            list.push(Field {
                name,
                offset: top,
                data,
            });
        }
        Ok(Type {
            two_state: list.iter().all(|field| field.data.two_state),
            fields: Some(Rc::new(list)),
            ..Type::vector(total.max(1), false)
        })
    }
}

impl<'s> Declarer<'_, 's> {
    /// A field that is an array. Where it lies in the structure is nobody's business, so it is
    /// as if its dimensions were packed ones.
    fn array_field(
        &mut self,
        data: &Type,
        dimensions: &[Dimension],
        scope: ScopeId,
    ) -> Declared<Type> {
        let Some(first) = dimensions.first() else {
            return Ok(data.clone());
        };
        if data.signed {
            let message = "a field that is an array of signed words";
            return Err(Diagnostic::error(
                codes::UNSUPPORTED,
                format!("{message} is not supported"),
            )
            .at(first.span, "this dimension")
            .help("declare a field for each of them"));
        }
        let mut packed = Vec::new();
        for dimension in dimensions {
            packed.push(self.unpacked(dimension, scope)?);
        }
        packed.extend(data.packed.iter().copied());
        let data = Type {
            packed,
            ..data.clone()
        };
        match data.element_width() > WIDEST {
            true => {
                let message = format!("a field of more than {WIDEST} bits is too wide");
                Err(Diagnostic::error(codes::TOO_BIG, message).at(first.span, "here"))
            }
            false => Ok(data),
        }
    }

    /// A packed union: all fields are names of the same bits.
    fn union(&mut self, fields: &'s [FieldNames], scope: ScopeId, span: Span) -> Declared<Type> {
        let mut list = Vec::new();
        for FieldNames { data_type, names } in fields {
            let data = self.data_type(data_type, scope)?;
            list.extend(names.iter().map(|(name, _)| Field {
                name: name.text.clone(),
                offset: 0,
                data: data.clone(),
            }));
        }
        let mut widths = list.iter().map(|field| field.data.width());
        let width = widths.next().unwrap_or(1);
        if widths.any(|other| other != width) {
            let message = "the fields of a packed union must have the same width";
            return Err(Diagnostic::error(codes::HIERARCHY, message).at(span, "this union"));
        }
        Ok(Type {
            two_state: list.iter().all(|field| field.data.two_state),
            fields: Some(Rc::new(list)),
            ..Type::vector(width, false)
        })
    }
}

fn bounded(left: i64, right: i64, span: Span) -> Declared<(i64, i64)> {
    if left.abs_diff(right) >= WIDEST as u64 {
        let message = format!("[{left}:{right}] is too wide, the most is {WIDEST}");
        return Err(Diagnostic::error(codes::TOO_BIG, message)
            .at(span, "here")
            .help("make it smaller with a parameter"));
    }
    Ok((left, right))
}
