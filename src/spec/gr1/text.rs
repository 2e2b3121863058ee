//! Terms and specifications as text, in the Spectra language.
//!
//! Auxiliary variables have names that no file has. Where a term is shown, what they remember is
//! written in their place: of `p | m`, where `m` is the memory of `ONCE(p)`, that operator. It is
//! found by its shape, since terms are flat and shared: `p | m | q` is `ONCE(p) | q`. A memory that
//! stands alone is about the steps before this one, `PREV(ONCE(p))`, and its next value is what the
//! operator is now.

use super::{Arithmetic, Domain, Gr1, Kind, Past, Term, TermId, VariableId};
use crate::stack;

/// How tightly an operator binds; what binds less is put in parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Iff,
    Implies,
    Or,
    And,
    Not,
    Compare,
    Remainder,
    Sum,
    Product,
    Atom,
}

/// A member of a list of operands: a term, or an operator that several of them amount to.
enum Member {
    Term(TermId),
    Past(Past),
}

struct Writer<'s> {
    spec: &'s Gr1,
    /// Whether what auxiliary variables remember is written in their place.
    in_words: bool,
    text: String,
    /// Whether a variable was written that no file can name.
    is_nameless: bool,
}

impl Gr1 {
    /// The term in Spectra syntax, with the names of auxiliary variables.
    pub fn term_text(&self, term: TermId) -> String {
        let mut writer = Writer::new(self, false);
        writer.write_term(term, Binding::Iff);
        writer.text
    }

    /// The term with operators in the place of the variables that remember them.
    pub fn term_in_words(&self, term: TermId) -> String {
        let mut writer = Writer::new(self, true);
        writer.write_term(term, Binding::Iff);
        writer.text
    }

    /// A requirement as it is shown.
    pub fn requirement_in_words(&self, kind: Kind, term: TermId) -> String {
        self.requirement(kind, term).0
    }

    /// A requirement as a file can have it; `None` if it speaks of a variable that no text names,
    /// such as one of a pattern or a trigger.
    pub fn requirement_for_file(&self, kind: Kind, term: TermId) -> Option<String> {
        let (text, is_nameless) = self.requirement(kind, term);
        (!is_nameless).then_some(text)
    }

    fn requirement(&self, kind: Kind, term: TermId) -> (String, bool) {
        let mut writer = Writer::new(self, true);
        match kind {
            Kind::Initial => writer.write_term(term, Binding::Iff),
            Kind::Safety => writer.in_parentheses("G (", term),
            Kind::Justice => writer.recurrence(term),
        }
        (writer.text, writer.is_nameless)
    }

    pub fn domain_text(&self, domain: &Domain) -> String {
        match domain {
            Domain::Boolean => "boolean".to_string(),
            Domain::Range { first, last } => format!("Int({first}..{last})"),
            Domain::Enumeration(names) => {
                let names: Vec<&str> = names
                    .iter()
                    .map(|name| self.terms.symbol_name(*name))
                    .collect();
                format!("{{{}}}", names.join(", "))
            }
        }
    }
}

impl<'s> Writer<'s> {
    fn new(spec: &'s Gr1, in_words: bool) -> Writer<'s> {
        Writer {
            spec,
            in_words,
            text: String::new(),
            is_nameless: false,
        }
    }

    /// What recurs. That all is answered which has to be recurs exactly if each of it is answered
    /// at some time; with an escape beside it, the sentence says a little less than the term.
    fn recurrence(&mut self, term: TermId) {
        let operands = self.disjuncts(term);
        let answered = operands.iter().find_map(|operand| {
            let (excused, response) = self.spec.answered.get(&self.memory(*operand)?)?;
            Some((*operand, *excused, *response))
        });
        if let Some((memory, excused, response)) = answered {
            match self.spec.terms.get(excused) {
                Term::Not(asked) => {
                    self.text.push_str("G (");
                    self.write_term(*asked, Binding::Or);
                    self.text.push_str(" -> F ");
                }
                _ => {
                    self.text.push_str("G (");
                    self.write_term(excused, Binding::And);
                    self.text.push_str(" | F ");
                }
            }
            let mut responses = self.disjuncts(response);
            responses.extend(operands.into_iter().filter(|operand| *operand != memory));
            match responses.as_slice() {
                [one] => self.write_term(*one, Binding::Atom),
                _ => {
                    self.text.push('(');
                    self.write_list(&responses, " | ", Binding::And);
                    self.text.push(')');
                }
            }
            self.text.push(')');
            return;
        }
        // Property files have no word `GF`.
        let again = self.word("GF (", "G F (");
        // What has recurred one step ago recurs.
        let remembered = self.memory(term).and_then(|memory| self.remembered(memory));
        match remembered {
            Some(Past::Previous(step)) if self.spec.terms.has_primed(step) => {
                self.in_parentheses(again, step);
            }
            _ => self.in_parentheses(again, term),
        }
    }

    fn in_parentheses(&mut self, before: &str, term: TermId) {
        self.text.push_str(before);
        self.write_term(term, Binding::Iff);
        self.text.push(')');
    }

    /// The variable whose present value a term is.
    fn memory(&self, term: TermId) -> Option<VariableId> {
        match self.spec.terms.get(term) {
            Term::Variable {
                variable,
                primed: false,
            } => Some(*variable),
            _ => None,
        }
    }

    fn remembered(&self, variable: VariableId) -> Option<Past> {
        self.spec.remembered.get(&variable).copied()
    }

    fn disjuncts(&self, term: TermId) -> Vec<TermId> {
        match self.spec.terms.get(term) {
            Term::Or(operands) => operands.clone(),
            Term::Boolean(false) => Vec::new(),
            _ => vec![term],
        }
    }

    fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        match self.spec.terms.get(term) {
            Term::And(operands) => operands.clone(),
            Term::Boolean(true) => Vec::new(),
            _ => vec![term],
        }
    }

    /// The operands of a conjunction or a disjunction, those that follow a memory as one.
    fn members(&self, operands: &[TermId], is_or: bool) -> Vec<Member> {
        let plain = || operands.iter().map(|operand| Member::Term(*operand));
        if !self.in_words {
            return plain().collect();
        }
        let mut said = Vec::new();
        let mut found = Vec::new();
        for operand in operands {
            let Some((past, others)) = self.followed(*operand, is_or) else {
                continue;
            };
            if others.iter().all(|other| operands.contains(other)) {
                said.push(*operand);
                said.extend(others);
                found.push(Member::Past(past));
            }
        }
        if found.is_empty() {
            return plain().collect();
        }
        found.extend(plain().filter(|member| match member {
            Member::Term(term) => !said.contains(term),
            Member::Past(_) => true,
        }));
        found
    }

    /// The operator that an operand follows, and the operands that have to stand beside it.
    fn followed(&self, operand: TermId, is_or: bool) -> Option<(Past, Vec<TermId>)> {
        let parts = self.conjuncts(operand);
        let mut memories = parts.iter().filter_map(|part| {
            let past = self.remembered(self.memory(*part)?)?;
            Some((*part, past))
        });
        memories.find_map(|(memory, past)| match past {
            Past::Once(inner) if is_or && parts.len() == 1 => Some((past, self.disjuncts(inner))),
            Past::Historically(inner) if !is_or && parts.len() == 1 => {
                Some((past, self.conjuncts(inner)))
            }
            Past::Since(left, right) if is_or => {
                let left = self.conjuncts(left);
                let is_same = parts.len() == left.len() + 1
                    && left.iter().all(|one| *one != memory && parts.contains(one));
                is_same.then(|| (past, self.disjuncts(right)))
            }
            _ => None,
        })
    }

    fn binding(&self, term: TermId) -> Binding {
        match self.spec.terms.get(term) {
            Term::Integer(value) if *value < 0 => Binding::Sum,
            Term::Variable { variable, primed } if self.in_words => {
                match (self.remembered(*variable), primed) {
                    (Some(Past::Previous(inner)), true) => self.binding(inner),
                    (Some(Past::Historically(_)), false) => Binding::Not,
                    _ => Binding::Atom,
                }
            }
            Term::Boolean(_) | Term::Integer(_) | Term::Enumerator(_) | Term::Variable { .. } => {
                Binding::Atom
            }
            Term::Not(_) => Binding::Not,
            Term::And(operands) => match self.members(operands, false).as_slice() {
                [_] => Binding::Atom,
                _ => Binding::And,
            },
            Term::Or(operands) => match self.members(operands, true).as_slice() {
                [_] => Binding::Atom,
                _ => Binding::Or,
            },
            Term::Implies(..) => Binding::Implies,
            Term::Iff(..) => Binding::Iff,
            Term::Compare(..) => Binding::Compare,
            Term::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, ..) => Binding::Sum,
            Term::Arithmetic(Arithmetic::Modulo, ..) => Binding::Remainder,
            Term::Arithmetic(..) => Binding::Product,
        }
    }

    fn write_term(&mut self, term: TermId, least: Binding) {
        stack::recurse(|| {
            if self.binding(term) < least {
                self.text.push('(');
                self.write_bare(term);
                self.text.push(')');
            } else {
                self.write_bare(term);
            }
        });
    }

    fn write_bare(&mut self, term: TermId) {
        let spec = self.spec;
        match spec.terms.get(term) {
            Term::Boolean(value) => self.text.push_str(&value.to_string()),
            Term::Integer(value) => self.text.push_str(&value.to_string()),
            Term::Enumerator(symbol) => self.text.push_str(spec.terms.symbol_name(*symbol)),
            Term::Variable { variable, primed } => self.write_variable(*variable, *primed),
            Term::Not(operand) => {
                self.text.push('!');
                self.write_term(*operand, Binding::Atom);
            }
            Term::And(operands) => self.write_members(operands, false),
            Term::Or(operands) => self.write_members(operands, true),
            Term::Implies(left, right) => {
                self.write_list(&[*left, *right], " -> ", Binding::Or);
            }
            Term::Iff(left, right) => {
                self.write_list(&[*left, *right], " <-> ", Binding::Or);
            }
            Term::Compare(comparison, left, right) => {
                let separator = format!(" {} ", comparison.text());
                self.write_list(&[*left, *right], &separator, Binding::Remainder);
            }
            Term::Arithmetic(operator, left, right) => {
                let separator = format!(" {} ", operator.text());
                let least = match operator {
                    Arithmetic::Modulo => Binding::Sum,
                    Arithmetic::Add | Arithmetic::Subtract => Binding::Product,
                    _ => Binding::Atom,
                };
                self.write_list(&[*left, *right], &separator, least);
            }
        }
    }

    fn write_variable(&mut self, variable: VariableId, primed: bool) {
        let spec = self.spec;
        let remembered = self.remembered(variable).filter(|_| self.in_words);
        match (remembered, primed) {
            (Some(Past::Previous(operand)), true) => self.write_bare(operand),
            (Some(past), true) | (Some(past @ Past::Previous(_)), false) => self.write_past(past),
            // It is true before the first step.
            (Some(past @ Past::Historically(_)), false) => {
                self.text.push('!');
                self.text.push_str(self.word("PREV", "Y"));
                self.text.push_str("(!");
                self.write_past(past);
                self.text.push(')');
            }
            (Some(past), false) => {
                self.text.push_str(self.word("PREV", "Y"));
                self.text.push('(');
                self.write_past(past);
                self.text.push(')');
            }
            (None, _) => {
                let own = spec.variable(variable);
                let is_named = |id| spec.definition(id).is_declared;
                self.is_nameless |= !own.definition.is_none_or(is_named);
                if primed {
                    self.text.push_str(&format!("next({})", own.name));
                } else {
                    self.text.push_str(&own.name);
                }
            }
        }
    }

    /// The word of Spectra, or that of property files.
    fn word(&self, spectra: &'static str, properties: &'static str) -> &'static str {
        match self.spec.is_of_properties {
            true => properties,
            false => spectra,
        }
    }

    /// An operator about the past, as tight as an atom.
    fn write_past(&mut self, past: Past) {
        let (word, operand) = match past {
            Past::Previous(operand) => (self.word("PREV", "Y"), operand),
            Past::Once(operand) => (self.word("ONCE", "O"), operand),
            Past::Historically(operand) => (self.word("HISTORICALLY", "H"), operand),
            Past::Since(left, right) => {
                self.text.push('(');
                self.write_term(left, Binding::Atom);
                let word = self.word(" SINCE ", " S ");
                self.text.push_str(word);
                self.write_term(right, Binding::Atom);
                self.text.push(')');
                return;
            }
        };
        self.in_parentheses(&format!("{word}("), operand);
    }

    fn write_members(&mut self, operands: &[TermId], is_or: bool) {
        let (separator, least) = match is_or {
            true => (" | ", Binding::And),
            false => (" & ", Binding::Not),
        };
        for (index, member) in self.members(operands, is_or).into_iter().enumerate() {
            if index > 0 {
                self.text.push_str(separator);
            }
            match member {
                Member::Term(term) => self.write_term(term, least),
                Member::Past(past) => self.write_past(past),
            }
        }
    }

    fn write_list(&mut self, operands: &[TermId], separator: &str, least: Binding) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.text.push_str(separator);
            }
            self.write_term(*operand, least);
        }
    }
}
