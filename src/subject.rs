//! A design with its properties: what is verified and repaired.
//!
//! Enters: a [`FrontEnd`], which has read a design, and the property files that go with it.
//! Leaves: a [`Subject`], which can also be read again with a patch applied. Properties of the
//! design itself come first, then those of the files.

use crate::design::reserved::RUNNING;
use crate::design::{Design, FrontEnd, Patch, Reading};
use crate::expr::{Expr, ExprKind, Role};
use crate::source::codes::{certify as codes, frame};
use crate::source::{Diagnostic, FileId, Sources, Span};
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
    pub latches: Vec<(String, Span)>,
    front_end: Rc<dyn FrontEnd>,
    /// The netlist behind a source that another program has read: what is corrected if no
    /// edit of the source is a correction.
    behind: Option<Rc<dyn FrontEnd>>,
    properties: Properties,
}

/// Where the properties come from that the design does not state itself.
#[derive(Clone)]
enum Properties {
    /// Files of the sources.
    Files(Vec<FileId>),
    /// Formulas over names of the design, in place of all others.
    Given(Spec),
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
        Subject::from_reading(reading, front_end, Properties::Given(spec), sources)
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
        let mut warnings = reading.warnings;
        let mut spec = Spec::new();
        match &properties {
            Properties::Given(given) => spec = given.clone(),
            Properties::Files(files) => {
                warnings.extend(spec.add_items(&reading.properties)?);
                for file in files {
                    warnings.extend(spec.add_property_file(*file, &sources.file(*file).text)?);
                }
            }
        }
        if reading.reset_steps > 0 {
            let running = Expr {
                kind: ExprKind::Name(vec![RUNNING.to_string()]),
                span: None,
            };
            spec.delay(reading.reset_steps, &running);
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
        })
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

    /// The same with cover statements apart from what has to hold.
    pub fn without_covers(mut self) -> Subject {
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
