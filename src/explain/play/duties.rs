//! What the user of a play against a circuit has to keep, followed step by step.
//!
//! A controller of a GR(1) specification tells itself whether inputs keep the assumptions. The
//! formulas of any other specification are followed by progression, which shows in most cases the
//! step in which one is broken for good; and a play that repeats is an infinite word, on which
//! each of them holds or not.

use crate::certify::Judged;
use crate::certify::ltl::{observe, whole};
use crate::design::{Literal, elaborate_atom};
use crate::source::Diagnostic;
use crate::spec::automaton::followed::Followed;
use crate::spec::lasso::Lasso;
use crate::spec::ltl::LtlSpec;
use crate::spec::normal_form::negation_normal_form;
use crate::spec::past::PastCircuit;
use crate::spec::{Atom, AtomId, FormulaId, Formulas};
use crate::synth::circuit::Circuit;
use crate::synth::run::Runner;

/// The formulas that one side has to keep, over a circuit that plays the other one.
pub struct FormulasToKeep {
    names: Vec<String>,
    formulas: Formulas,
    /// What has to hold of a whole play.
    wholes: Vec<FormulaId>,
    /// The same in terms of atoms that follow the past, in negation normal form.
    ahead: Vec<FormulaId>,
    /// By the index of the atom.
    atoms: Vec<Option<Literal>>,
    /// The circuit with gates for the atoms.
    pub judged: Judged,
}

impl FormulasToKeep {
    /// The assumptions, if the circuit is the system's, or the guarantees.
    pub fn new(
        spec: &LtlSpec,
        circuit: &Circuit,
        is_controller: bool,
    ) -> Result<FormulasToKeep, Vec<Diagnostic>> {
        let one = |error: Diagnostic| vec![error];
        let mut spec = spec.clone();
        let own = |index: &usize| spec.parts[*index].section.is_assumption() == is_controller;
        let own: Vec<usize> = (0..spec.parts.len()).filter(own).collect();
        let wholes: Vec<FormulaId> = own.iter().map(|part| whole(&mut spec, *part)).collect();
        let mut design = circuit.design.clone();
        observe(&mut design, &spec.observer)?;
        let mut formulas = spec.formulas;
        let mut past = PastCircuit::new();
        let mut ahead = Vec::new();
        for (part, formula) in own.iter().zip(&wholes) {
            let part = &spec.parts[*part];
            let free = past.eliminate(&mut formulas, *formula);
            let free =
                free.map_err(|error| one(error.diagnostic(&formulas, &part.name, part.span)))?;
            ahead.push(negation_normal_form(&mut formulas, free));
        }
        let signals = design.add_circuit(past.circuit()).map_err(one)?;
        let mut atoms = vec![None; formulas.atoms().len()];
        for (atom, signal) in past.outputs() {
            atoms[atom.index()] = Some(signals[signal.index()]);
        }
        for atom in wholes
            .iter()
            .flat_map(|formula| formulas.atoms_of(*formula))
        {
            if let (Atom::Condition(expr), None) = (formulas.atom(atom), atoms[atom.index()]) {
                atoms[atom.index()] = Some(elaborate_atom(&mut design, expr).map_err(one)?);
            }
        }
        let names = own.iter().map(|part| spec.parts[*part].name.clone());
        Ok(FormulasToKeep {
            names: names.collect(),
            formulas,
            wholes,
            ahead,
            atoms,
            judged: Judged::nothing(design),
        })
    }
}

pub enum Duties<'a> {
    /// Of the environment against a controller for GR(1).
    Assumptions {
        judged: &'a Judged,
        /// In each step, which assumptions about what recurs hold.
        recurring: Vec<Vec<bool>>,
    },
    Formulas {
        own: &'a FormulasToKeep,
        followed: Box<Followed<'a>>,
        /// The atoms of each step.
        letters: Vec<Vec<bool>>,
    },
}

impl<'a> Duties<'a> {
    pub fn of_assumptions(judged: &'a Judged) -> Duties<'a> {
        Duties::Assumptions {
            judged,
            recurring: Vec::new(),
        }
    }

    pub fn of_formulas(own: &'a FormulasToKeep) -> Duties<'a> {
        Duties::Formulas {
            own,
            followed: Box::new(Followed::new(&own.formulas, &own.ahead)),
            letters: Vec::new(),
        }
    }

    /// The same at the start of a play.
    pub fn afresh(&self) -> Duties<'a> {
        match self {
            Duties::Assumptions { judged, .. } => Duties::of_assumptions(judged),
            Duties::Formulas { own, .. } => Duties::of_formulas(own),
        }
    }

    pub fn judged(&self) -> &'a Judged {
        match self {
            Duties::Assumptions { judged, .. } => judged,
            Duties::Formulas { own, .. } => &own.judged,
        }
    }

    pub fn count(&self) -> usize {
        match self {
            Duties::Assumptions { .. } => 1,
            Duties::Formulas { own, .. } => own.names.len(),
        }
    }

    /// Their names; of assumptions that have none, what they are.
    pub fn names(&self) -> Vec<String> {
        match self {
            Duties::Assumptions { .. } => vec!["the assumptions".to_string()],
            Duties::Formulas { own, .. } => own.names.clone(),
        }
    }

    /// Some of them, as sentences name them.
    pub fn quoted(&self, some: &[usize]) -> String {
        let names = self.names();
        let quoted = some.iter().map(|duty| match self {
            Duties::Assumptions { .. } => names[*duty].clone(),
            Duties::Formulas { .. } => format!("`{}`", names[*duty]),
        });
        quoted.collect::<Vec<String>>().join(", ")
    }

    /// Those of them that a move breaks, as sentences name them.
    pub fn broken(&self, some: &[usize]) -> String {
        match self {
            Duties::Assumptions { .. } => "an assumption".to_string(),
            Duties::Formulas { .. } => self.quoted(some),
        }
    }

    /// Those of which it is not known which moves keep them.
    pub fn unknown(&self) -> Vec<usize> {
        match self {
            Duties::Assumptions { .. } => Vec::new(),
            Duties::Formulas { followed, .. } => followed.unknown(),
        }
    }

    /// Of the moves that the runner looks at, those that keep each duty. What is too big to be
    /// followed counts as kept.
    pub fn kept(&mut self, runner: &Runner<'_>) -> Vec<u64> {
        match self {
            Duties::Assumptions { judged, .. } => vec![runner.value(judged.assumed)],
            Duties::Formulas { own, followed, .. } => {
                let atom = |atom: AtomId| own.value(runner, atom);
                let duties = 0..own.names.len();
                duties
                    .map(|duty| followed.kept(duty, &atom).unwrap_or(u64::MAX))
                    .collect()
            }
        }
    }

    /// Takes the step that the runner looks at.
    pub fn step(&mut self, runner: &Runner<'_>) {
        match self {
            Duties::Assumptions { recurring, .. } => {
                let holds = runner.recurrences();
                recurring.push(holds.iter().map(|lanes| lanes & 1 == 1).collect());
            }
            Duties::Formulas {
                own,
                followed,
                letters,
            } => {
                let letter: Vec<bool> = (own.formulas.atom_ids())
                    .map(|atom| own.value(runner, atom) & 1 == 1)
                    .collect();
                followed.step(&|atom| letter[atom.index()]);
                letters.push(letter);
            }
        }
    }

    /// What it comes to if the steps from one to before another repeat for ever.
    pub fn repeated(&self, from: usize, to: usize) -> String {
        let kept = "all assumptions and all guarantees hold, and the system wins".to_string();
        match self {
            Duties::Assumptions { recurring, .. } => {
                let cycle = &recurring[from..to];
                let count = cycle.first().map_or(0, Vec::len);
                match (0..count).all(|one| cycle.iter().any(|step| step[one])) {
                    true => kept,
                    false => "an assumption holds no more, and you lose".to_string(),
                }
            }
            Duties::Formulas { own, letters, .. } => {
                let (prefix, cycle) = letters[..to].split_at(from);
                let lasso = Lasso::new(prefix.to_vec(), cycle.to_vec());
                let holds = |duty: &usize| {
                    let whole = own.wholes[*duty];
                    lasso
                        .as_ref()
                        .is_none_or(|lasso| lasso.satisfies(&own.formulas, whole))
                };
                let broken: Vec<usize> = (0..own.wholes.len()).filter(|one| !holds(one)).collect();
                match broken.len() {
                    0 => kept,
                    1 => format!("{} does not hold, and you lose", self.quoted(&broken)),
                    _ => format!("{} do not hold, and you lose", self.quoted(&broken)),
                }
            }
        }
    }
}

impl FormulasToKeep {
    /// An atom in the moves that the runner looks at.
    fn value(&self, runner: &Runner<'_>, atom: AtomId) -> u64 {
        let literal = self.atoms.get(atom.index()).copied().flatten();
        literal.map_or(0, |literal| runner.value(literal))
    }
}
