//! The last steps of elaboration: one clock, the play of a reset, and names.

use super::assertions::Pasts;
use super::clocks::{GlobalClock, Move};
use super::codes;
use super::components::Recorded;
use super::latches::Kept;
use super::observers::Checking;
use super::process::Clock;
use super::scope::{Entry, ScopeId, SignalId, SignalKind, Tables};
use super::syntax::{Direction, Module};
use super::types::Type;
use super::{Elaborated, Options, VisibleKind, VisibleName, declare, polarity, reset};
use crate::design::cone::Reach;
use crate::design::expression::{Named, index_at};
use crate::design::front_end::InferredLatch;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::{Design, Node, Word};
use crate::design::reserved::HELD_PREFIX;
use crate::design::words;
use crate::limits::Limits;
use crate::source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// A reset that is played before anything is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResetPlay {
    pub signal: String,
    /// The value that resets.
    pub value: bool,
    pub cycles: u32,
    /// Whether it may come again while any property is judged; otherwise only while those are
    /// that it disables.
    pub again: bool,
}

pub(super) fn finish(
    mut design: Design,
    mut tables: Tables<'_>,
    top: &Module,
    root: ScopeId,
    (clocks, moves): (Vec<Clock>, Vec<Move>),
    latches: Vec<Kept>,
    options: &Options,
) -> Result<Elaborated, Diagnostic> {
    tables.drop_spare_unknowns(&mut design);
    // As long as registers move with their own clocks, and not with a global one.
    let held = polarity::held_in_reset(&design, &tables, root, options)?;
    tables.warnings.extend(held);
    let moving = one_clock(&design, &tables, &clocks);
    let is_synchronous = !matches!(moving, Moving::WithSeveral);
    let active = match moving {
        Moving::Never => None,
        Moving::With(clock) => Some(clock),
        Moving::WithSeveral => {
            GlobalClock::apply(&mut design, &mut tables, &clocks, &moves)?;
            None
        }
    };
    let clock = active.map(Literal::node);
    let named_clock = active.and_then(|literal| named_clock(&tables, literal));
    tables.limits.check()?;
    name_signals(&mut design, &tables, clock);
    tables.limits.check()?;
    name_constants(&mut design, &tables);
    for (index, id) in tables.unknowns.iter().enumerate() {
        design.set_name(*id, format!("unknown${index}"));
    }
    for (index, id) in tables.free_values.iter().enumerate() {
        let kind = match design.latch(*id) {
            Some(_) => "anyconst",
            None => "anyseq",
        };
        design.set_name(*id, format!("{kind}${index}"));
    }
    add_outputs(&mut design, &tables, top, root);
    let clock_names = names_of_clock(&design, &tables, clock);
    if let Some(clock) = clock {
        refuse_clock_as_data(&design, &tables, clock, &clocks)?;
        // Registers move with it; nothing else of it is left.
        design.replace(clock, Node::And(Literal::TRUE, Literal::FALSE));
    }
    // Where components are open, another name may be another value.
    if !options.components && is_synchronous {
        share_pasts(&mut design, &tables.asserted.past);
    }
    tables.limits.check()?;
    design.check()?;
    let uninitialised = uninitialised(&tables);
    for (name, literal) in &tables.asserted.conditions {
        design.add_word(Word {
            name: name.clone(),
            signed: false,
            left: 0,
            right: 0,
            bits: vec![*literal],
        });
    }
    let checking = Checking::new(&design, &tables);
    let mut reset_again = Vec::new();
    if let Some(play) = &options.reset {
        let input = reset_input(&tables, root, play)?;
        reset_again = reset::may_come_again(&design, &tables.asserted, input, play);
        let comes_again = reset_again.contains(&true);
        reset::play(&mut design, input, play, comes_again, tables.limits)?;
    }
    tables.limits.check()?;
    let latches = name_latches(&mut design, &tables, &latches);
    let modules = visible_names(&design, &tables, &clock_names, &checking);
    let (checking_only, components): (Vec<Recorded>, Vec<Recorded>) = tables
        .components
        .list
        .into_iter()
        .partition(|one| checking.is_all(one.instances.iter().flatten().copied()));
    Ok(Elaborated {
        properties: tables.asserted.items,
        checking_only: checking_only
            .iter()
            .map(|one| (one.span, one.kind))
            .collect(),
        modules,
        design,
        top: top.name.text.clone(),
        clock: named_clock,
        components,
        warnings: tables.warnings,
        enumerated: tables.enumerated,
        uninitialised,
        latches,
        unknowns: tables.unknowns,
        property_only: checking.nodes(),
        reset_again,
    })
}

/// Gives the conditions under which blocks keep signals a name.
fn name_latches(design: &mut Design, tables: &Tables<'_>, latches: &[Kept]) -> Vec<InferredLatch> {
    let mut named = Vec::new();
    for (index, latch) in latches.iter().enumerate() {
        let held = format!("{HELD_PREFIX}{index}");
        design.add_word(Word {
            name: held.clone(),
            signed: false,
            left: 0,
            right: 0,
            bits: vec![latch.held],
        });
        let signal = tables.signal(latch.signal);
        named.push(InferredLatch {
            name: signal.name.clone(),
            block: latch.block,
            declared: signal.span,
            held,
        });
    }
    named
}

/// The clock as a signal has it: its name and the edge that counts.
fn named_clock(tables: &Tables<'_>, literal: Literal) -> Option<super::Clock> {
    let bits = [literal.node().literal()];
    let signal = tables.signals.iter().find(|signal| signal.bits == bits)?;
    Some(super::Clock {
        name: signal.name.clone(),
        rising: !literal.is_complemented(),
    })
}

/// The output ports of the top module.
fn add_outputs(design: &mut Design, tables: &Tables<'_>, top: &Module, root: ScopeId) {
    for port in &top.ports {
        use super::syntax::Direction;
        let Some(Entry::Signal(id)) = tables.scope(root).entries.get(&port.text) else {
            continue;
        };
        let is_output = match declare::direction_of(top, &port.text) {
            Some(Direction::Output) => true,
            Some(Direction::Both) => tables.signal(*id).drivers.iter().any(Option::is_some),
            _ => false,
        };
        if is_output {
            let signal = tables.signal(*id);
            for (bit, literal) in signal.bits.iter().enumerate() {
                let name = bit_name(
                    &signal.name,
                    &signal.data.shape(&signal.name, &signal.bits),
                    bit,
                );
                design.add_output(Some(name), *literal, Some(signal.span));
            }
        }
    }
}

/// The signals that are the clock.
fn names_of_clock(design: &Design, tables: &Tables<'_>, clock: Option<NodeId>) -> Vec<SignalId> {
    (0..tables.signals.len())
        .map(SignalId)
        .filter(|id| {
            let bits = &tables.signal(*id).bits;
            clock.is_some()
                && bits
                    .iter()
                    .any(|bit| Some(source_of(design, *bit).node()) == clock)
        })
        .collect()
}

/// Registers that start with any value.
fn uninitialised(tables: &Tables<'_>) -> Vec<(String, Span)> {
    tables
        .signals
        .iter()
        .filter(|signal| {
            let unset = signal.initial.iter().any(Option::is_none);
            signal.kind == SignalKind::Register && unset
        })
        .map(|signal| (signal.name.clone(), signal.span))
        .collect()
}

/// What registers move with.
enum Moving {
    Never,
    /// The input that all registers move with, complemented if they do at the falling edge.
    With(Literal),
    /// Several edges, or signals that are no inputs of their own.
    WithSeveral,
}

fn one_clock(design: &Design, tables: &Tables<'_>, clocks: &[Clock]) -> Moving {
    let mut first: Option<Literal> = None;
    for clock in clocks {
        let root = source_of(design, clock.literal).complement_if(!clock.rising);
        let is_input = design.input_kind(root.node()).is_some();
        if !is_input || first.is_some_and(|known| known != root) {
            return Moving::WithSeveral;
        }
        first = Some(root);
    }
    let Some(clock) = first else {
        return Moving::Never;
    };
    let is_wide = tables.signals.iter().any(|signal| {
        let is_clock = |bit: &Literal| bit.node() == clock.node();
        signal.kind == SignalKind::Input
            && signal.bits.len() > 1
            && signal.bits.iter().any(is_clock)
    });
    match is_wide {
        true => Moving::WithSeveral,
        false => Moving::With(clock),
    }
}

/// What a chain of buffers carries.
pub(super) fn source_of(design: &Design, literal: Literal) -> Literal {
    let mut current = literal;
    // A chain longer than the design is a loop, which is reported elsewhere.
    for _ in 0..design.len() {
        match design.gate(current.node()) {
            Some((Literal::TRUE, other)) | Some((other, Literal::TRUE)) => {
                current = other.complement_if(current.is_complemented());
            }
            _ => break,
        }
    }
    current
}

/// The clock may drive nothing but registers.
pub(super) fn refuse_clock_as_data(
    design: &Design,
    tables: &Tables<'_>,
    clock: NodeId,
    clocks: &[Clock],
) -> Result<(), Diagnostic> {
    let is_clock = |literal: Literal| source_of(design, literal).node() == clock;
    let mut reader = None;
    let mut read = false;
    for id in design.gates() {
        if let Some((left, right)) = design.gate(id)
            && left != Literal::TRUE
            && right != Literal::TRUE
            && (is_clock(left) || is_clock(right))
        {
            reader = design.span(id).or(reader);
            read = true;
        }
    }
    for id in design.latches() {
        if let Some(latch) = design.latch(*id)
            && is_clock(latch.next)
        {
            reader = design.span(*id);
            read = true;
        }
    }
    let output = tables.signals.iter().find(|signal| {
        let real = signal.kind != SignalKind::Input && signal.is_port && !signal.name.contains('.');
        real && signal.bits.iter().any(|bit| is_clock(*bit))
    });
    if let Some(signal) = output {
        read = true;
        reader = Some(signal.span);
    }
    if !read {
        return Ok(());
    }
    let diagnostic = Diagnostic::error(codes::CLOCKING, "the clock is used as data");
    let diagnostic = match (reader, clocks.first()) {
        (Some(span), Some(clock)) => diagnostic
            .at(span, "read by the logic of this")
            .at(clock.span, "the clock"),
        (None, Some(clock)) => diagnostic.at(clock.span, "the clock is also read by logic"),
        _ => diagnostic,
    };
    Err(diagnostic.help("the clock may only drive registers"))
}

fn name_signals(design: &mut Design, tables: &Tables<'_>, clock: Option<NodeId>) {
    for signal in &tables.signals {
        if signal.kind == SignalKind::Local || tables.limits.poll().is_err() {
            continue;
        }
        let is_clock = signal
            .bits
            .iter()
            .any(|bit| Some(source_of(design, *bit).node()) == clock && clock.is_some());
        if is_clock {
            continue;
        }
        let shape = signal.data.shape(&signal.name, &signal.bits);
        for (bit, literal) in signal.bits.iter().enumerate() {
            design.set_name(literal.node(), bit_name(&signal.name, &shape, bit));
        }
        for (bit, node) in signal.state.iter().enumerate() {
            if signal.bits[bit].node() != *node {
                let name = bit_name(&signal.name, &shape, bit);
                design.set_name(*node, format!("{name}$stored"));
                design.set_hidden(*node, true);
            }
        }
        add_words(design, &shape);
        name_values(design, &signal.name, &signal.data);
        add_fields(design, &signal.name, &signal.data, &signal.bits);
    }
}

/// Elements of an array of structures whose fields get names.
const MOST_NAMED_ELEMENTS: usize = 64;

/// The fields of a structure have names of their own, also those of the elements of an array.
fn add_fields(design: &mut Design, name: &str, data: &Type, bits: &[Literal]) {
    if data.fields.is_some()
        && !data.is_structure()
        && let Some((element, range)) = data.element()
        && bits.len() / element.width() <= MOST_NAMED_ELEMENTS
    {
        for (position, own) in bits.chunks(element.width()).enumerate() {
            let name = format!("{name}[{}]", index_at(range, position));
            add_fields(design, &name, &element, own);
        }
        return;
    }
    let fields = data.fields.iter().filter(|_| data.is_structure());
    for field in fields.flat_map(|fields| fields.iter()) {
        let name = format!("{name}.{}", field.name);
        let own = &bits[field.offset..field.offset + field.data.width()];
        add_words(design, &field.data.shape(&name, own));
        name_values(design, &name, &field.data);
        add_fields(design, &name, &field.data, own);
    }
}

/// The values of an enumeration have names, which waveforms show.
fn name_values(design: &mut Design, name: &str, data: &Type) {
    let Some(enumeration) = data.as_enumeration() else {
        return;
    };
    let named = enumeration.members.iter().map(|(name, value)| {
        let bits = (0..enumeration.width).map(|bit| value >> bit.min(63) & 1 == 1);
        (bits.collect(), name.clone())
    });
    design.name_values(name, named.collect());
}

/// The name of one bit: `a`, `a[2]`, `memory[3][0]`.
fn bit_name(name: &str, shape: &Named, bit: usize) -> String {
    match shape {
        Named::Word(word, _) if word.bits.len() == 1 && word.left == word.right => {
            if word.name.is_empty() {
                name.to_string()
            } else {
                word.name.clone()
            }
        }
        Named::Word(word, inner) => {
            let name = &word.name;
            let index = match (inner.is_empty(), word.left < word.right) {
                (false, _) => bit as i64,
                (true, true) => word.right - bit as i64,
                (true, false) => word.right + bit as i64,
            };
            format!("{name}[{index}]")
        }
        Named::Array { elements, .. } => {
            let width = element_width(&elements[0]);
            bit_name(name, &elements[bit / width], bit % width)
        }
    }
}

fn element_width(shape: &Named) -> usize {
    match shape {
        Named::Word(word, _) => word.bits.len(),
        Named::Array { elements, .. } => elements.len() * element_width(&elements[0]),
    }
}

fn add_words(design: &mut Design, shape: &Named) {
    match shape {
        Named::Word(word, inner) if inner.is_empty() => design.add_word(word.clone()),
        // Properties see a word of several dimensions as one of bits.
        Named::Word(word, _) => design.add_word(Word {
            left: word.bits.len() as i64 - 1,
            right: 0,
            ..word.clone()
        }),
        Named::Array { elements, .. } => {
            for element in elements {
                add_words(design, element);
            }
        }
    }
}

/// The nodes of a signal in all instances of its module: an edit changes all of them.
fn nodes_of(tables: &Tables<'_>, scopes: &[ScopeId], name: &str) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    for scope in scopes {
        if let Some(Entry::Signal(id)) = tables.scope(*scope).entries.get(name) {
            let signal = tables.signal(*id);
            nodes.extend(signal.bits.iter().map(|bit| bit.node()));
            nodes.extend(&signal.state);
        }
    }
    nodes
}

/// Whether what drives an input port is there for assertions. A port that only assertions read,
/// because a fault left it out, is a part of the design like what is connected to it.
fn is_fed_by_observers(
    design: &Design,
    tables: &Tables<'_>,
    checking: &Checking,
    nodes: &[NodeId],
) -> bool {
    let components = tables.components.list.iter().map(|one| &one.instances);
    let components = components.filter(|one| checking.is_all(one.iter().flatten().copied()));
    let nodes_of_components = components.flatten().flatten().copied();
    let observing: HashSet<NodeId> = nodes_of_components
        .filter(|id| computes(design, *id))
        .collect();
    let is_observing = |id: NodeId| {
        observing.contains(&id) || (design.latch(id).is_some() && checking.is_all([id]))
    };
    let cone = design.cone(nodes.iter().map(|id| id.literal()), Reach::Run);
    cone.iter().any(is_observing)
}

/// Whether the buffer of a component stands for more than a signal, as that of a connection does.
fn computes(design: &Design, buffer: NodeId) -> bool {
    let is_buffer =
        |(left, right): &(Literal, Literal)| *left == Literal::TRUE || *right == Literal::TRUE;
    let Some((left, right)) = design.gate(buffer).filter(is_buffer) else {
        return true;
    };
    let value = if left == Literal::TRUE { right } else { left };
    let gate = design.gate(value.node());
    gate.is_some_and(|gate| !is_buffer(&gate))
}

/// The names of each module, with what an edit has to know of them.
fn visible_names(
    design: &Design,
    tables: &Tables<'_>,
    clocks: &[SignalId],
    checking: &Checking,
) -> HashMap<String, Vec<VisibleName>> {
    let mut modules = HashMap::new();
    for (module, scopes) in &tables.instances {
        let Some(first) = scopes.first() else {
            continue;
        };
        let mut names: Vec<VisibleName> = Vec::new();
        let outside = tables.packages.get("").map(|id| &tables.scope(*id).entries);
        let entries = tables.scope(*first).entries.iter();
        for (name, entry) in entries.chain(outside.into_iter().flatten()) {
            let mut checking_only = false;
            let (data, kind) = match entry {
                Entry::Signal(id) => {
                    let signal = tables.signal(*id);
                    let nodes = nodes_of(tables, scopes, name);
                    let is_input_port = || {
                        let module = tables.modules.get(module);
                        module.and_then(|module| declare::direction_of(module, name))
                            == Some(Direction::Input)
                    };
                    checking_only = signal.kind != SignalKind::Input
                        && checking.is_all(nodes.iter().copied())
                        && (!is_input_port()
                            || is_fed_by_observers(design, tables, checking, &nodes));
                    let kind = match signal.kind {
                        _ if clocks.contains(id) => continue,
                        SignalKind::Local => continue,
                        _ if !signal.data.unpacked.is_empty() => VisibleKind::Array,
                        // An input of an instance is driven by logic outside.
                        SignalKind::Input => VisibleKind::Input,
                        SignalKind::Logic => VisibleKind::Logic,
                        SignalKind::Register => VisibleKind::Register,
                    };
                    (&signal.data, kind)
                }
                Entry::Constant(constant) => {
                    let value = words::constant_value(&constant.bits, constant.data.signed);
                    let Some(value) = value else {
                        continue;
                    };
                    (&constant.data, VisibleKind::Constant(value))
                }
                _ => continue,
            };
            names.push(VisibleName {
                name: name.clone(),
                width: data.element_width(),
                signed: data.signed,
                kind,
                checking_only,
                family: data
                    .enumeration
                    .as_ref()
                    .filter(|one| one.width == data.element_width())
                    .and_then(|one| one.members.first())
                    .map(|(name, _)| name.clone()),
            });
        }
        names.sort_by(|left, right| left.name.cmp(&right.name));
        modules.insert((*module).to_string(), names);
    }
    modules
}

/// Parameters and the values of enumerations are names, too.
fn name_constants(design: &mut Design, tables: &Tables<'_>) {
    let mut words: HashMap<String, Word> = HashMap::new();
    for scope in &tables.scopes {
        for (name, entry) in &scope.entries {
            let Entry::Constant(constant) = entry else {
                continue;
            };
            let mut path = scope.path.clone();
            path.push(name.clone());
            let name = path.join(".");
            if let Named::Word(word, _) = constant.data.shape(&name, &constant.bits) {
                words.insert(
                    name,
                    Word {
                        left: word.bits.len() as i64 - 1,
                        right: 0,
                        ..word
                    },
                );
            }
        }
    }
    let mut words: Vec<Word> = words.into_values().collect();
    words.sort_by(|left, right| left.name.cmp(&right.name));
    for word in words {
        design.add_word(word);
    }
}

/// Two names of one signal have one past, if what it starts with is the same.
fn share_pasts(design: &mut Design, pasts: &Pasts) {
    let mut pasts: Vec<(Literal, Literal)> =
        pasts.iter().map(|((of, _), past)| (*of, *past)).collect();
    pasts.sort_by_key(|(_, past)| past.node());
    let mut known: HashMap<(NodeId, Option<bool>), Literal> = HashMap::new();
    for (of, past) in pasts {
        let source = source_of(design, of);
        let flipped = source.is_complemented();
        let start = design
            .latch(past.node())
            .and_then(|latch| latch.reset.value());
        let first = known
            .entry((source.node(), start.map(|value| value != flipped)))
            .or_insert(past.complement_if(flipped));
        let first = first.complement_if(flipped);
        if first != past {
            design.replace(past.node(), Node::And(Literal::TRUE, first));
        }
    }
}

/// The input that resets the design.
fn reset_input(tables: &Tables<'_>, root: ScopeId, play: &ResetPlay) -> Result<NodeId, Diagnostic> {
    let entry = tables.scope(root).entries.get(&play.signal);
    let signal = match entry {
        Some(Entry::Signal(id)) => tables.signal(*id),
        _ => {
            let names: Vec<&str> = tables
                .signals
                .iter()
                .filter(|signal| signal.kind == SignalKind::Input)
                .map(|signal| signal.name.as_str())
                .collect();
            let message = format!("there is no input `{}` to reset with", play.signal);
            let diagnostic = Diagnostic::error(codes::RESET_SIGNAL, message);
            return Err(declare::with_suggestion(diagnostic, &play.signal, &names));
        }
    };
    if signal.kind != SignalKind::Input || signal.bits.len() != 1 {
        let message = format!("`{}` is not an input of one bit", play.signal);
        return Err(Diagnostic::error(codes::RESET_SIGNAL, message)
            .at(signal.span, "declared here")
            .help("`--reset` needs the input that resets the design"));
    }
    Ok(signal.bits[0].node())
}

/// The input of a netlist that has a name.
pub(super) fn named_input(design: &Design, name: &str) -> Option<NodeId> {
    let inputs = design.inputs().iter().copied();
    inputs.into_iter().find(|id| design.name(*id) == Some(name))
}

/// The same for a netlist that another program made, whose inputs have their names only.
pub fn play_reset_on_netlist(
    design: &mut Design,
    play: &ResetPlay,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    let inputs = || {
        let inputs = design.inputs().iter();
        inputs.filter_map(|id| Some((*id, design.name(*id)?)))
    };
    let Some(input) = named_input(design, &play.signal) else {
        let names: Vec<&str> = inputs().map(|(_, name)| name).collect();
        let message = format!("there is no input `{}` to reset with", play.signal);
        let diagnostic = Diagnostic::error(codes::RESET_SIGNAL, message);
        return Err(declare::with_suggestion(diagnostic, &play.signal, &names));
    };
    let running = reset::play(design, input, play, play.again, limits)?;
    // An assertion in a clocked block is one of the step before, which Yosys keeps in registers;
    // one of the last step of the reset does not count, either.
    let is_enable = |design: &Design, id: NodeId| {
        let name = design.name(id).unwrap_or_default();
        name.starts_with("$formal$") && name.ends_with("_EN")
    };
    for id in design.latches().to_vec() {
        if let Some(latch) = design.latch(id).filter(|_| is_enable(design, id)) {
            let next = design.and(latch.next, running);
            design.set_next(id, next);
        }
    }
    Ok(())
}
