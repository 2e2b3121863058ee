//! A part of a waveform as SVG, for readers without scripts and for paper.
//!
//! The window ends a little after the step that matters, and has the lanes that matter. The
//! script of the page draws in the same way whatever part the reader asks for, from the same
//! data; `script.js` has the same measures.

use super::markup::{Escaped, counted, json};
use super::wave::{Form, Lane, Variant, Wave};
use std::fmt::Write;
use std::ops::Range;

/// Steps and lanes that are drawn without a script.
const MOST_STEPS: usize = 24;
const MOST_LANES: usize = 40;
/// Steps that are shown after the one that matters.
const AFTER: usize = 3;

/// What a drawing and its table take at most, in bytes, but for very long names.
const LARGEST_DRAWING: usize = 300_000;
const LABEL: usize = 130;
const LANE_HEIGHT: usize = 26;
const HEAD_HEIGHT: usize = 34;
/// The width of a letter, about.
const LETTER: usize = 8;
const NARROWEST_STEP: usize = 34;
const WIDEST_STEP: usize = 150;

/// What a page may still grow by, in bytes: the data of runs that do not fit are left out,
/// and the page says so.
pub struct Room {
    pub left: usize,
    /// How many waveforms there are already: their elements have numbers.
    drawn: usize,
}

impl Room {
    pub fn new(bytes: usize) -> Room {
        Room {
            left: bytes,
            drawn: 0,
        }
    }
}

/// A figure with the waveform, its data and a table of what is drawn.
pub fn figure(wave: &Wave, caption: &str, room: &mut Room) -> String {
    if wave.steps == 0 || wave.lanes.is_empty() {
        return format!("<p>{}: there is nothing to draw.</p>\n", Escaped(caption));
    }
    if room.left < LARGEST_DRAWING {
        return format!(
            "<p class=\"note\">{}: left out, since the page would be too large; \
             <code>--vcd</code> writes it.</p>\n",
            Escaped(caption)
        );
    }
    let steps = window(wave);
    let relevant = wave.lanes.iter().filter(|lane| lane.relevant).count();
    let shown = match relevant {
        0 => wave.lanes.len(),
        count => count,
    };
    let lanes = &wave.lanes[..shown.min(MOST_LANES)];
    let data = json(wave);
    let fits = data.len() <= room.left - LARGEST_DRAWING;
    room.drawn += 1;
    let number = room.drawn;
    let mut text = String::new();
    let _ = writeln!(
        text,
        "<figure class=\"wave\" id=\"wave{number}\"><figcaption>{}</figcaption>",
        Escaped(caption)
    );
    let names = names(lanes);
    let waves = waves(wave, lanes, &steps, caption);
    let _ = writeln!(
        text,
        "<div class=\"drawing\"><div class=\"names\">{names}</div><div class=\"lanes\" tabindex=\"0\" \
         role=\"group\" aria-label=\"{} (scrolls)\">{waves}</div></div>",
        Escaped(caption)
    );
    let left_out = left_out(wave, lanes.len(), &steps, fits);
    if !left_out.is_empty() {
        let _ = writeln!(text, "<p class=\"note rest\">{left_out}</p>");
    }
    text.push_str(&table(wave, lanes, &steps));
    if fits {
        let _ = writeln!(
            text,
            "<script type=\"application/json\" class=\"data\">{data}</script>"
        );
    }
    text.push_str("</figure>\n");
    room.left = room.left.saturating_sub(text.len());
    text
}

/// The steps that are drawn: those up to the one that matters, and a few more.
fn window(wave: &Wave) -> Range<usize> {
    let end = match wave.repeats {
        Some((_, last)) => last + 1 + AFTER,
        None => wave.focus() + 1 + AFTER,
    };
    let end = end.max(MOST_STEPS).min(wave.steps);
    let start = end.saturating_sub(MOST_STEPS);
    start..end
}

fn left_out(wave: &Wave, lanes: usize, steps: &Range<usize>, fits: bool) -> String {
    let mut parts = Vec::new();
    if steps.len() < wave.steps {
        let (first, last) = (steps.start, steps.end - 1);
        parts.push(format!("steps {first} to {last} of {}", wave.steps));
    }
    if lanes < wave.lanes.len() {
        parts.push(format!(
            "{lanes} of {}",
            counted(wave.lanes.len(), "signal")
        ));
    }
    match (parts.is_empty(), fits) {
        (true, _) => String::new(),
        (false, true) => format!("Drawn: {}.", parts.join(", ")),
        (false, false) => format!(
            "Drawn: {}. The whole run would make the page too large: <code>--vcd</code> writes it.",
            parts.join(", ")
        ),
    }
}

/// How wide a step is, so that most values can be read.
fn step_width(wave: &Wave, lanes: &[Lane], steps: &Range<usize>) -> usize {
    let mut longest = wave.steps.to_string().len();
    for lane in lanes.iter().filter(|lane| lane.form != Form::Bit) {
        for (at, end, value) in stretches(lane, steps) {
            let letters = lane.text(value).chars().count();
            longest = longest.max(letters.div_ceil(end - at));
        }
    }
    (longest * LETTER + 14).clamp(NARROWEST_STEP, WIDEST_STEP)
}

/// The stretches of the same value inside a window.
fn stretches<'a>(lane: &'a Lane, steps: &Range<usize>) -> Vec<(usize, usize, Option<&'a str>)> {
    let mut stretches = Vec::new();
    for (index, (at, value)) in lane.changes.iter().enumerate() {
        let end = lane
            .changes
            .get(index + 1)
            .map_or(usize::MAX, |next| next.0);
        let (from, to) = ((*at).max(steps.start), end.min(steps.end));
        if from < to {
            stretches.push((from, to, value.as_deref()));
        }
    }
    stretches
}

/// The classes of a lane, for colours.
fn classes(lane: &Lane) -> String {
    let variant = match lane.variant {
        Variant::Both => "",
        Variant::Before => " before",
        Variant::After => " after",
    };
    format!("{}{variant}", lane.kind)
}

/// What is said beside a name.
fn tag(lane: &Lane) -> &'static str {
    match lane.variant {
        Variant::Both => lane.kind,
        Variant::Before => "before",
        Variant::After => "after",
    }
}

fn names(lanes: &[Lane]) -> String {
    let mut text = String::from("<ol class=\"lane-names\">");
    for lane in lanes {
        let _ = write!(
            text,
            "<li class=\"{}\"><span class=\"name\" title=\"{name}\">{name}</span> \
             <span class=\"tag\">{}</span></li>",
            classes(lane),
            tag(lane),
            name = Escaped(&lane.name)
        );
    }
    text.push_str("</ol>");
    text
}

fn waves(wave: &Wave, lanes: &[Lane], steps: &Range<usize>, caption: &str) -> String {
    let unit = step_width(wave, lanes, steps);
    // Labels of the head may be wider than their step.
    let (width, height) = (
        steps.len() * unit + LABEL,
        HEAD_HEIGHT + lanes.len() * LANE_HEIGHT + 4,
    );
    let mut text = String::new();
    let _ = write!(
        text,
        "<svg role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         aria-label=\"{}; steps {} to {}, also in the table below\">",
        Escaped(caption),
        steps.start,
        steps.end - 1
    );
    text.push_str(&head(wave, steps, unit, height));
    for (row, lane) in lanes.iter().enumerate() {
        let top = HEAD_HEIGHT + row * LANE_HEIGHT;
        let _ = write!(text, "<g class=\"{}\">", classes(lane));
        text.push_str(&match lane.form {
            Form::Bit => bit(lane, steps, unit, top),
            Form::Number | Form::Name => word(lane, steps, unit, top),
        });
        text.push_str("</g>");
    }
    text.push_str("</svg>");
    text
}

/// The numbers of steps, the step that matters, and the loop.
fn head(wave: &Wave, steps: &Range<usize>, unit: usize, height: usize) -> String {
    let mut text = String::new();
    let left = |step: usize| (step - steps.start) * unit;
    if let Some((first, last)) = wave.repeats {
        let (from, to) = (first.max(steps.start), (last + 1).min(steps.end));
        if from < to {
            let (x, width) = (left(from), (to - from) * unit);
            let _ = write!(
                text,
                "<rect class=\"loop\" x=\"{x}\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\
                 <text class=\"loop-label\" x=\"{}\" y=\"12\">↻ repeats for ever</text>",
                x + 4
            );
        }
    }
    if let Some((step, what)) = &wave.marked
        && steps.contains(step)
    {
        let x = left(*step);
        let class = if what.starts_with('✗') {
            "mark"
        } else {
            "now"
        };
        let _ = write!(
            text,
            "<rect class=\"{class}\" x=\"{x}\" y=\"0\" width=\"{unit}\" height=\"{height}\"/>\
             <text class=\"{class}-label\" x=\"{}\" y=\"12\" text-anchor=\"{}\">{}</text>",
            if x > LABEL { x + unit } else { x + 3 },
            if x > LABEL { "end" } else { "start" },
            Escaped(what)
        );
    }
    for step in steps.clone() {
        let x = left(step);
        let _ = write!(
            text,
            "<line class=\"grid\" x1=\"{x}\" x2=\"{x}\" y1=\"{}\" y2=\"{height}\"/>\
             <text class=\"step\" x=\"{}\" y=\"28\">{step}</text>",
            HEAD_HEIGHT - 4,
            x + unit / 2
        );
    }
    text
}

fn bit(lane: &Lane, steps: &Range<usize>, unit: usize, top: usize) -> String {
    let (high, middle, low) = (top + 5, top + LANE_HEIGHT / 2, top + LANE_HEIGHT - 5);
    let mut path = String::new();
    let mut others = String::new();
    for (from, to, value) in stretches(lane, steps) {
        let (x, end) = ((from - steps.start) * unit, (to - steps.start) * unit);
        let y = match value {
            Some("1") => high,
            Some(_) => low,
            None => {
                let _ = write!(
                    others,
                    "<rect class=\"any\" x=\"{x}\" y=\"{high}\" width=\"{}\" height=\"{}\"/>",
                    end - x,
                    low - high
                );
                middle
            }
        };
        if value == Some("1") {
            let _ = write!(
                others,
                "<rect class=\"one\" x=\"{x}\" y=\"{high}\" width=\"{}\" height=\"{}\"/>",
                end - x,
                low - high
            );
        }
        let start = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{start}{x} {y}H{end}");
    }
    format!("{others}<path class=\"line\" d=\"{path}\"/>")
}

fn word(lane: &Lane, steps: &Range<usize>, unit: usize, top: usize) -> String {
    let (high, middle, low) = (top + 4, top + LANE_HEIGHT / 2, top + LANE_HEIGHT - 4);
    let mut text = String::new();
    for (from, to, value) in stretches(lane, steps) {
        let (x, end) = ((from - steps.start) * unit, (to - steps.start) * unit);
        let class = if value.is_some() { "box" } else { "box any" };
        let _ = write!(
            text,
            "<path class=\"{class}\" d=\"M{x} {middle}L{} {high}H{}L{end} {middle}L{} {low}H{}Z\"/>",
            x + 4,
            end - 4,
            end - 4,
            x + 4
        );
        let shown = lane.text(value);
        let most = (end - x).saturating_sub(10) / (LETTER - 1);
        let cut: String = if shown.chars().count() > most {
            let kept = most.saturating_sub(1);
            shown.chars().take(kept).chain(['…']).collect()
        } else {
            shown.clone()
        };
        let _ = write!(
            text,
            "<text class=\"value\" x=\"{}\" y=\"{}\"><title>{}</title>{}</text>",
            (x + end) / 2,
            middle + 4,
            Escaped(&shown),
            Escaped(&cut)
        );
    }
    text
}

/// The same values for those who do not look.
fn table(wave: &Wave, lanes: &[Lane], steps: &Range<usize>) -> String {
    let mut text = String::from(
        "<details class=\"values\"><summary>Values as a table</summary>\
         <div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Values\"><table><thead><tr>\
         <th scope=\"col\">signal</th>",
    );
    for step in steps.clone() {
        let repeats = wave
            .repeats
            .is_some_and(|(first, last)| (first..=last).contains(&step));
        let star = if repeats { "*" } else { "" };
        let _ = write!(text, "<th scope=\"col\">{step}{star}</th>");
    }
    text.push_str("</tr></thead><tbody>\n");
    for lane in lanes {
        let variant = match lane.variant {
            Variant::Both => "",
            Variant::Before => " (before)",
            Variant::After => " (after)",
        };
        let _ = write!(
            text,
            "<tr><th scope=\"row\">{}{variant}</th>",
            Escaped(&lane.name)
        );
        for step in steps.clone() {
            let shown = lane.text(lane.value(step));
            let _ = write!(text, "<td>{}</td>", Escaped(&shown));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table></div></details>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Run, Signal, SignalKind};

    fn run(steps: usize, signals: usize) -> Run {
        let signal = |number: usize| Signal {
            name: format!("s{number}"),
            kind: SignalKind::Wire,
            width: 1,
            relevant: true,
            values: (0..steps)
                .map(|step| Some(vec![step % 7 == number % 7]))
                .collect(),
        };
        Run {
            steps,
            loop_start: None,
            signals: (0..signals).map(signal).collect(),
        }
    }

    #[test]
    fn a_window_ends_with_the_step_that_matters() {
        let wave = Wave::of_run(&run(1000, 1), "fails", &Default::default());
        assert_eq!(window(&wave), 976..1000);
    }

    #[test]
    fn a_short_run_is_drawn_as_a_whole_and_nothing_is_said_of_a_rest() {
        let wave = Wave::of_run(&run(3, 2), "fails", &Default::default());
        let text = figure(&wave, "a run", &mut Room::new(1 << 20));
        assert!(!text.contains("Drawn:"), "{text}");
        assert!(text.contains("class=\"data\""));
    }

    #[test]
    fn what_has_no_room_is_said_to_be_left_out() {
        let wave = Wave::of_run(&run(1000, 2), "fails", &Default::default());
        let mut room = Room::new(LARGEST_DRAWING + 10);
        let text = figure(&wave, "a run", &mut room);
        assert!(text.contains("would make the page too large"), "{text}");
        assert!(!text.contains("class=\"data\""));
        let text = figure(&wave, "another", &mut room);
        assert!(text.contains("left out"), "{text}");
        assert!(!text.contains("<svg"), "{text}");
    }
}
