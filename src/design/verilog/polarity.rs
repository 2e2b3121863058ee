//! A reset that is given the wrong way round: with the value that does not reset.
//!
//! The design is then held in reset for good once it has been played, and nearly every property
//! holds. Where the sources say what resets, in the branch of an asynchronous reset, that is an
//! error. Elsewhere the circuit tells: registers that stand still while the reset is off, and
//! move while it is on ([`crate::design::settled`]). That is a warning, since nobody is obliged
//! to call a signal a reset that does it.

use super::Options;
use super::codes;
use super::finish::{ResetPlay, source_of};
use super::scope::{Entry, ScopeId, SignalKind, Tables};
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::Design;
use crate::design::settled::held_by;
use crate::limits::Limits;
use crate::source::{Diagnostic, Span};

/// Registers that a warning names.
const MOST_NAMES: usize = 3;

/// An asynchronous reset that is played with the wrong value.
pub fn check(
    design: &Design,
    tables: &Tables<'_>,
    root: ScopeId,
    resets: &[(Literal, Span)],
    options: &Options,
) -> Result<(), Diagnostic> {
    let Some((play, bit)) = played(tables, root, options) else {
        return Ok(());
    };
    let wrong = bit.complement_if(play.value);
    let reset = resets
        .iter()
        .find(|(active, _)| source_of(design, *active) == wrong);
    match reset {
        None => Ok(()),
        Some((_, span)) => {
            let name = &play.signal;
            let value = !play.value as u8;
            let message = format!("`{name}` resets the design when it is {value}");
            Err(Diagnostic::error(codes::HELD_IN_RESET, message)
                .at(*span, "active then")
                .help(format!("say `--reset {name}={value}`")))
        }
    }
}

/// A warning if registers are held by the reset that is played, and none is reset by it.
pub fn held_in_reset(
    design: &Design,
    tables: &Tables<'_>,
    root: ScopeId,
    options: &Options,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let Some((play, bit)) = played(tables, root, options) else {
        return Ok(None);
    };
    let signals = tables.signals.iter();
    let registers: Vec<Register> = signals
        .filter(|signal| signal.kind == SignalKind::Register && signal.free.is_none())
        .map(|signal| Register {
            name: &signal.name,
            bits: &signal.state,
            place: signal.drivers.iter().flatten().next().copied(),
        })
        .collect();
    let asked = tables.conditions.iter();
    let mut asked = asked.filter(|(condition, _)| *condition == bit.complement_if(play.value));
    let place = asked.next().map(|(_, span)| *span);
    warning(design, (bit.node(), play), &registers, place, tables.limits)
}

/// The same for a netlist of another program.
pub fn netlist_held_in_reset(
    design: &Design,
    input: NodeId,
    play: &ResetPlay,
    limits: &Limits,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let latches = design.latches().iter();
    let latches = latches.filter(|id| !design.is_hidden(**id));
    let named: Vec<(String, NodeId)> = latches.map(|id| (design.describe(*id), *id)).collect();
    let registers = named.iter().map(|(name, id)| Register {
        name,
        bits: std::slice::from_ref(id),
        place: design.span(*id),
    });
    let registers: Vec<Register> = registers.collect();
    warning(design, (input, play), &registers, None, limits)
}

/// A register, as people know it.
struct Register<'a> {
    name: &'a str,
    bits: &'a [NodeId],
    place: Option<Span>,
}

fn warning(
    design: &Design,
    (input, play): (NodeId, &ResetPlay),
    registers: &[Register<'_>],
    condition: Option<Span>,
    limits: &Limits,
) -> Result<Option<Diagnostic>, Diagnostic> {
    let bits = registers.iter().flat_map(|one| one.bits.iter().copied());
    let bits: Vec<NodeId> = bits.collect();
    let held = held_by(design, (input, play.value), &bits, limits)?;
    let is_held = |one: &&Register<'_>| one.bits.iter().any(|bit| held.contains(bit));
    let still: Vec<&Register<'_>> = registers.iter().filter(is_held).collect();
    let Some(first) = still.first() else {
        return Ok(None);
    };
    let (name, given, other) = (&play.signal, play.value as u8, !play.value as u8);
    let names = still.iter().take(MOST_NAMES);
    let names: Vec<String> = names.map(|one| format!("`{}`", one.name)).collect();
    let more = match still.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let message = format!(
        "`--reset {name}={given}` holds the design in reset for ever: {}{more} never change{} again",
        names.join(", "),
        if still.len() == 1 { "s" } else { "" },
    );
    let warning = Diagnostic::warning(codes::HELD_IN_RESET, message);
    let warning = match condition {
        Some(span) => warning.at(
            span,
            format!("the reset is active when `{name}` is {other}"),
        ),
        None => warning.at_optional(
            first.place,
            format!("`{}` moves only while `{name}` is {given}", first.name),
        ),
    };
    Ok(Some(warning.help(format!("say `--reset {name}={other}`"))))
}

/// The reset that is played, and its bit, if it is an input of one bit.
fn played<'o>(
    tables: &Tables<'_>,
    root: ScopeId,
    options: &'o Options,
) -> Option<(&'o ResetPlay, Literal)> {
    let play = options.reset.as_ref()?;
    let Some(Entry::Signal(id)) = tables.scope(root).entries.get(&play.signal) else {
        return None;
    };
    match tables.signal(*id).bits.as_slice() {
        [bit] => Some((play, *bit)),
        _ => None,
    }
}
