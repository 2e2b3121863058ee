//! The page of a mutation: survivors with their runs, the scores of properties, all mutants.

use super::drawing::{Room, figure};
use super::markup::{Escaped, counted};
use super::wave::Wave;
use crate::report::mutate::{FateWord, MutantRecord, MutateReport, Mutation};
use std::fmt::Write;

/// Survivors whose runs are open from the start.
const MOST_OPEN: usize = 3;

pub fn mutants(report: &MutateReport, room: &mut Room) -> String {
    let mutation = &report.mutation;
    let mut text = scores(mutation);
    for (index, mutant) in mutation.with_fate(FateWord::Survived).enumerate() {
        text.push_str(&survivor(mutant, index < MOST_OPEN, report, room));
    }
    text.push_str(&all(mutation));
    text
}

fn survivor(
    mutant: &MutantRecord,
    is_open: bool,
    report: &MutateReport,
    room: &mut Room,
) -> String {
    let open = if is_open { " open" } else { "" };
    let place = mutant.edits.first().and_then(|edit| edit.place.as_ref());
    let place = place.map_or_else(String::new, |place| format!(" at {}", place.line_text()));
    let mut inside = changes(mutant);
    if let Some(difference) = mutant.difference() {
        let _ = writeln!(inside, "<p>Differs {}.</p>", Escaped(difference));
    }
    if let Some(run) = &mutant.trace {
        let wave = Wave::of_run(run, "✗ differs", &report.value_names);
        let caption = "The run on which it differs; `reference.` is the original";
        inside.push_str(&figure(&wave, caption, room));
    }
    format!(
        "<details class=\"run\"{open}><summary><h2>Mutant {} survives{}</h2></summary>\n{inside}</details>\n",
        mutant.number,
        Escaped(place)
    )
}

/// What a mutant changes.
fn changes(mutant: &MutantRecord) -> String {
    let lines = mutant.edits.iter().map(|edit| {
        format!(
            "<pre class=\"removed\">{}</pre>\n<pre class=\"added\">{}</pre>\n",
            Escaped(edit.before.join("\n")),
            Escaped(edit.after.join("\n"))
        )
    });
    format!("<div class=\"diff\">{}</div>\n", lines.collect::<String>())
}

fn scores(mutation: &Mutation) -> String {
    let mut text = String::from(
        "<section><h2>Properties</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" \
         aria-label=\"Properties\"><table class=\"list sortable\"><thead><tr><th scope=\"col\">property</th>\
         <th scope=\"col\">kills</th><th scope=\"col\">kills alone</th><th scope=\"col\">place</th></tr>\
         </thead><tbody>\n",
    );
    for one in &mutation.properties {
        let place = one.place.as_ref().map(|place| place.line_text());
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{}</th><td data-value=\"{kills}\">{kills}</td>\
             <td data-value=\"{alone}\">{alone}</td><td>{}</td></tr>",
            Escaped(&one.name),
            Escaped(place.unwrap_or_default()),
            kills = one.kills,
            alone = one.alone
        );
    }
    text.push_str("</tbody></table></div>\n");
    let unneeded = mutation.unneeded();
    if !unneeded.is_empty() {
        let _ = writeln!(
            text,
            "<p>Nothing that others do not kill: {}.</p>",
            Escaped(unneeded.join(", "))
        );
    }
    text.push_str("</section>\n");
    text
}

fn all(mutation: &Mutation) -> String {
    let mut text = format!(
        "<section><h2>{}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Mutants\">\
         <table class=\"list sortable\"><thead><tr><th scope=\"col\">fate</th><th scope=\"col\">number</th>\
         <th scope=\"col\">place</th><th scope=\"col\">mutant</th><th scope=\"col\">killed by</th></tr>\
         </thead><tbody>\n",
        counted(mutation.mutants.len(), "mutant")
    );
    for mutant in &mutation.mutants {
        let class = match mutant.fate {
            FateWord::Killed => "good",
            FateWord::Survived => "bad",
            FateWord::Equivalent | FateWord::Unknown => "open",
        };
        let place = mutant.edits.first().and_then(|edit| edit.place.as_ref());
        let place = place.map(|place| place.line_text()).unwrap_or_default();
        let after = mutant.edits.iter().map(|edit| edit.after.join(" "));
        let _ = writeln!(
            text,
            "<tr><td><span class=\"status {class}\">{}</span></td>\
             <td data-value=\"{number}\">{number}</td><td>{}</td><td><code>{}</code></td><td>{}</td></tr>",
            mutant.fate.word(),
            Escaped(place),
            Escaped(after.collect::<Vec<String>>().join(" ")),
            Escaped(mutant.killed_by.join(", ")),
            number = mutant.number
        );
    }
    text.push_str("</tbody></table></div></section>\n");
    text
}
