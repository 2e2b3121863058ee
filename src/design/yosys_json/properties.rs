//! Cells that state properties.

use super::document::{Bit, Cell, number};
use super::read::{Read, Reader, at, unsupported};
use crate::design::literal::Literal;
use crate::design::netlist::Reset;
use crate::design::reserved::CONDITION_PREFIX;
use crate::expr::{Expr, ExprKind, PropertyBody, PropertyItem, Role, Sva, SvaKind};
use crate::source::codes::verilog as codes;
use crate::source::{Diagnostic, Span};

impl Reader<'_> {
    fn first_step(&mut self) -> Literal {
        if let Some(known) = self.first_step {
            return known;
        }
        let latch = self.design.add_latch(Reset::One);
        self.design.set_next(latch, Literal::FALSE);
        self.design.set_hidden(latch, true);
        self.design.set_name(latch, "initstate$");
        self.first_step = Some(latch.literal());
        latch.literal()
    }

    fn condition(&mut self, literal: Literal, span: Option<Span>) -> Expr {
        let name = format!("{CONDITION_PREFIX}{}", self.conditions.len());
        self.conditions.push((name.clone(), literal));
        Expr {
            kind: ExprKind::Name(vec![name]),
            span,
        }
    }

    pub(super) fn property(&mut self, name: &str, cell: &Cell, flavor: &str) -> Read<()> {
        let span = self.span_of(cell);
        let holds = self
            .bits(cell, "A")
            .first()
            .copied()
            .unwrap_or(Literal::TRUE);
        let enabled = self
            .bits(cell, "EN")
            .first()
            .copied()
            .unwrap_or(Literal::TRUE);
        let is_triggered = cell.parameters.get("TRG_ENABLE").and_then(number) == Some(1);
        let enabled = match (is_triggered, self.output_bits(cell, "TRG")) {
            // Without an edge it is triggered once: a statement of an `initial` block.
            (true, []) => {
                let first = self.first_step();
                self.design.and(first, enabled)
            }
            _ => enabled,
        };
        if let (true, [Bit::Net(net)]) = (is_triggered, self.output_bits(cell, "TRG")) {
            let rising = cell.parameters.get("TRG_POLARITY").and_then(number) != Some(0);
            self.same_clock(*net, rising, span)?;
        }
        let role = match flavor {
            "assert" | "live" => Role::Assert,
            "assume" | "fair" => Role::Assume,
            "cover" => Role::Cover,
            _ => return Err(unsupported(name, cell, span)),
        };
        let body = match flavor {
            "live" | "fair" => self.eventually(enabled, holds, span),
            "cover" => {
                let reached = self.design.and(enabled, holds);
                PropertyBody::Invariant(self.condition(reached, span))
            }
            _ => {
                let kept = self.design.or(!enabled, holds);
                PropertyBody::Invariant(self.condition(kept, span))
            }
        };
        let is_named = cell.hide_name == 0 && !name.starts_with('$');
        self.properties.push(PropertyItem {
            role,
            name: is_named.then(|| name.to_string()),
            span,
            body,
        });
        Ok(())
    }

    /// Properties are judged at the clock of the registers.
    fn same_clock(&mut self, net: u64, rising: bool, span: Option<Span>) -> Read<()> {
        let same = self
            .clock
            .is_none_or(|(known, edge, _)| known == net && edge == rising);
        if !same {
            let message = "this property moves with another clock than the registers";
            return Err(at(Diagnostic::error(codes::CLOCKING, message), span));
        }
        self.clock = self.clock.or(Some((net, rising, span)));
        Ok(())
    }

    /// Whenever it is enabled, the condition holds then or later.
    fn eventually(&mut self, enabled: Literal, holds: Literal, span: Option<Span>) -> PropertyBody {
        let eventually = Sva {
            kind: SvaKind::Eventually(None, Box::new(Sva::condition(self.condition(holds, span)))),
            span,
        };
        let property = match enabled.as_constant() {
            Some(true) => eventually,
            _ => Sva {
                kind: SvaKind::Implication {
                    antecedent: Box::new(Sva::condition(self.condition(enabled, span))),
                    overlapping: true,
                    consequent: Box::new(eventually),
                },
                span,
            },
        };
        PropertyBody::Concurrent {
            property,
            disable: None,
            once: false,
            ticks: None,
        }
    }
}
