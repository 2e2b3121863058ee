//! A design with its properties: what is verified and repaired.
//!
//! Enters: a [`FrontEnd`], which has read a design, and the property files that go with it.
//! Leaves: a [`Subject`], which can also be read again with a patch applied. Properties of the
//! design itself come first, then those of the files.

use crate::design::reference::{Reference, ReferenceFrontEnd};
use crate::design::reserved::{RESET_AGAIN, RUNNING};
use crate::design::{Design, FrontEnd, InferredLatch, Patch, Reading};
use crate::expr::{Expr, ExprKind, Role};
use crate::source::codes::{certify as codes, frame};
use crate::source::{Diagnostic, FileId, Sources};
use crate::spec::{Property, Spec};
use std::rc::Rc;

#[derive(Clone)]
pub struct Subject {
    pub sources: Sources,
    pub design: Design,
    pub spec: Spec,
    /// What the format calls its own properties, such as `b0`; by their index in `spec`.
    pub property_names: Vec<Option<String>>,
    pub warnings: Vec<Diagnostic>,
    pub notes: Vec<String>,
    /// Cover statements that were left out of the specification.
    pub covers: Vec<Property>,
    /// Latches that combinational blocks infer.
    pub latches: Vec<InferredLatch>,
    front_end: Rc<dyn FrontEnd>,
    /// The netlist behind a source that another program has read: what is corrected if no
    /// edit of the source is a correction.
    behind: Option<Rc<dyn FrontEnd>>,
    properties: Properties,
    reset_steps: u32,
    resets: Vec<ResetUse>,
}

/// Under which reset a property is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResetUse {
    /// The reset is played once, and is off for ever after.
    Once,
    /// It is played once, and may come again at any time.
    Again,
}

/// Where the properties come from that the design does not state itself.
#[derive(Clone)]
enum Properties {
    /// Files of the sources.
    Files(Vec<FileId>),
    /// Formulas over names of the design, in place of all others.
    Given(Box<Spec>),
}

impl Subject {
    /// A design with the properties that it states itself, and those of these files of
    /// `sources`.
    pub fn new(
        front_end: Rc<dyn FrontEnd>,
        property_files: &[FileId],
        sources: Sources,
    ) -> Result<Subject, Vec<Diagnostic>> {
        let reading = front_end.reading().clone();
        let properties = Properties::Files(property_files.to_vec());
        Subject::from_reading(reading, front_end, properties, sources)
    }

    /// A design with these properties and no others. Atoms have to be expressions over names:
    /// those of a patched design are looked up again.
    pub fn with_spec(
        front_end: Rc<dyn FrontEnd>,
        spec: Spec,
        sources: Sources,
    ) -> Result<Subject, Vec<Diagnostic>> {
        let reading = front_end.reading().clone();
        Subject::from_reading(
            reading,
            front_end,
            Properties::Given(Box::new(spec)),
            sources,
        )
    }

    /// The same with a netlist that is corrected if the source is not.
    pub fn with_netlist_behind(self, netlist: Rc<dyn FrontEnd>) -> Subject {
        Subject {
            behind: Some(netlist),
            ..self
        }
    }

    fn from_reading(
        reading: Reading,
        front_end: Rc<dyn FrontEnd>,
        properties: Properties,
        sources: Sources,
    ) -> Result<Subject, Vec<Diagnostic>> {
        let mut warnings = reading.warnings.clone();
        let mut spec = Spec::new();
        match &properties {
            Properties::Given(given) => spec = (**given).clone(),
            Properties::Files(files) => {
                warnings.extend(spec.add_items(&reading.properties)?);
                for file in files {
                    warnings.extend(spec.read_property_file(&sources, *file)?);
                }
            }
        }
        let own = match &properties {
            Properties::Files(_) => &reading.reset_again[..],
            Properties::Given(_) => &[],
        };
        let resets = resets(&reading, own, spec.properties.len());
        if reading.reset_again.contains(&true) {
            for (index, reset) in resets.iter().enumerate() {
                if *reset == ResetUse::Once && spec.properties[index].role != Role::Assume {
                    spec.hold_off(index, &named(RESET_AGAIN));
                }
            }
        }
        if reading.reset_steps > 0 {
            spec.delay(reading.reset_steps, &named(RUNNING));
        }
        Ok(Subject {
            sources,
            design: reading.design,
            spec,
            property_names: reading.property_names,
            warnings,
            notes: reading.notes,
            covers: Vec::new(),
            latches: reading.latches,
            front_end,
            behind: None,
            properties,
            reset_steps: reading.reset_steps,
            resets,
        })
    }

    /// Under which reset a property is judged; nothing if none is played.
    pub fn reset_of(&self, property: usize) -> Option<ResetUse> {
        self.resets.get(property).copied()
    }

    /// Whether each signal of the design as it is read has a name and nodes of its own.
    pub fn names_every_signal(&self) -> bool {
        self.front_end.is_source() && self.behind.is_none()
    }

    pub fn front_end(&self) -> &dyn FrontEnd {
        &*self.front_end
    }

    /// The subject as the netlist that another program made of its source.
    pub fn as_netlist(&self) -> Option<Result<Subject, Vec<Diagnostic>>> {
        let netlist = self.behind.clone()?;
        let reading = netlist.reading().clone();
        let (properties, sources) = (self.properties.clone(), self.sources.clone());
        let subject = Subject::from_reading(reading, netlist, properties, sources);
        Some(subject.map(Subject::without_covers))
    }

    /// The patched design, read from its files, with the same properties.
    pub fn reread(&self, patch: &Patch) -> Result<Subject, Vec<Diagnostic>> {
        let reading = self.front_end.reread(patch)?;
        let sources = self.sources.with_texts(&patch.texts());
        let (front_end, properties) = (self.front_end.clone(), self.properties.clone());
        let patched = Subject::from_reading(reading, front_end, properties, sources)?;
        let names = |spec: &Spec| -> Vec<(Role, String)> {
            let properties = spec.properties.iter().filter(|one| one.role != Role::Cover);
            properties.map(|one| (one.role, one.name.clone())).collect()
        };
        // A patch that changes what is asserted corrects nothing.
        if names(&patched.spec) != names(&self.spec) {
            let message = "the edited design has other assertions";
            return Err(vec![Diagnostic::error(frame::INTERNAL_ERROR, message)]);
        }
        Ok(patched.without_covers())
    }

    /// The same beside a copy of itself: whatever a patch changes, outputs are compared with those
    /// of the design as it is, by one more property.
    pub fn beside_itself(&self) -> Result<Subject, Vec<Diagnostic>> {
        let reference = Reference::from(self.front_end.reading().clone());
        let front_end = ReferenceFrontEnd::new(self.front_end.clone(), reference);
        let front_end = Rc::new(front_end.map_err(|error| vec![error])?);
        let reading = front_end.reading().clone();
        let (properties, sources) = (self.properties.clone(), self.sources.clone());
        let subject = Subject::from_reading(reading, front_end, properties, sources)?;
        Ok(subject.without_covers())
    }

    /// The same with the properties of one more file.
    pub fn with_properties(
        self,
        file: FileId,
        sources: Sources,
    ) -> Result<Subject, Vec<Diagnostic>> {
        let mut files = match self.properties {
            Properties::Files(files) => files,
            Properties::Given(_) => Vec::new(),
        };
        files.push(file);
        let reading = self.front_end.reading().clone();
        let properties = Properties::Files(files);
        let subject = Subject::from_reading(reading, self.front_end, properties, sources)?;
        let behind = self.behind;
        Ok(Subject { behind, ..subject })
    }

    /// The assumptions, and the assertion that a word of the design is never true once
    /// properties count; with the index of that assertion.
    pub fn asserting_never(&self, word: &str) -> (Spec, usize) {
        let mut spec = self.spec.clone();
        spec.properties.retain(|one| one.role == Role::Assume);
        let formulas = &mut spec.formulas;
        let word = formulas.condition_atom(&named(word));
        let mut never = formulas.not(word);
        if self.reset_steps > 0 {
            let running = formulas.condition_atom(&named(RUNNING));
            never = formulas.implies(running, never);
        }
        let formula = formulas.globally(never);
        spec.properties.push(Property {
            role: Role::Assert,
            name: "never".to_string(),
            is_named: false,
            span: None,
            formula,
        });
        let index = spec.properties.len() - 1;
        (spec, index)
    }

    /// The same with cover statements apart from what has to hold.
    pub fn without_covers(mut self) -> Subject {
        let properties = self.spec.properties.iter();
        let kept: Vec<bool> = properties.map(|one| one.role != Role::Cover).collect();
        let mut stays = kept.iter();
        self.resets.retain(|_| *stays.next().unwrap_or(&true));
        let properties = std::mem::take(&mut self.spec.properties).into_iter();
        let (covers, others) = properties.partition(|one| one.role == Role::Cover);
        self.covers.extend::<Vec<Property>>(covers);
        self.spec.properties = others;
        self
    }

    /// Leaves out cover statements, which only `verify` looks at, and warns about them.
    pub fn leave_out_covers(mut self) -> Subject {
        let covers = self.spec.properties.iter();
        let covers: Vec<&Property> = covers.filter(|one| one.role == Role::Cover).collect();
        let message = match covers.len() {
            0 => return self,
            1 => "a cover statement is not looked at".to_string(),
            count => format!("{count} cover statements are not looked at"),
        };
        let mut warning = Diagnostic::warning(codes::COVER_NOT_CHECKED, message);
        if let Some(span) = covers.iter().find_map(|one| one.span) {
            warning = warning.at(span, "here");
        }
        let help = "run `respin verify` on the corrected design";
        self.warnings.push(warning.help(help));
        self.without_covers()
    }
}

/// Under which reset each of the properties is judged; nothing if none is played.
fn resets(reading: &Reading, own: &[bool], properties: usize) -> Vec<ResetUse> {
    if reading.reset_steps == 0 {
        return Vec::new();
    }
    let is_again = |index: usize| own.get(index) == Some(&true) || reading.reset_again_for_all;
    let all = (0..properties).map(|index| {
        if is_again(index) {
            ResetUse::Again
        } else {
            ResetUse::Once
        }
    });
    all.collect()
}

fn named(word: &str) -> Expr {
    Expr {
        kind: ExprKind::Name(vec![word.to_string()]),
        span: None,
    }
}
