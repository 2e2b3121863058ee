//! What is known of a specification after it was checked or explained: plain data, from
//! which reports and sentences are made.

pub use crate::spec::ltl::Section;

use super::diagnoses::Unfinished;
use super::ltl::Lookahead;
use super::separation::Case;
use crate::bdd;
use crate::certify::{
    self, AddedAssumptions, Certified, MinimalConflict, MinimalFix, NoCommonPlay, Realizability,
    WeakenedGuarantee,
};
use crate::minimize::Minimizer;
use crate::picture::Picture;
use crate::run::Run;
use crate::source::Span;
use crate::synth::circuit::Meaning;

/// What is to be explained, and how long.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only these parts; all that apply if there is none.
    pub only: Vec<Part>,
    /// Look for all conflicts and diagnoses, however many there are.
    pub all_diagnoses: bool,
    /// List all minimal explanations at once.
    pub all_explanations: bool,
    pub minimizer: Minimizer,
    pub limits: bdd::Limits,
}

/// A part of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A minimal set of guarantees and outputs that conflict.
    Core,
    /// Minimal conflicts, and what to change to get rid of them.
    Diagnoses,
    /// A minimal set of guarantees to give up.
    Fix,
    /// One sequence of inputs that makes every system fail.
    Countertrace,
    /// How the environment wins.
    Counterstrategy,
    /// Assumptions that a realizable specification needs.
    Assumptions,
    /// Whether the system can make assumptions fail.
    Separation,
    /// Assumptions with which it would be realizable.
    Additions,
    /// Guarantees that would be weak enough.
    Weakenings,
}

impl CheckOptions {
    pub fn wants(&self, part: CheckPart) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

impl Options {
    pub fn wants(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

/// Who wins, or why that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Certified(Realizability),
    /// A limit ended the search. If the solver got that far, whether it says that the
    /// specification is realizable.
    Limit(bdd::Error, Option<bool>),
    /// No way to an answer reaches this specification.
    GaveUp(String),
}

/// What `check` is to find beside the verdict, and how long it may take.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// Only these parts, with all the time there is. If there is none, all of them, but what is
    /// not the verdict gets about as much work as the verdict took.
    pub only: Vec<CheckPart>,
    pub limits: bdd::Limits,
}

/// A part of what `check` finds, in the order in which they are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckPart {
    /// Who wins; always asked.
    Verdict,
    /// Whether each side can be kept.
    Satisfiable,
    /// Whether the system can make assumptions fail.
    Separation,
    /// Which assumptions the verdict does not need.
    Unhelpful,
}

/// What `check` says while it works.
#[derive(Clone, Copy, Debug)]
pub enum CheckEvent<'a> {
    Doing(&'a str),
    /// A part is known now; those before it were found or not asked for.
    Found(CheckPart, &'a CheckAnswer),
}

/// What `check` finds. Parts that were not asked for are as if they were not known.
#[derive(Clone, Debug)]
pub struct CheckAnswer {
    pub verdict: Verdict,
    pub satisfiable: Satisfiable,
    /// `None` if a limit was reached first.
    pub separation: Option<WellSeparation>,
    /// Assumptions without any one of which the verdict is the same; `None` if a limit was
    /// reached first.
    pub unhelpful: Option<Vec<String>>,
}

/// Whether some play keeps each side, and both; `None` if a limit was reached first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Satisfiable {
    pub assumptions: Option<bool>,
    pub guarantees: Option<bool>,
    pub both: Option<bool>,
}

/// Whether the system can make assumptions fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WellSeparation {
    /// Empty if well-separated.
    pub cases: Vec<Case>,
    pub asked: Asked,
}

/// Which failures of assumptions were asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Those that are forced from the first step on, by any system: of any LTL.
    FromStart,
    /// Those that are forced from any state that a play comes to: of GR(1).
    FromStates {
        /// Whether no system forces one that keeps its own safety meanwhile.
        is_prevented: bool,
    },
}

/// What `explain` finds.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub verdict: Verdict,
    pub core: Option<Core>,
    pub diagnoses: Option<Diagnoses>,
    pub fix: Option<Fix>,
    pub additions: Option<Additions>,
    pub weakenings: Vec<Weakening>,
    pub countertrace: Option<Countertrace>,
    pub counterstrategy: Option<Counterstrategy>,
    pub assumptions: Option<Assumptions>,
    pub separation: Option<Separation>,
    /// Minimal conflicts, or minimal sufficient assumptions, found all at once.
    pub all: Option<Vec<Vec<Item>>>,
    /// Parts that are not there, and why.
    pub missing: Vec<Missing>,
    /// Games that were looked at.
    pub checks: usize,
    /// The countertrace, or one play, for a waveform viewer.
    pub shown: Option<Run>,
    /// The graph of all plays against the counterstrategy.
    pub graph: Option<Picture>,
}

/// A constraint, or an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub kind: ItemKind,
    pub name: String,
    /// The constraint itself, in one line.
    pub text: String,
    /// The same as a file of TLSF has it, if the specification is one.
    pub written: Option<Written>,
    pub span: Option<Span>,
}

/// A formula as a file of TLSF has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub section: Section,
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Guarantee,
    Assumption,
    Output,
}

/// A minimal set that no system can keep.
#[derive(Clone, Debug)]
pub struct Core {
    pub items: Vec<Item>,
    /// How many guarantees and outputs there are in all; no outputs if they were not asked
    /// about.
    pub guarantees: usize,
    pub outputs: usize,
    /// Assumptions with which each member of the core is needed.
    pub assumptions: Vec<Item>,
    pub confirmation: Confirmation<MinimalConflict>,
}

/// What shows that a set is a core or a fix: for each verdict that this takes, with the set and
/// without each of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation<T> {
    /// `certify` has checked a strategy for each of these verdicts.
    Certified(Certified<T>),
    /// Games that share nothing with the search agree.
    Agreed,
    /// A limit was reached first.
    Open,
}

#[derive(Clone, Debug)]
pub struct Diagnoses {
    pub conflicts: Vec<Vec<Item>>,
    pub diagnoses: Vec<Vec<Item>>,
    /// Whether these are some stayed open within the limits.
    pub open: Vec<Vec<Item>>,
    /// Why there may be more.
    pub unfinished: Option<Unfinished>,
    /// Whether a conflict is left out, since it stayed open whether it is minimal.
    pub lacks_conflicts: bool,
}

#[derive(Clone, Debug)]
pub struct Fix {
    /// Without these guarantees the specification is realizable.
    pub removed: Vec<Item>,
    /// Then these assumptions suffice.
    pub assumptions: Vec<Item>,
    pub confirmation: Confirmation<MinimalFix>,
}

/// Assumptions that would make a specification realizable.
#[derive(Clone, Debug)]
pub struct Additions {
    /// Each is enough, the weakest first.
    pub sets: Vec<Addition>,
    /// If no play keeps both sides, no assumption can help.
    pub hopeless: Option<Certified<NoCommonPlay>>,
}

#[derive(Clone, Debug)]
pub struct Addition {
    pub assumptions: Vec<Item>,
    pub certified: Certified<AddedAssumptions>,
}

/// A guarantee with what could stand in its place.
#[derive(Clone, Debug)]
pub struct Weakening {
    pub guarantee: Item,
    pub replacement: String,
    /// The replacement as a file of TLSF has it, if the specification is one.
    pub written: Option<Written>,
    pub certified: Certified<WeakenedGuarantee>,
}

/// One sequence of inputs that makes every system fail.
#[derive(Clone, Debug)]
pub struct Countertrace {
    /// The inputs, with the outputs that they force.
    pub play: Play,
    pub certified: Certified<certify::Countertrace>,
}

/// A run of a specification, with the reasons for its steps.
#[derive(Clone, Debug)]
pub struct Play {
    pub run: Run,
    /// For each signal of the run, what its bits stand for.
    pub meanings: Vec<Meaning>,
    /// For each step.
    pub reasons: Vec<Vec<Reason>>,
    /// Outputs that keep a value, if the play is only about systems that do so.
    pub held: Vec<(String, String)>,
    /// What it comes to.
    pub conclusions: Vec<Conclusion>,
}

/// Why a step is as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// These guarantees leave the output no other value.
    Forced {
        output: String,
        value: String,
        because: Vec<String>,
    },
    /// These guarantees leave no answer.
    Stuck { because: Vec<String> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The end of the run repeats, all assumptions are kept, and these goals never hold there;
    /// if none is named, which one depends on the system.
    Repeats { prevented: Vec<String> },
    /// The model checker found no outputs that keep the guarantees with these inputs.
    Certified,
    /// The play breaks these guarantees.
    Breaks(Vec<String>),
    /// There is no countertrace.
    NoCountertrace(Lookahead),
}

#[derive(Clone, Debug)]
pub struct Counterstrategy {
    /// States of the play with the counterstrategy's memory.
    pub states: usize,
    /// Whether there are more states than were looked at.
    pub truncated: bool,
    /// One play against it; left out if there is a countertrace.
    pub play: Option<Play>,
    /// The counterstrategy as a machine, if it is one that can be listed.
    pub machine: Option<Machine>,
    /// That it wins against the whole specification; `None` under the implication, for which
    /// only the verdict is certified.
    pub certified: Option<Realizability>,
}

/// What the environment does, state by state.
#[derive(Clone, Debug)]
pub struct Machine {
    pub states: Vec<MachineState>,
}

#[derive(Clone, Debug, Default)]
pub struct MachineState {
    /// What it plays.
    pub inputs: Vec<(String, String)>,
    /// The state after it, for the outputs of the system.
    pub next: Vec<(Vec<(String, String)>, usize)>,
}

#[derive(Clone, Debug)]
pub struct Assumptions {
    /// Minimally sufficient.
    pub sufficient: Vec<Item>,
    /// Guarantees that need them.
    pub needed_by: Vec<Item>,
    /// Any one of these could be left out alone.
    pub unhelpful: Vec<Item>,
    pub total: usize,
}

/// Whether assumptions can be made to fail, and how.
#[derive(Clone, Debug, Default)]
pub struct Separation {
    /// Empty if well-separated.
    pub cases: Vec<Case>,
    /// With the system's own safety kept.
    pub with_guarantees: Option<Vec<Case>>,
    pub core: Vec<Item>,
    /// A core of safety assumptions only, where there is one.
    pub safety_core: Vec<Item>,
    /// From a first state to where the violation can be forced.
    pub trace: Option<Play>,
    /// How it is forced from there.
    pub forcing: Option<Play>,
    pub ending: Option<ForcedEnding>,
    /// Whether only failures that are forced from the first step on were asked about, as of any
    /// LTL.
    pub is_from_start: bool,
    /// Whether `certify` has checked that the system can force it; and from the first step on,
    /// that it cannot.
    pub certified: bool,
}

/// What forcing an assumption to fail comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForcedEnding {
    /// The environment has no move that keeps these.
    Deadlock(Vec<String>),
    /// The play goes on from a step, and the assumption never holds.
    Waiting {
        assumption: Option<String>,
        loop_start: usize,
    },
    /// It is longer than what is shown.
    Cut(usize),
    /// The play goes on from a step for ever, and that breaks these.
    Breaks {
        assumptions: Vec<String>,
        loop_start: usize,
    },
}

/// A part that is not there, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// A limit was reached first.
    Limit(Wanted, bdd::Error),
    /// It was found, but what checks it does not agree; says what is wrong.
    NotConfirmed(Wanted, String),
    /// No countertrace was found.
    NoCountertrace(Lookahead),
    /// The question is beyond what is tried.
    GaveUp(String),
    /// It was not found, and of some that were tried it is not known whether they would do.
    Open(Wanted),
    /// There is no such part for specifications that are not GR(1).
    OnlyForGr1(Wanted),
    /// No guarantee of the conflict was found that is enough if it alone is weakened, and that
    /// still says something then.
    NoWeakening,
}

/// What a missing part would have said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Core,
    AssumptionsOfCore,
    Counterstrategy,
    Countertrace,
    Fix,
    SufficientAssumptions,
    Separation,
    Diagnoses,
    AllExplanations,
    Additions,
    Weakenings,
}

impl Explanation {
    pub(super) fn new(verdict: Verdict) -> Explanation {
        Explanation {
            verdict,
            core: None,
            diagnoses: None,
            fix: None,
            additions: None,
            weakenings: Vec::new(),
            countertrace: None,
            counterstrategy: None,
            assumptions: None,
            separation: None,
            all: None,
            missing: Vec::new(),
            checks: 0,
            shown: None,
            graph: None,
        }
    }

    /// Notes a part that a limit has ended.
    pub(super) fn lacks(&mut self, wanted: Wanted, error: bdd::Error) {
        self.missing.push(Missing::Limit(wanted, error));
    }
}

impl Play {
    /// The word for the value of a signal in a step; `None` where it has none.
    pub fn value(&self, signal: usize, step: usize) -> Option<String> {
        let bits = self.run.signals[signal].values.get(step)?.as_ref()?;
        Some(self.meanings[signal].text(bits))
    }

    /// Whether the system has no answer in a step.
    pub fn is_stuck(&self, step: usize) -> bool {
        let reasons = self.reasons.get(step).map_or(&[][..], Vec::as_slice);
        reasons
            .iter()
            .any(|one| matches!(one, Reason::Stuck { .. }))
    }
}
