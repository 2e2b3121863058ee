//! Sketches: texts whose constants and choices are left open, to be solved for.
//!
//! At a place of the text stands what was written, or one of a few templates; which one, and
//! the constants and choices in it, are holes (`open_constants`). The sketch is a text like any other: the
//! front end reads it, so that widths and signs are those of the edit that comes out of it. A
//! solver finds values for the holes, and with these the template is an edit [SKETCH].
//!
//! Ours has few places open at a time, mostly one, and many templates at each; values are asked
//! for template by template, the cheapest first.

use super::literal::number_text;
use super::{Kind, SourceEdit, SourceTree};
use crate::design::component::ComponentKind;
use crate::design::verilog::open_constants::HOLE;
use crate::design::verilog::syntax::*;
use crate::expr::{Digit, ExprKind, Number};
use crate::source::{Sources, Span};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

/// A constant that is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    pub number: usize,
    pub width: usize,
}

/// The values of holes, by their numbers, least significant bit first.
pub type HoleValues = BTreeMap<usize, Vec<bool>>;

/// A place of the text with what may stand there.
#[derive(Clone, Debug)]
pub struct Sketch {
    pub span: Span,
    pub within: Option<(Span, ComponentKind)>,
    /// What edits of it are called.
    pub kind: Kind,
    /// Which template is used: 0 for what was written, or else the number of a template.
    pub mode: Hole,
    /// The cheapest first; numbered from 1.
    pub templates: Vec<Template>,
    /// What was written, as an operand of something else.
    operand: String,
}

#[derive(Clone, Debug)]
pub struct Template {
    pub parts: Vec<Part>,
    pub cost: u32,
}

/// A part of a template.
#[derive(Clone, Debug)]
pub enum Part {
    Text(String),
    /// What was written.
    Original,
    Constant(Hole, Style),
    /// One of several, by the value of a hole. Those that read logic may close a loop.
    Either(Hole, Vec<Alternative>),
}

#[derive(Clone, Debug)]
pub struct Alternative {
    pub parts: Vec<Part>,
    /// Whether it reads only inputs and registers.
    pub is_safe: bool,
}

/// How a constant is written.
#[derive(Clone, Debug)]
pub enum Style {
    /// As another literal is.
    Like(String, Box<Number>),
    /// With its width, in this base.
    Sized(char),
    /// A single one bit is short, whatever the width.
    Short(char),
    /// A plain number.
    Plain,
}

/// What a walk collects.
#[derive(Clone, Debug, Default)]
pub struct Sketches {
    pub list: Vec<Sketch>,
    holes: usize,
}

impl Sketches {
    pub fn hole(&mut self, width: usize) -> Hole {
        self.holes += 1;
        Hole {
            number: self.holes,
            width,
        }
    }

    /// A choice between parts.
    pub fn either(&mut self, alternatives: Vec<Alternative>) -> Part {
        let width = bits_for(alternatives.len().saturating_sub(1));
        Part::Either(self.hole(width), alternatives)
    }

    pub fn add(
        &mut self,
        span: Span,
        within: Option<(Span, ComponentKind)>,
        kind: Kind,
        operand: String,
        mut templates: Vec<Template>,
    ) {
        templates.retain(|one| one.parts.iter().all(|part| !part.is_empty()));
        templates.sort_by_key(|one| one.cost);
        if !templates.is_empty() {
            let mode = self.hole(bits_for(templates.len()));
            self.list.push(Sketch {
                span,
                within,
                kind,
                mode,
                templates,
                operand,
            });
        }
    }
}

/// Bits that numbers up to this one have.
fn bits_for(most: usize) -> usize {
    (usize::BITS - most.leading_zeros()).max(1) as usize
}

impl Hole {
    fn text(self) -> String {
        format!("{HOLE}({}, {})", self.number, self.width)
    }

    /// Whether it has a value.
    fn is(self, value: usize) -> String {
        format!("{} == {}'d{value}", self.text(), self.width)
    }
}

impl Part {
    fn is_empty(&self) -> bool {
        match self {
            Part::Either(_, alternatives) => {
                let is_empty = |one: &Alternative| one.parts.iter().any(Part::is_empty);
                alternatives.iter().all(is_empty)
            }
            _ => false,
        }
    }

    /// The part with its holes open.
    fn open(&self, original: &str) -> String {
        match self {
            Part::Text(text) => text.clone(),
            Part::Original => format!("({original})"),
            Part::Constant(hole, Style::Like(_, number)) if number.width.is_none() => {
                format!("$signed({{1'b0, {}}})", hole.text())
            }
            Part::Constant(hole, Style::Like(_, number)) if number.signed => {
                format!("$signed({})", hole.text())
            }
            Part::Constant(hole, _) => hole.text(),
            Part::Either(hole, alternatives) => {
                let texts = alternatives.iter().map(|one| opened(&one.parts, original));
                chosen(*hole, 0, texts.collect())
            }
        }
    }

    /// The part with values in its holes; `None` if one of them has no text.
    fn filled(&self, values: &HoleValues, operand: &str) -> Option<String> {
        Some(match self {
            Part::Text(text) => text.clone(),
            Part::Original => operand.to_string(),
            Part::Constant(hole, style) => style.text(values.get(&hole.number)?)?,
            Part::Either(hole, alternatives) => {
                let value = number_of(values.get(&hole.number)?);
                let last = alternatives.len().checked_sub(1)?;
                filled(&alternatives[value.min(last)].parts, values, operand)?
            }
        })
    }

    /// The holes that matter if others have these values.
    fn holes(&self, values: &HoleValues, found: &mut Vec<Hole>) {
        match self {
            Part::Text(_) | Part::Original => {}
            Part::Constant(hole, _) => found.push(*hole),
            Part::Either(hole, alternatives) => {
                found.push(*hole);
                let value = values.get(&hole.number).map_or(0, |bits| number_of(bits));
                let last = alternatives.len().saturating_sub(1);
                let parts = alternatives.get(value.min(last)).map(|one| &one.parts);
                parts
                    .into_iter()
                    .flatten()
                    .for_each(|part| part.holes(values, found));
            }
        }
    }

    /// Without what may close a loop.
    fn restricted(&self) -> Part {
        match self {
            Part::Either(hole, alternatives) => {
                let safe = alternatives.iter().filter(|one| one.is_safe);
                let safe = safe.map(|one| Alternative {
                    parts: one.parts.iter().map(Part::restricted).collect(),
                    is_safe: true,
                });
                Part::Either(*hole, safe.collect())
            }
            other => other.clone(),
        }
    }
}

fn opened(parts: &[Part], original: &str) -> String {
    parts.iter().map(|part| part.open(original)).collect()
}

fn filled(parts: &[Part], values: &HoleValues, operand: &str) -> Option<String> {
    parts
        .iter()
        .map(|part| part.filled(values, operand))
        .collect()
}

/// One of several texts, by the value of a hole; the last for all other values.
fn chosen(hole: Hole, first: usize, mut texts: Vec<String>) -> String {
    let last = texts.pop().unwrap_or_default();
    let mut text = String::from("(");
    for (index, one) in texts.iter().enumerate() {
        text += &format!("{} ? ({one}) : ", hole.is(first + index));
    }
    text + &format!("({last}))")
}

fn number_of(bits: &[bool]) -> usize {
    let bits = bits.iter().take(usize::BITS as usize - 1).enumerate();
    bits.fold(0, |value, (index, bit)| value | usize::from(*bit) << index)
}

impl Style {
    /// A value as a text.
    fn text(&self, bits: &[bool]) -> Option<String> {
        let value = (bits.iter().skip(62).all(|bit| !bit)).then(|| number_of(bits));
        match self {
            Style::Like(text, number) => match value {
                Some(value) => number_text(text, number, i64::try_from(value).ok()?),
                None => Some(sized(bits, 'h')),
            },
            Style::Short(_) if value == Some(1) => Some("1'b1".to_string()),
            Style::Sized(base) | Style::Short(base) => Some(sized(bits, *base)),
            Style::Plain => Some(value?.to_string()),
        }
    }
}

/// A number with its width; wide ones are hexadecimal.
fn sized(bits: &[bool], base: char) -> String {
    let width = bits.len();
    let value = number_of(bits);
    match base {
        _ if width == 1 => format!("1'b{value}"),
        'b' if width <= 32 => format!("{width}'b{value:0>width$b}"),
        'd' if width <= 62 => format!("{width}'d{value}"),
        _ => {
            let nibbles = bits.chunks(4).rev().map(|nibble| {
                let digit = number_of(nibble) as u32;
                char::from_digit(digit, 16).unwrap_or('0')
            });
            format!("{width}'h{}", nibbles.collect::<String>())
        }
    }
}

impl Sketch {
    /// The same without what may close a loop of logic.
    pub fn restricted(&self) -> Sketch {
        let templates = self.templates.iter().map(|one| Template {
            parts: one.parts.iter().map(Part::restricted).collect(),
            cost: one.cost,
        });
        Sketch {
            templates: templates.collect(),
            ..self.clone()
        }
    }

    /// Whether a template is left, where some cannot be used.
    pub fn has(&self, template: usize) -> bool {
        let parts = &self.templates[template].parts;
        parts.iter().all(|part| !part.is_empty())
    }

    fn is_inside(&self, outer: Span) -> bool {
        let span = self.span;
        span.file == outer.file && outer.start <= span.start && span.end <= outer.end
    }

    /// An edit that says only where the place is.
    pub fn placeholder(&self) -> SourceEdit {
        SourceEdit {
            within: self.within,
            ..SourceEdit::new(self.kind, vec![(self.span, String::new())], 0)
        }
    }

    /// The place with all that may stand there.
    fn open(&self, original: &str) -> String {
        let mut texts = vec![format!("({original})")];
        for template in 0..self.templates.len() {
            texts.push(match self.has(template) {
                true => opened(&self.templates[template].parts, original),
                false => format!("({original})"),
            });
        }
        chosen(self.mode, 0, texts)
    }

    /// The edit that one template is with some values; `None` if it has no text.
    pub fn edit(
        &self,
        template: usize,
        values: &HoleValues,
        sources: &Sources,
    ) -> Option<SourceEdit> {
        let text = filled(&self.templates[template].parts, values, &self.operand)?;
        if text == sources.text(self.span) {
            return None;
        }
        Some(SourceEdit {
            within: self.within,
            ..SourceEdit::new(
                self.kind,
                vec![(self.span, text)],
                self.templates[template].cost,
            )
        })
    }

    /// What the constant in a hole should be close to: the literal that it replaces, or else
    /// 0. `None` if the hole is a choice.
    pub fn wanted(&self, template: usize, hole: Hole) -> Option<Vec<bool>> {
        fn of(parts: &[Part], hole: Hole) -> Option<Vec<bool>> {
            parts.iter().find_map(|part| match part {
                Part::Constant(own, Style::Like(_, number)) if *own == hole => {
                    let bits = number.bits.iter().map(|digit| *digit == Digit::One);
                    Some(bits.collect())
                }
                Part::Constant(own, _) if *own == hole => Some(Vec::new()),
                Part::Either(_, alternatives) => {
                    let mut alternatives = alternatives.iter();
                    alternatives.find_map(|one| of(&one.parts, hole))
                }
                _ => None,
            })
        }
        of(&self.templates[template].parts, hole)
    }

    /// The holes that matter for a template.
    pub fn holes(&self, template: usize, values: &HoleValues) -> Vec<Hole> {
        let mut holes = Vec::new();
        for part in &self.templates[template].parts {
            part.holes(values, &mut holes);
        }
        holes
    }
}

/// The edits that leave places open. What stands inside of a place is open in all of its copies.
pub fn open_edits(places: &[Sketch], sources: &Sources) -> Vec<SourceEdit> {
    let mut places: Vec<&Sketch> = places.iter().collect();
    // The outer one of two places comes first.
    places.sort_by_key(|one| (one.span.file, one.span.start, Reverse(one.span.end)));
    let mut edits = Vec::new();
    let mut rest = places.as_slice();
    while let Some((outer, others)) = rest.split_first() {
        let inside = others.iter().take_while(|one| one.is_inside(outer.span));
        let (inner, after) = others.split_at(inside.count());
        let text = outer.open(&opened_text(outer.span, inner, sources));
        edits.push(SourceEdit::new(outer.kind, vec![(outer.span, text)], 0));
        rest = after;
    }
    edits
}

/// A text whose places, the outer ones first, are open.
fn opened_text(span: Span, places: &[&Sketch], sources: &Sources) -> String {
    let places: Vec<Sketch> = places.iter().map(|one| (*one).clone()).collect();
    let edits = open_edits(&places, sources);
    let text = sources.text_after(span, edits.iter().flat_map(|edit| &edit.changes));
    text.expect("places are within the text")
}

/// The names of signals whose edges blocks wait for.
pub fn events(tree: &SourceTree) -> HashSet<String> {
    fn of_items(items: &[Item], names: &mut HashSet<String>) {
        for item in items {
            match &item.kind {
                ItemKind::Always(always) => {
                    for edge in &always.edges {
                        if let ExprKind::Name(path) = &edge.signal.kind {
                            names.extend(path.last().cloned());
                        }
                    }
                }
                ItemKind::GenerateFor(generate) => of_items(&generate.block.items, names),
                ItemKind::GenerateIf {
                    then, otherwise, ..
                } => {
                    of_items(&then.items, names);
                    if let Some(otherwise) = otherwise {
                        of_items(&otherwise.items, names);
                    }
                }
                ItemKind::GenerateCase { items, .. } => {
                    for (_, block) in items {
                        of_items(&block.items, names);
                    }
                }
                ItemKind::GenerateBlock(block) => of_items(&block.items, names),
                _ => {}
            }
        }
    }
    let mut names = HashSet::new();
    for module in &tree.modules {
        of_items(&module.items, &mut names);
    }
    names
}
