//! Components of a Verilog design that take a value in each cycle: right-hand sides and
//! conditions.
//!
//! While the design is elaborated, each of them gets buffers of its own between what computes
//! it and what reads it. To open the component is to let the system drive the buffers. A
//! span of the source stands for as many values as there are instances and iterations
//! around it.

use crate::design::component::ComponentKind;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::Design;
use crate::design::words::Bits;
use crate::source::Span;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub struct Recorded {
    pub kind: ComponentKind,
    pub span: Span,
    /// The scope of the first instance.
    pub scope: Vec<String>,
    /// For each instance or iteration its bits, least significant first.
    pub instances: Vec<Vec<NodeId>>,
}

#[derive(Debug, Default)]
pub struct Recorder {
    pub is_on: bool,
    pub list: Vec<Recorded>,
    known: HashMap<(Span, ComponentKind), usize>,
}

impl Recorder {
    pub fn new(is_on: bool) -> Recorder {
        Recorder {
            is_on,
            ..Recorder::default()
        }
    }

    pub fn record(
        &mut self,
        design: &mut Design,
        kind: ComponentKind,
        span: Span,
        scope: Vec<String>,
        bits: Bits,
    ) -> Bits {
        if !self.is_on {
            return bits;
        }
        let nodes: Vec<NodeId> = bits
            .iter()
            .map(|bit| {
                let id = design.add_gate(Literal::TRUE, *bit);
                design.set_span(id, Some(span));
                id
            })
            .collect();
        let bits = nodes.iter().map(|id| id.literal()).collect();
        let next = self.list.len();
        let index = *self.known.entry((span, kind)).or_insert(next);
        if index == next {
            self.list.push(Recorded {
                kind,
                span,
                scope,
                instances: Vec::new(),
            });
        }
        self.list[index].instances.push(nodes);
        bits
    }
}
