//! Templates of sketches: constants, and small expressions over the words that a place sees.

use super::enumeration::is_one_of;
use super::expression::Context;
use super::sketch::{Alternative, Part, Style, Template};
use super::{Kind, Lister, cost};
use crate::design::verilog::{VisibleKind, VisibleName};
use crate::expr::{Expr, ExprKind, Number};
use crate::source::Span;

/// Words that one choice is between, at most, and the bits of all of them together.
const MOST_WORDS: usize = 24;
const MOST_BITS: usize = 8192;
/// Bits that a number without a width may have.
const PLAIN_BITS: usize = 16;
/// The text around a place in which words are near.
const NEAR: usize = 1500;

impl Lister<'_> {
    /// Any other value of a literal; a word, or the bit of one, in its place.
    pub(super) fn sketch_literal(&mut self, span: Span, number: &Number, context: Context) {
        if self.sketches.is_none() || context.is_constant || self.is_sealed(span) {
            return;
        }
        let text = self.text(span).to_string();
        let is_number = |symbol: char| symbol.is_ascii_digit();
        if !text.starts_with(is_number) && !text.starts_with('\'') {
            return;
        }
        let own = number
            .bits
            .iter()
            .rposition(|digit| *digit == crate::expr::Digit::One);
        let needed = own.map_or(1, |last| last + 2);
        let width = match number.width {
            Some(width) => width as usize,
            None => context
                .target_width
                .unwrap_or(PLAIN_BITS)
                .clamp(needed.min(31), 31),
        };
        let style = Style::Like(text.clone(), Box::new(number.clone()));
        let mut templates = vec![self.template(cost::LITERAL, |sketches| {
            vec![Part::Constant(sketches.hole(width), style)]
        })];
        // A choice is as wide as the widest word, and so would be the place in a concatenation.
        let fits = |word: &VisibleName| !context.is_part || word.width == width;
        let words = self.words_near(span, fits);
        templates.push(self.template(cost::OFFSET, |sketches| {
            vec![sketches.either(words.iter().map(name_of).collect())]
        }));
        if width == 1 {
            templates.push(self.bit_of_word(span, cost::OFFSET + 1));
        }
        self.add_sketch(span, Kind::Literal, text, templates, context);
    }

    /// Another value of a right-hand side.
    pub(super) fn sketch_value(
        &mut self,
        expr: &Expr,
        span: Span,
        target: Option<&Expr>,
        context: Context,
    ) {
        if self.sketches.is_none() || self.is_sealed(span) {
            return;
        }
        let width = target.and_then(|target| self.width(target));
        let Some(width) = width.or_else(|| self.width(expr)) else {
            return;
        };
        let family = target.and_then(|target| self.family_of(target));
        if let Some(family) = family.filter(|family| self.is_value_of(expr, family)) {
            self.sketch_enumerated(expr, span, target, &family, context);
            return;
        }
        if width == 1 {
            let held = self.held(span, target);
            self.sketch_bit(expr, span, context, held);
            return;
        }
        let base = self.bases.get(&width).copied().unwrap_or('d');
        let mut templates = vec![self.template(cost::CONSTANT_VALUE, |sketches| {
            vec![Part::Constant(sketches.hole(width), Style::Sized(base))]
        })];
        for operator in ["+", "-", "|", "&", "^"] {
            templates.push(self.template(cost::EXTRA_OPERAND, |sketches| {
                let constant = Part::Constant(sketches.hole(width), Style::Short(base));
                vec![Part::Original, spaced(operator), constant]
            }));
        }
        let words = self.words_near(span, |word| word.width == width);
        let addends = self.words_near(span, |word| word.width == width || word.width == 1);
        let bits = self.words_near(span, |word| word.width == 1);
        if words.len() * width <= MOST_BITS {
            templates.push(self.template(cost::EXTRA_OPERAND, |sketches| {
                let operand = sketches.either(addends.iter().map(name_of).collect());
                let operators = ["+", "-", "|", "&", "^"].map(|operator| {
                    always(vec![Part::Original, spaced(operator), operand.clone()])
                });
                vec![sketches.either(operators.to_vec())]
            }));
            templates.push(self.template(cost::ARITHMETIC_VALUE, |sketches| {
                let left = sketches.either(words.iter().map(name_of).collect());
                let right = sketches.either(words.iter().map(name_of).collect());
                let operators = ["+", "-", "|", "&", "^"]
                    .map(|operator| always(vec![left.clone(), spaced(operator), right.clone()]));
                vec![sketches.either(operators.to_vec())]
            }));
            templates.push(self.template(cost::GUARD, |sketches| {
                let condition = sketches.either(bits.iter().flat_map(both_of).collect());
                let value = sketches.either(words.iter().map(name_of).collect());
                vec![condition, text(" ? "), value, text(" : "), Part::Original]
            }));
            templates.push(self.template(cost::GUARD, |sketches| {
                let condition = sketches.either(bits.iter().flat_map(both_of).collect());
                let value = Part::Constant(sketches.hole(width), Style::Sized(base));
                vec![condition, text(" ? "), value, text(" : "), Part::Original]
            }));
        }
        let own = target.and_then(|target| target.span);
        let own = own.map(|span| self.text(span).to_string());
        templates.push(self.template(cost::ARITHMETIC_VALUE, |sketches| {
            let ends = sketches.either(bits.iter().map(name_of).collect());
            // A word that is no register is not made of itself.
            let is_read = |word: &&VisibleName| is_safe(word) || Some(&word.name) != own.as_ref();
            let shifts = words.iter().filter(is_read).flat_map(|word| {
                let (name, is_safe) = (&word.name, is_safe(word));
                let (high, top) = (width - 2, width - 1);
                let left = vec![
                    text(&format!("{{{name}[{high}:0], ")),
                    ends.clone(),
                    text("}"),
                ];
                let right = vec![
                    text("{"),
                    ends.clone(),
                    text(&format!(", {name}[{top}:1]}}")),
                ];
                let around = vec![text(&format!("{{{name}[{high}:0], {name}[{top}]}}"))];
                [left, right, around].map(|parts| Alternative { parts, is_safe })
            });
            let shifts = shifts.collect();
            vec![sketches.either(shifts)]
        }));
        templates.extend(self.held(span, target));
        let operand = self.operand_text(expr, span);
        let kind = context.kind.unwrap_or(Kind::Rhs);
        self.add_sketch(span, kind, operand, templates, context);
    }

    /// Another value of an enumeration under a condition.
    fn sketch_enumerated(
        &mut self,
        expr: &Expr,
        span: Span,
        target: Option<&Expr>,
        family: &str,
        context: Context,
    ) {
        let names = self.names.iter().filter(|one| is_one_of(one, family));
        let values: Vec<Alternative> = names.map(name_of).collect();
        let bits = self.words_near(span, |word| word.width == 1 && word.family.is_none());
        let mut templates = vec![self.template(cost::GUARD, |sketches| {
            let condition = sketches.either(bits.iter().flat_map(both_of).collect());
            let value = sketches.either(values);
            vec![condition, text(" ? "), value, text(" : "), Part::Original]
        })];
        templates.extend(self.held(span, target));
        let operand = self.operand_text(expr, span);
        let kind = context.kind.unwrap_or(Kind::Rhs);
        self.add_sketch(span, kind, operand, templates, context);
    }

    /// A register that keeps its value unless two signals say otherwise.
    fn held(&mut self, span: Span, target: Option<&Expr>) -> Option<Template> {
        let ExprKind::Name(path) = &target?.kind else {
            return None;
        };
        let name = path.last()?;
        let known = self.visible(name)?;
        if known.kind != VisibleKind::Register {
            return None;
        }
        let end = format!(" : {name}");
        let bits = self.words_near(span, |word| word.width == 1);
        Some(
            self.template(cost::GUARD + cost::MOST_FOR_TOKENS, |sketches| {
                let left = sketches.either(bits.iter().flat_map(both_of).collect());
                let right = sketches.either(bits.iter().flat_map(both_of).collect());
                let operators = ["||", "&&"]
                    .map(|operator| always(vec![left.clone(), spaced(operator), right.clone()]));
                let condition = sketches.either(operators.to_vec());
                vec![
                    text("("),
                    condition,
                    text(") ? "),
                    Part::Original,
                    text(&end),
                ]
            }),
        )
    }

    /// Another condition.
    pub(super) fn sketch_condition(&mut self, expr: &Expr, span: Span, context: Context) {
        if self.sketches.is_some() && !self.is_sealed(span) {
            self.sketch_bit(expr, span, context, None);
        }
    }

    /// Another condition, or another single bit; with one more template.
    fn sketch_bit(&mut self, expr: &Expr, span: Span, context: Context, more: Option<Template>) {
        let bits = self.words_near(span, |word| word.width == 1);
        let mut templates: Vec<Template> = more.into_iter().collect();
        for (operator, more) in [("&&", 0), ("||", cost::DISJUNCTION)] {
            templates.push(self.template(cost::EXTRA_OPERAND + more, |sketches| {
                let operand = sketches.either(bits.iter().flat_map(both_of).collect());
                vec![Part::Original, spaced(operator), operand]
            }));
            let other = if operator == "&&" { "||" } else { "&&" };
            templates.push(self.template(cost::INNER_OPERAND + 3 + more, |sketches| {
                let left = sketches.either(bits.iter().flat_map(both_of).collect());
                let right = sketches.either(bits.iter().flat_map(both_of).collect());
                let head = text(&format!(" {operator} ("));
                vec![Part::Original, head, left, spaced(other), right, text(")")]
            }));
            let mut comparison = self.comparison(span);
            comparison.parts.insert(0, spaced(operator));
            comparison.parts.insert(0, Part::Original);
            comparison.cost += more;
            templates.push(comparison);
            let mut bit = self.bit_of_word(span, cost::EXTRA_COMPARISON + more);
            bit.parts.insert(0, spaced(operator));
            bit.parts.insert(0, Part::Original);
            templates.push(bit);
        }
        let mut whole = self.comparison(span);
        whole.cost = cost::OTHER_VALUE + cost::MOST_FOR_TOKENS;
        templates.push(whole);
        templates.push(self.template(cost::ARITHMETIC_VALUE, |sketches| {
            let left = sketches.either(bits.iter().flat_map(both_of).collect());
            let right = sketches.either(bits.iter().flat_map(both_of).collect());
            let operators = ["&&", "||", "!="]
                .map(|operator| always(vec![left.clone(), spaced(operator), right.clone()]));
            vec![sketches.either(operators.to_vec())]
        }));
        let operand = self.operand_text(expr, span);
        let kind = match context.is_condition {
            true => Kind::Condition,
            false => context.kind.unwrap_or(Kind::Rhs),
        };
        self.add_sketch(span, kind, operand, templates, context);
    }

    /// A word compared with a constant, or with another word of its width.
    fn comparison(&mut self, span: Span) -> Template {
        let words = self.words_near(span, |word| word.width > 1);
        let bases = self.bases.clone();
        self.template(cost::EXTRA_COMPARISON, |sketches| {
            let mut alternatives = Vec::new();
            for (index, word) in words.iter().enumerate() {
                let base = bases.get(&word.width).copied().unwrap_or('d');
                let constant = Part::Constant(sketches.hole(word.width), Style::Sized(base));
                let same = words[index + 1..].iter();
                let same = same.filter(|other| other.width == word.width).map(name_of);
                let mut others = vec![always(vec![constant])];
                others.extend(same);
                let is_safe = is_safe(word);
                let other = sketches.either(others);
                let operators = ["==", "!=", "<", ">="].map(|operator| Alternative {
                    parts: vec![text(&word.name), spaced(operator), other.clone()],
                    is_safe: true,
                });
                let parts = vec![sketches.either(operators.to_vec())];
                alternatives.push(Alternative { parts, is_safe });
            }
            vec![sketches.either(alternatives)]
        })
    }

    /// One bit of a word, as it is or negated.
    fn bit_of_word(&mut self, span: Span, cost: u32) -> Template {
        let words = self.words_near(span, |word| word.width > 1);
        self.template(cost, |sketches| {
            let mut alternatives = Vec::new();
            for word in &words {
                let width = (usize::BITS - (word.width - 1).leading_zeros()) as usize;
                let index = Part::Constant(sketches.hole(width), Style::Plain);
                for name in [word.name.clone(), format!("!{}", word.name)] {
                    alternatives.push(Alternative {
                        parts: vec![text(&format!("{name}[")), index.clone(), text("]")],
                        is_safe: is_safe(word),
                    });
                }
            }
            vec![sketches.either(alternatives)]
        })
    }

    fn template(
        &mut self,
        cost: u32,
        parts: impl FnOnce(&mut super::sketch::Sketches) -> Vec<Part>,
    ) -> Template {
        let parts = self.sketches.as_mut().map(parts).unwrap_or_default();
        Template { parts, cost }
    }

    fn add_sketch(
        &mut self,
        span: Span,
        kind: Kind,
        operand: String,
        templates: Vec<Template>,
        context: Context,
    ) {
        let kind = context.kind.unwrap_or(kind);
        if let Some(sketches) = &mut self.sketches {
            sketches.add(span, context.within, kind, operand, templates);
        }
    }

    /// Words that a place may read.
    fn words_near(&self, span: Span, is_wanted: impl Fn(&VisibleName) -> bool) -> Vec<VisibleName> {
        let is_word = |kind| {
            use VisibleKind::{Input, Logic, Register};
            matches!(kind, Input | Logic | Register)
        };
        let words = self.names.iter();
        let words = words.filter(|word| is_word(word.kind) && is_wanted(word));
        self.nearest(span, words.cloned().collect())
    }

    /// As many words as a sketch may choose from, those first that stand near the place.
    fn nearest(&self, span: Span, words: Vec<VisibleName>) -> Vec<VisibleName> {
        if words.len() <= MOST_WORDS {
            return words;
        }
        let file = self.sources.file(span.file).text.as_bytes();
        let start = (span.start as usize).saturating_sub(NEAR);
        let end = (span.end as usize + NEAR).min(file.len());
        let near = String::from_utf8_lossy(&file[start..end]);
        let is_near = |word: &VisibleName| near.contains(&word.name);
        let (mut nearest, others): (Vec<_>, Vec<_>) = words.into_iter().partition(is_near);
        nearest.extend(others);
        nearest.truncate(MOST_WORDS);
        nearest
    }
}

fn text(text: &str) -> Part {
    Part::Text(text.to_string())
}

fn spaced(operator: &str) -> Part {
    Part::Text(format!(" {operator} "))
}

fn always(parts: Vec<Part>) -> Alternative {
    Alternative {
        parts,
        is_safe: true,
    }
}

fn is_safe(word: &VisibleName) -> bool {
    word.kind != VisibleKind::Logic
}

fn name_of(word: &VisibleName) -> Alternative {
    Alternative {
        parts: vec![text(&word.name)],
        is_safe: is_safe(word),
    }
}

/// A bit as it is, and negated.
fn both_of(word: &VisibleName) -> [Alternative; 2] {
    let negated = format!("!{}", word.name);
    [text(&word.name), text(&negated)].map(|part| Alternative {
        parts: vec![part],
        is_safe: is_safe(word),
    })
}
