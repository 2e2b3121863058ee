//! What `check` and `explain` found, as a report: places in files, and sentences.

use crate::certify::Realizability;
use crate::certify::gr1::Against;
use crate::explain::answer::{
    self, Asked, Conclusion, Confirmation, Explanation, ForcedEnding, Item, ItemKind, Missing,
    Play, Reason, Satisfiable, Verdict, Wanted, WellSeparation, Written,
};
use crate::explain::separation::{Case, Part, Position};
use crate::explain::{Error, Unfinished};
use crate::picture::Picture;
use crate::report::Report;
use crate::report::explanation::{self as report, PREVENTED};
use crate::report::specification::Section;
use crate::run::SignalKind;
use crate::source::codes::explanation as codes;
use crate::source::record::PlaceRecord;
use crate::source::{Code, Diagnostic, Severity, Sources};

/// There may be more, and the user can ask for it.
const MORE_WITH_ALL: &str = "There may be more: `--all` looks for them.";

/// The report that a verdict begins, and why a certified one is what it is.
pub fn verdict(verdict: &Verdict, realizable: &str, unrealizable: &str) -> Report {
    match verdict {
        Verdict::Certified(Realizability::Realizable(certified)) => {
            Report::realizable(certified).because(realizable)
        }
        Verdict::Certified(Realizability::Unrealizable(certified)) => {
            Report::unrealizable(certified).because(unrealizable)
        }
        Verdict::GaveUp(reason) => Report::unknown(reason.clone()),
        Verdict::Limit(error, known) => {
            let mut report = Report::unknown(match known {
                None => error.to_string(),
                Some(realizable) => {
                    let word = if *realizable {
                        "REALIZABLE"
                    } else {
                        "UNREALIZABLE"
                    };
                    format!("the solver says {word}, but that was not certified: {error}")
                }
            });
            if *error == Error::Interrupted {
                report = report.and_interrupted();
            }
            report
        }
    }
}

/// Whether the system can make assumptions fail, in a few words.
pub fn separation_words(found: &WellSeparation) -> String {
    if found.cases.is_empty() {
        return match found.asked {
            Asked::FromStart => "well-separated from the first step on".to_string(),
            Asked::FromStates { .. } => "well-separated".to_string(),
        };
    }
    let cases: Vec<String> = found.cases.iter().map(|case| case.text()).collect();
    let mut text = format!("not well-separated: {}", cases.join(" and "));
    if found.asked == (Asked::FromStates { is_prevented: true }) {
        text.push_str(PREVENTED);
    }
    text
}

/// Says when the verdict rests on a side that contradicts itself.
pub fn explain_vacuity(report: &mut Report, satisfiable: Satisfiable) {
    if satisfiable.assumptions == Some(false) {
        let note = "the assumptions contradict themselves: no play keeps them all for ever";
        report.notes.push(note.to_string());
    }
    if satisfiable.guarantees == Some(false) {
        let note = "the guarantees contradict themselves: no play keeps them all for ever";
        report.notes.push(note.to_string());
    }
    let each = satisfiable.assumptions == Some(true) && satisfiable.guarantees == Some(true);
    if each && satisfiable.both == Some(false) {
        let note = "no play keeps both sides, although each can be kept alone";
        report.notes.push(note.to_string());
    }
}

/// The conflict in the source, and the assumptions that can be made to fail.
pub fn diagnostics(found: &Explanation) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    if let Some(core) = &found.core {
        let message = "no system can keep these guarantees together";
        diagnostics.push(note(codes::CONFLICT, message, &core.items));
    }
    if let Some(separation) = &found.separation
        && !separation.cases.is_empty()
    {
        let message = "a system can make these assumptions fail";
        diagnostics.push(note(codes::NOT_WELL_SEPARATED, message, &separation.core));
    }
    for missing in &found.missing {
        if let Missing::NotConfirmed(wanted, flaw) = missing {
            let message = format!("{} was not confirmed: {flaw}", words(*wanted));
            let warning = Diagnostic::warning(codes::NOT_CONFIRMED, message);
            diagnostics.push(warning.help("please report it with the specification"));
        }
    }
    diagnostics
}

fn note(code: Code, message: &str, items: &[Item]) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(Severity::Note, code, message);
    for item in items {
        if let (Some(span), true) = (item.span, item.kind != ItemKind::Output) {
            diagnostic = diagnostic.at(span, format!("`{}`", item.name));
        }
    }
    diagnostic
}

pub fn explanation(found: &Explanation, sources: &Sources) -> report::Explanation {
    let items = |list: &Vec<Item>| items(list, sources);
    let lists =
        |lists: &Vec<Vec<Item>>| -> Vec<Vec<report::Item>> { lists.iter().map(items).collect() };
    report::Explanation {
        core: found.core.as_ref().map(|core| report::Core {
            items: items(&core.items),
            guarantees: core.guarantees,
            outputs: core.outputs,
            assumptions: items(&core.assumptions),
            confirmed: core.confirmation != Confirmation::Open,
        }),
        diagnoses: found.diagnoses.as_ref().map(|found| report::Diagnoses {
            conflicts: lists(&found.conflicts),
            diagnoses: lists(&found.diagnoses),
            more_conflicts: more_conflicts(found),
            limit: limit(found),
        }),
        fix: found.fix.as_ref().map(|fix| report::Fix {
            removed: items(&fix.removed),
            assumptions: items(&fix.assumptions),
            confirmed: fix.confirmation != Confirmation::Open,
        }),
        additions: found.additions.as_ref().map(|found| report::Additions {
            sets: found
                .sets
                .iter()
                .map(|set| items(&set.assumptions))
                .collect(),
            hopeless: found.hopeless.is_some(),
            only_against_safety: found
                .sets
                .iter()
                .any(|set| set.certified.against == Against::SafeSystems),
        }),
        weakenings: found
            .weakenings
            .iter()
            .map(|one| report::Weakening {
                guarantee: item(&one.guarantee, sources),
                replacement: one.replacement.clone(),
                written: one.written.as_ref().map(written),
            })
            .collect(),
        countertrace: found.countertrace.as_ref().map(|trace| play(&trace.play)),
        counterstrategy: found.counterstrategy.as_ref().map(|own| {
            let graph = found.graph.clone();
            counterstrategy(own, graph)
        }),
        assumptions: found.assumptions.as_ref().map(|found| report::Assumptions {
            sufficient: items(&found.sufficient),
            needed_by: items(&found.needed_by),
            unhelpful: items(&found.unhelpful),
            total: found.total,
        }),
        separation: found
            .separation
            .as_ref()
            .map(|found| separation(found, sources)),
        all: found.all.as_ref().map(lists),
        missing: found.missing.iter().map(missing).collect(),
        checks: found.checks,
    }
}

fn items(items: &[Item], sources: &Sources) -> Vec<report::Item> {
    items.iter().map(|one| item(one, sources)).collect()
}

fn item(item: &Item, sources: &Sources) -> report::Item {
    report::Item {
        kind: match item.kind {
            ItemKind::Guarantee => report::ItemKind::Guarantee,
            ItemKind::Assumption => report::ItemKind::Assumption,
            ItemKind::Output => report::ItemKind::Output,
        },
        name: item.name.clone(),
        text: item.text.clone(),
        written: item.written.as_ref().map(written),
        place: item.span.map(|span| PlaceRecord::new(span, sources)),
    }
}

fn written(written: &Written) -> report::Written {
    report::Written {
        section: section(written.section),
        text: written.text.clone(),
    }
}

/// The word of a section of TLSF.
pub fn section(section: answer::Section) -> Section {
    match section {
        answer::Section::Initially => Section::Initially,
        answer::Section::Preset => Section::Preset,
        answer::Section::Require => Section::Require,
        answer::Section::Assume => Section::Assume,
        answer::Section::Assert => Section::Assert,
        answer::Section::Guarantee => Section::Guarantee,
    }
}

/// `a`, `b` and `c`
fn list(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => "what is given".to_string(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

fn play(play: &Play) -> report::Play {
    let condition = (!play.held.is_empty()).then(|| {
        let texts: Vec<String> = play
            .held
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        format!(
            "This is about systems that start as guaranteed and keep outputs outside of the \
             core: {}",
            texts.join(" ")
        )
    });
    report::Play {
        condition,
        steps: steps(play),
        loop_start: play.run.loop_start,
        conclusion: play
            .conclusions
            .iter()
            .flat_map(|conclusion| sentences(play, conclusion))
            .collect(),
    }
}

fn steps(play: &Play) -> Vec<report::Step> {
    let settings = |kind: SignalKind, step: usize| -> Vec<report::Setting> {
        let signals = play.run.signals.iter().enumerate();
        signals
            .filter(|(_, signal)| signal.kind == kind)
            .map(|(index, signal)| report::Setting {
                name: signal.name.clone(),
                value: play.value(index, step),
            })
            .collect()
    };
    (0..play.run.steps)
        .map(|step| report::Step {
            inputs: settings(SignalKind::Input, step),
            outputs: if play.is_stuck(step) {
                Vec::new()
            } else {
                settings(SignalKind::Output, step)
            },
            reasons: play.reasons[step].iter().filter_map(reason).collect(),
        })
        .collect()
}

fn reason(reason: &Reason) -> Option<String> {
    match reason {
        Reason::Forced { because, .. } if because.is_empty() => None,
        Reason::Forced {
            output,
            value,
            because,
        } => {
            let verb = if because.len() == 1 {
                "forces"
            } else {
                "force"
            };
            Some(format!("{} {verb} {output}={value}", list(because)))
        }
        Reason::Stuck { because } => Some(format!(
            "no answer keeps {}: the system has lost",
            list(because)
        )),
    }
}

fn sentences(play: &Play, conclusion: &Conclusion) -> Vec<String> {
    match conclusion {
        Conclusion::Repeats { prevented } => {
            let last = play.run.steps.saturating_sub(1);
            let repeated = match play.run.loop_start {
                Some(start) if start != last => format!("Steps {start} to {last} repeat"),
                _ => format!("Step {last} repeats"),
            };
            let what = if prevented.is_empty() {
                "Whatever the system chooses, some goal holds only finitely often".to_string()
            } else {
                format!("{} never holds there", list(prevented))
            };
            vec![
                format!("{repeated} for ever (*), and all assumptions are kept"),
                what,
            ]
        }
        Conclusion::Certified => {
            vec!["Certified: no outputs keep the guarantees with it".to_string()]
        }
        Conclusion::Breaks(names) => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            vec![format!("This play breaks {}", names.join(", "))]
        }
        Conclusion::NoCountertrace(ahead) => vec![ahead.sentence()],
    }
}

fn counterstrategy(
    found: &answer::Counterstrategy,
    graph: Option<Picture>,
) -> report::Counterstrategy {
    let settings = |pairs: &[(String, String)]| -> Vec<report::Setting> {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| report::Setting {
                name: name.clone(),
                value: Some(value.clone()),
            })
            .collect()
    };
    let machine = found.machine.as_ref().map(|machine| {
        let states = machine.states.iter().map(|state| report::MachineState {
            inputs: settings(&state.inputs),
            next: state
                .next
                .iter()
                .map(|(outputs, to)| (settings(outputs), *to))
                .collect(),
        });
        report::Machine {
            states: states.collect(),
        }
    });
    report::Counterstrategy {
        states: found.states,
        truncated: found.truncated,
        play: found.play.as_ref().map(play),
        machine,
        certified: found.certified.is_some(),
        graph,
    }
}

fn separation(found: &answer::Separation, sources: &Sources) -> report::Separation {
    let cases =
        |list: &Vec<Case>| -> Vec<report::Case> { list.iter().copied().map(case).collect() };
    report::Separation {
        cases: cases(&found.cases),
        with_guarantees: found.with_guarantees.as_ref().map(cases),
        core: items(&found.core, sources),
        safety_core: items(&found.safety_core, sources),
        trace: found.trace.as_ref().map(steps).unwrap_or_default(),
        forcing: found.forcing.as_ref().map(steps).unwrap_or_default(),
        conclusion: match &found.ending {
            Some(ending) => Some(forced_end(ending)),
            None if found.is_from_start && found.cases.is_empty() => Some(
                "From the first step on, the environment can keep them whatever the system does"
                    .to_string(),
            ),
            None => None,
        },
        certified: found.certified,
    }
}

fn case(case: Case) -> report::Case {
    let position = match case.position {
        Position::All => "whatever the environment starts with",
        Position::Reachable => "from some state that a play can reach",
    };
    let meaning = match case.part {
        Part::Initial => "the initial assumptions contradict themselves".to_string(),
        Part::Safety => {
            format!("the system can leave the environment no move that keeps safety, {position}")
        }
        Part::Justice => {
            format!("the system can keep some assumption from holding again and again, {position}")
        }
    };
    report::Case {
        name: case.text(),
        meaning,
    }
}

fn forced_end(ending: &ForcedEnding) -> String {
    match ending {
        ForcedEnding::Deadlock(because) => format!(
            "Then no input keeps {}: the environment has to break an assumption",
            list(because)
        ),
        ForcedEnding::Waiting {
            assumption,
            loop_start,
        } => {
            let assumption = match assumption {
                Some(name) => format!("`{name}`"),
                None => "some assumption".to_string(),
            };
            format!("The play goes on from step {loop_start}, and {assumption} never holds")
        }
        ForcedEnding::Breaks {
            assumptions,
            loop_start,
        } => format!(
            "The play goes on from step {loop_start} for ever, which breaks {}",
            list(assumptions)
        ),
        ForcedEnding::Cut(steps) => format!(
            "The play is longer and was cut after {steps} steps; it goes on until the environment \
             breaks an assumption"
        ),
    }
}

/// That there may be more conflicts: there are none only if all diagnoses were found.
fn more_conflicts(found: &answer::Diagnoses) -> Option<String> {
    let is_open = found.lacks_conflicts || !found.open.is_empty();
    match found.unfinished {
        Some(Unfinished::Size(_) | Unfinished::Count) => Some(MORE_WITH_ALL.to_string()),
        Some(Unfinished::Stopped(error)) => Some(format!("There may be more: {error}.")),
        None => is_open.then(|| {
            "There may be more: within the limits some questions stayed open.".to_string()
        }),
    }
}

fn limit(found: &answer::Diagnoses) -> Option<String> {
    let mut sentences = Vec::new();
    match found.unfinished {
        None => {}
        Some(Unfinished::Size(size)) => sentences.push(format!(
            "There may be more with more than {size} members: `--all` looks for them."
        )),
        Some(Unfinished::Count) => {
            sentences.push(MORE_WITH_ALL.to_string());
        }
        Some(Unfinished::Stopped(error)) => {
            sentences.push(format!("There may be more: {error}."));
        }
    }
    if !found.open.is_empty() {
        let sets = found.open.iter().map(|set| {
            let names: Vec<&str> = set.iter().map(|item| item.name.as_str()).collect();
            format!("{{{}}}", names.join(", "))
        });
        let sets: Vec<String> = sets.collect();
        sentences.push(format!(
            "Within the limits it stayed open whether these are some: {}.",
            sets.join(", ")
        ));
    }
    if sentences.is_empty() && found.lacks_conflicts {
        let sentence = "All diagnoses are here, but a conflict is missing that was not shown to \
                        be minimal.";
        sentences.push(sentence.to_string());
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn missing(missing: &Missing) -> String {
    match missing {
        Missing::Limit(wanted, error) => format!("{} was not found: {error}.", words(*wanted)),
        Missing::NotConfirmed(wanted, flaw) => format!(
            "{} is left out, since what was found was not confirmed: {flaw}.",
            words(*wanted)
        ),
        Missing::NoCountertrace(ahead) => ahead.sentence(),
        Missing::GaveUp(reason) => reason.clone(),
        Missing::Open(wanted) => format!(
            "{} was not found: within the limits some questions stayed open.",
            words(*wanted)
        ),
        Missing::NoWeakening => format!(
            "{} was not found: to give up one alone is not enough, nothing of it would be \
             left, or it can only be written as a whole.",
            words(Wanted::Weakenings)
        ),
        Missing::OnlyForGr1(wanted) => {
            format!("{} is only there for GR(1) specifications.", words(*wanted))
        }
    }
}

fn words(wanted: Wanted) -> &'static str {
    match wanted {
        Wanted::Core => "A core",
        Wanted::AssumptionsOfCore => "Which assumptions the core needs",
        Wanted::Counterstrategy => "The counterstrategy",
        Wanted::Countertrace => "A countertrace",
        Wanted::Fix => "The minimal fix",
        Wanted::SufficientAssumptions => "Which assumptions suffice",
        Wanted::Separation => "Whether assumptions are well-separated",
        Wanted::Diagnoses => "The list of diagnoses",
        Wanted::AllExplanations => "The list of all explanations",
        Wanted::Additions => "An assumption to add",
        Wanted::Weakenings => "A weaker guarantee",
    }
}
