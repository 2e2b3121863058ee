//! The one place that calls the code under test.

use super::subject::subject;
use super::within::within;
use respin::certify::{self, Verdict};
use respin::design::aiger;
use respin::design::aiger::AigerFile;
use respin::design::{ComponentId, ComponentKind, Patch};
use respin::repair::games::by_games;
use respin::repair::{GameOptions, RepairError};
use respin::spec::Spec;

/// What was found; components by name.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The cheapest first, each with the file that has it; a file that several locations lead
    /// to stands there for each of them.
    pub repairs: Vec<(String, AigerFile)>,
    pub only_with_memory: Vec<String>,
    pub undecided: Vec<String>,
}

impl Outcome {
    /// Whether a suspect can be the fault.
    pub fn locates(&self, name: &str) -> bool {
        let mut open = self.only_with_memory.iter().chain(&self.undecided);
        self.repairs(name) || open.any(|other| other == name)
    }

    /// Whether a suspect has a correction.
    pub fn repairs(&self, name: &str) -> bool {
        self.repairs.iter().any(|(other, _)| other == name)
    }

    /// What is said of locations that were not repaired.
    pub fn unrepaired(&self) -> String {
        format!(
            "{} repairs, undecided {:?}, with memory {:?}",
            self.repairs.len(),
            self.undecided,
            self.only_with_memory
        )
    }
}

/// Repairs one fault in some gate; `is_suspect` judges by name.
pub fn find_repairs(
    file: &AigerFile,
    spec: Option<&Spec>,
    is_suspect: impl Fn(&str) -> bool,
) -> Result<Outcome, String> {
    find_repairs_of(ComponentKind::Gate, file, spec, is_suspect)
}

/// The same for components of another kind.
pub fn find_repairs_of(
    kind: ComponentKind,
    file: &AigerFile,
    spec: Option<&Spec>,
    is_suspect: impl Fn(&str) -> bool,
) -> Result<Outcome, String> {
    let netlist = file.netlist();
    let name = |id: &ComponentId| netlist.components()[id.0 as usize].name.clone();
    let has_kind = |id: &ComponentId| netlist.components()[id.0 as usize].kind == kind;
    let suspects: Vec<ComponentId> = netlist
        .component_ids()
        .filter(|id| has_kind(id) && is_suspect(&name(id)))
        .collect();
    let options = GameOptions {
        limits: within(60),
        ..GameOptions::new(suspects)
    };
    let subject = subject(file, &netlist, spec);
    let (answer, corrections) = by_games(&subject, &options).map_err(|e| match e {
        RepairError::NotCertified { candidate } => format!("not certified: {candidate:?}"),
        other => format!("{other:?}"),
    })?;
    if let Some(limit) = answer.stopped {
        let (found, open) = (corrections.len(), answer.open.len());
        return Err(format!("{limit}: {found} repairs, {open} locations left"));
    }
    if let Some((property, reason)) = answer.not_supported {
        return Err(format!("{property}: {reason}"));
    }
    let names = |locations: &[Vec<ComponentId>]| locations.iter().flatten().map(name).collect();
    let written = |patch: &Patch| {
        let bytes = patch.files.values().next().expect("one file");
        aiger::read(bytes, None).expect("what is written can be read")
    };
    Ok(Outcome {
        repairs: corrections
            .iter()
            .flat_map(|one| one.also.iter().chain([&one.patch]))
            .map(|patch| (patch.changes[0].component.clone(), written(patch)))
            .collect(),
        only_with_memory: names(&answer.only_with_memory),
        undecided: names(&[answer.undecided, answer.unproved].concat()),
    })
}

/// The names of the gates that may be wrong.
pub fn gates(file: &AigerFile) -> Vec<String> {
    let netlist = file.netlist();
    let components = netlist.components().iter();
    components
        .filter(|component| component.kind == ComponentKind::Gate)
        .map(|component| component.name.clone())
        .collect()
}

/// Whether all assertions hold, by our own checker.
pub fn holds(file: &AigerFile, spec: &Spec) -> bool {
    let verdicts = certify::check(&file.design, spec, &certify::Options::default());
    let verdicts = verdicts.expect("the properties fit the design");
    verdicts
        .iter()
        .all(|(_, verdict)| *verdict == Verdict::Holds)
}
