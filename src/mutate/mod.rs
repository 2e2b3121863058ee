//! How much a set of properties says: small faults are put into a correct design, one at a time,
//! and the properties have to notice them.
//!
//! Enters: a [`Subject`] that keeps its properties. Leaves: a [`MutateAnswer`] with what became of
//! each mutant. Mutants are the edits by which `repair` would correct the design, seen from the
//! correct one; each is a text that is read again from its first byte. A mutant is
//!
//! - killed, if a property fails: that run was replayed;
//! - equivalent, if no property fails and its outputs are proved to be those of the original on
//!   all runs that keep the assumptions, with assumptions that can still be kept;
//! - a survivor, if no property fails and its outputs differ: that run was replayed on both, side
//!   by side.
//!
//! Only the model checker of `certify` says so. The terms are those of mutation testing
//! [DLS78], where a program's tests are in the place of properties.

use crate::bdd;
use crate::certify::{
    self, AssumptionStatus, Certified, Fails, Holds, LatchStatus, Overall, Problem, Runs, Verdict,
};
use crate::design::reference::EQUAL;
use crate::design::verilog::edits::SourceEdit;
use crate::design::{Change, Correction, Kind, Patch};
use crate::expr::Role;
use crate::source::Diagnostic;
use crate::source::codes::repair as codes;
use crate::source::codes::trace::NO_REFERENCE;
use crate::spec::{Semantics, Spec};
use crate::subject::Subject;
use crate::verify::chosen;

/// Look-ups of the computed table, or as much work of a solver, that each question about a mutant
/// may take: one that is harder is left open, so that all others get an answer.
const EFFORT: u64 = 8_000_000;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The names of the assertions that count; empty for all.
    pub properties: Vec<String>,
    /// What edits change; empty for everything.
    pub kinds: Vec<Kind>,
    /// Every n-th mutant only, beginning with this one, from 0.
    pub part: Option<(usize, usize)>,
    pub semantics: Semantics,
    pub limits: bdd::Limits,
}

/// One edit, and what became of it.
pub struct Mutant {
    /// From 1, in the order in which `repair` would try the edits; the same in every part.
    pub number: usize,
    pub changes: Vec<Change>,
    /// The files that it changes.
    pub patch: Patch,
    pub fate: Fate,
}

pub enum Fate {
    /// Assertions that fail, by their index in [`MutateAnswer::properties`], and the first of
    /// them with its run.
    Killed {
        by: Vec<usize>,
        first: Certified<Fails>,
    },
    /// A run on which outputs differ from those of the original, and whether assumptions are
    /// broken there that cannot be kept any more.
    Survived {
        difference: Certified<Fails>,
        blocks: bool,
    },
    Equivalent(Certified<Holds>),
    /// It was not decided, for this reason.
    Unknown(String),
    /// It is no design, one with a latch that its author did not mean, or one that cannot stand
    /// in the place of the original: with other ports, or moving at the other edge of the clock.
    Unreadable,
}

pub struct MutateAnswer {
    /// The assertions that count.
    pub properties: Vec<usize>,
    pub mutants: Vec<Mutant>,
    /// Mutants that were not looked at, since a limit was reached.
    pub left: usize,
    /// Those of the other [parts](Options::part).
    pub elsewhere: usize,
    pub stopped: Option<bdd::Error>,
}

impl MutateAnswer {
    /// Whether the user ended the work before all was decided.
    pub fn is_interrupted(&self) -> bool {
        self.stopped == Some(bdd::Error::Interrupted)
    }
}

/// Judges all mutants of a subject. `watch` is told how far it is.
///
/// ```
/// use respin::mutate::{Fate, Options, mutate};
/// use respin::{DesignOptions, design_from_texts};
///
/// let design = "module m(input a, input b, output y); assign y = a & b; endmodule";
/// let properties = "assert low: G (!a -> !y);";
/// let options = DesignOptions::default();
/// let subject = design_from_texts(&[("m.v", design)], &[("m.ltl", properties)], &options)?;
/// let answer = mutate(&subject, &Options::default(), &mut |_, _| {})?;
/// let survivors = answer.mutants.iter().filter(|one| matches!(one.fate, Fate::Survived { .. }));
/// // Nothing says what `y` is if `a` is 1: it may ignore `b`.
/// assert!(survivors.flat_map(|one| &one.changes).any(|one| one.after[0].contains("y = a;")));
/// # Ok::<(), respin::load::Failure>(())
/// ```
pub fn mutate(
    subject: &Subject,
    options: &Options,
    watch: &mut dyn FnMut(usize, usize),
) -> Result<MutateAnswer, Vec<Diagnostic>> {
    let properties = asserted(subject, &options.properties)?;
    let judge = Judge::new(subject, &properties, options)?;
    let mut edits: Vec<(usize, SourceEdit)> = Vec::new();
    let all = subject.front_end().edits(&[])?;
    if all.is_empty() {
        let message = "there is no text of the design that could be edited";
        let diagnostic = Diagnostic::error(codes::NO_MUTANTS, message);
        return Err(vec![
            diagnostic.help("give Verilog with at least one statement"),
        ]);
    }
    let is_asked = |edit: &SourceEdit| {
        let kinds = &options.kinds;
        kinds.is_empty() || kinds.contains(&edit.kind) || kinds.contains(&edit.template)
    };
    let mut elsewhere = 0;
    for (index, edit) in all
        .into_iter()
        .enumerate()
        .filter(|(_, edit)| is_asked(edit))
    {
        match options.part {
            Some((own, of)) if index % of != own => elsewhere += 1,
            _ => edits.push((index + 1, edit)),
        }
    }
    let mut answer = MutateAnswer {
        properties: properties.clone(),
        mutants: Vec::new(),
        left: 0,
        elsewhere,
        stopped: None,
    };
    let count = edits.len();
    for (done, (number, edit)) in edits.into_iter().enumerate() {
        if let Err(error) = options.limits.check() {
            (answer.left, answer.stopped) = (count - done, Some(error));
            break;
        }
        watch(done, count);
        let correction = Correction::Edits(vec![edit]);
        let patch = subject.front_end().render(&correction);
        let Some(patch) = patch.map_err(|error| vec![error])? else {
            continue;
        };
        let fate = judge.fate(&patch).map_err(|error| vec![error])?;
        if let (Fate::Unknown(_), Err(error)) = (&fate, options.limits.check()) {
            (answer.left, answer.stopped) = (count - done, Some(error));
            break;
        }
        answer.mutants.push(Mutant {
            number,
            changes: patch.changes.clone(),
            patch,
            fate,
        });
    }
    Ok(answer)
}

/// The assertions that count; cover statements ask for runs, and kill nothing.
fn asserted(subject: &Subject, names: &[String]) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let chosen = chosen(subject, names)?.into_iter();
    let is_assertion = |index: &usize| subject.spec.properties[*index].role == Role::Assert;
    let asserted: Vec<usize> = chosen.filter(is_assertion).collect();
    if asserted.is_empty() {
        let message = "no assertion is there that a mutant could break";
        let diagnostic = Diagnostic::error(codes::NO_MUTANTS, message);
        return Err(vec![diagnostic.help("cover statements kill no mutants")]);
    }
    Ok(asserted)
}

/// What judges mutants of one design.
struct Judge<'a> {
    subject: &'a Subject,
    /// The same beside the original.
    beside: Subject,
    properties: &'a [usize],
    checking: certify::Options,
    /// What is known of the assumptions of the original.
    assumptions: AssumptionStatus,
}

impl<'a> Judge<'a> {
    /// Fails if the original does not keep its properties: then mutants say nothing.
    fn new(
        subject: &'a Subject,
        properties: &'a [usize],
        options: &Options,
    ) -> Result<Judge<'a>, Vec<Diagnostic>> {
        let one = |error: Diagnostic| vec![error];
        let mut checking = certify::Options {
            limits: options.limits.clone(),
            semantics: options.semantics,
            runs: Runs::Quiet,
            ..certify::Options::default()
        };
        let beside = subject.beside_itself()?;
        let problem = Problem::new(&subject.design, &subject.spec)?;
        let checked = problem.checked(&subject.spec, properties, &checking, |_| {});
        let checked = checked.map_err(one)?;
        let refused = |message: String| {
            let diagnostic = Diagnostic::error(codes::NOT_CORRECT, message);
            vec![diagnostic.help(
                "mutants are judged by properties that hold: repair the design, or name those \
                 that count with `--property`",
            )]
        };
        match checked.overall().map_err(one)? {
            Overall::Pass(_) => {}
            Overall::Fail(fails) => {
                let name = &fails.property;
                return Err(refused(format!("the design itself breaks `{name}`")));
            }
            Overall::Unknown => {
                let message = "it was not decided whether the design keeps its properties";
                return Err(refused(message.to_string()));
            }
        }
        let assumptions = checked
            .problem()
            .assumptions(checking.engine, &checking.limits);
        let assumptions = assumptions.map_err(one)?;
        checking.limits.lookups = Some(EFFORT);
        Ok(Judge {
            subject,
            beside,
            properties,
            checking,
            assumptions,
        })
    }

    fn fate(&self, patch: &Patch) -> Result<Fate, Diagnostic> {
        let Ok(mutant) = self.subject.reread(patch) else {
            return Ok(Fate::Unreadable);
        };
        match certify::latches(&mutant, &self.checking.limits)? {
            LatchStatus::Closed(_) => {}
            LatchStatus::Open(_) => return Ok(Fate::Unreadable),
            LatchStatus::Unknown(error) => return Ok(Fate::Unknown(error.to_string())),
        }
        let Ok(problem) = Problem::new(&mutant.design, &mutant.spec) else {
            return Ok(Fate::Unreadable);
        };
        let checked = problem.checked(&mutant.spec, self.properties, &self.checking, |_| {})?;
        match checked.overall()? {
            Overall::Fail(first) => {
                let verdicts = checked.verdicts().iter();
                let failing = verdicts.filter(|(_, one)| matches!(one, Verdict::Fails(_)));
                let by = failing.map(|(index, _)| *index).collect();
                Ok(Fate::Killed { by, first })
            }
            Overall::Unknown => {
                let mut verdicts = checked.verdicts().iter();
                let reason = verdicts.find_map(|(index, verdict)| match verdict {
                    Verdict::Unknown(error) => {
                        let name = &mutant.spec.properties[*index].name;
                        Some(format!("{name}: {error}"))
                    }
                    _ => None,
                });
                Ok(Fate::Unknown(reason.unwrap_or_default()))
            }
            Overall::Pass(_) => {
                let after = checked.problem();
                let after = after.assumptions(self.checking.engine, &self.checking.limits)?;
                self.beside_the_original(patch, &after)
            }
        }
    }

    /// What becomes of a mutant that keeps all properties.
    fn beside_the_original(
        &self,
        patch: &Patch,
        after: &AssumptionStatus,
    ) -> Result<Fate, Diagnostic> {
        if let AssumptionStatus::Unknown(error) = after {
            return Ok(Fate::Unknown(format!("the assumptions: {error}")));
        }
        let both = match self.beside.reread(patch) {
            Ok(both) => both,
            Err(errors) => {
                let first = errors.first();
                if first.is_some_and(|error| error.code == NO_REFERENCE) {
                    return Ok(Fate::Unreadable);
                }
                let message = first.map(|error| error.message.clone());
                return Ok(Fate::Unknown(message.unwrap_or_default()));
            }
        };
        let blocks = self.assumptions.is_better_than(after);
        let mut spec = both.spec.clone();
        // Where nothing keeps the assumptions any more, everything holds on what is left.
        if blocks {
            spec.properties.retain(|one| one.role != Role::Assume);
        }
        match self.equality(&both, &spec)? {
            Overall::Fail(difference) => Ok(Fate::Survived { difference, blocks }),
            Overall::Pass(holds) => Ok(Fate::Equivalent(holds)),
            Overall::Unknown => Ok(Fate::Unknown(
                "whether it is equal to the original was not decided".to_string(),
            )),
        }
    }

    fn equality(&self, both: &Subject, spec: &Spec) -> Result<Overall, Diagnostic> {
        let mut properties = spec.properties.iter();
        let equal = properties.position(|one| one.name == EQUAL);
        let problem = Problem::new(&both.design, spec);
        let (Some(equal), Ok(problem)) = (equal, problem) else {
            return Ok(Overall::Unknown);
        };
        let checked = problem.checked(spec, &[equal], &self.checking, |_| {})?;
        checked.overall()
    }
}
