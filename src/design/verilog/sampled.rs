//! Functions that look at other steps: `$past`, `$rose`, `$fell`, `$stable`, `$changed`, and
//! `$initstate`.
//!
//! Values of earlier steps are latches that nothing else reads. Before the first step a signal
//! has its default sampled value (IEEE 1800-2017, 16.5.1), and an expression what it computes
//! from these; where that is unknown, and for those who ask for the reading of Yosys, the
//! environment chooses.

use super::Past;
use super::codes;
use super::frame::Frame;
use super::scope::Tables;
use crate::design::expression::{Elaborator, Names, Signature, Size};
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Node, Reset};
use crate::design::words::{self, Bits};
use crate::expr::{Expr, ExprKind};
use crate::source::Diagnostic;
use std::collections::HashMap;

/// What the names of latches for earlier values begin with.
pub const PAST: &str = "past$";
/// The furthest that `$past` looks back.
const LONGEST_PAST: i64 = 1000;

impl Frame<'_, '_> {
    /// The sizes of arguments and result of a function that looks at other steps.
    pub fn sampled_function(
        &mut self,
        design: &mut Design,
        expr: &Expr,
        name: &str,
    ) -> Result<Option<Signature>, Diagnostic> {
        let ExprKind::Call(_, arguments) = &expr.kind else {
            return Ok(None);
        };
        let fits = match name {
            "$past" => matches!(arguments.len(), 1 | 2),
            "$rose" | "$fell" | "$stable" | "$changed" | "$sampled" => arguments.len() == 1,
            "$initstate" => arguments.is_empty(),
            "$isunknown" => arguments.len() == 1,
            "$global_clock" => arguments.is_empty(),
            "$allconst" | "$allseq" => {
                let message = format!("`{name}` is not supported");
                let diagnostic = Diagnostic::error(codes::UNSUPPORTED, message);
                let diagnostic = diagnostic.at_optional(expr.span, "here");
                let help = "use an input of the design: the environment sets it";
                return Err(diagnostic.help(help));
            }
            _ => return Ok(None),
        };
        let looks_elsewhere = name != "$isunknown";
        if !fits || self.constants_only && looks_elsewhere {
            let message = if fits {
                format!("`{name}` has no value here")
            } else {
                format!("`{name}` with these arguments is not supported")
            };
            let diagnostic = Diagnostic::error(codes::UNSUPPORTED, message);
            let diagnostic = diagnostic.at_optional(expr.span, "here");
            return Err(diagnostic.help("`$past(signal)` and `$past(signal, 2)` are"));
        }
        let mut sizes = Vec::new();
        for argument in arguments {
            sizes.push(Elaborator::new(design, self).measure(argument)?);
        }
        let result = match (name, sizes.first()) {
            ("$past" | "$sampled", Some(size)) => *size,
            _ => Size::BIT,
        };
        Ok(Some(Signature {
            outputs: vec![false; sizes.len()],
            arguments: sizes,
            result,
        }))
    }

    pub fn call_sampled(
        &mut self,
        design: &mut Design,
        expr: &Expr,
        name: &str,
        arguments: &[Bits],
    ) -> Result<Bits, Diagnostic> {
        if name == "$global_clock" {
            return Ok(vec![self.global_clock(design)]);
        }
        let Some(value) = arguments.first() else {
            return Ok(vec![self.first_step(design)]);
        };
        let lowest = value[0];
        Ok(match name {
            "$sampled" => value.clone(),
            // Signals are 0 or 1 here.
            "$isunknown" => {
                let is_unknown = value.iter().any(|bit| self.is_unknown(*bit));
                vec![Literal::constant(is_unknown)]
            }
            "$past" => {
                let steps = match arguments.get(1) {
                    Some(bits) => words::constant_value(bits, false),
                    None => Some(1),
                };
                let Some(steps) = steps.filter(|steps| (0..=LONGEST_PAST).contains(steps)) else {
                    let message =
                        format!("`$past` looks back by a constant of at most {LONGEST_PAST} steps");
                    let diagnostic = Diagnostic::error(codes::NOT_CONSTANT, message);
                    return Err(diagnostic.at_optional(expr.span, "here"));
                };
                let mut bits = value.clone();
                for _ in 0..steps {
                    bits = bits.iter().map(|bit| self.past(design, *bit)).collect();
                }
                bits
            }
            "$rose" => {
                let before = self.past(design, lowest);
                vec![design.and(lowest, !before)]
            }
            "$fell" => {
                let before = self.past(design, lowest);
                vec![design.and(!lowest, before)]
            }
            _ => {
                let before: Bits = value.iter().map(|bit| self.past(design, *bit)).collect();
                let same = words::equal(design, value, &before);
                vec![same.complement_if(name == "$changed")]
            }
        })
    }

    /// The value that a literal had one step before.
    fn past(&mut self, design: &mut Design, literal: Literal) -> Literal {
        if literal.as_constant().is_some() {
            return literal;
        }
        let key = (literal, self.edge);
        if let Some(known) = self.tables.asserted.past.get(&key) {
            return *known;
        }
        let number = self.tables.asserted.past.len();
        let reset = match default_sample(self.tables, design, literal) {
            Some(true) => Reset::One,
            Some(false) => Reset::Zero,
            None => Reset::Free,
        };
        let latch = hidden_latch(design, reset, format!("{PAST}{number}"));
        design.set_next(latch, literal);
        self.tables.asserted.past.insert(key, latch.literal());
        latch.literal()
    }

    /// The clock whose edges are the steps; it has no name and is no input of the design.
    fn global_clock(&mut self, design: &mut Design) -> Literal {
        if let Some(known) = self.tables.global_clock {
            return known;
        }
        let clock = design.add_input(InputKind::Environment);
        design.set_hidden(clock, true);
        self.tables.global_clock = Some(clock.literal());
        clock.literal()
    }

    /// True in the first step of a run and never again.
    pub fn first_step(&mut self, design: &mut Design) -> Literal {
        if let Some(known) = self.tables.asserted.first_step {
            return known;
        }
        let latch = hidden_latch(design, Reset::One, "initstate$".to_string());
        design.set_next(latch, Literal::FALSE);
        self.tables.asserted.first_step = Some(latch.literal());
        latch.literal()
    }
}

/// The value of a literal before the first step, if signals with their default sampled values
/// determine it.
fn default_sample(tables: &Tables<'_>, design: &Design, literal: Literal) -> Option<bool> {
    if tables.past == Past::Yosys {
        return None;
    }
    let mut values: HashMap<NodeId, Option<bool>> = HashMap::new();
    let mut pending = vec![literal.node()];
    while let Some(id) = pending.pop() {
        if values.contains_key(&id) {
            continue;
        }
        let value = match (tables.sampled_defaults.get(&id), design.node(id)) {
            (Some(value), _) => *value,
            (None, Node::Constant) => Some(false),
            (None, Node::Input(_)) => None,
            // The past of a past: what it starts with.
            (None, Node::Latch(latch)) => latch.reset.value(),
            (None, Node::And(left, right)) => {
                let sides = [left, right].map(|side| {
                    let value = values.get(&side.node())?;
                    Some(value.map(|value| value != side.is_complemented()))
                });
                match sides {
                    [Some(Some(false)), _] | [_, Some(Some(false))] => Some(false),
                    [Some(left), Some(right)] => left.and(right),
                    _ => {
                        pending.extend([id, left.node(), right.node()]);
                        continue;
                    }
                }
            }
        };
        values.insert(id, value);
    }
    let value = values.get(&literal.node()).copied().flatten();
    value.map(|value| value != literal.is_complemented())
}

pub(super) fn hidden_latch(design: &mut Design, reset: Reset, name: String) -> NodeId {
    let latch = design.add_latch(reset);
    design.set_hidden(latch, true);
    design.set_name(latch, name);
    latch
}
