//! Sections on a specification: what it consists of, why it is as it is, and plays of it.

use super::Page;
use super::drawing::{Room, figure};
use super::excerpt::{Mark, excerpt};
use super::markup::{Escaped, counted, sentence};
use super::wave::Wave;
use crate::picture::Picture;
use crate::report::explanation::{
    Additions, Assumptions, Core, Counterstrategy, Diagnoses, Explanation, Fix, Item, ItemKind,
    Machine, NO_ADDITION, Play, Separation, Setting, Weakening,
};
use crate::report::specification::Specification;
use std::fmt::Write;

/// States of plays that are drawn one by one.
const MOST_DRAWN: usize = 40;
/// States of a machine that are listed.
const MOST_STATES: usize = 200;

pub fn check(specification: &Specification) -> String {
    let mut text =
        String::from("<section><h2>The specification</h2><table class=\"facts\"><tbody>\n");
    for (label, value) in specification.facts() {
        let _ = writeln!(
            text,
            "<tr><th scope=\"row\">{label}</th><td>{}</td></tr>",
            Escaped(value)
        );
    }
    text.push_str("</tbody></table></section>\n");
    text
}

pub fn explanation(found: &Explanation, page: &Page, room: &mut Room) -> String {
    let mut text = String::new();
    if let Some(found) = &found.core {
        text.push_str(&core(found, page));
    }
    if let Some(found) = &found.countertrace {
        let title = "Countertrace: whatever the system does, these inputs make it fail";
        let _ = write!(
            text,
            "<section><h2>{title}</h2>\n{}</section>\n",
            play(found, "The inputs, and what is left to answer", room)
        );
    }
    if let Some(found) = &found.diagnoses {
        text.push_str(&diagnoses(found));
    }
    if let Some(found) = &found.fix {
        text.push_str(&fix(found, page));
    }
    if let Some(found) = &found.additions {
        text.push_str(&additions(found));
    }
    if !found.weakenings.is_empty() {
        text.push_str(&weakenings(&found.weakenings));
    }
    if let Some(found) = &found.counterstrategy {
        text.push_str(&counterstrategy(found, room));
    }
    if let Some(found) = &found.assumptions {
        text.push_str(&assumptions(found, page));
    }
    if let Some(found) = &found.separation {
        text.push_str(&separation(found, page, room));
    }
    if let Some(all) = &found.all {
        let sets = all.iter().map(|items| format!("<li>{}</li>", names(items)));
        let _ = writeln!(
            text,
            "<section><h2>All explanations</h2><ol>{}</ol></section>",
            sets.collect::<String>()
        );
    }
    if !found.missing.is_empty() {
        text.push_str("<section><h2>What is not there</h2><ul>");
        for missing in &found.missing {
            let _ = write!(text, "<li>{}</li>", sentence(missing));
        }
        text.push_str("</ul></section>\n");
    }
    text
}

fn names(items: &[Item]) -> String {
    if items.is_empty() {
        return "nothing".to_string();
    }
    let names = items.iter().map(|item| {
        let kind = match item.kind {
            ItemKind::Output => "output ",
            ItemKind::Guarantee | ItemKind::Assumption => "",
        };
        format!(
            "{kind}<code title=\"{}\">{}</code>",
            Escaped(&item.text),
            Escaped(&item.name)
        )
    });
    names.collect::<Vec<_>>().join(", ")
}

/// Constraints in their source; those that have no place there as a list.
fn sources(items: &[Item], page: &Page) -> String {
    let marks = items.iter().filter_map(|item| {
        Some(Mark {
            place: item.place.as_ref()?,
            text: match item.name.contains('/') {
                // A part of what stands there.
                true => format!("{} {}: {}", item.kind.word(), item.name, item.text),
                false => format!("{} {}", item.kind.word(), item.name),
            },
        })
    });
    let marks: Vec<Mark> = marks.collect();
    let mut text = excerpt(&marks, page.sources);
    let placeless: Vec<&Item> = items.iter().filter(|item| item.place.is_none()).collect();
    if !placeless.is_empty() {
        text.push_str("<ul>");
        for item in placeless {
            let _ = write!(
                text,
                "<li>{} <code>{}</code>: <code>{}</code></li>",
                item.kind.word(),
                Escaped(&item.name),
                Escaped(&item.text)
            );
        }
        text.push_str("</ul>\n");
    }
    text
}

fn core(core: &Core, page: &Page) -> String {
    let count = |kind: ItemKind| core.items.iter().filter(|item| item.kind == kind).count();
    let outputs = match (count(ItemKind::Output), core.outputs) {
        (0, 0) => String::new(),
        (kept, all) => format!(", even if only {kept} of {all} outputs count"),
    };
    let mut text = format!(
        "<section><h2>Core: {} of {} guarantees cannot be kept{outputs}</h2>\n",
        count(ItemKind::Guarantee),
        core.guarantees
    );
    text.push_str(&sources(&core.items, page));
    if !core.assumptions.is_empty() {
        let _ = writeln!(
            text,
            "<p>With {} each of them is needed.</p>",
            names(&core.assumptions)
        );
    }
    if core.confirmed {
        text.push_str(
            "<p class=\"note\">Confirmed: unrealizable, and not without any of them.</p>\n",
        );
    }
    text.push_str("</section>\n");
    text
}

fn diagnoses(found: &Diagnoses) -> String {
    let list = |sets: &[Vec<Item>]| {
        let rows = sets
            .iter()
            .map(|items| format!("<li>{}</li>", names(items)));
        format!("<ol>{}</ol>", rows.collect::<String>())
    };
    let note = |sentence: &Option<String>| {
        let sentence = sentence.as_ref();
        let note = sentence.map(|text| format!("<p class=\"note\">{}</p>", Escaped(text)));
        note.unwrap_or_default()
    };
    format!(
        "<section><h2>Diagnoses</h2><p>Change all of one line to get rid of all conflicts:</p>{}{}\
         <h3>Minimal conflicts</h3>{}{}</section>\n",
        list(&found.diagnoses),
        note(&found.limit),
        list(&found.conflicts),
        note(&found.more_conflicts)
    )
}

fn fix(fix: &Fix, page: &Page) -> String {
    format!(
        "<section><h2>Minimal fix</h2><p>Without {} the specification is realizable; assumptions \
         that suffice then: {}.</p>{}</section>\n",
        names(&fix.removed),
        names(&fix.assumptions),
        sources(&fix.removed, page)
    )
}

fn additions(found: &Additions) -> String {
    let mut text = String::from("<section><h2>Assumptions to add</h2>\n");
    if found.hopeless {
        text.push_str(
            "<p>No assumption can help: no play keeps assumptions and guarantees together.</p>\n",
        );
    } else if found.sets.is_empty() {
        let _ = writeln!(text, "<p>{NO_ADDITION}</p>");
    }
    if !found.sets.is_empty() {
        text.push_str("<p>All of one number make the specification realizable:</p><ol>");
        for set in &found.sets {
            let items = set.iter();
            let items = items.map(|item| format!("<code>{}</code>", Escaped(&item.line())));
            let _ = write!(text, "<li>{}</li>", items.collect::<Vec<_>>().join("<br>"));
        }
        let who = match found.only_against_safety {
            true => "no system that keeps its safety",
            false => "no system",
        };
        let _ = writeln!(
            text,
            "</ol><p class=\"note\">Certified: some play keeps everything, and {who} can make \
             them fail.</p>"
        );
    }
    text.push_str("</section>\n");
    text
}

fn weakenings(found: &[Weakening]) -> String {
    let mut text = String::from(
        "<section><h2>Guarantees to weaken</h2><p>Any one of these makes the specification \
         realizable:</p><ul>",
    );
    for one in found {
        let _ = write!(
            text,
            "<li><code>{}</code>: <code>{}</code> in place of <code>{}</code></li>",
            Escaped(&one.guarantee.name),
            Escaped(&one.line()),
            Escaped(&one.guarantee.line())
        );
    }
    text.push_str("</ul></section>\n");
    text
}

/// A play as a waveform, with the reasons step by step.
fn play(play: &Play, title: &str, room: &mut Room) -> String {
    let mut text = String::new();
    if let Some(condition) = &play.condition {
        let _ = writeln!(text, "<p>{}.</p>", sentence(condition));
    }
    text.push_str(&figure(
        &Wave::of_steps(&play.steps, play.loop_start),
        title,
        room,
    ));
    text.push_str(&reasons(
        play.steps.iter().map(|step| step.reasons.as_slice()),
    ));
    for conclusion in &play.conclusion {
        let _ = writeln!(text, "<p>{}.</p>", sentence(conclusion));
    }
    text
}

fn reasons<'a>(steps: impl Iterator<Item = &'a [String]>) -> String {
    let mut text = String::new();
    for (step, reasons) in steps.enumerate() {
        if !reasons.is_empty() {
            let sentences: Vec<String> = reasons.iter().map(|one| sentence(one)).collect();
            let _ = write!(
                text,
                "<tr><th scope=\"row\">{step}</th><td>{}</td></tr>",
                sentences.join("<br>")
            );
        }
    }
    match text.is_empty() {
        true => text,
        false => format!(
            "<table class=\"list reasons\"><thead><tr><th scope=\"col\">step</th>\
             <th scope=\"col\">why the answer is forced</th></tr></thead><tbody>{text}</tbody></table>\n"
        ),
    }
}

fn counterstrategy(found: &Counterstrategy, room: &mut Room) -> String {
    let more = if found.truncated { "more than " } else { "" };
    let mut text = format!(
        "<section><h2>Counterstrategy: {more}{}</h2>\n",
        counted(found.states, "state")
    );
    if found.certified {
        text.push_str("<p class=\"note\">Certified against the whole specification.</p>\n");
    }
    if let Some(found) = &found.play {
        text.push_str(&play(found, "One play against it", room));
    }
    if let Some(graph) = &found.graph {
        text.push_str(&plays(graph));
    }
    if let Some(found) = &found.machine {
        text.push_str(&machine(found));
    }
    text.push_str("</section>\n");
    text
}

/// The graph of all plays, or of what they are about if there are many.
fn plays(graph: &Picture) -> String {
    let (drawn, caption) = if graph.nodes.len() <= MOST_DRAWN {
        (graph.clone(), "All plays against it".to_string())
    } else {
        let count = counted(graph.nodes.len(), "state");
        (
            graph.summary(),
            format!("All plays against it, {count}, by what the environment does"),
        )
    };
    format!(
        "<figure><figcaption>{}</figcaption><div class=\"scroll\" tabindex=\"0\" role=\"group\" \
         aria-label=\"Graph\">{}</div></figure>\n",
        Escaped(caption),
        drawn.inline_svg()
    )
}

fn settings(settings: &[Setting]) -> String {
    let parts = settings.iter().filter_map(|setting| {
        let (name, value) = (&setting.name, setting.value.as_ref()?);
        Some(match value.as_str() {
            "true" => name.clone(),
            "false" => format!("!{name}"),
            value => format!("{name}={value}"),
        })
    });
    Escaped(parts.collect::<Vec<_>>().join(" ")).to_string()
}

fn machine(machine: &Machine) -> String {
    let mut text = String::from(
        "<h3>What the environment does in each state</h3><table class=\"list\"><thead><tr>\
         <th scope=\"col\">state</th><th scope=\"col\">inputs</th><th scope=\"col\">then</th></tr></thead><tbody>\n",
    );
    for (number, state) in machine.states.iter().enumerate().take(MOST_STATES) {
        let single = state.next.iter().all(|(_, to)| *to == state.next[0].1);
        let next = match state.next.first() {
            None => String::new(),
            Some((_, to)) if single => format!("<a href=\"#state{to}\">state {to}</a>"),
            Some(_) => {
                let next = state.next.iter().map(|(outputs, to)| {
                    let outputs = settings(outputs);
                    format!("if <code>{outputs}</code>: <a href=\"#state{to}\">state {to}</a>")
                });
                next.collect::<Vec<_>>().join("<br>")
            }
        };
        let _ = writeln!(
            text,
            "<tr id=\"state{number}\"><th scope=\"row\">{number}</th><td><code>{}</code></td><td>{next}</td></tr>",
            settings(&state.inputs)
        );
    }
    text.push_str("</tbody></table>\n");
    if machine.states.len() > MOST_STATES {
        let more = counted(machine.states.len() - MOST_STATES, "more state");
        let _ = writeln!(
            text,
            "<p class=\"note\">{more}: <code>--format json</code> lists all.</p>"
        );
    }
    text
}

fn assumptions(found: &Assumptions, page: &Page) -> String {
    let mut text = format!(
        "<section><h2>Assumptions: {} of {} suffice</h2>{}",
        found.sufficient.len(),
        found.total,
        sources(&found.sufficient, page)
    );
    if !found.needed_by.is_empty() {
        let _ = write!(
            text,
            "<p>They are needed for {}.</p>",
            names(&found.needed_by)
        );
    }
    if !found.unhelpful.is_empty() {
        let unhelpful = names(&found.unhelpful);
        let _ = write!(
            text,
            "<p>Any one of these could be left out: {unhelpful}.</p>"
        );
    }
    text.push_str("</section>\n");
    text
}

fn separation(found: &Separation, page: &Page, room: &mut Room) -> String {
    let mut text = format!(
        "<section><h2>Assumptions are {}</h2>\n",
        Escaped(found.summary())
    );
    if !found.cases.is_empty() {
        text.push_str("<ul>");
        for case in &found.cases {
            let _ = write!(
                text,
                "<li>{}: {}.</li>",
                Escaped(&case.name),
                Escaped(&case.meaning)
            );
        }
        text.push_str("</ul>\n");
    }
    if !found.core.is_empty() {
        text.push_str("<p>These assumptions can be forced to fail:</p>\n");
        text.push_str(&sources(&found.core, page));
    }
    if !found.safety_core.is_empty() && found.safety_core != found.core {
        text.push_str("<p>These can be, in finite time:</p>\n");
        text.push_str(&sources(&found.safety_core, page));
    }
    if !found.trace.is_empty() {
        let wave = Wave::of_steps(&found.trace, None);
        text.push_str(&figure(&wave, "How the play gets there", room));
    }
    if !found.forcing.is_empty() {
        let wave = Wave::of_steps(&found.forcing, None);
        let caption = "What the system does then, for one choice of the environment";
        text.push_str(&figure(&wave, caption, room));
    }
    if let Some(conclusion) = &found.conclusion {
        let certified = if found.certified { " (certified)" } else { "" };
        let _ = writeln!(text, "<p>{}{certified}.</p>", sentence(conclusion));
    }
    text.push_str("</section>\n");
    text
}
