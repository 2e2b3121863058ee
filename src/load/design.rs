//! Designs of any format with their properties.

use super::{Failure, Format, Memory, Reader};
use crate::design::FrontEnd;
use crate::design::aiger::AigerFrontEnd;
use crate::design::reference::{Reference, ReferenceFrontEnd};
use crate::design::verilog::{self, Past, Project, ResetPlay, Translator, VerilogFrontEnd};
use crate::design::yosys_json::YosysFrontEnd;
use crate::expr::Role;
use crate::source::codes::frame;
use crate::source::{Diagnostic, FileId, Sources};
use crate::spec::Spec;
use crate::subject::Subject;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The macro behind which assertions stand in many sources.
const FORMAL: &str = "FORMAL";

/// How the files of a design are read.
#[derive(Clone, Default)]
pub struct DesignOptions {
    pub top: Option<String>,
    /// Macros of Verilog with their texts.
    pub defines: Vec<(String, Option<String>)>,
    pub include_directories: Vec<PathBuf>,
    /// A reset that is played before properties count.
    pub reset: Option<ResetPlay>,
    /// What sampled values are before the first step.
    pub past: Past,
    /// Values for parameters of the top module, as constants of Verilog.
    pub parameters: Vec<(String, String)>,
    /// Whether registers without an initial value start with 0, and not with any value.
    pub starts_at_zero: bool,
    /// Whether the macro `FORMAL` stays undefined.
    pub no_formal: bool,
    /// What the design is read for.
    pub purpose: Purpose,
    /// Files of a design that this one has to be equal to, and their format; empty for none.
    pub reference: Vec<FileId>,
    pub reference_format: Option<Format>,
    /// What reads Verilog in place of our own front end.
    pub translator: Option<Rc<dyn Translator>>,
}

/// What a design is read for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    Verify,
    /// Components and edits are listed, and cover statements are no properties: they tell
    /// corrections apart.
    #[default]
    Repair,
    /// Components are listed, and cover statements are left out.
    Instrument,
}

/// Makes a subject of files that are in `sources`; `reader` is asked for includes and for the
/// files that a netlist names as its origin.
pub fn design(
    designs: &[FileId],
    format: Format,
    properties: &[FileId],
    options: &DesignOptions,
    sources: &mut Sources,
    reader: &dyn Reader,
) -> Result<Subject, Failure> {
    let asserts = assertions_in(properties, sources)? || !options.reference.is_empty();
    let subject = match (format, designs) {
        (Format::Verilog, _) => match &options.translator {
            Some(translator) => {
                return translated(designs, properties, translator, options, sources, reader);
            }
            None => {
                let project = project(designs, options, sources, reader)?;
                let front_end = VerilogFrontEnd::new(project, verilog_options(options), sources)?;
                let reference = reference(Some(&front_end), options, sources, reader)?;
                let front_end = compared(Rc::new(front_end), reference)?;
                Subject::new(front_end, properties, sources.clone())?
            }
        },
        (Format::YosysJson, [only]) => {
            let top = options.top.as_deref();
            let front_end = yosys(*only, top, sources, reader)?;
            let reference = reference(None, options, sources, reader)?;
            let front_end = compared(Rc::new(front_end), reference)?;
            Subject::new(front_end, properties, sources.clone())?
        }
        (Format::Aiger, [only]) => {
            let front_end = AigerFrontEnd::new(sources, *only, asserts)?;
            let reference = reference(None, options, sources, reader)?;
            let front_end = compared(Rc::new(front_end), reference)?;
            Subject::new(front_end, properties, sources.clone())?
        }
        (Format::YosysJson | Format::Aiger, _) => {
            let message = "such a file is a whole design, and several files were given";
            let diagnostic = Diagnostic::error(frame::BAD_USAGE, message);
            return Err(diagnostic.help("check them one by one").into());
        }
        _ => {
            let message = format!("{} is no design", format.description());
            let help = "give a design, or use `respin check`";
            return Err(Diagnostic::error(frame::BAD_USAGE, message)
                .help(help)
                .into());
        }
    };
    if format != Format::Verilog {
        refuse_verilog_options(options, format)?;
    }
    Ok(for_purpose(subject, options.purpose))
}

/// A design and its properties from texts, each with the name that messages use for it. The
/// first name's extension says what the design is written in.
///
/// ```
/// use respin::load::{DesignOptions, design_from_texts};
///
/// let design = "module m(input a, output y); assign y = a; endmodule";
/// let properties = "assert same: G (y == a);";
/// let options = DesignOptions::default();
/// let subject =
///     design_from_texts(&[("m.v", design)], &[("m.ltl", properties)], &options).unwrap();
/// assert_eq!(subject.spec.properties.len(), 1);
/// ```
pub fn design_from_texts(
    designs: &[(&str, &str)],
    properties: &[(&str, &str)],
    options: &DesignOptions,
) -> Result<Subject, Failure> {
    let mut sources = Sources::new();
    let mut add = |files: &[(&str, &str)]| -> Vec<FileId> {
        let files = files.iter();
        files
            .map(|(name, text)| sources.add(*name, *text))
            .collect()
    };
    let (files, properties) = (add(designs), add(properties));
    let extension = designs
        .first()
        .and_then(|(name, _)| Path::new(name).extension()?.to_str());
    let Some(format) = extension.and_then(Format::of_extension) else {
        let message = "the name of a design needs an extension that says its format";
        return Err(Diagnostic::error(frame::FORMAT_UNKNOWN, message).into());
    };
    let reader = Memory::new();
    design(&files, format, &properties, options, &mut sources, &reader)
}

/// A design that another program reads, with the netlist behind it.
fn translated(
    designs: &[FileId],
    properties: &[FileId],
    translator: &Rc<dyn Translator>,
    options: &DesignOptions,
    sources: &mut Sources,
    reader: &dyn Reader,
) -> Result<Subject, Failure> {
    let project = project(designs, options, sources, reader)?;
    let netlist = verilog::translate(&project, &**translator, sources, &mut |sources, name| {
        origin(name, None, sources, reader)
    })?;
    let reset = options.reset.clone();
    let has_reset = reset.is_some();
    let translator = translator.clone();
    let is_compared = !options.reference.is_empty();
    let reads_properties = translator.reads_properties();
    let front_end = VerilogFrontEnd::translated(project, translator, &netlist, reset, sources)?;
    let reference = reference(None, options, sources, reader)?;
    let front_end = compared(Rc::new(front_end), reference)?;
    let subject = Subject::new(front_end, properties, sources.clone())?;
    let subject = if has_reset || is_compared || !reads_properties {
        // A corrected netlist is written without the reset that was played, without what it
        // was compared with, and without properties that Yosys has no cells for.
        subject
    } else {
        subject.with_netlist_behind(Rc::new(netlist))
    };
    Ok(for_purpose(subject, options.purpose))
}

/// A front end beside the reference of its design, if there is one.
fn compared(
    front_end: Rc<dyn FrontEnd>,
    reference: Option<Reference>,
) -> Result<Rc<dyn FrontEnd>, Diagnostic> {
    Ok(match reference {
        Some(reference) => Rc::new(ReferenceFrontEnd::new(front_end, reference)?),
        None => front_end,
    })
}

/// The design that another one has to be equal to. What a Verilog file lacks of its modules
/// is taken from the design, if that is Verilog, too.
fn reference(
    of: Option<&VerilogFrontEnd>,
    options: &DesignOptions,
    sources: &mut Sources,
    reader: &dyn Reader,
) -> Result<Option<Reference>, Failure> {
    let files = &options.reference;
    let Some(first) = files.first() else {
        return Ok(None);
    };
    let reading = match (options.reference_format, &options.translator) {
        (Some(Format::Aiger), _) => {
            let front_end = AigerFrontEnd::new(sources, *first, true)?;
            front_end.reading().clone()
        }
        (Some(Format::YosysJson), _) => {
            let top = options.top.as_deref();
            yosys(*first, top, sources, reader)?.reading().clone()
        }
        (_, Some(translator)) => {
            let project = project(files, options, sources, reader)?;
            let netlist =
                verilog::translate(&project, &**translator, sources, &mut |sources, name| {
                    origin(name, None, sources, reader)
                })?;
            let mut reading = netlist.reading().clone();
            if let Some(play) = &options.reset {
                verilog::play_reset(&mut reading.design, play, sources.limits())?;
            }
            reading
        }
        _ => {
            let project = project(files, options, sources, reader)?;
            match of {
                Some(front_end) => front_end.reference(&project, sources)?,
                None => {
                    let options = verilog::Options {
                        components: false,
                        ..verilog_options(options)
                    };
                    let front_end = VerilogFrontEnd::new(project, options, sources)?;
                    front_end.reading().clone()
                }
            }
        }
    };
    Ok(Some(reading.into()))
}

fn for_purpose(subject: Subject, purpose: Purpose) -> Subject {
    match purpose {
        Purpose::Verify => subject,
        Purpose::Repair => subject.without_covers(),
        Purpose::Instrument => subject.leave_out_covers(),
    }
}

fn yosys(
    file: FileId,
    top: Option<&str>,
    sources: &mut Sources,
    reader: &dyn Reader,
) -> Result<YosysFrontEnd, Diagnostic> {
    let home = Path::new(&sources.file(file).name)
        .parent()
        .map(Path::to_path_buf);
    YosysFrontEnd::new(file, top, sources, &mut |sources, name| {
        origin(name, home.as_deref(), sources, reader)
    })
}

/// A file that a netlist names as its origin, here or beside the netlist.
fn origin(
    name: &str,
    home: Option<&Path>,
    sources: &mut Sources,
    reader: &dyn Reader,
) -> Option<FileId> {
    let beside = home.map(|home| home.join(name));
    let mut paths = [Some(PathBuf::from(name)), beside].into_iter().flatten();
    let found = paths.find(|path| reader.exists(path))?;
    let text = String::from_utf8(reader.read(&found).ok()?).ok()?;
    Some(sources.add(name, text))
}

fn verilog_options(options: &DesignOptions) -> verilog::Options {
    verilog::Options {
        top: options.top.clone(),
        reset: options.reset.clone(),
        past: options.past,
        components: options.purpose != Purpose::Verify,
        // Whether they are ever open is proved later.
        allows_latches: options.purpose != Purpose::Instrument,
        holes: false,
        starts_at_zero: options.starts_at_zero,
    }
}

/// Finds all files of a Verilog design.
pub fn project(
    files: &[FileId],
    options: &DesignOptions,
    sources: &mut Sources,
    reader: &dyn Reader,
) -> Result<Project, Failure> {
    let mut project = Project {
        files: files.to_vec(),
        ..Project::default()
    };
    let is_formal = |(name, _): &(String, Option<String>)| name == FORMAL;
    if !options.no_formal && !options.defines.iter().any(is_formal) {
        let file = sources.add(format!("-D {FORMAL}"), String::new());
        project.defines.push((FORMAL.to_string(), file));
    }
    for (name, text) in &options.defines {
        let file = sources.add(format!("-D {name}"), text.clone().unwrap_or_default());
        project.defines.push((name.clone(), file));
    }
    for (name, text) in &options.parameters {
        let file = sources.add(format!("--chparam {name}"), text.clone());
        project.parameters.push((name.clone(), file));
    }
    let mut pending: Vec<FileId> = files.to_vec();
    let mut known: HashMap<PathBuf, FileId> = HashMap::new();
    let mut visited = Vec::new();
    while let Some(file) = pending.pop() {
        visited.push(file);
        let beside = |name: &str| Path::new(&sources.file(file).name).with_file_name(name);
        let find = |name: &str, first: PathBuf| {
            let directories = options.include_directories.iter();
            let directories = directories.map(|one| one.join(name));
            let mut paths = [first, beside(name)].into_iter().chain(directories);
            paths.find(|path| reader.exists(path))
        };
        let includes = verilog::included_names(sources, file).into_iter();
        let includes = includes.map(|name| (false, find(&name, beside(&name)), name));
        // Data files are looked for where the command runs, as simulators do.
        let data = verilog::data_names(sources, file).into_iter();
        let data = data.map(|name| (true, find(&name, PathBuf::from(&name)), name));
        let found: Vec<(bool, Option<PathBuf>, String)> = includes.chain(data).collect();
        for (is_data, path, name) in found {
            let Some(path) = path else {
                continue;
            };
            let key = reader.identity(&path);
            let named = match known.get(&key) {
                Some(named) => *named,
                None => {
                    let named = add_text(&path, sources, reader)?;
                    known.insert(key, named);
                    if !is_data {
                        pending.push(named);
                    }
                    named
                }
            };
            match is_data {
                true => project.data.insert((file, name), named),
                false => project.includes.insert((file, name), named),
            };
        }
    }
    if visited
        .iter()
        .any(|file| verilog::computes_data_names(sources, *file))
    {
        visited.extend(project.parameters.iter().map(|(_, file)| *file));
        visited.extend(project.defines.iter().map(|(_, file)| *file));
        add_named_data(&mut project, &visited, options, sources, reader);
    }
    Ok(project)
}

/// Where the name of a data file is computed, any string may be the name.
fn add_named_data(
    project: &mut Project,
    files: &[FileId],
    options: &DesignOptions,
    sources: &mut Sources,
    reader: &dyn Reader,
) {
    for file in files {
        for name in verilog::strings(sources, *file) {
            if name.is_empty() || project.data.contains_key(&(*file, name.clone())) {
                continue;
            }
            let beside = Path::new(&sources.file(*file).name).with_file_name(&name);
            let directories = options.include_directories.iter();
            let directories = directories.map(|one| one.join(&name));
            let mut paths = [PathBuf::from(&name), beside]
                .into_iter()
                .chain(directories);
            // What is no text is no data file either; that it is missing is said where it is read.
            let found = paths.find(|path| reader.exists(path));
            if let Some(Ok(data)) = found.map(|path| add_text(&path, sources, reader)) {
                project.data.insert((*file, name), data);
            }
        }
    }
}

fn add_text(path: &Path, sources: &mut Sources, reader: &dyn Reader) -> Result<FileId, Failure> {
    let name = path.display().to_string();
    match String::from_utf8(reader.read(path)?) {
        Ok(text) => Ok(sources.add(name, text)),
        Err(_) => {
            let message = format!("`{name}` is not valid UTF-8");
            Err(Diagnostic::error(frame::NOT_UTF8, message)
                .help("convert the file, for example with `iconv -f LATIN1 -t UTF-8`")
                .into())
        }
    }
}

/// Whether property files assert anything. All that are wrong are reported at once.
fn assertions_in(files: &[FileId], sources: &Sources) -> Result<bool, Vec<Diagnostic>> {
    let mut spec = Spec::new();
    let mut errors = Vec::new();
    for file in files {
        if let Err(found) = spec.read_property_file(sources, *file) {
            errors.extend(found);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(spec.properties.iter().any(|one| one.role == Role::Assert))
}

/// Nothing that was asked for is left out in silence.
fn refuse_verilog_options(options: &DesignOptions, format: Format) -> Result<(), Diagnostic> {
    let given = [
        (
            "--top",
            options.top.is_some() && format != Format::YosysJson,
        ),
        ("--define", !options.defines.is_empty()),
        ("--include", !options.include_directories.is_empty()),
        ("--reset", options.reset.is_some()),
        ("--chparam", !options.parameters.is_empty()),
        ("--init", options.starts_at_zero),
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
