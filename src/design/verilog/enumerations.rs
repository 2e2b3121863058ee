//! What is assigned to enumerations. One takes its own values and no others, which need a cast:
//! another variable of it, one of its names, `?:` of these (IEEE 1800-2017, 6.19.3). A text that
//! assigns anything else is read as its bits say, with a warning, since Yosys takes it; Icarus
//! Verilog and slang do not, so no correction adds such an assignment.

use super::frame::Frame;
use super::scope::{Entry, RoutineInfo, ScopeId, Tables};
use super::syntax::Direction;
use super::types::{Enumeration, Type};
use super::{VisibleKind, VisibleName, codes};
use crate::design::netlist::Design;
use crate::expr::{CAST, Expr, ExprKind};
use crate::source::{Diagnostic, Span};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The values that are assigned to enumerations, by where they stand.
#[derive(Clone, Debug, Default)]
pub struct Enumerated {
    values: BTreeMap<Span, EnumeratedValue>,
}

#[derive(Clone, Debug)]
pub struct EnumeratedValue {
    /// What the enumeration is called, where the value stands.
    pub type_name: Option<String>,
    enumeration: Rc<Enumeration>,
    is_foreign: bool,
}

impl Enumerated {
    pub fn at(&self, span: Span) -> Option<&EnumeratedValue> {
        self.values.get(&span)
    }

    /// How many values have another type.
    pub fn foreign(&self) -> usize {
        let values = self.values.values();
        values.filter(|value| value.is_foreign).count()
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let foreign = self.values.iter().filter(|(_, value)| value.is_foreign);
        foreign.map(|(span, value)| value.warning(*span))
    }
}

impl EnumeratedValue {
    /// The name of a value of the enumeration.
    pub fn name_of(&self, value: i64) -> Option<&str> {
        let mut members = self.enumeration.members.iter();
        let (name, _) = members.find(|(_, own)| *own == value)?;
        Some(name)
    }

    /// Whether a name is one of the enumeration's signals or values.
    pub fn is_family(&self, name: &VisibleName) -> bool {
        let first = self.enumeration.members.first().map(|(name, _)| name);
        name.family.as_ref() == first && name.kind != VisibleKind::Array
    }

    /// Whether the value that is written has another type, in some instance.
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    fn warning(&self, span: Span) -> Diagnostic {
        let message = match &self.type_name {
            Some(name) => format!("the enumeration `{name}` is given a value of another type"),
            None => "an enumeration is given a value of another type".to_string(),
        };
        let members = self.enumeration.members.iter();
        let names: Vec<&str> = members.map(|(name, _)| name.as_str()).collect();
        let names = match names.as_slice() {
            [first, second, third, _, ..] => format!("{first}, {second}, {third}, ..."),
            few => few.join(", "),
        };
        let help = match &self.type_name {
            Some(name) => format!("write one of {names}, or a cast: `{name}'(...)`"),
            None => format!("write one of {names}, or give the type a name and write a cast"),
        };
        Diagnostic::warning(codes::ENUMERATION_VALUE, message)
            .at(span, "other tools refuse this without a cast")
            .help(help)
    }
}

/// Where an expression has its type from, as far as enumerations go.
pub(in crate::design::verilog) enum Typed<'e> {
    /// From both of these.
    Choice(&'e Expr, &'e Expr),
    Call(&'e str, &'e [Expr]),
    /// From a declaration.
    Reference,
    Unknown,
    /// It is a vector, whatever it is made of.
    Bits,
}

pub(in crate::design::verilog) fn typed(expr: &Expr) -> Typed<'_> {
    match &expr.kind {
        ExprKind::Conditional(_, then, otherwise) => Typed::Choice(then, otherwise),
        ExprKind::Call(name, items) => Typed::Call(name, items),
        ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Member(..) => Typed::Reference,
        ExprKind::Net(_) => Typed::Unknown,
        ExprKind::Number(_)
        | ExprKind::AllOnes
        | ExprKind::Range(..)
        | ExprKind::IndexedRange { .. }
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Concat(_)
        | ExprKind::Replicate(..) => Typed::Bits,
    }
}

impl Frame<'_, '_> {
    /// Notes a value that something of this type takes.
    pub(super) fn note_enumerated(&mut self, design: &mut Design, value: &Expr, data: &Type) {
        if let (Some(own), Some(span)) = (data.as_enumeration(), value.span) {
            let is_foreign = !self.is_value_of(design, value, own);
            self.note_value(span, own, is_foreign);
        }
    }

    /// Notes that what has one type is given to something of another one.
    pub(super) fn note_given(&mut self, span: Option<Span>, given: &Type, data: Option<&Type>) {
        if let (Some(own), Some(span)) = (data.and_then(Type::as_enumeration), span) {
            let is_foreign = given.as_enumeration() != Some(own);
            self.note_value(span, own, is_foreign);
        }
    }

    /// Notes what a function is called with.
    pub(super) fn note_arguments(
        &mut self,
        design: &mut Design,
        info: &RoutineInfo,
        given: &[Expr],
    ) {
        for ((direction, id), value) in info.arguments.iter().zip(given) {
            if *direction != Direction::Output {
                let data = self.tables.signal(*id).data.clone();
                self.note_enumerated(design, value, &data);
            }
        }
    }

    fn note_value(&mut self, span: Span, enumeration: &Rc<Enumeration>, is_foreign: bool) {
        if let Some(known) = self.tables.enumerated.values.get_mut(&span) {
            known.is_foreign |= is_foreign;
            return;
        }
        let value = EnumeratedValue {
            type_name: self.tables.name_of_type(self.scope, enumeration),
            enumeration: enumeration.clone(),
            is_foreign,
        };
        self.tables.enumerated.values.insert(span, value);
    }

    /// Whether an expression has the type of an enumeration, or one that is not told here.
    fn is_value_of(&mut self, design: &mut Design, expr: &Expr, own: &Rc<Enumeration>) -> bool {
        match typed(expr) {
            Typed::Choice(then, otherwise) => {
                self.is_value_of(design, then, own) && self.is_value_of(design, otherwise, own)
            }
            Typed::Call(name, items) => self.is_result_of(design, expr, name, items, own),
            Typed::Reference => {
                let data = self.type_of(expr);
                data.is_none_or(|data| data.as_enumeration() == Some(own))
            }
            Typed::Unknown => true,
            Typed::Bits => false,
        }
    }

    fn is_result_of(
        &mut self,
        design: &mut Design,
        expr: &Expr,
        name: &str,
        items: &[Expr],
        own: &Rc<Enumeration>,
    ) -> bool {
        match (name, items) {
            (CAST, [target, _]) => match &target.kind {
                ExprKind::Name(path) => {
                    let data = self.type_called(path);
                    data.is_none_or(|data| data.as_enumeration() == Some(own))
                }
                _ => false,
            },
            ("$signed" | "$unsigned", _) => false,
            ("$past" | "$sampled", [first, ..]) => self.is_value_of(design, first, own),
            _ if name.starts_with(['$', '\'']) => true,
            _ => {
                let Ok((routine, scope)) = self.routine(name, expr) else {
                    return true;
                };
                let info = self.routine_info(design, routine, scope);
                let result = info.ok().and_then(|info| info.result);
                let data = result.map(|id| &self.tables.signal(id).data);
                data.is_none_or(|data| data.as_enumeration() == Some(own))
            }
        }
    }
}

impl Tables<'_> {
    /// The shortest name that a type of this enumeration has in a scope.
    fn name_of_type(&self, scope: ScopeId, enumeration: &Rc<Enumeration>) -> Option<String> {
        let is_own = |entry: &Entry<'_>| match entry {
            Entry::Type(data) => data.as_enumeration() == Some(enumeration),
            _ => false,
        };
        let mut names: Vec<String> = Vec::new();
        let mut current = Some(scope);
        while let Some(id) = current {
            let scope = self.scope(id);
            let own = scope.entries.iter().filter(|(_, entry)| is_own(entry));
            names.extend(own.map(|(name, _)| name.clone()));
            current = scope.parent.filter(|_| !scope.is_module);
        }
        for (package, id) in &self.packages {
            let entries = self.scope(*id).entries.iter();
            names.extend(entries.filter(|(_, entry)| is_own(entry)).map(
                |(name, _)| match *package {
                    "" => name.clone(),
                    package => format!("{package}::{name}"),
                },
            ));
        }
        names
            .into_iter()
            .min_by_key(|name| (name.len(), name.clone()))
    }
}
