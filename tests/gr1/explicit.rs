//! A GR(1) solver that visits every state, written from the definition: it evaluates terms
//! and keeps tables of states, and shares nothing with the engine but the specification.

use respin::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side, Value, VariableId};

pub struct Explicit<'a> {
    spec: &'a Gr1,
    /// All assignments to the variables of each player.
    environment: Vec<Vec<(VariableId, Value)>>,
    system: Vec<Vec<(VariableId, Value)>>,
    /// For each state, first move and answer: what a step is worth.
    steps: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// After the first half of the step no assumption can be kept, whatever the answer.
    AssumptionBroken,
    GuaranteeBroken,
    Fine,
}

impl<'a> Explicit<'a> {
    pub fn new(spec: &'a Gr1) -> Explicit<'a> {
        let mut explicit = Explicit {
            spec,
            environment: assignments(spec, Player::Environment),
            system: assignments(spec, Player::System),
            steps: Vec::new(),
        };
        let (count, answers) = (explicit.states(), explicit.system.len());
        for state in 0..count {
            for next in 0..count {
                let keeps = |side, next| {
                    let kept = |id: ConstraintId| explicit.holds(id, state, Some(next));
                    explicit.constraints(side, Kind::Safety).all(kept)
                };
                let first = next / answers * answers;
                let mut alternatives = first..first + answers;
                let step = if !alternatives.any(|other| keeps(Side::Assumption, other)) {
                    Step::AssumptionBroken
                } else if !keeps(Side::Guarantee, next) {
                    Step::GuaranteeBroken
                } else {
                    Step::Fine
                };
                explicit.steps.push(step);
            }
        }
        explicit
    }

    fn states(&self) -> usize {
        self.environment.len() * self.system.len()
    }

    fn constraints(&self, side: Side, kind: Kind) -> impl Iterator<Item = ConstraintId> + '_ {
        self.spec.constraint_ids().filter(move |id| {
            let constraint = self.spec.constraint(*id);
            constraint.side == side && constraint.kind == kind
        })
    }

    fn value(&self, state: usize, variable: VariableId) -> Value {
        let first = &self.environment[state / self.system.len()];
        let second = &self.system[state % self.system.len()];
        let mut all = first.iter().chain(second);
        all.find(|(id, _)| *id == variable).expect("a variable").1
    }

    fn holds(&self, id: ConstraintId, state: usize, next: Option<usize>) -> bool {
        let mut value = |variable, primed| {
            let state = if primed { next.expect("a step") } else { state };
            self.value(state, variable)
        };
        self.spec
            .evaluate(self.spec.constraint(id).term, &mut value)
            != 0
    }

    fn table(&self, id: ConstraintId) -> Vec<bool> {
        (0..self.states())
            .map(|state| self.holds(id, state, None))
            .collect()
    }

    fn system_can(&self, target: &[bool]) -> Vec<bool> {
        let (count, answers) = (self.states(), self.system.len());
        (0..count)
            .map(|state| {
                (0..self.environment.len()).all(|first| {
                    (0..answers).any(|second| {
                        let next = first * answers + second;
                        match self.steps[state * count + next] {
                            Step::AssumptionBroken => true,
                            Step::GuaranteeBroken => false,
                            Step::Fine => target[next],
                        }
                    })
                })
            })
            .collect()
    }

    /// Whether the system wins.
    pub fn realizable(&self) -> bool {
        let winning = self.winning();
        let answers = self.system.len();
        (0..self.environment.len()).all(|first| {
            let keeps = |side, state| {
                let mut initial = self.constraints(side, Kind::Initial);
                initial.all(|id| self.holds(id, state, None))
            };
            let mut starts = first * answers..(first + 1) * answers;
            !starts.clone().any(|state| keeps(Side::Assumption, state))
                || starts.any(|state| keeps(Side::Guarantee, state) && winning[state])
        })
    }

    pub fn winning(&self) -> Vec<bool> {
        let tables = |side| -> Vec<Vec<bool>> {
            let mut tables: Vec<Vec<bool>> = self
                .constraints(side, Kind::Justice)
                .map(|id| self.table(id))
                .collect();
            if tables.is_empty() {
                tables.push(vec![true; self.states()]);
            }
            tables
        };
        let (assumed, goals) = (tables(Side::Assumption), tables(Side::Guarantee));
        let mut outer = vec![true; self.states()];
        loop {
            let before = outer.clone();
            for goal in &goals {
                let stays = self.system_can(&outer);
                let mut middle = vec![false; self.states()];
                loop {
                    let closer = self.system_can(&middle);
                    let mut grown = middle.clone();
                    for waited in &assumed {
                        let mut inner = vec![true; self.states()];
                        loop {
                            let waits = self.system_can(&inner);
                            let next: Vec<bool> = (0..self.states())
                                .map(|state| {
                                    goal[state] && stays[state]
                                        || closer[state]
                                        || !waited[state] && waits[state]
                                })
                                .collect();
                            if next == inner {
                                break;
                            }
                            inner = next;
                        }
                        for (state, reached) in inner.iter().enumerate() {
                            grown[state] |= reached;
                        }
                    }
                    if grown == middle {
                        break;
                    }
                    middle = grown;
                }
                outer = middle;
            }
            if outer == before {
                return outer;
            }
        }
    }
}

fn assignments(spec: &Gr1, player: Player) -> Vec<Vec<(VariableId, Value)>> {
    let mut found: Vec<Vec<(VariableId, Value)>> = vec![Vec::new()];
    for id in spec.variable_ids() {
        let variable = spec.variable(id);
        if variable.owner != player {
            continue;
        }
        let values = variable.domain.values();
        found = found
            .into_iter()
            .flat_map(|assignment| {
                values.iter().map(move |value| {
                    let mut longer = assignment.clone();
                    longer.push((id, *value));
                    longer
                })
            })
            .collect();
    }
    found
}
