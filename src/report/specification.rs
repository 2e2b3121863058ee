//! What there is to know of a specification on one screen.

use super::words::words;
use serde::Serialize;

/// `respin check` in numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Specification {
    pub name: String,
    pub format: Format,
    pub semantics: Semantics,
    /// Whether outputs are chosen before the inputs of the same step are seen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub system_moves_first: bool,
    pub environment: Variables,
    pub system: Variables,
    /// Made for past operators, patterns and the like; they are not counted as the system's.
    pub auxiliary: Variables,
    pub assumptions: Constraints,
    pub guarantees: Constraints,
    /// If the specification is not a GR(1) one: its sections with their numbers of formulas.
    /// The two fields before are then empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sections: Option<Vec<(Section, usize)>>,
    pub satisfiable: Satisfiable,
    /// Whether the system can make the environment break its assumptions; nothing if a limit
    /// was reached first.
    pub separation: Option<String>,
    /// Assumptions without any one of which the verdict is the same; nothing if a limit was
    /// reached first.
    pub unhelpful: Option<Vec<String>>,
    /// What was asked and is answered, or given up, in this order.
    pub parts: Vec<CheckedPart>,
    /// Processor time of the engine.
    pub seconds: f64,
    /// The time that has passed.
    pub wall_seconds: f64,
    /// Whether there is more to come: then the text has no line with the time.
    #[serde(skip)]
    pub is_partial: bool,
}

words! {
    /// What `respin check` can be asked for.
    pub enum CheckedPart {
        Verdict = "verdict",
        Satisfiable = "satisfiable",
        Separation = "separation",
        Unhelpful = "unhelpful",
    }
}

words! {
    /// What a specification is written in.
    pub enum Format {
        Properties = "a property file",
        Spectra = "Spectra",
        Tlsf = "TLSF",
        Slugs = "slugs",
        StructuredSlugs = "structured slugs",
        Hoa = "HOA",
    }
}

words! {
    /// What assumptions and guarantees mean together; see `docs/semantics.md`.
    pub enum Semantics {
        Strict = "strict",
        Implication = "implication",
    }
}

words! {
    /// The sections of a specification in TLSF.
    pub enum Section {
        Initially = "INITIALLY",
        Preset = "PRESET",
        Require = "REQUIRE",
        Assume = "ASSUME",
        Assert = "ASSERT",
        Guarantee = "GUARANTEE",
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Variables {
    pub count: usize,
    pub bits: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Constraints {
    pub initial: usize,
    pub safety: usize,
    pub justice: usize,
}

/// Whether some play keeps each side, and both; nothing if a limit was reached first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Satisfiable {
    pub assumptions: Option<bool>,
    pub guarantees: Option<bool>,
    pub both: Option<bool>,
}

impl Variables {
    fn text(self, whose: &str) -> String {
        let bits = if self.bits == 1 { "bit" } else { "bits" };
        format!("{} {whose} ({} {bits})", self.count, self.bits)
    }
}

impl Constraints {
    fn text(self) -> String {
        format!(
            "{} ({} initial, {} safety, {} justice)",
            self.initial + self.safety + self.justice,
            self.initial,
            self.safety,
            self.justice
        )
    }
}

fn word(answer: Option<bool>) -> &'static str {
    match answer {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    }
}

impl Specification {
    /// Of nothing yet but what a file says of itself.
    pub fn new(name: impl Into<String>, format: Format, semantics: Semantics) -> Specification {
        Specification {
            name: name.into(),
            format,
            semantics,
            system_moves_first: false,
            environment: Variables::default(),
            system: Variables::default(),
            auxiliary: Variables::default(),
            assumptions: Constraints::default(),
            guarantees: Constraints::default(),
            sections: None,
            satisfiable: Satisfiable::default(),
            separation: None,
            unhelpful: None,
            parts: Vec::new(),
            seconds: 0.0,
            wall_seconds: 0.0,
            is_partial: false,
        }
    }

    pub fn text(&self) -> String {
        let mut text = String::from("\n");
        for (label, value) in self.facts() {
            text.push_str(&format!("{label:14} {value}\n"));
        }
        text
    }

    /// What is known, line by line.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let variables = [
            self.environment.text("of the environment"),
            self.system.text("of the system"),
            self.auxiliary.text("auxiliary"),
        ];
        let name = if self.name.is_empty() {
            self.format.word().to_string()
        } else {
            format!("{} ({})", self.name, self.format.word())
        };
        let semantics = self.semantics.word();
        let semantics = if self.system_moves_first {
            format!("{semantics}, the system moves first")
        } else {
            semantics.to_string()
        };
        let mut lines = vec![("specification", name), ("semantics", semantics)];
        match &self.sections {
            None => lines.extend([
                ("variables", variables.join(", ")),
                ("assumptions", self.assumptions.text()),
                ("guarantees", self.guarantees.text()),
            ]),
            Some(sections) => {
                let counts = sections.iter();
                let counts: Vec<String> = counts
                    .map(|(section, count)| format!("{count} {}", section.word()))
                    .collect();
                lines.push(("variables", variables[..2].join(", ")));
                lines.push(("formulas", counts.join(", ")));
            }
        }
        lines.extend(self.parts.iter().filter_map(|part| self.line(*part)));
        if !self.is_partial {
            let (wall, processor) = (self.wall_seconds, self.seconds);
            let time = format!("{wall:.2} s, {processor:.2} s of the processor");
            lines.push(("time", time));
        }
        lines
    }

    /// What is said of a part; the verdict has a place of its own.
    fn line(&self, part: CheckedPart) -> Option<(&'static str, String)> {
        let value = match part {
            CheckedPart::Verdict => return None,
            CheckedPart::Satisfiable => format!(
                "assumptions {}, guarantees {}, both together {}",
                word(self.satisfiable.assumptions),
                word(self.satisfiable.guarantees),
                word(self.satisfiable.both)
            ),
            CheckedPart::Separation => match &self.separation {
                None => "not known".to_string(),
                Some(separation) => separation.clone(),
            },
            CheckedPart::Unhelpful => match &self.unhelpful {
                None => "not known".to_string(),
                Some(names) if names.is_empty() => "no assumption".to_string(),
                Some(names) => format!(
                    "{}: the verdict needs none of these alone",
                    names.join(", ")
                ),
            },
        };
        Some((part.word(), value))
    }
}
