//! What a repair found, as a report: words for verdicts, locations and effects. The patch
//! itself is left to those who know where it goes.

use super::shortened;
use super::verify::{judge_assumptions, judge_reset, reset_word, vacuity_warning, vacuous_word};
use crate::certify::{Certified, Evidence, VacuityKind, Verdict as Checked};
use crate::design::verilog::codes as verilog_codes;
use crate::design::{Change, ComponentId, Kind, Netlist};
use crate::expr::Role;
use crate::repair::loss::Widest;
use crate::repair::{
    Automaton, Effect, LocationAnswer, Loss, Outcome, PartAnswer, PlaceEvidence, RankedCorrection,
    Reason, RepairAnswer,
};
use crate::report::{
    Body, Correction, Counterplay, PartOfRepair, PlaceOfFault, PropertyResult, RepairReport,
    Report, Verdict,
};
use crate::run::Run;
use crate::source::Diagnostic;
use crate::source::record::PlaceRecord;
use crate::subject::{ResetUse, Subject};
use std::collections::BTreeSet;

/// Corrections that are listed for people: of a source, and of a netlist.
const MOST_LISTED: usize = 8;
const MOST_LISTED_OF_NETLIST: usize = 20;

/// A repair that was tried.
pub struct Repair<'a> {
    pub subject: &'a Subject,
    pub answer: &'a RepairAnswer,
    /// By which automata games were built.
    pub automaton: Automaton,
    /// Runs that the design as it is fails on.
    pub failing: &'a [(usize, Certified<Run>)],
    /// Whether this is about the netlist that Yosys made of a source.
    pub is_behind_source: bool,
    /// Whether corrections are listed however many there are.
    pub lists_all: bool,
}

impl Repair<'_> {
    fn is_source(&self) -> bool {
        self.subject.front_end().is_source()
    }

    fn netlist(&self) -> &Netlist {
        self.subject.front_end().netlist()
    }

    /// The report on all that was found.
    pub fn report(&self) -> Report {
        let (subject, answer) = (self.subject, self.answer);
        let mut body = RepairReport {
            properties: properties(answer, subject),
            value_names: subject.design.value_names().clone(),
            ..RepairReport::default()
        };
        let named = self.failing.iter().map(|(index, run)| {
            let name = subject.spec.properties[*index].name.clone();
            (name, Run::clone(run))
        });
        body.traces = named.collect();
        let mut notes = subject.notes.clone();
        let warnings = vacuity_warnings(answer, subject);
        let diagnostics = subject.warnings.iter().cloned().chain(warnings);
        let diagnostics: Vec<Diagnostic> = diagnostics.collect();
        if let Outcome::NothingToRepair(holds) = &answer.outcome {
            let reason = "the design has no fault: it keeps its properties as it is";
            let mut report = Report::pass(holds).because(reason).with(Body::Repair(body));
            report.diagnostics = diagnostics;
            report.notes = notes;
            let report = judge_assumptions(report, &answer.assumptions, subject);
            return judge_reset(report, subject);
        }
        for one in &answer.locations {
            self.note_locations(&mut notes, one);
        }
        self.list_corrections(&mut body, &mut notes);
        body.places = self.places();
        if let Some(part) = &answer.part {
            let part = part_of(part, self.is_behind_source);
            notes.push(part.note());
            body.part = Some(part);
        }
        let mut report = self.verdict(&mut body, &mut notes);
        report.diagnostics = diagnostics;
        let latches = latches(subject, answer.closed_latches);
        report.diagnostics.extend(latches);
        if answer.repairs().next().is_some() {
            self.note_proofs(&mut notes);
        }
        report.notes = notes;
        if let Outcome::Repaired = answer.outcome {
            report = judge_reset(report, subject);
        }
        report.with(Body::Repair(body))
    }

    fn verdict(&self, body: &mut RepairReport, notes: &mut Vec<String>) -> Report {
        match &self.answer.outcome {
            Outcome::NothingToRepair(_) | Outcome::Repaired => self.repaired(),
            Outcome::NoRepair { proof, loss } => {
                let report = Report::no_repair(proof).because(self.no_repair_reason());
                self.explain_loss(body, notes, loss);
                notes.push(match proof.evidence() {
                    Evidence::Exhausted(what) => format!("nothing was left to try: {what}"),
                    _ => "the strategy of the environment was model-checked".to_string(),
                });
                report
            }
            Outcome::Unknown(reason) => self.unknown(reason),
        }
    }

    /// What the corrections that are listed were proved for.
    fn note_proofs(&self, notes: &mut Vec<String>) {
        let answer = self.answer;
        notes.push(proved_for(self.subject));
        if !answer.covered.is_empty() {
            let names = answer.covered.iter().map(|name| format!("`{name}`"));
            let names = shortened(names.collect());
            notes.push(format!(
                "with each of them the antecedent of {names} happens"
            ));
        }
        if let Some(error) = answer.stopped {
            notes.push(format!("the search ended early: {error}"));
        }
    }

    /// Which locations could be corrected, and how far the search came.
    fn note_locations(&self, notes: &mut Vec<String>, answer: &LocationAnswer) {
        let mut add = |text: &str, locations: &[Vec<ComponentId>]| {
            if locations.is_empty() {
                return;
            }
            notes.push(if self.is_source() {
                format!("{text}: {}", self.lines(locations).join(", "))
            } else {
                let names = locations.iter().map(|one| named(self.netlist(), one));
                let names = shortened(names.collect());
                format!("{text} ({}): {names}", locations.len())
            });
        };
        if self.is_source() {
            add(
                "could be corrected with added registers only",
                &answer.only_with_memory,
            );
            add(
                "could be corrected, maybe with added registers; no text was found",
                &answer.undecided,
            );
            return;
        }
        if answer.faults == 1 {
            add(
                "correctable with added registers only; see --allow-state",
                &answer.only_with_memory,
            );
            add(
                "correctable with added registers, perhaps without; see --allow-state",
                &answer.undecided,
            );
        }
        add("corrected, but not proved in time", &answer.unproved);
        if !answer.open.is_empty() && answer.not_supported.is_none() {
            let what = match answer.faults {
                1 => "component".to_string(),
                faults => format!("sets of {faults} components"),
            };
            let (ruled_out, open) = (answer.ruled_out.len(), answer.open.len());
            notes.push(format!(
                "ruled out so far: {ruled_out}; still open: {open} ({what})"
            ));
        }
    }

    fn list_corrections(&self, body: &mut RepairReport, notes: &mut Vec<String>) {
        let sources = &self.subject.sources;
        let list = |one: &RankedCorrection| {
            let effect = (disabled(one), one.effect.as_ref().and_then(effect));
            Correction::new(
                one.number,
                &one.patch,
                &one.also,
                one.vacuous,
                effect,
                sources,
            )
        };
        let mut corrections: Vec<Correction> = self.answer.corrections.iter().map(list).collect();
        let most = if self.is_source() {
            MOST_LISTED
        } else {
            MOST_LISTED_OF_NETLIST
        };
        if corrections.len() > most && !self.lists_all {
            let more = match corrections.len() - most {
                1 => "1 more correction".to_string(),
                more => format!("{more} more corrections"),
            };
            corrections.truncate(most);
            notes.push(format!("{more}; `--format json` lists all"));
        }
        body.corrections = corrections;
    }

    /// Where a change can mend failing runs, as text of the source.
    fn places(&self) -> Vec<PlaceOfFault> {
        let sources = &self.subject.sources;
        let components = self.netlist().components();
        let place = |one: &PlaceEvidence| {
            let component = &components[one.component.0 as usize];
            let span = component.span?;
            let words: Vec<&str> = sources.text(span).split_whitespace().collect();
            Some(PlaceOfFault {
                place: PlaceRecord::new(span, sources),
                kind: component.kind.kind().word(),
                text: words.join(" "),
                runs: one.runs,
                mended: one.mended,
                steps: one.steps,
                bits: one.bits,
            })
        };
        self.answer.places.iter().filter_map(place).collect()
    }

    fn repaired(&self) -> Report {
        let good: Vec<&RankedCorrection> = self.answer.repairs().collect();
        let corrections = match good.len() {
            1 => "1 correction".to_string(),
            count => format!("{count} corrections"),
        };
        let mut locations: Vec<String> = Vec::new();
        for change in good.iter().flat_map(|one| self.location_names(one)) {
            if !locations.contains(&change) {
                locations.push(change);
            }
        }
        let reason = if self.is_source() {
            format!("{corrections}, at {}", locations.join(", "))
        } else {
            match locations.len() {
                1 => format!("{corrections} of {}, proved", locations[0]),
                count => {
                    let names = shortened(locations);
                    format!("{corrections} at {count} places: {names}, proved")
                }
            }
        };
        match good.first() {
            Some(best) => Report::repaired(&best.patch).because(reason),
            None => Report::unknown(reason),
        }
    }

    /// Where a correction is: lines of a source, or the components of a netlist together.
    fn location_names(&self, correction: &RankedCorrection) -> Vec<String> {
        let changes = correction.patch.changes.iter();
        if self.is_source() {
            let sources = &self.subject.sources;
            return changes
                .filter_map(|change| Some(PlaceRecord::new(change.span?, sources).line_text()))
                .collect();
        }
        let names: Vec<String> = changes.map(component_name).collect();
        vec![names.join(" + ")]
    }

    fn unknown(&self, reason: &Reason) -> Report {
        Report::unknown(match reason {
            Reason::Interrupted => return Report::interrupted(),
            Reason::Stopped(error) => format!("no repair was found before the end: {error}"),
            Reason::OnlyVacuous => {
                "all corrections found are vacuous: the assumptions can then be forced to fail"
                    .to_string()
            }
            Reason::NoPlace => "no place was looked at: there are fewer than parts".to_string(),
            Reason::AllRejected => "all corrections found were rejected".to_string(),
            Reason::NotProved => "corrections were found, but not proved in time".to_string(),
            Reason::NotFound => "no correction without added registers was found".to_string(),
            Reason::SeveralPlaces => "no change of one place is a correction; with all of them \
                replaced at once the properties could be kept, so the fault may be in several \
                places (`--faults 1` asks for one)"
                .to_string(),
            Reason::OtherClocks => {
                "no correction was found, and a design with other clocks may be one".to_string()
            }
            Reason::OnlyWithRegisters if self.is_source() => {
                "no correction without added registers was found".to_string()
            }
            Reason::OnlyWithRegisters => {
                "there is no correction without added registers".to_string()
            }
            Reason::NeverHappens(names) => {
                let names = names.iter().map(|name| format!("`{name}`"));
                let names = shortened(names.collect());
                format!("no correction was found with which the antecedent of {names} happens")
            }
            Reason::NoEdit(kinds) => {
                let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
                let what = match words.as_slice() {
                    [] => "that was asked for".to_string(),
                    words => format!("of the kind {}", words.join(", ")),
                };
                format!(
                    "no edit {what} is a correction; other kinds were not tried, and edits alone \
                 cannot show that there is none"
                )
            }
            Reason::NotSupported { property, reason } if self.is_source() => format!(
                "no small edit is a correction, and the game is out of reach: `{property}`: {reason}"
            ),
            Reason::NotSupported { property, reason } => {
                let reason = format!(
                    "`{property}` is beyond the games that can be solved exactly: {reason}"
                );
                match self.automaton {
                    Automaton::Deterministic => {
                        format!("{reason}; `--automaton nondeterministic` may find a repair")
                    }
                    Automaton::Nondeterministic => reason,
                }
            }
        })
    }

    fn no_repair_reason(&self) -> String {
        if let Some(part) = &self.answer.part {
            let (looked_at, places) = (part.looked_at, part.places);
            let rest = match places - looked_at {
                0 => String::new(),
                1 => "; the other one was not looked at".to_string(),
                rest => format!("; the other {rest} were not looked at"),
            };
            return format!(
                "no change of one of these {looked_at} of {places} places is a correction{rest}"
            );
        }
        if self.is_source() {
            let locations: Vec<Vec<ComponentId>> = self
                .answer
                .locations
                .iter()
                .flat_map(|one| one.ruled_out.clone())
                .collect();
            let components = self.netlist().components();
            let kinds = locations.iter().flatten();
            let kinds: BTreeSet<Kind> = kinds
                .map(|id| components[id.0 as usize].kind.kind())
                .collect();
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
            let lines = shortened(self.lines(&locations));
            return format!(
                "no small edit is a correction, and the environment wins against every {} \
             that was asked for: {lines}",
                kinds.join(", ")
            );
        }
        let faults = self.answer.locations.iter().map(|one| one.faults);
        let what = match faults.max().unwrap_or(1) {
            1 => "any one component".to_string(),
            most => format!("up to {most} components"),
        };
        format!("the environment wins against every replacement of {what}")
    }

    /// Whether the suspects were too few, or the properties ask too much.
    fn explain_loss(&self, body: &mut RepairReport, notes: &mut Vec<String>, loss: &Loss) {
        match loss.core.as_slice() {
            [] => {}
            [one] => {
                notes.push(format!("no circuit with these ports keeps `{one}`"));
                return;
            }
            core => {
                let names = core.join("`, `");
                notes.push(format!(
                    "no circuit with these ports keeps all of `{names}`"
                ));
                return;
            }
        }
        let count = loss.suspects;
        let is_source = self.is_source();
        notes.push(match &loss.widest {
        Widest::SystemWins if is_source => {
            "with all of these replaced at once the properties could be kept: the fault is in \
             several places"
                .to_string()
        }
        Widest::SystemWins => format!(
            "with all {count} suspects replaced at once the properties could be kept; \
             `--faults` asks for more at a time"
        ),
        Widest::EnvironmentWins(play) => {
            body.counterplay = play.as_ref().map(|play| Counterplay {
                property: play.property.clone(),
                trace: play.run.clone(),
            });
            if is_source {
                "even with all of these replaced at once the environment wins: what is wrong is \
                 the structure of the design, or outside of the suspects"
                    .to_string()
            } else {
                format!(
                    "even with all {count} suspects replaced at once the environment wins: the \
                     properties ask too much of this circuit, or the fault is elsewhere"
                )
            }
        }
        // The verdict stands without it.
        Widest::Unknown => return,
    });
    }

    /// The lines of components, each once.
    fn lines(&self, locations: &[Vec<ComponentId>]) -> Vec<String> {
        let components = self.netlist().components();
        let spans = locations.iter().flatten();
        let spans = spans.filter_map(|id| components[id.0 as usize].span);
        let mut lines: Vec<String> = spans
            .map(|span| PlaceRecord::new(span, &self.subject.sources).line_text())
            .collect();
        lines.dedup();
        lines
    }
}

/// What a part of a repair was about.
pub fn part_of(answer: &PartAnswer, of_netlist: bool) -> PartOfRepair {
    PartOfRepair {
        parts: answer.share.parts.iter().copied().collect(),
        of: answer.share.of,
        looked_at: answer.looked_at,
        places: answer.places,
        found: answer.found.clone(),
        hopeless: answer.is_hopeless,
        of_netlist,
    }
}

/// What a certificate of a correction covers.
fn proved_for(subject: &Subject) -> String {
    let properties = subject.spec.properties.iter().enumerate();
    let asserted = properties.filter(|(_, one)| one.role == Role::Assert);
    let resets: Vec<ResetUse> = asserted
        .filter_map(|(index, _)| subject.reset_of(index))
        .collect();
    let again = if !resets.contains(&ResetUse::Once) {
        "may come again"
    } else if resets.contains(&ResetUse::Again) {
        "may come again where a property is disabled by it"
    } else {
        "does not come again"
    };
    let reset = match subject.front_end().reading().reset_steps {
        0 => String::new(),
        1 => format!(", after one step of reset, which {again}"),
        steps => format!(", after {steps} steps of reset, which {again}"),
    };
    let properties = subject.spec.properties.iter();
    let assumptions = properties.filter(|one| one.role == Role::Assume);
    let names: Vec<String> = assumptions.map(|one| format!("`{}`", one.name)).collect();
    let assumptions = match names.len() {
        0 => String::new(),
        1 => format!(", if {} holds", names[0]),
        _ => format!(", if {} hold", shortened(names)),
    };
    format!("each correction listed was proved for all inputs{reset}{assumptions}")
}

fn properties(answer: &RepairAnswer, subject: &Subject) -> Vec<PropertyResult> {
    let result = |(index, verdict): &(usize, Checked)| {
        let property = &subject.spec.properties[*index];
        let (verdict, reason) = match verdict {
            Checked::Holds => (Verdict::Pass, None),
            Checked::Fails(trace) => {
                let steps = if trace.is_infinite() {
                    "on a run that goes on for ever".to_string()
                } else {
                    format!("in step {}", trace.len().saturating_sub(1))
                };
                (Verdict::Fail, Some(steps))
            }
            Checked::Unknown(error) => (Verdict::Unknown, Some(error.to_string())),
        };
        let span = property.span;
        let mut vacuities = answer.vacuities.iter();
        let vacuous = vacuities.find(|one| one.property == *index);
        PropertyResult {
            name: property.name.clone(),
            is_cover: false,
            verdict,
            reset: reset_word(subject, *index),
            engine: None,
            vacuous: vacuous.map(|one| vacuous_word(one.kind)),
            reason,
            place: span.map(|span| PlaceRecord::new(span, &subject.sources)),
            time: None,
            trace: None,
        }
    };
    answer.before.iter().map(result).collect()
}

/// Assertions that the design keeps without their saying anything.
fn vacuity_warnings<'a>(
    answer: &'a RepairAnswer,
    subject: &'a Subject,
) -> impl Iterator<Item = Diagnostic> + 'a {
    answer.vacuities.iter().map(|one| {
        let warning = vacuity_warning(one, subject);
        let is_mended = !answer.covered.is_empty();
        if one.kind == VacuityKind::AntecedentNeverHappens && !is_mended {
            warning.help("`--cover-antecedents` looks for what keeps it from happening")
        } else {
            warning
        }
    })
}

/// Latches that the design infers are faults of their own, unless they are never open.
pub fn latches(subject: &Subject, are_closed: bool) -> impl Iterator<Item = Diagnostic> + '_ {
    subject.latches.iter().map(move |latch| {
        if are_closed {
            return latch.warning();
        }
        let name = &latch.name;
        let message = format!("`{name}` is not assigned in every case: this is a latch");
        Diagnostic::warning(verilog_codes::LATCH, message)
            .at(latch.block, "in this block")
            .help("a correction has none")
    })
}

/// What lived before and does not any more.
fn disabled(correction: &RankedCorrection) -> Vec<String> {
    let effect = correction.effect.as_ref();
    let seen = effect.into_iter().flat_map(|effect| &effect.disabled);
    let seen = seen.map(|what| format!("{what} on random runs"));
    let covers = correction.lost_covers.iter();
    let covers = covers.map(|name| format!("cover `{name}` cannot be reached"));
    covers.chain(seen).collect()
}

/// How much an edit changes where nothing had to change: the share of output values, over all
/// steps of random runs that kept the properties before.
fn effect(effect: &Effect) -> Option<String> {
    let runs = if effect.whole_runs {
        "on random runs that passed before"
    } else {
        "on random runs up to the failure"
    };
    match (effect.difference, effect.compared) {
        (_, 0) => None,
        (0, _) => Some(format!("changes no output {runs}")),
        (changed, all) => {
            let share = 100.0 * changed as f64 / all as f64;
            Some(format!("changes {share:.2} % of output values {runs}"))
        }
    }
}

fn component_name(change: &Change) -> String {
    format!("{} {}", change.kind.word(), change.component)
}

fn named(netlist: &Netlist, location: &[ComponentId]) -> String {
    let components = location.iter().map(|id| {
        let component = &netlist.components()[id.0 as usize];
        format!("{} {}", component.kind.kind().word(), component.name)
    });
    components.collect::<Vec<_>>().join(" + ")
}
