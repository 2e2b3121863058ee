//! Corrections of a text by recorded runs: a design that shows every recorded value.
//!
//! Edits of the front end are tried, the cheapest first, and scored on the runs
//! (`recorded_screen`); those come first whose places can mend the runs (`recorded_open`). What
//! a simulator shows in the text itself comes before all others: sensitivity lists, kinds of
//! assignments, latches. If no single edit fits, edits at two places are solved for together
//! ([`joint`]). Then edits are joined one by one: those sets are carried on that leave the fewest
//! wrong values, a few at a time, as a text with several faults gets better with each of them
//! that is mended. Then pairs of edits in one expression are tried, of which neither need help
//! alone. `certify` reads each patch again and replays the runs; only what it confirms is listed.
//!
//! A correction fits what was recorded and is proved for nothing else. So a few alternatives
//! are found, and for two of them the shortest inputs on which they differ.

mod joint;

use super::edits::{self, Measure, change_cost, joint_edits, overlap};
use super::recorded_open::Places;
use super::recorded_screen::{Score, score};
use super::share::{Division, PartAnswer};
use super::sketched;
use super::solved::{OpenSketch, Solving};
use super::{Options, RepairError, Watch, answer, say};
use crate::bdd;
use crate::certify::Certified;
use crate::certify::apart::{Apart, apart};
use crate::certify::recorded::{self, Fits, Plausible, Replay, fits_all, plausible};
use crate::design::verilog::edits::SourceEdit;
use crate::design::{Correction, Design, Kind, Patch, Trials};
use crate::limits::Limits;
use crate::repair::Layout;
use crate::source::Diagnostic;
use crate::source::codes::certify as codes;
use crate::subject::Subject;
use crate::trace::Recording;
use std::collections::HashSet;

/// Sets of edits that are carried on to the next round.
const CARRIED: usize = 6;
/// Edits in one correction, at most.
const MOST_EDITS: usize = 10;
/// Edits of one template and place that a solver is asked for.
const MOST_SOLVED: usize = 2;
/// Edits that are tried before constants and expressions are solved for; the others come after.
const BEFORE_SOLVING: usize = 500;
/// Alternatives that are compared with the first.
const MOST_APART: usize = 2;

/// What a search by recorded runs found.
pub struct RecordedAnswer {
    /// What each run shows of the design as it is.
    pub before: Vec<Replay>,
    pub outcome: RecordedOutcome,
    /// The best first; those that were rejected are left out.
    pub corrections: Vec<PlausibleCorrection>,
    /// Inputs on which alternatives differ from the first.
    pub apart: Vec<(usize, usize, Certified<Apart>)>,
    pub tried: usize,
    pub stopped: Option<bdd::Error>,
    /// What this was about, if only some places were looked at.
    pub part: Option<PartAnswer>,
}

impl RecordedAnswer {
    /// The correction with this number, or the best one.
    pub fn pick(&self, number: Option<u32>) -> Result<Option<&PlausibleCorrection>, Diagnostic> {
        let corrections = self.corrections.iter();
        answer::pick(corrections.map(|one| (one.number, one)), number)
    }
}

pub enum RecordedOutcome {
    /// The design shows all values as it is.
    NothingToRepair(Certified<Fits>),
    Plausible,
    /// No edit was found.
    Unknown,
}

/// A correction that fits all recorded runs.
#[derive(Clone, Debug)]
pub struct PlausibleCorrection {
    /// From 1.
    pub number: usize,
    pub patch: Certified<Plausible>,
    pub cost: usize,
    /// What it disables on random runs.
    pub disabled: Vec<String>,
}

/// Looks for corrections of a source that fit recorded runs.
pub fn repair_recorded(
    subject: &Subject,
    options: &Options,
    limits: &Limits,
    watch: &mut Watch,
) -> Result<RecordedAnswer, RepairError> {
    say(watch, "replaying the recorded runs");
    let recordings = options.recordings.as_slice();
    let front_end = subject.front_end();
    if !front_end.is_source() {
        let message = "only Verilog is repaired by recorded runs";
        let diagnostic = Diagnostic::error(codes::NOTHING_TO_CHECK, message);
        return Err(diagnostic.help("give properties with `--spec`, too").into());
    }
    let reading = front_end.without_reset(None)?;
    let before = recordings.iter();
    let before = before.map(|one| recorded::replay(&reading.design, one, limits));
    let before = before.collect::<Result<Vec<Replay>, Diagnostic>>()?;
    if let Some(fits) = fits_all(&reading.design, recordings, limits)? {
        return Ok(RecordedAnswer {
            before,
            outcome: RecordedOutcome::NothingToRepair(fits),
            corrections: Vec::new(),
            apart: Vec::new(),
            tried: 0,
            stopped: None,
            part: None,
        });
    }
    let layout = Layout::new(front_end, &subject.sources);
    let components = front_end.netlist().components();
    let listed = front_end.edits(&options.depends_on)?;
    let listed = options.suspects.edits(listed, components, &layout)?;
    say(
        watch,
        &format!("{} edits, {} recorded runs", listed.len(), recordings.len()),
    );
    let division = Division::new(front_end, options.share.as_ref(), &listed, &[]);
    let given = Given {
        subject,
        recordings,
        options,
        limits,
        division: &division,
        plays_reset: false,
    };
    let mut search = Search::new(given, &reading.design, &before)?;
    search.run(&listed, watch)?;
    search.conclude(before, watch)
}

/// What a search is about.
pub(super) struct Given<'a> {
    pub subject: &'a Subject,
    pub recordings: &'a [Recording],
    pub options: &'a Options,
    pub limits: &'a Limits,
    /// The places that are looked at.
    pub division: &'a Division<'a>,
    /// Whether runs are about designs in which the reset is played.
    pub plays_reset: bool,
}

/// Says of a patch that fits all runs whether it is a correction.
pub(super) type Judge<'a> = dyn FnMut(&Patch, u32) -> Result<Judged, RepairError> + 'a;

pub(super) enum Judged {
    /// It is one, and there are as many as are needed, or not.
    Correction { is_enough: bool },
    /// It is none, because of a run that it does not fit, if there is one.
    Refuted(Option<Recording>),
}

pub(super) struct Search<'a> {
    subject: &'a Subject,
    recordings: &'a [Recording],
    options: &'a Options,
    limits: &'a Limits,
    division: &'a Division<'a>,
    plays_reset: bool,
    /// Who judges what fits; `certify` replays it if nobody else does.
    pub judge: Option<Box<Judge<'a>>>,
    /// Runs that refuted what fits the others.
    pub refuting: Vec<Recording>,
    is_judged_enough: bool,
    /// The score of the design as it is.
    base: Score,
    measure: Option<Measure<'a>>,
    trials: Option<Box<dyn Trials + 'a>>,
    places: Places<'a>,
    found: Vec<PlausibleCorrection>,
    /// What corrections do on random runs: most that do the same are the same.
    behaviours: HashSet<u64>,
    pub tried: usize,
    /// Texts that were tried, so that none is read twice.
    seen: HashSet<u64>,
    pub stopped: Option<bdd::Error>,
}

/// Edits that are made together, with what is still wrong then.
type Scored = (Score, u32, Vec<SourceEdit>);

impl<'a> Search<'a> {
    /// `design` is the one as it is, and `before` what each run shows of it.
    pub fn new(
        given: Given<'a>,
        design: &Design,
        before: &[Replay],
    ) -> Result<Search<'a>, RepairError> {
        let Given {
            subject,
            recordings,
            options,
            limits,
            division,
            plays_reset,
        } = given;
        let front_end = subject.front_end();
        let base = score(design, recordings, usize::MAX, limits)?;
        Ok(Search {
            subject,
            recordings,
            options,
            limits,
            division,
            plays_reset,
            judge: None,
            refuting: Vec::new(),
            is_judged_enough: false,
            base: base.unwrap_or(Score {
                wrong: usize::MAX,
                late: usize::MAX,
            }),
            measure: Measure::new(subject)?,
            trials: match plays_reset {
                true => front_end.trials(),
                false => front_end.trials_without_reset(),
            },
            places: Places::new(subject, recordings, before, plays_reset, &options.limits),
            found: Vec::new(),
            behaviours: HashSet::new(),
            tried: 0,
            seen: HashSet::new(),
            stopped: None,
        })
    }

    pub fn run(&mut self, all: &[SourceEdit], watch: &mut Watch) -> Result<(), RepairError> {
        let has_latches = !self.subject.latches.is_empty();
        let is_shown = |edit: &SourceEdit| is_shown(edit, has_latches);
        // Places that different parts have are never changed together.
        let (division, is_part) = (self.division, self.division.is_part());
        let own = || all.iter().filter(|edit| division.has_edit(edit));
        let shown: Vec<&SourceEdit> = own().filter(|edit| is_shown(edit)).collect();
        let mut level = Vec::new();
        // What a simulator shows in the text itself: one by one, then all at once.
        for edit in &shown {
            level.extend(self.attempt(vec![edit], usize::MAX)?);
        }
        if self.found.is_empty() && shown.len() > 1 && !is_part {
            let mut together: Vec<&SourceEdit> = Vec::new();
            for edit in &shown {
                if together.iter().all(|other| !overlap(other, edit)) {
                    together.push(edit);
                }
            }
            level.extend(self.attempt(together, usize::MAX)?);
        }
        if self.is_enough() {
            return Ok(());
        }
        let others: Vec<&SourceEdit> = own().filter(|edit| !is_shown(edit)).collect();
        let mut order = self.places.in_order(&[], &others)?;
        let likely = order[0].len();
        say(
            watch,
            &format!(
                "{likely} of {} edits are where runs can be mended",
                others.len()
            ),
        );
        let rest = order[0].split_off(likely.min(BEFORE_SOLVING));
        let [first, second, third] = order;
        self.singles(&first, &mut level)?;
        if !self.is_enough() {
            let solved = self.solved(&[], all, watch)?;
            self.singles(&solved.iter().collect::<Vec<_>>(), &mut level)?;
        }
        if !self.is_enough() && !is_part {
            self.joint(all, &first, &mut level, watch)?;
        }
        for some in [rest, second, third] {
            if !self.is_enough() {
                self.singles(&some, &mut level)?;
            }
        }
        say(
            watch,
            &format!("{} edits tried, {} fit", self.tried, self.found.len()),
        );
        while !self.is_enough() && !level.is_empty() && !is_part {
            level = self.next_level(level, all, watch)?;
        }
        if self.is_enough() {
            return Ok(());
        }
        // Two edits of one expression may help where neither does alone.
        for pair in joint_edits(all) {
            if !pair.iter().all(|edit| division.has_edit(edit)) {
                continue;
            }
            if self.is_enough() {
                return Ok(());
            }
            level.extend(self.attempt(pair, usize::MAX)?);
        }
        while !self.is_enough() && !level.is_empty() && !is_part {
            level = self.next_level(level, all, watch)?;
        }
        Ok(())
    }

    /// Tries single edits, the cheapest first, until there are enough.
    fn singles(
        &mut self,
        edits: &[&SourceEdit],
        level: &mut Vec<Scored>,
    ) -> Result<(), RepairError> {
        let mut dearest = u32::MAX;
        for edit in edits {
            if edit.cost > dearest || self.is_judged_enough || self.stopped.is_some() {
                break;
            }
            level.extend(self.attempt(vec![edit], usize::MAX)?);
            if self.found.len() >= self.enough() {
                dearest = dearest.min(edit.cost);
            }
        }
        Ok(())
    }

    /// Edits beside a set of others whose constants and small expressions a solver has found:
    /// those that mend all runs, and those that mend their first differences.
    fn solved(
        &mut self,
        set: &[SourceEdit],
        all: &[SourceEdit],
        watch: &mut Watch,
    ) -> Result<Vec<SourceEdit>, RepairError> {
        let mut solved = Vec::new();
        let Some(trials) = self
            .trials
            .as_mut()
            .filter(|_| self.options.depends_on.is_empty())
        else {
            return Ok(solved);
        };
        let sketches = sketched::allowed(self.subject.front_end(), all);
        let sketches = sketches.into_iter().filter(|one| {
            let place = one.placeholder();
            self.division.has_sketch(one) && set.iter().all(|other| !overlap(other, &place))
        });
        let parts = self.places.sketches(set, sketches.collect())?;
        let count: usize = parts.iter().map(Vec::len).sum();
        say(watch, &format!("solving for {count} places"));
        let whole = vec![usize::MAX; self.recordings.len()];
        for (sketches, cycles) in parts.iter().zip([&whole[..], self.places.first()]) {
            for sketch in sketches {
                if self.options.limits.check().is_err() {
                    return Ok(solved);
                }
                let sketch = std::slice::from_ref(sketch);
                let place = OpenSketch::recorded(sketch, set, &mut **trials, self.recordings)?;
                let Some((place, bindings)) = place else {
                    continue;
                };
                let mut solving = Solving::new(&place, &self.options.limits);
                let runs = self.recordings.iter().zip(&bindings).zip(cycles);
                for ((recording, binding), cycles) in runs {
                    solving.show(recording, binding, *cycles);
                }
                for template in 0..place.sketches[0].templates.len() {
                    for _ in 0..MOST_SOLVED {
                        let found = solving.edit(template, &self.subject.sources);
                        let Some((edit, values)) = found else {
                            break;
                        };
                        solved.extend(edit);
                        solving.leave_out(template, &values);
                    }
                }
            }
        }
        solved.sort_by_key(|edit| edit.cost);
        Ok(solved)
    }

    /// The best sets of edits, each with one more.
    fn next_level(
        &mut self,
        mut level: Vec<Scored>,
        all: &[SourceEdit],
        watch: &mut Watch,
    ) -> Result<Vec<Scored>, RepairError> {
        level.retain(|(score, ..)| *score < self.base);
        level.sort_by_key(|(score, cost, _)| (*score, *cost));
        level.dedup_by_key(|(score, ..)| *score);
        level.truncate(CARRIED);
        let edits: Vec<&SourceEdit> = all.iter().collect();
        let mut next = Vec::new();
        for (score, _, set) in level {
            if set.len() >= MOST_EDITS || self.stopped.is_some() {
                continue;
            }
            say(
                watch,
                &format!("{} edits leave {} values wrong", set.len(), score.wrong),
            );
            let order = self.places.in_order(&set, &edits)?;
            let order: Vec<&SourceEdit> = order.into_iter().flatten().collect();
            let (first, rest) = order.split_at(order.len().min(BEFORE_SOLVING));
            self.beside(&set, first, score.wrong, &mut next)?;
            if !self.is_enough() {
                let solved = self.solved(&set, all, watch)?;
                let solved: Vec<&SourceEdit> = solved.iter().collect();
                self.beside(&set, &solved, score.wrong, &mut next)?;
            }
            self.beside(&set, rest, score.wrong, &mut next)?;
            if self.is_enough() {
                return Ok(Vec::new());
            }
        }
        Ok(next)
    }

    /// Tries one more edit beside a set, until one fits.
    fn beside(
        &mut self,
        set: &[SourceEdit],
        edits: &[&SourceEdit],
        wrong: usize,
        next: &mut Vec<Scored>,
    ) -> Result<(), RepairError> {
        for edit in edits {
            if self.is_enough() {
                break;
            }
            if set.iter().all(|other| !overlap(other, edit)) {
                let larger = set.iter().chain([*edit]);
                next.extend(self.attempt(larger.collect(), wrong)?);
            }
        }
        Ok(())
    }

    fn enough(&self) -> usize {
        edits::ENOUGH + self.options.rejected.len()
    }

    /// Whether larger sets of edits are not needed.
    fn is_enough(&self) -> bool {
        !self.found.is_empty() || self.is_judged_enough || self.stopped.is_some()
    }

    /// Tries some edits together; gives back what is left wrong if that is less than before.
    fn attempt(
        &mut self,
        set: Vec<&SourceEdit>,
        bound: usize,
    ) -> Result<Option<Scored>, RepairError> {
        if let Err(error) = self.options.limits.check() {
            self.stopped = self.stopped.or(Some(error));
            return Ok(None);
        }
        let front_end = self.subject.front_end();
        let cost = set.iter().map(|edit| edit.cost).sum();
        let edits: Vec<SourceEdit> = set.iter().map(|edit| (*edit).clone()).collect();
        let Some(patch) = front_end.render(&Correction::Edits(edits.clone()))? else {
            return Ok(None);
        };
        let bytes = patch.files.values().flatten().copied();
        if !self.seen.insert(crate::random::hash(bytes)) {
            return Ok(None);
        }
        self.tried += 1;
        let design = match &mut self.trials {
            Some(trials) => trials.design(&edits),
            None => {
                let reading = match self.plays_reset {
                    true => front_end.reread(&patch),
                    false => front_end.without_reset(Some(&patch)),
                };
                reading.ok().map(|reading| reading.design)
            }
        };
        let Some(design) = design else {
            return Ok(None);
        };
        let bound = bound.min(self.base.wrong);
        let Some(score) = score(&design, self.recordings, bound, self.limits)? else {
            return Ok(None);
        };
        if score == Score::PERFECT && self.judge.is_some() {
            self.ask(&patch, cost, &design)?;
            return Ok(None);
        }
        if score == Score::PERFECT {
            self.confirm(patch, cost, &design)?;
            return Ok(None);
        }
        Ok((score.wrong <= bound && score < self.base).then_some((score, cost, edits)))
    }

    /// Asks who judges, unless a run that refuted another edit refutes this one, too.
    fn ask(&mut self, patch: &Patch, cost: u32, design: &Design) -> Result<(), RepairError> {
        let known = score(design, &self.refuting, 0, self.limits)?;
        let (Some(Score::PERFECT), Some(judge)) = (known, &mut self.judge) else {
            return Ok(());
        };
        match judge(patch, cost)? {
            Judged::Correction { is_enough } => self.is_judged_enough |= is_enough,
            Judged::Refuted(run) => self.refuting.extend(run),
        }
        Ok(())
    }

    /// Asks `certify`, unless the same was found before.
    fn confirm(&mut self, patch: Patch, cost: u32, design: &Design) -> Result<(), RepairError> {
        let mut total = cost as usize;
        let mut disabled = Vec::new();
        if let Some(measure) = &self.measure
            && let Some((behaviour, effect)) = measure.of_design(design)?
        {
            if !self.behaviours.insert(behaviour) {
                return Ok(());
            }
            total += change_cost(&effect) as usize;
            disabled = effect.disabled;
        }
        let found = plausible(self.subject, patch, self.recordings, self.limits)?;
        if let Some(patch) = found {
            self.found.push(PlausibleCorrection {
                number: 0,
                patch,
                cost: total,
                disabled,
            });
        }
        Ok(())
    }

    fn conclude(
        mut self,
        before: Vec<Replay>,
        watch: &mut Watch,
    ) -> Result<RecordedAnswer, RepairError> {
        let mut corrections = std::mem::take(&mut self.found);
        let changes = corrections.iter().map(|one| &one.patch.patch.changes);
        let part = self.division.answer_of(changes);
        corrections.sort_by_key(|one| (!one.disabled.is_empty(), one.cost));
        for (index, one) in corrections.iter_mut().enumerate() {
            one.number = index + 1;
        }
        corrections.retain(|one| !self.options.rejected.contains(&(one.number as u32)));
        let mut found_apart = Vec::new();
        if let Some(first) = corrections.first() {
            say(watch, "looking for inputs on which alternatives differ");
            for other in corrections.iter().skip(1).take(MOST_APART) {
                let (one, two) = (&first.patch.patch, &other.patch.patch);
                if let Some(inputs) = apart(self.subject, one, two, &self.options.limits)? {
                    found_apart.push((first.number, other.number, inputs));
                }
            }
        }
        let outcome = if corrections.is_empty() {
            RecordedOutcome::Unknown
        } else {
            RecordedOutcome::Plausible
        };
        Ok(RecordedAnswer {
            before,
            outcome,
            corrections,
            apart: found_apart,
            tried: self.tried,
            stopped: self.stopped,
            part,
        })
    }
}

/// Whether an edit mends what a simulator shows in the text itself: a signal that a list
/// forgets, an assignment of the wrong kind, a latch.
fn is_shown(edit: &SourceEdit, has_latches: bool) -> bool {
    match edit.template {
        Kind::Sensitivity | Kind::AssignmentKind => true,
        Kind::MissingElse | Kind::MissingDefault => has_latches,
        _ => false,
    }
}
