//! Controllers of random specifications: written, read again, certified, and judged by an
//! oracle that visits every state and evaluates constraints on values.

use crate::sketch::{Shape, Sketch};
use respin::bdd::Limits;
use respin::certify::{self, Certified, Check, Controller, RealizabilityCheck};
use respin::design::{Literal, Node, Simulator, aiger};
use respin::game::gr1::{Gr1Game, Selection};
use respin::random::Random;
use respin::spec::gr1::{Domain, Gr1, Kind, Side, Value, VariableId};
use respin::spec::ltl::{LtlSpec, Section};
use respin::synth::circuit::{Circuit, Port};
use respin::synth::controller::controller;
use respin::synth::explicit::{Bounds, explicit};
use respin::synth::written::{Form, Written};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// `None` if the system does not win.
fn make(spec: &Gr1) -> Option<Circuit> {
    let game = Gr1Game::new(spec, Limits::default()).expect("no limits");
    let rules = game.rules(&Selection::everything(spec)).expect("no limits");
    let solution = rules.solve().expect("no limits");
    solution
        .realizable
        .then(|| controller(&rules, &solution, &Limits::default(), true).expect("no limits"))
}

fn as_verilog(circuit: &Circuit) -> Written {
    Written::new(circuit.clone(), Form::Verilog).expect("names that Verilog has")
}

/// The circuit that the text says.
fn read(written: &Written) -> Circuit {
    written.read().expect("a readable text")
}

/// `None` if the text does not say a controller of the specification.
fn certified(written: &Written, spec: &Gr1) -> Option<Certified<Controller>> {
    let check = written.certify_gr1(spec, &Limits::default());
    match check.expect("a question") {
        Check::Certified(controller) => Some(controller),
        Check::NotShown(_) => None,
        Check::Unknown(error) => panic!("no limits: {error}"),
    }
}

fn is_certified(written: &Written, spec: &Gr1) -> bool {
    certified(written, spec).is_some()
}

/// Values of all variables in one step.
type Values = BTreeMap<VariableId, Value>;

fn value_of(domain: &Domain, meaning: &Port, bits: u64) -> Option<Value> {
    let number = bits as i64;
    match domain {
        Domain::Boolean => Some(number),
        Domain::Range { first, last } => {
            let sign = meaning.meaning.is_signed() && bits >> (meaning.bits.len() - 1) & 1 == 1;
            let number = if sign {
                number - (1 << meaning.bits.len())
            } else {
                number
            };
            (*first..=*last).contains(&number).then_some(number)
        }
        Domain::Enumeration(_) => domain.values().get(number as usize).copied(),
    }
}

/// Whether the circuit keeps the specification, by visiting everything.
fn keeps(circuit: &Circuit, spec: &Gr1) -> bool {
    let mut simulator = Simulator::new(&circuit.design).expect("a design");
    let latches = circuit.design.latches().to_vec();
    let inputs = circuit.design.inputs().to_vec();
    simulator.start(|_| 0);
    let read = |simulator: &Simulator<'_>| -> Vec<bool> {
        let latches = latches.iter();
        latches
            .map(|id| simulator.value(id.literal()) & 1 == 1)
            .collect()
    };
    let holds = |side: Side, kind: Kind, now: &Values, next: &Values| {
        spec.constraints.iter().all(|one| {
            one.side != side
                || one.kind != kind
                || spec.evaluate(one.term, &mut |id, primed| match primed {
                    true => next[&id],
                    false => now[&id],
                }) != 0
        })
    };
    let mut numbers: HashMap<(Vec<bool>, Option<Values>), usize> = HashMap::new();
    let mut nodes = vec![(read(&simulator), None)];
    numbers.insert(nodes[0].clone(), 0);
    let mut edges: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut place = 0;
    while place < nodes.len() {
        let (state, before): (Vec<bool>, Option<Values>) = nodes[place].clone();
        for number in 0..1_u64 << inputs.len() {
            let of = |bit: bool| if bit { u64::MAX } else { 0 };
            simulator.resume(|id| {
                let place = latches.iter().position(|other| *other == id);
                of(place.is_some_and(|place| state[place]))
            });
            simulator.settle(|id| {
                let place = inputs.iter().position(|other| *other == id);
                of(place.is_some_and(|place| number >> place & 1 == 1))
            });
            let mut values = Values::new();
            let (mut environment_keeps, mut system_keeps) = (true, true);
            for id in spec.variable_ids() {
                let variable = spec.variable(id);
                let ports = circuit.inputs.iter().chain(&circuit.outputs);
                let mut ports = ports.chain(&circuit.internal);
                let port = ports
                    .find(|port| port.name == variable.name)
                    .expect("a port");
                let mut bits = 0;
                for (place, bit) in port.bits.iter().enumerate() {
                    bits |= (simulator.value(*bit) & 1) << place;
                }
                match value_of(&variable.domain, port, bits) {
                    Some(value) => {
                        values.insert(id, value);
                    }
                    None if circuit.inputs.contains(port) => environment_keeps = false,
                    // Assumptions do not speak of it, and if they are kept it is too much.
                    None => {
                        system_keeps = false;
                        values.insert(id, variable.domain.values()[0]);
                    }
                }
            }
            if !environment_keeps {
                continue;
            }
            let (assumed, kept) = match &before {
                None => (
                    holds(Side::Assumption, Kind::Initial, &values, &values),
                    holds(Side::Guarantee, Kind::Initial, &values, &values),
                ),
                Some(before) => (
                    holds(Side::Assumption, Kind::Safety, before, &values),
                    holds(Side::Guarantee, Kind::Safety, before, &values),
                ),
            };
            if !assumed {
                continue;
            }
            if !kept || !system_keeps {
                return false;
            }
            simulator.advance();
            let next = (read(&simulator), Some(values));
            let count = nodes.len();
            let to = *numbers.entry(next.clone()).or_insert(count);
            if to == count {
                nodes.push(next);
            }
            edges.insert((place, to));
        }
        place += 1;
    }
    let recurs = |side: Side| -> Vec<Vec<bool>> {
        let own = spec.constraints.iter();
        let own = own.filter(|one| one.side == side && one.kind == Kind::Justice);
        own.map(|one| {
            let nodes = nodes.iter();
            nodes
                .map(|(_, values)| {
                    let values = values.as_ref();
                    values.is_some_and(|values| {
                        spec.evaluate(one.term, &mut |id, _| values[&id]) != 0
                    })
                })
                .collect()
        })
        .collect()
    };
    let assumed = recurs(Side::Assumption);
    recurs(Side::Guarantee)
        .iter()
        .all(|goal| !has_fair_cycle(nodes.len(), &edges, goal, &assumed))
}

/// Whether some cycle avoids the goal and meets all that is assumed.
fn has_fair_cycle(
    count: usize,
    edges: &BTreeSet<(usize, usize)>,
    goal: &[bool],
    assumed: &[Vec<bool>],
) -> bool {
    // Nodes from which a cycle without the goal can be met, by repeated removal.
    let mut alive: Vec<bool> = goal.iter().map(|met| !met).collect();
    loop {
        let mut changed = false;
        // Each kept node has to reach, within kept ones and in one step or more, each of the
        // recurrences (or just any node).
        let targets: Vec<Vec<bool>> = match assumed.is_empty() {
            true => vec![vec![true; count]],
            false => assumed.to_vec(),
        };
        for target in &targets {
            let mut reach = vec![false; count];
            loop {
                let mut grew = false;
                for (from, to) in edges {
                    let hits = target[*to] || reach[*to];
                    if alive[*from] && alive[*to] && hits && !reach[*from] {
                        reach[*from] = true;
                        grew = true;
                    }
                }
                if !grew {
                    break;
                }
            }
            for (alive, reach) in alive.iter_mut().zip(reach) {
                if *alive && !reach {
                    *alive = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return alive.contains(&true);
        }
    }
}

fn check(seeds: std::ops::Range<u64>, shape: Shape) {
    let (mut made, mut broken) = (0, 0);
    for seed in seeds {
        let sketch = Sketch::random(&mut Random::new(seed), shape);
        let spec = sketch.build();
        let Some(circuit) = make(&spec) else { continue };
        made += 1;
        let written = as_verilog(&circuit);
        assert!(is_certified(&written, &spec), "seed {seed}\n{sketch}");
        assert!(keeps(&read(&written), &spec), "seed {seed}\n{sketch}");
        let written =
            Written::new(circuit.clone(), Form::Aiger(aiger::Form::Binary)).expect("AIGER");
        assert!(is_certified(&written, &spec), "seed {seed}\n{sketch}");
        assert!(keeps(&read(&written), &spec), "seed {seed}\n{sketch}");
        // A wrong circuit, to see that both would notice.
        let mut wrong = circuit;
        let outputs = wrong.design.outputs().len();
        if outputs > 0 {
            let place = seed as usize % outputs;
            let literal = wrong.design.outputs()[place].literal;
            let literal = match seed % 3 {
                0 => !literal,
                1 => Literal::FALSE,
                _ => Literal::TRUE,
            };
            wrong.design.set_output(place, literal);
            let mut bits = wrong.design.outputs().iter().map(|output| output.literal);
            for port in wrong.outputs.iter_mut().chain(&mut wrong.internal) {
                let own = bits.by_ref().take(port.bits.len());
                port.bits = own.collect();
            }
            let written = as_verilog(&wrong);
            let expected = keeps(&read(&written), &spec);
            broken += usize::from(!expected);
            assert_eq!(
                is_certified(&written, &spec),
                expected,
                "seed {seed}\n{sketch}"
            );
        }
    }
    assert!(
        made > 50 && broken >= 15,
        "{made} controllers, {broken} broken"
    );
}

#[test]
fn controllers_over_booleans_keep_their_specifications() {
    let shape = Shape {
        words: false,
        assume_system: false,
    };
    check(0..250, shape);
}

#[test]
fn controllers_over_words_keep_their_specifications() {
    let shape = Shape {
        words: true,
        assume_system: false,
    };
    check(20_000..20_150, shape);
}

#[test]
fn controllers_keep_assumptions_about_their_own_answers_in_mind() {
    let shape = Shape {
        words: true,
        assume_system: true,
    };
    let mut made = 0;
    for seed in 40_000..40_200 {
        let sketch = Sketch::random(&mut Random::new(seed), shape);
        let spec = sketch.build();
        let Some(circuit) = make(&spec) else { continue };
        made += 1;
        let written = as_verilog(&circuit);
        assert!(is_certified(&written, &spec), "seed {seed}\n{sketch}");
    }
    assert!(made > 50, "only {made}");
}

/// The specification as a formula of LTL that the model checker reads, not as gates.
fn keeps_formula(written: &Written, spec: &LtlSpec) -> bool {
    match certify::ltl::controller(spec, &read(written).design, &Limits::default()) {
        Ok(RealizabilityCheck::Certified(_)) => true,
        Ok(RealizabilityCheck::NotShown(_)) => false,
        other => panic!("no answer: {other:?}"),
    }
}

#[test]
fn controllers_keep_the_formulas_that_their_specifications_stand_for() {
    let shape = Shape {
        words: false,
        assume_system: false,
    };
    let mut made = [0, 0];
    for seed in 50_000..50_250 {
        let sketch = Sketch::random(&mut Random::new(seed), shape);
        let spec = sketch.build();
        let strict = LtlSpec::from_gr1(&spec).expect("Booleans");
        let mut implication = strict.clone();
        implication.is_strict = false;
        for part in &mut implication.parts {
            // Whatever is assumed, of the first step too.
            if part.section == Section::Preset {
                part.section = Section::Guarantee;
            }
        }
        let cases = [(spec.clone(), strict), (spec.as_implication(), implication)];
        for (place, (spec, formula)) in cases.into_iter().enumerate() {
            let Some(circuit) = make(&spec) else { continue };
            made[place] += 1;
            let written = as_verilog(&circuit);
            assert!(is_certified(&written, &spec), "seed {seed}\n{sketch}");
            assert!(keeps_formula(&written, &formula), "seed {seed}\n{sketch}");
        }
    }
    assert!(made.iter().all(|made| *made > 50), "{made:?}");
}

#[test]
fn listed_machines_say_what_circuits_do() {
    let shape = Shape {
        words: true,
        assume_system: false,
    };
    let mut listed = 0;
    for seed in 30_000..30_060 {
        let sketch = Sketch::random(&mut Random::new(seed), shape);
        let spec = sketch.build();
        let Some(circuit) = make(&spec) else { continue };
        let written = as_verilog(&circuit);
        let controller = certified(&written, &spec).expect("a controller");
        let machine = explicit(&read(&written), &controller.judged, Bounds::default());
        let machine = machine.expect("a list");
        assert_eq!(machine.limit, None, "seed {seed}");
        listed += 1;
        // Whatever is listed is deterministic, and starts in the first state.
        let mut seen = BTreeSet::new();
        for transition in &machine.transitions {
            let key = (transition.from, transition.inputs.clone());
            assert!(
                seen.insert(key),
                "seed {seed}: two answers to one input\n{sketch}"
            );
            assert!(transition.to < machine.states.len());
        }
        // Without assumptions nothing can be made to fail.
        let assumes = spec
            .constraints
            .iter()
            .any(|one| one.side == Side::Assumption);
        let forces = machine.states.iter().any(|state| state.forces_failure);
        assert!(assumes || !forces, "seed {seed}\n{sketch}");
    }
    assert!(listed > 10, "only {listed}");
}

#[test]
fn gates_that_nothing_reads_are_left_out() {
    let spec = Sketch::random(
        &mut Random::new(3),
        Shape {
            words: false,
            assume_system: false,
        },
    )
    .build();
    if let Some(circuit) = make(&spec) {
        let design = read(&as_verilog(&circuit)).design;
        let is_gate = |id| matches!(design.node(id), Node::And(..));
        let gates = design.node_ids().filter(|id| is_gate(*id));
        assert!(gates.count() <= 4 * circuit.gates() + 50);
    }
}
