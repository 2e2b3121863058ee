//! Property files whose properties are GR(1), with the names of inputs and outputs.
//!
//! Each property is taken apart into conjuncts. A conjunct without future operators is
//! initial, `G` of one whose only future operator is `X` before something about now or the
//! past is safety, `G F p` is justice, and `G (p -> F q)` is justice with a variable that
//! remembers whether the last `p` was answered. Anything else is refused with its location.

use super::{Domain, Gr1, Kind, Past, Player, Side, TermId, VariableId};
use crate::expr::suggest::closest;
use crate::expr::{Dialect, Expr, Role, TemporalBinary, TemporalUnary, printer};
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, Span, add_once};
use crate::spec::atoms::split_atoms;
use crate::spec::{Atom, Formula, FormulaId, Formulas, Spec};
use std::collections::HashMap;

/// The names are one bit each.
pub fn from_properties(
    properties: &Spec,
    inputs: &[String],
    outputs: &[String],
) -> Result<Gr1, Vec<Diagnostic>> {
    let mut spec = Gr1 {
        is_of_properties: true,
        ..Gr1::default()
    };
    let mut errors = Vec::new();
    for (names, owner) in [(inputs, Player::Environment), (outputs, Player::System)] {
        for name in names {
            if spec.find_variable(name).is_some() {
                errors.push(
                    Diagnostic::error(
                        codes::REPEATED_DECLARATION,
                        format!("`{name}` is named twice by `--ins` and `--outs`"),
                    )
                    .help("a name is an input or an output, once"),
                );
                continue;
            }
            spec.add_variable(name, owner, Domain::Boolean, None);
        }
    }
    let mut reader = Reader {
        formulas: properties.formulas.clone(),
        spec,
        terms: HashMap::new(),
    };
    for property in &properties.properties {
        let side = match property.role {
            Role::Assume => Side::Assumption,
            Role::Assert => Side::Guarantee,
            Role::Cover => {
                let error = Diagnostic::error(
                    codes::NOT_SUPPORTED,
                    format!("`{}` is a cover statement", property.name),
                );
                let error = error.help("only assumptions and assertions are requirements");
                errors.push(with_span(error, property.span));
                continue;
            }
        };
        let leaves: Vec<String> = reader
            .spec
            .variables
            .iter()
            .map(|variable| variable.name.clone())
            .collect();
        let is_leaf = |expr: &Expr| leaves.contains(&text_of(expr));
        let formula = split_atoms(&mut reader.formulas, property.formula, &is_leaf);
        let parts = reader.conjuncts(formula);
        let count = parts.len();
        for (index, part) in parts.into_iter().enumerate() {
            let name = property.is_named.then(|| match count {
                1 => property.name.clone(),
                _ => format!("{}_{}", property.name, index + 1),
            });
            let outcome = reader.conjunct(part, side, name, property.span);
            if let Err(error) = outcome {
                add_once(&mut errors, with_span(error, property.span));
            }
        }
    }
    if errors.is_empty() {
        Ok(reader.spec)
    } else {
        Err(errors)
    }
}

fn with_span(error: Diagnostic, span: Option<Span>) -> Diagnostic {
    match span {
        Some(span) if error.labels.is_empty() => error.at(span, "in this property"),
        _ => error,
    }
}

fn text_of(expr: &Expr) -> String {
    printer::print(expr, Dialect::Verilog)
}

struct Reader {
    formulas: Formulas,
    spec: Gr1,
    terms: HashMap<FormulaId, TermId>,
}

impl Reader {
    fn has_future(&self, formula: FormulaId) -> bool {
        let parts = self.formulas.subformulas(formula);
        parts.iter().any(|id| self.formulas.get(*id).is_future())
    }

    /// Parts that are constraints of their own. Nothing is simplified: whether `false` is
    /// said of the first state or of each step makes a difference to who loses.
    fn conjuncts(&mut self, root: FormulaId) -> Vec<FormulaId> {
        let mut found = Vec::new();
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            match self.formulas.get(id).clone() {
                Formula::And(operands) => pending.extend(operands.iter().rev()),
                Formula::Unary(TemporalUnary::Globally, body) => {
                    match self.formulas.get(body).clone() {
                        // An invariant stays whole.
                        Formula::And(operands) if self.has_eventually(body) => {
                            for operand in operands.iter().rev() {
                                pending.push(self.formulas.globally(*operand));
                            }
                        }
                        // `G G p` says no more than `G p`.
                        Formula::Unary(TemporalUnary::Globally, _) => pending.push(body),
                        _ => found.push(id),
                    }
                }
                _ => found.push(id),
            }
        }
        found
    }

    fn has_eventually(&self, formula: FormulaId) -> bool {
        let parts = self.formulas.subformulas(formula);
        parts.iter().any(|id| {
            let part = self.formulas.get(*id);
            part.is_future() && !matches!(part, Formula::Unary(TemporalUnary::Next, _))
        })
    }

    fn conjunct(
        &mut self,
        formula: FormulaId,
        side: Side,
        name: Option<String>,
        span: Option<Span>,
    ) -> Result<(), Diagnostic> {
        let (kind, term) = match self.formulas.get(formula).clone() {
            _ if !self.has_future(formula) => (Kind::Initial, self.term(formula, span)?),
            Formula::Unary(TemporalUnary::Globally, body) => self.always(body, span)?,
            // `X G p` says what `G X p` does.
            Formula::Unary(TemporalUnary::Next, inner) => match *self.formulas.get(inner) {
                Formula::Unary(TemporalUnary::Globally, body) => match self.always(body, span)? {
                    (Kind::Safety, _) => {
                        let body = self.formulas.next(body);
                        self.always(body, span)?
                    }
                    justice => justice,
                },
                _ => return Err(self.not_gr1(formula)),
            },
            _ => return Err(self.not_gr1(formula)),
        };
        self.spec.add_constraint(name, side, kind, term, span);
        Ok(())
    }

    /// What `G body` says.
    fn always(
        &mut self,
        body: FormulaId,
        span: Option<Span>,
    ) -> Result<(Kind, TermId), Diagnostic> {
        let eventually = |reader: &Reader, id: FormulaId| match reader.formulas.get(id) {
            Formula::Unary(TemporalUnary::Finally, inner) if !reader.has_future(*inner) => {
                Some(*inner)
            }
            _ => None,
        };
        if let Some(inner) = eventually(self, body) {
            return Ok((Kind::Justice, self.term(inner, span)?));
        }
        if let Formula::Or(operands) = self.formulas.get(body).clone() {
            let (mut later, mut now) = (Vec::new(), Vec::new());
            for operand in operands.iter() {
                match eventually(self, *operand) {
                    Some(inner) => later.push(inner),
                    None => now.push(*operand),
                }
            }
            let plain = now.iter().all(|operand| !self.has_future(*operand));
            if !later.is_empty() && plain {
                let response = self.formulas.or(later);
                let excused = self.formulas.or(now);
                let response = self.term(response, span)?;
                let excused = self.term(excused, span)?;
                return Ok((Kind::Justice, self.answered(excused, response, span)));
            }
        }
        Ok((Kind::Safety, self.term(body, span)?))
    }

    /// Whether each step that needed the response has had it.
    fn answered(&mut self, excused: TermId, response: TermId, span: Option<Span>) -> TermId {
        let description = format!("answered by {}", self.spec.term_in_words(response));
        let definition = self.spec.add_definition(description, span);
        let stem = format!("answered_{}", definition.0 + 1);
        let memory = self
            .spec
            .add_auxiliary(&stem, definition, Domain::Boolean, span);
        self.spec.answered.insert(memory, (excused, response));
        let terms = &mut self.spec.terms;
        let (now, next) = (terms.now(memory), terms.next(memory));
        let still = terms.and([now, excused]);
        let value = terms.or([response, still]);
        let step = terms.iff(next, value);
        self.spec.define(definition, Kind::Initial, now, span);
        self.spec.define(definition, Kind::Safety, step, span);
        now
    }

    fn not_gr1(&self, formula: FormulaId) -> Diagnostic {
        Diagnostic::error(codes::NOT_GR1, "this is not a GR(1) property")
            .note(format!("in `{}`", self.formulas.text(formula)))
            .help(
                "write it as `p`, `G p` with `X` at most once in a row, `G F p` or `G (p -> F q)`",
            )
    }

    /// A formula about now, the past, and the next step.
    fn term(&mut self, root: FormulaId, span: Option<Span>) -> Result<TermId, Diagnostic> {
        for id in self.formulas.subformulas(root) {
            if self.terms.contains_key(&id) {
                continue;
            }
            let term = self.term_of(id, span)?;
            self.terms.insert(id, term);
        }
        Ok(self.terms[&root])
    }

    fn term_of(&mut self, id: FormulaId, span: Option<Span>) -> Result<TermId, Diagnostic> {
        let done = |reader: &Reader, operand: FormulaId| reader.terms[&operand];
        Ok(match self.formulas.get(id).clone() {
            Formula::True => self.spec.terms.boolean(true),
            Formula::False => self.spec.terms.boolean(false),
            Formula::Atom(atom) => match self.formulas.atom(atom).clone() {
                Atom::Condition(expr) => {
                    let variable = self.variable(&expr)?;
                    self.spec.terms.now(variable)
                }
                Atom::Past(past) => self.term(past, span)?,
            },
            Formula::Not(operand) => {
                let operand = done(self, operand);
                self.spec.terms.not(operand)
            }
            Formula::And(operands) => {
                let operands: Vec<_> = operands.iter().map(|one| done(self, *one)).collect();
                self.spec.terms.and(operands)
            }
            Formula::Or(operands) => {
                let operands: Vec<_> = operands.iter().map(|one| done(self, *one)).collect();
                self.spec.terms.or(operands)
            }
            Formula::Unary(operator, operand) => {
                let term = done(self, operand);
                match operator {
                    TemporalUnary::Next => {
                        let primed = self.spec.terms.primed(term);
                        primed.map_err(|_| self.not_gr1(id))?
                    }
                    TemporalUnary::Finally | TemporalUnary::Globally => {
                        return Err(self.not_gr1(id));
                    }
                    _ if self.spec.terms.has_primed(term) => return Err(self.not_gr1(id)),
                    TemporalUnary::Yesterday => self.spec.past(Past::Previous(term), span),
                    TemporalUnary::WeakYesterday => {
                        let term = self.spec.terms.not(term);
                        let previous = self.spec.past(Past::Previous(term), span);
                        self.spec.terms.not(previous)
                    }
                    TemporalUnary::Once => self.spec.past(Past::Once(term), span),
                    TemporalUnary::Historically => self.spec.past(Past::Historically(term), span),
                }
            }
            Formula::Binary(operator, left, right) => {
                let (left, right) = (done(self, left), done(self, right));
                let primed = [left, right].map(|term| self.spec.terms.has_primed(term));
                match operator {
                    _ if primed.contains(&true) => return Err(self.not_gr1(id)),
                    TemporalBinary::Since => self.spec.past(Past::Since(left, right), span),
                    TemporalBinary::Trigger => {
                        let (left, right) = (self.spec.terms.not(left), self.spec.terms.not(right));
                        let since = self.spec.past(Past::Since(left, right), span);
                        self.spec.terms.not(since)
                    }
                    _ => return Err(self.not_gr1(id)),
                }
            }
        })
    }

    fn variable(&self, expr: &Expr) -> Result<VariableId, Diagnostic> {
        let name = text_of(expr);
        if let Some(id) = self.spec.find_variable(&name) {
            return Ok(id);
        }
        let mut error = Diagnostic::error(
            codes::UNKNOWN_NAME,
            format!("`{name}` is neither an input nor an output"),
        );
        if let Some(span) = expr.span {
            error = error.at(span, "used here");
        }
        let names = self.spec.variables.iter().map(|one| one.name.as_str());
        Err(match closest(&name, names) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help("name it with `--ins` or `--outs`; each is one bit"),
        })
    }
}
