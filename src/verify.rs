//! Model checking of a design against its properties.
//!
//! Enters: a [`Subject`]. Leaves: a [`VerifyAnswer`], in which what fails has a run that was
//! replayed. The work is done by `certify`.

use crate::bdd;
use crate::certify::recorded::{self, Replay};
use crate::certify::{
    self, AssumptionStatus, Certificate, Certified, Checked, LatchStatus, Overall, Problem, Runs,
    Semantics, Vacuity, Verdict,
};
use crate::design::suggest::did_you_mean;
use crate::expr::Role;
use crate::limits::Limits;
use crate::source::Diagnostic;
use crate::source::codes::{certify as codes, frame};
use crate::subject::Subject;
use crate::trace::Recording;

#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The names of the assertions to check; empty for all.
    pub properties: Vec<String>,
    pub semantics: Semantics,
    /// Who looks for an answer.
    pub engine: certify::Engine,
    pub limits: bdd::Limits,
    /// Whether what holds without saying anything is a failure.
    pub strict: bool,
}

/// What was found about each property.
pub struct VerifyAnswer<'a> {
    pub checked: Checked<'a>,
    pub overall: Overall,
    /// Whether the assumptions can be kept; asked only if everything holds.
    pub assumptions: Option<AssumptionStatus>,
    /// What the proofs showed besides, such as latches that are never open.
    pub warnings: Vec<Diagnostic>,
    /// Assertions that hold and say nothing.
    pub vacuities: Vec<Certified<Vacuity>>,
}

impl VerifyAnswer<'_> {
    /// Whether the user ended the work before all was decided.
    pub fn is_interrupted(&self) -> bool {
        let interrupted = Verdict::Unknown(bdd::Error::Interrupted);
        let mut verdicts = self.checked.verdicts().iter();
        verdicts.any(|(_, verdict)| *verdict == interrupted)
    }
}

/// Checks the assertions and cover statements of a subject. `watch` is told which one is next.
///
/// ```
/// use respin::certify::Overall;
/// use respin::{DesignOptions, design_from_texts, verify};
///
/// let design = "module m(input a, output y); assign y = !a; endmodule";
/// let properties = "assert same: G (y == a);";
/// let options = DesignOptions::default();
/// let subject = design_from_texts(&[("m.v", design)], &[("m.ltl", properties)], &options)?;
/// let answer = verify(&subject, &verify::Options::default(), &mut |_| {})?;
/// let Overall::Fail(fails) = answer.overall else { panic!("y is not a") };
/// assert_eq!(fails.property, "same");
/// assert_eq!(fails.run.as_ref().map(|run| run.steps), Some(1));
/// # Ok::<(), respin::load::Failure>(())
/// ```
pub fn verify<'a>(
    subject: &'a Subject,
    options: &Options,
    watch: &mut dyn FnMut(&str),
) -> Result<VerifyAnswer<'a>, Vec<Diagnostic>> {
    let one = |error: Diagnostic| vec![error];
    let spec = &subject.spec;
    let chosen = chosen(subject, &options.properties)?;
    let checking = certify::Options {
        limits: options.limits.clone(),
        semantics: options.semantics,
        engine: options.engine,
        runs: Runs::Quiet,
        ..certify::Options::default()
    };
    let warnings = match certify::latches(subject, &options.limits).map_err(one)? {
        LatchStatus::Closed(warnings) => warnings,
        LatchStatus::Open(errors) => return Err(errors),
        LatchStatus::Unknown(error) => return Err(vec![undecided_latch(subject, &error)]),
    };
    let problem = Problem::new(&subject.design, spec)?;
    let checked = problem.checked(spec, &chosen, &checking, |property| {
        watch(&format!("checking {}", spec.properties[property].name));
    });
    let checked = checked.map_err(one)?;
    let mut overall = checked.overall().map_err(one)?;
    let mut assumptions = None;
    if matches!(overall, Overall::Pass(_)) {
        watch("checking the assumptions");
        let status = checked
            .problem()
            .assumptions(checking.engine, &checking.limits);
        assumptions = Some(status.map_err(one)?);
    }
    watch("checking whether properties say anything");
    let vacuities = certify::vacuities(subject, &holding(&checked, subject), &checking.limits);
    let vacuities = vacuities.map_err(one)?;
    if let (Overall::Pass(_), true) = (&overall, options.strict) {
        let contradiction = assumptions.as_ref().and_then(|status| status.as_failure());
        let first = vacuities.first().map(Certified::as_failure);
        if let Some(fails) = first.or(contradiction) {
            overall = Overall::Fail(fails);
        }
    }
    Ok(VerifyAnswer {
        checked,
        overall,
        assumptions,
        warnings,
        vacuities,
    })
}

impl VerifyAnswer<'_> {
    /// Why all properties hold, as an invariant; the error says why there is none.
    pub fn certificate(
        &self,
        subject: &Subject,
        options: &Options,
    ) -> Result<Certificate, Diagnostic> {
        if !matches!(self.overall, Overall::Pass(_)) {
            let message = "not all properties hold, so there is nothing to certify";
            return Err(Diagnostic::error(codes::NO_CERTIFICATE, message)
                .help("choose those that hold with `--property`"));
        }
        let verdicts = self.checked.verdicts().iter();
        let asserted = verdicts.map(|(index, _)| *index);
        let is_assertion = |index: &usize| subject.spec.properties[*index].role == Role::Assert;
        let asserted: Vec<usize> = asserted.filter(is_assertion).collect();
        let checking = certify::Options {
            limits: options.limits.clone(),
            semantics: options.semantics,
            engine: options.engine,
            ..certify::Options::default()
        };
        let problem = self.checked.problem();
        let known = self.checked.decisions();
        problem.certificate(&subject.spec, &asserted, known, &checking)
    }
}

/// Replays recorded runs on a subject, one after the other. Resets are inputs there, as for
/// any test bench.
///
/// ```
/// use respin::certify::recorded::Replay;
/// use respin::trace::{Format, Interface, Options, Recording};
/// use respin::{DesignOptions, design_from_texts, verify};
///
/// let design = "module m(input a, output y); assign y = !a; endmodule";
/// let subject = design_from_texts(&[("m.v", design)], &[], &DesignOptions::default())?;
/// let mut sources = subject.sources.clone();
/// let file = sources.add("run.csv", "a,y\n0,1\n1,1\n");
/// let reading = subject.front_end().without_reset(None)?;
/// let (interface, options) = (Interface::of(&reading), Options::default());
/// let run = Recording::read(file, Format::Csv, &interface, &options, &sources)?;
/// let found = verify::replayed(&subject, &[run], &Default::default())?;
/// let Replay::Differs(difference) = &found[0] else { panic!("y is 0 in cycle 1") };
/// assert_eq!((difference.cycle, difference.actual.as_str()), (1, "0"));
/// # Ok::<(), respin::load::Failure>(())
/// ```
pub fn replayed(
    subject: &Subject,
    recordings: &[Recording],
    limits: &Limits,
) -> Result<Vec<Replay>, Vec<Diagnostic>> {
    let reading = subject.front_end().without_reset(None)?;
    let replays = recordings.iter();
    let replays = replays.map(|one| recorded::replay(&reading.design, one, limits));
    replays
        .collect::<Result<_, _>>()
        .map_err(|error| vec![error])
}

/// The assertions that hold.
fn holding(checked: &Checked<'_>, subject: &Subject) -> Vec<usize> {
    let verdicts = checked.verdicts().iter();
    let holding = verdicts.filter(|(index, verdict)| {
        *verdict == Verdict::Holds && subject.spec.properties[*index].role == Role::Assert
    });
    holding.map(|(index, _)| *index).collect()
}

/// A latch that may be open, for all that was found out.
fn undecided_latch(subject: &Subject, reason: &bdd::Error) -> Diagnostic {
    let message = format!("whether a latch is ever open was not decided: {reason}");
    match subject.latches.first() {
        Some(latch) => latch.error().note(message),
        None => Diagnostic::error(frame::INTERNAL_ERROR, message),
    }
}

/// The indices of the assertions to check, in the order of the specification.
pub fn chosen(subject: &Subject, names: &[String]) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let properties = &subject.spec.properties;
    let is_asserted = |index: &usize| properties[*index].role != Role::Assume;
    let asserted: Vec<usize> = (0..properties.len()).filter(is_asserted).collect();
    if asserted.is_empty() {
        let message = "neither the design nor a property file asserts anything";
        let diagnostic = Diagnostic::error(codes::NOTHING_TO_CHECK, message);
        return Err(vec![diagnostic.help(
            "give a property file with `--spec`, recorded runs with `--trace` or a correct design \
             with `--reference`",
        )]);
    }
    let known = || {
        let names = asserted.iter().map(|index| &properties[*index].name);
        names.map(String::as_str)
    };
    let mut errors = Vec::new();
    for name in names {
        if known().any(|other| other == name) {
            continue;
        }
        let is_assumed = properties.iter().any(|property| property.name == *name);
        let message = if is_assumed {
            format!("`{name}` is an assumption, and only assertions are checked")
        } else {
            format!("there is no assertion `{name}`")
        };
        let diagnostic = Diagnostic::error(codes::UNKNOWN_PROPERTY, message);
        let otherwise = "without `--property` all are checked, and their names listed";
        errors.push(match did_you_mean(name, known()) {
            Some(help) => diagnostic.help(help),
            None => diagnostic.help(otherwise),
        });
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let is_chosen = |index: &usize| names.is_empty() || names.contains(&properties[*index].name);
    Ok(asserted.iter().copied().filter(is_chosen).collect())
}
