//! A specification in LTL that nobody can satisfy and that is to be changed: what its changes are
//! made of.

use super::solver::Solver;
use super::trace::run;
use super::{plain_name, signals_of};
use crate::bdd::{self, Limits};
use crate::certify::ltl::{Strategy, together, whole};
use crate::explain::candidates::Literal;
use crate::expr::{Expr, ExprKind};
use crate::game::gr1::CommonPlay;
use crate::run::{Run, SignalKind};
use crate::spec::gr1::{Domain, Gr1, Player, VariableId};
use crate::spec::ltl::{LtlSpec, Part, Section};
use crate::spec::{Atom, FormulaId, Formulas};
use crate::synth::ltl::Failure;
use std::collections::BTreeSet;

/// The part of the time that is left which one question may take.
const QUESTION: f64 = 0.25;

pub struct Ground<'a> {
    pub spec: &'a LtlSpec,
    /// Guarantees that conflict, by their indices.
    pub core: &'a [usize],
    pub limits: Limits,
    pub solver: Solver,
    /// The signals that changes may be about, as the variables of a specification with nothing
    /// else: what is tried is the same as for GR(1).
    pub signals: Gr1,
    /// Those that the conflict is about.
    pub variables: BTreeSet<VariableId>,
}

/// A play that keeps everything.
pub enum Common {
    Play(Run),
    /// A solver says that there is none.
    Nothing,
    /// That stays open.
    Unknown,
}

impl<'a> Ground<'a> {
    pub fn new(spec: &'a LtlSpec, core: &'a [usize], limits: Limits) -> Ground<'a> {
        let signals = near(spec, core);
        let mut variables = Gr1::default();
        for (names, owner) in [
            (&spec.inputs, Player::Environment),
            (&spec.outputs, Player::System),
        ] {
            for name in names.iter().filter(|name| signals.contains(*name)) {
                variables.add_variable(name.clone(), owner, Domain::Boolean, None);
            }
        }
        let of_core = of_parts(spec, core);
        let ids = of_core
            .iter()
            .filter_map(|name| variables.find_variable(name));
        Ground {
            spec,
            core,
            solver: Solver::new(limits.clone(), QUESTION),
            limits,
            variables: ids.collect(),
            signals: variables,
        }
    }

    /// A play that keeps all parts of a specification with the same signals.
    pub fn common_play(&mut self, spec: &LtlSpec) -> Result<Common, Failure> {
        let asked = together(spec);
        let Some(strategy) = self.solver.strategy(&asked)? else {
            return Ok(Common::Unknown);
        };
        if !strategy.is_controller {
            return Ok(Common::Nothing);
        }
        // Nobody else moves: what it does is the play.
        let alone = LtlSpec {
            inputs: asked.outputs,
            ..LtlSpec::default()
        };
        let Some(mut found) = run(&alone, &strategy.circuit, 0)? else {
            return Ok(Common::Unknown);
        };
        for signal in &mut found.signals {
            if spec.outputs.contains(&signal.name) {
                signal.kind = SignalKind::Output;
            }
        }
        Ok(Common::Play(found))
    }

    /// A play that keeps everything, in which as many inputs as possible never change.
    pub fn calm_play(&mut self) -> Result<Option<Run>, Failure> {
        let mut spec = self.spec.clone();
        let mut found = None;
        let inputs = self.signals.variables.iter();
        let inputs = inputs.filter(|one| one.owner == Player::Environment);
        let inputs: Vec<String> = inputs.map(|one| one.name.clone()).collect();
        for name in inputs {
            let high = signal(&mut spec.formulas, &name);
            let low = spec.formulas.not(high);
            for formula in [low, high] {
                spec.parts.push(Part {
                    section: Section::Require,
                    name: format!("calm/{name}"),
                    span: None,
                    formula,
                });
                if let Common::Play(play) = self.common_play(&spec)? {
                    found = Some(play);
                    break;
                }
                spec.parts.pop();
            }
        }
        Ok(found)
    }

    /// Asks further questions within these limits.
    pub fn limit(&mut self, limits: Limits) {
        self.solver.limits = limits.clone();
        self.limits = limits;
    }

    /// A play as values of the variables that changes may be about.
    pub fn values(&self, play: &Run) -> CommonPlay {
        let value = |name: &str, step: usize| {
            let signal = play.signal(name);
            i64::from(signal.is_some_and(|signal| signal.is_one(step)))
        };
        let variables = &self.signals.variables;
        CommonPlay {
            steps: (0..play.steps)
                .map(|step| variables.iter().map(|one| value(&one.name, step)).collect())
                .collect(),
            loop_start: play.loop_start.unwrap_or_default(),
        }
    }

    /// A literal over the variables, as a formula.
    pub fn literal(&self, formulas: &mut Formulas, literal: Literal) -> FormulaId {
        let name = &self.signals.variable(literal.variable).name;
        let signal = signal(formulas, name);
        match (literal.value == 1) == literal.is_equal {
            true => signal,
            false => formulas.not(signal),
        }
    }

    /// Who asks for proofs gets what the solver says.
    pub fn prover(&mut self) -> impl FnMut(&LtlSpec) -> bdd::Result<Option<Strategy>> + '_ {
        |asked: &LtlSpec| self.solver.strategy(asked)
    }
}

/// The signals that parts name.
fn of_parts(spec: &LtlSpec, parts: &[usize]) -> BTreeSet<String> {
    let parts = parts.iter().map(|index| spec.parts[*index].formula);
    parts
        .flat_map(|formula| signals_of(&spec.formulas, formula))
        .collect()
}

/// The signals that a conflict names, and those that assumptions connect with them; if it names
/// none, all.
fn near(spec: &LtlSpec, core: &[usize]) -> BTreeSet<String> {
    let mut found = of_parts(spec, core);
    let is_signal = |name: &String| spec.inputs.contains(name) || spec.outputs.contains(name);
    if !found.iter().any(is_signal) {
        return spec.inputs.iter().chain(&spec.outputs).cloned().collect();
    }
    loop {
        let before = found.len();
        for part in spec.parts.iter().filter(|one| one.section.is_assumption()) {
            let names = signals_of(&spec.formulas, part.formula);
            if names.iter().any(|name| found.contains(name)) {
                found.extend(names);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The formula that a signal is 1.
fn signal(formulas: &mut Formulas, name: &str) -> FormulaId {
    let known = formulas.atom_ids().find(|atom| match formulas.atom(*atom) {
        Atom::Condition(expr) => plain_name(&expr.to_string()) == name,
        Atom::Past(_) => false,
    });
    match known {
        Some(atom) => formulas.of_atom(atom),
        None => formulas.condition_atom(&Expr {
            kind: ExprKind::Name(vec![name.to_string()]),
            span: None,
        }),
    }
}

/// What a guarantee says of a whole run, in the formulas of a copy of the specification.
pub fn with_whole(spec: &LtlSpec, part: usize) -> (LtlSpec, FormulaId) {
    let mut copy = spec.clone();
    let formula = whole(&mut copy, part);
    (copy, formula)
}
