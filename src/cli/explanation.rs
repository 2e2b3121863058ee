//! From what the engine found to what people read: names, places and sentences.

use crate::bdd::Error;
use crate::explain::separation::{Case, Part, Position};
use crate::explain::{Element, Ending, Forcing, Graph, Oracle, Reason, Story, Subset, Unfinished};
use crate::report::explanation as report;
use crate::run::{Run, Signal, SignalKind};
use crate::source::Sources;
use crate::source::record::PlaceRecord;
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side, Value, VariableId};
use std::fmt::Write;

pub fn items(oracle: &Oracle, set: &Subset, sources: &Sources) -> Vec<report::Item> {
    let elements = oracle.elements_of(set).into_iter();
    elements
        .map(|element| match element {
            Element::Guarantee(id) | Element::Lack(id) => constraint(oracle.spec(), id, sources),
            Element::Output(id) => {
                let variable = oracle.spec().variable(id);
                report::Item {
                    kind: report::ItemKind::Output,
                    name: variable.name.clone(),
                    text: String::new(),
                    place: variable.span.map(|span| PlaceRecord::new(span, sources)),
                }
            }
        })
        .collect()
}

pub fn constraint(spec: &Gr1, id: ConstraintId, sources: &Sources) -> report::Item {
    let constraint = spec.constraint(id);
    let prefix = match constraint.kind {
        Kind::Initial => "",
        Kind::Safety => "G ",
        Kind::Justice => "GF ",
    };
    let term = spec.term_text(constraint.term);
    report::Item {
        kind: match constraint.side {
            Side::Assumption => report::ItemKind::Assumption,
            Side::Guarantee => report::ItemKind::Guarantee,
        },
        name: constraint.name.clone(),
        text: if prefix.is_empty() {
            term
        } else {
            format!("{prefix}({term})")
        },
        place: constraint.span.map(|span| PlaceRecord::new(span, sources)),
    }
}

/// `a`, `b` and `c`
fn list(spec: &Gr1, ids: &[ConstraintId]) -> String {
    let names: Vec<String> = ids
        .iter()
        .map(|id| format!("`{}`", spec.constraint(*id).name))
        .collect();
    match names.as_slice() {
        [] => "what is given".to_string(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

fn value(spec: &Gr1, id: VariableId, value: Value) -> String {
    spec.value_text(&spec.variable(id).domain, value)
}

fn setting(spec: &Gr1, id: VariableId, given: Option<Value>) -> report::Setting {
    report::Setting {
        name: spec.variable(id).name.clone(),
        value: given.map(|given| value(spec, id, given)),
    }
}

pub fn play(spec: &Gr1, play: &Story) -> report::Play {
    let steps = play.steps.iter().map(|step| report::Step {
        inputs: step
            .inputs
            .iter()
            .map(|(id, given)| setting(spec, *id, Some(*given)))
            .collect(),
        outputs: step
            .outputs
            .iter()
            .map(|(id, given)| setting(spec, *id, *given))
            .collect(),
        reasons: step
            .reasons
            .iter()
            .filter_map(|reason| sentence(spec, reason))
            .collect(),
    });
    report::Play {
        condition: None,
        steps: steps.collect(),
        loop_start: play.loop_start,
        conclusion: conclusion(spec, play),
    }
}

fn sentence(spec: &Gr1, reason: &Reason) -> Option<String> {
    match reason {
        Reason::Forced { because, .. } if because.is_empty() => None,
        Reason::Forced {
            output,
            value: forced,
            because,
        } => {
            let verb = if because.len() == 1 {
                "forces"
            } else {
                "force"
            };
            let name = &spec.variable(*output).name;
            let forced = value(spec, *output, *forced);
            Some(format!("{} {verb} {name}={forced}", list(spec, because)))
        }
        Reason::Stuck { because } => Some(format!(
            "no answer keeps {}: the system has lost",
            list(spec, because)
        )),
    }
}

fn conclusion(spec: &Gr1, play: &Story) -> Vec<String> {
    let Some(start) = play.loop_start else {
        return Vec::new();
    };
    let last = play.steps.len().saturating_sub(1);
    let mut sentences = vec![if start == last {
        format!("Step {last} repeats for ever (*), and all assumptions are kept")
    } else {
        format!("Steps {start} to {last} repeat for ever (*), and all assumptions are kept")
    }];
    sentences.push(if play.prevented.is_empty() {
        "Whatever the system chooses, some goal holds only finitely often".to_string()
    } else {
        format!("{} never holds there", list(spec, &play.prevented))
    });
    sentences
}

/// The play for a waveform viewer: what has a value in each step.
pub fn trace(spec: &Gr1, play: &Story) -> Run {
    let mut signals: Vec<Signal> = Vec::new();
    let steps = play.steps.len();
    let rows = play.steps.first().map(|step| {
        let inputs = step.inputs.iter().map(|(id, _)| (*id, SignalKind::Input));
        let outputs = step.outputs.iter().map(|(id, _)| (*id, SignalKind::Output));
        inputs.chain(outputs).collect::<Vec<_>>()
    });
    for (id, kind) in rows.unwrap_or_default() {
        let domain = &spec.variable(id).domain;
        let values: Vec<Vec<bool>> = play
            .steps
            .iter()
            .filter_map(|step| {
                let input = step.inputs.iter().find(|(other, _)| *other == id);
                let output = step.outputs.iter().find(|(other, _)| *other == id);
                let given = input.map(|(_, given)| *given);
                let given = given.or(output.and_then(|(_, given)| *given))?;
                let code = domain.values().iter().position(|other| *other == given)?;
                Some(
                    (0..domain.bits().max(1))
                        .map(|bit| code >> bit & 1 == 1)
                        .collect(),
                )
            })
            .collect();
        if values.len() == steps {
            signals.push(Signal {
                name: spec.variable(id).name.clone(),
                kind,
                width: domain.bits().max(1),
                relevant: true,
                values: values.into_iter().map(Some).collect(),
            });
        }
    }
    Run {
        steps,
        loop_start: play.loop_start,
        signals,
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

/// Which systems a trace is about that holds outputs.
pub fn held(spec: &Gr1, values: &[(VariableId, Value)]) -> String {
    let texts: Vec<String> = values
        .iter()
        .map(|(id, given)| format!("{}={}", spec.variable(*id).name, value(spec, *id, *given)))
        .collect();
    format!(
        "This is about systems that start as guaranteed and keep outputs outside of the core: {}",
        texts.join(" ")
    )
}

pub fn limit(unfinished: Option<Unfinished>) -> Option<String> {
    Some(match unfinished? {
        Unfinished::Size(size) => {
            format!("There may be more with more than {size} members: `--all` looks for them.")
        }
        Unfinished::Count => "There may be more: `--all` looks for them.".to_string(),
        Unfinished::Stopped(error) => format!("There may be more: {error}."),
    })
}

pub fn missing(what: &str, error: Error) -> String {
    format!("{what} was not found: {error}.")
}

pub fn case(case: Case) -> report::Case {
    let position = match case.position {
        Position::All => "whatever the environment starts with",
        Position::Reachable => "from some state that a play can reach",
    };
    let meaning = match case.part {
        Part::Initial => "the initial assumptions contradict themselves".to_string(),
        Part::Safety => {
            format!("the system can leave the environment no move that keeps safety, {position}")
        }
        Part::Justice => {
            format!("the system can keep some assumption from holding again and again, {position}")
        }
    };
    report::Case {
        name: case.text(),
        meaning,
    }
}

/// States as steps of a play; auxiliary variables are left out.
pub fn states(spec: &Gr1, states: &[Vec<Value>]) -> Vec<report::Step> {
    let of = |player: Player, values: &[Value]| -> Vec<report::Setting> {
        spec.variable_ids()
            .zip(values)
            .filter(|(id, _)| {
                let variable = spec.variable(*id);
                variable.owner == player && !variable.is_auxiliary()
            })
            .map(|(id, given)| setting(spec, id, Some(*given)))
            .collect()
    };
    states
        .iter()
        .map(|values| report::Step {
            inputs: of(Player::Environment, values),
            outputs: of(Player::System, values),
            reasons: Vec::new(),
        })
        .collect()
}

pub fn forced_end(spec: &Gr1, forcing: &Forcing) -> String {
    match &forcing.ending {
        Ending::Deadlock(because) => format!(
            "Then no input keeps {}: the environment has to break an assumption",
            list(spec, because)
        ),
        Ending::Waiting {
            assumption,
            loop_start,
        } => {
            let assumption = match assumption {
                Some(id) => format!("`{}`", spec.constraint(*id).name),
                None => "some assumption".to_string(),
            };
            format!("The play goes on from step {loop_start}, and {assumption} never holds")
        }
        Ending::Cut(steps) => format!(
            "The play is longer and was cut after {steps} steps; it goes on until the environment \
             breaks an assumption"
        ),
    }
}
