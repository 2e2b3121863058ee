//! Circuits so small that every function of a gate can be tried.
//!
//! A function is a table: a value for each state and input. The properties speak of latches
//! and inputs only, so a table decides nothing but where each step leads.

use super::circuit::Condition;
use super::explicit::Steps;
use super::support::Circuit;

/// What is asked of the circuit. Conditions are about latches and inputs.
#[derive(Clone, Debug)]
pub enum Property {
    /// `G condition`
    Always(Condition),
    /// `G (first -> X second)`
    Next(Condition, Condition),
    /// `G (trigger -> F response)`
    Response(Condition, Condition),
    /// `G F condition`
    Recurs(Condition),
}

impl Property {
    pub fn text(&self) -> String {
        match self {
            Property::Always(condition) => format!("G {}", condition.text()),
            Property::Next(first, second) => {
                format!("G ({} -> X {})", first.text(), second.text())
            }
            Property::Response(trigger, response) => {
                format!("G ({} -> F {})", trigger.text(), response.text())
            }
            Property::Recurs(condition) => format!("G F {}", condition.text()),
        }
    }
}

/// A specification: assertions, and perhaps a condition on the inputs that recurs.
#[derive(Clone, Debug)]
pub struct Demands {
    pub properties: Vec<Property>,
    pub fairness: Option<Condition>,
}

impl Demands {
    pub fn text(&self) -> String {
        let fairness = self.fairness.iter();
        let fairness = fairness.map(|condition| format!("assume G F {};\n", condition.text()));
        let properties = self.properties.iter();
        let properties = properties.map(|property| format!("assert {};\n", property.text()));
        fairness.chain(properties).collect()
    }
}

/// Where steps lead: for each state, each input, and each value of the gate.
pub struct Tiny {
    inputs: usize,
    initial: usize,
    next: Vec<[usize; 2]>,
    /// For each state its steps, with the gate at 0.
    steps: Vec<Steps>,
}

impl Tiny {
    /// `gate` is the variable of the gate whose function is open.
    pub fn new(circuit: &Circuit, gate: u32) -> Tiny {
        let stuck_at = |constant: u32| {
            let mut circuit = circuit.clone();
            for place in &mut circuit.gates {
                if place.0 == 2 * gate {
                    *place = (2 * gate, constant, constant);
                }
            }
            circuit
        };
        let states = 0..1usize << circuit.latches.len();
        let mut next = Vec::new();
        for state in states.clone() {
            let successors = [0, 1].map(|constant| {
                let circuit = stuck_at(constant);
                Steps::new(&circuit, state).successors(&circuit)
            });
            let [zero, one] = successors;
            next.extend(zero.into_iter().zip(one).map(|(zero, one)| [zero, one]));
        }
        let latches = circuit.latches.iter().enumerate();
        Tiny {
            inputs: 1 << circuit.inputs.len(),
            initial: latches.fold(0, |state, (place, (_, _, reset))| {
                state | (*reset as usize) << place
            }),
            next,
            steps: states
                .map(|state| Steps::new(&stuck_at(0), state))
                .collect(),
        }
    }

    /// Whether the circuit meets the demands as it is.
    pub fn is_right(&self, circuit: &Circuit, demands: &Demands) -> bool {
        let states = 0..self.steps.len();
        let successors = |state: usize| Steps::new(circuit, state).successors(circuit);
        let next: Vec<usize> = states.flat_map(successors).collect();
        Meanings::new(self, demands).are_met(self, &next)
    }

    /// Whether some function of latches and inputs, in place of the gate, meets the demands.
    pub fn has_repair(&self, demands: &Demands) -> bool {
        let points: Vec<usize> = (0..self.next.len())
            .filter(|point| self.next[*point][0] != self.next[*point][1])
            .collect();
        let meanings = Meanings::new(self, demands);
        let mut next: Vec<usize> = self.next.iter().map(|[zero, _]| *zero).collect();
        for table in 0..1u64 << points.len() {
            for (bit, point) in points.iter().enumerate() {
                next[*point] = self.next[*point][(table >> bit & 1) as usize];
            }
            if meanings.are_met(self, &next) {
                return true;
            }
        }
        false
    }
}

/// For each property the points (state and input) that its conditions hold in.
struct Meanings {
    properties: Vec<Meaning>,
    fair: Vec<bool>,
}

enum Meaning {
    Always(Vec<bool>),
    Next(Vec<bool>, Vec<bool>),
    Response(Vec<bool>, Vec<bool>),
}

impl Meanings {
    fn new(tiny: &Tiny, demands: &Demands) -> Meanings {
        let points = |condition: &Condition| -> Vec<bool> {
            let state = |steps: &Steps| {
                let holds = steps.holds(condition);
                (0..tiny.inputs).map(move |input| holds >> input & 1 == 1)
            };
            tiny.steps.iter().flat_map(state).collect()
        };
        let everywhere = || vec![true; tiny.next.len()];
        let properties = demands.properties.iter();
        Meanings {
            properties: properties
                .map(|property| match property {
                    Property::Always(condition) => Meaning::Always(points(condition)),
                    Property::Next(first, second) => Meaning::Next(points(first), points(second)),
                    Property::Response(trigger, response) => {
                        Meaning::Response(points(trigger), points(response))
                    }
                    Property::Recurs(condition) => {
                        Meaning::Response(everywhere(), points(condition))
                    }
                })
                .collect(),
            fair: demands.fairness.as_ref().map_or_else(everywhere, points),
        }
    }

    /// Whether all runs with these successors keep all properties.
    fn are_met(&self, tiny: &Tiny, next: &[usize]) -> bool {
        let of_state = |state: usize| state * tiny.inputs..(state + 1) * tiny.inputs;
        let reached = closure([tiny.initial], tiny.steps.len(), |state, found| {
            found.extend(of_state(state).map(|point| next[point]));
        });
        let points = (0..next.len()).filter(|point| reached[point / tiny.inputs]);
        let points: Vec<usize> = points.collect();
        self.properties.iter().all(|meaning| match meaning {
            Meaning::Always(holds) => points.iter().all(|point| holds[*point]),
            Meaning::Next(first, second) => points.iter().all(|point| {
                !first[*point] || of_state(next[*point]).all(|successor| second[successor])
            }),
            Meaning::Response(trigger, response) => {
                let silent = |state: usize| of_state(state).filter(|point| !response[*point]);
                let owing = points.iter().filter(|p| trigger[**p] && !response[**p]);
                let owing = closure(
                    owing.map(|point| next[*point]),
                    tiny.steps.len(),
                    |state, found| found.extend(silent(state).map(|point| next[point])),
                );
                // A fair silent step that silent steps lead back to.
                !(0..owing.len()).filter(|state| owing[*state]).any(|state| {
                    silent(state).filter(|p| self.fair[*p]).any(|point| {
                        closure([next[point]], tiny.steps.len(), |state, found| {
                            found.extend(silent(state).map(|point| next[point]));
                        })[state]
                    })
                })
            }
        })
    }
}

/// All states that can be reached from some.
fn closure(
    from: impl IntoIterator<Item = usize>,
    states: usize,
    successors: impl Fn(usize, &mut Vec<usize>),
) -> Vec<bool> {
    let mut seen = vec![false; states];
    let mut pending: Vec<usize> = from.into_iter().collect();
    while let Some(state) = pending.pop() {
        if !std::mem::replace(&mut seen[state], true) {
            successors(state, &mut pending);
        }
    }
    seen
}
