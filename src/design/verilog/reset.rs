//! The play of a reset: it is active in the first steps, and held off after them unless it may
//! come again.
//!
//! A property that is given up while the reset is active (`disable iff`) says what happens after
//! any reset, so it is judged with the reset free to come again. Others are judged as long as it
//! has not come: a word of the design says from when on it has.

use super::assertions::Asserted;
use super::clocks::BEFORE;
use super::finish::ResetPlay;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, InputKind, Node, Reset, Word};
use crate::design::reserved::{RESET_AGAIN, RESET_FREE, RUNNING, STEP_OF_RESET};
use crate::expr::{Expr, ExprKind, PropertyBody};
use crate::limits::Limits;
use crate::source::Diagnostic;
use std::collections::HashMap;

/// For each property, whether the reset may come again while it is judged.
pub fn may_come_again(
    design: &Design,
    asserted: &Asserted,
    input: NodeId,
    play: &ResetPlay,
) -> Vec<bool> {
    let conditions: HashMap<&str, Literal> = asserted
        .conditions
        .iter()
        .map(|(name, literal)| (name.as_str(), *literal))
        .collect();
    let is_disabled = |disable: &Expr| {
        let ExprKind::Name(path) = &disable.kind else {
            return false;
        };
        let literal = path.first().and_then(|name| conditions.get(name.as_str()));
        let literal = literal.map(|literal| before_sampling(design, *literal));
        literal.is_some_and(|literal| is_implied(design, literal, input, play.value))
    };
    let items = asserted.items.iter();
    let again = items.map(|item| match &item.body {
        PropertyBody::Concurrent {
            disable: Some(disable),
            ..
        } => play.again || is_disabled(disable),
        _ => play.again,
    });
    let mut again: Vec<bool> = again.collect();
    // Properties of other files follow the option as well.
    again.extend(play.again.then_some(true));
    again
}

/// With several clocks, a condition is sampled in the step before; what was sampled.
fn before_sampling(design: &Design, literal: Literal) -> Literal {
    let id = literal.node();
    let is_sample = design.name(id).is_some_and(|name| name.starts_with(BEFORE));
    match design.latch(id) {
        Some(latch) if is_sample => latch.next.complement_if(literal.is_complemented()),
        _ => literal,
    }
}

/// Whether an input with this value alone makes a literal true, whatever the rest is.
fn is_implied(design: &Design, literal: Literal, input: NodeId, value: bool) -> bool {
    let mut values: HashMap<NodeId, Option<bool>> = HashMap::new();
    values.insert(input, Some(value));
    values.insert(NodeId::CONSTANT, Some(false));
    let mut pending = vec![literal.node()];
    while let Some(id) = pending.pop() {
        if values.contains_key(&id) {
            continue;
        }
        let value = match design.gate(id) {
            None => None,
            Some((left, right)) => {
                let sides = [left, right].map(|side| {
                    let value = values.get(&side.node())?;
                    Some(value.map(|value| value != side.is_complemented()))
                });
                match sides {
                    [Some(Some(false)), _] | [_, Some(Some(false))] => Some(false),
                    [Some(left), Some(right)] => left.and(right).map(|_| true),
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
    value == Some(!literal.is_complemented())
}

/// Drives the reset for the first cycles. Afterwards it is held off, or, if it may come again,
/// an input that nobody wrote says when it does. Gives back what holds after the first cycles.
pub fn play(
    design: &mut Design,
    input: NodeId,
    play: &ResetPlay,
    comes_again: bool,
    limits: &Limits,
) -> Result<Literal, Diagnostic> {
    let mut running = Literal::TRUE;
    for cycle in 0..play.cycles {
        limits.poll()?;
        let latch = design.add_latch(Reset::Zero);
        design.set_next(latch, running);
        design.set_hidden(latch, true);
        design.set_name(latch, format!("{STEP_OF_RESET}{cycle}"));
        running = latch.literal();
    }
    add_word(design, RUNNING, running);
    let mut active = !running;
    if comes_again {
        let again = design.add_input(InputKind::Environment);
        design.set_hidden(again, true);
        design.set_name(again, RESET_FREE);
        active = design.or(active, again.literal());
        let seen = design.add_latch(Reset::Zero);
        design.set_hidden(seen, true);
        design.set_name(seen, "reset$seen".to_string());
        let now = design.and(running, again.literal());
        let now_or_before = design.or(seen.literal(), now);
        design.set_next(seen, now_or_before);
        add_word(design, RESET_AGAIN, now_or_before);
    }
    let value = active.complement_if(!play.value);
    design.replace(input, Node::And(Literal::TRUE, value));
    Ok(running)
}

fn add_word(design: &mut Design, name: &str, literal: Literal) {
    design.add_word(Word {
        name: name.to_string(),
        signed: false,
        left: 0,
        right: 0,
        bits: vec![literal],
    });
}
