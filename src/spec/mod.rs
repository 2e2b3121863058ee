//! What a design must do: temporal formulas, and the files they are written in.
//!
//! Enters: the text of a property file ([`property_file`]), or the property items that a
//! design's front end found. Leaves: a [`Spec`], whose properties are formulas over opaque
//! atoms ([`formula`]); each atom is an expression that the design elaborates. `automaton`
//! turns single conjuncts into deterministic monitors, [`past`] turns past operators into
//! small circuits, and [`lasso`] says what a formula means on a concrete run.
//!
//! Nothing here knows signals, widths or decision diagrams.

pub mod atoms;
pub mod automaton;
pub mod class;
mod definitions;
mod delay;
pub mod formula;
pub mod formula_text;
pub mod gr1;
mod held_off;
pub mod implication;
pub mod lasso;
pub mod ltl;
pub mod meaning;
pub mod normal_form;
pub mod past;
pub mod property_file;
mod scanner;
pub mod semantics;
pub mod simplify;
pub mod slugs;
pub mod spectra;
pub mod sva;
pub mod tlsf;

pub use crate::source::codes::property as codes;
pub use class::Class;
pub use formula::{Atom, AtomId, Formula, FormulaId, Formulas};
pub use lasso::Lasso;
pub use semantics::Semantics;

use crate::expr::operator::{TemporalUnary, is_formula_word};
use crate::expr::printer::needs_escape;
use crate::expr::{Expr, ExprKind, PropertyBody, PropertyItem, Role};
use crate::limits::Limits;
use crate::source::{Diagnostic, FileId, Sources, Span};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// The properties of a design, in the order in which they were given.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    pub formulas: Formulas,
    pub properties: Vec<Property>,
    /// What has to happen so that implications among them say anything.
    pub antecedents: Vec<Antecedent>,
}

/// What an implication is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Antecedent {
    /// The name of the property.
    pub property: String,
    /// That it happens on a run, as a cover statement would say it.
    pub formula: FormulaId,
    pub span: Option<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub role: Role,
    /// Unique in its [`Spec`].
    pub name: String,
    /// Whether somebody chose the name; otherwise it was made up, as in `assert_3`.
    pub is_named: bool,
    pub span: Option<Span>,
    pub formula: FormulaId,
}

/// A part of a property that has to hold on its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conjunct {
    /// Index of the property it is part of.
    pub property: usize,
    /// The property's name, with `/1`, `/2`, ... if it has several parts.
    pub name: String,
    pub role: Role,
    pub span: Option<Span>,
    /// Simplified, in negation normal form.
    pub formula: FormulaId,
    pub class: Class,
}

impl Spec {
    pub fn new() -> Spec {
        Spec::default()
    }

    /// Adds what a property file says; gives back what it warns about.
    pub fn add_property_file(
        &mut self,
        file: FileId,
        text: &str,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        self.add_property_file_within(file, text, &Limits::default())
    }

    /// The same within the limits of `sources`, which have the file.
    pub fn read_property_file(
        &mut self,
        sources: &Sources,
        file: FileId,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let text = &sources.file(file).text;
        self.add_property_file_within(file, text, sources.limits())
    }

    fn add_property_file_within(
        &mut self,
        file: FileId,
        text: &str,
        limits: &Limits,
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let formulas = &mut self.formulas;
        let parsed = property_file::parse_property_file_within(formulas, file, text, limits)?;
        let before: HashSet<String> = self.names();
        let mut taken = before.clone();
        let given = parsed.properties.iter();
        let given: HashSet<String> = given.filter_map(|property| property.name.clone()).collect();
        taken.extend(given);
        for property in parsed.properties {
            limits.poll()?;
            let is_named = property.name.is_some();
            let name = match property.name {
                // Another file of the same run may have used it.
                Some(name) if before.contains(&name) => {
                    fresh_name(&mut taken, &format!("{name}_"), 2)
                }
                Some(name) => name,
                None => self.made_up_name(&mut taken, property.role),
            };
            if let Some(formula) = self.formulas.trigger_of(property.formula) {
                self.antecedents.push(Antecedent {
                    property: name.clone(),
                    formula,
                    span: Some(property.span),
                });
            }
            self.properties.push(Property {
                role: property.role,
                name,
                is_named,
                span: Some(property.span),
                formula: property.formula,
            });
        }
        Ok(parsed.warnings)
    }

    /// What has to happen so that a property says anything, if it is an implication.
    pub fn antecedent(&self, property: &str) -> Option<&Antecedent> {
        self.antecedents.iter().find(|one| one.property == property)
    }

    /// The same properties over atoms that are just names, with these names in the order of
    /// the conditions that they stand for.
    pub fn with_named_atoms(&self, prefix: &str) -> (Spec, Vec<String>) {
        let mut spec = Spec::new();
        let mut names = Vec::new();
        let mut atoms: HashMap<AtomId, FormulaId> = HashMap::new();
        for id in self.formulas.atom_ids() {
            if let Atom::Condition(_) = self.formulas.atom(id) {
                let name = format!("{prefix}{}", names.len());
                let expr = Expr {
                    kind: ExprKind::Name(vec![name.clone()]),
                    span: None,
                };
                atoms.insert(id, spec.formulas.condition_atom(&expr));
                names.push(name);
            }
        }
        for property in &self.properties {
            let mut known: HashMap<FormulaId, FormulaId> = HashMap::new();
            for id in self.formulas.subformulas(property.formula) {
                let formula = self.formulas.get(id);
                let new = match formula {
                    Formula::Atom(atom) => atoms.get(atom).copied(),
                    _ => None,
                };
                let new = new.unwrap_or_else(|| {
                    spec.formulas.rebuild(formula, |operand| {
                        known.get(&operand).copied().unwrap_or(operand)
                    })
                });
                known.insert(id, new);
            }
            spec.properties.push(Property {
                formula: known[&property.formula],
                ..property.clone()
            });
        }
        (spec, names)
    }

    /// Adds the properties that came with a design, and gives them their meaning in time.
    /// What they warn about is given back; nothing is added if one of them has no meaning.
    pub fn add_items(
        &mut self,
        items: &[PropertyItem],
    ) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        let mut warnings = Vec::new();
        let mut errors = Vec::new();
        let mut meanings = Vec::new();
        for item in items {
            match self.item_formula(item, &mut warnings) {
                Ok(formula) => meanings.push(formula),
                Err(error) => errors.push(error),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut taken = self.names();
        for (item, formula) in items.iter().zip(meanings) {
            let name = match &item.name {
                Some(name) if !taken.contains(name) => name.clone(),
                Some(name) => fresh_name(&mut taken, &format!("{name}_"), 2),
                None => self.made_up_name(&mut taken, item.role),
            };
            taken.insert(name.clone());
            if let Some((formula, span)) = self.item_trigger(item) {
                self.antecedents.push(Antecedent {
                    property: name.clone(),
                    formula,
                    span,
                });
            }
            self.properties.push(Property {
                role: item.role,
                name,
                is_named: item.name.is_some(),
                span: item.span,
                formula,
            });
        }
        Ok(warnings)
    }

    fn item_formula(
        &mut self,
        item: &PropertyItem,
        warnings: &mut Vec<Diagnostic>,
    ) -> Result<FormulaId, Diagnostic> {
        let formulas = &mut self.formulas;
        Ok(match &item.body {
            PropertyBody::Concurrent {
                property,
                disable,
                once,
                ticks,
            } => {
                let attempts = sva::Attempts {
                    disable: disable.as_ref(),
                    once: *once,
                    ticks: ticks.as_ref(),
                };
                let meaning = sva::meaning(formulas, item.role, property, attempts)?;
                warnings.extend(meaning.warnings);
                meaning.formula
            }
            PropertyBody::Invariant(condition) => {
                let condition = atoms::condition(formulas, condition);
                match item.role {
                    // An immediate cover is covered once it is reached and true.
                    Role::Cover => formulas.finally(condition),
                    _ => formulas.globally(condition),
                }
            }
            PropertyBody::Recurrence(condition) => {
                let condition = atoms::condition(formulas, condition);
                recurring(formulas, condition)
            }
            PropertyBody::NeverAllRecurring(conditions) => {
                let mut all = Vec::new();
                for condition in conditions {
                    let condition = atoms::condition(formulas, condition);
                    all.push(recurring(formulas, condition));
                }
                if all.is_empty() {
                    // Every infinite run recurs to nothing, but a finite one is no violation:
                    // the formula has to stay one about infinite runs.
                    all.push(recurring(formulas, formula::TRUE));
                }
                let all = formulas.and(all);
                formulas.not(all)
            }
        })
    }

    /// That the antecedent of a concurrent assertion is matched.
    fn item_trigger(&mut self, item: &PropertyItem) -> Option<(FormulaId, Option<Span>)> {
        let PropertyBody::Concurrent {
            property,
            disable,
            once,
            ticks,
        } = &item.body
        else {
            return None;
        };
        let trigger = sva::trigger(property).filter(|_| item.role == Role::Assert)?;
        let attempts = sva::Attempts {
            disable: disable.as_ref(),
            once: *once,
            ticks: ticks.as_ref(),
        };
        let meaning = sva::meaning(&mut self.formulas, Role::Cover, &trigger, attempts);
        Some((meaning.ok()?.formula, trigger.span))
    }

    fn names(&self) -> HashSet<String> {
        let properties = self.properties.iter();
        properties.map(|property| property.name.clone()).collect()
    }

    fn made_up_name(&self, taken: &mut HashSet<String>, role: Role) -> String {
        let stem = match role {
            Role::Assert => "assert_",
            Role::Assume => "assume_",
            Role::Cover => "cover_",
        };
        fresh_name(taken, stem, self.properties.len() + 1)
    }

    /// Takes the properties apart into conjuncts that can be judged one by one.
    pub fn conjuncts(&mut self) -> Vec<Conjunct> {
        let mut conjuncts = Vec::new();
        for (index, property) in self.properties.clone().into_iter().enumerate() {
            let parts = split_conjunction(&mut self.formulas, property.formula);
            let several = parts.len() > 1;
            for (part, formula) in parts.into_iter().enumerate() {
                let name = if several {
                    format!("{}/{}", property.name, part + 1)
                } else {
                    property.name.clone()
                };
                conjuncts.push(Conjunct {
                    property: index,
                    name,
                    role: property.role,
                    span: property.span,
                    formula,
                    class: class::classify(&mut self.formulas, formula),
                });
            }
        }
        conjuncts
    }
}

fn recurring(formulas: &mut Formulas, condition: FormulaId) -> FormulaId {
    let eventually = formulas.finally(condition);
    formulas.globally(eventually)
}

/// `stem` with the first number that gives a new name.
fn fresh_name(taken: &mut HashSet<String>, stem: &str, first: usize) -> String {
    let mut number = first;
    loop {
        let name = format!("{stem}{number}");
        if taken.insert(name.clone()) {
            return name;
        }
        number += 1;
    }
}

/// The parts of a formula that hold exactly if all of them hold, simplified: conjuncts, also
/// those under `G`, `X` and combinations of them. The formula is taken apart as it was
/// written before anything is simplified: which parts are safe is a question of the syntax,
/// and `a & (b M a)` must not lose its safe part in `b M a`.
pub fn split_conjunction(formulas: &mut Formulas, root: FormulaId) -> Vec<FormulaId> {
    let root = normal_form::negation_normal_form(formulas, root);
    let mut parts = Vec::new();
    add_conjuncts(formulas, root, &mut parts);
    parts
}

/// The same parts in the order of the text, as far as it has conjunctions.
pub fn split_as_written(formulas: &mut Formulas, root: FormulaId) -> Vec<FormulaId> {
    let mut parts = Vec::new();
    for written in conjuncts_of(formulas, root, Formulas::as_written) {
        let written = normal_form::negation_normal_form(formulas, written);
        add_conjuncts(formulas, written, &mut parts);
    }
    parts
}

/// Adds the conjuncts of a formula in negation normal form that are not there yet.
fn add_conjuncts(formulas: &mut Formulas, root: FormulaId, parts: &mut Vec<FormulaId>) {
    for written in conjuncts_of(formulas, root, Formulas::operands) {
        let written = simplify::simplify(formulas, written);
        for part in conjuncts_of(formulas, written, Formulas::operands) {
            let part = simplify::simplify(formulas, part);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
}

/// The conjuncts of a formula, also those under `G` and `X`.
fn conjuncts_of(
    formulas: &mut Formulas,
    root: FormulaId,
    operands_of: fn(&Formulas, FormulaId) -> Vec<FormulaId>,
) -> Vec<FormulaId> {
    let mut found = Vec::new();
    // Operators that have to be put around what is found, outermost first.
    let mut pending: Vec<(Vec<TemporalUnary>, FormulaId)> = vec![(Vec::new(), root)];
    while let Some((mut around, id)) = pending.pop() {
        match formulas.get(id).clone() {
            Formula::And(_) => {
                let rest = operands_of(formulas, id).into_iter().rev();
                pending.extend(rest.map(|operand| (around.clone(), operand)));
            }
            Formula::Unary(operator @ (TemporalUnary::Globally | TemporalUnary::Next), operand) => {
                around.push(operator);
                pending.push((around, operand));
            }
            _ => {
                let operators = around.into_iter().rev();
                found.push(operators.fold(id, |inner, operator| formulas.unary(operator, inner)));
            }
        }
    }
    found
}

/// The text of a property file that says the same.
impl fmt::Display for Spec {
    fn fmt(&self, output: &mut fmt::Formatter<'_>) -> fmt::Result {
        for property in &self.properties {
            output.write_str(match property.role {
                Role::Assert => "assert ",
                Role::Assume => "assume ",
                // The property file has no such statement.
                Role::Cover => "// cover ",
            })?;
            if property.is_named {
                let name = &property.name;
                if needs_escape(name, true) || is_formula_word(name) {
                    write!(output, "\\{name} : ")?;
                } else {
                    write!(output, "{name}: ")?;
                }
            }
            writeln!(output, "{};", self.formulas.text(property.formula))?;
        }
        Ok(())
    }
}
