//! Who wins a small game, state by state: a parity game of three colors, solved by
//! Zielonka's algorithm. Nothing is shared with the program, not even the kind of fixpoint.
//!
//! Recurrences are counted: when all assumed ones have happened in turn, the step has the
//! color 1; when all goals have, it has the color 2; otherwise 0. The system wins a play if
//! the greatest color that recurs is even.

use super::sketch::Sketch;
use std::collections::HashMap;

/// A player's strategy: a relation of moves for each value of a memory, and when the memory
/// moves on. The arguments are the memory, the state, the inputs and the choices.
pub struct Strategy<'a> {
    pub memories: usize,
    pub allows: &'a dyn Fn(usize, usize, usize, usize) -> bool,
    pub moves_on: &'a dyn Fn(usize, usize, usize, usize) -> bool,
}

/// Who is bound by a strategy. Whatever it allows may happen, as the other player likes it.
pub enum Bound<'a> {
    Nobody,
    System(Strategy<'a>),
    Environment(Strategy<'a>),
}

/// By state, whether the system wins from there.
pub fn system_wins(sketch: &Sketch, bound: &Bound) -> Vec<bool> {
    let mut graph = Graph {
        sketch,
        bound,
        vertices: Vec::new(),
        numbers: HashMap::new(),
        pending: Vec::new(),
    };
    let starts: Vec<usize> = (0..sketch.state_count())
        .map(|state| {
            graph.number(Place::Environment {
                state,
                assumed: 0,
                goal: 0,
                memory: 0,
                color: 0,
            })
        })
        .collect();
    graph.explore();
    let all = vec![true; graph.vertices.len()];
    let won = zielonka(&graph.vertices, &all);
    starts.into_iter().map(|start| won[start]).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// The environment is to set the inputs; the color is that of the step before.
    Environment {
        state: usize,
        assumed: usize,
        goal: usize,
        memory: usize,
        color: usize,
    },
    System {
        state: usize,
        inputs: usize,
        assumed: usize,
        goal: usize,
        memory: usize,
    },
    Won,
    Lost,
}

struct Vertex {
    is_systems: bool,
    color: usize,
    successors: Vec<usize>,
}

struct Graph<'a> {
    sketch: &'a Sketch,
    bound: &'a Bound<'a>,
    vertices: Vec<Vertex>,
    numbers: HashMap<Place, usize>,
    pending: Vec<Place>,
}

impl Graph<'_> {
    fn number(&mut self, place: Place) -> usize {
        if let Some(number) = self.numbers.get(&place) {
            return *number;
        }
        let number = self.vertices.len();
        let (is_systems, color) = match place {
            Place::Environment { color, .. } => {
                (matches!(self.bound, Bound::Environment(_)), color)
            }
            Place::System { .. } => (!matches!(self.bound, Bound::System(_)), 0),
            Place::Won => (true, 2),
            Place::Lost => (true, 1),
        };
        self.vertices.push(Vertex {
            is_systems,
            color,
            successors: Vec::new(),
        });
        self.numbers.insert(place, number);
        self.pending.push(place);
        number
    }

    fn explore(&mut self) {
        while let Some(place) = self.pending.pop() {
            let number = self.numbers[&place];
            let mut next = self.moves(place);
            if next.is_empty() {
                // Who follows a strategy that does not say how to go on has lost.
                next.push(match self.bound {
                    Bound::Environment(_) => Place::Won,
                    _ => Place::Lost,
                });
            }
            let successors = next.into_iter().map(|next| self.number(next)).collect();
            self.vertices[number].successors = successors;
        }
    }

    fn moves(&self, place: Place) -> Vec<Place> {
        match place {
            Place::Won | Place::Lost => vec![place],
            Place::Environment {
                state,
                assumed,
                goal,
                memory,
                ..
            } => (0..1 << self.sketch.inputs)
                .filter(|inputs| match self.bound {
                    Bound::Environment(own) => (own.allows)(memory, state, *inputs, 0),
                    _ => true,
                })
                .map(|inputs| Place::System {
                    state,
                    inputs,
                    assumed,
                    goal,
                    memory,
                })
                .collect(),
            Place::System {
                state,
                inputs,
                assumed,
                goal,
                memory,
            } => (0..1 << self.sketch.choices)
                .filter(|choices| match self.bound {
                    Bound::System(own) => (own.allows)(memory, state, inputs, *choices),
                    _ => true,
                })
                .map(|choices| self.after(state, inputs, choices, assumed, goal, memory))
                .collect(),
        }
    }

    fn after(
        &self,
        state: usize,
        inputs: usize,
        choices: usize,
        assumed: usize,
        goal: usize,
        memory: usize,
    ) -> Place {
        let sketch = self.sketch;
        let step = sketch.step(state, inputs, choices);
        if !step.is(sketch.assumption) {
            return Place::Won;
        }
        if !step.is(sketch.guarantee) {
            return Place::Lost;
        }
        let count = |literals: &[u32], at: usize| match literals.get(at) {
            Some(literal) if !step.is(*literal) => (at, false),
            Some(_) if at + 1 < literals.len() => (at + 1, false),
            // All have happened, or there are none to wait for.
            _ => (0, true),
        };
        let (assumed, all_assumed) = count(&sketch.assumed, assumed);
        let (goal, all_goals) = count(&sketch.goals, goal);
        let memory = match self.bound {
            Bound::System(own) | Bound::Environment(own)
                if (own.moves_on)(memory, state, inputs, choices) =>
            {
                (memory + 1) % own.memories
            }
            _ => memory,
        };
        Place::Environment {
            state: sketch.successor(&step),
            assumed,
            goal,
            memory,
            color: match (all_goals, all_assumed) {
                (true, _) => 2,
                (false, true) => 1,
                (false, false) => 0,
            },
        }
    }
}

/// By vertex of the part, whether the system wins; false outside of it.
fn zielonka(vertices: &[Vertex], part: &[bool]) -> Vec<bool> {
    let inside = |vertex: &usize| part[*vertex];
    let Some(color) = (0..vertices.len())
        .filter(inside)
        .map(|vertex| vertices[vertex].color)
        .max()
    else {
        return vec![false; vertices.len()];
    };
    let for_system = color % 2 == 0;
    let best: Vec<bool> = (0..vertices.len())
        .map(|vertex| part[vertex] && vertices[vertex].color == color)
        .collect();
    let near = attract(vertices, part, best, for_system);
    let rest = minus(part, &near);
    let won = zielonka(vertices, &rest);
    // What the other player wins of the rest.
    let other: Vec<bool> = (0..vertices.len())
        .map(|vertex| rest[vertex] && won[vertex] != for_system)
        .collect();
    if !other.contains(&true) {
        return part.iter().map(|inside| *inside && for_system).collect();
    }
    let lost = attract(vertices, part, other, !for_system);
    let again = zielonka(vertices, &minus(part, &lost));
    (0..vertices.len())
        .map(|vertex| again[vertex] || (lost[vertex] && !for_system))
        .collect()
}

fn minus(part: &[bool], taken: &[bool]) -> Vec<bool> {
    part.iter()
        .zip(taken)
        .map(|(part, taken)| *part && !taken)
        .collect()
}

/// The vertices of the part from which a player can force a visit of the target.
fn attract(
    vertices: &[Vertex],
    part: &[bool],
    mut target: Vec<bool>,
    by_system: bool,
) -> Vec<bool> {
    loop {
        let mut grown = false;
        for (number, vertex) in vertices.iter().enumerate() {
            if target[number] || !part[number] {
                continue;
            }
            let mut next = vertex.successors.iter().filter(|next| part[**next]);
            let caught = if vertex.is_systems == by_system {
                next.any(|next| target[*next])
            } else {
                next.all(|next| target[*next])
            };
            if caught {
                target[number] = true;
                grown = true;
            }
        }
        if !grown {
            return target;
        }
    }
}
