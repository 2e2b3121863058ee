//! From sets, plays and graphs of the engine to plain data with names.

use super::answer::{Conclusion, ForcedEnding, Item, ItemKind, Play, Reason};
use super::{Element, Ending, Forcing, Graph, Oracle, Story, Subset, narrate};
use crate::run::{Run, Signal, SignalKind};
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side, Value, VariableId};
use crate::synth::circuit::Meaning;
use std::fmt::Write;

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
                    span: variable.span,
                }
            }
        })
        .collect()
}

pub fn constraint(spec: &Gr1, id: ConstraintId) -> Item {
    let constraint = spec.constraint(id);
    let term = spec.term_text(constraint.term);
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
        text: match (written, constraint.kind) {
            (Some(written), _) => written,
            (None, Kind::Initial) => term,
            (None, Kind::Safety) => format!("G ({term})"),
            (None, Kind::Justice) => format!("GF ({term})"),
        },
        span: constraint.span,
    }
}

/// The names of constraints, without those that nobody wrote: how auxiliary variables move
/// says nothing to a reader, unless there is nothing else.
fn names(spec: &Gr1, ids: &[ConstraintId]) -> Vec<String> {
    let constraints = ids.iter().map(|id| spec.constraint(*id));
    let (written, made): (Vec<_>, Vec<_>) =
        constraints.partition(|one| one.is_candidate || one.definition.is_none());
    let told = if written.is_empty() { made } else { written };
    told.iter().map(|one| one.name.clone()).collect()
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

/// The graph of all plays for Graphviz.
pub fn dot(
    spec: &Gr1,
    graph: &Graph,
    goals: &[Option<ConstraintId>],
    assumed: &[Option<ConstraintId>],
) -> String {
    let name = |id: Option<ConstraintId>, otherwise: &str| match id {
        Some(id) => spec.constraint(id).name.clone(),
        None => otherwise.to_string(),
    };
    let inputs: Vec<VariableId> = graph
        .variables
        .iter()
        .copied()
        .filter(|id| spec.variable(*id).owner == Player::Environment)
        .collect();
    let pairs = |ids: &[VariableId], values: &[Value]| {
        let pairs = ids.iter().zip(values);
        let texts: Vec<String> = pairs
            .map(|(id, given)| format!("{}={}", spec.variable(*id).name, value(spec, *id, *given)))
            .collect();
        texts.join("\\n")
    };
    let mut text = "digraph plays {\n  node [shape=box];\n  start [shape=point];\n".to_string();
    if graph.truncated {
        let _ = writeln!(
            text,
            "  label=\"only the first {} states\";",
            graph.nodes.len()
        );
    }
    for (index, node) in graph.nodes.iter().enumerate() {
        let prevents = match node.stage.goal {
            None => "forces a violation".to_string(),
            Some(goal) => format!(
                "prevents {}",
                name(goals.get(goal).copied().flatten(), "a goal")
            ),
        };
        let works = name(
            assumed.get(node.memory).copied().flatten(),
            "nothing assumed",
        );
        let _ = writeln!(
            text,
            "  n{index} [label=\"{}\\n{prevents}\\nworks for {works}, iterate {}\"];",
            pairs(&graph.variables, &node.values),
            node.stage.iterate
        );
        for next in &node.successors {
            let _ = writeln!(
                text,
                "  n{index} -> n{next} [label=\"{}\"];",
                pairs(&inputs, &node.input)
            );
        }
    }
    for start in &graph.starts {
        let _ = writeln!(text, "  start -> n{start};");
    }
    text.push_str("}\n");
    text
}
