//! What is known of a design before anything is changed.

use super::{Options, RepairError, Watch, antecedents, replay, say};
use crate::bdd;
use crate::certify::{
    self, AssumptionStatus, Certified, Checked, Experience, Holds, LatchStatus, Overall, Problem,
    Semantics, Vacuity, Verdict,
};
use crate::design::{InputKind, NodeId};
use crate::expr::Role;
use crate::source::Diagnostic;
use crate::source::codes::certify as certify_codes;
use crate::subject::Subject;

/// Work for a shortest run to a difference from a reference, where one is known.
const WORK_FOR_SHORTEST: u64 = 64_000_000;

/// The design as it is.
pub struct Unpatched {
    /// What was found about each assertion.
    pub verdicts: Vec<(usize, Verdict)>,
    /// Whether the assumptions can be kept.
    pub assumptions: AssumptionStatus,
    /// Whether latches that the design infers are never open.
    pub closed_latches: bool,
    /// Assertions that hold without saying anything, if nothing else is wrong.
    pub vacuities: Vec<Certified<Vacuity>>,
    /// The assertions whose antecedents have to happen on some run.
    pub covered: Vec<String>,
    /// That all properties hold, if also latches and recorded runs are as they should be.
    pub holds: Option<Certified<Holds>>,
    /// Of the check, for those of corrections.
    pub experience: Experience,
}

impl Unpatched {
    pub fn of(
        subject: &Subject,
        options: &Options,
        watch: &mut Watch,
    ) -> Result<Unpatched, RepairError> {
        refuse(subject)?;
        say(watch, "checking the design as it is");
        let experience = Experience::default();
        let checked = check(subject, &experience, &options.limits)?;
        let engine = certify::Engine::Auto;
        let assumptions = checked.problem().assumptions(engine, &options.limits)?;
        let latches = certify::latches(subject, &options.limits)?;
        let mut unpatched = Unpatched {
            verdicts: checked.verdicts().to_vec(),
            assumptions,
            closed_latches: matches!(latches, LatchStatus::Closed(_)),
            vacuities: Vec::new(),
            covered: Vec::new(),
            holds: None,
            experience,
        };
        let is_right = fits(subject, options)? && unpatched.closed_latches;
        if let (Overall::Pass(holds), true) = (checked.overall()?, is_right) {
            say(watch, "checking whether properties say anything");
            let holding = unpatched.verdicts.iter().map(|(property, _)| *property);
            let holding: Vec<usize> = holding.collect();
            let vacuities = certify::vacuities(subject, &holding, &options.limits)?;
            let wanted = options.cover_antecedents;
            unpatched.covered = antecedents::to_cover(subject, &vacuities, wanted);
            unpatched.vacuities = vacuities;
            unpatched.holds = Some(holds);
        } else if options.cover_antecedents {
            unpatched.covered = antecedents::all(subject);
        }
        Ok(unpatched)
    }

    /// Whether something is wrong besides antecedents that never happen.
    pub fn has_fault(&self) -> bool {
        self.holds.is_none()
    }
}

/// Whether the design shows what was recorded.
fn fits(subject: &Subject, options: &Options) -> Result<bool, RepairError> {
    let recordings = &options.recordings;
    if recordings.is_empty() {
        return Ok(true);
    }
    let reading = subject.front_end().without_reset(None)?;
    let limits = subject.sources.limits();
    Ok(certify::recorded::fits_all(&reading.design, recordings, limits)?.is_some())
}

/// Whether simulation finds a run that fails.
fn differs(subject: &Subject) -> Result<bool, RepairError> {
    match replay::failing_runs(&subject.design, &subject.spec) {
        Err(RepairError::NotSupported { .. }) => Ok(false),
        runs => Ok(!runs?.is_empty()),
    }
}

/// What cannot be repaired as it is.
fn refuse(subject: &Subject) -> Result<(), Diagnostic> {
    let properties = &subject.spec.properties;
    if properties.iter().all(|one| one.role != Role::Assert) {
        let message = "neither the design nor a property file asserts anything";
        return Err(
            Diagnostic::error(certify_codes::NOTHING_TO_CHECK, message).help(
                "give a property file with `--spec`, recorded runs with `--trace` or a correct \
                 design with `--reference`",
            ),
        );
    }
    let design = &subject.design;
    let is_open = |id: &&NodeId| design.input_kind(**id) == Some(InputKind::Choice);
    if let Some(open) = design.inputs().iter().find(is_open) {
        let name = design.name(*open).unwrap_or_default();
        let message = format!("`{name}` is an input that a controller is to be found for");
        return Err(Diagnostic::error(certify_codes::OPEN_CHOICE, message)
            .help("`respin synth` solves such files"));
    }
    Ok(())
}

/// Which assertions fail. This is not what was asked for, so it gets half of the time, and little
/// of it where simulation shows that the design is not equal to its reference: a run that was
/// simulated is as good as a shortest one.
fn check<'a>(
    subject: &'a Subject,
    experience: &Experience,
    limits: &bdd::Limits,
) -> Result<Checked<'a>, RepairError> {
    let mut limits = limits.with_share_of_time(0.5);
    let has_reference = subject.front_end().reference().is_some();
    if has_reference && differs(subject)? {
        limits.lookups = Some(WORK_FOR_SHORTEST);
    }
    let options = certify::Options {
        limits,
        semantics: Semantics::Strict,
        experience: Some(experience.clone()),
        ..certify::Options::default()
    };
    let problem = Problem::new(&subject.design, &subject.spec)?;
    let asserted: Vec<usize> = problem.asserted().collect();
    let checked = problem.checked(&subject.spec, &asserted, &options, |_| {})?;
    let interrupted = Verdict::Unknown(bdd::Error::Interrupted);
    let mut verdicts = checked.verdicts().iter();
    if verdicts.any(|(_, verdict)| *verdict == interrupted) {
        return Err(RepairError::Limit(bdd::Error::Interrupted));
    }
    Ok(checked)
}
