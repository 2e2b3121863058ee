//! A controller as a list of states and transitions.
//!
//! States are those of the registers that can be reached with inputs that keep the
//! assumptions, found by simulation; each state is left with each input. A state from which no
//! run can keep all assumptions for ever is one in which the controller has begun to make one
//! of them fail [MR16, Sec. 6.3].

use super::circuit::{Circuit, Port};
use crate::certify::Judged;
use crate::design::{Literal, NodeId, Simulator};
use crate::graph::components;
use crate::picture::{Edge, Node, Picture, cubes};
use crate::source::Diagnostic;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How far the list goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub states: usize,
    pub transitions: usize,
    pub input_bits: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            states: 2_000,
            transitions: 50_000,
            input_bits: 12,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explicit {
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    pub states: Vec<State>,
    pub transitions: Vec<Transition>,
    /// What was left out, if anything was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct State {
    /// The goal that is worked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// Whether no run from here keeps all assumptions for ever.
    pub forces_failure: bool,
}

/// What happens in one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Transition {
    pub from: usize,
    pub to: usize,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    #[serde(skip)]
    recurrences: Vec<bool>,
}

/// Inputs, outputs, and where they lead.
type Behaviour<'a> = (&'a [String], &'a [String], usize);

/// Lists the states of a circuit. `goal` is the port that tells which goal is worked for.
pub fn explicit(
    circuit: &Circuit,
    judged: &Judged,
    bounds: Bounds,
) -> Result<Explicit, Diagnostic> {
    let design = &judged.design;
    let names = |ports: &[Port]| ports.iter().map(|port| port.name.clone()).collect();
    let mut found = Explicit {
        inputs: names(&circuit.inputs),
        outputs: names(&circuit.outputs),
        states: Vec::new(),
        transitions: Vec::new(),
        limit: None,
    };
    let count = design.inputs().len();
    if count > bounds.input_bits {
        found.limit = Some(format!(
            "{count} bits of input are too many to list all inputs: at most {} are listed",
            bounds.input_bits
        ));
        return Ok(found);
    }
    let mut walk = Walk::new(circuit, judged)?;
    let mut current = 0;
    'states: while current < walk.states.len() {
        let mut annotation = State::default();
        for input in 0..1_u64 << count {
            walk.look(current, input);
            annotation.goal = annotation.goal.or_else(|| walk.goal());
            if !walk.value(judged.assumed) {
                continue;
            }
            let transition = walk.transition(current);
            let Some(to) = walk.advance(bounds.states) else {
                found.limit = Some(format!("only {} states are listed", bounds.states));
                continue;
            };
            found.transitions.push(Transition { to, ..transition });
            if found.transitions.len() >= bounds.transitions {
                found.limit = Some(format!(
                    "only {} transitions are listed",
                    bounds.transitions
                ));
                break 'states;
            }
        }
        found.states.push(annotation);
        current += 1;
    }
    found.states.resize(walk.states.len(), State::default());
    if found.limit.is_none() {
        found.mark_failures();
    }
    // What was added to judge the circuit is no state of it.
    let own = circuit.design.latches().len();
    let found = found.merged(walk.states.iter().map(|state| &state[..own]));
    Ok(match found.limit {
        None => found.minimized(),
        Some(_) => found,
    })
}

/// A circuit that is visited state by state.
struct Walk<'a> {
    circuit: &'a Circuit,
    judged: &'a Judged,
    simulator: Simulator<'a>,
    /// The positions of latches and inputs in their lists.
    latches: HashMap<NodeId, usize>,
    inputs: HashMap<NodeId, usize>,
    /// The values of all latches in each state that was found.
    states: Vec<Vec<bool>>,
    numbers: HashMap<Vec<bool>, usize>,
}

impl<'a> Walk<'a> {
    fn new(circuit: &'a Circuit, judged: &'a Judged) -> Result<Walk<'a>, Diagnostic> {
        let design = &judged.design;
        let mut simulator = Simulator::new(design)?;
        simulator.start(|_| 0);
        let mut walk = Walk {
            circuit,
            judged,
            simulator,
            latches: design.latches().iter().copied().zip(0..).collect(),
            inputs: design.inputs().iter().copied().zip(0..).collect(),
            states: Vec::new(),
            numbers: HashMap::new(),
        };
        let first = walk.state();
        walk.numbers.insert(first.clone(), 0);
        walk.states.push(first);
        Ok(walk)
    }

    /// Puts the circuit into a state, and gives it an input, whose bits are those of a number.
    fn look(&mut self, state: usize, input: u64) {
        let (state, latches, inputs) = (&self.states[state], &self.latches, &self.inputs);
        let all = |is_set: bool| if is_set { u64::MAX } else { 0 };
        self.simulator
            .resume(|id| all(latches.get(&id).is_some_and(|index| state[*index])));
        self.simulator
            .settle(|id| all(inputs.get(&id).is_some_and(|index| input >> index & 1 == 1)));
    }

    fn value(&self, literal: Literal) -> bool {
        self.simulator.value(literal) & 1 == 1
    }

    fn text(&self, port: &Port) -> String {
        let bits: Vec<bool> = port.bits.iter().map(|bit| self.value(*bit)).collect();
        port.meaning.text(&bits)
    }

    /// The goal that the circuit works for, if it tells.
    fn goal(&self) -> Option<String> {
        let mut internal = self.circuit.internal.iter();
        let port = internal.find(|port| port.name.starts_with(super::controller::GOAL))?;
        Some(self.text(port))
    }

    /// The present step; where it leads to is not known yet.
    fn transition(&self, from: usize) -> Transition {
        let texts = |ports: &[Port]| ports.iter().map(|port| self.text(port)).collect();
        let recurrences = self.judged.recurrences.iter();
        Transition {
            from,
            to: 0,
            inputs: texts(&self.circuit.inputs),
            outputs: texts(&self.circuit.outputs),
            recurrences: recurrences.map(|one| self.value(*one)).collect(),
        }
    }

    /// Takes the step. `None` if it leads to a new state, and there are enough of them.
    fn advance(&mut self, most: usize) -> Option<usize> {
        self.simulator.advance();
        let next = self.state();
        if let Some(number) = self.numbers.get(&next) {
            return Some(*number);
        }
        if self.states.len() >= most {
            return None;
        }
        self.numbers.insert(next.clone(), self.states.len());
        self.states.push(next);
        Some(self.states.len() - 1)
    }

    fn state(&self) -> Vec<bool> {
        let latches = self.judged.design.latches().iter();
        latches.map(|id| self.value(id.literal())).collect()
    }
}

impl Explicit {
    /// States with the same key are one; it forces a failure if all of them do.
    fn merged<'k>(mut self, keys: impl Iterator<Item = &'k [bool]>) -> Explicit {
        let mut numbers: HashMap<&[bool], usize> = HashMap::new();
        let mut states: Vec<State> = Vec::new();
        let mut new = Vec::new();
        for (key, state) in keys.zip(std::mem::take(&mut self.states)) {
            let number = *numbers.entry(key).or_insert(states.len());
            match states.get_mut(number) {
                Some(known) => known.forces_failure &= state.forces_failure,
                None => states.push(state),
            }
            new.push(number);
        }
        self.states = states;
        let mut seen = HashSet::new();
        for transition in &mut self.transitions {
            transition.from = new[transition.from];
            transition.to = new[transition.to];
        }
        self.transitions
            .retain(|one| seen.insert((one.from, one.to, one.inputs.clone(), one.outputs.clone())));
        self
    }

    /// States that do the same for ever are one [Hop71]: they are told apart by what they
    /// answer to which inputs, and then by where they lead.
    fn minimized(self) -> Explicit {
        let mut class = vec![0_usize; self.states.len()];
        let mut count = 1;
        loop {
            let mut keys: Vec<Vec<Behaviour<'_>>> = vec![Vec::new(); self.states.len()];
            for one in &self.transitions {
                keys[one.from].push((&one.inputs, &one.outputs, class[one.to]));
            }
            let mut numbers = HashMap::new();
            let mut next = Vec::new();
            for (number, mut key) in keys.into_iter().enumerate() {
                key.sort_unstable();
                let state = &self.states[number];
                let whole = (class[number], &state.goal, state.forces_failure, key);
                let fresh = numbers.len();
                next.push(*numbers.entry(whole).or_insert(fresh));
            }
            let found = numbers.len();
            drop(numbers);
            class = next;
            if found == count {
                break;
            }
            count = found;
        }
        let keys: Vec<Vec<bool>> = class
            .iter()
            .map(|class| (0..usize::BITS).map(|bit| class >> bit & 1 == 1).collect())
            .collect();
        self.merged(keys.iter().map(Vec::as_slice))
    }

    /// A run keeps all assumptions for ever if it comes to a strongly connected part that has
    /// a transition for each recurrence.
    fn mark_failures(&mut self) {
        let count = self.states.len();
        let mut can = vec![false; count];
        let needed = self
            .transitions
            .first()
            .map_or(0, |one| one.recurrences.len());
        let mut successors = vec![Vec::new(); count];
        for transition in &self.transitions {
            successors[transition.from].push(transition.to);
        }
        let component = components(&successors);
        let parts = component.iter().copied().max().map_or(0, |last| last + 1);
        let mut met = vec![vec![false; needed]; parts];
        let mut has_cycle = vec![false; parts];
        for transition in &self.transitions {
            let part = component[transition.from];
            if part == component[transition.to] {
                has_cycle[part] = true;
                for (met, holds) in met[part].iter_mut().zip(&transition.recurrences) {
                    *met |= holds;
                }
            }
        }
        for state in 0..count {
            let part = component[state];
            can[state] = has_cycle[part] && met[part].iter().all(|met| *met);
        }
        loop {
            let mut changed = false;
            for transition in &self.transitions {
                if can[transition.to] && !can[transition.from] {
                    can[transition.from] = true;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for (state, can) in self.states.iter_mut().zip(can) {
            state.forces_failure = !can;
        }
    }

    pub fn json(&self) -> serde_json::Result<String> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// A picture of it: an edge for each pair of states, with what leads along it as cubes, and
    /// a cluster for each goal.
    pub fn picture(&self, name: &str) -> Picture {
        let nodes = self.states.iter().enumerate().map(|(number, state)| Node {
            lines: vec![number.to_string()],
            cluster: state.goal.clone(),
            remark: state
                .forces_failure
                .then(|| "an assumption fails".to_string()),
        });
        let mut ways: BTreeMap<(usize, usize), Vec<Vec<String>>> = BTreeMap::new();
        for transition in &self.transitions {
            let values = transition.inputs.iter().chain(&transition.outputs);
            let way = ways.entry((transition.from, transition.to)).or_default();
            way.push(values.cloned().collect());
        }
        let split = self.inputs.len();
        let edges = ways.into_iter().map(|((from, to), settings)| Edge {
            from,
            to,
            labels: cubes(settings)
                .iter()
                .map(|cube| {
                    let (inputs, outputs) = cube.split_at(split);
                    let inputs = setting_text(&self.inputs, inputs);
                    format!("{inputs} / {}", setting_text(&self.outputs, outputs))
                })
                .collect(),
        });
        Picture {
            name: name.to_string(),
            nodes: nodes.collect(),
            edges: edges.collect(),
            starts: vec![0; usize::from(!self.states.is_empty())],
            notes: ["edges: what it reads / what it drives".to_string()]
                .into_iter()
                .chain(self.limit.clone())
                .collect(),
        }
    }
}

/// The values of a cube in the manner of a conjunction.
fn setting_text(names: &[String], values: &[Option<String>]) -> String {
    let pairs = names.iter().zip(values);
    let pairs = pairs.filter_map(|(name, value)| {
        Some(match value.as_deref()? {
            "true" => name.clone(),
            "false" => format!("!{name}"),
            value => format!("{name}={value}"),
        })
    });
    let text = pairs.collect::<Vec<String>>().join(" ");
    if text.is_empty() {
        "any".to_string()
    } else {
        text
    }
}
