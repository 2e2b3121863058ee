//! Designs whose registers do not all move with one edge of one input: several clocks, both
//! edges, clocks that logic makes or gates.
//!
//! Then a step of the design is one of a global clock, which is faster than all others, and
//! clocks are signals like any other. A register moves in the step in which its clock is seen
//! to have risen, and takes what it was to take in the step before; so all that happens before
//! an edge is seen by it, and nothing that happens at the same time (the reading of Yosys'
//! `clk2fflogic`). No edge is seen in the first step.

use super::codes;
use super::finish::{refuse_clock_as_data, source_of};
use super::process::Clock;
use super::scope::Tables;
use super::syntax::FreeValue;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, Node, Reset};
use crate::expr::{PropertyBody, Role, SvaKind};
use crate::quick_hash::{QuickMap, QuickSet};
use crate::source::{Diagnostic, Span};

/// The edge that a bit of a register moves with.
pub struct Move {
    /// Where the bit is kept.
    pub state: NodeId,
    /// What others read as the bit.
    pub visible: Literal,
    pub clock: usize,
}

/// What the design is like in steps of the global clock.
pub struct GlobalClock {
    /// For each clock that was found rising, the literal that is true in the step of its edge.
    events: QuickMap<Literal, Literal>,
    /// Signals that are the global clock itself.
    every_step: QuickSet<NodeId>,
}

impl GlobalClock {
    /// Makes every register move with its own clock.
    pub fn apply(
        design: &mut Design,
        tables: &mut Tables<'_>,
        clocks: &[Clock],
        moves: &[Move],
    ) -> Result<(), Diagnostic> {
        let mut global = GlobalClock {
            events: QuickMap::default(),
            every_step: QuickSet::default(),
        };
        global.refuse_what_counts_steps(tables, clocks)?;
        let signals = tables.signals.iter();
        let signals = signals.filter(|signal| signal.free == Some(FreeValue::GlobalClock));
        let bits = signals.flat_map(|signal| &signal.bits);
        global.every_step = bits.map(|bit| source_of(design, *bit).node()).collect();
        for one in moves {
            tables.limits.poll()?;
            if global.is_global(design, clocks[one.clock].literal) {
                continue;
            }
            global.delay(design, tables, one, &clocks[one.clock]);
        }
        global.assertions(design, tables);
        // Every step is one of the global clock; nothing else of it is left.
        for clock in &global.every_step {
            refuse_clock_as_data(design, tables, *clock, clocks)?;
            design.replace(*clock, Node::And(Literal::TRUE, Literal::FALSE));
        }
        Ok(())
    }

    fn is_global(&self, design: &Design, clock: Literal) -> bool {
        self.every_step.contains(&source_of(design, clock).node())
    }

    /// True in the step in which a clock is seen to have risen, or fallen.
    fn event(&mut self, design: &mut Design, clock: Literal, rising: bool) -> Literal {
        let level = source_of(design, clock).complement_if(!rising);
        if let Some(event) = self.events.get(&level) {
            return *event;
        }
        let before = design.add_latch(Reset::One);
        design.set_next(before, level);
        design.set_hidden(before, true);
        design.set_name(before, format!("clock$before{}", self.events.len()));
        let event = design.and(level, !before.literal());
        self.events.insert(level, event);
        event
    }

    fn delay(&mut self, design: &mut Design, tables: &mut Tables<'_>, one: &Move, clock: &Clock) {
        let Some(latch) = design.latch(one.state) else {
            return;
        };
        let (next, reset) = (latch.next, latch.reset);
        let span = design.span(one.state);
        let event = self.event(design, clock.literal, clock.rising);
        let kept = design.add_latch(reset);
        design.set_span(kept, span);
        let taken = design.add_latch(Reset::Zero);
        design.set_hidden(taken, true);
        design.set_next(taken, next);
        let value = design.mux(event, taken.literal(), kept.literal());
        let keeps_itself = one.visible.node() == one.state;
        design.replace(one.state, Node::And(Literal::TRUE, value));
        design.set_next(kept, if keeps_itself { value } else { one.visible });
        let default = tables.sampled_defaults.get(&one.state).copied().flatten();
        tables.sampled_defaults.insert(kept, default);
        let number = design.len();
        design.set_name(kept, format!("clock$kept{number}"));
        design.set_hidden(kept, true);
        design.set_name(taken, format!("clock$taken{number}"));
    }

    /// Functions that look at earlier steps, and properties that last for more than one, count
    /// steps of one clock.
    fn refuse_what_counts_steps(
        &self,
        tables: &Tables<'_>,
        clocks: &[Clock],
    ) -> Result<(), Diagnostic> {
        let refused = |message: &str, span: Option<Span>| {
            let mut diagnostic = Diagnostic::error(codes::CLOCKING, message);
            if let Some(span) = span {
                diagnostic = diagnostic.at(span, "this counts steps of one clock");
            }
            let others = clocks.iter().take(2);
            let diagnostic = others.fold(diagnostic, |diagnostic, clock| {
                diagnostic.at(clock.span, "a clock")
            });
            diagnostic.help(
                "assert conditions in clocked blocks, and keep earlier values in registers of the design",
            )
        };
        if !tables.asserted.past.is_empty() {
            let message =
                "a design with several clocks has no steps that `$past` and its kin count";
            return Err(refused(message, None));
        }
        for item in &tables.asserted.items {
            if let PropertyBody::Concurrent {
                property,
                disable,
                once,
            } = &item.body
                && (disable.is_some() || *once || !matches!(property.kind, SvaKind::Condition(_)))
            {
                let message = "a property over several steps of a design with several clocks is not supported";
                return Err(refused(message, item.span));
            }
        }
        Ok(())
    }

    /// A condition that is judged at an edge is judged with the values before it.
    fn assertions(&mut self, design: &mut Design, tables: &mut Tables<'_>) {
        let mut items = std::mem::take(&mut tables.asserted.items);
        let clocks = tables.asserted.item_clocks.clone();
        for (item, clock) in items.iter_mut().zip(clocks) {
            let condition = match &item.body {
                PropertyBody::Invariant(condition) => condition,
                PropertyBody::Concurrent { property, .. } => match &property.kind {
                    SvaKind::Condition(condition) => condition,
                    _ => continue,
                },
                _ => continue,
            };
            let clock = clock.filter(|(clock, _)| !self.is_global(design, *clock));
            let (span, Some((clock, rising))) = (condition.span, clock) else {
                item.body = PropertyBody::Invariant(condition.clone());
                continue;
            };
            let Some(literal) = tables.asserted.condition(condition) else {
                continue;
            };
            let event = self.event(design, clock, rising);
            let before = design.add_latch(match item.role {
                Role::Cover => Reset::Zero,
                Role::Assert | Role::Assume => Reset::One,
            });
            design.set_next(before, literal);
            design.set_hidden(before, true);
            design.set_name(before, format!("clock$judged{}", before.index()));
            let judged = match item.role {
                Role::Cover => design.and(event, before.literal()),
                Role::Assert | Role::Assume => design.or(!event, before.literal()),
            };
            let watched = tables.asserted.watch(judged, span);
            item.body = PropertyBody::Invariant(watched);
        }
        tables.asserted.items = items;
    }
}
