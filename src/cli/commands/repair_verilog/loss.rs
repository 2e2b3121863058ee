//! What is said when there is no repair: whether the properties can be kept at all.
//!
//! First without the design: a system that has its ports and nothing else. If even that one
//! loses, the properties contradict each other or ask for the impossible, and the smallest
//! set of them that does is named. Otherwise with the design, all suspects open at once.

use super::super::counterplay::{Widest, with_all_replaced};
use super::Task;
use crate::cli::context::{Context, Failure};
use crate::design::verilog::RUNNING;
use crate::design::{ComponentId, Design, InputKind, Literal, NodeId, Reset, Word};
use crate::expr::Role;
use crate::game::{Arena, Game, Winner};
use crate::repair::Options;
use crate::report::{Ending, Report, Verdict};
use crate::spec::Spec;
use std::collections::HashMap;

impl Task<'_> {
    pub fn explain_loss(
        &self,
        mut report: Report,
        suspects: &[ComponentId],
        context: &Context,
    ) -> Result<Report, Failure> {
        if report.ending != Ending::Verdict(Verdict::NoRepair) {
            return Ok(report);
        }
        if let Some(core) = self.unrealizable_core(context) {
            let note = match core.as_slice() {
                [one] => format!("no circuit with these ports keeps `{one}`"),
                core => format!(
                    "no circuit with these ports keeps all of `{}`; without any one of them \
                     some circuit does",
                    core.join("`, `")
                ),
            };
            report.notes.push(note);
            return Ok(report);
        }
        let options = Options {
            limits: context.limits.for_diagrams(),
            ..Options::new(suspects.to_vec())
        };
        let note = match with_all_replaced(self.netlist, &self.loaded.spec, &options)? {
            Widest::SystemWins => {
                "with all of these replaced at once the properties could be kept: the fault is \
                 in several places"
            }
            Widest::EnvironmentWins(play) => {
                report.body.repair_mut().counterplay = play;
                "even with all of these replaced at once the environment wins: what is wrong is \
                 the structure of the design, or outside of the suspects"
            }
            Widest::Unknown => return Ok(report),
        };
        report.notes.push(note.to_string());
        Ok(report)
    }

    /// Assertions that no circuit with the ports of the design keeps together, while all but
    /// any one of them can be kept. `None` if there are none, or if it is not known: where a
    /// property speaks of the inside of the design, or a game is out of reach.
    fn unrealizable_core(&self, context: &Context) -> Option<Vec<String>> {
        let ports = self.ports()?;
        let spec = &self.loaded.spec;
        if self.is_realizable(&ports, spec, context)? {
            return None;
        }
        let mut core = spec.clone();
        let names: Vec<String> = core
            .properties
            .iter()
            .filter(|one| one.role == Role::Assert)
            .map(|one| one.name.clone())
            .collect();
        for name in names {
            let mut smaller = core.clone();
            smaller.properties.retain(|one| one.name != name);
            if !self.is_realizable(&ports, &smaller, context)? {
                core = smaller;
            }
        }
        let asserted = core.properties.into_iter();
        let asserted = asserted.filter(|one| one.role == Role::Assert);
        Some(asserted.map(|one| one.name).collect())
    }

    fn is_realizable(&self, ports: &Design, spec: &Spec, context: &Context) -> Option<bool> {
        let arena = Arena::new(ports.clone(), spec).ok()?;
        let mut game = Game::new(&arena, context.limits.for_diagrams()).ok()?;
        let solution = game.solve_from_either_end().ok()?;
        Some(solution.winner() == Winner::System)
    }

    /// The inputs of the design with outputs that the system sets as it likes.
    fn ports(&self) -> Option<Design> {
        let original = &self.loaded.design;
        let mut design = Design::new();
        let mut map: HashMap<NodeId, Literal> = HashMap::new();
        map.insert(NodeId::CONSTANT, NodeId::CONSTANT.literal());
        for id in original.inputs() {
            let input = design.add_input(InputKind::Environment);
            design.set_name(input, original.name(*id)?);
            map.insert(*id, input.literal());
        }
        for output in original.outputs() {
            let id = output.literal.node();
            if map.contains_key(&id) {
                // An output that is an input, or shown twice, is not the system's to set.
                continue;
            }
            let choice = design.add_input(InputKind::Choice);
            design.set_name(choice, output.name.clone()?);
            let literal = choice.literal();
            map.insert(id, literal.complement_if(output.literal.is_complemented()));
        }
        let image = |literal: &Literal| {
            let known = map.get(&literal.node())?;
            Some(known.complement_if(literal.is_complemented()))
        };
        for word in original.words().iter().filter(|word| word.name != RUNNING) {
            let bits: Option<Vec<Literal>> = word.bits.iter().map(image).collect();
            if let Some(bits) = bits {
                design.add_word(Word {
                    bits,
                    ..word.clone()
                });
            }
        }
        if let Some(play) = &self.verilog.options.reset {
            let mut running = Literal::TRUE;
            for _ in 0..play.cycles {
                let latch = design.add_latch(Reset::Zero);
                design.set_next(latch, running);
                running = latch.literal();
            }
            design.add_word(Word {
                name: RUNNING.to_string(),
                signed: false,
                left: 0,
                right: 0,
                bits: vec![running],
            });
        }
        Some(design)
    }
}
