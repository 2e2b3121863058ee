//! How a file was written, so that it can be written the same way again.

use std::collections::BTreeSet;
use std::fmt;

use crate::design::check::CombinationalLoop;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::Design;

/// The largest variable whose literals fit 32 bits.
pub(super) const LARGEST_VARIABLE: u32 = (1 << 31) - 1;

/// What a file's text has beyond its meaning: numbering, order of symbols, line ends.
/// The default is that of a design that came from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(super) binary: bool,
    pub(super) carriage_returns: bool,
    pub(super) final_newline: bool,
    /// How many numbers the header had; trailing zeros may be left out.
    pub(super) header_fields: usize,
    /// The largest variable that the header allows.
    pub(super) maximum: u32,
    /// The variable of each node that was read; later nodes have none yet.
    pub(super) variables: Vec<u32>,
    /// Latches whose reset 0 was written out.
    pub(super) explicit_zero_resets: BTreeSet<NodeId>,
    pub(super) symbols: Vec<Symbol>,
    /// The bytes after the `c` of the comment section.
    pub(super) comment: Option<Vec<u8>>,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            binary: false,
            carriage_returns: false,
            final_newline: true,
            header_fields: 5,
            maximum: 0,
            variables: Vec::new(),
            explicit_zero_resets: BTreeSet::new(),
            symbols: Vec::new(),
            comment: None,
        }
    }
}

impl Layout {
    /// Whether the file was in the binary format.
    pub fn is_binary(&self) -> bool {
        self.binary
    }

    /// To be called when inputs or latches were added or went away: the places by which
    /// symbols are listed have moved.
    pub fn forget_symbols(&mut self) {
        self.symbols.clear();
    }

    /// The literal by which the file calls a node; none for nodes that were added since.
    pub fn file_literal(&self, id: NodeId) -> Option<u32> {
        self.variables.get(id.index()).map(|variable| 2 * variable)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum SymbolKind {
    Input,
    Latch,
    Output,
    Bad,
    Constraint,
    Justice,
    Fairness,
}

impl SymbolKind {
    /// In the order in which tools write them.
    pub const ALL: [SymbolKind; 7] = [
        SymbolKind::Input,
        SymbolKind::Latch,
        SymbolKind::Output,
        SymbolKind::Bad,
        SymbolKind::Constraint,
        SymbolKind::Justice,
        SymbolKind::Fairness,
    ];

    pub fn letter(self) -> char {
        match self {
            SymbolKind::Input => 'i',
            SymbolKind::Latch => 'l',
            SymbolKind::Output => 'o',
            SymbolKind::Bad => 'b',
            SymbolKind::Constraint => 'c',
            SymbolKind::Justice => 'j',
            SymbolKind::Fairness => 'f',
        }
    }

    pub fn from_letter(letter: u8) -> Option<SymbolKind> {
        let letter = char::from(letter);
        SymbolKind::ALL
            .into_iter()
            .find(|kind| kind.letter() == letter)
    }

    pub fn plural(self) -> &'static str {
        match self {
            SymbolKind::Input => "inputs",
            SymbolKind::Latch => "latches",
            SymbolKind::Output => "outputs",
            SymbolKind::Bad => "bad states",
            SymbolKind::Constraint => "constraints",
            SymbolKind::Justice => "justice properties",
            SymbolKind::Fairness => "fairness constraints",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Symbol {
    pub kind: SymbolKind,
    pub position: usize,
}

impl Symbol {
    pub fn all(kind: SymbolKind, count: usize) -> impl Iterator<Item = Symbol> {
        (0..count).map(move |position| Symbol { kind, position })
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{}{}", self.kind.letter(), self.position)
    }
}

/// Variables for the nodes of a design, and the order of its gates in the file.
pub(super) struct Numbering {
    variables: Vec<u32>,
    pub gates: Vec<NodeId>,
    pub maximum: u32,
}

impl Numbering {
    /// For ASCII files: every node that was read keeps its variable and its place, new ones
    /// follow at the end. Only a file that leaves no variables for them is renumbered.
    pub fn kept(design: &Design, layout: &Layout) -> Result<Numbering, CombinationalLoop> {
        let added = design.len().saturating_sub(layout.variables.len());
        let has_room = layout.maximum as usize + added <= LARGEST_VARIABLE as usize;
        if layout.variables.is_empty() || !has_room {
            return Numbering::ordered(design, layout);
        }
        let mut variables = layout.variables.clone();
        let mut maximum = layout.maximum;
        while variables.len() < design.len() {
            maximum += 1;
            variables.push(maximum);
        }
        Ok(Numbering {
            variables,
            gates: design.gates().collect(),
            maximum,
        })
    }

    /// For binary files: inputs, latches, then gates after what they read. Gates stay in the
    /// order of the variables they had, new ones last, except that a gate moves up to just
    /// before the first one that reads it; so a file that was already in order is not
    /// renumbered, and one new gate moves those behind it by one.
    pub fn ordered(design: &Design, layout: &Layout) -> Result<Numbering, CombinationalLoop> {
        let mut preference: Vec<NodeId> = design.gates().collect();
        let known = |id: &NodeId| layout.variables.get(id.index()).copied();
        preference.sort_by_key(|id| (known(id).unwrap_or(u32::MAX), *id));
        let gates = design.topological_order_from(preference)?;
        let mut variables = vec![0; design.len()];
        let mut maximum = 0;
        for id in design.inputs().iter().chain(design.latches()).chain(&gates) {
            maximum += 1;
            variables[id.index()] = maximum;
        }
        Ok(Numbering {
            variables,
            gates,
            maximum,
        })
    }

    pub fn code(&self, literal: Literal) -> u32 {
        2 * self.variables[literal.node().index()] + u32::from(literal.is_complemented())
    }
}
