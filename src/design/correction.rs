//! What a correction changes, and the files that have it.
//!
//! A [`Correction`] is a proposal: edits of a text, or functions that a game found for some
//! components. The front end of the design turns it into a [`Patch`], which is text and
//! nothing else; whoever wants to know what the patched design does reads it again.

use super::component::ComponentKind;
use super::holes::Netlist;
use super::kind::Kind;
use super::literal::NodeId;
use super::render::{Registers, Replacement};
use super::verilog::edits::SourceEdit;
use crate::source::{FileId, Span};
use std::collections::BTreeMap;

/// A proposal, in the terms of whoever made it.
#[derive(Clone, Debug, PartialEq)]
pub enum Correction {
    /// Edits of the user's text, made at once.
    Edits(Vec<SourceEdit>),
    /// New functions for components.
    Functions(Box<Candidate>),
}

/// What a game puts in the place of components.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub replacements: Vec<Replacement>,
    /// What it reads besides signals of the source.
    pub registers: Option<Registers>,
    pub cost: usize,
}

impl Candidate {
    pub fn added_registers(&self) -> usize {
        self.registers
            .as_ref()
            .map_or(0, |added| added.latches.len())
    }

    /// What the user calls a signal that the correction reads.
    pub fn signal_name(&self, netlist: &Netlist, id: NodeId) -> String {
        let added = self.registers.iter().flat_map(|added| &added.latches);
        match added.into_iter().position(|latch| *latch == id) {
            Some(position) => format!("repair_state[{position}]"),
            None => netlist.signal_name(id),
        }
    }
}

/// The files of a design after a correction, and what changed in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    pub changes: Vec<Change>,
    /// The new content of each file that changed.
    pub files: BTreeMap<FileId, Vec<u8>>,
    pub added_registers: usize,
}

impl Patch {
    /// The new content of a file as text; `None` if it did not change or is no text.
    pub fn text(&self, file: FileId) -> Option<&str> {
        std::str::from_utf8(self.files.get(&file)?).ok()
    }

    /// The new texts, for files that are texts.
    pub fn texts(&self) -> BTreeMap<FileId, String> {
        let files = self.files.keys();
        files
            .filter_map(|file| Some((*file, self.text(*file)?.to_string())))
            .collect()
    }
}

/// One change of a patch, as people read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub kind: Kind,
    /// Whether a text is edited, and not a component of a netlist.
    pub is_text: bool,
    /// The component, if it has a name of its own.
    pub component: String,
    pub span: Option<Span>,
    /// The component of the source whose value alone changes.
    pub within: Option<(Span, ComponentKind)>,
    /// What stands there before, and what after: one line for each bit of a netlist's
    /// component, or the lines of a text joined.
    pub before: Vec<String>,
    pub after: Vec<String>,
}
