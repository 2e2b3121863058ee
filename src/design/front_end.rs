//! What a format has to offer so that designs in it can be checked and repaired.
//!
//! A front end owns its syntax: it says what a file means ([`Reading`]), which parts of it may
//! be wrong ([`Netlist`], edits), puts a correction into the words of the format, and reads
//! the result again. Nothing else in the program knows where a design came from.

use super::component::ComponentId;
use super::correction::{Candidate, Change, Correction, Patch};
use super::holes::Netlist;
use super::literal::NodeId;
use super::netlist::Design;
use super::suggest::did_you_mean;
use super::verilog;
use super::verilog::edits::SourceEdit;
use super::verilog::edits::sketch::Sketch;
use crate::expr::PropertyItem;
use crate::source::codes::repair as codes;
use crate::source::{Diagnostic, FileId, Span};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A design as its files state it.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    pub design: Design,
    /// What the files themselves demand.
    pub properties: Vec<PropertyItem>,
    /// What the format calls these properties, such as `b0`; by their index, as far as it has
    /// names for them.
    pub property_names: Vec<Option<String>>,
    pub warnings: Vec<Diagnostic>,
    /// What the user may have expected to be otherwise.
    pub notes: Vec<String>,
    /// Latches that combinational blocks infer: a correction has none.
    pub latches: Vec<InferredLatch>,
    /// Steps of reset that are played before properties count.
    pub reset_steps: u32,
    /// Whether the reset may come again while a property is judged; by the index of the
    /// property. Empty if it never does.
    pub reset_again: Vec<bool>,
    /// Whether it may while properties of other files are judged.
    pub reset_again_for_all: bool,
    /// The name of the top module, if the format has names for designs.
    pub top: Option<String>,
    /// The input that registers move with, and whether at its rising edge; the design has no
    /// such input any more.
    pub clock: Option<(String, bool)>,
}

/// A signal that a combinational block does not always assign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InferredLatch {
    pub name: String,
    /// The head of the block.
    pub block: Span,
    pub declared: Span,
    /// The word of the design that says whether the old value is kept in a step.
    pub held: String,
}

impl InferredLatch {
    /// What is said if a run opens it.
    pub fn error(&self) -> Diagnostic {
        verilog::latch(&self.name, self.block, self.declared)
    }

    /// What is said if no run does.
    pub fn warning(&self) -> Diagnostic {
        let name = &self.name;
        let message = format!("`{name}` is not assigned in every case; the others are unreachable");
        Diagnostic::warning(verilog::codes::CLOSED_LATCH, message)
            .at(self.block, "no latch, as was proved")
            .help("add a `default` or an `else`, which does not depend on what is reachable")
    }
}

/// Edited designs, for a first look at many of them.
pub trait Trials {
    /// The design with edits made; `None` if it has no meaning.
    fn design(&mut self, edits: &[SourceEdit]) -> Option<Design>;

    /// The design with edits made and places open, whose holes are latches that keep a value.
    /// A place may be inside of another one.
    fn sketched(&mut self, _edits: &[SourceEdit], _places: &[Sketch]) -> Option<Design> {
        None
    }
}

pub trait FrontEnd {
    /// The files as they were given. They are read once.
    fn reading(&self) -> &Reading;

    /// The design with its components, which can be opened ([`Netlist::elaborate`]).
    fn netlist(&self) -> &Netlist;

    /// The files in which users look for the design, in their order.
    fn files(&self) -> &[FileId];

    /// The design with components replaced or text edited, as files; `None` if the format has
    /// no words for it.
    fn render(&self, correction: &Correction) -> Result<Option<Patch>, Diagnostic>;

    /// Reads a patched design from its files, as if a user had given them.
    fn reread(&self, patch: &Patch) -> Result<Reading, Vec<Diagnostic>>;

    /// The design, patched or not, as a test bench meets it: a reset is an input like others,
    /// and none is played.
    fn without_reset(&self, patch: Option<&Patch>) -> Result<Reading, Vec<Diagnostic>> {
        match patch {
            Some(patch) => self.reread(patch),
            None => Ok(self.reading().clone()),
        }
    }

    /// The front end of the design alone and the reference that it is compared with, if there
    /// is one.
    fn reference(&self) -> Option<(Rc<dyn FrontEnd>, &Design)> {
        None
    }

    /// Small edits of the text that a person might try, the cheapest first, and among them
    /// only those that read no new signal besides `depends_on` (if that is not empty).
    fn edits(&self, _depends_on: &[String]) -> Result<Vec<SourceEdit>, Vec<Diagnostic>> {
        Ok(Vec::new())
    }

    /// Places of the text where constants and small expressions can be solved for.
    fn sketches(&self) -> Vec<Sketch> {
        Vec::new()
    }

    /// A quicker way to an edited design than [`render`](FrontEnd::render) and
    /// [`reread`](FrontEnd::reread), if there is one.
    fn trials(&self) -> Option<Box<dyn Trials + '_>> {
        None
    }

    /// The same for [`without_reset`](FrontEnd::without_reset).
    fn trials_without_reset(&self) -> Option<Box<dyn Trials + '_>> {
        None
    }

    /// Whether the design is a text that people write. Its corrections are edits, games look
    /// at one place at a time, and a text may say less than the functions of a game: one
    /// expression stands for several instances.
    fn is_source(&self) -> bool {
        false
    }

    /// The modules of a text, each with where it stands.
    fn modules(&self) -> Vec<(String, Span)> {
        Vec::new()
    }

    /// The items of modules of a text: blocks, assignments, instances.
    fn items(&self) -> Vec<Span> {
        Vec::new()
    }

    /// The nodes that a correction of a component may read; `None` for all that are visible.
    fn readable(
        &self,
        _component: ComponentId,
        depends_on: &[String],
    ) -> Result<Option<Vec<NodeId>>, Vec<Diagnostic>> {
        if depends_on.is_empty() {
            return Ok(None);
        }
        self.netlist().nodes_named(depends_on).map(Some)
    }
}

impl Netlist {
    /// The nodes with these names; a word stands for its bits.
    fn nodes_named(&self, names: &[String]) -> Result<Vec<NodeId>, Vec<Diagnostic>> {
        let design = self.design();
        let visible = |id: &NodeId| !design.is_hidden(*id) && *id != NodeId::CONSTANT;
        let mut known: Vec<(NodeId, String)> = design
            .node_ids()
            .filter(visible)
            .map(|id| (id, self.signal_name(id)))
            .collect();
        // An output may show the complement of a gate, which tells as much.
        for output in design.outputs() {
            if let (Some(name), true) = (&output.name, visible(&output.literal.node())) {
                known.push((output.literal.node(), name.clone()));
            }
        }
        let mut found = Vec::new();
        let mut errors = Vec::new();
        for wanted in names {
            let word = format!("{wanted}[");
            let before = found.len();
            let matching = known
                .iter()
                .filter(|(_, name)| name == wanted || name.starts_with(&word));
            found.extend(matching.map(|(id, _)| *id));
            if found.len() == before {
                let message = format!("`--depends-on {wanted}` is no signal that can be read");
                let diagnostic = Diagnostic::error(codes::UNKNOWN_SIGNAL, message);
                let known = known.iter().map(|(_, name)| &name[..]);
                errors.push(match did_you_mean(wanted, known) {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic.help("signals that only properties read do not count"),
                });
            }
        }
        if errors.is_empty() {
            Ok(found)
        } else {
            Err(errors)
        }
    }

    /// The design that a correction makes of this one.
    pub fn corrected(&self, candidate: &Candidate) -> Result<Design, Diagnostic> {
        self.render_with(&candidate.replacements, candidate.registers.as_ref())
    }

    /// A correction as one file, whose new contents these are.
    pub fn patch(
        &self,
        candidate: &Candidate,
        file: FileId,
        contents: Vec<u8>,
    ) -> Result<Patch, Diagnostic> {
        Ok(Patch {
            changes: self.changes(candidate)?,
            files: BTreeMap::from([(file, contents)]),
            added_registers: candidate.added_registers(),
        })
    }

    /// The changes of a correction in the terms of a netlist.
    pub fn changes(&self, candidate: &Candidate) -> Result<Vec<Change>, Diagnostic> {
        let name = |id: NodeId| candidate.signal_name(self, id);
        let mut changes = Vec::new();
        for replacement in &candidate.replacements {
            let (component, _) = self.component(replacement.component)?;
            let texts = |functions: &[super::Function]| {
                let texts = functions.iter().map(|function| function.text(&name));
                texts.collect()
            };
            changes.push(Change {
                kind: component.kind.kind(),
                is_text: false,
                component: component.name.clone(),
                span: component.span,
                within: None,
                before: texts(&self.present_functions(replacement.component)?),
                after: texts(&replacement.functions),
            });
        }
        Ok(changes)
    }
}
