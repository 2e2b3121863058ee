//! AIGER 1.9 (Biere, Heljanko, Wieringa: "AIGER 1.9 And Beyond"), ASCII and binary.
//!
//! Enters: the bytes of a file. Leaves: an [`AigerFile`], which is a design, the signals of
//! the property sections, and the layout that lets the same file be written again.
//! Inputs called `controllable_...` are choices of the system, as in the files of the
//! synthesis competition; [`AigerFile::synthesis_game`] writes such files.

mod front_end;
mod game;
mod layout;
mod read;
mod scan;
mod symbols;
mod write;

pub use front_end::AigerFrontEnd;
pub use layout::Layout;
pub use read::{read, read_source};
pub use write::Form;

use std::collections::{BTreeMap, HashSet};

use super::codes;
use super::cone::NodeSet;
use super::expression::elaborate_atom;
use super::holes::Netlist;
use super::literal::{Literal, NodeId};
use super::netlist::{Design, Word};
use crate::expr::{Expr, ExprKind, PropertyBody, PropertyItem, Role};
use crate::source::{Diagnostic, Span};

/// The prefix that makes an input a choice of the system.
pub const CONTROLLABLE: &str = "controllable_";

#[derive(Clone, Debug, PartialEq)]
pub struct AigerFile {
    pub design: Design,
    pub bad: Vec<Signal>,
    pub constraints: Vec<Signal>,
    pub justice: Vec<Justice>,
    pub fairness: Vec<Signal>,
    /// Outputs are signals of the circuit, whatever the version of the file: properties come
    /// from elsewhere.
    pub outputs_are_plain: bool,
    pub layout: Layout,
}

/// One literal of a property section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    pub name: Option<String>,
    pub literal: Literal,
    pub span: Option<Span>,
}

/// A justice property: violated by a run that visits each literal infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Justice {
    pub name: Option<String>,
    pub literals: Vec<Literal>,
    pub span: Option<Span>,
}

impl AigerFile {
    /// A design from elsewhere with its properties, to be written as AIGER. Atoms are
    /// elaborated into the design.
    pub fn from_design(
        mut design: Design,
        properties: &[PropertyItem],
    ) -> Result<AigerFile, Diagnostic> {
        let mut file = AigerFile {
            design: Design::new(),
            bad: Vec::new(),
            constraints: Vec::new(),
            justice: Vec::new(),
            fairness: Vec::new(),
            outputs_are_plain: false,
            layout: Layout::default(),
        };
        for item in properties {
            let signal = |literal: Literal| Signal {
                name: item.name.clone(),
                literal,
                span: item.span,
            };
            match (item.role, &item.body) {
                (Role::Assert, PropertyBody::Invariant(expr)) => {
                    let holds = elaborate_atom(&mut design, expr)?;
                    file.bad.push(signal(!holds));
                }
                (Role::Assume, PropertyBody::Invariant(expr)) => {
                    let holds = elaborate_atom(&mut design, expr)?;
                    file.constraints.push(signal(holds));
                }
                (Role::Assume, PropertyBody::Recurrence(expr)) => {
                    let holds = elaborate_atom(&mut design, expr)?;
                    file.fairness.push(signal(holds));
                }
                (Role::Assert, PropertyBody::NeverAllRecurring(exprs)) => {
                    let mut literals = Vec::new();
                    for expr in exprs {
                        literals.push(elaborate_atom(&mut design, expr)?);
                    }
                    file.justice.push(Justice {
                        name: item.name.clone(),
                        literals,
                        span: item.span,
                    });
                }
                _ => return Err(not_expressible(item)),
            }
        }
        file.design = design;
        Ok(file)
    }

    /// Whether the outputs are the bad signals, as in files from before version 1.9.
    pub fn outputs_are_bad(&self) -> bool {
        self.bad.is_empty() && self.justice.is_empty() && !self.outputs_are_plain
    }

    /// What the file demands: assertions first, then assumptions, each in file order.
    pub fn properties(&self) -> Vec<PropertyItem> {
        let invariant = |role: Role, name: &Option<String>, literal: Literal, span| PropertyItem {
            role,
            name: name.clone(),
            span,
            body: PropertyBody::Invariant(net(literal, span)),
        };
        let mut items = Vec::new();
        if self.outputs_are_bad() {
            for output in self.design.outputs() {
                let holds = !output.literal;
                items.push(invariant(Role::Assert, &output.name, holds, output.span));
            }
        }
        for bad in &self.bad {
            items.push(invariant(Role::Assert, &bad.name, !bad.literal, bad.span));
        }
        for justice in &self.justice {
            let literals = justice.literals.iter();
            let exprs = literals
                .map(|literal| net(*literal, justice.span))
                .collect();
            items.push(PropertyItem {
                role: Role::Assert,
                name: justice.name.clone(),
                span: justice.span,
                body: PropertyBody::NeverAllRecurring(exprs),
            });
        }
        for constraint in &self.constraints {
            let Signal {
                name,
                literal,
                span,
            } = constraint;
            items.push(invariant(Role::Assume, name, *literal, *span));
        }
        for fairness in &self.fairness {
            items.push(PropertyItem {
                role: Role::Assume,
                name: fairness.name.clone(),
                span: fairness.span,
                body: PropertyBody::Recurrence(net(fairness.literal, fairness.span)),
            });
        }
        items
    }

    /// The seam that all front ends share.
    pub fn into_parts(self) -> (Design, Vec<PropertyItem>) {
        let properties = self.properties();
        (self.design, properties)
    }

    fn property_literals(&self) -> Vec<Literal> {
        let signals = self
            .bad
            .iter()
            .chain(&self.constraints)
            .chain(&self.fairness);
        let mut literals: Vec<Literal> = signals.map(|signal| signal.literal).collect();
        literals.extend(self.justice.iter().flat_map(|justice| &justice.literals));
        if self.outputs_are_bad() {
            let outputs = self.design.outputs().iter();
            literals.extend(outputs.map(|output| output.literal));
        }
        literals
    }

    /// Lets atoms refer to the named signals of property sections, unless something of the
    /// circuit has the name.
    fn declare_property_names(&mut self) {
        let design = &self.design;
        let outputs = design.outputs().iter();
        let mut taken: HashSet<String> = outputs
            .filter_map(|output| output.name.clone())
            .chain(design.names().map(|(_, name)| name.to_string()))
            .collect();
        let signals = self
            .bad
            .iter()
            .chain(&self.constraints)
            .chain(&self.fairness);
        for signal in signals {
            let Some(name) = signal.name.clone().filter(|name| !name.is_empty()) else {
                continue;
            };
            if taken.insert(name.clone()) {
                self.design.add_word(Word {
                    name,
                    signed: false,
                    left: 0,
                    right: 0,
                    bits: vec![signal.literal],
                });
            }
        }
    }

    /// The circuit with every gate, next value and reset of it as a component. What exists
    /// only for a property is hidden.
    pub fn netlist(&self) -> Netlist {
        let mut file = self.clone();
        let real = file.hide_observers();
        let design = file.design;
        let numbered = |id: NodeId| Some((id, self.layout.file_literal(id)?));
        let numbers: BTreeMap<NodeId, u32> = design.node_ids().filter_map(numbered).collect();
        Netlist::of_gates(design, &real, numbers)
    }

    /// Hides what exists only for a property; gives back what the circuit itself consists of.
    fn hide_observers(&mut self) -> NodeSet {
        let real = self.design.real_cone(!self.outputs_are_bad());
        let observed = self.property_literals();
        self.design.hide_observers(observed, &real);
        real
    }

    /// The same file with another circuit, such as one with components replaced. Literals of
    /// the property sections keep their meaning.
    pub fn with_design(&self, design: Design) -> AigerFile {
        AigerFile {
            design,
            ..self.clone()
        }
    }
}

fn net(literal: Literal, span: Option<Span>) -> Expr {
    Expr {
        kind: ExprKind::Net(literal.code()),
        span,
    }
}

fn not_expressible(item: &PropertyItem) -> Diagnostic {
    let name = match &item.name {
        Some(name) => format!("property `{name}`"),
        None => "this property".to_string(),
    };
    let message = format!("{name} has no form in AIGER");
    let diagnostic = Diagnostic::error(codes::AIGER_NOT_EXPRESSIBLE, message).help(
        "AIGER has asserted and assumed invariants, assumed recurrence, and asserted justice",
    );
    diagnostic.at_optional(item.span, "")
}
