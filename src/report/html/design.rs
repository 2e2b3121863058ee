//! Sections on a design: its properties, failing runs, and corrections with what they change.

use super::Page;
use super::drawing::{Room, figure};
use super::excerpt::{Mark, excerpt, side_by_side};
use super::markup::{Escaped, counted, sentence};
use super::wave::Wave;
use crate::design::ValueNames;
use crate::report::property::{EngineWord, ResetWord, VacuousWord};
use crate::report::{
    Correction, PropertyResult, RecordedResult, RepairReport, Verdict, VerifyReport,
};
use crate::source::record::PlaceRecord;
use std::fmt::Write;

/// Runs that are open from the start; the others are behind a line that opens them.
const MOST_OPEN: usize = 3;
/// Signals that a sentence names.
const MOST_NAMED: usize = 4;

pub fn verify(report: &VerifyReport, page: &Page, room: &mut Room) -> String {
    let runs = |is_failing: bool, room: &mut Room| -> String {
        let properties = report.properties.iter();
        let own = properties.filter(|one| (one.verdict == Verdict::Fail) == is_failing);
        let own = own.filter_map(|one| Some((one, one.trace.as_ref()?)));
        let shown = own.enumerate().map(|(index, (property, run))| {
            let (name, outcome) = (&property.name, property.outcome());
            let mark = if property.is_cover {
                "✓ covered"
            } else {
                "✗ fails"
            };
            let wave = Wave::of_run(run, mark, &report.value_names);
            let caption = format!("The run on which {name} {outcome}");
            let inside =
                place(property.place.as_ref(), name, page) + &figure(&wave, &caption, room);
            let title = format!("{name} {outcome} {}", run.shape());
            foldable(&title, &inside, is_failing && index < MOST_OPEN)
        });
        shown.collect()
    };
    // What fails is looked at first, however long the list is.
    let failing = runs(true, room);
    let recorded = recorded(&report.recorded, &report.value_names, room);
    failing + &recorded + &properties(&report.properties) + &runs(false, room)
}

/// The place of a property in its file.
fn place(place: Option<&PlaceRecord>, name: &str, page: &Page) -> String {
    let Some(place) = place else {
        return String::new();
    };
    let text = name.to_string();
    excerpt(&[Mark { place, text }], page.sources)
}

fn foldable(title: &str, inside: &str, is_open: bool) -> String {
    let open = if is_open { " open" } else { "" };
    format!(
        "<details class=\"run\"{open}><summary><h2>{}</h2></summary>\n{inside}</details>\n",
        Escaped(title)
    )
}

fn properties(properties: &[PropertyResult]) -> String {
    if properties.is_empty() {
        return String::new();
    }
    let has_engine = properties.iter().any(|one| one.engine.is_some());
    let has_time = properties.iter().any(|one| one.time.is_some());
    let mut columns = vec!["status", "property", "what was found"];
    columns.extend(has_engine.then_some("engine"));
    columns.extend(has_time.then_some("time"));
    columns.push("place");
    let columns = columns
        .iter()
        .map(|one| format!("<th scope=\"col\">{one}</th>"));
    let mut text = format!(
        "<section><h2>Properties</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" \
         aria-label=\"Properties\"><table class=\"list\"><thead><tr>{}</tr></thead><tbody>\n",
        columns.collect::<String>()
    );
    for property in properties {
        let engine = match property.engine {
            Some(EngineWord::Bdd) => "decision diagrams",
            Some(EngineWord::Sat) => "satisfiability",
            None => "",
        };
        let time = property
            .time
            .map(|time| format!("{:.2} s", time.as_secs_f64()));
        let place = property.place.as_ref().map(PlaceRecord::line_text);
        let _ = write!(
            text,
            "<tr><td><span class=\"status {}\">{}</span></td><th scope=\"row\">{}</th><td>{}</td>",
            class(property.verdict),
            property.verdict.word(),
            Escaped(&property.name),
            Escaped(found(property))
        );
        if has_engine {
            let _ = write!(text, "<td>{engine}</td>");
        }
        if has_time {
            let _ = write!(text, "<td>{}</td>", time.unwrap_or_default());
        }
        let place = Escaped(place.unwrap_or_default());
        let _ = writeln!(text, "<td><code>{place}</code></td></tr>");
    }
    text.push_str("</tbody></table></div></section>\n");
    text
}

/// What is known of a property, in a few words.
fn found(property: &PropertyResult) -> String {
    let mut parts = Vec::new();
    if property.is_cover {
        parts.push("cover statement".to_string());
    }
    if let Some(run) = &property.trace {
        parts.push(format!("{} {}", property.outcome(), run.shape()));
    }
    if let (Some(reset), Verdict::Pass) = (property.reset, property.verdict) {
        let reset = match reset {
            ResetWord::Once => "after reset, which stays off",
            ResetWord::Again => "after reset, which may come again",
        };
        parts.push(reset.to_string());
    }
    match property.vacuous {
        Some(VacuousWord::Antecedent) => {
            parts.push("vacuous: its antecedent never happens".to_string());
        }
        Some(VacuousWord::Tautology) => {
            parts.push("vacuous: every design keeps it".to_string());
        }
        None => {}
    }
    parts.extend(property.reason.clone());
    parts.join(", ")
}

pub fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass | Verdict::Repaired | Verdict::Realizable => "good",
        Verdict::Plausible | Verdict::Unknown => "open",
        Verdict::Fail | Verdict::NoRepair | Verdict::Unrealizable => "bad",
    }
}

fn recorded(results: &[RecordedResult], names: &ValueNames, room: &mut Room) -> String {
    let mut text = String::new();
    for result in results {
        let (Some(difference), Some(run)) = (&result.difference, &result.run) else {
            continue;
        };
        let title = format!("{} differs in cycle {}", result.file, difference.cycle);
        let mut inside = format!(
            "<p><code>{}</code> is <code>{}</code> there, and <code>{}</code> was recorded.</p>\n",
            Escaped(&difference.signal),
            Escaped(&difference.actual),
            Escaped(&difference.expected)
        );
        if !difference.causes.is_empty() {
            inside.push_str("<p>What brought it about:</p><ul>");
            for cause in &difference.causes {
                let _ = write!(
                    inside,
                    "<li>cycle {}: <code>{}</code> is <code>{}</code> ({})</li>",
                    cause.cycle,
                    Escaped(&cause.signal),
                    Escaped(&cause.value),
                    cause.kind.text()
                );
            }
            inside.push_str("</ul>\n");
        }
        let wave = Wave::of_run(run, "✗ differs", names);
        let caption = "The last cycles, as the design shows them";
        inside.push_str(&figure(&wave, caption, room));
        text.push_str(&foldable(&title, &inside, true));
    }
    text
}

pub fn repair(report: &RepairReport, page: &Page, room: &mut Room) -> String {
    let mut text = String::new();
    if report.corrections.is_empty() {
        for (index, (name, run)) in report.traces.iter().enumerate() {
            let title = format!("{name} fails {}", run.shape());
            let caption = format!("The run on which {name} fails");
            let inside = figure(
                &Wave::of_run(run, "✗ fails", &report.value_names),
                &caption,
                room,
            );
            text.push_str(&foldable(&title, &inside, index < MOST_OPEN));
        }
    } else {
        text.push_str(&corrections(report, page, room));
    }
    if let Some(play) = &report.counterplay {
        let title = format!(
            "How the environment wins: {} fails {}",
            play.property,
            play.trace.shape()
        );
        let caption = "One run of the environment's strategy";
        let inside = figure(
            &Wave::of_run(&play.trace, "✗ fails", &report.value_names),
            caption,
            room,
        );
        text.push_str(&foldable(&title, &inside, true));
    }
    text.push_str(&places(report, page));
    text.push_str(&properties(&report.properties));
    text.push_str(&recorded(&report.recorded, &report.value_names, room));
    text.push_str(&apart(report));
    text
}

/// All corrections to choose from, and all there is to know of the chosen one. Which one is
/// shown is decided by the style alone, so that it works without scripts.
fn corrections(report: &RepairReport, page: &Page, room: &mut Room) -> String {
    let mut text = String::from("<section class=\"corrections\"><h2>Corrections</h2>\n<style>");
    for correction in &report.corrections {
        let number = correction.number;
        let _ = write!(
            text,
            ".corrections:has(#choose{number}:checked) #correction{number}{{display:block}}"
        );
    }
    text.push_str(
        "</style>\n<fieldset class=\"choices\"><legend>Choose one; the best comes first</legend>\n",
    );
    let picked = report.picked();
    for correction in &report.corrections {
        let number = correction.number;
        let checked = if Some(number) == picked {
            " checked"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "<label><input type=\"radio\" name=\"correction\" id=\"choose{number}\" \
             value=\"{number}\"{checked}> <strong>{number}.</strong> {}</label>",
            summary(correction)
        );
    }
    text.push_str("</fieldset>\n");
    for correction in &report.corrections {
        text.push_str(&panel(correction, report, page, room));
    }
    text.push_str("</section>\n");
    text
}

fn summary(correction: &Correction) -> String {
    let edits = correction.edits.iter().map(|edit| {
        let place = edit.place.as_ref().map(PlaceRecord::line_text);
        let place = place.unwrap_or_else(|| edit.component.clone());
        let (before, after) = (edit.before.join(" "), edit.after.join(" "));
        let change = if edit.before.len() <= 1 {
            format!(
                "<code class=\"removed\">{}</code> <span aria-label=\"becomes\" role=\"img\">→</span> \
                 <code class=\"added\">{}</code>",
                Escaped(before.trim()),
                Escaped(after.trim())
            )
        } else {
            counted(edit.before.len(), "bit")
        };
        format!(
            "<span class=\"where\">{} at {}</span> {change}",
            edit.kind.word(),
            Escaped(place)
        )
    });
    edits.collect::<Vec<_>>().join(" <br>and ")
}

fn panel(correction: &Correction, report: &RepairReport, page: &Page, room: &mut Room) -> String {
    let number = correction.number;
    let mut text = format!(
        "<article class=\"panel\" id=\"correction{number}\" aria-label=\"Correction {number}\">\
         <h3>Correction {number}</h3>\n"
    );
    match &correction.diff {
        Some(diff) if !diff.is_empty() => {
            text.push_str(&side_by_side(diff));
            let _ = writeln!(
                text,
                "<details class=\"patch\"><summary>Patch, for <code>git apply</code> or \
                 <code>patch -p1</code></summary><pre id=\"patch{number}\" tabindex=\"0\">{}</pre></details>",
                Escaped(diff)
            );
            let _ = writeln!(
                text,
                "<button type=\"button\" class=\"copy\" data-from=\"patch{number}\" hidden>Copy the patch</button>"
            );
        }
        _ => text.push_str(&changes(correction)),
    }
    let _ = writeln!(
        text,
        "<p class=\"command\">To have this one: <code id=\"pick{number}\">{}</code> \
         <button type=\"button\" class=\"copy\" data-from=\"pick{number}\" hidden>Copy the command</button><br>\
         With <code>--write</code> as well, the source is edited.</p>",
        Escaped(page.command_with_pick(number))
    );
    let mut sentences = Vec::new();
    let mut figures = String::new();
    for (index, (name, after)) in correction.runs.iter().enumerate() {
        let Some((_, before)) = report.traces.iter().find(|(other, _)| other == name) else {
            continue;
        };
        let wave = Wave::of_comparison(before, after, "✗ failed", &report.value_names);
        sentences.extend(parting(&wave, name));
        let caption = format!("The inputs on which {name} fails, before and after");
        let inside = figure(&wave, &caption, room);
        if index == 0 {
            figures.push_str(&inside);
        } else {
            let _ = write!(
                figures,
                "<details><summary>{}</summary>{inside}</details>",
                Escaped(&caption)
            );
        }
    }
    text.push_str(&why(correction, &sentences));
    text.push_str(&figures);
    let left = report.traces.len().saturating_sub(correction.runs.len());
    if left > 0 && !correction.runs.is_empty() {
        let _ = writeln!(
            text,
            "<p class=\"note\">{} more failing; <code>respin verify --html</code> draws all.</p>",
            counted(left, "property run")
        );
    }
    text.push_str("</article>\n");
    text
}

/// Where there is no diff: what stands where, bit by bit.
fn changes(correction: &Correction) -> String {
    let mut text = String::from(
        "<table class=\"list\"><thead><tr><th scope=\"col\">component</th><th scope=\"col\">is now</th><th scope=\"col\">should be</th></tr></thead><tbody>",
    );
    for edit in &correction.edits {
        for (before, after) in edit.before.iter().zip(&edit.after) {
            let _ = write!(
                text,
                "<tr><th scope=\"row\">{} {}</th><td><code>{}</code></td><td><code>{}</code></td></tr>",
                edit.kind.word(),
                Escaped(&edit.component),
                Escaped(before),
                Escaped(after)
            );
        }
    }
    text.push_str("</tbody></table>\n");
    text
}

/// Where the corrected run leaves the failing one.
fn parting(wave: &Wave, name: &str) -> Option<String> {
    let (step, parted) = wave.parting()?;
    let named = parted.iter().take(MOST_NAMED).map(|(signal, was, is)| {
        format!(
            "<code>{}</code> is {} in place of {}",
            Escaped(signal),
            Escaped(is),
            Escaped(was)
        )
    });
    let more = match parted.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(", and {} differ", counted(more, "more signal")),
    };
    let named = named.collect::<Vec<_>>().join(", ");
    Some(format!(
        "On the inputs on which <code>{}</code> fails, the runs part in step {step}: {named}{more}.",
        Escaped(name)
    ))
}

fn why(correction: &Correction, sentences: &[String]) -> String {
    let mut items: Vec<String> = sentences.to_vec();
    if let Some(effect) = &correction.effect {
        items.push(format!("It {}.", Escaped(effect)));
    }
    if !correction.disables.is_empty() {
        let disables = correction.disables.join(", ");
        items.push(format!("It disables the design: {}.", Escaped(disables)));
    }
    if correction.added_registers > 0 {
        items.push(format!(
            "It adds {}.",
            counted(correction.added_registers, "register")
        ));
    }
    if correction.vacuous {
        items.push("It is vacuous: the assumptions can then be forced to fail.".to_string());
    }
    if !correction.also.is_empty() {
        items.push(format!(
            "The same effect elsewhere: {}.",
            sentence(&correction.also.join(", "))
        ));
    }
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|one| format!("<li>{one}</li>")).collect();
    format!("<h4>Why this works, and what else it changes</h4><ul>{items}</ul>\n")
}

/// Places that failing runs speak against, where no correction is known.
fn places(report: &RepairReport, page: &Page) -> String {
    if report.places.is_empty() {
        return String::new();
    }
    let marks = report.places.iter().map(|one| Mark {
        place: &one.place,
        text: format!("mends {} of {}", one.mended, counted(one.runs, "run")),
    });
    let marks: Vec<Mark> = marks.collect();
    format!(
        "<section><h2>Places where other values mend failing runs</h2>{}</section>\n",
        excerpt(&marks, page.sources)
    )
}

/// Inputs that tell alternatives apart.
fn apart(report: &RepairReport) -> String {
    let mut text = String::new();
    for one in &report.apart {
        let (first, second) = one.corrections;
        let _ = write!(
            text,
            "<section><h2>Corrections {first} and {second} differ after these inputs</h2>\
             <pre tabindex=\"0\">{}</pre><ul>",
            Escaped(&one.csv)
        );
        for (name, left, right) in &one.outputs {
            let _ = write!(
                text,
                "<li><code>{}</code> is {} with {first}, and {} with {second}</li>",
                Escaped(name),
                Escaped(left),
                Escaped(right)
            );
        }
        let _ = writeln!(
            text,
            "</ul><details><summary>As statements of a test bench</summary>\
             <pre tabindex=\"0\">{}</pre></details></section>",
            Escaped(&one.verilog)
        );
    }
    text
}
