//! The diagnostic game of a GR(1) specification, in words.

use super::diagnostic_game::{DiagnosticGame, Outcome};
use super::view::{Choice, Forced, View};
use super::{End, Play, Shown, Turn, User};
use crate::bdd::{self, Limits};
use crate::explain::settings::{line, parse_line};
use crate::explain::{
    Counterstrategy, Element, Minimizer, Narrator, Oracle, Recording, core, told,
};
use crate::game::gr1::Gr1Game;
use crate::load::LoadedGr1;
use crate::source::Diagnostic;
use crate::spec::gr1::{ConstraintId, Gr1, Player, Value, VariableId};
use crate::synth::Unknown;
use crate::synth::circuit::Meaning;

/// Shows the play against the counterstrategy of a minimal conflict.
pub fn show(
    loaded: &LoadedGr1,
    limits: &Limits,
    user: &mut User<'_>,
) -> Result<Result<Recording, Diagnostic>, Unknown> {
    let unknown = |reason: &str| Err(Unknown::because(reason));
    let game = Gr1Game::new(&loaded.spec, limits.clone())?;
    let mut oracle = Oracle::new(&game, loaded.semantics);
    let Some(core) = core(&mut oracle, Minimizer::DeltaDebugging, true)? else {
        return unknown("the specification is unrealizable, and has no conflict");
    };
    let selection = oracle.selection(&core);
    let Some(strategy) = Counterstrategy::new(oracle.rules(&core)?)? else {
        return unknown("the core is realizable");
    };
    let narrator = Narrator::new(&game, &selection, &strategy)?;
    let Some(play) = DiagnosticGame::new(&narrator)? else {
        return unknown("no first input wins");
    };
    let spec = game.spec();
    let guarantees: Vec<ConstraintId> = spec
        .constraint_ids()
        .filter(|id| oracle.number(Element::Guarantee(*id)).is_some())
        .filter(|id| selection.has(*id))
        .collect();
    let mut play = CounterstrategyPlay {
        spec,
        play,
        guarantees,
    };
    Ok(user(&mut play)?.map(|()| play.recording()))
}

struct CounterstrategyPlay<'p, 'n, 's, 'a> {
    spec: &'p Gr1,
    play: DiagnosticGame<'n, 's, 'a>,
    /// What the user has to keep.
    guarantees: Vec<ConstraintId>,
}

impl Play for CounterstrategyPlay<'_, '_, '_, '_> {
    fn greeting(&self) -> String {
        let names = list(self.spec, &self.guarantees);
        format!("You are the system, and have to keep {names}.")
    }

    fn asked(&self) -> &'static str {
        "outputs"
    }

    fn prompt(&mut self) -> bdd::Result<Vec<String>> {
        let (spec, play) = (self.spec, &self.play);
        let mut lines = vec![format!(
            "step {}: {}",
            play.steps(),
            line(spec, &play.input())
        )];
        if let Some(standing) = self.standing()? {
            lines.push(format!("  {standing}"));
        }
        // Later on, that has ended the play.
        let unanswerable = play.unanswerable()?;
        if !unanswerable.is_empty() {
            lines.push(format!("  no answer keeps {}", list(spec, &unanswerable)));
        }
        let mut forced = Vec::new();
        for id in play.outputs() {
            forced.extend(play.forced(id)?.map(|value| (id, value)));
        }
        if !forced.is_empty() {
            lines.push(format!("  forced: {}", line(spec, &forced)));
        }
        Ok(lines)
    }

    fn answer(&mut self, text: &str) -> bdd::Result<Result<Turn, Diagnostic>> {
        let spec = self.spec;
        let given = match parse_line(spec, text, &[Player::System]) {
            Ok(given) => given,
            Err(problem) => return Ok(Err(problem)),
        };
        let mut lines = vec![format!("  you: {}", line(spec, &given))];
        match self.play.answer(&given)? {
            Outcome::GoesOn => {}
            Outcome::Broken(ids) => {
                lines.push(format!("You have lost: that breaks {}.", list(spec, &ids)));
            }
            Outcome::Stuck(ids) => lines.push(format!(
                "You have lost: after {} no answer keeps {}.",
                line(spec, &self.play.input()),
                list(spec, &ids)
            )),
            Outcome::Repeats { step, goal } => {
                let goal = goal.map_or("some goal".to_string(), |id| {
                    format!("`{}`", spec.constraint(id).name)
                });
                lines.push(format!(
                    "  The play is where it was after step {step}; going on like this, you lose \
                     {goal}."
                ));
            }
        }
        let end = if self.play.is_over() {
            End::Over
        } else {
            End::GoesOn
        };
        Ok(Ok(Turn { lines, end }))
    }

    fn recording(&self) -> Recording {
        let (run, meanings) = self.play.run();
        Recording {
            goals: vec![None; run.steps],
            run,
            meanings,
        }
    }

    fn choices(&self) -> Vec<Choice> {
        let outputs = self.outputs().into_iter();
        outputs.map(|id| self.choice(id)).collect()
    }

    fn view(&mut self, marks: bool) -> bdd::Result<View> {
        let spec = self.spec;
        let text = |id: VariableId, value: Value| {
            let variable = spec.variable(id);
            spec.value_text(&variable.domain, value)
        };
        let inputs = self.play.input().into_iter();
        let shown = inputs.map(|(id, value)| (spec.variable(id).name.clone(), text(id, value)));
        let shown = shown.collect();
        let mut choices = Vec::new();
        for id in self.outputs() {
            let mut choice = self.choice(id);
            if let Some(value) = self.play.forced(id)? {
                let because = self.play.forced_by(id, value)?;
                choice.forced = Some(Forced {
                    value: text(id, value),
                    because: told::names(spec, &because),
                });
            }
            if marks {
                let possible = self.play.possible(id)?;
                let possible: Vec<String> =
                    possible.into_iter().map(|value| text(id, value)).collect();
                choice.losing = choice.values.clone();
                choice.losing.retain(|value| !possible.contains(value));
            }
            choices.push(choice);
        }
        Ok(View {
            step: self.play.steps(),
            shown,
            choices,
            is_marked: marks,
            hint: self.standing()?,
        })
    }

    fn restart(&mut self) -> Shown {
        Ok(Ok(self.play.restart()?))
    }
}

impl CounterstrategyPlay<'_, '_, '_, '_> {
    /// What waits for the user.
    fn outputs(&self) -> Vec<VariableId> {
        match self.play.is_over() {
            true => Vec::new(),
            false => self.play.outputs(),
        }
    }

    fn choice(&self, id: VariableId) -> Choice {
        let variable = self.spec.variable(id);
        Choice::new(&variable.name, &Meaning::of(self.spec, &variable.domain))
    }

    /// What the environment is about.
    fn standing(&self) -> bdd::Result<Option<String>> {
        let name = |id: ConstraintId| format!("`{}`", self.spec.constraint(id).name);
        Ok(self.play.standing()?.map(|standing| {
            let works = standing
                .assumption
                .map_or("nothing that has to recur".to_string(), name);
            let prevents = match standing.goal {
                Some(id) => format!("prevents {}", name(id)),
                None => "forces a violation".to_string(),
            };
            format!(
                "the environment works for {works} and {prevents}; iterate {}",
                standing.iterate
            )
        }))
    }
}

/// Constraints as sentences name them; of no use are names of what nobody wrote.
fn list(spec: &Gr1, ids: &[ConstraintId]) -> String {
    let names = told::names(spec, ids).into_iter();
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
