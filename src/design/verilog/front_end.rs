//! Verilog as a design that can be checked and repaired: its corrections are edits of the
//! user's text.
//!
//! The unchanged text is parsed and elaborated once. That elaboration has buffers for its
//! right-hand sides and conditions, so that games can open them; the design that is verified
//! is the same without the buffers. An edited text is read again from its first byte.

use super::changes::changes;
use super::edits::sketch::Sketch;
use super::edits::{self, SourceEdit};
use super::finish::{ResetPlay, named_input, play_reset_on_netlist};
use super::sampled::PAST;
use super::translated::{Translator, translate};
use super::trials::ItemTrials;
use super::{
    Elaborated, Options, Project, SourceTree, VisibleKind, VisibleName, codes, elaborate, polarity,
};
use crate::design::component::{Component, ComponentId};
use crate::design::correction::{Correction, Patch};
use crate::design::front_end::{FrontEnd, Reading, Trials};
use crate::design::holes::Netlist;
use crate::design::kind::Kind;
use crate::design::literal::{Literal, NodeId};
use crate::design::netlist::Design;
use crate::design::suggest::did_you_mean;
use crate::design::yosys_json::YosysFrontEnd;
use crate::source::codes::repair as repair_codes;
use crate::source::record::PlaceRecord;
use crate::source::{Diagnostic, FileId, Severity, Sources, Span};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

pub struct VerilogFrontEnd {
    pub(super) project: Project,
    pub(super) options: Options,
    pub(super) sources: Sources,
    pub(super) tree: SourceTree,
    /// The design with its components.
    pub(super) open: Elaborated,
    pub(super) netlist: Netlist,
    reading: Reading,
    edits: Vec<SourceEdit>,
    translator: Option<Rc<dyn Translator>>,
}

impl VerilogFrontEnd {
    /// Reads files with our own parser. Components and edits are there if `options` ask for
    /// components. A text that infers latches is read if they say so; a corrected one is not.
    pub fn new(
        project: Project,
        options: Options,
        sources: &Sources,
    ) -> Result<VerilogFrontEnd, Diagnostic> {
        let tree = project.parse(sources)?;
        let mut open = elaborate(&tree, &options)?;
        let plain = Elaborated {
            design: if options.components {
                with_one_past(open.design.without_buffers())
            } else {
                open.design.clone()
            },
            properties: std::mem::take(&mut open.properties),
            reset_again: std::mem::take(&mut open.reset_again),
            warnings: std::mem::take(&mut open.warnings),
            enumerated: open.enumerated.clone(),
            uninitialised: std::mem::take(&mut open.uninitialised),
            latches: std::mem::take(&mut open.latches),
            top: open.top.clone(),
            clock: open.clock.clone(),
            ..Elaborated::default()
        };
        let edits = if options.components {
            edits::list(&tree, &open.modules, &open.checking_only, sources)
        } else {
            Vec::new()
        };
        Ok(VerilogFrontEnd {
            netlist: netlist(&open, sources),
            reading: plain.into_reading(&options),
            project,
            options,
            sources: sources.clone(),
            tree,
            open,
            edits,
            translator: None,
        })
    }

    /// Files that only another program can read. Where our own parser can read around what it
    /// does not know, the text is edited all the same.
    pub fn translated(
        project: Project,
        translator: Rc<dyn Translator>,
        yosys: &YosysFrontEnd,
        reset: Option<ResetPlay>,
        sources: &Sources,
    ) -> Result<VerilogFrontEnd, Diagnostic> {
        let tree = project.parse_around(sources).unwrap_or_default();
        let netlist_of_yosys = yosys.yosys();
        let top = &netlist_of_yosys.interface.module;
        let names = edits::names::visible(&tree, &netlist_of_yosys.design, top);
        let mut edits = edits::list(&tree, &names, &HashSet::new(), sources);
        let is_ours = |span: &Span| project.files.contains(&span.file);
        edits.retain(|edit| edit.changes.iter().all(|(span, _)| is_ours(span)));
        let places = edits.iter().filter_map(|edit| edit.within).collect();
        let mut open = netlist_of_yosys.elaborated(&places, names, sources);
        if let Some(play) = &reset {
            play_reset_on_netlist(&mut open.design, play, sources.limits())?;
        }
        let reading = with_reset(yosys.reading().clone(), reset.as_ref(), sources)?;
        Ok(VerilogFrontEnd {
            netlist: netlist(&open, sources),
            reading,
            project,
            options: Options {
                reset,
                ..Options::default()
            },
            sources: sources.clone(),
            tree,
            open,
            edits,
            translator: Some(translator),
        })
    }

    /// The design of a reference: its own files, and modules of this design that they lack.
    pub fn reference(&self, project: &Project, sources: &Sources) -> Result<Reading, Diagnostic> {
        let mut tree = project.parse(sources)?;
        let is_known = |tree: &SourceTree, name: &str| {
            let mut modules = tree.modules.iter();
            modules.any(|module| module.name.text == name)
        };
        // Where a part of this design has another text in the reference, the rest is the same.
        let mut modules = self.tree.modules.iter();
        let has_parts = modules.any(|module| is_known(&tree, &module.name.text));
        let top = if has_parts {
            self.open.top.clone()
        } else {
            super::only_top(&tree)?
        };
        for module in &self.tree.modules {
            if !is_known(&tree, &module.name.text) {
                tree.modules.push(module.clone());
            }
        }
        let options = Options {
            components: false,
            top: Some(top),
            ..self.options.clone()
        };
        Ok(elaborate(&tree, &options)?.into_reading(&options))
    }

    /// What another program makes of texts.
    fn netlist_of(
        &self,
        translator: &dyn Translator,
        mut sources: Sources,
    ) -> Result<Reading, Vec<Diagnostic>> {
        let yosys = translate(&self.project, translator, &mut sources, &mut |_, _| None);
        let yosys = yosys.map_err(|diagnostic| vec![diagnostic])?;
        Ok(yosys.reading().clone())
    }

    /// Texts as a design without components.
    fn elaborated(
        &self,
        sources: &Sources,
        reset: Option<ResetPlay>,
    ) -> Result<Reading, Vec<Diagnostic>> {
        let one = |diagnostic: Diagnostic| vec![diagnostic];
        let tree = self.project.parse(sources).map_err(one)?;
        let options = Options {
            components: false,
            reset,
            ..self.options.clone()
        };
        let elaborated = elaborate(&tree, &options).map_err(one)?;
        if self.spoils_enumerations(&elaborated) {
            let foreign = elaborated.enumerated.warnings();
            let refused = foreign.map(|warning| Diagnostic {
                severity: Severity::Error,
                ..warning
            });
            return Err(refused.collect());
        }
        Ok(elaborated.into_reading(&options))
    }

    /// Whether an edited design gives enumerations more values of other types than the text
    /// does that the user gave: other tools would refuse it.
    pub(super) fn spoils_enumerations(&self, edited: &Elaborated) -> bool {
        edited.enumerated.foreign() > self.open.enumerated.foreign()
    }

    /// The patch with these edits made.
    pub(super) fn patch(&self, edits: &[SourceEdit], added_registers: usize) -> Patch {
        let files = edits::apply(edits, &self.sources).into_iter();
        let files = files.map(|(file, text)| (file, text.into_bytes()));
        Patch {
            changes: changes(edits, &self.sources),
            files: files.collect(),
            added_registers,
        }
    }
}

impl FrontEnd for VerilogFrontEnd {
    fn reading(&self) -> &Reading {
        &self.reading
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn files(&self) -> &[FileId] {
        &self.project.files
    }

    fn is_source(&self) -> bool {
        true
    }

    fn modules(&self) -> Vec<(String, Span)> {
        let modules = self.tree.modules.iter().filter(|one| !one.is_package);
        modules
            .map(|one| (one.name.text.clone(), one.name.span.to(one.end)))
            .collect()
    }

    fn render(&self, correction: &Correction) -> Result<Option<Patch>, Diagnostic> {
        Ok(match correction {
            Correction::Edits(edits) => Some(self.patch(edits, 0)),
            Correction::Functions(candidate) => {
                let edits = self.wording(candidate);
                edits.map(|edits| self.patch(&edits, candidate.added_registers()))
            }
        })
    }

    fn reread(&self, patch: &Patch) -> Result<Reading, Vec<Diagnostic>> {
        let one = |diagnostic: Diagnostic| vec![diagnostic];
        let sources = self.sources.with_texts(&patch.texts());
        if let Some(translator) = &self.translator {
            let reading = self.netlist_of(&**translator, sources.clone())?;
            let reset = self.options.reset.as_ref();
            return with_reset(reading, reset, &sources).map_err(one);
        }
        self.elaborated(&sources, self.options.reset.clone())
    }

    fn without_reset(&self, patch: Option<&Patch>) -> Result<Reading, Vec<Diagnostic>> {
        let is_played = self.options.reset.is_some();
        match patch {
            None if !is_played => return Ok(self.reading.clone()),
            Some(patch) if !is_played => return self.reread(patch),
            _ => {}
        }
        let sources = match patch {
            Some(patch) => self.sources.with_texts(&patch.texts()),
            None => self.sources.clone(),
        };
        match &self.translator {
            Some(translator) => self.netlist_of(&**translator, sources),
            None => self.elaborated(&sources, None),
        }
    }

    fn trials(&self) -> Option<Box<dyn Trials + '_>> {
        let is_ours = self.translator.is_none();
        is_ours.then(|| Box::new(ItemTrials::new(self, true)) as Box<dyn Trials>)
    }

    fn items(&self) -> Vec<Span> {
        let modules = self.tree.modules.iter();
        let items = modules.flat_map(|module| &module.items);
        items.map(|item| item.span).collect()
    }

    fn trials_without_reset(&self) -> Option<Box<dyn Trials + '_>> {
        let is_ours = self.translator.is_none();
        is_ours.then(|| Box::new(ItemTrials::new(self, false)) as Box<dyn Trials>)
    }

    fn sketches(&self) -> Vec<Sketch> {
        let open = &self.open;
        match self.translator {
            Some(_) => Vec::new(),
            None => edits::sketches(
                &self.tree,
                &open.modules,
                &open.checking_only,
                &self.sources,
            ),
        }
    }

    fn edits(&self, depends_on: &[String]) -> Result<Vec<SourceEdit>, Vec<Diagnostic>> {
        if depends_on.is_empty() {
            return Ok(self.edits.clone());
        }
        let names: Vec<&VisibleName> = self.open.modules.values().flatten().collect();
        let base = |name: &String| name.split('[').next().unwrap_or(name).to_string();
        let mut errors = Vec::new();
        for wanted in depends_on {
            if names.iter().all(|name| name.name != base(wanted)) {
                let message = format!("`--depends-on {wanted}` is no signal of the design");
                let known = names.iter().map(|name| name.name.as_str());
                let diagnostic = Diagnostic::error(repair_codes::UNKNOWN_SIGNAL, message);
                errors.push(match did_you_mean(wanted, known) {
                    Some(help) => diagnostic.help(help),
                    None => diagnostic.help("name signals as their module does"),
                });
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let is_constant = |name: &String| {
            let known = names.iter().find(|one| one.name == *name);
            known.is_some_and(|one| matches!(one.kind, VisibleKind::Constant(_)))
        };
        let is_allowed = |name: &String| {
            is_constant(name) || depends_on.iter().any(|allowed| base(allowed) == *name)
        };
        let is_readable = |edit: &&SourceEdit| {
            edit.kind == Kind::Target || edit.new_names(&self.sources).iter().all(is_allowed)
        };
        Ok(self.edits.iter().filter(is_readable).cloned().collect())
    }

    fn readable(
        &self,
        component: ComponentId,
        depends_on: &[String],
    ) -> Result<Option<Vec<NodeId>>, Vec<Diagnostic>> {
        let names = self.names_at(component).into_iter();
        let nodes = names.filter(|(_, local)| {
            let word = local.split('[').next().unwrap_or(local);
            depends_on.is_empty() || depends_on.iter().any(|one| one == word || one == local)
        });
        Ok(Some(nodes.map(|(node, _)| node).collect()))
    }
}

/// A netlist of another program, with a reset played before anything is judged.
fn with_reset(
    mut reading: Reading,
    reset: Option<&ResetPlay>,
    sources: &Sources,
) -> Result<Reading, Diagnostic> {
    if let Some(play) = reset {
        let input = named_input(&reading.design, &play.signal);
        let held = input.map(|input| {
            polarity::netlist_held_in_reset(&reading.design, input, play, sources.limits())
        });
        reading.warnings.extend(held.transpose()?.flatten());
        play_reset_on_netlist(&mut reading.design, play, sources.limits())?;
        reading.reset_steps = play.cycles;
        reading.reset_again_for_all = play.again;
        reading
            .warnings
            .retain(|warning| warning.code != codes::NO_RESET);
    }
    Ok(reading)
}

impl Elaborated {
    fn into_reading(self, options: &Options) -> Reading {
        let mut warnings = self.warnings;
        warnings.extend(self.enumerated.warnings());
        if let (None, [(_, first), ..]) = (&options.reset, &self.uninitialised[..]) {
            let names = self.uninitialised.iter().map(|(name, _)| name.as_str());
            let names: Vec<&str> = names.collect();
            let message = format!("registers start with any value: {}", names.join(", "));
            warnings.push(
                Diagnostic::warning(codes::NO_RESET, message)
                    .at(*first, "no initial value, and no reset is played")
                    .help("say `--reset NAME` to play one cycle of reset first"),
            );
        }
        Reading {
            design: self.design,
            properties: self.properties,
            property_names: Vec::new(),
            warnings,
            notes: Vec::new(),
            latches: self.latches,
            reset_steps: options.reset.as_ref().map_or(0, |play| play.cycles),
            reset_again: self.reset_again,
            reset_again_for_all: options.reset.as_ref().is_some_and(|play| play.again),
            top: Some(self.top),
            clock: self.clock.map(|clock| (clock.name, clock.rising)),
        }
    }
}

/// Merges the latches for earlier values of signals that are the same once there are no
/// buffers between them and start alike: a signal has one past, whatever its names are.
fn with_one_past(mut design: Design) -> Design {
    loop {
        let mut known: HashMap<(NodeId, Option<bool>), Literal> = HashMap::new();
        let mut merged = design.clone();
        for id in design.latches() {
            let name = design.name(*id).unwrap_or_default();
            let Some(latch) = design.latch(*id).filter(|_| name.starts_with(PAST)) else {
                continue;
            };
            let sign = latch.next.is_complemented();
            let start = latch.reset.value().map(|value| value != sign);
            let key = (latch.next.node(), start);
            let is_constant = latch.next.as_constant();
            if is_constant
                .is_some_and(|value| latch.reset.value().is_none_or(|start| start == value))
            {
                merged.drive(*id, latch.next, usize::MAX);
            } else if let Some(first) = known.get(&key) {
                merged.drive(*id, first.complement_if(sign), usize::MAX);
            } else {
                known.insert(key, id.literal().complement_if(sign));
            }
        }
        if merged.latches().len() == design.latches().len() {
            return design;
        }
        design = merged.without_buffers();
    }
}

/// A design with its right-hand sides, conditions and labels as components, each called by
/// its position in the source.
fn netlist(open: &Elaborated, sources: &Sources) -> Netlist {
    let components = open.components.iter().map(|recorded| {
        let bits: Vec<NodeId> = recorded.instances.iter().flatten().copied().collect();
        let component = Component {
            kind: recorded.kind,
            name: PlaceRecord::new(recorded.span, sources).text(),
            span: Some(recorded.span),
            scope: recorded.scope.clone(),
            width: bits.len(),
        };
        (component, bits)
    });
    Netlist::with_components(open.design.clone(), components.collect())
}
