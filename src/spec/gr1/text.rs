//! Terms and specifications as text, in the Spectra language.

use super::{Arithmetic, Domain, Gr1, Term, TermId};
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

impl Gr1 {
    /// The term in Spectra syntax.
    pub fn term_text(&self, term: TermId) -> String {
        let mut text = String::new();
        self.write_term(&mut text, term, Binding::Iff);
        text
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

    fn binding(&self, term: TermId) -> Binding {
        match self.terms.get(term) {
            Term::Integer(value) if *value < 0 => Binding::Sum,
            Term::Boolean(_) | Term::Integer(_) | Term::Enumerator(_) | Term::Variable { .. } => {
                Binding::Atom
            }
            Term::Not(_) => Binding::Not,
            Term::And(_) => Binding::And,
            Term::Or(_) => Binding::Or,
            Term::Implies(..) => Binding::Implies,
            Term::Iff(..) => Binding::Iff,
            Term::Compare(..) => Binding::Compare,
            Term::Arithmetic(Arithmetic::Add | Arithmetic::Subtract, ..) => Binding::Sum,
            Term::Arithmetic(Arithmetic::Modulo, ..) => Binding::Remainder,
            Term::Arithmetic(..) => Binding::Product,
        }
    }

    fn write_term(&self, text: &mut String, term: TermId, least: Binding) {
        stack::recurse(|| {
            if self.binding(term) < least {
                text.push('(');
                self.write_bare(text, term);
                text.push(')');
            } else {
                self.write_bare(text, term);
            }
        });
    }

    fn write_bare(&self, text: &mut String, term: TermId) {
        match self.terms.get(term) {
            Term::Boolean(value) => text.push_str(&value.to_string()),
            Term::Integer(value) => text.push_str(&value.to_string()),
            Term::Enumerator(symbol) => text.push_str(self.terms.symbol_name(*symbol)),
            Term::Variable { variable, primed } => {
                let name = &self.variable(*variable).name;
                if *primed {
                    text.push_str(&format!("next({name})"));
                } else {
                    text.push_str(name);
                }
            }
            Term::Not(operand) => {
                text.push('!');
                self.write_term(text, *operand, Binding::Atom);
            }
            Term::And(operands) => self.write_list(text, operands, " & ", Binding::Not),
            Term::Or(operands) => self.write_list(text, operands, " | ", Binding::And),
            Term::Implies(left, right) => {
                self.write_list(text, &[*left, *right], " -> ", Binding::Or);
            }
            Term::Iff(left, right) => {
                self.write_list(text, &[*left, *right], " <-> ", Binding::Or);
            }
            Term::Compare(comparison, left, right) => {
                let separator = format!(" {} ", comparison.text());
                self.write_list(text, &[*left, *right], &separator, Binding::Remainder);
            }
            Term::Arithmetic(operator, left, right) => {
                let separator = format!(" {} ", operator.text());
                let least = match operator {
                    Arithmetic::Modulo => Binding::Sum,
                    Arithmetic::Add | Arithmetic::Subtract => Binding::Product,
                    _ => Binding::Atom,
                };
                self.write_list(text, &[*left, *right], &separator, least);
            }
        }
    }

    fn write_list(&self, text: &mut String, operands: &[TermId], separator: &str, least: Binding) {
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                text.push_str(separator);
            }
            self.write_term(text, *operand, least);
        }
    }
}
