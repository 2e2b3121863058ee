//! What concurrent assertions of SystemVerilog mean, as temporal formulas.
//!
//! By the definitions of IEEE 1800-2017, annex F, on infinite runs of one clock. Sequences
//! become automata ([`automaton`]) and these become formulas, so that whoever judges a
//! property reads a formula and needs to know nothing of sequences: `certify` checks it with
//! its tableau, the games with their monitors.
//!
//! A sequence in the place of a property is weak, unless `strong` or a cover says otherwise:
//! it fails in the step in which no match is possible any more, and not by waiting for ever.
//! `disable iff (d)` gives up an attempt during which `d` holds: of a formula without
//! negations each condition `c` becomes `d | c`, each `X a` becomes `d | X a`, and `G a`
//! becomes `d R a`.
//!
//! In a design with several clocks a property counts the edges of its own one: it is a formula
//! over these steps first, and then one over all steps ([`at_ticks`]; the rewriting of F.5.1).

pub mod automaton;

use super::codes;
use super::formula::{Formula, FormulaId, Formulas, TRUE};
use super::{atoms, normal_form};
use crate::expr::{Expr, Repetition, Role, Sva, SvaKind, SvaRange, TemporalBinary, TemporalUnary};
use crate::source::{Diagnostic, Span};
use crate::stack;
use automaton::{Automaton, Refusal};

/// The formula of a concurrent assertion, and what to say about it.
pub struct Meaning {
    pub formula: FormulaId,
    pub warnings: Vec<Diagnostic>,
}

/// Which attempts of an assertion there are.
#[derive(Clone, Copy, Default)]
pub struct Attempts<'a> {
    /// `disable iff`: attempts during which this holds are given up.
    pub disable: Option<&'a Expr>,
    /// Whether there is one from the first step only.
    pub once: bool,
    /// What is true in the steps that count, if these are not all steps.
    pub ticks: Option<&'a Expr>,
}

/// What a concurrent assertion says of a run. For a cover: that some attempt is covered.
pub fn meaning(
    formulas: &mut Formulas,
    role: Role,
    property: &Sva<u32>,
    attempts: Attempts<'_>,
) -> Result<Meaning, Diagnostic> {
    let mut translation = Translation {
        formulas,
        is_cover: role == Role::Cover,
        warnings: Vec::new(),
    };
    let mut formula = translation.property(property)?;
    let warnings = translation.warnings;
    if role == Role::Cover {
        formula = formulas.not(formula);
    }
    let ticks = attempts
        .ticks
        .map(|ticks| atoms::condition(formulas, ticks));
    if let Some(ticks) = ticks {
        formula = at_ticks(formulas, formula, ticks);
    }
    if let Some(disable) = attempts.disable {
        let disable = atoms::condition(formulas, disable);
        formula = disabled(formulas, formula, disable);
    }
    formula = match (attempts.once, ticks) {
        (false, None) => formulas.globally(formula),
        (false, Some(ticks)) => {
            let attempt = formulas.implies(ticks, formula);
            formulas.globally(attempt)
        }
        (true, None) => formula,
        (true, Some(ticks)) => first_tick(formulas, ticks, formula),
    };
    if role == Role::Cover {
        formula = formulas.not(formula);
    }
    Ok(Meaning { formula, warnings })
}

/// What has to be matched so that a property says anything: the antecedent of an implication,
/// and of one inside of that. `None` if it is no implication.
pub fn trigger(property: &Sva<u32>) -> Option<Sva<u32>> {
    let sequence = |tree: &Sva<u32>| Sva {
        kind: SvaKind::Strong(Box::new(tree.clone())),
        span: tree.span,
    };
    match &property.kind {
        SvaKind::Implication {
            antecedent,
            overlapping,
            consequent,
        } => Some(match trigger(consequent) {
            None => sequence(antecedent),
            Some(inner) => Sva {
                span: inner.span,
                kind: SvaKind::FollowedBy {
                    antecedent: antecedent.clone(),
                    overlapping: *overlapping,
                    consequent: Box::new(inner),
                },
            },
        }),
        SvaKind::Implies(left, _) => Some((**left).clone()),
        SvaKind::Always(range, inner) => trigger(inner).map(|inner| Sva {
            span: inner.span,
            kind: SvaKind::Eventually(range.clone(), Box::new(inner)),
        }),
        _ => None,
    }
}

/// A formula over some of the steps, judged in one of them, as a formula over all steps. If no
/// other of these steps comes, what was to hold in the next one is kept.
fn at_ticks(formulas: &mut Formulas, root: FormulaId, ticks: FormulaId) -> FormulaId {
    let root = normal_form::negation_normal_form(formulas, root);
    formulas.rebuild_all(root, |formulas, id, known| {
        let formula = formulas.get(id).clone();
        match &formula {
            Formula::Unary(TemporalUnary::Globally, operand) => {
                let operand = formulas.implies(ticks, known[operand]);
                formulas.globally(operand)
            }
            Formula::Unary(TemporalUnary::Finally, operand) => {
                let operand = formulas.and([ticks, known[operand]]);
                formulas.finally(operand)
            }
            Formula::Unary(TemporalUnary::Next, operand) => {
                let later = first_tick(formulas, ticks, known[operand]);
                formulas.next(later)
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (known[left], known[right]);
                let (left, right) = match operator {
                    TemporalBinary::Until | TemporalBinary::WeakUntil => {
                        (formulas.implies(ticks, left), formulas.and([ticks, right]))
                    }
                    _ => (formulas.and([ticks, left]), formulas.implies(ticks, right)),
                };
                formulas.binary(*operator, left, right)
            }
            _ => formulas.rebuild(&formula, |operand| known[&operand]),
        }
    })
}

/// That something holds in the first of the steps that count, from now on, if there is one.
fn first_tick(formulas: &mut Formulas, ticks: FormulaId, formula: FormulaId) -> FormulaId {
    let waiting = formulas.not(ticks);
    let reached = formulas.and([ticks, formula]);
    formulas.binary(TemporalBinary::WeakUntil, waiting, reached)
}

/// The formula whose attempts are given up, and count as kept, once `disable` holds.
fn disabled(formulas: &mut Formulas, root: FormulaId, disable: FormulaId) -> FormulaId {
    let root = normal_form::negation_normal_form(formulas, root);
    formulas.rebuild_all(root, |formulas, id, known| {
        let formula = formulas.get(id).clone();
        match &formula {
            Formula::True => TRUE,
            Formula::False | Formula::Atom(_) | Formula::Not(_) => formulas.or([disable, id]),
            Formula::And(_) | Formula::Or(_) | Formula::Binary(..) => {
                formulas.rebuild(&formula, |operand| known[&operand])
            }
            Formula::Unary(TemporalUnary::Globally, operand) => {
                let operand = known[operand];
                formulas.binary(TemporalBinary::Release, disable, operand)
            }
            Formula::Unary(TemporalUnary::Finally, operand) => formulas.finally(known[operand]),
            Formula::Unary(operator, operand) => {
                let inner = formulas.unary(*operator, known[operand]);
                formulas.or([disable, inner])
            }
        }
    })
}

struct Translation<'f> {
    formulas: &'f mut Formulas,
    is_cover: bool,
    warnings: Vec<Diagnostic>,
}

impl Translation<'_> {
    fn property(&mut self, tree: &Sva<u32>) -> Result<FormulaId, Diagnostic> {
        stack::recurse(|| self.property_kind(tree))
    }

    fn property_kind(&mut self, tree: &Sva<u32>) -> Result<FormulaId, Diagnostic> {
        Ok(match &tree.kind {
            SvaKind::Condition(expr) => atoms::condition(self.formulas, expr),
            SvaKind::Delay(..)
            | SvaKind::Repeat(..)
            | SvaKind::Throughout(..)
            | SvaKind::Within(..)
            | SvaKind::Intersect(..)
            | SvaKind::FirstMatch(_) => self.matched(tree, self.is_cover)?,
            SvaKind::Strong(inner) => self.matched(inner, true)?,
            SvaKind::Weak(inner) => self.matched(inner, false)?,
            SvaKind::Not(inner) => {
                let inner = self.property(inner)?;
                self.formulas.not(inner)
            }
            SvaKind::And(left, right) => {
                let both = [self.property(left)?, self.property(right)?];
                self.formulas.and(both)
            }
            SvaKind::Or(left, right) => {
                let both = [self.property(left)?, self.property(right)?];
                self.formulas.or(both)
            }
            SvaKind::Implies(left, right) => {
                let (left, right) = (self.property(left)?, self.property(right)?);
                self.formulas.implies(left, right)
            }
            SvaKind::Iff(left, right) => {
                let (left, right) = (self.property(left)?, self.property(right)?);
                self.formulas.iff(left, right)
            }
            SvaKind::Implication {
                antecedent,
                overlapping,
                consequent,
            } => {
                let automaton = self.antecedent(antecedent, *overlapping)?;
                let consequent = self.property(consequent)?;
                let made = automaton.every_match(self.formulas, consequent);
                made.map_err(|refusal| refused(refusal, antecedent.span))?
            }
            SvaKind::FollowedBy {
                antecedent,
                overlapping,
                consequent,
            } => {
                let automaton = self.antecedent(antecedent, *overlapping)?;
                let consequent = self.property(consequent)?;
                let made = automaton.some_match(self.formulas, consequent, true);
                made.map_err(|refusal| refused(refusal, antecedent.span))?
            }
            SvaKind::Until {
                left,
                right,
                strong,
                inclusive,
            } => {
                let (left, right) = (self.property(left)?, self.property(right)?);
                match (strong, inclusive) {
                    (true, false) => self.formulas.binary(TemporalBinary::Until, left, right),
                    (false, false) => self.formulas.binary(TemporalBinary::WeakUntil, left, right),
                    (true, true) => {
                        self.formulas
                            .binary(TemporalBinary::StrongRelease, right, left)
                    }
                    (false, true) => self.formulas.binary(TemporalBinary::Release, right, left),
                }
            }
            SvaKind::Always(range, inner) => {
                let inner = self.property(inner)?;
                self.ranged(range.as_ref(), inner, true)
            }
            SvaKind::Eventually(range, inner) => {
                let inner = self.property(inner)?;
                self.ranged(range.as_ref(), inner, false)
            }
            SvaKind::Nexttime(steps, inner) => {
                let inner = self.property(inner)?;
                self.later(*steps, inner)
            }
            SvaKind::Abort {
                accepts,
                condition,
                property,
            } => {
                let inner = self.property(property)?;
                let condition = atoms::condition(self.formulas, condition);
                match accepts {
                    true => disabled(self.formulas, inner, condition),
                    // `reject_on (c) p` is `not accept_on (c) not p` (16.12.14).
                    false => {
                        let negated = self.formulas.not(inner);
                        let kept = disabled(self.formulas, negated, condition);
                        self.formulas.not(kept)
                    }
                }
            }
            SvaKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = atoms::condition(self.formulas, condition);
                let then = self.property(then)?;
                let otherwise = match otherwise {
                    Some(otherwise) => self.property(otherwise)?,
                    None => TRUE,
                };
                self.formulas.if_then_else(condition, then, otherwise)
            }
        })
    }

    fn later(&mut self, steps: u32, mut formula: FormulaId) -> FormulaId {
        for _ in 0..steps {
            formula = self.formulas.next(formula);
        }
        formula
    }

    /// In all steps of a range, or in one of them.
    fn ranged(&mut self, range: Option<&SvaRange<u32>>, inner: FormulaId, all: bool) -> FormulaId {
        let (low, high) = range.map_or((0, None), |range| (range.low, range.high));
        let Some(high) = high else {
            let inner = if all {
                self.formulas.globally(inner)
            } else {
                self.formulas.finally(inner)
            };
            return self.later(low, inner);
        };
        let mut result = inner;
        for _ in low..high {
            let next = self.formulas.next(result);
            result = if all {
                self.formulas.and([inner, next])
            } else {
                self.formulas.or([inner, next])
            };
        }
        self.later(low, result)
    }

    /// A sequence in the place of a property.
    fn matched(&mut self, tree: &Sva<u32>, strong: bool) -> Result<FormulaId, Diagnostic> {
        let automaton = self.sequence(tree)?;
        self.refuse_nothing(&automaton, tree.span)?;
        if !strong && automaton.cannot_fail() {
            let message = "this sequence can wait for ever, so it never fails";
            let warning = Diagnostic::warning(codes::NEVER_FAILS, message)
                .help("write `strong(...)` around it, or `s_eventually` in place of the delay");
            self.warnings
                .push(warning.at_optional(tree.span, "weak, as sequences of assertions are"));
        }
        let made = automaton.some_match(self.formulas, TRUE, strong);
        made.map_err(|refusal| refused(refusal, tree.span))
    }

    fn antecedent(&mut self, tree: &Sva<u32>, overlapping: bool) -> Result<Automaton, Diagnostic> {
        let automaton = self.sequence(tree)?;
        refuse_never(&automaton, tree.span)?;
        if overlapping && automaton.is_degenerate() {
            let message = "this sequence only matches no step at all";
            let diagnostic = Diagnostic::error(codes::EMPTY_MATCH, message)
                .help("no step follows it here; let it repeat at least once, as in `[*1:3]`");
            return Err(diagnostic.at_optional(tree.span, "degenerate (16.12.22)"));
        }
        // A match of no step has no last one, in which something could hold (16.12.7).
        if overlapping {
            return Ok(automaton);
        }
        let made = automaton.then(&Automaton::condition(TRUE));
        made.map_err(|refusal| refused(refusal, tree.span))
    }

    /// Where a match of no step at all has no meaning.
    fn refuse_nothing(&self, automaton: &Automaton, span: Option<Span>) -> Result<(), Diagnostic> {
        refuse_never(automaton, span)?;
        if !automaton.matches_nothing() {
            return Ok(());
        }
        let message = "this sequence also matches no step at all";
        let diagnostic = Diagnostic::error(codes::EMPTY_MATCH, message)
            .help("let it repeat at least once, as in `[*1:3]`");
        Err(diagnostic.at_optional(span, "here"))
    }

    fn sequence(&mut self, tree: &Sva<u32>) -> Result<Automaton, Diagnostic> {
        stack::recurse(|| self.sequence_kind(tree))
    }

    fn sequence_kind(&mut self, tree: &Sva<u32>) -> Result<Automaton, Diagnostic> {
        let made = match &tree.kind {
            SvaKind::Condition(expr) => {
                let condition = atoms::condition(self.formulas, expr);
                Ok(Automaton::condition(condition))
            }
            SvaKind::Delay(left, range, right) => {
                let left = match left {
                    Some(left) => Some(self.sequence(left)?),
                    None => None,
                };
                let right = self.sequence(right)?;
                self.delayed(left, range, &right)
            }
            SvaKind::Repeat(inner, repetition, range) => {
                self.repeated(inner, *repetition, range)?
            }
            SvaKind::Throughout(condition, inner) => {
                let SvaKind::Condition(expr) = &condition.kind else {
                    return Err(not_a_condition(condition.span));
                };
                let condition = atoms::condition(self.formulas, expr);
                let inner = self.sequence(inner)?;
                Automaton::star(condition).intersect(self.formulas, &inner)
            }
            SvaKind::Within(inner, outer) => {
                let (inner, outer) = (self.sequence(inner)?, self.sequence(outer)?);
                let rest = Automaton::star(TRUE);
                let padded = rest.clone().then(&inner).and_then(|one| one.then(&rest));
                padded.and_then(|padded| padded.intersect(self.formulas, &outer))
            }
            SvaKind::Intersect(left, right) => {
                let (left, right) = (self.sequence(left)?, self.sequence(right)?);
                left.intersect(self.formulas, &right)
            }
            SvaKind::And(left, right) => {
                let (left, right) = (self.sequence(left)?, self.sequence(right)?);
                left.both(self.formulas, &right)
            }
            SvaKind::Or(left, right) => {
                let (left, right) = (self.sequence(left)?, self.sequence(right)?);
                left.either(&right)
            }
            SvaKind::FirstMatch(inner) => {
                let inner = self.sequence(inner)?;
                inner.first_match(self.formulas)
            }
            _ => {
                let message = "a sequence is needed here, and this is a property";
                let diagnostic = Diagnostic::error(codes::NOT_A_SEQUENCE, message)
                    .help("only conditions, delays and repetitions can stand here");
                return Err(diagnostic.at_optional(tree.span, "not a sequence"));
            }
        };
        made.map_err(|refusal| refused(refusal, tree.span))
    }

    fn delayed(
        &mut self,
        left: Option<Automaton>,
        range: &SvaRange<u32>,
        right: &Automaton,
    ) -> Result<Automaton, Refusal> {
        let any = Automaton::condition(TRUE);
        let any_number = |low: u32, high: Option<u32>| match high {
            None => any.repeated(low, Some(low))?.then(&Automaton::star(TRUE)),
            _ => any.repeated(low, high),
        };
        let Some(left) = left else {
            return any_number(range.low, range.high)?.then(right);
        };
        let later = |low: u32| -> Result<Automaton, Refusal> {
            let high = range.high.map(|high| high - 1);
            left.clone().then(&any_number(low - 1, high)?)?.then(right)
        };
        if range.low > 0 {
            return later(range.low);
        }
        let now = left.clone().fused(self.formulas, right)?;
        match range.high {
            Some(0) => Ok(now),
            _ => now.either(&later(1)?),
        }
    }

    fn repeated(
        &mut self,
        inner: &Sva<u32>,
        repetition: Repetition,
        range: &SvaRange<u32>,
    ) -> Result<Result<Automaton, Refusal>, Diagnostic> {
        if repetition == Repetition::Consecutive {
            if let (SvaKind::Condition(expr), None) = (&inner.kind, range.high) {
                let condition = atoms::condition(self.formulas, expr);
                let fixed = Automaton::condition(condition).repeated(range.low, Some(range.low));
                return Ok(fixed.and_then(|fixed| fixed.then(&Automaton::star(condition))));
            }
            return Ok(self.sequence(inner)?.repeated(range.low, range.high));
        }
        let SvaKind::Condition(expr) = &inner.kind else {
            return Err(not_a_condition(inner.span));
        };
        let condition = atoms::condition(self.formulas, expr);
        let not = self.formulas.not(condition);
        Ok(times(repetition, condition, not, range))
    }
}

/// The standard rules out sequences whose length alone keeps them from matching.
fn refuse_never(automaton: &Automaton, span: Option<Span>) -> Result<(), Diagnostic> {
    if !automaton.never_matches() {
        return Ok(());
    }
    let message = "this sequence never matches, whatever the conditions are";
    let diagnostic = Diagnostic::error(codes::NEVER_MATCHES, message)
        .help("sequences beside `intersect` and `within` have to fit in length");
    Err(diagnostic.at_optional(span, "here"))
}

/// `[->...]` and `[=...]`: a condition holds so often, with any steps between.
fn times(
    repetition: Repetition,
    condition: FormulaId,
    not: FormulaId,
    range: &SvaRange<u32>,
) -> Result<Automaton, Refusal> {
    let once = Automaton::star(not).then(&Automaton::condition(condition))?;
    let rest = Automaton::star(not);
    if let Some(high) = range.high {
        let often = once.repeated(range.low, Some(high))?;
        return match repetition {
            Repetition::Nonconsecutive => often.then(&rest),
            _ => Ok(often),
        };
    }
    // From the last required time on, anything may happen in between.
    let often = once.repeated(range.low, Some(range.low))?;
    let any = Automaton::star(TRUE);
    match repetition {
        Repetition::Nonconsecutive => often.then(&any),
        _ => {
            let again = any.then(&Automaton::condition(condition))?;
            often.then(&Automaton::empty().either(&again)?)
        }
    }
}

fn not_a_condition(span: Option<Span>) -> Diagnostic {
    let message = "a condition is needed here, and this is a sequence";
    let diagnostic = Diagnostic::error(codes::NOT_A_SEQUENCE, message)
        .help("`throughout`, `[->n]` and `[=n]` take a condition in one step");
    diagnostic.at_optional(span, "more than one step")
}

fn refused(refusal: Refusal, span: Option<Span>) -> Diagnostic {
    let (code, message, help) = match refusal {
        Refusal::TooBig => (
            codes::SEQUENCE_TOO_BIG,
            "this sequence has too many steps",
            "use smaller ranges, or a counter in the design",
        ),
        Refusal::LongLoop => (
            codes::SEQUENCE_UNSUPPORTED,
            "a sequence of several steps that repeats without an end is not supported",
            "repeat it a limited number of times, or repeat a single condition",
        ),
    };
    let diagnostic = Diagnostic::error(code, message).help(help);
    diagnostic.at_optional(span, "here")
}
