//! Algorithm 1 of [MR16] on tables of states, from the definitions: it evaluates terms and
//! shares nothing with the engine but the specification. A step whose inputs break an assumption
//! about single states, whatever the outputs are, is not taken: the environment has broken it,
//! and nobody has forced it to. What auxiliary variables are follows from the step.

use respin::spec::gr1::{Gr1, Kind, Player, Side, TermId, Value, VariableId};

pub struct Explicit<'a> {
    spec: &'a Gr1,
    inputs: Vec<Vec<(VariableId, Value)>>,
    outputs: Vec<Vec<(VariableId, Value)>>,
    /// For each state and next one, whether auxiliary variables are as they are defined.
    defined: Vec<Vec<bool>>,
}

fn assignments(spec: &Gr1, player: Player) -> Vec<Vec<(VariableId, Value)>> {
    let mut all = vec![Vec::new()];
    for id in spec.variable_ids() {
        if spec.variable(id).owner != player {
            continue;
        }
        let values = spec.variable(id).domain.values();
        all = all
            .into_iter()
            .flat_map(|list: Vec<(VariableId, Value)>| {
                values.iter().map(move |value| {
                    let mut longer = list.clone();
                    longer.push((id, *value));
                    longer
                })
            })
            .collect();
    }
    all
}

impl<'a> Explicit<'a> {
    pub fn new(spec: &'a Gr1) -> Explicit<'a> {
        let mut found = Explicit {
            spec,
            inputs: assignments(spec, Player::Environment),
            outputs: assignments(spec, Player::System),
            defined: Vec::new(),
        };
        let states = 0..found.states();
        let defined = states.clone().map(|state| {
            let states = states.clone();
            let step = |next: usize| found.is_defined(Kind::Safety, state, next);
            states.map(step).collect()
        });
        found.defined = defined.collect();
        found
    }

    fn is_defined(&self, kind: Kind, state: usize, next: usize) -> bool {
        let parts = self.spec.constraints.iter();
        let mut parts = parts.filter(|part| part.definition.is_some() && part.kind == kind);
        parts.all(|part| self.holds(part.term, state, next))
    }

    fn holds(&self, term: TermId, state: usize, next: usize) -> bool {
        let mut value = |id, primed| self.value(if primed { next } else { state }, id);
        self.spec.evaluate(term, &mut value) != 0
    }

    fn states(&self) -> usize {
        self.inputs.len() * self.outputs.len()
    }

    fn value(&self, state: usize, id: VariableId) -> Value {
        let input = &self.inputs[state / self.outputs.len()];
        let output = &self.outputs[state % self.outputs.len()];
        let mut all = input.iter().chain(output);
        all.find(|(other, _)| *other == id).expect("a variable").1
    }

    fn all_hold(&self, side: Side, kind: Kind, state: usize, next: usize) -> bool {
        let mut constraints = self.spec.of(side, kind);
        constraints.all(|id| self.holds(self.spec.constraint(id).term, state, next))
    }

    /// The first answers (0 to the number of outputs) after each input of the environment
    /// that keeps safety.
    fn moves(&self, state: usize) -> Vec<usize> {
        let count = self.outputs.len();
        let inputs = 0..self.inputs.len();
        inputs
            .map(|input| input * count)
            .filter(|next| self.all_hold(Side::Assumption, Kind::Safety, state, *next))
            .collect()
    }

    /// Assumptions whose truth does not depend on next values.
    fn about_states(&self) -> Vec<TermId> {
        let states = 0..self.inputs.len() * self.outputs.len();
        let ids = self.spec.of(Side::Assumption, Kind::Safety);
        let terms = ids.map(|id| self.spec.constraint(id).term);
        let holds = |term: TermId, state: usize, next: usize| self.holds(term, state, next);
        terms
            .filter(|term| {
                states.clone().all(|state| {
                    let mut others = states.clone();
                    others.all(|next| holds(*term, state, next) == holds(*term, state, 0))
                })
            })
            .collect()
    }

    /// Whether with some outputs the inputs of a state keep these assumptions, in the first step
    /// or after another one.
    fn can_enter(&self, assumptions: &[TermId], before: Option<usize>, state: usize) -> bool {
        let count = self.outputs.len();
        let first = state / count * count;
        (first..first + count).any(|other| {
            let is_defined = match before {
                Some(before) => self.defined[before][other],
                None => self.is_defined(Kind::Initial, other, other),
            };
            is_defined
                && assumptions
                    .iter()
                    .all(|term| self.holds(*term, other, other))
        })
    }

    fn can(&self, moves: &[Vec<usize>], target: &[bool]) -> Vec<bool> {
        let count = self.outputs.len();
        let answered = |state: usize, first: usize| {
            let mut answers = first..first + count;
            answers.any(|next| target[next] && self.defined[state][next])
        };
        moves
            .iter()
            .enumerate()
            .map(|(state, moves)| moves.iter().all(|first| answered(state, *first)))
            .collect()
    }

    fn forced(&self, moves: &[Vec<usize>], justice: bool) -> Vec<bool> {
        let count = self.states();
        let mut reached = vec![false; count];
        loop {
            let closer = self.can(moves, &reached);
            let mut next: Vec<bool> = (0..count).map(|s| closer[s] || reached[s]).collect();
            let base = next.clone();
            if justice {
                for id in self.spec.of(Side::Assumption, Kind::Justice) {
                    let term = self.spec.constraint(id).term;
                    let mut stay = vec![true; count];
                    loop {
                        let can = self.can(moves, &stay);
                        let smaller: Vec<bool> = (0..count)
                            .map(|state| {
                                let mut value = |variable, _| self.value(state, variable);
                                let holds = self.spec.evaluate(term, &mut value) != 0;
                                base[state] || !holds && can[state]
                            })
                            .collect();
                        if smaller == stay {
                            break;
                        }
                        stay = smaller;
                    }
                    for state in 0..count {
                        next[state] |= stay[state];
                    }
                }
            }
            if next == reached {
                return reached;
            }
            reached = next;
        }
    }

    /// The cases, as the literature writes them.
    pub fn cases(&self) -> Vec<String> {
        let count = self.states();
        let outputs = self.outputs.len();
        let starts: Vec<usize> = (0..count)
            .filter(|state| self.all_hold(Side::Assumption, Kind::Initial, *state, *state))
            .filter(|state| self.is_defined(Kind::Initial, *state, *state))
            .collect();
        if starts.is_empty() {
            return vec!["(P-all, E-ini)".to_string()];
        }
        let moves: Vec<Vec<usize>> = (0..count).map(|state| self.moves(state)).collect();
        let assumptions = self.about_states();
        let mut reachable = vec![false; count];
        let mut pending = starts.clone();
        pending.retain(|state| self.can_enter(&assumptions, None, *state));
        if pending.is_empty() {
            pending = starts.clone();
        }
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut reachable[state], true) {
                let entered = moves[state].iter().filter(|first| {
                    let before = Some(state);
                    self.can_enter(&assumptions, before, **first)
                });
                let next = entered.flat_map(|first| *first..first + outputs);
                pending.extend(next.filter(|next| self.defined[state][*next]));
            }
        }
        let meets = |won: &[bool]| (0..count).any(|state| won[state] && reachable[state]);
        let from_all = |won: &[bool]| {
            starts.iter().all(|state| {
                let first = state / outputs * outputs;
                let mut answers = first..first + outputs;
                answers.any(|other| won[other] && self.is_defined(Kind::Initial, other, other))
            })
        };
        let mut cases = Vec::new();
        let safety = self.forced(&moves, false);
        if meets(&safety) {
            if from_all(&safety) {
                return vec!["(P-all, E-safe)".to_string()];
            }
            cases.push("(P-reach, E-safe)".to_string());
        }
        let justice = self.forced(&moves, true);
        if meets(&justice) {
            if from_all(&justice) {
                cases.push("(P-all, E-just)".to_string());
            } else if cases.is_empty() {
                cases.push("(P-reach, E-just)".to_string());
            }
        }
        cases
    }
}
