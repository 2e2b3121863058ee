//! Why a specification is as it is: the model and its text.

use super::specification::Section;
use super::words::words;
use crate::picture::Picture;
use crate::source::record::PlaceRecord;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write;

/// What `respin explain` found; its parts are those of `--only`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Explanation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub core: Option<Core>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnoses: Option<Diagnoses>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// Assumptions with which the specification would be realizable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub additions: Option<Additions>,
    /// Guarantees with what could stand in their place; any one of these changes is enough.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weakenings: Vec<Weakening>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub countertrace: Option<Play>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counterstrategy: Option<Counterstrategy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumptions: Option<Assumptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub separation: Option<Separation>,
    /// Minimal conflicts, or minimal sufficient assumptions, found all at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<Vec<Vec<Item>>>,
    /// What was not ready in time, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Games that were looked at.
    pub checks: usize,
}

/// What is said where no assumption was found. That there is none is only said where it was proved.
pub const NO_ADDITION: &str = "No assumption to add was found among those that were tried.";

/// What is said behind cases of well-separation that the system's own guarantees exclude.
pub const PREVENTED: &str = "; a system that keeps its own safety guarantees cannot do it";

/// A constraint, or an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Item {
    pub kind: ItemKind,
    pub name: String,
    /// The constraint itself, in one line.
    pub text: String,
    /// The same as a file of TLSF has it, if the specification is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Written>,
    pub place: Option<PlaceRecord>,
}

/// A formula as a file of TLSF has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Written {
    pub section: Section,
    /// Without the `G` that the section puts around it.
    pub text: String,
}

impl Written {
    /// A section with this formula alone, which can stand in the file beside those that it has.
    pub fn line(&self) -> String {
        format!("{} {{ {}; }}", self.section.word(), self.text)
    }
}

impl Item {
    /// What can be written into the file.
    pub fn line(&self) -> String {
        match &self.written {
            Some(written) => written.line(),
            None => self.text.clone(),
        }
    }
}

words! {
    pub enum ItemKind {
        Guarantee = "guarantee",
        Assumption = "assumption",
        Output = "output",
    }
}

/// Requirements that cannot be kept together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Core {
    pub items: Vec<Item>,
    /// Of how many guarantees.
    pub guarantees: usize,
    /// Of how many outputs.
    pub outputs: usize,
    /// Assumptions with which each member of the core is needed.
    pub assumptions: Vec<Item>,
    /// Whether unrealizability and the need of each member were confirmed by fresh games.
    pub confirmed: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Diagnoses {
    /// Minimal sets that cannot be kept together.
    pub conflicts: Vec<Vec<Item>>,
    /// That there may be more conflicts, which `limit` implies; printed, and not part of the
    /// document.
    #[serde(skip)]
    pub more_conflicts: Option<String>,
    /// Changing all of one of these gets rid of all conflicts.
    pub diagnoses: Vec<Vec<Item>>,
    /// Why there may be more.
    pub limit: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fix {
    /// Without these guarantees the specification is realizable.
    pub removed: Vec<Item>,
    /// Then these assumptions suffice.
    pub assumptions: Vec<Item>,
    /// Whether that, and the need of each guarantee that is given up, were confirmed.
    pub confirmed: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Additions {
    /// Each set is enough, and needs all of its members; the weakest first. All were certified:
    /// the specification is realizable with them, some play keeps everything, and the system
    /// cannot make them fail.
    pub sets: Vec<Vec<Item>>,
    /// Whether no play keeps both sides, so that no assumption can help; certified, too.
    pub hopeless: bool,
    /// Whether a system could make them fail that breaks its own initial or safety guarantees.
    pub only_against_safety: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Weakening {
    pub guarantee: Item,
    /// What could stand in its place; certified to be enough.
    pub replacement: String,
    /// The same as a file of TLSF has it, if the specification is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Written>,
}

impl Weakening {
    /// What can be written into the file in place of the guarantee.
    pub fn line(&self) -> String {
        match &self.written {
            Some(written) => written.line(),
            None => self.replacement.clone(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Play {
    /// Which systems it is about, if not about all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    pub steps: Vec<Step>,
    /// The step that follows the last one.
    pub loop_start: Option<usize>,
    /// What it comes to, in sentences.
    pub conclusion: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Step {
    pub inputs: Vec<Setting>,
    pub outputs: Vec<Setting>,
    /// Which requirement forces what.
    pub reasons: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Setting {
    pub name: String,
    /// Nothing where the system may choose.
    pub value: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Counterstrategy {
    /// States of the play with the counterstrategy's memory.
    pub states: usize,
    /// Whether there are more states than were looked at.
    pub truncated: bool,
    /// One play against it; left out if there is a countertrace.
    pub play: Option<Play>,
    /// The counterstrategy as a machine, if it is one that can be listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    pub certified: bool,
    /// All plays against it; drawn, and not part of the document.
    #[serde(skip)]
    pub graph: Option<Picture>,
}

/// What the environment does, state by state.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Machine {
    pub states: Vec<MachineState>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MachineState {
    /// What it plays; if the system moves first, for all outputs that are not listed.
    pub inputs: Vec<Setting>,
    /// The state after it, for the outputs of the system.
    pub next: Vec<(Vec<Setting>, usize)>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Assumptions {
    /// Minimally sufficient.
    pub sufficient: Vec<Item>,
    /// Guarantees that need them.
    pub needed_by: Vec<Item>,
    /// Any one of these could be left out alone.
    pub unhelpful: Vec<Item>,
    pub total: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Separation {
    /// Empty if well-separated.
    pub cases: Vec<Case>,
    /// With the system's own safety kept.
    pub with_guarantees: Option<Vec<Case>>,
    pub core: Vec<Item>,
    /// A core of safety assumptions only, where there is one.
    pub safety_core: Vec<Item>,
    /// From a first state to where the violation can be forced.
    pub trace: Vec<Step>,
    /// How it is forced from there.
    pub forcing: Vec<Step>,
    pub conclusion: Option<String>,
    pub certified: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Case {
    pub name: String,
    pub meaning: String,
}

impl Explanation {
    pub fn text(&self) -> String {
        let mut text = String::new();
        if let Some(core) = &self.core {
            core.write(&mut text);
        }
        if let Some(diagnoses) = &self.diagnoses {
            let known = self.core.as_ref().map(|core| core.items.as_slice());
            diagnoses.write(known.unwrap_or_default(), &mut text);
        }
        if let Some(fix) = &self.fix {
            fix.write(&mut text);
        }
        if let Some(additions) = &self.additions {
            additions.write(&mut text);
        }
        if !self.weakenings.is_empty() {
            write_weakenings(&mut text, &self.weakenings);
        }
        if let Some(play) = &self.countertrace {
            let title = "Countertrace: whatever the system does, these inputs make it fail";
            play.write(&mut text, title);
        }
        if let Some(strategy) = &self.counterstrategy {
            strategy.write(&mut text);
        }
        if let Some(assumptions) = &self.assumptions {
            assumptions.write(&mut text);
        }
        if let Some(separation) = &self.separation {
            separation.write(&mut text);
        }
        if let Some(all) = &self.all {
            let _ = writeln!(text, "\nAll explanations: {}", all.len());
            for (number, items) in (1..).zip(all) {
                let _ = writeln!(text, "  {number}. {}", names(items));
            }
        }
        for missing in &self.missing {
            let _ = writeln!(text, "\n{missing}");
        }
        text
    }
}

fn names(items: &[Item]) -> String {
    let names: Vec<String> = items
        .iter()
        .map(|item| match item.kind {
            ItemKind::Output => format!("output {}", item.name),
            ItemKind::Guarantee | ItemKind::Assumption => item.name.clone(),
        })
        .collect();
    if names.is_empty() {
        "nothing".to_string()
    } else {
        names.join(", ")
    }
}

/// Formulas may be pages long: what one line of a list shows of them. JSON has them whole.
fn on_one_line(formula: &str) -> Cow<'_, str> {
    const LONG: usize = 200;
    match formula.char_indices().nth(LONG) {
        Some((end, _)) => Cow::Owned(format!("{} ...", &formula[..end])),
        None => Cow::Borrowed(formula),
    }
}

fn write_items(text: &mut String, items: &[Item]) {
    let width = items.iter().map(|item| item.name.chars().count()).max();
    for item in items {
        let place = item.place.as_ref().map(PlaceRecord::text);
        let place = place.map_or(String::new(), |place| format!("  ({place})"));
        let _ = writeln!(
            text,
            "  {:9}  {:width$}  {}{place}",
            item.kind.word(),
            item.name,
            on_one_line(&item.text),
            width = width.unwrap_or(0)
        );
    }
}

impl Core {
    fn write(&self, text: &mut String) {
        let count = |kind: ItemKind| self.items.iter().filter(|item| item.kind == kind).count();
        let _ = write!(
            text,
            "\nCore: {} of {} guarantees cannot be kept",
            count(ItemKind::Guarantee),
            self.guarantees,
        );
        // Outputs may not have been asked about.
        let _ = match (count(ItemKind::Output), self.outputs) {
            (0, 0) => writeln!(text),
            (kept, all) => writeln!(text, ", even if only {kept} of {all} outputs count"),
        };
        write_items(text, &self.items);
        if !self.assumptions.is_empty() {
            let _ = writeln!(
                text,
                "  With {} each of them is needed.",
                names(&self.assumptions)
            );
        }
        if self.confirmed {
            let _ = writeln!(
                text,
                "  Confirmed: unrealizable, and not without any of them."
            );
        }
    }
}

impl Diagnoses {
    /// `known` are members whose formulas were shown already.
    fn write(&self, known: &[Item], text: &mut String) {
        let _ = writeln!(text, "\nMinimal conflicts:");
        for conflict in &self.conflicts {
            let _ = writeln!(text, "  {{{}}}", names(conflict));
        }
        if let Some(more) = &self.more_conflicts {
            let _ = writeln!(text, "  {more}");
        }
        let _ = writeln!(
            text,
            "Diagnoses (change all of one line to get rid of all conflicts):"
        );
        for diagnosis in &self.diagnoses {
            let _ = writeln!(text, "  {{{}}}", names(diagnosis));
        }
        if let Some(limit) = &self.limit {
            let _ = writeln!(text, "  {limit}");
        }
        let mut new: Vec<Item> = Vec::new();
        for item in self.conflicts.iter().chain(&self.diagnoses).flatten() {
            let is_shown = |other: &Item| other.kind == item.kind && other.name == item.name;
            let is_new = !known.iter().any(is_shown) && !new.iter().any(is_shown);
            // An output has no formula.
            if is_new && item.kind != ItemKind::Output {
                new.push(item.clone());
            }
        }
        if !new.is_empty() {
            let where_from = if known.is_empty() {
                "Members of these lists:"
            } else {
                "Members of these lists that are not in the core:"
            };
            let _ = writeln!(text, "{where_from}");
            write_items(text, &new);
        }
    }
}

impl Fix {
    fn write(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\nMinimal fix: without {} the specification is realizable.",
            names(&self.removed)
        );
        let _ = writeln!(
            text,
            "  Assumptions that suffice then: {}.",
            names(&self.assumptions)
        );
    }
}

impl Additions {
    fn write(&self, text: &mut String) {
        if self.hopeless {
            let _ = writeln!(
                text,
                "\nNo assumption can help: no play keeps assumptions and guarantees together."
            );
        }
        if self.sets.is_empty() {
            if !self.hopeless {
                let _ = writeln!(text, "\n{NO_ADDITION}");
            }
            return;
        }
        let _ = writeln!(
            text,
            "\nAssumptions to add (all of one number make the specification realizable):"
        );
        for (number, set) in (1..).zip(&self.sets) {
            for (index, item) in set.iter().enumerate() {
                let label = if index == 0 {
                    format!("{number}.")
                } else {
                    String::new()
                };
                let _ = writeln!(text, "  {label:3} {}", item.line());
            }
        }
        let who = if self.only_against_safety {
            "no system that keeps its safety"
        } else {
            "no system"
        };
        let _ = writeln!(
            text,
            "  Certified: some play keeps everything, and {who} can make them fail."
        );
    }
}

fn write_weakenings(text: &mut String, weakenings: &[Weakening]) {
    let _ = writeln!(
        text,
        "\nGuarantees to weaken (any one of these makes the specification realizable):"
    );
    for weakening in weakenings {
        let item = &weakening.guarantee;
        let place = item.place.as_ref().map(PlaceRecord::text);
        let place = place.map_or(String::new(), |place| format!("  ({place})"));
        let _ = writeln!(text, "  {}{place}", item.name);
        let _ = writeln!(text, "    now      {}", item.line());
        let _ = writeln!(text, "    instead  {}", weakening.line());
    }
}

fn settings(settings: &[Setting]) -> String {
    let parts: Vec<String> = settings
        .iter()
        .filter_map(|setting| Some(format!("{}={}", setting.name, setting.value.as_ref()?)))
        .collect();
    parts.join(" ")
}

fn write_steps(text: &mut String, steps: &[Step], loop_start: Option<usize>) {
    for (index, step) in steps.iter().enumerate() {
        let star = match loop_start {
            Some(start) if index >= start => "*",
            _ => " ",
        };
        let outputs = settings(&step.outputs);
        let separator = if outputs.is_empty() { "" } else { "  then  " };
        let _ = writeln!(
            text,
            " {star}step {index}: {}{separator}{outputs}",
            settings(&step.inputs)
        );
        for reason in &step.reasons {
            let _ = writeln!(text, "      {reason}.");
        }
    }
}

impl Play {
    fn write(&self, text: &mut String, title: &str) {
        let _ = writeln!(text, "\n{title}");
        if let Some(condition) = &self.condition {
            let _ = writeln!(text, "  {condition}.");
        }
        write_steps(text, &self.steps, self.loop_start);
        for sentence in &self.conclusion {
            let _ = writeln!(text, "  {sentence}.");
        }
    }
}

impl Counterstrategy {
    fn write(&self, text: &mut String) {
        let more = if self.truncated { "more than " } else { "" };
        let certified = if self.certified {
            "; certified against the whole specification"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "\nCounterstrategy: states of plays against it: {more}{}{certified}",
            self.states
        );
        if let Some(play) = &self.play {
            let title = match &self.machine {
                None => "One play against it, for a system that survives as long as it can:",
                Some(_) => "One play against it:",
            };
            play.write(text, title);
        }
        if let Some(machine) = &self.machine {
            machine.write(text);
        }
    }
}

impl Machine {
    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "\nWhat the environment does in each state:");
        for (number, state) in self.states.iter().enumerate() {
            let _ = writeln!(text, "  state {number}: {}", settings(&state.inputs));
            let single = state.next.iter().all(|(_, to)| *to == state.next[0].1);
            match state.next.first() {
                Some((_, to)) if single => {
                    let _ = writeln!(text, "    then state {to}");
                }
                _ => {
                    for (outputs, to) in &state.next {
                        let _ = writeln!(text, "    if {} then state {to}", settings(outputs));
                    }
                }
            }
        }
    }
}

impl Assumptions {
    fn write(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\nAssumptions: {} of {} suffice",
            self.sufficient.len(),
            self.total
        );
        write_items(text, &self.sufficient);
        if !self.needed_by.is_empty() {
            let _ = writeln!(text, "  They are needed for {}.", names(&self.needed_by));
        }
        if !self.unhelpful.is_empty() {
            let _ = writeln!(
                text,
                "  Any one of these could be left out: {}.",
                names(&self.unhelpful)
            );
        }
    }
}

impl Separation {
    /// In a few words.
    pub fn summary(&self) -> String {
        if self.cases.is_empty() {
            return "well-separated".to_string();
        }
        let cases: Vec<&str> = self.cases.iter().map(|case| case.name.as_str()).collect();
        let guarded = match &self.with_guarantees {
            Some(cases) if cases.is_empty() => PREVENTED,
            _ => "",
        };
        format!("not well-separated, {}{guarded}", cases.join(" and "))
    }

    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "\nAssumptions are {}", self.summary());
        for case in &self.cases {
            let _ = writeln!(text, "  {}: {}.", case.name, case.meaning);
        }
        if !self.core.is_empty() {
            let _ = writeln!(text, "  Core: these assumptions can be forced to fail");
            write_items(text, &self.core);
        }
        if !self.safety_core.is_empty() && self.safety_core != self.core {
            let _ = writeln!(text, "  and these, in finite time");
            write_items(text, &self.safety_core);
        }
        if !self.trace.is_empty() {
            let _ = writeln!(text, "  How the play gets there:");
            write_steps(text, &self.trace, None);
        }
        if !self.forcing.is_empty() {
            let _ = writeln!(
                text,
                "  What the system does then, for one choice of the environment:"
            );
            write_steps(text, &self.forcing, None);
        }
        if let Some(conclusion) = &self.conclusion {
            let certified = if self.certified { " (certified)" } else { "" };
            let _ = writeln!(text, "  {conclusion}{certified}.");
        }
    }
}
