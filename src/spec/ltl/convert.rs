//! Specifications in any LTL from other kinds, and as other kinds.
//!
//! A property file has neither sections nor an order of moves, so what they mean is written
//! out: with Moore order, an input `i` becomes `X i`, since the system then sees each input
//! one step later. A GR(1) specification becomes a strict one with its constraints in the six
//! sections, which mean the same ([JKS16], [BJPPS12]).

use super::{LtlSpec, Order, Part, Section, no_formula};
use crate::expr::{Expr, Role, TemporalUnary};
use crate::source::codes::specification as codes;
use crate::source::{Diagnostic, FileId};
use crate::spec::atoms::split_atoms;
use crate::spec::gr1::{Gr1, Kind, Player, Side, TooManyCases, from_properties};
use crate::spec::{Atom, Formula, FormulaId, Formulas, Property, Spec};
use std::collections::HashMap;

/// Characters of a formula that is written out.
const LONGEST: u64 = 256 << 20;

impl LtlSpec {
    /// The implication from the assumptions to the assertions of a property file.
    pub fn from_properties(
        properties: &Spec,
        inputs: &[String],
        outputs: &[String],
    ) -> Result<LtlSpec, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let mut names: Vec<&String> = Vec::new();
        for name in inputs.iter().chain(outputs) {
            if names.contains(&name) {
                let message = format!("`{name}` is named twice by `--ins` and `--outs`");
                errors.push(
                    Diagnostic::error(codes::REPEATED_DECLARATION, message)
                        .help("a name is an input or an output, once"),
                );
            }
            names.push(name);
        }
        let mut spec = LtlSpec {
            inputs: inputs.to_vec(),
            outputs: outputs.to_vec(),
            formulas: properties.formulas.clone(),
            ..LtlSpec::default()
        };
        for property in &properties.properties {
            let section = match property.role {
                Role::Assume => Section::Assume,
                Role::Assert => Section::Guarantee,
                Role::Cover => {
                    let message = format!("`{}` is a cover statement", property.name);
                    let error = Diagnostic::error(codes::NOT_SUPPORTED, message)
                        .help("only assumptions and assertions are requirements");
                    errors.push(error.at_optional(property.span, "this property"));
                    continue;
                }
            };
            let is_leaf = |expr: &Expr| names.contains(&&expr.to_string());
            let formula = split_atoms(&mut spec.formulas, property.formula, &is_leaf);
            spec.parts.push(Part {
                section,
                name: property.name.clone(),
                span: property.span,
                formula,
            });
        }
        if errors.is_empty() {
            Ok(spec)
        } else {
            Err(errors)
        }
    }

    /// Assumptions and assertions whose implication this is. If the sections are finer than
    /// that, there is one assertion that says everything.
    pub fn to_properties(&self) -> Spec {
        let has = |sections: &[Section]| {
            let mut parts = self.parts.iter();
            parts.any(|part| sections.contains(&part.section))
        };
        let assumes = has(&[Section::Require, Section::Assume]);
        let is_finer = assumes && (self.is_strict || has(&[Section::Preset]));
        let mut spec = Spec::new();
        if is_finer {
            let mut whole = self.requirements();
            let formula = whole.formula();
            spec.formulas = whole.formulas;
            spec.properties.push(Property {
                role: Role::Assert,
                name: "specification".to_string(),
                is_named: true,
                span: None,
                formula,
            });
        } else {
            spec.formulas = self.formulas.clone();
            for part in &self.parts {
                let role = match part.section {
                    Section::Initially | Section::Require | Section::Assume => Role::Assume,
                    Section::Preset | Section::Assert | Section::Guarantee => Role::Assert,
                };
                let formula = match part.section {
                    Section::Require | Section::Assert => spec.formulas.globally(part.formula),
                    _ => part.formula,
                };
                spec.properties.push(Property {
                    role,
                    name: part.name.clone(),
                    is_named: true,
                    span: part.span,
                    formula,
                });
            }
        }
        if self.order == Order::Moore {
            let formulas = &mut spec.formulas;
            for property in &mut spec.properties {
                property.formula = delayed(formulas, property.formula, &self.inputs);
            }
        }
        spec
    }

    /// The text of a property file; `None` if it would be too long.
    pub fn property_file(&self) -> Option<String> {
        let spec = self.to_properties();
        let mut length = 0_u64;
        for property in &spec.properties {
            length = length.saturating_add(text_length(&spec.formulas, property.formula));
        }
        (length <= LONGEST).then(|| {
            format!(
                "// --semantics implication\n// --ins {}\n// --outs {}\n{spec}",
                self.inputs.join(","),
                self.outputs.join(",")
            )
        })
    }

    /// A GR(1) specification that means the same, with whether it is meant strictly.
    pub fn to_gr1(&self) -> Result<(Gr1, bool), Vec<Diagnostic>> {
        if let Some(error) = no_formula(self) {
            return Err(vec![error]);
        }
        let assumes = self
            .parts
            .iter()
            .any(|part| matches!(part.section, Section::Require | Section::Assume));
        let mut gr1 = if self.is_strict && assumes {
            let plain = LtlSpec {
                is_strict: false,
                ..self.clone()
            };
            // Sections keep the safe parts apart, so only they may have any.
            let mut properties = LtlSpec {
                parts: plain
                    .parts
                    .iter()
                    .filter(|part| part.section != Section::Preset)
                    .cloned()
                    .collect(),
                ..plain
            }
            .to_properties();
            for part in self
                .parts
                .iter()
                .filter(|part| part.section == Section::Preset)
            {
                properties.properties.push(Property {
                    role: Role::Assert,
                    name: part.name.clone(),
                    is_named: true,
                    span: part.span,
                    formula: part.formula,
                });
            }
            let found = from_properties(&properties, &self.inputs, &self.outputs)?;
            self.check_strict(&found)?;
            self.check_assumptions(&found)?;
            found
        } else {
            from_properties(&self.to_properties(), &self.inputs, &self.outputs)?
        };
        gr1.name = self.title.clone();
        Ok((gr1, self.is_strict && assumes))
    }

    /// In a strict specification, what ASSUME and GUARANTEE say of single steps does not
    /// decide who loses first, which safety constraints do.
    fn check_strict(&self, found: &Gr1) -> Result<(), Vec<Diagnostic>> {
        let mut errors = Vec::new();
        for part in &self.parts {
            let wanted: &[Kind] = match part.section {
                Section::Initially | Section::Preset => &[Kind::Initial],
                Section::Require | Section::Assert => &[Kind::Safety],
                Section::Assume | Section::Guarantee => &[Kind::Justice],
            };
            let other = found.constraints.iter().any(|constraint| {
                constraint.definition.is_none()
                    && constraint.span == part.span
                    && !wanted.contains(&constraint.kind)
            });
            if other {
                let message = "this is not GR(1) in a strict specification";
                let error = Diagnostic::error(codes::NOT_GR1, message)
                    .help("put first steps, invariants and recurrences into their sections");
                errors.push(error.at_optional(part.span, "in this requirement"));
            }
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Where assumptions bind the environment only as far as it goes, and the system moves
    /// second, strict games differ from formulas.
    fn check_assumptions(&self, found: &Gr1) -> Result<(), Vec<Diagnostic>> {
        let of_system = found.of(Side::Assumption, Kind::Initial).any(|id| {
            let variables = found.terms.variables(found.constraint(id).term);
            let mut variables = variables.iter();
            variables.any(|(variable, _)| found.variable(*variable).owner == Player::System)
        });
        if of_system || found.has_primed_system_in_assumptions() || self.order == Order::Moore {
            let message = "this strict specification is not GR(1): its assumptions speak of what \
                           the system does in the same step";
            return Err(vec![
                Diagnostic::error(codes::NOT_GR1, message)
                    .help("let assumptions speak of outputs of earlier steps"),
            ]);
        }
        Ok(())
    }

    /// A GR(1) specification in six sections, over bits.
    pub fn from_gr1(spec: &Gr1) -> Result<LtlSpec, TooManyCases> {
        let bits = spec.booleans()?;
        let text = spec.write_properties()?;
        let mut sources = crate::source::Sources::new();
        let file: FileId = sources.add("", text.as_str());
        let mut properties = Spec::new();
        // What was just written can be read.
        let _ = properties.add_property_file(file, &text);
        let names = |line: usize, option: &str| -> Vec<String> {
            let line = text.lines().nth(line).unwrap_or_default();
            let names = line.trim_start_matches(option);
            let names = names.split(',').filter(|name| !name.is_empty());
            names.map(str::to_string).collect()
        };
        let mut result = LtlSpec {
            title: spec.name.clone(),
            inputs: names(1, "// --ins "),
            outputs: names(2, "// --outs "),
            formulas: properties.formulas,
            is_strict: true,
            ..LtlSpec::default()
        };
        let names: Vec<String> = result
            .inputs
            .iter()
            .chain(&result.outputs)
            .cloned()
            .collect();
        let is_leaf = |expr: &Expr| names.contains(&expr.to_string());
        for (property, constraint) in properties.properties.iter().zip(&bits.constraints) {
            let whole = split_atoms(&mut result.formulas, property.formula, &is_leaf);
            let section = match (constraint.kind, constraint.side) {
                (Kind::Initial, Side::Assumption) => Section::Initially,
                (Kind::Initial, Side::Guarantee) => Section::Preset,
                (Kind::Safety, Side::Assumption) => Section::Require,
                (Kind::Safety, Side::Guarantee) => Section::Assert,
                (Kind::Justice, Side::Assumption) => Section::Assume,
                (Kind::Justice, Side::Guarantee) => Section::Guarantee,
            };
            let formula = match (constraint.kind, result.formulas.get(whole)) {
                (Kind::Safety, Formula::Unary(TemporalUnary::Globally, body)) => *body,
                _ => whole,
            };
            result.parts.push(Part {
                section,
                name: property.name.clone(),
                span: constraint.span,
                formula,
            });
        }
        Ok(result)
    }
}

/// The formula with `X i` in place of each of the names.
pub fn delayed(formulas: &mut Formulas, root: FormulaId, names: &[String]) -> FormulaId {
    formulas.rebuild_all(root, |formulas, id, known| {
        let formula = formulas.get(id).clone();
        let own = match &formula {
            Formula::Atom(atom) => match formulas.atom(*atom) {
                Atom::Condition(expr) => {
                    let text = expr.to_string();
                    let name = text.strip_prefix('\\').unwrap_or(&text).trim_end();
                    names.iter().any(|other| other == name).then_some(id)
                }
                Atom::Past(_) => None,
            },
            _ => None,
        };
        match own {
            Some(id) => formulas.next(id),
            None => formulas.rebuild(&formula, |operand| known[&operand]),
        }
    })
}

/// About how many characters a formula has when it is written out.
fn text_length(formulas: &Formulas, root: FormulaId) -> u64 {
    let mut lengths: HashMap<FormulaId, u64> = HashMap::new();
    for id in formulas.subformulas(root) {
        let mut length = 8_u64;
        formulas.get(id).for_each_operand(|operand| {
            length = length.saturating_add(lengths[&operand].saturating_add(4));
        });
        lengths.insert(id, length);
    }
    lengths[&root]
}
