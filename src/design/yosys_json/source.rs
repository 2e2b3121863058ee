//! A netlist in the form in which our own front end gives a design, so that the source of a
//! design that Yosys has read can be edited.

use super::{Expression, YosysNetlist};
use crate::design::component::ComponentKind;
use crate::design::verilog::{Clock, Elaborated, Enumerated, Recorded, VisibleName};
use crate::source::{Sources, Span};
use std::collections::{HashMap, HashSet};

impl YosysNetlist {
    /// `spans` are the right-hand sides and conditions of the source: those that are the
    /// span of a cell become components. `names` is what names mean in each module.
    pub fn elaborated(
        &self,
        spans: &HashMap<Span, ComponentKind>,
        names: HashMap<String, Vec<VisibleName>>,
        sources: &Sources,
    ) -> Elaborated {
        let mut components: Vec<Recorded> = Vec::new();
        for cell in &self.components {
            let Some(span) = cell.component.span else {
                continue;
            };
            let is_value = match cell.expression {
                Some(Expression::Operator) => true,
                Some(Expression::Choice) => sources.text(span).contains('?'),
                None => false,
            };
            let Some(kind) = spans.get(&span).filter(|_| is_value) else {
                continue;
            };
            match components.iter_mut().find(|one| one.span == span) {
                Some(known) => known.instances.push(cell.nodes.clone()),
                None => components.push(Recorded {
                    kind: *kind,
                    span,
                    scope: cell.component.scope.clone(),
                    instances: vec![cell.nodes.clone()],
                }),
            }
        }
        Elaborated {
            design: self.design.clone(),
            top: self.interface.module.clone(),
            clock: self.interface.clock.as_ref().map(|(name, rising)| Clock {
                name: name.clone(),
                rising: *rising,
            }),
            components,
            properties: self.properties.clone(),
            checking_only: HashSet::new(),
            warnings: Vec::new(),
            enumerated: Enumerated::default(),
            uninitialised: Vec::new(),
            latches: Vec::new(),
            reset_again: Vec::new(),
            property_only: HashSet::new(),
            unknowns: Vec::new(),
            modules: names,
        }
    }
}
