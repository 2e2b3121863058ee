//! AIGER files as designs that can be checked and repaired.

use super::{AigerFile, read, read_source};
use crate::design::correction::{Correction, Patch};
use crate::design::front_end::{FrontEnd, Reading};
use crate::design::holes::Netlist;
use crate::source::{Diagnostic, FileId, Sources};

pub struct AigerFrontEnd {
    file: AigerFile,
    source: FileId,
    netlist: Netlist,
    reading: Reading,
}

impl AigerFrontEnd {
    /// Files from before AIGER 1.9 have outputs in place of bad signals. Where something else
    /// says what is right, outputs are just outputs.
    pub fn new(
        sources: &Sources,
        source: FileId,
        asserted_elsewhere: bool,
    ) -> Result<AigerFrontEnd, Diagnostic> {
        let file = read_source(sources, source)?;
        Ok(AigerFrontEnd::of_file(file, source, asserted_elsewhere))
    }

    /// The same for a file that was read already.
    pub fn of_file(mut file: AigerFile, source: FileId, asserted_elsewhere: bool) -> AigerFrontEnd {
        let mut notes = Vec::new();
        if file.outputs_are_bad() && asserted_elsewhere {
            file.outputs_are_plain = true;
            let note = "outputs of the AIGER file are not taken for bad signals, since there \
                        are other assertions";
            notes.push(note.to_string());
        }
        AigerFrontEnd {
            reading: Reading {
                notes,
                ..reading(&file)
            },
            netlist: file.netlist(),
            file,
            source,
        }
    }

    /// The same with other components, such as groups of gates.
    pub fn with_netlist(self, netlist: Netlist) -> AigerFrontEnd {
        AigerFrontEnd { netlist, ..self }
    }

    pub fn file(&self) -> &AigerFile {
        &self.file
    }
}

impl FrontEnd for AigerFrontEnd {
    fn reading(&self) -> &Reading {
        &self.reading
    }

    fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    fn files(&self) -> &[FileId] {
        std::slice::from_ref(&self.source)
    }

    fn render(&self, correction: &Correction) -> Result<Option<Patch>, Diagnostic> {
        let Correction::Functions(candidate) = correction else {
            return Ok(None);
        };
        let design = self.netlist.corrected(candidate)?;
        let bytes = self.file.with_design(design).to_bytes()?;
        let patch = self.netlist.patch(candidate, self.source, bytes)?;
        Ok(Some(patch))
    }

    fn reread(&self, patch: &Patch) -> Result<Reading, Vec<Diagnostic>> {
        let bytes = patch.files.get(&self.source).map_or(&[][..], Vec::as_slice);
        let mut file = read(bytes, None).map_err(|error| vec![error])?;
        file.outputs_are_plain = self.file.outputs_are_plain;
        Ok(reading(&file))
    }
}

/// The design with its properties. Whoever has no symbol is known by the index in the file.
fn reading(file: &AigerFile) -> Reading {
    let mut properties = file.properties();
    let bad = if file.outputs_are_bad() {
        file.design.outputs().len()
    } else {
        file.bad.len()
    };
    let names = (0..bad)
        .map(|index| format!("b{index}"))
        .chain((0..file.justice.len()).map(|index| format!("j{index}")));
    let mut property_names: Vec<Option<String>> = names.map(Some).collect();
    property_names.resize(properties.len(), None);
    for (item, name) in properties.iter_mut().zip(&property_names) {
        if item.name.is_none() {
            item.name = name.clone();
        }
    }
    Reading {
        design: file.design.clone(),
        properties,
        property_names,
        ..Reading::default()
    }
}
