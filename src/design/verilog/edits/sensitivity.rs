//! Template: the events that a clocked block waits for: the other edge, or one event less.

use super::{Kind, Lister, SourceEdit, cost};
use crate::design::verilog::syntax::*;
use crate::source::Span;

impl Lister<'_> {
    pub(super) fn events(&mut self, always: &Always) {
        for (index, edge) in always.edges.iter().enumerate() {
            let (own, other) = if edge.rising {
                ("posedge", "negedge")
            } else {
                ("negedge", "posedge")
            };
            let text = self.text(edge.span);
            if let Some(rest) = text.strip_prefix(own) {
                let text = format!("{other}{rest}");
                self.replace(edge.span, text, Kind::Sensitivity, cost::SENSITIVITY);
            }
            if index > 0 {
                let gone = Span {
                    start: always.edges[index - 1].span.end,
                    ..edge.span
                };
                let changes = vec![(gone, String::new())];
                let cost = cost::SENSITIVITY + 1;
                self.push(SourceEdit::new(Kind::Sensitivity, changes, cost));
            }
        }
    }
}
