//! What a correction of a location may read.

use super::extract::Signal;
use super::{GameOptions, RepairError};
use crate::bdd::Variable;
use crate::design::{Design, Elaboration, InputKind, Literal, Netlist, Node, NodeId, Reach};
use crate::game::{Arena, Game};

/// In a design with so few latches all pairs of so many signals are tried.
const SMALL_DESIGN: usize = 8;

/// What a correction of the location may read: what the replaced logic read, and the
/// latches and inputs of the design.
pub struct Readable {
    pub signals: Vec<Signal>,
    /// Those of which the game knows nothing, and which can be of use all the same. Inputs
    /// cannot: the environment may keep them as they are.
    pub outside: Vec<Literal>,
}

impl Readable {
    pub fn new(
        netlist: &Netlist,
        arena: &Arena,
        game: &Game,
        elaboration: &Elaboration,
        options: &GameOptions,
    ) -> Result<Readable, RepairError> {
        const NEAR: usize = 1;
        const LEAF: usize = 2;
        let design = &arena.design;
        let source = netlist.design().len();
        let originals = elaboration.holes.iter().flat_map(|hole| &hole.originals);
        let boundary = boundary(arena, originals.copied());
        let mut wanted: Vec<(Literal, usize)> = boundary
            .into_iter()
            .map(|id| (id.literal(), NEAR))
            .collect();
        let named = options.depends_on.iter().flatten();
        wanted.extend(named.map(|id| (id.literal(), NEAR)));
        let leaves = design.latches().iter().chain(design.inputs());
        wanted.extend(leaves.map(|id| (id.literal(), LEAF)));
        let mut readable = Readable {
            signals: Vec::new(),
            outside: Vec::new(),
        };
        for (literal, cost) in wanted {
            let id = literal.node();
            let known = readable
                .signals
                .iter()
                .any(|signal| signal.literal.node() == id);
            // Nodes beyond the source's own belong to the game.
            if known || id.index() >= source || id == NodeId::CONSTANT {
                continue;
            }
            let cone = design.cone([literal], Reach::Cycle);
            let is_choice = |id: NodeId| matches!(design.node(id), Node::Input(InputKind::Choice));
            let depends_on_choice = cone.iter().any(is_choice);
            if depends_on_choice || !is_readable(design, id, options) {
                continue;
            }
            if let Some(function) = game.function(arena, literal)? {
                readable.signals.push(Signal {
                    literal,
                    function,
                    cost,
                });
                continue;
            }
            let tells_more = match design.node(id) {
                Node::Latch(_) => true,
                Node::Input(_) | Node::Constant => false,
                // Else its latches and inputs stand for it.
                Node::And(..) => cone.iter().any(|id| {
                    design.gate(id).is_none()
                        && id != NodeId::CONSTANT
                        && !is_readable(design, id, options)
                }),
            };
            if tells_more {
                readable.outside.push(literal);
            }
        }
        Ok(readable)
    }
}

/// The readable operands of the replaced logic, and those that its cone reads.
pub fn near_signals(
    arena: &Arena,
    elaboration: &Elaboration,
    signals: &[Signal],
) -> Vec<Vec<Literal>> {
    let originals = || elaboration.holes.iter().flat_map(|hole| &hole.originals);
    let operands = originals().flat_map(|original| match arena.design.gate(original.node()) {
        Some((left, right)) => vec![left.node(), right.node()],
        None => vec![original.node()],
    });
    let mut near: Vec<Vec<Literal>> = Vec::new();
    for nodes in [operands.collect(), boundary(arena, originals().copied())] {
        let is_near = |signal: &&Signal| nodes.contains(&signal.literal.node());
        near.push(signals.iter().filter(is_near).map(|s| s.literal).collect());
    }
    // In a small design any two signals are near.
    if arena.design.latches().len() <= SMALL_DESIGN {
        for (index, first) in signals.iter().enumerate().take(SMALL_DESIGN) {
            for second in signals[..index].iter() {
                near.push(vec![second.literal, first.literal]);
            }
        }
    }
    let mut seen: Vec<Vec<Literal>> = Vec::new();
    near.retain(|signals| {
        let is_new = !seen.contains(signals);
        seen.push(signals.clone());
        is_new
    });
    near
}

/// The latches that no correction may read.
pub fn hidden_state(arena: &Arena, game: &Game, options: &GameOptions) -> Vec<Variable> {
    let latches = arena.design.latches().iter();
    let hidden = latches.filter(|id| !is_readable(&arena.design, **id, options));
    hidden.filter_map(|id| game.variable(*id)).collect()
}

fn is_readable(design: &Design, id: NodeId, options: &GameOptions) -> bool {
    let allowed = options.depends_on.as_ref();
    !design.is_hidden(id) && allowed.is_none_or(|allowed| allowed.contains(&id))
}

/// The signals that the replaced logic read: its gates are those that serve nothing else
/// and have no name.
fn boundary(arena: &Arena, originals: impl Iterator<Item = Literal>) -> Vec<NodeId> {
    let design = &arena.design;
    let mut readers = vec![0usize; design.len()];
    let mut read = |literal: Literal| readers[literal.node().index()] += 1;
    for id in design.node_ids() {
        match design.node(id) {
            Node::And(left, right) => {
                read(left);
                read(right);
            }
            Node::Latch(latch) => read(latch.next),
            Node::Constant | Node::Input(_) => {}
        }
    }
    design
        .outputs()
        .iter()
        .for_each(|output| read(output.literal));
    arena.objective.literals().for_each(&mut read);
    let mut boundary = Vec::new();
    let mut inside: Vec<NodeId> = originals.map(|literal| literal.node()).collect();
    while let Some(id) = inside.pop() {
        let Some((left, right)) = design.gate(id) else {
            boundary.push(id);
            continue;
        };
        for operand in [left.node(), right.node()] {
            readers[operand.index()] -= 1;
            boundary.retain(|known| *known != operand);
            if readers[operand.index()] == 0 && design.name(operand).is_none() {
                inside.push(operand);
            } else {
                boundary.push(operand);
            }
        }
    }
    boundary.sort_unstable();
    boundary.dedup();
    boundary
}
