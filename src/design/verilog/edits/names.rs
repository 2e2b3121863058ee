//! What names mean in each module, for a design that another front end has read: what is
//! declared comes from the text, how wide it is from the circuit.
//!
//! A name whose width the circuit does not tell is left out, and with it the edits that would
//! need it. Constants count if their values are plain numbers.

use crate::design::netlist::{Design, Word};
use crate::design::verilog::syntax::*;
use crate::design::verilog::{SourceTree, VisibleKind, VisibleName};
use crate::expr::{Digit, Expr, ExprKind};
use std::collections::HashMap;

/// The width of a number that was written without one.
const PLAIN_NUMBER: usize = 32;

/// The names of all modules. Words of the design are called by their paths below `top`.
pub fn visible(tree: &SourceTree, design: &Design, top: &str) -> HashMap<String, Vec<VisibleName>> {
    let mut types: HashMap<&str, &DataType> = HashMap::new();
    for module in &tree.modules {
        collect_types(&module.items, &mut types);
    }
    let mut names: HashMap<String, Vec<VisibleName>> = HashMap::new();
    for module in &tree.modules {
        let mut collector = Collector {
            design,
            types: &types,
            is_top: module.name.text == top,
            names: Vec::new(),
        };
        // Packages are seen from everywhere.
        for package in tree.modules.iter().filter(|one| one.is_package) {
            collector.items(&package.items);
        }
        for parameter in &module.parameters {
            collector.parameter(parameter);
        }
        collector.items(&module.items);
        names.insert(module.name.text.clone(), collector.names);
    }
    names
}

fn collect_types<'t>(items: &'t [Item], types: &mut HashMap<&'t str, &'t DataType>) {
    for item in items {
        if let ItemKind::TypeDefinition(name, data_type, _) = &item.kind {
            types.insert(&name.text, data_type);
        }
    }
}

struct Collector<'a> {
    design: &'a Design,
    types: &'a HashMap<&'a str, &'a DataType>,
    is_top: bool,
    names: Vec<VisibleName>,
}

impl Collector<'_> {
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match &item.kind {
                ItemKind::Parameter(parameter) => self.parameter(parameter),
                ItemKind::TypeDefinition(_, data_type, _) => self.members(data_type),
                ItemKind::Declaration(declaration) => self.declaration(declaration),
                _ => {}
            }
        }
    }

    fn push(&mut self, name: VisibleName) {
        if self.names.iter().all(|known| known.name != name.name) {
            self.names.push(name);
        }
    }

    fn declaration(&mut self, declaration: &Declaration) {
        let family = declaration
            .data_type
            .as_ref()
            .and_then(|one| self.family(one));
        if let Some(data_type) = &declaration.data_type {
            self.members(data_type);
        }
        for declarator in &declaration.names {
            if !declarator.dimensions.is_empty() {
                continue;
            }
            let Some(word) = self.word(&declarator.name.text) else {
                continue;
            };
            let nodes = || word.bits.iter().map(|bit| bit.node());
            let is_register = nodes().any(|node| self.design.latch(node).is_some());
            let kind = match (declaration.direction, is_register) {
                (Some(Direction::Input), _) => VisibleKind::Input,
                (_, true) => VisibleKind::Register,
                (_, false) => VisibleKind::Logic,
            };
            let checking_only =
                kind != VisibleKind::Input && nodes().all(|node| self.design.is_hidden(node));
            let name = VisibleName {
                name: declarator.name.text.clone(),
                width: word.bits.len(),
                signed: word.signed,
                kind,
                checking_only,
                family: family.clone(),
            };
            self.push(name);
        }
    }

    /// The word of the circuit that is called so, in any instance.
    fn word(&self, name: &str) -> Option<&Word> {
        let mut words = self.design.words().iter();
        words.find(|word| match word.name.rsplit_once('.') {
            Some((_, last)) => !self.is_top && last == name,
            None => self.is_top && word.name == name,
        })
    }

    /// The first value of the enumeration that a type is.
    fn family(&self, data_type: &DataType) -> Option<String> {
        match &data_type.kind {
            TypeKind::Enumeration { members, .. } => Some(members.first()?.0.text.clone()),
            TypeKind::Named(path) => {
                let known = self.types.get(path.last()?.text.as_str())?;
                match &known.kind {
                    TypeKind::Enumeration { members, .. } => Some(members.first()?.0.text.clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The values of an enumeration.
    fn members(&mut self, data_type: &DataType) {
        let TypeKind::Enumeration { base, members } = &data_type.kind else {
            return;
        };
        let Some(width) = enumeration_width(base.as_deref()) else {
            return;
        };
        let family = self.family(data_type);
        let mut next = 0;
        for (member, value) in members {
            let written = value.as_ref().map(plain_number);
            let value = match written {
                Some(Some((value, _))) => value,
                Some(None) => return,
                None => next,
            };
            next = value.wrapping_add(1);
            self.push(VisibleName {
                name: member.text.clone(),
                width,
                signed: false,
                kind: VisibleKind::Constant(value),
                checking_only: false,
                family: family.clone(),
            });
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        let Some((value, width)) = parameter.value.as_ref().and_then(plain_number) else {
            return;
        };
        self.push(VisibleName {
            name: parameter.name.text.clone(),
            width,
            signed: false,
            kind: VisibleKind::Constant(value),
            checking_only: false,
            family: None,
        });
    }
}

/// `logic [1:0]`, with plain numbers; `int` if there is nothing.
fn enumeration_width(base: Option<&DataType>) -> Option<usize> {
    let Some(base) = base else {
        return Some(PLAIN_NUMBER);
    };
    match (&base.kind, base.dimensions.as_slice()) {
        (TypeKind::Integer(width, _), []) => Some(*width),
        (TypeKind::Logic, []) => Some(1),
        (TypeKind::Logic, [only]) => {
            let (left, _) = plain_number(&only.left)?;
            let (right, _) = plain_number(only.right.as_ref()?)?;
            Some(left.abs_diff(right) as usize + 1)
        }
        _ => None,
    }
}

/// The value and width of a number, if an expression is one.
fn plain_number(expr: &Expr) -> Option<(i64, usize)> {
    let ExprKind::Number(number) = &expr.kind else {
        return None;
    };
    let mut value = 0i64;
    for (index, digit) in number.bits.iter().enumerate() {
        match digit {
            Digit::One if index < 62 => value |= 1 << index,
            Digit::Zero => {}
            _ => return None,
        }
    }
    let width = number.width.map_or(PLAIN_NUMBER, |width| width as usize);
    Some((value, width))
}
