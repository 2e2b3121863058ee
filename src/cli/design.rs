//! Reads a design with its properties, whatever its format.

use super::context::{Context, Failure};
use super::input::{Format, InputFile, read, read_all};
use super::options::Frontend;
use super::request::DesignInput;
use super::values::{Define, InputPath};
use super::yosys::{YosysRun, load_yosys, source_attribute, suggest_yosys};
use crate::design::aiger::{self, AigerFile};
use crate::design::verilog::{self, Project, ResetPlay};
use crate::design::yosys_json::{self, YosysNetlist};
use crate::design::{Design, Netlist};
use crate::expr::{Expr, ExprKind, Role};
use crate::source::codes::{certify as certify_codes, frame};
use crate::source::{Diagnostic, FileId, Sources, Span};
use crate::spec::{Property, Spec};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// A design, and all that was said about it.
pub struct LoadedDesign {
    pub design: Design,
    /// The design as a file of gates, for whoever edits it.
    pub file: AigerFile,
    /// Where the design came from, if it is written in Verilog.
    pub verilog: Option<VerilogDesign>,
    /// What was read, if it is a netlist of Yosys.
    pub yosys: Option<YosysNetlist>,
    /// The files with properties, in the order in which they were added.
    pub property_files: Vec<FileId>,
    /// The properties of the design itself come first.
    pub spec: Spec,
    /// For properties of an AIGER file, what the format calls them: `b0`, `j1`. By their
    /// index in `spec`; `None` for assumptions.
    pub aiger_names: Vec<Option<String>>,
    pub warnings: Vec<Diagnostic>,
    /// Latches that combinational blocks infer.
    pub latches: Vec<(String, Span)>,
    /// What the user may have expected to be otherwise.
    pub notes: Vec<String>,
}

/// How a netlist is called that is in no file.
const NETLIST_OF_YOSYS: &str = "the netlist of Yosys";
/// The macro behind which assertions stand in many sources.
const FORMAL: &str = "FORMAL";

/// `command` is who asks.
pub fn load(
    input: &DesignInput,
    command: &str,
    context: &mut Context,
) -> Result<LoadedDesign, Failure> {
    let files = read_all(input.files(), context)?;
    let (designs, properties) = files.split_at(input.designs.len());
    let formats: Vec<Format> = input.designs.iter().map(|file| file.format).collect();
    let asserts = assertions_in(properties, context)?;
    let is_verilog = formats.iter().all(|format| *format == Format::Verilog);
    let mut loaded = match designs {
        _ if is_verilog && input.frontend == Frontend::Yosys => {
            let run = YosysRun::new(input)?;
            context.progress.log(|| run.command());
            let text = run.netlist()?;
            let file = context.sources.add(NETLIST_OF_YOSYS, text.clone());
            let mut loaded = load_yosys(&text, file, None, &mut context.sources)?;
            loaded.verilog = Some(VerilogDesign {
                yosys: Some(run),
                ..verilog_design(input, designs, context)?
            });
            loaded
        }
        _ if is_verilog => {
            let mut verilog = verilog_design(input, designs, context)?;
            // Whoever repairs wants to see what a latch does wrong.
            verilog.options.allows_latches = command == "repair";
            load_verilog(&verilog, &context.sources).map_err(suggest_yosys)?
        }
        [only] if formats[0] == Format::YosysJson => {
            let text = context.sources.file(*only).text.clone();
            load_yosys(&text, *only, input.top.as_deref(), &mut context.sources)?
        }
        [only] => {
            let bytes = context.sources.file(*only).bytes();
            load_aiger(bytes, Some(*only), asserts)?
        }
        _ => {
            let message = "such a file is a whole design, and several files were given";
            let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
            return Err(diagnostic.help("check them one by one").into());
        }
    };
    if !is_verilog {
        refuse_verilog_options(input, formats[0])?;
    }
    for file in properties {
        loaded.add_properties(*file, context)?;
    }
    if command != "verify" {
        let warning = loaded.leave_out_covers();
        loaded.warnings.extend(warning);
    }
    loaded.play_reset();
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
        let mut loaded = match &self.yosys {
            Some(yosys) => {
                let text = String::from_utf8_lossy(bytes);
                let mut sources = context.sources.clone();
                let file = sources.add("the edited netlist", text.clone());
                let top = Some(yosys.interface.module.as_str());
                load_yosys(&text, file, top, &mut sources)?
            }
            None => load_aiger(bytes, None, asserts)?,
        };
        loaded.leave_out_covers();
        for file in &self.property_files {
            loaded.add_properties(*file, context)?;
        }
        Ok(loaded)
    }

    /// A circuit in the place of the design, as the file that it came from.
    pub fn bytes_of(&self, file: &AigerFile, sources: &Sources) -> Result<Vec<u8>, Diagnostic> {
        let Some(yosys) = &self.yosys else {
            return file.to_bytes();
        };
        let place = |span: Span| source_attribute(span, sources);
        let text = yosys_json::write(file, &yosys.properties, &yosys.interface, &place)?;
        Ok(text.into_bytes())
    }

    /// The design with all that can be replaced in it.
    pub fn netlist(&self) -> Netlist {
        match &self.yosys {
            Some(yosys) => yosys.netlist(),
            None => Netlist::new(self.file.clone()),
        }
    }

    /// Cover statements are looked at by `verify` alone.
    fn leave_out_covers(&mut self) -> Option<Diagnostic> {
        let is_cover = |one: &&Property| one.role == Role::Cover;
        let covers: Vec<Property> = self
            .spec
            .properties
            .iter()
            .filter(is_cover)
            .cloned()
            .collect();
        self.spec.properties.retain(|one| one.role != Role::Cover);
        let message = match covers.len() {
            0 => return None,
            1 => "a cover statement is not looked at".to_string(),
            count => format!("{count} cover statements are not looked at"),
        };
        let mut warning = Diagnostic::warning(certify_codes::COVER_NOT_CHECKED, message);
        if let Some(span) = covers.iter().find_map(|one| one.span) {
            warning = warning.at(span, "here");
        }
        Some(warning.help("run `respin verify` on the corrected design"))
    }

    /// Lets properties start after the reset, if one is played.
    fn play_reset(&mut self) {
        let Some(verilog) = &self.verilog else {
            return;
        };
        if let Some(play) = &verilog.options.reset {
            let running = Expr {
                kind: ExprKind::Name(vec![verilog::RUNNING.to_string()]),
                span: None,
            };
            self.spec.delay(play.cycles, &running);
        }
    }
}

/// A design in Verilog: its files, and how they are read.
#[derive(Clone, Debug)]
pub struct VerilogDesign {
    pub project: Project,
    pub options: verilog::Options,
    /// How Yosys reads it, if our own front end does not.
    pub yosys: Option<YosysRun>,
}

/// Finds all files of a Verilog design.
fn verilog_design(
    input: &DesignInput,
    files: &[FileId],
    context: &mut Context,
) -> Result<VerilogDesign, Failure> {
    let mut project = Project {
        files: files.to_vec(),
        ..Project::default()
    };
    let is_formal = |define: &Define| define.name == FORMAL;
    if input.formal && !input.defines.iter().any(is_formal) {
        let file = context.sources.add(format!("-D {FORMAL}"), String::new());
        project.defines.push((FORMAL.to_string(), file));
    }
    for define in &input.defines {
        let text = define.value.clone().unwrap_or_default();
        let name = format!("-D {}", define.name);
        let file = context.sources.add(name, text);
        project.defines.push((define.name.clone(), file));
    }
    let mut pending: Vec<FileId> = files.to_vec();
    let mut known: HashMap<PathBuf, FileId> = HashMap::new();
    while let Some(file) = pending.pop() {
        for name in verilog::included_names(&context.sources, file) {
            let beside = Path::new(&context.sources.file(file).name).with_file_name(&name);
            let places = input.include_directories.iter().map(|one| one.join(&name));
            let Some(path) = std::iter::once(beside)
                .chain(places)
                .find(|path| path.is_file())
            else {
                continue;
            };
            let key = path.canonicalize().unwrap_or_else(|_| path.clone());
            let included = match known.get(&key) {
                Some(included) => *included,
                None => {
                    let included = read(
                        &InputFile {
                            path: InputPath::File(path),
                            format: Format::Verilog,
                        },
                        context,
                    )?;
                    known.insert(key, included);
                    pending.push(included);
                    included
                }
            };
            project.includes.insert((file, name), included);
        }
    }
    let reset = input.reset.as_ref().map(|reset| ResetPlay {
        signal: reset.signal.clone(),
        value: reset.value,
        cycles: reset.cycles,
    });
    Ok(VerilogDesign {
        project,
        options: verilog::Options {
            top: input.top.clone(),
            reset,
            ..verilog::Options::default()
        },
        yosys: None,
    })
}

fn load_verilog(
    verilog: &VerilogDesign,
    sources: &Sources,
) -> Result<LoadedDesign, Vec<Diagnostic>> {
    let tree = verilog.project.parse(sources).map_err(one)?;
    let elaborated = verilog::elaborate(&tree, &verilog.options).map_err(one)?;
    let mut file = AigerFile::from_design(elaborated.design.clone(), &[]).map_err(one)?;
    file.outputs_are_plain = true;
    let mut warnings = elaborated.warnings;
    let mut spec = Spec::new();
    warnings.extend(spec.add_items(&elaborated.properties)?);
    if let (None, [(_, first), ..]) = (&verilog.options.reset, &elaborated.uninitialised[..]) {
        let names: Vec<&str> = elaborated
            .uninitialised
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        let message = format!("registers start with any value: {}", names.join(", "));
        warnings.push(
            Diagnostic::warning(verilog::codes::NO_RESET, message)
                .at(*first, "no initial value, and no reset is played")
                .help("say `--reset NAME` to play one cycle of reset first"),
        );
    }
    Ok(LoadedDesign {
        design: elaborated.design,
        file,
        verilog: Some(verilog.clone()),
        yosys: None,
        latches: elaborated.latches,
        property_files: Vec::new(),
        spec,
        aiger_names: Vec::new(),
        warnings,
        notes: Vec::new(),
    })
}

pub(super) fn one(diagnostic: Diagnostic) -> Vec<Diagnostic> {
    vec![diagnostic]
}

/// An edited design, read from its text, with the same properties.
pub fn reload_verilog(
    loaded: &LoadedDesign,
    verilog: &VerilogDesign,
    options: &verilog::Options,
    sources: &Sources,
) -> Result<LoadedDesign, Vec<Diagnostic>> {
    let mut patched = match &verilog.yosys {
        Some(run) => {
            let text = run
                .netlist_of(&verilog.project.files, sources)
                .map_err(one)?;
            let mut sources = sources.clone();
            let file = sources.add(NETLIST_OF_YOSYS, text.clone());
            load_yosys(&text, file, None, &mut sources)?
        }
        None => {
            let verilog = VerilogDesign {
                options: options.clone(),
                ..verilog.clone()
            };
            load_verilog(&verilog, sources)?
        }
    };
    for file in &loaded.property_files {
        let text = &sources.file(*file).text;
        patched.spec.add_property_file(*file, text)?;
    }
    patched.leave_out_covers();
    let names = |spec: &Spec| -> Vec<(Role, String)> {
        let properties = spec.properties.iter();
        properties.map(|one| (one.role, one.name.clone())).collect()
    };
    // Whoever changes what is asserted corrects nothing.
    if names(&patched.spec) != names(&loaded.spec) {
        let message = "the edited design has other assertions";
        return Err(vec![Diagnostic::error(frame::INTERNAL_ERROR, message)]);
    }
    patched.play_reset();
    Ok(patched)
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
) -> Result<LoadedDesign, Vec<Diagnostic>> {
    let mut circuit = aiger::read(bytes, file).map_err(one)?;
    let mut notes = Vec::new();
    if circuit.outputs_are_bad() && asserted_elsewhere {
        circuit.outputs_are_plain = true;
        let note = "outputs of the AIGER file are not taken for bad signals, since there are \
                    other assertions";
        notes.push(note.to_string());
    }
    let mut items = circuit.properties();
    let bad = match circuit.outputs_are_bad() {
        true => circuit.design.outputs().len(),
        false => circuit.bad.len(),
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
    spec.add_items(&items)?;
    Ok(LoadedDesign {
        design: circuit.design.clone(),
        file: circuit,
        verilog: None,
        yosys: None,
        latches: Vec::new(),
        property_files: Vec::new(),
        spec,
        aiger_names,
        warnings: Vec::new(),
        notes,
    })
}

/// Nothing that was asked for is left out in silence.
fn refuse_verilog_options(input: &DesignInput, format: Format) -> Result<(), Diagnostic> {
    let given = [
        ("--top", input.top.is_some() && format != Format::YosysJson),
        ("--define", !input.defines.is_empty()),
        ("--include", !input.include_directories.is_empty()),
        ("--reset", input.reset.is_some()),
    ];
    match given.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((option, _)) => {
            let format = format.description();
            let message = format!("`{option}` is for Verilog, and the design is {format}");
            Err(Diagnostic::error(frame::BAD_USAGE, message).help(format!(
                "leave out `{option}`: the file says how its latches start"
            )))
        }
    }
}
