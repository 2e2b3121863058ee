//! The verdicts of a whole specification.

use super::memories::LEAST_MEMORY;
use super::{Certified, Decision, Evidence, Fails, Holds, Options, Problem, Trace, Verdict};
use crate::expr::Role;
use crate::run::Run;
use crate::source::Diagnostic;
use crate::spec::Spec;

/// What the model checker says of some properties of a design. Only this stage makes one.
pub struct Checked<'a> {
    problem: Problem,
    spec: &'a Spec,
    /// By the index of the property.
    verdicts: Vec<(usize, Verdict)>,
    decisions: Vec<Decision>,
}

/// What the verdicts come to together.
pub enum Overall {
    Pass(Certified<Holds>),
    Fail(Certified<Fails>),
    Unknown,
}

impl Problem {
    /// Decides some properties of the specification that the problem was made of.
    pub fn checked<'a>(
        self,
        spec: &'a Spec,
        properties: &[usize],
        options: &Options,
        mut starting: impl FnMut(usize),
    ) -> Result<Checked<'a>, Diagnostic> {
        let mut decisions =
            self.check_with_memories(properties, LEAST_MEMORY, options, &mut starting)?;
        let is_known = |property: &usize| decisions.iter().any(|one| one.property == *property);
        let open = properties.iter().copied();
        let open: Vec<usize> = open.filter(|property| !is_known(property)).collect();
        decisions.extend(self.check_all(&open, options, starting)?);
        let position = |one: &Decision| properties.iter().position(|own| *own == one.property);
        decisions.sort_by_key(position);
        let verdicts = decisions.iter();
        Ok(Checked {
            problem: self,
            spec,
            verdicts: verdicts
                .map(|one| (one.property, one.verdict.clone()))
                .collect(),
            decisions,
        })
    }
}

impl Checked<'_> {
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    pub fn verdicts(&self) -> &[(usize, Verdict)] {
        &self.verdicts
    }

    /// The verdicts with who has found them, and how.
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The run of a trace with the signals of the design by name.
    pub fn run(&self, property: usize, trace: &Trace) -> Result<Certified<Run>, Diagnostic> {
        self.problem.shown(self.spec, property, trace)
    }

    /// All properties together: one that fails decides, then one that is not known. A cover
    /// statement passes if a run covers it.
    pub fn overall(&self) -> Result<Overall, Diagnostic> {
        let mut is_unknown = false;
        for (index, verdict) in &self.verdicts {
            let property = &self.spec.properties[*index];
            let name = property.name.clone();
            match (property.role == Role::Cover, verdict) {
                (false, Verdict::Fails(trace)) => {
                    let run = self.run(*index, trace)?.into_answer();
                    let fails = Fails {
                        property: name,
                        run: Some(run),
                    };
                    return Ok(Overall::Fail(Certified::new(fails, Evidence::Replayed)));
                }
                (true, Verdict::Holds) => {
                    let fails = Fails {
                        property: name,
                        run: None,
                    };
                    return Ok(Overall::Fail(Certified::new(fails, Evidence::ModelChecked)));
                }
                (_, Verdict::Unknown(_)) => is_unknown = true,
                (true, Verdict::Fails(_)) | (false, Verdict::Holds) => {}
            }
        }
        if is_unknown {
            return Ok(Overall::Unknown);
        }
        let names = self.verdicts.iter();
        let holds = Holds {
            properties: names
                .map(|(index, _)| self.spec.properties[*index].name.clone())
                .collect(),
        };
        Ok(Overall::Pass(Certified::new(holds, Evidence::ModelChecked)))
    }
}
