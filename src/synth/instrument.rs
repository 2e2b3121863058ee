//! The repair game of a design as a circuit.
//!
//! The result is a file of the synthesis competition: `controllable_...` inputs say which
//! component is replaced, and by what. The first is said once, in a cycle that is put in
//! front of the others ([`AigerFile::synthesis_game`]). The environment sets inputs in that
//! cycle, too, and the system sees them; but nothing else does, so that knowing them is of
//! no use, and a choice made there is one that is made before any input.

use crate::design::aiger::{AigerFile, Signal};
use crate::design::{ComponentId, ComponentKind, Design, Literal, Netlist};
use crate::expr::Role;
use crate::game::{Arena, ObjectiveError};
use crate::source::Diagnostic;
use crate::source::codes::{certify, design, game as codes};
use crate::spec::Spec;

/// A design with its properties, and what may be replaced.
pub struct Instrument<'a> {
    pub netlist: &'a Netlist,
    pub suspects: &'a [ComponentId],
    /// How many components may be replaced at once.
    pub faults: usize,
    /// The design as it was read, with the sections of its own properties.
    pub file: &'a AigerFile,
    /// The properties of those sections, and then all others.
    pub spec: &'a Spec,
    /// How many there are in the sections.
    pub own_properties: usize,
}

impl Instrument<'_> {
    /// The game as a circuit.
    pub fn game(&self) -> Result<AigerFile, Diagnostic> {
        let mut properties = self.spec.properties.iter();
        if !properties.any(|property| property.role == Role::Assert) {
            let message = "neither the design nor a property file asserts anything";
            let diagnostic = Diagnostic::error(certify::NOTHING_TO_CHECK, message);
            return Err(diagnostic.help("give a property file with `--spec`"));
        }
        let diagnosable = self.netlist.instrument(self.suspects, self.faults)?;
        let mut file = self.with_properties(diagnosable.design)?;
        file.layout.forget_symbols();
        let mut game = file.synthesis_game()?;
        for (number, suspect) in self.suspects.iter().enumerate() {
            let component = &self.netlist.components()[suspect.0 as usize];
            let kind = match component.kind {
                ComponentKind::Gate => "gate",
                ComponentKind::LatchNext => "next value of",
                ComponentKind::LatchReset => "initial value of",
                ComponentKind::Value => "value",
                ComponentKind::Condition => "condition",
                ComponentKind::Label => "label",
            };
            let name = &component.name;
            game.design
                .add_comment(format!("diagnosis {number}: {kind} {name}"));
        }
        Ok(game)
    }

    /// The properties of the file itself keep their sections. Those of property files become
    /// literals, with monitors where they need some.
    fn with_properties(&self, design: Design) -> Result<AigerFile, Diagnostic> {
        let mut others = Spec {
            formulas: self.spec.formulas.clone(),
            antecedents: Vec::new(),
            properties: self.spec.properties[self.own_properties..].to_vec(),
        };
        let mut file = self.file.clone();
        let asserted_elsewhere = others.properties.iter().any(|one| one.role == Role::Assert);
        file.outputs_are_plain |= asserted_elsewhere;
        if file.outputs_are_bad() && !asserted_elsewhere {
            let outputs = file.design.outputs().iter();
            file.bad = outputs
                .map(|output| Signal {
                    name: output.name.clone(),
                    literal: output.literal,
                    span: output.span,
                })
                .collect();
        }
        others.properties.retain(|one| one.role != Role::Cover);
        let arena =
            Arena::new(design, &others).map_err(|error| objective_failure(error, &others))?;
        let objective = &arena.objective;
        if !objective.goals.is_empty() {
            return Err(not_expressible(&others));
        }
        let signal = |name: &str, literal: Literal| Signal {
            name: Some(name.to_string()),
            literal,
            span: None,
        };
        // Without any bad signal, outputs would count as bad.
        if objective.guarantee != Literal::TRUE || file.outputs_are_bad() {
            file.bad.push(signal("broken", !objective.guarantee));
        }
        if objective.assumption != Literal::TRUE {
            file.constraints
                .push(signal("assumed", objective.assumption));
        }
        for (index, literal) in objective.assumed_recurrences.iter().enumerate() {
            file.fairness
                .push(signal(&format!("fair{index}"), *literal));
        }
        file.design = arena.design;
        Ok(file)
    }
}

fn objective_failure(error: ObjectiveError, spec: &Spec) -> Diagnostic {
    match error {
        ObjectiveError::Diagnostic(diagnostic) => *diagnostic,
        ObjectiveError::NotSupported { property, reason } => {
            let message = format!("no game can be built for `{property}` yet: {reason}");
            let diagnostic = Diagnostic::error(codes::OBJECTIVE_NOT_SUPPORTED, message);
            let known = spec.properties.iter().find(|one| one.name == property);
            match known.and_then(|one| one.span) {
                Some(span) => diagnostic.at(span, "this property"),
                None => diagnostic,
            }
        }
    }
}

/// A run violates `G F p` if `p` stays false from some step on, and justice has no such form.
fn not_expressible(spec: &Spec) -> Diagnostic {
    let message = "an assertion that something happens again and again has no form in AIGER";
    let mut diagnostic = Diagnostic::error(design::AIGER_NOT_EXPRESSIBLE, message)
        .note("justice is violated by runs that do something again and again, not by others")
        .help("assert a bound on the time instead, or leave the assertion out");
    let asserted = spec
        .properties
        .iter()
        .filter(|one| one.role == Role::Assert);
    for span in asserted.filter_map(|one| one.span) {
        diagnostic = diagnostic.at(span, "asserted here");
    }
    diagnostic
}
