//! Edited designs for a first look, without reading all of their text again.
//!
//! Nearly every edit changes a single item of a module, such as an `always` block. The items
//! that edits change are read again and take their places in the tree, which is then elaborated
//! as a whole. Where this does not do (a header, a macro, an edit across items), the files are
//! read from their first byte. A design from here orders work and puts candidates aside; `certify` reads
//! what is left as if a user had given it.

use super::edits::sketch::{self, Sketch};
use super::edits::{self, SourceEdit};
use super::front_end::VerilogFrontEnd;
use super::parse;
use super::preprocess::{MadeTexts, Preprocessor};
use super::syntax::Item;
use super::{Elaborated, Options, SourceTree, elaborate};
use crate::design::front_end::Trials;
use crate::design::netlist::Design;
use crate::source::{FileId, Sources, Span};
use std::collections::BTreeMap;

pub(super) struct ItemTrials<'a> {
    front_end: &'a VerilogFrontEnd,
    options: Options,
    /// The tree of the unchanged text; some items of it are others for a while.
    tree: SourceTree,
    /// The sources with one file more, for the text of an edited item: its spans must not be
    /// those of another one.
    sources: Sources,
    scratch: FileId,
}

impl<'a> ItemTrials<'a> {
    /// Of the design with its reset played, or as a test bench meets it.
    pub(super) fn new(front_end: &'a VerilogFrontEnd, plays_reset: bool) -> ItemTrials<'a> {
        let mut sources = front_end.sources.clone();
        let scratch = sources.add("an edited item", "");
        ItemTrials {
            options: Options {
                components: false,
                reset: front_end.options.reset.clone().filter(|_| plays_reset),
                ..front_end.options.clone()
            },
            tree: front_end.tree.clone(),
            front_end,
            sources,
            scratch,
        }
    }

    /// The module and the item, by their indices, that have all changes of an edit in them.
    fn changed_item(&self, edit: &SourceEdit) -> Option<(usize, usize)> {
        let (first, _) = edit.changes.first()?;
        let holds = |outer: Span| {
            let mut spans = edit.changes.iter();
            spans.all(|(span, _)| contains(outer, *span))
        };
        let mut modules = self.tree.modules.iter();
        let module = modules.position(|one| {
            let mut items = one.items.iter();
            items.any(|item| contains(item.span, *first))
        })?;
        let items = &self.tree.modules[module].items;
        let index = items.iter().position(|item| holds(item.span))?;
        // One text may stand for several items, as a list of instances does.
        let mut others = items
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        let is_alone = others.all(|(_, item)| !overlaps(item.span, items[index].span));
        is_alone.then_some((module, index))
    }

    /// The items that edits change, each with what it becomes; `None` if that is not told from
    /// them alone.
    fn changed_items(&self, edits: &[SourceEdit]) -> Option<Vec<((usize, usize), Item)>> {
        let mut changed: BTreeMap<(usize, usize), Vec<&SourceEdit>> = BTreeMap::new();
        for edit in edits {
            let item = self.changed_item(edit)?;
            changed.entry(item).or_default().push(edit);
        }
        let items = changed.into_iter().map(|((module, index), edits)| {
            let span = self.tree.modules[module].items[index].span;
            Some(((module, index), self.edited_item(&edits, span)?))
        });
        items.collect()
    }

    fn edited_item(&self, edits: &[&SourceEdit], item: Span) -> Option<Item> {
        let changes = edits.iter().flat_map(|edit| &edit.changes);
        let piece = self.sources.text_after(item, changes)?;
        // What a macro stands for depends on the text before it.
        if piece.contains('`') {
            return None;
        }
        let sources = self.sources.with_texts([(&self.scratch, &piece)]);
        let finder = |_: &str, _: FileId| None;
        let made = MadeTexts::default();
        let mut preprocessor = Preprocessor::new(&sources, &finder, &[], &made);
        preprocessor.add(self.scratch).ok()?;
        let tokens = preprocessor.finish(self.scratch).tokens;
        let item = parse::single_item(&tokens, sources.limits())?;
        #[cfg(test)]
        super::counts::count_parse([piece.as_str()].into_iter());
        Some(item)
    }
}

impl ItemTrials<'_> {
    /// Puts items into the tree, and those that stood there into the list.
    fn exchange(&mut self, items: &mut [((usize, usize), Item)]) {
        for ((module, index), item) in items {
            std::mem::swap(item, &mut self.tree.modules[*module].items[*index]);
        }
    }
}

impl ItemTrials<'_> {
    fn elaborated(&mut self, edits: &[SourceEdit], options: &Options) -> Option<Elaborated> {
        if let Some(mut items) = self.changed_items(edits) {
            self.exchange(&mut items);
            let elaborated = elaborate(&self.tree, options);
            self.exchange(&mut items);
            return elaborated.ok();
        }
        let texts = edits::apply(edits, &self.front_end.sources);
        let sources = self.front_end.sources.with_texts(&texts);
        let tree = self.front_end.project.parse(&sources).ok()?;
        elaborate(&tree, options).ok()
    }
}

impl Trials for ItemTrials<'_> {
    fn design(&mut self, edits: &[SourceEdit]) -> Option<Design> {
        let options = self.options.clone();
        let elaborated = self.elaborated(edits, &options)?;
        let is_legal = !self.front_end.spoils_enumerations(&elaborated);
        is_legal.then_some(elaborated.design)
    }

    fn sketched(&mut self, edits: &[SourceEdit], places: &[Sketch]) -> Option<Design> {
        let options = Options {
            holes: true,
            ..self.options.clone()
        };
        let mut edits = edits.to_vec();
        edits.extend(sketch::open_edits(places, &self.front_end.sources));
        let elaborated = self.elaborated(&edits, &options)?;
        Some(elaborated.design)
    }
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

fn overlaps(first: Span, second: Span) -> bool {
    first.file == second.file && first.start < second.end && second.start < first.end
}
