//! What a game found, in the words of the source.

use super::VisibleKind;
use super::added_function::{self, LONGEST_EXPRESSION};
use super::edits::SourceEdit;
use super::enumerations::EnumeratedValue;
use super::front_end::VerilogFrontEnd;
use super::registers;
use crate::design::component::{ComponentId, ComponentKind};
use crate::design::correction::Candidate;
use crate::design::function::Function;
use crate::design::kind::Kind;
use crate::design::literal::NodeId;
use crate::design::render::Registers;
use crate::source::Span;
use std::collections::{BTreeMap, HashMap};

/// What a value that a game found costs more than a small edit.
const BASE_COST: u32 = 40;

impl VerilogFrontEnd {
    /// The signals that the text of a component may name, and how.
    pub(super) fn names_at(&self, id: ComponentId) -> BTreeMap<NodeId, String> {
        let component = &self.netlist.components()[id.0 as usize];
        let design = &self.open.design;
        let scope = component.scope.join(".");
        let mut nodes = BTreeMap::new();
        for (node, name) in design.names() {
            let local = if scope.is_empty() {
                Some(name)
            } else {
                name.strip_prefix(scope.as_str())
                    .and_then(|rest| rest.strip_prefix('.'))
            };
            if let Some(local) = local.filter(|name| !name.contains(['.', '$']))
                && !design.is_hidden(node)
                && !self.open.property_only.contains(&node)
            {
                nodes.insert(node, local.to_string());
            }
        }
        nodes
    }

    /// Functions as a text in place of a component, and the registers that they need; `None`
    /// if there is no short text, or if registers would have to read what the top module does
    /// not name.
    pub(super) fn wording(&self, candidate: &Candidate) -> Option<Vec<SourceEdit>> {
        let [replacement] = candidate.replacements.as_slice() else {
            return None;
        };
        let id = replacement.component;
        let component = &self.netlist.components()[id.0 as usize];
        let recorded = &self.open.components[id.0 as usize];
        // Whether a label fits is no text of its own.
        if component.kind == ComponentKind::Label {
            return None;
        }
        let span = component.span?;
        let width = recorded.instances.first()?.len();
        let functions = &replacement.functions[..width];
        let added = match &candidate.registers {
            Some(added) if !added.latches.is_empty() => Some(self.registers(id, added)?),
            _ => None,
        };
        let new_names = added.as_ref().map(|added| &added.names);
        let scope = component.scope.join(".");
        let mut text = self.text_of(functions, &scope, component.kind, new_names)?;
        let mut function = None;
        if text.len() > LONGEST_EXPRESSION {
            let name = |node: NodeId| self.name_of(node, &scope, new_names);
            let known = || self.open.modules.values().flatten();
            let taken = |name: &str| known().any(|one| one.name == name);
            let (call, body) = added_function::added(functions, &name, &taken);
            text = call;
            function = Some((self.before_end_of_module(span)?, body));
        }
        if let Some(enumerated) = self.open.enumerated.at(span) {
            text = self.enumerated_text(enumerated, constant(functions).as_deref(), text)?;
        }
        let mut edits = vec![SourceEdit {
            kind: component.kind.kind(),
            template: component.kind.kind(),
            changes: vec![(span, text)],
            cost: BASE_COST + candidate.cost as u32,
            within: Some((span, component.kind)),
            new_signals: 0,
        }];
        edits.extend(function.map(|change| SourceEdit {
            kind: Kind::AddedFunction,
            template: Kind::AddedFunction,
            changes: vec![change],
            cost: BASE_COST,
            within: None,
            new_signals: 0,
        }));
        edits.extend(added.map(|added| SourceEdit {
            kind: Kind::Registers,
            template: Kind::Registers,
            changes: added.changes,
            cost: BASE_COST,
            within: None,
            new_signals: 0,
        }));
        Some(edits)
    }

    /// Where an item can be added to the module around a span.
    fn before_end_of_module(&self, span: Span) -> Option<Span> {
        let mut modules = self.tree.modules.iter();
        let module = modules.find(|one| {
            let name = one.name.span;
            name.file == span.file && name.start <= span.start && span.end <= one.end.end
        })?;
        Some(Span {
            end: module.end.start,
            ..module.end
        })
    }

    /// What a text in a scope calls a signal.
    fn name_of(
        &self,
        node: NodeId,
        scope: &str,
        added: Option<&HashMap<NodeId, String>>,
    ) -> String {
        if let Some(name) = added.and_then(|added| added.get(&node)) {
            return name.clone();
        }
        let name = self.open.design.name(node).unwrap_or_default();
        let rest = name.strip_prefix(scope).unwrap_or(name);
        rest.strip_prefix('.').unwrap_or(rest).to_string()
    }

    fn registers(&self, id: ComponentId, added: &Registers) -> Option<registers::Added> {
        let component = &self.netlist.components()[id.0 as usize];
        if !component.scope.is_empty() {
            return None;
        }
        let clock = self.open.clock.as_ref()?;
        let readable = self.names_at(id).into_iter().collect();
        let top = &self.open.top;
        registers::added(added, &readable, clock, &self.tree, top, component.span?)
    }

    /// Bits as a person writes a word.
    fn text_of(
        &self,
        functions: &[Function],
        scope: &str,
        kind: ComponentKind,
        added: Option<&HashMap<NodeId, String>>,
    ) -> Option<String> {
        let name = |node: NodeId| self.name_of(node, scope, added);
        if let Some(bits) = constant(functions) {
            return Some(self.constant_text(&bits));
        }
        let width = functions.len();
        let is_logical = kind == ComponentKind::Condition && width == 1;
        let texts: Vec<String> = functions
            .iter()
            .map(|function| match function.text(&name) {
                text if text == "0" || text == "1" => format!("1'b{text}"),
                text if is_logical => text.replace(" & ", " && ").replace(" | ", " || "),
                text => text,
            })
            .collect();
        if width == 1 {
            return texts.into_iter().next();
        }
        if let Some(word) = self.whole_word(&texts) {
            return Some(word);
        }
        let bits: Vec<String> = texts.into_iter().rev().collect();
        Some(format!("{{{}}}", bits.join(", ")))
    }

    /// A text as a value of an enumeration: the name of one, or else a cast, if the type has a
    /// name.
    fn enumerated_text(
        &self,
        enumerated: &EnumeratedValue,
        constant: Option<&[bool]>,
        text: String,
    ) -> Option<String> {
        let name = constant.and_then(|bits| enumerated.name_of(number_of(bits)));
        if let Some(name) = name {
            return Some(name.to_string());
        }
        let mut known = self.open.modules.values().flatten();
        let is_signal = known.any(|one| one.name == text && enumerated.is_family(one));
        if is_signal || enumerated.is_foreign() {
            return Some(text);
        }
        Some(format!("{}'({text})", enumerated.type_name.as_ref()?))
    }

    /// All bits of one word, in order, are the word.
    fn whole_word(&self, texts: &[String]) -> Option<String> {
        let word = texts.first()?.strip_suffix("[0]")?;
        let mut bits = texts.iter().enumerate();
        let is_whole = bits.all(|(bit, text)| *text == format!("{word}[{bit}]"));
        let mut known = self.open.modules.values().flatten();
        let is_known = known.any(|one| one.name == word && one.width == texts.len());
        (is_whole && is_known).then(|| word.to_string())
    }

    /// A constant by its name, if one of that width has it.
    fn constant_text(&self, bits: &[bool]) -> String {
        let width = bits.len();
        let value = number_of(bits);
        let names = self.open.modules.values().flatten();
        let named = names
            .filter(|one| one.width == width && width > 1)
            .find(|one| one.kind == VisibleKind::Constant(value));
        match named {
            Some(one) => one.name.clone(),
            None if width == 1 => format!("1'b{value}"),
            None => format!("{width}'d{value}"),
        }
    }
}

/// Bits that depend on nothing.
fn constant(functions: &[Function]) -> Option<Vec<bool>> {
    let bits = functions.iter().map(|function| match function {
        Function::Constant(value) => Some(*value),
        _ => None,
    });
    bits.collect()
}

fn number_of(bits: &[bool]) -> i64 {
    let bits = bits.iter().take(63).enumerate();
    bits.fold(0, |value, (index, bit)| value | (*bit as i64) << index)
}
