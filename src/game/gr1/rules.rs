//! One game out of a specification: the selected constraints, and a step back in it.
//!
//! A step back is `forall x': assumed -> exists y': guaranteed & Z'` over the safety
//! constraints of both sides. What speaks of the current state only is taken out of the
//! quantifiers: where an assumption is broken the system has won, where a guarantee is
//! broken it has lost unless the environment cannot move. An assumption about the system's
//! next values binds the environment as far as it goes: its move has to leave the system an
//! answer with which all assumptions hold, so `exists y'` is taken of them together.

use super::encode::{Bit, Encoding};
use super::steps::{Laws, Steps};
use super::{Gr1Game, Selection};
use crate::bdd::{Bdd, Manager, Result, Variable, VariableSet};
use crate::spec::gr1::{ConstraintId, Gr1, Kind, Player, Side};

/// A justice constraint in a game.
#[derive(Clone, Debug)]
pub struct Recurrence {
    /// `None` if it stands for none of the specification.
    pub constraint: Option<ConstraintId>,
    pub states: Bdd,
}

/// What the system may do besides keeping its guarantees: it may give them up where it can
/// break an assumption itself, or make the environment break one. Then the implication decides, not who breaks
/// safety first.
#[derive(Clone, Debug)]
pub struct Forfeit {
    /// Current values and next ones of the environment.
    pub moves: Bdd,
    /// First values of the environment.
    pub starts: Bdd,
}

pub struct Rules<'a> {
    spec: &'a Gr1,
    encoding: &'a Encoding,
    pub forfeit: Option<Forfeit>,
    /// What has to recur for the system to have an obligation. Never empty: without such
    /// constraints, one that always holds.
    pub assumed: Vec<Recurrence>,
    /// What the system has to make recur. Never empty.
    pub goals: Vec<Recurrence>,
    initial_assumption: Bdd,
    initial_guarantee: Bdd,
    moves: Steps,
    /// States from which the environment can move at all, with its assumptions about them kept.
    environment_alive: Bdd,
    /// Guarantees about the current state.
    invariant: Bdd,
    environment_now: VariableSet,
    system_now: VariableSet,
    pub(super) laws: Laws,
    /// States outside of these do not occur, and what is said of them need not be right.
    care: Bdd,
}

impl<'a> Rules<'a> {
    pub(super) fn new(
        game: &'a Gr1Game,
        selection: &Selection,
        of_plays: bool,
    ) -> Result<Rules<'a>> {
        let encoding = &game.encoding;
        let manager = encoding.manager();
        let spec = &game.spec;
        let environment_bits = encoding.bits_of(Player::Environment);
        let system_bits = encoding.bits_of(Player::System);
        let system_next = encoding.next_set(&system_bits)?;
        let system_now = encoding.now_set(&system_bits)?;
        let mut parts = Parts::of(game, selection)?;

        let assumed_now = all(manager, &parts.assumed_now)?;
        let invariant = all(manager, &parts.guaranteed_now)?;
        let assumed_of_system = all(manager, &parts.assumed_of_system)?;
        parts
            .assumed_steps
            .push(assumed_of_system.exists(&system_next)?);
        let always = |list: Vec<Recurrence>| {
            if list.is_empty() {
                vec![Recurrence {
                    constraint: None,
                    states: manager.one(),
                }]
            } else {
                list
            }
        };
        let assumed = always(parts.assumed);
        let goals = always(parts.goals);
        let laws = Laws {
            assumed: parts.assumed_steps,
            guaranteed: parts.guaranteed_steps,
            assumed_now,
            guaranteed_now: invariant.clone(),
        };
        let initial_assumption = all(manager, &parts.initial_assumption)?.exists(&system_now)?;
        let initial_guarantee = all(manager, &parts.initial_guarantee)?;
        let care = if of_plays {
            let first = initial_assumption.and(&initial_guarantee)?;
            super::invariant::invariant(encoding, &laws, &first)?
        } else {
            manager.one()
        };
        let moves = Steps::new(encoding, &laws, &read(manager, &assumed, &goals), &care)?;
        Ok(Rules {
            assumed,
            goals,
            initial_assumption,
            initial_guarantee,
            environment_alive: alive(&laws, &moves)?,
            moves,
            laws,
            invariant,
            environment_now: encoding.now_set(&environment_bits)?,
            system_now,
            care,
            encoding,
            spec,
            forfeit: None,
        })
    }

    pub fn manager(&self) -> &Manager {
        self.encoding.manager()
    }

    pub fn encoding(&self) -> &'a Encoding {
        self.encoding
    }

    pub fn spec(&self) -> &'a Gr1 {
        self.spec
    }

    /// The variables of the manager that anything in the game depends on.
    pub fn support(&self) -> Vec<Variable> {
        let mut functions = vec![
            &self.initial_assumption,
            &self.initial_guarantee,
            &self.environment_alive,
            &self.invariant,
        ];
        functions.extend(self.moves.environment_parts());
        functions.extend(self.moves.system_parts());
        let recurrences = self.assumed.iter().chain(&self.goals);
        functions.extend(recurrences.map(|recurrence| &recurrence.states));
        self.manager().shared_support(&functions)
    }

    /// The states from which the system can get into the given ones in one step, whatever
    /// the environment does, or wins at once.
    pub fn system_can(&self, target: &Bdd) -> Result<Bdd> {
        let target = self.encoding.to_next(&self.smaller(target)?)?;
        let answered = self.moves.answered(&target)?;
        let holds = match &self.forfeit {
            None => {
                let refuted = self.moves.moved(&answered.not())?;
                self.invariant.minus(&self.moves.settle(refuted)?)?
            }
            Some(forfeit) => {
                let answered = answered.and(&self.invariant)?.or(&forfeit.moves)?;
                let refuted = self.moves.moved(&answered.not())?;
                self.moves.settle(refuted)?.not()
            }
        };
        holds.or(&self.environment_alive.not())
    }

    /// From which states, and after which next values of the environment, the system has an
    /// answer in `target` that keeps its safety.
    pub fn answers(&self, target: &Bdd) -> Result<Bdd> {
        let target = self.encoding.to_next(target)?;
        let answered = self.moves.answered(&target)?;
        self.moves.settle(answered)?.and(&self.invariant)
    }

    /// The states from which the environment can get into the given ones in one step,
    /// whatever the system does, or wins at once.
    pub fn environment_can(&self, target: &Bdd) -> Result<Bdd> {
        Ok(self.system_can(&target.not())?.not())
    }

    /// The moves (values of next variables of the environment) after which the system
    /// cannot get into any state outside of `target`, from each state.
    pub fn environment_moves(&self, target: &Bdd) -> Result<Bdd> {
        self.environment_moves_from(&self.manager().one(), target)
    }

    /// The same from some states only, which is cheaper.
    pub fn environment_moves_from(&self, states: &Bdd, target: &Bdd) -> Result<Bdd> {
        let outside = self.smaller(&target.not())?;
        let outside = self.encoding.to_next(&outside)?.and(states)?;
        let answered = self.moves.answered(&outside)?;
        let mut answered = self.moves.settle(answered)?.and(&self.invariant)?;
        if let Some(forfeit) = &self.forfeit {
            answered = answered.or(&forfeit.moves)?;
        }
        let mut moves = states.minus(&answered)?;
        for part in self.moves.environment_parts() {
            moves = moves.and(part)?;
        }
        moves.and(&self.environment_alive)
    }

    /// The states that the system can choose from, given the states before and the next
    /// values of the environment (`moves`, over both), if it breaks no safety guarantee.
    pub fn successors(&self, moves: &Bdd) -> Result<Bdd> {
        let mut steps = moves.and(&self.invariant)?;
        for part in self.moves.system_parts() {
            steps = steps.and(part)?;
        }
        let next = steps
            .exists(&self.environment_now)?
            .exists(&self.system_now)?;
        self.encoding.to_now(&next)?.and(&self.invariant)
    }

    /// The states that the system can start in with these first values of the environment.
    pub fn starts(&self, inputs: &Bdd) -> Result<Bdd> {
        let states = inputs.and(&self.initial_guarantee)?;
        states.and(&self.initial_assumption)?.and(&self.invariant)
    }

    /// Exactly the states from which the system wins, wherever plays start.
    pub fn winning_states(&mut self) -> Result<Bdd> {
        let none = self.manager().zero();
        let initial = std::mem::replace(&mut self.initial_assumption, none);
        let decision = self.decide();
        self.initial_assumption = initial;
        Ok(decision?.winning)
    }

    /// All that steps have to keep, in parts.
    pub fn step_parts(&self) -> Vec<Bdd> {
        let mut parts = self.moves.system_parts().to_vec();
        parts.extend_from_slice(self.moves.environment_parts());
        parts.push(self.environment_alive.clone());
        parts.push(self.invariant.clone());
        parts
    }

    /// Assumptions about single states.
    pub fn assumed_now(&self) -> &Bdd {
        &self.laws.assumed_now
    }

    /// Guarantees about single states.
    pub fn invariant(&self) -> &Bdd {
        &self.invariant
    }

    /// The steps (current values, next values) that keep both sides' safety and end in `target`.
    pub fn steps_into(&self, target: &Bdd) -> Result<Bdd> {
        let mut steps = self.encoding.to_next(target)?.and(&self.invariant)?;
        steps = steps.and(&self.environment_alive)?;
        let own = self.moves.system_parts().iter();
        for part in own.chain(self.moves.environment_parts()) {
            steps = steps.and(part)?;
        }
        Ok(steps)
    }

    /// The first moves of the environment for which no answer of the system is in `states`;
    /// over current values.
    pub fn refuting_starts(&self, states: &Bdd) -> Result<Bdd> {
        let good = self.initial_guarantee.and(states)?;
        let mut answered = good.exists(&self.system_now)?;
        if let Some(forfeit) = &self.forfeit {
            answered = answered.or(&forfeit.starts)?;
        }
        self.initial_assumption.minus(&answered)
    }

    /// Whether the system can start in one of the states whatever the environment does.
    pub fn starts_in(&self, states: &Bdd) -> Result<bool> {
        Ok(self.refuting_starts(states)?.is_zero())
    }

    /// A set that is the same among the states that count.
    fn smaller(&self, states: &Bdd) -> Result<Bdd> {
        if self.care.is_one() {
            return Ok(states.clone());
        }
        states.minimize(&self.care)
    }

    /// The states that count: all, unless the rules are those of plays, or
    /// [`Rules::restrict_to_reachable`] has found fewer.
    pub fn care(&self) -> &Bdd {
        &self.care
    }

    /// States from which the environment can move, with its assumptions about them kept.
    pub(super) fn environment_alive(&self) -> &Bdd {
        &self.environment_alive
    }

    /// States before the next step: the guarantees about them are kept, and the environment
    /// can move.
    pub(super) fn leaving(&self) -> Result<Bdd> {
        self.invariant.and(&self.environment_alive)
    }

    /// From now on, only these states count. No legal step may leave them.
    pub(super) fn restrict_to(&mut self, care: Bdd) -> Result<()> {
        let read = read(self.manager(), &self.assumed, &self.goals);
        self.moves = Steps::new(self.encoding, &self.laws, &read, &care)?;
        self.invariant = self.laws.guaranteed_now.minimize(&care)?;
        self.environment_alive = alive(&self.laws, &self.moves)?.minimize(&care)?;
        for one in self.goals.iter_mut().chain(&mut self.assumed) {
            one.states = one.states.minimize(&care)?;
        }
        self.care = care;
        Ok(())
    }

    pub fn initial_assumption(&self) -> &Bdd {
        &self.initial_assumption
    }

    pub fn initial_guarantee(&self) -> &Bdd {
        &self.initial_guarantee
    }

    /// The current variables of one player.
    pub fn now_of(&self, player: Player) -> &VariableSet {
        match player {
            Player::Environment => &self.environment_now,
            Player::System => &self.system_now,
        }
    }
}

impl Gr1Game {
    /// Where an answer of the system breaks a selected assumption about its own next or first
    /// values, and keeps its selected constraints: under the implication, it wins by that.
    pub fn broken_by_answers(&self, selection: &Selection) -> Result<Forfeit> {
        let encoding = &self.encoding;
        let manager = encoding.manager();
        let bits = encoding.bits_of(Player::System);
        let (now, next) = (encoding.now_set(&bits)?, encoding.next_set(&bits)?);
        let parts = Parts::of(self, selection)?;
        let answers = all(manager, &parts.guaranteed_steps)?;
        let first = all(manager, &parts.initial_guarantee)?;
        Ok(Forfeit {
            moves: answers
                .minus(&all(manager, &parts.assumed_of_system)?)?
                .exists(&next)?,
            starts: first
                .minus(&all(manager, &parts.initial_assumption)?)?
                .exists(&now)?,
        })
    }
}

#[derive(Default)]
struct Parts {
    initial_assumption: Vec<Bdd>,
    initial_guarantee: Vec<Bdd>,
    assumed_steps: Vec<Bdd>,
    guaranteed_steps: Vec<Bdd>,
    assumed_now: Vec<Bdd>,
    guaranteed_now: Vec<Bdd>,
    /// About next values of the system.
    assumed_of_system: Vec<Bdd>,
    assumed: Vec<Recurrence>,
    goals: Vec<Recurrence>,
}

impl Parts {
    /// What a selection asks of both players, by what it speaks of.
    fn of(game: &Gr1Game, selection: &Selection) -> Result<Parts> {
        let mut parts = Parts::default();
        parts.add_constraints(game, selection)?;
        parts.add_domains(game)?;
        parts.add_frozen_variables(game, selection)?;
        let environment = game.encoding.bits_of(Player::Environment);
        let system = game.encoding.bits_of(Player::System);
        parts.sort_out(&game.encoding, &environment, &system);
        Ok(parts)
    }

    fn add_constraints(&mut self, game: &Gr1Game, selection: &Selection) -> Result<()> {
        let released = game.released(selection)?;
        for id in game.spec.constraint_ids() {
            if !selection.has(id) {
                continue;
            }
            let constraint = game.spec.constraint(id);
            let function = game.selected_function(id, selection, &released)?;
            match (constraint.side, constraint.kind) {
                (Side::Assumption, Kind::Initial) => self.initial_assumption.push(function),
                (Side::Guarantee, Kind::Initial) => self.initial_guarantee.push(function),
                (Side::Assumption, Kind::Safety) => self.assumed_steps.push(function),
                (Side::Guarantee, Kind::Safety) => self.guaranteed_steps.push(function),
                (side, Kind::Justice) => {
                    let list = match side {
                        Side::Assumption => &mut self.assumed,
                        Side::Guarantee => &mut self.goals,
                    };
                    // The same states twice are one goal.
                    if !list.iter().any(|other| other.states == function) {
                        list.push(Recurrence {
                            constraint: Some(id),
                            states: function,
                        });
                    }
                }
            }
        }
        Ok(())
    }

    /// Each player keeps its variables within their domains.
    fn add_domains(&mut self, game: &Gr1Game) -> Result<()> {
        for variable in game.spec.variable_ids() {
            let now = game.encoding.domain(&game.spec, variable, false)?;
            let next = game.encoding.domain(&game.spec, variable, true)?;
            match game.spec.variable(variable).owner {
                Player::Environment => {
                    self.initial_assumption.push(now);
                    self.assumed_steps.push(next);
                }
                Player::System => {
                    self.initial_guarantee.push(now);
                    self.guaranteed_steps.push(next);
                }
            }
        }
        Ok(())
    }

    fn add_frozen_variables(&mut self, game: &Gr1Game, selection: &Selection) -> Result<()> {
        let manager = game.encoding.manager();
        for variable in &selection.frozen_variables {
            let laws = match game.spec.variable(*variable).owner {
                Player::Environment => &mut self.assumed_steps,
                Player::System => &mut self.guaranteed_steps,
            };
            for bit in game.encoding.bits(*variable) {
                let (now, next) = (manager.literal(bit.now)?, manager.literal(bit.next)?);
                laws.push(now.iff(&next)?);
            }
        }
        Ok(())
    }

    /// Takes constraints on steps apart by what they speak of.
    fn sort_out(&mut self, encoding: &Encoding, environment: &[Bit], system: &[Bit]) {
        let count = encoding.manager().variable_count();
        let mut is_next = vec![false; count];
        let mut is_system_next = vec![false; count];
        for bit in environment.iter().chain(system) {
            is_next[bit.next.index()] = true;
        }
        for bit in system {
            is_system_next[bit.next.index()] = true;
        }
        for part in std::mem::take(&mut self.assumed_steps) {
            let support = part.support();
            if support
                .iter()
                .any(|variable| is_system_next[variable.index()])
            {
                self.assumed_of_system.push(part);
            } else if support.iter().any(|variable| is_next[variable.index()]) {
                self.assumed_steps.push(part);
            } else {
                self.assumed_now.push(part);
            }
        }
        for part in std::mem::take(&mut self.guaranteed_steps) {
            let support = part.support();
            if support.iter().any(|variable| is_next[variable.index()]) {
                self.guaranteed_steps.push(part);
            } else {
                self.guaranteed_now.push(part);
            }
        }
    }
}

/// From where the environment can move, with its assumptions about single states kept.
fn alive(laws: &Laws, moves: &Steps) -> Result<Bdd> {
    let moved = moves.moved(&laws.assumed_now.manager().one())?;
    moves.settle(moved)?.and(&laws.assumed_now)
}

/// What recurrences depend on.
fn read(manager: &Manager, assumed: &[Recurrence], goals: &[Recurrence]) -> Vec<Variable> {
    let states = assumed.iter().chain(goals).map(|one| &one.states);
    manager.shared_support(&states.collect::<Vec<_>>())
}

fn all(manager: &Manager, parts: &[Bdd]) -> Result<Bdd> {
    let mut result = manager.one();
    for part in parts {
        result = result.and(part)?;
    }
    Ok(result)
}
