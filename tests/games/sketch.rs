//! Small random games as plain numbers, and what they mean.
//!
//! Signals are numbered: 0 is the constant false, then come latches, inputs, choices and
//! gates. A literal is twice the signal, plus one if it is complemented.

use respin::design::{Design, InputKind, Literal, NodeId, Reset};
use respin::game::{Arena, Objective};
use respin::random::Random;

#[derive(Clone, Debug)]
pub struct Sketch {
    pub latches: Vec<(Start, u32)>,
    pub inputs: usize,
    pub choices: usize,
    pub gates: Vec<(u32, u32)>,
    pub assumption: u32,
    pub guarantee: u32,
    pub assumed: Vec<u32>,
    pub goals: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    Zero,
    One,
    Free,
    /// A choice that the system makes once; the latch keeps its value.
    Rigid,
}

/// What a step does: the value of each signal.
pub struct Step(Vec<bool>);

impl Step {
    pub fn is(&self, literal: u32) -> bool {
        self.0[literal as usize / 2] != (literal % 2 == 1)
    }
}

impl Sketch {
    /// The objective of a kind; kinds are numbered from 0.
    pub fn random(kind: usize, random: &mut Random) -> Sketch {
        let latches = 1 + random.below(4);
        let mut sketch = Sketch {
            latches: Vec::new(),
            inputs: random.below(3),
            choices: random.below(3),
            gates: Vec::new(),
            assumption: 1,
            guarantee: 1,
            assumed: Vec::new(),
            goals: Vec::new(),
        };
        let leaves = 1 + latches + sketch.inputs + sketch.choices;
        let gates = 4 + random.below(10);
        for gate in 0..gates {
            // Constants would make most gates constant, and recent gates make deep ones.
            let mut operand = || {
                let signal = 1 + random.below(leaves + gate - 1);
                (2 * signal + random.below(2)) as u32
            };
            sketch.gates.push((operand(), operand()));
        }
        let signals = leaves + gates;
        let any = |random: &mut Random| {
            let from = if random.below(3) == 0 { 1 } else { leaves };
            (2 * (from + random.below(signals - from)) + random.below(2)) as u32
        };
        for place in 0..latches {
            let start = match random.below(8) {
                0 => Start::One,
                1 => Start::Free,
                2 if kind == 4 => Start::Rigid,
                _ => Start::Zero,
            };
            let own = 2 * (1 + place) as u32;
            let next = if start == Start::Rigid {
                own
            } else {
                any(random)
            };
            sketch.latches.push((start, next));
        }
        if random.below(3) == 0 {
            sketch.assumption = any(random);
        }
        if kind == 0 || random.below(2) == 0 {
            sketch.guarantee = any(random);
        }
        match kind {
            0 => {}
            1 => sketch.reach(any(random)),
            2 => sketch.goals.push(any(random)),
            3 => sketch.goals = (0..2 + random.below(2)).map(|_| any(random)).collect(),
            _ => {
                sketch.assumed = (0..1 + random.below(2)).map(|_| any(random)).collect();
                sketch.goals = (0..1 + random.below(2)).map(|_| any(random)).collect();
            }
        }
        sketch
    }

    /// The goal that something happens once: the last latch remembers it.
    fn reach(&mut self, wanted: u32) {
        let last = self.latches.len() - 1;
        let remembered = 2 * (1 + last) as u32;
        let gate = 2 * self.signal_count() as u32;
        self.gates.push((wanted ^ 1, remembered ^ 1));
        self.latches[last] = (Start::Zero, gate ^ 1);
        self.goals = vec![gate ^ 1];
    }

    fn signal_count(&self) -> usize {
        1 + self.latches.len() + self.inputs + self.choices + self.gates.len()
    }

    pub fn state_count(&self) -> usize {
        1 << self.latches.len()
    }

    /// The values of all signals, for bits of the state, the inputs and the choices.
    pub fn step(&self, state: usize, inputs: usize, choices: usize) -> Step {
        let mut values = vec![false];
        let bits = |value: usize, count: usize| (0..count).map(move |bit| value >> bit & 1 == 1);
        values.extend(bits(state, self.latches.len()));
        values.extend(bits(inputs, self.inputs));
        values.extend(bits(choices, self.choices));
        let mut step = Step(values);
        for (left, right) in &self.gates {
            let value = step.is(*left) && step.is(*right);
            step.0.push(value);
        }
        step
    }

    pub fn successor(&self, step: &Step) -> usize {
        let next = self.latches.iter().enumerate();
        next.filter(|(_, (_, next))| step.is(*next))
            .map(|(bit, _)| 1 << bit)
            .sum()
    }

    /// The states in which a play may start, if the rigid latches are as in `like`.
    pub fn starts(&self, like: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.state_count()).filter(move |state| {
            self.latches.iter().enumerate().all(|(bit, (start, _))| {
                let value = state >> bit & 1;
                match start {
                    Start::Zero => value == 0,
                    Start::One => value == 1,
                    Start::Free => true,
                    Start::Rigid => value == like >> bit & 1,
                }
            })
        })
    }

    /// One state for each way to make the rigid choices.
    pub fn rigid_choices(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.state_count()).filter(|state| {
            let bits = self.latches.iter().enumerate();
            bits.into_iter()
                .all(|(bit, (start, _))| *start == Start::Rigid || state >> bit & 1 == 0)
        })
    }

    /// The game as the program knows it, and the node of each latch, input and choice.
    pub fn arena(&self) -> (Arena, Vec<NodeId>) {
        let mut design = Design::new();
        let mut nodes = Vec::new();
        for (start, _) in &self.latches {
            nodes.push(design.add_latch(match start {
                Start::Zero => Reset::Zero,
                Start::One => Reset::One,
                Start::Free => Reset::Free,
                Start::Rigid => Reset::Choice,
            }));
        }
        for _ in 0..self.inputs {
            nodes.push(design.add_input(InputKind::Environment));
        }
        for _ in 0..self.choices {
            nodes.push(design.add_input(InputKind::Choice));
        }
        let leaves = nodes.clone();
        let mut signals = vec![Literal::FALSE];
        signals.extend(nodes.iter().map(|id| id.literal()));
        let literal = |signals: &[Literal], code: u32| {
            let plain = signals[code as usize / 2];
            if code % 2 == 1 { !plain } else { plain }
        };
        for (left, right) in &self.gates {
            let (left, right) = (literal(&signals, *left), literal(&signals, *right));
            signals.push(design.add_gate(left, right).literal());
        }
        for ((_, next), id) in self.latches.iter().zip(&nodes) {
            design.set_next(*id, literal(&signals, *next));
        }
        let all = |codes: &[u32]| codes.iter().map(|code| literal(&signals, *code)).collect();
        let objective = Objective {
            assumption: literal(&signals, self.assumption),
            guarantee: literal(&signals, self.guarantee),
            assumed_recurrences: all(&self.assumed),
            goals: all(&self.goals),
        };
        let arena = Arena {
            design,
            objective,
            automaton_choices: Vec::new(),
        };
        (arena, leaves)
    }

    /// Games that are a little simpler.
    pub fn simpler(&self) -> Vec<Sketch> {
        let mut found = Vec::new();
        let mut try_with = |change: &dyn Fn(&mut Sketch)| {
            let mut simpler = self.clone();
            change(&mut simpler);
            found.push(simpler);
        };
        for place in 0..self.goals.len() {
            try_with(&|sketch| {
                sketch.goals.remove(place);
            });
        }
        for place in 0..self.assumed.len() {
            try_with(&|sketch| {
                sketch.assumed.remove(place);
            });
        }
        for value in [1, 0] {
            for place in 0..self.gates.len() {
                // A constant is as simple as the other one.
                if self.gates[place].0 > 1 {
                    try_with(&|sketch| sketch.gates[place] = (value, value));
                }
            }
            for (place, (start, next)) in self.latches.iter().enumerate() {
                if *start != Start::Rigid && *next > 1 {
                    try_with(&|sketch| sketch.latches[place].1 = value);
                }
            }
        }
        if self.assumption != 1 {
            try_with(&|sketch| sketch.assumption = 1);
        }
        if self.guarantee != 1 {
            try_with(&|sketch| sketch.guarantee = 1);
        }
        found
    }
}
