//! Designs whose registers do not all move with one edge of one input: several clocks, both
//! edges, clocks that logic makes or gates.
//!
//! Then a step of the design is one of a global clock, which is faster than all others, and
//! clocks are signals like any other. A register moves in the step in which its clock is seen
//! to have risen, and takes what it was to take in the step before; so all that happens before
//! an edge is seen by it, and nothing that happens at the same time (the reading of Yosys'
//! `clk2fflogic`). No edge is seen in the first step. Of a block with several edges, the first
//! one in its list that is seen counts.
//!
//! Clocks may depend on registers that move with them. Where such a dependency is a loop within
//! a step, its registers show their new values one step later, as if each moved a little after
//! its edge; simulators settle such a loop in rounds without time between them.

use super::codes;
use super::finish::{refuse_clock_as_data, source_of};
use super::frame::{Found, Frame};
use super::process::Clock;
use super::scope::{SignalId, Tables};
use super::syntax::{Edge, FreeValue};
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, Node, Reset};
use crate::design::reserved::LEVEL_OF_CLOCK;
use crate::design::words::Bits;
use crate::expr::{Expr, ExprKind, PropertyBody, Role, Sva, SvaKind};
use crate::graph;
use crate::quick_hash::{QuickMap, QuickSet};
use crate::source::{Diagnostic, Span};

/// What the names of latches for the values before an edge begin with.
pub const BEFORE: &str = "clock$before";

/// The edge that a bit of a register moves with.
pub struct Move {
    /// Where the bit is kept.
    pub state: NodeId,
    /// What others read as the bit.
    pub visible: Literal,
    /// The edges that move it, and what it takes at each.
    pub edges: Vec<(usize, Literal)>,
}

/// A bit that moves with its own clock now.
struct Moved {
    /// The buffer that others read.
    shown: NodeId,
    /// The latch that keeps it, and what it has to be in this step.
    kept: NodeId,
    value: Literal,
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
        global.refuse_several_in_one(design, tables, clocks)?;
        let signals = tables.signals.iter();
        let signals = signals.filter(|signal| signal.free == Some(FreeValue::GlobalClock));
        let bits = signals.flat_map(|signal| &signal.bits);
        let bits = bits.chain(&tables.global_clock);
        global.every_step = bits.map(|bit| source_of(design, *bit).node()).collect();
        let mut moved = Vec::new();
        for one in moves {
            tables.limits.poll()?;
            let (first, _) = one.edges[0];
            if one.edges.len() == 1 && global.is_global(design, clocks[first].literal) {
                continue;
            }
            moved.extend(global.delay(design, tables, one, clocks));
        }
        global.pasts(design, tables);
        global.assertions(design, tables);
        show_later(design, &moved);
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
        design.set_name(before, format!("{LEVEL_OF_CLOCK}{}", self.events.len()));
        let event = design.and(level, !before.literal());
        self.events.insert(level, event);
        event
    }

    /// The bit, if it can show its value one step later.
    fn delay(
        &mut self,
        design: &mut Design,
        tables: &mut Tables<'_>,
        one: &Move,
        clocks: &[Clock],
    ) -> Option<Moved> {
        let reset = design.latch(one.state)?.reset;
        let span = design.span(one.state);
        let kept = design.add_latch(reset);
        design.set_span(kept, span);
        let number = design.len();
        let mut value = kept.literal();
        for (clock, next) in one.edges.iter().rev() {
            let clock = &clocks[*clock];
            let event = self.event(design, clock.literal, clock.rising);
            let taken = self.before(design, *next, Reset::Zero);
            value = design.mux(event, taken, value);
        }
        let keeps_itself = one.visible.node() == one.state;
        design.replace(one.state, Node::And(Literal::TRUE, value));
        design.set_next(kept, if keeps_itself { value } else { one.visible });
        let default = tables.sampled_defaults.get(&one.state).copied().flatten();
        tables.sampled_defaults.insert(kept, default);
        design.set_name(kept, format!("clock$kept{number}"));
        design.set_hidden(kept, true);
        keeps_itself.then_some(Moved {
            shown: one.state,
            kept,
            value,
        })
    }

    /// What a literal was in the step before.
    fn before(&mut self, design: &mut Design, literal: Literal, reset: Reset) -> Literal {
        let latch = design.add_latch(reset);
        design.set_hidden(latch, true);
        design.set_next(latch, literal);
        design.set_name(latch, format!("{BEFORE}{}", latch.index()));
        latch.literal()
    }

    /// Earlier values are those of the edge before, of the clock that counts.
    fn pasts(&mut self, design: &mut Design, tables: &mut Tables<'_>) {
        let mut pasts: Vec<_> = tables.asserted.past.iter().collect();
        pasts.sort_by_key(|(_, past)| past.node());
        for ((of, clock), past) in pasts {
            let Some((clock, rising)) = clock else {
                continue;
            };
            if self.is_global(design, *clock) {
                continue;
            }
            let event = self.event(design, *clock, *rising);
            let sampled = self.before(design, *of, Reset::Zero);
            let value = design.mux(event, sampled, *past);
            design.set_next(past.node(), value);
        }
    }

    /// An assertion has one clock. What stops it at any time is asked for in all steps.
    fn refuse_several_in_one(
        &self,
        design: &Design,
        tables: &Tables<'_>,
        clocks: &[Clock],
    ) -> Result<(), Diagnostic> {
        let refused = |message: &str, span: Option<Span>, help: &str| {
            let diagnostic = Diagnostic::error(codes::CLOCKING, message);
            let diagnostic = diagnostic.at_optional(span, "this assertion");
            let others = clocks.iter().take(2);
            let diagnostic = others.fold(diagnostic, |diagnostic, clock| {
                diagnostic.at(clock.span, "a clock")
            });
            diagnostic.help(help)
        };
        let items = tables.asserted.items.iter();
        for (item, own) in items.zip(&tables.asserted.item_clocks) {
            let edge = |(clock, rising): &(Literal, bool)| {
                source_of(design, *clock).complement_if(!rising)
            };
            if own.iter().any(|clock| edge(clock) != edge(&own[0])) {
                let message = "an assertion over several clocks is not supported";
                let help = "assert something about each clock, and let registers of the design remember what happened at the other one";
                return Err(refused(message, item.span, help));
            }
            if let PropertyBody::Concurrent { property, .. } = &item.body
                && has_abort(property)
            {
                let message =
                    "`accept_on` and `reject_on` in a design with several clocks are not supported";
                let help = "use `disable iff`, which gives up attempts at any time";
                return Err(refused(message, item.span, help));
            }
        }
        Ok(())
    }

    /// What is judged at an edge is judged with the values before it.
    fn assertions(&mut self, design: &mut Design, tables: &mut Tables<'_>) {
        let mut items = std::mem::take(&mut tables.asserted.items);
        let clocks = tables.asserted.item_clocks.clone();
        for (item, own) in items.iter_mut().zip(clocks) {
            let clock = own.first().copied();
            let Some((clock, rising)) = clock.filter(|(clock, _)| !self.is_global(design, *clock))
            else {
                continue;
            };
            let event = self.event(design, clock, rising);
            let role = item.role;
            match &mut item.body {
                PropertyBody::Invariant(condition) => {
                    let Some(literal) = tables.asserted.condition(condition) else {
                        continue;
                    };
                    let judged = match role {
                        Role::Cover => {
                            let before = self.before(design, literal, Reset::Zero);
                            design.and(event, before)
                        }
                        Role::Assert | Role::Assume => {
                            let before = self.before(design, literal, Reset::One);
                            design.or(!event, before)
                        }
                    };
                    *condition = tables.asserted.watch(judged, condition.span);
                }
                PropertyBody::Concurrent {
                    property,
                    disable,
                    ticks,
                    ..
                } => {
                    let mut sampled = |condition: &Expr| {
                        let Some(literal) = tables.asserted.condition(condition) else {
                            return condition.clone();
                        };
                        let before = self.before(design, literal, Reset::Zero);
                        tables.asserted.watch(before, condition.span)
                    };
                    property.replace_conditions(&mut sampled);
                    *disable = disable.as_ref().map(&mut sampled);
                    *ticks = Some(tables.asserted.watch(event, item.span));
                }
                _ => {}
            }
        }
        tables.asserted.items = items;
    }
}

fn has_abort(property: &Sva<u32>) -> bool {
    matches!(property.kind, SvaKind::Abort { .. }) || property.operands().into_iter().any(has_abort)
}

/// Breaks loops within a step: their registers show in the next one what they have become.
fn show_later(design: &mut Design, moved: &[Moved]) {
    if design.topological_order().is_ok() {
        return;
    }
    let mut readers = vec![Vec::new(); design.len()];
    for id in design.gates() {
        if let Some((left, right)) = design.gate(id) {
            readers[left.node().index()].push(id.index());
            readers[right.node().index()].push(id.index());
        }
    }
    let component_of = graph::components(&readers);
    let mut sizes: QuickMap<usize, usize> = QuickMap::default();
    for component in &component_of {
        *sizes.entry(*component).or_default() += 1;
    }
    for one in moved {
        let in_loop = sizes[&component_of[one.shown.index()]] > 1;
        if in_loop {
            design.set_next(one.kept, one.value);
            design.replace(one.shown, Node::And(Literal::TRUE, one.kept.literal()));
        }
    }
}

impl Frame<'_, '_> {
    /// What a block that an edge has started reads as the signal of that edge: its level behind
    /// the edge. Every other signal has its value before.
    pub fn level_behind(
        &mut self,
        design: &mut Design,
        edge: &Edge,
        literal: Literal,
    ) -> Result<Option<(SignalId, Bits)>, Diagnostic> {
        let name = match &edge.signal.kind {
            ExprKind::Index(base, _) => base,
            _ => &edge.signal,
        };
        if !matches!(name.kind, ExprKind::Name(_)) {
            return Ok(None);
        }
        let Found::Signal(id, ..) = self.found(design, name)? else {
            return Ok(None);
        };
        let mut bits = self.tables.signal(id).bits.clone();
        let Some(position) = bits.iter().position(|bit| *bit == literal) else {
            return Ok(None);
        };
        bits[position] = Literal::constant(edge.rising);
        Ok(Some((id, bits)))
    }
}
