//! Parameters: what they are set to, from inside and from outside, and their types.

use super::codes;
use super::declare::{Declared, Declarer, Given, not_constant, simple_name};
use super::frame::{Found, Frame};
use super::scope::{Constant, Entry, ScopeId, Tables};
use super::syntax::*;
use super::types::Type;
use crate::design::literal::Literal;
use crate::design::words;
use crate::expr::{Expr, ExprKind, PATTERN};
use crate::source::{Diagnostic, Span};

impl<'s> Declarer<'_, 's> {
    pub(super) fn collect_defined_parameters(
        &mut self,
        items: &'s [Item],
        scope: ScopeId,
    ) -> Declared<()> {
        for item in items {
            let ItemKind::DefineParameter(path, value) = &item.kind else {
                continue;
            };
            let mut frame = Frame::constant(self.tables, scope);
            let Some(path) = frame.path(self.design, path)? else {
                return Err(Diagnostic::error(
                    codes::UNSUPPORTED,
                    "the path of this parameter is not supported",
                )
                .at(item.span, "here"));
            };
            let (bits, signed) = self.constant(scope, value)?;
            let name = self.tables.full_name(scope, &path.join("."));
            let data = Type::vector(bits.len(), signed);
            self.defined
                .insert(name, (Constant { bits, data }, item.span));
        }
        Ok(())
    }

    pub(super) fn parameter(
        &mut self,
        parameter: &'s Parameter,
        scope: ScopeId,
        given: &mut Given<'s>,
    ) -> Declared<()> {
        let name = &parameter.name.text;
        if let Some(default) = &parameter.type_value {
            let data = match given.types.remove(name).filter(|_| !parameter.local) {
                Some(data) => data,
                None => self.data_type(default, scope)?,
            };
            return self.add(scope, &parameter.name, Entry::Type(data));
        }
        let full = self.tables.full_name(scope, name);
        let is_unbounded = parameter.value.as_ref().and_then(simple_name) == Some(UNBOUNDED);
        if is_unbounded && !given.values.contains_key(name) && !self.defined.contains_key(&full) {
            return self.add(scope, &parameter.name, Entry::Unbounded);
        }
        let outside = match (parameter.local, self.defined.remove(&full)) {
            (false, Some(found)) => {
                given.values.remove(name);
                Some(found)
            }
            (true, Some((_, span))) => {
                let message = format!("`{name}` is a local parameter and cannot be set");
                return Err(Diagnostic::error(codes::HIERARCHY, message).at(span, "set here"));
            }
            (true, None) => None,
            (false, None) => given.values.remove(name),
        };
        let is_pattern =
            |value: &Expr| matches!(&value.kind, ExprKind::Call(name, _) if name == PATTERN);
        let is_shaped = !parameter.dimensions.is_empty() || {
            let value = parameter.value.as_ref();
            outside.is_none() && parameter.data_type.is_some() && value.is_some_and(is_pattern)
        };
        let shaped = given.shaped.remove(name).filter(|_| !parameter.local);
        if is_shaped || shaped.is_some() {
            let outside = outside.map(|(_, span)| span);
            return self.shaped_parameter(parameter, scope, outside, shaped);
        }
        // Without a type of its own it has that of its value, with all fields.
        let mut of_type = None;
        if let (None, Some(value)) = (&outside, &parameter.value)
            && let ExprKind::Name(path) = &value.kind
            && let Ok(Found::Constant(_, data)) =
                Frame::constant(self.tables, scope).find(path, value)
        {
            of_type = Some(data);
        }
        let (bits, signed) = match (outside, &parameter.value) {
            (Some((constant, _)), _) => (constant.bits, constant.data.signed),
            (None, Some(value)) => self.constant(scope, value)?,
            (None, None) => {
                let message = format!("the parameter `{name}` has no value");
                return Err(Diagnostic::error(codes::HIERARCHY, message)
                    .at(parameter.name.span, "declared here without one")
                    .help("give it a default"));
            }
        };
        let data = match &parameter.data_type {
            Some(written) => self.parameter_type(written, scope, bits.len(), signed)?,
            None => match of_type {
                Some(data) if data.width() == bits.len() => data,
                _ => Type::vector(bits.len(), signed),
            },
        };
        let bits = words::resize(&bits, data.element_width(), signed);
        let entry = Tables::constant(bits, data);
        self.add(scope, &parameter.name, entry)
    }

    /// An array, or a structure whose value is a pattern.
    fn shaped_parameter(
        &mut self,
        parameter: &'s Parameter,
        scope: ScopeId,
        outside: Option<Span>,
        given: Option<(&'s Expr, ScopeId)>,
    ) -> Declared<()> {
        if let Some(span) = outside {
            let what = "`defparam` of a parameter that is an array";
            return Err(super::parse::unsupported(what, span));
        }
        let name = &parameter.name;
        let own = parameter.value.as_ref().map(|value| (value, scope));
        let Some((value, home)) = given.or(own) else {
            let message = format!("the parameter `{}` has no value", name.text);
            return Err(Diagnostic::error(codes::HIERARCHY, message)
                .at(name.span, "declared here without one")
                .help("give it a default"));
        };
        let mut data = match &parameter.data_type {
            Some(written) => self.data_type(written, scope)?,
            None => Type::vector(32, true),
        };
        self.add_dimensions(&mut data, &parameter.dimensions, scope)?;
        let mut frame = Frame::constant(self.tables, home);
        let bits = frame.typed_value(self.design, value, &data)?;
        let is_unknown = |bit: &Literal| self.tables.unknowns.contains(&bit.node());
        let mut varying = bits.iter().filter(|bit| bit.as_constant().is_none());
        if varying.any(|bit| !is_unknown(bit)) {
            return Err(not_constant(value));
        }
        self.add(scope, name, Tables::constant(bits, data))
    }

    /// `parameter signed A` takes its width from its value.
    fn parameter_type(
        &mut self,
        written: &'s DataType,
        scope: ScopeId,
        width: usize,
        signed: bool,
    ) -> Declared<Type> {
        match (&written.kind, written.dimensions.as_slice()) {
            (TypeKind::Logic, []) if written.is_implicit => {
                Ok(Type::vector(width, written.signed.unwrap_or(signed)))
            }
            _ => self.data_type(written, scope),
        }
    }
}
