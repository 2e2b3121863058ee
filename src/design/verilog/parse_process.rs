//! The heads of processes: what they wait for.

use super::codes;
use super::parse::{Parsed, Parser};
use super::syntax::*;
use crate::source::Diagnostic;

impl Parser<'_, '_> {
    pub(super) fn always(&mut self) -> Parsed<ItemKind> {
        let start = self.token().span;
        let kind = match self.token().text {
            "always_comb" => AlwaysKind::Combinational,
            "always_ff" => AlwaysKind::Registers,
            "always_latch" => AlwaysKind::Latch,
            _ => AlwaysKind::Plain,
        };
        self.tokens.advance();
        let mut sensitivity = Sensitivity::default();
        if self.take_symbol("@") {
            sensitivity = self.sensitivity()?;
        } else if matches!(kind, AlwaysKind::Plain | AlwaysKind::Registers) {
            if kind == AlwaysKind::Plain && (self.at("begin") || self.at_symbol("#")) {
                return Err(self
                    .unsupported("`always` without an event")
                    .help("a test bench that is a module of its own is left out"));
            }
            return Err(self.unexpected("`@`"));
        }
        let head = start.to(self.last_span());
        let mut body = self.statement()?;
        if let Some(condition) = sensitivity.only_if {
            // At its edge, the block runs if the condition holds.
            let span = body.span;
            let kind = StatementKind::If {
                condition,
                then: Box::new(body),
                otherwise: None,
            };
            body = Statement { kind, span };
        }
        Ok(ItemKind::Always(Always {
            kind,
            edges: sensitivity.edges,
            levels: sensitivity.levels,
            body,
            head,
        }))
    }

    /// `*`, `(*)`, `(a or b)` or `(posedge clk, negedge rst)`.
    pub(super) fn sensitivity(&mut self) -> Parsed<Sensitivity> {
        let mut edges = Vec::new();
        if self.take_symbol("*") {
            return Ok(Sensitivity::default());
        }
        if self.token().text == "$global_clock" {
            let span = self.token().span;
            let signal = self.expression()?;
            edges.push(Edge {
                rising: true,
                signal,
                span,
            });
            return Ok(Sensitivity {
                edges,
                ..Sensitivity::default()
            });
        }
        if !self.at_symbol("(") {
            return Ok(Sensitivity {
                levels: vec![self.target()?],
                ..Sensitivity::default()
            });
        }
        self.tokens.advance();
        if self.take_symbol("*") {
            self.expect(")")?;
            return Ok(Sensitivity::default());
        }
        let mut levels = Vec::new();
        let mut only_if = None;
        loop {
            let start = self.token().span;
            // The steps of the global clock are its edges.
            let is_global = self.token().text == "$global_clock";
            let rising = is_global || self.take("posedge");
            let is_both = !rising && self.take("edge");
            let is_edge = rising || is_both || self.take("negedge");
            let signal = self.expression()?;
            let span = start.to(self.last_span());
            if self.at("iff") && (!is_edge || !edges.is_empty() || !levels.is_empty()) {
                return Err(self
                    .unsupported("`iff` in a list of several events")
                    .help("test the condition in the block"));
            }
            if self.take("iff") {
                only_if = Some(self.expression()?);
            }
            if is_both {
                edges.push(Edge {
                    rising: true,
                    signal: signal.clone(),
                    span,
                });
            }
            if is_edge {
                edges.push(Edge {
                    rising,
                    signal,
                    span,
                })
            } else {
                levels.push(signal)
            }
            if !self.take_symbol(",") && !self.take("or") {
                break;
            }
            if only_if.is_some() {
                return Err(self
                    .unsupported("`iff` in a list of several events")
                    .help("test the condition in the block"));
            }
        }
        self.expect(")")?;
        if let (Some(level), Some(edge)) = (levels.first(), edges.first()) {
            return Err(Diagnostic::error(
                codes::UNSUPPORTED,
                "a sensitivity list with edges and levels is not supported",
            )
            .at(level.span.unwrap_or(edge.span), "a level")
            .at(edge.span, "an edge")
            .help("use edges only for registers, `@*` for combinational logic"));
        }
        Ok(Sensitivity {
            edges,
            levels,
            only_if,
        })
    }
}
