//! Template: the events that a block waits for: the other edge, or one event less; an edge of
//! the only signal that a list names.

use super::{Kind, Lister, SourceEdit, cost};
use crate::design::verilog::syntax::*;
use crate::expr::ExprKind;
use crate::source::Span;

impl Lister<'_> {
    /// The edge of a clock that a list names without one.
    pub(super) fn forgotten_edge(&mut self, always: &Always) {
        let [level] = always.levels.as_slice() else {
            return;
        };
        let (ExprKind::Name(_), Some(span)) = (&level.kind, level.span) else {
            return;
        };
        let name = self.text(span).to_string();
        for (edge, more) in [("posedge", 0), ("negedge", 1)] {
            let text = format!("{edge} {name}");
            self.replace(span, text, Kind::Sensitivity, cost::SENSITIVITY + more);
        }
    }

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
