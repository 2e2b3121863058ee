//! What a circuit can do, state by state.
//!
//! All inputs of one state are evaluated at once, one in each bit of a word.

use super::circuit::Condition;
use super::support::Circuit;

/// The steps of one state: for each variable its value under each input.
pub struct Steps {
    values: Vec<u64>,
}

/// Inputs beyond these do not fit into a word.
const MOST_INPUTS: usize = 6;

impl Steps {
    pub fn new(circuit: &Circuit, state: usize) -> Steps {
        assert!(circuit.inputs.len() <= MOST_INPUTS);
        let mut values = vec![0; circuit.maximum as usize + 1];
        for (place, code) in circuit.inputs.iter().enumerate() {
            let bits = (0..64u64).filter(|lane| lane >> place & 1 == 1);
            values[*code as usize / 2] = bits.fold(0, |word, lane| word | 1 << lane);
        }
        for (place, (code, ..)) in circuit.latches.iter().enumerate() {
            values[*code as usize / 2] = if state >> place & 1 == 1 { u64::MAX } else { 0 };
        }
        let mut steps = Steps { values };
        for (gate, left, right) in &circuit.gates {
            steps.values[*gate as usize / 2] = steps.literal(*left) & steps.literal(*right);
        }
        steps
    }

    /// The inputs for which a literal holds.
    pub fn literal(&self, code: u32) -> u64 {
        self.values[code as usize / 2] ^ 0u64.wrapping_sub(u64::from(code % 2))
    }

    pub fn holds(&self, condition: &Condition) -> u64 {
        let cube = |cube: &Vec<u32>| {
            let literals = cube.iter().map(|code| self.literal(*code));
            literals.fold(u64::MAX, |all, literal| all & literal)
        };
        condition.0.iter().map(cube).fold(0, |any, cube| any | cube)
    }

    /// The next state for each input.
    pub fn successors(&self, circuit: &Circuit) -> Vec<usize> {
        let inputs = 1 << circuit.inputs.len();
        let mut successors = vec![0; inputs];
        for (place, (_, next, _)) in circuit.latches.iter().enumerate() {
            let next = self.literal(*next);
            for (input, successor) in successors.iter_mut().enumerate() {
                *successor |= (next as usize >> input & 1) << place;
            }
        }
        successors
    }
}

/// The state in which all runs begin: generated circuits have no free latches.
fn initial(circuit: &Circuit) -> usize {
    let latches = circuit.latches.iter().enumerate();
    latches.fold(0, |state, (place, (_, _, reset))| {
        state | (*reset as usize) << place
    })
}

/// The states that runs reach.
pub fn reachable(circuit: &Circuit) -> Vec<usize> {
    let mut seen = vec![false; 1 << circuit.latches.len()];
    let mut states = vec![initial(circuit)];
    seen[states[0]] = true;
    let mut done = 0;
    while let Some(&state) = states.get(done) {
        done += 1;
        for successor in Steps::new(circuit, state).successors(circuit) {
            if !std::mem::replace(&mut seen[successor], true) {
                states.push(successor);
            }
        }
    }
    states
}

/// Whether a literal holds in some step of some run.
pub fn can_hold(circuit: &Circuit, literal: u32) -> bool {
    let inputs = u64::MAX >> (64 - (1u64 << circuit.inputs.len()));
    let mut states = reachable(circuit).into_iter();
    states.any(|state| Steps::new(circuit, state).literal(literal) & inputs != 0)
}

/// `G (trigger -> F response)`, on runs where `fairness` holds again and again.
#[derive(Clone, Debug)]
pub struct Response {
    /// Without one it is `G F response`.
    pub trigger: Option<Condition>,
    pub response: Condition,
    pub fairness: Option<Condition>,
}

/// Whether some fair run owes a response for ever.
pub fn violates(circuit: &Circuit, property: &Response) -> bool {
    let states = reachable(circuit);
    let mut numbers = vec![usize::MAX; 1 << circuit.latches.len()];
    for (number, state) in states.iter().enumerate() {
        numbers[*state] = number;
    }
    // Steps in which a response is owed and does not come, and those among them that are
    // fair; and the states in which it may be owed.
    let mut edges: Vec<Vec<(usize, bool)>> = Vec::new();
    let mut owing = vec![property.trigger.is_none(); states.len()];
    let mut begins = Vec::new();
    for state in &states {
        let steps = Steps::new(circuit, *state);
        let silent = !steps.holds(&property.response);
        let always = |condition: &Option<Condition>| match condition {
            Some(condition) => steps.holds(condition),
            None => u64::MAX,
        };
        let (fair, triggered) = (always(&property.fairness), always(&property.trigger));
        let mut own = Vec::new();
        for (input, successor) in steps.successors(circuit).into_iter().enumerate() {
            if silent >> input & 1 == 1 {
                own.push((numbers[successor], fair >> input & 1 == 1));
                if triggered >> input & 1 == 1 {
                    begins.push(numbers[successor]);
                }
            }
        }
        edges.push(own);
    }
    while let Some(number) = begins.pop() {
        if !std::mem::replace(&mut owing[number], true) {
            begins.extend(edges[number].iter().map(|(successor, _)| *successor));
        }
    }
    has_fair_cycle(&edges, &owing)
}

/// Whether there is a cycle through the given states with a fair edge on it.
fn has_fair_cycle(edges: &[Vec<(usize, bool)>], within: &[bool]) -> bool {
    let reaches = |from: usize, wanted: usize| {
        let mut seen = vec![false; edges.len()];
        let mut pending = vec![from];
        while let Some(state) = pending.pop() {
            if state == wanted {
                return true;
            }
            if !std::mem::replace(&mut seen[state], true) {
                let next = edges[state].iter().map(|(successor, _)| *successor);
                pending.extend(next.filter(|successor| within[*successor]));
            }
        }
        false
    };
    let fair_edge = |state: usize| {
        let mut fair = edges[state].iter().filter(|(_, fair)| *fair);
        fair.any(|(successor, _)| within[*successor] && reaches(*successor, state))
    };
    (0..edges.len()).any(|state| within[state] && fair_edge(state))
}
