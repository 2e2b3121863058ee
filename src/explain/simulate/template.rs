//! What a controller should have done, as a guarantee.
//!
//! A template says what outputs should follow given inputs, step by step, with values left
//! open [KHB11, Sec. 4.1]. An auxiliary counter follows the inputs; as long as they match,
//! the outputs have to. If the specification with that guarantee is realizable, it was
//! incomplete before; otherwise it was unsound.

use crate::explain::settings::parse_line;
use crate::source::{Diagnostic, codes::explanation as codes};
use crate::spec::gr1::{
    Comparison, ConstraintId, Domain, Gr1, Kind, Player, Side, Value, VariableId,
};

/// The word that marks where an edited trace goes on after its last step.
const LOOP: &str = "loop:";

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    pub steps: Vec<TemplateStep>,
    /// The step after the last one; without one, nothing is asked for afterwards.
    pub loop_start: Option<usize>,
}

/// What is not given is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplateStep {
    pub inputs: Vec<(VariableId, Value)>,
    pub outputs: Vec<(VariableId, Value)>,
}

impl Template {
    /// Reads an edited trace: one line for each step, as a simulation prints them.
    pub fn parse(spec: &Gr1, text: &str) -> Result<Template, Diagnostic> {
        let mut template = Template::default();
        for text in text.lines() {
            if text.trim() == LOOP {
                template.loop_start = Some(template.steps.len());
                continue;
            }
            if text.trim().is_empty() || text.trim_start().starts_with('#') {
                continue;
            }
            let settings = parse_line(spec, text, &[Player::Environment, Player::System])?;
            let of = |player: Player| {
                let own = settings.iter().copied();
                own.filter(|(id, _)| spec.variable(*id).owner == player)
                    .collect()
            };
            template.steps.push(TemplateStep {
                inputs: of(Player::Environment),
                outputs: of(Player::System),
            });
        }
        let loops_to_nothing = template
            .loop_start
            .is_some_and(|start| start >= template.steps.len());
        if template.steps.is_empty() || loops_to_nothing {
            let message = "the edited trace has no step, or none after `loop:`";
            return Err(Diagnostic::error(codes::BAD_SETTING, message)
                .help("give one line for each step, as `respin simulate` prints them"));
        }
        Ok(template)
    }

    /// The specification with one more guarantee: outputs follow the template as long as
    /// inputs do.
    pub fn guarantee(&self, spec: &Gr1) -> (Gr1, ConstraintId) {
        let mut spec = spec.clone();
        let off = self.steps.len() as i64;
        let definition = spec.add_definition("how far inputs follow the edited trace", None);
        let domain = Domain::Range {
            first: 0,
            last: off,
        };
        let position = spec.add_auxiliary("trace_position", definition, domain, None);
        let is = |spec: &mut Gr1, primed: bool, step: i64| {
            let variable = if primed {
                spec.terms.next(position)
            } else {
                spec.terms.now(position)
            };
            let step = spec.terms.integer(step);
            spec.terms.compare(Comparison::Equal, variable, step)
        };
        let first = is(&mut spec, false, 0);
        spec.define(definition, Kind::Initial, first, None);
        let mut followed = Vec::new();
        for (step, asked) in (0i64..).zip(&self.steps) {
            let here = is(&mut spec, false, step);
            let matching = spec.assigned(&asked.inputs, false);
            let answered = spec.assigned(&asked.outputs, false);
            let after = if step + 1 < off {
                step + 1
            } else {
                self.loop_start.map_or(off, |start| start as i64)
            };
            let follows = spec.terms.and([here, matching]);
            let there = is(&mut spec, true, after);
            let move_on = spec.terms.implies(follows, there);
            let fails = spec.terms.not(matching);
            let fails = spec.terms.and([here, fails]);
            let nowhere = is(&mut spec, true, off);
            let give_up = spec.terms.implies(fails, nowhere);
            spec.define(definition, Kind::Safety, move_on, None);
            spec.define(definition, Kind::Safety, give_up, None);
            followed.push(spec.terms.implies(follows, answered));
        }
        let done = is(&mut spec, false, off);
        let stays = is(&mut spec, true, off);
        let stays = spec.terms.implies(done, stays);
        spec.define(definition, Kind::Safety, stays, None);
        let term = spec.terms.and(followed);
        let name = Some("edited_trace".to_string());
        let id = spec.add_constraint(name, Side::Guarantee, Kind::Safety, term, None);
        (spec, id)
    }
}
