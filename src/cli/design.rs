//! Reads a design with its properties, whatever its format.

use super::context::{Context, Failure};
use super::input::{Format, read_all};
use super::request::DesignInput;
use crate::design::Design;
use crate::design::aiger::{self, AigerFile};
use crate::expr::Role;
use crate::source::{Diagnostic, FileId, codes::frame};
use crate::spec::{Property, Spec};

/// A design, and all that was said about it.
pub struct LoadedDesign {
    pub design: Design,
    /// The file that the design was read from, for whoever edits it.
    pub file: AigerFile,
    /// The files with properties, in the order in which they were added.
    pub property_files: Vec<FileId>,
    /// The properties of the design itself come first.
    pub spec: Spec,
    /// For properties of an AIGER file, what the format calls them: `b0`, `j1`. By their
    /// index in `spec`; `None` for assumptions.
    pub aiger_names: Vec<Option<String>>,
    pub warnings: Vec<Diagnostic>,
    /// What the user may have expected to be otherwise.
    pub notes: Vec<String>,
}

/// `command` is who asks.
pub fn load(
    input: &DesignInput,
    command: &str,
    context: &mut Context,
) -> Result<LoadedDesign, Failure> {
    let files = read_all(input.files(), context)?;
    let (designs, properties) = files.split_at(input.designs.len());
    let foreign = input
        .designs
        .iter()
        .find(|file| file.format != Format::Aiger);
    if let Some(file) = foreign {
        return Err(format_not_available(command, file.format).into());
    }
    let asserts = assertions_in(properties, context)?;
    let mut loaded = match designs {
        [only] => {
            let bytes = context.sources.file(*only).bytes();
            load_aiger(bytes, Some(*only), asserts)?
        }
        _ => {
            let message = "an AIGER file is a whole design, and several were given";
            let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
            return Err(diagnostic.help("check them one by one").into());
        }
    };
    refuse_verilog_options(input)?;
    for file in properties {
        loaded.add_properties(*file, context)?;
    }
    Ok(loaded)
}

impl LoadedDesign {
    /// Adds the properties of one more file.
    pub fn add_properties(
        &mut self,
        file: FileId,
        context: &Context,
    ) -> Result<(), Vec<Diagnostic>> {
        let text = &context.sources.file(file).text;
        let warnings = self.spec.add_property_file(file, text)?;
        self.warnings.extend(warnings);
        self.property_files.push(file);
        Ok(())
    }

    /// An edited file of the design, read from its bytes, with the same properties.
    pub fn reread(&self, bytes: &[u8], context: &Context) -> Result<LoadedDesign, Failure> {
        let asserts = assertions_in(&self.property_files, context)?;
        let mut loaded = load_aiger(bytes, None, asserts)?;
        for file in &self.property_files {
            loaded.add_properties(*file, context)?;
        }
        Ok(loaded)
    }
}

/// Whether property files assert anything. All that are wrong are reported at once.
fn assertions_in(files: &[FileId], context: &Context) -> Result<bool, Vec<Diagnostic>> {
    let mut spec = Spec::new();
    let mut errors = Vec::new();
    for file in files {
        let text = &context.sources.file(*file).text;
        if let Err(found) = spec.add_property_file(*file, text) {
            errors.extend(found);
        }
    }
    let is_asserted = |property: &Property| property.role == Role::Assert;
    if errors.is_empty() {
        Ok(spec.properties.iter().any(is_asserted))
    } else {
        Err(errors)
    }
}

/// Files from before AIGER 1.9 have outputs in place of bad signals. Where a property file
/// says what is right, outputs are just outputs.
fn load_aiger(
    bytes: &[u8],
    file: Option<FileId>,
    asserted_elsewhere: bool,
) -> Result<LoadedDesign, Diagnostic> {
    let circuit = aiger::read(bytes, file)?;
    let mut items = circuit.properties();
    let mut notes = Vec::new();
    let bad = if !circuit.outputs_are_bad() {
        circuit.bad.len()
    } else if asserted_elsewhere {
        items.retain(|item| item.role == Role::Assume);
        let note = "outputs of the AIGER file are not taken for bad signals, since there are \
                    other assertions";
        notes.push(note.to_string());
        0
    } else {
        circuit.design.outputs().len()
    };
    let justice = circuit.justice.len();
    let names = (0..bad)
        .map(|place| format!("b{place}"))
        .chain((0..justice).map(|place| format!("j{place}")));
    let mut aiger_names: Vec<Option<String>> = names.map(Some).collect();
    aiger_names.resize(items.len(), None);
    for (item, name) in items.iter_mut().zip(&aiger_names) {
        // Whoever has no symbol is still known by the place in the file.
        if item.name.is_none() {
            item.name = name.clone();
        }
    }
    let mut spec = Spec::new();
    spec.add_items(&items);
    Ok(LoadedDesign {
        design: circuit.design.clone(),
        file: circuit,
        property_files: Vec::new(),
        spec,
        aiger_names,
        warnings: Vec::new(),
        notes,
    })
}

/// Nothing that was asked for is left out in silence.
fn refuse_verilog_options(input: &DesignInput) -> Result<(), Diagnostic> {
    let given = [
        ("--top", input.top.is_some()),
        ("--define", !input.defines.is_empty()),
        ("--include", !input.include_directories.is_empty()),
        ("--reset", input.reset.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => {
            let message = format!("`{option}` is for Verilog, and the design is AIGER");
            Err(Diagnostic::error(frame::BAD_USAGE, message).help(format!(
                "leave out `{option}`: the file says how its latches start"
            )))
        }
    }
}

fn format_not_available(command: &str, format: Format) -> Diagnostic {
    let message = format!(
        "`respin {command}` is not available yet for {}",
        format.description()
    );
    Diagnostic::error(frame::COMMAND_NOT_AVAILABLE, message)
        .note("the inputs were read; nothing was checked and nothing was written")
        .help("give the design as AIGER; Yosys writes it with `write_aiger`")
}
