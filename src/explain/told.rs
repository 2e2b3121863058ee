//! From sets, plays and graphs of the engine to plain data with names.

use super::answer::{Conclusion, ForcedEnding, Item, ItemKind, Play, Reason};
use super::graph::Node;
use super::{Element, Ending, Forcing, Graph, Oracle, Story, Subset, narrate};
use crate::picture::{self, Edge, Picture};
use crate::run::{Run, Signal, SignalKind};
use crate::spec::gr1::{ConstraintId, Gr1, Player, Side, Value, VariableId};
use crate::synth::circuit::Meaning;

pub fn items(oracle: &Oracle, set: &Subset) -> Vec<Item> {
    let elements = oracle.elements_of(set).into_iter();
    elements
        .map(|element| match element {
            Element::Guarantee(id) | Element::Lack(id) => constraint(oracle.spec(), id),
            Element::Output(id) => {
                let variable = oracle.spec().variable(id);
                Item {
                    kind: ItemKind::Output,
                    name: variable.name.clone(),
                    text: String::new(),
                    written: None,
                    span: variable.span,
                }
            }
        })
        .collect()
}

pub fn constraint(spec: &Gr1, id: ConstraintId) -> Item {
    let constraint = spec.constraint(id);
    let variables = spec.terms.variables(constraint.term);
    let is_required = constraint.definition.is_none();
    let mut variables = variables.iter().filter(|_| is_required);
    let written = variables.find_map(|(variable, _)| {
        let definition = spec.variable(*variable).definition?;
        spec.definition(definition).written.clone()
    });
    Item {
        kind: match constraint.side {
            Side::Assumption => ItemKind::Assumption,
            Side::Guarantee => ItemKind::Guarantee,
        },
        name: constraint.name.clone(),
        text: written
            .unwrap_or_else(|| spec.requirement_in_words(constraint.kind, constraint.term)),
        written: None,
        span: constraint.span,
    }
}

/// The names of constraints, without those that nobody wrote: how auxiliary variables move
/// says nothing to a reader. If there is nothing else, it is told what these remember.
pub(super) fn names(spec: &Gr1, ids: &[ConstraintId]) -> Vec<String> {
    let constraints = ids.iter().map(|id| spec.constraint(*id));
    let (written, made): (Vec<_>, Vec<_>) =
        constraints.partition(|one| one.is_candidate || one.definition.is_none());
    if !written.is_empty() {
        return written.iter().map(|one| one.name.clone()).collect();
    }
    let mut told: Vec<String> = Vec::new();
    for one in made {
        let description = one.definition.map(|id| &spec.definition(id).description);
        let name = description.unwrap_or(&one.name);
        if !told.contains(name) {
            told.push(name.clone());
        }
    }
    told
}

fn value(spec: &Gr1, id: VariableId, value: Value) -> String {
    spec.value_text(&spec.variable(id).domain, value)
}

/// A row for each variable, with what `given` says of it in each step.
pub fn run(
    spec: &Gr1,
    variables: &[VariableId],
    steps: usize,
    given: &dyn Fn(VariableId, usize) -> Option<Value>,
) -> (Run, Vec<Meaning>) {
    let domains = variables.iter().map(|id| &spec.variable(*id).domain);
    let meanings: Vec<Meaning> = domains.map(|domain| Meaning::of(spec, domain)).collect();
    let signals = variables.iter().zip(&meanings).map(|(id, meaning)| {
        let variable = spec.variable(*id);
        let values = (0..steps).map(|step| variable.domain.word(given(*id, step)?));
        Signal {
            name: variable.name.clone(),
            kind: match variable.owner {
                Player::Environment => SignalKind::Input,
                Player::System => SignalKind::Output,
            },
            width: meaning.width(),
            relevant: true,
            values: values.collect(),
        }
    });
    let run = Run {
        steps,
        loop_start: None,
        signals: signals.collect(),
    };
    (run, meanings)
}

/// A play with the names of its specification.
pub fn play(spec: &Gr1, story: &Story) -> Play {
    let Some(first) = story.steps.first() else {
        return empty();
    };
    let inputs = first.inputs.iter().map(|(id, _)| *id);
    // The system may have no answer in the first step already.
    let outputs = story.steps.iter().map(|step| &step.outputs);
    let outputs = outputs.max_by_key(|outputs| outputs.len());
    let outputs = outputs.into_iter().flatten().map(|(id, _)| *id);
    let variables: Vec<VariableId> = inputs.chain(outputs).collect();
    let (run, meanings) = run(spec, &variables, story.steps.len(), &|id, step| {
        let step = &story.steps[step];
        let input = step.inputs.iter().find(|(other, _)| *other == id);
        let output = step.outputs.iter().find(|(other, _)| *other == id);
        input
            .map(|(_, given)| *given)
            .or(output.and_then(|(_, given)| *given))
    });
    let reasons = story.steps.iter().map(|step| {
        let reasons = step.reasons.iter();
        reasons.map(|reason| told(spec, reason)).collect()
    });
    let conclusion = story.loop_start.map(|_| Conclusion::Repeats {
        prevented: names(spec, &story.prevented),
    });
    Play {
        run: Run {
            loop_start: story.loop_start,
            ..run
        },
        meanings,
        reasons: reasons.collect(),
        held: Vec::new(),
        conclusions: conclusion.into_iter().collect(),
    }
}

fn empty() -> Play {
    Play {
        run: Run::default(),
        meanings: Vec::new(),
        reasons: Vec::new(),
        held: Vec::new(),
        conclusions: Vec::new(),
    }
}

fn told(spec: &Gr1, reason: &narrate::Reason) -> Reason {
    match reason {
        narrate::Reason::Forced {
            output,
            value: forced,
            because,
        } => Reason::Forced {
            output: spec.variable(*output).name.clone(),
            value: value(spec, *output, *forced),
            because: names(spec, because),
        },
        narrate::Reason::Stuck { because } => Reason::Stuck {
            because: names(spec, because),
        },
    }
}

/// States as steps of a play; auxiliary variables are left out.
pub fn states(spec: &Gr1, states: &[Vec<Value>]) -> Play {
    let visible = |owner: Player| {
        spec.variable_ids().filter(move |id| {
            let variable = spec.variable(*id);
            variable.owner == owner && !variable.is_auxiliary()
        })
    };
    let variables: Vec<VariableId> = visible(Player::Environment)
        .chain(visible(Player::System))
        .collect();
    let (run, meanings) = run(spec, &variables, states.len(), &|id, step| {
        states[step].get(id.0 as usize).copied()
    });
    Play {
        run,
        meanings,
        reasons: vec![Vec::new(); states.len()],
        held: Vec::new(),
        conclusions: Vec::new(),
    }
}

/// Signals that have a value in each step: waveforms are drawn without gaps.
pub fn complete(run: &Run) -> Run {
    let mut run = run.clone();
    run.signals
        .retain(|signal| signal.values.iter().all(Option::is_some));
    run
}

pub fn forced_ending(spec: &Gr1, forcing: &Forcing) -> ForcedEnding {
    match &forcing.ending {
        Ending::Deadlock(because) => ForcedEnding::Deadlock(names(spec, because)),
        Ending::Waiting {
            assumption,
            loop_start,
        } => ForcedEnding::Waiting {
            assumption: assumption.map(|id| spec.constraint(id).name.clone()),
            loop_start: *loop_start,
        },
        Ending::Cut(steps) => ForcedEnding::Cut(*steps),
    }
}

/// The graph of all plays as a picture. What is the same in all states is said once; a state
/// has what changes on some way into it, and an edge the inputs that change along it.
pub fn picture(
    spec: &Gr1,
    graph: &Graph,
    goals: &[Option<ConstraintId>],
    assumed: &[Option<ConstraintId>],
) -> Picture {
    let name = |id: Option<ConstraintId>, otherwise: &str| match id {
        Some(id) => spec.constraint(id).name.clone(),
        None => otherwise.to_string(),
    };
    let setting = |node: &Node, place: usize| {
        let id = graph.variables[place];
        format!(
            "{}={}",
            spec.variable(id).name,
            value(spec, id, node.values[place])
        )
    };
    let places = || 0..graph.variables.len();
    let is_constant = |place: usize| {
        let mut nodes = graph.nodes.iter();
        nodes.all(|node| node.values[place] == graph.nodes[0].values[place])
    };
    let constant: Vec<bool> = places().map(is_constant).collect();
    let mut changed: Vec<Vec<bool>> = vec![vec![false; graph.variables.len()]; graph.nodes.len()];
    for start in &graph.starts {
        changed[*start] = constant.iter().map(|constant| !constant).collect();
    }
    let mut picture = Picture::new("All plays against the counterstrategy");
    for (index, node) in graph.nodes.iter().enumerate() {
        for next in &node.successors {
            let other = &graph.nodes[*next];
            let differs = |place: usize| node.values[place] != other.values[place];
            let is_input =
                |place: usize| spec.variable(graph.variables[place]).owner == Player::Environment;
            for place in places().filter(|place| differs(*place)) {
                changed[*next][place] = true;
            }
            let inputs = places().filter(|place| differs(*place) && is_input(*place));
            let inputs: Vec<String> = inputs.map(|place| setting(other, place)).collect();
            picture.edges.push(Edge {
                from: index,
                to: *next,
                labels: vec![inputs.join(" ")],
            });
        }
    }
    for (node, changed) in graph.nodes.iter().zip(&changed) {
        let lines = places().filter(|place| changed[*place]);
        let mut lines: Vec<String> = lines.map(|place| setting(node, place)).collect();
        if lines.is_empty() {
            lines.push("as before".to_string());
        }
        let prevents = match node.stage.goal {
            None => "forces a violation".to_string(),
            Some(goal) => format!(
                "prevents {}",
                name(goals.get(goal).copied().flatten(), "a goal")
            ),
        };
        let works = assumed.get(node.memory).copied().flatten();
        let works = name(works, "nothing assumed");
        let is_stuck = node.successors.is_empty() && !node.input.is_empty();
        picture.nodes.push(picture::Node {
            lines,
            cluster: Some(format!("{prevents}, works for {works}")),
            remark: is_stuck.then(|| "no answer keeps the guarantees".to_string()),
        });
    }
    picture.starts = graph.starts.clone();
    let constants = places().filter(|place| constant[*place]);
    let constants = constants.filter_map(|place| Some(setting(graph.nodes.first()?, place)));
    let constants: Vec<String> = constants.collect();
    if !constants.is_empty() {
        picture
            .notes
            .push(format!("always: {}", constants.join(" ")));
    }
    if graph.truncated {
        let count = graph.nodes.len();
        picture.notes.push(format!("only the first {count} states"));
    }
    picture
}
