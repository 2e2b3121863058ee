//! What the game says of each right-hand side and condition.

use super::super::repair::failure;
use super::{Task, report};
use crate::bdd;
use crate::cli::context::{Context, Failure};
use crate::cli::options::Automaton;
use crate::design::verilog::edits::{self, EditKind, SourceEdit};
use crate::design::verilog::{VisibleKind, registers};
use crate::design::{ComponentId, ComponentKind, Function, NodeId, Registers};
use crate::repair::search::{Candidate, Effort, Offer, corrections};
use crate::repair::source::{Found, Judgement, SourceRepair};
use crate::repair::{self, Options, RepairError, exhaustive};
use crate::source::Span;
use std::collections::{BTreeMap, HashMap};

/// Corrections of one place that are looked at.
const ALTERNATIVES: usize = 3;
/// What a value that the game found costs more than a small edit.
const BASE_COST: u32 = 40;

/// What was found out about every place.
#[derive(Default)]
pub struct Exact {
    pub repairs: Vec<SourceRepair>,
    /// Places that can be corrected only with added registers, or not by a function that was
    /// found.
    pub only_with_memory: Vec<ComponentId>,
    pub undecided: Vec<ComponentId>,
    pub unproved: Vec<ComponentId>,
    pub ruled_out: usize,
    /// A property that the game does not reach.
    pub not_supported: Option<String>,
    pub stopped: Option<bdd::Error>,
}

impl Task<'_> {
    /// Looks at every suspect that replaying did not rule out.
    pub fn play(
        &self,
        suspects: &[ComponentId],
        alive: &[ComponentId],
        found: &Found,
        context: &mut Context,
    ) -> Result<Exact, Failure> {
        let mut exact = Exact {
            ruled_out: suspects.len() - alive.len(),
            ..Exact::default()
        };
        let mut effort = Effort {
            budget: exhaustive::SHORT,
            order: Vec::new(),
        };
        for id in alive {
            let component = &self.netlist.components()[id.0 as usize];
            let has_repair = found.repairs.iter().any(|repair| {
                let within = repair.edits.iter().filter_map(|edit| edit.within);
                !repair.vacuous
                    && within
                        .into_iter()
                        .any(|(span, kind)| Some(span) == component.span && kind == component.kind)
            });
            if has_repair {
                continue;
            }
            let place = component
                .span
                .map(|span| report::place(span, &self.sources));
            let place = place.unwrap_or_default();
            context.progress.status(|| format!("looking at {place}"));
            match self.play_one(*id, &mut effort, &mut exact, context) {
                Ok(()) => {}
                Err(RepairError::NotSupported { property, reason }) => {
                    exact.not_supported = Some(format!("`{property}`: {reason}"));
                    break;
                }
                Err(RepairError::Limit(error)) => {
                    exact.stopped = Some(error);
                    break;
                }
                Err(error) => return Err(failure(error)),
            }
        }
        if exact.stopped.is_none() && exact.not_supported.is_none() {
            self.play_longer(&mut effort, &mut exact, context)?;
        }
        Ok(exact)
    }

    /// Once more for places that are undecided, with more effort.
    fn play_longer(
        &self,
        effort: &mut Effort,
        exact: &mut Exact,
        context: &mut Context,
    ) -> Result<(), Failure> {
        effort.budget = exhaustive::LONG;
        for id in std::mem::take(&mut exact.undecided) {
            match self.play_one(id, effort, exact, context) {
                Ok(()) => {}
                Err(RepairError::Limit(error)) => {
                    exact.stopped = Some(error);
                    exact.undecided.push(id);
                }
                Err(error) => return Err(failure(error)),
            }
        }
        Ok(())
    }

    fn play_one(
        &self,
        id: ComponentId,
        effort: &mut Effort,
        exact: &mut Exact,
        context: &Context,
    ) -> Result<(), RepairError> {
        let options = Options {
            alternatives: ALTERNATIVES,
            depends_on: Some(self.readable(id).into_keys().collect()),
            allow_state: self.request.correction.allow_state,
            automaton: match self.request.automaton {
                Automaton::Exact => repair::Automaton::Deterministic,
                Automaton::Nondeterministic => repair::Automaton::Nondeterministic,
            },
            limits: context.limits.for_diagrams(),
            ..Options::new(vec![id])
        };
        let spec = &self.loaded.spec;
        match corrections(self.netlist, spec, &vec![id], &options, effort)? {
            Offer::Lost => exact.ruled_out += 1,
            Offer::NeedsMemory => exact.only_with_memory.push(id),
            Offer::NotFound => exact.undecided.push(id),
            // Whether a label fits is no text of its own.
            Offer::Candidates(_) if self.is_label(id) => exact.undecided.push(id),
            Offer::Candidates(candidates) => {
                let mut proved = false;
                let mut unproved = false;
                for candidate in candidates {
                    let Some(edits) = self.edits_of(id, &candidate) else {
                        continue;
                    };
                    let texts = edits::apply(&edits, &self.sources);
                    let sources = self.sources.with_texts(&texts);
                    let vacuous = match self.judge(&sources, context)? {
                        Judgement::Proved => false,
                        Judgement::Vacuous => true,
                        // The text says the function once; the game chose for each instance.
                        Judgement::Refuted(_) | Judgement::Unreadable => continue,
                        Judgement::Unknown(_) => {
                            unproved = true;
                            continue;
                        }
                    };
                    proved = true;
                    let mut repair = SourceRepair::new(edits, texts, vacuous);
                    repair.added_registers = candidate.added_registers();
                    exact.repairs.push(repair);
                }
                match (proved, unproved) {
                    (true, _) => {}
                    (false, true) => exact.unproved.push(id),
                    (false, false) => exact.undecided.push(id),
                }
            }
        }
        Ok(())
    }

    fn is_label(&self, id: ComponentId) -> bool {
        self.netlist.components()[id.0 as usize].kind == ComponentKind::Label
    }

    /// The signals that the text of a component may name, and how.
    fn readable(&self, id: ComponentId) -> HashMap<NodeId, String> {
        let component = &self.netlist.components()[id.0 as usize];
        let design = &self.open.design;
        let wanted = &self.request.correction.depends_on;
        let scope = component.scope.join(".");
        let mut nodes = HashMap::new();
        for (node, name) in design.names() {
            let local = match scope.is_empty() {
                true => Some(name),
                false => name
                    .strip_prefix(scope.as_str())
                    .and_then(|rest| rest.strip_prefix('.')),
            };
            let Some(local) = local.filter(|name| !name.contains(['.', '$'])) else {
                continue;
            };
            let word = local.split('[').next().unwrap_or(local);
            let allowed = wanted.is_empty() || wanted.iter().any(|one| one == word || one == local);
            if allowed && !design.is_hidden(node) {
                nodes.insert(node, local.to_string());
            }
        }
        nodes
    }

    /// A function as a text in place of a component, and the registers that it needs; `None`
    /// if there is no short text, or if registers would have to read what the top module
    /// does not name.
    fn edits_of(&self, id: ComponentId, candidate: &Candidate) -> Option<Vec<SourceEdit>> {
        let component = &self.netlist.components()[id.0 as usize];
        let recorded = &self.open.components[id.0 as usize];
        let [replacement] = candidate.replacements.as_slice() else {
            return None;
        };
        let span = component.span?;
        let width = recorded.instances.first()?.len();
        let functions = &replacement.functions[..width];
        let added = match &candidate.registers {
            Some(added) if !added.latches.is_empty() => Some(self.registers(id, added)?),
            _ => None,
        };
        let new_names = added.as_ref().map(|added| &added.names);
        let scope = component.scope.join(".");
        let text = self.text_of(functions, &scope, component.kind, new_names)?;
        let mut edits = vec![SourceEdit {
            kind: match component.kind {
                ComponentKind::Condition => EditKind::Condition,
                _ => EditKind::Value,
            },
            changes: vec![(span, text)],
            cost: BASE_COST + candidate.cost as u32,
            within: Some((span, component.kind)),
            new_signals: 0,
        }];
        edits.extend(added.map(|added| SourceEdit {
            kind: EditKind::Registers,
            changes: added.changes,
            cost: BASE_COST,
            within: None,
            new_signals: 0,
        }));
        Some(edits)
    }

    fn registers(&self, id: ComponentId, added: &Registers) -> Option<registers::Added> {
        let component = &self.netlist.components()[id.0 as usize];
        if !component.scope.is_empty() {
            return None;
        }
        let clock = self.open.clock.as_ref()?;
        let readable = self.readable(id);
        let top = &self.open.top;
        registers::added(added, &readable, clock, self.tree, top, component.span?)
    }

    /// Bits as a person writes a word.
    fn text_of(
        &self,
        functions: &[Function],
        scope: &str,
        kind: ComponentKind,
        added: Option<&HashMap<NodeId, String>>,
    ) -> Option<String> {
        let design = &self.open.design;
        let local = |name: &str| match scope.is_empty() {
            true => name.to_string(),
            false => {
                let rest = name.strip_prefix(scope).unwrap_or(name);
                rest.strip_prefix('.').unwrap_or(rest).to_string()
            }
        };
        let name = |node: NodeId| match added.and_then(|added| added.get(&node)) {
            Some(name) => name.clone(),
            None => local(design.name(node).unwrap_or_default()),
        };
        let constants: Option<Vec<bool>> = functions
            .iter()
            .map(|function| match function {
                Function::Constant(value) => Some(*value),
                _ => None,
            })
            .collect();
        let width = functions.len();
        if let Some(bits) = constants {
            return Some(self.constant_text(&bits));
        }
        let texts: Vec<String> = functions
            .iter()
            .map(|function| {
                let text = function.text(&name);
                match (kind, width) {
                    (ComponentKind::Condition, 1) => {
                        text.replace(" & ", " && ").replace(" | ", " || ")
                    }
                    _ => text,
                }
            })
            .map(|text| match text.as_str() {
                "0" | "1" => format!("1'b{text}"),
                _ => text,
            })
            .collect();
        if width == 1 {
            return texts.into_iter().next();
        }
        // All bits of one word, in order, are the word.
        if let Some(word) = texts[0].strip_suffix("[0]") {
            let whole = (0..width).all(|bit| texts[bit] == format!("{word}[{bit}]"));
            let known = self.open.modules.values().flatten();
            if whole
                && known
                    .into_iter()
                    .any(|one| one.name == word && one.width == width)
            {
                return Some(word.to_string());
            }
        }
        let bits: Vec<String> = texts.into_iter().rev().collect();
        Some(format!("{{{}}}", bits.join(", ")))
    }

    /// A constant by its name, if one of that width has it.
    fn constant_text(&self, bits: &[bool]) -> String {
        let width = bits.len();
        let value = bits
            .iter()
            .take(63)
            .enumerate()
            .fold(0i64, |value, (index, bit)| value | (*bit as i64) << index);
        let names = self.open.modules.values().flatten();
        let named = names
            .filter(|one| one.width == width && width > 1)
            .find(|one| one.kind == VisibleKind::Constant(value));
        match named {
            Some(one) => one.name.clone(),
            None if width == 1 => format!("1'b{value}"),
            None => format!("{width}'d{value}"),
        }
    }
}

impl Exact {
    /// Places that were not corrected though the game is won there, by their lines.
    pub fn open_places(&self) -> impl Iterator<Item = &ComponentId> {
        self.only_with_memory
            .iter()
            .chain(&self.undecided)
            .chain(&self.unproved)
    }
}

/// Corrections at the same place that are the same text are one.
pub fn merge(small: Vec<SourceRepair>, exact: Vec<SourceRepair>) -> Vec<SourceRepair> {
    let mut all = small;
    let mut texts: BTreeMap<(Span, String), ()> = BTreeMap::new();
    for repair in exact {
        let key = (
            repair.edits[0].place(),
            repair.edits[0].changes[0].1.clone(),
        );
        if texts.insert(key, ()).is_none() {
            all.push(repair);
        }
    }
    all.sort_by_key(|repair| (repair.vacuous, repair.cost, repair.difference));
    all
}
